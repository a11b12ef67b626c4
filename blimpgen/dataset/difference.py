"""What changed between two data sets, and by which edit.

Rows are compared by their ids. An *edit* is what the manifests say is different: the version, an argument, keys of the
paradigm file, rows of tables, rules. Of a set without a manifest only the rows are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from blimpgen.base.records import Record
from blimpgen.dataset.file_models import Manifest
from blimpgen.dataset.fingerprints import changed_keys, data_edits
from blimpgen.dataset.reading import open_set, read_jsonl
from blimpgen.english.words import folded_words

__all__ = ["ChangedFile", "ChangedRow", "compare_sets"]


@dataclass(frozen=True)
class ChangedRow:
    """A row that is not the same in both sets: its id, and its sentences in each, none where it is not there."""

    row: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@dataclass(frozen=True)
class ChangedFile:
    """One paradigm in both sets.

    Attributes:
        uid: the paradigm.
        before, after: its number of rows in each set; None where the set does not have it.
        edits: what may have changed it, as the manifests say.
        rows: the rows that differ.
        in_both: how many rows of the first set have their sentences somewhere in the second.
        only_before, only_after: words that only one of the two files has.
        keys: names of keys whose values changed in rows with the same sentences.
    """

    uid: str
    before: int | None
    after: int | None
    edits: tuple[str, ...] = ()
    rows: tuple[ChangedRow, ...] = ()
    in_both: int = 0
    only_before: tuple[str, ...] = ()
    only_after: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    @property
    def same(self) -> bool:
        """Whether both sets have the same rows."""
        return self.before is not None and self.before == self.after and not self.rows and not self.keys

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON has it."""
        return {"same": self.same, **asdict(self)}


def compare_sets(before: str | Path, after: str | Path) -> Iterator[ChangedFile]:
    """Compare two data sets file by file, in the order of their names.

    Args:
        before, after: the folders of the sets.

    Raises:
        UsageError: not a folder of data files. DataError: a line that is no record.
    """
    sets = [open_set(folder) for folder in (before, after)]
    files = [{path.stem: path for path in one.files} for one in sets]
    manifests = [one.manifest for one in sets]
    for uid in sorted({**files[0], **files[1]}):
        paths = [folder_files.get(uid) for folder_files in files]
        if paths[0] is None or paths[1] is None:
            counts = [len(read_jsonl(path)) if path else None for path in paths]
            yield ChangedFile(uid, counts[0], counts[1])
        else:
            yield _compared(uid, paths[0], paths[1], manifests)


def _compared(uid: str, old: Path, new: Path, manifests: list[Manifest | None]) -> ChangedFile:
    if old.read_bytes() == new.read_bytes():
        size = len(read_jsonl(old))
        return ChangedFile(uid, size, size, in_both=size)
    before, after = ({record.id: record for record in read_jsonl(path)} for path in (old, new))
    texts = [{name: _texts(record) for name, record in side.items()} for side in (before, after)]
    rows = tuple(
        ChangedRow(name, texts[0].get(name, ()), texts[1].get(name, ()))
        for name in {**texts[0], **texts[1]}
        if texts[0].get(name) != texts[1].get(name)
    )
    there = set(texts[1].values())
    words = [{word for row in side.values() for text in row for word in folded_words(text)} for side in texts]
    return ChangedFile(
        uid,
        len(before),
        len(after),
        tuple(_edits(uid, manifests)),
        rows,
        sum(row_texts in there for row_texts in texts[0].values()),
        tuple(sorted(words[0] - words[1])),
        tuple(sorted(words[1] - words[0])),
        tuple(_keys(before, after)),
    )


def _texts(record: Record) -> tuple[str, ...]:
    return tuple(record.sentences.values())


def _keys(before: dict[str, Record], after: dict[str, Record]) -> Iterator[str]:
    """The keys whose values differ in rows with the same sentences."""
    changed: dict[str, None] = {}
    for name in before.keys() & after.keys():
        old, new = before[name].to_dict(), after[name].to_dict()
        if _texts(before[name]) == _texts(after[name]) and orjson.dumps(old) != orjson.dumps(new):
            changed.update(dict.fromkeys(key for key in {**old, **new} if old.get(key) != new.get(key)))
    yield from sorted(changed)


def _edits(uid: str, manifests: list[Manifest | None]) -> Iterator[str]:
    """What the manifests say may have changed a file, the nearest cause first."""
    old, new = manifests
    if old is None or new is None:
        return
    entry, other = old.sets.get(uid), new.sets.get(uid)
    if entry and other and entry.plan != other.plan:
        keys = changed_keys(entry.keys, other.keys) if entry.keys else []
        yield f"the paradigm file of {uid}{': ' if keys else ''}{', '.join(keys)}"
    arguments = old.arguments.model_dump(), new.arguments.model_dump()
    for name, value in arguments[0].items():
        if name != "targets" and arguments[1][name] != value:
            yield f"{name}: {value} -> {arguments[1][name]}"
    libraries = [(one and one.library) or manifest.library for one, manifest in ((entry, old), (other, new))]
    if libraries == [old.library, new.library]:
        yield from data_edits(old, new)
    elif libraries[0] != libraries[1]:
        yield f"data: hash {libraries[0][:12]} -> {libraries[1][:12]}; one of them is from before the last --update"
    if old.version != new.version:
        yield f"version: {old.version} -> {new.version}"
