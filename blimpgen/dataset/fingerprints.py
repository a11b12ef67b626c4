"""Which rows, rules and keys differ between the data of two sets: the edits that may have changed their sentences.

A manifest has a *print* of every table and file of rules, a few characters a line, and of every key of each paradigm.
Two prints tell which lines differ. The files themselves, where they are still as they were for one of the two sets,
tell which row or rule a line is, and what changed in it.
"""

from __future__ import annotations

import binascii
import difflib
import hashlib
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blimpgen.base.files import data_files, of_data, sha256_of
from blimpgen.base.folders import shipped_data
from blimpgen.base.sources import read_text
from blimpgen.dataset.file_models import Manifest
from blimpgen.lexicon.schema import HIERARCHY, TABLES
from blimpgen.paradigm import Paradigm

__all__ = ["changed_keys", "data_edits", "key_prints", "line_prints"]

_WIDTH = 4  # characters of a line's print: 24 bits
_LARGE = ("zipf.tsv", "blocked.tsv")
_NESTED = ("slots", "sentences", "vary", "pairs")
_SPECS = {spec.name: spec for spec in (*TABLES.values(), *HIERARCHY)}
_UNSAID = ("src", "note")  # columns that change no sentence
_RULE = re.compile(r"[\w.]+")
_RULES = ".cfg"
_SHOWN = 5

Cells = Mapping[str, str]


def line_prints(folders: Sequence[Path]) -> dict[str, str]:
    """The prints of tables and rules, by number of their folder and name; of those that nobody edits by hand none."""
    return {name: of_data(path, _prints) for name, path in data_files(folders).items() if path.name not in _LARGE}


def _prints(path: Path) -> str:
    return "".join(map(_print, _lines(path)))


def _lines(path: Path) -> list[str]:
    return read_text(path).splitlines()


def _print(line: str) -> str:
    return binascii.b2a_base64((zlib.crc32(line.encode()) & 0xFFFFFF).to_bytes(3), newline=False).decode()


def key_prints(paradigm: Paradigm) -> dict[str, str]:
    """The prints of what a paradigm file says, by its keys; of slots, factors and sentences one for each."""
    items: dict[str, Any] = {}
    for key, value in paradigm.model.model_dump(exclude_defaults=True).items():
        nested = value.items() if key in _NESTED and value else ()
        items.update({f"{key}.{name}": item for name, item in nested} or {key: value})
    return {key: hashlib.sha256(repr(value).encode()).hexdigest()[:6] for key, value in items.items()}


def changed_keys(old: Mapping[str, str], new: Mapping[str, str]) -> list[str]:
    """The keys of a paradigm whose prints differ, in the order of the file.

    Args:
        old, new: the prints of the paradigm in two sets.
    """
    return [key for key in {**old, **new} if old.get(key) != new.get(key)]


def data_edits(old: Manifest, new: Manifest) -> list[str]:
    """What differs in tables and rules between two sets, one text a file; nothing where the manifests do not list them.

    Those of a user's folder begin with ``--data``.

    Args:
        old, new: the manifests of the sets.
    """
    names = {**old.data, **new.data} if old.data and new.data else {}
    return [_said(name, old, new) for name in names if old.data.get(name) != new.data.get(name)]


@dataclass(frozen=True)
class _State:
    """A file as it was for a set: the prints of its lines; the lines too if it still is like that."""

    name: str
    prints: tuple[str, ...]
    lines: tuple[str, ...] | None

    def rows(self, numbers: Iterable[int]) -> dict[str, Cells]:
        """Some lines by what they are called: the key of a row, the name of a rule; the number if that is unknown."""
        return dict(self._row(number) for number in numbers if self._counts(number))

    def _counts(self, number: int) -> bool:
        """Whether a line is a row or a rule: no header, comment or empty line."""
        if not self.name.endswith(_RULES):
            return number > 0
        return self.lines is None or _RULE.match(self.lines[number]) is not None

    def _row(self, number: int) -> tuple[str, Cells]:
        if self.lines is None:
            return f"line {number + 1}", {}
        line = self.lines[number]
        if rule := _RULE.match(line) if self.name.endswith(_RULES) else None:
            return rule[0], {"rule": " ".join(line[rule.end() :].split())}
        cells = dict(zip(self.lines[0].split("\t"), line.split("\t"), strict=False))
        spec = _SPECS.get(Path(self.name).stem)
        usual = {column.name: column.default for column in spec.columns} if spec else {}
        said = {name: cell for name, cell in cells.items() if cell and cell != usual.get(name) and name not in _UNSAID}
        return " ".join(cells.get(key, "") for key in (spec.key if spec else tuple(cells)[:1])), said


def _state(manifest: Manifest, name: str) -> _State:
    text = manifest.lines.get(name, "")
    folder, _, inside = name.partition("/")
    path = (shipped_data() if folder == "0" else Path(manifest.run.data or "")) / inside
    if name not in manifest.data:
        return _State(name, (), ())
    lines = tuple(_lines(path)) if sha256_of(path) == manifest.data[name] else None
    return _State(name, tuple(text[k : k + _WIDTH] for k in range(0, len(text), _WIDTH)), lines)


def _said(name: str, old: Manifest, new: Manifest) -> str:
    folder, _, inside = name.partition("/")
    below = _state(new, f"0/{inside}") if folder != "0" else _State(name, (), ())
    states = _state(old, name), _state(new, name)
    if name.endswith(_RULES):
        # A user's file of rules replaces the shipped one whole.
        states = states[0] if name in old.data else below, states[1] if name in new.data else below
    edits = list(_edits(*states, below.rows(range(len(below.lines or ())))))
    more = f" and {len(edits) - _SHOWN:,} more" if len(edits) > _SHOWN else ""
    label = inside if folder == "0" else f"--data {inside}"
    return f"{label}: {'; '.join(edits[:_SHOWN])}{more}" if edits else label


def _edits(old: _State, new: _State, below: Mapping[str, Cells]) -> Iterator[str]:
    """The lines that differ, each with what changed in it.

    Args:
        old, new: the file as it was.
        below: the shipped rows of the same table, which hold where a user's file is not there.
    """
    blocks = difflib.SequenceMatcher(None, old.prints, new.prints, autojunk=False).get_opcodes()
    before = old.rows(k for tag, i, j, _, _ in blocks if tag != "equal" for k in range(i, j))
    after = new.rows(k for tag, _, _, i, j in blocks if tag != "equal" for k in range(i, j))
    listed = [rows for rows, state in ((after, new), (before, old)) if rows and state.lines is not None]
    for key in dict.fromkeys(key for rows in listed or [after or before] for key in rows):
        cells = [
            rows.get(key) or (None if state.prints else below.get(key)) for rows, state in ((before, old), (after, new))
        ]
        yield key + (_changed(*cells) if old.lines is not None and new.lines is not None else "")
    if listed == [after] and len(before) > len(after):
        yield f"{len(before) - len(after):,} lines less"


def _changed(before: Cells | None, after: Cells | None) -> str:
    """What changed in a row; nothing to be said of one in which nothing counts."""
    if before is None or after is None:
        return " is new" if before is None else " is gone"
    columns = [column for column in {**before, **after} if before.get(column) != after.get(column)]
    changes = (f"{name} {before.get(name, '(empty)')} -> {after.get(name, '(empty)')}" for name in columns)
    return f": {', '.join(changes)}" if columns else ""
