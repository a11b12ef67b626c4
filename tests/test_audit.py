"""Audits of whole sets: cheap rules, the spread of words, errata, and the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from blimpgen.api import generate
from blimpgen.audit import WordFrequencies, audit_sets, critical_words, errata, shortcuts
from blimpgen.audit.guards import Vocabulary
from blimpgen.audit.shortcuts import RULES
from blimpgen.dataset import write_jsonl
from blimpgen.library import Library
from tests.conftest import Call

ROW = {"UID": "transitive", "field": "syntax"}
BAD = [
    {**ROW, "pairID": "0", "sentence_good": "The baker hugged Anna.", "sentence_bad": "The baker overslept Anna."},
    {**ROW, "pairID": "1", "sentence_good": "The bakers hugs Anna.", "sentence_bad": "The bakers overslept Anna."},
    {**ROW, "pairID": "2", "sentence_good": "A actor hugged Anna.", "sentence_bad": "A actor helped Anna."},
]


@pytest.fixture(scope="module")
def frequencies(library: Library) -> WordFrequencies:
    return WordFrequencies(Vocabulary(library.lexicon))


@pytest.fixture
def released(tmp_path: Path) -> Path:
    """A set with bad pairs, as a release has them."""
    folder = tmp_path / "released"
    folder.mkdir()
    (folder / "transitive.jsonl").write_text("".join(json.dumps(row) + "\n" for row in BAD), encoding="utf-8")
    return folder


class TestShortcuts:
    @pytest.mark.parametrize(
        "rule, good, bad, score",
        [
            ("fewer-words", "Anna left.", "Anna has left.", 1.0),
            ("fewer-words", "Anna left.", "Anna has.", 0.5),
            ("fewer-characters", "Anna has departed.", "Anna has left.", 0.0),
            ("more-names", "Anna saw Robert.", "Anna saw people.", 1.0),
            ("more-names", "Anna saw Robert.", "Robert saw Anna.", 0.5),
            ("more-frequent", "The people left.", "The orthodontist left.", 1.0),
            ("more-frequent", "The orthodontist left.", "The people left.", 0.0),
        ],
    )
    def test_rules(self, rule: str, good: str, bad: str, score: float, frequencies: WordFrequencies) -> None:
        assert shortcuts([(good, bad)], frequencies)[rule] == score

    def test_a_set_that_single_words_give_away(self, frequencies: WordFrequencies) -> None:
        pairs = [(f"Guest {k} thinks that he left.", f"Guest {k} thinks that himself left.") for k in range(20)]
        assert shortcuts(pairs, frequencies)["unigrams"] == shortcuts(pairs, frequencies)["bigrams"] == 1.0

    def test_a_set_that_only_the_order_gives_away(self, frequencies: WordFrequencies) -> None:
        pairs = [(f"Who left guest {k} before dinner?", f"Left who guest {k} before dinner?") for k in range(20)]
        scores = shortcuts(pairs, frequencies)
        assert scores["unigrams"] == 0.5
        assert scores["bigrams"] == 1.0

    def test_what_is_learnt_is_asked_of_other_pairs(self, frequencies: WordFrequencies) -> None:
        pairs = [(f"word{k} is here.", f"term{k} is here.") for k in range(20)]
        assert shortcuts(pairs, frequencies)["unigrams"] == 0.5

    def test_every_rule_is_explained(self, frequencies: WordFrequencies) -> None:
        assert [*shortcuts([("A.", "B.")], frequencies)] == [*RULES]
        assert shortcuts([], frequencies) == {}

    def test_critical_words(self) -> None:
        pairs = [("She saw him.", "She saw her."), ("He saw him.", "He saw it."), ("We go.", "We go up.")]
        shares = critical_words(pairs)
        assert (shares["good"].different, shares["good"].most, shares["good"].share) == (1, "him", 1.0)
        assert (shares["bad"].different, shares["bad"].share) == (3, 1 / 3)


def test_errata_by_uid_and_pair(released: Path, library: Library) -> None:
    found = errata(audit_sets(released, library, codes=("psych-3sg", "article-sound", "object-possible")))
    assert (found["pairs"], found["affected"], found["unproved"]) == (3, 2, 0)
    pairs = found["errata"]["transitive"]
    assert [item["code"] for item in pairs["1"]] == ["psych-3sg"]
    assert [item["code"] for item in pairs["2"]] == ["article-sound", "object-possible"]
    assert found["codes"]["object-possible"]["unproved"]
    assert not found["codes"]["psych-3sg"]["unproved"]
    only = errata(audit_sets(released, library, codes=("object-possible",)))
    assert (only["affected"], only["unproved"]) == (1, 1)


class TestCommand:
    def test_a_clean_set(self, call: Call, tmp_path: Path, library: Library) -> None:
        for uid in ("adjunct_island", "filler_gap_2x2"):
            write_jsonl(generate(uid, n=40, library=library), tmp_path / f"{uid}.jsonl")
        told = call("audit", tmp_path)
        assert (told.code, told.err) == (0, "0 of 120 pairs with findings\n")
        assert "adjunct_island: 40 pairs, 0 with findings\n    rules: fewer-words 0.50" in told.out
        assert "filler_gap_2x2: 80 pairs" in told.out
        sets = json.loads(call("audit", tmp_path, "--json").out)
        assert [one["UID"] for one in sets] == ["adjunct_island", "filler_gap_2x2"]
        assert sets[0]["shortcuts"].keys() == RULES.keys()
        assert sets[0]["shortcuts"]["unigrams"] == 0.5

    def test_findings_give_exit_code_1(self, call: Call, released: Path) -> None:
        told = call("audit", released, "--code", "psych-3sg", "--code", "article-sound")
        assert told.code == 1
        assert "psych-3sg: 1 (pairs 1)" in told.out
        assert told.err == "2 of 3 pairs with findings\n"

    def test_a_release_gives_errata(self, call: Call, released: Path) -> None:
        told = call("audit", released, "--released", "--json")
        assert told.code == 0
        assert set(json.loads(told.out)["errata"]["transitive"]) >= {"1", "2"}
        assert "rules:" not in call("audit", released, "--released").out

    def test_what_data_say_cannot_direct_a_terminal(self, call: Call, tmp_path: Path) -> None:
        row = {**BAD[1], "sentence_bad": "The bakers \x1b[31mred."}
        (tmp_path / "red.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        assert "'\\x1b[31mred'" in call("audit", tmp_path).out
        row["UID"] = "\x1b[31mred"
        (tmp_path / "red.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        told = call("audit", tmp_path)
        assert told.code == 1
        assert not {"\x1b", "\x07"} & set(told.out + told.err)

    def test_wrong_usage(self, call: Call, tmp_path: Path, released: Path) -> None:
        none = tmp_path / "none"
        expected = f"{none}: no such file or directory; name a data set; `blimpgen generate -o DIR` makes one\n"
        assert call("audit", none).err == expected
        told = call("audit", released, "--code", "psych-3s")
        assert told.code == 2
        assert "did you mean 'psych-3sg'?" in told.err


@pytest.mark.slow
def test_the_sample_of_the_release(shared_data: Path, library: Library) -> None:
    found = errata(audit_sets(shared_data / "blimp_sample", library, with_shortcuts=False))
    assert found["pairs"] == 67 * 200
    assert found["pairs"] * 0.2 < found["affected"] < found["pairs"] * 0.6
