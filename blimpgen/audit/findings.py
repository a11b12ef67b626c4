"""Running guards over records or over a directory of data files, ours or a release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from blimpgen.audit.guards import Case, Guard, Vocabulary, guards
from blimpgen.audit.guards.model import check_named
from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.base.records import MinimalPair, SentenceSet
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm

__all__ = ["Finding", "audit", "audit_directory", "files_of", "pair_rows", "read_rows", "vocabulary_of"]

Row: TypeAlias = Mapping[str, Any]

_PAIR_KEYS = ("UID", "sentence_good", "sentence_bad", "pairID")
_SET_KEYS = ("UID", "sentences", "pairs", "itemID")


@dataclass(frozen=True)
class Finding:
    """What a guard objects to in a pair.

    Attributes:
        code: the guard.
        uid: the paradigm.
        pair_id: number of the pair in its set.
        message: what is wrong, and in which words.
    """

    code: str
    uid: str
    pair_id: str
    message: str


def audit(
    records: Iterable[MinimalPair | SentenceSet | Row], library: Library, *, codes: tuple[str, ...] | None = None
) -> list[Finding]:
    """Run the guards over records.

    Args:
        records: pairs, sets (one case a comparison), or rows with the keys of the BLiMP release.
        library: its lexicon is what the guards look words up in.
        codes: run these guards alone, on the records that they are about.

    Raises:
        UsageError: an unknown code, here or among the `guards` of a paradigm.
    """
    auditor = _Auditor(library, guards(codes))
    return [finding for record in records for row in pair_rows(record) for finding in auditor.run(row)]


def audit_directory(directory: str | Path, library: Library, *, codes: tuple[str, ...] | None = None) -> list[Finding]:
    """Run the guards over all ``*.jsonl`` files of a directory, in the order of their names.

    Raises:
        UsageError: not a directory, or none of its files is a data file. DataError: a line that is not a record.
    """
    return audit((row for path in files_of(directory) for row in read_rows(path)), library, codes=codes)


def files_of(directory: str | Path) -> list[Path]:
    """The data files of a directory in the order of their names; a `UsageError` if there is none."""
    folder = Path(directory)
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        what = "no *.jsonl file in it" if folder.is_dir() else "no such directory"
        raise UsageError(f"{folder}: {what}; name the directory of a data set")
    return paths


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a JSON Lines file; a line that is not a pair or a set is a `DataError` with its number."""
    for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
        if line.strip():
            yield _row(line, Place(path, number))


def _row(line: bytes, place: Place) -> Row:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise DataError(f"not JSON: {error.msg}", place, "json") from None
    if not isinstance(row, dict):
        raise DataError("a record is a JSON object", place, "record")
    for key in _SET_KEYS if "sentences" in row else _PAIR_KEYS:
        if key not in row:
            raise DataError(f"the record has no {key!r}; {nearest(key, row)}", place, "record")
    return row


def pair_rows(record: MinimalPair | SentenceSet | Row) -> Iterator[Row]:
    """A record as pairs: one row, or of a set one a comparison."""
    if isinstance(record, SentenceSet):
        yield from record.to_pairs()
    elif isinstance(record, MinimalPair):
        yield {"UID": record.uid, **record.to_dict()}
    elif "sentences" in record:
        yield from _set(record).to_pairs()
    else:
        yield record


def _set(row: Row) -> SentenceSet:
    pairs = tuple((name, better, worse) for name, better, worse in row["pairs"])
    condition, field, term = (str(row.get(key, "")) for key in ("condition", "field", "linguistics_term"))
    return SentenceSet(row["sentences"], pairs, row["UID"], row["itemID"], condition, field, term)


@dataclass(frozen=True)
class _Declared:
    """What a paradigm says that concerns guards, if the library has it."""

    vocabulary: Vocabulary
    guards: tuple[Guard, ...]
    free_length: bool


class _Auditor:
    def __init__(self, library: Library, chosen: tuple[Guard, ...]) -> None:
        self.library, self.chosen = library, chosen
        self.known = frozenset(library.uids())
        self.declared = lru_cache(maxsize=None)(self._declared)

    def run(self, row: Row) -> Iterator[Finding]:
        uid, pair_id = str(row["UID"]), str(row["pairID"])
        declared = self.declared(uid, str(row.get("field", "")))
        case = Case(
            uid, pair_id, row["sentence_good"], row["sentence_bad"], row, declared.vocabulary, declared.free_length
        )
        for guard in declared.guards:
            details = list(dict.fromkeys(guard.find(case)))
            if details:
                yield Finding(guard.code, uid, pair_id, f"{guard.message.rstrip('.')}: {'; '.join(details)}")

    def _declared(self, uid: str, field: str) -> _Declared:
        paradigm = self.library.paradigm(uid) if uid in self.known else None
        named: list[str] = paradigm.model.guards if paradigm is not None else []
        check_named(uid, named)
        active = tuple(g for g in self.chosen if g.scope.holds((uid, f"field={field}")) or g.code in named)
        free = paradigm is not None and paradigm.model.length is not None
        return _Declared(_vocabulary(self.library, paradigm), active, free)


def vocabulary_of(library: Library, uid: str) -> Vocabulary:
    """The words that a paradigm is made with; those of the main lexicon for one that the library does not have."""
    return _vocabulary(library, library.paradigm(uid) if uid in library.uids() else None)


def _vocabulary(library: Library, paradigm: Paradigm | None) -> Vocabulary:
    lexicon = library.language_of(paradigm).lexicon if paradigm is not None else library.lexicon
    key = ("guards", lexicon)
    if key not in library.cache:
        library.cache[key] = Vocabulary(lexicon)
    found: Vocabulary = library.cache[key]
    return found
