"""Made-up words over a real set: the accepted rows of the real set, with other words in some of their places."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.generation.compiled import COMPILED, CompiledCell, CompiledParadigm, lay_out_cell
from blimpgen.generation.real_words import Reasons, real_words, refusal
from blimpgen.lexicon import Lexicon
from blimpgen.library import Language, Library
from blimpgen.nonce import CLASSES, Coiner, ListedCoiner
from blimpgen.plan import Leaf, Node
from blimpgen.plan.lookahead import look_ahead
from blimpgen.realize import Columns
from blimpgen.variants.record import FileRef, Variant

__all__ = ["coiner", "overlaid"]

COINED = 8
"""Seeds whose made-up words a library keeps; about 15 MB each."""


def overlaid(compiled: CompiledParadigm, library: Library, seed: int) -> CompiledParadigm:
    """A compiled paradigm as the variant of its library shows it; as it is if no made-up words are asked for.

    Args:
        compiled: the paradigm.
        library: its library.
        seed: the seed of the set.

    Raises:
        DataError: a word is asked for where the contrast needs a real one.
    """
    variant = library.variant
    if variant is None or not (variant.nonce or variant.wug):
        return compiled
    names = _named(compiled, variant)
    categories = tuple(names) or ("N",)
    critical = variant.nonce_critical or variant.wug is not None
    paradigm = compiled.paradigm
    reasons = library.cache.once(
        "real words",
        (paradigm.uid, paradigm.document.path, categories, critical),
        lambda: real_words(compiled, categories, critical=critical),
        most=COMPILED,
        version=paradigm.content,
    )
    if variant.nonce_critical and (why := refusal(compiled, categories, reasons)):
        what = f"made-up words in the place of critical ones make no sense in {compiled.paradigm.uid}: {why}"
        raise DataError(what, compiled.paradigm.place())
    words = _Words(library, compiled.language, variant, seed, names)
    overlays = [
        _Overlay(compiled, cell, why, variant, words) for cell, why in zip(compiled.cells, reasons, strict=True)
    ]
    real = {path: why for overlay in overlays for path, why in overlay.stay.items()}
    return replace(compiled, cells=[overlay.cell_with_words() for overlay in overlays], real_slots=real)


def _named(compiled: CompiledParadigm, variant: Variant) -> dict[str, str]:
    """The categories, or word lists, of the classes that are to be made up, each with the class.

    Raises:
        DataError: the language has no such class, or its words are not made up in this way.
    """
    lexicon, place = compiled.language.lexicon, compiled.paradigm.place()
    language = lexicon.language
    if not language.classes and len(lexicon.table("nouns")):
        return {CLASSES[name]: name for name in variant.nonce}
    if missing := [name for name in variant.nonce if not language.classes.get(name)]:
        what = f"{language.name} does not say which word lists the class {missing[0]} has"
        raise DataError(f"{what}; write classes: {{{missing[0]}: [LIST]}} into its language.yaml", place)
    if variant.nonce_list or variant.nonce_critical:
        option, why = (
            ("list", "its words do not inflect")
            if variant.nonce_list
            else ("critical", "nothing proves labels of made-up words")
        )
        raise DataError(f"{why} in {language.name}, a language of word lists; leave --nonce-{option} out", place)
    return {f"words:{words}": name for name in variant.nonce for words in language.classes[name]}


def coiner(library: Library, lexicon: Lexicon, seed: int, listed: FileRef | None = None) -> Coiner | ListedCoiner:
    """What makes the words of a seed; the last are kept in the library, because all its paradigms share them.

    Args:
        library: where they are kept.
        lexicon: the real words.
        seed: the seed of the set.
        listed: a file of made-up words to be used instead of coined ones.
    """
    key = (lexicon, seed, listed)
    return library.cache.once("coined", key, lambda: _new_coiner(lexicon, seed, listed), most=COINED)


def _new_coiner(lexicon: Lexicon, seed: int, listed: FileRef | None) -> Coiner | ListedCoiner:
    return ListedCoiner(lexicon, seed) if lexicon.language.classes else Coiner(lexicon, seed, listed)


class _Words:
    """The made-up words of a set as string numbers.

    Args:
        library: where coined words are kept.
        language: the real words.
        variant: the record.
        seed: the seed.
        names: the class of each category or word list.
    """

    def __init__(
        self, library: Library, language: Language, variant: Variant, seed: int, names: Mapping[str, str]
    ) -> None:
        self.lexicon, self.names = language.lexicon, names
        self.coiner = coiner(library, self.lexicon, seed, variant.nonce_list)
        self._forms: dict[tuple[str, str], NDArray[np.int32]] = {}
        for category, name in names.items():
            if not self.coiner.lexemes(category):
                raise DataError(
                    f"the list has no word of the class {name}",
                    Place(variant.nonce_list.path) if variant.nonce_list else None,
                )
        for name in dict.fromkeys(names.values()):
            lists = [category for category, each in names.items() if each == name]
            if not any(word.lemma for category in lists for word in self.coiner.lexemes(category)):
                words = ", ".join(category.removeprefix("words:") for category in lists)
                raise DataError(
                    f"no word of {words} has a class of inflection.tsv, so no {name} is made up; write the words into "
                    "lexemes.tsv, each with its class"
                )

    @property
    def repeats(self) -> bool:
        """Whether one made-up word may stand for several lexemes."""
        return isinstance(self.coiner, Coiner) and self.coiner.listed is not None

    def forms(self, category: str, cell: str) -> NDArray[np.int32]:
        """The string number of each made-up lexeme in a cell; -1 where it or the real one has no such form."""
        if (category, cell) not in self._forms:
            inventory = self.lexicon.inventory(category)
            tails = inventory.columns.get("prt", [""] * len(inventory))
            strings = self.lexicon.strings
            self._forms[category, cell] = np.array(
                [
                    strings.add(f"{word.forms[cell]} {tail}".strip()) if real >= 0 and cell in word.forms else -1
                    for word, tail, real in zip(
                        self.coiner.lexemes(category), tails, inventory.forms[cell].tolist(), strict=True
                    )
                ],
                dtype=np.int32,
            )
        return self._forms[category, cell]

    def lemmas(self, category: str) -> NDArray[np.object_]:
        """The lemma of each made-up lexeme."""
        return np.array([word.lemma for word in self.coiner.lexemes(category)], dtype=object)


class _Overlay:
    """Made-up words in one cell.

    Args:
        compiled: the paradigm.
        cell: the cell.
        reasons: why words of it stay real.
        variant: the record.
        words: the made-up words.
    """

    def __init__(
        self, compiled: CompiledParadigm, cell: CompiledCell, reasons: Reasons, variant: Variant, words: _Words
    ) -> None:
        self.compiled, self.cell, self.variant, self.words = compiled, cell, variant, words
        self.categories = tuple(words.names)
        self.wug = self._wug(reasons) if variant.wug else None
        stay = reasons.needed if variant.nonce_critical else {**reasons.critical, **reasons.needed}
        nodes = [node for node in cell.plan.order if any(self._can(leaf) for leaf in node.leaves)]
        self.stay = {node.path: stay[node.path] for node in nodes if node.path in stay}
        self.nodes = [node for node in nodes if node.path not in stay and node is not self.wug]
        self._numbers: dict[tuple[Node, str], NDArray[np.int32]] = {}

    def _can(self, leaf: Leaf) -> bool:
        return leaf.inventory.category in self.categories

    def _refuse(self, path: str, why: str) -> DataError:
        what = f"a made-up word in {path!r} makes no sense in {self.compiled.paradigm.uid}: {why}"
        return DataError(what, self.compiled.paradigm.place("slots", path.partition("/")[0]))

    def _wug(self, reasons: Reasons) -> Node:
        assert self.variant.wug
        slot = self.variant.wug.slot
        nodes = {
            name: node
            for name, node in self.cell.plan.slots.items()
            if any(leaf.inventory.category == "N" for leaf in node.leaves)
        }
        if slot not in nodes:
            uid = self.compiled.paradigm.uid
            cell = f" in the cell {self.cell.plan.cell.name}" if slot in self.cell.plan.slots else ""
            raise UsageError(f"{uid} has no slot {slot!r} with nouns{cell}; {nearest(slot, nodes)}")
        if slot in reasons.needed:
            raise self._refuse(slot, reasons.needed[slot])
        return nodes[slot]

    def cell_with_words(self) -> CompiledCell:
        """The cell with its made-up words."""
        cell = copy.copy(self.cell)
        shown = cell.shown = lay_out_cell(self.compiled.paradigm, cell.plan, cell.language, self._forms)
        cell.replaced = self._replaced
        if self.wug is not None:
            cell = self._narrowed(cell, self.wug)
        if self.wug is not None or self.words.repeats:
            # Sentences that differ in real words may be the same in made-up ones: the rows are settled by the latter.
            cell.templates = shown
            cell.refuse = self._clashes if self.words.repeats else None
            cell.forget()
        return cell

    def _narrowed(self, cell: CompiledCell, wug: Node) -> CompiledCell:
        """Only count nouns in the slot of the one made-up noun."""
        plan = copy.copy(cell.plan)
        plan.masks = [mask.copy() for mask in plan.masks]
        common = np.array([leaf.inventory.category == "N" for leaf in wug.leaves])[wug.leaf]
        plan.masks[plan.index(wug)] &= common & (wug.column("count") != "mass")
        look_ahead(plan)
        cell.plan = plan
        return cell

    def _forms(self, node: Node, cell: str) -> NDArray[np.int32]:
        if (node, cell) not in self._numbers:
            self._numbers[node, cell] = self._numbers_of(node, cell)
        return self._numbers[node, cell]

    def _numbers_of(self, node: Node, cell: str) -> NDArray[np.int32]:
        real = node.domain.forms(cell)
        if node is self.wug and cell in ("Sing", "Plur"):
            assert self.variant.wug
            text = self.variant.wug.singular if cell == "Sing" else self.variant.wug.plural
            return np.full_like(real, self.words.lexicon.strings.add(text))
        if node not in self.nodes:
            return real
        coined = real.copy()
        for k, leaf in enumerate(node.leaves):
            if self._can(leaf) and cell in leaf.inventory.forms:
                where = (node.leaf == k) & self._replaceable(node, leaf)
                coined[where] = self.words.forms(leaf.inventory.category, cell)[node.lexeme[where]]
        return coined

    def _replaceable(self, node: Node, leaf: Leaf) -> NDArray[np.bool_]:
        """Adjectives of several words (*full of surprises*), and words that no class inflects, are not replaced."""
        if leaf.inventory.inflected:
            return np.asarray(self.words.lemmas(leaf.inventory.category)[node.lexeme] != "")
        if leaf.inventory.category != "A":
            return np.ones(node.size, dtype=bool)
        return np.asarray(node.column("words") == "1")

    @cached_property
    def _identities(self) -> list[tuple[int, NDArray[np.object_], NDArray[np.object_]]]:
        """For each node with made-up words: its position, the made-up lemma and the lexeme of each candidate."""
        identities = []
        for node in [*self.nodes, *([self.wug] if self.wug is not None else [])]:
            lemmas = np.full(node.size, "", dtype=object)
            names = np.full(node.size, "", dtype=object)
            for k, leaf in enumerate(node.leaves):
                category = leaf.inventory.category
                if node is self.wug:
                    where = (node.leaf == k) & (category == "N")
                elif self._can(leaf):
                    where = (node.leaf == k) & self._replaceable(node, leaf)
                    lemmas[where] = self.words.lemmas(category)[node.lexeme[where]]
                else:
                    continue
                if node is self.wug and self.variant.wug:
                    lemmas[where] = self.variant.wug.singular
                ids = np.array(leaf.inventory.ids, dtype=object)[node.lexeme[where]]
                name = self.words.names.get(category, "noun")
                names[where] = [f"{name} {lexeme}" for lexeme in ids]
            identities.append((self.cell.plan.index(node), lemmas, names))
        return identities

    def _replaced(self, columns: Columns) -> list[dict[str, str]]:
        rows: list[dict[str, str]] = [{} for _ in range(len(columns[0]))]
        for position, lemmas, names in self._identities:
            column = columns[position]
            for row, k in zip(rows, column.tolist(), strict=True):
                if k >= 0 and lemmas[k]:
                    row[lemmas[k]] = names[k]
        return rows

    def _clashes(self, columns: Columns) -> NDArray[np.bool_]:
        """Rows in which one made-up word stands for two lexemes."""
        refused = np.zeros(len(columns[0]), dtype=bool)
        identities = self._identities
        for i, (a, lemmas_a, names_a) in enumerate(identities):
            for b, lemmas_b, names_b in identities[i + 1 :]:
                both = (columns[a] >= 0) & (columns[b] >= 0)
                same = (lemmas_a[columns[a]] == lemmas_b[columns[b]]) & (lemmas_a[columns[a]] != "")
                refused |= both & same & (names_a[columns[a]] != names_b[columns[b]])
        return refused
