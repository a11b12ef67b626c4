"""Records and paradigms as text for the eye: the difference of a pair marked, slots with their candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from blimpgen.base.records import MinimalPair, Record, SentenceSet, difference
from blimpgen.english.words import unmarked
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.derivations import derivable_slots
from blimpgen.sampling.capacity import Capacity

__all__ = [
    "ANSI",
    "BRACKETS",
    "Marks",
    "daughters",
    "describe",
    "marked",
    "record_lines",
    "slot_table",
    "slot_words",
    "tree_lines",
]

Marks: TypeAlias = tuple[str, str]

BRACKETS: Marks = ("[", "]")
ANSI: Marks = ("\x1b[1;4m", "\x1b[0m")


def marked(good: str, bad: str, marks: Marks = BRACKETS) -> tuple[str, str]:
    """Both sentences of a pair, with the words in which they differ between marks.

    Args:
        good: the one sentence.
        bad: the other.
        marks: what stands before and behind the words that differ.
    """
    spans = difference(good, bad)
    return _mark(good, [a for a, _ in spans], marks), _mark(bad, [b for _, b in spans], marks)


def _mark(sentence: str, spans: Sequence[tuple[int, int]], marks: Marks) -> str:
    words = sentence.split()
    for start, end in spans:
        if start < end:
            body = unmarked(words[end - 1])
            words[end - 1] = body + marks[1] + words[end - 1][len(body) :]
            words[start] = marks[0] + words[start]
    return " ".join(words)


def record_lines(record: Record, marks: Marks = BRACKETS) -> Iterator[str]:
    """A record as lines: a pair, its bad sentence starred; or a set, one pair of lines a comparison.

    Args:
        record: what was generated.
        marks: what stands before and behind the words that differ.
    """
    if isinstance(record, MinimalPair):
        yield from _pair_lines(record.id, record.good, record.bad, marks)
    else:
        yield from _set_lines(record, marks)


def _pair_lines(label: str, good: str, bad: str, marks: Marks) -> Iterator[str]:
    good, bad = marked(good, bad, marks)
    yield f"{label:>4}   {good}"
    yield f"{'':4} * {bad}"


def _set_lines(record: SentenceSet, marks: Marks) -> Iterator[str]:
    yield f"{record.id:>4}   {record.row['condition']}".rstrip()
    for name, better, worse in record.pairs:
        good, bad = marked(record.sentences[better], record.sentences[worse], marks)
        yield f"{'':7}{name}: {good}  ({better})"
        yield f"{'':5}* {' ' * len(name)}  {bad}  ({worse})"


def describe(compiled: CompiledParadigm, capacity: Capacity | None = None) -> Iterator[str]:
    """What a paradigm is: its summary, capacity (by default the precise one), cells and slots, as lines.

    Args:
        compiled: the paradigm.
        capacity: how many assignments there are, where it has been counted already.
    """
    paradigm, model = compiled.paradigm, compiled.paradigm.model
    where = ", ".join(filter(None, (paradigm.suite, paradigm.term, model.field)))
    yield f"{paradigm.uid} ({where})"
    yield model.summary
    cells = f" in {len(compiled.cells)} cells" if len(compiled.cells) > 1 else ""
    yield f"assignments: {capacity or compiled.capacity}{cells}"
    if model.unproven:
        yield f"proof: none; {model.unproven}"
    elif not any(map(derivable_slots, compiled.cells)):
        yield "proof: none; no grammar derives sentences of these words"
    for name, template in paradigm.sentences.items():
        if template:
            yield f"{name}: {template}"
    width = max(map(len, model.slots), default=0)
    for name, candidates, asked in slot_table(compiled):
        yield f"  {name:{width}}  {candidates:>11}  {asked}"
        for level, more in _of_levels(compiled, name):
            yield f"  {'':{width}}  {'':>11}    {level}: {more}"


def _of_levels(compiled: CompiledParadigm, slot: str) -> Iterator[tuple[str, str]]:
    """The levels of factors that say more of a slot, and what they say."""
    for factor, levels in compiled.paradigm.model.vary.items():
        for level, changed in levels.items() if isinstance(levels, dict) else ():
            if slot in changed:
                yield f"{factor}={level}", _flow(changed[slot])


def slot_table(compiled: CompiledParadigm) -> Iterator[tuple[str, str, str]]:
    """Each slot of a paradigm with how many candidates it has, and what the file asks of it."""
    for name, slot in compiled.paradigm.model.slots.items():
        yield name, _candidates(compiled, name), _flow(slot)


def slot_words(compiled: CompiledParadigm, slot: str) -> list[str]:
    """The lexemes that a slot may have in some cell, each once; none of a slot that is not drawn or has no grammar.

    Args:
        compiled: the paradigm.
        slot: the slot.
    """
    ids: dict[str, None] = {}
    for cell in compiled.cells:
        node = cell.plan.slots.get(slot)
        if node in cell.plan.order and not node.rows:
            where = np.flatnonzero(cell.plan.masks[cell.plan.index(node)])
            for leaf, lexeme in zip(node.leaf[where].tolist(), node.lexeme[where].tolist(), strict=True):
                ids[node.leaves[leaf].inventory.ids[lexeme]] = None
    return list(ids)


def _candidates(compiled: CompiledParadigm, slot: str) -> str:
    """How many candidates a slot has, over all cells; empty for a slot that is not drawn."""
    sizes = [
        int(cell.plan.masks[cell.plan.index(node)].sum())
        for cell in compiled.cells
        if (node := cell.plan.slots.get(slot)) in cell.plan.order
    ]
    if not sizes:
        return ""
    return f"{sizes[0]:,}" if min(sizes) == max(sizes) else f"{min(sizes):,}-{max(sizes):,}"


def _flow(value: Any) -> str:
    """A value as it stands in the file, in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return str(value)


def tree_lines(tree: str, width: int = 100) -> Iterator[str]:
    """A tree in brackets as indented lines; what fits into the width stays on one line.

    Args:
        tree: in brackets, on one line.
        width: how many characters a line may have, where a tree can be divided.
    """
    opened = [k for k, character in enumerate(tree) if character == "("]
    if len(tree) <= width or len(opened) < 2:
        yield tree
        return
    yield tree[: opened[1]].rstrip()
    *first, last = [f"  {line}" for part in daughters(tree[opened[1] : -1]) for line in tree_lines(part, width - 3)]
    yield from (*first, f"{last})")


def daughters(text: str) -> Iterator[str]:
    """The trees in brackets and the words that stand side by side in a text."""
    depth, start = 0, 0
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and character in " )":
            if part := text[start : k + (character == ")")].strip():
                yield part
            start = k + 1
    if part := text[start:].strip():
        yield part
