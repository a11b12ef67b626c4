"""Nodes: the choices of a plan.

A slot is unrolled into a tree of nodes, one for its head and one for every other daughter that its rules may have.
The *domain* of a node is a flat array of candidates, ordered by *leaf*: a leaf is one way through the rules down to
a lexical category with one value for each drawn feature (``DP.det, Number=Plur``), and a candidate is a lexeme in a
leaf. Everything else about a candidate is looked up by leaf and lexeme.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.grammar.rules import Daughter, Rule
from blimpgen.lexicon import Inventory
from blimpgen.lexicon.features import split_features, write_features

__all__ = ["PLURAL", "SINGULAR", "UNKNOWN", "Domain", "Leaf", "Node"]

SINGULAR, PLURAL, UNKNOWN = 0, 1, 2

T = TypeVar("T")


@dataclass(frozen=True)
class Leaf:
    """One way down to a lexical category.

    Attributes:
        inventory: the lexemes of that category.
        path: the options taken, each with its weight, outermost first.
        features: the features fixed on the way (Number, Tense, Polarity, form, frame ...).
        rules: the rules taken, outermost first.
        candidates: lexeme numbers.
    """

    inventory: Inventory = field(repr=False)
    path: tuple[tuple[str, int], ...]
    features: dict[str, str]
    rules: tuple[Rule, ...]
    candidates: NDArray[np.int32] = field(repr=False)

    @property
    def frames(self) -> tuple[str, ...]:
        """The frames of a verb in this leaf."""
        return tuple(filter(None, self.features.get("frame", "").split("&")))

    def changed(self, change: tuple[str, str] | None) -> str | None:
        """The features of the form of an inflected word, as they are written, after a change of one of them.

        Args:
            change: a feature and its new value; ``other`` is the one other value that the list has for it.

        Returns:
            None if the list has no such form, or several.
        """
        features = dict(self.features)
        if change and change[0] not in features:
            return None
        others = [{**features, change[0]: change[1]}] if change else [features]
        if change and change[1] == "other":
            values = {cell[change[0]] for cell in map(split_features, self.inventory.forms)} - {features[change[0]]}
            others = [{**features, change[0]: value} for value in sorted(values)]
        cells = [cell for cell in map(write_features, others) if cell in self.inventory.forms]
        return cells[0] if len(cells) == 1 else None

    def daughters(self) -> Iterator[tuple[str, Daughter]]:
        """Roles and daughters besides the heads, through all rules."""
        for rule in self.rules:
            for d in rule.daughters:
                if not d.head and not d.literal:
                    yield d.role, d


@dataclass(eq=False)
class Domain:
    """The candidates of a node as columns; shared by all nodes that were asked for with the same words.

    Attributes:
        leaves: the ways down.
        rows: for a table slot: its rows.
    """

    leaves: tuple[Leaf, ...]
    rows: tuple[dict[str, str], ...] = ()
    _columns: dict[str, NDArray[np.object_]] = field(default_factory=dict, repr=False)
    _forms: dict[str, NDArray[np.int32]] = field(default_factory=dict, repr=False)
    _weights: dict[bytes, NDArray[np.int64]] = field(default_factory=dict, repr=False)
    _once: dict[Hashable, Any] = field(default_factory=dict, repr=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Something that follows from the domain alone, made once under its key.

        Args:
            key: what it is, and what else it follows from.
            make: makes it.
        """
        if key not in self._once:
            self._once[key] = make()
        result: T = self._once[key]
        return result

    @cached_property
    def leaf(self) -> NDArray[np.int32]:
        """Leaf number of each candidate."""
        if self.rows:
            return np.zeros(len(self.rows), dtype=np.int32)
        return np.repeat(np.arange(len(self.leaves), dtype=np.int32), [len(x.candidates) for x in self.leaves])

    @cached_property
    def starts(self) -> NDArray[np.int64]:
        """Where the candidates of each leaf begin; without leaves, as in a slot of words or of a table, at 0."""
        return np.searchsorted(self.leaf, np.arange(max(len(self.leaves), 1)))

    @cached_property
    def lexeme(self) -> NDArray[np.int32]:
        """Lexeme number of each candidate."""
        if self.rows:
            return np.arange(len(self.rows), dtype=np.int32)
        return np.concatenate([x.candidates for x in self.leaves]) if self.leaves else np.zeros(0, dtype=np.int32)

    @cached_property
    def number(self) -> NDArray[np.int8]:
        """Grammatical number of each candidate: SINGULAR, PLURAL or UNKNOWN."""
        result = np.full(len(self.lexeme), UNKNOWN, dtype=np.int8)
        for k, leaf in enumerate(self.leaves):
            where = self.leaf == k
            if "Number" in leaf.features:
                result[where] = _NUMBER.get(leaf.features["Number"], UNKNOWN)
            elif "Number" in leaf.inventory.columns:
                cells = leaf.inventory.columns["Number"][leaf.candidates]
                result[where] = [_NUMBER.get(c, UNKNOWN) for c in cells]
        return result

    @cached_property
    def nominal(self) -> NDArray[np.bool_]:
        """Whether each candidate is a noun or a name."""
        if not self.leaves:  # the rows of a table are words of no category
            return np.zeros(len(self.lexeme), dtype=bool)
        return np.array([leaf.inventory.category in ("N", "Name") for leaf in self.leaves], dtype=bool)[self.leaf]

    def column(self, name: str) -> NDArray[np.object_]:
        """A feature or lexicon column of each candidate; empty where it does not apply."""
        if name not in self._columns:
            parts = [
                np.full(len(leaf.candidates), leaf.features[name], dtype=object)
                if name in leaf.features
                else leaf.inventory.columns[name][leaf.candidates]
                if name in leaf.inventory.columns
                else np.full(len(leaf.candidates), "", dtype=object)
                for leaf in self.leaves
            ]
            self._columns[name] = np.concatenate(parts) if parts else np.full(len(self.lexeme), "", dtype=object)
        return self._columns[name]

    def forms(self, cell: str) -> NDArray[np.int32]:
        """The string number of each candidate in a form cell; 0, the empty string, where it has no such cell."""
        if cell not in self._forms:
            parts = [
                leaf.inventory.forms[cell][leaf.candidates]
                if cell in leaf.inventory.forms
                else np.zeros(len(leaf.candidates), dtype=np.int32)
                for leaf in self.leaves
            ]
            self._forms[cell] = np.concatenate(parts) if parts else np.zeros(len(self.lexeme), dtype=np.int32)
        return self._forms[cell]

    def weights(self, available: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Integer weights of the leaves, cumulated: on each level an option weighs against those that are available.

        Args:
            available: which leaves have candidates.
        """
        pattern = available.tobytes()
        if pattern not in self._weights:
            self._weights[pattern] = _cumulative(self.leaves, available)
        return self._weights[pattern]


def _cumulative(leaves: tuple[Leaf, ...], available: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The weights of some leaves, cumulated; a slot of words or of a table has no leaves and one weight."""
    paths = {k: leaves[k].path if leaves else () for k in np.flatnonzero(available).tolist()}
    rivals: dict[tuple[str, ...], set[tuple[str, int]]] = {}
    for path in paths.values():
        for depth, option in enumerate(path):
            rivals.setdefault(tuple(o for o, _ in path[:depth]), set()).add(option)
    sums = {prefix: sum(weight for _, weight in options) for prefix, options in rivals.items()}
    share = {}
    for k, path in paths.items():
        of = math.prod(sums[tuple(o for o, _ in path[:depth])] for depth in range(len(path)))
        share[k] = Fraction(math.prod(weight for _, weight in path), of)
    scale = min(math.lcm(*(f.denominator for f in share.values())), _MOST)
    weights = np.zeros(len(available), dtype=np.int64)
    for k, value in share.items():
        weights[k] = max(int(value * scale), 1)
    return np.cumsum(weights)


@dataclass(eq=False)
class Node:
    """One choice.

    Attributes:
        path: slot name, or slot and roles: ``subj/determiner``.
        domain: its candidates.
        parent: the node whose rule has this one as a daughter.
        active: by leaf of the parent: whether it has this daughter.
        children: role to node.
        twin_of: the node of which this one exchanges the head lexeme.
    """

    path: str
    domain: Domain
    parent: Node | None = None
    active: NDArray[np.bool_] | None = None
    children: dict[str, Node] = field(default_factory=dict)
    twin_of: Node | None = None

    @property
    def slot(self) -> str:
        """The slot that the node belongs to."""
        return self.path.partition("/")[0]

    def all(self) -> Iterator[Node]:
        """This node and those below it, each above its daughters."""
        yield self
        for child in self.children.values():
            yield from child.all()

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """The ways down."""
        return self.domain.leaves

    @property
    def rows(self) -> tuple[dict[str, str], ...]:
        """The rows of a table slot."""
        return self.domain.rows

    @property
    def leaf(self) -> NDArray[np.int32]:
        """Leaf number of each candidate."""
        return self.domain.leaf

    @property
    def lexeme(self) -> NDArray[np.int32]:
        """Lexeme number of each candidate."""
        return self.domain.lexeme

    @property
    def size(self) -> int:
        """Number of candidates."""
        return len(self.domain.lexeme)

    @property
    def number(self) -> NDArray[np.int8]:
        """Grammatical number of each candidate: SINGULAR, PLURAL or UNKNOWN."""
        return self.domain.number

    @property
    def nominal(self) -> NDArray[np.bool_]:
        """Whether each candidate is a noun or a name."""
        return self.domain.nominal

    def is_headed_by(self, *categories: str) -> bool:
        """Whether all its candidates, and there may be some, are words of some categories.

        Args:
            categories: such as V and A.
        """
        return bool(self.leaves) and all(leaf.inventory.category in categories for leaf in self.leaves)

    @property
    def inflected(self) -> bool:
        """Whether its words are those of a list of inflected words."""
        return any(leaf.inventory.inflected for leaf in self.leaves)

    def column(self, name: str) -> NDArray[np.object_]:
        """A feature or lexicon column of each candidate; empty where it does not apply."""
        return self.domain.column(name)

    def has_only(self, name: str, value: str) -> bool:
        """Whether every candidate, and there is one, has a value of a feature or column.

        Args:
            name: the feature or column.
            value: the value.
        """
        return self.size > 0 and bool((self.column(name) == value).all())

    def lemma(self, candidate: int) -> str:
        """The lemma of a candidate, or the words of a row of a table."""
        return " ".join(self.rows[candidate].values()) if self.rows else str(self.column("lemma")[candidate])


_NUMBER = {"Sing": SINGULAR, "Plur": PLURAL}
_MOST = 1 << 31  # a ticket has 32 bits
