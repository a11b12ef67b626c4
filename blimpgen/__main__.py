"""`blimpgen` and `python -m blimpgen`: the command line as a process of its own."""

from __future__ import annotations

import os
import signal
import sys

TYPE_CHECKING = False  # until `main` runs Ctrl-C is Python's, and `typing` takes long to load
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line; Ctrl-C is told in one line from here on, while modules are imported too."""
    signal.signal(signal.SIGINT, _interrupt)
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
    try:
        from blimpgen.cli import main

        main()
    except Exception:
        if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
            raise
        _tell()  # compiled code that is interrupted may say so by an error of its own
    except KeyboardInterrupt:
        _tell()


def _tell() -> NoReturn:
    print("interrupted", file=sys.stderr)
    raise SystemExit(130) from None


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:
    """Interrupt the program once: a second Ctrl-C must not break the way out, on which files are removed and told."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
