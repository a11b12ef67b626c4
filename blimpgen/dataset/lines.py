"""Records as lines: JSON Lines with the keys of the BLiMP release, and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import write_chunks
from blimpgen.base.records import Record, SentenceSet

__all__ = ["csv_cell", "csv_chunks", "json_chunks", "rows_of", "write_jsonl"]

_BLOCK = 512
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def rows_of(records: Iterable[Record], *, metadata: bool = False, pairs: bool = False) -> Iterator[dict[str, Any]]:
    """The rows of records.

    Args:
        records: pairs or sets.
        metadata: add the key ``metadata``.
        pairs: split sets into one row a comparison.
    """
    for record in records:
        if pairs and isinstance(record, SentenceSet):
            yield from record.to_pairs()
        else:
            yield record.to_dict(metadata=metadata)


def _blocks(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    source = iter(rows)
    while block := list(islice(source, _BLOCK)):
        yield block


def json_chunks(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """Rows as JSON Lines, in chunks of (number of rows, bytes)."""
    for block in _blocks(rows):
        yield len(block), b"".join([orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in block])


def csv_chunks(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """Rows as CSV, in chunks; the keys of the first row are the header, nested values are JSON.

    Raises:
        UsageError: sets, which no table can hold. DataError: rows with different keys.
    """
    header: list[str] = []
    for block in _blocks(rows):
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        if not header:
            header = list(block[0])
            if "sentences" in header:
                raise UsageError(f"{block[0]['UID']} makes sets, which a CSV file cannot hold; add --pairs")
            writer.writerow(header)
        for row in block:
            if list(row) != header:
                raise DataError(f"{row['UID']}: row {row['pairID']} has other keys than the first; write JSON Lines")
            writer.writerow([csv_cell(value) for value in row.values()])
        yield len(block), text.getvalue().encode()


def csv_cell(value: Any) -> str:
    """A value as a cell: texts as they are, all else as JSON.

    A text that a spreadsheet would take for a formula gets an apostrophe before it, as OWASP recommends.
    """
    if not isinstance(value, str):
        return orjson.dumps(value).decode()
    return f"'{value}" if value.startswith(_FORMULA) else value


def write_jsonl(records: Iterable[Record], path: str | Path, *, metadata: bool = False) -> None:
    """Write records as JSON Lines; the file appears whole or not at all.

    Args:
        records: pairs or sets.
        path: the file; replaced if it exists.
        metadata: add the key ``metadata`` to pairs.
    """
    write_chunks(Path(path), (chunk for _, chunk in json_chunks(rows_of(records, metadata=metadata))))
