"""Comparing models that were trained on filtered corpora: from the results of `verify` to the figures of the study."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np

from blimpgen.analysis.columns import Columns, columns
from blimpgen.analysis.deltas import Floats, Run, Statistic, Study, effect_sizes, item_correlations, pearson, read_runs
from blimpgen.analysis.results import read_items
from blimpgen.base.errors import DataError, Place
from blimpgen.training.run import read_training

__all__ = ["Compared", "ScoredRun", "TargetDelta", "read_scored_runs"]

_TABLES = (".csv", ".csv.gz")


@dataclass(frozen=True)
class ScoredRun:
    """A trained model with what it makes of every pair.

    Attributes:
        run: corpus, architecture, seed, accuracies.
        source: the folder of the result, or the table.
        pairs: UID to the numbers of its pairs; empty of a run from a table.
        deltas: UID to log-probability of the good minus that of the bad sentence, pair by pair, in nats.
    """

    run: Run
    source: Path = field(repr=False)
    pairs: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    deltas: Mapping[str, Floats] = field(default_factory=dict, repr=False)


class TargetDelta(NamedTuple):
    """What a model lost on a paradigm that its filter is about; NaN is what cannot be said.

    Attributes:
        corpus, architecture, uid: the model and the paradigm.
        baseline, delta: accuracy of the baseline, from 0 to 1, and the difference from it.
        correlation: Pearson's r over the pairs of the paradigm, of the differences in log-probability.
        effect: mean difference in log-probability of the baseline, minus that of the model, in nats.
    """

    corpus: str
    architecture: str
    uid: str
    baseline: float
    delta: float
    correlation: float
    effect: float


def read_scored_runs(paths: Sequence[Path], targets: Mapping[str, Sequence[str]]) -> list[ScoredRun]:
    """Read runs from results of models that blimpgen trained, and from tables as the study released one.

    Args:
        paths: folders that `verify` wrote, and CSV files, plain or gzip.
        targets: name of a filter to the paradigms that it is about; a table says its own.

    Raises:
        DataError: a result that is none, or whose model was not trained by blimpgen; two results of one model.
    """
    runs: list[ScoredRun] = []
    for path in paths:
        if path.name.endswith(_TABLES):
            runs += [ScoredRun(run, path) for run in read_runs(path)]
        else:
            runs.append(_scored_run(path, targets))
    sources: dict[tuple[str, str, int], Path] = {}
    for each in runs:
        key = each.run.corpus, each.run.architecture, each.run.seed
        if key in sources:
            what = f"the same corpus, architecture and seed as {sources[key]}: {key[0]}, {key[1]}, {key[2]}"
            raise DataError(f"{what}; name each model once", Place(each.source))
        sources[key] = each.source
    return runs


def _scored_run(path: Path, targets: Mapping[str, Sequence[str]]) -> ScoredRun:
    items = list(read_items(path))
    if not items:
        raise DataError("no row; run `blimpgen verify` to its end", Place(path))
    training = read_training(Path(items[0].model))
    rows = columns(items)
    perplexity = training.test_perplexity or training.validation_perplexity
    # A variant of a filter, such as rel-cl.paper, is about the same paradigms.
    about = targets.get(training.corpus) or targets.get(training.corpus.partition(".")[0], ())
    run = Run(
        training.corpus,
        training.request.architecture,
        training.request.seed,
        rows.accuracies(),
        frozenset(about),
        math.nan if perplexity is None else perplexity,
        training.tokens,
    )
    return ScoredRun(run, path, *_by_pair(rows))


def _by_pair(rows: Columns) -> tuple[dict[str, tuple[str, ...]], dict[str, Floats]]:
    """The pairs of each paradigm, and their differences in log-probability, in the order of their numbers."""
    keys, deltas = [key[:2] for key in rows.keys], rows.delta
    pairs: dict[str, list[str]] = {}
    values: dict[str, list[float]] = {}
    for k in sorted(range(len(keys)), key=lambda k: keys[k]):
        pairs.setdefault(keys[k][0], []).append(keys[k][1])
        values.setdefault(keys[k][0], []).append(float(deltas[k]))
    return {uid: tuple(of) for uid, of in pairs.items()}, {uid: np.array(of) for uid, of in values.items()}


class Compared:
    """The figures of a study.

    Args:
        runs: all of them.
        baseline: the corpus that nothing was removed from.

    Attributes:
        study: the runs without their pairs.

    Raises:
        UsageError: an architecture without a run of the baseline. DataError: runs without a paradigm in common, or
            that were scored on different pairs.
    """

    def __init__(self, runs: Sequence[ScoredRun], baseline: str) -> None:
        self.study = Study([each.run for each in runs], baseline)
        self._runs = runs
        first: dict[str, ScoredRun] = {}
        for each in runs:
            for uid, pairs in each.pairs.items():
                if first.setdefault(uid, each).pairs[uid] != pairs:
                    what = f"not the pairs of {uid} that {first[uid].source} has; score all models on one set"
                    raise DataError(what, Place(each.source))

    def statistics(self) -> list[Statistic]:
        """The figures of the study that compare architectures, in its order."""
        study = self.study
        figures = [study.perplexities(), study.accuracies(targeted=False), study.accuracies(targeted=True)]
        return [*figures, study.deltas(targeted=False), study.deltas(targeted=True)]

    def targets(self) -> Iterator[TargetDelta]:
        """What each filtered corpus costs on the paradigms that its filter is about, for each architecture."""
        for architecture in self.study.architectures:
            full = self._deltas(architecture, self.study.baseline)
            for corpus, of in self.study.targets.items():
                if not any((r.architecture, r.corpus) == (architecture, corpus) for r in self.study.runs):
                    continue
                filtered = self._deltas(architecture, corpus)
                correlations, effects = item_correlations(full, filtered), effect_sizes(full, filtered)
                for uid in self.study.uids:
                    if uid in of:
                        yield TargetDelta(
                            corpus,
                            architecture,
                            uid,
                            self.study.accuracy(architecture, self.study.baseline, uid),
                            self.study.delta(architecture, corpus, uid),
                            correlations.get(uid, math.nan),
                            effects.get(uid, math.nan),
                        )

    def preferences(self, architecture: str) -> dict[str, float]:
        """Compute the mean difference in log-probability of each paradigm, of models of the baseline, in nats."""
        return {uid: float(np.mean(of)) for uid, of in self._deltas(architecture, self.study.baseline).items()}

    def architecture_correlations(self) -> dict[str, float]:
        """Correlate two architectures (Pearson's r): the preferences over paradigms, and the effects over targets.

        Empty unless there are two architectures with scores of pairs; NaN where there are too few.
        """
        if len(self.study.architectures) != 2:
            return {}
        both = [self.preferences(name) for name in self.study.architectures]
        uids = [uid for uid in both[0] if uid in both[1]]
        effects: dict[tuple[str, str], list[float]] = {}
        for each in self.targets():
            effects.setdefault((each.corpus, each.uid), []).append(each.effect)
        paired = [values for values in effects.values() if len(values) == 2 and not any(map(math.isnan, values))]
        if not uids:
            return {}
        return {
            "mean preference": pearson(*(np.array([of[uid] for uid in uids]) for of in both)),
            "effect of the filter": pearson(*np.array(paired).reshape(-1, 2).T),
        }

    def _deltas(self, architecture: str, corpus: str) -> dict[str, Floats]:
        """UID to the differences in log-probability, pair by pair, a mean over seeds; of runs that have them."""
        same = [r for r in self._runs if (r.run.architecture, r.run.corpus) == (architecture, corpus) and r.deltas]
        uids = set(same[0].deltas).intersection(*(r.deltas for r in same)) if same else set()
        return {uid: np.mean([r.deltas[uid] for r in same], axis=0) for uid in uids}
