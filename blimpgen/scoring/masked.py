"""Masked language models of transformers: pseudo-log-likelihoods, and the conditional of one masked word.

* ``pll_word_l2r`` (Kauf and Ivanova 2023): each token is masked together with those of its word to its right.
* ``pll_original`` (Salazar et al. 2020): each token is masked alone, so the end of a word gives its beginning away.
* ``masked_word``: the one word in which both sentences differ is masked; its log-probability in that place. Pairs that
  differ in more, in a word of several tokens, or in one that the model does not know, have no such score.

Masked copies go to the model in batches of their own, whatever sentence they come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.errors import DataError, UsageError
from blimpgen.english.words import CARRIER
from blimpgen.scoring.batching import Batches, OutputLayer, chunks, quiet
from blimpgen.scoring.limits import each_or_reason, limits_of
from blimpgen.scoring.loading import Dtype, library_versions, load, scoring_library
from blimpgen.scoring.scores import Identity, Request, Span, TokenScores, Unscored, Verdict, all_scored

__all__ = ["MASKED_SCORES", "MaskedScore", "MaskedScorer", "masked_lm"]

MaskedScore: TypeAlias = Literal["pll_word_l2r", "pll_original", "masked_word"]
MASKED_SCORES: tuple[MaskedScore, ...] = ("pll_word_l2r", "pll_original", "masked_word")


@dataclass(frozen=True)
class _Copy:
    """A sentence with masks.

    Attributes:
        tokens: with the masks.
        place: the masked token that is scored.
        target: what stood there.
        span: its characters.
    """

    tokens: tuple[int, ...]
    place: int
    target: int
    span: Span = field(compare=False)

    def __len__(self) -> int:
        return len(self.tokens)


@dataclass(frozen=True)
class _Sentence:
    """A sentence as tokens, with the special ones around it.

    Attributes:
        tokens: all of them.
        spans: their characters.
        words: number of the word that each belongs to, as the tokenizer divides them; -1 of special tokens.
    """

    tokens: tuple[int, ...]
    spans: tuple[Span, ...]
    words: tuple[int, ...]

    @property
    def inner(self) -> list[int]:
        """The places of the tokens of the sentence itself."""
        return [k for k, word in enumerate(self.words) if word >= 0]


class MaskedScorer:
    """Scores sentences with a masked language model.

    Args:
        model, tokenizer: of transformers; the tokenizer must be a fast one, which knows the characters of its tokens.
        score: what the score is, see the module.
        batch_tokens: tokens that go into the model at once; None: what suits the device.
        name, revision: what it says of itself.

    Raises:
        UsageError: a tokenizer without a mask, or one that does not know the characters of its tokens.
        DataError: the tokenizer has more tokens than the model.
    """

    def __init__(
        self,
        model: Any,
        tokenizer: Any,
        *,
        score: MaskedScore = "pll_word_l2r",
        batch_tokens: int | None = None,
        name: str = "",
        revision: str | None = None,
    ) -> None:
        if tokenizer.mask_token_id is None:
            raise UsageError("the tokenizer has no mask; score this model with --family causal")
        if not tokenizer.is_fast:
            raise UsageError("the tokenizer does not know the characters of its tokens; take a model with a fast one")
        self.model, self.tokenizer, self.kind = model, tokenizer, score
        self.torch, self.device = scoring_library("torch"), next(model.parameters()).device
        self.batches = Batches(self.device, batch_tokens)
        self._output = OutputLayer(model)
        self._pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else 0
        self._limits = limits_of(model, tokenizer)
        if refusal := self._limits.refusal([tokenizer.mask_token_id]):
            raise DataError(f"{tokenizer.mask_token}: {refusal.reason}")
        dtype = str(next(model.parameters()).dtype).removeprefix("torch.")
        self.identity = Identity(
            name or getattr(model, "name_or_path", ""),
            "masked",
            score,
            revision,
            dtype,
            tokenizer.cls_token,
            tokenizer.sep_token,
            library_versions(),
        )

    def __call__(self, texts: list[str], /) -> list[TokenScores]:
        """Score sentences, in their order.

        Raises:
            UsageError: the score is that of one word, which a sentence alone does not name. DataError: a sentence that
                cannot be scored.
        """
        if self.kind == "masked_word":
            raise UsageError("the score masked_word is one of pairs: it needs the word in which they differ")
        return all_scored(texts, self.score([Request(text) for text in texts]))

    def score(self, requests: Sequence[Request]) -> list[Verdict]:
        """Score sentences, in their order; without a token that can be masked there is no score."""
        sentences = each_or_reason(self._sentences, [request.text for request in requests])
        copies = [self._copies(request, sentence) for request, sentence in zip(requests, sentences, strict=True)]
        logprobs = iter(self._logprobs([c for each in copies if not isinstance(each, Unscored) for c in each]))
        verdicts: list[Verdict] = []
        for each in copies:
            if isinstance(each, Unscored):
                verdicts.append(each)
            else:
                verdicts.append(TokenScores([next(logprobs) for _ in each], [copy.span for copy in each]))
        return verdicts

    def at_mask(self, texts: Sequence[str], words: Sequence[str]) -> NDArray[np.float32]:
        """Compute the log-probabilities of words in the place of the one mask of each sentence.

        Args:
            texts: sentences in which the mask is written out.
            words: each of them one token of the tokenizer.

        Returns:
            Sentences x words, in nats.

        Raises:
            DataError: a word that is not one token, or a sentence that cannot be scored.
        """
        tokens = self.torch.tensor([self._token(word) for word in words], device=self.device)
        copies = []
        read = each_or_reason(self._sentences, [*texts])
        for text, sentence in zip(texts, read, strict=True):
            refusal = None if isinstance(sentence, Unscored) else self._limits.refusal(sentence.tokens)
            checked: _Sentence | Unscored = refusal or sentence
            if isinstance(checked, Unscored):
                raise DataError(f"{checked.reason}: {text!r}")
            copies.append(_Copy(checked.tokens, checked.tokens.index(self.tokenizer.mask_token_id), 0, (0, 0)))
        logprobs = np.empty((len(copies), len(words)), dtype=np.float32)
        places = sorted(range(len(copies)), key=lambda k: len(copies[k]))
        numbers = iter(places)

        def compute(batch: list[_Copy]) -> None:
            rows = self._distributions(batch, lambda _, logprobs: logprobs[:, tokens])
            logprobs[[next(numbers) for _ in batch]] = rows.cpu().numpy()

        self.batches.over([copies[k] for k in places], compute)
        return logprobs

    def _token(self, word: str) -> int:
        """The number of the token that a word is inside a sentence."""
        before, after = (
            self.tokenizer(text, add_special_tokens=False)["input_ids"] for text in (CARRIER, f"{CARRIER} {word}")
        )
        if after[:-1] != before or after[-1] == self.tokenizer.unk_token_id:
            raise DataError(f"{word!r} is not one token of the tokenizer; a masked model can fill in no other")
        number: int = after[-1]
        return number

    def _sentences(self, texts: list[str]) -> list[_Sentence]:
        output = self.tokenizer(texts, return_offsets_mapping=True)
        sentences = []
        for k, (ids, spans) in enumerate(zip(output["input_ids"], output["offset_mapping"], strict=True)):
            words = tuple(-1 if word is None else word for word in output.word_ids(k))
            sentences.append(_Sentence(tuple(ids), tuple(map(tuple, spans)), words))
        return sentences

    def _copies(self, request: Request, sentence: _Sentence | Unscored) -> list[_Copy] | Unscored:
        """Mask a sentence, one copy for each token that is scored, or say why it cannot be scored."""
        if isinstance(sentence, Unscored):
            return sentence
        mask = self.tokenizer.mask_token_id
        if refusal := self._limits.refusal(sentence.tokens):
            return refusal
        places = sentence.inner
        if self.kind == "masked_word":
            start, end = request.word or (0, 0)
            places = [k for k in places if sentence.spans[k][0] < end and sentence.spans[k][1] > start]
            if len(places) != 1 or sentence.tokens[places[0]] == self.tokenizer.unk_token_id:
                return Unscored("the sentences do not differ in one word of one token that the model knows")
        if not places:
            return Unscored("no token of it can be masked")
        return [_masked(sentence, k, self.kind, mask) for k in places]

    def _logprobs(self, copies: list[_Copy]) -> list[float]:
        """The log-probabilities of the targets, in the order of the copies; equal copies are computed once."""
        unique = sorted(dict.fromkeys(copies), key=len)
        logprob_of: dict[_Copy, float] = {}

        def compute(batch: list[_Copy]) -> None:
            logprob_of.update(zip(batch, self._forward(batch), strict=True))

        self.batches.over(unique, compute)
        return [logprob_of[copy] for copy in copies]

    def _forward(self, batch: list[_Copy]) -> list[float]:
        """The log-probabilities of the targets."""
        targets = self.torch.tensor([copy.target for copy in batch], device=self.device)
        picked = self._distributions(batch, lambda part, logprobs: logprobs.gather(1, targets[part, None])[:, 0])
        logprobs: list[float] = picked.cpu().double().tolist()
        return logprobs

    def _distributions(self, batch: list[_Copy], pick: Callable[[slice, Any], Any]) -> Any:
        """What `pick` takes of the log-probabilities in the scored places: of some copies, copies x vocabulary."""
        torch, n = self.torch, len(batch)
        longest = max(map(len, batch))
        tokens = torch.tensor(
            [[*copy.tokens, *[self._pad] * (longest - len(copy))] for copy in batch], device=self.device
        )
        lengths = torch.tensor([[len(copy)] for copy in batch], device=self.device)
        seen = (torch.arange(longest, device=self.device) < lengths).long()
        every, places = torch.arange(n, device=self.device), [copy.place for copy in batch]

        def narrow(hidden: Any) -> Any:
            return hidden[every, places][:, None]

        with quiet(self.model), self._output.narrowed(narrow):
            logits = self.model(input_ids=tokens, attention_mask=seen).logits
            logits = logits[:, 0] if logits.shape[1] == 1 else logits[every, places]
            parts = [
                pick(slice(a, b), torch.log_softmax(logits[a:b].float(), -1))
                for a, b in chunks(n, logits.shape[-1], self.device)
            ]
        return torch.cat(parts)


def _masked(sentence: _Sentence, place: int, kind: MaskedScore, mask: int) -> _Copy:
    """The sentence with the masks by which one of its tokens is scored."""
    word = sentence.words[place]
    right = kind == "pll_word_l2r"
    tokens = tuple(
        mask if k == place or (right and k > place and sentence.words[k] == word) else token
        for k, token in enumerate(sentence.tokens)
    )
    return _Copy(tokens, place, sentence.tokens[place], sentence.spans[place])


def masked_lm(
    name: str,
    *,
    revision: str | None = None,
    device: str = "auto",
    dtype: Dtype = "float32",
    score: MaskedScore = "pll_word_l2r",
    batch_tokens: int | None = None,
    trust_remote_code: bool = False,
) -> MaskedScorer:
    """A scorer for a masked language model of transformers.

    Args:
        name: a local folder, or a name on the hub.
        revision: branch, tag or commit on the hub.
        device: of torch, or auto.
        dtype: precision of the forward pass; log-probabilities are float32.
        score: what the score is, see `blimpgen.scoring.masked`.
        batch_tokens: tokens that go into the model at once; None: what suits the device.
        trust_remote_code: run Python code that comes with the model.

    Raises:
        UsageError: torch is not installed. DataError: the model cannot be loaded.
    """
    loaded = load(
        name, "AutoModelForMaskedLM", revision=revision, device=device, dtype=dtype, trust_remote_code=trust_remote_code
    )
    return MaskedScorer(
        loaded.model, loaded.tokenizer, score=score, batch_tokens=batch_tokens, name=name, revision=loaded.revision
    )
