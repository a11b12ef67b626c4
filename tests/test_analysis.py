"""What results say: averages, contrasts, predictors, paired comparisons, methods, growth, and what deserves a look."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from blimpgen.analysis.averages import OVERALL, by_field, by_paradigm, by_term, macro, overall
from blimpgen.analysis.columns import Columns, aligned, columns, word_count
from blimpgen.analysis.contrasts import CONTRASTS, contrast_rows
from blimpgen.analysis.correlation import correlate, correlations
from blimpgen.analysis.growth import learning_curve, log_fit, spread
from blimpgen.analysis.paired import compare, mcnemar
from blimpgen.analysis.predictors import PREDICTORS, binned, logistic
from blimpgen.analysis.reference import SYSTEMS, accuracies, terms
from blimpgen.analysis.summary import summarize
from blimpgen.analysis.surprises import expected, surprises
from blimpgen.base.errors import DataError, UsageError
from random_results import item, items

GPT2 = accuracies("gpt2")
SOME = {uid: GPT2[uid] for uid in ("adjunct_island", "wh_island", "transitive", "causative", "principle_A_case_1")}


@pytest.fixture(scope="module")
def rows() -> Columns:
    return columns(items(SOME, 40))


def test_columns_leave_out_what_does_not_count() -> None:
    given = [item("x", "0", 1.0), item("x", "1", 0.0, credit=None), item("x", "2", 0.0)]
    found = columns(given)
    assert found.pair_id.tolist() == ["0", "2"]
    assert found.credit.tolist() == [1.0, 0.5]
    assert found.delta.tolist() == [1.0, 0.0]


def test_an_unknown_method_is_told_what_there_is() -> None:
    with pytest.raises(UsageError, match="no row of the method 'one-prefix'; there are: full"):
        columns([item("x", "0", 1.0)], method="one-prefix")


def test_columns_are_aligned_by_pair() -> None:
    first, second = columns(item("x", str(k), 1.0) for k in (0, 1, 2)), columns(item("x", str(k), k) for k in (2, 1, 5))
    a, b = aligned(first, second)
    assert a.keys == b.keys
    assert a.pair_id.tolist() == ["1", "2"]
    assert b.delta.tolist() == [1.0, 2.0]
    with pytest.raises(DataError, match="no pair in common"):
        aligned(first, columns([item("y", "0", 1.0)]))
    with pytest.raises(DataError, match="no pair in common"):
        aligned(first, columns(item("x", str(k), 1.0, words=3) for k in (0, 1, 2)))


def test_averages_are_macro_averages() -> None:
    given = columns(
        [
            *(item("adjunct_island", str(k), 1.0) for k in range(30)),
            item("wh_island", "0", -1.0),
            item("transitive", "0", 1.0),
            item("transitive", "1", 0.0),
        ]
    )
    assert given.accuracies() == {"adjunct_island": 1.0, "wh_island": 0.0, "transitive": 0.75}
    assert overall(given).accuracy == pytest.approx(1.75 / 3)
    assert (overall(given).paradigms, overall(given).n, overall(given).ties) == (3, 33, 1)
    assert by_term(given)["island_effects"].accuracy == 0.5
    assert {name: group.paradigms for name, group in by_field(given).items()} == {"syntax": 3}
    assert macro(given.accuracies()) == {OVERALL: pytest.approx(1.75 / 3)}


def test_groups_agree_with_the_mapping_of_the_release(rows: Columns) -> None:
    assert {name: group.accuracy for name, group in by_term(rows).items()} == pytest.approx(
        macro(rows.accuracies(), terms())
    )
    for group in (*by_paradigm(rows).values(), *by_term(rows).values(), overall(rows)):
        assert group.interval.low <= group.accuracy <= group.interval.high
    assert sum(group.n for group in by_paradigm(rows).values()) == len(rows) == 200


def test_a_macro_interval_is_narrower_than_those_of_its_paradigms(rows: Columns) -> None:
    width = [g.interval.high - g.interval.low for g in (overall(rows), by_paradigm(rows)["wh_island"])]
    assert width[0] < width[1]


def test_rank_correlation_shares_ranks_and_ignores_scale() -> None:
    x, y = [1, 2, 2, 5, 9], [3, 1, 4, 4, 7]
    assert correlate(x, y).pearson == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert correlate(x, y).spearman == pytest.approx(np.corrcoef([1, 2.5, 2.5, 4, 5], [2, 1, 3.5, 3.5, 5])[0, 1])
    assert correlate(np.exp(x), y).spearman == correlate(x, y).spearman
    systems = {"x": dict(zip("abcde", x, strict=True)), "y": dict(zip("abcde", y, strict=True))}
    assert correlations(systems).of("x", "y") == pytest.approx(correlate(x, y).pearson)
    assert correlations(systems, ranks=True).of("x", "y") == pytest.approx(correlate(x, y).spearman)


def test_the_interval_of_a_correlation_is_that_of_fisher() -> None:
    """r = 0.5 of 28 values: tanh(0.5493 -+ 1.96 / 5)."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=28)
    y = rng.normal(size=28)
    y -= x * (x @ (y - y.mean())) / (x @ (x - x.mean()))
    y = 0.5 * (x - x.mean()) / x.std() + math.sqrt(0.75) * (y - y.mean()) / y.std()
    found = correlate(x, y)
    assert found.pearson == pytest.approx(0.5)
    assert found.interval == pytest.approx((math.tanh(0.549306 - 0.391993), math.tanh(0.549306 + 0.391993)), abs=1e-5)


