"""The errors that a user can cause, all printed as one line.

A message about a file reads ``path:line: what is wrong; what exists, nearest name, what to do``.

    BlimpgenError
    ├── DataError     a file, or a request that the data cannot meet; the program exits with 1
    └── UsageError    wrong arguments; the program exits with 2
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

__all__ = [
    "BlimpgenError",
    "DataError",
    "Place",
    "UsageError",
    "caught",
    "first_line",
    "in_column",
    "listing",
    "missing_values",
    "nearest",
    "printable",
    "printable_json",
    "refuse",
    "respelt",
]

_SHOWN = 12
_MANY = 60
_SHORT = 5  # with two letters changed, a word of five is another word: crime, cringe
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What would move the cursor, colour the screen, turn the direction of writing, or is no character."""


class Place(NamedTuple):
    """A position in a data file: the path, and the line counted from 1 (0: the file as a whole)."""

    path: Path | str
    line: int = 0

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" if self.line else f"{self.path}"


class BlimpgenError(Exception):
    """Base of all errors that blimpgen raises for a user's mistake."""

    exit_code = 1

    def __str__(self) -> str:
        """Write the message on one line, whatever the data that it quotes contain."""
        return printable(super().__str__())


class DataError(BlimpgenError):
    """A data file, or a request that the data cannot meet.

    Args:
        message: what is wrong and what to do, without the position.
        place: where it stands, if it stands in a file.
        code: the code under which `blimpgen check` reports it.

    Attributes:
        others: what else is wrong in the same table, which `blimpgen check` reports too.
    """

    def __init__(self, message: str, place: Place | None = None, code: str = "data") -> None:
        self.message, self.place, self.code = message, place, code
        self.others: tuple[DataError, ...] = ()
        super().__init__(f"{place}: {message}" if place else message)


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says, or else its class."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".:") if lines else type(error).__name__


def refuse(errors: Iterable[DataError]) -> None:
    """Raise the first of some errors, in the order of the lines of their file; it carries the others."""
    collected = sorted(errors, key=lambda error: error.place.line if error.place else 0)
    if collected:
        collected[0].others = tuple(collected[1:])
        raise collected[0]


@contextmanager
def caught(errors: list[DataError], place: Place | None) -> Iterator[None]:
    """Put an error of one place into a list, so that the next one is looked for too; see `refuse`.

    Args:
        errors: the list.
        place: the place; errors of other places are left as they are.
    """
    try:
        yield
    except DataError as error:
        if error.place != place:
            raise
        errors.append(error)


@contextmanager
def in_column(name: str, place: Place | None) -> Iterator[None]:
    """What is wrong at a place in a table begins with the name of the column.

    Args:
        name: the column.
        place: where the cell stands; errors of other places are left as they are.
    """
    try:
        yield
    except DataError as error:
        if error.place != place:
            raise
        raise DataError(f"{name}: {error.message}", error.place, error.code) from None


class UsageError(BlimpgenError):
    """Wrong arguments: an unknown name, a missing option, a directory that is in use."""

    exit_code = 2


def nearest(name: str, existing: Iterable[str]) -> str:
    """Write the best hint for a misspelt name: the name that is meant, if one is near, and a listing of what exists.

    Args:
        name: what was written.
        existing: the names that exist.
    """
    names = [k for k in existing if k]
    if len(names) > _MANY:  # a dozen of a thousand lemmas says something only if they are like it
        names.sort(key=lambda other: -_likeness(name.lower(), other.lower()))
    there = f"here are: {listing(names)}" if names else "here are none"
    meant = respelt(name, names)
    return f"did you mean {meant!r}? T{there}" if meant else f"t{there}"


def missing_values(
    whose: str,
    name: str,
    values: Sequence[str],
    existing: Iterable[str],
    elsewhere: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Write that some values of a feature do not exist, all in one message, each with the one that is meant.

    Args:
        whose: who has none of them: a category, or *word*.
        name: the feature or column.
        values: the values, at least one.
        existing: the values that exist.
        elsewhere: what some values are instead; the others may be misspelt.
    """
    names = list(existing)
    if len(values) == 1:
        return f"no {whose} has {name}={values[0]}; {elsewhere.get(values[0]) or nearest(values[0], names)}"
    meant = {value: respelt(value, names) for value in values}
    hints = {value: f"did you mean {word!r}?" for value, word in meant.items() if word} | dict(elsewhere)
    shown = ", ".join(f"{value} ({hints[value]})" if value in hints else value for value in values)
    return f"no {whose} has any of these {len(values)} values of {name}: {shown}"


def respelt(name: str, existing: Iterable[str]) -> str | None:
    """Find the name that a misspelt or abbreviated one stands for.

    Args:
        name: what was written; capitals do not matter.
        existing: the names that exist.

    Returns:
        The most similar one with the same letters in another order, a few edits away, or of which one abbreviates the
        other; None if there is none, because a wild guess misleads.
    """
    folded = {k.lower(): k for k in existing}
    matches = difflib.get_close_matches(name.lower(), list(folded), n=3, cutoff=0.6)
    return next((folded[match] for match in matches if _is_near(name.lower(), match)), None)


def _likeness(name: str, other: str) -> int:
    """With how many of the same letters two names begin, or their numbers: those of VerbNet's classes (eat-39.1)."""
    numbers = (each.rpartition("-")[2] for each in (name, other))
    return max(_shared_letters(name, other), _shared_letters(*numbers))


def _shared_letters(name: str, other: str) -> int:
    """With how many of the same letters two names begin."""
    return next((k for k, (a, b) in enumerate(zip(name, other, strict=False)) if a != b), min(len(name), len(other)))


def _is_near(name: str, other: str) -> bool:
    changes = difflib.SequenceMatcher(None, name, other).get_opcodes()
    edits = sum(max(end - start, stop - begin) for tag, start, end, begin, stop in changes if tag != "equal")
    short, long = sorted((name, other), key=len)
    letters = iter(long)
    abbreviates = short[0] == long[0] and all(letter in letters for letter in short)
    few = 1 if len(name) <= _SHORT else 1 + len(name) // 4
    return edits <= few or sorted(name) == sorted(other) or abbreviates


def listing(names: Iterable[str], most: int = _SHOWN) -> str:
    """Write names, comma-separated.

    Args:
        names: the names; each is written once.
        most: how many are written before a count of the others.
    """
    items = list(dict.fromkeys(names))
    rest = len(items) - most
    return ", ".join(items[:most]) + (f" and {rest} more" if rest > 0 else "")


def printable_json(text: str) -> str:
    """Write control characters of a text in JSON as escapes that JSON has; its line breaks stay."""
    return _CONTROL.sub(lambda match: match[0] if match[0] == "\n" else f"\\u{ord(match[0]):04x}", text)


def printable(text: str) -> str:
    """Write control characters and line breaks as escapes (``\\x1b``), so that data cannot direct a terminal."""
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)
