"""New words: a model that has learned agreement is taught a noun, and the study of nouns runs from end to end."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from blimpgen.analysis.teaching import Lessons, TaughtScore
from blimpgen.base.errors import DataError
from blimpgen.library import default_library
from blimpgen.nouns import Study
from blimpgen.nouns.few_shot import REPORTED, TRAINING
from blimpgen.nouns.tasks import study_contexts
from blimpgen.scoring.model_families import Options
from blimpgen.training.noun_models import NounModel
from tests.conftest import Call, on_full_disk
from tiny_models import needs_torch, saved, tokenizers, torch, transformers, wordpiece, words

pytestmark = [
    needs_torch,
    pytest.mark.skipif(
        not find_spec("accelerate"), reason="accelerate is not installed: pip install 'blimpgen[studies]'"
    ),
]
TASKS = ("SV_Simple", "RA_Simple")
ADJECTIVES = ("tall", "happy", "sad", "fast", "small")


def lines() -> list[str]:
    """Sentences in which verbs and reflexives agree with ten nouns."""
    contexts = study_contexts(default_library(), Study(), 0, tasks=TASKS)
    nouns = contexts["RA_Simple"].nouns[:10]
    verbs, past = (contexts[task].slots[0].words for task in TASKS)
    written = ["The noun next to the noun ."]
    for singular, plural in nouns:
        for noun, k, copula, reflexive in ((singular, 0, "is", "himself"), (plural, 1, "are", "themselves")):
            written += [f"The {noun} {verb[k]} ." for verb in verbs[:6]]
            written += [f"The {noun} {verb[0]} {reflexive} ." for verb in past[:4]]
            written += [f"The {noun} {copula} {adjective} ." for adjective in ADJECTIVES]
    return written


def whole_words(texts: list[str], size: int) -> Any:
    """A tokenizer with a mask, of whole words."""
    tokenizer = wordpiece(texts, size)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    vocabulary = dict.fromkeys([*special, *sorted({word.lower() for text in texts for word in text.split()})])
    numbers = {word: k for k, word in enumerate(vocabulary)}
    tokenizer.backend_tokenizer.model = tokenizers.models.WordPiece(numbers, unk_token="[UNK]")
    return tokenizer


def learn(model: object, tokenizer: object, masked: bool) -> None:
    """Train until the sentences are learned."""
    torch.manual_seed(0)
    batch = tokenizer(lines(), padding=True, return_tensors="pt")  # type: ignore[operator]
    ids, mask = batch["input_ids"], batch["attention_mask"]
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.003)  # type: ignore[attr-defined]
    for _ in range(300):
        inputs, labels = ids.clone(), ids.masked_fill(mask == 0, -100)
        if masked:
            hidden = (torch.rand(ids.shape) < 0.15) & (mask == 1)
            hidden[torch.arange(len(ids)), mask.sum(1) - 3] = True  # the last word, before mark and separator
            inputs[hidden], labels[~hidden] = tokenizer.mask_token_id, -100  # type: ignore[attr-defined]
        loss = model(input_ids=inputs, attention_mask=mask, labels=labels).loss  # type: ignore[operator]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A causal and a masked model that have learned the tasks."""
    folder = tmp_path_factory.mktemp("models")
    for kind, make in (("gpt2", words), ("bert", whole_words)):
        tokenizer = make(lines(), size=3000)
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
        path = saved(kind, tokenizer, folder / kind, spread=0.05)
        loader = "AutoModelForMaskedLM" if kind == "bert" else "AutoModelForCausalLM"
        model = getattr(transformers, loader).from_pretrained(path)
        learn(model, tokenizer, masked=kind == "bert")
        model.save_pretrained(path)
        contexts = study_contexts(
            default_library(), Study(samples=6), 0, tasks=TASKS, tokenizer=str(path), mask=tokenizer.mask_token
        )
        scorer = NounModel(model, tokenizer, "masked" if kind == "bert" else "causal", Options(str(path), bos="no"))
        for task, of_task in contexts.items():
            advantages = [total.value for noun in of_task.nouns for total in scorer.totals(of_task, noun).values()]
            assert sum(value > 0 for value in advantages) > 0.7 * len(advantages), (kind, task)
    return folder


@pytest.fixture
def sentences(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> Path:
    """A folder with training sentences for wug and wuz, in which the test runs: of two types."""
    monkeypatch.chdir(tmp_path)
    assert call("nouns", "--few-shot", "-o", "all").code == 0
    Path("few").mkdir()
    for name in (f"{noun}-{kind}.txt" for noun in ("wug", "wuz") for kind in ("pred-adj", "reflexive")):
        Path("all", name).rename(Path("few", name))
    return tmp_path


def arguments(model: Path, *more: object) -> list[object]:
    shared = ["--task", "SV_Simple", "--task", "RA_Simple", "--samples", 8, "--baseline-seeds", 3, "--device", "cpu"]
    return ["teach", model, "--few-shot", "few", *shared, *more]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["gpt2", "bert"])
