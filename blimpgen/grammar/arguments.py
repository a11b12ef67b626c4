"""Who does what in a derivation, and is what: the noun phrases of every verb and adjective, moved ones among them.

A gap stands for what is asked for or for the noun of its relative clause; the subject of an infinitive or gerund is
that of the verb above it, or the object of that verb, as the rule says. What nobody names (the agent of a passive, an
expletive) is None.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from blimpgen.grammar.forest import Tree
from blimpgen.grammar.rules import Daughter

__all__ = ["Arguments", "head_of", "predicate_arguments", "verb_arguments"]

_NOMINAL = frozenset({"DP", "NQ", "NB", "MN", "PN", "WHN"})


class Arguments(NamedTuple):
    """A verb or adjective with its noun phrases, each None where it has none or nobody says.

    Attributes:
        predicate: the leaf.
        subject: what does it, or of what the adjective is said.
        obj: what it is done to; of two objects the thing.
        recipient: of two objects the first, who gets the thing.
        goal: what stands behind the preposition that the verb asks for.
    """

    predicate: Tree
    subject: Tree | None
    obj: Tree | None
    recipient: Tree | None = None
    goal: Tree | None = None


class _Scope(NamedTuple):
    """What a phrase takes from above: its subject, and what its gap stands for."""

    subject: Tree | None = None
    filler: Tree | None = None


def verb_arguments(tree: Tree) -> Iterator[Arguments]:
    """Yield the verbs of a derivation with their noun phrases."""
    yield from (each for each in predicate_arguments(tree) if each.predicate.label == "V")


def predicate_arguments(tree: Tree) -> Iterator[Arguments]:
    """Yield the verbs of a derivation with their noun phrases, and the adjectives with those of which they are said."""
    yield from _arguments(tree, _Scope())


def head_of(phrase: Tree) -> Tree | None:
    """The word at the head of a phrase; None of a series, which has several."""
    while phrase.pattern is not None:
        daughters = phrase.pattern.flat.overt
        if any(d.role == "conjunct" for d in daughters):
            return None
        phrase = next(child for child, d in zip(phrase.children, daughters, strict=True) if d.head)
    return phrase


def _arguments(tree: Tree, above: _Scope) -> Iterator[Arguments]:
    if tree.pattern is None:
        return
    flat = tree.pattern.flat
    pairs = list(zip(tree.children, flat.overt, strict=True))
    roles = {d.role: child for child, d in reversed(pairs)}
    scope = _scope(tree, roles, flat.gap, above)
    obj = roles.get("object", scope.filler if flat.gap == "object" else None)
    first = roles.get("complement") if flat.rule.daughter("object") is not None else None
    recipient = first if first is not None and first.label == "DP" else None
    goal = _object_of_preposition(roles.get("complement"))
    passive = tree.label == "VX" and flat.rule.features.get("form") == ("pred",)
    for child, daughter in pairs:
        if child.label == "V":
            owned = daughter.head and not passive
            yield Arguments(child, scope.subject if owned else None, obj if owned else scope.subject, recipient, goal)
        elif child.label == "A":
            yield Arguments(child, tree if tree.label in _NOMINAL else scope.subject, None)
        else:
            understood = {"object": obj, "subject": scope.subject, "": None}
            controller = understood.get(flat.rule.controller, roles.get(flat.rule.controller))
            yield from _arguments(child, _below(tree, daughter, scope, controller))


def _object_of_preposition(phrase: Tree | None) -> Tree | None:
    if phrase is None or phrase.label != "PP":
        return None
    return next((child for child in phrase.children if child.label == "DP"), None)


def _scope(tree: Tree, roles: dict[str, Tree], gap: str, above: _Scope) -> _Scope:
    """What holds inside a phrase: its own subject, and what was moved to its front."""
    moved = roles.get("wh", above.filler)
    if tree.label in _NOMINAL:
        return _Scope(None, None)
    if "subject" in roles:
        return _Scope(roles["subject"], moved)
    if gap == "subject":
        return _Scope(above.filler, moved)
    if tree.label in ("S", "Q", "SI", "GER"):
        return _Scope(roles.get("possessor", moved if tree.label == "Q" else None), moved)
    return _Scope(moved if tree.label == "EQ" else above.subject, moved)


def _below(tree: Tree, daughter: Daughter, scope: _Scope, controller: Tree | None) -> _Scope:
    """What a daughter takes from the phrase."""
    if tree.label in _NOMINAL:
        relative = daughter.role in ("relative", "modifier")
        return _Scope(tree if relative else None, tree if relative else None)
    if daughter.head or daughter.role in ("conjunct", "adjunct"):
        return scope
    if tree.pattern is not None and tree.pattern.rule == "VX.tough":
        return _Scope(None, scope.subject)
    if daughter.role == "complement":
        return _Scope(controller, scope.filler)
    return _Scope()
