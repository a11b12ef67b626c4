"""A bottom-up chart recogniser with flat features, for templates and sentences.

Positions are those of a lattice: a terminal may span several, so that a text can be cut into words in several ways.
Constituents of one symbol and span are kept once, with all their derivations (see `forest`). Values are strings; None
goes with anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TypeAlias

from blimpgen.grammar.forest import Edge, Forest, Item, Step, Terminal, Tree
from blimpgen.grammar.grammar import Grammar
from blimpgen.grammar.states import State, States, Symbol, name_of

__all__ = ["Arc", "Chart", "Terminal", "Tree"]

Arc: TypeAlias = tuple[int, Symbol, Terminal]
"""A terminal with its symbol and the position where it begins."""

_Agenda: TypeAlias = list[tuple[Symbol, int, Step]]
_Edges: TypeAlias = dict[str, dict[tuple[State, int], Edge]]


class Chart:
    """A recogniser for one grammar.

    Args:
        grammar: its rules.
        relaxed: a feature whose values need not go together.
    """

    def __init__(self, grammar: Grammar, relaxed: str = "") -> None:
        self.grammar = grammar
        self.states = States(grammar, relaxed)
        self._relaxed: dict[str, Chart] = {}
        self._of_words: dict[tuple[str, tuple[tuple[str, str], ...]], Symbol] = {}
        self._predicted: dict[frozenset[str], frozenset[str]] = {}
        self._possible: dict[frozenset[str], frozenset[str]] = {}

    @cached_property
    def literals(self) -> frozenset[str]:
        """The words that rules write out."""
        daughters = (d for rule in self.grammar.recognised() for d in rule.daughters)
        return frozenset(d.category for d in daughters if d.literal)

    @cached_property
    def features(self) -> tuple[str, ...]:
        """The features of all categories."""
        return tuple(dict.fromkeys(name for c in self.grammar.categories.values() for name in c.features))

    def relaxed(self, feature: str) -> Chart:
        """The recogniser of the same grammar for which the values of one feature need not go together."""
        if feature not in self._relaxed:
            self._relaxed[feature] = Chart(self.grammar, feature)
        return self._relaxed[feature]

    @cached_property
    def _begins(self) -> dict[str, frozenset[str]]:
        """For each category what may begin it: its left corners, itself included."""
        daughters: dict[str, set[str]] = defaultdict(set)
        for first, patterns in self.states.patterns.items():
            for pattern in patterns:
                daughters[pattern.mother].add(first)
        begins = {}
        for category in daughters:
            corners, agenda = {category}, [category]
            while agenda:
                new = daughters.get(agenda.pop(), set()) - corners
                corners |= new
                agenda += new
            begins[category] = frozenset(corners)
        return begins

    @cached_property
    def _corner_of(self) -> dict[str, frozenset[str]]:
        """For each category or word what it may begin, itself included."""
        categories: dict[str, set[str]] = defaultdict(set)
        for category, corners in self._begins.items():
            for corner in corners:
                categories[corner].add(category)
        return {corner: frozenset(found | {corner}) for corner, found in categories.items()}

    def parse(self, positions: Sequence[Sequence[Terminal]], top: str = "TOP") -> Tree | None:
        """The first derivation of a sequence of positions, or None.

        Args:
            positions: for each position its possible terminals.
            top: the category of the whole.
        """
        arcs = [
            [(at, self.symbol(terminal), terminal) for terminal in terminals if self.is_declared(terminal)]
            for at, terminals in enumerate(positions)
        ]
        trees = self.forest(arcs, top).trees(1)
        return trees[0] if trees else None

    def forest(self, arcs: Sequence[Sequence[Arc]], top: str | None = "TOP") -> Forest:
        """All derivations of a lattice.

        Args:
            arcs: for each position the terminals that end with it.
            top: the category of the whole; with None, constituents are looked for everywhere, and none is the whole.
        """
        starting: list[set[str]] = [set() for _ in range(len(arcs) + 1)]
        for ending in arcs:
            for start, symbol, _ in ending:
                starting[start].add(symbol.name)
        active: list[_Edges] = [{} for _ in range(len(arcs) + 1)]
        everything = frozenset(self._begins)
        expected = [everything if top is None else self._begins.get(top, frozenset())]
        items: list[Item] = []
        complete: dict[tuple[Symbol, int], Item] = {}
        for end, ending in enumerate(arcs, start=1):
            agenda: _Agenda = [(symbol, start, terminal) for start, symbol, terminal in ending]
            complete = self._complete(agenda, end, active, expected, self._follows(starting[end]))
            items += complete.values()
            expected.append(everything if top is None else self._expects(active[end]))
        tops = [item for (symbol, start), item in complete.items() if symbol.name == top and start == 0]
        return Forest(tops, items)

    def _complete(
        self,
        agenda: _Agenda,
        end: int,
        active: list[_Edges],
        expected: Sequence[frozenset[str]],
        follows: frozenset[str],
    ) -> dict[tuple[Symbol, int], Item]:
        """Find all constituents that end at a position, and the edges that end there and want what may follow."""
        complete: dict[tuple[Symbol, int], Item] = {}
        reached, advance = active[end], self.states.advance
        while agenda:
            symbol, start, step = agenda.pop()
            item = complete.get((symbol, start))
            if item is not None:
                item.steps.append(step)
                continue
            item = complete[symbol, start] = Item(symbol, start, end, step)
            wanted = expected[start]
            for pattern, outcome in symbol.begins if symbol.begins is not None else self.states.begins(symbol):
                if pattern.mother not in wanted:
                    continue
                if isinstance(outcome, Symbol):
                    agenda.append((outcome, start, (pattern, None, item)))
                elif outcome.wanted in follows:
                    _reach(reached, outcome, start, None, item)
            for edge in active[start].get(symbol.name, _NONE).values():
                state = edge.state
                after = state.after[symbol] if symbol in state.after else advance(state, symbol)
                if isinstance(after, Symbol):
                    agenda.append((after, edge.start, (state.pattern, edge, item)))
                elif after is not None and after.wanted in follows:
                    _reach(reached, after, edge.start, edge, item)
        return complete

    def _follows(self, names: Iterable[str]) -> frozenset[str]:
        """What may begin with one of the terminals that begin at a position."""
        key = frozenset(names)
        if key not in self._possible:
            self._possible[key] = key.union(*(self._corner_of.get(name, ()) for name in key))
        return self._possible[key]

    def _expects(self, edges: Iterable[str]) -> frozenset[str]:
        """What may begin one of the categories that the edges at a position want."""
        key = frozenset(edges)
        if key not in self._predicted:
            self._predicted[key] = frozenset().union(*(self._begins.get(category, ()) for category in key))
        return self._predicted[key]

    def is_declared(self, terminal: Terminal) -> bool:
        """Whether rules can use a terminal: the lexicon has categories that a user's grammar may not declare."""
        return terminal.literal or terminal.category in self.grammar.categories

    def symbol(self, terminal: Terminal) -> Symbol:
        """The symbol of a terminal; features that it leaves out have their default."""
        if terminal.literal:
            return self.states.symbol(name_of(terminal.category, literal=True), ())
        return self.of_word(terminal.category, terminal.values)

    def of_word(self, category: str, values: Mapping[str, str]) -> Symbol:
        """The symbol of a category with some values; many words have the same ones.

        Args:
            category: a declared category.
            values: feature to value; those that it leaves out have their default.
        """
        key = category, tuple(values.items())
        found = self._of_words.get(key)
        if found is None:
            declared = self.grammar.categories[category]
            each = tuple([values.get(name, declared.defaults.get(name)) for name in declared.features])
            found = self._of_words[key] = self.states.symbol(name_of(category, literal=False), each)
        return found


_NONE: dict[tuple[State, int], Edge] = {}


def _reach(reached: _Edges, state: State, start: int, before: Edge | None, item: Item) -> None:
    """Let an edge end here, or one more step lead to it; the one with the latest step stands last."""
    edges = reached.get(state.wanted)
    if edges is None:
        edges = reached[state.wanted] = {}
    edge = edges.pop((state, start), None)
    if edge is None:
        edge = Edge(state, start, (before, item))
    else:
        edge.steps.append((before, item))
    edges[state, start] = edge
