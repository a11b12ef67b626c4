"""Watching files: what an editor saves is seen within a twentieth of a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

__all__ = ["INTERVAL", "saves"]

INTERVAL = 0.05
"""Seconds between two looks at the files."""

Stamps: TypeAlias = "dict[Path, tuple[int, int, int]]"


def saves(files: Callable[[], Iterable[Path]], interval: float = INTERVAL) -> Iterator[set[Path]]:
    """Wait for changes of some files, for ever.

    Args:
        files: the files; asked again at each look, so that new ones are seen.
        interval: seconds between two looks.

    Yields:
        At once all files, then each time those that were saved, made or removed. A file that an editor has put aside
        to write it anew counts when it is there again.
    """
    seen: Stamps = {}
    while True:
        now = _stamps(files())
        changed = {path for path in seen.keys() | now.keys() if seen.get(path) != now.get(path)}
        if changed and now:
            seen = now
            yield changed
        time.sleep(interval)


def _stamps(paths: Iterable[Path]) -> Stamps:
    stamps: Stamps = {}
    for path in paths:
        try:
            status = path.stat()
        except OSError:
            continue
        stamps[path] = status.st_mtime_ns, status.st_size, status.st_ino
    return stamps
