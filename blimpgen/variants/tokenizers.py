"""Tokenizers: how many tokens a text has, and whether one of them is the unknown token.

A tokenizer is a ``tokenizer.json``, a folder that holds one, or a name or folder that the library transformers knows.
No code that comes with a tokenizer is run.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.english.words import CARRIER
from blimpgen.variants.record import TokenizerRef

__all__ = ["Tokenizer", "load_tokenizer", "referred", "tokenizer_ref"]


class Tokenizer:
    """A tokenizer of some library behind two questions.

    Args:
        encode: token ids of each of some texts, without special tokens.
        unknown: the id of the unknown token, if it has one.
        description: what decides its tokens, for its hash.
    """

    def __init__(self, encode: Callable[[list[str]], list[list[int]]], unknown: int | None, description: str) -> None:
        self.encode, self.unknown = encode, unknown
        self.sha256 = hashlib.sha256(description.encode()).hexdigest()
        self.word = lru_cache(maxsize=None)(self._word)

    def counts(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each text has."""
        return [len(ids) for ids in self.encode(list(texts))]

    def unknowns(self, texts: Sequence[str]) -> list[bool]:
        """Whether each text has an unknown token."""
        return [self.unknown in ids for ids in self.encode(list(texts))]

    def _word(self, text: str) -> int:
        """How many tokens a word has inside a sentence, after a space."""
        with_word, alone = self.counts([f"{CARRIER} {text.strip()}", CARRIER])
        return with_word - alone


def load_tokenizer(name: str) -> Tokenizer:
    """Load a tokenizer.

    Args:
        name: a ``tokenizer.json``, a folder with one, or what transformers can load.

    Raises:
        DataError: there is none. UsageError: the library that it needs is not installed.
    """
    path = Path(name)
    file = path / "tokenizer.json" if path.is_dir() else path
    return _from_file(file) if file.is_file() else _from_transformers(name)


def _from_file(path: Path) -> Tokenizer:
    try:
        from tokenizers import Tokenizer as Fast
    except ImportError:
        what = "a tokenizer needs the library tokenizers, which is not installed"
        raise UsageError(f"{what}; type: pip install 'blimpgen[score]'") from None
    try:
        fast = Fast.from_file(str(path))
    except Exception as error:  # the library raises bare exceptions
        raise DataError(f"not a tokenizer: {error}", Place(path)) from None
    return _fast(fast)


def _fast(fast: Any) -> Tokenizer:
    description = fast.to_str()
    model = json.loads(description)["model"]
    unknown = model.get("unk_id")
    if unknown is None and model.get("unk_token"):
        unknown = fast.token_to_id(model["unk_token"])
    return Tokenizer(
        lambda texts: [e.ids for e in fast.encode_batch(texts, add_special_tokens=False)], unknown, description
    )


def _from_transformers(name: str) -> Tokenizer:
    try:
        from transformers import AutoTokenizer
    except ImportError:
        raise UsageError(f"{name} is no file; a tokenizer by name needs the library transformers") from None
    try:
        tokenizer = AutoTokenizer.from_pretrained(name, trust_remote_code=False)
    except (OSError, ValueError) as error:
        what = f"no such file or folder, and no tokenizer for transformers: {str(error).splitlines()[0]}"
        raise DataError(
            what if not Path(name).exists() else f"no tokenizer: {str(error).splitlines()[0]}", Place(name)
        ) from None
    if getattr(tokenizer, "is_fast", False):
        return _fast(tokenizer.backend_tokenizer)
    description = json.dumps(sorted(tokenizer.get_vocab().items()))
    return Tokenizer(
        lambda texts: [tokenizer.encode(t, add_special_tokens=False) for t in texts],
        tokenizer.unk_token_id,
        description,
    )


_loaded: dict[TokenizerRef, Tokenizer] = {}


def tokenizer_ref(name: str) -> TokenizerRef:
    """A reference to a tokenizer as it is now."""
    tokenizer = load_tokenizer(name)
    reference = TokenizerRef(name=name, sha256=tokenizer.sha256)
    _loaded[reference] = tokenizer
    return reference


def referred(reference: TokenizerRef) -> Tokenizer:
    """The tokenizer of a reference, loaded once.

    Raises:
        DataError: it is another than the one that the set was made with.
    """
    if reference not in _loaded:
        tokenizer = load_tokenizer(reference.name)
        if tokenizer.sha256 != reference.sha256:
            raise DataError("not the tokenizer that the set was made with", Place(reference.name))
        _loaded[reference] = tokenizer
    return _loaded[reference]
