"""A small bottom-up chart recogniser with flat features, for templates: slots are its words.

Constituents of one category, span and features are kept once, with their first tree. Values are strings; None goes
with anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, TypeAlias

from blimpgen.grammar.flat import Bundle, Value, flatten
from blimpgen.grammar.grammar import Grammar

__all__ = ["Chart", "Terminal", "Tree"]

Values: TypeAlias = tuple[Value, ...]


@dataclass(frozen=True)
class Terminal:
    """One reading of one position: a category with feature values, or a literal word.

    Attributes:
        category: the category, or the word of a literal.
        values: feature to value; what is missing goes with anything.
        literal: whether it is a word.
    """

    category: str
    values: dict[str, str] = field(default_factory=dict, hash=False)
    literal: bool = False


@dataclass(frozen=True)
class Tree:
    """A derivation: the rule and its daughters; a leaf has its terminal and the position of that instead."""

    label: str
    children: tuple[Tree, ...] = ()
    position: int = -1
    rule: str = ""
    terminal: Terminal | None = None

    def terminals(self) -> Iterator[Terminal]:
        """Yield the terminals that the derivation uses, in the order of the sentence."""
        if self.terminal is not None:
            yield self.terminal
        for child in self.children:
            yield from child.terminals()


_Key: TypeAlias = tuple[str, int, Values]


class _Wanted(NamedTuple):
    """A daughter: its category, and which of its features must have a value or share a variable, by position."""

    category: str
    fixed: tuple[tuple[int, str], ...]
    shared: tuple[tuple[int, str], ...]


class _Pattern(NamedTuple):
    """A rule with its values as tuples; `second` is the category of its second daughter, if it has one."""

    rule: str
    mother: str
    daughters: tuple[_Wanted, ...]
    values: Values
    second: str | None


class _Edge(NamedTuple):
    """A rule of which some daughters are found: where it begins, what is bound, the trees so far, what comes next."""

    pattern: _Pattern
    start: int
    bound: dict[str, Value]
    trees: tuple[Tree, ...]
    wanted: _Wanted


class Chart:
    """A recogniser for one grammar."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    @cached_property
    def _patterns(self) -> dict[str, list[_Pattern]]:
        """Rules by the category of their first daughter."""
        found: dict[str, list[_Pattern]] = defaultdict(list)
        for flat in flatten(self.grammar.categories, self.grammar.recognised()):
            daughters = tuple(_wanted(daughter) for daughter in flat.daughters)
            if daughters:
                values = tuple(flat.mother.values.values())
                second = daughters[1].category if len(daughters) > 1 else None
                pattern = _Pattern(flat.rule.name, flat.rule.category, daughters, values, second)
                found[daughters[0].category].append(pattern)
        return found

    @cached_property
    def _begins(self) -> dict[str, frozenset[str]]:
        """For each category what may begin it: its left corners, itself included."""
        daughters: dict[str, set[str]] = defaultdict(set)
        for first, patterns in self._patterns.items():
            for pattern in patterns:
                daughters[pattern.mother].add(first)
        found = {}
        for category in daughters:
            corners, agenda = {category}, [category]
            while agenda:
                new = daughters.get(agenda.pop(), set()) - corners
                corners |= new
                agenda += new
            found[category] = frozenset(corners)
        return found

    @cached_property
    def _corner_of(self) -> dict[str, frozenset[str]]:
        """For each category or word what it may begin, itself included."""
        found: dict[str, set[str]] = defaultdict(set)
        for category, corners in self._begins.items():
            for corner in corners:
                found[corner].add(category)
        return {corner: frozenset(categories | {corner}) for corner, categories in found.items()}

    def parse(self, positions: Sequence[Sequence[Terminal]], top: str = "TOP") -> Tree | None:
        """The first derivation of a sequence of positions, or None.

        Args:
            positions: for each position its possible terminals.
            top: the category of the whole.
        """
        complete: list[dict[_Key, Tree]] = [{} for _ in range(len(positions) + 1)]
        # The edges that end at a position, by the category they want; what may stand there begins one of those, and
        # they want only what one of the terminals there may begin.
        active: list[dict[str, list[_Edge]]] = [defaultdict(list) for _ in range(len(positions) + 1)]
        expected = [self._begins.get(top, frozenset())]
        possible = [self._possible(terminals) for terminals in positions] + [frozenset()]
        for end in range(1, len(positions) + 1):
            agenda = [self._terminal(t, end - 1) for t in positions[end - 1] if self._is_declared(t)]
            follows, reached = possible[end], active[end]
            while agenda:
                key, tree = agenda.pop()
                if key in complete[end]:
                    continue
                complete[end][key] = tree
                category, start, values = key
                wanted = expected[start]
                for pattern in self._patterns.get(category, ()):
                    if pattern.mother in wanted and (pattern.second is None or pattern.second in follows):
                        edge = _Edge(pattern, start, {}, (), pattern.daughters[0])
                        _extend(edge, values, tree, follows, reached, agenda)
                for edge in active[start].get(category, ()):
                    _extend(edge, values, tree, follows, reached, agenda)
            expected.append(frozenset().union(*(self._begins.get(category, ()) for category in reached)))
        return next((t for (c, start, _), t in complete[-1].items() if c == top and start == 0), None)

    def _possible(self, terminals: Sequence[Terminal]) -> frozenset[str]:
        """What may begin with one of the terminals."""
        names = {_name(t.category, t.literal) for t in terminals}
        return frozenset().union(names, *(self._corner_of.get(name, ()) for name in names))

    def _is_declared(self, terminal: Terminal) -> bool:
        """Whether rules can use a terminal: the lexicon has categories that a user's grammar may not declare."""
        return terminal.literal or terminal.category in self.grammar.categories

    def _terminal(self, terminal: Terminal, start: int) -> tuple[_Key, Tree]:
        name, tree = _name(terminal.category, terminal.literal), Tree(terminal.category, (), start, terminal=terminal)
        if terminal.literal:
            return (name, start, ()), tree
        category = self.grammar.categories[terminal.category]
        values = tuple(terminal.values.get(n, category.defaults.get(n)) for n in category.features)
        return (name, start, values), tree


