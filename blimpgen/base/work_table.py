"""The work of a run as a table: each row is something large that a worker holds, with the pieces that it does.

A row is a model with the ranges of sets that it scores, or the filters of a corpus with its blocks. Whoever does the
work, this process, some processes, or the workers of a cluster (`base.engines`), asks the table for pieces and gives it
what comes of each, in any order. What comes of a piece depends on its row and the piece alone, so the same files are
written wherever it is done.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NoReturn, Protocol, TypeAlias, TypeVar, runtime_checkable

from blimpgen.base.errors import BlimpgenError

__all__ = ["QueuedTool", "Row", "Tool", "WorkTable", "one_ahead"]

Piece = TypeVar("Piece")
Answer = TypeVar("Answer")
Begun: TypeAlias = "tuple[Piece, Callable[[], Answer]]"


class Tool(Protocol):
    """What a worker holds of a row, and does its pieces with."""

    @property
    def identity(self) -> Any:
        """What tells it from that of another machine on which the files or versions are others."""

    def __call__(self, part: Any, /) -> Any:
        """Do a piece, given what `WorkTable.part` says of it."""


@runtime_checkable
class QueuedTool(Tool, Protocol):
    """A tool that can do a piece, or a part of its work, while the worker prepares the next one."""

    def begin(self, part: Any, /) -> Callable[[], Any]:
        """Begin to do a piece; what is returned waits for what comes of it."""


def one_ahead(
    pieces: Iterable[Piece], begin: Callable[[Piece], Callable[[], Answer]]
) -> Iterator[Begun[Piece, Answer]]:
    """Begin each piece before the one before it is waited for, so that a device that works by itself has work.

    Args:
        pieces: read as they are begun.
        begin: begins one; what it returns waits for what comes of it.

    Yields:
        Each piece with what waits for it; if it could not be begun, that raises the error.
    """
    before: Begun[Piece, Answer] | None = None
    for piece in pieces:
        last, before = before, (piece, _begun(begin, piece))
        if last:
            yield last
    if before:
        yield before


def _begun(begin: Callable[[Piece], Callable[[], Answer]], piece: Piece) -> Callable[[], Answer]:
    try:
        return begin(piece)
    except BlimpgenError as error:
        return partial(_raise, error)


def _raise(error: BlimpgenError) -> NoReturn:
    raise error


@dataclass(frozen=True)
class Row:
    """A row of a table.

    Attributes:
        name: for messages.
        load: makes its tool where the work is done; it may have to travel there.
    """

    name: str
    load: Callable[[], Tool]


class WorkTable(ABC, Generic[Piece, Answer]):
    """The work of a run, and what is made of the answers.

    Args:
        rows: its rows.
    """

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self._left: list[Iterator[Piece]] = [iter(()) for _ in rows]
        self._lost: list[deque[Piece]] = [deque() for _ in rows]

    @property
    @abstractmethod
    def most_workers(self) -> int:
        """So many workers that another one would find nothing to do in a row, as far as that is known beforehand."""

    @abstractmethod
    def is_open(self, row: int) -> bool:
        """Whether a row is neither finished nor given up."""

    @abstractmethod
    def pieces(self, row: int, identity: Any) -> Iterator[Piece]:
        """What is left to do in a row; read as it is needed.

        Args:
            row: its number.
            identity: what its tool says of itself.
        """

    @abstractmethod
    def part(self, piece: Piece) -> Any:
        """What a tool needs in order to do a piece."""

    @abstractmethod
    def add(self, piece: Piece, answer: Answer) -> None:
        """Take what has come of a piece; of one that is no longer wanted it is dropped.

        Args:
            piece: the piece.
            answer: what has come of it.
        """

    @abstractmethod
    def fail(self, row: int, error: BlimpgenError, piece: Piece | None = None) -> None:
        """Give up a row, and note why.

        Args:
            row: its number.
            error: why.
            piece: the piece that failed, if it is given up for that.
        """

    def is_wanted(self, piece: Piece) -> bool:
        """Whether what hangs on a piece has not been given up."""
        return True

    def begin(self, row: int, identity: Any) -> None:
        """Begin with a row, when its tool has been loaded for the first time.

        Args:
            row: its number.
            identity: what the tool says of itself.
        """
        self._left[row] = self.pieces(row, identity)

    def next(self, row: int) -> Piece | None:
        """Take a piece of a row that nobody has; None if there is none for now."""
        while self.is_open(row):
            piece = self._lost[row].popleft() if self._lost[row] else next(self._left[row], None)
            if piece is None or self.is_wanted(piece):
                return piece
        return None

    def give_back(self, row: int, piece: Piece) -> None:
        """Let somebody else do a piece.

        Args:
            row: its row.
            piece: the piece.
        """
        self._lost[row].appendleft(piece)

    def has_more(self, row: int) -> bool:
        """Whether a row has a piece that nobody has."""
        piece = self.next(row)
        if piece is not None:
            self.give_back(row, piece)
        return piece is not None
