"""``conllu``: all sentences in CoNLL-U, with lemmas from the lexicon and dependencies made from the trees by rule.

Categories of our grammar stand in the column XPOS. In FEATS stand the number of nouns and the form of verbs and
auxiliaries as they were drawn, not for a word that a sentence changes, and what the tree says: passive verbs,
reflexives, degrees. Contractions stay one word, as they are in the lexicon. Comments say which pair a sentence belongs
to and whether it is the good one; a bad sentence that the grammar does not derive has its constituents attached as
``dep``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from blimpgen.base.errors import DataError, Place
from blimpgen.base.records import Record
from blimpgen.exports.dependencies import LITERAL_LEMMAS, Dependency, dependencies
from blimpgen.exports.phrase_trees import flat_tree, tree_of
from blimpgen.exports.source import Files, Options, Source

__all__ = ["files", "sentence_lines"]

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

    Args:
        source, options: as in `Format.files`.

    Raises:
        DataError: the records have no metadata.
    """
    yield (
        "sentences.conllu",
        "".join(
            "\n".join((*sentence_lines(source, record, name), "\n"))
            for records in source.records.values()
            for record in records
            for name in record.sentences
        ),
    )


def sentence_lines(source: Source, record: Record, name: str) -> Iterator[str]:
    """Give the lines of one sentence: comments, then words.

    Args:
        source: the set.
        record: of the set, with metadata.
        name: of the sentence, such as good.

    Raises:
        DataError: the record has no metadata.
    """
    tree, text = tree_of(source, record, name), record.sentences[name]
    if _of_lists(record):  # the rules of dependencies name the categories of English
        tree = flat_tree(record, name)
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


def _of_lists(record: Record) -> bool:
    """Whether its words are those of lists."""
    parts = (part for parts in record.metadata.get("words", {}).values() for part in parts)
    return any(":" in lexeme for _, lexeme in parts)


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
    if len(lemmas) != len(words):
        lemmas = [word.form for word in words]
    return [LITERAL_LEMMAS.get((lemma, word.upos), lemma) for word, lemma in zip(words, lemmas, strict=True)]


def _feats(record: Record, parts: Parts, words: Sequence[Dependency]) -> list[str]:
    """The column FEATS; of several words of a lexeme the last one of a noun, the first one of a verb has features."""
    drawn = dict(_drawn(record.metadata.get("slots", {})))
    as_drawn = [list(part) for part in next(iter(record.metadata.get("words", {}).values()), ())]
    column: list[dict[str, str]] = []
    for text, lexeme in parts:
        rest: list[dict[str, str]] = [{}] * (len(text.split()) - 1)
        feats = drawn.get(lexeme, {}) if [text, lexeme] in as_drawn else {}
        column += [*rest, feats] if "Number" in feats else [feats, *rest]
    if len(column) != len(words):
        column = [{}] * len(words)
    both = (feats | word.features for feats, word in zip(column, words, strict=True))
    return ["|".join(f"{name}={value}" for name, value in sorted(feats.items())) or "_" for feats in both]


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
