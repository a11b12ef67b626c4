"""The records that a data set consists of: minimal pairs, and sets of more than two sentences."""

from __future__ import annotations

import dataclasses
import difflib
import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from blimpgen.english.words import folded_words

__all__ = ["MinimalPair", "Record", "SentenceSet", "difference"]

Span: TypeAlias = "tuple[tuple[int, int], tuple[int, int]]"


@dataclass(frozen=True)
class MinimalPair:
    """A good and a bad sentence.

    Attributes:
        good, bad: the two sentences.
        uid: the paradigm.
        pair_id: number of the pair in its set, as a string.
        keys: all other keys of the record, in order, as in the BLiMP release.
        explain: gives the metadata (slots, features, rules, trees) when asked.
    """

    good: str
    bad: str
    uid: str
    pair_id: str
    keys: Mapping[str, Any] = field(repr=False)
    explain: Callable[[], dict[str, Any]] | None = field(default=None, repr=False, compare=False)

    @property
    def difference(self) -> list[Span]:
        """The spans of words (start, end) in which good and bad differ."""
        return difference(self.good, self.bad)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """Slots, features, rules, trees and word regions; empty for a pair that was read from a file."""
        if self.explain is not None:
            return self.explain()
        found: dict[str, Any] = self.keys.get("metadata", {})
        return found

    def tree(self, sentence: str = "good") -> Any:
        """The tree of a sentence as an `nltk.Tree`.

        Args:
            sentence: "good" or "bad".
        """
        from nltk import Tree

        return Tree.fromstring(self.metadata["trees"][sentence], brackets="()")

    def to_dict(self, *, metadata: bool = False) -> dict[str, Any]:
        """The record, with the keys, key order and types of the BLiMP release.

        Args:
            metadata: add the key ``metadata``.
        """
        row = {"sentence_good": self.good, "sentence_bad": self.bad, **self.keys, "pairID": self.pair_id}
        if metadata:
            row["metadata"] = self.metadata
        return row

    def _repr_html_(self) -> str:
        good, bad = self.good.split(), self.bad.split()
        for (a, b), (c, d) in self.difference:
            good[a:b] = [f"<b>{html.escape(' '.join(good[a:b]))}</b>"] + [""] * (b - a - 1) if b > a else []
            bad[c:d] = [f"<b>{html.escape(' '.join(bad[c:d]))}</b>"] + [""] * (d - c - 1) if d > c else []
        return f"<p>{' '.join(good)}<br><i>*</i>{' '.join(bad)}</p>"


@dataclass(frozen=True)
class SentenceSet:
    """A set of named sentences with named comparisons.

    Attributes:
        sentences: name to sentence.
        pairs: comparisons: name, the better sentence, the worse one.
        uid: the paradigm.
        item_id: number of the set, as a string.
        condition: the cell, as the paradigm names it.
        field: subfield of linguistics.
        term: linguistics term.
        keys: what enumerated designs have besides: ``numbers`` (slot to Sing or Plur) and ``difference`` (comparison
            to the words that differ, span by span).
        explain: gives the metadata (slots, features, rules, trees, regions) when asked.
    """

    sentences: Mapping[str, str]
    pairs: tuple[tuple[str, str, str], ...]
    uid: str
    item_id: str
    condition: str
    field: str
    term: str
    keys: Mapping[str, Any] = dataclasses.field(default_factory=dict, repr=False)
    explain: Callable[[], dict[str, Any]] | None = dataclasses.field(default=None, repr=False, compare=False)

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """Slots, features, rules, trees and regions; empty for a set that was read from a file without them."""
        return self.explain() if self.explain is not None else {}

    def to_dict(self, *, metadata: bool = False) -> dict[str, Any]:
        """The set record.

        Args:
            metadata: add the key ``metadata``.
        """
        row = {
            "sentences": dict(self.sentences),
            "pairs": [list(p) for p in self.pairs],
            "condition": self.condition,
            **self.keys,
            "field": self.field,
            "linguistics_term": self.term,
            "UID": self.uid,
            "itemID": self.item_id,
        }
        if metadata:
            row["metadata"] = self.metadata
        return row

    def to_pairs(self) -> list[dict[str, Any]]:
        """One record a comparison, with the keys of a pair and ``comparison`` and ``itemID`` added."""
        return [
            {
                "sentence_good": self.sentences[better],
                "sentence_bad": self.sentences[worse],
                "field": self.field,
                "linguistics_term": self.term,
                "UID": self.uid,
                "simple_LM_method": True,
                "one_prefix_method": False,
                "two_prefix_method": False,
                "lexically_identical": False,
                "condition": self.condition,
                **{key: value[name] if key == "difference" else value for key, value in self.keys.items()},
                "comparison": name,
                "itemID": self.item_id,
                "pairID": f"{self.item_id}-{name}",
            }
            for name, better, worse in self.pairs
        ]


Record: TypeAlias = "MinimalPair | SentenceSet"


def difference(good: str, bad: str) -> list[Span]:
    """The spans of words (start, end) in which two sentences differ, case and final mark ignored."""
    a, b = (folded_words(sentence) for sentence in (good, bad))
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    return [((i, j), (k, n)) for tag, i, j, k, n in matcher.get_opcodes() if tag != "equal"]
