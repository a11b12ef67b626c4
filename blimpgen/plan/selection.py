"""Selection as one table: which restriction of the lexicon fits which nominal.

Every restriction that a lexicon column states gets a number, every (nominal, number of its form) gets a class, and
``allowed[restriction, class]`` says whether they fit. Violations (``subj_no``, ``obj_no``) are further restrictions.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import Place, in_column
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.restrictions import Expression
from blimpgen.lexicon.schema import FRAMES
from blimpgen.plan.constraints import BitTable, distinct_columns

__all__ = ["COMPLEMENTS", "OBJECTS", "Selection"]


COMPLEMENTS: Mapping[str, tuple[str, ...]] = MappingProxyType({"goal": ("V.NP.P", "V.NP.loc"), "second": ("V.NP.NP",)})
"""What ``comp`` says of a noun, to the frames that have it: the noun after the preposition, the second object."""

OBJECTS = tuple(frame for frame in FRAMES if "NP" in frame.split(".") or frame in ("V.P", "V.loc", "A.P"))
"""The frames of which ``obj`` says something: with an object, or of a verb or adjective with its own preposition."""


class Selection:
    """The selection table of one lexicon."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._numbers: dict[tuple[str, bool], int] = {}
        self._expressions: list[tuple[Expression, str, Place | None]] = []
        self._columns: dict[tuple[str, str, str], NDArray[np.int32]] = {}
        for frame in lexicon.verbs.rows:
            for column in ("subj", "obj", "subj_no", "obj_no", *COMPLEMENTS):
                self.of_frame(frame, column)
        self.of_column("A", "arg")
        self.of_column("A", "obj")
        for category in ("Rel", "Wh", "Dwh"):
            self.of_column(category, "antecedent")
        for link in ("of", "about", "poss"):
            self.of_relational(link)

    def number(self, text: str, column: str, place: Place | None = None) -> int:
        """The number of a restriction in a column, new or known; a column in ``_no`` asserts violations.

        Args:
            text: the restriction.
            column: where it stands.
            place: the cell, for errors.
        """
        violation = column.endswith("_no")
        key = (text, violation)
        if key not in self._numbers:
            with in_column(column, place):
                expression = self.lexicon.hierarchy.parse(text, place)
            self._numbers[key] = len(self._expressions)
            self._expressions.append((expression, column, place))
        return self._numbers[key]

    def of_frame(self, frame: str, column: str) -> NDArray[np.int32]:
        """The restriction numbers of all verbs in a frame (-1 where a verb lacks it); column subj, subj_no, ...

        Args:
            frame: the frame.
            column: subj, obj, subj_no or obj_no; goal or second, which the column comp says of some frames.
        """
        key = ("V", frame, column)
        if key not in self._columns:
            verbs = self.lexicon.verbs
            rows, places = verbs.rows[frame], verbs.frames.places
            if column not in COMPLEMENTS:
                texts = verbs.frames[column].tolist()
            elif frame in COMPLEMENTS[column]:
                texts = [_complement(cell) for cell in verbs.frames["comp"]]
            else:
                texts, rows = [], np.full_like(rows, -1)
            self._columns[key] = np.array(
                [self.number(texts[r], column, places[r]) if r >= 0 else -1 for r in rows], dtype=np.int32
            )
        return self._columns[key]

    def of_column(self, category: str, column: str) -> NDArray[np.int32]:
        """The restriction numbers of all lexemes of a category in a column such as ``arg`` or ``antecedent``.

        Args:
            category: the category.
            column: the column.
        """
        key = (category, column, "")
        if key not in self._columns:
            inventory = self.lexicon.inventory(category)
            cells = zip(inventory.columns[column], inventory.places, strict=True)
            self._columns[key] = np.array([self.number(text, column, place) for text, place in cells], dtype=np.int32)
        return self._columns[key]

    def of_relational(self, link: str) -> NDArray[np.int32]:
        """The restriction numbers of what nouns take after a preposition, or of whose they are (``poss``)."""
        key = ("N", "rel", link)
        if key not in self._columns:
            nouns = self.lexicon.inventory("N")
            cells = zip(nouns.columns["rel"], nouns.places, strict=True)
            numbers = [self.number(_argument(cell, link), "rel", place) for cell, place in cells]
            self._columns[key] = np.array(numbers, dtype=np.int32)
        return self._columns[key]

    @cached_property
    def _table(self) -> tuple[NDArray[np.bool_], NDArray[np.int32]]:
        nominals = self.lexicon.nominals
        rows = []
        for expression, column, place in self._expressions:
            with in_column(column, place):
                rows.append(nominals.bits(expression, column.endswith("_no"), place))
        matrix = nominals.table(rows).reshape(len(rows), -1)
        first, classes = distinct_columns(matrix)
        return matrix.take(first, axis=1), classes.astype(np.int32)  # row by row, as parts are taken from it

    @cached_property
    def bits(self) -> BitTable:
        """The table in the form that parts are taken from."""
        return BitTable(self.allowed)

    @property
    def allowed(self) -> NDArray[np.bool_]:
        """``allowed[restriction, class]``."""
        return self._table[0]

    def classes(self, nominal: NDArray[np.int32], number: NDArray[np.int8]) -> NDArray[np.int32]:
        """The class of nominals (numbers on the common axis) in a number (0 singular, 1 plural).

        Args:
            nominal: their numbers on the common axis of nouns and names.
            number: 0 singular, 1 plural, shape as `nominal`.
        """
        return np.asarray(self._table[1][number.astype(np.int64) * self.lexicon.nominals.size + nominal])


def _complement(cell: str) -> str:
    """What a cell of ``comp`` asks of the noun: what stands after the preposition, or after ``obj2``."""
    return cell.partition(":")[2] or "any"


def _argument(cell: str, link: str) -> str:
    marker = f"{link}:"
    for item in cell.split(","):
        if item.startswith(marker):
            return item.removeprefix(marker)
    return "any" if link == "poss" else "none"
