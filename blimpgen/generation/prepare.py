"""Preparing a paradigm: compiled, proven, and with the words of its variant, it is ready to be drawn.

Everything that draws begins here: `generate`, `show`, `count`, `check`, `explain`, `why` and the study of nouns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from functools import partial
from pathlib import Path

from blimpgen.base.errors import DataError
from blimpgen.generation.cache import load_plans, store_plans
from blimpgen.generation.compile import compile_paradigm
from blimpgen.generation.compiled import CompiledParadigm, PlannedCell
from blimpgen.generation.overlay import overlaid
from blimpgen.generation.proof import prove
from blimpgen.generation.row_proof import RowProof
from blimpgen.library import Library, default_library
from blimpgen.paradigm import Paradigm
from blimpgen.realize import Columns

__all__ = ["prepare"]


def prepare(
    paradigm: Paradigm | str | Path,
    library: Library | None = None,
    *,
    seed: int = 0,
    unproven: Callable[[DataError], None] | None = None,
) -> CompiledParadigm:
    """Prepare a paradigm: compile it, prove its templates, and lay made-up words over it if its variant has some.

    What does not depend on the seed is done once in a library; plans that were proven are taken from the user's cache.

    Args:
        paradigm: a paradigm, its UID, or the path of its file.
        library: its words and rules; the shipped ones by default.
        seed: the seed of the set, on which made-up words depend.
        unproven: called with what is wrong with a template or with rows; then these are given all the same.

    Raises:
        DataError: a paradigm that cannot be compiled; a template that does not hold, unless `unproven` is given; a
            made-up word where the contrast needs a real one.
    """
    library = library or default_library()
    paradigm = paradigm if isinstance(paradigm, Paradigm) else library.paradigm(paradigm)
    compiled = _proven(paradigm, library)
    if compiled.fault is not None:
        if unproven is None:
            raise compiled.fault
        unproven(compiled.fault)
    ready = overlaid(compiled, library, seed)
    if compiled.fault is None and ready.check_rows is None:
        ready.check_rows = RowProof(ready).check
    check = ready.check_rows
    if unproven is not None and check is not None:
        ready = copy(ready)
        ready.check_rows = partial(_check_and_tell, check, unproven)
    return ready


def _check_and_tell(
    check: Callable[[Iterable[tuple[int, Columns]]], None],
    unproven: Callable[[DataError], None],
    parts: Iterable[tuple[int, Columns]],
) -> None:
    """Check rows, and tell what is wrong instead of raising it."""
    try:
        check(parts)
    except DataError as fault:
        unproven(fault)


def _proven(paradigm: Paradigm, library: Library) -> CompiledParadigm:
    """A compiled paradigm with the verdict of its proof; kept in the library."""
    key = (paradigm.uid, paradigm.document.path, paradigm.content)
    if key not in library.cache:
        planned = load_plans(paradigm, library.language_of(paradigm))
        library.cache[key] = compile_paradigm(paradigm, library, planned)
    compiled: CompiledParadigm = library.cache[key]
    if not compiled.proven:
        try:
            compiled.check_rows = prove(compiled).check
        except DataError as error:
            compiled.fault = error
        else:
            store_plans(paradigm, compiled.language, [PlannedCell(c.plan, c.enumerated) for c in compiled.cells])
        compiled.proven = True
    return compiled
