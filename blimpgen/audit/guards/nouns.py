"""Guards of noun phrases: determiners, adjectives and the nouns on which a contrast rests."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.case import Case
from blimpgen.audit.guards.guard import Objection, Severity, guard
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.scopes import ATTRIBUTIVE, DEMONSTRATIVE


@guard("some-singular", Severity.REMARK, specs="morphology D9", needs="open")
def some_singular(case: Case) -> Iterator[str]:
    """*some*, or a determiner like it, stands before a singular count noun."""
    values = case.vocabulary.value
    for phrase in case.good.nominals:
        determiner = phrase.determiner if "Sing" in phrase.numbers else ()
        only_open = [d for d in determiner if "sg" in values(d, "open").split(",") and not values(d, "sg")]
        if only_open and all(r.cell == "Sing" and values(r, "count") == "count" for r in phrase.head):
            yield case.good.text(phrase.start, phrase.end)


@guard("universal-negation", Severity.REMARK, specs="morphology D8", needs="negated")
def universal_negation(case: Case) -> Iterator[str]:
    """The negated verb has a subject with *every, all, most, many* or *a lot of*, whose scope is unclear."""
    for clause in case.good.clauses:
        subject = clause.subject
        if clause.group.negated and subject and case.vocabulary.every(subject.determiner, "under_not", "no"):
            yield case.good.text(subject.start, subject.end)


@guard("unknown-noun", Severity.SECOND, DEMONSTRATIVE, specs="morphology 5; morphology 9")
def unknown_noun(case: Case) -> Iterator[str]:
    """The last word of a sentence, its critical noun, is no word of the lexicon."""
    for parsed in case.both:
        words = parsed.sentence.words
        if not any(end == len(words) for k in reversed(range(len(words))) for end, _ in parsed.spans(k)):
            yield "".join(words[-1:])


@guard("predicative-adjective", Severity.REMARK, specs="morphology 23.5; syntax B25; syntax B26", needs="A")
def predicative_adjective(case: Case) -> Iterator[str]:
    """An adjective that is only predicative stands before its noun: *the ill guest*."""
    for phrase in case.good.nominals:
        predicative = phrase.adjectives and [a for a in phrase.adjectives if case.vocabulary.every(a, "pos", "pred")]
        if predicative:
            phrasal = any(" " in case.vocabulary.value(r, "lemma") for a in predicative for r in a)
            severity = Severity.DOUBTFUL if phrasal else Severity.REMARK
            yield Objection(case.good.text(phrase.start, phrase.end), severity)


@guard("relational-dangling", Severity.WRONG, specs="syntax G15; syntax B25; syntax B26", needs="prep")
def relational_dangling(case: Case) -> Iterator[str]:
    """A relational noun has lost what follows its *of* or *about*: *two nieces of and*."""
    parsed = case.good
    for k, phrase in enumerate(parsed.chunks) if parsed.has("prep") else ():
        if parsed.kind(k + 1) == "prep" and isinstance(phrase, Nominal) and phrase.kind == "noun":
            word = parsed.sentence.words[phrase.end]
            takes = any(f"{word}:" in case.vocabulary.value(r, "rel") for r in phrase.head)
            if takes and parsed.kind(k + 2) in ("", "conj", "group"):
                yield parsed.text(phrase.start, phrase.end + 1)


@guard("participle-repeated", Severity.REMARK, ATTRIBUTIVE, specs="morphology 20")
def participle_repeated(case: Case) -> Iterator[str]:
    """The predicate repeats the participle: *The hidden mice were hidden.*"""
    words = case.good.sentence.words
    if len(words) > 2 and words[-1] in words[:-1]:
        yield words[-1]


@guard("participle-predicate", Severity.REMARK, ATTRIBUTIVE, specs="morphology 20")
def participle_predicate(case: Case) -> Iterator[str]:
    """The predicate is a participle as well, which says the same or the opposite: *The hidden mice were exposed.*"""
    words = case.good.sentence.words
    readings = case.good.readings(len(words) - 1, "A")
    if case.vocabulary.every(readings, "cls", "participial"):
        yield words[-1]
