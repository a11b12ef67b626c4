"""Verifying data sets: a model or several, a set or several, here or on a cluster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from blimpgen.analysis.results import METHODS, Item, Method, Ties
from blimpgen.base.engines import work_here
from blimpgen.base.errors import BlimpgenError
from blimpgen.base.records import Record
from blimpgen.scoring.judge import Policy, judge_ranges
from blimpgen.scoring.pair_table import CHUNK, Done, PairTable, RowOfModel, SetOfPairs, ranges
from blimpgen.scoring.reading import Comparison, to_comparisons
from blimpgen.scoring.result_folder import Result
from blimpgen.scoring.scores import Scorer, Unscored, identity_of

__all__ = ["score", "verify"]


def verify(
    comparisons: Sequence[Comparison],
    scorer: Scorer,
    *,
    data: str,
    policy: Policy | None = None,
    output: Path | None = None,
    limit: int | None = None,
    overwrite: bool = False,
    done: Done | None = None,
    chunk: int = CHUNK,
) -> Result:
    """Score all pairs with one model and write the files of the result.

    Args:
        comparisons: the pairs.
        scorer: of sentences.
        data: hash of the data files.
        policy: methods, ties, and so on.
        output: the folder of the result; nothing is written without one.
        limit: records of each paradigm, for the signature.
        overwrite: replace another result in the folder.
        done: called with the number of pairs that have been scored.
        chunk: pairs scored and written at once, at most.

    Raises:
        UsageError: the folder holds something else, or another run is writing into it. DataError: no pair can be
            scored; what an earlier run left is damaged.
    """
    outcomes: list[Result | BlimpgenError] = []
    with PairTable(
        [RowOfModel(identity_of(scorer).model, lambda: scorer)],
        [SetOfPairs("", comparisons, data)],
        policy or Policy(),
        finished=lambda _model, _set, outcome: outcomes.append(outcome),
        folders={(0, 0): output} if output else None,
        limit=limit,
        overwrite=overwrite,
        chunk=chunk,
        done=done,
    ) as table:
        work_here(table)
    (outcome,) = outcomes
    if isinstance(outcome, BlimpgenError):
        raise outcome
    return outcome


def score(
    records: Iterable[Record],
    scorer: Scorer,
    *,
    methods: Sequence[Method] = METHODS,
    ties: Ties = "half",
    strict: bool = True,
) -> list[Item]:
    """Score pairs and the comparisons of sets.

    Args:
        records: as `generate` and `read_jsonl` give them.
        scorer: a model such as `causal_lm` gives, or any callable ``list[str] -> list[TokenScores]``.
        methods: whole sentences, and critical words where the records have prefix fields.
        ties: what equal scores count.
        strict: a pair that cannot be scored is an error; otherwise it has no row.

    Returns:
        One row a pair and method, in their order.

    Raises:
        DataError: a pair that cannot be scored, prefix fields that are not of their sentences.
    """
    comparisons = [c for record in records for c in to_comparisons(record)]
    policy = Policy(tuple(methods), ties, strict=strict)
    rows: dict[int, list[Item] | Unscored] = {}
    numbers = [*ranges(comparisons)]
    judged = judge_ranges(([comparisons[k] for k in pairs] for pairs in numbers), scorer, policy)
    for pairs, some in zip(numbers, judged, strict=True):
        rows.update(zip(pairs, some, strict=True))
    return [item for k in range(len(comparisons)) if not isinstance(each := rows[k], Unscored) for item in each]
