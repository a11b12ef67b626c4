"""Measures the house: lines, long functions, deep nesting, and rooms, floors and arrows of the imports.

``python tests/tools/measure_house.py`` prints the figures, and every function that is too long or nested too deeply.
A *room* is a package or module directly below `blimpgen`; an *arrow* leads from a room to one that it imports; a room
stands one *floor* above the highest room that it imports.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "blimpgen"
FILES = sorted(PACKAGE.rglob("*.py"))

# From the raw files to the command line. A room uses only what stands before it in this list.
STAGES = (
    ("ground", "english base analysis"),
    ("language", "lexicon grammar paradigm"),
    ("plan", "plan sampling realize"),
    ("words and rules together", "variants library nonce corpora"),
    ("make", "generation nouns api dataset"),
    ("ask", "authoring audit checks"),
    ("use", "exports scoring training"),
    ("show", "report"),
    ("face", "__init__ cli __main__"),
)
ROOMS = [room for _, rooms in STAGES for room in rooms.split()]
MOST_ROOMS, MOST_FLOORS, MOST_ARROWS = 28, 14, 150
MOST_LINES, MOST_NESTING = 50, 5

_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.TryStar, ast.Match)


def room_of(path: Path) -> str:
    """The module or package directly below `blimpgen` that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def statements(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All nodes of the syntax tree of a file."""
    return tuple(ast.walk(statements(path)))


@cache
def imported(path: Path) -> set[str]:
    """The rooms that a file imports anywhere, in functions and for type checking too."""
    rooms = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            rooms |= {
                alias.name.split(".")[1] if "." in alias.name else "__init__"
                for alias in node.names
                if alias.name.split(".")[0] == "blimpgen"
            }
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "blimpgen":
            parts = node.module.split(".")
            rooms |= set(parts[1:2] or [a.name if _is_room(a.name) else "__init__" for a in node.names])
    return rooms


def _is_room(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists()


@cache
def arrows() -> dict[str, set[str]]:
    """Each room with the rooms that it imports."""
    graph: dict[str, set[str]] = {}
    for path in FILES:
        graph.setdefault(room_of(path), set()).update(imported(path) - {room_of(path)})
    return graph


@cache
def floor(room: str) -> int:
    """The floor of a room; 1 is the ground."""
    return 1 + max((floor(other) for other in arrows()[room]), default=0)


class Function(NamedTuple):
    """A function with its file, name, first line, length in lines, and depth of nested blocks."""

    path: Path
    name: str
    line: int
    lines: int
    nesting: int

    def __str__(self) -> str:
        place = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{place}: {self.name}: {self.lines} lines, nesting {self.nesting}"


def functions(path: Path) -> Iterator[Function]:
    """The functions and methods of a file, those inside of others included."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            yield Function(path, node.name, node.lineno, lines, nesting(node.body))


def nesting(body: list[ast.stmt]) -> int:
    """How many blocks (if, for, while, with, try, match) stand inside of each other; an `elif` is no deeper block."""
    return max((_nesting_of(statement) for statement in body), default=0)


def _nesting_of(statement: ast.stmt) -> int:
    if isinstance(statement, ast.If):
        is_elif = len(statement.orelse) == 1 and isinstance(statement.orelse[0], ast.If)
        orelse = nesting(statement.orelse) - (1 if is_elif else 0)
        return 1 + max(nesting(statement.body), orelse)
    if not isinstance(statement, _BLOCKS):
        return 0
    bodies = [getattr(statement, name, []) for name in ("body", "orelse", "finalbody")]
    bodies += [part.body for name in ("handlers", "cases") for part in getattr(statement, name, [])]
    return 1 + max(map(nesting, bodies))


def too_large() -> list[Function]:
    """The functions of the package above `MOST_LINES` or `MOST_NESTING`, the longest first."""
    every = (function for path in FILES for function in functions(path))
    large = [f for f in every if f.lines > MOST_LINES or f.nesting > MOST_NESTING]
    return sorted(large, key=lambda function: (-function.lines, str(function)))


def undocumented(path: Path) -> list[str]:
    """The public functions of a file with two or more arguments whose docstrings do not say what these are.

    The docstring of a command is its help, which lists its options, and that of a guard is its message.
    """
    if room_of(path) == "cli" and any(f"def {path.stem}" in line for line in path.read_text().split("\n")):
        return []
    return [
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}"
        for function in _public(statements(path))
        if "Args:" not in (ast.get_docstring(function) or "")
        and len(_arguments(function)) > 1
        and not any(ast.unparse(decorator).startswith("guard(") for decorator in function.decorator_list)
    ]


def _public(scope: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """The public functions of a module and the public methods of its public classes."""
    for node in scope.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield from _public(node) if isinstance(node, ast.ClassDef) else [node]


def _arguments(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    return [
        a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs) if a.arg not in ("self", "cls")
    ]


def main() -> None:
    """Print the figures."""
    lines = sum(path.read_text(encoding="utf-8").count("\n") for path in FILES)
    figures = (
        f"{lines:,} lines in {len(FILES)} files",
        f"{len(ROOMS)} rooms (at most {MOST_ROOMS})",
        f"{max(map(floor, ROOMS))} floors (at most {MOST_FLOORS})",
        f"{sum(map(len, arrows().values()))} arrows (at most {MOST_ARROWS})",
        f"{len(too_large())} functions above {MOST_LINES} lines or nested deeper than {MOST_NESTING}",
    )
    sys.stdout.write("\n".join((*figures, *map(str, too_large()))) + "\n")


if __name__ == "__main__":
    main()
