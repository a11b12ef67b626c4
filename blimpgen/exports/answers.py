"""Reads forced-choice answers back: which sentence was chosen, by its index, never by its text.

Four kinds of files are read: what the jsPsych page saves (or its data as JSON), the results of PCIbex, the results of a
batch on Mechanical Turk, and any table with one answer a row. Each becomes rows with the same columns:

==================================== ==================================================================================
``UID``, ``pair_id``                 what was judged; the UID ``attention_check`` marks a check, ``calibrator`` a pair
                                     of which the answer is certain
``good_position`` or ``good_index``  where the good sentence stood, counted from 1 or from 0
``answer`` or ``response``           what was chosen, counted from 1 or from 0; empty if nothing was
``worker``, ``assignment``           who answered, and the list of pairs that was shown at a time
``list``, ``item``                   which trial of the lists it is; with them a key says the rest
``status``                           an assignment with anything but ``Approved`` is left out; without it all count
``native``                           whether the person says that English is the native language
==================================== ==================================================================================
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import unquote

import orjson

from blimpgen.analysis.judgements import Answer
from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.dataset.row_lines import plain_text
from blimpgen.exports.judgement_lists import ATTENTION, CALIBRATOR

__all__ = ["fillers", "read_answers", "read_key"]

Cells: TypeAlias = "dict[str, str]"
Trial: TypeAlias = "tuple[str, str]"

_CONDITION = re.compile(r"(?P<uid>.+)ans(?P<position>[12])")
_SAME = {
    "uid": ("UID",),
    "pair_id": ("pairID", "sentence_good"),
    "worker": ("annotator", "participant"),
    "answer": (),
    "response": (),
    "good_position": (),
    "good_index": (),
    "assignment": (),
    "list": (),
    "item": (),
    "status": (),
    "native": (),
}
_SPOKEN = ("native", "english", "navtive")
_YES, _NO = ("1", "yes", "true"), ("0", "no", "false")


def read_answers(path: str | Path, key: Mapping[Trial, Mapping[str, str]] | None = None) -> list[Answer]:
    """The answers of a file.

    Args:
        path: the file.
        key: as `read_key` gives it; says of each trial of each list what it is. Needed where the file does not say
            where the good sentence stood.

    Raises:
        DataError: a file of no known kind, an answer that is no index, a trial that the key does not have or has
            otherwise.
    """
    path = Path(path)
    text = _text(path)
    return [_answer(_keyed(row, key, place), place) for row, place in _rows(text, path)]


def read_key(path: str | Path) -> dict[Trial, Cells]:
    """A key, as exports write it: (list, item) to UID, pair_id and good_position.

    Raises:
        DataError: a column is missing, or a trial is there twice.
    """
    path = Path(path)
    trials: dict[Trial, Cells] = {}
    for number, row in _table(_text(path), path):
        place = Place(path, number)
        for column in ("list", "item", "UID", "pair_id", "good_position"):
            if not row.get(column):
                raise DataError(f"a key needs the column {column!r}; {nearest(column, row)}", place, "answers")
        trial = _number(row["list"]), _number(row["item"])
        if trial in trials:
            raise DataError(f"the key has trial {trial[1]} of list {trial[0]} twice", place, "answers")
        trials[trial] = row
    return trials


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise DataError("no such file", Place(path), "missing-file") from None
    except UnicodeDecodeError:
        raise DataError("not UTF-8", Place(path), "encoding") from None


def _rows(text: str, path: Path) -> Iterator[tuple[Cells, Place]]:
    """The rows of a file with the columns named above, whatever its kind."""
    if text.startswith("#"):
        return _pcibex(text, path)
    if text.lstrip().startswith("["):
        return _jspsych(text, path)
    header = next(csv.reader(io.StringIO(text)), [])
    if any(name.startswith("Input.") for name in header):
        return _mturk(text, path)
    return _long(_table(text, path), path)


def _table(text: str, path: Path) -> Iterator[tuple[int, Cells]]:
    """The rows of a CSV table with the lines that they end on; cells as they were before formulas were escaped.

    Raises:
        DataError: a cell that is too long for any table.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="")
    try:
        for row in reader:
            yield reader.line_num, {name: plain_text(value) for name, value in row.items() if isinstance(name, str)}
    except csv.Error as error:
        raise DataError(f"not a CSV table: {error}", Place(path, reader.line_num), "answers") from None


