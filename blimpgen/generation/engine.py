"""The engine: from a paradigm to exactly n records, each the first acceptable attempt of its row.

Rows are drawn in blocks; a row whose good sentence already belongs to a lower row moves on to its next acceptable
attempt. That gives the same result as going through the rows one by one, whatever the block size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.base.records import Record
from blimpgen.generation.compiled import MAX_ATTEMPTS, CompiledCell, CompiledParadigm, exhausted
from blimpgen.generation.records import Assembly
from blimpgen.realize import Columns
from blimpgen.realize.filters import check_budgets
from blimpgen.sampling import Draw, Stream
from blimpgen.sampling.enumerate import enumerate_all

__all__ = ["Result", "assignment", "enumerated", "enumerated_rows", "plain_rows", "records", "settled_cells", "texts"]

BLOCK = 4096
SMALL_BLOCK = 512  # what is only read and written stays in the processor's cache
MEAN_ATTEMPTS = 8


@dataclass
class Result:
    """What a run did: rows done, attempts made, refusals by reason."""

    rows: int = 0
    attempts: int = 0
    refusals: Counter[str] = field(default_factory=Counter)

    @property
    def acceptance(self) -> float:
        """Share of attempts that became rows."""
        return self.rows / self.attempts if self.attempts else 1.0


def records(
    compiled: CompiledParadigm,
    n: int,
    seed: int,
    rows: range | None = None,
    *,
    block: int = BLOCK,
    result: Result | None = None,
    style: str | None = None,
) -> Iterator[Record]:
    """Generate records.

    Args:
        compiled: the compiled paradigm.
        n: how many rows the set has.
        seed: the seed.
        rows: which of the n rows to realise; all by default.
        block: rows drawn at once; no choice of it changes a byte.
        result: filled with counts.
        style: "blimp" adds a capital and a period to plain text, "plain" leaves them out.

    Raises:
        DataError: n above the capacity; a row that stays unsettled; a good sentence that is another row's bad one.
    """
    assembly = Assembly(compiled, style)
    for chosen, settled in _settled(compiled, n, seed, rows, block, result):
        yield from assembly.in_order(assembly.cell_records, chosen, settled)


def plain_rows(
    compiled: CompiledParadigm, n: int, seed: int, *, result: Result | None = None, style: str | None = None
) -> Iterator[list[dict[str, Any]]]:
    """What `records` gives as dictionaries, a block at a time, for writing: see there."""
    assembly = Assembly(compiled, style)
    for chosen, settled in _settled(compiled, n, seed, None, BLOCK, result):
        yield assembly.in_order(assembly.cell_rows, chosen, settled)


def _settled(
    compiled: CompiledParadigm, n: int, seed: int, rows: range | None, block: int, result: Result | None
) -> Iterator[tuple[NDArray[np.int64], list[tuple[NDArray[np.int64], Columns]]]]:
    """Settled blocks, each with the rows of it that are wanted; the whole set is checked before the last is given."""
    wanted = rows if rows is not None else range(n)
    if wanted.start < 0 or wanted.stop > n or wanted.step != 1:
        raise DataError(f"rows {wanted.start} to {wanted.stop} are not among the {n} rows")
    compiled.check_size(n)
    run = _Run(compiled, seed, result if result is not None else Result())
    for start in range(0, wanted.stop, block):
        numbers = np.arange(start, min(start + block, wanted.stop), dtype=np.int64)
        settled = run.settle(numbers)
        if start + block >= wanted.stop:
            run.check_labels()
            check_budgets(
                compiled.cells[0].budgets, run.result.refusals, run.result.attempts, compiled.paradigm.place("filters")
            )
        chosen = numbers[numbers >= wanted.start]
        if len(chosen):
            yield chosen, settled


def settled_cells(
    compiled: CompiledParadigm, n: int, seed: int
) -> list[tuple[CompiledCell, NDArray[np.int64], Columns]]:
    """The assignments of the first n rows: for each cell its row numbers and columns."""
    compiled.check_size(n)
    settled = _Run(compiled, seed, Result()).settle(np.arange(n, dtype=np.int64))
    return [(cell, rows, columns) for cell, (rows, columns) in zip(compiled.cells, settled, strict=True)]


def assignment(compiled: CompiledParadigm, row: int, seed: int) -> tuple[int, Columns]:
    """The assignment of one row: the number of its cell, and the columns with a single entry each.

    Args:
        compiled: the compiled paradigm.
        row: the number of the row; of an enumerated paradigm, in the order of the enumeration.
        seed: the seed of the set.

    Raises:
        DataError: there is no such row.
    """
    if compiled.paradigm.model.enumerate == "yes":
        size = 0
        for number, rows, columns in _enumerated(compiled):
            size = int(rows[-1]) + 1
            if row < size:
                return number, [c[[row - int(rows[0])]] for c in columns]
        raise DataError(
            f"{compiled.paradigm.uid} has {size:,} rows, from 0; there is no row {row}",
            compiled.paradigm.place(),
            "capacity",
        )
    found = settled_cells(compiled, row + 1, seed)
    number = row % len(found)
    _, rows, columns = found[number]
    return number, [c[rows == row] for c in columns]


def enumerated(compiled: CompiledParadigm, style: str | None = None) -> Iterator[Record]:
    """All records of a paradigm in order: factors outermost, then slots in file order, the last fastest.

    Args:
        compiled: the compiled paradigm.
        style: "blimp" adds a capital and a period to plain text, "plain" leaves them out.
    """
    assembly = Assembly(compiled, style)
    for number, rows, columns in _enumerated(compiled):
        yield from assembly.cell_records(number, rows, columns)


def enumerated_rows(compiled: CompiledParadigm, style: str | None = None) -> Iterator[list[dict[str, Any]]]:
    """What `enumerated` gives as dictionaries, a block at a time, for writing: see there."""
    assembly = Assembly(compiled, style)
    for number, rows, columns in _enumerated(compiled):
        yield assembly.cell_rows(number, rows, columns)


def texts(compiled: CompiledParadigm, style: str | None = None) -> Iterator[list[tuple[str, ...]]]:
    """Only the sentences of what `enumerated` gives, a block at a time, in the order of the paradigm: see there."""
    assembly = Assembly(compiled, style)
    for number, _, columns in _enumerated(compiled):
        yield assembly.cell_texts(number, columns)


def _enumerated(compiled: CompiledParadigm) -> Iterator[tuple[int, NDArray[np.int64], Columns]]:
    """All assignments in blocks: number of the cell, row numbers, columns."""
    start = 0
    for number, cell in enumerate(compiled.cells):
        columns = enumerate_all(cell.sampler)
        size = len(columns[0])
        for begin in range(0, size, SMALL_BLOCK):
            rows = np.arange(begin, min(begin + SMALL_BLOCK, size), dtype=np.int64)
            yield number, rows + start, [c[rows] for c in columns]
        start += size


class _Run:
    """The state of one run: which row owns which good sentence."""

    def __init__(self, compiled: CompiledParadigm, seed: int, result: Result) -> None:
        self.compiled, self.result = compiled, result
        self.stream = Stream(seed, compiled.paradigm.uid)
        self.owners: dict[int, int] = {}
        self.good: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self.bad: list[tuple[NDArray[np.uint64], NDArray[np.int64]]] = []
        self.begun = 0
        self.unique = compiled.paradigm.model.unique == "on"

    def settle(self, numbers: NDArray[np.int64]) -> list[tuple[NDArray[np.int64], Columns]]:
        """Settle a block of rows: for each cell its row numbers and their columns."""
        cells = self.compiled.cells
        self.begun += len(numbers)
        blocks = [_Block(self, k, cell, numbers[numbers % len(cells) == k]) for k, cell in enumerate(cells)]
        self._draw([(block, np.arange(len(block.rows))) for block in blocks if len(block.rows)])
        if self.unique:
            self._deduplicate(blocks)
        self._remember(blocks)
        self.result.rows += len(numbers)
        return [(block.rows, block.columns) for block in blocks]

    def _draw(self, wanted: Sequence[tuple[_Block, NDArray[np.int64]]]) -> None:
        """Draw rows of some blocks, given by their places, from their next attempt on, until each is acceptable."""
        pending = wanted
        while pending:
            asked = [(block.number, block.rows[index], block.attempts[index]) for block, index in pending]
            draws = self.compiled.draw(self.stream, asked)
            left = [(block, block.take(index, draw)) for (block, index), draw in zip(pending, draws, strict=True)]
            pending = [(block, index) for block, index in left if len(index)]
        for block, index in wanted:
            block.find_keys(index)

    def _deduplicate(self, blocks: Sequence[_Block]) -> None:
        """Deferred acceptance: a sentence belongs to the lowest row that proposes it."""
        rows = np.concatenate([b.rows for b in blocks])
        if self._all_new(blocks, rows):
            return
        home = np.concatenate([np.full(len(b.rows), k) for k, b in enumerate(blocks)])
        index = np.concatenate([np.arange(len(b.rows)) for b in blocks])
        proposals = np.concatenate([b.keys for b in blocks])
        order = np.argsort(rows, kind="stable")
        agenda = order.tolist()
        held: dict[int, int] = {}
        while agenda:
            losers = []
            for k in agenda:
                key = int(proposals[k])
                if key in self.owners:
                    losers.append(k)
                elif (rival := held.get(key)) is None:
                    held[key] = k
                elif rows[rival] > rows[k]:
                    held[key] = k
                    losers.append(rival)
                else:
                    losers.append(k)
            self.result.refusals["a good sentence that another row has"] += len(losers)
            lost = np.array(losers, dtype=np.int64)
            again = [(block, mine) for n, block in enumerate(blocks) if len(mine := lost[home[lost] == n])]
            for block, mine in again:
                block.next_attempt(index[mine])
            self._draw([(block, index[mine]) for block, mine in again])
            for block, mine in again:
                proposals[mine] = block.keys[index[mine]]
            agenda = losers
        self.owners.update((key, int(rows[k])) for key, k in held.items())

    def _all_new(self, blocks: Sequence[_Block], rows: NDArray[np.int64]) -> bool:
        """Whether no sentence is proposed twice or has an owner; then each belongs to its row."""
        keys = np.concatenate([b.keys for b in blocks]).tolist()
        owners = dict(zip(keys, rows.tolist(), strict=True))
        new = len(owners) == len(keys) and self.owners.keys().isdisjoint(owners)
        if new:
            self.owners.update(owners)
        return new

    def _remember(self, blocks: Sequence[_Block]) -> None:
        for block in blocks:
            if len(block.rows):
                bad = block.bad_keys()
                self.good.append((block.keys, block.rows))
                self.bad.append((bad, np.resize(block.rows, len(bad))))

    def check_labels(self) -> None:
        """No good sentence may be a bad one as well.

        Raises:
            DataError: with how many are, and both rows of the first.
        """
        if not self.good or not self.unique:
            return
        good, bad = ([np.concatenate(part) for part in zip(*found, strict=True)] for found in (self.good, self.bad))
        clash = np.flatnonzero(np.isin(good[0], bad[0]))
        if len(clash):
            row, other = good[1][clash[0]], bad[1][np.flatnonzero(bad[0] == good[0][clash[0]])[0]]
            raise DataError(
                f"{self.compiled.paradigm.uid}: {len(clash)} good sentences are bad ones too (first: the good "
                f"one of row {row} is the bad one of row {other}); the contrast labels the same sentence "
                "both ways",
                self.compiled.paradigm.place(),
                "wrong-label",
            )


class _Block:
    """The rows of one cell within a block."""

    def __init__(self, run: _Run, number: int, cell: CompiledCell, rows: NDArray[np.int64]) -> None:
        self.run, self.number, self.cell, self.rows = run, number, cell, rows
        self.attempts = np.zeros(len(rows), dtype=np.int64)
        self.columns: Columns = []
        self.keys = np.zeros(len(rows), dtype=np.uint64)

    def take(self, index: NDArray[np.int64], draw: Draw) -> NDArray[np.int64]:
        """Take what was drawn for the rows at these places; those that must be drawn again."""
        result = self.run.result
        result.attempts += len(index)
        result.refusals.update(draw.refusals)
        self._keep(index[draw.ok], draw.take(draw.ok))
        left = index[~draw.ok]
        self.next_attempt(left)
        return left

    def next_attempt(self, index: NDArray[np.int64]) -> None:
        """Let the rows at these places go on to their next attempt."""
        self.attempts[index] += 1
        self._check(index)

    def find_keys(self, index: NDArray[np.int64]) -> None:
        """Find the keys of the rows at these places."""
        columns = self.columns if len(index) == len(self.rows) else [c[index] for c in self.columns]
        self.keys[index] = self.cell.key(self.cell.sentences[0], columns)

    def _keep(self, where: NDArray[np.int64], columns: Columns) -> None:
        if len(where) == len(self.rows):
            self.columns = columns
            return
        # A new list: sentences of the old one may be known.
        self.columns = self.columns[:] or [np.full(len(self.rows), -1, dtype=np.int32) for _ in columns]
        for mine, new in zip(self.columns, columns, strict=True):
            mine[where] = new

    def _check(self, pending: NDArray[np.int64]) -> None:
        result = self.run.result
        limit = MAX_ATTEMPTS if self.cell.enumerated is None else max(MAX_ATTEMPTS, len(self.cell.enumerated[0]))
        hopeless = len(pending) and int(self.attempts[pending].max()) >= limit
        wasteful = result.attempts > 1000 and result.attempts > MEAN_ATTEMPTS * self.run.begun
        if hopeless or wasteful:
            raise exhausted(self.run.compiled.paradigm, result.attempts, self.run.begun, result.refusals)

    def bad_keys(self) -> NDArray[np.uint64]:
        """The keys of all sentences but the first."""
        return np.concatenate([self.cell.key(name, self.columns) for name in self.cell.sentences[1:]])
