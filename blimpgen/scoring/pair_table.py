"""The table of work of a verification: models, and the ranges of the pairs of each set that they score.

The ranges of a set depend on the set alone, and a range is scored by itself, so the same rows come out wherever it is
scored. What comes back is written by the writer of its result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TypeAlias

from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.base.work_table import Row, WorkTable
from blimpgen.scoring.forward import Way
from blimpgen.scoring.judge import Policy, Rows, begin_judging, calibrate
from blimpgen.scoring.loading import within_memory
from blimpgen.scoring.reading import Comparison
from blimpgen.scoring.result_folder import Result, ResultWriter, open_result, signature_of
from blimpgen.scoring.scores import Identity, Scorer, identity_of

__all__ = [
    "CHUNK",
    "Done",
    "PairTable",
    "Part",
    "Range",
    "RowOfModel",
    "SetOfPairs",
    "models_failed",
    "ranges",
    "result_folders",
]

CHUNK = 1024
_FIRST = 64
_CALIBRATING = 8

Done: TypeAlias = Callable[[int], None]
Finished: TypeAlias = Callable[[int, int, "Result | BlimpgenError"], None]
"""Takes the numbers of a model and a set, and their result, or why there is none."""


@dataclass(frozen=True)
class RowOfModel:
    """A model.

    Attributes:
        name: of its folder.
        load: loads it, where it scores.
        source: the line of a table that names it, for messages.
    """

    name: str
    load: Callable[[], Scorer]
    source: str = ""


@dataclass(frozen=True)
class SetOfPairs:
    """A data set.

    Attributes:
        name: of its folder.
        comparisons: its pairs.
        data: hash of its files.
    """

    name: str
    comparisons: Sequence[Comparison]
    data: str


@dataclass(frozen=True)
class Range:
    """What a worker scores at once.

    Attributes:
        model, set, number: of the model, of the set, and of the range in its set.
        pairs: numbers of pairs in the set.
    """

    model: int
    set: int
    number: int
    pairs: tuple[int, ...] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Part:
    """What a worker is sent of a range.

    Attributes:
        set: the number of its set.
        calibrating: the first pairs of the set, which decide how a model is computed.
        comparisons: the pairs of the range.
    """

    set: int
    calibrating: Sequence[Comparison] = field(repr=False)
    comparisons: Sequence[Comparison] = field(repr=False)


def ranges(comparisons: Sequence[Comparison], chunk: int = CHUNK) -> Iterator[tuple[int, ...]]:
    """Divide a set into ranges: numbers of pairs.

    Pairs go in the order of their good sentences, whatever their paradigm, so that those stand together which share
    their beginning. The first ranges are small, so that it shows early how fast it goes and little is lost if it is
    stopped.

    Args:
        comparisons: the pairs.
        chunk: pairs in a range, at most.
    """
    order = sorted(range(len(comparisons)), key=lambda k: comparisons[k].good)
    start, size = 0, min(_FIRST, chunk)
    while start < len(order):
        yield tuple(order[start : start + size])
        start, size = start + size, min(2 * size, chunk)


class _Judge:
    """Scores ranges with a model.

    Args:
        scorer: the model.
        policy: what is asked of every pair.
    """

    def __init__(self, scorer: Scorer, policy: Policy) -> None:
        self._scorer, self._policy = scorer, policy
        self._set: int | None = None
        self.identity = identity_of(scorer)

    def __call__(self, part: Part) -> tuple[Rows, Way | None]:
        """Score a range with the model, and tell how the model was computed.

        Raises:
            DataError: a pair cannot be scored, and that is an error; memory runs out.
        """
        return self.begin(part)()

    def begin(self, part: Part) -> Callable[[], tuple[Rows, Way | None]]:
        """Begin to score a range; what is returned waits for the rows, and raises the same.

        Raises:
            DataError: memory runs out.
        """
        with within_memory(self.identity.model):
            if part.set != self._set:
                calibrate(part.calibrating, self._scorer, self._policy)
                self._set = part.set
            rows = begin_judging(part.comparisons, self._scorer, self._policy)
        way: Way | None = getattr(getattr(self._scorer, "forward", None), "way", None)

        def wait() -> tuple[Rows, Way | None]:
            with within_memory(self.identity.model):
                return rows(), way

        return wait


def _load_judge(model: RowOfModel, policy: Policy) -> _Judge:
    with within_memory(model.name):
        return _Judge(model.load(), policy)


@dataclass
class _Open:
    """A result that is being written, with the ranges that it waits for."""

    writer: ResultWriter
    waits_for: set[Range]
    stack: ExitStack


class PairTable(WorkTable[Range, tuple[Rows, "Way | None"]], AbstractContextManager["PairTable"]):
    """Models by sets by ranges of pairs.

    Args:
        models, sets: the rows and columns.
        policy: what is asked of every pair.
        folders: number of a model and a set to the folder of their result; where there is none, nothing is written.
        limit: records of each paradigm, for the signature.
        overwrite: replace other results in the folders.
        chunk: pairs in a range, at most.
        done: called with the number of pairs that have been scored.
        finished: called when a result is written, or cannot be.

    Attributes:
        unfinished: numbers of models and sets that have no result yet, nor a reason why there is none.
    """

    def __init__(
        self,
        models: Sequence[RowOfModel],
        sets: Sequence[SetOfPairs],
        policy: Policy,
        *,
        finished: Finished,
        folders: dict[tuple[int, int], Path] | None = None,
        limit: int | None = None,
        overwrite: bool = False,
        chunk: int = CHUNK,
        done: Done | None = None,
    ) -> None:
        super().__init__([Row(each.name, partial(_load_judge, each, policy)) for each in models])
        self.sets, self.policy = sets, policy
        self._ranges = [list(ranges(each.comparisons, chunk)) for each in sets]
        self._folders, self._limit, self._overwrite = folders or {}, limit, overwrite
        self._done, self._finished = done or _ignore, finished
        self._open: dict[tuple[int, int], _Open] = {}
        self.unfinished = {(m, s): None for m in range(len(models)) for s in range(len(sets))}

    @property
    def most_workers(self) -> int:
        """As many as there are ranges."""
        return max(1, sum(map(len, self._ranges)))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give up the folders of what is not finished."""
        for each in self._open.values():
            each.stack.close()

    def is_open(self, row: int) -> bool:
        """Whether a model lacks a result for some set, and no reason has been given."""
        return any(model == row for model, _ in self.unfinished)

    def is_wanted(self, piece: Range) -> bool:
        """Whether the set of a range has not been given up."""
        return (piece.model, piece.set) in self.unfinished

    def pieces(self, row: int, identity: Identity) -> Iterator[Range]:
        """Open the results of a model: the ranges that are left to score.

        Args:
            row: the number of the model.
            identity: what it says of itself.
        """
        sets = [s for s in range(len(self.sets)) if (row, s) in self.unfinished]
        return iter([each for s in sets for each in self._unscored(row, s, identity)])

    def _unscored(self, model: int, s: int, identity: Identity) -> list[Range]:
        comparisons = self.sets[s].comparisons
        with ExitStack() as stack:
            try:
                writer = stack.enter_context(
                    open_result(
                        comparisons,
                        self.policy,
                        signature=signature_of(identity, self.policy, self.sets[s].data, self._limit),
                        model=identity.model,
                        output=self._folders.get((model, s)),
                        overwrite=self._overwrite,
                    )
                )
            except BlimpgenError as error:
                self._end(model, s, error)
                return []
            left = [
                Range(model, s, number, pairs)
                for number, pairs in enumerate(self._ranges[s])
                if not (writer.finished or all(writer.has(comparisons[k]) for k in pairs))
            ]
            self._open[model, s] = _Open(writer, set(left), stack.pop_all())
        self._done(len(comparisons) - sum(len(each.pairs) for each in left))
        if not left:
            self._finish(model, s)
        return left

    def part(self, piece: Range) -> Part:
        """What a judge needs in order to score a range."""
        comparisons = self.sets[piece.set].comparisons
        first = self._ranges[piece.set][0][:_CALIBRATING]
        return Part(piece.set, [comparisons[k] for k in first], [comparisons[k] for k in piece.pairs])

    def add(self, piece: Range, answer: tuple[Rows, Way | None]) -> None:
        """Take the rows of a range, and how the model was computed; the last one finishes the result.

        Args:
            piece: the range.
            answer: rows of its pairs.
        """
        if not self.is_wanted(piece):
            return
        result = self._open[piece.model, piece.set]
        result.waits_for.remove(piece)
        try:
            result.writer.add([self.sets[piece.set].comparisons[k] for k in piece.pairs], *answer)
        except BlimpgenError as error:
            self._end(piece.model, piece.set, error)
            return
        self._done(len(piece.pairs))
        if not result.waits_for:
            self._finish(piece.model, piece.set)

    def fail(self, row: int, error: BlimpgenError, piece: Range | None = None) -> None:
        """Give up a model.

        Args:
            row: its number.
            error: why.
            piece: a range of the only set that it is given up for.
        """
        sets = range(len(self.sets)) if piece is None else [piece.set]
        for s in sets:
            if (row, s) in self.unfinished:
                self._end(row, s, error)

    def _finish(self, model: int, s: int) -> None:
        writer = self._open[model, s].writer
        try:
            result = writer.finished or writer.finish()
        except BlimpgenError as error:
            self._end(model, s, error)
        else:
            self._end(model, s, result)

    def _end(self, model: int, s: int, outcome: Result | BlimpgenError) -> None:
        if result := self._open.pop((model, s), None):
            result.stack.close()
        del self.unfinished[model, s]
        self._finished(model, s, outcome)