class TestTeach:
    def test_five_sentences_teach_the_number_of_a_noun(
        self, learned: Path, sentences: Path, call: Call, kind: str
    ) -> None:
        done = call(*arguments(learned / kind, "--epochs", 30, "--rate", 0.002, "-o", "out", "--json"))
        assert done.code == 0, done.err
        lessons = json.loads(done.out)
        assert len(lessons) == 2 * 2 * len(TASKS)
        for training, task in (("pred-adj", "SV_Simple"), ("reflexive", "RA_Simple")):
            of_both = [each for each in lessons if (each["training"], each["task"]) == (training, task)]
            assert [each["noun"] for each in of_both] == ["wug", "wuz"]
            # What one number has of an advantage before training, the other one lacks.
            assert sum(each["before"] for each in of_both) == pytest.approx(0, abs=1e-3)
            assert sum(each["after"] for each in of_both) > 1, of_both
        with Path("out/lessons.csv").open() as stream:
            rows = list(csv.DictReader(stream))
        assert [float(row["after"]) for row in rows] == [lesson["after"] for lesson in lessons]
        page = Path("out/report.html").read_text()
        assert "The singular wug" in page
        assert "<img" in page

    def test_the_published_settings_change_little_and_the_same_call_nothing(
        self, learned: Path, sentences: Path, call: Call, kind: str
    ) -> None:
        first = call(*arguments(learned / kind, "-o", "out", "--json"))
        assert first.code == 0, first.err
        changes = [abs(each["after"] - each["before"]) for each in json.loads(first.out)]
        assert sum(changes) < 2 * len(changes)
        scores = Path("out/scores.jsonl").read_bytes()
        assert call(*arguments(learned / kind, "-o", "out", "--json")).out == first.out
        assert Path("out/scores.jsonl").read_bytes() == scores
        other = call(*arguments(learned / kind, "--seed", 1, "-o", "out"))
        assert (other.code, other.err.count("\n")) == (2, 1)
        assert other.err.startswith("out holds scores of another call")

    def test_a_killed_run_is_finished_with_the_same_scores(
        self, learned: Path, sentences: Path, call: Call, kind: str
    ) -> None:
        given = [*arguments(learned / kind, "-o"), "killed"]
        assert call(*arguments(learned / kind, "-o", "whole")).code == 0
        command = [sys.executable, "-m", "blimpgen", *map(str, given)]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"})
        journal = Path("killed/scores.unfinished.jsonl")
        deadline = time.monotonic() + 240
        while not (journal.exists() and journal.stat().st_size):
            assert time.monotonic() < deadline
            assert process.poll() is None, process.stderr
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not Path("killed/scores.jsonl").exists()
        with journal.open("ab") as stream:
            stream.write(b'{"noun":"wu')  # as if it had been killed while it wrote
        done = call(*given)
        assert done.code == 0, done.err
        assert Path("killed/scores.jsonl").read_bytes() == Path("whole/scores.jsonl").read_bytes()

    def test_padding_is_learned_only_if_asked(self, learned: Path, sentences: Path, call: Call, kind: str) -> None:
        Path("few/wug-long.txt").write_text("The wug is tall .\nThe wug is tall and small and happy and sad .\n")
        if kind == "bert":
            done = call(*arguments(learned / kind, "--learn-padding", "-o", "a"))
            assert (done.code, done.err.startswith("--learn-padding is for causal models")) == (2, True)
            return
        scores = []
        for folder, more in (("a", []), ("b", ["--learn-padding"])):
            assert call(*arguments(learned / kind, *more, "-o", folder)).code == 0
            scores.append([json.loads(line) for line in Path(folder, "scores.jsonl").read_text().splitlines()])
        for one, two in zip(*scores, strict=True):
            # With padding, or without, nothing changes but what has learned from lines of two lengths.
            assert (one["total"] == two["total"]) == (one["training"] != "long"), one


