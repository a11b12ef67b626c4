"""Forced-choice lists are balanced, and what is answered comes back: nothing is lost between export and import."""

from __future__ import annotations

import csv
import html
import io
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from blimpgen.analysis.judgements import judge
from blimpgen.base.errors import DataError, UsageError
from blimpgen.cli import main
from blimpgen.exports import Options, Source, find_format, read_source, write_export
from blimpgen.exports.answers import fillers, read_answers, read_key
from blimpgen.exports.judgement_lists import ATTENTION, Trial, make_lists
from hard_export_set import NAMES, csv_rows, write_hard_set

LISTS = ("pcibex", "jspsych", "mturk")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return read_source(write_hard_set(tmp_path_factory.mktemp("hard")))


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Source:
    """Ten paradigms of eight pairs."""
    folder = tmp_path_factory.mktemp("many")
    for k in range(10):
        rows = [
            {"sentence_good": f"{k} {n} good.", "sentence_bad": f"{k} {n} bad.", "UID": f"u{k}", "pairID": str(n)}
            for n in range(8)
        ]
        (folder / f"u{k}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return read_source(folder)


def judged(lists: list[tuple[Trial, ...]]) -> list[list[Trial]]:
    """The lists without attention checks."""
    return [[trial for trial in trials if trial.uid != ATTENTION] for trials in lists]


@pytest.mark.parametrize("size", [1, 3, 7, 10, 15, 50, 99])
def test_lists_are_balanced(many: Source, size: int) -> None:
    lists = make_lists(many, Options(list_size=size), usual=0)
    assert len(lists) == 2 * math.ceil(50 / min(size, 50))
    assert len({len(trials) for trials in lists}) == 1
    found = judged(lists)
    assert max(len(trials) for trials in found) - min(len(trials) for trials in found) <= 1
    shown = Counter((t.uid, t.pair_id) for trials in found for t in trials)
    assert set(shown.values()) == {2}
    assert Counter(uid for uid, _ in shown) == {f"u{k}": 5 for k in range(10)}
    sides = Counter((t.uid, t.pair_id, t.good_position) for trials in found for t in trials)
    assert set(sides.values()) == {1}
    for number, trials in enumerate(found):
        first = sum(t.good_position == 1 for t in trials)
        assert abs(2 * first - len(trials)) <= 1
        if size <= 10:
            assert len({t.uid for t in trials}) == len(trials)
        assert {(t.uid, t.pair_id) for t in trials} == {(t.uid, t.pair_id) for t in found[number ^ 1]}


@pytest.mark.parametrize("size", [1, 7, 25])
def test_every_list_has_attention_checks_but_not_first(many: Source, size: int) -> None:
    lists = make_lists(many, Options(list_size=size), usual=0)
    for trials in lists:
        assert [t.item for t in trials] == list(range(1, len(trials) + 1))
        checks = [t for t in trials if t.uid == ATTENTION]
        assert len(checks) >= math.ceil((len(trials) - len(checks)) / 10)
        assert trials[0].uid != ATTENTION
        assert all(t.good != t.bad for t in checks)
    assert {t.good_position for trials in lists for t in trials if t.uid == ATTENTION} == {1, 2}


def test_the_seed_decides_everything(many: Source) -> None:
    first, again, other = (make_lists(many, Options(seed=seed), usual=20) for seed in (0, 0, 1))
    assert first == again
    assert {(t.uid, t.pair_id) for trials in first for t in trials} != {
        (t.uid, t.pair_id) for trials in other for t in trials
    }
    fewer = Source(many.path, {uid: many.records[uid] for uid in list(many.records)[:4]})
    pairs = {(t.uid, t.pair_id) for trials in make_lists(fewer, Options(), usual=20) for t in trials}
    assert pairs <= {(t.uid, t.pair_id) for trials in first for t in trials}


def test_more_pairs_than_there_are(source: Source) -> None:
    with pytest.raises(DataError, match=r"agreement_with_commas has 7 pairs, and 8 of each .* --pairs 7 is possible"):
        make_lists(source, Options(pairs=8), usual=4)


Answered = dict[tuple[int, int], int]


def jspsych_file(folder: Path, chosen: Answered, path: Path) -> None:
    """What the page would save, all participants in one file; its lists are read from the page."""
    page = (folder / "experiment.html").read_text(encoding="utf-8")
    (text,) = re.findall(r"^const lists = (.*);$", page, re.MULTILINE)
    rows = [
        {
            "participant": f"p, {t['list']}",
            "native": "1",
            **{k: t[k] for k in t if not k.startswith("option")},
            "response": chosen[t["list"], t["item"]] - 1,
            "rt": 1,
        }
        for trials in json.loads(text).values()
        for t in trials
    ]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [*rows[0]])
        writer.writeheader()
        writer.writerows(rows)


