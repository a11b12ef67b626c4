"""Guards of raising, tough and existential predicates, and of the subjects that they leave in place."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Case, guard, uids
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.tokens import Readings
from blimpgen.audit.guards.verbs import last_group

_TOUGH = uids("tough_vs_raising_*")


def _before_to(case: Case, parsed: Parse) -> Readings:
    """The adjective right before the first *to*."""
    words = parsed.sentence.words
    for k in range(len(words)):
        end, readings = case.vocabulary.readings(words, k, ("A",))
        if readings and words[end : end + 1] == ("to",):
            return readings
    return ()


@guard("adjective-frame", _TOUGH, specs="semantics 11 D2; semantics 12 D3")
def adjective_frame(case: Case) -> Iterator[str]:
    """The adjective of the good sentence does not take such an infinitive: *Rebecca is ready to cure*."""
    required = "A.to.sr" if case.uid == "tough_vs_raising_2" else "A.tough"
    readings = _before_to(case, case.good)
    frames = {frame for r in readings for frame in case.vocabulary.value(r, "frames").split(",")}
    if readings and (required not in frames or "A.to.sc" in frames):
        yield case.vocabulary.value(readings[0], "lemma")


@guard("pronoun-subject", _TOUGH, specs="semantics 11 D1")
def pronoun_subject(case: Case) -> Iterator[str]:
    """The subject is a pronoun or a wh-word: *What wasn't ready to wear.*"""
    first = case.good.chunks[0] if case.good.chunks else None
    if case.good.kind(0) == "wh" or (isinstance(first, Nominal) and first.kind == "pronoun"):
        yield case.good.sentence.words[0]


@guard("infinitive-gap", uids("tough_vs_raising_2"), specs="semantics 12 D1")
def infinitive_gap(case: Case) -> Iterator[str]:
    """The infinitive ends in its verb, so that the subject of the bad sentence may be its object."""
    group = last_group(case.bad)
    if group is not None:
        yield group.verb


@guard("raising-progressive", uids("existential_there_subject_raising"), specs="semantics 9 D3")
def raising_progressive(case: Case) -> Iterator[str]:
    """A raising verb is in the progressive: *There were looking to be guests yawning.*"""
    for k, group in case.good.groups():
        progressive = case.vocabulary.every(group.auxiliary, "kind", "be") and any(r.cell == "ing" for r in group.verbs)
        if progressive and case.good.kind(k + 1) == "to":
            yield case.good.text(group.start, group.end)


@guard(
    "few-under-negation",
    uids("existential_there_quantifiers_*", "existential_there_subject_raising"),
    specs="semantics 9 D3; semantics 20 D1",
)
def few_under_negation(case: Case) -> Iterator[str]:
    """*no* or *few* stands in a clause that is negated: *There aren't few guests*."""
    if any(group.negated for _, group in case.good.groups()):
        for phrase in case.good.nominals():
            if case.vocabulary.every(phrase.determiner, "q", "no", "few"):
                yield case.good.text(phrase.start, phrase.end)


@guard("inanimate-pivot", uids("existential_there_*"), specs="semantics 20; semantics 21")
def inanimate_pivot(case: Case) -> Iterator[str]:
    """What is there is not a person or an animal, and does something all the same."""
    last = next(
        (
            k
            for k, chunk in reversed(list(enumerate(case.good.chunks)))
            if case.good.kind(k) == "group" and case.good.kind(k - 1) in ("nominal", "there")
        ),
        0,
    )
    before = [chunk for chunk in case.good.chunks[:last] if isinstance(chunk, Nominal)]
    pivot = before[-1] if before else None
    if (
        pivot is not None
        and pivot.kind == "noun"
        and not any(case.vocabulary.suits(r, "animate | group") for r in pivot.head)
    ):
        yield case.good.text(pivot.start, pivot.end)


@guard("agent-possible", uids("animate_subject_*"), specs="syntax B1; syntax B2")
def agent_possible(case: Case) -> Iterator[str]:
    """What should be unable to act in the bad sentence is an animal, an organisation, a vehicle, a device or a text."""
    chunks = case.bad.chunks
    phrase = chunks[-1 if case.uid == "animate_subject_passive" else 0] if chunks else None
    if isinstance(phrase, Nominal) and any(
        case.vocabulary.suits(r, "animate | group | vehicle | device | info") for r in phrase.head
    ):
        yield case.bad.text(phrase.start, phrase.end)


@guard("prepositional-passive", uids("animate_subject_passive", "passive_[12]"), specs="syntax B1; syntax B7")
def prepositional_passive(case: Case) -> Iterator[str]:
    """The passive leaves a preposition behind: *Rivers weren't gone to by the guests.*"""
    for _, group in case.good.groups():
        if case.vocabulary.every(group.verbs, "prt_kind", "prep"):
            yield case.good.text(group.start, group.end)


@guard("gerund-number", uids("sentential_subject_island"), specs="syntax B16")
def gerund_number(case: Case) -> Iterator[str]:
    """The auxiliary is plural, but its subject is what somebody does: *Who have the guests' leaving angered?*"""
    words = case.good.sentence.words
    _, readings = case.vocabulary.readings(words, 1, ("Aux",)) if len(words) > 1 else (0, ())
    cells = {r.cell for r in readings}
    if any("_pl" in cell for cell in cells) and not any("_sg" in cell or "past" in cell for cell in cells):
        yield " ".join(words[:2])


@guard("negated-bridge", uids("wh_island"), specs="syntax B17")
def negated_bridge(case: Case) -> Iterator[str]:
    """The verb out of whose clause the wh-word is moved is negated."""
    group = next((group for _, group in case.good.groups()), None)
    if group is not None and group.negated:
        yield case.good.text(group.start, group.end)


@guard("relation-quantified", uids("distractor_agreement_relational_noun"), specs="morphology 14")
def relation_quantified(case: Case) -> Iterator[str]:
    """A relation is one to all or most of some people: *a niece of most senators*."""
    first = next((c for c in case.good.chunks if isinstance(c, Nominal)), None)
    inner = first.complement if first is not None else None
    if first is not None and inner is not None and case.vocabulary.every(inner.determiner, "q", "all", "most"):
        yield case.good.text(first.start, first.end)
