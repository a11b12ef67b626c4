"""Accuracy over checkpoints, training sizes and model sizes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from blimpgen.analysis.averages import Group, by_term, macro, overall
from blimpgen.analysis.columns import Columns
from blimpgen.analysis.intervals import Array
from blimpgen.base.extras import require

__all__ = ["LearningCurve", "LogFit", "learning_curve", "log_fit", "spread"]


@dataclass(frozen=True)
class LogFit:
    """Accuracy as a linear function of the binary logarithm of a size.

    Attributes:
        slope: gain in accuracy per doubling, from -1 to 1.
        intercept: accuracy at size 1.
    """

    slope: float
    intercept: float

    def at(self, size: float) -> float:
        """The accuracy that the line gives for a size; it may leave 0 to 1."""
        return self.intercept + self.slope * math.log2(size)

    def size_for(self, accuracy: float) -> float:
        """The size at which the line reaches an accuracy; infinite if it never does, or beyond any float."""
        doublings = (accuracy - self.intercept) / self.slope if self.slope > 0 else math.inf
        return math.inf if doublings >= 1024 else 2.0**doublings


def log_fit(sizes: Sequence[float] | Array, accuracies: Sequence[float] | Array) -> LogFit:
    """Fit accuracy on log2(size) by ordinary least squares, as Warstadt et al. (2020, section 6.3) do.

    Args:
        sizes: above 0, shape (n,), such as numbers of training tokens.
        accuracies: from 0 to 1, shape (n,).

    Raises:
        ValueError: fewer than two different sizes, or a size of 0 or below. UsageError: scipy is not installed.
    """
    x, y = np.asarray(sizes, dtype=np.float64), np.asarray(accuracies, dtype=np.float64)
    if len(np.unique(x)) < 2 or x.min() <= 0:
        raise ValueError("a fit needs two different sizes at least, all above 0")
    fit = require("scipy.stats", "analysis").linregress(np.log2(x), y)
    return LogFit(float(fit.slope), float(fit.intercept))


@dataclass(frozen=True)
class LearningCurve:
    """Results of several checkpoints of one model, in the order of training.

    Attributes:
        steps: where in training each stands, ascending.
        overall: macro average at each step.
        terms: phenomenon to its accuracy at each step, for the phenomena that all checkpoints have.
    """

    steps: tuple[float, ...]
    overall: tuple[Group, ...]
    terms: Mapping[str, tuple[Group, ...]]


def learning_curve(checkpoints: Mapping[float, Columns], *, resamples: int = 1000, seed: int = 0) -> LearningCurve:
    """Accuracy over checkpoints.

    Args:
        checkpoints: step (or tokens seen) to the rows of one method.
        resamples, seed: as for `blimpgen.analysis.intervals.cluster_bootstrap`.
    """
    steps = tuple(sorted(checkpoints))
    each = [by_term(checkpoints[step], resamples=resamples, seed=seed) for step in steps]
    common = [term for term in each[0] if all(term in groups for groups in each)]
    return LearningCurve(
        steps,
        tuple(overall(checkpoints[step], resamples=resamples, seed=seed) for step in steps),
        {term: tuple(groups[term] for groups in each) for term in common},
    )


def spread(systems: Mapping[str, Mapping[str, float]], groups: Mapping[str, str]) -> dict[str, float]:
    """How far systems differ (the population standard deviation) in the macro average of each group.

    Args:
        systems: name to uid to accuracy, such as the sizes of one model.
        groups: uid to the name of its group.
    """
    means = [macro(accuracies, groups) for accuracies in systems.values()]
    names = sorted(set.intersection(*(set(mean) for mean in means))) if means else []
    return {name: float(np.std([mean[name] for mean in means])) for name in names}
