"""Drawing one node: candidates by what is already drawn, found once per combination and then looked up.

What is drawn already enters as the classes of the earlier nodes. Each combination of classes (a *key*) has a list
of candidates by leaf; leaves are drawn by their integer weights (named rule, own features), then a candidate of
the leaf uniformly. Cells that draw a node from the same candidates under the same constraints share these lists.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan import Constraint, Node
from blimpgen.plan.constraints import distinct_rows
from blimpgen.plan.nodes import Domain
from blimpgen.sampling.random import below

__all__ = ["Candidates", "Choice", "Shared"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int32] | NDArray[np.int64]
_BLOCK = 1 << 22  # candidates looked at in one go: some megabytes
_DENSE = 1 << 20  # keys that are looked up in an array
_SINGLY = 3  # so few codes are faster one by one
_FEW = 64


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


class Candidates:
    """The candidates of a node by key.

    Args:
        domain: those of the node.
        mask: those that remain after looking ahead.
        tables: for each constraint with an earlier node the own classes, and the table by [class of the earlier, own].
    """

    def __init__(
        self, domain: Domain, mask: NDArray[np.bool_], tables: list[tuple[NDArray[np.int32], NDArray[np.bool_]]]
    ) -> None:
        self.domain, self.mask, self.tables = domain, mask, tables
        self.size, self.width = len(mask), max(len(domain.leaves), 1)
        self.radix: list[int] = [1]
        for _, table in tables:
            self.radix.append(self.radix[-1] * len(table))
        self._index: dict[int, int] = {}
        self._found: list[_Found] = []
        self._keys = self._used = 0
        self._joined: tuple[int, _Found] | None = None
        self._base: NDArray[np.uint8] | None = None
        self._packed: dict[int, tuple[NDArray[np.int32], NDArray[np.uint8]]] = {}
        self._dense = np.full(self.radix[-1], -1, dtype=np.int32) if self.radix[-1] <= _DENSE else None

    def keys(self, codes: Codes) -> Codes:
        """The number of the key of each code; new ones are found."""
        if self._dense is not None:
            found: NDArray[np.int32] = self._dense[codes]
            if found.size and found.min() < 0:
                missing = np.array(sorted(set(codes[found < 0].tolist())), dtype=np.int64)
                self._dense[missing] = self._add(missing)
                found = self._dense[codes]
            return found
        values, inverse = np.unique(codes, return_inverse=True)
        missing = np.array([v for v in values.tolist() if v not in self._index], dtype=np.int64)
        if len(missing):
            self._index.update(zip(missing.tolist(), self._add(missing).tolist(), strict=True))
        numbers: I64 = np.array([self._index[v] for v in values.tolist()], dtype=np.int64)[inverse.reshape(-1)]
        return numbers

    def found(self) -> _Found:
        """What is found so far, as one."""
        if not self.tables and not self._keys:
            self._add(np.zeros(1, dtype=np.int64))
        if self._joined is None or self._joined[0] != self._keys:
            if len(self._found) > 1:
                self._found = [_Found(*(np.concatenate(parts) for parts in zip(*self._found, strict=True)))]
            self._joined = self._keys, self._found[0]
        return self._joined[1]

    def _add(self, codes: I64) -> I64:
        """Find the candidates of some new codes; the numbers of their keys."""
        first, step = self._keys, 1 if len(codes) <= _SINGLY else max(_BLOCK // max(self.size, 1), 1)
        for start in range(0, len(codes), step):
            part = codes[start : start + step]
            self._found.append(self._of_one(int(part[0])) if len(part) == 1 else self._of_several(part))
            self._keys += len(part)
            self._used += len(self._found[-1].pool)
        return np.arange(first, self._keys)

    def _of_one(self, code: int) -> _Found:
        pool = np.flatnonzero(self._fitting_one(code))
        counts = np.bincount(self.domain.leaf[pool], minlength=self.width)
        offsets = np.cumsum(counts) - counts + self._used
        cumulative = self.domain.weights(counts > 0)
        return _Found(cumulative[None, :], offsets[None, :], counts[None, :], pool.astype(np.int32))

    def _of_several(self, codes: I64) -> _Found:
        fitting = self.fitting(codes)
        which = np.repeat(np.arange(len(codes)), fitting.sum(axis=1))
        pool = np.flatnonzero(fitting) - which * self.size
        cells = which * self.width + self.domain.leaf[pool]
        counts = np.bincount(cells, minlength=len(codes) * self.width).reshape(-1, self.width)
        offsets = np.cumsum(counts).reshape(counts.shape) - counts + self._used
        first, pattern = distinct_rows(counts > 0)
        cumulative = np.stack([self.domain.weights(counts[k] > 0) for k in first])[pattern]
        return _Found(cumulative, offsets, counts, pool.astype(np.int32))

    def _fitting_one(self, code: int) -> NDArray[np.bool_]:
        fitting = self.mask
        for k, (own, table) in enumerate(self.tables):
            fitting = fitting & table[code // self.radix[k] % len(table)][own[:-1]]
        return fitting

    def fitting(self, codes: I64) -> NDArray[np.bool_]:
        """Which candidates go with each code, shape (codes, candidates)."""
        if self._base is None:
            self._base = np.packbits(self.mask)
        bits = np.broadcast_to(self._base, (len(codes), len(self._base)))
        for k, (_, table) in enumerate(self.tables):
            bits = bits & self._bits_of(k, codes // self.radix[k] % len(table), self._base)
        return np.unpackbits(bits, axis=1, count=self.size).view(np.bool_)

    def _bits_of(self, k: int, classes: I64, base: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The candidates that go with some classes of an earlier node, as bits; made once for each class."""
        own, table = self.tables[k]
        if k not in self._packed:
            self._packed[k] = np.full(len(table), -1, dtype=np.int32), np.zeros((0, len(base)), dtype=np.uint8)
        at, rows = self._packed[k]
        new = np.flatnonzero(np.bincount(classes[at[classes] < 0], minlength=len(table)))
        if len(new):
            at[new] = np.arange(len(rows), len(rows) + len(new))
            packed = np.packbits(np.take(table[new], own[:-1], axis=1), axis=1)
            rows = np.concatenate([rows, packed])
            self._packed[k] = at, rows
        return rows[at[classes]]


