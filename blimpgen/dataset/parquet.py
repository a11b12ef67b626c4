"""Sets as Parquet: the rows of JSON Lines as columns, for data that a folder of lines cannot hold.

A block of rows is a row group, so files of any length are written and read in constant memory. Texts are
dictionary-encoded. The sentences of a set and what differs between them are structs, since all rows of a paradigm have
the same ones; values by slot or lemma are maps; metadata, whose shape changes from row to row, is JSON in a text.
pyarrow writes its version into a file: its bytes are those of a version of blimpgen and one of pyarrow.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from blimpgen.base.errors import DataError, Place
from blimpgen.base.extras import require
from blimpgen.dataset.row_lines import blocks_of

__all__ = ["parquet_chunks", "parquet_lines"]

_GROUP = 4096
"""Rows of a row group."""
_STRUCTS = ("sentences", "difference")
_JSON = "metadata"


def parquet_chunks(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[int, bytes]]:
    """Rows as a Parquet file, in chunks of (number of rows, bytes); the keys of the first row are the columns.

    Args:
        rows: rows of one paradigm.

    Raises:
        UsageError: pyarrow is missing. DataError: rows with different keys.
    """
    pyarrow, parquet = (require(name, "parquet") for name in ("pyarrow", "pyarrow.parquet"))
    blocks = blocks_of(rows, _GROUP)
    first = next(blocks)
    schema = pyarrow.schema([(key, _type(pyarrow, key, value)) for key, value in first[0].items()])
    sink = _Sink()
    with parquet.ParquetWriter(sink, schema) as writer:
        for block in chain([first], blocks):
            writer.write_table(pyarrow.table(list(_columns(block, schema.names)), schema=schema))
            yield len(block), sink.take()
    yield 0, sink.take()


class _Sink:
    """A stream whose bytes are taken from time to time; positions count from its beginning."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._length = 0

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        self._length += len(data)
        return len(data)

    def tell(self) -> int:
        return self._length

    def flush(self) -> None:
        """Nothing is held back."""

    def take(self) -> bytes:
        """The bytes that were written since the last call."""
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


def _columns(rows: list[dict[str, Any]], names: list[str]) -> Iterator[list[Any]]:
    for row in rows:
        if list(row) != names:
            raise DataError(f"{row['UID']}: a row has other keys than the first; write JSON Lines")
    for name in names:
        values = [row[name] for row in rows]
        yield [orjson.dumps(value).decode() for value in values] if name == _JSON else values


def _type(pyarrow: Any, key: str, value: Any) -> Any:
    """The type of a column, from its value in the first row."""
    if isinstance(value, bool):
        return pyarrow.bool_()
    if isinstance(value, int):
        return pyarrow.int64()
    if isinstance(value, float):
        return pyarrow.float64()
    if isinstance(value, (list, tuple)):
        # The spans in which sentences differ, (good, bad), and the comparisons: texts in lists of one length.
        return pyarrow.list_(pyarrow.list_(pyarrow.string()))
    if isinstance(value, dict) and key != _JSON:
        if key in _STRUCTS:
            return pyarrow.struct([(name, _type(pyarrow, "", of)) for name, of in value.items()])
        return pyarrow.map_(pyarrow.string(), _type(pyarrow, "", next(iter(value.values()), "")))
    return pyarrow.string()


def parquet_lines(path: Path) -> Iterator[bytes]:
    """The rows of a Parquet file, each as the line of JSON that it was made from.

    Args:
        path: the file.

    Raises:
        UsageError: pyarrow is missing. DataError: not a Parquet file, or one with columns that JSON has no values for.
    """
    pyarrow, parquet = (require(name, "parquet") for name in ("pyarrow", "pyarrow.parquet"))
    try:
        with parquet.ParquetFile(path) as file:
            types = {field.name: field.type for field in file.schema_arrow}
            for batch in file.iter_batches(_GROUP):
                for row in batch.to_pylist():
                    yield orjson.dumps({key: _value(types[key], key, value) for key, value in row.items()})
    except FileNotFoundError:
        raise DataError("no such file", Place(path), "missing-file") from None
    except (pyarrow.ArrowException, TypeError, ValueError, OSError) as error:
        raise DataError(f"not a Parquet file of sentences: {str(error).splitlines()[0]}", Place(path)) from None


def _value(of_type: Any, key: str, value: Any) -> Any:
    if key == _JSON and isinstance(value, str):
        return orjson.loads(value)
    if value is not None and str(of_type).startswith("map<"):
        return dict(value)
    return value
