"""Exports are read by the tools that they are for. Slow: those tools take their time to load."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import tiny_models
from blimpgen.dataset import Arguments, write_set
from blimpgen.exports import Options, Source, find_format, read_source, write_export
from blimpgen.library import Library
from hard_export_set import NAMES, conllu, csv_rows, write_hard_set

pytestmark = pytest.mark.slow

ROWS = 5


@pytest.fixture(scope="module")
def hard(tmp_path_factory: pytest.TempPathFactory) -> Source:
    return read_source(write_hard_set(tmp_path_factory.mktemp("hard"), design=False))


@pytest.fixture(scope="module")
def blimp(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Source:
    """A few pairs of every paradigm of the suite, with trees."""
    folder = tmp_path_factory.mktemp("blimp") / "set"
    write_set(library, Arguments(targets=("blimp",), n=ROWS, metadata=True), folder)
    return read_source(folder)


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No hub is asked for anything, and no cache outlives a test."""
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf-home"))


def exported(source: Source, format: str, folder: Path, **options: Any) -> Path:
    write_export(source, find_format(format), folder, Options(**options))
    return folder


def test_lm_eval_scores_exactly_our_strings(blimp: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _record_with_lm_eval(blimp, tmp_path, monkeypatch, "mine")


def test_lm_eval_reads_hard_names(hard: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _record_with_lm_eval(hard, tmp_path, monkeypatch, "hard_names")


def _record_with_lm_eval(source: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    lm_eval = pytest.importorskip("lm_eval")
    datasets = pytest.importorskip("datasets")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "cache")
    seen: list[tuple[str, str]] = []

    class Recorder(LM):  # type: ignore[misc]
        """A model that prefers the shorter sentence and remembers what it was asked."""

        def loglikelihood(self, requests: Iterable[Any]) -> list[tuple[float, bool]]:
            asked = [request.args for request in requests]
            seen.extend(asked)
            return [(-float(len(text)), False) for _, text in asked]

        def loglikelihood_rolling(self, requests: Iterable[Any]) -> list[float]:
            raise NotImplementedError

        def generate_until(self, requests: Iterable[Any]) -> list[str]:
            raise NotImplementedError

    folder = exported(source, "lm-eval", tmp_path / "tasks", name=name)
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    assert set(manager.all_subtasks) == {f"{name}_{uid}" for uid in source.rows}
    terms = {f"{name}_term_{term}": uids for term, uids in source.groups("linguistics_term").items()}
    fields = {f"{name}_field_{field}": uids for field, uids in source.groups("field").items()}
    assert set(manager.all_groups) == {name, *terms, *fields}
    # Elsewhere than in the folder of the tasks: their paths don't depend on where the harness runs.
    monkeypatch.chdir(tmp_path)
    results = lm_eval.simple_evaluate(Recorder(), tasks=[name], task_manager=manager, bootstrap_iters=0)
    ours = [row for rows in source.rows.values() for row in rows]
    expected = {text for row in ours for text in (row["sentence_good"], row["sentence_bad"])}
    assert {text for _, text in seen} == expected
    assert not any(text[0].isspace() for _, text in seen)
    assert {context for context, _ in seen} == {""}
    # A tie counts as correct there.
    accuracy = {
        uid: sum(len(row["sentence_good"]) <= len(row["sentence_bad"]) for row in rows) / len(rows)
        for uid, rows in source.rows.items()
    }
    for uid in source.rows:
        found = results["results"][f"{name}_{uid}"]
        assert found["acc,none"] == pytest.approx(accuracy[uid]), uid
        assert {"acc,none", "acc_norm,none", "acc_bytes,none"} <= found.keys()
    assert results["groups"][name]["acc,none"] == pytest.approx(sum(accuracy.values()) / len(accuracy))
    # The harness refuses a task that two groups of one call have, so each kind of groups is asked for by itself.
    for groups in (terms, fields):
        results = lm_eval.simple_evaluate(Recorder(), tasks=list(groups), task_manager=manager, bootstrap_iters=0)
        for group, uids in groups.items():
            macro = sum(accuracy[uid] for uid in uids) / len(uids)
            assert results["groups"][group]["acc,none"] == pytest.approx(macro), group


def test_datasets_loads_the_released_features(blimp: Source, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")

    folder = exported(blimp, "hf", tmp_path / "hf")
    assert datasets.get_dataset_config_names(str(folder)) == list(blimp.rows)
    text, truth = datasets.Value("string"), datasets.Value("bool")
    released = datasets.Features(
        {
            **dict.fromkeys(("sentence_good", "sentence_bad", "field", "linguistics_term", "UID"), text),
            **dict.fromkeys(
                ("simple_LM_method", "one_prefix_method", "two_prefix_method", "lexically_identical"), truth
            ),
            "pair_id": datasets.Value("int32"),
        }
    )
    for uid, rows in blimp.rows.items():
        loaded = datasets.load_dataset(str(folder), uid, cache_dir=str(tmp_path / "cache"))
        assert list(loaded) == ["train"]
        assert loaded["train"].features == released, uid
        assert list(loaded["train"].features) == list(released)
        assert [{**row, "pairID": str(row["pair_id"])} for row in loaded["train"]] == [
            {
                **{key: row[key] for key in released if key != "pair_id"},
                "pair_id": int(row["pairID"]),
                "pairID": row["pairID"],
            }
            for row in rows
        ]


def test_datasets_loads_prefixes_and_hard_names(hard: Source, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")

    folder = exported(hard, "hf", tmp_path / "hf", keep_prefix=True, name='Names: O\'Hara, "Ann" & co.')
    for uid, rows in hard.rows.items():
        loaded = datasets.load_dataset(str(folder), uid, split="train", cache_dir=str(tmp_path / "cache"))
        keys = [key for key in rows[0] if key != "pairID"]
        assert [{key: row[key] for key in keys} for row in loaded] == [{key: row[key] for key in keys} for row in rows]


def test_mlcroissant_reports_nothing(hard: Source, blimp: Source, tmp_path: Path) -> None:
    mlcroissant = pytest.importorskip("mlcroissant")

    for number, source in enumerate((hard, blimp)):
        folder = exported(source, "croissant", tmp_path / str(number), name='Names: O\'Hara, "Ann" & co.')
        read = mlcroissant.Dataset(str(folder / "croissant.json"))
        assert read.metadata.ctx.issues.errors == set()
        assert read.metadata.ctx.issues.warnings == set()
        for uid, rows in list(source.rows.items())[:3]:
            records = list(read.records(uid))
            assert [r[f"{uid}/sentence_good"].decode() for r in records] == [row["sentence_good"] for row in rows]
            assert [r[f"{uid}/sentence_bad"].decode() for r in records] == [row["sentence_bad"] for row in rows]
            assert [r[f"{uid}/pair_id"] for r in records] == [int(row["pairID"]) for row in rows]


def test_minicons_cannot_score_with_masked_models(tmp_path: Path) -> None:
    """As the page of exports says; once it can, the page is to be changed."""
    pytest.importorskip("minicons")
    pytest.importorskip("torch")
    from minicons.scorer import MaskedLMScorer

    folder = tiny_models.saved("bert", tiny_models.wordpiece(["The dog sees the cats."]), tmp_path)
    with pytest.raises(AttributeError, match="batch_encode_plus"):
        MaskedLMScorer(str(folder), "cpu").sequence_score(["The dog sees the cats."])


def test_minicons_scores_the_columns(hard: Source, tmp_path: Path) -> None:
    pytest.importorskip("minicons")
    torch = pytest.importorskip("torch")
    from minicons.scorer import IncrementalLMScorer
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    # A byte-level vocabulary: every string has tokens, and a word has others with a space before it.
    vocabulary = {token: k for k, token in enumerate(("<s>", *sorted(pre_tokenizers.ByteLevel.alphabet())))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token="<s>", eos_token="<s>", pad_token="<s>")
    torch.manual_seed(0)
    model = GPT2LMHeadModel(
        GPT2Config(
            vocab_size=len(vocabulary), n_positions=128, n_embd=16, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0
        )
    )
    scorer = IncrementalLMScorer(model, "cpu", tokenizer=fast)
    rows = csv_rows(exported(hard, "minicons", tmp_path / "minicons.csv"))
    for side in ("good", "bad"):
        texts = [row[f"sentence_{side}"] for row in rows]
        scores = scorer.sequence_score(texts, reduction=lambda x: x.sum(0).item(), bos_token=True)
        assert len(scores) == len(rows)
        lengths = [len(tokens) for tokens in scorer.token_score(texts, bos_token=True)]
        assert lengths == [len(text.encode()) + 1 for text in texts]
    with_prefix = [row for row in rows if row["prefix_good"]]
    assert len(with_prefix) == 2 * len(NAMES)
    for side in ("good", "bad"):
        scores = scorer.conditional_score(
            [row[f"prefix_{side}"] for row in with_prefix],
            [row[f"word_{side}"] for row in with_prefix],
            reduction=lambda x: x.sum(0).item(),
        )
        assert all(score < 0 for score in scores)


def test_nltk_reads_the_trees(blimp: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import nltk.data
    from nltk.corpus.reader import BracketParseCorpusReader

    folder = exported(blimp, "trees", tmp_path / "trees")
    monkeypatch.setattr(nltk.data, "path", [str(folder)])
    for uid, rows in blimp.rows.items():
        for side in ("good", "bad"):
            trees = list(BracketParseCorpusReader(str(folder), rf"{uid}\.{side}\.mrg").parsed_sents())
            assert len(trees) == len(rows)
            for tree, row in zip(trees, rows, strict=True):
                words = re.sub(r" (?=[.?!,]|'s\b|' )", "", " ".join(tree.leaves()))
                assert words.lower() == row[f"sentence_{side}"].lower(), (uid, side)
                assert side == "bad" or tree.label() == "TOP", uid


def test_conllu_of_every_paradigm(blimp: Source, tmp_path: Path) -> None:
    sentences = conllu(exported(blimp, "conllu", tmp_path / "sentences.conllu"))
    assert len(sentences) == 2 * ROWS * len(blimp.rows)
    for comments, words in sentences:
        derived = comments["tree"].startswith("(TOP ")
        assert derived or comments["sentence"] == "bad", comments["sent_id"]
        if derived:
            unsaid = [word[1] for word in words if word[7] == "dep" or word[3] == "X"]
            assert unsaid == [], comments["tree"]
            assert all(word[7] in ("aux", "aux:pass", "cop") for word in words if word[3] == "AUX"), comments["tree"]


def test_script_for_pcibex_runs(hard: Source, tmp_path: Path) -> None:
    """The script makes a trial a row with a stand-in for PennController, where there is Node to run it."""
    import shutil
    import subprocess

    node = shutil.which("node")
    if node is None:
        pytest.skip("Node is not here")
    folder = exported(hard, "pcibex", tmp_path / "pcibex")
    rows = csv_rows(folder / "chunk_includes" / "stimuli.csv")
    stand_in = """
const trials = [], texts = {};
const any = () => new Proxy(function () {}, { get: (_, key) => key === Symbol.toPrimitive ? () => "" : any(),
                                              apply: () => any() });
for (const name of ["DebugOff", "Sequence", "randomize", "SendResults", "newButton", "newScale", "getScale",
                    "newCanvas", "newSelector", "getText"]) globalThis[name] = () => any();
globalThis.PennController = any();
globalThis.newText = (name, text) => { texts[name] = text; return any(); };
globalThis.newTrial = (label) => {
  const trial = { label, texts: { ...texts }, logged: {} };
  trials.push(trial);
  const chain = { log: (key, value) => { trial.logged[key] = value; return chain; } };
  return chain;
};
globalThis.Template = (table, make) => rows.forEach((row) => make(row));
"""
    script = (folder / "data_includes" / "main.js").read_text(encoding="utf-8")
    program = f"const rows = {json.dumps(rows)};\n{stand_in}\n{script}\nconsole.log(JSON.stringify(trials));"
    done = subprocess.run([node, "-e", program], capture_output=True, text=True, check=True, timeout=60)
    trials = [trial for trial in json.loads(done.stdout) if trial["label"] == "trial"]
    assert [trial["logged"] for trial in trials] == [
        {"list": r["group"], "item": r["item"], "UID": r["UID"], "pair_id": r["pair_id"], "good_side": r["good_side"]}
        for r in rows
    ]
    assert not any("<" in trial["texts"][index] for trial in trials for index in ("0", "1"))