def mturk_file(folder: Path, chosen: Answered, path: Path) -> None:
    """The results of a batch: its columns come back as Input.*, the fields of the layout as Answer.*"""
    layout = (folder / "layout.html").read_text(encoding="utf-8")
    fields = re.findall(r'type="hidden" name="(Choice\d+)"', layout)
    assert set(re.findall(r"\$\{(\w+)\}", layout)) <= set(csv_rows(folder / "batch.csv")[0])
    rows = []
    for k, row in enumerate(csv_rows(folder / "batch.csv")):
        answers = {f"Answer.{name}": str(chosen[int(row["list"]), int(name[6:])]) for name in fields}
        rows.append(
            {
                "AssignmentId": f"A{k}",
                "WorkerId": "W'1",
                "AssignmentStatus": "Approved",
                **{f"Input.{name}": value for name, value in row.items()},
                "Answer.native": "1",
                **answers,
            }
        )
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, [*rows[0]], quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)


def pcibex_file(folder: Path, chosen: Answered, path: Path) -> None:
    """The results of a PennController experiment: commas in values are encoded, comments name the columns."""
    script = (folder / "data_includes" / "main.js").read_text(encoding="utf-8")
    logged = re.findall(r'\.log\("(\w+)", row\.(\w+)\)', script)
    standard = [
        "Results reception time",
        "MD5 hash of participant's IP address",
        "Controller name",
        "Order number of item",
        "Inner element number",
        "Label",
        "Latin Square Group",
        "PennElementType",
        "PennElementName",
        "Parameter",
        "Value",
        "EventTime",
    ]

    def lines(group: str, name: str, kind: str, element: str, parameter: str, value: str, more: dict[str, str]) -> str:
        values = [
            f"17{group}",
            f"md5{group}",
            "PennController",
            "1",
            "0",
            name,
            "NULL",
            kind,
            element,
            parameter,
            value,
            "1",
            *more.values(),
            "NULL",
        ]
        header = [*standard, *more, "Comments"]
        comments = "".join(f"# {k}. {column}.\n" for k, column in enumerate(header, start=1))
        return (
            f"# Columns below this comment are as follows:\n{comments}"
            + ",".join(quote(v, safe=" '\"<>{}/&") for v in values)
            + "\n"
        )

    text = io.StringIO()
    for row in csv_rows(folder / "chunk_includes" / "stimuli.csv"):
        more = {name: row[column] for name, column in logged}
        index = str(chosen[int(row["group"]), int(row["item"])] - 1)
        text.write(lines(row["group"], "trial", "Selector", "choice", "Selection", index, more))
        text.write(lines(row["group"], "trial", "PennController", "1", "_Trial_", "Start", more))
    for group in sorted({row["group"] for row in csv_rows(folder / "chunk_includes" / "stimuli.csv")}):
        text.write(lines(group, "instruction", "Scale", "native-choice", "Choice", "yes", {}))
    path.write_text(f"# Results on Monday.\n# {'9' * 5000}. of many.\n{text.getvalue()}", encoding="utf-8")


FILES: dict[str, Callable[[Path, Answered, Path], None]] = {
    "pcibex": pcibex_file,
    "jspsych": jspsych_file,
    "mturk": mturk_file,
}


