"""Scenes: the walks of life that words belong to, so that the words of a sentence make sense together.

No label rests on them. A word that no scene names is general: it goes with every other.
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

__all__ = ["Scenes"]

_COLUMNS = {"N": "nouns", "V": "verbs", "A": "adjectives"}
"""Category to the column that says which of its words belong to a scene."""


class Scenes:
    """The scenes of one lexicon.

    Args:
        table: the rows of ``scenes.tsv``.
        parse: reads a restriction.

    Attributes:
        names: the scenes, in the order of the table.
    """

    def __init__(self, table: LexemeTable, parse: Callable[[str, Place | None], Expression]) -> None:
        self._table, self._parse = table, parse
        self.names: tuple[str, ...] = tuple(table["scene"])
        self._memberships: Memo[NDArray[np.bool_]] = Memo()
        self._doings: Memo[NDArray[np.bool_]] = Memo()
        self._trades: Memo[NDArray[np.bool_]] = Memo()

    def of(self, inventory: Inventory) -> NDArray[np.bool_]:
        """Which words belong to which scenes, shape (lexemes, scenes); a row without any is a general word.

        Args:
            inventory: the words of a category.
        """
        return self._memberships.once(lambda: self.of_doings(inventory) & self._with_nouns, inventory)

    def of_doings(self, inventory: Inventory) -> NDArray[np.bool_]:
        """As `of`, with the scenes that no noun is in: they say which doings go together, whoever does them to whom.

        Args:
            inventory: the words of a category.
        """
        return self._doings.once(lambda: self._of(inventory), inventory)

    def of_contrary(self, inventory: Inventory) -> NDArray[np.bool_]:
        """The scenes of what is done in spite of the doings of each word, shape (lexemes, scenes).

        Args:
            inventory: the words of a category.
        """
        return np.asarray(self.of_doings(inventory) @ self._contrary)

    @cached_property
    def _contrary(self) -> NDArray[np.bool_]:
        """Which scene is contrary to which, shape (scenes, scenes)."""
        contrary = [[name == other for other in self.names] for name in self._table["contrary"]]
        return np.array(contrary, dtype=bool).reshape(len(self.names), len(self.names))

    def of_events(self, inventory: Inventory) -> NDArray[np.bool_]:
        """The scenes of events without those that strangers share: what anybody does, or does on a day off.

        Args:
            inventory: the words of a category.
        """
        are_shared = np.array([bool(people) for people in self._table["strangers"]], dtype=bool)
        return np.asarray(self.of(inventory) & ~are_shared)

    @cached_property
    def _with_nouns(self) -> NDArray[np.bool_]:
        """Which scenes name nouns, shape (scenes,)."""
        return np.array([bool(nouns) for nouns in self._table["nouns"]], dtype=bool)

    def trades(self, inventory: Inventory) -> NDArray[np.bool_]:
        """Which people a scene has for what they do there, shape (lexemes, scenes); a row without any meets everybody.

        Args:
            inventory: the words of a category.
        """
        return self._trades.once(lambda: self._trades_of(inventory), inventory)

    def _trades_of(self, inventory: Inventory) -> NDArray[np.bool_]:
        if inventory.category != "N":
            return np.zeros((len(inventory), len(self.names)), dtype=bool)
        strangers = self._read("strangers", inventory)
        return self.of(inventory) & ~strangers & strangers.any(axis=1, keepdims=True)

    def _of(self, inventory: Inventory) -> NDArray[np.bool_]:
        column = _COLUMNS.get(inventory.category)
        return self._read(column, inventory) if column else np.zeros((len(inventory), len(self.names)), dtype=bool)

    def _read(self, column: str, inventory: Inventory) -> NDArray[np.bool_]:
        """Which words satisfy what each scene says in a column."""
        cells = zip(self._table[column], self._table.places, strict=True)
        return inventory.satisfying_each(cells, self._parse, empty=False)
