"""A plan with its choices ready to be drawn, in columns."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan import Constraint, Node, Plan
from blimpgen.plan.nodes import Domain
from blimpgen.sampling.choice import Choice, Shared

__all__ = ["Sampler", "active_under"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]


class Sampler:
    """A plan with its choices ready.

    Args:
        plan: the compiled cell.
        may_repeat: slots whose lexeme may stand elsewhere too.
        shared: the candidates that cells have in common.
    """

    def __init__(self, plan: Plan, may_repeat: tuple[str, ...] = (), shared: Shared | None = None) -> None:
        self.plan = plan
        self.position = {node: k for k, node in enumerate(plan.order)}
        self.choices = self._choices({} if shared is None else shared)
        self.content = _content_pairs(plan, may_repeat)

    def _choices(self, shared: Shared) -> list[Choice]:
        earlier: list[list[tuple[int, Constraint]]] = [[] for _ in self.plan.order]
        for c in self.plan.constraints:
            a, b = self.position[c.a], self.position[c.b]
            if a != b and c.allowed.size > 1 and not c.allowed.all():
                earlier[max(a, b)].append((min(a, b), c))
        every = zip(self.plan.order, self.plan.masks, earlier, strict=True)
        return [Choice(node, mask, found, shared) for node, mask, found in every]

    def active(self, node: Node, columns: list[NDArray[np.int32]]) -> NDArray[np.bool_] | None:
        """In which rows a node is active; None for a slot, which always is."""
        return active_under(node, columns[self.position[node.parent]]) if node.parent is not None else None


def active_under(node: Node, above: NDArray[np.int32]) -> NDArray[np.bool_] | None:
    """Which rows have a node, by what is drawn for the one above it; None if all have it."""
    if node.parent is None or node.active is None:
        return None
    return np.asarray(node.active[node.parent.leaf[above]] & (above >= 0))


def _content_pairs(plan: Plan, may_repeat: tuple[str, ...]) -> list[tuple[int, int, I64, I64]]:
    """Pairs of nodes whose content words must differ, with the stem of each candidate, and 0 for "not active"."""
    found: list[tuple[int, set[str], I64]] = []
    for k, node in enumerate(plan.order):
        kinds = {leaf.inventory.category for leaf in node.leaves if leaf.inventory.content}
        if kinds and node.slot not in may_repeat:
            found.append((k, {"V" if kind == "A" else kind for kind in kinds}, _stems(node.domain)))
    return [
        (a, b, stems_a, stems_b)
        for (a, kinds_a, stems_a), (b, kinds_b, stems_b) in combinations(found, 2)
        if kinds_a & kinds_b
    ]


def _stems(domain: Domain) -> I64:
    def stems() -> I64:
        parts = [
            leaf.inventory.stems[leaf.candidates]
            if leaf.inventory.content
            else np.zeros(len(leaf.candidates), dtype=np.int64)
            for leaf in domain.leaves
        ]
        return np.concatenate([*parts, np.zeros(1, dtype=np.int64)])

    return domain.once("stems", stems)