def _long(rows: Iterable[tuple[int, Cells]], path: Path) -> Iterator[tuple[Cells, Place]]:
    for number, row in rows:
        place = Place(path, number)
        columns = {
            name: row[column]
            for name, others in _SAME.items()
            if (column := next((c for c in (name, *others) if c in row), None)) is not None
        }
        if not columns.keys() & {"answer", "response"}:
            raise DataError(
                "no column with the index of the chosen sentence (answer from 1, response from 0); "
                f"there are: {', '.join(row)}",
                place,
                "answers",
            )
        spoken = {row.get(column, "NA") for column in _SPOKEN} - {"NA", ""}
        columns["native"] = ("1" if spoken & {*_YES} else "0") if spoken else ""
        columns.setdefault("worker", "")
        columns.setdefault("assignment", f"{columns['worker']}/{columns.get('list', '')}")
        yield columns, place


def _jspsych(text: str, path: Path) -> Iterator[tuple[Cells, Place]]:
    """The data of jsPsych as JSON: the trials among them."""
    try:
        rows: list[dict[str, Any]] = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise DataError(f"not JSON: {error.msg}", Place(path), "answers") from None
    trials = [row for row in rows if isinstance(row, dict) and "pair_id" in row]
    return _long(
        ((0, {name: "" if value is None else str(value) for name, value in row.items()}) for row in trials), path
    )


