"""The program: its commands, and how each call ends."""

from __future__ import annotations

import atexit
import errno
import gc
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from blimpgen.base.errors import BlimpgenError
from blimpgen.base.version import __version__
from blimpgen.cli.options import message

__all__ = ["commands", "main"]


class _Group(TyperGroup):
    """The commands, with every user's mistake told in one line."""

    def make_context(self, *arguments: Any, **settings: Any) -> Any:
        """Read the options before the command; help and version are printed here."""
        with _told():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _told():
            return super().invoke(ctx)


@contextmanager
def _told() -> Iterator[None]:
    """Ends the program with one line for what a user can mend, and quietly if nobody reads on."""
    try:
        try:
            yield
        finally:
            _flush()
    except BlimpgenError as error:
        _end(error.exit_code, str(error))
    except BrokenPipeError:
        raise typer.Exit(0) from None
    except OSError as error:
        name = error.filename or (_STREAM if error.errno in _OF_STREAMS else "")
        _end(1, f"{name}: {error.strerror}" if name else str(error))
    except KeyboardInterrupt as interrupt:
        _end(130, str(interrupt) or "interrupted")
    except Exception as error:
        _name_owner(error)
        raise


_STREAM = "standard output"
_OF_STREAMS = (errno.ENOSPC, errno.EIO)
"""Errors in writing to what has no name; files name themselves."""


def _flush() -> None:
    """Write what is printed; where that fails nothing more is written, not even when the interpreter ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def _end(code: int, text: str) -> NoReturn:
    message(text)
    raise typer.Exit(code) from None


def _name_owner(error: Any) -> None:
    """Add to the message about an unknown option the other commands that have it."""
    option = getattr(error, "option_name", None)
    owners = [
        name
        for name, command in commands().commands.items()
        if option and any(option in parameter.opts for parameter in command.params)
    ]
    if owners:
        error.message += f"; it belongs to {', '.join(f'blimpgen {name}' for name in owners)}"


_COMMANDS = (
    "list",
    "show",
    "generate",
    "nouns",
    "count",
    "lexicon",
    "check",
    "export",
    "judgements",
    "filter",
    "train",
    "schema",
    "audit",
    "diff",
    "new",
    "explain",
    "why",
    "parse",
    "verify",
    "compare",
    "report",
)
"""The commands in the order of the help. Each has a module of its name, with a function of its name."""
_FUNCTIONS = {"list": "list_paradigms", "filter": "filter_corpora"}
"""Commands whose function has another name."""


def _function(command: str) -> Callable[..., None]:
    """The function of a command; its module is imported here, so that a call imports only its own."""
    function: Callable[..., None] = getattr(import_module(f"blimpgen.cli.{command}"), _FUNCTIONS.get(command, command))
    return function


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
        app.command(name)(_function(name))
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
    words = list(sys.argv[1:] if arguments is None else arguments)
    commands(words[0] if words else "")(args=words, prog_name="blimpgen", obj=words)
    raise SystemExit(0)
