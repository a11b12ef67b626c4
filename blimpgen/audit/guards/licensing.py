"""Guards of raising, polarity items, numerals and ellipsis."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.chunks import Chunk, VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.guard import Objection, Severity, guard
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.scopes import NUMERAL, ONLY, PERMUTED, STRANDED, THERE
from blimpgen.audit.guards.uses import unexcluded
from blimpgen.audit.guards.verbs import stative

_EXPLETIVE = (("there", "to", "be"), ("it", "to", "be"))


def _before_expletive(parsed: Parse) -> VerbGroup | None:
    """The verb before *there to be* or *it to be*."""
    words = parsed.sentence.words
    if "be" not in words:
        return None
    groups = (group for _, group in parsed.groups if group.verbs)
    return next((g for g in groups if words[g.end : g.end + 3] in _EXPLETIVE), None)


def _pivot(parsed: Parse) -> Nominal | None:
    for k, group in parsed.groups:
        chunk = parsed.chunks[k + 1] if parsed.kind(k + 1) == "nominal" else None
        if not group.verbs and parsed.kind(k - 1) == "to" and isinstance(chunk, Nominal):
            return chunk
    return None


@guard("control-verb-expletive", Severity.REMARK, specs="semantics 8 D1", unproved=True, needs="be")
def control_verb_expletive(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence takes an expletive as its object: *ordered there to be*."""
    group = _before_expletive(case.bad)
    if group is not None and case.change.good:
        subject = next((clause.subject for clause in case.bad.clauses if clause.group is group), None)
        yield from unexcluded(case, group, "V.NP.to.or", subject)


@guard("control-verb-raising", Severity.REMARK, THERE, specs="semantics 9", unproved=True)
def control_verb_raising(case: Case) -> Iterator[str]:
    """Nothing excludes that the verb of the bad sentence raises *there*: *There needs to be*."""
    group = next((group for _, group in case.bad.groups if group.verbs), None)
    if group is not None and case.change.good and not _copular(case) and not _same_verbs(case):
        yield from unexcluded(case, group, "V.to.sr")


def _same_verbs(case: Case) -> bool:
    good, bad = ([group.verb for _, group in parsed.groups] for parsed in case.both)
    return good == bad


def _copular(case: Case) -> bool:
    """Whether the predicate before the infinitive is an adjective, which may be a verb as well: *was relieved to*."""
    parsed = case.bad
    return any(
        parsed.kind(k + 1) == "to"
        and (parsed.kind(k) == "adj" or (parsed.kind(k - 1) == "group" and _adjective(case, chunk)))
        for k, chunk in enumerate(parsed.chunks)
    )


def _adjective(case: Case, chunk: Chunk) -> bool:
    return case.bad.end(chunk.start, "A") == chunk.end


@guard("strong-pivot", Severity.DOUBTFUL, specs="semantics 8", needs="be")
def strong_pivot(case: Case) -> Iterator[str]:
    """The noun phrase after *there to be* is definite or universal."""
    pivot = _pivot(case.good) if _before_expletive(case.good) is not None else None
    if pivot is not None and (
        pivot.kind == "name"
        or pivot.possessor is not None
        or case.vocabulary.every(pivot.determiner, "strength", "strong")
    ):
        yield case.good.text(pivot.start, pivot.end)


@guard("negated-weak-pivot", Severity.REMARK, specs="semantics 8 D4", needs="be")
def negated_weak_pivot(case: Case) -> Iterator[str]:
    """The main verb is negated and the noun phrase after *there to be* has *no, few* or *some*."""
    group = _before_expletive(case.good)
    pivot = _pivot(case.good) if group is not None else None
    if (
        pivot is not None
        and group is not None
        and group.negated
        and case.vocabulary.every(pivot.determiner, "q", "no", "few", "some")
    ):
        yield case.good.text(pivot.start, pivot.end)


@guard("only-quantifier", Severity.WRONG, specs="semantics 17 D1; semantics 17 D2", needs="only")
def only_quantifier(case: Case) -> Iterator[str]:
    """*only* stands before a universal or proportional quantifier: *only every guest*."""
    for parsed in case.both:
        for phrase in parsed.chunks if "only" in parsed.folded else ():
            if isinstance(phrase, Nominal) and parsed.sentence.words[phrase.start - 1].lower() == "only":
                forces = {case.vocabulary.value(d, "q") for p in _owners(phrase) for d in p.determiner}
                if forces & {"all", "most", "many"}:
                    clear = parsed is case.good and forces & {"all", "most"}
                    yield Objection(
                        parsed.text(phrase.start - 1, phrase.end), Severity.WRONG if clear else Severity.REMARK
                    )


