"""Analyses of noun scores: correlations, principal components of standardised columns, regression on frequency."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.base.extras import require

__all__ = [
    "Components",
    "Correlation",
    "Regression",
    "components",
    "correlate",
    "correlations",
    "regress",
    "standardised",
    "z_by_number",
]

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Correlation:
    """A Pearson correlation.

    Attributes:
        r: the coefficient.
        p: two-sided probability under no correlation.
        n: how many pairs of values.
    """

    r: float
    p: float
    n: int

    def significant(self, level: float = 0.05, comparisons: int = 1) -> bool:
        """Tell whether p is below a level that is divided by the number of comparisons (Bonferroni).

        Args:
            level: the level for all comparisons together.
            comparisons: how many there are.
        """
        return self.p < level / comparisons


@dataclass(frozen=True)
class Components:
    """Principal components of a matrix with standardised columns, that is, of its correlations.

    Attributes:
        explained: share of the variance of each component, largest first.
        loadings: one row a component, one entry a column; the largest entry is positive.
        scores: one row a noun, one entry a component.
    """

    explained: Matrix
    loadings: Matrix
    scores: Matrix = field(repr=False)


@dataclass(frozen=True)
class Regression:
    """A least-squares line.

    Attributes:
        slope, intercept: the line.
        r2: share of the variance that it explains.
        correlation: of the two variables.
    """

    slope: float
    intercept: float
    r2: float
    correlation: Correlation


def standardised(matrix: Matrix) -> Matrix:
    """Columns with mean 0 and standard deviation 1 (n - 1 degrees of freedom).

    Raises:
        DataError: fewer than two rows, a missing value, or a column whose values are all the same.
    """
    values = np.asarray(matrix, dtype=np.float64)
    if values.ndim != 2 or len(values) < 2 or not np.isfinite(values).all():
        raise DataError("a matrix of at least two rows without missing values is needed")
    deviation = values.std(axis=0, ddof=1)
    if not deviation.all():
        raise DataError(f"all values of column {int(np.argmin(deviation))} are the same")
    return np.asarray((values - values.mean(axis=0)) / deviation)


def correlate(x: Matrix, y: Matrix) -> Correlation:
    """Compute Pearson's r of two variables, with its two-sided p.

    Args:
        x, y: one number for each observation, in the same order.
    """
    both = standardised(np.column_stack([x, y]))
    result = require("scipy.stats", "analysis").pearsonr(both[:, 0], both[:, 1])
    return Correlation(float(result.statistic), float(result.pvalue), len(both))


def correlations(matrix: Matrix) -> list[list[Correlation]]:
    """Of every column with every other."""
    columns = np.asarray(matrix, dtype=np.float64).T
    return [[correlate(a, b) for b in columns] for a in columns]


def components(matrix: Matrix) -> Components:
    """Principal components after standardising each column; only centring them gives other numbers."""
    scaled = standardised(matrix)
    left, singular, right = np.linalg.svd(scaled, full_matrices=False)
    sign = np.sign(right[np.arange(len(right)), np.abs(right).argmax(axis=1)])
    variance = singular**2
    return Components(variance / variance.sum(), right * sign[:, None], left * singular * sign)


def z_by_number(advantages: Matrix, numbers: list[str]) -> dict[str, Matrix]:
    """z-scores of each configuration over all nouns, averaged over those with the same number of the target.

    Args:
        advantages: one row a noun, one column a configuration.
        numbers: the number of the target in each configuration, SG or PL.
    """
    scaled = standardised(advantages)
    return {
        number: scaled[:, [k for k, column_number in enumerate(numbers) if column_number == number]].mean(axis=1)
        for number in dict.fromkeys(numbers)
    }


def regress(scores: Matrix, counts: Matrix) -> Regression:
    """Regress scores on the base-10 logarithm of counts.

    Args:
        scores: one for each word.
        counts: how often each word occurs in a corpus.

    Raises:
        DataError: a count that is not positive.
    """
    counts = np.asarray(counts, dtype=np.float64)
    if not (counts > 0).all():
        raise DataError("a count of 0 has no logarithm; leave such nouns out, or add one to all counts")
    x, y = np.log10(counts), np.asarray(scores, dtype=np.float64)
    correlation = correlate(x, y)
    slope = correlation.r * float(y.std(ddof=1) / x.std(ddof=1))
    return Regression(slope, float(y.mean() - slope * x.mean()), correlation.r**2, correlation)
