"""How much a model prefers the word that agrees with a noun: sums over the contexts of the study, by configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from blimpgen.base.errors import DataError, UsageError
from blimpgen.nouns import Contexts
from blimpgen.nouns.agreement_scores import advantages
from blimpgen.scoring.causal import CausalScorer
from blimpgen.scoring.loading import Loaded, load
from blimpgen.scoring.masked import MaskedScorer
from blimpgen.scoring.model_families import Options, family_of
from blimpgen.scoring.scores import Request

__all__ = ["Family", "NounModel", "Total", "load_model", "study_family"]

Family: TypeAlias = Literal["causal", "masked"]
_LOADERS: Mapping[Family, str] = {"causal": "AutoModelForCausalLM", "masked": "AutoModelForMaskedLM"}
_CALIBRATING = 8
"""Contexts by which it is settled how a model is computed."""


class Total(NamedTuple):
    """A sum of advantages, in nats, and of how many contexts and words."""

    value: float
    samples: int


def study_family(name: str, options: Options) -> Family:
    """The family of a model that the study can be done with.

    Args:
        name: causal, masked, or auto, which looks at the model.
        options: what the call says about the model.

    Raises:
        UsageError: a model of another family. DataError: the model cannot be loaded.
    """
    family = family_of(options) if name == "auto" else name
    for each in _LOADERS:
        if family == each:
            return each
    raise UsageError(f"{options.model} is of the family {family}; a causal or a masked model of transformers is needed")


def load_model(options: Options, family: Family) -> Loaded:
    """Load a model with its tokenizer.

    Args:
        options: what the call says about the model.
        family: causal or masked.

    Raises:
        UsageError: torch is not installed. DataError: it cannot be loaded, or has no tokenizer.
    """
    return load(
        options.model,
        _LOADERS[family],
        revision=options.revision,
        device=options.device,
        dtype=options.dtype,
        trust_remote_code=options.trust_remote_code,
    )


class NounModel:
    """A model of transformers that is asked which word agrees with a noun.

    Args:
        model, tokenizer: of transformers.
        family: causal: whole sentences are compared; masked: the words in the place of the mask.
        options: what the call says about the model.
    """

    def __init__(self, model: Any, tokenizer: Any, family: Family, options: Options) -> None:
        self._scorer: CausalScorer | MaskedScorer
        if family == "causal":
            self._scorer = CausalScorer(
                model,
                tokenizer,
                bos=options.bos,
                eos=options.eos,
                leading_space=options.leading_space,
                batch_tokens=options.batch_tokens,
                share_prefixes=options.share_prefixes,
            )
        else:
            self._scorer = MaskedScorer(model, tokenizer, score="masked_word", batch_tokens=options.batch_tokens)

    def calibrate(self, contexts: Contexts, target: tuple[str, str]) -> None:
        """Settle how a causal model is computed, whatever it has scored before.

        Args:
            contexts: of a task.
            target: singular and plural of a noun.
        """
        if isinstance(self._scorer, CausalScorer):
            rows = islice(contexts.of(target), _CALIBRATING)
            self._scorer.calibrate([Request(row[name]) for row in rows for name in contexts.versions])

    def totals(self, contexts: Contexts, target: tuple[str, str], number: str | None = None) -> dict[str, Total]:
        """Sum the advantages of the agreeing word over the other one, for each configuration.

        Args:
            contexts: of a task; of a masked model with its mask.
            target: singular and plural of the noun.
            number: only configurations with a target of this number, SG or PL.

        Raises:
            DataError: a sentence that cannot be scored, or a figure that is no number.
        """
        rows = list(contexts.of(target, number))
        names = [name for name in contexts.versions if number in (None, name.split("_")[0])]
        if isinstance(self._scorer, MaskedScorer):
            totals = self._of_candidates(self._scorer, contexts, rows, names)
        else:
            totals = self._of_sentences(self._scorer, rows, names)
        if not all(np.isfinite(total.value) for total in totals.values()):
            raise DataError(f"the scores of {target[0]!r} are no numbers; try --dtype float32, and look at the model")
        return totals

    @staticmethod
    def _of_sentences(
        scorer: CausalScorer, rows: Sequence[Mapping[str, str]], names: Sequence[str]
    ) -> dict[str, Total]:
        scores = scorer([row[name] for row in rows for name in names])
        logprobs = np.array([score.total for score in scores]).reshape(len(rows), len(names)).sum(axis=0)
        by_configuration = advantages(dict(zip(names, logprobs.tolist(), strict=True)))
        return {configuration: Total(value, len(rows)) for configuration, value in by_configuration.items()}

    @staticmethod
    def _of_candidates(
        scorer: MaskedScorer, contexts: Contexts, rows: Sequence[Mapping[str, str]], names: Sequence[str]
    ) -> dict[str, Total]:
        # Both versions of a configuration are one sentence with a mask.
        configurations = [name.rpartition("_")[0] for name in names if name.endswith("_SG")]
        texts = [row[f"{configuration}_SG"] for configuration in configurations for row in rows]
        words = [form for forms in zip(*contexts.candidates, strict=True) for form in forms]
        logprobs = scorer.at_mask(texts, words).astype(np.float64).reshape(len(configurations), len(rows), 2, -1)
        singular, plural = logprobs.sum(axis=(1, 3)).T
        count = len(rows) * len(contexts.candidates)
        return {
            configuration: Total(float(a - b if configuration.startswith("SG") else b - a), count)
            for configuration, a, b in zip(configurations, singular, plural, strict=True)
        }
