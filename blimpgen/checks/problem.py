"""One finding of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from blimpgen.base.errors import DataError, Place

__all__ = ["Problem"]


@dataclass(frozen=True)
class Problem:
    """A problem in a data file.

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

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message

    def to_dict(self) -> dict[str, Any]:
        """The problem with the keys code, message, path and line (null where it has no place)."""
        return {
            "code": self.code,
            "message": self.message,
            "path": str(self.place.path) if self.place else None,
            "line": self.place.line if self.place else None,
        }
