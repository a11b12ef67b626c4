"""A set made again from its manifest, and single files of a set made anew."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.files import library_hash, sha256_of
from blimpgen.base.locks import locked_folder
from blimpgen.base.version import __version__
from blimpgen.dataset.file_models import Arguments, Manifest, RunState, read_manifest
from blimpgen.dataset.fingerprints import changed_keys, data_edits
from blimpgen.dataset.paradigm_files import compile_checked, find_paradigms, make_file
from blimpgen.dataset.set_folder import read_run, replace_files
from blimpgen.dataset.writing import manifest_of
from blimpgen.library import Library

__all__ = ["differences", "update_set"]


def differences(old: Manifest, new: Manifest) -> Iterator[str]:
    """What differs between a set and the same set made again, one line each; nothing if all bytes are the same.

    What may have caused a difference comes first: the version, the data.

    Args:
        old, new: the manifests of the two.
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
    arguments = arguments.model_copy(update={"profile": library.profile})
    before = read_run(path) or _as_run(read_manifest(path))
    _check_same(before, arguments, path)
    complete = {uid: entry for uid, entry in before.finished.items() if sha256_of(path / entry.file) == entry.sha256}
    library = library.varied(arguments.variant)
    paradigms = find_paradigms(library, arguments)
    for uid in before.plans:
        if uid not in complete and uid not in paradigms:
            what = f"the file of {uid} is not as its manifest says, or its run is unfinished; name {uid} too"
            raise DataError(what, Place(path))
    compiled = {uid: compile_checked(library, paradigm, arguments) for uid, paradigm in paradigms.items()}
    now = library_hash(library.folders, library.profile)
    others = {
        uid: entry.model_copy(update={"library": entry.library or (before.library if before.library != now else None)})
        for uid, entry in complete.items()
    }
    for left in path.glob(".update.*.partial"):
        rmtree(left)  # of an update that was killed
    with TemporaryDirectory(prefix=".update.", suffix=".partial", dir=path) as folder:
        new = {
            uid: make_file(one, arguments, Path(folder, f"{uid}.{arguments.format}")) for uid, one in compiled.items()
        }
        targets = dict.fromkeys((*before.arguments.targets, *(uid for uid in new if uid not in before.plans)))
        state = RunState(
            version=__version__,
            command=command,
            arguments=before.arguments.model_copy(update={"targets": tuple(targets)}),
            library=now,
            plans={**before.plans, **{uid: entry.plan for uid, entry in new.items()}},
            finished={**others, **new},
            refused=before.refused,
        )
        manifest = manifest_of(state, library, time.monotonic() - started)
        replace_files(path, state, {entry.file: Path(folder, entry.file) for entry in new.values()}, manifest)
    return manifest


def _as_run(manifest: Manifest) -> RunState:
    """A finished set as the run that made it, all files complete."""
    return RunState(
        version=manifest.version,
        command=manifest.run.command,
        arguments=manifest.arguments,
        library=manifest.library,
        plans={uid: entry.plan for uid, entry in manifest.sets.items()},
        finished=manifest.sets,
        refused=manifest.refused,
    )


def _check_same(old: RunState, arguments: Arguments, path: Path) -> None:
    if old.version != __version__:
        raise UsageError(f"{path} was made by version {old.version}, this is {__version__}; make the whole set again")
    before, now = old.arguments.model_dump(), arguments.model_dump()
    for name, value in before.items():
        if name != "targets" and now[name] != value:
            raise UsageError(f"{path} was made with {name}={value}, not {now[name]}; give the same, or another folder")
