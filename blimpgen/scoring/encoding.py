"""Sentences to token numbers: start and end tokens said explicitly, characters of tokens, which tokens begin a word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from typing import Any, Literal, NamedTuple, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import UsageError
from blimpgen.scoring.limits import each_or_reason
from blimpgen.scoring.scores import Span, Unscored

__all__ = ["Bos", "Encoded", "Encoder", "Spans"]

Bos: TypeAlias = Literal["auto", "yes", "no"]

# How byte-level BPE, SentencePiece and tokenizers of characters write the space or line break that begins a word.
_SPACES = "ĠĊĉ▁ \n\t"
_INSIDE = "'’-"
_WORDPIECE = "##"
_END_OF_WORD = "</w>"


@dataclass(frozen=True)
class Spans(Sequence[Span]):
    """The characters of the tokens of a sentence, read when somebody looks at them.

    Attributes:
        text: the sentence.
        encoding: of the tokenizers library; None: the tokenizer does not know them, and there are none.
        offset: characters that stand before the sentence.
        special: how many tokens stand before and after those of the encoding: (0, 0) of the start token, the length
            twice of the end token.
        first: number of the first of the tokens that is looked at.
    """

    text: str
    encoding: Any
    offset: int
    special: tuple[int, int]
    first: int = 1

    @cached_property
    def _all(self) -> list[Span]:
        if self.encoding is None:
            return []
        before, after = self.special
        inside = [(max(0, a - self.offset), max(0, b - self.offset)) for a, b in self.encoding.offsets]
        return [*[(0, 0)] * before, *inside, *[(len(self.text),) * 2] * after][self.first :]

    @overload
    def __getitem__(self, index: int) -> Span: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Span]: ...

    def __getitem__(self, index: int | slice) -> Span | Sequence[Span]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)


class Encoded(NamedTuple):
    """A sentence as a sequence of token numbers.

    Attributes:
        tokens: with start and end token, if there are any.
        spans: characters of each token but the first, which nothing conditions, so that it has no score.
    """

    tokens: tuple[int, ...]
    spans: Spans

    def upto(self, position: int) -> int | None:
        """How many tokens stand before a character position; None if a token lies across it."""
        spans = replace(self.spans, first=0)
        for k in range(len(spans), 0, -1):
            start, end = spans[k - 1]
            if end <= position:
                return k
            if start < position:
                return None
        return None


class Encoder:
    """A tokenizer with its start and end token.

    Args:
        tokenizer: of transformers.
        bos: auto: the start token, else the end token in its place, else none; yes: refuse a tokenizer without one.
        eos: put the end token behind the sentence and score it.
        leading_space: put a space before the sentence.

    Raises:
        UsageError: the tokenizer has not the token that is asked for.
    """

    def __init__(self, tokenizer: Any, *, bos: Bos = "auto", eos: bool = False, leading_space: bool = False) -> None:
        self.tokenizer, self.offset = tokenizer, int(leading_space)
        self._fast = bool(getattr(tokenizer, "is_fast", False))
        start = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else tokenizer.eos_token_id
        if bos == "yes" and start is None:
            raise UsageError("--bos yes: the tokenizer has neither a start nor an end token; use --bos no")
        if eos and tokenizer.eos_token_id is None:
            raise UsageError("--eos yes: the tokenizer has no end token; use --eos no")
        self.bos: int | None = None if bos == "no" else start
        self.eos: int | None = tokenizer.eos_token_id if eos else None

    def name(self, token: int | None) -> str | None:
        """How a token is written."""
        return None if token is None else str(self.tokenizer.convert_ids_to_tokens(token))

    def encode(self, texts: Sequence[str]) -> list[Encoded | Unscored]:
        """Encode sentences as tokens; one that the tokenizer cannot read gets the reason instead."""
        return each_or_reason(self._encoded, [*texts])

    def _encoded(self, texts: list[str]) -> list[Encoded]:
        padded = [" " * self.offset + text for text in texts] if self.offset else texts
        output = self.tokenizer(padded, add_special_tokens=False, return_attention_mask=False)
        start = () if self.bos is None else (self.bos,)
        end = () if self.eos is None else (self.eos,)
        special = len(start), len(end)
        return [
            Encoded((*start, *ids, *end), Spans(text, encoding, self.offset, special))
            for text, ids, encoding in zip(texts, output["input_ids"], output.encodings or repeat(None), strict=False)
        ]

    @cached_property
    def word_starts(self) -> NDArray[np.bool_] | None:
        """Which tokens say that the word before them has ended: those that begin a word, marks, special tokens.

        None if the tokenizer does not mark where words begin, so that its tokens are words or end with them, or if it
        is not a fast one, which does not know the characters of its tokens.
        """
        if not self._fast:
            return None
        tokens = self.tokenizer.convert_ids_to_tokens(list(range(len(self.tokenizer))))
        special = set(self.tokenizer.all_special_tokens)
        names = [token or "" for token in tokens]
        if any(name.endswith(_END_OF_WORD) for name in names):
            return None
        if any(name.startswith(_WORDPIECE) and len(name) > len(_WORDPIECE) for name in names):
            return np.array([name in special or not name.startswith(_WORDPIECE) for name in names])
        if not any(name and name[0] in _SPACES and name not in special for name in names):
            return None
        return np.array([name in special or (bool(name) and _begins(name[0])) for name in names])


def _begins(first: str) -> bool:
    return first in _SPACES or not (first.isalnum() or first in _INSIDE)
