"""The proof of a paradigm before anything of it is drawn: its templates, each on one row of every cell.

The proof draws its rows itself: a paradigm is proven before there is a set to take rows from. The rows of a set are
proven when they are written (`blimpgen.generation.row_proof`).
"""

from __future__ import annotations

from contextlib import suppress

from blimpgen.base.errors import DataError
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.regions import check_regions
from blimpgen.generation.row_proof import RowProof

__all__ = ["prove"]

_SAMPLE = 200  # rows from which the message says how many are wrong, and which words they have in common


def prove(compiled: CompiledParadigm) -> RowProof:
    """Prove the templates of a paradigm, each on one row of every cell.

    Args:
        compiled: the paradigm.

    Returns:
        What proves its other rows.

    Raises:
        DataError: a bad template that is the same as the good one; a good one that the grammar does not derive; a bad
            one that it does, without a reason; regions that leave a token out.
    """
    _check_different(compiled)
    check_regions(compiled)
    compiled.check_size(len(compiled.cells))
    proof = RowProof(compiled)
    for number in range(len(compiled.cells)):
        if fault := proof.fault([(number, compiled.sample(number, 1))]):
            with suppress(DataError):
                fault = proof.fault([(number, compiled.sample(number, _SAMPLE))]) or fault
            raise fault
    return proof


def _check_different(compiled: CompiledParadigm) -> None:
    paradigm = compiled.paradigm
    for good, bad in paradigm.pairs.values():
        if all(cell.plan.tokens[good] == cell.plan.tokens[bad] for cell in compiled.cells):
            key = ("sentences", bad) if paradigm.model.sentences else (bad,)
            raise DataError(
                f"{bad!r} is the same as {good!r}; change a slot in place, as in slot[Number=other], or "
                "take another slot or order",
                paradigm.place(*key),
                "sentence",
            )
