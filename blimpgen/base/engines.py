"""Who does the work of a table: this process, some processes of this machine, or a cluster."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context
from typing import Any, TypeAlias

from blimpgen.base.errors import BlimpgenError, UsageError
from blimpgen.base.processes import end_with_parent
from blimpgen.base.work_table import QueuedTool, Row, Tool, WorkTable, one_ahead

__all__ = ["Engine", "engine_of", "work_here", "work_in_processes"]

Engine: TypeAlias = Callable[[WorkTable[Any, Any]], None]
"""Does the work of a table."""

_RAY = "ray"
_AHEAD = 4
"""Pieces a process that are handed out before the first of them is back."""


def engine_of(on: str, *, jobs: int = 1, workers: int | None = None, cores: int = 1, device: str = "auto") -> Engine:
    """Find what does the work of a table.

    Args:
        on: ``local``: this machine; ``ray``: a cluster of this machine; ``ray://ADDRESS``: a running one.
        jobs: processes on this machine.
        workers: of a cluster, at most; None: as many as it has room for.
        cores: processor cores of a worker of a cluster that has no GPU.
        device: of torch; with ``cpu`` no worker takes a GPU.

    Raises:
        UsageError: there is no such engine, or Ray is not installed.
    """
    if on == "local":
        return work_here if jobs == 1 else partial(work_in_processes, jobs=jobs)
    name, colon, address = on.partition("://")
    if name != _RAY or (colon and not address):
        raise UsageError(f"no --on {on!r}; it is local, ray, or ray://ADDRESS of a running cluster")
    from blimpgen.base.ray_cluster import work_on_ray

    return partial(work_on_ray, address=address or None, workers=workers, cores=cores, device=device)


def work_here(table: WorkTable[Any, Any]) -> None:
    """Do the work of a table in this process, row after row."""
    for number in range(len(table.rows)):
        _do_row(table, number)


def _do_row(table: WorkTable[Any, Any], number: int) -> None:
    """Do a row; what it holds is free afterwards."""
    try:
        tool = table.rows[number].load()
    except BlimpgenError as error:
        table.fail(number, _alone(error))
        return
    table.begin(number, tool.identity)
    pieces = iter(partial(table.next, number), None)
    for piece, finish in one_ahead(pieces, lambda piece: _start(tool, table.part(piece))):
        try:
            answer = finish()
        except BlimpgenError as error:
            table.fail(number, _alone(error), piece)
        else:
            table.add(piece, answer)


def _start(tool: Tool, part: Any) -> Callable[[], Any]:
    return tool.begin(part) if isinstance(tool, QueuedTool) else partial(tool, part)


def _alone(error: BlimpgenError) -> BlimpgenError:
    """An error without what holds the tool, so that the next one finds the memory free."""
    error.__context__ = None
    return error.with_traceback(None)


def work_in_processes(table: WorkTable[Any, Any], *, jobs: int) -> None:
    """Do the work of a table in processes of this machine, row after row, of which each process holds the tool.

    Args:
        table: the work.
        jobs: how many processes.

    Raises:
        BlimpgenError: a process is gone.
    """
    for number, row in enumerate(table.rows):
        context = get_context("forkserver")
        try:
            with ProcessPoolExecutor(jobs, mp_context=context, initializer=_hold, initargs=(row,)) as pool:
                _do_row_in(pool, table, number, jobs)
        except BrokenProcessPool:
            raise BlimpgenError("a process is gone, perhaps for want of memory; take fewer --jobs") from None


def _do_row_in(pool: ProcessPoolExecutor, table: WorkTable[Any, Any], number: int, jobs: int) -> None:
    try:
        table.begin(number, pool.submit(_identity).result())
    except BlimpgenError as error:
        table.fail(number, error)
        return
    pending: dict[Future[Any], Any] = {}
    while True:
        while len(pending) < jobs * _AHEAD and (piece := table.next(number)) is not None:
            pending[pool.submit(_do, table.part(piece))] = piece
        if not pending:
            return
        for each in wait(pending, return_when=FIRST_COMPLETED).done:
            piece = pending.pop(each)
            try:
                answer = each.result()
            except BlimpgenError as error:
                table.fail(number, error, piece)
            else:
                table.add(piece, answer)


_held: list[Row | Tool] = []
"""In a process of a pool: the row, and its tool when that has been asked for."""


def _hold(row: Row) -> None:
    end_with_parent()
    _held[:] = [row]


def _tool() -> Any:
    if isinstance(_held[0], Row):
        _held[0] = _held[0].load()
    return _held[0]


def _identity() -> Any:
    return _tool().identity


def _do(part: Any) -> Any:
    return _tool()(part)
