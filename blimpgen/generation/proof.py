"""The proof of a paradigm before anything of it is drawn: its templates, each on one row of every cell.

The proof draws its rows itself: a paradigm is proven before there is a set to take rows from. The rows of a set are
proven when they are written (`blimpgen.generation.row_proof`).
"""

from __future__ import annotations

from contextlib import suppress

from blimpgen.base.errors import DataError
from blimpgen.generation.compiled import CompiledParadigm
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
            one that it does, without a reason.
    """
    _check_different(compiled)
    if compiled.paradigm.model.unproven and not compiled.language.grammar.lists:
        what = "a paradigm of these words is proven, or no grammar judges it"
        raise DataError(f"{what}; take 'unproven' out", compiled.paradigm.place("unproven"), "derivable")
    compiled.check_size(len(compiled.cells))
    proof = RowProof(compiled)
    rows = [(number, compiled.sample(number, 1)) for number in range(len(compiled.cells))]
    for row in rows if proof.fault(rows) else ():
        if fault := proof.fault([row]):
            with suppress(DataError):
                fault = proof.fault([(row[0], compiled.sample(row[0], _SAMPLE))]) or fault
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
