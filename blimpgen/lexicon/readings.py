"""Every surface form of a lexicon with its readings: the one index from texts to lexemes.

A *reading* is one analysis of a surface form: a lexeme in one of its cells (*looks*: `look` as third person singular;
*media*: plural of `medium`). A *variant* is a form that the lexicon accepts and never generates (``plural_alt``,
``past_alt``); only the open reading knows it. A form of several words is one text, its words and clitics joined by
spaces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from blimpgen.english.words import ARTICLE, ARTICLE_BEFORE_VOWEL, split_clitics
from blimpgen.lexicon.features import split_features, write_features
from blimpgen.lexicon.schema import CATEGORIES

if TYPE_CHECKING:
    from blimpgen.lexicon.read import Lexicon

__all__ = ["PRONOUNS", "Reading", "Readings"]


PRONOUNS = ("Poss", "They")
"""Categories of readings that no paradigm file names: rows of the table of pronouns."""


class Reading(NamedTuple):
    """One analysis of a surface form.

    Attributes:
        category: N, Name, V, A, Aux, D, ... as in paradigm files, or ``words:LIST``; Poss is a possessive pronoun,
            They a reflexive of singular *they*; of these two the row is that of the table of pronouns.
        row: the row of the lexeme in the inventory of its category.
        cell: Sing, Plur, past, pres_sg, form, ...; of a word of a list the features of its form, as they are written.
        variant: whether the lexicon accepts the form and never generates it.
    """

    category: str
    row: int
    cell: str
    variant: bool = False


class Readings:
    """The readings of every surface form of a lexicon.

    Args:
        lexicon: the words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._texts: dict[tuple[str, str], frozenset[str]] = {}

    @cached_property
    def by_text(self) -> Mapping[str, tuple[Reading, ...]]:
        """Surface form to its readings."""
        index: dict[str, list[Reading]] = defaultdict(list)
        for category in (*CATEGORIES, *PRONOUNS):
            for text, reading in self.forms(category) if category != "Cop" else ():  # copulas are auxiliaries too
                index[" ".join(split_clitics(text)) if "'" in text else text].append(reading)
        index[ARTICLE_BEFORE_VOWEL] = index[ARTICLE]
        for name in self.lexicon.inflected_lists:
            for text, reading in self.listed(name):
                index[text].append(reading)
        return {text: tuple(readings) for text, readings in index.items()}

    @cached_property
    def longest(self) -> Mapping[str, int]:
        """First word of a form to the number of words in the longest form that begins with it."""
        sizes: dict[str, int] = {}
        for text in self.by_text:
            first = text.partition(" ")[0]
            sizes[first] = max(sizes.get(first, 1), text.count(" ") + 1)
        return sizes

    def forms(self, category: str) -> Iterator[tuple[str, Reading]]:
        """All surface forms of a category with their readings, those that are never generated at the end."""
        if category in PRONOUNS:
            yield from self._pronouns(category)
            return
        text_of = self.lexicon.strings.text
        inventory = self.lexicon.inventory(category)
        for cell, numbers in inventory.forms.items():
            for row, number in enumerate(numbers.tolist()):
                if number > 0:
                    yield text_of(number).lstrip(), Reading(category, row, cell)
        if category == "Aux":
            pairs = zip(inventory.columns["kind"], inventory.columns["lemma"], strict=True)
            yield from ((lemma, Reading("Aux", k, "bare")) for k, (kind, lemma) in enumerate(pairs) if kind != "modal")
        for cell in _VARIANTS.get(category, {}):
            yield from self._variants(category, cell)

    def listed(self, name: str) -> Iterator[tuple[str, Reading]]:
        """All forms of a list of inflected words; with the features that some speakers give them, as variants.

        Args:
            name: the list.
        """
        yield from self.forms(f"words:{name}")
        inventory = self.lexicon.inventory(f"words:{name}")
        for row, also in enumerate(inventory.columns["also"]):
            forms = self.lexicon.inflected(inventory, row) if also else {}
            for cell, text in forms.items():
                own = split_features(cell)
                for more in map(split_features, also.split(",")):
                    if more.keys() <= own.keys():
                        yield text, Reading(inventory.category, row, write_features({**own, **more}), True)

    def _pronouns(self, category: str) -> Iterator[tuple[str, Reading]]:
        table = self.lexicon.table("pronouns")
        if category == "Poss":
            yield from ((text, Reading("Poss", k, "form")) for k, text in enumerate(table["poss_det"]) if text)
            return
        for k, (text, opened) in enumerate(zip(table["refl"], table["open"], strict=True)):
            if text and opened == "yes":
                yield text, Reading("They", k, "form", True)

    def _variants(self, category: str, cell: str) -> Iterator[tuple[str, Reading]]:
        columns = self.lexicon.inventory(category).columns
        particles: Iterable[str] = columns["prt"] if category == "V" else [""] * len(columns["lemma"])
        for row, (forms, particle) in enumerate(zip(columns[_VARIANTS[category][cell]], particles, strict=True)):
            for form in filter(None, forms.split(",")):
                yield f"{form} {particle}".rstrip(), Reading(category, row, cell, True)

    def lexeme(self, reading: Reading) -> str:
        """The id of the lexeme of a reading; empty for Poss and They, which have none."""
        return "" if reading.category in PRONOUNS else self.lexicon.inventory(reading.category).ids[reading.row]

    def texts(self, category: str, cell: str) -> frozenset[str]:
        """The surface forms that some lexeme of a category has in a cell, variants included.

        A plural that some speakers use as a singular (*data*) counts as a singular too.

        Args:
            category: as in paradigm files.
            cell: as in `Reading`.
        """
        key = category, cell
        if key not in self._texts:
            unstable: NDArray[np.bool_] = np.zeros(0, dtype=bool)
            if key == ("N", "Sing"):
                unstable = self.lexicon.inventory("N").columns["number_stable"] == "no"
            self._texts[key] = frozenset(
                text
                for text, reading in self.forms(category)
                if reading.cell == cell or (len(unstable) and not reading.variant and unstable[reading.row])
            )
        return self._texts[key]

    @cached_property
    def clear_numbers(self) -> NDArray[np.bool_]:
        """Nouns whose singular is no plural of any noun, and whose plural no singular."""
        text_of, forms = self.lexicon.strings.text, self.lexicon.inventory("N").forms
        both = self.texts("N", "Sing") & self.texts("N", "Plur")
        pairs = zip(forms["Sing"].tolist(), forms["Plur"].tolist(), strict=True)
        clear = (s < 0 or p < 0 or both.isdisjoint((text_of(s).lstrip(), text_of(p).lstrip())) for s, p in pairs)
        return np.fromiter(clear, dtype=bool)

    @cached_property
    def clear_presents(self) -> NDArray[np.bool_]:
        """Verbs whose two present forms differ, and whose plural one is no past of any verb."""
        forms = self.lexicon.verbs.forms
        pairs = zip(forms["pres_sg"], forms["pres_pl"], strict=True)
        pasts = self.texts("V", "past")
        return np.array([s != p and p not in pasts for s, p in pairs], dtype=bool)


_VARIANTS: Mapping[str, Mapping[str, str]] = {
    "N": {"Plur": "plural_alt"},
    "V": {"past": "past_alt", "part": "part_alt"},
}
"""Category and cell to the column with forms that are never generated."""
