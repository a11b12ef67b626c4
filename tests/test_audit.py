"""Audits of whole sets: cheap rules, the spread of words, errata, and the command."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path

import pytest

from blimpgen.api import generate
from blimpgen.audit import (
    Finding,
    WordFrequencies,
    audit,
    audit_sets,
    critical_words,
    errata,
    gravest,
    read_drop_list,
    shortcuts,
)
from blimpgen.audit.audited_sets import audit_rows
from blimpgen.audit.guards import Vocabulary
from blimpgen.audit.shortcuts import RULES
from blimpgen.base.errors import DataError, UsageError
from blimpgen.dataset import read_jsonl, write_jsonl
from blimpgen.library import Library
from tests.conftest import Call

ROW = {"UID": "transitive", "field": "syntax"}
BAD = [
    {**ROW, "pairID": "0", "sentence_good": "The baker hugged Anna.", "sentence_bad": "The baker overslept Anna."},
    {**ROW, "pairID": "1", "sentence_good": "The bakers hugs Anna.", "sentence_bad": "The bakers overslept Anna."},
    {**ROW, "pairID": "2", "sentence_good": "A actor hugged Anna.", "sentence_bad": "A actor shrugged Anna."},
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
    assert found["pairs"] == 3
    assert found["severities"] == {"label wrong": 1, "label doubtful": 0, "second difference": 0, "form": 1}
    pairs = found["errata"]["transitive"]
    assert [(item["code"], item["severity"]) for item in pairs["1"]] == [("psych-3sg", "label wrong")]
    assert [item["code"] for item in pairs["2"]] == ["article-sound"]
    assert found["codes"]["psych-3sg"]["pairs"] == {"label wrong": 1}
    more = errata(audit_sets(released, library, codes=("article-sound", "object-possible")), remarks=True)
    assert [item["code"] for item in more["errata"]["transitive"]["2"]] == ["article-sound", "object-possible"]
    assert more["codes"]["object-possible"]["unproved"]
    assert not more["codes"]["article-sound"]["unproved"]


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

    def test_a_file_of_ones_own_may_declare_free_length(self, call: Call, tmp_path: Path) -> None:
        slots = "slots:\n  verb: {cat: VG.plain, Tense: Past, frame: V}\n  subj: {cat: DP.name, subject_of: verb}\n"
        slots += "good: subj verb .\nbad: subj will verb .\n"
        for name, declared in (("free", "length: will is a word\n"), ("same", "")):
            text = f"summary: Will stands before a bare verb.\nfield: morphology\n{slots}{declared}"
            (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
        files = [tmp_path / "free.yaml", tmp_path / "same.yaml"]
        assert call("generate", *files, "-n", 5, "-o", tmp_path / "set").code == 0
        told = call("audit", tmp_path / "set", "--code", "word-count")
        assert "free: 5 pairs, 0 with findings" in told.out
        assert "same: 5 pairs, 5 with findings" in told.out

    def test_the_same_with_two_processes(self, call: Call, tmp_path: Path, library: Library, released: Path) -> None:
        for uid in ("adjunct_island", "filler_gap_2x2"):
            write_jsonl(generate(uid, n=10, library=library), released / f"{uid}.jsonl")
        one, two = (call("audit", released, "--json", "--jobs", jobs) for jobs in (1, 2))
        assert (two.code, two.out, two.err) == (one.code, one.out, one.err)
        assert [len(file["findings"]) > 0 for file in json.loads(two.out)] == [False, False, True]

    @pytest.mark.parametrize("jobs", [1, 2])
    def test_a_fault_is_told_in_its_place(self, call: Call, released: Path, jobs: int) -> None:
        (released / "unread.jsonl").write_text('{"sentence_good": 1}\n', encoding="utf-8")
        told = call("audit", released, "--jobs", jobs)
        assert told.code == 1
        assert "transitive: 3 pairs" in told.out
        assert "unread.jsonl:1: neither a pair" in told.err
        (released / "unread.jsonl").write_bytes((released / "transitive.jsonl").read_bytes())
        assert "transitive has a record '0' here and in" in call("audit", released, "--jobs", jobs).err

    def test_findings_give_exit_code_1(self, call: Call, released: Path) -> None:
        told = call("audit", released, "--code", "psych-3sg", "--code", "article-sound")
        assert told.code == 1
        assert "psych-3sg, label wrong: 1 (pairs 1)" in told.out
        assert told.err == "2 of 3 pairs with findings\n"

    def test_a_release_gives_errata(self, call: Call, released: Path) -> None:
        told = call("audit", released, "--released", "--json")
        assert told.code == 0
        assert set(json.loads(told.out)["errata"]["transitive"]) >= {"1", "2"}
        assert told.err.startswith("of 3 pairs by their gravest finding: label wrong 1")
        shown = call("audit", released, "--released").out
        assert "rules:" not in shown
        assert ", remark:" not in shown
        assert ", remark:" in call("audit", released, "--released", "--remarks").out

    def test_what_is_not_proven_stands_in_the_same_report(self, call: Call, released: Path) -> None:
        told = call("audit", released, "--released", "--prove", "--json")
        pairs = json.loads(told.out)["errata"]["transitive"]
        assert "unknown-words" in [item["code"] for item in pairs["1"]]
        assert json.loads(told.out)["codes"]["unknown-words"]["unproved"]
        assert "unknown-words" not in call("audit", released, "--released", "--remarks").out

    def test_drop_lists(self, call: Call, released: Path, tmp_path: Path) -> None:
        told = call("audit", released, "--released", "--drop-lists", tmp_path / "drop")
        assert told.code == 0
        assert "label-wrong.tsv: 1 pairs" in told.err
        assert (tmp_path / "drop/label-wrong.tsv").read_text(encoding="utf-8") == "UID\tpairID\ntransitive\t1\n"
        assert read_drop_list(tmp_path / "drop/label-wrong.tsv") == {("transitive", "1")}
        assert ("transitive", "1") in read_drop_list(tmp_path / "drop/label-wrong-or-doubtful.tsv")
        (tmp_path / "no.tsv").write_text("transitive 1\n", encoding="utf-8")
        with pytest.raises(DataError, match=r"no\.tsv:1: not a pair"):
            read_drop_list(tmp_path / "no.tsv")
        with pytest.raises(UsageError, match="cannot be read as a list of pairs"):
            read_drop_list(tmp_path / "none.tsv")

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


JUDGED = Path(__file__).parent / "fixtures" / "judged_release.tsv"
LABEL = ("label wrong", "label doubtful")


@pytest.mark.slow
def test_the_judged_sample_of_the_release(shared_data: Path, library: Library) -> None:
    # 737 pairs, 11 of each paradigm, were judged before any finding about them was looked at: the first 402 of them
    # measure, the others were read while the guards were mended.
    judged = [line.split("\t") for line in JUDGED.read_text(encoding="utf-8").splitlines()[1:]]
    verdict = {(uid, pair): says for uid, pair, says, _ in judged}
    rows = [
        row
        for uid in dict.fromkeys(uid for uid, _ in verdict)
        for record in read_jsonl(shared_data / "blimp_sample" / f"{uid}.jsonl")
        if (uid, (row := record.to_dict())["pairID"]) in verdict
    ]
    findings: dict[tuple[str, str], list[Finding]] = {}
    for finding in audit(rows, library):
        findings.setdefault((finding.uid, finding.pair_id), []).append(finding)
    for role in ("measure", "mend"):
        keys = [(uid, pair) for uid, pair, _, part in judged if part == role]
        named = {key: gravest(findings[key]) if findings.get(key) else "fine" for key in keys}
        wrong = {key for key in keys if verdict[key] == LABEL[0]}
        label = {key for key in keys if verdict[key] in LABEL}
        named_wrong = {key for key in keys if named[key] == LABEL[0]}
        named_label = {key for key in keys if named[key] in LABEL}
        doubtful = named_label - named_wrong
        assert len(named_wrong & wrong) / len(named_wrong) >= 0.95
        assert len(named_wrong & wrong) / len(wrong) >= 0.95
        assert len(named_label & label) / len(label) >= 0.85
        assert len(doubtful & label) / len(doubtful) >= 0.70


@pytest.mark.parametrize(("slips", "found"), [(20, {"tense-differs": 1}), (3, {"tense-differs": 3, "bad-agrees": 3})])
def test_what_all_pairs_have_is_the_contrast(library: Library, slips: int, found: dict[str, int]) -> None:
    people = itertools.permutations(["Anna", "Daniel", "Maria", "Carlos", "Karen"], 2)
    rows = [
        {
            "UID": "of_my_own",
            "pairID": str(k),
            "sentence_good": f"{name} greets {other}.",
            "sentence_bad": f"{name} {'greeted' if k < slips else 'greet'} {other}.",
        }
        for k, (name, other) in enumerate(people)
    ]
    audited = audit_rows(rows, library)
    assert Counter(finding.code for finding in audited.findings) == found


@pytest.mark.parametrize(("keys", "severity"), [((), "label wrong"), (("derivable", "good"), "remark")])
def test_what_a_paradigm_declares_is_no_error(library: Library, keys: tuple[str, ...], severity: str) -> None:
    row = {
        "UID": "of_my_own",
        "pairID": "0",
        "sentence_good": "Anna greets Daniel.",
        "sentence_bad": "Anna greeted Daniel.",
    }
    severities = {f.code: f.severity for f in audit([row], library, declared={"of_my_own": keys})}
    assert severities["bad-agrees"] == severity
