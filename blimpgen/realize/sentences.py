"""Sentences: templates laid out over word places, columns joined to strings, prefixes found by length."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, nearest
from blimpgen.base.errors import Place as Where
from blimpgen.base.memo import Memo
from blimpgen.english.words import ARTICLE, ARTICLE_BEFORE_VOWEL, capitalized, is_glued
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.strings import EMPTY
from blimpgen.paradigm import Token
from blimpgen.realize.emit import Columns, Layout, Place

__all__ = ["Emitted", "Sentence", "Template", "lay_out"]

Emitted: TypeAlias = Memo[NDArray[np.int32]]
"""What places emit for some rows, by the place."""


@dataclass(frozen=True)
class Template:
    """A laid-out template.

    Attributes:
        tokens: its tokens.
        places: the word places.
        starts: the first place of each token, and the number of places at the end.
    """

    tokens: tuple[Token, ...]
    places: tuple[Place, ...] = field(repr=False)
    starts: tuple[int, ...]

    def numbers(self, columns: Columns, known: Emitted | None = None) -> list[NDArray[np.int32]]:
        """String numbers by place, before a and an are told apart.

        Args:
            columns: the rows.
            known: what places emit for these rows; what is not yet known is added.
        """
        known = Memo() if known is None else known
        return [known.once(partial(place.emit, columns), place) for place in self.places]

    def realise(self, columns: Columns, lexicon: Lexicon, known: Emitted | None = None) -> Sentence:
        """String numbers by place, with a or an by the sound of what follows; see `numbers`."""
        ids = self.numbers(columns, known)
        _settle_articles(ids, [k for k, place in enumerate(self.places) if place.article], lexicon)
        return Sentence(self, ids)


@dataclass(frozen=True)
class Sentence:
    """One template over many rows: string numbers by place."""

    template: Template
    ids: list[NDArray[np.int32]] = field(repr=False)

    def texts(self, lexicon: Lexicon, *, capital: bool = True) -> list[str]:
        """The sentences, with a capital first letter unless plain text is wanted."""
        strings = lexicon.strings
        words = [strings.texts[column].tolist() for column in self.ids[1:]]
        opened = bool((self.ids[0] != EMPTY).all())
        first = strings.texts if not opened else strings.capitals if capital else strings.openings
        joined = list(map("".join, zip(first[self.ids[0]].tolist(), *words, strict=True)))
        if opened:
            return joined
        return [capitalized(s[1:]) for s in joined] if capital else [s[1:] for s in joined]

    def hashes(self, lexicon: Lexicon) -> NDArray[np.uint64]:
        """A 64-bit hash of each sentence's word sequence."""
        values, powers = lexicon.strings.values, lexicon.strings.powers
        total = values[self.ids[0]].copy()
        for column in self.ids[1:]:
            total *= powers[column]
            total += values[column]
        return np.asarray(total)

    def offset(self, token: int, lexicon: Lexicon) -> NDArray[np.int64]:
        """Where the first word of a token begins in the finished sentence, in characters."""
        lengths = lexicon.strings.lengths
        before = self.template.starts[token]
        total = np.zeros(len(self.ids[0]), dtype=np.int64)
        for column in self.ids[:before]:
            total += lengths[column]
        return total


def lay_out(tokens: tuple[Token, ...], layout: Layout, where: Where) -> Template:
    """Lay out a template over a plan.

    Raises:
        DataError: an unknown part of a phrase, or parts of which not all are placed.
    """
    places: list[Place] = []
    starts = []
    placed: dict[str, set[str]] = {}
    for token in tokens:
        starts.append(len(places))
        places += _token(token, layout, where, placed)
    _check_parts(placed, layout, where)
    return Template(tokens, tuple(places), (*starts, len(places)))


def _token(token: Token, layout: Layout, where: Where, placed: dict[str, set[str]]) -> list[Place]:
    if token.text:
        return [layout.literal(token.text, glued=is_glued(token.text))]
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


def _check_parts(placed: dict[str, set[str]], layout: Layout, where: Where) -> None:
    for slot, parts in placed.items():
        if missing := {"aux", "rest"} - parts:
            raise DataError(
                f"the part {slot}.{min(missing)} is not placed; all parts of a phrase must be", where, "template"
            )


def _settle_articles(ids: list[NDArray[np.int32]], places: list[int], lexicon: Lexicon) -> None:
    """Turn *a* into *an* where the next word that is there begins with a vowel sound."""
    strings = lexicon.strings
    article = strings.add(ARTICLE)
    vowel = strings.add(ARTICLE_BEFORE_VOWEL)
    for k in places:
        waiting = ids[k] == article
        if not waiting.any():
            continue
        column = ids[k] = ids[k].copy()
        for following in ids[k + 1 :]:
            onset = strings.onsets[following]
            column[waiting & (onset == 1)] = vowel
            waiting = waiting & (onset == 2)
            if not waiting.any():
                break
