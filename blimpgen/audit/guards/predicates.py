"""Guards of raising, tough and existential predicates, and of the subjects that they leave in place."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Objection, Severity, guard
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.scopes import AGENT, QUESTION, THERE, TOUGH, VERB_AGREEMENT, WH_PRONOUN
from blimpgen.audit.guards.tokens import Readings, number_of_cell
from blimpgen.audit.guards.uses import used
from blimpgen.audit.guards.verbs import fitting, last_group


def _before_to(parsed: Parse) -> Readings:
    """The adjective right before the first *to*."""
    words = parsed.sentence.words
    for k in range(len(words)):
        end = parsed.end(k, "A")
        if end > k and words[end : end + 1] == ("to",):
            return parsed.readings(k, "A")
    return ()


def _frames(case: Case, readings: Readings) -> set[str]:
    return {frame for r in readings for frame in case.vocabulary.value(r, "frames").split(",")}


@guard("adjective-frame", Severity.REMARK, TOUGH, specs="semantics 11 D2; semantics 12 D3")
def adjective_frame(case: Case) -> Iterator[str]:
    """The adjective of the good sentence does not take such an infinitive: *Rebecca is ready to cure*."""
    required = "A.to.sr" if "A.tough" in _frames(case, _before_to(case.bad)) else "A.tough"
    readings = _before_to(case.good)
    frames = _frames(case, readings)
    if readings and (required not in frames or "A.to.sc" in frames):
        yield case.vocabulary.value(readings[0], "lemma")


@guard("pronoun-subject", Severity.REMARK, TOUGH, specs="semantics 11 D1")
def pronoun_subject(case: Case) -> Iterator[str]:
    """The subject is a pronoun or a wh-word: *What wasn't ready to wear.*"""
    first = case.good.chunks[0] if case.good.chunks else None
    if case.good.kind(0) == "wh" or (isinstance(first, Nominal) and first.kind == "pronoun"):
        yield case.good.sentence.words[0]


@guard("infinitive-gap", Severity.REMARK, TOUGH, specs="semantics 12 D1")
def infinitive_gap(case: Case) -> Iterator[str]:
    """The infinitive ends in its verb, so that the subject of the bad sentence may be its object."""
    group = last_group(case.bad)
    if group is not None and "A.tough" in _frames(case, _before_to(case.bad)):
        subject = case.bad.chunks[0] if isinstance(case.bad.chunks[0], Nominal) else None
        severity = used(case, fitting(case, group), "V.NP", None, subject)
        yield Objection(group.verb, Severity.REMARK if severity is None else Severity.DOUBTFUL)


@guard("raising-progressive", Severity.DOUBTFUL, THERE, specs="semantics 9 D3")
def raising_progressive(case: Case) -> Iterator[str]:
    """A raising verb is in the progressive: *There were looking to be guests yawning.*"""
    for k, group in case.good.groups:
        progressive = case.vocabulary.every(group.auxiliary, "kind", "be") and any(r.cell == "ing" for r in group.verbs)
        if progressive and case.good.kind(k + 1) == "to":
            yield case.good.text(group.start, group.end)


@guard("few-under-negation", Severity.REMARK, specs="semantics 9 D3; semantics 20 D1", needs="negated")
def few_under_negation(case: Case) -> Iterator[str]:
    """*no* or *few* stands in a clause that is negated: *There aren't few guests*."""
    parsed = case.good
    for k, group in parsed.groups:
        follows = _next_phrase(parsed, k)
        if group.negated and follows is not None and case.vocabulary.every(follows.determiner, "q", "no", "few"):
            double = case.vocabulary.every(follows.determiner, "q", "no")
            yield Objection(parsed.text(follows.start, follows.end), Severity.DOUBTFUL if double else Severity.REMARK)


def _next_phrase(parsed: Parse, place: int) -> Nominal | None:
    """The first noun phrase behind a verb group, unless another verb is between them."""
    for chunk in parsed.chunks[place + 1 :]:
        if isinstance(chunk, Nominal):
            return chunk
        if isinstance(chunk, VerbGroup) and chunk.verbs:
            return None
    return None


