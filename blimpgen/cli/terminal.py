"""What is drawn on a terminal, and only there: styles, bars of progress, tables as wide as the window."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, TypeAlias

from blimpgen.base.errors import printable

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

__all__ = ["Advance", "console", "has_styles", "progress_bar"]

Advance: TypeAlias = Callable[[float, str], None]
"""Moves a bar on by so many steps and shows a text beside it."""

_WIDTH = 110


def has_styles(stream: TextIO) -> bool:
    """Whether a stream takes escape sequences: a terminal that is not dumb, whose owner has not set NO_COLOR."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def console() -> Console:
    """What prints tables on standard output; where nobody reads on, it raises `BrokenPipeError` as `print` does.

    Texts are shown as they are: no markup in them is read, and control characters are shown, not sent.
    """
    from rich.console import Console

    class Printer(Console):
        def render_str(self, text: str, **options: Any) -> Text:
            return super().render_str("\n".join(map(printable, text.split("\n"))), **options)

        def on_broken_pipe(self) -> NoReturn:
            raise BrokenPipeError

    return Printer(
        file=sys.stdout,
        width=None if sys.stdout.isatty() else _WIDTH,
        highlight=False,
        markup=False,
        force_terminal=None if has_styles(sys.stdout) else False,
    )


@contextmanager
def progress_bar(total: int, label: str) -> Iterator[Advance | None]:
    """A bar on standard error; None where that is no terminal with styles.

    Args:
        total: how many steps there are.
        label: what stands beside the bar at first.
    """
    if not has_styles(sys.stderr):
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    # Without its refreshing thread, so that worker processes are forked from a process with one thread.
    with Progress(console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task(label, total=total)

        def advance(steps: float, label: str) -> None:
            bar.update(task, advance=steps, description=label, refresh=True)

        yield advance
