"""Plans kept from one run of the program to the next, in the user's cache folder.

A plan follows from the file of its paradigm, the tables and rules of its library, and this program. It is kept under
a hash of all of them, so that no changed word, rule or line of code ever finds an old one. Only plans whose templates
have been checked are kept. A file of plans can do nothing but make objects of the classes listed here; one that cannot
be read counts as missing.
"""

from __future__ import annotations

import hashlib
import io
import math
import os
import pickle
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blimpgen._version import __version__
from blimpgen.base.errors import BlimpgenError, Place
from blimpgen.base.files import is_partial, write_chunks
from blimpgen.generation.compiled import Enumeration, PlannedCell
from blimpgen.grammar import Rule
from blimpgen.lexicon import Inventory
from blimpgen.lexicon.restrictions import And, Atom, Not, Or
from blimpgen.library import Language
from blimpgen.paradigm import Paradigm, Token
from blimpgen.plan import Node, Plan
from blimpgen.plan.cells import Cell
from blimpgen.plan.constraints import Constraint
from blimpgen.plan.nodes import Domain, Leaf
from blimpgen.plan.phrases import written_words
from blimpgen.plan.spec import SlotSpec, Values

__all__ = ["FOLDER", "keep_plans", "kept_plans"]

FOLDER = "BLIMPGEN_CACHE"
"""The environment variable that names the folder; ``off`` keeps nothing."""

_ENDING = ".plans"
_MOST = 1 << 28  # bytes of all files together
_BROKEN = (OSError, EOFError, pickle.UnpicklingError, BlimpgenError, AttributeError, LookupError, TypeError, ValueError)
_CHECKSUM = 4  # bytes at the beginning of a file


def kept_plans(paradigm: Paradigm, language: Language) -> list[PlannedCell] | None:
    """The plans of a paradigm, if they are kept."""
    path = _path(paradigm, language)
    if path is None:
        return None
    try:
        content = path.read_bytes()
        if _checksum(content[_CHECKSUM:]) != content[:_CHECKSUM]:
            return None
        found = _Reader(io.BytesIO(content[_CHECKSUM:]), language).load()
    except _BROKEN:
        return None
    with suppress(OSError):
        os.utime(path)
    return found if isinstance(found, list) and all(isinstance(plan, PlannedCell) for plan in found) else None


def keep_plans(paradigm: Paradigm, language: Language, plans: list[PlannedCell]) -> None:
    """Keep the plans of a paradigm whose templates have been checked; where nothing can be written, nothing is."""
    path = _path(paradigm, language)
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = io.BytesIO()
        _Writer(written, language).dump(plans)
        content = written.getvalue()
        write_chunks(path, [_checksum(content), content])
        _prune(path.parent)


