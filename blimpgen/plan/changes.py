"""Changes in place: ``vp[Number=other]``, ``part[form=past]``, ``refl[Gender=other]``.

A candidate is kept only if its changed form differs, and has no analysis under the open reading that fits. The test
is made for every number that agreement may give the word, before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.lexicon import Inventory, Lexicon
from blimpgen.lexicon.features import split_features
from blimpgen.plan.candidate_values import ANAPHORS
from blimpgen.plan.constraints import Constraint, constraint, distinct_rows, share
from blimpgen.plan.nodes import Leaf, Node
from blimpgen.plan.plan import Plan

__all__ = [
    "CHANGED",
    "CHANGES",
    "SHOWS",
    "STABLE",
    "agreeing",
    "agreeing_with",
    "changeable",
    "disjoint",
    "shown_past_joins",
    "stable_subject",
    "values_of_lists",
]

Mask = NDArray[np.bool_]

_TWO = 2

CHANGED = "the changed form must differ, and no reading of it may fit"
"""Why `changeable` refuses a word."""
STABLE = "its number must not be in doubt, as that of a collective, an organisation or a word with one form is"
"""Why `stable_subject` refuses a word."""
SHOWS = "it must show its number, or the change would not be seen"
"""Why `agreeing` refuses a word."""


def changeable(node: Node, change: tuple[str, str], lexicon: Lexicon, place: Place) -> Mask:
    """Which candidates of a node may carry a change.

    Args:
        node: the node.
        change: a feature and the value that it is changed to.
        lexicon: the words.
        place: where the change stands, for errors.
    """
    test = _inflected(change) if node.inflected else CHANGES.get(change)
    if test is None:
        names = [f"{feature}={value}" for feature, value in CHANGES]
        hint = f"{nearest('='.join(change), names)}; any other form is a slot of its own, with lemma: same {node.slot}"
        raise DataError(f"no change {'='.join(change)}; {hint}", place, "change")
    mask = np.zeros(node.size, dtype=bool)
    admitted = ("word list",) if node.inflected else _ADMITTED[change]
    if not any(_category(leaf) in admitted for leaf in node.leaves):
        raise DataError(
            f"slot {node.slot!r} cannot be changed to {'='.join(change)}; it changes the categories "
            f"{', '.join(admitted)}",
            place,
            "change",
        )
    for number, leaf in enumerate(node.leaves):
        if _category(leaf) in admitted:
            mask[node.leaf == number] = test(leaf, lexicon)[leaf.candidates]
    if not mask.any():
        if node.inflected:
            _check_value(node, change, place)
        raise DataError(
            f"no filler of {node.path!r} can be changed to {'='.join(change)} without another reading", place, "change"
        )
    return mask


def values_of_lists(node: Node, feature: str, place: Place) -> list[str]:
    """The values that the lists of inflected words of a node have for a feature; none if it has no such list.

    Args:
        node: the node.
        feature: the feature.
        place: where it is asked for, for errors.

    Raises:
        DataError: no list of the node has the feature.
    """
    cells = [split_features(cell) for leaf in node.leaves if leaf.inventory.inflected for cell in leaf.inventory.forms]
    values = dict.fromkeys(cell[feature] for cell in cells if feature in cell)
    if cells and not values:
        names = dict.fromkeys(name for cell in cells for name in cell)
        what = f"the words of {node.path!r} have no feature {feature!r}; {nearest(feature, names)}"
        raise DataError(what, place, "feature")
    return list(values)


def _check_value(node: Node, change: tuple[str, str], place: Place) -> None:
    """Whether the lists of a node have the feature of a change, and the value."""
    feature, value = change
    values = values_of_lists(node, feature, place)
    if value != "other" and value not in values:
        raise DataError(f"no word of {node.path!r} has {feature}={value}; {nearest(value, values)}", place, "change")
    if value == "other" and len(values) != _TWO:
        what = f"{feature}=other is for features with two values, and {node.path!r} has {', '.join(values)}"
        raise DataError(f"{what}; name the value, as {feature}={values[0]}", place, "change")


def agreeing(node: Node, lexicon: Lexicon) -> Mask:
    """Which candidates of a node show the number of the word they agree with, so that a change of that word is bad.

    Args:
        node: the node.
        lexicon: the words.
    """
    mask = np.zeros(node.size, dtype=bool)
    for number, leaf in enumerate(node.leaves):
        inventory = leaf.inventory
        if inventory.category in ANAPHORS:
            shows = np.ones(len(inventory), dtype=bool)
        elif inventory.category in ("D", "Num"):
            open_to = np.array(["sg" in c or "pl" in c for c in inventory.columns["open"]], dtype=bool)
            shows = (inventory.forms["sg"] != inventory.forms["pl"]) & ~open_to
        else:
            shows = _number(leaf, lexicon)
        mask[node.leaf == number] = shows[leaf.candidates]
    return mask


def agreeing_with(plan: Plan, slot: str) -> list[Node]:
    """Find what agrees in number with the word of a slot.

    Args:
        plan: the plan of a cell.
        slot: the slot.
    """
    return [plan.slots[other] for other, target in plan.agreement.items() if target == slot and other in plan.slots]


def stable_subject(node: Node, lexicon: Lexicon) -> Mask:
    """Nominal candidates whose number no speaker doubts: no collectives, no organisations, no *sheep*, no *lion*.

    A hunter says *the lion were ...*; a plural that is never generated is a reading of the singular all the same.

    Args:
        node: the node.
        lexicon: the words.
    """
    agreement, stable = node.column("agr"), node.column("number_stable")
    names = np.isin(node.column("kind"), ("org", "place", "work"))
    clear = np.ones(node.size, dtype=bool)
    for number, leaf in enumerate(node.leaves):
        if leaf.inventory.category == "N":
            clear[node.leaf == number] = lexicon.readings.clear_numbers[leaf.candidates]
    one_form = node.domain.forms("Sing") == node.domain.forms("Plur")
    return np.asarray((agreement != "either") & (stable != "no") & ~names & ~one_form & clear)


def _inflected(change: tuple[str, str]) -> Callable[[Leaf, Lexicon], Mask]:
    """The test of a list of inflected words: the changed form is there, and no word has it with the value that it had.

    The form *siente* is no bad subjunctive of *sentir* because it is the good one of *sentar*.
    """

    def test(leaf: Leaf, lexicon: Lexicon) -> Mask:
        here, there = leaf.changed(None), leaf.changed(change)
        if here is None or there is None:
            return np.zeros(len(leaf.inventory), dtype=bool)
        forms = leaf.inventory.forms
        values = _values(leaf.inventory, change[0], forms[there])
        return _both(forms[here], forms[there]) & ~values[leaf.features[change[0]]]

    return test


def disjoint(changed: Node, partner: Node, change: tuple[str, str]) -> Constraint:
    """Two words agreed in a feature, and the changed one can no longer: their forms have no value of it in common.

    Args:
        changed: the node that is changed.
        partner: the node that it agrees with.
        change: the feature, and the value that it is changed to.
    """
    sides = [_node_values(changed, change[0], change), _node_values(partner, change[0], None)]
    return _nothing_shared(f"{change[0]} shown", (changed, partner), sides)


def shown_past_joins(hidden: Node, source: Node, feature: str, lexicon: Lexicon) -> Constraint:
    """A word that a join hides goes only with one that shows the feature itself: *l'insegnante* may be a woman.

    Args:
        hidden: the node whose words a join may make equal to one with another value: *il* and *la*, both *l'*.
        source: the node that it agrees with.
        feature: the feature.
        lexicon: the words.
    """
    values = list(_node_values(source, feature, None).values())
    doubtful = np.sum(values, axis=0) > 1 if values else np.zeros(source.size, dtype=bool)
    hidden_forms, source_forms = _own_forms(hidden), _own_forms(source)
    sides: tuple[dict[str, Mask], dict[str, Mask]] = ({}, {})
    for becomes, joins in lexicon.language.merging.items():
        alike = [lexicon.strings.add(word) for word in (becomes, *(join.words for join in joins))]
        sides[0][becomes] = _hidden(hidden, feature, np.array(alike, dtype=np.int32)) & np.isin(hidden_forms, alike)
        follows = [lexicon.strings.may_follow(source_forms, join) for join in joins]
        sides[1][becomes] = doubtful & np.logical_or.reduce(follows)
    return _nothing_shared(f"{feature} shown past joins", (hidden, source), sides)


def _nothing_shared(name: str, nodes: tuple[Node, Node], sides: Sequence[dict[str, Mask]]) -> Constraint:
    """Two nodes go together where none of some properties is true of both.

    Args:
        name: what is expressed.
        nodes: the nodes.
        sides: for each of them, which candidates have a property; none where it is left out.
    """
    names = sorted({name for side in sides for name in side})
    tables = [
        np.stack([side.get(name, np.zeros(node.size, dtype=bool)) for name in names], axis=1)
        for side, node in zip(sides, nodes, strict=True)
    ]
    (first_a, codes_a), (first_b, codes_b) = map(distinct_rows, tables)
    allowed = ~share(tables[0][first_a], tables[1][first_b])
    return constraint(name, *nodes, codes_a.astype(np.int32), codes_b.astype(np.int32), allowed)


def _hidden(node: Node, feature: str, forms: NDArray[np.int32]) -> Mask:
    """Which candidates are of a list in which some forms that are written alike have different values of a feature."""
    mask = np.zeros(node.size, dtype=bool)
    for number, leaf in enumerate(node.leaves):
        values = _values(leaf.inventory, feature, forms) if leaf.inventory.inflected else {}
        mask[node.leaf == number] = sum(map(np.any, values.values())) > 1
    return mask


def _own_forms(node: Node) -> NDArray[np.int32]:
    """The numbers of the forms of candidates, -1 where a leaf has none, shape (candidates,)."""
    forms = np.full(node.size, -1, dtype=np.int32)
    for number, leaf in enumerate(node.leaves):
        if (cell := leaf.changed(None)) is not None:
            forms[node.leaf == number] = leaf.inventory.forms[cell][leaf.candidates]
    return forms


def _node_values(node: Node, feature: str, change: tuple[str, str] | None) -> dict[str, Mask]:
    """Value of a feature to which candidates can have it in the form that they have, or are changed to."""
    result: dict[str, Mask] = {}
    for number, leaf in enumerate(node.leaves):
        cell = leaf.changed(change)
        if leaf.inventory.inflected and cell is not None:
            for value, mask in _values(leaf.inventory, feature, leaf.inventory.forms[cell]).items():
                result.setdefault(value, np.zeros(node.size, dtype=bool))[node.leaf == number] = mask[leaf.candidates]
    return result


def _values(inventory: Inventory, feature: str, forms: NDArray[np.int32]) -> dict[str, Mask]:
    """Value of a feature to which forms some word of a list has with it: what a reader may take them for."""
    result: dict[str, Mask] = {}
    for cell, others in inventory.forms.items():
        if (value := split_features(cell).get(feature)) is not None:
            result[value] = result.get(value, np.zeros(len(forms), dtype=bool)) | np.isin(forms, others[others >= 0])
    for also in inventory.values("also") - {"", "none"}:
        if (value := split_features(also).get(feature)) is not None:
            rows = inventory.has("also", (also,))
            others = np.concatenate([cell[rows] for cell in inventory.forms.values()])
            result[value] = result.get(value, np.zeros(len(forms), dtype=bool)) | np.isin(forms, others[others >= 0])
    return result


def _category(leaf: Leaf) -> str:
    category = leaf.inventory.category
    return "word list" if category.startswith("words:") else category


def _number(leaf: Leaf, lexicon: Lexicon) -> Mask:
    inventory = leaf.inventory
    if inventory.category == "V":
        return _verb_number(leaf, lexicon)
    if inventory.category in ("D", "Num"):
        return _both(inventory.forms["sg"], inventory.forms["pl"])
    if inventory.category in ("Aux", "Cop"):
        cell = leaf.features["Tense"].lower()
        negative = "_neg" if leaf.features["Polarity"] == "Neg" else ""
        return _both(inventory.forms[f"{cell}_sg{negative}"], inventory.forms[f"{cell}_pl{negative}"])
    if "Sing" not in inventory.forms:
        return np.zeros(len(inventory), dtype=bool)
    singular, plural = inventory.forms["Sing"], inventory.forms["Plur"]
    differ = _both(singular, plural)
    if inventory.category == "N":
        differ &= lexicon.readings.clear_numbers
    return differ


def _both(a: NDArray[np.int32], b: NDArray[np.int32]) -> Mask:
    return np.asarray((a >= 0) & (b >= 0) & (a != b))


def _verb_number(leaf: Leaf, lexicon: Lexicon) -> Mask:
    size = len(leaf.inventory)
    if leaf.features.get("form", "fin") != "fin" or (leaf.rules and leaf.rules[0].daughter("aux")):
        return np.full(size, _auxiliary_number(leaf, lexicon))
    if leaf.features.get("Tense") != "Pres":
        return np.zeros(size, dtype=bool)
    return lexicon.readings.clear_presents


def _auxiliary_number(leaf: Leaf, lexicon: Lexicon) -> bool:
    daughter = leaf.rules[0].daughter("aux") if leaf.rules else None
    if daughter is None:
        return False
    inventory = lexicon.inventory("Aux")
    rows = inventory.has("kind", daughter.features["kind"])
    cell, negative = leaf.features["Tense"].lower(), "_neg" if leaf.features["Polarity"] == "Neg" else ""
    return bool(_both(inventory.forms[f"{cell}_sg{negative}"], inventory.forms[f"{cell}_pl{negative}"])[rows].all())


def _past_for_participle(leaf: Leaf, lexicon: Lexicon) -> Mask:
    forms, participles = lexicon.verbs.forms, lexicon.readings.texts("V", "part")
    return np.array([a != b and a not in participles for a, b in zip(forms["past"], forms["part"], strict=True)])


def _participle_for_past(leaf: Leaf, lexicon: Lexicon) -> Mask:
    forms = lexicon.verbs.forms
    others = frozenset[str]().union(*(lexicon.readings.texts("V", cell) for cell in ("past", "bare", "pres_sg")))
    return np.array([a != b and b not in others for a, b in zip(forms["past"], forms["part"], strict=True)])


def _gender(leaf: Leaf, lexicon: Lexicon) -> Mask:
    return leaf.inventory.has("Gender", ("Masc", "Fem"))


CHANGES: dict[tuple[str, str], Callable[[Leaf, Lexicon], Mask]] = {
    ("Number", "other"): _number,
    ("form", "past"): _past_for_participle,
    ("form", "part"): _participle_for_past,
    ("Gender", "other"): _gender,
}
"""Feature and new value to the test of a leaf."""

_ADMITTED: dict[tuple[str, str], tuple[str, ...]] = {
    ("Number", "other"): ("N", "Name", "V", "D", "Num", "Aux", "Cop", "word list"),
    ("form", "past"): ("V",),
    ("form", "part"): ("V",),
    ("Gender", "other"): ("Refl",),
}
