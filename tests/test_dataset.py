"""Sets on disk: the same bytes always, whole files or none, nothing removed that is not ours."""

from __future__ import annotations

import copy
import csv
import io
import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from blimpgen.api import generate
from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.base.files import write_chunks
from blimpgen.base.records import MinimalPair, SentenceSet
from blimpgen.dataset import (
    Arguments,
    Entry,
    Manifest,
    compile_checked,
    find_paradigms,
    open_set,
    read_jsonl,
    read_manifest,
    workers,
    write_jsonl,
    write_set,
    write_stream,
)
from blimpgen.dataset.paradigm_files import make_file
from blimpgen.dataset.row_lines import json_chunks
from blimpgen.library import Library
from tests.conftest import Call, on_full_disk, tiered, with_paradigms

SHORT = "determiner_noun_agreement_1"
COPIES = ("ant", "bee", "cat", "dog")
SAMPLE = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "blimp_sample"
RELEASED = tiered(path.stem for path in sorted(SAMPLE.glob("*.jsonl"))) or [
    pytest.param("", marks=pytest.mark.skip("the reference data ../shared/data are not here"))
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """A user's data folder with the suite ``copies``: one paradigm under four names."""
    folder = tmp_path_factory.mktemp("data")
    paradigms = folder / "paradigms" / "copies" / "animals"
    paradigms.mkdir(parents=True)
    for name in COPIES:
        shutil.copy(library.paradigm(SHORT).document.path, paradigms / f"{name}.yaml")
    return folder


@pytest.fixture(scope="module")
def copies(folder: Path, library: Library) -> Library:
    return with_paradigms(folder, library)


@pytest.fixture(scope="module")
def designs(library: Library) -> Library:
    if "npi_across_anim" not in library.uids():
        pytest.skip("the paradigm npi_across_anim is not here")
    return library


def asked(*targets: str, **options: Any) -> Arguments:
    return Arguments(targets=targets or ("copies",), **{"n": 20, **options})


def pair(**keys: object) -> str:
    """A pair as a line."""
    return json.dumps({"sentence_good": "A.", "sentence_bad": "B.", "UID": "u", **keys})


def pairs_of(**keys: object) -> str:
    """A set as a line."""
    return json.dumps({"sentences": {"a": "A.", "b": "B."}, "pairs": [["x", "a", "b"]], "UID": "u", **keys})


def program(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "blimpgen", "generate", *map(str, arguments)]


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder, the manifest without its block ``run``."""
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    if "manifest.json" in found:
        manifest = json.loads(found["manifest.json"])
        manifest.pop("run", None)
        found["manifest.json"] = json.dumps(manifest).encode()
    return found


class TestBytes:
    @pytest.mark.slow
    def test_the_same_call_gives_the_same_bytes(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked(), tmp_path / "a")
        write_set(copies, asked(), tmp_path / "b", command="another time")
        assert contents(tmp_path / "a") == contents(tmp_path / "b")

    def test_workers_change_no_byte(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked(), tmp_path / "a")
        write_set(copies, asked(), tmp_path / "b", jobs=3)
        assert contents(tmp_path / "a") == contents(tmp_path / "b")

    @pytest.mark.slow
    def test_another_process_changes_no_byte(self, copies: Library, folder: Path, tmp_path: Path) -> None:
        write_set(copies, asked(), tmp_path / "a")
        command = program("copies", "-n", "20", "--data", folder, "-o", tmp_path / "b")
        subprocess.run(command, check=True, capture_output=True)
        assert contents(tmp_path / "a") == contents(tmp_path / "b")

    @pytest.mark.slow
    def test_workers_that_cannot_inherit_the_library_read_it_again(
        self, copies: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_set(copies, asked(), tmp_path / "a")
        monkeypatch.setattr(workers, "_CONTEXT", multiprocessing.get_context("spawn"))
        write_set(copies, asked(), tmp_path / "b", jobs=2)
        assert contents(tmp_path / "a") == contents(tmp_path / "b")

    def test_a_worker_has_neighbours_and_then_helps_whoever_has_most_left(self) -> None:
        first = workers._Turns(5, jobs=2)
        second = copy.copy(first)  # what a forked process has: what is shared stays so
        first.begin(range(5))
        assert [first.take(), second.take(), first.take(), second.take()] == [0, 3, 1, 4]
        assert second.take() == 2
        first.begin([0, 2, 4])  # each makes the files of what it compiled
        assert [second.take(), first.take(), second.take()] == [2, 0, 4]

    def test_a_batch_equals_each_paradigm_alone(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked(), tmp_path / "all")
        for uid in COPIES:
            stream = io.BytesIO()
            write_stream(compile_checked(copies, copies.paradigm(uid), asked(uid)), asked(uid), stream)
            assert stream.getvalue() == (tmp_path / "all" / f"{uid}.jsonl").read_bytes()

    def test_seed_and_n_count(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked("ant"), tmp_path / "a")
        write_set(copies, asked("ant", seed=1), tmp_path / "b")
        write_set(copies, asked("ant", n=10), tmp_path / "c")
        a, b, c = (contents(tmp_path / name)["ant.jsonl"] for name in "abc")
        assert a != b
        assert a.startswith(c)

    def test_lines_end_in_a_newline_only(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked("ant"), tmp_path / "a")
        data = (tmp_path / "a" / "ant.jsonl").read_bytes()
        assert data.count(b"\n") == 20
        assert data.endswith(b"}\n")
        assert b"\r" not in data

    def test_defaults_are_a_thousand_rows(self, library: Library, tmp_path: Path) -> None:
        manifest = write_set(library, Arguments(targets=("transitive",)), tmp_path / "a")
        assert manifest.sets["transitive"].count == 1000
        assert manifest.arguments.n is None


class TestManifest:
    @pytest.fixture
    def manifest(self, copies: Library, tmp_path: Path) -> Manifest:
        write_set(copies, asked("dog", "ant", seed=-3), tmp_path, command="blimpgen generate dog ant", jobs=2)
        return read_manifest(tmp_path)

    def test_it_says_what_made_the_set(self, manifest: Manifest, tmp_path: Path) -> None:
        assert manifest.seed == -3
        assert manifest.arguments.targets == ("dog", "ant")
        assert list(manifest.sets) == ["dog", "ant"]
        assert manifest.run.command == "blimpgen generate dog ant"
        assert list(json.loads((tmp_path / "manifest.json").read_text()))[-2:] == ["run", "lines"]
        assert not (tmp_path / "run.json").exists()

    def test_its_hashes_and_counts_are_those_of_the_files(self, manifest: Manifest, tmp_path: Path) -> None:
        for uid, entry in manifest.sets.items():
            assert entry.file == f"{uid}.jsonl"
            assert entry.sha256 == write_chunks(tmp_path / "again", [(tmp_path / entry.file).read_bytes()])
            assert entry.count == 20
            assert 0 < entry.acceptance <= 1
            assert entry.acceptance
        assert len({entry.plan for entry in manifest.sets.values()}) == 1

    def test_the_library_hash_follows_the_data(self, copies: Library, folder: Path, tmp_path: Path) -> None:
        before = write_set(copies, asked("ant"), tmp_path / "a").library
        extra = folder / "paradigms" / "copies" / "animals" / "eel.yaml"
        shutil.copy(copies.paradigm("ant").document.path, extra)
        after = write_set(copies, asked("ant"), tmp_path / "b").library
        extra.unlink()
        assert before != after
        assert write_set(copies, asked("ant"), tmp_path / "c").library == before

    @pytest.mark.parametrize(
        "text, message", [(None, "no manifest.json"), ("{}", "not a manifest"), ("[", "not a manifest")]
    )
    def test_what_is_no_manifest(self, tmp_path: Path, text: str | None, message: str) -> None:
        if text is not None:
            (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(DataError, match=message):
            read_manifest(tmp_path)

    def test_a_manifest_cannot_name_files_elsewhere(self) -> None:
        good = {"file": "a.jsonl", "count": 1, "sha256": "0" * 64, "plan": "0" * 64, "acceptance": 1.0, "refusals": {}}
        assert Entry.model_validate(good)
        for name in ("../a.jsonl", "/a.jsonl", "b/a.jsonl", ".a.jsonl", "a.txt", "b\\a.csv", "a\0.csv", "a\n.csv"):
            with pytest.raises(ValueError, match=r"pattern|is no name for a file"):
                Entry.model_validate({**good, "file": name})


class TestFolders:
    def test_a_new_folder_with_its_parents(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked("ant"), tmp_path / "a" / "b")
        assert sorted(p.name for p in (tmp_path / "a" / "b").iterdir()) == ["ant.jsonl", "manifest.json"]

    def refused(self, copies: Library, path: Path, message: str, *, overwrite: bool = False) -> None:
        before = contents(path) if path.is_dir() else None
        with pytest.raises(UsageError, match=message):
            write_set(copies, asked("ant"), path, overwrite=overwrite)
        assert before is None or contents(path) == before

    def test_foreign_folders_are_refused(self, copies: Library, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("mine")
        self.refused(copies, tmp_path, "is not empty")
        self.refused(copies, tmp_path / "notes.txt", "is a file")

    def test_a_finished_set_is_refused(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked("ant"), tmp_path)
        self.refused(copies, tmp_path, "holds a finished set .* --overwrite")

    def test_overwrite_removes_only_what_is_ours(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked("dog", "bee"), tmp_path)
        (tmp_path / "notes.txt").write_text("mine")
        (tmp_path / "other.jsonl").write_text("mine")
        write_set(copies, asked("ant", "bee", seed=5), tmp_path, overwrite=True)
        assert sorted(p.name for p in tmp_path.iterdir()) == [
            "ant.jsonl",
            "bee.jsonl",
            "manifest.json",
            "notes.txt",
            "other.jsonl",
        ]
        assert read_manifest(tmp_path).seed == 5

    @pytest.mark.parametrize("name", ["ant.jsonl", "manifest.json", "run.json"])
    def test_overwrite_refuses_foreign_files_in_the_way(self, copies: Library, tmp_path: Path, name: str) -> None:
        (tmp_path / name).write_text("{}")
        self.refused(copies, tmp_path, "was not written by", overwrite=True)

    @pytest.mark.parametrize("key", ["plans", "finished"])
    @pytest.mark.parametrize("uid", ["../victim/precious", "/etc/passwd", ".ant", "", "a\\b", "a\0b"])
    def test_a_crafted_run_touches_nothing_outside(
        self, copies: Library, tmp_path: Path, broken_off: None, key: str, uid: str
    ) -> None:
        victim = tmp_path.parent / "victim" / "precious.jsonl"
        victim.parent.mkdir(exist_ok=True)
        victim.write_text("precious")
        state = read_state(tmp_path)
        state[key][uid] = next(iter(state[key].values()))
        (tmp_path / "run.json").write_text(json.dumps(state))
        self.refused(copies, tmp_path, "run.json was not written by this version", overwrite=True)
        assert victim.read_text() == "precious"

    @pytest.mark.parametrize("name", ["ant.jsonl", "dog.jsonl", "manifest.json", "run.json"])
    @pytest.mark.parametrize("kind", ["link", "pipe", "folder"])
    def test_overwrite_replaces_regular_files_only(self, copies: Library, tmp_path: Path, kind: str, name: str) -> None:
        write_set(copies, asked("ant", "dog"), tmp_path / "a")
        path, victim = tmp_path / "a" / name, tmp_path / "victim"
        victim.write_text("precious")
        path.unlink(missing_ok=True)
        make: dict[str, Callable[[], None]] = {
            "link": lambda: path.symlink_to(victim),
            "pipe": lambda: os.mkfifo(path),
            "folder": path.mkdir,
        }
        make[kind]()
        with pytest.raises(UsageError, match=f"{name} is no regular file; move it"):
            write_set(copies, asked("ant"), tmp_path / "a", overwrite=True)
        assert path.is_symlink() or not path.is_file()
        assert victim.read_text() == "precious"

    def test_a_link_in_place_of_a_partial_file_is_not_followed(self, copies: Library, tmp_path: Path) -> None:
        victim = tmp_path / "victim"
        victim.write_text("precious")
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / f".ant.jsonl.{os.getpid()}.partial").symlink_to(victim)
        write_set(copies, asked("ant"), tmp_path / "a")
        assert victim.read_text() == "precious"
        assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["ant.jsonl", "manifest.json"]

    def test_an_unfinished_run_refuses_other_calls(self, copies: Library, tmp_path: Path, broken_off: None) -> None:
        with pytest.raises(UsageError, match="unfinished run of `blimpgen generate copies`; repeat"):
            write_set(copies, asked(n=21), tmp_path)
        assert read_state(tmp_path)["arguments"]["n"] == 20

    def test_an_unfinished_run_is_refused_with_other_data(
        self, copies: Library, folder: Path, tmp_path: Path, broken_off: None
    ) -> None:
        extra = folder / "paradigms" / "copies" / "animals" / "eel.yaml"
        extra.write_text((folder / "paradigms" / "copies" / "animals" / "ant.yaml").read_text() + "# changed\n")
        try:
            with pytest.raises(UsageError, match="with other data files"):
                write_set(copies, asked(), tmp_path)
        finally:
            extra.unlink()

    def test_the_same_call_goes_on(self, copies: Library, tmp_path: Path, broken_off: None) -> None:
        (tmp_path / ".cat.jsonl.123.partial").write_text("half a li")
        kept = (tmp_path / "ant.jsonl").stat().st_mtime_ns
        (tmp_path / "bee.jsonl").write_text("touched")
        write_set(copies, asked(), tmp_path, command="blimpgen generate copies")
        assert (tmp_path / "ant.jsonl").stat().st_mtime_ns == kept
        write_set(copies, asked(), tmp_path / "whole")
        whole = contents(tmp_path / "whole")
        shutil.rmtree(tmp_path / "whole")
        assert contents(tmp_path) == whole

    def test_overwrite_replaces_an_unfinished_run(self, copies: Library, tmp_path: Path, broken_off: None) -> None:
        write_set(copies, asked("cat"), tmp_path, overwrite=True)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["cat.jsonl", "manifest.json"]

    def test_a_replacement_that_is_broken_off_still_removes_the_old_set(
        self, copies: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_set(copies, asked("dog"), tmp_path)
        with monkeypatch.context() as patch:
            patch.setattr(Path, "unlink", interrupt)
            with pytest.raises(KeyboardInterrupt):
                write_set(copies, asked("ant"), tmp_path, overwrite=True)
        write_set(copies, asked("ant"), tmp_path)
        assert sorted(p.name for p in tmp_path.iterdir()) == ["ant.jsonl", "manifest.json"]

    @pytest.fixture
    def broken_off(self, copies: Library, tmp_path: Path) -> None:
        """A run of ``copies`` that was interrupted after two of four files."""
        with pytest.raises(KeyboardInterrupt):
            write_set(copies, asked(), tmp_path, command="blimpgen generate copies", done=after("bee"))
        assert sorted(p.name for p in tmp_path.iterdir()) == ["ant.jsonl", "bee.jsonl", "run.json"]


def interrupt(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def after(last: str) -> Any:
    def done(uid: str, entry: Entry) -> None:
        if uid == last:
            raise KeyboardInterrupt

    return done


def read_state(folder: Path) -> dict[str, Any]:
    state: dict[str, Any] = json.loads((folder / "run.json").read_text())
    return state


class TestErrorsLeaveNothing:
    def test_a_data_error_in_the_last_target(self, copies: Library, tmp_path: Path) -> None:
        bad = tmp_path / "bad.yaml"
        text = copies.paradigm("ant").document.path.read_text()
        bad.write_text(text.replace("frame: V.NP", "frame: V.XX", 1))
        with pytest.raises(DataError):
            write_set(copies, asked("ant", "dog", str(bad)), tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_more_rows_than_there_are(self, copies: Library, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="at most 100,000,000 rows"):
            write_set(copies, asked(n=100_000_001), tmp_path / "out")
        assert not (tmp_path / "out").exists()

    def test_everything_of_a_plan_too_large_to_list(self, library: Library, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="at most 5,000,000 can be enumerated"):
            write_set(library, asked("transitive", n=None, enumerate=True), tmp_path / "out")

    @pytest.mark.slow
    def test_an_error_while_generating(self, copies: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(compiled: Any, arguments: Arguments, path: Path) -> Entry:
            if path.stem == "cat":
                raise DataError("gave up")
            time.sleep(0.2)  # in another process, it goes on after the error
            return make_file(compiled, arguments, path)

        monkeypatch.setattr(workers, "make_file", fail)
        for number, jobs in enumerate((1, 2)):
            with pytest.raises(DataError, match="gave up"):
                write_set(copies, asked(), tmp_path / str(number), jobs=jobs)
            assert not (tmp_path / str(number)).exists()

    def test_a_dead_worker_leaves_a_run_to_finish(
        self, copies: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if sys.platform != "linux":
            pytest.skip("needs forked workers")
        monkeypatch.setattr(workers, "make_file", lambda *_: signal.raise_signal(signal.SIGKILL))
        with pytest.raises(BlimpgenError, match="a worker process died"):
            write_set(copies, asked(), tmp_path / "out", jobs=2)
        monkeypatch.undo()
        assert len(write_set(copies, asked(), tmp_path / "out", jobs=2).sets) == 4

    def test_two_files_for_one_uid(self, copies: Library, tmp_path: Path) -> None:
        (tmp_path / "ant.yaml").write_text(copies.paradigm("ant").document.path.read_text())
        with pytest.raises(UsageError, match="two files have the UID 'ant'"):
            find_paradigms(copies, asked("ant", str(tmp_path / "ant.yaml")))

    def test_a_failing_write_keeps_the_old_file(self, tmp_path: Path) -> None:
        def chunks() -> Iterator[bytes]:
            yield b"new"
            raise OSError("disk full")

        path = tmp_path / "a.jsonl"
        path.write_bytes(b"old")
        with pytest.raises(OSError, match="disk full"):
            write_chunks(path, chunks())
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("line", "file"),
    [
        pytest.param(f"generate {SHORT} -n 20 -o out", f"out/{SHORT}.jsonl", marks=pytest.mark.slow),
        ("export set --to lm-eval -o out", f"out/data/{SHORT}.jsonl"),
        ("export set --to csv -o out", "out"),
    ],
)
def test_a_disk_that_is_full_is_told_with_the_file(
    line: str, file: str, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_set(library, Arguments(targets=(SHORT,), n=20), tmp_path / "set")
    told = on_full_disk(2000, *line.split())
    assert (told.code, told.err) == (1, f"{file}: File too large\n")
    left = {path.name for path in tmp_path.rglob("*")}
    assert left == {"set", f"{SHORT}.jsonl", "manifest.json", *(["out", "run.json"] if "generate" in line else [])}


def test_lines_are_written_in_constant_memory(tmp_path: Path) -> None:
    rows = ({"sentence_good": f"A {k} b.", "sentence_bad": "B a.", "pairID": str(k)} for k in range(60_000))
    tracemalloc.start()
    write_chunks(tmp_path / "a.jsonl", (chunk for _, chunk in json_chunks(rows)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "a.jsonl").stat().st_size > 3_000_000
    assert most < 2_800_000


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_killed_run_leaves_whole_files_and_is_resumed(
    copies: Library, folder: Path, tmp_path: Path, jobs: str
) -> None:
    out, n = tmp_path / "out", 6000
    command = program("copies", "-n", str(n), "--data", folder, "-o", out, "--jobs", jobs)
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        give_up = time.monotonic() + 60
        while not list(out.glob("*.jsonl")) and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.005)
        process.kill()
    assert process.returncode == -signal.SIGKILL, "the run ended before it could be killed"
    assert (out / "run.json").exists()
    assert not (out / "manifest.json").exists()
    found = list(out.glob("*.jsonl"))
    assert found
    for path in found:
        data = path.read_bytes()
        assert data.count(b"\n") == n
        assert json.loads(data.splitlines()[-1])["pairID"] == str(n - 1)
    subprocess.run(command, check=True, capture_output=True)
    write_set(copies, asked(n=n), tmp_path / "whole")
    assert contents(out) == contents(tmp_path / "whole")


class TestRows:
    @pytest.mark.parametrize("uid", RELEASED)
    def test_the_release_is_read_as_it_is(self, uid: str) -> None:
        lines = (SAMPLE / f"{uid}.jsonl").read_text(encoding="utf-8").splitlines()
        pairs = read_jsonl(SAMPLE / f"{uid}.jsonl")
        assert [json.dumps(pair.to_dict()) for pair in pairs] == [json.dumps(json.loads(line)) for line in lines]
        assert all(isinstance(pair, MinimalPair) and pair.uid == uid for pair in pairs)

    @pytest.mark.parametrize("uid", RELEASED)
    def test_our_keys_are_those_of_the_release(self, uid: str, library: Library) -> None:
        if uid not in library.uids("blimp"):
            pytest.skip(f"the paradigm {uid} is not here")
        released = json.loads((SAMPLE / f"{uid}.jsonl").read_text(encoding="utf-8").splitlines()[0])
        ours = generate(uid, n=1, library=library)[0].to_dict()
        assert list(ours) == list(released)
        assert [type(value) for value in ours.values()] == [type(value) for value in released.values()]

    def test_pairs_come_back(self, library: Library, tmp_path: Path) -> None:
        pairs = generate("transitive", n=5, library=library)
        write_jsonl(pairs, tmp_path / "pairs.jsonl")
        again = read_jsonl(tmp_path / "pairs.jsonl")
        assert again == pairs
        assert all(isinstance(pair, MinimalPair) and pair.metadata == {} for pair in again)

    def test_metadata_comes_back(self, library: Library, tmp_path: Path) -> None:
        pairs = generate("transitive", n=5, library=library)
        write_jsonl(pairs, tmp_path / "a.jsonl", metadata=True)
        again = read_jsonl(tmp_path / "a.jsonl")
        assert "metadata" not in again[0].to_dict()
        write_jsonl(again, tmp_path / "b.jsonl", metadata=True)
        assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()

    def test_sets_come_back(self, designs: Library, tmp_path: Path) -> None:
        sets = generate("npi_across_anim", n=4, library=designs)
        write_jsonl(sets, tmp_path / "sets.jsonl")
        again = read_jsonl(tmp_path / "sets.jsonl")
        assert all(isinstance(item, SentenceSet) for item in again)
        assert [item.to_dict() for item in again] == [item.to_dict() for item in sets]

    def test_missing_names_come_from_the_file(self, tmp_path: Path) -> None:
        (tmp_path / "mine.jsonl").write_text('\n{"sentence_good": "A b.", "sentence_bad": "B a."}\n')
        (pair,) = read_jsonl(tmp_path / "mine.jsonl")
        assert isinstance(pair, MinimalPair)
        assert (pair.uid, pair.id) == ("mine", "1")

    @pytest.mark.parametrize(
        "line, message",
        [
            ("{", "2: not JSON"),
            ("\xff", "2: not JSON"),
            ("[" * 5000, "2: not JSON"),
            ("[1]", "2: neither a pair"),
            ('{"sentence_good": "A.", "sentence_bd": "B."}', "2: neither a pair .* did you mean 'sentence_good'"),
            ('{"sentence_good": 1, "sentence_bad": "B."}', "2: sentence_good: .* valid string, not 1"),
            (pair(UID="../x"), "2: '../x' is no name for a file or UID"),
            (pair(UID=".x"), "2: '.x' is no name"),
            (pair(UID=""), "2: '' is no name"),
            (pair(UID="a\x1b[2Jb"), r"2: 'a\\x1b\[2Jb' is no name"),
            (pair(UID=7), "2: UID: .* valid string, not 7"),
            (pair(pairID=[]), "2: pairID.*: .* valid"),
            (pair(field=7), "2: field: .* valid string, not 7"),
            (pair(one_prefix_method="yes"), "2: one_prefix_method: .* valid boolean, not 'yes'"),
            (pair(one_prefix_prefix="A"), "2: one_prefix_word_good: missing, but there is one_prefix_prefix"),
            (pair(two_prefix_word="A"), "2: two_prefix_prefix_good: missing, but there is two_prefix_word"),
            (pair(metadata=5), "2: metadata: .* object"),
            (pair(metadata={"trees": 5}), "2: metadata.trees: .* object, not 5"),
            (pair(metadata={"trees": {"good": 5}}), "2: metadata.trees.good: .* valid string, not 5"),
            (pair(metadata={"words": {"good": [["a"]]}}), "2: metadata.words.good.0"),
            (pair(numbers={"a": 1}), "2: numbers.a: .* valid string, not 1"),
            (pairs_of(sentences={}), "2: sentences: .* at least 2 items"),
            (pairs_of(sentences={"a": "A.", "b": 5}), "2: sentences.b: .* valid string, not 5"),
            (pairs_of(sentences=5), "2: sentences: .* object"),
            (pairs_of(pairs=[]), "2: pairs: .* at least 1 item"),
            (pairs_of(pairs=5), "2: pairs: .* array"),
            (pairs_of(pairs=[["x", "a"]]), "2: pairs.0.2: field required"),
            (pairs_of(pairs=[["x", "a", ["a"]]]), "2: pairs.0.2: .* valid string"),
            (pairs_of(pairs=[["x", "a", "c"]]), "2: pairs: the comparison 'x' names the sentence 'c'; there are: a, b"),
            (pairs_of(pairs=[["x", "a", "b"], ["x", "b", "a"]]), "2: pairs: two comparisons are called 'x'"),
            (pairs_of(difference={"y": []}), "2: difference: nothing about the comparison 'x'"),
            (pair(pairID="1") + "\n" + pair(pairID="1"), "u has two records with the number 1"),
        ],
    )
    def test_what_is_no_record(self, tmp_path: Path, line: str, message: str) -> None:
        path = tmp_path / "u.jsonl"
        path.write_bytes(b'{"sentence_good": "A.", "sentence_bad": "B."}\n' + line.encode("latin-1"))
        with pytest.raises(DataError, match=message) as told:
            read_jsonl(path)
        assert "\n" not in str(told.value)

    def test_no_file_and_no_records(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="no such file"):
            read_jsonl(tmp_path / "b.jsonl")
        (tmp_path / "a.jsonl").write_text("\n")
        with pytest.raises(DataError, match=r"a\.jsonl: no records in it"):
            list(open_set(tmp_path).read())

    def test_hidden_files_and_links_to_devices_are_no_data(self, tmp_path: Path) -> None:
        for name in (".#a.jsonl", "._a.jsonl", ".a.jsonl"):
            (tmp_path / name).write_text("not JSON")
        with pytest.raises(UsageError, match=r"no \*\.jsonl file in it"):
            open_set(tmp_path)
        (tmp_path / "a.jsonl").write_text(pair())
        assert [path.name for path in open_set(tmp_path).files] == ["a.jsonl"]
        (tmp_path / "zero.jsonl").symlink_to("/dev/zero")
        with pytest.raises(DataError, match=r"zero\.jsonl: not a regular file"):
            open_set(tmp_path)

    @pytest.mark.parametrize(
        "command", ["audit {}", "export {} --to csv -o {}.csv", "diff {} {}", "verify {} --model x"]
    )
    def test_files_are_as_their_manifest_says(self, copies: Library, tmp_path: Path, call: Call, command: str) -> None:
        folder = tmp_path / "a"
        write_set(copies, asked("ant", "bee"), folder)
        text = (folder / "ant.jsonl").read_text()
        (folder / "ant.jsonl").write_text(text.replace('"pairID":"0"', '"pairID":"00"'))
        told = call(*command.replace("{}", str(folder)).split())
        assert told.code == 1
        assert f"{folder / 'ant.jsonl'}: not as manifest.json describes it; make the set again" in told.err
        assert told.err.count("\n") == 1
        (folder / "ant.jsonl").unlink()
        told = call(*command.replace("{}", str(folder)).split())
        assert (told.code, told.err.count("\n")) == (1, 1)
        assert "ant.jsonl is missing, which manifest.json lists" in told.err

    def test_an_unfinished_run_is_no_set(self, copies: Library, tmp_path: Path) -> None:
        with pytest.raises(KeyboardInterrupt):
            write_set(copies, asked(), tmp_path / "a", done=after("bee"))
        with pytest.raises(DataError, match="a: holds an unfinished run"):
            open_set(tmp_path / "a")

    def test_csv_has_the_same_cells(self, copies: Library, tmp_path: Path) -> None:
        write_set(copies, asked("ant", metadata=True), tmp_path / "a")
        write_set(copies, asked("ant", metadata=True, format="csv"), tmp_path / "b")
        rows = [json.loads(line) for line in (tmp_path / "a" / "ant.jsonl").read_text().splitlines()]
        data = (tmp_path / "b" / "ant.csv").read_bytes().decode()
        assert "\r" not in data
        table = list(csv.DictReader(io.StringIO(data)))
        assert [list(row) for row in table] == [list(row) for row in rows]
        for cells, row in zip(table, rows, strict=True):
            assert {k: v if isinstance(row[k], str) else json.loads(v) for k, v in cells.items()} == row

    def test_sets_as_pairs(self, designs: Library, tmp_path: Path) -> None:
        sets = write_set(designs, asked("npi_across_anim", n=4), tmp_path / "a").sets["npi_across_anim"]
        pairs = write_set(designs, asked("npi_across_anim", n=4, pairs=True), tmp_path / "b").sets["npi_across_anim"]
        assert (sets.count, pairs.count) == (4, 4 * 3)
        rows = [json.loads(line) for line in (tmp_path / "b" / "npi_across_anim.jsonl").read_text().splitlines()]
        assert [row["comparison"] for row in rows[:3]] == list(designs.paradigm("npi_across_anim").pairs)
        assert len({row["pairID"] for row in rows}) == len(rows)

    def test_sets_have_no_csv(self, designs: Library, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="add --pairs"):
            write_set(designs, asked("npi_across_anim", n=4, format="csv"), tmp_path / "a")
        assert not (tmp_path / "a").exists()
        assert write_set(designs, asked("npi_across_anim", n=4, format="csv", pairs=True), tmp_path / "a")

    def test_enumerated_paradigms_are_written_whole(self, designs: Library, tmp_path: Path) -> None:
        compiled = compile_checked(designs, designs.paradigm("npi_across_anim"), asked(n=1))
        every = write_set(designs, asked("npi_across_anim", n=None, seed=0), tmp_path / "a").sets["npi_across_anim"]
        other = write_set(designs, asked("npi_across_anim", n=None, seed=9), tmp_path / "b").sets["npi_across_anim"]
        some = write_set(designs, asked("npi_across_anim", n=7), tmp_path / "c").sets["npi_across_anim"]
        assert every.count == compiled.capacity.value
        assert every.sha256 == other.sha256
        assert some.count == 7

    def test_style(self, library: Library, tmp_path: Path) -> None:
        write_set(library, asked("transitive", style="plain"), tmp_path)
        plain = read_jsonl(tmp_path / "transitive.jsonl")
        blimp = generate("transitive", n=20, library=library)
        assert plain != blimp
        assert [pair.to_dict()["sentence_good"].lower() for pair in plain] == [
            pair.to_dict()["sentence_good"].lower() for pair in blimp
        ]
        assert read_manifest(tmp_path).arguments.style == "plain"
