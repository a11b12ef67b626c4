"""Tiny models and tokenizers, built in the test that uses them: nothing is downloaded."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

needs_torch = pytest.mark.skipif(
    not (find_spec("torch") and find_spec("transformers")),
    reason="torch or transformers is not installed: pip install 'blimpgen[score]'",
)


@cache
def _package(name: str) -> Any:
    package = import_module(name)
    if name == "torch":
        # These models are so small that a second thread only waits, for long on a busy machine.
        package.set_num_threads(1)
    return package


class _Later:
    """A package that is imported when a test uses it: collecting the tests, which looks for marks, does not need it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith(("_", "pytest")):
            raise AttributeError(name)
        return getattr(_package(self._name), name)


torch, transformers, tokenizers = map(_Later, ("torch", "transformers", "tokenizers"))

END = "<|endoftext|>"
SIZE = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2}
# Wide enough that scores of sentences differ by more than rounding.
SPREAD = 0.3


def byte_level(texts: list[str], size: int = 400) -> Any:
    """A tokenizer that writes the space before a word as part of its first token, as GPT-2's."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    tokenizer.train_from_iterator(
        texts,
        tokenizers.trainers.BpeTrainer(
            vocab_size=size,
            special_tokens=[END],
            initial_alphabet=tokenizers.pre_tokenizers.ByteLevel.alphabet(),
            show_progress=False,
        ),
    )
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=END, eos_token=END)


def metaspace(texts: list[str], size: int = 400) -> Any:
    """A tokenizer that writes it as a mark, also before the first word, and adds a start token, as Llama's."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    tokenizer.decoder = tokenizers.decoders.Metaspace()
    tokenizer.train_from_iterator(
        texts,
        tokenizers.trainers.BpeTrainer(vocab_size=size, show_progress=False, special_tokens=["<unk>", "<s>", "</s>"]),
    )
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>", unk_token="<unk>"
    )


def words(texts: list[str], size: int = 2000) -> Any:
    """A tokenizer of whole words, which marks no spaces and has no start token."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token="<unk>"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.train_from_iterator(
        texts,
        tokenizers.trainers.WordLevelTrainer(vocab_size=size, show_progress=False, special_tokens=["<unk>", "</s>"]),
    )
    return transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>", unk_token="<unk>")


def wordpiece(texts: list[str], size: int = 300) -> Any:
    """A tokenizer with a mask, as BERT's."""
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = tokenizers.normalizers.Lowercase()
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(
        texts, tokenizers.trainers.WordPieceTrainer(vocab_size=size, special_tokens=special, show_progress=False)
    )
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="[PAD]",
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        mask_token="[MASK]",
    )


TOKENIZERS = {"byte_level": byte_level, "metaspace": metaspace, "words": words}


def model(kind: str, vocabulary: int, *, positions: int = 64, spread: float = SPREAD, seed: int = 0) -> Any:
    """A random model: gpt2 has absolute positions, gpt_neox and llama rotary ones, bloom linear biases."""
    torch.manual_seed(seed)
    edges = {"bos_token_id": 0, "eos_token_id": 0, "pad_token_id": 0}
    shared = {"vocab_size": vocabulary, "max_position_embeddings": positions, "initializer_range": spread, **SIZE}
    configs = {
        "gpt2": lambda: (
            "GPT2LMHeadModel",
            transformers.GPT2Config(
                vocab_size=vocabulary,
                n_positions=positions,
                n_embd=32,
                n_layer=2,
                n_head=2,
                initializer_range=spread,
                **edges,
            ),
        ),
        "gpt_neox": lambda: ("GPTNeoXForCausalLM", transformers.GPTNeoXConfig(intermediate_size=64, **shared, **edges)),
        "llama": lambda: ("LlamaForCausalLM", transformers.LlamaConfig(intermediate_size=64, **shared, **edges)),
        "bloom": lambda: (
            "BloomForCausalLM",
            transformers.BloomConfig(
                vocab_size=vocabulary, hidden_size=32, n_layer=2, n_head=2, initializer_range=spread, **edges
            ),
        ),
        "bert": lambda: ("BertForMaskedLM", transformers.BertConfig(intermediate_size=64, **shared)),
    }
    name, config = configs[kind]()
    return getattr(transformers, name)(config).eval()


def saved(kind: str, tokenizer: Any, folder: Path, **options: Any) -> Path:
    """A random model with its tokenizer as a folder."""
    model(kind, len(tokenizer), **options).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
