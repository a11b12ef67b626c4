"""Drawing one node: candidates by what is already drawn, found once per combination and then looked up.

What is drawn already enters as the classes of the earlier nodes. Each combination of classes (a *key*) has a list
of candidates by leaf; leaves are drawn by their integer weights (named rule, own features), then a candidate of
the leaf uniformly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan import Node
from blimpgen.plan.constraints import distinct_rows
from blimpgen.sampling.random import below

__all__ = ["Choice"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
_BLOCK = 1 << 22  # candidates looked at in one go: some megabytes
_FEW = 64
_FIRST = np.zeros(1, dtype=np.int64)


class _Found(NamedTuple):
    """The candidates of some keys.

    Attributes:
        cumulative: weights of the leaves, cumulated, shape (keys, leaves).
        offsets: where in the pool the candidates of each leaf begin, shape (keys, leaves).
        counts: how many each leaf has, shape (keys, leaves).
        pool: the candidates.
    """

    cumulative: I64
    offsets: I64
    counts: I64
    pool: NDArray[np.int32]


class Choice:
    """A node ready to be drawn.

    Args:
        node: the node.
        mask: its candidates after looking ahead.
        earlier: for each constraint with an earlier node: its position, its classes, the own classes, the table.
    """

    def __init__(
        self,
        node: Node,
        mask: NDArray[np.bool_],
        earlier: list[tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]],
    ) -> None:
        self.node, self.mask, self.earlier = node, mask, earlier
        self._width = max(len(node.leaves), 1)
        self._radix = np.cumprod([1, *(table.shape[0] for _, _, _, table in earlier)])
        self._base = np.packbits(mask)
        self._index: dict[int, int] = {}
        self._found: list[_Found] = []
        self._keys = self._size = 0
        self._joined: tuple[int, _Found] | None = None
        self._packed: dict[int, tuple[NDArray[np.int32], NDArray[np.uint8]]] = {}
        self._dense = np.full(int(self._radix[-1]), -1, dtype=np.int32) if self._radix[-1] <= 1 << 20 else None

    def _codes(self, columns: list[NDArray[np.int32]]) -> I64:
        """The key of each row."""
        code = np.zeros(len(columns[0]) if columns else 1, dtype=np.int64)
        for k, (position, theirs, _, _) in enumerate(self.earlier):
            code += theirs[columns[position]].astype(np.int64) * self._radix[k]
        return code

    def keys(self, columns: list[NDArray[np.int32]]) -> I64:
        """The number of the key of each row."""
        code = self._codes(columns)
        if self._dense is not None:
            found = self._dense[code]
            if (new := found < 0).any():
                missing = np.unique(code[new])
                self._dense[missing] = self._add(missing)
                found = self._dense[code]
            return found.astype(np.int64)
        values, inverse = np.unique(code, return_inverse=True)
        missing = np.array([v for v in values.tolist() if v not in self._index], dtype=np.int64)
        if len(missing):
            self._index.update(zip(missing.tolist(), self._add(missing).tolist(), strict=True))
        return np.array([self._index[v] for v in values.tolist()], dtype=np.int64)[inverse.reshape(-1)]

    def _add(self, codes: I64) -> I64:
        """Find the candidates of some new keys; the numbers of the keys."""
        first, step = self._keys, max(_BLOCK // max(self.node.size, 1), 1)
        for start in range(0, len(codes), step):
            self._find(codes[start : start + step])
        return np.arange(first, self._keys)

    def _find(self, codes: I64) -> None:
        fitting, size = self._fitting(codes), self.node.size
        which = np.repeat(np.arange(len(codes)), fitting.sum(axis=1))
        pool = np.flatnonzero(fitting) - which * size
        cells = which * self._width + self.node.leaf[pool]
        counts = np.bincount(cells, minlength=len(codes) * self._width).reshape(-1, self._width)
        offsets = np.cumsum(counts).reshape(counts.shape) - counts + self._size
        first, pattern = distinct_rows(counts > 0) if len(codes) > 1 else (_FIRST, _FIRST)
        cumulative = np.stack([self.node.domain.weights(counts[k] > 0) for k in first])[pattern]
        self._found.append(_Found(cumulative, offsets, counts, pool.astype(np.int32)))
        self._keys += len(codes)
        self._size += len(pool)

    def _fitting(self, codes: I64) -> NDArray[np.bool_]:
        """Which candidates go with each key, shape (keys, candidates)."""
        bits = np.broadcast_to(self._base, (len(codes), len(self._base)))
        for k, (_, _, own, table) in enumerate(self.earlier):
            classes = codes // self._radix[k] % table.shape[0]
            bits = bits & self._bits_of(k, classes, own, table)
        return np.unpackbits(bits, axis=1, count=self.node.size).view(np.bool_)

    def _bits_of(
        self, k: int, classes: I64, own: NDArray[np.int32], table: NDArray[np.bool_]
    ) -> NDArray[np.uint8]:
        """The candidates that go with some classes of an earlier node, as bits; made once for each class."""
        if k not in self._packed:
            self._packed[k] = np.full(len(table), -1, dtype=np.int32), np.zeros((0, len(self._base)), dtype=np.uint8)
        at, rows = self._packed[k]
        new = np.flatnonzero(np.bincount(classes[at[classes] < 0], minlength=len(table)))
        if len(new):
            at[new] = np.arange(len(rows), len(rows) + len(new))
            packed = np.packbits(np.take(table[new], own[:-1], axis=1), axis=1)
            rows = np.concatenate([rows, packed])
            self._packed[k] = at, rows
        return rows[at[classes]]

    def _all(self) -> _Found:
        """What is found so far, as one."""
        if self._joined is None or self._joined[0] != self._keys:
            self._found = [_Found(*(np.concatenate(parts) for parts in zip(*self._found, strict=True)))]
            self._joined = self._keys, self._found[0]
        return self._joined[1]

    @property
    def paths(self) -> list[str]:
        """Where the random numbers of a draw stand: one for the leaf, if there are several, one for the lexeme."""
        lexeme = f"{self.node.path}#lexeme"
        return [self.node.path, lexeme] if self._width > 1 else [lexeme]

    def draw(self, columns: list[NDArray[np.int32]], numbers: U64) -> NDArray[np.int32]:
        """One candidate a row; -1 where nothing fits.

        Args:
            columns: the earlier nodes.
            numbers: 32-bit random numbers, shape (paths, rows).
        """
        keys = self.keys(columns)
        cumulative, offsets, counts, pool = self._all()
        if not len(pool):
            return np.full(numbers.shape[1], -1, dtype=np.int32)
        if self._width == 1:
            first, count = offsets[keys, 0], counts[keys, 0]
        else:
            steps = cumulative[keys]
            total = steps[:, -1]
            leaf = (steps <= below(numbers[0], total)[:, None]).sum(axis=1)
            leaf[total == 0] = 0
            first, count = offsets[keys, leaf], counts[keys, leaf]
        result: NDArray[np.int32] = pool[np.minimum(first + below(numbers[-1], count), len(pool) - 1)]
        result[count == 0] = -1
        return result

    def candidates(self, columns: list[NDArray[np.int32]]) -> tuple[I64, I64, NDArray[np.int32]]:
        """For enumeration: per row the start and number of its candidates in a pool (all leaves, in order)."""
        keys = self.keys(columns)
        if not self._keys:  # no row has this node
            return keys, keys, keys.astype(np.int32)
        _, offsets, counts, pool = self._all()
        return offsets[keys, 0], counts[keys].sum(axis=1), pool

    def exceeds(self, columns: list[NDArray[np.int32]], limit: int) -> bool:
        """Whether the rows together have more candidates than that, without keeping any."""
        codes, rows = np.unique(self._codes(columns), return_counts=True)
        order, total = np.argsort(-rows, kind="stable"), 0
        for start in range(0, len(order), _FEW):
            few = order[start : start + _FEW]
            total += int(rows[few] @ self._fitting(codes[few]).sum(axis=1, dtype=np.int64))
            if total > limit:
                return True
        return False

    def probability(self, columns: list[NDArray[np.int32]], drawn: NDArray[np.int32]) -> NDArray[np.float64]:
        """The probability with which each drawn candidate was drawn, for Knuth's estimate."""
        keys = self.keys(columns)
        cumulative, _, counts, _ = self._all()
        leaf = self.node.leaf[np.maximum(drawn, 0)]
        weights = np.diff(cumulative[keys], axis=1, prepend=0)
        rows = np.arange(len(keys))
        return np.asarray(weights[rows, leaf] / np.maximum(cumulative[keys, -1], 1) / np.maximum(counts[keys, leaf], 1))
