"""Kills workers of a cluster, and calls that use one, at random moments: the result must be that of an undisturbed run.

Two models of n-grams score many small sets, of a range each, with ``blimpgen verify --on ray``. When both have come
further a worker is killed (SIGKILL), or the call itself, which is then made again.

    python -m tests.tools.cluster_faults --workers 20 --calls 5
"""

from __future__ import annotations

import argparse
import math
import os
import random
import signal
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import blimpgen as bg
from tests.tools.faults import TARGETS, finish, start

ROWS, MODELS = 60, 2
_WORKER = b"ray::_RemoteWorker"
_LONGEST = 600


def files(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def call_for(folder: Path, seeds: int) -> str:
    """Write sets and two texts to learn n-grams from; the call that scores them, without its output.

    Args:
        folder: where they are written.
        seeds: sets of each paradigm.
    """
    texts: list[str] = []
    names = []
    for uid in TARGETS:
        for seed in range(seeds):
            records = list(bg.generate(uid, n=ROWS, seed=seed))
            names.append(str(folder / f"{uid}-{seed}.jsonl"))
            bg.write_jsonl(records, Path(names[-1]))
            texts += [pair["sentence_good"] for record in records for pair in record.to_pairs()]
    for k in range(MODELS):
        (folder / f"model{k}.txt").write_text("\n".join(texts[k::MODELS]), encoding="utf-8")
    return " ".join(["verify", *names, *(f"--model {folder / f'model{k}.txt'}" for k in range(MODELS))])


def workers_of(pid: int) -> list[int]:
    """The processes of workers below a process."""
    try:
        below = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        mine = [pid] if Path(f"/proc/{pid}/cmdline").read_bytes().startswith(_WORKER) else []
    except OSError:
        return []
    return mine + [worker for child in below for worker in workers_of(child)]


def _progress(output: Path, sets: int) -> list[float]:
    """How far each model has come: more each time that it writes, infinite when it has scored all sets."""
    sizes: list[float] = []
    for model in sorted(output.iterdir()) if output.exists() else ():
        results = len(list(model.rglob("summary.json")))
        rows = sum(path.stat().st_size for path in model.rglob("items.unfinished.jsonl") if path.exists())
        sizes.append(math.inf if results == sets else results * 1e9 + rows)
    return sizes + [0] * (MODELS - len(sizes))


def _wait_for_rows(process: subprocess.Popen[str], output: Path, sets: int) -> None:
    """Wait until every model has come further, so that workers of none die in a row without a range between."""
    end, before = time.monotonic() + _LONGEST, _progress(output, sets)
    while process.poll() is None:
        with suppress(FileNotFoundError):  # a file that is finished just now
            if all(now > then or now == math.inf for now, then in zip(_progress(output, sets), before, strict=True)):
                return
        assert time.monotonic() < end, "no row is written"
        time.sleep(0.005)


def kill(call: str, output: Path, workers: int, calls: int, moments: random.Random) -> Counter[str]:
    """Make a call again and again until it comes to its end, killing workers of it, and it itself.

    Args:
        call: the call, without its output.
        output: the folder of its result.
        workers: how many workers are killed.
        calls: how many times the call is killed.
        moments: decides who is killed and when.

    Returns:
        How many were killed before the call came to its end.
    """
    outcomes = Counter[str]()
    left = {"worker": workers, "call": calls}
    while True:
        process = start(f"{call} --on ray -o {output}")
        while process.poll() is None and any(left.values()):
            _wait_for_rows(process, output, call.count(".jsonl"))
            time.sleep(moments.uniform(0, 0.1))
            running = workers_of(process.pid)
            kind = moments.choice([kind for kind, number in left.items() for _ in range(number)])
            if process.poll() is None and (running or kind == "call"):
                os.kill(moments.choice(running) if kind == "worker" else process.pid, signal.SIGKILL)
                left[kind] -= 1
                outcomes[f"{kind} killed"] += 1
                if kind == "call":
                    break
        error = process.communicate(timeout=_LONGEST)[1]
        if process.returncode == 0:
            return outcomes
        assert process.returncode == -signal.SIGKILL, error


def run_cluster_faults(workers: int, calls: int, seed: int = 0) -> Counter[str]:
    """Compare a disturbed run on a cluster with an undisturbed one in one process.

    Args:
        workers: how many workers are killed.
        calls: how many times the call is killed.
        seed: of the random moments.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        call = call_for(folder, 2 * (workers + calls))
        finish(f"{call} -o {folder / 'here'}")
        outcomes = kill(call, folder / "cluster", workers, calls, random.Random(seed))
        whole, disturbed = files(folder / "here"), files(folder / "cluster")
        assert sorted(whole) == sorted(disturbed), sorted(disturbed)
        assert all(disturbed[path] == content for path, content in whole.items())
    return outcomes


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=20)
    parser.add_argument("--calls", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0)
    for outcome, count in run_cluster_faults(**vars(parser.parse_args())).items():
        print(f"{outcome}: {count}")


if __name__ == "__main__":
    main()
