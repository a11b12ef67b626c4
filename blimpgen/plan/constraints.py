"""Binary constraints between nodes, as tables over classes of candidates.

A constraint says which class of one node goes with which class of another. It holds only where both nodes are
active; the last entry of each class array stands for "not active" and goes with everything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.memo import Memo
from blimpgen.plan.nodes import Node

__all__ = [
    "U64",
    "BitTable",
    "Constraint",
    "Meeting",
    "Merged",
    "Trio",
    "TrioFault",
    "conjoined",
    "constraint",
    "distinct_columns",
    "distinct_rows",
    "has_bit",
    "keyed",
    "paired",
    "share",
    "shared_bits",
]

U64: TypeAlias = NDArray[np.uint64]

Merged: TypeAlias = tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]
"""The classes of two nodes, each with one more entry for "not active", and which class goes with which."""


TrioFault: TypeAlias = Literal["of different scenes", "in the wrong order", "not compared so"]

Meeting: TypeAlias = Literal[
    "doer", "thing", "occasion", "beside", "adjunct", "contrary", "opposed", "sequel", "content", "things"
]
"""What one word is to another where they meet in a sentence that is to make sense."""


@dataclass(frozen=True)
class Constraint:
    """Which candidates of `a` go with which of `b`.

    Attributes:
        name: what it expresses, for messages: ``subject_of``.
        a, b: the nodes.
        classes_a, classes_b: class of each candidate; one more entry for "not active".
        allowed: ``allowed[class_a, class_b]``; the last row and column are all true.
        induced: whether it only follows from others, by way of a third node.
        sense: what `b` is to `a`, if it is there for sense alone, and no label rests on it.
    """

    name: str
    a: Node
    b: Node
    classes_a: NDArray[np.int32] = field(repr=False)
    classes_b: NDArray[np.int32] = field(repr=False)
    allowed: NDArray[np.bool_] = field(repr=False)
    induced: bool = False
    sense: Meeting | None = None

    def between(self, node: Node) -> tuple[Node, NDArray[np.int32], NDArray[np.int32], NDArray[np.bool_]]:
        """The other node, its classes, the classes of `node`, and the table turned to [other, node]."""
        if node is self.b:
            return self.a, self.classes_a, self.classes_b, self.allowed
        return self.b, self.classes_b, self.classes_a, self.allowed.T


@dataclass(frozen=True)
class Trio:
    """Three nodes whose words share a scene: who does something, what is done, and to what.

    Or what is done, what before or after it, and the word that says which; the scenes are turns in an order then. Or
    two things and the adjective that compares them; the scenes are their classes of peers then. It is there for sense
    alone, and no label rests on it.

    Attributes:
        nodes: the three.
        classes: of each node the class of each candidate; one more entry for "not active".
        scenes: of each node the scenes of each class, shape (classes, scenes); all of them of a general word.
        fault: what is said of words that share none.
    """

    nodes: tuple[Node, Node, Node]
    classes: tuple[NDArray[np.int32], ...] = field(repr=False)
    scenes: tuple[NDArray[np.bool_], ...] = field(repr=False)
    fault: TrioFault

    def of(self, place: int) -> U64:
        """The scenes of each candidate of one of the nodes, as bits, shape (candidates, 64-bit words).

        Args:
            place: which of the three.
        """
        return self._packed[place][self.classes[place][:-1]]

    def apart(self, columns: Sequence[NDArray[np.int32]]) -> NDArray[np.bool_]:
        """In which rows no scene has all three words.

        Args:
            columns: the candidate of each node in each row, -1 where not active.
        """
        common = [
            scenes.take(classes.take(column), axis=0)
            for scenes, classes, column in zip(self._packed, self.classes, columns, strict=True)
        ]
        return ~has_bit(common[0] & common[1] & common[2])

    @cached_property
    def _packed(self) -> tuple[U64, ...]:
        return tuple(_bits(scenes) for scenes in self.scenes)


class BitTable:
    """A table of booleans, its rows also kept as bits, so that parts of it are merged fast.

    Args:
        table: which row goes with which column.
    """

    def __init__(self, table: NDArray[np.bool_]) -> None:
        # One more row, of "nothing is asked": the class -1 finds it.
        self.table = np.concatenate([table, np.ones((1, table.shape[1]), dtype=bool)])
        self._parts: dict[tuple[bytes, bytes], tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]] = {}

    @cached_property
    def rows(self) -> U64:
        """The bits of each row."""
        return _bits(self.table)

    def merged(self, classes_a: NDArray[np.int32], classes_b: NDArray[np.int32]) -> Merged:
        """The part of the table that the classes need: equal rows and columns merged, "not active" added.

        Args:
            classes_a: the row of each candidate; -1 where nothing is asked.
            classes_b: the column of each candidate.
        """
        rows, columns = _occurring(classes_a, len(self.table)), _occurring(classes_b, self.table.shape[1])
        key = rows.tobytes(), columns.tobytes()
        if key not in self._parts:
            self._parts[key] = self._part(rows, columns)
        merged_rows, merged_columns, full = self._parts[key]
        return _coded(rows, merged_rows, classes_a), _coded(columns, merged_columns, classes_b), full

    def _part(
        self, rows: NDArray[np.bool_], columns: NDArray[np.bool_]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
        """Some rows and columns: the class of each of them, and which class goes with which."""
        first, merged_rows = _distinct(self.rows[rows] & _bits(columns[None, :])[0])
        part = _part_of(self.table, np.flatnonzero(rows)[first], np.flatnonzero(columns))
        first, merged_columns = distinct_columns(part)
        full = np.ones((len(part) + 1, len(first) + 1), dtype=bool)
        full[:-1, :-1] = part[:, first]
        return merged_rows, merged_columns, full


def _occurring(classes: NDArray[np.int32], size: int) -> NDArray[np.bool_]:
    occurring = np.zeros(size, dtype=bool)
    occurring[classes] = True
    return occurring


def _coded(occurring: NDArray[np.bool_], merged: NDArray[np.int64], classes: NDArray[np.int32]) -> NDArray[np.int32]:
    """The merged class of each candidate, and the one of "not active" at the end."""
    codes = np.zeros(len(occurring), dtype=np.int32)
    codes[occurring] = merged
    return np.append(codes[classes], np.int32(merged.max(initial=-1) + 1))


def share(a: NDArray[np.bool_], b: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which row of the one table has a column in common with which row of the other, shape (rows of a, rows of b).

    Args:
        a, b: tables with the same columns.
    """
    return shared_bits(_bits(a), _bits(b))


