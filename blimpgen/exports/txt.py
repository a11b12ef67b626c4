"""``txt``: plain text in Zorro's order, the bad sentence on the line before the good one."""

from __future__ import annotations

from blimpgen.exports.source import Files, Options, Source

__all__ = ["files"]


def files(source: Source, options: Options) -> Files:
    """``UID.txt`` for every paradigm.

    Args:
        source, options: as in `Format.files`.
    """
    for uid, rows in source.rows.items():
        yield f"{uid}.txt", "".join(f"{row['sentence_bad']}\n{row['sentence_good']}\n" for row in rows)
