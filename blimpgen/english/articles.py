"""The indefinite article: *an* before the sound of a vowel, *a* before that of a consonant, whatever stands between."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["CONSONANT", "SILENT", "VOWEL", "choose_articles"]

CONSONANT, VOWEL, SILENT = 0, 1, 2
"""How a string begins: with one of the two sounds, or with none because it is empty."""


def choose_articles(
    columns: list[NDArray[np.int32]], places: Sequence[int], article: int, before_vowel: int, onsets: NDArray[np.int8]
) -> None:
    """Turn *a* into *an* where the next word that is there begins with the sound of a vowel.

    Args:
        columns: the string numbers of each place of a sentence, shape (rows,); changed ones are replaced by copies.
        places: the places that may have an article.
        article: the number of *a*.
        before_vowel: the number of *an*.
        onsets: how each string begins, by its number.
    """
    for k in places:
        undecided = columns[k] == article
        if not undecided.any():
            continue
        column = columns[k] = columns[k].copy()
        for following in columns[k + 1 :]:
            onset = onsets[following]
            column[undecided & (onset == VOWEL)] = before_vowel
            undecided &= onset == SILENT
            if not undecided.any():
                break
