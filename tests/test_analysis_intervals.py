"""Intervals: known values, coverage, clusters."""

from __future__ import annotations

import numpy as np
import pytest

from blimpgen.analysis.intervals import cluster_bootstrap, wilson


@pytest.mark.parametrize(
    "correct, n, low, high",
    [(0, 10, 0.0, 0.277533), (5, 10, 0.236593, 0.763407), (10, 10, 0.722467, 1.0), (81, 263, 0.255289, 0.366210)],
)
def test_wilson_is_the_textbook_interval(correct: int, n: int, low: float, high: float) -> None:
    """81 of 263 is the example of Newcombe (1998), method 3: 0.2553 to 0.3662."""
    assert wilson(correct, n) == pytest.approx((low, high), abs=1e-6)


def test_wilson_agrees_with_an_independent_implementation() -> None:
    from scipy import stats

    for correct, n in [(1, 3), (50, 67), (830, 1000)]:
        for confidence in (0.9, 0.95, 0.99):
            theirs = stats.binomtest(correct, n).proportion_ci(confidence, method="wilson")
            assert wilson(correct, n, confidence=confidence) == pytest.approx(tuple(theirs), abs=1e-12)


def test_wilson_takes_half_credit_and_no_trials() -> None:
    low, high = wilson(2.5, 5)
    assert low == pytest.approx(1 - high)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_seed_gives_an_interval() -> None:
    values = np.random.default_rng(0).random(20)
    clustered = [cluster_bootstrap(values, np.arange(20) // 3, seed=seed) for seed in (1, 1, 2)]
    assert clustered[0] == clustered[1] != clustered[2]


def test_single_clusters_give_the_plain_bootstrap() -> None:
    from scipy import stats

    values = np.random.default_rng(0).random(400) < 0.8
    expected = 1.96 * np.sqrt(0.8 * 0.2 / 400)
    low, high = cluster_bootstrap(values, range(400), resamples=5000)
    assert (high - low) / 2 == pytest.approx(expected, rel=0.12)
    assert low < values.mean() < high
    theirs = stats.bootstrap((values,), np.mean, method="percentile", rng=0).confidence_interval
    assert (low, high) == pytest.approx(tuple(theirs), abs=0.01)


def test_whole_clusters_are_drawn() -> None:
    """Forty copies of ten observations know no more than the ten."""
    ten = np.array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0], dtype=float)
    copies = np.repeat(ten, 40)
    narrow = cluster_bootstrap(copies, range(400))
    wide = cluster_bootstrap(copies, np.repeat(np.arange(10), 40))
    once = cluster_bootstrap(ten, range(10))
    assert wide.high - wide.low == pytest.approx(once.high - once.low, abs=0.051)
    assert wide.high - wide.low > 4 * (narrow.high - narrow.low)


def test_weights_make_a_difference_of_groups() -> None:
    rng = np.random.default_rng(0)
    values, groups = rng.random(600) < np.repeat([0.9, 0.5, 0.7], 200), np.repeat(["a", "b", "c"], 200)
    low, high = cluster_bootstrap(values, range(600), groups=groups, weights={"a": 1, "b": -0.5, "c": -0.5})
    spread = 1.96 * np.sqrt(0.9 * 0.1 / 200 + 0.25 * (0.5 * 0.5 + 0.7 * 0.3) / 200)
    assert (high - low) / 2 == pytest.approx(spread, rel=0.15)
    assert low < 0.3 < high
    with pytest.raises(KeyError, match="c"):
        cluster_bootstrap(values, range(600), groups=groups, weights={"a": 1, "b": -1})


def test_groups_weigh_the_same() -> None:
    values = [1.0] * 90 + [0.0] * 10
    low, high = cluster_bootstrap(values, range(100), groups=["a"] * 90 + ["b"] * 10)
    assert (low, high) == (0.5, 0.5)


@pytest.mark.parametrize("coverage_of", ["wilson", "cluster"])
def test_intervals_cover_the_truth(coverage_of: str) -> None:
    rng = np.random.default_rng(4)
    inside = 0
    for trial in range(300):
        sample = rng.random(60) < 0.7
        low, high = (
            wilson(sample.sum(), 60)
            if coverage_of == "wilson"
            else cluster_bootstrap(sample, range(60), seed=trial, resamples=400)
        )
        inside += low <= 0.7 <= high
    assert 0.9 <= inside / 300 <= 0.99


def test_what_cannot_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="no observations"):
        cluster_bootstrap([], [])
    with pytest.raises(ValueError, match="lengths differ"):
        cluster_bootstrap([1.0, 0.0], [0])
