"""Models of words are trained on a text, killed and resumed, read by `verify`, and compared."""

from __future__ import annotations

import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import blimpgen as bg
from blimpgen.base.errors import BlimpgenError
from blimpgen.english.words import NEGATION, split_sentence
from blimpgen.training.architecture import ARCHITECTURES, find_architecture
from blimpgen.training.run import Training, read_training
from tests.conftest import Call
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


def train_in_process(*given: object, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", *map(str, given)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env={**os.environ, **(env or {})})


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
        # As if it had been killed while it wrote another.
        (Path("killed/checkpoints/checkpoint-1000")).mkdir()
        resumed = call(*given, "-o", "killed")
        assert resumed.code == 0, resumed.err
        assert "epoch 1:" not in resumed.err
        assert Path("killed/model.safetensors").read_bytes() == Path("whole/model.safetensors").read_bytes()
        assert read_training(Path("killed")) == read_training(Path("whole"))

    def test_two_processes_share_the_batches(self, texts: Path) -> None:
        given = arguments("lstm", "--epochs", 2, "-o", "m", "--json")
        launcher = ("torch.distributed.run", "--nproc_per_node", 2, "-m", "blimpgen")
        process = train_in_process(*launcher, *given, env={"OMP_NUM_THREADS": "1"})
        out, err = process.communicate(timeout=300)
        assert process.returncode == 0, err
        printed: dict[str, Any] = json.loads(out)
        assert printed == json.loads(Path("m/training.json").read_bytes())
        assert printed["epochs"] == 2
