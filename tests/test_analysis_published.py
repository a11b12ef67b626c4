"""What Warstadt et al. (2020) report, from the published figures: Table 3, correlations, contrasts, training size.

The expected figures stand in the order of `SYSTEMS`: 5-gram, LSTM, Transformer-XL, GPT-2, human. They were recomputed
from the summary files of the release; where the paper prints another figure, the test says so.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from blimpgen.analysis.averages import OVERALL, macro
from blimpgen.analysis.contrasts import CONTRASTS, contrast, possible
from blimpgen.analysis.correlation import correlations
from blimpgen.analysis.reference import SYSTEMS, accuracies, fields, published, terms
from blimpgen.base.errors import DataError, UsageError

MODELS = tuple(SYSTEMS)[:4]

# Table 3 in the corrected version, in per cent: five systems, and the share of pairs that a majority of people accept.
TABLE_3 = {
    "anaphor_agreement": (2, 47.90, 91.70, 94.10, 99.30, 97.50, 100.00),
    "argument_structure": (9, 71.89, 73.17, 72.16, 81.78, 89.99, 93.33),
    "binding": (7, 64.41, 73.47, 74.69, 80.94, 87.27, 91.43),
    "control_raising": (5, 68.48, 67.00, 71.48, 81.92, 83.91, 92.00),
    "determiner_noun_agreement": (8, 70.05, 85.40, 83.01, 95.82, 92.18, 100.00),
    "ellipsis": (2, 36.90, 67.60, 77.15, 89.35, 85.00, 100.00),
    "filler_gap_dependency": (7, 60.20, 73.89, 66.60, 81.27, 86.93, 94.29),
    "irregular_forms": (2, 79.50, 89.05, 78.15, 91.90, 97.00, 100.00),
    "island_effects": (8, 57.24, 46.58, 48.34, 72.72, 84.87, 97.50),
    "npi_licensing": (7, 45.53, 51.66, 55.23, 76.83, 88.11, 100.00),
    "quantifiers": (4, 53.50, 64.48, 69.30, 79.03, 86.61, 95.00),
    "subject_verb_agreement": (6, 60.30, 80.07, 75.95, 86.35, 90.95, 100.00),
}
OVERALL_ACCURACY = (0.612402985, 0.698119403, 0.696253731, 0.830238806, 0.885545954)
MEAN_OF_PHENOMENA = (59.66, 72.00, 72.18, 84.77, 89.19)

PEARSON = {
    ("human", "ngram"): 0.3396,
    ("human", "lstm"): 0.4875,
    ("human", "txl"): 0.4821,
    ("human", "gpt2"): 0.6542,
    ("gpt2", "txl"): 0.7746,
    ("gpt2", "lstm"): 0.7894,
    ("gpt2", "ngram"): 0.4259,
    ("txl", "lstm"): 0.8991,
    ("txl", "ngram"): 0.5830,
    ("lstm", "ngram"): 0.5882,
}
SPEARMAN = dict(zip(PEARSON, (0.314, 0.483, 0.452, 0.616, 0.836, 0.857, 0.468, 0.878, 0.551, 0.589), strict=True))

# In per cent: the mean of each group, then the difference.
CONTRASTED = {
    "locality": {
        "adjacent": (87.60, 87.80, 85.68, 96.88, 91.92),
        "adjective between": (52.50, 83.00, 80.35, 94.78, 92.44),
        "difference": (35.10, 4.80, 5.33, 2.10, -0.52),
    },
    "attractors": {
        "no attractor": (75.5, 89.0, 73.1, 96.7, 95.0),
        "relational noun": (23.5, 76.0, 77.2, 79.5, 81.0),
        "relative clause": (21.7, 62.7, 59.8, 65.7, 85.68),
        "difference": (52.90, 19.65, 4.60, 24.10, 11.66),
    },
    "regular-determiner-noun": {
        "regular": (69.05, 89.15, 84.20, 97.22, 95.42),
        "irregular": (71.05, 81.65, 81.82, 94.42, 88.94),
    },
    "regular-subject-verb": {
        "regular": (78.20, 85.75, 79.20, 93.85, 95.00),
        "irregular": (80.10, 85.10, 80.15, 92.60, 94.50),
    },
    "regular": {"difference": (-1.97, 5.22, 1.26, 2.28, 4.48)},
}

Systems = Mapping[str, Mapping[str, float]]


@pytest.fixture(scope="module")
def release(shared_data: Path) -> Systems:
    """The five systems as the summary files of the release have them."""
    lines = (shared_data / "models_summary.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["UID"]: row for row in map(json.loads, lines) if row["UID"] != "overall"}
    with (shared_data / "human_validation_summary.csv").open(encoding="utf-8", newline="") as stream:
        people = {row["Condition"]: float(row["total_mean"]) for row in csv.DictReader(stream)}
    systems = {system: {uid: row[system] for uid, row in rows.items()} for system in MODELS}
    return {**systems, "human": {uid: people[uid] for uid in rows}}


@pytest.fixture(scope="module", params=["shipped", "release"])
def systems(request: pytest.FixtureRequest) -> Systems:
    """The five systems, from the shipped table and from the summary files."""
    if request.param == "release":
        found: Systems = request.getfixturevalue("release")
        return found
    return {system: accuracies(system) for system in SYSTEMS}


def test_the_shipped_table_is_that_of_the_release(release: Systems, shared_data: Path) -> None:
    assert {system: accuracies(system) for system in SYSTEMS} == release
    lines = (shared_data / "models_summary.jsonl").read_text(encoding="utf-8").splitlines()
    rows = {row["UID"]: row for row in map(json.loads, lines) if row["UID"] != "overall"}
    assert terms() == {uid: row["linguistics_term"] for uid, row in rows.items()}


def test_fields_are_those_of_the_pairs(shared_data: Path) -> None:
    for uid, field in fields().items():
        with (shared_data / "blimp_sample" / f"{uid}.jsonl").open(encoding="utf-8") as lines:
            assert json.loads(next(lines))["field"].replace("/", "_") == field


def test_the_table_has_67_paradigms_and_five_systems() -> None:
    assert len(published()) == 67
    assert list(published()) == sorted(published())
    assert all(set(row.accuracy) == set(SYSTEMS) for row in published().values())
    assert sum(row.accepted for row in published().values()) == 323
    assert sum(row.judgements for row in published().values()) == 6672


def test_overall_accuracy(systems: Systems) -> None:
    found = [macro(systems[system])[OVERALL] for system in SYSTEMS]
    assert found == pytest.approx(OVERALL_ACCURACY, abs=5e-10)


@pytest.mark.parametrize("term", TABLE_3)
def test_table_3(systems: Systems, term: str) -> None:
    paradigms, *expected, majority = TABLE_3[term]
    members = [uid for uid, of in terms().items() if of == term]
    assert len(members) == paradigms
    found = [100 * macro(systems[system], terms())[term] for system in SYSTEMS]
    assert found == pytest.approx(expected, abs=0.005001)
    accepted = sum(published()[uid].accepted for uid in members)
    assert 100 * accepted / (5 * paradigms) == pytest.approx(majority, abs=0.005)


def test_mean_over_phenomena_is_another_number(systems: Systems) -> None:
    means = [100 * np.mean([*macro(systems[system], terms()).values()]) for system in SYSTEMS]
    assert means == pytest.approx(MEAN_OF_PHENOMENA, abs=0.005)


def test_phenomena_that_the_release_states_itself(shared_data: Path) -> None:
    lines = (shared_data / "models_summary.jsonl").read_text(encoding="utf-8").splitlines()
    stated = {row["linguistics_term"]: row for row in map(json.loads, lines) if row["UID"] == "overall"}
    for system in MODELS:
        found = macro(accuracies(system), terms())
        for term, value in found.items():
            assert value == pytest.approx(stated[term][system], abs=1e-9), (system, term)


def test_version_a_averages_over_69_paradigms(systems: Systems) -> None:
    """The early version prints 60.5, 68.9, 68.7 because two rejected paradigms are in its means."""
    printed = {"ngram": (58.1, 53.7, 60.5), "lstm": (72.5, 42.9, 68.9), "txl": (64.9, 45.8, 68.7)}
    implied = {"ngram": (43.4, 25.4), "lstm": (62.8, 13.5), "txl": (53.0, 25.5)}
    for system, (gap, island, overall) in printed.items():
        mean = {term: 100 * value for term, value in macro(systems[system], terms()).items()}
        extra = 8 * gap - 7 * mean["filler_gap_dependency"], 9 * island - 8 * mean["island_effects"]
        assert extra == pytest.approx(implied[system], abs=0.06)
        total = (67 * 100 * macro(systems[system])[OVERALL] + sum(extra)) / 69
        assert total == pytest.approx(overall, abs=0.05)


def test_where_people_disagree(systems: Systems) -> None:
    """Ten paradigms are below 80 per cent; a model that is right more often than people is no surprise there."""
    low = sorted((share, uid) for uid, share in systems["human"].items() if share < 0.8)
    assert len(low) == 10
    assert [(round(100 * share, 1), uid) for share, uid in low[:4]] == [
        (60.6, "sentential_subject_island"),
        (72.0, "only_npi_scope"),
        (73.0, "wh_island"),
        (74.7, "wh_vs_that_with_gap_long_distance"),
    ]


def test_rows_that_the_printed_table_has_wrong(systems: Systems) -> None:
    true = {
        "determiner_noun_agreement_irregular_1": (0.854, 0.815, 0.883, 0.957),
        "determiner_noun_agreement_irregular_2": (0.904, 0.860, 0.816, 0.953),
    }
    for uid, expected in true.items():
        assert tuple(systems[system][uid] for system in MODELS) == expected
    people = [systems["human"][f"irregular_plural_subject_verb_agreement_{k}"] for k in (1, 2)]
    assert people == [0.94, 0.95]


@pytest.mark.parametrize(
    "ranks, expected, tolerance", [(False, PEARSON, 5.1e-5), (True, SPEARMAN, 5.1e-4)], ids=["Pearson", "Spearman"]
)
def test_correlations(
    systems: Systems, ranks: bool, expected: Mapping[tuple[str, str], float], tolerance: float
) -> None:
    """The printed GPT-2 row (.54, .68, .63, .39) is that of a superseded run."""
    found = correlations(systems, ranks=ranks)
    assert found.n == 67
    assert {pair: found.of(*pair) for pair in expected} == pytest.approx(expected, abs=tolerance)
    assert np.array_equal(found.values, found.values.T)


@pytest.mark.parametrize("name", CONTRASTED)
def test_contrasts(systems: Systems, name: str) -> None:
    """Printed differences agree except those of GPT-2, whose run was superseded (3.25, 21.5 and 1.17 there)."""
    for number, system in enumerate(SYSTEMS):
        found = contrast(name, systems[system])
        values = {**found.means, "difference": found.difference}
        for label, expected in CONTRASTED[name].items():
            assert 100 * values[label] == pytest.approx(expected[number], abs=0.01), (system, label)


def test_contrasts_have_the_groups_that_they_name() -> None:
    assert [len(uids) for uids in CONTRASTS["regular"].groups.values()] == [6, 6]
    for contrasted in CONTRASTS.values():
        assert len(set(contrasted.uids)) == len(contrasted.uids)
        assert set(contrasted.uids) <= set(published())
    assert possible(published()) == list(CONTRASTS)
    assert possible(CONTRASTS["attractors"].uids) == ["attractors"]


def test_unknown_names_are_told_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'attractors'"):
        contrast("attractor", {})
    with pytest.raises(UsageError, match="did you mean 'gpt2'"):
        accuracies("gpt-2")
    with pytest.raises(DataError, match="needs regular_plural_subject_verb_agreement_1, distractor"):
        contrast("attractors", {})
