"""Guards of argument structure: which verbs may stand with or without an object."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Case, guard, uids
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.verbs import drops, fitting, last_group, stative

_WITH_GAP = uids("wh_vs_that_with_gap*")
_ISLAND = uids("adjunct_island")
_TWO_OBJECTS = uids("adjunct_island", "left_branch_island_*", "coordinate_structure_constraint_complex_left_branch")


def changed_group(case: Case, parsed: Parse) -> tuple[int, VerbGroup] | None:
    """The first verb group of a sentence that the other sentence does not have, with the number of its chunk."""
    other = case.bad if parsed is case.good else case.good
    verbs = {group.verb for _, group in other.groups()}
    return next(((k, group) for k, group in parsed.groups() if group.verbs and group.verb not in verbs), None)


@guard(
    "object-possible",
    uids("transitive", "causative", "passive_[12]"),
    specs="syntax B3; syntax B7; syntax B8; syntax B9; syntax G4",
    unproved=True,
)
def object_possible(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence has an object."""
    changed = changed_group(case, case.bad)
    if changed is not None and any(not case.vocabulary.asserts_not(r, "V.NP") for r in fitting(case, changed[1])):
        yield changed[1].verb


@guard(
    "object-optional",
    uids("drop_argument", "inchoative", "intransitive"),
    specs="syntax B4; syntax B5; syntax B6",
    unproved=True,
)
def object_optional(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence does without an object: *Travis is revealing.*"""
    changed = changed_group(case, case.bad)
    if changed is not None and any(not case.vocabulary.asserts_not(r, "V") for r in fitting(case, changed[1])):
        yield changed[1].verb


@guard("declarative-missing", uids("wh_island"), specs="syntax B17")
def declarative_missing(case: Case) -> Iterator[str]:
    """The verb of the good sentence takes no clause without *that*: *investigate he can't hate*."""
    group = next((g for _, g in case.good.groups() if g.verbs), None)
    if group is not None and not any(
        case.vocabulary.frame_value(r, "V.that", "that0") == "yes" for r in fitting(case, group)
    ):
        yield group.verb


@guard("object-adverbial", uids("transitive"), specs="syntax B9")
def object_adverbial(case: Case) -> Iterator[str]:
    """The object is a time or a measure, which may stand as an adverbial: *slept the night*."""
    last = case.good.chunks[-1] if case.good.chunks else None
    if isinstance(last, Nominal) and any(case.vocabulary.suits(r, "time | measure") for r in last.head):
        yield case.good.text(last.start, last.end)


@guard("gap-verb-optional", _WITH_GAP, specs="syntax B23; syntax B24", unproved=True)
def gap_verb_optional(case: Case) -> Iterator[str]:
    """Nothing excludes that the last verb does without an object; then nothing is missing after *that*."""
    group = last_group(case.bad)
    if group is not None and any(not case.vocabulary.asserts_not(r, "V") for r in fitting(case, group)):
        yield group.verb


@guard("matrix-both-clauses", uids("wh_vs_that_*"), specs="syntax B21; syntax B24")
def matrix_both_clauses(case: Case) -> Iterator[str]:
    """The first verb does not take both a *that*-clause and a wh-clause."""
    group = next((g for _, g in case.good.groups() if g.verbs), None)
    if group is not None and not any(
        case.vocabulary.lists(r, "V.that") and case.vocabulary.lists(r, "V.wh") for r in group.verbs
    ):
        yield group.verb


@guard("relative-object", uids("wh_vs_that_with_gap_long_distance"), specs="syntax B24")
def relative_object(case: Case) -> Iterator[str]:
    """The relative clause ends in an object that is not a name, so that its end is hard to find."""
    parsed = case.good
    for k, _ in parsed.groups():
        phrase = parsed.chunks[k + 1] if parsed.kind(k - 1) == "rel" and parsed.kind(k + 1) == "nominal" else None
        bare_verb = phrase is not None and case.vocabulary.readings(parsed.sentence.words, phrase.start, ("V",))[1]
        if isinstance(phrase, Nominal) and phrase.kind != "name" and not bare_verb:
            yield parsed.text(phrase.start, phrase.end)


@guard("what-bare-noun", uids("wh_*"), specs="syntax G7")
def what_bare_noun(case: Case) -> Iterator[str]:
    """*what* or *which* stands right before a bare noun, with which it may form one phrase."""
    for parsed in case.both:
        for k in range(len(parsed.chunks)):
            phrase = parsed.chunks[k + 1] if parsed.kind(k) == "wh" and parsed.kind(k + 1) == "nominal" else None
            bare = isinstance(phrase, Nominal) and not phrase.determiner and phrase.possessor is None
            if bare and isinstance(phrase, Nominal) and phrase.kind == "noun":
                _, readings = case.vocabulary.readings(parsed.sentence.words, phrase.start - 1, ("Dwh",))
                if readings:
                    yield parsed.text(phrase.start - 1, phrase.end)


@guard("gerund-object-optional", _ISLAND, specs="syntax B10")
def gerund_object_optional(case: Case) -> Iterator[str]:
    """The gerund may do without its object, so that the gap is not felt."""
    group = last_group(case.bad)
    if group is not None and any(case.vocabulary.lists(r, "V") or drops(case, r) for r in fitting(case, group)):
        yield group.verb


@guard("stative-verb", _ISLAND, specs="syntax B10")
def stative_verb(case: Case) -> Iterator[str]:
    """A verb of the sentence is stative, which goes badly with an adverbial clause."""
    yield from (group.verb for _, group in case.good.groups() if stative(case, group))


@guard("second-object", _TWO_OBJECTS, specs="syntax A5; syntax B10; syntax B14")
def second_object(case: Case) -> Iterator[str]:
    """The main verb takes two objects, so that the wh-word of the bad sentence may be the second one."""
    for k, group in case.good.groups():
        if case.good.auxiliary(k) and any(case.vocabulary.lists(r, "V.NP.NP") for r in group.verbs):
            yield group.verb


@guard("inanimate-subject", _ISLAND, specs="syntax B10")
def inanimate_subject(case: Case) -> Iterator[str]:
    """The subject cannot act on purpose, as the adverbial clause demands."""
    subject = next((clause.subject for clause in case.good.clauses), None)
    if (
        subject is not None
        and subject.kind != "pronoun"
        and not any(case.vocabulary.suits(r, "animate | group") for r in subject.head)
    ):
        yield case.good.text(subject.start, subject.end)


@guard("wh-animacy", _ISLAND, specs="syntax A6; syntax B10")
def wh_animacy(case: Case) -> Iterator[str]:
    """*who* or *what* does not ask for such an object."""
    parsed = case.good
    last = parsed.chunks[-1] if parsed.chunks else None
    readings = case.vocabulary.readings(parsed.sentence.words, 0, ("Wh",))[1] if parsed.sentence.words else ()
    if readings and isinstance(last, Nominal) and last.kind in ("noun", "name"):
        restriction = f"{case.vocabulary.value(readings[0], 'antecedent')} | group"
        if not any(case.vocabulary.suits(r, restriction) for r in last.head):
            yield f"{parsed.sentence.words[0]} ... {parsed.text(last.start, last.end)}"
