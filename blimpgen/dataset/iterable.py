"""Rows for training pipelines, drawn where they are used: no file is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blimpgen.base.errors import UsageError
from blimpgen.base.extras import require
from blimpgen.dataset.file_models import Arguments
from blimpgen.dataset.paradigm_files import compile_checked, find_paradigms, rows_of_paradigm
from blimpgen.library import Library, default_library

__all__ = ["to_iterable_dataset"]


def to_iterable_dataset(
    *targets: str, n: int = 1000, seed: int = 0, num_shards: int = 1, library: Library | None = None
) -> Any:
    """The rows of paradigms as a `datasets.IterableDataset`, drawn as they are read.

    A row is the one of that number in the file that `generate` writes. The shards are equal ranges of rows of every
    paradigm; `datasets` deals them to the workers of a `DataLoader` and to the processes of a distributed training.

    Args:
        targets: UIDs, suites or paths of paradigm files; ``blimp`` by default.
        n: rows a paradigm.
        seed: the seed of the set.
        num_shards: how many ranges there are, from 1 to n; at least the number of workers.
        library: the words and rules; the shipped ones by default.

    Raises:
        UsageError: `datasets` is not installed, an unknown target, or more shards than rows. DataError: a paradigm
            that cannot give n rows; it is told when its first row is read.
    """
    datasets = require("datasets", "datasets")
    if not 1 <= num_shards <= n:
        raise UsageError(f"num_shards={num_shards}: from 1 to n={n}")
    library = library or default_library()
    arguments = Arguments(targets=targets or ("blimp",), n=n, seed=seed, profile=library.profile)
    find_paradigms(library, arguments)
    shards = [f"{number}/{num_shards}" for number in range(1, num_shards + 1)]
    rows = _Rows(library.folders, library.profile, arguments)
    return datasets.IterableDataset.from_generator(rows, gen_kwargs={"shards": shards})


@dataclass(frozen=True)
class _Rows:
    """Draws shards of rows; a worker process gets the names of the data and reads them itself."""

    folders: Sequence[Path]
    profile: str | None
    arguments: Arguments

    def __call__(self, shards: Sequence[str]) -> Iterator[dict[str, Any]]:
        library = Library(self.folders, self.profile)
        paradigms = find_paradigms(library, self.arguments).values()
        for shard in shards:
            arguments = self.arguments.model_copy(update={"shard": shard})
            for paradigm in paradigms:
                yield from rows_of_paradigm(compile_checked(library, paradigm, arguments), arguments)
