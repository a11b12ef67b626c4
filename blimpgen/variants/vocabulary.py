"""A vocabulary: the words that a set may use, counted from a file.

A line ``word TAB count`` is an entry; every other line is text, and each word of it counts once. So a word list, a
frequency list and a training corpus can all be given. Words are compared without case, and a possessive *'s* or *'*
is no part of a word, in the file and in the sentences; *isn't* is known where the file has it, or has both *is* and
*n't*. These are the rules by which the BabyLM evaluation keeps or drops a pair.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property, lru_cache

from blimpgen.base.errors import DataError, Place
from blimpgen.english.words import NEGATION, plain_words, positive_auxiliary
from blimpgen.variants.record import FileRef

__all__ = ["Vocabulary", "read_vocabulary"]

_ENTRY = re.compile(r"^(?P<word>[^\t\n]+)\t(?P<count>[0-9]{1,18})\s*$")


class Vocabulary:
    """Words with their counts.

    Args:
        counts: lower-case word to count.
        least: how often a word must occur.
    """

    def __init__(self, counts: Counter[str], least: int = 1) -> None:
        self.counts, self.least = counts, least
        self.has = lru_cache(maxsize=None)(self._has)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that occur often enough."""
        return frozenset(word for word, count in self.counts.items() if count >= self.least)

    def _has(self, text: str) -> bool:
        return all(self._word(word) for word in plain_words(text))

    def _word(self, word: str) -> bool:
        if word in self.words:
            return True
        return NEGATION in self.words and positive_auxiliary(word) in self.words

    def missing(self, text: str) -> list[str]:
        """The words of a text that the vocabulary lacks."""
        return [word for word in plain_words(text) if not self._word(word)]


def read_vocabulary(reference: FileRef, least: int) -> Vocabulary:
    """Read a vocabulary file.

    Args:
        reference: the file.
        least: how often a word must occur in it.

    Raises:
        DataError: not UTF-8, or no word occurs often enough.
    """
    try:
        text = reference.read().decode("utf-8")
    except UnicodeDecodeError:
        raise DataError("not UTF-8; save the file as UTF-8", Place(reference.path), "encoding") from None
    vocabulary = Vocabulary(_counted(text.splitlines()), least)
    if not vocabulary.words:
        what = f"no word stands {least} times in it" if vocabulary.counts else "no word in it"
        raise DataError(f"{what}; write one word a line, word TAB count, or a text", Place(reference.path))
    return vocabulary


def _counted(lines: Iterable[str]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for line in lines:
        entry = _ENTRY.match(line)
        for word in plain_words(entry["word"] if entry else line):
            counts[word] += int(entry["count"]) if entry else 1
    return counts
