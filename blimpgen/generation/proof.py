"""The proof of a paradigm, before anything of it is written.

The grammar must derive the good template, in the closed reading, and must not derive the bad one, in the open reading,
unless the file says why that is meant (``derivable: ...``). One row of every cell is tried. The proof draws its rows
itself: a paradigm is proven before there is a set to take rows from.
"""

from __future__ import annotations

from blimpgen.base.errors import DataError
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.generation.derivations import Deriver, Row, derivable_slots
from blimpgen.generation.regions import check_regions
from blimpgen.paradigm import Token

__all__ = ["prove"]

_OPEN_CLASS = ("N", "Name", "V", "A")
_ASSERTIONS = ("bad_subject_of", "bad_object_of")


def prove(compiled: CompiledParadigm) -> None:
    """Prove the templates of a paradigm, each on one row of every cell.

    Raises:
        DataError: a bad template that is the same as the good one; a good one that the grammar does not derive; a bad
            one that it does, without a reason; regions that leave a token out.
    """
    _check_different(compiled)
    check_regions(compiled)
    compiled.check_size(len(compiled.cells))
    for number, cell in enumerate(compiled.cells):
        if derivable_slots(cell):
            _prove_row(compiled, Row(cell, compiled.sample(number, 1)))


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


def _prove_row(compiled: CompiledParadigm, row: Row) -> None:
    paradigm = compiled.paradigm
    good = {better for better, _ in paradigm.pairs.values()}
    for name in row.cell.sentences:
        key = ("sentences", name) if paradigm.model.sentences else (name,)
        if name in good:
            if Deriver(row).tree(name) is None:
                raise DataError(
                    f"the clause grammar does not derive {name!r}: {_categories(row, name)}; "
                    "see grammars/english/*.cfg for its rules",
                    paradigm.place(*key),
                    "underivable",
                )
        elif paradigm.model.derivable is None and Deriver(row, "open").tree(name) is not None:
            raise _derivable(compiled, row, name, next(b for b, w in paradigm.pairs.values() if w == name))


def _derivable(compiled: CompiledParadigm, row: Row, bad: str, good: str) -> DataError:
    paradigm = compiled.paradigm
    key = ("sentences", bad) if paradigm.model.sentences else (bad,)
    for slot in _only_in(row.cell, bad, good):
        return DataError(
            f"unasserted violation: only {bad!r} has the slot {slot!r}, and nothing asserts that it is "
            "wrong there; write no_frame: F, bad_subject_of: V or bad_object_of: V",
            paradigm.place("slots", slot),
            "unasserted",
        )
    return DataError(
        f"the clause grammar derives {bad!r} too: {_categories(row, bad)}; if the fault is one of selection "
        "alone, say so in derivable: WHY",
        paradigm.place(*key),
        "derivable",
    )


def _only_in(cell: CompiledCell, bad: str, good: str) -> list[str]:
    """Open-class slots that only the bad sentence has and that carry no assertion."""

    def slots(tokens: tuple[Token, ...]) -> dict[str, None]:
        return dict.fromkeys(t.slot for t in tokens if t.slot)

    extra = slots(cell.plan.tokens[bad]).keys() - slots(cell.plan.tokens[good]).keys()
    responsible = []
    for slot in sorted(extra):
        spec, node = cell.plan.specs[slot], cell.plan.slots.get(slot)
        open_class = node is not None and any(leaf.inventory.category in _OPEN_CLASS for leaf in node.leaves)
        if open_class and not spec.no_frames and not spec.relations.keys() & set(_ASSERTIONS):
            responsible.append(slot)
    return responsible


def _categories(row: Row, sentence: str) -> str:
    deriver = Deriver(row)
    shown = []
    for token in row.cell.plan.tokens[sentence]:
        names = dict.fromkeys(t.category for t in deriver.terminals(token))
        shown.append(token.text or "/".join(names) or "?")
    return " ".join(shown)
