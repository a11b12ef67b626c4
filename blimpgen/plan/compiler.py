"""From a cell of a paradigm to a plan: nodes in drawing order, and the constraints between them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

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
from blimpgen.plan.constraints import Constraint, constraint
from blimpgen.plan.diagnose import count_fitting, empty_slot
from blimpgen.plan.features import check_below
from blimpgen.plan.lookahead import conjoin, induce, look_ahead, share_scenes
from blimpgen.plan.nodes import Node
from blimpgen.plan.plan import Cut, Plan, Watch, Words, unwatched
from blimpgen.plan.regions import check_regions
from blimpgen.plan.relation_categories import related
from blimpgen.plan.selection import COMPLEMENTS, OBJECTS
from blimpgen.plan.sentence_sense import SentenceSense, Together
from blimpgen.plan.sharing import SharedArrays
from blimpgen.plan.slot_nodes import SlotNodes
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
        for sense in (Together.THREE, Together.TWO):
            cuts.clear()
            try:
                plan = _compiled(paradigm, cell, language, watch if watch is unwatched else cuts.append, parsed, sense)
            except DataError as error:
                gave_way = gave_way or error.message
            else:
                for cut in cuts:
                    watch(cut)
                return replace(plan, gave_way=gave_way)
        return replace(_compiled(paradigm, cell, language, watch, parsed, Together.OFF), gave_way=gave_way)
    return _compiled(paradigm, cell, language, watch, parsed, Together.OFF)


def _compiled(
    paradigm: Paradigm, cell: Cell, language: Words, watch: Watch, parsed: Memo[SlotSpec], sense: Together
) -> Plan:
    plan, relations = read_slots(paradigm, cell, language, parsed), language.relations
    check_names(paradigm, plan, language.lexicon)
    compiler = _Compiler(paradigm, plan, language, watch)
    compiler.unroll()
    plan.order = drawing_order(plan)
    compiler.relate()
    compiler.change()
    compiler.govern()
    compiler.separate()
    sentences = SentenceSense(compiler.nodes, relations, watch)
    sentences.make(sense)
    if language.pairing:
        language.pairing(plan)
    plan.constraints = conjoin(plan.constraints, relations.joined)
    induce(plan, relations.induced)
    if sense is Together.THREE:
        sentences.acquaint()
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
        self.nodes = SlotNodes(paradigm, plan, language.lexicon)

    def unroll(self) -> None:
        """Make the node of each slot."""
        for name, spec in self.plan.specs.items():
            if spec.same:
                self.nodes.check_exists(spec.same, spec.at("same"))
                if list(self.plan.specs).index(spec.same) >= list(self.plan.specs).index(name):
                    raise DataError(f"slot {spec.same!r} must stand above {name!r}", spec.at("same"), "slot")
                continue
            node, grammar = self._node(spec), self.unroller.grammar
            if not count_fitting(node, spec):
                raise empty_slot(spec, lambda fewer: count_fitting(self._node(fewer), fewer), grammar)
            check_below(spec, node, grammar)
            self.plan.slots[name] = node

    def _node(self, spec: SlotSpec) -> Node:
        if spec.table:
            node = self.unroller.table(spec)
            node.domain.once("checked", lambda: check_table_words(spec, self.language.lexicon))
            return node
        if spec.words:
            return self.unroller.words(spec)
        if spec.like:
            return self.unroller.twin(spec, self.nodes.node(spec, spec.like, "like"))
        if not spec.cat:
            raise DataError(f"slot {spec.name!r} has no category; write cat: DP, or like: SLOT", spec.place, "category")
        return self.unroller.slot(spec)

    def relate(self) -> None:
        plan = self.plan
        for slot in plan.slots.values():
            plan.constraints += self.relations.inside(slot)
        for node in plan.order:
            self._agree_inside(node)
        for name, spec in plan.specs.items():
            for relation, targets in spec.relations.items():
                for target in targets:
                    other = self.nodes.node(spec, target, relation)
                    with related(relation, self.nodes.node(spec, name), other, spec.at(relation)):
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
                relation, _VIOLATIONS[relation], self.nodes.node(spec, target), self.nodes.node(spec, name)
            )
        else:
            yield from self._other(name, spec, relation, target)

    def _argument(self, spec: SlotSpec, relation: str, nominal: str, verbal: str) -> Iterator[Constraint]:
        column, under = ARGUMENTS[relation]
        verb, noun = self.nodes.node(spec, verbal), self.nodes.node(spec, nominal)
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
        other, part = self.nodes.node(spec, target), target.partition(".")[2]
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
        """The ties of a slot or daughter; those of a daughter go to that role of another slot, or to its own head."""
        for feature, (kind, target) in spec.ties.items():
            other = self.nodes.node(spec, target, feature)
            is_own = target == node.slot
            if is_own and not roles:
                what = f"{feature}: {kind} {target} names the slot itself; name another slot"
                raise DataError(what, spec.at(feature), "feature")
            for role in () if is_own else roles:
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
        twin, original = self.nodes.node(spec, spec.name), self.nodes.node(spec, spec.like)
        yield from self.relations.twin(twin, original)

    def change(self) -> None:
        """Keep only candidates whose change in place makes the sentence bad on every reading."""
        plan = self.plan
        plan.masks = [np.ones(node.size, dtype=bool) for node in plan.order]
        read_templates(self.paradigm, plan, self.language)
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
                        verb, goal = self.nodes.node(spec, target), self.nodes.node(spec, token.slot)
                        plan.constraints += self.relations.governed(before.text, verb, goal)

    def separate(self) -> None:
        """Draw no verb with a separable particle before a pronoun: no good sentence has *woke up it*."""
        for node, tokens, place in self.nodes.followed_verbs():
            whole = node.column("prt_kind") != "sep"
            if not whole.all() and self._is_object_pronoun(tokens[0], tokens[1:]):
                self.plan.masks[self.plan.index(node)] &= whole
                reason = f"its particle would stand before the pronoun {tokens[0]}"
                self.watch(Cut(node, whole, "related", reason, place))

    def _is_object_pronoun(self, token: Token, behind: Sequence[Token]) -> bool:
        """Whether a token shows pronouns alone, none of which can be the possessor of a noun behind it (*her*)."""
        if forms := self.nodes.listed_forms(token):
            table = self.language.lexicon.table("pronouns")
            personal = {acc for acc, reflexive in zip(table["acc"], table["refl"], strict=True) if reflexive}
            following = self.nodes.drawn(behind[0]) if behind else None
            is_noun = following is not None and any(leaf.inventory.category in ("N", "A") for leaf in following.leaves)
            return forms <= personal - {""} and not (is_noun and forms & {*table["poss_det"]})
        node = self.nodes.drawn(token)
        return node is not None and node.is_headed_by("Pron")

    def _distinct(self, spec: SlotSpec, node: Node, change: tuple[str, str]) -> Iterator[Constraint]:
        """What a changed word was to agree with has no reading in which it agrees: not *mi estudiante está cansado*."""
        kind, target = spec.ties.get(change[0], ("", ""))
        if kind == "same" and self.nodes.node(spec, target).inflected:
            yield disjoint(node, self.nodes.node(spec, target), change)
            yield from self._past_joins(self.plan.specs[target], change[0])
        for name, other in self.plan.slots.items():
            if self.plan.specs[name].ties.get(change[0]) == ("same", spec.name) and other.inflected:
                shown = disjoint(node, other, change)
                if shown.allowed[:-1, :-1].any():  # otherwise its words never show the feature
                    yield shown

    def _past_joins(self, spec: SlotSpec, feature: str) -> Iterator[Constraint]:
        """What an agreeing word stands for is seen though a join may hide the word: not *l'insegnante è brava*."""
        kind, source = spec.ties.get(feature, ("", ""))
        if kind == "same" and self.nodes.node(spec, source).inflected and self.language.lexicon.language.merging:
            yield shown_past_joins(
                self.plan.slots[spec.name], self.nodes.node(spec, source), feature, self.language.lexicon
            )

    def _change(self, token: Token, where: Place) -> None:
        assert token.change
        spec = self.plan.specs[token.slot]
        node = self.nodes.node(spec, token.slot)
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
            controller = self.nodes.node(spec, source)
            narrow(controller, stable_subject(controller, lexicon), STABLE)
            if any(x.inventory.category in ("D", "Num") for x in node.leaves):
                narrow(controller, changeable(controller, token.change, lexicon, where), CHANGED)
        if node.nominal.any():
            narrow(node, stable_subject(node, lexicon), STABLE)
        for partner in agreeing_with(self.plan, token.slot):
            if (mask := agreeing(partner, lexicon)).any():  # where none shows it, the grammar says whether that is bad
                narrow(partner, mask, SHOWS)
