"""Packed derivations: every constituent once, with all the ways in which it can be built.

The number of derivations may grow exponentially with the sentence, their packed form does not. They are counted
without being written out, and at most a stated number of trees is given out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from typing import TypeAlias

from blimpgen.grammar.states import Pattern, State, Symbol, Values

__all__ = ["Edge", "Forest", "Item", "Step", "Terminal", "Tree"]


@dataclass(frozen=True)
class Terminal:
    """One reading of one position: a category with feature values, or a literal word.

    Attributes:
        category: the category, or the word of a literal.
        values: feature to value; what is missing goes with anything.
        literal: whether it is a word.
        lexemes: the ids of the lexemes that are read so, where they are known.
    """

    category: str
    values: dict[str, str] = field(default_factory=dict, hash=False)
    literal: bool = False
    lexemes: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Tree:
    """A derivation: the rule and its daughters; a leaf has its terminal and the position of that instead.

    Attributes:
        label: the category, or the word of a literal.
        children: the daughters.
        position: the position of a leaf; -1 for a phrase.
        rule: the name of the rule of a phrase.
        terminal: that of a leaf.
        values: the values of the features that the category declares.
        span: the first position, and the one behind the last.
        pattern: the rule written out.
    """

    label: str
    children: tuple[Tree, ...] = ()
    position: int = -1
    rule: str = ""
    terminal: Terminal | None = None
    values: Values = field(default=(), compare=False)
    span: tuple[int, int] = field(default=(0, 0), compare=False)
    pattern: Pattern | None = field(default=None, compare=False, repr=False)

    def leaves(self) -> Iterator[Tree]:
        """Yield the leaves in the order of the sentence."""
        if self.terminal is not None:
            yield self
        for child in self.children:
            yield from child.leaves()

    def terminals(self) -> Iterator[Terminal]:
        """Yield the terminals that the derivation uses, in the order of the sentence."""
        yield from (leaf.terminal for leaf in self.leaves() if leaf.terminal is not None)


class Edge:
    """A rule of which some daughters are found, with all sequences of daughters that lead there.

    Each step is the edge without its last daughter (None at the first daughter), and that daughter.
    """

    __slots__ = ("start", "state", "steps")

    def __init__(self, state: State, start: int, step: tuple[Edge | None, Item]) -> None:
        self.state, self.start = state, start
        self.steps = [step]


Step: TypeAlias = "Terminal | tuple[Pattern, Edge | None, Item]"
"""How a constituent is built: a terminal, or a rule with the edge before the last daughter, and that daughter."""


class Item:
    """A constituent: a symbol over a span, with all steps that complete it."""

    __slots__ = ("end", "start", "steps", "symbol")

    def __init__(self, symbol: Symbol, start: int, end: int, step: Step) -> None:
        self.symbol, self.start, self.end = symbol, start, end
        self.steps = [step]


class Forest:
    """All derivations of a sentence.

    Args:
        tops: the constituents that cover it.
        items: all constituents, those of the whole among them.
    """

    def __init__(self, tops: Iterable[Item], items: Iterable[Item]) -> None:
        self.tops, self.items = tuple(tops), items
        self._counts: dict[Item | Edge, int] = {}
        self._trees: dict[Item, list[Tree]] = {}

    def __bool__(self) -> bool:
        return bool(self.tops)

    def count(self) -> int:
        """The exact number of derivations; those in which a constituent contains itself are left out."""
        for item in _below(self.tops):
            self._count(item)
        return sum(self._counts[top] for top in self.tops)

    def _count(self, item: Item) -> int:
        if item not in self._counts:
            self._counts[item] = 0
            self._counts[item] = sum(
                1 if isinstance(step, Terminal) else self._ways(step[1]) * self._count(step[2]) for step in item.steps
            )
        return self._counts[item]

    def _ways(self, edge: Edge | None) -> int:
        if edge is None:
            return 1
        if edge not in self._counts:
            self._counts[edge] = sum(self._ways(before) * self._count(item) for before, item in edge.steps)
        return self._counts[edge]

    def trees(self, most: int) -> list[Tree]:
        """Give some derivations.

        Args:
            most: how many at most.
        """
        self._trees.clear()
        for item in _below(self.tops):
            self._written(item, most)
        return [tree for top in self.tops for tree in self._trees[top]][:most]

    def tree_of(self, item: Item) -> Tree:
        """Give the first derivation of a constituent."""
        self._trees.clear()
        for each in _below([item]):
            self._written(each, 1)
        return self._trees[item][0]

    def _written(self, item: Item, most: int) -> list[Tree]:
        if item not in self._trees:
            self._trees[item] = []  # a constituent that contains itself has no tree
            self._trees[item] = list(islice(self._all(item, most), most))
        return self._trees[item]

    def _all(self, item: Item, most: int) -> Iterator[Tree]:
        name, values, span = item.symbol.name, item.symbol.values, (item.start, item.end)
        for step in item.steps:
            if isinstance(step, Terminal):
                yield Tree(step.category, (), item.start, terminal=step, values=values, span=span)
                continue
            pattern, before, last = step
            for daughters in _sequences(before, last):
                for children in product(*(self._written(daughter, most) for daughter in daughters)):
                    yield Tree(name, children, -1, pattern.rule, values=values, span=span, pattern=pattern)


def _sequences(edge: Edge | None, last: Item) -> Iterator[tuple[Item, ...]]:
    """The sequences of daughters that end with an item."""
    if edge is None:
        yield (last,)
        return
    for before, item in reversed(edge.steps):
        yield from ((*sequence, last) for sequence in _sequences(before, item))


def _below(tops: Iterable[Item]) -> list[Item]:
    """The constituents that some are built of, the shortest first, so that each comes after its daughters."""
    seen = dict.fromkeys(tops)
    agenda: list[Item] = list(seen)
    while agenda:
        for step in agenda.pop().steps:
            if isinstance(step, Terminal):
                continue
            edges, daughters = [(step[1], step[2])], []
            while edges:
                edge, daughter = edges.pop()
                daughters.append(daughter)
                edges += edge.steps if edge is not None else ()
            fresh = [daughter for daughter in dict.fromkeys(daughters) if daughter not in seen]
            seen.update(dict.fromkeys(fresh))
            agenda += fresh
    return sorted(seen, key=lambda item: item.end - item.start)
