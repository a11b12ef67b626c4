"""What a guard is: a coded function that reads a pair of sentences and the lexicon, and states what is wrong.

A guard yields what it objects to, in the words of the sentence; nothing means that the pair passes. Its *scope* says
which pairs it is about, by what they contain, and its *severity* what an objection means for whoever uses the label.
Guards never see how a pair was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from blimpgen.audit.guards.case import EVERYWHERE, Case, Scope, needed
from blimpgen.base.codes import entries, find, register

__all__ = ["Guard", "Objection", "Severity", "guard", "guards"]


class Severity(StrEnum):
    """What an objection means, the gravest first."""

    WRONG = "label wrong"
    """The good sentence is not acceptable, or the bad one is, or they do not differ."""
    DOUBTFUL = "label doubtful"
    """So it is on a reading that some speakers have."""
    SECOND = "second difference"
    """The sentences differ in something else beside what is tested."""
    FORM = "form"
    """A field or mark is not as it should be; the sentences are right."""
    REMARK = "remark"
    """The sentences are odd, or nothing proves the label, which says little of sets made without this lexicon."""

    @property
    def rank(self) -> int:
        """0 for the gravest."""
        return [*Severity].index(self)


class Objection(str):
    """What a guard objects to, in the words of the sentence, where its severity is not that of the guard."""

    severity: Severity

    def __new__(cls, text: str, severity: Severity) -> Objection:
        """Make an objection.

        Args:
            text: the words.
            severity: what it means.
        """
        objection = super().__new__(cls, text)
        objection.severity = severity
        return objection


Find: TypeAlias = Callable[[Case], Iterator[str]]


@dataclass(frozen=True)
class Guard:
    """A guard.

    Attributes:
        code: under which it reports.
        message: what is wrong.
        severity: what it means, unless an objection says otherwise.
        scope: which pairs it is about.
        specs: the numbers of the defects in the specifications that it prevents.
        unproved: whether it says only that the lexicon does not assert what would make the bad sentence bad.
        any_language: whether it knows nothing of English.
        needs: one of these marks is in the sentences of every pair in which it finds something.
        find: gives what it objects to in a pair.
    """

    code: str
    message: str
    severity: Severity
    scope: Scope
    specs: tuple[str, ...]
    unproved: bool
    any_language: bool
    needs: int
    find: Find = field(repr=False)


_DECLARED: dict[str, tuple[Severity, Scope, tuple[str, ...], bool, bool, int]] = {}


def guard(
    code: str,
    severity: Severity,
    scope: Scope = EVERYWHERE,
    *,
    specs: str = "",
    unproved: bool = False,
    any_language: bool = False,
    needs: str = "",
) -> Callable[[Find], Find]:
    """Register the decorated function as a guard; its docstring is the message.

    Args:
        code: under which it reports.
        severity: what an objection means.
        scope: which pairs it is about.
        specs: numbers of defects in the specifications, separated by semicolons.
        unproved: whether it fires wherever the lexicon does not assert that the bad sentence is bad.
        any_language: whether it knows nothing of English, so that sets in other languages pass it too.
        needs: names of which the sentences must have one, separated by spaces; without them the guard is not run, which
            saves time. Names are those of categories (Refl), of forms of verbs (part), of kinds of words (prep), of
            single words that ``kinds`` lists; what chunks are (negated, do, lone, misfit, passive, unfit, open); or
            disagrees, clauseless, doubled (a word behind itself), unchanged (the sentences have the same words).
    """

    def add(function: Find) -> Find:
        numbers = tuple(part.strip() for part in specs.split(";") if part.strip())
        _DECLARED[code] = severity, scope, numbers, unproved, any_language, needed(needs)
        return register(code, "guard")(function)

    return add


def guards(codes: tuple[str, ...] | None = None) -> tuple[Guard, ...]:
    """All guards, or those with the given codes.

    Raises:
        UsageError: an unknown code.
    """
    selected = entries("guard") if codes is None else [find(code, "guard") for code in codes]
    return tuple(Guard(e.code, e.message, *_DECLARED[e.code], e.function) for e in selected if e.function is not None)
