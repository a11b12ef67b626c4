"""The rows of a result as columns, which the other modules of this package work on.

A *row* is what a model makes of one pair by one method. Pairs whose sentences are the same count for nothing (their
credit is None) and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from blimpgen.analysis.intervals import Array
from blimpgen.base.errors import DataError, UsageError, nearest

__all__ = ["Columns", "Row", "Strings", "aligned", "columns", "methods_of", "word_count"]

Strings: TypeAlias = "npt.NDArray[np.object_]"


class Row(Protocol):
    """What is needed of a row; `blimpgen.scoring.Item` is one."""

    UID: str
    pair_id: str
    comparison: str | None
    field: str
    linguistics_term: str
    method: Any
    lp_good: float
    lp_bad: float
    n_tok_good: int
    n_tok_bad: int
    uni_good: float | None
    credit: float | None
    sentence_good: str
    sentence_bad: str

    @property
    def record(self) -> str:
        """The pair, or the set that the comparison comes from."""


@dataclass(frozen=True)
class Columns:
    """The rows of one method, column by column; all arrays have the shape (rows,).

    Attributes:
        uid, pair_id, field, term: which pair.
        comparison: of a set of sentences: which comparison; empty for a pair.
        record: the pair, or the set that the comparison comes from. Comparisons of one set share sentences, so
            bootstraps draw whole records.
        good, bad: its sentences.
        lp_good, lp_bad: scores: sums of natural log-probabilities.
        tokens_good, tokens_bad: numbers of tokens in these sums.
        frequency: mean log unigram probability of the words of the good sentence, in nats; not a number if unknown.
        credit: what the pair counts: 1, 0, or that of a tie.
    """

    uid: Strings
    pair_id: Strings
    comparison: Strings
    record: Strings
    field: Strings
    term: Strings
    good: Strings
    bad: Strings
    lp_good: Array
    lp_bad: Array
    tokens_good: Array
    tokens_bad: Array
    frequency: Array
    credit: Array

    def __len__(self) -> int:
        return len(self.uid)

    @property
    def delta(self) -> Array:
        """How much the good sentence is preferred, in nats."""
        return self.lp_good - self.lp_bad

    @property
    def keys(self) -> list[tuple[str, str, str, str]]:
        """Uid, pair and both sentences of every row: pair 0 of another set is another pair."""
        parts = (self.uid, self.pair_id, self.good, self.bad)
        return list(zip(*(part.tolist() for part in parts), strict=True))

    def where(self, chosen: npt.NDArray[Any] | Sequence[int]) -> Columns:
        """The chosen rows, by a mask or by their numbers."""
        return replace(self, **{f.name: getattr(self, f.name)[chosen] for f in fields(self)})

    def of(self, uids: Iterable[str]) -> Columns:
        """The rows of these paradigms."""
        wanted = set(uids)
        return self.where(np.array([uid in wanted for uid in self.uid.tolist()], dtype=bool))

    def accuracies(self) -> dict[str, float]:
        """Mean credit of every paradigm, by uid."""
        uids, number = np.unique(self.uid.astype(str), return_inverse=True)
        sums = np.bincount(number, weights=self.credit, minlength=len(uids))
        means = sums / np.bincount(number, minlength=len(uids))
        return dict(zip(uids.tolist(), means.tolist(), strict=True))


def columns(rows: Iterable[Row], *, method: str = "full") -> Columns:
    """The counted rows of one method as columns.

    Raises:
        UsageError: no counted row of that method; the message lists the methods that there are.
    """
    given = list(rows)
    kept = [row for row in given if row.method == method and row.credit is not None]
    if not kept:
        raise UsageError(f"no row of the method {method!r}; {nearest(method, methods_of(given))}")
    return Columns(
        uid=_strings(row.UID for row in kept),
        pair_id=_strings(row.pair_id for row in kept),
        comparison=_strings(row.comparison or "" for row in kept),
        record=_strings(row.record for row in kept),
        field=_strings(row.field for row in kept),
        term=_strings(row.linguistics_term for row in kept),
        good=_strings(row.sentence_good for row in kept),
        bad=_strings(row.sentence_bad for row in kept),
        lp_good=_numbers(row.lp_good for row in kept),
        lp_bad=_numbers(row.lp_bad for row in kept),
        tokens_good=_numbers(row.n_tok_good for row in kept),
        tokens_bad=_numbers(row.n_tok_bad for row in kept),
        frequency=_numbers(row.uni_good for row in kept) / word_count(row.sentence_good for row in kept),
        credit=_numbers(row.credit for row in kept),
    )


def methods_of(rows: Iterable[Row]) -> list[str]:
    """The methods of rows, in the order of first appearance."""
    return list(dict.fromkeys(row.method for row in rows))


def aligned(first: Columns, second: Columns) -> tuple[Columns, Columns]:
    """The rows of both for the pairs that both have, in the order of the first.

    Raises:
        DataError: they have no pair in common.
    """
    place = {key: k for k, key in enumerate(second.keys)}
    common = [(k, place[key]) for k, key in enumerate(first.keys) if key in place]
    if not common:
        raise DataError("the results have no pair in common; compare results of the same data set")
    return first.where([k for k, _ in common]), second.where([k for _, k in common])


def word_count(sentences: Iterable[str]) -> Array:
    """How many words sentences have, between spaces."""
    return np.array([len(sentence.split()) for sentence in sentences], dtype=np.float64)


def _strings(values: Iterable[str]) -> Strings:
    return np.array(list(values), dtype=object)


def _numbers(values: Iterable[float | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
