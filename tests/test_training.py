"""Models of words are trained on a text, killed and resumed, read by `verify`, and compared."""

from __future__ import annotations

import json
import math
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import blimpgen as bg
from blimpgen.analysis.deltas import Run
from blimpgen.base.errors import BlimpgenError
from blimpgen.english.words import NEGATION, split_sentence
from blimpgen.training.architecture import ARCHITECTURES, find_architecture
from blimpgen.training.comparing import Compared, ScoredRun
from blimpgen.training.run import Training, TrainingRequest, read_training, train_model
from tests.conftest import Call, on_full_disk
from tiny_models import needs_torch, torch

needs_studies = [
    needs_torch,
    pytest.mark.skipif(
        not find_spec("accelerate"), reason="accelerate is not installed: pip install 'blimpgen[studies]'"
    ),
]
SIZES = "words: 100\nlayers: 2\nwidth: 16\nfeedforward: 16\nheads: 2\npositions: 32\n"


def sentences(seed: int, n: int) -> list[str]:
    """Sentences whose verb agrees with a noun across a relative clause."""
    rng = random.Random(seed)
    nouns, verbs = ("cat", "dog", "girl", "boy"), ("run", "see", "like")
    made = []
    for _ in range(n):
        s = rng.choice(["", "s"])
        clause = f" that John's friend{rng.choice(['', 's'])} didn't see" if rng.random() < 0.4 else ""
        made.append(f"The{'se' * bool(s)} {rng.choice(nouns)}{s}{clause} {rng.choice(verbs)}{'' if s else 's'}.")
    return made


