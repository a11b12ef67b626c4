"""Shallow predictors: how accuracy goes with length, probability, frequency and confidence.

A *predictor* is a number that every pair has and that has nothing to do with grammar. If accuracy follows one closely,
the set measures it as well. The first four are those of Warstadt et al. (2020, section 6).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import numpy as np

from blimpgen.analysis.columns import Columns, word_count
from blimpgen.analysis.intervals import Array, Interval, wilson
from blimpgen.base.extras import require

__all__ = ["PREDICTORS", "Bin", "Equal", "Logistic", "Predictor", "binned", "logistic"]

Equal = Literal["width", "count"]

_GRADIENT = 1e-9
_RIDGE = 1e-6


@dataclass(frozen=True)
class Predictor:
    """A number of every pair.

    Attributes:
        title: what it is.
        unit: of its values, for the label of an axis.
        values: from rows to values, shape (rows,); not a number where a row has none.
        logarithmic: whether it is binned and shown on a logarithmic scale.
    """

    title: str
    unit: str
    values: Callable[[Columns], Array]
    logarithmic: bool = False


def _perplexity(rows: Columns) -> Array:
    perplexity: Array = np.exp(-rows.lp_good / np.maximum(rows.tokens_good, 1))
    return perplexity


PREDICTORS: Mapping[str, Predictor] = MappingProxyType(
    {
        "length": Predictor("length of the good sentence", "words", lambda rows: word_count(rows.good)),
        "perplexity": Predictor("perplexity of the good sentence", "per token", _perplexity, logarithmic=True),
        "log-probability": Predictor("log-probability of the good sentence", "nats", lambda rows: rows.lp_good),
        "confidence": Predictor("absolute difference of the scores", "nats", lambda rows: np.abs(rows.delta)),
        "frequency": Predictor("mean log frequency of the good words", "nats", lambda rows: rows.frequency),
        "token-difference": Predictor(
            "good sentence longer by", "tokens", lambda rows: rows.tokens_good - rows.tokens_bad
        ),
    }
)


@dataclass(frozen=True)
class Bin:
    """Rows whose predictor lies between two edges.

    Attributes:
        low, high: its edges.
        middle: the mean of the predictor in it (the geometric mean on a logarithmic scale).
        n: rows in it.
        accuracy: their mean credit.
        interval: its Wilson interval.
    """

    low: float
    high: float
    middle: float
    n: int
    accuracy: float
    interval: Interval


def binned(
    values: Sequence[float] | Array,
    credit: Sequence[float] | Array,
    *,
    bins: int = 15,
    equal: Equal = "width",
    logarithmic: bool = False,
    confidence: float = 0.95,
) -> list[Bin]:
    """Mean credit in bins of a predictor; empty bins are left out.

    Args:
        values: of the predictor, shape (rows,); rows without a finite value are left out.
        credit: of the rows, shape (rows,).
        bins: how many, at most.
        equal: bins of equal width, or of equal counts as far as equal values allow: a bin for each value if there are
            no more values than bins.
        logarithmic: of equal width in the logarithm; values must be positive.
        confidence: of the intervals.
    """
    x, y = _finite(values, credit)
    if not len(x):
        return []
    scaled = np.log(x) if logarithmic else x
    edges = _edges(scaled, bins, equal)
    number = np.clip(np.searchsorted(edges, scaled, side="right") - 1, 0, max(len(edges) - 2, 0))
    back = math.exp if logarithmic else float
    points = []
    for k in np.unique(number).tolist():
        inside = number == k
        n, right = int(inside.sum()), float(y[inside].sum())
        points.append(
            Bin(
                back(edges[k]),
                back(edges[min(k + 1, len(edges) - 1)]),
                back(scaled[inside].mean()),
                n,
                right / n,
                wilson(right, n, confidence=confidence),
            )
        )
    return points


def _edges(values: Array, bins: int, equal: Equal) -> Array:
    if equal == "width":
        return np.unique(np.linspace(values.min(), values.max(), bins + 1))
    distinct: Array = np.unique(values)
    if len(distinct) <= bins:
        return np.append(distinct, distinct[-1])
    return np.unique(np.quantile(values, np.linspace(0, 1, bins + 1)))


@dataclass(frozen=True)
class Logistic:
    """Log-odds of being right as a linear function of a predictor.

    Attributes:
        intercept: the log-odds at 0.
        slope: their change per unit of the predictor (per unit of its logarithm on a logarithmic scale).
        error: the standard error of the slope.
        per_sd: their change per standard deviation of the predictor, which compares predictors of different units.
    """

    intercept: float
    slope: float
    error: float
    per_sd: float

    def at(self, value: float) -> float:
        """The expected accuracy at a value of the predictor (its logarithm on a logarithmic scale)."""
        return 1 / (1 + math.exp(-(self.intercept + self.slope * value)))


def logistic(
    values: Sequence[float] | Array, credit: Sequence[float] | Array, *, logarithmic: bool = False
) -> Logistic:
    """Fit a logistic regression of the credit on one predictor.

    A ridge of 1e-6 on the standardised slope keeps it finite where the predictor separates right from wrong.

    Args:
        values: of the predictor, shape (rows,); rows without a finite value are left out.
        credit: of the rows, from 0 to 1, shape (rows,).
        logarithmic: fit on the logarithm of the predictor.

    Raises:
        ValueError: fewer than two different values. UsageError: scipy is not installed.
    """
    x, y = _finite(values, credit)
    x = np.log(x) if logarithmic else x
    centre, scale = (float(x.mean()), float(x.std())) if len(x) else (0.0, 0.0)
    if not scale > 0:
        raise ValueError("a predictor needs two different values at least")
    design = np.stack([np.ones_like(x), (x - centre) / scale])
    ridge = np.diag([_RIDGE, _RIDGE])
    optimize, special = (require(f"scipy.{name}", "analysis") for name in ("optimize", "special"))

    def loss(beta: Array) -> float:
        return float(np.logaddexp(0, beta @ design).sum() - y @ (beta @ design) + beta @ ridge @ beta / 2)

    def gradient(beta: Array) -> Array:
        slope: Array = design @ (special.expit(beta @ design) - y) + ridge @ beta
        return slope

    def information(beta: Array) -> Array:
        expected = special.expit(beta @ design)
        curvature: Array = (design * (expected * (1 - expected))) @ design.T + ridge
        return curvature

    beta = optimize.minimize(
        loss, np.zeros(2), jac=gradient, hess=information, method="trust-exact", options={"gtol": _GRADIENT}
    ).x
    error = math.sqrt(float(np.linalg.inv(information(beta))[1, 1])) / scale
    slope = float(beta[1]) / scale
    return Logistic(float(beta[0]) - slope * centre, slope, error, float(beta[1]))


def _finite(values: Sequence[float] | Array, credit: Sequence[float] | Array) -> tuple[Array, Array]:
    x, y = np.asarray(values, dtype=np.float64), np.asarray(credit, dtype=np.float64)
    finite = np.isfinite(x)
    return x[finite], y[finite]
