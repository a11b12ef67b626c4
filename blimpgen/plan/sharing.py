"""Sharing between the cells of a paradigm: equal arrays are one, so what is found out of one holds of all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.plan.model import Plan

__all__ = ["SharedArrays"]

A = TypeVar("A", bound=NDArray[Any])


class SharedArrays:
    """The arrays of some plans, each content once."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[NDArray[Any], NDArray[Any]]] = {}
        self._found: dict[tuple[np.dtype[Any], tuple[int, ...], bytes], NDArray[Any]] = {}

    def share(self, plan: Plan) -> Plan:
        """The plan, with the masks and constraints that an earlier one has too taken from there."""
        plan.masks = [self._one(mask) for mask in plan.masks]
        plan.constraints = [
            replace(c, classes_a=self._one(c.classes_a), classes_b=self._one(c.classes_b), allowed=self._one(c.allowed))
            for c in plan.constraints
        ]
        return plan

    def _one(self, array: A) -> A:
        if id(array) not in self._seen:
            content = array.dtype, array.shape, array.tobytes()
            self._seen[id(array)] = array, self._found.setdefault(content, array)
        found: A = self._seen[id(array)][1]  # type: ignore[assignment]
        return found
