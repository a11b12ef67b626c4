"""Writing a set: every target compiled first, then one file a paradigm, the manifest last."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeAlias

from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import data_hashes, library_hash
from blimpgen.base.locks import locked_folder
from blimpgen.base.version import __version__
from blimpgen.dataset.file_models import Arguments, Entry, Manifest, Run, RunState
from blimpgen.dataset.fingerprints import line_prints
from blimpgen.dataset.paradigm_files import canary, compile_checked, find_paradigms, plan_hash
from blimpgen.dataset.set_folder import Folder
from blimpgen.dataset.workers import make_files
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm

__all__ = ["Done", "manifest_of", "write_set"]

Done: TypeAlias = Callable[[str, Entry], None]


def write_set(
    library: Library,
    arguments: Arguments,
    path: Path,
    *,
    overwrite: bool = False,
    jobs: int = 1,
    command: str = "",
    done: Done | None = None,
) -> Manifest:
    """Generate a set into a folder, or finish it where the same call was interrupted.

    Args:
        library: words, rules and paradigms.
        arguments: what to generate.
        path: the folder.
        overwrite: replace a set of ours that is there.
        jobs: processes; no choice of it changes a byte.
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
    state = RunState(
        version=__version__,
        command=command,
        arguments=arguments,
        library=library_hash(library.folders, library.profile),
        plans={uid: plan_hash(paradigm) for uid, paradigm in paradigms.items()},
    )
    with locked_folder(path):
        folder = Folder(path, state, overwrite=overwrite)
        for uid in _impossible(folder, library, paradigms, arguments):
            del paradigms[uid]
        folder.begin()
        _fill(folder, library, [p for uid, p in paradigms.items() if uid not in folder.state.finished], jobs, done)
        manifest = manifest_of(folder.state, library, time.monotonic() - started)
        folder.end(manifest)
    return manifest


def _impossible(folder: Folder, library: Library, paradigms: dict[str, Paradigm], arguments: Arguments) -> list[str]:
    """Compile all paradigms; the UIDs of those that a variant cannot make, noted with the reason."""
    impossible = []
    for uid, paradigm in paradigms.items():
        try:
            compile_checked(library, paradigm, arguments)
        except DataError as error:
            if not arguments.variant or len(paradigms) == 1:
                raise
            folder.refuse(uid, str(error))
            impossible.append(uid)
    return impossible


def _fill(folder: Folder, library: Library, paradigms: list[Paradigm], jobs: int, done: Done | None) -> None:
    for uid, entry in folder.state.finished.items():
        if done:
            done(uid, entry)
    try:
        for uid, result in make_files(library, paradigms, folder.state.arguments, folder.path, jobs):
            if isinstance(result, str):
                folder.refuse(uid, result)
                continue
            folder.add(uid, result)
            if done:
                done(uid, result)
        if not folder.state.finished:
            raise DataError("; ".join(dict.fromkeys(folder.state.refused.values())))
    except (DataError, UsageError):
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
