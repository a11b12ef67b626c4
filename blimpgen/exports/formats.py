"""The formats by name, and the writing of an export: whole or not at all, nothing overwritten unasked."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Annotated

import orjson
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from blimpgen.base.errors import UsageError, nearest
from blimpgen.base.files import is_regular, naming, write_chunks
from blimpgen.base.locks import locked_file
from blimpgen.base.version import __version__
from blimpgen.exports.source import Contents, Files, Options, Source

__all__ = ["FORMATS", "RECORD", "Format", "find_format", "write_export"]

RECORD = "export.json"

_NAME = r"[^/\\.\x00-\x1f][^/\\\x00-\x1f]*"
_Below = Annotated[str, StringConstraints(pattern=rf"^{_NAME}(/{_NAME})*$")]


@dataclass(frozen=True)
class Format:
    """A format to export to.

    Attributes:
        name: as it is asked for.
        module: the module below blimpgen.exports whose function `files` makes it.
        what: what it is, for help and documentation.
        single: whether the output is one file, not a folder.
        options: the options that it uses.
    """

    name: str
    module: str
    what: str
    single: bool = False
    options: tuple[str, ...] = ()

    def files(self, source: Source, options: Options) -> Files:
        """Yield the files of the export: path below the output, contents.

        Args:
            source: the set.
            options: of the call; a format uses those in `Format.options`.
        """
        files: Files = import_module(f"blimpgen.exports.{self.module}").files(source, options)
        return files


_LISTS = ("pairs", "list_size", "seed")

FORMATS = {
    format.name: format
    for format in (
        Format("lm-eval", "lm_eval", "tasks for lm-evaluation-harness, one a paradigm, with groups", options=("name",)),
        Format("hf", "hf", "a folder that datasets loads, with a dataset card", options=("name", "keep_prefix")),
        Format("babylm", "babylm", "the layout of the BabyLM evaluation of 2025, full and fast"),
        Format("minicons", "minicons", "a table of sentences, prefixes and continuations", single=True),
        Format("syntaxgym", "syntaxgym", "SyntaxGym suites, one a paradigm"),
        Format("croissant", "croissant", "JSON Lines with Croissant metadata", options=("name",)),
        Format("pcibex", "pcibex", "forced-choice lists for PCIbex, with a script and the key", options=_LISTS),
        Format("jspsych", "jspsych", "a page with forced-choice lists that works offline, and the key", options=_LISTS),
        Format(
            "mturk",
            "mturk",
            "forced-choice lists as a batch for Mechanical Turk, with a layout and the key",
            options=_LISTS,
        ),
        Format("csv", "csv_table", "all pairs as one table", single=True),
        Format("txt", "txt", "one text file a paradigm, a bad line before each good one (Zorro)"),
        Format("conllu", "conllu", "words, lemmas, parts of speech and dependencies of all sentences", single=True),
        Format("trees", "bracketed", "the trees of all sentences in brackets, one a line, a file for each side"),
    )
}


class _Written(BaseModel):
    """``export.json``: what a folder of an export holds, and from what it was made."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: str
    version: str
    made_by: str
    options: dict[str, bool | int | str | None]
    files: dict[_Below, str]


def find_format(name: str) -> Format:
    """The format of a name; an unknown one is a `UsageError` with the nearest."""
    if name not in FORMATS:
        raise UsageError(f"unknown format {name!r}; {nearest(name, FORMATS)}")
    return FORMATS[name]


def write_export(source: Source, format: Format, out: Path, options: Options, *, overwrite: bool = False) -> int:
    """Write an export.

    Args:
        source: the records.
        format: what to write.
        out: the file or folder.
        options: what the call asks for besides.
        overwrite: replace an export of ours that is there, or the file.

    Returns:
        How many files it has.

    Raises:
        UsageError: something is at `out`, or another call is writing there. DataError: the records lack what the format
            needs; nothing is written then.
    """
    with locked_file(out):
        return _write(source, format, out, options, overwrite)


def _write(source: Source, format: Format, out: Path, options: Options, overwrite: bool) -> int:
    old = _writable(out, format, overwrite)
    options = replace(options, folder=out.resolve())
    files = [(name, _encoded(contents)) for name, contents in format.files(source, options)]
    if format.single:
        write_chunks(out, [contents for _, contents in files])
        return 1
    _check_foreign(out, [name for name, _ in files], old)
    requested = {name: getattr(options, name) for name in format.options}
    hashes = {name: hashlib.sha256(contents).hexdigest() for name, contents in files}
    record = _Written(format=format.name, version=__version__, made_by=source.made_by, options=requested, files=hashes)
    text = orjson.dumps(record.model_dump(), option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    # The record comes first: after a call that was killed it names every file that the next one may replace.
    _write_folder(out, [(RECORD, text), *files], old)
    return len(files) + 1


def _encoded(contents: Contents) -> bytes:
    return contents.encode() if isinstance(contents, str) else contents


def _writable(out: Path, format: Format, overwrite: bool) -> tuple[str, ...]:
    """The files of an older export that the new one replaces.

    Raises:
        UsageError: something is there that may not be replaced.
    """
    if format.single:
        if out.is_dir():
            raise UsageError(f"{out} is a folder; --to {format.name} writes one file")
        if is_regular(out) and not overwrite:
            raise UsageError(f"{out} is there; take another name, or add --overwrite")
        return ()
    if out.exists() and not out.is_dir():
        raise UsageError(f"{out} is a file; --to {format.name} writes a folder")
    names = sorted(path.name for path in out.iterdir()) if out.exists() else []
    if names and not overwrite:
        raise UsageError(
            f"{out} is not empty ({names[0]}); take another folder, or add --overwrite (files that are not ours stay)"
        )
    if not is_regular(out / RECORD):
        return ()
    with suppress(ValidationError):
        files = _Written.model_validate_json((out / RECORD).read_bytes()).files
        return (*(name for name in files if _stands_inside(out, name)), RECORD)
    return ()


def _stands_inside(out: Path, name: str) -> bool:
    """Whether a regular file stands at a name below a folder, and no link on the way to it leads elsewhere."""
    return is_regular(out / name) and (out / name).resolve().parent == (out.resolve() / name).parent


def _check_foreign(out: Path, names: Iterable[str], old: tuple[str, ...]) -> None:
    for name in (*names, RECORD):
        if name not in old and (out / name).exists():
            raise UsageError(f"{out / name} was not written by an export; move it, or take another folder")


def _write_folder(out: Path, files: list[tuple[str, bytes]], old: tuple[str, ...]) -> None:
    """Write the files beside the folder, then put them in its place, or into it where it holds something."""
    partial = out.resolve().with_name(f".{out.resolve().name}.{os.getpid()}.partial")
    try:
        for name, contents in files:
            (partial / name).parent.mkdir(parents=True, exist_ok=True)
            with naming(out / name):
                (partial / name).write_bytes(contents)
        _remove(out, old)
        if not out.exists():
            partial.replace(out)
            return
        for name, _ in files:
            (out / name).parent.mkdir(parents=True, exist_ok=True)
            (partial / name).replace(out / name)
    finally:
        rmtree(partial, ignore_errors=True)


def _remove(out: Path, old: tuple[str, ...]) -> None:
    """Remove an older export: its record last, so that a call that is killed can be repeated."""
    for name in old:
        (out / name).unlink(missing_ok=True)
    folders = {parent for name in old for parent in Path(name).parents}
    for folder in sorted(folders, key=lambda path: -len(path.parts)):
        with suppress(OSError):
            (out / folder).rmdir()
    with suppress(OSError):
        out.rmdir()
