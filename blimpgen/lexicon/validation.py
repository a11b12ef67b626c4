"""Whether what tables, rules and languages name exists: types, tags, frames and columns, words and their lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from blimpgen.base.errors import DataError, Place, caught, in_column, missing_values, nearest, refuse
from blimpgen.base.folders import listed_files
from blimpgen.lexicon.language import language_document
from blimpgen.lexicon.read import Lexicon
from blimpgen.lexicon.restrictions import Atom, Expression, atoms
from blimpgen.lexicon.rows import LexemeTable
from blimpgen.lexicon.schema import FRAMES, HIERARCHY, TABLES

__all__ = ["OPEN_CLASSES", "RestrictionChecker", "check_cells", "check_language", "check_tables"]

_OTHER_TABLES = ("zipf", "blocked")
_NOMINALS = ("nouns", "names")
_FEATURES = MappingProxyType({"Polarity": ("Pos", "Neg"), "Tense": ("Pres", "Past")})
"""What may be asked of the verb of a clause besides its word: whether it is negated, and its tense."""
_CLAUSAL = ("that", "to")

OPEN_CLASSES = {"nouns": "N", "names": "Name", "verbs": "V", "adjectives": "A"}
"""Table to category, of the words that a restriction can be asked of."""


def check_tables(folders: Sequence[Path]) -> None:
    """Whether every table in the folders is one that is read.

    Raises:
        DataError: the first table of another name.
    """
    names = (*TABLES, *(spec.name for spec in HIERARCHY), *_OTHER_TABLES)
    for folder in folders:
        for path in listed_files(folder, "*.tsv"):
            if path.stem not in names:
                hint = nearest(path.stem, names)
                raise DataError(f"no table has the name {path.stem!r}; {hint}", Place(path, 1), "tsv")


def check_cells(lexicon: Lexicon, name: str) -> None:
    """Check what the cells of a table say of other tables: restrictions, relations, and forms without a noun.

    Args:
        lexicon: all tables.
        name: the table.

    Raises:
        DataError: the first cell that names what does not exist, with all others.
    """
    table, nominals = lexicon.table(name), RestrictionChecker(lexicon, _NOMINALS)
    errors: list[DataError] = []
    checkers = {"restriction": nominals, "relations": nominals}
    checkers |= {name: RestrictionChecker(lexicon, (name,)) for name in ("verbs", "adjectives")}
    checkers["clauses"] = RestrictionChecker(lexicon, ("verbs",), _FEATURES)
    checkers["predicates"] = RestrictionChecker(lexicon, ("verbs", "adjectives"), _FEATURES)
    for column in TABLES[name].columns:
        first: dict[str, Place] = {}
        for text, place in zip(table[column.name], table.places, strict=True):
            first.setdefault(text, place)
        for text, place in first.items() if column.kind in checkers else ():
            with caught(errors, place), in_column(column.name, place):
                for restriction in _restrictions(text, column.kind, place):
                    checkers[column.kind].check(lexicon.hierarchy.parse(restriction, place), place)
    if name == "determiners":
        errors.extend(_forms_alone(table))
    if name == "scenes":
        errors.extend(_unknown_scenes(table))
    refuse(errors)


def check_language(lexicon: Lexicon) -> None:
    """Check what the file of a language says of its tables: that lists of words and words that join exist.

    Args:
        lexicon: all tables.

    Raises:
        DataError: the first list or word that does not, with all others.
    """
    document = language_document(lexicon.folders)
    if document is None:
        return
    errors: list[DataError] = []
    for name, lists in lexicon.language.classes.items():
        for word_list in lists:
            if word_list not in lexicon.word_lists:
                what = f"unknown word list {word_list!r}; {nearest(word_list, lexicon.word_lists)}"
                errors.append(DataError(what, document.place("classes", name), "words"))
    forms = lexicon.listed_forms | lexicon.closed_words.keys()
    made: set[str] = set()
    joins = lexicon.language.joins
    for number, join in enumerate(joins):
        for word in join.words.split():
            if word not in forms | made:
                later = any(word == other.becomes for other in joins[number + 1 :])
                hint = "a later join makes it; put this one behind that" if later else nearest(word, forms)
                what = f"no table has {word!r}, so nothing is joined; {hint}"
                errors.append(DataError(what, document.place("joins", number, "words"), "value"))
        made.add(join.becomes)
    refuse(errors)


def _restrictions(cell: str, kind: str, place: Place) -> Iterator[str]:
    """The restrictions in a cell; in one of relations, what stands after the colon of each item."""
    if kind != "relations":
        yield from filter(None, [cell])
        return
    for item in filter(None, cell.split(",")):
        name, colon, restriction = item.partition(":")
        if colon and name in _CLAUSAL:
            raise DataError(f"{item!r}: {name} takes no restriction; write {name}", place, "restriction")
        if colon:
            yield restriction


def _forms_alone(table: LexemeTable) -> Iterator[DataError]:
    """What a determiner leaves when its noun is dropped and that is no determiner, *one*, or *none*."""
    forms = {lemma.removesuffix(" of") for lemma in table["lemma"]} | {"-", "", "one", "none"}
    for form, place in zip(table["npe"], table.places, strict=True):
        if form not in forms:
            yield DataError(f"npe={form!r} is no determiner; {nearest(form, forms)}; - for none", place, "value")


def _unknown_scenes(table: LexemeTable) -> Iterator[DataError]:
    """What a scene says it is contrary to, and is no scene."""
    names = {*table["scene"], ""}
    for name, place in zip(table["contrary"], table.places, strict=True):
        if name not in names:
            yield DataError(f"contrary: unknown scene {name!r}; {nearest(name, names)}", place, "value")


class RestrictionChecker:
    """Checks that what a restriction asks of the words of some tables exists.

    Args:
        lexicon: all tables.
        tables: the names of the tables, of open classes.
        features: what may be asked of a word in its sentence, with its values.
    """

    def __init__(
        self, lexicon: Lexicon, tables: Sequence[str], features: Mapping[str, tuple[str, ...]] | None = None
    ) -> None:
        self.lexicon, self.tables, self.features = lexicon, tuple(tables), features or {}

    def check(self, expression: Expression, place: Place) -> None:
        """Check one restriction.

        Args:
            expression: the parsed restriction, its macros replaced.
            place: where it stands, for errors.

        Raises:
            DataError: an unknown type, frame, tag, column or value.
        """
        for atom in atoms(expression):
            if atom.kind == "name" and atom.name not in self.names:
                what = "type" if set(self.tables) & set(_NOMINALS) else "frame"
                raise DataError(f"unknown {what} {atom.name!r}; {nearest(atom.name, self.names)}", place, what)
            if atom.kind == "tag" and atom.name not in self.tags:
                raise DataError(f"unknown tag +{atom.name}; {nearest(atom.name, self.tags)}", place, "tag")
            if atom.kind == "column":
                self._check_column(atom, place)

    @cached_property
    def names(self) -> dict[str, None]:
        """The types of nouns and the frames that the tables have."""
        nominal = self.lexicon.hierarchy.types if set(self.tables) & set(_NOMINALS) else ()
        verbal = FRAMES if set(self.tables) - set(_NOMINALS) else ()
        return dict.fromkeys([*nominal, *verbal])

    @cached_property
    def tags(self) -> dict[str, None]:
        """The tags of their words."""
        cells = {cell for table in self.tables for cell in self.lexicon.table(table).columns.get("tags", ())}
        listed = {tag.lstrip("+-") for cell in cells for tag in cell.split(",")}
        return dict.fromkeys([*self.lexicon.hierarchy.tags, *sorted(listed)])

    @cached_property
    def columns(self) -> dict[str, tuple[str, ...]]:
        """Column to its closed set of values; empty where any value may be asked."""
        tables = [*self.tables, *(["verb_frames"] if "verbs" in self.tables else [])]
        computed = {name for table in self.tables for name in self.lexicon.inventory(OPEN_CLASSES[table]).columns}
        declared = {
            column.name: (*column.values, "none") if column.kind == "relations" else column.values
            for table in tables
            for column in TABLES[table].columns
        }
        return {**dict.fromkeys(["Number", *sorted(computed)], ()), **declared, **self.features}

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """Their lemmas."""
        return self._lemmas_of(self.lexicon)

    @cached_property
    def _replaced(self) -> frozenset[str]:
        """The lemmas of rows that a later folder replaces: what stands below it may still name them."""
        folders = self.lexicon.folders
        return frozenset().union(*(self._lemmas_of(Lexicon(folders[:size])) for size in range(1, len(folders))))

    def _lemmas_of(self, lexicon: Lexicon) -> frozenset[str]:
        return frozenset(lemma for table in self.tables for lemma in lexicon.table(table)["lemma"])

    def _check_column(self, atom: Atom, place: Place) -> None:
        if atom.name not in self.columns:
            hint = nearest(atom.name, self.columns)
            raise DataError(f"{' and '.join(self.tables)} have no column {atom.name!r}; {hint}", place, "feature")
        allowed = self.lemmas if atom.name == "lemma" else self.columns[atom.name]
        missing = [value for value in atom.values if allowed and value not in allowed]
        if missing and atom.name == "lemma":
            missing = [value for value in missing if value not in self._replaced]
        if missing:
            raise DataError(missing_values("word", atom.name, missing, sorted(allowed)), place, "value")
