"""The vocabulary of a model of words: a tokenizer that is saved with the model, so that whatever scores the model
divides a sentence as the training text was divided.

A text may be plain (*John's dog doesn't bark.*) or have spaces between its tokens (*John 's dog does n't bark .*), as
corpora have: both give the same words. Unlike the words of the grammar, *n't*, *'s* of *it's* and the like are words of
their own, because corpora separate them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place
from blimpgen.base.extras import require
from blimpgen.english.words import CLITIC_AT_END, MARK_AT_EDGE
from blimpgen.scoring.loading import from_pretrained

__all__ = ["EDGE", "UNKNOWN", "Lines", "encode_lines", "new_tokenizer", "read_lines", "read_tokenizer"]

UNKNOWN, EDGE = "<unk>", "<eos>"
_AT_ONCE = 10_000
_MOST_UNKNOWN = 0.5


@dataclass(frozen=True)
class Lines:
    """The lines of a text as numbers of tokens: item k is the k-th line, an array of int64.

    Attributes:
        tokens: of all lines, one behind the other; each line begins and ends with the edge token.
        starts: where each line begins, and the end.
    """

    tokens: NDArray[np.int32] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, k: int) -> NDArray[np.int64]:
        return self.tokens[self.starts[k] : self.starts[k + 1]].astype(np.int64)

    @property
    def scored(self) -> int:
        """Tokens that are predicted: the words of each line and its end."""
        return len(self.tokens) - len(self)


def read_lines(path: Path) -> Iterator[str]:
    """Read the lines of a text that are not blank.

    Raises:
        DataError: no such file, a line that is not UTF-8, or no line at all.
    """
    any_line = False
    try:
        with path.open("rb") as stream:
            for number, raw in enumerate(stream, start=1):
                try:
                    line = raw.decode("utf-8").strip()
                except UnicodeDecodeError as error:
                    raise DataError(f"not UTF-8: {error.reason}", Place(path, number)) from None
                if line:
                    any_line = True
                    yield line
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", Place(path), "missing-file") from None
    if not any_line:
        raise DataError("no line of text", Place(path))


def new_tokenizer(lines: Iterable[str], words: int, positions: int) -> Any:
    """Make a tokenizer of the most frequent words of a text, an unknown word, and the edge of a line.

    Args:
        lines: the text.
        words: at most so many words.
        positions: tokens that the model takes at once.

    Raises:
        UsageError: tokenizers or transformers is not installed.
    """
    tokenizers, transformers = (require(name, "studies") for name in ("tokenizers", "transformers"))
    split = [
        tokenizers.pre_tokenizers.Split(tokenizers.Regex(pattern), behavior="isolated")
        for pattern in (MARK_AT_EDGE, CLITIC_AT_END)
    ]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Sequence([tokenizers.pre_tokenizers.WhitespaceSplit(), *split])
    special = [UNKNOWN, EDGE]
    trainer = tokenizers.trainers.WordLevelTrainer(
        vocab_size=words + len(special), special_tokens=special, show_progress=False
    )
    tokenizer.train_from_iterator(lines, trainer)
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        unk_token=UNKNOWN,
        bos_token=EDGE,
        eos_token=EDGE,
        pad_token=EDGE,
        model_max_length=positions,
    )


def read_tokenizer(folder: Path, positions: int) -> Any:
    """Read the tokenizer of a model that was trained before.

    Args:
        folder: the model.
        positions: tokens that the model takes at once.

    Raises:
        DataError: there is none, or not one of words.
    """
    tokenizer = from_pretrained("AutoTokenizer", str(folder), model_max_length=positions)
    if (tokenizer.unk_token, tokenizer.bos_token, tokenizer.eos_token) != (UNKNOWN, EDGE, EDGE):
        raise DataError("not the vocabulary of a model that blimpgen trained", Place(folder))
    return tokenizer


def encode_lines(path: Path, tokenizer: Any, positions: int) -> Lines:
    """Encode the lines of a text.

    Args:
        path: the text.
        tokenizer: of the model.
        positions: longer lines are cut to so many tokens.

    Raises:
        DataError: no line, a line that is not UTF-8, or a vocabulary that is not that of the text.
    """
    parts: list[NDArray[np.int32]] = []
    lengths: list[int] = []
    edge = tokenizer.eos_token_id
    for lines in _portions(read_lines(path)):
        for numbers in tokenizer(lines, add_special_tokens=False, return_attention_mask=False)["input_ids"]:
            parts.append(np.array([edge, *numbers[: positions - 2], edge], dtype=np.int32))
            lengths.append(len(parts[-1]))
    tokens = np.concatenate(parts)
    words = tokens[tokens != edge]
    unknown = float(np.mean(words == tokenizer.unk_token_id)) if len(words) else 0.0
    if unknown > _MOST_UNKNOWN:
        what = f"the vocabulary does not fit: {unknown:.0%} of the words are not in it"
        raise DataError(f"{what}; name another with --vocabulary, or more `words` in the architecture", Place(path))
    return Lines(tokens, np.cumsum([0, *lengths]))


def _portions(lines: Iterator[str]) -> Iterator[Sequence[str]]:
    portion: list[str] = []
    for line in lines:
        portion.append(line)
        if len(portion) == _AT_ONCE:
            yield portion
            portion = []
    if portion:
        yield portion
