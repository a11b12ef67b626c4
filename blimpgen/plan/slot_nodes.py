"""The nodes of a plan, as its slots and the tokens of its sentences name them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from blimpgen.base.errors import DataError, Place, nearest
from blimpgen.lexicon import Lexicon
from blimpgen.paradigm import Paradigm, Token
from blimpgen.plan.cells import sentence_place
from blimpgen.plan.nodes import Node
from blimpgen.plan.plan import Plan
from blimpgen.plan.spec import SlotSpec

__all__ = ["SlotNodes"]


class SlotNodes:
    """Finds the nodes of slots and tokens.

    Args:
        paradigm: whose sentences they are.
        plan: which has the nodes.
        lexicon: the words.
    """

    def __init__(self, paradigm: Paradigm, plan: Plan, lexicon: Lexicon) -> None:
        self.paradigm, self.plan, self.lexicon = paradigm, plan, lexicon

    def node(self, spec: SlotSpec, name: str, key: str = "") -> Node:
        """The head node of a slot named under a key of another; of a `same` slot, its original's.

        Args:
            spec: the slot that names it.
            name: of the slot.
            key: under which it is named.

        Raises:
            DataError: there is no such slot, or it stands below the one that names it.
        """
        head, _, _ = name.partition(".")
        self.check_exists(head, spec.at(key))
        other = self.plan.specs[head]
        if other.same:
            return self.node(other, other.same)
        if head not in self.plan.slots:
            raise DataError(f"slot {head!r} must stand above {spec.name!r}", spec.at(key), "slot")
        return self.plan.slots[head]

    def check_exists(self, name: str, place: Place) -> None:
        """Refuse the name of a slot that there is not.

        Args:
            name: of the slot.
            place: where it is named.

        Raises:
            DataError: there is no such slot.
        """
        if name not in self.plan.specs:
            raise DataError(f"unknown slot {name!r}; {nearest(name, self.plan.specs)}", place, "slot")

    def drawn(self, token: Token) -> Node | None:
        """The node whose word a token shows; none for a literal."""
        return self.plan.slots.get(self.plan.drawn(token.slot))

    def listed_forms(self, token: Token) -> set[str]:
        """The words that a token shows which is a literal or of a slot with a table; none of another slot."""
        spec = self.plan.specs.get(token.slot)
        if spec is None:
            return {token.text}
        return {row[token.part] for row in spec.table}

    def is_reflexive(self, token: Token) -> bool:
        """Whether a token shows reflexives alone."""
        node = self.drawn(token)
        if node is not None and node.is_headed_by("Refl"):
            return True
        forms = self.listed_forms(token)
        return bool(forms) and forms <= {*self.lexicon.table("pronouns")["refl"]} - {""}

    def followed_verbs(self) -> Iterator[tuple[Node, tuple[Token, ...], Place]]:
        """The verbs of the good sentences with the tokens behind each, at least one, and where the sentence stands."""
        for name in self.paradigm.good_names:
            tokens, place = self.plan.tokens[name], sentence_place(self.paradigm, self.plan.cell, name)
            for k, token in enumerate(tokens[:-1], 1):
                node = self.drawn(token)
                if node is not None and node.is_headed_by("V"):
                    yield node, tokens[k:], place

    def selecting(self, category: str) -> Iterator[tuple[Node, Node]]:
        """The slots of a category that select others, each with what it selects.

        Args:
            category: Aux or Subordinator.
        """
        for spec in self.plan.specs.values():
            for target in spec.relations.get("selects", ()):
                if (selecting := self.node(spec, spec.name)).is_headed_by(category):
                    yield selecting, self.node(spec, target)

    def meet(self, first: Node, second: Node) -> bool:
        """Whether two nodes stand in one sentence, and may be drawn with regard to one another: not both are dealt.

        Args:
            first, second: the nodes.
        """
        slots = {first.slot, second.slot}
        return not {first, second} <= self.dealt and any(slots <= sentence for sentence in self._together)

    @cached_property
    def dealt(self) -> set[Node]:
        """The heads of the slots that are dealt."""
        return {self.plan.slots[name] for name in self.plan.dealt if name in self.plan.slots}

    @cached_property
    def _together(self) -> list[set[str]]:
        """The slots that stand in each sentence."""
        return [{self.plan.drawn(t.slot) for t in tokens if t.slot} for tokens in self.plan.tokens.values()]

    def stated(self, category: str, column: str) -> dict[str, str]:
        """What each closed-class word says in a column.

        Args:
            category: of the words.
            column: of their table.
        """
        inventory = self.lexicon.inventory(category)
        return dict(zip(inventory.lemmas, inventory.columns[column].tolist(), strict=True))
