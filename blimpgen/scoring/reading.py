"""What there is to score: pairs and named comparisons of any JSON Lines files, ours or the BLiMP release as it is."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blimpgen.analysis.results import METHODS, Method
from blimpgen.base.errors import DataError, Place
from blimpgen.base.files import sha256_of
from blimpgen.base.records import Record
from blimpgen.dataset import open_set
from blimpgen.scoring.scores import Span

__all__ = ["Comparison", "data_hash", "read_comparisons", "to_comparisons"]

_FIELDS = {"syntax/semantics": "syntax_semantics"}
_TERMS = {"s-selection": "argument_structure"}
_KEYS: Mapping[Method, tuple[tuple[str, str], tuple[str, str]]] = {
    "one-prefix": (("one_prefix_prefix", "one_prefix_word_good"), ("one_prefix_prefix", "one_prefix_word_bad")),
    "two-prefix": (("two_prefix_prefix_good", "two_prefix_word"), ("two_prefix_prefix_bad", "two_prefix_word")),
}


@dataclass(frozen=True)
class Comparison:
    """Two sentences, of which the good one should have the higher score.

    Attributes:
        uid: the paradigm.
        pair_id: the pair in its paradigm; of a set, its number and the comparison.
        good, bad: the sentences.
        field: subfield of linguistics, ``syntax/semantics`` of the release as ``syntax_semantics``.
        term: phenomenon, ``s-selection`` of the release as ``argument_structure``, where its paper counts it.
        words: method to the characters (start, end) of the critical word in the good and in the bad sentence.
        comparison: of a set: its name.
        condition: the cell of the design.
    """

    uid: str
    pair_id: str
    good: str
    bad: str
    field: str
    term: str
    words: Mapping[Method, tuple[Span, Span]]
    comparison: str | None = None
    condition: str | None = None

    @property
    def key(self) -> tuple[str, str]:
        """What names the comparison among those of a data set: uid and pair_id."""
        return self.uid, self.pair_id

    @property
    def identical(self) -> bool:
        """Whether both sentences are the same, so that no model can be right."""
        return self.good == self.bad

    @property
    def methods(self) -> tuple[Method, ...]:
        """The methods by which the pair can be scored."""
        return tuple(m for m in METHODS if m == "full" or m in self.words)


def data_hash(files: Iterable[Path]) -> str:
    """Return the SHA-256 of the names and contents of data files."""
    digest = hashlib.sha256()
    for path in files:
        digest.update(f"{path.name}\0{sha256_of(path)}\n".encode())
    return digest.hexdigest()


def read_comparisons(path: str | Path, *, limit: int | None = None) -> list[Comparison]:
    """Return the comparisons of a data set, file after file.

    Args:
        path: a folder of JSON Lines files, or one such file.
        limit: at most this many records of each paradigm.

    Raises:
        UsageError: no data file there. DataError: a line that is no record, a pair that stands twice, prefix fields
            that are not of its sentences, a file that is not as its manifest says.
    """
    counts: dict[str, int] = {}
    comparisons: list[Comparison] = []
    for file, records in open_set(path).read():
        for record in records:
            counts[record.uid] = counts.get(record.uid, 0) + 1
            if limit is None or counts[record.uid] <= limit:
                comparisons += to_comparisons(record, Place(file))
    return comparisons


def to_comparisons(record: Record, place: Place | None = None) -> Iterator[Comparison]:
    """Return the comparisons of a record: a pair is one, a set has several.

    Args:
        record: a pair or a set.
        place: what errors name.

    Raises:
        DataError: prefix fields that are not of the record's sentences.
    """
    for row in record.to_pairs():
        yield _comparison(row, record.uid, place)


def _comparison(row: Mapping[str, Any], uid: str, place: Place | None) -> Comparison:
    sentences = row["sentence_good"], row["sentence_bad"]
    field, term = str(row.get("field", "")), str(row.get("linguistics_term", ""))
    words = {}
    for method, keys in _KEYS.items():
        if row.get(f"{method.replace('-', '_')}_method", True) and all(row.get(k) for pair in keys for k in pair):
            spans = [_word(s, row[p], row[w]) for s, (p, w) in zip(sentences, keys, strict=True)]
            if None in spans:
                what = f"{uid}, pair {row['pairID']}: the {method} fields are not the beginning of its sentences"
                raise DataError(what, place, "record")
            words[method] = (spans[0] or (0, 0), spans[1] or (0, 0))
    return Comparison(
        uid,
        row["pairID"],
        *sentences,
        _FIELDS.get(field, field),
        _TERMS.get(term, term),
        words,
        _text(row.get("comparison")),
        _text(row.get("condition")),
    )


def _text(value: Any) -> str | None:
    return None if value in (None, "") else str(value)


def _word(sentence: str, prefix: Any, word: Any) -> Span | None:
    """Where the critical word stands; the release has spaces at the edges of some fields."""
    prefix, word = str(prefix).strip(), str(word).strip()
    end = len(prefix) + 1 + len(word)
    return (end - len(word), end) if sentence[:end] == f"{prefix} {word}" else None
