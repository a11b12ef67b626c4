"""Sets of 64-bit keys that grow by blocks and take eight bytes a key."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["KeySet"]

U64 = NDArray[np.uint64]


class KeySet:
    """The hashes of sentences, as sorted runs of which each is more than twice as long as the next.

    This is a log-structured merge: a key is moved once for each doubling of the set, and is looked up in a number of
    runs that grows with the logarithm of its size. While two runs are merged, both the old and the new ones are held.
    """

    def __init__(self) -> None:
        self.runs: list[U64] = []

    def add(self, keys: U64) -> None:
        """Add keys, shape (n,)."""
        if not len(keys):
            return
        run = np.sort(keys)
        while self.runs and len(self.runs[-1]) <= 2 * len(run):
            run = np.concatenate((self.runs.pop(), run))
            run.sort(kind="stable")  # merges two runs in one pass
        self.runs.append(run)

    def contains(self, keys: U64) -> NDArray[np.bool_]:
        """Find out which keys are in the set, shape as `keys`."""
        contained = np.zeros(len(keys), dtype=bool)
        for run in self.runs:
            contained |= run[np.minimum(np.searchsorted(run, keys), len(run) - 1)] == keys
        return contained

    def common(self, other: KeySet) -> U64:
        """Return the keys that another set has too, shape (n,)."""
        return np.concatenate([run[other.contains(run)] for run in self.runs] or [np.zeros(0, dtype=np.uint64)])
