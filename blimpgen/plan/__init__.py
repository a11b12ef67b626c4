"""Plans: a paradigm's slots bound to candidate arrays and to relations between them."""

from blimpgen.plan.cells import Cell, cells
from blimpgen.plan.compiler import compile_cell, compile_cells
from blimpgen.plan.constraints import Constraint
from blimpgen.plan.nodes import Leaf, Node
from blimpgen.plan.phrases import Unroller
from blimpgen.plan.plan import Plan
from blimpgen.plan.relations import Relations
from blimpgen.plan.selection import Selection

__all__ = [
    "Cell",
    "Constraint",
    "Leaf",
    "Node",
    "Plan",
    "Relations",
    "Selection",
    "Unroller",
    "cells",
    "compile_cell",
    "compile_cells",
]
