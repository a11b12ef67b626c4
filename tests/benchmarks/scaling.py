"""How cost grows: ``python -m tests.benchmarks.scaling PART...`` prints the figures of docs/scaling.md.

Every figure is of whole calls: seconds of the processor of a call and all processes below it, and its largest memory.
Seconds by the clock say little on a machine that does other work, so its load stands beside them.

    generation  one paradigm, 1,000 to 1,000,000 pairs (and more with --most)
    jobs        all BLiMP paradigms, 10,000 pairs each, with as many processes as --workers says
    workers     a random GPT-2 scores sets of 10,000 and 100,000 pairs: here, and on clusters of 1, 2, ... --workers
    corpus      a parsed corpus is filtered: here, and on a cluster of 2 workers
    nouns       what a worker does for a sentence of the study of nouns, and the call for a noun in a task
    calculation no measurement: what follows for 8, 64 and 512 GPUs from the figures of `Study` and `Rates`
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import blimpgen as bg
from cluster_nodes import started_cluster
from tiny_models import byte_level, saved

STEP = 0.05


@dataclass(frozen=True)
class Settings:
    """The most pairs of a set, and how many workers there are, one figure for each."""

    most: int
    workers: list[int]


@dataclass(frozen=True)
class Cost:
    """What a call took: seconds by the clock, of the processor (of itself alone), gigabytes of it itself, the load."""

    clock: float
    processor: float
    alone: float
    memory: float
    load: float

    def __str__(self) -> str:
        return (
            f"{self.processor:8.1f} s of the processor ({self.alone:.1f} s of the call alone), {self.clock:.1f} s by "
            f"the clock at a load of {self.load:.0f}, {self.memory:.2f} GB"
        )


def _below(pid: int) -> Iterator[tuple[int, float]]:
    """A process and those below it, each with the seconds of the processor that it has used."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    yield pid, sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")
    for child in children:
        yield from _below(int(child))


def cost(call: str, *others: int) -> Cost:
    """Make a call and see what it takes.

    Args:
        call: the call, without the name of the program.
        others: processes that work for it, with those below them.
    """
    load, start = os.getloadavg()[0], time.monotonic()
    before = {pid: used for other in others for pid, used in _below(other)}
    command = [sys.executable, "-m", "blimpgen", *call.split()]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    used: dict[int, float] = {}
    while not os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        for each in (process.pid, *others):
            used.update(_below(each))
        time.sleep(STEP)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, call
    alone = usage.ru_utime + usage.ru_stime
    of_others = sum(seconds - before.get(pid, 0) for pid, seconds in used.items() if pid != process.pid)
    used_alone = used.get(process.pid, alone)
    return Cost(time.monotonic() - start, used_alone + of_others, used_alone, usage.ru_maxrss / (1 << 20), load)


def generation(folder: Path, settings: Settings) -> None:
    """One paradigm, in sets of ten times as many pairs each."""
    n = 1000
    while n <= settings.most:
        print(f"{n:>10,} pairs of transitive: {cost(f'generate transitive -n {n} -o {folder / str(n)}')}", flush=True)
        n *= 10


def _model(folder: Path) -> Path:
    """A random GPT-2 of two layers."""
    texts = [pair["sentence_good"] for record in bg.generate("transitive", n=500) for pair in record.to_pairs()]
    return saved("gpt2", byte_level(texts), folder / "model")


