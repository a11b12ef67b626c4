"""Sentences as words and marks, for models of words: n-grams and LSTMs."""

from __future__ import annotations

import re

from blimpgen.scoring.scores import Span

__all__ = ["bare_words", "words_and_marks"]

_WORD = r"[\w’'-]+"
_BARE = re.compile(_WORD)
_TOKEN = re.compile(rf"{_WORD}|[^\w\s]")


def words_and_marks(text: str) -> list[tuple[str, Span]]:
    """Words and marks with their characters; apostrophes and hyphens are parts of words."""
    return [(match[0], match.span()) for match in _TOKEN.finditer(text)]


def bare_words(text: str) -> list[tuple[str, Span]]:
    """The words alone with their characters."""
    return [(match[0], match.span()) for match in _BARE.finditer(text)]
