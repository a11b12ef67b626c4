"""The one-way order of imports: a module uses only what stands before it in the flow of the data."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from measure_house import (
    FILES,
    MOST_ARROWS,
    MOST_FLOORS,
    MOST_ROOMS,
    PACKAGE,
    ROOMS,
    arrows,
    floor,
    imported,
    room_of,
    statements,
    too_large,
)

STILL_LONG = {"verify"}
"""Functions that are longer than others may be; none is added."""
ORDER = {room: k for k, room in enumerate(ROOMS)}


def test_the_order_names_what_exists() -> None:
    assert sorted(ROOMS) == sorted({room_of(path) for path in FILES})


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = room_of(path)
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


def test_functions_are_short_and_flat() -> None:
    assert [str(function) for function in too_large() if function.name not in STILL_LONG] == []
