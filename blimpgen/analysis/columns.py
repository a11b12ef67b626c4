"""The rows of a result as columns, which the other modules of this package work on.

A *row* is what a model makes of one pair by one method. Pairs whose sentences are the same count for nothing (their
credit is None) and are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from blimpgen.analysis.intervals import Array
from blimpgen.analysis.results import Item
from blimpgen.base.errors import DataError, UsageError, nearest

__all__ = ["Columns", "Strings", "aligned", "columns", "columns_of", "means_by", "methods_of", "word_count"]

Strings: TypeAlias = "npt.NDArray[np.object_]"


@dataclass(frozen=True)
class Columns:
    """The rows of one method, column by column; all arrays have the shape (rows,).

    Attributes:
        method: of all rows.
        uid, pair_id, field, term: which pair.
        comparison: of a set of sentences: which comparison; empty for a pair.
        record: the pair, or the set that the comparison comes from. Comparisons of one set share sentences, so
            bootstraps draw whole records.
        good, bad: its sentences.
        lp_good, lp_bad: scores: sums of natural log-probabilities.
        tokens_good, tokens_bad: numbers of tokens in these sums.
        unigrams_good, unigrams_bad: sums of log unigram probabilities of the words; not a number if unknown.
        frequency: mean log unigram probability of the words of the good sentence, in nats; not a number if unknown.
        credit: what the pair counts: 1, 0, or that of a tie.
    """

    method: str
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
    unigrams_good: Array
    unigrams_bad: Array
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

    def constant(self, text: str) -> Strings:
        """Return a column that has the same text in every row."""
        return np.full(len(self), text, dtype=object)

    def where(self, selection: npt.NDArray[Any] | Sequence[int]) -> Columns:
        """Return some of the rows, by a mask or by their numbers."""
        arrays = {f.name: getattr(self, f.name)[selection] for f in fields(self) if f.name != "method"}
        return replace(self, **arrays)

    def of(self, uids: Iterable[str]) -> Columns:
        """Return the rows of these paradigms."""
        return self.where(np.isin(self.uid.astype(str), [*uids]))

    def accuracies(self) -> dict[str, float]:
        """Return the mean credit of every paradigm, by uid."""
        return means_by(self.uid, self.credit)


def means_by(names: Strings, values: Array) -> dict[str, float]:
    """Return the mean of the values that have the same name, sorted by name; what is not a number is left out.

    Args:
        names: shape (n,).
        values: shape (n,).
    """
    finite = np.isfinite(values)
    unique, number = np.unique(names[finite].astype(str), return_inverse=True)
    means = np.bincount(number, weights=values[finite], minlength=len(unique)) / np.bincount(number)
    return dict(zip(unique.tolist(), means.tolist(), strict=True))


def columns(items: Iterable[Item], *, method: str = "full") -> Columns:
    """Arrange the counted rows of one method as columns.

    Args:
        items: rows of all methods.
        method: full, one-prefix or two-prefix.

    Raises:
        UsageError: no counted row of that method; the message lists the methods that there are.
    """
    rows = list(items)
    counted = [row for row in rows if row.method == method and row.credit is not None]
    if not counted:
        raise UsageError(f"no row of the method {method!r}; {nearest(method, methods_of(rows))}")
    return columns_of(counted)


def columns_of(rows: Sequence[Item]) -> Columns:
    """Arrange rows of one method as columns."""
    good = _strings(row.sentence_good for row in rows)
    unigrams_good = _numbers(row.uni_good for row in rows)
    return Columns(
        method=rows[0].method if rows else "full",
        uid=_strings(row.UID for row in rows),
        pair_id=_strings(row.pair_id for row in rows),
        comparison=_strings(row.comparison or "" for row in rows),
        record=_strings(row.record for row in rows),
        field=_strings(row.field for row in rows),
        term=_strings(row.linguistics_term for row in rows),
        good=good,
        bad=_strings(row.sentence_bad for row in rows),
        lp_good=_numbers(row.lp_good for row in rows),
        lp_bad=_numbers(row.lp_bad for row in rows),
        tokens_good=_numbers(row.n_tok_good for row in rows),
        tokens_bad=_numbers(row.n_tok_bad for row in rows),
        unigrams_good=unigrams_good,
        unigrams_bad=_numbers(row.uni_bad for row in rows),
        frequency=unigrams_good / word_count(good),
        credit=_numbers(row.credit for row in rows),
    )


def methods_of(rows: Iterable[Item]) -> list[str]:
    """Return the methods of rows, in the order of first appearance."""
    return list(dict.fromkeys(row.method for row in rows))


def aligned(first: Columns, second: Columns) -> tuple[Columns, Columns]:
    """Return the rows of both for the pairs that both have, in the order of the first.

    Args:
        first, second: rows of one method each.

    Raises:
        DataError: they have no pair in common.
    """
    place = {key: k for k, key in enumerate(second.keys)}
    common = [(k, place[key]) for k, key in enumerate(first.keys) if key in place]
    if not common:
        raise DataError("the results have no pair in common; compare results of the same data set")
    return first.where([k for k, _ in common]), second.where([k for _, k in common])


def word_count(sentences: Iterable[str]) -> Array:
    """Count the words of sentences, between spaces."""
    return np.array([len(sentence.split()) for sentence in sentences], dtype=np.float64)


def _strings(values: Iterable[str]) -> Strings:
    return np.array(list(values), dtype=object)


def _numbers(values: Iterable[float | None]) -> Array:
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)
