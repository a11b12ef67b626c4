"""Filters: what a corpus must not show a model that is to be tested on a construction, one YAML file each.

A filter rejects a sentence if any of its patterns fits it. Its file says which paradigms it is about, where it comes
from, and gives worked examples; ``lists.yaml`` beside it has the word lists that patterns name. The formats are
described in docs/filters.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.base.model_errors import first_error
from blimpgen.base.sources import Document, read_text, read_yaml
from blimpgen.corpora.conllu import Block, Sentences, parse_block
from blimpgen.corpora.patterns import Pattern, PatternMatcher, WordTest, parse_relation, parse_test
from blimpgen.lexicon import Lexicon

__all__ = [
    "FULL",
    "Filter",
    "FilterModel",
    "Filters",
    "WordLists",
    "filter_files",
    "find_filters",
    "read_filter",
    "read_word_list",
    "word_lists",
]

FULL = "full"
"""The name of the corpus that no filter has touched."""

_LISTS = "lists.yaml"
_FOLDER = Path("grammars", "filters")
_VARIANT = "."
_EXAMPLE_COLUMNS = 7


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WithoutModel(_Model):
    """What must not stand beside the words of a pattern."""

    words: dict[str, dict[str, str]] = {}
    where: Annotated[list[str], Field(min_length=1)]


class PatternModel(_Model):
    """A pattern: words, relations, and what must be absent."""

    words: Annotated[dict[str, dict[str, str]], Field(min_length=1)]
    where: list[str] = []
    without: list[WithoutModel] = []


class VariantModel(_Model):
    """Other patterns for the same construction, and in what they differ."""

    summary: str
    reject: Annotated[list[PatternModel], Field(min_length=1)]


class ExamplesModel(_Model):
    """Worked examples: parsed sentences, a word a line."""

    rejected: Annotated[list[str], Field(min_length=1)]
    accepted: Annotated[list[str], Field(min_length=1)]


class FilterModel(_Model):
    """The format of a filter file."""

    summary: str
    names: list[str] = []
    targets: list[str]
    source: str
    note: str | None = None
    reject: Annotated[list[PatternModel], Field(min_length=1)]
    variants: dict[str, VariantModel] = {}
    examples: ExamplesModel


class ListModel(_Model):
    """A word list: words written out, or forms of the lexemes that satisfy a restriction."""

    summary: str
    words: list[str] = []
    category: str | None = None
    restriction: str = "any"
    forms: list[str] = []
    part: Annotated[str, Field(pattern="^(whole|first|last)$")] = "whole"


Lists: TypeAlias = Mapping[str, frozenset[str]]


@dataclass(frozen=True)
class Filter:
    """A filter, or a variant of one.

    Attributes:
        name: the file name without its ending; of a variant with ``.VARIANT`` behind it.
        model: the content of the file.
        patterns: a sentence that any of them fits is rejected.
        document: the source, for positions.
    """

    name: str
    model: FilterModel = field(repr=False)
    patterns: tuple[Pattern, ...] = field(repr=False)
    document: Document = field(repr=False, compare=False)

    @property
    def targets(self) -> tuple[str, ...]:
        """The UIDs of the paradigms that test the construction."""
        return tuple(self.model.targets)

    @property
    def tests(self) -> list[WordTest]:
        """What the patterns ask about words."""
        patterns = [*self.patterns, *(absent for pattern in self.patterns for absent in pattern.without)]
        return [test for pattern in patterns for tests in pattern.words.values() for test in tests]

    @property
    def lists(self) -> set[str]:
        """The word lists that the patterns name."""
        return {test.listed for test in self.tests if test.listed}

    def examples(self) -> Iterator[tuple[bool, Sentences, Place]]:
        """Give the worked examples: whether the sentence is rejected, its words, where it stands.

        Raises:
            DataError: an example that is no parsed sentence.
        """
        for key in ("rejected", "accepted"):
            for number, text in enumerate(getattr(self.model.examples, key)):
                place = self.document.place("examples", key, number)
                yield key == "rejected", _example(text, place), place


def _example(text: str, place: Place) -> Sentences:
    """A sentence written with a word a line: ID FORM LEMMA UPOS FEATS HEAD DEPREL."""
    lines = []
    for line in text.strip().splitlines():
        cells = line.split()
        if len(cells) != _EXAMPLE_COLUMNS:
            what = f"{line.strip()!r} is no word of an example; write ID FORM LEMMA UPOS FEATS HEAD DEPREL, _ for none"
            raise DataError(what, place, "example")
        number, form, lemma, upos, feats, head, deprel = cells
        lines.append("\t".join((number, form, lemma, upos, "_", feats, head, deprel, "_", "_")) + "\n")
    try:
        return parse_block(Block(Path(place.path), 1, [*lines, "\n"]))
    except DataError as error:
        raise DataError(error.message, place, "example") from None


def read_filter(path: Path, lists: Sequence[str]) -> dict[str, Filter]:
    """Read one filter file: the filter, and its variants under names of their own.

    Args:
        path: the YAML file; its name is the name of the filter.
        lists: the names of the word lists that patterns may use.

    Raises:
        DataError: anything that is not of the format, with path and line.
    """
    document = read_yaml(path)
    try:
        model = FilterModel.model_validate(document.data)
    except ValidationError as error:
        raise first_error(error, _keys, document.place) from None
    sources: dict[str, tuple[tuple[Any, ...], Sequence[PatternModel]]] = {path.stem: (("reject",), model.reject)}
    for name, variant in model.variants.items():
        sources[f"{path.stem}{_VARIANT}{name}"] = (("variants", name, "reject"), variant.reject)
    return {
        name: Filter(
            name, model, tuple(_pattern(each, (*keys, k), document, lists) for k, each in enumerate(patterns)), document
        )
        for name, (keys, patterns) in sources.items()
    }


def _keys(keys: tuple[str | int, ...]) -> Sequence[str]:
    """The keys that there are at a place of a filter file."""
    names = [key for key in keys if isinstance(key, str)]
    model: type[BaseModel] = FilterModel
    if "without" in names:
        model = WithoutModel
    elif "reject" in names:
        model = PatternModel
    elif names[:1] == ["variants"]:
        model = VariantModel
    elif names[:1] == ["examples"]:
        model = ExamplesModel
    return list(model.model_fields)


def _pattern(
    model: PatternModel | WithoutModel,
    keys: tuple[Any, ...],
    document: Document,
    lists: Sequence[str],
    outer: Sequence[str] = (),
) -> Pattern:
    for name in model.words:
        if name in outer:
            raise DataError(f"the word {name!r} is named above", document.place(*keys, "words", name), "words")
    words = {
        name: tuple(
            parse_test(key, value, lists, document.place(*keys, "words", name, key)) for key, value in tests.items()
        )
        for name, tests in model.words.items()
    }
    names = (*outer, *words)
    relations = tuple(
        parse_relation(text, names, document.place(*keys, "where", k)) for k, text in enumerate(model.where)
    )
    joined = set(outer) or {next(iter(words))}
    for _ in relations:
        for relation in relations:
            if joined & {relation.first, relation.second}:
                joined |= {relation.first, relation.second}
    if alone := [name for name in words if name not in joined]:
        what = (
            f"nothing says how {alone[0]!r} stands to the others; add a relation such as {names[0]} before {alone[0]}"
        )
        raise DataError(what, document.place(*keys, "words", alone[0]), "relation")
    absent = model.without if isinstance(model, PatternModel) else []
    without = tuple(_pattern(each, (*keys, "without", k), document, lists, names) for k, each in enumerate(absent))
    return Pattern(words, relations, without)


class WordLists:
    """The word lists of some folders: looked up in the lexicon, written out, or replaced by files.

    Args:
        documents: the files ``lists.yaml``; a later one replaces lists of the same name.
        lexicon: where queries are looked up.
        files: name to a file with one word a line, instead of the list.

    Raises:
        DataError: a file that is not of the format. UsageError: a file for a list that does not exist.
    """

    def __init__(
        self, documents: Sequence[Document], lexicon: Lexicon, files: Mapping[str, Path] | None = None
    ) -> None:
        self.lexicon = lexicon
        self._models: dict[str, tuple[ListModel, Document]] = {}
        for document in documents:
            for name, data in document.data.items():
                try:
                    model = ListModel.model_validate(data)
                except ValidationError as error:
                    place = lambda *keys, d=document, n=name: d.place(n, *keys)  # noqa: E731
                    raise first_error(error, lambda keys: ListModel.model_fields, place) from None
                self._models[name] = model, document
        self.files = dict(files or {})
        for name in self.files:
            if name not in self._models:
                raise UsageError(f"no word list {name!r}; {nearest(name, self._models)}")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all lists."""
        return tuple(self._models)

    def entries(self, name: str) -> frozenset[str]:
        """Look up the entries of a list; those of lists are in lower case."""
        if name in self.files:
            return read_word_list(self.files[name])
        model, document = self._models[name]
        if model.category is None:
            return frozenset(word.lower() for word in model.words)
        return frozenset(self._query(model, document.place(name)))

    def _query(self, model: ListModel, place: Place) -> Iterator[str]:
        inventory = self.lexicon.inventory(model.category or "", place)
        mask = inventory.mask(self.lexicon.hierarchy.parse(model.restriction, place), place)
        for form in model.forms:
            if form not in inventory.forms:
                raise DataError(
                    f"{model.category} has no form {form!r}; {nearest(form, inventory.forms)}", place, "value"
                )
            numbers = inventory.forms[form][mask]
            for number in numbers[numbers >= 0].tolist():
                text = self.lexicon.strings.text(number).lower()
                yield {"whole": text, "first": text.split()[0], "last": text.split()[-1]}[model.part]


