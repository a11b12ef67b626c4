"""The folder of a set while it is being written: who may write there, what stays, what is removed.

A folder is free (absent or empty), holds a finished set (``manifest.json``), an unfinished run (``run.json``), or
something else. The call that an unfinished run came from finishes it, file by file; every other call is refused
there. With *overwrite* what blimpgen wrote is replaced, and nothing else is ever removed: only regular files whose
names are those of a set's files.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import is_partial, is_regular, remove_partials, sha256_of, write_chunks
from blimpgen.base.locks import LOCK
from blimpgen.dataset.file_models import MANIFEST, RUN, Entry, Manifest, RunState, read_manifest

__all__ = ["Folder", "read_run", "replace_files"]


def read_run(folder: Path) -> RunState | None:
    """The unfinished run that a folder holds, if it holds one.

    Raises:
        UsageError: its ``run.json`` is not of this version of blimpgen.
    """
    path = folder / RUN
    if not is_regular(path):
        return None
    try:
        return RunState.model_validate_json(path.read_bytes())
    except ValidationError:
        raise UsageError(f"{path} was not written by this version of blimpgen; take another folder") from None


class Folder:
    """A folder that a run may write to. Nothing is changed before `begin`.

    Args:
        path: the folder, locked by this run.
        state: the run that wants to write.
        overwrite: replace what blimpgen wrote there.

    Raises:
        UsageError: the run may not write there.
    """

    def __init__(self, path: Path, state: RunState, *, overwrite: bool) -> None:
        self.path = path
        self.state = self._enter(state, overwrite)
        for name in (*self.state.files.values(), *self.state.replaces, MANIFEST):
            is_regular(path / name)

    def _enter(self, state: RunState, overwrite: bool) -> RunState:
        old = read_run(self.path)
        if old and old.arguments == state.arguments and old.same_data(state):
            complete = {uid: e for uid, e in old.finished.items() if sha256_of(self.path / e.file) == e.sha256}
            return state.model_copy(update={"finished": complete, "replaces": old.replaces})
        if old and not overwrite:
            why = " with other data files or another version" if old.arguments == state.arguments else ""
            raise UsageError(
                f"{self.path} holds the unfinished run of `{old.command}`{why}; repeat that call, or add --overwrite"
            )
        names = sorted(p.name for p in self.path.iterdir() if not is_partial(p) and p.name != LOCK)
        if names and not old and not overwrite:
            raise UsageError(f"{self.path} {self._contents(names)}")
        ours = tuple(self._ours(old))
        self._refuse_foreign(state, ours)
        return state.model_copy(update={"replaces": ours})

    def _finished(self) -> Manifest | None:
        with suppress(DataError):
            return read_manifest(self.path)
        return None

    def _contents(self, names: list[str]) -> str:
        if manifest := self._finished():
            n = manifest.arguments.n
            origin = f"seed {manifest.seed}" + (f", {n} rows a paradigm" if n else "")
            return (
                f"holds a finished set ({len(manifest.sets)} files, {origin}); "
                "add --overwrite to replace it, take another folder, or name all paradigms of a set in one call"
            )
        return f"is not empty ({names[0]}); take another folder, or add --overwrite (files that are not ours stay)"

    def _ours(self, old: RunState | None) -> Iterator[str]:
        manifest = self._finished()
        if manifest:
            yield from (entry.file for entry in manifest.sets.values())
        if old:
            yield from old.files.values()
            yield from old.replaces

    def _refuse_foreign(self, state: RunState, ours: tuple[str, ...]) -> None:
        planned = [name for name in state.files.values() if name not in ours]
        if not self._finished():
            planned.append(MANIFEST)
        for name in planned:
            if (self.path / name).exists():
                raise UsageError(f"{self.path / name} was not written by blimpgen; move it, or take another folder")

    def begin(self) -> None:
        """Note the run, and remove what it replaces."""
        self._note()
        (self.path / MANIFEST).unlink(missing_ok=True)
        complete = {entry.file for entry in self.state.finished.values()}
        for name in {*self.state.replaces} - complete:
            (self.path / name).unlink(missing_ok=True)

    def _note(self) -> None:
        _write_run(self.path, self.state)

    def add(self, uid: str, entry: Entry) -> None:
        """Note that a file is complete.

        Args:
            uid: its paradigm.
            entry: what the manifest will say of it.
        """
        self.state = self.state.model_copy(update={"finished": {**self.state.finished, uid: entry}})
        self._note()

    def refuse(self, uid: str, why: str) -> None:
        """Note that a file cannot be made.

        Args:
            uid: its paradigm.
            why: the reason, for the manifest.
        """
        self.state = self.state.model_copy(update={"refused": {**self.state.refused, uid: why}})

    def end(self, manifest: Manifest) -> None:
        """Write the manifest; the run is finished."""
        _finish(self.path, self.state.files.values(), manifest)

    def undo(self) -> None:
        """Remove everything that the run wrote: its data cannot be had."""
        names = [*self.state.files.values(), RUN]
        for name in names:
            (self.path / name).unlink(missing_ok=True)
        remove_partials(self.path, names)


def _write_run(folder: Path, state: RunState) -> None:
    write_chunks(folder / RUN, [state.model_dump_json(indent=1).encode()])


def _finish(folder: Path, names: Iterable[str], manifest: Manifest) -> None:
    write_chunks(folder / MANIFEST, [manifest.model_dump_json(indent=2).encode(), b"\n"])
    (folder / RUN).unlink(missing_ok=True)
    remove_partials(folder, [*names, RUN, MANIFEST])


def replace_files(folder: Path, state: RunState, files: Mapping[str, Path], manifest: Manifest) -> None:
    """Put complete files in the place of others of a finished set.

    A run that is killed here leaves the note of an unfinished run, never a manifest that does not describe its files.

    Args:
        folder: of the set.
        state: the run, with all its entries.
        files: name in the set to where the new file stands.
        manifest: what will then be true of the set.
    """
    for name in (*files, MANIFEST):
        is_regular(folder / name)
    _write_run(folder, state)
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, path in files.items():
        path.replace(folder / name)
    _finish(folder, files, manifest)
