"""Correlation of systems over paradigms: do two models, or a model and people, find the same paradigms hard?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from blimpgen.analysis.intervals import Array, Interval
from blimpgen.base.errors import DataError
from blimpgen.base.extras import require

__all__ = ["Coefficients", "Correlations", "correlate", "correlations"]


@dataclass(frozen=True)
class Coefficients:
    """The correlation of two variables; not a number if either is constant.

    Attributes:
        pearson: the product-moment correlation, from -1 to 1.
        interval: its interval, by Fisher's z (1921).
        spearman: the rank correlation, from -1 to 1.
        n: how many pairs of values.
    """

    pearson: float
    interval: Interval
    spearman: float
    n: int


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
        """Return the coefficient of two systems.

        Args:
            first, second: two of `names`.
        """
        return float(self.values[self.names.index(first), self.names.index(second)])


def correlate(x: Sequence[float] | Array, y: Sequence[float] | Array, *, confidence: float = 0.95) -> Coefficients:
    """Correlate two variables.

    Args:
        x, y: their values, shape (n,) each.
        confidence: of the interval.

    Raises:
        UsageError: scipy is not installed. ValueError: fewer than two values.
    """
    stats = require("scipy.stats", "analysis")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.ConstantInputWarning)
        product, ranks = stats.pearsonr(x, y), stats.spearmanr(x, y)
    ends = (float(end) for end in product.confidence_interval(confidence))
    return Coefficients(float(product.statistic), Interval(*ends), float(ranks.statistic), len(x))


def correlations(systems: Mapping[str, Mapping[str, float]], *, ranks: bool = False) -> Correlations:
    """Correlate the accuracies of systems over the paradigms that all of them have.

    Args:
        systems: name to uid to accuracy.
        ranks: Spearman's coefficient instead of Pearson's.

    Raises:
        DataError: fewer than two paradigms in common. UsageError: scipy, which ranks need, is not installed.
    """
    common = sorted(set.intersection(*(set(accuracies) for accuracies in systems.values()))) if systems else []
    if len(common) < 2:
        raise DataError(f"{' and '.join(systems) or 'no systems'}: {len(common)} paradigms in common; two are needed")
    values = np.array([[accuracies[uid] for uid in common] for accuracies in systems.values()])
    if ranks:
        values = require("scipy.stats", "analysis").rankdata(values, axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        matrix = np.atleast_2d(np.corrcoef(values))
    np.fill_diagonal(matrix, 1.0)
    return Correlations(tuple(systems), (matrix + matrix.T) / 2, len(common))
