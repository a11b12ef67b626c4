"""The grammar as an NLTK feature grammar, so that NLTK's chart parser can judge our sentences independently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from blimpgen.english.words import is_mark
from blimpgen.grammar.flat import Bundle, Value, flatten
from blimpgen.grammar.rules import Category, Rule

if TYPE_CHECKING:
    from nltk.grammar import FeatStructNonterminal, FeatureGrammar, Production

    from blimpgen.lexicon.entries import Entries

__all__ = ["nonterminal", "to_nltk"]


def to_nltk(
    categories: Mapping[str, Category], rules: Iterable[Rule], entries: Entries, words: Iterable[str], reading: str
) -> FeatureGrammar:
    """Rules with every feature that they fix, and the entries of the given words."""
    from nltk.grammar import FeatStructNonterminal, FeatureGrammar, Production

    productions = [
        Production(_symbol(flat.mother), [d.category if d.literal else _symbol(d) for d in flat.daughters])
        for flat in flatten(categories, rules)
    ]
    productions += _lexical(categories, entries, words, reading)
    return FeatureGrammar(FeatStructNonterminal("TOP[]"), productions)


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
        f"{name}={value if value.startswith('?') else repr(str(value))}"
        for name, value in values.items()
        if value is not None
    ]
    return FeatStructNonterminal(f"{category}[{', '.join(written)}]")


def _lexical(
    categories: Mapping[str, Category], entries: Entries, words: Iterable[str], reading: str
) -> Iterator[Production]:
    from nltk.grammar import Production

    sequence = list(words)
    begins = (True, *(is_mark(word) for word in sequence[:-1]))
    for word, first in dict.fromkeys(zip(sequence, begins, strict=True)):
        for category, values in entries.of(word, reading, first=first):
            if category in categories:
                declared = categories[category].features
                kept: dict[str, Value] = {n: v for n, v in values.items() if n in declared}
                yield Production(nonterminal(category, kept), [word])
