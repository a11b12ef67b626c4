"""For each target noun sampled contexts, each in all versions of number: the sentences of the study.

A paradigm of the suite has a slot ``target``; the others are its context. For every target noun some of all contexts
are drawn without repetition, and written in every version that the paradigm names. What is drawn for a noun depends
on seed, paradigm and noun alone, so a single noun has the same rows as it has among all. Rows are made one by one:
memory does not grow with their number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from math import prod
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.base.sources import read_text
from blimpgen.english.morphology import plural, third_singular
from blimpgen.english.words import capitalized, is_mark
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.lexicon.strings import EMPTY
from blimpgen.paradigm import Token
from blimpgen.plan import Node
from blimpgen.sampling import Stream
from blimpgen.sampling.random import below
from blimpgen.variants.record import FileRef, Study
from blimpgen.variants.tokenizers import Tokenizer

__all__ = ["TARGET", "Contexts", "TokenTests"]

TARGET = "target"
_NOUNS = (TARGET, "distractor")

Word = tuple[str, str]
"""Singular and plural form; of a verb the forms that go with them."""
FormPicker: TypeAlias = Callable[[tuple[str, ...]], object]
"""From the two forms of every word of a context to those that a version shows: one string, or several."""


@dataclass(frozen=True)
class _Slot:
    """A slot of the context: its words, and whether they change with number."""

    name: str
    words: list[Word]


@dataclass(frozen=True)
class TokenTests:
    """What words must pass to be asked about.

    Attributes:
        tokenizer: of the model.
        no_unk: no form has the unknown token.
        match_tokens: both forms have as many tokens.
        single_token: slots whose forms are single tokens.
    """

    tokenizer: Tokenizer
    no_unk: bool = True
    match_tokens: bool = True
    single_token: tuple[str, ...] = ()


class Contexts:
    """The rows of one paradigm.

    Args:
        compiled: a paradigm with a slot ``target``.
        study: which nouns, how many contexts.
        seed: the seed.
        mask: stands in the place of the word that agrees with the target, if a masked model is to fill it in; a context
            is then drawn without that word, and every one of `candidates` can stand there.
        tests: what all words must pass; by default what the variant of the paradigm asks.

    Attributes:
        slots: the slots of the context.
        candidates: with a mask, the words for its place: form with a singular and with a plural target.

    Raises:
        UsageError: the paradigm has no target, or there is no such noun. DataError: a list that is not of the format,
            or of which no word passes the tests of the tokenizer.
    """

    def __init__(
        self,
        compiled: CompiledParadigm,
        study: Study,
        seed: int,
        mask: str | None = None,
        tests: TokenTests | None = None,
    ) -> None:
        self.compiled, self.study, self.tests = compiled, study, tests
        self.plan = compiled.cells[0].plan
        self.stream = Stream(seed, compiled.paradigm.uid)
        self.strings = compiled.language.lexicon.strings
        if TARGET not in self.plan.slots or len(compiled.cells) > 1:
            uid = compiled.paradigm.uid
            raise UsageError(f"{uid} has no slot {TARGET!r}; --target is for the suite noun_variation")
        self.nouns = self._words(TARGET)
        drawn = [
            name
            for name, node in self.plan.slots.items()
            if name != TARGET and not node.rows and not self.plan.specs[name].words
        ]
        slots = [_Slot(name, self._words(name)) for name in sorted(drawn, key=lambda name: name not in _NOUNS)]
        singular, plural = self._agreeing() if mask else (None, None)
        agreeing = singular.slot if singular else None
        self.slots = [slot for slot in slots if slot.name != agreeing]
        self.candidates: list[Word] = []
        if singular and plural:
            listed = [word for slot in slots if slot.name == agreeing for word in slot.words]
            self.candidates = listed or [(self._fixed(singular), self._fixed(plural))]
        self.versions = {
            name: self._pieces(tokens, {agreeing: mask} if agreeing and mask else {})
            for name, tokens in self.plan.tokens.items()
        }

    def _agreeing(self) -> tuple[Token, Token]:
        """The word that agrees with the target, as it is in a version with its singular, and with its plural."""
        versions = self.plan.tokens
        name = next(name for name in versions if name.endswith("_SG"))
        return next(
            (a, b) for a, b in zip(versions[name], versions[name.removesuffix("SG") + "PL"], strict=True) if a != b
        )

    def targets(self) -> list[Word]:
        """The target nouns, in order."""
        study = self.study
        if study.targets:
            return self._tested(TARGET, self._with_plurals(_read_words(study.targets, plural)))
        if study.target == "all":
            return self.nouns
        singular, _, form = study.target.partition("/")
        return self._tested(
            TARGET, self._with_plurals([(singular, form or plural(singular))] if form else [(singular, "")])
        )

    def _with_plurals(self, words: Sequence[Word]) -> list[Word]:
        """Words with their plural: that of the list, that of the lexicon, or an error."""
        forms_of = dict(self.nouns)
        for singular, form in words:
            if not form and singular not in forms_of:
                hint = nearest(singular, forms_of)
                raise UsageError(
                    f"{singular!r} is no target noun of {self.compiled.paradigm.uid}; {hint}; "
                    "a new noun is written SINGULAR/PLURAL"
                )
        return [(singular, form or forms_of[singular]) for singular, form in words]

    def _words(self, slot: str) -> list[Word]:
        node, study = self.plan.slots[slot], self.study
        if slot in _NOUNS and study.nouns:
            words = self._without_gender(node, _read_words(study.nouns, plural))
        elif slot == "verb" and study.verbs:
            words = [(singular, base) for base, singular in _read_words(study.verbs, third_singular)]
        elif slot == "vp" and study.past_verbs:
            words = [(form, form) for form in _read_forms(study.past_verbs)]
        else:
            words = list(dict.fromkeys(self._listed(slot, node)))
        return self._tested(slot, words)

    def _without_gender(self, node: Node, words: list[Word]) -> list[Word]:
        """Where the paradigm wants nouns of common gender, what the lexicon knows to be otherwise is left out."""
        spec = str(self.plan.specs[node.slot].restrictions)
        if "Gender" not in spec:
            return words
        inventory = self.compiled.language.lexicon.inventory("N")
        other = {
            lemma
            for lemma, gender in zip(inventory.columns["lemma"], inventory.columns["Gender"], strict=True)
            if gender in ("Masc", "Fem")
        }
        return [word for word in words if word[0] not in other]

    def _listed(self, slot: str, node: Node) -> Iterator[Word]:
        """The candidates of a slot, in the two forms that its versions show."""
        verb = any(leaf.inventory.category == "V" for leaf in node.leaves)
        past = any(leaf.features.get("Tense") == "Past" for leaf in node.leaves)
        cells = (("past", "past") if past else ("pres_sg", "pres_pl")) if verb else ("Sing", "Plur")
        numbers = [node.domain.forms(cell) for cell in cells]
        for k in np.flatnonzero(self.plan.masks[self.plan.index(node)]):
            if all(column[k] > EMPTY for column in numbers):
                singular, other = (self.strings.text(int(column[k])).strip() for column in numbers)
                yield singular, other

    def _token_tests(self) -> TokenTests | None:
        limits = self.compiled.language.limits
        if self.tests or limits is None or limits.tokenizer is None:
            return self.tests
        variant = limits.variant
        return TokenTests(limits.tokenizer, variant.no_unk, variant.match_tokens, variant.single_token)

    def _tested(self, slot: str, words: list[Word]) -> list[Word]:
        """The words of a list that pass the tests of their tokens."""
        tests = self._token_tests()
        if tests is None:
            return words
        tokenizer, admitted = tests.tokenizer, []
        for word in words:
            lengths = [tokenizer.word(form) for form in word]
            in_vocabulary = not tests.no_unk or not any(tokenizer.unknowns([f"the {form}" for form in word]))
            alike = not tests.match_tokens or lengths[0] == lengths[1]
            single = slot not in tests.single_token or lengths == [1, 1]
            if in_vocabulary and alike and single:
                admitted.append(word)
        if not admitted:
            raise DataError(f"{self.compiled.paradigm.uid}: no word for {slot!r} passes the tests of the tokenizer")
        return admitted

    @property
    def size(self) -> int:
        """How many contexts there are, the target left out of the distractors."""
        return prod(len(slot.words) - (slot.name == "distractor") for slot in self.slots)

    def _drawn(self, target: str, size: int) -> NDArray[np.int64]:
        """Numbers of contexts of a noun, none twice."""
        samples, path = self.study.samples, f"target {target}"
        if samples >= size:
            return np.arange(size, dtype=np.int64)
        if 2 * samples > size:
            return self.stream.permutation(path, 0, size)[:samples]
        tickets = np.arange(3 * samples + 32, dtype=np.uint64)
        drawn = below(self.stream.draw(tickets, path, np.zeros_like(tickets)), np.full(len(tickets), size))
        _, first = np.unique(drawn, return_index=True)
        return np.asarray(drawn[np.sort(first)][:samples])

    def rows(self) -> Iterator[dict[str, str]]:
        """One row a context: the words, then its versions under their names."""
        for target in self.targets():
            yield from self.of(target)

    def of(self, target: Word, number: str | None = None) -> Iterator[dict[str, str]]:
        """The rows of one noun.

        Args:
            target: its singular and its plural.
            number: only versions with a target of this number, SG or PL.
        """
        lists = [[w for w in slot.words if slot.name != "distractor" or w[0] != target[0]] for slot in self.slots]
        numbers = self._drawn(target[0], prod(map(len, lists)))
        columns = []
        for words in reversed(lists):  # the last slot goes fastest
            numbers, within = np.divmod(numbers, len(words))
            columns.append([words[k] for k in within.tolist()])
        names = [slot.name for slot in self.slots]
        writers = [
            (name, *self._writer(pieces, target))
            for name, pieces in self.versions.items()
            if number in (None, name.split("_")[0])
        ]
        contexts = zip(*reversed(columns), strict=True) if columns else [()]
        for context in contexts:
            forms = tuple(chain.from_iterable(context))
            row = {TARGET: target[0], **dict(zip(names, [word[0] for word in context], strict=True))}
            for name, pattern, places in writers:
                row[name] = pattern % places(forms)
            yield row

    def _pieces(self, tokens: Sequence[Token], instead: Mapping[str, str]) -> list[tuple[str, str, int]]:
        """The words of a version: text, or a slot and which of its two forms; marks are text.

        Args:
            tokens: of the version.
            instead: slot to the text in the place of its word.
        """
        pieces = []
        for token in tokens:
            text = instead.get(token.slot) or token.text or self._fixed(token)
            pieces.append((text, "" if text else token.slot, int(token.change is not None)))
        return pieces

    def _writer(self, pieces: Sequence[tuple[str, str, int]], target: Word) -> tuple[str, FormPicker]:
        """A version with one target: its pattern, and what of the forms of a context goes into it."""
        order = [slot.name for slot in self.slots]
        words: list[str] = []
        places: list[int] = []
        for text, slot, form in pieces:
            if is_mark(text):
                words[-1] += text
            elif text or slot == TARGET:
                words.append((text or target[form]).replace("%", "%%"))
            else:
                words.append("%s")
                places.append(2 * order.index(slot) + form)
        pattern = " ".join(words)
        places_of: FormPicker = itemgetter(*places) if places else lambda forms: ()
        return capitalized(pattern), places_of

    def _fixed(self, token: Token) -> str:
        """The word of a slot that has but one: a table, or words written out."""
        node = self.plan.slots[token.slot]
        if node.rows:
            return node.rows[0][token.part]
        if not self.plan.specs[token.slot].words:
            return ""
        cell = "form" if "form" in node.leaves[0].inventory.forms else "Sing"
        return self.strings.text(int(node.domain.forms(cell)[0])).strip()


def _read_words(reference: FileRef, inflect: Callable[[str], str]) -> list[Word]:
    """The words of a list: one a line, or a word, a tab and its other form.

    Raises:
        DataError: not the file of the record, no word in it, a line of more than two words.
    """
    return [
        (cells[0], cells[1] if len(cells) == 2 else inflect(cells[0]))
        for cells in _lines(reference, 2, "write one word a line, or a word, a tab and its other form")
    ]


def _read_forms(reference: FileRef) -> list[str]:
    """The forms of a list, one a line; errors as `_read_words`."""
    return [cells[0] for cells in _lines(reference, 1, "write one past form a line")]


def _lines(reference: FileRef, most: int, what_to_do: str) -> list[list[str]]:
    reference.read()
    rows = [line.split("\t") for line in read_text(Path(reference.path)).splitlines()]
    for number, cells in enumerate(rows, start=1):
        if len(cells) > most or not all(cell.strip() for cell in cells):
            raise DataError(what_to_do, Place(reference.path, number))
    if not rows:
        raise DataError("no word in it", Place(reference.path))
    return rows
