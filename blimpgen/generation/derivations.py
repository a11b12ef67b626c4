"""Derivations: one row of a compiled cell, its tokens as terminals, recognised by the clause grammar.

A slot is a terminal with the features that it has in that row, so agreement, gender and frames are checked with
them. A slot without grammar (a plain word list) has no terminal; such templates are not derived.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from blimpgen.english.words import is_mark
from blimpgen.generation.compiled import CompiledCell
from blimpgen.grammar.chart import Terminal, Tree
from blimpgen.lexicon.entries import phis
from blimpgen.paradigm import Token
from blimpgen.plan import Leaf, Node
from blimpgen.realize import Columns

__all__ = ["Deriver", "Row", "derivable_slots", "surfaces", "tokens_with_mark"]

_OPPOSITE = {"Sing": "Plur", "Plur": "Sing", "Masc": "Fem", "Fem": "Masc"}


@dataclass(frozen=True)
class Row:
    """One row of a cell: the columns with a single entry each."""

    cell: CompiledCell
    columns: Columns

    def candidate(self, node: Node) -> int:
        """The candidate of a node; -1 where it is not active."""
        return int(self.columns[self.cell.plan.index(node)][0])

    def leaf(self, node: Node) -> Leaf:
        """The leaf of a node's candidate."""
        return node.leaves[int(node.leaf[self.candidate(node)])]

    def lexeme(self, node: Node) -> int:
        """The lexeme number of a node's candidate."""
        return int(node.lexeme[self.candidate(node)])

    def node(self, slot: str) -> Node:
        """The node of a slot; of a `same` slot, its original's."""
        spec = self.cell.plan.specs[slot]
        return self.node(spec.same) if spec.same else self.cell.plan.slots[slot]

    def surface(self, token: Token) -> str:
        """The text of a token."""
        return surfaces(self.cell, token, self.columns)[0]

    def number(self, node: Node) -> str:
        """Sing, Plur or empty."""
        return ("Sing", "Plur", "")[int(node.number[self.candidate(node)])]


def derivable_slots(cell: CompiledCell) -> bool:
    """Whether every slot has grammar: none is a list of words that the rules do not name, or that nobody knows."""
    grammar, closed_words = cell.language.grammar, cell.language.lexicon.closed_words.keys()
    for node in cell.plan.slots.values():
        for leaf in node.leaves:
            if grammar.lists and (leaf.inventory.inflected or leaf.inventory.category == "words"):
                continue
            if leaf.inventory.category.startswith("words:"):
                return False
            if leaf.inventory.category == "words" and not set(leaf.inventory.ids) <= closed_words:
                return False
    return bool(grammar.rules.get("TOP"))


