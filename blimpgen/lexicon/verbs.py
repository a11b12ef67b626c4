"""Verb lexemes with their frames, in the closed and the open reading.

*Closed*: the frames a verb lists; good sentences are made with them. *Open*: every frame that is not asserted
impossible; bad sentences are refused with it. A negative holds for a surface lemma (lemma and particle) only if
every lexeme with that surface asserts it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, nearest, refuse
from blimpgen.english import morphology
from blimpgen.lexicon.inventory import Mask
from blimpgen.lexicon.rows import LexemeTable
from blimpgen.lexicon.schema import FRAMES, TABLES

__all__ = ["VERB_CELLS", "VerbUse", "Verbs", "participle_parts"]

VERB_CELLS = ("bare", "pres_sg", "pres_pl", "past", "part", "ing")


class VerbUse(NamedTuple):
    """A use of a verb in a frame.

    Attributes:
        doubtful: no, yes or context, as in the table of uses.
        subjects, objects: restrictions on the nouns that it goes with.
    """

    doubtful: str
    subjects: str
    objects: str


@dataclass(frozen=True)
class Verbs:
    """The three verb tables, joined.

    Attributes:
        lexemes: table ``verbs`` with class defaults filled in.
        frames: table ``verb_frames`` with class defaults filled in.
    """

    lexemes: LexemeTable
    frames: LexemeTable = field(repr=False)
    _by_frame: dict[str, dict[str, NDArray[np.object_]]] = field(default_factory=dict, repr=False)

    @cached_property
    def rows(self) -> dict[str, NDArray[np.int32]]:
        """Frame to the row in `frames` of each lexeme, -1 where it does not list the frame."""
        result = {frame: np.full(len(self.lexemes), -1, dtype=np.int32) for frame in FRAMES}
        numbers = {key[0]: k for k, key in enumerate(self.lexemes.keys)}
        refuse(
            DataError(f"no verb has the id {verb!r}; {nearest(verb, numbers)}", self.frames.places[k], "verb-id")
            for k, (verb, _) in enumerate(self.frames.keys)
            if verb not in numbers
        )
        for k, (verb, frame) in enumerate(self.frames.keys):
            result[frame][numbers[verb]] = k
        return result

    def frame_columns(self, frame: str) -> dict[str, NDArray[np.object_]]:
        """The columns of a frame's rows, one entry a verb (of verbs that list it); the same object at each call."""
        if frame not in self._by_frame:
            rows = self.rows[frame]
            lexeme_columns = self.lexemes.columns
            self._by_frame[frame] = {c: v[rows] for c, v in self.frames.columns.items() if c not in lexeme_columns}
        return self._by_frame[frame]

    def lists(self, frame: str) -> Mask:
        """Which verbs list the frame."""
        return np.asarray(self.rows[frame] >= 0)

    @cached_property
    def surfaces(self) -> tuple[str, ...]:
        """The surface lemma of each verb: lemma and particle."""
        pairs = zip(self.lexemes["lemma"], self.lexemes["prt"], strict=True)
        return tuple(f"{lemma} {participle_parts(prt)[0]}".strip() for lemma, prt in pairs)

    @cached_property
    def asserted(self) -> dict[str, Mask]:
        """Frame to the verbs whose surface lemma is asserted not to have it, by every lexeme with that surface."""
        groups: dict[str, list[int]] = defaultdict(list)
        for k, surface in enumerate(self.surfaces):
            groups[surface].append(k)
        negatives = [frozenset(filter(None, cell.split(","))) for cell in self.lexemes["no_frames"]]
        result = {frame: np.zeros(len(self.lexemes), dtype=bool) for frame in FRAMES}
        for members in groups.values():
            for frame in frozenset.intersection(*(negatives[m] for m in members)):
                result[frame][members] = True
        return result

    @cached_property
    def forms(self) -> dict[str, list[str]]:
        """Cell to the form of each verb, with its particle."""
        columns = [self.lexemes[c] for c in ("lemma", "prt", "infl", "past", "part", "pres3", "ing")]
        rows = [_inflect(*cells) for cells in zip(*columns, strict=True)]
        return {cell: [row[k] for row in rows] for k, cell in enumerate(VERB_CELLS)}


def participle_parts(prt: str) -> tuple[str, str]:
    """The words and the kind of a ``prt`` cell: ``about:prep`` gives ("about", "prep")."""
    words, _, kind = prt.partition(":")
    return words, kind


