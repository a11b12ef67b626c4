"""Baselines without a model: what a rule scores that knows nothing of grammar."""

from __future__ import annotations

from typing import Literal, TypeAlias

from blimpgen.base.errors import UsageError, nearest
from blimpgen.english.words import spans_of_words
from blimpgen.lexicon.frequency import WordFrequencies, word_frequencies
from blimpgen.library import default_library
from blimpgen.scoring.scores import Identity, TokenScores

__all__ = ["BASELINES", "Baseline", "BaselineName"]

BaselineName: TypeAlias = Literal["length", "unigram"]
BASELINES: tuple[BaselineName, ...] = ("length", "unigram")


class Baseline:
    """Scores sentences by length or by the frequency of their words.

    Args:
        name: ``length``: the sentence with fewer words is the better one; ``unigram``: the one with likelier words.
        frequencies: of words, for ``unigram``; by default those of the lexicon.

    Raises:
        UsageError: no such baseline.
    """

    def __init__(self, name: str, frequencies: WordFrequencies | None = None) -> None:
        if name not in BASELINES:
            raise UsageError(f"no baseline {name!r}; {nearest(name, BASELINES)}")
        self._frequencies = frequencies
        if name == "unigram" and frequencies is None:
            self._frequencies = word_frequencies(default_library().lexicon)
        source = {"frequencies": self._frequencies.name} if self._frequencies else {}
        self._name = name
        self.identity = Identity(name, "baseline", "length" if name == "length" else "log_prob", versions=source)

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """The scores of sentences: -1 a word, or its log-probability."""
        return [self._score(text) for text in texts]

    def _score(self, text: str) -> TokenScores:
        values = [(self._of(word), span) for word, span in spans_of_words(text)]
        scored = [(value, span) for value, span in values if value is not None]
        return TokenScores([value for value, _ in scored], [span for _, span in scored])

    def _of(self, word: str) -> float | None:
        return self._frequencies.of(word) if self._frequencies and self._name == "unigram" else -1.0
