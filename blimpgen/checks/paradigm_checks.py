"""Checks of one paradigm: it compiles, its templates hold, a sample of it can be drawn, its examples come out."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from blimpgen.base.errors import DataError
from blimpgen.checks.problem import Problem
from blimpgen.checks.worked_examples import check_example
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.engine import draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.generation.sample import rows_of_every_kind
from blimpgen.library import Library

__all__ = ["check_paradigm", "problems"]

_SAMPLE = 200


def check_paradigm(library: Library, path: Path) -> list[Callable[[], None]]:
    """Check one paradigm file.

    Returns:
        The checks of its examples, each a call that raises `DataError`; they do not depend on each other.

    Raises:
        DataError: the first thing that is wrong with the paradigm itself.
    """
    compiled = prepare(path, library)
    _draw(compiled)
    _prove_every_kind(compiled)
    return [partial(check_example, compiled, number) for number in range(len(compiled.paradigm.model.examples))]


def problems(library: Library, path: Path) -> list[Problem]:
    """What is wrong with one paradigm file and its examples; words and rules are taken to be right."""
    collected: dict[Problem, None] = {}
    try:
        tasks = check_paradigm(library, path)
    except DataError as error:
        return [Problem.of(error)]
    for task in tasks:
        try:
            task()
        except DataError as error:
            collected.setdefault(Problem.of(error))
    return list(collected)


def _draw(compiled: CompiledParadigm) -> None:
    """Draw a few rows: what no single template shows (prefixes, recorded keys, labels) shows there."""
    sizes = [len(cell.enumerated[0]) for cell in compiled.cells if cell.enumerated is not None]
    unlimited = compiled.paradigm.model.unique == "off"
    room = _SAMPLE if unlimited or not sizes else min(_SAMPLE, min(sizes) * len(compiled.cells))
    for block in draw_set(compiled, max(room, len(compiled.cells)), 0):
        Assembly(compiled).rows(block)


def _prove_every_kind(compiled: CompiledParadigm) -> None:
    """Prove rows with every kind of word that a contrasting slot may have, seldom ones too."""
    if compiled.check_rows is not None:
        for number in range(len(compiled.cells)):
            compiled.check_rows((number, columns) for columns in rows_of_every_kind(compiled, number, _SAMPLE))
