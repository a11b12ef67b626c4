"""Repairs of single pairs: the smallest span that mends a fault which is local to it.

A verb gets the number of its subject, a noun that of its determiner, an auxiliary that of a gerund; *of* is put behind
*a lot*; two sentences that stand on the wrong sides change places. What else a pair lacks is not mended here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from blimpgen.audit.guards import Case, Vocabulary
from blimpgen.audit.guards.chunks import VerbGroup
from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.nominals import Nominal
from blimpgen.audit.guards.scopes import VERB_AGREEMENT
from blimpgen.audit.guards.tokens import Reading, Readings, number_of_cell
from blimpgen.base.records import Row

__all__ = ["repaired"]

Change: TypeAlias = tuple[int, tuple[str, ...]]
"""The number of a word of a sentence, and what stands in its place."""
_SINGULAR, _PLURAL = frozenset({"Sing"}), frozenset({"Plur"})


def repaired(case: Case, codes: frozenset[str]) -> Row | None:
    """The row of a pair with its local faults mended; None if one of them is not local.

    Args:
        case: the pair.
        codes: the guards that found its label wrong or doubtful.
    """
    if codes <= _SWAPPED and case.holds(VERB_AGREEMENT) and _faulty(case.good) and not _faulty(case.bad):
        return _swapped(case.keys)
    if not codes <= _CHANGES.keys():
        return None
    sentences = {}
    for side, parsed in (("good", case.good), ("bad", case.bad)):
        changes = {at: words for code in codes for at, words in _CHANGES[code](case, parsed)}
        sentences[side] = _rewritten(parsed, changes)
    return _with_sentences(case, sentences["good"], sentences["bad"])


def _swapped(row: Mapping[str, Any]) -> Row:
    """The row with the sentences, and what belongs to them, on the other sides."""
    sides = {"good": "bad", "bad": "good"}
    partner = {key: f"{stem}_{sides[side]}" for key in row for stem, _, side in [key.rpartition("_")] if side in sides}
    return {key: row[partner.get(key, key)] for key in row}


def _faulty(parsed: Parse) -> list[tuple[VerbGroup, Nominal]]:
    """The verb groups that do not agree, each with its subject."""
    return [
        (clause.group, clause.subject)
        for clause in parsed.clauses
        if clause.subject is not None and not clause.group.numbers & clause.subject.numbers
    ]


def _verbs(case: Case, parsed: Parse) -> Iterator[Change]:
    """Each verb that does not agree gets the number of its subject."""
    if case.holds(VERB_AGREEMENT):
        return
    for group, subject in _faulty(parsed):
        yield from _finite_word(case.vocabulary, parsed, group, subject.numbers)


def _finite_word(vocabulary: Vocabulary, parsed: Parse, group: VerbGroup, numbers: frozenset[str]) -> Iterator[Change]:
    readings = group.auxiliary or group.verbs
    at = group.start if group.auxiliary else group.end - len(group.verb.split())
    for reading in readings:
        old = _form(vocabulary, reading).split()
        for cell in _other_cells(reading):
            new = _form(vocabulary, reading._replace(cell=cell)).split()
            fits = number_of_cell(reading._replace(cell=cell)) & numbers
            if fits and len(old) == len(new) and parsed.sentence.words[at] == old[0]:
                yield at, (new[0],)
                return


def _other_cells(reading: Reading) -> tuple[str, ...]:
    """The cell with the other number."""
    cell = reading.cell
    return (cell.replace("_sg", "_pl"),) if "_sg" in cell else (cell.replace("_pl", "_sg"),) if "_pl" in cell else ()


def _form(vocabulary: Vocabulary, reading: Reading) -> str:
    """The form of a reading's lexeme in its cell; empty if it has none."""
    lexicon = vocabulary.lexicon
    forms = lexicon.inventory(reading.category).forms.get(reading.cell)
    number = int(forms[reading.row]) if forms is not None else -1
    return lexicon.strings.text(number).lstrip() if number > 0 else ""


def _auxiliary(case: Case, parsed: Parse) -> Iterator[Change]:
    """The auxiliary of a question gets the singular."""
    for reading in parsed.readings(1, "Aux"):
        form = _form(case.vocabulary, reading._replace(cell=reading.cell.replace("_pl", "_sg")))
        if "_pl" in reading.cell and form:
            yield 1, (form,)
            return


def _nouns(case: Case, parsed: Parse) -> Iterator[Change]:
    """Each noun gets the number of its determiner."""
    for phrase in parsed.nominals:
        if not phrase.fits and phrase.kind == "noun":
            yield from _other_number(case.vocabulary, parsed, phrase)


