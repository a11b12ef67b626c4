"""Nouns and names on one axis: their types, and which of them satisfy a restriction.

A selectional restriction is asked of each *type* of a noun: a noun is plausible if one of its types satisfies it,
and a clear violation only if all of them satisfy the restriction on violations (a library is never a violation by
its building side alone). A restriction in a paradigm (``is:``) is asked of the noun as a whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, caught, in_column, refuse
from blimpgen.base.memo import Memo
from blimpgen.lexicon.inventory import Mask, name_values
from blimpgen.lexicon.restrictions import Atom, Expression, atoms, evaluate
from blimpgen.lexicon.rows import LexemeTable
from blimpgen.lexicon.types import Hierarchy

__all__ = ["NUMBERS", "Nominals"]

NUMBERS = ("Sing", "Plur")

Bits: TypeAlias = NDArray[np.uint8]
"""Which nominals are so, eight to a byte."""


class Nominals:
    """The type columns of nouns and names.

    Args:
        hierarchy: types and tags.
        nouns: the table of nouns.
        names: the table of names.
    """

    def __init__(self, hierarchy: Hierarchy, nouns: LexemeTable, names: LexemeTable) -> None:
        self.hierarchy = hierarchy
        self.tables = (nouns, names)
        self.split = len(nouns)
        self.size = len(nouns) + len(names)
        self._fits: Memo[Bits] = Memo()
        self._leaves: dict[tuple[str, str, tuple[str, ...], int], Bits] = {}
        self._values: dict[str, dict[str, list[int]]] = {}
        self._by_type: dict[str, Mask] = {}

    def _joined(self, column: str) -> NDArray[np.object_]:
        parts = [t.columns.get(column, np.full(len(t), "", dtype=object)) for t in self.tables]
        return np.concatenate(parts)

    def _holders(self, column: str) -> dict[str, list[int]]:
        """Value of a column to the nominals that have it."""
        if column not in self._values:
            holders: dict[str, list[int]] = {}
            for k, cell in enumerate(self._joined(column)):
                for value in name_values(cell):
                    holders.setdefault(value, []).append(k)
            self._values[column] = holders
        return self._values[column]

    @cached_property
    def types(self) -> NDArray[np.int16]:
        """Type numbers, one row a nominal, padded with -1."""
        cells = self._joined("types")
        places = [place for table in self.tables for place in table.places]
        numbers: dict[str, list[int]] = {}
        errors: list[DataError] = []
        for cell, place in zip(cells, places, strict=True):
            if cell not in numbers:
                with caught(errors, place), in_column("types", place):
                    numbers[cell] = [self.hierarchy.type_number(name, place) for name in cell.split("+")]
        refuse(errors)
        result = np.full((self.size, max(map(len, numbers.values()), default=1)), -1, dtype=np.int16)
        for k, cell in enumerate(cells):
            result[k, : len(numbers[cell])] = numbers[cell]
        return result

    @cached_property
    def tags(self) -> dict[str, Mask]:
        """Tag to the nominals that have it, by type or by their own ``+tag``, unless ``-tag`` takes it away."""
        result = {}
        for tag, carriers in self.hierarchy.tags.items():
            mask = np.zeros(self.size, dtype=bool)
            for name in carriers:
                mask |= self._of_type(name).any(axis=1)
            result[tag] = mask
        places = [place for table in self.tables for place in table.places]
        rows_by_cell: dict[str, list[int]] = defaultdict(list)
        for k, cell in enumerate(self._joined("tags")):
            rows_by_cell[cell].append(k)
        errors: list[DataError] = []
        for cell, rows in rows_by_cell.items():
            for item in cell.split(","):
                if item[1:] in result and item[0] in "+-":
                    result[item[1:]][rows] = item[0] == "+"
                elif item[:1] in ("+", "-"):
                    for k in rows:
                        with caught(errors, places[k]):
                            self.hierarchy.check_tag(item[1:], places[k])
        refuse(errors)
        return result

    def _of_type(self, name: str, place: Place | None = None) -> Mask:
        if name not in self._by_type:
            number = self.hierarchy.type_number(name, place)
            self._by_type[name] = np.asarray(self.hierarchy.isa[self.types, number] & (self.types >= 0))
        return self._by_type[name]

    def named(self, part: slice) -> Callable[[str, Place | None], Mask]:
        """What a type name asks of whole nouns in a part of the axis: has it a type of that name."""
        return lambda name, place: np.asarray(self._of_type(name, place).any(axis=1))[part]

    def tagged(self, part: slice) -> Callable[[str, Place | None], Mask]:
        """What ``+tag`` asks in a part of the axis."""

        def ask(name: str, place: Place | None) -> Mask:
            if name in self.hierarchy.tags:
                return self.tags[name][part]
            plain = np.array([name in cell.split(",") for cell in self._joined("tags")], dtype=bool)
            if not plain.any():
                self.hierarchy.check_tag(name, place)
            return plain[part]

        return ask

    @cached_property
    def _said_of_people(self) -> Bits:
        return _packed(np.array(["metonym" in cell.split(",") for cell in self._joined("tags")], dtype=bool))

    def fits(self, expression: Expression, place: Place | None = None) -> NDArray[np.bool_]:
        """Plausible fillers: those with some type that satisfies a restriction.

        Args:
            expression: the parsed restriction.
            place: where it stands, for errors.

        Returns:
            A boolean array [2, nominals]: in the singular, in the plural.
        """
        return self._unpacked(self.bits(expression, False, place))

    def violates(self, expression: Expression, place: Place | None = None) -> NDArray[np.bool_]:
        """Clear violations: nominals all of whose types satisfy a restriction. One tagged ``metonym`` is none.

        Args:
            expression: the parsed restriction on violations.
            place: where it stands, for errors.

        Returns:
            A boolean array [2, nominals]: in the singular, in the plural.
        """
        return self._unpacked(self.bits(expression, True, place))

    def table(self, bits: Sequence[Bits]) -> NDArray[np.bool_]:
        """Return what some restrictions ask, found as `bits`: a boolean array [restrictions, 2, nominals]."""
        return self._unpacked(np.stack(bits))

    def _unpacked(self, bits: Bits) -> NDArray[np.bool_]:
        return np.unpackbits(bits, axis=-1, count=self.size).view(bool)

    def bits(self, expression: Expression, violation: bool, place: Place | None = None) -> Bits:
        """As `fits`, or as `violates`, in bits.

        Args:
            expression: the parsed restriction.
            violation: whether it is one on violations.
            place: where it stands, for errors.
        """
        return self._fits.once(lambda: self._by_number(expression, violation, place), expression, key=violation)

    def _by_number(self, expression: Expression, every: bool, place: Place | None) -> Bits:
        by_number = any(atom.name == "Number" for atom in atoms(expression))
        halves = [self._per_type(expression, n, every, place) for n in range(2 if by_number else 1)]
        return np.stack(halves if by_number else halves * 2)

    def _per_type(self, expression: Expression, number: int, every: bool, place: Place | None) -> Bits:
        result = evaluate(expression, lambda atom: self._leaf(atom, number, place))
        if every:
            return np.asarray(np.bitwise_and.reduce(result | ~self._present, axis=0) & ~self._said_of_people)
        return np.asarray(np.bitwise_or.reduce(result & self._present, axis=0))

    @cached_property
    def _present(self) -> Bits:
        """Which nominals have a first type, a second, ..."""
        return _packed(self.types.T >= 0)

    def _leaf(self, atom: Atom, number: int, place: Place | None) -> Bits:
        """What an atom asks of each type of the nominals, or of all of them: shape (types or 1, bytes)."""
        key = atom.kind, atom.name, atom.values, number  # quicker to look up than the atom
        bits = self._leaves.get(key)
        if bits is None:
            bits = self._leaves[key] = _packed(np.atleast_2d(self._asked(atom, number, place)))
        return bits

    def _asked(self, atom: Atom, number: int, place: Place | None) -> Mask:
        if atom.kind == "name":
            return self._of_type(atom.name, place).T
        if atom.kind == "tag":
            return self.tagged(slice(None))(atom.name, place)
        if atom.kind == "column" and atom.name == "Number":
            return np.full(self.size, NUMBERS[number] in atom.values)
        if atom.kind == "column":
            mask = np.zeros(self.size, dtype=bool)
            for value in atom.values:
                mask[self._holders(atom.name).get(value, [])] = True
            return mask
        return np.full(self.size, atom.kind == "any")


def _packed(table: Mask) -> Bits:
    """The rows of a table as bits."""
    return np.packbits(table, axis=-1)
