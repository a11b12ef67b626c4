"""Guards of the contrast: what must stay the same in both sentences, and what must not stand twice in one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from blimpgen.audit.guards.case import Case, scope
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Clause, Parse
from blimpgen.audit.guards.guard import Severity, guard
from blimpgen.audit.guards.scopes import PARTICIPLE, STRANDED, VERB_AGREEMENT, lexemes_of


def _aligned(case: Case) -> list[tuple[Clause, Clause]]:
    """The clauses that stand side by side in both sentences and have other verb groups.

    There are none if an auxiliary is all that changes: then it is the contrast.
    """
    good, bad = case.good.clauses, case.bad.clauses
    if len(good) != len(bad):
        return []
    changed = [(a, b) for a, b in zip(good, bad, strict=True) if a.group != b.group and a.group[2:] != b.group[2:]]
    return [] if not changed or _is_contrast(case) else changed


@scope(
    "clauses that stand side by side have other verb groups, and the auxiliary is not all that changes", change="verbs"
)
def SIDE_BY_SIDE(case: Case) -> bool:
    """Whether there are such clauses."""
    return bool(case.once(_aligned))


def _is_contrast(case: Case) -> bool:
    """Whether nothing but auxiliary, negation or the form of one verb changes, without a change of number.

    A paradigm may say so: see `Case.changes_auxiliary`.
    """
    if case.changes_auxiliary:
        return True
    if case.holds(VERB_AGREEMENT) or case.holds(PARTICIPLE):
        return case.holds(PARTICIPLE)
    change, parsed = case.change, case.good
    inside = any(
        group.start <= change.start and change.start + len(change.good) <= group.end for _, group in parsed.groups
    )
    return inside and not _changes_verb(case)


def _changes_verb(case: Case) -> bool:
    good, bad = ([lexemes_of(group) for _, group in parsed.groups if group.verbs] for parsed in case.both)
    return len(good) != len(bad) or any(map(frozenset.isdisjoint, good, bad))


def _shown(case: Case, a: Clause, b: Clause) -> str:
    return f"{case.good.text(a.group.start, a.group.end)} | {case.bad.text(b.group.start, b.group.end)}"


@guard("tense-differs", Severity.SECOND, SIDE_BY_SIDE, specs="morphology D6; syntax G2; semantics G10; semantics 8 D3")
def tense_differs(case: Case) -> Iterator[str]:
    """The verbs of the two sentences have different tenses."""
    for a, b in case.once(_aligned):
        if bool(a.group.auxiliary) == bool(b.group.auxiliary) and not a.group.tenses & b.group.tenses:
            yield _shown(case, a, b)


@guard("polarity-differs", Severity.SECOND, SIDE_BY_SIDE, specs="morphology D6; morphology 23.3; semantics G10")
def polarity_differs(case: Case) -> Iterator[str]:
    """One sentence is negated where the other is not."""
    pairs = case.once(_aligned)
    if sorted(case.good.sentence.words) == sorted(case.bad.sentence.words):
        return  # the same words in another order: so much negation in one as in the other
    if sum(a.group.negated for a, _ in pairs) != sum(b.group.negated for _, b in pairs):
        yield from (_shown(case, a, b) for a, b in pairs if a.group.negated != b.group.negated)


@guard("auxiliary-differs", Severity.SECOND, SIDE_BY_SIDE, specs="syntax G2; semantics G10")
def auxiliary_differs(case: Case) -> Iterator[str]:
    """The sentences have different auxiliaries, or only one has an auxiliary."""
    for a, b in case.once(_aligned):
        if {r.row for r in a.group.auxiliary} != {r.row for r in b.group.auxiliary}:
            yield _shown(case, a, b)


@guard("name-twice", Severity.REMARK, specs="semantics G9; syntax G12", needs="Name")
def name_twice(case: Case) -> Iterator[str]:
    """A name stands twice in a sentence."""
    names = ([p.noun for p in parsed.nominals if p.kind == "name"] for parsed in case.both)
    yield from dict.fromkeys(name for sentence_names in names for name in _twice(sentence_names))


@guard("lemma-twice", Severity.REMARK, specs="syntax G12; morphology 8")
def lemma_twice(case: Case) -> Iterator[str]:
    """A noun or verb stands twice in the good sentence, and the bad one is not about its second place."""
    lemmas = case.vocabulary.column("N", "lemma")
    nouns = _twice([lemmas[phrase.head[0].row] for phrase in case.good.nominals if phrase.kind == "noun"])
    groups = [group for _, group in case.good.groups if group.verbs]
    verbs = _twice([case.vocabulary.verb_lemmas[group.verbs[0].row] for group in groups])
    if (nouns or verbs) and not case.holds(STRANDED):
        yield from nouns
        yield from (verb for verb in verbs if not _of_two_things(case, verb, groups))


def _of_two_things(case: Case, verb: str, groups: list[VerbGroup]) -> bool:
    """Whether a verb has an object of its own at each place: *who has met Anna has not met Paul*."""
    phrases = {phrase.start: case.good.text(phrase.start, phrase.end) for phrase in case.good.nominals}
    lemmas = case.vocabulary.verb_lemmas
    objects = [phrases.get(group.end, "") for group in groups if lemmas[group.verbs[0].row] == verb]
    return all(objects) and not _twice(objects)


def _twice(items: list[str]) -> list[str]:
    if len(set(items)) == len(items):
        return []
    return [item for item, times in Counter(items).items() if times > 1]


@guard("standalone-quantifier", Severity.WRONG, specs="syntax B26")
def standalone_quantifier(case: Case) -> Iterator[str]:
    """A quantifier that stands alone is put before a noun (*a lot guests*)."""
    standalone, sentence = case.vocabulary.standalone, case.good.sentence
    clitics = sentence.words is not sentence.tokens
    words = tuple([word.lower() for word in sentence.words]) if clitics else case.good.folded
    for k, word in enumerate(words) if not standalone.keys().isdisjoint(words) else ():
        for form in standalone.get(word, ()):
            end = k + len(form)
            if words[k:end] == form and _before_noun(case, k, end):
                yield case.good.text(k, end + 1)


def _before_noun(case: Case, start: int, end: int) -> bool:
    """Whether words of the good sentence stand before a noun, as they do in small letters, and are no noun."""
    small = Parse.of(case.sentence_good.lower(), case.vocabulary)
    return small.noun_end(end) > end >= small.end(start, "N")
