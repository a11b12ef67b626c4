"""The budgets of the studio, asked with ``pytest -m benchmark``: its start, its memory, how fast an edit shows."""

from __future__ import annotations

import http.cookiejar
import os
import re
import signal
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from blimpgen.base.errors import BlimpgenError
from blimpgen.base.folders import shipped_data
from blimpgen.cli.studio.views.paradigms import view_of
from blimpgen.cli.studio.views.workspace import Folders, Workspace
from blimpgen.library import Library

from .measure import Row, over

PATHS = ("/paradigm/transitive", "/words?query=noun:%20human", "/word/V/believe.1", "/write/new_one?like=transitive")


def opening() -> Iterator[Row]:
    """From the command to the first page, the best of five; then the memory of both processes."""
    seconds, cpu, memory, after_all = [], [], 0.0, 0.0
    for _ in range(5):
        started = time.monotonic()
        command = [sys.executable, "-m", "blimpgen", "studio", "--data", "no_data_of_ones_own"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as studio:
            assert studio.stdout is not None
            link = studio.stdout.readline().strip()
            browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
            browser.open(link).read()
            seconds.append(time.monotonic() - started)
            children = Path(f"/proc/{studio.pid}/task/{studio.pid}/children").read_text().split()
            cpu.append(max(map(_cpu, (studio.pid, *children))))
            if not memory:
                for path in PATHS:
                    browser.open(link.partition("/?")[0] + path).read()
                memory = sum(map(_megabytes, (studio.pid, *children)))
                for uid in Library([shipped_data()]).uids():
                    browser.open(f"{link.partition('/?')[0]}/paradigm/{uid}").read()
                after_all = sum(map(_megabytes, (studio.pid, *children)))
            studio.send_signal(signal.SIGINT)
    yield Row("blimpgen studio, to its first page", min(seconds), "s", 2)
    yield Row("blimpgen studio, to its first page: CPU of the longer of two processes", min(cpu), "s", 2)
    yield Row("blimpgen studio, after a page of each kind: memory", memory, "MB", 195)
    yield Row("blimpgen studio, after the pages of all paradigms: memory", after_all, "MB")


def _cpu(process: int | str) -> float:
    """CPU seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _megabytes(process: int | str) -> float:
    """Memory of a process, of what it shares its part."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("Pss:"))
    return int(line.split()[1]) / 1024


def edits() -> Iterator[Row]:
    """Every shipped paradigm with one more demand, or another summary: pairs, slots, capacity and proof again."""
    workspace = Workspace(Folders(Path("no_data_of_ones_own")))
    library, times = workspace.library, []
    for uid in library.uids():
        path = library.paradigm(uid).document.path
        text = path.read_text(encoding="utf-8")
        edited, demands = re.subn(r"(is: )([^,}\n]*)([,}])", r"\1(\2) & not +rare\3", text, count=1)
        edited = edited if demands else text.replace("summary: ", "summary: More. ")
        view_of(workspace, library.draft(path, text), text, 0)
        started = time.process_time()
        with suppress(BlimpgenError):  # a language without this restriction says so
            view_of(workspace, library.draft(path, edited), edited, 0)
        times.append(time.process_time() - started)
    yield Row(f"blimpgen studio, an edit, median of {len(times)}", 1000 * statistics.median(times), "ms", 300)
    yield Row("blimpgen studio, an edit, nine in ten", 1000 * statistics.quantiles(times, n=10)[-1], "ms")
    yield Row("blimpgen studio, an edit, slowest paradigm", 1000 * max(times), "ms")


@pytest.mark.benchmark
@pytest.mark.parametrize("measurement", [opening, edits], ids=lambda m: m.__name__)
def test_budgets(measurement: Callable[[], Iterator[Row]], capsys: pytest.CaptureFixture[str]) -> None:
    assert over(measurement(), capsys) == []
