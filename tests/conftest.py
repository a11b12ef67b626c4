"""Fixtures that all tests share."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

import blimpgen.library
from blimpgen.cli import main
from blimpgen.generation.cache import FOLDER
from blimpgen.library import Library, default_library

os.environ.setdefault(FOLDER, "off")  # what is tested is made, not taken from an earlier run

ROOT = Path(__file__).resolve().parent.parent


class Outcome(NamedTuple):
    """What a call of the program left behind: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


Call: TypeAlias = Callable[..., Outcome]


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """Runs the program in this process."""

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        return Outcome(left.value.code if isinstance(left.value.code, int) else 0, *capfd.readouterr())

    return run


def in_tiers(values: Iterable[object], fast: Collection[object]) -> list[object]:
    """Values as parameters: those named stand in the fast tier, the others are marked slow."""
    return [value if value in fast else pytest.param(value, marks=pytest.mark.slow) for value in values]


def tiered(uids: Iterable[str] | None = None) -> list[object]:
    """UIDs as parameters, those of the suite blimp unless others are given: the first of each phenomenon is fast."""
    suites = default_library().suites.values()
    first = {path.parent: uid for suite in suites for uid, path in reversed(suite.files.items())}
    return in_tiers(default_library().uids("blimp") if uids is None else uids, {*first.values()})


@pytest.fixture(scope="session", autouse=True)
def _libraries_are_kept() -> Iterator[None]:
    """Calls in this process with the same user's folder, as it was, share one library; the last two are kept."""
    kept: dict[object, Library] = {}
    load = blimpgen.library.load_library

    @functools.wraps(load)
    def load_once(folder: str | Path | None = None, *, profile: str | None = None) -> Library:
        if folder is None:
            return load(profile=profile)
        files = sorted(path for path in Path(folder).resolve().rglob("*") if path.is_file())
        key = (str(folder), profile, *((path, path.stat().st_mtime_ns, path.stat().st_size) for path in files))
        if key not in kept:
            found = load(folder, profile=profile)
            while len(kept) > 1:
                del kept[next(iter(kept))]
            kept[key] = found
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blimpgen.library, "load_library", load_once)
        yield


@pytest.fixture(scope="session")
def library() -> Library:
    """The shipped library."""
    return default_library()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of reference data beside the repository; tests that need it skip where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the reference data ../shared/data are not here")
    return folder
