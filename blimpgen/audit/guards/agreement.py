"""Guards of agreement: subject and verb, determiner and noun, wh-word and verb."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.clauses import Clause, Parse, finite_cells, subject_numbers
from blimpgen.audit.guards.families import DETERMINER_AGREEMENT, VERB_AGREEMENT
from blimpgen.audit.guards.guard import Case, all_but, guard, uids
from blimpgen.audit.guards.nominals import Nominal, NominalReader

_CONTRASTS = all_but("field=morphology", *VERB_AGREEMENT, "irregular_*")


def _faults(parsed: Parse) -> Iterator[Clause]:
    for clause in parsed.clauses:
        if clause.subject is not None and not subject_numbers(clause.group) & clause.subject.numbers:
            yield clause


def _sentences(case: Case) -> tuple[Parse, ...]:
    """The sentences in which every verb must agree."""
    return case.both if _CONTRASTS.holds(case.labels) else (case.good,)


def _shown(parsed: Parse, clause: Clause) -> str:
    subject = parsed.text(clause.subject.start, clause.subject.end) if clause.subject else ""
    return f"{subject} + {parsed.text(clause.group.start, clause.group.end)}".strip(" +")


def _in_s(clause: Clause) -> bool:
    return not clause.group.auxiliary and all(r.cell == "pres_sg" for r in finite_cells(clause.group))


@guard("psych-3sg", specs="morphology D1; syntax G1; syntax G13; semantics G2; semantics 17 D4")
def psych_3sg(case: Case) -> Iterator[str]:
    """A present verb in -s has a plural subject."""
    yield from dict.fromkeys(_shown(p, c) for p in _sentences(case) for c in _faults(p) if _in_s(c))


@guard("agreement", specs="morphology 23.1; syntax G1; semantics I")
def agreement(case: Case) -> Iterator[str]:
    """A finite verb or auxiliary does not agree with its subject."""
    yield from dict.fromkeys(_shown(p, c) for p in _sentences(case) for c in _faults(p) if not _in_s(c))


@guard("wh-subject-number", specs="syntax G1; semantics G1; semantics 17 D4; morphology 15")
def wh_subject_number(case: Case) -> Iterator[str]:
    """The verb after the subject *who* or *what* is plural."""
    for parsed in case.both:
        for clause in parsed.clauses:
            if clause.relation == "wh" and "Sing" not in subject_numbers(clause.group):
                yield parsed.text(clause.group.start - 1, clause.group.end)


@guard("determiner-number", specs="morphology 23.2; syntax B26")
def determiner_number(case: Case) -> Iterator[str]:
    """A determiner or numeral does not fit the number of its noun in the good sentence."""
    for phrase in case.good.nominals():
        if not phrase.fits:
            yield case.good.text(phrase.start, phrase.end)


@guard("bad-agrees", uids(*VERB_AGREEMENT), specs="morphology D3; morphology 23.2")
def bad_agrees(case: Case) -> Iterator[str]:
    """Every verb of the bad sentence agrees with its subject in some reading: *This fungus hurt Katherine.*"""
    parsed = case.bad
    comparable = all(c.subject is not None or c.relation == "wh" for c in parsed.clauses) and parsed.certain
    complete = len(parsed.clauses) == len(case.good.clauses) > 0
    if comparable and complete and not any(_faults(parsed)):
        yield case.sentence_bad


@guard("bad-determiner-fits", uids(*DETERMINER_AGREEMENT), specs="morphology D7; morphology 4; morphology 23.2")
def bad_determiner_fits(case: Case) -> Iterator[str]:
    """The demonstrative of the bad sentence fits its noun in some reading: *this media*."""
    phrase = _demonstrative_phrase(case, case.bad)
    if phrase is not None and phrase.fits and phrase.end == len(case.bad.sentence.words):
        yield case.bad.text(phrase.start, phrase.end)


def _demonstrative_phrase(case: Case, parsed: Parse) -> Nominal | None:
    """The last noun phrase with a demonstrative, whatever stands before it."""
    words = parsed.sentence.words
    for k in range(len(words) - 1, -1, -1):
        _, readings = case.vocabulary.readings(words, k, ("D",))
        if case.vocabulary.every(readings, "kind", "dem"):
            return NominalReader(words, case.vocabulary).at(k)
    return None
