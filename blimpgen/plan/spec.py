"""What a paradigm file asks of one slot, parsed: the constraints, and the relations to other slots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.lexicon.restrictions import Expression

__all__ = ["DAUGHTERS", "KEYS", "RELATIONS", "SlotSpec", "Values", "mentioned_factors", "read_spec"]

RELATIONS = (
    "subject_of",
    "object_of",
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
_KINDS = ("cat", "like", "same", "words", "table")


@dataclass(frozen=True)
class Values:
    """Admitted values of a feature: ``Masc | Fem``, ``not that``."""

    values: tuple[str, ...]
    negated: bool = False

    def admits(self, value: str) -> bool:
        """Whether a value is admitted."""
        return (value in self.values) != self.negated


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
        restrictions: ``is`` and ``every``.
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
    restrictions: list[Expression] = field(default_factory=list)
    features: dict[str, Values] = field(default_factory=dict)
    ties: dict[str, tuple[str, str]] = field(default_factory=dict)
    relations: dict[str, tuple[str, ...]] = field(default_factory=dict)
    daughters: dict[str, SlotSpec] = field(default_factory=dict)
    every: dict[str, Expression] = field(default_factory=dict)
    keys: dict[str, tuple[str, Place]] = field(default_factory=dict)

    def at(self, key: str) -> Place:
        """Where a key of the slot stands; the slot itself where it has no such key."""
        return self.keys[key][1] if key in self.keys else self.place

    @property
    def signature(self) -> tuple[object, ...]:
        """What decides the candidates: equal signatures have equal domains."""
        daughters = tuple((role, below.signature) for role, below in sorted(self.daughters.items()))
        return (
            self.cat,
            self.frames,
            self.no_frames,
            tuple(self.restrictions),
            tuple(sorted(self.features.items(), key=str)),
            daughters,
            tuple(sorted(self.every.items(), key=str)),
        )


def read_spec(
    name: str,
    data: Any,
    place: Callable[..., Place],
    parse: Callable[[str, Place], Expression],
    factors: Mapping[str, str],
    keys: tuple[str | int, ...],
) -> SlotSpec:
    """Parse the mapping of one slot.

    Args:
        name: the slot.
        data: the mapping.
        place: gives the position of a path of keys.
        parse: parses a restriction.
        factors: the levels of the cell, for ``=factor``.
        keys: path of keys of the mapping.
    """
    spec = SlotSpec(name, place(*keys))
    if not isinstance(data, dict):
        raise DataError(f"slot {name!r} must be a mapping such as {{cat: DP}}", spec.place, "slot")
    kinds = [key for key in _KINDS if key in data]
    if len(kinds) > 1:
        what = f"{kinds[0]!r} and {kinds[1]!r} exclude each other in slot {name!r}"
        raise DataError(what, place(*keys, kinds[1]), "slot")
    for key, value in data.items():
        _read_key(spec, key, value, place, parse, factors, (*keys, key))
    return spec


def mentioned_factors(data: Any) -> tuple[str, ...]:
    """The factors from which the mapping of a slot takes values, as ``=factor``."""
    if isinstance(data, dict):
        return tuple(dict.fromkeys(name for value in data.values() for name in mentioned_factors(value)))
    return (data[1:],) if isinstance(data, str) and data.startswith("=") else ()


def _read_key(
    spec: SlotSpec,
    key: str,
    value: Any,
    place: Callable[..., Place],
    parse: Callable[[str, Place], Expression],
    factors: Mapping[str, str],
    keys: tuple[str | int, ...],
) -> None:
    where = place(*keys)
    spec.keys[key] = (_shown(value), where)
    if key in RELATIONS or (key in ("subject", "object") and not isinstance(value, dict)):
        spec.relations[key] = _names(value, where)
    elif key in DAUGHTERS and isinstance(value, dict):
        role = DAUGHTERS[key]
        spec.daughters[role] = read_spec(f"{spec.name}/{role}", value, place, parse, factors, keys)
    elif key == "every":
        spec.every = {cat: parse(_text(text, where), where) for cat, text in _mapping(value, where).items()}
    elif key in ("words", "table"):
        _read_plain(spec, key, value, where)
    elif key in ("cat", "like", "same", "frame", "no_frame"):
        _read_head(spec, key, _text(value, where))
    elif key == "is":
        spec.restrictions.append(parse(_text(value, where), where))
    elif isinstance(value, dict):
        raise DataError(f"{key!r} is no daughter of a phrase; {nearest(key, DAUGHTERS)}", where, "feature")
    else:
        _read_feature(spec, key, _text(value, where), factors, where)


def _read_head(spec: SlotSpec, key: str, text: str) -> None:
    match key:
        case "cat":
            spec.cat = _alternatives(text)
        case "frame":
            spec.frames = tuple(tuple(f.strip() for f in option.split("&")) for option in _alternatives(text))
        case "no_frame":
            spec.no_frames = tuple(f.strip() for f in text.split("&"))
        case "like":
            spec.like = text
        case _:
            spec.same = text


def _read_plain(spec: SlotSpec, key: str, value: Any, where: Place) -> None:
    if key == "table":
        spec.table = _table(value, where)
    else:
        words = value if isinstance(value, list) else _alternatives(_text(value, where))
        if not words:
            raise DataError("the list of words is empty", where, "words")
        spec.words = tuple(_text(word, where) for word in words)


def _read_feature(spec: SlotSpec, key: str, text: str, factors: Mapping[str, str], where: Place) -> None:
    first, _, rest = text.partition(" ")
    if first in ("same", "other", "near") and rest:
        spec.ties[key] = (first, rest.strip())
    elif text.startswith("="):
        if text[1:] not in factors:
            raise DataError(f"unknown factor {text[1:]!r}; {nearest(text[1:], factors)}", where, "factor")
        spec.features[key] = Values((factors[text[1:]],))
    elif text.startswith("not "):
        spec.features[key] = Values(_alternatives(text[4:]), True)
    else:
        spec.features[key] = Values(_alternatives(text))


def _alternatives(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


def _names(value: Any, where: Place) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise DataError("a relation takes a slot or a list of slots", where, "relation")


def _text(value: Any, where: Place) -> str:
    if not isinstance(value, str) or not value:
        raise DataError(f"a text is expected here, not {_shown(value)!r}", where, "value")
    return value


def _mapping(value: Any, where: Place) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"a mapping is expected here, such as {{V: words=1}}, not {_shown(value)!r}", where, "value")
    return value


def _shown(value: Any) -> str:
    """A value as it may be written in a file."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
    return f"[{', '.join(map(_shown, value))}]" if isinstance(value, list) else str(value or "")


def _table(value: Any, where: Place) -> tuple[Mapping[str, str], ...]:
    rows = tuple(value) if isinstance(value, list) else ()
    if not rows or not all(isinstance(row, dict) for row in rows):
        raise DataError("a table is a list of rows such as {first: one, second: two}", where, "table")
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
