"""Work on the workers of a cluster: who gets what, workers that die, and the same bytes as in one process."""

from __future__ import annotations

import os
import random
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import blimpgen as bg
from blimpgen.base.engines import Engine, work_here
from blimpgen.base.errors import BlimpgenError, DataError, UsageError
from blimpgen.base.ray_cluster import work_on_ray
from blimpgen.base.version import __version__
from blimpgen.corpora.conllu import read_blocks
from blimpgen.corpora.filters import find_filters
from blimpgen.corpora.run import FilterRequest, filter_corpus
from blimpgen.library import default_library
from blimpgen.nouns import Study
from blimpgen.scoring import Comparison, TokenScores, verify
from blimpgen.scoring.judge import Policy
from blimpgen.scoring.model_families import Options
from blimpgen.scoring.pair_table import PairTable, RowOfModel, SetOfPairs
from blimpgen.scoring.result_folder import Result
from blimpgen.scoring.scores import Identity, Scorer
from blimpgen.training.noun_models import Total
from blimpgen.training.noun_study import NounStudyRequest, StudiedModel, study_nouns
from tests.conftest import in_tiers
from tests.tools.cluster_faults import files, run_cluster_faults
from tests.tools.faults import start
from tiny_models import byte_level, needs_torch, saved

needs_ray = pytest.mark.skipif(not find_spec("ray"), reason="Ray is not installed: pip install 'blimpgen[cluster]'")
# Servers on the loopback address, which take work only from who has the token.
SAFE = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token"}
FULL, LONGEST = Policy(("full",)), 600


class Died(Exception):
    """As of Ray: the process of a worker is gone."""


@dataclass(eq=False)
class Call:
    """A call of a method of a worker, which is made when somebody asks for what it gives."""

    actor: Any
    method: str
    arguments: tuple[Any, ...]


@dataclass
class Clusterlike:
    """What is used of Ray, in this process: answers come in a random order, and workers die when a test says so."""

    dies: Callable[[Call], bool] = lambda _call: False
    resources: Sequence[dict[str, float]] = ({"CPU": 2.0}, {"CPU": 1.0})
    random: random.Random = field(default_factory=lambda: random.Random(0))
    needs: dict[str, Any] = field(default_factory=dict)
    workers: int = 0

    class exceptions:
        RayError = Died

    def init(self, **_settings: Any) -> None:
        pass

    def shutdown(self) -> None:
        pass

    def nodes(self) -> list[dict[str, Any]]:
        return [{"Alive": True, "Resources": each} for each in self.resources]

    def remote(self, **needs: Any) -> Callable[[type], Any]:
        self.needs = needs

        def of_class(kind: type) -> Any:
            def start(*arguments: Any) -> Any:
                self.workers += 1
                return _Actor(kind(*arguments))

            return _Namespace(remote=start)

        return of_class

    def wait(self, calls: list[Call], *, num_returns: int) -> tuple[list[Call], list[Call]]:
        assert num_returns == 1
        first = self.random.choice(calls)
        return [first], [each for each in calls if each is not first]

    def get(self, call: Call) -> Any:
        assert call.actor.alive, "work for a worker that is gone"
        if self.dies(call):
            raise Died("the worker died\nof something")
        return getattr(call.actor.worker, call.method)(*call.arguments)

    def kill(self, actor: Any) -> None:
        actor.alive = False


class _Namespace:
    def __init__(self, **values: Any) -> None:
        vars(self).update(values)


class _Actor:
    def __init__(self, worker: Any) -> None:
        self.worker, self.alive = worker, True

    def __getattr__(self, method: str) -> Any:
        return _Namespace(remote=lambda *arguments: Call(self, method, arguments))


class Letters:
    """A scorer with a name."""

    def __init__(self, name: str) -> None:
        self.identity = Identity(name)

    def __call__(self, texts: list[str]) -> list[TokenScores]:
        return [TokenScores([-0.01 * ord(c) for c in text]) for text in texts]


def missing() -> Scorer:
    raise DataError("no such model")


PAIRS = [Comparison("u", str(k), f"Cat {k * 7919 % 1009} runs.", f"Cat {k} run.", "f", "t", {}) for k in range(200)]
SETS = [SetOfPairs("a", PAIRS[:120], "da"), SetOfPairs("b", PAIRS[120:], "db")]


