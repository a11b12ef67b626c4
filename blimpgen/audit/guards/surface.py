"""Guards of the text itself: capitals, spaces, marks, articles, doubled words, lengths and prefix fields."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from blimpgen.audit.guards.case import Case, scope
from blimpgen.audit.guards.guard import Severity, guard
from blimpgen.english.words import ARTICLE, ARTICLE_BEFORE_VOWEL, FINAL_MARKS, MARKS

_FINAL_MARK = re.compile(f"[{FINAL_MARKS}]")
_MARK_BEHIND_SPACE = re.compile(f" [{MARKS}]")
_TIDY = re.compile(rf"[A-Z][^\s{MARKS}]*(?: [^\s{MARKS}]+)*[.?]")
_OPENING = "¿¡"
"""Marks that a sentence may have before its capital."""


def _plain(case: Case) -> bool:
    """Whether the set is written without capitals and marks: then both sentences lack both."""
    return not any(sentence.text[:1].isupper() or sentence.mark for sentence in case.split)


@guard("identical-sentences", Severity.WRONG, specs="syntax G12; semantics I", any_language=True, needs="unchanged")
def identical(case: Case) -> Iterator[str]:
    """The two sentences are the same."""
    if case.sentence_good == case.sentence_bad:
        yield case.sentence_good


@scope("a sentence is not a capital, words between single spaces, and one mark")
def UNTIDY(case: Case) -> bool:
    """Whether one of the sentences is written in another way."""
    return not (_TIDY.fullmatch(case.sentence_good) and _TIDY.fullmatch(case.sentence_bad))


@scope("the record has prefixes")
def WITH_PREFIXES(case: Case) -> bool:
    """Whether one of the prefix methods applies."""
    return "one_prefix_prefix" in case.keys or "two_prefix_word" in case.keys


@scope("more than one word changes", change="order")
def SEVERAL_WORDS(case: Case) -> bool:
    """Whether the change is not one word for another."""
    return not case.change.is_one_word


@guard("capital", Severity.FORM, UNTIDY, specs="semantics A; syntax A1", any_language=True)
def capital(case: Case) -> Iterator[str]:
    """A sentence does not begin with a capital."""
    for sentence in () if case.once(_plain) else (case.sentence_good, case.sentence_bad):
        first = sentence.lstrip(_OPENING)[:1]
        if not first.isupper() and not (
            first.isalpha() and first.upper() == first.lower()
        ):  # a script without capitals
            yield sentence.split(" ")[0]


@guard("spaces", Severity.FORM, UNTIDY, specs="semantics A; syntax A1", any_language=True)
def spaces(case: Case) -> Iterator[str]:
    """A sentence has a space too many: at its beginning or end, doubled, or before its mark."""
    for sentence in (case.sentence_good, case.sentence_bad):
        if " ".join(sentence.split()) != sentence or _MARK_BEHIND_SPACE.search(sentence):
            yield repr(sentence)


@guard("final-mark", Severity.FORM, UNTIDY, specs="semantics A; syntax A1", any_language=True)
def final_mark(case: Case) -> Iterator[str]:
    """A sentence does not end in exactly one period or question mark, or both in an exclamation mark."""
    if not case.once(_plain):
        sentences = case.sentence_good, case.sentence_bad
        exclaimed = "!" if all(sentence.endswith("!") for sentence in sentences) else ""
        for sentence in sentences:
            if sentence[-1:] not in ("", ".", "?", exclaimed) or len(_FINAL_MARK.findall(sentence)) != 1:
                yield sentence[-12:]


@guard("article-sound", Severity.FORM, specs="morphology 0", needs="a an")
def article_sound(case: Case) -> Iterator[str]:
    """*a* stands before a vowel sound, or *an* before a consonant sound."""
    for parsed in case.both:
        for article, word in pairwise(parsed.places) if not _ONSETS.keys().isdisjoint(parsed.folded) else ():
            onset = _ONSETS.get(article.folded)
            if onset and onset not in case.vocabulary.onsets(word):
                yield f"{article.word} {word.word}"


_ONSETS = {ARTICLE: "C", ARTICLE_BEFORE_VOWEL: "V"}
"""Article to the sound before which it stands."""


@guard("word-doubled", Severity.SECOND, specs="syntax G11; semantics I; semantics 22 D1", needs="doubled")
def word_doubled(case: Case) -> Iterator[str]:
    """A word stands twice in a row."""
    for parsed in case.both:
        yield from (f"{a} {b}" for a, b in pairwise(parsed.folded) if a == b)


@guard("word-count", Severity.SECOND, specs="morphology 23.3; syntax G3; semantics I", any_language=True)
def word_count(case: Case) -> Iterator[str]:
    """The sentences differ in their number of words, and the paradigm does not declare that they may."""
    if case.sentence_good.count(" ") == case.sentence_bad.count(" ") and not case.holds(UNTIDY):
        return  # words between single spaces
    good, bad = (len(s.split()) for s in (case.sentence_good, case.sentence_bad))
    if good != bad and not case.free_length and len({*_words_apart(case)}) > 1:
        yield f"{good} against {bad}"


def _words_apart(case: Case) -> Iterator[int]:
    """How many words the sentences have without their joins: *l'amico* has two, as *il vicino* has."""
    language = case.vocabulary.lexicon.language
    for text in (case.sentence_good, case.sentence_bad):
        yield sum(not language.is_mark(token) for token in language.tokens(text))


