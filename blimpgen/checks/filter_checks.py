"""Checks of filter files: the format, and the worked examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.sources import read_text
from blimpgen.corpora.conllu import Sentences
from blimpgen.corpora.filters import Filters, read_filter, word_lists
from blimpgen.library import Library

__all__ = ["check_filter", "is_filter"]


def is_filter(path: Path) -> bool:
    """Whether a YAML file is a filter: it says what is rejected; one that cannot be read is not."""
    try:
        return any(line.startswith("reject:") for line in read_text(path).splitlines())
    except DataError:
        return False


def check_filter(library: Library, path: Path) -> Iterator[Callable[[], None]]:
    """Read a filter file, and give one check for each of its worked examples.

    Args:
        library: its words and folders.
        path: the file.

    Raises:
        DataError: it is not of the format, or names a paradigm that does not exist.
    """
    lists = word_lists(library.folders, library.lexicon)
    model = read_filter(path, lists.names)[path.stem]
    for target in model.targets:
        try:
            library.paradigm(target)
        except UsageError as error:
            raise DataError(str(error), model.document.place("targets"), "value") from None
    filters = Filters({model.name: model}, {name: lists.entries(name) for name in sorted(model.lists)})
    return (partial(_check_example, filters, *example) for example in model.examples())


def _check_example(filters: Filters, rejected: bool, sentences: Sentences, place: Place) -> None:
    (name,) = filters.filters
    if list(filters.rejected(sentences)[name]) != [rejected]:
        what = "accepted, but stands under rejected" if rejected else "rejected, but stands under accepted"
        raise DataError(f"{' '.join(sentences.texts)!r} is {what}; mend the pattern or the example", place, "example")
