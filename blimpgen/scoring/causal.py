"""Causal language models of transformers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from blimpgen.scoring.encoding import Bos, Encoded, Encoder
from blimpgen.scoring.forward import Forward, Task
from blimpgen.scoring.limits import limits_of
from blimpgen.scoring.loading import Dtype, library_versions, load
from blimpgen.scoring.scores import Identity, Request, Span, TokenScores, Unscored, Verdict, all_scored

__all__ = ["CausalScorer", "causal_lm"]


class CausalScorer:
    """Scores sentences with a causal language model.

    Args:
        model, tokenizer: of transformers.
        bos: whether a start token stands before the sentence; without one the first token is not scored.
        eos: score an end token too.
        leading_space: put a space before the sentence.
        batch_tokens: tokens that go into the model at once; None: what suits the device.
        share_prefixes: compute common prefixes once.
        name, revision: what it says of itself.

    Attributes:
        forward: the model, with the way that it is computed.
        identity: what it says of itself.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        bos: Bos = "auto",
        eos: bool = False,
        leading_space: bool = False,
        batch_tokens: int | None = None,
        share_prefixes: bool = True,
        name: str = "",
        revision: str | None = None,
    ) -> None:
        self.encoder = Encoder(tokenizer, bos=bos, eos=eos, leading_space=leading_space)
        starts = self.encoder.word_starts
        self._marked = starts is not None
        self.forward = Forward(
            model,
            word_starts=np.flatnonzero(starts if starts is not None else []),
            batch_tokens=batch_tokens,
            share_prefixes=share_prefixes,
        )
        self._limits = limits_of(model, tokenizer)
        spaced = {"leading-space": "yes"} if leading_space else {}
        self.identity = Identity(
            name or getattr(model, "name_or_path", ""),
            "causal",
            "log_prob",
            revision,
            self.forward.dtype,
            self.encoder.name(self.encoder.bos),
            self.encoder.name(self.encoder.eos),
            {**spaced, **library_versions()},
        )

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """Score sentences, in their order.

        Raises:
            DataError: a sentence that cannot be scored.
        """
        return all_scored(texts, self.score([Request(text) for text in texts]))

    def score(self, requests: Sequence[Request]) -> list[Verdict]:
        """Score sentences, with the log-probability that a word ends where that is asked."""
        return self.begin(requests)()

    def begin(self, requests: Sequence[Request]) -> Callable[[], list[Verdict]]:
        """Begin to score sentences, as `Forward.begin` does; what is returned waits for the scores."""
        tasks = self._tasks(requests)
        computed = self.forward.begin([task for task, _ in (t for t in tasks if not isinstance(t, Unscored))])

        def wait() -> list[Verdict]:
            figures, verdicts = iter(computed()), list[Verdict]()
            for task in tasks:
                if isinstance(task, Unscored):
                    verdicts.append(task)
                else:
                    logprobs, endings = next(figures)
                    verdicts.append(TokenScores(logprobs, task[1], endings))
            return verdicts

        return wait

    def calibrate(self, requests: Sequence[Request]) -> None:
        """Choose the way of the forward pass by these sentences."""
        self.forward.calibrate([task[0] for task in self._tasks(requests) if not isinstance(task, Unscored)])

    def _tasks(self, requests: Sequence[Request]) -> list[tuple[Task, Sequence[Span]] | Unscored]:
        encoded = self.encoder.encode([request.text for request in requests])
        return [self._task(r, e) for r, e in zip(requests, encoded, strict=True)]

    def _task(self, request: Request, encoded: Encoded | Unscored) -> tuple[Task, Sequence[Span]] | Unscored:
        """Say what is to be computed for a sentence, with the characters of its tokens, or why it cannot be scored."""
        if isinstance(encoded, Unscored):
            return encoded
        tokens, spans = encoded
        if refusal := self._limits.refusal(tokens):
            return refusal
        if len(tokens) < 2:
            return Unscored("a single token without a start token has no probability; use --bos yes")
        if not (self._marked and request.endings):
            return Task(tokens), spans
        upto = {position: encoded.upto(position) for position in request.endings}
        return Task(tokens, {position: k for position, k in upto.items() if k}), spans


def causal_lm(
    name: str,
    *,
    revision: str | None = None,
    device: str = "auto",
    dtype: Dtype = "float32",
    bos: Bos = "auto",
    eos: bool = False,
    leading_space: bool = False,
    batch_tokens: int | None = None,
    share_prefixes: bool = True,
    trust_remote_code: bool = False,
) -> CausalScorer:
    """A scorer for a causal language model of transformers.

    Args:
        name: a local folder, or a name on the hub.
        revision: branch, tag or commit on the hub.
        device: of torch, or auto.
        dtype: precision of the forward pass; log-probabilities are float32.
        bos: auto: a start token if the tokenizer has one, else its end token in its place; yes; no.
        eos: score an end token too.
        leading_space: put a space before the sentence.
        batch_tokens: tokens that go into the model at once; None: what suits the device.
        share_prefixes: compute common prefixes once; it changes nothing but the speed.
        trust_remote_code: run Python code that comes with the model.

    Raises:
        UsageError: torch is not installed. DataError: the model cannot be loaded.
    """
    loaded = load(
        name, "AutoModelForCausalLM", revision=revision, device=device, dtype=dtype, trust_remote_code=trust_remote_code
    )
    return CausalScorer(
        loaded.model,
        loaded.tokenizer,
        bos=bos,
        eos=eos,
        leading_space=leading_space,
        batch_tokens=batch_tokens,
        share_prefixes=share_prefixes,
        name=name,
        revision=loaded.revision,
    )
