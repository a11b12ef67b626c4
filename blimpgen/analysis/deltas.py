"""Deltas: what models trained on filtered corpora lose against models trained on all of it.

A *run* is one trained model: an architecture, a corpus and a seed, with its perplexity on held-out text and its
accuracy on every paradigm. The conventions are those of Patil, Jumelet et al. (2024): seeds are averaged within a
corpus, the baseline is the mean of its seeds, means are taken over corpora (not over paradigms), and two architectures
are compared by a t-test on the pairs of their values for each corpus.
"""

from __future__ import annotations

import csv
import gzip
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import TextIOWrapper
from pathlib import Path

import numpy as np
import numpy.typing as npt

from blimpgen.analysis.mixed_model import Coefficient, random_intercepts
from blimpgen.base.errors import DataError, Place, UsageError, nearest

__all__ = ["PairedTest", "Run", "Statistic", "Study", "effect_sizes", "item_correlations", "pearson", "read_runs"]

Floats = npt.NDArray[np.float64]

_COLUMNS = ("corpus", "arch", "seed", "test_ppl", "blimp_benchmark", "blimp_acc", "filter_target", "corpus_tokens")


@dataclass(frozen=True)
class Run:
    """One trained model.

    Attributes:
        corpus: the corpus that it was trained on: the name of the filter, or of the baseline.
        architecture: such as ``lstm``.
        seed: of its training.
        accuracy: UID to the share of pairs that it has right.
        targets: the paradigms that test what the filter removed.
        perplexity: on the held-out text; NaN if it was not measured.
        tokens: of the corpus; 0 if they were not counted.
    """

    corpus: str
    architecture: str
    seed: int
    accuracy: Mapping[str, float] = field(repr=False)
    targets: frozenset[str] = frozenset()
    perplexity: float = math.nan
    tokens: int = 0


@dataclass(frozen=True)
class PairedTest:
    """A t-test of the pairs that two architectures have for each corpus: statistic, degrees of freedom, two-sided p."""

    t: float
    df: int
    p: float


@dataclass(frozen=True)
class Statistic:
    """One figure for each architecture.

    Attributes:
        name: what it is.
        values: architecture to the mean over its corpora.
        corpora: architecture to the value of each corpus.
        test: of the difference of two architectures; None unless there are two and at least two corpora.
    """

    name: str
    values: Mapping[str, float]
    corpora: Mapping[str, Mapping[str, float]] = field(repr=False)
    test: PairedTest | None


