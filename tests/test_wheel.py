"""The wheel holds the package, the three data folders and the licences, and nothing else."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DATA = ("lexicon", "grammars", "paradigms")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The names in the wheel of this checkout."""
    folder = tmp_path_factory.mktemp("dist")
    isolation = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", *isolation, "-w", str(folder), str(ROOT)]
    subprocess.run(command, check=True, timeout=600)
    (wheel,) = folder.glob("blimpgen-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if not name.endswith("/")}


def files(folder: str) -> set[str]:
    """The files below a folder of the checkout, relative to the root."""
    paths = [p for p in (ROOT / folder).rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    return {p.relative_to(ROOT).as_posix() for p in paths}


@pytest.mark.parametrize("folder", DATA)
def test_a_data_folder_is_complete(names: set[str], folder: str) -> None:
    prefix = f"blimpgen/data/{folder}/"
    assert {name.removeprefix("blimpgen/data/") for name in names if name.startswith(prefix)} == files(folder)


def test_the_package_is_complete(names: set[str]) -> None:
    package = {name for name in names if name.startswith("blimpgen/") and not name.startswith("blimpgen/data/")}
    assert package == files("blimpgen")


def test_nothing_else_is_in_it(names: set[str]) -> None:
    rest = {name.partition("/")[2] for name in names if not name.startswith("blimpgen/")}
    assert rest == {"METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "licenses/LICENSE-DATA.md"}
