"""The compiled plan of a cell, and what compiling asks of a library."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import Place
from blimpgen.lexicon import Lexicon
from blimpgen.paradigm import Token
from blimpgen.plan.cells import Cell
from blimpgen.plan.constraints import Constraint, Trio
from blimpgen.plan.nodes import Node
from blimpgen.plan.phrases import Unroller
from blimpgen.plan.relations import Relations
from blimpgen.plan.spec import SlotSpec

__all__ = ["Columns", "Cut", "Plan", "PlannedCell", "Watch", "Words", "unwatched"]


class Words(Protocol):
    """What compiling asks of a library: its lexicon, and what is derived from it once."""

    @property
    def lexicon(self) -> Lexicon:
        """The lexicon."""

    @property
    def unroller(self) -> Unroller:
        """Categories to nodes."""

    @property
    def relations(self) -> Relations:
        """Selection and agreement."""

    @property
    def pairing(self) -> Callable[[Plan], None] | None:
        """What a variant adds to a plan."""

    @property
    def state(self) -> str | None:
        """The state of the files that it was read from; None if plans made with it are not to be stored."""


@dataclass(frozen=True)
class Cut:
    """Candidates that compiling takes out of a node.

    Attributes:
        node: the node.
        remaining: the candidates that it does not take out.
        step: ``change`` (a change in place) or ``related`` (no word of another node goes with them).
        reason: what takes the others out.
        place: where that stands.
    """

    node: Node
    remaining: NDArray[np.bool_] = field(repr=False)
    step: Literal["change", "related"]
    reason: str
    place: Place


Watch: TypeAlias = Callable[[Cut], None]

Columns: TypeAlias = list[NDArray[np.int32]]
"""For each node of a plan, in its order, the candidate of each row; -1 where the row does not have the node."""


def unwatched(cut: Cut) -> None:
    """Nobody wants to know what is taken out."""


@dataclass(eq=False)
class Plan:
    """A compiled cell.

    Attributes:
        cell: its levels, slots and sentences.
        specs: the parsed slots.
        slots: slot to its head node (none for a slot that is the same lexeme as another).
        order: all nodes in drawing order.
        constraints: all constraints between two nodes.
        trios: those between three.
        masks: the candidates of each node that remain after looking ahead.
        removed: candidates taken out by looking ahead, by node path.
        agreement: verbal slot or node path to the node whose number its finite word has.
        dealt: the slots whose candidates are dealt.
        tokens: the tokens of each sentence.
        gave_way: which slot the words of one scene could not fill, so that less or nothing is asked of scenes.
    """

    cell: Cell
    specs: dict[str, SlotSpec]
    slots: dict[str, Node] = field(default_factory=dict)
    order: list[Node] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    trios: list[Trio] = field(default_factory=list)
    masks: list[NDArray[np.bool_]] = field(default_factory=list)
    removed: dict[str, int] = field(default_factory=dict)
    agreement: dict[str, str] = field(default_factory=dict)
    dealt: tuple[str, ...] = ()
    tokens: dict[str, tuple[Token, ...]] = field(default_factory=dict)
    gave_way: str = ""

    def drawn(self, slot: str) -> str:
        """The slot whose words a slot has: the original of a `same` slot, else itself; empty for a literal."""
        while slot and self.specs[slot].same:
            slot = self.specs[slot].same
        return slot

    def index(self, node: Node) -> int:
        """The position of a node in the drawing order."""
        return self.order.index(node)


class PlannedCell(NamedTuple):
    """What takes time to find out about a cell: its plan, and its assignments; None if they are too many."""

    plan: Plan
    assignments: Columns | None
