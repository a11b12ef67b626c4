"""Cells: the crossing of the factors in `vary` and of the features in `balance`.

Each cell is the paradigm with its levels filled in: constraints added to slots, sentences replaced, ``=factor``
given its value. Row i of a set belongs to cell i mod C.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.paradigm import Paradigm

__all__ = ["Cell", "cell_places", "cells", "dealt_slots", "sentence_place"]


@dataclass(frozen=True)
class Cell:
    """One cell.

    Attributes:
        levels: factor to level, features in `balance` under their dotted path.
        slots: the constraints of each slot in this cell.
        sentences: the templates in this cell.
    """

    levels: Mapping[str, str]
    slots: Mapping[str, dict[str, Any]]
    sentences: Mapping[str, str]

    @property
    def name(self) -> str:
        """The levels, for messages."""
        return ", ".join(f"{k}={v}" for k, v in self.levels.items())


def dealt_slots(paradigm: Paradigm) -> tuple[str, ...]:
    """The slots in `balance`: their candidates are dealt out, not drawn."""
    return tuple(name for name in paradigm.model.balance if name in paradigm.model.slots)


def cells(paradigm: Paradigm, features: Mapping[str, tuple[str, ...]]) -> Iterator[Cell]:
    """All cells, the first factor outermost; a slot that several cells ask for alike is one mapping.

    Args:
        paradigm: the paradigm.
        features: the values of every balanced feature, by its dotted path.
    """
    model = paradigm.model
    factors = {name: list(levels) for name, levels in model.vary.items()}
    for name, found in factors.items():
        if not found:
            raise DataError(f"the factor {name!r} has no levels", paradigm.place("vary", name), "factor")
    axes = {**factors, **{name: list(values) for name, values in features.items()}}
    changed = _Changed()
    for combination in itertools.product(*axes.values()):
        levels = dict(zip(axes, combination, strict=True))
        slots = dict(model.slots)
        sentences = dict(paradigm.sentences)
        for factor, level in levels.items():
            if factor in factors:
                _apply(paradigm, factor, level, slots, sentences, changed)
            else:
                _balance(factor, level, slots, changed)
        yield Cell(levels, slots, sentences)


class _Changed:
    """Mappings of slots with the changes that levels make to them, each made once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str, str], tuple[dict[str, Any], dict[str, Any]]] = {}

    def of(self, slot: dict[str, Any], factor: str, level: str, change: Mapping[str, Any]) -> dict[str, Any]:
        """The mapping of a slot with what a level changes in it."""
        key = (id(slot), factor, level)
        if key not in self._found:
            self._found[key] = slot, _merged(slot, change)  # with the first, whose id stays its own so
        return self._found[key][1]


def _apply(
    paradigm: Paradigm,
    factor: str,
    level: str,
    slots: dict[str, dict[str, Any]],
    sentences: dict[str, str],
    changed: _Changed,
) -> None:
    levels = paradigm.model.vary[factor]
    if isinstance(levels, list):
        return
    if not isinstance(levels[level], dict):
        raise DataError(
            f"the level {level!r} must be a mapping such as {{subj: {{Number: Sing}}}}",
            paradigm.place("vary", factor, level),
            "factor",
        )
    for name, change in levels[level].items():
        place = paradigm.place("vary", factor, level, name)
        if name == "sentences":
            _exchange(sentences, change, lambda *keys: paradigm.place("vary", factor, level, "sentences", *keys))
        elif name in slots and isinstance(change, dict):
            slots[name] = changed.of(slots[name], factor, level, change)
        else:
            raise DataError(f"{name!r} is no slot; {nearest(name, slots)}", place, "slot")


def _exchange(sentences: dict[str, str], change: object, place: Callable[..., Place]) -> None:
    if not isinstance(change, dict):
        raise DataError("sentences must be a mapping such as {bad: subj verb .}", place(), "sentence")
    for name, text in change.items():
        if name not in sentences:
            raise DataError(f"{name!r} is no sentence; {nearest(name, sentences)}", place(name), "sentence")
        if not isinstance(text, str):
            raise DataError(f"the sentence {name!r} must be a text", place(name), "sentence")
        sentences[name] = text


def cell_places(paradigm: Paradigm, cell: Cell) -> Callable[..., Place]:
    """Gives the position of a path of keys: in the level of a factor of the cell, if that is where it stands."""

    def place(*keys: str | int) -> Place:
        for factor, level in cell.levels.items():
            inside = ("vary", factor, level, *(keys[1:] if keys[0] == "slots" else keys))
            if paradigm.has(*inside):
                return paradigm.place(*inside)
        return paradigm.place(*keys)

    return place


def sentence_place(paradigm: Paradigm, cell: Cell, name: str) -> Place:
    """Where the template of a sentence stands."""
    varied = cell_places(paradigm, cell)("sentences", name)
    return paradigm.place(name) if varied == paradigm.place() else varied


def _merged(base: dict[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in change.items():
        nested = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = _merged(result[key], value) if nested else value
    return result


def _balance(path: str, value: str, slots: dict[str, dict[str, Any]], changed: _Changed) -> None:
    name, *keys, feature = path.split(".")
    change: dict[str, Any] = {feature: value}
    for key in reversed(keys):
        change = {key: change}
    slots[name] = changed.of(slots[name], path, value, change)
