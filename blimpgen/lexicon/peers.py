"""Peers: things that one compares or names in one breath, and nouns that cover others.

No label rests on them. *The desk is older than the table* compares two pieces of furniture; *The sedan is older than
the car* compares nothing, since *car* covers *sedan*.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import Place
from blimpgen.base.memo import Memo
from blimpgen.lexicon.inventory import Inventory
from blimpgen.lexicon.restrictions import Expression
from blimpgen.lexicon.rows import LexemeTable

__all__ = ["Peers"]


class Peers:
    """The classes of peers of one lexicon.

    Args:
        table: the rows of ``peers.tsv``.
        nouns: all nouns.
        parse: reads a restriction.

    Attributes:
        names: the classes, in the order of the table.
    """

    def __init__(self, table: LexemeTable, nouns: Inventory, parse: Callable[[str, Place | None], Expression]) -> None:
        self._table, self._nouns, self._parse = table, nouns, parse
        self.names: tuple[str, ...] = tuple(table["peers"])
        self._members: Memo[NDArray[np.bool_]] = Memo()

    def of(self, inventory: Inventory) -> NDArray[np.bool_]:
        """Which nouns are in which classes, and by which adjectives the members of a class are compared.

        Args:
            inventory: the words of a category; those that are neither nouns, names nor adjectives go with every class.

        Returns:
            A table of the shape (lexemes, classes).
        """
        return self._members.once(lambda: self._of(inventory), inventory)

    def _of(self, inventory: Inventory) -> NDArray[np.bool_]:
        if inventory.category == "Name":
            return self._of_names(inventory)
        column = {"N": "nouns", "A": "adjectives"}.get(inventory.category)
        if column is None:
            return np.ones((len(inventory), len(self.names)), dtype=bool)
        cells = zip(self._table[column], self._table.places, strict=True)
        return inventory.satisfying_each(cells, self._parse, empty=True)

    def _of_names(self, names: Inventory) -> NDArray[np.bool_]:
        """The classes that have a noun of a type of each name: a city is compared with towns, not with hawks."""
        members, types = self.of(self._nouns), names.columns["types"]
        table = np.zeros((len(names), len(self.names)), dtype=bool)
        for cell in dict.fromkeys(types.tolist()):
            are_alike = self._nouns.mask(self._parse(cell.replace("+", " | "), None))
            table[types == cell] = members[are_alike].any(axis=0)
        return table

    @cached_property
    def covering(self) -> NDArray[np.int64]:
        """The nouns that cover others, as numbers of lexemes."""
        return np.flatnonzero(self._nouns.columns["covers"] != "")

    @cached_property
    def covered(self) -> NDArray[np.bool_]:
        """Which nouns each noun that covers others covers, itself or by way of one that it covers.

        Returns:
            A table of the shape (lexemes, covering nouns).
        """
        texts = self._nouns.columns["covers"]
        cells = ((texts[noun], self._nouns.places[noun]) for noun in self.covering.tolist())
        covered = self._nouns.satisfying_each(cells, self._parse, empty=False)
        for number, noun in enumerate(self.covering.tolist()):
            covered[:, covered[noun]] |= covered[:, number, None]
        return covered
