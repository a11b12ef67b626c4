"""Checks of one paradigm: it compiles, its templates hold, a sample of it can be drawn, its examples come out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from blimpgen.base.errors import DataError
from blimpgen.checks.notes import notes
from blimpgen.checks.problem import Problem
from blimpgen.checks.worked_examples import check_example
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.engine import draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.generation.sample import rows_of_every_kind
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm

__all__ = ["Checked", "check_paradigm", "problems", "problems_by_step"]

_SAMPLE = 200
_RARE = 1 / 5000
"""Share of rows with another reading that `generate` may draw anew; a word that is wrong comes up more often."""


class Checked(NamedTuple):
    """What is left to be told of a paradigm that is right itself.

    Attributes:
        examples: the checks of its examples, each a call that raises `DataError`; they do not depend on each other.
        notes: what is odd, and no error.
    """

    examples: Sequence[Callable[[], None]]
    notes: list[Problem]


def check_paradigm(library: Library, paradigm: Paradigm | Path) -> Checked:
    """Check one paradigm, or its file.

    Args:
        library: words, rules, and what the paradigm may extend.
        paradigm: the paradigm, or its file, which need not be in the library.

    Raises:
        DataError: the first thing that is wrong with the paradigm itself.
    """
    compiled = prepare(paradigm, library)
    deque(_steps(compiled), maxlen=0)
    numbers = range(len(compiled.paradigm.model.examples))
    return Checked([partial(check_example, compiled, number) for number in numbers], list(notes(compiled)))


def problems(library: Library, paradigm: Paradigm | Path) -> list[Problem]:
    """What is wrong with one paradigm and its examples, then what is odd; words and rules are taken to be right.

    Args:
        library: words, rules, and what the paradigm may extend.
        paradigm: the paradigm, or its file, which need not be in the library.
    """
    return list(dict.fromkeys(filter(None, problems_by_step(library, paradigm))))


def problems_by_step(library: Library, paradigm: Paradigm | Path) -> Iterator[Problem | None]:
    """As `problems`, step by step, for who may want to stop before all is checked.

    Args:
        library, paradigm: as of `problems`.

    Yields:
        What a step found; None for a step that found nothing.
    """
    try:
        compiled = prepare(paradigm, library)
        yield from _steps(compiled)
    except DataError as error:
        yield Problem.of(error)
        return
    for number in range(len(compiled.paradigm.model.examples)):
        try:
            check_example(compiled, number)
            yield None
        except DataError as error:
            yield Problem.of(error)
    yield from notes(compiled)


def _steps(compiled: CompiledParadigm) -> Iterator[None]:
    """The checks of a paradigm itself, one after the other."""
    _draw(compiled)
    yield
    for number in range(len(compiled.cells)):
        _prove_every_kind(compiled, number)
        yield


def _draw(compiled: CompiledParadigm) -> None:
    """Draw a few rows: what no single template shows (prefixes, recorded keys, labels) shows there."""
    sizes = [len(cell.enumerated[0]) for cell in compiled.cells if cell.enumerated is not None]
    unlimited = compiled.paradigm.model.unique == "off"
    room = _SAMPLE if unlimited or not sizes else min(_SAMPLE, min(sizes) * len(compiled.cells))
    deque(Assembly(compiled).rows(draw_set(compiled, max(room, len(compiled.cells)), 0)), maxlen=0)


def _prove_every_kind(compiled: CompiledParadigm, number: int) -> None:
    """Prove rows of a cell with every kind of word that a contrasting slot may have, seldom ones too."""
    if compiled.proof is not None:
        parts = [(number, columns) for columns in rows_of_every_kind(compiled, number, _SAMPLE)]
        compiled.proof.refuted(parts, 0, _RARE)
