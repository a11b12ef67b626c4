"""The forward pass of a causal language model over many sentences, common prefixes computed once.

Three ways give the same figures. *Packed*: the sentences are a prefix trie, its nodes the tokens of a few rows, each
with a mask of its own and with explicit positions. *Padded*: sentences of like length in batches, filled up on the
right. *Plain*: one sentence at a time, no mask, the model as it is. Packed is the fastest, but not every architecture
takes masks and positions from outside. Which way is taken is decided by looking at the figures: the first few sentences
are scored plainly too, and a way whose figures differ is not taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.scoring.batching import Batches, OutputLayer, chunks, quiet
from blimpgen.scoring.loading import scoring_library
from blimpgen.scoring.trie import Row, pack, pad

__all__ = ["Figures", "Forward", "Task", "Way"]

Way: TypeAlias = Literal["packed", "padded", "plain"]
Figures: TypeAlias = "tuple[NDArray[np.float32], dict[int, float]]"

_WIDTH = 128
_PROBED = 6
# How far the figures of a way may be from the plain ones: rounding, in the precision of the model.
_TOLERANCE = {"float32": 1e-3, "bfloat16": 0.25, "float16": 0.05}


@dataclass(frozen=True)
class Task:
    """A sequence of tokens to be computed.

    Attributes:
        tokens: the first one is only given, the others are scored.
        endings: name of a place to the number of tokens before it: there the log-probability is wanted that a token
            follows that begins a word.
    """

    tokens: tuple[int, ...]
    endings: dict[int, int] = field(default_factory=dict)

    @property
    def inputs(self) -> tuple[int, ...]:
        """The tokens that go into the model: the last one does not, unless something is wanted behind it."""
        return self.tokens[: max([len(self.tokens) - 1, *self.endings.values()])]


class Forward:
    """A causal model, and the fastest way in which it gives its figures.

    Args:
        model: of transformers.
        word_starts: numbers of the tokens that begin a word, for endings.
        batch_tokens: tokens that go into the model at once; None: what suits the device.
        share_prefixes: compute common prefixes once.
    """

    def __init__(
        self,
        model: Any,
        *,
        word_starts: NDArray[np.int64],
        batch_tokens: int | None = None,
        share_prefixes: bool = True,
    ) -> None:
        self.torch = scoring_library("torch")
        self.model = model
        self.device = next(model.parameters()).device
        self.dtype = str(next(model.parameters()).dtype).removeprefix("torch.")
        self.batches = Batches(self.device, batch_tokens)
        self._output = OutputLayer(model)
        self.way: Way | None = None
        self._allowed: tuple[Way, ...] = ("packed", "padded") if share_prefixes else ("padded",)
        self._starts = self.torch.from_numpy(word_starts).to(self.device)

    def __call__(self, tasks: Sequence[Task]) -> list[Figures]:
        """The figures of each task: log-probabilities of its tokens but the first, and of its endings.

        Raises:
            DataError: memory runs out with the smallest batch there is.
        """
        if self.way is None:
            self.calibrate(tasks)
        return self._computed(tasks, self.way or "plain")

    def calibrate(self, tasks: Sequence[Task]) -> None:
        """Choose the way by the first of some tasks, whatever it was before; one task alone decides nothing."""
        probed = tasks[:_PROBED]
        self.way = self._choose(probed) if len({task.tokens for task in probed}) > 1 else None

    def _choose(self, tasks: Sequence[Task]) -> Way:
        """The first way whose figures are those of the plain one."""
        plain = self._computed(tasks, "plain")
        tolerance = _TOLERANCE.get(self.dtype, _TOLERANCE["bfloat16"])
        longest = max(len(task.inputs) for task in tasks)
        for way in self._allowed:
            # An architecture may refuse a mask with whatever exception, or ignore it; neither is an error here.
            with suppress(Exception):
                # Several rows, and a row with several branches.
                tried = [self._computed(tasks, way, width) for width in (longest, _PROBED * longest)]
                if all(_near(a, b, tolerance) for values in tried for a, b in zip(plain, values, strict=True)):
                    return way
        return "plain"

    def _computed(self, tasks: Sequence[Task], way: Way, width: int = _WIDTH) -> list[Figures]:
        """The figures of each task: log-probabilities of tokens, and of endings by position."""
        inputs = [task.inputs for task in tasks]
        # Rows of one length stand together, so that they need little padding.
        rows = sorted(pack(inputs, min(width, self.batches.tokens)) if way == "packed" else pad(inputs), key=len)
        figures: dict[int, Figures] = {}

        def compute(batch: list[Row]) -> None:
            for part in [[row] for row in batch] if way == "plain" else [batch]:
                figures.update(self._figures(part, tasks, way))

        self.batches.over(rows, compute)
        return [figures[k] for k in range(len(tasks))]

    def _figures(self, batch: list[Row], tasks: Sequence[Task], way: Way) -> dict[int, Figures]:
        """The figures of the sequences of a batch, by number."""
        requested = _Positions(batch, tasks)
        torch = self.torch
        nodes, targets, endings = (
            torch.from_numpy(a).to(self.device) for a in (requested.nodes, requested.targets, requested.endings)
        )
        lps, ends = [], []
        with quiet(self.model):
            logits = self._logits(batch, way)
            starts = self._starts[self._starts < logits.shape[-1]]
            for a, b in chunks(len(logits), logits.shape[-1], self.device):
                logprobs = torch.log_softmax(logits[a:b].float(), dim=-1)
                part = slice(*np.searchsorted(requested.nodes, (a, b)))
                lps.append(logprobs[nodes[part] - a, targets[part]])
                part = slice(*np.searchsorted(requested.endings, (a, b)))
                if part.stop > part.start:
                    ends.append(logprobs[endings[part] - a][:, starts].logsumexp(-1))
            figures = [torch.cat(parts).cpu().numpy() if parts else np.empty(0, np.float32) for parts in (lps, ends)]
        return requested.figures(*figures)

    def _logits(self, batch: list[Row], way: Way) -> Any:
        """The logits of all nodes of a batch, one line a node."""
        torch, device = self.torch, self.device
        longest = max(map(len, batch))
        tokens = torch.tensor([row.tokens + [0] * (longest - len(row)) for row in batch], device=device)
        if way == "plain":
            return self.model(input_ids=tokens).logits[0]
        lengths = torch.tensor([[len(row)] for row in batch], device=device)
        valid = torch.arange(longest, device=device) < lengths

        def pick(hidden: Any) -> Any:
            return hidden[valid][None]

        if way == "padded":
            with self._output.narrowed(pick):
                return self.model(input_ids=tokens, attention_mask=valid.long()).logits[0]
        positions = torch.tensor([row.depths + [0] * (longest - len(row)) for row in batch], device=device)
        with self._output.narrowed(pick):
            return self.model(
                input_ids=tokens, attention_mask=self._mask(batch, longest), position_ids=positions
            ).logits[0]

    def _mask(self, batch: list[Row], longest: int) -> Any:
        """What is added to attention: nothing where a node looks at itself or above, else the least number."""
        torch = self.torch
        dtype = next(self.model.parameters()).dtype
        ends = torch.tensor([row.ends + list(range(len(row) + 1, longest + 1)) for row in batch], device=self.device)
        node = torch.arange(longest, device=self.device)
        seen = (node[None, None, :] <= node[None, :, None]) & (node[None, :, None] < ends[:, None, :])
        mask = torch.zeros(seen.shape, dtype=dtype, device=self.device)
        return mask.masked_fill_(~seen, torch.finfo(dtype).min)[:, None]


class _Positions:
    """What is to be read off the logits of a batch.

    Attributes:
        nodes, targets: node and next token of each log-probability, in the order of nodes.
        endings: nodes behind which a word may end, in order.
    """

    def __init__(self, batch: list[Row], tasks: Sequence[Task]) -> None:
        nodes, targets, self.numbers, self.lengths = list[int](), list[int](), list[int](), list[int]()
        endings, self.word_ends = list[int](), list[tuple[int, int]]()
        first = 0
        for row in batch:
            for number, path in row.paths.items():
                task = tasks[number]
                n = len(task.tokens) - 1
                nodes.extend([first + node for node in path[:n]])
                targets.extend(task.tokens[1:])
                self.numbers.append(number)
                self.lengths.append(n)
                for position, k in task.endings.items():
                    endings.append(first + path[k - 1])
                    self.word_ends.append((number, position))
            first += len(row)
        flat = np.array(nodes, dtype=np.int64)
        self.order = np.argsort(flat, kind="stable")
        self.nodes, self.targets = flat[self.order], np.array(targets, dtype=np.int64)[self.order]
        below = np.array(endings, dtype=np.int64)
        self.below = np.argsort(below, kind="stable")
        self.endings = below[self.below]

    def figures(self, lps: NDArray[np.float32], ends: NDArray[np.float32]) -> dict[int, Figures]:
        """The figures by number of the sequence, put in their order again."""
        flat, after = np.empty_like(lps), np.empty_like(ends)
        flat[self.order], after[self.below] = lps, ends
        parts = np.split(flat, np.cumsum(self.lengths)[:-1])
        figures: dict[int, Figures] = {k: (part, {}) for k, part in zip(self.numbers, parts, strict=True)}
        for (number, position), value in zip(self.word_ends, after.tolist(), strict=True):
            figures[number][1][position] = value
        return figures


def _near(plain: Figures, shared: Figures, tolerance: float) -> bool:
    a, b = ([*figures[0], *figures[1].values()] for figures in (plain, shared))
    return len(a) == len(b) and bool(np.allclose(a, b, rtol=0, atol=tolerance))
