"""Where data files stand: in the shipped folder, and in folders of users stacked over it."""

from __future__ import annotations

from pathlib import Path

from blimpgen.base.errors import UsageError

__all__ = ["PARTS", "data_folder", "is_data_folder", "shipped_data"]

PARTS = ("lexicon", "grammars", "paradigms")
"""What a data folder has any of."""


def shipped_data() -> Path:
    """The folder with the shipped data: inside the installed package, or the checkout."""
    package = Path(__file__).parents[1]
    inside = package / "data"
    return inside if inside.is_dir() else package.parent


def is_data_folder(path: Path) -> bool:
    """Whether a folder holds any of the three data folders."""
    return any((path / part).is_dir() for part in PARTS)


def data_folder(path: str | Path) -> Path:
    """A user's data folder.

    Raises:
        UsageError: there is no such folder, or it has none of the three data folders.
    """
    path = Path(path)
    if not path.is_dir():
        raise UsageError(f"{path}: no such directory; a data folder holds any of {', '.join(PARTS)}")
    if not is_data_folder(path):
        raise UsageError(f"{path}: no {', '.join(PARTS[:-1])} or {PARTS[-1]} folder in it")
    return path
