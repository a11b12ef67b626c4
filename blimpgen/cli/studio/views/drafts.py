"""A paradigm that is being written: what its text makes, what is wrong with it, and where it is saved."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from blimpgen.base.errors import BlimpgenError, DataError, UsageError, nearest
from blimpgen.cli.studio.views.paradigms import ParadigmView, view_of
from blimpgen.cli.studio.views.workspace import Workspace

if TYPE_CHECKING:
    from blimpgen.checks import Problem
    from blimpgen.checks.completion import Completion
    from blimpgen.paradigm import Paradigm

__all__ = ["Draft", "Finding", "Opened", "begin", "candidates", "check", "completions", "draft", "pack", "save", "why"]

_MOST_TEXT = 200_000
"""Characters of a paradigm that is edited."""
_CANDIDATES = 60
"""Words of a slot that are shown."""
_COMPLETIONS = 200
"""Completions that are shown."""
_MOST_LINE = 1_000
"""Characters of a line that are looked at."""
_SLICE = 0.1
"""Seconds that a check takes before it lets other work go first."""
_SUITE = "mine"
"""Where new paradigms go in the user's folder, as with `blimpgen new`."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong: the line of the edited text, or 0 where it stands elsewhere; what, and what to do."""

    line: int
    message: str


@dataclass(frozen=True)
class Draft:
    """A text as a paradigm: what is wrong with it, and what it makes, if it makes anything."""

    findings: tuple[Finding, ...]
    view: ParadigmView | None
    seconds: float


@dataclass(frozen=True)
class Opened:
    """A paradigm file to be written: its UID, its phenomenon, its text, and what of it is saved (None: nothing)."""

    uid: str
    term: str
    text: str
    saved: str | None


def begin(workspace: Workspace, uid: str, like: str) -> Opened:
    """A new paradigm like another one, or a paradigm of the user's folder as it is saved.

    Args:
        workspace: the data.
        uid: its name.
        like: the paradigm to begin with; of one that is saved already nothing is asked.

    Raises:
        BlimpgenError: a name that is none or is taken; no paradigm to begin with.
    """
    from blimpgen.authoring.new_paradigm import paradigm_text, place_for
    from blimpgen.base.sources import read_text

    workspace.library.relist(workspace.data)
    if path := _saved(workspace, uid):
        text = read_text(path)
        return Opened(uid, path.parent.name, text, text)
    uids = list(workspace.library.uids())
    if like not in uids:
        raise UsageError(f"no paradigm {like!r}; {nearest(like, uids)}")
    term = workspace.library.paradigm(like).term
    path = place_for(workspace.library, uid, _SUITE, term, workspace.data)
    return Opened(uid, term, paradigm_text(workspace.library, like, path, workspace.data), None)


def _saved(workspace: Workspace, uid: str) -> Path | None:
    """The file of a paradigm in the user's folder, if it is there."""
    files = (suite.files.get(uid) for suite in workspace.library.suites.values())
    return next((path for path in files if path and path.is_relative_to(workspace.data)), None)


def _drafted(workspace: Workspace, opened: Opened) -> Paradigm:
    _check_length(opened.text)
    path = _saved(workspace, opened.uid) or workspace.data / "paradigms" / _SUITE / opened.term / f"{opened.uid}.yaml"
    return workspace.library.draft(path, opened.text)


def draft(workspace: Workspace, opened: Opened, seed: int) -> Draft:
    """What a text makes: pairs, slots, capacity, the verdict of the proof.

    Args:
        workspace: the data.
        opened: the text.
        seed: the seed of the pairs.
    """
    started = time.monotonic()
    findings: tuple[Finding, ...] = ()
    view = None
    try:
        view = view_of(workspace, _drafted(workspace, opened), opened.text, seed)
    except BlimpgenError as error:
        findings = (_finding(error, opened),)
    return Draft(findings, view, time.monotonic() - started)


class _Check:
    """What `blimpgen check` does with a text, a slice at a time."""

    def __init__(self, workspace: Workspace, opened: Opened) -> None:
        from blimpgen.checks.paradigm_checks import problems_by_step

        self.opened = opened
        self._findings: dict[Finding, None] = {}
        self._steps: Iterator[Problem | None] = iter(())
        try:
            self._steps = problems_by_step(workspace.library, _drafted(workspace, opened))
        except BlimpgenError as error:
            self._findings[_finding(error, opened)] = None

    def go_on(self) -> tuple[Finding, ...] | None:
        """All findings, or None while there is more to do."""
        until = time.monotonic() + _SLICE
        for problem in self._steps:
            if problem is not None:
                self._findings[_finding(DataError(problem.text, problem.place), self.opened)] = None
            if time.monotonic() > until:
                return None
        return tuple(self._findings)


