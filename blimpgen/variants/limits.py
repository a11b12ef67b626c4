"""The limits that a variant sets: which lexemes may be drawn, which go together, and which drawn rows are refused.

What a variant excludes stays in the lexicon: it is known to the open reading, by which bad sentences are judged, and
is only never drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, listing
from blimpgen.lexicon import CATEGORIES, Inventory, Lexicon
from blimpgen.lexicon.frequency import Frequencies
from blimpgen.plan import Node, Plan
from blimpgen.variants.holdout import Holdout
from blimpgen.variants.matching import TokenLengths, like_frequency, like_tokens, one_length, single_tokens, zipf_of
from blimpgen.variants.record import Variant
from blimpgen.variants.tokenizers import Tokenizer, referred
from blimpgen.variants.vocabulary import Vocabulary, read_vocabulary

__all__ = ["Limits", "Realised"]

Mask = NDArray[np.bool_]
_LACKING = "a word that the vocabulary lacks"


class Realised(Protocol):
    """A sentence over many rows: string numbers by place."""

    @property
    def ids(self) -> list[NDArray[np.int32]]:
        """String numbers by place, each of shape (rows,)."""

    def texts(self, lexicon: Lexicon) -> list[str]:
        """The sentences."""


class Limits:
    """The limits of a variant in one lexicon.

    Args:
        variant: the record.
        lexicon: all words.
    """

    def __init__(self, variant: Variant, lexicon: Lexicon) -> None:
        self.variant, self.lexicon = variant, lexicon
        self._listed = np.zeros(0, dtype=bool)

    @cached_property
    def vocabulary(self) -> Vocabulary | None:
        """The words that may be used, if a vocabulary is given."""
        variant = self.variant
        return read_vocabulary(variant.vocab, variant.min_count) if variant.vocab else None

    @cached_property
    def frequencies(self) -> Frequencies:
        """The frequencies of all lexemes."""
        return Frequencies(self.lexicon)

    @cached_property
    def _holdout(self) -> Holdout | None:
        return Holdout(self.lexicon, self.variant.split) if self.variant.split else None

    @cached_property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer that tokens are counted with, if one is given."""
        return referred(self.variant.tokenizer) if self.variant.tokenizer else None

    def pair(self, plan: Plan) -> None:
        """Add to a plan what the variant asks of tables, of words that stand for each other, and of single slots."""
        if self.vocabulary:
            for slot, node in plan.slots.items():
                if node.rows:
                    columns = {t.part for sentence in plan.tokens.values() for t in sentence if t.slot == slot}
                    has = [all(self.vocabulary.has(row[c]) for c in columns) for row in node.rows]
                    self._narrow(plan, node, np.array(has), "--vocab")
        if self.variant.match_zipf is not None:
            plan.constraints += like_frequency(plan, self.frequencies, self.variant.match_zipf)
        if self.tokenizer:
            lengths = TokenLengths(self.lexicon.strings, self.tokenizer)
            if self.variant.match_tokens:
                plan.constraints += like_tokens(plan, lengths)
                for node, mask in one_length(plan, lengths):
                    self._narrow(plan, node, mask, "--match-tokens")
            for slot in self.variant.single_token:
                node, mask = single_tokens(plan, slot, lengths)
                self._narrow(plan, node, mask, "--single-token")

    def _narrow(self, plan: Plan, node: Node, mask: Mask, option: str) -> None:
        plan.masks[plan.index(node)] &= mask
        if not plan.masks[plan.index(node)].any():
            raise DataError(f"nothing fits slot {node.slot!r} with {option}", plan.specs[node.slot].place, "empty-slot")

    @property
    def notes_frequency(self) -> bool:
        """Whether records say how frequent their words are."""
        return self.variant.zipf is not None or self.variant.match_zipf is not None

    def zipf(self, plan: Plan, columns: list[NDArray[np.int32]]) -> list[dict[str, float]]:
        """For each row, slot to the frequency of its head word.

        Args:
            plan: the plan of the cell.
            columns: the rows.
        """
        rows: list[dict[str, float]] = [{} for _ in range(len(columns[0]))]
        for slot, node in plan.slots.items():
            values = zipf_of(node, self.frequencies)
            for row, k in zip(rows, columns[plan.index(node)].tolist(), strict=True):
                if k >= 0 and not np.isnan(values[k]):
                    row[slot] = float(values[k])
        return rows

    def admits(self, inventory: Inventory) -> Mask:
        """Which lexemes of an inventory may be drawn."""
        mask = np.ones(len(inventory), dtype=bool)
        for _, admitted in self._reasons(inventory):
            mask &= admitted
        return mask

    def _reasons(self, inventory: Inventory) -> Iterator[tuple[str, Mask]]:
        if self.vocabulary and inventory.content:
            has = self.vocabulary.has
            yield "vocab", self._every_form(inventory, has)
        if self.variant.zipf:
            zipf = self.frequencies.of(inventory)
            yield "zipf", np.isnan(zipf) | ((zipf >= self.variant.zipf[0]) & (zipf <= self.variant.zipf[1]))
        if self.tokenizer and self.variant.no_unk and inventory.content:
            yield "no-unk", self._every_form(inventory, lambda text: not self._unknown(text))
        if self._holdout:
            yield "split", self._holdout.admits(inventory)

    def _unknown(self, text: str) -> bool:
        return self.tokenizer is not None and self.tokenizer.unknowns([f"the {text.strip()}"])[0]

    def _every_form(self, inventory: Inventory, test: Callable[[str], bool]) -> Mask:
        mask = np.ones(len(inventory), dtype=bool)
        text = self.lexicon.strings.text
        for numbers in inventory.forms.values():
            mask &= [number < 0 or test(text(number)) for number in numbers.tolist()]
        return mask

    def fell_out(self) -> dict[str, list[str]]:
        """By category, the ids of the lexemes that are drawn without being asked for, and here may not be."""
        missing = {}
        for category in CATEGORIES:
            inventory = self.lexicon.inventory(category)
            if inventory.content:
                ids = [inventory.ids[k] for k in np.flatnonzero(~self.admits(inventory) & inventory.unasked)]
                if ids:
                    missing[category] = ids
        return missing

    def check_words(self, texts: Sequence[str], place: Place) -> None:
        """Whether the words written out in a template may be used.

        Args:
            texts: the words that a template writes out.
            place: where they stand.

        Raises:
            DataError: the vocabulary lacks one.
        """
        if self.vocabulary:
            missing = dict.fromkeys(word for text in texts for word in self.vocabulary.missing(text))
            if missing:
                raise DataError(f"the vocabulary lacks words of the template: {listing(missing)}", place)

    def refusing(self, sentences: Mapping[str, Realised]) -> Iterator[tuple[str, Mask]]:
        """For each reason, which of some drawn rows it refuses.

        Args:
            sentences: name to sentence, over the same rows.
        """
        if self.vocabulary:
            in_vocabulary = self._in_vocabulary()
            columns = [column for sentence in sentences.values() for column in sentence.ids]
            yield _LACKING, ~np.logical_and.reduce([in_vocabulary[column] for column in columns])
        if self.tokenizer and (self.variant.match_tokens or self.variant.no_unk):
            texts = [sentence.texts(self.lexicon) for sentence in sentences.values()]
            if self.variant.match_tokens:
                counts = np.array([self.tokenizer.counts(side) for side in texts])
                yield "sentences with unlike numbers of tokens", np.asarray((counts != counts[0]).any(axis=0))
            if self.variant.no_unk:
                unknown = np.array([self.tokenizer.unknowns(side) for side in texts])
                yield "an unknown token", np.asarray(unknown.any(axis=0))

    def _in_vocabulary(self) -> Mask:
        """Whether the vocabulary has each interned string."""
        assert self.vocabulary
        texts = self.lexicon.strings.texts
        new = [self.vocabulary.has(text) for text in texts[len(self._listed) :]]
        self._listed = np.append(self._listed, np.array(new, dtype=bool))
        return self._listed
