"""Rules as an automaton for the chart: what has been found of a rule, and what one more daughter makes of it.

Symbols and states are made once for a grammar and compared by identity. A state remembers what each symbol leads to, so
values are compared when a symbol first meets a state, and looked up ever after.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple, TypeAlias

from blimpgen.grammar.flat import Bundle, FlatRule, Value
from blimpgen.grammar.grammar import Grammar

__all__ = ["Clash", "Pattern", "State", "States", "Symbol", "Values", "name_of"]

Values: TypeAlias = tuple[Value, ...]


class Wanted(NamedTuple):
    """A daughter: its category, and which of its features must have a value or share a variable, by position."""

    category: str
    fixed: tuple[tuple[int, str], ...]
    shared: tuple[tuple[int, str], ...]


class Pattern(NamedTuple):
    """A rule with its values as tuples, and as it is written out."""

    rule: str
    mother: str
    daughters: tuple[Wanted, ...]
    values: Values
    flat: FlatRule


class Clash(NamedTuple):
    """A daughter whose value of a feature is not the one that its rule or its sisters want."""

    daughter: int
    feature: str
    wanted: str
    value: str


class Symbol:
    """A category with values, or a literal word.

    Attributes:
        begins: what rules make of it as their first daughter, as far as it was asked.
        closure: all that a span is which is this, itself among it, likewise.
    """

    __slots__ = ("begins", "closure", "name", "values")

    def __init__(self, name: str, values: Values) -> None:
        self.name, self.values = name, values
        self.begins: list[tuple[Pattern, Symbol | State]] | None = None
        self.closure: frozenset[Symbol | State] | None = None


class State:
    """A rule of which the first daughters are found: what is bound, and which category comes next."""

    __slots__ = ("after", "bound", "pattern", "position", "wanted")

    def __init__(self, pattern: Pattern, position: int, bound: dict[str, Value]) -> None:
        self.pattern, self.position, self.bound = pattern, position, bound
        self.wanted = pattern.daughters[position].category
        self.after: dict[Symbol, Symbol | State | None] = {}


class States:
    """The symbols and states of one grammar.

    Args:
        grammar: its rules.
        relaxed: a feature whose values need not go together.
    """

    def __init__(self, grammar: Grammar, relaxed: str = "") -> None:
        self.grammar, self.relaxed = grammar, relaxed
        self._symbols: dict[tuple[str, Values], Symbol] = {}
        self._states: dict[tuple[int, int, tuple[tuple[str, Value], ...]], State] = {}

    @cached_property
    def patterns(self) -> dict[str, list[Pattern]]:
        """Rules by the category of their first daughter."""
        patterns: dict[str, list[Pattern]] = defaultdict(list)
        for flat in self.grammar.flat:
            daughters = tuple(_wanted(daughter) for daughter in flat.daughters)
            if daughters:
                values = tuple(flat.mother.values.values())
                pattern = Pattern(flat.rule.name, flat.rule.category, daughters, values, flat)
                patterns[daughters[0].category].append(pattern)
        return patterns

    def symbol(self, name: str, values: Values) -> Symbol:
        """The one symbol with a name and values.

        Args:
            name: a category, or a literal word in quotes.
            values: one for each feature of the category, in order.
        """
        found = self._symbols.get((name, values))
        if found is None:
            found = self._symbols[name, values] = Symbol(name, values)
        return found

    def begins(self, symbol: Symbol) -> list[tuple[Pattern, Symbol | State]]:
        """What rules make of a symbol as their first daughter: their mother, or a state that wants the next one."""
        if symbol.begins is None:
            outcomes = ((p, self._next(p, 0, {}, symbol)) for p in self.patterns.get(symbol.name, ()))
            symbol.begins = [(pattern, outcome) for pattern, outcome in outcomes if outcome is not None]
        return symbol.begins

    def closure(self, symbol: Symbol) -> frozenset[Symbol | State]:
        """All that a span is which is a symbol: what rules make of that alone, of what they make, and so on."""
        if symbol.closure is None:
            parts, agenda = set[Symbol | State](), list[Symbol | State]([symbol])
            while agenda:
                part = agenda.pop()
                if part not in parts:
                    parts.add(part)
                    agenda += [outcome for _, outcome in self.begins(part)] if isinstance(part, Symbol) else ()
            symbol.closure = frozenset(parts)
        return symbol.closure

    def advance(self, state: State, symbol: Symbol) -> Symbol | State | None:
        """What a symbol makes of a state: the mother, a state that wants the next daughter, or nothing.

        Args:
            state: a rule of which some daughters have been read.
            symbol: what stands next.
        """
        outcome = state.after[symbol] = self._next(state.pattern, state.position, state.bound, symbol)
        return outcome

    def _next(self, pattern: Pattern, position: int, bound: dict[str, Value], symbol: Symbol) -> Symbol | State | None:
        values = symbol.values
        for k, value in () if self.relaxed else pattern.daughters[position].fixed:
            if values[k] != value and values[k] is not None:
                return None  # as most do, which is told before anything is bound
        bindings = bound.copy()
        for clash in self._bind(pattern, position, values, bindings):
            if clash.feature != self.relaxed:
                return None
        if position + 1 == len(pattern.daughters):
            return self.symbol(pattern.mother, tuple([_resolve(value, bindings) for value in pattern.values]))
        key = (id(pattern), position + 1, tuple(sorted(bindings.items())))
        state = self._states.get(key)
        if state is None:
            state = self._states[key] = State(pattern, position + 1, bindings)
        return state

    def _bind(self, pattern: Pattern, position: int, values: Values, bindings: dict[str, Value]) -> Iterator[Clash]:
        """Bind the variables of a daughter; yield the values that it may not have."""
        wanted = pattern.daughters[position]
        names = self._features(wanted.category)
        for k, value in wanted.fixed:
            have = values[k]
            if have is not None and have != value:
                yield Clash(position, names[k], value, have)
        for k, variable in wanted.shared:
            have, bound = values[k], bindings.get(variable)
            if bound is None:
                bindings[variable] = have
            elif have is not None and have != bound:
                yield Clash(position, names[k], bound, have)

    def _features(self, category: str) -> tuple[str, ...]:
        declared = self.grammar.categories.get(category)
        return declared.features if declared else ()

    def clashes(self, pattern: Pattern, daughters: Iterable[Values]) -> list[Clash]:
        """The values that keep daughters from standing together in a rule.

        Args:
            pattern: the rule.
            daughters: the values of each, in order; later daughters may be missing.
        """
        bindings: dict[str, Value] = {}
        return [
            clash
            for position, values in enumerate(daughters)
            for clash in self._bind(pattern, position, values, bindings)
        ]


def name_of(category: str, literal: bool) -> str:
    """The name of a symbol: a category as it is, a literal word in quotes.

    Args:
        category: a category, or the text of a word.
        literal: whether it is a word.
    """
    return f'"{category}"' if literal else category


def _wanted(daughter: Bundle) -> Wanted:
    given = [(k, value) for k, value in enumerate(daughter.values.values()) if value is not None]
    fixed = tuple((k, value) for k, value in given if value[0] != "?")
    shared = tuple((k, value) for k, value in given if value[0] == "?")
    return Wanted(name_of(daughter.category, daughter.literal), fixed, shared)


def _resolve(value: Value, bindings: dict[str, Value]) -> Value:
    if value is None or value[0] != "?":
        return value
    return bindings.get(value)
