"""``babylm``: the layout of the BabyLM evaluation pipeline of 2025.

The pipeline reads ``*.jsonl`` of one folder, takes a file's stem for its UID, and compares predictions with the file
row by row. The fast evaluation has the first 200 pairs of each paradigm, in which factors have equal shares too.
"""

from __future__ import annotations

from blimpgen.base.errors import DataError, Place
from blimpgen.exports.source import Files, Options, Source
from blimpgen.exports.tabular import json_lines

__all__ = ["FAST", "files"]

FAST = 200
_NEEDED = ("field", "linguistics_term")


def files(source: Source, options: Options) -> Files:
    """``full_eval/blimp_filtered/UID.jsonl`` and ``fast_eval/blimp_fast/UID.jsonl`` for every paradigm.

    Args:
        source, options: as in `Format.files`.

    Raises:
        DataError: a UID with a dot, which the pipeline would cut off, or a pair without field or term.
    """
    for uid, rows in source.rows.items():
        if "." in uid:
            raise DataError(
                f"the UID {uid!r} has a dot; the pipeline takes what follows for the ending of a file",
                Place(source.path),
            )
        for row in rows:
            for key in _NEEDED:
                source.value(row, key)
        yield f"full_eval/blimp_filtered/{uid}.jsonl", json_lines(rows)
        yield f"fast_eval/blimp_fast/{uid}.jsonl", json_lines(rows[:FAST])
