"""Guards of raising, polarity items, numerals and ellipsis."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Case, guard, uids
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.verbs import fitting, stative

_THERE = uids("existential_there_object_raising")
_ONLY = uids("only_npi_scope")
_SCOPE = uids("only_npi_scope", "sentential_negation_npi_scope")
_SUPERLATIVE = uids("superlative_quantifiers_1")
_ELLIPSIS = uids("ellipsis_n_bar_2")


def _before_there(parsed: Parse) -> VerbGroup | None:
    groups = ((k, group) for k, group in parsed.groups() if parsed.kind(k + 1) == "there")
    return next((group for _, group in groups), None)


def _pivot(parsed: Parse) -> Nominal | None:
    for k, group in parsed.groups():
        chunk = parsed.chunks[k + 1] if parsed.kind(k + 1) == "nominal" else None
        if not group.verbs and parsed.kind(k - 1) == "to" and isinstance(chunk, Nominal):
            return chunk
    return None


@guard("control-verb-expletive", _THERE, specs="semantics 8 D1", unproved=True)
def control_verb_expletive(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence takes *there* as its object: *ordered there to be*."""
    group = _before_there(case.bad)
    if group is not None and any(not case.vocabulary.asserts_not(r, "V.NP.to.or") for r in fitting(case, group)):
        yield group.verb


@guard("control-verb-raising", uids("existential_there_subject_raising"), specs="semantics 9", unproved=True)
def control_verb_raising(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence raises *there*: *There needs to be*."""
    groups = (group for _, group in case.bad.groups() if group.verbs)
    group = next(groups, None)
    if (
        group is not None
        and case.bad.kind(0) == "there"
        and any(not case.vocabulary.asserts_not(r, "V.to.sr") for r in fitting(case, group))
        and not _copular(case)
    ):
        yield group.verb


def _copular(case: Case) -> bool:
    """Whether the predicate before the infinitive is an adjective."""
    return any(case.bad.kind(k) == "adj" and case.bad.kind(k + 1) == "to" for k in range(len(case.bad.chunks)))


@guard("strong-pivot", _THERE, specs="semantics 8")
def strong_pivot(case: Case) -> Iterator[str]:
    """The noun phrase after *there to be* is definite or universal."""
    pivot = _pivot(case.good)
    if pivot is not None and (
        pivot.kind == "name"
        or pivot.possessor is not None
        or case.vocabulary.every(pivot.determiner, "strength", "strong")
    ):
        yield case.good.text(pivot.start, pivot.end)


@guard("negated-weak-pivot", _THERE, specs="semantics 8 D4")
def negated_weak_pivot(case: Case) -> Iterator[str]:
    """The main verb is negated and the noun phrase after *there to be* has *no, few* or *some*."""
    pivot, group = _pivot(case.good), _before_there(case.good)
    if (
        pivot is not None
        and group is not None
        and group.negated
        and case.vocabulary.every(pivot.determiner, "q", "no", "few", "some")
    ):
        yield case.good.text(pivot.start, pivot.end)


@guard("only-quantifier", _ONLY, specs="semantics 17 D1; semantics 17 D2")
def only_quantifier(case: Case) -> Iterator[str]:
    """*only* stands before a universal or proportional quantifier: *only every guest*."""
    for parsed in case.both:
        for k, phrase in enumerate(parsed.chunks):
            if (
                isinstance(phrase, Nominal)
                and parsed.kind(k - 1) == "focus"
                and any(case.vocabulary.every(p.determiner, "q", "all", "most", "many") for p in _owners(phrase))
            ):
                yield parsed.text(phrase.start - 1, phrase.end)


def _owners(phrase: Nominal) -> Iterator[Nominal]:
    yield phrase
    if phrase.possessor is not None:
        yield from _owners(phrase.possessor)


@guard("polarity-item-without-auxiliary", _SCOPE, specs="semantics 17 D3")
def polarity_item_without_auxiliary(case: Case) -> Iterator[str]:
    """Without an auxiliary before it, the polarity item may belong to the relative clause."""
    for parsed in case.both:
        for _, group in parsed.groups():
            if _polarity_item(case, parsed, group) and not group.auxiliary:
                yield parsed.text(group.start, group.end)


def _polarity_item(case: Case, parsed: Parse, group: VerbGroup) -> bool:
    return any(case.vocabulary.readings(parsed.sentence.words, k, ("NPI",))[1] for k in range(group.start, group.end))


@guard("bad-licensed", _ONLY, specs="semantics I")
def bad_licensed(case: Case) -> Iterator[str]:
    """Something in the bad sentence licenses its polarity item: a negation, or a negative subject."""
    for clause in case.bad.clauses:
        if _polarity_item(case, case.bad, clause.group):
            subject = clause.subject
            licensed = subject is not None and case.vocabulary.every(subject.determiner, "npi_s", "yes")
            if clause.group.negated or licensed:
                yield case.bad.text(subject.start if subject else clause.group.start, clause.group.end)


@guard("stative-count", _SUPERLATIVE, specs="semantics 22 D4")
def stative_count(case: Case) -> Iterator[str]:
    """A verb of likeness or another stative verb has a counted object: *looks like more than two guests*."""
    yield from (group.verb for _, group in case.good.groups() if stative(case, group))


@guard("superlative-modifier", _SUPERLATIVE, specs="semantics 22")
def superlative_modifier(case: Case) -> Iterator[str]:
    """The contrast is not a superlative modifier in the bad sentence against a comparative one in the good."""
    good, bad = (_superlatives(case, parsed) for parsed in case.both)
    if good or len(bad) != 1:
        yield f"{good or 'none'} | {bad or 'none'}"


def _superlatives(case: Case, parsed: Parse) -> list[str]:
    words, superlatives = parsed.sentence.words, []
    for k in range(len(words)):
        end, readings = case.vocabulary.readings(words, k, ("NumMod",))
        if case.vocabulary.some(readings, "sup", "yes"):
            superlatives.append(" ".join(words[k:end]))
    return superlatives


@guard("stranded-adjective", uids("ellipsis_n_bar_*"), specs="syntax B25; syntax B26")
def stranded_adjective(case: Case) -> Iterator[str]:
    """The adjective left alone may stand for a noun phrase, or never stands before a noun: *four red, some ill*."""
    words = case.bad.sentence.words
    _, adjectives = case.vocabulary.readings(words, len(words) - 1, ("A",)) if words else (0, ())
    if case.vocabulary.some(adjectives, "cls", "colour", "size") or case.vocabulary.every(adjectives, "pos", "pred"):
        yield words[-1]


@guard("same-adjective", _ELLIPSIS, specs="syntax B26")
def same_adjective(case: Case) -> Iterator[str]:
    """Both adjectives of the bad sentence are the same."""
    words = case.bad.sentence.words
    for phrase in case.bad.nominals():
        if any(words[-1] == case.vocabulary.value(a[0], "lemma") for a in phrase.adjectives):
            yield words[-1]
