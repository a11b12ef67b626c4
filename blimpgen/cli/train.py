"""`blimpgen train`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

import typer

from blimpgen.cli.options import AsJson, argument, message, option, write_json
from blimpgen.cli.terminal import progress_bar

if TYPE_CHECKING:
    from blimpgen.training.run import Training

__all__ = ["train"]

_Precision: TypeAlias = Literal["auto", "float32", "bfloat16", "float16"]


_VALIDATION = "Keep the epoch whose perplexity on TEXT is best, and stop in time."
_VOCABULARY = "Take the words from here, so that models of several texts have the same."
_PATIENCE = "Epochs without a better perplexity after which it stops."


def train(
    text: Annotated[Path, argument("TEXT", "A text, a sentence a line, such as NAME.txt.")],
    output: Annotated[Path, option("-o --output", "The folder of the model.", "MODEL")],
    arch: Annotated[str, option("--arch", "lstm, transformer, or a YAML file with sizes.")] = "lstm",
    seed: Annotated[int, option("--seed", "Of weights, dropout, and the order of lines.", min=0)] = 0,
    validation: Annotated[Path | None, option("--validation", _VALIDATION, "TEXT")] = None,
    test: Annotated[Path | None, option("--test", "Measure the perplexity of TEXT at the end.", "TEXT")] = None,
    vocabulary: Annotated[Path | None, option("--vocabulary", _VOCABULARY, "TEXT|MODEL")] = None,
    epochs: Annotated[int, option("--epochs", "How often TEXT is read, at most.", min=1)] = 40,
    batch: Annotated[int, option("--batch", "Lines a step, over all processes.", min=1)] = 32,
    rate: Annotated[float, option("--rate", "Learning rate at first; it falls to 0 evenly.")] = 5e-5,
    patience: Annotated[int, option("--patience", _PATIENCE, min=1)] = 5,
    precision: Annotated[_Precision, option("--precision", "auto: mixed on a GPU.")] = "auto",
    as_json: AsJson = False,
) -> None:
    """Train a language model of words on a text.

    Example: blimpgen train corpora/rel-cl.txt --vocabulary corpora/full.txt --validation valid.txt -o models/rel-cl-0
    """
    from blimpgen.base.errors import UsageError
    from blimpgen.training.architecture import find_architecture
    from blimpgen.training.run import TrainingRequest, train_model

    if not 0 < rate < 1:
        raise UsageError(f"--rate {rate}: write a number between 0 and 1, such as 5e-5")
    request = TrainingRequest(
        text=str(text),
        architecture=Path(arch).stem,
        sizes=find_architecture(arch),
        seed=seed,
        validation=str(validation) if validation else None,
        test=str(test) if test else None,
        vocabulary=str(vocabulary) if vocabulary else None,
        epochs=epochs,
        batch=batch,
        rate=rate,
        patience=patience,
        precision=precision,
    )
    try:
        # Of the processes that torchrun starts, one draws.
        with progress_bar(epochs, "training") if os.environ.get("RANK", "0") == "0" else nullcontext() as steps:
            training = train_model(request, output, progress=_progress, steps=steps)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call goes on with {output}") from None
    if training and as_json:
        write_json(training.model_dump())
    elif training:
        typer.echo("\n".join(_described(training)))


def _described(training: Training) -> Iterator[str]:
    yield f"{training.lines:,} lines, {training.tokens:,} tokens, {training.vocabulary:,} words known"
    yield f"{training.parameters:,} parameters, {training.epochs:g} epochs"
    for name in ("validation", "test"):
        if (value := getattr(training, f"{name}_perplexity")) is not None:
            yield f"{name} perplexity {value:.3f}"


def _progress(epochs: float, perplexity: float | None) -> None:
    message(f"epoch {epochs:g}" + (f": validation perplexity {perplexity:.3f}" if perplexity is not None else ""))
