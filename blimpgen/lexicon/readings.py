"""The open reading of single words: every analysis that a surface form has in the lexicon.

A form that is changed in a bad sentence must have no analysis that fits: *hurt* is no clear plural present because
it is also a past, *media* no clear plural. Variants that are never generated (``plural_alt``, ``past_alt``) count.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from blimpgen.lexicon.read import Lexicon

__all__ = ["Readings"]


class Readings:
    """Sets of surface forms by grammatical cell."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def _nouns(self, cell: str) -> frozenset[str]:
        inventory = self.lexicon.inventory("N")
        texts = self._texts(inventory.forms[cell])
        alternatives = _items(inventory.columns["plural_alt"]) if cell == "Plur" else ()
        unstable = (
            self._texts(inventory.forms["Plur"][inventory.columns["number_stable"] == "no"]) if cell == "Sing" else ()
        )
        return frozenset((*texts, *alternatives, *unstable))

    def _texts(self, numbers: NDArray[np.int32]) -> list[str]:
        return [self.lexicon.strings.text(int(k)).strip() for k in numbers if k >= 0]

    @cached_property
    def singular_nouns(self) -> frozenset[str]:
        """Forms that are the singular of some noun."""
        return self._nouns("Sing")

    @cached_property
    def plural_nouns(self) -> frozenset[str]:
        """Forms that are a plural of some noun, variants included."""
        return self._nouns("Plur")

    @cached_property
    def pasts(self) -> frozenset[str]:
        """Forms that are a past of some verb, variants included."""
        return self._verbs("past", "past_alt")

    @cached_property
    def participles(self) -> frozenset[str]:
        """Forms that are a participle of some verb, variants included."""
        return self._verbs("part", "part_alt")

    @cached_property
    def clear_numbers(self) -> NDArray[np.bool_]:
        """Nouns whose singular is no plural of any noun, and whose plural no singular."""
        forms = self.lexicon.inventory("N").forms
        texts = self.lexicon.strings
        pairs = zip(forms["Sing"].tolist(), forms["Plur"].tolist(), strict=True)
        return np.array(
            [
                s < 0
                or p < 0
                or (texts.text(p).strip() not in self.singular_nouns and texts.text(s).strip() not in self.plural_nouns)
                for s, p in pairs
            ]
        )

    @cached_property
    def clear_presents(self) -> NDArray[np.bool_]:
        """Verbs whose two present forms differ, and whose plural one is no past of any verb."""
        forms = self.lexicon.verbs.forms
        pairs = zip(forms["pres_sg"], forms["pres_pl"], strict=True)
        return np.array([s != p and p not in self.pasts for s, p in pairs])

    @cached_property
    def presents(self) -> frozenset[str]:
        """Bare forms and presents of verbs."""
        return self._verbs("bare", "") | self._verbs("pres_sg", "")

    def _verbs(self, cell: str, variants: str) -> frozenset[str]:
        lexemes = self.lexicon.verbs.lexemes
        more: list[str] = []
        if variants:
            pairs = zip(lexemes[variants], lexemes["prt"], strict=True)
            for cellset, prt in pairs:
                words = prt.partition(":")[0]
                more += [f"{form} {words}".strip() for form in _items([cellset])]
        return frozenset((*self.lexicon.verbs.forms[cell], *more))


def _items(cells: Iterable[str]) -> list[str]:
    return [item for cell in cells for item in cell.split(",") if item]
