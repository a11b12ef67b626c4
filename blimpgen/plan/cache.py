"""The cache of plans: what compiling and proving a paradigm gave, stored in the user's cache folder for the next run.

A plan follows from the file of its paradigm, the tables and rules of its library, and this program. A hash of all of
them is the key of its file and stands inside it too, so that no plan is used after a word, a rule or a line of code has
changed, or for another paradigm. Only the plans of proven paradigms are stored. A folder or file that belongs to
somebody else, or that others may write, is not used; a file that cannot be read counts as missing.
"""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

from blimpgen.base.files import is_partial, write_chunks
from blimpgen.base.version import __version__
from blimpgen.paradigm import Paradigm
from blimpgen.plan.plan import PlannedCell, Words
from blimpgen.plan.plan_file import decode, encode

__all__ = ["FOLDER", "load_plans", "load_proofs", "store_plans", "store_proofs"]

FOLDER = "BLIMPGEN_CACHE"
"""The environment variable that names the folder; ``off`` stores nothing."""

_PLANS, _PROOFS = ".plans", ".proofs"
_MOST_BYTES = 1 << 28  # of all files together


def load_plans(paradigm: Paradigm, language: Words) -> list[PlannedCell] | None:
    """Load the plans of a paradigm that an earlier run stored; None if there are none that can be used.

    Args:
        paradigm: the paradigm.
        language: its words and rules.
    """
    file = _file(paradigm, language, _PLANS)
    if file is None:
        return None
    try:
        plans = decode(file.content(), file.key, paradigm, language)
    except (OSError, ValueError):
        return None
    with suppress(OSError):
        os.utime(file.path)
    return plans


def store_plans(paradigm: Paradigm, language: Words, plans: Sequence[PlannedCell]) -> None:
    """Store the plans of a paradigm for later runs; where nothing can be written, nothing is.

    Args:
        paradigm: the paradigm; its sentences have been proven.
        language: its words and rules.
        plans: the plans, in the order of its cells.
    """
    if file := _file(paradigm, language, _PLANS):
        content = encode(file.key, plans, language)
        file.write(content)


def load_proofs(paradigm: Paradigm, language: Words) -> bytes | None:
    """Load what earlier runs have proven of the rows of a paradigm; None if there is nothing that can be used.

    Args:
        paradigm: the paradigm.
        language: its words and rules.
    """
    file = _file(paradigm, language, _PROOFS)
    if file is None:
        return None
    try:
        head, _, content = file.content().partition(b"\n")
    except (OSError, ValueError):
        return None
    return content if head == _head(file.key, content) else None


def store_proofs(paradigm: Paradigm, language: Words, content: bytes) -> None:
    """Store what has been proven of the rows of a paradigm; where nothing can be written, nothing is.

    Args:
        paradigm: the paradigm.
        language: its words and rules.
        content: what `load_proofs` is to give.
    """
    if file := _file(paradigm, language, _PROOFS):
        file.write(_head(file.key, content) + b"\n" + content)


def _head(key: str, content: bytes) -> bytes:
    """The first line of a file of proofs: the key of the plan, and a hash of what follows."""
    return f"{key} {hashlib.blake2b(content, digest_size=20).hexdigest()}".encode()


def _is_private(folder: Path) -> bool:
    """Whether a folder is the user's own and nobody else may write into it."""
    try:
        return _belongs_to_user(folder.stat())
    except OSError:
        return False


def _belongs_to_user(status: os.stat_result) -> bool:
    if not hasattr(os, "getuid"):  # where there are no owners, the user's cache folder is private by itself
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


class _File(NamedTuple):
    """A file of the cache, and the hash of all that its content follows from."""

    path: Path
    key: str

    def content(self) -> bytes:
        """Read it, if it is a regular file of the user's own."""
        if not _is_private(self.path.parent):
            raise ValueError("not a folder of the user's own")
        # Without O_NONBLOCK, a named pipe would wait for a writer.
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(self.path, flags), "rb") as stream:
            status = os.fstat(stream.fileno())
            if not (stat.S_ISREG(status.st_mode) and _belongs_to_user(status) and status.st_size <= _MOST_BYTES):
                raise ValueError("not a file of plans")
            return stream.read()

    def write(self, content: bytes) -> None:
        """Write it, if the folder is the user's own; what was used longest ago makes room for it."""
        folder = self.path.parent
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_private(folder):
                _prune(folder, _MOST_BYTES - len(content))
                write_chunks(self.path, [content], mode=0o600)


def _file(paradigm: Paradigm, language: Words, ending: str) -> _File | None:
    """The file for a paradigm; None if nothing is stored."""
    folder, key = _folder(), _key(paradigm, language)
    return None if folder is None or key is None else _File(folder / f"{paradigm.uid}-{key}{ending}", key)


def _prune(folder: Path, most: int) -> None:
    """Remove the files that were used longest ago, until the others have at most so many bytes."""
    with os.scandir(folder) as entries:
        plans = [entry for entry in entries if entry.name.endswith((_PLANS, _PROOFS)) or is_partial(Path(entry))]
        files = [(entry.stat(follow_symlinks=False), entry.path) for entry in plans]
    total = 0
    for status, path in sorted(files, key=lambda file: file[0].st_mtime, reverse=True):
        total += status.st_size
        if total > most:
            Path(path).unlink(missing_ok=True)


def _key(paradigm: Paradigm, language: Words) -> str | None:
    """The hash of all that the plans of a paradigm follow from; None if they are not stored."""
    state = language.state
    if state is None:
        return None
    documents = [f"{d.path} {d.lines}" for d in (paradigm.document, paradigm.parent) if d]
    digest = hashlib.blake2b(digest_size=20)
    for part in (_PROGRAM, state, paradigm.content, *documents):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _folder() -> Path | None:
    """The folder of all plans; None if none are to be stored."""
    named = os.environ.get(FOLDER, "")
    if named:
        return None if named == "off" else Path(named)
    from platformdirs import user_cache_path  # imported here because most commands need no plan

    path = user_cache_path("blimpgen")
    return path if path.is_absolute() else None  # a user without a home has no cache


_PACKAGE = Path(__file__).parents[1]


def _program() -> str:
    """The state of this package's own files, and what else decides how a plan is made and written."""
    files = (os.path.join(folder, name) for folder, _, names in os.walk(_PACKAGE) for name in names)
    statuses = ((path, os.stat(path)) for path in sorted(files) if path.endswith(".py"))
    states = (f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in statuses)
    return "\n".join([__version__, str(sys.version_info), np.__version__, sys.byteorder, *states])


_PROGRAM = _program()  # of the files as they are when the program begins
