"""How sentences are divided: words, marks, clitics, capitals and the indefinite article."""

from __future__ import annotations

import pytest

from blimpgen.english import words


@pytest.mark.parametrize(
    "text, tokens, parts, mark",
    [
        ("Ann's sister isn't here.", "Ann's sister isn't here", "Ann 's sister isn't here", "."),
        ("Those boys' dogs bark", "Those boys' dogs bark", "Those boys ' dogs bark", ""),
        ("It's himself that left.", "It's himself that left", "It's himself that left", "."),
        ("Who left?!", "Who left?", "Who left?", "!"),
        ("", "", "", ""),
    ],
)
def test_sentences_divide_into_words_clitics_and_a_mark(text: str, tokens: str, parts: str, mark: str) -> None:
    divided = words.split_sentence(text)
    assert (divided.tokens, divided.words, divided.mark) == (tuple(tokens.split()), tuple(parts.split()), mark)


def test_the_grammar_sees_one_possessive_and_no_capital() -> None:
    assert words.grammar_tokens("The boys' dog saw Ann.") == ["the", "boys", "'s", "dog", "saw", "Ann", "."]
    assert words.grammar_tokens("") == []


@pytest.mark.parametrize(
    "function, text, divided",
    [
        (words.words_without_marks, "A lady, said Jo.", ["A", "lady", "said", "Jo"]),
        (words.folded_words, "The Cat, I hear?", ["the", "cat,", "i", "hear"]),
        (
            words.plain_words,
            "Ann\u2019s cats' toys don't last-minute.",
            ["ann", "cats", "toys", "don't", "last-minute"],
        ),
    ],
)
def test_words_as_they_are_compared(function, text: str, divided: list[str]) -> None:
    assert function(text) == divided


def test_spans_are_those_of_the_text() -> None:
    text = "Ann's cat, no?"
    for word, (start, end) in words.spans_of_words_and_marks(text):
        assert text[start:end] == word
    assert [word for word, _ in words.spans_of_words_and_marks(text)] == ["Ann's", "cat", ",", "no", "?"]
    assert [word for word, _ in words.spans_of_words(text)] == ["Ann's", "cat", "no"]


def test_single_words() -> None:
    assert [words.is_glued(text) for text in (".", "'s", "'", "", ".?", "the")] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]
    assert (words.unpossessed("ann's"), words.unpossessed("boys’"), words.unpossessed("is")) == ("ann", "boys", "is")
    assert (words.positive_auxiliary("isn't"), words.positive_auxiliary("is")) == ("is", None)
    assert (words.article_of("an"), words.article_of("the")) == ("a", "the")
    assert (words.capitalized("x-ray"), words.uncapitalized("It"), words.capitalized("")) == ("X-ray", "it", "")