def shared_bits(left: U64, right: U64) -> NDArray[np.bool_]:
    """Which row of the one table has a bit in common with which row of the other, shape (rows, rows).

    Args:
        left, right: tables with the same columns, as 64-bit words.
    """
    shared = np.zeros((len(left), len(right)), dtype=bool)
    for word in range(left.shape[1]):
        shared |= (left[:, word, None] & right[:, word]) != 0
    return shared


def has_bit(words: U64) -> NDArray[np.bool_]:
    """Which rows of 64-bit words have a bit; one column at a time, since a row is short."""
    return np.asarray(reduce(np.bitwise_or, words.T) != 0)


def _bits(table: NDArray[np.bool_]) -> U64:
    """The rows of a table as 64-bit words."""
    rows, columns = table.shape
    words = -(-columns // 64)
    if columns < _NARROW:  # rows of whole words are packed in one go
        whole = np.zeros((rows, 64 * words), dtype=bool)
        whole[:, :columns] = table
        return np.packbits(whole).view(np.uint64).reshape(rows, words)
    packed = np.packbits(table, axis=1)
    padded = np.zeros((rows, 8 * words), dtype=np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view(np.uint64)


def constraint(
    name: str, a: Node, b: Node, classes_a: NDArray[np.int32], classes_b: NDArray[np.int32], allowed: NDArray[np.bool_]
) -> Constraint:
    """A constraint with its classes renumbered to those that occur, and equal rows and columns merged.

    Args:
        name: what it expresses.
        a, b: the nodes.
        classes_a: the row of each candidate of `a`; -1 where nothing is asked.
        classes_b: the column of each candidate of `b`.
        allowed: which row goes with which column.
    """
    return Constraint(name, a, b, *BitTable(allowed).merged(classes_a, classes_b))


def distinct_rows(table: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first of each set of equal rows, and for every row which of those it equals."""
    return _distinct(_bits(table))


def distinct_columns(table: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first of each set of equal columns, and for every column which of those it equals."""
    rows, columns = table.shape
    packed = np.zeros((-(-rows // 64) * 8, columns), dtype=np.uint8)
    for bit in range(8):  # eight rows to a byte, so that fewer bytes are turned
        part = table[bit::8].view(np.uint8)
        packed[: len(part)] |= part << np.uint8(bit)
    return _distinct(np.ascontiguousarray(packed.T).view(np.uint64))


def _distinct(words: U64) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The first of each set of equal rows of 64-bit words, and for every row which of those it equals."""
    if not words.size:
        return np.zeros(min(len(words), 1), dtype=np.int64), np.zeros(len(words), dtype=np.int64)
    if words.shape[1] == 1:
        hashes = words[:, 0]
    else:
        hashes = _mix(words) @ (_mix(np.arange(words.shape[1], dtype=np.uint64)) | _ODD)
    _, first, codes = np.unique(hashes, return_index=True, return_inverse=True)
    if not np.array_equal(words, words[first[codes]]):
        _, first, codes = np.unique(words, axis=0, return_index=True, return_inverse=True)
    return first.astype(np.int64), codes.reshape(-1).astype(np.int64)


def _mix(x: U64) -> U64:
    """A hash of 64-bit words; equality of rows is checked, so it need only be good."""
    x = x ^ (x >> np.uint64(31))
    x *= np.uint64(0x7FB5D329728EA185)
    mixed = x >> np.uint64(27)
    mixed ^= x
    mixed *= np.uint64(0x81DADEF4BC2DD44D)
    mixed ^= x >> np.uint64(33)
    return mixed


_ODD = np.uint64(1)
_NARROW = 512  # columns up to which it is faster to lengthen rows than to pack each by itself


def keyed(keys_a: NDArray[np.object_], keys_b: NDArray[np.object_], *, same: bool) -> Merged:
    """Classes by keys: the same ones go together, or different ones; the key "" goes with everything.

    Args:
        keys_a, keys_b: the key of each candidate.
        same: whether the same keys go together, or different ones.
    """
    values = list(dict.fromkeys([*keys_a.tolist(), *keys_b.tolist()]))
    index = {v: k for k, v in enumerate(values)}
    table = np.eye(len(values), dtype=bool) if same else ~np.eye(len(values), dtype=bool)
    if "" in index:
        table[index[""], :] = table[:, index[""]] = True
    classes = [np.array([index[v] for v in keys.tolist()], dtype=np.int32) for keys in (keys_a, keys_b)]
    return BitTable(table).merged(classes[0], classes[1])


def conjoined(first: Constraint, second: Constraint, tables: Memo[Merged]) -> Constraint:
    """Two constraints between the same nodes as one.

    Args:
        first, second: the constraints, in whatever direction.
        tables: those of other plans, which join the same arrays again and again.
    """
    merged = tables.once(
        lambda: _joined(first, *second.between(first.b)[1:]),
        *(first.classes_a, first.classes_b, first.allowed, second.classes_a, second.classes_b, second.allowed),
        key=first.b is second.b,
    )
    induced = first.induced and second.induced
    return Constraint(f"{first.name}, {second.name}", first.a, first.b, *merged, induced)


def _joined(first: Constraint, theirs: NDArray[np.int32], mine: NDArray[np.int32], table: NDArray[np.bool_]) -> Merged:
    classes_a, code_a = paired(first.classes_a, theirs, table.shape[0])
    classes_b, code_b = paired(first.classes_b, mine, table.shape[1])
    both = _part_of(first.allowed, code_a // table.shape[0], code_b // table.shape[1])
    both &= _part_of(table, code_a % table.shape[0], code_b % table.shape[1])
    return classes_a, classes_b, both


def _part_of(table: NDArray[np.bool_], rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Some rows and columns of a table; to take rows is faster, so they come last where they are repeated."""
    if len(rows) < len(table):
        return table[rows].take(columns, axis=1)
    return table.take(columns, axis=1)[rows]


def paired(x: NDArray[np.int32], y: NDArray[np.int32], width: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Number the pairs that occur.

    Args:
        x, y: two numbers of each candidate, shape (candidates,).
        width: more than any y.

    Returns:
        The class of each candidate, and of each class its code: that of x times the width, and that of y.
    """
    pairs = x.astype(np.int64) * width + y
    occurring = np.zeros(int(pairs.max(initial=-1)) + 1, dtype=bool)
    occurring[pairs] = True
    codes = np.flatnonzero(occurring)
    classes = np.zeros(len(occurring), dtype=np.int32)
    classes[codes] = np.arange(len(codes), dtype=np.int32)
    return classes[pairs], codes
