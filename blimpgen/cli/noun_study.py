"""The study of nouns with models: `blimpgen nouns --study`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from blimpgen.base.errors import UsageError
from blimpgen.cli.model_options import NounModelOptions
from blimpgen.cli.options import Work, library, message, write_json
from blimpgen.cli.terminal import console, progress_bar

if TYPE_CHECKING:
    from blimpgen.analysis.noun_scores import NounScore, NounScores
    from blimpgen.library import Library
    from blimpgen.nouns import Contexts, Study
    from blimpgen.training.noun_study import NounStudyRequest

__all__ = ["study_models"]

_REPORT = "report.html"
_BILLION = 1e9


@dataclass(frozen=True)
class NounStudy:
    """What a call asks for.

    Attributes:
        models: paths or names on the hub.
        study: which nouns, how many contexts.
        tasks: UIDs; all ten if there are none.
        seed: decides which contexts are drawn.
        of_model: how models read sentences.
        counts: a file of word counts; None: the frequencies of the lexicon.
        data: a folder over the shipped ones.
        work: where it is done.
    """

    models: Sequence[str]
    study: Study
    tasks: Sequence[str]
    seed: int
    of_model: NounModelOptions
    counts: Path | None
    data: Path | None
    work: Work


def study_models(call: NounStudy, output: Path | None, *, as_json: bool) -> None:
    """Run the study, and write its scores and its report.

    Args:
        call: what is asked for.
        output: the folder.
        as_json: print the means as JSON.

    Raises:
        UsageError: no folder, a model named twice, or one of another family. DataError: a model fails.
    """
    from blimpgen.analysis.noun_scores import NounScores
    from blimpgen.lexicon.frequency import read_word_frequencies, word_frequencies
    from blimpgen.report import write_sections
    from blimpgen.report.sections.nouns import noun_scores

    if output is None:
        raise UsageError("--study writes scores and a report; add -o DIR")
    if len(set(call.models)) < len(call.models):
        raise UsageError("--study: name each model once")
    words = library(call.data)
    frequencies = read_word_frequencies(call.counts) if call.counts else word_frequencies(words.lexicon)
    scores = NounScores(_scores(call, words, output))
    per_billion = {form: math.exp(logprob) * _BILLION for form, logprob in frequencies.logprobs.items()}
    write_sections(
        lambda: [*noun_scores(scores, per_billion)],
        output / _REPORT,
        title=f"Nouns: {', '.join(call.models)}",
        lead="How well models of language know the number of single nouns, and what decides it.",
        overwrite=True,
    )
    if as_json:
        write_json({model: [each._asdict() for each in scores.means(model)] for model in scores.models})
    else:
        _show(scores)
        message(f"{output / _REPORT}")


def _scores(call: NounStudy, words: Library, output: Path) -> list[NounScore]:
    from blimpgen.base.files import library_hash
    from blimpgen.scoring.loading import fingerprint
    from blimpgen.training.noun_models import study_family
    from blimpgen.training.noun_study import NounStudyRequest, StudiedModel, study_nouns

    options = {name: call.of_model.of(name) for name in call.models}
    request = NounStudyRequest(
        models=tuple(
            StudiedModel(
                name=name, family=study_family(call.of_model.family, each), revision=fingerprint(name) or each.revision
            )
            for name, each in options.items()
        ),
        study=call.study,
        tasks=tuple(call.tasks),
        seed=call.seed,
        data=library_hash(words.folders),
        bos=call.of_model.bos,
        leading_space=call.of_model.leading_space,
    )

    try:
        with progress_bar(len(call.models) * (len(call.tasks) or 10), "scoring") as advance:
            return study_nouns(
                request,
                options,
                partial(_contexts_of, request, call.data),
                output,
                engine=call.work.engine(device=call.of_model.device),
                failed=lambda model, error: message(f"{model}: {error}"),
                progress=advance,
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call goes on with {output}") from None


def _contexts_of(request: NounStudyRequest, data: Path | None, model: str, mask: str | None) -> Mapping[str, Contexts]:
    """The tasks for a model, with the words of the machine that it is on.

    Args:
        request: what is scored.
        data: a folder over the shipped ones.
        model: its name.
        mask: how its mask is written, if it has one.

    Raises:
        DataError: the machine has other words, rules or paradigms than that of the call.
    """
    from blimpgen.base.errors import DataError
    from blimpgen.base.files import library_hash
    from blimpgen.nouns.tasks import study_contexts

    words = library(data)
    if library_hash(words.folders) != request.data:
        raise DataError("words, rules or paradigms are not those of the call; copy the same ones to all machines")
    return study_contexts(words, request.study, request.seed, tasks=request.tasks, tokenizer=model, mask=mask)


def _show(scores: NounScores) -> None:
    """Print the means of all tasks, and how much tasks have in common."""
    from rich.table import Table

    screen = console()
    for model in scores.models:
        table = Table(title=f"{model}: agreeing over other word, nats", title_justify="left", box=None, pad_edge=False)
        for name in ("task", "nouns", "mean", "sd", "singular", "plural"):
            table.add_column(name, justify="left" if name == "task" else "right")
        for each in scores.means(model):
            figures = each.mean, each.deviation, each.singular, each.plural
            table.add_row(each.task, f"{each.nouns}", *(f"{value:.3f}" for value in figures))
        screen.print(table)
        if scores.can_be_analysed(model):
            share = scores.components(model).explained[0]
            screen.print(f"mean r between tasks {scores.group_means(model).mean:+.3f}, first component {share:.3f}")
