"""Scores of models equal a plain loop over sentences: whatever the architecture, tokenizer, start token and batch."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import blimpgen as bg
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.records import MinimalPair
from blimpgen.scoring.batching import OutputLayer
from blimpgen.scoring.causal import CausalScorer
from blimpgen.scoring.forward import Forward
from blimpgen.scoring.judge import Policy, judge
from blimpgen.scoring.masked import MaskedScorer
from blimpgen.scoring.reading import Comparison, to_comparisons
from blimpgen.scoring.scores import Request
from tests.conftest import Call, in_tiers
from tiny_models import TOKENIZERS, model, needs_torch, saved, torch, wordpiece

pytestmark = needs_torch
UIDS = ("transitive", "distractor_agreement_relational_noun", "adjunct_island", "determiner_noun_agreement_2")
NEAR = 1e-4


@pytest.fixture(scope="module")
def comparisons() -> list[Comparison]:
    return [c for uid in UIDS for record in bg.generate(uid, n=3) for c in to_comparisons(record)]


@pytest.fixture(scope="module")
def texts(comparisons: list[Comparison]) -> list[str]:
    return [text for c in comparisons for text in (c.good, c.bad)]


def plain(network: Any, tokenizer: Any, text: str, start: int | None) -> list[float]:
    """The log-probabilities of one sentence, with nothing but the model."""
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    ids = ids if start is None else [start, *ids]
    with torch.no_grad():
        logprobs = network(torch.tensor([ids])).logits[0].float().log_softmax(-1)
    return [logprobs[k, ids[k + 1]].item() for k in range(len(ids) - 1)]


@pytest.mark.parametrize("bos", ["yes", "no"])
@pytest.mark.parametrize(
    "case",
    in_tiers(
        [f"{kind}-{tokens}" for kind in ("gpt2", "gpt_neox", "llama") for tokens in TOKENIZERS], ("gpt2-byte_level",)
    ),
)
def test_causal_scores_equal_a_plain_loop(case: str, bos: Any, texts: list[str], comparisons: list[Comparison]) -> None:
    kind, tokens = case.split("-")
    tokenizer = TOKENIZERS[tokens](texts)
    network = model(kind, len(tokenizer))
    start = None if bos == "no" else tokenizer.bos_token_id if tokenizer.bos_token_id is not None else 1
    expected = [math.fsum(plain(network, tokenizer, text, start)) for text in texts]
    for batch, share in ((1, True), (4096, True), (4096, False), (40, True)):
        scorer = CausalScorer(network, tokenizer, bos=bos, batch_tokens=batch, share_prefixes=share)
        found = [scores.total for scores in scorer(texts)]
        assert scorer.forward.way == ("packed" if share else "padded")
        assert max(abs(a - b) for a, b in zip(expected, found, strict=True)) < NEAR
        verdicts = [item.correct for item in judge(comparisons, scorer, Policy(("full",)))]
        assert verdicts == [good > bad for good, bad in zip(expected[::2], expected[1::2], strict=True)]


@pytest.mark.slow
def test_an_architecture_that_takes_no_masks_is_found_out_by_its_figures(texts: list[str]) -> None:
    tokenizer = TOKENIZERS["byte_level"](texts)
    network = model("bloom", len(tokenizer))
    scorer = CausalScorer(network, tokenizer)
    found = [scores.total for scores in scorer(texts)]
    assert scorer.forward.way == "padded"
    expected = [math.fsum(plain(network, tokenizer, text, 0)) for text in texts]
    assert max(abs(a - b) for a, b in zip(expected, found, strict=True)) < NEAR


def test_a_model_that_takes_nothing_but_tokens_is_scored_one_by_one(texts: list[str]) -> None:
    tokenizer = TOKENIZERS["byte_level"](texts)
    network = model("gpt2", len(tokenizer))

    class Bare(type(network)):  # type: ignore[misc]
        def forward(self, input_ids: Any) -> Any:
            return super().forward(input_ids=input_ids)

    network.__class__ = Bare
    scorer = CausalScorer(network, tokenizer)
    found = [scores.total for scores in scorer(texts[:8])]
    assert scorer.forward.way == "plain"
    expected = [math.fsum(plain(network, tokenizer, text, 0)) for text in texts[:8]]
    assert max(abs(a - b) for a, b in zip(expected, found, strict=True)) < NEAR


def test_start_and_end_token_are_said(texts: list[str]) -> None:
    tokenizer = TOKENIZERS["metaspace"](texts)
    network = model("gpt2", len(tokenizer))
    n = len(tokenizer(texts[0], add_special_tokens=False)["input_ids"])
    for options, count, bos, eos in (
        ({}, n, "<s>", None),
        ({"bos": "no"}, n - 1, None, None),
        ({"eos": True}, n + 1, "<s>", "</s>"),
    ):
        scorer = CausalScorer(network, tokenizer, **options)
        assert len(scorer([texts[0]])[0].logprobs) == count
        assert (scorer.identity.bos, scorer.identity.eos) == (bos, eos)
    without = TOKENIZERS["words"](texts)
    without.eos_token = None
    with pytest.raises(UsageError, match="neither a start nor an end token"):
        CausalScorer(network, without, bos="yes")
    assert CausalScorer(network, without).identity.bos is None


def test_a_leading_space_is_scored_as_one(texts: list[str]) -> None:
    tokenizer = TOKENIZERS["byte_level"](texts)
    network = model("gpt2", len(tokenizer))
    scorer = CausalScorer(network, tokenizer, leading_space=True)
    (scores,) = scorer([texts[0]])
    assert scorer.identity.versions["leading-space"] == "yes"
    assert "leading-space" not in CausalScorer(network, tokenizer).identity.versions
    assert scores.total == pytest.approx(math.fsum(plain(network, tokenizer, f" {texts[0]}", 0)), abs=NEAR)
    assert scores.spans[0][0] == 0
    assert scores.spans[-1][1] == len(texts[0])


@pytest.mark.slow
@pytest.mark.parametrize("tokens", TOKENIZERS)
def test_the_critical_word_is_scored_in_the_same_pass(
    tokens: str, comparisons: list[Comparison], texts: list[str]
) -> None:
    """One-prefix and two-prefix scores equal sums over tokens that a plain loop finds by their characters."""
    tokenizer = TOKENIZERS[tokens](texts)
    network = model("llama", len(tokenizer))
    start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else 1
    scorer = CausalScorer(network, tokenizer)
    items = judge(comparisons, scorer, Policy(leading_space=False))
    assert {item.method for item in items} == {"full", "one-prefix", "two-prefix"}
    by_key = {(c.uid, c.pair_id): c for c in comparisons}
    for item in items:
        if item.method != "full":
            comparison = by_key[item.UID, item.pair_id]
            for text, (a, b), found in zip(
                (comparison.good, comparison.bad),
                comparison.words[item.method],
                (item.lp_good, item.lp_bad),
                strict=True,
            ):
                logprobs = plain(network, tokenizer, text, start)
                spans = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
                inside = [lp for lp, (i, j) in zip(logprobs, spans, strict=True) if j > a - 1 and i < b]
                assert found == pytest.approx(math.fsum(inside), abs=NEAR)


def test_the_probability_of_a_word_is_corrected_for_leading_spaces(texts: list[str]) -> None:
    """P(word) = P(tokens) P(a word ends after it) / P(a word ended before it), summed over the vocabulary by hand."""
    tokenizer = TOKENIZERS["byte_level"](texts)
    network = model("gpt2", len(tokenizer))
    pair = next(r for r in bg.generate("determiner_noun_agreement_1", n=1) if isinstance(r, MinimalPair))
    comparison = next(iter(to_comparisons(pair)))
    scorer = CausalScorer(network, tokenizer)
    (raw,) = (i for i in judge([comparison], scorer, Policy(("one-prefix",), leading_space=False)))
    (item,) = (i for i in judge([comparison], scorer, Policy(("one-prefix",))))
    tokens = tokenizer.convert_ids_to_tokens(range(len(tokenizer)))
    begins = torch.tensor(
        [t == "<|endoftext|>" or t[0] in "ĠĊĉ" or not (t[0].isalnum() or t[0] in "'’-") for t in tokens]
    )

    def ends(upto: str) -> float:
        ids = [0, *tokenizer(upto, add_special_tokens=False)["input_ids"]]
        with torch.no_grad():
            logprobs = network(torch.tensor([ids])).logits[0, -1].log_softmax(-1)
        return float(logprobs[begins].logsumexp(-1))

    start, end = comparison.words["one-prefix"][0]
    expected = raw.lp_good + ends(pair.good[:end]) - ends(pair.good[: start - 1])
    assert item.lp_good == pytest.approx(expected, abs=NEAR)
    assert item.lp_good != pytest.approx(raw.lp_good, abs=NEAR)


@pytest.mark.parametrize(("share", "size", "limit"), [(False, 150, 80), (True, 300, 200)])
def test_batches_keep_to_their_size_and_shrink_when_memory_runs_out(
    texts: list[str], share: bool, size: int, limit: int
) -> None:
    tokenizer = TOKENIZERS["byte_level"](texts)
    network = model("gpt2", len(tokenizer))
    expected = [scores.total for scores in CausalScorer(network, tokenizer)(texts)]
    scorer = CausalScorer(network, tokenizer, batch_tokens=size, share_prefixes=share)
    scorer(texts[:2])
    seen: list[int] = []
    forward = network.forward

    def limited(*args: Any, **given: Any) -> Any:
        seen.append(given["input_ids"].numel())
        assert len(seen) < 50, "the batch does not shrink"
        if seen[-1] > limit:
            raise torch.OutOfMemoryError("out of memory")
        return forward(*args, **given)

    network.forward = limited
    found = [scores.total for scores in scorer(texts)]
    assert max(seen) <= size
    assert sum(n > limit for n in seen) == 1
    assert scorer.forward.batches.tokens <= limit
    assert max(abs(a - b) for a, b in zip(expected, found, strict=True)) < NEAR
    network.forward = lambda *_, **__: (_ for _ in ()).throw(torch.OutOfMemoryError("out of memory"))
    with pytest.raises(DataError, match=r"out of memory on cpu with \d+ tokens at once; take a smaller model"):
        scorer(texts)


def test_a_model_that_does_not_fit_its_device_fails_alone(
    texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call
) -> None:
    """Torch raises its own error when weights are moved to a device without room for them."""
    monkeypatch.chdir(tmp_path)
    for name in ("large", "small"):
        saved("gpt2", TOKENIZERS["byte_level"](texts), Path(name))
    bg.write_jsonl(bg.generate("transitive", n=4), tmp_path / "transitive.jsonl")
    move = torch.nn.Module.to

    def to(module: Any, *where: Any, **options: Any) -> Any:
        if getattr(module, "name_or_path", "") == "large":
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 9.00 TiB.\nGPU 0 has less")
        return move(module, *where, **options)

    monkeypatch.setattr(torch.nn.Module, "to", to)
    said = "large does not fit the memory of its device; take --dtype bfloat16, --device cpu or a smaller model"
    alone = call("verify", "transitive.jsonl", "--model", "large")
    assert (alone.code, alone.out, alone.err) == (1, "", f"{said}\n")
    both = call("verify", "transitive.jsonl", "--model", "large", "--model", "small", "-o", "out")
    assert both.code == 1
    assert both.err.splitlines()[0] == f"large: {said}"
    assert both.err.splitlines()[-1].startswith("1 of 2 models failed: large; ")
    assert [path.parent.name for path in Path("out").glob("*/summary.json")] == ["small"]


def test_the_activation_of_gpt2_is_computed_in_one_step(texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """An activation that has a forward of its own is left alone, and the other one has none afterwards."""
    tokenizer = TOKENIZERS["byte_level"](texts)
    network = model("gpt2", len(tokenizer))
    first, second = (block.mlp.act for block in network.transformer.h)
    steps, called = type(first).forward, []

    def in_steps(module: Any, values: Any) -> Any:
        called.append(module)
        return steps(module, values)

    monkeypatch.setattr(type(first), "forward", in_steps)
    own = second.forward = partial(in_steps, second)
    CausalScorer(network, tokenizer)(texts[:2])
    assert {*map(id, called)} == {id(second)}
    assert ("forward" in vars(first), second.forward) == (False, own)


@pytest.mark.parametrize("share", [True, False])
def test_what_fills_up_a_batch_changes_nothing(share: bool, texts: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """On a GPU batches have few shapes."""
    tokenizer = TOKENIZERS["byte_level"](texts)
    network = model("gpt2", len(tokenizer))
    expected = CausalScorer(network, tokenizer, share_prefixes=share)(texts)
    monkeypatch.setattr(Forward, "_shape", lambda _, batch: (len(batch) + 3, max(map(len, batch)) + 5))
    scorer = CausalScorer(network, tokenizer, share_prefixes=share)
    found = scorer(texts)
    assert scorer.forward.way == ("packed" if share else "padded")
    assert [each.total for each in found] == pytest.approx([each.total for each in expected], abs=NEAR)


@pytest.mark.parametrize("bias", [True, False])
def test_an_output_layer_with_more_tokens_gives_the_logits_of_its_own(bias: bool) -> None:
    layer = torch.nn.Linear(4, 13, bias=bias)
    network = type("Network", (), {"get_output_embeddings": lambda _: layer})()
    hidden = torch.randn(2, 3, 4)
    logits = OutputLayer(network)._of_full_lines(hidden)
    assert logits.shape == (2, 3, 13)
    torch.testing.assert_close(logits, layer(hidden))


def test_what_cannot_be_scored_is_told(texts: list[str], comparisons: list[Comparison]) -> None:
    tokenizer = TOKENIZERS["words"](texts)
    with pytest.raises(DataError, match="tokens, but the model takes 4"):
        CausalScorer(model("gpt2", len(tokenizer), positions=4), tokenizer)(texts)
    network = model("gpt2", len(tokenizer))
    with pytest.raises(DataError, match="a single token without a start token has no probability"):
        CausalScorer(network, tokenizer, bos="no")(["word"])
    with torch.no_grad():
        network.transformer.wte.weight[3] = math.nan
    with pytest.raises(DataError, match="pair 0: the model gives nan; try --dtype float32"):
        judge(comparisons[:1], CausalScorer(network, tokenizer), Policy(strict=True))


def masked_plain(network: Any, tokenizer: Any, text: str, *, right: bool) -> float:
    """The pseudo-log-likelihood of one sentence, one masked copy at a time."""
    output = tokenizer(text)
    ids, words = output["input_ids"], output.word_ids()
    total = 0.0
    for k, word in enumerate(words):
        if word is not None:
            masks = [j for j, other in enumerate(words) if j == k or (right and j > k and other == word)]
            given = torch.tensor([[tokenizer.mask_token_id if j in masks else t for j, t in enumerate(ids)]])
            with torch.no_grad():
                total += network(given).logits[0, k].log_softmax(-1)[ids[k]].item()
    return total


@pytest.mark.parametrize("score", in_tiers(("pll_word_l2r", "pll_original"), ("pll_word_l2r",)))
def test_masked_scores_equal_a_plain_loop(score: Any, texts: list[str], comparisons: list[Comparison]) -> None:
    tokenizer = wordpiece(texts)
    network = model("bert", len(tokenizer))
    first = texts[:8]
    expected = [masked_plain(network, tokenizer, text, right=score == "pll_word_l2r") for text in first]
    for batch in (1, 4096):
        scorer = MaskedScorer(network, tokenizer, score=score, batch_tokens=batch)
        totals = [scores.total for scores in scorer(first)]
        assert max(abs(a - b) for a, b in zip(expected, totals, strict=True)) < NEAR
        verdicts = [item.correct for item in judge(comparisons[:4], scorer, Policy(("full",)))]
        assert verdicts == [good > bad for good, bad in zip(expected[::2], expected[1::2], strict=True)]


def test_a_word_of_several_tokens_separates_the_two_masked_scores(texts: list[str]) -> None:
    tokenizer = wordpiece(texts, size=60)
    network = model("bert", len(tokenizer))
    assert len(tokenizer.tokenize("Senators")) > 1
    whole, single = (
        MaskedScorer(network, tokenizer, score=score)(["Senators"])[0].total
        for score in ("pll_word_l2r", "pll_original")
    )  # type: ignore[arg-type]
    assert abs(whole - single) > NEAR


@pytest.mark.slow
def test_the_one_word_that_differs_is_masked() -> None:
    records = [*bg.generate("regular_plural_subject_verb_agreement_1", n=8), *bg.generate("adjunct_island", n=2)]
    made = [c for record in records for c in to_comparisons(record)]
    tokenizer = wordpiece([text for c in made for text in (c.good, c.bad)], size=2000)
    network = model("bert", len(tokenizer))
    scorer = MaskedScorer(network, tokenizer, score="masked_word")
    items = judge(made, scorer, Policy(("full",)))
    assert len(items) >= 6
    unknown = Comparison("u", "0", "He runs.", "He xylographs.", "", "", {})
    assert judge([unknown], scorer) == []
    with pytest.raises(UsageError, match="masked_word is one of pairs"):
        scorer(["He runs."])
    assert {item.UID for item in items} == {"regular_plural_subject_verb_agreement_1"}
    for item in items:
        good, bad = (tokenizer(s)["input_ids"] for s in (item.sentence_good, item.sentence_bad))
        (place,) = (k for k, (a, b) in enumerate(zip(good, bad, strict=True)) if a != b)
        given = torch.tensor([[tokenizer.mask_token_id if k == place else t for k, t in enumerate(good)]])
        with torch.no_grad():
            logprobs = network(given).logits[0, place].log_softmax(-1)
        assert (item.lp_good, item.lp_bad) == pytest.approx(
            [logprobs[good[place]].item(), logprobs[bad[place]].item()], abs=NEAR
        )
        assert (item.n_tok_good, item.score) == (1, "masked_word")


def test_endings_that_lie_inside_a_token_are_left_out(texts: list[str]) -> None:
    tokenizer = TOKENIZERS["byte_level"](texts)
    scorer = CausalScorer(model("gpt2", len(tokenizer)), tokenizer)
    text = texts[0]
    (scores,) = scorer.score([Request(text, tuple(range(len(text) + 1)))])
    ends = {end for _, end in scores.spans}
    assert ends <= {*scores.endings} <= {0, *ends}
    assert all(value <= 0 for value in scores.endings.values())


@pytest.mark.slow
def test_a_causal_model_from_a_folder(tmp_path: Path, texts: list[str], call: Call) -> None:
    tokenizer = TOKENIZERS["byte_level"](texts)
    folder = saved("gpt2", tokenizer, tmp_path / "model")
    scorer = bg.causal_lm(str(folder), device="cpu")
    records = bg.generate("determiner_noun_agreement_1", n=5)
    items = bg.score(records, scorer)
    assert scorer.identity.revision
    assert {i.revision for i in items} == {scorer.identity.revision}
    assert [i.method for i in items] == ["full", "one-prefix"] * 5
    data = tmp_path / "set.jsonl"
    bg.write_jsonl(records, data)
    done = call("verify", data, "--model", folder, "--device", "cpu", "-o", tmp_path / "out")
    assert (done.code, done.err.count("\n")) == (0, 1), done.err
    assert [i.lp_good for i in bg.read_items(tmp_path / "out")] == pytest.approx([i.lp_good for i in items], abs=NEAR)
    signature = (tmp_path / "out" / "signature.txt").read_text()
    assert "family: causal; dtype: float32; score: log_prob; methods: full,one-prefix,two-prefix; " in signature
    saved("gpt2", tokenizer, folder, seed=1)
    assert bg.causal_lm(str(folder)).identity.revision != scorer.identity.revision


@pytest.mark.slow
def test_a_masked_model_is_known_by_its_configuration(tmp_path: Path, texts: list[str], call: Call) -> None:
    folder = saved("bert", wordpiece(texts), tmp_path / "model")
    data = tmp_path / "set.jsonl"
    bg.write_jsonl(bg.generate("transitive", n=2), data)
    assert call("verify", data, "--model", folder, "-o", tmp_path / "out").code == 0
    assert {i.score for i in bg.read_items(tmp_path / "out")} == {"pll_word_l2r"}


@pytest.mark.slow
def test_a_model_that_is_not_there_is_one_line(
    tmp_path: Path, texts: list[str], call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    data = tmp_path / "set.jsonl"
    bg.write_jsonl(bg.generate("transitive", n=2), data)
    for name, said in (
        ("no/such-model", "offline, or without the rights to it, give a folder that has config.json"),
        ("./absent", "no such folder: ./absent; name one that has config.json"),
        (str(tmp_path), f"cannot load {tmp_path}: "),
    ):
        for family in ("auto", "causal", "masked"):
            done = call("verify", data, "--model", name, "--family", family)
            assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), done.err
            assert said in done.err


@pytest.mark.slow
@pytest.mark.parametrize("architectures", [5, [5], {"a": 1}])
def test_architectures_that_are_no_names_are_one_line(
    architectures: Any, tmp_path: Path, texts: list[str], call: Call
) -> None:
    folder, data = saved("gpt2", wordpiece(texts), tmp_path / "model"), tmp_path / "set.jsonl"
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "architectures": architectures}))
    bg.write_jsonl(bg.generate("transitive", n=2), data)
    done = call("verify", data, "--model", folder, "-o", tmp_path / "out")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), done.err
    assert "architectures" in done.err


@pytest.mark.slow
def test_what_a_file_of_a_model_makes_others_print_reaches_no_terminal(
    tmp_path: Path, texts: list[str], call: Call
) -> None:
    folder, data = saved("gpt2", wordpiece(texts), tmp_path / "model"), tmp_path / "set.jsonl"
    path = folder / "tokenizer.json"
    words = json.loads(path.read_text())
    words["added_tokens"][0] |= {"\x1b[31mred": True}
    path.write_text(json.dumps(words))
    bg.write_jsonl(bg.generate("transitive", n=2), data)
    done = call("verify", data, "--model", folder, "-o", tmp_path / "out")
    assert "\x1b" not in done.out + done.err


@pytest.mark.slow
def test_a_tokenizer_whose_code_gives_up_is_one_line(tmp_path: Path, texts: list[str], call: Call) -> None:
    folder, data = saved("gpt2", wordpiece(texts), tmp_path / "model"), tmp_path / "set.jsonl"
    path = folder / "tokenizer.json"
    piece = {"Sequence": {"id": "B", "type_id": 0}}  # the second of two texts, where there is one
    template = {"type": "TemplateProcessing", "single": [piece], "pair": [piece], "special_tokens": {}}
    path.write_text(json.dumps({**json.loads(path.read_text()), "post_processor": template}))
    bg.write_jsonl(bg.generate("transitive", n=2), data)
    done = call("verify", data, "--model", folder, "-o", tmp_path / "out")
    assert (done.code, done.out, done.err.count("\n")) == (1, "", 1), done.err
    assert "its tokenizer is damaged" in done.err
