"""Locks on outputs: one run at a time writes into a folder or to a file.

The lock is a hidden file, held through the operating system: when its process ends, however it ends, the lock is free.
Where a network file system has no such locks, `filelock` uses the existence of the file instead, and frees a lock whose
process is gone if that ran on the same host.
"""

from __future__ import annotations

import os
import socket
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from blimpgen.base.errors import UsageError
from blimpgen.base.files import remove_partials

__all__ = ["LOCK", "locked_file", "locked_folder"]

LOCK = ".blimpgen.lock"
_PATIENCE = 0.25  # seconds: a lock that its holder is just giving up is not reported
_LONGEST = 1000


class _Holder(BaseModel):
    """Who holds a lock, as its file says."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    pid: int
    host: str
    since: str


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Keep other runs from writing into a folder; make it if need be, and remove it if it stays empty.

    Raises:
        UsageError: it is a file, or another run is writing into it.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file; name a folder")
    with _new_folders(folder), _locked(folder / LOCK, folder):
        yield


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Keep other runs from writing a file, or a folder that appears whole; make the folder above it if need be.

    What a run that was killed left of it is removed.

    Raises:
        UsageError: another run is writing it.
    """
    whole = path.resolve()
    with _new_folders(whole.parent), _locked(whole.with_name(f".{whole.name}.lock"), path):
        remove_partials(whole.parent, [whole.name])
        yield


@contextmanager
def _new_folders(folder: Path) -> Iterator[None]:
    """Make a folder and those above it, and remove again those of them that stayed empty."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(parents=True, exist_ok=True)
    try:
        yield
    finally:
        for path in missing:
            with suppress(OSError):
                path.rmdir()


@contextmanager
def _locked(lock_file: Path, target: Path) -> Iterator[None]:
    # Imported here: it takes longer than everything else that a call which writes nothing needs.
    from filelock import FileLock, SoftFileLock, Timeout

    lock = FileLock(lock_file)
    try:
        with warnings.catch_warnings(action="ignore"):
            lock.acquire(timeout=_PATIENCE, poll_interval=0.02)
    except Timeout:
        raise UsageError(f"{target} is being written by {_holder(lock_file)}; wait for it, or name another") from None
    # Without locks of the operating system the contents and the removal of the file are filelock's own.
    is_soft = isinstance(lock, SoftFileLock)
    try:
        if not is_soft:
            holder = _Holder(pid=os.getpid(), host=socket.gethostname(), since=_now())
            lock_file.write_text(holder.model_dump_json(), encoding="utf-8")
        yield
    finally:
        try:
            if not is_soft:
                # While it is still held: whoever opened it before sees that it has no name any more, and tries again.
                with suppress(OSError):
                    lock_file.unlink()
        finally:
            lock.release()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _holder(lock_file: Path) -> str:
    """The holder of a lock in words."""
    try:
        with lock_file.open("rb") as stream:
            holder = _Holder.model_validate_json(stream.read(_LONGEST))
    except (OSError, ValidationError):
        return "another process"
    host = "" if holder.host == socket.gethostname() else f" on {holder.host!r}"
    return f"process {holder.pid}{host} since {holder.since!r}"