def worked(
    ray: Clusterlike,
    monkeypatch: pytest.MonkeyPatch,
    loads: Sequence[Callable[[], Scorer]],
    folder: Path | None = None,
    **settings: Any,
) -> dict[tuple[int, int], Result | BlimpgenError]:
    """The outcomes of a table on something like a cluster."""
    monkeypatch.setattr("blimpgen.base.ray_cluster.require", lambda *_: ray)
    outcomes: dict[tuple[int, int], Result | BlimpgenError] = {}
    keys = [(m, s) for m in range(len(loads)) for s in range(len(SETS))]
    with PairTable(
        [RowOfModel(f"m{k}", load) for k, load in enumerate(loads)],
        SETS,
        FULL,
        finished=lambda m, s, outcome: outcomes.update({(m, s): outcome}),
        folders={(m, s): folder / f"{m}-{s}" for m, s in keys} if folder else {},
        chunk=16,
    ) as table:
        work_on_ray(table, address="here", **settings)
    assert not table.unfinished
    return outcomes


def letters(name: str) -> Callable[[], Scorer]:
    return lambda: Letters(name)


@pytest.mark.parametrize("seed", in_tiers(range(8), fast=[0]))
@pytest.mark.parametrize("models", [1, 2, 7])
def test_workers_that_die_change_nothing(
    seed: int, models: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    moments = random.Random(seed)
    died: list[Call] = []

    def dies(call: Call) -> bool:
        died.extend([call] * (moments.random() < 0.15))
        return call in died

    ray = Clusterlike(dies, random=random.Random(seed + 100))
    outcomes = worked(ray, monkeypatch, [letters(f"m{k}") for k in range(models)], tmp_path)
    assert ray.workers == 3 + len(died)
    assert ray.needs == {"num_cpus": 1}
    for (m, s), outcome in outcomes.items():
        assert isinstance(outcome, Result), outcome
        alone = tmp_path / f"alone-{m}-{s}"
        verify(SETS[s].comparisons, Letters(f"m{m}"), data=SETS[s].data, policy=FULL, output=alone, chunk=16)
        assert files(tmp_path / f"{m}-{s}") == files(alone)


def test_a_model_over_which_all_workers_die_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(call: Call) -> bool:
        return call.method == "load" and call.arguments[0].name == "m1"

    outcomes = worked(Clusterlike(dies), monkeypatch, [letters("m0"), letters("m1"), letters("m2")])
    assert [isinstance(outcomes[m, 0], Result) for m in range(3)] == [True, False, True]
    assert str(outcomes[1, 1]) == "6 workers in a row died over m1, the last with: the worker died"


def test_a_model_that_no_worker_can_load_fails_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = worked(Clusterlike(), monkeypatch, [letters("m0"), missing])
    assert isinstance(outcomes[0, 1], Result)
    assert [str(outcomes[1, s]) for s in range(2)] == ["no such model"] * 2


def test_one_machine_without_the_model_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = iter([letters("m0"), missing, missing])
    outcomes = worked(Clusterlike(), monkeypatch, [lambda: next(loads)()])
    assert isinstance(outcomes[0, 0], Result)


def test_machines_with_different_models_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    names = iter("abc")
    outcomes = worked(Clusterlike(), monkeypatch, [lambda: Letters(next(names))])
    told = str(outcomes[0, 0])
    assert told.startswith("m0 is not the same on all machines: model: ")
    assert told.endswith("; install the same versions, and copy the same files")


def test_another_version_on_a_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blimpgen.base.ray_cluster._RemoteWorker.start", lambda _: ("far", "0.0.1"))
    with pytest.raises(UsageError, match=rf"far has blimpgen 0.0.1, and this machine {__version__}; install one on"):
        worked(Clusterlike(), monkeypatch, [letters("m")])


def test_workers_that_do_not_start_end_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BlimpgenError, match="the workers of the cluster do not start: of something; blimpgen must be"):
        worked(Clusterlike(dies=lambda call: call.method == "start"), monkeypatch, [letters("m")])


