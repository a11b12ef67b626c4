"""The values over which a balanced feature is spread."""

from __future__ import annotations

from blimpgen.base.errors import DataError, nearest
from blimpgen.paradigm import Paradigm

__all__ = ["balanced_values"]

_USUAL = {"Number": ("Sing", "Plur"), "Gender": ("Masc", "Fem"), "Tense": ("Pres", "Past"), "Polarity": ("Pos", "Neg")}


def balanced_values(paradigm: Paradigm) -> dict[str, tuple[str, ...]]:
    """For every feature in `balance` (``head.Number``, ``vp.aux.kind``) its values: those that the slot admits, or all.

    Raises:
        DataError: a name that is neither a slot, a factor nor a feature of a slot.
    """
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
        result[name] = _values(model.slots[slot], keys) or _USUAL.get(keys[-1], ())
        if not result[name]:
            raise DataError(
                f"{name!r}: its values are unknown; {nearest(keys[-1], _USUAL)}; others list theirs in the slot, "
                f"as in {keys[-1]}: a | b",
                place,
                "balance",
            )
    return result


def _values(slot: object, keys: list[str]) -> tuple[str, ...]:
    value = slot
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, str) or value.startswith(("=", "not ", "same ", "other ")):
        return ()
    return tuple(part.strip() for part in value.split("|"))
