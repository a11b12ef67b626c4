"""The study of nouns: every model is asked about every noun in all tasks; sentences are made where they are scored.

It is a table of work whose rows are models, and whose pieces are a task with a noun.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

from blimpgen.analysis.noun_scores import NounScore
from blimpgen.base.engines import Engine, work_here
from blimpgen.base.errors import BlimpgenError, UsageError
from blimpgen.base.extras import require
from blimpgen.base.version import __version__
from blimpgen.base.work_table import Row, WorkTable
from blimpgen.nouns import Contexts, Study
from blimpgen.scoring.loading import library_versions, within_memory
from blimpgen.scoring.model_families import Options
from blimpgen.scoring.pair_table import models_failed
from blimpgen.training.noun_models import Family, NounModel, Total, load_model
from blimpgen.training.score_folder import ScoreFolder, score_folder

__all__ = ["NounStudyRequest", "StudiedModel", "study_nouns"]

Progress: TypeAlias = Callable[[float, str], None]
Failed: TypeAlias = Callable[[str, BlimpgenError], None]
"""Takes the name of a model, and why it has no scores."""
Noun: TypeAlias = tuple[str, str]
"""Singular and plural."""
ContextsOf: TypeAlias = Callable[[str, str | None], Mapping[str, Contexts]]
"""From the name of a model and its mask, if it has one, to the tasks with the words that it can be asked about."""


_TASKS = 10
"""Tasks of the study."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StudiedModel(_Model):
    """A model: its name, its family, and the fingerprint of its files."""

    name: str
    family: Family
    revision: str | None


class NounStudyRequest(_Model):
    """What decides the scores.

    Attributes:
        models: all of them.
        study: which nouns, how many contexts.
        tasks: UIDs; all ten if there are none.
        seed: decides which contexts are drawn.
        data: hash of words, rules and paradigms.
        bos: start token before a sentence.
        leading_space: a space before a sentence.
    """

    version: str = __version__
    models: tuple[StudiedModel, ...]
    study: Study
    tasks: tuple[str, ...]
    seed: int
    data: str
    bos: str = "no"
    leading_space: bool = False


def study_nouns(
    request: NounStudyRequest,
    options: Mapping[str, Options],
    contexts_of: ContextsOf,
    folder: Path,
    *,
    engine: Engine = work_here,
    failed: Failed | None = None,
    progress: Progress | None = None,
) -> list[NounScore]:
    """Score all nouns with all models; a killed run is finished, noun by noun.

    Args:
        request: what is scored.
        options: name of a model to what the call says about it.
        contexts_of: gives the tasks for a model; it may have to travel to where the model is.
        folder: where the scores are written.
        engine: does the work; the scores are the same, up to rounding.
        failed: called when one of several models fails; the others go on.
        progress: called after each noun with its share of a task, and the names of model and task.

    Returns:
        All rows, in the order of models, tasks and nouns.

    Raises:
        UsageError: the folder holds something else, or a library is not installed. DataError: sentences that cannot be
            scored; no word passes the tests of the tokenizer; one of several models failed.
    """
    require("torch", "studies")
    with score_folder(folder, request, NounScore) as scores:
        if scores.is_finished:
            return scores.rows()
        table = _NounTable(request, options, contexts_of, scores, failed or _ignore, progress or _ignore)
        engine(table)
        rows = table.rows_in_order()
        scores.finish(rows)
        return rows


def _ignore(*_told: object) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class _Asked:
    """What a model says of itself.

    Attributes:
        revision: of its files.
        versions: of the libraries.
        nouns: the targets of each task that it can be asked about.
    """

    revision: str | None
    versions: Mapping[str, str]
    nouns: Mapping[str, tuple[Noun, ...]]

    def __str__(self) -> str:
        versions = ", ".join(f"{name} {version}" for name, version in self.versions.items())
        nouns = sum(map(len, self.nouns.values()))
        return f"{self.revision or 'unknown files'}, {versions}, {nouns:,} nouns in {len(self.nouns)} tasks"


@dataclass(frozen=True)
class _Piece:
    """A noun in a task, and the number of its model."""

    model: int
    task: str
    noun: Noun


class _Asker:
    """A model that is asked about nouns.

    Args:
        model: its name and family.
        options: what the call says about it.
        contexts_of: gives its tasks.
    """

    def __init__(self, model: StudiedModel, options: Options, contexts_of: ContextsOf) -> None:
        loaded = load_model(options, model.family)
        self._name = model.name
        self._model = NounModel(loaded.model, loaded.tokenizer, model.family, options)
        self._contexts = contexts_of(model.name, loaded.tokenizer.mask_token if model.family == "masked" else None)
        nouns = {task: tuple(dict.fromkeys(contexts.targets())) for task, contexts in self._contexts.items()}
        self.identity = _Asked(loaded.revision, library_versions(), nouns)
        self._task = ""

    def __call__(self, piece: _Piece) -> list[NounScore]:
        """Score a noun in a task, whatever has been scored before."""
        contexts = self._contexts[piece.task]
        with within_memory(self._name):
            if piece.task != self._task:
                self._task = piece.task
                self._model.calibrate(contexts, self.identity.nouns[piece.task][0])
            return list(_rows(self._name, piece.task, piece.noun, self._model.totals(contexts, piece.noun)))


