"""Records to lines and back: JSON Lines with the keys of the BLiMP release, and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.files import write_chunks
from blimpgen.base.records import MinimalPair, Record, SentenceSet

__all__ = ["csv_chunks", "json_chunks", "read_jsonl", "rows_of", "write_jsonl"]

_BLOCK = 512
_OWN = ("sentence_good", "sentence_bad", "pairID", "metadata")


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
            writer.writerow([_cell(value) for value in row.values()])
        yield len(block), text.getvalue().encode()


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def write_jsonl(records: Iterable[Record], path: str | Path, *, metadata: bool = False) -> None:
    """Write records as JSON Lines; the file appears whole or not at all.

    Args:
        records: pairs or sets.
        path: the file; replaced if it exists.
        metadata: add the key ``metadata`` to pairs.
    """
    write_chunks(Path(path), (chunk for _, chunk in json_chunks(rows_of(records, metadata=metadata))))


def read_jsonl(path: str | Path) -> list[Record]:
    """Read records from JSON Lines: our own files, and those of the BLiMP release as they are.

    Raises:
        DataError: a line that is no record, with its number.
    """
    path = Path(path)
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        raise DataError("no such file", Place(path), "missing-file") from None
    return [_record(line, path, number) for number, line in enumerate(lines, start=1) if line.strip()]


def _record(line: bytes, path: Path, number: int) -> Record:
    place = Place(path, number)
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"not JSON: {error}", place, "json") from None
    if isinstance(row, dict) and "sentences" in row:
        return _set(row, path, number)
    if not isinstance(row, dict) or not all(isinstance(row.get(k), str) for k in _OWN[:2]):
        raise DataError("neither a pair (sentence_good, sentence_bad) nor a set (sentences, pairs)", place, "record")
    keys = {key: value for key, value in row.items() if key not in _OWN}
    metadata = row.get("metadata")
    explain = (lambda: metadata) if isinstance(metadata, dict) else None
    uid, pair_id = str(row.get("UID", path.stem)), str(row.get("pairID", number - 1))
    return MinimalPair(row["sentence_good"], row["sentence_bad"], uid, pair_id, keys, explain)


def _set(row: dict[str, Any], path: Path, number: int) -> SentenceSet:
    sentences, pairs = row["sentences"], row.get("pairs", ())
    if not _are_compared(sentences, pairs):
        raise DataError(
            "a set needs sentences {name: text} and pairs [[comparison, better, worse], ...]",
            Place(path, number),
            "record",
        )
    text = {key: str(row.get(key, "")) for key in ("condition", "field", "linguistics_term")}
    keys = {key: value for key, value in row.items() if key in ("numbers", "difference")}
    metadata = row.get("metadata")
    explain = (lambda: metadata) if isinstance(metadata, dict) else None
    return SentenceSet(
        sentences,
        tuple((a, b, c) for a, b, c in pairs),
        str(row.get("UID", path.stem)),
        str(row.get("itemID", number - 1)),
        text["condition"],
        text["field"],
        text["linguistics_term"],
        keys,
        explain,
    )


def _are_compared(sentences: Any, pairs: Any) -> bool:
    if not isinstance(sentences, dict) or not isinstance(pairs, list):
        return False
    return all(
        isinstance(pair, list)
        and len(pair) == 3
        and isinstance(pair[0], str)
        and all(name in [*sentences] for name in pair[1:])
        for pair in pairs
    )
