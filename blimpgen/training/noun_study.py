"""The study of nouns: every model is asked about every noun in all tasks; sentences are made where they are scored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict

from blimpgen.analysis.noun_scores import NounScore
from blimpgen.base.extras import require
from blimpgen.base.version import __version__
from blimpgen.nouns import Contexts, Study
from blimpgen.scoring.model_families import Options
from blimpgen.training.noun_models import Family, NounModel, Total, load_model
from blimpgen.training.score_folder import score_folder

__all__ = ["NounStudyRequest", "StudiedModel", "study_nouns"]

Progress: TypeAlias = Callable[[int, str], None]
ContextsOf: TypeAlias = Callable[[str, str | None], Mapping[str, Contexts]]
"""From the name of a model and its mask, if it has one, to the tasks with the words that it can be asked about."""


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
    progress: Progress | None = None,
) -> list[NounScore]:
    """Score all nouns with all models; a killed run is finished, noun by noun.

    Args:
        request: what is scored.
        options: name of a model to what the call says about it.
        contexts_of: gives the tasks for a model.
        folder: where the scores are written.
        progress: called after each model and task with 1 and its name.

    Returns:
        All rows, in the order of models, tasks and nouns.

    Raises:
        UsageError: the folder holds something else, or a library is not installed. DataError: sentences that cannot be
            scored; no word passes the tests of the tokenizer.
    """
    require("torch", "studies")
    with score_folder(folder, request, NounScore) as scores:
        rows = scores.rows()
        if scores.is_finished:
            return rows
        scored = {(row.model, row.task, row.target) for row in rows}
        for each in request.models:
            loaded = load_model(options[each.name], each.family)
            model = NounModel(loaded.model, loaded.tokenizer, each.family, options[each.name])
            mask = loaded.tokenizer.mask_token if each.family == "masked" else None
            for task, contexts in contexts_of(each.name, mask).items():
                for target in contexts.targets():
                    if (each.name, task, target[0]) not in scored:
                        totals = model.totals(contexts, target)
                        of_noun = list(_rows(each.name, task, target, totals))
                        scores.append(of_noun)
                        rows += of_noun
                if progress:
                    progress(1, f"{each.name} {task}")
        scores.finish(rows)
        return rows


def _rows(model: str, task: str, target: tuple[str, str], totals: Mapping[str, Total]) -> Iterator[NounScore]:
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
