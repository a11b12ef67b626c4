"""Trees of sentences as nested phrases, read from the brackets in the metadata, every word under a label of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from blimpgen.base.errors import DataError, Place
from blimpgen.base.records import Record
from blimpgen.english.words import spans_of_words_and_marks
from blimpgen.exports.source import Source

__all__ = ["UNDERIVED", "Phrase", "flat_tree", "tree_of"]

UNDERIVED = "*"
_TOKEN = re.compile(r"[()]|[^\s()]+")
_UNKNOWN = "X"


@dataclass(frozen=True)
class Phrase:
    """A phrase with its daughters, or a word with its category.

    Attributes:
        label: the category.
        children: the daughters; none for a word.
        word: the word; empty for a phrase.
    """

    label: str
    children: tuple[Phrase, ...] = ()
    word: str = ""

    def __str__(self) -> str:
        inside = self.word.replace("(", "-LRB-").replace(")", "-RRB-") or " ".join(map(str, self.children))
        return f"({self.label} {inside})"

    def words(self) -> Iterator[Phrase]:
        """The words, from left to right."""
        if self.word:
            yield self
        for child in self.children:
            yield from child.words()


def tree_of(source: Source, record: Record, name: str) -> Phrase:
    """Read the tree of one sentence; it is flat where the words are not in the grammar.

    Args:
        source: the set.
        record: of the set, with metadata.
        name: of the sentence, such as good.

    Raises:
        DataError: the record has no metadata.
    """
    if "trees" not in record.metadata:
        raise DataError(f"{record.uid} has no trees; generate the set with --metadata", Place(source.path))
    text: str = record.metadata["trees"].get(name, "")
    return _read(iter(_TOKEN.findall(text)[1:])) if text else flat_tree(record, name)


def flat_tree(record: Record, name: str) -> Phrase:
    """The words and marks of a sentence side by side, as they are written.

    Args:
        record: the record.
        name: of the sentence, such as good.
    """
    words = [word for word, _ in spans_of_words_and_marks(record.sentences[name])]
    return Phrase(UNDERIVED, tuple(Phrase(_UNKNOWN if word[0].isalnum() else word, word=word) for word in words))


def _read(tokens: Iterator[str]) -> Phrase:
    """The phrase whose opening bracket was read."""
    label = next(tokens)
    children: list[Phrase | str] = []
    for token in tokens:
        if token == ")":
            break
        children.append(_read(tokens) if token == "(" else token)
    if len(children) == 1 and isinstance(children[0], str):
        return Phrase(label, word=children[0])
    # The words of one lexeme have its category; a word between phrases is its own, as it is in the grammar.
    lexeme = all(isinstance(child, str) for child in children) and label != UNDERIVED
    return Phrase(
        label,
        tuple(
            Phrase(label if lexeme else child, word=child) if isinstance(child, str) else child for child in children
        ),
    )
