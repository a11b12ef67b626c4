"""Drawing one node: the candidates that fit what is already drawn, found once per combination and then looked up.

What is already drawn enters as the classes of the earlier nodes. Each combination of classes (a *key*; its *code* is a
number in mixed radix) has a set of candidates, ordered by leaf. A leaf is drawn by its integer weight (named rule,
features), then a candidate of the leaf uniformly. Cells that draw a node from the same candidates under the same
constraints share these sets.
"""

from __future__ import annotations

from functools import cached_property, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.memo import Memo
from blimpgen.base.number_table import NumberTable
from blimpgen.plan import Constraint, Node
from blimpgen.plan.constraints import bit_words
from blimpgen.plan.nodes import Domain
from blimpgen.plan.plan import Columns
from blimpgen.sampling.bit_sets import BitSets, ClassBits, GrowingArray
from blimpgen.sampling.random import below

__all__ = ["Candidates", "Choice", "SharedCandidates"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
Codes: TypeAlias = NDArray[np.int32] | NDArray[np.int64]

_BLOCK = 1 << 22  # candidates looked at in one go: some megabytes
_DENSE = 1 << 20  # so many codes are looked up in an array, more in a table
_FEW = 1 << 14  # so many codes are counted each; of more, those that occur are sorted
_BATCH = 64  # codes whose candidates are counted in one go


class Candidates:
    """The candidates of a node by key.

    They are kept as bits, since of most keys one candidate is drawn and no more.

    Args:
        domain: those of the node.
        mask: those that remain after looking ahead.
        tables: for each constraint with an earlier node, which candidates go with each class of that node.

    Attributes:
        weights: of each key the weights of the leaves, cumulated, shape (keys, leaves).
        bounds: where the candidates of each leaf begin among those of all keys, and where the last one's end, shape
            (keys, leaves + 1).
        sets: the candidates of each key.
    """

    def __init__(self, domain: Domain, mask: NDArray[np.bool_], tables: list[ClassBits]) -> None:
        self.domain, self.mask, self.tables = domain, mask, tables
        self.size, self.leaves = len(mask), max(len(domain.leaves), 1)
        self.radix: list[int] = [1]
        for table in tables:
            self.radix.append(self.radix[-1] * len(table))
        self.weights = GrowingArray(self.leaves, np.dtype(np.int64))
        self.bounds = GrowingArray(self.leaves + 1, np.dtype(np.int64))
        self.sets = BitSets(self.size, np.append(domain.starts, self.size))
        if not tables:
            self._add(np.zeros(1, dtype=np.int64))

    def keys(self, codes: Codes) -> Codes:
        """Return the number of the key of each code; new ones get their candidates."""
        if self.radix[-1] > _DENSE:
            return self._sparse.of(codes.astype(np.uint64), lambda new: self._add(new.astype(np.int64)))
        keys: NDArray[np.int32] = self._dense[codes]
        if keys.size and keys.min() < 0:
            new = np.array(sorted(set(codes[keys < 0].tolist())), dtype=np.int64)
            self._dense[new] = self._add(new)
            keys = self._dense[codes]
        return keys

    @cached_property
    def _dense(self) -> NDArray[np.int32]:
        return np.full(self.radix[-1], -1, dtype=np.int32)

    @cached_property
    def _sparse(self) -> NumberTable:
        return NumberTable()

    def _add(self, codes: I64) -> NDArray[np.int32]:
        """Find the candidates of new codes; return the numbers of their keys."""
        first = len(self.bounds)
        step = max(_BLOCK // max(self.size, 1), 1)
        for start in range(0, len(codes), step):
            bounds = self.sets.add(self.fitting(codes[start : start + step]))
            self.bounds.append(bounds)
            available = bounds[:, 1:] > bounds[:, :-1]
            self.weights.append(np.array(list(map(self.domain.weights, available))))
        return np.arange(first, len(self.bounds), dtype=np.int32)

    def fitting(self, codes: I64) -> U64:
        """Return which candidates go with each code, as bits, shape (codes, words)."""
        bits: U64 = self._mask_bits[None, :].repeat(len(codes), axis=0)
        for radix, table in zip(self.radix, self.tables, strict=False):
            bits &= table.of(codes // radix % len(table))
        return bits

    @cached_property
    def remaining(self) -> NDArray[np.int32]:
        """Those that remain after looking ahead."""
        return np.flatnonzero(self.mask).astype(np.int32)

    @cached_property
    def _mask_bits(self) -> U64:
        words: U64 = bit_words(np.append(self.mask, False)[None, :])[0]  # the last one stands for "not active"
        return words


class SharedCandidates:
    """What the choices of several cells have in common.

    Attributes:
        tables: by the classes and the table of a constraint.
        candidates: by a domain, a mask, and the tables of the constraints with earlier nodes.
    """

    def __init__(self) -> None:
        self.tables, self.candidates = Memo[ClassBits](), Memo[Candidates]()


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
        self.classes: list[NDArray[np.int32]] = []
        tables = []
        for _, c in earlier:
            _, theirs, mine, allowed = c.between(node)
            self.classes.append(theirs)
            tables.append(shared.tables.once(partial(ClassBits, mine, allowed), mine, c.allowed, key=node is c.b))
        make = partial(Candidates, node.domain, mask, tables)
        self.candidates = shared.candidates.once(make, node.domain, mask, *tables)
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
        bounds = self.candidates.bounds.rows
        if self.candidates.leaves == 1:
            begin, end = bounds[keys].T
        else:
            steps = self.candidates.weights.rows[keys]
            leaf = (steps > below(numbers[0], steps[:, -1])[:, None]).argmax(axis=1)
            begin, end = bounds[keys, leaf], bounds[keys, leaf + 1]
        count = end - begin
        if not len(sets := self.candidates.sets):
            return np.full(numbers.shape[1], -1, dtype=np.int32)
        drawn = sets.members(np.minimum(begin + below(numbers[-1], count), len(sets) - 1))
        drawn[count == 0] = -1
        return drawn

    def _draw_independently(self, numbers: U64) -> NDArray[np.int32]:
        """Draw where nothing that is already drawn matters, so that all rows have the same candidates."""
        weights, bounds = self.candidates.weights.rows[0], self.candidates.bounds.rows[0]
        if not weights[-1]:
            return np.full(numbers.shape[1], -1, dtype=np.int32)
        if self.candidates.leaves == 1:
            leaf = np.zeros(1, dtype=np.int64)
        else:
            leaf = np.searchsorted(weights, below(numbers[0], weights[-1:]), side="right")
        counts = bounds[leaf + 1] - bounds[leaf]
        drawn: NDArray[np.int32] = self.candidates.remaining[bounds[leaf] + below(numbers[-1], counts)]
        return drawn

    def _distinct_codes(self, columns: Columns) -> tuple[I64, NDArray[np.intp], I64]:
        """Return the codes that occur, which of them each row has, and how many rows have each."""
        codes = self._codes(columns) if self.positions else np.zeros(len(columns[0]), dtype=np.int64)
        if self.candidates.radix[-1] > max(_FEW, len(codes)):
            return np.unique(codes.astype(np.int64), return_inverse=True, return_counts=True)
        counts = np.bincount(codes)
        occurring = np.flatnonzero(counts)
        number = np.zeros(len(counts), dtype=np.intp)
        number[occurring] = np.arange(len(occurring))
        return occurring, number[codes], counts[occurring]

    def listed(self, columns: Columns, limit: int | None) -> tuple[I64, I64, NDArray[np.int32]] | None:
        """List the candidates of each row.

        Args:
            columns: the earlier nodes.
            limit: how many candidates all rows together may have; None for any number.

        Returns:
            Where those of each row begin in a list, how many they are, and the list; None if they are too many.
        """
        codes, which, rows = self._distinct_codes(columns)
        order = np.argsort(-rows, kind="stable")
        batches = [order[start : start + _BATCH] for start in range(0, len(order), _BATCH)]
        begins, counts = np.zeros((2, len(codes)), dtype=np.int64)
        total = listed = 0
        for some in batches:
            counts[some] = np.bitwise_count(self.candidates.fitting(codes[some])).sum(axis=1, dtype=np.int64)
            begins[some] = listed + np.cumsum(counts[some]) - counts[some]
            listed += int(counts[some].sum())
            total += int(rows[some] @ counts[some])
            if limit is not None and total > limit:
                return None
        fitting = (self.candidates.fitting(codes[some]).view(np.uint8) for some in batches)
        parts = [np.flatnonzero(np.unpackbits(bits, axis=1)) % (8 * bits.shape[1]) for bits in fitting]
        return begins[which], counts[which], np.concatenate(parts or [order]).astype(np.int32)

    def probability(self, columns: Columns, drawn: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the probability with which each candidate was drawn.

        Args:
            columns: the earlier nodes.
            drawn: the candidates, shape (rows,).
        """
        keys = self._keys(columns)
        cumulative, bounds = self.candidates.weights.rows, self.candidates.bounds.rows
        leaf = self.node.leaf[np.maximum(drawn, 0)]
        weights = np.diff(cumulative[keys], axis=1, prepend=0)
        rows = np.arange(len(keys))
        counts = bounds[keys, leaf + 1] - bounds[keys, leaf]
        return np.asarray(weights[rows, leaf] / np.maximum(cumulative[keys, -1], 1) / np.maximum(counts, 1))
