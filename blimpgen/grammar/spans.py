"""Many sentences recognised at once: what a span of words is depends on what its parts are, and is found out once.

A span is *made of* terminals and of what its parts lead to. What it *is* follows: the constituents over it, and the
rules of which the first daughters cover it. Sets of both are numbered, so that a table says what two neighbouring spans
make together. Sentences have few different ones, however many words they are made with: ten thousand determiners and
nouns are a handful of noun phrases. So most of the work is looking numbers up, for all sentences in one go.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.grammar.states import State, States, Symbol

__all__ = ["Numbers", "Spans"]

Numbers: TypeAlias = NDArray[np.int32]
"""Numbers of sets: what spans are made of, or what they are."""
_Makings: TypeAlias = "frozenset[Symbol | State]"
_BITS = 64
_MOST_FLAGS = 1 << 20


class _Column(NamedTuple):
    """What the spans of one size are in many sentences: the different numbers, and which of them each span has.

    Attributes:
        which: shape (starts * sentences,), those that start at one word beside each other.
        has, wants: the categories of its constituents, and those that its rules want next, as bits; of that shape.
    """

    numbers: Numbers
    which: NDArray[np.intp]
    has: NDArray[np.uint64]
    wants: NDArray[np.uint64]


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
        self._kind_of: dict[int, int] = {}
        self._complete: list[dict[str, frozenset[Symbol]]] = []
        self._active: list[dict[str, frozenset[State]]] = []
        self._outcomes: dict[tuple[frozenset[State], frozenset[Symbol]], _Makings] = {}
        # One bit for each category, so that spans that make nothing together are told apart in one step; two
        # categories may share a bit.
        self._bits: dict[str, np.uint64] = {}
        self._has = np.zeros(1, dtype=np.uint64)
        self._wants = np.zeros(1, dtype=np.uint64)
        self._together: dict[tuple[int, int], int] = {}
        self._united: dict[tuple[int, int], int] = {}
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

    def derived(self, lattice: Numbers, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Find the sentences that have a derivation.

        Args:
            lattice: what their terminals make, shape (sentences, words, lengths): at [s, w, n] those that span n + 1
                words and end with word w. No terminal is behind the end of a sentence.
            lengths: how many words each sentence has, shape (sentences,).

        Returns:
            Shape (sentences,).
        """
        count, width, longest = lattice.shape
        derived = np.zeros(count, dtype=bool)
        spans: list[_Column] = []
        for size in range(1, width + 1):
            if size <= longest:
                made = lattice[:, size - 1 :, size - 1].T.flatten()
            else:
                made = np.zeros((width - size + 1) * count, dtype=np.int32)
            for left, right in zip(spans, reversed(spans), strict=True):
                self._join(made, left, right)
            spans.append(self._column(made))
            tops = np.array([self.top in self._complete[number] for number in spans[-1].numbers.tolist()], dtype=bool)
            derived |= tops[spans[-1].which[:count]] & (lengths == size)
        return derived

    def _column(self, made: Numbers) -> _Column:
        """What spans are that are made so."""
        makings, which = _different(made, len(self._makings))
        numbers = np.array([self._kind(making) for making in makings.tolist()], dtype=np.int32)
        return _Column(numbers, which, self._has[numbers][which], self._wants[numbers][which])

    def _join(self, made: Numbers, left: _Column, right: _Column) -> None:
        """Add to what spans are made of what two parts of them make together, of the same sizes in all of them."""
        size, width = len(made), len(right.numbers)
        places = np.flatnonzero(left.wants[:size] & right.has[-size:] != 0)
        if not len(places):
            return
        codes = left.which[:size][places] * width + right.which[-size:][places]
        pairs, which = _different(codes, len(left.numbers) * width)
        parts = zip(left.numbers[pairs // width].tolist(), right.numbers[pairs % width].tolist(), strict=True)
        more = np.array([self._make(*pair) for pair in parts], dtype=np.int32)[which]
        before = made[places]
        if (both := (before > 0) & (more > 0)).any():
            pairs, which = np.unique(before[both].astype(np.int64) << 32 | more[both], return_inverse=True)
            more[both] = np.array([self._unite(p >> 32, p & 0xFFFFFFFF) for p in pairs.tolist()], dtype=np.int32)[which]
        made[places] = np.where(more > 0, more, before)

    def _make(self, left: int, right: int) -> int:
        """What two neighbouring spans make together."""
        made = self._together.get((left, right))
        if made is None:
            active, complete = self._active[left], self._complete[right]
            parts = [self._outcome(active[name], complete[name]) for name in active.keys() & complete.keys()]
            made = self._together[left, right] = self.making(frozenset().union(*parts))
        return made

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
        if (one, other) not in self._united:
            self._united[one, other] = self.making(self._makings[one] | self._makings[other])
        return self._united[one, other]

    def _kind(self, making: int) -> int:
        """What a span is that is made so: with all that rules make of it alone."""
        if making not in self._kind_of:
            making_of, closure = self._makings[making], self.states.closure
            kind = making_of.union(*[closure(part) for part in making_of if isinstance(part, Symbol)])
            number = self._kind_of[making] = self._kinds.setdefault(kind, len(self._complete))
            if number == len(self._complete):
                self._add(kind)
        return self._kind_of[making]

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
        self._has[number], self._wants[number] = self._bits_of(complete), self._bits_of(active)

    def _bits_of(self, names: Iterable[str]) -> np.uint64:
        bits = np.uint64(0)
        for name in names:
            bits |= self._bits.setdefault(name, np.uint64(1) << np.uint64(len(self._bits) % _BITS))
        return bits


def _different(numbers: NDArray[np.integer], most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The different ones of some numbers below a bound, and for each which of them it is."""
    if most > _MOST_FLAGS:
        different, which = np.unique(numbers, return_inverse=True)
        return different.astype(np.intp), which
    occurring = np.zeros(most, dtype=bool)
    occurring[numbers] = True
    different = np.flatnonzero(occurring)
    places = np.empty(most, dtype=np.intp)  # only what occurs is read
    places[different] = np.arange(len(different))
    return different, places[numbers]
