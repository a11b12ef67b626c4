"""Frequencies of words for results that were made without any: those of the lexicon."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from blimpgen.analysis.columns import Columns
from blimpgen.english.words import spans_of_words
from blimpgen.library import default_library
from blimpgen.scoring.baseline import UnigramTable, lexicon_frequencies

__all__ = ["with_frequencies"]


def with_frequencies(rows: Columns) -> Columns:
    """The rows, with the mean log frequency of those words of the good sentence that the lexicon has."""
    if np.isfinite(rows.frequency).any():
        return rows
    return replace(rows, frequency=np.array([_mean(sentence) for sentence in rows.good.tolist()]))


def _mean(sentence: str) -> float:
    known = [value for word, _ in spans_of_words(sentence) if (value := _frequencies().of(word)) is not None]
    return sum(known) / len(known) if known else float("nan")


@lru_cache(maxsize=1)
def _frequencies() -> UnigramTable:
    return lexicon_frequencies(default_library())
