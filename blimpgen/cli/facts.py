"""Facts and places in the data, as `blimpgen explain` and `blimpgen why` print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from blimpgen.base.errors import Place

if TYPE_CHECKING:
    from blimpgen.authoring import Fact

__all__ = ["fact_lines", "shown_place", "with_places_as_text"]


def fact_lines(label: str, facts: Iterable[Fact]) -> Iterator[str]:
    """The facts, those that stand in the same line together.

    Args:
        label: what stands before each line.
        facts: the facts.
    """
    for place, said in groupby(facts, lambda fact: fact.place):
        yield f"{label}  {'; '.join(fact.text for fact in said)}" + (f" ({shown_place(place)})" if place else "")


def shown_place(place: Place | None) -> str:
    """A place, with the path inside the shipped data cut short."""
    from blimpgen.library import shipped_data

    shown = str(place)
    return shown.removeprefix(f"{shipped_data()}/")


def with_places_as_text(value: Any) -> Any:
    """A value with its places as text."""
    if isinstance(value, Place):
        return str(value)
    if isinstance(value, dict):
        return {key: with_places_as_text(item) for key, item in value.items()}
    return [with_places_as_text(item) for item in value] if isinstance(value, (list, tuple)) else value
