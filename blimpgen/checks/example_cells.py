"""A cell restricted to the words of one example, so that all of its assignments can be enumerated.

Only the slots that a sentence shows are restricted (the *shown* ones, with those that they are twins of or agree
with); for the others it is enough that something completes the assignment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import listing
from blimpgen.english.words import ARTICLE_BEFORE_VOWEL, CLITICS, article_of, uncapitalized, words_without_marks
from blimpgen.generation.compiled import CompiledCell
from blimpgen.plan import Leaf, Node, Plan
from blimpgen.plan.nodes import Domain
from blimpgen.realize import Columns
from blimpgen.sampling import Sampler
from blimpgen.sampling.enumerate import SMALL, enumerate_up_to
from blimpgen.sampling.refusals import refused_words

__all__ = ["Restricted", "Shown"]

_LONGEST = 8
_TENSES = {"Past": ("past",), "Pres": ("pres_sg", "pres_pl")}

Mask = NDArray[np.bool_]


class Shown:
    """What an example shows.

    Args:
        sentences: its sentences.
        texts: the texts of the lexicon, by number.

    Attributes:
        words: those of the sentences, without capitals and marks.
        phrases: every sequence of words that stands in a sentence.
        stored: for each text whether it is one of them.
    """

    def __init__(self, sentences: Sequence[str], texts: Iterable[str]) -> None:
        self.words = [uncapitalized(word) for sentence in sentences for word in words_without_marks(sentence)]
        self.phrases = {phrase for sentence in sentences for phrase in _phrases(sentence)}
        self.stored: Mask = np.array([text.strip() in self.phrases for text in texts], dtype=bool)
        self._occurring: dict[tuple[Domain, bool], Mask] = {}

    def occurring(self, node: Node, every: bool) -> Mask:
        """Which candidates of a node have a form in the example; the domains of cells are mostly the same.

        Args:
            node: the node.
            every: look at all forms of its words, not only at those of its leaves.
        """
        if node.rows:
            return np.array([any(cell in self.phrases for cell in row.values()) for row in node.rows], dtype=bool)
        key = node.domain, every
        if key not in self._occurring:
            occurring = self._occurring[key] = np.zeros(node.size, dtype=bool)
            for leaf, candidates in _by_leaf(node):
                for cell in leaf.inventory.forms if every else _cells(leaf):
                    forms = leaf.inventory.forms[cell][leaf.candidates]
                    occurring[candidates] |= (forms >= 0) & self.stored[forms]
        return self._occurring[key]


class Restricted:
    """A cell with the words of an example.

    Args:
        cell: the compiled cell.
        example: what the example shows.
    """

    def __init__(self, cell: CompiledCell, example: Shown) -> None:
        self.cell, self.plan, self.example = cell, cell.plan, example

    @cached_property
    def shown(self) -> tuple[Node, ...]:
        """The nodes of the slots that a sentence shows, in drawing order."""
        plan = self.plan
        slots: dict[str, None] = {}
        agenda = [token.slot for tokens in plan.tokens.values() for token in tokens if token.slot]
        while agenda:
            slot = agenda.pop().partition(".")[0].partition("/")[0]
            if slot not in slots:
                slots[slot] = None
                spec = plan.specs[slot]
                agenda += [name for name in (spec.same, spec.like, plan.agreement.get(slot, "")) if name]
        return tuple(node for node in plan.order if node.slot in slots)

    @cached_property
    def masks(self) -> dict[Node, Mask]:
        """For each shown node its candidates that have a form in the example."""
        changed = {token.slot for tokens in self.plan.tokens.values() for token in tokens if token.change}
        return {
            node: self.plan.masks[self.plan.index(node)]
            & self.example.occurring(node, node.slot in changed or node.twin_of is not None)
            for node in self.shown
        }

    @property
    def unfilled(self) -> str:
        """A shown slot that no word of the example may fill, or nothing."""
        return next((node.slot for node, mask in self.masks.items() if node.parent is None and not mask.any()), "")

    @cached_property
    def words(self) -> set[str]:
        """Every word that the templates, the rules and the restricted candidates can give."""
        text = self.cell.language.lexicon.strings.text
        phrases = {ARTICLE_BEFORE_VOWEL} | {token.text for tokens in self.plan.tokens.values() for token in tokens}
        for node, mask in self.masks.items():
            phrases |= {cell for row, allowed in zip(node.rows, mask, strict=False) if allowed for cell in row.values()}
            for leaf, candidates in _by_leaf(node):
                phrases |= {d.category for rule in leaf.rules for d in rule.daughters if d.literal}
                remaining = leaf.candidates[mask[candidates]]
                if len(remaining):
                    phrases |= {
                        text(int(k)) for cell in leaf.inventory.forms.values() for k in cell[remaining] if k >= 0
                    }
        return {word for phrase in phrases for word in phrase.split()}

    def assignments(self) -> Columns | None:
        """The columns of all assignments to the shown nodes, -1 for every other; None for too many."""
        columns = self._enumerate(self.shown, [self.masks[node] for node in self.shown])
        if columns is None:
            return None
        column_of = dict(zip(self.shown, columns, strict=True))
        nothing = np.full(len(columns[0]) if columns else 0, -1, dtype=np.int32)
        return [column_of.get(node, nothing) for node in self.plan.order]

    def refused(self, template: str, shown: Shown) -> str:
        """Which of its words do not go together, and in which slots.

        Args:
            template: the name of a sentence, whose words are looked at first: the other one may have further forms,
                which would stand in its slots too (*washed* and *polished* beside *before polishing*).
            shown: what that sentence shows.
        """
        slots = {token.slot for token in self.plan.tokens[template]}
        alone = {
            node: self.plan.masks[self.plan.index(node)] & shown.occurring(node, every=False)
            for node in self.shown
            if node.slot in slots
        }
        for node, mask in alone.items():
            if node.parent is None and not mask.any():
                return f"none of {template!r} may fill slot {node.slot!r}"
        if apart := self._apart(template, shown.words, alone):
            return apart
        for masks in (alone, {node: self.masks[node] for node in self.shown}):
            sampler = Sampler(self._reduced([*masks], [*masks.values()]))
            if words := refused_words(sampler, repeating=False) or refused_words(sampler):
                return words
        return f"in slots {listing(node.path for node in self.shown)}"

    def _apart(self, template: str, words: Sequence[str], masks: Mapping[Node, Mask]) -> str:
        """The words of a sentence that do not meet, each with its slot; empty where all of them do.

        A slot is taken to have the first of its words that stands behind those of the slots before it.

        Args:
            template: the name of the sentence.
            words: its words, without capitals and marks.
            masks: for the nodes of its slots the candidates that have a form in it.
        """
        start, drawn = 0, dict[Node, int]()
        for token in self.plan.tokens[template]:
            node = self.plan.slots.get(token.slot)
            if node is None or not node.leaves or node not in masks:
                continue
            places = [
                (place, candidate)
                for candidate in np.flatnonzero(masks[node]).tolist()
                if (place := _place(words, start, _texts(self.cell, node, candidate))) >= 0
            ]
            if places:
                start, drawn[node] = min(places)
                start += 1
        for c in self.plan.constraints:
            a, b = drawn.get(c.a, -1), drawn.get(c.b, -1)
            if min(a, b) >= 0 and not c.allowed[c.classes_a[a], c.classes_b[b]]:
                return f"{c.a.path!r} {c.a.lemma(a)} and {c.b.path!r} {c.b.lemma(b)} do not meet ({c.name})"
        return ""

    def completes(self, columns: Columns, row: int) -> bool:
        """Whether something completes an assignment to the shown nodes.

        Args:
            columns: assignments as `assignments` gives them, one array a node.
            row: which of them.
        """
        masks = []
        for node, column, mask in zip(self.plan.order, columns, self.plan.masks, strict=True):
            drawn = int(column[row])
            masks.append(mask if drawn < 0 else np.arange(node.size) == drawn)
        completions = self._enumerate(self.plan.order, masks)
        return completions is None or bool(len(completions[0]))

    def _enumerate(self, nodes: Sequence[Node], masks: list[Mask]) -> Columns | None:
        return enumerate_up_to(Sampler(self._reduced(nodes, masks)), SMALL)

    def _reduced(self, nodes: Sequence[Node], masks: list[Mask]) -> Plan:
        """The plan of some nodes alone, each with some of its candidates."""
        constraints = [c for c in self.plan.constraints if c.a in nodes and c.b in nodes]
        trios = [trio for trio in self.plan.trios if {*trio.nodes} <= {*nodes}]
        return replace(self.plan, order=list(nodes), masks=masks, constraints=constraints, trios=trios)


def _texts(cell: CompiledCell, node: Node, candidate: int) -> set[tuple[str, ...]]:
    """The forms of a candidate, each as its words."""
    leaf, text = node.leaves[int(node.leaf[candidate])], cell.language.lexicon.strings.text
    numbers = (int(forms[node.lexeme[candidate]]) for forms in leaf.inventory.forms.values())
    return {tuple(uncapitalized(text(number)).split()) for number in numbers if number >= 0}


def _place(words: Sequence[str], start: int, texts: set[tuple[str, ...]]) -> int:
    """Where the first of some texts stands in a sentence, from a place on; -1 if none does."""
    places = range(start, len(words))
    return next((k for k in places if any(tuple(words[k : k + len(text)]) == text for text in texts)), -1)


def _by_leaf(node: Node) -> Iterator[tuple[Leaf, NDArray[np.intp]]]:
    """The leaves of a node, each with the numbers of its candidates there."""
    numbers = np.argsort(node.leaf, kind="stable")
    starts = np.searchsorted(node.leaf[numbers], np.arange(len(node.leaves) + 1)).tolist()
    for leaf, start, end in zip(node.leaves, starts, starts[1:], strict=False):
        yield leaf, numbers[start:end]


def _cells(leaf: Leaf) -> tuple[str, ...]:
    """The form cells that a leaf may show: fewer than its words have, where its features say which."""
    category, form = leaf.inventory.category, leaf.features.get("form", "fin")
    if category == "N":
        return (leaf.features["Number"],)
    if category == "V" and form != "fin":
        return (form,)
    if category == "V" and leaf.rules and leaf.features.get("Tense") in _TENSES:
        return _TENSES[leaf.features["Tense"]]
    return tuple(leaf.inventory.forms)


def _phrases(sentence: str) -> Iterator[str]:
    """Every sequence of words of a sentence, as its parts may be stored: without capital, clitic and mark."""
    words = words_without_marks(sentence)
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            phrase = " ".join(words[start:end])
            for text in (phrase, *(phrase.removesuffix(clitic) for clitic in CLITICS)):
                yield text
                yield article_of(uncapitalized(text))
