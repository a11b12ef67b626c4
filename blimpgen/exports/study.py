"""A forced-choice study in one SQLite file: what each participant sees, and the answers as they come.

All trials are written when the study is made: a participant is a list of `make_lists` with a token, so that the same
seed gives the same trials in the same order. An answer is on the disk before the next trial is shown, and a trial is
answered once. What a study exports, `blimpgen judgements` reads.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from blimpgen.base.errors import DataError, Place, UsageError, listing, nearest
from blimpgen.base.files import is_regular, write_chunks
from blimpgen.exports.judgement_lists import ATTENTION, CALIBRATOR, Trial, calibrators, instruction, make_lists
from blimpgen.exports.source import Options, Source
from blimpgen.exports.tabular import csv_text

if TYPE_CHECKING:
    from blimpgen.analysis.judgements import Answer

__all__ = ["Design", "Participant", "Studies", "Study"]

_ENDING = ".sqlite"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_APPLICATION = 0x626C696D
"""Marks a file of SQLite as a study."""
_LEAST_SECONDS = 0.3
"""What is answered sooner nobody has read."""
_SCHEMA = """
CREATE TABLE study (settings TEXT NOT NULL, closed TEXT);
CREATE TABLE participant (
    number INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, consented TEXT, native INTEGER CHECK (native IN (0, 1)),
    practised INTEGER NOT NULL DEFAULT 0);
CREATE TABLE trial (
    list INTEGER NOT NULL REFERENCES participant, item INTEGER NOT NULL, uid TEXT NOT NULL, pair_id TEXT NOT NULL,
    good TEXT NOT NULL, bad TEXT NOT NULL, good_position INTEGER NOT NULL CHECK (good_position IN (1, 2)),
    PRIMARY KEY (list, item)) WITHOUT ROWID;
CREATE TABLE answer (
    list INTEGER NOT NULL, item INTEGER NOT NULL, position INTEGER NOT NULL CHECK (position IN (1, 2)),
    seconds REAL NOT NULL, time TEXT NOT NULL, PRIMARY KEY (list, item),
    FOREIGN KEY (list, item) REFERENCES trial) WITHOUT ROWID;
"""
_PROGRESS = """
SELECT number, token, consented, native, practised, count(*) AS trials, count(answer.item) AS answers,
    max(answer.time) AS latest,
    total(uid = :attention AND position != good_position) AS failed,
    total(uid = :calibrator AND position = good_position) AS right,
    total(uid = :calibrator AND position IS NOT NULL) AS calibrators
FROM participant JOIN trial ON trial.list = number LEFT JOIN answer USING (list, item)
WHERE :number IS NULL OR number = :number GROUP BY number ORDER BY number
"""
_ANSWERS = """
SELECT 'p' || number AS participant, coalesce(native, '') AS native, list, item,
    uid AS UID, pair_id, good_position, position AS answer, seconds, time, good AS sentence_good, bad AS sentence_bad
