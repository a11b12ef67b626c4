"""What several formats share: CSV and JSON Lines as text, and the columns of the release on the hubs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import orjson

from blimpgen.base.errors import DataError, Place
from blimpgen.dataset.row_lines import csv_lines
from blimpgen.exports.source import Row, Source

__all__ = ["CREDIT", "LICENCE", "LICENCE_URL", "csv_text", "hub_rows", "json_lines"]

LICENCE = "cc-by-4.0"
LICENCE_URL = "https://creativecommons.org/licenses/by/4.0/"
CREDIT = (
    "Alex Warstadt, Alicia Parrish, Haokun Liu, Anhad Mohananey, Wei Peng, Sheng-Fu Wang and Samuel R. Bowman. "
    "2020. BLiMP: The Benchmark of Linguistic Minimal Pairs for English. Transactions of the Association for "
    "Computational Linguistics 8: 377-392. https://doi.org/10.1162/tacl_a_00321"
)

_HUB = (
    "sentence_good",
    "sentence_bad",
    "field",
    "linguistics_term",
    "UID",
    "simple_LM_method",
    "one_prefix_method",
    "two_prefix_method",
    "lexically_identical",
)
_LARGEST = 2**31 - 1


def csv_text(header: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    """Write a CSV table; what a row lacks is empty, truth values are true and false, nested values JSON.

    Args:
        header: the keys that are columns.
        rows: key to value.
    """
    return csv_lines([header, *([row.get(key, "") for key in header] for row in rows)])


def json_lines(rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Rows as JSON Lines."""
    return b"".join(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in rows)


def hub_rows(source: Source, uid: str, *, keep_prefix: bool = False) -> list[dict[str, Any]]:
    """The rows of a paradigm with the columns of the release on the hubs: the number is a number, prefixes are gone.

    Args:
        source: the records.
        uid: the paradigm.
        keep_prefix: add the prefix fields and whatever else the rows record that is text, number or truth value.

    Raises:
        DataError: a row lacks a column.
    """
    rows = source.rows[uid]
    numbers = _numbers(source, uid, rows)
    hub = []
    for row, number in zip(rows, numbers, strict=True):
        more = (
            {key: value for key, value in row.items() if key not in (*_HUB, "pairID") and isinstance(value, (str, int))}
            if keep_prefix
            else {}
        )
        hub.append({**{key: source.value(row, key) for key in _HUB}, "pair_id": number, **more})
    return hub


def _numbers(source: Source, uid: str, rows: Sequence[Row]) -> Sequence[int]:
    """The numbers of the pairs; comparisons of sets, whose numbers have names in them, are counted from 0."""
    if any("itemID" in row for row in rows):
        return range(len(rows))
    numbers = [str(row["pairID"]) for row in rows]
    wrong = [number for number in numbers if not re.fullmatch("[0-9]{1,18}", number) or int(number) > _LARGEST]
    if wrong:
        raise DataError(
            f"{uid}: the pairID {wrong[0]!r} is not a number; the column pair_id holds 32-bit integers",
            Place(source.path),
        )
    return [int(number) for number in numbers]
