"""Compiling a paradigm: its cells planned, if that has not been done yet, and their sentences laid out."""

from __future__ import annotations

from collections.abc import Sequence

from blimpgen.base.memo import Memo
from blimpgen.generation.compiled import CompiledCell, CompiledParadigm, PlannedCell
from blimpgen.library import Language, Library
from blimpgen.paradigm import Paradigm
from blimpgen.plan import Plan, compile_cells
from blimpgen.realize import Forms, Layout, Template, lay_out
from blimpgen.sampling.choice import SharedCandidates

__all__ = ["compile_paradigm", "lay_out_cell"]


def compile_paradigm(
    paradigm: Paradigm, library: Library, planned: Sequence[PlannedCell] | None = None
) -> CompiledParadigm:
    """Compile a paradigm; nothing of it is proven.

    Args:
        paradigm: its file.
        library: its words and rules.
        planned: its cells, if their plans are known already.

    Raises:
        DataError: a slot without candidates, or whatever else is wrong with its slots and sentences.
    """
    language = library.language_of(paradigm)
    plans = [cell.plan for cell in planned] if planned else compile_cells(paradigm, language)
    candidates: SharedCandidates = Memo()
    compiled = [
        CompiledCell(
            plan,
            language,
            lay_out_cell(paradigm, plan, language),
            paradigm.model.unique == "on",
            planned=planned[k] if planned else None,
            candidates=candidates,
        )
        for k, plan in enumerate(plans)
    ]
    return CompiledParadigm(paradigm, language, compiled, proven=planned is not None)


def lay_out_cell(paradigm: Paradigm, plan: Plan, language: Language, forms: Forms | None = None) -> dict[str, Template]:
    """The sentences of a cell, the first good one first.

    Args:
        paradigm: the file.
        plan: the cell's plan.
        language: words and rules.
        forms: other forms than the lexicon's.
    """
    layout = Layout(plan, language.lexicon, forms)
    names = _good_first(paradigm, list(plan.cell.sentences))
    if language.limits:
        literals = [token.text for name in names for token in plan.tokens[name] if token.text]
        language.limits.check_words(literals, paradigm.place())
    return {
        name: lay_out(
            plan.tokens[name],
            layout,
            paradigm.place("sentences", name) if paradigm.model.sentences else paradigm.place(name),
        )
        for name in names
    }


def _good_first(paradigm: Paradigm, names: Sequence[str]) -> list[str]:
    first = next(iter(paradigm.pairs.values()))[0]
    return [first, *(n for n in names if n != first)]
