"""What goes together in sense: words that share a scene, what is done in order, and things that are compared.

No label rests on it: these constraints choose, among what selection admits, what somebody would say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.memo import Memo
from blimpgen.lexicon import Inventory, Lexicon
from blimpgen.plan.constraints import BitTable, Constraint, Meeting, Merged, Trio, TrioFault, distinct_rows, share
from blimpgen.plan.nodes import Node

__all__ = ["Sense"]

_Of: TypeAlias = Literal["all", "things", "events", "trades", "doings", "contrary", "work"]
"""Whose scenes: of all words, of all but people, of events (those that strangers do not share), of people by their
trades alone, of doings that go together, of what is done in spite of them, or of who does something (those of the
trade, if there is one)."""

_General: TypeAlias = Literal["either", "second", "none"]
"""Which of two words goes with all others if it is of no scene."""

_Sets: TypeAlias = tuple[NDArray[np.bool_], NDArray[np.int64]]
"""Sets of scenes, each once, shape (sets, scenes), and which of them each word has."""

_Coded: TypeAlias = tuple[NDArray[np.int32], NDArray[np.bool_]]
"""The class of each candidate, and the scenes of each class."""


_ANY_TIME, _NOW, _THEN, _PAST, _GOING_ON = range(5)
_STAGES = 9
"""How many stages the column ``stage`` of verbs knows."""

_WHOSE_SCENES: Mapping[Meeting, tuple[_Of, _Of]] = {
    "doer": ("all", "work"),
    "thing": ("all", "things"),
    "occasion": ("all", "events"),
    "beside": ("doings", "doings"),
    "adjunct": ("doings", "doings"),
    "contrary": ("doings", "contrary"),
    "opposed": ("doings", "contrary"),
    "sequel": ("all", "all"),
    "things": ("things", "things"),
}
"""What one word is to another to the scenes in which they meet."""

_STRICT: Mapping[Meeting, _General] = {"adjunct": "none", "opposed": "none", "sequel": "none", "occasion": "second"}
"""Where not all that is of no scene goes with everything, if something else remains."""


class Sense:
    """Builds the constraints of sense over one lexicon; what plans ask of them again and again is found out once.

    Args:
        lexicon: the words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._tables: Memo[Merged] = Memo()
        self._members: Memo[_Sets] = Memo()
        self._scene_tables: Memo[BitTable] = Memo()

    def meeting(self, a: Node, b: Node, role: Meeting = "beside") -> Iterator[Constraint]:
        """Words of different scenes do not meet.

        Args:
            a, b: the nodes.
            role: what `b` is to `a`; to a person something is done whoever that is: a sheriff arrests bakers. What
                somebody does before or after something else is of one scene with it, and what two people do in spite of
                each other is of contrary scenes (opposed), what one does before or after the other of one walk of life
                (sequel): there is no general doing, unless all are. So is what somebody does during an event
                (occasion), unless this is of no scene, such as a storm.
        """
        if self.lexicon.scenes.names and a.leaves and b.leaves:
            merged = self._tables.once(lambda: self._met(a, b, role), a.domain, b.domain, key=("scene", role))
            yield Constraint("scene", a, b, *merged, sense=role)

    def _met(self, a: Node, b: Node, role: Meeting) -> Merged:
        of_a, of_b = _WHOSE_SCENES[role]
        if general := _STRICT.get(role):
            merged = self._in_a_scene(a, b, of_a, of_b, general)
            if merged[2][np.ix_(np.unique(merged[0][:-1]), np.unique(merged[1][:-1]))].any():
                return merged
        return self._in_a_scene(a, b, of_a, of_b)

    def acquainted(self, a: Node, b: Node) -> Iterator[Constraint]:
        """People of two trades meet where a scene has both; who has none meets everybody.

        Args:
            a, b: the nodes.
        """
        merged = self._tables.once(lambda: self._in_a_scene(a, b, "trades", "trades"), a.domain, b.domain, key="trades")
        yield Constraint("scene", a, b, *merged)

    def has_trades(self, node: Node) -> bool:
        """Whether somebody of a trade is among the candidates."""
        return bool(node.nominal.any()) and node.domain.once(
            "has trades", lambda: bool(self._different_scenes(node, "trades")[0].any())
        )

    def trio(self, verb: Node, one: Node, role: Meeting, other: Node, other_role: Meeting) -> Trio:
        """What is done, and two of who does it, to what, and during what, share a scene.

        As what is done to people, they may be anybody.

        Args:
            verb: what is done.
            one, other: the nouns.
            role, other_role: what they are to the verb: doer, thing or occasion.
        """
        nodes = (one, verb, other)
        whose: tuple[_Of, ...] = (_WHOSE_SCENES[role][1], "all", _WHOSE_SCENES[other_role][1])
        coded = [self._coded_once(node, of) for node, of in zip(nodes, whose, strict=True)]
        return _trio(nodes, coded, "of different scenes")

    def timed(self, a: Node, b: Node, *, is_inside: bool = False) -> Constraint:
        """What somebody had done, or was doing, is not told beside what he does now, as what he did may be.

        Args:
            a, b: the nodes of two verbs that are said of one thing, or of which one is in a relative clause.
            is_inside: whether the first one is; if that is going on (*who is resting*), the other is of no past.
        """
        times = [node.domain.once("times", lambda node=node: _times(node)) for node in (a, b)]  # type: ignore[misc]
        table = np.ones((5, 5), dtype=bool)
        for now in (_NOW, _GOING_ON):
            table[now, _THEN] = table[_THEN, now] = False
        table[_GOING_ON, _PAST] = not is_inside
        return Constraint("time", a, b, *BitTable(table).merged(*times), sense="beside")

    def one_after_another(self, first: Node, second: Node) -> Constraint:
        """What is told second is done second among what can be done to one thing: one washes and irons a shirt.

        Args:
            first, second: the nodes of the verbs.
        """

        def make() -> Merged:
            (turns_a, classes_a), (turns_b, classes_b) = (
                _once_each(_turns(verb, is_first=is_first)[:, :_STAGES])
                for verb, is_first in ((first, True), (second, False))
            )
            return BitTable(share(turns_a, turns_b)).merged(classes_a.astype(np.int32), classes_b.astype(np.int32))

        return Constraint(
            "order", first, second, *self._tables.once(make, first.domain, second.domain, key="order"), sense="beside"
        )

    def in_order(self, conjunction: Node, below: Node, above: Node) -> Trio:
        """What is done before something else comes earlier among what can be done to one thing: one washes, then irons.

        Args:
            conjunction: the subordinator, such as *before*.
            below: the verb that it selects.
            above: the verb that its clause says the time of.
        """
        tells = conjunction.column("tells")
        kinds = [tells == "later", tells == "earlier", ~np.isin(tells, ("later", "earlier"))]
        of_conjunction = np.repeat(np.stack(kinds, axis=1), (_STAGES, _STAGES, 1), axis=1)
        coded: list[_Coded] = [
            _coded(*_once_each(of_conjunction)),
            below.domain.once("turns below", lambda: _coded(*_once_each(_turns(below, is_first=False)))),
            above.domain.once("turns above", lambda: _coded(*_once_each(_turns(above, is_first=True)))),
        ]
        return _trio((conjunction, below, above), coded, "in the wrong order")

    def peers(self, a: Node, b: Node) -> Constraint:
        """Two nouns that are compared or joined are of one class of peers, and neither covers the other.

        Args:
            a, b: the nodes.
        """

        def make() -> Merged:
            (peers_a, covers_a, classes_a), (peers_b, covers_b, classes_b) = self._likes(a), self._likes(b)
            table = ~share(covers_a, np.roll(covers_b, covers_b.shape[1] // 2, axis=1))
            if self.lexicon.peers.names:
                table &= share(peers_a, peers_b)
            return BitTable(table).merged(classes_a.astype(np.int32), classes_b.astype(np.int32))

        return Constraint("peers", a, b, *self._tables.once(make, a.domain, b.domain, key="peers"))

    def compared_by(self, adjective: Node, a: Node, b: Node) -> Trio:
        """Two things are of a class whose members one compares by an adjective: cars by speed, clothes by price.

        Args:
            adjective: the node of the adjective.
            a, b: those of the things.
        """
        nodes = a, adjective, b
        coded = [node.domain.once("coded peers", partial(self._coded_peers, node)) for node in nodes]
        return _trio(nodes, coded, "not compared so")

    def _likes(self, node: Node) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
        """The classes of peers of candidates, the covering nouns, and which of these rows each candidate is.

        The second table has each noun that covers others twice: whether it covers a candidate, and whether it is one.
        """

        def make() -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.int64]]:
            of, peers = self.lexicon.peers, self._all_peers(node)
            width = len(of.covering)
            covers = np.zeros((node.size, 2 * width), dtype=bool)
            for number, leaf in enumerate(node.leaves):
                if leaf.inventory.category == "N":
                    is_itself = leaf.candidates[:, None] == of.covering
                    covers[node.leaf == number] = np.hstack([of.covered[leaf.candidates], is_itself])
            rows, classes = _once_each(np.hstack([peers, covers]))
            return rows[:, : peers.shape[1]], rows[:, peers.shape[1] :], classes

        return node.domain.once("likes", make)

    def _coded_peers(self, node: Node) -> _Coded:
        return _coded(*_once_each(self._all_peers(node)))

    def _all_peers(self, node: Node) -> NDArray[np.bool_]:
        """The classes of peers of each candidate, shape (candidates, classes)."""
        return np.concatenate([self.lexicon.peers.of(leaf.inventory)[leaf.candidates] for leaf in node.leaves])

    def _coded_once(self, node: Node, of: _Of) -> _Coded:
        return node.domain.once(("coded scenes", of), lambda: _coded(*self._different_scenes(node, of)))

    def _in_a_scene(self, a: Node, b: Node, of_a: _Of, of_b: _Of, general: _General = "either") -> Merged:
        """Which words share a scene; `general` says which of them goes with all if it is of none."""
        inventories_a, classes_a = self._numbered_sets(a, of_a)
        inventories_b, classes_b = self._numbered_sets(b, of_b)
        table = self._scene_tables.once(
            lambda: self._scene_table(self._sets(inventories_a, of_a), self._sets(inventories_b, of_b), general),
            *inventories_a,
            *inventories_b,
            key=(len(inventories_a), of_a, of_b, general),
        )
        return table.merged(classes_a, classes_b)

    def _scene_table(self, sets_a: NDArray[np.bool_], sets_b: NDArray[np.bool_], general: _General) -> BitTable:
        table = share(sets_a, sets_b)
        if general == "either":
            table |= ~sets_a.any(axis=1, keepdims=True)
        if general != "none":
            table |= ~sets_b.any(axis=1)
        return BitTable(table)

    def _numbered_sets(self, node: Node, of: _Of) -> tuple[tuple[Inventory, ...], NDArray[np.int32]]:
        """The inventories of a node, and the number of the set of scenes that each candidate has among theirs."""

        def make() -> tuple[tuple[Inventory, ...], NDArray[np.int32]]:
            starts: dict[int, int] = {}
            inventories: list[Inventory] = []
            size, numbers = 0, list[NDArray[np.int64]]()
            for leaf in node.leaves:
                sets, classes = self._members_once(leaf.inventory, of)
                if id(leaf.inventory) not in starts:
                    starts[id(leaf.inventory)], size = size, size + len(sets)
                    inventories.append(leaf.inventory)
                numbers.append(classes[leaf.candidates] + starts[id(leaf.inventory)])
            return tuple(inventories), np.concatenate(numbers).astype(np.int32)

        return node.domain.once(("numbered sets of scenes", of), make)

    def _sets(self, inventories: Sequence[Inventory], of: _Of) -> NDArray[np.bool_]:
        """The sets of scenes that the words of some inventories have, as they are numbered."""
        return np.concatenate([self._members_once(inventory, of)[0] for inventory in inventories])

    def _different_scenes(self, node: Node, of: _Of) -> _Sets:
        """The sets of scenes that candidates have, and which of them each candidate has."""
        inventories, numbers = self._numbered_sets(node, of)
        sets = self._sets(inventories, of)
        codes = np.zeros(len(sets), dtype=np.int64)
        codes[numbers] = 1
        occurring = np.flatnonzero(codes)
        rows, codes[occurring] = _once_each(sets[occurring])
        return rows, codes[numbers]

    def _members_once(self, inventory: Inventory, of: _Of) -> _Sets:
        """The sets of scenes that the words of an inventory have, and which of them each word has."""
        return self._members.once(lambda: _once_each(self._scenes(inventory, of)), inventory, key=of)

    def _scenes(self, inventory: Inventory, of: _Of) -> NDArray[np.bool_]:
        """The scenes of each word of an inventory, shape (lexemes, scenes)."""
        walks = self.lexicon.scenes
        scenes_of = {
            "events": walks.of_events,
            "trades": walks.trades,
            "doings": walks.of_doings,
            "contrary": walks.of_contrary,
        }.get(of, walks.of)
        scenes = scenes_of(inventory)
        if of == "work":
            trades = walks.trades(inventory)
            return np.where(trades.any(axis=1, keepdims=True), trades, scenes)
        if of == "things" and inventory.category == "N":
            return scenes & ~inventory.mask(self.lexicon.hierarchy.parse("human"))[:, None]
        return scenes