def exported(source: Source, format: str, folder: Path, **options: Any) -> Path:
    write_export(source, find_format(format), folder, Options(**options))
    return folder


@pytest.mark.parametrize("with_key", [True, False])
@pytest.mark.parametrize("format", LISTS)
def test_round_trip_loses_nothing(source: Source, tmp_path: Path, format: str, with_key: bool) -> None:
    folder = exported(source, format, tmp_path / "out", list_size=5)
    key = read_key(folder / "key.csv")
    # Everyone chooses the good sentence, save in every third pair, in whose second showing the other one is chosen.
    chosen = {(int(n), int(item)): int(row["good_position"]) for (n, item), row in key.items()}
    wrong = defaultdict(list)
    for trial, row in key.items():
        if row["UID"] != ATTENTION:
            wrong[row["UID"], row["pair_id"]].append(trial)
    for number, trials in enumerate(wrong.values()):
        if number % 3 == 0:
            chosen[int(trials[1][0]), int(trials[1][1])] = 3 - chosen[int(trials[1][0]), int(trials[1][1])]
    FILES[format](folder, chosen, tmp_path / "answers")
    answers = read_answers(tmp_path / "answers", key if with_key else None)
    assert len(answers) == len(key)
    assert len({a.assignment for a in answers}) == len({n for n, _ in key})
    assert all(a.native and a.approved for a in answers)
    assert sum(a.attention for a in answers) == sum(row["UID"] == ATTENTION for row in key.values())
    result = judge(answers, resamples=10)
    assert {(p.uid, p.pair_id): (p.agreeing, p.judgements) for p in result.pairs} == {
        pair: (1 if number % 3 == 0 else 2, 2) for number, pair in enumerate(wrong)
    }
    assert sum(bool(a.first) for a in answers) == sum(position == 1 for position in chosen.values())


@pytest.mark.parametrize("format", LISTS)
def test_failed_checks_exclude(source: Source, tmp_path: Path, format: str) -> None:
    folder = exported(source, format, tmp_path / "out", list_size=5)
    key = read_key(folder / "key.csv")
    first = {trial for trial in key if trial[0] == "1"}
    chosen = {
        (int(n), int(item)): 3 - int(row["good_position"]) if (n, item) in first else int(row["good_position"])
        for (n, item), row in key.items()
    }
    FILES[format](folder, chosen, tmp_path / "answers")
    result = judge(read_answers(tmp_path / "answers"), resamples=10)
    assert result.excluded["attention check failed"] == len(first)
    assert (result.individual, result.majority) == (1.0, 1.0)


@pytest.mark.parametrize("format", LISTS)
def test_sentences_survive(tmp_path: Path, format: str) -> None:
    plain = read_source(write_hard_set(tmp_path / "hard", design=False))
    folder = exported(plain, format, tmp_path / "out", pairs=len(NAMES))
    expected = {(row["sentence_good"], row["sentence_bad"]) for rows in plain.rows.values() for row in rows}
    if format == "pcibex":
        shown = {
            tuple(r[f"option_{s}"] for s in (("left", "right") if r["good_side"] == "left" else ("right", "left")))
            for r in csv_rows(folder / "chunk_includes" / "stimuli.csv")
            if r["UID"] != ATTENTION
        }
    elif format == "jspsych":
        page = (folder / "experiment.html").read_text(encoding="utf-8")
        lists = json.loads(re.findall(r"^const lists = (.*);$", page, re.MULTILINE)[0])
        shown = {
            (t[f"option_{t['good_index']}"], t[f"option_{1 - t['good_index']}"])
            for trials in lists.values()
            for t in trials
            if t["UID"] != ATTENTION
        }
        assert page.count("</script>") == 3
    else:
        rows = csv_rows(folder / "batch.csv")
        assert not any("<" in row[f"field_{k}_1"] for row in rows for k in range(1, 5))
        shown = set()
        for row in rows:
            for k in range(1, 6):
                uid, position = row[f"item_{k}_condition"].split("ans")
                texts = [html.unescape(row[f"field_{k}_{side}"]) for side in (1, 2)]
                if uid != "attnchk":
                    shown.add((texts[int(position) - 1], texts[2 - int(position)]))
    assert shown == expected
    keyed = {
        (row["sentence_good"], row["sentence_bad"]) for row in csv_rows(folder / "key.csv") if row["UID"] != ATTENTION
    }
    assert keyed == expected


