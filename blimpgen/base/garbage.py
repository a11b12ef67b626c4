"""Garbage collection, which takes long where many small objects are made that stay."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

__all__ = ["collect_seldom", "uncollected"]


@cache
def collect_seldom() -> None:
    """Plans are many small objects that stay: looking for garbage among them would take a tenth of the time."""
    gc.set_threshold(200_000, 50, 1000)
    atexit.register(gc.freeze)


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for no garbage meanwhile: what is made stays, and to look through it again and again takes long."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
