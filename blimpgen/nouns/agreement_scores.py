"""Scores of the study, from log-probabilities of versions (natural logarithms).

A version is named by the numbers of target, distractor and agreeing word: ``SG_PL_SG``. It is grammatical if the last
number is the first. The other numbers are its configuration: two for the simple tasks, four for the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal

from blimpgen.base.errors import DataError

__all__ = ["advantages", "noun_score", "noun_scores", "sentence_score"]

Number = Literal["SG", "PL"]


def advantages(values: Mapping[str, float]) -> dict[str, float]:
    """L(g) - L(u) by configuration: of the grammatical over the ungrammatical version.

    Args:
        values: version to log-probability; other keys than versions are not looked at.

    Raises:
        DataError: a version without its counterpart, or no version at all.
    """
    by_task = {}
    for name in values:
        *configuration, last = name.split("_")
        if not configuration or not {*configuration, last} <= {"SG", "PL"} or last != configuration[0]:
            continue
        other = "_".join([*configuration, "PL" if last == "SG" else "SG"])
        if other not in values:
            raise DataError(f"the version {name} has no counterpart {other}")
        by_task["_".join(configuration)] = values[name] - values[other]
    if not by_task:
        raise DataError(f"no grammatical version among {', '.join(values) or 'nothing'}")
    return by_task


def sentence_score(values: Mapping[str, float], number: Number | None = None) -> float:
    """S(x): the mean advantage over the configurations of one context.

    Args:
        values: version to log-probability.
        number: only configurations with a target of this number.
    """
    values_of_number = [value for name, value in advantages(values).items() if number in (None, name.split("_")[0])]
    if not values_of_number:
        raise DataError(f"no configuration with a {number} target")
    return sum(values_of_number) / len(values_of_number)


def noun_score(contexts: Iterable[Mapping[str, float]], number: Number | None = None) -> float:
    """S(n): the mean of S(x) over the contexts of a noun.

    Args:
        contexts: of each, version to log-probability.
        number: only configurations with a target of this number.

    Raises:
        DataError: there is no context.
    """
    scores = [sentence_score(values, number) for values in contexts]
    if not scores:
        raise DataError("no context to score")
    return sum(scores) / len(scores)


def noun_scores(rows: Iterable[Mapping[str, object]], number: Number | None = None) -> dict[str, float]:
    """S(n) of every noun of a task.

    Args:
        rows: as a file of the study, with log-probabilities in place of the sentences.
        number: only configurations with a target of this number.
    """
    by_noun: dict[str, list[dict[str, float]]] = defaultdict(list)
    for row in rows:
        values = {key: value for key, value in row.items() if isinstance(value, int | float)}
        by_noun[str(row["target"])].append(values)
    return {noun: noun_score(contexts, number) for noun, contexts in by_noun.items()}
