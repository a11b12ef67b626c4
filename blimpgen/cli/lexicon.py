"""`blimpgen lexicon`: what words there are, by restriction, and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from blimpgen.base.errors import UsageError, nearest
from blimpgen.cli.options import AsJson, Data, argument, library, message, option, write_json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from blimpgen.lexicon import Inventory, Lexicon
    from blimpgen.lexicon.restrictions import Expression

__all__ = ["annotation", "lexicon", "search"]

_NAMES = {
    "noun": "N",
    "name": "Name",
    "verb": "V",
    "adjective": "A",
    "adj": "A",
    "adverb": "Adv",
    "adv": "Adv",
    "determiner": "D",
    "det": "D",
    "numeral": "Num",
    "auxiliary": "Aux",
    "aux": "Aux",
    "pronoun": "Pron",
    "reflexive": "Refl",
    "reciprocal": "Recip",
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
        argument(
            "QUERY",
            "'CATEGORY: RESTRICTION', as in 'noun: human & Number=Plur' or 'verb: V.NP & not V'; a "
            "category or word list alone; or a word.",
        ),
    ] = None,
    stats: Annotated[bool, option("--stats", "Count rows, lexemes, frames and forms.")] = False,
    forms: Annotated[bool, option("--forms", "Show the inflected forms.")] = False,
    language: Annotated[
        str | None, option("--language", "Another language or library of words, such as spanish.", "NAME")
    ] = None,
    as_json: AsJson = False,
    data: Data = None,
) -> None:
    """Look words up by category and restriction, or count them.

    Example: blimpgen lexicon 'noun: human & Number=Plur' --forms

    Example: blimpgen lexicon --language spanish 'NOUN: kin & Gender=Fem'
    """
    from blimpgen.authoring.lexeme_facts import Lexeme

    if stats == (query is not None):
        raise UsageError("ask for words with a query, as in blimpgen lexicon 'noun: human', or for counts with --stats")
    words = library(data).language(language).lexicon
    if query is None:
        _print_stats(_stats(words), as_json)
        return
    matches = list(search(words, query))
    if as_json:
        write_json([_as_dict(words, inventory, k, forms) for inventory, k in matches])
    else:
        is_word = ":" not in query and _category(words, query) is None
        for inventory, k in matches:
            typer.echo(_line(words, inventory, k, forms))
            for fact in Lexeme(inventory, k).frames(words) if is_word and not forms else ():
                typer.echo(f"    {fact.text}")
    advice = "" if matches or ":" in query else f"; {_why_none(words, query)}"
    message(f"{len(matches):,} lexeme{'' if len(matches) == 1 else 's'}{advice}")


def _why_none(words: Lexicon, word: str) -> str:
    """Say of a word that no category and no list has where else it stands, or what else is meant."""
    from blimpgen.lexicon import CATEGORIES
    from blimpgen.lexicon.schema import TABLES

    for name in TABLES:
        table = words.table(name)
        if {"id", "lemma"} <= table.columns.keys() and word in (lemmas := table["lemma"].tolist()):
            row = table["id"][lemmas.index(word)]
            return (
                f"{name} has {row}, which the open reading alone knows: bad sentences are judged by it, none is drawn"
            )
    lemmas = [lemma for inventory in words.inventories() for lemma in inventory.lemmas]
    return f"no word, category or list is called {word!r}; {nearest(word, [*_NAMES, *CATEGORIES, *lemmas])}"


def search(words: Lexicon, query: str) -> Iterator[tuple[Inventory, int]]:
    """Find the lexemes that a query asks for.

    Args:
        words: the lexicon.
        query: a category or word list with a restriction (``noun: human``), one alone, or a word.

    Yields:
        Inventory and number of each.

    Raises:
        UsageError: an unknown category or list. DataError: a restriction that is none.
    """
    from blimpgen.lexicon import CATEGORIES

    name, colon, restriction = (part.strip() for part in query.partition(":"))
    if (category := _category(words, name)) is not None:
        inventory = words.inventory(category)
        expression = words.hierarchy.parse(restriction or "any")
        extra = {**_features(inventory), **(_of_frame(words, expression) if category == "V" else {})}
        yield from ((inventory, int(k)) for k in inventory.mask(expression, extra=extra).nonzero()[0])
    elif colon:
        raise UsageError(f"unknown category {name!r}; {nearest(name, [*_NAMES, *CATEGORIES, *words.word_lists])}")
    else:
        yield from (hit for inventory in words.inventories() for hit in _with_form(words, inventory, name))


def _category(words: Lexicon, name: str) -> str | None:
    """The category or list that a name means; None for the name of none, which may be a word."""
    from blimpgen.lexicon import CATEGORIES

    if name in words.word_lists:
        return f"words:{name}"
    names = _NAMES | {category.lower(): category for category in CATEGORIES if len(category) > 1}  # *a* is a word
    category = names.get(name.lower(), name)
    return category if category in CATEGORIES else None


def _of_frame(words: Lexicon, expression: Expression) -> Mapping[str, NDArray[np.object_]]:
    """The columns of the frame that a restriction on verbs names (``V.NP & refl=yes``), if it names one alone.

    Raises:
        UsageError: a restriction that asks for such a column and names no frame, or several.
    """
    from blimpgen.lexicon.restrictions import atoms

    leaves, verbs = [*atoms(expression)], words.verbs
    frames = {atom.name for atom in leaves if atom.kind == "name"} & verbs.rows.keys()
    if len(frames) == 1:
        return verbs.frame_columns(frames.pop())
    for atom in leaves:
        if atom.kind == "column" and atom.name in verbs.frames.columns and atom.name not in verbs.lexemes.columns:
            rows = zip(verbs.frames.keys, verbs.frames[atom.name], strict=True)
            counts = Counter(frame for (_, frame), cell in rows if cell in atom.values)
            frame = max(counts, key=counts.__getitem__, default="V")
            raise UsageError(
                f"{atom.name} is said of a verb in a frame; name one frame beside it, as in 'verb: {frame} & {atom}'"
            )
    return {}


def _features(inventory: Inventory) -> dict[str, NDArray[np.object_]]:
    """Columns that say which values of features the forms of a word have, so that a restriction can ask for one."""
    import numpy as np

    from blimpgen.lexicon.features import split_features

    have: dict[str, list[list[str]]] = {}
    for cell, numbers in inventory.forms.items():
        named = split_features(cell) if inventory.inflected else {"Number": cell} if cell in ("Sing", "Plur") else {}
        for feature, value in named.items():
            values = have.setdefault(feature, [[] for _ in range(len(inventory))])
            for k in (numbers >= 0).nonzero()[0]:
                values[k] += [value] if value not in values[k] else []
    columns = {feature: [",".join(values) for values in of_words] for feature, of_words in have.items()}
    return {name: np.array(texts, dtype=object) for name, texts in columns.items() if name not in inventory.columns}


def _with_form(words: Lexicon, inventory: Inventory, form: str) -> Iterator[tuple[Inventory, int]]:
    """The lexemes with a form, or with an id, as messages name them."""
    for k in range(len(inventory)):
        if form in (inventory.ids[k], inventory.columns["lemma"][k], *words.inflected(inventory, k).values()):
            yield inventory, k


def annotation(inventory: Inventory, k: int) -> dict[str, str]:
    """What the table says of a lexeme, by column; empty cells and the word itself left out.

    Args:
        inventory, k: the lexeme.
    """
    return {name: str(data[k]) for name, data in inventory.columns.items() if name not in (*_HIDDEN, "id") and data[k]}


def _line(words: Lexicon, inventory: Inventory, k: int, forms: bool) -> str:
    shown = words.inflected(inventory, k) if forms else annotation(inventory, k)
    facts = (f"{name}={value}" for name, value in shown.items())
    return "\t".join([inventory.ids[k], inventory.category.removeprefix("words:"), *facts])


def _as_dict(words: Lexicon, inventory: Inventory, k: int, forms: bool) -> dict[str, Any]:
    row = {
        "id": inventory.ids[k],
        "category": inventory.category.removeprefix("words:"),
        "lemma": inventory.columns["lemma"][k],
        "columns": annotation(inventory, k),
    }
    return {**row, "forms": words.inflected(inventory, k)} if forms else row


def _stats(words: Lexicon) -> dict[str, Any]:
    from blimpgen.lexicon.schema import TABLES

    rows = {name: len(words.table(name)) for name in TABLES}
    frames = words.table("verb_frames")["frame"].tolist()
    listed = [frame for cell in words.table("adjectives")["frames"] for frame in cell.split(",") if frame]
    listed_words = {lemma for inventory in words.listed() for lemma in inventory.columns["lemma"]}
    forms = {
        form
        for inventory in words.inventories()
        for k in range(len(inventory))
        for form in words.inflected(inventory, k).values()
    }
    return {
        "rows": rows,
        "lexemes": sum(rows[name] for name in _LEXEMES) + len(listed_words),
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