def read_word_list(path: Path) -> frozenset[str]:
    """Read the words of a file, one a line, in lower case; an empty file is a `DataError`."""
    words = frozenset(line.strip().lower() for line in read_text(path).splitlines() if line.strip())
    if not words:
        raise DataError("the word list is empty; write one word a line", Place(path), "words")
    return words


@dataclass(frozen=True)
class Filters:
    """Some filters with their word lists, ready to be applied.

    Attributes:
        filters: name to filter, in the order of their names.
        lists: name to entries of the word lists that they use.
    """

    filters: Mapping[str, Filter]
    lists: Lists = field(repr=False)

    def rejected(self, sentences: Sentences) -> dict[str, Any]:
        """Tell for each filter which sentences it rejects: name to an array of bool, one a sentence."""
        matcher = PatternMatcher(sentences, self.lists)
        return {name: matcher.fits(each.patterns) for name, each in self.filters.items()}


def filter_files(folder: Path) -> list[Path]:
    """List the filter files of a data folder."""
    return [path for path in sorted((folder / _FOLDER).glob("[!.]*.yaml")) if path.name != _LISTS]


def word_lists(folders: Sequence[Path], lexicon: Lexicon, files: Mapping[str, Path] | None = None) -> WordLists:
    """Read the word lists of data folders.

    Args:
        folders: a later one replaces lists of the same name.
        lexicon: where queries are looked up.
        files: word list to a file that replaces it.

    Raises:
        DataError: a file that is not of the format. UsageError: a file for a list that does not exist.
    """
    return WordLists(
        [read_yaml(path) for folder in folders if (path := folder / _FOLDER / _LISTS).is_file()], lexicon, files
    )


