"""A linear model with a random intercept for each group, fitted by restricted maximum likelihood."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Coefficient", "random_intercepts"]

Floats = npt.NDArray[np.float64]

_LOG_RATIOS = (-12.0, 12.0)


class Coefficient(NamedTuple):
    """A fixed effect: its name, estimate and standard error."""

    name: str
    estimate: float
    error: float

    @property
    def z(self) -> float:
        """The estimate in standard errors."""
        return self.estimate / self.error


def random_intercepts(
    outcome: Floats, design: Floats, names: Sequence[str], groups: npt.NDArray[np.int64]
) -> list[Coefficient]:
    """Fit the model; the ratio of the variance between groups to that within them is found by search.

    Args:
        outcome: shape (n,).
        design: the predictors, an intercept among them, shape (n, k).
        names: of the predictors.
        groups: the group of each observation, numbered from 0, shape (n,).

    Returns:
        A coefficient for each predictor; none where the predictors depend on each other or a scale is 0.
    """
    from scipy.optimize import minimize_scalar

    scales = np.abs(design).max(axis=0)
    if not scales.all() or np.linalg.matrix_rank(design / scales) < design.shape[1] or len(outcome) <= design.shape[1]:
        return []
    scaled = design / scales
    sizes = np.bincount(groups)
    sums = np.zeros((len(sizes), scaled.shape[1]))
    np.add.at(sums, groups, scaled)
    totals = np.bincount(groups, outcome)
    freedom = len(outcome) - scaled.shape[1]

    def fit(log_ratio: float) -> tuple[float, Floats, Floats]:
        """The criterion, the estimates, and their covariance."""
        ratio = np.exp(log_ratio)
        # The inverse covariance within a group of n is 1 - ratio / (1 + n ratio), but for a factor.
        weights = ratio / (1 + sizes * ratio)
        information = scaled.T @ scaled - (sums * weights[:, None]).T @ sums
        projection = scaled.T @ outcome - (sums * weights[:, None]).T @ totals
        estimates = np.linalg.solve(information, projection)
        variance = (outcome @ outcome - (weights * totals) @ totals - projection @ estimates) / freedom
        determinant = np.log1p(sizes * ratio).sum() + np.linalg.slogdet(information)[1]
        return freedom * np.log(variance) + determinant, estimates, variance * np.linalg.inv(information)

    best = minimize_scalar(lambda log_ratio: fit(log_ratio)[0], bounds=_LOG_RATIOS, method="bounded").x
    _, estimates, covariance = fit(best)
    errors = np.sqrt(np.diag(covariance))
    return [
        Coefficient(name, float(estimate), float(error))
        for name, estimate, error in zip(names, estimates / scales, errors / scales, strict=True)
    ]
