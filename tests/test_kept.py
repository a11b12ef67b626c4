"""Plans kept from one run to the next: the same rows, never from an old plan, nothing but plans from a file."""

from __future__ import annotations

import os
import pickle
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

import blimpgen.generation.cache
import blimpgen.generation.compile
from blimpgen import generate
from blimpgen.authoring import explain_row
from blimpgen.generation.cache import FOLDER, keep_plans
from blimpgen.generation.compile import compile_paradigm
from blimpgen.generation.compiled import CompiledParadigm, PlannedCell
from blimpgen.generation.engine import plain_rows
from blimpgen.generation.prepare import prepare
from blimpgen.library import Library, default_library, shipped_data
from blimpgen.variants.record import Variant
from tests.conftest import in_tiers
from tests.golden import GRAMMAR, INTRANSITIVE, SIZES, expected, frozen_library, produced, small_library

UIDS = in_tiers(default_library().uids("blimp"), ("anaphor_gender_agreement", "existential_there_quantifiers_1"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for plans that is used."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "plans"))
    return tmp_path / "plans"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The folder of a small library with the paradigm p."""
    grammar = GRAMMAR.replace("TOP.s    -> subject:DP VP*", 'TOP.s    -> subject:DP VP* "."')
    return small_library(tmp_path / "data", {"p": INTRANSITIVE}, grammar=grammar).folders[0]


@pytest.fixture
def compiled_cells(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A mark for every cell that is compiled."""
    marks: list[object] = []
    compile_cell = blimpgen.generation.compile.compile_cell

    def noted(*arguments: object, **known: object) -> object:
        marks.append(arguments[1])
        return compile_cell(*arguments, **known)  # type: ignore[arg-type]

    monkeypatch.setattr(blimpgen.generation.compile, "compile_cell", noted)
    return marks


def rows(compiled: CompiledParadigm, seed: int = 7) -> list[dict[str, object]]:
    return [row for block in plain_rows(compiled, 60, seed) for row in block]


def paradigm(library: Library, uid: str) -> CompiledParadigm:
    return prepare(uid, library)


@pytest.mark.parametrize("uid", UIDS)
def test_kept_plans_give_the_same_rows(uid: str, folder: Path, compiled_cells: list[object]) -> None:
    made, taken = (paradigm(Library([shipped_data()]), uid) for _ in range(2))
    assert len(compiled_cells) == len(made.cells) == len(taken.cells)
    assert rows(taken) == rows(made)
    assert str(taken.capacity) == str(made.capacity)
    assert [cell.plan.removed for cell in taken.cells] == [cell.plan.removed for cell in made.cells]
    assert explain_row(taken, 5) == explain_row(made, 5)


@pytest.mark.parametrize("uid", in_tiers(("transitive", "anaphor_gender_agreement", "principle_A_domain_3"), ()))
def test_made_up_words_go_over_kept_plans(uid: str, folder: Path) -> None:
    variant = Variant(nonce=("noun", "verb"))
    found = []
    for _ in range(2):
        library = Library([shipped_data()], variant=variant)
        found.append(rows(prepare(uid, library, seed=7)))
    assert found[0] == found[1]


@pytest.mark.parametrize("uid", SIZES)
def test_kept_plans_give_the_golden_bytes(uid: str, folder: Path, compiled_cells: list[object]) -> None:
    library = frozen_library()
    made = compile_paradigm(library.paradigm(uid), library)
    keep_plans(made.paradigm, made.language, [PlannedCell(cell.plan, cell.enumeration) for cell in made.cells])
    assert produced(uid, frozen_library()) == expected(uid).read_bytes()
    assert len(compiled_cells) == len(made.cells)


def _edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


PARADIGM = "paradigms/small/test/p.yaml"
CHANGES: dict[str, Callable[[Path], None]] = {
    "the paradigm": lambda data: _edited(data / PARADIGM, "cat: DP,", "cat: DP.det,"),
    "a line of the paradigm": lambda data: _edited(data / PARADIGM, "slots:", "\nslots:"),
    "a word": lambda data: _edited(data / "lexicon/nouns.tsv", "\tant\t", "\tbee\t"),
    "a rule": lambda data: _edited(data / "grammars/english/rules.cfg", "{2}", "{3}"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_no_old_plan_is_found(change: str, folder: Path, own: Path, compiled_cells: list[object]) -> None:
    paradigm(Library([own]), "p")
    CHANGES[change](own)
    paradigm(Library([own]), "p")
    assert len(compiled_cells) == 2


def test_no_plan_of_another_program_is_found(
    folder: Path, own: Path, compiled_cells: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    paradigm(Library([own]), "p")
    monkeypatch.setattr(blimpgen.generation.cache, "_PROGRAM", "another")
    paradigm(Library([own]), "p")
    assert len(compiled_cells) == 2


def test_words_that_changed_since_they_were_read(folder: Path, own: Path, compiled_cells: list[object]) -> None:
    """A table is read when it is first asked for; a plan may then not be kept under the state before, or taken."""
    library = Library([own])
    library.language(None)
    CHANGES["a word"](own)
    paradigm(library, "p")
    assert not folder.exists()
    (own / "lexicon" / "more.tsv").touch()
    paradigm(library, "p")
    assert len(compiled_cells) == 1, "the library itself keeps what it compiled"


def test_limits_of_a_variant_are_not_kept(folder: Path, own: Path) -> None:
    paradigm(Library([own], variant=Variant(zipf=(3.0, 8.0))), "p")
    assert not folder.exists()


def test_off_keeps_nothing(tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, "off")
    monkeypatch.chdir(tmp_path)
    paradigm(Library([own]), "p")
    assert not (tmp_path / "off").exists()


def test_the_users_folder_is_the_default(tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "caches" / name)
    paradigm(Library([own]), "p")
    assert len(list((tmp_path / "caches" / "blimpgen").glob("p-*.plans"))) == 1


def test_nobodys_home(tmp_path: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: Path("~", ".cache", name))
    monkeypatch.chdir(tmp_path)
    assert rows(paradigm(Library([own]), "p"))
    assert not (tmp_path / "~").exists()


def test_a_folder_that_cannot_be_made(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(FOLDER, str(tmp_path / "file" / "plans"))
    assert rows(paradigm(Library([own]), "p"))


class _Attack:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


def _checked(content: bytes) -> bytes:
    return zlib.crc32(content).to_bytes(4, "little") + content


BROKEN = ("cut", "changed", "empty", "text", "attack", "another class", "another name", "list")


@pytest.mark.parametrize("broken", BROKEN)
def test_a_broken_file_counts_as_missing(
    broken: str, folder: Path, own: Path, tmp_path: Path, compiled_cells: list[object]
) -> None:
    made = rows(paradigm(Library([own]), "p"))
    path = next(folder.iterdir())
    attacked = tmp_path / "attacked"
    plan = path.read_bytes()
    content = {
        "cut": plan[:-40],
        "changed": plan[:2000] + bytes([plan[2000] ^ 1]) + plan[2001:],
        "empty": b"",
        "text": b"no plan\n",
        "attack": _checked(pickle.dumps([_Attack(attacked)])),
        "another class": _checked(pickle.dumps([Variant()])),
        "another name": _checked(plan[4:].replace(b"_Reader.rule", b"_Reader.load")),
        "list": _checked(pickle.dumps(["no plan"])),
    }[broken]
    assert content != plan
    path.write_bytes(content)
    assert rows(paradigm(Library([own]), "p")) == made
    assert len(compiled_cells) == 2
    assert not attacked.exists()


def test_what_was_not_used_for_longest_goes(folder: Path, own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paradigm(Library([own]), "p")
    used = next(folder.iterdir())
    old = [folder / name for name in ("old-0.plans", ".old-1.plans.7.partial", "old-2.plans")]
    for k, path in enumerate(old):
        path.write_bytes(b"x" * 1000)
        os.utime(path, (k, k))
    other = folder / "mine.txt"
    other.write_bytes(b"x" * 1000)
    monkeypatch.setattr(blimpgen.generation.cache, "_MOST", used.stat().st_size * 2 + 1500)
    CHANGES["a line of the paradigm"](own)
    paradigm(Library([own]), "p")
    left = set(folder.iterdir())
    assert {used, other, old[2]} <= left
    assert not {old[0], old[1]} & left


def test_records_come_from_kept_plans_too(folder: Path, own: Path, compiled_cells: list[object]) -> None:
    made, taken = (generate("p", n=20, library=Library([own])) for _ in range(2))
    assert taken == made
    assert len(compiled_cells) == 1
