"""The measurements, each a function that gives rows of the table."""

from __future__ import annotations

import gc
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import orjson
import pytest

from blimpgen.audit import WordFrequencies
from blimpgen.audit.audited_sets import audit_rows
from blimpgen.audit.guards import Vocabulary
from blimpgen.authoring.display import describe
from blimpgen.authoring.new_paradigm import paradigm_text
from blimpgen.base.errors import DataError
from blimpgen.checks.paradigm_checks import problems
from blimpgen.cli.show import ROUGH
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.engine import draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.generation.row_proof import RowProof
from blimpgen.lexicon import CATEGORIES
from blimpgen.library import Library, default_library, shipped_data
from blimpgen.plan.cache import FOLDER

__all__ = ["Row", "margins", "over", "shown", "table"]

os.environ[FOLDER] = "off"  # what is measured in this process is made in it

SUITE = "blimp"
ROOT = Path(__file__).resolve().parent.parent.parent
MEGABYTE = 1 << 20


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, the figure with its unit, the budget if there is one."""

    name: str
    value: float
    unit: str
    budget: float | None = None

    @property
    def within(self) -> bool:
        """Whether the figure keeps within its budget."""
        return self.budget is None or self.value <= self.budget


def best(work: Callable[[], object], runs: int = 5) -> float:
    """CPU seconds of the fastest of some runs."""
    times = []
    for _ in range(runs):
        gc.collect()
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def made(paradigm: CompiledParadigm, n: int) -> Iterator[bytes]:
    """The lines of a data file, as they are written."""
    return map(orjson.dumps, Assembly(paradigm).rows(draw_set(paradigm, n, 0)))


def floor(paradigm: CompiledParadigm, n: int) -> Callable[[], list[bytes]]:
    """A program that joins the words of the same records and serialises them, and does nothing else."""
    prepared: list[tuple[dict[str, list[str]], dict[str, Any]]] = []
    for line in made(paradigm, n):
        row = orjson.loads(line)
        split = {key: row.pop(key).split(" ") for key in ("sentence_good", "sentence_bad") if key in row}
        prepared.append((split, row))
    return lambda: [
        orjson.dumps({**{key: " ".join(words) for key, words in split.items()}, **rest}) for split, rest in prepared
    ]


def ratios(n: int = 1000) -> Iterator[Row]:
    """Each paradigm of the suite against the floor, plans loaded."""
    library = default_library()
    ours, floors = 0.0, 0.0
    for uid in library.uids(SUITE):
        paradigm = prepare(library.paradigm(uid), library)
        low, own = best(floor(paradigm, n)), best(lambda p=paradigm: sum(len(line) for line in made(p, n)))  # type: ignore[misc]
        ours, floors = ours + own, floors + low
        yield Row(f"{uid}, {n} pairs", own / low, "x floor")
    yield Row(
        f"all of {SUITE}, {n} pairs each: floor", 1e6 * floors / (n * len(list(library.uids(SUITE)))), "us a pair"
    )
    yield Row(f"all of {SUITE}, {n} pairs each", ours / floors, "x floor", 8)


def audits(n: int = 200) -> Iterator[Row]:
    """Guards and cheap rules over each paradigm of the suite against the floor, words looked up."""
    library, frequencies = default_library(), dict[Vocabulary, WordFrequencies]()
    ours, floors = 0.0, 0.0
    for uid in library.uids(SUITE):
        paradigm = prepare(library.paradigm(uid), library)
        rows = [*map(orjson.loads, made(paradigm, n))]
        ours += best(lambda rows=rows: audit_rows(rows, library, frequencies=frequencies), 3)  # type: ignore[misc]
        floors += best(floor(paradigm, n))
    yield Row(f"audit of all of {SUITE}, {n} pairs each", ours / floors, "x floor", 160)


def marginal(uid: str = "transitive", n: int = 100_000) -> Iterator[Row]:
    """What one pair more costs in a large set of which all rows have been proven before."""
    library = default_library()
    paradigm = prepare(library.paradigm(uid), library)
    whole, half = (best(lambda size=size: sum(1 for _ in made(paradigm, size)), 3) for size in (n, n // 2))  # type: ignore[misc]
    low = best(floor(paradigm, n // 10)) / (n // 10)
    yield Row(f"{uid}, a pair more at n = {n:,}", (whole - half) / (n - n // 2) / low, "x floor", 3)


def margins(few: int = 20_000, many: int = 100_000) -> Iterator[Row]:
    """What one pair more of each paradigm costs in a large set of which no row has been proven before."""
    library, all_ratios = default_library(), []
    for uid in library.uids(SUITE):
        paradigm = prepare(library.paradigm(uid), library)
        try:
            paradigm.check_size(many)
        except DataError:  # it does not have so many
            continue
        times = []
        for size in (few, many):
            paradigm.proof = RowProof(paradigm)
            times.append(best(lambda p=paradigm, n=size: sum(1 for _ in made(p, n)), 1))  # type: ignore[misc]
        low = best(floor(paradigm, few // 10)) / (few // 10)
        all_ratios.append((times[1] - times[0]) / (many - few) / low)
        yield Row(f"{uid}, a pair more up to n = {many:,}, proven", all_ratios[-1], "x floor")
    yield Row(f"median of {len(all_ratios)}", median(all_ratios), "x floor")


def plans() -> Iterator[Row]:
    """Building plans, words and rules loaded."""
    times, cells = [], 0
    for _ in range(3):
        library = Library([shipped_data()])
        language = library.language(None)
        for category in CATEGORIES:
            language.lexicon.inventory(category)
        paradigms = [library.paradigm(uid) for uid in library.uids(SUITE)]
        start = time.process_time()
        cells = sum(len(prepare(paradigm, library).cells) for paradigm in paradigms)
        times.append(time.process_time() - start)
    yield Row(f"building a plan, mean of {cells}", 1000 * min(times) / cells, "ms", 8)
    yield Row(f"compiling a paradigm, mean of {len(paradigms)}", 1000 * min(times) / len(paradigms), "ms")


def redraws() -> Iterator[Row]:
    """What `show --watch` does at a save: each paradigm with one more demand, read, compiled, drawn, checked."""
    library, times = default_library(), []
    # A program that watches one file holds nothing of what was measured before.
    gc.collect()
    gc.freeze()
    with tempfile.TemporaryDirectory() as folder:
        for uid in library.uids(SUITE):
            path = Path(folder) / f"my_{uid}.yaml"
            text = paradigm_text(library, uid, path)
            for edited in (text, re.sub(r"(is: )([^,}\n]*)([,}])", r"\1(\2) & not +rare\3", text, count=1)):
                path.write_text(edited, encoding="utf-8")
                start = time.process_time()
                compiled = prepare(library.reread(path), library)
                described = describe(compiled, compiled.counted(ROUGH))
                sum(len(line) for line in (*described, *map(str, made(compiled, len(compiled.cells)))))
                problems(library, path)
            times.append(time.process_time() - start)
    gc.unfreeze()
    yield Row(f"show --watch, a save, mean of {len(times)}", 1000 * sum(times) / len(times), "ms", 500)
    yield Row("show --watch, a save, slowest paradigm", 1000 * max(times), "ms", 500)


@cache
def process(arguments: tuple[str, ...], runs: int, plans: str = "off") -> tuple[float, float]:
    """CPU seconds and peak memory in MB of a whole process; the best of some runs.

    Args:
        arguments: those of the program.
        runs: how many runs.
        plans: the folder where it keeps plans, or ``off``.
    """
    found = []
    environment = {**os.environ, FOLDER: plans}
    for _ in range(runs):
        child = subprocess.Popen(
            [sys.executable, "-m", "blimpgen", *arguments],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        assert child.stderr is not None
        message = child.stderr.read().decode()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise RuntimeError(f"blimpgen {' '.join(arguments)}: {message.strip()}")
        found.append((usage.ru_utime + usage.ru_stime, _megabytes(usage)))
    return min(cpu for cpu, _ in found), min(memory for _, memory in found)


def _megabytes(usage: resource.struct_rusage) -> float:
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024) / MEGABYTE


def processes() -> Iterator[Row]:
    """Whole commands, as a user runs them."""
    with tempfile.TemporaryDirectory() as folder:
        suite = ("generate", SUITE, "-n", "1000", "--seed", "0", "-o", f"{folder}/set", "--overwrite")
        first, memory = process(suite, 1, f"{folder}/plans")
        again, _ = process(suite, 5, f"{folder}/plans")
        yield Row(f"blimpgen generate {SUITE} -n 1000, plans kept by an earlier run", again, "s", 2)
        yield Row(f"blimpgen generate {SUITE} -n 1000, the first run", first, "s")
        yield Row(f"blimpgen generate {SUITE} -n 1000, the first run: memory", memory, "MB", 300)
        cpu, memory = process(("generate", "transitive", "-n", "1000000", "-o", f"{folder}/large", "--overwrite"), 1)
        yield Row("blimpgen generate transitive -n 1000000", cpu, "s")
        yield Row("blimpgen generate transitive -n 1000000: memory", memory, "MB", 1024)
    for command in ("list", "--help"):
        yield Row(f"blimpgen {command}", 1000 * process((command,), 5)[0], "ms", 300)


# Processes first: the peak memory of a child begins at what its parent has when it is started.
MEASUREMENTS: Sequence[Callable[[], Iterator[Row]]] = (processes, ratios, audits, marginal, plans, redraws)


def table() -> Iterator[Row]:
    """All rows, as they are measured."""
    for measurement in MEASUREMENTS:
        yield from measurement()


def shown(row: Row) -> str:
    """One line of text."""
    budget = "" if row.budget is None else f"{'within' if row.within else 'OVER'} {row.budget:g}"
    return f"{row.name:<66} {row.value:>9.2f} {row.unit:<10} {budget}".rstrip()


def over(rows: Iterable[Row], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Print rows on the terminal; those that are over their budgets."""
    measured = list(rows)
    with capsys.disabled():
        print("\n" + "\n".join(shown(row) for row in measured))
    return [shown(row) for row in measured if not row.within]
