"""Random numbers that are addresses: a number depends on row, node and attempt, and on nothing drawn before.

``u(row, node, attempt) = mix(mix(K ^ mix(row + node)) + attempt)`` with the finaliser of splitmix64 on unsigned
64-bit integers; K is the blake2b hash of seed and uid, ``node`` that of the node's path. Indices and weights are
integers throughout, so the numbers are the same on every platform and numpy version.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Stream", "below", "key_of", "mix"]

U64 = NDArray[np.uint64]

_A, _B = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_LOW = np.uint64(0xFFFFFFFF)
_S30, _S27, _S31, _S32 = (np.uint64(s) for s in (30, 27, 31, 32))


def mix(x: U64) -> U64:
    """The finaliser of splitmix64."""
    x = x + _GOLDEN
    x ^= x >> _S30
    x *= _A
    x ^= x >> _S27
    x *= _B
    x ^= x >> _S31
    return x


def key_of(*parts: object) -> np.uint64:
    """A 64-bit key from the text of the parts."""
    text = "\x1f".join(str(part) for part in parts)
    return np.uint64(int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little"))


class Stream:
    """The numbers of one set.

    Args:
        seed: the user's seed.
        uid: the paradigm; no paradigm moves another.
    """

    def __init__(self, seed: int, uid: str) -> None:
        self.seed, self.uid = seed, uid
        self.key = key_of(seed, uid)
        self._nodes: dict[str, np.uint64] = {}

    def node(self, path: str) -> np.uint64:
        """The hash of a node's path."""
        if path not in self._nodes:
            self._nodes[path] = key_of(path)
        return self._nodes[path]

    def draw(self, rows: U64, path: str, attempts: U64) -> U64:
        """One number for each row and attempt, shape as `rows`; the upper 32 bits are used.

        Args:
            rows: row numbers.
            path: the path of the node.
            attempts: attempts, shape as `rows`.
        """
        return mix(mix(self.key ^ mix(rows + self.node(path))) + attempts) >> _S32

    def draws(self, rows: U64, paths: Sequence[str], attempts: U64) -> U64:
        """As `draw` for several nodes and rows of shape (n,), shape (paths, n).

        Args:
            rows: row numbers, shape (n,).
            paths: the paths of the nodes.
            attempts: attempts, shape (n,).
        """
        nodes = np.array([self.node(path) for path in paths], dtype=np.uint64)
        return mix(mix(self.key ^ mix(rows + nodes[:, None])) + attempts) >> _S32

    def permutation(self, path: str, turn: int, size: int) -> NDArray[np.int64]:
        """A permutation of ``range(size)``, a new one for each turn.

        Args:
            path: the path of the node.
            turn: its number.
            size: how many are permuted.
        """
        order: NDArray[np.int64] = self.permutations(path, np.array([turn], dtype=np.int64), size)[0]
        return order

    def permutations(self, path: str, turns: NDArray[np.int64], size: int) -> NDArray[np.int64]:
        """The permutations of some turns, shape (turns, size).

        Args:
            path: the path of the node.
            turns: their numbers.
            size: how many are permuted.
        """
        places = np.arange(size, dtype=np.uint64)
        order = self.draw(np.tile(places, len(turns)), f"{path}#deal", np.repeat(turns.astype(np.uint64), size))
        ordered = np.sort((order.reshape(len(turns), size) << _S32) + places, axis=1)  # faster than a stable argsort
        return (ordered & _LOW).astype(np.int64)


def below(u: U64, bound: NDArray[np.int64]) -> NDArray[np.int64]:
    """An index below each bound, from 32-bit numbers.

    Args:
        u: the numbers.
        bound: the bounds, shape as `u`.
    """
    return (u * bound.astype(np.uint64) >> _S32).view(np.int64)
