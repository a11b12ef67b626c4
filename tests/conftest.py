"""Fixtures that all tests share."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

from blimpgen.base.garbage import collect_seldom
from blimpgen.cli import main
from blimpgen.generation.compiled import CompiledParadigm, compile_paradigm
from blimpgen.library import Library, default_library, load_library
from blimpgen.plan.cache import FOLDER

os.environ.setdefault(FOLDER, "off")  # what is tested is made, not taken from an earlier run
collect_seldom()  # as the program does

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
ROOT = Path(__file__).resolve().parent.parent
ITALIAN = """name: Italian
code: it
joins:
  - {words: di il, becomes: del}
  - {words: di la, becomes: della}
  - {words: del, before: vowel, becomes: "dell'", glued: yes}
  - {words: della, before: vowel, becomes: "dell'", glued: yes}
  - {words: il, before: vowel, becomes: "l'", glued: yes}
  - {words: la, before: vowel, becomes: "l'", glued: yes}
"""
"""The file of a language whose joins make two articles one."""


HEAVY = (
    *("test_scoring_faults", "test_scoring_models", "test_teaching", "test_training", "test_variants"),  # torch
    *("test_analysis", "test_analysis_deltas", "test_analysis_intervals", "test_analysis_published"),  # scipy
    *("test_large_sets", "test_parse", "test_recognition", "test_report"),  # pandas, nltk, matplotlib
)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Give all files that import what takes seconds to one process; each other file has one to itself."""
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):
        def _split_scope(self, nodeid: str) -> str:
            file = super()._split_scope(nodeid)
            return "heavy" if Path(file).stem in HEAVY else file

    return Scheduling(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    """Leave out of every collection what stays until the end."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    """As above: pytest collects garbage five times before it ends, which takes seconds after all tests."""
    gc.freeze()


class Outcome(NamedTuple):
    """What a call of the program left behind: exit code, standard output, standard error."""

    code: int
    out: str
    err: str


Call: TypeAlias = Callable[..., Outcome]


_ON_A_FULL_DISK = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
from blimpgen.base.garbage import collect_seldom
from blimpgen.cli import main
main(sys.argv[2:])
"""


def on_full_disk(limit: int, *arguments: object) -> Outcome:
    """Run the program in another process in which no file may have more bytes than the limit.

    That fails writes as a full disk does; the error of a write has no name of its own.
    """
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", _ON_A_FULL_DISK, str(limit), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def call(capfd: pytest.CaptureFixture[str]) -> Call:
    """Runs the program in this process."""

    def run(*arguments: object) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as left:
            main([str(argument) for argument in arguments])
        return Outcome(left.value.code if isinstance(left.value.code, int) else 0, *capfd.readouterr())

    return run


def compiled_of(library: Library, uid: str = "p") -> CompiledParadigm:
    """A paradigm of a library compiled, and not proven."""
    paradigm = library.paradigm(uid)
    return compile_paradigm(paradigm, library.language_of(paradigm))


def with_paradigms(folder: Path, library: Library) -> Library:
    """The shipped library with the paradigms of a folder; it has no words of its own, so those of all tests serve."""
    stacked = load_library(folder)
    stacked._languages = library._languages
    return stacked


def in_tiers(values: Iterable[object], fast: Collection[object]) -> list[object]:
    """Values as parameters: those named stand in the fast tier, the others are marked slow."""
    return [value if value in fast else pytest.param(value, marks=pytest.mark.slow) for value in values]


def tiered(uids: Iterable[str] | None = None) -> list[object]:
    """UIDs as parameters, those of the suite blimp unless others are given: one of every ninth phenomenon is fast."""
    suites = default_library().suites.values()
    first = {path.parent: uid for suite in suites for uid, path in reversed(suite.files.items())}
    return in_tiers(default_library().uids("blimp") if uids is None else uids, [*first.values()][::9])


@pytest.fixture(scope="session")
def library() -> Library:
    """The shipped library."""
    return default_library()


@pytest.fixture(scope="session")
def browser_options() -> dict[str, Any]:
    """How a real browser without a window is started; tests that need it skip where there is none."""
    pytest.importorskip("playwright")
    path = os.environ.get("BROWSER_PATH") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        pytest.skip(f"no browser is here ({', '.join(BROWSERS)}); BROWSER_PATH names one")
    # Without its sandbox, which does not start for root; the pages are our own and need no network.
    return {"executable_path": path, "args": ["--no-sandbox"]}


@pytest.fixture(scope="module")
def browser(browser_options: dict[str, Any]) -> Iterator[Any]:
    """A real browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        opened = running.chromium.launch(**browser_options)
        yield opened
        opened.close()


def context_of(browser: Any, **options: Any) -> Any:
    """A visitor of a browser, who waits for a page on a machine that has much else to do."""
    context = browser.new_context(**options)
    context.set_default_timeout(120_000)
    return context


def shown_as(page: Any, width: int, scheme: str) -> None:
    """Show a page of the studio in a width and a colour scheme, and wait until nothing moves any more."""
    page.set_viewport_size({"width": width, "height": 700})
    page.emulate_media(color_scheme=scheme)
    page.locator(f"body.body--{scheme}").wait_for()
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    moving = (
        "document.getAnimations().some(a => a.playState === 'running' && a.effect.getTiming().iterations !== Infinity)"
    )
    page.wait_for_function(f"() => !{moving}")


def choose(page: Any, label: str, option: str) -> None:
    """Choose from a select box of the studio by its label.

    The box takes the keyboard back before it takes the place of its list out of the page: what a test that did not wait
    for that types into the next field is lost.
    """
    page.get_by_label(label, exact=True).click()
    page.get_by_role("option", name=option).click()
    page.wait_for_function("() => !document.querySelector('[id^=q-portal--menu]')")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of reference data beside the repository; tests that need it skip where it is absent."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the reference data ../shared/data are not here")
    return folder
