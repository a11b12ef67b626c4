"""The summary of a result: accuracies of paradigms, phenomena and fields, with intervals and what deserves a look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from blimpgen.analysis.averages import OVERALL, Group, groups_of
from blimpgen.analysis.columns import Columns, Strings, columns_of
from blimpgen.analysis.intervals import Array
from blimpgen.analysis.measures import measured
from blimpgen.analysis.results import CREDIT, METHODS, Item, LeftOut, MethodSummary, Summary, Ties
from blimpgen.analysis.surprises import surprises
from blimpgen.base.version import __version__

__all__ = ["summarize"]


def summarize(
    items: Iterable[Item], *, signature: str, model: str, ties: Ties, unscored: Sequence[LeftOut] = (), sha256: str = ""
) -> Summary:
    """Summarize the rows of a result.

    Args:
        items: the rows.
        signature: the line of ``signature.txt``.
        model: name or path.
        ties: the policy by which the credit of the rows was given.
        unscored: the pairs that are left out.
        sha256: of ``items.jsonl``; empty if nothing is written.
    """
    rows = list(items)
    methods = {
        method: _of_method(of_method, ties)
        for method in METHODS
        if (of_method := [row for row in rows if row.method == method])
    }
    return Summary(
        version=__version__,
        signature=signature,
        model=model,
        ties=ties,
        sha256=sha256,
        unscored=tuple(unscored),
        methods=methods,
    )


def _of_method(items: Sequence[Item], ties: Ties) -> MethodSummary:
    rows = columns_of([item for item in items if item.credit is not None])
    excluded = columns_of([item for item in items if item.credit is None])
    credits = {name: _credits(*both, ties) for name, both in measured(rows).items()}

    def groups(of_rows: Strings, of_excluded: Strings) -> dict[str, Group]:
        identical = Counter(of_excluded.tolist())
        counted = groups_of(rows, of_rows, credits=credits)
        return {
            name: counted.get(name, Group()).model_copy(update={"identical": identical[name]})
            for name in sorted({*counted, *identical})
        }

    paradigms = groups(rows.uid, excluded.uid)
    flags = {surprise.uid: surprise.reasons for surprise in surprises(paradigms)}
    return MethodSummary(
        overall=groups(rows.constant(OVERALL), excluded.constant(OVERALL))[OVERALL],
        micro=float(rows.credit.mean()) if len(rows) else 0.0,
        fields=groups(rows.field, excluded.field),
        terms=groups(rows.term, excluded.term),
        paradigms={uid: group.model_copy(update={"flags": flags.get(uid, ())}) for uid, group in paradigms.items()},
        comparisons=_comparisons(rows, credits),
    )


def _credits(good: Array, bad: Array, ties: Ties) -> Array:
    """What each row counts by one measure; not a number where it has none."""
    credit = np.where(good == bad, CREDIT[ties], (good > bad).astype(np.float64))
    return np.where(np.isfinite(good + bad), credit, np.nan)


def _comparisons(rows: Columns, credits: dict[str, Array]) -> dict[str, dict[str, Group]]:
    """Of sets with several sentences: paradigm to comparison to its figures."""
    groups = {}
    for uid in dict.fromkeys(rows.uid[rows.comparison != ""].tolist()):
        of_uid = (rows.uid == uid) & (rows.comparison != "")
        part = rows.where(of_uid)
        groups[uid] = groups_of(part, part.comparison, credits={name: v[of_uid] for name, v in credits.items()})
    return groups
