"""``minicons``: one table whose columns are the arguments of minicons' scorers.

``sentence_good`` and ``sentence_bad`` are for `sequence_score`; ``prefix_good`` with ``word_good`` and ``prefix_bad``
with ``word_bad`` for `conditional_score`, empty where a paradigm has no prefix method. With one prefix the words
differ, with two the prefixes.
"""

from __future__ import annotations

from typing import Any

from blimpgen.exports.source import Files, Options, Row, Source
from blimpgen.exports.tabular import csv_text

__all__ = ["files"]

_COLUMNS = (
    "UID",
    "pair_id",
    "sentence_good",
    "sentence_bad",
    "prefix_good",
    "word_good",
    "prefix_bad",
    "word_bad",
    "field",
    "linguistics_term",
)


def files(source: Source, options: Options) -> Files:
    """One table, a pair a row.

    Args:
        source, options: as in `Format.files`.
    """
    yield "minicons.csv", csv_text(_COLUMNS, (_columns(row) for rows in source.rows.values() for row in rows))


def _columns(row: Row) -> dict[str, Any]:
    return {**row, "pair_id": row["pairID"], **_prefixes(row)}


def _prefixes(row: Row) -> dict[str, Any]:
    if "one_prefix_prefix" in row:
        prefix = row["one_prefix_prefix"]
        return {
            "prefix_good": prefix,
            "word_good": row["one_prefix_word_good"],
            "prefix_bad": prefix,
            "word_bad": row["one_prefix_word_bad"],
        }
    if "two_prefix_word" in row:
        word = row["two_prefix_word"]
        return {
            "prefix_good": row["two_prefix_prefix_good"],
            "word_good": word,
            "prefix_bad": row["two_prefix_prefix_bad"],
            "word_bad": word,
        }
    return {}
