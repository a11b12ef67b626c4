"""What keeps a word out of a slot.

A word comes into a slot in three steps. The slot's *own* constraints, and the rules of its category, admit it. A
*change* in place leaves only words that it makes wrong. Of every *related* slot some word goes with it. The first
step that refuses it is told, with the place in the file that says so; a word that passes all of them is shown in a
pair.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from blimpgen.authoring.lexeme_facts import Fact, Lexeme, find
from blimpgen.authoring.slot_constraints import candidates, refusing
from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.paradigm import Paradigm
from blimpgen.plan import Node, Plan, compile_cell
from blimpgen.plan.lookahead import look_ahead
from blimpgen.plan.plan import Cut
from blimpgen.plan.spec import DAUGHTERS
from blimpgen.sampling import Sampler, Stream

__all__ = ["Reason", "Verdict", "sentences_with", "why"]

_TRIED = 256


@dataclass(frozen=True)
class Reason:
    """One thing that keeps a word out.

    Attributes:
        step: ``own``, ``change`` or ``related``.
        text: what it is, as the file says it.
        place: where it stands, if in a file.
        cells: the cells of the design in which it does; empty where it does in all.
    """

    step: str
    text: str
    place: Place | None
    cells: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """Whether one lexeme may fill a slot.

    Attributes:
        lexeme: its id.
        category: its category.
        facts: what the lexicon says of it.
        reasons: what keeps it out; in some cells only, if there is an example too.
        example: a pair that has it, if it may fill the slot: name of the sentence to sentence.
    """

    lexeme: str
    category: str
    facts: tuple[Fact, ...]
    reasons: tuple[Reason, ...]
    example: dict[str, str] = field(default_factory=dict)


def why(compiled: CompiledParadigm, slot: str, word: str) -> list[Verdict]:
    """What keeps a word out of a slot, or a pair that has it there.

    Args:
        compiled: the paradigm.
        slot: a slot, or a daughter of its phrase: ``subj/determiner``, or ``subj/D`` as a paradigm names it.
        word: a lemma, a form, or the id of a lexeme.

    Returns:
        A verdict for each lexeme with that word; of lexemes in other categories only if there is no other.

    Raises:
        UsageError: an unknown slot, or a word that the lexicon does not have.
    """
    path = _path(compiled, slot)
    looks = [_Look(compiled, cell, path) for cell in compiled.cells]
    if written := {text for look in looks for text in look.written}:
        return [_written(looks, word, written)]
    verdicts = [_verdict(looks, lexeme) for lexeme in find(compiled.language.lexicon, word)]
    categories = {category for look in looks for category in look.categories}
    inside = [verdict for verdict in verdicts if verdict.category in categories]
    return inside or list({verdict.lexeme: verdict for verdict in verdicts}.values())


def _path(compiled: CompiledParadigm, slot: str) -> str:
    """The path of the node that a slot names; of a `same` slot, its original's."""
    specs = compiled.cells[0].plan.specs
    head, *keys = slot.replace(".", "/").split("/")
    if head not in specs:
        raise UsageError(f"{compiled.paradigm.uid} has no slot {head!r}; {nearest(head, specs)}")
    while specs[head].same:
        head = specs[head].same
    path = "/".join([head, *(DAUGHTERS.get(key, key) for key in keys)])
    paths = {node.path: None for cell in compiled.cells for node in cell.plan.order}
    if path not in paths:
        raise UsageError(f"{compiled.paradigm.uid} has no slot {slot!r}; {nearest(path, paths)}")
    return path


def _verdict(looks: list[_Look], lexeme: Lexeme) -> Verdict:
    cells_of: dict[Reason, list[str]] = {}
    example: dict[str, str] = {}
    for look in looks:
        reasons = list(look.reasons(lexeme))
        if not reasons and not example:
            example = look.example(lexeme)
            reasons = [] if example else [Reason("related", f"none of {_TRIED} attempts made a pair with it", None)]
        for reason in reasons:
            cells_of.setdefault(reason, []).append(look.cell.plan.cell.name)
    told = [
        reason if len(cells) == len(looks) else replace(reason, cells=tuple(cells))
        for reason, cells in cells_of.items()
    ]
    facts = tuple(lexeme.facts(looks[0].cell.language.lexicon))
    return Verdict(lexeme.id, lexeme.inventory.category, facts, tuple(told), example)


def _written(looks: list[_Look], word: str, written: set[str]) -> Verdict:
    """The verdict on a slot without grammar, whose words stand in the file."""
    spec = looks[0].spec
    key = "table" if spec.table else "words"
    if word in written:
        return Verdict(word, key, (Fact(f"it stands in {key}", spec.at(key)),), ())
    return Verdict(word, key, (), (Reason("own", f"{key}: {nearest(word, sorted(written))}", spec.at(key)),))


