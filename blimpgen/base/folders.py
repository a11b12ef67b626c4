"""Where data files stand, which ones count, and how they may be named: shipped ones and those of users over them."""

from __future__ import annotations

import re
from pathlib import Path

from blimpgen.base.errors import DataError, Place, UsageError

__all__ = ["NO_FILE", "PARTS", "check_name", "data_folder", "is_data_folder", "listed_files", "shipped_data"]

PARTS = ("lexicon", "grammars", "paradigms")
"""What a data folder has any of."""
NO_FILE = "not a regular file, but a folder, pipe or device; move it out of the data folder"
_BAD_IN_NAMES = re.compile(r"[\x00-\x1f\x7f-\x9f/\\\ud800-\udfff]")


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


def listed_files(folder: Path, pattern: str) -> list[Path]:
    """List the data files below a folder, in order.

    Hidden files and those of editors (``.#x.yaml``, ``._x.yaml``) are passed over, and so is what lies in a hidden
    folder.

    Args:
        folder: the folder; one that does not exist has no files.
        pattern: as of `Path.glob`.

    Raises:
        DataError: a file whose name cannot stand in a data set, or that is a folder, pipe or device.
    """
    paths = sorted(folder.glob(pattern))
    visible = [path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    for path in visible:
        if _BAD_IN_NAMES.search(path.name):
            check_name(path.name, Place(ascii(str(path))[1:-1]))
        if not path.is_file() and path.exists():
            raise DataError(NO_FILE, Place(path), "missing-file")
    return visible


def check_name(name: str, place: Place | None = None) -> str:
    """Give back the name of a data file or a UID, if it can be the name of a file in any folder.

    Args:
        name: without an ending.
        place: where it stands, for errors.

    Raises:
        DataError: an empty name, a dot at its beginning, a slash, a control character, or what is no Unicode.
    """
    if not name or name.startswith(".") or _BAD_IN_NAMES.search(name):
        what = f"{name!a} is no name for a file or UID; take letters, digits, '_' and '-'"
        raise DataError(what, place, "missing-file")
    return name
