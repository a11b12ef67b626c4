"""Forms of lexemes by inflection class: endings and stem changes of a table, applied to the words of another.

A row of ``inflection.tsv`` is a cell of a class: what the lemma loses (the first of some endings that it has), which
changes of its stem the cell takes if the lexeme has them, and the ending. A row of ``lexemes.tsv`` is a word with its
classes, its own features and its stem changes (``stressed:e>ie``: the last *e* of the stem is *ie* there). A later
class of a lexeme overrides cells of an earlier one; a form that ``inflected.tsv`` lists overrides both.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from blimpgen.base.errors import DataError, Place, in_column, nearest, respelt
from blimpgen.lexicon.features import parse_features, write_features
from blimpgen.lexicon.rows import LexemeTable

__all__ = ["Inflection"]


@dataclass(frozen=True)
class _Cell:
    """One cell of a class: its list and features, endings of the lemma that it drops, stem changes, its own ending."""

    list: str
    features: Mapping[str, str]
    drop: Sequence[str]
    stem: Sequence[str]
    ending: str


class Inflection:
    """The forms of the lexemes of a language.

    Args:
        lexemes: the table of lexemes.
        cells: the table of inflection classes.

    Raises:
        DataError: a lexeme of a class that does not exist, or that stands twice in a list.
    """

    def __init__(self, lexemes: LexemeTable, cells: LexemeTable) -> None:
        self.lexemes = lexemes
        self.classes: dict[str, list[_Cell]] = defaultdict(list)
        for k, (name, list_name, features) in enumerate(cells.keys):
            drop, stem = (tuple(filter(None, cells[column][k].split(","))) for column in ("drop", "stem"))
            parsed = parse_features(features, cells.places[k])
            self.classes[name].append(_Cell(list_name, parsed, drop, stem, cells["ending"][k]))
        _check_stem_names(lexemes, cells)
        self.rows: dict[str, list[int]] = defaultdict(list)
        self._seen: set[tuple[str, str]] = set()
        for k, classes in enumerate(lexemes["class"]):
            for name in classes.split(","):
                if name not in self.classes:
                    what = f"no inflection class {name!r}; {nearest(name, self.classes)}"
                    raise DataError(what, lexemes.places[k], "value")
            for list_name in dict.fromkeys(cell.list for name in classes.split(",") for cell in self.classes[name]):
                self._add(k, list_name)

    def _add(self, row: int, list_name: str) -> None:
        lemma = self.lexemes["lemma"]
        if (lemma[row], list_name) in self._seen:
            what = f"{lemma[row]!r} stands twice in the list {list_name!r}; a list has a lemma once"
            raise DataError(what, self.lexemes.places[row], "duplicate")
        self._seen.add((lemma[row], list_name))
        self.rows[list_name].append(row)

    def forms(self, row: int, list_name: str, made_up: str | None = None) -> dict[str, str]:
        """Inflect a lexeme: its forms in a list by their features, as these are written.

        Args:
            row: the row of the lexeme.
            list_name: the list.
            made_up: another lemma, which inflects like it.

        Raises:
            DataError: the lemma has none of the endings that its class drops; stem changes that cannot be read, or
                that change nothing.
        """
        place, lemma = self.lexemes.places[row], made_up or self.lexemes["lemma"][row]
        own, changes = self._own_features(row), self.changes(row)
        forms: dict[str, str] = {}
        for name in self.lexemes["class"][row].split(","):
            for cell in self.classes[name]:
                if cell.list == list_name:
                    stem = _stem(lemma, name, cell, place)
                    for change in cell.stem:
                        if change in changes:
                            stem = _changed(stem, change, changes[change], place)
                    forms[write_features({**cell.features, **own})] = stem + cell.ending
        return forms

    def changes(self, row: int) -> dict[str, tuple[str, str]]:
        """The stem changes of a lexeme by name: what is replaced, and what by."""
        place, classes = self.lexemes.places[row], self.lexemes["class"][row].split(",")
        changes = _changes(self.lexemes["stems"][row], place)
        names = dict.fromkeys(stem for name in classes for cell in self.classes[name] for stem in cell.stem)
        for name in changes:
            if name not in names:
                what = f"stems: no cell of its classes, {', '.join(classes)}, takes the change {name!r}"
                raise DataError(f"{what}; {nearest(name, names)}", place, "value")
        return changes

    def ending(self, row: int) -> str:
        """The longest ending that the classes of a lexeme drop of its lemma; empty if they drop none."""
        lemma, classes = self.lexemes["lemma"][row], self.lexemes["class"][row].split(",")
        dropped = {ending for name in classes for cell in self.classes[name] for ending in cell.drop}
        return max((ending for ending in dropped if lemma.endswith(ending)), key=len, default="")

    def _own_features(self, row: int) -> dict[str, str]:
        text, place = self.lexemes["features"][row], self.lexemes.places[row]
        return parse_features(text, place) if text else {}


def _check_stem_names(lexemes: LexemeTable, cells: LexemeTable) -> None:
    """Whether the stem changes that cells take are some lexeme's: a misspelt name would change nothing, in silence."""
    names = {item.partition(":")[0] for text in lexemes["stems"] for item in text.split(",")} - {""}
    for text, place in zip(cells["stem"], cells.places, strict=True):
        for name in filter(None, text.split(",")):
            if name not in names and (meant := respelt(name, names)):
                raise DataError(f"no lexeme has a stem change {name!r}; did you mean {meant!r}?", place, "value")


def _stem(lemma: str, name: str, cell: _Cell, place: Place) -> str:
    """What is left of a lemma without the ending that a cell drops."""
    endings = [ending for ending in cell.drop if lemma.endswith(ending)]
    if cell.drop and not endings:
        what = f"{lemma!r} does not end in {' or '.join(cell.drop)}, as a word of the class {name!r} does"
        raise DataError(f"{what}; give it another class", place, "value")
    return lemma.removesuffix(endings[0]) if endings else lemma


def _changes(text: str, place: Place) -> dict[str, tuple[str, str]]:
    """Read stem changes: ``stressed:e>ie,soft:z>c``."""
    changes: dict[str, tuple[str, str]] = {}
    for item in filter(None, text.split(",")):
        name, colon, change = item.partition(":")
        old, arrow, new = change.partition(">")
        if not (name and colon and old and arrow):
            with in_column("stems", place):
                raise DataError(f"cannot read {item!r}; write it as stressed:e>ie", place, "value")
        changes[name] = old, new
    return changes


def _changed(stem: str, name: str, change: tuple[str, str], place: Place) -> str:
    """A stem with the last occurrence of a string in it replaced."""
    before, old, after = stem.rpartition(change[0])
    if not old:
        raise DataError(f"stems: the stem {stem!r} has no {change[0]!r} for {name!r} to change", place, "value")
    return before + change[1] + after
