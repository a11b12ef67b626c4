"""The program: its commands, and how each call ends."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup
from typer.exceptions import TyperException

from blimpgen.base.errors import BlimpgenError
from blimpgen.base.garbage import collect_seldom
from blimpgen.base.version import __version__
from blimpgen.cli.options import message, option

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
    except TyperException as error:
        if "\n" in error.format_message():  # the help, in place of a message
            raise
        _end(2, _usage(error))


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


def _usage(error: Any) -> str:
    """The message about a call that no command understands, in one line.

    Args:
        error: what Typer raised. It may have the context of the command, and the unknown option with options like it.
    """
    context = getattr(error, "ctx", None)
    unknown = error.option_name if hasattr(error, "possibilities") else None
    path = context.command_path if context else "blimpgen"
    told = error.format_message().rstrip(".?")
    owners = [
        f"blimpgen {name}"
        for name, command in commands().commands.items()
        if unknown and any(unknown in parameter.opts for parameter in command.params)
    ]
    if owners:
        told += f"; it belongs to {', '.join(owners)}"
    elif unknown and context and any(" " in word and word.startswith(unknown) for word in context.find_root().obj):
        told += "; write -- before a text that begins with a dash"
    return f"{path}: {told}; {path} -h says what there is"


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
    "teach",
    "schema",
    "audit",
    "prove",
    "correct",
    "diff",
    "new",
    "explain",
    "why",
    "parse",
    "verify",
    "compare",
    "report",
    "studio",
)
"""The commands in the order of the help. Each has a module of its name, with a function of its name."""
_FUNCTIONS = {"list": "list_paradigms", "filter": "filter_corpora"}
"""Commands whose function has another name."""


def _function(command: str) -> Callable[..., None]:
    """The function of a command; its module is imported here, so that a call imports only its own."""
    function: Callable[..., None] = getattr(import_module(f"blimpgen.cli.{command}"), _FUNCTIONS.get(command, command))
    return function


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"blimpgen {__version__}")
        raise typer.Exit


def _program(
    version: Annotated[bool, option("--version", "Print the version.", callback=_version, is_eager=True)] = False,
) -> None:
    """Controlled minimal pairs of English sentences, generated from paradigm files."""


@cache
def commands(only: str = "") -> TyperGroup:
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
    for name in [only] if only in _COMMANDS else _COMMANDS:
        app.command(name)(_function(name))
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    return group


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and leave the program.

    Args:
        arguments: what stands after the program's name; by default what this process was started with.
    """
    collect_seldom()
    words = list(sys.argv[1:] if arguments is None else arguments)
    commands(words[0] if words else "")(args=words, prog_name="blimpgen", obj=words)
    raise SystemExit(0)
