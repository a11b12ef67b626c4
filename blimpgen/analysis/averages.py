"""Accuracy by paradigm, phenomenon and field.

The accuracy of a paradigm is the mean credit of its pairs. Everything above it is a *macro* average: the unweighted
mean over its paradigms. So the overall figure is a mean over paradigms, and never the mean over phenomena, which is
another number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from blimpgen.analysis.columns import Columns, Strings
from blimpgen.analysis.intervals import Interval, cluster_bootstrap, wilson

__all__ = ["OVERALL", "Group", "by_field", "by_paradigm", "by_term", "groups_of", "macro", "overall"]

OVERALL = "overall"


@dataclass(frozen=True)
class Group:
    """The accuracy of a group of rows.

    Attributes:
        name: the paradigm, phenomenon or field.
        paradigms: how many it has.
        n: how many pairs are counted.
        ties: how many of these have equal scores.
        accuracy: mean credit of a paradigm, macro average of several; from 0 to 1.
        interval: Wilson's for the pairs of one paradigm; for several, and for sets with several comparisons, a
            bootstrap of the records of each paradigm.
    """

    name: str
    paradigms: int
    n: int
    ties: int
    accuracy: float
    interval: Interval


def macro(accuracies: Mapping[str, float], groups: Mapping[str, str] | None = None) -> dict[str, float]:
    """Unweighted means of the accuracies of paradigms.

    Args:
        accuracies: uid to accuracy.
        groups: uid to the name of its group, such as `reference.terms()`; all in one group, `OVERALL`, if not given.
            A paradigm without a group is left out.
    """
    members: dict[str, list[float]] = defaultdict(list)
    for uid, accuracy in accuracies.items():
        name = OVERALL if groups is None else groups.get(uid)
        if name is not None:
            members[name].append(accuracy)
    return {name: float(np.mean(values)) for name, values in sorted(members.items())}


def by_paradigm(rows: Columns) -> dict[str, Group]:
    """The paradigms of a result, by uid."""
    return groups_of(rows, rows.uid)


def by_term(rows: Columns, *, resamples: int = 1000, seed: int = 0) -> dict[str, Group]:
    """The phenomena of a result, by linguistics term."""
    return groups_of(rows, rows.term, resamples=resamples, seed=seed)


def by_field(rows: Columns, *, resamples: int = 1000, seed: int = 0) -> dict[str, Group]:
    """The fields of a result, by name."""
    return groups_of(rows, rows.field, resamples=resamples, seed=seed)


def overall(rows: Columns, *, resamples: int = 1000, seed: int = 0) -> Group:
    """The macro average over all paradigms of a result."""
    return groups_of(rows, np.full(len(rows), OVERALL, dtype=object), resamples=resamples, seed=seed)[OVERALL]


def groups_of(
    rows: Columns, names: Strings, *, resamples: int = 1000, seed: int = 0, confidence: float = 0.95
) -> dict[str, Group]:
    """The accuracy of each group of rows, sorted by name.

    Args:
        rows: of one method.
        names: the group of every row, shape (rows,).
        resamples, seed, confidence: as for `blimpgen.analysis.intervals.bootstrap`.
    """
    found = {}
    for name in sorted(set(names.tolist())):
        found[name] = _group(name, rows.where(names == name), resamples, seed, confidence)
    return found


def _group(name: str, rows: Columns, resamples: int, seed: int, confidence: float) -> Group:
    accuracies = rows.accuracies()
    if len(accuracies) == 1 and len(set(rows.record.tolist())) == len(rows):
        interval = wilson(float(rows.credit.sum()), len(rows), confidence=confidence)
    else:
        interval = cluster_bootstrap(
            rows.credit,
            rows.record.astype(str),
            groups=rows.uid.astype(str),
            resamples=resamples,
            seed=seed,
            confidence=confidence,
        )
    ties = int((rows.lp_good == rows.lp_bad).sum())
    return Group(name, len(accuracies), len(rows), ties, float(np.mean([*accuracies.values()])), interval)
