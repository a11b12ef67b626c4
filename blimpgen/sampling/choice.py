"""Drawing one node: the candidates that fit what is already drawn, found once per combination and then looked up.

What is already drawn enters as the classes of the earlier nodes. Each combination of classes (a *key*; its *code* is a
number in mixed radix) has a pool of candidates, ordered by leaf. A leaf is drawn by its integer weight (named rule,
features), then a candidate of the leaf uniformly. Cells that draw a node from the same candidates under the same
constraints share these pools.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import accumulate
from operator import mul
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.memo import Memo
from blimpgen.base.number_table import NumberTable
from blimpgen.plan import Constraint, Node
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
_UNKNOWN, _WANTED = -1, -2  # of what is found when it is first asked for


class _Pools(NamedTuple):
    """The candidates of some keys; there is room for more.

    Attributes:
        weights: those of the leaves, cumulated, shape (keys, leaves).
        begins: where in the pool the candidates of each leaf begin, and where those of the last one end, shape
            (keys, leaves + 1).
        pool: the candidates.
    """

    weights: I64
    begins: I64
    pool: NDArray[np.int32]


class Candidates:
    """The candidates of a node by key.

    Args:
        domain: those of the node.
        mask: those that remain after looking ahead.
        partners: those that go with an earlier node, for each constraint with one.
    """

    def __init__(self, domain: Domain, mask: NDArray[np.bool_], partners: list[Partners]) -> None:
        self.domain, self.mask, self.partners = domain, mask, partners
        self.leaves = max(len(domain.leaves), 1)
        self._bounds = np.append(domain.starts, len(mask))  # of the candidates of each leaf
        self._mask = np.packbits(mask)
        self.radix = list(accumulate((len(each.table) for each in partners), mul, initial=1))
        self._size, self._count = 0, 1  # of the pool, and of the keys: the first is that of no code, without candidates
        nothing = np.zeros((1, self.leaves + 1), dtype=np.int64)
        self._pools = _Pools(nothing[:, 1:], nothing, np.zeros(0, dtype=np.int32))
        self._dense = np.zeros(self.radix[-1], dtype=np.int32) if self.radix[-1] <= _DENSE else None
        self._sparse = NumberTable() if self._dense is None else None

    def keys(self, codes: Codes) -> Codes:
        """Return the number of the key of each code; pools of new ones are made."""
        if self._dense is not None:
            keys: NDArray[np.int32] = self._dense.take(codes)
            if not keys.all():
                new = np.array(sorted(set(codes[keys == 0].tolist())), dtype=np.int64)
                self._dense[new] = self._add(new)
                keys = self._dense.take(codes)
            return keys
        assert self._sparse is not None
        return self._sparse.of(codes.astype(np.uint64), lambda new: self._add(new.astype(np.int64)))

    def _add(self, codes: I64) -> NDArray[np.int32]:
        """Make the pools of new codes; return the numbers of their keys."""
        first, step = self._count, max(_BLOCK // (len(self.mask) + 1), 1)
        for start in range(0, len(codes), step):
            fitting = self.fitting(codes[start : start + step])
            places = np.flatnonzero(fitting)
            rows = len(self.mask) * np.arange(len(fitting))[:, None]
            begins = np.searchsorted(places, rows + self._bounds)
            pool = (places - np.repeat(rows, begins[:, -1] - begins[:, 0])).astype(np.int32)
            self._pools = _Pools(
                _appended(self._pools.weights, self._count, self._weights(begins)),
                _appended(self._pools.begins, self._count, begins + self._size),
                _appended(self._pools.pool, self._size, pool),
            )
            self._count, self._size = self._count + len(fitting), self._size + len(pool)
        return np.arange(first, self._count, dtype=np.int32)

    def _weights(self, begins: I64) -> I64:
        """Return the weights of the leaves for some keys, cumulated; a single leaf needs none.

        Args:
            begins: as of these keys alone.
        """
        if self.leaves == 1:
            return np.ones((len(begins), 1), dtype=np.int64)
        return np.array([self.domain.weights(available) for available in begins[:, 1:] > begins[:, :-1]])

    def fitting(self, codes: I64) -> NDArray[np.bool_]:
        """Return which candidates go with each code, shape (codes, candidates)."""
        bits = np.broadcast_to(self._mask, (len(codes), len(self._mask)))
        for partners, radix in zip(self.partners, self.radix, strict=False):
            bits = bits & partners.of(codes // radix % len(partners.table))
        return np.unpackbits(bits, axis=1, count=len(self.mask)).view(np.bool_)

    def draw(self, keys: Codes, numbers: U64) -> NDArray[np.int32]:
        """Draw a candidate of each key; -1 where it has none.

        Args:
            keys: numbers of keys, shape (n,).
            numbers: 32-bit random numbers for the leaf, if there are several, and for the candidate, shape (1 or 2, n).
        """
        weights, begins, pool = self._pools
        if not self._size:
            return np.full(len(keys), -1, dtype=np.int32)
        begin = keys * np.int64(self.leaves + 1)
        if self.leaves > 1:
            steps = weights.take(keys, axis=0)
            begin += (steps > below(numbers[0], steps[:, -1])[:, None]).argmax(axis=1)
        first = begins.take(begin)
        count = begins.take(begin + 1) - first
        drawn: NDArray[np.int32] = pool.take(np.minimum(first + below(numbers[-1], count), self._size - 1))
        drawn[count == 0] = -1
        return drawn

    def listed(self, keys: Codes) -> tuple[I64, I64, NDArray[np.int32]]:
        """Return where the candidates of each key begin in the pool, how many they are, and the pool."""
        begins = self._pools.begins[keys, 0]
        return begins, self._pools.begins[keys, -1] - begins, self._pools.pool

    def probability(self, keys: Codes, drawn: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the probability with which each candidate was drawn.

        Args:
            keys: the key of each, shape (n,).
            drawn: the candidates, shape (n,).
        """
        leaf = self.domain.leaf[np.maximum(drawn, 0)]
        counts = self._pools.begins[keys, leaf + 1] - self._pools.begins[keys, leaf]
        cumulative = self._pools.weights[keys]
        weights = np.diff(cumulative, axis=1, prepend=0)[np.arange(len(keys)), leaf]
        return np.asarray(weights / np.maximum(cumulative[:, -1], 1) / np.maximum(counts, 1))


