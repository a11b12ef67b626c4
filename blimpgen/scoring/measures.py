"""Scores of whole sentences with their length or the frequency of their words taken out, each under its name.

``lp`` and ``mean_lp`` always stand side by side; none of the others is ever used silently. They are not the same
question: a sum asks which sentence is likelier, a mean which one has the likelier tokens.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from blimpgen.scoring.items import Item

__all__ = ["MEASURES", "Measure", "Side", "measured", "morcela"]

_SUBLINEAR = 0.5


class Side(NamedTuple):
    """What a measure needs to know of a sentence.

    Attributes:
        lp: sum of log-probabilities.
        n: tokens in it.
        text: the sentence.
        uni: sum of log unigram probabilities of its words.
    """

    lp: float
    n: int
    text: str
    uni: float


Measure: TypeAlias = Callable[[Side], float]


def morcela(side: Side, *, beta: float, gamma: float) -> float:
    """MORCELA (Tjuatja et al. 2025), with the two parameters fitted elsewhere; SLOR with beta 1 and gamma 0."""
    return (side.lp - beta * side.uni + gamma) / side.n


MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        "lp": lambda s: s.lp,
        "mean_lp": lambda s: s.lp / s.n,
        "lp_per_word": lambda s: s.lp / len(s.text.split()),
        "lp_per_char": lambda s: s.lp / len(s.text),
        "lp_per_byte": lambda s: s.lp / len(s.text.encode()),
        "slln_lp": lambda s: s.lp / s.n**_SUBLINEAR,
        "log_norm_lp": lambda s: s.lp / math.log(s.n + 1),
        "slor": lambda s: (s.lp - s.uni) / s.n,
    }
)
"""Name to measure: sum; divided by tokens, words, characters, bytes, square root of tokens, logarithm of tokens + 1;
SLOR (Lau et al. 2017), which needs unigram probabilities."""

_NEEDS_UNIGRAMS = ("slor",)
_OF_WORDS = ("lp", "mean_lp")


def measured(item: Item) -> dict[str, tuple[float, float]]:
    """The measures of both sides of a row, as far as it has what they need; of prefix methods only sum and mean."""
    good = Side(item.lp_good, item.n_tok_good, item.sentence_good, item.uni_good or 0.0)
    bad = Side(item.lp_bad, item.n_tok_bad, item.sentence_bad, item.uni_bad or 0.0)
    if not (good.n and bad.n):
        return {"lp": (good.lp, bad.lp)}
    names = MEASURES if item.method == "full" else _OF_WORDS
    return {
        name: (MEASURES[name](good), MEASURES[name](bad))
        for name in names
        if name not in _NEEDS_UNIGRAMS or (item.uni_good is not None and item.uni_bad is not None)
    }
