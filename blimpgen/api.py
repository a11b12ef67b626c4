"""The functions of the public API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from blimpgen.base.errors import DataError, UsageError, nearest
from blimpgen.base.records import Record
from blimpgen.generation.engine import BLOCK, Tally
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import generate_records
from blimpgen.grammar.parse import Parses
from blimpgen.library import Library, default_library
from blimpgen.paradigm import Paradigm
from blimpgen.sampling.capacity import Capacity

__all__ = ["Parses", "count", "count_table", "generate", "list_paradigms", "load_paradigm", "parse", "stream"]


def list_paradigms(*, suite: str | None = None, library: Library | None = None) -> list[str]:
    """The UIDs of a suite, or of all suites.

    Args:
        suite: the suite; all by default.
        library: the paradigms; the shipped ones by default.
    """
    return list((library or default_library()).uids(suite))


def load_paradigm(name: str | Path, *, library: Library | None = None) -> Paradigm:
    """A paradigm by UID, alias or path of a YAML file.

    Args:
        name: its UID, its alias, or the path of its file.
        library: the paradigms; the shipped ones by default.

    Raises:
        UsageError: an unknown name. DataError: a file that is not of the format.
    """
    return (library or default_library()).paradigm(name)


def generate(
    paradigm: Paradigm | str | Path,
    *,
    n: int = 1000,
    seed: int = 0,
    rows: range | None = None,
    library: Library | None = None,
    block: int = BLOCK,
) -> list[Record]:
    """Generate the records of a paradigm; the same arguments give the same records everywhere.

    Args:
        paradigm: a paradigm, its UID, or the path of its file.
        n: how many rows the set has.
        seed: any integer.
        rows: realise only these of the n rows.
        library: the words and rules; the shipped ones by default.
        block: rows drawn at once; it changes nothing but the speed.

    Raises:
        DataError: the paradigm cannot give n rows.
    """
    return list(stream(paradigm, n=n, seed=seed, rows=rows, library=library, block=block))


def stream(
    paradigm: Paradigm | str | Path,
    *,
    n: int = 1000,
    seed: int = 0,
    rows: range | None = None,
    library: Library | None = None,
    block: int = BLOCK,
    tally: Tally | None = None,
) -> Iterator[Record]:
    """As `generate`, one record after the other; `tally` is filled with counts of attempts and refusals.

    Args:
        paradigm, n, seed, rows, library, block: as of `generate`.
        tally: filled with counts of attempts and refusals.
    """
    compiled = prepare(paradigm, library, seed=seed)
    return generate_records(compiled, n, seed, rows, block=block, tally=tally)


def count(paradigm: Paradigm | str | Path, *, library: Library | None = None) -> Capacity:
    """How many assignments a paradigm has, exactly or as an estimate with its interval.

    Args:
        paradigm: a paradigm, its UID, or the path of its file.
        library: the words and rules; the shipped ones by default.
    """
    return prepare(paradigm, library).capacity


def count_table(suite: str, table: str, *, library: Library | None = None) -> dict[str, int]:
    """A table of a suite: its rows, each with the number of sentences that all assignments of its paradigms make.

    Args:
        suite: the suite.
        table: a table that its ``suite.yaml`` lists.
        library: the words and rules; the shipped ones by default.

    Raises:
        UsageError: an unknown suite or table. DataError: a row that names a paradigm that the suite does not have.
    """
    library = library or default_library()
    if suite not in library.suites:
        raise UsageError(f"no suite {suite!r}; {nearest(suite, library.suites)}")
    entry = library.suites[suite]
    if table not in entry.model.tables:
        raise UsageError(f"the suite {suite!r} has no table {table!r}; {nearest(table, entry.model.tables)}")
    sizes = {}
    for row, uids in entry.model.tables[table].items():
        for uid in uids:
            if uid not in entry.files:
                what = f"{table}, {row}: no paradigm {uid!r}; {nearest(uid, entry.files)}"
                raise DataError(what, entry.place, "table")
        compiled = [prepare(entry.files[uid], library) for uid in uids]
        sizes[row] = round(sum(c.capacity.value * len(c.paradigm.sentences) for c in compiled))
    return sizes


def parse(text: str, *, reading: str = "closed", language: str | None = None, library: Library | None = None) -> Parses:
    """Parse a sentence with the words and rules of a language, English if none is named.

    Args:
        text: one sentence.
        reading: closed (what the lexicon lists) or open (what it does not exclude).
        language: another language or library of words, such as spanish.
        library: the words and rules; the shipped ones by default.

    Returns:
        What the grammar makes of it: the number of derivations, their trees one after the other, and for a sentence
        that it does not derive, why.

    Raises:
        UsageError: no letters, too many words, an unknown reading, or a language without a grammar.
        DataError: an unknown language.
    """
    library = library or default_library()
    words = library.language(language)
    if not words.grammar:
        what = f"{words.lexicon.language.name} has no grammar, so nothing derives its sentences"
        raise UsageError(f"{what}; there are grammars for: {', '.join(library.grammars())}")
    parsers = words.parsers
    if reading not in parsers:
        raise UsageError(f"no reading {reading!r}; {nearest(reading, parsers)}")
    return parsers[reading].parse(text)