def _ignore(_pairs: int) -> None:
    """Tell nobody how far it is."""


def models_failed(failed: Sequence[str], count: int) -> DataError:
    """Say at the end of a run which models failed, each of which has been told with its reason.

    Args:
        failed: their names.
        count: how many models there were.
    """
    what = f"{len(failed)} of {count} models failed: {', '.join(failed)}"
    return DataError(f"{what}; mend what is said above, and the same call goes on")


def result_folders(output: Path, models: Sequence[str], sets: Sequence[str]) -> dict[tuple[int, int], Path]:
    """Name the folder of every result: one model on one set writes into the folder itself.

    Args:
        output: the folder.
        models: their names; of several, each has a folder.
        sets: their names; of several, each has a folder in that of the model.

    Raises:
        UsageError: two models, or two sets, would write into one folder.
    """
    of_models, of_sets = (_folder_names(names, kind) for names, kind in ((models, "models"), (sets, "sets")))
    return {(m, s): output / model / of_set for m, model in enumerate(of_models) for s, of_set in enumerate(of_sets)}


def _folder_names(names: Sequence[str], kind: str) -> list[str]:
    if len(names) == 1:
        return [""]
    folders: dict[str, str] = {}
    for name in names:
        folder = re.sub(r"[^\w.@-]+", "-", name).strip(".-") or "-"
        if folder in folders:
            both = folders[folder] if folders[folder] == name else f"{folders[folder]} and {name}"
            raise UsageError(f"the {kind} {both} would write into the same folder, {folder}; rename or remove one")
        folders[folder] = name
    return list(folders)
