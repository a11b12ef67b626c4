"""Sharing between the cells of a paradigm: equal arrays are one, so what is found out of one holds of all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.memo import Memo
from blimpgen.plan.plan import Plan

__all__ = ["SharedArrays"]

A = TypeVar("A", bound=NDArray[Any])


class SharedArrays:
    """The arrays of some plans, each content once."""

    def __init__(self) -> None:
        self._shared: Memo[NDArray[Any]] = Memo()
        self._by_content: dict[tuple[np.dtype[Any], tuple[int, ...], bytes], NDArray[Any]] = {}

    def share(self, plan: Plan) -> Plan:
        """The plan, with the masks and constraints that an earlier one has too taken from there."""
        plan.masks = [self._one(mask) for mask in plan.masks]
        plan.constraints = [
            replace(c, classes_a=self._one(c.classes_a), classes_b=self._one(c.classes_b), allowed=self._one(c.allowed))
            for c in plan.constraints
        ]
        plan.trios = [
            replace(t, classes=tuple(map(self._one, t.classes)), scenes=tuple(map(self._one, t.scenes)))
            for t in plan.trios
        ]
        return plan

    def _one(self, array: A) -> A:
        def first() -> NDArray[Any]:
            return self._by_content.setdefault((array.dtype, array.shape, array.tobytes()), array)

        return cast("A", self._shared.once(first, array))
