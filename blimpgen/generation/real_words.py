"""What a contrast rests on: the words that must stay real, so that good stays good and bad stays bad.

A made-up word has its class, its number and its inflection on its face; everything else about it a reader can only
take from the sentence. So a word stays real where

* it is *critical*: the sentences differ in it (`blimpgen generate --nonce-critical` replaces such words too);
* its fault is asserted in the lexicon (*no_frame, bad_subject_of, bad_object_of*), or the contrast is one of selection;
* the paradigm asks for an irregular form or for what only known words have;
* with it made up, the clause grammar derives a bad sentence: a verb that may have any frame, a noun of any gender;
* no clause grammar could tell, because its language has word lists alone, and the contrast is none of agreement.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import listing
from blimpgen.english.words import is_mark
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm
from blimpgen.generation.derivations import Deriver, Row, derivable_slots
from blimpgen.grammar.chart import Terminal
from blimpgen.lexicon.entries import phis
from blimpgen.lexicon.features import split_features
from blimpgen.lexicon.restrictions import And, Atom, Expression, Not, Or
from blimpgen.paradigm import Token
from blimpgen.plan import Node
from blimpgen.plan.spec import SlotSpec

__all__ = ["Reasons", "real_words", "refusal"]

_ASSERTED = ("bad_subject_of", "bad_object_of")
_LEXICAL = ("irregular=yes", "lemma=")
_NAMES = {"N": "noun", "V": "verb", "A": "adjective"}
_SELECTION = "the contrast is one of selection, which only real words have"
_ROWS = 4


@dataclass(frozen=True)
class Reasons:
    """Why words of a cell stay real, by the path of their node.

    Attributes:
        critical: the sentences differ in it.
        needed: the labels need it real.
    """

    critical: dict[str, str]
    needed: dict[str, str]


def real_words(compiled: CompiledParadigm, categories: tuple[str, ...], *, critical: bool = False) -> list[Reasons]:
    """What stays real in each cell of a paradigm.

    Args:
        compiled: the paradigm.
        categories: what is to be made up: N, V, A.
        critical: critical words are to be made up too.
    """
    cells = []
    for number, cell in enumerate(compiled.cells):
        reasons = Reasons(_critical(compiled, cell), {**_unproven(cell), **_asserted(compiled, cell)})
        if derivable_slots(cell) and not cell.language.grammar.lists and compiled.paradigm.model.derivable is None:
            columns = compiled.sample(number, _ROWS)
            rows = [Row(cell, [c[k : k + 1] for c in columns]) for k in range(_ROWS)]
            _prove(compiled, cell, reasons, rows, categories, critical)
        cells.append(reasons)
    return cells


def refusal(
    compiled: CompiledParadigm, categories: tuple[str, ...], reasons: list[Reasons] | None = None
) -> str | None:
    """Why it makes no sense to make up the words in which the sentences of a paradigm differ; None where it does.

    Args:
        compiled: the paradigm.
        categories: what is to be made up: N, V, A.
        reasons: what stays real, if it is known already.
    """
    critical = [
        {node.path for node in cell.plan.order if _has(node, categories)} & _critical(compiled, cell).keys()
        for cell in compiled.cells
    ]
    if not any(critical):
        names = " and no ".join(_NAMES[category] for category in categories)
        return f"its sentences differ in no {names}, but in {_difference(compiled)}"
    if reasons is None:
        reasons = real_words(compiled, categories, critical=True)
    for paths, of_cell in zip(critical, reasons, strict=True):
        for path in sorted(paths & of_cell.needed.keys()):
            return f"{path!r} must be real: {of_cell.needed[path]}"
    return None


def _difference(compiled: CompiledParadigm) -> str:
    """What the sentences of a paradigm differ in: slots, closed-class words, or their order alone."""
    slots: dict[str, None] = {}
    words: dict[str, None] = {}
    for cell in compiled.cells:
        slots |= dict.fromkeys(path.partition("/")[0] for path in _critical(compiled, cell))
        first, *others = [set(tokens) for tokens in cell.plan.tokens.values()]
        for token in sorted(first.union(*others) - first.intersection(*others), key=str):
            if token.text:
                words |= dict.fromkeys([token.text] if not is_mark(token.text) else [])
            else:
                words |= dict.fromkeys(row[token.part] for row in cell.plan.slots[token.slot].rows)
    named = ("slot", [*map(repr, slots)]), ("word", [*words])
    differences = [f"the {name}{'s' * (len(items) > 1)} {listing(items)}" for name, items in named if items]
    return ", ".join(differences) or "the order of their words"


def _critical(compiled: CompiledParadigm, cell: CompiledCell) -> dict[str, str]:
    plan, reasons = cell.plan, {}
    tokens = plan.tokens.values()
    for slot in plan.specs:
        uses = [{t for t in sentence if t.slot == slot} for sentence in tokens]
        if any(t.change for used in uses for t in used):
            reasons[_path(cell, slot)] = "it is changed in the bad sentence"
        elif any(uses) and not all(uses):
            reasons[_path(cell, slot)] = "only one of the sentences has it"
        if like := plan.specs[slot].like:
            reasons[_path(cell, slot)] = reasons[_path(cell, like)] = "the sentences exchange it for another word"
    return reasons


def _unproven(cell: CompiledCell) -> dict[str, str]:
    """The inflected words that must be known, because nothing derives sentences with made-up words of lists.

    Where a form is changed that agrees with another word, that is a word whose value of the feature shows nowhere else;
    everywhere else, all words of which something is asked.
    """
    plan = cell.plan
    ties = {(a, f, b) for a, spec in plan.specs.items() for f, (kind, b) in spec.ties.items() if kind == "same"}
    ties |= {(b, feature, a) for a, feature, b in ties}
    changes = {(t.slot, t.change[0]) for tokens in plan.tokens.values() for t in tokens if t.change}
    same_words = len({tuple((t.slot, t.text) for t in tokens) for tokens in plan.tokens.values()}) == 1
    inflected = {slot: node for slot, node in plan.slots.items() if node.inflected}
    if same_words and all(any((slot, feature) == tie[:2] for tie in ties) for slot, feature in changes):
        return {
            inflected[other].path: f"its {feature} shows in no other word"
            for slot, feature in changes
            for _, _, other in (tie for tie in ties if tie[:2] == (slot, feature))
            if other in inflected
            and _has_one_value(inflected[other], feature)
            and not any(
                tie[1:] == (feature, other) and tie[0] != slot and _shows(plan.slots[tie[0]], feature) for tie in ties
            )
        }
    asked = {name.partition(".")[0] for spec in plan.specs.values() for of in spec.relations.values() for name in of}
    asked |= {slot for slot, spec in plan.specs.items() if spec.restrictions or spec.relations}
    why = "what it means may decide, and nothing derives sentences with made-up words of lists"
    return {node.path: why for slot, node in inflected.items() if slot in asked}


def _has_one_value(node: Node, feature: str) -> bool:
    """Whether words of a slot have a feature by themselves, as nouns have a gender: not all forms for all values."""
    return any(bool(((forms >= 0) != (others >= 0)).any()) for forms, others in _contrasts(node, feature))


def _shows(node: Node, feature: str) -> bool:
    """Whether no word of a slot has one form for two values of a feature."""
    contrasts = [*_contrasts(node, feature)]
    return bool(contrasts) and not any(bool(((a == b) & (a >= 0)).any()) for a, b in contrasts)


def _contrasts(node: Node, feature: str) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """The forms of the candidates of a slot in each two cells that differ in a feature alone."""
    for leaf in node.leaves if node.inflected else ():
        cells = [(split_features(cell), forms[leaf.candidates]) for cell, forms in leaf.inventory.forms.items()]
        for (a, forms), (b, others) in itertools.combinations(cells, 2):
            if {name for name in a if a[name] != b[name]} == {feature}:
                yield forms, others


def _path(cell: CompiledCell, slot: str) -> str:
    same = cell.plan.specs[slot].same
    return _path(cell, same) if same else cell.plan.slots[slot].path


def _asserted(compiled: CompiledParadigm, cell: CompiledCell) -> dict[str, str]:
    reasons: dict[str, str] = {}
    for slot, spec in cell.plan.specs.items():
        for names, why in (
            *_verbal(cell, spec, compiled.paradigm.model.derivable),
            *_lexical(spec),
            *_adjectival(cell, spec),
        ):
            for name in names or (slot,):
                reasons.setdefault(_path(cell, name), why)
    return reasons


def _verbal(cell: CompiledCell, spec: SlotSpec, selection: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Assertions of the lexicon, selection and irregular forms: the slots concerned (its own if none), and why."""
    if any(t.change and t.change[0] == "form" and t.slot == spec.name for s in cell.plan.tokens.values() for t in s):
        yield (), "the contrast is one of irregular forms, and a made-up word is regular"
    if spec.no_frames:
        yield (), f"the lexicon asserts that it has no {', '.join(spec.no_frames)}"
    for relation in _ASSERTED:
        for target in spec.relations.get(relation, ()):
            yield (spec.name, target.partition(".")[0]), _SELECTION
    if spec.like and selection:
        yield (spec.name, spec.like), _SELECTION


