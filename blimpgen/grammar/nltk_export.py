"""The grammar as an NLTK feature grammar, so that NLTK's chart parser can judge our sentences independently."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from blimpgen.english.words import is_mark
from blimpgen.grammar.flat import Bundle, Constants, FlatRule, Value
from blimpgen.grammar.rules import Category

if TYPE_CHECKING:
    from nltk.grammar import FeatStructNonterminal, FeatureGrammar

    from blimpgen.lexicon.entries import Entries

_NOT_IN_NAMES = re.compile(r"\W+")

__all__ = ["nonterminal", "to_nltk"]


def to_nltk(
    categories: Mapping[str, Category], rules: Sequence[FlatRule], entries: Entries, words: Iterable[str], reading: str
) -> FeatureGrammar:
    """Rules with every feature that they fix, and the entries of the given words.

    Args:
        categories: all of them by name, with their features.
        rules: those used in recognition, written out.
        entries: what words may be.
        words: the words that sentences will be made of.
        reading: which uses of the words count: closed (as listed), or open (also those not ruled out).
    """
    from nltk.grammar import FeatStructNonterminal, FeatureGrammar, Production

    words = list(words)
    lexical = list(_lexical(categories, entries, words, reading))
    usable, wanted = _usable(rules, {Bundle(word, True).constants for word in words}, {b.constants for b, _ in lexical})
    productions = [
        Production(_symbol(flat.mother), [d.category if d.literal else _symbol(d) for d in flat.daughters])
        for flat in usable
    ]
    productions += [Production(_symbol(b), [word]) for b, word in lexical if _fits(b.constants, wanted)]
    return FeatureGrammar(FeatStructNonterminal("TOP[]"), productions)


def _usable(
    rules: Sequence[FlatRule], words: set[Constants], lexical: set[Constants]
) -> tuple[list[FlatRule], dict[str, set[Constants]]]:
    """The rules that can be built from some words and be part of a sentence: without the others NLTK is faster.

    Returns:
        The rules, and by category what they want as daughters.
    """
    usable, built = list[FlatRule](), _by_category(words | lexical)
    while True:
        able = [rule for rule in rules if all(_fits(d.constants, built) for d in rule.daughters)]
        if len(able) == len(usable):
            break
        usable, built = able, _by_category(words | lexical | {rule.mother.constants for rule in able})
    top = Bundle("TOP").constants
    reached, wanted = list[FlatRule](), _by_category({top})
    while able := [rule for rule in usable if _fits(rule.mother.constants, wanted)]:
        if len(able) == len(reached):
            return reached, wanted
        reached, wanted = able, _by_category({top, *(d.constants for rule in able for d in rule.daughters)})
    # No sentence can be made of the words; an empty grammar is none for NLTK.
    return list(rules), _by_category({d.constants for rule in rules for d in rule.daughters})


def _by_category(bundles: Iterable[Constants]) -> dict[str, set[Constants]]:
    by_category: dict[str, set[Constants]] = defaultdict(set)
    for bundle in bundles:
        by_category[bundle.category].add(bundle)
    return by_category


def _fits(bundle: Constants, others: Mapping[str, set[Constants]]) -> bool:
    """Whether the constants of a bundle go with those of one of the others of its category."""
    own = dict(bundle.values)
    return any(
        bundle.literal == other.literal and all(own.get(name, value) == value for name, value in other.values)
        for other in others.get(bundle.category, ())
    )


def _symbol(bundle: Bundle) -> FeatStructNonterminal:
    return nonterminal(bundle.category, bundle.values)


def nonterminal(category: str, values: Mapping[str, Value]) -> FeatStructNonterminal:
    """Write a category with values as NLTK has it.

    Args:
        category: its name.
        values: feature to constant or variable; None for any value.
    """
    from nltk.grammar import FeatStructNonterminal

    written = [
        f"{_NOT_IN_NAMES.sub('_', name)}={_variable(value) if value.startswith('?') else repr(str(value))}"
        for name, value in values.items()
        if value is not None
    ]
    return FeatStructNonterminal(f"{category}[{', '.join(written)}]")


def _variable(name: str) -> str:
    return f"?{_NOT_IN_NAMES.sub('_', name.removeprefix('?'))}"


def _lexical(
    categories: Mapping[str, Category], entries: Entries, words: Iterable[str], reading: str
) -> Iterator[tuple[Bundle, str]]:
    """Each entry of some words, and the word."""
    sequence = list(words)
    begins = (True, *(is_mark(word) for word in sequence[:-1]))
    for word, first in dict.fromkeys(zip(sequence, begins, strict=True)):
        for category, values in entries.of(word, reading, first=first):
            if category in categories:
                declared = categories[category].features
                yield Bundle(category, values={n: v for n, v in values.items() if n in declared}), word
