"""Sets of small numbers as bits: most are asked for one member only, so none is written out."""

from __future__ import annotations

from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan.constraints import U64, bit_words

__all__ = ["BitSets", "ClassBits", "GrowingArray"]

Number = TypeVar("Number", np.int64, np.uint64)
_BYTES = np.arange(256, dtype=np.uint8)[:, None]
_MEMBERS = np.argsort(np.unpackbits(_BYTES, axis=1) ^ 1, axis=1, kind="stable").astype(np.uint8)
"""For each byte the places of its bits that are set, in order, before those that are not, shape (256, 8)."""


class GrowingArray(Generic[Number]):
    """Rows to which others are appended; there is room for half as many again, so that few are moved.

    Args:
        width: of a row.
        dtype: of the numbers.
    """

    def __init__(self, width: int, dtype: np.dtype[Number]) -> None:
        self._values: NDArray[Number] = np.zeros((0, width), dtype=dtype)
        self.rows: NDArray[Number] = self._values

    def __len__(self) -> int:
        return len(self.rows)

    def append(self, more: NDArray[Number]) -> None:
        """Append rows, shape (rows, width)."""
        size = len(self.rows)
        if size + len(more) > len(self._values):
            larger = np.empty(((size + len(more)) * 3 // 2, more.shape[1]), dtype=more.dtype)
            larger[:size] = self.rows
            self._values = larger
        self._values[size : size + len(more)] = more
        self.rows = self._values[: size + len(more)]


class ClassBits:
    """The numbers that go with each class, as bits; made once for each class that is asked for.

    Args:
        classes: the class of each number, shape (numbers,).
        table: which class goes with which class of the numbers.
    """

    def __init__(self, classes: NDArray[np.int32], table: NDArray[np.bool_]) -> None:
        self._classes, self._table = classes, table
        self._rows = GrowingArray(-(-len(classes) // 64), np.dtype(np.uint64))
        self._row_of = np.full(len(table), -1, dtype=np.int64)

    def __len__(self) -> int:
        """Return the number of classes."""
        return len(self._table)

    def of(self, classes: NDArray[np.int64]) -> U64:
        """Return the numbers that go with some classes, shape (classes, words)."""
        rows = self._row_of[classes]
        if rows.min(initial=0) < 0:
            new = np.array(sorted(set(classes[rows < 0].tolist())), dtype=np.int64)
            self._row_of[new] = np.arange(len(new)) + len(self._rows)
            self._rows.append(bit_words(np.take(self._table[new], self._classes, axis=1)))
            rows = self._row_of[classes]
        return np.asarray(self._rows.rows[rows])


class BitSets:
    """Sets of numbers; their members have places, those of each set after those of the one before, in order.

    Args:
        size: the numbers are below it.
        bounds: where the numbers are divided, shape (bounds,).
    """

    def __init__(self, size: int, bounds: NDArray[np.int64]) -> None:
        self._words = size // 64 + 1  # at least one bit is no number's, so that the end of a set is in a word
        self._bits = GrowingArray(self._words, np.dtype(np.uint64))
        self._ends = GrowingArray(self._words, np.dtype(np.int64))  # places up to the end of each word
        self._word_of_bound = bounds // 64
        self._onwards = bit_words(np.arange(64) >= (bounds % 64)[:, None])[:, 0]

    def add(self, bits: U64) -> NDArray[np.int64]:
        """Add sets.

        Args:
            bits: their numbers, shape (sets, words).

        Returns:
            The place of the first member from each bound on, shape (sets, bounds).
        """
        ends = np.bitwise_count(bits).cumsum(axis=1, dtype=np.int64)
        totals = ends[:, -1].cumsum()
        ends += (len(self) - ends[:, -1] + totals)[:, None]
        self._bits.append(bits)
        self._ends.append(ends)
        onwards = np.bitwise_count(bits[:, self._word_of_bound] & self._onwards)
        return np.asarray(ends[:, self._word_of_bound] - onwards)

    def __len__(self) -> int:
        """Return the number of all members."""
        return int(self._ends.rows[-1, -1]) if len(self._ends) else 0

    def members(self, places: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the numbers at some places, shape (n,).

        Args:
            places: the places, below the number of all members.
        """
        ends = self._ends.rows.reshape(-1)
        word = ends.searchsorted(places, side="right")
        octets = self._bits.rows.reshape(-1)[word].view(np.uint8)
        counts = np.bitwise_count(octets)
        sums = counts.reshape(-1, 8).cumsum(axis=1, dtype=np.uint8)
        within = sums[:, -1] + places - ends[word]  # of the members in the word, which one
        octet = (sums > within[:, None]).argmax(axis=1)
        at = octet + np.arange(0, len(octets), 8)
        member = _MEMBERS[octets[at], within + counts[at] - sums.reshape(-1)[at]]
        return np.asarray(word % self._words * 64 + octet * 8 + member, dtype=np.int32)
