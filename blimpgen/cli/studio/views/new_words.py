"""A word that the lexicon lacks, as the page to add one shows it: what it wants, what it goes with, and sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from blimpgen.base.errors import UsageError
from blimpgen.cli.studio.views.workspace import Workspace

if TYPE_CHECKING:
    from blimpgen.authoring.new_word import NewWord

__all__ = ["AskedWord", "WordView", "add", "classes", "look"]

_SENTENCES = 5


@dataclass(frozen=True)
class AskedWord:
    """What the form says of a word.

    Attributes:
        lemma: the word.
        word_class: noun, verb, ...; empty for that of the word that it is like.
        like: a word whose cells it has; empty for none.
        cells: ``COLUMN=CELL``, a line each, over those.
        frames: of a verb: ``V.NP; subj: human; obj: +edible``, a line each, over those.
        sense: whether it is another sense of a word that is there.
    """

    lemma: str
    word_class: str = ""
    like: str = ""
    cells: str = ""
    frames: str = ""
    sense: bool = False


@dataclass(frozen=True)
class WordView:
    """A word before it is written, and after.

    Attributes:
        wanting: columns that it needs and has not, each with what it says.
        rows: its rows: the table and the cells.
        fits: kinds of places, how many words have them, and some of the words; a line each.
        homographs: what else its forms are read as.
        sentences: good sentences that have it.
        written: the tables that it stands in now.
    """

    wanting: tuple[tuple[str, str], ...]
    rows: tuple[tuple[str, str], ...]
    fits: tuple[str, ...] = ()
    homographs: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def classes(workspace: Workspace) -> tuple[str, ...]:
    """The classes that a word can be of."""
    from blimpgen.authoring.new_word import WORD_CLASSES

    return tuple(WORD_CLASSES)


def look(workspace: Workspace, asked: AskedWord) -> WordView:
    """What a word would go with; nothing is written.

    Args:
        workspace: the data.
        asked: what the form says.

    Raises:
        UsageError: what cannot be said of a word.
    """
    return _view(workspace, _put_together(workspace, asked))


def add(workspace: Workspace, asked: AskedWord) -> WordView:
    """Write a word into the folder of the user, unless it still wants something.

    Args:
        workspace: the data.
        asked: what the form says.

    Raises:
        UsageError: what cannot be said of a word, or a table that cannot be written.
    """
    from blimpgen.authoring.new_word import add_rows

    word = _put_together(workspace, asked)
    view = _view(workspace, word)
    if view.wanting:
        return view
    try:
        written = add_rows(workspace.data, word)
    except OSError as error:
        raise UsageError(f"{workspace.data}: {error.strerror}") from None
    workspace.library.release()
    return replace(view, written=tuple(map(str, written)))


def _put_together(workspace: Workspace, asked: AskedWord) -> NewWord:
    from blimpgen.authoring.new_word import new_word

    cells = {}
    for line in filter(str.strip, asked.cells.splitlines()):
        column, equals, cell = (part.strip() for part in line.partition("="))
        if not equals:
            raise UsageError(f"{line.strip()!r} is no COLUMN=CELL; write one in a line, as in tags=+edible")
        cells[column] = cell
    frames = [line.strip() for line in asked.frames.splitlines() if line.strip()]
    return new_word(
        workspace.library.lexicon,
        asked.lemma.strip(),
        asked.word_class or None,
        like=asked.like.strip() or None,
        cells=cells,
        frames=frames,
        sense=asked.sense,
    )


def _view(workspace: Workspace, word: NewWord) -> WordView:
    from blimpgen.authoring.new_word import drawn_with, homographs, lexemes_of, takers, wanting, with_word

    rows = tuple(
        (table, ", ".join(f"{column}={cell}" for column, cell in row.items() if cell))
        for table, some in word.rows.items()
        for row in some
    )
    missing = tuple(
        (column.name, f"{column.doc}{': ' if column.values else ''}{', '.join(column.values)}")
        for column in wanting(word)
    )
    if missing:
        return WordView(missing, rows)
    with with_word(workspace.library, word) as widened:
        lexemes = lexemes_of(widened.lexicon, word)
        return WordView(
            (),
            rows,
            tuple(chain.from_iterable(takers(widened.lexicon, lexeme) for lexeme in lexemes)),
            tuple(dict.fromkeys(chain.from_iterable(homographs(widened.lexicon, lexeme) for lexeme in lexemes))),
            tuple(chain.from_iterable(drawn_with(widened, lexeme, _SENTENCES) for lexeme in lexemes[:1])),
        )