def _times(verb: Node) -> NDArray[np.int32]:
    """Whether each candidate is of the present, going on or not, of a plain past, or of one that an auxiliary tells."""
    has_auxiliary = np.array([any(role == "aux" for role, _ in leaf.daughters()) for leaf in verb.leaves], dtype=bool)
    tenses, is_helped = verb.column("Tense"), has_auxiliary[verb.leaf]
    going_on = (tenses == "Pres") & is_helped & (verb.column("form") == "ing")
    kinds = [going_on, tenses == "Pres", (tenses == "Past") & is_helped, tenses == "Past"]
    return np.select(kinds, [_GOING_ON, _NOW, _THEN, _PAST], _ANY_TIME).astype(np.int32)


def _once_each(table: NDArray[np.bool_]) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """The different rows of a table, and which of them each row is."""
    first, classes = distinct_rows(table)
    return table[first], classes


def _trio(nodes: tuple[Node, Node, Node], coded: Sequence[_Coded], fault: TrioFault) -> Trio:
    """Three nodes with the classes of their candidates and the scenes of these."""
    return Trio(nodes, tuple(classes for classes, _ in coded), tuple(scenes for _, scenes in coded), fault)


def _coded(scenes: NDArray[np.bool_], classes: NDArray[np.int64]) -> _Coded:
    """The class of each candidate, and the scenes of each class; a general word, and no word, are of all scenes."""
    of_classes = np.concatenate([scenes, np.zeros((1, scenes.shape[1]), dtype=bool)])
    of_classes[~of_classes.any(axis=1)] = True
    return np.append(classes, len(scenes)).astype(np.int32), of_classes


def _turns(verb: Node, *, is_first: bool) -> NDArray[np.bool_]:
    """The turns that each verb can take in an order, shape (candidates, turns).

    A turn lies between two stages, once for *before*, once for *after*. Two verbs share one if the stage of one of them
    lies on this side of it, that of the other on that; nothing is done after the last stage, when the thing is gone.
    The last turn of all is for words that tell of no order.

    Args:
        verb: the node.
        is_first: whether what it tells comes first under *before*.
    """
    stages = verb.column("stage")[:, None]
    is_any, has_stage = stages == "any", ~np.isin(stages, ("any", "never"))
    stage, turns = np.where(has_stage, stages, 0).astype(np.int64), np.arange(1, _STAGES + 1)
    sooner, later = (
        (has_stage & (stage <= turns)) | is_any,
        (has_stage & (stage > turns)) | (is_any & (turns < _STAGES)),
    )
    ordered = np.concatenate([sooner, later] if is_first else [later, sooner], axis=1)
    return np.concatenate([ordered, np.ones((len(stage), 1), dtype=bool)], axis=1)
