"""The JSON Schema of paradigm files is one that an editor can use: it accepts what is shipped and refuses slips."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from blimpgen.checks.json_schemas import KINDS, SLOT_KEYS, schema
from blimpgen.library import Library
from blimpgen.plan.spec import DAUGHTERS, KEYS

GOOD = {"summary": "x", "field": "syntax", "slots": {"subj": {"cat": "DP"}}, "good": "subj .", "bad": "subj ."}


class Editor(yaml.SafeLoader):
    """Reads YAML as editors do, by version 1.2: only true and false are no texts."""

    yaml_implicit_resolvers = {  # noqa: RUF012
        first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
        for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    return jsonschema.Draft202012Validator(schema("paradigm"))


@pytest.mark.parametrize("kind", KINDS)
def test_every_schema_is_a_schema(kind: str) -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
    jsonschema.Draft202012Validator.check_schema(schema(kind))


def test_every_key_of_a_slot_is_explained() -> None:
    assert {*SLOT_KEYS} | {*DAUGHTERS} == {*KEYS}


def test_every_shipped_paradigm_is_accepted(validator: Any, library: Library) -> None:
    for suite in library.suites.values():
        for uid, path in suite.files.items():
            data = yaml.load(path.read_text(encoding="utf-8"), Editor)
            problems = [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(data)]
            assert problems == [], uid


@pytest.mark.parametrize(
    "change",
    [
        {"sumary": "x"},
        {"field": "sintax"},
        {"slots": {"subj": {"cat": "DP", "subject_of": 3}}},
        {"slots": ["subj"]},
        {"methods": ["simpel"]},
        {"examples": [{"good": "x"}]},
        {"summary": None, "slots": None, "field": 3},
    ],
)
def test_slips_are_refused(change: dict[str, Any], validator: Any) -> None:
    assert validator.is_valid(GOOD)
    assert not validator.is_valid({**GOOD, **change})


def test_what_extends_needs_nothing_else(validator: Any) -> None:
    assert validator.is_valid({"extends": "transitive", "slots": {"subj": None}})
    assert not validator.is_valid({"slots": GOOD["slots"]})
