"""Regions: the sentences of a paradigm cut into the groups of slots that its key ``regions`` lists."""

from __future__ import annotations

from collections.abc import Sequence

from blimpgen.base.errors import DataError, nearest
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.paradigm import Paradigm, Token
from blimpgen.realize import Columns

__all__ = ["check_regions", "cut"]


def check_regions(compiled: CompiledParadigm) -> None:
    """Check that the regions of a paradigm, if it has some, name every token of its sentences.

    Raises:
        DataError: a token that no region names from where the last one was found.
    """
    if compiled.paradigm.model.regions is not None:
        for cell in compiled.cells:
            for name, template in cell.templates.items():
                _places(compiled.paradigm, name, template.tokens)


def cut(compiled: CompiledParadigm, cell: CompiledCell, one: Columns, name: str, text: str) -> list[tuple[str, str]]:
    """A sentence cut into regions.

    Args:
        compiled: the paradigm, which lists regions.
        cell: the cell of the row.
        one: the columns of the row, one entry each.
        name: the sentence.
        text: its text.

    Returns:
        Region, as the paradigm writes it, and what it has of this sentence; nothing for a region that it lacks.
    """
    groups = compiled.paradigm.model.regions or []
    template, lexicon = cell.templates[name], compiled.language.lexicon
    realised = template.realise(one, lexicon)
    begins: list[int] = []
    for k, place in enumerate(_places(compiled.paradigm, name, template.tokens)):
        # What stands before a token ends with its space, or right before a mark without one.
        begin = max(0, int(realised.offset(k, lexicon)[0]) - 1)
        begins += [begin] * (place + 1 - len(begins))
    begins += [len(text)] * (len(groups) + 1 - len(begins))
    return [(group, text[a:b].strip()) for group, a, b in zip(groups, begins, begins[1:], strict=False)]


def _places(paradigm: Paradigm, name: str, tokens: Sequence[Token]) -> list[int]:
    """The number of the region of each token; regions stand in the order of the sentence."""
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
