"""The work of a table on Ray: a worker a GPU, or so many processor cores, each holding one model at a time.

A range goes to a worker that holds its model; a worker without work loads the model that the fewest others hold. What a
worker was doing that died is done again by another, so that at most the ranges are lost that were running.
"""

from __future__ import annotations

import os
import secrets
import socket
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from tempfile import TemporaryDirectory
from typing import Any

from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.base.extras import require
from blimpgen.base.version import __version__
from blimpgen.scoring.forward import Way
from blimpgen.scoring.judge import Policy, Rows
from blimpgen.scoring.loading import first_line
from blimpgen.scoring.scores import Identity
from blimpgen.scoring.work_table import Part, Range, RowOfModel, Worker, WorkTable

__all__ = ["work_on_ray"]

_OBJECT_STORE = 80 * 2**20
"""Bytes of shared memory of a cluster of our own: rows of some ranges."""

_MOST_DEATHS = 5
"""So many workers may die over a model before one of its ranges is done."""

_OWN_CLUSTER = {
    # All servers of the cluster listen on the loopback address, and take work only from who has the token.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_AUTH_MODE": "token",
}


def work_on_ray(table: WorkTable, *, address: str | None = None, cores: int = 1, device: str = "auto") -> None:
    """Do the work of a table on the workers of a cluster.

    Args:
        table: the work.
        address: of a running cluster; by default that of the environment (``RAY_ADDRESS``), or else a cluster of this
            machine that lasts as long as the call.
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
        _Dispatcher(ray, table, cores, device).run()


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
        policy: what is asked of every pair.
        folder: where the call was made; what it names by a relative path is there.
    """

    def __init__(self, policy: Policy, folder: str) -> None:
        with suppress(OSError):
            os.chdir(folder)
        self._worker = Worker(policy)

    def start(self) -> tuple[str, str]:
        """Tell the machine and its version of blimpgen, when the process is there."""
        return socket.gethostname(), __version__

    def load(self, model: RowOfModel) -> Identity | BlimpgenError:
        """Load a model, or say why that is not possible."""
        try:
            return self._worker.load(model)
        except BlimpgenError as error:
            return error

    def score(self, part: Part) -> tuple[Rows, Way | None] | BlimpgenError:
        """Score a range, or say why that is not possible."""
        try:
            return self._worker.score(part)
        except BlimpgenError as error:
            return error


@dataclass(eq=False)
class _Seat:
    """A process for a worker, with the number of the model that it holds or loads."""

    actor: Any
    model: int | None = None


@dataclass(frozen=True)
class _Job:
    """What a worker is doing: scoring a range, or else loading its model, or else starting."""

    seat: _Seat
    range: Range | None = None


