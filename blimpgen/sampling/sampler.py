"""Drawing assignments in columns: every row addressable by its number, every attempt by its number."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan import Constraint, Node, Plan
from blimpgen.plan.nodes import Domain
from blimpgen.sampling.choice import Choice, Shared
from blimpgen.sampling.random import Stream

__all__ = ["Draw", "Sampler"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]


@dataclass(frozen=True)
class Draw:
    """Assignments for some rows.

    Attributes:
        columns: for each node of the plan, in its order, the candidate of each row, -1 where not active.
        ok: which rows satisfy everything.
        refusals: what refused the others, with counts.
    """

    columns: list[NDArray[np.int32]] = field(repr=False)
    ok: NDArray[np.bool_] = field(repr=False)
    refusals: Counter[str]

    def take(self, rows: NDArray[np.bool_] | NDArray[np.int64]) -> list[NDArray[np.int32]]:
        """The columns of some rows."""
        return [column[rows] for column in self.columns]


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

    def draw(self, stream: Stream, rows: U64, attempts: U64, dealt: dict[str, NDArray[np.int32]]) -> Draw:
        """Draw one assignment a row.

        Args:
            stream: the random numbers.
            rows: row numbers, shape (n,).
            attempts: the attempt of each row, shape (n,).
            dealt: for each dealt slot its candidates, shape (n,).
        """
        n = len(rows)
        columns: list[NDArray[np.int32]] = []
        ok = np.ones(n, dtype=bool)
        refusals: Counter[str] = Counter()
        numbers = self._numbers(stream, rows, attempts, dealt)
        for choice in self.choices:
            node = choice.node
            columns.append(
                dealt[node.path]
                if node.path in dealt
                else self._drawn(choice, columns, numbers[choice], ok, refusals)
            )
        for a, b, stems_a, stems_b in self.content:
            stem = stems_a[columns[a]]
            same = (stem == stems_b[columns[b]]) & (stem != 0) & ok
            if same.any():
                refusals["the same word twice"] += int(same.sum())
                ok &= ~same
        return Draw(columns, ok, refusals)

    def _numbers(
        self, stream: Stream, rows: U64, attempts: U64, dealt: dict[str, NDArray[np.int32]]
    ) -> dict[Choice, U64]:
        """The random numbers of each choice that is not dealt, shape (paths, rows)."""
        paths = {choice: choice.paths for choice in self.choices if choice.node.path not in dealt}
        drawn = stream.draws(rows, [path for found in paths.values() for path in found], attempts)
        ends = np.cumsum([len(found) for found in paths.values()]).tolist()
        return {c: drawn[end - len(found) : end] for (c, found), end in zip(paths.items(), ends, strict=True)}

    def _drawn(
        self,
        choice: Choice,
        columns: list[NDArray[np.int32]],
        numbers: U64,
        ok: NDArray[np.bool_],
        refusals: Counter[str],
    ) -> NDArray[np.int32]:
        node = choice.node
        active = self.active(node, columns)
        if active is None:
            drawn = choice.draw(columns or [np.zeros(len(ok), dtype=np.int32)], numbers)
            failed = (drawn < 0) & ok
        elif active.all():
            drawn = choice.draw(columns, numbers)
            failed = (drawn < 0) & ok
        else:
            drawn = np.full(len(ok), -1, dtype=np.int32)
            failed = np.zeros(len(ok), dtype=bool)
            if active.any():
                drawn[active] = choice.draw([c[active] for c in columns], numbers[:, active])
                failed = active & (drawn < 0) & ok
        if failed.any():
            refusals[f"no candidate for {node.path}"] += int(failed.sum())
            ok &= ~failed
        return drawn

    def active(self, node: Node, columns: list[NDArray[np.int32]]) -> NDArray[np.bool_] | None:
        """In which rows a node is active; None for a slot, which always is."""
        if node.parent is None or node.active is None:
            return None
        above = columns[self.position[node.parent]]
        return np.asarray(node.active[node.parent.leaf[above]] & (above >= 0))


def _content_pairs(plan: Plan, may_repeat: tuple[str, ...]) -> list[tuple[int, int, I64, I64]]:
    """Pairs of nodes whose content words must differ, with the stem of each candidate, and 0 for "not active"."""
    found: list[tuple[int, set[str], I64]] = []
    for k, node in enumerate(plan.order):
        kinds = {leaf.inventory.category for leaf in node.leaves if leaf.inventory.content}
        if kinds and node.slot not in may_repeat:
            found.append((k, {"V" if kind == "A" else kind for kind in kinds}, _stems(node.domain)))
    return [(a, b, stems_a, stems_b) for (a, kinds_a, stems_a), (b, kinds_b, stems_b) in combinations(found, 2)
            if kinds_a & kinds_b]


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
