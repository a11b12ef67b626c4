"""Errata of a published set: for every pair that guards object to, by UID and pairID, what is wrong with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from blimpgen.audit.audited_sets import AuditedSet
from blimpgen.audit.guards import guards
from blimpgen.base.version import __version__

__all__ = ["errata"]


def errata(audited: Iterable[AuditedSet]) -> dict[str, Any]:
    """The errata of a data set.

    Args:
        audited: its audited paradigms.

    Returns:
        ``blimpgen`` (the version), ``pairs`` and ``affected`` (numbers of pairs), ``unproved`` (of the affected ones
        those with findings only of guards that say that a label is not proved), ``codes`` (code to its meaning, the
        number of pairs that it is about, and whether it is such a guard), ``errata`` (UID to pairID to a list of
        ``code`` and ``message``).
    """
    sets = list(audited)
    faulty = {one.uid: _by_pair(one) for one in sets}
    counts = Counter(finding.code for one in sets for finding in one.findings)
    guard_of = {guard.code: guard for guard in guards()}
    codes = {
        code: {"meaning": guard_of[code].message, "pairs": counts[code], "unproved": guard_of[code].unproved}
        for code in sorted(counts)
    }
    unproved = sum(
        all(codes[item["code"]]["unproved"] for item in items) for pairs in faulty.values() for items in pairs.values()
    )
    return {
        "blimpgen": __version__,
        "pairs": sum(one.pairs for one in sets),
        "affected": sum(map(len, faulty.values())),
        "unproved": unproved,
        "codes": codes,
        "errata": {uid: pairs for uid, pairs in faulty.items() if pairs},
    }


def _by_pair(one: AuditedSet) -> dict[str, list[dict[str, str]]]:
    items: dict[str, list[dict[str, str]]] = {}
    for finding in one.findings:
        items.setdefault(finding.pair_id, []).append({"code": finding.code, "message": finding.message})
    return items