@dataclass
class _Progress:
    """How far a model has come.

    Attributes:
        identity: what the first worker that loaded it said of it; None before.
        left: the ranges that no worker has.
        refusal: why some worker cannot load it.
        deaths: workers that died over it since a range was done.
    """

    identity: Identity | None = None
    left: deque[Range] = field(default_factory=deque)
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

    def __init__(self, ray: Any, table: WorkTable, cores: int, device: str) -> None:
        self._ray, self._table = ray, table
        nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
        gpus = 0 if device == "cpu" else sum(int(node.get("GPU", 0)) for node in nodes)
        needs = {"num_gpus": 1, "num_cpus": 1} if gpus else {"num_cpus": cores}
        self._room = gpus or sum(int(node.get("CPU", 0)) // cores for node in nodes)
        if not self._room:
            raise UsageError(f"no machine of the cluster has {cores} processor cores; take fewer --cores")
        self._actor = ray.remote(**needs)(_RemoteWorker)
        self._progress = [_Progress() for _ in table.models]
        self._jobs: dict[Any, _Job] = {}
        self._idle: list[_Seat] = []
        self._failed_starts = 0

    def run(self) -> None:
        """Work until every result is finished or given up."""
        for _ in range(min(self._room, len(self._table.models) * self._table.most_workers)):
            self._start()
        while self._table.unfinished:
            (answered, *_), _ = self._ray.wait(list(self._jobs), num_returns=1)
            self._take(answered)
            idle, self._idle = self._idle, []
            for seat in idle:
                self._employ(seat)

    def _start(self) -> None:
        seat = _Seat(self._actor.remote(self._table.policy, os.getcwd()))
        self._jobs[seat.actor.start.remote()] = _Job(seat)

    def _employ(self, seat: _Seat) -> None:
        """Give a worker a range of its model, or another model to load, or nothing for now."""
        if seat.model is not None and (each := self._next_range(seat.model)):
            self._jobs[seat.actor.score.remote(self._table.part(each))] = _Job(seat, each)
            return
        seat.model = self._next_model()
        if seat.model is None:
            self._idle.append(seat)
        else:
            self._jobs[seat.actor.load.remote(self._table.models[seat.model])] = _Job(seat)

    def _next_range(self, model: int) -> Range | None:
        left = self._progress[model].left
        while left:
            each = left.popleft()
            if (model, each.set) in self._table.unfinished:
                return each
        return None

    def _next_model(self) -> int | None:
        """The model with work that the fewest workers hold."""
        holders = Counter(job.seat.model for job in self._jobs.values())
        open_models = {model for model, _ in self._table.unfinished}
        waiting = [
            (holders[number], number)
            for number, each in enumerate(self._progress)
            if number in open_models and not each.refusal
            if each.left or (each.identity is None and holders[number] < self._table.most_workers)
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
        if job.seat.model is None:
            self._started(*answer)
        elif job.range is None:
            self._loaded(job.seat, job.seat.model, answer)
        elif isinstance(answer, BlimpgenError):
            self._table.fail(job.range.model, answer, job.range.set)
        else:
            self._progress[job.range.model].deaths = 0
            if (job.range.model, job.range.set) in self._table.unfinished:
                self._table.add(job.range, *answer)
        self._idle.append(job.seat)

    def _started(self, host: str, version: str) -> None:
        self._failed_starts = 0
        if version != __version__:
            raise UsageError(f"{host} has blimpgen {version}, and this machine {__version__}; install one on both")

    def _loaded(self, seat: _Seat, model: int, answer: Identity | BlimpgenError) -> None:
        progress = self._progress[model]
        if isinstance(answer, BlimpgenError):
            seat.model, progress.refusal = None, answer
            self._give_up_if_nobody_holds(model)
        elif progress.identity is None:
            progress.identity = answer
            progress.left.extend(self._table.begin(model, answer))
        elif progress.identity != answer:
            signatures = [self._table.signature(each, 0) for each in (progress.identity, answer)]
            what = f"{self._table.models[model].name} is not the same on all machines: {' / '.join(signatures)}"
            self._table.fail(model, DataError(f"{what}; install the same versions, and copy the same files"))

    def _give_up_if_nobody_holds(self, model: int) -> None:
        refusal = self._progress[model].refusal
        if refusal and not any(job.seat.model == model for job in self._jobs.values()):
            self._table.fail(model, refusal)

    def _replace(self, job: _Job, error: Exception) -> None:
        """Start a worker in the place of one that died, and leave its work to the others."""
        self._ray.kill(job.seat.actor)
        model = job.seat.model
        if model is None:
            self._failed_starts += 1
            if self._failed_starts > _MOST_DEATHS:
                what = f"the workers of the cluster do not start: {str(error).strip().splitlines()[-1]}"
                raise BlimpgenError(f"{what}; blimpgen must be installed where `ray start` is called")
        else:
            progress = self._progress[model]
            progress.deaths += 1
            if job.range:
                progress.left.appendleft(job.range)
            if progress.deaths > _MOST_DEATHS:
                what = f"{progress.deaths} workers in a row died over {self._table.models[model].name}"
                self._table.fail(model, DataError(f"{what}, the last with: {first_line(error)}"))
            self._give_up_if_nobody_holds(model)
        self._start()
