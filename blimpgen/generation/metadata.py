"""What lies behind one pair: slots with their lexemes and features, rules, regions; made only when asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from blimpgen.base.records import difference
from blimpgen.generation.derivations import Row
from blimpgen.generation.trees import bracketed, lexemes
from blimpgen.paradigm import Paradigm
from blimpgen.plan import Node
from blimpgen.plan.regions import region_numbers
from blimpgen.realize import Columns

if TYPE_CHECKING:
    from blimpgen.generation.compiled import CompiledCell, CompiledParadigm

__all__ = ["explain", "fillers"]


def explain(
    compiled: CompiledParadigm, cell: CompiledCell, columns: Columns, row: int, texts: Mapping[str, str]
) -> dict[str, Any]:
    """The metadata of one row.

    Args:
        compiled, cell, columns, row: the row.
        texts: its sentences by name.

    Returns:
        ``slots`` (slot to lexeme ids, surface, features, rules), ``cell`` (factor levels), ``difference`` (word spans;
        of a set by comparison), ``words`` (by sentence: text and lexeme id of each part), ``trees`` (bracketed, by
        sentence); with made-up words ``nonce`` (each with the lexeme that it stands for); of a paradigm with regions
        also ``regions`` (by sentence: region and its words) and ``predictions``.
    """
    one = [c[row : row + 1] for c in columns]
    model = compiled.paradigm.model
    whole = Row(cell, one)
    metadata: dict[str, Any] = {
        "slots": fillers(cell, one),
        "cell": dict(cell.plan.cell.levels),
        "difference": _difference(compiled.paradigm, texts),
        "words": lexemes(whole),
        "trees": bracketed(whole, compiled.paradigm.pairs.values()),
        **({"nonce": cell.replaced(one)[0]} if cell.replaced else {}),
    }
    if model.regions is not None:
        metadata["regions"] = {name: _cut(compiled, cell, one, name, text) for name, text in texts.items()}
        metadata["predictions"] = model.predictions or []
    return metadata


def _cut(compiled: CompiledParadigm, cell: CompiledCell, one: Columns, name: str, text: str) -> list[tuple[str, str]]:
    """A sentence cut into regions: each as the paradigm writes it, with what it has of this sentence."""
    groups = compiled.paradigm.model.regions or []
    template, lexicon = cell.templates[name], compiled.language.lexicon
    realised = template.realise(one, lexicon)
    begins: list[int] = []
    for k, place in enumerate(region_numbers(compiled.paradigm, name, template.tokens)):
        # What stands before a token ends with its space, or right before a mark without one.
        begin = max(0, int(realised.offset(k, lexicon)[0]) - 1)
        begins += [begin] * (place + 1 - len(begins))
    begins += [len(text)] * (len(groups) + 1 - len(begins))
    return [(group, text[a:b].strip()) for group, a, b in zip(groups, begins, begins[1:], strict=False)]


def fillers(cell: CompiledCell, one: Columns) -> dict[str, Any]:
    """The slots of a cell in one row: lexeme ids, surface, features, rules.

    Args:
        cell: the cell.
        one: the columns of the row alone.
    """
    return {name: _slot(cell, node, one) for name, node in cell.plan.slots.items()}


def _difference(paradigm: Paradigm, texts: Mapping[str, str]) -> Any:
    spans = {name: difference(texts[better], texts[worse]) for name, (better, worse) in paradigm.pairs.items()}
    return spans[""] if paradigm.is_pair else spans


def _slot(cell: CompiledCell, node: Node, one: Columns) -> dict[str, Any]:
    described: dict[str, Any] = {}
    candidate = int(one[cell.plan.index(node)][0])
    if node.rows:
        return dict(node.rows[candidate])
    leaf = node.leaves[int(node.leaf[candidate])]
    described["lexeme"] = leaf.inventory.ids[int(node.lexeme[candidate])]
    if leaf.features:
        described["features"] = dict(leaf.features)
    if leaf.rules:
        described["rules"] = [rule.name for rule in leaf.rules]
    below = {
        role: _slot(cell, child, one)
        for role, child in node.children.items()
        if int(one[cell.plan.index(child)][0]) >= 0
    }
    if below:
        described["daughters"] = below
    return described