def _pcibex(text: str, path: Path) -> Iterator[tuple[Cells, Place]]:
    """The results of PCIbex: comments name the columns of the lines that follow; each logged event is a line."""
    columns: dict[int, str] = {}
    native: dict[str, str] = {}
    rows: list[tuple[Cells, Place]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if match := re.match(r"# (\d{1,4})\. (.*?)\.?$", line):
            column = int(match[1])
            columns = {k: name for k, name in columns.items() if k < column}
            columns[column] = match[2]
        if line.startswith("#") or not line.strip():
            continue
        cells = {columns.get(k, ""): unquote(value) for k, value in enumerate(line.split(","), start=1)}
        person = cells.get("Results reception time", "") + "/" + cells.get("MD5 hash of participant's IP address", "")
        if cells.get("PennElementName") == "native-choice":
            native[person] = cells.get("Value", "")
        if cells.get("PennElementType") == "Selector" and cells.get("Parameter") == "Selection":
            side = {"left": "1", "right": "2"}.get(cells.get("good_side", ""), "")
            row = {
                "uid": cells.get("UID", ""),
                "good_position": side,
                "response": cells.get("Value", ""),
                "worker": cells.get("MD5 hash of participant's IP address", ""),
                "assignment": person,
            }
            row.update((name, cells[name]) for name in ("pair_id", "list", "item") if name in cells)
            rows.append((row, Place(path, number)))
    for row, place in rows:
        yield {**row, "native": native.get(row["assignment"], "")}, place


def _mturk(text: str, path: Path) -> Iterator[tuple[Cells, Place]]:
    """The results of a batch: a row an assignment, its trials side by side."""
    for number, row in _table(text, path):
        place = Place(path, number)
        for name, condition in row.items():
            match = re.fullmatch(r"Input\.item_(\d+)_condition", name)
            if match is None:
                continue
            named = _CONDITION.fullmatch(condition)
            if named is None:
                raise DataError(f"{name}: {condition!r} does not end in ans1 or ans2", place, "answers")
            item, position = match[1], named["position"]
            pair = row.get(f"Input.item_{item}_pair") or row.get(f"Input.field_{item}_{position}", "")
            yield (
                {
                    "uid": ATTENTION if named["uid"].startswith("attnchk") else named["uid"],
                    "pair_id": pair,
                    "good_position": position,
                    "answer": row.get(f"Answer.Choice{item}", ""),
                    "item": item,
                    "list": row.get("Input.list", ""),
                    "worker": row.get("WorkerId", ""),
                    "assignment": row.get("AssignmentId", ""),
                    "native": row.get("Answer.native", ""),
                    "status": row.get("AssignmentStatus", ""),
                },
                place,
            )


def _number(text: str) -> str:
    """A number as text, without the zeros that a tool may have put before it."""
    return text.strip().lstrip("0") or text.strip()


def _keyed(row: Cells, key: Mapping[Trial, Mapping[str, str]] | None, place: Place) -> Cells:
    """The row with what the key says of its trial."""
    if key is None:
        return row
    trial = _number(row.get("list", "")), _number(row.get("item", ""))
    if trial not in key:
        raise DataError(
            f"the key has no trial {trial[1] or '(no item)'} of list {trial[0] or '(no list)'}; is it the "
            "key of these lists?",
            place,
            "answers",
        )
    said = key[trial]
    from_key = {"uid": said["UID"], "pair_id": said["pair_id"], "good_position": said["good_position"]}
    for name, value in from_key.items():
        if row.get(name) and row[name] != value:
            raise DataError(
                f"{name} is {row[name]!r} here and {value!r} in the key; is it the key of these lists?",
                place,
                "answers",
            )
    return {**row, **from_key}


def _answer(row: Cells, place: Place) -> Answer:
    for column in ("uid", "pair_id"):
        if not row.get(column):
            raise DataError(f"the answer has no {column}; give the key of the lists with --key", place, "answers")
    good = _position(row, "good_position", "good_index", place)
    if good is None:
        raise DataError(
            "nothing says where the good sentence stood (good_position, good_index); give the key of the "
            "lists with --key",
            place,
            "answers",
        )
    position = _position(row, "answer", "response", place)
    spoken = row.get("native", "").lower()
    return Answer(
        row["uid"],
        row["pair_id"],
        row.get("worker", ""),
        row.get("assignment", ""),
        agrees=None if position is None else position == good,
        attention=row["uid"] == ATTENTION,
        approved=row.get("status", "") in ("", "Approved", "Submitted"),
        native=spoken in _YES if spoken in (*_YES, *_NO) else None,
        first=None if position is None else position == 1,
    )


def _position(row: Cells, from_one: str, from_zero: str, place: Place) -> int | None:
    """1 or 2; None if the cell is empty.

    Only the first character counts: some tools store the text after the index, and cut it off at an apostrophe.
    """
    for column, positions in ((from_one, ("1", "2")), (from_zero, ("0", "1"))):
        text = row.get(column, "").strip()
        if text:
            if text[0] not in positions or text[1:2].isdigit():
                raise DataError(
                    f"{column} is {text!r}; expected the index {positions[0]} or {positions[1]}", place, "answers"
                )
            return positions.index(text[0]) + 1
    return None


def fillers(answers: Iterable[Answer], least: int, named: Iterable[str] = ()) -> list[str]:
    """What is not judged: calibrators, paradigms that are named, those with fewer pairs than a keep rule counts.

    Args:
        answers: all answers.
        least: how many pairs the rule counts: 5 for 4 of 5.
        named: fillers that are known.

    Raises:
        DataError: nothing would be left. UsageError: a name that no answer has.
    """
    pairs: dict[str, set[str]] = {}
    for answer in answers:
        if not answer.attention:
            pairs.setdefault(answer.uid, set()).add(answer.pair_id)
    for uid in named:
        if uid not in pairs:
            raise UsageError(f"--leave-out {uid}: no answer is about it; {nearest(uid, pairs)}")
    certain = pairs.pop(CALIBRATOR, None)
    few = [uid for uid, ids in pairs.items() if len(ids) < least]
    if pairs and len(few) == len(pairs):
        most = max(map(len, pairs.values()))
        raise DataError(
            f"{least} pairs decide whether a paradigm is kept, and no paradigm has more than {most}; say "
            f"how many of them must hold, such as --keep {most}/{most}"
        )
    return sorted({*named, *few, *([CALIBRATOR] if certain else [])})
