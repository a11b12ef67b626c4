"""`blimpgen diff`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.cli.options import AsJson, argument, message, option, write_json, write_lines

if TYPE_CHECKING:
    from blimpgen.dataset.difference import ChangedFile, ChangedRow

__all__ = ["diff"]

_SHOWN = 3
_WORDS = 8


def diff(
    before: Annotated[Path, argument("DIR_A", "A data set.")],
    after: Annotated[Path, argument("DIR_B", "Another one.")],
    n: Annotated[int, option("-n", "How many changed rows of each paradigm to show.", min=0)] = _SHOWN,
    as_json: AsJson = False,
) -> None:
    """Say what changed between two data sets, and by which edit; exit code 1 if anything did.

    Example: blimpgen diff out before_my_edit
    """
    from blimpgen.dataset.difference import compare_sets

    files = list(compare_sets(before, after))
    changed = [one for one in files if not one.same]
    if as_json:
        write_json([one.to_dict() for one in files])
    else:
        for one in changed:
            write_lines(_lines(one, n))
    message(f"{len(changed)} of {len(files)} paradigms differ")
    if changed:
        raise typer.Exit(1)


def _lines(one: ChangedFile, n: int) -> Iterator[str]:
    if one.before is None or one.after is None:
        yield f"{one.uid}: only in the {'second' if one.before is None else 'first'} set"
        return
    size = f"{one.before:,}" if one.before == one.after else f"{one.before:,} -> {one.after:,}"
    yield f"{one.uid}: {size} rows, {len(one.rows):,} differ, {one.in_both:,} are somewhere in both"
    yield from (f"    by: {edit}" for edit in one.edits)
    if one.keys:
        yield f"    keys: {', '.join(one.keys)}"
    for name, words in (("first", one.only_before), ("second", one.only_after)):
        if words:
            more = f" and {len(words) - _WORDS} more" if len(words) > _WORDS else ""
            yield f"    words only in the {name}: {', '.join(words[:_WORDS])}{more}"
    for row in one.rows[:n]:
        yield from _row(row)


def _row(row: ChangedRow) -> Iterator[str]:
    yield f"    {row.row}"
    yield from (f"      - {text}" for text in row.before)
    yield from (f"      + {text}" for text in row.after)
