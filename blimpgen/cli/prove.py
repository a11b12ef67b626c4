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

_SHOWN = 5
"""So many unknown words are named."""


def prove(
    data_set: Annotated[
        Path, typer.Argument(metavar="SET", show_default=False, help="A folder of *.jsonl files, or one file.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for every pair.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", min=1, help="Processes; what is printed is the same.")] = 1,
    data: Data = None,
) -> None:
    """Prove the pairs of a data set: whether the grammar derives the good sentence and not the bad one.

    Of the pairs that are not proven it says how many are a fault of the set: their label is wrong or doubtful, as
    guards find, or because some speakers have the bad sentence. Exit code 1 if a pair of known words is not proven.

    Example: blimpgen prove out

    Example: blimpgen prove BLiMP/data --json > proofs.jsonl
    """
    from blimpgen.audit import prove

    counts: dict[str, Counter[str]] = {}
    declared: dict[str, str] = {}
    unknown: Counter[str] = Counter()
    for proof in prove(data_set, library(data), jobs):
        counts.setdefault(proof.uid, Counter())[proof.outcome] += 1
        if proof.fault:
            counts[proof.uid][f"{proof.outcome}: fault"] += 1
        declared[proof.uid] = proof.declared
        unknown.update(proof.unknown)
        if as_json:
            _write(proof)
    if not as_json:
        write_lines(line for uid, of_one in counts.items() for line in _lines(uid, of_one, declared[uid]))
    total = sum(counts.values(), Counter[str]())
    message(f"{_pairs(total):,} pairs: {_counted(total)}")
    if unknown:
        words = ", ".join(repr(word) for word, _ in unknown.most_common(_SHOWN))
        message(f"unknown: {words}; a set of a language or words of your own needs --data, and the language a grammar")
    if total["good not derived"] or total["bad derived"]:
        raise typer.Exit(1)


def _write(proof: Proof) -> None:
    import orjson

    typer.echo(orjson.dumps(asdict(proof)).decode())


def _lines(uid: str, counts: Counter[str], declared: str) -> Iterator[str]:
    yield f"{uid}: {_pairs(counts):,} pairs, {_counted(counts)}"
    if declared and counts["bad derived"] + counts["good not derived"]:
        yield f"    declared: {declared}"


def _pairs(counts: Counter[str]) -> int:
    from blimpgen.audit import OUTCOMES

    return sum(counts[outcome] for outcome in OUTCOMES)


def _counted(counts: Counter[str]) -> str:
    from blimpgen.audit import OUTCOMES

    faults = {outcome: counts[f"{outcome}: fault"] for outcome in OUTCOMES}
    of_set = {outcome: f" ({n:,} a fault of the set)" if n else "" for outcome, n in faults.items()}
    return ", ".join(f"{counts[outcome]:,} {outcome}{of_set[outcome]}" for outcome in OUTCOMES if counts[outcome])
