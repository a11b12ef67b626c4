"""The command line: data on standard output, messages on standard error.

Exit codes: 0 fine, 1 problems found or an error in the data, 2 wrong usage, 130 interrupted. Each command imports
what it needs when it runs, so that help and `list` answer at once.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from blimpgen._version import __version__
from blimpgen.base.errors import BlimpgenError
from blimpgen.cli import (
    auditing,
    authoring,
    checking,
    differing,
    export,
    filter,
    generate,
    lexicon,
    listing,
    reading,
    report,
    verify,
)
from blimpgen.cli.options import message

__all__ = ["commands", "main"]


class _Group(TyperGroup):
    """The commands, with every user's mistake told in one line."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _told():
            return super().invoke(ctx)


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
        sys.stdout.flush()
    except BlimpgenError as error:
        _end(error.exit_code, str(error))
    except BrokenPipeError:
        # Whoever read has enough; nothing more may be written, not even when the interpreter closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except OSError as error:
        _end(1, f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except KeyboardInterrupt as interrupt:
        _end(130, str(interrupt) or "interrupted")


def _end(code: int, text: str) -> NoReturn:
    message(text)
    raise typer.Exit(code) from None


_COMMANDS: dict[str, Callable[..., None]] = {
    "list": listing.list_paradigms,
    "show": reading.show,
    "generate": generate.generate,
    "count": reading.count,
    "lexicon": lexicon.lexicon,
    "check": checking.check,
    "export": export.export,
    "judgements": export.judgements,
    "filter": filter.filter_corpora,
    "schema": checking.schema,
    "audit": auditing.audit,
    "diff": differing.diff,
    "new": authoring.new,
    "explain": authoring.explain,
    "why": authoring.why,
    "verify": verify.verify,
    "report": report.report,
}


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"blimpgen {__version__}")
        raise typer.Exit


def _program(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Controlled minimal pairs of English sentences, generated from paradigm files."""


@cache
def commands(asked: str = "") -> TyperGroup:
    """The commands with their options, put together once a process: all, or the only one that is asked for."""
    # Plain help: what draws boxes around it takes longer to load than everything else together.
    app = typer.Typer(
        name="blimpgen",
        cls=_Group,
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    )
    app.callback()(_program)
    for name in [asked] if asked in _COMMANDS else _COMMANDS:
        app.command(name)(_COMMANDS[name])
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group


@cache
def _collect_seldom() -> None:
    """Plans are many small objects that stay: looking for garbage among them would take a tenth of the time."""
    gc.set_threshold(50_000, 20, 50)
    atexit.register(gc.freeze)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave the program.

    Args:
        arguments: what stands after the program's name; by default what this process was started with.
    """
    _collect_seldom()
    given = list(sys.argv[1:] if arguments is None else arguments)
    commands(given[0] if given else "")(args=given, prog_name="blimpgen", obj=given)
    raise SystemExit(0)
