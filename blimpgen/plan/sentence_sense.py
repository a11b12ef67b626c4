"""What sentences make sense: the words of a clause, and of clauses about one thing, that go together.

`Sense` has the tables; here is decided for which nodes of a plan they are asked. No label rests on it.
"""

from __future__ import annotations

import itertools
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import Place
from blimpgen.english.morphology import BEHIND_A_POSSESSOR
from blimpgen.plan.cells import sentence_place
from blimpgen.plan.clauses import Clauses, Subordination
from blimpgen.plan.constraints import Constraint, Meeting, Merged
from blimpgen.plan.nodes import Node
from blimpgen.plan.plan import Cut, Watch
from blimpgen.plan.relations import QuestionWord, Relations
from blimpgen.plan.slot_nodes import SlotNodes

__all__ = ["OF_ONE_KIND", "SentenceSense", "Together"]

OF_ONE_KIND = "same types"
"""What the tie of two nouns with the same types is called."""


_NOUNS_OF_A_DOING: tuple[Meeting, ...] = ("doer", "thing", "occasion")
"""What nouns are to a verb that are asked, two at a time, to share a scene with it."""


class Together(IntEnum):
    """Of how many words together it is asked that they share a scene."""

    OFF = 0
    TWO = 2
    THREE = 3


class SentenceSense:
    """Asks of the words of a plan that they go together in sense.

    Args:
        nodes: of the plan.
        relations: builds the constraints.
        watch: is told what is taken out.
    """

    def __init__(self, nodes: SlotNodes, relations: Relations, watch: Watch) -> None:
        self.nodes, self.plan, self.paradigm, self.lexicon = nodes, nodes.plan, nodes.paradigm, nodes.lexicon
        self.relations, self.watch, self.clauses = relations, watch, Clauses(nodes)

    def make(self, sense: Together) -> None:
        """Keep the words of a clause, and of clauses about one thing, in one scene; words that are dealt are free.

        Args:
            sense: of how many words together; if of none, what is there for sense alone is taken out.
        """
        plan, dealt = self.plan, self.nodes.dealt
        for occasion in self.clauses.occasions:
            if occasion.verb is not None:  # nobody skis during the graduation ceremony; everybody smiles during it
                is_of_it = occasion.tells == {"meanwhile"} and self._things(occasion.verb)
                role: Meeting = "occasion" if is_of_it else "thing"
                plan.constraints += self.relations.sense.meeting(occasion.verb, occasion.noun, role)
        predicates: dict[Node, dict[Node, None]] = {}
        of_verb: dict[Node, dict[Meeting, dict[Node, None]]] = {}
        for c in plan.constraints:
            if c.sense:
                predicates.setdefault(c.b, {})[c.a] = None
                of_verb.setdefault(c.a, {}).setdefault(c.sense, {})[c.b] = None
        if sense is Together.THREE:
            self._make_sense_of_things(of_verb)
        plan.constraints += self._contents()
        plan.constraints = [c for c in plan.constraints if not c.sense or (sense and not {c.a, c.b} <= dealt)]
        if sense:
            self._reflect()
            self._question()
            self._go_behind_prepositions()
            self._subordinate()
            self._own()
            self._liken(close=sense is Together.THREE)
            self._make_sense_of_predicates([*predicates.values()], close=sense is Together.THREE)

    def _make_sense_of_predicates(self, predicates: Sequence[Mapping[Node, None]], *, close: bool) -> None:
        """Keep what is said of one thing in one scene, and what is done in spite of something else in a contrary one.

        Args:
            predicates: what is said of each thing.
            close: as in `_make_sense_of_two`.
        """
        pairs = [pair for said_of_one in predicates for pair in itertools.combinations(said_of_one, 2)]
        for first, second in pairs:
            if self.nodes.meet(first, second):
                self._make_sense_of_two(first, second, close=close)
        for inner, outer in self.clauses.relatives:
            if self.nodes.meet(inner, outer):
                self.plan.constraints.append(self.relations.sense.timed(inner, outer, is_inside=True))
                is_past = inner.has_only("Tense", "Past") and outer.has_only("Tense", "Past")
                if is_past and not set(self._things(inner)).isdisjoint(self._nouns(outer, "doer")):
                    self.plan.constraints.append(self.relations.sense.one_after_another(inner, outer))
        of_one = {frozenset(pair) for pair in pairs}
        for s in self.clauses.subordinations:
            if frozenset((s.below, s.above)) not in of_one and self.nodes.meet(s.below, s.above):
                self._make_sense_of_two_people(s)

    def _make_sense_of_two_people(self, joined: Subordination) -> None:
        """Keep what two people do together, as the subordinator between them asks.

        What one does in spite of the other is of contrary scenes, what one does because of the other of one scene; and
        so is what one does before or after the other does something, or something happens to a thing.

        Args:
            joined: the verbs.
        """
        sense, below, above = self.relations.sense, joined.below, joined.above
        if told := self._told.get(frozenset((below, above))):
            self.plan.constraints += sense.meeting(below, above, "opposed" if told == {"contrary"} else "adjunct")
        elif joined.tells <= {"earlier", "later"}:
            inner, outer = ([*self._things(verb), *self._nouns(verb, "doer")] for verb in (below, above))
            pairs: dict[tuple[Node, Node], Meeting] = {(below, above): "sequel"}
            for one, other in itertools.product(inner, outer):
                if one is not other:
                    pairs |= {(one, other): "things", (below, other): "thing", (above, one): "thing"}
            for pair, role in pairs.items():
                if self.nodes.meet(*pair):
                    self.plan.constraints += sense.meeting(*pair, role)

    def _things(self, verb: Node) -> list[Node]:
        """The nouns that name what a verb does something to."""
        return self._nouns(verb, "thing")

    def _nouns(self, verb: Node, role: Meeting) -> list[Node]:
        """The nouns that are something to a verb."""
        return list(dict.fromkeys(c.b for c in self.plan.constraints if c.a is verb and c.sense == role))

    def _make_sense_of_two(self, first: Node, second: Node, *, close: bool) -> None:
        """Keep two predicates in one scene, as the word between them asks.

        Args:
            first, second: verbs or adjectives that are said of one thing.
            close: whether what is done before or after something else is no general doing, and comes in its order.
        """
        role: Meeting = "beside"
        both = frozenset((first, second))
        of_one_thing = not set(self._things(first)).isdisjoint(self._things(second))
        if told := self._told.get(both):
            role = "contrary" if told == {"contrary"} else "adjunct"
        elif along := self.clauses.at_one_time.get(both):
            self.plan.constraints += self.relations.at_once(first, second, along, of_one_thing=of_one_thing)
        elif pair := self._one_after_another.get(both):
            role = "adjunct"  # what one does is no general doing either
            if of_one_thing:
                self.plan.constraints.append(self.relations.sense.one_after_another(*pair))
        else:
            for below, above in ((first, second), (second, first)):
                if close and (conjunction := self._adjoined.get(below)):
                    role = "adjunct"
                    self.plan.trios.append(self.relations.sense.in_order(conjunction, below, above))
        self.plan.constraints += self.relations.sense.meeting(first, second, role)
        if first.is_headed_by("V") and second.is_headed_by("V"):
            self.plan.constraints.append(self.relations.sense.timed(first, second))

    def _make_sense_of_things(self, doings: Mapping[Node, Mapping[Meeting, Mapping[Node, None]]]) -> None:
        """Keep who does something and the thing in one scene, and the things to which somebody does different things.

        Args:
            doings: the nouns of each verb, by what they are to it.
        """
        for verb, nominals in doings.items():
            for role, other_role in itertools.combinations(_NOUNS_OF_A_DOING, 2):
                for one, other in itertools.product(nominals.get(role, ()), nominals.get(other_role, ())):
                    if one is not other and len({one, verb, other} & self.nodes.dealt) < 2:
                        self.plan.trios.append(self.relations.sense.trio(verb, one, role, other, other_role))
        for first, second in itertools.combinations(doings.values(), 2):
            if first.get("doer", {}).keys() & second.get("doer", {}).keys():
                for one, other in itertools.product(first.get("thing", ()), second.get("thing", ())):
                    if one is not other and self.nodes.meet(one, other):
                        self.plan.constraints += self.relations.sense.meeting(one, other, "things")

    def _contents(self) -> Iterator[Constraint]:
        """What verbs and adjectives ask of the verb of their clause, auxiliaries of theirs, adjectives of a noun's."""
        plan, pairs = self.plan, dict[tuple[Node, Node], None]()
        for better in self.paradigm.good_names:
            drawn = [*dict.fromkeys(node for token in plan.tokens[better] if (node := self.nodes.drawn(token)))]
            heads = itertools.pairwise(self.clauses.heads(plan.tokens[better]))
            pairs.update({(head, below): None for head, below in heads if below.is_headed_by("V")})
            pairs.update({(node.children["aux"], node): None for node in drawn if "aux" in node.children})
        pairs.update(dict.fromkeys(self.nodes.selecting("Aux")))
        for head, below in pairs:
            yield from self.relations.content(head, below)
        for adjective, noun in self._modifiers():
            arguments = (c for c in plan.constraints if c.b is noun and c.sense in ("doer", "thing"))
            for verb in dict.fromkeys(c.a for c in arguments if c.a.is_headed_by("V")):
                yield from self.relations.content(adjective, verb, "verbs")

    def _go_behind_prepositions(self) -> None:
        """Let a noun go with the preposition before it: one does something despite a storm, not despite a mystery."""
        for each in self.clauses.occasions:
            self._suit(each.preposition, "P", "noun", each.noun, each.place)
            if each.verb is not None:
                self._suit(each.preposition, "P", "clause", each.verb, each.place)

    def _subordinate(self) -> None:
        """Let both verbs go with the subordinator between them: that somebody breathes is no condition.

        What is done to somebody because of what he did is an answer to it: one thanks him for it, or scolds him, and
        does not congratulate or tease him.
        """
        for each in self.clauses.subordinations:
            for verb in (each.below, each.above):
                self._suit(each.subordinator, "Subordinator", "clause", verb, each.place)
            if not set(self._things(each.above)).isdisjoint(self._nouns(each.below, "doer")):
                self._suit(each.subordinator, "Subordinator", "main", each.above, each.place)

    def _own(self) -> None:
        """Let what is behind *whose* or a written *'s* be such as its owner has: no schoolchild has a stepdaughter."""
        for owner, owned in self._on_two_sides(BEHIND_A_POSSESSOR):
            if owner.nominal.any() and owned.is_headed_by("N"):
                own = self.relations.relational(owned, owner, "poss")
                self.plan.constraints.append(replace(own, sense="things"))

    def _suit(self, head: frozenset[str] | Node, category: str, column: str, other: Node, place: Place) -> None:
        """Keep to what suits a closed-class word.

        Args:
            head: its slot, or what stands in its place.
            category: of the word.
            column: in which it says what suits it.
            other: the node that is to suit it.
            place: of the sentence.
        """
        if isinstance(head, Node):
            self._go_with("", head, other, self.relations.suiting(head.column(column), other), place)
            return
        restrictions = self.nodes.stated(category, column)
        for word in sorted(head):
            self._go_with(word, None, other, self.relations.suiting([restrictions[word]], other), place)

    def _modifiers(self) -> Iterator[tuple[Node, Node]]:
        """The adjectives that modify nouns, as slots or in the phrases of nouns, with the nouns."""
        yield from self._said("modifies")
        for noun in self.plan.order:
            if "adjunct" in noun.children and noun.children["adjunct"].is_headed_by("A"):
                yield noun.children["adjunct"], noun

    def _said(self, *relations: Literal["modifies", "subject_of"]) -> Iterator[tuple[Node, Node]]:
        """The adjectives that slots relate to others, with the phrases of which they are said.

        Args:
            relations: the keys by which they are related.
        """
        for spec in self.plan.specs.values():
            for relation in relations:
                for target in spec.relations.get(relation, ()):
                    pair = self.nodes.node(spec, spec.name), self.nodes.node(spec, target)
                    adjective, noun = pair if relation == "modifies" else pair[::-1]
                    if adjective.is_headed_by("A"):
                        yield adjective, noun

    def _reflect(self) -> None:
        """Draw before a reflexive what one does to oneself: somebody hides herself, and arrests others.

        Before a reciprocal stands what is done to such as do it: nobody sweeps another.
        """
        for node, tokens, place in self.nodes.followed_verbs():
            anaphor = self.nodes.drawn(tokens[0])
            if anaphor is not None and anaphor.is_headed_by("Recip") and anaphor.slot in self.plan.agreement:
                antecedent = self.nodes.node(self.plan.specs[anaphor.slot], self.plan.agreement[anaphor.slot])
                self.plan.constraints += self.relations.argument("object_of", "obj", node, antecedent)
            if self.nodes.is_reflexive(tokens[0]):
                reason = f"one does no such thing to oneself, as {tokens[0]} would say"
                self._keep_some(node, self.relations.done_to_oneself(node), reason, place)

    def _keep_some(self, node: Node, mask: NDArray[np.bool_], reason: str, place: Place) -> None:
        """Take other candidates out, if some remain: where none does, the word is what the author wants to see."""
        remaining = self.plan.masks[self.plan.index(node)]
        if (remaining & mask).any():
            remaining &= mask
            self.watch(Cut(node, mask, "related", reason, place))

    def _question(self) -> None:
        """Let a wh-word of a good sentence go with the verb that asks it, and with the predicate that it asks about."""
        plan = self.plan
        for name in self.paradigm.good_names:
            asker: Node | None = None
            place = sentence_place(self.paradigm, plan.cell, name)
            word, wh, words = "", None, list[QuestionWord]()
            for token in plan.tokens[name]:
                node = self.nodes.drawn(token)
                if found := self.relations.question_words(token.text, node, asker):
                    word, wh, words = token.text, node, found
                    if asker is not None:
                        self._go_with(word, wh, asker, self.relations.asked(words, asker), place)
                elif node is not None and node is not asker and self._is_predicate(node):
                    if words:
                        self._go_with(word, wh, node, self.relations.asked_about(words, node), place)
                        for thing in self._things(node):  # a room has its place, so nobody asks where it is tidied
                            nouns = self.relations.suiting([each.noun for each in words], thing)
                            self._go_with(word, wh, thing, nouns, place)
                    asker, words = node, []

    def _go_with(self, word: str, head: Node | None, other: Node, merged: Merged, place: Place) -> None:
        """Keep to the words that go with a wh-word, preposition or subordinator.

        Args:
            word: that word, if it is a literal.
            head: its slot, if it has one.
            other: the verb or adjective beside a wh-word, the noun behind a preposition, a verb that is subordinated.
            merged: which of the words go with which of its candidates.
            place: of the sentence.
        """
        of_word, of_other, allowed = merged
        if head is not None:
            if allowed[:-1, :-1].any() and not allowed.all() and not {head, other} <= self.nodes.dealt:
                self.plan.constraints.append(Constraint("content", head, other, *merged, sense="content"))
            return
        mask = allowed[of_word[0], of_other[:-1]]
        self._keep_some(other, mask, f"content: {word} does not go with it", place)

    def _liken(self, *, close: bool) -> None:
        """Let things that are compared or joined in a sentence be peers.

        Args:
            close: whether they are compared by an adjective by which one compares such things.
        """
        plan, pairs = self.plan, dict[tuple[Node, Node], None]()
        for adjective, things in self._said_of_two.items():
            for pair in itertools.combinations(things, 2):
                if self.nodes.meet(*pair):
                    pairs[pair] = None
                    if close and self.lexicon.peers.names:
                        plan.trios.append(self.relations.sense.compared_by(adjective, *pair))
        pairs |= dict.fromkeys(
            (c.a, c.b) for c in plan.constraints if c.name == OF_ONE_KIND and self.nodes.meet(c.a, c.b)
        )
        pairs |= dict.fromkeys(self._joined)
        plan.constraints += [self.relations.sense.peers(*pair) for pair in pairs]

    @cached_property
    def _said_of_two(self) -> dict[Node, list[Node]]:
        """Adjectives that are said of more than one noun, with the nouns."""
        said: dict[Node, dict[Node, None]] = {}
        for adjective, noun in self._said("modifies", "subject_of"):
            if noun.nominal.any():
                said.setdefault(adjective, {})[noun] = None
        return {adjective: [*nouns] for adjective, nouns in said.items() if len(nouns) > 1}

    @cached_property
    def _joined(self) -> list[tuple[Node, Node]]:
        """The nouns on the two sides of a conjunction, in good sentences, that are arguments of one word."""
        conjunctions = {*self.lexicon.inventory("Conj").lemmas}
        return [
            (a, b)
            for a, b in self._on_two_sides(conjunctions)
            if self._are_alike_arguments(a, b) and self.nodes.meet(a, b)
        ]

    def _on_two_sides(self, words: Container[str]) -> Iterable[tuple[Node, Node]]:
        """The nodes right before and right behind a written word of some, in good sentences; each pair once."""
        pairs = dict[tuple[Node, Node], None]()
        for better in self.paradigm.good_names:
            tokens = self.plan.tokens[better]
            for first, word, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
                a, b = self.nodes.drawn(first), self.nodes.drawn(second)
                if a and b and word.text in words:
                    pairs[a, b] = None
        return pairs

    def _are_alike_arguments(self, a: Node, b: Node) -> bool:
        """Whether two nouns are both objects, or both subjects, of one word."""
        relations = (self.plan.specs[node.slot].relations.items() for node in (a, b) if node.nominal.any())
        places = [{(relation, target) for relation, targets in each for target in targets} for each in relations]
        return len(places) > 1 and not places[0].isdisjoint(places[1])

    def _is_predicate(self, node: Node) -> bool:
        """Whether a slot is headed by a verb, or by an adjective that modifies no noun."""
        is_said = "modifies" not in self.plan.specs[node.slot].relations
        return is_said and node.is_headed_by("V", "A")

    def acquaint(self) -> None:
        """Let people of two trades stand in one sentence only if a scene has both."""
        people = [node for node in self.plan.order if self.relations.sense.has_trades(node)]
        for first, second in itertools.combinations(people, 2):
            if self.nodes.meet(first, second):
                self.plan.constraints += self.relations.sense.acquainted(first, second)

    @cached_property
    def _adjoined(self) -> dict[Node, Node]:
        """The verbs of clauses that say when something else is done (*before opening it*), to their subordinators."""
        written = {s.below: s.subordinator for s in self.clauses.subordinations if isinstance(s.subordinator, Node)}
        return {**written, **{below: conjunction for conjunction, below in self.nodes.selecting("Subordinator")}}

    @cached_property
    def _one_after_another(self) -> dict[frozenset[Node], tuple[Node, Node]]:
        """The verbs that a conjunction joins, or a written *before* or *after*, in the order of what they tell."""
        pairs = {frozenset((c.first, c.second)): (c.first, c.second) for c in self.clauses.coordinations}
        for s in self.clauses.subordinations:
            if not isinstance(s.subordinator, Node) and s.tells in ({"earlier"}, {"later"}):
                both = s.below, s.above
                pairs[frozenset(both)] = both if s.tells == {"earlier"} else both[::-1]
        return pairs

    @cached_property
    def _told(self) -> dict[frozenset[Node], frozenset[str]]:
        """What good sentences tell of two verbs: one in spite of the other (*although*), or because of it.

        A *not* in one of the clauses turns that round.
        """
        told = {frozenset((s.below, s.above)): s.tells for s in self.clauses.subordinations if s.alike}
        return {pair: kinds for pair, kinds in told.items() if kinds in ({"contrary"}, {"cause"})}
