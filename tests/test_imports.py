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
    nodes,
    room_of,
    statements,
    too_large,
    undocumented,
)

ORDER = {room: k for k, room in enumerate(ROOMS)}


def test_the_order_names_what_exists() -> None:
    assert sorted(ROOMS) == sorted({room_of(path) for path in FILES})


def test_imports_go_one_way() -> None:
    upward = [
        f"{path.relative_to(PACKAGE)} imports {name}, which stands after {room_of(path)}"
        for path in FILES
        for name in sorted(imported(path))
        if ORDER[name] > ORDER[room_of(path)]
    ]
    assert upward == []


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


def test_imports_are_absolute_and_named() -> None:
    for path in FILES:
        for node in nodes(path):
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{path}:{node.lineno}: write the full name of the module"
                assert all(alias.name != "*" for alias in node.names), f"{path}:{node.lineno}: name what is imported"


def test_functions_are_short_and_flat() -> None:
    assert [str(function) for function in too_large()] == []


def test_public_functions_say_what_their_arguments_are() -> None:
    assert [function for path in FILES for function in undocumented(path)] == []
