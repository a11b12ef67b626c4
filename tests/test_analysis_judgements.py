"""Judgements of people: exclusions, agreement, the keep rule; the raw answers of Warstadt et al. give their figures."""

from __future__ import annotations

import csv
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from blimpgen.analysis.judgements import Answer, Judgements, PairJudgement, judge
from blimpgen.analysis.reference import published
from blimpgen.base.errors import DataError, UsageError

REJECTED = ("coordinate_structure_constraint_subject_extraction", "wh_questions_object_gap_long_distance")


def _native(row: dict[str, str]) -> bool | None:
    """Yes if any of the three questions was answered with yes, no if only with no."""
    said = {row[key] for key in ("english", "native", "navtive")} - {"NA"}
    return ("1" in said) if said else None


def _answer(row: dict[str, str]) -> Answer:
    chosen = row["answer"][:1]
    return Answer(
        row["uid"],
        row["sentence_good"],
        row["annotator"],
        row["assignment"],
        agrees=chosen == row["good_position"] if chosen else None,
        attention=row["uid"] == "attention_check",
        approved=row["status"] == "Approved",
        native=_native(row),
        first=chosen == "1" if chosen else None,
    )


@pytest.fixture(scope="module")
def raw(shared_data: Path) -> list[Answer]:
    with (shared_data / "human_forced_choice.csv").open(encoding="utf-8", newline="") as stream:
        return [_answer(row) for row in csv.DictReader(stream)]


@pytest.fixture(scope="module")
def people(raw: list[Answer]) -> Judgements:
    return judge(raw, leave_out=["subject_island"])


def answers(uid: str, pair: str, agreeing: int, of: int, *, first: int = 0) -> list[Answer]:
    """Answers to one pair, each by a worker of their own."""
    return [Answer(uid, pair, f"w{k}", f"w{k}", agrees=k < first + agreeing) for k in range(first, first + of)]


def five(accepted: int, uid: str = "x") -> list[Answer]:
    """Answers to five pairs, of which so many are accepted (4 of 5 agree), and the others not (1 of 5)."""
    return [a for k in range(5) for a in answers(uid, str(k), 4 if k < accepted else 1, 5)]


def test_published_agreement_from_the_raw_answers(people: Judgements) -> None:
    assert people.majority == pytest.approx(0.964179, abs=5e-7)
    assert people.majority == 323 / 335
    assert people.individual == pytest.approx(0.885545954, abs=5e-10)
    assert set(people.dropped) == set(REJECTED)
    assert people.majority_interval.low < people.majority < people.majority_interval.high
    assert people.individual_interval.low < people.individual < people.individual_interval.high


def test_all_69_conditions_equal_the_published_summary(people: Judgements, shared_data: Path) -> None:
    with (shared_data / "human_validation_summary.csv").open(encoding="utf-8", newline="") as stream:
        summary = {row["Condition"]: row for row in csv.DictReader(stream)}
    assert len(summary) == 69
    assert set(people.paradigms) == set(summary)
    for uid, paradigm in people.paradigms.items():
        row = summary[uid]
        assert (paradigm.judgements, paradigm.accepted) == (int(row["count"]), int(row["accepted"])), uid
        assert paradigm.individual == pytest.approx(float(row["total_mean"]), abs=1e-14), uid


def test_counts_of_the_validation(raw: list[Answer], people: Judgements) -> None:
    kept = [p for p in people.paradigms.values() if p.retained]
    assert sum(p.judgements for p in people.paradigms.values()) == 6871
    assert sum(p.judgements for p in kept) == 6672
    assert Counter(p.accepted for p in kept) == {5: 55, 4: 12}
    pooled = sum(p.agreeing for p in people.pairs if p.uid in people.retained) / 6672
    assert pooled == pytest.approx(5909 / 6672, abs=1e-12)
    assert people.excluded == {
        "not approved": 50,
        "not a native speaker": 5,
        "attention check": 1733,
        "left out": 60,
        "no answer": 1,
    }
    assert (len({a.assignment for a in raw}), len({a.worker for a in raw}), len(raw)) == (1744, 345, 5 * 1744)
    surviving = [a for a in raw if a.approved and a.native is not False]
    assert len({a.assignment for a in surviving}) == 1733
    assert len({a.worker for a in surviving}) == 341
    each = Counter(worker for worker, _ in {(a.worker, a.assignment) for a in surviving})
    assert (np.median(list(each.values())), max(each.values())) == (1, 77)


def test_the_twelve_pairs_that_lose(people: Judgements) -> None:
    lost = {pair.uid: pair for pair in people.pairs if pair.uid in people.retained and not pair.accepted}
    assert set(lost) == {
        "animate_subject_passive",
        "inchoative",
        "passive_2",
        "principle_A_domain_2",
        "principle_A_domain_3",
        "principle_A_reconstruction",
        "tough_vs_raising_1",
        "tough_vs_raising_2",
        "wh_vs_that_with_gap",
        "wh_vs_that_with_gap_long_distance",
        "sentential_subject_island",
        "existential_there_quantifiers_2",
    }
    assert {uid for uid, pair in lost.items() if pair.share == 0.5} == {
        "passive_2",
        "tough_vs_raising_1",
        "tough_vs_raising_2",
        "wh_vs_that_with_gap",
        "sentential_subject_island",
    }
    kept = [pair for pair in people.pairs if pair.uid in people.retained]
    assert sum(pair.share >= 0.5 for pair in kept) == 328


