"""How large the parts of a paradigm may be.

Every limit leaves at least four times the room that the largest shipped paradigm needs. Within them, a set of ordinary
size takes less than ten seconds and 2 GB.
"""

from __future__ import annotations

from blimpgen.base.errors import DataError, Place

__all__ = ["CELLS", "LISTED_WORDS", "SENTENCES", "SLOTS", "TOKENS", "check_size"]

CELLS = 400
"""Cells of a paradigm: the product of the levels of its factors; the largest shipped paradigm has 36."""
SLOTS = 40
"""Slots of a paradigm; at most 9 in shipped ones. Every two slots are compared in every row."""
SENTENCES = 40
"""Sentences of a paradigm; at most 8 in shipped ones."""
TOKENS = 100
"""Slots, words and marks of a template; at most 11 in shipped ones. Time to derive one grows with the cube."""
LISTED_WORDS = 10_000
"""Words that a slot lists, and rows of a table; at most 8 in shipped paradigms."""


def check_size(what: str, size: int, most: int, place: Place) -> None:
    """Refuse what is larger than its limit.

    Args:
        what: what is counted, in the plural.
        size: how many there are.
        most: the limit.
        place: where they stand.

    Raises:
        DataError: there are more.
    """
    if size > most:
        raise DataError(f"{size:,} {what}; at most {most:,} are possible", place, "limit")
