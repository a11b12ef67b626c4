"""The forward pass of a causal language model over many sentences, common prefixes computed once.

Three ways give the same figures. *Packed*: the sentences are a prefix trie, its nodes the tokens of a few rows, each
with a mask of its own and with explicit positions. *Padded*: sentences of like length in batches, filled up on the
right. *Plain*: one sentence at a time, no mask, the model as it is. Packed is the fastest, but not every architecture
takes masks and positions from outside. Which way is taken is decided by looking at the figures: the first few sentences
are scored plainly too, and a way whose figures differ is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.scoring.batching import Batches, OutputLayer, chunks, fetch, quiet, to_device
from blimpgen.scoring.loading import scoring_library
from blimpgen.scoring.trie import Row, matrix_of, pack, pad

__all__ = ["Figures", "Forward", "Task", "Way"]

Way: TypeAlias = Literal["packed", "padded", "plain"]
Figures: TypeAlias = "tuple[list[float], dict[int, float]]"

_WIDTH = 128
_PROBED = 6
# On a GPU batches have a multiple of so many rows and columns.
_ROWS, _COLUMNS = 8, 8
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
        if not self.endings:
            return self.tokens[:-1]
        return self.tokens[: max(len(self.tokens) - 1, *self.endings.values())]


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
        self._word_starts = word_starts
        self._starts: dict[int, Any] = {}

    def __call__(self, tasks: Sequence[Task]) -> list[Figures]:
        """The figures of each task: log-probabilities of its tokens but the first, and of its endings.

        Raises:
            DataError: memory runs out with the smallest batch there is.
        """
        return self.begin(tasks)()

    def begin(self, tasks: Sequence[Task]) -> Callable[[], list[Figures]]:
        """Begin to compute the figures of tasks; what is returned waits for them.

        A GPU computes while the caller goes on. Any other device begins when it is waited for.

        Raises:
            DataError: memory runs out with the smallest batch there is; also when it is waited for.
        """
        if self.way is None:
            self.calibrate(tasks)
        start = partial(self._start, tasks, self.way or "plain")
        return start() if self.device.type == "cuda" else lambda: start()()

    def calibrate(self, tasks: Sequence[Task]) -> None:
        """Choose the way by the first of some tasks, whatever it was before; one task alone decides nothing."""
        probed = tasks[:_PROBED]
        self.way = self._choose(probed) if len({task.tokens for task in probed}) > 1 else None

    def _choose(self, tasks: Sequence[Task]) -> Way:
        """The first way whose figures are those of the plain one."""
        plain = self._computed(tasks, "plain")
        tolerance = _TOLERANCE.get(self.dtype, _TOLERANCE["bfloat16"])
        longest = max(len(task.tokens) for task in tasks)
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
        return self._start(tasks, way, width)()

    def _start(self, tasks: Sequence[Task], way: Way, width: int = _WIDTH) -> Callable[[], list[Figures]]:
        """Let the device compute; what is returned waits for the figures."""
        inputs = [task.inputs for task in tasks]
        # Rows of one length stand together, so that they need little padding.
        rows = sorted(pack(inputs, min(width, self.batches.tokens)) if way == "packed" else pad(inputs), key=len)
        targets = _Targets(tasks)
        batches: list[Callable[[], dict[int, Figures]]] = []

        def compute(batch: list[Row]) -> None:
            for part in [[row] for row in batch] if way == "plain" else [batch]:
                batches.append(self._figures(part, targets, way))

        with quiet(self.model):
            self.batches.over(rows, compute)

        def wait() -> list[Figures]:
            figures: dict[int, Figures] = {}
            for figures_of_batch in batches:
                figures.update(figures_of_batch())
            return [figures[k] for k in range(len(tasks))]

        return wait

    def _figures(self, batch: list[Row], targets: _Targets, way: Way) -> Callable[[], dict[int, Figures]]:
        """Begin to compute the figures of the sequences of a batch, by number."""
        wanted = _Positions(batch, targets)
        nodes, tokens, endings = (to_device(a, self.device) for a in (wanted.nodes, wanted.targets, wanted.endings))
        lps, ends = [], []
        logits = self._logits(batch, way)
        starts = self._starts_within(logits.shape[-1])
        for a, b in chunks(len(logits), logits.shape[-1], self.device):
            logprobs = self.torch.log_softmax(logits[a:b].float(), dim=-1)
            part = slice(*np.searchsorted(wanted.nodes, (a, b)))
            lps.append(logprobs[nodes[part] - a, tokens[part]])
            part = slice(*np.searchsorted(wanted.endings, (a, b)))
            if part.stop > part.start:
                ends.append(logprobs[endings[part] - a][:, starts].logsumexp(-1))
        arrays = [fetch(self.torch.cat(parts)) if parts else _nothing for parts in (lps, ends)]
        return lambda: wanted.figures(*(array() for array in arrays))

    def _starts_within(self, vocabulary: int) -> Any:
        """The tokens that begin a word, of those that the model has logits of."""
        if vocabulary not in self._starts:
            self._starts[vocabulary] = to_device(self._word_starts[self._word_starts < vocabulary], self.device)
        return self._starts[vocabulary]

    def _logits(self, batch: list[Row], way: Way) -> Any:
        """The logits of all nodes of a batch, one line a node."""
        device = self.device
        if way == "plain":
            return self.model(input_ids=to_device(batch[0].tokens[None], device)).logits[0]
        shape = self._shape(batch)
        tokens = to_device(_filled(shape, [row.tokens for row in batch]), device)
        lengths = _filled((shape[0], 1), [np.array([len(row)]) for row in batch])
        valid = np.arange(shape[1]) < lengths
        # Where they stand is worked out here: to look for them on a GPU would mean to wait for it.
        places = to_device(np.flatnonzero(valid), device)

        def pick(hidden: Any) -> Any:
            return hidden.reshape(-1, hidden.shape[-1]).index_select(0, places)[None]

        if way == "padded":
            with self._output.narrowed(pick):
                # A row that only fills up sees its first token: some models do not bear a row that sees nothing.
                seen = to_device((valid | (np.arange(shape[1]) == 0)).astype(np.int64), device)
                return self.model(input_ids=tokens, attention_mask=seen).logits[0]
        positions = to_device(_filled(shape, [row.depths for row in batch]), device)
        with self._output.narrowed(pick):
            mask = self._mask(shape, batch)
            return self.model(input_ids=tokens, attention_mask=mask, position_ids=positions).logits[0]

    def _shape(self, batch: list[Row]) -> tuple[int, int]:
        """Rows and columns that a batch is given: on a GPU, where each new shape takes a while to plan, one of few."""
        rows, longest = len(batch), max(map(len, batch))
        if self.device.type != "cuda":
            return rows, longest
        return rows + -rows % _ROWS, longest + -longest % _COLUMNS

    def _mask(self, shape: tuple[int, int], batch: list[Row]) -> Any:
        """What is added to attention: nothing where a node looks at itself or above, else the least number."""
        torch, dtype = self.torch, next(self.model.parameters()).dtype
        # What only fills up looks at itself.
        ends = to_device(_filled(shape, [row.ends for row in batch], np.arange(1, shape[1] + 1)), self.device)
        node = torch.arange(shape[1], device=self.device)
        seen = (node[None, None, :] <= node[None, :, None]) & (node[None, :, None] < ends[:, None, :])
        mask = torch.zeros(seen.shape, dtype=dtype, device=self.device)
        return mask.masked_fill_(~seen, torch.finfo(dtype).min)[:, None]


class _Targets:
    """What is to be read off for some tasks.

    Attributes:
        tokens: tasks x the longest: the tokens that are scored.
        lengths: how many these are.
        endings: number of a task to its endings, if it has any.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.tokens, self.lengths = matrix_of([task.tokens[1:] for task in tasks])
        self.endings = {k: task.endings for k, task in enumerate(tasks) if task.endings}


