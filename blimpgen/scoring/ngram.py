"""N-gram models: those of KenLM, and smaller ones that are trained on the spot from a text file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.extras import require
from blimpgen.english.words import spans_of_words_and_marks
from blimpgen.scoring.loading import fingerprint
from blimpgen.scoring.scores import Identity, TokenScores

__all__ = ["KenlmScorer", "NgramScorer", "ngram_lm"]

Numbers: TypeAlias = NDArray[np.int64]

_KENLM = (".arpa", ".bin", ".binary", ".klm", ".mmap")
_START, _END, _UNKNOWN = "<s>", "</s>", "<UNK>"


def _identity(path: Path, order: int, bos: bool, eos: bool) -> Identity:
    marks = (_START if bos else None), (_END if eos else None)
    return Identity(
        str(path), "ngram", revision=fingerprint(path), bos=marks[0], eos=marks[1], versions={"order": str(order)}
    )


class KenlmScorer:
    """Scores sentences with a model of KenLM; words and marks are tokens, as `spans_of_words_and_marks` divides them.

    Args:
        path: an ARPA or binary file.
        bos, eos: whether the start of the sentence is context, and whether its end is scored.

    Raises:
        UsageError: kenlm is not installed. DataError: no such file, or none of KenLM.
    """

    def __init__(self, path: Path, *, bos: bool = True, eos: bool = False) -> None:
        kenlm = require("kenlm", "ngram", hint="; it is built from source. A model from a text file needs no kenlm")
        try:
            self._model = kenlm.Model(str(path))
        except (OSError, RuntimeError) as error:
            raise DataError(f"not a model of KenLM: {str(error).splitlines()[0]}", Place(path)) from None
        self._bos, self._eos = bos, eos
        self.identity = _identity(path, self._model.order, bos, eos)

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """The scores of sentences, in their order."""
        return [self._score(text) for text in texts]

    def _score(self, text: str) -> TokenScores:
        spans = spans_of_words_and_marks(text)
        joined = " ".join(word for word, _ in spans)
        logs = [math.log(10) * log for log, _, _ in self._model.full_scores(joined, bos=self._bos, eos=self._eos)]
        return TokenScores(logs, [*(span for _, span in spans), *[(len(text), len(text))] * self._eos])


class NgramScorer:
    """Scores sentences with an n-gram model that is trained from a text file, by Witten and Bell's smoothing (1991).

    Args:
        path: plain text, one sentence a line.
        order: how many words an n-gram has.
        bos, eos: whether the start of the sentence is context, and whether its end is scored.

    Raises:
        DataError: no such file, or no text in it.
    """

    def __init__(self, path: Path, *, order: int = 3, bos: bool = True, eos: bool = False) -> None:
        # One sentence of an unknown word, so that an unknown word is unlikely and not impossible.
        self._counts = _Counts([*_lines(path), [_UNKNOWN]], order)
        self._start = [_START] * (order - 1) if bos else []
        self._eos = eos
        self.identity = _identity(path, order, bos, eos)

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """Score sentences, in their order."""
        divided = [[*spans_of_words_and_marks(text), *[(_END, (len(text), len(text)))] * self._eos] for text in texts]
        logprobs = self._counts.logprobs([[*self._start, *(word for word, _ in words)] for words in divided])
        first = len(self._start)
        return [
            TokenScores(values[first:].tolist(), [span for _, span in words])
            for values, words in zip(logprobs, divided, strict=True)
        ]


class _Counts:
    """The n-grams of a text, counted, as sorted arrays.

    An n-gram has a number, its row among the n-grams of its length; it is found by its *key*, the number of what stands
    before its last word and that word.

    Args:
        sentences: words.
        order: the length of the longest n-grams.
    """

    def __init__(self, sentences: Sequence[Sequence[str]], order: int) -> None:
        self._order = order
        self._numbers = {_UNKNOWN: 0}
        edges = [_START] * (order - 1), [_END] * (order - 1)
        tokens, starts = self._tokens([[*edges[0], *words, *edges[1]] for words in sentences], grow=True)
        counts = np.bincount(tokens, minlength=len(self._numbers))
        self._unigrams = np.log(np.maximum(counts, 1) / counts.sum())
        self._levels: list[_Level] = []
        ids = tokens.copy()
        for _ in range(1, order):
            before = self._before(ids, starts)
            seen = before >= 0
            keys, inverse, frequency = np.unique(
                before[seen] * len(self._numbers) + tokens[seen], return_inverse=True, return_counts=True
            )
            contexts = keys // len(self._numbers)
            size = int(ids.max()) + 1
            self._levels.append(
                _Level(
                    keys,
                    frequency,
                    np.bincount(contexts, weights=frequency, minlength=size).astype(np.float64),
                    np.bincount(contexts, minlength=size).astype(np.float64),
                )
            )
            ids = np.full(len(tokens), -1)
            ids[seen] = inverse

    def _tokens(self, sentences: Sequence[Sequence[str]], *, grow: bool = False) -> tuple[Numbers, Numbers]:
        """Return the numbers of all words, and where each sentence begins."""
        numbers = self._numbers
        if grow:
            for words in sentences:
                for word in words:
                    numbers.setdefault(word, len(numbers))
        tokens = np.fromiter((numbers.get(word, 0) for words in sentences for word in words), dtype=np.int64)
        lengths = np.fromiter(map(len, sentences), dtype=np.int64, count=len(sentences))
        return tokens, np.cumsum(lengths) - lengths

    @staticmethod
    def _before(ids: Numbers, starts: Numbers) -> Numbers:
        """Return the n-gram that ends before each token; -1 at the beginning of a sentence."""
        before = np.roll(ids, 1)
        before[starts[starts < len(ids)]] = -1
        return before

    def logprobs(self, sentences: Sequence[Sequence[str]]) -> list[NDArray[np.float64]]:
        """Return the log-probability of each word given at most order - 1 words before it.

        Each length of the context is interpolated with the shorter one; the weight of the shorter one is the share of
        different words among those seen in the context and these. A context that was not seen says nothing.
        """
        if not sentences:
            return []
        tokens, starts = self._tokens(sentences)
        probability = np.exp(self._unigrams[tokens])
        ids = tokens
        for level in self._levels:
            before = self._before(ids, starts)
            ids = level.find(before, tokens, len(self._numbers))
            total, kinds = (np.where(before >= 0, array[before], 0) for array in (level.totals, level.kinds))
            seen = total > 0
            frequency = np.where(ids >= 0, level.frequency[ids], 0) / np.maximum(total, 1)
            weight = kinds / np.maximum(kinds + total, 1)
            probability = np.where(seen, (1 - weight) * frequency + weight * probability, probability)
        return np.split(np.log(probability), starts[1:])


@dataclass(frozen=True)
class _Level:
    """The n-grams of one length.

    Attributes:
        keys: of the n-grams, ascending.
        frequency: how often each occurs.
        totals: how often something follows each context, by its number among the n-grams that are one shorter.
        kinds: how many different words follow it.
    """

    keys: Numbers
    frequency: Numbers
    totals: NDArray[np.float64]
    kinds: NDArray[np.float64]

    def find(self, before: Numbers, tokens: Numbers, words: int) -> Numbers:
        """Return the numbers of n-grams; -1 for one that was not seen.

        Args:
            before: number of what stands before the last word, shape (n,); -1: nothing that was seen.
            tokens: the last word, shape (n,).
            words: how many words there are.
        """
        keys = before * words + tokens
        rows = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        rows_or_missing: Numbers = np.where((before >= 0) & (self.keys[rows] == keys), rows, -1)
        return rows_or_missing


def _lines(path: Path) -> Iterator[list[str]]:
    try:
        with path.open(encoding="utf-8") as stream:
            lines = [words for line in stream if (words := [word for word, _ in spans_of_words_and_marks(line)])]
    except (FileNotFoundError, IsADirectoryError):
        raise DataError(
            "no such file; give a text file with one sentence a line, or a model of KenLM", Place(path), "missing-file"
        ) from None
    except UnicodeDecodeError:
        raise DataError(
            "not a text in UTF-8; a model of KenLM ends in .arpa, .bin or .klm", Place(path), "encoding"
        ) from None
    if not lines:
        raise DataError("no text in it; give one sentence a line", Place(path))
    yield from lines


def ngram_lm(path: str | Path, *, order: int = 3, bos: bool = True, eos: bool = False) -> KenlmScorer | NgramScorer:
    """A scorer for an n-gram model.

    Args:
        path: a model of KenLM (``.arpa``, ``.bin``, ``.klm``), or a text file to train a small model from.
        order: of a model that is trained.
        bos, eos: whether the start of the sentence is context, and whether its end is scored.

    Raises:
        DataError: no such file, or not one of these. UsageError: kenlm is needed and not installed.
    """
    path = Path(path)
    if not path.is_file():
        raise DataError(
            "no such file; give a text file with one sentence a line, or a model of KenLM", Place(path), "missing-file"
        )
    if order < 1:
        raise UsageError(f"an n-gram has at least one word; --order {order} has none")
    if path.suffix.lower() in _KENLM:
        return KenlmScorer(path, bos=bos, eos=eos)
    return NgramScorer(path, order=order, bos=bos, eos=eos)
