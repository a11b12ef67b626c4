"""Frequencies of lexemes: the Zipf scale, log10 of the occurrences in a billion words, from ``zipf.tsv``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.base.sources import read_tsv
from blimpgen.lexicon import Inventory

__all__ = ["Frequencies"]

_MEASURED = ("N", "Name", "V", "A", "Adv")


class Frequencies:
    """The frequencies of the lexemes of a lexicon.

    Args:
        folders: the table folders, the shipped one first; a later one replaces or adds rows.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.by_id: dict[str, float] = {}
        for folder in folders:
            path = folder / "zipf.tsv"
            if path.exists():
                table = read_tsv(path, ("id", "zipf"), required=("id", "zipf"))
                for k, (name, text) in enumerate(zip(table.column("id"), table.column("zipf"), strict=True)):
                    try:
                        self.by_id[name] = float(text)
                    except ValueError:
                        raise DataError(f"zipf={text!r}; write a number", table.place(k), "value") from None

    def of(self, inventory: Inventory) -> NDArray[np.float64]:
        """The frequency of each lexeme; NaN where it is unknown, and for closed classes."""
        if inventory.category not in _MEASURED:
            return np.full(len(inventory), np.nan)
        return np.array([self.by_id.get(name, np.nan) for name in inventory.ids])
