"""The rows of a run that is not finished, so that the next call goes on where it stopped."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import orjson

from blimpgen.analysis.results import Item, Key, as_line, item_of
from blimpgen.base.errors import DataError, Place

__all__ = ["UNFINISHED", "Journal"]

UNFINISHED = "items.unfinished.jsonl"
_SEAL = b'{"sha256":'


class Journal:
    """``items.unfinished.jsonl``: the rows so far, in parts; behind each part the hash of all that stands before it.

    Args:
        folder: of the result.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / UNFINISHED
        self._digest = hashlib.sha256()

    def read(self) -> dict[Key, Item]:
        """Read the rows of whole parts, and cut off a part that was not written to its end.

        Raises:
            DataError: rows are not those that were written.
        """
        if not self.path.exists():
            return {}
        rows: dict[Key, Item] = {}
        part: list[tuple[int, bytes]] = []
        whole = position = 0
        for number, line in enumerate(self.path.read_bytes().splitlines(keepends=True), start=1):
            position += len(line)
            if line != self._seal():
                part.append((number, line))
                if line.startswith(_SEAL) and line.endswith(b"\n"):
                    what = "the rows before this line are not those that the run wrote; begin anew with --overwrite"
                    raise DataError(what, Place(self.path, number), "record")
                self._digest.update(line)
                continue
            items = [item_of(row, Place(self.path, k)) for k, row in part]
            rows.update((item.key, item) for item in items)
            self._digest.update(line)
            part, whole = [], position
        self._cut(whole)
        return rows

    def _cut(self, length: int) -> None:
        """Keep the beginning of the file."""
        with self.path.open("r+b") as stream:
            stream.truncate(length)
            self._digest = hashlib.sha256(stream.read())

    def append(self, items: Sequence[Item]) -> None:
        """Write one part."""
        rows = b"".join([as_line(item) for item in items])
        self._digest.update(rows)
        seal = self._seal()
        self._digest.update(seal)
        with self.path.open("ab") as stream:
            stream.write(rows + seal)
            stream.flush()
            os.fsync(stream.fileno())

    def _seal(self) -> bytes:
        return orjson.dumps({"sha256": self._digest.hexdigest()}, option=orjson.OPT_APPEND_NEWLINE)

    def remove(self) -> None:
        """Remove the file."""
        self.path.unlink(missing_ok=True)
