"""A parser of strings: any sentence that the words and rules of a language allow.

A sentence is cut into words, possessive clitics and marks. Several tokens may be one lexeme (*taxi driver*); all ways
to cut are tried at once. A token is everything that the lexicon lists for it, and itself where a rule writes it out.
The first word may have lost its capital; a sentence without a final mark is read as a statement. In a language of word
lists, joins are undone: *del* is cut into *de* and *el*, and *el* before *agua* may be *la*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from blimpgen.base.errors import UsageError, printable
from blimpgen.english.words import capitalized, grammar_tokens, is_mark, uncapitalized
from blimpgen.grammar.chart import Arc, Chart
from blimpgen.grammar.diagnosis import Diagnosis, diagnose
from blimpgen.grammar.forest import Forest, Terminal, Tree
from blimpgen.grammar.grammar import Grammar
from blimpgen.grammar.states import Symbol
from blimpgen.lexicon.entries import Entries, Entry
from blimpgen.lexicon.language import LanguageModel
from blimpgen.lexicon.readings import Reading

if TYPE_CHECKING:
    import nltk

__all__ = ["MOST_TREES", "MOST_WORDS", "Parse", "Parser", "Parses", "Word", "sentence_tokens"]

MOST_WORDS = 100
"""The longest sentence, in tokens."""
MOST_TREES = 100
"""How many trees of a sentence are given out."""


@dataclass(frozen=True)
class Word:
    """What a word of a sentence is in one derivation.

    Attributes:
        text: as written; several tokens where they are one lexeme.
        category: the category of the grammar; empty for a word that its rule writes out.
        features: feature to value, the frame of a verb among them.
        lexemes: the ids of all lexemes that are read so.
    """

    text: str
    category: str
    features: dict[str, str]
    lexemes: tuple[str, ...]


@dataclass(frozen=True)
class Parse:
    """One derivation of a sentence."""

    grammar: Grammar = field(repr=False)
    tokens: tuple[str, ...]
    derivation: Tree = field(repr=False)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """What each word is."""
        return tuple(self._word(leaf) for leaf in self.derivation.leaves())

    @cached_property
    def tree(self) -> nltk.Tree:
        """The tree, its labels the categories."""
        return self._nltk(self.derivation, with_features=False)

    @cached_property
    def feature_tree(self) -> nltk.Tree:
        """The tree, its labels NLTK's categories with features."""
        return self._nltk(self.derivation, with_features=True)

    def __str__(self) -> str:
        """Write the tree in brackets."""
        return self._brackets(self.derivation)

    def _text(self, tree: Tree) -> str:
        return " ".join(self.tokens[slice(*tree.span)])

    def _features(self, tree: Tree) -> dict[str, str]:
        declared = self.grammar.categories.get(tree.label)
        pairs = zip(declared.features, tree.values, strict=True) if declared and tree.values else ()
        return {name: value for name, value in pairs if value and not name.startswith("is ")}

    def _word(self, leaf: Tree) -> Word:
        assert leaf.terminal is not None
        category = "" if leaf.terminal.literal else leaf.label
        return Word(self._text(leaf), category, self._features(leaf), leaf.terminal.lexemes)

    def _brackets(self, tree: Tree) -> str:
        if tree.terminal is not None:
            return self._text(tree) if tree.terminal.literal else f"({tree.label} {self._text(tree)})"
        return f"({tree.label} {' '.join(map(self._brackets, tree.children))})"

    def _nltk(self, tree: Tree, *, with_features: bool) -> nltk.Tree:
        from nltk.tree import Tree as NltkTree

        from blimpgen.grammar.nltk_export import nonterminal

        label = nonterminal(tree.label, dict(self._features(tree))) if with_features else tree.label
        if tree.terminal is not None:
            return NltkTree(label, [self._text(tree)])
        daughters = [
            self._text(child)
            if child.terminal is not None and child.terminal.literal
            else self._nltk(child, with_features=with_features)
            for child in tree.children
        ]
        return NltkTree(label, daughters)


@dataclass(frozen=True)
class Parses:
    """What the grammar makes of a sentence; true if it derives it.

    Attributes:
        text: the sentence.
        reading: closed or open.
        tokens: its words, clitics and marks.
        count: the exact number of derivations, however many; readings that differ in lexemes alone count once.
    """

    text: str
    reading: str
    tokens: tuple[str, ...]
    count: int
    _parser: Parser = field(repr=False)
    _forest: Forest = field(repr=False)

    def __bool__(self) -> bool:
        return self.count > 0

    def __iter__(self) -> Iterator[Parse]:
        """Yield at most `MOST_TREES` derivations, written out only when they are asked for."""
        for tree in self._forest.trees(MOST_TREES):
            yield Parse(self._parser.grammar, self.tokens, tree)

    @cached_property
    def first(self) -> Parse | None:
        """The first derivation, or None."""
        trees = self._forest.trees(1)
        return Parse(self._parser.grammar, self.tokens, trees[0]) if trees else None

    @cached_property
    def diagnosis(self) -> Diagnosis:
        """Why the sentence is not derived; of one that is derived, nothing."""
        return Diagnosis() if self else self._parser.diagnose(self.text, self.tokens)


