"""What constraints compare: number, gender and other values of the candidates of a node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan.nodes import PLURAL, SINGULAR, UNKNOWN, Node

__all__ = ["ANAPHORS", "compared", "kinds", "number_class", "number_key", "phi"]

ANAPHORS = ("Refl", "Recip")
"""The categories whose words have the number of their antecedent."""
_NUMBERS = np.empty(3, dtype=object)
_NUMBERS[[SINGULAR, PLURAL, UNKNOWN]] = ["Sing", "Plur", ""]


def number_class(noun: Node) -> NDArray[np.int32]:
    """0 singular count, 1 plural, 2 mass: which form of a determiner a noun takes."""

    def classes() -> NDArray[np.int32]:
        mass = np.where(noun.column("count") == "mass", 2, 0)
        return np.where(noun.number == PLURAL, 1, mass).astype(np.int32)

    return noun.domain.once("number class", classes)


def number_key(node: Node) -> NDArray[np.object_]:
    """Sing or Plur for each candidate; empty where the number is unknown."""
    return _NUMBERS[node.number]


def phi(node: Node) -> list[str]:
    """What a reflexive agrees with: Plur, or the gender of a singular."""
    return [
        "Plur" if n == PLURAL else g for n, g in zip(node.number.tolist(), node.column("Gender").tolist(), strict=True)
    ]


def compared(node: Node, feature: str) -> NDArray[np.object_]:
    """What a tie compares: the value of a feature for each candidate.

    Args:
        node: the node.
        feature: a feature or column; ``letters``: how long the lemma is; ``stem``: the lemma without its particle or
            preposition.
    """
    if feature == "stem":
        return node.column("lemma")
    if feature == "letters":  # of the lemma: what is compared is inflected alike
        return np.array([len(lemma) for lemma in node.column("lemma")], dtype=np.object_)
    if feature == "lemma" and any("prt" in leaf.inventory.columns for leaf in node.leaves):
        parts = zip(node.column("lemma"), node.column("prt"), strict=True)
        return np.array([f"{lemma} {particle}".strip() for lemma, particle in parts], dtype=np.object_)
    return number_key(node) if feature == "Number" else node.column(feature)


def kinds(node: Node) -> NDArray[np.object_]:
    """Category, number and countability of each candidate."""
    candidates = zip(node.leaf.tolist(), node.number.tolist(), number_class(node), strict=True)
    return np.array([f"{node.leaves[leaf].inventory.category}{n}{c}" for leaf, n, c in candidates], dtype=object)
