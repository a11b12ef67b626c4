"""Emitters: from assignments to columns of string numbers, one column for each word place of a template.

A phrase whose rules put different daughters in different places is laid out once: the orders of all its leaves are
merged into one sequence of places, and a place that a row does not use emits the empty string.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.english.morphology import POSSESSIVE, possessive
from blimpgen.english.words import CLITICS
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.forms import DEGREES
from blimpgen.lexicon.strings import EMPTY
from blimpgen.plan import Leaf, Node, Plan
from blimpgen.plan.candidate_values import number_class
from blimpgen.plan.nodes import PLURAL, Domain
from blimpgen.plan.plan import Columns
from blimpgen.realize.order import leaf_items, merge_orders

__all__ = ["Columns", "Emitter", "Forms", "Layout", "WordPlace", "auxiliary_forms"]

Numbers = Callable[[Columns], NDArray[np.int8]]
Emitter = Callable[[Columns], NDArray[np.int32]]
Forms = Callable[[Node, str], NDArray[np.int32]]


@dataclass(frozen=True)
class WordPlace:
    """One place for a word in a laid-out sentence.

    Attributes:
        label: its name in trees and for the parts of a phrase: ``subj/determiner``.
        emit: gives the string number of each row; that of the empty string where a row has no word here.
        joins: whether the word may change before the next one, as the indefinite article does.
    """

    label: str
    emit: Emitter
    joins: bool = True


_NOTHING = np.int32(EMPTY)
_OPEN = frozenset(("N", "Name", "V", "A", "Adv"))
_CELLS = ("bare", "pres_sg", "pres_pl", "past", "part", "ing")
_PRES_SG, _PRES_PL, _FINITE_PRESENT = 1, 2, 6


def _cell(leaf: Leaf) -> int:
    form = leaf.features.get("form", "fin")
    if form == "fin":
        return _CELLS.index("past") if leaf.features.get("Tense") == "Past" else _FINITE_PRESENT
    return _CELLS.index(form)


class Layout:
    """Lays out the phrases of a plan.

    Args:
        plan: the plan.
        lexicon: the forms.
        forms: gives the string numbers of a node's candidates in a cell, where they are not those of the lexicon.
    """

    def __init__(self, plan: Plan, lexicon: Lexicon, forms: Forms | None = None) -> None:
        self.plan, self.lexicon = plan, lexicon
        self.joining = lexicon.language.joining
        self.other_forms = forms
        self.position = {node: k for k, node in enumerate(plan.order)}
        self.by_path = {node.path: node for node in plan.order}
        self._slots: dict[tuple[str, tuple[str, str] | None], list[WordPlace]] = {}
        self._literals: dict[tuple[str, bool], WordPlace] = {}

    def forms(self, node: Node, cell: str) -> NDArray[np.int32]:
        """Return the string numbers of a node's candidates in a form cell.

        Args:
            node: the node.
            cell: the form, such as ``pres_sg``.
        """
        return self.other_forms(node, cell) if self.other_forms else node.domain.forms(cell)

    def literal(self, text: str, *, glued: bool = False) -> WordPlace:
        """Lay out a word or mark that the template writes out.

        Args:
            text: the word or mark.
            glued: whether it follows without a space.
        """
        if (text, glued) not in self._literals:
            number = self.lexicon.strings.add(text, glued=glued)
            self._literals[text, glued] = WordPlace(
                text, lambda columns: np.full(len(columns[0]), number, dtype=np.int32), text in self.joining
            )
        return self._literals[text, glued]

    def table(self, slot: str, column: str) -> WordPlace:
        """Lay out a column of a table slot.

        Args:
            slot: the slot.
            column: a column of its table.
        """
        node = self.by_path[slot]
        add = self.lexicon.strings.add
        numbers = np.array([add(text, glued=text in CLITICS) for text in (row[column] for row in node.rows)], np.int32)
        at = self.position[node]
        return WordPlace(f"{slot}.{column}", lambda columns: numbers[columns[at]])

    def possessive(self, slot: str, change: tuple[str, str] | None = None) -> WordPlace:
        """Lay out the possessive clitic behind a slot: *'s*, or *'* after a plural in *-s*.

        Args:
            slot: the slot.
            change: as of `slot`.
        """
        node = self.plan.slots.get(slot) or self._original(slot)
        if not node.leaves or not node.nominal.all():
            return self.literal(POSSESSIVE, glued=True)
        clitics, at = self._clitics(node, flipped=change == ("Number", "other")), self.position[node]
        return WordPlace(POSSESSIVE, lambda columns: clitics[columns[at]], False)

    def slot(self, slot: str, change: tuple[str, str] | None = None) -> list[WordPlace]:
        """Lay out a slot; the places are the same in all sentences that have it.

        Args:
            slot: the slot.
            change: a feature and the value that it is changed to, as in ``vp[Number=other]``.
        """
        if (slot, change) not in self._slots:
            node = self.plan.slots.get(slot) or self._original(slot)
            self._slots[slot, change] = list(self._phrase(node, self._numbers(slot, node, change), change, slot))
        return self._slots[slot, change]

    def _original(self, slot: str) -> Node:
        spec = self.plan.specs[slot]
        return self.plan.slots.get(spec.same) or self._original(spec.same)

    def _numbers(self, slot: str, node: Node, change: tuple[str, str] | None) -> Numbers | None:
        """The number that agreement gives the finite word of a slot, flipped by a change of number."""
        source = self._source(slot, node)
        if source is None:
            return None
        at, number = self.position[source], source.number
        if source.rows:
            return None
        flip = change == ("Number", "other")

        def numbers(columns: Columns) -> NDArray[np.int8]:
            drawn = number[columns[at]]
            return (1 - drawn).astype(np.int8) if flip else drawn

        return numbers

    def _source(self, slot: str, node: Node) -> Node | None:
        name = self.plan.agreement.get(slot)
        if name is None and node.twin_of is not None:
            return self._source(node.twin_of.slot, node.twin_of)
        if name is None:
            return None
        head = name.partition(".")[0]
        return self.by_path.get(head) or self._original(head)

    def _phrase(
        self, node: Node, numbers: Numbers | None, change: tuple[str, str] | None, slot: str
    ) -> Iterator[WordPlace]:
        """Lay out a node with those below it; a twin has the rules and the daughters of its original."""
        frame = node.twin_of or node
        order = frame.domain.once("order", lambda: merge_orders([leaf_items(leaf) for leaf in frame.leaves]))
        for kind, _, name in (item.partition(":") for item in order):
            if kind == "head":
                closed = not node.leaves or not _categories(node) <= _OPEN
                yield WordPlace(f"{slot}/head", self._head(node, numbers, change), closed)
            elif kind == "literal":
                yield self._written(frame, name)
            else:
                yield from self._daughter(frame.children[name], name, node, numbers, slot)

    def _daughter(
        self, child: Node, role: str, mother: Node, numbers: Numbers | None, slot: str
    ) -> Iterator[WordPlace]:
        if role == "aux":
            yield WordPlace(f"{slot}/aux", self._word(child, self._auxiliary(child, numbers, slot)), False)
        elif role == "determiner":
            yield WordPlace(f"{slot}/determiner", self._word(child, self._determiner(child, mother, None)))
        else:
            yield from self._phrase(child, self._numbers(child.path, child, None), None, f"{slot}/{role}")

    def _word(self, node: Node, choose: Callable[[Columns, NDArray[np.int32]], NDArray[np.int32]]) -> Emitter:
        """Emit a chosen form where the node is active, nothing where it is not."""
        at = self.position[node]
        if node.parent is None:
            return lambda columns: choose(columns, columns[at])
        if not node.size:  # a daughter that no word can be is never there
            return lambda columns: np.full(len(columns[at]), _NOTHING)

        def emit(columns: Columns) -> NDArray[np.int32]:
            drawn = columns[at]
            return np.where(drawn >= 0, choose(columns, drawn), _NOTHING)

        return emit

    def _written(self, node: Node, text: str) -> WordPlace:
        """A literal of a rule, in the leaves whose rules have it."""
        at = self.position[node]
        has = node.domain.once(("has", text), lambda: np.array([_has(leaf, text) for leaf in node.leaves]))
        if text == POSSESSIVE:
            return WordPlace(POSSESSIVE, self._word(node, self._clitic(node, has)), False)
        number = self.lexicon.strings.add(text)
        numbers = np.where(has, number, EMPTY).astype(np.int32)
        return WordPlace(
            text, self._word(node, lambda columns, drawn: numbers[node.leaf[columns[at]]]), text in self.joining
        )

    def _clitic(self, node: Node, has: NDArray[np.bool_]) -> Callable[[Columns, NDArray[np.int32]], NDArray[np.int32]]:
        owner = node.children["possessor"]
        at, clitics = self.position[owner], self._clitics(owner)
        return lambda columns, drawn: np.where(has[node.leaf[drawn]], clitics[columns[at]], EMPTY)

    def _clitics(self, owner: Node, *, flipped: bool = False) -> NDArray[np.int32]:
        """The possessive clitic of each candidate of a noun, or of its other number."""
        texts = self.lexicon.strings
        numbers = {clitic: texts.add(clitic, glued=True) for clitic in CLITICS}

        def forms() -> NDArray[np.int32]:
            is_plural = (owner.number == PLURAL) ^ flipped
            owners = zip(texts.texts[self.forms(owner, "Plur")], is_plural, strict=True)
            return np.array([numbers[possessive(word, plural)] for word, plural in owners], dtype=np.int32)

        return self._once(owner, ("clitics", flipped), forms)

    def _head(self, node: Node, numbers: Numbers | None, change: tuple[str, str] | None) -> Emitter:
        categories = _categories(node)
        if "V" in categories:
            return self._word(node, self._verb(node, numbers, change))
        if categories & {"Aux", "Cop"}:
            return self._word(node, self._auxiliary(node, numbers, node.path))
        if categories & {"D", "Num"}:
            return self._word(node, self._determiner(node, None, change))
        forms = self._once(node, ("nominal forms", change), lambda: self._nominal_forms(node, change))
        return self._word(node, lambda columns, drawn: forms[drawn])

    def _nominal_forms(self, node: Node, change: tuple[str, str] | None) -> NDArray[np.int32]:
        if node.inflected:
            return self._inflected_forms(node, change)
        if any("form" in leaf.inventory.forms for leaf in node.leaves):
            forms = self.forms(node, "form")
            for degree in ("Cmp", "Sup"):
                if (graded := node.column("Degree") == degree).any():
                    forms = np.where(graded, self.forms(node, DEGREES[degree]), forms)
            return self._other_gender(node, forms) if change == ("Gender", "other") else forms
        plural = node.number == PLURAL
        if change == ("Number", "other"):
            plural = ~plural
        return np.where(plural, self.forms(node, "Plur"), self.forms(node, "Sing"))

    def _inflected_forms(self, node: Node, change: tuple[str, str] | None) -> NDArray[np.int32]:
        """The forms of inflected words; without the changed form, the one that is there."""
        forms = np.full(node.size, EMPTY, dtype=np.int32)
        for number, leaf in enumerate(node.leaves):
            if cell := leaf.changed(change) or leaf.changed(None):
                where = node.leaf == number
                forms[where] = self.forms(node, cell)[where]
        return forms

    def _other_gender(self, node: Node, forms: NDArray[np.int32]) -> NDArray[np.int32]:
        gender = node.column("Gender")
        by_gender = dict(zip(gender.tolist(), forms.tolist(), strict=True))
        other = {"Masc": "Fem", "Fem": "Masc"}
        inventory = node.leaves[0].inventory
        for k, g in enumerate(inventory.columns["Gender"]):
            if inventory.columns["Number"][k] == "Sing":
                by_gender.setdefault(g, int(inventory.forms["form"][k]))
        return np.array([by_gender[other.get(g, g)] for g in gender], dtype=np.int32)

    def _verb(
        self, node: Node, numbers: Numbers | None, change: tuple[str, str] | None
    ) -> Callable[[Columns, NDArray[np.int32]], NDArray[np.int32]]:
        frame = node.twin_of or node
        at = self.position[frame]
        forms = self._verb_forms(node)
        selected = self._selected(node)
        if selected is not None:
            return lambda columns, drawn: forms[selected(columns), drawn]
        override = _CELLS.index(change[1]) if change and change[0] == "form" else None
        cell = frame.domain.once("cell", lambda: np.array([_cell(leaf) for leaf in frame.leaves], dtype=np.int64))
        finite = cell == _FINITE_PRESENT
        if override is None and finite.any() and numbers is None:
            raise DataError(
                f"the finite verb of {node.slot!r} has no subject; write subject_of or agrees_with",
                self.plan.specs[node.slot].place,
                "controller",
            )

        def choose(columns: Columns, drawn: NDArray[np.int32]) -> NDArray[np.int32]:
            if override is not None:
                return np.asarray(forms[override, drawn])
            cells = cell[frame.leaf[columns[at]]]
            if numbers is not None:
                present = cells == _FINITE_PRESENT
                cells = np.where(present, np.where(numbers(columns) == PLURAL, _PRES_PL, _PRES_SG), cells)
            return forms[cells, drawn]

        return choose

    def _verb_forms(self, node: Node) -> NDArray[np.int32]:
        return self._once(node, "verb forms", lambda: np.stack([self.forms(node, cell) for cell in _CELLS]))

    def _once(self, node: Node, key: Hashable, make: Callable[[], NDArray[np.int32]]) -> NDArray[np.int32]:
        """What follows from the forms of a domain, made once if they are the lexicon's."""
        return make() if self.other_forms else node.domain.once(key, make)

    def _selected(self, node: Node) -> Callable[[Columns], NDArray[np.int64]] | None:
        """The form that an auxiliary slot selects for a verb slot."""
        slot = (node.twin_of or node).slot
        if node.parent is not None or _has_form((node.twin_of or node).domain):
            return None
        for name, spec in self.plan.specs.items():
            if slot in spec.relations.get("selects", ()) and spec.cat and spec.cat[0] in ("Aux", "Cop"):
                head = self.plan.slots[name]
                forms = np.array([_CELLS.index(s) for s in head.column("selects")], dtype=np.int64)
                at = self.position[head]
                return lambda columns: forms[columns[at]]
        raise DataError(
            f"the verb of {slot!r} has no form; write form: ing, or let an auxiliary select it",
            self.plan.specs[slot].place,
            "controller",
        )

    def _auxiliary(
        self, node: Node, numbers: Numbers | None, slot: str
    ) -> Callable[[Columns, NDArray[np.int32]], NDArray[np.int32]]:
        if numbers is None:
            raise DataError(
                f"the auxiliary of {slot!r} has no subject; write agrees_with or subject_of",
                self.plan.specs[slot.partition("/")[0]].place,
                "controller",
            )
        forms = node.domain.once("auxiliary forms", lambda: auxiliary_forms(node))
        return lambda columns, drawn: forms[(numbers(columns) == PLURAL).astype(np.int64), drawn]

    def _determiner(
        self, node: Node, noun: Node | None, change: tuple[str, str] | None
    ) -> Callable[[Columns, NDArray[np.int32]], NDArray[np.int32]]:
        """The form for the number and countability of the noun: the mother's head, or what a slot agrees with."""
        if noun is None:
            source = self._source(node.slot, node)
            if source is None:
                raise DataError(
                    f"the determiner {node.slot!r} has no noun; write agrees_with, or words: [some, all] before of",
                    self.plan.specs[node.slot].place,
                    "controller",
                )
            noun = source
        forms = node.domain.once(
            "determiner forms", lambda: np.stack([node.domain.forms(cell) for cell in ("sg", "pl", "mass")])
        )
        classes, at = number_class(noun), self.position[noun]
        if change == ("Number", "other"):
            classes = np.where(classes == 1, 0, 1).astype(np.int32)
        return lambda columns, drawn: forms[classes[columns[at]], drawn]


def _categories(node: Node) -> frozenset[str]:
    return node.domain.once("categories", lambda: frozenset(leaf.inventory.category for leaf in node.leaves))


def _has_form(domain: Domain) -> bool:
    return domain.once("has form", lambda: any("form" in leaf.features for leaf in domain.leaves))


def _has(leaf: Leaf, text: str) -> bool:
    return any(d.literal and d.category == text for rule in leaf.rules for d in rule.daughters)


def auxiliary_forms(node: Node) -> NDArray[np.int32]:
    """The forms of auxiliaries for singular and plural subjects, shape (2, candidates).

    Args:
        node: a node of which every candidate is an auxiliary.
    """
    tables = []
    for number in ("sg", "pl"):
        parts = [np.zeros(0, dtype=np.int32)]
        for leaf in node.leaves:
            negative = "_neg" if leaf.features["Polarity"] == "Neg" else ""
            cell = f"{leaf.features['Tense'].lower()}_{number}{negative}"
            parts.append(leaf.inventory.forms[cell][leaf.candidates])
        tables.append(np.concatenate(parts))
    return np.stack(tables)