class Parser:
    """Parses sentences in one reading.

    Args:
        chart: the recogniser of the grammar.
        entries: its words.
        reading: closed (what the lexicon lists) or open (what it does not exclude).
    """

    def __init__(self, chart: Chart, entries: Entries, reading: str = "closed") -> None:
        self.chart, self.grammar, self.entries, self.reading = chart, chart.grammar, entries, reading
        self.language = entries.lexicon.language if chart.grammar.lists else None
        self._words: dict[tuple[str, bool], tuple[tuple[Symbol, Terminal], ...]] = {}

    def parse(self, text: str) -> Parses:
        """Parse a sentence.

        Raises:
            UsageError: it has no letters, or more than `MOST_WORDS` words.
        """
        tokens = self.tokens(text)
        forest = self._forest(text, tokens)
        return Parses(text, self.reading, tokens, forest.count(), self, forest)

    def derives(self, text: str) -> bool:
        """Whether a sentence has a derivation; nothing else is worked out.

        Raises:
            UsageError: it has no letters, or more than `MOST_WORDS` words.
        """
        return bool(self._forest(text, self.tokens(text)))

    def _forest(self, text: str, tokens: tuple[str, ...]) -> Forest:
        """What the grammar makes of a sentence; nothing if words stand apart that joins change where they meet."""
        apart = self.language is not None and self.language.unjoined(text) is not None
        return self.chart.forest([[] for _ in tokens] if apart else self.lattice(tokens))

    def tokens(self, text: str) -> tuple[str, ...]:
        """Cut a sentence; see `sentence_tokens`."""
        return sentence_tokens(text, self.language)

    def unknown(self, text: str) -> list[str]:
        """Give the words of a sentence that neither the lexicon nor a rule has.

        Raises:
            UsageError: it has no letters, or more than `MOST_WORDS` words.
        """
        tokens = self.tokens(text)
        return [tokens[at] for at in _uncovered(self.lattice(tokens))]

    def lattice(self, tokens: tuple[str, ...], chart: Chart | None = None) -> list[list[Arc]]:
        """Read the tokens of a sentence in all ways.

        Args:
            tokens: words, clitics and marks.
            chart: the recogniser that the symbols are for; the parser's own by default.

        Returns:
            For each position the terminals that end with it.
        """
        arcs: list[list[Arc]] = [[] for _ in tokens]
        longest = self.entries.lexicon.readings.longest
        opened = 0
        while self.language and opened < len(tokens) and tokens[opened] in self.language.opening:
            opened += 1
        for start, token in enumerate(tokens):
            first = start in (0, opened)
            reach = max(
                longest.get(word, 1) for word in ((uncapitalized(token), capitalized(token)) if first else (token,))
            )
            for end in range(start + 1, min(start + reach, len(tokens)) + 1):
                for symbol, terminal in self.read(" ".join(tokens[start:end]), first):
                    arcs[end - 1].append((start, symbol if chart is None else chart.symbol(terminal), terminal))
            for other in self.undisguised(token, tokens[start + 1], first) if start + 1 < len(tokens) else ():
                for symbol, terminal in self.read(other, first):
                    arcs[start].append((start, symbol if chart is None else chart.symbol(terminal), terminal))
        _keep_compounds(arcs)
        return arcs

    def undisguised(self, word: str, following: str, first: bool) -> tuple[str, ...]:
        """The other words that joins may have made into a word of a language of word lists.

        Args:
            word: as it is written.
            following: the next word.
            first: whether it begins its sentence.
        """
        return self.language.undisguised(uncapitalized(word) if first else word, following) if self.language else ()

    def read(self, text: str, first: bool) -> tuple[tuple[Symbol, Terminal], ...]:
        """Give the readings of a word, those with the same features in one.

        Args:
            text: one word, or several that may be one lexeme.
            first: whether it begins its sentence, where it may have lost its capital.
        """
        found = self._words.get((text, first))
        if found is None:
            found = tuple(self._readings(text, first))
            if found:  # what is no word is not kept: there is no end to it
                self._words[text, first] = found
        return found

    def symbols(self, text: str, first: bool) -> frozenset[Symbol]:
        """Give what the grammar can make of a word, which takes less than to tell its readings.

        Args:
            text, first: as of `read`.
        """
        lower = uncapitalized(text) if first else text
        literals = (symbol for symbol, _ in self._literals(lower))
        return frozenset(symbol for symbol, _, _ in self._analysed(lower, first)).union(literals)

    def _readings(self, text: str, first: bool) -> Iterator[tuple[Symbol, Terminal]]:
        lower = uncapitalized(text) if first else text
        yield from self._literals(lower)
        lexemes: dict[Symbol, dict[str, None]] = {}
        entries: dict[Symbol, Entry] = {}
        for symbol, entry, analysis in self._analysed(lower, first):
            entries[symbol] = entry
            lexemes.setdefault(symbol, {})[self.entries.lexicon.readings.lexeme(analysis)] = None
        for symbol, (category, values) in entries.items():
            yield symbol, Terminal(category, values, lexemes=tuple(filter(None, lexemes[symbol])))

    def _literals(self, lower: str) -> Iterator[tuple[Symbol, Terminal]]:
        """Yield a word as rules write it out, if some do."""
        if lower in self.chart.literals:
            literal = Terminal(lower, literal=True)
            yield self.chart.symbol(literal), literal

    def _analysed(self, lower: str, first: bool) -> Iterator[tuple[Symbol, Entry, Reading]]:
        """Yield what the lexicon has of a word that rules can use."""
        for analysis, entry in self.entries.analyses(lower, self.reading, first=first):
            if entry[0] in self.grammar.categories:
                yield self.chart.of_word(*entry), entry, analysis

    def diagnose(self, text: str, tokens: tuple[str, ...]) -> Diagnosis:
        """Say why a sentence is not derived.

        Args:
            text: the sentence.
            tokens: its words, clitics and marks.
        """
        if self.language and (unjoined := self.language.unjoined(text)):
            return Diagnosis(unjoined=unjoined)
        unknown = [tokens[at] for at in _uncovered(self.lattice(tokens))]
        lexicon = self.entries.lexicon
        known = [*lexicon.readings.by_text, *lexicon.closed_words, *self.chart.literals] if unknown else []
        return diagnose(self.chart, tokens, unknown, known, lambda chart: self.lattice(tokens, chart))