@guard("one-word-differs", Severity.SECOND, SEVERAL_WORDS, specs="morphology 0; morphology 23.3")
def one_word_differs(case: Case) -> Iterator[str]:
    """One changed word is another form of its word, or another reflexive, and more words change beside it."""
    good, bad = (parsed.sentence.tokens for parsed in case.both)
    if len(good) != len(bad):
        return
    changed = [k for k, (a, b) in enumerate(zip(good, bad, strict=True)) if a != b]
    if len(changed) == 2 and any(_is_contrast(case, k) for k in changed):
        yield ", ".join(f"{good[k]}|{bad[k]}" for k in changed)


def _is_contrast(case: Case, at: int) -> bool:
    """Whether two reflexives, or two numbers of one word, stand at a place of both sentences."""
    sides = []
    for parsed in case.both:
        readings = case.vocabulary.spans(parsed.sentence.tokens, at)
        sides.append({(r.category, r.row) if r.category != "Refl" else "Refl" for _, rs in readings for r in rs})
    return any(item == "Refl" or item[0] in ("N", "Aux") for item in sides[0] & sides[1])


@guard(
    "prefix-fields",
    Severity.FORM,
    WITH_PREFIXES,
    specs="morphology 0; morphology 23.6; syntax A2; semantics A",
    any_language=True,
)
def prefix_fields(case: Case) -> Iterator[str]:
    """A prefix and its critical word are not the beginning of their sentence; a blank at an end is passed over."""
    for prefix, word, sentence in case.once(_fields):
        start = f"{prefix.strip()} {word.strip()}"
        rest = sentence.removeprefix(start) if sentence.startswith(start) and word else "x"
        if rest[:1] not in ("", " ", ".", "?", "'"):
            yield f"{prefix!r} + {word!r}"


@guard(
    "prefix-word", Severity.FORM, WITH_PREFIXES, specs="morphology D14; morphology 23.6; syntax A2", any_language=True
)
def prefix_word(case: Case) -> Iterator[str]:
    """The critical word of a prefix method is not one token."""
    yield from dict.fromkeys([word for _, word, _ in case.once(_fields) if len(word.split()) != 1])


def _fields(case: Case) -> list[tuple[str, str, str]]:
    """The prefixes of a record with their critical words and sentences."""
    fields = []
    if "one_prefix_prefix" in case.keys:
        prefix = case.value("one_prefix_prefix")
        fields.append((prefix, case.value("one_prefix_word_good"), case.sentence_good))
        fields.append((prefix, case.value("one_prefix_word_bad"), case.sentence_bad))
    if "two_prefix_word" in case.keys:
        word = case.value("two_prefix_word")
        fields.append((case.value("two_prefix_prefix_good"), word, case.sentence_good))
        fields.append((case.value("two_prefix_prefix_bad"), word, case.sentence_bad))
    return fields
