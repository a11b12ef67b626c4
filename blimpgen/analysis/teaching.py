"""What sentences about a new noun teach a model: scores before and after, by type of training and task.

The score of a task is the advantage of the word that agrees with the number of the noun over the other one, in nats: a
mean over contexts, then over the numbers of the distractor, then over seeds (Yu et al. 2020).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from blimpgen.base.errors import DataError

__all__ = ["Lesson", "Lessons", "TaughtScore"]


class TaughtScore(BaseModel):
    """One row: a configuration of a task, of one model.

    Attributes:
        noun: the new word.
        number: of the noun.
        training: type of the sentences that it was trained on; None before any training.
        seed: of the rows of the new word, and of training.
        task: UID.
        configuration: numbers of target and distractor: ``SG_PL``.
        total: sum of advantages, in nats.
        samples: how many were summed.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    noun: str
    number: Literal["SG", "PL"]
    training: str | None
    seed: int
    task: str
    configuration: str
    total: float
    samples: Annotated[int, Field(ge=1)]


class Lesson(NamedTuple):
    """What one type of training does to one task.

    Attributes:
        noun, number: the new word.
        training: the type.
        task: UID.
        before, after: scores, in nats.
        spread: standard deviation of the score before, over seeds; 0 of a single seed.
    """

    noun: str
    number: str
    training: str
    task: str
    before: float
    after: float
    spread: float


class Lessons:
    """The scores of a study of new words.

    Args:
        rows: all of them.

    Attributes:
        tasks: UIDs, in the order of the rows.
        numbers: noun to its number.

    Raises:
        DataError: no row before training of a noun that was trained.
    """

    def __init__(self, rows: Iterable[TaughtScore]) -> None:
        scores: dict[tuple[str, str | None, str], dict[int, list[float]]] = defaultdict(lambda: defaultdict(list))
        self.numbers: dict[str, str] = {}
        for row in rows:
            scores[row.noun, row.training, row.task][row.seed].append(row.total / row.samples)
            self.numbers[row.noun] = row.number
        self._seeds: Mapping[tuple[str, str | None, str], Sequence[float]] = {
            key: [float(np.mean(values)) for values in by_seed.values()] for key, by_seed in scores.items()
        }
        self.tasks = list(dict.fromkeys(task for _, _, task in self._seeds))
        for noun in self.numbers:
            if not any((noun, None, task) in self._seeds for task in self.tasks):
                raise DataError(f"no score of {noun!r} before training")

    def types(self, noun: str) -> list[str]:
        """The types of training of a noun, in the order of the rows."""
        return list(dict.fromkeys(kind for each, kind, _ in self._seeds if each == noun and kind is not None))

    def __iter__(self) -> Iterator[Lesson]:
        for noun, number in self.numbers.items():
            for kind in self.types(noun):
                for task in self.tasks:
                    before, after = self._seeds[noun, None, task], self._seeds[noun, kind, task]
                    yield Lesson(
                        noun, number, kind, task, float(np.mean(before)), float(np.mean(after)), float(np.std(before))
                    )
