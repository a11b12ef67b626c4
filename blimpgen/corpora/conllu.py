"""Parsed sentences, read from CoNLL-U files in blocks and held as columns, one entry a word.

Only the basic tree counts: ranges of multiword tokens and empty nodes belong to the text, but are no words, and the
column DEPS is not read. The format is that of https://universaldependencies.org/format.html.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TextIO

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place

__all__ = ["COLUMNS", "UPOS", "Block", "Column", "Sentences", "parse_block", "read_blocks", "read_lines"]

COLUMNS = {"form": 1, "lemma": 2, "upos": 3, "feats": 5, "deprel": 7}
"""The columns that a filter may ask about, by their place in the file."""

UPOS = ("ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
        "SYM", "VERB", "X")  # fmt: skip
"""The parts of speech of Universal Dependencies."""

BLOCK_SENTENCES = 4000
BLOCK_LINES = 500
LONGEST_LINE = 1 << 20
_FIELDS = 10
_HEAD = 6
_NUMBER = re.compile("[0-9]{1,9}")
_IDENTIFIER = re.compile(r"[1-9][0-9]{0,8}|[1-9][0-9]{0,8}-[1-9][0-9]{0,8}|[0-9]{1,9}\.[1-9][0-9]{0,8}", re.ASCII)


@dataclass(frozen=True)
class Block:
    """Some whole sentences of a file, as its lines.

    Attributes:
        path: the file.
        first: the number of the first line, counted from 1.
        lines: the lines with their ends; the last one ends a sentence.
    """

    path: Path
    first: int
    lines: Sequence[str] = field(repr=False)

    @property
    def last(self) -> int:
        """The number of the last line."""
        return self.first + len(self.lines) - 1


@dataclass(frozen=True)
class Column:
    """What stands in one column: each different value once, and its number for each word."""

    values: tuple[str, ...]
    codes: NDArray[np.int32] = field(repr=False)


@dataclass(frozen=True)
class Sentences:
    """The sentences of a block.

    Attributes:
        ids: the ``sent_id`` of each sentence; empty where it has none.
        texts: the text of each sentence.
        starts: the number of the first word of each sentence, and the number of words at the end.
        of: the number of its sentence for each word.
        heads: the number of its head for each word; -1 for a root.
        columns: column name to what stands in it.
    """

    ids: Sequence[str]
    texts: Sequence[str]
    starts: NDArray[np.int64] = field(repr=False)
    of: NDArray[np.int32] = field(repr=False)
    heads: NDArray[np.int64] = field(repr=False)
    columns: Mapping[str, Column] = field(repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of words of each sentence."""
        return np.diff(self.starts)


def read_blocks(path: Path, size: int = BLOCK_SENTENCES) -> Iterator[Block]:
    """Read a file, plain or gzip (``*.gz``), in blocks of whole sentences.

    Args:
        path: the file.
        size: sentences a block; the last one has what is left.

    Raises:
        DataError: the file cannot be read, is not UTF-8, or has a line above the limit.
    """
    lines: list[str] = []
    first, sentences, inside = 1, 0, False
    for number, line in _lines(path):
        lines.append(line)
        if line.strip():
            inside = inside or not line.startswith("#")
            continue
        sentences += inside
        inside = False
        if sentences == size:
            yield Block(path, first, lines)
            lines, first, sentences = [], number + 1, 0
    if sentences or inside:
        yield Block(path, first, lines)


def read_lines(path: Path, size: int = BLOCK_LINES) -> Iterator[Block]:
    """Read a text, plain or gzip (``*.gz``), in blocks of lines.

    Args:
        path: the file.
        size: lines a block; the last one has what is left.

    Raises:
        DataError: the file cannot be read, is not UTF-8, or has a line above the limit.
    """
    lines = _lines(path)
    while some := list(islice(lines, size)):
        yield Block(path, some[0][0], [line for _, line in some])


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    number = 0
    try:
        with _open(path) as stream:
            while line := stream.readline(LONGEST_LINE):
                number += 1
                if len(line) == LONGEST_LINE and not line.endswith("\n"):
                    raise DataError(
                        f"a line of over {LONGEST_LINE:,} characters; is the text divided into lines?",
                        Place(path, number),
                    )
                yield number, line
    except UnicodeDecodeError:
        raise DataError("not UTF-8; save the file as UTF-8", Place(path, number + 1), "encoding") from None
    except (OSError, EOFError, gzip.zlib.error) as error:  # type: ignore[attr-defined]
        why = getattr(error, "strerror", None) or str(error)
        raise DataError(f"cannot be read: {why}", Place(path), "missing-file") from None


