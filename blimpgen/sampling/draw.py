"""Drawing assignments in columns: every row addressable by its number, every attempt by its number.

The cells of a paradigm are drawn together, node after node: what some of them draw from the same candidates, by the
same classes of what is drawn before, is drawn at once. The random numbers are addresses, so this changes no row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.sampling.random import Stream
from blimpgen.sampling.sampler import Sampler, active_under

__all__ = ["Draw", "Rows", "draw_together"]

U64 = NDArray[np.uint64]
I64 = NDArray[np.int64]
T = TypeVar("T", bound="np.generic[Any]")


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


class Rows(NamedTuple):
    """Rows of a cell that are to be drawn.

    Attributes:
        sampler: that of the cell.
        rows: row numbers, shape (n,).
        attempts: the attempt of each row, shape (n,).
        dealt: for each dealt slot its candidates, shape (n,).
    """

    sampler: Sampler
    rows: U64
    attempts: U64
    dealt: dict[str, NDArray[np.int32]]


def draw_together(stream: Stream, wanted: Sequence[Rows]) -> list[Draw]:
    """One assignment for each row of some cells; what cells draw alike is drawn at once.

    Refusals are counted for all cells with the same nodes together, at the first of them.
    """
    alike: dict[tuple[str, ...], list[int]] = {}
    for k, asked in enumerate(wanted):
        alike.setdefault(tuple(choice.node.path for choice in asked.sampler.choices), []).append(k)
    found: dict[int, Draw] = {}
    for members in alike.values():
        draws = _Together([wanted[k] for k in members]).draw(stream)
        found.update(zip(members, draws, strict=True))
    return [found[k] for k in range(len(wanted))]


class _Together:
    """Rows of cells whose plans have the same nodes, one after the other."""

    def __init__(self, parts: Sequence[Rows]) -> None:
        self.parts = parts
        self.ends = np.cumsum([0, *(len(part.rows) for part in parts)]).tolist()
        self.columns: list[NDArray[np.int32]] = []
        self.ok = np.ones(self.ends[-1], dtype=bool)
        self.refusals: Counter[str] = Counter()

    def draw(self, stream: Stream) -> list[Draw]:
        """Draw one assignment a row, node after node."""
        numbers = self._numbers(stream)
        for k, choice in enumerate(self.parts[0].sampler.choices):
            if choice.node.path in self.parts[0].dealt:
                self.columns.append(_joined([part.dealt[choice.node.path] for part in self.parts]))
            else:
                self.columns.append(self._column(k, numbers[k]))
        self._refuse_repetitions()
        slices = [slice(*ends) for ends in pairwise(self.ends)]
        counts = [self.refusals, *(Counter[str]() for _ in slices[1:])]
        return [
            Draw([column[part] for column in self.columns], self.ok[part], refusals)
            for part, refusals in zip(slices, counts, strict=True)
        ]

    def _numbers(self, stream: Stream) -> dict[int, U64]:
        """The random numbers of each choice that is not dealt, shape (paths, rows)."""
        paths = {
            k: max((part.sampler.choices[k].paths for part in self.parts), key=len)
            for k, choice in enumerate(self.parts[0].sampler.choices)
            if choice.node.path not in self.parts[0].dealt
        }
        rows, attempts = _joined([part.rows for part in self.parts]), _joined([part.attempts for part in self.parts])
        drawn = stream.draws(rows, [path for found in paths.values() for path in found], attempts)
        ends = np.cumsum([len(found) for found in paths.values()]).tolist()
        return {k: drawn[end - len(found) : end] for (k, found), end in zip(paths.items(), ends, strict=True)}

    def _column(self, k: int, numbers: U64) -> NDArray[np.int32]:
        """What is drawn for a node."""
        alike: dict[tuple[int, ...], list[int]] = {}
        for number, part in enumerate(self.parts):
            alike.setdefault(part.sampler.choices[k].key, []).append(number)
        if len(alike) == 1:
            return self._drawn(k, self.parts[0].sampler, numbers, None)
        column = np.empty(len(self.ok), dtype=np.int32)
        for members in alike.values():
            where = self._where(members)
            column[where] = self._drawn(k, self.parts[members[0]].sampler, numbers, where)
        return column

    def _where(self, members: list[int]) -> I64:
        """The rows of some cells."""
        return np.concatenate([np.arange(self.ends[number], self.ends[number + 1]) for number in members])

    def _drawn(self, k: int, sampler: Sampler, numbers: U64, where: I64 | None) -> NDArray[np.int32]:
        choice = sampler.choices[k]
        node = choice.node
        active = None
        if node.parent is not None:
            above = self.columns[sampler.position[node.parent]]
            active = active_under(node, above if where is None else above[where])
        if active is None or active.all():
            drawn = choice.draw(self.columns, numbers, where)
            failed = drawn < 0
        else:
            rows = np.flatnonzero(active) if where is None else where[active]
            drawn = np.full(len(active), -1, dtype=np.int32)
            if len(rows):
                drawn[active] = choice.draw(self.columns, numbers, rows)
            failed = active & (drawn < 0)
        if failed.any():
            self._refuse(failed, where, f"no candidate for {node.path}")
        return drawn

    def _refuse_repetitions(self) -> None:
        alike: dict[tuple[int, int, int, int], tuple[I64, I64, list[int]]] = {}
        for number, part in enumerate(self.parts):
            for a, b, stems_a, stems_b in part.sampler.content:
                alike.setdefault((a, b, id(stems_a), id(stems_b)), (stems_a, stems_b, []))[2].append(number)
        for (a, b, *_), (stems_a, stems_b, members) in alike.items():
            where = None if len(members) == len(self.parts) else self._where(members)
            first, second = (self.columns[k] if where is None else self.columns[k][where] for k in (a, b))
            stem = stems_a[first]
            same = (stem == stems_b[second]) & (stem != 0)
            if same.any():
                self._refuse(same, where, "the same word twice")

    def _refuse(self, refused: NDArray[np.bool_], where: I64 | None, reason: str) -> None:
        """Refuse some rows, given among those at `where`; a row is counted for the first reason."""
        rows = np.flatnonzero(refused) if where is None else where[refused]
        rows = rows[self.ok[rows]]
        if len(rows):
            self.refusals[reason] += len(rows)
            self.ok[rows] = False


def _joined(parts: list[NDArray[T]]) -> NDArray[T]:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