FROM answer JOIN trial USING (list, item) JOIN participant ON number = list ORDER BY list, item
"""
_TRIAL = "SELECT trial.* FROM trial LEFT JOIN answer USING (list, item) WHERE list = ? AND position IS NULL"

_Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)]
_Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]


class Design(BaseModel):
    """What the owner of a study decides.

    Attributes:
        title: what participants read first.
        consent: what they consent to.
        pairs: how many pairs of each paradigm are judged.
        list_size: how many of them one participant sees; calibrators and attention checks come besides.
        participants: how many take part.
        calibrators: how many pairs of which the answer is certain every participant sees.
        practice: good and bad sentence of the pairs that are practised with.
        seed: decides which pairs, in which order, on which side.
    """

    model_config = ConfigDict(frozen=True)

    title: _Text
    consent: _Text
    pairs: int = Field(5, ge=1)
    list_size: int = Field(40, ge=1, le=1000)
    participants: int = Field(20, ge=1, le=1000)
    calibrators: int = Field(0, ge=0, le=1000)
    practice: tuple[tuple[_Sentence, _Sentence], ...] = Field((), max_length=20)
    seed: int = 0

    @classmethod
    def checked(cls, **values: Any) -> Design:
        """A design from what was typed in.

        Raises:
            UsageError: something is empty, too long, too large or no number; the message names the first.
        """
        try:
            return cls(**values)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]).replace("_", " ")
            raise UsageError(f"{name}: {first['msg'][0].lower()}{first['msg'][1:]}") from None


class _Settings(Design):
    """The design of a study that is made, and what its set says: its language, its instruction, where it is from."""

    language: str
    instruction: str
    made_by: str


@dataclass(frozen=True)
class Participant:
    """How far a participant has come.

    Attributes:
        number: from 1; the list that is theirs.
        token: stands in their link.
        consented: when they agreed to take part; empty if they have not.
        native: whether the language of the sentences is their native one; None before they say so.
        practised: how many pairs they have practised with.
        trials: how many trials their list has.
        answers: how many of them are answered.
        latest: when the last answer came; empty if none has.
        failed: attention checks that they failed.
        right: calibrators that they answered as the label says.
        calibrators: calibrators that they answered.
    """

    number: int
    token: str
    consented: str
    native: bool | None
    practised: int
    trials: int
    answers: int
    latest: str
    failed: int
    right: int
    calibrators: int


class Studies:
    """The studies of a folder.

    Args:
        folder: where their files lie; made with the first one.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: dict[str, Study] = {}

    def names(self) -> list[str]:
        """The names of the studies."""
        return sorted(path.stem for path in self.folder.glob(f"*{_ENDING}") if _NAME.fullmatch(path.stem))

    def study(self, name: str) -> Study:
        """A study.

        Raises:
            UsageError: there is none of this name. DataError: its file is no study.
        """
        if not _NAME.fullmatch(name) or not is_regular(path := self._path(name)):
            raise UsageError(f"no study {name!r}; {nearest(name, self.names())}")
        study = self._open.get(name)
        if study is None or study.file != path.stat().st_ino:
            study = self._open[name] = Study(path)
        return study

    def admits(self, name: str, token: str) -> bool:
        """Whether a study has a participant with a token; False where there is no such study.

        Args:
            name: of a study.
            token: of a participant.
        """
        try:
            return self.study(name).number(token) is not None
        except (UsageError, DataError):
            return False

    def make(self, name: str, design: Design, source: Source, certain: Source | None = None) -> None:
        """Make a study: its file appears whole, with all trials, or not at all.

        Args:
            name: letters, digits, ``_`` and ``-``; the name of its file, and part of the links.
            design: what the owner decides.
            source: the set that is judged.
            certain: the set of the calibrators.

        Raises:
            UsageError: a name that is none or is taken; the design does not fit the set. DataError: too few pairs.
        """
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name!r} is no name for a study; take up to 40 letters, digits, '_' and '-'")
        path = self._path(name)
        if path.is_symlink() or path.exists():
            raise UsageError(f"{path} is there; take another name")
        if design.calibrators and certain is None:
            raise UsageError(f"{design.calibrators} calibrators, and no set to take them from; name one, or take none")
        lists = _lists(design, source, certain)
        settings = _Settings(
            **design.model_dump(),
            language=listing(source.languages.values()),
            instruction=instruction(source),
            made_by=source.made_by,
        )
        contents = _contents(settings, lists)
        self.folder.mkdir(parents=True, exist_ok=True)
        # Whoever has a token may answer in the name of its participant.
        write_chunks(path, [contents], mode=0o600)

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}{_ENDING}"


def _lists(design: Design, source: Source, certain: Source | None) -> list[tuple[Trial, ...]]:
    options = Options(pairs=design.pairs, list_size=design.list_size, seed=design.seed)
    more = calibrators(certain, design.calibrators, design.seed, source) if certain else []
    return make_lists(source, options, usual=design.list_size, more=more, participants=design.participants)


