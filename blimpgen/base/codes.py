"""One registry of the codes of checks, notes and guards.

A *code* is a word such as ``psych-3sg`` under which a problem is reported, documented and tested. It belongs to one
function; the first paragraph of the function's docstring is the message that a user reads. There are three *kinds*:
a check looks at data files; a note tells what is odd in them, and hinders nothing; a guard looks at finished sentences.
The code of a check or note may be told in many places, each with a message of its own; it is declared with what it is
about, and has no function.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from blimpgen.base.errors import UsageError, nearest

__all__ = ["KINDS", "Entry", "declare", "entries", "find", "register"]

KINDS = ("check", "note", "guard")
_CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Entry:
    """A registered code.

    Attributes:
        code: the word under which a problem is reported.
        kind: check, note or guard.
        message: what is wrong, one sentence.
        function: what decides it; its arguments depend on the kind; None for a code that is only declared.
    """

    code: str
    kind: str
    message: str
    function: Callable[..., Any] | None = field(repr=False)


_ENTRIES: dict[str, Entry] = {}


def register(code: str, kind: str) -> Callable[[F], F]:
    """Register the decorated function under a code.

    Args:
        code: lower-case words joined by hyphens.
        kind: check, note or guard.

    Raises:
        UsageError: a malformed or taken code, an unknown kind, a function without a docstring.
    """
    _check(code, kind)

    def add(function: F) -> F:
        message = " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())
        if not message:
            raise UsageError(f"the {kind} {code} has no docstring, which is its message; write one")
        taken = _ENTRIES.get(code)
        if taken is not None and getattr(taken.function, "__qualname__", "") != function.__qualname__:
            name = getattr(taken.function, "__name__", code)
            raise UsageError(f"the code {code} is taken by the {taken.kind} {name}; choose another")
        _ENTRIES[code] = Entry(code, kind, message, function)
        return function

    return add


def declare(code: str, kind: str, message: str) -> None:
    """Register a code that belongs to no single function.

    Args:
        code: lower-case words joined by hyphens.
        kind: check, note or guard.
        message: what it is about, one sentence.

    Raises:
        UsageError: a malformed or taken code, an unknown kind.
    """
    _check(code, kind)
    entry = Entry(code, kind, message, None)
    if _ENTRIES.setdefault(code, entry) != entry:
        raise UsageError(f"the code {code} is taken by a {_ENTRIES[code].kind}; choose another")


def _check(code: str, kind: str) -> None:
    if not _CODE.fullmatch(code):
        raise UsageError(f"the code {code!r} is not of the form word-word; lower-case letters, digits, hyphens")
    if kind not in KINDS:
        raise UsageError(f"unknown kind {kind!r}; {nearest(kind, KINDS)}")


def find(code: str, kind: str | None = None) -> Entry:
    """The entry of a code, of a kind if one is given; an unknown code is a `UsageError` with the nearest name.

    Args:
        code: the code.
        kind: check, note or guard; any by default.
    """
    entry = _ENTRIES.get(code)
    if entry is None or kind not in (None, entry.kind):
        raise UsageError(f"unknown {kind or 'code'} {code!r}; {nearest(code, [e.code for e in entries(kind)])}")
    return entry


def entries(kind: str | None = None) -> tuple[Entry, ...]:
    """All entries, or those of one kind, in the order of their codes."""
    return tuple(_ENTRIES[code] for code in sorted(_ENTRIES) if kind in (None, _ENTRIES[code].kind))
