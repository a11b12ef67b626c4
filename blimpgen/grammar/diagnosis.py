"""Why a sentence is not derived: words that nobody knows, one feature that is in the way, and what could be built."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from blimpgen.base.errors import respelt
from blimpgen.grammar.chart import Arc, Chart
from blimpgen.grammar.flat import NO
from blimpgen.grammar.forest import Item, Tree

__all__ = ["Clashing", "Constituent", "Diagnosis", "UnknownWord", "diagnose"]

_TREES = 20
"""How many trees are looked through for the one with the fewest clashes."""
_SHOWN = 3
"""How many words of several words are shown for one that does not stand alone."""


@dataclass(frozen=True)
class UnknownWord:
    """A word that neither the lexicon nor a rule has by itself.

    Attributes:
        word: the word.
        nearest: the nearest one that they have; this one, if no rule takes it.
        longer: what they have that begins with it (*relied on*).
    """

    word: str
    nearest: str | None
    longer: tuple[str, ...] = ()

    def __str__(self) -> str:
        if self.is_untaken:
            return f"no rule takes {self.word!r}, which the lexicon has"
        if self.longer:
            return f"{self.word!r} does not stand alone: {' or '.join(self.longer)}"
        return f"{self.word!r} is no word of the lexicon"

    @property
    def is_untaken(self) -> bool:
        """Whether the lexicon has the word itself."""
        return self.nearest is not None and self.nearest.lower() == self.word.lower()


@dataclass(frozen=True)
class Clashing:
    """A feature without which the sentence would be derived.

    Attributes:
        feature: its name.
        rule: the rule in which it is in the way.
        category: the category of the daughter.
        words: the words of the daughter.
        wanted: the value that the rule or an earlier daughter wants.
        value: the value that the daughter has; of a word all that it may have, with slashes.
    """

    feature: str
    rule: str
    category: str
    words: str
    wanted: str
    value: str

    def __str__(self) -> str:
        has = f"{self.category} {self.words!r} has {self.feature}={self.value}"
        return f"{has}, but {self.rule} wants {self.feature}={self.wanted} there"


@dataclass(frozen=True)
class Constituent:
    """A constituent that could be built: its category (empty for an unknown word) and its words."""

    category: str
    words: str

    def __str__(self) -> str:
        return f"({self.category} {self.words})" if self.category else self.words


@dataclass(frozen=True)
class Diagnosis:
    """Why a sentence is not derived.

    Attributes:
        unknown: its unknown words.
        clashes: one for each feature without which it would be derived, those first that are in the way once only.
        constituents: the fewest constituents that cover it.
        unjoined: the first two words that are not written so where they meet, and how they are; empty if none are.
    """

    unknown: tuple[UnknownWord, ...] = ()
    clashes: tuple[Clashing, ...] = ()
    constituents: tuple[Constituent, ...] = ()
    unjoined: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it in one line: unknown words, what clashes first, and the longest constituents."""
        if self.unjoined:
            return "{!r} is written {!r}".format(*self.unjoined)
        reasons = list(map(str, self.unknown))
        reasons += map(str, self.clashes[:1])
        return "; ".join([*reasons, f"longest constituents: {' '.join(map(str, self.constituents))}"])


def diagnose(
    chart: Chart,
    tokens: Sequence[str],
    unknown: Iterable[str],
    known: Sequence[str],
    read: Callable[[Chart], list[list[Arc]]],
) -> Diagnosis:
    """Say why a sentence is not derived.

    Args:
        chart: the recogniser that does not derive it.
        tokens: its words, clitics and marks.
        unknown: its unknown words.
        known: the words that there are, if any is unknown.
        read: reads the tokens with the symbols of a recogniser.
    """
    words = tuple(
        UnknownWord(word, respelt(word, _alike(word, known)), _longer(word, known)) for word in dict.fromkeys(unknown)
    )
    clashes = () if words else tuple(_clashes(chart, tokens, read))
    items = chart.forest(read(chart), top=None).items
    return Diagnosis(words, clashes, tuple(_covering(chart, tokens, items)))


def _alike(word: str, known: Iterable[str]) -> list[str]:
    """The words that may be near at all: with the same first or last letter, and of about the same length."""
    ends = {word[:1].lower(), word[-1:].lower()}
    return [k for k in known if abs(len(k) - len(word)) < 3 and ({k[:1].lower(), k[-1:].lower()} & ends)]


def _longer(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """A few of the words of several words that begin with one."""
    return tuple(sorted(k for k in known if k.startswith(f"{word.lower()} "))[:_SHOWN])


def _clashes(chart: Chart, tokens: Sequence[str], read: Callable[[Chart], list[list[Arc]]]) -> Iterator[Clashing]:
    """One clash for each feature whose relaxation lets the sentence be derived, the fewest clashes first."""
    found: list[list[Clashing]] = []
    for feature in chart.features:
        relaxed = chart.relaxed(feature)
        arcs = read(relaxed)
        inside = [list(_inside(relaxed, tokens, arcs, tree)) for tree in relaxed.forest(arcs).trees(_TREES)]
        if inside:
            found.append(min(inside, key=len))
    for clashes in sorted(found, key=len):
        yield from clashes[:1]


def _inside(chart: Chart, tokens: Sequence[str], arcs: Sequence[Sequence[Arc]], tree: Tree) -> Iterator[Clashing]:
    """The clashes in a tree; of a word, all the values that it could have."""
    if tree.pattern is not None:
        for clash in chart.states.clashes(tree.pattern, [child.values for child in tree.children]):
            child = tree.children[clash.daughter]
            start, end = child.span
            values = [clash.value]
            if child.terminal is not None:
                readings = (terminal for at, _, terminal in arcs[end - 1] if at == start)
                values = [
                    t.values[clash.feature] for t in readings if t.category == child.label and clash.feature in t.values
                ]
            value = "/".join(sorted({*values, clash.value}))
            words = " ".join(tokens[start:end])
            yield Clashing(clash.feature, tree.rule, child.label, words, clash.wanted, value)
    for child in tree.children:
        yield from _inside(chart, tokens, arcs, child)


def _covering(chart: Chart, tokens: Sequence[str], items: Iterable[Item]) -> Iterator[Constituent]:
    """The fewest constituents that cover the tokens; among those the ones that wait for least, and the longest."""
    ending: dict[int, list[Item]] = {}
    for item in items:
        ending.setdefault(item.end, []).append(item)
    best: list[tuple[tuple[int, int, int], tuple[Constituent, ...]]] = [((0, 0, 0), ())]
    for end in range(1, len(tokens) + 1):
        (pieces, waiting, size), before = best[end - 1]
        options = [((pieces + 1, waiting + 1, size), (*before, Constituent("", tokens[end - 1])))]
        for item in reversed(ending.get(end, [])):
            (pieces, waiting, size), before = best[item.start]
            words = " ".join(tokens[item.start : end])
            cost = pieces + 1, waiting + _waits(chart, item), size - (end - item.start) ** 2
            options.append((cost, (*before, Constituent(item.symbol.name, words))))
        best.append(min(options, key=lambda option: option[0]))
    yield from best[-1][1]


def _waits(chart: Chart, item: Item) -> int:
    """For how much a constituent waits: a gap, a reflexive, a polarity item, a copula."""
    category = chart.grammar.categories.get(item.symbol.name)
    if category is None:
        return 0
    pairs = zip(category.features, item.symbol.values, strict=True)
    return sum(
        value == "pred" or (category.defaults.get(name) == NO and value not in (NO, None)) for name, value in pairs
    )
