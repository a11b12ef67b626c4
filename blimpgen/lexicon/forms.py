"""Forms and tags of single lexemes, from the cells of their row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.english import morphology
from blimpgen.lexicon.inventory import Mask

__all__ = ["DEGREES", "grades", "irregular", "noun_forms", "plain_tags", "shared"]


DEGREES: Mapping[str, str] = MappingProxyType({"Pos": "form", "Cmp": "comp", "Sup": "sup"})
"""Degree of an adjective, as in UD, to the cell of its form."""


def plain_tags(data: dict[str, NDArray[np.object_]]) -> Callable[[str, Place | None], Mask] | None:
    """What ``+tag`` asks of a table whose tags are a plain list."""
    if "tags" not in data:
        return None
    cells = [cell.split(",") for cell in data["tags"]]

    def ask(name: str, place: Place | None) -> Mask:
        tags = sorted({t for cell in cells for t in cell if t})
        if name not in tags:
            raise DataError(f"no lexeme of this category has the tag +{name}; {nearest(name, tags)}", place, "tag")
        return np.array([name in cell for cell in cells], dtype=bool)

    return ask


def noun_forms(lemma: str, plural: str, count: str) -> tuple[str, str]:
    """Return the singular and the plural of a noun; empty where it has none.

    Args:
        lemma: the noun
        plural: its cell: a form, ``=``, ``-``, or empty for the regular one
        count: its cell: count, mass, both or ptan
    """
    if count == "ptan":
        return "", lemma
    if plural == "-" or count == "mass":
        return lemma, ""
    return lemma, lemma if plural == "=" else plural or morphology.plural(lemma)


def irregular(singular: Sequence[str], plural: Sequence[str]) -> NDArray[np.object_]:
    """Return ``yes`` where the plural is not the one that the rules make, else ``no``.

    Args:
        singular: the singulars, empty where there is none
        plural: the plurals, likewise
    """
    pairs = zip(singular, plural, strict=True)
    return np.array(["yes" if s and p and p != morphology.plural(s) else "no" for s, p in pairs], dtype=object)


def grades(lemma: str, comp: str, sup: str) -> tuple[str, str, str]:
    """Return positive, comparative and superlative; empty where made with more and most, or not at all.

    Args:
        lemma: the adjective
        comp: its cell: er, more, none or a form
        sup: its cell: est, most, none or a form
    """
    rule = comp == "er"
    comparative = morphology.comparative(lemma) if rule else "" if comp in ("more", "none") else comp
    superlative = (
        morphology.superlative(lemma) if sup in ("est", "er") or rule else "" if sup in ("most", "none") else sup
    )
    return lemma, comparative, superlative


def shared(lemmas: NDArray[np.object_], others: NDArray[np.object_]) -> NDArray[np.object_]:
    """Return ``yes`` for each lemma that another word class has too (*patient*, *safe*), else ``no``.

    Args:
        lemmas: the lemmas in question
        others: the lemmas of the other class
    """
    lemma_set = set(others.tolist())
    return np.array(["yes" if lemma in lemma_set else "no" for lemma in lemmas], dtype=object)
