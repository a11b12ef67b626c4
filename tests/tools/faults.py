"""Runs at once and kills at random moments: no file may stand in a folder that its manifest does not describe.

Pairs of runs: two calls of `generate` with different seeds write into one folder at the same time. Kills: a call is
killed (SIGKILL) after a random time; then the same call must finish the set, with the bytes of an undisturbed run.

    python -m tests.tools.faults --pairs 200 --kills 200
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from blimpgen.base.files import is_partial, sha256_of
from blimpgen.base.locks import LOCK

TARGETS = ("transitive", "adjunct_island", "wh_island", "passive_1", "principle_A_c_command")
ROWS = 300


def command(folder: Path, seed: int, *options: str) -> list[str]:
    """The call that is disturbed."""
    made = ("generate", *TARGETS, "-n", str(ROWS), "--seed", str(seed), "-o", str(folder))
    return [sys.executable, "-m", "blimpgen", *made, *options]


def start(folder: Path, seed: int, *options: str) -> subprocess.Popen[str]:
    """Begin a call."""
    return subprocess.Popen(command(folder, seed, *options), stderr=subprocess.PIPE, text=True)


def check_described(folder: Path) -> None:
    """Assert that every file of a folder is whole and as its manifest or the note of its run says."""
    names = {path.name for path in folder.iterdir() if not is_partial(path)} - {LOCK} if folder.exists() else set()
    if "manifest.json" in names:
        manifest = json.loads((folder / "manifest.json").read_text())
        entries = {entry["file"]: entry["sha256"] for entry in manifest["sets"].values()}
        assert {name: sha256_of(folder / name) for name in entries} == entries, folder
        assert names - {"run.json"} == {*entries, "manifest.json"}, names
    elif names:
        run = json.loads((folder / "run.json").read_text())
        planned = {f"{uid}.jsonl" for uid in run["plans"]} | set(run["replaces"])
        assert names - {"run.json"} <= planned, names
        for entry in run["finished"].values():
            assert sha256_of(folder / entry["file"]) in ("", entry["sha256"]), entry
        for name in names - {"run.json"} - set(run["replaces"]):
            assert (folder / name).read_bytes().count(b"\n") == ROWS, name


def run_pair(folder: Path, wait: float, *, overwrite: bool) -> str:
    """Let two calls write into one folder, the second some seconds after the first; how they ended."""
    options = ("--overwrite",) if overwrite else ()
    first = start(folder, 1, *options)
    time.sleep(wait)
    second = start(folder, 2, *options)
    errors = [process.communicate(timeout=120)[1] for process in (first, second)]
    codes = sorted((first.returncode, second.returncode))
    check_described(folder)
    assert (folder / "manifest.json").exists(), errors
    assert "Traceback" not in "".join(errors), errors
    assert codes == [0, 2] or (overwrite and codes == [0, 0]), (codes, errors)
    assert all(error.count("\n") == 1 for error in errors), errors
    told = [error for error in errors if "is being written by process" in error]
    return "second finds the lock" if told else "one after the other"


def run_kill(folder: Path, wait: float, whole: dict[str, bytes], *options: str) -> str:
    """Kill a call after some seconds, then let the same call finish; where it was."""
    process = start(folder, 1, *options)
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    check_described(folder)
    finished = (folder / "manifest.json").exists() and not (folder / "run.json").exists()
    if not finished:
        time.sleep(0.1)  # workers end when they see that their parent is gone
        done = subprocess.run(command(folder, 1, *options), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    check_described(folder)
    assert {path.name: path.read_bytes() for path in folder.glob("*.jsonl")} == whole
    # A run that was killed while it gave up its lock leaves the file of the lock, which holds nobody up.
    assert finished or not [path for path in folder.iterdir() if path.name in (LOCK, "run.json")]
    return "finished before" if finished else "killed"


def run_faults(pairs: int, kills: int, seed: int = 0) -> Counter[str]:
    """Disturb many runs; how often each outcome came.

    Args:
        pairs: how many pairs of runs.
        kills: how many killed runs.
        seed: of the random moments.
    """
    moments, outcomes = random.Random(seed), Counter[str]()
    with TemporaryDirectory() as name:
        folder = Path(name)
        began = time.monotonic()
        subprocess.run(command(folder / "whole", 1), check=True, capture_output=True)
        usual = time.monotonic() - began
        whole = {path.name: path.read_bytes() for path in (folder / "whole").glob("*.jsonl")}
        for number in range(pairs):
            out = folder / f"pair-{number}"
            outcomes[run_pair(out, moments.uniform(0, usual), overwrite=number % 2 == 1)] += 1
            shutil.rmtree(out)
        for number in range(kills):
            out, jobs = folder / f"kill-{number}", str(1 + number % 2)
            outcomes[run_kill(out, moments.uniform(0.3, 1.1) * usual, whole, "--jobs", jobs)] += 1
            shutil.rmtree(out)
    return outcomes


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pairs", "kills", "seed"):
        parser.add_argument(f"--{name}", type=int, default=0 if name == "seed" else 200)
    os.environ["BLIMPGEN_CACHE"] = "off"
    for outcome, count in run_faults(**vars(parser.parse_args())).items():
        print(f"{outcome}: {count}")


if __name__ == "__main__":
    main()