def test_correlations_need_something_to_vary() -> None:
    found = correlate([1, 1, 1, 1], [1, 2, 3, 4])
    assert all(map(math.isnan, (found.pearson, found.spearman, *found.interval)))
    assert math.isnan(correlations({"a": {"x": 1, "y": 1}, "b": {"x": 1, "y": 0}}).of("a", "b"))
    assert correlate(range(10), range(10)).interval == pytest.approx((1.0, 1.0))
    with pytest.raises(DataError, match="a and b: 1 paradigms in common"):
        correlations({"a": {"x": 1, "y": 0}, "b": {"y": 1, "z": 0}})


def test_correlation_of_a_result_with_people() -> None:
    ours = columns(items(accuracies("human"), 60)).accuracies()
    found = correlations({"ours": ours, **{system: accuracies(system) for system in SYSTEMS}})
    assert found.n == 67
    assert found.of("ours", "human") > 0.5 > found.of("ours", "ngram")
    assert found.of("ours", "ours") == 1


def test_contrast_of_rows_has_an_interval() -> None:
    level = dict.fromkeys(CONTRASTS["attractors"].uids, 0.6) | {"regular_plural_subject_verb_agreement_1": 0.95}
    found = contrast_rows("attractors", columns(items(level, 200)))
    assert found.interval is not None
    assert 0.1 < found.interval.low < found.difference < found.interval.high
    assert found.difference == pytest.approx(
        found.means["no attractor"] - (found.means["relational noun"] + found.means["relative clause"]) / 2
    )


def test_predictors_of_known_rows() -> None:
    given = columns([item("x", "0", -2.0, words=3, lp=-8.0, unigram=-32.0), item("x", "1", 1.0, words=9, lp=-20.0)])
    values = {name: predictor.values(given).tolist() for name, predictor in PREDICTORS.items()}
    assert values["length"] == [4, 10]
    assert values["perplexity"] == pytest.approx([math.exp(2), math.exp(2)])
    assert values["log-probability"] == [-8, -20]
    assert values["confidence"] == [2, 1]
    assert values["frequency"] == [-8, pytest.approx(math.nan, nan_ok=True)]
    assert values["token-difference"] == [0, -1]


@pytest.mark.parametrize("equal, logarithmic", [("width", False), ("count", False), ("width", True)])
def test_bins_hold_every_row_once(equal: object, logarithmic: bool) -> None:
    rng = np.random.default_rng(3)
    values, credit = np.exp(rng.normal(size=500)), rng.random(500) < 0.6
    found = binned(values, credit, bins=10, equal=equal, logarithmic=logarithmic)  # type: ignore[arg-type]
    assert sum(b.n for b in found) == 500
    assert sum(b.n * b.accuracy for b in found) == pytest.approx(credit.sum())
    assert all(b.low <= b.middle <= b.high and b.n for b in found)
    assert all(a.high <= b.low + 1e-12 for a, b in pairwise(found))
    assert (found[0].low, found[-1].high) == pytest.approx((values.min(), values.max()))
    if equal == "count":
        assert {b.n for b in found} == {50}


def test_bins_of_few_and_of_unknown_values() -> None:
    assert binned([np.nan], [1.0]) == []
    (only,) = binned([3.0, 3.0, np.nan], [1.0, 0.0, 1.0])
    assert (only.low, only.high, only.n, only.accuracy) == (3, 3, 2, 0.5)
    two = binned([1, 1, 1, 2], [1, 1, 0, 0], equal="count")
    assert sum(b.n for b in two) == 4


@pytest.mark.slow
def test_logistic_fit_agrees_with_an_independent_optimiser() -> None:
    optimize = pytest.importorskip("scipy.optimize")
    rng = np.random.default_rng(5)
    x = rng.normal(10, 3, 400)
    y = rng.random(400) < 1 / (1 + np.exp(-(0.4 * x - 3)))

    def loss(beta: np.ndarray) -> float:
        eta = beta[0] + beta[1] * x
        return float(np.sum(np.log1p(np.exp(eta)) - y * eta))

    best = optimize.minimize(loss, [0, 0], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).x
    found = logistic(x, y)
    assert (found.intercept, found.slope) == pytest.approx(tuple(best), abs=1e-4)


