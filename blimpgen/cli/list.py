"""`blimpgen list`.

It looks at names of files only and leaves the library unread, so that it answers at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from blimpgen.base.errors import UsageError, nearest
from blimpgen.base.folders import data_folder, listed_files, shipped_data
from blimpgen.cli.options import AsJson, Data, option, write_json

__all__ = ["list_paradigms"]


@dataclass(frozen=True)
class _Item:
    uid: str
    suite: str
    phenomenon: str
    path: Path


def list_paradigms(
    suite: Annotated[str | None, option("--suite", "Only this suite.", "S")] = None,
    phenomenon: Annotated[str | None, option("--phenomenon", "Only this phenomenon.", "P")] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """List the paradigms: UID, phenomenon, suite.

    Example: blimpgen list --phenomenon binding
    """
    items = list(_items(_folders(data)))
    items = _only(items, "suite", suite)
    items = _only(items, "phenomenon", phenomenon)
    if as_json:
        write_json([_described(item) for item in items])
        return
    widths = [max((len(getattr(item, key)) for item in items), default=0) for key in ("uid", "phenomenon")]
    for item in items:
        typer.echo(f"{item.uid:{widths[0]}}  {item.phenomenon:{widths[1]}}  {item.suite}")


def _folders(data: Path | None) -> list[Path]:
    return [shipped_data()] if data is None else [shipped_data(), data_folder(data)]


def _items(folders: list[Path]) -> Iterator[_Item]:
    suites: dict[str, dict[str, Path]] = {}
    for folder in folders:
        for path in listed_files(folder / "paradigms", "*/**/*.yaml"):
            if path.name != "suite.yaml":
                suites.setdefault(path.relative_to(folder / "paradigms").parts[0], {})[path.stem] = path
    for suite, files in sorted(suites.items()):
        yield from (_Item(uid, suite, path.parent.name, path) for uid, path in files.items())


def _only(items: list[_Item], key: str, value: str | None) -> list[_Item]:
    values = dict.fromkeys(getattr(item, key) for item in items)
    if value is not None and value not in values:
        raise UsageError(f"no {key} {value!r}; {nearest(value, values)}")
    return [item for item in items if value in (None, getattr(item, key))]


def _described(item: _Item) -> dict[str, str]:
    from blimpgen.paradigm import read_paradigm

    paradigm = read_paradigm(item.path, item.suite)
    return {
        "UID": item.uid,
        "suite": item.suite,
        "linguistics_term": paradigm.term,
        "field": paradigm.model.field,
        "summary": paradigm.model.summary,
        "path": str(item.path),
    }
