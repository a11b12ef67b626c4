"""Guards of argument structure: which verbs may stand with or without an object."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Objection, Severity, guard
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.scopes import (
    ADJUNCT,
    ENDING,
    WH_PRONOUN,
    WH_THAT,
    WITH_OBJECT,
    WITHOUT_OBJECT,
    changed_complement,
    changed_group,
)
from blimpgen.audit.guards.uses import unexcluded, used
from blimpgen.audit.guards.verbs import drops, fitting, last_group, stative


@guard(
    "object-possible",
    Severity.REMARK,
    WITH_OBJECT,
    specs="syntax B3; syntax B7; syntax B8; syntax B9; syntax G4",
    unproved=True,
)
def object_possible(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence has its object: *Anna joked around the house.*"""
    changed = changed_group(case)
    if changed is not None:
        place, group = changed
        before = _phrase(case.bad, place - 1) or _phrase(case.bad, place - 2)
        after = _phrase(case.bad, place + 1)
        subject, obj = (
            (before, after) if after is not None and case.bad.kind(place + 1) == "nominal" else (None, before)
        )
        if obj is after and obj is not None and _is_split_by_pronoun(case, group, obj):
            return
        two = obj is after and _phrase(case.bad, place + 2) is not None
        if obj is after and case.once(changed_complement) == "passive":  # *was explained the poem*
            two, subject, obj = True, None, before
        yield from unexcluded(case, group, "V.NP.NP" if two else "V.NP", subject, obj)


def _is_split_by_pronoun(case: Case, group: VerbGroup, obj: Nominal) -> bool:
    """Whether an object is a pronoun, which no separable particle stands before: *figured it out*, not *out it*."""
    is_pronoun = any(reading.category == "Pron" for reading in obj.head)
    return is_pronoun and case.vocabulary.every(group.verbs, "prt_kind", "sep")


def _phrase(parsed: Parse, place: int) -> Nominal | None:
    chunk = parsed.chunks[place] if 0 <= place < len(parsed.chunks) else None
    return chunk if isinstance(chunk, Nominal) else None


