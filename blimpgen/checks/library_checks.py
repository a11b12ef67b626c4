"""Running the checks over a library or over single files of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.folders import listed_files
from blimpgen.checks.filter_checks import check_filter, is_filter
from blimpgen.checks.paradigm_checks import check_paradigm
from blimpgen.checks.problem import Problem
from blimpgen.corpora.filters import filter_files
from blimpgen.lexicon import CATEGORIES, Lexicon
from blimpgen.lexicon.frequency import Frequencies
from blimpgen.lexicon.rows import read_hierarchy_table, read_table
from blimpgen.lexicon.schema import HIERARCHY, TABLES
from blimpgen.lexicon.validation import check_cells, check_language
from blimpgen.library import Library

__all__ = ["check"]

_Found = TypeVar("_Found")
_SHOWN = 20


def check(library: Library, paths: Sequence[str | Path] = ()) -> list[Problem]:
    """Read the tables and rules, check the paradigms and their worked examples, and collect what is wrong.

    The examples of a paradigm over which a user's folder is stacked are left out: the folder may replace their words.

    Args:
        library: what to check.
        paths: files of paradigms and filters, folders with such files, UIDs or suites; none means all of the library.

    Returns:
        Each problem once, in the order in which they are found: tables, rules, paradigms. Rules and lists of words of
        shipped suites are looked at with their paradigms.

    Raises:
        UsageError: a path or name that does not exist.
    """
    collected: dict[Problem, None] = dict.fromkeys(_foundation(library))
    _collect(partial(_suite_rules, library, library.folders[1:] if paths else library.folders), collected)
    named = [partial(_named, library, name) for name in paths] or [partial(_all, library)]
    files = [path for search in named for path in _collect(search, collected) or ()]
    for path in files:
        examples: Iterable[Callable[[], None]]
        if is_filter(path):
            examples, notes = _collect(partial(check_filter, library, path), collected) or (), []
        else:
            examples, notes = _collect(partial(check_paradigm, library, path), collected) or ((), [])
        for example in () if _lies_below(library, path) else examples:
            _collect(example, collected)
        collected.update(dict.fromkeys(notes))
    for lexicon in dict.fromkeys(_lexicons(library, [path for path in files if not is_filter(path)])):
        _collect(partial(_read_lists, lexicon), collected)
        _collect(partial(check_language, lexicon), collected)
    return list(collected)


def _lexicons(library: Library, paths: Iterable[Path]) -> Iterator[Lexicon]:
    """The words of each of some paradigms; those of files that cannot be read are left out."""
    for path in paths:
        with suppress(DataError):
            yield library.language_of(library.paradigm(path)).lexicon


def _foundation(library: Library) -> list[Problem]:
    """The problems of the tables and main rules, looked for once in a library."""

    def look() -> list[Problem]:
        collected: dict[Problem, None] = {}
        for task in _tables(library):
            _collect(task, collected)
        _collect(partial(library.language, ""), collected)
        return list(collected)

    return library.cache.once("foundation", None, look, most=1)


def _lies_below(library: Library, path: Path) -> bool:
    """Whether a paradigm stands in a folder over which another is stacked: its examples have the words from before."""
    return any(path.is_relative_to(folder / "paradigms") for folder in library.folders[:-1])


def _collect(task: Callable[[], _Found], found: dict[Problem, None]) -> _Found | None:
    try:
        return task()
    except DataError as error:
        errors = (error, *error.others)
        for each in errors[:_SHOWN]:
            found.setdefault(Problem.of(each))
        if error.place and len(errors) > _SHOWN:
            what = f"{len(errors) - _SHOWN:,} more problems in this table; mend these first"
            found.setdefault(Problem(error.code, what, Place(error.place.path)))
        return None


def _all(library: Library) -> list[Path]:
    paradigms = [path for suite in library.suites.values() for path in suite.files.values()]
    return [*paradigms, *(path for folder in library.folders for path in filter_files(folder))]


def _named(library: Library, name: str | Path) -> list[Path]:
    path = Path(name)
    if path.is_dir():
        files = [p for p in listed_files(path, "**/*.yaml") if p.name not in ("suite.yaml", "lists.yaml")]
        if not files:
            raise UsageError(f"{path}: no paradigm (*.yaml) in it")
        return files
    if path.exists() or path.suffix in (".yaml", ".yml"):
        return [_paradigm_file(path)]
    if str(name) in library.suites:
        return list(library.suites[str(name)].files.values())
    return [library.paradigm(name).document.path]


def _paradigm_file(path: Path) -> Path:
    if not path.exists():
        raise UsageError(f"{path}: no such file")
    if path.suffix not in (".yaml", ".yml"):
        raise UsageError(f"{path} is no paradigm; tables and rules are checked with their folder: --data DIR")
    return path


def _tables(library: Library) -> Iterator[Callable[[], object]]:
    folders = [folder / "lexicon" for folder in library.folders if (folder / "lexicon").is_dir()]
    for spec in HIERARCHY:
        yield partial(read_hierarchy_table, spec.name, folders)
    for name in TABLES:
        yield partial(read_table, name, folders)
    lexicon = Lexicon(folders)
    for category in CATEGORIES:
        yield partial(lexicon.inventory, category)
    for name in TABLES:
        yield partial(check_cells, lexicon, name)
    yield partial(Frequencies, lexicon)


def _suite_rules(library: Library, folders: Sequence[Path]) -> None:
    """Read the rules and lists of words of the suites in some folders."""
    for suite in library.suites.values():
        if suite.place is not None and any(Path(suite.place.path).is_relative_to(folder) for folder in folders):
            _read_lists(library.language(suite.model.library, suite.place).lexicon)


def _read_lists(lexicon: Lexicon) -> None:
    for name in lexicon.word_lists:
        lexicon.inventory(f"words:{name}")
