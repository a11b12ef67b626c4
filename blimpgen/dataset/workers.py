"""Work done by several processes, such as files that are made, one paradigm at a time each."""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, MutableSequence, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

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


class _Turns:
    """Which paradigms are left, and which process has each: the one that compiled it makes its file too.

    Each process begins with a run of neighbours, which have the most in common, and takes the last one of whoever has
    most left when its own are done.

    Args:
        count: how many paradigms there are.
        jobs: processes.
    """

    def __init__(self, count: int, jobs: int) -> None:
        shared = _CONTEXT.RawArray if jobs > 1 else array
        self._lock = _CONTEXT.Lock() if jobs > 1 else nullcontext()
        self._left: MutableSequence[int] = shared("b", bytes(count))
        self._owners: MutableSequence[int] = shared("i", [k * jobs // count for k in range(count)])
        self._begun: MutableSequence[int] = shared("i", [0])
        self._own: int | None = None  # set once in each process

    def begin(self, numbers: Iterable[int]) -> None:
        """Put the paradigms with some numbers up to be taken."""
        for number in numbers:
            self._left[number] = 1

    def take(self) -> int:
        """Take the number of the next paradigm for this process; there is one."""
        with self._lock:
            if self._own is None:
                self._own = self._begun[0]
                self._begun[0] += 1
            left: dict[int, list[int]] = {}
            for number in itertools.compress(itertools.count(), self._left):
                left.setdefault(self._owners[number], []).append(number)
            number = left[self._own][0] if self._own in left else max(left.values(), key=len)[-1]
            self._left[number], self._owners[number] = 0, self._own
            return number


@dataclass(frozen=True)
class _Work:
    """What all workers share: the library, which only forked ones get as it is."""

    library: Library
    paradigms: Sequence[str | Path]
    arguments: Arguments
    folder: Path
    turns: _Turns

    def __reduce__(self) -> tuple[object, ...]:
        library = self.library
        rest = (self.paradigms, self.arguments, self.folder, self.turns)
        return _work, (library.folders, library.profile, library.variant, *rest)

    def __call__(self, make: bool) -> tuple[int, Entry | BlimpgenError | None]:
        """Compile the next paradigm, and perhaps make its file.

        Args:
            make: whether its file is made.

        Returns:
            Its number, and what comes of it; what the user is to mend is returned, not raised.
        """
        number = self.turns.take()
        paradigm = self.library.paradigm(self.paradigms[number])
        try:
            compiled = compile_checked(self.library, paradigm, self.arguments)
            path = self.folder / f"{paradigm.uid}.{self.arguments.format}"
            return number, make_file(compiled, self.arguments, path) if make else None
        except BlimpgenError as error:
            return number, error


def _work(folders: Sequence[Path], profile: str | None, variant: Variant | None, *rest: Any) -> _Work:
    return _Work(Library(folders, profile, variant), *rest)


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


class FileWorkers(Workers[bool, tuple[int, Entry | BlimpgenError | None]]):
    """Processes that compile paradigms and make their files.

    Args:
        library: words, rules and paradigms.
        paradigms: those that are compiled.
        arguments: what was asked for.
        folder: where the files go.
        jobs: processes; with one, everything happens here.
    """

    def __init__(
        self, library: Library, paradigms: Sequence[Paradigm], arguments: Arguments, folder: Path, jobs: int
    ) -> None:
        jobs = min(jobs, len(paradigms))
        self._uids = [paradigm.uid for paradigm in paradigms]
        self._turns = _Turns(len(paradigms), jobs)
        paths = [paradigm.document.path for paradigm in paradigms]
        super().__init__(_Work(library, paths, arguments, folder, self._turns), jobs)

    def compile(self) -> dict[str, BlimpgenError]:
        """Compile all paradigms; what is wrong with some, by UID, in their order."""
        results = dict(self._results(self._uids, make=False))
        return {uid: fault for uid in self._uids if isinstance(fault := results[uid], BlimpgenError)}

    def make(self, uids: Collection[str]) -> Iterator[tuple[str, Entry | BlimpgenError]]:
        """Make the files of paradigms.

        Args:
            uids: of some of them.

        Yields:
            UID and entry of each complete file, in any order, or why it cannot be made.
        """
        for uid, result in self._results(uids, make=True):
            assert result is not None
            yield uid, result

    def _results(self, uids: Collection[str], *, make: bool) -> Iterator[tuple[str, Entry | BlimpgenError | None]]:
        self._turns.begin(number for number, uid in enumerate(self._uids) if uid in uids)
        for _, (number, result) in self.on([make] * len(uids)):
            yield self._uids[number], result
