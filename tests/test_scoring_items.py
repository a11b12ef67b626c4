"""What is read to be scored, and the files of a result."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blimpgen.analysis.results import Item, read_items, read_signature, read_summary, write_items
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.records import SentenceSet
from blimpgen.library import Library
from blimpgen.scoring import read_comparisons
from blimpgen.scoring.reading import to_comparisons

ROW = {
    "sentence_good": "The art gallery closes.",
    "sentence_bad": "The art gallery close.",
    "pairID": "0",
    "one_prefix_prefix": "The art gallery",
    "one_prefix_word_good": "closes",
    "one_prefix_word_bad": " close",
    "field": "syntax/semantics",
    "linguistics_term": "s-selection",
    "UID": "u",
    "simple_LM_method": True,
    "one_prefix_method": True,
    "two_prefix_method": False,
    "lexically_identical": False,
}
SET = {
    "sentences": {"a": "He runs.", "b": "He run.", "c": "They run."},
    "condition": "x",
    "field": "syntax",
    "pairs": [["one", "a", "b"], ["two", "c", "b"]],
    "linguistics_term": "t",
    "UID": "s",
    "itemID": "7",
}


def item(**changes: Any) -> Item:
    fields: dict[str, Any] = {
        "UID": "u",
        "pair_id": "0",
        "field": "syntax",
        "linguistics_term": "t",
        "model": "m",
        "method": "full",
        "score": "log_prob",
        "lp_good": -4.0,
        "lp_bad": -6.0,
        "n_tok_good": 4,
        "n_tok_bad": 3,
        "mean_lp_good": -1.0,
        "mean_lp_bad": -2.0,
        "tie": False,
        "correct": True,
        "credit": 1.0,
        "sentence_good": "A b.",
        "sentence_bad": "B b.",
    }
    return Item(**{**fields, **changes})


def tampered(**changes: Any) -> str:
    """A row with some values changed by hand."""
    return json.dumps({**item().model_dump(), **changes})


def written(folder: Path, *rows: Any, name: str = "u") -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path


def test_a_row_of_the_release_is_read_with_its_critical_word(tmp_path: Path) -> None:
    written(tmp_path, ROW)
    (found,) = read_comparisons(tmp_path)
    (a, b), (c, d) = found.words["one-prefix"]
    assert (found.good[a:b], found.bad[c:d]) == ("closes", "close")
    assert found.methods == ("full", "one-prefix")
    assert (found.field, found.term) == ("syntax_semantics", "argument_structure")


def test_each_comparison_of_a_set_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, SET)
    found = read_comparisons(path)
    assert [(c.pair_id, c.comparison, c.good, c.bad) for c in found] == [
        ("7-one", "one", "He runs.", "He run."),
        ("7-two", "two", "They run.", "He run."),
    ]
    assert {c.condition for c in found} == {"x"}


def test_limit_counts_records_of_each_paradigm(tmp_path: Path) -> None:
    written(tmp_path, *({**SET, "itemID": str(k)} for k in range(3)), *({**ROW, "pairID": str(k)} for k in range(3)))
    found = read_comparisons(tmp_path, limit=2)
    assert [c.pair_id for c in found] == ["0-one", "0-two", "1-one", "1-two", "0", "1"]


def test_own_sets_and_the_release_are_read(library: Library, shared_data: Path) -> None:
    import blimpgen as bg

    records = bg.generate("attractor_agreement", n=4, library=library)
    made = [c for record in records for c in to_comparisons(record)]
    assert {m for c in made for m in c.methods} == {"full", "one-prefix"}
    sets = bg.generate("filler_gap_2x2", n=4, library=library)
    assert all(isinstance(s, SentenceSet) for s in sets)
    assert {c.comparison for s in sets for c in to_comparisons(s)} == {name for name, _, _ in sets[0].pairs}
    released = read_comparisons(shared_data / "blimp_sample", limit=5)
    assert len(released) == 67 * 5
    assert sum("one-prefix" in c.words for c in released) == sum("two-prefix" in c.words for c in released) == 20 * 5
    assert len({c.term for c in released}) == 12


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"one_prefix_prefix": "The art"}, "u, pair 0: the one-prefix fields are not the beginning of its sentences"),
        ({"sentence_good": 3}, "u.jsonl:1: sentence_good: input should be a valid string, not 3"),
    ],
)
def test_a_bad_row_is_one_line(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    path = written(tmp_path, {**ROW, **change})
    with pytest.raises(DataError) as raised:
        read_comparisons(path)
    assert said in str(raised.value)
    assert str(path) in str(raised.value)


def test_a_pair_that_stands_twice_is_refused(tmp_path: Path) -> None:
    written(tmp_path, ROW)
    written(tmp_path, ROW, name="v")
    with pytest.raises(DataError, match=r"u has a record '0' here and in .*u\.jsonl"):
        read_comparisons(tmp_path)


def test_a_directory_without_data_names_those_with(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    written(tmp_path / "inner", ROW)
    with pytest.raises(UsageError, match=r"no \*\.jsonl file in it; there are: inner"):
        read_comparisons(tmp_path)
    with pytest.raises(UsageError, match="no such file or directory"):
        read_comparisons(tmp_path / "absent")


def test_rows_of_a_result_come_back(tmp_path: Path) -> None:
    items = [item(pair_id=str(k)) for k in range(1000)]
    write_items(items, tmp_path / "items.jsonl")
    assert list(read_items(tmp_path)) == list(read_items(tmp_path / "items.jsonl")) == items
    assert (items[0].key, items[0].delta) == (("u", "0", "full"), 2.0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "items.jsonl:2: not a row of a result: Invalid JSON"),
        ('{"UID": "u"}', "items.jsonl:2: not a row of a result: pair_id: Field required"),
        (item().model_dump_json().replace("-4.0", '"NaN"'), "items.jsonl:2: not a row of a result: lp_good: "),
        (tampered(credit=5.0), "items.jsonl:2: not a row of a result: credit: Input should be less than or equal to 1"),
        (tampered(credit=0.0), "items.jsonl:2: not a row of a result: credit of this row and its lp_good and lp_bad"),
        (tampered(lp_bad=-3.0), "not a row of a result: correct, mean_lp_bad of this row and its lp_good"),
        (tampered(sentence_bad=" "), "items.jsonl:2: not a row of a result: sentence_bad: "),
    ],
)
def test_a_bad_line_of_a_result_is_told_with_its_number(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text(f"{item().model_dump_json()}\n{text}\n")
    with pytest.raises(DataError) as raised:
        list(read_items(tmp_path))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


def test_what_is_no_result_is_told(tmp_path: Path) -> None:
    for read in (read_signature, read_summary, lambda path: list(read_items(path))):
        with pytest.raises(DataError, match=r"no such file; name the folder that `blimpgen verify -o` wrote"):
            read(tmp_path)
    (tmp_path / "summary.json").write_text("{}")
    with pytest.raises(DataError, match="not a summary of blimpgen"):
        read_summary(tmp_path)
