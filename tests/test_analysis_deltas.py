"""Deltas of filtered corpora: every recomputed figure of the study, from its released table of 160 models."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blimpgen.analysis.deltas import Run, Statistic, Study, effect_sizes, item_correlations, read_runs
from blimpgen.analysis.mixed_model import random_intercepts
from blimpgen.base.errors import DataError, UsageError

LSTM, TRANSFORMER = "lstm", "transformer"


@pytest.fixture(scope="module")
def study(shared_data: Path) -> Study:
    return Study(read_runs(shared_data / "fict" / "results.csv.gz"))


def shown(statistic: Statistic, digits: int, scale: float = 1) -> tuple[float, float]:
    values = statistic.values
    return round(values[LSTM] * scale, digits), round(values[TRANSFORMER] * scale, digits)


def paired_t_test(first: Any, second: Any) -> Any:
    from scipy.stats import ttest_rel  # takes a second, which collecting the tests need not take

    return ttest_rel(first, second)


def test_160_models(study: Study) -> None:
    assert len(study.runs) == 160
    assert len(study.uids) == 67
    assert sum(len(uids) for uids in study.targets.values()) == 31


def test_perplexities(study: Study) -> None:
    statistic = study.perplexities()
    assert shown(statistic, 3) == (53.557, 47.132)
    assert statistic.test is not None
    assert (round(statistic.test.t, 2), statistic.test.df) == (270.84, 15)


PERPLEXITIES = """\
full 53.234 46.746
agr-pp-mod 56.049 49.316
agr-rel-cl 53.640 47.127
agr-re-irr-sv 54.210 47.813
npi-only 53.179 46.789
npi-sent-neg 53.208 46.840
npi-sim-ques 53.206 46.763
quantifier-superlative 54.091 47.704
quantifier-existential-there 53.223 46.856
binding-c-command 53.214 46.806
binding-case 53.348 46.910
binding-domain 53.206 46.829
binding-reconstruction 53.203 46.814
det-adj-noun 53.310 46.893
det-noun 53.160 46.825
passive 53.432 47.088
"""


@pytest.mark.parametrize("line", PERPLEXITIES.splitlines(), ids=lambda line: line.split()[0])
def test_perplexity_of_each_corpus(study: Study, line: str) -> None:
    corpus, *values = line.split()
    corpora = study.perplexities().corpora
    assert [f"{corpora[each][corpus]:.3f}" for each in (LSTM, TRANSFORMER)] == values


def test_tokens_and_perplexity(study: Study) -> None:
    by_run = [round(study.token_correlation(each, by_run=True), 4) for each in (LSTM, TRANSFORMER)]
    by_corpus = [round(study.token_correlation(each, by_run=False), 3) for each in (LSTM, TRANSFORMER)]
    assert by_run == [-0.9694, -0.9756]
    assert by_corpus == [-0.976, -0.978]


@pytest.mark.parametrize(
    "name, targeted, values, t, p",
    [
        ("accuracies", False, (70.412, 71.858), -17.379, None),
        ("accuracies", True, (66.733, 68.817), -1.179, 0.2580),
        ("deltas", True, (-5.418, -4.620), -0.5623, 0.5828),
    ],
)
def test_means_over_corpora(
    study: Study, name: str, targeted: bool, values: tuple[float, float], t: float, p: float | None
) -> None:
    statistic: Statistic = getattr(study, name)(targeted=targeted)
    assert shown(statistic, 3, 100) == values
    assert statistic.test is not None
    assert statistic.test.t == pytest.approx(t, abs=0.5 * 10 ** -len(str(t).partition(".")[2]))
    if p is not None:
        assert round(statistic.test.p, 4) == p


def test_overall_delta_counts_the_baseline_as_a_corpus(study: Study) -> None:
    statistic = study.deltas(targeted=False)
    assert shown(statistic, 4, 100) == (-0.3925, 0.0313)
    assert statistic.test is not None
    assert (round(statistic.test.t, 3), statistic.test.df) == (-5.096, 15)
    without = [np.mean([statistic.corpora[a][c] for c in study.corpora[1:]]) * 100 for a in (LSTM, TRANSFORMER)]
    assert np.round(without, 4).tolist() == [-0.4187, 0.0334]
    values = [[statistic.corpora[a][c] for c in study.corpora[1:]] for a in (LSTM, TRANSFORMER)]
    assert round(float(paired_t_test(*values).statistic), 2) == -5.41


def test_means_over_paradigms_are_others(study: Study) -> None:
    pairs = [(corpus, uid) for corpus, uids in study.targets.items() for uid in uids]
    values = [[100 * study.delta(a, c, u) for c, u in pairs] for a in (LSTM, TRANSFORMER)]
    assert np.round(np.mean(values, axis=1), 3).tolist() == [-4.279, -4.372]
    assert round(float(paired_t_test(*values).pvalue), 2) == 0.93


DELTAS = """\
distractor_agreement_relational_noun 81.3 82.1 -23.22 -7.92
distractor_agreement_relative_clause 69.3 69.7 -8.32 -8.72
irregular_plural_subject_verb_agreement_1 81.4 81.2 -2.68 -2.60
irregular_plural_subject_verb_agreement_2 89.8 90.4 -8.74 -15.36
regular_plural_subject_verb_agreement_1 88.6 88.0 -2.34 -2.42
regular_plural_subject_verb_agreement_2 84.3 85.9 -1.36 -5.12
only_npi_licensor_present 98.4 92.4 -6.94 -29.28
only_npi_scope 92.4 89.7 -1.58 2.20
sentential_negation_npi_licensor_present 99.9 99.6 -0.16 -0.22
sentential_negation_npi_scope 41.4 45.4 -4.14 3.08
matrix_question_npi_licensor_present 26.8 37.0 -5.02 -8.24
superlative_quantifiers_1 76.8 85.7 -9.10 -6.08
superlative_quantifiers_2 52.6 54.5 -0.16 3.94
existential_there_quantifiers_1 96.5 95.3 -16.42 -12.12
principle_A_c_command 67.3 54.2 -2.80 3.32
principle_A_case_1 100.0 100.0 -0.10 -0.76
principle_A_case_2 77.8 81.8 -0.90 -2.24
principle_A_domain_1 98.1 96.9 0.30 0.80
principle_A_domain_2 55.4 63.4 1.14 2.36
principle_A_domain_3 57.3 60.2 1.26 -0.20
principle_A_reconstruction 30.7 39.2 5.08 2.44
passive_1 68.4 70.1 -7.68 -8.58
passive_2 72.0 71.2 -10.48 -11.00
determiner_noun_agreement_with_adjective_1 83.6 83.2 -3.74 -5.66
determiner_noun_agreement_with_adj_2 79.5 84.4 -5.16 -5.82
determiner_noun_agreement_with_adj_irregular_1 71.9 75.3 -4.70 -7.92
determiner_noun_agreement_with_adj_irregular_2 77.7 82.6 -3.68 -6.24
determiner_noun_agreement_1 91.2 90.7 -1.14 0.18
determiner_noun_agreement_2 88.7 92.0 -3.06 -1.84
determiner_noun_agreement_irregular_1 81.7 81.3 -3.88 -1.76
determiner_noun_agreement_irregular_2 82.6 85.9 -2.94 -3.76
"""


@pytest.mark.parametrize("line", DELTAS.splitlines(), ids=lambda line: line.split()[0])
def test_targeted_delta_of_each_paradigm(study: Study, line: str) -> None:
    uid, *values = line.split()
    corpus = next(name for name, uids in study.targets.items() if uid in uids)
    accuracies = [100 * study.accuracy(each, study.baseline, uid) for each in (LSTM, TRANSFORMER)]
    deltas = [100 * study.delta(each, corpus, uid) for each in (LSTM, TRANSFORMER)]
    assert [*(f"{value:.1f}" for value in accuracies), *(f"{value:.2f}" for value in deltas)] == values


CORPORA = """\
agr-pp-mod -23.22 -7.92
agr-rel-cl -8.32 -8.72
agr-re-irr-sv -3.78 -6.38
npi-only -4.26 -13.54
npi-sent-neg -2.15 1.43
npi-sim-ques -5.02 -8.24
quantifier-superlative -4.63 -1.07
quantifier-existential-there -16.42 -12.12
binding-c-command -2.80 3.32
binding-case -0.50 -1.50
binding-domain 0.90 0.99
binding-reconstruction 5.08 2.44
passive -9.08 -9.79
det-adj-noun -4.32 -6.41
det-noun -2.76 -1.80
"""


@pytest.mark.parametrize("line", CORPORA.splitlines(), ids=lambda line: line.split()[0])
def test_targeted_delta_of_each_corpus(study: Study, line: str) -> None:
    corpus, *values = line.split()
    corpora = study.deltas(targeted=True).corpora
    # One figure lies on the edge between two printed ones.
    assert [100 * corpora[each][corpus] for each in (LSTM, TRANSFORMER)] == pytest.approx(
        [float(value) for value in values], abs=0.0050001
    )


def test_mean_accuracy_of_the_full_corpus(study: Study) -> None:
    corpora = study.accuracies(targeted=False).corpora
    assert [round(100 * corpora[each]["full"], 2) for each in (LSTM, TRANSFORMER)] == [70.80, 71.83]


def test_regression_with_an_intercept_for_each_corpus_and_paradigm(study: Study) -> None:
    fitted = {each.name: (round(each.estimate, 3), round(each.z, 2)) for each in study.regression()}
    assert fitted["targeted"] == (2.483, 6.96)
    assert fitted["targeted x transformer"] == (-1.932, -5.68)
    assert fitted["perplexity x targeted"] == (-0.047, -7.07)
    assert all(abs(fitted[name][1]) < 1.96 for name in ("tokens", "perplexity", "transformer"))


def test_a_regression_needs_predictors_that_differ() -> None:
    runs = [Run("full", name, 0, {"a": 0.5, "b": 0.6}, frozenset(), 10, 10) for name in (LSTM, TRANSFORMER)]
    assert Study(runs).regression() == []
    assert Study([run for run in runs if run.architecture == LSTM]).regression() == []


def test_random_intercepts_of_known_values() -> None:
    chance = np.random.default_rng(0)
    groups = np.repeat(np.arange(200), 10)
    predictor = chance.normal(size=2000)
    outcome = 1 + 2 * predictor + chance.normal(size=200)[groups] + 0.5 * chance.normal(size=2000)
    design = np.stack([np.ones(2000), predictor], axis=1)
    intercept, slope = random_intercepts(outcome, design, ["intercept", "slope"], groups)
    assert (intercept.estimate, slope.estimate) == (pytest.approx(1, abs=0.2), pytest.approx(2, abs=0.05))
    # The errors of the two follow from the two variances: 1 between 200 groups, 0.25 within 2,000 observations.
    assert intercept.error == pytest.approx((1 / 200) ** 0.5, rel=0.15)
    assert slope.error == pytest.approx(0.5 / 2000**0.5, rel=0.15)


def test_effect_sizes_and_item_correlations() -> None:
    full, filtered = {"a": np.array([3.0, 1.0, 2.0])}, {"a": np.array([2.0, 0.0, 1.0]), "b": np.zeros(3)}
    assert effect_sizes(full, filtered) == {"a": 1.0}
    assert item_correlations(full, filtered)["a"] == pytest.approx(1.0)
    assert np.isnan(item_correlations(full, {"a": np.zeros(3)})["a"])


HEADER = "corpus,arch,seed,test_ppl,blimp_benchmark,blimp_acc,filter_target,corpus_tokens\n"


@pytest.mark.parametrize(
    "text, message",
    [
        ("corpus,arch\n", "1: no column 'seed'; there are: corpus, arch"),
        (HEADER, " no row"),
        (HEADER + "full,lstm,zero,1,a,0.5,FALSE,1\n", "2: not a row of results: invalid literal"),
        (HEADER + "full,lstm,0,1,a,5,FALSE,1\n", "2: blimp_acc is 5.0; a share from 0 to 1 is expected"),
    ],
)
def test_a_wrong_table_is_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "results.csv"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        read_runs(path)
    assert str(caught.value).startswith(f"{path}:{message}")


def test_a_study_needs_its_baseline() -> None:
    with pytest.raises(UsageError, match="no run of lstm on the baseline 'full'; there are: rel-cl"):
        Study([Run("rel-cl", LSTM, 0, {"a": 0.5})])
    with pytest.raises(DataError, match="no paradigm in common"):
        Study([Run("full", LSTM, 0, {"a": 0.5}), Run("rel-cl", LSTM, 0, {"b": 0.5})])
