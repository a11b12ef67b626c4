"""The options that say how a model reads the sentences of a study of nouns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from blimpgen.cli.options import option

if TYPE_CHECKING:
    from blimpgen.scoring.model_families import Options

__all__ = ["NounModelOptions"]


@dataclass(frozen=True)
class NounModelOptions:
    """The options that describe a model of transformers; by default sentences are read as in the study."""

    family: Annotated[
        Literal["auto", "causal", "masked"], option("--family", "causal or masked; auto looks at the model.")
    ] = "auto"
    revision: Annotated[str | None, option("--revision", "Branch, tag or commit on the hub.")] = None
    bos: Annotated[
        Literal["auto", "yes", "no"], option("--bos", "Start token before the sentence; the study has none.")
    ] = "no"
    leading_space: Annotated[
        bool, option("--leading-space", "Put a space before the sentence, as the study does for GPT-2.")
    ] = False
    device: Annotated[str, option("--device", "Device of torch.")] = "auto"
    batch_tokens: Annotated[
        int | None, option("--batch-tokens", "Tokens that go into the model at once.", "N", min=1)
    ] = None
    trust_remote_code: Annotated[bool, option("--trust-remote-code", "Run Python code that comes with the model.")] = (
        False
    )

    def of(self, model: str) -> Options:
        """Give all options of a model, by its path or its name on the hub."""
        from blimpgen.scoring.model_families import Options

        return Options(model, **{name: value for name, value in vars(self).items() if name != "family"})