@guard("object-optional", Severity.REMARK, WITHOUT_OBJECT, specs="syntax B4; syntax B5; syntax B6", unproved=True)
def object_optional(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence does without an object: *Travis is revealing.*"""
    changed = changed_group(case)
    if changed is not None:
        place, group = changed
        yield from _intransitive(case, group, _phrase(case.bad, place - 1))


def _intransitive(case: Case, group: VerbGroup, subject: Nominal | None) -> Iterator[str]:
    """The verb that should not do without an object; an adjective in *-ing* does."""
    words = group.verb.split()
    adjective = len(words) == 1 and case.vocabulary.every(group.auxiliary, "kind", "be")
    if adjective and case.vocabulary.readings((words[0],), 0, ("A",))[1]:
        yield Objection(group.verb, Severity.DOUBTFUL)
    else:
        yield from unexcluded(case, group, "V", subject)


@guard("object-missing", Severity.REMARK, ENDING, specs="morphology 14; morphology 17; morphology 19")
def object_missing(case: Case) -> Iterator[str]:
    """The last verb stands without the object that it needs: *The doctor sees.*"""
    group = last_group(case.good)
    if group is None:
        return
    passive = case.vocabulary.every(group.auxiliary, "kind", "be") and all(r.cell != "ing" for r in group.verbs)
    use = None if passive else used(case, fitting(case, group), "V", None, None)
    if not passive and use is not Severity.WRONG:
        unknown = use is None and case.holds(WITHOUT_OBJECT)
        yield Objection(group.verb, Severity.DOUBTFUL if unknown else Severity.REMARK)


@guard("declarative-missing", Severity.DOUBTFUL, WH_PRONOUN, specs="syntax B17")
def declarative_missing(case: Case) -> Iterator[str]:
    """The verb of the good sentence takes no clause without *that*: *investigate he can't hate*."""
    group = _first_group(case.good)
    if group is not None:
        readings = fitting(case, group)
        if not any(case.vocabulary.lists(r, "V.that") for r in readings):
            excluded = all(case.vocabulary.asserts_not(r, "V.that") for r in readings)
            yield Objection(group.verb, Severity.WRONG if excluded else Severity.DOUBTFUL)
        elif not any(case.vocabulary.frame_value(r, "V.that", "that0") == "yes" for r in readings):
            yield Objection(group.verb, Severity.REMARK)


def _first_group(parsed: Parse) -> VerbGroup | None:
    """The first verb; None behind words without analysis, which may have it: *the patient mention*."""
    place, group = next(((k, g) for k, g in parsed.groups if g.verbs), (0, None))
    return None if any(parsed.kind(k) == "unknown" for k in range(place)) else group


@guard("gap-missing", Severity.WRONG, WH_PRONOUN, specs="syntax B17")
def gap_missing(case: Case) -> Iterator[str]:
    """The verb that ends the good sentence is passive and leaves no gap: *What did she learn they weren't seen?*"""
    group = last_group(case.good)
    if group is not None and case.vocabulary.every(group.auxiliary, "kind", "be"):
        cells = {r.cell for r in group.verbs}
        if "part" in cells and "ing" not in cells:
            yield case.good.text(group.start, group.end)


@guard("object-adverbial", Severity.DOUBTFUL, WITH_OBJECT, specs="syntax B9")
def object_adverbial(case: Case) -> Iterator[str]:
    """The object is a time or a measure, which may stand as an adverbial: *slept the night*."""
    last = case.good.chunks[-1] if case.good.chunks else None
    if isinstance(last, Nominal) and any(case.vocabulary.suits(r, "time | measure") for r in last.head):
        yield case.good.text(last.start, last.end)


@guard("gap-verb-optional", Severity.REMARK, WH_THAT, specs="syntax B23; syntax B24", unproved=True)
def gap_verb_optional(case: Case) -> Iterator[str]:
    """Nothing excludes that the last verb does without an object; then nothing is missing after *that*."""
    group = last_group(case.bad)
    if group is not None:
        phrases = (chunk for chunk in case.bad.chunks if isinstance(chunk, Nominal) and chunk.start > case.change.start)
        yield from _intransitive(case, group, next(phrases, None))


@guard("matrix-both-clauses", Severity.REMARK, WH_THAT, specs="syntax B21; syntax B24")
def matrix_both_clauses(case: Case) -> Iterator[str]:
    """The first verb does not take both a *that*-clause and a wh-clause."""
    group = _first_group(case.good)
    if group is None:
        return
    good = "V.that" if case.vocabulary.readings(case.change.good, 0, ("Comp",))[1] else "V.wh"
    readings = fitting(case, group)
    if not any(case.vocabulary.lists(r, good) for r in readings):
        excluded = all(case.vocabulary.asserts_not(r, good) for r in readings)
        yield Objection(group.verb, Severity.WRONG if excluded else Severity.REMARK)
    elif not any(case.vocabulary.lists(r, "V.that") and case.vocabulary.lists(r, "V.wh") for r in group.verbs):
        yield group.verb


@guard("relative-object", Severity.REMARK, WH_THAT, specs="syntax B24")
def relative_object(case: Case) -> Iterator[str]:
    """The relative clause ends in an object that is not a name, so that its end is hard to find."""
    parsed = case.good
    for k, _ in parsed.groups:
        phrase = parsed.chunks[k + 1] if parsed.kind(k - 1) == "rel" and parsed.kind(k + 1) == "nominal" else None
        bare_verb = phrase is not None and parsed.readings(phrase.start, "V")
        if isinstance(phrase, Nominal) and phrase.kind != "name" and not bare_verb:
            yield parsed.text(phrase.start, phrase.end)


@guard("what-bare-noun", Severity.WRONG, specs="syntax G7", needs="wh")
def what_bare_noun(case: Case) -> Iterator[str]:
    """*what* or *which* stands right before a bare noun, with which it may form one phrase: *know what boys ate it*."""
    for parsed in case.both:
        for k in range(len(parsed.chunks)) if parsed.has("wh") else ():
            phrase = _phrase(parsed, k + 1) if parsed.kind(k) == "wh" and parsed.kind(k - 1) == "group" else None
            bare = phrase is not None and not phrase.determiner and phrase.possessor is None and phrase.kind == "noun"
            asks = phrase is not None and bool(parsed.readings(phrase.start - 1, "Dwh"))
            if bare and asks and phrase is not None and parsed.kind(k + 2):
                severity = Severity.WRONG if parsed is case.bad else Severity.REMARK
                yield Objection(parsed.text(phrase.start - 1, phrase.end), severity)


@guard("gerund-object-optional", Severity.REMARK, ADJUNCT, specs="syntax B10")
def gerund_object_optional(case: Case) -> Iterator[str]:
    """The gerund may do without its object, so that the gap is not felt."""
    group = last_group(case.bad)
    if group is not None and any(case.vocabulary.lists(r, "V") or drops(case, r) for r in fitting(case, group)):
        yield group.verb


@guard("stative-verb", Severity.REMARK, ADJUNCT, specs="syntax B10")
def stative_verb(case: Case) -> Iterator[str]:
    """A verb of the sentence is stative, which goes badly with an adverbial clause."""
    yield from (group.verb for _, group in case.good.groups if stative(case, group))


@guard("second-object", Severity.DOUBTFUL, specs="syntax A5; syntax B10; syntax B14", needs="wh")
def second_object(case: Case) -> Iterator[str]:
    """The verb takes a further object, which the wh-word of the bad sentence may be: *what she sold the guests*."""
    parsed = case.bad
    for k, group in parsed.groups if parsed.has("wh") else ():
        follows, wh_word = _phrase(parsed, k + 1), _wh_word_before(parsed, k)
        if wh_word and follows is not None and group.verbs:
            receives = any(case.vocabulary.suits(r, "animate | group") for r in follows.head)
            second = wh_word == "who" or (wh_word == "what" and receives)
            gives = second and any(case.vocabulary.lists(r, "V.NP.NP") for r in group.verbs)
            if gives or any(" " in group.verb and case.vocabulary.uses(r, "V.NP.P") for r in group.verbs):
                yield parsed.text(group.start, follows.end)


def _wh_word_before(parsed: Parse, place: int) -> str:
    """The wh-word before the subject of the verb group at a place, if nothing but an auxiliary is between them."""
    before = place - 1 if parsed.kind(place - 1) == "nominal" else place
    lone = parsed.chunks[before - 1] if before > 0 else None
    if isinstance(lone, VerbGroup) and not lone.verbs:
        before -= 1
    asks = before > 0 and before < place and parsed.kind(before - 1) == "wh"
    return parsed.sentence.words[parsed.chunks[before - 1].start].lower() if asks else ""


@guard("inanimate-subject", Severity.REMARK, ADJUNCT, specs="syntax B10")
def inanimate_subject(case: Case) -> Iterator[str]:
    """The subject cannot act on purpose, as the adverbial clause demands."""
    subject = next((clause.subject for clause in case.good.clauses), None)
    if (
        subject is not None
        and subject.kind != "pronoun"
        and not any(case.vocabulary.suits(r, "animate | group") for r in subject.head)
    ):
        yield case.good.text(subject.start, subject.end)


@guard("wh-animacy", Severity.REMARK, ADJUNCT, specs="syntax A6; syntax B10")
def wh_animacy(case: Case) -> Iterator[str]:
    """*who* or *what* does not ask for such an object."""
    parsed = case.good
    last = parsed.chunks[-1] if parsed.chunks else None
    readings = parsed.readings(0, "Wh")
    if readings and isinstance(last, Nominal) and last.kind in ("noun", "name"):
        restriction = f"{case.vocabulary.value(readings[0], 'antecedent')} | group"
        if not any(case.vocabulary.suits(r, restriction) for r in last.head):
            yield f"{parsed.sentence.words[0]} ... {parsed.text(last.start, last.end)}"
