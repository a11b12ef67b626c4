"""The errors that a user can cause, all printed as one line.

A message about a file reads ``path:line: what is wrong; what exists, nearest name, what to do``.

    BlimpgenError
    ├── DataError     a file, or a request that the data cannot meet; the program exits with 1
    └── UsageError    wrong arguments; the program exits with 2
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = [
    "BlimpgenError",
    "DataError",
    "Place",
    "UsageError",
    "in_column",
    "listing",
    "nearest",
    "printable",
    "respelt",
]

_SHOWN = 12
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""What would move the cursor, colour the screen, turn the direction of writing, or is no character."""


@dataclass(frozen=True)
class Place:
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
    """

    def __init__(self, message: str, place: Place | None = None, code: str = "data") -> None:
        self.message, self.place, self.code = message, place, code
        super().__init__(f"{place}: {message}" if place else message)


@contextmanager
def in_column(name: str, place: Place | None) -> Iterator[None]:
    """What is wrong at a place in a table begins with the name of the column."""
    try:
        yield
    except DataError as error:
        if error.place != place:
            raise
        raise DataError(f"{name}: {error.message}", error.place, error.code) from None


class UsageError(BlimpgenError):
    """Wrong arguments: an unknown name, a missing option, a directory that is in use."""

    exit_code = 2


def nearest(name: str, known: Iterable[str]) -> str:
    """Write the best hint for a misspelt name: the name that is meant, if one is near, and a listing of what exists."""
    names = [k for k in known if k]
    there = f"here are: {listing(names)}" if names else "here are none"
    meant = respelt(name, names)
    return f"did you mean {meant!r}? T{there}" if meant else f"t{there}"


def respelt(name: str, known: Iterable[str]) -> str | None:
    """Find the name that a misspelt or abbreviated one stands for.

    Args:
        name: what was written; capitals do not matter.
        known: the names that exist.

    Returns:
        The most similar one with the same letters in another order, a few edits away, or of which one abbreviates the
        other; None if there is none, because a wild guess misleads.
    """
    folded = {k.lower(): k for k in known}
    matches = difflib.get_close_matches(name.lower(), list(folded), n=3, cutoff=0.6)
    return next((folded[match] for match in matches if _is_near(name.lower(), match)), None)


def _is_near(name: str, other: str) -> bool:
    changes = difflib.SequenceMatcher(None, name, other).get_opcodes()
    edits = sum(max(end - start, stop - begin) for tag, start, end, begin, stop in changes if tag != "equal")
    short, long = sorted((name, other), key=len)
    letters = iter(long)
    abbreviates = short[0] == long[0] and all(letter in letters for letter in short)
    return edits <= 1 + len(name) // 4 or sorted(name) == sorted(other) or abbreviates


def listing(names: Iterable[str]) -> str:
    """The names, comma-separated, cut after a dozen."""
    items = list(dict.fromkeys(names))
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")


def printable(text: str) -> str:
    """Write control characters and line breaks as escapes (``\\x1b``), so that data cannot direct a terminal."""
    return _CONTROL.sub(lambda match: ascii(match[0])[1:-1], text)
