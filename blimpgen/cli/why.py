"""`blimpgen why`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from blimpgen.cli.facts import fact_lines, shown_place, with_places_as_text
from blimpgen.cli.options import AsJson, Data, Profile, argument, library, prepared, write_json

if TYPE_CHECKING:
    from blimpgen.authoring import Verdict

__all__ = ["verdict_lines", "why"]

_NAMED = 2


def why(
    paradigm: Annotated[str, argument("UID|FILE", "A paradigm.")],
    slot: Annotated[str, argument("SLOT", "One of its slots, or a daughter: subj/D.")],
    lemma: Annotated[str, argument("LEMMA", "A word of the lexicon: lemma, form, or id.")],
    as_json: AsJson = False,
    data: Data = None,
    profile: Profile = None,
) -> None:
    """Say which constraint keeps a word out of a slot, or show a pair that has it there.

    Example: blimpgen why transitive verb sleep
    """
    from blimpgen.authoring import why

    words = library(data, profile)
    verdicts = why(prepared(paradigm, words), slot, lemma)
    if as_json:
        write_json([with_places_as_text(asdict(verdict)) for verdict in verdicts])
        return
    for number, verdict in enumerate(verdicts):
        typer.echo("\n".join(["", *verdict_lines(verdict, slot)] if number else verdict_lines(verdict, slot)))


def verdict_lines(verdict: Verdict, slot: str) -> Iterator[str]:
    """A verdict on one lexeme as lines.

    Args:
        verdict: the verdict.
        slot: the slot.
    """
    fits = bool(verdict.example) or not verdict.reasons
    partly = " in some cells only" if fits and verdict.reasons else ""
    yield f"{verdict.lexeme} ({verdict.category}) {'fits' if fits else 'does not fit'} {slot}{partly}"
    yield from fact_lines("    lexicon ", verdict.facts)
    for reason in verdict.reasons:
        cells = "; ".join(reason.cells[:_NAMED]) + (
            f" and {len(reason.cells) - _NAMED} more" if len(reason.cells) > _NAMED else ""
        )
        where = f" ({shown_place(reason.place)})" if reason.place else ""
        yield f"    kept out  {f'[{cells}] ' if cells else ''}{reason.text}{where}"
    for name, sentence in verdict.example.items():
        yield f"    {name:9} {sentence}"
