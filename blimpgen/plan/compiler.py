"""From a cell of a paradigm to a plan: nodes in drawing order, and the constraints between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import cached_property, partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.base.memo import Memo
from blimpgen.paradigm import Paradigm, Token
from blimpgen.plan.candidate_values import number_class
from blimpgen.plan.cells import Cell, cell_places, cells, dealt_slots, sentence_place
from blimpgen.plan.changes import (
    CHANGED,
    SHOWS,
    STABLE,
    agreeing,
    agreeing_with,
    changeable,
    disjoint,
    shown_past_joins,
    stable_subject,
    values_of_lists,
)
from blimpgen.plan.constraints import Constraint, Meeting, Merged, constraint
from blimpgen.plan.diagnose import count_fitting, empty_slot
from blimpgen.plan.features import check_below
from blimpgen.plan.lookahead import conjoin, induce, look_ahead, share_scenes
from blimpgen.plan.nodes import Node
from blimpgen.plan.plan import Cut, Plan, Watch, Words, unwatched
from blimpgen.plan.regions import check_regions
from blimpgen.plan.relation_categories import related
from blimpgen.plan.relations import QuestionWord
from blimpgen.plan.selection import COMPLEMENTS, OBJECTS
from blimpgen.plan.sharing import SharedArrays
from blimpgen.plan.spec import SlotSpec, SpecReader, mentioned_factors
from blimpgen.plan.templates import check_names, check_table_words, read_templates

__all__ = ["ARGUMENTS", "compile_cell", "compile_cells", "drawing_order", "read_slots"]

_INVERSE = {"subject": ("subject_of", "subj"), "object": ("object_of", "obj")}
ARGUMENTS = {
    "subject_of": ("subj", "under_not"),
    "object_of": ("obj", "after_not"),
    "goal_of": ("goal", "after_not"),
    "second_object_of": ("second", "after_not"),
}
"""Relation of a noun to a verb, to the column that it asks, and the one that says what stands under negation."""

_PLACES = tuple(frame for frame in OBJECTS if "NP" not in frame.split("."))
"""Frames of which the noun of a preposition counts as the object."""
_NAMED = 3  # frames that a message names
_OF_ONE_KIND = "same types"
"""What the tie of two nouns with the same types is called."""
_WITH_CLAUSE = {"A.that", "A.it.that"}
"""Frames of adjectives that have a finite clause."""
_VIOLATIONS = {"bad_subject_of": "subj_no", "bad_object_of": "obj_no"}


def compile_cells(paradigm: Paradigm, language: Words) -> list[Plan]:
    """Compile all cells of a paradigm; they share what is equal in them.

    Args:
        paradigm: the paradigm.
        language: words and rules.

    Raises:
        DataError: as `compile_cell`; more cells than a paradigm may have; a slot without a use; a token in no region.
    """
    arrays, parsed = SharedArrays(), Memo[SlotSpec]()
    plans = [arrays.share(compile_cell(paradigm, cell, language, parsed=parsed)) for cell in cells(paradigm)]
    _check_used(paradigm, plans)
    check_regions(paradigm, plans)
    return plans


def compile_cell(
    paradigm: Paradigm, cell: Cell, language: Words, watch: Watch = unwatched, parsed: Memo[SlotSpec] | None = None
) -> Plan:
    """Compile one cell.

    Args:
        paradigm: the paradigm.
        cell: its cell.
        language: words and rules.
        watch: told of candidates that are taken out after the slots' own constraints.
        parsed: the slots of other cells of the paradigm, by their mapping.

    Raises:
        DataError: an unknown slot, feature or value; a slot that nothing fits, with the constraint that emptied it.
    """
    parsed, cuts = Memo() if parsed is None else parsed, list[Cut]()
    if paradigm.model.sense == "on" and language.lexicon.tells_sense:
        # Where words of one scene cannot fill every slot, sense gives way; whatever else is wrong is told below.
        gave_way = ""
        for sense in (_Sense.THREE, _Sense.TWO):
            cuts.clear()
            try:
                plan = _compiled(paradigm, cell, language, watch if watch is unwatched else cuts.append, parsed, sense)
            except DataError as error:
                gave_way = gave_way or error.message
            else:
                for cut in cuts:
                    watch(cut)
                return replace(plan, gave_way=gave_way)
        return replace(_compiled(paradigm, cell, language, watch, parsed, _Sense.OFF), gave_way=gave_way)
    return _compiled(paradigm, cell, language, watch, parsed, _Sense.OFF)


class _Occasion(NamedTuple):
    """A noun behind a preposition: when, where or in spite of what something is done.

    Attributes:
        preposition: its words, of which a table may have several, or its slot.
        noun: the noun.
        verb: the nearest verb, if there is one.
        place: of the sentence.
    """

    preposition: frozenset[str] | Node
    noun: Node
    verb: Node | None
    place: Place


class _Sense(IntEnum):
    """Of how many words together it is asked that they share a scene."""

    OFF = 0
    TWO = 2
    THREE = 3


def _compiled(
    paradigm: Paradigm, cell: Cell, language: Words, watch: Watch, parsed: Memo[SlotSpec], sense: _Sense
) -> Plan:
    plan, relations = read_slots(paradigm, cell, language, parsed), language.relations
    check_names(paradigm, plan, language.lexicon)
    compiler = _Compiler(paradigm, plan, language, watch)
    compiler.nodes()
    plan.order = drawing_order(plan)
    compiler.relate()
    compiler.change()
    compiler.govern()
    compiler.separate()
    compiler.make_sense(sense)
    if language.pairing:
        language.pairing(plan)
    plan.constraints = conjoin(plan.constraints, relations.joined)
    induce(plan, relations.induced)
    if sense is _Sense.THREE:
        compiler.acquaint()
    plan.constraints = conjoin(plan.constraints, relations.joined)
    _check_dealt(plan, paradigm.place("balance"))
    share_scenes(plan, relations.fitting, watch)
    look_ahead(plan, watch)
    return plan


def read_slots(paradigm: Paradigm, cell: Cell, language: Words, parsed: Memo[SlotSpec] | None = None) -> Plan:
    """Begin the plan of a cell: its slots are parsed, and nothing else is known.

    Args:
        paradigm: the paradigm.
        cell: its cell.
        language: words and rules.
        parsed: the slots of other cells of the paradigm, by their mapping.

    Raises:
        DataError: a slot that cannot be read.
    """
    reader = SpecReader(cell_places(paradigm, cell), language.lexicon.hierarchy.parse, cell.levels)
    parsed = Memo() if parsed is None else parsed
    specs = {
        name: parsed.once(
            partial(reader.read, name, data, ("slots", name)),
            data,
            key=(name, tuple((factor, cell.levels.get(factor)) for factor in mentioned_factors(data))),
        )
        for name, data in cell.slots.items()
    }
    return Plan(cell, specs, dealt=dealt_slots(paradigm))


def drawing_order(plan: Plan) -> list[Node]:
    """Return the nodes of a plan as they are drawn: dealt slots first, each node above its daughters."""
    names = [*plan.dealt, *(name for name in plan.slots if name not in plan.dealt)]
    return [node for name in names if name in plan.slots for node in plan.slots[name].all()]


def _check_used(paradigm: Paradigm, plans: list[Plan]) -> None:
    """Refuse a slot that stands in no sentence of any cell and that no other slot names."""
    tokens = (token for plan in plans for tokens in plan.tokens.values() for token in tokens)
    used = {token.slot for token in tokens} | {*dealt_slots(paradigm)}
    used.update(name for plan in plans for spec in plan.specs.values() for name in spec.named_slots())
    for name in paradigm.model.slots:
        if name not in used:
            what = f"slot {name!r} stands in no sentence, and no other slot names it; use it, or take it out"
            raise DataError(what, paradigm.place("slots", name), "slot")


def _check_dealt(plan: Plan, place: Place) -> None:
    """Each dealt slot is dealt on its own, so it must be drawn, and free of the others."""
    for name in plan.dealt:
        if name not in plan.slots:
            original = plan.specs[name].same
            raise DataError(f"slot {name!r} is the lexeme of {original!r}; deal {original!r} instead", place, "balance")
    heads = {plan.slots[name] for name in plan.dealt}
    for c in plan.constraints:
        if c.a in heads and c.b in heads:
            what = f"{c.a.slot!r} and {c.b.slot!r} restrict each other ({c.name}); deal only one of them"
            raise DataError(what, place, "balance")


class _Compiler:
    def __init__(self, paradigm: Paradigm, plan: Plan, language: Words, watch: Watch) -> None:
        self.paradigm, self.plan, self.language, self.watch = paradigm, plan, language, watch
        self.unroller, self.relations = language.unroller, language.relations

    def nodes(self) -> None:
        for name, spec in self.plan.specs.items():
            if spec.same:
                self._check_exists(spec.same, spec.at("same"))
                if list(self.plan.specs).index(spec.same) >= list(self.plan.specs).index(name):
                    raise DataError(f"slot {spec.same!r} must stand above {name!r}", spec.at("same"), "slot")
                continue
            node = self._node(spec)
            if not count_fitting(node, spec):
                raise empty_slot(spec, lambda fewer: count_fitting(self._node(fewer), fewer))
            check_below(spec, node, self.unroller.grammar)
            self.plan.slots[name] = node

    def _node(self, spec: SlotSpec) -> Node:
        if spec.table:
            node = self.unroller.table(spec)
            node.domain.once("checked", lambda: check_table_words(spec, self.language.lexicon))
            return node
        if spec.words:
            return self.unroller.words(spec)
        if spec.like:
            return self.unroller.twin(spec, self.node(spec, spec.like, "like"))
        if not spec.cat:
            raise DataError(f"slot {spec.name!r} has no category; write cat: DP, or like: SLOT", spec.place, "category")
        return self.unroller.slot(spec)

    def _check_exists(self, name: str, place: Place) -> None:
        if name not in self.plan.specs:
            raise DataError(f"unknown slot {name!r}; {nearest(name, self.plan.specs)}", place, "slot")

    def node(self, spec: SlotSpec, name: str, key: str = "") -> Node:
        """The head node of a slot named under a key of another; of a `same` slot, its original's."""
        head, _, _ = name.partition(".")
        self._check_exists(head, spec.at(key))
        other = self.plan.specs[head]
        if other.same:
            return self.node(other, other.same)
        if head not in self.plan.slots:
            raise DataError(f"slot {head!r} must stand above {spec.name!r}", spec.at(key), "slot")
        return self.plan.slots[head]

    def relate(self) -> None:
        plan = self.plan
        for slot in plan.slots.values():
            plan.constraints += self.relations.inside(slot)
        for node in plan.order:
            self._agree_inside(node)
        for name, spec in plan.specs.items():
            for relation, targets in spec.relations.items():
                for target in targets:
                    other = self.node(spec, target, relation)
                    with related(relation, self.node(spec, name), other, spec.at(relation)):
                        plan.constraints += list(self._relation(name, spec, relation, target))
            if not spec.same:
                plan.constraints += list(self._ties(spec, plan.slots[name], ()))
            if spec.like:
                plan.constraints += list(self._twin(spec))

    def _agree_inside(self, node: Node) -> None:
        for role in ("subject", "pivot"):
            if role in node.children:
                self.plan.agreement[node.path] = node.children[role].path

    def _relation(self, name: str, spec: SlotSpec, relation: str, target: str) -> Iterator[Constraint]:
        if relation in _INVERSE:
            relation_of, _ = _INVERSE[relation]
            yield from self._argument(spec, relation_of, target, name)
        elif relation in ARGUMENTS:
            yield from self._argument(spec, relation, name, target)
        elif relation in _VIOLATIONS:
            yield from self.relations.argument(
                relation, _VIOLATIONS[relation], self.node(spec, target), self.node(spec, name)
            )
        else:
            yield from self._other(name, spec, relation, target)

    def _argument(self, spec: SlotSpec, relation: str, nominal: str, verbal: str) -> Iterator[Constraint]:
        column, under = ARGUMENTS[relation]
        verb, noun = self.node(spec, verbal), self.node(spec, nominal)
        if frames := {"obj": OBJECTS, **COMPLEMENTS}.get(column):
            self._check_frame(spec, relation, frames, verb)
        if relation == "subject_of" and not verb.inflected:
            self.plan.agreement.setdefault(verbal, nominal)
        yield from self.relations.argument(relation, column, verb, noun)
        if relation == "subject_of":
            yield from self.relations.controlled(relation, verb, noun)
        pattern = verb.twin_of or verb
        negation = self.relations.negation(pattern, noun, under)
        if negation is not None and pattern is verb:
            yield negation

    def _check_frame(self, spec: SlotSpec, relation: str, frames: tuple[str, ...], verb: Node) -> None:
        """Refuse a relation that a verb does not have in each of its frames: nothing would be asked of the noun."""
        verbal = [leaf.frames for leaf in verb.leaves if leaf.inventory.category == "V" and leaf.frames]
        has = {" & ".join(own): not {*own}.isdisjoint(frames) for own in verbal}
        lacking, having = ([frame for frame, each in has.items() if each is wanted] for wanted in (False, True))
        if lacking and having:
            hint = f"with {' and '.join(lacking)} nothing would be asked; write frame: {' | '.join(having)}, or frame: "
            hint += f"{having[0]} & {lacking[0]} for verbs with both"
        elif lacking:
            more = " or another with NP" if len(frames) > _NAMED else ""
            other = "write object_of" if {*lacking} <= {*_PLACES} else f"leave out {relation}"
            hint = f"it needs {' or '.join(frames[:_NAMED])}{more}; or {other}: {verb.slot}"
        if lacking:
            what = f"{relation}: slot {verb.slot!r} has frame {' | '.join(has)}; {hint}"
            raise DataError(what, spec.at(relation), "relation")

    def _other(self, name: str, spec: SlotSpec, relation: str, target: str) -> Iterator[Constraint]:
        other, part = self.node(spec, target), target.partition(".")[2]
        if spec.same:
            self.plan.agreement[name] = target
            return
        node = self.plan.slots[name]
        if relation == "agrees_with":
            self.plan.agreement.setdefault(name, target)
            yield (
                self._table_agreement(node, other, part)
                if other.rows
                else self.relations.agreement(relation, node, other)
            )
        elif relation == "selects":
            yield self.relations.selects(node, other, spec.at(relation))
        elif relation == "modifies":
            yield from self._modifies(node, other)
        else:
            yield self.relations.column(relation, "antecedent", node, other)

    def _modifies(self, node: Node, other: Node) -> Iterator[Constraint]:
        if any(x.inventory.category == "A" for x in node.leaves):
            yield self.relations.column("modifies", "arg", node, other)
        else:
            yield self._adverbial(node, other)

    def _adverbial(self, adverb: Node, verb: Node) -> Constraint:
        places = [leaf.inventory.places[k] for leaf in adverb.leaves for k in leaf.candidates]
        table = []
        for text, place in zip(adverb.column("modifies"), places, strict=True):
            expression = self.language.lexicon.hierarchy.parse(text or "any", place)
            mask = np.zeros(verb.size, dtype=bool)
            for k, leaf in enumerate(verb.leaves):
                mask[verb.leaf == k] = leaf.inventory.mask(expression, place)[leaf.candidates]
            table.append(mask)
        return constraint(
            "modifies",
            adverb,
            verb,
            np.arange(adverb.size, dtype=np.int32),
            np.arange(verb.size, dtype=np.int32),
            np.array(table),
        )

    def _table_agreement(self, noun: Node, table: Node, column: str) -> Constraint:
        if column not in table.rows[0]:
            what = f"the table {table.slot!r} has no column {column!r}; {nearest(column, table.rows[0])}"
            raise DataError(what, self.plan.specs[noun.slot].place, "slot")
        words = self.language.lexicon.inventory("D")
        index = {lemma: k for k, lemma in enumerate(words.columns["lemma"])}
        allowed = np.zeros((len(table.rows), 3), dtype=bool)
        for k, row in enumerate(table.rows):
            for n, cell in enumerate(("sg", "pl", "mass")):
                allowed[k, n] = row[column] in index and words.forms[cell][index[row[column]]] >= 0
        return constraint(
            "agrees_with", table, noun, np.arange(table.size, dtype=np.int32), number_class(noun), allowed
        )

    def _ties(self, spec: SlotSpec, node: Node, roles: tuple[str, ...]) -> Iterator[Constraint]:
        """The ties of a slot or daughter; those of a daughter go to the daughter of the same role."""
        for feature, (kind, target) in spec.ties.items():
            other = self.node(spec, target, feature)
            for role in roles:
                if role not in other.children:
                    raise DataError(f"slot {target!r} has no {role}", spec.at(feature), "feature")
                other = other.children[role]
            if (kind == "near") != (feature == "zipf"):
                what = f"{feature} is not {kind} that of a slot; write zipf: near SLOT, or FEATURE: same SLOT"
                raise DataError(what, spec.at(feature), "feature")
            if kind == "near":
                yield self.relations.near(node, other)
                continue
            if node.inflected and feature[0].isupper():
                values_of_lists(other, feature, spec.at(feature))
            yield self.relations.tied(kind, feature, node, other)
        for role, below in spec.daughters.items():
            if role in node.children:
                yield from self._ties(below, node.children[role], (*roles, role))

    def _twin(self, spec: SlotSpec) -> Iterator[Constraint]:
        twin, original = self.node(spec, spec.name), self.node(spec, spec.like)
        yield from self.relations.twin(twin, original)

    def change(self) -> None:
        """Keep only candidates whose change in place makes the sentence bad on every reading."""
        plan = self.plan
        plan.masks = [np.ones(node.size, dtype=bool) for node in plan.order]
        read_templates(self.paradigm, plan, self.language.lexicon)
        for name, tokens in plan.tokens.items():
            for token in tokens:
                if token.change:
                    self._change(token, sentence_place(self.paradigm, plan.cell, name))

    def govern(self) -> None:
        """Draw verbs with the preposition that stands before their goal in a good sentence."""
        plan = self.plan
        for better in self.paradigm.good_names:
            for before, token in itertools.pairwise(plan.tokens[better]):
                if spec := plan.specs.get(token.slot):
                    for target in spec.relations.get("goal_of", ()):
                        verb, goal = self.node(spec, target), self.node(spec, token.slot)
                        plan.constraints += self.relations.governed(before.text, verb, goal)

    def separate(self) -> None:
        """Draw no verb with a separable particle before a pronoun: no good sentence has *woke up it*."""
        for node, tokens, place in self._followed_verbs():
            whole = node.column("prt_kind") != "sep"
            if not whole.all() and self._is_object_pronoun(tokens[0], tokens[1:]):
                self.plan.masks[self.plan.index(node)] &= whole
                reason = f"its particle would stand before the pronoun {tokens[0]}"
                self.watch(Cut(node, whole, "related", reason, place))

    def _followed_verbs(self) -> Iterator[tuple[Node, tuple[Token, ...], Place]]:
        """The verbs of the good sentences with the tokens behind each, at least one, and where the sentence stands."""
        for name in self.paradigm.good_names:
            tokens, place = self.plan.tokens[name], sentence_place(self.paradigm, self.plan.cell, name)
            for k, token in enumerate(tokens[:-1], 1):
                node = self._drawn(token)
                if node is not None and node.is_headed_by("V"):
                    yield node, tokens[k:], place

    def _is_object_pronoun(self, token: Token, behind: Sequence[Token]) -> bool:
        """Whether a token shows pronouns alone, none of which can be the possessor of a noun behind it (*her*)."""
        if forms := self._listed_forms(token):
            table = self.language.lexicon.table("pronouns")
            personal = {acc for acc, reflexive in zip(table["acc"], table["refl"], strict=True) if reflexive}
            following = self._drawn(behind[0]) if behind else None
            is_noun = following is not None and any(leaf.inventory.category in ("N", "A") for leaf in following.leaves)
            return forms <= personal - {""} and not (is_noun and forms & {*table["poss_det"]})
        node = self._drawn(token)
        return node is not None and node.is_headed_by("Pron")

    def _is_reflexive(self, token: Token) -> bool:
        """Whether a token shows reflexives alone."""
        node = self._drawn(token)
        if node is not None and node.is_headed_by("Refl"):
            return True
        forms = self._listed_forms(token)
        return bool(forms) and forms <= {*self.language.lexicon.table("pronouns")["refl"]} - {""}

    def _listed_forms(self, token: Token) -> set[str]:
        """The words that a token shows which is a literal or of a slot with a table; none of another slot."""
        spec = self.plan.specs.get(token.slot)
        if spec is None:
            return {token.text}
        return {row[token.part] for row in spec.table}

    def make_sense(self, sense: _Sense) -> None:
        """Keep the words of a clause, and of clauses about one thing, in one scene; words that are dealt are free.

        Args:
            sense: of how many words together; if of none, what is there for sense alone is taken out.
        """
        plan, dealt = self.plan, self._dealt
        for verb, noun in dict.fromkeys((occasion.verb, occasion.noun) for occasion in self._occasions):
            if verb is not None:  # nobody skis during the graduation ceremony
                plan.constraints += self.relations.sense.meeting(verb, noun, "thing")
        predicates: dict[Node, dict[Node, None]] = {}
        of_verb: dict[Node, dict[str, dict[Node, None]]] = {}
        for c in plan.constraints:
            if c.sense:
                predicates.setdefault(c.b, {})[c.a] = None
                of_verb.setdefault(c.a, {}).setdefault(c.sense, {})[c.b] = None
        if sense is _Sense.THREE:
            self._make_sense_of_things(of_verb)
        plan.constraints += self._contents()
        plan.constraints = [c for c in plan.constraints if not c.sense or (sense and not {c.a, c.b} <= dealt)]
        if sense:
            self._reflect()
            self._question()
            self._go_behind_prepositions()
            self._liken(close=sense is _Sense.THREE)
        for said_of_one in predicates.values() if sense else ():
            for first, second in itertools.combinations(said_of_one, 2):
                if self._meet(first, second):
                    self._make_sense_of_two(first, second, close=sense is _Sense.THREE)

    def _make_sense_of_two(self, first: Node, second: Node, *, close: bool) -> None:
        """Keep two predicates in one scene, as the subordinator between them asks.

        Args:
            first, second: verbs or adjectives that are said of one thing.
            close: whether what is done before or after something else is no general doing, and comes in its order.
        """
        role: Meeting = "beside"
        if frozenset((first, second)) in self._contrary:
            role = "contrary"
        else:
            for below, above in ((first, second), (second, first)):
                if close and (conjunction := self._adjoined.get(below)):
                    role = "adjunct"
                    self.plan.trios.append(self.relations.sense.in_order(conjunction, below, above))
        self.plan.constraints += self.relations.sense.meeting(first, second, role)
        if first.is_headed_by("V") and second.is_headed_by("V"):
            self.plan.constraints.append(self.relations.sense.timed(first, second))

    def _make_sense_of_things(self, doings: Mapping[Node, Mapping[str, Mapping[Node, None]]]) -> None:
        """Keep who does something and the thing in one scene, and the things to which somebody does different things.

        Args:
            doings: the nouns of each verb, by what they are to it.
        """
        for verb, nominals in doings.items():
            for doer, thing in itertools.product(nominals.get("doer", ()), nominals.get("thing", ())):
                if doer is not thing and len({doer, verb, thing} & self._dealt) < 2:
                    self.plan.trios.append(self.relations.sense.trio(doer, verb, thing))
        for first, second in itertools.combinations(doings.values(), 2):
            if first.get("doer", {}).keys() & second.get("doer", {}).keys():
                for one, other in itertools.product(first.get("thing", ()), second.get("thing", ())):
                    if one is not other and self._meet(one, other):
                        self.plan.constraints += self.relations.sense.meeting(one, other, "things")

    def _contents(self) -> Iterator[Constraint]:
        """What verbs and adjectives ask of the verb of their clause, auxiliaries of theirs, adjectives of a noun's."""
        plan, pairs = self.plan, dict[tuple[Node, Node], None]()
        for better in self.paradigm.good_names:
            drawn = [*dict.fromkeys(node for token in plan.tokens[better] if (node := self._drawn(token)))]
            heads = itertools.pairwise(self._heads_of_clauses(plan.tokens[better]))
            pairs.update({(head, below): None for head, below in heads if below.is_headed_by("V")})
            pairs.update({(node.children["aux"], node): None for node in drawn if "aux" in node.children})
        pairs.update(dict.fromkeys(self._selecting("Aux")))
        for head, below in pairs:
            yield from self.relations.content(head, below)
        for adjective, noun in self._modifiers():
            arguments = (c for c in plan.constraints if c.b is noun and c.sense in ("doer", "thing"))
            for verb in dict.fromkeys(c.a for c in arguments if c.a.is_headed_by("V")):
                yield from self.relations.content(adjective, verb, "verbs")

    def _heads_of_clauses(self, tokens: Sequence[Token]) -> list[Node]:
        """The verbs of a sentence that stand in no relative clause, and the adjectives that have a clause.

        So the verb behind one of them is that of its clause.
        """
        relatives = {*self.language.lexicon.inventory("Rel").lemmas}
        heads, before, is_relative, takes_clause = dict[Node, None](), None, False, False
        for token in tokens:
            node = self._drawn(token)
            if token.text and takes_clause and token.text in relatives:
                takes_clause = False  # *told the guest that ...* is no relative clause of the guest's
            elif before is not None and before.leaves and before.nominal.any():
                is_relative |= token.text in relatives or (node is not None and node.is_headed_by("Rel"))
            frames = (
                {frame for each in self.plan.specs[node.slot].frames for frame in each} if node is not None else set()
            )
            if node is not None and node.is_headed_by("V"):
                if not is_relative:
                    heads[node] = None
                is_relative = False
                takes_clause = "V.NP.that" in frames
            elif node is not None and node.is_headed_by("A") and not is_relative and frames & _WITH_CLAUSE:
                heads[node] = None
            before = node
        return [*heads]

    @cached_property
    def _occasions(self) -> list[_Occasion]:
        """The nouns behind prepositions of good sentences that no slot relates to a verb."""
        related = {c.b for c in self.plan.constraints if c.sense and c.a.is_headed_by("V")}
        prepositions = {*self.language.lexicon.inventory("P").lemmas} - {"of"}  # what is of something is no occasion
        occasions = list[_Occasion]()
        for name in self.paradigm.good_names:
            place = sentence_place(self.paradigm, self.plan.cell, name)
            verb: Node | None = None
            before: frozenset[str] | Node | None = None
            nouns = list[tuple[frozenset[str] | Node, Node]]()
            for token in self.plan.tokens[name]:
                node = self._drawn(token)
                if node is not None and node.is_headed_by("V"):
                    verb = node
                elif before and node is not None and node.leaves and node not in related and node.nominal.any():
                    nouns.append((before, node))
                if verb is not None:
                    occasions += [_Occasion(*each, verb, place) for each in nouns]
                    nouns = []
                words = frozenset(self._listed_forms(token) or [token.text])
                if words <= prepositions:
                    before = words
                elif node is not None:
                    before = node if node.is_headed_by("P") else None
            occasions += [_Occasion(*each, None, place) for each in nouns]
        return occasions

    def _go_behind_prepositions(self) -> None:
        """Let a noun go with the preposition before it: one does something despite a storm, not despite a mystery."""
        for preposition, noun, _, place in self._occasions:
            if isinstance(preposition, Node):
                self._go_with("", preposition, noun, self.relations.behind(preposition.column("noun"), noun), place)
                continue
            table = self.language.lexicon.inventory("P")
            restrictions = dict(zip(table.lemmas, table.columns["noun"], strict=True))
            for word in sorted(preposition):
                self._go_with(word, None, noun, self.relations.behind([restrictions[word]], noun), place)

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
                    pair = self.node(spec, spec.name), self.node(spec, target)
                    adjective, noun = pair if relation == "modifies" else pair[::-1]
                    if adjective.is_headed_by("A"):
                        yield adjective, noun

    def _reflect(self) -> None:
        """Draw before a reflexive what one does to oneself: somebody hides herself, and arrests others.

        Before a reciprocal stands what is done to such as do it: nobody sweeps another.
        """
        for node, tokens, place in self._followed_verbs():
            anaphor = self._drawn(tokens[0])
            if anaphor is not None and anaphor.is_headed_by("Recip") and anaphor.slot in self.plan.agreement:
                antecedent = self.node(self.plan.specs[anaphor.slot], self.plan.agreement[anaphor.slot])
                self.plan.constraints += self.relations.argument("object_of", "obj", node, antecedent)
            if self._is_reflexive(tokens[0]):
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
                node = self._drawn(token)
                if found := self.relations.question_words(token.text, node, asker):
                    word, wh, words = token.text, node, found
                    if asker is not None:
                        self._go_with(word, wh, asker, self.relations.asked(words, asker), place)
                elif node is not None and node is not asker and self._is_predicate(node):
                    if words:
                        self._go_with(word, wh, node, self.relations.asked_about(words, node), place)
                    asker, words = node, []

    def _go_with(self, word: str, head: Node | None, other: Node, merged: Merged, place: Place) -> None:
        """Keep to the words that go with a wh-word or preposition.

        Args:
            word: the wh-word or preposition, if it is a literal.
            head: its slot, if it has one.
            other: the verb or adjective before or after a wh-word; the noun behind a preposition.
            merged: which of the words go with which of its candidates.
            place: of the sentence.
        """
        of_word, of_other, allowed = merged
        if head is not None:
            if allowed[:-1, :-1].any() and not allowed.all() and not {head, other} <= self._dealt:
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
                if self._meet(*pair):
                    pairs[pair] = None
                    if close and self.language.lexicon.peers.names:
                        plan.trios.append(self.relations.sense.compared_by(adjective, *pair))
        pairs |= dict.fromkeys((c.a, c.b) for c in plan.constraints if c.name == _OF_ONE_KIND and self._meet(c.a, c.b))
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
        conjunctions = {*self.language.lexicon.inventory("Conj").lemmas}
        joined = dict[tuple[Node, Node], None]()
        for better in self.paradigm.good_names:
            tokens = self.plan.tokens[better]
            for first, word, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
                a, b = self._drawn(first), self._drawn(second)
                if a and b and word.text in conjunctions and self._are_alike_arguments(a, b) and self._meet(a, b):
                    joined[a, b] = None
        return [*joined]

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
            if self._meet(first, second):
                self.plan.constraints += self.relations.sense.acquainted(first, second)

    def _meet(self, first: Node, second: Node) -> bool:
        """Whether two nodes stand in one sentence, and may be drawn with regard to one another: not both are dealt."""
        slots = {first.slot, second.slot}
        return not {first, second} <= self._dealt and any(slots <= sentence for sentence in self._together)

    @cached_property
    def _adjoined(self) -> dict[Node, Node]:
        """The verbs of clauses that say when something else is done (*before opening it*), to their subordinators."""
        return {below: conjunction for conjunction, below in self._selecting("Subordinator")}

    def _selecting(self, category: str) -> Iterator[tuple[Node, Node]]:
        """The slots of a category that select others, each with what it selects.

        Args:
            category: Aux or Subordinator.
        """
        for spec in self.plan.specs.values():
            for target in spec.relations.get("selects", ()):
                if (selecting := self.node(spec, spec.name)).is_headed_by(category):
                    yield selecting, self.node(spec, target)

    def _drawn(self, token: Token) -> Node | None:
        """The node whose word a token shows; none for a literal."""
        return self.plan.slots.get(self.plan.drawn(token.slot))

    @cached_property
    def _contrary(self) -> set[frozenset[Node]]:
        """The verbs of which a good sentence says one in spite of the other (*although*); a *not* turns that round."""
        plan, pairs = self.plan, set[frozenset[Node]]()
        for better in self.paradigm.good_names:
            verb: Node | None = None
            is_contrary, negations = False, [False]
            for token in plan.tokens[better]:
                node = self._drawn(token)
                negations[-1] ^= token.text == "not" or (node is not None and node.has_only("Polarity", "Neg"))
                is_contrary |= self.relations.sense.is_contrary(token.text, node)
                if node and node is not verb and node.is_headed_by("V"):
                    if verb and is_contrary and negations[-1] == negations[-2]:
                        pairs.add(frozenset((verb, node)))
                    verb, is_contrary, negations = node, False, [*negations, False]
        return pairs

    @cached_property
    def _dealt(self) -> set[Node]:
        """The heads of the slots that are dealt."""
        return {self.plan.slots[name] for name in self.plan.dealt if name in self.plan.slots}

    @cached_property
    def _together(self) -> list[set[str]]:
        """The slots that stand in each sentence."""
        return [{self.plan.drawn(t.slot) for t in tokens if t.slot} for tokens in self.plan.tokens.values()]

    def _distinct(self, spec: SlotSpec, node: Node, change: tuple[str, str]) -> Iterator[Constraint]:
        """What a changed word was to agree with has no reading in which it agrees: not *mi estudiante está cansado*."""
        kind, target = spec.ties.get(change[0], ("", ""))
        if kind == "same" and self.node(spec, target).inflected:
            yield disjoint(node, self.node(spec, target), change)
            yield from self._past_joins(self.plan.specs[target], change[0])
        for name, other in self.plan.slots.items():
            if self.plan.specs[name].ties.get(change[0]) == ("same", spec.name) and other.inflected:
                shown = disjoint(node, other, change)
                if shown.allowed[:-1, :-1].any():  # otherwise its words never show the feature
                    yield shown

    def _past_joins(self, spec: SlotSpec, feature: str) -> Iterator[Constraint]:
        """What an agreeing word stands for is seen though a join may hide the word: not *l'insegnante è brava*."""
        kind, source = spec.ties.get(feature, ("", ""))
        if kind == "same" and self.node(spec, source).inflected and self.language.lexicon.language.merging:
            yield shown_past_joins(self.plan.slots[spec.name], self.node(spec, source), feature, self.language.lexicon)

    def _change(self, token: Token, where: Place) -> None:
        assert token.change
        spec = self.plan.specs[token.slot]
        node = self.node(spec, token.slot)
        lexicon = self.language.lexicon

        def narrow(node: Node, mask: NDArray[np.bool_], why: str) -> None:
            self.plan.masks[self.plan.index(node)] &= mask
            self.watch(Cut(node, mask, "change", f"{token}: {why}", where))

        narrow(node, changeable(node, token.change, lexicon, where), CHANGED)
        if node.inflected:
            self.plan.constraints += self._distinct(spec, node, token.change)
        if token.change != ("Number", "other"):
            return
        source = self.plan.agreement.get(token.slot)
        if source is not None:
            controller = self.node(spec, source)
            narrow(controller, stable_subject(controller, lexicon), STABLE)
            if any(x.inventory.category in ("D", "Num") for x in node.leaves):
                narrow(controller, changeable(controller, token.change, lexicon, where), CHANGED)
        if node.nominal.any():
            narrow(node, stable_subject(node, lexicon), STABLE)
        for partner in agreeing_with(self.plan, token.slot):
            if (mask := agreeing(partner, lexicon)).any():  # where none shows it, the grammar says whether that is bad
                narrow(partner, mask, SHOWS)