def check(workspace: Workspace, opened: Opened) -> tuple[Finding, ...] | None:
    """Go on with what `blimpgen check` does with a text: all that it finds, or None while there is more to do.

    Args:
        workspace: the data.
        opened: the text.
    """
    return workspace.recent.once("check", opened.text, lambda: _Check(workspace, opened), most=1).go_on()


def candidates(workspace: Workspace, opened: Opened, slot: str) -> tuple[str, ...]:
    """Some of the lexemes that a slot may have, over the whole range of them.

    Args:
        workspace: the data.
        opened: the text.
        slot: the slot.
    """
    from blimpgen.authoring.display import slot_words
    from blimpgen.generation.prepare import prepare

    words = slot_words(prepare(_drafted(workspace, opened), workspace.library, unproven=lambda fault: None), slot)
    step = max(1, -(-len(words) // _CANDIDATES))
    return tuple(words[::step])


def completions(workspace: Workspace, before: str) -> tuple[str, list[Completion]]:
    """What can be typed behind the beginning of a line, and the part of the line that it replaces.

    Args:
        workspace: the data.
        before: the line up to the cursor.
    """
    from blimpgen.checks.completion import completions

    typed, every = completions(workspace.library, before[-_MOST_LINE:])
    return typed, every[:_COMPLETIONS]


def why(workspace: Workspace, opened: Opened, slot: str, word: str) -> tuple[str, ...]:
    """What keeps a word out of a slot, or a pair that has it there, as lines.

    Args:
        workspace: the data.
        opened: the text.
        slot: the slot.
        word: a lemma, a form, or the id of a lexeme.

    Raises:
        UsageError: no such slot or word. DataError: the text is no paradigm.
    """
    from blimpgen.authoring import why
    from blimpgen.cli.why import verdict_lines
    from blimpgen.generation.prepare import prepare

    compiled = prepare(_drafted(workspace, opened), workspace.library, unproven=lambda fault: None)
    return tuple(line for verdict in why(compiled, slot, word) for line in verdict_lines(verdict, slot))


def save(workspace: Workspace, opened: Opened) -> Opened:
    """Save a text into the user's folder.

    Args:
        workspace: the data.
        opened: the text, with what of it is saved already.

    Raises:
        BlimpgenError: the file was changed by somebody else, or cannot be written.
    """
    from blimpgen.authoring.new_paradigm import place_for
    from blimpgen.base.files import write_chunks
    from blimpgen.base.sources import read_text

    workspace.library.relist(workspace.data)
    path = _saved(workspace, opened.uid)
    if path is not None and read_text(path) != opened.saved:
        raise UsageError(f"{path} was changed since it was opened here; copy your text and open it again")
    if path is None:
        path = place_for(workspace.library, opened.uid, _SUITE, opened.term, workspace.data)
    _check_length(opened.text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_chunks(path, [opened.text.encode()])
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror}") from None
    workspace.library.relist(workspace.data)
    return replace(opened, saved=opened.text)


def pack(workspace: Workspace, uid: str, n: int, seed: int, format: str) -> bytes:
    """A set of one paradigm with its manifest, or its export to another tool, as a ZIP file.

    Args:
        workspace: the data.
        uid: the paradigm.
        n: how many rows.
        seed: the seed.
        format: a format of `blimpgen export`; empty for the set itself.

    Raises:
        BlimpgenError: the labels do not hold; there are not so many rows; a format that does not take the set.
    """
    from blimpgen.dataset import Arguments, write_set
    from blimpgen.exports import Options, find_format, read_source, write_export

    arguments = Arguments(targets=(uid,), n=n, seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder, uid)
        write_set(workspace.library, arguments, made, command=f"blimpgen generate {uid} -n {n} --seed {seed}")
        if format:
            source, made = read_source(made), Path(folder, f"{uid}-{format}")
            write_export(source, find_format(format), made, Options())
        return Path(shutil.make_archive(str(Path(folder, "packed")), "zip", folder, made.name)).read_bytes()


def _check_length(text: str) -> None:
    if len(text) > _MOST_TEXT:
        raise UsageError(f"{len(text):,} characters; a paradigm has at most {_MOST_TEXT:,} here")


def _finding(error: BlimpgenError, opened: Opened) -> Finding:
    """What is wrong, at its line if it stands in the text that is edited."""
    place = getattr(error, "place", None)
    if isinstance(error, DataError) and place is not None and Path(place.path).name == f"{opened.uid}.yaml":
        return Finding(place.line, error.message)
    return Finding(0, str(error))
