"""Writing a set: every target compiled first, then one file a paradigm, the manifest last."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.base.files import data_hashes, library_hash
from blimpgen.base.locks import locked_folder
from blimpgen.base.version import __version__
from blimpgen.dataset.file_models import Arguments, Entry, Manifest, Run, RunState
from blimpgen.dataset.fingerprints import line_prints
from blimpgen.dataset.paradigm_files import canary, find_paradigms, plan_hash, size_of
from blimpgen.dataset.set_folder import Folder
from blimpgen.dataset.workers import FileWorkers, usable_cores
from blimpgen.library import Library

__all__ = ["Done", "manifest_of", "write_set"]

Done: TypeAlias = Callable[[str, Entry], None]

_MANY = 20_000
"""Rows from which other processes save more than they cost."""
_MOST_JOBS = 4


def write_set(
    library: Library,
    arguments: Arguments,
    path: Path,
    *,
    overwrite: bool = False,
    jobs: int | None = 1,
    command: str = "",
    done: Done | None = None,
) -> Manifest:
    """Generate a set into a folder, or finish it where the same call was interrupted.

    Args:
        library: words, rules and paradigms.
        arguments: what to generate.
        path: the folder.
        overwrite: replace a set of ours that is there.
        jobs: processes; no choice of it changes a byte. With None, as many as there are cores,
            at most four, where they pay.
        command: the call, for the manifest.
        done: called with UID and entry for every complete file.

    Raises:
        UsageError: the folder may not be written to, an unknown target. DataError: the set cannot be made; then
            nothing is left behind.
    """
    started = time.monotonic()
    arguments = arguments.model_copy(update={"profile": library.profile})
    library = library.varied(arguments.variant)
    paradigms = find_paradigms(library, arguments)
    jobs = jobs or (min(usable_cores(), _MOST_JOBS) if len(paradigms) * size_of(arguments) >= _MANY else 1)
    state = RunState(
        version=__version__,
        command=command,
        arguments=arguments,
        library=library_hash(library.folders, library.profile),
        plans={uid: plan_hash(paradigm) for uid, paradigm in paradigms.items()},
    )
    for paradigm in paradigms.values():
        library.language_of(paradigm)  # what workers inherit
    with locked_folder(path), FileWorkers(library, [*paradigms.values()], arguments, path, jobs) as workers:
        folder = Folder(path, state, overwrite=overwrite)
        impossible = _impossible(folder, workers, len(paradigms))
        folder.begin()
        _fill(folder, workers, paradigms.keys() - impossible - folder.state.finished.keys(), done)
        manifest = manifest_of(folder.state, library, time.monotonic() - started)
        folder.end(manifest)
    return manifest


def _impossible(folder: Folder, workers: FileWorkers, count: int) -> set[str]:
    """Compile all paradigms, so many; the UIDs of those that a variant cannot make, noted with the reason."""
    faults = workers.compile()
    for uid, fault in faults.items():
        if not _is_refusal(fault, folder.state.arguments) or count == 1:
            raise fault
        folder.refuse(uid, str(fault))
    return {*faults}


def _is_refusal(fault: BlimpgenError, arguments: Arguments) -> bool:
    """Whether a paradigm is left out because a variant has no words for it, and not because something is wrong."""
    return isinstance(fault, DataError) and arguments.variant is not None


def _fill(folder: Folder, workers: FileWorkers, uids: Collection[str], done: Done | None) -> None:
    for uid, entry in folder.state.finished.items():
        if done:
            done(uid, entry)
    try:
        for uid, result in workers.make(uids):
            if isinstance(result, BlimpgenError):
                if not _is_refusal(result, folder.state.arguments):
                    raise result
                folder.refuse(uid, str(result))
                continue
            folder.add(uid, result)
            if done:
                done(uid, result)
        if not folder.state.finished:
            raise DataError("; ".join(dict.fromkeys(folder.state.refused.values())))
    except (DataError, UsageError):
        workers.stop()  # a process that goes on would write its file after all
        folder.undo()
        raise


def manifest_of(state: RunState, library: Library, duration: float) -> Manifest:
    """The manifest of a run whose files are complete.

    Args:
        state: the run.
        library: the data that it was made with.
        duration: how long it took, in seconds.
    """
    return Manifest(
        version=state.version,
        seed=state.arguments.seed,
        arguments=state.arguments,
        library=state.library,
        languages=_languages(library, state.arguments.targets),
        data=data_hashes(library.folders),
        canary=canary(state.arguments),
        sets={uid: state.finished[uid] for uid in state.plans if uid in state.finished},
        refused=state.refused,
        fell_out=_fell_out(library),
        run=Run(
            time=datetime.now(UTC).isoformat(timespec="seconds"),
            duration=round(duration, 2),
            command=state.command,
            data=str(library.folders[-1]) if len(library.folders) > 1 else None,
        ),
        lines=line_prints(library.folders),
    )


def _languages(library: Library, targets: Sequence[str]) -> dict[str, str]:
    languages = (library.language_of(paradigm).lexicon.language for paradigm in library.targets(targets))
    return dict(sorted({(language.code, language.name) for language in languages}))


def _fell_out(library: Library) -> dict[str, list[str]]:
    limits = library.language("").limits
    return limits.fell_out() if limits else {}
