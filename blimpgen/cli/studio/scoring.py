"""What `verify` is doing: one run at a time, in a process of its own, which goes on when its page is left."""

from __future__ import annotations

import asyncio

from blimpgen.base.errors import BlimpgenError, UsageError
from blimpgen.cli.studio.desk import Desk
from blimpgen.cli.studio.views import results
from blimpgen.cli.studio.views.workspace import Folders

__all__ = ["Scoring"]


class Scoring:
    """Scores one data set with one model at a time.

    Args:
        folders: those of the user.

    Attributes:
        what: the set and the model; empty before the first run.
        done, total: how many pairs are scored, and how many there are; a total of 0 while the model is loaded.
        outcome: what became of the last run; empty while it goes on.
        failed: whether that is an error.
    """

    def __init__(self, folders: Folders) -> None:
        self._desk = Desk(folders, patience=None, told=self._told)
        self._task: asyncio.Task[None] | None = None
        self.what, self.outcome, self.failed = "", "", False
        self.done, self.total = 0, 0

    @property
    def is_running(self) -> bool:
        """Whether pairs are being scored."""
        return self._task is not None and not self._task.done()

    def start(self, of: str, model: str, limit: int | None) -> None:
        """Begin to score.

        Args:
            of: the name of the data set.
            model: the name of the model.
            limit: records of each paradigm; None for all.

        Raises:
            UsageError: a run is going on.
        """
        if self.is_running:
            raise UsageError(f"{self.what} is being scored; wait, or stop it")
        self.what, self.outcome, self.failed = f"{of} with {model}", "", False
        self.done, self.total = 0, 0
        self._task = asyncio.get_running_loop().create_task(self._run(of, model, limit))

    def stop(self) -> None:
        """End the run; the same one goes on from there when it is started again."""
        if self.is_running:
            self.outcome = "stopped; start it again to go on from there"
        self._desk.close()

    async def _run(self, of: str, model: str, limit: int | None) -> None:
        try:
            self.outcome = f"written: {await self._desk.ask(results.verify, of, model, limit)}"
        except BlimpgenError as error:
            self.failed = not self.outcome
            self.outcome = self.outcome or str(error)
        finally:
            self._desk.close()  # a model takes memory

    def _told(self, done: int, total: int) -> None:
        self.done, self.total = done, total
