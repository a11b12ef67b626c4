"""The grammar as an NLTK feature grammar, so that NLTK's chart parser can judge our sentences independently."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from blimpgen.grammar.flat import Bundle, Value, flatten
from blimpgen.grammar.model import Category, Rule

if TYPE_CHECKING:
    from nltk.grammar import FeatStructNonterminal, FeatureGrammar, Production

    from blimpgen.lexicon.entries import Entries

__all__ = ["to_nltk", "tokens"]

_FINAL_MARKS = (".", "?", "!")


def tokens(sentence: str) -> list[str]:
    """A sentence as tokens: the first letter in lower case, possessive clitics and the final mark split off."""
    words = sentence.split()
    mark = words[-1][-1] if words and words[-1].endswith(_FINAL_MARKS) else ""
    if mark:
        words[-1] = words[-1][:-1]
    found: list[str] = []
    for word in words:
        stem, clitic = _split(word)
        found += [stem, clitic] if clitic else [stem]
    found[0] = found[0][:1].lower() + found[0][1:]
    return [*found, mark] if mark else found


def _split(word: str) -> tuple[str, str]:
    for clitic in ("'s", "'"):
        if word.endswith(clitic) and len(word) > len(clitic) and word.lower() != "it's":
            return word[: -len(clitic)], "'s"
    return word, ""


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
    return _nonterminal(bundle.category, bundle.values)


def _nonterminal(category: str, values: dict[str, Value]) -> FeatStructNonterminal:
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
    begins = (True, *(word in _FINAL_MARKS for word in sequence[:-1]))
    for word, first in dict.fromkeys(zip(sequence, begins, strict=True)):
        for category, values in entries.of(word, reading, first=first):
            if category in categories:
                declared = categories[category].features
                kept: dict[str, Value] = {n: v for n, v in values.items() if n in declared}
                yield Production(_nonterminal(category, kept), [word])
