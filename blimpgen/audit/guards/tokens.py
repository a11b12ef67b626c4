"""What guards ask of the words of a sentence: the readings of the forms at a place, and the rows of their lexemes.

Forms of several words (*looked like*, *a lot of*) are read as a whole. A clitic *'s* or *'* is a word of its own. The
first word of a sentence is read with and without its capital. Numerals are read as determiners.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import TypeAlias

from blimpgen.english.words import split_sentence, uncapitalized
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.readings import PRONOUNS, Reading
from blimpgen.lexicon.verbs import VerbUse

__all__ = ["Reading", "Readings", "Vocabulary"]


Readings: TypeAlias = tuple[Reading, ...]
Spans: TypeAlias = tuple[tuple[int, Readings], ...]

_KEPT = 1 << 16
"""How many forms in their places are remembered; the lexicon has fewer, but for combinations with their neighbours."""


class Vocabulary:
    """The readings of the words of sentences.

    Args:
        lexicon: the words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._columns: dict[tuple[str, str], list[str]] = {}
        self._uses: dict[tuple[int, str], tuple[VerbUse, ...]] = {}
        self._spans = lru_cache(maxsize=_KEPT)(self._find_spans)
        self._longest = lru_cache(maxsize=_KEPT)(self._find_longest)

    @cached_property
    def standalone(self) -> frozenset[tuple[str, ...]]:
        """The forms of quantifiers that have no noun behind them."""
        columns = self.lexicon.inventory("D").columns
        bound = {"-", "", *columns["sg"], *columns["pl"], *columns["mass"]}
        return frozenset(tuple(form.split()) for form in columns["npe"] if form not in bound)

    def value(self, reading: Reading, column: str) -> str:
        """A cell of the lexeme's row; the empty string where its table has no such column.

        Args:
            reading: of a word.
            column: one of the lexicon; that of its own table is taken.
        """
        key = reading.category, column
        if key not in self._columns:
            self._columns[key] = self._column(*key)
        cells = self._columns[key]
        return cells[reading.row] if cells else ""

    def _column(self, category: str, column: str) -> list[str]:
        if category in PRONOUNS:
            return list(self.lexicon.table("pronouns")[column])
        return [str(cell) for cell in self.lexicon.inventory(category).columns.get(column, ())]

    def every(self, readings: Readings, column: str, *values: str) -> bool:
        """Whether all readings, and at least one, have one of the values in a column.

        Args:
            readings: of one place in a sentence.
            column: one of the lexicon.
            values: cells as they stand in the table.
        """
        return bool(readings) and all(self.value(r, column) in values for r in readings)

    def some(self, readings: Readings, column: str, *values: str) -> bool:
        """Whether a reading has one of the values in a column.

        Args:
            readings: of one place in a sentence.
            column: one of the lexicon.
            values: cells as they stand in the table.
        """
        return any(self.value(r, column) in values for r in readings)

    def suits(self, reading: Reading, restriction: str) -> bool:
        """Whether one of the types of a noun or name satisfies a restriction; no for other categories.

        Args:
            reading: of a word; in the plural its types are those of the plural.
            restriction: over types, as paradigms write it (``human & not kin``).
        """
        if reading.category not in ("N", "Name"):
            return False
        nominals = self.lexicon.nominals
        fits = nominals.fits(self.lexicon.hierarchy.parse(restriction))
        plural = int(reading.cell == "Plur")
        return bool(fits[plural, reading.row + (nominals.split if reading.category == "Name" else 0)])

    def lists(self, reading: Reading, frame: str) -> bool:
        """Whether a verb lists a frame.

        Args:
            reading: of a verb.
            frame: one of the frames.
        """
        return bool(self.lexicon.verbs.rows[frame][reading.row] >= 0)

    def asserts_not(self, reading: Reading, frame: str) -> bool:
        """Whether the surface lemma of a verb is asserted not to have a frame.

        Args:
            reading: of a verb.
            frame: one of the frames.
        """
        return bool(self.lexicon.verbs.asserted[frame][reading.row])

    def uses(self, reading: Reading, frame: str) -> tuple[VerbUse, ...]:
        """The uses of a verb in a frame: those that it lists, an object that may be dropped, and those never generated.

        Args:
            reading: of a verb.
            frame: one of the frames.
        """
        key = reading.row, frame
        if key not in self._uses:
            self._uses[key] = tuple(self._find_uses(reading, frame))
        return self._uses[key]

    def _find_uses(self, reading: Reading, frame: str) -> Iterator[VerbUse]:
        if self.lists(reading, frame):
            yield VerbUse("no", self.frame_value(reading, frame, "subj"), self.frame_value(reading, frame, "obj"))
        for full in ("V.NP", "V.P") if frame == "V" else ():
            if self.frame_value(reading, full, "drop") not in ("", "no"):
                yield VerbUse("no", self.frame_value(reading, full, "subj"), "any")
        if frame == "V.NP" and self.lists(reading, "V.P"):
            yield VerbUse("no", self.frame_value(reading, "V.P", "subj"), self.frame_value(reading, "V.P", "obj"))
        verb = self.lexicon.readings.lexeme(reading)
        for name in (frame, "V.P") if frame == "V.NP" else (frame,):
            yield from self.lexicon.verb_uses.get((verb, name), ())

    def frame_value(self, reading: Reading, frame: str, column: str) -> str:
        """A cell of a verb's row for a frame; the empty string where it does not list the frame.

        Args:
            reading: of a verb.
            frame: one of the frames.
            column: of the table of verb frames.
        """
        row = int(self.lexicon.verbs.rows[frame][reading.row])
        return str(self.lexicon.verbs.frames[column][row]) if row >= 0 else ""

    def spans(self, words: tuple[str, ...], start: int) -> Spans:
        """Find the ends and readings of the forms that begin at a word, the longest first; none behind the last.

        Args:
            words: of the sentence, clitics apart.
            start: the first word of the forms, from 0.
        """
        return tuple((start + length, readings) for length, readings in self._spans(*self._window(words, start)))

    def readings(self, words: tuple[str, ...], start: int, categories: tuple[str, ...]) -> tuple[int, Readings]:
        """Find the end and readings of the longest form of some categories at a word; (start, ()) if there is none.

        Args:
            words: of the sentence, clitics apart.
            start: the first word of the form, from 0.
            categories: lexical categories, such as N and Name.
        """
        length, readings = self._longest(*self._window(words, start), categories)
        return start + length, readings

    def _window(self, words: tuple[str, ...], start: int) -> tuple[tuple[str, ...], bool]:
        """The words that a form may consist of that begins here, and whether the sentence does: all that readings need.

        Other sentences share them, so that what is looked up for one need not be looked up again.
        """
        if start >= len(words):
            return (), False
        longest, first = self.lexicon.readings.longest, words[start]
        reach = longest.get(first, 1)
        if start == 0:
            reach = max(reach, longest.get(uncapitalized(first), 1))
        return words[start : start + reach], start == 0

    def _find_spans(self, window: tuple[str, ...], begins: bool) -> Spans:
        if not window:
            return ()
        first = window[0]
        heads = (first, uncapitalized(first)) if begins and not first[:1].islower() else (first,)
        by_text, spans = self.lexicon.readings.by_text, []
        for length in range(len(window), 0, -1):
            texts = (" ".join((head, *window[1:length])) for head in heads)
            readings = tuple(r for text in texts for r in by_text.get(text, ()) if r.category != "Num")
            if readings:
                spans.append((length, readings))
        return tuple(spans)

    def _find_longest(self, window: tuple[str, ...], begins: bool, categories: tuple[str, ...]) -> tuple[int, Readings]:
        for length, entries in self._spans(window, begins):
            readings = tuple(r for r in entries if r.category in categories)
            if readings:
                return length, readings
        return 0, ()

    def knows(self, text: str) -> bool:
        """Whether a form of one or more words is in the lexicon."""
        words = split_sentence(text).words
        return any(end == len(words) for end, _ in self.spans(words, 0))
