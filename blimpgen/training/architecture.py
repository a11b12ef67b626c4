"""Architectures: the sizes of a model that is trained, as data, and the model of transformers that has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blimpgen.base.errors import DataError, UsageError, nearest
from blimpgen.base.extras import require
from blimpgen.base.model_errors import first_error
from blimpgen.base.sources import read_yaml

__all__ = ["ARCHITECTURES", "Architecture", "find_architecture", "new_model"]

_Size: TypeAlias = Annotated[int, Field(ge=1, le=1_000_000)]


class Architecture(BaseModel):
    """The sizes of a model.

    Attributes:
        model: ``lstm``, or ``transformer``: a decoder of the OPT type.
        words: words of the vocabulary, the most frequent ones of the text; two special tokens are added.
        layers: layers.
        width: size of the embedding, which is the output layer as well, and of the layers.
        feedforward: of a transformer: width between its linear layers.
        heads: of a transformer: attention heads a layer; they divide the width.
        positions: tokens of a line that are used, its start and end among them.
        dropout: share of activations that are set to 0 in training.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: Literal["lstm", "transformer"]
    words: _Size = 50_000
    layers: _Size
    width: _Size
    feedforward: _Size = 768
    heads: _Size = 8
    positions: Annotated[int, Field(ge=3, le=1_000_000)] = 512
    dropout: Annotated[float, Field(ge=0, lt=1)] = 0.1


ARCHITECTURES: Mapping[str, Architecture] = MappingProxyType(
    {
        "lstm": Architecture(model="lstm", layers=2, width=1024),
        "transformer": Architecture(model="transformer", layers=8, width=768, feedforward=768, heads=8),
    }
)
"""The two of Patil, Jumelet et al. (2024): 68.0 and 67.2 million parameters."""


def find_architecture(name: str) -> Architecture:
    """Return an architecture by its name, or from a YAML file with the keys of `Architecture`.

    Args:
        name: ``lstm``, ``transformer``, or the path of a file that ends in .yaml or .yml.

    Raises:
        UsageError: no such name. DataError: a file that is not of the format, with its line.
    """
    if name in ARCHITECTURES:
        return ARCHITECTURES[name]
    if not name.endswith((".yaml", ".yml")):
        raise UsageError(f"--arch {name}: {nearest(name, ARCHITECTURES)}; or a .yaml file with sizes")
    document = read_yaml(Path(name))
    try:
        architecture = Architecture.model_validate(document.data)
    except ValidationError as error:
        raise first_error(error, _keys, document.place) from None
    if architecture.model == "transformer" and architecture.width % architecture.heads:
        what = f"a width of {architecture.width} cannot be divided among {architecture.heads} heads"
        raise DataError(what, document.place("heads" if "heads" in document.data else "width"), "value")
    return architecture


def _keys(_: Sequence[str | int]) -> Sequence[str]:
    return list(Architecture.model_fields)


def new_model(architecture: Architecture, vocabulary: int, edge: int) -> Any:
    """Return a model with random weights; the random state of torch decides them.

    Args:
        architecture: its sizes.
        vocabulary: its tokens, special ones included.
        edge: the number of the token that stands at both ends of a line.

    Raises:
        UsageError: torch or transformers is not installed.
    """
    edges = {"bos_token_id": edge, "eos_token_id": edge}
    if architecture.model == "lstm":
        from blimpgen.scoring.lstm import WordLstmConfig, WordLstmForCausalLM

        return WordLstmForCausalLM(
            WordLstmConfig(vocabulary, architecture.width, architecture.layers, architecture.dropout, **edges)
        )
    transformers = require("transformers", "studies")
    config = transformers.OPTConfig(
        vocab_size=vocabulary,
        hidden_size=architecture.width,
        ffn_dim=architecture.feedforward,
        num_hidden_layers=architecture.layers,
        num_attention_heads=architecture.heads,
        max_position_embeddings=architecture.positions,
        dropout=architecture.dropout,
        # The token that fills lines up is that of their edges, which is learned: none is left out.
        pad_token_id=None,
        **edges,
    )
    return transformers.OPTForCausalLM(config)
