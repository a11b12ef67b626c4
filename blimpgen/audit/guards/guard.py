"""What a guard is: a coded function that reads a pair of sentences and the lexicon, and states what is wrong.

A guard yields what it objects to, in the words of the sentence; nothing means that the pair passes. Its *scope* says
which records it is about, so that a family of paradigms shares one function. Guards never see how a pair was made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any, TypeAlias

from blimpgen.audit.guards.clauses import Parse, parse
from blimpgen.audit.guards.tokens import Vocabulary
from blimpgen.base.codes import entries, find, register
from blimpgen.english.words import split_sentence

__all__ = ["EVERYWHERE", "Case", "Guard", "Scope", "all_but", "guard", "guards", "uids"]


@dataclass(frozen=True)
class Case:
    """A pair as a guard sees it.

    Attributes:
        uid: the paradigm.
        pair_id: number of the pair in its set.
        sentence_good, sentence_bad: the sentences as written.
        keys: all keys of the record.
        vocabulary: the surface forms of the lexicon.
        free_length: the paradigm declares that the sentences may differ in length.
    """

    uid: str
    pair_id: str
    sentence_good: str
    sentence_bad: str
    keys: Mapping[str, Any] = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)
    free_length: bool = False

    @cached_property
    def good(self) -> Parse:
        """The good sentence with its phrases."""
        return parse(split_sentence(self.sentence_good), self.vocabulary)

    @cached_property
    def bad(self) -> Parse:
        """The bad sentence with its phrases."""
        return parse(split_sentence(self.sentence_bad), self.vocabulary)

    @property
    def labels(self) -> tuple[str, ...]:
        """What scopes are asked of."""
        return self.uid, f"field={self.value('field')}"

    @property
    def both(self) -> tuple[Parse, Parse]:
        """The good and the bad sentence."""
        return self.good, self.bad

    def value(self, key: str) -> str:
        """A text of the record, or the empty string."""
        text = self.keys.get(key, "")
        return text if isinstance(text, str) else ""


Find: TypeAlias = Callable[[Case], Iterator[str]]


@dataclass(frozen=True)
class Scope:
    """Which records a guard is about.

    Attributes:
        title: what the documentation says.
        names: patterns of labels; the labels of a record are its UID and ``field=F``.
        inside: whether the records that match are meant, or the others.
    """

    title: str
    names: tuple[str, ...] = ("*",)
    inside: bool = True

    def holds(self, labels: tuple[str, ...]) -> bool:
        """Whether a record with these labels is meant."""
        return any(fnmatchcase(label, name) for name in self.names for label in labels) is self.inside


EVERYWHERE = Scope("all")


def uids(*names: str) -> Scope:
    """The scope of the records with a label that matches one of the patterns."""
    return Scope(", ".join(names), names)


def all_but(*names: str) -> Scope:
    """The scope of the records without a label that matches one of the patterns."""
    return Scope(f"all but {', '.join(names)}", names, inside=False)


@dataclass(frozen=True)
class Guard:
    """A guard.

    Attributes:
        code: under which it reports.
        message: what is wrong.
        scope: which records it is about.
        specs: the numbers of the defects in the specifications that it prevents.
        unproved: whether it says only that the lexicon does not assert what would make the bad sentence bad; of a set
            that was not made with this lexicon it says less than the others.
        find: gives what it objects to in a pair.
    """

    code: str
    message: str
    scope: Scope
    specs: tuple[str, ...]
    unproved: bool
    find: Find = field(repr=False)


_SCOPES: dict[str, tuple[Scope, tuple[str, ...], bool]] = {}


def guard(code: str, scope: Scope = EVERYWHERE, specs: str = "", *, unproved: bool = False) -> Callable[[Find], Find]:
    """Register the decorated function as a guard; its docstring is the message.

    Args:
        code: under which it reports.
        scope: which records it is about.
        specs: numbers of defects in the specifications, separated by semicolons.
        unproved: whether it fires wherever the lexicon does not assert that the bad sentence is bad.
    """

    def add(function: Find) -> Find:
        _SCOPES[code] = scope, tuple(part.strip() for part in specs.split(";") if part.strip()), unproved
        return register(code, "guard")(function)

    return add


def guards(codes: tuple[str, ...] | None = None) -> tuple[Guard, ...]:
    """All guards, or those with the given codes.

    Raises:
        UsageError: an unknown code.
    """
    selected = entries("guard") if codes is None else [find(code, "guard") for code in codes]
    return tuple(Guard(e.code, e.message, *_SCOPES[e.code], e.function) for e in selected if e.function is not None)
