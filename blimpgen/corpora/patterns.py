"""Patterns over parsed sentences: words with what they are like, and how they stand to each other.

A pattern names some words, says of each what its columns hold, and relates them: ``modifier depends on subject``,
``subject before modifier``. It fits a sentence if the sentence has words for all names at once. The matcher works on a
whole block of sentences: each relation is a table of pairs of words, and a pattern is the natural join of its tables.
So nothing is decided sentence by sentence, and fifteen patterns cost less than reading the file does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.corpora.conllu import COLUMNS, UPOS, Sentences

__all__ = ["KEYS", "RELATIONS", "Pattern", "PatternMatcher", "Relation", "WordTest", "parse_relation", "parse_test"]

Mask: TypeAlias = NDArray[np.bool_]
Words: TypeAlias = NDArray[np.int64]
Pairs: TypeAlias = tuple[Words, Words]
Rows: TypeAlias = dict[str, Words]
Lists: TypeAlias = Mapping[str, frozenset[str]]

KEYS = ("form", "form.lower", "lemma", "lemma.lower", "upos", "deprel")
"""What may be asked of a word besides features, which are written as in UD: ``Degree: Sup``."""

RELATIONS = (
    "depends on",
    "below",
    "within",
    "sister of",
    "right before",
    "right after",
    "before",
    "after",
    "not before",
    "not after",
)
"""How one word may stand to another; *within* is the word itself or any word below it."""

_SWAPPED = {"right after": "right before", "after": "before"}
_ORDER: dict[str, Callable[[Words, Words], Mask]] = {
    "before": np.less,
    "not before": np.greater_equal,
    "not after": np.less_equal,
}
_RELATION = re.compile(rf"(\w+) +({'|'.join(RELATIONS)}) +(\w+)")
_FEATURE = re.compile(r"[A-Z][A-Za-z0-9]*(\[[a-z0-9]+\])?")


@dataclass(frozen=True)
class WordTest:
    """What a word must be like in one respect.

    Attributes:
        keys: the keys of which one must hold such a value, or one feature.
        values: values as they are, or with ``*`` at either end for any beginning or end.
        negated: whether the word must have none of the values.
        listed: the word list whose entries are values, if any.
    """

    keys: tuple[str, ...]
    values: tuple[str, ...]
    negated: bool = False
    listed: str = ""


@dataclass(frozen=True)
class Relation:
    """A relation between two named words: ``first`` stands so to ``second``."""

    first: str
    kind: str
    second: str


@dataclass(frozen=True)
class Pattern:
    """Named words, their relations, and what must not stand beside them.

    Attributes:
        words: name to tests, all of which must hold.
        relations: the relations, all of which must hold.
        without: patterns that may name words of this one, none of which may fit.
    """

    words: Mapping[str, tuple[WordTest, ...]]
    relations: tuple[Relation, ...]
    without: tuple[Pattern, ...] = ()


def parse_test(key: str, value: str, lists: Iterable[str], place: Place) -> WordTest:
    """Parse what a pattern says of a word: ``deprel: nsubj*``, ``upos: not NOUN/PROPN``, ``form.lower: @nouns``.

    Args:
        key: one key, several joined by ``/`` of which any may hold the value, or a feature.
        value: values joined by ``/``, after ``not`` if none of them may be, or ``@`` and the name of a word list.
        lists: the word lists that there are.
        place: where it stands.

    Raises:
        DataError: an unknown key, list or part of speech, an empty value.
    """
    keys = tuple(key.split("/"))
    for name in keys:
        if name not in KEYS and not _FEATURE.fullmatch(name):
            raise DataError(f"unknown key {name!r} of a word; {nearest(name, (*KEYS, 'Degree'))}", place, "key")
    text = value.removeprefix("not ").strip()
    negated = text != value.strip()
    if text.startswith("@"):
        if text[1:] not in lists:
            raise DataError(f"no word list {text[1:]!r}; {nearest(text[1:], lists)}", place, "words")
        return WordTest(keys, (), negated, text[1:])
    values = tuple(part.strip() for part in text.split("/"))
    if not all(part.strip("*") for part in values):
        raise DataError(f"{key}: an empty value in {value!r}", place, "value")
    for tag in values if keys == ("upos",) else ():
        if "*" not in tag and tag not in UPOS:
            raise DataError(f"upos: unknown tag {tag!r}; {nearest(tag, UPOS)}", place, "value")
    return WordTest(keys, values, negated)


def parse_relation(text: str, words: Iterable[str], place: Place) -> Relation:
    """Parse a relation: ``modifier depends on subject``.

    Args:
        text: two words and how the first stands to the second.
        words: the words that there are.
        place: where it stands.

    Raises:
        DataError: it cannot be read, or names a word that does not exist.
    """
    match = _RELATION.fullmatch(" ".join(text.split()))
    if not match:
        what = f"{text!r} is no relation; write WORD {'|'.join(RELATIONS)} WORD"
        raise DataError(what, place, "relation")
    names = tuple(words)
    for name in (match[1], match[3]):
        if name not in names:
            raise DataError(f"{text!r}: no word {name!r}; {nearest(name, names)}", place, "relation")
    if match[1] == match[3]:
        raise DataError(f"{text!r} relates a word to itself", place, "relation")
    if match[2] in _SWAPPED:
        return Relation(match[3], _SWAPPED[match[2]], match[1])
    return Relation(match[1], match[2], match[3])


class PatternMatcher:
    """Finds the sentences of one block that patterns fit.

    Args:
        sentences: the block.
        lists: name of a word list to its entries; entries of several words stand for their first word.
    """

    def __init__(self, sentences: Sentences, lists: Lists) -> None:
        self.sentences, self.lists = sentences, lists
        self._masks: dict[WordTest, Mask] = {}

    def fits(self, patterns: Sequence[Pattern]) -> Mask:
        """Tell for each sentence whether any of the patterns fits it."""
        result = np.zeros(len(self.sentences), dtype=bool)
        for pattern in patterns:
            rows = self._rows(pattern)
            result[self.sentences.of[next(iter(rows.values()))]] = True
        return result

    def _rows(self, pattern: Pattern) -> Rows:
        """All ways in which the words of a pattern can be found, one entry a way."""
        name = min(pattern.words, key=lambda word: int(self._mask(pattern.words[word]).sum()))
        rows = {name: np.flatnonzero(self._mask(pattern.words[name]))}
        rows = self._join(rows, pattern)
        for absent in pattern.without:
            rows = self._remove(rows, absent)
        return rows

    def _remove(self, rows: Rows, absent: Pattern) -> Rows:
        """The rows that a pattern about their words does not fit."""
        count = len(next(iter(rows.values())))
        numbered = self._join({**rows, "": np.arange(count)}, absent)
        stay = np.ones(count, dtype=bool)
        stay[numbered[""]] = False
        return {name: column[stay] for name, column in rows.items()}

    def _join(self, rows: Rows, pattern: Pattern) -> Rows:
        """Extend rows by the words of a pattern, each as soon as it is related to one that they have."""
        pending = list(pattern.relations)
        while pending:
            relation = min(pending, key=lambda each: self._cost(each, rows))
            pending.remove(relation)
            rows = self._apply(relation, rows, pattern)
        return rows

    def _cost(self, relation: Relation, rows: Rows) -> tuple[int, bool]:
        """Relations between words that are there come first, those of order that would add a word last."""
        present = (relation.first in rows) + (relation.second in rows)
        return 2 - present, relation.kind in _ORDER

    def _apply(self, relation: Relation, rows: Rows, pattern: Pattern) -> Rows:
        first, second = relation.first, relation.second
        if first in rows and second in rows:
            holds = self._holds(relation.kind, rows[first], rows[second])
            return {name: column[holds] for name, column in rows.items()}
        masks = [
            self._mask(pattern.words[name]) if name in pattern.words else self._only(rows[name])
            for name in (first, second)
        ]
        pairs = self._pairs(relation.kind, *masks)
        if first in rows:
            return _extend(rows, first, second, pairs)
        return _extend(rows, second, first, pairs[::-1])

    def _only(self, words: Words) -> Mask:
        mask = np.zeros(len(self.sentences.of), dtype=bool)
        mask[words] = True
        return mask

    def _holds(self, kind: str, first: Words, second: Words) -> Mask:
        """Whether a relation holds between two columns of words, row by row."""
        heads, same = self.sentences.heads, self.sentences.of[first] == self.sentences.of[second]
        if kind in _ORDER:
            return np.asarray(same & _ORDER[kind](first, second))
        if kind == "right before":
            return np.asarray(same & (first + 1 == second))
        if kind == "depends on":
            return np.asarray(heads[first] == second)
        if kind == "sister of":
            return np.asarray((heads[first] >= 0) & (heads[first] == heads[second]) & (first != second))
        holds = (first == second) if kind == "within" else np.zeros(len(first), dtype=bool)
        above = heads[first]
        for _ in range(self._deepest):
            holds |= (above == second) & (above >= 0)
            above = np.where(above >= 0, heads[above], -1)
        return holds

    @cached_property
    def _deepest(self) -> int:
        """The length of the longest way from a word to its root; bounded where heads go round in a circle."""
        heads, longest = self.sentences.heads, int(self.sentences.lengths.max(initial=0))
        above, depth = np.unique(heads), 0
        while len(above := above[above >= 0]) and depth < longest:
            above, depth = np.unique(heads[above]), depth + 1
        return depth

    def _pairs(self, kind: str, first: Mask, second: Mask) -> Pairs:
        """All pairs of words of one sentence that stand so to each other."""
        heads = self.sentences.heads
        words = np.flatnonzero(first)
        if kind == "depends on":
            words = words[heads[words] >= 0]
            words = words[second[heads[words]]]
            return words, heads[words]
        if kind == "right before":
            words = words[words + 1 < len(first)]
            words = words[second[words + 1] & (self.sentences.of[words] == self.sentences.of[words + 1])]
            return words, words + 1
        if kind in ("below", "within"):
            return self._ancestors(words, second, with_itself=kind == "within")
        others = np.flatnonzero(second)
        keys = heads if kind == "sister of" else self.sentences.of
        words, others = words[keys[words] >= 0], others[keys[others] >= 0]
        at, picked = _matches(keys[words], keys[others])
        words, others = words[at], others[picked]
        fits = words != others if kind == "sister of" else _ORDER[kind](words, others)
        return words[fits], others[fits]

    def _ancestors(self, words: Words, second: Mask, *, with_itself: bool) -> Pairs:
        """Pair words with those above them, and with themselves if asked."""
        heads = self.sentences.heads
        equal = [words[second[words]]] if with_itself else []
        lower, upper = [*equal], [*equal]
        above = heads[words]
        for _ in range(self._deepest):
            words, above = words[above >= 0], above[above >= 0]
            if not len(words):
                break
            fits = second[above]
            lower.append(words[fits])
            upper.append(above[fits])
            above = heads[above]
        none = np.zeros(0, dtype=np.int64)
        return np.concatenate([none, *lower]), np.concatenate([none, *upper])

    def _mask(self, tests: Sequence[WordTest]) -> Mask:
        """Which words pass all tests."""
        result = np.ones(len(self.sentences.of), dtype=bool)
        for test in tests:
            if test not in self._masks:
                self._masks[test] = self._tested(test)
            result &= self._masks[test]
        return result

    def _tested(self, test: WordTest) -> Mask:
        result = np.zeros(len(self.sentences.of), dtype=bool)
        for key in test.keys:
            result |= self._has(key, test)
        return ~result if test.negated else result

    def _has(self, key: str, test: WordTest) -> Mask:
        """Which words have one of the values of a test under a key."""
        name, _, change = key.partition(".")
        column = self.sentences.columns[name if name in COLUMNS else "feats"]
        if name not in COLUMNS:
            pairs = {f"{key}={value}" for value in test.values}
            return self._of([bool(pairs.intersection(cell.split("|"))) for cell in column.values], column.codes)
        texts = [cell.lower() for cell in column.values] if change else list(column.values)
        if name == "lemma":
            texts = ["" if text == "_" else text for text in texts]
        if test.listed:
            return self._in_list(texts, column.codes, self.lists[test.listed])
        fits = _value_test(test.values)
        return self._of([bool(text) and fits(text) for text in texts], column.codes)

    def _in_list(self, texts: Sequence[str], codes: NDArray[np.int32], entries: frozenset[str]) -> Mask:
        result = self._of([text in entries for text in texts], codes)
        numbers = {text: k for k, text in enumerate(texts)}
        for entry in entries:
            parts = entry.split()
            if len(parts) > 1 and all(part in numbers for part in parts):
                result |= self._sequence(parts, texts, codes)
        return result

    def _sequence(self, parts: Sequence[str], texts: Sequence[str], codes: NDArray[np.int32]) -> Mask:
        """Words from which on the parts stand one after the other."""
        count, of = len(codes), self.sentences.of
        result = np.zeros(count, dtype=bool)
        last = count - len(parts) + 1
        if last > 0:
            at = of[:last] == of[len(parts) - 1 :]
            for k, part in enumerate(parts):
                at &= self._of([text == part for text in texts], codes)[k : k + last]
            result[:last] = at
        return result

    @staticmethod
    def _of(values: Sequence[bool], codes: NDArray[np.int32]) -> Mask:
        return np.array([*values, False], dtype=bool)[codes]


def _value_test(values: Sequence[str]) -> Callable[[str], bool]:
    """What tells whether a text is one of the values, of which some may begin or end anyhow."""
    exact = {value for value in values if "*" not in value}
    parts = [
        f"{'.*' if value.startswith('*') else ''}{re.escape(value.strip('*'))}{'.*' if value.endswith('*') else ''}"
        for value in values
        if "*" in value
    ]
    pattern = re.compile("|".join(parts) if parts else r"(?!)", re.DOTALL)
    return lambda text: text in exact or pattern.fullmatch(text) is not None


def _matches(left: NDArray[np.integer], right: NDArray[np.integer]) -> Pairs:
    """The places of equal keys: for each pair of equal entries the place in the left and in the right column."""
    order = np.argsort(right, kind="stable")
    ordered = right[order]
    low, high = np.searchsorted(ordered, left, "left"), np.searchsorted(ordered, left, "right")
    counts = high - low
    at = np.repeat(np.arange(len(left)), counts)
    within = np.arange(len(at)) - np.repeat(np.cumsum(counts) - counts, counts)
    return at, order[np.repeat(low, counts) + within]


def _extend(rows: Rows, present: str, added: str, pairs: Pairs) -> Rows:
    """Rows with one more word, which stands in a pair with one that they have."""
    at, picked = _matches(rows[present], pairs[0])
    return {**{name: column[at] for name, column in rows.items()}, added: pairs[1][picked]}
