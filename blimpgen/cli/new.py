"""`blimpgen new`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.base.folders import is_data_folder
from blimpgen.cli.options import argument, library, message, option, write_lines

if TYPE_CHECKING:
    from blimpgen.authoring.new_word import NewWord
    from blimpgen.library import Library

__all__ = ["new"]


def new(
    uid: Annotated[str, argument("UID", "The name of the new paradigm; or `word`, and the new word.")],
    lemma: Annotated[str | None, argument("WORD", "After `word`: the new word.")] = None,
    like: Annotated[
        str | None, option("--like", "The paradigm (by default transitive) or word to begin with.", "UID|FILE|WORD")
    ] = None,
    data: Annotated[
        Path | None,
        option("--data", "Put it into this data folder, made if need be; otherwise into the current directory.", "DIR"),
    ] = None,
    suite: Annotated[str, option("--suite", "The suite of a paradigm in the data folder.", "S")] = "mine",
    word_class: Annotated[
        str | None, option("--class", "The class of a word: noun, verb, preposition ...", "CLASS")
    ] = None,
    cells: Annotated[
        list[str] | None, option("--set", "A cell of a word's row; may be given several times.", "COLUMN=CELL")
    ] = None,
    frames: Annotated[
        list[str] | None,
        option("--frame", "A frame of a verb, as in 'V.NP; subj: human; obj: +edible'.", "FRAME[; COLUMN: CELL]..."),
    ] = None,
    sense: Annotated[bool, option("--sense", "Add a sense to a word that is there.")] = False,
) -> None:
    """Begin a paradigm: a commented file like another paradigm's, which already runs. Or add a word.

    Example: blimpgen new my_paradigm --like principle_A_case_1
    """
    of_words = {"--class": word_class, "--set": cells, "--frame": frames, "--sense": sense}
    if lemma is None:
        if given := [name for name, value in of_words.items() if value]:
            raise UsageError(f"{given[0]} is for words: blimpgen new word WORD {given[0]} ...")
        _begin_paradigm(uid, like or "transitive", data, suite)
        return
    if uid != "word":
        raise UsageError(f"unexpected {lemma!r}; a word is added with blimpgen new word {lemma}")
    words = library(data if data is not None and is_data_folder(data) else None)
    _add_word(words, _put_together(words, lemma, word_class, like, cells or [], frames or [], sense), data)


def _begin_paradigm(uid: str, like: str, data: Path | None, suite: str) -> None:
    from blimpgen.authoring.new_paradigm import named, paradigm_text, place_for
    from blimpgen.base.files import write_chunks

    words = library(data if data is not None and is_data_folder(data) else None)
    path = place_for(words, uid, suite, words.paradigm(like).term, data)
    text = paradigm_text(words, like, path, data)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_chunks(path, [text.encode()])
    typer.echo(str(path))
    message(f"look at it with: blimpgen show {named(path, data)} --watch")


def _put_together(
    words: Library,
    lemma: str,
    word_class: str | None,
    like: str | None,
    cells: list[str],
    frames: list[str],
    sense: bool,
) -> NewWord:
    """The rows of a word, with what is still wanting asked of whoever sits at the terminal."""
    from blimpgen.authoring.new_word import new_word, wanting

    said = dict(cell.partition("=")[::2] for cell in cells)
    while True:
        word = new_word(words.lexicon, lemma, word_class, like=like, cells=said, frames=frames, sense=sense)
        missing = list(wanting(word))
        if not missing:
            return word
        if not sys.stdin.isatty():
            told = "; ".join(f"{c.name} ({c.doc}{': ' if c.values else ''}{', '.join(c.values)})" for c in missing)
            option_name = "--frame" if missing[0].name == "frame" else "--set COLUMN=CELL"
            raise UsageError(f"{lemma} needs {told}; give it with {option_name}, or --like WORD")
        for column in missing:
            answer = typer.prompt(f"{column.name}: {column.doc}{' ' if column.values else ''}{'/'.join(column.values)}")
            if column.name == "frame":
                frames.append(answer)
            else:
                said[column.name] = answer


def _add_word(words: Library, word: NewWord, data: Path | None) -> None:
    """Show what a word goes with, and write it into the data folder, if one is given."""
    from blimpgen.authoring.new_word import add_rows, drawn_with, homographs, lexemes_of, takers, with_word
    from blimpgen.lexicon.inventory import WITHHELD

    with with_word(words, word) as widened:
        for name, rows in word.rows.items():
            write_lines("  ".join([f"{name}:", *(f"{k}={v}" for k, v in row.items() if v)]) for row in rows)
        lexemes = lexemes_of(widened.lexicon, word)
        write_lines(line for lexeme in lexemes for line in takers(widened.lexicon, lexeme))
        write_lines(
            f"homograph: {line}"
            for line in dict.fromkeys(line for lexeme in lexemes for line in homographs(widened.lexicon, lexeme))
        )
        if data is not None:
            for path in add_rows(data, word):
                message(f"written: {path}")
        drawn = 0
        for drawn, sentence in enumerate(
            (sentence for lexeme in lexemes[:1] for sentence in drawn_with(widened, lexeme)), start=1
        ):
            write_lines([f"{drawn:>4}  {sentence}"])
    if not drawn:
        tags = word.rows[word.table][0].get("tags", "").split(",")
        mark = next((mark for mark, number in WITHHELD.items() if mark in tags and not number), None)
        why = f"it is tagged {mark}" if mark else "no slot of theirs admits it"
        message(f"the shipped paradigms do not draw {word.id}: {why}")
    if data is None:
        message("nothing is written without --data DIR")
    else:
        message(f"what it changes in the proofs: blimpgen check blimp --data {data}")
