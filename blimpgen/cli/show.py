"""`blimpgen show`."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.base.folders import listed_files, shipped_data
from blimpgen.cli.count import rows_available
from blimpgen.cli.options import Data, Profile, Seed, argument, library, message, option, prepared
from blimpgen.cli.terminal import has_styles

if TYPE_CHECKING:
    from blimpgen.base.records import Record
    from blimpgen.generation.compiled import CompiledParadigm
    from blimpgen.library import Library
    from blimpgen.paradigm import Paradigm
    from blimpgen.sampling.capacity import Capacity

__all__ = ["show"]

ROUGH = 2048
"""Draws from which the capacity is estimated at a save, when it need not be precise."""


def show(
    paradigm: Annotated[str, argument("UID|FILE", "A paradigm.")],
    n: Annotated[int, option("-n", "How many pairs.", min=1)] = 5,
    seed: Seed = 0,
    watch: Annotated[
        bool, option("--watch", "Draw it anew at each save of its file, with its problems, until Ctrl-C.")
    ] = False,
    examples: Annotated[
        bool, option("--examples", "Print the pairs alone, as the key `examples` of a paradigm file.")
    ] = False,
    data: Data = None,
    profile: Profile = None,
) -> None:
    """Show a paradigm: slots, capacity, and pairs with the difference marked.

    Example: blimpgen show adjunct_island -n 3

    Example: blimpgen show my_paradigm.yaml --watch

    Example: blimpgen show my_paradigm.yaml --examples -n 2
    """
    if watch and examples:
        raise UsageError("--watch shows, --examples prints; give one of them")
    if watch:
        _watch(paradigm, n, seed, data, profile)
    else:
        words = library(data, profile)
        read = words.paradigm(paradigm)
        path = read.document.path
        is_own = not path.resolve().is_relative_to(shipped_data() / "paradigms")
        compiled = _unproven(read, words) if is_own else prepared(paradigm, words)
        if examples:
            typer.echo(_as_examples(compiled, n, seed), nl=False)
        else:
            typer.echo("\n".join(_shown(compiled, n, seed, compiled.capacity)))
        if is_own:
            _tell_problems(words, path)


def _tell_problems(words: Library, path: Path) -> None:
    from blimpgen.checks.paradigm_checks import problems

    for problem in problems(words, path):
        message(str(problem) if problem.is_note else f"{problem}; `generate` and `check` refuse it until it is mended")


def _unproven(paradigm: Paradigm, words: Library) -> CompiledParadigm:
    """A paradigm that can be drawn, whether its labels hold or not; `problems` says what is wrong with it."""
    from blimpgen.generation.prepare import prepare

    return prepare(paradigm, words, unproven=lambda fault: None)


def _drawn(compiled: CompiledParadigm, n: int, seed: int) -> list[Record]:
    """The first pairs, fewer if there are no more."""
    from blimpgen.generation.records import generate_records

    return list(generate_records(compiled, min(n, rows_available(compiled)), seed))


def _as_examples(compiled: CompiledParadigm, n: int, seed: int) -> str:
    """Pairs as a paradigm file gives its examples."""
    import yaml

    names = compiled.cells[0].sentences
    if names != ["good", "bad"]:
        raise UsageError(f"a file with the sentences {', '.join(names)} has no examples, which are of good and bad")
    examples = [dict(record.sentences) for record in _drawn(compiled, n, seed)]
    return yaml.safe_dump({"examples": examples}, sort_keys=False, allow_unicode=True, width=1000)


def _shown(compiled: CompiledParadigm, n: int, seed: int, capacity: Capacity) -> Iterator[str]:
    from blimpgen.authoring.display import ANSI, BRACKETS, describe, record_lines

    marks = ANSI if has_styles(sys.stdout) else BRACKETS
    shown = _drawn(compiled, n, seed)
    yield from describe(compiled, capacity)
    for record in shown:
        yield ""
        yield from record_lines(record, marks)


def _watch(paradigm: str, n: int, seed: int, data: Path | None, profile: str | None) -> None:
    """Draw a paradigm whenever it, the file that it extends, or a table or rule of the user's folder is saved."""
    from blimpgen.authoring.file_watch import saves

    words = library(data, profile)
    path = words.paradigm(paradigm).document.path if not Path(paradigm).suffix else Path(paradigm)
    folders = [path.parent, *([data / "lexicon", data / "grammars"] if data else [])]

    def files() -> Iterator[Path]:
        yield path
        for folder in folders:
            for pattern in ("**/*.yaml", "**/*.tsv", "**/*.cfg"):
                yield from listed_files(folder, pattern)

    try:
        for changed in saves(files):
            started = time.monotonic()
            if any(p.suffix in (".tsv", ".cfg") for p in changed):
                words = library(data, profile)
            _draw(words, path, n, seed, started)
    except KeyboardInterrupt:
        return


def _draw(words: Library, path: Path, n: int, seed: int, started: float) -> None:
    """One drawing: the pairs, or what is wrong, and how long it took."""
    from blimpgen.base.errors import BlimpgenError
    from blimpgen.checks.paradigm_checks import problems

    if has_styles(sys.stdout):
        typer.echo("\x1b[H\x1b[2J", nl=False)
    try:
        compiled = _unproven(words.reread(path), words)
        typer.echo("\n".join([*_shown(compiled, n, seed, compiled.counted(ROUGH)), ""]))
        sys.stdout.flush()
        problem_lines = [str(problem) for problem in problems(words, path)]
    except BlimpgenError as error:
        problem_lines = [str(error)]
    typer.echo("\n".join([*(problem_lines or ["0 problems"]), f"-- {time.monotonic() - started:.2f} s"]))
    sys.stdout.flush()
