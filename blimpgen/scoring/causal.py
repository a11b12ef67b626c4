"""Causal language models of transformers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from blimpgen.base.errors import DataError
from blimpgen.scoring.forward import Forward, Task
from blimpgen.scoring.loading import Dtype, library_versions, load
from blimpgen.scoring.scores import Identity, Request, TokenScores
from blimpgen.scoring.tokens import Bos, Encoded, Encoder

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
        self._longest = getattr(model.config, "max_position_embeddings", None)
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
        """The scores of sentences, in their order."""
        return self.score([Request(text) for text in texts])

    def score(self, requests: Sequence[Request]) -> list[TokenScores]:
        """The scores of sentences, with the log-probability that a word ends where that is asked.

        Raises:
            DataError: a sentence without a token that could be scored, or too long for the model.
        """
        encoded = self.encoder.encode([request.text for request in requests])
        figures = self.forward([self._task(r, e) for r, e in zip(requests, encoded, strict=True)])
        return [
            TokenScores(logprobs.tolist(), e.spans[1:], endings)
            for e, (logprobs, endings) in zip(encoded, figures, strict=True)
        ]

    def _task(self, request: Request, encoded: Encoded) -> Task:
        if self._longest is not None and len(encoded.tokens) > self._longest:
            raise DataError(f"{len(encoded.tokens)} tokens, but the model takes {self._longest}: {request.text!r}")
        if len(encoded.tokens) < 2:
            raise DataError(f"a single token without a start token has no probability: {request.text!r}; use --bos yes")
        if not self._marked:
            return Task(encoded.tokens)
        upto = {position: encoded.upto(position) for position in request.endings}
        return Task(encoded.tokens, {position: k for position, k in upto.items() if k})


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
