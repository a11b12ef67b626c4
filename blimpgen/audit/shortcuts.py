"""What a rule that knows no grammar scores on a set, and how its words are spread.

A *score* is the share of pairs in which a rule prefers the good sentence; where it has no preference the pair counts
half. 0.5 is chance. A score far from it, on either side, says that the set can be solved without grammar by whoever
has learnt the rule; it says nothing against a model that has not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import fsum, log
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.audit.guards import Vocabulary
from blimpgen.audit.guards.tokens import Place, Places
from blimpgen.base.records import difference
from blimpgen.english.words import split_sentence, unmarked
from blimpgen.lexicon.frequency import Frequencies

__all__ = ["RULES", "Shares", "WordFrequencies", "critical_words", "shortcuts"]

Pair: TypeAlias = tuple[str, str]
Sentence = TypeVar("Sentence", str, Places)
_NAMES = ("Name",)
_CLOSE = 1e-9
"""Far above the error of a sum of log-odds in floats."""

RULES = {
    "fewer-words": "the sentence with fewer words",
    "fewer-characters": "the sentence with fewer characters",
    "more-frequent": "the sentence whose words are more frequent on average (Zipf scale)",
    "more-names": "the sentence with more proper names",
    "unigrams": "words that go with good sentences in the other half of the set",
    "bigrams": "words and pairs of words that go with good sentences in the other half of the set",
}
"""Rule to what it prefers."""


class WordFrequencies:
    """The Zipf frequencies of word forms: of a form with several lexemes, that of the most frequent one."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._zipf = Frequencies(vocabulary.lexicon).by_id
        self._forms: dict[Place, tuple[int, float | None]] = {}

    def mean(self, places: Places) -> float:
        """The mean over the forms of a sentence that have a frequency; 0 if none has.

        Args:
            places: the words of the sentence.
        """
        frequencies, k = [], 0
        while k < len(places):
            length, frequency = self._forms.get(places[k]) or self._form(places[k])
            if frequency is not None:
                frequencies.append(frequency)
            k += length
        return sum(frequencies) / len(frequencies) if frequencies else 0.0

    def _form(self, place: Place) -> tuple[int, float | None]:
        """The number of words of the longest form at a place, and its frequency; None if it has none."""
        length, readings = place.spans[0] if place.spans else (1, ())
        lexemes = map(self.vocabulary.lexicon.readings.lexeme, readings)
        found = length, max((self._zipf[name] for name in lexemes if name in self._zipf), default=None)
        self._forms[place] = found
        return found


def shortcuts(
    pairs: Sequence[Pair], frequencies: WordFrequencies, places: Sequence[tuple[Places, Places]] | None = None
) -> dict[str, float]:
    """The score of every rule on a set.

    Args:
        pairs: good and bad sentences.
        frequencies: how frequent words are.
        places: the words of the sentences, if they have been looked up.

    Returns:
        Rule to score, from 0 to 1; empty for an empty set.
    """
    if not pairs:
        return {}
    if places is None:
        read = frequencies.vocabulary.places
        places = [(read(split_sentence(good).words), read(split_sentence(bad).words)) for good, bad in pairs]
    unigrams, bigrams = _Grams.of(places)
    return {
        "fewer-words": _score(pairs, lambda text: -len(text.split())),
        "fewer-characters": _score(pairs, lambda text: -len(text)),
        "more-frequent": _score(places, frequencies.mean),
        "more-names": _score(places, _names),
        "unigrams": _learnt(unigrams, len(pairs)),
        "bigrams": _learnt(bigrams, len(pairs)),
    }


def _score(pairs: Sequence[tuple[Sentence, Sentence]], rule: Callable[[Sentence], float]) -> float:
    return sum(_won(rule(good), rule(bad)) for good, bad in pairs) / len(pairs)


def _won(good: float, bad: float) -> float:
    return 0.5 if good == bad else float(good > bad)


def _names(places: Places) -> int:
    return sum([place.longest[_NAMES][0] > 0 for place in places])


