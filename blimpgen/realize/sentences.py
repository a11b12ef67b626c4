"""Sentences: templates laid out over word places, columns joined to strings, prefixes found by length."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.memo import Memo
from blimpgen.english.morphology import POSSESSIVE
from blimpgen.english.words import CLITICS, capitalized
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.strings import EMPTY, StringPool
from blimpgen.paradigm import Token
from blimpgen.realize.emit import Columns, Layout, WordPlace
from blimpgen.realize.joins import join_words

__all__ = ["Emitted", "Sentence", "Template", "lay_out"]

Emitted: TypeAlias = Memo[NDArray[np.int32]]
"""What places emit for some rows, by the place."""
Read: TypeAlias = Memo[list[str]]
"""The strings of places, by their numbers; sentences of the same rows have most of them in common."""


@dataclass(frozen=True)
class Template:
    """A laid-out template.

    Attributes:
        tokens: its tokens.
        places: the word places.
        starts: the first place of each token, and the number of places at the end.
        neighbours: pairs of places for words of an open class with nothing between them in some rows.
    """

    tokens: tuple[Token, ...]
    places: tuple[WordPlace, ...] = field(repr=False)
    starts: tuple[int, ...]
    neighbours: tuple[tuple[int, int], ...] = ()

    def numbers(self, columns: Columns, emitted: Emitted | None = None) -> list[NDArray[np.int32]]:
        """Return the string numbers of each place, shape (rows,), before words that meet are joined.

        Args:
            columns: the assignments.
            emitted: what places emit for these rows; the places of this template are added.
        """
        emitted = Memo() if emitted is None else emitted
        return [emitted.once(partial(place.emit, columns), place) for place in self.places]

    def realise(self, columns: Columns, lexicon: Lexicon, emitted: Emitted | None = None) -> Sentence:
        """Realise the template for some rows, words that meet joined as the language asks (*a* or *an*).

        Args:
            columns: the assignments.
            lexicon: the words.
            emitted: see `numbers`.
        """
        ids = self.numbers(columns, emitted)
        join_words(ids, [k for k, place in enumerate(self.places) if place.joins], lexicon.strings)
        return Sentence(self, ids)


@dataclass(frozen=True)
class Sentence:
    """One template over many rows: string numbers by place."""

    template: Template
    ids: list[NDArray[np.int32]] = field(repr=False)

    def texts(self, lexicon: Lexicon, *, capital: bool = True, read: Read | None = None) -> list[str]:
        """Write the sentences of all rows.

        Args:
            lexicon: the words.
            capital: whether they begin with a capital.
            read: the strings of places of these rows; those of this sentence are added.
        """
        strings, language = lexicon.strings, lexicon.language
        capital = capital and language.capitals == "first"
        read = Memo() if read is None else read
        words = [read.once(partial(_read, strings, column), column) for column in self.ids[1:] if column.any()]
        opened = bool((self.ids[0] != EMPTY).all()) and not language.opening
        first = strings.texts if not opened else strings.capitals if capital else strings.openings
        joined = list(map("".join, zip(first.take(self.ids[0]).tolist(), *words, strict=True)))
        if opened:
            return joined
        texts = [text.removeprefix(" ") for text in joined]
        return [_capital(text, language.opening) for text in texts] if capital else texts

    def part(self, rows: slice, parts: Emitted) -> Sentence:
        """The sentences of successive rows.

        Args:
            rows: these rows.
            parts: what other sentences have in the same rows; that of this one is added.
        """
        return Sentence(self.template, [parts.once(partial(_some, column, rows), column) for column in self.ids])

    def replaced(self, rows: NDArray[np.int64], others: Sentence, changed: Emitted) -> Sentence:
        """These sentences with others in some rows.

        Args:
            rows: the places of these rows, shape (n,).
            others: their sentences, by the same template.
            changed: what other sentences have become in the same rows; that of this one is added.
        """
        pairs = zip(self.ids, others.ids, strict=True)
        return Sentence(self.template, [changed.once(partial(_put, *pair, rows), *pair) for pair in pairs])

    def hashes(self, lexicon: Lexicon) -> NDArray[np.uint64]:
        """Return a 64-bit hash of the words of each row."""
        values, powers = lexicon.strings.values, lexicon.strings.powers
        total = values.take(self.ids[0])
        for column in self.ids[1:]:
            total *= powers.take(column)
            total += values.take(column)
        return np.asarray(total)

    def doubled(self) -> NDArray[np.bool_]:
        """Find the rows in which a word of an open class stands twice in a row, as in *will the tutor tutor her*."""
        doubled = np.zeros(len(self.ids[0]), dtype=bool)
        for first, second in self.template.neighbours:
            same = (self.ids[first] == self.ids[second]) & (self.ids[first] != EMPTY)
            if same.any():
                doubled |= np.logical_and.reduce([same, *(column == EMPTY for column in self.ids[first + 1 : second])])
        return doubled

    def offset(self, token: int, lexicon: Lexicon) -> NDArray[np.int64]:
        """Return where the first word of a token begins in the sentence of each row, in characters.

        Args:
            token: the number of the token.
            lexicon: the words.
        """
        lengths = lexicon.strings.lengths
        before = self.template.starts[token]
        total = np.zeros(len(self.ids[0]), dtype=np.int64)
        for column in self.ids[:before]:
            total += lengths.take(column)
        return total


def _read(strings: StringPool, numbers: NDArray[np.int32]) -> list[str]:
    read: list[str] = strings.texts.take(numbers).tolist()
    return read


def _some(numbers: NDArray[np.int32], rows: slice) -> NDArray[np.int32]:
    return numbers[rows]


def _put(numbers: NDArray[np.int32], others: NDArray[np.int32], rows: NDArray[np.int64]) -> NDArray[np.int32]:
    changed = numbers.copy()
    changed[rows] = others
    return changed


def _capital(text: str, opening: str) -> str:
    """Write the first letter behind opening marks as a capital."""
    bare = text.lstrip(opening) if opening else text
    return text[: len(text) - len(bare)] + capitalized(bare)


def lay_out(tokens: tuple[Token, ...], layout: Layout, where: Place) -> Template:
    """Lay out a template over a plan.

    Args:
        tokens: the template.
        layout: lays out the slots of the plan.
        where: where the template stands.

    Raises:
        DataError: an unknown part of a phrase, or parts of which not all are placed.
    """
    places: list[WordPlace] = []
    starts = []
    placed: dict[str, set[str]] = {}
    for before, token in zip((None, *tokens), tokens, strict=False):
        starts.append(len(places))
        if token.text == POSSESSIVE and before is not None and before.slot and not before.part:
            places.append(layout.possessive(before.slot, before.change))
        else:
            places += _token(token, layout, where, placed)
    _check_parts(placed, layout, where)
    return Template(tokens, tuple(places), (*starts, len(places)), tuple(_neighbours(tokens, places, starts)))


def _neighbours(
    tokens: Sequence[Token], places: Sequence[WordPlace], starts: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Pairs of places for words of an open class; between them are only places that some rows leave empty.

    A slot that a template places twice in a row is meant to be there twice.
    """
    written = {start for token, start in zip(tokens, starts, strict=True) if token.text}
    heads = {f"{token.slot}/head" for token in tokens if token.slot}
    earlier: list[int] = []
    for k, place in enumerate(places):
        is_open = place.label.endswith("/head") and not place.joins
        if is_open:
            yield from ((first, k) for first in earlier if places[first].label != place.label)
        if k in written or place.label in heads:
            earlier = []
        if is_open:
            earlier.append(k)


