"""Intervals for shares and means.

*Wilson* is the score interval of one share. The *bootstrap* draws a sample again with replacement, many times, and
takes the quantiles of the statistic (the percentile interval). Where observations come in *clusters* that share
something (a template, a lexeme, a pair that many people judged), whole clusters are drawn: observations of one cluster
are not independent, and drawing them one by one gives intervals that are too narrow. *Groups* are what a macro average
gives equal weight to, such as paradigms; they are fixed, not drawn.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

__all__ = ["Array", "Interval", "cluster_bootstrap", "wilson"]

Array: TypeAlias = "npt.NDArray[np.float64]"


class Interval(NamedTuple):
    """Both ends of an interval, in the unit of what it is about."""

    low: float
    high: float


def wilson(correct: float, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the score interval of a share (Wilson 1927); `scipy.stats.binomtest` has it for whole successes only.

    Args:
        correct: successes; a half counts a tie.
        n: trials. Without any the interval is all of 0 to 1.
        confidence: the share of such intervals that hold the true value.
    """
    if n == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    share, weight = correct / n, z * z / n
    middle = (share + weight / 2) / (1 + weight)
    half = z / (1 + weight) * math.sqrt(share * (1 - share) / n + weight / (4 * n))
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def cluster_bootstrap(
    values: Sequence[float] | Array,
    clusters: Sequence[Any] | npt.NDArray[Any],
    *,
    groups: Sequence[Any] | npt.NDArray[Any] | None = None,
    weights: Mapping[Any, float] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Interval:
    """Return the percentile interval of a mean, or of a weighted sum of group means, from whole clusters.

    Args:
        values: the observations, shape (n,).
        clusters: to which cluster each belongs, shape (n,); the same name in two groups means two clusters (pair 0
            of each paradigm), drawn group by group.
        groups: to which group each belongs, shape (n,); one group if not given.
        weights: group to its weight; if not given, equal weights with the sum 1, which is the macro average. Weights
            of both signs give a difference.
        resamples: how many samples are drawn.
        seed: the same seed gives the same interval.
        confidence: the share of the samples that lie inside.

    Raises:
        ValueError: no observations, or arguments of different lengths. KeyError: a group without a weight.
    """
    of_group = np.zeros(len(values), dtype=np.int64) if groups is None else np.asarray(groups)
    sums, counts = _cells(np.asarray(values, dtype=np.float64), np.asarray(clusters), of_group)
    names = np.unique(of_group).tolist()
    weight = np.array([1 / len(names) if weights is None else weights[name] for name in names])
    rng = np.random.default_rng(seed)
    means = np.stack([_drawn_means(sums[:, g], counts[:, g], resamples, rng) for g in range(sums.shape[1])])
    return _quantiles(weight @ means, confidence)


def _cells(values: Array, clusters: npt.NDArray[Any], groups: npt.NDArray[Any]) -> tuple[Array, Array]:
    """Sum and number of the observations, shape (clusters, groups) each."""
    if not len(values):
        raise ValueError("no observations to draw from")
    if not len(values) == len(clusters) == len(groups):
        raise ValueError(f"{len(values)} values, {len(clusters)} clusters and {len(groups)} groups: lengths differ")
    rows, row = np.unique(clusters, return_inverse=True)
    columns, column = np.unique(groups, return_inverse=True)
    shape = len(rows), len(columns)
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (row, column), values)
    np.add.at(counts, (row, column), 1)
    return sums, counts


def _drawn_means(sums: Array, counts: Array, resamples: int, rng: np.random.Generator) -> Array:
    """Means of one group, shape (resamples,).

    Clusters with the same sum and size are interchangeable, so what is drawn is how often each kind occurs. That has
    the same distribution, and with one pair a cluster there are three kinds however many pairs there are.
    """
    present = counts > 0
    kinds, frequency = np.unique(np.stack([sums[present], counts[present]]), axis=1, return_counts=True)
    drawn = rng.multinomial(frequency.sum(), frequency / frequency.sum(), size=resamples)
    means: Array = (drawn @ kinds[0]) / (drawn @ kinds[1])
    return means


def _quantiles(drawn: Array, confidence: float) -> Interval:
    low, high = np.quantile(drawn, ((1 - confidence) / 2, (1 + confidence) / 2))
    return Interval(float(low), float(high))
