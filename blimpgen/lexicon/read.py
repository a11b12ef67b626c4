"""The lexicon: all tables of a library, read on first use and offered as inventories by category."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, in_column, nearest
from blimpgen.base.sources import Table
from blimpgen.lexicon.features import parse_features, split_features, write_features
from blimpgen.lexicon.forms import grades, irregular, noun_forms, plain_tags, shared
from blimpgen.lexicon.inflection import Inflection
from blimpgen.lexicon.inventory import Inventory, Mask
from blimpgen.lexicon.language import read_language
from blimpgen.lexicon.nominals import Nominals
from blimpgen.lexicon.peers import Peers
from blimpgen.lexicon.readings import Readings
from blimpgen.lexicon.restrictions import atoms
from blimpgen.lexicon.rows import LexemeTable, read_hierarchy_table, read_table
from blimpgen.lexicon.scenes import Scenes
from blimpgen.lexicon.schema import CATEGORIES, DETERMINER_KINDS, FUNCTION_KINDS, TABLES
from blimpgen.lexicon.stand_ins import StandIns, macros_with_stand_ins, read_stand_ins, with_stand_ins
from blimpgen.lexicon.strings import EMPTY, StringPool
from blimpgen.lexicon.types import Hierarchy, read_hierarchy
from blimpgen.lexicon.verbs import VERB_CELLS, Verbs, VerbUse, join_classes, participle_parts

__all__ = ["Lexicon"]

_LEXEME_FACTS = ("also", "types", "subj", "obj", "frames", "no_frames", "tags")
"""The columns of lexemes that restrictions and relations ask for."""

_MOODS = {"not $merry": "glum", "not $glum": "merry"}
"""What somebody in a mood does not do (``verbs`` of adjectives), to the mood."""


class Lexicon:
    """The lexicon of one library.

    Args:
        folders: the table folders, the shipped one first; a later one replaces or adds rows.

    Attributes:
        language: how its words are written.
        admit: which lexemes of an inventory may be drawn; set by a variant that excludes some. All stay known.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self.language = read_language(self.folders)
        self.strings = StringPool(self.language)
        self._tables: dict[str, LexemeTable] = {}
        self._written: dict[str, LexemeTable] = {}
        self._inventories: dict[str, Inventory] = {}
        self.admit: Callable[[Inventory], Mask] | None = None

    def table(self, name: str) -> LexemeTable:
        """One table with its defaults filled in, read once."""
        if name not in self._tables:
            self._tables[name] = with_stand_ins(self._as_written(name), self.stand_ins)
        return self._tables[name]

    def _as_written(self, name: str) -> LexemeTable:
        """One table as it stands in the files, its lists not written out."""
        if name not in self._written:
            self._written[name] = read_table(name, self.folders)
        return self._written[name]

    @cached_property
    def stand_ins(self) -> StandIns:
        """The words that stand in the places of others."""
        return read_stand_ins(self._as_written)

    @cached_property
    def hierarchy(self) -> Hierarchy:
        """Types, tags and macros."""
        return read_hierarchy(self._hierarchy_table)

    def _hierarchy_table(self, name: str) -> Table:
        table = read_hierarchy_table(name, self.folders)
        return macros_with_stand_ins(table, self.stand_ins) if name == "macros" else table

    @cached_property
    def scenes(self) -> Scenes:
        """The walks of life that words belong to."""
        return Scenes(self.table("scenes"), self.hierarchy.parse)

    @cached_property
    def peers(self) -> Peers:
        """What is compared and named in one breath."""
        return Peers(self.table("peers"), self.inventory("N"), self.hierarchy.parse)

    @property
    def tells_sense(self) -> bool:
        """Whether it says of words that they make sense together."""
        return bool(self.scenes.names or self.peers.names)

    @cached_property
    def inflection(self) -> Inflection:
        """The forms of lexemes by inflection class."""
        return Inflection(self.table("lexemes"), self.table("inflection"))

    def _inflected(self, name: str) -> Inventory:
        """The inventory of a list of inflected words: their forms by UD features, and what is known of the lexemes."""
        lexemes, table = self.inflection.lexemes, self.table("inflected")
        rows, listed = self.inflection.rows.get(name, []), np.flatnonzero(table["list"] == name)
        for row in rows:
            self._check_facts(row)
        texts: dict[str, dict[str, str]] = {lexemes["lemma"][k]: self.inflection.forms(k, name) for k in rows}
        places = [lexemes.places[k] for k in rows for _ in texts[lexemes["lemma"][k]]]
        cells = [cell for forms in texts.values() for cell in forms]
        for k in listed:
            cell = write_features(parse_features(table["features"][k], table.places[k]))
            texts.setdefault(table["lemma"][k], {})[cell] = table["form"][k]
            cells.append(cell)
        places += [table.places[k] for k in listed]
        _check_same_features(name, cells, places)
        for row in rows:
            _check_also(lexemes["also"][row], cells, lexemes.places[row])
        forms = {cell: np.full(len(texts), -1, dtype=np.int32) for cell in dict.fromkeys(cells)}
        for number, inflected in enumerate(texts.values()):
            for cell, text in inflected.items():
                forms[cell][number] = self.strings.add(text) if text else -1
        facts = {column: [*lexemes[column][rows], *[""] * (len(texts) - len(rows))] for column in _LEXEME_FACTS}
        columns = {column: np.array(cells, dtype=object) for column, cells in {"lemma": list(texts), **facts}.items()}
        ids, weights = tuple(f"{name}:{lemma}" for lemma in texts), np.ones(len(texts), dtype=np.int64)
        typed, tagged = self.hierarchy.typed(columns["types"]), plain_tags(columns)
        firsts = dict(zip(table["lemma"][listed[::-1]], (table.places[k] for k in listed[::-1]), strict=True))
        firsts |= {lexemes["lemma"][k]: lexemes.places[k] for k in rows}
        places_of_words = tuple(firsts[lemma] for lemma in texts)
        return Inventory(
            f"words:{name}", ids, columns, forms, weights, True, typed, tagged, places_of_words, inflected=True
        )

    def _check_facts(self, row: int) -> None:
        """Whether the types that a lexeme has, and that its restrictions name, exist, and the frames that it denies."""
        lexemes, place = self.inflection.lexemes, self.inflection.lexemes.places[row]
        for column in ("types", "subj", "obj"):
            with in_column(column, place):
                text = lexemes[column][row]
                names = text.split(",") if column == "types" and text else []
                if column != "types":
                    names = [atom.name for atom in atoms(self.hierarchy.parse(text, place)) if atom.kind == "name"]
                for name in names:
                    self.hierarchy.type_number(name, place)
        listed, denied = ([*filter(None, lexemes[column][row].split(","))] for column in ("frames", "no_frames"))
        with in_column("no_frames", place):
            for name in denied:
                if name not in self._frames_of_lists:
                    what = f"no word lists the frame {name!r}; {nearest(name, self._frames_of_lists)}"
                    raise DataError(what, place, "frame")
                if name in listed:
                    raise DataError(
                        f"frames lists {name!r}, which is denied here; remove one of the two", place, "frame"
                    )

    @cached_property
    def _frames_of_lists(self) -> dict[str, None]:
        """The frames that words of lists have."""
        cells = self.table("lexemes")["frames"]
        return dict.fromkeys(frame for cell in dict.fromkeys(cells) for frame in cell.split(",") if frame)

    @cached_property
    def nominals(self) -> Nominals:
        """Nouns and names on one axis."""
        return Nominals(self.hierarchy, self.table("nouns"), self.table("names"))

    @cached_property
    def verbs(self) -> Verbs:
        """Verbs with their frames."""
        tables = (read_table(name, self.folders, fill=False) for name in ("verbs", "verb_frames", "verb_classes"))
        return join_classes(*(with_stand_ins(table, self.stand_ins) for table in tables))

    @cached_property
    def verb_uses(self) -> dict[tuple[str, str], tuple[VerbUse, ...]]:
        """Verb and frame to the uses that nothing is made with.

        Raises:
            DataError: an unknown verb or frame.
        """
        table, verbs = self.table("verb_uses"), frozenset(self.verbs.lexemes["id"])
        uses: dict[tuple[str, str], tuple[VerbUse, ...]] = {}
        for k, (verb, frame, subjects, objects) in enumerate(table.keys):
            if verb not in verbs:
                raise DataError(f"no verb has the id {verb!r}; {nearest(verb, verbs)}", table.places[k], "verb-id")
            uses[verb, frame] = (*uses.get((verb, frame), ()), VerbUse(table["doubtful"][k], subjects, objects))
        return uses

    @cached_property
    def inflected_lists(self) -> tuple[str, ...]:
        """Names of the lists of inflected words."""
        return tuple(dict.fromkeys((*self.inflection.rows, *self.table("inflected")["list"])))

    @cached_property
    def word_lists(self) -> tuple[str, ...]:
        """Names of the word lists, plain and inflected.

        Raises:
            DataError: a list that stands in both tables.
        """
        plain, table = dict.fromkeys(self.table("words")["list"]), self.table("inflected")
        for list_name in self.inflection.rows:
            if list_name in plain:
                what = f"the list {list_name!r} of an inflection class stands in words.tsv too; rename one of the two"
                raise DataError(what, self.table("inflection").places[0], "duplicate")
        for name, place in zip(table["list"], table.places, strict=True):
            if name in plain:
                what = f"the list {name!r} stands in words.tsv too; rename one of the two"
                raise DataError(what, place, "duplicate")
        return tuple(dict.fromkeys((*plain, *self.inflected_lists)))

    def inflected(self, inventory: Inventory, number: int) -> dict[str, str]:
        """The forms of a lexeme by their cell: ``Plur``, ``past``, ...

        Args:
            inventory, number: the lexeme.
        """
        return {
            cell: self.strings.text(int(numbers[number])).strip()
            for cell, numbers in inventory.forms.items()
            if numbers[number] >= 0
        }

    def inventory(self, category: str, place: Place | None = None) -> Inventory:
        """Return the lexemes of a category.

        Args:
            category: as in a paradigm, or a word list (``words:NAME``)
            place: where it is named, for errors

        Raises:
            DataError: an unknown category or word list.
        """
        if category not in self._inventories:
            self._inventories[category] = replace(self._build(category, place), admit=self.admit)
        return self._inventories[category]

    def inventories(self) -> Iterator[Inventory]:
        """Yield the lexemes of every category, then those of every word list."""
        yield from map(self.inventory, CATEGORIES)
        yield from self.listed()

    def listed(self) -> Iterator[Inventory]:
        """Yield the lexemes of every word list."""
        yield from (self.inventory(f"words:{name}") for name in self.word_lists)

    @cached_property
    def readings(self) -> Readings:
        """Every surface form with its readings."""
        return Readings(self)

    @cached_property
    def closed_words(self) -> Mapping[str, str]:
        """Every closed-class word form, which may be written out in a template, to the first table that has it."""
        words: dict[str, str] = {}
        for name, columns in (
            ("determiners", ("lemma", "sg", "pl", "mass", "npe")),
            ("function", ("lemma",)),
            ("pronouns", ("nom", "acc", "poss_det", "poss_pron", "refl")),
            ("polarity", ("lemma",)),
            ("auxiliaries", [c for c in TABLES["auxiliaries"].names if c.startswith(("pres_", "past_", "part"))]),
        ):
            table = self.table(name)
            for column in ("lemma", *columns):
                words |= {cell: name for cell in table.columns.get(column, ()) if cell and cell not in words}
        return words

    @cached_property
    def listed_forms(self) -> frozenset[str]:
        """Every form of a word in a list."""
        columns = (column for inventory in self.listed() for column in inventory.forms.values())
        return frozenset(self.strings.text(k).strip() for column in columns for k in column.tolist() if k > EMPTY)

    def is_word(self, text: str) -> bool:
        """Whether a text is a closed-class word."""
        return text in self.closed_words

    def is_literal(self, text: str) -> bool:
        """Whether a template may write a text out: a closed-class word or a mark."""
        return self.language.is_mark(text) or self.is_word(text)

    def select(self, category: str, restriction: str = "any") -> list[str]:
        """Return the ids of the lexemes that satisfy a restriction.

        Args:
            category: ``noun``, ``verb``, ..., or as in a paradigm
            restriction: in the restriction language

        Raises:
            DataError: an unknown category, or a restriction that cannot be asked.
        """
        names = {"noun": "N", "name": "Name", "verb": "V", "adjective": "A", "adverb": "Adv", "determiner": "D"}
        inventory = self.inventory(names.get(category, category))
        mask = inventory.mask(self.hierarchy.parse(restriction))
        return [inventory.ids[k] for k in np.flatnonzero(mask)]

    def _build(self, category: str, place: Place | None) -> Inventory:
        builders: dict[str, Callable[[], Inventory]] = {
            "N": self._nouns,
            "Name": self._names,
            "V": self._verbs,
            "A": self._adjectives,
            "Adv": self._adverbs,
            "Aux": lambda: self._auxiliaries("Aux", ("modal", "have", "be", "do")),
            "Cop": lambda: self._auxiliaries("Cop", ("be",)),
            "Refl": self._reflexives,
            "Recip": self._reciprocals,
            "Pron": self._pronouns,
        }
        if category in builders:
            return builders[category]()
        if category in DETERMINER_KINDS:
            return self._determiners(category)
        if category in FUNCTION_KINDS:
            return self._function(category)
        if category.startswith("words:"):
            return self._words(category, place)
        raise DataError(f"unknown category {category!r}; {nearest(category, CATEGORIES)}", place, "category")

    def _inventory(
        self,
        category: str,
        table: LexemeTable,
        rows: NDArray[np.intp],
        forms: dict[str, list[str]],
        *,
        content: bool = False,
        columns: dict[str, NDArray[np.object_]] | None = None,
        names: Callable[[str, Place | None], Mask] | None = None,
        tagged: Callable[[str, Place | None], Mask] | None = None,
    ) -> Inventory:
        data = {**{c: v[rows] for c, v in table.columns.items()}, **(columns or {})}
        onsets = table.columns["onset"][rows]
        numbers = {cell: self.strings.add_all(texts, onsets) for cell, texts in forms.items()}
        if "words" not in data:
            data["words"] = np.array([str(len(lemma.split())) for lemma in data["lemma"]], dtype=object)
        weights = table.weights[rows]
        ids, places = tuple(table.keys[k][0] for k in rows), tuple(table.places[k] for k in rows)
        return Inventory(category, ids, data, numbers, weights, content, names, tagged or plain_tags(data), places)

    def _nouns(self) -> Inventory:
        table, nominals = self.table("nouns"), self.nominals
        singular, plural = (
            zip(
                *(noun_forms(*cells) for cells in zip(table["lemma"], table["plural"], table["count"], strict=True)),
                strict=True,
            )
            if len(table)
            else ((), ())
        )
        part = slice(0, nominals.split)
        human = nominals.named(part)("human", None) if "human" in self.hierarchy.types else np.zeros(len(table), bool)
        gender = np.where(table["Gender"] == "", np.where(human, "Com", "Neut"), table["Gender"]).astype(object)
        columns = {
            "Gender": gender,
            "irregular": irregular(singular, plural),
            "adjective": shared(table["lemma"], self.table("adjectives")["lemma"]),
        }
        return self._inventory(
            "N",
            table,
            np.arange(len(table)),
            {"Sing": list(singular), "Plur": list(plural)},
            content=True,
            columns=columns,
            names=nominals.named(part),
            tagged=nominals.tagged(part),
        )

    def _names(self) -> Inventory:
        table, nominals = self.table("names"), self.nominals
        texts = [f"{det} {name}".strip() for det, name in zip(table["det"], table["lemma"], strict=True)]
        forms = {
            n: [t if number == n else "" for t, number in zip(texts, table["Number"], strict=True)]
            for n in ("Sing", "Plur")
        }
        part = slice(nominals.split, nominals.size)
        gender = np.where(table["Gender"] == "", "Neut", table["Gender"]).astype(object)
        return self._inventory(
            "Name",
            table,
            np.arange(len(table)),
            forms,
            content=True,
            columns={"Gender": gender},
            names=nominals.named(part),
            tagged=nominals.tagged(part),
        )

    def _verbs(self) -> Inventory:
        verbs = self.verbs
        frames: list[list[str]] = [[] for _ in range(len(verbs.lexemes))]
        for frame in verbs.rows:
            for k in np.flatnonzero(verbs.lists(frame)):
                frames[k].append(frame)
        words = [str(len(surface.split())) for surface in verbs.surfaces]
        kinds = [participle_parts(prt)[1] or "none" for prt in verbs.lexemes["prt"]]
        prt = [participle_parts(prt)[0] for prt in verbs.lexemes["prt"]]
        columns = {
            name: np.array(data, dtype=object)
            for name, data in (
                ("frames", [",".join(listed) for listed in frames]),
                ("words", words),
                ("prt_kind", kinds),
                ("prt", prt),
                ("noun", self._noun_homographs()),
                ("objectless", self._objectless()),
                ("bare_past", self._bare_pasts()),
            )
        }
        return self._inventory(
            "V",
            verbs.lexemes,
            np.arange(len(verbs.lexemes)),
            {cell: verbs.forms[cell] for cell in VERB_CELLS},
            content=True,
            columns=columns,
            names=self._has_frame,
        )

    def _objectless(self) -> list[str]:
        """Whether each verb without an object leaves one out (*ate*), or another complement (*decided*)."""
        verbs = self.verbs
        alternation, understood = verbs.frames["alt"], verbs.frames["drop"] != "no"
        dropped = verbs.lists("V") & understood[verbs.rows["V"]]
        return [
            "yes" if short or (both and alternation[row] not in ("ci", "recip")) else "no"
            for short, both, row in zip(
                dropped, verbs.lists("V") & verbs.lists("V.NP"), verbs.rows["V.NP"], strict=True
            )
        ]

    def _bare_pasts(self) -> list[str]:
        """Whether a past form of each verb is a bare form (*read*, *found*), or its bare form a past (*bore*).

        Also if only some say so (*knit*).
        """
        forms, lexemes = self.verbs.forms, self.verbs.lexemes
        others = (lemma in alt.split(",") for lemma, alt in zip(lexemes["lemma"], lexemes["past_alt"], strict=True))
        pasts, bares = ({*forms[name]} - {""} for name in ("past", "bare"))
        verbs = zip(forms["past"], forms["bare"], others, strict=True)
        return ["yes" if past in bares or bare in pasts or other else "no" for past, bare, other in verbs]

    def _noun_homographs(self) -> list[str]:
        """Whether a present form of each verb is a form of a noun too (*photographs*)."""
        nouns = self.inventory("N").forms
        noun_forms = {self.strings.text(k).strip() for cell in nouns.values() for k in cell.tolist() if k >= 0}
        forms = self.verbs.forms
        pairs = zip(forms["pres_sg"], forms["bare"], strict=True)
        return ["yes" if singular in noun_forms or bare in noun_forms else "no" for singular, bare in pairs]

    def _has_frame(self, frame: str, place: Place | None) -> Mask:
        if frame not in self.verbs.rows:
            raise DataError(f"unknown frame {frame!r}; {nearest(frame, self.verbs.rows)}", place, "frame")
        return self.verbs.lists(frame)

    def _adjectives(self) -> Inventory:
        table = self.table("adjectives")
        graded = [grades(*cells) for cells in zip(table["lemma"], table["comp"], table["sup"], strict=True)]
        prepositions = [participle_parts(prt) for prt in table["prt"]]
        forms = {
            cell: [
                f"{form[k]} {after}".strip() if form[k] else ""
                for form, (after, _) in zip(graded, prepositions, strict=True)
            ]
            for k, cell in enumerate(("form", "comp", "sup"))
        }
        frames = table["frames"]
        return self._inventory(
            "A",
            table,
            np.arange(len(table)),
            forms,
            content=True,
            columns={
                "prt": np.array([words for words, _ in prepositions], dtype=object),
                "prt_kind": np.array([kind or "none" for _, kind in prepositions], dtype=object),
                "noun": shared(table["lemma"], self.table("nouns")["lemma"]),
                "mood": np.array([_MOODS.get(verbs, "none") for verbs in table["verbs"]], dtype=object),
                "form_of": np.array(self._forms_of_verbs(table["lemma"], table["of_verb"]), dtype=object),
            },
            names=lambda name, place: np.array([name in f.split(",") for f in frames], dtype=bool),
        )

    def _forms_of_verbs(self, lemmas: Iterable[str], verbs: Iterable[str]) -> list[str]:
        """The verb of which each adjective is, or contains, a form: *broken*, *lost*, *clean*, not *useful*."""
        forms: dict[str, set[str]] = defaultdict(set)
        for surface, *verb_forms in zip(self.verbs.surfaces, *self.verbs.forms.values(), strict=True):
            forms[surface].update(verb_forms)
        pairs = zip(lemmas, verbs, strict=True)
        return ["" if forms[verb].isdisjoint(lemma.split()) else verb for lemma, verb in pairs]

    def _adverbs(self) -> Inventory:
        table = self.table("adverbs")
        return self._inventory("Adv", table, np.arange(len(table)), {"form": list(table["lemma"])}, content=True)

    def _determiners(self, category: str) -> Inventory:
        table = self.table("determiners")
        rows = np.flatnonzero(np.isin(table["kind"], DETERMINER_KINDS[category]))
        forms = {cell: list(table[cell][rows]) for cell in ("sg", "pl", "mass")}
        if category == "NumMod":
            forms = {"form": list(table["lemma"][rows])}
        columns = {"form": table["lemma"][rows]}
        return self._inventory(category, table, rows, forms, columns=columns)

    def _auxiliaries(self, category: str, kinds: tuple[str, ...]) -> Inventory:
        table = self.table("auxiliaries")
        rows = np.flatnonzero(np.isin(table["kind"], kinds))
        cells = [c for c in TABLES["auxiliaries"].names if c.startswith(("pres_", "past_"))]
        return self._inventory(
            category, table, rows, {c: list(table[c][rows]) for c in cells}, columns={"form": table["lemma"][rows]}
        )

    def _reflexives(self) -> Inventory:
        table = self.table("pronouns")
        rows = np.flatnonzero((table["refl"] != "") & (table["open"] == "no") & (table["Person"] == "3"))
        return self._inventory("Refl", table, rows, {"form": list(table["refl"][rows])})

    def _reciprocals(self) -> Inventory:
        table = self.table("pronouns")
        rows = np.flatnonzero((table["nom"] == "") & (table["refl"] == "") & (table["open"] == "no"))
        return self._inventory("Recip", table, rows, {"form": list(table["acc"][rows])})

    def _pronouns(self) -> Inventory:
        table = self.table("pronouns")
        rows = np.flatnonzero((table["nom"] != "") & (table["open"] == "no"))
        return self._inventory("Pron", table, rows, {c: list(table[c][rows]) for c in ("nom", "acc", "poss_pron")})

    def _function(self, category: str) -> Inventory:
        table = self.table("function")
        rows = np.flatnonzero(table["kind"] == FUNCTION_KINDS[category])
        return self._inventory(category, table, rows, {"form": list(table["lemma"][rows])})

    def _words(self, category: str, place: Place | None) -> Inventory:
        name = category.removeprefix("words:")
        if name not in self.word_lists:
            raise DataError(f"unknown word list {name!r}; {nearest(name, self.word_lists)}", place, "words")
        table = self.table("words")
        rows = np.flatnonzero(table["list"] == name)
        if not len(rows):
            return self._inflected(name)
        plural = [p or lemma for p, lemma in zip(table["plural"][rows], table["lemma"][rows], strict=True)]
        forms = {
            "Sing": [self.strings.add(t) for t in table["lemma"][rows]],
            "Plur": [self.strings.add(t) for t in plural],
        }
        ids = tuple(f"{name}:{table['lemma'][k]}" for k in rows)
        return Inventory(
            category,
            ids,
            {"lemma": table["lemma"][rows]},
            {cell: np.array(f, dtype=np.int32) for cell, f in forms.items()},
            np.ones(len(rows), dtype=np.int64),
            content=True,
        )


def _check_also(text: str, cells: Iterable[str], place: Place) -> None:
    """Whether the values that a lexeme is also given are values of its list; features of its other lists are left."""
    values: dict[str, dict[str, None]] = {}
    for feature, value in (item for cell in dict.fromkeys(cells) for item in split_features(cell).items()):
        values.setdefault(feature, {})[value] = None
    with in_column("also", place):
        for feature, value in (
            item for part in text.split(",") if part for item in parse_features(part, place).items()
        ):
            if feature in values and value not in values[feature]:
                raise DataError(f"no word has {feature}={value}; {nearest(value, values[feature])}", place, "value")


def _check_same_features(name: str, cells: Sequence[str], places: Sequence[Place]) -> None:
    """Whether all forms of a list have the same features.

    Args:
        name: the list.
        cells: the features of each form, as they are written.
        places: where each form stands.

    Raises:
        DataError: the first form that has others.
    """
    for cell, place in zip(cells, places, strict=True):
        names, first = (", ".join(split_features(features)) for features in (cell, cells[0]))
        if names != first:
            what = f"the list {name!r} has the features {first}, this form {names}"
            raise DataError(f"{what}; give all forms of a list the same features", place, "feature")
