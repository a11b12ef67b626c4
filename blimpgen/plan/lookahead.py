"""Looking ahead: which candidates have partners, so that drawing seldom fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial, reduce

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, listing
from blimpgen.base.memo import Memo
from blimpgen.plan.constraints import U64, Constraint, Merged, Trio, conjoined, has_bit, paired, share
from blimpgen.plan.diagnose import asked_by
from blimpgen.plan.nodes import Node
from blimpgen.plan.plan import Cut, Plan, Watch, unwatched

__all__ = ["conjoin", "induce", "look_ahead", "share_scenes"]


def induce(plan: Plan, tables: Memo[NDArray[np.bool_]]) -> None:
    """Let two nodes that share a later partner go together only if one candidate of it fits both.

    Args:
        plan: the plan; its constraints become more.
        tables: what followed in other plans, which have the same arrays again and again.
    """
    position = {node: k for k, node in enumerate(plan.order)}
    for k, node in enumerate(plan.order):
        earlier = [
            c for c in plan.constraints if node in (c.a, c.b) and c.a is not c.b and position[c.between(node)[0]] < k
        ]
        if node.parent is not None:
            continue
        for i, first in enumerate(earlier):
            for second in earlier[i + 1 :]:
                induced = _induced(node, plan.masks[k], first, second, tables)
                if induced is not None:
                    plan.constraints.append(induced)


def look_ahead(plan: Plan, watch: Watch = unwatched) -> None:
    """Take out candidates without a partner for some later node, last node first.

    Args:
        plan: the plan; its masks are narrowed.
        watch: told of the candidates that are taken out.
    """
    position = {node: k for k, node in enumerate(plan.order)}
    for k in range(len(plan.order) - 1, -1, -1):
        node = plan.order[k]
        for c in plan.constraints:
            if node not in (c.a, c.b) or c.a is c.b:
                continue
            other, theirs, mine, table = c.between(node)
            if position[other] < k or (other.parent is not None and other.parent is not node):
                continue
            fits = _present(theirs, table, plan.masks[position[other]]).any(axis=0)
            if watch is unwatched and fits.all():
                continue
            partners = np.asarray(fits)[mine[:-1]]
            if other.parent is node and other.active is not None:
                partners |= ~other.active[node.leaf]
            plan.masks[k] &= partners
            why = f"no word of {other.path!r} goes with it ({c.name})"
            watch(Cut(node, partners, "related", why, plan.specs[node.slot].place))
            if not plan.masks[k].any():
                raise _unpartnered(plan, node, other, c.name)
        plan.removed[node.path] = int(node.size - plan.masks[k].sum())


def share_scenes(plan: Plan, fitting: Memo[list[NDArray[np.bool_]]], watch: Watch = unwatched) -> None:
    """Take out candidates of which no row would have three words of one scene.

    Args:
        plan: the plan; its masks are narrowed.
        fitting: the candidates that remained in other plans, which have the same arrays again and again.
        watch: told of the candidates that are taken out.
    """
    between = {frozenset((c.a, c.b)): c for c in plan.constraints}
    for trio in plan.trios:
        doer, verb, thing = trio.nodes
        meetings = [c for other in (doer, thing) if (c := between.get(frozenset((verb, other))))]
        masks = [plan.masks[plan.index(node)] for node in trio.nodes]
        arrays = [array for c in meetings for array in (c.classes_a, c.classes_b, c.allowed)]
        places = tuple((trio.nodes.index(c.a), trio.nodes.index(c.b)) for c in meetings)
        key = places, tuple(map(_is_missing, trio.nodes)), tuple(mask.tobytes() for mask in masks)
        fits_of = fitting.once(partial(_fitting, trio, between, masks), *trio.classes, *trio.scenes, *arrays, key=key)
        for place, fits in enumerate(fits_of):
            _narrow(plan, trio, place, fits, watch)


def _fitting(
    trio: Trio, between: Mapping[frozenset[Node], Constraint], masks: Sequence[NDArray[np.bool_]]
) -> list[NDArray[np.bool_]]:
    """Which candidates of each node of a trio may meet two of the others in one scene.

    Args:
        trio: the nodes.
        between: the constraint between two nodes.
        masks: which candidates each has.
    """
    doer, verb, thing = trio.nodes
    of_doer, of_verb, of_thing = map(trio.of, range(3))
    doers = _met(between, verb, doer, of_doer, masks[0])
    things = _met(between, verb, thing, of_thing, masks[2])
    met = (
        (of_doer, _met(between, doer, verb, of_verb & things, masks[1])),
        (of_verb, doers, things),
        (of_thing, _met(between, thing, verb, of_verb & doers, masks[1])),
    )
    fitting = list[NDArray[np.bool_]]()
    for own, *others in met:
        fits = has_bit(reduce(np.bitwise_and, others, own))
        for scenes in others:
            fits |= ~has_bit(scenes)  # what meets no word at all is left to `look_ahead`, which tells why
        fitting.append(fits)
    return fitting


def _is_missing(node: Node) -> bool:
    """Whether some rows have no such node."""
    return node.parent is not None and node.active is not None and not node.active.all()


def _met(
    between: Mapping[frozenset[Node], Constraint], node: Node, other: Node, scenes: U64, mask: NDArray[np.bool_]
) -> U64:
    """The scenes of the words that each candidate of a node may meet, as bits, shape (candidates, 64-bit words).

    Args:
        between: the constraint between two nodes.
        node: the node.
        other: the node whose words it meets.
        scenes: those of each candidate of the other node, as bits.
        mask: which candidates that one has.
    """
    if _is_missing(other):
        return np.full((node.size, scenes.shape[1]), ~np.uint64(0))
    c = between.get(frozenset((node, other)))
    if c is None:
        return np.broadcast_to(np.bitwise_or.reduce(scenes[mask], axis=0), (node.size, scenes.shape[1]))
    _, theirs, mine, table = c.between(node)
    of_class = np.zeros((len(table), scenes.shape[1]), dtype=np.uint64)
    np.bitwise_or.at(of_class, theirs[:-1][mask], scenes[mask])
    masks = -table.view(np.uint8)  # all bits of a byte, or none
    met = np.empty((table.shape[1], of_class.view(np.uint8).shape[1]), dtype=np.uint8)
    for k, byte in enumerate(of_class.view(np.uint8).T):
        met[:, k] = np.bitwise_or.reduce(masks & byte[:, None], axis=0) if byte.any() else 0
    return met.view(np.uint64)[mine[:-1]]


def _narrow(plan: Plan, trio: Trio, place: int, fits: NDArray[np.bool_], watch: Watch) -> None:
    """Take out candidates of one node of a trio."""
    if watch is unwatched and fits.all():
        return
    node = trio.nodes[place]
    first, second = (other.path for k, other in enumerate(trio.nodes) if k != place)
    plan.masks[plan.index(node)] &= fits
    why = f"all words of {first!r} and {second!r} are {trio.fault}"
    watch(Cut(node, fits, "related", why, plan.specs[node.slot].place))
    if not plan.masks[plan.index(node)].any():
        raise _unpartnered(plan, node, trio.nodes[1 if place != 1 else 2], "scene")


def _present(theirs: NDArray[np.int32], table: NDArray[np.bool_], mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rows of a table of which a candidate remains; all classes but the last, "not active", have candidates."""
    if mask.all():
        return table[:-1]
    present = np.zeros(table.shape[0], dtype=bool)
    present[theirs[:-1][mask]] = True
    return table[present]


