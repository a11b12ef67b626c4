"""Balanced lists for forced-choice judgements: what a participant sees, and the key to it.

Of every paradigm the same number of pairs is taken. The pairs are dealt to lists so that no paradigm stands twice in a
list as long as there are as many paradigms as places. Every list has a counterpart with the same pairs and the sides
exchanged; within a list the good sentence comes first in half of the trials. A list has one attention check for every
ten pairs, at least one, and one more where it is a pair short, so that all lists are equally long. Which pairs are
taken depends on the seed and the names of paradigm and pair alone, so another paradigm changes nothing in it. Where
more lists are needed, as for more participants, the same pairs are dealt in other orders. *Calibrators* are pairs of
which the answer is certain; they stand in every list, and say how a participant judges.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from blimpgen.base.errors import DataError, Place, UsageError, listing
from blimpgen.exports.source import Options, Row, Source
from blimpgen.exports.tabular import csv_text

__all__ = ["ATTENTION", "CALIBRATOR", "QUESTION", "Trial", "calibrators", "instruction", "key_text", "make_lists"]

ATTENTION = "attention_check"
CALIBRATOR = "calibrator"
QUESTION = "Which sentence sounds better to you?"
_INSTRUCTION = (
    "You will read pairs of {language} sentences. In each pair, choose the sentence that sounds better to you. "
    "Judge the form of the sentences, not whether what they say is likely or true. There are also a few "
    "checks of attention, which tell you what to choose."
)

_PAIRS_A_CHECK = 10
_CHECKS = (
    (
        "This is an attention check: please choose this sentence.",
        "This is an attention check: please choose the other sentence.",
    ),
    (
        "To show that you are paying attention, choose this sentence.",
        "To show that you are paying attention, do not choose this sentence.",
    ),
    ("Attention check: this is the sentence to choose.", "Attention check: this is not the sentence to choose."),
)
_Item: TypeAlias = tuple[str, str, str, str]


@dataclass(frozen=True)
class Trial:
    """One choice between two sentences.

    Attributes:
        list: number of the list, from 1.
        item: number of the trial in its list, from 1.
        uid: the paradigm; `ATTENTION` for an attention check, `CALIBRATOR` for a calibrator.
        pair_id: the pair.
        good, bad: the sentences; of an attention check the one that it asks for, and the other.
        good_position: where the good sentence stands: 1 or 2.
    """

    list: int
    item: int
    uid: str
    pair_id: str
    good: str
    bad: str
    good_position: int

    @property
    def sentences(self) -> tuple[str, str]:
        """The sentences in the order in which they are shown."""
        return (self.good, self.bad) if self.good_position == 1 else (self.bad, self.good)


def instruction(source: Source) -> str:
    """What a participant reads first; it names the language of the sentences."""
    return _INSTRUCTION.format(language=listing(source.languages.values()))


def _keyed(*parts: object) -> int:
    """A number that depends on nothing but the parts."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


