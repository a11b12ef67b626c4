"""Which categories a relation can hold between; any other use is a slip that would constrain nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from blimpgen.base.errors import DataError, Place
from blimpgen.plan.nodes import Node

__all__ = ["related"]

_NOUNS = ("N", "Name", "Pron", "Wh", "Dwh", "Refl", "Recip")
_VERBS = ("V", "A", "Aux", "Cop")
_OTHERS = ("D", "Num", "NumMod", "Adv", "P", "Rel", "Comp", "Conj", "Subordinator", "Focus", "Expl", "NPI", "Part")

_RELATIONS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "subject_of": ((*_VERBS, *_OTHERS), (*_NOUNS, *_OTHERS)),
    "object_of": ((*_VERBS, *_OTHERS), (*_NOUNS, *_OTHERS)),
    "goal_of": ((*_VERBS, *_OTHERS), (*_NOUNS, *_OTHERS)),
    "second_object_of": ((*_VERBS, *_OTHERS), (*_NOUNS, *_OTHERS)),
    "bad_subject_of": ((*_VERBS, *_OTHERS), (*_NOUNS, *_OTHERS)),
    "bad_object_of": ((*_VERBS, *_OTHERS), (*_NOUNS, *_OTHERS)),
    "subject": ((*_NOUNS, *_OTHERS), (*_VERBS, *_OTHERS)),
    "object": ((*_NOUNS, *_OTHERS), (*_VERBS, *_OTHERS)),
    "modifies": (_NOUNS, ()),
    "antecedent": (("N", "Name", *_VERBS, "D", "Num", "Adv"), (*_VERBS, *_OTHERS)),
    "asks_about": (("N", "Name", *_VERBS, *_OTHERS), (*_VERBS, *_OTHERS)),
    "agrees_with": ((), (*_VERBS, *_OTHERS)),
}
"""Relation to the categories that its slot, and those that the slot it names, may not consist of."""

_HINTS = {
    "subject_of": "a noun phrase is the subject of a verb",
    "object_of": "a noun phrase is the object of a verb",
    "goal_of": "a noun phrase is the goal of a verb",
    "second_object_of": "a noun phrase is the second object of a verb",
    "bad_subject_of": "a noun phrase is a bad subject of a verb",
    "bad_object_of": "a noun phrase is a bad object of a verb",
    "subject": "a verb has a noun phrase as its subject",
    "object": "a verb has a noun phrase as its object",
    "modifies": "an adjective modifies a noun, an adverb a verb: write it in the slot of the adjective or adverb",
    "antecedent": "a relativizer has a noun phrase as its antecedent",
    "asks_about": "a wh-word asks about a noun phrase; what goes with why or how is asked without a relation",
    "agrees_with": "a verb, auxiliary, determiner or reflexive agrees with a noun phrase",
}


@contextmanager
def related(relation: str, node: Node, other: Node, place: Place) -> Iterator[None]:
    """Check that a relation can hold between the heads of two slots, and give errors inside its place.

    Args:
        relation: its name.
        node: the slot that names the relation.
        other: the slot that the relation names.
        place: where the relation stands.

    Raises:
        DataError: one of them consists of categories only that the relation is not for.
    """
    for side, refused in zip((node, other), _RELATIONS.get(relation, ((), ())), strict=True):
        categories = {_category(side, number) for number in range(len(side.leaves))}
        if categories and categories <= set(refused):
            raise DataError(
                f"{relation}: slot {side.slot!r} is of category {', '.join(sorted(categories))}; {_HINTS[relation]}",
                place,
                "relation",
            )
    try:
        yield
    except DataError as error:
        raise error if error.place else DataError(f"{relation}: {error.message}", place, error.code) from None


def _category(node: Node, number: int) -> str:
    leaf = node.leaves[number]
    finite = any(rule.features.get("form") == ("fin",) for rule in leaf.rules)
    gerund = leaf.inventory.category == "V" and leaf.features.get("form") == "ing" and not finite
    return "gerund" if gerund else leaf.inventory.category