class TestMistakes:
    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (("--few-shot", "absent"), "absent: no such folder; `blimpgen nouns --few-shot -o absent` writes one"),
            (("--few-shot", "empty"), "empty: no training sentences (*.txt) in it"),
            (("--target", "wug"), "--target wug: write SINGULAR/PLURAL, such as wug/wuz"),
            (("--target", "dax/daxes"), "few/wug-pred-adj.txt is neither dax-TYPE.txt nor daxes-TYPE.txt"),
            (("--few-shot", "other"), "other/wug-x.txt:2: no 'wug' in this sentence"),
            (("--few-shot", "blank"), "blank/wug-x.txt: no line of text"),
            (("--task", "SV_Simpel"), "no task 'SV_Simpel'; did you mean 'SV_Simple'?"),
            (("--rate", "3"), "--rate 3.0: write a number between 0 and 1"),
            (("-o", "few"), "few is not empty (wug-pred-adj.txt); take another folder"),
        ],
    )
    def test_a_mistake_is_one_line(
        self, sentences: Path, small: Path, call: Call, more: tuple[str, ...], said: str
    ) -> None:
        Path("empty").mkdir()
        for name, text in (("other", "The wug runs.\nThe wuz runs.\n"), ("blank", "\n")):
            Path(name).mkdir()
            Path(name, "wug-x.txt").write_text(text)
        done = call(*arguments(small, "-o", "out", *more))
        assert done.code in (1, 2)
        assert done.err.startswith(said)
        assert done.err.count("\n") == 1
        assert not Path("out").exists()

    def test_a_model_that_knows_the_word_or_has_no_tokenizer(self, sentences: Path, small: Path, call: Call) -> None:
        tokenizer = words([*lines(), "wug"], size=3000)
        known = saved("gpt2", tokenizer, Path("known"))
        done = call(*arguments(known, "-o", "out"))
        assert (done.code, done.err) == (1, "'wug' is a token of known already; take a noun that it does not have\n")
        for path in Path("known").glob("tokenizer*"):
            path.unlink()
        done = call(*arguments(known, "-o", "out"))
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert done.err.startswith("cannot load known: ")
        assert not Path("out").exists()

    def test_a_library_that_is_not_there(
        self, sentences: Path, small: Path, call: Call, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "accelerate", None)
        done = call(*arguments(small, "-o", "out"))
        said = "this needs accelerate, which is not installed; type: pip install 'blimpgen[studies]'\n"
        assert (done.code, done.err) == (2, said)
        assert not Path("out").exists()

    def test_a_vocabulary_without_the_words_of_the_tasks(self, sentences: Path, call: Call) -> None:
        poor = saved("gpt2", words(["alpha beta gamma"], size=100), Path("poor"))
        done = call(*arguments(poor, "-o", "out"))
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert "passes the tests of the tokenizer" in done.err


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A causal model that has learned nothing."""
    return saved("gpt2", words(lines(), size=3000), tmp_path_factory.mktemp("small") / "gpt2")


def scores(noun: str, training: str | None, by_seed: Sequence[Sequence[float]]) -> Iterator[TaughtScore]:
    for seed, totals in enumerate(by_seed):
        for configuration, total in zip(("SG_SG", "SG_PL"), totals, strict=True):
            yield TaughtScore(
                noun=noun,
                number="SG",
                training=training,
                seed=seed,
                task="SV_PP",
                configuration=configuration,
                total=total,
                samples=4,
            )


class TestLessons:
    def test_means_by_hand(self) -> None:
        rows = [*scores("wug", None, [(4, 8), (0, -8)]), *scores("wug", "simple", [(12, 4)])]
        (lesson,) = Lessons(rows)
        assert (lesson.before, lesson.spread, lesson.after) == (pytest.approx(0.25), pytest.approx(1.25), 2)
        with pytest.raises(DataError, match="no score of 'dax' before training"):
            Lessons(scores("dax", "simple", [(1, 1)]))

    def test_all_types_of_the_study(self) -> None:
        assert {number: len(types) for number, types in TRAINING.items()} == {"SG": 17, "PL": 20}
        for number, types in REPORTED.items():
            assert set(types) <= set(TRAINING[number])
        for types in TRAINING.values():
            for kind, written in types.items():
                assert len(set(written)) == len(written) == 5 + (kind == "lexical"), kind
                assert all(sentence.count("{}") == 1 for sentence in written)


def study(model: Path, *more: object) -> list[object]:
    shared = ["SV_Simple", "RA_Simple", "--samples", 6, "--device", "cpu", "--target", "all"]
    return ["nouns", *shared, "--study", model, *more]


@pytest.mark.slow
@pytest.mark.parametrize("command", [study, arguments], ids=["nouns", "teach"])
def test_a_full_disk_is_told_in_one_line_and_the_same_call_goes_on(
    command: Callable[..., list[object]], small: Path, sentences: Path, call: Call
) -> None:
    assert call(*command(small, "-o", "whole")).code == 0
    size, asked = (Path("whole", name).stat().st_size for name in ("scores.jsonl", "run.json"))
    for limit, file in (
        (100, "run.json"),
        (max(size // 2, asked + 1), "scores.unfinished.jsonl"),
        (2 * size, "report.html"),
    ):
        done = on_full_disk(limit, *command(small, "-o", "full"))
        assert (done.code, done.err) == (1, f"full/{file}: File too large\n")
    again = call(*command(small, "-o", "full"))
    assert again.code == 0, again.err
    for path in Path("whole").iterdir():
        assert Path("full", path.name).read_bytes() == path.read_bytes()


class TestStudy:
    @pytest.mark.slow
    def test_models_that_have_learned_the_tasks(
        self, learned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
    ) -> None:
        monkeypatch.chdir(tmp_path)
        both = study(learned / "gpt2", "--study", learned / "bert", "-o", "out", "--json")
        done = call(*both)
        assert done.code == 0, done.err
        for model, tasks in json.loads(done.out).items():
            for task in tasks:
                assert task["mean"] > 0, (model, task)
                assert task["singular"] + task["plural"] == pytest.approx(2 * task["mean"])
        page = Path("out/report.html").read_text()
        for title in ("What tasks share", "Principal components of", "Frequency: ", "Between models"):
            assert title in page
        written = Path("out/scores.jsonl").read_bytes()
        again = call(*both)
        assert (again.out, Path("out/scores.jsonl").read_bytes()) == (done.out, written)
        assert not any(name in written for name in (b"himself", b"The "))  # sums, no sentences

    @pytest.mark.slow
    def test_a_killed_study_is_finished_with_the_same_scores(
        self, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert call(*study(small, "-o", "whole")).code == 0
        command = [sys.executable, "-m", "blimpgen", *map(str, study(small, "-o", "killed"))]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"})
        journal = Path("killed/scores.unfinished.jsonl")
        deadline = time.monotonic() + 240
        while not (journal.exists() and journal.stat().st_size):
            assert time.monotonic() < deadline
            assert process.poll() is None, process.stderr
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert not Path("killed/scores.jsonl").exists()
        done = call(*study(small, "-o", "killed"))
        assert done.code == 0, done.err
        assert Path("killed/scores.jsonl").read_bytes() == Path("whole/scores.jsonl").read_bytes()
        journal.write_bytes(b"as if it had been killed when the scores were whole")
        assert call(*study(small, "-o", "killed")).code == 0
        assert not journal.exists()

    def test_the_scores_are_those_of_the_sentences(self, small: Path, tmp_path: Path, call: Call) -> None:
        from blimpgen.nouns.agreement_scores import noun_scores
        from blimpgen.scoring.causal import causal_lm

        Path(tmp_path, "nouns").write_text("wug\twuz\n")
        contexts = study_contexts(default_library(), Study(samples=5), 3, tasks=["SV_PP"])["SV_PP"]
        target = contexts.nouns[0]
        rows = list(contexts.of(target))
        scorer = causal_lm(str(small), bos="no", device="cpu")
        scored = [
            {**row, **{key: scorer([text])[0].total for key, text in row.items() if key.isupper()}} for row in rows
        ]
        totals = NounModel(scorer.forward.model, scorer.encoder.tokenizer, "causal", Options(str(small), bos="no"))
        by_configuration = totals.totals(contexts, target)
        mean = sum(total.value / total.samples for total in by_configuration.values()) / len(by_configuration)
        assert mean == pytest.approx(noun_scores(scored)[target[0]], abs=1e-4)

    def test_the_contexts_are_as_many_as_those_of_the_study(self) -> None:
        """Section 9 of the paper's volume: of each noun 4 or 8 sentences a context, half of them for one number."""
        for mask, sentences in ((None, (4, 8)), ("[MASK]", (2, 4))):
            contexts = study_contexts(default_library(), Study(samples=7), 0, mask=mask)
            for task, of_task in contexts.items():
                rows = list(of_task.of(of_task.nouns[0]))
                texts = {text for row in rows for key, text in row.items() if key.isupper()}
                each = sentences[not task.endswith("Simple")]
                assert len(texts) == each * (1 if mask and task == "SV_Simple" else 7), task

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            ((), "--study writes scores and a report; add -o DIR"),
            (("-o", "out", "--study", "length"), "length is of the family baseline; a causal or a masked model"),
            (("-o", "out", "--target", "techer"), "'techer' is no target noun of "),
            (("-o", "out", "SV_Simpel"), "no task 'SV_Simpel'; did you mean 'SV_Simple'?"),
            (("-o", "used"), "used is not empty (file); take another folder"),
        ],
    )
    def test_a_mistake_is_one_line(
        self, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call, more: tuple[str, ...], said: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("used").mkdir()
        Path("used/file").touch()
        done = call(*study(small, *more))
        assert done.code in (1, 2)
        assert done.err.startswith(said)
        assert done.err.count("\n") == 1
        assert not Path("out").exists()
