"""Preparing a paradigm: compiled, proven, and with the words of its variant, it is ready to be drawn.

Everything that draws begins here: `generate`, `show`, `count`, `check`, `explain`, `why` and the study of nouns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.generation.compiled import COMPILED, CompiledParadigm, Proof, compile_paradigm
from blimpgen.generation.made_up_words import overlaid
from blimpgen.generation.proof import prove
from blimpgen.generation.row_proof import FEW, FEW_OF, RowProof
from blimpgen.library import Library, default_library
from blimpgen.paradigm import Paradigm
from blimpgen.plan.cache import load_plans, store_plans
from blimpgen.plan.plan import Columns, PlannedCell

__all__ = ["prepare"]

_MOST_REDRAWN = 8
"""How often rows that are only looked at are drawn anew before they are shown, and told to be wrong."""


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
    language = library.language_of(paradigm)

    def compiled_anew() -> CompiledParadigm:
        planned = load_plans(paradigm, language)
        return compile_paradigm(paradigm, language, planned)

    key = (paradigm.uid, paradigm.document.path)
    compiled = library.cache.once("compiled", key, compiled_anew, most=COMPILED, version=paradigm.content)
    _prove(compiled)
    if compiled.fault is not None:
        if unproven is None:
            raise compiled.fault
        unproven(compiled.fault)
    ready = overlaid(compiled, library, seed)
    if compiled.fault is None and ready.proof is None:
        ready.proof = RowProof(ready)
    proof = ready.proof
    if unproven is not None and proof is not None:
        ready = copy(ready)
        ready.proof = _Telling(proof, unproven)
    return ready


@dataclass
class _Telling:
    """A proof that tells what is wrong instead of raising it.

    Attributes:
        proof: the proof.
        tell: called with what is wrong.
        redrawn: how often rows were drawn anew; one whose word is dealt to it may be wrong whatever goes with the word.
    """

    proof: Proof
    tell: Callable[[DataError], None]
    redrawn: int = 0

    def check(self, parts: Iterable[tuple[int, Columns]]) -> None:
        """Check rows, and tell what is wrong."""
        try:
            self.proof.check(parts)
        except DataError as fault:
            self.tell(fault)

    def refuted(
        self, parts: Sequence[tuple[int, Columns]], few: int = FEW, share: float = FEW_OF
    ) -> list[NDArray[np.int64]]:
        """Find the rows to be drawn anew, or tell what is wrong if they are more than a few."""
        try:
            refuted = self.proof.refuted(parts, few, share)
            self.redrawn += any(map(len, refuted))
            return refuted if self.redrawn <= _MOST_REDRAWN else self.proof.refuted(parts, 0, 0.0)
        except DataError as fault:
            self.tell(fault)
            return [np.zeros(0, dtype=np.int64) for _ in parts]

    def store(self) -> None:
        """Store what was found out, for later runs."""
        self.proof.store()


def _prove(compiled: CompiledParadigm) -> None:
    """Note the verdict of the proof in a compiled paradigm, if it is not there yet; plans that hold are stored."""
    if not compiled.proven:
        try:
            compiled.proof = prove(compiled)
        except DataError as error:
            compiled.fault = error
        else:
            plans = [PlannedCell(cell.plan, cell.enumerated) for cell in compiled.cells]
            store_plans(compiled.paradigm, compiled.language, plans)
        compiled.proven = True
