"""From scores of sentences to verdicts on pairs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from blimpgen.base.errors import DataError
from blimpgen.english.words import spans_of_words
from blimpgen.scoring.items import METHODS, Item, Method, Ties
from blimpgen.scoring.reading import Comparison
from blimpgen.scoring.scores import Identity, Request, RequestScorer, Scorer, Span, TokenScores, identity_of, word_score

__all__ = ["CREDIT", "Policy", "Unigrams", "judge", "judge_each", "methods_of"]

CREDIT: dict[Ties, float] = {"half": 0.5, "correct": 1.0, "wrong": 0.0}


class Unigrams(Protocol):
    """Frequencies of words.

    Attributes:
        name: where they come from, for the signature.
    """

    name: str

    def logprob(self, text: str) -> float:
        """The sum of the log unigram probabilities of the words of a sentence."""


@dataclass(frozen=True)
class Policy:
    """What is asked of every pair.

    Attributes:
        methods: those of them that a pair supports.
        ties: what equal scores count. With ``half`` a pair of two equal sentences is not counted; the others count it
            as the tie that it is, to reproduce what others count.
        leading_space: correct the probability of critical words for tokens that begin with a space.
        unigrams: frequencies of words, if any.
    """

    methods: tuple[Method, ...] = METHODS
    ties: Ties = "half"
    leading_space: bool = True
    unigrams: Unigrams | None = None


def methods_of(comparison: Comparison, policy: Policy) -> list[Method]:
    """The methods by which a pair is scored."""
    return [method for method in comparison.methods if method in policy.methods]


def judge(comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy | None = None) -> list[Item]:
    """The rows of pairs, in their order; a pair that the scorer cannot score has none.

    Args:
        comparisons: the pairs.
        scorer: any callable ``list[str] -> list[TokenScores]``; one with a method ``score`` is asked for more.
        policy: methods, ties, and so on.

    Raises:
        DataError: a score that is not a number, or a scorer that does not give one result a sentence.
    """
    return [item for rows in judge_each(comparisons, scorer, policy or Policy()) for item in rows]


def judge_each(comparisons: Sequence[Comparison], scorer: Scorer, policy: Policy) -> list[list[Item]]:
    """The same, with the rows of each pair by themselves."""
    requests = list(dict.fromkeys(r for c in comparisons for r in _requests(c, policy)))
    found = dict(zip(requests, _scored(requests, scorer), strict=True))
    identity = identity_of(scorer)
    rows: list[list[Item]] = []
    for comparison in comparisons:
        good, bad = (found[request] for request in _requests(comparison, policy))
        methods = methods_of(comparison, policy)
        rows.append(
            []
            if good is None or bad is None
            else [_item(comparison, method, good, bad, identity, policy) for method in methods]
        )
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


def _difference(good: str, bad: str) -> tuple[Span | None, Span | None]:
    """The characters of the one word in which two sentences differ, without marks; None if it is not just one."""
    words = [spans_of_words(good), spans_of_words(bad)]
    if len(words[0]) == len(words[1]):
        differ = [(a, b) for a, b in zip(*words, strict=True) if a[0] != b[0]]
        if len(differ) == 1:
            return differ[0][0][1], differ[0][1][1]
    return None, None


def _scored(requests: list[Request], scorer: Any) -> Iterator[TokenScores | None]:
    texts = [request.text for request in requests]
    scores = list(scorer.score(requests) if isinstance(scorer, RequestScorer) else scorer(texts))
    if len(scores) != len(requests):
        raise DataError(f"the scorer gave {len(scores)} results for {len(requests)} sentences; it must give one each")
    for text, score in zip(texts, scores, strict=True):
        if score is not None and not math.isfinite(score.total):
            raise DataError(f"the model gives {score.total} for {text!r}; try --dtype float32, and look at the model")
    return iter(scores)


def _item(
    comparison: Comparison, method: Method, good: TokenScores, bad: TokenScores, identity: Identity, policy: Policy
) -> Item:
    if method == "full":
        sides = [(score.total, len(score.logprobs)) for score in (good, bad)]
    else:
        texts = comparison.good, comparison.bad
        sides = [
            word_score(score, word, text, correct=policy.leading_space)
            for score, word, text in zip((good, bad), comparison.words[method], texts, strict=True)
        ]
    (lp_good, n_good), (lp_bad, n_bad) = sides
    table = policy.unigrams if method == "full" else None
    uni_good, uni_bad = (table.logprob(text) if table else None for text in (comparison.good, comparison.bad))
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
