"""The one-way order of imports: a module uses only what stands before it in the flow of the data."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import blimpgen

PACKAGE = Path(blimpgen.__file__).parent

# From the raw files to the command line. A module may use the stages above its own, and its own without a cycle.
STAGES = (
    ("ground", "_version errors files folders lazy registry sources restrictions morphology coefficients"),
    ("read", "variant lexicon grammar paradigm pairs vocabulary frequency holdout tokens"),
    ("plan", "plan"),
    ("words and rules together", "pairing limits library kept"),
    ("draw", "sampling"),
    ("realize", "realize filters"),
    ("make", "compiled compiling derive trees explain regions assemble engine nonce noun_variation verify"),
    ("call", "api"),
    ("ask", "authoring"),
    ("use", "dataset difference checks guards audit exports scoring analysis schema"),
    ("show", "display report"),
    ("face", "__init__ cli __main__"),
)
STAGE = {module: k for k, (_, modules) in enumerate(STAGES) for module in modules.split()}
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
            found |= {alias.name.split(".")[1] if "." in alias.name else "__init__"
                      for alias in node.names if alias.name.split(".")[0] == "blimpgen"}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "blimpgen":
            parts = node.module.split(".")
            names = parts[1:2] or [a.name if _is_module(a.name) else "__init__" for a in node.names]
            found |= set(names)
    return found


def _is_module(name: str) -> bool:
    return (PACKAGE / name).is_dir() or (PACKAGE / f"{name}.py").exists()


def test_stages_name_what_exists() -> None:
    assert set(STAGE) == {module_of(path) for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    own = module_of(path)
    assert own in STAGE, f"{own} has no stage; add it to STAGES"
    later = {name for name in imported(path) if STAGE.get(name, 0) > STAGE[own]}
    assert not later, f"{path.name} stands in the stage {STAGES[STAGE[own]][0]!r}, but imports {sorted(later)}"


def test_no_cycle_between_modules() -> None:
    graph: dict[str, set[str]] = {}
    for path in FILES:
        graph.setdefault(module_of(path), set()).update(imported(path) - {module_of(path)})
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(" imports ".join(error.args[1]))


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
