"""Published figures of the same paradigms, and the paradigms whose accuracy is surprising.

Published figures are those of the *released* BLiMP pairs. For a group they are averaged over the paradigms that the
result has too, so both sides speak of the same paradigms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from blimpgen.analysis.averages import Group, by_paradigm
from blimpgen.analysis.columns import Columns, Strings
from blimpgen.analysis.reference import HUMAN, SYSTEMS, accuracies

__all__ = ["Surprise", "expected", "surprises"]

CHANCE = 0.5
_LOW_CEILING = 0.8


@dataclass(frozen=True)
class Surprise:
    """A paradigm whose accuracy deserves a look.

    Attributes:
        uid: the paradigm.
        group: its figures.
        reference: the published accuracy of the reference system; None if there is none.
        human: the published individual agreement of people; None if there is none.
        reasons: why, in words.
    """

    uid: str
    group: Group
    reference: float | None
    human: float | None
    reasons: tuple[str, ...]


def expected(system: str, rows: Columns, names: Strings) -> dict[str, float]:
    """Return the published macro average of a system for each group of rows, over its paradigms that are published.

    Args:
        system: one of `blimpgen.analysis.reference.SYSTEMS`.
        rows: of one method.
        names: the group of every row, shape (rows,). A group without a published paradigm is left out.
    """
    published = accuracies(system)
    members = sorted(set(zip(names.tolist(), rows.uid.tolist(), strict=True)))
    by_group: dict[str, list[float]] = {}
    for name, uid in members:
        if uid in published:
            by_group.setdefault(name, []).append(published[uid])
    return {name: float(np.mean(values)) for name, values in by_group.items()}


def surprises(paradigms: Mapping[str, Group] | Columns, *, system: str = "gpt2", margin: float = 0.1) -> list[Surprise]:
    """Return the paradigms whose accuracy is surprising, the lowest first.

    A paradigm is far below the reference if its whole interval lies more than the margin below it, and below chance if
    its whole interval lies below one half.

    Args:
        paradigms: uid to accuracy, or the rows of one method.
        system: the published system to compare with, see `blimpgen.analysis.reference.SYSTEMS`.
        margin: how far below counts, as a share.
    """
    groups = by_paradigm(paradigms) if isinstance(paradigms, Columns) else paradigms
    reference, human = accuracies(system), accuracies(HUMAN)
    entries = []
    for uid, group in groups.items():
        if not group.n:
            continue
        reasons = tuple(_reasons(group, reference.get(uid), human.get(uid), SYSTEMS[system], margin))
        if reasons:
            entries.append(Surprise(uid, group, reference.get(uid), human.get(uid), reasons))
    return sorted(entries, key=lambda surprise: (surprise.group.accuracy, surprise.uid))


def _reasons(group: Group, reference: float | None, human: float | None, name: str, margin: float) -> list[str]:
    reasons = []
    if group.interval.high < CHANCE:
        reasons.append("below chance: the labels or the sign may be flipped")
    if reference is not None and group.interval.high < reference - margin:
        reasons.append(f"far below the published {name} ({100 * reference:.1f} %)")
    if reasons and human is not None and human < _LOW_CEILING:
        reasons.append(f"people agree only to {100 * human:.1f} % on the released pairs")
    return reasons
