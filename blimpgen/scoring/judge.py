"""From scores of sentences to verdicts on pairs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from blimpgen.analysis.results import CREDIT, METHODS, Item, Method, Ties
from blimpgen.base.errors import DataError
from blimpgen.base.work_table import one_ahead
from blimpgen.lexicon.frequency import WordFrequencies
from blimpgen.scoring.reading import Comparison
from blimpgen.scoring.scores import (
    CalibratedScorer,
    Identity,
    QueuedScorer,
    Request,
    RequestScorer,
    Scorer,
    TokenScores,
    Unscored,
    Verdict,
    identity_of,
    word_scores,
)

__all__ = ["Policy", "Rows", "begin_judging", "calibrate", "judge", "judge_each", "judge_ranges", "methods_of"]

Rows: TypeAlias = "list[list[Item] | Unscored]"
"""Of each of some pairs, its rows, one a method, or why it has none."""


@dataclass(frozen=True)
class Policy:
    """What is asked of every pair.

    Attributes:
        methods: those of them that a pair supports.
        ties: what equal scores count. With ``half`` a pair of two equal sentences is not counted; the others count it
            as the tie that it is, to reproduce what others count.
        leading_space: correct the probability of critical words for tokens that begin with a space.
        unigrams: frequencies of words, if any.
        strict: a pair that cannot be scored is an error; otherwise it is left out, with the reason.
    """

    methods: tuple[Method, ...] = METHODS
    ties: Ties = "half"
    leading_space: bool = True
    unigrams: WordFrequencies | None = None
    strict: bool = False


def methods_of(comparison: Comparison, policy: Policy) -> list[Method]:
    """Select the methods by which a pair is scored.

    Args:
        comparison: the pair, which names the methods that fit it.
        policy: names the methods that are wanted.
    """
    return [method for method in comparison.methods if method in policy.methods]


def judge(comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy | None = None) -> list[Item]:
    """Return the rows of pairs, in their order; a pair that cannot be scored has none.

    Args:
        comparisons: the pairs.
        scorer: any callable ``list[str] -> list[TokenScores]``; one with a method ``score`` is asked for more.
        policy: methods, ties, and so on.

    Raises:
        DataError: a scorer that does not give one result a sentence; with `Policy.strict`, a pair that cannot be
            scored.
    """
    rows = judge_each(comparisons, scorer, policy or Policy())
    return [item for items in rows if not isinstance(items, Unscored) for item in items]


def calibrate(comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy) -> None:
    """Let a scorer settle how it computes by some pairs, whatever it has scored before.

    Args:
        comparisons: the same pairs for every scorer whose scores are to be the same.
        scorer, policy: as in `judge`.
    """
    if isinstance(scorer, CalibratedScorer):
        scorer.calibrate(_distinct([_requests(each, methods_of(each, policy), policy) for each in comparisons]))


def judge_each(comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy) -> Rows:
    """Score each pair by itself.

    Args:
        comparisons, scorer, policy: as in `judge`.
    """
    return begin_judging(comparisons, scorer, policy)()


def begin_judging(comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy) -> Callable[[], Rows]:
    """Begin to score each pair by itself; what is returned waits for the rows.

    With a model on a GPU, what the caller does in between costs no time.

    Args:
        comparisons, scorer, policy: as in `judge`.
    """
    methods = [methods_of(comparison, policy) for comparison in comparisons]
    requests = [_requests(*each, policy) for each in zip(comparisons, methods, strict=True)]
    distinct = _distinct(requests)
    scored = _begin_scoring(distinct, scorer)
    identity = identity_of(scorer)

    def wait() -> Rows:
        verdicts = dict(zip(distinct, scored(), strict=True))
        return [
            _rows(comparison, by, (verdicts[good], verdicts[bad]), identity, policy)
            for comparison, by, (good, bad) in zip(comparisons, methods, requests, strict=True)
        ]

    return wait


def judge_ranges(ranges: Iterable[Sequence[Comparison]], scorer: Scorer, policy: Policy) -> Iterator[Rows]:
    """Score ranges of pairs, of which one is prepared while a GPU computes the one before.

    Args:
        ranges: the pairs of each.
        scorer, policy: as in `judge`.
    """
    for _, rows in one_ahead(ranges, lambda comparisons: begin_judging(comparisons, scorer, policy)):
        yield rows()


def _rows(
    comparison: Comparison,
    methods: Sequence[Method],
    verdicts: tuple[Verdict, Verdict],
    identity: Identity,
    policy: Policy,
) -> list[Item] | Unscored:
    """The rows of a pair, or why it has none."""
    good, bad = verdicts
    if isinstance(good, TokenScores) and isinstance(bad, TokenScores):
        return [_item(comparison, method, (good, bad), identity, policy) for method in methods]
    unscored = good if isinstance(good, Unscored) else bad
    assert isinstance(unscored, Unscored)
    if policy.strict:
        raise DataError(f"{comparison.uid}, pair {comparison.pair_id}: {unscored.reason}")
    return unscored


def _requests(comparison: Comparison, methods: Sequence[Method], policy: Policy) -> tuple[Request, Request]:
    """The requests of both sentences. A word ends after the critical word, and one ends before it."""
    endings: tuple[set[int], set[int]] = (set(), set())
    if policy.leading_space:
        for method in methods:
            for side, text, (start, end) in zip(
                endings, (comparison.good, comparison.bad), comparison.words.get(method, ()), strict=False
            ):
                side.update((start - text[:start].endswith(" "), end))
    return (
        Request(comparison.good, tuple(sorted(endings[0])), comparison.bad),
        Request(comparison.bad, tuple(sorted(endings[1])), comparison.good),
    )


def _distinct(requests: Sequence[tuple[Request, Request]]) -> list[Request]:
    """Each request once, in order."""
    return list(dict.fromkeys(request for both in requests for request in both))


def _begin_scoring(requests: list[Request], scorer: Any) -> Callable[[], list[Verdict]]:
    """Begin to score each request, except those without a word; what is returned waits for the verdicts."""
    words = [request for request in requests if request.text.strip()]
    if isinstance(scorer, QueuedScorer):
        scored: Callable[[], Sequence[Verdict]] = scorer.begin(words)
    elif isinstance(scorer, RequestScorer):
        scored = partial(scorer.score, words)
    else:
        scored = partial(scorer, [request.text for request in words])

    def wait() -> list[Verdict]:
        scores = list(scored())
        if len(scores) != len(words):
            raise DataError(f"the scorer gave {len(scores)} results for {len(words)} sentences; it must give one each")
        verdicts = map(_checked, scores)
        return [next(verdicts) if r.text.strip() else Unscored("an empty sentence") for r in requests]

    return wait


def _checked(verdict: Verdict) -> Verdict:
    """Refuse scores that say nothing: a sum over no token is 0, which no probability exceeds."""
    if isinstance(verdict, Unscored):
        return verdict
    if not len(verdict.logprobs):
        return Unscored("no token of it has a score")
    if not math.isfinite(verdict.total):
        return Unscored(f"the model gives {verdict.total}; try --dtype float32, and look at the model")
    return verdict


def _item(
    comparison: Comparison, method: Method, scores: tuple[TokenScores, TokenScores], identity: Identity, policy: Policy
) -> Item:
    texts = comparison.good, comparison.bad
    if method == "full":
        sides = [(each.total, len(each.logprobs)) for each in scores]
    else:
        sides = word_scores(scores, comparison.words[method], texts, correct=policy.leading_space)
    (lp_good, n_good), (lp_bad, n_bad) = sides
    table = policy.unigrams if method == "full" else None
    uni_good, uni_bad = (
        math.fsum(table.of_sentence(text)) if table else None for text in (comparison.good, comparison.bad)
    )
    return Item(
        UID=comparison.uid,
        pair_id=comparison.pair_id,
        comparison=comparison.comparison,
        condition=comparison.condition,
        field=comparison.field,
        linguistics_term=comparison.term,
        model=identity.model,
        revision=identity.revision,
        dtype=identity.dtype,
        method=method,
        score=identity.score,
        bos=identity.bos,
        eos=identity.eos,
        lp_good=lp_good,
        lp_bad=lp_bad,
        n_tok_good=n_good,
        n_tok_bad=n_bad,
        mean_lp_good=lp_good / max(n_good, 1),
        mean_lp_bad=lp_bad / max(n_bad, 1),
        uni_good=uni_good,
        uni_bad=uni_bad,
        tie=lp_good == lp_bad,
        correct=lp_good > lp_bad,
        credit=_credit(lp_good, lp_bad, comparison, policy.ties),
        sentence_good=comparison.good,
        sentence_bad=comparison.bad,
    )


def _credit(good: float, bad: float, comparison: Comparison, ties: Ties) -> float | None:
    if comparison.identical and ties == "half":
        return None
    return CREDIT[ties] if good == bad else float(good > bad)
