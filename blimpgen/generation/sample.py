"""Rows that show every kind of word: a sample in which no reading is missing that a slot could bring in.

Words of a slot that have the same readings are of one *kind*: the grammar cannot tell them apart. A sample of drawn
rows shows the frequent kinds. For the others the slot is narrowed to one word a kind, and rows are drawn with these.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.lexicon.validation import OPEN_CLASSES
from blimpgen.plan import Node
from blimpgen.plan.lookahead import look_ahead
from blimpgen.realize import Columns
from blimpgen.sampling import Sampler, Stream

__all__ = ["rows_of_every_kind"]

_TRIES = 8  # rows for each kind: a word may be refused because another slot has it too


def rows_of_every_kind(compiled: CompiledParadigm, number: int, n: int) -> Iterator[Columns]:
    """Draw rows of a cell, and more rows with a word of each kind that they do not show.

    Args:
        compiled: the paradigm.
        number: the number of the cell.
        n: how many rows are drawn from all words.

    Yields:
        For each node the candidates of some rows.

    Raises:
        DataError: the cell has no assignment.
    """
    cell = compiled.cells[number]
    columns = compiled.sample(number, n if cell.enumerated is None else min(n, len(cell.enumerated[0])))
    yield columns
    for node in _contrasting(cell):
        kinds = _kinds(cell, node)
        position = cell.plan.index(node)
        shown = {kinds[k] for k in columns[position].tolist() if k >= 0}
        missing = {kind: k for k, kind in kinds.items() if kind not in shown and cell.plan.masks[position][k]}
        candidates = np.array(sorted(missing.values()), dtype=np.int64)
        if not len(candidates):
            continue
        if cell.enumerated is None:
            yield from _narrowed(compiled, cell, node, candidates)
        else:
            present, rows = np.unique(cell.enumerated[position], return_index=True)
            rows = rows[np.isin(present, candidates)]
            yield [column[rows] for column in cell.enumerated]


def _contrasting(cell: CompiledCell) -> Iterator[Node]:
    """The slots of open-class words that not all sentences have in one form; all if only the order differs."""
    tokens = [set(tokens) for tokens in cell.plan.tokens.values()]
    common = set.intersection(*tokens)
    slots = {token.slot for each in tokens for token in each - common if token.slot}
    for name, node in cell.plan.slots.items():
        is_open = any(leaf.inventory.category in OPEN_CLASSES.values() for leaf in node.leaves)
        if is_open and not node.rows and (name in slots or not slots):
            yield node


def _kinds(cell: CompiledCell, node: Node) -> dict[int, tuple[int, int]]:
    """The kind of each candidate of a node: its leaf, and the kind of its lexeme."""
    entries = cell.language.entries
    return {
        k: (leaf, entries.kind(node.leaves[leaf].inventory.category, lexeme))
        for k, (leaf, lexeme) in enumerate(zip(node.leaf.tolist(), node.lexeme.tolist(), strict=True))
    }


def _narrowed(
    compiled: CompiledParadigm, cell: CompiledCell, node: Node, candidates: NDArray[np.int64]
) -> Iterator[Columns]:
    """Rows in which a node has one of some candidates; none if nothing goes with them."""
    plan = copy(cell.plan)
    plan.masks = [mask.copy() for mask in plan.masks]
    position = plan.index(node)
    plan.masks[position] &= np.isin(np.arange(node.size), candidates)
    try:
        look_ahead(plan)
    except DataError:
        return
    rows = np.arange(len(candidates) * _TRIES, dtype=np.uint64)
    draw = Sampler(plan).draw(Stream(0, compiled.paradigm.uid), rows, np.zeros_like(rows))
    if draw.ok.any():
        yield draw.take(draw.ok)