def test_jspsych_data_as_json(tmp_path: Path) -> None:
    rows = [
        {"trial_type": "html-button-response", "response": 0},
        {
            "UID": "u",
            "pair_id": "1",
            "good_index": 1,
            "response": 1,
            "list": 3,
            "item": 2,
            "participant": "p",
            "native": "0",
        },
        {"UID": "u", "pair_id": "2", "good_index": 1, "response": None, "list": 3, "item": 3, "participant": "p"},
    ]
    (tmp_path / "data.json").write_text(json.dumps(rows))
    first, second = read_answers(tmp_path / "data.json")
    assert (first.agrees, first.first, first.native, first.assignment) == (True, False, False, "p/3")
    assert (second.agrees, second.native) == (None, None)


def long_file(path: Path, *rows: str, header: str = "UID,pair_id,good_position,answer,worker") -> Path:
    path.write_text("\n".join((header, *rows)), encoding="utf-8")
    return path


def test_the_index_counts_not_the_text(tmp_path: Path) -> None:
    path = long_file(tmp_path / "a.csv", "u,0,2,2. Mitchell,w", 'u,1,1,"2. Ann, who",w', "u,2,1,,w")
    assert [answer.agrees for answer in read_answers(path)] == [True, False, None]


@pytest.mark.parametrize(
    "header, row, message",
    [
        (
            "UID,pair_id,good_position,answer",
            "u,0,1,Ann's",
            r"a\.csv:2: answer is \"Ann's\"; expected the index 1 or 2",
        ),
        ("UID,pair_id,good_position,answer", "u,0,3,1", "good_position is '3'"),
        ("UID,pair_id,good_position,answer", "u,0,1,12", "answer is '12'"),
        ("UID,pair_id,good_index,response", "u,0,0,2", "response is '2'; expected the index 0 or 1"),
        ("UID,pair_id,answer", "u,0,1", "nothing says where the good sentence stood .* --key"),
        ("UID,good_position,answer", "u,1,1", "the answer has no pair_id; give the key"),
        ("UID,pair_id,good_position", "u,0,1", "no column with the index of the chosen sentence"),
        ("Input.item_1_condition,Answer.Choice1", "uans3,1", "does not end in ans1 or ans2"),
    ],
)
def test_answers_that_cannot_be_read(tmp_path: Path, header: str, row: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        read_answers(long_file(tmp_path / "a.csv", row, header=header))


def test_keys_that_do_not_fit(tmp_path: Path) -> None:
    key = long_file(tmp_path / "key.csv", "1,1,u,0,1", header="list,item,UID,pair_id,good_position")
    known = read_key(key)
    bare = long_file(tmp_path / "a.csv", "1,1,2", "01,1,1", header="list,item,answer")
    assert [(a.uid, a.pair_id, a.agrees) for a in read_answers(bare, known)] == [("u", "0", False), ("u", "0", True)]
    with pytest.raises(DataError, match="the key has no trial 2 of list 1"):
        read_answers(long_file(tmp_path / "a.csv", "1,2,2", header="list,item,answer"), known)
    with pytest.raises(DataError, match="good_position is '2' here and '1' in the key"):
        read_answers(long_file(tmp_path / "a.csv", "1,1,2,2", header="list,item,answer,good_position"), known)
    with pytest.raises(DataError, match="trial 1 of list 1 twice"):
        read_key(long_file(key, "1,1,u,0,1", "1,1,u,0,2", header="list,item,UID,pair_id,good_position"))
    with pytest.raises(DataError, match="a key needs the column 'good_position'"):
        read_key(long_file(key, "1,1,u,0", header="list,item,UID,pair_id"))
    with pytest.raises(DataError, match="no such file"):
        read_key(tmp_path / "none.csv")


def test_fillers_have_too_few_pairs(tmp_path: Path) -> None:
    rows = [f"u,{k},1,1,w" for k in range(5)] + ["filler,0,1,1,w", "attention_check,0,1,1,w"]
    answers = read_answers(long_file(tmp_path / "a.csv", *rows))
    assert fillers(answers, 5) == ["filler"]
    assert fillers(answers, 1, ["u"]) == ["u"]
    with pytest.raises(UsageError, match="--leave-out v: no answer is about it; there are: u, filler"):
        fillers(answers, 5, ["v"])
    with pytest.raises(DataError, match=r"6 pairs decide .* such as --keep 5/5"):
        fillers(answers, 6)


def run(capfd: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    capfd.readouterr()
    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    return left.value.code if isinstance(left.value.code, int) else 0, *capfd.readouterr()


def test_published_agreement_from_the_command_line(shared_data: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capfd, "judgements", shared_data / "human_forced_choice.csv")
    assert code == 0
    assert re.search(r"^67 kept +0\.885546 \[.* 0\.964179 \[", out, re.MULTILINE)
    assert len(out.splitlines()) == 1 + 69 + 1
    assert "subject_island" in err
    code, out, _ = run(capfd, "judgements", shared_data / "human_forced_choice.csv", "--json")
    found = json.loads(out)
    assert found["majority"] == 323 / 335
    assert round(found["individual"], 6) == 0.885546
    assert len(found["dropped"]) == 2
    assert len(found["pairs"]) == 345


def test_export_and_judgements_from_the_command_line(
    source: Source, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lists"
    arguments = ("export", source.path, "--to", "jspsych", "-o", out)
    code, printed, err = run(capfd, *arguments, "--pairs", "2", "--list-size", "4", "--seed", "3")
    assert (code, printed, err) == (0, "", f"{out}: 3 files\n")
    assert json.loads((out / "export.json").read_text())["options"] == {"pairs": 2, "list_size": 4, "seed": 3}
    chosen = {(int(n), int(item)): int(row["good_position"]) for (n, item), row in read_key(out / "key.csv").items()}
    jspsych_file(out, chosen, tmp_path / "answers.csv")
    code, printed, _ = run(capfd, "judgements", tmp_path / "answers.csv", "--key", out / "key.csv", "--keep", "2/2")
    assert code == 0
    assert printed.splitlines()[-1].startswith("4 kept")
    code, printed, _ = run(capfd, "judgements", tmp_path / "answers.csv", "--keep", "2/2", "--pairs")
    assert len(printed.splitlines()) == 8
    assert all("1.000000" in line for line in printed.splitlines())


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("--to", "csv", "--seed", "1"), "--to csv has no use for --seed"),
        (("--to", "hf", "--list-size", "1"), "--to hf has no use for --list-size"),
        (("--to", "jspsich"), "unknown format 'jspsich'; did you mean 'jspsych'"),
    ],
)
def test_wrong_usage_of_export(
    source: Source, tmp_path: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    code, _, err = run(capfd, "export", source.path, *arguments, "-o", tmp_path / "out")
    assert (code, err.count("\n")) == (2, 1)
    assert message in err
    assert not (tmp_path / "out").exists()


def test_no_name_that_is_printed_is_a_formula(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("UID,pair_id,good_position,worker,answer\n=1+1,@SUM(A1),1,w1,1\n", encoding="utf-8")
    for options in ((), ("--pairs",)):
        code, printed, _ = run(capfd, "judgements", path, "--keep", "1/1", *options)
        assert code == 0
        assert "\n'=1+1 " in f"\n{printed}"
    assert printed.rstrip().endswith("  '@SUM(A1)")


def test_wrong_usage_of_judgements(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = long_file(tmp_path / "a.csv", "u,0,1,1,w")
    assert run(capfd, "judgements", path, "--keep", "most")[0] == 2
    code, _, err = run(capfd, "judgements", path)
    assert (code, err.count("\n")) == (1, 1)
    assert run(capfd, "judgements", tmp_path / "none.csv")[0] == 1
