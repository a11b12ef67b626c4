"""Trees of all sentences of a row, in brackets.

The derivation of a good template gives the clause; what a slot is inside comes from the rules it was drawn with.
A bad sentence has no derivation: where it exchanges words in place it gets the shape of the good one that it is
compared with, otherwise a flat tree over its constituents, labelled ``*``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from blimpgen.generation.derivations import Deriver, Row, derivable_slots
from blimpgen.grammar.chart import Tree
from blimpgen.paradigm import Token
from blimpgen.plan import Node

__all__ = ["bracketed", "derivation", "lexemes"]

_LABELS = {"determiner": "D", "aux": "Aux", "adjunct": "A"}


def bracketed(row: Row, pairs: Collection[tuple[str, str]]) -> dict[str, str]:
    """The trees of all sentences of a row, as bracketed strings.

    Args:
        row: the row.
        pairs: the names of the good and of the bad sentence of each comparison.

    Returns:
        Sentence name to tree; empty where the template has slots without grammar.
    """
    if not derivable_slots(row.cell):
        return {}
    if row.cell.language.grammar.lists:
        return _of_words(row, pairs)
    deriver, tokens = Deriver(row), row.cell.plan.tokens
    trees = {good: deriver.tree(good) for good in dict.fromkeys(good for good, _ in pairs)}
    if not any(trees.values()):
        return {}
    result = {}
    for name in row.cell.sentences:
        leaves = [_leaf(row, name, k) for k in range(len(tokens[name]))]
        models = [name] if name in trees else [good for good, bad in pairs if bad == name]
        alike = (trees[good] for good in models if _aligned(row, tokens[good], tokens[name]))
        tree = next(filter(None, alike), None)
        result[name] = _shown(tree, leaves) if tree else f"(* {' '.join(leaves)})"
    return result


def _of_words(row: Row, pairs: Collection[tuple[str, str]]) -> dict[str, str]:
    """The trees of a row of word lists: those of its sentences as they are read, see `bracketed`."""
    cell, parser = row.cell, row.cell.language.parsers["closed"]
    lexicon = cell.language.lexicon
    read = {name: template.realise(row.columns, lexicon).texts(lexicon)[0] for name, template in cell.templates.items()}
    written = {
        name: template.realise(row.columns, lexicon).texts(lexicon)[0] for name, template in cell.written.items()
    }
    parses = {good: parser.parse(read[good]).first for good in dict.fromkeys(good for good, _ in pairs)}
    if not any(parses.values()):
        return {}
    result = {}
    for name in cell.sentences:
        words = parser.tokens(written[name])
        models = [name] if name in parses else [good for good, bad in pairs if bad == name]
        alike = (good for good in models if _aligned(row, cell.plan.tokens[good], cell.plan.tokens[name]))
        model = next((parse for good in alike if (parse := parses[good]) and len(parse.tokens) == len(words)), None)
        result[name] = str(replace(model, tokens=words)) if model else f"(* {' '.join(words)})"
    return result


def derivation(row: Row, sentence: str, reading: str) -> str:
    """The tree of one sentence with its own words, as a bracketed string; empty if it has none.

    Args:
        row: the row.
        sentence: the name of the sentence.
        reading: closed or open.
    """
    tree = Deriver(row, reading).tree(sentence)
    return _shown(tree, [_leaf(row, sentence, k) for k in range(len(row.cell.plan.tokens[sentence]))]) if tree else ""


def lexemes(row: Row) -> dict[str, list[tuple[str, str]]]:
    """What each sentence of a row consists of.

    Returns:
        Sentence name to its parts in order: the text of one place of the template (a lexeme may have several words),
        and the id of its lexeme; empty for marks and for words that the template writes out.
    """
    strings = row.cell.language.lexicon.strings
    by_sentence = {}
    for name, template in row.cell.templates.items():
        ids = template.realise(row.columns, row.cell.language.lexicon).ids
        parts = [
            (place.label, strings.text(int(column[0])).strip())
            for place, column in zip(template.places, ids, strict=True)
        ]
        by_sentence[name] = [(text, _lexeme(row, label)) for label, text in parts if text]
    return by_sentence


def _lexeme(row: Row, label: str) -> str:
    """The id of the lexeme at a place; empty where the place is of no slot, or of a slot without lexemes."""
    slot, *roles = label.removesuffix("/head").split("/")
    if "/" not in label or slot not in row.cell.plan.specs:
        return ""
    node = row.node(slot)
    for role in roles:
        inside = _daughter(node, role)
        if inside is None:
            return ""
        node = inside
    if node.rows or row.candidate(node) < 0:
        return ""
    return row.leaf(node).inventory.ids[row.lexeme(node)]


def _aligned(row: Row, good: tuple[Token, ...], other: tuple[Token, ...]) -> bool:
    """Whether a sentence differs from the good one only by words exchanged in place."""
    specs = row.cell.plan.specs

    def kind(token: Token) -> tuple[str, str]:
        if token.text:
            return "", token.text
        spec = specs[token.slot]
        return (spec.like or spec.same or token.slot), "" if spec.table else token.part

    return len(good) == len(other) and all(kind(a) == kind(b) for a, b in zip(good, other, strict=True))


def _shown(tree: Tree, leaves: list[str]) -> str:
    if tree.position >= 0:
        leaf = leaves[tree.position] if tree.position < len(leaves) else "."
        return leaf if leaf.startswith("(") else f"({tree.label} {leaf})"
    return f"({tree.label} {' '.join(_shown(child, leaves) for child in tree.children)})"


def _leaf(row: Row, sentence: str, k: int) -> str:
    """One token with its own words: a mark, a word, or a phrase with the phrases inside it."""
    token = row.cell.plan.tokens[sentence][k]
    template = row.cell.written[sentence]
    lexicon = row.cell.language.lexicon
    realised = template.realise(row.columns, lexicon)
    places = range(template.starts[k], template.starts[k + 1])
    words = [(template.places[p].label, lexicon.strings.text(int(realised.ids[p][0])).strip()) for p in places]
    if token.text:  # as it is written here: an, where the template says a
        return " ".join(word for _, word in words)
    parts = _placed(row, token, [(label, word) for label, word in words if word])
    if len(parts) == 1 and parts[0].label.endswith("/head"):
        return f"({_category(row, token)} {parts[0].word})"
    return f"({_category(row, token)} {_phrase(row, parts, 0)})"


class _Part(NamedTuple):
    """A word of a phrase: the roles that lead to the phrase that it is in, its label, its category, itself."""

    path: tuple[str, ...]
    label: str
    category: str
    word: str


def _placed(row: Row, token: Token, words: list[tuple[str, str]]) -> list[_Part]:
    """The words with their places; one that a rule writes out belongs where both its neighbours do."""
    paths = [tuple(label.split("/")[:-1]) for label, _ in words]
    parts = []
    for k, (label, word) in enumerate(words):
        path, last = paths[k], label.rpartition("/")[2]
        if not path and token.slot != label.partition(".")[0]:
            around = [p for p in (*paths[:k][-1:], *paths[k + 1 :][:1]) if p]
            path = tuple(a for a, *rest in zip(*around, strict=False) if all(a == b for b in rest)) if around else ()
        parts.append(_Part(path[1:], label, _LABELS.get(last, _head(row, token, label)), word))
    return parts


def _phrase(row: Row, parts: Sequence[_Part], depth: int) -> str:
    """Words side by side; those of a phrase further down in brackets with its category."""
    daughters = []
    for role, group in groupby(parts, key=lambda part: part.path[depth : depth + 1]):
        inside = list(group)
        if not role:
            daughters += [f"({part.category} {part.word})" for part in inside]
            continue
        category = _category_below(row, inside[0].label, depth + 1)
        alone = len(inside) == 1 and inside[0].label.endswith("/head") and len(inside[0].path) == depth + 1
        daughters.append(f"({category} {inside[0].word if alone else _phrase(row, inside, depth + 1)})")
    return " ".join(daughters)


def _category_below(row: Row, label: str, depth: int) -> str:
    """The category of the phrase that so many roles lead to."""
    slot, *roles = label.split("/")
    node = row.node(slot)
    for role in roles[:depth]:
        node = _daughter(node, role) or node
    leaf = row.leaf(node.twin_of or node)
    return leaf.rules[0].category if leaf.rules else leaf.inventory.category


def _daughter(node: Node, role: str) -> Node | None:
    """The daughter of a node; of a twin, which has none of its own, that of its original."""
    return node.children.get(role) or (node.twin_of.children.get(role) if node.twin_of else None)


def _category(row: Row, token: Token) -> str:
    node = row.node(token.slot)
    if node.rows:
        return "Words"
    leaf = row.leaf(node.twin_of or node)
    if token.part:
        return {"aux": "Aux", "rest": "VX"}[token.part]
    return leaf.rules[0].category if leaf.rules else leaf.inventory.category


def _head(row: Row, token: Token, label: str) -> str:
    if not label.endswith("/head"):
        return label
    path = label.removesuffix("/head").split("/")
    node = row.node(token.slot)
    for role in path[1:]:
        node = _daughter(node, role) or node
    return row.leaf(node).inventory.category
