"""`blimpgen lexicon`: what words there are, by restriction, and counts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blimpgen.base.errors import UsageError, nearest
from blimpgen.cli.options import AsJson, Data, library, message, write_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from blimpgen.lexicon import Inventory, Lexicon

__all__ = ["lexicon"]

_NAMES = {
    "noun": "N",
    "name": "Name",
    "verb": "V",
    "adjective": "A",
    "adverb": "Adv",
    "determiner": "D",
    "numeral": "Num",
    "auxiliary": "Aux",
    "pronoun": "Pron",
    "reflexive": "Refl",
    "preposition": "P",
}
_HIDDEN = ("lemma", "src", "note", "words")
_LEXEMES = (
    "nouns",
    "names",
    "verbs",
    "adjectives",
    "adverbs",
    "determiners",
    "auxiliaries",
    "pronouns",
    "function",
    "polarity",
)


def lexicon(
    query: Annotated[
        str | None,
        typer.Argument(
            metavar="QUERY",
            show_default=False,
            help="'CATEGORY: RESTRICTION', as in 'noun: human & Number=Plur' or 'verb: V.NP & not V'; "
            "a category alone; or a word.",
        ),
    ] = None,
    stats: Annotated[bool, typer.Option("--stats", help="Count rows, lexemes, frames and forms.")] = False,
    forms: Annotated[bool, typer.Option("--forms", help="Show the inflected forms.")] = False,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Look words up by category and restriction, or count them.

    Example: blimpgen lexicon 'noun: human & Number=Plur' --forms
    """
    if stats == (query is not None):
        raise UsageError("ask for words with a query, as in blimpgen lexicon 'noun: human', or for counts with --stats")
    words = library(data).lexicon
    if query is None:
        _print_stats(_stats(words), as_json)
        return
    matches = list(_search(words, query))
    if as_json:
        write_json([_as_dict(words, inventory, k, forms) for inventory, k in matches])
    else:
        for inventory, k in matches:
            typer.echo(_line(words, inventory, k, forms))
    message(f"{len(matches):,} lexeme{'' if len(matches) == 1 else 's'}")


def _search(words: Lexicon, query: str) -> Iterator[tuple[Inventory, int]]:
    """The lexemes that a query finds: inventory and number."""
    from blimpgen.lexicon import CATEGORIES

    name, colon, restriction = (part.strip() for part in query.partition(":"))
    category = _NAMES.get(name.lower(), name)
    if category in CATEGORIES:
        inventory = words.inventory(category)
        expression = words.hierarchy.parse(restriction or "any")
        yield from ((inventory, int(k)) for k in inventory.mask(expression, extra=_number(inventory)).nonzero()[0])
    elif colon:
        raise UsageError(f"unknown category {name!r}; {nearest(name, [*_NAMES, *CATEGORIES])}")
    else:
        yield from (hit for c in CATEGORIES for hit in _with_form(words, words.inventory(c), name))


def _number(inventory: Inventory) -> dict[str, NDArray[np.object_]]:
    """A column that says which numbers a noun has, so that a restriction can ask for one."""
    import numpy as np

    if "Number" in inventory.columns or not {"Sing", "Plur"} <= inventory.forms.keys():
        return {}
    have = [[n for n in ("Sing", "Plur") if inventory.forms[n][k] >= 0] for k in range(len(inventory))]
    return {"Number": np.array([",".join(numbers) for numbers in have], dtype=object)}


def _with_form(words: Lexicon, inventory: Inventory, form: str) -> Iterator[tuple[Inventory, int]]:
    for k in range(len(inventory)):
        if form in (inventory.columns["lemma"][k], *_forms(words, inventory, k).values()):
            yield inventory, k


def _forms(words: Lexicon, inventory: Inventory, k: int) -> dict[str, str]:
    return {
        cell: words.strings.text(int(numbers[k])).strip()
        for cell, numbers in inventory.forms.items()
        if numbers[k] >= 0
    }


def _columns(inventory: Inventory, k: int) -> dict[str, str]:
    return {name: str(data[k]) for name, data in inventory.columns.items() if name not in (*_HIDDEN, "id") and data[k]}


def _line(words: Lexicon, inventory: Inventory, k: int, forms: bool) -> str:
    shown = _forms(words, inventory, k) if forms else _columns(inventory, k)
    return "\t".join([inventory.ids[k], inventory.category, *(f"{name}={value}" for name, value in shown.items())])


def _as_dict(words: Lexicon, inventory: Inventory, k: int, forms: bool) -> dict[str, Any]:
    row = {
        "id": inventory.ids[k],
        "category": inventory.category,
        "lemma": inventory.columns["lemma"][k],
        "columns": _columns(inventory, k),
    }
    return {**row, "forms": _forms(words, inventory, k)} if forms else row


def _stats(words: Lexicon) -> dict[str, Any]:
    from blimpgen.lexicon import CATEGORIES
    from blimpgen.lexicon.schema import TABLES

    rows = {name: len(words.table(name)) for name in TABLES}
    frames = words.table("verb_frames")["frame"].tolist()
    listed = [frame for cell in words.table("adjectives")["frames"] for frame in cell.split(",") if frame]
    inventories = [words.inventory(category) for category in CATEGORIES]
    forms = {
        form
        for inventory in inventories
        for k in range(len(inventory))
        for form in _forms(words, inventory, k).values()
    }
    return {
        "rows": rows,
        "lexemes": sum(rows[name] for name in _LEXEMES),
        "frame_rows": len(frames),
        "frames_in_use": len({*frames, *listed}),
        "forms": len(forms),
    }


def _print_stats(stats: dict[str, Any], as_json: bool) -> None:
    if as_json:
        write_json(stats)
        return
    named = {
        **stats.pop("rows"),
        "lexemes": stats["lexemes"],
        "frame rows": stats["frame_rows"],
        "frames in use": stats["frames_in_use"],
        "distinct forms": stats["forms"],
    }
    for name, number in named.items():
        typer.echo(f"{name:16}{number:>8,}")