@pytest.fixture
def texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with small texts and architectures, in which the test runs."""
    for seed, (name, n) in enumerate([("full", 200), ("valid", 40), ("test", 40)]):
        (tmp_path / f"{name}.txt").write_text("".join(f"{line}\n" for line in sentences(seed, n)))
    for model in ("lstm", "transformer"):
        (tmp_path / f"tiny-{model}.yaml").write_text(f"model: {model}\n{SIZES}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def arguments(model: str, *more: object) -> list[object]:
    return ["train", "full.txt", "--arch", f"tiny-{model}.yaml", "--validation", "valid.txt", "--rate", 0.01, *more]


class TestArchitectures:
    pytestmark = needs_studies

    @pytest.mark.slow
    @pytest.mark.parametrize(("name", "parameters"), [("lstm", 67_995_648 + 50_002), ("transformer", 67_170_816)])
    def test_the_published_ones_have_their_parameters(self, name: str, parameters: int) -> None:
        from blimpgen.training.architecture import new_model

        architecture = ARCHITECTURES[name]
        with torch.device("meta"):
            model = new_model(architecture, architecture.words + 2, 1)
        assert model.num_parameters(only_trainable=True) == parameters


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("model: lstm\nlayers: 2\nwidht: 16\n", "a.yaml:3: unknown key 'widht'; did you mean 'width'?"),
        ("model: lsmt\nlayers: 2\nwidth: 16\n", "a.yaml:1: model: unknown value 'lsmt'; did you mean 'lstm'?"),
        ("model: lstm\nlayers: 2\n", "a.yaml:1: the key 'width' is missing"),
        ("model: lstm\nlayers: two\nwidth: 16\n", "a.yaml:2: layers must be a whole number, not 'two'"),
        ("model: transformer\nlayers: 2\nwidth: 16\nheads: 3\n", "a.yaml:4: a width of 16 cannot be divided among 3"),
    ],
)
def test_an_architecture_that_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text(text)
    with pytest.raises(BlimpgenError) as caught:
        find_architecture("a.yaml")
    assert str(caught.value).startswith(message)


class TestVocabulary:
    pytestmark = needs_studies

    def tokens(self, text: str) -> list[str]:
        from blimpgen.training.vocabulary import new_tokenizer

        pieces = new_tokenizer([text], 100, 32).backend_tokenizer.pre_tokenizer.pre_tokenize_str(text)
        return [token for token, _ in pieces]

    @pytest.mark.parametrize(
        ("plain", "spaced"),
        [
            ("John's dog doesn't bark.", "John 's dog does n't bark ."),
            ('"The boys\' cats," he said.', '" The boys \' cats , " he said .'),
            ("We'll pay $3.50 (at most)!", "We 'll pay $ 3.50 ( at most ) !"),
        ],
    )
    def test_a_plain_text_gives_the_words_of_a_divided_one(self, plain: str, spaced: str) -> None:
        assert self.tokens(plain) == self.tokens(spaced) == spaced.split()

    def test_sentences_are_divided_as_the_grammar_divides_them(self) -> None:
        uids = ("determiner_noun_agreement_1", "anaphor_gender_agreement", "principle_A_c_command", "wh_island")
        texts = [text for uid in uids for pair in bg.generate(uid, n=20) for text in (pair.good, pair.bad)]
        for text in texts:
            if NEGATION not in text:
                parts = split_sentence(text)
                assert self.tokens(text) == [*parts.words, parts.mark], text


@pytest.mark.parametrize("model", ["lstm", "transformer"])
@pytest.mark.slow
class TestTraining:
    pytestmark = needs_studies

    def test_a_model_is_trained_and_scored(self, texts: Path, call: Call, model: str) -> None:
        done = call(*arguments(model, "--epochs", 2, "--test", "test.txt", "-o", "m", "--json"))
        assert done.code == 0, done.err
        training = Training.model_validate_json(done.out)
        assert training == read_training(texts / "m")
        assert (training.corpus, training.request.architecture) == ("full", f"tiny-{model}")
        assert (training.lines, training.epochs) == (200, 2)
        assert done.err.count("\n") == 2
        assert f"epoch 2: validation perplexity {training.validation_perplexity:.3f}" in done.err
        assert sorted(p.name for p in (texts / "m").glob("*.json") if p.name != "generation_config.json") == [
            "config.json",
            "tokenizer.json",
            "tokenizer_config.json",
            "training.json",
        ]
        assert (texts / "m" / "model.safetensors").is_file()
        self.perplexity_is_that_of_the_scorer(training)

    def perplexity_is_that_of_the_scorer(self, training: Training) -> None:
        from blimpgen.scoring.causal import causal_lm

        for name in ("valid", "test"):
            scorer = causal_lm("m", eos=True, device="cpu")
            lines = Path(f"{name}.txt").read_text().splitlines()
            scores = scorer(lines)
            assert scorer.forward.way != "plain"
            tokens = sum(len(score.logprobs) for score in scores)
            figure = math.exp(-sum(score.total for score in scores) / tokens)
            recorded = training.validation_perplexity if name == "valid" else training.test_perplexity
            assert recorded == pytest.approx(figure, rel=1e-4)

    def test_the_same_call_trains_once_and_another_is_refused(self, texts: Path, call: Call, model: str) -> None:
        first = call(*arguments(model, "--epochs", 1, "-o", "m"))
        weights = (texts / "m" / "model.safetensors").stat().st_mtime_ns
        again = call(*arguments(model, "--epochs", 1, "-o", "m"))
        assert (again.code, again.out) == (0, first.out)
        assert (texts / "m" / "model.safetensors").stat().st_mtime_ns == weights
        other = call(*arguments(model, "--epochs", 1, "--seed", 1, "-o", "m"))
        assert other.code == 2
        assert other.err == "m holds a model that was trained otherwise; take another folder\n"


class TestMistakes:
    pytestmark = needs_studies

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (("absent.txt",), "absent.txt: no such file; name a text, a sentence a line"),
            (("empty.txt",), "empty.txt: no line of text"),
            (("latin.txt",), "latin.txt:2: not UTF-8"),
            (("full.txt", "--arch", "lsmt"), "--arch lsmt: did you mean 'lstm'?"),
            (("full.txt", "--rate", "0"), "--rate 0.0: write a number between 0 and 1"),
            (("full.txt", "-o", "used"), "used is not empty (file); take another folder"),
            (("full.txt", "--vocabulary", "greek.txt"), "full.txt: the vocabulary does not fit: "),
            (("full.txt", "--vocabulary", "empty.txt"), "empty.txt: no line of text"),
            (("full.txt", "--vocabulary", "latin.txt"), "latin.txt:2: not UTF-8"),
            (("full.txt", "--validation", "empty.txt"), "empty.txt: no line of text"),
            (("full.txt", "--vocabulary", "used"), "used/tokenizer.json: no such file"),
        ],
    )
    def test_a_mistake_is_one_line(self, texts: Path, call: Call, more: tuple[str, ...], said: str) -> None:
        Path("empty.txt").write_text("\n \n")
        Path("latin.txt").write_bytes(b"A line.\n\xe9t\xe9\n")
        Path("greek.txt").write_text("alpha beta\n")
        Path("used").mkdir()
        Path("used/file").touch()
        done = call("train", "--arch", "tiny-lstm.yaml", "-o", "m", *more)
        assert done.code in (1, 2)
        assert done.err.startswith(said)
        assert done.err.count("\n") == 1
        assert not Path("m").exists()  # the call that is put right may name the same folder

    @pytest.mark.slow
    def test_a_run_that_diverges_leaves_the_folder_free(
        self, texts: Path, call: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("blimpgen.training.run.math", SimpleNamespace(exp=math.exp, isfinite=lambda value: False))
        done = call(*arguments("lstm", "--epochs", 1, "-o", "m"))
        assert (done.code, done.err.splitlines()[-1].partition(";")[0]) == (
            1,
            "m: training diverged: the perplexity is no number",
        )
        assert not Path("m").exists()


def train_in_process(*given: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", *map(str, given)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env={**os.environ, "OMP_NUM_THREADS": "1"})


def table(*rows: tuple[str, str, int, float]) -> str:
    """A table of runs: corpus, architecture, seed, accuracy on the paradigm that rel-cl is about."""
    head = "corpus,arch,seed,test_ppl,blimp_benchmark,blimp_acc,filter_target,corpus_tokens"
    uid = "distractor_agreement_relative_clause"
    return "\n".join(
        [head, *(f"{c},{a},{s},50,{uid},{acc},{str(c != 'full').upper()},1000" for c, a, s, acc in rows), ""]
    )


@pytest.mark.skipif(not find_spec("scipy"), reason="scipy is not installed: pip install 'blimpgen[analysis]'")
class TestCompare:
    def test_deltas_of_a_table_by_hand(self, tmp_path: Path, call: Call) -> None:
        path = tmp_path / "runs.csv"
        rows = [
            ("full", "lstm", 0, 0.8),
            ("full", "lstm", 1, 0.9),
            ("rel-cl", "lstm", 0, 0.7),
            ("rel-cl", "lstm", 1, 0.6),
        ]
        path.write_text(table(*rows))
        done = call("compare", path, "--json")
        assert done.code == 0, done.err
        compared = json.loads(done.out)
        (target,) = compared["targets"]
        assert (target["baseline"], target["delta"]) == (pytest.approx(0.85), pytest.approx(-0.2))
        assert target["correlation"] is None
        means = {each["name"]: each["means"]["lstm"] for each in compared["statistics"]}
        assert means["accuracy delta"] == pytest.approx(-0.1)
        assert means["targeted accuracy delta"] == pytest.approx(-0.2)
        printed = call("compare", path)
        assert re.search(r"rel-cl +distractor_agreement_relative_clause +85\.0 +-20\.00 +- +-", printed.out)

    def test_names_are_printed_as_they_are(self, tmp_path: Path, call: Call) -> None:
        path = tmp_path / "runs.csv"
        name = "rel-\x1b[31m[red]"
        path.write_text(table(("full", "lstm", 0, 0.8), (name, "lstm", 0, 0.7)))
        done = call("compare", path)
        assert done.code == 0, done.err
        assert "\x1b" not in done.out
        assert r"rel-\x1b[31m[red]" in done.out

    def test_what_architectures_have_in_common_by_hand(self) -> None:
        uids = ("a", "b", "c")
        runs = []
        for architecture, full, filtered in (("lstm", (1, 2, 4), (1, 1, 1)), ("transformer", (2, 4, 8), (2, 1, -1))):
            for corpus, means in (("full", full), ("f", filtered)):
                targets = frozenset(uids) if corpus == "f" else frozenset[str]()
                run = Run(corpus, architecture, 0, dict.fromkeys(uids, 0.5), targets)
                deltas = {uid: np.array([mean - 1.0, mean + 1.0]) for uid, mean in zip(uids, means, strict=True)}
                runs.append(ScoredRun(run, Path(corpus), dict.fromkeys(uids, ("0", "1")), deltas))
        compared = Compared(runs, "full")
        assert compared.preferences("lstm") == {"a": 1, "b": 2, "c": 4}
        assert compared.architecture_correlations() == {
            "mean preference": pytest.approx(1),
            # (0, 1, 3) and (0, 3, 9)
            "effect of the filter": pytest.approx(1),
        }

    @pytest.mark.slow
    def test_the_released_table_gives_the_figures_of_the_study(
        self, shared_data: Path, tmp_path: Path, call: Call
    ) -> None:
        path = shared_data / "fict" / "results.csv.gz"
        if not path.is_file():
            pytest.skip("the table of the study is not there")
        page = tmp_path / "report.html"
        out = " ".join(call("compare", path, "-o", page).out.split())
        written = page.read_text(encoding="utf-8")
        assert "Accuracy deltas: lstm" in written
        assert written.count("<img") == 2
        for row in (
            "lstm: r of training tokens and perplexity -0.9694 over runs, -0.976 over corpora",
            "transformer: r of training tokens and perplexity -0.9756 over runs, -0.978 over corpora",
            "test perplexity 53.557 47.132 t(15) = 270.844",
            "accuracy, points 70.412 71.858 t(15) = -17.379",
            "targeted accuracy, points 66.733 68.817 t(14) = -1.179, p = 0.258",
            "accuracy delta, points -0.393 0.031 t(15) = -5.096",
            "targeted accuracy delta, points -5.418 -4.620 t(14) = -0.562, p = 0.5828",
            "npi-only only_npi_licensor_present 92.4 -29.28",
        ):
            assert row in out

    @pytest.mark.parametrize(
        ("names", "more", "said"),
        [
            (["a.csv", "b.csv"], (), "b.csv: the same corpus, architecture and seed as a.csv: full, lstm, 0"),
            (["a.csv"], ("--baseline", "fall"), "no run of lstm on the baseline 'fall'; did you mean 'full'?"),
            (["results"], (), "m/training.json: not there; name the folder of a model that blimpgen trained"),
        ],
    )
    def test_a_mistake_is_one_line(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        call: Call,
        names: list[str],
        more: tuple[str, ...],
        said: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        for name in ("a.csv", "b.csv"):
            Path(name).write_text(table(("full", "lstm", 0, 0.8)))
        Path("pairs").mkdir()
        bg.write_jsonl(bg.generate("transitive", n=2), Path("pairs/transitive.jsonl"))
        assert call("verify", "pairs", "--model", "length", "-o", "results").code == 0
        items = Path("results/items.jsonl")
        items.write_text(items.read_text().replace('"model":"length"', '"model":"m"'))
        Path("results/summary.json").unlink()
        done = call("compare", *names, *more)
        assert done.code in (1, 2)
        assert done.err.startswith(said)
        assert done.err.count("\n") == 1


PARSED = (
    ("The", "DET", "2 det"),
    ("{noun}", "NOUN", "{verb} nsubj"),
    ("that", "PRON", "6 obj"),
    ("the", "DET", "5 det"),
    ("{other}", "NOUN", "6 nsubj"),
    ("like", "VERB", "2 acl:relcl"),
    ("{runs}", "VERB", "0 root"),
    (".", "PUNCT", "{verb} punct"),
)


def parsed(rng: random.Random) -> str:
    """A sentence in CoNLL-U, with a relative clause or without one."""
    s, t = rng.choice(["", "s"]), rng.choice(["", "s"])
    noun, other = (rng.choice(("cat", "dog", "girl", "boy")) for _ in range(2))
    filling = {"noun": noun + s, "other": other + t, "runs": rng.choice(("runs", "sleeps", "waits"))}
    filling["runs"] = filling["runs"] if not s else filling["runs"][:-1]
    rows = list(PARSED) if rng.random() < 0.5 else [*PARSED[:2], *PARSED[6:]]
    filling["verb"] = "7" if len(rows) == len(PARSED) else "3"
    lines = []
    words = []
    for k, (form, upos, edge) in enumerate(rows, start=1):
        head, relation = edge.format(**filling).split()
        words.append(form.format(**filling))
        lines.append(f"{k}\t{words[-1]}\t{words[-1]}\t{upos}\t_\t_\t{head}\t{relation}\t_\t_\n")
    return f"# text = {' '.join(words[:-1])}.\n{''.join(lines)}\n"


@pytest.mark.slow
class TestStudy:
    pytestmark = needs_studies

    def test_from_a_parsed_corpus_to_the_deltas(self, texts: Path, call: Call) -> None:
        rng = random.Random(0)
        Path("corpus.conllu").write_text("".join(parsed(rng) for _ in range(600)))
        assert call("filter", "corpus.conllu", "--filter", "rel-cl", "-o", "corpora").code == 0
        assert " that " not in Path("corpora/rel-cl.txt").read_text()
        uid, pairs = "distractor_agreement_relative_clause", []
        for k, (noun, other) in enumerate((n, o) for n in ("cat", "dog", "girl", "boy") for o in ("cats", "boys")):
            good, bad = [f"The {noun} that the {other} like {verb}." for verb in ("sleeps", "sleep")]
            row = {"UID": uid, "pairID": str(k), "field": "morphology", "linguistics_term": "subject_verb_agreement"}
            row |= {"sentence_good": good, "sentence_bad": bad}
            pairs.append(json.dumps(row | {"simple_LM_method": True}))
        Path("pairs.jsonl").write_text("\n".join(pairs) + "\n")
        for corpus in ("full", "rel-cl"):
            for seed in (0, 1):
                name = f"{corpus}-{seed}"
                shared = ["--arch", "tiny-lstm.yaml", "--vocabulary", "corpora/full.txt", "--epochs", 3, "--rate", 0.01]
                trained = call("train", f"corpora/{corpus}.txt", *shared, "--seed", seed, "-o", f"m/{name}")
                assert trained.code == 0, trained.err
                assert call("verify", "pairs.jsonl", "--model", f"m/{name}", "-o", f"r/{name}").code == 0
        assert Path("m/full-0/model.safetensors").read_bytes() != Path("m/full-1/model.safetensors").read_bytes()
        done = call("compare", *sorted(Path("r").iterdir()), "--json")
        assert done.code == 0, done.err
        (target,) = json.loads(done.out)["targets"]
        assert (target["corpus"], target["architecture"], target["uid"]) == ("rel-cl", "tiny-lstm", uid)
        self.figures_are_those_of_the_items(target)

    def test_the_page_runs_as_it_is_printed(self, tmp_path: Path, shared_data: Path) -> None:
        treebanks = sorted((shared_data / "ud").glob("en_ewt-*.conllu.gz"))
        if len(treebanks) < 2:
            pytest.skip("the treebanks are not there")
        for path in treebanks:
            shutil.copy(path, tmp_path)
        page = (Path(__file__).parents[1] / "docs" / "studies.md").read_text(encoding="utf-8")
        sizes, *commands = (
            re.search(rf"<!-- {mark} -->\n```\w+\n(.*?)```", page, re.DOTALL)
            for mark in ("file: tiny.yaml", "run", "run: nouns")
        )
        assert sizes
        (tmp_path / "tiny.yaml").write_text(sizes[1])
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "".join(each[1] for each in commands if each)],
            cwd=tmp_path,
            env={**os.environ, "PATH": path, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        for target in ("distractor_agreement_relative_clause", "existential_there_quantifiers_1"):
            assert re.search(rf"{target} +[\d.]+ +[+-][\d.]+ +-?[\d.]+ +[+-][\d.]+", done.stdout)
        for name in ("report.html", "deltas.html", "nouns/report.html", "taught/report.html"):
            assert (tmp_path / name).is_file()

    def figures_are_those_of_the_items(self, target: dict[str, Any]) -> None:
        accuracy, delta = {}, {}
        for corpus in ("full", "rel-cl"):
            runs = [list(bg.read_items(Path(f"r/{corpus}-{seed}"))) for seed in (0, 1)]
            credits = [item.credit for items in runs for item in items if item.credit is not None]
            accuracy[corpus] = sum(credits) / len(credits)
            delta[corpus] = [sum(i.lp_good - i.lp_bad for i in same) / 2 for same in zip(*runs, strict=True)]
        assert target["baseline"] == pytest.approx(accuracy["full"])
        assert target["delta"] == pytest.approx(accuracy["rel-cl"] - accuracy["full"])
        means = [sum(values) / len(values) for values in delta.values()]
        assert target["effect"] == pytest.approx(means[0] - means[1])
        assert target["correlation"] == pytest.approx(statistics.correlation(*delta.values()))


@pytest.mark.slow
class TestRuns:
    pytestmark = needs_studies

    @pytest.mark.parametrize("model", ["lstm", "transformer"])
    def test_a_killed_run_goes_on_to_the_same_model(self, texts: Path, call: Call, model: str) -> None:
        given = arguments(model, "--epochs", 6, "--batch", 8)
        assert call(*given, "-o", "whole").code == 0
        process = train_in_process("blimpgen", *given, "-o", "killed")
        deadline = time.monotonic() + 120
        while not list(Path("killed").glob("checkpoints/checkpoint-*/trainer_state.json")):
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not Path("killed/training.json").exists()
        # As if it had been killed while it wrote others.
        for step, state in ((1000, None), (2000, '{"epoch": ')):
            Path(f"killed/checkpoints/checkpoint-{step}").mkdir()
            if state:
                Path(f"killed/checkpoints/checkpoint-{step}/trainer_state.json").write_text(state)
        resumed = call(*given, "-o", "killed")
        assert resumed.code == 0, resumed.err
        assert not {"checkpoints", "run.json"} & {path.name for path in Path("killed").iterdir()}
        assert "epoch 1:" not in resumed.err
        assert Path("killed/model.safetensors").read_bytes() == Path("whole/model.safetensors").read_bytes()
        assert read_training(Path("killed")) == read_training(Path("whole"))
        # As if it had been killed when the model was whole.
        Path("killed/checkpoints").mkdir()
        assert call(*given, "-o", "killed").code == 0
        assert not Path("killed/checkpoints").exists()

    def test_a_full_disk_is_told_in_one_line_and_the_same_call_goes_on(self, texts: Path, call: Call) -> None:
        given = arguments("lstm", "--epochs", 2)
        assert call(*given, "-o", "whole").code == 0
        for limit in (5000, Path("whole/model.safetensors").stat().st_size + 2000):  # the model, then the optimizer
            done = on_full_disk(limit, *given, "-o", "full")
            assert (done.code, done.err.splitlines()[-1]) == (
                1,
                "full: a checkpoint cannot be written; is the disk full?",
            )
            assert "Traceback" not in done.err
        resumed = call(*given, "-o", "full")
        assert resumed.code == 0, resumed.err
        assert Path("full/model.safetensors").read_bytes() == Path("whole/model.safetensors").read_bytes()

    def test_steps_are_told_on_the_way(self, texts: Path) -> None:
        sizes = find_architecture("tiny-lstm.yaml")
        request = TrainingRequest(text="full.txt", architecture="tiny-lstm", sizes=sizes, seed=0, epochs=2, rate=0.01)
        told: list[tuple[float, str]] = []
        assert train_model(request, Path("told"), steps=lambda part, label: told.append((part, label)))
        assert len(told) == 2 * math.ceil(200 / request.batch)
        assert sum(part for part, _ in told) == pytest.approx(2)
        assert [*dict.fromkeys(label for _, label in told)] == ["epoch 1", "epoch 2"]

    def test_two_processes_share_the_batches(self, texts: Path) -> None:
        given = arguments("lstm", "--epochs", 2, "-o", "m", "--json")
        launcher = ("torch.distributed.run", "--nproc_per_node", 2, "-m", "blimpgen")
        process = train_in_process(*launcher, *given)
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        printed: dict[str, Any] = json.loads(out)
        assert printed == json.loads(Path("m/training.json").read_bytes())
        assert printed["epochs"] == 2