class Deriver:
    """Derives the sentences of one row.

    Args:
        row: the row.
        reading: closed or open.
    """

    def __init__(self, row: Row, reading: str = "closed") -> None:
        self.row, self.reading = row, reading
        self.plan, self.language = row.cell.plan, row.cell.language

    def tree(self, sentence: str) -> Tree | None:
        """The first derivation of a sentence, or None."""
        tokens = tokens_with_mark(self.row.cell, sentence)
        return self.language.chart.parse([list(self.terminals(token)) for token in tokens])

    def terminals(self, token: Token) -> Iterator[Terminal]:
        """The readings of one token."""
        if token.text:
            yield Terminal(token.text, literal=True)
            yield from self._words(token.text)
            return
        node = self.row.node(token.slot)
        if node.rows:
            yield from self._words(node.rows[self.row.candidate(node)][token.part])
            return
        category = self._category(node)
        if category == "words":
            yield from self._words(self.row.leaf(node).inventory.ids[self.row.lexeme(node)])
        elif category in ("V", "VG"):
            yield from self._verb(token, node)
        elif category in ("VP", "VX"):
            yield from self._verb_phrase(token, node)
        elif category in ("DP", "N", "Name"):
            yield from self._nominal(token, node, category)
        else:
            yield from self._closed(token, category)

    def _category(self, node: Node) -> str:
        original = node.twin_of or node
        leaf = self.row.leaf(original)
        return leaf.rules[0].category if leaf.rules else leaf.inventory.category

    def _words(self, text: str) -> Iterator[Terminal]:
        for category, values in self.language.entries.of(text, self.reading):
            if category in self.language.grammar.categories:
                yield Terminal(category, values)

    def _nominal(self, token: Token, node: Node, category: str) -> Iterator[Terminal]:
        number = self.row.number(node)
        if token.change == ("Number", "other"):
            number = _OPPOSITE[number]
        candidate = self.row.candidate(node)
        values = {"Number": number}
        if category == "N":
            values["count"] = "mass" if node.column("count")[candidate] == "mass" and number == "Sing" else "count"
        if category == "DP":
            values.update(self._determined(node))
        head = self.row.leaf(node).inventory.category
        for phi in phis(number, node.column("Gender")[candidate], head):
            yield Terminal(category, {**values, "phi": phi})

    def _determined(self, node: Node) -> dict[str, str]:
        """Definiteness, strength and negation: from the determiner, or from the rule."""
        frame = node.twin_of or node
        determiner = frame.children.get("determiner")
        if determiner is not None and self.row.candidate(determiner) >= 0:
            candidate = self.row.candidate(determiner)
            return {name: determiner.column(name)[candidate] for name in ("Definite", "strength", "neg")}
        rule = self.row.leaf(frame).rules[0]
        return {name: rule.features[name][0] for name in ("Definite", "strength", "open") if name in rule.features}

    def _verb(self, token: Token, node: Node) -> Iterator[Terminal]:
        frame = self.row.leaf(node.twin_of or node)
        form = (
            "fin" if frame.rules and frame.rules[0].features.get("form") == ("fin",) else frame.features.get("form", "")
        )
        form = form or self._selected(token.slot)
        if token.change and token.change[0] == "form":
            form = token.change[1]
        values = {"form": "fin" if form == "past" else form, **self._agreed(token, node, frame)}
        lexeme = self.row.lexeme(node)
        listed = {f for leaf in node.leaves for f in leaf.frames}
        for name, more in self.language.entries.frames(lexeme, self.reading):
            if self.reading == "open" or name in listed:
                yield Terminal("V", {**values, "frame": name, **more})

    def _selected(self, slot: str) -> str:
        for name, spec in self.plan.specs.items():
            if slot in spec.relations.get("selects", ()) and name in self.plan.slots:
                node = self.plan.slots[name]
                if "selects" in self.row.leaf(node).inventory.columns:
                    form = node.column("selects")[self.row.candidate(node)]
                    return str(form) if form in ("bare", "part", "ing") else "ing"
        return ""

    def _agreed(self, token: Token, node: Node, leaf: Leaf) -> dict[str, str]:
        """The number that the finite word shows, if it shows one."""
        source = self._source(token.slot)
        if source is None or not self._shows_number(leaf):
            return {}
        number = self.row.number(source)
        if token.change == ("Number", "other") and number:
            number = _OPPOSITE[number]
        return {"Number": number} if number else {}

    def _source(self, slot: str) -> Node | None:
        target = self.plan.agreement.get(slot) or self.plan.agreement.get(self.plan.specs[slot].like)
        if target is None:
            return None
        name = target.partition(".")[0]
        return self.row.node(name) if name in self.plan.specs else next(n for n in self.plan.order if n.path == name)

    def _shows_number(self, leaf: Leaf) -> bool:
        kind = leaf.rules[0].label if leaf.rules else ""
        present = leaf.features.get("Tense") == "Pres"
        return kind == "be" or (present and kind != "modal")

    def _verb_phrase(self, token: Token, node: Node) -> Iterator[Terminal]:
        leaf = self.row.leaf(node)
        agreed = self._agreed(token, node, leaf)
        if token.part == "aux":
            child = node.children["aux"]
            candidate = self.row.candidate(child)
            if candidate >= 0:
                yield Terminal(
                    "Aux",
                    {
                        **{n: child.column(n)[candidate] for n in ("kind", "selects")},
                        **agreed,
                        "Polarity": leaf.features["Polarity"],
                    },
                )
        elif token.part == "rest":
            yield Terminal("VX", {"form": leaf.features.get("form", "fin"), **agreed})
        else:
            finite = leaf.rules[0].features.get("form") == ("fin",)
            form = "fin" if finite else leaf.features["form"]
            yield Terminal("VP", {"form": form, "Polarity": leaf.features.get("Polarity", "Pos"), **agreed})

    def _closed(self, token: Token, category: str) -> Iterator[Terminal]:
        """A closed-class slot: the entries of the word it shows, in its category."""
        for name, values in self.language.entries.of(self.row.surface(token), self.reading):
            if name == category:
                yield Terminal(name, values)


def tokens_with_mark(cell: CompiledCell, sentence: str) -> tuple[Token, ...]:
    """Give the tokens of a sentence with a mark at the end, which the grammar asks for and a phrase may lack.

    Args:
        cell: the cell.
        sentence: the name of the sentence.
    """
    tokens = cell.plan.tokens[sentence]
    return tokens if not tokens or is_mark(tokens[-1].text) else (*tokens, Token(text="."))


def surfaces(cell: CompiledCell, token: Token, columns: Columns) -> list[str]:
    """Give the text of a token of some sentence in each of some rows.

    Args:
        cell: the cell.
        token: a token of one of its sentences.
        columns: for each node the candidates of the rows.
    """
    text_of = cell.language.lexicon.strings.text
    name = next(name for name in cell.templates if token in cell.plan.tokens[name])
    at, starts = cell.plan.tokens[name].index(token), cell.templates[name].starts
    words = cell.sentence(name, columns).ids[starts[at] : starts[at + 1]]
    return ["".join(map(text_of, row)).strip() for row in zip(*(word.tolist() for word in words), strict=True)]
