"""The corrected edition of a data set: sound pairs byte for byte, the others repaired or drawn anew.

A pair whose label is wrong or doubtful is repaired where its fault is local, if the result is audited clean and the
grammar proves it; otherwise a pair of our paradigm of the same name takes its place, which is proven when it is drawn.
The same data, seed and words give the same bytes. Each file is written whole; a call that was interrupted goes on
where it stopped.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import orjson
from pydantic import BaseModel, ConfigDict, ValidationError

from blimpgen.audit.findings import Finding, audit, vocabulary_of
from blimpgen.audit.guards import Case, Severity
from blimpgen.audit.repairs import repaired
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import is_partial, library_hash, sha256_of, write_chunks
from blimpgen.base.locks import LOCK, locked_folder
from blimpgen.base.records import Row
from blimpgen.base.version import __version__
from blimpgen.dataset import data_files, open_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import generate_records
from blimpgen.library import Library

__all__ = ["ERRATA", "Counts", "correct"]

ERRATA = "errata.jsonl"
"""The file with every changed pair: the old one, the new one, the reason."""
_STATE = "correction.json"
_LABEL = (Severity.WRONG, Severity.DOUBTFUL)
_OF_SET = ("UID", "pairID", "field", "linguistics_term", "lexically_identical")
_SPARE = 50
"""How many more pairs are drawn than are needed: those that the set has already, or that guards object to, fall out."""

Done: TypeAlias = Callable[[str, "Counts"], None]


class Counts(BaseModel):
    """What became of the pairs of a file, or of all.

    Attributes:
        unchanged: pairs whose lines are the same bytes.
        repaired: pairs with a local fault that was mended.
        drawn: pairs that a pair of ours replaced.
        left: faulty pairs that nothing could replace, because there is no paradigm of ours with that name.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    unchanged: int = 0
    repaired: int = 0
    drawn: int = 0
    left: int = 0

    def __add__(self, other: Counts) -> Counts:
        """Add the counts of two files."""
        return Counts(**{name: getattr(self, name) + getattr(other, name) for name in Counts.model_fields})


class _File(BaseModel):
    """A finished file: its hash, its counts, its lines of the errata."""

    model_config = ConfigDict(extra="forbid")

    sha256: str
    counts: Counts
    errata: list[dict[str, Any]]


class _State(BaseModel):
    """A correction: what it is made from, and which of its files are finished."""

    model_config = ConfigDict(extra="forbid")

    version: str
    source: str
    library: str
    seed: int
    finished: dict[str, _File] = {}

    def made_from(self) -> dict[str, Any]:
        """What the bytes depend on."""
        return self.model_dump(exclude={"finished"})


def correct(
    source: Path, output: Path, library: Library, *, seed: int = 0, overwrite: bool = False, done: Done | None = None
) -> Counts:
    """Write the corrected edition of a data set of pairs.

    Args:
        source: the data set.
        output: the folder of the corrected edition.
        library: words, rules and paradigms.
        seed: of the pairs that are drawn.
        overwrite: replace a correction that is there.
        done: called with the name of every finished file and its counts.

    Raises:
        UsageError: no data there, a folder that may not be written to. DataError: a line that is no pair.
    """
    open_set(source)
    files = data_files(source)
    state = _State(
        version=__version__,
        source=hashlib.sha256("".join(f"{f.name} {sha256_of(f)}\n" for f in files).encode()).hexdigest(),
        library=library_hash(library.folders, library.profile),
        seed=seed,
    )
    with locked_folder(output):
        state = _entered(output, state, [file.name for file in files], overwrite)
        for file in files:
            if file.name not in state.finished:
                state.finished[file.name] = _corrected_file(file, output / file.name, library, seed)
                write_chunks(output / _STATE, [state.model_dump_json().encode()])
            if done:
                done(file.name, state.finished[file.name].counts)
        lines = (orjson.dumps(item) + b"\n" for file in files for item in state.finished[file.name].errata)
        write_chunks(output / ERRATA, lines)
    return sum((state.finished[file.name].counts for file in files), Counts())


def _entered(output: Path, state: _State, names: list[str], overwrite: bool) -> _State:
    """The state of an earlier call that this one goes on with, or a new one.

    Raises:
        UsageError: the folder holds something else.
    """
    there = sorted(p.name for p in output.iterdir() if p.name != LOCK and not is_partial(p))
    old: _State | None = None
    with suppress(ValidationError, OSError):
        old = _State.model_validate_json((output / _STATE).read_bytes())
    if old and old.made_from() == state.made_from():
        finished = {k: f for k, f in old.finished.items() if k in names and _is_whole(output / k, f.sha256)}
        return state.model_copy(update={"finished": finished})
    if old and not overwrite:
        raise UsageError(
            f"{output} holds a correction of other data or with another seed; add --overwrite to replace it"
        )
    foreign = [name for name in there if name not in (_STATE, ERRATA, *names)]
    if there and (foreign or not overwrite):
        raise UsageError(f"{output} is not empty ({(foreign or there)[0]}); take another folder")
    write_chunks(output / _STATE, [state.model_dump_json().encode()])
    return state