def _other_number(vocabulary: Vocabulary, parsed: Parse, phrase: Nominal) -> Iterator[Change]:
    size = len(phrase.noun.split())
    start = next((k for k in range(phrase.start, phrase.end) if _text(parsed, k, k + size) == phrase.noun), -1)
    other = {"Sing": "Plur", "Plur": "Sing"}
    for reading in phrase.head:
        new = _form(vocabulary, reading._replace(cell=other[reading.cell])).split()
        if start >= 0 and len(new) == size:
            yield start + size - 1, (new[-1],)
            return


def _text(parsed: Parse, start: int, end: int) -> str:
    return " ".join(parsed.sentence.words[start:end])


def _quantifiers(case: Case, parsed: Parse) -> Iterator[Change]:
    """*of* stands behind *a lot*, and the noun behind it is a plural."""
    words = parsed.sentence.words
    for k in range(1, len(words) - 1):
        if words[k - 1 : k + 1] == ("a", "lot") and words[k + 1] != "of":
            end = k + 1
            while parsed.end(end, "A") > end:
                end = parsed.end(end, "A")
            last, nouns = parsed.end(end, "N"), parsed.readings(end, "N")
            if nouns:
                yield k, ("lot", "of")
                singular = [r for r in nouns if r.cell == "Sing" and case.vocabulary.value(r, "count") == "count"]
                form = _form(case.vocabulary, singular[0]._replace(cell="Plur")).split() if singular else []
                if form:
                    yield last - 1, (form[-1],)


def _participles(case: Case, parsed: Parse) -> Iterator[Change]:
    """The verb behind *have* becomes a participle."""
    for place, group in parsed.groups:
        auxiliary: Readings = parsed.auxiliary(place)
        if case.vocabulary.every(auxiliary, "kind", "have") and not any(r.cell == "part" for r in group.verbs):
            at = group.end - len(group.verb.split())
            form = _form(case.vocabulary, group.verbs[0]._replace(cell="part")).split() if group.verbs else []
            if form:
                yield at, (form[0],)


_CHANGES: Mapping[str, Callable[[Case, Parse], Iterator[Change]]] = MappingProxyType(
    {
        "psych-3sg": _verbs,
        "agreement": _verbs,
        "gerund-number": _auxiliary,
        "determiner-number": _nouns,
        "standalone-quantifier": _quantifiers,
        "wrong-form": _participles,
    }
)
"""Code to what mends its fault in a sentence."""
_SWAPPED = frozenset({"psych-3sg", "agreement", "bad-agrees"})


def _rewritten(parsed: Parse, changes: Mapping[int, tuple[str, ...]]) -> list[tuple[str, ...]]:
    """For each token of a sentence the words that stand in its place."""
    pieces = [changes.get(k, (word,)) for k, word in enumerate(parsed.sentence.words)]
    tokens: list[tuple[str, ...]] = []
    for word, piece in zip(parsed.sentence.words, pieces, strict=True):
        if word in ("'s", "'") and tokens:
            tokens[-1] = (*tokens[-1][:-1], tokens[-1][-1] + word)
        else:
            tokens.append(piece)
    return tokens


def _with_sentences(case: Case, good: list[tuple[str, ...]], bad: list[tuple[str, ...]]) -> Row | None:
    """The row with other sentences, its prefix fields changed with them; None if a field is not where it should be."""
    row = dict(case.keys)
    for side, parsed, tokens in (("good", case.good, good), ("bad", case.bad, bad)):
        row[f"sentence_{side}"] = " ".join(word for token in tokens for word in token) + parsed.sentence.mark
    for prefix, word, tokens, old in (
        ("one_prefix_prefix", "one_prefix_word_good", good, case.good),
        ("one_prefix_prefix", "one_prefix_word_bad", bad, case.bad),
        ("two_prefix_prefix_good", "two_prefix_word", good, case.good),
        ("two_prefix_prefix_bad", "two_prefix_word", bad, case.bad),
    ):
        if prefix in case.keys:
            before, critical = case.value(prefix).split(), case.value(word).split()
            start, end = len(before), len(before) + len(critical)
            if list(old.sentence.tokens[:end]) != before + critical:
                return None
            row[prefix] = " ".join(w for token in tokens[:start] for w in token)
            row[word] = " ".join(w for token in tokens[start:end] for w in token)
    return row if row != dict(case.keys) else None
