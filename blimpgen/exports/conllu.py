"""``conllu``: all sentences in CoNLL-U, with lemmas from the lexicon and dependencies made from the trees by rule.

Categories of our grammar stand in the column XPOS; in FEATS the number of nouns and the form of verbs and auxiliaries
as they were drawn, and nothing for a word that a sentence changes. Contractions stay one word, as they are in the
lexicon. Comments say which pair a sentence belongs to and whether it is the good one; a bad sentence that the grammar
does not derive has its constituents attached as ``dep``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from blimpgen.base.errors import DataError, Place
from blimpgen.base.records import Record
from blimpgen.exports.dependencies import Dependency, dependencies
from blimpgen.exports.phrase_trees import tree_of
from blimpgen.exports.source import Files, Options, Source

__all__ = ["files"]

_LEXEME = re.compile(r"(.+)\.\d+")
_FORMS = {
    "fin": {"Mood": "Ind", "VerbForm": "Fin"},
    "bare": {"VerbForm": "Inf"},
    "part": {"Tense": "Past", "VerbForm": "Part"},
    "ing": {"Tense": "Pres", "VerbForm": "Part"},
}
_TENSES = ("Past", "Pres")

Parts: TypeAlias = Sequence[Sequence[str]]


def files(source: Source, options: Options) -> Files:
    """One file with all sentences, in the order of the records.

    Raises:
        DataError: the records have no metadata.
    """
    yield (
        "sentences.conllu",
        "".join(
            "\n".join((*_sentence(source, record, name, text), "\n"))
            for records in source.records.values()
            for record in records
            for name, text in record.sentences.items()
        ),
    )


def _sentence(source: Source, record: Record, name: str, text: str) -> Iterator[str]:
    tree = tree_of(source, record, name)
    words = dependencies(tree)
    yield f"# sent_id = {record.uid}-{record.id}-{name}"
    yield f"# text = {text}"
    yield f"# UID = {record.uid}"
    yield f"# pair_id = {record.id}"
    yield f"# sentence = {name}"
    yield f"# tree = {tree}"
    parts: Parts = record.metadata.get("words", {}).get(name, ())
    columns = zip(
        words, _forms(source, record, text, words), _lemmas(parts, words), _feats(record, parts, words), strict=True
    )
    for k, (word, (form, glued), lemma, feats) in enumerate(columns, start=1):
        misc = "SpaceAfter=No" if glued else "_"
        yield "\t".join(
            (str(k), form, lemma, word.upos, word.category, feats, str(word.head), word.relation, "_", misc)
        )


def _forms(source: Source, record: Record, text: str, words: Sequence[Dependency]) -> list[tuple[str, bool]]:
    """Each word as it stands in the sentence, and whether the next one follows without a space."""
    forms, position = [], 0
    for word in words:
        end = position + len(word.form)
        if text[position:end].lower() != word.form.lower():
            raise DataError(f"{record.uid}: {text!r} is not the sentence of its tree", Place(source.path))
        forms.append((text[position:end], end < len(text) and text[end] != " "))
        position = end + (text[end : end + 1] == " ")
    return forms


def _lemmas(parts: Parts, words: Sequence[Dependency]) -> list[str]:
    """The lemma of each word: that of its lexeme; of one without a lexeme, the word itself."""
    lemmas: list[str] = []
    for text, lexeme in parts:
        forms = text.split()
        numbered = _LEXEME.fullmatch(lexeme)
        lemma = numbered[1].split("_") if numbered else [form.lower() for form in forms]
        lemmas += lemma if len(lemma) == len(forms) else [*forms[:-1], lemma[-1]]
    return lemmas if len(lemmas) == len(words) else [word.form for word in words]


def _feats(record: Record, parts: Parts, words: Sequence[Dependency]) -> list[str]:
    """The column FEATS; of several words of a lexeme the last one of a noun, the first one of a verb has features."""
    drawn = dict(_drawn(record.metadata.get("slots", {})))
    as_drawn = [list(part) for part in next(iter(record.metadata.get("words", {}).values()), ())]
    column: list[str] = []
    for text, lexeme in parts:
        size = len(text.split())
        feats = drawn.get(lexeme, {}) if [text, lexeme] in as_drawn else {}
        shown = "|".join(f"{name}={value}" for name, value in sorted(feats.items())) or "_"
        column += [*["_"] * (size - 1), shown] if "Number" in feats else [shown, *["_"] * (size - 1)]
    return column if len(column) == len(words) else ["_"] * len(words)


def _drawn(slots: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Each lexeme of the slots and their daughters with its features in the manner of Universal Dependencies."""
    for slot in slots.values():
        features: Mapping[str, str] = slot.get("features", {})
        if "lexeme" in slot:
            yield slot["lexeme"], _universal(features)
        yield from _drawn(slot.get("daughters", {}))


def _universal(features: Mapping[str, str]) -> dict[str, str]:
    if features.get("Number") in ("Sing", "Plur") and "form" not in features:
        return {"Number": features["Number"]}
    # Of a verb with an auxiliary, tense and polarity are those of the auxiliary, which has them without a form.
    form = features.get("form", "fin" if features.get("Tense") in _TENSES else "")
    values = dict(_FORMS.get(form, {}))
    if form == "fin":
        values |= {"Tense": features["Tense"]} if features.get("Tense") in _TENSES else {}
        values |= {"Polarity": "Neg"} if features.get("Polarity") == "Neg" and "form" not in features else {}
    return values
