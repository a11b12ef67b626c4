"""`blimpgen new`, `blimpgen explain` and `blimpgen why`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blimpgen.base.folders import is_data_folder
from blimpgen.cli.options import AsJson, Data, Profile, Seed, library, message, prepared, write_json

if TYPE_CHECKING:
    from blimpgen.authoring import Choice, Explained, Fact, Verdict
    from blimpgen.base.errors import Place

__all__ = ["explain", "new", "why"]

_NAMED = 2


def new(
    uid: Annotated[str, typer.Argument(metavar="UID", show_default=False, help="The name of the new paradigm.")],
    like: Annotated[str, typer.Option("--like", metavar="UID|FILE", help="The paradigm to begin with.")] = "transitive",
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="DIR",
            show_default=False,
            help="Put it into this data folder, made if need be; otherwise into the current directory.",
        ),
    ] = None,
    suite: Annotated[str, typer.Option("--suite", metavar="S", help="Its suite in the data folder.")] = "mine",
) -> None:
    """Begin a paradigm: a commented file like another paradigm's, which already runs.

    Example: blimpgen new my_paradigm --like principle_A_case_1
    """
    from blimpgen.authoring.start import named, paradigm_text, place_for
    from blimpgen.base.files import write_chunks

    words = library(data if data is not None and is_data_folder(data) else None)
    path = place_for(words, uid, suite, words.paradigm(like).term, data)
    text = paradigm_text(words, like, path, data)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_chunks(path, [text.encode()])
    typer.echo(str(path))
    message(f"look at it with: blimpgen show {named(path, data)} --watch")


def explain(
    paradigm: Annotated[str, typer.Argument(metavar="UID|FILE", show_default=False, help="A paradigm.")],
    row: Annotated[int, typer.Option("--row", metavar="N", min=0, show_default=False, help="A row of its set.")],
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


def why(
    paradigm: Annotated[str, typer.Argument(metavar="UID|FILE", show_default=False, help="A paradigm.")],
    slot: Annotated[
        str, typer.Argument(metavar="SLOT", show_default=False, help="One of its slots, or a daughter: subj/D.")
    ],
    lemma: Annotated[
        str, typer.Argument(metavar="LEMMA", show_default=False, help="A word of the lexicon: lemma, form, or id.")
    ],
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
        write_json([_plain(asdict(verdict)) for verdict in verdicts])
        return
    for number, verdict in enumerate(verdicts):
        typer.echo("\n".join(["", *_verdict(verdict, slot)] if number else _verdict(verdict, slot)))


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
        rules = ", ".join(f"{rule.text} ({_at(rule.place)})" for rule in choice.rules)
        yield f"    rules     {rules}"
    if choice.features:
        yield f"    features  {', '.join(f'{name}={value}' for name, value in choice.features.items())}"
    yield from _facts("    lexicon ", choice.facts)
    yield from _facts("    asked   ", choice.asked)
    if choice.admitted:
        yield (
            f"    drawn     among {choice.fitting:,} that go with the words above, of {choice.partnered:,} with "
            f"partners, of {choice.admitted:,} admitted"
        )


def _verdict(verdict: Verdict, slot: str) -> Iterator[str]:
    fits = bool(verdict.example) or not verdict.reasons
    partly = " in some cells only" if fits and verdict.reasons else ""
    yield f"{verdict.lexeme} ({verdict.category}) {'fits' if fits else 'does not fit'} {slot}{partly}"
    yield from _facts("    lexicon ", verdict.facts)
    for reason in verdict.reasons:
        cells = "; ".join(reason.cells[:_NAMED]) + (
            f" and {len(reason.cells) - _NAMED} more" if len(reason.cells) > _NAMED else ""
        )
        where = f" ({_at(reason.place)})" if reason.place else ""
        yield f"    kept out  {f'[{cells}] ' if cells else ''}{reason.text}{where}"
    for name, sentence in verdict.example.items():
        yield f"    {name:9} {sentence}"


def _facts(label: str, facts: Iterable[Fact]) -> Iterator[str]:
    """The facts, those that stand in the same line together."""
    for place, said in groupby(facts, lambda fact: fact.place):
        yield f"{label}  {'; '.join(fact.text for fact in said)}" + (f" ({_at(place)})" if place else "")


def _at(place: Place | None) -> str:
    """A place, with the path inside the shipped data cut short."""
    from blimpgen.library import shipped_data

    shown = str(place)
    return shown.removeprefix(f"{shipped_data()}/")


def _explained(explained: Explained) -> dict[str, Any]:
    choices = [_plain(asdict(choice)) for choice in explained.choices]
    return {"record": explained.record.to_dict(), "cell": explained.cell, "choices": choices, "trees": explained.trees}


def _plain(value: Any) -> Any:
    """A value with its places as text."""
    if isinstance(value, dict) and value.keys() == {"path", "line"} and isinstance(value["path"], (str, Path)):
        return f"{value['path']}:{value['line']}" if value["line"] else str(value["path"])
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
