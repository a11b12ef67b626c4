"""Errata of a published set: what is wrong with which pair, how grave it is, and the lists of pairs to leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from blimpgen.audit.audited_sets import PROOF_CODES, AuditedSet
from blimpgen.audit.findings import Finding
from blimpgen.audit.guards import Severity, guards
from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.files import write_chunks
from blimpgen.base.version import __version__

__all__ = ["DROP_LISTS", "errata", "gravest", "read_drop_list", "write_drop_lists"]

DROP_LISTS = {
    "label-wrong.tsv": frozenset({Severity.WRONG}),
    "label-wrong-or-doubtful.tsv": frozenset({Severity.WRONG, Severity.DOUBTFUL}),
}
"""Name of a list of pairs to leave out, to the severities of the findings that put a pair on it."""


def errata(audited: Iterable[AuditedSet], *, remarks: bool = False) -> dict[str, Any]:
    """The errata of a data set.

    Args:
        audited: its audited paradigms.
        remarks: give remarks too, which are no errors.

    Returns:
        ``blimpgen`` (the version), ``pairs`` (how many there are), ``severities`` (severity to the number of pairs
        whose gravest finding has it), ``codes`` (code to its meaning, to the number of pairs for each severity, and
        whether it says only that a label is not proved), ``errata`` (UID to pairID to a list of ``code``, ``severity``
        and ``message``).
    """
    sets = list(audited)
    findings = [f for one in sets for f in one.findings if remarks or f.severity != Severity.REMARK]
    by_pair: dict[str, dict[str, list[Finding]]] = {}
    for finding in findings:
        by_pair.setdefault(finding.uid, {}).setdefault(finding.pair_id, []).append(finding)
    counts = Counter(gravest(of_pair) for pairs in by_pair.values() for of_pair in pairs.values())
    by_code: dict[str, Counter[Severity]] = {}
    for finding in findings:
        by_code.setdefault(finding.code, Counter())[finding.severity] += 1
    about = {guard.code: guard for guard in guards()}
    proofs = dict(PROOF_CODES.values())
    codes = {
        code: {
            "meaning": about[code].message if code in about else proofs[code],
            "pairs": {severity.value: n for severity in Severity if (n := by_code[code][severity])},
            "unproved": code in proofs or about[code].unproved,
        }
        for code in sorted(by_code)
    }
    return {
        "blimpgen": __version__,
        "pairs": sum(one.pairs for one in sets),
        "severities": {s.value: counts[s] for s in Severity if remarks or s != Severity.REMARK},
        "codes": codes,
        "errata": {uid: {pair: _items(items) for pair, items in pairs.items()} for uid, pairs in by_pair.items()},
    }


def gravest(findings: Iterable[Finding]) -> Severity:
    """The severity of the gravest of some findings."""
    return min((finding.severity for finding in findings), key=lambda severity: severity.rank)


def _items(findings: list[Finding]) -> list[dict[str, str]]:
    return [{"code": f.code, "severity": f.severity, "message": f.message} for f in findings]


def write_drop_lists(audited: Iterable[AuditedSet], folder: Path) -> dict[str, int]:
    """Write the lists of pairs that an evaluator may leave out: a UID and a pairID a line.

    Args:
        audited: the audited paradigms.
        folder: where the lists go; it is made if it is not there.

    Returns:
        File name to the number of pairs.
    """
    pairs: dict[str, dict[tuple[str, str], None]] = {name: {} for name in DROP_LISTS}
    for one in audited:
        for finding in one.findings:
            for name, severities in DROP_LISTS.items():
                if finding.severity in severities:
                    pairs[name][finding.uid, finding.pair_id] = None
    folder.mkdir(parents=True, exist_ok=True)
    for name, keys in pairs.items():
        lines = ["UID\tpairID\n", *(f"{uid}\t{pair}\n" for uid, pair in keys)]
        write_chunks(folder / name, (line.encode() for line in lines))
    return {name: len(keys) for name, keys in pairs.items()}


def read_drop_list(path: Path) -> frozenset[tuple[str, str]]:
    """Read a list of pairs to leave out.

    Raises:
        UsageError: no such file. DataError: a line that is no UID and pairID.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        hint = "`blimpgen audit DIR --released --drop-lists FOLDER` writes lists"
        raise UsageError(f"{path}: cannot be read as a list of pairs ({error}); {hint}") from error
    keys = set()
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if len(cells) != 2 or not all(cells) or (number == 1 and cells != ["UID", "pairID"]):
            raise DataError(
                f"not a pair: {line[:60]!r}; a first line `UID<tab>pairID`, then one pair a line", Place(path, number)
            )
        keys.add((cells[0], cells[1]))
    return frozenset(keys) - {("UID", "pairID")}
