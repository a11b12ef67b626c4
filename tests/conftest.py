"""Fixtures that all tests share."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, TypeAlias

import pytest

import blimpgen.library
from blimpgen.cli import main
from blimpgen.library import Library, default_library

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


def tiered(suite: str = "blimp") -> list[object]:
    """The UIDs of a suite as parameters: one a phenomenon in the fast tier, the others marked slow."""
    files = default_library().suites[suite].files
    first = {path.parent: uid for uid, path in reversed(files.items())}
    return [uid if uid in first.values() else pytest.param(uid, marks=pytest.mark.slow) for uid in files]


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