def test_logistic_fit_solves_the_likelihood_equations() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(10, 3, 400)
    y = rng.random(400) < 1 / (1 + np.exp(-(0.4 * x - 3)))
    found = logistic(x, y)
    residual = y - 1 / (1 + np.exp(-(found.intercept + found.slope * x)))
    assert abs(residual.sum()) < 1e-3
    assert abs((residual * x).sum()) < 1e-2
    assert found.slope == pytest.approx(0.4, abs=3 * found.error)
    assert found.per_sd == pytest.approx(found.slope * x.std())
    assert logistic(np.exp(x), y, logarithmic=True).slope == pytest.approx(found.slope)


def test_logistic_fit_of_separated_values_is_finite() -> None:
    found = logistic([1, 2, 3, 4], [0, 0, 1, 1])
    assert 1 < found.slope < math.inf
    assert found.at(1) < 0.01
    with pytest.raises(ValueError, match="two different values"):
        logistic([1, 1], [0, 1])


def test_longer_sentences_are_harder_in_rows_made_so(rows: Columns) -> None:
    assert logistic(PREDICTORS["length"].values(rows), rows.credit).slope < 0


@pytest.mark.parametrize("first, second, p", [(0, 0, 1.0), (5, 5, 1.0), (1, 9, 22 / 1024), (0, 10, 2 / 1024)])
def test_mcnemar_is_the_binomial_test(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second).p == pytest.approx(p)
    assert mcnemar(second, first).p == pytest.approx(p)


def test_a_model_compared_with_a_better_one_and_with_itself() -> None:
    worse, better = columns(items(SOME, 60, seed=1)), columns(items({u: a + 0.3 for u, a in SOME.items()}, 60, seed=1))
    found = compare(better, worse)
    assert found.overall.difference == pytest.approx(overall(better).accuracy - overall(worse).accuracy)
    assert 0 < found.overall.interval.low < found.overall.difference < found.overall.interval.high
    assert found.overall.test.p < 1e-6
    assert set(found.terms) == {"island_effects", "argument_structure", "binding"}
    assert sum(group.n for group in found.terms.values()) == found.overall.n == 300
    same = compare(better, better).overall
    assert (same.difference, same.interval, same.test.p) == (0, (0, 0), 1)


def test_pairing_narrows_the_interval() -> None:
    """Two models that mostly agree: the paired interval is narrower than those of each model."""
    first = columns(items(SOME, 100, seed=1))
    flipped = first.credit.copy()
    flipped[:10] = 1 - flipped[:10]
    paired = compare(first, replace(first, credit=flipped)).overall.interval
    alone = overall(first).interval
    assert paired.high - paired.low < 0.5 * (alone.high - alone.low)


def test_prefix_methods_against_the_full_sentence() -> None:
    uids = ("determiner_noun_agreement_1", "determiner_noun_agreement_irregular_1", "npi_present_1")
    full = columns(items(dict.fromkeys((*uids, "transitive"), 0.9), 50))
    prefix = columns(
        [item(uid, str(k), 1.0 if k < 35 else -1.0, method="one-prefix") for uid in uids for k in range(50)],
        method="one-prefix",
    )
    found = compare(full, prefix)
    assert {name: group.paradigms for name, group in found.terms.items()} == {
        "determiner_noun_agreement": 2,
        "npi_licensing": 1,
    }
    assert all(group.second == pytest.approx(0.7) for group in found.terms.values())
    differences = [group.difference for group in found.terms.values()]
    assert found.mean == pytest.approx(np.mean(differences))
    assert found.sd == pytest.approx(abs(differences[0] - differences[1]) / math.sqrt(2))
    assert math.isnan(compare(full, prefix.of(["npi_present_1"])).sd)


def test_slopes_are_least_squares_on_the_binary_logarithm() -> None:
    sizes = [2.0**k * 1e6 for k in range(-3, 7)]
    fit = log_fit(sizes, [0.5 + 0.0426 * k for k in range(10)])
    assert fit.slope == pytest.approx(0.0426)
    assert fit.at(1e6) == pytest.approx(0.5 + 0.0426 * 3)
    assert fit.size_for(fit.at(3e8)) == pytest.approx(3e8)
    noisy = np.random.default_rng(0).normal(size=10)
    assert log_fit(sizes, noisy).slope == pytest.approx(np.polyfit(np.log2(sizes), noisy, 1)[0])
    with pytest.raises(ValueError, match="two different sizes"):
        log_fit([8, 8], [0.5, 0.6])


