"""Words that stand wherever a table lists another: a dinghy that is like a boat is in every list that names *boat*.

Most restrictions say by types and tags what they take, and a new noun meets them by its own row. What is left is
lists (``lemma=boat/ship``), and a list cannot name a word that its author did not have. The column ``like`` names the
word in whose places another stands; the lists are written out when the tables are read, so that selection, scenes,
explanations and the pages of the lexicon all see the same. A paradigm's own ``lemma=boat`` stays *boat* alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

from blimpgen.base.errors import DataError, nearest, refuse
from blimpgen.base.sources import Table
from blimpgen.lexicon.rows import LexemeTable
from blimpgen.lexicon.schema import TABLES

__all__ = ["STAND_IN_TABLES", "StandIns", "macros_with_stand_ins", "read_stand_ins", "with_stand_ins"]

STAND_IN_TABLES = ("nouns", "verbs", "adjectives")
"""The tables with the column ``like``."""

_LISTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"verbs": ("verbs",), "clauses": ("verbs",), "adjectives": ("adjectives",), "predicates": ("verbs", "adjectives")}
)
"""Kind of column to the tables whose words its lists name; other columns list nouns."""

_LIST = re.compile(r"\blemma=([^&|(),]+)")

StandIns: TypeAlias = "dict[str, dict[str, tuple[str, ...]]]"
"""Table to lemma to the lemmas that are like it, or like one that is."""


def read_stand_ins(tables: Callable[[str], LexemeTable]) -> StandIns:
    """Read which words stand in the places of which others; a table without such words is left out.

    Args:
        tables: gives a table by its name, as it is written.

    Raises:
        DataError: a word that is like one that its table does not have, with all others.
    """
    return {name: likes for name in STAND_IN_TABLES if (likes := _likes(tables(name)))}


def _likes(table: LexemeTable) -> dict[str, tuple[str, ...]]:
    members: dict[str, list[str]] = {}
    errors = []
    for k in np.flatnonzero(table["like"] != ""):
        model = table["like"][k]
        if model in table["lemma"]:
            members.setdefault(model, []).append(table["lemma"][k])
        else:
            what = f"like: {table.name}.tsv has no {model!r}; {nearest(model, table['lemma'])}"
            errors.append(DataError(what, table.places[k], "value"))
    refuse(errors)
    return {model: tuple(_below(model, members)) for model in members}


def _below(model: str, members: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The words that are like a word, and those that are like them; each once, also where two are like each other."""
    seen, left = {model}, list(members[model])
    while left:
        lemma = left.pop(0)
        if lemma not in seen:
            seen.add(lemma)
            left += members.get(lemma, ())
            yield lemma


def with_stand_ins(table: LexemeTable, stand_ins: StandIns) -> LexemeTable:
    """A table whose lists name the words too that are like the words that they name.

    Args:
        table: as it was read.
        stand_ins: what `read_stand_ins` gives.
    """
    columns = {}
    for column in TABLES[table.name].columns if stand_ins else ():
        write = _writer(stand_ins, _LISTED.get(column.kind, ("nouns",)))
        cells = table[column.name]
        rows = [k for k, cell in enumerate(cells) if "lemma=" in cell]
        if rows:
            columns[column.name] = cells.copy()
            columns[column.name][rows] = [write(cells[k]) for k in rows]
    return replace(table, columns={**table.columns, **columns}) if columns else table


def macros_with_stand_ins(table: Table, stand_ins: StandIns) -> Table:
    """As `with_stand_ins`, of the table of macros: a macro may name words of any class.

    Args:
        table: as it was read.
        stand_ins: what `read_stand_ins` gives.
    """
    write = _writer(stand_ins, STAND_IN_TABLES)
    return replace(table, rows=[[*map(write, row)] for row in table.rows]) if stand_ins else table


def _writer(stand_ins: StandIns, tables: Sequence[str]) -> partial[str]:
    members: dict[str, tuple[str, ...]] = {}
    for name in tables:
        for lemma, others in stand_ins.get(name, {}).items():
            members[lemma] = (*members.get(lemma, ()), *others)
    return partial(_LIST.sub, lambda match: _written_out(match[1], members))


def _written_out(listed: str, members: Mapping[str, Sequence[str]]) -> str:
    lemmas = [lemma.strip() for lemma in listed.split("/")]
    every = [other for lemma in lemmas for other in (lemma, *members.get(lemma, ()))]
    return f"lemma={'/'.join(dict.fromkeys(every))}{' ' * (listed != listed.rstrip())}"