class Partners:
    """Which candidates of a node go with each class of an earlier one, as bits; found when they are first asked for.

    Args:
        classes: the class of each candidate, and that of "not active".
        table: which classes go together, shape (classes of the earlier node, classes of this one).
    """

    def __init__(self, classes: NDArray[np.int32], table: NDArray[np.bool_]) -> None:
        self.table, self._classes = table, classes[:-1].astype(np.intp)
        self._row = np.full(len(table), _UNKNOWN, dtype=np.int32)
        self._rows = np.zeros((0, -(-len(self._classes) // 8)), dtype=np.uint8)

    def of(self, classes: I64) -> NDArray[np.uint8]:
        """Return the candidates that go with some classes of the earlier node, shape (classes, bytes)."""
        rows = self._row[classes]
        if rows.min() == _UNKNOWN:
            self._row[classes[rows == _UNKNOWN]] = _WANTED
            new = np.flatnonzero(self._row == _WANTED)
            self._row[new] = np.arange(len(self._rows), len(self._rows) + len(new))
            fitting = np.packbits(np.take(self.table[new], self._classes, axis=1), axis=1)
            self._rows = np.concatenate([self._rows, fitting])
            rows = self._row[classes]
        return self._rows.take(rows, axis=0)


def _appended(values: NDArray[Number], size: int, more: NDArray[Number]) -> NDArray[Number]:
    """Write values behind the first ones of an array, or of a larger copy."""
    if size + len(more) > len(values):
        larger = np.empty((2 * (size + len(more)), *values.shape[1:]), dtype=values.dtype)
        larger[:size] = values[:size]
        values = larger
    values[size : size + len(more)] = more
    return values


class SharedCandidates:
    """The candidates that cells have in common, by what they follow from: domain, mask, and arrays of constraints."""

    def __init__(self) -> None:
        self._candidates, self._partners = Memo[Candidates](), Memo[Partners]()

    def of(self, node: Node, mask: NDArray[np.bool_], constraints: Sequence[Constraint]) -> Candidates:
        """Return the candidates of a node.

        Args:
            node: the node.
            mask: those that remain after looking ahead.
            constraints: those with earlier nodes.
        """
        partners = [self._partners_of(node, c) for c in constraints]
        return self._candidates.once(partial(Candidates, node.domain, mask, partners), node.domain, mask, *partners)

    def _partners_of(self, node: Node, c: Constraint) -> Partners:
        _, _, classes, table = c.between(node)
        make = partial(Partners, classes, table)
        return self._partners.once(make, c.classes_a, c.classes_b, c.allowed, key=node is c.b)


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
        self.classes = [c.between(node)[1] for _, c in earlier]
        self.candidates = shared.of(node, mask, [c for _, c in earlier])
        leaf, lexeme = node.path, f"{node.path}#lexeme"
        self.paths = (leaf, lexeme) if self.candidates.leaves > 1 else (lexeme,)

    def _codes(self, columns: Columns, rows: I64 | None = None) -> Codes:
        """Return the code of what is already drawn in some rows, or in all; there is at least one earlier node."""
        drawn = [columns[p] if rows is None else columns[p].take(rows) for p in self.positions]
        codes: Codes = self.classes[0].take(drawn[0])
        for column, classes, radix in zip(drawn[1:], self.classes[1:], self.candidates.radix[1:], strict=False):
            codes = codes + classes.take(column) * np.int64(radix)
        return codes

    def _keys(self, columns: Columns, count: int, rows: I64 | None = None) -> Codes:
        """Return the number of the key of each of so many rows."""
        return self.candidates.keys(self._codes(columns, rows) if self.positions else np.zeros(count, dtype=np.int64))

    def draw(self, columns: Columns, numbers: U64, rows: I64 | None = None) -> NDArray[np.int32]:
        """Draw one candidate a row; -1 where nothing fits.

        Args:
            columns: the earlier nodes.
            numbers: 32-bit random numbers, shape (paths, all rows).
            rows: the rows to draw, all by default.
        """
        if rows is not None:
            numbers = numbers.take(rows, axis=1)
        return self.candidates.draw(self._keys(columns, numbers.shape[1], rows), numbers)

    def spans(self, columns: Columns) -> tuple[I64, I64, NDArray[np.int32]]:
        """Return where the candidates of each row begin in a list, how many they are, and the list."""
        return self.candidates.listed(self._keys(columns, len(columns[0])))

    def exceeds(self, columns: Columns, limit: int) -> bool:
        """Whether the rows together have more candidates than a limit, without keeping what is found.

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
        return self.candidates.probability(self._keys(columns, len(drawn)), drawn)
