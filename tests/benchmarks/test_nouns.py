"""What the study of single nouns costs: a hundredth of 36 million sentences, and the command for all our nouns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import orjson
import pytest

from blimpgen.dataset.row_lines import json_chunks
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.prepare import prepare
from blimpgen.library import default_library
from blimpgen.nouns import Contexts
from blimpgen.variants.record import Study, file_ref

from .measure import Row, best, over, process

SUITE = "noun_variation"
WHOLE = 36_000_000
"""Sentences of the study, with lists of a thousand nouns."""
NOUNS = (
    "teacher",
    "student",
    "doctor",
    "lawyer",
    "author",
    "dancer",
    "farmer",
    "driver",
    "singer",
    "painter",
    "banker",
)


def rows(task: CompiledParadigm, nouns: Path) -> Iterator[dict[str, str]]:
    """The rows of one task for some nouns, 500 contexts each or all that there are."""
    return Contexts(task, Study(targets=file_ref(nouns)), 0).rows()


def written(tasks: list[CompiledParadigm], nouns: Path) -> int:
    """Make all rows as lines."""
    return sum(len(chunk) for task in tasks for _, chunk in json_chunks(rows(task, nouns)))


def floor(task: CompiledParadigm, nouns: Path) -> tuple[int, Callable[[], int]]:
    """How many sentences a task has, and a program that joins their words and serialises the rows."""
    prepared = []
    for row in rows(task, nouns):
        split = {key: text.split(" ") for key, text in row.items() if key.isupper()}
        prepared.append(({key: text for key, text in row.items() if key not in split}, split))

    def work() -> int:
        return sum(
            len(orjson.dumps({**words, **{key: " ".join(text) for key, text in split.items()}}))
            for words, split in prepared
        )

    return sum(len(split) for _, split in prepared), work


def nouns() -> Iterator[Row]:
    """Time of a hundredth of the study against the floor; memory of the command for some nouns and for all."""
    library = default_library()
    tasks = [prepare(library.paradigm(uid), library) for uid in library.uids(SUITE)]
    with tempfile.TemporaryDirectory() as folder:
        some = Path(folder) / "nouns.txt"
        some.write_text("\n".join(NOUNS) + "\n", encoding="utf-8")
        made, low = 0, 0.0
        for task in tasks:
            count, work = floor(task, some)
            made, low = made + count, low + best(work, 3)
        own = best(lambda: written(tasks, some), 3)
        yield Row(f"{SUITE}, {made:,} sentences: floor", 1e6 * low / made, "us a sentence")
        yield Row(f"{SUITE}, {made:,} sentences", 1e6 * own / made, "us a sentence")
        yield Row(f"{SUITE}, {made:,} sentences", own / low, "x floor", 8)
        yield Row(f"{SUITE}, {WHOLE:,} sentences at this speed", own * WHOLE / made, "s")
        for name, target in ((f"{len(NOUNS)} nouns", str(some)), ("all nouns", "all")):
            arguments = ("nouns", "--target", target, "-o", f"{folder}/{name.replace(' ', '_')}")
            cpu, memory = process(arguments, 1)
            yield Row(f"blimpgen nouns, {name}", cpu, "s")
            yield Row(f"blimpgen nouns, {name}: memory", memory, "MB", 300)


@pytest.mark.benchmark
def test_budgets(capsys: pytest.CaptureFixture[str]) -> None:
    """Every row keeps within its budget."""
    assert over(nouns(), capsys) == []
