"""Work done by several processes, such as files that are made, one paradigm at a time each."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, NamedTuple, Self, TypeVar

from blimpgen.base.errors import BlimpgenError
from blimpgen.base.processes import end_with_parent
from blimpgen.dataset.file_models import Arguments, Entry
from blimpgen.dataset.paradigm_files import compile_checked, make_file
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm
from blimpgen.variants.record import Variant

__all__ = ["FileWorkers", "spread", "spread_in_order", "usable_cores"]

# A forked worker inherits the words; elsewhere it reads the library again.
_CONTEXT = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")


def usable_cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Task(NamedTuple):
    """A paradigm to be compiled, or its file to be made."""

    paradigm: str | Path
    make: bool


@dataclass(frozen=True)
class _Work:
    """What all workers share: the library, which only forked ones get as it is."""

    library: Library
    arguments: Arguments
    folder: Path

    def __reduce__(self) -> tuple[object, ...]:
        return _work, (self.library.folders, self.library.profile, self.library.variant, self.arguments, self.folder)

    def __call__(self, task: _Task) -> Entry | BlimpgenError | None:
        """Compile a paradigm, and perhaps make its file; what the user is to mend is what comes out, not raised."""
        paradigm = self.library.paradigm(task.paradigm)
        try:
            compiled = compile_checked(self.library, paradigm, self.arguments)
            if not task.make:
                return None
            return make_file(compiled, self.arguments, self.folder / f"{paradigm.uid}.{self.arguments.format}")
        except BlimpgenError as error:
            return error


def _work(
    folders: Sequence[Path], profile: str | None, variant: Variant | None, arguments: Arguments, folder: Path
) -> _Work:
    return _Work(Library(folders, profile, variant), arguments, folder)


# Set once in each worker process, never in the process that calls it.
_in_worker: list[Callable[[Any], Any]] = []


def _start(work: Callable[[Any], Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_parent()
    _in_worker.append(work)


def _call(item: Any) -> Any:
    return _in_worker[0](item)


Item = TypeVar("Item")
Result = TypeVar("Result")


class Workers(Generic[Item, Result]):
    """Processes that do some work, until the context ends.

    Args:
        work: the work; where processes do not inherit it, it is pickled.
        jobs: processes; with one, everything happens here.
    """

    def __init__(self, work: Callable[[Item], Result], jobs: int) -> None:
        self._work = work
        self._others = set(multiprocessing.active_children())
        self._pool = ProcessPoolExecutor(jobs, _CONTEXT, _start, (work,)) if jobs > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._pool is None:
            return
        if kind is not None and issubclass(kind, KeyboardInterrupt):
            for child in set(multiprocessing.active_children()) - self._others:
                child.terminate()
        self.stop()

    def stop(self) -> None:
        """Begin nothing more, and wait for what has begun."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def on(self, items: Iterable[Item]) -> Iterator[tuple[int, Result]]:
        """Do the work on every item.

        Args:
            items: what it is done on.

        Yields:
            The number of each item with what comes out, in any order.

        Raises:
            BlimpgenError: a process died.
        """
        if self._pool is None:
            yield from enumerate(map(self._work, items))
            return
        try:
            futures = {self._pool.submit(_call, item): number for number, item in enumerate(items)}
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool:
            raise BlimpgenError(
                "a worker process died, perhaps for lack of memory; the same call goes on from here, "
                "with fewer --jobs if need be"
            ) from None


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
    with Workers(work, min(jobs, len(items))) as workers:
        yield from workers.on(items)


def spread_in_order(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Result]:
    """Do some work on every item; what comes out has the order of the items.

    Args:
        work: as for `spread`.
        items: what it is done on.
        jobs: processes; with one, everything happens here.

    Raises:
        BlimpgenError: a process died.
    """
    waiting: dict[int, Result] = {}
    at = 0
    for number, result in spread(work, items, jobs):
        waiting[number] = result
        while at in waiting:
            yield waiting.pop(at)
            at += 1


class FileWorkers(Workers[_Task, Entry | BlimpgenError | None]):
    """Processes that compile paradigms and make their files.

    Args:
        library: words, rules and paradigms.
        arguments: what was asked for.
        folder: where the files go.
        jobs: processes; with one, everything happens here.
    """

    def __init__(self, library: Library, arguments: Arguments, folder: Path, jobs: int) -> None:
        super().__init__(_Work(library, arguments, folder), jobs)

    def compile(self, paradigms: Sequence[Paradigm]) -> list[BlimpgenError | None]:
        """Compile paradigms; what is wrong with each, if something is."""
        faults: list[BlimpgenError | None] = [None] * len(paradigms)
        for number, result in self.on(_Task(paradigm.document.path, make=False) for paradigm in paradigms):
            if isinstance(result, BlimpgenError):
                faults[number] = result
        return faults

    def make(self, paradigms: Sequence[Paradigm]) -> Iterator[tuple[str, Entry | BlimpgenError]]:
        """Make the files of paradigms.

        Yields:
            UID and entry of each complete file, in any order, or why it cannot be made.
        """
        for number, result in self.on(_Task(paradigm.document.path, make=True) for paradigm in paradigms):
            assert result is not None
            yield paradigms[number].uid, result
