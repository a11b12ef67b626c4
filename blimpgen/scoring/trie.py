"""Prefix tries of token sequences, laid out in rows, so that a prefix that sentences share is computed once.

The nodes of a trie stand in the order in which a walk enters them. So the descendants of a node stand right behind it,
and a node attends to another one exactly if it lies in that one's range: `Row.ends` is all that the attention mask
needs. Positions are depths.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["Row", "matrix_of", "pack", "pad"]


@dataclass(frozen=True)
class Row:
    """A trie of some sequences.

    Attributes:
        tokens: token of each node.
        depths: its position in its sequences, from 0.
        ends: number of the first node behind its descendants.
        numbers: of the sequences.
        lengths: of these.
        paths: sequences x the longest of all: the nodes of each; what stands behind its length means nothing.
    """

    tokens: NDArray[np.int64]
    depths: NDArray[np.int64]
    ends: NDArray[np.int64]
    numbers: NDArray[np.int64]
    lengths: NDArray[np.int64]
    paths: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.tokens)


def matrix_of(sequences: Sequence[tuple[int, ...]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the tokens of sequences, sequences x the longest and filled up with -1, and their lengths.

    Args:
        sequences: token sequences.
    """
    lengths = np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences))
    matrix = np.full((len(sequences), lengths.max(initial=0)), -1, dtype=np.int64)
    flat = np.fromiter(chain.from_iterable(sequences), dtype=np.int64, count=int(lengths.sum()))
    matrix[np.arange(matrix.shape[1]) < lengths[:, None]] = flat
    return matrix, lengths


def pack(sequences: Sequence[tuple[int, ...]], width: int) -> list[Row]:
    """Lay sequences out in tries of at most `width` nodes; one that is longer has a row of its own.

    Args:
        sequences: token sequences; the order does not matter, and equal ones share all nodes.
        width: nodes a row.
    """
    order = sorted(range(len(sequences)), key=sequences.__getitem__)
    matrix, lengths = matrix_of([sequences[k] for k in order])
    shared = _common_beginnings(matrix, lengths)
    begins = np.zeros(len(order), dtype=bool)
    nodes = 0
    for k, (length, common) in enumerate(zip(lengths.tolist(), shared.tolist(), strict=True)):
        if not nodes or nodes + length - common > width:
            begins[k], nodes, common = True, 0, 0
        nodes += length - common
    return _rows(np.array(order, dtype=np.int64), matrix, lengths, np.where(begins, 0, shared), begins)


def pad(sequences: Sequence[tuple[int, ...]]) -> list[Row]:
    """Lay each sequence out in a row of its own.

    Args:
        sequences: token sequences.
    """
    n = len(sequences)
    return _rows(np.arange(n), *matrix_of(sequences), np.zeros(n, dtype=np.int64), np.ones(n, dtype=bool))


def _common_beginnings(matrix: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many tokens each sequence shares with the one before it, at the beginning."""
    shared = np.zeros(len(matrix), dtype=np.int64)
    if len(matrix) > 1:
        alike = np.logical_and.accumulate(matrix[1:] == matrix[:-1], axis=1).sum(axis=1)
        shared[1:] = np.minimum(alike, np.minimum(lengths[1:], lengths[:-1]))
    return shared


def _rows(
    numbers: NDArray[np.int64],
    matrix: NDArray[np.int64],
    lengths: NDArray[np.int64],
    shared: NDArray[np.int64],
    begins: NDArray[np.bool_],
) -> list[Row]:
    """Number the nodes of sequences that stand in the order of their tries.

    Args:
        numbers: of the sequences.
        matrix, lengths: their tokens.
        shared: how many nodes each has in common with the one before it.
        begins: whether it is the first of a row.
    """
    depth = np.arange(matrix.shape[1])
    adds = (depth >= shared[:, None]) & (depth < lengths[:, None])
    first = np.concatenate(([0], np.cumsum(lengths - shared)))
    # A sequence goes through the last node that was added at each depth; numbers of nodes only grow.
    paths = np.maximum.accumulate(np.where(adds, first[:-1, None] + depth - shared[:, None], -1), axis=0)
    # A node ends where the next sequence leaves it: shares fewer nodes than its depth.
    leaves = np.where(shared[:, None] <= depth, first[:-1, None], first[-1])
    later = np.full_like(leaves, first[-1])
    later[:-1] = np.minimum.accumulate(leaves[:0:-1], axis=0)[::-1]
    tokens, depths, ends = matrix[adds], np.broadcast_to(depth, adds.shape)[adds], later[adds]
    rows = []
    for a, b in pairwise([*np.flatnonzero(begins).tolist(), len(matrix)]):
        start, stop = int(first[a]), int(first[b])
        part, nodes = slice(a, b), slice(start, stop)
        rows.append(
            Row(tokens[nodes], depths[nodes], ends[nodes] - start, numbers[part], lengths[part], paths[part] - start)
        )
    return rows
