"""The table of models, sets and ranges, with one writer whatever the order of the work; several models in a call."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

import blimpgen as bg
from blimpgen.analysis.results import read_summary
from blimpgen.base.engines import work_here
from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.scoring import Comparison, TokenScores, Unscored, verify
from blimpgen.scoring.judge import Policy
from blimpgen.scoring.pair_table import PairTable, Range, RowOfModel, SetOfPairs, ranges, result_folders
from blimpgen.scoring.result_folder import UNFINISHED, Result
from blimpgen.scoring.scores import Request, Scorer
from tests.conftest import Call


def pairs(n: int, start: int = 0) -> list[Comparison]:
    """Pairs whose order is not that of their sentences; every tenth cannot be scored."""
    return [
        Comparison("u", str(k), f"Cat {k * 7919 % 1009} runs{'?' * (k % 10 == 9)}.", f"Cat {k} run.", "f", "t", {})
        for k in range(start, start + n)
    ]


class Characters:
    """Scores sentences without a question mark, and counts those that it is asked about."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: list[str]) -> list[TokenScores]:
        raise AssertionError("has a method score")

    def score(self, requests: Sequence[Request]) -> list[TokenScores | Unscored]:
        self.asked += [request.text for request in requests]
        return [
            Unscored("a question") if "?" in r.text else TokenScores([-0.01 * ord(c) for c in r.text]) for r in requests
        ]


Outcomes = dict[tuple[int, int], Result | BlimpgenError]


def table_of(
    scorers: Sequence[Callable[[], Scorer]], sets: Sequence[Sequence[Comparison]], folder: Path | None
) -> tuple[PairTable, Outcomes]:
    outcomes: Outcomes = {}
    folders = {(m, s): folder / f"{m}-{s}" for m in range(len(scorers)) for s in range(len(sets))} if folder else {}
    table = PairTable(
        [RowOfModel(f"m{k}", load) for k, load in enumerate(scorers)],
        [SetOfPairs(f"s{k}", each, f"data{k}") for k, each in enumerate(sets)],
        Policy(("full",)),
        finished=lambda m, s, outcome: outcomes.update({(m, s): outcome}),
        folders=folders,
        chunk=16,
    )
    return table, outcomes


def taken(table: PairTable) -> list[Range]:
    """All ranges of the first model."""
    work = []
    while piece := table.next(0):
        work.append(piece)
    return work


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


class Device(Characters):
    """One that computes by itself: notes when a range is begun and when it is waited for."""

    def __init__(self, broken: int | None = None) -> None:
        super().__init__()
        self.log: list[str] = []
        self.broken = broken

    def begin(self, requests: Sequence[Request]) -> Callable[[], list[TokenScores | Unscored]]:
        number = sum(entry.startswith("begin") for entry in self.log)
        self.log.append(f"begin {number}")
        scores = self.score(requests)

        def wait() -> list[TokenScores | Unscored]:
            self.log.append(f"wait {number}")
            if number == self.broken:
                raise DataError("out of memory")
            return scores

        return wait


def test_the_next_range_is_begun_before_the_one_before_it_is_waited_for(tmp_path: Path) -> None:
    made = pairs(50)
    device = Device()
    table, outcomes = table_of([lambda: device], [made], tmp_path)
    with table:
        work_here(table)
    assert device.log == ["begin 0", "begin 1", "wait 0", "begin 2", "wait 1", "begin 3", "wait 2", "wait 3"]
    verify(made, Characters(), data="data0", policy=Policy(("full",)), output=tmp_path / "alone")
    assert isinstance(outcomes[0, 0], Result)
    written, alone = ((tmp_path / name / "items.jsonl").read_text() for name in ("0-0", "alone"))
    assert written.replace("Device", "Characters") == alone


def test_a_range_that_fails_while_the_next_is_begun_ends_its_set_alone() -> None:
    device = Device(broken=1)
    table, outcomes = table_of([lambda: device], [pairs(50), pairs(20, start=50)], None)
    with table:
        work_here(table)
    assert str(outcomes[0, 0]) == "out of memory"
    assert isinstance(outcomes[0, 1], Result)


_KILLED = """
import os, signal, sys, time
from blimpgen.base.engines import work_in_processes
from blimpgen.base.work_table import Row, WorkTable

class Killer:
    identity = ""
    def __call__(self, parent):
        time.sleep(1)
        os.kill(parent, signal.SIGKILL)

class Table(WorkTable):
    most_workers = 2
    def is_open(self, row): return True
    def pieces(self, row, identity): return iter((0, 1))
    def part(self, piece): return os.getpid()
    def add(self, piece, answer): pass
    def fail(self, row, error, piece=None): raise error

if __name__ == "__main__":
    work_in_processes(Table([Row("killer", Killer)]), jobs=2)
"""


@pytest.mark.slow
def test_processes_end_when_the_one_that_began_them_is_killed(tmp_path: Path) -> None:
    """They hold its standard error: whoever reads that would wait for ever."""
    script = tmp_path / "killed.py"
    script.write_text(_KILLED, encoding="utf-8")
    process = subprocess.Popen([sys.executable, str(script)], stderr=subprocess.PIPE)
    process.communicate(timeout=120)
    assert process.returncode == -signal.SIGKILL


