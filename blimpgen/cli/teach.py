"""`blimpgen teach`."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from blimpgen.base.errors import UsageError
from blimpgen.cli.model_options import NounModelOptions
from blimpgen.cli.options import AsJson, Data, Seed, argument, grouped, library, message, option, write_json
from blimpgen.cli.terminal import console, progress_bar

if TYPE_CHECKING:
    from blimpgen.analysis.teaching import Lessons
    from blimpgen.library import Library
    from blimpgen.scoring.model_families import Options
    from blimpgen.training.noun_models import Family
    from blimpgen.training.teaching import Experiment

__all__ = ["teach"]

_LESSONS, _REPORT = "lessons.csv", "report.html"


@dataclass(frozen=True)
class LessonOptions:
    """The options that say what is taught, how, and on what the model is tested."""

    target: Annotated[str, option("--target", "The new noun, as it was given to `nouns --few-shot`.", "SG/PL")] = (
        "wug/wuz"
    )
    tasks: Annotated[list[str] | None, option("--task", "Only this task; may be repeated.", "TASK")] = None
    samples: Annotated[int, option("--samples", "Contexts a task.", min=1)] = 500
    seed: Seed = 0
    baseline_seeds: Annotated[
        int, option("--baseline-seeds", "Draws of the new word's vectors that are scored untrained.", min=1)
    ] = 30
    epochs: Annotated[
        int | None,
        option("--epochs", "How often sentences are read.", "N", min=1, show_default="2; 4 of a masked model"),
    ] = None
    rate: Annotated[float, option("--rate", "Learning rate at first; it falls to 0 evenly.")] = 5e-5
    learn_padding: Annotated[
        bool, option("--learn-padding", "Learn what short lines are filled up with, as published for GPT-2.")
    ] = False

    def nouns(self) -> tuple[str, str]:
        """Singular and plural of the new noun; a `UsageError` if one is missing."""
        singular, _, plural = self.target.partition("/")
        if not (singular and plural):
            raise UsageError(f"--target {self.target}: write SINGULAR/PLURAL, such as wug/wuz")
        return singular, plural


@grouped
def teach(
    *,
    model: Annotated[str, argument("MODEL", "Path or hub name of a causal or a masked model.")],
    few_shot: Annotated[Path, option("--few-shot", "Training sentences, as `nouns --few-shot` writes them.", "DIR")],
    output: Annotated[Path, option("-o --output", "The folder of scores and report.", "OUT")],
    lessons: LessonOptions,
    of_model: NounModelOptions,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Teach a model a new noun with a few sentences, and see what it makes of its number.

    Example: blimpgen teach gpt2 --few-shot sentences -o taught
    """
    from blimpgen.training.noun_models import study_family
    from blimpgen.training.teaching import few_shot_experiments

    if not 0 < lessons.rate < 1:
        raise UsageError(f"--rate {lessons.rate}: write a number between 0 and 1, such as 5e-5")
    experiments = few_shot_experiments(few_shot, lessons.nouns(), lessons.baseline_seeds)
    options = of_model.of(model)
    family = study_family(of_model.family, options)
    if lessons.learn_padding and family == "masked":
        raise UsageError("--learn-padding is for causal models: masked ones have a token for it")
    taught = _taught(lessons, experiments, family, options, library(data), output)
    _write(taught, output, model)
    if as_json:
        write_json([lesson._asdict() for lesson in taught])
    else:
        _show(taught)
        message(f"{output / _LESSONS}, {output / _REPORT}")


def _taught(
    lessons: LessonOptions,
    experiments: Sequence[Experiment],
    family: Family,
    options: Options,
    words: Library,
    output: Path,
) -> Lessons:
    """Run the experiments that have no scores yet."""
    from blimpgen.analysis.teaching import Lessons
    from blimpgen.base.files import library_hash
    from blimpgen.nouns import Study
    from blimpgen.nouns.tasks import study_contexts
    from blimpgen.training.noun_models import load_model
    from blimpgen.training.teaching import EPOCHS, TeachingRequest, teach

    loaded = load_model(options, family)
    contexts = study_contexts(
        words,
        Study(target=lessons.target, samples=lessons.samples),
        lessons.seed,
        tasks=lessons.tasks or (),
        tokenizer=options.model,
        mask=loaded.tokenizer.mask_token if family == "masked" else None,
    )
    request = TeachingRequest(
        model=options.model,
        revision=loaded.revision,
        family=family,
        nouns=lessons.nouns(),
        experiments=tuple(experiments),
        tasks=tuple(contexts),
        samples=lessons.samples,
        seed=lessons.seed,
        data=library_hash(words.folders),
        epochs=lessons.epochs or EPOCHS[family],
        rate=lessons.rate,
        learn_padding=lessons.learn_padding,
        bos=options.bos,
        leading_space=options.leading_space,
    )
    del loaded
    try:
        with progress_bar(len(experiments), "teaching") as advance:
            return Lessons(teach(request, contexts, options, output, progress=advance))
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call goes on with {output}") from None


def _write(lessons: Lessons, folder: Path, model: str) -> None:
    """Write the table and the report."""
    from blimpgen.base.files import write_chunks
    from blimpgen.report import write_sections
    from blimpgen.report.sections.nouns import teaching

    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(["noun", "number", "training", "task", "before", "after", "spread_before"])
    writer.writerows(lesson for lesson in lessons)
    write_chunks(folder / _LESSONS, [stream.getvalue().encode()])
    write_sections(
        lambda: [*teaching(lessons)],
        folder / _REPORT,
        title=f"A new word: {model}",
        lead="What a few sentences about a new noun teach a model of language about its number.",
        overwrite=True,
    )


def _show(lessons: Lessons) -> None:
    """Print the scores before and after, a table a noun."""
    from rich.table import Table

    screen = console()
    for noun in lessons.numbers:
        table = Table(title=f"{noun}: agreeing over other word, nats", title_justify="left", box=None, pad_edge=False)
        table.add_column("training", no_wrap=True)
        for task in lessons.tasks:
            table.add_column(task.replace("_", " "), justify="right")
        of_noun = [lesson for lesson in lessons if lesson.noun == noun]
        for kind in lessons.types(noun):
            of_kind = [lesson for lesson in of_noun if lesson.training == kind]
            if not table.row_count:
                table.add_row("before", *(f"{lesson.before:.2f}" for lesson in of_kind))
            table.add_row(kind, *(f"{lesson.after:.2f}" for lesson in of_kind))
        screen.print(table)
