"""From scores of sentences to verdicts on pairs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from blimpgen.analysis.results import CREDIT, METHODS, Item, Method, Ties
from blimpgen.base.errors import DataError
from blimpgen.english.words import spans_of_words
from blimpgen.lexicon.frequency import WordFrequencies
from blimpgen.scoring.reading import Comparison
from blimpgen.scoring.scores import (
    CalibratedScorer,
    Identity,
    Request,
    RequestScorer,
    Scorer,
    Span,
    TokenScores,
    Unscored,
    Verdict,
    identity_of,
    word_scores,
)

__all__ = ["Policy", "Rows", "calibrate", "judge", "judge_each", "methods_of"]

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
        scorer.calibrate(_distinct([_requests(comparison, policy) for comparison in comparisons]))


def judge_each(comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy) -> Rows:
    """Score each pair by itself.

    Args:
        comparisons, scorer, policy: as in `judge`.
    """
    requests = [_requests(comparison, policy) for comparison in comparisons]
    verdicts = _scored(_distinct(requests), scorer)
    identity = identity_of(scorer)
    rows: Rows = []
    for comparison, both in zip(comparisons, requests, strict=True):
        good, bad = (verdicts[request] for request in both)
        if isinstance(good, TokenScores) and isinstance(bad, TokenScores):
            methods = methods_of(comparison, policy)
            rows.append([_item(comparison, method, (good, bad), identity, policy) for method in methods])
            continue
        unscored = good if isinstance(good, Unscored) else bad
        assert isinstance(unscored, Unscored)
        if policy.strict:
            raise DataError(f"{comparison.uid}, pair {comparison.pair_id}: {unscored.reason}")
        rows.append(unscored)
    return rows


def _requests(comparison: Comparison, policy: Policy) -> tuple[Request, Request]:
    """The requests of both sentences. A word ends after the critical word, and one ends before it."""
    endings: tuple[set[int], set[int]] = (set(), set())
    if policy.leading_space:
        for method in methods_of(comparison, policy):
            for side, text, (start, end) in zip(
                endings, (comparison.good, comparison.bad), comparison.words.get(method, ()), strict=False
            ):
                side.update((start - text[:start].endswith(" "), end))
    good, bad = _difference(comparison.good, comparison.bad)
    return (
        Request(comparison.good, tuple(sorted(endings[0])), good),
        Request(comparison.bad, tuple(sorted(endings[1])), bad),
    )


def _distinct(requests: Sequence[tuple[Request, Request]]) -> list[Request]:
    """Each request once, in order."""
    return list(dict.fromkeys(request for both in requests for request in both))


def _difference(good: str, bad: str) -> tuple[Span | None, Span | None]:
    """The characters of the one word in which two sentences differ, without marks; None if it is not just one."""
    words = [spans_of_words(good), spans_of_words(bad)]
    if len(words[0]) == len(words[1]):
        differ = [(a, b) for a, b in zip(*words, strict=True) if a[0] != b[0]]
        if len(differ) == 1:
            return differ[0][0][1], differ[0][1][1]
    return None, None


def _scored(requests: list[Request], scorer: Any) -> dict[Request, Verdict]:
    """Score each request, except those without a word."""
    verdicts: dict[Request, Verdict] = {r: Unscored("an empty sentence") for r in requests if not r.text.strip()}
    unscored = [request for request in requests if request not in verdicts]
    texts = [request.text for request in unscored]
    scores = list(scorer.score(unscored) if isinstance(scorer, RequestScorer) else scorer(texts))
    if len(scores) != len(unscored):
        raise DataError(f"the scorer gave {len(scores)} results for {len(unscored)} sentences; it must give one each")
    return verdicts | {request: _checked(verdict) for request, verdict in zip(unscored, scores, strict=True)}


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
