"""How many assignments a plan has: exactly where that is cheap, otherwise by Knuth's estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan import Plan
from blimpgen.sampling.draw import Draw, Rows, draw_together
from blimpgen.sampling.random import Stream
from blimpgen.sampling.sampler import Sampler

__all__ = ["Capacity", "estimates", "forest_count"]

DRAWS = 4096


@dataclass(frozen=True)
class Capacity:
    """A count of assignments; for an estimate with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether the count is exact."""
        return self.low == self.high

    def __add__(self, other: Capacity) -> Capacity:
        return Capacity(self.value + other.value, self.low + other.low, self.high + other.high)

    def __str__(self) -> str:
        if self.exact:
            return f"{int(self.value):,}"
        return f"about {self.value:.2g} ({self.low:.3g}-{self.high:.3g})"


def estimates(cells: Sequence[tuple[Sampler, Mapping[str, NDArray[np.int32]]]], draws: int = DRAWS) -> list[Capacity]:
    """Knuth's estimate over independent draws: the mean of 1/probability of the accepted ones.

    Args:
        cells: for each its sampler, and the candidates of the dealt slots, of which one each is drawn uniformly.
        draws: how many for each; more narrow the interval.
    """
    stream = Stream(0, "capacity")
    rows = np.arange(draws, dtype=np.uint64)
    zero = np.zeros(draws, dtype=np.uint64)
    wanted, weights = [], []
    for sampler, dealt in cells:
        given, weight = {}, np.ones(draws)
        for name, candidates in dealt.items():
            u = stream.draw(rows, f"{name}#deal", zero)
            given[name] = candidates[((u * np.uint64(len(candidates))) >> np.uint64(32)).astype(np.int64)]
            weight *= len(candidates)
        wanted.append(Rows(sampler, rows, zero, given))
        weights.append(weight)
    drawn = draw_together(stream, wanted)
    return [_estimate(*found) for found in zip(wanted, weights, drawn, strict=True)]


def _estimate(asked: Rows, weight: NDArray[np.float64], draw: Draw) -> Capacity:
    """The estimate of a cell from what was drawn; the weights are those of the dealt slots."""
    for k, choice in enumerate(asked.sampler.choices):
        if choice.node.path in asked.dealt:
            continue
        active = draw.columns[k] >= 0
        if active.any():
            columns = [c[active] for c in draw.columns[:k]] or [np.zeros(int(active.sum()), dtype=np.int32)]
            weight[active] /= np.maximum(choice.probability(columns, draw.columns[k][active]), 1e-300)
    samples = np.where(draw.ok, weight, 0.0)
    mean, error = float(samples.mean()), 1.96 * float(samples.std()) / len(samples) ** 0.5
    return Capacity(mean, max(mean - error, 0.0), mean + error)


def forest_count(plan: Plan) -> int | None:
    """The exact number of assignments if the constraints form a forest and nothing else refuses; else None."""
    if any(node.parent is not None for node in plan.order):
        return None
    neighbours: dict[int, list[tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]]] = {}
    edges = set()
    for k, node in enumerate(plan.order):
        for c in plan.constraints:
            if node in (c.a, c.b) and c.a is not c.b and not c.induced:
                other, theirs, own, table = c.between(node)
                edges.add(frozenset((k, plan.index(other))))
                neighbours.setdefault(k, []).append((plan.index(other), theirs, own, table))
    if any(len({j for j, *_ in found}) != len(found) for found in neighbours.values()):
        return None
    seen: set[int] = set()
    total = 1
    components = 0
    for root in range(len(plan.order)):
        if root not in seen:
            components += 1
            weights = _message(root, -1, plan, neighbours, seen)
            total *= sum(int(w) for w in weights)
    return total if len(edges) == len(plan.order) - components else None


def _message(
    node: int,
    parent: int,
    plan: Plan,
    neighbours: dict[int, list[tuple[int, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]]],
    seen: set[int],
) -> NDArray[np.object_]:
    """For each candidate of a node, how many assignments of the subtree below go with it."""
    seen.add(node)
    weights = plan.masks[node].astype(object)
    for other, theirs, own, table in neighbours.get(node, ()):
        if other == parent or other in seen:
            continue
        below = _message(other, node, plan, neighbours, seen)
        by_class = np.zeros(table.shape[0], dtype=object)
        for k, w in zip(theirs[:-1].tolist(), below.tolist(), strict=True):
            by_class[k] += int(w)
        weights = weights * (table.T.astype(object) @ by_class)[own[:-1]]
    return np.asarray(weights)