def _owners(phrase: Nominal) -> Iterator[Nominal]:
    yield phrase
    if phrase.possessor is not None:
        yield from _owners(phrase.possessor)


@guard("polarity-item-without-auxiliary", Severity.REMARK, PERMUTED, specs="semantics 17 D3")
def polarity_item_without_auxiliary(case: Case) -> Iterator[str]:
    """Without an auxiliary before it, the polarity item may belong to the relative clause."""
    for parsed in case.both:
        relative = any(clause.relation == "relative" for clause in parsed.clauses)
        for _, group in parsed.groups if relative else ():
            if _polarity_item(parsed, group) and not group.auxiliary:
                yield parsed.text(group.start, group.end)


def _polarity_item(parsed: Parse, group: VerbGroup) -> bool:
    return any(parsed.readings(k, "NPI") for k in range(group.start, group.end))


@guard("bad-licensed", Severity.WRONG, ONLY, specs="semantics I")
def bad_licensed(case: Case) -> Iterator[str]:
    """Something in the bad sentence licenses its polarity item: a negation, or a negative subject."""
    for clause in case.bad.clauses:
        if _polarity_item(case.bad, clause.group):
            subject = clause.subject
            licensed = subject is not None and case.vocabulary.every(subject.determiner, "npi_s", "yes")
            if clause.group.negated or licensed:
                yield case.bad.text(subject.start if subject else clause.group.start, clause.group.end)


@guard("stative-count", Severity.REMARK, NUMERAL, specs="semantics 22 D4")
def stative_count(case: Case) -> Iterator[str]:
    """A verb of likeness or another stative verb has a counted object: *looks like more than two guests*."""
    yield from (group.verb for _, group in case.good.groups if stative(case, group))


@guard("superlative-modifier", Severity.WRONG, NUMERAL, specs="semantics 22")
def superlative_modifier(case: Case) -> Iterator[Objection]:
    """The contrast is not a superlative modifier in the bad sentence against a comparative one in the good."""
    good, bad = (_superlatives(case, parsed) for parsed in case.both)
    if good or len(bad) != 1:  # with none at all another contrast may be meant: *fewer than, more than*
        severity = Severity.WRONG if good or bad else Severity.REMARK
        yield Objection(f"{good or 'none'} | {bad or 'none'}", severity)


def _superlatives(case: Case, parsed: Parse) -> list[str]:
    words, superlatives = parsed.sentence.words, []
    for k in range(len(words)):
        if case.vocabulary.some(parsed.readings(k, "NumMod"), "sup", "yes"):
            superlatives.append(" ".join(words[k : parsed.end(k, "NumMod")]))
    return superlatives


@guard("stranded-adjective", Severity.REMARK, STRANDED, specs="syntax B25; syntax B26")
def stranded_adjective(case: Case) -> Iterator[str]:
    """The adjective left alone may stand for a noun phrase, or never stands before a noun: *four red, some ill*."""
    words = case.bad.sentence.words
    adjectives = case.bad.readings(len(words) - 1, "A")
    if case.bad.readings(len(words) - 1, "N"):
        return  # "the orange" is a noun phrase as it stands
    if case.vocabulary.some(adjectives, "cls", "colour", "size") or case.vocabulary.every(adjectives, "pos", "pred"):
        yield words[-1]


@guard("stranded-adverb", Severity.DOUBTFUL, STRANDED, specs="syntax B25; syntax B26")
def stranded_adverb(case: Case) -> Iterator[str]:
    """The adjective left alone is an adverb as well: *noticed three fast*."""
    words = case.bad.sentence.words
    adjectives = {case.vocabulary.value(a[0], "lemma") for phrase in case.good.nominals for a in phrase.adjectives}
    if adjectives & set(words[-1:]) and case.bad.readings(len(words) - 1, "Adv"):
        yield words[-1]


@guard("same-adjective", Severity.SECOND, STRANDED, specs="syntax B26")
def same_adjective(case: Case) -> Iterator[str]:
    """Both adjectives of the bad sentence are the same."""
    words = case.bad.sentence.words
    for phrase in case.bad.nominals:
        if any(words[-1] == case.vocabulary.value(a[0], "lemma") for a in phrase.adjectives):
            yield words[-1]
