"""What all models of transformers share: batches that fit into memory, an output layer that sees only what is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Sized
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError
from blimpgen.scoring.loading import hushed, out_of_memory, scoring_library

__all__ = ["Batches", "OutputLayer", "batches", "chunks", "fetch", "quiet", "to_device"]

T = TypeVar("T", bound=Sized)

# Logits whose softmax is taken at once: on a CPU so many that they stay in its cache, elsewhere so many that float32 of
# a whole vocabulary does not take all memory.
_LOGITS = {"cpu": 1 << 19}
_MOST_LOGITS = 1 << 26

# Activations that are the tanh approximation of GELU.
_IN_STEPS = ("NewGELUActivation", "FastGELUActivation")

# Bytes of a number of half precision, and how many of them memory is read by.
_HALF, _LINE = 2, 8

_TOKENS = {"cpu": 1024, "mps": 4096, "cuda": 16384}


def batches(rows: Sequence[T], tokens: int) -> Iterator[list[T]]:
    """Divide neighbouring rows into batches of a limited size, with at least one row each.

    Args:
        rows: of different lengths.
        tokens: the most that the number of rows times the longest of them may be.
    """
    batch: list[T] = []
    longest = 0
    for row in rows:
        longest = max(longest, len(row))
        if batch and longest * (len(batch) + 1) > tokens:
            yield batch
            batch, longest = [], len(row)
        batch.append(row)
    if batch:
        yield batch


def chunks(lines: int, width: int, device: Any) -> Iterator[tuple[int, int]]:
    """Divide lines of logits into chunks (start, end) whose softmax is taken at once.

    Args:
        lines: how many there are.
        width: the size of the vocabulary.
        device: of torch.
    """
    step = max(1, _LOGITS.get(device.type, _MOST_LOGITS) // width)
    return ((start, min(start + step, lines)) for start in range(0, lines, step))


def to_device(array: NDArray[Any], device: Any) -> Any:
    """Return an array as a tensor of a device; nobody waits for a GPU.

    Args:
        array: of numbers.
        device: of torch.
    """
    tensor = scoring_library("torch").from_numpy(array)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor.to(device)


def fetch(tensor: Any) -> Callable[[], NDArray[np.float32]]:
    """Begin to fetch a tensor; what is returned waits for it.

    Args:
        tensor: of float32.
    """
    if tensor.device.type != "cuda":
        array: NDArray[np.float32] = tensor.cpu().numpy()
        return lambda: array
    torch = scoring_library("torch")
    memory = torch.empty(tensor.shape, dtype=tensor.dtype, pin_memory=True)
    memory.copy_(tensor, non_blocking=True)
    copied = torch.cuda.current_stream(tensor.device).record_event()

    def wait() -> NDArray[np.float32]:
        copied.synchronize()
        figures: NDArray[np.float32] = memory.numpy()
        return figures

    return wait


class Batches:
    """Batches for a device, by tokens; when memory runs out, of half the size from then on.

    Args:
        device: of torch.
        tokens: rows times longest row; None: what suits the device.

    Attributes:
        tokens: the size that fits, as far as is known.
    """

    def __init__(self, device: Any, tokens: int | None = None) -> None:
        self.torch, self.device = scoring_library("torch"), device
        self.tokens = tokens or _TOKENS.get(device.type, _TOKENS["cpu"])

    def over(self, rows: Sequence[T], compute: Callable[[list[T]], None]) -> None:
        """Compute all rows, batch by batch.

        Args:
            rows: in the order in which they are computed.
            compute: what to do with a batch.

        Raises:
            DataError: a single row is too large.
        """
        done = 0
        while done < len(rows):
            batch = next(batches(rows[done:], self.tokens))
            if self._fits(batch, compute):
                done += len(batch)

    def _fits(self, batch: list[T], compute: Callable[[list[T]], None]) -> bool:
        longest = max(map(len, batch))
        try:
            compute(batch)
            return True
        except (MemoryError, RuntimeError) as error:
            if not out_of_memory(error):
                raise
            if len(batch) == 1:
                raise DataError(
                    f"out of memory on {self.device} with {longest} tokens at once; take a smaller model, "
                    "--dtype bfloat16 or --device cpu"
                ) from None
        # Outside of the handler, so that what the error held is free.
        self.tokens = longest * (len(batch) // 2)
        if self.device.type == "cuda":
            self.torch.cuda.empty_cache()
        return False


class OutputLayer:
    """The output layer of a model, which can be made to see less, and to write into the same memory again.

    Args:
        model: of transformers; one without an output layer of its own, or one that does not call it, gives all its
            logits as before.
    """

    def __init__(self, model: Any) -> None:
        self.torch, self._layer = scoring_library("torch"), model.get_output_embeddings()
        self._memory: Any = None

    @contextmanager
    def narrowed(self, pick: Callable[[Any], Any]) -> Iterator[None]:
        """Let it see only what `pick` takes from the hidden states; logits are good until it is called again."""
        layer = self._layer
        if layer is None:
            yield
            return
        handle = layer.register_forward_pre_hook(lambda _, inputs: (pick(inputs[0]), *inputs[1:]))
        faster = self._faster()
        try:
            if faster:
                layer.forward = faster
            yield
        finally:
            handle.remove()
            if faster:
                del layer.forward

    def _faster(self) -> Callable[[Any], Any] | None:
        """What computes the same as the layer and suits its device better, if anything does."""
        layer = self._layer
        # What has a forward of its own is left alone.
        if type(layer) is not self.torch.nn.Linear or "forward" in vars(layer):
            return None
        weight = layer.weight
        # Only a CPU takes long to get so much memory anew.
        if weight.device.type == "cpu":
            return self._into_memory
        half = weight.element_size() == _HALF
        return self._of_full_lines if weight.device.type == "cuda" and half and len(weight) % _LINE else None

    def _of_full_lines(self, hidden: Any) -> Any:
        """Compute with some tokens more, that nobody sees: products of other sizes do not get the tensor cores' best.

        With the 50,257 tokens of GPT-2 they take eight times as long as with 50,264.
        """
        pad, layer = self.torch.nn.functional.pad, self._layer
        missing = -len(layer.weight) % _LINE
        bias = None if layer.bias is None else pad(layer.bias, (0, missing))
        logits = self.torch.nn.functional.linear(hidden, pad(layer.weight, (0, 0, 0, missing)), bias)
        return logits[..., : len(layer.weight)]

    def _into_memory(self, hidden: Any) -> Any:
        torch, weight, bias = self.torch, self._layer.weight, self._layer.bias
        lines = hidden.reshape(-1, hidden.shape[-1])
        size = len(lines) * len(weight)
        if self._memory is None or self._memory.numel() < size or self._memory.dtype != weight.dtype:
            self._memory = torch.empty(size, dtype=weight.dtype)
        out = self._memory[:size].view(len(lines), len(weight))
        if bias is None:
            torch.mm(lines, weight.t(), out=out)
        else:
            torch.addmm(bias, lines, weight.t(), out=out)
        return out.view(*hidden.shape[:-1], len(weight))


@contextmanager
def _fused(model: Any) -> Iterator[None]:
    """Compute in one step the activation of GPT-2 and others, which transformers writes out in eight."""
    fused = partial(scoring_library("torch").nn.functional.gelu, approximate="tanh")
    # What has a forward of its own, as models that are spread over devices have, is left alone.
    modules = [m for m in model.modules() if type(m).__name__ in _IN_STEPS and "forward" not in vars(m)]
    try:
        for module in modules:
            module.forward = fused
        yield
    finally:
        for module in modules:
            del module.forward


@contextmanager
def quiet(model: Any) -> Iterator[None]:
    """No gradients, cache or dropout, and no advice about attention masks; the model is as before afterwards."""
    config, training = model.config, model.training
    cache = getattr(config, "use_cache", None)
    try:
        config.use_cache = False
        # To set the mode of every module takes as long as to begin a batch.
        if any(module.training for module in model.modules()):
            model.eval()
        with scoring_library("torch").inference_mode(), hushed(), _fused(model):
            yield
    finally:
        config.use_cache = cache
        if training:
            model.train()
