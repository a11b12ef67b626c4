"""Sentence templates: tokens that name slots, parts of phrases, punctuation or closed-class words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from blimpgen.base.errors import DataError, Place, nearest, respelt

__all__ = ["Token", "parse_template"]

_TOKEN = re.compile(r"^(?P<name>[A-Za-z]\w*)(?:\.(?P<part>\w+))?(?:\[(?P<feature>\w+)=(?P<value>\w+)\])?$")


@dataclass(frozen=True)
class Token:
    """One token of a template.

    Attributes:
        slot: the slot it names; empty for a literal.
        part: the part of the slot's phrase or the column of its table.
        change: feature and value that are changed in place, as in ``vp[Number=other]``.
        text: the word or mark of a literal.
    """

    slot: str = ""
    part: str = ""
    change: tuple[str, str] | None = None
    text: str = ""

    def __str__(self) -> str:
        change = f"[{self.change[0]}={self.change[1]}]" if self.change else ""
        return self.text or self.slot + (f".{self.part}" if self.part else "") + change


def parse_template(
    text: str,
    slots: Collection[str],
    is_literal: Callable[[str], bool],
    place: Place,
    words: Collection[str] = (),
    *,
    slot_for: Callable[[str], str] = lambda _: "",
) -> tuple[Token, ...]:
    """Split a template into tokens.

    Args:
        text: the template.
        slots: the slot names.
        is_literal: whether a string is a closed-class word or a mark.
        place: where it stands, for errors.
        words: closed-class words; those of several words are written out whole (*a number of*).
        slot_for: the slot that an open-class word may stand in, as a paradigm writes it; empty for what is none.

    Raises:
        DataError: a token that is neither a slot nor punctuation nor a closed-class word.
    """
    items = text.split()
    within = _within_words(items, words)
    return tuple(
        Token(text=item)
        if at in within and item not in slots
        else _token(item, slots, is_literal, place, words, slot_for)
        for at, item in enumerate(items)
    )


def _within_words(items: Sequence[str], words: Collection[str]) -> set[int]:
    """The places of items that are a closed-class word of several words together."""
    spans = itertools.combinations(range(len(items) + 1), 2)
    several = (range(start, end) for start, end in spans if end - start > 1 and " ".join(items[start:end]) in words)
    return set(itertools.chain.from_iterable(several))


def _token(
    item: str,
    slots: Collection[str],
    is_literal: Callable[[str], bool],
    place: Place,
    words: Collection[str],
    slot_for: Callable[[str], str],
) -> Token:
    match = _TOKEN.match(item)
    if match and match["name"] in slots:
        change = (match["feature"], match["value"]) if match["feature"] else None
        return Token(match["name"], match["part"] or "", change)
    if is_literal(item):
        return Token(text=item)
    if "[" in item and not match:
        raise DataError(f"cannot read {item!r}; a change is written slot[Feature=value]", place, "template")
    name = match["name"] if match else item
    what = f"{name!r} is neither a slot nor a closed-class word"
    if len(name) == 1 and not name.isalnum():
        raise DataError(f"{what}; write a mark of punctuation into marks of language.yaml", place, "slot")
    if not respelt(name, slots):
        if slot := slot_for(name):
            raise DataError(f"{what}; write a slot for it: {slot}", place, "slot")
        if meant := respelt(name, words):
            raise DataError(f"{what}; did you mean {meant!r}?", place, "slot")
    raise DataError(f"{what}; {nearest(name, slots)}", place, "slot")