def _wanted(daughter: Bundle) -> _Wanted:
    given = [(k, value) for k, value in enumerate(daughter.values.values()) if value is not None]
    fixed = tuple((k, value) for k, value in given if value[0] != "?")
    shared = tuple((k, value) for k, value in given if value[0] == "?")
    return _Wanted(_name(daughter.category, daughter.literal), fixed, shared)


def _name(category: str, literal: bool) -> str:
    return f'"{category}"' if literal else category


def _extend(
    edge: _Edge,
    values: Values,
    tree: Tree,
    follows: frozenset[str],
    active: dict[str, list[_Edge]],
    agenda: list[tuple[_Key, Tree]],
) -> None:
    """Let a constituent be the next daughter of an edge: a longer edge, or a constituent if it was the last.

    A longer edge wants one of the categories that may follow.
    """
    pattern, start, bound, trees, wanted = edge
    daughters, found = pattern.daughters, len(trees) + 1
    if found < len(daughters) and daughters[found].category not in follows:
        return
    bindings = _unify(wanted, values, bound)
    if bindings is None:
        return
    trees = (*trees, tree)
    if found < len(daughters):
        active[daughters[found].category].append(_Edge(pattern, start, bindings, trees, daughters[found]))
        return
    key = (pattern.mother, start, tuple([_resolve(v, bindings) for v in pattern.values]))
    agenda.append((key, Tree(pattern.mother, trees, -1, pattern.rule)))


def _unify(wanted: _Wanted, values: Values, bound: dict[str, Value]) -> dict[str, Value] | None:
    """What is bound when a daughter has these values; None if it may not have them."""
    for k, value in wanted.fixed:
        if values[k] is not None and values[k] != value:
            return None
    if not wanted.shared:
        return bound
    bindings = bound.copy()
    for k, variable in wanted.shared:
        have, known = values[k], bindings.get(variable)
        if known is None:
            bindings[variable] = have
        elif have is not None and have != known:
            return None
    return bindings


def _resolve(value: Value, bindings: dict[str, Value]) -> Value:
    if value is None or value[0] != "?":
        return value
    return bindings.get(value)
