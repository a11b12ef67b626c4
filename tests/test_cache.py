"""The cache of plans: the same rows, never from an old plan, and nothing but plans from a file."""

from __future__ import annotations

import copy
import hashlib
import json
import os
import pickle
import random
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import blimpgen.plan.cache
import blimpgen.plan.compiler
from blimpgen import generate
from blimpgen.authoring import explain_row
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.engine import draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.library import Library, default_library, shipped_data
from blimpgen.plan.cache import FOLDER, load_plans, store_plans
from blimpgen.plan.plan import PlannedCell
from blimpgen.variants.record import Variant
from tests.conftest import compiled_of, in_tiers
from tests.golden import GRAMMAR, INTRANSITIVE, SIZES, expected, frozen_library, produced, small_library

UIDS = in_tiers(default_library().uids("blimp"), ())

SENTENCES = GRAMMAR.replace("TOP.s    -> subject:DP VP*", 'TOP.s    -> subject:DP VP* "."')


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for plans that is used."""
    monkeypatch.setenv(FOLDER, str(tmp_path / "plans"))
    return tmp_path / "plans"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """The folder of a small library with the paradigm p."""
    return small_library(tmp_path / "data", {"p": INTRANSITIVE}, grammar=SENTENCES).folders[0]


@pytest.fixture
def compiled_cells(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A mark for every cell that is compiled."""
    marks: list[object] = []
    compile_cell = blimpgen.plan.compiler.compile_cell

    def noted(*arguments: object, **known: object) -> object:
        marks.append(arguments[1])
        return compile_cell(*arguments, **known)  # type: ignore[arg-type]

    monkeypatch.setattr(blimpgen.plan.compiler, "compile_cell", noted)
    return marks


def rows(compiled: CompiledParadigm, seed: int = 7) -> list[dict[str, object]]:
    return list(Assembly(compiled).rows(draw_set(compiled, 60, seed)))


@pytest.fixture(scope="module")
def libraries() -> tuple[Library, Library]:
    """Two libraries that share nothing but a folder for plans."""
    return Library([shipped_data()]), Library([shipped_data()])


@pytest.mark.slow
def test_a_cell_in_which_scenes_gave_way_is_still_known(folder: Path, libraries: tuple[Library, Library]) -> None:
    path = Path(__file__).resolve().parent / "bad_inputs" / "no-scene-trade.yaml"
    [compiled], [loaded] = (prepare(path, library).cells for library in libraries)
    assert compiled.plan.gave_way == loaded.plan.gave_way != ""


@pytest.mark.parametrize("uid", UIDS)
def test_cached_plans_give_the_same_rows(
    uid: str, folder: Path, compiled_cells: list[object], libraries: tuple[Library, Library]
) -> None:
    compiled, loaded = (prepare(uid, library) for library in libraries)
    assert len(compiled_cells) == len(compiled.cells) == len(loaded.cells)
    assert rows(loaded) == rows(compiled)
    assert str(loaded.capacity) == str(compiled.capacity)
    assert [cell.plan.removed for cell in loaded.cells] == [cell.plan.removed for cell in compiled.cells]
    assert explain_row(loaded, 5) == explain_row(compiled, 5)


@pytest.mark.parametrize("uid", in_tiers(("transitive", "anaphor_gender_agreement", "principle_A_domain_3"), ()))
def test_made_up_words_go_over_cached_plans(uid: str, folder: Path) -> None:
    variant = Variant(nonce=("noun", "verb"))
    both = []
    for _ in range(2):
        library = Library([shipped_data()], variant=variant)
        both.append(rows(prepare(uid, library, seed=7)))
    assert both[0] == both[1]


