"""Guards of agreement: subject and verb, determiner and noun, wh-word and verb."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.clauses import Clause, Parse, finite_cells
from blimpgen.audit.guards.guard import Objection, Severity, guard
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.scopes import BOUND, DEMONSTRATIVE, PARTICIPLE, VERB_AGREEMENT


def _sentences(case: Case) -> tuple[Parse, ...]:
    """The sentences in which every verb must agree: the good one, and the other unless agreement is what it breaks."""
    return (case.good,) if case.holds(VERB_AGREEMENT) or case.holds(PARTICIPLE) else case.both


def _shown(parsed: Parse, clause: Clause) -> str:
    subject = parsed.text(clause.subject.start, clause.subject.end) if clause.subject else ""
    return f"{subject} + {parsed.text(clause.group.start, clause.group.end)}".strip(" +")


def _in_s(clause: Clause) -> bool:
    return not clause.group.auxiliary and all(r.cell == "pres_sg" for r in finite_cells(clause.group))


@guard(
    "psych-3sg",
    Severity.WRONG,
    specs="morphology D1; syntax G1; syntax G13; semantics G2; semantics 17 D4",
    needs="disagrees",
)
def psych_3sg(case: Case) -> Iterator[str]:
    """A present verb in -s has a plural subject."""
    yield from _disagreeing(case, in_s=True)


def _disagreeing(case: Case, *, in_s: bool) -> Iterator[str]:
    """The clauses that do not agree; of the bad sentence alone they are a second fault and leave its label as it is.

    A clause that the good sentence has too, as what is wished there (*insisted that he leave*), is no fault of its own.
    """
    if not case.good.disagreeing and not case.bad.disagreeing:
        return
    good, *bad = _sentences(case)
    shown = dict.fromkeys(_shown(good, clause) for clause in good.disagreeing if _in_s(clause) is in_s)
    yield from shown
    same = {_shown(good, clause) for clause in good.clauses}
    for parsed in bad:
        others = dict.fromkeys(_shown(parsed, clause) for clause in parsed.disagreeing if _in_s(clause) is in_s)
        yield from (Objection(text, Severity.SECOND) for text in others if text not in same)


@guard("agreement", Severity.WRONG, specs="morphology 23.1; syntax G1; semantics I", needs="disagrees")
def agreement(case: Case) -> Iterator[str]:
    """A finite verb or auxiliary does not agree with its subject."""
    yield from _disagreeing(case, in_s=False)


@guard(
    "wh-subject-number", Severity.DOUBTFUL, specs="syntax G1; semantics G1; semantics 17 D4; morphology 15", needs="wh"
)
def wh_subject_number(case: Case) -> Iterator[str]:
    """The verb after the subject *who* or *what* is plural."""
    for parsed in case.both:
        for clause in parsed.clauses if parsed.has("wh") else ():
            if clause.relation == "wh" and "Sing" not in clause.group.numbers:
                severity = Severity.DOUBTFUL if parsed is case.good else Severity.SECOND
                yield Objection(parsed.text(clause.group.start - 1, clause.group.end), severity)


@guard("determiner-number", Severity.WRONG, specs="morphology 23.2; syntax B26", needs="unfit")
def determiner_number(case: Case) -> Iterator[str]:
    """A determiner or numeral does not fit the number of its noun in the good sentence."""
    for phrase in case.good.nominals:
        if not phrase.fits and not case.good.readings(phrase.end - 1, "A"):  # *is much stranger* has no noun
            yield case.good.text(phrase.start, phrase.end)


@guard("bad-agrees", Severity.WRONG, VERB_AGREEMENT, specs="morphology D3; morphology 23.2")
def bad_agrees(case: Case) -> Iterator[str]:
    """Every verb of the bad sentence agrees with its subject in some reading: *This fungus hurt Katherine.*"""
    if case.holds(BOUND):
        return  # *The boy met each other* breaks no agreement of its verb
    parsed = case.bad
    comparable = all(c.subject is not None or c.relation == "wh" for c in parsed.clauses) and parsed.certain
    complete = len(parsed.clauses) == len(case.good.clauses) > 0
    if comparable and complete and not parsed.disagreeing:
        subjects = [clause.subject for clause in parsed.clauses if clause.subject is not None]
        severities = [_severity_of_agreement(case, subject) for subject in subjects]
        yield Objection(case.sentence_bad, max(severities, key=lambda s: s.rank, default=Severity.WRONG))


def _severity_of_agreement(case: Case, phrase: Nominal) -> Severity:
    """How sure it is that a noun has the number of its verb.

    Some speakers give it the other number: *the committee have*, *the media has*. Not so where it names persons: *a
    people* is a nation, which does not blink, and *the alumni is* a slip.
    """
    if not case.vocabulary.some(phrase.head, "number_stable", "no"):
        return Severity.DOUBTFUL if case.vocabulary.some(phrase.head, "agr", "either") else Severity.WRONG
    persons = all(case.vocabulary.suits(reading, "human") for reading in phrase.head)
    return Severity.REMARK if persons else Severity.DOUBTFUL


@guard("bad-determiner-fits", Severity.DOUBTFUL, DEMONSTRATIVE, specs="morphology D7; morphology 4; morphology 23.2")
def bad_determiner_fits(case: Case) -> Iterator[str]:
    """The demonstrative of the bad sentence fits its noun in some reading: *this media*."""
    phrase = _demonstrative_phrase(case, case.bad)
    if phrase is not None and phrase.fits and phrase.end == len(case.bad.sentence.words):
        yield case.bad.text(phrase.start, phrase.end)


def _demonstrative_phrase(case: Case, parsed: Parse) -> Nominal | None:
    """The last noun phrase with a demonstrative, whatever stands before it."""
    for k in range(len(parsed.sentence.words) - 1, -1, -1):
        if case.vocabulary.every(parsed.readings(k, "D"), "kind", "dem"):
            return parsed.phrase_at(k)
    return None
