"""Reading lexicon tables: every cell checked against the schema, user folders stacked over the shipped one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest, refuse
from blimpgen.base.sources import Table, read_tsv, whole_number
from blimpgen.lexicon.schema import FRAMES, HIERARCHY, TABLES, Column

__all__ = ["LexemeTable", "read_hierarchy_table", "read_table"]

MOST_WEIGHT = 1_000_000
_TAG = re.compile(r"[a-z][\w-]*")
_SIGNED_TAG = re.compile(rf"[+-]?{_TAG.pattern}")


class _Rows(NamedTuple):
    """The rows of a table: the key of each, the cells of each column, and where each stands."""

    keys: tuple[tuple[str, ...], ...]
    cells: tuple[tuple[str, ...], ...]
    places: tuple[Place, ...]


@dataclass(frozen=True)
class LexemeTable:
    """The rows of one table from all folders, defaults filled in.

    Attributes:
        name: the table's name.
        keys: the key of each row.
        columns: column name to one cell a row.
        places: where each row stands.
    """

    name: str
    keys: tuple[tuple[str, ...], ...]
    columns: dict[str, NDArray[np.object_]] = field(repr=False)
    places: tuple[Place, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.keys)

    @cached_property
    def index(self) -> dict[tuple[str, ...], int]:
        """Row number by key."""
        return {key: k for k, key in enumerate(self.keys)}

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """How often each row is drawn: its whole number, 1 in a table without weights."""
        cells = self.columns.get("weight")
        if cells is None:
            return np.ones(len(self), dtype=np.int64)
        numbers = (
            whole_number(cell, MOST_WEIGHT, place, "weight") for cell, place in zip(cells, self.places, strict=True)
        )
        return np.fromiter(numbers, dtype=np.int64, count=len(self))

    def __getitem__(self, column: str) -> NDArray[np.object_]:
        return self.columns[column]


def read_table(name: str, folders: Sequence[Path], *, fill: bool = True) -> LexemeTable:
    """Read one table from every folder that has it; a later folder replaces or adds rows by key.

    A word list is replaced as a whole, because its order and length are what a design counts.

    Args:
        name: the table.
        folders: where it may stand, the shipped folder first.
        fill: put the declared default into empty cells.

    Raises:
        DataError: the first problem, with all others of its file.
    """
    files = []
    for path in (folder / f"{name}.tsv" for folder in folders):
        if path.exists():
            status = path.stat()
            files.append(_of_file(path, name, fill, (status.st_mtime_ns, status.st_size, status.st_ino)))
    keys, cells, places = files[0] if len(files) == 1 else _stacked(name, files)
    columns = {c.name: np.array(data, dtype=object) for c, data in zip(TABLES[name].columns, cells, strict=True)}
    return LexemeTable(name, keys, columns, places)


def _stacked(name: str, files: Sequence[_Rows]) -> _Rows:
    """The rows of some files together; a row stands where the first of its key stood."""
    rows: dict[tuple[str, ...], tuple[tuple[str, ...], Place]] = {}
    for keys, cells, places in files:
        if name == "words":
            lists = {key[0] for key in keys}
            rows = {key: row for key, row in rows.items() if key[0] not in lists}
        rows.update(zip(keys, zip(zip(*cells, strict=True), places, strict=True), strict=True))
    columns = tuple(zip(*(row for row, _ in rows.values()), strict=True)) or ((),) * len(TABLES[name].columns)
    return _Rows(tuple(rows), columns, tuple(place for _, place in rows.values()))


def read_hierarchy_table(name: str, folders: Sequence[Path]) -> Table:
    """Read ``types``, ``tags`` or ``macros``.

    Args:
        name: which of the three
        folders: the table folders; the last one that has the table is read
    """
    spec = next(spec for spec in HIERARCHY if spec.name == name)
    for folder in reversed(folders):
        if (folder / f"{name}.tsv").exists():
            return read_tsv(folder / f"{name}.tsv", spec.names, required=spec.key)
    return Table(folders[0] / f"{name}.tsv", spec.names, [])


@lru_cache(maxsize=128)
def _of_file(path: Path, name: str, fill: bool, state: tuple[int, int, int]) -> _Rows:
    """The rows of one file; kept, because every library of a suite stands on the same shipped tables.

    Args:
        path: the file.
        name: the table.
        fill: put the declared default into empty cells.
        state: time, size and number of the file; another state is another call.
    """
    spec = TABLES[name]
    required = [k for k in (*spec.key, "lemma") if k in spec.names and (k, spec.name) != ("frame", "verb_classes")]
    table = read_tsv(path, spec.names, required=required)
    cells = [table.column(column.name, column.default if fill else "") for column in spec.columns]
    refuse(error for column, data in zip(spec.columns, cells, strict=True) for error in _errors(table, column, data))
    keys = tuple(zip(*(cells[spec.names.index(k)] for k in spec.key), strict=True))
    if len(set(keys)) < len(keys):
        raise _twice(table, keys)
    return _Rows(keys, tuple(map(tuple, cells)), tuple(table.places))


def _twice(table: Table, keys: Sequence[tuple[str, ...]]) -> DataError:
    """The error about the first key that stands twice."""
    seen: dict[tuple[str, ...], int] = {}
    second = next(k for k, key in enumerate(keys) if seen.setdefault(key, k) != k)
    what = f"{' '.join(keys[second])!r} stands twice (first in line {seen[keys[second]] + 2})"
    return DataError(what, table.place(second), "duplicate")


def _errors(table: Table, column: Column, data: list[str]) -> Iterator[DataError]:
    """What is wrong in a column with a closed set of values, or of frames or tags; each cell is told of once."""
    if column.name == "tags":
        yield from _errors_of_tags(table, data)
    if not column.values and column.kind != "frames":
        return
    allowed = {*column.values, column.default, ""}
    for cell in dict.fromkeys(data):
        items = cell.split(",") if column.kind in ("list", "relations", "frames") else [cell]
        for item in items:
            value = item.partition(":")[0] if column.kind == "relations" else item
            if column.kind == "frames":
                frame = item.removeprefix("-") if (table.path.stem, column.name) == ("verbs", "no_frames") else item
                if item and frame not in FRAMES:
                    what = f"unknown frame {frame!r}; {nearest(frame, FRAMES)}"
                    yield DataError(what, table.place(data.index(cell)), "frame")
            elif value not in allowed:
                what = f"{column.name}={value!r}; {nearest(value, column.values)}"
                yield DataError(what, table.place(data.index(cell)), "value")


def _errors_of_tags(table: Table, data: list[str]) -> Iterator[DataError]:
    """The tags that are no words, or are signed where there are no nouns and names: signed ones are affordances."""
    pattern = _SIGNED_TAG if table.path.stem in ("nouns", "names") else _TAG
    for cell in dict.fromkeys(data):
        for item in cell.split(",") if cell else ():
            if not pattern.fullmatch(item):
                what = f"tags={item!r} is no tag; write a word, or in nouns and names +TAG or -TAG for an affordance"
                yield DataError(what, table.place(data.index(cell)), "tag")
