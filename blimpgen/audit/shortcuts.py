"""What a rule that knows no grammar scores on a set, and how its words are spread.

A *score* is the share of pairs in which a rule prefers the good sentence; where it has no preference the pair counts
half. 0.5 is chance. A score far from it, on either side, says that the set can be solved without grammar by whoever
has learnt the rule; it says nothing against a model that has not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum, log
from typing import TypeAlias

from blimpgen.audit.guards import Vocabulary
from blimpgen.base.records import difference
from blimpgen.english.words import split_sentence, unmarked
from blimpgen.lexicon.frequency import Frequencies

__all__ = ["RULES", "Shares", "WordFrequencies", "critical_words", "shortcuts"]

Pair: TypeAlias = tuple[str, str]
Score: TypeAlias = Callable[[str], float]
Grams: TypeAlias = frozenset[tuple[str, ...]]

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
        self.zipf = Frequencies(vocabulary.lexicon).by_id

    def mean(self, text: str) -> float:
        """The mean over the words of a sentence that have a frequency; 0 if none has."""
        words, frequencies, k = split_sentence(text).words, [], 0
        lexeme_of = self.vocabulary.lexicon.readings.lexeme
        while k < len(words):
            spans = self.vocabulary.spans(words, k)
            end, readings = spans[0] if spans else (k + 1, ())
            of_readings = [self.zipf[name] for r in readings if (name := lexeme_of(r)) in self.zipf]
            frequencies += [max(of_readings)] if of_readings else []
            k = end
        return sum(frequencies) / len(frequencies) if frequencies else 0.0


def shortcuts(pairs: Sequence[Pair], frequencies: WordFrequencies) -> dict[str, float]:
    """The score of every rule on a set.

    Args:
        pairs: good and bad sentences.
        frequencies: how frequent words are.

    Returns:
        Rule to score, from 0 to 1; empty for an empty set.
    """
    if not pairs:
        return {}
    vocabulary = frequencies.vocabulary
    rules: dict[str, Score] = {
        "fewer-words": lambda text: -len(text.split()),
        "fewer-characters": lambda text: -len(text),
        "more-frequent": frequencies.mean,
        "more-names": lambda text: _names(text, vocabulary),
    }
    scores = {
        name: sum(_won(rule(good), rule(bad)) for good, bad in pairs) / len(pairs) for name, rule in rules.items()
    }
    return {**scores, "unigrams": _learnt(pairs, 1), "bigrams": _learnt(pairs, 2)}


def _won(good: float, bad: float) -> float:
    return 0.5 if good == bad else float(good > bad)


def _names(text: str, vocabulary: Vocabulary) -> int:
    words = split_sentence(text).words
    return sum(bool(vocabulary.readings(words, k, ("Name",))[1]) for k in range(len(words)))


def _learnt(pairs: Sequence[Pair], length: int) -> float:
    """The score of log-odds of n-grams up to a length, each half of the set scored with those of the other.

    The halves are the first and the second: every cell of a design, and every comparison of a set, is in both.
    """
    grams = [(_grams(good, length), _grams(bad, length)) for good, bad in pairs]
    middle, won = len(grams) // 2, 0.0
    for training, test in ((grams[middle:], grams[:middle]), (grams[:middle], grams[middle:])):
        learnt = _log_odds(training)
        for good, bad in test:
            # Exact sums: those of floats would depend on the order of a set, which differs from process to process.
            won += _won(*(fsum(learnt.get(g, 0.0) for g in side) for side in (good - bad, bad - good)))
    return won / len(pairs)


def _grams(text: str, length: int) -> Grams:
    words = ["^", *split_sentence(text.lower()).words, "$"]
    return frozenset(tuple(words[k : k + n]) for n in range(1, length + 1) for k in range(len(words) - n + 1))


def _log_odds(grams: Sequence[tuple[Grams, Grams]]) -> dict[tuple[str, ...], float]:
    good, bad = (Counter(gram for pair in grams for gram in pair[side]) for side in (0, 1))
    return {gram: log((good[gram] + 1) / (bad[gram] + 1)) for gram in good.keys() | bad.keys()}


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