def _open(path: Path) -> TextIO:
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def parse_block(block: Block) -> Sentences:
    """Parse the lines of a block.

    Raises:
        DataError: the first line that is not CoNLL-U, by its number.
    """
    words: list[list[str]] = []
    starts, ids, texts = [0], [], []
    for comments, lines in _sentences(block.lines):
        rows = [line.split("\t") for line in lines]
        words += [row for row in rows if row[0].isdecimal()]
        if any(len(row) != _FIELDS or not _IDENTIFIER.fullmatch(row[0]) for row in rows):
            raise _first_fault(block)
        if len(words) > starts[-1]:
            ids.append(next((line[11:].strip() for line in comments if line.startswith("# sent_id =")), ""))
            text = next((line[8:].strip() for line in comments if line.startswith("# text =")), None)
            texts.append(_text(words[starts[-1] :]) if text is None else text)
            starts.append(len(words))
    if not (parsed := _columns(words, starts)):
        raise _first_fault(block)
    return Sentences(ids, texts, *parsed)


def _sentences(lines: Sequence[str]) -> Iterator[tuple[list[str], list[str]]]:
    """The sentences of some lines: their comments, and their other lines."""
    comments, others = list[str](), list[str]()
    for line in lines:
        if line[0] == "#":
            comments.append(line)
        elif line.strip():
            others.append(line)
        elif comments or others:
            yield comments, others
            comments, others = [], []
    if others:
        yield comments, others


def _text(rows: Sequence[Sequence[str]]) -> str:
    """The words with their spaces, where no comment gives the text."""
    return "".join(row[1] + ("" if "SpaceAfter=No" in row[9] else " ") for row in rows).rstrip()


_Parsed = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64], dict[str, Column]]


def _columns(rows: Sequence[Sequence[str]], bounds: Sequence[int]) -> _Parsed | None:
    """The columns of all words; None if identifiers or heads are not numbers of the sentence."""
    starts = np.array(bounds, dtype=np.int64)
    of = np.repeat(np.arange(len(starts) - 1, dtype=np.int32), np.diff(starts))
    fields = list(zip(*rows, strict=True)) if rows else [()] * _FIELDS
    try:
        numbers = np.array(list(map(int, fields[0])), dtype=np.int64)
        governors = np.array(list(map(int, fields[_HEAD])), dtype=np.int64)
    except (ValueError, OverflowError):
        return None
    position = np.arange(len(rows), dtype=np.int64) - starts[of]
    if (numbers != position + 1).any() or (governors < 0).any() or (governors > np.diff(starts)[of]).any():
        return None
    if (governors == numbers).any():
        return None
    heads = np.where(governors > 0, starts[of] + governors - 1, -1)
    return starts, of, heads, {name: _column(fields[k]) for name, k in COLUMNS.items()}


def _column(cells: Sequence[str]) -> Column:
    numbers: dict[str, int] = {}
    codes = np.fromiter((numbers.setdefault(cell, len(numbers)) for cell in cells), dtype=np.int32, count=len(cells))
    return Column(tuple(numbers), codes)


def _first_fault(block: Block) -> DataError:
    """The first line of a block that is not of the format."""
    sentence: list[tuple[int, str]] = []
    for number, line in enumerate((*block.lines, "\n"), start=block.first):
        if line.strip():
            sentence.append((number, line))
            continue
        for at, what in _faults([each for each in sentence if each[1][0] != "#"]):
            return DataError(what, Place(block.path, at))
        sentence = []
    return DataError("not CoNLL-U", Place(block.path, block.first))


def _faults(lines: Sequence[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """What is wrong with the lines of one sentence, each with its number: columns, then identifiers, then heads."""
    rows = [(at, line.split("\t")) for at, line in lines]
    for at, row in rows:
        if len(row) == 1:
            yield at, f"no tab; CoNLL-U has {_FIELDS} columns separated by tabs, and raw text needs --parser"
        elif len(row) != _FIELDS:
            yield at, f"{len(row)} columns; CoNLL-U has {_FIELDS}, separated by tabs"
        if not _IDENTIFIER.fullmatch(row[0]):
            yield at, f"ID is {row[0]!r}; a number, a range such as 1-2, or an empty node such as 1.1 is expected"
    words = [(at, row) for at, row in rows if row[0].isdecimal()]
    for expected, (at, row) in enumerate(words, start=1):
        head = row[_HEAD]
        if row[0] != str(expected):
            yield at, f"ID is {row[0]}; {expected} is expected"
        if head == row[0]:
            yield at, "a word is its own head"
        if head == "_":
            yield at, "no HEAD; the text has not been parsed"
        elif not _NUMBER.fullmatch(head) or int(head) > len(words):
            yield at, f"HEAD is {head!r}; 0 or the number of one of the {len(words)} words is expected"
