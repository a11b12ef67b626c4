"""Verdicts on many sentences at once: which have a derivation, and which have none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from blimpgen.grammar.parse import Parser
from blimpgen.grammar.spans import Numbers, Spans
from blimpgen.grammar.word_classes import WordClasses, WordNumbers

__all__ = ["Verdicts"]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Verdicts:
    """Judges sentences in both readings; what was found out about some serves for all later ones.

    Args:
        parsers: the parsers by their reading, with one recogniser.
        numbers: the words.
    """

    def __init__(self, parsers: Mapping[str, Parser], numbers: WordNumbers) -> None:
        self._spans = Spans(next(iter(parsers.values())).chart.states)
        self._classes = {reading: WordClasses(parser, numbers, self._spans) for reading, parser in parsers.items()}

    def derived(self, sentences: Sequence[tuple[str, NDArray[np.int32]]]) -> list[NDArray[np.bool_]]:
        """Find the sentences that have a derivation.

        Args:
            sentences: groups of sentences of one length, each with its reading; their words, shape (n, words).

        Returns:
            For each group which of its sentences have one, shape (n,).
        """
        width = max((words.shape[1] for _, words in sentences), default=0)
        numbers, terminals, lengths = list[int](), list[Numbers](), list[int]()
        for reading, classes in self._classes.items():
            groups = [(k, words) for k, (name, words) in enumerate(sentences) if name == reading]
            if groups:
                padded = np.full((sum(len(words) for _, words in groups), width), -1, dtype=np.int32)
                end = 0
                for _, words in groups:
                    start, end = end, end + len(words)
                    padded[start:end, : words.shape[1]] = words
                terminals.append(classes.terminals(padded))
                numbers += [k for k, _ in groups]
                lengths += [length for _, words in groups for length in [words.shape[1]] * len(words)]
        if not numbers:
            return []
        derived = self._derived(np.concatenate(terminals), np.array(lengths))
        parts = np.split(derived, np.cumsum([len(sentences[k][1]) for k in numbers])[:-1])
        return [part for _, part in sorted(zip(numbers, parts, strict=True), key=lambda each: each[0])]

    def _derived(self, terminals: Numbers, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Sentences that are alike are judged once."""
        hashes = lengths.astype(np.uint64)
        for column in terminals.T:
            hashes = hashes * _SPREAD + column.astype(np.uint64)
        _, first, which = np.unique(hashes, return_index=True, return_inverse=True)
        if not np.array_equal(terminals[first][which], terminals) or not np.array_equal(lengths[first][which], lengths):
            keys = np.column_stack((terminals, lengths))  # two of one hash
            _, first, which = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        return self._spans.derived(terminals[first], lengths[first])[which.reshape(-1)]
