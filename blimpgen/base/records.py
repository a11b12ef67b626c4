"""The records that a data set consists of: minimal pairs, and sets of more than two sentences."""

from __future__ import annotations

import difflib
import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from blimpgen.english.words import folded_words

__all__ = ["MinimalPair", "Record", "Row", "SentenceSet", "difference"]

Span: TypeAlias = "tuple[tuple[int, int], tuple[int, int]]"


Row: TypeAlias = "Mapping[str, Any]"
"""One line of a data file: its keys and values."""


@dataclass(frozen=True)
class MinimalPair:
    """A good and a bad sentence: a view of one row.

    Attributes:
        row: the keys of the BLiMP release in their order, and whatever keys the paradigm adds; without metadata.
        explain: gives the metadata (slots, features, rules, trees) on demand.
    """

    row: Row
    explain: Callable[[], dict[str, Any]] | None = field(default=None, repr=False, compare=False)

    @property
    def good(self) -> str:
        """The acceptable sentence."""
        return str(self.row["sentence_good"])

    @property
    def bad(self) -> str:
        """The unacceptable sentence."""
        return str(self.row["sentence_bad"])

    @property
    def sentences(self) -> Mapping[str, str]:
        """Both sentences, under the names ``good`` and ``bad``."""
        return {"good": self.good, "bad": self.bad}

    @property
    def good_names(self) -> tuple[str, ...]:
        """The names of the sentences that no comparison calls worse."""
        return ("good",)

    @property
    def uid(self) -> str:
        """The paradigm."""
        return str(self.row["UID"])

    @property
    def id(self) -> str:
        """The number of the pair in its data set, ``pairID``."""
        return str(self.row["pairID"])

    @property
    def difference(self) -> list[Span]:
        """The spans of words (start, end) in which good and bad differ."""
        return difference(self.good, self.bad)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """Slots, features, rules, trees and word regions; empty for a pair that was read from a file without them."""
        return self.explain() if self.explain is not None else {}

    def tree(self, sentence: str = "good") -> Any:
        """The tree of a sentence as an `nltk.Tree`.

        Args:
            sentence: "good" or "bad".
        """
        from nltk import Tree

        return Tree.fromstring(self.metadata["trees"][sentence], brackets="()")

    def to_dict(self, *, metadata: bool = False) -> dict[str, Any]:
        """The row; with the key ``metadata`` if asked for."""
        return {**self.row, "metadata": self.metadata} if metadata else dict(self.row)

    def to_pairs(self) -> list[dict[str, Any]]:
        """The row as the only one of a list, as a set gives one row a comparison."""
        return [self.to_dict()]

    def _repr_html_(self) -> str:
        good, bad = self.good.split(), self.bad.split()
        for (a, b), (c, d) in self.difference:
            good[a:b] = [f"<b>{html.escape(' '.join(good[a:b]))}</b>"] + [""] * (b - a - 1) if b > a else []
            bad[c:d] = [f"<b>{html.escape(' '.join(bad[c:d]))}</b>"] + [""] * (d - c - 1) if d > c else []
        return f"<p>{' '.join(good)}<br><i>*</i>{' '.join(bad)}</p>"


_OF_SETS = ("sentences", "pairs", "condition", "field", "linguistics_term", "UID", "itemID")


@dataclass(frozen=True)
class SentenceSet:
    """Named sentences with named comparisons: a view of one row.

    Attributes:
        row: ``sentences`` (name to sentence), ``pairs`` (comparison, better sentence, worse sentence), ``condition``
            (the cell), ``field``, ``linguistics_term``, ``UID``, ``itemID``, and whatever keys the paradigm adds.
        explain: gives the metadata (slots, features, rules, trees, regions) on demand.
    """

    row: Row
    explain: Callable[[], dict[str, Any]] | None = field(default=None, repr=False, compare=False)

    @property
    def sentences(self) -> Mapping[str, str]:
        """Name to sentence."""
        sentences: Mapping[str, str] = self.row["sentences"]
        return sentences

    @property
    def pairs(self) -> tuple[tuple[str, str, str], ...]:
        """The comparisons: name, the better sentence, the worse one."""
        return tuple((name, better, worse) for name, better, worse in self.row["pairs"])

    @property
    def good_names(self) -> tuple[str, ...]:
        """The names of the sentences that no comparison calls worse."""
        worse = {name for _, _, name in self.pairs}
        return tuple(name for name in self.sentences if name not in worse)

    @property
    def uid(self) -> str:
        """The paradigm."""
        return str(self.row["UID"])

    @property
    def id(self) -> str:
        """The number of the set in its data set, ``itemID``."""
        return str(self.row["itemID"])

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """Slots, features, rules, trees and regions; empty for a set that was read from a file without them."""
        return self.explain() if self.explain is not None else {}

    def to_dict(self, *, metadata: bool = False) -> dict[str, Any]:
        """The row; with the key ``metadata`` if asked for."""
        return {**self.row, "metadata": self.metadata} if metadata else dict(self.row)

    def to_pairs(self) -> list[dict[str, Any]]:
        """One row a comparison, with the keys of a pair and ``comparison`` and ``itemID`` added."""
        row, added = self.row, {key: value for key, value in self.row.items() if key not in _OF_SETS}
        return [
            {
                "sentence_good": self.sentences[better],
                "sentence_bad": self.sentences[worse],
                "field": row["field"],
                "linguistics_term": row["linguistics_term"],
                "UID": self.uid,
                "simple_LM_method": True,
                "one_prefix_method": False,
                "two_prefix_method": False,
                "lexically_identical": False,
                "condition": row["condition"],
                **{key: value[name] if key == "difference" else value for key, value in added.items()},
                "comparison": name,
                "itemID": self.id,
                "pairID": f"{self.id}-{name}",
            }
            for name, better, worse in self.pairs
        ]


Record: TypeAlias = "MinimalPair | SentenceSet"


def difference(good: str, bad: str) -> list[Span]:
    """The spans of words (start, end) in which two sentences differ, case and final mark ignored.

    Args:
        good, bad: the sentences.
    """
    a, b = folded_words(good), folded_words(bad)
    if len(a) == len(set(a)) == len(b) == len(set(b)):
        changed = [k for k, (x, y) in enumerate(zip(a, b, strict=True)) if x != y]
        if len(changed) <= 1:  # no word stands elsewhere, so there is nothing to align
            return [((k, k + 1), (k, k + 1)) for k in changed]
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    return [((i, j), (k, n)) for tag, i, j, k, n in matcher.get_opcodes() if tag != "equal"]