@pytest.mark.parametrize("term, slope", [("island_effects", 0.0036), ("npi_licensing", 0.0078)])
def test_islands_and_npis_need_more_than_1e20_tokens(term: str, slope: float) -> None:
    """With the printed slopes and the published accuracy of the LSTM, which saw 83 million tokens."""
    lstm, human = (macro(accuracies(system), terms())[term] for system in ("lstm", "human"))
    fit = replace(log_fit([1, 2], [0, slope]), intercept=lstm - slope * math.log2(83e6))
    assert fit.size_for(human) > 1e20
    assert replace(fit, slope=-slope).size_for(human) == math.inf


def test_learning_curve_is_in_the_order_of_training() -> None:
    made = {
        float(step): columns(items(dict.fromkeys(SOME, level), 40, seed=step))
        for step, level in ((400, 0.9), (100, 0.5), (200, 0.7))
    }
    curve = learning_curve(made)
    assert curve.steps == (100, 200, 400)
    assert [group.accuracy for group in curve.overall] == sorted(group.accuracy for group in curve.overall)
    assert set(curve.terms) == {"island_effects", "argument_structure", "binding"}
    assert all(len(groups) == 3 for groups in curve.terms.values())


def test_spread_of_sizes() -> None:
    found = spread({"small": {"a": 0.7, "b": 0.9}, "large": {"a": 0.8, "b": 0.9}}, {"a": "x", "b": "y"})
    assert found == pytest.approx({"x": 0.05, "y": 0.0})


def test_expected_figures_are_those_of_the_same_paradigms(rows: Columns) -> None:
    found = expected("gpt2", rows, rows.term)
    assert found["island_effects"] == pytest.approx((GPT2["adjunct_island"] + GPT2["wh_island"]) / 2)
    strange = columns([item("mine", "0", 1.0)])
    assert expected("gpt2", strange, strange.term) == {}


def test_what_deserves_a_look() -> None:
    right = {"transitive": 170, "adjunct_island": 40, "sentential_subject_island": 20, "mine": 30, "causative": 110}
    found = surprises(
        columns(item(uid, str(k), 1.0 if k < n else -1.0) for uid, n in right.items() for k in range(200))
    )
    reasons = {paradigm.uid: paradigm.reasons for paradigm in found}
    assert set(reasons) == {"adjunct_island", "sentential_subject_island", "mine", "causative"}
    assert reasons["mine"] == ("below chance: the labels or the sign may be flipped",)
    assert reasons["causative"] == ("far below the published GPT-2 (78.2 %)",)
    assert len(reasons["adjunct_island"]) == 2
    assert reasons["sentential_subject_island"][-1] == "people agree only to 60.6 % on the released pairs"
    assert [p.group.accuracy for p in found] == sorted(p.group.accuracy for p in found)
    few = [item("adjunct_island", "0", 1.0), item("adjunct_island", "1", -1.0)]
    assert surprises(columns(few)) == []


def test_comparisons_of_one_set_are_one_cluster() -> None:
    """Four comparisons of each of 25 sets, all right or all wrong, know no more than the 25 sets."""
    one = item("x", "0", 1.0)
    sets = [
        one.model_copy(update={"pair_id": f"{k}-{name}", "comparison": name, "credit": float(k % 5 > 0)})
        for k in range(25)
        for name in ("a", "b", "c", "d")
    ]
    alone = [row.model_copy(update={"pair_id": str(k), "comparison": None}) for k, row in enumerate(sets)]
    wide, narrow = (by_paradigm(columns(rows))["x"].interval for rows in (sets, alone))
    assert wide.high - wide.low > 1.6 * (narrow.high - narrow.low)
    assert columns(sets).record.tolist()[:5] == ["0", "0", "0", "0", "1"]


def test_summary_and_analysis_say_the_same() -> None:
    made = list(items(SOME, 30))
    summary = summarize(made, signature="", model="model-a", ties="half").methods["full"]
    given = columns(made)
    pairs = [
        (summary.overall, overall(given)),
        *((summary.terms[k], g) for k, g in by_term(given).items()),
        *((summary.paradigms[k], g) for k, g in by_paradigm(given).items()),
    ]
    assert len(pairs) == 1 + 3 + 5
    for theirs, ours in pairs:
        assert (theirs.n, theirs.ties, theirs.paradigms) == (ours.n, ours.ties, ours.paradigms)
        assert (theirs.accuracy, theirs.low, theirs.high) == pytest.approx((ours.accuracy, *ours.interval))


def test_words_are_counted_between_spaces() -> None:
    assert word_count(["Who should Derek hug?", "Go."]).tolist() == [4, 1]
