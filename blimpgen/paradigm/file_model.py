"""The format of a paradigm file, as pydantic models; `blimpgen schema paradigm` prints their JSON Schema."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

__all__ = ["RELEASED_KEYS", "Fields", "ParadigmModel"]

RELEASED_KEYS = frozenset(
    {
        *("sentence_good", "sentence_bad", "field", "linguistics_term", "UID", "pairID", "lexically_identical"),
        *("simple_LM_method", "one_prefix_method", "two_prefix_method"),
        *("one_prefix_prefix", "one_prefix_word_good", "one_prefix_word_bad"),
        *("two_prefix_prefix_good", "two_prefix_prefix_bad", "two_prefix_word"),
        *("sentences", "pairs", "condition", "comparison", "itemID", "numbers", "difference"),
        *("nonce", "zipf", "metadata", "canary"),
    }
)
"""The keys of records that the program writes itself."""

Fields = Literal["morphology", "syntax", "semantics", "syntax_semantics"]
Method = Literal["simple", "one_prefix", "two_prefix"]
Slot: TypeAlias = dict[str, Any]


def _respelt(yes: str, no: str, value: object) -> object:
    """Give a switch in the spelling of its key, where it is written in another that YAML has (*true*, *Off*)."""
    written = value.lower() if isinstance(value, str) else ""
    return yes if written in ("yes", "true", "on", "y") else no if written in ("no", "false", "off", "n") else value


YesNo: TypeAlias = Annotated[
    Literal["yes", "no"],
    BeforeValidator(partial(_respelt, "yes", "no")),
    WithJsonSchema({"enum": ["yes", "no", True, False]}),
]
OnOff: TypeAlias = Annotated[
    Literal["on", "off"],
    BeforeValidator(partial(_respelt, "on", "off")),
    WithJsonSchema({"enum": ["on", "off", True, False]}),
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Example(_Strict):
    """A worked pair that some assignment must produce word by word."""

    good: str
    bad: str


class ParadigmModel(_Strict):
    """One paradigm file."""

    summary: Annotated[str, Field(description="One sentence: what the contrast is.")]
    field: Annotated[Fields, Field(description="Subfield of linguistics.")]
    extends: Annotated[str | None, Field(description="The paradigm whose keys this file changes.")] = None
    linguistics_term: Annotated[str | None, Field(description="Only where it is not the folder's name.")] = None
    library: Annotated[str | None, Field(description="A library beside the main one.")] = None
    slots: Annotated[dict[str, Slot], Field(description="Name to constraints, in the order in which they are drawn.")]
    vary: Annotated[
        dict[str, list[str] | dict[str, Any]], Field(description="Factors; their levels come in equal shares.")
    ] = {}
    balance: Annotated[list[str], Field(description="Factors, features and slots in equal shares.")] = []
    good: Annotated[str | None, Field(description="The acceptable sentence: slots, words and punctuation.")] = None
    bad: Annotated[str | None, Field(description="The unacceptable sentence.")] = None
    sentences: Annotated[dict[str, str] | None, Field(description="Named sentences, instead of good and bad.")] = None
    pairs: Annotated[
        dict[str, tuple[str, str]] | None, Field(description="Named comparisons: the better sentence first.")
    ] = None
    methods: Annotated[list[Method], Field(description="Scoring methods that the set supports.")] = ["simple"]
    lexically_identical: Annotated[YesNo, Field(description="Released flag: both sentences have the same words.")] = (
        "no"
    )
    critical: Annotated[str | None, Field(description="The slot or word from which prefix fields are made.")] = None
    record: Annotated[dict[str, str], Field(description="Further keys of the record.")] = {}
    condition: Annotated[str | None, Field(description="Condition name, with {factor} places.")] = None
    enumerate: Annotated[YesNo, Field(description="Write all assignments, in order.")] = "no"
    unique: Annotated[OnOff, Field(description="Whether good sentences are unique.")] = "on"
    sense: Annotated[
        OnOff, Field(description="Whether words of different scenes, and what nobody compares, stay apart.")
    ] = "on"
    text: Annotated[Literal["sentence", "plain"], Field(description="plain: no capital, no period added.")] = "sentence"
    regions: Annotated[list[str] | None, Field(description="Regions for SyntaxGym, in slots.")] = None
    predictions: Annotated[list[str] | None, Field(description="Predictions for SyntaxGym.")] = None
    length: Annotated[str | None, Field(description="Why the lengths may differ.")] = None
    derivable: Annotated[str | None, Field(description="Why the bad sentence is meant to be derivable.")] = None
    unproven: Annotated[
        str | None, Field(description="Why the grammar of a language of word lists does not judge the sentences yet.")
    ] = None
    differs: Annotated[str | None, Field(description="What differs from the published paradigm, and why.")] = None
    examples: Annotated[list[Example], Field(description="Worked pairs, tested.")] = []
