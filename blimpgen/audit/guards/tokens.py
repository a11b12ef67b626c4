"""What guards ask of the words of a sentence: the readings of the forms at a place, and the rows of their lexemes.

Forms of several words (*looked like*, *a lot of*) are read as a whole. A clitic *'s* or *'* is a word of its own. The
first word of a sentence is read with and without its capital. Numerals are read as determiners.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

from blimpgen.english.words import split_sentence, uncapitalized
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.readings import PRONOUNS, Reading

__all__ = ["Reading", "Readings", "Vocabulary"]


Readings: TypeAlias = tuple[Reading, ...]
Spans: TypeAlias = tuple[tuple[int, Readings], ...]


class Vocabulary:
    """The readings of the words of sentences.

    Args:
        lexicon: the words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._spans = lru_cache(maxsize=4096)(self._find_spans)

    def value(self, reading: Reading, column: str) -> str:
        """A cell of the lexeme's row; the empty string where its table has no such column."""
        if reading.category in PRONOUNS:
            return str(self.lexicon.table("pronouns")[column][reading.row])
        cells = self.lexicon.inventory(reading.category).columns.get(column)
        return "" if cells is None else str(cells[reading.row])

    def every(self, readings: Readings, column: str, *values: str) -> bool:
        """Whether all readings, and at least one, have one of the values in a column."""
        return bool(readings) and all(self.value(r, column) in values for r in readings)

    def some(self, readings: Readings, column: str, *values: str) -> bool:
        """Whether a reading has one of the values in a column."""
        return any(self.value(r, column) in values for r in readings)

    def suits(self, reading: Reading, restriction: str) -> bool:
        """Whether one of the types of a noun or name satisfies a restriction; no for other categories."""
        if reading.category not in ("N", "Name"):
            return False
        nominals = self.lexicon.nominals
        fits = nominals.fits(self.lexicon.hierarchy.parse(restriction))
        plural = int(reading.cell == "Plur")
        return bool(fits[plural, reading.row + (nominals.split if reading.category == "Name" else 0)])

    def lists(self, reading: Reading, frame: str) -> bool:
        """Whether a verb lists a frame."""
        return bool(self.lexicon.verbs.rows[frame][reading.row] >= 0)

    def asserts_not(self, reading: Reading, frame: str) -> bool:
        """Whether the surface lemma of a verb is asserted not to have a frame."""
        return bool(self.lexicon.verbs.asserted[frame][reading.row])

    def frame_value(self, reading: Reading, frame: str, column: str) -> str:
        """A cell of a verb's row for a frame; the empty string where it does not list the frame."""
        row = int(self.lexicon.verbs.rows[frame][reading.row])
        return str(self.lexicon.verbs.frames[column][row]) if row >= 0 else ""

    def spans(self, words: tuple[str, ...], start: int) -> Spans:
        """The ends and readings of the forms that begin at a word, the longest first; none behind the last word."""
        return self._spans(words, start)

    def _find_spans(self, words: tuple[str, ...], start: int) -> Spans:
        if start >= len(words):
            return ()
        first = words[start]
        heads = (first,) if start or first[:1].islower() else (first, uncapitalized(first))
        longest, by_text = self.lexicon.readings.longest, self.lexicon.readings.by_text
        found = []
        for end in range(min(len(words), start + max(longest.get(head, 1) for head in heads)), start, -1):
            texts = (" ".join((head, *words[start + 1 : end])) for head in heads)
            readings = tuple(
                reading for text in texts for reading in by_text.get(text, ()) if reading.category != "Num"
            )
            if readings:
                found.append((end, readings))
        return tuple(found)

    def readings(self, words: tuple[str, ...], start: int, categories: tuple[str, ...]) -> tuple[int, Readings]:
        """End and readings of the longest form of the given categories at a word; (start, ()) if there is none."""
        for end, found in self.spans(words, start):
            readings = tuple(r for r in found if r.category in categories)
            if readings:
                return end, readings
        return start, ()

    def knows(self, text: str) -> bool:
        """Whether a form of one or more words is in the lexicon."""
        words = split_sentence(text).words
        return any(end == len(words) for end, _ in self.spans(words, 0))