def sentence_tokens(text: str, language: LanguageModel | None = None) -> tuple[str, ...]:
    """Cut a sentence into words, clitics and marks; one without a final mark gets its full stop.

    Args:
        text: the sentence.
        language: a language of word lists; English without.

    Raises:
        UsageError: it has no letters, what is no character of a text, or more than `MOST_WORDS` words.
    """
    wanted = f"a sentence of the language {language.name}" if language else "an English sentence"
    if control := [character for character in text if printable(character) != character and not character.isspace()]:
        raise UsageError(f"{control[0]!r} is no character of a text; give {wanted}")
    if not any(character.isalpha() for character in text):
        raise UsageError(f"no letters in {text[:40]!r}; give {wanted}")
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    tokens = language.tokens(text) if language else grammar_tokens(text)
    if not is_mark(tokens[-1]):
        tokens.append(".")
    if len(tokens) > MOST_WORDS:
        raise UsageError(f"{len(tokens):,} words and marks; a sentence has at most {MOST_WORDS}, give one at a time")
    if language:
        return tuple(tokens)
    # the capital stands in the result as it was written; readings are looked up without it
    return (text.strip()[:1] + tokens[0][1:], *tokens[1:])


def is_compound(length: int, symbol: Symbol) -> bool:
    """Whether an arc is a noun or reciprocal of several words, which is not taken apart.

    *The gym teachers have* is not *the gym that teachers have*, nor *gave one another* one thing to another: readers
    take what is a word of the lexicon as one.

    Args:
        length: how many words it spans.
        symbol: its symbol.
    """
    return length > 1 and symbol.name in ("N", "Refl")


def _keep_compounds(arcs: list[list[Arc]]) -> None:
    """Remove the arcs that would take a noun of several words apart: those that overlap it and do not contain it."""
    spans = {
        (start, end)
        for end, each in enumerate(arcs)
        for start, symbol, _ in each
        if is_compound(end + 1 - start, symbol)
    }
    for place, each in enumerate(arcs) if spans else ():
        each[:] = [
            arc
            for arc in each
            if is_compound(place + 1 - arc[0], arc[1])
            or not any(start < arc[0] <= end or start <= place < end for start, end in spans)
        ]


def _uncovered(arcs: list[list[Arc]]) -> list[int]:
    """The positions that no terminal covers."""
    covered = {at for end, ending in enumerate(arcs, start=1) for start, *_ in ending for at in range(start, end)}
    return [at for at in range(len(arcs)) if at not in covered]