def test_a_worker_has_a_gpu_or_so_many_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    gpus = [{"CPU": 8.0, "GPU": 2.0}, {"CPU": 8.0, "GPU": 1.0}]
    ray = Clusterlike(resources=gpus)
    worked(ray, monkeypatch, [letters("m")])
    assert (ray.needs, ray.workers) == ({"num_gpus": 1, "num_cpus": 1}, 3)
    ray = Clusterlike(resources=gpus)
    worked(ray, monkeypatch, [letters("m")], device="cpu", cores=3)
    assert (ray.needs, ray.workers) == ({"num_cpus": 3}, 4)
    ray = Clusterlike(resources=gpus)
    worked(ray, monkeypatch, [letters("m")], workers=2)
    assert ray.workers == 2
    with pytest.raises(UsageError, match="no machine of the cluster has 9 processor cores; take fewer --cores"):
        worked(Clusterlike(resources=gpus), monkeypatch, [letters("m")], device="cpu", cores=9)


def parsed(path: Path, sentences: int, broken: Sequence[int] = ()) -> Path:
    """A treebank of which every third sentence has a relative clause in the subject; some are broken."""
    relative = ("Boys boy NOUN 3 nsubj", "singing sing VERB 1 acl:relcl", "smile smile VERB 0 root")
    plain = ("They they PRON 2 nsubj", "smile smile VERB 0 root")
    blocks = []
    for k in range(sentences):
        words = [word.split() for word in (plain if k % 3 else relative)]
        lines = [f"{n}\t{w[0]}\t{w[1]}\t{w[2]}\t_\t_\t{w[3]}\t{w[4]}\t_\t_" for n, w in enumerate(words, start=1)]
        blocks.append("\n".join([f"# text = {k}", *([f"broken {k}"] if k in broken else lines), "", ""]))
    path.write_text("".join(blocks))
    return path


def filtered(corpora: Sequence[Path], folder: Path, engine: Engine) -> dict[str, bytes]:
    """The files of a filtered corpus."""
    library = default_library()
    filters = find_filters(library.folders, library.lexicon, ["rel-cl"], {})
    request = FilterRequest(corpora=tuple(map(str, corpora)), filters=("rel-cl",), rejected=True, lines=100)
    filter_corpus(request, filters, folder, engine=engine)
    return files(folder)


