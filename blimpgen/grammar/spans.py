"""Many sentences recognised at once: what a span of words is depends on what its parts are, and is found out once.

A span is *made of* terminals and of what its parts lead to. What it *is* follows: the constituents over it, and the
rules of which the first daughters cover it. Sets of both are numbered, so that a table says what two neighbouring spans
make together. Sentences have few different ones, however many words they are made with: ten thousand determiners and
nouns are a handful of noun phrases. So most of the work is looking numbers up, for all sentences in one go. What a span
is in full is never written down: its rules and constituents of one category are found when a neighbour asks for them.
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
"""Numbers of sets: what spans are made of."""
_Makings: TypeAlias = "frozenset[Symbol | State]"
_BITS = 64
_WORD = (1 << _BITS) - 1
_HALF = np.uint64(32)


class _Diagonal(NamedTuple):
    """What all spans of one number of words are, a diagonal of the chart, by the place where each begins.

    Attributes:
        made: the number of what each is made of, 0 where a sentence is too short, shape (places, sentences).
        has, wants: the categories of its constituents, and those that its rules want next, as bits; of that shape.
    """

    made: Numbers
    has: NDArray[np.uint64]
    wants: NDArray[np.uint64]

    def part(self, begin: int, end: int) -> _Diagonal:
        """Those that begin at some places."""
        return _Diagonal(self.made[begin:end], self.has[begin:end], self.wants[begin:end])


class _Lead(NamedTuple):
    """What a span is that is made of one part.

    Attributes:
        has, wants: the categories of its constituents, and those that its rules want next, as bits.
        complete, active: its constituents and its rules by these.
    """

    has: int
    wants: int
    complete: dict[int, set[Symbol]]
    active: dict[int, set[State]]


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
        pairs = (keys >> _HALF).tolist(), keys.astype(np.uint32).tolist()
        return np.array(list(map(self._find, *pairs)), dtype=np.int32)


class Spans:
    """What spans of words can be, by one grammar.

    Args:
        states: its rules.
        top: the category of a whole sentence.
    """

    def __init__(self, states: States, top: str = "TOP") -> None:
        self.states = states
        self._bits: dict[str, int] = {}
        self._top = self._bit(top)
        self._makings: list[_Makings] = []
        self._numbers: dict[_Makings, int] = {}
        self._leads: dict[Symbol | State, _Lead] = {}
        self._complete: list[dict[int, frozenset[Symbol]]] = []
        self._active: list[dict[int, frozenset[State]]] = []
        # equal sets are one, so that outcomes are looked up by identity
        self._state_sets: dict[frozenset[State], frozenset[State]] = {}
        self._symbol_sets: dict[frozenset[Symbol], frozenset[Symbol]] = {}
        self._outcomes: dict[tuple[frozenset[State], frozenset[Symbol]], int] = {}
        # As bits the categories of the constituents of each span, and those that its rules want next. Spans that make
        # nothing together are told apart by them in one step, for which two categories may share a bit.
        self._has, self._wants = list[int](), list[int]()
        self._folded = np.zeros((2, 0), dtype=np.uint64)
        self._together, self._united = _Pairs(self._make), _Pairs(self._unite)
        self._terminals: dict[tuple[int, ...], int] = {}
        self._rows: NDArray[np.int32] = np.zeros((0, 0), dtype=np.int32)
        self.making(())

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
        wholes = np.stack([each.made[0] for each in diagonals])[lengths - 1, np.arange(len(lengths))]
        return np.array([self._has[whole] & self._top for whole in wholes.tolist()], dtype=bool)

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
            behind = len(right.made) - places
            self._join(flat, left.part(0, places), right.part(behind, behind + places))
        if new := self._makings[len(self._has) :]:
            self._folded = np.hstack((self._folded, self._sort(new)))
        has, wants = (bits.take(made, mode="clip") for bits in self._folded)  # all are there, and clipping is fast
        return _Diagonal(made, has, wants)

    def _sort(self, makings: Sequence[_Makings]) -> NDArray[np.uint64]:
        """Find out which categories new spans have and want; as bits, shape (2, makings)."""
        for making in makings:
            has = wants = 0
            for part in making:
                lead = self._leads.get(part) or self._lead(part)
                has |= lead.has
                wants |= lead.wants
            self._has.append(has)
            self._wants.append(wants)
        self._complete += [{} for _ in makings]
        self._active += [{} for _ in makings]
        first = len(self._has) - len(makings)
        return np.array([list(map(_folded, bits[first:])) for bits in (self._has, self._wants)], dtype=np.uint64)

    def _lead(self, part: Symbol | State) -> _Lead:
        """What a span is that is made of one part: that, and all that rules make of it alone."""
        complete, active = defaultdict[int, set[Symbol]](set), defaultdict[int, set[State]](set)
        for each in self.states.closure(part) if isinstance(part, Symbol) else (part,):
            if isinstance(each, Symbol):
                complete[self._bit(each.name)].add(each)
            else:
                active[self._bit(each.wanted)].add(each)
        lead = self._leads[part] = _Lead(sum(complete), sum(active), complete, active)
        return lead

    def _bit(self, name: str) -> int:
        """The bit of a category or word."""
        return self._bits.setdefault(name, 1 << len(self._bits))

    def _join(self, made: Numbers, left: _Diagonal, right: _Diagonal) -> None:
        """Add to what spans are made of what two parts of them make together.

        Args:
            made: what the spans are made of, shape (spans,); changed.
            left, right: their parts.
        """
        places = np.flatnonzero((left.wants & right.has).astype(bool))
        if not len(places):
            return
        more, before = self._together.of(left.made.reshape(-1)[places], right.made.reshape(-1)[places]), made[places]
        both = np.flatnonzero(before)
        both = both[more[both] > 0]
        if len(both):
            more[both] = self._united.of(before[both], more[both])
        made[places] = np.where(more > 0, more, before)

    def _make(self, left: int, right: int) -> int:
        """What two neighbouring spans make together."""
        common, made = self._wants[left] & self._has[right], list[int]()
        while common:
            bit = common & -common
            common -= bit
            states = self._active[left].get(bit) or self._wanting(left, bit)
            symbols = self._complete[right].get(bit) or self._having(right, bit)
            outcome = self._outcomes.get((states, symbols))
            made.append(self._outcome(states, symbols) if outcome is None else outcome)
        return made[0] if len(made) == 1 else self.making(frozenset().union(*[self._makings[each] for each in made]))

    def _wanting(self, span: int, bit: int) -> frozenset[State]:
        """The rules of which the first daughters cover a span and that want a category next."""
        states = frozenset().union(*[self._leads[part].active.get(bit, ()) for part in self._makings[span]])
        self._active[span][bit] = states = self._state_sets.setdefault(states, states)
        return states

    def _having(self, span: int, bit: int) -> frozenset[Symbol]:
        """The constituents of a category over a span."""
        symbols = frozenset().union(*[self._leads[part].complete.get(bit, ()) for part in self._makings[span]])
        self._complete[span][bit] = symbols = self._symbol_sets.setdefault(symbols, symbols)
        return symbols

    def _outcome(self, states: frozenset[State], symbols: frozenset[Symbol]) -> int:
        """What symbols of the category that some states want next make of them; many spans have the same ones."""
        advance = self.states.advance
        each = {s.after[x] if x in s.after else advance(s, x) for s in states for x in symbols}
        made = self._outcomes[states, symbols] = self.making(one for one in each if one is not None)
        return made

    def _unite(self, one: int, other: int) -> int:
        """What a span is made of if it is made of both."""
        return self.making(self._makings[one] | self._makings[other])


def _folded(bits: int) -> int:
    """Bits of any number in one word."""
    while bits > _WORD:
        bits = bits >> _BITS | bits & _WORD
    return bits
