"""Names that stand in files and become names of files: UIDs, suites, libraries."""

from __future__ import annotations

__all__ = ["NAME_RULE", "is_name"]

NAME_RULE = "a name is not empty, does not begin with '.', and has no '/', no '\\' and only printable characters"


def is_name(text: str) -> bool:
    """Whether a text can name a file in a folder: it cannot lead out of it, hide there, or control a terminal."""
    return bool(text) and text.isprintable() and not text.startswith(".") and not {"/", "\\"} & {*text}
