"""Frequencies of words for results that were made without any: those of the lexicon."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from statistics import fmean

import numpy as np

from blimpgen.analysis.columns import Columns
from blimpgen.lexicon.frequency import WordFrequencies, word_frequencies
from blimpgen.library import default_library

__all__ = ["with_frequencies"]


def with_frequencies(rows: Columns) -> Columns:
    """Add the mean log frequency of those words of the good sentence that the lexicon has, unless rows have theirs."""
    if np.isfinite(rows.frequency).any():
        return rows
    of_words = [_frequencies().of_sentence(sentence) for sentence in rows.good.tolist()]
    return replace(rows, frequency=np.array([fmean(logprobs) if logprobs else math.nan for logprobs in of_words]))


@lru_cache(maxsize=1)
def _frequencies() -> WordFrequencies:
    return word_frequencies(default_library().lexicon)
