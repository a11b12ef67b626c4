"""What the views are of: the shipped data, the folders of the user, and what was worked out last."""

from __future__ import annotations

import ctypes
import gc
import os
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from blimpgen.base.folders import shipped_data
from blimpgen.base.memo import Recent

if TYPE_CHECKING:
    from blimpgen.library import Library

__all__ = ["Folders", "Workspace"]

_MUCH, _MORE = 95e6, 10e6
"""Bytes of memory above which words and what was made of them are read anew; how much more it takes the next time."""


class Folders(NamedTuple):
    """The folders of the user; nothing outside them and the shipped data is read.

    Attributes:
        data: words, rules and paradigms; paradigms are saved there, and it may not exist yet.
        results: of `blimpgen verify`, which writes there.
        sets: data sets.
        models: language models.
        studies: the studies that people take part in; made with the first one.
    """

    data: Path
    results: Path | None = None
    sets: Path | None = None
    models: Path | None = None
    studies: Path = Path("studies")


class Workspace:
    """The folders that the pages show.

    Args:
        folders: those of the user.
        tell: called with how much of a long work is done, and of how much.
    """

    def __init__(self, folders: Folders, tell: Callable[[int, int], None] = lambda done, total: None) -> None:
        self.folders = folders
        self.data = folders.data
        self.tell = tell
        self.recent = Recent()
        self._least = 0.0

    @cached_property
    def library(self) -> Library:
        """Words, rules and paradigms; the folder of the user may come later."""
        from blimpgen.library import Library

        return Library([shipped_data(), self.data])

    def settle(self) -> None:
        """Give memory back where what was looked at has taken much; whoever looks on reads words and rules again."""
        if "library" in vars(self) and _taken() > max(_MUCH, self._least + _MORE):
            self.library.release()
            gc.collect()
            with suppress(OSError, AttributeError):  # a C library that has no such function
                ctypes.CDLL(None).malloc_trim(0)
            self._least = _taken()


def _taken() -> int:
    """Bytes of memory that this process shares with no other; 0 where the system does not say."""
    try:
        resident, shared = Path("/proc/self/statm").read_text(encoding="ascii").split()[1:3]
    except OSError:
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGESIZE")
