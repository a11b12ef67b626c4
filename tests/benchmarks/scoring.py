"""How fast pairs are scored: ``python -m tests.benchmarks.scoring``, against minicons and a length-sorted padded loop.

All three score the same pairs with the same random model in one process; what counts are the ratios. On a CPU they are
of CPU seconds with one thread, so that a busy machine disturbs them little, and the three take turns, batch by batch,
so that what disturbs one disturbs all. On a GPU they are of wall-clock seconds, and each works in one piece, because it
counts what is done while it computes. A data set that would take hours is sampled: ``--every K`` has each of them score
every K-th of its batches, on a GPU minicons alone, and multiplies the seconds.

Each is used as its users would use it, with as many tokens a batch: minicons gets the sentences in the order of the
files and as many at once as fit if all were as long as the longest one; the loop gets them sorted by length; blimpgen
is called as ``blimpgen verify`` calls it. Reading the tokens of sentences is part of the work of each.
"""

from __future__ import annotations

import argparse
import gc
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias

import torch
from minicons.scorer import IncrementalLMScorer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

import blimpgen as bg
from blimpgen.scoring.causal import CausalScorer
from blimpgen.scoring.judge import Policy, judge_ranges
from blimpgen.scoring.pair_table import CHUNK
from blimpgen.scoring.reading import Comparison, to_comparisons
from blimpgen.scoring.scores import Unscored

SIZES = {"tiny": (64, 2, 2), "small": (768, 12, 12), "medium": (1024, 24, 16), "large": (1280, 36, 20)}
END = "<|endoftext|>"
TOLERANCE = {"float32": 1e-4}
_WARM = 16


@dataclass(frozen=True)
class Setting:
    """What is measured: the pairs, the model, the tokenizer, and how many tokens go into the model at once."""

    comparisons: list[Comparison]
    model: Any
    tokenizer: Any
    batch_tokens: int
    device: torch.device

    @cached_property
    def texts(self) -> list[str]:
        """Good and bad sentences in turn."""
        return [text for c in self.comparisons for text in (c.good, c.bad)]

    @cached_property
    def ids(self) -> list[list[int]]:
        """Their tokens, after the start token."""
        found = self.tokenizer(self.texts, add_special_tokens=False)["input_ids"]
        return [[self.tokenizer.bos_token_id, *numbers] for numbers in found]


Batch: TypeAlias = "list[int]"
"""Numbers of sentences."""


@dataclass(frozen=True)
class Way:
    """A way to score: its batches, and what gives the scores of some of them."""

    batches: list[Batch]
    score: Callable[[list[Batch]], list[list[float]]]


