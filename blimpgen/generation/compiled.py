"""Compiled paradigms: for each cell its plan, its sampler and its laid-out sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.base.memo import Memo
from blimpgen.library import Language
from blimpgen.paradigm import Paradigm
from blimpgen.plan import Plan, compile_cells
from blimpgen.plan.plan import PlannedCell
from blimpgen.realize import Columns, Emitted, Forms, Layout, Sentence, Template, lay_out
from blimpgen.sampling import Draw, Sampler, Stream
from blimpgen.sampling.capacity import DRAWS, Capacity, estimate, forest_count
from blimpgen.sampling.choice import SharedCandidates
from blimpgen.sampling.enumerate import SMALL, enumerate_all, enumerate_up_to
from blimpgen.sampling.refusals import refused_words

__all__ = ["COMPILED", "CompiledCell", "CompiledParadigm", "compile_paradigm", "exhausted", "lay_out_cell"]

COMPILED = 512
"""Paradigms that a library keeps compiled, each as its file was last; about 1 MB each."""
_LEAST_DRAWS = 256  # of a cell
MOST_ROWS = 100_000_000
"""Rows of one set: each takes eight bytes a sentence for telling whether one comes up again."""
MOST_ENUMERATED = 5_000_000
"""Assignments that are written one by one."""
MAX_ATTEMPTS = 256
"""How often one row is drawn before its paradigm is given up."""
PATIENCE = 32
"""So many attempts a row makes with the word that is dealt to it."""


class Proof(Protocol):
    """What every row must pass before it is written."""

    def check(self, parts: Iterable[tuple[int, Columns]]) -> None:
        """Check rows, given as numbers of cells, each with the candidates of its nodes in some rows.

        Raises:
            DataError: the grammar judges one otherwise than the paradigm.
        """

    def refuted(
        self, parts: Sequence[tuple[int, Columns]], few: int = ..., share: float = ...
    ) -> list[NDArray[np.int64]]:
        """Find the few rows of each part that the grammar judges otherwise, so that they are drawn anew.

        Args:
            parts: as of `check`.
            few, share: how many rows are a few: so many, or this share of them.

        Raises:
            DataError: they are more than a few.
        """

    def store(self) -> None:
        """Store what was found out, for later runs."""


@dataclass(eq=False)
class CompiledCell:
    """One cell, ready to be drawn.

    Attributes:
        plan: its plan.
        language: words and rules.
        templates: its laid-out sentences by name, the first good one first.
        unique: whether no good sentence may stand twice.
        shown: its sentences with other words, if those are written; rows are settled with `templates` all the same.
        replaced: gives for each row the words that are written instead of others, each with what it stands for.
        refuse: which rows a variant refuses, by their columns.
        planned: what is known of the plan already.
        candidates: what the cells of the paradigm draw from in common.
    """

    plan: Plan
    language: Language = field(repr=False)
    templates: dict[str, Template] = field(repr=False)
    unique: bool = True
    shown: dict[str, Template] | None = field(default=None, repr=False)
    replaced: Callable[[Columns], list[dict[str, str]]] | None = field(default=None, repr=False)
    refuse: Callable[[Columns], NDArray[np.bool_]] | None = field(default=None, repr=False)
    planned: PlannedCell | None = field(default=None, repr=False)
    candidates: SharedCandidates = field(default_factory=SharedCandidates, repr=False)
    _order: tuple[np.uint64, NDArray[np.int64]] | None = field(default=None, init=False, repr=False)
    _last: tuple[Columns, dict[str, Sentence], Emitted] | None = field(default=None, init=False, repr=False)

    @property
    def written(self) -> dict[str, Template]:
        """The sentences that are written."""
        return self.shown if self.shown is not None else self.templates

    @property
    def sentences(self) -> list[str]:
        """Names of the sentences, the first good one first."""
        return list(self.templates)

    @cached_property
    def sampler(self) -> Sampler:
        """The choices of the plan."""
        return Sampler(self.plan, self.candidates)

    def forget(self) -> None:
        """Forget what followed from the plan and the sentences, because they are others now."""
        self.planned = self._order = self._last = None
        for name in ("sampler", "dealt", "enumerated", "capacity", "exact"):
            vars(self).pop(name, None)

    @cached_property
    def dealt(self) -> dict[str, NDArray[np.int32]]:
        """The candidates of each dealt slot."""
        plan = self.plan
        return {name: np.flatnonzero(plan.masks[plan.index(plan.slots[name])]).astype(np.int32) for name in plan.dealt}

    @cached_property
    def enumerated(self) -> Columns | None:
        """All assignments of a small cell, each good sentence once if they are to be unique; None for a large one."""
        if self.planned:
            return self.planned.assignments
        columns = enumerate_up_to(self.sampler, SMALL)
        if columns is None:
            return None
        if self.language.limits or self.refuse:
            refused = np.zeros(len(columns[0]), dtype=bool)
            for _, mask in self._refusing(columns):
                refused |= mask
            columns = [c[~refused] for c in columns]
        if (doubled := self.doubled(columns)).any():
            columns = [c[~doubled] for c in columns]
        if (merged := self.merged(columns)).any():
            columns = [c[~merged] for c in columns]
        if self.unique:
            one = _one_of_each(self.key(self.sentences[0], columns))
            columns = columns if len(one) == len(columns[0]) else [c[one] for c in columns]
        return columns

    def realise(self, columns: Columns) -> dict[str, Sentence]:
        """All sentences of some rows by name."""
        return {name: self.sentence(name, columns) for name in self.templates}

    def sentence(self, name: str, columns: Columns) -> Sentence:
        """One sentence of some rows; those of the last rows that were asked for are kept.

        Args:
            name: the sentence.
            columns: the rows; a list whose arrays change must be a new list each time.
        """
        if self._last is None or self._last[0] is not columns:
            self._last = columns, {}, Memo()
        _, parts, emitted = self._last
        if name not in parts:
            parts[name] = self.templates[name].realise(columns, self.language.lexicon, emitted)
        return parts[name]

    def keep(self, columns: Columns, sentences: dict[str, Sentence]) -> None:
        """Keep the sentences of some rows as if they had been asked for.

        Args:
            columns: the rows.
            sentences: their sentences by name.
        """
        self._last = columns, sentences, Memo()

    def key(self, sentence: str, columns: Columns) -> NDArray[np.uint64]:
        """The hash of a sentence in each row.

        Args:
            sentence: its name.
            columns: the rows.
        """
        return self.sentence(sentence, columns).hashes(self.language.lexicon)

    def doubled(self, columns: Columns) -> NDArray[np.bool_]:
        """In which rows a sentence has a word twice in a row, shape (n,)."""
        return np.asarray(np.logical_or.reduce([self.sentence(name, columns).doubled() for name in self.sentences]))

    def merged(self, columns: Columns) -> NDArray[np.bool_]:
        """In which rows joins make a bad sentence equal to the good one (*l'amica* of *la* and of *il*), shape (n,)."""
        merged = np.zeros(len(columns[0]), dtype=bool)
        if self.language.lexicon.language.merges:
            good = self.key(self.sentences[0], columns)
            for name in self.sentences[1:]:
                merged |= self.key(name, columns) == good
        return merged

    def shown_sentences(self, columns: Columns) -> dict[str, Sentence]:
        """All sentences of some rows as they are written."""
        if self.shown is None:
            return self.realise(columns)
        return {name: template.realise(columns, self.language.lexicon) for name, template in self.shown.items()}

    @cached_property
    def capacity(self) -> Capacity:
        """How many assignments the cell has."""
        return self.counted(DRAWS)

    def counted(self, draws: int) -> Capacity:
        """How many assignments the cell has; where that must be estimated, from so many draws."""
        return self.exact or estimate(self.sampler, self.dealt, draws)

    @cached_property
    def exact(self) -> Capacity | None:
        """How many assignments the cell has, where that need not be estimated."""
        if self.enumerated is not None:
            return Capacity.counted(len(self.enumerated[0]))
        count = forest_count(self.plan) if not self.sampler.content and not self.plan.trios else None
        return None if count is None else Capacity.counted(count)

    def draw(
        self, stream: Stream, number: int, turn: NDArray[np.int64], rows: NDArray[np.int64], attempts: NDArray[np.int64]
    ) -> Draw:
        """Draw one attempt for each of some rows.

        Args:
            stream: the random numbers.
            number: the number of this cell.
            turn: how many rows of the cell stand before each, shape (n,).
            rows, attempts: row numbers and attempts, shape (n,).
        """
        if self.enumerated is not None:
            return self.taken(stream, number, turn, attempts)
        # a word that stands in few sentences hands its turn on when they are used up
        turns = turn + attempts // PATIENCE
        dealt = {name: self._deal(stream, f"{name}@{number}", shares, turns) for name, shares in self.dealt.items()}
        draw = self.sampler.draw(stream, rows.astype(np.uint64), attempts.astype(np.uint64), dealt)
        self.limit(draw)
        if self.language.lexicon.language.merges:
            refused = np.zeros_like(draw.ok)
            refused[draw.ok] = self.merged(draw.take(draw.ok))
            draw.refuse(refused, "joined words that make the sentences equal")
        return draw

    def limit(self, draw: Draw) -> None:
        """Refuse what the variant refuses of what was drawn."""
        if not (self.language.limits or self.refuse) or not draw.ok.any():
            return
        where = np.flatnonzero(draw.ok)
        for reason, mask in self._refusing(draw.take(where)):
            refused = np.zeros_like(draw.ok)
            refused[where] = mask
            draw.refuse(refused, reason)

    def _refusing(self, columns: Columns) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """For each reason of the variant, which rows it refuses."""
        if self.language.limits:
            yield from self.language.limits.refusing(self.realise(columns))
        if self.refuse:
            yield "the same made-up word twice", self.refuse(columns)

    def _deal(
        self, stream: Stream, path: str, candidates: NDArray[np.int32], turn: NDArray[np.int64]
    ) -> NDArray[np.int32]:
        size = len(candidates)
        passes, which = np.unique(turn // size, return_inverse=True)
        return candidates[stream.permutations(path, passes, size)[which, turn % size]]

    def taken(self, stream: Stream, number: int, turn: NDArray[np.int64], attempts: NDArray[np.int64]) -> Draw:
        """One attempt for each row of a small cell, from its assignments; see `draw`.

        Args:
            stream, number, turn, attempts: as of `draw`.
        """
        assert self.enumerated is not None
        size = len(self.enumerated[0])
        if self._order is None or self._order[0] != stream.key:
            drawn = stream.permutation(f"cell@{number}", 0, size)
            self._order = stream.key, self._in_turns(drawn, self.enumerated)
        positions = self._order[1][(turn + attempts) % size]
        return Draw.of([c[positions] for c in self.enumerated], len(turn))

    def _in_turns(self, order: NDArray[np.int64], columns: Columns) -> NDArray[np.int64]:
        """The order in passes: in each, every dealt candidate that has an assignment left stands once."""
        for name in reversed(self.plan.dealt):
            drawn = columns[self.plan.index(self.plan.slots[name])][order]
            grouped = np.argsort(drawn, kind="stable")
            turn = np.empty(len(order), dtype=np.int64)
            turn[grouped] = np.arange(len(order)) - np.searchsorted(drawn[grouped], drawn[grouped])
            order = order[np.argsort(turn, kind="stable")]
        return order


@dataclass(eq=False)
class CompiledParadigm:
    """All cells of a paradigm.

    Attributes:
        paradigm: its file.
        language: words and rules.
        cells: its cells.
        proven: whether its templates have been proven, or found not to hold.
        fault: what the proof found to be wrong.
        real_slots: where made-up words are written: the slots whose words stay real, and why.
        proof: what every row must pass before it is written.
    """

    paradigm: Paradigm
    language: Language = field(repr=False)
    cells: list[CompiledCell] = field(repr=False)
    proven: bool = False
    fault: DataError | None = None
    real_slots: dict[str, str] = field(default_factory=dict, repr=False)
    proof: Proof | None = field(default=None, repr=False)

    @cached_property
    def capacity(self) -> Capacity:
        """How many assignments all cells have."""
        return sum((cell.capacity for cell in self.cells), Capacity.counted(0))

    def counted(self, draws: int) -> Capacity:
        """How many assignments all cells have; where that must be estimated, from so many draws in all."""
        each = max(draws // len(self.cells), _LEAST_DRAWS)
        return sum((cell.counted(each) for cell in self.cells), Capacity.counted(0))

    def draw(self, stream: Stream, requests: Sequence[tuple[int, NDArray[np.int64], NDArray[np.int64]]]) -> list[Draw]:
        """One attempt for each row of some cells.

        Args:
            stream: the random numbers.
            requests: numbers of cells, each with row numbers and attempts, shape (n,).
        """
        count = len(self.cells)
        return [self.cells[k].draw(stream, k, rows // count, rows, attempts) for k, rows, attempts in requests]

    def sample(self, number: int, n: int) -> Columns:
        """Draw some acceptable rows of a cell, as the set with the seed 0 begins if no two have the same sentence.

        Args:
            number: the number of the cell.
            n: how many rows.

        Returns:
            One array for each node, shape (n,).

        Raises:
            DataError: the cell has no assignment, or a row has no acceptable attempt.
        """
        cell = self.cells[number]
        if cell.enumerated is not None and not len(cell.enumerated[0]):
            raise self._unpaired(cell)
        stream = Stream(0, self.paradigm.uid)
        columns: Columns = []
        pending = np.arange(n, dtype=np.int64)
        refusals: Counter[str] = Counter()
        for attempt in range(MAX_ATTEMPTS):
            rows = pending * len(self.cells) + number
            [draw] = self.draw(stream, [(number, rows, np.full(len(rows), attempt, dtype=np.int64))])
            refusals.update(draw.refusals())
            columns = columns or [np.full(n, -1, dtype=np.int32) for _ in draw.columns]
            for column, drawn in zip(columns, draw.columns, strict=True):
                column[pending[draw.ok]] = drawn[draw.ok]
            pending = pending[~draw.ok]
            if not len(pending):
                return columns
        raise exhausted(self, n * MAX_ATTEMPTS, n, refusals)

    def _unpaired(self, cell: CompiledCell) -> DataError:
        """The error for a cell without any assignment."""
        name = f" in the cell {cell.plan.cell.name}" if cell.plan.cell.levels else ""
        columns = enumerate_all(cell.sampler)
        if len(columns[0]) and cell.merged(columns).all():
            text = cell.sentence(cell.sentences[0], [column[:1] for column in columns]).texts(cell.language.lexicon)[0]
            return DataError(
                f"joins make all sentences equal{name}, such as {text!r}; change a word that no join hides",
                self.paradigm.place(),
                "capacity",
            )
        return DataError(
            f"no words go together{name}: {refused_words(cell.sampler)}; constraints exclude each other, or slots over "
            "one list must differ and there are too few; loosen a constraint or give a list more words",
            self.paradigm.place(),
            "capacity",
        )

    def check_enumerable(self) -> None:
        """Check that all assignments may be enumerated.

        Raises:
            DataError: there are too many.
        """
        if self.capacity.value > MOST_ENUMERATED:
            raise DataError(
                f"{self.paradigm.uid} has {self.capacity} assignments, and at most {MOST_ENUMERATED:,} can be "
                "enumerated; take a sample with -n",
                self.paradigm.place(),
                "capacity",
            )

    def check_size(self, n: int) -> None:
        """Check that the paradigm can give n rows.

        Raises:
            DataError: n is above what any set may have, some cell has fewer assignments, or n is above a quarter of a
                cell that is drawn.
        """
        if n > MOST_ROWS:
            raise DataError(
                f"a set of {self.paradigm.uid} has at most {MOST_ROWS:,} rows, not {n:,}; take several seeds",
                self.paradigm.place(),
                "capacity",
            )
        for k, cell in enumerate(self.cells):
            share = len(range(k, n, len(self.cells)))
            if cell.enumerated is not None:
                room = len(cell.enumerated[0])
                if share and not room:
                    raise self._unpaired(cell)
            elif share <= SMALL // 4:
                continue
            else:
                room = math.floor(min(cell.capacity.value / 4, n))
            if share > room and self.paradigm.model.unique == "on":
                name = f" in the cell {cell.plan.cell.name}" if cell.plan.cell.levels else ""
                hint = "take a smaller n" if cell.enumerated is not None else "take a smaller n, or --enumerate for all"
                raise DataError(
                    f"{self.paradigm.uid} can give {room:,} rows{name}, not {share:,}; {hint}",
                    self.paradigm.place(),
                    "capacity",
                )


def _one_of_each(keys: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Choose one row of each key, the first of one key, the second of another: what differs besides differs in turn.

    A slot that only the bad sentence has would keep its first word if the first row of each were taken.

    Args:
        keys: a hash of each row, shape (rows,).

    Returns:
        The numbers of the rows, in order, shape (keys,).
    """
    order = np.argsort(keys, kind="stable")
    _, begins, counts = np.unique(keys[order], return_index=True, return_counts=True)
    return np.sort(order[begins + np.arange(len(begins)) % counts])


def compile_paradigm(
    paradigm: Paradigm, language: Language, planned: Sequence[PlannedCell] | None = None
) -> CompiledParadigm:
    """Compile a paradigm; nothing of it is proven.

    Args:
        paradigm: its file.
        language: its words and rules.
        planned: its cells, if their plans were stored.

    Raises:
        DataError: a slot without candidates, or whatever else is wrong with its slots and sentences.
    """
    plans = [cell.plan for cell in planned] if planned else compile_cells(paradigm, language)
    candidates = SharedCandidates()
    compiled = [
        CompiledCell(
            plan,
            language,
            lay_out_cell(paradigm, plan, language),
            paradigm.model.unique == "on",
            planned=planned[k] if planned else None,
            candidates=candidates,
        )
        for k, plan in enumerate(plans)
    ]
    return CompiledParadigm(paradigm, language, compiled, proven=planned is not None)


def lay_out_cell(paradigm: Paradigm, plan: Plan, language: Language, forms: Forms | None = None) -> dict[str, Template]:
    """The sentences of a cell, the first good one first.

    Args:
        paradigm: the file.
        plan: the cell's plan.
        language: words and rules.
        forms: other forms than the lexicon's.
    """
    layout = Layout(plan, language.lexicon, forms)
    names = _good_first(paradigm, list(plan.cell.sentences))
    if language.limits:
        literals = [token.text for name in names for token in plan.tokens[name] if token.text]
        language.limits.check_words(literals, paradigm.place())
    return {
        name: lay_out(
            plan.tokens[name],
            layout,
            paradigm.place("sentences", name) if paradigm.model.sentences else paradigm.place(name),
        )
        for name in names
    }


def _good_first(paradigm: Paradigm, names: Sequence[str]) -> list[str]:
    first = next(iter(paradigm.pairs.values()))[0]
    return [first, *(n for n in names if n != first)]


def exhausted(compiled: CompiledParadigm, attempts: int, rows: int, refusals: Counter[str]) -> DataError:
    """The error that a paradigm is given up.

    Args:
        compiled: the paradigm.
        attempts: how many were made.
        rows: how many rows they were made for.
        refusals: how many were refused for which reason.
    """
    reasons = ", ".join(f"{reason} ({count})" for reason, count in refusals.most_common(5))
    words = dict.fromkeys(filter(None, (refused_words(cell.sampler) for cell in compiled.cells)))
    return DataError(
        f"{compiled.paradigm.uid}: gave up after {attempts} attempts for {rows} rows; refused by: {reasons}"
        f"{f'; {next(iter(words))}' if words else ''}; loosen a constraint or take a smaller n",
        compiled.paradigm.place(),
        "attempts",
    )
