"""`blimpgen new`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blimpgen.base.folders import is_data_folder
from blimpgen.cli.options import library, message

__all__ = ["new"]


def new(
    uid: Annotated[str, typer.Argument(metavar="UID", show_default=False, help="The name of the new paradigm.")],
    like: Annotated[str, typer.Option("--like", metavar="UID|FILE", help="The paradigm to begin with.")] = "transitive",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            show_default=False,
            help="Put it into this data folder, made if need be; otherwise into the current directory.",
        ),
    ] = None,
    suite: Annotated[str, typer.Option("--suite", metavar="S", help="Its suite in the data folder.")] = "mine",
) -> None:
    """Begin a paradigm: a commented file like another paradigm's, which already runs.

    Example: blimpgen new my_paradigm --like principle_A_case_1
    """
    from blimpgen.authoring.new_paradigm import named, paradigm_text, place_for
    from blimpgen.base.files import write_chunks

    words = library(data if data is not None and is_data_folder(data) else None)
    path = place_for(words, uid, suite, words.paradigm(like).term, data)
    text = paradigm_text(words, like, path, data)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_chunks(path, [text.encode()])
    typer.echo(str(path))
    message(f"look at it with: blimpgen show {named(path, data)} --watch")