def test_ranges_depend_on_the_set_alone_and_are_small_at_first() -> None:
    made = pairs(5000)
    divided = list(ranges(made))
    assert [len(each) for each in divided] == [64, 128, 256, 512, 1024, 1024, 1024, 968]
    flat = [k for each in divided for k in each]
    assert sorted(flat) == list(range(5000))
    assert [made[k].good for k in flat] == sorted(each.good for each in made)
    assert [len(each) for each in ranges(made[:100], chunk=40)] == [40, 40, 20]
    assert list(ranges([])) == []


def test_ranges_may_come_back_in_any_order(tmp_path: Path) -> None:
    sets = [pairs(100), pairs(50, start=100)]
    for k, each in enumerate(sets):
        verify(each, Characters(), data=f"data{k}", policy=Policy(("full",)), output=tmp_path / f"alone{k}")
    table, outcomes = table_of([Characters], sets, tmp_path)
    with table:
        judge = table.rows[0].load()
        table.begin(0, judge.identity)
        work = taken(table)
        random.Random(0).shuffle(work)
        assert len(work) == 7 + 4
        for each in work:
            table.add(each, judge(table.part(each)))
    assert not table.unfinished
    for k in range(2):
        assert contents(tmp_path / f"0-{k}") == contents(tmp_path / f"alone{k}")
        outcome = outcomes[0, k]
        assert isinstance(outcome, Result)
        assert outcome.summary == read_summary(tmp_path / f"alone{k}")
        assert {pair.reason for pair in outcome.summary.unscored} == {"a question"}


def test_what_was_scored_before_the_end_is_not_scored_again(tmp_path: Path) -> None:
    made, first, second = pairs(100), Characters(), Characters()
    table, _ = table_of([lambda: first], [made], tmp_path)
    with table:
        judge = table.rows[0].load()
        table.begin(0, judge.identity)
        for each in taken(table)[3:5]:
            table.add(each, judge(table.part(each)))
    assert table.unfinished
    assert {path.name for path in (tmp_path / "0-0").iterdir()} == {"signature.txt", UNFINISHED}
    again, outcomes = table_of([lambda: second], [made], tmp_path)
    with again:
        work_here(again)
    assert not {*first.asked} & {*second.asked}
    assert {*first.asked} | {*second.asked} == {text for each in made for text in (each.good, each.bad)}
    outcome = outcomes[0, 0]
    assert isinstance(outcome, Result)
    before = [k for each in list(ranges(made, chunk=16))[3:5] for k in each]
    assert outcome.resumed == sum("?" not in made[k].good for k in before)
    verify(made, Characters(), data="data0", policy=Policy(("full",)), output=tmp_path / "alone")
    assert contents(tmp_path / "0-0") == contents(tmp_path / "alone")


def test_a_model_fails_alone(tmp_path: Path) -> None:
    def missing() -> Scorer:
        raise DataError("no such model")

    (tmp_path / "1-0").mkdir()
    (tmp_path / "1-0" / "notes.txt").touch()
    table, outcomes = table_of([missing, Characters, Characters], [pairs(20), pairs(20, start=20)], tmp_path)
    with table:
        work_here(table)
    told = {key: str(each) if isinstance(each, BlimpgenError) else len(each.items) for key, each in outcomes.items()}
    assert told == {
        (0, 0): "no such model",
        (0, 1): "no such model",
        (1, 0): f"{tmp_path / '1-0'} is not empty (notes.txt); take another folder",
        (1, 1): 18,
        (2, 0): 18,
        (2, 1): 18,
    }
    assert not (tmp_path / "0-0").exists()


class TooLarge(Characters):
    """A model for which memory runs out, when it is loaded or when it scores."""

    def score(self, requests: Sequence[Request]) -> list[TokenScores | Unscored]:
        raise MemoryError


def test_a_model_without_room_fails_alone_and_leaves_its_memory_to_the_next() -> None:
    held: list[weakref.ref[Scorer]] = []

    def at_once() -> Scorer:
        raise MemoryError

    def later() -> Scorer:
        scorer = TooLarge()
        held.append(weakref.ref(scorer))
        return scorer

    def next_one() -> Scorer:
        assert [each() for each in held] == [None]
        return Characters()

    table, outcomes = table_of([at_once, later, next_one], [pairs(20)], None)
    with table:
        work_here(table)
    said = "does not fit the memory of its device; take --dtype bfloat16, --device cpu or a smaller model"
    assert [str(outcomes[k, 0]) for k in range(2)] == [f"m0 {said}", f"TooLarge {said}"]
    assert isinstance(outcomes[2, 0], Result)


