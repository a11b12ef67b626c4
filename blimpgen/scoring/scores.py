"""What every scorer gives: log-probabilities of the tokens of a sentence.

A scorer is any callable ``list[str] -> list[TokenScores]``. One that also has a method ``score(requests)`` is asked for
more at the same time: where words end, or one word alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

from blimpgen.base.errors import DataError

__all__ = ["Identity", "Request", "RequestScorer", "Scorer", "Span", "TokenScores", "identity_of", "word_score"]

Span: TypeAlias = "tuple[int, int]"


@dataclass(frozen=True)
class TokenScores:
    """The scored tokens of a sentence.

    Attributes:
        logprobs: natural log-probability of each token; a token that nothing conditions (the first one of a model
            without a start token) is left out, not scored as 0.
        spans: characters (start, end) of each token, as far as they are known; needed for prefix methods.
        endings: character position to the log-probability that a word ends there, given what stands before it: the
            sum over all tokens that begin a word or a mark. Only at positions that were asked for, and only of
            tokenizers that mark the beginning of words.
    """

    logprobs: Sequence[float]
    spans: Sequence[Span] = ()
    endings: Mapping[int, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        """The sum of all log-probabilities, in double precision and rounded once."""
        return math.fsum(self.logprobs)


@dataclass(frozen=True)
class Request:
    """A sentence to be scored.

    Attributes:
        text: the sentence.
        endings: character positions at which it matters whether a word ends.
        word: the characters of the word in which the sentence differs from its partner, if it is just one.
    """

    text: str
    endings: tuple[int, ...] = ()
    word: Span | None = None


@dataclass(frozen=True)
class Identity:
    """What a scorer says of itself in every row and in the signature.

    Attributes:
        model: name or path, as it was given.
        family: causal, masked, ngram, lstm, baseline, or the name of an entry point.
        score: what its sums are: log_prob, pll_word_l2r, pll_original, masked_word, ...
        revision: commit of the model, if it is known.
        dtype: precision of the model.
        bos, eos: tokens before and after the sentence; none if there are none.
        versions: what else the scores depend on: libraries with their versions, options of the family.
    """

    model: str
    family: str = "callable"
    score: str = "log_prob"
    revision: str | None = None
    dtype: str | None = None
    bos: str | None = None
    eos: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)


class Scorer(Protocol):
    """Anything that scores sentences."""

    def __call__(self, texts: list[str], /) -> Sequence[TokenScores]:
        """The scores of sentences, in their order."""


@runtime_checkable
class RequestScorer(Protocol):
    """A scorer that can be asked for more than the tokens of sentences."""

    def score(self, requests: Sequence[Request]) -> Sequence[TokenScores | None]:
        """The scores of requests, in their order; None for one that this scorer cannot meet."""


def identity_of(scorer: Any) -> Identity:
    """What a scorer says of itself; a bare function has its name."""
    found = getattr(scorer, "identity", None)
    if isinstance(found, Identity):
        return found
    return Identity(getattr(scorer, "__name__", type(scorer).__name__))


def word_score(scores: TokenScores, word: Span, text: str, *, correct: bool = True) -> tuple[float, int]:
    """The log-probability of a word given what stands before it, and how many tokens it has.

    Where the tokens mark the beginning of words, their product is the probability that the text goes on with these
    characters, not that the word ends with them. The probability of the word is had by multiplying with the probability
    that a word ends after it, and dividing by the probability that one ended before it (Pimentel and Meister 2024, Oh
    and Schuler 2024).

    Args:
        scores: of the whole sentence.
        word: characters (start, end) of the word; a space before it belongs to it.
        text: the sentence.
        correct: apply this correction where `scores` has what it needs.

    Raises:
        DataError: the scorer did not say where its tokens stand.
    """
    if len(scores.spans) != len(scores.logprobs):
        raise DataError(
            f"the scorer gives {len(scores.logprobs)} log-probabilities and {len(scores.spans)} spans for "
            f"{text!r}; prefix methods need the characters of each token: give spans, or --method full"
        )
    start, end = word[0] - text[: word[0]].endswith(" "), word[1]
    chosen = [lp for lp, (a, b) in zip(scores.logprobs, scores.spans, strict=True) if a < end and b > start]
    if correct and start in scores.endings and end in scores.endings:
        return math.fsum([*chosen, scores.endings[end], -scores.endings[start]]), len(chosen)
    return math.fsum(chosen), len(chosen)