@pytest.mark.parametrize("seed", in_tiers(range(4), fast=[0]))
def test_a_corpus_is_filtered_in_any_order_with_the_same_bytes(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Blocks come back in any order and workers die; at times so many wait for one that no more are handed out."""
    corpora = [parsed(tmp_path / "a.conllu", 400), parsed(tmp_path / "b.conllu", 207)]
    moments = random.Random(seed)
    died: list[Call] = []

    def dies(call: Call) -> bool:
        died.extend([call] * (moments.random() < 0.1))
        return call in died

    ray = Clusterlike(dies, ({"CPU": 7.0},), random.Random(seed + 100))
    monkeypatch.setattr("blimpgen.base.ray_cluster.require", lambda *_: ray)
    monkeypatch.setattr("blimpgen.corpora.run.read_blocks", partial(read_blocks, size=10))
    monkeypatch.setattr("blimpgen.corpora.run._SMALLEST", 100)
    monkeypatch.setattr("blimpgen.corpora.run._WAITING", 3)
    whole = filtered(corpora, tmp_path / "whole", work_here)
    assert filtered(corpora, tmp_path / "ray", partial(work_on_ray, address="here", device="cpu")) == whole
    assert ray.workers == 7 + len(died)
    assert len(whole["rel-cl.txt"].splitlines()) == 100


@pytest.mark.parametrize("seed", range(4))
def test_the_first_fault_of_a_corpus_is_told_whatever_comes_back_first(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    corpus = parsed(tmp_path / "a.conllu", 100, broken=(31, 42, 77))
    ray = Clusterlike(resources=({"CPU": 7.0},), random=random.Random(seed))
    monkeypatch.setattr("blimpgen.base.ray_cluster.require", lambda *_: ray)
    monkeypatch.setattr("blimpgen.corpora.run.read_blocks", partial(read_blocks, size=10))
    monkeypatch.setattr("blimpgen.corpora.run._SMALLEST", 100)
    for engine in (work_here, partial(work_on_ray, address="here")):
        with pytest.raises(DataError, match=r"a\.conllu:1\d+: ") as caught:
            filtered([corpus], tmp_path / "out", engine)
        assert "broken 31" in corpus.read_text().splitlines()[caught.value.place.line - 1]
        assert not any((tmp_path / "out").glob("[!.]*"))


class Nouns:
    """Of a task: its nouns, in order."""

    def __init__(self, task: str) -> None:
        self.task = task

    def targets(self) -> list[tuple[str, str]]:
        return [(f"{self.task}{k}", f"{self.task}{k}s") for k in range(7)]


class NounMemory:
    """Models of nouns, made up; it counts what they are asked, and some do not fit into memory."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[tuple[str, str]] = []
        self.too_large: set[str] = set()
        here = "blimpgen.training.noun_study"
        monkeypatch.setattr(f"{here}.require", lambda *_: None)
        monkeypatch.setattr(f"{here}.library_versions", dict)
        monkeypatch.setattr(f"{here}.load_model", self.load)
        monkeypatch.setattr(f"{here}.NounModel", lambda model, *_: _Namespace(calibrate=self.calibrate, totals=model))

    def load(self, options: Options, _family: str) -> Any:
        if options.model in self.too_large:
            raise DataError(f"{options.model} does not fit")
        return _Namespace(model=partial(self.totals, options.model), tokenizer=None, revision=None)

    def calibrate(self, contexts: Nouns, noun: tuple[str, str]) -> None:
        assert noun == contexts.targets()[0]

    def totals(self, model: str, contexts: Nouns, noun: tuple[str, str]) -> dict[str, Total]:
        self.asked.append((model, noun[0]))
        return {number: Total(len(model + noun[0]) / 7, 5) for number in ("SG", "PL")}

    def study(self, folder: Path, engine: Engine, failed: list[str]) -> dict[str, bytes]:
        """The files of a study of three models and three tasks."""
        names = ["m0", "m1", "m22"]
        models = tuple(StudiedModel(name=name, family="causal", revision=None) for name in names)
        request = NounStudyRequest(models=models, study=Study(samples=5), tasks=(), seed=0, data="d")
        study_nouns(
            request,
            {name: Options(name) for name in names},
            lambda _model, _mask: {task: Nouns(task) for task in "abc"},  # type: ignore[arg-type, return-value]
            folder,
            engine=engine,
            failed=lambda model, error: failed.append(f"{model}: {error}"),
        )
        return files(folder)


@pytest.mark.parametrize("seed", in_tiers(range(4), fast=[0]))
def test_nouns_are_studied_in_any_order_with_the_same_bytes(
    seed: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Workers die, and at first a model does not fit: the others go on, and the same call does only what is missing."""
    memory, moments = NounMemory(monkeypatch), random.Random(seed)
    ray = Clusterlike(lambda _: moments.random() < 0.1, ({"CPU": 5.0},), random.Random(seed + 100))
    monkeypatch.setattr("blimpgen.base.ray_cluster.require", lambda *_: ray)
    whole = memory.study(tmp_path / "whole", work_here, [])
    assert len(memory.asked) == 3 * 3 * 7
    for engine in (work_here, partial(work_on_ray, address="here")):
        memory.asked, memory.too_large, failed, out = [], {"m1"}, [], tmp_path / f"out{engine is work_here}"
        with pytest.raises(DataError, match=r"^1 of 3 models failed: m1; mend what is said above, and the same call"):
            memory.study(out, engine, failed)
        assert failed == ["m1: m1 does not fit"]
        assert {path.name for path in out.iterdir()} == {"run.json", "scores.unfinished.jsonl"}
        memory.too_large = set()
        assert memory.study(out, engine, failed) == whole
        assert len(memory.asked) == len(set(memory.asked)) == 3 * 3 * 7


def finish(call: str) -> None:
    """Run a call to its end, on a machine that may be busy."""
    process = start(call)
    error = process.communicate(timeout=LONGEST)[1]
    assert process.returncode == 0, error


@pytest.fixture(scope="module")
def sweep(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Two tiny models and two sets; the call that scores them, and its result in one process."""
    folder = tmp_path_factory.mktemp("sweep")
    texts: list[str] = []
    for k, uids in enumerate((["transitive", "determiner_noun_agreement_1"], ["wh_island", "filler_gap_2x2"])):
        (folder / f"set{k}").mkdir()
        for uid in uids:
            records = list(bg.generate(uid, n=150))
            bg.write_jsonl(records, folder / f"set{k}" / f"{uid}.jsonl")
            texts += [pair["sentence_good"] for record in records for pair in record.to_pairs()]
    for k in range(2):
        saved("gpt2", byte_level(texts), folder / f"model{k}", seed=k)
    names = " ".join(f"--model {folder}/model{k}" for k in range(2))
    call = f"verify {folder}/set0 {folder}/set1 {names} --device cpu"
    os.environ["OMP_NUM_THREADS"] = "1"  # as many as a worker of one core has
    try:
        finish(f"{call} -o {folder}/here")
    finally:
        del os.environ["OMP_NUM_THREADS"]
    return folder, call


@needs_ray
@pytest.mark.slow
def test_a_corpus_is_filtered_on_a_cluster(tmp_path: Path) -> None:
    corpus = parsed(tmp_path / "a.conllu", 20_000)
    call = f"filter {corpus} --filter rel-cl --lines 500 -o {tmp_path}"
    finish(f"{call}/here")
    finish(f"{call}/ray --on ray")
    assert files(tmp_path / "ray") == files(tmp_path / "here")


@needs_ray
@needs_torch
@pytest.mark.slow
def test_a_cluster_of_this_machine_gives_the_same_bytes(sweep: tuple[Path, str]) -> None:
    folder, call = sweep
    finish(f"{call} --on ray -o {folder}/ray")
    assert files(folder / "ray") == files(folder / "here")
    finish(f"{call} --on ray -o {folder}/ray")


@needs_ray
@needs_torch
@pytest.mark.slow
def test_nouns_are_studied_on_a_cluster(sweep: tuple[Path, str], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _ = sweep
    models = " ".join(f"--study {folder}/model{k}" for k in range(2))
    call = f"nouns SV_Simple RA_Simple {models} --samples 2 --device cpu -o {folder}"
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    finish(f"{call}/nouns-here")
    finish(f"{call}/nouns-ray --on ray")
    assert files(folder / "nouns-ray") == files(folder / "nouns-here")


@needs_ray
@needs_torch
@pytest.mark.slow
def test_a_running_cluster_of_two_machines_gives_the_same_bytes(sweep: tuple[Path, str]) -> None:
    """Two nodes of one core each, of which one is lost on the way."""
    folder, call = sweep
    program = "\n".join(
        [
            "import os, signal, subprocess, sys, time",
            "from pathlib import Path",
            "from ray.cluster_utils import Cluster",
            "settings = {'num_cpus': 1, 'object_store_memory': 80 * 2**20}",
            "cluster = Cluster(initialize_head=True, head_node_args={**settings, 'include_dashboard': False})",
            "node = cluster.add_node(**settings)",
            "command = [sys.executable, '-m', 'blimpgen', *sys.argv[2:], '--on', f'ray://{cluster.address}']",
            "process = subprocess.Popen(command)",
            "while process.poll() is None and not [*Path(sys.argv[1]).rglob('items*.jsonl')]:",
            "    time.sleep(0.01)",
            "cluster.remove_node(node, allow_graceful=False)",
            "code = process.wait()",
            "cluster.shutdown()",
            "sys.exit(code)",
        ]
    )
    out = folder / "nodes"
    done = subprocess.run(
        [sys.executable, "-c", program, str(out), *call.split(), "-o", str(out)],
        capture_output=True,
        text=True,
        check=False,
        timeout=LONGEST,
        env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0", **SAFE, "RAY_AUTH_TOKEN": secrets.token_hex(32)},
    )
    assert done.returncode == 0, done.stderr
    assert files(out) == files(folder / "here")


@needs_ray
@pytest.mark.slow
def test_killed_workers_and_killed_calls_change_nothing() -> None:
    outcomes = run_cluster_faults(workers=6, calls=2)
    assert outcomes["worker killed"]
    assert outcomes["call killed"]
