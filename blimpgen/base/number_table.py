"""A table of numbers in which many are looked up at once, as no dictionary allows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

__all__ = ["NumberTable"]

_FREE = np.uint64(0xFFFFFFFFFFFFFFFF)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_SMALLEST = 1 << 10
_SLOTS = 4  # at least so many for each key


class NumberTable:
    """What belongs to each of some keys, found out once: a hash table with linear probing."""

    def __init__(self) -> None:
        self._count = 0
        self._make_room(_SMALLEST)

    def of(
        self, keys: NDArray[np.uint64], find: Callable[[NDArray[np.uint64]], NDArray[np.int32]]
    ) -> NDArray[np.int32]:
        """Look up what belongs to each key, shape (n,).

        Args:
            keys: numbers below 2 ** 64 - 1, shape (n,).
            find: finds it out for new keys, given in ascending order; the same in every call.
        """
        slots = self._home(keys)
        found = self._keys[slots]
        left = np.flatnonzero((found != keys) & (found != _FREE))
        while len(left):
            slots[left] = self._next(slots[left])
            found[left] = self._keys[slots[left]]
            left = left[(found[left] != keys[left]) & (found[left] != _FREE)]
        values = self._values[slots]
        if len(missing := np.flatnonzero(found == _FREE)):
            new, which = np.unique(keys[missing], return_inverse=True)
            more = find(new)
            self._add(new, more)
            values[missing] = more[which]
        return values

    def _home(self, keys: NDArray[np.uint64]) -> NDArray[np.intp]:
        """The first slot in which each key may stand."""
        return (keys * _SPREAD >> self._shift).astype(np.intp)

    def _next(self, slots: NDArray[np.intp]) -> NDArray[np.intp]:
        return slots + 1 & len(self._keys) - 1

    def _add(self, keys: NDArray[np.uint64], values: NDArray[np.int32]) -> None:
        """Add keys that are not there."""
        self._count += len(keys)
        if _SLOTS * self._count > len(self._keys):
            there = self._keys != _FREE
            keys, values = np.concatenate((self._keys[there], keys)), np.concatenate((self._values[there], values))
            self._make_room(1 << (2 * _SLOTS * self._count).bit_length())
        slots = self._home(keys)
        while len(keys):
            free = self._keys[slots] == _FREE
            self._keys[slots[free]] = keys[free]  # of several keys for one slot the last has it
            has = self._keys[slots] == keys
            self._values[slots[has]] = values[has]
            keys, values, slots = keys[~has], values[~has], self._next(slots[~has])

    def _make_room(self, size: int) -> None:
        """Begin an empty table; its size is a power of two."""
        self._shift = np.uint64(65 - size.bit_length())
        self._keys = np.full(size, _FREE, dtype=np.uint64)
        self._values = np.zeros(size, dtype=np.int32)
