"""Sentences as rows of classes: what the grammar can make of each word, for many sentences at once.

An *arc* is one lexical reading that ends at a word: a category with its features, over one or more words. The *class*
of a word in its sentence is the set of arcs that end there. The grammar sees nothing else of a sentence, so sentences
of the same classes have the same derivations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.english.morphology import POSSESSIVE
from blimpgen.english.words import CLITICS, capitalized, is_glued, split_clitics, uncapitalized
from blimpgen.grammar.parse import Parser, is_compound
from blimpgen.grammar.spans import Numbers, Spans
from blimpgen.grammar.states import Symbol
from blimpgen.lexicon.strings import StringPool

__all__ = ["Arcs", "Codes", "Sentences", "WordClasses", "WordNumbers"]

Codes: TypeAlias = NDArray[np.int32]
"""Numbers of classes, shape (words, sentences)."""
Arcs: TypeAlias = frozenset[tuple[int, Symbol]]
"""Terminals, each with the number of its words."""
_FACTOR = 1_000_003


class Sentences(NamedTuple):
    """Sentences as the numbers of their words.

    Attributes:
        words: shape (words, sentences), those at one place beside each other; -1 behind the last of a sentence.
        lengths: how many each sentence has, shape (sentences,).
    """

    words: NDArray[np.int32]
    lengths: NDArray[np.int64]


class WordNumbers:
    """The strings that sentences are joined from, cut into words as the parser cuts sentences.

    Args:
        strings: the strings.
    """

    def __init__(self, strings: StringPool) -> None:
        self.strings = strings
        self.words: list[str] = []
        self._numbers: dict[str, int] = {}
        self._of_strings: NDArray[np.int32] = np.full((0, 1), -1, dtype=np.int32)
        self._counts: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._stop = self.number(".")
        self._marks: NDArray[np.bool_] = np.zeros(0, dtype=bool)

    def number(self, word: str) -> int:
        """The number of a word, new or known."""
        number = self._numbers.setdefault(word, len(self.words))
        if number == len(self.words):
            self.words.append(word)
        return number

    def sentences(self, ids: Sequence[NDArray[np.int32]]) -> Sentences:
        """Cut sentences into words; one without a final mark gets its full stop.

        Args:
            ids: for each place the numbers of its strings, shape (sentences,).
        """
        cut, strings = self._cut(), np.stack(ids)
        counts = self._counts[strings]
        begins, lengths = np.cumsum(counts, axis=0) - counts, counts.sum(axis=0)
        words = np.full((int(lengths.max(initial=0)) + 1, len(lengths)), -1, dtype=np.int32)
        for k in range(int(counts.max(initial=0))):
            places, rows = np.nonzero(counts > k)
            words[begins[places, rows] + k, rows] = cut[strings[places, rows], k]
        unmarked = np.flatnonzero(~self._marks[words[lengths - 1, np.arange(len(lengths))]])
        words[lengths[unmarked], unmarked] = self._stop
        lengths[unmarked] += 1
        return Sentences(words[: int(lengths.max(initial=0))], lengths)

    def _cut(self) -> NDArray[np.int32]:
        """For each string its words, filled up with -1."""
        done = len(self._of_strings)
        if done < len(self.strings.texts):
            cut = [[self.number(word) for word in self._words(text)] for text in self.strings.texts[done:].tolist()]
            width = max(self._of_strings.shape[1], *map(len, cut))
            table = np.full((done + len(cut), width), -1, dtype=np.int32)
            table[:done, : self._of_strings.shape[1]] = self._of_strings
            for k, numbers in enumerate(cut, start=done):
                table[k, : len(numbers)] = numbers
            self._of_strings, self._counts = table, (table >= 0).sum(axis=1)
            self._marks = np.array([self.strings.language.is_mark(word) for word in self.words], dtype=bool)
        return self._of_strings

    def _words(self, text: str) -> Iterator[str]:
        """The words of a string as it is stored: with a space before it, or glued to what precedes."""
        if is_glued(text):
            yield POSSESSIVE if text in CLITICS else text
            return
        for word in split_clitics(text) if "'" in text else text.split():
            yield from self.strings.language.parted(POSSESSIVE if word in CLITICS else word)


class WordClasses:
    """The classes of words in one reading.

    Args:
        parser: the parser of that reading.
        numbers: the words.
        spans: numbers what terminals make.
    """

    def __init__(self, parser: Parser, numbers: WordNumbers, spans: Spans) -> None:
        self.parser, self.numbers, self.spans = parser, numbers, spans
        self._longest = max(parser.entries.lexicon.readings.longest.values(), default=1)
        self._classes: list[Arcs] = []
        self._numbers: dict[Arcs, int] = {}
        self._terminals = np.zeros(1, dtype=np.int32)
        self._compounds: list[tuple[int, ...]] = []
        self._apart: dict[tuple[int, int, int], int] = {}
        self._single = {first: np.zeros(1, dtype=np.int32) for first in (True, False)}
        self._reach = {first: np.ones(1, dtype=np.int8) for first in (True, False)}
        self._several: dict[tuple[int, bool, tuple[int, ...]], int] = {}
        self._form_keys: dict[tuple[bool, int], NDArray[np.int64]] = {}
        self._disguised: dict[tuple[int, int, bool], int] = {}
        self._class(frozenset())

    def terminals(self, words: NDArray[np.int32]) -> Numbers:
        """Give the numbers that `Spans` has for the terminals of some sentences.

        Args:
            words: as of `Sentences`.

        Returns:
            The number of those that end at each word, of that shape.
        """
        codes = self._codes(words)  # may find new classes
        return self._terminals[codes]

    def _codes(self, words: NDArray[np.int32]) -> Codes:
        """The class of each word, 0 where there is none."""
        codes = np.empty(words.shape, dtype=np.int32)
        reach = np.empty(words.shape, dtype=np.int8)
        for k, column in enumerate(words):
            single, longest = self._looked_up(column, first=k == 0)
            codes[k], reach[k] = single[column], longest[column]
        if self.parser.language and self.parser.language.disguises:
            for k in range(len(words) - 1):
                self._undisguise(codes[k], words[k], words[k + 1], first=k == 0)
        for k in range(len(words) - 1):
            self._join_from(k, codes, words, reach[k])
        self._keep_compounds(codes)
        return codes

    def _undisguise(self, codes: Codes, words: NDArray[np.int32], following: NDArray[np.int32], *, first: bool) -> None:
        """Add to the classes of words at one place those of the words that joins may have made into them."""
        assert self.parser.language is not None
        disguises = np.array([self.numbers.number(word) for word in sorted(self.parser.language.disguises)])
        for row in np.flatnonzero(np.isin(words, disguises) & (following >= 0)).tolist():
            key = int(words[row]), int(following[row]), first
            if key not in self._disguised:
                texts = self.numbers.words[key[0]], self.numbers.words[key[1]]
                others = (self._read(other, 1, first) for other in self.parser.undisguised(*texts, first))
                self._disguised[key] = self._class(self._classes[codes[row]].union(*others))
            codes[row] = self._disguised[key]

    def _looked_up(self, column: NDArray[np.int32], *, first: bool) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """For all words that have been looked up: their class, and how many words an arc that begins there may span.

        The last place of both is that of no word.
        """
        single, reach = self._extended(first)
        new = single[column] < 0
        longest = self.parser.entries.lexicon.readings.longest if new.any() else {}
        for number in np.unique(column[new]).tolist():
            word = self.numbers.words[number]
            single[number] = self._class(self._read(word, 1, first))
            forms = (uncapitalized(word), capitalized(word)) if first else (word,)
            reach[number] = max(longest.get(form, 1) for form in forms)
        return single, reach

    def _extended(self, first: bool) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
        """The tables of classes and of lengths, with a place for every word."""
        if more := len(self.numbers.words) + 1 - len(self._single[first]):
            last = len(self._single[first]) - 1
            self._single[first] = np.insert(self._single[first], last, np.full(more, -1, dtype=np.int32))
            self._reach[first] = np.insert(self._reach[first], last, np.ones(more, dtype=np.int8))
        return self._single[first], self._reach[first]

    def _join_from(self, start: int, codes: Codes, words: NDArray[np.int32], reach: NDArray[np.int8]) -> None:
        """Add the arcs that span several words and begin at one place.

        Args:
            start: the place.
            codes: changed.
            words: the words.
            reach: how many words an arc that begins there may span, shape (sentences,).
        """
        longest = min(int(reach.max(initial=1)), len(words) - start)
        if longest == 1:
            return
        several = np.flatnonzero((reach > 1) & self._seconds[np.minimum(words[start + 1], len(self._seconds) - 1)])
        for length in range(2, longest + 1):
            rows = several[(reach[several] >= length) & (words[start + length - 1, several] >= 0)]
            if len(rows):
                self._join(codes, words, rows, start, length)

    @cached_property
    def _seconds(self) -> NDArray[np.bool_]:
        """Which words are the second one of a form of several words; the last place is that of all other words."""
        forms = [text.split() for text in self.parser.entries.lexicon.readings.by_text if " " in text]
        numbers = np.array([self.numbers.number(words[1]) for words in forms], dtype=np.int32)
        return np.isin(np.arange(len(self.numbers.words) + 1), numbers)

    def _join(self, codes: Codes, words: NDArray[np.int32], rows: NDArray[np.intp], start: int, length: int) -> None:
        """Add the arcs that span several words."""
        end = start + length - 1
        sequences = words[start : end + 1, rows].T
        keys, forms = _keys(sequences), self._forms(start == 0, length)
        if not len(forms):
            return
        listed = forms.take(np.searchsorted(forms, keys), mode="clip") == keys
        if not listed.any():
            return
        rows, sequences = rows[listed], sequences[listed]
        old = codes[end, rows]
        _, some, which = np.unique(_keys(np.column_stack((sequences, old))), return_index=True, return_inverse=True)
        each = zip(old[some].tolist(), map(tuple, sequences[some].tolist()), strict=True)
        new = np.array([self._with(code, start == 0, sequence) for code, sequence in each], dtype=np.int32)
        codes[end, rows] = new[which]

    def _with(self, code: int, first: bool, sequence: tuple[int, ...]) -> int:
        """A class with the arcs over all words of a sequence, found out once."""
        key = code, first, sequence
        if key not in self._several:
            text = " ".join(self.numbers.words[number] for number in sequence)
            self._several[key] = self._class(self._classes[code] | self._read(text, len(sequence), first))
        return self._several[key]

    def _forms(self, first: bool, length: int) -> NDArray[np.int64]:
        """The keys of all forms of so many words, as the first words of a sentence or others are written, in order."""
        if (first, length) not in self._form_keys:
            forms = (text for text in self.parser.entries.lexicon.readings.by_text if text.count(" ") == length - 1)
            written = [each for text in forms for each in ((text, capitalized(text)) if first else (text,))]
            numbers = [[self.numbers.number(word) for word in text.split()] for text in written]
            self._form_keys[first, length] = np.unique(_keys(np.array(numbers, dtype=np.int32).reshape(-1, length)))
        return self._form_keys[first, length]

    def _keep_compounds(self, codes: Codes) -> None:
        """Remove the arcs that would take a noun of several words apart, as `Parser.lattice` does."""
        for length in sorted(set().union(*self._compounds)):
            having = np.array([length in lengths for lengths in self._compounds])[codes]
            ends, rows = np.nonzero(having)
            for place in range(1 - length, self._longest) if len(ends) else ():
                inside = np.flatnonzero(ends + place < len(codes))
                at = ends[inside] + place, rows[inside]
                classes, which = np.unique(codes[at], return_inverse=True)
                apart = [self._apart_from(code, length, place) for code in classes.tolist()]
                codes[at] = np.array(apart, dtype=np.int32)[which]

    def _apart_from(self, code: int, length: int, place: int) -> int:
        """As `_without_parts`, found out once."""
        if (code, length, place) not in self._apart:
            self._apart[code, length, place] = self._without_parts(code, length, place)
        return self._apart[code, length, place]

    def _without_parts(self, code: int, length: int, place: int) -> int:
        """A class without the arcs that would take a compound apart.

        Args:
            code: the class.
            length: how many words the compound has.
            place: how many words behind the last of them that of the class stands.
        """
        start = 1 - length
        return self._class(
            frozenset(
                (span, symbol)
                for span, symbol in self._classes[code]
                if is_compound(span, symbol) or not (start < place - span + 1 <= 0 or start <= place < 0)
            )
        )

    def _read(self, text: str, length: int, first: bool) -> Arcs:
        known = self.parser.entries.lexicon.readings.by_text
        forms = (uncapitalized(text), capitalized(text)) if first else (text,)
        if length > 1 and not any(form in known for form in forms):
            return frozenset()  # two rows of one key; literals have one word
        return frozenset((length, symbol) for symbol in self.parser.symbols(text, first))

    def _class(self, arcs: Arcs) -> int:
        number = self._numbers.setdefault(arcs, len(self._classes))
        if number == len(self._classes):
            self._classes.append(arcs)
            self._compounds.append(tuple(sorted({length for length, symbol in arcs if is_compound(length, symbol)})))
            lengths = range(1, self._longest + 1)
            if number == len(self._terminals):
                self._terminals = np.pad(self._terminals, (0, number))
            made = (self.spans.making(symbol for n, symbol in arcs if n == length) for length in lengths)
            self._terminals[number] = self.spans.terminals(made)
        return number


def _keys(sequences: NDArray[np.int32]) -> NDArray[np.int64]:
    """One number for each row of numbers; different rows have the same one hardly ever."""
    keys = np.zeros(len(sequences), dtype=np.int64)
    for column in sequences.T:
        keys = keys * _FACTOR + column
    return keys
