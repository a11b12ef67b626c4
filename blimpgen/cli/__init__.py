"""The command line: data on standard output, messages on standard error.

Exit codes: 0 fine, 1 problems found or an error in the data, 2 wrong usage, 130 interrupted. Each command imports
what it needs when it runs, so that help and `list` answer at once.
"""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from blimpgen._version import __version__
from blimpgen.cli import (
    auditing,
    authoring,
    checking,
    differing,
    export,
    generate,
    lexicon,
    listing,
    reading,
    report,
    verify,
)
from blimpgen.cli.options import message
from blimpgen.errors import BlimpgenError

__all__ = ["main"]


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


# Plain help: what draws boxes around it takes longer to load than everything else together.
app = typer.Typer(name="blimpgen", cls=_Group, no_args_is_help=True, add_completion=False, rich_markup_mode=None,
                  pretty_exceptions_enable=False,
                  context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
app.command("list")(listing.list_paradigms)
app.command()(reading.show)
app.command()(generate.generate)
app.command()(reading.count)
app.command()(lexicon.lexicon)
app.command()(checking.check)
app.command()(export.export)
app.command()(export.judgements)
app.command()(checking.schema)
app.command()(auditing.audit)
app.command()(differing.diff)
app.command()(authoring.new)
app.command()(authoring.explain)
app.command()(authoring.why)
app.command()(verify.verify)
app.command()(report.report)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"blimpgen {__version__}")
        raise typer.Exit


@app.callback()
def _program(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True,
                                                   help="Print the version.")] = False) -> None:
    """Controlled minimal pairs of English sentences, generated from paradigm files."""


@cache
def _command() -> TyperGroup:
    """The commands with their options, put together once a process."""
    command = typer.main.get_command(app)
    assert isinstance(command, TyperGroup)
    return command


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
    _command()(args=given, prog_name="blimpgen", obj=given)
    raise SystemExit(0)