def jobs(folder: Path, settings: Settings) -> None:
    """All paradigms with more and more processes, plans and rows kept by a call before them."""
    n = min(settings.most // 67, 10_000)
    cost(f"generate blimp -n {n} -o {folder}/first")
    for count in settings.workers:
        print(
            f"{67 * n:,} pairs, {count} processes: {cost(f'generate blimp -n {n} --jobs {count} -o {folder}/{count}')}"
        )


def workers(folder: Path, settings: Settings) -> None:
    """The same sets here and on clusters, with a model so small that what is measured is us."""
    model = _model(folder)
    for n in (150, 1500):
        if 67 * n > settings.most:
            return
        cost(f"generate blimp -n {n} -o {folder}/{n}")
        call = f"verify {folder}/{n} --model {model} --device cpu"
        print(f"{67 * n:,} pairs here: {cost(f'{call} -o {folder}/here{n}')}", flush=True)
        for count in settings.workers:
            with started_cluster(count) as (address, nodes):
                took = cost(f"{call} -o {folder}/ray{n}-{count} --on ray://{address}", *nodes)
                print(f"{67 * n:,} pairs, {count} workers: {took}", flush=True)


def corpus(folder: Path, settings: Settings) -> None:
    """A corpus of made sentences with their trees."""
    n = min(settings.most, 60_000) // 4
    cost(f"generate transitive adjunct_island wh_island passive_1 -n {n} --metadata -o {folder}/set")
    cost(f"export {folder}/set --to conllu -o {folder}/c")
    (folder / "c").rename(folder / "c.conllu")
    call = f"filter {folder}/c.conllu --filter all -o {folder}"
    print(f"{8 * n:,} sentences here: {cost(f'{call}/here')}", flush=True)
    with started_cluster(2) as (address, nodes):
        print(f"{8 * n:,} sentences, 2 workers: {cost(f'{call}/ray --on ray://{address}', *nodes)}", flush=True)


def nouns(folder: Path, _settings: Settings) -> None:
    """One task with all its nouns, in two sizes, so that what does not grow drops out."""
    model = _model(folder)
    call = f"nouns SV_PP --study {model} --device cpu"
    for samples in (10, 110):
        took = cost(f"{call} --samples {samples} -o {folder}/nouns{samples}")
        rows = len((folder / f"nouns{samples}" / "scores.jsonl").read_bytes().splitlines())
        print(f"{samples} contexts, {rows} rows: {took}", flush=True)


@dataclass(frozen=True)
class Study:
    """A study that is calculated, with what was measured of its kind.

    Attributes:
        name: what it is.
        models: how many.
        parameters: of each; two bytes a parameter are read when it is loaded.
        sentences: of each model.
        answers: of each model, that come back to the call.
        host: seconds of a processor core beside each GPU, a sentence.
        answer: seconds of the call, an answer.
    """

    name: str
    models: int
    parameters: float
    sentences: float
    answers: float
    host: float
    answer: float


STUDIES = (
    Study("36 M sentences of nouns, 4 models of 124 M parameters", 4, 124e6, 36e6, 11_000, 84e-6, 2.4e-3),
    Study("150 checkpoints of 774 M parameters, 670,000 pairs", 150, 774e6, 1.34e6, 670_000, 38e-6, 170e-6),
)
GPUS = (8, 64, 512)


@dataclass(frozen=True)
class Rates:
    """What a calculation assumes of machines.

    Attributes:
        operations: of a GPU in a second: two fifths of 990 TFLOPS.
        positions: of a sentence that are computed, when what it shares with others is computed once.
        disk: bytes a second, of the disk that all machines read models from.
        start: seconds that a call, a cluster and its workers take to start.
        calls: into so many the models are divided, each with as many of the workers.
    """

    operations: float = 0.4 * 990e12
    positions: float = 8
    disk: float = 10e9
    start: float = 30
    calls: float = 1

    def of(self, study: Study, gpus: int) -> dict[str, float]:
        """Seconds that a study takes of each resource on so many GPUs."""
        sentences = study.models * study.sentences
        return {
            "GPUs": sentences * self.positions * 2 * study.parameters / self.operations / gpus,
            "cores beside them": sentences * study.host / gpus,
            "the call": study.models * study.answers * study.answer / min(self.calls, study.models),
            "the disk": max(study.models, gpus) * 2 * study.parameters / self.disk,
        }


def calculation(rates: Rates) -> None:
    """Print what follows from rates; a study takes as long as its slowest resource, and the start."""
    print(f"calculated, not measured, with {rates}")
    for study in STUDIES:
        print(study)
        for gpus in GPUS:
            seconds = rates.of(study, gpus)
            slowest = max(seconds, key=lambda name: seconds[name])
            each = ", ".join(f"{name} {value:,.0f} s" for name, value in seconds.items())
            print(f"{gpus:>5} GPUs: {each}; {(seconds[slowest] + rates.start) / 60:,.0f} min, by {slowest}")


PARTS: Mapping[str, Callable[[Path, Settings], None]] = {
    "generation": generation,
    "jobs": jobs,
    "workers": workers,
    "corpus": corpus,
    "nouns": nouns,
}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="+", choices=[*PARTS, "calculation"])
    for each in fields(Rates):
        parser.add_argument(f"--{each.name}", type=float, default=each.default, help="of a calculation")
    parser.add_argument("--most", type=int, default=1_000_000, help="pairs")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="or processes, one figure for each")
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"  # as many as a worker of one core has
    if "calculation" in arguments.parts:
        calculation(Rates(**{each.name: getattr(arguments, each.name) for each in fields(Rates)}))
    for part in (name for name in arguments.parts if name in PARTS):
        with TemporaryDirectory() as folder:
            PARTS[part](Path(folder), Settings(arguments.most, arguments.workers))


if __name__ == "__main__":
    main()
