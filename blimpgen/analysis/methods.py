"""Prefix methods against the score of the full sentence.

The one-prefix and two-prefix methods compare the probability of the critical word alone. Warstadt et al. (2020, section
6) find that methods agree on average, and that some models depend on the method more than others.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from blimpgen.analysis.columns import Columns, aligned
from blimpgen.analysis.intervals import Interval, cluster_bootstrap

__all__ = ["MethodDifference", "MethodGroup", "against_full"]


@dataclass(frozen=True)
class MethodGroup:
    """Both methods on the paradigms of one phenomenon that support both.

    Attributes:
        term: the phenomenon.
        paradigms: how many it has.
        full, prefix: macro averages by the full sentence and by the prefix method, from 0 to 1.
        interval: of full - prefix, from a bootstrap of the pairs of each paradigm.
    """

    term: str
    paradigms: int
    full: float
    prefix: float
    interval: Interval

    @property
    def difference(self) -> float:
        """Accuracy by the full sentence minus that by the prefix method."""
        return self.full - self.prefix


@dataclass(frozen=True)
class MethodDifference:
    """A prefix method against the full sentence.

    Attributes:
        terms: by phenomenon.
        mean: mean of the differences of the phenomena.
        sd: their standard deviation (n - 1); not a number for one.
    """

    terms: Mapping[str, MethodGroup]
    mean: float
    sd: float


def against_full(
    full: Columns, prefix: Columns, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95
) -> MethodDifference:
    """Compare the rows of a prefix method with those of the full sentence, on the pairs that have both.

    Raises:
        DataError: no pair in common.
    """
    a, b = aligned(full, prefix)
    terms = {}
    for name in sorted(set(a.term.tolist())):
        chosen = a.term == name
        of_full, of_prefix = a.where(chosen), b.where(chosen)
        means = [float(np.mean([*rows.accuracies().values()])) for rows in (of_full, of_prefix)]
        interval = cluster_bootstrap(
            of_full.credit - of_prefix.credit,
            of_full.record.astype(str),
            groups=of_full.uid.astype(str),
            resamples=resamples,
            seed=seed,
            confidence=confidence,
        )
        terms[name] = MethodGroup(name, len(set(of_full.uid.tolist())), means[0], means[1], interval)
    differences = [group.difference for group in terms.values()]
    sd = float(np.std(differences, ddof=1)) if len(differences) > 1 else math.nan
    return MethodDifference(terms, float(np.mean(differences)), sd)
