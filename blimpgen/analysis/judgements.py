"""Forced-choice judgements of people: who is excluded, how far they agree with the labels, which paradigms hold.

A *judgement* is one person's choice between the two sentences of a pair. An *assignment* is the list of pairs that a
person saw at a time, with its attention checks. The *share* of a pair is the share of its judgements that agree with
the label; the pair is *accepted* if the share is above one half, so a tie is not. For a paradigm, *individual
agreement* is the unweighted mean of the shares of its pairs, and *majority agreement* the share of its pairs that are
accepted. A paradigm is *retained* if enough of its pairs are accepted: four of five in Warstadt et al. (2020). Overall
figures are means over the retained paradigms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

import numpy as np

from blimpgen.analysis.intervals import Interval, cluster_bootstrap, wilson
from blimpgen.base.errors import DataError, UsageError

__all__ = ["Answer", "Judgements", "PairJudgement", "ParadigmJudgement", "Unit", "judge"]

Unit: TypeAlias = Literal["assignment", "worker"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of one person.

    Attributes:
        uid: the paradigm; for an attention check any name.
        pair_id: the pair, unique in its paradigm.
        worker: who answered.
        assignment: the list in which the pair was shown; unique over all workers.
        agrees: whether the good sentence was chosen (for an attention check, the sentence that it asks for); None if
            the question was left open.
        attention: this is an attention check.
        approved: whether whoever ran the study accepted the assignment.
        native: what the person said about being a native speaker; None if nothing.
        first: whether the sentence that was shown first was chosen; None if that is not known.
    """

    uid: str
    pair_id: str
    worker: str
    assignment: str
    agrees: bool | None
    attention: bool = False
    approved: bool = True
    native: bool | None = None
    first: bool | None = None


@dataclass(frozen=True)
class PairJudgement:
    """The judgements of one pair: how many there are, and how many agree with the label."""

    uid: str
    pair_id: str
    judgements: int
    agreeing: int

    @property
    def share(self) -> float:
        """The share of judgements that agree with the label, from 0 to 1."""
        return self.agreeing / self.judgements

    @property
    def accepted(self) -> bool:
        """Whether a strict majority agrees with the label."""
        return 2 * self.agreeing > self.judgements

    @property
    def observed_agreement(self) -> float:
        """The share of all pairs of its judges who gave the same answer; not a number with fewer than two."""
        n, k = self.judgements, self.agreeing
        return (k * (k - 1) + (n - k) * (n - k - 1)) / (n * (n - 1)) if n > 1 else float("nan")

    def interval(self, *, confidence: float = 0.95) -> Interval:
        """The Wilson interval of the share."""
        return wilson(self.agreeing, self.judgements, confidence=confidence)


@dataclass(frozen=True)
class ParadigmJudgement:
    """The judgements of one paradigm.

    Attributes:
        uid: the paradigm.
        pairs: how many of its pairs were judged.
        judgements: how many judgements there are.
        accepted: how many pairs a strict majority agrees with.
        individual: mean of the shares of its pairs, from 0 to 1.
        individual_interval: its interval, from a bootstrap of pairs.
        majority_interval: the Wilson interval of `majority`.
        retained: whether enough pairs are accepted.
    """

    uid: str
    pairs: int
    judgements: int
    accepted: int
    individual: float
    individual_interval: Interval
    majority_interval: Interval
    retained: bool

    @property
    def majority(self) -> float:
        """The share of its pairs that are accepted, from 0 to 1."""
        return self.accepted / self.pairs


@dataclass(frozen=True)
class Judgements:
    """What a set of answers says.

    Attributes:
        pairs: every judged pair, in the order of uid and of first appearance.
        paradigms: every judged paradigm, by uid.
        excluded: reason to the number of answers that it removed; a reason that removed none is not there.
        individual: mean of the individual agreement of the retained paradigms, from 0 to 1; nan if there are none.
        majority: the share of accepted pairs of the retained paradigms, from 0 to 1; nan if there are none.
        individual_interval: from a bootstrap of the pairs of each retained paradigm.
        majority_interval: the Wilson interval of `majority`.
    """

    pairs: tuple[PairJudgement, ...]
    paradigms: Mapping[str, ParadigmJudgement]
    excluded: Mapping[str, int]
    individual: float
    majority: float
    individual_interval: Interval
    majority_interval: Interval

    @property
    def retained(self) -> tuple[str, ...]:
        """The uids of the paradigms that are retained."""
        return tuple(uid for uid, paradigm in self.paradigms.items() if paradigm.retained)

    @property
    def dropped(self) -> tuple[str, ...]:
        """The uids of the paradigms that are not."""
        return tuple(uid for uid, paradigm in self.paradigms.items() if not paradigm.retained)


