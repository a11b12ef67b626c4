"""Damaged files: no command answers any of 600 with a traceback, takes long, or writes outside its output.

``python tests/tools/fuzz.py -n 50000 --seed 1`` tries more, and other ones.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

import fuzz
from mutate import mutated

EACH = 600 // len(fuzz.KINDS)
"""Inputs of each kind."""
NEEDS = {"studies": ("accelerate", "torch", "scipy")}


@pytest.mark.slow
@pytest.mark.parametrize("kind", fuzz.KINDS)
def test_damaged_files(kind: str) -> None:
    for library in NEEDS.get(kind, ()):
        pytest.importorskip(library)
    assert fuzz.summary(fuzz.fuzz_apart(kind, EACH)) == []


def test_a_number_is_one_input() -> None:
    for number in range(50):
        data = b'{"a": [1, 2, {"b": "c"}]}\nx y z\n'
        first, second = (mutated(data, Random(number), is_json=number % 2 == 0) for _ in range(2))
        assert first == second
    assert len({mutated(b"one two\nthree\n", Random(k)) for k in range(50)}) > 25


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("raise KeyError('x')", "KeyError"),
        ("print('\\x1b[31m')", "control character"),
        ("open('../outside', 'w')", "writes open"),
        ("open('out/.x.partial', 'w'); raise SystemExit(1)", "leaves an unfinished file"),
        ("print('a', 'b', 'c', sep='\\n', file=sys.stderr); raise SystemExit(1)", "3 lines"),
        ("raise SystemExit(7)", "exit code 7"),
        ("sys.stderr.write('a.py:1: UserWarning: late')", "UserWarning"),
        ("os.kill(os.getpid(), 9)", "SIGKILL"),
        ("bytearray(3 << 30)", "MemoryError"),
        ("print('fine')", ""),
    ],
)
def test_what_is_wrong_is_seen(command: str, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def call(arguments: list[str]) -> int:
        exec(command, {"os": fuzz.os, "sys": fuzz.sys})
        return 0

    monkeypatch.setattr(fuzz, "_called", lambda arguments: fuzz.exit_code(lambda: call(arguments)))
    good = tmp_path / "good"
    (good / "out").mkdir(parents=True)
    (good / "file").write_text("x")
    monkeypatch.setitem(fuzz.KINDS, "one", fuzz.Kind(shutil.rmtree, [fuzz.Family(["file"], ["x"])]))
    failures = list(fuzz.attempt("one", 0, 0, good, tmp_path / "box", tmp_path / "temporary"))
    assert any(what in failure.what for failure in failures) if what else not failures, failures
