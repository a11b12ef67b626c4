"""Enumeration: all assignments of a plan, first node outermost, candidates in table order."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blimpgen.sampling.sampler import Sampler

__all__ = ["SMALL", "enumerate_all", "enumerate_up_to"]

SMALL = 1 << 16


def enumerate_all(sampler: Sampler) -> list[NDArray[np.int32]]:
    """The columns of all assignments, in order."""
    columns = enumerate_up_to(sampler, None)
    return columns if columns is not None else []


def enumerate_up_to(sampler: Sampler, limit: int | None) -> list[NDArray[np.int32]] | None:
    """The columns of all assignments, in order; None as soon as there are more than `limit`.

    Candidates of a node that is not active are the single value -1.
    """
    columns: list[NDArray[np.int32]] = []
    size = 1
    for choice in sampler.choices:
        if choice.node.parent is None and not choice.positions:
            # A slot that depends on nothing: the same candidates in every row.
            _, found, pool = choice.candidates([np.zeros(1, dtype=np.int32)])
            if limit is not None and size * int(found[0]) > limit:
                return None
            columns = [np.repeat(c, found[0]) for c in columns]
            columns.append(np.tile(pool[: found[0]], size))
            size *= int(found[0])
            continue
        start = columns or [np.zeros(1, dtype=np.int32)]
        active = sampler.active(choice.node, columns)
        where = np.arange(size) if active is None else np.flatnonzero(active)
        above = [c[where] for c in start]
        if limit is not None and choice.exceeds(above, limit - size + len(where)):
            return None
        counts = np.ones(size, dtype=np.int64)
        begins, found, pool = choice.candidates(above)
        counts[where] = found
        total = int(counts.sum())
        parent = np.repeat(np.arange(size), counts)
        within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        base = np.full(size, -1, dtype=np.int64)
        base[where] = begins
        drawn = np.where(
            base[parent] >= 0, pool[np.minimum(base[parent] + within, max(len(pool) - 1, 0))] if len(pool) else -1, -1
        ).astype(np.int32)
        columns = [c[parent] for c in columns] + [drawn]
        size = total
    keep = np.ones(size, dtype=bool)
    for a, b, stems_a, stems_b in sampler.content:
        stem = stems_a[columns[a]]
        keep &= (stem != stems_b[columns[b]]) | (stem == 0)
    return columns if keep.all() else [c[keep] for c in columns]
