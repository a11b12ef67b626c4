"""Many sentences recognised at once: what a span of words is depends on what its parts are, and is found out once.

A span is *made of* terminals and of what its parts lead to. What it *is* follows: the constituents over it, and the
rules of which the first daughters cover it. Sets of both are numbered, so that a table says what two neighbouring spans
make together. Sentences have few different ones, however many words they are made with: ten thousand determiners and
nouns are a handful of noun phrases. So most of the work is looking numbers up, for all sentences in one go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.number_table import NumberTable
from blimpgen.grammar.states import State, States, Symbol

__all__ = ["Numbers", "Spans"]

Numbers: TypeAlias = NDArray[np.int32]
"""Numbers of sets: what spans are made of, or what they are."""
_Makings: TypeAlias = "frozenset[Symbol | State]"
_BITS = 64
_HALF = np.uint64(32)


class _Diagonal(NamedTuple):
    """What all spans of one number of words are, a diagonal of the chart, by the place where each begins.

    Attributes:
        kinds: the number of what each is, 0 where a sentence is too short, shape (places, sentences).
        has, wants: the categories of its constituents, and those that its rules want next, as bits; of that shape.
    """

    kinds: Numbers
    has: NDArray[np.uint64]
    wants: NDArray[np.uint64]

    def part(self, begin: int, end: int) -> _Diagonal:
        """Those that begin at some places."""
        return _Diagonal(self.kinds[begin:end], self.has[begin:end], self.wants[begin:end])


class _Pairs:
    """What two numbers come to, found out once for each pair.

    Args:
        find: finds it out.
    """

    def __init__(self, find: Callable[[int, int], int]) -> None:
        self._find, self._known = find, NumberTable()

    def of(self, first: Numbers, second: Numbers) -> Numbers:
        """Look up what each of some pairs comes to, shape (pairs,).

        Args:
            first, second: the numbers, shape (pairs,).
        """
        return self._known.of(first.astype(np.uint64) << _HALF | second.astype(np.uint64), self._found)

    def _found(self, keys: NDArray[np.uint64]) -> Numbers:
        return np.array([self._find(key >> 32, key & 0xFFFFFFFF) for key in keys.tolist()], dtype=np.int32)


class Spans:
    """What spans of words can be, by one grammar.

    Args:
        states: its rules.
        top: the category of a whole sentence.
    """

    def __init__(self, states: States, top: str = "TOP") -> None:
        self.states, self.top = states, top
        self._makings: list[_Makings] = []
        self._numbers: dict[_Makings, int] = {}
        self._kinds: dict[_Makings, int] = {}
        self._complete: list[dict[str, frozenset[Symbol]]] = []
        self._active: list[dict[str, frozenset[State]]] = []
        self._outcomes: dict[tuple[frozenset[State], frozenset[Symbol]], _Makings] = {}
        # One bit for each category, so that spans that make nothing together are told apart in one step; two
        # categories may share a bit.
        self._bits: dict[str, np.uint64] = {}
        self._has = np.zeros(1, dtype=np.uint64)
        self._wants = np.zeros(1, dtype=np.uint64)
        self._is_top = np.zeros(1, dtype=bool)
        self._kind_of = np.full(1, -1, dtype=np.int32)
        self._together, self._united = _Pairs(self._make), _Pairs(self._unite)
        self._terminals: dict[tuple[int, ...], int] = {}
        self._rows: NDArray[np.int32] = np.zeros((0, 0), dtype=np.int32)
        self._kind(self.making(()))

    def making(self, parts: Iterable[Symbol | State]) -> int:
        """The number of what a span is made of; 0 of nothing.

        Args:
            parts: terminals and constituents over the whole span, and rules of which the first daughters cover it.
        """
        making = frozenset(parts)
        number = self._numbers.setdefault(making, len(self._makings))
        if number == len(self._makings):
            self._makings.append(making)
        return number

    def terminals(self, makings: Iterable[int]) -> int:
        """The number of the terminals that end at a word; the first ones that are asked about are those of no word.

        Args:
            makings: what those that span one word make, those that span two, and so on.
        """
        return self._terminals.setdefault(tuple(makings), len(self._terminals))

    def derived(self, terminals: Numbers, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Find the sentences that have a derivation.

        Args:
            terminals: the numbers of the terminals that end at each word, shape (words, sentences).
            lengths: how many words each sentence has, shape (sentences,); what stands behind them is not looked at.

        Returns:
            Shape (sentences,).
        """
        if len(self._rows) < len(self._terminals):
            self._rows = np.array(list(self._terminals), dtype=np.int32)
        width = len(terminals)
        words = np.where(np.arange(width)[:, None] < lengths, terminals, 0)  # 0 are those of no word
        diagonals = list[_Diagonal]()
        for size in range(1, width + 1):
            diagonals.append(self._diagonal(words[size - 1 :], diagonals))
        wholes = np.stack([each.kinds[0] for each in diagonals])
        derived: NDArray[np.bool_] = self._is_top[wholes[lengths - 1, np.arange(len(lengths))]]
        return derived

    def _diagonal(self, words: Numbers, shorter: Sequence[_Diagonal]) -> _Diagonal:
        """What the spans of the next number of words are.

        Args:
            words: the numbers of the terminals that end with each, shape (places, sentences).
            shorter: the spans of one word, of two, and so on.
        """
        size, places = len(shorter), len(words)
        made = self._rows[words, size] if size < self._rows.shape[1] else np.zeros(words.shape, dtype=np.int32)
        flat = made.reshape(-1)
        for left, right in zip(shorter, reversed(shorter), strict=True):
            behind = len(right.kinds) - places
            self._join(flat, left.part(0, places), right.part(behind, behind + places))
        kinds = self._kinds_of(flat).reshape(made.shape)
        return _Diagonal(kinds, self._has[kinds], self._wants[kinds])

    def _kinds_of(self, made: Numbers) -> Numbers:
        """What spans are that are made so."""
        if len(self._kind_of) < len(self._makings):
            self._kind_of = np.pad(self._kind_of, (0, len(self._makings)), constant_values=-1)
        kinds = self._kind_of[made]
        if len(kinds) and kinds.min() < 0:
            for making in np.unique(made[kinds < 0]).tolist():
                self._kind(making)
            kinds = self._kind_of[made]
        return kinds

    def _join(self, made: Numbers, left: _Diagonal, right: _Diagonal) -> None:
        """Add to what spans are made of what two parts of them make together.

        Args:
            made: what the spans are made of, shape (spans,); changed.
            left, right: their parts.
        """
        places = np.flatnonzero(left.wants & right.has)
        if not len(places):
            return
        more, before = self._together.of(left.kinds.reshape(-1)[places], right.kinds.reshape(-1)[places]), made[places]
        both = np.flatnonzero(before)
        both = both[more[both] > 0]
        if len(both):
            more[both] = self._united.of(before[both], more[both])
        made[places] = np.where(more > 0, more, before)

    def _make(self, left: int, right: int) -> int:
        """What two neighbouring spans make together."""
        active, complete = self._active[left], self._complete[right]
        parts = [self._outcome(active[name], complete[name]) for name in active.keys() & complete.keys()]
        return self.making(frozenset().union(*parts))

    def _outcome(self, states: frozenset[State], symbols: frozenset[Symbol]) -> _Makings:
        """What symbols of the category that some states want next make of them; many spans have the same ones."""
        made = self._outcomes.get((states, symbols))
        if made is None:
            advance = self.states.advance
            each = (s.after[x] if x in s.after else advance(s, x) for s in states for x in symbols)
            made = self._outcomes[states, symbols] = frozenset(one for one in each if one is not None)
        return made

    def _unite(self, one: int, other: int) -> int:
        """What a span is made of if it is made of both."""
        return self.making(self._makings[one] | self._makings[other])

    def _kind(self, making: int) -> None:
        """Find out what a span is that is made so: with all that rules make of it alone."""
        making_of, closure = self._makings[making], self.states.closure
        kind = making_of.union(*[closure(part) for part in making_of if isinstance(part, Symbol)])
        number = self._kind_of[making] = self._kinds.setdefault(kind, len(self._complete))
        if number == len(self._complete):
            self._add(kind)

    def _add(self, kind: _Makings) -> None:
        complete, active = defaultdict[str, list[Symbol]](list), defaultdict[str, list[State]](list)
        for part in kind:
            if isinstance(part, Symbol):
                complete[part.name].append(part)
            else:
                active[part.wanted].append(part)
        number = len(self._complete)
        self._complete.append({name: frozenset(symbols) for name, symbols in complete.items()})
        self._active.append({name: frozenset(states) for name, states in active.items()})
        if number == len(self._has):
            self._has, self._wants = (np.pad(each, (0, number)) for each in (self._has, self._wants))
            self._is_top = np.pad(self._is_top, (0, number))
        self._has[number], self._wants[number] = self._bits_of(complete), self._bits_of(active)
        self._is_top[number] = self.top in complete

    def _bits_of(self, names: Iterable[str]) -> np.uint64:
        bits = np.uint64(0)
        for name in names:
            bits |= self._bits.setdefault(name, np.uint64(1) << np.uint64(len(self._bits) % _BITS))
        return bits
