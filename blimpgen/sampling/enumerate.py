"""Enumeration: all assignments of a plan, first node outermost, candidates in table order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan.plan import Columns
from blimpgen.sampling.sampler import Sampler

__all__ = ["SMALL", "enumerate_all", "enumerate_up_to"]

SMALL = 1 << 16
"""A cell with at most so many assignments is enumerated, not drawn."""

I64 = NDArray[np.int64]


def enumerate_all(sampler: Sampler) -> Columns:
    """Enumerate the columns of all assignments, in order."""
    columns = enumerate_up_to(sampler, None)
    return columns if columns is not None else []


def enumerate_up_to(sampler: Sampler, limit: int | None) -> Columns | None:
    """Enumerate the columns of all assignments, in order; None as soon as there are more than a limit.

    Candidates of a node that is not active are the single value -1.

    Args:
        sampler: the sampler of the cell.
        limit: how many assignments there may be; None for any number.
    """
    columns: Columns = []
    size = 1
    for choice in sampler.choices:
        start = columns or [np.zeros(1, dtype=np.int32)]
        if choice.node.parent is None and not choice.positions:
            _, counts, pool = choice.spans([np.zeros(1, dtype=np.int32)])
            count = int(counts[0])
            if limit is not None and size * count > limit:
                return None
            columns = [*(np.repeat(c, count) for c in columns), np.tile(pool[:count], size)]
        else:
            active = sampler.active(choice.node, columns)
            rows = np.arange(size) if active is None else np.flatnonzero(active)
            if limit is not None and choice.exceeds([c[rows] for c in start], limit - size + len(rows)):
                return None
            columns = _extended(columns, size, rows, *choice.spans([c[rows] for c in start]))
        size = len(columns[-1])
    fitting = np.ones(size, dtype=bool)
    for a, b, stems_a, stems_b in sampler.content:
        stem = stems_a[columns[a]]
        fitting &= (stem != stems_b[columns[b]]) | (stem == 0)
    for places, trio in sampler.trios:
        fitting &= ~trio.apart([columns[k] for k in places])
    return columns if fitting.all() else [c[fitting] for c in columns]


def _extended(columns: Columns, size: int, rows: I64, begins: I64, counts: I64, pool: NDArray[np.int32]) -> Columns:
    """Continue every assignment so far with each candidate of the next node.

    Args:
        columns: the assignments so far, shape (size,) each.
        size: how many there are.
        rows: those that have the node.
        begins, counts: where the candidates of these rows begin in the pool, and how many they are.
        pool: the candidates.
    """
    all_counts = np.ones(size, dtype=np.int64)
    all_counts[rows] = counts
    all_begins = np.full(size, -1, dtype=np.int64)
    all_begins[rows] = begins
    origin = np.repeat(np.arange(size), all_counts)
    within = np.arange(len(origin)) - np.repeat(np.cumsum(all_counts) - all_counts, all_counts)
    drawn = np.full(len(origin), -1, dtype=np.int32)
    has_node = all_begins[origin] >= 0
    drawn[has_node] = pool[(all_begins[origin] + within)[has_node]]
    return [*(c[origin] for c in columns), drawn]
