"""Whether the features that a slot asks for exist: in the rules of its category, or as columns of its words."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial

from blimpgen.base.errors import DataError, Place, missing_values, nearest
from blimpgen.grammar import Grammar, Rule, reachable
from blimpgen.grammar.rules import FORMS
from blimpgen.lexicon import CATEGORIES, Lexicon
from blimpgen.lexicon.forms import DEGREES
from blimpgen.lexicon.inventory import name_values
from blimpgen.lexicon.readings import PRONOUNS, Reading
from blimpgen.lexicon.restrictions import atoms
from blimpgen.plan.nodes import Node
from blimpgen.plan.spec import KEYS, WORDS, SlotSpec

__all__ = ["check_below", "check_features", "drawn_features"]

_DRAWN: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "N": {"Number": ("Sing", "Plur")},
    "Cop": {"Tense": ("Pres", "Past"), "Polarity": ("Pos", "Neg")},
    "Aux": {"Tense": ("Pres", "Past"), "Polarity": ("Pos", "Neg")},
    "A": {"Degree": tuple(DEGREES)},
}
"""Lexical category to the features that can be drawn for it, with their values."""
_ON_DEMAND = frozenset({"Degree"})
"""Features that are drawn only where a slot asks for them."""

_REALISED = ("Case",)


def drawn_features(category: str, asked: Container[str]) -> dict[str, tuple[str, ...]]:
    """Return the features that are drawn for words of a category, with their values.

    Args:
        category: a lexical category.
        asked: the features that the slot has.
    """
    drawn = _DRAWN.get(category, {})
    return {name: values for name, values in drawn.items() if name not in _ON_DEMAND or name in asked}


_OF_ANOTHER: Mapping[str, Mapping[str, str]] = {
    "Number": {"V": "its subject", "Aux": "its subject", "D": "its noun"},
    "count": {"D": "its noun"},
}
"""Features that words of some categories have from another word, and from which."""


def check_features(spec: SlotSpec, categories: Iterable[str], grammar: Grammar, lexicon: Lexicon) -> None:
    """Check the features of a slot or daughter.

    Args:
        spec: the slot.
        categories: its categories.
        grammar: the rules of these.
        lexicon: the words.

    Raises:
        DataError: a feature that none of the categories has, or a value that none of them gives it; an unknown
            category under ``every``.
    """
    for category in spec.every:
        if category not in CATEGORIES:
            raise DataError(
                f"every: unknown category {category!r}; {nearest(category, CATEGORIES)}", spec.at("every"), "category"
            )
    requested = {name: values.values for name, values in spec.features.items() if name not in _REALISED}
    columns = [(atom, place) for expression, place in spec.restrictions for atom in atoms(expression)]
    columns = [(atom, place) for atom, place in columns if atom.kind == "column"]
    if not (requested or columns or spec.frames or spec.no_frames):
        return
    rules, words = grammar.reached(categories, drawn=False)
    words = [word for word in words if word in CATEGORIES]
    shown = " | ".join(dict.fromkeys(categories))
    if words and (spec.frames or spec.no_frames) and not {"V", "A"} & set(words):
        raise DataError(f"{shown} has no frames; verbs and adjectives have", spec.at("frame"), "frame")
    for name, owners in _OF_ANOTHER.items():
        if name in requested and "N" not in words and (owned := [word for word in words if word in owners]):
            what = f"{shown} has the {name} of {owners[owned[0]]}; say {name} in the slot that is {owners[owned[0]]}"
            hint = "" if "V" in owned else ", and agrees_with: SLOT here"
            raise DataError(f"{what}{hint}", spec.at(name), "feature")
    for name, requested_values in requested.items():
        sources = partial(_sources, name, rules, words, lexicon)
        names = (*_names(rules, words, lexicon), *KEYS)
        _check(shown, name, requested_values, sources, names, spec.at(name), lexicon)
    for atom, place in columns:
        sources = partial(_sources, atom.name, [], words, lexicon)
        of_words = _names([], words, lexicon)
        _check(" | ".join(words), atom.name, atom.values, sources, of_words, place, lexicon)


def _check(
    shown: str,
    name: str,
    values: Iterable[str],
    sources: Callable[[], Iterator[Iterable[str]]],
    existing: Iterable[str],
    place: Place,
    lexicon: Lexicon,
) -> None:
    """Whether some source has the feature at all, and each of the values."""
    if not any(True for source in sources() for _ in source):
        raise DataError(f"{shown} has no feature {name!r}; {nearest(name, dict.fromkeys(existing))}", place, "feature")
    named = [value for value in values if value != "any" or name in WORDS]
    missing = [value for value in named if not any(value in source for source in sources())]
    if missing:
        there = sorted({value for source in sources() for value in source if value})
        readings = lexicon.readings.by_text if name == "lemma" else {}
        elsewhere = {value: _known_as(readings[value][0], lexicon) for value in missing if value in readings}
        elsewhere |= {
            value: f"a feature takes alternatives with |: {' | '.join(value.split('/'))}"
            for value in missing
            if "/" in value and set(value.split("/")) <= {*there}
        }
        elsewhere |= {
            value: f"write {name}: {opposite} {value.split()[1]}, without not"
            for value in missing
            for tie, opposite in (("same ", "other"), ("other ", "same"))
            if value.startswith(tie)
        }
        raise DataError(missing_values(shown, name, missing, there, elsewhere), place, "value")


def _known_as(reading: Reading, lexicon: Lexicon) -> str:
    """What a word is that is no lemma of a category: a lemma of another one, or a form."""
    if reading.category in PRONOUNS:
        return "it is a pronoun"
    columns = lexicon.inventory(reading.category).columns
    lemma = columns["lemma"][reading.row]
    if "prt" in columns and (particle := columns["prt"][reading.row]):
        return f"write lemma={lemma} & prt={particle} under is:"
    return f"it is of category {reading.category}, with the lemma {lemma!r}"


def _sources(name: str, rules: list[Rule], words: list[str], lexicon: Lexicon) -> Iterator[Iterable[str]]:
    for rule in rules:
        for features in (rule.features, rule.head.features):
            yield features.get(name, ())
    for category in words:
        yield _DRAWN.get(category, {}).get(name, ())
        yield lexicon.inventory(category).values(name)
        if category == "V":
            yield FORMS if name == "form" else ()
            yield _values(lexicon.verbs.frames.columns.get(name, ()))


def _values(cells: Iterable[str]) -> Iterator[str]:
    for cell in set(cells):
        yield from name_values(cell)


def _names(rules: list[Rule], words: list[str], lexicon: Lexicon) -> Iterator[str]:
    for rule in rules:
        yield from (*rule.features, *rule.head.features)
    for category in words:
        yield from (*_DRAWN.get(category, ()), *lexicon.inventory(category).columns)


def check_below(spec: SlotSpec, node: Node, grammar: Grammar) -> None:
    """Check that what a slot says of its daughters, and of everything below it, is said of something.

    Args:
        spec: the slot.
        node: its node.
        grammar: the rules of its category.

    Raises:
        DataError: a daughter that it, or one of its rules, has not; a category of which nothing can stand below it.
    """
    if spec.every:
        heads = {leaf.inventory.category for leaf in node.leaves}
        within = reachable({*heads, *(name.partition(".")[0] for name in spec.cat)}, grammar.rules)
        for category in spec.every:
            if category not in within:
                hint = nearest(category, sorted(within.intersection(CATEGORIES)))
                raise DataError(f"every: no {category} in slot {spec.name!r}; {hint}", spec.at("every"), "category")
    _check_daughters(spec, node)
    for name in spec.cat:
        for role, below in spec.daughters.items():
            if role not in _roles(name, grammar):
                what = f"{name} has no {role}, so that this leaves none of them; take it out, or say it under every:"
                raise DataError(what, below.place, "feature")


def _roles(name: str, grammar: Grammar) -> set[str]:
    """The roles of the daughters on the way from an item of ``cat``, a category or one of its rules, to the head."""
    category, _, label = name.partition(".")
    first = [grammar.named(category, label)] if label else []
    below, _ = grammar.reached([rule.head.category for rule in first] or [category], drawn=False)
    return {d.role for rule in (*first, *below) for d in rule.daughters}


def _check_daughters(spec: SlotSpec, node: Node) -> None:
    for role, below in spec.daughters.items():
        if role not in node.children:
            whose = " | ".join(spec.cat) or f"slot {spec.name!r}, the head word alone of {spec.like!r},"
            what = f"{whose} has no {role}; {nearest(role, node.children)}"
            raise DataError(what, below.place, "feature")
        if below.every:
            raise DataError(
                "every: stands on a slot and holds for all below it, not on a daughter", below.at("every"), "key"
            )
        _check_daughters(below, node.children[role])