@pytest.mark.parametrize("uid", SIZES)
def test_cached_plans_give_the_golden_bytes(uid: str, folder: Path, compiled_cells: list[object]) -> None:
    library = frozen_library()
    compiled = compiled_of(library, uid)
    store_plans(
        compiled.paradigm, compiled.language, [PlannedCell(cell.plan, cell.enumerated) for cell in compiled.cells]
    )
    assert produced(uid, frozen_library()) == expected(uid).read_bytes()
    assert len(compiled_cells) == len(compiled.cells)


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
def test_no_old_plan_is_found(change: str, folder: Path, data: Path, compiled_cells: list[object]) -> None:
    prepare("p", Library([data]))
    CHANGES[change](data)
    prepare("p", Library([data]))
    assert len(compiled_cells) == 2


def test_no_plan_of_another_program_is_found(
    folder: Path, data: Path, compiled_cells: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare("p", Library([data]))
    monkeypatch.setattr(blimpgen.plan.cache, "_PROGRAM", "another")
    prepare("p", Library([data]))
    assert len(compiled_cells) == 2


def test_words_that_changed_since_they_were_read(folder: Path, data: Path, compiled_cells: list[object]) -> None:
    """A table is read when it is first asked for; a plan may then not be kept under the state before, or taken."""
    library = Library([data])
    library.language(None)
    CHANGES["a word"](data)
    prepare("p", library)
    assert not folder.exists()
    (data / "lexicon" / "more.tsv").touch()
    prepare("p", library)
    assert len(compiled_cells) == 1, "the library itself keeps what it compiled"


def test_limits_of_a_variant_are_not_kept(folder: Path, data: Path) -> None:
    prepare("p", Library([data], variant=Variant(zipf=(3.0, 8.0))))
    assert not folder.exists()


def test_off_keeps_nothing(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, "off")
    monkeypatch.chdir(tmp_path)
    prepare("p", Library([data]))
    assert not (tmp_path / "off").exists()


def test_the_users_folder_is_the_default(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: tmp_path / "caches" / name)
    prepare("p", Library([data]))
    assert len(list((tmp_path / "caches" / "blimpgen").glob("p-*.plans"))) == 1


def test_nobodys_home(tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER)
    monkeypatch.setattr("platformdirs.user_cache_path", lambda name: Path("~", ".cache", name))
    monkeypatch.chdir(tmp_path)
    assert rows(prepare("p", Library([data])))
    assert not (tmp_path / "~").exists()


def test_a_folder_that_cannot_be_made(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv(FOLDER, str(tmp_path / "file" / "plans"))
    assert rows(prepare("p", Library([data])))


def stored(folder: Path) -> Path:
    (path,) = folder.glob("*.plans")
    return path


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_a_folder_that_others_may_write_is_not_used(
    mode: int, folder: Path, data: Path, compiled_cells: list[object]
) -> None:
    folder.mkdir()
    folder.chmod(mode)
    prepare("p", Library([data]))
    assert not list(folder.iterdir())
    folder.chmod(0o700)
    prepare("p", Library([data]))
    folder.chmod(mode)
    prepare("p", Library([data]))
    assert len(compiled_cells) == 3


def test_a_folder_of_another_owner_is_not_used(
    folder: Path, data: Path, compiled_cells: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare("p", Library([data]))
    owner = folder.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    prepare("p", Library([data]))
    assert len(compiled_cells) == 2


def test_only_the_user_may_read_what_is_stored(folder: Path, data: Path) -> None:
    prepare("p", Library([data]))
    assert folder.stat().st_mode & 0o777 == 0o700
    assert stored(folder).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("replace", ["a link", "a pipe", "a folder", "written by others"])
def test_what_is_no_private_file_is_not_read(
    replace: str, folder: Path, data: Path, tmp_path: Path, compiled_cells: list[object]
) -> None:
    prepare("p", Library([data]))
    path = stored(folder)
    match replace:
        case "a link":
            path.rename(tmp_path / "elsewhere")
            path.symlink_to(tmp_path / "elsewhere")
        case "a pipe":
            path.unlink()
            os.mkfifo(path)
        case "a folder":
            path.unlink()
            path.mkdir()
        case _:
            path.chmod(0o666)
    assert rows(prepare("p", Library([data])))
    assert len(compiled_cells) == 2


def test_a_file_of_another_paradigm_is_not_used(folder: Path, tmp_path: Path, compiled_cells: list[object]) -> None:
    bodies = {"p": INTRANSITIVE, "q": INTRANSITIVE.replace("cat: DP,", "cat: DP.det,")}
    data = small_library(tmp_path / "data", bodies, grammar=SENTENCES).folders[0]
    expected_rows = {}
    for uid in bodies:
        prepare(uid, Library([data]))
        expected_rows[uid] = rows(prepare(uid, Library([data])))
    first, second = sorted(folder.glob("*.plans"))
    content = first.read_bytes(), second.read_bytes()
    first.write_bytes(content[1])
    second.write_bytes(content[0])
    del compiled_cells[:]
    for uid in bodies:
        assert rows(prepare(uid, Library([data]))) == expected_rows[uid]
    assert len(compiled_cells) == 2


class _Attack:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("broken", ["cut", "cut short", "longer", "empty", "text", "pickle"])
def test_a_broken_file_counts_as_missing(
    broken: str, folder: Path, data: Path, tmp_path: Path, compiled_cells: list[object]
) -> None:
    before = rows(prepare("p", Library([data])))
    plans = stored(folder).read_bytes()
    content = {
        "cut": plans[:-40],
        "cut short": plans[:5],
        "longer": plans + b" ",
        "empty": b"",
        "text": b"no plan\n",
        "pickle": pickle.dumps([_Attack(tmp_path / "attacked")]),
    }[broken]
    stored(folder).write_bytes(content)
    assert rows(prepare("p", Library([data]))) == before
    assert len(compiled_cells) == 2
    assert not (tmp_path / "attacked").exists()


@cache
def _compiled(uid: str) -> CompiledParadigm:
    return compiled_of(frozen_library(), uid)


TENSORS = ("numbers", "tables", "header")
Outer = dict[str, Any]


class Stored:
    """A file of plans taken apart, to be put together again with other content."""

    def __init__(self, folder: Path, uid: str) -> None:
        compiled = _compiled(uid)
        self.paradigm, self.language = compiled.paradigm, compiled.language
        store_plans(self.paradigm, self.language, [PlannedCell(c.plan, c.enumerated) for c in compiled.cells])
        self.path = stored(folder)
        self.content = self.path.read_bytes()
        end = 8 + int.from_bytes(self.content[:8], "little")
        self.outer: Outer = json.loads(self.content[8:end])
        spans = [self.outer[name]["data_offsets"] for name in TENSORS]
        numbers, self.tables, header = (self.content[end + start : end + stop] for start, stop in spans)
        self.numbers = np.frombuffer(numbers, "<i4").copy()
        self.header: dict[str, Any] = json.loads(header)

    def write(self, change_outer: Callable[[Outer], object] | None = None) -> None:
        """Write the file with right sizes and the right hash, or with an outer header that is changed after that."""
        header = json.dumps(self.header, separators=(",", ":"), ensure_ascii=False).encode()
        parts = dict(zip(TENSORS, (self.numbers.tobytes(), self.tables, header), strict=True))
        body, start = b"".join(parts.values()), 0
        self.outer["__metadata__"]["sha256"] = hashlib.sha256(body).hexdigest()
        for name, part in parts.items():
            size = len(part) // (4 if name == "numbers" else 1)
            self.outer[name].update(shape=[size], data_offsets=[start, start + len(part)])
            start += len(part)
        if change_outer:
            change_outer(self.outer)
        outer = json.dumps(self.outer, separators=(",", ":")).encode()
        outer += b" " * (-len(outer) % 8)
        self.path.write_bytes(len(outer).to_bytes(8, "little") + outer + body)

    def loads(self) -> bool:
        """Whether the file is used."""
        return load_plans(self.paradigm, self.language) is not None

    def array(self, number: int) -> np.ndarray[Any, np.dtype[np.int32]]:
        """One of the arrays of numbers."""
        start = sum(self.header["numbers"][:number])
        return self.numbers[start : start + self.header["numbers"][number]]


def test_a_file_is_put_together_as_it_was(folder: Path) -> None:
    file = Stored(folder, "changes")
    file.write()
    assert file.path.read_bytes() == file.content
    assert file.loads()


def test_other_programs_read_the_format(folder: Path) -> None:
    file = Stored(folder, "changes")
    tensors = pytest.importorskip("safetensors.numpy").load(file.content)
    assert tensors["numbers"].tolist() == file.numbers.tolist()
    assert json.loads(tensors["header"].tobytes()) == file.header


OUTER: dict[str, Callable[[Outer], object]] = {
    "another key": lambda o: o["__metadata__"].update(key="0" * 40),
    "another hash": lambda o: o["__metadata__"].update(sha256="0" * 64),
    "no metadata": lambda o: o.pop("__metadata__"),
    "a huge shape": lambda o: o["numbers"].update(shape=[1 << 62]),
    "huge offsets": lambda o: o["numbers"].update(data_offsets=[0, 1 << 62]),
    "negative offsets": lambda o: o["tables"].update(data_offsets=[-8, 1]),
    "overlapping offsets": lambda o: o["header"].update(data_offsets=[0, o["header"]["data_offsets"][1]]),
    "offsets that are no numbers": lambda o: o["header"].update(data_offsets=["0", []]),
    "an offset that is a boolean": lambda o: o["numbers"]["data_offsets"].__setitem__(0, False),
    "another type": lambda o: o["numbers"].update(dtype="I64"),
    "objects": lambda o: o["numbers"].update(dtype="O"),
    "two dimensions": lambda o: o["tables"].update(shape=[1, *o["tables"]["shape"]]),
    "a tensor missing": lambda o: o.pop("tables"),
    "a tensor more": lambda o: o.update(more={"dtype": "U8", "shape": [0], "data_offsets": [0, 0]}),
    "a long header": lambda o: o["__metadata__"].update(note="x" * 100_000),
}


@pytest.mark.parametrize("attack", OUTER)
def test_an_outer_header_that_is_another_counts_as_missing(attack: str, folder: Path) -> None:
    file = Stored(folder, "changes")
    file.write(OUTER[attack])
    assert not file.loads()


def test_an_outer_header_that_is_none_counts_as_missing(folder: Path) -> None:
    file = Stored(folder, "lists")
    for header in (b"", b"[]", b"null", b"[" * 3000, b'{"numbers":1}', b"\xff\xfe", b'"' * 2000):
        for size in (len(header), 0, 1 << 20, (1 << 64) - 1):
            file.path.write_bytes(size.to_bytes(8, "little") + header + file.content[8:])
            assert not file.loads(), (size, header[:20])


def _set(*keys: str | int, to: object) -> Callable[[Stored], None]:
    def change(file: Stored) -> None:
        where: Any = file.header
        for key in keys[:-1]:
            where = where[key]
        where[keys[-1]] = to

    return change


def _number(*keys: str | int, to: int) -> Callable[[Stored], None]:
    """Change the first number of the array that is named at a path of keys."""

    def change(file: Stored) -> None:
        where: Any = file.header
        for key in keys:
            where = where[key]
        file.array(where)[0] = to

    return change


def _without(*keys: str | int) -> Callable[[Stored], None]:
    def change(file: Stored) -> None:
        where: Any = file.header
        for key in keys[:-1]:
            where = where[key]
        del where[keys[-1]]

    return change


INNER: dict[str, tuple[str, Callable[[Stored], None]]] = {
    "an array of negative length": ("changes", _set("numbers", 0, to=-1)),
    "an array of huge length": ("changes", _set("numbers", 0, to=1 << 62)),
    "arrays that are longer together": ("changes", lambda file: file.header["numbers"].append(1)),
    "a table of huge shape": ("changes", _set("tables", 0, to=[1 << 40, 1 << 40])),
    "a table of negative shape": ("changes", _set("tables", 0, to=[-1, -8])),
    "a table of three dimensions": ("changes", _set("tables", 0, to=[1, 1, 1])),
    "tables that are shorter together": ("changes", lambda file: setattr(file, "tables", file.tables[:-1])),
    "numbers that are texts": ("changes", _set("leaves", 0, 0, to="0")),
    "a number that is a fraction": ("changes", _set("leaves", 0, 0, to=0.0)),
    "a number that is a boolean": ("changes", _set("leaves", 0, 0, to=False)),
    "a key more": ("changes", _set("cells", 0, "levels", to={})),
    "a key less": ("changes", _without("cells", 0, "removed")),
    "an unknown category": ("changes", _set("inventories", 0, to="Vx")),
    "a word list of another folder": ("changes", _set("inventories", 0, to="words:../nouns")),
    "the words of an unknown slot": ("tables", _set("inventories", 0, to=[0, "nobody"])),
    "the words of an unknown cell": ("tables", _set("inventories", 0, to=[9, "how"])),
    "the table of an unknown slot": ("tables", _set("domains", 0, to=[0, "nobody"])),
    "the table of a slot without one": ("tables", _set("domains", 0, to=[0, "how"])),
    "a rule of an unknown category": ("changes", _set("rules", 0, 0, to="__class__")),
    "an unknown rule": ("changes", _set("rules", 0, 1, to=99)),
    "a negative rule": ("changes", _set("rules", 0, 1, to=-1)),
    "an unknown inventory": ("changes", _set("leaves", 0, 0, to=99)),
    "a leaf with an unknown rule": ("changes", _set("leaves", 0, 3, to=[99])),
    "a leaf with an unknown array": ("changes", _set("leaves", 0, 4, to=999)),
    "an unknown lexeme": ("changes", _number("leaves", 0, 4, to=1 << 20)),
    "a negative lexeme": ("changes", _number("leaves", 0, 4, to=-1)),
    "a weight of nought": ("changes", _set("leaves", 0, 1, 0, 1, to=0)),
    "a huge weight": ("changes", _set("leaves", 0, 1, 0, 1, to=1 << 60)),
    "a noun without its number": (
        "changes",
        lambda file: [leaf[2].clear() for leaf in file.header["leaves"] if file.header["inventories"][leaf[0]] == "N"],
    ),
    "an unknown leaf": ("changes", _set("domains", 0, to=[999])),
    "an unknown domain": ("changes", _set("nodes", 0, 1, to=99)),
    "a daughter of itself": ("changes", _set("nodes", 2, 2, to=2)),
    "a daughter of a later node": ("changes", _set("nodes", 2, 2, to=3)),
    "a daughter of another node": ("changes", _set("nodes", 2, 2, to=0)),
    "a daughter without a table": ("changes", _set("nodes", 2, 3, to=None)),
    "a daughter with another table": ("twins", _set("nodes", 1, 3, to=1)),
    "a twin of itself": ("twins", _set("nodes", 2, 4, to=2)),
    "a twin of another cell's node": ("changes", _set("nodes", 9, 4, to=0)),
    "a slot less": ("changes", _without("cells", 0, "slots", "refl")),
    "a slot of another name": ("changes", _set("cells", 0, "slots", "__class__", to=0)),
    "the node of another slot": ("changes", _set("cells", 0, "slots", "subj", to=0)),
    "a daughter as a slot": ("changes", _set("cells", 0, "slots", "subj", to=2)),
    "a cell less": ("changes", _without("cells", 3)),
    "a mask less": ("changes", _without("cells", 0, "masks", 0)),
    "an unknown mask": ("changes", _set("cells", 0, "masks", 0, to=99)),
    "the mask of another node": ("twins", lambda file: file.header["cells"][0]["masks"].reverse()),
    "a constraint of an unknown place": ("changes", _set("cells", 0, "constraints", 0, 1, to=99)),
    "a constraint of other nodes": ("twins", _set("cells", 0, "constraints", 0, 1, to=3)),
    "a constraint with other classes": ("changes", _set("cells", 0, "constraints", 0, 3, to=0)),
    "an unknown class": ("changes", _number("cells", 0, "constraints", 0, 3, to=1 << 20)),
    "a negative class": ("changes", _number("cells", 0, "constraints", 0, 4, to=-2)),
    "a constraint with a mask": (
        "changes",
        lambda file: file.header["cells"][0]["constraints"][0].__setitem__(5, file.header["cells"][0]["masks"][0]),
    ),
    "agreement with nobody": ("changes", _set("cells", 0, "agreement", "vp", to="nobody")),
    "agreement of nobody": ("changes", _set("cells", 0, "agreement", "nobody", to="subj")),
    "candidates taken out of nobody": ("changes", _set("cells", 0, "removed", "nobody", to=1)),
    "a column less": ("changes", _without("cells", 0, "assignments", 0)),
    "columns of different length": (
        "changes",
        lambda file: file.header["cells"][0]["assignments"].__setitem__(0, file.header["leaves"][0][4]),
    ),
    "an unknown candidate": ("changes", _number("cells", 0, "assignments", 0, to=1 << 20)),
    "a slot that is not active": ("changes", _number("cells", 0, "assignments", 0, to=-1)),
}


@pytest.mark.parametrize("attack", INNER)
def test_a_header_that_says_what_cannot_be_counts_as_missing(attack: str, folder: Path) -> None:
    uid, change = INNER[attack]
    file = Stored(folder, uid)
    change(file)
    file.write()
    assert not file.loads()


def _places(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of every value in a header."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _places(below, (*path, key))


@pytest.mark.parametrize("uid", in_tiers(["changes", "twins", "tables"], ["twins"]))
def test_no_header_is_an_error(uid: str, folder: Path) -> None:
    """Any value exchanged for any other: the file counts as missing, or gives plans of the same shape."""
    file, choose = Stored(folder, uid), random.Random(0)
    header, numbers = file.header, file.numbers.copy()
    places = list(_places(header))
    values = [-1, 0, 1, 2, 7, 1 << 31, 1 << 64, 0.5, "", "x", "V", "subj", None, True, [], {}, [0], [[0, "subj"]]]
    used = 0
    for _ in range(300):
        file.header, file.numbers = copy.deepcopy(header), numbers.copy()
        if choose.random() < 0.2:
            file.numbers[choose.randrange(len(numbers))] = choose.choice([-1, 0, 1, 5, 1 << 30])
        else:
            _replace(file.header, choose.choice(places), choose.choice(values))
        file.write()
        used += file.loads()
    assert used < 150


def _replace(header: Any, path: tuple[str | int, ...], value: object) -> None:
    for key in path[:-1]:
        header = header[key]
    header[path[-1]] = value


def test_what_was_used_longest_ago_goes(folder: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prepare("p", Library([data]))
    used = next(folder.iterdir())
    old = [folder / name for name in ("old-0.plans", ".old-1.plans.7.partial", "old-2.plans")]
    for k, path in enumerate(old):
        path.write_bytes(b"x" * 1000)
        os.utime(path, (k, k))
    other = folder / "mine.txt"
    other.write_bytes(b"x" * 1000)
    monkeypatch.setattr(blimpgen.plan.cache, "_MOST_BYTES", used.stat().st_size * 2 + 1500)
    CHANGES["a line of the paradigm"](data)
    prepare("p", Library([data]))
    left = set(folder.iterdir())
    assert {used, other, old[2]} <= left
    assert not {old[0], old[1]} & left


def test_records_come_from_cached_plans_too(folder: Path, data: Path, compiled_cells: list[object]) -> None:
    compiled, loaded = (generate("p", n=20, library=Library([data])) for _ in range(2))
    assert loaded == compiled
    assert len(compiled_cells) == 1