@guard("agent-possible", Severity.REMARK, AGENT, specs="syntax B1; syntax B2")
def agent_possible(case: Case) -> Iterator[str]:
    """What should be unable to act in the bad sentence is an animal, an organisation, a device, or does such things."""
    chunks = case.bad.chunks
    first, last = chunks[0], chunks[-1]
    group = next((group for _, group in case.bad.groups if group.verbs), None)
    changes_first = case.change.start < first.end
    phrase = first if changes_first else last
    if not isinstance(phrase, Nominal) or group is None:
        return
    obj = last if changes_first else first
    frame = "V.NP" if isinstance(obj, Nominal) else "V"
    severity = used(case, fitting(case, group), frame, phrase, obj if isinstance(obj, Nominal) else None)
    if any(case.vocabulary.suits(r, "animate | group") for r in phrase.head):
        severity = Severity.WRONG
    if severity is not None or any(case.vocabulary.suits(r, "vehicle | device | info") for r in phrase.head):
        yield Objection(case.bad.text(phrase.start, phrase.end), severity or Severity.REMARK)


@guard("prepositional-passive", Severity.REMARK, specs="syntax B1; syntax B7", needs="passive")
def prepositional_passive(case: Case) -> Iterator[str]:
    """The passive leaves a preposition behind: *Rivers weren't gone to by the guests.*"""
    for _, group in case.good.groups:
        passive = case.vocabulary.every(group.auxiliary, "kind", "be") and {r.cell for r in group.verbs} & {"part"}
        if passive and case.vocabulary.every(group.verbs, "prt_kind", "prep"):
            like = {case.vocabulary.frame_value(r, "V.P", "comp") for r in group.verbs} == {"like"}
            barred = {case.vocabulary.frame_value(r, "V.P", "passive") for r in group.verbs} == {"no"}
            severity = Severity.WRONG if like else Severity.DOUBTFUL if barred else Severity.REMARK
            yield Objection(case.good.text(group.start, group.end), severity)


def _gerund_owner(case: Case) -> int:
    """The number of the possessive clitic before the gerund that is the subject of a question; 0 if there is none."""
    words = case.good.sentence.words
    for k in range(2, len(words) - 1):
        if words[k] in ("'s", "'") or words[k].endswith("'"):
            return k if any(r.cell == "ing" for r in case.good.readings(k + 1, "V")) else 0
    return 0


@guard("gerund-number", Severity.WRONG, QUESTION, specs="syntax B16")
def gerund_number(case: Case) -> Iterator[str]:
    """The auxiliary is plural, but its subject is what somebody does: *Who have the guests' leaving angered?*"""
    words = case.good.sentence.words
    if frozenset().union(*map(number_of_cell, case.good.readings(1, "Aux"))) == {"Plur"} and _gerund_owner(case):
        yield " ".join(words[:2])


@guard("gerund-owner", Severity.REMARK, QUESTION, specs="syntax B16")
def gerund_owner(case: Case) -> Iterator[str]:
    """What owns the gerund cannot act: *Who has the cups' shocking Regina annoyed?*"""
    end = _gerund_owner(case)
    for start in range(1, end):
        if case.good.end(start, "N", "Name") == end:
            nouns = case.good.readings(start, "N", "Name")
            if not any(case.vocabulary.suits(r, "animate | group") for r in nouns):
                yield case.good.text(start, end + 1)
            return


@guard("negated-bridge", Severity.REMARK, WH_PRONOUN, specs="syntax B17")
def negated_bridge(case: Case) -> Iterator[str]:
    """The verb out of whose clause the wh-word is moved is negated."""
    group = next((group for _, group in case.good.groups), None)
    if group is not None and group.negated:
        yield case.good.text(group.start, group.end)


@guard("relation-quantified", Severity.REMARK, VERB_AGREEMENT, specs="morphology 14")
def relation_quantified(case: Case) -> Iterator[str]:
    """A relation is one to all or most of some people: *a niece of most senators*."""
    first = next((c for c in case.good.chunks if isinstance(c, Nominal)), None)
    inner = first.complement if first is not None else None
    if first is not None and inner is not None and case.vocabulary.every(inner.determiner, "q", "all", "most"):
        yield case.good.text(first.start, first.end)
