"""How many assignments a plan has: exactly where that is cheap, otherwise by Knuth's estimate (1975) from draws."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan import Plan
from blimpgen.sampling.random import Stream, below
from blimpgen.sampling.sampler import Sampler

__all__ = ["Capacity", "estimate", "forest_count"]

DRAWS = 4096


@dataclass(frozen=True)
class Capacity:
    """A count of assignments; for an estimate with its 95 % interval. What no float can hold is infinite."""

    value: float
    low: float
    high: float

    @classmethod
    def counted(cls, count: int) -> Capacity:
        """Make a capacity of an exact count."""
        value = _float(count)
        return cls(value, value, value)

    @property
    def exact(self) -> bool:
        """Whether the count is exact."""
        return self.low == self.high

    def __add__(self, other: Capacity) -> Capacity:
        return Capacity(self.value + other.value, self.low + other.low, self.high + other.high)

    def __str__(self) -> str:
        if math.isinf(self.value):
            return "more than 1e+308"
        if self.exact:
            return f"{int(self.value):,}"
        return f"about {self.value:.2g} ({self.low:.3g}-{self.high:.3g})"


def _float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.inf


def estimate(sampler: Sampler, dealt: Mapping[str, NDArray[np.int32]], draws: int = DRAWS) -> Capacity:
    """Estimate the capacity of a cell as Knuth does: the mean of 1 / probability of the accepted draws.

    Args:
        sampler: the sampler of the cell.
        dealt: the candidates of the dealt slots, of which one each is drawn uniformly.
        draws: how many independent draws; more narrow the interval.
    """
    stream = Stream(0, "capacity")
    rows = np.arange(draws, dtype=np.uint64)
    zero = np.zeros(draws, dtype=np.uint64)
    columns, weights = {}, _Weights(draws)
    for name, candidates in dealt.items():
        size = np.full(draws, len(candidates), dtype=np.int64)
        columns[name] = candidates[below(stream.draw(rows, f"{name}#deal", zero), size)]
        weights.set(weights.mantissas * len(candidates))
    draw = sampler.draw(stream, rows, zero, columns)
    for k, choice in enumerate(sampler.choices):
        active = draw.columns[k] >= 0
        if choice.node.path not in dealt and active.any():
            earlier = [c[active] for c in draw.columns[:k]] or [np.zeros(int(active.sum()), dtype=np.int32)]
            probabilities = np.ones(draws)
            probabilities[active] = np.maximum(choice.probability(earlier, draw.columns[k][active]), 1e-300)
            weights.set(weights.mantissas / probabilities)
    return weights.mean(draw.ok)


class _Weights:
    """Weights of draws as mantissas and exponents: forty slots of nouns are beyond what a float can hold."""

    def __init__(self, count: int) -> None:
        self.mantissas = np.ones(count)
        self.exponents = np.zeros(count, dtype=np.int64)

    def set(self, mantissas: NDArray[np.float64]) -> None:
        """Set new mantissas, of any size, over the exponents that are there."""
        self.mantissas, more = np.frexp(mantissas)
        self.exponents += more

    def mean(self, accepted: NDArray[np.bool_]) -> Capacity:
        """Return the mean over all draws, with its interval; draws that are not accepted count as 0."""
        if not accepted.any():
            return Capacity.counted(0)
        largest = int(self.exponents[accepted].max())
        scaled = np.ldexp(self.mantissas, np.maximum(self.exponents - largest, -1100).astype(np.int32))
        samples = np.where(accepted, scaled, 0.0)
        mean, error = float(samples.mean()), 1.96 * float(samples.std()) / len(samples) ** 0.5
        bounds = (mean, max(mean - error, 0.0), mean + error)
        return Capacity(*(_ldexp(bound, largest) for bound in bounds))


def _ldexp(mantissa: float, exponent: int) -> float:
    try:
        return math.ldexp(mantissa, exponent)
    except OverflowError:
        return math.inf


class _Edge(NamedTuple):
    """A constraint as a node sees it: the other node, the classes of its candidates and of its own, the table."""

    other: int
    other_classes: NDArray[np.int32]
    classes: NDArray[np.int32]
    table: NDArray[np.bool_]


def forest_count(plan: Plan) -> int | None:
    """Count the assignments exactly if the constraints form a forest and nothing else refuses; None otherwise."""
    if any(node.parent is not None for node in plan.order):
        return None
    edges = _edges(plan)
    if any(len({edge.other for edge in edges_of_node}) != len(edges_of_node) for edges_of_node in edges):
        return None
    visited: set[int] = set()
    total, trees = 1, 0
    for root in range(len(plan.order)):
        if root not in visited:
            trees += 1
            total *= sum(_assignments_below(root, plan, edges, visited))
    return total if sum(map(len, edges)) // 2 == len(plan.order) - trees else None


def _edges(plan: Plan) -> list[list[_Edge]]:
    """Return the edges of each node."""
    edges: list[list[_Edge]] = [[] for _ in plan.order]
    for c in plan.constraints:
        if c.a is not c.b and not c.induced:
            for node in (c.a, c.b):
                other, theirs, mine, table = c.between(node)
                edges[plan.index(node)].append(_Edge(plan.index(other), theirs, mine, table))
    return edges


def _assignments_below(node: int, plan: Plan, edges: list[list[_Edge]], visited: set[int]) -> list[int]:
    """For each candidate of a node, count the assignments of the nodes below it that go with it."""
    visited.add(node)
    counts = [int(fits) for fits in plan.masks[node]]
    for edge in edges[node]:
        if edge.other in visited:
            continue
        by_class = [0] * edge.table.shape[0]
        for number, count in zip(
            edge.other_classes[:-1].tolist(), _assignments_below(edge.other, plan, edges, visited), strict=True
        ):
            by_class[number] += count
        by_class_here = [sum(by_class[k] for k in np.flatnonzero(row).tolist()) for row in edge.table.T]
        counts = [
            count * by_class_here[number] for count, number in zip(counts, edge.classes[:-1].tolist(), strict=True)
        ]
    return counts
