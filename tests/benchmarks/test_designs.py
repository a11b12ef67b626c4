"""What it costs to enumerate the designs of Marvin and Linzen, and to write them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import orjson
import pytest

from blimpgen.dataset.row_lines import json_chunks
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.engine import enumerate_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.library import Library, shipped_data

from .measure import Row, best, over, process

SUITE = "marvin_linzen"


def all_compiled() -> list[CompiledParadigm]:
    """Every case, from files that are read again."""
    library = Library([shipped_data()])
    return [prepare(library.paradigm(uid), library) for uid in library.uids(SUITE)]


def rows(case: CompiledParadigm) -> Iterator[dict[str, Any]]:
    """All rows of a case."""
    return Assembly(case).rows(enumerate_set(case))


def count(cases: list[CompiledParadigm]) -> int:
    """Make all items, and write none."""
    return sum(1 for case in cases for _ in rows(case))


def written(cases: list[CompiledParadigm]) -> int:
    """Make all items as lines."""
    return sum(len(c) for case in cases for _, c in json_chunks(rows(case)))


def floor(case: CompiledParadigm) -> Callable[[], int]:
    """A program that joins the words of the rows of a case and serialises them, and does nothing else."""
    prepared = []
    for row in rows(case):
        names = "sentences" if "sentences" in row else ""
        found = row.pop(names) if names else {key: row.pop(key) for key in ("sentence_good", "sentence_bad")}
        prepared.append((names, {key: text.split(" ") for key, text in found.items()}, row))

    def work() -> int:
        size = 0
        for names, split, rest in prepared:
            joined = {key: " ".join(words) for key, words in split.items()}
            size += len(orjson.dumps({names: joined, **rest} if names else {**joined, **rest}))
        return size

    return work


def designs() -> Iterator[Row]:
    """All items as rows, as lines, and the whole command."""
    cases = all_compiled()
    items = count(cases)
    yield Row(f"{SUITE}, {items:,} items as rows", best(lambda: count(cases)), "s")
    yield Row(f"{SUITE}, reading, compiling and {items:,} rows", best(lambda: count(all_compiled())), "s", 0.5)
    low = sum(best(floor(case)) for case in cases)
    yield Row(f"{SUITE}, {items:,} items as lines", best(lambda: written(cases)) / low, "x floor", 1.5)
    with tempfile.TemporaryDirectory() as folder:
        cpu, memory = process(("generate", SUITE, "-o", f"{folder}/set", "--overwrite"), 3)
    yield Row(f"blimpgen generate {SUITE}", cpu, "s")
    yield Row(f"blimpgen generate {SUITE}: memory", memory, "MB", 300)


@pytest.mark.benchmark
def test_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    """Every row keeps within its budget."""
    assert over(designs(), capsys) == []
