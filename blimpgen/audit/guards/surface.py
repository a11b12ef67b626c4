"""Guards of the text itself: capitals, spaces, marks, articles, doubled words, lengths and prefix fields."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from blimpgen.audit.guards.families import DETERMINER_AGREEMENT, PERMUTED, VERB_AGREEMENT
from blimpgen.audit.guards.guard import Case, guard, uids
from blimpgen.english.words import ARTICLE, ARTICLE_BEFORE_VOWEL, FINAL_MARKS, MARKS, onset, split_sentence

_ONE_WORD = uids("anaphor_*_agreement", *DETERMINER_AGREEMENT, *VERB_AGREEMENT, "irregular_past_participle_*")


def _plain(case: Case) -> bool:
    """Whether the set is written without capitals and marks: then both sentences lack both."""
    return not any(s[:1].isupper() or split_sentence(s).mark for s in (case.sentence_good, case.sentence_bad))


@guard("identical-sentences", specs="syntax G12; semantics I")
def identical(case: Case) -> Iterator[str]:
    """The two sentences are the same."""
    if case.sentence_good == case.sentence_bad:
        yield case.sentence_good


@guard("capital", specs="semantics A; syntax A1")
def capital(case: Case) -> Iterator[str]:
    """A sentence does not begin with a capital."""
    if not _plain(case):
        yield from (s.split(" ")[0] for s in (case.sentence_good, case.sentence_bad) if not s[:1].isupper())


@guard("spaces", specs="semantics A; syntax A1")
def spaces(case: Case) -> Iterator[str]:
    """A sentence has a space too many: at its beginning or end, doubled, or before its mark."""
    for sentence in (case.sentence_good, case.sentence_bad):
        if " ".join(sentence.split()) != sentence or any(f" {mark}" in sentence for mark in MARKS):
            yield repr(sentence)


@guard("final-mark", specs="semantics A; syntax A1")
def final_mark(case: Case) -> Iterator[str]:
    """A sentence does not end in exactly one period or question mark."""
    if not _plain(case):
        for sentence in (case.sentence_good, case.sentence_bad):
            if sentence[-1:] not in ("", ".", "?") or sum(sentence.count(mark) for mark in FINAL_MARKS) != 1:
                yield sentence[-12:]


@guard("article-sound", specs="morphology 0")
def article_sound(case: Case) -> Iterator[str]:
    """*a* stands before a vowel sound, or *an* before a consonant sound."""
    for parsed in case.both:
        words = parsed.sentence.words
        for k, word in enumerate(words[:-1]):
            if word.lower() in (ARTICLE, ARTICLE_BEFORE_VOWEL):
                onset = "V" if word.lower() == ARTICLE_BEFORE_VOWEL else "C"
                if onset not in _onsets(case, words, k + 1):
                    yield f"{word} {words[k + 1]}"


def _onsets(case: Case, words: tuple[str, ...], at: int) -> set[str]:
    readings = (r for _, entries in case.vocabulary.spans(words, at) for r in entries)
    return {case.vocabulary.value(r, "onset") for r in readings} - {""} or {onset(words[at])}


@guard("word-doubled", specs="syntax G11; semantics I; semantics 22 D1")
def word_doubled(case: Case) -> Iterator[str]:
    """A word stands twice in a row."""
    for parsed in case.both:
        tokens = [token.lower() for token in parsed.sentence.tokens]
        yield from (f"{a} {b}" for a, b in pairwise(tokens) if a == b)


@guard("word-count", specs="morphology 23.3; syntax G3; semantics I")
def word_count(case: Case) -> Iterator[str]:
    """The sentences differ in their number of words, and the paradigm does not declare that they may."""
    good, bad = (len(s.split()) for s in (case.sentence_good, case.sentence_bad))
    if good != bad and not case.free_length:
        yield f"{good} against {bad}"


@guard("word-order", uids(*PERMUTED), specs="syntax A1; semantics A")
def word_order(case: Case) -> Iterator[str]:
    """The sentences should have the same words in another order, and do not."""
    good, bad = (sorted(t.lower() for t in parsed.sentence.tokens) for parsed in case.both)
    if good != bad:
        yield ", ".join(sorted(set(good) ^ set(bad))) or "another number of the same words"


@guard("one-word-differs", _ONE_WORD, specs="morphology 0; morphology 23.3")
def one_word_differs(case: Case) -> Iterator[str]:
    """The sentences differ in more than one word, or in none."""
    good, bad = (parsed.sentence.tokens for parsed in case.both)
    changed = [f"{a}|{b}" for a, b in zip(good, bad, strict=False) if a != b]
    if len(good) == len(bad) and len(changed) != 1:
        yield ", ".join(changed)


@guard("prefix-fields", specs="morphology 0; morphology 23.6; syntax A2; semantics A")
def prefix_fields(case: Case) -> Iterator[str]:
    """A prefix and its critical word are not the beginning of their sentence."""
    for prefix, word, sentence in _fields(case):
        start = f"{prefix} {word}"
        rest = sentence.removeprefix(start) if sentence.startswith(start) and word else "x"
        if rest[:1] not in ("", " ", ".", "?", "'") or start != " ".join(start.split()):
            yield f"{prefix!r} + {word!r}"


@guard("prefix-word", specs="morphology D14; morphology 23.6; syntax A2")
def prefix_word(case: Case) -> Iterator[str]:
    """The critical word of a prefix method is not one token."""
    yield from dict.fromkeys(word for _, word, _ in _fields(case) if len(word.split()) != 1)


def _fields(case: Case) -> Iterator[tuple[str, str, str]]:
    if "one_prefix_prefix" in case.keys:
        prefix = case.value("one_prefix_prefix")
        yield prefix, case.value("one_prefix_word_good"), case.sentence_good
        yield prefix, case.value("one_prefix_word_bad"), case.sentence_bad
    if "two_prefix_word" in case.keys:
        word = case.value("two_prefix_word")
        yield case.value("two_prefix_prefix_good"), word, case.sentence_good
        yield case.value("two_prefix_prefix_bad"), word, case.sentence_bad