def _contents(settings: _Settings, lists: Sequence[Sequence[Trial]]) -> bytes:
    """The file of a new study."""
    with closing(sqlite3.connect(":memory:")) as memory:
        memory.executescript(_SCHEMA)
        memory.execute(f"PRAGMA application_id = {_APPLICATION}")
        memory.execute("INSERT INTO study VALUES (?, NULL)", (settings.model_dump_json(),))
        participants = ((trials[0].list, secrets.token_urlsafe(16)) for trials in lists)
        memory.executemany("INSERT INTO participant (number, token) VALUES (?, ?)", participants)
        rows = ((t.list, t.item, t.uid, t.pair_id, t.good, t.bad, t.good_position) for trials in lists for t in trials)
        memory.executemany("INSERT INTO trial VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        memory.commit()
        return memory.serialize()


class Study:
    """A study.

    Args:
        path: its file.

    Raises:
        DataError: the file is no study.
    """

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.stem
        self.file = path.stat().st_ino
        try:
            self._base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, isolation_level=None)
            (mark,) = self._base.execute("PRAGMA application_id").fetchone()
            if mark != _APPLICATION:
                raise DataError("no study of blimpgen; move it out of the folder of studies", Place(path))
            # In this mode an answer is one write to the disk, and reading never waits for it.
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                self._base.execute(f"PRAGMA {pragma}")
            self._base.row_factory = sqlite3.Row
            self.settings = _Settings.model_validate_json(self._first("SELECT settings FROM study")["settings"])
        except (sqlite3.DatabaseError, ValidationError, TypeError) as error:
            raise DataError(f"no study that can be read: {error}", Place(path)) from None

    def _first(self, query: str, *values: object) -> Any:
        return self._base.execute(query, values).fetchone()

    def number(self, token: str) -> int | None:
        """The number of the participant with a token; None if there is none."""
        row = self._first("SELECT number FROM participant WHERE token = ?", token)
        return row["number"] if row else None

    @property
    def is_closed(self) -> bool:
        """Whether no more answers are taken."""
        return self._first("SELECT closed FROM study")["closed"] is not None

    def close(self, *, closed: bool = True) -> None:
        """Take no more answers, or take them once more."""
        with self._writing():
            self._base.execute("UPDATE study SET closed = ?", (_now() if closed else None,))

    def consent(self, number: int, *, native: bool) -> None:
        """Note that a participant agrees to take part.

        Args:
            number: the participant.
            native: whether the language of the sentences is their native one.

        Raises:
            UsageError: the study is closed. DataError: it cannot be written.
        """
        self._check_open()
        with self._writing():
            values = (_now(), native, number)
            self._base.execute("UPDATE participant SET consented = ?, native = ? WHERE number = ?", values)

    def practise(self, number: int) -> None:
        """Note that a participant has practised with one pair more."""
        with self._writing():
            self._base.execute("UPDATE participant SET practised = practised + 1 WHERE number = ?", (number,))

    def participant(self, number: int) -> Participant:
        """How far a participant has come."""
        (participant,) = self._progress(number)
        return participant

    def participants(self) -> list[Participant]:
        """How far each participant has come."""
        return self._progress(None)

    def _progress(self, number: int | None) -> list[Participant]:
        marks = {"attention": ATTENTION, "calibrator": CALIBRATOR, "number": number}
        rows = self._base.execute(_PROGRESS, marks)
        return [
            Participant(
                row["number"],
                row["token"],
                row["consented"] or "",
                None if row["native"] is None else bool(row["native"]),
                row["practised"],
                row["trials"],
                row["answers"],
                row["latest"] or "",
                *(int(row[name]) for name in ("failed", "right", "calibrators")),
            )
            for row in rows
        ]

    def next_trial(self, number: int) -> Trial | None:
        """The first trial that a participant has not answered; None when all are."""
        row = self._first(f"{_TRIAL} ORDER BY item LIMIT 1", number)
        return Trial(*row) if row else None

    def answer(self, trial: Trial, position: int, seconds: float) -> bool:
        """Store an answer; when this returns it is on the disk.

        Args:
            trial: what was answered.
            position: where the sentence stood that was chosen: 1 or 2.
            seconds: how long it took.

        Returns:
            Whether it counts: the first answer to a trial does, unless it is a second click that was meant for the
            trial before.

        Raises:
            UsageError: the study is closed. DataError: it cannot be written.
        """
        self._check_open()
        if seconds < _LEAST_SECONDS:
            return False
        with self._writing():
            values = (trial.list, trial.item, position, round(seconds, 3), _now())
            insert = "INSERT INTO answer VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            return self._base.execute(insert, values).rowcount == 1

    def _check_open(self) -> None:
        if self.is_closed:
            raise UsageError("this study is closed; it takes no more answers")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise DataError(f"nothing could be stored: {error}", Place(self.path)) from None

    def table(self) -> str:
        """The answers as CSV, as `read_answers` reads them."""
        cursor = self._base.execute(_ANSWERS)
        return csv_text([column for column, *_ in cursor.description], ({**row} for row in cursor))

    def answers(self) -> list[Answer]:
        """The answers, to be counted while they come."""
        from blimpgen.analysis.judgements import Answer  # with numpy, which the studio starts without

        return [
            Answer(
                row["UID"],
                row["pair_id"],
                row["participant"],
                f"{row['participant']}/{row['list']}",
                agrees=row["answer"] == row["good_position"],
                attention=row["UID"] == ATTENTION,
                native=None if row["native"] == "" else bool(row["native"]),
                first=row["answer"] == 1,
            )
            for row in self._base.execute(_ANSWERS)
        ]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
