"""Which pairs guards are about: scopes, decided by what a pair contains, so that any set is read like ours."""

from __future__ import annotations

from blimpgen.audit.guards.case import Case, scope
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.tokens import Reading, Readings, number_of_cell

__all__ = ["changed_group"]


def _readings(case: Case, *categories: str) -> tuple[Readings, Readings]:
    """The readings of the words that begin the change, in both sentences."""
    start = case.change.start
    return case.good.readings(start, *categories), case.bad.readings(start, *categories)


def _numbers(readings: Readings) -> frozenset[str]:
    return frozenset().union(*(number_of_cell(r) for r in readings))


def _one_lexeme(case: Case, *categories: str) -> tuple[list[Reading], list[Reading]]:
    """The readings of the one word that changes, in either sentence, whose lexeme both have."""
    at = case.change.start
    if case.good.places[at].lexemes.isdisjoint(case.bad.places[at].lexemes):
        return [], []
    good, bad = _readings(case, *categories)
    shared = {r[:2] for r in good} & {r[:2] for r in bad}
    return [r for r in good if r[:2] in shared], [r for r in bad if r[:2] in shared]


def _last_phrase(case: Case) -> Nominal | None:
    """The noun phrase that ends the good sentence with the change in it."""
    last = case.good.chunks[-1] if case.good.chunks else None
    return last if isinstance(last, Nominal) and last.start <= case.change.start < last.end else None


def _is_demonstrative(case: Case, readings: Readings) -> bool:
    return case.vocabulary.every(tuple(r for r in readings if r.category == "D"), "kind", "dem")


def _is_behind_auxiliary(case: Case) -> bool:
    """Whether the change stands behind the auxiliary of its group, where a verb has no number: *didn't wrote*."""
    return any(group.auxiliary and group.start < case.change.start < group.end for _, group in case.good.groups)


def _is_in_phrase(case: Case) -> bool:
    """Whether the change stands inside a noun phrase of both sentences, where no verb does: *her train*."""
    at = case.change.start
    return all(any(phrase.start <= at < phrase.end for phrase in parsed.nominals) for parsed in case.both)


@scope("the change is the number of a finite verb or of its subject", change="form")
def VERB_AGREEMENT(case: Case) -> bool:
    """Whether one finite word, or one noun before the verb, changes its number."""
    if not case.change.is_one_word or case.holds(DEMONSTRATIVE):
        return False
    good, bad = (_numbers(tuple(readings)) for readings in _one_lexeme(case, "V", "Aux"))
    if good and bad and good != bad and not _is_behind_auxiliary(case) and not _is_in_phrase(case):
        return True
    singular, plural = ({r.cell for r in nouns} for nouns in _one_lexeme(case, "N"))
    return singular != plural and any(group.start > case.change.start for _, group in case.good.groups)


@scope("the change is a demonstrative at the end, or the number of its noun", needs="D", change="one")
def DEMONSTRATIVE(case: Case) -> bool:
    """Whether a demonstrative changes, or the noun of one that ends the sentence."""
    phrase = _last_phrase(case) if case.change.is_one_word else None
    if phrase is None or not _is_demonstrative(case, phrase.determiner):
        return False
    other = case.bad.chunks[-1]
    lexemes = {r[:2] for r in phrase.head}
    return not isinstance(other, Nominal) or bool(lexemes & {r[:2] for r in other.head})


@scope("the change is a reflexive", needs="Refl")
def REFLEXIVE(case: Case) -> bool:
    """Whether one reflexive stands for another."""
    return case.change.is_one_word and all(_readings(case, "Refl"))


@scope("the change is the number of a reflexive", needs="Refl")
def REFLEXIVE_NUMBER(case: Case) -> bool:
    """Whether the reflexives differ in number."""
    if not case.holds(REFLEXIVE):
        return False
    good, bad = ({case.vocabulary.value(r, "Number") for r in readings} for readings in _readings(case, "Refl"))
    return good != bad


@scope("the change is the gender of a reflexive, or of the subject before it", needs="Refl")
def GENDER(case: Case) -> bool:
    """Whether two reflexives of one number differ, or two subjects change places before one reflexive."""
    if case.change.is_one_word:
        return case.holds(REFLEXIVE) and not case.holds(REFLEXIVE_NUMBER)
    ends = case.good.kind(len(case.good.chunks) - 1) == case.bad.kind(len(case.bad.chunks) - 1) == "refl"
    return ends and case.holds(PERMUTED)


