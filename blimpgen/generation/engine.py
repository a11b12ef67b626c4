"""The engine: from a prepared paradigm to the assignments of exactly n rows, in blocks.

A row is its first acceptable attempt, and of the rows that propose the same good sentence the lowest has it. Rows are
drawn in blocks; a row whose good sentence belongs to a lower one moves on to its next acceptable attempt. That gives
the same result as going through the rows one by one, whatever the size of a block. Memory: one block, and eight bytes a
sentence for telling whether one comes up again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.base.memo import Memo
from blimpgen.generation.compiled import MAX_ATTEMPTS, CompiledCell, CompiledParadigm, exhausted
from blimpgen.realize import Columns, Sentence
from blimpgen.sampling import Draw, Stream
from blimpgen.sampling.enumerate import enumerate_all

__all__ = ["BLOCK", "Block", "KeySet", "Part", "Tally", "draw_set", "enumerate_set", "find_row", "pieces"]

BLOCK = 16384
FIRST_BLOCK = 4096  # so that the first rows do not wait for many others; each further block is twice as large
SMALL_BLOCK = 512  # what is only read and written stays in the processor's cache
MEAN_ATTEMPTS = 8
_AT_ONCE = 32  # attempts; drawing so many takes hardly longer than drawing one


class Part(NamedTuple):
    """The rows of one cell within a block.

    Attributes:
        cell: the number of the cell.
        rows: the row numbers in ascending order, shape (n,).
        columns: for each node the candidates, shape (n,).
    """

    cell: int
    rows: NDArray[np.int64]
    columns: Columns


Block: TypeAlias = "list[Part]"
"""Successive rows of a set, cell by cell."""


@dataclass
class Tally:
    """What a run did: rows done, attempts made, refusals by reason."""

    rows: int = 0
    attempts: int = 0
    refusals: Counter[str] = field(default_factory=Counter)

    @property
    def acceptance(self) -> float:
        """Share of attempts that became rows."""
        return self.rows / self.attempts if self.attempts else 1.0


def draw_set(
    compiled: CompiledParadigm,
    n: int,
    seed: int,
    rows: range | None = None,
    *,
    block: int = BLOCK,
    tally: Tally | None = None,
) -> Iterator[Block]:
    """Draw the rows of a set in blocks; the whole set is checked before the last block is given.

    Args:
        compiled: the prepared paradigm.
        n: how many rows the set has.
        seed: the seed of the set.
        rows: which of the n rows to give; all by default.
        block: how many rows are drawn at once at most; no choice of it changes a row.
        tally: filled with counts.

    Raises:
        DataError: n above the capacity; a row that no attempt settles; a good sentence that is another row's bad one.
    """
    rows = rows if rows is not None else range(n)
    if rows.start < 0 or rows.stop > n or rows.step != 1:
        raise DataError(f"rows {rows.start} to {rows.stop} are not among the {n} rows")
    compiled.check_size(n)
    run = _Run(compiled, seed, tally if tally is not None else Tally())
    for parts in run.blocks(rows.stop, block):
        if run.begun == rows.stop:
            run.check_labels()
        if run.begun > rows.start:
            yield _between(parts, rows.start, run.begun)


def pieces(block: Block) -> Iterator[Block]:
    """Give the rows of a block in smaller blocks: rows that are written take more room than those that are drawn."""
    first, last = min(int(part.rows[0]) for part in block), max(int(part.rows[-1]) for part in block)
    for start in range(first, last + 1, FIRST_BLOCK):
        yield _between(block, start, start + FIRST_BLOCK)


def _between(block: Block, first: int, end: int) -> Block:
    """The rows of a block from a row number on, and before another."""
    some = []
    for part in block:
        a, b = np.searchsorted(part.rows, (first, end)).tolist()
        if a < b:
            whole = a == 0 and b == len(part.rows)
            some.append(part if whole else Part(part.cell, part.rows[a:b], [column[a:b] for column in part.columns]))
    return some


def enumerate_set(compiled: CompiledParadigm) -> Iterator[Block]:
    """Enumerate all rows of a paradigm in blocks: factors outermost, then slots in file order, the last fastest.

    Args:
        compiled: the prepared paradigm.

    Raises:
        DataError: there are too many.
    """
    compiled.check_enumerable()
    start = 0
    for number, cell in enumerate(compiled.cells):
        columns = enumerate_all(cell.sampler)
        size = len(columns[0])
        for begin in range(0, size, SMALL_BLOCK):
            rows = np.arange(begin, min(begin + SMALL_BLOCK, size), dtype=np.int64)
            yield [Part(number, rows + start, [column[rows] for column in columns])]
        start += size


def find_row(compiled: CompiledParadigm, row: int, seed: int) -> Part:
    """Find the assignment of one row.

    Args:
        compiled: the prepared paradigm.
        row: its number; of an enumerated paradigm, in the order of the enumeration.
        seed: the seed of the set.

    Returns:
        A part with this row alone.

    Raises:
        DataError: there is no such row.
    """
    listed = compiled.paradigm.model.enumerate == "yes"
    if not listed:
        compiled.check_size(row + 1)
    size = 0
    blocks = enumerate_set(compiled) if listed else _Run(compiled, seed, Tally()).blocks(row + 1, BLOCK)
    for parts in blocks:
        for part in parts:
            size = max(size, int(part.rows[-1]) + 1)
            if len(at := np.flatnonzero(part.rows == row)):
                return Part(part.cell, part.rows[at], [column[at] for column in part.columns])
    raise DataError(
        f"{compiled.paradigm.uid} has {size:,} rows, from 0; there is no row {row}",
        compiled.paradigm.place(),
        "capacity",
    )


class _Run:
    """The state of one run: which good and which bad sentences there are already, which attempts the proof refutes."""

    def __init__(self, compiled: CompiledParadigm, seed: int, tally: Tally) -> None:
        self.compiled, self.seed, self.tally = compiled, seed, tally
        self.stream = Stream(seed, compiled.paradigm.uid)
        self.good, self.bad = KeySet(), KeySet()
        self.begun = 0
        self.refuted: set[tuple[int, int]] = set()
        self.unique = compiled.paradigm.model.unique == "on"

    def blocks(self, n: int, block: int) -> Iterator[Block]:
        """Settle the first n rows, at most so many at once."""
        start, size = 0, min(FIRST_BLOCK, block)
        while start < n:
            rows = np.arange(start, min(start + size, n), dtype=np.int64)
            yield [Part(part.number, part.rows, part.columns) for part in self._settle_proven(rows)]
            start, size = start + len(rows), min(2 * size, block)

    def _settle_proven(self, numbers: NDArray[np.int64]) -> list[_Rows]:
        """Settle successive rows, again and again until the grammar judges none otherwise than the paradigm.

        An attempt that it refutes is refused like one with a word twice, so that a row does not depend on its block.
        """
        proof = self.compiled.proof
        while True:
            good, bad, begun = self.good.runs[:], self.bad.runs[:], self.begun
            tally = Tally(self.tally.rows, self.tally.attempts, self.tally.refusals.copy())
            parts = self.settle(numbers)
            refuted = proof.refuted([(part.number, part.columns) for part in parts]) if proof is not None else []
            if not any(map(len, refuted)):
                return parts
            self.good.runs, self.bad.runs, self.begun = good, bad, begun
            self.tally.rows, self.tally.attempts, self.tally.refusals = tally.rows, tally.attempts, tally.refusals
            for part, places in zip(parts, refuted, strict=True):
                self.refuted.update(zip(part.rows[places].tolist(), part.attempts[places].tolist(), strict=True))

    def settle(self, numbers: NDArray[np.int64]) -> list[_Rows]:
        """Settle successive rows, all at once."""
        cells = self.compiled.cells
        self.begun += len(numbers)
        parts = [_Rows(self, k, cell, numbers[numbers % len(cells) == k]) for k, cell in enumerate(cells)]
        parts = [part for part in parts if len(part.rows)]
        self._draw([(part, np.arange(len(part.rows))) for part in parts])
        if self.unique:
            self._deduplicate(parts)
            self.bad.add(np.concatenate([part.bad_keys() for part in parts]))
        for part in parts:
            part.cell.keep(part.columns, part.sentences)
        self.tally.rows += len(numbers)
        return parts

    def _draw(self, requests: Sequence[tuple[_Rows, NDArray[np.int64]]]) -> None:
        """Draw rows of some parts, given by their places, from their next attempt on, until each is acceptable."""
        while requests:
            pending = requests
            while pending:
                draws = self.compiled.draw(self.stream, [part.upcoming(index) for part, index in pending])
                left = [(part, part.take(index, draw)) for (part, index), draw in zip(pending, draws, strict=True)]
                pending = [(part, index) for part, index in left if len(index)]
            refused = [(part, part.find_keys(index)) for part, index in requests]
            requests = [(part, index) for part, index in refused if len(index)]

    def _deduplicate(self, parts: Sequence[_Rows]) -> None:
        """Settle which row has which sentence by deferred acceptance: the lowest row that proposes it.

        The algorithm is Gale and Shapley's (1962), with rows that propose and sentences that prefer low rows.
        """
        rows = np.concatenate([part.rows for part in parts])
        proposals = np.concatenate([part.keys for part in parts])
        home = np.repeat(np.arange(len(parts)), [len(part.rows) for part in parts])
        index = np.concatenate([np.arange(len(part.rows)) for part in parts])
        holders: dict[int, int] = {}
        agenda = np.argsort(rows, kind="stable") if self._repeated(proposals) else rows[:0]
        while len(agenda):
            lost = np.array(self._losers(agenda, rows, proposals, holders), dtype=np.int64)
            self.tally.refusals["a good sentence that another row has"] += len(lost)
            requests = [(part, lost[home[lost] == k]) for k, part in enumerate(parts)]
            requests = [(part, places) for part, places in requests if len(places)]
            for part, places in requests:
                part.next_attempt(index[places])
            self._draw([(part, index[places]) for part, places in requests])
            for part, places in requests:
                proposals[places] = part.keys[index[places]]
            agenda = lost
        self.good.add(proposals)

    def _repeated(self, keys: NDArray[np.uint64]) -> bool:
        """Whether a sentence comes up twice, or has come up in an earlier block."""
        ordered = np.sort(keys)
        return bool((ordered[1:] == ordered[:-1]).any()) or bool(self.good.contains(keys).any())

    def _losers(
        self, agenda: NDArray[np.int64], rows: NDArray[np.int64], proposals: NDArray[np.uint64], holders: dict[int, int]
    ) -> list[int]:
        """Let rows propose their sentences; return the places of those that are left without one.

        Args:
            agenda: the places of the rows that propose.
            rows, proposals: the number of each row and the key of its sentence.
            holders: the place that holds each sentence; changed.
        """
        losers = []
        keys = proposals[agenda]
        for k, key, taken in zip(agenda.tolist(), keys.tolist(), self.good.contains(keys).tolist(), strict=True):
            rival = holders.get(key)
            if taken or (rival is not None and rows[rival] < rows[k]):
                losers.append(k)
                continue
            if rival is not None:
                losers.append(rival)
            holders[key] = k
        return losers

    def check_labels(self) -> None:
        """Check that no good sentence is a bad one as well.

        Raises:
            DataError: with how many are, and both rows of one of them.
        """
        clashes = self.good.common(self.bad)
        if len(clashes):
            row, other, text = self._rows_of(clashes.min())
            raise DataError(
                f"{self.compiled.paradigm.uid}: {len(clashes)} good sentences are bad ones too, such as {text!r} "
                f"(good in row {row}, bad in row {other}); the contrast labels the same sentence both ways",
                self.compiled.paradigm.place(),
                "wrong-label",
            )

    def _rows_of(self, key: np.uint64) -> tuple[int, int, str]:
        """The rows that have a sentence as a good and as a bad one, and it; all rows are settled once more."""
        good, bad, text = -1, -1, ""
        rerun = _Run(self.compiled, self.seed, Tally())
        rerun.refuted = self.refuted
        for start in range(0, self.begun, BLOCK):
            for part in rerun.settle(np.arange(start, min(start + BLOCK, self.begun), dtype=np.int64)):
                keys = part.bad_keys()
                for place in np.flatnonzero(part.keys == key).tolist():
                    good, text = int(part.rows[place]), part.good_sentence(place)
                for row in np.resize(part.rows, len(keys))[keys == key].tolist():
                    bad = row if bad < 0 else bad
        return good, bad, text


class _Rows:
    """The rows of one cell within a block, while they are settled."""

    def __init__(self, run: _Run, number: int, cell: CompiledCell, rows: NDArray[np.int64]) -> None:
        self.run, self.number, self.cell, self.rows = run, number, cell, rows
        self.attempts = np.zeros(len(rows), dtype=np.int64)
        self.columns: Columns = []
        self.sentences: dict[str, Sentence] = {}
        self.keys = np.zeros(len(rows), dtype=np.uint64)
        self.limit = MAX_ATTEMPTS if cell.enumerated is None else max(MAX_ATTEMPTS, len(cell.enumerated[0]))

    def upcoming(self, index: NDArray[np.int64]) -> tuple[int, NDArray[np.int64], NDArray[np.int64]]:
        """The number of the cell, and row and attempt of what is drawn next for the rows at these places.

        Of rows that are drawn again, and are few, several attempts are drawn at once: that takes hardly longer.
        """
        rows, attempts = self.rows[index], self.attempts[index]
        tries = 1
        if self.cell.enumerated is None and attempts.min():
            tries = max(min(_AT_ONCE // len(index), self.limit - int(attempts.max())), 1)
        more = np.tile(np.arange(tries), len(index))
        return self.number, np.repeat(rows, tries), np.repeat(attempts, tries) + more

    def take(self, index: NDArray[np.int64], draw: Draw) -> NDArray[np.int64]:
        """Take the first acceptable attempt of the rows at these places; those that must be drawn again.

        Args:
            index: the places.
            draw: what was drawn for their `upcoming` attempts.
        """
        tries = len(draw.ok) // len(index)
        ok = draw.ok.reshape(-1, tries)
        settled = ok.any(axis=1)
        last = np.where(settled, ok.argmax(axis=1), tries - 1)
        tally = self.run.tally
        tally.attempts += int(last.sum()) + len(index)
        tally.refusals.update(draw.refusals((np.arange(tries) <= last[:, None]).ravel()))
        self._put(index[settled], draw.take((np.arange(len(index)) * tries + last)[settled]))
        self.attempts[index] += last
        left = index[~settled]
        self.next_attempt(left)
        return left

    def next_attempt(self, index: NDArray[np.int64]) -> None:
        """Let the rows at these places go on to their next attempt."""
        self.attempts[index] += 1
        self._check(index)

    def find_keys(self, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Find the keys of the rows at these places.

        Returns:
            Those that go on to another attempt: a sentence has a word twice in a row, or the proof refutes it.
        """
        columns = self.columns if len(index) == len(self.rows) else [c[index] for c in self.columns]
        sentences, changed = self.cell.realise(columns), Memo[NDArray[np.int32]]()
        if len(index) < len(self.rows):
            self.sentences = {name: s.replaced(index, sentences[name], changed) for name, s in self.sentences.items()}
        else:
            self.sentences = sentences
        self.keys[index] = self.cell.key(self.cell.sentences[0], columns)
        is_doubled = self.cell.doubled(columns)
        doubled, refuted = index[is_doubled], self._refuted(index[~is_doubled])
        for places, reason in ((doubled, "the same word twice"), (refuted, "another reading of a sentence")):
            if len(places):
                self.run.tally.refusals[reason] += len(places)
                self.next_attempt(places)
        return np.concatenate([doubled, refuted])

    def _refuted(self, index: NDArray[np.int64]) -> NDArray[np.int64]:
        """Those of some places whose present attempt the proof has refuted."""
        if not self.run.refuted:
            return index[:0]
        attempts = zip(self.rows[index].tolist(), self.attempts[index].tolist(), strict=True)
        return np.asarray(index[[each in self.run.refuted for each in attempts]])

    def _put(self, where: NDArray[np.int64], columns: Columns) -> None:
        if len(where) == len(self.rows):
            self.columns = columns
            return
        # A new list: sentences of the old one may be known.
        self.columns = self.columns[:] or [np.full(len(self.rows), -1, dtype=np.int32) for _ in columns]
        for column, new in zip(self.columns, columns, strict=True):
            column[where] = new

    def _check(self, pending: NDArray[np.int64]) -> None:
        tally = self.run.tally
        hopeless = len(pending) and int(self.attempts[pending].max()) >= self.limit
        wasteful = tally.attempts > 1000 and tally.attempts > MEAN_ATTEMPTS * self.run.begun
        if hopeless or wasteful:
            raise exhausted(self.run.compiled, tally.attempts, self.run.begun, tally.refusals)

    def good_sentence(self, place: int) -> str:
        """The good sentence of the row at a place."""
        sentence = self.cell.sentence(self.cell.sentences[0], [column[place : place + 1] for column in self.columns])
        return sentence.texts(self.cell.language.lexicon)[0]

    def bad_keys(self) -> NDArray[np.uint64]:
        """The keys of all sentences but the first."""
        lexicon = self.cell.language.lexicon
        return np.concatenate([self.sentences[name].hashes(lexicon) for name in self.cell.sentences[1:]])


class KeySet:
    """The hashes of sentences, as sorted runs of which each is more than twice as long as the next.

    This is a log-structured merge: a key is moved once for each doubling of the set, and is looked up in a number of
    runs that grows with the logarithm of its size. While two runs are merged, both the old and the new ones are held.
    """

    def __init__(self) -> None:
        self.runs: list[NDArray[np.uint64]] = []

    def add(self, keys: NDArray[np.uint64]) -> None:
        """Add keys, shape (n,)."""
        if not len(keys):
            return
        run = np.sort(keys)
        while self.runs and len(self.runs[-1]) <= 2 * len(run):
            run = np.concatenate((self.runs.pop(), run))
            run.sort(kind="stable")  # merges two runs in one pass
        self.runs.append(run)

    def contains(self, keys: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Find out which keys are in the set, shape as `keys`."""
        contained = np.zeros(len(keys), dtype=bool)
        for run in self.runs:
            contained |= run[np.minimum(np.searchsorted(run, keys), len(run) - 1)] == keys
        return contained

    def common(self, other: KeySet) -> NDArray[np.uint64]:
        """Return the keys that another set has too, shape (n,)."""
        return np.concatenate([run[other.contains(run)] for run in self.runs] or [np.zeros(0, dtype=np.uint64)])
