"""A study in its file: who sees what, which answers count, and what is left of it whatever happens."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from blimpgen.analysis.judgements import judge
from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.exports import Source, read_source
from blimpgen.exports.answers import fillers, read_answers
from blimpgen.exports.judgement_lists import ATTENTION, CALIBRATOR, Trial
from blimpgen.exports.study import Design, Studies, Study
from tests.conftest import Call

DESIGN = Design(title="T", consent="C", pairs=4, list_size=10, participants=8, seed=3)


def written(folder: Path, prefix: str) -> Source:
    """Five paradigms of six pairs; what a spreadsheet takes for a formula is among the sentences."""
    folder.mkdir()
    for k in range(5):
        rows = [
            {"sentence_good": f"={k} {n} good.", "sentence_bad": f"{k}, {n} bad.", "UID": f"{prefix}{k}", "pairID": n}
            for n in map(str, range(6))
        ]
        text = "\n".join(json.dumps({**row, "sentence_good": prefix + row["sentence_good"]}) for row in rows)
        (folder / f"{prefix}{k}.jsonl").write_text(text)
    return read_source(folder)


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return written(tmp_path_factory.mktemp("sets") / "u", "")


@pytest.fixture(scope="module")
def certain(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return written(tmp_path_factory.mktemp("sets") / "c", "c")


@pytest.fixture
def studies(tmp_path: Path) -> Studies:
    return Studies(tmp_path / "studies")


@pytest.fixture
def study(studies: Studies, source: Source) -> Study:
    studies.make("first", DESIGN, source)
    return studies.study("first")


def taken(study: Study, number: int) -> Iterator[Trial]:
    """The trials of a participant, each answered with the good sentence once it has been looked at."""
    while (trial := study.next_trial(number)) is not None:
        yield trial
        study.answer(trial, trial.good_position, 1.5)


def shown(study: Study) -> list[list[Trial]]:
    """What each participant sees, in order."""
    with closing(sqlite3.connect(study.path)) as base:
        trials = [Trial(*row) for row in base.execute("SELECT * FROM trial ORDER BY list, item")]
    return [list(of_one) for _, of_one in groupby(trials, lambda trial: trial.list)]


def test_every_pair_is_seen_as_often_as_every_other_on_either_side(study: Study) -> None:
    lists = [[t for t in trials if t.uid != ATTENTION] for trials in shown(study)]
    assert {len(trials) for trials in lists} == {10}
    sides = Counter((t.uid, t.pair_id, t.good_position) for trials in lists for t in trials)
    assert len(sides) == 5 * 4 * 2
    assert set(sides.values()) == {2}
    orders = [[(t.uid, t.pair_id) for t in trials] for trials in lists]
    assert len(set(map(tuple, orders))) == len(orders)


def test_the_seed_repeats_what_is_shown(studies: Studies, study: Study, source: Source) -> None:
    studies.make("same", DESIGN, source)
    studies.make("other", DESIGN.model_copy(update={"seed": 4}), source)
    assert shown(studies.study("same")) == (first := shown(study))
    assert shown(studies.study("other")) != first
    tokens = [{p.token for p in studies.study(name).participants()} for name in ("first", "same")]
    assert len(tokens[0]) == 8
    assert not tokens[0] & tokens[1]


def test_calibrators_stand_in_every_list_and_are_not_judged(
    studies: Studies, source: Source, certain: Source, tmp_path: Path, call: Call
) -> None:
    studies.make("with", DESIGN.model_copy(update={"calibrators": 5}), source, certain)
    study = studies.study("with")
    everyone = [{t.pair_id for t in trials if t.uid == CALIBRATOR} for trials in shown(study)]
    assert everyone[0] == everyone[-1]
    assert sorted(pair_id.split()[0] for pair_id in everyone[0]) == [f"c{k}" for k in range(5)]
    assert len([*taken(study, 1), *taken(study, 2)]) == 34
    (tmp_path / "answers.csv").write_text(study.table())
    outcome = call("judgements", tmp_path / "answers.csv", "--keep", "2/2")
    assert outcome.code == 0
    assert "excluded, left out: 10 answers (calibrator)" in outcome.err
    assert "5 kept" in outcome.out


def test_a_trial_is_answered_once(study: Study) -> None:
    trial = study.next_trial(1)
    assert trial is not None
    assert not study.answer(trial, 1, 0.1)
    assert study.answer(trial, 2, 0.5)
    assert not study.answer(trial, 1, 0.5)
    assert [answer.first for answer in study.answers()] == [False]
    after = study.next_trial(1)
    assert after is not None
    assert after.item == 2


def test_an_answer_is_in_the_file_when_it_is_given(study: Study) -> None:
    trial = study.next_trial(3)
    assert trial is not None
    study.consent(3, native=False)
    study.practise(3)
    study.answer(trial, 1, 0.5)
    other = Study(study.path)
    assert other.answers() == study.answers()
    participant = other.participant(3)
    assert (participant.answers, participant.native, bool(participant.consented)) == (1, False, True)
    assert participant.practised == 1


def test_the_table_is_read_as_it_was_answered(study: Study, tmp_path: Path, call: Call) -> None:
    for number in (1, 2, 5):
        study.consent(number, native=number != 5)
        for trial in taken(study, number):
            if trial.item == 1:
                study.answer(trial, 3 - trial.good_position, 9)
    path = tmp_path / "answers.csv"
    path.write_text(study.table())
    answers = read_answers(path)
    assert answers == study.answers()
    assert judge(answers, leave_out=fillers(answers, 1)).excluded["not a native speaker"] == 11
    outcome = call("judgements", path, "--keep", "1/1")
    assert outcome.code == 0
    assert "excluded, not a native speaker: 11 answers" in outcome.err


def test_progress_counts_what_was_failed(studies: Studies, source: Source, certain: Source) -> None:
    studies.make("with", DESIGN.model_copy(update={"calibrators": 5}), source, certain)
    study = studies.study("with")
    while (trial := study.next_trial(2)) is not None:
        study.answer(trial, 1, 0.5)
    participant = study.participant(2)
    assert participant.answers == participant.trials == 17
    wrong = Counter(answer.uid for answer in study.answers() if not answer.agrees)
    assert (participant.failed, participant.calibrators) == (wrong[ATTENTION], 5)
    assert participant.right == 5 - wrong[CALIBRATOR]


def test_a_closed_study_takes_no_answers(study: Study) -> None:
    trial = study.next_trial(1)
    assert trial is not None
    study.close()
    for attempt in (lambda: study.answer(trial, 1, 1.0), lambda: study.consent(1, native=True)):
        with pytest.raises(UsageError, match="closed"):
            attempt()
    assert study.answers() == []
    study.close(closed=False)
    assert study.answer(trial, 1, 1.0)


def test_the_token_of_one_study_is_that_of_no_other(studies: Studies, study: Study, source: Source) -> None:
    studies.make("second", DESIGN, source)
    token = study.participants()[0].token
    assert studies.admits("first", token)
    assert study.number(token) == 1
    for name, other in (("second", token), ("first", ""), ("first", "x"), ("nosuch", token), ("../first", token)):
        assert not studies.admits(name, other)
    assert stat.S_IMODE(study.path.stat().st_mode) & 0o077 == 0


@pytest.mark.parametrize("name", ["", "..", "a/b", "../evil", "/etc/x", "a b", ".x", "a\0b", "x" * 41, "<b>"])
def test_names_that_lead_elsewhere(studies: Studies, source: Source, name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no name for a study"):
        studies.make(name, DESIGN, source)
    with pytest.raises(UsageError, match="no study"):
        studies.study(name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"participants": 3},
            "20 pairs, each seen with its sides in either order, need 4 participants or more, and there are 3",
        ),
        ({"pairs": 7}, "has 6 pairs, and 7 of each paradigm"),
        ({"calibrators": 5}, "5 calibrators, and no set to take them from"),
    ],
)
def test_designs_that_do_not_fit(studies: Studies, source: Source, changes: dict[str, int], said: str) -> None:
    with pytest.raises(BlimpgenError, match=said):
        studies.make("x", DESIGN.model_copy(update=changes), source)
    assert not studies.folder.exists()


def test_calibrators_are_not_among_the_judged(studies: Studies, source: Source, certain: Source) -> None:
    with pytest.raises(DataError, match="0 pairs that are not in the set to be judged"):
        studies.make("x", DESIGN.model_copy(update={"calibrators": 1}), source, source)
    with pytest.raises(DataError, match="30 pairs that are not"):
        studies.make("x", DESIGN.model_copy(update={"calibrators": 31}), source, certain)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"title": " "}, "title: string should have at least 1 character"),
        ({"list_size": 0}, "list size: input should be greater than or equal to 1"),
        ({"participants": None}, "participants: input should be a valid integer"),
        ({"participants": 10_000}, "participants: input should be less than or equal to 1000"),
        ({"consent": "x" * 30_000}, "consent: string should have at most 20000 characters"),
    ],
)
def test_what_is_typed_wrong(values: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Design.checked(**{"title": "T", "consent": "C", **values})


def test_a_name_that_is_taken(studies: Studies, study: Study, source: Source) -> None:
    before = study.path.read_bytes()
    with pytest.raises(UsageError, match="is there; take another name"):
        studies.make("first", DESIGN, source)
    assert study.path.read_bytes() == before


def _foreign(path: Path) -> None:
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE study (settings TEXT)")


@pytest.mark.parametrize(
    ("write", "said"),
    [
        (lambda path: path.write_bytes(b"no base" * 999), "no study that can be read: file is not a database"),
        (_foreign, "no study of blimpgen"),
        (lambda path: path.symlink_to("/etc/hostname"), "no regular file"),
        (lambda path: path.mkdir(), "no regular file"),
    ],
)
def test_files_that_are_no_study(studies: Studies, write: Callable[[Path], None], said: str) -> None:
    studies.folder.mkdir()
    write(studies.folder / "odd.sqlite")
    with pytest.raises(BlimpgenError, match=said):
        studies.study("odd")
    assert not studies.admits("odd", "x")


def test_a_file_that_was_put_in_the_place_of_another(studies: Studies, study: Study, source: Source) -> None:
    token = study.participants()[0].token
    study.path.rename(study.path.with_name("old.sqlite"))
    studies.make("first", DESIGN, source)
    assert not studies.admits("first", token)
    assert studies.admits("old", token)
