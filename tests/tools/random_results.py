"""Rows of results made up for tests: scores drawn from normal distributions, with a seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from blimpgen.analysis.reference import published
from blimpgen.analysis.results import Item, Method

WORDS = ("the", "doctors", "near", "a", "river", "often", "praise", "every", "gifted", "guest")


def item(
    uid: str,
    pair_id: str,
    delta: float,
    *,
    method: Method = "full",
    model: str = "model-a",
    words: int | None = None,
    lp: float = -30.0,
    term: str = "",
    field: str = "",
    revision: str | None = None,
    unigram: float | None = None,
    credit: float | None = -1.0,
) -> Item:
    """One row; its sentences follow from uid and pair, its credit from the difference, unless they are given."""
    words = words or _words(uid, int(pair_id))
    n_bad = words + 2 if words > 8 else words + 1
    known = published().get(uid)
    sentence = " ".join((WORDS * 3)[int(pair_id) % 7 :][:words])
    good, bad = f"{sentence} arrives.".capitalize(), f"{sentence} arrive.".capitalize()
    earned = credit if credit != -1.0 else (0.5 if delta == 0 else float(delta > 0))
    return Item(
        UID=uid,
        pair_id=pair_id,
        field=field or (known.field if known else "syntax"),
        linguistics_term=term or (known.term if known else "other"),
        model=model,
        revision=revision,
        method=method,
        score="log_prob",
        lp_good=lp,
        lp_bad=lp - delta,
        n_tok_good=words + 1,
        n_tok_bad=n_bad,
        mean_lp_good=lp / (words + 1),
        mean_lp_bad=(lp - delta) / n_bad,
        uni_good=unigram,
        tie=delta == 0,
        correct=delta > 0,
        credit=earned,
        sentence_good=good,
        sentence_bad=bad,
    )


def _words(uid: str, pair: int) -> int:
    return 4 + (7 * pair + len(uid)) % 9


def items(
    accuracies: Mapping[str, float],
    n: int,
    *,
    seed: int = 0,
    method: Method = "full",
    model: str = "model-a",
    revision: str | None = None,
) -> Iterator[Item]:
    """Rows of paradigms whose accuracies are about those given; longer sentences are harder."""
    rng = np.random.default_rng(seed)
    for uid, accuracy in accuracies.items():
        shift = 2 * (2 * accuracy - 1)
        for k in range(n):
            words = _words(uid, k)
            delta = float(rng.normal(shift - 0.15 * (words - 8), 1.5))
            yield item(
                uid,
                str(k),
                delta,
                method=method,
                model=model,
                words=words,
                revision=revision,
                lp=-float(rng.normal(4.5, 0.8)) * (words + 1),
                unigram=-float(rng.normal(8, 1)) * (words + 1),
            )