def judge(
    answers: Iterable[Answer],
    *,
    leave_out: Collection[str] = (),
    exclude: Unit = "assignment",
    may_fail: int = 0,
    keep: tuple[int, int] = (4, 5),
    resamples: int = 1000,
    seed: int = 0,
    confidence: float = 0.95,
) -> Judgements:
    """Measure how far people agree with the labels, pair by pair, paradigm by paradigm, and overall.

    Left out are, in this order: assignments that were not approved; those that fail more attention checks than
    allowed; those of people who say that they are no native speakers; attention checks; paradigms to leave out; open
    answers.

    Args:
        answers: all answers, attention checks among them.
        leave_out: uids of fillers, which are not judged.
        exclude: what is removed when an assignment is not approved or checks fail: that assignment, or all of its
            worker's.
        may_fail: how many attention checks one assignment (or worker) may fail.
        keep: (k, n): a paradigm is retained if at least k of n of its pairs are accepted.
        resamples, seed, confidence: as for `cluster_bootstrap`.

    Raises:
        UsageError: `keep` is no share. DataError: no answer is left.
    """
    if not 0 <= keep[0] <= keep[1] or not keep[1]:
        raise UsageError(f"keep={keep}: expected (k, n) with 0 <= k <= n and n above 0, such as (4, 5)")
    judged, excluded = _excluded(list(answers), leave_out, exclude, may_fail)
    if not judged:
        removed = "; ".join(f"{reason}: {n}" for reason, n in excluded.items())
        raise DataError(f"no judgement is left to count ({removed or 'there are no answers'})")
    pairs = _pairs(judged)
    paradigms = {
        uid: _paradigm(uid, [*of_uid], keep, resamples, seed, confidence)
        for uid, of_uid in groupby(pairs, key=lambda pair: pair.uid)
    }
    return _overall(pairs, paradigms, excluded, resamples, seed, confidence)


def _overall(
    pairs: tuple[PairJudgement, ...],
    paradigms: Mapping[str, ParadigmJudgement],
    excluded: Mapping[str, int],
    resamples: int,
    seed: int,
    confidence: float,
) -> Judgements:
    """Average over the pairs of the paradigms that are retained."""
    counted = [pair for pair in pairs if paradigms[pair.uid].retained]
    accepted = sum(pair.accepted for pair in counted)
    nan, nothing = float("nan"), Interval(float("nan"), float("nan"))
    return Judgements(
        pairs,
        paradigms,
        excluded,
        individual=float(np.mean([p.individual for p in paradigms.values() if p.retained])) if counted else nan,
        majority=accepted / len(counted) if counted else nan,
        individual_interval=_individual(counted, resamples, seed, confidence) if counted else nothing,
        majority_interval=wilson(accepted, len(counted), confidence=confidence) if counted else nothing,
    )


def _excluded(
    answers: Sequence[Answer], leave_out: Collection[str], exclude: Unit, may_fail: int
) -> tuple[list[Answer], dict[str, int]]:
    """The answers that count, and how many each reason removed."""
    failed = Counter(_unit(answer, exclude) for answer in answers if answer.attention and not answer.agrees)
    inattentive = {unit for unit, failures in failed.items() if failures > may_fail}
    refused = {_unit(answer, exclude) for answer in answers if not answer.approved}
    foreign = {_unit(answer, exclude) for answer in answers if answer.native is False}
    reasons: dict[str, Callable[[Answer], bool]] = {
        "not approved": lambda answer: _unit(answer, exclude) in refused,
        "attention check failed": lambda answer: _unit(answer, exclude) in inattentive,
        "not a native speaker": lambda answer: _unit(answer, exclude) in foreign,
        "attention check": lambda answer: answer.attention,
        "left out": lambda answer: answer.uid in leave_out,
        "no answer": lambda answer: answer.agrees is None,
    }
    left, removed = [], Counter[str]()
    for answer in answers:
        reason = next((name for name, holds in reasons.items() if holds(answer)), None)
        if reason is None:
            left.append(answer)
        else:
            removed[reason] += 1
    return left, {reason: removed[reason] for reason in reasons if removed[reason]}


def _unit(answer: Answer, unit: Unit) -> str:
    return answer.worker if unit == "worker" else answer.assignment


def _pairs(answers: Iterable[Answer]) -> tuple[PairJudgement, ...]:
    agreements: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for answer in answers:
        agreements[answer.uid, answer.pair_id].append(bool(answer.agrees))
    return tuple(
        PairJudgement(uid, pair_id, len(agree), sum(agree))
        for (uid, pair_id), agree in sorted(agreements.items(), key=lambda item: item[0][0])
    )


def _paradigm(
    uid: str, pairs: Sequence[PairJudgement], keep: tuple[int, int], resamples: int, seed: int, confidence: float
) -> ParadigmJudgement:
    accepted = sum(pair.accepted for pair in pairs)
    return ParadigmJudgement(
        uid,
        len(pairs),
        sum(pair.judgements for pair in pairs),
        accepted,
        individual=float(np.mean([pair.share for pair in pairs])),
        individual_interval=_individual(pairs, resamples, seed, confidence),
        majority_interval=wilson(accepted, len(pairs), confidence=confidence),
        retained=accepted * keep[1] >= keep[0] * len(pairs),
    )


def _individual(pairs: Sequence[PairJudgement], resamples: int, seed: int, confidence: float) -> Interval:
    """The interval of individual agreement; each pair is a cluster, its paradigm the group."""
    return cluster_bootstrap(
        [pair.share for pair in pairs],
        range(len(pairs)),
        groups=[pair.uid for pair in pairs],
        resamples=resamples,
        seed=seed,
        confidence=confidence,
    )
