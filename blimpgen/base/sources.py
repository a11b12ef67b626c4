"""Reading the two kinds of data file, YAML and TSV, with the line of everything in them.

YAML is read as a tree of mappings, lists and strings. Every scalar is a string; nothing is converted, nothing can
name code. What YAML would read otherwise than the author meant is refused: a tag (``!type``), an anchor or alias
(``&x``, ``*x``), a duplicate key, and an empty value, which is what remains of ``is: #tag`` because ``#`` opens a
comment.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from blimpgen.base.errors import DataError, Place, nearest, refuse
from blimpgen.base.folders import NO_FILE

__all__ = ["Document", "Table", "Tree", "read_text", "read_tsv", "read_yaml", "whole_number"]

Tree: TypeAlias = "dict[str, Any] | list[Any] | str | None"
Keys: TypeAlias = tuple[str | int, ...]

_BROKEN = {
    "quoted scalar": "a quotation mark is opened here and not closed",
    "flow mapping": "a '{' is opened here and not closed, or a ',' is missing after it",
    "flow sequence": "a '[' is opened here and not closed, or a ',' is missing after it",
    "mapping values are not allowed": "a second ': ' in one value, or lines that are not indented alike; put a text "
    "with ': ' into quotation marks",
    "block mapping": "no 'key: value' here; lines of one level are indented alike, and nothing follows a quotation "
    "mark or bracket that is closed",
    "cannot start any token": "a value cannot begin like this; put it into quotation marks",
}
"""A sign in what the parser says, and what it mostly means in a paradigm file."""

_MOST_BYTES = 100_000_000
_MOST_NESTED = 50

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


def whole_number(text: str, most: int, place: Place, what: str) -> int:
    """Read a whole number.

    Args:
        text: its digits.
        most: the largest number that makes sense.
        place: where it stands.
        what: what the number is, for errors.

    Raises:
        DataError: something else, or a number above the limit.
    """
    if not re.fullmatch(r"[0-9]{1,18}", text) or int(text) > most:
        shown = text if len(text) <= 20 else f"{text[:20]}..."
        raise DataError(f"{what}={shown!r}; write a whole number up to {most:,}", place, "value")
    return int(text)


def read_text(path: Path) -> str:
    """The text of a UTF-8 file.

    Raises:
        DataError: no such file, no regular file, too large, or a wrong encoding.
    """
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise DataError(NO_FILE, Place(path), "missing-file")
        if status.st_size > _MOST_BYTES:
            size = f"{status.st_size / 1e6:,.0f} MB; a data file has at most {_MOST_BYTES / 1e6:,.0f}"
            raise DataError(size, Place(path), "missing-file")
        raw = path.read_bytes()
    except FileNotFoundError:
        siblings = [p.name for p in path.parent.glob("*")] if path.parent.is_dir() else []
        raise DataError(f"no such file; {nearest(path.name, siblings)}", Place(path), "missing-file") from None
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", Place(path), "missing-file") from None
    except ValueError:  # a name with a NUL
        raise DataError("no file can have such a name", Place(ascii(str(path))), "missing-file") from None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataError("not UTF-8; save the file as UTF-8", Place(path, line), "encoding") from None


@dataclass(frozen=True)
class Document:
    """A YAML file: its data, and the line of every key and item by its path of keys."""

    path: Path
    data: dict[str, Any]
    lines: dict[Keys, int] = field(repr=False)

    def place(self, *keys: str | int) -> Place:
        """Where the value at this path of keys stands; the nearest known parent if it stands nowhere."""
        for end in range(len(keys), -1, -1):
            if keys[:end] in self.lines:
                return Place(self.path, self.lines[keys[:end]])
        return Place(self.path, 1)


def read_yaml(path: Path, *, text: str | None = None, may_be_empty: bool = False) -> Document:
    """Read one YAML mapping.

    Args:
        path: the file; also the name used in errors when `text` is given.
        text: the content, instead of the file's.
        may_be_empty: allow empty values (they become None): in a file that `extends` another they remove a key.

    Raises:
        DataError: with path and line, for anything that is not plain YAML.
    """
    reader = _Reader(path, may_be_empty)
    data = reader.read(read_text(path) if text is None else text)
    return Document(path, data, reader.lines)


class _Reader:
    """A recursive descent over the events of the YAML parser."""

    def __init__(self, path: Path, may_be_empty: bool) -> None:
        self.path, self.may_be_empty = path, may_be_empty
        self.lines: dict[Keys, int] = {}

    def read(self, text: str) -> dict[str, Any]:
        try:
            events: Iterator[Any] = iter(list(yaml.parse(text, Loader=_LOADER)))
        except yaml.MarkedYAMLError as error:
            raise self.broken(error, text.split("\n")) from None
        except yaml.YAMLError as error:
            raise self.error(f"not YAML: {str(error).splitlines()[0]}", 0) from None
        next(events)
        start = next(events)
        if isinstance(start, yaml.StreamEndEvent):
            raise self.error("the file is empty", 1)
        data = self.node(next(events), events, ())
        if not isinstance(data, dict):
            raise self.error("a mapping (key: value) is expected here", 1)
        next(events)
        if not isinstance(next(events), yaml.StreamEndEvent):
            raise self.error("one document a file; remove the second '---'", 0)
        return data

    def broken(self, error: yaml.MarkedYAMLError, lines: list[str]) -> DataError:
        """What is wrong with a text that is no YAML, where it begins."""
        context, problem = error.context or "", error.problem or ""
        marks = (error.context_mark, error.problem_mark)
        if "quoted scalar" in context or "flow" in context:
            marks = marks[::-1]
        mark = marks[1] or marks[0]
        line = min(mark.line + 1, len(lines)) if mark else 0  # libyaml may name the line after the last one
        if line and "\t" in lines[line - 1][: len(lines[line - 1]) - len(lines[line - 1].lstrip())]:
            return self.error("not YAML: a tab; indent with spaces", line)
        said = next((said for sign, said in _BROKEN.items() if sign in f"{context} {problem}"), problem or context)
        return self.error(f"not YAML: {said}", line)

    def node(self, event: Any, events: Iterator[Any], keys: Keys) -> Tree:
        line = event.start_mark.line + 1
        self.lines.setdefault(keys, line)
        if len(keys) > _MOST_NESTED:
            raise self.error(f"more than {_MOST_NESTED} brackets or levels within each other", line)
        if isinstance(event, yaml.AliasEvent):
            raise self.error(f"'*{event.anchor}' is a YAML alias; write the value out", line)
        if event.anchor:
            raise self.error(f"'&{event.anchor}' is a YAML anchor; quote the value or leave a space after '&'", line)
        if event.tag:
            raise self.error(f"'{event.tag}' is a YAML tag; write 'not X' for a negation, quotes for a text", line)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event, keys, line)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(events, keys)
        return self.mapping(events, keys)

    def scalar(self, event: Any, keys: Keys, line: int) -> str | None:
        if event.value or event.style:
            return str(event.value)
        if self.may_be_empty and keys and isinstance(keys[-1], str):
            return None
        name = f" of {keys[-1]!r}" if keys else ""
        raise self.error(f"the value{name} is empty; '#' begins a comment in YAML: write '+tag' for a tag", line)

    def sequence(self, events: Iterator[Any], keys: Keys) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(self.node(event, events, (*keys, len(items))))
        return items

    def mapping(self, events: Iterator[Any], keys: Keys) -> dict[str, Any]:
        data: dict[str, Any] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            line = event.start_mark.line + 1
            if not isinstance(event, yaml.ScalarEvent) or event.tag or event.anchor:
                raise self.error("a key must be a plain word", line)
            key = str(event.value)
            if key in data:
                raise self.error(f"the key {key!r} stands twice (first in line {self.lines[(*keys, key)]})", line)
            self.lines[(*keys, key)] = line
            data[key] = self.node(next(events), events, (*keys, key))
        return data

    def error(self, message: str, line: int) -> DataError:
        return DataError(message, Place(self.path, line), "yaml")


@dataclass(frozen=True)
class Table:
    """A TSV file: header and rows; `line(i)` is the line of row i in the file."""

    path: Path
    columns: tuple[str, ...]
    rows: list[list[str]] = field(repr=False)

    def place(self, row: int) -> Place:
        """Where row number `row` (from 0) stands."""
        return Place(self.path, row + 2)

    @property
    def places(self) -> list[Place]:
        """Where each row stands."""
        return list(map(Place._make, zip(repeat(self.path), range(2, len(self.rows) + 2), strict=False)))

    def column(self, name: str, default: str = "") -> list[str]:
        """One column top to bottom; empty cells, or a column that is not there, give the default.

        Args:
            name: the column.
            default: what an empty cell stands for.
        """
        if name not in self.columns:
            return [default] * len(self.rows)
        k = self.columns.index(name)
        return [row[k] or default for row in self.rows]


def read_tsv(path: Path, columns: Sequence[str], required: Sequence[str] = ()) -> Table:
    """Read a table with a header row.

    Args:
        path: the file.
        columns: the columns it may have.
        required: those it must have, with no empty cell.

    Raises:
        DataError: unknown, repeated or missing column, a row with the wrong number of cells, stray spaces.
    """
    text = read_text(path).removeprefix("\ufeff")
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines:
        raise DataError("the table is empty; its first row names the columns", Place(path, 1), "tsv")
    header = tuple(lines[0].split("\t"))
    _check_header(path, header, columns, required)
    must = [header.index(name) for name in required]
    rows = [line.split("\t") for line in lines[1:]]
    plain = text.isascii() and not any(stray in text for stray in _STRAY)
    refuse(
        error
        for number, row in enumerate(rows, start=2)
        if not plain or len(row) != len(header) or not all(map(row.__getitem__, must))
        for error in _row_errors(Place(path, number), row, header, must)
    )
    return Table(path, header, rows)


_STRAY = ("  ", " \t", "\t ", " \n", "\n ", *"\r\v\f\x1c\x1d\x1e\x1f")
"""Without any of these, and with nothing beyond ASCII, no cell of a table has a stray space."""


def _check_header(path: Path, header: tuple[str, ...], columns: Sequence[str], required: Sequence[str]) -> None:
    for name in header:
        if name not in columns:
            raise DataError(f"unknown column {name!r}; {nearest(name, columns)}", Place(path, 1), "tsv")
        if header.count(name) > 1:
            raise DataError(f"the column {name!r} stands twice", Place(path, 1), "tsv")
    for name in required:
        if name not in header:
            raise DataError(f"the column {name!r} is missing", Place(path, 1), "tsv")


def _row_errors(place: Place, row: list[str], header: tuple[str, ...], must: list[int]) -> Iterator[DataError]:
    if len(row) != len(header):
        what = "the row is empty" if row == [""] else f"{len(row)} cells, but {len(header)} columns"
        yield DataError(f"{what}; cells are separated by one tab each", place, "tsv")
        return
    for cell in row:
        if cell != cell.strip() or "  " in cell:
            yield DataError(f"stray spaces in the cell {cell!r}", place, "tsv")
    for k in must:
        if not row[k]:
            yield DataError(f"the cell {header[k]!r} is empty", place, "tsv")
