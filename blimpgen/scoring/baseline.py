"""Baselines without a model: what a rule scores that knows nothing of grammar."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.english.words import spans_of_words, unpossessed
from blimpgen.lexicon import CATEGORIES
from blimpgen.lexicon.frequency import Frequencies
from blimpgen.library import Library, default_library
from blimpgen.scoring.loading import fingerprint
from blimpgen.scoring.scores import Identity, TokenScores

__all__ = ["BASELINES", "Baseline", "BaselineName", "UnigramTable", "counted", "lexicon_frequencies"]

BaselineName: TypeAlias = Literal["length", "unigram"]
BASELINES: tuple[BaselineName, ...] = ("length", "unigram")

_BILLION = 9
_UNSEEN = 0.5


class UnigramTable:
    """Log-probabilities of words by their frequency; case and possessive endings are ignored.

    Args:
        logprobs: word in lower case to natural log-probability.
        unknown: of a word that is not there; None leaves such words out.
        name: where they come from.
    """

    def __init__(self, logprobs: Mapping[str, float], unknown: float | None, name: str) -> None:
        self.logprobs, self.unknown, self.name = logprobs, unknown, name

    def of(self, word: str) -> float | None:
        """The log-probability of a word."""
        lower = word.lower()
        found = self.logprobs.get(lower)
        return self.logprobs.get(unpossessed(lower), self.unknown) if found is None else found

    def logprob(self, text: str) -> float:
        """The sum over the words of a sentence."""
        return math.fsum(value for word, _ in spans_of_words(text) if (value := self.of(word)) is not None)


def lexicon_frequencies(library: Library) -> UnigramTable:
    """The frequencies of the lexicon: all forms of a lexeme have its own, closed-class words are left out.

    A form of several lexemes has the frequency of the most frequent one. Lexemes of several words are left out too, so
    that their words count as what they are alone.
    """
    lexicon = library.lexicon
    zipf = Frequencies(lexicon.folders).by_id
    logprobs: dict[str, float] = {}
    for category in CATEGORIES:
        for text, reading in lexicon.readings.forms(category):
            frequency = zipf.get(lexicon.readings.lexeme(reading))
            if frequency is not None and not reading.variant and " " not in text:
                value, form = math.log(10) * (frequency - _BILLION), text.lower()
                logprobs[form] = max(value, logprobs.get(form, value))
    return UnigramTable(logprobs, None, "lexicon")


def counted(path: str | Path) -> UnigramTable:
    """The frequencies of a file of counts: a word, a tab, how often it occurs; a word without a row counts one half.

    Raises:
        DataError: no such file, or a line that is not of the format.
    """
    path = Path(path)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise DataError(
            "no such file; give one with a word, a tab and a count on each line", Place(path), "missing-file"
        ) from None
    counts: dict[str, float] = {}
    for number, line in enumerate(lines, start=1):
        word, _, count = line.partition("\t")
        try:
            counts[word.lower()] = counts.get(word.lower(), 0.0) + float(count)
        except ValueError:
            raise DataError(f"{line!r} is not a word, a tab and a count", Place(path, number), "tsv") from None
    total = math.fsum(counts.values())
    if not total:
        raise DataError("no counts in it", Place(path), "tsv")
    logprobs = {word: math.log(count / total) for word, count in counts.items() if count > 0}
    return UnigramTable(logprobs, math.log(_UNSEEN / total), f"{path.name} {fingerprint(path)}")


class Baseline:
    """Scores sentences by length or by the frequency of their words.

    Args:
        name: ``length``: the sentence with fewer words is the better one; ``unigram``: the one with likelier words.
        frequencies: of words, for ``unigram``; by default those of the lexicon.

    Raises:
        UsageError: no such baseline.
    """

    def __init__(self, name: str, frequencies: UnigramTable | None = None) -> None:
        if name not in BASELINES:
            raise UsageError(f"no baseline {name!r}; {nearest(name, BASELINES)}")
        self._frequencies = frequencies
        if name == "unigram" and frequencies is None:
            self._frequencies = lexicon_frequencies(default_library())
        source = {"frequencies": self._frequencies.name} if self._frequencies else {}
        self._name = name
        self.identity = Identity(name, "baseline", "length" if name == "length" else "log_prob", versions=source)

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """The scores of sentences: -1 a word, or its log-probability."""
        return [self._score(text) for text in texts]

    def _score(self, text: str) -> TokenScores:
        found = [(self._of(word), span) for word, span in spans_of_words(text)]
        known = [(value, span) for value, span in found if value is not None]
        return TokenScores([value for value, _ in known], [span for _, span in known])

    def _of(self, word: str) -> float | None:
        return self._frequencies.of(word) if self._frequencies and self._name == "unigram" else -1.0