def _checksum(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(_CHECKSUM, "little")


def _prune(folder: Path) -> None:
    """Remove the files that were not used for longest, if there is too much."""
    with os.scandir(folder) as entries:
        ours = [entry for entry in entries if entry.name.endswith(_ENDING) or is_partial(Path(entry))]
        found = [(entry.stat(), entry.path) for entry in ours]
    total = 0
    for status, path in sorted(found, key=lambda each: each[0].st_mtime, reverse=True):
        total += status.st_size
        if total > _MOST:
            Path(path).unlink(missing_ok=True)


def _path(paradigm: Paradigm, language: Language) -> Path | None:
    """Where the plans of a paradigm are kept; None if they are not.

    They are not with the limits of a variant, and where words or rules have changed since they were read: a table is
    read when it is first asked for, so nobody knows which state of it a plan was made from.
    """
    folder = _folder()
    if folder is None or language.limits or not all(read.holds() for read in language.read):
        return None
    documents = [f"{d.path} {d.lines}" for d in (paradigm.document, paradigm.parent) if d]
    digest = hashlib.blake2b(digest_size=20)
    for part in (_PROGRAM, *(read.state for read in language.read), paradigm.content, *documents):
        digest.update(part.encode() + b"\0")
    return folder / f"{paradigm.uid}-{digest.hexdigest()}{_ENDING}"


def _folder() -> Path | None:
    """The folder of all plans; None if none are to be kept."""
    asked = os.environ.get(FOLDER, "")
    if asked:
        return None if asked == "off" else Path(asked)
    from platformdirs import user_cache_path  # what asks for no plan need not wait for it

    path = user_cache_path("blimpgen")
    return path if path.is_absolute() else None  # nobody's home


_PACKAGE = Path(__file__).parents[1]


def _program() -> str:
    """The state of this package's own files, and what else decides how a plan is made and written."""
    files = (os.path.join(folder, name) for folder, _, names in os.walk(_PACKAGE) for name in names)
    statuses = ((path, os.stat(path)) for path in sorted(files) if path.endswith(".py"))
    states = (f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in statuses)
    return "\n".join([__version__, str(sys.version_info), np.__version__, sys.byteorder, *states])


_PROGRAM = _program()  # of the files as they are when the program begins


class _Reader(pickle.Unpickler):
    """Reads plans; makes nothing but what a plan is made of."""

    def __init__(self, stream: io.BytesIO, language: Language) -> None:
        super().__init__(stream)
        self.language = language

    def find_class(self, module: str, name: str) -> Any:
        """A class that a plan is made of, or the method that finds or makes a part of it."""
        found = _PARTS.get((module, name))
        if found is None:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a plan")
        return getattr(self, found) if isinstance(found, str) else found

    def rule(self, category: str, number: int) -> Rule:
        """A rule of the grammar."""
        return self.language.grammar.rules[category][number]

    def inventory(self, category: str) -> Inventory:
        """The lexemes of a category."""
        return self.language.lexicon.inventory(category)

    def written(self, words: tuple[str, ...]) -> Inventory:
        """Words that the paradigm writes out."""
        return written_words(words, self.language.lexicon)

    def domain(self, leaves: tuple[Leaf, ...], rows: tuple[dict[str, str], ...]) -> Domain:
        """The candidates of a node, shared with the other paradigms that have them too."""
        return Domain((), rows) if rows else self.language.unroller.of_leaves(leaves)

    def numbers(self, kind: str, raw: bytes) -> NDArray[Any]:
        """A list of numbers that nobody may write into."""
        return np.frombuffer(raw, kind)

    def truths(self, shape: tuple[int, ...], raw: bytes) -> NDArray[np.bool_]:
        """A table of truth values, which stand eight to a byte."""
        return np.unpackbits(np.frombuffer(raw, np.uint8), count=math.prod(shape)).view(np.bool_).reshape(shape)


_CLASSES = (
    PlannedCell,
    Enumeration,
    Plan,
    Cell,
    SlotSpec,
    Values,
    Node,
    Leaf,
    Constraint,
    Token,
    Place,
    Path,
    And,
    Or,
    Not,
    Atom,
)
_METHODS = (_Reader.rule, _Reader.inventory, _Reader.written, _Reader.domain, _Reader.numbers, _Reader.truths)
_PARTS: dict[tuple[str, str], type | str] = {
    **{(made.__module__, made.__qualname__): made for made in _CLASSES},
    **{(method.__module__, method.__qualname__): method.__name__ for method in _METHODS},
}


class _Writer(pickle.Pickler):
    """Writes plans; words and rules of the language are named, not written."""

    def __init__(self, stream: io.BytesIO, language: Language) -> None:
        super().__init__(stream, protocol=5)
        by_category = language.grammar.rules.items()
        rules = {id(rule): (category, k) for category, found in by_category for k, rule in enumerate(found)}
        self.dispatch_table = {
            Rule: lambda rule: (_Reader.rule, rules[id(rule)]),
            Inventory: _inventory,
            Domain: lambda domain: (_Reader.domain, (domain.leaves, domain.rows)),
            np.ndarray: _array,
            type(Path()): lambda path: (Path, (str(path),)),
        }


def _inventory(found: Inventory) -> tuple[Any, ...]:
    if found.category == "words":
        return _Reader.written, (found.ids,)
    return _Reader.inventory, (found.category,)


def _array(array: NDArray[Any]) -> tuple[Any, ...]:
    if array.dtype == np.bool_:
        return _Reader.truths, (array.shape, np.packbits(array).tobytes())
    return _Reader.numbers, (array.dtype.str, array.tobytes())
