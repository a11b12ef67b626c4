"""Running guards over records or over a directory of data files, ours or a release."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from blimpgen.audit.guards import Case, Guard, Vocabulary, guards
from blimpgen.base.records import Record, Row, SentenceSet
from blimpgen.dataset import open_set
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm

__all__ = ["Finding", "audit", "audit_directory", "pair_rows", "vocabulary_of"]


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


def audit(records: Iterable[Record | Row], library: Library, *, codes: tuple[str, ...] | None = None) -> list[Finding]:
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
        UsageError: no data file there. DataError: a line that is no record, a file that is not as its manifest says.
    """
    records = (record for _, of_file in open_set(directory).read() for record in of_file)
    return audit(records, library, codes=codes)


def pair_rows(record: Record | Row) -> Sequence[Row]:
    """The pairs of a record or row: itself, or of a set one a comparison."""
    if not isinstance(record, Mapping):
        return record.to_pairs()
    if "sentences" in record:
        return SentenceSet({"condition": "", "field": "", "linguistics_term": "", **record}).to_pairs()
    return [record]


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
        active = tuple(g for g in self.chosen if g.scope.holds((uid, f"field={field}")))
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
    vocabulary: Vocabulary = library.cache[key]
    return vocabulary
