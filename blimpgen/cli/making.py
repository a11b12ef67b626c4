"""What `blimpgen generate` does with what it is asked for: a stream, one set or several, a set made again."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import library, message

if TYPE_CHECKING:
    from blimpgen.dataset import Arguments, Entry, Manifest
    from blimpgen.dataset.write import Done
    from blimpgen.library import Library
    from blimpgen.variants.record import Variant

__all__ = ["Call", "make_again", "to_folders", "to_stream"]

_BESIDE = ("from_manifest", "output", "data", "overwrite", "jobs")
"""The parameters that a call with a manifest may have."""


@dataclass(frozen=True)
class Call:
    """How a call writes.

    Attributes:
        command: what was typed, for the manifest and for hints.
        output: the folder; None for standard output.
        overwrite: replace a set that is there.
        jobs: processes.
    """

    command: str
    output: Path | None
    overwrite: bool
    jobs: int

    @classmethod
    def of(cls, context: typer.Context, output: Path | None, *, overwrite: bool, jobs: int) -> Call:
        """The call of a context."""
        return cls(shlex.join(["blimpgen", *context.find_root().obj]), output, overwrite, jobs)

    def folder(self, what: str) -> Path:
        """The folder, which something needs; a `UsageError` if there is none."""
        if self.output is None:
            raise UsageError(f"{what} a folder; type: {self.command} -o DIR")
        return self.output

    def check_folder(self, *, split: str | None, replicates: int | None, update: bool) -> None:
        """Whether options that make folders have one; a `UsageError` otherwise."""
        for option, given in (("--split", split), ("--replicates", replicates), ("--update", update)):
            if given:
                self.folder(f"{option} needs")


def to_stream(words: Library, arguments: Arguments, call: Call) -> None:
    """Write the file of the one paradigm that is asked for to standard output.

    Raises:
        UsageError: several paradigms. DataError: the file cannot be made; nothing is written then.
    """
    from blimpgen.dataset import compile_checked, find_paradigms, write_stream

    paradigms = find_paradigms(words, arguments)
    if len(paradigms) > 1:
        call.folder(f"{len(paradigms)} files need")
    varied = words.varied(arguments.variant)
    for paradigm in paradigms.values():
        write_stream(compile_checked(varied, paradigm, arguments), arguments, sys.stdout.buffer)


def to_folders(
    words: Library,
    arguments: Arguments,
    call: Call,
    *,
    parts: Mapping[str, Variant],
    replicates: int | None,
    update: bool,
) -> None:
    """Write a set for each part of each replicate.

    Args:
        words: words, rules and paradigms.
        arguments: what is asked for.
        call: how it is written.
        parts: folder below the output to the variant that it has.
        replicates: how many seeds, each in a folder of its own; None for one, in the output itself.
        update: make only the files that are asked for, in a set that is there.
    """
    output = call.folder("a set needs")
    for seed in range(arguments.seed, arguments.seed + (replicates or 1)):
        folder = output / f"seed-{seed}" if replicates else output
        for part, variant in parts.items():
            asked = arguments.model_copy(update={"variant": variant or None, "seed": seed})
            if update:
                _update(words, asked, folder / part, call)
            else:
                _write(words, asked, folder / part, call)


def _write(words: Library, arguments: Arguments, folder: Path, call: Call) -> Manifest:
    from blimpgen.dataset import find_paradigms, write_set

    try:
        with _progress(len(find_paradigms(words, arguments))) as done:
            manifest = write_set(
                words, arguments, folder, overwrite=call.overwrite, jobs=call.jobs, command=call.command, done=done
            )
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"interrupted; the same call finishes {folder}") from None
    rows = sum(entry.count for entry in manifest.sets.values())
    for uid, why in manifest.refused.items():
        message(f"left out: {uid}: {why}")
    if manifest.fell_out:
        counts = ", ".join(f"{len(ids)} {category}" for category, ids in manifest.fell_out.items())
        message(f"{folder}: lexemes that fell out: {counts} (manifest.json lists them)")
    files = len(manifest.sets)
    message(f"{folder}: {rows:,} rows in {files} file{'' if files == 1 else 's'}, {manifest.run.duration} s")
    return manifest


def _update(words: Library, arguments: Arguments, folder: Path, call: Call) -> None:
    """Make some files of a finished set anew."""
    from blimpgen.dataset import find_paradigms, update_set

    manifest = update_set(words, arguments, folder, command=call.command)
    for uid in find_paradigms(words, arguments):
        message(f"{folder / manifest.sets[uid].file}: {manifest.sets[uid].count:,} rows")


def make_again(context: typer.Context, path: Path, call: Call, data: Path | None) -> None:
    """Make a set again from its manifest; exit code 1, with what differs, if its bytes are others.

    Args:
        context: the call, which may have no option that asks for something else.
        path: the manifest, or the folder of the set.
        call: how it is written.
        data: the user's folder; by default the one that the manifest names.
    """
    from blimpgen.dataset import differences, read_manifest

    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in _BESIDE and source is not None and source.name == "COMMANDLINE":
            shown = {"targets": "the targets", "n": "-n"}.get(name, f"--{name.replace('_', '-')}")
            raise UsageError(f"--from-manifest says everything that is to be made; leave {shown} away")
    output = call.folder("a set needs")
    old = read_manifest(path)
    folder = data or (Path(old.run.data) if old.run.data else None)
    new = _write(library(folder, old.arguments.profile), old.arguments, output, call)
    if found := list(differences(old, new)):
        typer.echo("\n".join(found))
        raise typer.Exit(1)
    message("the same bytes as the manifest says")


@contextmanager
def _progress(total: int) -> Iterator[Done | None]:
    """A bar on standard error, only if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    # Without its refreshing thread, so that worker processes are forked from a process with one thread.
    with Progress(console=Console(stderr=True), auto_refresh=False, transient=True) as bar:
        task = bar.add_task("compiling", total=total)

        def done(uid: str, entry: Entry) -> None:
            bar.update(task, advance=1, description=uid, refresh=True)

        yield done
