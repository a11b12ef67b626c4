"""Work done by several processes, such as files that are made, one paradigm at a time each."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, TypeVar

from blimpgen.base.errors import BlimpgenError, DataError
from blimpgen.dataset.file_models import Arguments, Entry
from blimpgen.dataset.paradigm_files import compile_checked, make_file
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm
from blimpgen.variants.record import Variant

__all__ = ["make_files", "spread"]

# A forked worker inherits the compiled paradigms; elsewhere it reads the library again.
_CONTEXT = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


@dataclass(frozen=True)
class _Work:
    """What all workers share: the library, which only forked ones get as it is."""

    library: Library
    arguments: Arguments
    folder: Path

    def __reduce__(self) -> tuple[object, ...]:
        return _work, (self.library.folders, self.library.profile, self.library.variant, self.arguments, self.folder)

    def __call__(self, name: str | Path) -> Entry | str:
        """Make the file of one paradigm, or say why the variant cannot."""
        paradigm = self.library.paradigm(name)
        if not self.arguments.variant:
            return self._entry(paradigm)
        try:
            return self._entry(paradigm)
        except DataError as error:
            return str(error)

    def _entry(self, paradigm: Paradigm) -> Entry:
        compiled = compile_checked(self.library, paradigm, self.arguments)
        return make_file(compiled, self.arguments, self.folder / f"{paradigm.uid}.{self.arguments.format}")


def _work(
    folders: Sequence[Path], profile: str | None, variant: Variant | None, arguments: Arguments, folder: Path
) -> _Work:
    return _Work(Library(folders, profile, variant), arguments, folder)


# Set once in each worker process, never in the process that calls it.
_in_worker: list[Callable[[Any], Any]] = []


def _start(work: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _in_worker.append(work)


def _end_with_parent() -> None:
    """A worker whose parent was killed would wait for work for ever."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _call(item: Any) -> Any:
    return _in_worker[0](item)


Item = TypeVar("Item")
Result = TypeVar("Result")


def spread(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[tuple[int, Result]]:
    """Do some work on every item.

    Args:
        work: the work; where processes do not inherit it, it is pickled.
        items: what it is done on.
        jobs: processes; with one, everything happens here.

    Yields:
        The number of each item with what comes out, in any order.

    Raises:
        BlimpgenError: a process died.
    """
    if min(jobs, len(items)) <= 1:
        yield from enumerate(map(work, items))
        return
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(min(jobs, len(items)), _CONTEXT, _start, (work,))
    try:
        futures = {pool.submit(_call, item): number for number, item in enumerate(items)}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool:
        raise BlimpgenError(
            "a worker process died, perhaps for lack of memory; the same call goes on from here, "
            "with fewer --jobs if need be"
        ) from None
    except KeyboardInterrupt:
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def make_files(
    library: Library, paradigms: Sequence[Paradigm], arguments: Arguments, folder: Path, jobs: int
) -> Iterator[tuple[str, Entry | str]]:
    """Make the files of some paradigms, in any order.

    Args:
        library: their library, with all of them compiled.
        paradigms: what to make.
        arguments: what was asked for.
        folder: where the files go.
        jobs: processes; with one, everything happens here.

    Yields:
        UID and entry of each complete file; for one that the variant cannot make, why.
    """
    files = [paradigm.document.path for paradigm in paradigms]
    for number, result in spread(_Work(library, arguments, folder), files, jobs):
        yield paradigms[number].uid, result
