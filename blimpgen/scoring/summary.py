"""The summary of a result: accuracies of paradigms, phenomena and fields, with intervals and what deserves a look."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median

from blimpgen._version import __version__
from blimpgen.analysis.beside import look
from blimpgen.analysis.columns import columns
from blimpgen.analysis.intervals import Interval, cluster_bootstrap, wilson
from blimpgen.scoring.items import METHODS, Group, Item, MethodSummary, Summary, Ties
from blimpgen.scoring.judge import CREDIT
from blimpgen.scoring.measures import measured

__all__ = ["summarize"]


def summarize(items: Iterable[Item], *, signature: str, model: str, ties: Ties) -> Summary:
    """The summary of all rows of a result.

    Args:
        items: the rows.
        signature: the line of ``signature.txt``.
        model: name or path.
        ties: the policy by which the credit of the rows was given.
    """
    rows = list(items)
    methods: dict[str, MethodSummary] = {
        m: _method(chosen, ties) for m in METHODS if (chosen := [i for i in rows if i.method == m])
    }
    return Summary(version=__version__, signature=signature, model=model, ties=ties, methods=methods)


def _method(items: list[Item], ties: Ties) -> MethodSummary:
    paradigms = _groups(items, lambda i: i.UID, ties)
    for found in look(columns(items, method=items[0].method)) if any(i.credit is not None for i in items) else ():
        paradigms[found.group.name]["flags"].extend(found.reasons)
    compared = [i for i in items if i.comparison is not None]
    comparisons = {
        uid: _groups([i for i in compared if uid == i.UID], lambda i: i.comparison or "", ties)
        for uid in dict.fromkeys(i.UID for i in compared)
    }
    return MethodSummary(
        overall=_group(items, ties),
        micro=_mean([i.credit for i in items if i.credit is not None]),
        fields=_groups(items, lambda i: i.field, ties),
        terms=_groups(items, lambda i: i.linguistics_term, ties),
        paradigms=paradigms,
        comparisons=comparisons,
    )


def _groups(items: list[Item], name: Callable[[Item], str], ties: Ties) -> dict[str, Group]:
    members: dict[str, list[Item]] = {}
    for item in items:
        members.setdefault(name(item), []).append(item)
    return {key: _group(chosen, ties) for key, chosen in members.items()}


def _group(items: list[Item], ties: Ties) -> Group:
    counted = [i for i in items if i.credit is not None]
    credits = [i.credit or 0.0 for i in counted]
    low, high = _interval(counted, credits)
    deltas = [i.delta for i in counted]
    return Group(
        n=len(counted),
        ties=sum(i.tie for i in counted),
        identical=len(items) - len(counted),
        paradigms=len({i.UID for i in items}),
        accuracy=_macro(counted, credits),
        low=low,
        high=high,
        measures=_measures(counted, ties),
        mean_delta=_mean(deltas),
        median_delta=median(deltas) if deltas else 0.0,
        mean_token_difference=_mean([i.n_tok_good - i.n_tok_bad for i in counted]),
        flags=[],
    )


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


def _macro(items: Sequence[Item], values: Sequence[float]) -> float:
    """The unweighted mean over paradigms of their means."""
    by_uid: dict[str, list[float]] = {}
    for item, value in zip(items, values, strict=True):
        by_uid.setdefault(item.UID, []).append(value)
    return _mean([fmean(found) for found in by_uid.values()])


def _interval(items: Sequence[Item], credits: Sequence[float]) -> Interval:
    """Wilson's of pairs of one paradigm; else from whole records: what comes from one set is not independent."""
    uids = {i.UID for i in items}
    if len(uids) <= 1 and len({i.record for i in items}) == len(items):
        return wilson(sum(credits), len(items))
    return cluster_bootstrap(credits, [i.record for i in items], groups=[i.UID for i in items])


def _measures(items: Sequence[Item], ties: Ties) -> dict[str, float]:
    values: dict[str, list[tuple[Item, float]]] = {}
    for item in items:
        for name, (good, bad) in measured(item).items():
            values.setdefault(name, []).append((item, CREDIT[ties] if good == bad else float(good > bad)))
    return {name: _macro([i for i, _ in found], [v for _, v in found]) for name, found in values.items()}
