"""Verdicts on many sentences at once: which have a derivation, and which have none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.garbage import uncollected
from blimpgen.grammar.parse import Parser
from blimpgen.grammar.spans import Numbers, Spans
from blimpgen.grammar.word_classes import Sentences, WordClasses, WordNumbers

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

    @uncollected()
    def derived(self, sentences: Sequence[tuple[str, Sentences]]) -> list[NDArray[np.bool_]]:
        """Find the sentences that have a derivation.

        Args:
            sentences: groups of sentences, each with its reading.

        Returns:
            For each group which of its sentences have one, shape (n,).
        """
        if not sentences:
            return []
        width = max(len(each.words) for _, each in sentences)
        order, terminals = list[int](), list[Numbers]()
        for reading, classes in self._classes.items():
            groups = [k for k, (name, _) in enumerate(sentences) if name == reading]
            if groups:
                words = [sentences[k][1].words for k in groups]
                filled = [np.pad(each, ((0, width - len(each)), (0, 0)), constant_values=-1) for each in words]
                terminals.append(classes.terminals(np.concatenate(filled, axis=1)))
                order += groups
        lengths = [sentences[k][1].lengths for k in order]
        derived = self._derived(np.concatenate(terminals, axis=1), np.concatenate(lengths))
        parts = np.split(derived, np.cumsum([len(each) for each in lengths])[:-1])
        return [part for _, part in sorted(zip(order, parts, strict=True), key=lambda each: each[0])]

    def _derived(self, terminals: Numbers, lengths: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Sentences that are alike are judged once."""
        hashes = lengths.astype(np.uint64)
        for row in terminals:
            hashes = hashes * _SPREAD + row.astype(np.uint64)
        _, first, which = np.unique(hashes, return_index=True, return_inverse=True)
        alike, as_long = terminals[:, first], lengths[first]
        if not np.array_equal(alike[:, which], terminals) or not np.array_equal(as_long[which], lengths):
            keys = np.vstack((terminals, lengths))  # two of one hash
            _, first, which = np.unique(keys, axis=1, return_index=True, return_inverse=True)
            alike, as_long, which = terminals[:, first], lengths[first], which.reshape(-1)
        return self._spans.derived(alike, as_long)[which]
