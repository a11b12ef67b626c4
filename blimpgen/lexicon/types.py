"""The type hierarchy, the affordance tags and the macros of the restriction language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.sources import Table
from blimpgen.lexicon.restrictions import Expression, expand, parse_restriction

__all__ = ["Hierarchy", "read_hierarchy"]


@dataclass(frozen=True)
class Hierarchy:
    """Types with everything above them, tags with their default carriers, macros.

    Attributes:
        types: name to number.
        isa: ``isa[a, b]``: type a is b or below b.
        tags: tag to the types that carry it by default.
        macros: name to parsed meaning.
    """

    types: dict[str, int]
    isa: NDArray[np.bool_]
    tags: dict[str, tuple[str, ...]]
    macros: dict[str, Expression]
    _parsed: dict[str, Expression] = field(default_factory=dict, repr=False)

    def type_number(self, name: str, place: Place | None = None) -> int:
        """Return the number of a type.

        Args:
            name: the type
            place: where it is named, for errors

        Raises:
            DataError: an unknown type.
        """
        if name not in self.types:
            raise DataError(f"unknown type {name!r}; {nearest(name, self.types)}", place, "type")
        return self.types[name]

    def check_tag(self, name: str, place: Place | None = None) -> str:
        """Return a tag, if it exists.

        Args:
            name: the tag, without its sign
            place: where it is named, for errors

        Raises:
            DataError: an unknown tag.
        """
        if name not in self.tags:
            raise DataError(f"unknown tag +{name}; {nearest(name, self.tags)}", place, "tag")
        return name

    def typed(self, cells: NDArray[np.object_]) -> Callable[[str, Place | None], NDArray[np.bool_]]:
        """What a NAME asks of words whose types are listed: which of them have a type that is it, or below it.

        Args:
            cells: the types of each word, separated by commas.
        """

        def ask(name: str, place: Place | None) -> NDArray[np.bool_]:
            below = {other for other, k in self.types.items() if self.isa[k, self.type_number(name, place)]}
            return np.array([not below.isdisjoint(cell.split(",")) for cell in cells], dtype=bool)

        return ask

    def parse(self, text: str, place: Place | None = None) -> Expression:
        """Parse a restriction and replace its macros.

        Args:
            text: as written
            place: where it stands, for errors

        Raises:
            DataError: it is not of the language, or names an unknown macro.
        """
        if text not in self._parsed:
            self._parsed[text] = expand(parse_restriction(text, place), self.macros, place)
        return self._parsed[text]


def read_hierarchy(tables: Callable[[str], Table]) -> Hierarchy:
    """Build the hierarchy from the tables ``types``, ``tags`` and ``macros``."""
    table = tables("types")
    names, parents = table.column("type"), table.column("parent")
    numbers = {name: k for k, name in enumerate(names)}
    isa = np.eye(len(names), dtype=bool)
    for k, parent in enumerate(parents):
        if not parent:
            continue
        if numbers.get(parent, k) >= k:
            raise DataError(
                f"the parent {parent!r} of {names[k]!r} must stand above it; {nearest(parent, names[:k])}",
                table.place(k),
                "type",
            )
        isa[k] |= isa[numbers[parent]]
    hierarchy = Hierarchy(numbers, isa, {}, {})
    table = tables("tags")
    for k, (tag, carriers) in enumerate(zip(table.column("tag"), table.column("types"), strict=True)):
        types = tuple(carriers.split(",")) if carriers else ()
        for name in types:
            hierarchy.type_number(name, table.place(k))
        hierarchy.tags[tag] = types
    table = tables("macros")
    for k, (macro, means) in enumerate(zip(table.column("macro"), table.column("means"), strict=True)):
        hierarchy.macros[macro] = expand(parse_restriction(means, table.place(k)), hierarchy.macros, table.place(k))
    return hierarchy