def test_a_set_of_which_nothing_can_be_scored_leaves_nothing(tmp_path: Path) -> None:
    made = [Comparison("u", "0", "a?", "b", "f", "t", {})]
    with pytest.raises(DataError, match="no pair can be scored: a question; see"):
        verify(made, Characters(), data="d", output=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_folders_of_results() -> None:
    out = Path("out")
    assert result_folders(out, ["gpt2"], ["set"]) == {(0, 0): out}
    assert result_folders(out, ["gpt2"], ["a", "b"]) == {(0, 0): out / "a", (0, 1): out / "b"}
    assert result_folders(out, ["org/m@step1", "../m"], ["set"]) == {(0, 0): out / "org-m@step1", (1, 0): out / "m"}
    with pytest.raises(UsageError, match="the models a/b and a-b would write into the same folder, a-b; rename or"):
        result_folders(out, ["a/b", "a-b"], ["set"])
    with pytest.raises(UsageError, match="the sets set would write into the same folder, set"):
        result_folders(out, ["m"], ["set", "set"])


@pytest.fixture
def sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two sets, in the working folder."""
    for uid in ("transitive", "adjunct_island"):
        (tmp_path / uid).mkdir()
        bg.write_jsonl(bg.generate(uid, n=6), tmp_path / uid / f"{uid}.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_several_models_and_sets_in_one_call(sets: Path, call: Call) -> None:
    (sets / "models.tsv").write_text("model\nunigram\nnowhere.txt\n")
    arguments = ("verify", "transitive", "adjunct_island", "--model", "length", "--models", "models.tsv", "-o", "out")
    done = call(*arguments)
    rows = [line.split() for line in done.out.splitlines()[1:]]
    assert rows[0] == ["model", "set", "pairs", "full", "one-prefix", "two-prefix"]
    assert [row[:3] for row in rows[1:]] == [
        ["length", "transitive", "6"],
        ["length", "adjunct_island", "6"],
        ["unigram", "transitive", "6"],
        ["unigram", "adjunct_island", "6"],
        ["nowhere.txt", "transitive", "failed"],
        ["nowhere.txt", "adjunct_island", "failed"],
    ]
    told = done.err.splitlines()
    assert told[0].startswith("out/length/transitive: ")
    assert [line for line in told if "nowhere" in line] == [
        "models.tsv:3: nowhere.txt: no such file; give a text file with one sentence a line, or a model of KenLM",
        "1 of 3 models failed: nowhere.txt; mend what is said above, and the same call goes on",
    ]
    assert done.code == 1
    for model in ("length", "unigram"):
        for uid in ("transitive", "adjunct_island"):
            assert call("verify", uid, "--model", model, "-o", f"{model}-{uid}").code == 0
            assert contents(sets / "out" / model / uid) == contents(sets / f"{model}-{uid}")
    again = call(*arguments)
    assert again.out == done.out
    assert again.err.count("of them from before") == 4
    (sets / "nowhere.txt").write_text("The cat runs.\n")
    assert call(*arguments).code == 0
    assert len(list((sets / "out").glob("*/*/summary.json"))) == 6


def test_lists_of_pairs_are_left_out_of_every_result(sets: Path, call: Call) -> None:
    (sets / "drop.tsv").write_text("UID\tpairID\ntransitive\t0\n")
    done = call(
        "verify", "transitive", "--model", "length", "--model", "unigram", "--drop-list", "drop.tsv", "-o", "out"
    )
    assert done.code == 0
    assert [line.split(":")[0] for line in done.out.splitlines() if "without drop.tsv" in line and "full" in line] == [
        "length transitive",
        "unigram transitive",
    ]
    assert sorted(path.parent.name for path in (sets / "out").glob("*/without.json")) == ["length", "unigram"]


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        ((), "no model; name one with --model, or a table of models with --models", 2),
        (("--model", "length", "--on", "cloud"), "no --on 'cloud'; it is local, ray, or ray://ADDRESS of a running", 2),
        (("--model", "length", "--on", "ray://"), "no --on 'ray://'; it is local, ray, or ray://ADDRESS", 2),
        (("--model", "length", "--on", "ray://here:1"), "this needs ray, which is not installed; type: pip install", 2),
        (("--models", "models.tsv"), "models.tsv: no such file", 1),
        (("--models", "empty.tsv"), "empty.tsv: no model in it; its rows name models", 1),
        (("--models", "column.tsv"), "column.tsv:1: unknown column 'modle'; did you mean 'model'?", 1),
        (("--models", "folder.tsv"), "folder.tsv:2: no such folder: ./absent; name one that has config.json", 1),
        (("--model", "length", "--model", "length", "-o", "out"), "the models length would write into the same", 2),
    ],
)
def test_a_mistake_is_one_line(
    sets: Path, call: Call, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str, code: int
) -> None:
    if "./absent" in said:
        pytest.importorskip("transformers", reason="pip install 'blimpgen[score]'")
    monkeypatch.setitem(sys.modules, "ray", None)
    for name, text in {"empty": "model\n", "column": "modle\nx\n", "folder": "model\n./absent\n"}.items():
        (sets / f"{name}.tsv").write_text(text)
    done = call("verify", "transitive", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1), done.err
    assert said in done.err
    assert not (sets / "out").exists()
