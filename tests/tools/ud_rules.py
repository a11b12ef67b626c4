"""The third level of the validator of Universal Dependencies, as far as it is about relations and parts of speech.

The rules are those of the validator's ``check_upos_vs_deprel``, ``check_left_to_right_relations``,
``check_functional_leaves`` and ``check_single_subject``, under its names for what is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

__all__ = ["Token", "faults", "tokens"]

_ONLY = {
    "det": ("DET", "PRON"),
    "nummod": ("NUM", "NOUN", "SYM"),
    "advmod": ("ADV", "ADJ", "CCONJ", "DET", "PART", "SYM"),
    "expl": ("PRON", "DET", "PART"),
    "aux": ("AUX",),
    "cop": ("AUX", "PRON", "DET", "SYM"),
    "punct": ("PUNCT",),
}
_NEVER = {
    "case": ("PROPN", "ADJ", "PRON", "DET", "NUM", "AUX"),
    "mark": ("NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "VERB", "AUX", "INTJ"),
    "cc": ("NOUN", "PROPN", "ADJ", "PRON", "DET", "NUM", "VERB", "AUX", "INTJ"),
}
_LEFT_TO_RIGHT = ("conj", "fixed", "flat", "goeswith", "appos")
_FUNCTION_WORDS = ("fixed", "goeswith", "conj", "cc", "punct", "reparandum", "parataxis")
_BELOW = {
    "case": (*_FUNCTION_WORDS, "advmod", "obl", "mark", "case", "nmod", "det"),
    "mark": (*_FUNCTION_WORDS, "advmod", "obl", "mark", "case", "nmod", "det"),
    "aux": (*_FUNCTION_WORDS, "advmod", "obl", "mark"),
    "cop": (*_FUNCTION_WORDS, "advmod", "obl", "mark"),
    "cc": (*_FUNCTION_WORDS, "advmod"),
    "fixed": ("goeswith", "reparandum", "conj", "punct"),
    "punct": ("punct",),
}


class Token(NamedTuple):
    """A word of a sentence: number from 1, form, part of speech, number of its head, relation."""

    number: int
    form: str
    upos: str
    head: int
    relation: str

    @property
    def kind(self) -> str:
        """The relation without its subtype."""
        return self.relation.partition(":")[0]


def tokens(block: str) -> list[Token]:
    """The words of a sentence in CoNLL-U."""
    rows = [line.split("\t") for line in block.splitlines() if re.match(r"\d+\t", line)]
    return [Token(int(row[0]), row[1], row[3], int(row[6]), row[7]) for row in rows]


def faults(words: Sequence[Token]) -> Iterator[tuple[str, Token]]:
    """What is wrong in a sentence: the validator's name for it, and the word."""
    below = {word.number: [other for other in words if other.head == word.number] for word in words}
    for word in words:
        is_fixed = any(child.kind in ("fixed", "goeswith") for child in below[word.number])
        wrong = word.upos not in _ONLY.get(word.kind, (word.upos,)) or word.upos in _NEVER.get(word.kind, ())
        if wrong and not is_fixed:
            yield f"rel-upos-{word.kind}", word
        if word.upos == "PUNCT" and word.kind not in ("punct", "root"):
            yield "upos-rel-punct", word
        if word.kind in _LEFT_TO_RIGHT and word.head > word.number:
            yield f"right-to-left-{word.kind}", word
        for child in below[word.number]:
            if child.kind not in _BELOW.get(word.kind, (child.kind,)):
                yield f"leaf-{word.kind}", child
        subjects = [child for child in below[word.number] if child.kind in ("nsubj", "csubj")]
        if len([child for child in subjects if not child.relation.endswith(":outer")]) > 1:
            yield "too-many-subjects", word
