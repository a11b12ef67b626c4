"""An inventory: the lexemes of one category as columns, with their forms as columns of string numbers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, KeysView, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, missing_values, nearest
from blimpgen.base.memo import Memo
from blimpgen.lexicon.restrictions import Atom, Expression, atoms, evaluate

__all__ = ["WITHHELD", "Inventory", "Mask", "name_values"]

Mask: TypeAlias = NDArray[np.bool_]

_Coded: TypeAlias = tuple[dict[str, list[int]], NDArray[np.intp]]
"""The different cells of a column by number: for each value those that have it, and the cell of each lexeme."""

WITHHELD = {"rare": "", "bound": "", "granular": "Sing"}
"""Marks of lexemes that are drawn only where a restriction asks for them; in which number, if in one only."""


@dataclass(frozen=True)
class Inventory:
    """The lexemes of one category.

    Attributes:
        category: N, Name, V, A, D, ...
        ids: lexeme ids, in table order.
        columns: column name to one string a lexeme; lists keep their commas.
        forms: cell name to string numbers, -1 where the lexeme has no such form.
        weights: how often each is drawn against the others (1 for open classes).
        content: an open-class category, whose lexemes stand once in a sentence.
        names: what a bare NAME in a restriction asks, if anything.
        tagged: what ``+TAG`` asks, if anything.
        places: where each lexeme stands, if in a table.
        admit: which lexemes may be drawn at all, where a variant excludes some.
        inflected: its forms are those of a list of inflected words, under their UD features.
    """

    category: str
    ids: tuple[str, ...]
    columns: Mapping[str, NDArray[np.object_]] = field(repr=False)
    forms: Mapping[str, NDArray[np.int32]] = field(repr=False)
    weights: NDArray[np.int64] = field(repr=False)
    content: bool = False
    names: Callable[[str, Place | None], Mask] | None = field(default=None, repr=False)
    tagged: Callable[[str, Place | None], Mask] | None = field(default=None, repr=False)
    places: tuple[Place, ...] = field(default=(), repr=False)
    admit: Callable[[Inventory], Mask] | None = field(default=None, repr=False)
    inflected: bool = False
    _codes: Memo[_Coded] = field(default_factory=Memo, repr=False)
    _masks: Memo[Mask] = field(default_factory=Memo, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def lemmas(self) -> NDArray[np.object_]:
        """The lemma of each lexeme; its id where the tables know none."""
        return self.columns.get("lemma", np.array(self.ids, dtype=object))

    @cached_property
    def withheld(self) -> Mapping[str, Mask]:
        """Mark to the lexemes that have it: understood, but drawn only where a restriction mentions mark or lemma."""
        cells = [cell.split(",") for cell in self.columns.get("tags", ())] or [[]] * len(self)
        return {mark: np.array([mark in cell for cell in cells], dtype=bool) for mark in WITHHELD}

    @cached_property
    def unasked(self) -> Mask:
        """Lexemes that are drawn, in some number, where no restriction asks for them."""
        masks = [~marked for mark, marked in self.withheld.items() if not WITHHELD[mark]]
        return np.asarray(np.logical_and.reduce(masks))

    @cached_property
    def incomplete(self) -> Mask:
        """Verbs that leave a question open without an object: drawn so only where a restriction says `objectless`."""
        objectless, tags = (self.columns.get(name, ()) for name in ("objectless", "tags"))
        pairs = zip(objectless, tags, strict=False)
        return np.array([less == "yes" and "alone" not in tag.split(",") for less, tag in pairs], dtype=bool)

    @cached_property
    def admitted(self) -> Mask:
        """Lexemes that may be drawn: all, unless a variant excludes some."""
        return self.admit(self) if self.admit else np.ones(len(self), dtype=bool)

    @cached_property
    def stems(self) -> NDArray[np.int64]:
        """A number for what a speaker hears as the same word again: not 0; no sentence has one twice.

        Lexemes of one spelling share it, an adjective shares that of the verb that it is a form of (*broken*), and an
        English compound that of its head: no house is cozier than a ranch house.
        """
        particles, verbs = self.columns.get("prt"), self.columns.get("form_of")
        headed = self.category == "N" and not self.inflected
        texts = [f"{self.category} {lemma.rpartition(' ')[2] if headed else lemma}" for lemma in self.lemmas]
        if particles is not None:
            texts = [f"{text} {particle}".strip() for text, particle in zip(texts, particles, strict=True)]
        if verbs is not None:
            texts = [f"V {verb}" if verb else text for text, verb in zip(texts, verbs, strict=True)]
        digests = (hashlib.blake2b(text.encode(), digest_size=8).digest() for text in texts)
        return np.array([int.from_bytes(digest, "little", signed=True) or 1 for digest in digests], dtype=np.int64)

    def mask(
        self,
        expression: Expression,
        place: Place | None = None,
        extra: Mapping[str, NDArray[np.object_]] | None = None,
        *,
        one_of_several: bool = False,
    ) -> Mask:
        """Which lexemes satisfy a restriction, each taken as a whole.

        Args:
            expression: the parsed restriction.
            place: where it stands, for errors.
            extra: further columns, such as those of the frame in question.
            one_of_several: the restriction is asked of other categories too, so a column or value that no lexeme
                of this one has just holds of none.
        """
        columns = extra or {}
        return self._masks.once(
            lambda: np.asarray(evaluate(expression, lambda atom: self._atom(atom, place, columns, one_of_several))),
            *(columns.get(name) for name in _column_names(expression)),
            key=(expression, one_of_several),
        )

    def satisfying_each(
        self, cells: Iterable[tuple[str, Place]], parse: Callable[[str, Place | None], Expression], *, empty: bool
    ) -> Mask:
        """Which lexemes satisfy which of some restrictions of a table that has been checked, (lexemes, restrictions).

        Args:
            cells: the restrictions, with where each stands.
            parse: reads a restriction.
            empty: whether all satisfy an empty one, or none.
        """
        columns = [
            evaluate(parse(text, place), self.satisfying) if text else np.full(len(self), empty)
            for text, place in cells
        ]
        return np.column_stack(columns) if columns else np.zeros((len(self), 0), dtype=bool)

    def satisfying(self, atom: Atom) -> Mask:
        """Which lexemes satisfy an atom of a table that has been checked.

        A word that a folder of a user's own replaces may be named still, and a column that only another category has.

        Args:
            atom: the atom.
        """
        if atom.kind != "column":
            return self.mask(atom)
        values = self.values(atom.name)
        named = tuple(value for value in atom.values if value in values)
        return self.has(atom.name, named) if named else np.zeros(len(self), dtype=bool)

    def _atom(
        self, atom: Atom, place: Place | None, extra: Mapping[str, NDArray[np.object_]], one_of_several: bool
    ) -> Mask:
        if atom.kind in ("any", "none"):
            return np.full(len(self), atom.kind == "any")
        if atom.kind == "column":
            if one_of_several and not self._some_have(atom, extra):
                return np.zeros(len(self), dtype=bool)
            return self.has(atom.name, atom.values, place, extra)
        ask = self.tagged if atom.kind == "tag" else self.names
        if ask is None:
            raise DataError(
                f"{atom} says nothing of the category {self.category}; write COLUMN=VALUE with one of: "
                f"{', '.join(self.columns)}",
                place,
                "restriction",
            )
        return ask(atom.name, place)

    def _some_have(self, atom: Atom, extra: Mapping[str, NDArray[np.object_]]) -> bool:
        data = extra.get(atom.name, self.columns.get(atom.name))
        return data is not None and not self._coded(data)[0].keys().isdisjoint(atom.values)

    def values(self, column: str) -> KeysView[str]:
        """The values that a column has, with the items of lists; none if there is no such column."""
        return self._coded(self.columns[column])[0].keys() if column in self.columns else {}.keys()

    def has(
        self,
        column: str,
        values: tuple[str, ...],
        place: Place | None = None,
        extra: Mapping[str, NDArray[np.object_]] | None = None,
    ) -> Mask:
        """Which lexemes have one of some values in a column; in a list column one of its items counts.

        Args:
            column: the name of the column.
            values: the values, any of which will do.
            place: where the question stands, for errors.
            extra: further columns, which come before those of the table.

        Raises:
            DataError: no such column, or a value that no lexeme has in it.
        """
        data = (extra or {}).get(column)
        if data is None:
            data = self.columns.get(column)
        if data is None:
            names = [*self.columns, *(extra or {})]
            raise DataError(f"{self.category} has no feature {column!r}; {nearest(column, names)}", place, "feature")
        cells, codes = self._coded(data)
        self._check_values(column, values, cells, place)
        having = np.zeros(len(self) + 1, dtype=bool)  # there are at most as many different cells as lexemes
        for value in values:
            having[cells.get(value, [])] = True
        return np.asarray(having[codes])

    def _coded(self, data: NDArray[np.object_]) -> _Coded:
        return self._codes.once(lambda: _coded(data), data)

    def _check_values(
        self, column: str, values: tuple[str, ...], cells: Mapping[str, list[int]], place: Place | None
    ) -> None:
        missing = [value for value in values if value not in cells and value not in _ALWAYS.get(column, ())]
        if missing:
            what = missing_values(self.category, column, missing, sorted(v for v in cells if v))
            raise DataError(what, place, "value")


_ALWAYS = {"rel": ("none", "poss", "of", "about", "that", "to"), "prt": ("none",)}


@cache
def _column_names(expression: Expression) -> tuple[str, ...]:
    """The columns that a restriction asks for."""
    return tuple(dict.fromkeys(atom.name for atom in atoms(expression) if atom.kind == "column"))


def _coded(data: NDArray[np.object_]) -> _Coded:
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(cell, len(numbers)) for cell in data], dtype=np.intp)
    having: dict[str, list[int]] = {}
    for cell, number in numbers.items():
        for value in name_values(cell):
            having.setdefault(value, []).append(number)
    return having, codes


def name_values(cell: str) -> tuple[str, ...]:
    """The values of a cell: its comma-separated items, each up to a colon; an empty cell is ``none``."""
    if not cell:
        return ("none", "")
    if "," not in cell and ":" not in cell:
        return (cell,)
    return tuple(item.partition(":")[0] for item in cell.split(","))
