"""How calls end when their reader leaves, the disk is full, the terminal is dumb, or Ctrl-C is pressed."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from blimpgen.dataset import Arguments, write_set
from blimpgen.library import Library
from tests.conftest import in_tiers

PROGRAM = (sys.executable, "-m", "blimpgen")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """A folder with two sets that differ."""
    folder = tmp_path_factory.mktemp("streams")
    for seed in range(2):
        arguments = Arguments(targets=("determiner_noun_agreement_1",), n=20, seed=seed)
        write_set(library, arguments, folder / "sets" / f"seed-{seed}")
    return folder


def run(folder: Path, *arguments: object, **settings: object) -> subprocess.CompletedProcess[bytes]:
    command = [*PROGRAM, *map(str, arguments)]
    environment = {**os.environ, "BLIMPGEN_CACHE": "off", **settings.pop("env", {})}  # type: ignore[dict-item]
    return subprocess.run(command, cwd=folder, env=environment, check=False, **settings)  # type: ignore[call-overload]


VERIFY = "verify sets/seed-0 --family baseline --model length"
DUMB = {"TERM": "dumb", "NO_COLOR": ""}
PRINTING = (
    "--help",
    "generate --help",
    "list",
    "list --json",
    "show transitive",
    "generate transitive -n 20000",
    "nouns SV_PP --target teacher",
    "count transitive",
    "lexicon noun",
    "lexicon --stats",
    "schema manifest",
    "audit sets/seed-0",
    "audit sets/seed-0 --json",
    "diff sets/seed-0 sets/seed-1",
    "explain transitive --row 1",
    "why transitive verb sleep",
    VERIFY,
    "filter",
    "check no_such_folder",
)
FAST = ("schema manifest",)
TIERED = in_tiers(PRINTING, FAST)


@pytest.mark.parametrize("line", TIERED)
def test_a_reader_that_leaves_ends_the_call_quietly(folder: Path, line: str) -> None:
    """With a pipe that is closed from the beginning every write fails, the first one too."""
    read, write = os.pipe()
    os.close(read)
    done = run(folder, *line.split(), stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    said = done.stderr.decode().splitlines()
    assert len(said) <= 1, done.stderr.decode()
    assert not any("Error" in text or "ignored" in text for text in said)
    assert done.returncode == (2 if line == "check no_such_folder" else 0)


@pytest.mark.parametrize("line", TIERED)
def test_a_full_disk_is_one_line(folder: Path, line: str) -> None:
    if line == "check no_such_folder":
        pytest.skip("prints nothing")
    with open("/dev/full", "wb") as full:
        done = run(folder, *line.split(), stdout=full, stderr=subprocess.PIPE)
    assert done.stderr.decode() == "standard output: No space left on device\n"
    assert done.returncode == 1


@pytest.mark.parametrize("env", in_tiers([DUMB, {"TERM": "xterm", "NO_COLOR": "1"}], [DUMB]))
@pytest.mark.parametrize("line", in_tiers(["show transitive -n 2", VERIFY], [VERIFY]))
def test_plain_terminals_get_no_escapes(folder: Path, line: str, env: dict[str, str]) -> None:
    master, slave = pty.openpty()
    with subprocess.Popen(
        [*PROGRAM, *line.split()], cwd=folder, stdout=slave, stderr=slave, env={**os.environ, **env}
    ) as process:
        os.close(slave)
        text = b""
        while True:
            try:
                part = os.read(master, 65536)
            except OSError:  # how a terminal says that nobody writes to it any more
                break
            if not part:
                break
            text += part
    os.close(master)
    assert process.returncode == 0
    assert b"transitive" in text or b"accuracy" in text
    assert b"\x1b" not in text


class TestInterrupt:
    CODE = """
import os, signal, sys, time
import blimpgen.__main__ as program

class Press:
    "Ctrl-C, so many times, when a module is looked for."
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            try:
                for _ in range({times}):
                    os.kill(os.getpid(), signal.SIGINT)
                time.sleep(0.2)
            except KeyboardInterrupt:
                raise {error}

sys.meta_path.insert(0, Press())
sys.argv = ["blimpgen", "list"]
program.main()
"""

    @pytest.mark.parametrize("module", in_tiers(["typer", "blimpgen.cli.list", "pydantic"], ["blimpgen.cli.list"]))
    @pytest.mark.parametrize("times", [1, 2])
    @pytest.mark.parametrize("error", ["", "ValueError from None"], ids=["as it is", "as compiled code may tell it"])
    def test_while_modules_are_imported_it_is_one_line(self, module: str, times: int, error: str) -> None:
        code = self.CODE.format(module=module, times=times, error=error)
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, done.stderr) == (130, "", "interrupted\n")

    def test_little_is_imported_before_it_can_be_told(self) -> None:
        """Until `main` has begun Ctrl-C is Python's own traceback."""
        code = "import sys; sys.path.insert(0, {!r}); import blimpgen.__main__; print(*sys.modules)"
        root = str(Path(__file__).parents[1])
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", code.format(root)], capture_output=True, text=True, check=True
        )
        assert {"signal", "blimpgen.__main__"} <= {*done.stdout.split()}
        assert not {"typing", "re"} & {*done.stdout.split()}

    @pytest.mark.slow
    @pytest.mark.parametrize("pause", [0.0, 0.001, 0.02])
    def test_twice_while_a_set_is_written_is_one_line(self, tmp_path: Path, pause: float) -> None:
        command = [*PROGRAM, "generate", "transitive", "-n", "300000", "-o", "out"]
        with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
            while not (tmp_path / "out" / "run.json").exists() and process.poll() is None:
                pass
            process.send_signal(signal.SIGINT)
            subprocess.run(["sleep", str(pause)], check=True)
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            assert process.stderr.read() == "interrupted; the same call finishes out\n"
        assert process.returncode == 130