class _Grams(NamedTuple):
    """The different n-grams of each sentence, one after the other; good and bad sentences take turns.

    Attributes:
        sentences: the number of the sentence.
        grams: the number of the n-gram.
    """

    sentences: NDArray[np.int64]
    grams: NDArray[np.int64]

    @classmethod
    def of(cls, pairs: Sequence[tuple[Places, Places]]) -> tuple[_Grams, _Grams]:
        """Number the words, and the words with the pairs of words, of sentences, in small letters.

        Args:
            pairs: the words of good and bad sentences.
        """
        lines = [(None, *places, None) for pair in pairs for places in pair]
        flat = list(chain.from_iterable(lines))
        small = {place: place and place.word.lower() for place in dict.fromkeys(flat)}
        numbers = {word: k for k, word in enumerate(dict.fromkeys(small.values()))}
        of_place = {place: numbers[word] for place, word in small.items()}
        words = np.fromiter(map(of_place.__getitem__, flat), dtype=np.int64, count=len(flat))
        sentences = np.repeat(np.arange(len(lines)), [len(line) for line in lines])
        inside = sentences[1:] == sentences[:-1]
        two = (len(numbers) * (1 + words[:-1]) + words[1:])[inside]
        both = np.append(words, two), np.append(sentences, sentences[1:][inside])
        return cls._different(words, sentences), cls._different(*both)

    @classmethod
    def _different(cls, grams: NDArray[np.int64], sentences: NDArray[np.int64]) -> _Grams:
        numbers, grams = np.unique(grams, return_inverse=True)
        each = np.sort(sentences * len(numbers) + grams)  # `np.unique` takes ten times as long without the inverse
        return cls(*np.divmod(each[np.append(True, each[1:] != each[:-1])], len(numbers)))


def _learnt(occurring: _Grams, pairs: int) -> float:
    """The score of log-odds of n-grams, each half of the set scored with those of the other.

    The halves are the first and the second: every cell of a design, and every comparison of a set, is in both.
    """
    sentences, grams = occurring
    of_pair, middle = sentences // 2, pairs // 2
    second = of_pair >= middle
    learnt = np.stack([_log_odds(occurring, second), _log_odds(occurring, ~second)])
    each = of_pair * (1 + grams.max()) + grams
    order = np.argsort(each, kind="stable")
    twice = np.flatnonzero(each[order[1:]] == each[order[:-1]])
    alone = np.ones(len(each), dtype=bool)  # n-grams that one sentence of the pair has and the other has not
    alone[order[twice]] = alone[order[twice + 1]] = False
    sentences, odds = sentences[alone], learnt[second.astype(int), grams][alone]
    sums = np.bincount(sentences, odds, 2 * pairs)
    good, bad = sums[::2], sums[1::2]
    # Sums of floats depend on their order, and equal ones decide a score: where they are close, exact ones are taken.
    close = np.flatnonzero(np.abs(good - bad) < _CLOSE)
    starts = np.searchsorted(sentences, np.arange(2 * pairs + 1)).tolist()
    exact = [fsum(odds[starts[k] : starts[k + 1]]) for pair in close.tolist() for k in (2 * pair, 2 * pair + 1)]
    good[close], bad[close] = exact[::2], exact[1::2]
    return float(np.where(good == bad, 0.5, good > bad).sum()) / pairs


def _log_odds(occurring: _Grams, training: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The log-odds of every n-gram by the sentences of one half; 0 for one that they do not have."""
    sentences, grams = occurring
    different = 1 + grams.max()
    good, bad = (np.bincount(grams[training & (sentences % 2 == side)], minlength=different) for side in (0, 1))
    most = 1 + bad.max()
    counts, place = np.unique(good * most + bad, return_inverse=True)
    return np.array([log((count // most + 1) / (count % most + 1)) for count in counts.tolist()])[place]


@dataclass(frozen=True)
class Shares:
    """How the words are spread in which the sentences of a set differ.

    Attributes:
        different: how many different ones there are; words that stand together count as one.
        most: the most frequent.
        share: its share of all, from 0 to 1; the share of each would be 1/different if all were alike.
    """

    different: int
    most: str
    share: float


def critical_words(pairs: Sequence[Pair]) -> dict[str, Shares]:
    """Of the good and of the bad sentences the words in which they differ; empty where they have none of their own."""
    spread: dict[str, Counter[str]] = {"good": Counter(), "bad": Counter()}
    for good, bad in pairs:
        spans = difference(good, bad)
        for side, text in (("good", good), ("bad", bad)):
            words = unmarked(text).split()
            for span in spans:
                start, end = span[0] if side == "good" else span[1]
                if start < end:
                    spread[side][" ".join(words[start:end]).lower()] += 1
    return {
        side: Shares(len(counts), most, times / counts.total())
        for side, counts in spread.items()
        for most, times in counts.most_common(1)
    }
