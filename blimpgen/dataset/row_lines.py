"""Records as lines: JSON Lines with the keys of the BLiMP release, and CSV."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import write_chunks
from blimpgen.base.records import Record, SentenceSet

__all__ = [
    "blocks_of",
    "csv_chunks",
    "csv_lines",
    "json_chunks",
    "plain_text",
    "rows_of",
    "spreadsheet_text",
    "write_jsonl",
]

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


def blocks_of(rows: Iterable[dict[str, Any]], length: int = _BLOCK) -> Iterator[list[dict[str, Any]]]:
    """Rows in lists of a length, the last one shorter.

    Args:
        rows: the rows, taken as they are needed.
        length: how many a list has.
    """
    source = iter(rows)
    while block := list(islice(source, length)):
        yield block


def json_chunks(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """Rows as JSON Lines, in chunks of (number of rows, bytes)."""
    for block in blocks_of(rows):
        yield len(block), b"".join([orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE) for row in block])


def csv_chunks(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """Rows as CSV, in chunks; the keys of the first row are the header, nested values are JSON.

    Raises:
        UsageError: sets, which no table can hold. DataError: rows with different keys.
    """
    header: list[str] = []
    for block in blocks_of(rows):
        lines: list[Iterable[Any]] = []
        if not header:
            header = list(block[0])
            if "sentences" in header:
                raise UsageError(f"{block[0]['UID']} makes sets, which a CSV file cannot hold; add --pairs")
            lines.append(header)
        for row in block:
            if list(row) != header:
                raise DataError(f"{row['UID']}: row {row['pairID']} has other keys than the first; write JSON Lines")
            lines.append(row.values())
        yield len(block), csv_lines(lines).encode()


def csv_lines(rows: Iterable[Iterable[Any]]) -> str:
    """Rows of values as lines of CSV, each ended by a line feed."""
    lines: list[str] = []
    # The writer quotes only what is in its own line end; a carriage return in a text must be quoted too.
    writer = csv.writer(_Sink(lines.append), lineterminator="\r\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return "".join(f"{line[:-2]}\n" for line in lines)


@dataclass(frozen=True)
class _Sink:
    """A stream that gives each line to a function."""

    write: Callable[[str], object]


def _cell(value: Any) -> str:
    """A value as a cell: texts as they are, all else as JSON."""
    if not isinstance(value, str):
        return orjson.dumps(value).decode()
    return spreadsheet_text(value)


def spreadsheet_text(text: str) -> str:
    """A text with an apostrophe before it where a spreadsheet would take it for a formula, as OWASP recommends."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def plain_text(cell: str) -> str:
    """A cell as the text that it was made from by `csv_lines`."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_FORMULA) else cell


def write_jsonl(records: Iterable[Record], path: str | Path, *, metadata: bool = False) -> None:
    """Write records as JSON Lines; the file appears whole or not at all.

    Args:
        records: pairs or sets.
        path: the file; replaced if it exists.
        metadata: add the key ``metadata`` to pairs.
    """
    write_chunks(Path(path), (chunk for _, chunk in json_chunks(rows_of(records, metadata=metadata))))
