"""Frequencies of lexemes and words.

Lexemes have theirs in ``zipf.tsv``, on the Zipf scale: log10 of the occurrences in a billion words. Words have natural
log-probabilities, from the lexemes that they are forms of or from a file of counts.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.files import sha256_of
from blimpgen.base.memo import Memo
from blimpgen.base.sources import read_tsv
from blimpgen.english.words import spans_of_words, unpossessed
from blimpgen.lexicon import CATEGORIES, Inventory, Lexicon

__all__ = ["Frequencies", "WordFrequencies", "read_word_frequencies", "word_frequencies"]

_BILLION = 9
_UNSEEN = 0.5
_MEASURED = {"N": "nouns", "Name": "names", "V": "verbs", "A": "adjectives", "Adv": "adverbs"}


class Frequencies:
    """The frequencies of the lexemes of a lexicon.

    Args:
        lexicon: the words; a later one of its folders replaces or adds frequencies.

    Raises:
        DataError: a row that is no frequency, or of a lexeme that does not exist.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.by_id: dict[str, float] = {}
        self._of: Memo[NDArray[np.float64]] = Memo()
        ids = {key[0]: None for name in _MEASURED.values() for key in lexicon.table(name).keys}
        for folder in lexicon.folders:
            path = folder / "zipf.tsv"
            if path.exists():
                table = read_tsv(path, ("id", "zipf"), required=("id", "zipf"))
                for k, (name, text) in enumerate(zip(table.column("id"), table.column("zipf"), strict=True)):
                    self.by_id[name] = _zipf(text, table.place(k))
                    if name not in ids:
                        raise DataError(f"no lexeme has the id {name!r}; {nearest(name, ids)}", table.place(k), "value")

    def of(self, inventory: Inventory) -> NDArray[np.float64]:
        """The frequency of each lexeme; NaN where it is unknown, and for closed classes."""
        return self._of.once(lambda: self._of_each(inventory), inventory)

    def _of_each(self, inventory: Inventory) -> NDArray[np.float64]:
        if inventory.category not in _MEASURED:
            return np.full(len(inventory), np.nan)
        return np.array([self.by_id.get(name, np.nan) for name in inventory.ids])


def _zipf(text: str, place: Place) -> float:
    if not re.fullmatch(r"[0-9](\.[0-9]{1,9})?", text):
        raise DataError(f"zipf={text[:20]!r}; write a number from 0 to 9.99", place, "value")
    return float(text)


@dataclass(frozen=True)
class WordFrequencies:
    """Log-probabilities of words by their frequency; case and possessive endings are ignored.

    Attributes:
        logprobs: word in lower case to natural log-probability.
        unknown: of a word that is not there; None leaves such words out.
        name: where they come from.
    """

    logprobs: Mapping[str, float] = field(repr=False)
    unknown: float | None
    name: str

    def of(self, word: str) -> float | None:
        """Return the log-probability of a word; None if it is to be left out."""
        lower = word.lower()
        logprob = self.logprobs.get(lower)
        return self.logprobs.get(unpossessed(lower), self.unknown) if logprob is None else logprob

    def of_sentence(self, text: str) -> list[float]:
        """Return the log-probabilities of the words of a sentence, without those that are left out."""
        return [logprob for word, _ in spans_of_words(text) if (logprob := self.of(word)) is not None]


def word_frequencies(lexicon: Lexicon) -> WordFrequencies:
    """Return the frequencies of the words of a lexicon: all forms of a lexeme have its own.

    A form of several lexemes has the frequency of the most frequent one. Words of closed classes have none, and lexemes
    of several words count for none, so that their words count as what they are alone.
    """
    zipf = Frequencies(lexicon).by_id
    logprobs: dict[str, float] = {}
    for category in CATEGORIES:
        for text, reading in lexicon.readings.forms(category):
            frequency = zipf.get(lexicon.readings.lexeme(reading))
            if frequency is not None and not reading.variant and " " not in text:
                form, logprob = text.lower(), math.log(10) * (frequency - _BILLION)
                logprobs[form] = max(logprob, logprobs.get(form, logprob))
    return WordFrequencies(logprobs, None, "lexicon")


def read_word_frequencies(path: str | Path) -> WordFrequencies:
    """Read a file of counts: a word, a tab, how often it occurs; a word without a row counts one half.

    Raises:
        DataError: no such file, or a line that is not of the format.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, IsADirectoryError):
        what = "no such file; give one with a word, a tab and a count on each line"
        raise DataError(what, Place(path), "missing-file") from None
    except UnicodeDecodeError:
        raise DataError("not a text in UTF-8", Place(path), "encoding") from None
    counts: dict[str, float] = defaultdict(float)
    for number, line in enumerate(lines, start=1):
        word, _, count = line.partition("\t")
        try:
            value = float(count)
        except ValueError:
            value = -1.0
        if not 0 <= value < math.inf:
            raise DataError(f"{line!r} is not a word, a tab and a count", Place(path, number), "tsv")
        counts[word.lower()] += value
    total = math.fsum(counts.values())
    if not total:
        raise DataError("no counts in it", Place(path), "tsv")
    logprobs = {word: math.log(count / total) for word, count in counts.items() if count > 0}
    return WordFrequencies(logprobs, math.log(_UNSEEN / total), f"{path.name} sha256-{sha256_of(path)[:16]}")
