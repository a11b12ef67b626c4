"""`blimpgen check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from blimpgen.base.folders import is_data_folder, listed_files
from blimpgen.cli.options import AsJson, Data, argument, library, message, write_json, write_lines

__all__ = ["check"]


def check(
    paths: Annotated[list[str] | None, argument("PATH", "Paradigm files, folders, UIDs or suites.")] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Check the data files: one line a problem or note, exit code 1 if there is any problem.

    Example: blimpgen check my_data
    """
    from blimpgen.checks import check

    named = list(paths or ())
    if data is None and len(named) == 1 and is_data_folder(Path(named[0])):
        data = Path(named[0])
    named = [path for name in named for path in _checked_below(name)]
    problems = check(library(data), named)
    if as_json:
        write_json([problem.to_dict() for problem in problems])
    else:
        write_lines(map(str, problems))
    notes = sum(problem.is_note for problem in problems)
    message(", ".join([_counted(len(problems) - notes, "problem"), *([_counted(notes, "note")] if notes else [])]))
    if len(problems) > notes:
        raise typer.Exit(1)


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _checked_below(name: str) -> list[str]:
    """What of a data folder is checked: its paradigms and filters, not its tables; any other name stands for itself."""
    if not is_data_folder(Path(name)):
        return [name]
    below = Path(name) / "paradigms", Path(name) / "grammars" / "filters"
    return [str(folder) for folder in below if listed_files(folder, "**/*.yaml")]
