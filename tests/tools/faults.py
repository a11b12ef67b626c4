"""Runs at once and kills at random moments: no file may stand in a folder that its manifest does not describe.

Pairs of runs: two different calls of one command write into one folder at the same time. Kills: a call is killed
(SIGKILL) when it has used a random time of the processor; then the same call must finish, with the bytes of an
undisturbed run. The commands are `generate`, `verify` with n-grams of a text, and those of the studies, which are only
killed.

    python -m tests.tools.faults --pairs 200 --kills 200 --of generate verify
    python -m tests.tools.faults --pairs 0 --kills 10 --of filter train teach nouns
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
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from blimpgen.base.files import is_partial, sha256_of

TARGETS = ("transitive", "adjunct_island", "wh_island", "passive_1", "principle_A_c_command")
STUDY = Path(__file__).parents[1] / "fixtures" / "study"
ROWS, SCORED, PARSED = 2500, 600, 300
PATIENCE = 600
"""Seconds after which a call hangs, on a machine that is busy with other work."""


@dataclass(frozen=True)
class Disturbed:
    """A command that is disturbed.

    Attributes:
        calls: what stands before the name of the output: two calls that write different files, or the only one.
        check: asserts that every file of an output is whole and described.
        last: the file that is written last.
        keeps_run: whether ``run.json`` stays when the output is whole.
        variations: options of which each kill takes one; they change no byte.
        needs: what it reads: a name to the call that writes it.
    """

    calls: tuple[str, ...]
    check: Callable[[Path], None]
    last: str
    variations: tuple[str, ...] = ("",)
    needs: Mapping[str, str] = field(default_factory=dict)
    keeps_run: bool = False

    def has_ended(self, folder: Path) -> bool:
        """Whether an output is whole."""
        return (folder / self.last).exists() and (self.keeps_run or not (folder / "run.json").exists())


def start(line: str) -> subprocess.Popen[str]:
    """Begin a call."""
    command = [sys.executable, "-m", "blimpgen", *line.split()]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(line: str) -> None:
    """Run a call to its end."""
    process = start(line)
    error = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 0, error


def processor_time(pid: int) -> float:
    """Seconds of the processor that a process and those that it started have used; 0 for one that is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_time(int(child)) for child in children)


def wait_for(process: subprocess.Popen[str], seconds: float) -> None:
    """Wait until a call has used some time of the processor, however busy the machine is, or has ended."""
    while process.poll() is None and processor_time(process.pid) < seconds:
        time.sleep(0.002)


def named(folder: Path) -> set[str]:
    """The files of an output, without locks and what is moved there when it is whole."""
    names = {path.name for path in folder.iterdir() if not is_partial(path)} if folder.exists() else set()
    return {name for name in names if not name.endswith(".lock")}


def check_set(folder: Path) -> None:
    """Assert that every file of a set is whole and as its manifest or the note of its run says."""
    names = named(folder)
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


def check_result(folder: Path) -> None:
    """Assert that the rows of a result are those of its summary, and that all else is what an unfinished run leaves."""
    names = named(folder)
    if "summary.json" in names:
        summary = json.loads((folder / "summary.json").read_text())
        assert summary["sha256"] == sha256_of(folder / "items.jsonl"), folder
        assert summary["signature"] == (folder / "signature.txt").read_text().rstrip("\n"), folder
    assert names <= {"signature.txt", "items.unfinished.jsonl", "items.jsonl", "summary.json"}, names
    assert "signature.txt" in names or not names, names


def check_corpora(folder: Path) -> None:
    """Assert that filtered corpora are as their manifest says, or as an unfinished run leaves them."""
    names = {name for name in named(folder) if not name.endswith(".unfinished")}
    if "manifest.json" in names:
        entries = json.loads((folder / "manifest.json").read_text())["files"].values()
        assert all(sha256_of(folder / entry["file"]) == entry["sha256"] for entry in entries)
        assert names - {"run.json"} == {"manifest.json", *(entry["file"] for entry in entries)}, names
    assert names <= {"run.json", "manifest.json"} or all(name.endswith((".txt", ".json")) for name in names), names
    assert "run.json" in names or "manifest.json" in names or not names, names


def check_model(folder: Path) -> None:
    """Assert that a folder with the record of a training has a model, and that no other is taken for one."""
    names = named(folder)
    assert "training.json" not in names or {"model.safetensors", "tokenizer.json", "config.json"} <= names, names
    assert "training.json" in names or "run.json" in names or not names, names


def check_scores(folder: Path) -> None:
    """Assert that scores are whole, or those of an unfinished run."""
    names = named(folder)
    assert names <= {"run.json", "scores.unfinished.jsonl", "scores.jsonl", "lessons.csv", "report.html"}, names
    assert "run.json" in names or not names, names
    assert "scores.jsonl" in names or not names & {"lessons.csv", "report.html"}, names


