"""What every scorer gives: log-probabilities of the tokens of a sentence.

A scorer is any callable ``list[str] -> list[TokenScores]``. One that also has a method ``score(requests)`` is asked for
more at the same time: where words end, or one word alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

from blimpgen.base.errors import DataError
from blimpgen.english.words import spans_of_words

__all__ = [
    "CalibratedScorer",
    "Identity",
    "QueuedScorer",
    "Request",
    "RequestScorer",
    "Scorer",
    "Span",
    "TokenScores",
    "Unscored",
    "Verdict",
    "all_scored",
    "identity_of",
    "word_scores",
]

Span: TypeAlias = "tuple[int, int]"

_SHOWN = 80


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
class Unscored:
    """A sentence that cannot be scored.

    Attributes:
        reason: why, in words.
    """

    reason: str


Verdict: TypeAlias = TokenScores | Unscored


class Request(NamedTuple):
    """A sentence to be scored.

    Attributes:
        text: the sentence.
        endings: character positions at which it matters whether a word ends.
        partner: the sentence that it is compared with, if there is one.
    """

    text: str
    endings: tuple[int, ...] = ()
    partner: str | None = None

    @property
    def word(self) -> Span | None:
        """The characters of the one word in which it differs from its partner, without marks, if it is just one."""
        if self.partner is None:
            return None
        words, others = spans_of_words(self.text), spans_of_words(self.partner)
        differ = [span for (word, span), (other, _) in zip(words, others, strict=False) if word != other]
        return differ[0] if len(words) == len(others) and len(differ) == 1 else None


@dataclass(frozen=True)
class Identity:
    """What a scorer says of itself in every row and in the signature.

    Attributes:
        model: name or path, as it was given.
        family: causal, masked, ngram, baseline, or the name of an entry point.
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

    def __str__(self) -> str:
        parts = {**vars(self), **self.versions}
        return "; ".join(f"{name}: {value or '-'}" for name, value in parts.items() if name != "versions")


class Scorer(Protocol):
    """Anything that scores sentences."""

    def __call__(self, texts: list[str], /) -> Sequence[TokenScores]:
        """The scores of sentences, in their order."""


@runtime_checkable
class RequestScorer(Protocol):
    """A scorer that can be asked for more than the tokens of sentences."""

    def score(self, requests: Sequence[Request]) -> Sequence[Verdict]:
        """Score requests, in their order; one that this scorer cannot meet gets the reason instead."""


@runtime_checkable
class QueuedScorer(Protocol):
    """A scorer whose device can work while the caller goes on."""

    def begin(self, requests: Sequence[Request]) -> Callable[[], Sequence[Verdict]]:
        """Begin to score requests, as `RequestScorer.score` does; what is returned waits for the scores."""


@runtime_checkable
class CalibratedScorer(Protocol):
    """A scorer that settles how it computes by the first sentences that it sees."""

    def calibrate(self, requests: Sequence[Request]) -> None:
        """Settle it by these, so that scores do not depend on what was scored before."""


def all_scored(texts: Sequence[str], verdicts: Sequence[Verdict]) -> list[TokenScores]:
    """Return the scores of sentences, none of which may be missing.

    Args:
        texts: the sentences.
        verdicts: what a scorer makes of each.

    Raises:
        DataError: a sentence cannot be scored.
    """
    for text, verdict in zip(texts, verdicts, strict=True):
        if isinstance(verdict, Unscored):
            raise DataError(f"{verdict.reason}: {text[:_SHOWN]!r}")
    return [verdict for verdict in verdicts if isinstance(verdict, TokenScores)]


def identity_of(scorer: Any) -> Identity:
    """What a scorer says of itself; a bare function has its name."""
    identity = getattr(scorer, "identity", None)
    if isinstance(identity, Identity):
        return identity
    return Identity(getattr(scorer, "__name__", type(scorer).__name__))


def word_scores(
    verdicts: Sequence[TokenScores], words: Sequence[Span], texts: Sequence[str], *, correct: bool = True
) -> list[tuple[float, int]]:
    """Return the log-probability of a word of each sentence given what stands before it, and its number of tokens.

    Where the tokens mark the beginning of words, their product is the probability that the text goes on with these
    characters, not that the word ends with them. Multiplied by the probability that a word ends after it, and divided
    by the probability that one ended before it, it is the probability of the word (Pimentel and Meister 2024, Oh and
    Schuler 2024). All words that are compared are corrected, or none: where a token reaches across the edge of one of
    them, there is nothing to correct that one with, and the others would gain or lose against it.

    Args:
        verdicts: scores of whole sentences.
        words: characters (start, end) of the word in each sentence; a space before it belongs to it.
        texts: the sentences.
        correct: apply this correction where all of `verdicts` have what it needs.

    Raises:
        DataError: the scorer did not say where its tokens stand.
    """
    edges = [(start - text[:start].endswith(" "), end) for text, (start, end) in zip(texts, words, strict=True)]
    correct = correct and all({*edge} <= scores.endings.keys() for scores, edge in zip(verdicts, edges, strict=True))
    sums = []
    for scores, (start, end), text in zip(verdicts, edges, texts, strict=True):
        if len(scores.spans) != len(scores.logprobs):
            raise DataError(
                f"the scorer gives {len(scores.logprobs)} log-probabilities and {len(scores.spans)} spans for "
                f"{text!r}; prefix methods need the characters of each token: give spans, or --method full"
            )
        inside = [lp for lp, (a, b) in zip(scores.logprobs, scores.spans, strict=True) if a < end and b > start]
        correction = [scores.endings[end], -scores.endings[start]] if correct else []
        sums.append((math.fsum([*inside, *correction]), len(inside)))
    return sums
