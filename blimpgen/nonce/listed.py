"""Coining words for a language of word lists: made-up lexemes that inflect as those of an inflection class do.

A made-up word keeps what its lexeme inflects by: the ending that its class drops, with the consonants before it, so
that gender and spelling stay (*perro: -rro*, *colgar: -lgar*). Before it stand three syllables made of the beginnings
and the insides of the language's own words. A lexeme whose stem changes further inside is irregular; the word made up
for it inflects like a regular one of its class.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

import numpy as np

from blimpgen.base.errors import DataError
from blimpgen.english.likeness import RealWords
from blimpgen.lexicon import Lexicon
from blimpgen.nonce.blocked import Blocked
from blimpgen.nonce.coin import Coined
from blimpgen.sampling import Stream

__all__ = ["ListedCoiner", "Openings"]

_DRAWS, _TURNS = 64, 50
_LEAST, _MANY = 2, 200
"""Parts, and letters that stand beside each other, in fewer words than the first are accidents of those words, where
there are as many words as the second; of a small lexicon everything counts."""


class Openings:
    """What words begin with: counts of beginnings and of a vowel with the consonants up to the next.

    Args:
        words: what to learn from.
        vowels: the small letters that are vowels; those with an accent count as the letters without it.
    """

    def __init__(self, words: Iterable[str], vowels: str) -> None:
        self.vowels = vowels
        self._onsets: Counter[str] = Counter()
        self._inner: Counter[str] = Counter()
        self._runs: Counter[str] = Counter()
        learned = sorted({*words})
        self._least = _LEAST if len(learned) >= _MANY else 1
        for word in learned:
            self._runs.update(_runs(word))
            parts = self.pieces(word)
            self._onsets.update(parts[:1] if len(parts) > 3 and len(parts[1]) == 1 else [])
            pairs = zip(parts[1:-2:2], parts[2:-1:2], strict=True)
            self._inner.update(vowel + between for vowel, between in pairs if len(vowel) == 1 and vowel in vowels)

    def pieces(self, word: str) -> list[str]:
        """A word as consonants and vowels by turns; the first and the last piece may be empty consonants."""
        plain = "".join(unicodedata.normalize("NFD", letter)[0] for letter in word.lower())
        marks = [letter in self.vowels for letter in plain]
        ends = [k for k in range(1, len(word)) if marks[k] != marks[k - 1]]
        parts = [word[a:b] for a, b in zip([0, *ends], [*ends, len(word)], strict=True)]
        return [*([""] if marks[:1] == [True] else []), *parts, *([""] if marks[-1:] == [True] else [])]

    @cached_property
    def _tables(self) -> Sequence[tuple[list[str], list[int]]]:
        last: Counter[str] = Counter()
        for piece, count in self._inner.items():
            last[piece[0]] += count
        tables = []
        for counts in (self._onsets, self._inner, self._inner, last):
            frequent = sorted(part for part, count in counts.items() if count >= self._least)
            tables.append((frequent, list(accumulate(counts[part] for part in frequent))))
        return tables

    def before(self, tail: str, numbers: Sequence[int]) -> str | None:
        """A word that ends in something; None where its parts do not go together, or nothing was learned.

        Args:
            tail: how it ends: consonants, vowels and what follows.
            numbers: four random numbers of 32 bits.
        """
        if not all(parts for parts, _ in self._tables):
            return None
        taken = (
            parts[bisect_right(bounds, (number * bounds[-1]) >> 32)]
            for (parts, bounds), number in zip(self._tables, numbers, strict=False)
        )
        opening = "".join(taken)
        word = opening + tail
        return word if all(self._runs[run] >= self._least for run in _runs(opening)) and not _repeats(word) else None


class ListedCoiner:
    """Makes the words of one seed.

    Args:
        lexicon: the real words; what is learned from and kept clear of.
        seed: the seed of the set.
    """

    def __init__(self, lexicon: Lexicon, seed: int) -> None:
        self.lexicon, self.inflection = lexicon, lexicon.inflection
        self._stream = Stream(seed, "nonce")
        self._taken: set[str] = set()
        self._lexemes: dict[str, list[Coined]] = {}
        self._blocked = Blocked(lexicon.folders)

    @cached_property
    def _lists(self) -> tuple[str, ...]:
        return tuple(name for lists in self.lexicon.language.classes.values() for name in lists)

    @cached_property
    def _real(self) -> RealWords:
        forms = {
            form
            for words in self.lexicon.listed()
            for k in range(len(words))
            for form in self.lexicon.inflected(words, k).values()
        }
        texts = (*forms, *self.lexicon.closed_words)
        return RealWords(word for text in texts for word in text.lower().split())

    @cached_property
    def openings(self) -> Openings:
        """The beginnings of the words that made-up ones stand for."""
        lemmas = self.inflection.lexemes["lemma"]
        return Openings((lemmas[row] for row in self._rows), self.lexicon.language.vowels)

    @cached_property
    def _rows(self) -> list[int]:
        """The lexemes of all classes, in the order of their table, each once."""
        return sorted({row for name in self._lists for row in self.inflection.rows.get(name, ())})

    def lexemes(self, category: str) -> list[Coined]:
        """One made-up lexeme for each of a list; one without a form for a word that has no inflection class."""
        if category not in self._lexemes:
            name = category.removeprefix("words:")
            made = {
                self.inflection.lexemes["lemma"][row]: Coined(lemma, self.inflection.forms(like, name, lemma))
                for row in self.inflection.rows.get(name, ())
                for like, lemma in [self._lemmas[row]]
                if lemma
            }
            lemmas = self.lexicon.inventory(category).columns["lemma"]
            self._lexemes[category] = [made.get(lemma, Coined("", {})) for lemma in lemmas]
        return self._lexemes[category]

    @cached_property
    def _lemmas(self) -> dict[int, tuple[int, str]]:
        """A made-up lemma for each lexeme, in their order, and the lexeme that it inflects like."""
        return {row: self._coined(row) for row in self._rows}

    def _coined(self, row: int) -> tuple[int, str]:
        """The lexeme that a made-up one inflects like, and its lemma; no lemma if no regular one is of its class."""
        alike = self._regular.get(self._class(row), ())
        if not alike:
            return row, ""
        name = self.inflection.lexemes["lemma"][row]
        numbers = self._stream.draw(np.arange(_DRAWS * _TURNS, dtype=np.uint64), name, np.zeros(1, dtype=np.uint64))
        draws = numbers.reshape(-1, 5).tolist()
        like = row if row in alike else alike[draws[0][4] * len(alike) >> 32]
        for drawn in draws:
            lemma = self.openings.before(self.tail(like), drawn)
            if lemma is not None and self._is_free(like, lemma):
                return like, lemma
        raise DataError(
            f"no made-up word found for {name} from the parts of {len(self._rows)} words; take another --seed, or give "
            "the classes of the language more words"
        )

    def _is_free(self, row: int, lemma: str) -> bool:
        """Whether no form of a word is real, taken or blocked; if so, its forms are taken."""
        lists = (name for name in self._lists if row in self.inflection.rows.get(name, ()))
        forms = {form for name in lists for form in self.inflection.forms(row, name, lemma).values()}
        free = self._taken.isdisjoint(forms) and self._real.words.isdisjoint(forms) and not self._real.misspelt(lemma)
        if not free or self._blocked.blocks(lemma, forms):
            return False
        self._taken |= forms
        return True

    def tail(self, row: int) -> str:
        """What a made-up word keeps of a lexeme: the ending that its class drops, with the consonants before it."""
        lemma, ending = self.inflection.lexemes["lemma"][row], self.inflection.ending(row)
        parts = self.openings.pieces(lemma.removesuffix(ending))
        kept = parts[-1] if ending and parts[-1] else "".join(parts[-3:])
        return kept + ending

    @cached_property
    def _regular(self) -> Mapping[tuple[str, str, str], Sequence[int]]:
        """The lexemes of each class whose stem changes, if it has any, in what a made-up word keeps."""
        regular: dict[tuple[str, str, str], list[int]] = {}
        for row in self._rows:
            tail = self.tail(row).removesuffix(self.inflection.ending(row))
            if all(old in tail for old, _ in self.inflection.changes(row).values()):
                regular.setdefault(self._class(row), []).append(row)
        return regular

    def _class(self, row: int) -> tuple[str, str, str]:
        """The first class of a lexeme, what it drops of it, and the features of all its forms."""
        lexemes = self.inflection.lexemes
        return lexemes["class"][row].partition(",")[0], self.inflection.ending(row), lexemes["features"][row]


def _runs(word: str) -> list[str]:
    """Every three letters in a row, with the beginning of the word as a letter."""
    text = f"^{word}"
    return [text[k : k + 3] for k in range(len(text) - 2)]


def _repeats(word: str) -> bool:
    """Whether a syllable stands twice in a row."""
    return re.search(r"(..)\1", word) is not None
