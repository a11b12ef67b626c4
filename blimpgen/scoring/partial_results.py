"""The rows of a run that is not finished, so that the next call goes on where it stopped."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import orjson

from blimpgen.base.errors import DataError, Place
from blimpgen.base.files import naming

__all__ = ["PartialResults"]

_SEAL = b'{"sha256":'

T = TypeVar("T")


class PartialResults(Generic[T]):
    """The rows so far, one a line, in parts; behind each part stands the hash of all that is before it.

    Args:
        path: the file.
        as_line: writes a row as a line of JSON, with its end.
        of_line: reads a row, given where it stands.
    """

    def __init__(self, path: Path, as_line: Callable[[T], bytes], of_line: Callable[[bytes, Place], T]) -> None:
        self.path, self._as_line, self._of_line = path, as_line, of_line
        self._digest = hashlib.sha256()

    def read(self) -> list[T]:
        """Read the rows of whole parts, and cut off a part that was not written to its end.

        Raises:
            DataError: rows are not those that were written.
        """
        if not self.path.exists():
            return []
        rows: list[T] = []
        part: list[tuple[int, bytes]] = []
        whole = position = 0
        for number, line in enumerate(self.path.read_bytes().splitlines(keepends=True), start=1):
            position += len(line)
            if line != self._seal():
                part.append((number, line))
                if line.startswith(_SEAL) and line.endswith(b"\n"):
                    what = "the rows before this line are not those that the run wrote; remove the file to begin anew"
                    raise DataError(what, Place(self.path, number), "record")
                self._digest.update(line)
                continue
            rows += [self._of_line(row, Place(self.path, k)) for k, row in part]
            self._digest.update(line)
            part, whole = [], position
        self._cut(whole)
        return rows

    def _cut(self, length: int) -> None:
        """Keep the beginning of the file."""
        with self.path.open("r+b") as stream:
            stream.truncate(length)
            self._digest = hashlib.sha256(stream.read())

    def append(self, rows: Sequence[T]) -> None:
        """Write one part."""
        lines = b"".join(map(self._as_line, rows))
        self._digest.update(lines)
        seal = self._seal()
        self._digest.update(seal)
        with naming(self.path), self.path.open("ab") as stream:
            stream.write(lines + seal)
            stream.flush()
            os.fsync(stream.fileno())

    def _seal(self) -> bytes:
        return orjson.dumps({"sha256": self._digest.hexdigest()}, option=orjson.OPT_APPEND_NEWLINE)

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)
