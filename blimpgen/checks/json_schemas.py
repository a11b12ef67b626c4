"""JSON Schemas of the formats, for editors and for whoever reads our files with other tools."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from blimpgen.corpora.filters import FilterModel
from blimpgen.dataset import Manifest, PairRow, SetRow
from blimpgen.paradigm import ParadigmModel
from blimpgen.plan.spec import DAUGHTERS, KEYS, RELATIONS

__all__ = ["KINDS", "SLOT_KEYS", "schema"]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_MODELS: dict[str, type[BaseModel]] = {
    "paradigm": ParadigmModel,
    "filter": FilterModel,
    "pair": PairRow,
    "set": SetRow,
    "manifest": Manifest,
}
KINDS = tuple(_MODELS)
"""What there is a schema of."""

SLOT_KEYS = {
    "cat": "A category of the grammar, or some of its rules: DP, DP.name | DP.det.",
    "is": "A restriction on the head word: human & not kin.",
    "frame": "A frame that the word lists: V.NP; several with |, all of several with &.",
    "no_frame": "A frame that every word with that spelling is asserted not to have.",
    "like": "A slot of which only the head word is drawn again.",
    "same": "A slot whose word this is, with its own agreement.",
    "every": "Category to a restriction on every word of it below: {V: words=1}.",
    "words": "A slot without grammar: one of these words, or a named list of the lexicon.",
    "table": "A slot without grammar: one of these rows, used as slot.column.",
    "subject_of": "The verbs, adjectives or phrases whose subject this is.",
    "object_of": "The verbs whose object this is.",
    "goal_of": "The verbs whose goal this is: given, sent or shown something.",
    "second_object_of": "The verbs whose second object this is: what is given, in give somebody a book.",
    "modifies": "The noun that an adjective modifies, or the verb that an adverb does.",
    "antecedent": "The noun phrase that a relativizer stands for.",
    "agrees_with": "The noun phrase whose number, or number and gender, this word has.",
    "selects": "The verb whose form this word asks for.",
    "asks_about": "The noun phrase that a wh-word stands for.",
    "bad_subject_of": "A verb whose subject this is asserted not to be.",
    "bad_object_of": "A verb whose object this is asserted not to be.",
}
"""Key of a slot to what it says; all other keys are features, or daughters with keys of their own."""


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema of a format.

    Args:
        kind: one of `KINDS`.
    """
    document = {"$schema": _DIALECT, **_MODELS[kind].model_json_schema()}
    return _paradigm(document) if kind == "paradigm" else document


def _paradigm(found: dict[str, Any]) -> dict[str, Any]:
    """The schema of a paradigm file: keys of slots explained, and nothing required of a file that extends another."""
    required = found.pop("required")
    found["anyOf"] = [{"required": ["extends"]}, {"required": required}]
    found["properties"]["slots"]["additionalProperties"] = {
        "description": "A slot: its constraints and relations.",
        "type": "object",
        "properties": {key: _slot_key(key) for key in KEYS},
    }
    for value in found["properties"].values():
        below = value.get("additionalProperties")
        if isinstance(below, dict):
            value["additionalProperties"] = _or_nothing(below)
    found["properties"] = {name: _or_nothing(value) for name, value in found["properties"].items()}
    return found


def _slot_key(key: str) -> dict[str, Any]:
    if key in DAUGHTERS:
        return {"description": "What is asked of this daughter of the phrase; or, of a clause, a relation."}
    names = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "null"}]}
    return {"description": SLOT_KEYS[key], **(names if key in RELATIONS else {})}


def _or_nothing(value: dict[str, Any]) -> dict[str, Any]:
    """A value, or the empty one that removes a key of the file that is extended."""
    described = {"description": value["description"]} if "description" in value else {}
    return {**described, "anyOf": [value, {"type": "null"}]}
