"""Correlation of systems over paradigms: do two models, or a model and people, find the same paradigms hard?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from blimpgen.analysis.coefficients import pearson, spearman
from blimpgen.analysis.intervals import Array, Interval
from blimpgen.base.errors import DataError

__all__ = ["Correlations", "correlations", "fisher", "pearson", "spearman"]


@dataclass(frozen=True)
class Correlations:
    """Coefficients of every two systems.

    Attributes:
        names: the systems.
        values: shape (systems, systems); symmetric, 1 on the diagonal; not a number where a system is constant.
        n: over how many paradigms.
    """

    names: tuple[str, ...]
    values: Array
    n: int

    def of(self, first: str, second: str) -> float:
        """The coefficient of two systems."""
        return float(self.values[self.names.index(first), self.names.index(second)])


def fisher(r: float, n: int, *, confidence: float = 0.95) -> Interval:
    """The interval of a Pearson correlation over n observations, by Fisher's z (1921)."""
    if n <= 3 or not abs(r) < 1:
        return Interval(math.nan, math.nan) if n <= 3 or math.isnan(r) else Interval(r, r)
    half = NormalDist().inv_cdf((1 + confidence) / 2) / math.sqrt(n - 3)
    return Interval(math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))


def correlations(systems: Mapping[str, Mapping[str, float]], *, ranks: bool = False) -> Correlations:
    """Correlations of the accuracies of systems over the paradigms that all of them have.

    Args:
        systems: name to uid to accuracy.
        ranks: Spearman's instead of Pearson's.

    Raises:
        DataError: fewer than two paradigms in common.
    """
    common = sorted(set.intersection(*(set(accuracies) for accuracies in systems.values()))) if systems else []
    if len(common) < 2:
        raise DataError(f"{' and '.join(systems) or 'no systems'}: {len(common)} paradigms in common; two are needed")
    values = [[accuracies[uid] for uid in common] for accuracies in systems.values()]
    coefficient = spearman if ranks else pearson
    matrix = np.array([[1.0 if a is b else coefficient(a, b) for b in values] for a in values])
    return Correlations(tuple(systems), matrix, len(common))