def test_other_bases_of_the_same_answers(raw: list[Answer], people: Judgements) -> None:
    every = list(people.paradigms.values())
    assert (sum(p.accepted for p in every), sum(p.pairs for p in every)) == (326, 345)
    assert np.mean([p.individual for p in every]) == pytest.approx(0.874142, abs=5e-7)
    everything = [replace(a, approved=True, native=None, agrees=bool(a.agrees)) for a in raw if not a.attention]
    unfiltered = judge(everything, leave_out=["subject_island"])
    assert unfiltered.excluded == {"left out": 61}
    assert unfiltered.majority == 323 / 335
    assert unfiltered.individual == pytest.approx(0.8840, abs=5e-5)


def test_how_people_answered(raw: list[Answer], people: Judgements) -> None:
    judged = [
        a
        for a in raw
        if a.approved and a.native is not False and not a.attention and a.first is not None and a.uid in people.retained
    ]
    assert np.mean([a.first for a in judged]) == pytest.approx(0.483, abs=5e-4)
    assert np.mean([a.first == a.agrees for a in judged]) == pytest.approx(0.505, abs=5e-4)
    kept = [pair.observed_agreement for pair in people.pairs if pair.uid in people.retained]
    assert np.mean(kept) == pytest.approx(0.824, abs=5e-4)


def test_attention_checks_exclude_what_the_release_rejected(raw: list[Answer], people: Judgements) -> None:
    """All but one of its ten rejected assignments failed the check; that one is incomplete and has four answers."""
    by_check = judge([replace(a, approved=True) for a in raw], leave_out=["subject_island"])
    assert by_check.excluded["attention check failed"] == 45
    total = sum(p.judgements for p in by_check.paradigms.values())
    assert 6871 < total <= 6871 + 4
    assert by_check.majority == people.majority


def test_the_shipped_table_has_the_same_figures(people: Judgements) -> None:
    for uid, row in published().items():
        paradigm = people.paradigms[uid]
        assert row.accuracy["human"] == pytest.approx(paradigm.individual, abs=1e-14)
        assert (row.accepted, row.judgements) == (paradigm.accepted, paradigm.judgements)


@pytest.mark.parametrize("accepted, kept", [(5, True), (4, True), (3, False), (0, False)])
def test_keep_rule_is_four_of_five(accepted: int, kept: bool) -> None:
    (paradigm,) = judge(five(accepted)).paradigms.values()
    assert (paradigm.accepted, paradigm.retained, paradigm.majority) == (accepted, kept, accepted / 5)


def test_keep_rule_scales_with_the_number_of_pairs() -> None:
    ten = [a for k in range(10) for a in answers("x", str(k), 5 if k < 7 else 0, 5)]
    assert judge(ten).dropped == ("x",)
    assert judge(ten, keep=(7, 10)).retained == ("x",)


def test_a_tie_is_no_majority() -> None:
    assert not PairJudgement("x", "0", judgements=10, agreeing=5).accepted
    assert PairJudgement("x", "0", judgements=11, agreeing=6).accepted


def test_individual_agreement_weighs_pairs_not_answers() -> None:
    uneven = answers("x", "0", 10, 10) + answers("x", "1", 0, 2)
    (paradigm,) = judge(uneven).paradigms.values()
    assert paradigm.individual == 0.5


def test_nothing_kept_is_not_a_number() -> None:
    found = judge(five(1))
    assert found.retained == ()
    assert math.isnan(found.individual)
    assert math.isnan(found.majority)


def _checked(worker: str, assignment: str, *checks: bool | None) -> list[Answer]:
    judged = [replace(a, worker=worker, assignment=assignment) for a in answers("x", "0", 1, 1)]
    return judged + [
        Answer("check", str(k), worker, assignment, agrees=passed, attention=True) for k, passed in enumerate(checks)
    ]


def _judgements(found: Judgements) -> int:
    return sum(pair.judgements for pair in found.pairs)


def test_a_failed_check_excludes_the_assignment_or_the_worker() -> None:
    given = _checked("ann", "1", True) + _checked("ann", "2", False) + _checked("bob", "3", True)
    assert _judgements(judge(given)) == 2
    assert _judgements(judge(given, exclude="worker")) == 1
    assert judge(given).excluded == {"attention check failed": 2, "attention check": 2}


def test_checks_that_may_fail_and_checks_left_open() -> None:
    given = _checked("ann", "1", True, False) + _checked("bob", "2", False, False) + _checked("cy", "3", True)
    assert _judgements(judge(given)) == 1
    assert _judgements(judge(given, may_fail=1)) == 2
    assert _judgements(judge(_checked("ann", "1", None) + _checked("bob", "2", True))) == 1


def test_no_judgement_left_says_why() -> None:
    with pytest.raises(DataError, match=r"no judgement is left to count \(not approved: 5\)"):
        judge([replace(a, approved=False) for a in answers("x", "0", 1, 5)])


@pytest.mark.parametrize("keep", [(6, 5), (-1, 5), (0, 0)])
def test_a_keep_rule_is_a_share(keep: tuple[int, int]) -> None:
    with pytest.raises(UsageError, match=r"expected \(k, n\)"):
        judge(five(5), keep=keep)


def test_order_of_answers_does_not_matter() -> None:
    given = five(4, "b") + five(5, "a")
    again = sorted(given, key=lambda a: (a.uid, a.pair_id))
    assert judge(given) == judge(again)
