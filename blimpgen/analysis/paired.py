"""Two models on the same pairs.

Differences of models are judged pair by pair: two intervals of the two accuracies overlap long after the difference
is certain. *McNemar's test* looks at the pairs that one model alone has right; the *paired bootstrap* draws pairs, with
what both models made of them, and gives an interval of the difference of the macro averages.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from blimpgen.analysis.averages import OVERALL
from blimpgen.analysis.columns import Columns, aligned
from blimpgen.analysis.intervals import Interval, cluster_bootstrap

__all__ = ["McNemar", "Paired", "PairedGroup", "compare", "mcnemar"]


@dataclass(frozen=True)
class McNemar:
    """McNemar's exact test (1947).

    Attributes:
        first, second: pairs that only the first, only the second model has right.
        p: how likely so uneven a split of these is if both models are as good: the two-sided binomial probability.
    """

    first: int
    second: int
    p: float


@dataclass(frozen=True)
class PairedGroup:
    """The difference of two models on a group of paradigms.

    Attributes:
        name: the phenomenon, or `blimpgen.analysis.averages.OVERALL`.
        n: how many pairs both have.
        first, second: the macro averages of both models, from 0 to 1.
        interval: of first - second, from a paired bootstrap of the pairs of each paradigm.
        test: McNemar's, on all pairs of the group together.
    """

    name: str
    n: int
    first: float
    second: float
    interval: Interval
    test: McNemar

    @property
    def difference(self) -> float:
        """How much better the first model is."""
        return self.first - self.second


@dataclass(frozen=True)
class Paired:
    """A comparison of two models: overall, and phenomenon by phenomenon."""

    overall: PairedGroup
    terms: Mapping[str, PairedGroup]


def mcnemar(first: int, second: int) -> McNemar:
    """McNemar's exact test.

    Args:
        first, second: pairs that only the first, only the second model has right.
    """
    n, least = first + second, min(first, second)
    log_half = n * math.log(0.5)
    tail = math.fsum(
        math.exp(math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + log_half) for k in range(least + 1)
    )
    return McNemar(first, second, min(1.0, 2 * tail))


def compare(
    first: Columns, second: Columns, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95
) -> Paired:
    """Compare two results on the pairs that both have.

    Args:
        first, second: rows of one method each.
        resamples, seed, confidence: as for `blimpgen.analysis.intervals.bootstrap`.

    Raises:
        DataError: no pair in common.
    """
    both = aligned(first, second)

    def group(name: str, chosen: npt.NDArray[np.bool_]) -> PairedGroup:
        a, b = (rows.where(chosen) for rows in both)
        means = [float(np.mean([*rows.accuracies().values()])) for rows in (a, b)]
        interval = cluster_bootstrap(
            a.credit - b.credit,
            a.record.astype(str),
            groups=a.uid.astype(str),
            resamples=resamples,
            seed=seed,
            confidence=confidence,
        )
        right, also = a.credit > 0.5, b.credit > 0.5
        test = mcnemar(int((right & ~also).sum()), int((also & ~right).sum()))
        return PairedGroup(name, len(a), means[0], means[1], interval, test)

    term = both[0].term
    return Paired(
        group(OVERALL, np.ones(len(term), dtype=bool)),
        {name: group(name, term == name) for name in sorted(set(term.tolist()))},
    )
