"""The sampler of a plan: it draws assignments in columns, every row and every attempt addressable by its number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan import Constraint, Node, Plan
from blimpgen.plan.nodes import Domain
from blimpgen.plan.plan import Columns
from blimpgen.sampling.choice import Choice, SharedCandidates
from blimpgen.sampling.random import Stream

__all__ = ["Draw", "Sampler"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]


@dataclass(frozen=True)
class Draw:
    """Assignments of some rows.

    Attributes:
        columns: for each node of the plan, in its order, the candidate of each row, -1 where not active.
        faults: what refuses each row, by its place in `reasons`, from 1; 0 of those that satisfy everything.
        reasons: what refuses rows.
    """

    columns: Columns = field(repr=False)
    faults: NDArray[np.int32] = field(repr=False)
    reasons: list[str]

    @classmethod
    def of(cls, columns: Columns, size: int) -> Draw:
        """Make a draw of which no row is refused yet.

        Args:
            columns: as the attribute.
            size: how many rows it has.
        """
        return cls(columns, np.zeros(size, dtype=np.int32), [])

    @property
    def ok(self) -> NDArray[np.bool_]:
        """Which rows satisfy everything."""
        return np.asarray(self.faults == 0)

    def take(self, rows: NDArray[np.bool_] | I64) -> Columns:
        """Return the columns of some rows."""
        return [column[rows] for column in self.columns]

    def refuse(self, refused: NDArray[np.bool_], reason: str) -> None:
        """Refuse some rows; a row keeps the first reason.

        Args:
            refused: which rows, shape (rows,).
            reason: what refuses them.
        """
        if refused.any() and (newly := refused & self.ok).any():
            self.reasons.append(reason)
            self.faults[newly] = len(self.reasons)

    def refusals(self, rows: NDArray[np.bool_] | None = None) -> Counter[str]:
        """Count the refused rows by reason.

        Args:
            rows: which rows are counted, shape (rows,); all by default.
        """
        refusals: Counter[str] = Counter()
        if self.reasons:
            faults = self.faults if rows is None else self.faults[rows]
            counts = np.bincount(faults, minlength=len(self.reasons) + 1)[1:].tolist()
            for reason, count in zip(self.reasons, counts, strict=True):
                refusals[reason] += count
        return refusals


class Sampler:
    """A plan with its choices ready to be drawn.

    Args:
        plan: the compiled cell.
        shared: the candidates that cells have in common.

    Attributes:
        position: the position of each node in drawing order.
        choices: one for each node.
        content: pairs of nodes whose content words must differ; see `_content_pairs`.
        trios: the nodes whose words share a scene, by their positions.
    """

    def __init__(self, plan: Plan, shared: SharedCandidates | None = None) -> None:
        self.plan = plan
        self.position = {node: k for k, node in enumerate(plan.order)}
        self.choices = self._choices(SharedCandidates() if shared is None else shared)
        self.content = _content_pairs(plan)
        self.trios = [([self.position[node] for node in trio.nodes], trio) for trio in plan.trios]

    def _choices(self, shared: SharedCandidates) -> list[Choice]:
        earlier: list[list[tuple[int, Constraint]]] = [[] for _ in self.plan.order]
        for c in self.plan.constraints:
            a, b = self.position[c.a], self.position[c.b]
            if a != b and c.allowed.size > 1 and not c.allowed.all():
                earlier[max(a, b)].append((min(a, b), c))
        nodes = zip(self.plan.order, self.plan.masks, earlier, strict=True)
        return [Choice(node, mask, constraints, shared) for node, mask, constraints in nodes]

    def active(self, node: Node, columns: Columns) -> NDArray[np.bool_] | None:
        """Return which rows have a node; None if all have it.

        Args:
            node: the node.
            columns: the earlier nodes.
        """
        if node.parent is None or node.active is None:
            return None
        above = columns[self.position[node.parent]]
        return np.asarray(node.active.take(node.parent.leaf.take(above)) & (above >= 0))

    def draw(
        self, stream: Stream, rows: U64, attempts: U64, dealt: Mapping[str, NDArray[np.int32]] | None = None
    ) -> Draw:
        """Draw one assignment a row.

        Args:
            stream: the random numbers.
            rows: row numbers, shape (n,).
            attempts: the attempt of each row, shape (n,).
            dealt: for each dealt slot its candidates, shape (n,).
        """
        dealt = dealt or {}
        paths = [path for choice in self.choices if choice.node.path not in dealt for path in choice.paths]
        numbers, start = stream.draws(rows, paths, attempts), 0
        draw = Draw.of([], len(rows))
        for choice in self.choices:
            if choice.node.path in dealt:
                draw.columns.append(dealt[choice.node.path])
            else:
                self._draw_node(choice, numbers[start : start + len(choice.paths)], draw)
                start += len(choice.paths)
        for a, b, stems_a, stems_b in self.content:
            stem = stems_a.take(draw.columns[a])
            draw.refuse((stem == stems_b.take(draw.columns[b])) & (stem != 0), "the same word twice")
        for places, trio in self.trios:
            draw.refuse(trio.apart([draw.columns[k] for k in places]), f"words {trio.fault}")
        return draw

    def _draw_node(self, choice: Choice, numbers: U64, draw: Draw) -> None:
        """Add the column of one node, and refuse the rows for which it has no candidate."""
        active = self.active(choice.node, draw.columns)
        if active is None or active.all():
            column = choice.draw(draw.columns, numbers)
            failed = column < 0
        else:
            column = np.full(len(active), -1, dtype=np.int32)
            rows = np.flatnonzero(active)
            if len(rows):
                column[rows] = choice.draw(draw.columns, numbers, rows)
            failed = active & (column < 0)
        draw.columns.append(column)
        draw.refuse(failed, f"no candidate for {choice.node.path}")


def _content_pairs(plan: Plan) -> list[tuple[int, int, I64, I64]]:
    """Pair the nodes whose content words must differ, with the stem of each candidate, and 0 for "not active"."""
    nodes: list[tuple[int, set[str], I64]] = []
    for k, node in enumerate(plan.order):
        categories = {leaf.inventory.category for leaf in node.leaves if leaf.inventory.content}
        if categories:
            # An adjective may be a form of a verb (broken), and then has its stem.
            kinds = {"V" if category == "A" else category for category in categories}
            nodes.append((k, kinds, node.domain.once("stems", partial(_stems, node.domain))))
    return [
        (a, b, stems_a, stems_b)
        for (a, kinds_a, stems_a), (b, kinds_b, stems_b) in combinations(nodes, 2)
        if kinds_a & kinds_b and not _one_word(plan, plan.order[a], plan.order[b])
    ]


def _one_word(plan: Plan, a: Node, b: Node) -> bool:
    """Whether one slot asks for the lemma of the other, or its stem: a word in two tenses, frames or degrees."""
    tied = ((plan.specs[x.path].ties, y.path) for x, y in ((a, b), (b, a)) if x.path in plan.specs)
    return any(ties.get(feature) == ("same", path) for ties, path in tied for feature in ("lemma", "stem"))


def _stems(domain: Domain) -> I64:
    parts = [
        leaf.inventory.stems[leaf.candidates]
        if leaf.inventory.content
        else np.zeros(len(leaf.candidates), dtype=np.int64)
        for leaf in domain.leaves
    ]
    return np.concatenate([*parts, np.zeros(1, dtype=np.int64)])