_GENERATE = f"generate {' '.join(TARGETS)} -n"
_VERIFY = "verify {folder}/data --family ngram --model {folder}/data/transitive.jsonl --ties"
# What the models read has the words of the task that they are asked.
_PARSED = {
    "data": f"generate {' '.join(TARGETS)} SV_Simple -n {PARSED} --metadata",
    "parsed.conllu": "export {folder}/data --to conllu",
}
_TEXT = {**_PARSED, "corpora": "filter {folder}/parsed.conllu --filter rel-cl --lines 500"}
_TRAIN = f"train {{folder}}/corpora/full.txt --arch {STUDY / 'tiny.yaml'} --rate 0.01"
_MODEL = {**_TEXT, "model": f"{_TRAIN} --epochs 1"}
_ASKED = "SV_Simple --samples 100 --bos yes"
COMMANDS = {
    "generate": Disturbed(
        (f"{_GENERATE} {ROWS} --seed 1", f"{_GENERATE} {ROWS} --seed 2"),
        check_set,
        "manifest.json",
        ("--jobs 1", "--jobs 2"),
    ),
    "verify": Disturbed(
        (f"{_VERIFY} half", f"{_VERIFY} wrong"), check_result, "summary.json", needs={"data": f"{_GENERATE} {SCORED}"}
    ),
    "filter": Disturbed(
        ("filter {folder}/parsed.conllu --filter all --rejected --lines 500",),
        check_corpora,
        "manifest.json",
        ("--jobs 1", "--jobs 2"),
        _PARSED,
    ),
    "train": Disturbed(
        (f"{_TRAIN} --epochs 6 --validation {{folder}}/corpora/full.txt",), check_model, "training.json", needs=_TEXT
    ),
    "teach": Disturbed(
        (f"teach {{folder}}/model --few-shot {STUDY / 'lessons'} --baseline-seeds 3 --task {_ASKED}",),
        check_scores,
        "report.html",
        needs=_MODEL,
        keeps_run=True,
    ),
    "nouns": Disturbed(
        (f"nouns --study {{folder}}/model {_ASKED}",), check_scores, "report.html", needs=_MODEL, keeps_run=True
    ),
}
PAIRED = tuple(name for name, command in COMMANDS.items() if len(command.calls) > 1)


def run_pair(command: Disturbed, calls: Sequence[str], folder: Path, moment: float) -> str:
    """Let two calls write into one folder, the second when the first has worked some seconds; how they ended."""
    first = start(calls[0])
    wait_for(first, moment)
    second = start(calls[1])
    errors = [process.communicate(timeout=PATIENCE)[1] for process in (first, second)]
    codes = sorted((first.returncode, second.returncode))
    command.check(folder)
    assert command.has_ended(folder), errors
    assert "Traceback" not in "".join(errors), errors
    assert codes == [0, 2] or ("--overwrite" in calls[1] and codes == [0, 0]), (codes, errors)
    assert all(error.count("\n") == 1 for error in errors), errors
    told = [error for error in errors if "is being written by process" in error]
    return "second finds the lock" if told else "one after the other"


def run_kill(command: Disturbed, call: str, folder: Path, moment: float, whole: Mapping[str, bytes]) -> str:
    """Kill a call when it has worked some seconds, then let the same call finish; where it was."""
    process = start(call)
    wait_for(process, moment)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    command.check(folder)
    finished, begun = command.has_ended(folder), bool(named(folder))
    if not finished:
        time.sleep(0.1)  # workers end when they see that their parent is gone
        finish(call)
    command.check(folder)
    assert {name: (folder / name).read_bytes() for name in whole} == whole
    # A run that was killed while it gave up its lock leaves the file of the lock, which holds nobody up.
    left = {path.name for path in folder.iterdir()}
    if finished:
        left = {name for name in left - {"run.json", "items.unfinished.jsonl"} if not name.endswith(".lock")}
    assert left <= {*whole, "manifest.json"}, left
    return "killed when it was finished" if finished else "killed while it wrote" if begun else "killed before it wrote"


def run_faults(pairs: int, kills: int, seed: int = 0, of: Sequence[str] = tuple(COMMANDS)) -> Counter[str]:
    """Disturb many runs; how often each outcome came.

    Args:
        pairs: how many pairs of runs of each command, of those with two calls.
        kills: how many killed runs of each command.
        seed: of the random moments.
        of: names of commands.
    """
    moments, outcomes = random.Random(seed), Counter[str]()
    for name in of:
        with TemporaryDirectory() as folder:
            os.environ |= {"BLIMPGEN_CACHE": f"{folder}/plans", "OMP_NUM_THREADS": "1"}
            outcomes.update(
                f"{name}: {how}"
                for how in _disturb(COMMANDS[name], Path(folder), pairs * (name in PAIRED), kills, moments)
            )
    return outcomes


def _disturb(command: Disturbed, folder: Path, pairs: int, kills: int, moments: random.Random) -> Iterator[str]:
    """Disturb one command many times, in a folder.

    Compiled paradigms are kept there too, so that most of the time goes into writing.
    """
    for name, call in command.needs.items():
        finish(f"{call.format(folder=folder)} -o {folder / name}")
    first, *others = (call.format(folder=folder) for call in command.calls)
    finish(f"{first} -o {folder / 'whole'}")
    before = os.times()
    finish(f"{first} -o {folder / 'timed'}")
    after = os.times()
    usual = after.children_user + after.children_system - before.children_user - before.children_system
    # A manifest names the folder of its run.
    whole = {name: (folder / "whole" / name).read_bytes() for name in named(folder / "whole") - {"manifest.json"}}
    for number in range(pairs):
        out = folder / f"pair-{number}"
        end = f" -o {out}{' --overwrite' * (number % 2)}"
        yield run_pair(command, [call + end for call in (first, *others)], out, moments.uniform(0, usual / 2))
        shutil.rmtree(out)
    for number in range(kills):
        out = folder / f"kill-{number}"
        call = f"{first} -o {out} {command.variations[number % len(command.variations)]}"
        yield run_kill(command, call, out, moments.uniform(0.5, 1) * usual, whole)
        shutil.rmtree(out)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("pairs", "kills", "seed"):
        parser.add_argument(f"--{name}", type=int, default=0 if name == "seed" else 200)
    parser.add_argument("--of", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    for outcome, count in run_faults(**vars(parser.parse_args())).items():
        print(f"{outcome}: {count}")


if __name__ == "__main__":
    main()
