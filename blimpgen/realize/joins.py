"""Words that change where they meet the next one: *a* and *an*, *de el* and *del*, *il* and *l'*."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from blimpgen.lexicon.language import Join
from blimpgen.lexicon.strings import EMPTY, StringPool

__all__ = ["join_words"]


def join_words(columns: list[NDArray[np.int32]], places: Sequence[int], strings: StringPool) -> None:
    """Apply the joins of the language to the words of a sentence, whatever empty places stand between them.

    Args:
        columns: the string numbers of each place, shape (rows,); changed ones are replaced by copies.
        places: the places that may have the first word of a join.
        strings: the strings.
    """
    for join in strings.language.all_joins:
        number = strings.add(join.words.partition(" ")[0])
        for k in places:
            rows = columns[k] == number
            if rows.any():
                _join(columns, k, rows, join, strings)


def _join(
    columns: list[NDArray[np.int32]], place: int, rows: NDArray[np.bool_], join: Join, strings: StringPool
) -> None:
    """Join the word of one place with the next word that is there, in the rows that have it; see `join_words`."""
    columns[place], joined = columns[place].copy(), strings.add(join.becomes)
    second = join.words.partition(" ")[2]
    for k in range(place + 1, len(columns)):
        following = columns[k]
        meets = rows & strings.may_follow(following, join)
        columns[place][meets] = joined
        if (second or join.glued == "yes") and meets.any():
            columns[k] = following.copy()
            columns[k][meets] = strings.glued(following[meets], without=second)
        rows &= following == EMPTY
        if not rows.any():
            break