def _inflect(lemma: str, prt: str, infl: str, past: str, part: str, pres3: str, ing: str) -> tuple[str, ...]:
    double = infl == "dbl"
    past = past or morphology.past_form(lemma, double)
    words = (
        lemma,
        pres3 or morphology.third_singular(lemma),
        lemma,
        past,
        part or past,
        ing or morphology.ing_form(lemma, double),
    )
    tail = participle_parts(prt)[0]
    return tuple(f"{word} {tail}" for word in words) if tail else words


def join_classes(lexemes: LexemeTable, frames: LexemeTable, classes: LexemeTable) -> Verbs:
    """Fill empty cells of frames from the other frame of an alternation, and all from the class and the defaults.

    Args:
        lexemes: table ``verbs``, its empty cells empty.
        frames: table ``verb_frames``, likewise.
        classes: table ``verb_classes``, likewise.

    Raises:
        DataError: an unknown class, or verbs without any frame.
    """
    if len(lexemes) and not len(frames):
        raise DataError("verb_frames.tsv has no rows; a verb lists one frame at least", lexemes.places[0], "tsv")
    class_names = {key[0] for key in classes.keys}
    refuse(
        DataError(f"unknown verb class {name!r}; {nearest(name, class_names)}", lexemes.places[k], "verb-class")
        for k, name in enumerate(lexemes["class"])
        if name and name not in class_names
    )
    _fill(lexemes, "verbs", lexemes["class"], np.full(len(lexemes), ""), classes)
    _alternate(frames)
    class_of = dict(zip((key[0] for key in lexemes.keys), lexemes["class"], strict=True))
    verb_class = np.array([class_of.get(key[0], "") for key in frames.keys], dtype=object)
    _fill(frames, "verb_frames", verb_class, frames["frame"], classes)
    _negatives(lexemes, frames, classes)
    return Verbs(lexemes, frames)


_ALTERNATIONS = {("ci", "V"): ("subj", "V.NP", ""), ("dat", "V.NP.NP"): ("comp", "V.NP.P", "obj2:")}
"""Alternation and frame to: the column that is filled, the frame whose ``obj`` fills it, what precedes it there."""


def _alternate(frames: LexemeTable) -> None:
    """Fill empty cells from the other frame of an alternation: *the door opened* as *somebody opened the door*."""
    for k, (verb, frame) in enumerate(frames.keys):
        column, other, label = _ALTERNATIONS.get((frames["alt"][k], frame), ("", "", ""))
        if column and not frames[column][k] and (verb, other) in frames.index:
            frames.columns[column][k] = label + frames["obj"][frames.index[verb, other]]


def _fill(
    table: LexemeTable,
    name: str,
    class_column: NDArray[np.object_],
    frame_column: NDArray[np.object_],
    classes: LexemeTable,
) -> None:
    pairs = zip(class_column, frame_column, strict=True)
    rows = np.array([classes.index.get(pair, -1) for pair in pairs], dtype=np.intp)
    for column in TABLES[name].columns:
        if column.name in ("id", "frame", "no_frames"):
            continue
        data = table.columns[column.name]
        empty = data == ""
        inherited = classes.columns.get(column.name)
        if inherited is not None:
            filled = np.append(inherited, "")[rows]
            data[empty] = filled[empty]
            empty = data == ""
        data[empty] = column.default


def _negatives(lexemes: LexemeTable, frames: LexemeTable, classes: LexemeTable) -> None:
    listed: dict[str, set[str]] = defaultdict(set)
    for verb, frame in frames.keys:
        listed[verb].add(frame)
    errors: list[DataError] = []
    for k, (verb,) in enumerate(lexemes.keys):
        cells = set(filter(None, lexemes["no_frames"][k].split(",")))
        excepted = {cell.removeprefix("-") for cell in cells if cell.startswith("-")}
        negative = {cell for cell in cells if not cell.startswith("-")}
        if clash := negative & listed[verb]:
            what = f"{verb} asserts that it has no {min(clash)}, and lists it"
            errors.append(DataError(what, lexemes.places[k], "negative"))
        row = classes.index.get((lexemes["class"][k], ""))
        by_class = set(filter(None, classes["no_frames"][row].split(","))) if row is not None else set()
        if idle := excepted - by_class:
            what = f"-{min(idle)} excepts {verb} from what its class does not assert; leave it out"
            errors.append(DataError(what, lexemes.places[k], "negative"))
        lexemes.columns["no_frames"][k] = ",".join(sorted(negative | (by_class - listed[verb] - excepted)))
    refuse(errors)