def comparisons_of(pairs: int, paradigms: int) -> list[Comparison]:
    """Pairs of paradigms spread over the suite."""
    uids = bg.list_paradigms(suite="blimp")
    step = max(1, len(uids) // paradigms)
    records = [record for uid in uids[::step][:paradigms] for record in bg.generate(uid, n=pairs)]
    return [c for record in records for c in to_comparisons(record)]


def tokenizer_of(texts: list[str]) -> Any:
    """A byte-level BPE of these sentences, as GPT-2 has one."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=50_257, special_tokens=[END], initial_alphabet=alphabet)
    tokenizer.train_from_iterator(texts, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=END, eos_token=END, pad_token=END)


def model_of(size: str, dtype: str, device: torch.device) -> Any:
    """A random GPT-2."""
    width, layers, heads = SIZES[size]
    torch.manual_seed(0)
    config = GPT2Config(n_embd=width, n_layer=layers, n_head=heads, bos_token_id=0, eos_token_id=0)
    return GPT2LMHeadModel(config).to(device=device, dtype=getattr(torch, dtype)).eval()


@contextmanager
def _garbage_collected_seldom() -> Iterator[None]:
    """As the command line does."""
    before = gc.get_threshold()
    gc.set_threshold(200_000, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def ours(setting: Setting) -> Way:
    """Blimpgen, in the order and the portions of `blimpgen verify`."""
    scorer = CausalScorer(setting.model, setting.tokenizer, batch_tokens=setting.batch_tokens)
    order = sorted(range(len(setting.comparisons)), key=lambda k: setting.comparisons[k].good)
    portions = [order[k : k + CHUNK] for k in range(0, len(order), CHUNK)]

    def score(batches: list[Batch]) -> list[list[float]]:
        parts = ([setting.comparisons[k // 2] for k in numbers[::2]] for numbers in batches)
        with _garbage_collected_seldom():
            judged = judge_ranges(parts, scorer, Policy(("full",), strict=True))
            scored = ([items for items in rows if not isinstance(items, Unscored)] for rows in judged)
            return [[lp for (item,) in rows for lp in (item.lp_good, item.lp_bad)] for rows in scored]

    return Way([[number for k in portion for number in (2 * k, 2 * k + 1)] for portion in portions], score)


def padded(setting: Setting) -> Way:
    """A loop over batches of sentences sorted by length, as many people write it."""
    ids = setting.ids
    order = sorted(range(len(ids)), key=lambda k: len(ids[k]))

    def score_batch(numbers: Batch) -> list[float]:
        read = setting.tokenizer([setting.texts[k] for k in numbers], add_special_tokens=False)["input_ids"]
        batch = [[setting.tokenizer.bos_token_id, *each] for each in read]
        longest = max(map(len, batch))
        tokens = torch.tensor([row + [0] * (longest - len(row)) for row in batch], device=setting.device)
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in batch], device=setting.device)
        with torch.inference_mode():
            logprobs = setting.model(input_ids=tokens, attention_mask=mask).logits[:, :-1].float().log_softmax(-1)
            values = logprobs.gather(-1, tokens[:, 1:, None])[..., 0] * mask[:, 1:]
        found: list[float] = values.sum(-1).tolist()
        return found

    batches, start = [], 0
    while start < len(order):
        size = max(1, setting.batch_tokens // len(ids[order[min(start + 63, len(order) - 1)]]))
        batches.append(order[start : start + size])
        start += size
    return Way(batches, lambda batches: [*map(score_batch, batches)])


def minicons(setting: Setting) -> Way:
    """Sums of `sequence_score` of minicons."""
    scorer = IncrementalLMScorer(setting.model, setting.device, tokenizer=setting.tokenizer)
    size = max(1, setting.batch_tokens // max(map(len, setting.ids)))

    def score_batch(numbers: Batch) -> list[float]:
        found: list[float] = scorer.sequence_score(
            [setting.texts[k] for k in numbers], bos_token=True, reduction=lambda x: x.sum(0).item()
        )
        return found

    count = len(setting.texts)
    batches = [list(range(k, min(k + size, count))) for k in range(0, count, size)]
    return Way(batches, lambda batches: [*map(score_batch, batches)])


def seconds_of(work: Callable[[], list[list[float]]], device: torch.device) -> tuple[float, list[list[float]]]:
    """Seconds, and the scores."""
    clock = time.perf_counter if device.type == "cuda" else time.process_time
    if device.type == "cuda":
        torch.cuda.synchronize()
    start = clock()
    found = work()
    if device.type == "cuda":
        torch.cuda.synchronize()
    return clock() - start, found


def measured(setting: Setting, every: int) -> tuple[dict[str, float], dict[str, dict[int, float]]]:
    """Seconds of each way, and its scores by number of the sentence."""
    ways = {"blimpgen": ours(setting), "padded loop": padded(setting), "minicons": minicons(setting)}
    seconds, scores = dict.fromkeys(ways, 0.0), {name: dict[int, float]() for name in ways}
    on_gpu, turns = setting.device.type == "cuda", []
    for name, way in ways.items():
        way.score([way.batches[0][:_WARM]])
        step = 1 if on_gpu and name != "minicons" else every
        taken = way.batches[step // 2 :: step] or way.batches
        size, weight = len(taken) if on_gpu else 1, len(way.batches) / len(taken)
        turns += [(k / len(taken), name, taken[k : k + size], weight) for k in range(0, len(taken), size)]
    for _, name, batches, weight in sorted(turns):
        spent, found = seconds_of(partial(ways[name].score, batches), setting.device)
        seconds[name] += weight * spent
        for numbers, values in zip(batches, found, strict=True):
            scores[name].update(zip(numbers, values, strict=True))
    return seconds, scores


def report(setting: Setting, every: int, dtype: str, peak: float) -> dict[str, Any]:
    """All figures."""
    seconds, scores = measured(setting, every)
    pairs, tokens = len(setting.comparisons), sum(map(len, setting.ids))
    flops = 2 * tokens * sum(p.numel() for p in setting.model.parameters())
    reference = scores["blimpgen"]
    both = {name: [k for k in found if k in reference] for name, found in scores.items()}
    return {
        "device": torch.cuda.get_device_name() if setting.device.type == "cuda" else platform.processor() or "cpu",
        "torch": torch.__version__,
        "dtype": dtype,
        "batch_tokens": setting.batch_tokens,
        "pairs": pairs,
        "tokens": tokens,
        "every": every,
        "seconds": seconds,
        "pairs_per_second": {n: pairs / s for n, s in seconds.items()},
        "ratio_to_blimpgen": {n: s / seconds["blimpgen"] for n, s in seconds.items()},
        "share_of_peak": {n: flops / s / (peak * 1e12) for n, s in seconds.items()} if peak else None,
        "sentences_compared": {n: len(found) for n, found in both.items()},
        "largest_difference": {n: max(abs(scores[n][k] - reference[k]) for k in both[n]) for n in scores},
        "verdicts_that_differ": {n: _verdicts(scores[n], reference) for n in scores},
    }


def _verdicts(a: dict[int, float], b: dict[int, float]) -> int:
    pairs = (k for k in a if k % 2 == 0 and k + 1 in a and k in b and k + 1 in b)
    return sum((a[k] > a[k + 1]) != (b[k] > b[k + 1]) for k in pairs)


def main() -> int:
    """Print the figures; exit with 1 where scores differ in float32."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--pairs", type=int, default=50, help="of each paradigm")
    parser.add_argument("--paradigms", type=int, default=12)
    parser.add_argument("--batch-tokens", type=int, default=None)
    parser.add_argument("--every", type=int, default=1, help="score every K-th batch only")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--peak", type=float, default=0.0, help="of the device in this precision, in TFLOP/s")
    parser.add_argument("--json", type=Path, default=None)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    device = torch.device(arguments.device)
    comparisons = comparisons_of(arguments.pairs, arguments.paradigms)
    batch = arguments.batch_tokens or (1024 if device.type == "cpu" else 16384)
    tokenizer = tokenizer_of([text for c in comparisons for text in (c.good, c.bad)])
    model = model_of(arguments.size, arguments.dtype, device)
    found = report(
        Setting(comparisons, model, tokenizer, batch, device), arguments.every, arguments.dtype, arguments.peak
    )
    text = json.dumps(found, indent=1)
    sys.stdout.write(f"{text}\n")
    if arguments.json:
        arguments.json.write_text(f"{text}\n", encoding="utf-8")
    allowed = TOLERANCE.get(arguments.dtype)
    return int(allowed is not None and max(found["largest_difference"].values()) > allowed)


if __name__ == "__main__":
    sys.exit(main())
