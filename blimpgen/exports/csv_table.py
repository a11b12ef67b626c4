"""``csv``: all pairs as one table, with every key that any of them has."""

from __future__ import annotations

from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.tabular import csv_text

__all__ = ["files"]


def files(source: Source, options: Options) -> Files:
    """One table: the keys of the pairs as columns, in the order of the release, ``pairID`` last.

    Args:
        source, options: as in `Format.files`.
    """
    rows = [row for rows in source.rows.values() for row in rows]
    keys = dict.fromkeys(key for row in rows for key in row if key != "pairID")
    yield "pairs.csv", csv_text([*keys, "pairID"], rows)
