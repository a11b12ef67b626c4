"""Prefix tries of token sequences, laid out in rows, so that a prefix that sentences share is computed once.

The nodes of a trie stand in the order in which a walk enters them. So the descendants of a node stand right behind it,
and a node attends to another one exactly if it lies in that one's range: `Row.ends` is all that the attention mask
needs. Positions are depths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

__all__ = ["Row", "pack", "pad"]


@dataclass
class Row:
    """A trie of some sequences.

    Attributes:
        tokens: token of each node.
        depths: its position in its sequences, from 0.
        ends: number of the first node behind its descendants.
        paths: number of a sequence to its nodes.
    """

    tokens: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    paths: dict[int, list[int]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.tokens)

    def _leave(self, path: list[int], depth: int) -> None:
        """Close the nodes of a path from a depth on."""
        for node in path[depth:]:
            self.ends[node] = len(self.tokens)

    def _enter(self, number: int, sequence: Sequence[int], path: list[int], depth: int) -> list[int]:
        """Add a sequence that shares the first `depth` nodes of `path`; its own path."""
        first = len(self.tokens)
        self._leave(path, depth)
        self.tokens.extend(sequence[depth:])
        self.depths.extend(range(depth, len(sequence)))
        self.ends.extend([0] * (len(sequence) - depth))
        self.paths[number] = path[:depth] + list(range(first, len(self.tokens)))
        return self.paths[number]


def pack(sequences: Sequence[Sequence[int]], width: int) -> Iterator[Row]:
    """Lay sequences out in tries of at most `width` nodes; one that is longer has a row of its own.

    Args:
        sequences: token sequences; the order does not matter, and equal ones share all nodes.
        width: nodes a row.
    """
    row, path = Row(), list[int]()
    last: Sequence[int] = ()
    for number in sorted(range(len(sequences)), key=lambda k: [*sequences[k]]):
        sequence = sequences[number]
        shared = _common(last, sequence)
        if len(row) and len(row) + len(sequence) - shared > width:
            row._leave(path, 0)
            yield row
            row, path, shared = Row(), [], 0
        path = row._enter(number, sequence, path, shared)
        last = sequence
    if len(row):
        row._leave(path, 0)
        yield row


def _common(a: Sequence[int], b: Sequence[int]) -> int:
    """How many tokens two sequences share at the beginning."""
    for k, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return k
    return min(len(a), len(b))


def pad(sequences: Sequence[Sequence[int]]) -> Iterator[Row]:
    """One row a sequence."""
    for number, sequence in enumerate(sequences):
        n = len(sequence)
        yield Row(list(sequence), list(range(n)), [n] * n, {number: list(range(n))})
