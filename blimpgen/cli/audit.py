"""`blimpgen audit`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.cli.options import AsJson, Data, library, message, write_json, write_lines

if TYPE_CHECKING:
    from blimpgen.audit import AuditedSet, Shares

__all__ = ["audit"]

_SHOWN = 5
_CAP = 0.05
_FEW = 20


def audit(
    directory: Annotated[Path, typer.Argument(metavar="DIR", show_default=False, help="A folder of *.jsonl files.")],
    released: Annotated[
        bool, typer.Option("--released", help="A published set: errata by UID and pairID, no scores, exit code 0.")
    ] = False,
    codes: Annotated[
        list[str] | None,
        typer.Option("--code", metavar="CODE", show_default=False, help="Only this guard; may stand several times."),
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Audit a data set: what guards object to in its pairs, what cheap rules score on it.

    Exit code 1 if a guard objects to anything.

    Example: blimpgen audit out

    Example: blimpgen audit BLiMP/data --released --json > errata.json
    """
    from blimpgen.audit import audit_sets, errata

    sets = audit_sets(directory, library(data), codes=tuple(codes) if codes else None, with_shortcuts=not released)
    audited = []
    for one in sets:
        audited.append(one)
        if not as_json:
            write_lines(_lines(one, released))
    if as_json:
        write_json(errata(audited) if released else [one.to_dict() for one in audited])
    affected = sum(len({finding.pair_id for finding in one.findings}) for one in audited)
    message(f"{affected:,} of {sum(one.pairs for one in audited):,} pairs with findings")
    if affected and not released:
        raise typer.Exit(1)


def _lines(one: AuditedSet, released: bool) -> Iterator[str]:
    by_code: dict[str, list[str]] = {}
    for finding in one.findings:
        by_code.setdefault(finding.code, []).append(finding.pair_id)
    yield f"{one.uid}: {one.pairs:,} pairs, {len({finding.pair_id for finding in one.findings}):,} with findings"
    for code, ids in sorted(by_code.items(), key=lambda item: (-len(item[1]), item[0])):
        more = f" and {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else ""
        yield f"    {code}: {len(ids):,} (pairs {', '.join(ids[:_SHOWN])}{more})"
    if not released:
        yield f"    rules: {', '.join(f'{rule} {score:.2f}' for rule, score in one.shortcuts.items())}"
        yield f"    words: {', '.join(_shares(side, shares) for side, shares in one.critical.items()) or 'none differ'}"


def _shares(side: str, shares: Shares) -> str:
    """How often the most frequent word stands; above the cap of 5 % if there are enough to choose from."""
    above = " above 5 %" if shares.share > _CAP and shares.different >= _FEW else ""
    return f"{side} {shares.different:,} different, {shares.most!r} {shares.share:.1%}{above}"
