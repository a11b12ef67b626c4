"""Why rows are refused: which slots come out with the same word, or which word leaves nothing for another slot."""

from __future__ import annotations

from collections import Counter

import numpy as np

from blimpgen.plan import Node
from blimpgen.plan.plan import Columns
from blimpgen.sampling.random import Stream
from blimpgen.sampling.sampler import Sampler

__all__ = ["refused_words"]

_ROWS = 256


def refused_words(sampler: Sampler, *, repeating: bool = True) -> str:
    """Say of which slots with which words most rows of a cell are refused; empty if none are.

    Args:
        sampler: the choices of the cell.
        repeating: look at rows too that have a word twice.
    """
    rows = np.arange(_ROWS, dtype=np.uint64)
    columns = sampler.draw(Stream(0, "refused"), rows, np.zeros_like(rows)).columns
    refused: Counter[str] = Counter()
    repeats = np.zeros(_ROWS, dtype=bool)
    for a, b, stems_a, stems_b in sampler.content:
        stem = stems_a[columns[a]]
        same = (stem == stems_b[columns[b]]) & (stem != 0)
        repeats |= same
        for row in np.flatnonzero(same).tolist() if repeating else ():
            nodes = sampler.plan.order[a], sampler.plan.order[b]
            word = nodes[0].lemma(int(columns[a][row]))
            refused[f"{nodes[0].path!r} and {nodes[1].path!r} have the same word, {word}"] += 1
    for choice, column in zip(sampler.choices, columns, strict=True):
        active = sampler.active(choice.node, columns)
        failed = column < 0 if active is None else active & (column < 0)
        for row in np.flatnonzero(failed if repeating else failed & ~repeats).tolist():
            beside = _beside(sampler, choice.node, columns, row)
            refused[f"no word is left for {choice.node.path!r} beside {beside}"] += 1
    for places, trio in sampler.trios:
        apart = trio.apart([columns[k] for k in places])
        for row in np.flatnonzero(apart if repeating else apart & ~repeats).tolist():
            words = (
                f"{node.path!r} {node.lemma(int(columns[k][row]))}" for k, node in zip(places, trio.nodes, strict=True)
            )
            refused[f"{', '.join(words)} are {trio.fault}"] += 1
    return refused.most_common(1)[0][0] if refused else ""


def _beside(sampler: Sampler, node: Node, columns: Columns, row: int) -> str:
    """The words of a row that restrict a node, each with its slot."""
    partners = (c.between(node)[0] for c in sampler.plan.constraints if node in (c.a, c.b))
    words = {
        other.path: other.lemma(int(columns[k][row]))
        for other in partners
        if (k := sampler.position[other]) < sampler.position[node] and columns[k][row] >= 0
    }
    return ", ".join(f"{path!r} {word}" for path, word in words.items()) or "what was drawn before"
