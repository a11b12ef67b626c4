"""Why nothing fits a slot: which of its constraints, taken away, would let something in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from blimpgen.base.errors import DataError, Place
from blimpgen.grammar import Grammar, Rule
from blimpgen.plan.nodes import Node
from blimpgen.plan.spec import DAUGHTERS, SlotSpec

__all__ = ["asked_by", "count_fitting", "empty_slot", "fewer", "without"]


def count_fitting(node: Node, spec: SlotSpec) -> int:
    """How many candidates a node has; none if a daughter that the slot asks for has none.

    Args:
        node: the node.
        spec: what its slot asks for.
    """
    for role, below in spec.daughters.items():
        child = node.children.get(role)
        if child is not None and not count_fitting(child, below):
            return 0
    return node.size


def empty_slot(spec: SlotSpec, count: Callable[[SlotSpec], int], grammar: Grammar) -> DataError:
    """The error for a slot that nothing fits, with the constraint that emptied it, and what its rules ask.

    Args:
        spec: the slot.
        count: how many candidates a slot with fewer constraints has.
        grammar: has the rules.
    """
    tried = list(fewer(spec))
    beside = asked_by(grammar.reached(spec.cat, drawn=True)[0])
    for text, place, less in tried:
        if number := _counted(less, count):
            return DataError(
                f"nothing fits slot {spec.name!r}: without {text!r} {number} candidates would fit{beside}",
                place,
                "empty-slot",
            )
    texts = ", ".join(repr(text) for text, _, _ in tried)
    return DataError(
        f"nothing fits slot {spec.name!r}; no single one of its constraints empties it: {texts or 'none'}{beside}",
        spec.place,
        "empty-slot",
    )


def asked_by(rules: Iterable[Rule]) -> str:
    """What rules ask of the words of their heads, as the end of a message; empty if they ask nothing.

    Args:
        rules: the rules.
    """
    asked = {f"{rule.name} asks {rule.head.restriction.text}": None for rule in rules if rule.head.restriction}
    return f"; the rule {' and '.join(asked)}" if asked else ""


def _counted(spec: SlotSpec, count: Callable[[SlotSpec], int]) -> int:
    try:
        return count(spec)
    except DataError:
        # Without this constraint the slot cannot be read, so the constraint is not the one to loosen.
        return 0


def fewer(spec: SlotSpec) -> Iterator[tuple[str, Place, SlotSpec]]:
    """The slot without each of its constraints, with the text of that constraint and its place."""
    for key, (text, place) in spec.keys.items():
        role = DAUGHTERS.get(key, "")
        if role in spec.daughters:
            below = spec.daughters[role]
            for inner, where, less in fewer(below):
                yield f"{key}: {{{inner}}}", where, replace(spec, daughters={**spec.daughters, role: less})
            rest = {name: other for name, other in spec.daughters.items() if name != role}
            yield f"{key}: {text}", place, replace(spec, daughters=rest)
        elif (bare := without(spec, key)) is not None:
            yield f"{key}: {text}", place, bare


def without(spec: SlotSpec, key: str) -> SlotSpec | None:
    """The slot without one of its constraints; None for a key that is no constraint on the word alone.

    Args:
        spec: the slot.
        key: a key of its mapping.
    """
    match key:
        case "is":
            return replace(spec, restrictions=())
        case "frame":
            return replace(spec, frames=())
        case "no_frame":
            return replace(spec, no_frames=())
        case "every":
            return replace(spec, every={})
    if key in spec.features:
        return replace(spec, features={name: values for name, values in spec.features.items() if name != key})
    return None
