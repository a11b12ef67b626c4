"""Accuracy by paradigm, phenomenon and field.

The accuracy of a paradigm is the mean credit of its pairs. Everything above it is a *macro* average: the unweighted
mean over its paradigms. So the overall figure is a mean over paradigms, and never the mean over phenomena, which is
another number.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import numpy as np

from blimpgen.analysis.columns import Columns, Strings, means_by
from blimpgen.analysis.intervals import Array, Interval, cluster_bootstrap, wilson
from blimpgen.analysis.results import Group

__all__ = ["OVERALL", "Group", "by_field", "by_paradigm", "by_term", "groups_of", "macro", "overall"]

OVERALL = "overall"


def macro(accuracies: Mapping[str, float], groups: Mapping[str, str] | None = None) -> dict[str, float]:
    """Return unweighted means of the accuracies of paradigms.

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
    """Return the figures of the paradigms of a result, by uid."""
    return groups_of(rows, rows.uid)


def by_term(rows: Columns, *, resamples: int = 1000, seed: int = 0) -> dict[str, Group]:
    """Average over the paradigms of each phenomenon, by linguistics term.

    Args:
        rows: of a result.
        resamples, seed: of the bootstrap, as in `groups_of`.
    """
    return groups_of(rows, rows.term, resamples=resamples, seed=seed)


def by_field(rows: Columns, *, resamples: int = 1000, seed: int = 0) -> dict[str, Group]:
    """Average over the paradigms of each field, by its name.

    Args:
        rows: of a result.
        resamples, seed: of the bootstrap, as in `groups_of`.
    """
    return groups_of(rows, rows.field, resamples=resamples, seed=seed)


def overall(rows: Columns, *, resamples: int = 1000, seed: int = 0) -> Group:
    """Average over all paradigms of a result.

    Args:
        rows: of the result.
        resamples, seed: of the bootstrap, as in `groups_of`.
    """
    return groups_of(rows, rows.constant(OVERALL), resamples=resamples, seed=seed)[OVERALL]


def groups_of(
    rows: Columns,
    names: Strings,
    *,
    credits: Mapping[str, Array] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> dict[str, Group]:
    """Return the figures of each group of rows, sorted by name.

    Args:
        rows: of one method.
        names: the group of every row, shape (rows,).
        credits: measure to what every row counts by it, shape (rows,); not a number where it has none.
        resamples, seed, confidence: as for `blimpgen.analysis.intervals.cluster_bootstrap`.
    """
    groups = {}
    for name in sorted(set(names.tolist())):
        inside = names == name
        part = rows.where(inside)
        accuracies = part.accuracies()
        interval = _interval(part, resamples, seed, confidence)
        measures = {measure: means_by(part.uid, values[inside]) for measure, values in (credits or {}).items()}
        groups[name] = Group(
            n=len(part),
            ties=int((part.delta == 0).sum()),
            paradigms=len(accuracies),
            accuracy=float(np.mean([*accuracies.values()])),
            low=interval.low,
            high=interval.high,
            measures={measure: float(np.mean([*means.values()])) for measure, means in measures.items() if means},
            mean_delta=float(part.delta.mean()),
            median_delta=float(np.median(part.delta)),
            mean_token_difference=float((part.tokens_good - part.tokens_bad).mean()),
        )
    return groups


def _interval(rows: Columns, resamples: int, seed: int, confidence: float) -> Interval:
    """Return Wilson's interval for pairs of one paradigm; else one of whole records, as one set is one observation."""
    if len(set(rows.uid.tolist())) == 1 and len(set(rows.record.tolist())) == len(rows):
        return wilson(float(rows.credit.sum()), len(rows), confidence=confidence)
    return cluster_bootstrap(
        rows.credit,
        rows.record.astype(str),
        groups=rows.uid.astype(str),
        resamples=resamples,
        seed=seed,
        confidence=confidence,
    )
