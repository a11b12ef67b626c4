"""One finding of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from blimpgen.base.errors import DataError, Place
from blimpgen.checks.error_codes import NOTES

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """A problem in a data file, or a note on what is no error there.

    Attributes:
        code: which check found it, as a word.
        message: what is wrong and what to do.
        place: where it stands, if it stands in a file.
    """

    code: str
    message: str
    place: Place | None = None

    @classmethod
    def of(cls, error: DataError) -> Problem:
        """The problem that an error tells of."""
        return cls(error.code, error.message, error.place)

    @property
    def is_note(self) -> bool:
        """Whether it hinders nothing: sets are made all the same."""
        return self.code in NOTES

    @property
    def text(self) -> str:
        """What is told, without the position."""
        return f"note: {self.message}" if self.is_note else self.message

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text

    def to_dict(self) -> dict[str, Any]:
        """The problem with the keys code, note, message, path and line (null where it has no place)."""
        return {
            "code": self.code,
            "note": self.is_note,
            "message": self.message,
            "path": str(self.place.path) if self.place else None,
            "line": self.place.line if self.place else None,
        }