def _lexical(spec: SlotSpec) -> Iterator[tuple[tuple[str, ...], str]]:
    """What the paradigm asks for and no made-up word has."""
    constraints = [str(atom) for expression in spec.expressions for atom in _positive(expression)]
    constraints += [f"{name}={'/'.join(v.values)}" for name, v in spec.features.items() if not v.negated]
    yield from (((), f"the paradigm asks for {_cut(text)}") for text in constraints if text.startswith(_LEXICAL))


def _adjectival(cell: CompiledCell, spec: SlotSpec) -> Iterator[tuple[tuple[str, ...], str]]:
    """Adjectives that are known by what stands beside them alone."""
    if spec.name not in cell.plan.slots or not _has(cell.plan.slots[spec.name], ("A",)):
        return
    for noun in spec.relations.get("modifies", ()):
        if not all(_before_its_noun(tokens, spec.name, noun) for tokens in cell.plan.tokens.values()):
            yield (), "apart from its noun it could be a noun itself"
    if any(frames != ("A",) for frames in spec.frames):
        yield (), f"its complement depends on it ({', '.join(map('&'.join, spec.frames))})"


def _before_its_noun(tokens: tuple[Token, ...], adjective: str, noun: str) -> bool:
    """Whether an adjective stands before its noun, wherever it stands."""
    slots = [token.slot for token in tokens]
    return all(noun in slots[k + 1 : k + 3] for k, slot in enumerate(slots) if slot == adjective)