@scope("the change is a pronoun for a reflexive", needs="Refl")
def PRONOUN(case: Case) -> bool:
    """Whether a reflexive stands for a pronoun."""
    return case.change.is_one_word and bool(_readings(case, "Pron")[0] and _readings(case, "Refl")[1])


@scope("the bad sentence has a reflexive or a reciprocal, for which the number of a noun may be wrong", needs="refl")
def BOUND(case: Case) -> bool:
    """Whether an anaphor stands in the bad sentence: *themselves*, *each other*."""
    return case.bad.has("refl")


@scope("a reflexive is the object", needs="refl")
def ANAPHOR(case: Case) -> bool:
    """Whether a reflexive ends a sentence."""
    return any(parsed.kind(len(parsed.chunks) - 1) == "refl" for parsed in case.both)


@scope("a reflexive stands in the second sentence before a finite verb", needs="refl")
def REFLEXIVE_SUBJECT(case: Case) -> bool:
    """Whether a reflexive precedes the verb that changes."""
    if not case.bad.has("refl"):
        return False
    kinds = [case.bad.kind(k) for k in range(len(case.bad.chunks))]
    before = any(kinds[k : k + 2] == ["refl", "group"] for k in range(len(kinds)))
    return before and not _readings(case, "Refl")[1]


@scope("the sentences have the same words in another order", change="order")
def PERMUTED(case: Case) -> bool:
    """Whether the words are the same."""
    change, good, bad = case.change, case.good.folded, case.bad.folded
    if len(good) != len(bad) or (change.is_one_word and change.good[0].lower() != change.bad[0].lower()):
        return False
    return sorted(good) == sorted(bad) and case.sentence_good != case.sentence_bad


@scope("the words of a cleft change places", needs="it's")
def CLEFT(case: Case) -> bool:
    """Whether a sentence in *it's* has its words in another order."""
    return case.good.sentence.words[:1] == ("It's",) and case.holds(PERMUTED)


@scope("the words of a question change places", needs="wh")
def QUESTION(case: Case) -> bool:
    """Whether a sentence that begins with a wh-word has its words in another order."""
    return "wh" in (case.good.kind(0), case.bad.kind(0)) and case.holds(PERMUTED)


@scope("the words of a question with an adverbial clause change places", needs="sub")
def ADJUNCT(case: Case) -> bool:
    """Whether a question has an adverbial clause."""
    return case.good.has("sub") and case.holds(QUESTION)


@scope("the change is *that* for a wh-word, or a wh-word for *that*, not behind a noun", needs="Wh")
def WH_THAT(case: Case) -> bool:
    """Whether a wh-word and a complementizer change places; behind a noun both begin a relative clause."""
    if any(isinstance(chunk, Nominal) and chunk.end == case.change.start for chunk in case.good.chunks):
        return False
    sides = _readings(case, "Wh", "Comp") if case.change.is_one_word else ()
    categories = [{r.category for r in readings} for readings in sides]
    return all(sides) and sorted(map(sorted, categories)) == [["Comp"], ["Wh"]]


@scope("a wh-word stands for a pronoun inside a question", needs="Wh")
def WH_PRONOUN(case: Case) -> bool:
    """Whether the change is from a pronoun to a wh-word."""
    return (
        case.change.is_one_word
        and case.good.kind(0) == "wh"
        and bool(_readings(case, "Pron")[0] and _readings(case, "Wh")[1])
    )


def changed_group(case: Case) -> tuple[int, VerbGroup] | None:
    """The first verb group of the bad sentence whose verb the good one does not have, with the number of its chunk.

    Another form of a verb of the good sentence is no other verb.
    """
    lexemes = frozenset().union(*(lexemes_of(group) for _, group in case.good.groups))
    return next(((k, group) for k, group in case.bad.groups if not lexemes_of(group) <= lexemes), None)


def lexemes_of(group: VerbGroup) -> frozenset[tuple[str, int]]:
    """The verb of a group, as category and row of the lexicon; of a homograph all, without a verb none."""
    return frozenset([r[:2] for r in group.verbs])


def changed_complement(case: Case) -> str:
    """What follows the one verb that changes: object, passive, nothing; empty where no verb does, or that is open."""
    good, bad = ([group.verbs for _, group in parsed.groups if group.verbs] for parsed in case.both)
    changed = changed_group(case) if len(good) == len(bad) == 1 and good != bad else None
    if changed is None or case.holds(PARTICIPLE) or case.holds(VERB_AGREEMENT):
        return ""
    place, group = changed
    if any(case.bad.kind(before) in ("rel", "wh", "comp") for before in range(place - 1)):
        return ""  # its complement may stand before it: *it was Sue that we met*
    lone = case.bad.chunks[place - 1] if case.bad.kind(place - 1) == "group" else group  # *was | trained*, an adjective
    auxiliary = group.auxiliary or (lone.auxiliary if isinstance(lone, VerbGroup) else ())
    cells = {r.cell for r in group.verbs}
    if case.vocabulary.every(auxiliary, "kind", "be") and "part" in cells and "ing" not in cells:
        return "passive"
    return "object" if case.bad.kind(place + 1) == "nominal" else "nothing" if not case.bad.kind(place + 1) else ""


