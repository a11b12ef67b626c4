"""What lies behind one row: for every choice its word, what was asked of it, and among how many it was drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from blimpgen.authoring.lexeme_facts import Fact, Lexeme
from blimpgen.base.records import Record
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.derivations import Row
from blimpgen.generation.engine import find_row
from blimpgen.generation.records import Assembly
from blimpgen.generation.trees import bracketed
from blimpgen.plan import Node
from blimpgen.plan.spec import SlotSpec

__all__ = ["Choice", "Explained", "explain_row"]


@dataclass(frozen=True)
class Choice:
    """One word of a row, and why it could stand there.

    Attributes:
        path: the slot, or the slot and roles: ``subj/determiner``.
        words: name of a sentence to the words that it has there.
        lexeme: id of the lexeme; empty for a slot without grammar.
        facts: what the lexicon says of it.
        rules: the rules of its phrase.
        features: the features that it was drawn with.
        asked: the keys of the slot in the paradigm file.
        admitted: how many candidates the slot's own constraints and the rules admit; one for each way to a word.
        partnered: how many of these a change in place, and a partner in each related slot, leave.
        fitting: how many of these go with what had been drawn before; the word was drawn among them.
    """

    path: str
    words: dict[str, str]
    lexeme: str
    facts: tuple[Fact, ...]
    rules: tuple[Fact, ...]
    features: dict[str, str]
    asked: tuple[Fact, ...]
    admitted: int = 0
    partnered: int = 0
    fitting: int = 0


@dataclass(frozen=True)
class Explained:
    """One row of a set.

    Attributes:
        record: the pair or set.
        cell: the levels of its cell.
        choices: its words in the order in which they were drawn; those of ``same`` slots after them.
        trees: name of a sentence to its tree in brackets; of a bad one that no rule derives flat, under ``*``.
    """

    record: Record
    cell: dict[str, str]
    choices: tuple[Choice, ...]
    trees: dict[str, str]


def explain_row(compiled: CompiledParadigm, row: int, seed: int = 0) -> Explained:
    """Explain a row of the set that `generate` makes with a seed.

    Args:
        compiled: the paradigm.
        row: its number, from 0.
        seed: the seed of the set; of an enumerated design it changes nothing.

    Raises:
        DataError: the paradigm has no such row.
    """
    part = find_row(compiled, row, seed)
    one = Row(compiled.cells[part.cell], part.columns)
    [record] = Assembly(compiled).records([[part]])
    words = dict(_words(one))
    choices = [_choice(one, node, words) for node in one.cell.plan.order if one.candidate(node) >= 0]
    copies = [_again(one, name, words) for name in one.cell.plan.specs if name not in one.cell.plan.slots]
    trees = bracketed(one, compiled.paradigm.pairs.values())
    return Explained(record, dict(one.cell.plan.cell.levels), (*choices, *copies), trees)


def _words(one: Row) -> Iterator[tuple[str, dict[str, str]]]:
    """Path of a choice to what each sentence has there."""
    lexicon = one.cell.language.lexicon
    words_at: dict[str, dict[str, list[str]]] = {}
    for name, template in one.cell.templates.items():
        for place, numbers in zip(template.places, template.realise(one.columns, lexicon).ids, strict=True):
            word = lexicon.strings.text(int(numbers[0])).strip()
            if word:
                words_at.setdefault(place.label.removesuffix("/head"), {}).setdefault(name, []).append(word)
    for path, sentences in words_at.items():
        yield path, {name: " ".join(parts) for name, parts in sentences.items()}


def _choice(one: Row, node: Node, words: dict[str, dict[str, str]]) -> Choice:
    plan, candidate = one.cell.plan, one.candidate(node)
    constraints = tuple(Fact(f"{key}: {text}", place) for key, (text, place) in _spec(plan.specs, node).keys.items())
    if node.rows:
        shown = {
            name: text
            for path, words_of_path in words.items()
            if path.startswith(f"{node.path}.")
            for name, text in words_of_path.items()
        }
        values = dict(node.rows[candidate])
        return Choice(node.path, shown, "", (), (), values, constraints, node.size, *_counts(one, node))
    leaf = one.leaf(node)
    lexeme = Lexeme(leaf.inventory, one.lexeme(node))
    facts = tuple(lexeme.facts(one.cell.language.lexicon, leaf.frames)) if lexeme.place else ()
    rules = tuple(Fact(rule.name, rule.place) for rule in leaf.rules)
    return Choice(
        node.path,
        words.get(node.path, {}),
        lexeme.id,
        facts,
        rules,
        dict(leaf.features),
        constraints,
        node.size,
        *_counts(one, node),
    )


def _spec(specs: dict[str, SlotSpec], node: Node) -> SlotSpec:
    """What the paradigm asks of a node; nothing of a daughter that it does not mention."""
    spec = specs[node.slot]
    for role in node.path.split("/")[1:]:
        spec = spec.daughters.get(role) or SlotSpec(node.path, spec.place)
    return spec


def _counts(one: Row, node: Node) -> tuple[int, int]:
    plan = one.cell.plan
    at = plan.index(node)
    fitting = plan.masks[at].copy()
    for c in plan.constraints:
        if node in (c.a, c.b) and c.a is not c.b:
            other, theirs, mine, table = c.between(node)
            if plan.index(other) < at:
                fitting &= table[theirs[one.candidate(other)]][mine[:-1]]
    return int(plan.masks[at].sum()), int(fitting.sum())


def _again(one: Row, name: str, words: dict[str, dict[str, str]]) -> Choice:
    """A slot that is the same lexeme as another, with its own agreement."""
    spec = one.cell.plan.specs[name]
    node = one.node(name)
    constraints = tuple(Fact(f"{key}: {text}", place) for key, (text, place) in spec.keys.items())
    return Choice(name, words.get(name, {}), one.leaf(node).inventory.ids[one.lexeme(node)], (), (), {}, constraints)