class _Positions:
    """Where it is to be read off the logits of a batch.

    Attributes:
        nodes, targets: node and next token of each log-probability, in the order of nodes.
        endings: nodes behind which a word may end, in order.
    """

    def __init__(self, batch: list[Row], targets: _Targets) -> None:
        nodes, tokens = [], []
        endings, self._word_ends = list[int](), list[tuple[int, int]]()
        longest = targets.tokens.shape[1]
        first = 0
        for row in batch:
            scored = np.arange(longest) < targets.lengths[row.numbers][:, None]
            nodes.append(first + row.paths[:, :longest][scored])
            tokens.append(targets.tokens[row.numbers][scored])
            for k, number in enumerate(row.numbers.tolist() if targets.endings else ()):
                for position, before in targets.endings.get(number, {}).items():
                    endings.append(first + int(row.paths[k, before - 1]))
                    self._word_ends.append((number, position))
            first += len(row)
        self._numbers = np.concatenate([row.numbers for row in batch])
        self._lengths = targets.lengths[self._numbers]
        flat, below = np.concatenate(nodes), np.array(endings, dtype=np.int64)
        self._order, self._below = (np.argsort(each, kind="stable") for each in (flat, below))
        self.nodes, self.targets = flat[self._order], np.concatenate(tokens)[self._order]
        self.endings = below[self._below]

    def figures(self, lps: NDArray[np.float32], ends: NDArray[np.float32]) -> dict[int, Figures]:
        """The figures by number of the sequence, put in their order again."""
        flat, after = np.empty_like(lps), np.empty_like(ends)
        flat[self._order], after[self._below] = lps, ends
        values, stops = flat.tolist(), np.cumsum(self._lengths)
        starts = stops - self._lengths
        figures: dict[int, Figures] = {
            number: (values[a:b], {})
            for number, a, b in zip(self._numbers.tolist(), starts.tolist(), stops.tolist(), strict=True)
        }
        for (number, position), value in zip(self._word_ends, after.tolist(), strict=True):
            figures[number][1][position] = value
        return figures


def _filled(
    shape: tuple[int, int], rows: Sequence[NDArray[np.int64]], behind: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Rows x columns, filled up with 0.

    Args:
        shape: of the result.
        rows: as many or fewer, of different lengths.
        behind: what stands in each column where there is nothing, if not 0.
    """
    filled = np.zeros(shape, dtype=np.int64)
    if behind is not None:
        filled[:] = behind
    for line, row in zip(filled, rows, strict=False):
        line[: len(row)] = row
    return filled


def _nothing() -> NDArray[np.float32]:
    return np.empty(0, np.float32)


def _near(plain: Figures, shared: Figures, tolerance: float) -> bool:
    a, b = ([*figures[0], *figures[1].values()] for figures in (plain, shared))
    return len(a) == len(b) and bool(np.allclose(a, b, rtol=0, atol=tolerance))