@scope("the bad sentence has another verb, with an object or in the passive", change="verbs")
def WITH_OBJECT(case: Case) -> bool:
    """Whether the other verb has an object."""
    return case.once(changed_complement) in ("object", "passive")


@scope("the bad sentence has another verb, without an object", change="verbs")
def WITHOUT_OBJECT(case: Case) -> bool:
    """Whether the other verb ends the sentence."""
    return case.once(changed_complement) == "nothing"


@scope("the bad sentence has another verb, without an object, or the change is a number", change="verbs form")
def ENDING(case: Case) -> bool:
    """Whether a sentence may end in a verb that has no object to lose to the contrast."""
    return case.holds(WITHOUT_OBJECT) or case.holds(VERB_AGREEMENT)


@scope("the change is the form of a verb, one of them a participle", needs="part", change="form")
def PARTICIPLE(case: Case) -> bool:
    """Whether a participle stands for a past, or the other way round."""
    if not case.change.is_one_word:
        return False
    good, bad = ({r.cell for r in readings} for readings in _one_lexeme(case, "V"))
    return any("past" in a and "part" in b for a, b in ((good, bad), (bad, good)))


@scope("the change is a participle before its noun", needs="part", change="form")
def ATTRIBUTIVE(case: Case) -> bool:
    """Whether the participle stands between a determiner and a noun."""
    if not case.holds(PARTICIPLE):
        return False
    at = case.change.start
    return bool(case.good.readings(at - 1, "D", "Poss")) and bool(case.good.readings(at + 1, "N"))


@scope("the change is who or what acts")
def AGENT(case: Case) -> bool:
    """Whether the first noun phrase differs, or the one behind *by*, and nothing else does."""
    change, good, bad = case.change, case.good, case.bad
    if not good.chunks or not bad.chunks:
        return False
    place = 0 if change.start + len(change.good) <= good.chunks[0].end else -1
    a, b = good.chunks[place], bad.chunks[place]
    if a.start > change.start or not isinstance(a, Nominal) or not isinstance(b, Nominal):
        return False
    others = {r[:2] for r in a.head}.isdisjoint([r[:2] for r in b.head])
    return others and (place == 0 or good.sentence.words[a.start - 1] == "by")


@scope("the change is an adjective before *to*", needs="A")
def TOUGH(case: Case) -> bool:
    """Whether two adjectives stand before one infinitive."""
    behind = case.change.start + len(case.change.good)
    if case.good.sentence.words[behind : behind + 1] != ("to",):
        return False
    return case.good.kind(0) != "there" and all(_readings(case, "A"))


@scope("*there* begins the sentences", needs="there")
def THERE(case: Case) -> bool:
    """Whether a sentence begins with *there*."""
    return case.bad.kind(0) == "there"


@scope("the change is the modifier of a numeral", needs="NumMod")
def NUMERAL(case: Case) -> bool:
    """Whether one modifier stands for another, or another part of one: *at most, at least*."""
    start = case.change.start
    return any(all(parsed.end(at, "NumMod") > start for parsed in case.both) for at in (start - 1, start) if at >= 0)


@scope("a reflexive stands in the sentences", needs="refl")
def WITH_REFLEXIVE(case: Case) -> bool:
    """Whether one of them has a reflexive."""
    return case.good.has("refl") or case.bad.has("refl")


@scope("*only* changes its place or is replaced", needs="only")
def ONLY(case: Case) -> bool:
    """Whether the good sentence begins with *only* and the bad one does not."""
    return case.good.sentence.words[:1] == ("Only",) != case.bad.sentence.words[:1]


@scope("the bad sentence ends in a determiner and an adjective", needs="A")
def STRANDED(case: Case) -> bool:
    """Whether an adjective without noun ends the bad sentence."""
    last = len(case.bad.sentence.words) - 1
    if last < 1 or not case.bad.readings(last, "A"):
        return False
    relative = case.bad.kind(len(case.bad.chunks) - 2) == "rel"  # "the guests that honored" ends in a verb
    return not relative and not case.holds(TOUGH) and any(case.bad.end(k, "D") == last for k in range(last))
