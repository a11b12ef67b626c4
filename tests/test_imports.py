"""The one-way order of imports: a module uses only what stands before it in the flow of the data."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import blimpgen

PACKAGE = Path(blimpgen.__file__).parent

# From the raw files to the command line. A room uses only what stands before it in this list.
STAGES = (
    ("ground", "_version base analysis"),
    ("language", "english lexicon grammar paradigm"),
    ("plan", "plan sampling realize"),
    ("words and rules together", "variants library nonce"),
    ("make", "generation nouns api dataset"),
    ("ask", "authoring audit checks"),
    ("use", "exports scoring"),
    ("show", "report"),
    ("face", "__init__ cli __main__"),
)
ROOMS = [room for _, rooms in STAGES for room in rooms.split()]
ORDER = {room: k for k, room in enumerate(ROOMS)}
MOST_ROOMS, MOST_FLOORS, MOST_ARROWS = 28, 14, 150
FILES = sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    """The module or package directly below blimpgen that a file belongs to."""
    first = path.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


@cache
def statements(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> set[str]:
    """The modules directly below blimpgen that a file imports anywhere, functions and type checking included."""
    found = set()
    for node in ast.walk(statements(path)):
        if isinstance(node, ast.Import):
            found |= {
                alias.name.split(".")[1] if "." in alias.name else "__init__"
                for alias in node.names
                if alias.name.split(".")[0] == "blimpgen"
            }
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "blimpgen":
            parts = node.module.split(".")
            names = parts[1:2] or [a.name if _is_module(a.name) else "__init__" for a in node.names]
            found |= set(names)
    return found


def _is_module(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists()


@cache
def arrows() -> dict[str, set[str]]:
    """Which rooms (packages and modules directly below blimpgen) each room imports."""
    graph: dict[str, set[str]] = {}
    for path in FILES:
        graph.setdefault(module_of(path), set()).update(imported(path) - {module_of(path)})
    return graph


@cache
def floor(room: str) -> int:
    """How many rooms stand one upon the other up to this one."""
    return 1 + max((floor(other) for other in arrows()[room]), default=0)


def test_the_order_names_what_exists() -> None:
    assert sorted(ROOMS) == sorted({module_of(path) for path in FILES})


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = module_of(path)
    later = {name for name in imported(path) if ORDER[name] > ORDER[own]}
    assert not later, f"{path.name} stands in {own!r}, but imports {sorted(later)}, which stand after it"


def test_the_house_stays_small() -> None:
    assert len(ROOMS) <= MOST_ROOMS
    assert max(floor(room) for room in ROOMS) <= MOST_FLOORS
    assert sum(len(others) for others in arrows().values()) <= MOST_ARROWS


@pytest.mark.parametrize("package", sorted({p.parent for p in FILES} - {PACKAGE}), ids=lambda p: p.name)
def test_no_cycle_inside_a_package(package: Path) -> None:
    """At the top level; what a function imports when it is called may name the module that it extends."""
    name = ".".join(["blimpgen", *package.relative_to(PACKAGE).parts])
    graph: dict[str, set[str]] = {}
    for path in package.glob("*.py"):
        for node in statements(path).body:
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(f"{name}."):
                graph.setdefault(path.stem, set()).add(node.module.removeprefix(f"{name}.").split(".")[0])
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" imports ".join(error.args[1]))


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_are_absolute_and_named(path: Path) -> None:
    for node in ast.walk(statements(path)):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the full name of the module"
            assert all(alias.name != "*" for alias in node.names), f"line {node.lineno}: name what is imported"
