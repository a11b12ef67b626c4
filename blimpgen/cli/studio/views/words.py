"""Words as the pages show them: the table that the restriction language searches, and one lexeme each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from blimpgen.base.errors import UsageError
from blimpgen.cli.studio.views.workspace import Workspace

if TYPE_CHECKING:
    from blimpgen.authoring import Fact
    from blimpgen.authoring.lexeme_facts import Lexeme

__all__ = ["LexemeView", "WordTable", "lexeme", "words"]

_MOST_WORDS = 500
"""Rows of the table of words."""
_EXAMPLES = 3
_SHOWN_IN = ("transitive", "intransitive", "regular_plural_subject_verb_agreement_1", "adjunct_island", "causative")
"""Paradigms with whose pairs a word is shown, if it fits a slot: plain ones first."""


@dataclass(frozen=True)
class WordTable:
    """Words that a query finds: how many, and of the first ones id, category, and what their table says."""

    count: int
    rows: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class LexemeView:
    """A lexeme: what its tables say and where, its forms, their readings, and sentences that have it."""

    id: str
    category: str
    facts: tuple[tuple[str, str], ...]
    forms: dict[str, str]
    readings: tuple[tuple[str, str], ...]
    sentences: tuple[tuple[str, str], ...]


def words(workspace: Workspace, query: str) -> WordTable:
    """The words that a query of `blimpgen lexicon` finds.

    Args:
        workspace: the data.
        query: a word, or a category with a restriction.

    Raises:
        UsageError: a restriction that is none.
    """
    from blimpgen.cli.lexicon import annotation, search

    matches = list(search(workspace.library.lexicon, query))
    rows = (
        (inventory.ids[k], inventory.category, ", ".join(f"{n}={v}" for n, v in annotation(inventory, k).items()))
        for inventory, k in matches[:_MOST_WORDS]
    )
    return WordTable(len(matches), tuple(rows))


def lexeme(workspace: Workspace, category: str, name: str) -> LexemeView:
    """A lexeme with its forms, frames, readings, and sentences.

    Args:
        workspace: the data.
        category: its category.
        name: its id.

    Raises:
        UsageError: there is none.
    """
    from blimpgen.authoring.lexeme_facts import find

    lexicon = workspace.library.lexicon
    word = next((one for one in find(lexicon, name) if (one.inventory.category, one.id) == (category, name)), None)
    if word is None:
        raise UsageError(f"no {category} {name!r}")
    forms = lexicon.inflected(word.inventory, word.number)
    readings = lexicon.readings
    said = (
        (text, f"{readings.lexeme(reading) or reading.category} ({reading.category}, {reading.cell})")
        for text in dict.fromkeys(forms.values())
        for reading in readings.by_text.get(text, ())
    )
    facts = tuple(_facts(word.facts(lexicon)))
    sentences = islice(_sentences(workspace, word), _EXAMPLES)
    return LexemeView(name, category, facts, forms, tuple(said), tuple(sentences))


def _sentences(workspace: Workspace, lexeme: Lexeme) -> Iterator[tuple[str, str]]:
    """Good sentences with a lexeme, each with the paradigm that it is of."""
    from blimpgen.authoring.exclusion import sentences_with
    from blimpgen.generation.prepare import prepare

    for uid in _SHOWN_IN:
        yield from ((sentence, uid) for sentence in sentences_with(prepare(uid, workspace.library), lexeme))


def _facts(facts: Iterator[Fact]) -> Iterator[tuple[str, str]]:
    from blimpgen.cli.facts import shown_place

    for fact in facts:
        yield fact.text, shown_place(fact.place) if fact.place else ""
