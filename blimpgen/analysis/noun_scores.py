"""The study of nouns: from sums over contexts to scores of nouns, and what these have in common.

The score of a noun in a task is the advantage of the word that agrees with it over the other one, in nats: a mean over
contexts, then over configurations of number (Yu et al. 2020). Analyses are of the nouns that have all tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from blimpgen.analysis.components import (
    Components,
    Correlation,
    Regression,
    components,
    correlate,
    correlations,
    regress,
    z_by_number,
)
from blimpgen.base.errors import DataError

__all__ = ["GROUPS", "FrequencyFit", "GroupMeans", "ModelPair", "NounScore", "NounScores", "TaskMean"]

GROUPS = ("SV", "RA")
"""The beginnings of the names of tasks: subject-verb agreement, reflexive anaphora."""

_FEWEST = 3
_NUMBERS = ("SG", "PL")


class NounScore(BaseModel):
    """One row: a configuration of a task, of one noun and model.

    Attributes:
        model: its name.
        task: UID.
        target, plural: the noun.
        configuration: numbers of target and distractor: ``SG_PL``.
        total: sum of advantages, in nats.
        samples: how many were summed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    task: str
    target: str
    plural: str
    configuration: str
    total: float
    samples: Annotated[int, Field(ge=1)]


class TaskMean(NamedTuple):
    """A task over all its nouns: mean and standard deviation of their scores; the mean by number of the target."""

    task: str
    nouns: int
    mean: float
    deviation: float
    singular: float
    plural: float


class GroupMeans(NamedTuple):
    """Correlations between tasks: their mean, how many are positive, and the means within and across groups."""

    mean: float
    positive: int
    pairs: int
    within: Mapping[str, float]
    across: float


class ModelPair(NamedTuple):
    """Two models on one task, over the nouns that both have in all tasks."""

    first: str
    second: str
    task: str
    correlation: Correlation


class FrequencyFit(NamedTuple):
    """The regression of z-scores on the logarithm of frequency, over some tasks and both numbers."""

    group: str
    regression: Regression


class NounScores:
    """The scores of some models.

    Args:
        rows: all of them.

    Attributes:
        models: their names.
        tasks: UIDs.
        forms: noun to its plural.

    Raises:
        DataError: no row.
    """

    def __init__(self, rows: Iterable[NounScore]) -> None:
        self._means: dict[tuple[str, str], dict[str, dict[str, float]]] = {}
        self.forms: dict[str, str] = {}
        for row in rows:
            of_task = self._means.setdefault((row.model, row.task), {})
            of_task.setdefault(row.target, {})[row.configuration] = row.total / row.samples
            self.forms[row.target] = row.plural
        if not self._means:
            raise DataError("no score of a noun")
        self.models = list(dict.fromkeys(model for model, _ in self._means))
        self.tasks = list(dict.fromkeys(task for _, task in self._means))

    def scores(self, model: str, task: str, number: str | None = None) -> dict[str, float]:
        """Noun to its score.

        Args:
            model: its name.
            task: UID.
            number: only configurations with a target of this number, SG or PL.
        """
        return {
            noun: float(np.mean([v for name, v in values.items() if number in (None, name.split("_")[0])]))
            for noun, values in self._means[model, task].items()
        }

    def complete(self, *models: str) -> list[str]:
        """The nouns that these models have in all tasks."""
        every = [set(self._means[model, task]) for model in models for task in self.tasks]
        return [noun for noun in self.forms if all(noun in nouns for nouns in every)]

    def means(self, model: str) -> Iterator[TaskMean]:
        """Each task over all its nouns."""
        for task in self.tasks:
            values = list(self.scores(model, task).values())
            singular, plural = (float(np.mean([*self.scores(model, task, n).values()])) for n in _NUMBERS)
            deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
            yield TaskMean(task, len(values), float(np.mean(values)), deviation, singular, plural)

    def matrix(self, model: str, nouns: Sequence[str]) -> NDArray[np.float64]:
        """Scores, nouns x tasks.

        Args:
            model: its name.
            nouns: that have all tasks.
        """
        columns = [self.scores(model, task) for task in self.tasks]
        return np.array([[column[noun] for column in columns] for noun in nouns]).reshape(len(nouns), len(columns))

    def can_be_analysed(self, model: str) -> bool:
        """Whether there are enough nouns and tasks for correlations."""
        return len(self.complete(model)) >= _FEWEST and len(self.tasks) > 1

    def correlations(self, model: str) -> list[list[Correlation]]:
        """Of every task with every other, over nouns."""
        return correlations(self.matrix(model, self.complete(model)))

    def group_means(self, model: str) -> GroupMeans:
        """The means of these correlations."""
        table = self.correlations(model)
        pairs = {(a, b): table[a][b].r for a, b in combinations(range(len(self.tasks)), 2)}
        group = [task.split("_")[0] for task in self.tasks]
        within = {
            name: float(np.mean(values))
            for name in GROUPS
            if (values := [r for (a, b), r in pairs.items() if group[a] == group[b] == name])
        }
        across = [r for (a, b), r in pairs.items() if group[a] != group[b]]
        return GroupMeans(
            float(np.mean([*pairs.values()])),
            sum(r > 0 for r in pairs.values()),
            len(pairs),
            within,
            float(np.mean(across)) if across else float("nan"),
        )

    def components(self, model: str) -> Components:
        """The principal components of the tasks."""
        return components(self.matrix(model, self.complete(model)))

    def between_models(self) -> Iterator[ModelPair]:
        """The correlation of every two models on each task."""
        for first, second in combinations(self.models, 2):
            nouns = self.complete(first, second)
            if len(nouns) < _FEWEST:
                continue
            both = [self.matrix(model, nouns) for model in (first, second)]
            for k, task in enumerate(self.tasks):
                yield ModelPair(first, second, task, correlate(both[0][:, k], both[1][:, k]))

    def frequency(self, model: str, counts: Mapping[str, float]) -> Iterator[FrequencyFit]:
        """Fit z-scores to frequency: of all tasks, and of each group.

        Args:
            model: its name.
            counts: form to how often it occurs; forms that do not are left out.
        """
        nouns = self.complete(model)
        points: dict[str, list[tuple[float, float]]] = {task: [] for task in self.tasks}
        for task in self.tasks:
            of_task = self._means[model, task]
            names = list(of_task[nouns[0]])
            z = z_by_number(
                np.array([[values[name] for name in names] for values in of_task.values()]),
                [name.split("_")[0] for name in names],
            )
            for number, values in z.items():
                by_noun = dict(zip(of_task, values.tolist(), strict=True))
                for noun in nouns:
                    count = counts.get(noun if number == "SG" else self.forms[noun], 0)
                    points[task] += [(by_noun[noun], count)] if count > 0 else []
        for group in ("", *GROUPS):
            pooled = [point for task, of_task in points.items() if task.startswith(group) for point in of_task]
            if len({count for _, count in pooled}) > 1:
                yield FrequencyFit(group or "all", regress(*(np.array(column) for column in zip(*pooled, strict=True))))
