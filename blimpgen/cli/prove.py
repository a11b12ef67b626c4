"""`blimpgen prove`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.cli.options import Data, library, message, write_lines

if TYPE_CHECKING:
    from blimpgen.audit import Proof

__all__ = ["prove"]


def prove(
    data_set: Annotated[
        Path, typer.Argument(metavar="SET", show_default=False, help="A folder of *.jsonl files, or one file.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for every pair.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes; what is printed is the same.")] = 1,
    data: Data = None,
) -> None:
    """Prove the pairs of a data set: whether the grammar derives the good sentence and not the bad one.

    Exit code 1 if a pair of known words is not proven.

    Example: blimpgen prove out

    Example: blimpgen prove BLiMP/data --json > proofs.jsonl
    """
    from blimpgen.audit import prove

    counts: dict[str, Counter[str]] = {}
    declared: dict[str, str] = {}
    for proof in prove(data_set, library(data), jobs):
        counts.setdefault(proof.uid, Counter())[proof.outcome] += 1
        if proof.outcome == "bad derived" and not proof.rests_on:
            counts[proof.uid]["by what the lexicon lists"] += 1
        declared[proof.uid] = proof.declared
        if as_json:
            _write(proof)
    if not as_json:
        write_lines(line for uid, of_one in counts.items() for line in _lines(uid, of_one, declared[uid]))
    total = sum(counts.values(), Counter[str]())
    message(f"{_pairs(total):,} pairs: {_counted(total)}")
    if total["good not derived"] or total["bad derived"]:
        raise typer.Exit(1)


def _write(proof: Proof) -> None:
    import orjson

    typer.echo(orjson.dumps(asdict(proof)).decode())


def _lines(uid: str, counts: Counter[str], declared: str) -> Iterator[str]:
    yield f"{uid}: {_pairs(counts):,} pairs, {_counted(counts)}"
    if declared and counts["bad derived"]:
        yield f"    declared: {declared}"


def _pairs(counts: Counter[str]) -> int:
    from blimpgen.audit import OUTCOMES

    return sum(counts[outcome] for outcome in OUTCOMES)


def _counted(counts: Counter[str]) -> str:
    from blimpgen.audit import OUTCOMES

    parts = [f"{counts[outcome]:,} {outcome}" for outcome in OUTCOMES if counts[outcome]]
    listed = counts["by what the lexicon lists"]
    return ", ".join(parts) + (f" ({listed:,} by what the lexicon lists)" if counts["bad derived"] else "")