class _NounTable(WorkTable[_Piece, list[NounScore]]):
    """Models by tasks by nouns.

    Args:
        request: what is scored.
        options: name of a model to what the call says about it.
        contexts_of: gives the tasks for a model.
        scores: where the scores are written.
        failed, progress: as of `study_nouns`.
    """

    def __init__(
        self,
        request: NounStudyRequest,
        options: Mapping[str, Options],
        contexts_of: ContextsOf,
        scores: ScoreFolder[NounScore],
        failed: Failed,
        progress: Progress,
    ) -> None:
        models = request.models
        super().__init__([Row(each.name, partial(_Asker, each, options[each.name], contexts_of)) for each in models])
        self._request, self._scores, self._tell_failed, self._progress = request, scores, failed, progress
        self._done: dict[tuple[str, str, Noun], list[NounScore]] = {}
        self._note(scores.rows())
        self._asked: dict[int, _Asked] = {}
        self._waits_for: dict[int, set[_Piece]] = {}
        self._errors: dict[int, BlimpgenError] = {}

    def _note(self, rows: list[NounScore]) -> None:
        for row in rows:
            self._done.setdefault((row.model, row.task, (row.target, row.plural)), []).append(row)

    @property
    def most_workers(self) -> int:
        """As many as there are tasks, of one noun; of more, it shows when a model tells which."""
        one_noun = self._request.study.target != "all" and not self._request.study.targets
        return (len(self._request.tasks) or _TASKS) if one_noun else sys.maxsize

    def is_open(self, row: int) -> bool:
        """Whether nouns have no score with a model, and no reason has been given."""
        return row not in self._errors and (row not in self._asked or bool(self._waits_for[row]))

    def pieces(self, row: int, identity: _Asked) -> Iterator[_Piece]:
        """The nouns that have no score with a model, task after task.

        Args:
            row: the number of the model.
            identity: says which nouns it can be asked about.
        """
        name = self.rows[row].name
        every = [_Piece(row, task, noun) for task, nouns in identity.nouns.items() for noun in nouns]
        left = [piece for piece in every if (name, piece.task, piece.noun) not in self._done]
        self._asked[row], self._waits_for[row] = identity, set(left)
        for piece in set(every) - set(left):
            self._tell(piece)
        return iter(left)

    def part(self, piece: _Piece) -> _Piece:
        """The names of task and noun."""
        return piece

    def add(self, piece: _Piece, answer: list[NounScore]) -> None:
        """Write the scores of a noun.

        Args:
            piece: task and noun.
            answer: its scores.
        """
        if piece.model not in self._errors:
            self._scores.append(answer)
            self._note(answer)
            self._waits_for[piece.model].remove(piece)
            self._tell(piece)

    def _tell(self, piece: _Piece) -> None:
        share = 1 / len(self._asked[piece.model].nouns[piece.task])
        self._progress(share, f"{self.rows[piece.model].name} {piece.task}")

    def fail(self, row: int, error: BlimpgenError, piece: _Piece | None = None) -> None:
        """Give up a model.

        Args:
            row: its number.
            error: why.
            piece: the noun that was scored.

        Raises:
            UsageError: as it is; what is wrong in the call is wrong for all models.
        """
        if isinstance(error, UsageError):
            raise error
        if self.is_open(row):
            self._errors[row] = error
            if len(self.rows) > 1:
                self._tell_failed(self.rows[row].name, error)

    def rows_in_order(self) -> list[NounScore]:
        """All scores, in the order of models, tasks and nouns.

        Raises:
            BlimpgenError: a model failed.
        """
        if self._errors:
            if len(self.rows) == 1:
                raise self._errors[0]
            raise models_failed([self.rows[number].name for number in sorted(self._errors)], len(self.rows))
        return [
            score
            for number, row in enumerate(self.rows)
            for task, nouns in self._asked[number].nouns.items()
            for noun in nouns
            for score in self._done[row.name, task, noun]
        ]


def _rows(model: str, task: str, target: Noun, totals: Mapping[str, Total]) -> Iterator[NounScore]:
    for name, total in totals.items():
        yield NounScore(
            model=model,
            task=task,
            target=target[0],
            plural=target[1],
            configuration=name,
            total=total.value,
            samples=total.samples,
        )
