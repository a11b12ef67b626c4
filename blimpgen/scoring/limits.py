"""What a model of transformers takes: how many tokens at once, and which."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from blimpgen.base.errors import DataError, first_line
from blimpgen.scoring.scores import Unscored

__all__ = ["Limits", "each_or_reason", "limits_of"]

T = TypeVar("T")


@dataclass(frozen=True)
class Limits:
    """What a model takes.

    Attributes:
        length: tokens at once, special ones among them; None: no limit that is known.
        vocabulary: tokens that it has vectors of; None: it has them of all, or that is not known.
    """

    length: int | None
    vocabulary: int | None

    def refusal(self, tokens: Sequence[int]) -> Unscored | None:
        """Say why the model does not take a sequence of tokens; None if it does."""
        if self.length is not None and len(tokens) > self.length:
            return Unscored(f"{len(tokens)} tokens, but the model takes {self.length}")
        if self.vocabulary is not None and max(tokens, default=0) >= self.vocabulary:
            return Unscored(
                f"token number {max(tokens)} of the tokenizer is not one of the {self.vocabulary} of the model"
            )
        return None


def limits_of(model: Any, tokenizer: Any) -> Limits:
    """Return what a model takes.

    Args:
        model: of transformers.
        tokenizer: that it is used with.

    Raises:
        DataError: the tokenizer has more tokens than the model.
    """
    length = getattr(model.config, "max_position_embeddings", None)
    for name, module in model.named_modules():
        # RoBERTa and its relatives count positions from the one behind the padding.
        if name.endswith("position_embeddings") and getattr(module, "padding_idx", None) is not None:
            length = module.num_embeddings - module.padding_idx - 1
    vectors = model.get_input_embeddings()
    vocabulary = getattr(vectors, "num_embeddings", None)
    if vocabulary is not None and tokenizer.vocab_size > vocabulary:
        raise DataError(
            f"the tokenizer has {tokenizer.vocab_size} tokens, but the model {vocabulary}; "
            "take the tokenizer that the model was trained with"
        )
    if vocabulary is not None and max(tokenizer.get_vocab().values(), default=0) < vocabulary:
        vocabulary = None
    return Limits(length, vocabulary)


def each_or_reason(encode: Callable[[list[str]], list[T]], texts: list[str]) -> list[T | Unscored]:
    """Encode sentences; those that the tokenizer cannot read get the reason instead.

    Args:
        encode: from sentences to one result each.
        texts: the sentences.
    """
    try:
        return [*encode(texts)]
    except Exception as error:  # What the library tokenizers raises has no class of its own.
        if len(texts) == 1:
            return [Unscored(f"the tokenizer cannot read it: {first_line(error)}")]
    return [each for text in texts for each in each_or_reason(encode, [text])]
