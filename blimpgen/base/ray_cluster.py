"""The work of a table on Ray: a worker a GPU, or so many processor cores, each holding the tool of one row at a time.

A piece goes to a worker that holds the tool of its row, such as a model; a worker without work loads the one that the
fewest others hold. What a worker was doing that died is done again by another, so that at most the pieces are lost that
were running.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import Any

from blimpgen.base.errors import BlimpgenError, DataError, UsageError, first_line
from blimpgen.base.extras import require
from blimpgen.base.version import __version__
from blimpgen.base.work_table import Row, Tool, WorkTable

__all__ = ["work_on_ray"]

_OBJECT_STORE = 80 * 2**20
"""Bytes of shared memory of a cluster of our own: what comes of some pieces."""

_MOST_DEATHS = 5
"""So many workers may die over a row before one of its pieces is done."""

_OWN_CLUSTER = {
    # All servers of the cluster listen on the loopback address, and take work only from who has the token.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
}


def work_on_ray(
    table: WorkTable[Any, Any],
    *,
    address: str | None = None,
    workers: int | None = None,
    cores: int = 1,
    device: str = "auto",
) -> None:
    """Do the work of a table on the workers of a cluster.

    Args:
        table: the work.
        address: of a running cluster; by default that of the environment (``RAY_ADDRESS``), or else a cluster of this
            machine that lasts as long as the call.
        workers: at most; None: as many as there is room for.
        cores: processor cores of a worker that has no GPU.
        device: of torch; with ``cpu`` no worker takes a GPU.

    Raises:
        UsageError: Ray is not installed, no cluster answers, or it has no room for a worker.
        BlimpgenError: workers do not start.
    """
    address = address or os.environ.get("RAY_ADDRESS") or None
    own = {} if address else {**_OWN_CLUSTER, "RAY_AUTH_TOKEN": secrets.token_hex(32)}
    for name, value in {"RAY_USAGE_STATS_ENABLED": "0", **own}.items():
        os.environ.setdefault(name, value)
    ray = require("ray", "cluster")
    with _cluster(ray, address):
        _Dispatcher(ray, table, cores, device).run(workers)


@contextmanager
def _cluster(ray: Any, address: str | None) -> Iterator[None]:
    """Join a running cluster, or start one."""
    quiet = {"log_to_driver": False, "logging_level": "ERROR"}
    with TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        own = {"include_dashboard": False, "object_store_memory": _OBJECT_STORE, "_temp_dir": folder}
        try:
            ray.init(address=address, **quiet) if address else ray.init(address="local", **own, **quiet)
        except (OSError, ValueError, RuntimeError) as error:
            if address:
                what = f"no cluster answers at {address} ({first_line(error)})"
                hint = "name what `ray start --head` printed; for a cluster with a token set RAY_AUTH_MODE=token"
                raise UsageError(f"{what}; {hint}") from None
            raise UsageError(f"no cluster can be started here: {first_line(error)}") from None
        try:
            yield
        finally:
            ray.shutdown()


class _RemoteWorker:
    """A worker in a process of the cluster.

    Args:
        folder: where the call was made; what it names by a relative path is there.
    """

    def __init__(self, folder: str) -> None:
        with suppress(OSError):
            os.chdir(folder)
        self._tool: Tool | None = None

    def start(self) -> tuple[str, str]:
        """Tell the machine and its version of blimpgen, when the process is there."""
        return socket.gethostname(), __version__

    def load(self, row: Row) -> Any:
        """Load the tool of a row in the place of the one before: what it says of itself, or why that is impossible."""
        self._tool = None
        try:
            self._tool = row.load()
            return self._tool.identity
        except BlimpgenError as error:
            return error

    def do(self, part: Any) -> Any:
        """Do a piece, or say why that is not possible."""
        assert self._tool, "no tool is loaded"
        try:
            return self._tool(part)
        except BlimpgenError as error:
            return error


@dataclass(eq=False)
class _Seat:
    """A process for a worker, with the number of the row whose tool it holds or loads."""

    actor: Any
    row: int | None = None


@dataclass(frozen=True)
class _Job:
    """What a worker is doing: a piece, or else loading its tool, or else starting."""

    seat: _Seat
    piece: Any = None


@dataclass
class _Progress:
    """How far a row has come.

    Attributes:
        identity: what the first worker that loaded its tool said of it.
        begun: whether there was one.
        refusal: why some worker cannot load it.
        deaths: workers that died over it since a piece was done.
    """

    identity: Any = None
    begun: bool = False
    refusal: BlimpgenError | None = None
    deaths: int = 0


class _Dispatcher:
    """Gives the work of a table to workers.

    Args:
        ray: the library, connected to a cluster.
        table: the work.
        cores: processor cores of a worker that has no GPU.
        device: of torch.
    """

    def __init__(self, ray: Any, table: WorkTable[Any, Any], cores: int, device: str) -> None:
        self._ray, self._table = ray, table
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        gpus = 0 if device == "cpu" else sum(int(node.get("GPU", 0)) for node in nodes)
        needs = {"num_gpus": 1, "num_cpus": 1} if gpus else {"num_cpus": cores}
        self._room = gpus or sum(int(node.get("CPU", 0)) // cores for node in nodes)
        if not self._room:
            raise UsageError(f"no machine of the cluster has {cores} processor cores; take fewer --cores")
        self._actor = ray.remote(**needs)(_RemoteWorker)
        self._progress = [_Progress() for _ in table.rows]
        self._jobs: dict[Any, _Job] = {}
        self._idle: list[_Seat] = []
        self._failed_starts = 0

    def run(self, workers: int | None) -> None:
        """Work until every row is finished or given up, with so many workers at most."""
        for _ in range(min(workers or self._room, self._room, len(self._table.rows) * self._table.most_workers)):
            self._start()
        while any(map(self._table.is_open, range(len(self._table.rows)))):
            (answered, *_), _ = self._ray.wait(list(self._jobs), num_returns=1)
            self._take(answered)
            idle, self._idle = self._idle, []
            for seat in idle:
                self._employ(seat)

    def _start(self) -> None:
        seat = _Seat(self._actor.remote(os.getcwd()))
        self._jobs[seat.actor.start.remote()] = _Job(seat)

    def _employ(self, seat: _Seat) -> None:
        """Give a worker a piece of its row, or the tool of another one to load, or nothing for now."""
        if seat.row is not None and (piece := self._table.next(seat.row)) is not None:
            self._jobs[seat.actor.do.remote(self._table.part(piece))] = _Job(seat, piece)
            return
        row = self._next_row()
        if row is None:
            self._idle.append(seat)
        else:
            seat.row = row
            self._jobs[seat.actor.load.remote(self._table.rows[row])] = _Job(seat)

    def _next_row(self) -> int | None:
        """The row with work whose tool the fewest workers hold."""
        holders = Counter(job.seat.row for job in self._jobs.values())
        waiting = [
            (holders[number], number)
            for number, each in enumerate(self._progress)
            if self._table.is_open(number) and not each.refusal
            if (self._table.has_more(number) if each.begun else holders[number] < self._table.most_workers)
        ]
        return min(waiting)[1] if waiting else None

    def _take(self, answered: Any) -> None:
        """Take what a worker answers, and give it work."""
        job = self._jobs.pop(answered)
        try:
            answer = self._ray.get(answered)
        except self._ray.exceptions.RayError as error:
            self._replace(job, getattr(error, "cause", None) or error)
            return
        if job.seat.row is None:
            self._started(*answer)
        elif job.piece is None:
            self._loaded(job.seat, job.seat.row, answer)
        elif isinstance(answer, BlimpgenError):
            self._table.fail(job.seat.row, answer, job.piece)
        else:
            self._progress[job.seat.row].deaths = 0
            self._table.add(job.piece, answer)
        self._idle.append(job.seat)

    def _started(self, host: str, version: str) -> None:
        self._failed_starts = 0
        if version != __version__:
            raise UsageError(f"{host} has blimpgen {version}, and this machine {__version__}; install one on both")

    def _loaded(self, seat: _Seat, row: int, answer: Any) -> None:
        progress = self._progress[row]
        if isinstance(answer, BlimpgenError):
            seat.row, progress.refusal = None, answer
            self._give_up_if_nobody_holds(row)
        elif not progress.begun:
            progress.begun, progress.identity = True, answer
            self._table.begin(row, answer)
        elif progress.identity != answer:
            both = " / ".join(map(str, (progress.identity, answer)))
            what = f"{self._table.rows[row].name} is not the same on all machines: {both}"
            self._table.fail(row, DataError(f"{what}; install the same versions, and copy the same files"))

    def _give_up_if_nobody_holds(self, row: int) -> None:
        refusal = self._progress[row].refusal
        seats = [*self._idle, *(job.seat for job in self._jobs.values())]
        if refusal and not any(seat.row == row for seat in seats):
            self._table.fail(row, refusal)

    def _replace(self, job: _Job, error: Exception) -> None:
        """Start a worker in the place of one that died, and leave its work to the others."""
        self._ray.kill(job.seat.actor)
        row = job.seat.row
        if row is None:
            self._failed_starts += 1
            if self._failed_starts > _MOST_DEATHS:
                what = f"the workers of the cluster do not start: {str(error).strip().splitlines()[-1]}"
                raise BlimpgenError(f"{what}; blimpgen must be installed where `ray start` is called")
        else:
            progress = self._progress[row]
            progress.deaths += 1
            if job.piece is not None:
                self._table.give_back(row, job.piece)
            if progress.deaths > _MOST_DEATHS:
                what = f"{progress.deaths} workers in a row died over {self._table.rows[row].name}"
                self._table.fail(row, DataError(f"{what}, the last with: {first_line(error)}"))
            self._give_up_if_nobody_holds(row)
        self._start()
