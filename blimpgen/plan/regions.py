"""Regions: the groups of slots into which the key ``regions`` of a paradigm divides its sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from blimpgen.base.errors import DataError, nearest
from blimpgen.paradigm import Paradigm, Token
from blimpgen.plan.plan import Plan

__all__ = ["check_regions", "region_numbers"]


def check_regions(paradigm: Paradigm, plans: Iterable[Plan]) -> None:
    """Check that the regions of a paradigm, if it has some, name every token of its sentences.

    Args:
        paradigm: the paradigm.
        plans: its cells.

    Raises:
        DataError: a token that no region names from where the last one was found.
    """
    if paradigm.model.regions is not None:
        for plan in plans:
            for name, tokens in plan.tokens.items():
                region_numbers(paradigm, name, tokens)


def region_numbers(paradigm: Paradigm, name: str, tokens: Sequence[Token]) -> list[int]:
    """Number the region of each token of a sentence; regions stand in the order of the sentence.

    Args:
        paradigm: the paradigm, which lists regions.
        name: the sentence.
        tokens: its tokens.

    Raises:
        DataError: a token that no region names from where the last one was found.
    """
    named = [set(group.replace("|", " ").split()) for group in paradigm.model.regions or []]
    places: list[int] = []
    for token in tokens:
        start = places[-1] if places else 0
        place = next((g for g in range(start, len(named)) if _names(token) & named[g]), None)
        if place is None:
            slots = {slot for group in named for slot in group}
            what = (
                "the groups stand in the order of the sentence"
                if slots & _names(token)
                else (nearest(str(token), sorted(slots)))
            )
            raise DataError(
                f"regions: no group has {str(token)!r} of the sentence {name!r} in its place; {what}",
                paradigm.place("regions"),
                "regions",
            )
        places.append(place)
    return places


def _names(token: Token) -> set[str]:
    """How a region may name a token: with its part and change, or without."""
    return {token.text} if token.text else {str(token), token.slot, f"{token.slot}.{token.part}"}
