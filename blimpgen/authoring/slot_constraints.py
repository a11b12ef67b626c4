"""Which of a slot's own constraints refuse a word; the rules of its category and the lexicon count among them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from blimpgen.authoring.lexeme_facts import Fact, Lexeme
from blimpgen.base.errors import DataError
from blimpgen.grammar import Rule
from blimpgen.lexicon.inventory import WITHHELD
from blimpgen.lexicon.schema import FRAMES
from blimpgen.library import Language
from blimpgen.plan import Node, Plan
from blimpgen.plan.diagnose import fewer, without
from blimpgen.plan.spec import Restriction, SlotSpec, Values

__all__ = ["candidates", "refusing"]

_FRAMES = tuple((frame,) for frame in FRAMES if not frame.startswith("A"))


def candidates(node: Node | None, lexeme: Lexeme) -> NDArray[np.intp]:
    """The candidates of a node that are a lexeme, one for each way down to it.

    Args:
        node: of a plan; a cell in which it is not active has none.
        lexeme: any word of the lexicon.
    """
    if node is None or node.rows or not node.size:
        return np.zeros(0, dtype=np.intp)
    mine = np.array([leaf.inventory is lexeme.inventory for leaf in node.leaves], dtype=bool)
    return np.flatnonzero(mine[node.leaf] & (node.lexeme == lexeme.number))


def refusing(plan: Plan, language: Language, path: str, lexeme: Lexeme) -> Iterator[Fact]:
    """What keeps a lexeme from being a candidate of a node.

    Args:
        plan: a compiled cell.
        language: words and rules.
        path: the node: a slot, or slot and roles (``subj/determiner``).
        lexeme: a lexeme that is no candidate of it.
    """
    slot, *roles = path.split("/")
    trial = _Trial(plan, language, plan.specs[slot], roles, lexeme)
    if trial.admits(trial.spec, unasked=True):
        yield from (Fact(f"{lexeme.id} {why}, as in is: {asking}", lexeme.place) for why, asking in _unasked(lexeme))
    elif trial.admits(trial.spec, unasked=True, named=True):
        yield Fact(f"{lexeme.id} has the weight 0: drawn only where a slot names its lemma", lexeme.place)
    else:
        yield from list(trial.keys()) or list(trial.beyond())


def _unasked(lexeme: Lexeme) -> Iterator[tuple[str, str]]:
    """Why a lexeme is drawn only where a restriction asks for it, and how one does."""
    for mark, marked in lexeme.inventory.withheld.items():
        if marked[lexeme.number]:
            number = " in the singular" if WITHHELD[mark] == "Sing" else ""
            why = f"is tagged {mark}: drawn{number} only where a restriction names it or the tag"
            yield why, f"+{mark} | not +{mark}"
    if lexeme.inventory.category == "V" and lexeme.inventory.incomplete[lexeme.number]:
        why = "seldom stands without its object: drawn so only where a restriction says objectless"
        yield why, "objectless=yes/no"


@dataclass(frozen=True)
class _Trial:
    """The slot, to be unrolled with fewer constraints."""

    plan: Plan
    language: Language
    spec: SlotSpec
    roles: Sequence[str]
    lexeme: Lexeme

    def admits(self, spec: SlotSpec, *, unasked: bool = False, named: bool = False) -> bool:
        """Whether the lexeme is a candidate under a slot's constraints, perhaps although nothing asks for it."""
        try:
            node: Node | None = self._unrolled(_below(spec, self.roles, lambda s: self._relaxed(s, unasked, named)))
        except DataError:
            return False
        for role in self.roles:
            node = node.children.get(role) if node else None
        return len(candidates(node, self.lexeme)) > 0

    def _might(self, spec: SlotSpec) -> bool:
        """Whether the lexeme would be a candidate but for its rarity, its lack of an object or its weight."""
        return self.admits(spec, unasked=True) or self.admits(spec, unasked=True, named=True)

    def _relaxed(self, spec: SlotSpec, unasked: bool, named: bool) -> SlotSpec:
        for _, asking in _unasked(self.lexeme) if unasked else ():
            either = self.language.lexicon.hierarchy.parse(asking, spec.place)
            spec = replace(spec, restrictions=(*spec.restrictions, Restriction(either, spec.place)))
        if named:
            lemma = str(self.lexeme.inventory.columns["lemma"][self.lexeme.number])
            spec = replace(spec, features={**spec.features, "lemma": Values((lemma,))})
        if "frame" in spec.keys and not spec.frames and self.lexeme.inventory.category == "V":
            spec = replace(spec, frames=_FRAMES)
        return spec

    def _unrolled(self, spec: SlotSpec) -> Node:
        unroller = self.language.unroller
        if spec.words:
            return unroller.words(spec)
        if spec.like:
            original = self.plan.specs[spec.like].same or spec.like
            return unroller.twin(spec, self.plan.slots[original])
        return unroller.slot(spec)

    def keys(self) -> Iterator[Fact]:
        """The single constraints that refuse the lexeme; if there is none, a least set of them."""
        single = [Fact(self._precise(text), place) for text, place, less in fewer(self.spec) if self._might(less)]
        yield from single or self._together()

    def _together(self) -> Iterator[Fact]:
        removed = [key for key in self.spec.keys if without(self.spec, key) is not None]
        if not self._might(self._without(removed)):
            return
        for key in list(removed):
            others = [other for other in removed if other != key]
            if self._might(self._without(others)):
                removed = others
        for key in removed:
            text, place = self.spec.keys[key]
            yield Fact(self._precise(f"{key}: {text}"), place)

    def _without(self, keys: Sequence[str]) -> SlotSpec:
        spec = self.spec
        for key in keys:
            spec = without(spec, key) or spec
        return spec

    def _precise(self, text: str) -> str:
        """Of a restriction that joins several demands, those that the lexeme does not meet."""
        key, _, demands = text.partition(": ")
        if key != "is" or self.roles or "|" in _outside(demands):
            return text
        inventory, number = self.lexeme.inventory, self.lexeme.number
        failed = []
        for demand in _split(demands):
            try:
                mask = inventory.mask(self.language.lexicon.hierarchy.parse(demand))
            except DataError:
                continue
            if not mask[number]:
                failed.append(demand)
        return text if not failed or len(failed) == len(_split(demands)) else f"{text}; it is not: {' & '.join(failed)}"

    def beyond(self) -> Iterator[Fact]:
        """What no key of the slot says: the category, and what its rules ask of their heads."""
        rules, words = self._rules()
        category = self.lexeme.inventory.category
        where = self.spec.at("like" if self.spec.like else "cat")
        source = " | ".join(self.spec.cat) or f"like: {self.spec.like}"
        if category not in words and words:
            yield Fact(f"{source} is made of {', '.join(words)}; {self.lexeme.id} is of category {category}", where)
            return
        number, refused = self.lexeme.number, False
        for rule in rules:
            asked = rule.head.restriction
            if asked and rule.head.category == category and not self.lexeme.inventory.mask(asked.expression)[number]:
                refused = True
                yield Fact(f"the rule {rule.name} asks {asked.text}", rule.place)
        if not refused:
            yield Fact(f"no rule of {source} has a form of {self.lexeme.id}", where)

    def _rules(self) -> tuple[list[Rule], list[str]]:
        """The rules from the slot's category down to its words, and the categories of these."""
        if self.roles or not self.spec.cat:
            node = next((n for n in self.plan.order if n.path == "/".join([self.spec.name, *self.roles])), None)
            return [], list(dict.fromkeys(leaf.inventory.category for leaf in node.leaves)) if node else []
        return self.language.grammar.reached(self.spec.cat, drawn=True)


def _below(spec: SlotSpec, roles: Sequence[str], change: Callable[[SlotSpec], SlotSpec]) -> SlotSpec:
    """The slot with a change of what it asks of a daughter, or of itself where no role is given."""
    if not roles:
        return change(spec)
    below = spec.daughters.get(roles[0]) or SlotSpec(f"{spec.name}/{roles[0]}", spec.place)
    return replace(spec, daughters={**spec.daughters, roles[0]: _below(below, roles[1:], change)})


def _outside(text: str) -> str:
    """The text outside parentheses."""
    depth, characters = 0, []
    for character in text:
        depth += (character == "(") - (character == ")")
        characters.append(character if depth == 0 else " ")
    return "".join(characters)


def _split(text: str) -> list[str]:
    """The demands that a restriction joins by ``&``."""
    starts = [0, *(k + 1 for k, character in enumerate(_outside(text)) if character == "&")]
    return [text[a:b].strip(" &") for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
