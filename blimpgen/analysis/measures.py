"""Scores of whole sentences with their length or the frequency of their words taken out, each under its name.

``lp`` and ``mean_lp`` always stand side by side; none of the others is ever used silently. They are not the same
question: a sum asks which sentence is likelier, a mean which one has the likelier tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from blimpgen.analysis.columns import Columns, Strings, word_count
from blimpgen.analysis.intervals import Array

__all__ = ["MEASURES", "Measure", "Sentences", "measured", "morcela"]


@dataclass(frozen=True)
class Sentences:
    """What a measure needs to know of sentences; all arrays have the shape (sentences,).

    Attributes:
        lp: sums of log-probabilities.
        tokens: how many tokens are in each sum.
        texts: the sentences.
        unigrams: sums of log unigram probabilities of their words; not a number where these are unknown.
    """

    lp: Array
    tokens: Array
    texts: Strings
    unigrams: Array


Measure: TypeAlias = Callable[[Sentences], Array]


def morcela(sentences: Sentences, *, beta: float, gamma: float) -> Array:
    """Compute MORCELA (Tjuatja et al. 2025), whose parameters are fitted elsewhere; SLOR with beta 1 and gamma 0.

    Args:
        sentences: with their unigram probabilities.
        beta: weight of the unigram probabilities.
        gamma: constant that is added, in nats.
    """
    return (sentences.lp - beta * sentences.unigrams + gamma) / sentences.tokens


def _lengths(texts: Strings, length: Callable[[str], int]) -> Array:
    return np.fromiter((length(text) for text in texts), dtype=np.float64, count=len(texts))


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        "lp": lambda s: s.lp,
        "mean_lp": lambda s: s.lp / s.tokens,
        "lp_per_word": lambda s: s.lp / word_count(s.texts),
        "lp_per_char": lambda s: s.lp / _lengths(s.texts, len),
        "lp_per_byte": lambda s: s.lp / _lengths(s.texts, lambda text: len(text.encode())),
        "slln_lp": lambda s: s.lp / np.sqrt(s.tokens),
        "log_norm_lp": lambda s: s.lp / np.log(s.tokens + 1),
        "slor": lambda s: morcela(s, beta=1, gamma=0),
    }
)
"""Name to measure: sum; divided by tokens, words, characters, bytes, square root of tokens, logarithm of tokens + 1;
SLOR (Lau et al. 2017), which needs unigram probabilities."""

_OF_WORDS = ("lp", "mean_lp")


def measured(rows: Columns) -> dict[str, tuple[Array, Array]]:
    """Compute the measures of both sentences of every row; of the critical word only sum and mean.

    A value is not a number where a row has not what the measure needs; measures that no row has are left out.
    """
    good = Sentences(rows.lp_good, rows.tokens_good, rows.good, rows.unigrams_good)
    bad = Sentences(rows.lp_bad, rows.tokens_bad, rows.bad, rows.unigrams_bad)
    names = MEASURES if rows.method == "full" else _OF_WORDS
    with np.errstate(divide="ignore", invalid="ignore"):
        values = {name: (MEASURES[name](good), MEASURES[name](bad)) for name in names}
    return {name: both for name, both in values.items() if np.isfinite(both[0] + both[1]).any()}
