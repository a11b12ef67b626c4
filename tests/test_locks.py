"""Locks on outputs: one writer at a time, named to the others; no lock outlives its process."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blimpgen.base import locks
from blimpgen.base.errors import UsageError
from blimpgen.base.locks import LOCK, locked_file, locked_folder
from blimpgen.dataset import Arguments, write_set
from blimpgen.library import Library
from tests.conftest import Call

HOLDER = """
import sys, time
from pathlib import Path
from blimpgen.base.locks import locked_folder
with locked_folder(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody here is just giving a lock up."""
    monkeypatch.setattr(locks, "_PATIENCE", 0.0)


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lock of ``out``."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path / "out")], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


def test_the_other_call_is_told_who_writes(holder: subprocess.Popen[bytes], tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=f"out is being written by process {holder.pid} since '20") as told:
        locked_folder(tmp_path / "out").__enter__()
    assert "\n" not in str(told.value)


def test_a_lock_left_by_a_killed_process_is_taken_over(holder: subprocess.Popen[bytes], tmp_path: Path) -> None:
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    assert (tmp_path / "out" / LOCK).exists()
    with locked_folder(tmp_path / "out"):
        (tmp_path / "out" / "data").touch()
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["data"]


def test_a_folder_in_which_nothing_was_written_is_removed(tmp_path: Path) -> None:
    with locked_folder(tmp_path / "a" / "b"):
        assert (tmp_path / "a" / "b").is_dir()
    assert not (tmp_path / "a" / "b").exists()
    assert not (tmp_path / "a").exists()
    with locked_file(tmp_path / "a" / "b.csv"):
        assert (tmp_path / "a").is_dir()
    assert not (tmp_path / "a").exists()
    (tmp_path / "c").mkdir()
    with locked_folder(tmp_path / "c"):
        pass
    assert (tmp_path / "c").is_dir()


def test_what_a_killed_run_left_of_a_file_or_folder_is_removed(tmp_path: Path) -> None:
    (tmp_path / ".x.csv.123.partial").write_text("half a li")
    (tmp_path / ".x.csv.124.partial").mkdir()
    (tmp_path / ".x.csv.124.partial" / "data").touch()
    (tmp_path / ".x.csv.125.partial").symlink_to(tmp_path / "others", target_is_directory=True)
    (tmp_path / "others").mkdir()
    others = {"others", ".x.csv.mine.partial", ".y.csv.123.partial", ".x.csv.bak.123.partial"}
    for name in others - {"others"}:
        (tmp_path / name).touch()
    with locked_file(tmp_path / "x.csv"):
        (tmp_path / "x.csv").touch()
    assert {path.name for path in tmp_path.iterdir()} == {*others, "x.csv"}


def test_one_process_locks_once(tmp_path: Path) -> None:
    with locked_file(tmp_path / "x.csv"):
        with pytest.raises(UsageError, match=f"x.csv is being written by process {os.getpid()} since"):
            locked_file(tmp_path / "x.csv").__enter__()
        with locked_file(tmp_path / "y.csv"):
            pass
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "\x1b[2J", '{"pid": 1, "host": "\\u001b[2J", "since": "x"}', "[" * 5000])
def test_what_stands_in_a_lock_is_never_trusted(tmp_path: Path, text: str) -> None:
    with locked_folder(tmp_path):
        (tmp_path / LOCK).write_text(text, encoding="utf-8")
        with pytest.raises(UsageError, match="is being written by") as told, locked_folder(tmp_path):
            pass
    assert "\x1b" not in str(told.value)


def test_a_link_in_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / LOCK).symlink_to(tmp_path / "victim")
    with pytest.raises(OSError, match="symbolic"), locked_folder(tmp_path / "out"):
        pass
    assert (tmp_path / "victim").read_text() == "precious"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(UsageError, match="is a file; name a folder"), locked_folder(tmp_path / "out"):
        pass


def test_without_locks_of_the_system_the_file_itself_is_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(*_: object) -> bool:
        raise OSError(errno.ENOSYS, "no locks on this file system")

    monkeypatch.setattr("filelock._unix.lock_fd_nonblocking", missing)
    with locked_folder(tmp_path), pytest.raises(UsageError, match="is being written by another process"):
        locked_folder(tmp_path).__enter__()
    assert list(tmp_path.iterdir()) == []
    (tmp_path / LOCK).write_text(f"{gone_process()}\n{socket.gethostname()}\n")
    with locked_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def gone_process() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """A folder with a small set ``set``, and ``results`` of it."""
    folder = tmp_path_factory.mktemp("locked")
    write_set(library, Arguments(targets=("transitive",), n=5), folder / "set")
    command = [sys.executable, "-m", "blimpgen", "verify", "set", "--family", "baseline", "--model", "length"]
    subprocess.run([*command, "-o", "results"], cwd=folder, check=True, capture_output=True)
    return folder


WRITTEN = (
    ("new", "generate transitive -n 5 -o new"),
    ("set", "generate transitive -n 5 -o set --overwrite"),
    ("set", "generate transitive -n 5 -o set --update"),
    ("many/seed-0", "generate transitive -n 5 -o many --replicates 2"),
    ("parts/train", "generate transitive -n 5 -o parts --split lexemes:0.5"),
    ("nouns", "nouns --few-shot --target wug/wuz -o nouns"),
    ("tasks", "export set --to lm-eval -o tasks"),
    ("pairs.csv", "export set --to csv -o pairs.csv"),
    ("scores", "verify set --family baseline --model length -o scores"),
    ("report.html", "report results -o report.html"),
)
FAST = ("new", "pairs.csv", "scores")


@pytest.mark.parametrize(
    "written, line",
    [pytest.param(*pair, marks=() if pair[0] in FAST else pytest.mark.slow) for pair in WRITTEN],
    ids=[written for written, _ in WRITTEN],
)
def test_every_command_that_writes_respects_the_lock(
    folders: Path, call: Call, monkeypatch: pytest.MonkeyPatch, written: str, line: str
) -> None:
    monkeypatch.chdir(folders)
    Path(written).parent.mkdir(exist_ok=True)
    with (locked_file if line.startswith(("export", "report")) else locked_folder)(Path(written)):
        told = call(*line.split())
        assert (told.code, told.err.count("\n")) == (2, 1)
        assert f"{written} is being written by process {os.getpid()} since" in told.err
    assert call(*line.split()).code == 0
    assert not list(Path(".").rglob("*.lock"))
