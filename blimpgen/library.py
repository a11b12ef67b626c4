"""A library: the three data folders, shipped or a user's own stacked over them, with everything read from them.

A *suite* is a folder of paradigms with an optional ``suite.yaml``; a suite may name a library of its own, whose
words are stacked over the main lexicon for it alone.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from blimpgen.base.errors import DataError, Place, UsageError, nearest, respelt
from blimpgen.base.files import Snapshot, snapshot
from blimpgen.base.folders import check_name, data_folder, listed_files, shipped_data
from blimpgen.base.garbage import uncollected
from blimpgen.base.memo import Recent
from blimpgen.base.model_errors import first_error
from blimpgen.base.sources import read_yaml
from blimpgen.grammar import Grammar, read_grammar
from blimpgen.grammar.chart import Chart
from blimpgen.grammar.list_categories import check_lists
from blimpgen.grammar.parse import Parser
from blimpgen.grammar.verdicts import Verdicts
from blimpgen.grammar.word_classes import WordNumbers
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.entries import Entries
from blimpgen.lexicon.inventory import Inventory, Mask
from blimpgen.lexicon.language import LANGUAGE_FILE
from blimpgen.lexicon.restrictions import Expression
from blimpgen.lexicon.validation import OPEN_CLASSES, RestrictionChecker, check_tables
from blimpgen.paradigm import Paradigm, read_paradigm
from blimpgen.plan import Plan, Relations, Selection, Unroller
from blimpgen.variants.limits import Limits
from blimpgen.variants.record import Variant

__all__ = ["Language", "Library", "Suite", "default_library", "load_library", "shipped_data"]

DEFAULT_SUITE = "blimp"
VARIANTS = 4
"""Variants that a library keeps; each that restricts the words has a lexicon of its own, of about 40 MB."""


class ProfileModel(BaseModel):
    """A profile of a suite: the library whose words it uses.

    Attributes:
        library: instead of the suite's; a paradigm that names a library keeps it.
        layer: stacked over the library of each paradigm that has such a layer.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    library: str | None = None
    layer: str | None = None


