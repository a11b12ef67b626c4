"""What a paradigm file asks of one slot, parsed: the constraints, and the relations to other slots."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from blimpgen.base.errors import DataError, Place, nearest, respelt
from blimpgen.lexicon.restrictions import Expression
from blimpgen.plan.sizes import LISTED_WORDS, check_size

__all__ = [
    "DAUGHTERS",
    "KEYS",
    "RELATIONS",
    "WORDS",
    "Restriction",
    "SlotSpec",
    "SpecReader",
    "Values",
    "mentioned_factors",
]

RELATIONS = (
    "subject_of",
    "object_of",
    "goal_of",
    "second_object_of",
    "modifies",
    "antecedent",
    "agrees_with",
    "selects",
    "asks_about",
    "bad_subject_of",
    "bad_object_of",
)
DAUGHTERS = {
    "D": "determiner",
    "aux": "aux",
    "object": "object",
    "subject": "subject",
    "determiner": "determiner",
    "possessor": "possessor",
    "complement": "complement",
    "A": "adjunct",
}
"""Key of a slot to the role of the daughter that it describes."""
KEYS = ("cat", "is", "frame", "no_frame", "like", "same", "every", "words", "table", *RELATIONS, *DAUGHTERS)
"""Every key of a slot that is no feature."""
WORDS = ("lemma", "form")
"""The features whose values are words, of which *any* is one; of other features it stands for every value."""
_OF_TABLES = {"frames": "frame", "no_frames": "no_frame"}
_KINDS = ("cat", "like", "same", "words", "table")


@dataclass(frozen=True)
class Values:
    """Admitted values of a feature: ``Masc | Fem``, ``not that``."""

    values: tuple[str, ...]
    negated: bool = False

    def admits(self, value: str) -> bool:
        """Whether a value is admitted."""
        return (value in self.values) != self.negated


class Restriction(NamedTuple):
    """What ``is`` asks of a word, and where that stands."""

    expression: Expression
    place: Place


@dataclass
class SlotSpec:
    """Constraints on one slot or daughter.

    Attributes:
        name: slot name, or path of a daughter.
        place: where it stands.
        cat: category names, with their rule labels (``DP.name | DP.det``).
        like, same: the slot it is a twin of, or the same lexeme as.
        words, table: a slot without grammar.
        frames: alternatives, each a conjunction of frames.
        no_frames: frames asserted impossible.
        restrictions: what ``is`` asks, in the slot and in levels.
        features: feature or column to values.
        ties: feature to ("same", "other" or "near", slot).
        relations: relation to the slots it names.
        daughters: daughter role to its own constraints.
        every: category to what all of it below must satisfy.
        keys: key of the mapping to its text and where it stands.
    """

    name: str
    place: Place
    cat: tuple[str, ...] = ()
    like: str = ""
    same: str = ""
    words: tuple[str, ...] = ()
    table: tuple[Mapping[str, str], ...] = ()
    frames: tuple[tuple[str, ...], ...] = ()
    no_frames: tuple[str, ...] = ()
    restrictions: tuple[Restriction, ...] = ()
    features: dict[str, Values] = field(default_factory=dict)
    ties: dict[str, tuple[str, str]] = field(default_factory=dict)
    relations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    daughters: dict[str, SlotSpec] = field(default_factory=dict)
    every: dict[str, Expression] = field(default_factory=dict)
    keys: dict[str, tuple[str, Place]] = field(default_factory=dict)

    def at(self, key: str) -> Place:
        """Where a key of the slot stands; the slot itself where it has no such key."""
        return self.keys[key][1] if key in self.keys else self.place

    def named_slots(self) -> Iterator[str]:
        """The other slots that it names, in what is said of its daughters too."""
        yield from filter(None, (self.like, self.same))
        for target in (*itertools.chain(*self.relations.values()), *(slot for _, slot in self.ties.values())):
            yield target.partition(".")[0]
        for below in self.daughters.values():
            yield from below.named_slots()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """What ``is`` asks of a word."""
        return tuple(restriction.expression for restriction in self.restrictions)

    @property
    def signature(self) -> tuple[object, ...]:
        """What decides the candidates: equal signatures have equal domains."""
        daughters = tuple((role, below.signature) for role, below in sorted(self.daughters.items()))
        return (
            self.cat,
            self.frames,
            self.no_frames,
            self.expressions,
            tuple(sorted(self.features.items(), key=str)),
            daughters,
            tuple(sorted(self.every.items(), key=str)),
        )


@dataclass(frozen=True)
class SpecReader:
    """Reads the slots of one cell.

    Attributes:
        places: gives the positions of a path of keys, the one that holds last.
        parse: parses a restriction.
        levels: factor to its level in the cell, for ``=factor``.
    """

    places: Callable[..., Sequence[Place]]
    parse: Callable[[str, Place], Expression]
    levels: Mapping[str, str]

    def place(self, *keys: str | int) -> Place:
        """The position of a path of keys."""
        return self.places(*keys)[-1]

    def read(self, name: str, data: Any, keys: tuple[str | int, ...]) -> SlotSpec:
        """Read the mapping of one slot or daughter.

        Args:
            name: the slot, or the path of the daughter.
            data: the mapping.
            keys: path of keys of the mapping.

        Raises:
            DataError: a key that the slot cannot have, or a value that is none for its key.
        """
        spec = SlotSpec(name, self.place(*keys))
        if not isinstance(data, dict):
            raise DataError(f"slot {name!r} must be a mapping such as {{cat: DP}}", spec.place, "slot")
        kinds = [key for key in _KINDS if key in data]
        if len(kinds) > 1:
            what = f"{kinds[0]!r} and {kinds[1]!r} exclude each other in slot {name!r}"
            raise DataError(what, self.place(*keys, kinds[1]), "slot")
        for key, value in data.items():
            spec.keys[key] = (_shown(value), self.place(*keys, key))
            self._read_key(spec, key, value, (*keys, key))
        _check_effect(spec, kinds)
        return spec

    def _read_key(self, spec: SlotSpec, key: str, value: Any, keys: tuple[str | int, ...]) -> None:
        where = spec.at(key)
        if key in RELATIONS or (key in ("subject", "object") and not isinstance(value, dict)):
            spec.relations[key] = _names(value, where)
        elif key in DAUGHTERS and isinstance(value, dict):
            role = DAUGHTERS[key]
            if role in spec.daughters:
                raise DataError(f"the {role} of {spec.name!r} is described twice; write one of the two", where, "key")
            spec.daughters[role] = self.read(f"{spec.name}/{role}", value, keys)
        elif key == "is":
            texts = value if isinstance(value, tuple) else (value,)
            each = zip(texts, self.places(*keys)[-len(texts) :], strict=True)
            spec.restrictions = tuple(Restriction(self.parse(_text(text, at), at), at) for text, at in each)
        elif key == "every":
            spec.every = {cat: self.parse(_text(text, where), where) for cat, text in _mapping(value, where).items()}
        elif key == "table":
            spec.table = _table(value, where)
        elif key == "words":
            spec.words = _words(value, where)
        else:
            self._read_value(spec, key, value)

    def _read_value(self, spec: SlotSpec, key: str, value: Any) -> None:
        where = spec.at(key)
        if key in _OF_TABLES:
            what = f"{key!r} is a column of the lexicon; a slot says {_OF_TABLES[key]}: {_shown(value)}"
            raise DataError(what, where, "key")
        if isinstance(value, dict):
            raise DataError(f"{key!r} is no daughter of a phrase; {nearest(key, DAUGHTERS)}", where, "feature")
        text = _text(value, where)
        match key:
            case "cat":
                spec.cat = _alternatives(text)
            case "frame":
                spec.frames = tuple(tuple(f.strip() for f in option.split("&")) for option in _alternatives(text))
            case "no_frame":
                spec.no_frames = tuple(f.strip() for f in text.split("&"))
            case "like":
                spec.like = text
            case "same":
                spec.same = text
            case _:
                self._read_feature(spec, key, text)

    def _read_feature(self, spec: SlotSpec, key: str, text: str) -> None:
        first, _, rest = text.partition(" ")
        if first in ("same", "other", "near") and rest:
            spec.ties[key] = (first, rest.strip())
        elif text.startswith("="):
            if text[1:] not in self.levels:
                what = f"unknown factor {text[1:]!r}; {nearest(text[1:], self.levels)}"
                raise DataError(what, spec.at(key), "factor")
            spec.features[key] = Values((self.levels[text[1:]],))
        elif text.startswith("not "):
            spec.features[key] = Values(_alternatives(text[4:]), True)
        else:
            spec.features[key] = Values(_alternatives(text))


def _check_effect(spec: SlotSpec, kinds: list[str]) -> None:
    """Refuse keys that say nothing of a slot of its kind.

    Raises:
        DataError: the first of them.
    """
    kind = kinds[0] if kinds else ""
    if kind not in _HEARD:
        return
    for key in spec.keys:
        feature = kind == "words" and (key in spec.ties or (key[0].isupper() and key in spec.features))
        if key != kind and key not in _HEARD[kind] and not feature:
            meant = respelt(key, _HEARD[kind])
            cure = f"did you mean {meant!r}?" if meant else "take it out"
            what = f"{key!r} says nothing of slot {spec.name!r}: {_WHOLE[kind]}; {cure}"
            raise DataError(what, spec.at(key), "key")


_ARGUMENTS = ("subject_of", "object_of", "subject", "object", "bad_subject_of", "bad_object_of")
_HEARD: Mapping[str, tuple[str, ...]] = {
    "same": ("agrees_with", *_ARGUMENTS),
    "table": (),
    "words": ("is", "agrees_with", "subject_of", "object_of"),
}
"""Kind of a slot to the keys that have an effect beside it; any key may stand beside the others."""
_WHOLE = {
    "same": "its word is that of another slot, where constraints on it belong (for the same word in another tense or "
    "frame, write cat: and lemma: same SLOT)",
    "table": "its words are those of the rows of its table",
    "words": "its words are those that are listed, and no phrase",
}


def mentioned_factors(data: Any) -> tuple[str, ...]:
    """The factors from which the mapping of a slot takes values, as ``=factor``."""
    if isinstance(data, dict):
        return tuple(dict.fromkeys(name for value in data.values() for name in mentioned_factors(value)))
    return (data[1:],) if isinstance(data, str) and data.startswith("=") else ()


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


def _names(value: Any, where: Place) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise DataError("a relation takes a slot or a list of slots", where, "relation")


def _text(value: Any, where: Place) -> str:
    if not isinstance(value, str) or not value:
        several = isinstance(value, list) and all(isinstance(item, str) for item in value)
        hint = f"; write it without brackets, with | for or: {' | '.join(value)}" if several else ""
        raise DataError(f"a text is expected here, not {_shown(value)!r}{hint}", where, "value")
    return value


def _mapping(value: Any, where: Place) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise DataError(f"a mapping is expected here, such as {{V: words=1}}, not {_shown(value)!r}", where, "value")
    return value


def _shown(value: Any) -> str:
    """A value as it may be written in a file."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
    if isinstance(value, tuple):
        return " & ".join(f"({text})" if "|" in text else text for text in map(_shown, value))
    return f"[{', '.join(map(_shown, value))}]" if isinstance(value, list) else str(value or "")


def _words(value: Any, where: Place) -> tuple[str, ...]:
    words = value if isinstance(value, list) else _alternatives(_text(value, where))
    if not words:
        raise DataError("the list of words is empty", where, "words")
    check_size("words in a slot", len(words), LISTED_WORDS, where)
    return tuple(_text(word, where) for word in words)


def _table(value: Any, where: Place) -> tuple[Mapping[str, str], ...]:
    rows = tuple(value) if isinstance(value, list) else ()
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise DataError("a table is a list of rows such as {first: one, second: two}", where, "table")
    check_size("rows in a table", len(rows), LISTED_WORDS, where)
    for number, row in enumerate(rows, start=1):
        if row.keys() != rows[0].keys():
            raise DataError(
                f"row {number} of the table has the columns {', '.join(row) or 'none'}; "
                f"the first row has {', '.join(rows[0])}",
                where,
                "table",
            )
        for cell in row.values():
            _text(cell, where)
    return rows
