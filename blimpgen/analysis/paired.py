"""Two models, or two methods of one model, on the same pairs.

Differences are judged pair by pair: two intervals of the two accuracies overlap long after the difference is certain.
*McNemar's test* looks at the pairs that only one of the two has right; the *paired bootstrap* draws pairs, with what
both made of them, and gives an interval of the difference of the macro averages. Of methods, Warstadt et al. (2020,
section 6) find that they agree on average, and that some models depend on the method more than others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from blimpgen.analysis.averages import OVERALL
from blimpgen.analysis.columns import Columns, aligned
from blimpgen.analysis.intervals import Interval, cluster_bootstrap
from blimpgen.base.extras import require

__all__ = ["Difference", "McNemar", "Paired", "compare", "mcnemar"]


@dataclass(frozen=True)
class McNemar:
    """McNemar's exact test (1947).

    Attributes:
        first, second: pairs that only the first, only the second has right.
        p: how likely so uneven a split of these is if both are as good: the two-sided binomial probability.
    """

    first: int
    second: int
    p: float


@dataclass(frozen=True)
class Difference:
    """The difference of two results on a group of paradigms.

    Attributes:
        name: the phenomenon, or `blimpgen.analysis.averages.OVERALL`.
        paradigms: how many it has.
        n: how many pairs both have.
        first, second: the macro averages of both, from 0 to 1.
        interval: of first - second, from a paired bootstrap of the pairs of each paradigm.
        test: McNemar's, on all pairs of the group together.
    """

    name: str
    paradigms: int
    n: int
    first: float
    second: float
    interval: Interval
    test: McNemar

    @property
    def difference(self) -> float:
        """How much better the first is."""
        return self.first - self.second


@dataclass(frozen=True)
class Paired:
    """A comparison of two results: overall, and phenomenon by phenomenon."""

    overall: Difference
    terms: Mapping[str, Difference]

    @property
    def mean(self) -> float:
        """The mean of the differences of the phenomena."""
        return float(np.mean([term.difference for term in self.terms.values()]))

    @property
    def sd(self) -> float:
        """Their standard deviation (n - 1); not a number for one phenomenon."""
        differences = [term.difference for term in self.terms.values()]
        return float(np.std(differences, ddof=1)) if len(differences) > 1 else math.nan


def mcnemar(first: int, second: int) -> McNemar:
    """Make McNemar's exact test.

    Args:
        first, second: pairs that only the first, only the second has right.

    Raises:
        UsageError: scipy is not installed.
    """
    stats = require("scipy.stats", "analysis")
    return McNemar(first, second, float(stats.binomtest(first, first + second).pvalue) if first + second else 1.0)


def compare(
    first: Columns, second: Columns, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95
) -> Paired:
    """Compare two results on the pairs that both have.

    Args:
        first, second: rows of one method each.
        resamples, seed, confidence: as for `blimpgen.analysis.intervals.cluster_bootstrap`.

    Raises:
        DataError: no pair in common. UsageError: scipy is not installed.
    """
    a, b = aligned(first, second)

    def group(name: str, a: Columns, b: Columns) -> Difference:
        interval = cluster_bootstrap(
            a.credit - b.credit,
            a.record.astype(str),
            groups=a.uid.astype(str),
            resamples=resamples,
            seed=seed,
            confidence=confidence,
        )
        means = [float(np.mean([*rows.accuracies().values()])) for rows in (a, b)]
        right = a.credit > 0.5, b.credit > 0.5
        test = mcnemar(int((right[0] & ~right[1]).sum()), int((right[1] & ~right[0]).sum()))
        return Difference(name, len(set(a.uid.tolist())), len(a), means[0], means[1], interval, test)

    names = sorted(set(a.term.tolist()))
    terms = {name: group(name, a.where(a.term == name), b.where(a.term == name)) for name in names}
    return Paired(group(OVERALL, a, b), terms)
