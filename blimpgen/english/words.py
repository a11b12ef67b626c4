"""How English writes words, marks, clitics, capitals and the indefinite article: the one place that knows it.

A *word* stands between spaces, without the marks at its ends. A *mark* and a *clitic* are written without a space
before them. The possessive clitic is *'s*, or *'* after a plural in *-s*; *it's* is a word of its own. *n't* is part of
its auxiliary.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from blimpgen.english.morphology import POSSESSIVE, POSSESSIVE_PLURAL

__all__ = [
    "ARTICLE",
    "ARTICLE_BEFORE_VOWEL",
    "CARRIER",
    "CLITICS",
    "CLITIC_AT_END",
    "FINAL_MARKS",
    "MARKS",
    "MARK_AT_EDGE",
    "NEGATION",
    "SplitSentence",
    "article_of",
    "capitalized",
    "folded_words",
    "grammar_tokens",
    "is_glued",
    "is_mark",
    "plain_words",
    "positive_auxiliary",
    "spans_of_words",
    "spans_of_words_and_marks",
    "split_clitics",
    "split_sentence",
    "uncapitalized",
    "unmarked",
    "unpossessed",
    "words_without_marks",
]

FINAL_MARKS = ".?!"
MARKS = FINAL_MARKS + ","
CLITICS = (POSSESSIVE, POSSESSIVE_PLURAL)
ARTICLE, ARTICLE_BEFORE_VOWEL = "a", "an"
CARRIER = "the"
"""A word before another, so that a tokenizer sees the other as it is inside a sentence."""

NEGATION = "n't"
_POSSESSOR = re.compile(r"(?!it's$)(?P<stem>.+?)(?P<clitic>'s|(?<=s)')", re.IGNORECASE)
_POSSESSIVE_END = re.compile(r"['’]s?$")
_COMMA = re.compile(r",(?=\s|$)")
_WORD = re.compile(r"[\w’'-]+")
_WORD_OR_MARK = re.compile(r"[\w’'-]+|[^\w\s]")
_PLAIN = re.compile(rf"[^\W_]+(?:['-][^\W_]+)*'?|{NEGATION}")

MARK_AT_EDGE = r"(?<![\w’'-])[^\w\s’'-]|[^\w\s’'-](?=[^\w\s]*$)"
"""A mark at the beginning or end of what stands between spaces, as a pattern for any engine of regular expressions."""
CLITIC_AT_END = rf"(?<=\w)(?:{NEGATION}|{POSSESSIVE}|'(?:ll|re|ve|d|m)|(?<=s){POSSESSIVE_PLURAL})$"
"""What corpora write as a word of its own although it is written without a space before it: clitics, *n't*, *'ll*."""

Span = tuple[int, int]


class SplitSentence(NamedTuple):
    """A sentence as words.

    Attributes:
        text: as written.
        tokens: what spaces separate, without the final mark.
        words: the tokens with possessive clitics split off.
        mark: the final mark, or the empty string.
    """

    text: str
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    mark: str


def split_sentence(text: str) -> SplitSentence:
    """Split a sentence into its words, clitics and final mark."""
    body = text.rstrip()
    mark = body[-1:] if body[-1:] in FINAL_MARKS else ""
    tokens = tuple(body.removesuffix(mark).split())
    return SplitSentence(text, tokens, split_clitics(" ".join(tokens)) if POSSESSIVE_PLURAL in body else tokens, mark)


def split_clitics(text: str) -> tuple[str, ...]:
    """Split a text without a final mark into words and possessive clitics."""
    if POSSESSIVE_PLURAL not in text:
        return tuple(text.split())
    words: list[str] = []
    for token in text.split():
        match = _POSSESSOR.fullmatch(token) if POSSESSIVE_PLURAL in token else None
        words += match.group("stem", "clitic") if match else (token,)
    return tuple(words)


def grammar_tokens(sentence: str) -> list[str]:
    """Split a sentence into the terminals of the grammar: no capital first, possessives as *'s*, commas apart."""
    parts = split_sentence(_COMMA.sub(" ,", sentence))
    words = [POSSESSIVE if word in CLITICS else word for word in parts.words]
    return [*map(uncapitalized, words[:1]), *words[1:], *filter(None, [parts.mark])]


def is_glued(text: str) -> bool:
    """Whether a text is a mark or a clitic, which follows without a space."""
    return text in CLITICS or is_mark(text)


def is_mark(text: str) -> bool:
    """Whether a text is one punctuation mark."""
    return len(text) == 1 and text in MARKS


def unmarked(text: str) -> str:
    """Remove the marks at the end of a word or sentence."""
    return text.rstrip(MARKS)


def words_without_marks(sentence: str) -> list[str]:
    """Split a sentence at its spaces and remove the marks at both ends of every word."""
    return [word for part in sentence.split() if (word := part.strip(MARKS))]


def folded_words(sentence: str) -> list[str]:
    """Split a sentence at its spaces; every word in lower case, without final marks, so that sentences compare."""
    return [word.strip(FINAL_MARKS).lower() for word in sentence.split()]


def plain_words(text: str) -> list[str]:
    """Split a text into words as the BabyLM evaluation compares them: lower case, no marks, no possessive clitic."""
    plain = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").lower()
    return [word for match in _PLAIN.findall(plain) if (word := unpossessed(match)) and word != "s"]


def spans_of_words(text: str) -> list[tuple[str, Span]]:
    """Find the words of a text, each with its first character and the one behind its last."""
    return [(match[0], match.span()) for match in _WORD.finditer(text)]


def spans_of_words_and_marks(text: str) -> list[tuple[str, Span]]:
    """Find the words and marks of a text with their characters; apostrophes and hyphens are parts of words."""
    return [(match[0], match.span()) for match in _WORD_OR_MARK.finditer(text)]


def unpossessed(word: str) -> str:
    """Remove the possessive clitic from the end of a word."""
    return _POSSESSIVE_END.sub("", word)


def positive_auxiliary(word: str) -> str | None:
    """Remove *n't* from a negative auxiliary (*isn't*); None for a word without it."""
    return word.removesuffix(NEGATION) if word.endswith(NEGATION) else None


def capitalized(text: str) -> str:
    """Write the first letter as a capital."""
    return text[:1].upper() + text[1:]


def uncapitalized(text: str) -> str:
    """Write the first letter as a small one."""
    return text[:1].lower() + text[1:]


def article_of(word: str) -> str:
    """The form under which the lexicon lists an article: *a* for *an*; every other word as it is."""
    return ARTICLE if word == ARTICLE_BEFORE_VOWEL else word
