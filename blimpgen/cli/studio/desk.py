"""The processes that do the work of the pages: each has the library, and is ended where something takes too long.

They are started as programs of their own and asked over their standard input, so that they end with the studio.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import signal
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE
from typing import IO, Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import blimpgen
from blimpgen.base.errors import BlimpgenError
from blimpgen.cli.studio.views.workspace import Folders, Workspace

__all__ = ["PATIENCE", "Desk", "work"]

PATIENCE = 60.0
"""Seconds after which what is not done is given up."""
_SIZE = struct.Struct("<Q")
_PROGRAM = "from blimpgen.cli.studio.desk import work; work()"

_FRUGAL = {"MALLOC_TRIM_THRESHOLD_": "65536", "MALLOC_MMAP_THRESHOLD_": "262144"}
"""Makes the C library give memory back that is no longer used; others do not read it."""

P = ParamSpec("P")
T = TypeVar("T")


class _Progress(NamedTuple):
    """What a working process sends before its answer."""

    done: int
    total: int


class Desk:
    """Asks a working process, and starts another if it was ended.

    Args:
        folders: those of the user.
        patience: seconds after which what is not done is given up; None for never.
        idle: seconds after which a process that nobody asks is ended, for the memory that it has; None for never.
        told: called with how much of a long work is done, and of how much.
    """

    def __init__(
        self,
        folders: Folders,
        *,
        patience: float | None = PATIENCE,
        idle: float | None = None,
        told: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        self.folders, self.patience, self.idle, self.told = folders, patience, idle, told
        self._process: subprocess.Popen[bytes] | None = None
        self._unread = 0
        self._free = asyncio.Lock()
        self._end: asyncio.TimerHandle | None = None

    def begin(self, view: Callable[[Workspace], object]) -> None:
        """Start the working process with something that will be asked for, and do not wait for it.

        Args:
            view: a function of one of the modules of `blimpgen.cli.studio.views`.
        """
        _send(self._started(), (view, ()))
        self._unread += 1

    async def ask(self, view: Callable[Concatenate[Workspace, P], T], *arguments: P.args, **_: P.kwargs) -> T:
        """Ask for a view.

        Args:
            view: a function of one of the modules of `blimpgen.cli.studio.views`.
            arguments: what it is called with.

        Raises:
            BlimpgenError: what the view raises; it took too long; the process died.
        """
        async with self._free:
            if self._end:
                self._end.cancel()
            done = False
            try:
                work = asyncio.to_thread(self._answer, view, arguments)
                answer: T | BlimpgenError = await asyncio.wait_for(work, self.patience)
                done = True
            except TimeoutError:
                raise BlimpgenError(f"not done after {self.patience:.0f} s, and given up; ask for less") from None
            except (EOFError, ConnectionError):
                raise BlimpgenError("the work was ended, perhaps for lack of memory; try again") from None
            finally:
                if not done:  # what it would still answer is not to be taken for the answer to something else
                    self.close()
            if self.idle is not None:
                self._end = asyncio.get_running_loop().call_later(self.idle, self.close)
        if isinstance(answer, BlimpgenError):
            raise answer
        return answer

    def _answer(self, view: Callable[..., object], arguments: tuple[object, ...]) -> Any:
        process = self._started()
        _send(process, (view, arguments))
        while True:
            assert process.stdout is not None
            answer = _read(process.stdout)
            if isinstance(answer, _Progress):
                self.told(answer.done, answer.total)
            elif self._unread:
                self._unread -= 1
            else:
                return answer

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            home = str(Path(blimpgen.__file__).parents[1])
            paths = os.pathsep.join(filter(None, (home, os.environ.get("PYTHONPATH"))))
            command = (sys.executable, "-P", "-c", _PROGRAM, *(str(folder or "") for folder in self.folders))
            environment = {**_FRUGAL, **os.environ, "PYTHONPATH": paths}
            self._process = subprocess.Popen(command, stdin=PIPE, stdout=PIPE, env=environment)
            self._unread = 0
        return self._process

    def close(self) -> None:
        """End the working process, whatever it is doing."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()


def work() -> None:
    """Answer requests on standard input until it ends: the working process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr
    data, results, sets, models, studies = (Path(argument) if argument else None for argument in sys.argv[1:])
    assert data is not None
    assert studies is not None
    folders = Folders(data, results, sets, models, studies)
    workspace = Workspace(folders, lambda done, total: _write(answers, _Progress(done, total)))
    while True:
        try:
            view, arguments = _read(requests)
        except EOFError:
            return
        try:
            answer = view(workspace, *arguments)
        except BlimpgenError as error:
            answer = BlimpgenError(str(error))
        _write(answers, answer)
        workspace.settle()


def _send(process: subprocess.Popen[bytes], request: object) -> None:
    assert process.stdin is not None
    _write(process.stdin, request)


def _write(stream: IO[bytes], what: object) -> None:
    data = pickle.dumps(what)
    stream.write(_SIZE.pack(len(data)) + data)
    stream.flush()


def _read(stream: IO[bytes]) -> Any:
    """What stands next in a stream; an `EOFError` at its end."""
    head = stream.read(_SIZE.size)
    if len(head) < _SIZE.size:
        raise EOFError
    return pickle.loads(stream.read(*_SIZE.unpack(head)))
