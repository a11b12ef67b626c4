"""Options that several commands share, and what every command does with its result."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from blimpgen.generation.compiled import CompiledParadigm
    from blimpgen.library import Library

__all__ = ["AsJson", "Data", "Profile", "Seed", "library", "message", "prepared", "write_json"]

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        show_default=False,
        help="A folder with lexicon, grammars or paradigms, over the shipped ones.",
    ),
]
Profile = Annotated[
    str | None,
    typer.Option(
        "--profile", metavar="P", show_default=False, help="Which words, where a suite has several word lists."
    ),
]
Seed = Annotated[int, typer.Option("--seed", help="Any integer; another seed gives another sample.")]


def library(data: Path | None, profile: str | None = None) -> Library:
    """The shipped library, with a user's folder stacked over it, and one of the word lists of suites with several."""
    from blimpgen.library import load_library

    return load_library(data, profile=profile)


def prepared(paradigm: str | Path, words: Library) -> CompiledParadigm:
    """Prepare a paradigm that an author looks at; of one whose labels do not hold, say so on standard error."""
    from blimpgen.generation.prepare import prepare

    return prepare(
        paradigm, words, unproven=lambda fault: message(f"{fault}; `generate` and `check` refuse it until it is mended")
    )


def write_json(value: Any) -> None:
    """Print a value as indented JSON on standard output."""
    import orjson

    typer.echo(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def message(text: str) -> None:
    """Print one line on standard error."""
    print(text, file=sys.stderr)