def _is_whole(path: Path, sha256: str) -> bool:
    return path.is_file() and sha256_of(path) == sha256


@dataclass(frozen=True)
class _Line:
    """A line of a data file: its bytes, and the row that it has."""

    text: bytes
    row: Row


def _corrected_file(source: Path, target: Path, library: Library, seed: int) -> _File:
    """Write one file of the corrected edition."""
    lines = list(_lines(source))
    faults = _faults([line.row for line in lines], library)
    rows, how = _new_rows(lines, faults, library, seed)
    new = [line.text if row is None else orjson.dumps(row) for line, row in zip(lines, rows, strict=True)]
    sha256 = write_chunks(target, (text + b"\n" for text in new))
    errata = [
        {
            "UID": line.row["UID"],
            "pairID": line.row["pairID"],
            "how": way,
            "old": _sentences(line.row),
            "new": _sentences(row) if row else None,
            "reason": [{"code": f.code, "severity": f.severity, "message": f.message} for f in faults[k]],
        }
        for k, (line, row, way) in enumerate(zip(lines, rows, how, strict=True))
        if way != "unchanged"
    ]
    return _File(sha256=sha256, counts=Counts(**{way: how.count(way) for way in set(how)}), errata=errata)


def _sentences(row: Row) -> dict[str, str]:
    return {"sentence_good": row["sentence_good"], "sentence_bad": row["sentence_bad"]}


def _lines(path: Path) -> Iterator[_Line]:
    """The lines of a data file; empty ones are passed over."""
    for number, text in enumerate(path.read_bytes().splitlines(), start=1):
        if text.strip():
            row = orjson.loads(text)
            if "sentence_good" not in row:
                raise DataError(f"{path}:{number}: a set of sentences; only pairs are corrected")
            yield _Line(text, row)


def _faults(rows: Sequence[Row], library: Library) -> dict[int, list[Finding]]:
    """The number of each row whose label does not hold, with the findings that say so."""
    faults = {}
    for k, row in enumerate(rows):
        findings = [finding for finding in audit([row], library) if finding.severity in _LABEL]
        if findings:
            faults[k] = findings
    return faults


def _new_rows(
    lines: Sequence[_Line], faults: dict[int, list[Finding]], library: Library, seed: int
) -> tuple[list[Row | None], list[str]]:
    """For each line the row that takes its place, None where it stays, and what became of it."""
    rows: list[Row | None] = [None] * len(lines)
    how = ["unchanged"] * len(lines)
    present = {line.row["sentence_good"] for k, line in enumerate(lines) if k not in faults}
    for k, findings in faults.items():
        row = _repaired(lines[k].row, findings, library)
        if row is not None and row["sentence_good"] not in present:
            rows[k], how[k] = row, "repaired"
            present.add(row["sentence_good"])
    waiting = [k for k in faults if rows[k] is None]
    drawn = _drawn(str(lines[0].row["UID"]), len(waiting), present, library, seed) if waiting else iter(())
    for k in waiting:
        row = next(drawn, None)
        rows[k] = _in_place_of(lines[k].row, row) if row is not None else None
        how[k] = "drawn" if row is not None else "left"
    return rows, how


def _repaired(row: Row, findings: Sequence[Finding], library: Library) -> Row | None:
    """The row with its faults mended, if they are local, no guard objects to it then, and the grammar proves it."""
    uid = str(row["UID"])
    case = Case(uid, str(row["pairID"]), row["sentence_good"], row["sentence_bad"], row, vocabulary_of(library, uid))
    new = repaired(case, frozenset(finding.code for finding in findings))
    clean = new is not None and not audit([new], library)
    return new if new is not None and clean and _is_proven(new, library) else None


def _is_proven(row: Row, library: Library) -> bool:
    """Whether the grammar derives the good sentence, and the bad one in no reading."""
    parsers = library.language("").parsers
    with suppress(UsageError):
        return parsers["closed"].derives(row["sentence_good"]) and not parsers["open"].derives(row["sentence_bad"])
    return False


def _drawn(uid: str, n: int, present: set[str], library: Library, seed: int) -> Iterator[Row]:
    """Pairs of our paradigm of that name, clean, and none that the set has; nothing if there is no such paradigm."""
    if uid not in library.uids():
        return
    for record in generate_records(prepare(uid, library, seed=seed), n + _SPARE, seed):
        row = record.to_pairs()[0]
        if row["sentence_good"] not in present and not _faults([row], library):
            present.add(row["sentence_good"])
            yield dict(row)


def _in_place_of(old: Row, new: Row) -> Row:
    """The new row with the keys of the old one, in their order; what is said of the set and its methods stays."""
    return {key: old[key] if key in _OF_SET or key.endswith("_method") else new.get(key, old[key]) for key in old}
