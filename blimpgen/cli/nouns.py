"""`blimpgen nouns`: the study of single nouns."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.model_options import NounModelOptions
from blimpgen.cli.noun_study import NounStudy, study_models
from blimpgen.cli.options import AsJson, Data, Format, Output, Seed, Work, argument, grouped, library, message, option
from blimpgen.cli.variant_options import TokenLimits, WordLimits, variant_of
from blimpgen.cli.writing import Sets, typed_command, write

if TYPE_CHECKING:
    from blimpgen.variants.record import Study

__all__ = ["nouns"]

_SUITE = "noun_variation"
_NEW = "wug/wuz"


@dataclass(frozen=True)
class StudyOptions:
    """The options that say which nouns are studied, and with which words."""

    target: Annotated[
        str | None,
        option(
            "--target",
            "The target nouns: all human nouns of the lexicon, one noun, a new one as SG/PL, or those of a file.",
            "NOUN|FILE|all",
            show_default="all",
        ),
    ] = None
    samples: Annotated[int, option("--samples", "Contexts a noun.", min=1)] = 500
    noun_list: Annotated[
        Path | None, option("--nouns", "Nouns instead of the lexicon's: one a line, or singular TAB plural.", "FILE")
    ] = None
    verb_list: Annotated[
        Path | None,
        option("--verbs", "Agreeing verbs instead of the lexicon's: one a line, or plural TAB singular form.", "FILE"),
    ] = None
    past_verb_list: Annotated[
        Path | None,
        option("--past-verbs", "Verbs before a reflexive instead of the lexicon's: one past form a line.", "FILE"),
    ] = None

    def record(self) -> Study:
        """The record of the study; a `DataError` for a file that cannot be read."""
        from blimpgen.variants.record import Study, file_ref

        target = self.target or "all"
        of_file = Path(target).is_file()
        return Study(
            target="all" if of_file else target,
            targets=file_ref(Path(target)) if of_file else None,
            samples=self.samples,
            nouns=file_ref(self.noun_list) if self.noun_list else None,
            verbs=file_ref(self.verb_list) if self.verb_list else None,
            past_verbs=file_ref(self.past_verb_list) if self.past_verb_list else None,
        )


@dataclass(frozen=True)
class ScoringOptions:
    """The options that run the study with models, instead of writing its sentences."""

    models: Annotated[
        list[str] | None, option("--study", "Score this model, causal or masked, and report; may be repeated.", "MODEL")
    ] = None
    counts: Annotated[
        Path | None, option("--counts", "With --study: how often words occur (word TAB count).", "FILE")
    ] = None


@grouped
def nouns(
    *,
    context: typer.Context,
    targets: Annotated[list[str] | None, argument("TASK", "Tasks of noun_variation; all if none is given.")] = None,
    study: StudyOptions,
    seed: Seed = 0,
    output: Output,
    format: Format = "jsonl",
    few_shot: Annotated[
        bool,
        option("--few-shot", "Write training sentences for a new noun (wug, wuz, or --target SG/PL) to DIR instead."),
    ] = False,
    scoring: ScoringOptions,
    of_model: NounModelOptions,
    work: Work,
    as_json: AsJson = False,
    data: Data = None,
    words: WordLimits,
    tokens: TokenLimits,
) -> None:
    """Write the study of single nouns: for each target noun sampled contexts, each in all versions.

    Example: blimpgen nouns SV_PP --target teacher --samples 10

    Example: blimpgen nouns --target all -o study

    Example: blimpgen nouns --study gpt2 -o scores
    """
    if few_shot:
        _write_few_shot(study.target or _NEW, output.output)
        return
    if scoring.models:
        call = NounStudy(scoring.models, study.record(), targets or [], seed, of_model, scoring.counts, data, work)
        study_models(call, output.output, as_json=as_json)
        return
    from blimpgen.dataset import Arguments

    arguments = Arguments(
        targets=tuple(targets or [_SUITE]),
        seed=seed,
        format=format,
        study=study.record(),
        variant=variant_of(words, tokens) or None,
    )
    write(lambda: library(data), arguments, output, Sets(), typed_command(context))


def _write_few_shot(noun: str, folder: Path | None) -> None:
    """Write the training files of a new noun, and say how many."""
    from blimpgen.dataset.training_files import write_training

    singular, _, plural = noun.partition("/")
    if folder is None or not plural:
        raise UsageError("--few-shot writes files for a new noun; add -o DIR, and --target SINGULAR/PLURAL if any")
    message(f"{folder}: {len(write_training(folder, singular, plural))} files of training sentences")
