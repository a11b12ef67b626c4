"""Writing what is generated: a stream, one set or several, a set made again."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.base.errors import UsageError
from blimpgen.cli.options import Output, library, message, option
from blimpgen.cli.terminal import progress_bar

if TYPE_CHECKING:
    from blimpgen.dataset import Arguments, Manifest
    from blimpgen.library import Library
    from blimpgen.variants.record import Variant

__all__ = ["Sets", "remake", "typed_command", "write"]

_WITH_MANIFEST = ("from_manifest", "output", "data", "overwrite", "jobs")
"""The parameters that a call with a manifest may have."""


@dataclass(frozen=True)
class Sets:
    """The options that ask for several sets, or for a part of one."""

    split: Annotated[
        str | None,
        option(
            "--split",
            "Two sets without a common content word: DIR/train with this share of the words, DIR/test.",
            "lexemes:SHARE",
        ),
    ] = None
    replicates: Annotated[
        int | None, option("--replicates", "R sets with the seeds from --seed on, in DIR/seed-S.", "R", min=1)
    ] = None
    update: Annotated[bool, option("--update", "Make only these files of the set in DIR anew.")] = False

    def need_folder(self) -> str:
        """The option that cannot do without a folder; empty if there is none."""
        options = (("--split", self.split), ("--replicates", self.replicates), ("--update", self.update))
        return next((name for name, value in options if value), "")

    def parts(self, variant: Variant | None) -> dict[str, Variant | None]:
        """The variants of the two parts of a split by the name of their folder; otherwise the variant itself."""
        from blimpgen.variants.record import Split, Variant, parse_split

        if self.split is None:
            return {"": variant}
        share, base = parse_split(self.split), variant or Variant()
        return {part: base.model_copy(update={"split": Split(share=share, part=part)}) for part in ("train", "test")}


def typed_command(context: typer.Context) -> str:
    """What was typed, for the manifest and for hints."""
    return shlex.join(["blimpgen", *context.find_root().obj])


def _folder(output: Output, purpose: str, command: str) -> Path:
    """The output folder, without which something cannot be done; a `UsageError` if there is none."""
    if output.output is None:
        raise UsageError(f"{purpose} a folder; type: {command} -o DIR")
    return output.output


def write(load: Callable[[], Library], arguments: Arguments, output: Output, sets: Sets, command: str) -> None:
    """Write what is asked for: to a folder, or to standard output.

    Args:
        load: gives words, rules and paradigms; called once nothing else is missing.
        arguments: what is asked for.
        output: where and how it is written.
        sets: several sets, or a part of one.
        command: what was typed.

    Raises:
        UsageError: something needs a folder. DataError: a file cannot be made; nothing is written then.
    """
    if option := sets.need_folder():
        _folder(output, f"{option} needs", command)
    if output.output is None:
        _write_stream(load(), arguments, output, command)
    else:
        _write_sets(load(), arguments, output, sets, command)


def _write_stream(words: Library, arguments: Arguments, output: Output, command: str) -> None:
    """Write the file of the one paradigm that is asked for to standard output."""
    from blimpgen.dataset import compile_checked, find_paradigms, write_stream

    paradigms = find_paradigms(words, arguments)
    if len(paradigms) > 1:
        _folder(output, f"{len(paradigms)} files need", command)
    varied = words.varied(arguments.variant)
    for paradigm in paradigms.values():
        write_stream(compile_checked(varied, paradigm, arguments), arguments, sys.stdout.buffer)


def _write_sets(words: Library, arguments: Arguments, output: Output, sets: Sets, command: str) -> None:
    """Write a set for each part of each replicate."""
    folder = _folder(output, "a set needs", command)
    for seed in range(arguments.seed, arguments.seed + (sets.replicates or 1)):
        below = folder / f"seed-{seed}" if sets.replicates else folder
        for part, variant in sets.parts(arguments.variant).items():
            of_part = arguments.model_copy(update={"variant": variant, "seed": seed})
            if sets.update:
                _update(words, of_part, below / part, command)
            else:
                _write(words, of_part, below / part, output, command)


def _write(words: Library, arguments: Arguments, folder: Path, output: Output, command: str) -> Manifest:
    from blimpgen.dataset import find_paradigms, write_set

    try:
        with progress_bar(len(find_paradigms(words, arguments)), "compiling") as advance:
            manifest = write_set(
                words,
                arguments,
                folder,
                overwrite=output.overwrite,
                jobs=output.jobs,
                command=command,
                done=(lambda uid, entry: advance(1, uid)) if advance else None,
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


def _update(words: Library, arguments: Arguments, folder: Path, command: str) -> None:
    """Make some files of a finished set anew."""
    from blimpgen.dataset import find_paradigms, update_set

    manifest = update_set(words, arguments, folder, command=command)
    for uid in find_paradigms(words, arguments):
        message(f"{folder / manifest.sets[uid].file}: {manifest.sets[uid].count:,} rows")


def remake(context: typer.Context, path: Path, output: Output, data: Path | None) -> None:
    """Make a set again from its manifest; exit code 1, with what differs, if its bytes are others.

    Args:
        context: the call, which may have no option that asks for something else.
        path: the manifest, or the folder of the set.
        output: where and how it is written.
        data: the user's folder; by default the one that the manifest names.
    """
    from blimpgen.dataset import differences, read_manifest

    for name in context.params:
        source = context.get_parameter_source(name)
        if name not in _WITH_MANIFEST and source is not None and source.name == "COMMANDLINE":
            shown = {"targets": "the targets", "n": "-n"}.get(name, f"--{name.replace('_', '-')}")
            raise UsageError(f"--from-manifest says everything that is to be made; leave {shown} away")
    command = typed_command(context)
    folder = _folder(output, "a set needs", command)
    old = read_manifest(path)
    user = data or (Path(old.run.data) if old.run.data else None)
    new = _write(library(user, old.arguments.profile), old.arguments, folder, output, command)
    if changes := list(differences(old, new)):
        typer.echo("\n".join(changes))
        raise typer.Exit(1)
    message("the same bytes as the manifest says")
