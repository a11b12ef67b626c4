"""What can be typed next in a paradigm file: keys from its schema; categories, frames, types, lemmas from the data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from blimpgen.checks.json_schemas import SLOT_KEYS
from blimpgen.lexicon.schema import FRAMES
from blimpgen.lexicon.validation import OPEN_CLASSES, RestrictionChecker
from blimpgen.library import Library
from blimpgen.paradigm import ParadigmModel

__all__ = ["Completion", "completions"]

_TYPED = re.compile(r"[\w.+-]*\Z")
_VALUE = re.compile(r"(?:^|[{,])\s*(?P<key>[\w.-]+):\s*(?P<quote>[\"']?)(?P<value>[^{},\"']*)\Z")
_PROSE = re.compile(r"[a-z_]+:\s*[^\s{]|[^#]*(?:^|\s)#")
"""A key of the file with a text behind it, or a comment: nothing can be said of what comes next."""
_BEFORE_KEY = re.compile(r"(?:^|[{,]|- )\s*\Z")
_OF_COLUMN = re.compile(r"(?P<column>\w+)\s*=\s*(?:[\w.-]+\s*\|\s*)*\Z")


class Completion(NamedTuple):
    """Something that can be typed: the text, what kind of thing it is, and what it means."""

    text: str
    kind: str
    meaning: str


def completions(library: Library, before: str) -> tuple[str, list[Completion]]:
    """Tell what can be typed behind the beginning of a line.

    Args:
        library: words and rules.
        before: the line up to the cursor.

    Returns:
        The part of the line that a completion replaces, and the completions that begin with it; a key before its
        values, the rest by their names.
    """
    match = _TYPED.search(before)
    typed = match[0] if match else ""
    rest = before[: len(before) - len(typed)]
    return typed, [each for each in _at(library, rest) if each.text.startswith(typed) and each.text != typed]


def _at(library: Library, before: str) -> Iterable[Completion]:
    """Everything that can stand behind a piece of a line."""
    if _PROSE.match(before):
        return ()
    value = _VALUE.search(before)
    if value is None:
        return _keys(before) if _BEFORE_KEY.search(before) else ()
    if value["key"] == "cat":
        categories = sorted({*library.grammar.categories, *library.grammar.phrases})
        return (Completion(name, "category", "") for name in categories)
    if value["key"] in ("frame", "no_frame"):
        return (Completion(name, "frame", meaning) for name, meaning in FRAMES.items())
    if value["key"] == "is":
        return _restrictions(RestrictionChecker(library.lexicon, tuple(OPEN_CLASSES)), value["value"])
    return ()


def _keys(before: str) -> Iterator[Completion]:
    if before:
        yield from (Completion(f"{key}: ", "key of a slot", meaning) for key, meaning in SLOT_KEYS.items())
    else:
        for name, field in ParadigmModel.model_fields.items():
            yield Completion(f"{name}: ", "key", field.description or "")


def _restrictions(checker: RestrictionChecker, before: str) -> Iterator[Completion]:
    column = _OF_COLUMN.search(before)
    if column is None:
        yield from (Completion(name, "type or frame", "") for name in checker.names)
        yield from (Completion(f"+{name}", "tag", "") for name in checker.tags)
        yield from (Completion(f"{name}=", "column", ", ".join(values)) for name, values in checker.columns.items())
    elif column["column"] == "lemma":
        yield from (Completion(lemma, "lemma", "") for lemma in sorted(checker.lemmas))
    else:
        yield from (Completion(value, "value", "") for value in checker.columns.get(column["column"], ()))
