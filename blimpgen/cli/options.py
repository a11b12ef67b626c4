"""Options that several commands share, and what every command does with its result."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_type_hints

import typer

from blimpgen.base.errors import printable, printable_json

if TYPE_CHECKING:
    from blimpgen.base.engines import Engine
    from blimpgen.generation.compiled import CompiledParadigm
    from blimpgen.library import Library

__all__ = [
    "AsJson",
    "Data",
    "Format",
    "Output",
    "Profile",
    "Seed",
    "Work",
    "argument",
    "grouped",
    "library",
    "message",
    "option",
    "prepared",
    "write_json",
    "write_lines",
]


def option(names: str, text: str, metavar: str | None = None, **settings: Any) -> Any:
    """Declare an option.

    Args:
        names: its names, separated by spaces.
        text: its help.
        metavar: what stands for its value in the help.
        settings: as of `typer.Option`.
    """
    return typer.Option(*names.split(), help=text, metavar=metavar, **settings)


def argument(metavar: str, text: str, **settings: Any) -> Any:
    """Declare an argument.

    Args:
        metavar: what stands for it in the help.
        text: its help.
        settings: as of `typer.Argument`.
    """
    return typer.Argument(metavar=metavar or None, help=text, **settings)


AsJson = Annotated[bool, option("--json", "Print JSON.")]
Data = Annotated[
    Path | None, option("--data", "A folder with lexicon, grammars or paradigms, over the shipped ones.", "DIR")
]
Profile = Annotated[str | None, option("--profile", "Which words, where a suite has several word lists.", "P")]
Seed = Annotated[int, option("--seed", "Any integer; another seed gives another sample.")]
Format = Annotated[Literal["jsonl", "csv", "parquet"], option("--format", "File format.")]


@dataclass(frozen=True)
class Output:
    """The options that say where and how a set is written."""

    output: Annotated[Path | None, option("-o --output", "Write DIR/<UID>.jsonl and DIR/manifest.json.", "DIR")] = None
    overwrite: Annotated[bool, option("--overwrite", "Replace a set that blimpgen wrote to DIR.")] = False
    jobs: Annotated[
        int | None,
        option(
            "--jobs",
            "Processes; the bytes are the same.",
            "N",
            min=1,
            show_default="as many as there are cores, at most 4, from 20,000 rows on",
        ),
    ] = None


@dataclass(frozen=True)
class Work:
    """The options that say where the work of a call is done."""

    on: Annotated[
        str,
        option("--on", "Where the work is done: local, here; ray, a cluster of this machine; ray://ADDRESS.", "WHERE"),
    ] = "local"
    workers: Annotated[
        int | None, option("--workers", "Workers on Ray, at most.", "N", min=1, show_default="all there is room for")
    ] = None
    cores: Annotated[
        int, option("--cores", "Processor cores of each worker on Ray, where it has no GPU.", "K", min=1)
    ] = 1

    def engine(self, *, jobs: int = 1, device: str = "auto") -> Engine:
        """Find what does the work; see `engine_of`.

        Args:
            jobs: processes on this machine.
            device: of torch.
        """
        from blimpgen.base.engines import engine_of

        return engine_of(self.on, jobs=jobs, workers=self.workers, cores=self.cores, device=device)


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
            Parameter(
                field.name,
                Parameter.KEYWORD_ONLY,
                default=Parameter.empty if field.default is MISSING else field.default,
                annotation=types[field.name],
            )
            for field in fields(kind)
        ]

    @wraps(function)
    def command(**values: Any) -> None:
        for name, kind in groups.items():
            values[name] = kind(**{field.name: values.pop(field.name) for field in fields(kind)})
        function(**values)

    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return command


def library(data: Path | None, profile: str | None = None) -> Library:
    """The shipped library, with a user's folder stacked over it, and one of the word lists of suites with several.

    Args:
        data: the folder of the user.
        profile: which words, where a suite has several word lists.
    """
    from blimpgen.library import load_library

    return load_library(data, profile=profile)


def prepared(paradigm: str | Path, words: Library) -> CompiledParadigm:
    """Prepare a paradigm that an author looks at; of one whose labels do not hold, say so on standard error.

    Args:
        paradigm: its UID, or the path of its file.
        words: the library.
    """
    from blimpgen.generation.prepare import prepare

    return prepare(
        paradigm, words, unproven=lambda fault: message(f"{fault}; `generate` and `check` refuse it until it is mended")
    )


def write_json(value: Any) -> None:
    """Print a value as indented JSON on standard output; see `write_lines`."""
    import orjson

    typer.echo(printable_json(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()))


def write_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output; control characters in the data that they quote are shown, not sent."""
    for line in lines:
        typer.echo(printable(line))


def message(text: str) -> None:
    """Print one line on standard error."""
    print(printable(text), file=sys.stderr)
