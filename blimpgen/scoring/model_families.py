"""Model families: what makes a scorer from the name of a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import MappingProxyType

from blimpgen.base.errors import DataError, Place, UsageError, nearest
from blimpgen.base.sources import read_tsv
from blimpgen.lexicon.frequency import WordFrequencies
from blimpgen.scoring.baseline import BASELINES, Baseline
from blimpgen.scoring.encoding import Bos
from blimpgen.scoring.loading import Dtype, from_pretrained
from blimpgen.scoring.masked import MASKED_SCORES, MaskedScore, masked_lm
from blimpgen.scoring.ngram import ngram_lm
from blimpgen.scoring.scores import Scorer

__all__ = ["FAMILIES", "GROUP", "ListedModel", "Options", "family_of", "read_models", "scorer_for"]

GROUP = "blimpgen.scorers"
"""Entry points of this group are families: each names a function from the name of a model to a scorer."""

_TEXTS = (".txt", ".arpa", ".bin", ".klm", ".binary", ".mmap")


@dataclass(frozen=True)
class Options:
    """What a call says about its model; a family takes of it what concerns it.

    Attributes:
        model: name or path.
        revision: branch, tag or commit on the hub.
        device: of torch, or auto.
        dtype: precision of the forward pass.
        bos, eos: start and end token.
        leading_space: put a space before the sentence.
        batch_tokens: tokens that go into the model at once; None: what suits the device.
        share_prefixes: compute common prefixes once.
        score: of a masked model.
        order: of an n-gram model that is trained.
        frequencies: of words, for the unigram baseline; None: those of the lexicon.
        trust_remote_code: run Python code that comes with the model.
    """

    model: str
    revision: str | None = None
    device: str = "auto"
    dtype: Dtype = "float32"
    bos: Bos = "auto"
    eos: bool = False
    leading_space: bool = False
    batch_tokens: int | None = None
    share_prefixes: bool = True
    score: MaskedScore = "pll_word_l2r"
    order: int = 3
    frequencies: WordFrequencies | None = None
    trust_remote_code: bool = False


@dataclass(frozen=True)
class ListedModel:
    """A model that a call names, its revision if it has one of its own, and the line of the table that names it."""

    model: str
    revision: str | None
    source: str


def read_models(path: Path) -> list[ListedModel]:
    """Read a table of models: a column ``model``, and perhaps one ``revision``.

    Raises:
        DataError: no such file, or not such a table.
    """
    table = read_tsv(path, ["model", "revision"], required=["model"])
    if not table.rows:
        raise DataError("no model in it; its rows name models, below the name of the column", Place(path), "tsv")
    names = zip(table.column("model"), table.column("revision"), strict=True)
    return [ListedModel(model, revision or None, str(table.place(k))) for k, (model, revision) in enumerate(names)]


def _causal(options: Options) -> Scorer:
    from blimpgen.scoring.causal import causal_lm

    return causal_lm(
        options.model,
        revision=options.revision,
        device=options.device,
        dtype=options.dtype,
        bos=options.bos,
        eos=options.eos,
        leading_space=options.leading_space,
        batch_tokens=options.batch_tokens,
        share_prefixes=options.share_prefixes,
        trust_remote_code=options.trust_remote_code,
    )


def _masked(options: Options) -> Scorer:
    if options.score not in MASKED_SCORES:
        raise UsageError(f"no score {options.score!r}; {nearest(options.score, MASKED_SCORES)}")
    return masked_lm(
        options.model,
        revision=options.revision,
        device=options.device,
        dtype=options.dtype,
        score=options.score,
        batch_tokens=options.batch_tokens,
        trust_remote_code=options.trust_remote_code,
    )


def _ngram(options: Options) -> Scorer:
    return ngram_lm(options.model, order=options.order, bos=options.bos != "no", eos=options.eos)


def _baseline(options: Options) -> Scorer:
    return Baseline(options.model, options.frequencies)


def _callable(options: Options) -> Scorer:
    """A function named as ``package.module:function``."""
    module, colon, name = options.model.partition(":")
    try:
        factory = getattr(import_module(module), name) if colon else None
    except (ImportError, AttributeError) as error:
        raise UsageError(f"--model {options.model}: {error}") from None
    if not callable(factory):
        raise UsageError(
            f"--model {options.model}: name a function from a list of sentences to a list of TokenScores, "
            "as package.module:function"
        )
    scorer: Scorer = factory
    return scorer


FAMILIES: Mapping[str, Callable[[Options], Scorer]] = MappingProxyType(
    {"causal": _causal, "masked": _masked, "ngram": _ngram, "baseline": _baseline, "callable": _callable}
)
"""The families that come with blimpgen; installed entry points of `GROUP` are families too."""


def scorer_for(family: str, options: Options) -> Scorer:
    """The scorer of a model.

    Args:
        family: one of `FAMILIES`, the name of an entry point, or ``auto``.
        options: what the call says about the model.

    Raises:
        UsageError: an unknown family, or something that is not installed. DataError: the model cannot be loaded.
    """
    name = family_of(options) if family == "auto" else family
    if name in FAMILIES:
        return FAMILIES[name](options)
    others = {point.name: point for point in entry_points(group=GROUP)}
    if name not in others:
        raise UsageError(f"no family {name!r}; {nearest(name, ['auto', *FAMILIES, *others])}")
    return _of_entry_point(others[name], options)


def _of_entry_point(point: EntryPoint, options: Options) -> Scorer:
    try:
        make: Callable[[str], Scorer] = point.load()
    except (ImportError, AttributeError) as error:
        raise UsageError(f"the family {point.name!r} is {point.value}, which cannot be loaded: {error}") from None
    return make(options.model)


def family_of(options: Options) -> str:
    """The family that a model seems to be of, by its name or its configuration."""
    name = options.model
    if name in BASELINES:
        return "baseline"
    if Path(name).suffix.lower() in _TEXTS and not Path(name).is_dir():
        return "ngram"
    config = from_pretrained("AutoConfig", name, revision=options.revision, trust_remote_code=options.trust_remote_code)
    architectures = getattr(config, "architectures", None) or []
    if not isinstance(architectures, list) or not all(isinstance(each, str) for each in architectures):
        raise DataError(f"{name}: architectures in config.json must be a list of names, such as [GPT2LMHeadModel]")
    return "masked" if any("MaskedLM" in each for each in architectures) else "causal"
