"""A new word: its rows, put together from another word's and from what is said of it, checked, and then written."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.authoring.exclusion import sentences_with
from blimpgen.authoring.lexeme_facts import Lexeme, find
from blimpgen.base.errors import DataError, UsageError, nearest
from blimpgen.base.files import is_regular, write_chunks
from blimpgen.base.sources import read_tsv
from blimpgen.generation.prepare import prepare
from blimpgen.lexicon import CATEGORIES, Lexicon
from blimpgen.lexicon.rows import LexemeTable
from blimpgen.lexicon.schema import FRAMES, FUNCTION_KINDS, TABLES, Column
from blimpgen.lexicon.stand_ins import STAND_IN_TABLES
from blimpgen.lexicon.validation import check_cells
from blimpgen.library import DEFAULT_SUITE, Library

__all__ = [
    "WORD_CLASSES",
    "NewWord",
    "add_rows",
    "drawn_with",
    "homographs",
    "lexemes_of",
    "new_word",
    "takers",
    "wanting",
    "with_word",
]

Cells: TypeAlias = "dict[str, str]"

_FUNCTION_NAMES = {
    "comp": "complementizer",
    "rel": "relativizer",
    "wh": "wh-word",
    "dwh": "wh-determiner",
    "sconj": "subordinator",
    "adp": "preposition",
    "cconj": "conjunction",
    "part": "particle",
    "focus": "focus-particle",
    "expl": "expletive",
    "npi": "npi",
}
WORD_CLASSES: Mapping[str, tuple[str, Cells]] = MappingProxyType(
    {
        **{name: (f"{name}s", {}) for name in ("noun", "name", "verb", "adjective", "adverb", "determiner", "pronoun")},
        "auxiliary": ("auxiliaries", {}),
        "polarity-item": ("polarity", {}),
        **{_FUNCTION_NAMES[kind]: ("function", {"kind": kind}) for kind in FUNCTION_KINDS.values()},
    }
)
"""Word class to its table, and to the cells that every word of the class has."""

_TABLES = tuple(dict.fromkeys(table for table, _ in WORD_CLASSES.values()))

_NEEDED = {
    "nouns": ("types",),
    "names": ("types",),
    "adjectives": ("arg",),
    "adverbs": ("cls", "slot"),
    "determiners": ("kind",),
    "auxiliaries": ("kind", "selects"),
    "pronouns": ("Person", "Number", "nom", "acc", "refl"),
    "polarity": ("cat", "strength", "slot", "licensors"),
}
"""Table to the columns without which a word of it stands nowhere."""
_WORD = re.compile(r"[^\W\d_][\w'.-]*(?: [\w'.-]+)*")
_OWN = ("id", "lemma", "frame", "infl", "plural_alt", "past_alt", "part_alt", "onset", "of_verb", "src", "note")
"""Columns of which another word says nothing."""
_GRADES = ("comp", "sup")
_SAID_OF_ANY = ("-", "=", "one", "none")
"""Cells of forms that do not spell the word out."""


@dataclass(frozen=True)
class NewWord:
    """A word that the lexicon lacks.

    Attributes:
        id: its id in its table.
        table: the table.
        rows: table to rows, each a column to its cell; a verb has rows of frames too.
    """

    id: str
    table: str
    rows: dict[str, list[Cells]]


def new_word(
    lexicon: Lexicon,
    lemma: str,
    word_class: str | None = None,
    *,
    like: str | None = None,
    cells: Mapping[str, str] | None = None,
    frames: Sequence[str] = (),
    sense: bool = False,
) -> NewWord:
    """Put the rows of a new word together.

    Args:
        lexicon: what there is.
        lemma: the word.
        word_class: a name in `WORD_CLASSES`; the class of the word that it is like by default.
        like: a lemma or id, whose cells it has but for its forms.
        cells: column to cell, over those.
        frames: of a verb, over those of the other: ``V.NP; subj: human; obj: +edible``.
        sense: another sense of a word that is there.

    Raises:
        UsageError: no class, an unknown one, a word that is there, an unknown column or frame.
    """
    if not _WORD.fullmatch(lemma):
        raise UsageError(f"{lemma!r} is no word; write letters, with single spaces, hyphens or apostrophes inside")
    if word_class is not None and word_class not in WORD_CLASSES:
        raise UsageError(f"unknown word class {word_class!r}; {nearest(word_class, WORD_CLASSES)}")
    if word_class is None and like is None:
        raise UsageError(f"say what {lemma} is: --class {', '.join(WORD_CLASSES)}; or --like WORD")
    table, fixed = WORD_CLASSES[word_class] if word_class else ("", {})
    row, model = dict(fixed), ""
    if like is not None:
        number, table = _model(lexicon, like, table, fixed)
        model = lexicon.table(table).keys[number][0]
        row |= _copied(lexicon.table(table), number, lemma)
        if table in STAND_IN_TABLES:
            row["like"] = str(lexicon.table(table)["lemma"][number])
    row |= _known(table, cells or {})
    number = _number(lexicon, table, lemma, row, sense)
    surface = f"{lemma} {row.get('prt', '').partition(':')[0]}".strip()
    key = f"{surface.replace(' ', '_')}.{number}"
    rows = {table: [{"id": key, "lemma": lemma, **row}]}
    if frames and table != "verbs":
        raise UsageError(f"{lemma} has no frames; only verbs have rows of them")
    if table == "verbs":
        rows["verb_frames"] = [{"id": key, **row} for row in _frames(lexicon, model, frames)]
    return NewWord(key, table, rows)


def wanting(word: NewWord) -> Iterator[Column]:
    """The columns that a word needs and has not; of a verb without frames, ``frame``."""
    row = word.rows[word.table][0]
    for column in TABLES[word.table].columns:
        if column.name in _NEEDED.get(word.table, ()) and not row.get(column.name):
            yield column
    if word.table == "verbs" and not word.rows["verb_frames"]:
        yield Column("frame", "a frame and its cells, as in V.NP; subj: human; obj: +edible")
    if word.table == "determiners" and not any(row.get(form) for form in ("sg", "pl", "mass")):
        yield Column("pl", "form before a plural; sg and mass too where it has them")


def _model(lexicon: Lexicon, like: str, table: str, fixed: Cells) -> tuple[int, str]:
    """The row that a word is to be like, and its table: the one that is named, or the first one that has it."""
    tables = [lexicon.table(table)] if table else [lexicon.table(name) for name in _TABLES]
    hits = [
        (k, rows)
        for rows in tables
        for k, key in enumerate(rows.keys)
        if like in (key[0], rows["lemma"][k]) and all(rows[column][k] == cell for column, cell in fixed.items())
    ]
    if not hits:
        other = next((name for name in _TABLES if like in lexicon.table(name)["lemma"]), "")
        if table and other not in ("", table):
            raise UsageError(
                f"{like!r} is of the {other}, not of the {table}; leave the class away, or take another word"
            )
        lemmas = [lemma for rows in tables for lemma in rows["lemma"]]
        raise UsageError(f"the lexicon has no such word {like!r} to be like; {nearest(like, lemmas)}")
    senses = [rows.keys[k][0] for k, rows in hits if rows is hits[0][1]]
    if len(senses) > 1:
        raise UsageError(f"{like!r} is {' or '.join(senses)}; say one of these")
    return hits[0][0], hits[0][1].name


def _copied(table: LexemeTable, row: int, lemma: str) -> Cells:
    """The cells of a row, its forms left out but where they are the lemma itself."""
    spec, own = TABLES[table.name], str(table.columns.get("lemma", {row: ""})[row])
    result = {}
    for column in spec.columns:
        cell = str(table[column.name][row])
        if column.name in _OWN or cell in ("", column.default):
            continue
        if (column.kind == "form" or column.name in _GRADES) and cell not in _SAID_OF_ANY:
            if cell != own:
                continue
            cell = lemma
        result[column.name] = cell
    return result


def _known(table: str, cells: Mapping[str, str]) -> Cells:
    names = [name for name in TABLES[table].names if name not in ("id", "lemma")]
    for name in cells:
        if name not in names:
            raise UsageError(f"{table}.tsv has no column {name!r} to fill; {nearest(name, names)}")
    return dict(cells)


def _number(lexicon: Lexicon, name: str, lemma: str, row: Cells, sense: bool) -> int:
    """The number of a new word among the senses of its lemma.

    Raises:
        UsageError: the word is there, and no other sense is meant.
    """
    table, numbers = lexicon.table(name), [0]
    telling = [column for column in ("kind", "prt") if column in table.columns and name != "names"]
    for k, other in enumerate(table["lemma"]):
        if other != lemma:
            continue
        numbers.append(int(table.keys[k][0].rpartition(".")[2]))
        if not sense and all(table[column][k] == row.get(column, "") for column in telling):
            raise UsageError(
                f"{table.places[k]}: {table.keys[k][0]} is there already; blimpgen lexicon {lemma!r} shows it, "
                "and --sense adds another sense"
            )
    return 1 + max(numbers)


def _frames(lexicon: Lexicon, model: str, given: Sequence[str]) -> Iterator[Cells]:
    """The rows of frames of a new verb: those of another verb, then those that are written out."""
    table, written = lexicon.table("verb_frames"), dict(map(_frame, given))
    for k, (key, frame) in enumerate(table.keys):
        if key == model and frame not in written:
            yield {"frame": frame} | _copied(table, k, "")
    yield from ({"frame": frame, **cells} for frame, cells in written.items())


def _frame(text: str) -> tuple[str, Cells]:
    """A frame as it is written in one line, ``V.NP; subj: human``: its name, and column to cell."""
    name, *parts = (part.strip() for part in text.split(";"))
    if name not in FRAMES:
        raise UsageError(f"unknown frame {name!r}; {nearest(name, FRAMES)}")
    names = TABLES["verb_frames"].names[2:]
    cells = {}
    for part in parts:
        column, _, cell = (piece.strip() for piece in part.partition(":"))
        if column not in names or not cell:
            raise UsageError(f"{text!r}: {part!r} is no COLUMN: CELL; {nearest(column, names)}")
        cells[column] = cell
    return name, cells


@contextmanager
def with_word(library: Library, word: NewWord) -> Iterator[Library]:
    """A library that has a new word too, for as long as the context lasts; nothing of the user's is touched.

    Args:
        library: the data that the word is added to.
        word: the new word.

    Raises:
        UsageError: what the word says cannot be, in its column.
    """
    with tempfile.TemporaryDirectory(prefix="blimpgen-") as folder:
        try:
            add_rows(Path(folder), word)
            widened = Library([*library.folders, Path(folder)], library.profile)
            for name in word.rows:
                check_cells(widened.lexicon, name)
        except DataError as error:
            raise UsageError(f"{word.id}: {error.message}") from None
        yield widened


def add_rows(folder: Path, word: NewWord) -> list[Path]:
    """Write the rows of a new word below those of the tables in a data folder; every row that is there stays.

    Args:
        folder: the data folder; made if need be.
        word: the new word.

    Returns:
        The tables that were written.

    Raises:
        DataError: a table of the folder that cannot be read; nothing is written.
        UsageError: something else stands in the place of a table.
    """
    texts = {name: _with_rows(folder / "lexicon" / f"{name}.tsv", rows) for name, rows in word.rows.items() if rows}
    (folder / "lexicon").mkdir(parents=True, exist_ok=True)
    paths = [folder / "lexicon" / f"{name}.tsv" for name in texts]
    for path, text in zip(paths, texts.values(), strict=True):
        write_chunks(path, [text.encode()])
    return paths


def _with_rows(path: Path, rows: Sequence[Cells]) -> str:
    """The text of a table with more rows, and with the columns that these need."""
    spec, header, lines = TABLES[path.stem], [], []
    if is_regular(path):
        table = read_tsv(path, spec.names, required=spec.key)
        header, lines = list(table.columns), table.rows
    more = [name for name in spec.names if name not in header and any(row.get(name) for row in rows)]
    filled = [[*line, *[""] * len(more)] for line in lines]
    filled += [[row.get(name, "") for name in [*header, *more]] for row in rows]
    return "".join("\t".join(cells) + "\n" for cells in [[*header, *more], *filled])


def lexemes_of(lexicon: Lexicon, word: NewWord) -> list[Lexeme]:
    """The lexemes that a new word is, in each category that has its row.

    Args:
        lexicon: the words, the new one among them.
        word: the new word.
    """
    return [lexeme for lexeme in find(lexicon, word.id) if lexeme.place and Path(lexeme.place.path).stem == word.table]


def takers(lexicon: Lexicon, lexeme: Lexeme) -> Iterator[str]:
    """What a lexeme goes with, a line each: kinds of places, how many words have them, and some of the words.

    Args:
        lexicon: the words.
        lexeme: a noun, name, verb, adjective or adverb; other words go with whole categories.
    """
    category, place = lexeme.inventory.category, lexeme.place
    if category in ("N", "Name"):
        number = lexeme.number + (lexicon.nominals.split if category == "Name" else 0)
        yield from _takers_of_noun(lexicon, number)
    elif category == "V":
        frames = lexicon.verbs.frames
        for k, (key, frame) in enumerate(frames.keys):
            if key == lexeme.id:
                for column, what in _ARGUMENTS.items():
                    if frames[column][k] != "none" and _has_argument(frame, column):
                        fits = lexicon.nominals.fits(lexicon.hierarchy.parse(frames[column][k], place))[0]
                        yield _line(f"{frame}: {what}", _nominals(lexicon)[fits])
    elif category == "A":
        arguments = str(lexeme.inventory.columns["arg"][lexeme.number])
        yield _line("said of", _nominals(lexicon)[lexicon.nominals.fits(lexicon.hierarchy.parse(arguments, place))[0]])
    elif category == "Adv":
        verbs, modified = lexicon.inventory("V"), str(lexeme.inventory.columns["modifies"][lexeme.number])
        yield _line("modifies", verbs.columns["lemma"][verbs.mask(lexicon.hierarchy.parse(modified, place))])


_ARGUMENTS = {"subj": "subject", "obj": "object"}
_SHOWN = 12


def _has_argument(frame: str, column: str) -> bool:
    return column == "subj" or ".NP" in frame or frame.endswith(".P")


def _nominals(lexicon: Lexicon) -> NDArray[np.object_]:
    return np.concatenate([table["lemma"] for table in lexicon.nominals.tables])


def _takers_of_noun(lexicon: Lexicon, number: int) -> Iterator[str]:
    frames, adjectives = lexicon.verbs.frames, lexicon.table("adjectives")
    surface = dict(zip((key for (key,) in lexicon.verbs.lexemes.keys), lexicon.verbs.surfaces, strict=True))
    for column, what in _ARGUMENTS.items():
        rows = zip(frames.keys, frames[column], strict=True)
        taking = ((surface[key], text) for (key, frame), text in rows if _has_argument(frame, column))
        yield _choosiest(f"{what} of", lexicon, taking, number)
    said = zip(adjectives["lemma"], adjectives["arg"], strict=True)
    yield _choosiest("described as", lexicon, ((lemma, text) for lemma, text in said if text != "any"), number)
    nouns = lexicon.table("nouns")
    related = (
        (lemma, text)
        for lemma, cell in zip(nouns["lemma"], nouns["rel"], strict=True)
        for _, colon, text in (each.partition(":") for each in cell.split(","))
        if colon
    )
    yield _choosiest("complement of", lexicon, related, number)


def _choosiest(what: str, lexicon: Lexicon, taking: Iterable[tuple[str, str]], number: int) -> str:
    """How many words take a nominal, and the dozen that take fewest others: they say most of what it is.

    Args:
        what: what the nominal is to the words.
        lexicon: the words.
        taking: words, each with a restriction on what it takes.
        number: of the nominal.
    """
    fewest: dict[str, int] = {}
    for word, text in taking:
        taken: NDArray[np.bool_] = np.logical_or.reduce(lexicon.nominals.fits(lexicon.hierarchy.parse(text)))
        if taken[number]:
            fewest[word] = min(int(np.count_nonzero(taken)), fewest.get(word, len(taken)))
    return _shown(what, len(fewest), sorted(fewest, key=lambda word: (fewest[word], word)))


def _line(what: str, words: Iterable[str]) -> str:
    """How many words, and a dozen of them from all over the alphabet."""
    names = list(dict.fromkeys(words))
    return _shown(what, len(names), names[:: max(1, len(names) // _SHOWN)])


def _shown(what: str, count: int, words: Sequence[str]) -> str:
    return f"{what:16}{count:>6,}  {', '.join(words[:_SHOWN])}".rstrip()


def homographs(lexicon: Lexicon, lexeme: Lexeme) -> Iterator[str]:
    """What else the forms of a lexeme may be read as: with each of them a proof has one reading more to refute.

    Args:
        lexicon: the words.
        lexeme: one of them.
    """
    mine = {int(numbers[lexeme.number]) for numbers in lexeme.inventory.forms.values()} - {-1}
    for category in CATEGORIES:
        inventory = lexicon.inventory(category)
        for numbers in inventory.forms.values():
            for k in np.flatnonzero(np.isin(numbers, list(mine))):
                if inventory.ids[k] != lexeme.id or category != lexeme.inventory.category:
                    yield f"{lexicon.strings.text(int(numbers[k])).strip()} is also {inventory.ids[k]} ({category})"


def drawn_with(library: Library, lexeme: Lexeme, most: int = 10) -> Iterator[str]:
    """Sentences that have a lexeme, at most two from a paradigm of the first suite.

    Args:
        library: the data, with the word.
        lexeme: the word.
        most: how many sentences.

    Yields:
        A good sentence each; fewer than asked for if no more paradigms draw the word.
    """
    seen: dict[str, None] = {}
    for uid in library.uids(DEFAULT_SUITE):
        compiled = prepare(uid, library, unproven=lambda fault: None)
        seen |= dict.fromkeys(islice(sentences_with(compiled, lexeme), 2))
        if len(seen) >= most:
            break
    yield from islice(seen, most)
