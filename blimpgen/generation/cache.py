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
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict

from blimpgen.base.files import is_partial, write_chunks
from blimpgen.base.version import __version__
from blimpgen.generation.compiled import PlannedCell
from blimpgen.generation.plan_file import decode, encode
from blimpgen.library import Language
from blimpgen.paradigm import Paradigm

__all__ = ["FOLDER", "load_plans", "load_proofs", "store_plans", "store_proofs"]

FOLDER = "BLIMPGEN_CACHE"
"""The environment variable that names the folder; ``off`` stores nothing."""

_PLANS, _PROOFS = ".plans", ".proofs"
_MOST_PROOFS = 4096
_MOST_BYTES = 1 << 28  # of all files together


def load_plans(paradigm: Paradigm, language: Language) -> list[PlannedCell] | None:
    """Load the plans of a paradigm that an earlier run stored; None if there are none that can be used.

    Args:
        paradigm: the paradigm.
        language: its words and rules.
    """
    folder, key = _folder(), _key(paradigm, language)
    if folder is None or key is None or not _is_private(folder):
        return None
    path = _path(folder, paradigm, key, _PLANS)
    try:
        plans = decode(_content(path), key, paradigm, language)
    except (OSError, ValueError):
        return None
    with suppress(OSError):
        os.utime(path)
    return plans


def store_plans(paradigm: Paradigm, language: Language, plans: Sequence[PlannedCell]) -> None:
    """Store the plans of a paradigm for later runs; where nothing can be written, nothing is.

    Args:
        paradigm: the paradigm; its sentences have been proven.
        language: its words and rules.
        plans: the plans, in the order of its cells.
    """
    _store(paradigm, language, _PLANS, lambda key: encode(key, plans, language))


def load_proofs(paradigm: Paradigm, language: Language) -> list[str]:
    """Load the digests of the rows that earlier runs have proven, block by block; none if they cannot be used.

    Args:
        paradigm: the paradigm.
        language: its words and rules.
    """
    folder, key = _folder(), _key(paradigm, language)
    if folder is None or key is None or not _is_private(folder):
        return []
    try:
        proofs = _Proofs.model_validate_json(_content(_path(folder, paradigm, key, _PROOFS)))
    except (OSError, ValueError):
        return []
    return proofs.blocks if proofs.key == key else []


def store_proofs(paradigm: Paradigm, language: Language, blocks: Sequence[str]) -> None:
    """Store the digests of rows that have been proven; where nothing can be written, nothing is.

    Args:
        paradigm: the paradigm.
        language: its words and rules.
        blocks: the digests, those that were needed last at the end; the oldest are left out if there are too many.
    """
    newest = list(blocks)[-_MOST_PROOFS:]
    _store(paradigm, language, _PROOFS, lambda key: _Proofs(key=key, blocks=newest).model_dump_json().encode())


def _store(paradigm: Paradigm, language: Language, ending: str, content: Callable[[str], bytes]) -> None:
    folder, key = _folder(), _key(paradigm, language)
    if folder is None or key is None:
        return
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if _is_private(folder):
            write_chunks(_path(folder, paradigm, key, ending), [content(key)], mode=0o600)
            _prune(folder)


class _Proofs(BaseModel):
    """A file of proofs: the key of the plan, and the digests of blocks of rows."""

    model_config = ConfigDict(extra="forbid", strict=True)

    key: str
    blocks: list[str]


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


def _content(path: Path) -> bytes:
    """The content of a regular file of the user's own."""
    # Without O_NONBLOCK, a named pipe would wait for a writer.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags), "rb") as stream:
        status = os.fstat(stream.fileno())
        if not (stat.S_ISREG(status.st_mode) and _belongs_to_user(status) and status.st_size <= _MOST_BYTES):
            raise ValueError("not a file of plans")
        return stream.read()


def _prune(folder: Path) -> None:
    """Remove the files that were used longest ago, if there is too much."""
    with os.scandir(folder) as entries:
        plans = [entry for entry in entries if entry.name.endswith((_PLANS, _PROOFS)) or is_partial(Path(entry))]
        files = [(entry.stat(follow_symlinks=False), entry.path) for entry in plans]
    total = 0
    for status, path in sorted(files, key=lambda file: file[0].st_mtime, reverse=True):
        total += status.st_size
        if total > _MOST_BYTES:
            Path(path).unlink(missing_ok=True)


def _path(folder: Path, paradigm: Paradigm, key: str, ending: str) -> Path:
    return folder / f"{paradigm.uid}-{key}{ending}"


def _key(paradigm: Paradigm, language: Language) -> str | None:
    """The hash of all that the plans of a paradigm follow from; None if they are not stored.

    They are not with the limits of a variant, and where words or rules have changed since they were read: a table is
    read when it is first needed, so nobody knows which state of it a plan was made from.
    """
    if language.limits or not all(read.holds() for read in language.read):
        return None
    documents = [f"{d.path} {d.lines}" for d in (paradigm.document, paradigm.parent) if d]
    digest = hashlib.blake2b(digest_size=20)
    for part in (_PROGRAM, *(read.state for read in language.read), paradigm.content, *documents):
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
