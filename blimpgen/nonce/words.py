"""Made-up words as tables of a data folder: each a row like that of the lexeme that it stands for.

With such a folder over the shipped data everything that looks words up knows them: guards, audit, derivations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from blimpgen.english import morphology
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.rows import LexemeTable, read_table

__all__ = ["write_words"]

_TABLES = {"noun": ("nouns",), "verb": ("verbs", "verb_frames"), "adj": ("adjectives",)}
_IRREGULAR = ("plural_alt", "past", "part", "pres3", "ing", "past_alt", "part_alt", "infl", "onset")
_REGULAR = {"plural": ("", "-"), "comp": ("more", "none", "er"), "sup": ("most", "none", "est")}


def write_words(lexicon: Lexicon, words: Mapping[str, str], folder: Path) -> None:
    """Write the tables ``lexicon/*.tsv`` of a data folder.

    Args:
        lexicon: the real words.
        words: made-up lemma to class and lexeme, as in a manifest (``"blick": "noun dog.1"``).
        folder: the data folder; made if need be.
    """
    (folder / "lexicon").mkdir(parents=True, exist_ok=True)
    for name, tables in _TABLES.items():
        meant = [(lemma, text.partition(" ")[2]) for lemma, text in words.items() if text.startswith(f"{name} ")]
        for table in tables if meant else ():
            source = read_table(table, lexicon.folders, fill=False)
            lines = ["\t".join(source.columns), *_lines(source, meant)]
            (folder / "lexicon" / f"{table}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _lines(table: LexemeTable, meant: list[tuple[str, str]]) -> Iterator[str]:
    rows: dict[str, list[int]] = {}
    for k, key in enumerate(table.keys):
        rows.setdefault(key[0], []).append(k)
    for lemma, lexeme in meant:
        for k in rows.get(lexeme, ()):
            cells = {name: column[k] for name, column in table.columns.items()}
            yield "\t".join(_renamed(cells, lemma).values())


def _renamed(cells: dict[str, str], lemma: str) -> dict[str, str]:
    """A row with another lemma, inflected regularly."""
    new = {**cells, "id": f"{lemma}.nonce"}
    if "lemma" in cells:
        new["lemma"] = morphology.plural(lemma) if cells.get("count") == "ptan" else lemma
        new |= dict.fromkeys(cells.keys() & set(_IRREGULAR), "")
        new |= {
            name: _REGULAR[name][-1] if name != "plural" else ""
            for name in cells.keys() & _REGULAR.keys()
            if cells[name] not in _REGULAR[name] and cells[name]
        }
    return new
