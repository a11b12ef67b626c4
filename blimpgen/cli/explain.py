"""`blimpgen explain`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blimpgen.cli.facts import fact_lines, shown_place, with_places_as_text
from blimpgen.cli.options import AsJson, Data, Profile, Seed, argument, library, option, prepared, write_json

if TYPE_CHECKING:
    from blimpgen.authoring import Choice, Explained

__all__ = ["explain"]


def explain(
    paradigm: Annotated[str, argument("UID|FILE", "A paradigm.")],
    row: Annotated[int, option("--row", "A row of its set.", "N", min=0)],
    seed: Seed = 0,
    as_json: AsJson = False,
    data: Data = None,
    profile: Profile = None,
) -> None:
    """Explain a row: slots, lexemes, rules, trees, and why each word was possible.

    Example: blimpgen explain principle_A_case_1 --row 17
    """
    from blimpgen.authoring import explain_row

    words = library(data, profile)
    explained = explain_row(prepared(paradigm, words), row, seed)
    if as_json:
        write_json(_explained(explained))
    else:
        typer.echo("\n".join(_lines(explained)))


def _lines(explained: Explained) -> Iterator[str]:
    from blimpgen.authoring.display import BRACKETS, record_lines, tree_lines

    yield from record_lines(explained.record, BRACKETS)
    if explained.cell:
        yield f"cell: {', '.join(f'{factor}={level}' for factor, level in explained.cell.items())}"
    for choice in explained.choices:
        yield ""
        yield from _choice(choice)
    for name, tree in explained.trees.items():
        yield ""
        yield f"{name}:"
        yield from (f"  {line}" for line in tree_lines(tree))


def _choice(choice: Choice) -> Iterator[str]:
    forms = " / ".join(dict.fromkeys(choice.words.values())) or "in no sentence"
    yield f"{choice.path}: {forms}"
    if choice.rules:
        rules = ", ".join(f"{rule.text} ({shown_place(rule.place)})" for rule in choice.rules)
        yield f"    rules     {rules}"
    if choice.features:
        yield f"    features  {', '.join(f'{name}={value}' for name, value in choice.features.items())}"
    yield from fact_lines("    lexicon ", choice.facts)
    yield from fact_lines("    asked   ", choice.asked)
    if choice.admitted:
        yield (
            f"    drawn     among {choice.fitting:,} that go with the words above, of {choice.partnered:,} with "
            f"partners, of {choice.admitted:,} admitted"
        )


def _explained(explained: Explained) -> dict[str, Any]:
    choices = [with_places_as_text(asdict(choice)) for choice in explained.choices]
    return {"record": explained.record.to_dict(), "cell": explained.cell, "choices": choices, "trees": explained.trees}
