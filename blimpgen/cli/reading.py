"""`blimpgen show` and `blimpgen count`."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.cli.options import AsJson, Data, Profile, Seed, library, prepared, write_json

if TYPE_CHECKING:
    from blimpgen.generation.compiled import CompiledParadigm
    from blimpgen.library import Library
    from blimpgen.sampling.capacity import Capacity

__all__ = ["count", "show"]

_TRIED = 1000
ROUGH = 2048
"""Draws from which the capacity is estimated at a save, when it need not be precise."""


def show(
    paradigm: Annotated[str, typer.Argument(metavar="UID|FILE", show_default=False, help="A paradigm.")],
    n: Annotated[int, typer.Option("-n", min=1, help="How many pairs.")] = 5,
    seed: Seed = 0,
    watch: Annotated[
        bool, typer.Option("--watch", help="Draw it anew at each save of its file, with its problems, until Ctrl-C.")
    ] = False,
    data: Data = None,
    profile: Profile = None,
) -> None:
    """Show a paradigm: slots, capacity, and pairs with the difference marked.

    Example: blimpgen show adjunct_island -n 3

    Example: blimpgen show my_paradigm.yaml --watch
    """
    if watch:
        _watch(paradigm, n, seed, data, profile)
    else:
        compiled = prepared(paradigm, library(data, profile))
        typer.echo("\n".join(_shown(compiled, n, seed, compiled.capacity)))


def _shown(compiled: CompiledParadigm, n: int, seed: int, capacity: Capacity) -> Iterator[str]:
    from blimpgen.authoring.display import ANSI, BRACKETS, describe, record_lines
    from blimpgen.generation.engine import records

    marks = ANSI if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else BRACKETS
    shown = list(records(compiled, min(n, _room(compiled)), seed))
    yield from describe(compiled, capacity)
    for record in shown:
        yield ""
        yield from record_lines(record, marks)


def _watch(paradigm: str, n: int, seed: int, data: Path | None, profile: str | None) -> None:
    """Draw a paradigm whenever it, the file that it extends, or a table or rule of the user's folder is saved."""
    from blimpgen.authoring.watch import saves

    words = library(data, profile)
    path = words.paradigm(paradigm).document.path if not Path(paradigm).suffix else Path(paradigm)
    beside = [path.parent, *([data / "lexicon", data / "grammars"] if data else [])]

    def files() -> Iterator[Path]:
        yield path
        for folder in beside:
            yield from (p for p in folder.rglob("*") if p.suffix in (".yaml", ".tsv", ".cfg"))

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
    from blimpgen.checks.paradigms import problems
    from blimpgen.generation.prepare import prepare

    if sys.stdout.isatty():
        typer.echo("\x1b[H\x1b[2J", nl=False)
    try:
        compiled = prepare(words.reread(path), words, unproven=lambda fault: None)
        typer.echo("\n".join([*_shown(compiled, n, seed, compiled.counted(ROUGH)), ""]))
        sys.stdout.flush()
        found = [str(problem) for problem in problems(words, path)]
    except BlimpgenError as error:
        found = [str(error)]
    typer.echo("\n".join([*(found or ["0 problems"]), f"-- {time.monotonic() - started:.2f} s"]))
    sys.stdout.flush()


def count(
    targets: Annotated[list[str], typer.Argument(metavar="TARGET", show_default=False, help="UIDs, suites or files.")],
    as_json: AsJson = False,
    data: Data = None,
    profile: Profile = None,
) -> None:
    """Count the assignments of paradigms and their sentences, by the tables of a suite too.

    Example: blimpgen count blimp
    """
    from blimpgen.api import count_table
    from blimpgen.generation.prepare import prepare

    words = library(data, profile)
    paradigms = [prepare(paradigm, words) for paradigm in words.targets(targets)]
    suites = [words.suites[name] for name in dict.fromkeys(targets) if name in words.suites]
    tables = {
        f"{suite.name}/{table}": count_table(suite.name, table, library=words)
        for suite in suites
        for table in suite.model.tables
    }
    if as_json:
        write_json({"paradigms": [_counted(compiled) for compiled in paradigms], "tables": tables})
        return
    width = max(len(compiled.paradigm.uid) for compiled in paradigms)
    for compiled in paradigms:
        typer.echo(f"{compiled.paradigm.uid:{width}}  {compiled.capacity}  {_remark(compiled)}")
    for name, rows in tables.items():
        typer.echo("\n".join(["", *_table(name, rows)]))


def _table(name: str, rows: Mapping[str, int]) -> Iterator[str]:
    """A table with its sum."""
    width = max(len(row) for row in (*rows, name, "sum"))
    yield f"{name:{width}}  {'sentences':>10}"
    for row, size in {**rows, "sum": sum(rows.values())}.items():
        yield f"{row:{width}}  {size:>10,}"


def _counted(compiled: CompiledParadigm) -> dict[str, object]:
    capacity, sentences = compiled.capacity, len(compiled.paradigm.sentences)
    found: dict[str, object] = {
        "UID": compiled.paradigm.uid,
        "assignments": capacity.value,
        "exact": capacity.exact,
        "low": capacity.low,
        "high": capacity.high,
        "sentences": capacity.value * sentences,
    }
    if compiled.paradigm.model.enumerate == "no":
        found["accepted"] = round(_acceptance(compiled), 4)
    return found


def _remark(compiled: CompiledParadigm) -> str:
    """Of a design the sentences that it makes when enumerated, otherwise how many attempts become rows."""
    if compiled.paradigm.model.enumerate == "yes":
        return f"{compiled.capacity.value * len(compiled.paradigm.sentences):,.0f} sentences"
    return f"{_acceptance(compiled):.0%} accepted"


def _room(compiled: CompiledParadigm) -> int:
    """How many rows a paradigm can give at least, up to the number that is tried."""
    sizes = [len(cell.enumerated[0]) for cell in compiled.cells if cell.enumerated is not None]
    unlimited = compiled.paradigm.model.unique == "off"
    return _TRIED if unlimited or not sizes else min(_TRIED, min(sizes) * len(compiled.cells))


def _acceptance(compiled: CompiledParadigm) -> float:
    from blimpgen.generation.engine import Result, records

    result = Result()
    for _ in records(compiled, _room(compiled), 0, result=result):
        pass
    return result.acceptance