def _unpartnered(plan: Plan, node: Node, other: Node, relation: str) -> DataError:
    """The error for a slot of which no word goes with one of another, with words of both."""
    words, theirs = (listing(_with_particles(each), _NAMED) for each in (node, other))
    what = f"nothing fits slot {node.slot!r}: no candidate has a partner in {other.path!r} ({relation}){_in_cell(plan)}"
    what += f"; its words are {words}, those of {other.path!r} {theirs}"
    relations = {*relation.split(", ")}
    if "like" in relations:  # what the rules of one ask, the other must satisfy too
        what += asked_by(rule for each in (node, other) for leaf in each.leaves for rule in leaf.rules)
    if {"subject_of", "object_of"} <= relations:
        what += "; one of them would be both subject and object of the other"
    if not relations.isdisjoint(_OF_FRAMES):
        both = next((frames for n in (node, other) for frames in plan.specs[n.slot].frames if len(frames) > 1), None)
        if both:
            what += f"; with frame: {' & '.join(both)} each of the frames must admit the noun"
        verb = next((each for each in (node, other) if each.is_headed_by("V")), None)
        if verb is not None:
            what += f"; blimpgen lexicon {verb.column('lemma')[0]} shows what the frames of a verb ask"
    return DataError(what, plan.specs[node.slot].place, "empty-slot")


def _with_particles(node: Node) -> list[str]:
    """The lemmas of candidates, each with its particle or preposition, which `lemma: same` compares too."""
    pairs = zip(node.column("lemma"), node.column("prt"), strict=True)
    return [f"{lemma} {particle}" if particle not in ("", "none") else lemma for lemma, particle in pairs]


_NAMED = 5
_OF_FRAMES = ("subject_of", "object_of", "subject", "object", "bad_subject_of", "bad_object_of")


def _in_cell(plan: Plan) -> str:
    return f" in the cell {plan.cell.name}" if plan.cell.levels else ""


def conjoin(constraints: list[Constraint], tables: Memo[Merged]) -> list[Constraint]:
    """One constraint for each pair of nodes; those that allow everything are dropped.

    Args:
        constraints: those of a plan.
        tables: what joining arrays gave in other plans.
    """
    by_pair: dict[frozenset[Node], Constraint] = {}
    for c in constraints:
        if c.a is c.b or c.allowed.all():
            continue
        key = frozenset((c.a, c.b))
        by_pair[key] = conjoined(by_pair[key], c, tables) if key in by_pair else c
    return list(by_pair.values())


def _induced(
    node: Node, mask: NDArray[np.bool_], first: Constraint, second: Constraint, tables: Memo[NDArray[np.bool_]]
) -> Constraint | None:
    a, theirs_a, mine_a, table_a = first.between(node)
    b, theirs_b, mine_b, table_b = second.between(node)
    if a is b:
        return None

    def shared() -> NDArray[np.bool_]:
        _, pairs = paired(mine_a[:-1][mask], mine_b[:-1][mask], table_b.shape[1])
        return share(table_a.take(pairs // table_b.shape[1], axis=1), table_b.take(pairs % table_b.shape[1], axis=1))

    table = tables.once(
        shared,
        *(first.classes_a, first.classes_b, first.allowed, second.classes_a, second.classes_b, second.allowed),
        key=(first.b is node, second.b is node, mask.tobytes()),
    )
    if table[:-1, :-1].all():
        return None
    return Constraint(f"{first.name} and {second.name} of {node.path}", a, b, theirs_a, theirs_b, table, induced=True)
