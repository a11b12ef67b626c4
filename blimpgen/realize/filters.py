"""Filters: what refuses a drawn row that no constraint can express, in columns, each within a budget.

A paradigm names its filters with the share of attempts that each may refuse (``filters: {doubled_word: 2%}``);
a filter that refuses more is an error, because then it and not the author would set the frequencies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.lexicon.strings import EMPTY
from blimpgen.realize import Sentence

__all__ = ["FILTERS", "budget", "check_budgets"]


def doubled_word(sentence: Sentence) -> NDArray[np.bool_]:
    """Two neighbouring words are the same, as in *that that*."""
    refused = np.zeros(len(sentence.ids[0]), dtype=bool)
    before = np.full(len(refused), -1, dtype=np.int32)
    for column in sentence.ids:
        refused |= (column == before) & (column != EMPTY)
        before = np.where(column == EMPTY, before, column)
    return refused


FILTERS: Mapping[str, Callable[[Sentence], NDArray[np.bool_]]] = {"doubled_word": doubled_word}
"""Name to filter; its docstring says what it refuses."""


def budget(name: str, text: str, place: Place) -> Fraction:
    """The share that a paradigm allows a filter.

    Raises:
        DataError: an unknown filter, or a share that is not written as a percentage.
    """
    if name not in FILTERS:
        raise DataError(f"unknown filter {name!r}; {nearest(name, FILTERS)}", place, "filter")
    digits = text.removesuffix("%")
    if digits == text or not digits.replace(".", "", 1).isdigit():
        raise DataError(f"the budget of a filter is a percentage such as 2%, not {text!r}", place, "filter")
    return Fraction(digits) / 100


def check_budgets(budgets: Mapping[str, Fraction], refusals: Mapping[str, int], attempts: int, place: Place) -> None:
    """Whether every filter has kept within its budget.

    Raises:
        DataError: the first one that has not.
    """
    for name, share in budgets.items():
        refused = refusals.get(f"filter {name}", 0)
        if attempts >= 100 and refused > share * attempts:
            raise DataError(
                f"the filter {name!r} refused {refused} of {attempts} attempts, more than its budget of "
                f"{float(share):.1%}; make it a constraint, or raise the budget",
                place,
                "filter-budget",
            )
