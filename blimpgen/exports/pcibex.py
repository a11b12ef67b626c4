"""``pcibex``: lists for PCIbex: a table for `Template`, a script that presents it, and the key.

The groups of the table are the lists; PCIbex gives each new participant the next one.
"""

from __future__ import annotations

from pathlib import Path

from blimpgen.base.errors import listing
from blimpgen.exports.judgement_lists import QUESTION, instruction, key_text, make_lists
from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.tabular import csv_text
from blimpgen.exports.templates import filled

__all__ = ["files"]

_COLUMNS = ("item", "group", "label", "UID", "pair_id", "option_left", "option_right", "good_side")
_USUAL = 40
_SCRIPT = Path(__file__).with_name("pcibex.js.jinja")


def files(source: Source, options: Options) -> Files:
    """``chunk_includes/stimuli.csv``, ``data_includes/main.js`` and ``key.csv``.

    Args:
        source, options: as in `Format.files`.
    """
    lists = make_lists(source, options, usual=_USUAL)
    # Groups are sorted as text.
    width = len(str(len(lists)))
    rows = [
        {
            "item": t.item,
            "group": f"{t.list:0{width}}",
            "label": "trial",
            "UID": t.uid,
            "pair_id": t.pair_id,
            "option_left": t.sentences[0],
            "option_right": t.sentences[1],
            "good_side": ("left", "right")[t.good_position - 1],
        }
        for trials in lists
        for t in trials
    ]
    yield "chunk_includes/stimuli.csv", csv_text(_COLUMNS, rows)
    yield (
        "data_includes/main.js",
        filled(
            _SCRIPT, instruction=instruction(source), language=listing(source.languages.values()), question=QUESTION
        ),
    )
    yield "key.csv", key_text(lists)
