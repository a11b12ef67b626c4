"""Coining: for every content lexeme of a lexicon a made-up one of the same category, syllables and inflection class.

The words depend on the seed and on the lexicon alone, so all paradigms of a set share them. No form of a made-up word
is a form of a real word or of another made-up one.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from blimpgen.base.errors import DataError, nearest
from blimpgen.base.sources import read_tsv
from blimpgen.english import morphology
from blimpgen.english.likeness import RealWords
from blimpgen.english.syllables import SyllableModel, open_stress, syllables
from blimpgen.lexicon import Inventory, Lexicon
from blimpgen.nonce.blocked import Blocked
from blimpgen.sampling import Stream
from blimpgen.variants.record import FileRef

__all__ = ["CLASSES", "Coined", "Coiner", "inflected"]

CLASSES: Mapping[str, str] = {"noun": "N", "verb": "V", "adj": "A"}
"""Word class to category."""
_PLACES = np.arange(64, dtype=np.uint64)  # sixteen words of up to four parts
_ZERO = np.zeros_like(_PLACES)
_TURNS, _PATIENCE = 108, 36  # after some turns a word gets a syllable more
_COLUMNS = ("class", "lemma", "plural", "pres3", "past", "part", "ing", "comp", "sup")


@dataclass(frozen=True)
class Coined:
    """A made-up lexeme.

    Attributes:
        lemma: its citation form.
        forms: cell to form; only cells that the real lexeme has too.
    """

    lemma: str
    forms: Mapping[str, str] = field(hash=False)


def inflected(category: str, lemma: str, irregular: Mapping[str, str] | None = None) -> dict[str, str]:
    """All forms of a regular word by cell; `irregular` overrides some (plural, past, ...).

    Args:
        category: N, V or A.
        lemma: its citation form.
        irregular: forms that are not regular, by the columns of a list (``plural``, ``past`` ...).
    """
    irregular = {key: value for key, value in (irregular or {}).items() if value}
    if category == "N":
        return {"Sing": lemma, "Plur": irregular.get("plural", morphology.plural(lemma))}
    if category == "V":
        past = irregular.get("past", morphology.past_form(lemma))
        return {
            "bare": lemma,
            "pres_sg": irregular.get("pres3", morphology.third_singular(lemma)),
            "pres_pl": lemma,
            "past": past,
            "part": irregular.get("part", past),
            "ing": irregular.get("ing", morphology.ing_form(lemma)),
        }
    return {
        "form": lemma,
        "comp": irregular.get("comp", morphology.comparative(lemma)),
        "sup": irregular.get("sup", morphology.superlative(lemma)),
    }


class Coiner:
    """Makes the words of one seed.

    Args:
        lexicon: the real words; what is learned from and kept clear of.
        seed: the seed of the set.
        listed: a file of made-up words to be used instead of the model's.
    """

    def __init__(self, lexicon: Lexicon, seed: int, listed: FileRef | None = None) -> None:
        self.lexicon, self.seed = lexicon, seed
        self._stream = Stream(seed, "nonce")
        self._lexemes: dict[str, list[Coined]] = {}
        self._taken: set[str] = set()
        self.listed = _read_list(listed, _real_forms(lexicon)) if listed else None

    def lexemes(self, category: str) -> list[Coined]:
        """One made-up lexeme for each of a category, in their order; none where a list has none.

        The categories are gone through in one order, so that what else is made up never changes a word.
        """
        for name in CLASSES.values():
            if name not in self._lexemes:
                inventory = self.lexicon.inventory(name)
                if self.listed is not None:
                    self._lexemes[name] = self._dealt(self.listed.get(name, []), inventory)
                else:
                    self._lexemes[name] = [self._coined(inventory, k) for k in range(len(inventory))]
            if name == category:
                break
        return self._lexemes[category]

    @cached_property
    def blocked(self) -> Blocked:
        """What no made-up word may be."""
        return Blocked(self.lexicon.folders)

    @cached_property
    def _real(self) -> RealWords:
        return RealWords(_real_forms(self.lexicon))

    @cached_property
    def model(self) -> SyllableModel:
        """The syllables of the lexicon's own nouns, verbs and adjectives."""
        inventories = [self.lexicon.inventory(category) for category in CLASSES.values()]
        return SyllableModel(lemma for inventory in inventories for lemma in inventory.columns["lemma"])

    def _coined(self, inventory: Inventory, k: int) -> Coined:
        name = f"{inventory.category} {inventory.ids[k]}"
        size = min(syllables(inventory.columns["lemma"][k]), 3)
        for turn in range(_TURNS):
            numbers = self._stream.draw(_PLACES + np.uint64(turn * _PLACES.size), name, _ZERO)
            for drawn in numbers.reshape(-1, 4).tolist():
                lemma = self.model.word(min(size + turn // _PATIENCE, 3), drawn)
                if lemma is not None and lemma not in self._taken:
                    forms = inflected(inventory.category, lemma)
                    if self._is_free(inventory.category, lemma, {*forms.values()}):
                        self._taken.update(forms.values())
                        return Coined(lemma, forms)
        raise DataError(f"no made-up word found for {inventory.ids[k]}; take another --seed, or a --nonce-list")

    def _is_free(self, category: str, lemma: str, forms: set[str]) -> bool:
        """Whether a word is neither taken nor blocked nor like a real one, and spelt in one way."""
        return not (
            forms & self._taken
            or (category == "V" and open_stress(lemma))
            or self.blocked.blocks(lemma, forms)
            or self._real.like(lemma, forms)
        )

    def _dealt(self, words: list[Coined], inventory: Inventory) -> list[Coined]:
        """Listed words in an order of the seed; a list that is too short begins again."""
        order = self._stream.permutation(inventory.category, 0, len(words)).tolist()
        return [words[order[k % len(order)]] for k in range(len(inventory))] if words else []


def _real_forms(lexicon: Lexicon) -> set[str]:
    """Every word of every form in the lexicon, accepted variants included."""
    texts = (*lexicon.closed_words, *lexicon.readings.by_text)
    return {word for text in texts for word in text.lower().split()}


def _read_list(reference: FileRef, real: Container[str]) -> dict[str, list[Coined]]:
    """The words of a list by category, each with regular forms where its row gives none.

    Raises:
        DataError: not the file of the record, an unknown class, or a form that is a real word or stands twice.
    """
    reference.read()
    table = read_tsv(Path(reference.path), _COLUMNS, required=("class", "lemma"))
    coined: dict[str, list[Coined]] = {}
    seen: dict[str, str] = {}
    for k, row in enumerate(zip(*(table.column(name) for name in _COLUMNS), strict=True)):
        cells = dict(zip(_COLUMNS, row, strict=True))
        if cells["class"] not in CLASSES:
            raise DataError(f"no class {cells['class']!r}; {nearest(cells['class'], CLASSES)}", table.place(k), "value")
        category, lemma = CLASSES[cells["class"]], cells["lemma"]
        forms = inflected(category, lemma, cells)
        for form in dict.fromkeys(forms.values()):
            if form in real:
                raise DataError(f"{form!r} is a real word; a made-up word must be none", table.place(k), "value")
            if seen.setdefault(form, lemma) != lemma:
                raise DataError(f"{form!r} is a form of {seen[form]!r} too", table.place(k), "value")
        coined.setdefault(category, []).append(Coined(lemma, forms))
    return coined
