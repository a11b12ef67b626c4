"""Guards of noun phrases: determiners, adjectives and the nouns on which a contrast rests."""

from __future__ import annotations

from collections.abc import Iterator

from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.families import DETERMINER_AGREEMENT, IRREGULAR_NOUNS, REGULAR_NOUNS, VERB_AGREEMENT
from blimpgen.audit.guards.guard import Case, guard, uids
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.tokens import Readings


def critical(case: Case, parsed: Parse) -> Nominal | None:
    """The noun phrase on whose number the contrast rests: the object after a demonstrative, or the first subject."""
    chunk = parsed.chunks[-1 if uids(*DETERMINER_AGREEMENT).holds(case.labels) else 0] if parsed.chunks else None
    return chunk if isinstance(chunk, Nominal) else None


@guard("some-singular", specs="morphology D9")
def some_singular(case: Case) -> Iterator[str]:
    """*some*, or a determiner like it, stands before a singular count noun."""
    values = case.vocabulary.value
    for phrase in case.good.nominals():
        only_open = [d for d in phrase.determiner if "sg" in values(d, "open").split(",") and not values(d, "sg")]
        if only_open and all(r.cell == "Sing" and values(r, "count") == "count" for r in phrase.head):
            yield case.good.text(phrase.start, phrase.end)


@guard("universal-negation", specs="morphology D8")
def universal_negation(case: Case) -> Iterator[str]:
    """The negated verb has a subject with *every, all, most, many* or *a lot of*, whose scope is unclear."""
    for clause in case.good.clauses:
        subject = clause.subject
        if clause.group.negated and subject and case.vocabulary.every(subject.determiner, "under_not", "no"):
            yield case.good.text(subject.start, subject.end)


@guard(
    "number-unstable",
    uids(*DETERMINER_AGREEMENT, *VERB_AGREEMENT, "irregular_past_participle_adjectives"),
    specs="morphology D7; morphology 23.5",
)
def number_unstable(case: Case) -> Iterator[str]:
    """The number of the critical noun is unstable: *media, people, alumni, fish*."""
    seen = dict.fromkeys(p.noun for parsed in case.both if (p := critical(case, parsed)) and _unstable(case, p.head))
    yield from seen


def _unstable(case: Case, head: Readings) -> bool:
    forms = case.vocabulary.lexicon.inventory("N").forms
    return case.vocabulary.some(head, "number_stable", "no") or any(
        r.category == "N" and forms["Sing"][r.row] == forms["Plur"][r.row] for r in head
    )


@guard("collective-singular", uids(*VERB_AGREEMENT, "anaphor_number_agreement"), specs="morphology D5; morphology 23.5")
def collective_singular(case: Case) -> Iterator[str]:
    """The singular of the contrast is a collective, which may take a plural verb."""
    for parsed in case.both:
        phrase = critical(case, parsed)
        singular = tuple(r for r in phrase.head if r.cell == "Sing") if phrase is not None else ()
        if phrase is not None and case.vocabulary.some(singular, "agr", "either"):
            yield parsed.text(phrase.start, phrase.end)
            return


@guard("plural-class", uids(*REGULAR_NOUNS, *IRREGULAR_NOUNS), specs="morphology D12")
def plural_class(case: Case) -> Iterator[str]:
    """The plural of the critical noun is irregular in a set of regular nouns, or regular in one of irregular nouns."""
    phrase = critical(case, case.good)
    irregular = "yes" if uids(*IRREGULAR_NOUNS).holds(case.labels) else "no"
    if phrase is not None and phrase.kind == "noun" and not case.vocabulary.some(phrase.head, "irregular", irregular):
        yield phrase.noun


@guard("unknown-noun", uids(*DETERMINER_AGREEMENT), specs="morphology 5; morphology 9")
def unknown_noun(case: Case) -> Iterator[str]:
    """The last word of a sentence, its critical noun, is no word of the lexicon."""
    for parsed in case.both:
        words = parsed.sentence.words
        if not any(end == len(words) for k in range(len(words)) for end, _ in case.vocabulary.spans(words, k)):
            yield "".join(words[-1:])


@guard("predicative-adjective", specs="morphology 23.5; syntax B25; syntax B26")
def predicative_adjective(case: Case) -> Iterator[str]:
    """An adjective that is only predicative stands before its noun: *the ill guest*."""
    for phrase in case.good.nominals():
        if any(case.vocabulary.every(adjective, "pos", "pred") for adjective in phrase.adjectives):
            yield case.good.text(phrase.start, phrase.end)


@guard("relational-dangling", specs="syntax G15; syntax B25; syntax B26")
def relational_dangling(case: Case) -> Iterator[str]:
    """A relational noun has lost what follows its *of* or *about*: *two nieces of and*."""
    parsed = case.good
    for k, phrase in enumerate(parsed.chunks):
        if isinstance(phrase, Nominal) and phrase.kind == "noun" and parsed.kind(k + 1) == "prep":
            word = parsed.sentence.words[phrase.end]
            takes = any(f"{word}:" in case.vocabulary.value(r, "rel") for r in phrase.head)
            if takes and parsed.kind(k + 2) in ("", "conj", "group"):
                yield parsed.text(phrase.start, phrase.end + 1)


@guard("participle-repeated", uids("irregular_past_participle_adjectives"), specs="morphology 20")
def participle_repeated(case: Case) -> Iterator[str]:
    """The predicate repeats the participle: *The hidden mice were hidden.*"""
    words = case.good.sentence.words
    if len(words) > 2 and words[-1] in words[:-1]:
        yield words[-1]


@guard("participle-predicate", uids("irregular_past_participle_adjectives"), specs="morphology 20")
def participle_predicate(case: Case) -> Iterator[str]:
    """The predicate is a participle as well, which says the same or the opposite: *The hidden mice were exposed.*"""
    words = case.good.sentence.words
    readings = case.vocabulary.readings(words, len(words) - 1, ("A",))[1] if words else ()
    if case.vocabulary.every(readings, "cls", "participial"):
        yield words[-1]
