"""``jspsych``: one page with all lists that needs no server and no network, and the key.

The page holds jsPsych itself, with its licence, and forbids itself every request. A participant gets the list that the
address names (``experiment.html?list=3&participant=p07``), or one by chance, and saves the answers at the end. What is
saved is the index of the chosen sentence, never its text.
"""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from blimpgen.base.errors import listing
from blimpgen.exports.judgement_lists import QUESTION, instruction, key_text, make_lists
from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.templates import filled

__all__ = ["files"]

_USUAL = 40
_PAGE = Path(__file__).with_name("jspsych.html.jinja")
_SHIPPED = Path(__file__).with_name("jspsych_files")


def files(source: Source, options: Options) -> Files:
    """``experiment.html`` and ``key.csv``.

    Args:
        source, options: as in `Format.files`.
    """
    lists = make_lists(source, options, usual=_USUAL)
    trials = {
        trials[0].list: [
            {
                "list": t.list,
                "item": t.item,
                "UID": t.uid,
                "pair_id": t.pair_id,
                "option_0": t.sentences[0],
                "option_1": t.sentences[1],
                "good_index": t.good_position - 1,
            }
            for t in trials
        ]
        for trials in lists
    }
    texts = {path.name.partition("-")[0]: Markup(path.read_text(encoding="utf-8")) for path in _SHIPPED.iterdir()}
    yield (
        "experiment.html",
        filled(
            _PAGE,
            lists=trials,
            instruction=instruction(source),
            language=listing(source.languages.values()),
            question=QUESTION,
            jspsych=texts["jspsych"],
            plugin=texts["plugin"],
            licence=texts["LICENSE"],
        ),
    )
    yield "key.csv", key_text(lists)
