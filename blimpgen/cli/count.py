"""`blimpgen count`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.cli.options import AsJson, Data, Profile, argument, library, write_json

if TYPE_CHECKING:
    from blimpgen.generation.compiled import CompiledParadigm

__all__ = ["count", "rows_available"]

_TRIED = 1000
"""Rows from which the share of accepted attempts is measured."""


def count(
    targets: Annotated[list[str], argument("TARGET", "UIDs, suites or files.")],
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
    figures: dict[str, object] = {
        "UID": compiled.paradigm.uid,
        "assignments": capacity.value,
        "exact": capacity.exact,
        "low": capacity.low,
        "high": capacity.high,
        "sentences": capacity.value * sentences,
    }
    if compiled.paradigm.model.enumerate == "no":
        figures["accepted"] = round(_acceptance(compiled), 4)
    return figures


def _remark(compiled: CompiledParadigm) -> str:
    """Of a design the sentences that it makes when enumerated, otherwise how many attempts become rows."""
    if compiled.paradigm.model.enumerate == "yes":
        return f"{compiled.capacity.value * len(compiled.paradigm.sentences):,.0f} sentences"
    return f"{_acceptance(compiled):.0%} accepted"


def _acceptance(compiled: CompiledParadigm) -> float:
    from blimpgen.generation.engine import Tally, draw_set

    tally = Tally()
    for _ in draw_set(compiled, rows_available(compiled), 0, tally=tally):
        pass
    return tally.acceptance


def rows_available(compiled: CompiledParadigm) -> int:
    """How many rows a paradigm can give at least, up to the number that is tried."""
    sizes = [len(cell.enumerated[0]) for cell in compiled.cells if cell.enumerated is not None]
    unlimited = compiled.paradigm.model.unique == "off"
    return _TRIED if unlimited or not sizes else min(_TRIED, min(sizes) * len(compiled.cells))
