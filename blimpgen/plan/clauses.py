"""The clauses of good sentences, as the tokens of templates tell them: heads, subordinators, prepositions."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from blimpgen.base.errors import Place
from blimpgen.paradigm import Token
from blimpgen.plan.cells import sentence_place
from blimpgen.plan.nodes import Node
from blimpgen.plan.slot_nodes import SlotNodes

__all__ = ["Clauses", "Coordination", "Occasion", "Subordination"]

_BEHIND_HEARER = {"V.NP.that", "V.NP.wh"}
"""Frames of verbs that have a clause behind a hearer."""

_WITH_CLAUSE = {"A.that", "A.it.that"}
"""Frames of adjectives that have a finite clause."""


class Occasion(NamedTuple):
    """A noun behind a preposition: when, where or in spite of what something is done.

    Attributes:
        preposition: its words, of which a table may have several, or its slot.
        noun: the noun.
        verb: the nearest verb, if there is one.
        tells: what the words say of the noun: that it is earlier, later, of the same time, contrary, or none of these.
        place: of the sentence.
    """

    preposition: frozenset[str] | Node
    noun: Node
    verb: Node | None
    tells: frozenset[str]
    place: Place


class Subordination(NamedTuple):
    """A subordinator of a good sentence.

    Attributes:
        subordinator: its words, of which a table may have several, or its slot.
        below: the verb of its clause.
        above: the verb of the clause that this modifies.
        tells: what the words say of the clause: that it is earlier, later, of the same time, a cause, contrary, or none
            of these.
        alike: whether both are negated, or none.
        place: of the sentence.
    """

    subordinator: frozenset[str] | Node
    below: Node
    above: Node
    tells: frozenset[str]
    alike: bool
    place: Place


class Coordination(NamedTuple):
    """Two verbs of a good sentence of which the second stands right behind a conjunction.

    Attributes:
        conjunction: its words, of which a table may have several.
        first, second: the verbs.
    """

    conjunction: frozenset[str]
    first: Node
    second: Node


class Clauses:
    """Reads the clauses of the good sentences of a plan.

    Args:
        nodes: of the plan.
    """

    def __init__(self, nodes: SlotNodes) -> None:
        self.nodes, self.plan, self.paradigm, self.lexicon = nodes, nodes.plan, nodes.paradigm, nodes.lexicon

    def heads(self, tokens: Sequence[Token]) -> list[Node]:
        """The verbs of a sentence that stand in no relative clause, and the adjectives that have a clause.

        So the verb behind one of them is that of its clause.

        Args:
            tokens: of the sentence.
        """
        return list(dict.fromkeys(node for node, is_relative in self._predicates(tokens) if not is_relative))

    def _predicates(self, tokens: Sequence[Token]) -> Iterator[tuple[Node, bool]]:
        """The verbs of a sentence, each with whether it is that of a relative clause, and adjectives with a clause."""
        words = {*self.lexicon.inventory("Rel").lemmas, *self.lexicon.inventory("Dwh").lemmas}
        before, is_relative, takes_clause = None, False, False
        for token in tokens:
            node = self.nodes.drawn(token)
            frames = {f for frames in self.plan.specs[node.slot].frames for f in frames} if node is not None else set()
            begins = self._words(token) <= words
            if begins and takes_clause:
                takes_clause = False  # *told the guest that ...* and *asked her who ...* are no relative clauses
            elif before is not None and before.nominal.any():
                is_relative |= begins or (node is not None and node.is_headed_by("Rel"))
            if node is not None and node.is_headed_by("V"):
                yield node, is_relative
                is_relative = False
                takes_clause = not frames.isdisjoint(_BEHIND_HEARER)
            elif node is not None and node.is_headed_by("A") and not is_relative and frames & _WITH_CLAUSE:
                yield node, False
            before = node

    def _tokens(self, name: str, words: Collection[str]) -> Iterator[Token]:
        """The tokens of a sentence; those that write out one of some words together are one (*as soon as*).

        Args:
            name: of the sentence.
            words: of one category.
        """
        tokens, at = self.plan.tokens[name], 0
        longest = max((len(word.split()) for word in words), default=1)
        while at < len(tokens):
            texts = [token.text for token in itertools.takewhile(lambda token: token.text, tokens[at : at + longest])]
            length = next((n for n in range(len(texts), 1, -1) if " ".join(texts[:n]) in words), 1)
            yield Token(text=" ".join(texts[:length])) if length > 1 else tokens[at]
            at += length

    def _words(self, token: Token) -> frozenset[str]:
        """The words of which one stands in the place of a token: a literal, or those of a table."""
        return frozenset(self.nodes.listed_forms(token) or [token.text])

    def _stated(self, word: frozenset[str] | Node, category: str, column: str) -> frozenset[str]:
        """What closed-class words, or the candidates of their slot, say in a column."""
        if isinstance(word, Node):
            return frozenset(word.column(column).tolist())
        stated = self.nodes.stated(category, column)
        return frozenset(stated[each] for each in word)

    @cached_property
    def occasions(self) -> list[Occasion]:
        """The nouns behind prepositions of good sentences that no slot relates to a verb."""
        related = {c.b for c in self.plan.constraints if c.sense and c.a.is_headed_by("V")}
        prepositions = {*self.lexicon.inventory("P").lemmas} - {"of"}  # what is of something is no occasion
        occasions = list[Occasion]()
        for name in self.paradigm.good_names:
            place = sentence_place(self.paradigm, self.plan.cell, name)
            verb: Node | None = None
            before: frozenset[str] | Node | None = None
            nouns = list[tuple[frozenset[str] | Node, Node]]()
            for token in self._tokens(name, prepositions):
                node = self.nodes.drawn(token)
                if node is not None and node.is_headed_by("V"):
                    verb = node
                elif before and node is not None and node not in related and node.nominal.any():
                    nouns.append((before, node))
                if verb is not None:
                    occasions += [Occasion(*each, verb, self._stated(each[0], "P", "tells"), place) for each in nouns]
                    nouns = []
                if (words := self._words(token)) <= prepositions:
                    before = words
                elif node is not None:
                    before = node if node.is_headed_by("P") else None
            occasions += [Occasion(*each, None, frozenset(), place) for each in nouns]
        return occasions

    @cached_property
    def subordinations(self) -> list[Subordination]:
        """The subordinators of good sentences, with the verbs of their clauses and of those that these modify."""
        subordinators = self.nodes.stated("Subordinator", "tells")
        subordinations = list[Subordination]()
        for name in self.paradigm.good_names:
            place = sentence_place(self.paradigm, self.plan.cell, name)
            before: tuple[Node, bool] | None = None
            pending: frozenset[str] | Node | None = None
            first: frozenset[str] | Node | None = None  # of a clause that stands before the one that it modifies
            told, negated = frozenset[str](), False
            for token in self._tokens(name, subordinators):
                node = self.nodes.drawn(token)
                negated ^= token.text == "not" or (node is not None and node.has_only("Polarity", "Neg"))
                if (words := self._words(token)) <= subordinators.keys():
                    pending, told = words, self._stated(words, "Subordinator", "tells")
                elif node is not None and node.is_headed_by("Subordinator"):
                    pending, told = node, self._stated(node, "Subordinator", "tells")
                if node is None or not node.is_headed_by("V") or (before and before[0] is node):
                    continue
                if before is None:
                    first, pending = pending, None
                elif pending is not None:
                    subordinations.append(Subordination(pending, node, before[0], told, negated == before[1], place))
                    pending = None
                elif first is not None:
                    subordinations.append(Subordination(first, before[0], node, told, negated == before[1], place))
                    first = None
                before, negated = (node, negated), False
        return subordinations

    @cached_property
    def coordinations(self) -> list[Coordination]:
        """The verbs of good sentences that a conjunction joins."""
        conjunctions = {*self.lexicon.inventory("Conj").lemmas}
        coordinations = list[Coordination]()
        for name in self.paradigm.good_names:
            verb: Node | None = None
            before = frozenset[str]()
            for token in self.plan.tokens[name]:
                node = self.nodes.drawn(token)
                if node is not None and node.is_headed_by("V"):
                    if verb is not None and before <= conjunctions:
                        coordinations.append(Coordination(before, verb, node))
                    verb = node
                before = self._words(token)
        return coordinations

    @cached_property
    def relatives(self) -> list[tuple[Node, Node]]:
        """The verbs of relative clauses of good sentences, each with that of the clause around it."""
        pairs = list[tuple[Node, Node]]()
        for name in self.paradigm.good_names:
            outer: Node | None = None
            inner = list[Node]()  # of clauses that stand before the verb around them
            for node, is_relative in self._predicates(self.plan.tokens[name]):
                if not is_relative:
                    outer = node
                    pairs += [(each, node) for each in inner]
                    inner = []
                elif outer is not None:
                    pairs.append((node, outer))
                else:
                    inner.append(node)
        return pairs

    @cached_property
    def at_one_time(self) -> dict[frozenset[Node], frozenset[str]]:
        """The verbs of good sentences whose doings are of one time, and what the words between them ask of one of them.

        A conjunction joins such doings in the progressive alone (*is singing and cooking*).
        """
        asked = {
            frozenset((c.first, c.second)): self._stated(c.conjunction, "Conj", "along")
            for c in self.coordinations
            if c.first.has_only("form", "ing") and c.second.has_only("form", "ing")
        }
        for s in self.subordinations:
            asked[frozenset((s.below, s.above))] = self._stated(s.subordinator, "Subordinator", "along")
        return {verbs: texts for verbs, texts in asked.items() if texts.isdisjoint({"", "any"})}