def _positive(expression: Expression, required: bool = True) -> Iterator[Atom]:
    """The atoms that a restriction asks for, and does not exclude."""
    if isinstance(expression, Not):
        yield from _positive(expression.part, not required)
    elif isinstance(expression, And | Or):
        for part in expression.parts:
            yield from _positive(part, required)
    elif required:
        yield expression


def _cut(text: str) -> str:
    return f"certain words ({text[:60]}{'...' if len(text) > 60 else ''})" if text.startswith("lemma=") else text


def _prove(
    compiled: CompiledParadigm,
    cell: CompiledCell,
    reasons: Reasons,
    rows: list[Row],
    categories: tuple[str, ...],
    critical: bool,
) -> None:
    """Make up one slot after the other; what lets a bad sentence be derived is needed real."""
    bad = {worse for _, worse in compiled.paradigm.pairs.values()} - {b for b, _ in compiled.paradigm.pairs.values()}
    coined: set[str] = set()
    heads = [node for node in cell.plan.slots.values() if _has(node, categories)]
    if critical:
        heads.sort(key=lambda node: node.path not in reasons.critical)
    for node in heads:
        if node.path in reasons.needed or (node.path in reasons.critical and not critical):
            continue
        trial = frozenset({*coined, node.path})
        name = next((name for row in rows for name in sorted(bad) if _Unknown(row, trial, categories).tree(name)), None)
        if name is None:
            coined.add(node.path)
        else:
            reasons.needed[node.path] = f"with a made-up word there, {name!r} may be acceptable"


def _has(node: Node, categories: tuple[str, ...]) -> bool:
    return any(leaf.inventory.category in categories for leaf in node.leaves)


class _Unknown(Deriver):
    """Derives sentences in which some words are unknown: only class, number and form are seen of them."""

    def __init__(self, row: Row, made_up: frozenset[str], categories: tuple[str, ...]) -> None:
        super().__init__(row, "open")
        self.made_up, self.categories = made_up, categories

    def _is_made_up(self, node: Node) -> bool:
        return node.path in self.made_up and self.row.leaf(node).inventory.category in self.categories

    def _nominal(self, token: Token, node: Node, category: str) -> Iterator[Terminal]:
        for terminal in super()._nominal(token, node, category):
            yield terminal
            if self._is_made_up(node) and "phi" in terminal.values:
                singular = (*phis("Sing", "Com", category), "Neut")
                for phi in singular if terminal.values["Number"] == "Sing" else ("Plur",):
                    yield Terminal(category, {**terminal.values, "phi": phi})
                    if category == "N":
                        yield Terminal(category, {**terminal.values, "phi": phi, "count": "mass"})

    def _verb(self, token: Token, node: Node) -> Iterator[Terminal]:
        for terminal in super()._verb(token, node):
            yield terminal
            if self._is_made_up(node):
                for frame in self.language.lexicon.verbs.rows:
                    if not frame.startswith("A"):
                        yield Terminal("V", {**terminal.values, "frame": frame, "that0": "yes"})