def find_filters(
    folders: Sequence[Path], lexicon: Lexicon, names: Sequence[str], files: Mapping[str, Path] | None = None
) -> Filters:
    """Find filters by name.

    Args:
        folders: data folders; filters stand in ``grammars/filters``, those of a later folder replace earlier ones.
        lexicon: where the queries of word lists are looked up.
        names: names of filters as of their files, other names they have, ``NAME.VARIANT``, paths of filter files, or
            ``all`` for every filter without its variants.
        files: word list to a file that replaces it.

    Raises:
        UsageError: an unknown name. DataError: a file that is not of the format.
    """
    lists = word_lists(folders, lexicon, files)
    stacked = {path.stem: path for folder in folders for path in filter_files(folder)}
    single = {name: Path(name) for name in names if name.endswith((".yaml", ".yml"))}
    present: dict[str, Filter] = {}
    for path in (*stacked.values(), *single.values()):
        present.update(read_filter(path, lists.names))
    whole = [each for each in present.values() if _VARIANT not in each.name]
    by_name = {name: each for each in whole for other in each.model.names for name in (other, other.lower())}
    by_name |= present | {name: present[path.stem] for name, path in single.items()}
    selected: dict[str, Filter] = {}
    for name in names:
        if name == "all":
            selected.update({each.name: each for each in whole})
        elif name not in by_name:
            raise UsageError(f"no filter {name!r}; {nearest(name, ['all', *present])}")
        else:
            selected[by_name[name].name] = by_name[name]
    used = sorted({each for filter in selected.values() for each in filter.lists})
    return Filters(dict(sorted(selected.items())), {name: lists.entries(name) for name in used})
