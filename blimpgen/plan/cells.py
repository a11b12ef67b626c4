"""Cells: the crossing of the factors in `vary` and of the features in `balance`.

Each cell is the paradigm with its levels filled in: constraints added to slots, sentences replaced, ``=factor``
given its value. What `is` says in several places holds together, as a tuple. Row i of a set belongs to cell i mod C.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.memo import Memo
from blimpgen.paradigm import Paradigm
from blimpgen.plan.sizes import CELLS, SENTENCES, SLOTS, check_size

__all__ = ["Cell", "cell_places", "cells", "dealt_slots", "sentence_place"]

_USUAL = {"Number": ("Sing", "Plur"), "Gender": ("Masc", "Fem"), "Tense": ("Pres", "Past"), "Polarity": ("Pos", "Neg")}


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


def cells(paradigm: Paradigm) -> Iterator[Cell]:
    """All cells, the first factor outermost; a slot that several cells ask for alike is one mapping.

    Raises:
        DataError: a factor without levels; an entry of `balance` that is neither a slot, a factor nor a feature of a
            slot; a level that changes what is not there; more slots, sentences or cells than a paradigm may have.
    """
    model = paradigm.model
    check_size("slots", len(model.slots), SLOTS, paradigm.place("slots"))
    check_size("sentences", len(paradigm.sentences), SENTENCES, paradigm.place("sentences"))
    factors = {name: list(levels) for name, levels in model.vary.items()}
    for name, crossed in factors.items():
        if not crossed:
            raise DataError(f"the factor {name!r} has no levels", paradigm.place("vary", name), "factor")
    axes = {**factors, **{name: list(values) for name, values in _balanced_values(paradigm).items()}}
    levels_of = " x ".join(f"{name} {len(levels)}" for name, levels in axes.items())
    check_size(f"cells ({levels_of})", math.prod(map(len, axes.values())), CELLS, paradigm.place("vary"))
    merged: _Merged = Memo()
    for combination in itertools.product(*axes.values()):
        levels = dict(zip(axes, combination, strict=True))
        slots = dict(model.slots)
        sentences = dict(paradigm.sentences)
        for factor, level in levels.items():
            if factor in factors:
                _apply(paradigm, factor, level, slots, sentences, merged)
            else:
                _balance(factor, level, slots, merged)
        yield Cell(levels, slots, sentences)


_Merged: TypeAlias = Memo[dict[str, Any]]
"""Mappings of slots with what a level changes in them, by the mapping, the factor and the level."""


def _apply(
    paradigm: Paradigm,
    factor: str,
    level: str,
    slots: dict[str, dict[str, Any]],
    sentences: dict[str, str],
    merged: _Merged,
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
            slots[name] = merged.once(partial(_merge, slots[name], change), slots[name], key=(factor, level))
        else:
            hint = f"{nearest(name, slots)}; what only levels fill stands there too, as {name}: {{}}"
            raise DataError(f"{name!r} is no slot; {hint}", place, "slot")


def _exchange(sentences: dict[str, str], change: object, place: Callable[..., Place]) -> None:
    if not isinstance(change, dict):
        raise DataError("sentences must be a mapping such as {bad: subj verb .}", place(), "sentence")
    for name, text in change.items():
        if name not in sentences:
            raise DataError(f"{name!r} is no sentence; {nearest(name, sentences)}", place(name), "sentence")
        if not isinstance(text, str):
            raise DataError(f"the sentence {name!r} must be a text", place(name), "sentence")
        sentences[name] = text


def cell_places(paradigm: Paradigm, cell: Cell) -> Callable[..., list[Place]]:
    """Gives the positions of a path of keys: where it stands for all cells, then those in levels of a cell.

    The last one holds; restrictions of all of them do.

    Args:
        paradigm: the paradigm.
        cell: its cell.
    """

    def places(*keys: str | int) -> list[Place]:
        inner = keys[1:] if keys[0] == "slots" else keys
        paths = [keys, *(("vary", factor, level, *inner) for factor, level in cell.levels.items())]
        return [paradigm.place(*path) for path in paths if paradigm.has(*path)] or [paradigm.place(*keys)]

    return places


def sentence_place(paradigm: Paradigm, cell: Cell, name: str) -> Place:
    """Where the template of a sentence stands.

    Args:
        paradigm: the paradigm.
        cell: its cell.
        name: the sentence.
    """
    varied = cell_places(paradigm, cell)("sentences", name)[-1]
    return paradigm.place(name) if varied == paradigm.place() else varied


def _merge(base: dict[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """A slot with what a level says: restrictions hold beside those that are there, other values replace them."""
    result = dict(base)
    for key, value in change.items():
        before = result.get(key)
        if isinstance(value, dict) and isinstance(before, dict):
            result[key] = _merge(before, value)
        elif key == "is" and before is not None:
            result[key] = (*(before if isinstance(before, tuple) else (before,)), value)
        else:
            result[key] = value
    return result


def _balance(path: str, value: str, slots: dict[str, dict[str, Any]], merged: _Merged) -> None:
    name, *keys, feature = path.split(".")
    change: dict[str, Any] = {feature: value}
    for key in reversed(keys):
        change = {key: change}
    slots[name] = merged.once(partial(_merge, slots[name], change), slots[name], key=(path, value))


def _balanced_values(paradigm: Paradigm) -> dict[str, tuple[str, ...]]:
    """The values of each feature in `balance` (``head.Number``): those that the slot admits, or all."""
    model = paradigm.model
    result = {}
    for k, name in enumerate(model.balance):
        if name in model.slots or name in model.vary:
            continue
        slot, *keys = name.split(".")
        place = paradigm.place("balance", k)
        if slot not in model.slots or not keys:
            raise DataError(
                f"{name!r} is no slot, factor or slot.Feature; {nearest(slot, [*model.slots, *model.vary])}",
                place,
                "balance",
            )
        result[name] = _admitted(model.slots[slot], keys) or _USUAL.get(keys[-1], ())
        if not result[name]:
            raise DataError(
                f"{name!r}: its values are unknown; {nearest(keys[-1], _USUAL)}; others list theirs in the slot, "
                f"as in {keys[-1]}: a | b",
                place,
                "balance",
            )
    return result


def _admitted(slot: object, keys: list[str]) -> tuple[str, ...]:
    value = slot
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, str) or value.startswith(("=", "not ", "same ", "other ")):
        return ()
    return tuple(part.strip() for part in value.split("|"))
