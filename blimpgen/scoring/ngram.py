"""N-gram models: KenLM for large ones, NLTK for a small one that is trained on the spot from a text file."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from blimpgen.base.errors import DataError, Place, UsageError
from blimpgen.base.extras import require
from blimpgen.english.words import spans_of_words_and_marks
from blimpgen.scoring.loading import fingerprint
from blimpgen.scoring.scores import Identity, TokenScores

__all__ = ["KenlmScorer", "NltkScorer", "ngram_lm"]

_KENLM = (".arpa", ".bin", ".binary", ".klm", ".mmap")
_START, _END, _UNKNOWN = "<s>", "</s>", "<UNK>"


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
        self.identity = Identity(
            str(path),
            "ngram",
            revision=fingerprint(path),
            bos=_START if bos else None,
            eos=_END if eos else None,
            versions={"order": str(self._model.order)},
        )

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """The scores of sentences, in their order."""
        return [self._score(text) for text in texts]

    def _score(self, text: str) -> TokenScores:
        found = spans_of_words_and_marks(text)
        joined = " ".join(word for word, _ in found)
        logs = [math.log(10) * log for log, _, _ in self._model.full_scores(joined, bos=self._bos, eos=self._eos)]
        return TokenScores(logs, [*(span for _, span in found), *[(len(text), len(text))] * self._eos])


class NltkScorer:
    """Scores sentences with an n-gram model of NLTK that is trained from a text file, by Witten and Bell's smoothing.

    Args:
        path: plain text, one sentence a line.
        order: how many words an n-gram has.
        bos, eos: whether the start of the sentence is context, and whether its end is scored.

    Raises:
        DataError: no such file, or no text in it.
    """

    def __init__(self, path: Path, *, order: int = 3, bos: bool = True, eos: bool = False) -> None:
        from nltk.lm import WittenBellInterpolated
        from nltk.lm.preprocessing import padded_everygram_pipeline

        # One sentence of an unknown word, so that an unknown word is unlikely and not impossible.
        grams, vocabulary = padded_everygram_pipeline(order, [*_lines(path), [_UNKNOWN]])
        self._model: Any = WittenBellInterpolated(order)
        self._model.fit(grams, vocabulary)
        self._context = (_START,) * (order - 1) if bos else ()
        self._eos, self._order = eos, order
        self.identity = Identity(
            str(path),
            "ngram",
            revision=fingerprint(path),
            bos=_START if bos else None,
            eos=_END if eos else None,
            versions={"order": str(order)},
        )

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """The scores of sentences, in their order."""
        return [self._score(text) for text in texts]

    def _score(self, text: str) -> TokenScores:
        found = [*spans_of_words_and_marks(text), *[(_END, (len(text), len(text)))] * self._eos]
        words = [*self._context, *(word for word, _ in found)]
        first = len(self._context)
        logs = [
            math.log(2) * self._model.logscore(words[k], tuple(words[max(0, k - self._order + 1) : k]))
            for k in range(first, len(words))
        ]
        return TokenScores(logs, [span for _, span in found])


def _lines(path: Path) -> Iterator[list[str]]:
    try:
        with path.open(encoding="utf-8") as stream:
            found = [words for line in stream if (words := [word for word, _ in spans_of_words_and_marks(line)])]
    except (FileNotFoundError, IsADirectoryError):
        raise DataError(
            "no such file; give a text file with one sentence a line, or a model of KenLM", Place(path), "missing-file"
        ) from None
    except UnicodeDecodeError:
        raise DataError(
            "not a text in UTF-8; a model of KenLM ends in .arpa, .bin or .klm", Place(path), "encoding"
        ) from None
    if not found:
        raise DataError("no text in it; give one sentence a line", Place(path))
    yield from found


def ngram_lm(path: str | Path, *, order: int = 3, bos: bool = True, eos: bool = False) -> KenlmScorer | NltkScorer:
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
    return NltkScorer(path, order=order, bos=bos, eos=eos)
