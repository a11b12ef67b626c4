"""`blimpgen audit`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.cli.options import AsJson, Data, argument, library, message, option, write_json, write_lines

if TYPE_CHECKING:
    from blimpgen.audit import AuditedSet, Shares

__all__ = ["audit", "audited_lines"]

_DROP_LISTS = "Write lists there of the pairs whose label is wrong, or doubtful, for `blimpgen verify --drop-list`."
_SHOWN = 5
_CAP = 0.05
_FEW = 20


def audit(
    directory: Annotated[Path, argument("DIR", "A folder of *.jsonl files.")],
    released: Annotated[
        bool, option("--released", "A published set: errata by UID and pairID, no scores, exit code 0.")
    ] = False,
    codes: Annotated[list[str] | None, option("--code", "Only this guard; may stand several times.", "CODE")] = None,
    remarks: Annotated[bool, option("--remarks", "Of a published set tell also what is odd or not proved.")] = False,
    proofs: Annotated[bool, option("--prove", "Say also what the grammar does not prove.")] = False,
    drop_lists: Annotated[Path | None, option("--drop-lists", _DROP_LISTS, "FOLDER")] = None,
    as_json: AsJson = False,
    jobs: Annotated[int, option("--jobs", "Processes; what is printed is the same.", "N", min=1)] = 1,
    data: Data = None,
) -> None:
    """Audit a data set: what guards object to in its pairs, what cheap rules score on it.

    Exit code 1 if a guard objects to anything.

    Example: blimpgen audit out

    Example: blimpgen audit BLiMP/data --released --json > errata.json

    Example: blimpgen audit BLiMP/data --released --drop-lists drop
    """
    from blimpgen.audit import audit_sets, errata, write_drop_lists

    sets = audit_sets(
        directory,
        library(data),
        codes=tuple(codes) if codes else None,
        with_shortcuts=not released,
        with_proofs=proofs,
        jobs=jobs,
    )
    audited = []
    for one in sets:
        shown = one.without_remarks() if released and not (remarks or proofs) else one
        audited.append(shown)
        if not as_json:
            write_lines(audited_lines(shown, released=released))
    if as_json:
        write_json(errata(audited, remarks=remarks or proofs) if released else [one.to_dict() for one in audited])
    _tell(audited, released)
    for name, pairs in write_drop_lists(audited, drop_lists).items() if drop_lists else ():
        message(f"{drop_lists}/{name}: {pairs:,} pairs")
    if not released and any(one.findings for one in audited):
        raise typer.Exit(1)


def _tell(audited: list[AuditedSet], released: bool) -> None:
    """Say on standard error how many pairs have findings; of a published set how grave they are."""
    from blimpgen.audit import errata

    pairs = sum(one.pairs for one in audited)
    if released:
        severities = errata(audited, remarks=True)["severities"]
        told = ", ".join(f"{severity} {n:,}" for severity, n in severities.items() if n)
        message(f"of {pairs:,} pairs by their gravest finding: {told or 'none'}")
    else:
        affected = sum(len({finding.pair_id for finding in one.findings}) for one in audited)
        message(f"{affected:,} of {pairs:,} pairs with findings")


def audited_lines(one: AuditedSet, *, released: bool = False) -> Iterator[str]:
    """What an audit says of a paradigm, as lines.

    Args:
        one: the paradigm.
        released: whether it is of a published set, of which no scores are told.
    """
    by_code: dict[tuple[str, str], list[str]] = {}
    for finding in one.findings:
        by_code.setdefault((finding.code, finding.severity), []).append(finding.pair_id)
    yield f"{one.uid}: {one.pairs:,} pairs, {len({finding.pair_id for finding in one.findings}):,} with findings"
    for (code, severity), ids in sorted(by_code.items(), key=lambda item: (-len(item[1]), item[0])):
        more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
        yield f"    {code}, {severity}: {len(ids):,} (pairs {', '.join(ids[:_SHOWN])}{more})"
    if not released:
        yield f"    rules: {', '.join(f'{rule} {score:.2f}' for rule, score in one.shortcuts.items())}"
        yield f"    words: {', '.join(_shares(side, shares) for side, shares in one.critical.items()) or 'none differ'}"


def _shares(side: str, shares: Shares) -> str:
    """How often the most frequent word stands; above the cap of 5 % if there are enough to choose from."""
    above = " above 5 %" if shares.share > _CAP and shares.different >= _FEW else ""
    return f"{side} {shares.different:,} different, {shares.most!r} {shares.share:.1%}{above}"
