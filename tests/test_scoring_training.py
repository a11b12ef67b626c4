"""What is measured is grammar: a tiny model is at chance before it has seen good sentences, and not after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import blimpgen as bg
from blimpgen.scoring.causal import CausalScorer
from blimpgen.scoring.judge import Policy, judge
from blimpgen.scoring.reading import Comparison, read_comparisons
from blimpgen.scoring.run import verify
from blimpgen.variants.record import Variant
from tiny_models import needs_torch, torch, transformers, words

AGREEMENT = ("determiner_noun_agreement_1", "regular_plural_subject_verb_agreement_1")
SEEN = 3


@cache
def common() -> bg.Library:
    """The frequent words alone, so that a tiny model sees each of them often."""
    return bg.load_library().varied(Variant(zipf=(4.3, 8.0)))


def good_sentences(uid: str, n: int) -> list[str]:
    return [pair.good for pair in bg.generate(uid, n=n, seed=1, library=common()) if isinstance(pair, bg.MinimalPair)]


def seen_pairs(training: list[str], folder: Path) -> list[Comparison]:
    """New pairs of the paradigms whose words were all seen, a few times each."""
    counts = Counter(word for sentence in training for word in sentence.rstrip(".").split())
    for uid in AGREEMENT:
        bg.write_jsonl(bg.generate(uid, n=600, seed=0, library=common()), folder / f"{uid}.jsonl")
    known = set(training)
    return [
        c
        for c in read_comparisons(folder)
        if c.good not in known
        and all(counts[word] >= SEEN for text in (c.good, c.bad) for word in text.rstrip(".").split())
    ]


def steps(rows: list[list[int]], epochs: int, size: int) -> Iterator[Any]:
    """Batches of sentences of like length, in a random order."""
    order = torch.Generator().manual_seed(0)
    rows = sorted(rows, key=len)
    for _ in range(epochs):
        for start in torch.randperm((len(rows) + size - 1) // size, generator=order).tolist():
            batch = rows[start * size : (start + 1) * size]
            longest = max(map(len, batch))
            yield torch.tensor([row + [-100] * (longest - len(row)) for row in batch])


@needs_torch
@pytest.mark.slow
def test_a_model_learns_agreement_and_flipped_labels_are_flagged(tmp_path: Path) -> None:
    training = [text for uid in AGREEMENT for text in good_sentences(uid, 5000)]
    made = seen_pairs(training, tmp_path)
    assert min(Counter(c.uid for c in made)[uid] for uid in AGREEMENT) > 200
    tokenizer = words(training, size=20_000)
    torch.manual_seed(0)
    network = transformers.GPT2LMHeadModel(
        transformers.GPT2Config(
            vocab_size=len(tokenizer),
            n_embd=64,
            n_layer=2,
            n_head=2,
            n_positions=64,
            resid_pdrop=0,
            embd_pdrop=0,
            attn_pdrop=0,
            bos_token_id=1,
            eos_token_id=1,
        )
    )
    scorer = CausalScorer(network, tokenizer)

    def accuracies() -> dict[str, float]:
        summary = verify(made, scorer, data="d", policy=Policy(("full",))).summary.methods["full"]
        return {uid: group.accuracy for uid, group in summary.paradigms.items()}

    before = accuracies()
    assert all(0.35 < accuracy < 0.65 for accuracy in before.values()), before
    rows = [[1, *ids, 1] for ids in tokenizer(training)["input_ids"]]
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3)
    network.train()
    for labels in steps(rows, epochs=6, size=64):
        loss = network(input_ids=labels.clamp(min=0), labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    after = accuracies()
    assert all(accuracy > 0.85 for accuracy in after.values()), after
    flipped = [Comparison(c.uid, c.pair_id, c.bad, c.good, c.field, c.term, {}) for c in made]
    assert sum(i.correct for i in judge(flipped, scorer)) < len(flipped) / 2
    paradigms = verify(flipped, scorer, data="d").summary.methods["full"].paradigms
    assert all("below chance: the labels or the sign may be flipped" in g.flags for g in paradigms.values())