class Study:
    """Runs of several corpora, compared with those of the baseline.

    Args:
        runs: all runs; those of the baseline among them, for every architecture.
        baseline: the name of the corpus that nothing was removed from.

    Raises:
        UsageError: an architecture without runs of the baseline. DataError: runs without a paradigm in common.
    """

    def __init__(self, runs: Sequence[Run], baseline: str = "full") -> None:
        self.runs, self.baseline = tuple(runs), baseline
        self.architectures = sorted({run.architecture for run in runs})
        self.corpora = [baseline, *sorted({run.corpus for run in runs} - {baseline})]
        self.targets = {
            name: frozenset(uid for run in runs if run.corpus == name for uid in run.targets) for name in self.corpora
        }
        for name in self.architectures:
            if not any(run.corpus == baseline and run.architecture == name for run in runs):
                corpora = sorted({run.corpus for run in runs})
                raise UsageError(f"no run of {name} on the baseline {baseline!r}; {nearest(baseline, corpora)}")
        common = set(runs[0].accuracy).intersection(*(run.accuracy for run in runs))
        self.uids = [uid for uid in runs[0].accuracy if uid in common]
        if not self.uids:
            raise DataError("the runs have no paradigm in common; score all of them on the same set")

    def _runs(self, architecture: str, corpus: str) -> list[Run]:
        return [run for run in self.runs if (run.architecture, run.corpus) == (architecture, corpus)]

    def accuracy(self, architecture: str, corpus: str, uid: str) -> float:
        """Compute the accuracy on a paradigm, a mean over seeds.

        Args:
            architecture, corpus: of the runs.
            uid: of the paradigm.

        Returns:
            A share from 0 to 1; NaN without a run.
        """
        values = [run.accuracy[uid] for run in self._runs(architecture, corpus)]
        return sum(values) / len(values) if values else math.nan

    def delta(self, architecture: str, corpus: str, uid: str) -> float:
        """Compute the accuracy minus that of the baseline, both means over seeds.

        Args:
            architecture, corpus: of the runs.
            uid: of the paradigm.

        Returns:
            A difference from -1 to 1; NaN without a run.
        """
        return self.accuracy(architecture, corpus, uid) - self.accuracy(architecture, self.baseline, uid)

    def perplexities(self) -> Statistic:
        """Compute the perplexity on held-out text: seeds averaged within a corpus, then the corpora."""

        def of(architecture: str, corpus: str) -> float:
            runs = self._runs(architecture, corpus)
            return sum(run.perplexity for run in runs) / len(runs) if runs else math.nan

        return self._statistic("test perplexity", self.corpora, of)

    def accuracies(self, *, targeted: bool) -> Statistic:
        """Compute the accuracy: over paradigms within a corpus, then over corpora.

        Args:
            targeted: only the paradigms that each corpus is about, so without the baseline.
        """
        return self._means("accuracy", self.accuracy, targeted)

    def deltas(self, *, targeted: bool) -> Statistic:
        """Compute the accuracy delta: over paradigms within a corpus, then over corpora.

        Args:
            targeted: only the paradigms that each corpus is about. Otherwise all, and the baseline counts as a corpus
                whose delta is 0, as in the study.
        """
        return self._means("accuracy delta", self.delta, targeted)

    def _means(self, name: str, of: Callable[[str, str, str], float], targeted: bool) -> Statistic:
        def mean(architecture: str, corpus: str) -> float:
            uids = [uid for uid in self.uids if not targeted or uid in self.targets[corpus]]
            return sum(of(architecture, corpus, uid) for uid in uids) / len(uids)

        corpora = [corpus for corpus in self.corpora if not targeted or self.targets[corpus] & set(self.uids)]
        return self._statistic(f"targeted {name}" if targeted else name, corpora, mean)

    def _statistic(self, name: str, corpora: Sequence[str], of: Callable[[str, str], float]) -> Statistic:
        values = {
            each: {corpus: of(each, corpus) for corpus in corpora if self._runs(each, corpus)}
            for each in self.architectures
        }
        means = {
            each: sum(selected.values()) / len(selected) if selected else math.nan for each, selected in values.items()
        }
        return Statistic(name, means, values, _paired_test(*values.values()) if len(values) == 2 else None)

    def token_correlation(self, architecture: str, *, by_run: bool) -> float:
        """Correlate the tokens of the corpora with perplexity (Pearson's r).

        Args:
            architecture: the architecture.
            by_run: over all runs; otherwise over the means of the corpora.
        """
        runs = [run for run in self.runs if run.architecture == architecture]
        if by_run:
            points = [(float(run.tokens), run.perplexity) for run in runs]
        else:
            means = self.perplexities().corpora[architecture]
            tokens = {run.corpus: float(run.tokens) for run in runs}
            points = [(tokens[corpus], value) for corpus, value in means.items()]
        return pearson(*np.array(points).T)

    def regression(self) -> list[Coefficient]:
        """Regress the delta of each run and paradigm on tokens, and on perplexity, target and architecture crossed.

        Each corpus and paradigm has an intercept of its own. Deltas are from -1 to 1.

        Returns:
            The fixed effects; none unless there are two architectures and predictors that do not determine each other.
        """
        if len(self.architectures) != 2:
            return []
        second = self.architectures[1]
        mean = {
            (name, uid): self.accuracy(name, self.baseline, uid) for name in self.architectures for uid in self.uids
        }
        outcome, rows, groups = list[float](), list[tuple[float, ...]](), dict[tuple[str, str], int]()
        numbers = list[int]()
        for run in self.runs:
            p, a = run.perplexity, float(run.architecture == second)
            for uid in self.uids:
                t = float(uid in self.targets[run.corpus])
                outcome.append(run.accuracy[uid] - mean[run.architecture, uid])
                rows.append((1.0, float(run.tokens), p, t, a, p * t, p * a, t * a, p * t * a))
                numbers.append(groups.setdefault((run.corpus, uid), len(groups)))
        names = ["intercept", "tokens", "perplexity", "targeted", second]
        names += ["perplexity x targeted", f"perplexity x {second}", f"targeted x {second}"]
        names += [f"perplexity x targeted x {second}"]
        design = np.array(rows)
        if not np.isfinite(design).all():
            return []
        return random_intercepts(np.array(outcome), design, names, np.array(numbers))


