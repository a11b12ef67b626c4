"""A set made again from its manifest, and single files of a set made anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from blimpgen._version import __version__
from blimpgen.base.errors import UsageError
from blimpgen.base.files import data_hashes, library_hash, write_chunks
from blimpgen.base.locks import locked_folder
from blimpgen.dataset.edits import changed_keys, data_edits, line_prints
from blimpgen.dataset.formats import MANIFEST, Arguments, Manifest, read_manifest
from blimpgen.dataset.make import compile_checked, find_paradigms, make_file
from blimpgen.dataset.write import run_block
from blimpgen.library import Library

__all__ = ["differences", "update_set"]


def differences(old: Manifest, new: Manifest) -> Iterator[str]:
    """What differs between a set and the same set made again, one line each; nothing if all bytes are the same.

    What may have caused a difference comes first: the version, the data.
    """
    files = [*_files(old, new)]
    if not files:
        return
    if old.version != new.version:
        yield f"version: {old.version} made it, this is {new.version}"
    if old.library != new.library:
        yield f"data: hash {old.library[:12]} made it, this is {new.library[:12]}"
        yield from (f"    {edit}" for edit in data_edits(old, new))
    yield from files


def _files(old: Manifest, new: Manifest) -> Iterator[str]:
    for uid in {**old.sets, **new.sets}:
        before, now = old.sets.get(uid), new.sets.get(uid)
        if before is None or now is None:
            yield f"{uid}: {'not in the manifest' if before is None else 'cannot be made again'}"
        elif before.sha256 != now.sha256:
            keys = changed_keys(before.keys, now.keys) if before.keys else []
            named = f" ({', '.join(keys)})" if keys else ""
            why = f"; its paradigm file is another{named}" if before.plan != now.plan else ""
            yield f"{now.file}: other bytes{why}"


def update_set(library: Library, arguments: Arguments, path: Path, *, command: str = "") -> Manifest:
    """Make some files of a finished set anew; no other file is touched.

    Args:
        library: words, rules and paradigms as they are now.
        arguments: what is asked for; all but the targets must be what the set was made with.
        path: the folder of the set.
        command: the call, for the manifest.

    Returns:
        The new manifest. An entry that was not made anew says with which data it was made, if those are others now.

    Raises:
        UsageError: the set was made with other arguments or by another version. DataError: no finished set, or a file
            that cannot be made; then nothing is changed.
    """
    with locked_folder(path):
        return _updated(library, arguments, path, command)


def _updated(library: Library, arguments: Arguments, path: Path, command: str) -> Manifest:
    started = time.monotonic()
    old = read_manifest(path)
    arguments = arguments.model_copy(update={"profile": library.profile})
    _check_same(old, arguments, path)
    library = library.varied(arguments.variant)
    compiled = {
        uid: compile_checked(library, paradigm, arguments)
        for uid, paradigm in find_paradigms(library, arguments).items()
    }
    now = library_hash(library.folders, library.profile)
    made = {uid: make_file(one, arguments, path / f"{uid}.{arguments.format}") for uid, one in compiled.items()}
    kept = {
        uid: entry.model_copy(update={"library": entry.library or (old.library if old.library != now else None)})
        for uid, entry in old.sets.items()
    }
    added = [uid for uid in made if uid not in old.sets]
    manifest = old.model_copy(
        update={
            "arguments": old.arguments.model_copy(update={"targets": (*old.arguments.targets, *added)}),
            "library": now,
            "data": data_hashes(library.folders),
            "sets": {**kept, **made},
            "run": run_block(library, command, time.monotonic() - started),
            "lines": line_prints(library.folders),
        }
    )
    write_chunks(path / MANIFEST, [manifest.model_dump_json(indent=2).encode(), b"\n"])
    return manifest


def _check_same(old: Manifest, arguments: Arguments, path: Path) -> None:
    if old.version != __version__:
        raise UsageError(f"{path} was made by version {old.version}, this is {__version__}; make the whole set again")
    before, now = old.arguments.model_dump(), arguments.model_dump()
    for name, value in before.items():
        if name != "targets" and now[name] != value:
            raise UsageError(f"{path} was made with {name}={value}, not {now[name]}; give the same, or another folder")
