"""The restriction language: which lexemes may fill a place.

    expression = term { "|" term }        term = factor { "&" factor }
    factor     = [ "not" ] ( atom | "(" expression ")" )
    atom       = NAME | "+" TAG | "$" MACRO | COLUMN "=" VALUE { "/" VALUE } | "any" | "none"

What a NAME means depends on what is restricted: a type for nouns and names, a frame for verbs and adjectives.
The language has no character that YAML gives a meaning. A VALUE may be of several words; it ends at the next ``/``
or operator.

Parsing gives a small tree of frozen dataclasses; `evaluate` folds it over boolean arrays that a caller supplies
for the atoms, so one expression can be asked of a lexeme, of each of its types, or of a whole column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import and_, or_
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, nearest

__all__ = ["And", "Atom", "Expression", "Not", "Or", "atoms", "evaluate", "expand", "parse_restriction"]

Mask: TypeAlias = NDArray[np.bool_]


@dataclass(frozen=True)
class Atom:
    """A leaf. `kind` is name, tag, macro, column, any or none; `values` are a column's values."""

    kind: str
    name: str
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        sign = {"tag": "+", "macro": "$"}.get(self.kind, "")
        return f"{sign}{self.name}" + (f"={'/'.join(self.values)}" if self.values else "")


@dataclass(frozen=True)
class Not:
    """Negation."""

    part: Expression


@dataclass(frozen=True)
class And:
    """Conjunction."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True)
class Or:
    """Disjunction."""

    parts: tuple[Expression, ...]


Expression: TypeAlias = "Atom | Not | And | Or"

_MOST_NESTED = 50
_MOST_ATOMS = 2_000
_SHOWN = 100
_TOKEN = re.compile(r"\s*(?:(?P<op>[&|()])|(?P<word>[+$]?[^\s&|()=+$#!]+(?:=[^&|()]*)?)|(?P<bad>\S))")


def parse_restriction(text: str, place: Place | None = None) -> Expression:
    """Parse a restriction.

    Args:
        text: as written in a cell or a paradigm.
        place: where it stands, for errors.

    Raises:
        DataError: a character that is not of the language, an operator without an operand, an empty value.
    """
    return _Parser(text, place).parse()


class _Parser:
    def __init__(self, text: str, place: Place | None) -> None:
        self.text, self.place = text, place
        self.tokens = list(self.tokenize())
        if sum(token in ("(", "not") for token in self.tokens) > _MOST_NESTED:
            raise self.error(f"more than {_MOST_NESTED} parentheses and negations")
        self.at = 0

    def tokenize(self) -> Iterator[str]:
        for match in _TOKEN.finditer(self.text.strip()):
            if match["bad"]:
                hint = {"#": "write '+tag' for a tag", "!": "write 'not X' for a negation"}
                raise self.error(f"{match['bad']!r} has no place here; {hint.get(match['bad'], 'see the language')}")
            yield match["op"] or match["word"]

    def parse(self) -> Expression:
        if not self.tokens:
            raise self.error("it is empty; write 'any' where everything fits")
        result = self.expression()
        if self.at < len(self.tokens):
            raise self.error(f"{self.tokens[self.at]!r} is not expected; join restrictions with '&' or '|'")
        return result

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def joined(self, operator: str, part: Callable[[], Expression]) -> list[Expression]:
        parts = [part()]
        while self.peek() == operator:
            self.at += 1
            parts.append(part())
        return parts

    def expression(self) -> Expression:
        parts = self.joined("|", self.term)
        return parts[0] if len(parts) == 1 else Or(tuple(parts))

    def term(self) -> Expression:
        parts = self.joined("&", self.factor)
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def factor(self) -> Expression:
        token = self.peek()
        if token in ("", "&", "|", ")"):
            raise self.error(f"an operand is missing {f'before {token!r}' if token else 'at the end'}")
        self.at += 1
        if token == "not":
            return Not(self.factor())
        if token == "(":
            inner = self.expression()
            if self.peek() != ")":
                raise self.error("a ')' is missing")
            self.at += 1
            return inner
        return self.atom(token)

    def atom(self, token: str) -> Atom:
        if token[0] in "+$":
            return Atom("tag" if token[0] == "+" else "macro", token[1:])
        name, equals, values = token.partition("=")
        if not equals:
            return Atom(name if name in ("any", "none") else "name", name)
        items = tuple(value.strip() for value in values.split("/"))
        if not all(items):
            raise self.error(f"a value is missing after '=' in {token!r}")
        return Atom("column", name, items)

    def error(self, message: str) -> DataError:
        text = self.text if len(self.text) <= _SHOWN else f"{self.text[:_SHOWN]}..."
        return DataError(f"restriction {text!r}: {message}", self.place, "restriction")


def expand(expression: Expression, macros: Mapping[str, Expression], place: Place | None = None) -> Expression:
    """Replace every ``$macro`` in an expression by its meaning.

    Args:
        expression: as parsed.
        macros: name to meaning, without macros.
        place: where the expression stands, for errors.

    Raises:
        DataError: an unknown macro, or an expression that grows too large.
    """
    leaves = list(islice(atoms(expression), _MOST_ATOMS + 1))
    if any(leaf.kind == "macro" for leaf in leaves):
        expression = _expand(expression, macros, place)
        leaves = list(islice(atoms(expression), _MOST_ATOMS + 1))
    if len(leaves) > _MOST_ATOMS:
        raise DataError(
            f"a restriction has at most {_MOST_ATOMS:,} names when its macros are written out", place, "restriction"
        )
    return expression


def _expand(expression: Expression, macros: Mapping[str, Expression], place: Place | None) -> Expression:
    match expression:
        case Atom(kind="macro", name=name):
            if name not in macros:
                raise DataError(f"unknown macro ${name}; {nearest(name, macros)}", place, "restriction")
            return macros[name]
        case Not(part):
            return Not(_expand(part, macros, place))
        case And(parts):
            return And(tuple(_expand(part, macros, place) for part in parts))
        case Or(parts):
            return Or(tuple(_expand(part, macros, place) for part in parts))
    return expression


def atoms(expression: Expression) -> Iterator[Atom]:
    """All leaves, left to right."""
    left = [expression]
    while left:
        match left.pop():
            case Atom() as atom:
                yield atom
            case Not(part):
                left.append(part)
            case And(parts) | Or(parts):
                left.extend(reversed(parts))


def evaluate(expression: Expression, leaf: Callable[[Atom], Any]) -> Any:
    """Fold an expression with ``&``, ``|`` and ``~``.

    Args:
        expression: the parsed restriction.
        leaf: gives the boolean array of an atom.
    """
    if isinstance(expression, Atom):
        return leaf(expression)
    if isinstance(expression, Not):
        return ~evaluate(expression.part, leaf)
    parts = [leaf(part) if isinstance(part, Atom) else evaluate(part, leaf) for part in expression.parts]
    return reduce(and_ if isinstance(expression, And) else or_, parts)