class SuiteModel(BaseModel):
    """The format of ``suite.yaml``."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    title: str
    library: str | None = None
    profiles: dict[str, ProfileModel] = {}
    tables: dict[str, dict[str, list[str]]] = {}
    aliases: dict[str, str] = {}


@dataclass(frozen=True)
class Suite:
    """A suite: its name, what its ``suite.yaml`` says, the files of its paradigms by UID, where its library stands."""

    name: str
    model: SuiteModel
    files: dict[str, Path] = field(repr=False)
    place: Place | None = None


@dataclass(frozen=True)
class Language:
    """Words and rules of one library: lexicon, grammar, and what is derived from them once.

    Attributes:
        lexicon: the words.
        grammar: the rules.
        entries: the words as the grammar's terminals.
        read: the files of tables and of rules when they were read.
        limits: those of a variant, if it sets any.
    """

    lexicon: Lexicon
    grammar: Grammar
    entries: Entries
    read: tuple[Snapshot, Snapshot]
    limits: Limits | None = None

    @property
    def pairing(self) -> Callable[[Plan], None] | None:
        """What a variant adds to a plan."""
        return self.limits.pair if self.limits else None

    @property
    def state(self) -> str | None:
        """The state of the files of tables and rules; None if plans made with them are not to be stored.

        They are not with the limits of a variant, and where words or rules have changed since they were read: a table
        is read when it is first needed, so nobody knows which state of it a plan was made from.
        """
        if self.limits or not all(read.holds() for read in self.read):
            return None
        return "\0".join(read.state for read in self.read)

    @cached_property
    def chart(self) -> Chart:
        """The recogniser of templates and sentences."""
        return Chart(self.grammar)

    @cached_property
    def parsers(self) -> dict[str, Parser]:
        """The parsers of sentences by their reading."""
        return {reading: Parser(self.chart, self.entries, reading) for reading in ("closed", "open")}

    @cached_property
    def word_numbers(self) -> WordNumbers:
        """The words of the strings that sentences are joined from."""
        return WordNumbers(self.lexicon.strings)

    @cached_property
    def verdicts(self) -> Verdicts:
        """What judges many sentences at once."""
        return Verdicts(self.parsers, self.word_numbers)

    @cached_property
    def relations(self) -> Relations:
        """Selection and agreement."""
        return Relations(self.lexicon, Selection(self.lexicon))

    @cached_property
    def unroller(self) -> Unroller:
        """Categories to nodes."""
        return Unroller(self.lexicon, self.grammar)


class Library:
    """The data folders, read on first use.

    Args:
        folders: folders that each hold any of ``lexicon``, ``grammars`` and ``paradigms``, the shipped one first.
        profile: the profile of suites that have some, such as a historical vocabulary.
        variant: how the sets depart from the paradigms' own words.
    """

    def __init__(self, folders: Sequence[Path], profile: str | None = None, variant: Variant | None = None) -> None:
        self.folders, self.profile, self.variant = tuple(folders), profile, variant
        self._languages: dict[str, Language] = {}
        self._paradigms: dict[Path, Paradigm] = {}
        self.cache = Recent()

    def varied(self, variant: Variant | None) -> Library:
        """The same data for a variant; the last of them are kept in this library."""
        if variant == self.variant:
            return self
        return self.cache.once("variant", variant, lambda: self._new_variant(variant), most=VARIANTS)

    def _new_variant(self, variant: Variant | None) -> Library:
        varied = Library(self.folders, self.profile, variant)
        if not (self.variant and self.variant.restricts) and not (variant and variant.restricts):
            varied._languages, varied._paradigms, varied.cache = self._languages, self._paradigms, self.cache
        return varied

    @property
    def lexicon(self) -> Lexicon:
        """The main lexicon."""
        return self.language("").lexicon

    @property
    def grammar(self) -> Grammar:
        """The main grammar."""
        return self.language("").grammar

    def language(self, name: str | None, place: Place | None = None) -> Language:
        """Lexicon and grammar, with the words of a named library stacked over the main ones.

        Args:
            name: the library; the main one if none is given; ``a/b`` stacks b over a.
            place: where the name stands, for errors.
        """
        name = name or ""
        if name not in self._languages:
            if name and not self._has_library(name):
                raise DataError(f"unknown library {name!r}; {nearest(name, self._library_names())}", place, "library")
            with uncollected():
                self._languages[name] = self._read(name)
        return self._languages[name]

    def _read(self, name: str) -> Language:
        """Read the tables and rules of a library that is there."""
        layers = self._layers(name)
        tables = [f / "lexicon" / layer for layer in layers for f in self.folders]
        rules = [f / "grammars" / (layer or "english") for layer in layers for f in self.folders]
        read = snapshot(tables, "*.tsv", LANGUAGE_FILE), snapshot(rules, "*.cfg")
        lexicon = Lexicon([t for t in tables if t.is_dir()])
        limits = Limits(self.variant, lexicon) if self.variant and self.variant.restricts else None
        lexicon.admit = limits.admits if limits else None
        check_tables(lexicon.folders)
        paths = {p.name: p for folder in rules for p in listed_files(folder, "*.cfg")}
        grammar = read_grammar(list(paths.values()), lexicon.hierarchy.parse)
        check_rules(grammar, lexicon)
        entries = Entries(lexicon, _asked_of_words(grammar, lexicon))
        grammar = replace(grammar, entries=entries)
        return Language(lexicon, grammar, entries, read, limits)

    def _layers(self, name: str) -> list[str]:
        """The folders of a library, each stacked over those before; the first is the main one, or a language."""
        layers = ["", *itertools.accumulate(name.split("/"), "{}/{}".format)] if name else [""]
        return layers[1:] if name and self._is_language(layers[1]) else layers

    def _is_language(self, name: str) -> bool:
        """Whether a folder of tables is a language of its own, under which nothing of English stands."""
        return any((f / "lexicon" / name / LANGUAGE_FILE).is_file() for f in self.folders)

    def _has_library(self, name: str) -> bool:
        """Whether a data folder has tables or rules of a library; what leads out of the folder is none."""
        if any(not layer or layer.startswith(".") for layer in name.split("/")):
            return False
        return any(os.path.isdir(f / part / name) for f in self.folders for part in ("lexicon", "grammars"))

    def grammars(self) -> list[str]:
        """The languages and libraries that have rules."""
        folders = (path for f in self.folders for path in (f / "grammars").glob("*") if listed_files(path, "*.cfg"))
        return sorted({path.name for path in folders})

    def _library_names(self) -> list[str]:
        return sorted(p.name for f in self.folders for p in (f / "lexicon").glob("*") if p.is_dir())

    @cached_property
    def suites(self) -> dict[str, Suite]:
        """All suites by name."""
        files: dict[str, dict[str, Path]] = {}
        read: dict[str, tuple[SuiteModel, Place | None]] = {}
        for folder in self.folders:
            for path in listed_files(folder / "paradigms", "*/**/*.yaml"):
                suite = path.relative_to(folder / "paradigms").parts[0]
                if path.name == "suite.yaml":
                    read[suite] = _read_suite(path)
                else:
                    files.setdefault(suite, {})[path.stem] = path
        suites = {}
        for name, files_of_suite in sorted(files.items()):
            model, place = read.get(name, (SuiteModel(title=name), None))
            suites[name] = Suite(name, model, files_of_suite, place)
        return suites

    def paradigm(self, name: str | Path) -> Paradigm:
        """A paradigm by UID, alias, or path of a file; as the file was when it was first asked for."""
        path, suite = self._find(name)
        if path not in self._paradigms:
            self._paradigms[path] = read_paradigm(path, suite)
        return self._paradigms[path]

    def reread(self, path: Path) -> Paradigm:
        """A paradigm from its file as it is now; what had been read of it is forgotten."""
        self.forget(path)
        return self.paradigm(path)

    def draft(self, path: Path, text: str) -> Paradigm:
        """A paradigm as its file would give it with another text; the file is neither read nor written.

        Args:
            path: the file, which need not be there.
            text: its text.

        Raises:
            DataError: anything that is not of the format.
        """
        return read_paradigm(path, self._suite_of(path), text=text)

    def relist(self, folder: Path) -> None:
        """Look again which paradigm files a data folder has; what was read of them is forgotten, words are kept."""
        for path in [path for path in self._paradigms if path.is_relative_to(folder)]:
            self.forget(path)
        for name in ("suites", "_owners"):
            vars(self).pop(name, None)

    def forget(self, path: Path) -> None:
        """Forget what was read of a paradigm file."""
        self._paradigms.pop(path, None)

    def release(self) -> None:
        """Give back the memory of words, rules and what was made of them; they are read again when they are needed."""
        self._languages.clear()
        self.cache = Recent()

    def language_of(self, paradigm: Paradigm) -> Language:
        """The words and rules that a paradigm is made with.

        Raises:
            UsageError: its suite has no such profile.
        """
        suite = self.suites.get(paradigm.suite)
        profiles = suite.model.profiles if suite else {}
        if self.profile is not None and self.profile not in profiles:
            whose = f"the suite {suite.name!r}" if suite else f"{paradigm.uid} belongs to no suite and"
            raise UsageError(f"{whose} has no profile {self.profile!r}; {nearest(self.profile, profiles)}")
        profile = profiles[self.profile] if self.profile is not None else ProfileModel()
        name = paradigm.model.library
        place: Place | None = paradigm.place("library")
        if not name and suite:
            name, place = profile.library or self.library_of(suite), suite.place
        if profile.layer and suite:
            self._check_layer(profile.layer, suite.place)
            name = layered if self._has_library(layered := f"{name}/{profile.layer}") else name
        return self.language(name, place)

    def library_of(self, suite: Suite) -> str:
        """The library of a suite that its paradigms do not name; a suite called like a language is in that."""
        return suite.model.library or (suite.name if self._is_language(suite.name) else "")

    def _check_layer(self, layer: str, place: Place | None) -> None:
        """Whether any library has a layer of this name."""
        layers = {path.name for f in self.folders for path in (f / "lexicon").glob("*/**") if path.is_dir()}
        if layer not in layers:
            raise DataError(f"no library has a layer {layer!r}; {nearest(layer, layers)}", place, "library")

    def _find(self, name: str | Path) -> tuple[Path, str]:
        if isinstance(name, Path) or str(name).endswith((".yaml", ".yml")):
            return Path(name), self._suite_of(Path(name))
        for suite in self.suites.values():
            uid = suite.model.aliases.get(str(name), str(name))
            if uid in suite.files:
                return suite.files[uid], suite.name
        hint = nearest(str(name), [*self.uids(), *self.suites])
        if Path(name).is_dir():
            hint = f"it is a folder; a suite is named by its name alone: {nearest(Path(name).name, self.suites)}"
        raise UsageError(f"no paradigm or suite {str(name)!r}; {hint}")

    def _suite_of(self, path: Path) -> str:
        return self._owners.get(os.path.realpath(path), "")

    @cached_property
    def _owners(self) -> dict[str, str]:
        """The suite of each paradigm file, by its path without links."""
        return {os.path.realpath(path): suite.name for suite in self.suites.values() for path in suite.files.values()}

    def uids(self, suite: str | None = None) -> Iterator[str]:
        """The UIDs of a suite, or of all."""
        for entry in self.suites.values():
            if suite in (None, entry.name):
                yield from entry.files

    def targets(self, names: Sequence[str]) -> list[Paradigm]:
        """The paradigms that some targets name: UIDs, aliases, suites, files; none means the default suite."""
        result: dict[Path, Paradigm] = {}
        for name in names or (DEFAULT_SUITE,):
            members = list(self.suites[name].files.values()) if name in self.suites else [self._find(name)[0]]
            for path in members:
                result.setdefault(path, self.paradigm(path))
        return list(result.values())


def check_rules(grammar: Grammar, lexicon: Lexicon) -> None:
    """Whether the restrictions in the rules can be asked of the words.

    Args:
        grammar: the rules.
        lexicon: the words.

    Raises:
        DataError: the first that asks for what does not exist.
    """
    check_lists(grammar, lexicon)
    _check_literals(grammar, lexicon)
    checker = RestrictionChecker(lexicon, tuple(OPEN_CLASSES))
    for rule in (rule for rules in grammar.rules.values() for rule in rules):
        for daughter in rule.daughters:
            if daughter.restriction:
                asked = daughter.restriction.expression
                if lists := sorted(grammar.heads(daughter.category) & {*grammar.lists}):
                    _check_of_lists(asked, [lexicon.inventory(f"words:{name}") for name in lists], rule.place)
                elif grammar.heads(daughter.category) & set(OPEN_CLASSES.values()):
                    checker.check(asked, rule.place)
                else:
                    lexicon.inventory(daughter.category).mask(asked, rule.place)


def _check_literals(grammar: Grammar, lexicon: Lexicon) -> None:
    """Whether the words that the rules of a language of word lists write out are words of its tables."""
    words = lexicon.listed_forms | lexicon.closed_words.keys() if grammar.lists else frozenset()
    for rule in (rule for rules in grammar.rules.values() for rule in rules if grammar.lists):
        for daughter in rule.daughters:
            if daughter.literal and daughter.category not in words and not lexicon.language.is_mark(daughter.category):
                meant = respelt(daughter.category, words)
                hint = f"did you mean {meant!r}, or" if meant else "if it is spelt so,"
                what = f"no table has the word {daughter.category!r} that {rule.name} writes out"
                raise DataError(f"{what}; {hint} write it into function.tsv", rule.place, "symbol")


def _check_of_lists(restriction: Expression, inventories: Sequence[Inventory], place: Place) -> None:
    """Whether a restriction can be asked of some word lists: a value must be one that words of any of them have."""
    for inventory in inventories:
        inventory.mask(restriction, place, one_of_several=len(inventories) > 1)


def _asked_of_words(grammar: Grammar, lexicon: Lexicon) -> dict[str, dict[str, Mask]]:
    """What ``is`` asks in rules, by the category of words: which of its lexemes are so.

    Where words of an open class may be the head, others are not asked: a demonstrative on its own has no types.
    """
    answers: dict[str, dict[str, Mask]] = {}
    for (text, expression), heads in grammar.requirements.items():
        lexical = {name for name in heads if grammar.categories[name].lexical}
        for category in lexical & set(OPEN_CLASSES.values()) or lexical:
            name = f"words:{category}" if category in grammar.lists else category
            mask = lexicon.inventory(name).mask(expression, one_of_several=len(lexical) > 1)
            answers.setdefault(name, {})[text] = mask
    return answers


def _read_suite(path: Path) -> tuple[SuiteModel, Place]:
    document = read_yaml(path)
    try:
        model = SuiteModel.model_validate(document.data)
    except ValidationError as error:
        raise first_error(error, lambda keys: SuiteModel.model_fields, document.place) from None
    for alias in model.aliases:
        check_name(alias, document.place("aliases", alias))
    return model, document.place("library")


def load_library(folder: str | Path | None = None, *, profile: str | None = None) -> Library:
    """The shipped library, with a user's folder stacked over it.

    Args:
        folder: a folder that holds any of ``lexicon``, ``grammars`` and ``paradigms``.
        profile: the profile of suites that have some, such as a historical vocabulary.

    Raises:
        UsageError: no such folder, or it has none of the three.
    """
    if folder is None:
        return Library([shipped_data()], profile) if profile else default_library()
    return Library([shipped_data(), data_folder(folder)], profile)


_default: list[Library] = []


def default_library() -> Library:
    """The shipped library, read once."""
    if not _default:
        _default.append(Library([shipped_data()]))
    return _default[0]
