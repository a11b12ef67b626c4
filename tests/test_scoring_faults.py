"""Pairs that cannot be scored, broken models, damaged results, runs that are killed or meet each other."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import blimpgen as bg
from blimpgen.analysis.results import read_items, read_summary
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.locks import locked_folder
from blimpgen.scoring import Comparison, TokenScores, Unscored, verify
from blimpgen.scoring.baseline import Baseline
from blimpgen.scoring.judge import Policy, judge
from blimpgen.scoring.masked import MaskedScorer
from blimpgen.scoring.result_folder import UNFINISHED
from tests.conftest import Call
from tiny_models import model, needs_torch, saved, tokenizers, torch, transformers, wordpiece, words

TEXTS = ["The cat runs.", "The cats run.", "A dog that sleeps barks at the old house.", "Some doctors praise a guest."]
# One word a line: at most so many tokens fit into the models below.
LONG = " ".join(["cat"] * 80) + "."


def written(path: Path, pairs: list[tuple[str, str]], uid: str = "mine") -> Path:
    rows = [
        {
            "sentence_good": good,
            "sentence_bad": bad,
            "UID": uid,
            "pairID": str(k),
            "field": "f",
            "linguistics_term": "t",
        }
        for k, (good, bad) in enumerate(pairs)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


@pytest.fixture
def data(tmp_path: Path) -> Path:
    pairs = [(TEXTS[0], TEXTS[1]), (TEXTS[2], LONG), (" ", TEXTS[1]), (TEXTS[3], ""), (TEXTS[3], TEXTS[0])]
    return written(tmp_path / "mine.jsonl", pairs)


def comparison(good: str, bad: str, pair_id: str = "0") -> Comparison:
    return Comparison("u", pair_id, good, bad, "f", "t", {})


def by_characters(texts: list[str]) -> list[TokenScores]:
    return [TokenScores([-ord(c) / 100 for c in text], [(k, k + 1) for k in range(len(text))]) for text in texts]


@needs_torch
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "tokenizer"), [("gpt2", words), ("bert", wordpiece)])
def test_what_cannot_be_scored_is_left_out_with_its_reason(
    kind: str, tokenizer: Any, data: Path, tmp_path: Path, call: Call
) -> None:
    folder, out = saved(kind, tokenizer([*TEXTS, LONG]), tmp_path / "model"), tmp_path / "out"
    arguments = ("verify", data, "--model", folder, "--device", "cpu", "-o", out)
    done = call(*arguments)
    assert done.code == 0, done.err
    assert [item.pair_id for item in read_items(out)] == ["0", "4"]
    unscored = {pair.pair_id: (pair.UID, pair.reason) for pair in read_summary(out).unscored}
    assert unscored.keys() == {"1", "2", "3"}
    assert unscored["1"][0] == "mine"
    assert " tokens, but the model takes 64" in unscored["1"][1]
    assert unscored["2"][1] == unscored["3"][1] == "an empty sentence"
    lines = done.err.splitlines()
    assert lines[0] == "3 pairs could not be scored and are left out:"
    assert lines[2] == "  mine, pair 2: an empty sentence"
    again = call(*arguments)
    assert (again.code, again.out) == (0, done.out)
    assert again.err.splitlines()[:-1] == lines[:-1]
    for where in (out, tmp_path / "other"):
        strict = call(*arguments[:-1], where, "--strict")
        assert (strict.code, strict.err.count("\n")) == (1, 1)
        assert "mine, pair " in strict.err


@pytest.mark.parametrize("name", ["length", "unigram"])
def test_baselines_leave_out_what_is_empty(name: str, data: Path, call: Call) -> None:
    done = call("verify", data, "--model", name)
    assert done.code == 0
    assert "mine, pair 2: an empty sentence" in done.err


def test_a_sentence_without_any_score_does_not_beat_the_others() -> None:
    """The sum over no token is 0, more than any sentence can have."""
    scorer = lambda texts: [TokenScores([-1.0] * len(text.strip("#"))) for text in texts]  # noqa: E731
    assert [item.pair_id for item in judge([comparison("##", "a."), comparison("a.", "bb.", "1")], scorer)] == ["1"]
    with pytest.raises(DataError, match="u, pair 0: no token of it has a score"):
        judge([comparison("a.", "##")], scorer, Policy(strict=True))


def test_a_set_of_which_nothing_can_be_scored_is_an_error(tmp_path: Path, call: Call) -> None:
    done = call("verify", written(tmp_path / "x.jsonl", [(" ", "a."), ("", "b.")]), "--model", "length")
    assert (done.code, done.out) == (1, "")
    assert done.err == "no pair can be scored: an empty sentence; see `blimpgen verify --help`\n"


@needs_torch
def test_the_positions_of_roberta_begin_behind_the_padding() -> None:
    tokenizer = wordpiece([*TEXTS, LONG])
    torch.manual_seed(0)
    config = transformers.RobertaConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=20,
        pad_token_id=0,
    )
    scorer = MaskedScorer(transformers.RobertaForMaskedLM(config).eval(), tokenizer)
    fits, exceeds = (" ".join(["cat"] * n) for n in (17, 18))
    assert len(tokenizer(fits)["input_ids"]) == 19
    assert len(scorer([fits])[0].logprobs) == 17
    with pytest.raises(DataError, match="20 tokens, but the model takes 19: 'cat cat"):
        scorer([exceeds])


@needs_torch
def test_a_word_that_the_tokenizer_cannot_read_is_left_out(tmp_path: Path, call: Call) -> None:
    bare = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({"The": 0, "cat": 1, "runs": 2, "run": 3, "</s>": 4}, "<unk>")
    )
    bare.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=bare, eos_token="</s>")
    folder = saved("gpt2", tokenizer, tmp_path / "model")
    pairs = [("The cat runs", "The cat run"), ("The dog runs", "The cat run")]
    done = call("verify", written(tmp_path / "x.jsonl", pairs), "--model", folder, "--device", "cpu")
    assert done.code == 0, done.err
    assert "mine, pair 1: the tokenizer cannot read it: WordLevel error: Missing [UNK] token" in done.err


def broken_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"\xff" * 100)


def cut_weights(folder: Path) -> None:
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-1000])


def pickled_weights(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(os.getcwd))


def other_sizes(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "n_embd": 16, "hidden_size": 16}))


def fewer_vectors(folder: Path) -> None:
    model("gpt2", 20).save_pretrained(folder)


def broken_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text('{"model": 3}')


@needs_torch
@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (broken_weights, "cannot load {}: "),
        (cut_weights, "cannot load {}: "),
        (pickled_weights, "cannot load {}: "),
        (other_sizes, "cannot load {}: "),
        (fewer_vectors, "the tokenizer has 22 tokens, but the model 20; take the tokenizer that the model was"),
        (broken_tokenizer, "cannot load {}: "),
    ],
)
def test_a_broken_model_is_one_line(damage: Any, said: str, data: Path, tmp_path: Path, call: Call) -> None:
    folder = saved("gpt2", words(TEXTS, size=100), tmp_path / "model")
    damage(folder)
    done = call("verify", data, "--model", folder, "--family", "causal", "--device", "cpu", "-o", tmp_path / "out")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), done.err
    assert said.format(folder) in done.err
    assert not (tmp_path / "out").exists()


def test_rows_that_were_changed_are_refused(data: Path, tmp_path: Path, call: Call) -> None:
    out = tmp_path / "out"
    arguments = ("verify", data, "--model", "length", "-o", out)
    assert call(*arguments).code == 0
    rows = (out / "items.jsonl").read_text()
    (out / "items.jsonl").write_text(rows.replace('"credit":0.5', '"credit":5'))
    for command in (arguments, ("report", out, "-o", tmp_path / "report.html")):
        done = call(*command)
        assert (done.code, done.err.count("\n")) == (1, 1), done.err
        assert f"{out / 'items.jsonl'}:1: not a row of a result: credit: " in done.err
    (out / "items.jsonl").write_text(rows.replace('"field":"f"', '"field":"g"'))
    for command in (arguments, ("report", out, "-o", tmp_path / "report.html")):
        done = call(*command)
        assert (done.code, done.err.count("\n")) == (1, 1), done.err
        assert "items.jsonl: the rows are not those that summary.json beside it describes; repeat" in done.err
    assert call(*arguments, "--overwrite").code == 0
    assert (out / "items.jsonl").read_text() == rows
    (out / "summary.json").write_text("[]")
    assert "summary.json: not a summary of blimpgen: " in call(*arguments).err
    assert call(*arguments, "--overwrite").code == 0


def test_unfinished_rows_that_were_changed_are_refused(tmp_path: Path) -> None:
    made = [comparison(f"A{k}.", f"B{k}.", str(k)) for k in range(20)]
    out = tmp_path / "out"
    left = 3

    def stops(texts: list[str]) -> list[TokenScores]:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        return Baseline("length")(texts)

    stops.identity = Baseline("length").identity  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        verify(made, stops, data="d", output=out, chunk=4)
    path = out / UNFINISHED
    rows = path.read_text()
    assert rows.count('"UID"') == 8
    path.write_text(rows.replace('"lp_good":-1.0', '"lp_good":-1.5', 1))
    with pytest.raises(DataError, match=rf"{UNFINISHED}:5: the rows before this line are not those that the run wrote"):
        verify(made, Baseline("length"), data="d", output=out)
    path.write_text(rows + rows.splitlines()[0])
    assert verify(made, Baseline("length"), data="d", output=out).resumed == 8


def test_a_folder_that_is_being_written_is_refused(tmp_path: Path) -> None:
    with locked_folder(tmp_path / "out"), pytest.raises(UsageError, match=r"out is being written by process \d+"):
        verify([comparison("a.", "b.")], Baseline("length"), data="d", output=tmp_path / "out")
    assert verify([comparison("a.", "b.")], Baseline("length"), data="d", output=tmp_path / "out").items


@pytest.mark.slow
def test_a_reader_that_has_enough_ends_nothing(data: Path) -> None:
    command = f"{sys.executable} -m blimpgen verify {data} --model length | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1


def test_a_scorer_may_say_why_it_has_no_score(tmp_path: Path) -> None:
    class Refuses:
        def __call__(self, texts: list[str]) -> list[TokenScores]:
            return by_characters(texts)

        def score(self, requests: list[Any]) -> list[TokenScores | Unscored]:
            return [Unscored("too odd") if "odd" in r.text else by_characters([r.text])[0] for r in requests]

    path = written(tmp_path / "mine.jsonl", [("An odd cat.", "A cat."), ("Cat.", "Cats.")])
    records = bg.read_jsonl(path)
    with pytest.raises(DataError, match="mine, pair 0: too odd"):
        bg.score(records, Refuses(), methods=["full"])
    assert [item.pair_id for item in bg.score(records, Refuses(), methods=["full"], strict=False)] == ["1"]
