"""Reading data sets: the one way in for audits, comparisons, exports and scoring.

The shape of every row is checked once, here. What is accepted is what blimpgen writes, the BLiMP release as it is, and
hand-made rows that leave out names and flags: the UID is then that of the file, the number that of the line. Where a
folder has a manifest, its files must be as the manifest says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blimpgen.base.errors import DataError, Place, UsageError, listing, nearest
from blimpgen.base.files import sha256_of
from blimpgen.base.folders import check_name, listed_files
from blimpgen.base.records import MinimalPair, Record, SentenceSet
from blimpgen.dataset.file_models import MANIFEST, RUN, Manifest, read_manifest
from blimpgen.dataset.parquet import parquet_lines

__all__ = ["DataSet", "check_files", "data_files", "open_set", "read_jsonl"]

_PREFIXES = (
    ("one_prefix_prefix", "one_prefix_word_good", "one_prefix_word_bad"),
    ("two_prefix_prefix_good", "two_prefix_prefix_bad", "two_prefix_word"),
)
"""Keys of which a pair has all or none."""

_DATA = ("*.jsonl", "*.parquet")

Text = Annotated[str, Field(max_length=100_000)]
Number = Annotated[str | int, Field(union_mode="left_to_right")]


class _Metadata(BaseModel):
    model_config = ConfigDict(extra="allow", strict=True)

    slots: dict[str, dict[str, Any]] = {}
    trees: dict[str, str] = {}
    words: dict[str, list[tuple[str, str]]] = {}
    regions: dict[str, list[tuple[str, str]]] = {}
    predictions: list[str] = []


class _Shape(BaseModel):
    """What a row must be, as far as it says anything."""

    model_config = ConfigDict(extra="allow", strict=True)

    condition: str | None = None
    field: str = ""
    linguistics_term: str = ""
    UID: str | None = None
    nonce: dict[str, str] | None = None
    zipf: dict[str, float] | None = None
    numbers: dict[str, str] | None = None
    canary: str | None = None
    metadata: _Metadata | None = None


class _PairShape(_Shape):
    sentence_good: Text
    sentence_bad: Text
    crucial_item: str | None = None
    one_prefix_prefix: str | None = None
    one_prefix_word_good: str | None = None
    one_prefix_word_bad: str | None = None
    two_prefix_prefix_good: str | None = None
    two_prefix_prefix_bad: str | None = None
    two_prefix_word: str | None = None
    difference: list[tuple[str, str]] | None = None
    simple_LM_method: bool = True
    one_prefix_method: bool = True
    two_prefix_method: bool = True
    lexically_identical: bool = False
    comparison: str | None = None
    itemID: Number = 0
    pairID: Number = 0


class _SetShape(_Shape):
    sentences: Annotated[dict[str, Text], Field(min_length=2)]
    pairs: Annotated[list[tuple[str, str, str]], Field(min_length=1)]
    difference: dict[str, list[tuple[str, str]]] | None = None
    itemID: Number = 0


@dataclass(frozen=True)
class DataSet:
    """The files of a data set.

    Attributes:
        path: the folder or the one file, as it was given.
        files: its data files, in the order of their names.
        manifest: what the folder says of itself, if blimpgen wrote it.
    """

    path: Path
    files: tuple[Path, ...]
    manifest: Manifest | None

    @property
    def declared(self) -> dict[str, frozenset[str]]:
        """The keys of each paradigm, by UID, when the set was made, such as *length* and *derivable*."""
        sets = self.manifest.sets if self.manifest else {}
        return {uid: frozenset(key.partition(".")[0] for key in entry.keys) for uid, entry in sets.items()}

    def read(self) -> Iterator[tuple[Path, list[Record]]]:
        """Each file with its records.

        Raises:
            DataError: a line that is no record, a file without any, two records of a paradigm with one number.
        """
        files: dict[tuple[str, str], Path] = {}
        for path in self.files:
            records = read_file(path)
            check_numbers(((record.uid, record.id) for record in records), path, files)
            yield path, records


def read_file(path: Path) -> list[Record]:
    """The records of one file of a data set.

    Raises:
        DataError: a line that is no record, a file without any, two records with one number.
    """
    records = read_jsonl(path)
    if not records:
        raise DataError("no records in it", Place(path), "record")
    return records


def check_numbers(numbers: Iterable[tuple[str, str]], path: Path, files: dict[tuple[str, str], Path]) -> None:
    """Check that no other file of a data set has a record of the same paradigm with the same number.

    Args:
        numbers: paradigm and number of each record of a file.
        path: the file.
        files: number to file, of the files before; those of this file are added.

    Raises:
        DataError: another file has one of the numbers.
    """
    for uid, number in numbers:
        other = files.setdefault((uid, number), path)
        if other != path:
            what = f"{uid} has a record {number!r} here and in {other}; read the files one by one"
            raise DataError(what, Place(path))


def data_files(path: str | Path) -> list[Path]:
    """The data files of a folder in the order of their names, or the one file; hidden files are left out.

    Raises:
        UsageError: no such file or folder, or none of its files is a data file. DataError: a pipe or device among them.
    """
    path = Path(path)
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise UsageError(f"{path}: no such file or directory; name a data set; `blimpgen generate -o DIR` makes one")
    files = _listed(path)
    if not files:
        raise UsageError(f"{path}: {_missing(path)}")
    return files


def _listed(folder: Path) -> list[Path]:
    return sorted(file for pattern in _DATA for file in listed_files(folder, pattern))


def _missing(folder: Path) -> str:
    if any(folder.glob("*.csv")):
        return "it holds CSV files, and JSON Lines are read; generate the set without --format"
    folders = [path.name for path in sorted(folder.iterdir()) if path.is_dir() and _listed(path)]
    return f"no *.jsonl file in it; {nearest('', folders) if folders else 'name the directory of a data set'}"


def open_set(path: str | Path) -> DataSet:
    """The files of a data set, checked against the manifest of their folder if there is one.

    Raises:
        UsageError: no data file there. DataError: an unfinished run, or a file that is not as the manifest says.
    """
    path = Path(path)
    files = data_files(path)
    folder = path if path.is_dir() else path.parent
    if (folder / MANIFEST).is_file():
        manifest = read_manifest(folder)
        check_files(manifest, folder, None if path.is_dir() else path.name)
        return DataSet(path, tuple(files), manifest if path.is_dir() else None)
    if (folder / RUN).is_file():
        raise DataError("holds an unfinished run; repeat the call that it came from, which finishes it", Place(folder))
    return DataSet(path, tuple(files), None)


def check_files(manifest: Manifest, folder: Path, only: str | None = None) -> None:
    """Check that the files of a set are as their manifest says.

    Args:
        manifest: what the folder says of itself.
        folder: where it stands.
        only: the name of the one file that is read; all by default.

    Raises:
        DataError: a file is missing or has other bytes.
    """
    for entry in manifest.sets.values():
        path = folder / entry.file
        if only not in (None, entry.file):
            continue
        if not path.is_file():
            raise DataError(f"{entry.file} is missing, which {MANIFEST} lists; make the set again", Place(folder))
        if sha256_of(path) != entry.sha256:
            what = f"not as {MANIFEST} describes it; make the set again, or remove {MANIFEST} to read it as it is"
            raise DataError(what, Place(path))


def read_jsonl(path: str | Path) -> list[Record]:
    """The records of a file of JSON Lines or a Parquet file: one of ours, or one of the BLiMP release as it is.

    Raises:
        DataError: a line that is no record, with its number and the key; two records with one number.
    """
    path = Path(path)
    records = [_record(line, path, number) for number, line in enumerate(_lines(path), start=1) if line.strip()]
    numbers: dict[tuple[str, str], None] = {}
    for record in records:
        if (record.uid, record.id) in numbers:
            what = (
                f"{record.uid} has two records with the number {record.id}; numbers tell the pairs of a paradigm apart"
            )
            raise DataError(what, Place(path))
        numbers[record.uid, record.id] = None
    return records


def _lines(path: Path) -> Iterable[bytes]:
    if path.suffix == ".parquet":
        return parquet_lines(path)
    try:
        return path.read_bytes().split(b"\n")
    except FileNotFoundError:
        raise DataError("no such file", Place(path), "missing-file") from None


def _record(line: bytes, path: Path, number: int) -> Record:
    place = Place(path, number)
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"not JSON: {error.msg}", place, "json") from None
    if not isinstance(row, dict) or not ("sentences" in row or {"sentence_good", "sentence_bad"} <= row.keys()):
        what = "neither a pair (sentence_good, sentence_bad) nor a set (sentences, pairs)"
        hint = f"; {nearest('sentence_good', row)}" if isinstance(row, dict) and row else ""
        raise DataError(f"{what}{hint}", place, "record")
    is_set = "sentences" in row
    try:
        (_SetShape if is_set else _PairShape).model_validate_json(line)
        wrong = next(_unfit_set(row) if is_set else _unfit_pair(row), None)
    except ValidationError as error:
        wrong = _first(error)
    if wrong:
        raise DataError(wrong, place, "record")
    return _view(row, path, number, is_set)


def _view(row: dict[str, Any], path: Path, number: int, is_set: bool) -> Record:
    """The record of a row whose shape is right; names that it leaves out come from the file and the line."""
    metadata = row.pop("metadata", None)
    explain = (lambda: metadata) if metadata else None
    row.setdefault("UID", path.stem)
    check_name(row["UID"], Place(path, number))
    key = "itemID" if is_set else "pairID"
    row[key] = str(row.get(key, number - 1))
    if not is_set:
        return MinimalPair(row, explain)
    for name in ("condition", "field", "linguistics_term"):
        row.setdefault(name, "")
    return SentenceSet(row, explain)


def _first(error: ValidationError) -> str:
    """The first of the errors, with the key that it is about."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    value = repr(first["input"]) if isinstance(first["input"], (str, int, float, bool)) else ""
    what = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
    return f"{where}: {what}{f', not {value[:60]}' if value else ''}"


def _unfit_pair(row: Mapping[str, Any]) -> Iterator[str]:
    """What the shape cannot say of a pair."""
    for keys in _PREFIXES:
        there = [key for key in keys if row.get(key) is not None]
        if there and len(there) < len(keys):
            missing = next(key for key in keys if key not in there)
            yield f"{missing}: missing, but there is {there[0]}; a pair has all of {listing(keys)} or none"


def _unfit_set(row: Mapping[str, Any]) -> Iterator[str]:
    """What the shape cannot say of a set."""
    names = [pair[0] for pair in row["pairs"]]
    for name, *compared in row["pairs"]:
        for sentence in compared:
            if sentence not in row["sentences"]:
                existing = listing(row["sentences"])
                yield f"pairs: the comparison {name!r} names the sentence {sentence!r}; there are: {existing}"
        if names.count(name) > 1:
            yield f"pairs: two comparisons are called {name!r}"
    if missing := [name for name in names if name not in (row.get("difference") or names)]:
        yield f"difference: nothing about the comparison {missing[0]!r}"
