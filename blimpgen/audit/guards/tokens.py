"""Sentences as words, and every analysis that a word has in the lexicon.

A *reading* is one analysis of a surface form: a lexeme in one of its cells (*looks*: `look` as third person singular;
*media*: plural of `medium`). Forms of several words (*looked like*, *a lot of*) are read as a whole. A clitic *'s* or
*'* is a word of its own. The first word of a sentence is read with and without its capital.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from blimpgen.english.words import article_of, split_sentence, uncapitalized
from blimpgen.lexicon import CATEGORIES, Lexicon

__all__ = ["Reading", "Readings", "Vocabulary"]

_SKIPPED = ("Cop", "Num")


@dataclass(frozen=True)
class Reading:
    """One analysis of a surface form.

    Attributes:
        category: N, Name, V, A, Aux, D, ... as in paradigm files; Poss is a possessive pronoun.
        row: the row of the lexeme in the inventory of its category.
        cell: Sing, Plur, past, pres_sg, form, ...
        variant: a form that the lexicon accepts and never generates.
    """

    category: str
    row: int
    cell: str
    variant: bool = False


Readings: TypeAlias = tuple[Reading, ...]
Spans: TypeAlias = tuple[tuple[int, Readings], ...]


class Vocabulary:
    """Every surface form of a lexicon with its readings.

    Args:
        lexicon: the words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._index: dict[tuple[str, ...], Readings] = {}
        self._longest: dict[str, int] = {}
        self._spans = lru_cache(maxsize=4096)(self._find_spans)
        found: dict[tuple[str, ...], dict[Reading, None]] = defaultdict(dict)
        for text, reading in (*self._inventory_forms(), *self._other_forms()):
            found[split_sentence(text).words][reading] = None
        for key, readings in found.items():
            self._index[key] = tuple(readings)
            self._longest[key[0]] = max(self._longest.get(key[0], 1), len(key))

    def _inventory_forms(self) -> Iterator[tuple[str, Reading]]:
        for category in CATEGORIES:
            if category in _SKIPPED:
                continue
            inventory = self.lexicon.inventory(category)
            for cell, numbers in inventory.forms.items():
                for row, number in enumerate(numbers):
                    text = self.lexicon.strings.text(int(number)).strip() if number >= 0 else ""
                    if text:
                        yield text, Reading(category, row, cell)

    def _other_forms(self) -> Iterator[tuple[str, Reading]]:
        tables = self.lexicon.table
        for row, cell in enumerate(tables("nouns")["plural_alt"]):
            yield from ((text, Reading("N", row, "Plur", True)) for text in _items(cell))
        verbs = self.lexicon.verbs.lexemes
        for column, cell in (("past_alt", "past"), ("part_alt", "part")):
            for row, (forms, prt) in enumerate(zip(verbs[column], verbs["prt"], strict=True)):
                tail = prt.partition(":")[0]
                yield from ((f"{text} {tail}".strip(), Reading("V", row, cell, True)) for text in _items(forms))
        for row, text in enumerate(tables("pronouns")["poss_det"]):
            if text:
                yield text, Reading("Poss", row, "form")
        columns = self.lexicon.inventory("Aux").columns
        for row, (kind, lemma) in enumerate(zip(columns["kind"], columns["lemma"], strict=True)):
            if kind != "modal":
                yield lemma, Reading("Aux", row, "bare")

    def value(self, reading: Reading, column: str) -> str:
        """A cell of the lexeme's row; the empty string where its table has no such column."""
        if reading.category == "Poss":
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
        forms = tuple(article_of(head) for head in heads)
        found = []
        for end in range(min(len(words), start + max(self._longest.get(form, 1) for form in forms)), start, -1):
            readings = tuple(r for form in forms for r in self._index.get((form, *words[start + 1 : end]), ()))
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


def _items(cell: str) -> list[str]:
    return [item for item in cell.split(",") if item]