def _token(token: Token, layout: Layout, where: Place, placed: dict[str, set[str]]) -> list[WordPlace]:
    if token.text:
        marks = layout.lexicon.language.marks
        return [layout.literal(token.text, glued=token.text in CLITICS or token.text in marks)]
    if layout.plan.specs[token.slot].table:
        columns = layout.plan.specs[token.slot].table[0]
        if token.part not in columns:
            raise DataError(
                f"the table {token.slot!r} has no column {token.part!r}; {nearest(token.part, columns)}",
                where,
                "template",
            )
        return [layout.table(token.slot, token.part)]
    places = layout.slot(token.slot, token.change)
    if not token.part:
        return places
    parts = {
        "aux": [p for p in places if p.label == f"{token.slot}/aux"],
        "rest": [p for p in places if p.label != f"{token.slot}/aux"],
    }
    if token.part not in parts or not parts["aux"]:
        raise DataError(f"{token.slot!r} has no part {token.part!r}; {nearest(token.part, parts)}", where, "template")
    placed.setdefault(token.slot, set()).add(token.part)
    return parts[token.part]


def _check_parts(placed: dict[str, set[str]], layout: Layout, where: Place) -> None:
    for slot, parts in placed.items():
        if missing := {"aux", "rest"} - parts:
            raise DataError(
                f"the part {slot}.{min(missing)} is not placed; all parts of a phrase must be", where, "template"
            )