Shared: TypeAlias = dict[tuple[int, ...], Candidates]
"""Candidates by the identity of what they follow from, which they keep alive."""


class Choice:
    """A node ready to be drawn.

    Args:
        node: the node.
        mask: its candidates after looking ahead.
        earlier: the constraints with an earlier node, each with the position of that one.
        shared: the candidates that cells have in common; those of this node are added.

    Attributes:
        key: cells for which it is the same draw this node alike, if they have the same nodes before it.
    """

    def __init__(
        self, node: Node, mask: NDArray[np.bool_], earlier: list[tuple[int, Constraint]], shared: Shared
    ) -> None:
        self.node = node
        self.positions, self.classes, tables = [], [], []
        key = [id(node.domain), id(mask)]
        for position, c in earlier:
            _, theirs, own, table = c.between(node)
            self.positions.append(position)
            self.classes.append(theirs)
            tables.append((own, table))
            key += [id(own), id(c.allowed), node is c.b]
        if tuple(key) not in shared:
            shared[tuple(key)] = Candidates(node.domain, mask, tables)
        self.all = shared[tuple(key)]
        above = () if node.parent is None else (id(node.active), id(node.parent.domain))
        self.key = (id(self.all), *self.positions, *map(id, self.classes), *above)

    def _codes(self, columns: list[NDArray[np.int32]], where: I64 | None = None) -> Codes:
        """The code of what is drawn already in some rows; there is some."""
        taken = [columns[p] if where is None else columns[p][where] for p in self.positions]
        codes: Codes = self.classes[0][taken[0]]
        for drawn, theirs, radix in zip(taken[1:], self.classes[1:], self.all.radix[1:], strict=False):
            codes = codes + theirs[drawn] * np.int64(radix)
        return codes

    def _keys(self, columns: list[NDArray[np.int32]]) -> Codes:
        """The number of the key of each row."""
        if not self.positions:
            return np.zeros(len(columns[0]) if columns else 1, dtype=np.int64)
        return self.all.keys(self._codes(columns))

    @property
    def paths(self) -> list[str]:
        """Where the random numbers of a draw stand: one for the leaf, if there are several, one for the lexeme."""
        lexeme = f"{self.node.path}#lexeme"
        return [self.node.path, lexeme] if self.all.width > 1 else [lexeme]

    def draw(self, columns: list[NDArray[np.int32]], numbers: U64, where: I64 | None = None) -> NDArray[np.int32]:
        """One candidate a row; -1 where nothing fits.

        Args:
            columns: the earlier nodes.
            numbers: 32-bit random numbers, shape (paths, rows).
            where: the rows that are wanted, if not all.
        """
        if where is not None:
            numbers = numbers[:, where]
        if not self.positions:
            return self._drawn_alike(numbers)
        keys = self.all.keys(self._codes(columns, where))
        cumulative, offsets, counts, pool = self.all.found()
        if not len(pool):
            return np.full(numbers.shape[1], -1, dtype=np.int32)
        if self.all.width == 1:
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

    def _drawn_alike(self, numbers: U64) -> NDArray[np.int32]:
        """Where nothing that is drawn already matters: all rows draw from the same candidates."""
        cumulative, offsets, counts, pool = self.all.found()
        if not len(pool):
            return np.full(numbers.shape[1], -1, dtype=np.int32)
        if self.all.width == 1:
            leaf = np.zeros(1, dtype=np.int64)
        else:
            leaf = np.searchsorted(cumulative[0], below(numbers[0], cumulative[0, -1:]), side="right")
        drawn: NDArray[np.int32] = pool[offsets[0, leaf] + below(numbers[-1], counts[0, leaf])]
        return drawn

    def candidates(self, columns: list[NDArray[np.int32]]) -> tuple[I64, I64, NDArray[np.int32]]:
        """For enumeration: per row the start and number of its candidates in a pool (all leaves, in order)."""
        keys = self._keys(columns)
        if not len(keys):  # no row has this node
            return keys.astype(np.int64), keys.astype(np.int64), keys.astype(np.int32)
        _, offsets, counts, pool = self.all.found()
        return offsets[keys, 0], counts[keys].sum(axis=1), pool

    def exceeds(self, columns: list[NDArray[np.int32]], limit: int) -> bool:
        """Whether the rows together have more candidates than that, without keeping any."""
        if not self.positions:
            return len(columns[0]) * int(self.all.mask.sum()) > limit
        codes, rows = np.unique(self._codes(columns), return_counts=True)
        order, total = np.argsort(-rows, kind="stable"), 0
        for start in range(0, len(order), _FEW):
            few = order[start : start + _FEW]
            total += int(rows[few] @ self.all.fitting(codes[few].astype(np.int64)).sum(axis=1, dtype=np.int64))
            if total > limit:
                return True
        return False

    def probability(self, columns: list[NDArray[np.int32]], drawn: NDArray[np.int32]) -> NDArray[np.float64]:
        """The probability with which each drawn candidate was drawn, for Knuth's estimate."""
        keys = self._keys(columns)
        cumulative, _, counts, _ = self.all.found()
        leaf = self.node.leaf[np.maximum(drawn, 0)]
        weights = np.diff(cumulative[keys], axis=1, prepend=0)
        rows = np.arange(len(keys))
        return np.asarray(weights[rows, leaf] / np.maximum(cumulative[keys, -1], 1) / np.maximum(counts[keys, leaf], 1))
