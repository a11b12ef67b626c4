"""Files that appear whole or not at all, and hashes of files."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from shutil import rmtree
from typing import BinaryIO

from blimpgen.base.errors import UsageError
from blimpgen.base.folders import listed_files

__all__ = [
    "Snapshot",
    "data_files",
    "data_hashes",
    "is_partial",
    "is_regular",
    "library_hash",
    "naming",
    "of_data",
    "remove_partials",
    "sha256_of",
    "snapshot",
    "whole_file",
    "write_chunks",
]

_ENDING = ".partial"
_DATA = (("lexicon", "*.tsv"), ("lexicon", "language.yaml"), ("grammars", "*.cfg"), ("paradigms", "*.yaml"))


@contextmanager
def whole_file(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Open a file beside `path` for bytes; renamed to `path` at the end, removed if anything fails.

    Args:
        path: the file.
        mode: who may read and write it, as far as the process's mask allows.

    Raises:
        OSError: it cannot be written; the error names the file, also where the disk is full.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}{_ENDING}")
    try:
        if partial.is_symlink() or partial.exists():
            partial.unlink()
        # Exclusive: a link that somebody puts there is not followed.
        with open(partial, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as stream:
            yield stream
        partial.replace(path)
    except BaseException as error:
        partial.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.errno and error.filename in (None, str(partial)):
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Let an error of writing name the file, also where the disk is full.

    Raises:
        OSError: what is raised inside, with the name of the file.
    """
    try:
        yield
    except OSError as error:
        if error.errno and error.filename is None:
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise


def is_regular(path: Path) -> bool:
    """Whether a regular file stands at a path; False if nothing does.

    Raises:
        UsageError: a link, a folder or a device stands there, which is never read or replaced.
    """
    try:
        mode = os.lstat(path).st_mode
    except FileNotFoundError:
        return False
    if not stat.S_ISREG(mode):
        raise UsageError(f"{path} is no regular file; move it, or take another name")
    return True


def write_chunks(path: Path, chunks: Iterable[bytes], mode: int = 0o666) -> str:
    """Write a whole file; its SHA-256.

    Args:
        path: the file.
        chunks: its content.
        mode: see `whole_file`.
    """
    digest = hashlib.sha256()
    with whole_file(path, mode) as stream:
        for chunk in chunks:
            digest.update(chunk)
            stream.write(chunk)
    return digest.hexdigest()


def is_partial(path: Path) -> bool:
    """Whether a file is the unfinished work of a run that was killed."""
    return path.name.startswith(".") and path.name.endswith(_ENDING)


def remove_partials(folder: Path, names: Iterable[str]) -> None:
    """Remove what killed runs left beside the files or folders of these names; links are not followed.

    Args:
        folder: where they stand.
        names: the names of the files that the runs were writing.
    """
    left = re.compile(rf"\.({'|'.join(map(re.escape, names))})\.\d+{re.escape(_ENDING)}")
    for path in folder.glob(f".*{_ENDING}"):
        if not left.fullmatch(path.name):
            continue
        if path.is_dir() and not path.is_symlink():
            rmtree(path)
        else:
            path.unlink(missing_ok=True)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file; empty if there is none."""
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return ""


def of_data(path: Path, summary: Callable[[Path], str]) -> str:
    """A summary of a data file, such as its hash, made once for each state of the file.

    Args:
        path: the file.
        summary: makes the summary.
    """
    status = path.stat()
    return _summary(path, summary, (status.st_mtime_ns, status.st_size, status.st_ino))


@lru_cache(maxsize=2048)
def _summary(path: Path, summary: Callable[[Path], str], state: tuple[int, int, int]) -> str:
    return summary(path)


@dataclass(frozen=True)
class Snapshot:
    """The files of some folders as they were.

    Attributes:
        state: their paths and hashes, one a line.
        seen: the folders and files, each with the time of its last change and its size.
    """

    state: str
    seen: tuple[tuple[str, int, int], ...] = field(repr=False)

    def holds(self) -> bool:
        """Whether the files are still the same."""
        try:
            statuses = ((os.stat(path), time, size) for path, time, size in self.seen)
            return all(status.st_mtime_ns == time and status.st_size == size for status, time, size in statuses)
        except OSError:
            return False


def snapshot(folders: Sequence[Path], *patterns: str) -> Snapshot:
    """The files of these names that stand in some folders now; not those in folders below.

    Args:
        folders: the folders; one that does not exist has no files.
        patterns: as of `Path.glob`.
    """
    files = [path for folder in folders for pattern in patterns for path in listed_files(folder, pattern)]
    present = [(str(path), path.stat()) for path in (*folders, *files) if path.exists()]
    state = "\n".join(f"{path} {of_data(path, sha256_of)}" for path in files)
    return Snapshot(state, tuple((path, status.st_mtime_ns, status.st_size) for path, status in present))


def library_hash(folders: Sequence[Path], profile: str | None = None) -> str:
    """The SHA-256 of all data files of a library, by their names and contents, folder after folder.

    Args:
        folders: its folders.
        profile: the profile of suites that have some; it enters the hash.
    """
    digest = hashlib.sha256(f"profile {profile}\n".encode() if profile else b"")
    for number, folder in enumerate(folders):
        for part, pattern in _DATA:
            files = {path.relative_to(folder).as_posix(): path for path in listed_files(folder / part, f"**/{pattern}")}
            for name, path in sorted(files.items()):
                digest.update(f"{number}/{name}\0{of_data(path, sha256_of)}\n".encode())
    return digest.hexdigest()


def data_files(folders: Sequence[Path]) -> dict[str, Path]:
    """Every table and every file of rules, by number of its folder and name: ``0/lexicon/nouns.tsv``."""
    return {
        f"{number}/{path.relative_to(folder).as_posix()}": path
        for number, folder in enumerate(folders)
        for part, pattern in _DATA[:3]
        for path in listed_files(folder / part, f"**/{pattern}")
    }


def data_hashes(folders: Sequence[Path]) -> dict[str, str]:
    """The SHA-256 of every table and every file of rules, named as in `data_files`."""
    return {name: of_data(path, sha256_of) for name, path in data_files(folders).items()}