def _paired_test(first: Mapping[str, float], second: Mapping[str, float]) -> PairedTest | None:
    from scipy.stats import ttest_rel

    corpora = [corpus for corpus in first if corpus in second]
    if len(corpora) < 2:
        return None
    result = ttest_rel([first[corpus] for corpus in corpora], [second[corpus] for corpus in corpora])
    return PairedTest(float(result.statistic), len(corpora) - 1, float(result.pvalue))


def pearson(first: Floats, second: Floats) -> float:
    """Correlate two variables; NaN where one is constant.

    Args:
        first, second: their values, shape (n,) each.
    """
    from scipy.stats import pearsonr

    if len(first) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return math.nan
    return float(pearsonr(first, second).statistic)


def effect_sizes(full: Mapping[str, Floats], filtered: Mapping[str, Floats]) -> dict[str, float]:
    """Compute the mean probability delta of the full model minus that of the filtered model, for each paradigm.

    Args:
        full: UID to the probability deltas of the baseline's pairs: log-probability of the good minus of the bad
            sentence, in nats, a mean over seeds.
        filtered: the same of the filtered corpus, pair by pair.
    """
    return {uid: float(np.mean(full[uid]) - np.mean(filtered[uid])) for uid in full if uid in filtered}


def item_correlations(full: Mapping[str, Floats], filtered: Mapping[str, Floats]) -> dict[str, float]:
    """Correlate the probability deltas of two models over the pairs of each paradigm (Pearson's r).

    Args:
        full: UID to the probability deltas of the baseline's pairs, in nats.
        filtered: the same of the filtered corpus, pair by pair.
    """
    return {uid: pearson(full[uid], filtered[uid]) for uid in full if uid in filtered}


def read_runs(path: Path) -> list[Run]:
    """Read runs from a table with one row a run and paradigm, as the study released it (CSV, plain or gzip).

    Args:
        path: the file; its columns are corpus, arch, seed, test_ppl, blimp_benchmark, blimp_acc, filter_target and
            corpus_tokens.

    Raises:
        DataError: a missing column, or a value that is none, with its line.
    """
    runs: dict[tuple[str, str, int], dict[str, tuple[float, bool]]] = {}
    constants: dict[tuple[str, str, int], tuple[float, int]] = {}
    for number, row in enumerate(_rows(path), start=2):
        place = Place(path, number)
        try:
            key = row["corpus"], row["arch"], int(row["seed"])
            value, perplexity, tokens = float(row["blimp_acc"]), float(row["test_ppl"]), int(row["corpus_tokens"])
        except (TypeError, ValueError) as error:
            raise DataError(f"not a row of results: {error}", place) from None
        if not 0 <= value <= 1:
            raise DataError(f"blimp_acc is {value}; a share from 0 to 1 is expected", place)
        runs.setdefault(key, {})[row["blimp_benchmark"]] = value, row["filter_target"].upper() == "TRUE"
        constants[key] = perplexity, tokens
    if not runs:
        raise DataError("no row", Place(path))
    return [
        Run(
            *key,
            {uid: value for uid, (value, _) in paradigms.items()},
            frozenset(uid for uid, (_, target) in paradigms.items() if target),
            *constants[key],
        )
        for key, paradigms in runs.items()
    ]


def _rows(path: Path) -> Iterator[dict[str, str]]:
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as stream:
            reader = csv.DictReader(TextIOWrapper(stream, encoding="utf-8", newline=""))
            names = reader.fieldnames or ()
            if missing := [name for name in _COLUMNS if name not in names]:
                raise DataError(f"no column {missing[0]!r}; there are: {', '.join(names)}", Place(path, 1))
            yield from reader
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"cannot be read: {error}", Place(path), "missing-file") from None
