"""What the records of a design say beyond their sentences: the number of every slot, and the words that differ."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import repeat
from typing import TypeAlias

import numpy as np

from blimpgen.base.records import difference
from blimpgen.lexicon import Lexicon
from blimpgen.plan import Node, Plan
from blimpgen.plan.nodes import PLURAL, SINGULAR, UNKNOWN
from blimpgen.plan.plan import Columns
from blimpgen.realize.sentences import Sentence

__all__ = ["Words", "differing_words", "slot_numbers"]

Words: TypeAlias = "list[list[str]]"

_NAMES = {SINGULAR: "Sing", PLURAL: "Plur"}


def slot_numbers(plan: Plan, columns: Columns) -> Iterable[dict[str, str]]:
    """Return for each row the number of its slots, Sing or Plur, as in the good sentence.

    A slot without number is left out; one that agrees with another has the number of that one. Where all rows are the
    same this is a `repeat`.

    Args:
        plan: the plan.
        columns: the assignments.
    """
    bearers = {slot: node for slot in plan.specs if (node := _bearer(plan, slot)) is not None}
    code = np.zeros(len(columns[0]), dtype=np.int64)
    for node in bearers.values():
        code = code * (UNKNOWN + 1) + node.number[columns[plan.index(node)]]
    numbers = []
    distinct = code[:1] if (code == code[:1]).all() else np.unique(code)
    for value in distinct.tolist():
        digits = {}
        for slot in reversed(bearers):
            value, digits[slot] = divmod(value, UNKNOWN + 1)
        numbers.append({slot: _NAMES[digits[slot]] for slot in bearers if digits[slot] != UNKNOWN})
    if len(numbers) == 1:
        return repeat(numbers[0])
    return [numbers[k] for k in np.searchsorted(distinct, code).tolist()]


def _bearer(plan: Plan, slot: str) -> Node | None:
    """The node whose number a slot has: its own, or that of what it agrees with or repeats."""
    node = plan.slots.get(slot)
    if node is not None and (node.number != UNKNOWN).any():
        invariant = plan.specs[slot].words and (node.domain.forms("Sing") == node.domain.forms("Plur")).all()
        return None if invariant else node
    target = plan.agreement.get(slot) or (plan.specs[slot].same if slot in plan.specs else "")
    return _bearer(plan, target.partition(".")[0]) if target else None


def differing_words(better: Sentence, worse: Sentence, lexicon: Lexicon) -> list[Words]:
    """Return for each row, span by span, the words of the better sentence and those of the worse one in their place.

    Args:
        better: the better sentence.
        worse: the worse one, of the same rows.
        lexicon: the words.
    """
    if len(better.ids) != len(worse.ids):
        both = (s.texts(lexicon, capital=False) for s in (better, worse))
        return [_spans(a, b) for a, b in zip(*both, strict=True)]
    pairs = [(a, b) for a, b in zip(better.ids, worse.ids, strict=True) if a is not b and (a != b).any()]
    code = np.zeros(len(better.ids[0]), dtype=np.int64)
    first = code[:1]
    for column in (column for pair in pairs for column in pair):
        _, first, inverse = np.unique(
            code * len(lexicon.strings.texts) + column, return_index=True, return_inverse=True
        )
        code = inverse.reshape(-1).astype(np.int64)
    text = lexicon.strings.text
    spans = [[s for a, b in pairs for s in _spans(text(int(a[k])), text(int(b[k])))] for k in first.tolist()]
    return [spans[k] for k in code.tolist()]


def _spans(better: str, worse: str) -> Words:
    a, b = better.split(), worse.split()
    return [[" ".join(a[i:j]), " ".join(b[k:n])] for (i, j), (k, n) in difference(better, worse)]
