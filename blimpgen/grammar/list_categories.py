"""Lexical categories that are word lists: their features are those of the forms, and frames of the lexemes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from blimpgen.base.errors import DataError, Place, listing, nearest
from blimpgen.grammar.grammar import Grammar
from blimpgen.grammar.rules import Category, Rule
from blimpgen.lexicon import Inventory, Lexicon
from blimpgen.lexicon.features import split_features
from blimpgen.lexicon.language import LANGUAGE_FILE
from blimpgen.lexicon.schema import CATEGORIES

__all__ = ["FRAME", "check_lists"]

FRAME = "frame"
"""The feature of what a word takes."""


def check_lists(grammar: Grammar, lexicon: Lexicon) -> None:
    """Check the lexical categories that are none of a table: that the words of a list have what the rules ask for.

    Args:
        grammar: the rules.
        lexicon: the words.

    Raises:
        DataError: no such list, feature or value; a list beside tables; a language that is written without spaces.
    """
    _check_names(grammar, lexicon)
    values = {name: _values(lexicon.inventory(f"words:{name}")) for name in grammar.lists}
    rules = [rule for of_category in grammar.rules.values() for rule in of_category]
    asked_for = {value for rule in rules for d in rule.daughters for value in d.features.get(FRAME, ())}
    for name in values:
        _check_features(grammar.categories[name], values[name])
        _check_frames(lexicon.inventory(f"words:{name}"), values[name].get(FRAME, []), asked_for)
    in_phrases = _values_in_phrases(grammar, rules, values.values())
    for rule in rules:
        for daughter in (d for d in rule.daughters if not d.literal):
            known = values.get(daughter.category, in_phrases)
            for feature, value in ((feature, v) for feature, asked in daughter.features.items() for v in asked):
                _check_value(daughter.category, feature, value, known, rule.place)


def _check_names(grammar: Grammar, lexicon: Lexicon) -> None:
    """Whether the lexical categories are lists, or categories of tables, of a language that is cut at spaces."""
    tables = [name for name, category in grammar.categories.items() if category.lexical and name in CATEGORIES]
    for name in tables:
        if name in lexicon.inflected_lists:
            what = f"the list {name!r} has the name of a category of the tables; give it another name"
            raise DataError(what, grammar.categories[name].place, "symbol")
    for name in grammar.lists:
        place = grammar.categories[name].place
        if lexicon.language.spaces == "no":
            what = f"{lexicon.language.name} is written without spaces, and a grammar of lists cuts sentences at spaces"
            raise DataError(f"{what}; remove the grammar ({LANGUAGE_FILE} says spaces: no)", place, "symbol")
        if name not in lexicon.inflected_lists:
            hint = nearest(name, [*lexicon.inflected_lists, *CATEGORIES])
            what = f"no list of inflected words and no table has the name of the category {name!r}"
            raise DataError(f"{what}; {hint}", place, "symbol")
        if tables:
            what = f"{name!r} is a list, and there are categories of tables, {listing(tables)}"
            raise DataError(f"{what}; a grammar stands over lists, or over tables", place, "symbol")


def _values(inventory: Inventory) -> dict[str, list[str]]:
    """The values of each feature that the words of a list have."""
    values: dict[str, dict[str, None]] = {}
    for feature, value in (item for cell in inventory.forms for item in split_features(cell).items()):
        values.setdefault(feature, {})[value] = None
    frames = sorted(inventory.values("frames") - {"", "none"})
    return {**{name: list(each) for name, each in values.items()}, **({FRAME: frames} if frames else {})}


def _values_in_phrases(
    grammar: Grammar, rules: Sequence[Rule], of_lists: Iterable[dict[str, list[str]]]
) -> dict[str, list[str]]:
    """The values that a phrase may have for each feature of words: those of words, of rules and of declarations."""
    values: dict[str, list[str]] = {}
    for name, each in (item for of_list in of_lists for item in of_list.items()):
        values.setdefault(name, []).extend(each)
    given = [(name, tuple(asked)) for rule in rules for name, asked in rule.features.items()]
    given += [(name, (value,)) for category in grammar.categories.values() for name, value in category.defaults.items()]
    for name, some in given:
        if name in values:
            values[name].extend(some)
    return {name: list(dict.fromkeys(each)) for name, each in values.items() if name != FRAME}


def _check_features(category: Category, values: dict[str, list[str]]) -> None:
    """Whether the words of a list have the features that its category declares; one with a default needs none."""
    for name in category.features:
        if name not in values and name not in category.defaults and not name.startswith("is "):
            what = f"the list {category.name!r} has no feature {name!r}"
            raise DataError(
                f"{what}; {nearest(name, values)}, or give it a value, as {name}=X", category.place, "feature"
            )


def _check_frames(inventory: Inventory, frames: Sequence[str], asked_for: Collection[str]) -> None:
    """Whether some rule asks for each frame that words of a list have."""
    for frame in frames:
        if asked_for and frame not in asked_for:
            place = inventory.places[int(np.flatnonzero(inventory.has("frames", (frame,)))[0])]
            known = sorted(value for value in asked_for if not value.startswith("?"))
            raise DataError(f"no rule asks for the frame {frame!r}; {nearest(frame, known)}", place, "frame")


def _check_value(category: str, feature: str, value: str, values: dict[str, list[str]], place: Place) -> None:
    """Whether some word of a list, or of a phrase, has a value that a rule asks for."""
    known = values.get(feature)
    if known and value not in (*known, "any") and not value.startswith("?"):
        raise DataError(f"no word of {category!r} has {feature}={value}; {nearest(value, known)}", place, "value")
