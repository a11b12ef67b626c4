"""A new paradigm file: the one that it is to be like, with every key explained, ready to be changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from blimpgen.base.errors import UsageError
from blimpgen.base.folders import check_name
from blimpgen.base.sources import read_text
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm, ParadigmModel

__all__ = ["NAME", "named", "paradigm_text", "place_for"]

NAME = re.compile(r"[A-Za-z]\w*")
"""What a paradigm may be called."""
_KEY = re.compile(r"^(?P<key>[a-z_]+):", re.MULTILINE)
_BLOCK = re.compile(r"^(?P<key>[a-z_]+):.*\n(?:(?![a-z_]+:).*\n)*", re.MULTILINE)
"""A key of a paradigm file with all that stands under it."""
_OF_THE_ORIGINAL = frozenset({"differs", "examples"})
"""Keys that say something of the original that is not true of a paradigm like it."""
_SLOTS = """\
# cat names a category of the grammar or some of its rules; is restricts the head word (blimpgen lexicon 'noun: human'
# shows whom a restriction finds); frame asks for a listed frame, no_frame for one that is asserted impossible;
# subject_of, object_of, agrees_with, selects ... tie a slot to others. blimpgen why FILE SLOT WORD says what keeps a
# word out."""
_HINTS = {
    "slots": _SLOTS,
    "good": "# Slots in order, marks, closed-class words; slot[Number=other] is a change in place.",
}


def place_for(library: Library, uid: str, suite: str, term: str, folder: Path | None) -> Path:
    """Where the file of a new paradigm goes.

    Args:
        library: what there is already.
        uid: its name.
        suite: its suite, in a data folder.
        term: its phenomenon, in a data folder.
        folder: the data folder; without one the file goes to the current directory.

    Raises:
        UsageError: a name that is no name, or is taken; a file that is there already.
        DataError: a suite or phenomenon that cannot be a folder's name.
    """
    if not NAME.fullmatch(uid):
        raise UsageError(f"{uid!r} is no name for a paradigm; letters, digits and underscores, a letter first")
    check_name(suite)
    if folder:
        check_name(term)
    taken = [entry.name for entry in library.suites.values() if uid in {*entry.files, *entry.model.aliases}]
    if taken and not (folder and suite in taken):
        raise UsageError(
            f"there is a paradigm {uid!r} in the suite {taken[0]!r}; take another name, or replace it "
            f"with --data DIR --suite {taken[0]}"
        )
    path = folder / "paradigms" / suite / term / f"{uid}.yaml" if folder else Path(f"{uid}.yaml")
    if path.exists():
        raise UsageError(f"{path} is there already; take another name, or remove it first")
    return path


def named(path: Path, folder: Path | None) -> str:
    """How a new paradigm is named in a command: by its file, or by its UID and the data folder.

    Args:
        path: where its file will stand.
        folder: the data folder that it will stand in, if any.
    """
    return f"{path.stem} --data {folder}" if folder else str(path)


def paradigm_text(library: Library, like: str, path: Path, folder: Path | None = None) -> str:
    """The text of a new paradigm file.

    Args:
        library: where the paradigm is found that it is to be like.
        like: a UID, an alias, or the path of a file.
        path: where it will stand, for the commands that its head names.
        folder: the data folder that it will stand in, if any; its folders say what the phenomenon is.
    """
    original = library.paradigm(like)
    if original.parent is not None:
        body = "\n".join(_dumped(original)) + "\n"
    else:
        body = read_text(original.document.path)
        body = body[_first_key(body) :]
    body = _BLOCK.sub(lambda block: "" if block["key"] in _OF_THE_ORIGINAL else block[0], body)
    present = {match["key"] for match in _KEY.finditer(body)}
    implied = {"library": _library(library, original), "linguistics_term": "" if folder else original.term}
    more = "".join(f"{key}: {value}\n" for key, value in implied.items() if value and key not in present)
    name = named(path, folder)
    head = (
        f"# {path.stem}: begun like {original.uid}. Change it line by line and look at what comes out:\n"
        f"#     blimpgen show {name} --watch\n#     blimpgen check {name}\n"
        f"#     blimpgen generate {name} -n 1000 --seed 0 -o out\n"
    )
    return head + _KEY.sub(lambda match: f"{_comment(match['key'])}{match[0]}", body + more)


def _first_key(text: str) -> int:
    """Where the first key begins: comments above it are about the original."""
    match = _KEY.search(text)
    return match.start() if match else 0


def _comment(key: str) -> str:
    field = ParadigmModel.model_fields.get(key)
    said = f"# {key}: {field.description}" if field and field.description else ""
    return "\n" + "".join(f"{line}\n" for line in (said, _HINTS.get(key, "")) if line)


def _library(library: Library, original: Paradigm) -> str:
    """The library of the original's suite, which a file outside that suite has to name itself."""
    suite = library.suites.get(original.suite)
    return original.model.library or (library.library_of(suite) if suite else "")


def _dumped(original: Paradigm) -> Iterator[str]:
    """A paradigm that extends another as one file, slot by slot."""
    data = {key: value for key, value in original.data.items() if key not in ("extends", *_OF_THE_ORIGINAL)}
    for key, value in data.items():
        if key in ("slots", "sentences", "pairs", "vary") and isinstance(value, dict):
            yield f"{key}:"
            yield from (f"  {name}: {_flow(item)}" for name, item in value.items())
        else:
            yield f"{key}: {_flow(value)}"


def _flow(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, width=1 << 20, sort_keys=False, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")
