"""The errors that a user can cause, all printed as one line.

A message about a file reads ``path:line: what is wrong; what exists, nearest name, what to do``.

    BlimpgenError
    ├── DataError     a file, or a request that the data cannot meet; the program exits with 1
    └── UsageError    wrong arguments; the program exits with 2
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

__all__ = ["BlimpgenError", "DataError", "Place", "UsageError", "in_column", "listing", "nearest"]

_SHOWN = 12


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
    """The best hint for a misspelt name: its nearest neighbour, or a listing of what exists."""
    names = [k for k in known if k]
    folded = {k.lower(): k for k in names}
    match = difflib.get_close_matches(name.lower(), list(folded), n=1, cutoff=0.6)
    if match:
        return f"did you mean {folded[match[0]]!r}? There are: {listing(names)}"
    return f"there are: {listing(names)}" if names else "there are none"


def listing(names: Iterable[str]) -> str:
    """The names, comma-separated, cut after a dozen."""
    items = list(dict.fromkeys(names))
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
