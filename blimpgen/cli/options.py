"""Options that several commands share, and what every command does with its result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from blimpgen.base.errors import printable

if TYPE_CHECKING:
    from blimpgen.generation.compiled import CompiledParadigm
    from blimpgen.library import Library

__all__ = [
    "AsJson",
    "Data",
    "Format",
    "Output",
    "Profile",
    "Seed",
    "grouped",
    "library",
    "message",
    "prepared",
    "write_json",
    "write_lines",
]

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
Format = Annotated[Literal["jsonl", "csv"], typer.Option("--format", help="File format.")]


@dataclass(frozen=True)
class Output:
    """The options that say where and how a set is written."""

    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="DIR", show_default=False, help="Write DIR/<UID>.jsonl and DIR/manifest.json."
        ),
    ] = None
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a set that blimpgen wrote to DIR.")] = False
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes; the bytes are the same.")] = 1


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters that are dataclasses stand for one option a field.

    Typer sees the fields in the place of the dataclass; the function is called with the dataclass.
    """
    hints = get_type_hints(function, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if is_dataclass(kind) and isinstance(kind, type)}
    parameters: list[Parameter] = []
    for parameter in signature(function).parameters.values():
        kind = groups.get(parameter.name)
        if kind is None:
            parameters.append(parameter.replace(annotation=hints[parameter.name], kind=Parameter.KEYWORD_ONLY))
            continue
        types = get_type_hints(kind, include_extras=True)
        parameters += [
            Parameter(option.name, Parameter.KEYWORD_ONLY, default=option.default, annotation=types[option.name])
            for option in fields(kind)
        ]

    @wraps(function)
    def command(**values: Any) -> None:
        for name, kind in groups.items():
            values[name] = kind(**{option.name: values.pop(option.name) for option in fields(kind)})
        function(**values)

    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


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


def write_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output; control characters in the data that they quote are shown, not sent."""
    for line in lines:
        typer.echo(printable(line))


def message(text: str) -> None:
    """Print one line on standard error."""
    print(printable(text), file=sys.stderr)
