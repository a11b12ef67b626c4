"""A folder of scores that a killed run goes on from.

``run.json`` says what is scored, and stays. While the run is unfinished the rows stand in ``scores.unfinished.jsonl``;
at the end in ``scores.jsonl``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel, ValidationError

from blimpgen.base.errors import BlimpgenError, DataError, Place, UsageError
from blimpgen.base.files import is_partial, write_chunks
from blimpgen.base.locks import LOCK, locked_folder
from blimpgen.scoring.partial_results import PartialResults

__all__ = ["RUN", "SCORES", "ScoreFolder", "score_folder"]

RUN, SCORES = "run.json", "scores.jsonl"
_UNFINISHED = "scores.unfinished.jsonl"

T = TypeVar("T", bound=BaseModel)


@contextmanager
def score_folder(folder: Path, request: BaseModel, row: type[T]) -> Iterator[ScoreFolder[T]]:
    """Open the folder of a run, so that no other run writes into it; one that an error leaves without a row is emptied.

    Args:
        folder: made if need be.
        request: what decides the scores.
        row: the kind of the rows.

    Raises:
        UsageError: it holds something else, or another run is writing into it.
    """
    with locked_folder(folder):
        scores = ScoreFolder(folder, request, row)
        try:
            yield scores
        except BlimpgenError:
            scores.clear()
            raise


class ScoreFolder(Generic[T]):
    """The folder of one run; see `score_folder`.

    Args:
        folder: it exists.
        request: what decides the scores.
        row: the kind of the rows.

    Raises:
        UsageError: it holds something else.
    """

    def __init__(self, folder: Path, request: BaseModel, row: type[T]) -> None:
        self.folder, self._row = folder, row
        self._journal = PartialResults(
            folder / _UNFINISHED, lambda each: each.model_dump_json().encode() + b"\n", self._read
        )
        text = request.model_dump_json(indent=1).encode() + b"\n"
        path = folder / RUN
        if path.exists():
            if path.read_bytes() != text:
                what = f"{folder} holds scores of another call, other files or another version of blimpgen"
                raise UsageError(f"{what}; repeat that call, or take another folder")
            return
        if others := sorted(p.name for p in folder.iterdir() if not is_partial(p) and p.name != LOCK):
            raise UsageError(f"{folder} is not empty ({others[0]}); take another folder")
        write_chunks(path, [text])

    def _read(self, line: bytes, place: Place) -> T:
        try:
            return self._row.model_validate_json(line)
        except ValidationError as error:
            raise DataError(f"not a row of scores: {error.errors()[0]['msg']}", place, "record") from None

    def rows(self) -> list[T]:
        """Read the rows so far: of a finished run all of them.

        Raises:
            DataError: they are not those that were written.
        """
        path = self.folder / SCORES
        if not path.exists():
            return self._journal.read()
        self._journal.remove()  # a run may have been killed when the scores were whole
        lines = path.read_bytes().splitlines()
        return [self._read(line, Place(path, k)) for k, line in enumerate(lines, start=1)]

    @property
    def is_finished(self) -> bool:
        """Whether all scores are there."""
        return (self.folder / SCORES).exists()

    def append(self, rows: Sequence[T]) -> None:
        """Add the rows of one experiment; a run that is killed has all of them or none."""
        self._journal.append(rows)

    def clear(self) -> None:
        """Remove what says what is scored, if there is no score."""
        if not self.is_finished and not self._journal.path.exists():
            (self.folder / RUN).unlink(missing_ok=True)

    def finish(self, rows: Sequence[T]) -> None:
        """Write all rows in their order."""
        write_chunks(self.folder / SCORES, (row.model_dump_json().encode() + b"\n" for row in rows))
        self._journal.remove()
