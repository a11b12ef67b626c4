"""The command `blimpgen studio`."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.base.extras import require
from blimpgen.base.folders import data_folder
from blimpgen.cli.options import message, option

if TYPE_CHECKING:
    from blimpgen.cli.studio.guard import Access

__all__ = ["studio"]

_LEAST = 8
"""Characters of a password."""


def studio(
    data: Annotated[
        Path, option("--data", "Your data folder, read over the shipped data and made when you first save.", "DIR")
    ] = Path("studio"),
    results: Annotated[
        Path | None, option("--results", "Your folder of results, made if it is not there; `verify` adds to it.", "DIR")
    ] = None,
    sets: Annotated[
        Path | None, option("--sets", "A folder of data sets, to score with models and have judged.", "DIR")
    ] = None,
    models: Annotated[Path | None, option("--models", "A folder of language models.", "DIR")] = None,
    studies: Annotated[
        Path, option("--studies", "Your folder of studies that people take part in; made with the first.", "DIR")
    ] = Path("studies"),
    port: Annotated[int, option("--port", "Port; by default any free one.", min=0, max=65535)] = 0,
    host: Annotated[
        str, option("--host", "Address to listen on; for any but this machine's own a password is asked.", "ADDRESS")
    ] = "127.0.0.1",
) -> None:
    """Open pages in the browser: look at paradigms, words and results, parse, write paradigms, let people judge.

    Prints a link and runs until Ctrl-C.

    Example: blimpgen studio --data my_data
    """
    from blimpgen.cli.studio.desk import Desk
    from blimpgen.cli.studio.guard import Access
    from blimpgen.cli.studio.views.paradigms import catalogue
    from blimpgen.cli.studio.views.workspace import Folders

    _check_folders(data, studies, results, sets, models)
    listener = _listen(host, port)
    port = listener.getsockname()[1]
    local = host in ("127.0.0.1", "localhost", "::1")
    access = Access(host, port, "" if local else _password(host))
    written = " and ".join(str(folder) for folder in (data, studies, results) if folder)
    results, sets, models = (folder and folder.absolute() for folder in (results, sets, models))
    desk = Desk(Folders(data.absolute(), results, sets, models, studies.absolute()))
    desk.begin(catalogue)  # while the pages are loaded
    try:
        require("nicegui", "studio")
        from blimpgen.cli.studio.server import serve

        _tell(access, written)
        typer.echo(access.link)
        serve(desk, access, listener)
    finally:
        desk.close()


def _tell(access: Access, written: str) -> None:
    """Say what is written, and what is opened to others."""
    message(f"saved to: {written} (nothing else is written)")
    if access.password:
        message(
            f"open to whoever reaches {access.host}:{access.port} and knows the password: they see the shipped data "
            f"and the folders that you named, and write to {written}; the link of a participant opens their page "
            "alone, without it; the connection is not encrypted"
        )


def _check_folders(data: Path, studies: Path, results: Path | None, *others: Path | None) -> None:
    """Raise a `UsageError` for a folder that is none; those of data and studies come later, that of results is made."""
    if studies.exists() and not studies.is_dir():
        raise UsageError(f"--studies {studies} is a file; name a folder")
    if data.exists() and not (data.is_dir() and not any(data.iterdir())):
        data_folder(data)
    if results and not results.exists():
        results.mkdir(parents=True)
    for folder in filter(None, (results, *others)):
        if not folder.is_dir():
            raise UsageError(f"{folder}: no such folder; make it first, or name another")


def _listen(host: str, port: int) -> socket.socket:
    """A socket that listens; a `UsageError` if the address is not this machine's or the port is in use."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen()  # who opens the link before the pages are loaded waits
    except OSError as error:
        what = f"cannot listen on {host}, port {port}: {error.strerror}"
        raise UsageError(f"{what}; give another --port, or none for any free one") from None
    return listener


def _password(host: str) -> str:
    """Ask for the password of a studio that others on a network can reach."""
    password: str = typer.prompt(f"Password for {host}", hide_input=True, confirmation_prompt=True, err=True)
    if len(password) < _LEAST:
        raise UsageError(f"a password of {len(password)} characters; give one of at least {_LEAST}")
    return password
