"""Drawing one node: the candidates that fit what is already drawn, found once per combination and then looked up.

What is already drawn enters as the classes of the earlier nodes. Each combination of classes (a *key*; its *code* is a
number in mixed radix) has a pool of candidates, ordered by leaf. A leaf is drawn by its integer weight (named rule,
features), then a candidate of the leaf uniformly. Cells that draw a node from the same candidates under the same
constraints share these pools.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.memo import Memo
from blimpgen.base.number_table import NumberTable
from blimpgen.plan import Constraint, Node
from blimpgen.plan.constraints import distinct_rows
from blimpgen.plan.nodes import Domain
from blimpgen.plan.plan import Columns
from blimpgen.sampling.random import below

__all__ = ["Candidates", "Choice", "SharedCandidates"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Number = TypeVar("Number", np.int32, np.int64)
Codes: TypeAlias = NDArray[np.int32] | NDArray[np.int64]

_BLOCK = 1 << 22  # candidates looked at in one go: some megabytes
_DENSE = 1 << 20  # so many codes are looked up in an array, more in a table
_BATCH = 64  # codes whose candidates are counted in one go
_SINGLY = 3  # so few codes are faster one by one


class _Pools(NamedTuple):
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
        tables: for each constraint with an earlier node the classes of this one's candidates, and the table, shape
            (classes of the earlier node, classes of this one).
    """

    def __init__(
        self, domain: Domain, mask: NDArray[np.bool_], tables: list[tuple[NDArray[np.int32], NDArray[np.bool_]]]
    ) -> None:
        self.domain, self.mask, self.tables = domain, mask, tables
        self.size, self.leaves = len(mask), max(len(domain.leaves), 1)
        self._bounds = np.append(domain.starts, self.size)  # of the candidates of each leaf
        self.radix: list[int] = [1]
        for _, table in tables:
            self.radix.append(self.radix[-1] * len(table))
        self._pools: _Pools | None = None
        self._key_count = self._pool_size = 0
        self._dense = np.full(self.radix[-1], -1, dtype=np.int32) if self.radix[-1] <= _DENSE else None
        self._sparse = NumberTable() if self._dense is None else None
        self._mask_bits: NDArray[np.uint8] | None = None
        self._bits: dict[int, tuple[NDArray[np.int32], NDArray[np.uint8]]] = {}

    def keys(self, codes: Codes) -> Codes:
        """Return the number of the key of each code; pools of new ones are made."""
        if self._dense is not None:
            keys: NDArray[np.int32] = self._dense[codes]
            if keys.size and keys.min() < 0:
                new = np.array(sorted(set(codes[keys < 0].tolist())), dtype=np.int64)
                self._dense[new] = self._add(new)
                keys = self._dense[codes]
            return keys
        assert self._sparse is not None
        return self._sparse.of(codes.astype(np.uint64), lambda new: self._add(new.astype(np.int64)))

    def pools(self) -> _Pools:
        """Return the pools of all keys so far; without constraints there is one key."""
        if not self.tables and self._pools is None:
            self._add(np.zeros(1, dtype=np.int64))
        assert self._pools is not None
        cumulative, offsets, counts, pool = self._pools
        keys = self._key_count
        return _Pools(cumulative[:keys], offsets[:keys], counts[:keys], pool[: self._pool_size])

    def _add(self, codes: I64) -> NDArray[np.int32]:
        """Make the pools of new codes; return the numbers of their keys."""
        first = self._key_count
        step = 1 if len(codes) <= _SINGLY else max(_BLOCK // max(self.size, 1), 1)
        for start in range(0, len(codes), step):
            some = codes[start : start + step]
            self._append(self._pool(int(some[0])) if len(some) == 1 else self._pools_of(some))
        return np.arange(first, self._key_count, dtype=np.int32)

    def _append(self, part: _Pools) -> None:
        """Append the pools of new keys; there is room for as many again, so that few are moved."""
        if self._pools is None:
            self._pools = part
        else:
            cumulative, offsets, counts, pool = self._pools
            self._pools = _Pools(
                _appended(cumulative, self._key_count, part.cumulative),
                _appended(offsets, self._key_count, part.offsets),
                _appended(counts, self._key_count, part.counts),
                _appended(pool, self._pool_size, part.pool),
            )
        self._key_count += len(part.counts)
        self._pool_size += len(part.pool)

    def _pool(self, code: int) -> _Pools:
        """Make the pool of one code, which is faster without bits."""
        fitting = self.mask
        for k, (classes, table) in enumerate(self.tables):
            fitting = fitting & table[code // self.radix[k] % len(table)][classes[:-1]]
        pool = np.flatnonzero(fitting)
        offsets = np.searchsorted(pool, self._bounds)
        counts = offsets[1:] - offsets[:-1]
        cumulative = self.domain.weights(counts > 0)
        offsets = offsets[:-1] + self._pool_size
        return _Pools(cumulative[None, :], offsets[None, :], counts[None, :], pool.astype(np.int32))

    def _pools_of(self, codes: I64) -> _Pools:
        places = np.flatnonzero(self.fitting(codes))
        begins = self.size * np.arange(len(codes))[:, None]
        offsets = np.searchsorted(places, begins + self._bounds)
        counts = offsets[:, 1:] - offsets[:, :-1]
        pool = places - np.repeat(begins, offsets[:, -1] - offsets[:, 0])
        first, pattern = distinct_rows(counts > 0)
        cumulative = np.stack([self.domain.weights(counts[k] > 0) for k in first])[pattern]
        return _Pools(cumulative, offsets[:, :-1] + self._pool_size, counts, pool.astype(np.int32))

    def fitting(self, codes: I64) -> NDArray[np.bool_]:
        """Return which candidates go with each code, shape (codes, candidates)."""
        if self._mask_bits is None:
            self._mask_bits = np.packbits(self.mask)
        bits = np.broadcast_to(self._mask_bits, (len(codes), len(self._mask_bits)))
        for k, (_, table) in enumerate(self.tables):
            bits = bits & self._bits_of(k, codes // self.radix[k] % len(table), len(self._mask_bits))
        return np.unpackbits(bits, axis=1, count=self.size).view(np.bool_)

    def _bits_of(self, k: int, classes: I64, width: int) -> NDArray[np.uint8]:
        """Return the candidates that go with some classes of an earlier node, as bits; made once for each class."""
        mine, table = self.tables[k]
        if k not in self._bits:
            self._bits[k] = np.full(len(table), -1, dtype=np.int32), np.zeros((0, width), dtype=np.uint8)
        row_of, rows = self._bits[k]
        new = np.flatnonzero(np.bincount(classes[row_of[classes] < 0], minlength=len(table)))
        if len(new):
            row_of[new] = np.arange(len(rows), len(rows) + len(new))
            packed = np.packbits(np.take(table[new], mine[:-1], axis=1), axis=1)
            rows = np.concatenate([rows, packed])
            self._bits[k] = row_of, rows
        return rows[row_of[classes]]


def _appended(values: NDArray[Number], size: int, more: NDArray[Number]) -> NDArray[Number]:
    """Write values behind the first ones of an array, or of a larger copy."""
    if size + len(more) > len(values):
        larger = np.empty((2 * (size + len(more)), *values.shape[1:]), dtype=values.dtype)
        larger[:size] = values[:size]
        values = larger
    values[size : size + len(more)] = more
    return values


SharedCandidates: TypeAlias = Memo[Candidates]
"""Candidates by what they follow from: a domain, a mask, and the arrays of the constraints with earlier nodes."""


class Choice:
    """A node ready to be drawn.

    Args:
        node: the node.
        mask: its candidates after looking ahead.
        earlier: the constraints with an earlier node, each with the position of that one.
        shared: the candidates that cells have in common; those of this node are added.

    Attributes:
        positions: the earlier nodes that it depends on.
        paths: the addresses of its random numbers: one for the leaf, if there are several, and one for the lexeme.
    """

    def __init__(
        self, node: Node, mask: NDArray[np.bool_], earlier: list[tuple[int, Constraint]], shared: SharedCandidates
    ) -> None:
        self.node = node
        self.positions = [position for position, _ in earlier]
        turned = [c.between(node) for _, c in earlier]
        self.classes = [theirs for _, theirs, _, _ in turned]
        tables = [(mine, table) for _, _, mine, table in turned]
        arrays = [array for _, c in earlier for array in (c.classes_a, c.classes_b, c.allowed)]
        make = partial(Candidates, node.domain, mask, tables)
        self.candidates = shared.once(make, node.domain, mask, *arrays, key=tuple(node is c.b for _, c in earlier))
        leaf, lexeme = node.path, f"{node.path}#lexeme"
        self.paths = (leaf, lexeme) if self.candidates.leaves > 1 else (lexeme,)

    def _codes(self, columns: Columns, rows: I64 | None = None) -> Codes:
        """Return the code of what is already drawn in some rows, or in all; there is at least one earlier node."""
        drawn = [columns[p] if rows is None else columns[p][rows] for p in self.positions]
        codes: Codes = self.classes[0][drawn[0]]
        for column, classes, radix in zip(drawn[1:], self.classes[1:], self.candidates.radix[1:], strict=False):
            codes = codes + classes[column] * np.int64(radix)
        return codes

    def _keys(self, columns: Columns) -> Codes:
        """Return the number of the key of each row."""
        if not self.positions:
            return np.zeros(len(columns[0]) if columns else 1, dtype=np.int64)
        return self.candidates.keys(self._codes(columns))

    def draw(self, columns: Columns, numbers: U64, rows: I64 | None = None) -> NDArray[np.int32]:
        """Draw one candidate a row; -1 where nothing fits.

        Args:
            columns: the earlier nodes.
            numbers: 32-bit random numbers, shape (paths, all rows).
            rows: the rows to draw, all by default.
        """
        if rows is not None:
            numbers = numbers[:, rows]
        if not self.positions:
            return self._draw_independently(numbers)
        keys = self.candidates.keys(self._codes(columns, rows))
        cumulative, offsets, counts, pool = self.candidates.pools()
        if not len(pool):
            return np.full(numbers.shape[1], -1, dtype=np.int32)
        if self.candidates.leaves == 1:
            first, count = offsets[keys, 0], counts[keys, 0]
        else:
            steps = cumulative[keys]
            leaf = (steps > below(numbers[0], steps[:, -1])[:, None]).argmax(axis=1)
            first, count = offsets[keys, leaf], counts[keys, leaf]
        drawn: NDArray[np.int32] = pool[np.minimum(first + below(numbers[-1], count), len(pool) - 1)]
        drawn[count == 0] = -1
        return drawn

    def _draw_independently(self, numbers: U64) -> NDArray[np.int32]:
        """Draw where nothing that is already drawn matters, so that all rows draw from one pool."""
        cumulative, offsets, counts, pool = self.candidates.pools()
        if not len(pool):
            return np.full(numbers.shape[1], -1, dtype=np.int32)
        if self.candidates.leaves == 1:
            leaf = np.zeros(1, dtype=np.int64)
        else:
            leaf = np.searchsorted(cumulative[0], below(numbers[0], cumulative[0, -1:]), side="right")
        drawn: NDArray[np.int32] = pool[offsets[0, leaf] + below(numbers[-1], counts[0, leaf])]
        return drawn

    def spans(self, columns: Columns) -> tuple[I64, I64, NDArray[np.int32]]:
        """Return where the candidates of each row begin in a pool, how many they are, and the pool."""
        keys = self._keys(columns)
        if not len(keys):  # no row has this node
            return keys.astype(np.int64), keys.astype(np.int64), keys.astype(np.int32)
        _, offsets, counts, pool = self.candidates.pools()
        return offsets[keys, 0], counts[keys].sum(axis=1), pool

    def exceeds(self, columns: Columns, limit: int) -> bool:
        """Whether the rows together have more candidates than a limit, without making their pools.

        Args:
            columns: the earlier nodes.
            limit: how many candidates there may be.
        """
        if not self.positions:
            return len(columns[0]) * int(self.candidates.mask.sum()) > limit
        codes, rows = np.unique(self._codes(columns), return_counts=True)
        order, total = np.argsort(-rows, kind="stable"), 0
        for start in range(0, len(order), _BATCH):
            some = order[start : start + _BATCH]
            fitting = self.candidates.fitting(codes[some].astype(np.int64))
            total += int(rows[some] @ fitting.sum(axis=1, dtype=np.int64))
            if total > limit:
                return True
        return False

    def probability(self, columns: Columns, drawn: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the probability with which each candidate was drawn.

        Args:
            columns: the earlier nodes.
            drawn: the candidates, shape (rows,).
        """
        keys = self._keys(columns)
        cumulative, _, counts, _ = self.candidates.pools()
        leaf = self.node.leaf[np.maximum(drawn, 0)]
        weights = np.diff(cumulative[keys], axis=1, prepend=0)
        rows = np.arange(len(keys))
        return np.asarray(weights[rows, leaf] / np.maximum(cumulative[keys, -1], 1) / np.maximum(counts[keys, leaf], 1))