def make_lists(
    source: Source, options: Options, *, usual: int, more: Sequence[_Item] = (), participants: int | None = None
) -> list[tuple[Trial, ...]]:
    """Lists of trials, two counterparts at a time.

    Args:
        source: the records.
        options: pairs of each paradigm, size of a list, seed.
        usual: the size of a list if none is asked for.
        more: `calibrators`, which stand in every list besides.
        participants: how many lists; None: as many as show every pair with its sides in either order.

    Raises:
        DataError: a paradigm has fewer pairs than are asked for. UsageError: too few participants for all pairs.
    """
    selected = {uid: _sampled(source, uid, rows, options) for uid, rows in source.rows.items()}
    total = len(selected) * options.pairs
    count = -(-total // min(options.list_size or usual, total))
    bounds = [total * k // count for k in range(count + 1)]
    pairs = list(_dealt(selected, options, bounds))
    chunks = [[*pairs[a:b], *more] for a, b in pairwise(bounds)]
    length = max(map(len, chunks))
    length += -(-length // _PAIRS_A_CHECK)
    if participants is not None and participants < 2 * count:
        raise UsageError(
            f"{total} pairs, each seen with its sides in either order, need {2 * count} participants or more, and "
            f"there are {participants}; take more participants, more pairs for each, or fewer pairs of each paradigm"
        )
    return [
        tuple(_arranged(chunks[k // 2 % count], k + 1, length, options.seed, side=k % 2))
        for k in range(participants or 2 * count)
    ]


def calibrators(source: Source, count: int, seed: int, study: Source) -> list[_Item]:
    """Pairs that stand in every list, as many of each paradigm as can be.

    Args:
        source: the set that they are taken from.
        count: how many.
        seed: decides which.
        study: the set that is judged; none of its pairs is a calibrator.

    Raises:
        DataError: there are fewer.
    """
    judged = {row["sentence_good"] for rows in study.rows.values() for row in rows}
    ranked = sorted(
        (place, _keyed(seed, "calibrator", uid), f"{uid} {row['pairID']}", row["sentence_good"], row["sentence_bad"])
        for uid, rows in source.rows.items()
        for place, row in enumerate(sorted(rows, key=lambda row: _keyed(seed, "calibrator", uid, row["pairID"])))
        if row["sentence_good"] not in judged
    )
    if len(ranked) < count:
        what = f"{len(ranked)} pairs that are not in the set to be judged, and there are to be {count} calibrators"
        raise DataError(what, Place(source.path))
    return [(CALIBRATOR, pair_id, good, bad) for _, _, pair_id, good, bad in ranked[:count]]


def _dealt(sampled: Mapping[str, Sequence[_Item]], options: Options, bounds: Sequence[int]) -> Iterator[_Item]:
    """The chosen pairs: all first ones, all second ones, and so on.

    Where a round begins in the middle of a list, the paradigms that the list has already come last in the round.
    """
    before: list[str] = []
    for number in range(options.pairs):
        start = number * len(sampled)
        here = start - max(bound for bound in bounds if bound <= start)
        recent = before[len(before) - min(here, len(before)) :]
        order = sorted(sampled, key=lambda uid: _keyed(options.seed, "round", number, uid))
        before = [uid for uid in order if uid not in recent] + [uid for uid in order if uid in recent]
        yield from (sampled[uid][number] for uid in before)


def _sampled(source: Source, uid: str, rows: Sequence[Row], options: Options) -> list[_Item]:
    if len(rows) < options.pairs:
        raise DataError(
            f"{uid} has {len(rows)} pairs, and {options.pairs} of each paradigm are asked for; "
            f"--pairs {len(rows)} is possible",
            Place(source.path),
        )
    order = sorted(rows, key=lambda row: _keyed(options.seed, "pair", uid, row["pairID"]))
    return [(uid, str(row["pairID"]), row["sentence_good"], row["sentence_bad"]) for row in order[: options.pairs]]


def _arranged(chunk: Sequence[_Item], number: int, length: int, seed: int, side: int) -> Iterator[Trial]:
    """The trials of a list: the pairs of a chunk in an order of its own, checks among them."""
    both = (number + 1) // 2
    ranked = sorted(chunk, key=lambda item: _keyed(seed, "side", both, item[:2]))
    position = {item: (rank + both + side) % 2 + 1 for rank, item in enumerate(ranked)}
    shown = sorted(chunk, key=lambda item: _keyed(seed, "order", number, item[:2]))
    trials = [(*item, position[item]) for item in shown]
    checks = length - len(chunk)
    for k in reversed(range(checks)):
        low, high = len(chunk) * k // checks, len(chunk) * (k + 1) // checks
        good, bad = _CHECKS[(number + k) % len(_CHECKS)]
        # Never first, where a participant may still be finding out how things work.
        place = 1 + low + _keyed(seed, "check", number, k) % max(1, high - low)
        trials.insert(place, (ATTENTION, str(k + 1), good, bad, _keyed(seed, "check side", number, k) % 2 + 1))
    for item, (uid, pair_id, good, bad, good_position) in enumerate(trials, start=1):
        yield Trial(number, item, uid, pair_id, good, bad, good_position)


def key_text(lists: Sequence[Sequence[Trial]]) -> str:
    """The key as CSV: for every trial of every list what it is and where the good sentence stands (1 or 2)."""
    rows: list[dict[str, Any]] = [
        {
            "list": t.list,
            "item": t.item,
            "UID": t.uid,
            "pair_id": t.pair_id,
            "good_position": t.good_position,
            "sentence_good": t.good,
            "sentence_bad": t.bad,
        }
        for trials in lists
        for t in trials
    ]
    return csv_text([*rows[0]], rows)
