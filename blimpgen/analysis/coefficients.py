"""Coefficients of correlation of two variables."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["pearson", "spearman"]

Array: TypeAlias = NDArray[np.float64]


def pearson(x: Sequence[float] | Array, y: Sequence[float] | Array) -> float:
    """The product-moment correlation, from -1 to 1; not a number if either is constant."""
    a, b = (np.asarray(v, dtype=np.float64) - np.mean(v) for v in (x, y))
    scale = math.sqrt(float(a @ a) * float(b @ b))
    return float(a @ b) / scale if scale > 0 else math.nan


def spearman(x: Sequence[float] | Array, y: Sequence[float] | Array) -> float:
    """The rank correlation: Pearson's of the ranks, equal values sharing the mean of their ranks."""
    return pearson(_ranks(x), _ranks(y))


def _ranks(values: Sequence[float] | Array) -> Array:
    _, which, count = np.unique(np.asarray(values, dtype=np.float64), return_inverse=True, return_counts=True)
    last = np.cumsum(count)
    ranks: Array = (last - (count - 1) / 2)[which]
    return ranks
