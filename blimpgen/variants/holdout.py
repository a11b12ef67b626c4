"""Two halves of the lexicon that share no content word.

Words are parted by their spelling, so that a noun and a verb that look alike go together, and within strata (the
types of nouns, the classes of verbs, ...), so that each half can make what the whole can make. The parting does not
depend on the seed of a set: what is trained on with one seed is never tested on with another.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from blimpgen.lexicon import Inventory, Lexicon
from blimpgen.variants.record import Split

__all__ = ["Holdout"]

_STRATA = {
    "V": ("frames", "class"),
    "N": ("irregular", "types"),
    "A": ("frames", "pos"),
    "Name": ("Gender", "kind"),
    "Adv": ("cls", "polarity"),
}
"""Word class to two columns: words with the same first value are dealt one by one, in the order of the second."""


class Holdout:
    """Which content words the part of a split may use.

    Args:
        lexicon: all words.
        split: share and part.
    """

    def __init__(self, lexicon: Lexicon, split: Split) -> None:
        self.split = split
        self.train = dict(_parted(lexicon, split.share))

    def admits(self, inventory: Inventory) -> NDArray[np.bool_]:
        """Which lexemes the part has; all of closed classes."""
        if not inventory.content:
            return np.ones(len(inventory), dtype=bool)
        trained = self.split.part == "train"
        return np.array([self._in_train(lemma.lower()) is trained for lemma in inventory.columns["lemma"]], dtype=bool)

    def _in_train(self, stem: str) -> bool:
        """By stratum; a word of a plain list, which has none, by its spelling alone."""
        if stem not in self.train:
            self.train[stem] = int.from_bytes(_order("words", stem), "big") < self.split.share * 2**64
        return self.train[stem]


def _parted(lexicon: Lexicon, share: float) -> Iterator[tuple[str, bool]]:
    """Spellings, and whether the part train has them: of each stratum its share, in an order that never changes."""
    done: set[str] = set()
    for category in _STRATA:
        due = 0.0
        for stratum in _strata(lexicon.inventory(category), category):
            for stem in (stem for stem in stratum if stem not in done):
                done.add(stem)
                due += share
                selected = due >= 1 - 1e-9
                due -= selected
                yield stem, selected


def _strata(inventory: Inventory, category: str) -> Iterator[list[str]]:
    """Spellings that can stand for each other, small sets first. A verb counts with the rarest of its frames."""
    strata: dict[str, dict[str, str]] = defaultdict(dict)
    first, second = (inventory.columns[column] for column in _STRATA[category])
    for lemma, key, within in zip(inventory.columns["lemma"], first, second, strict=True):
        for one in key.split(",") if category == "V" else [key]:
            strata[one].setdefault(lemma.lower(), within)
    for _, stems in sorted(strata.items(), key=lambda item: (len(item[1]), item[0])):
        yield sorted(stems, key=lambda stem: (stems[stem], _order(category, stem)))


def _order(category: str, stem: str) -> bytes:
    return hashlib.blake2b(f"holdout {category} {stem}".encode(), digest_size=8).digest()