class _Look:
    """One cell, compiled once more to see what is taken out of a node on the way."""

    def __init__(self, compiled: CompiledParadigm, cell: CompiledCell, path: str) -> None:
        self.paradigm, self.cell, self.path = compiled.paradigm, cell, path
        self.cuts: list[Cut] = []
        self.plan = compile_cell(self.paradigm, cell.plan.cell, cell.language, self.cuts.append)
        self.node = next((node for node in self.plan.order if node.path == path), None)
        self.spec = self.plan.specs[path.partition("/")[0]]

    @property
    def written(self) -> list[str]:
        """The words of a slot without grammar; none of a slot that draws from the lexicon."""
        if self.node is not None and self.node.rows:
            return [cell for row in self.node.rows for cell in row.values()]
        named = set(self.spec.words) & set(self.cell.language.lexicon.word_lists)
        return [] if named else list(self.spec.words)

    @property
    def categories(self) -> set[str]:
        """The categories of the words that the node may have."""
        return {leaf.inventory.category for leaf in self.node.leaves} if self.node else set()

    def reasons(self, lexeme: Lexeme) -> Iterator[Reason]:
        """What keeps a lexeme out; nothing if it is a candidate."""
        where = candidates(self.node, lexeme)
        if not len(where):
            for fact in refusing(self.plan, self.cell.language, self.path, lexeme):
                yield Reason("own", fact.text, fact.place)
            return
        alive, reasons = np.ones(len(where), dtype=bool), []
        for cut in self.cuts:
            if cut.node is self.node:
                if (alive & ~cut.remaining[where]).any():
                    reasons.append(Reason(cut.step, cut.reason, cut.place))
                alive &= cut.remaining[where]
        yield from self._alone(where[alive]) if alive.any() else reasons

    def _alone(self, where: NDArray[np.intp]) -> Iterator[Reason]:
        """The nodes of which no word goes with any of these candidates, earlier ones included."""
        for c in self.plan.constraints:
            if self.node in (c.a, c.b) and self.node is not None and not c.induced:
                other, theirs, mine, table = c.between(self.node)
                left = np.unique(theirs[:-1][self.plan.masks[self.plan.index(other)]])
                if not table[np.ix_(left, mine[where])].any() and other.parent is not self.node:
                    yield Reason("related", f"no word of {other.path!r} goes with it ({c.name})", self.spec.place)

    def example(self, lexeme: Lexeme) -> dict[str, str]:
        """The sentences of a row with the lexeme in the node; none if none is found."""
        assert self.node is not None
        return next(_rows_with(replace(self.cell, plan=self.plan), self.paradigm, self.node, lexeme), {})


def sentences_with(compiled: CompiledParadigm, lexeme: Lexeme) -> Iterator[str]:
    """Good sentences of a paradigm that show a lexeme, one for each of its cells and places that take it.

    Args:
        compiled: the paradigm.
        lexeme: of the words that the paradigm draws from.
    """
    forms = compiled.language.lexicon.inflected(lexeme.inventory, lexeme.number).values()
    spelt = re.compile(rf"\b({'|'.join(map(re.escape, forms))})\b", re.IGNORECASE)
    for cell in compiled.cells:
        for node, mask in zip(cell.plan.order, cell.plan.masks, strict=True):
            if mask[candidates(node, lexeme)].any():
                for sentences in islice(_rows_with(cell, compiled.paradigm, node, lexeme), 1):
                    yield from filter(spelt.search, islice(sentences.values(), 1))


def _rows_with(cell: CompiledCell, paradigm: Paradigm, node: Node, lexeme: Lexeme) -> Iterator[dict[str, str]]:
    """The sentences of rows that have a lexeme in a node, among some hundred attempts."""
    masks = [mask.copy() for mask in cell.plan.masks]
    at = cell.plan.index(node)
    only = np.zeros(node.size, dtype=bool)
    only[candidates(node, lexeme)] = True
    masks[at] &= only
    plan: Plan = replace(cell.plan, masks=masks, removed={})
    try:
        look_ahead(plan)
    except DataError:
        return
    rows = np.arange(_TRIED, dtype=np.uint64)
    draw = Sampler(plan).draw(Stream(0, paradigm.uid), rows, np.zeros_like(rows))
    lexicon, capital = cell.language.lexicon, paradigm.model.text == "sentence"
    for row in np.flatnonzero(draw.ok):
        if draw.columns[at][row] >= 0:
            columns = [column[row : row + 1] for column in draw.columns]
            yield {
                name: template.realise(columns, lexicon).texts(lexicon, capital=capital)[0]
                for name, template in cell.templates.items()
            }
