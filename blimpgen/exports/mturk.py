"""``mturk``: lists as a batch for Amazon Mechanical Turk, with a layout for its project and the key.

A row of the batch is a task of a few pairs and an attention check, as in the human validation of BLiMP. Mechanical Turk
puts the values of a row into the layout as they are, so the sentences are escaped for HTML. The answers are the numbers
1 and 2, never a text that may be cut off at an apostrophe.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from blimpgen.base.errors import listing
from blimpgen.exports.judgement_lists import ATTENTION, QUESTION, Trial, instruction, key_text, make_lists
from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.tabular import csv_text
from blimpgen.exports.templates import filled

__all__ = ["files"]

_USUAL = 4
_LAYOUT = Path(__file__).with_name("mturk.html.jinja")


def files(source: Source, options: Options) -> Files:
    """``batch.csv``, ``layout.html`` and ``key.csv``.

    Args:
        source, options: as in `Format.files`.
    """
    lists = make_lists(source, options, usual=_USUAL)
    rows = [_row(trials) for trials in lists]
    yield "batch.csv", csv_text([*rows[0]], rows)
    yield (
        "layout.html",
        filled(
            _LAYOUT,
            items=range(1, len(lists[0]) + 1),
            instruction=instruction(source),
            language=listing(source.languages.values()),
            question=QUESTION,
        ),
    )
    yield "key.csv", key_text(lists)


def _row(trials: Sequence[Trial]) -> dict[str, Any]:
    row: dict[str, Any] = {"list": trials[0].list}
    for t in trials:
        name = "attnchk" if t.uid == ATTENTION else t.uid
        first, second = (html.escape(sentence, quote=False) for sentence in t.sentences)
        row.update(
            {
                f"item_{t.item}_condition": f"{name}ans{t.good_position}",
                f"item_{t.item}_pair": t.pair_id,
                f"field_{t.item}_1": first,
                f"field_{t.item}_2": second,
            }
        )
    return row
