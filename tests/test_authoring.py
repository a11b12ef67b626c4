"""What authors ask: `explain` and `why`, on shipped paradigms."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from blimpgen.api import generate, load_paradigm
from blimpgen.authoring import explain_row, why
from blimpgen.authoring.display import tree_lines
from blimpgen.authoring.file_watch import saves
from blimpgen.authoring.new_paradigm import paradigm_text
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.records import MinimalPair
from blimpgen.checks.paradigm_checks import problems
from blimpgen.generation.prepare import prepare
from blimpgen.library import Library, default_library
from tests.conftest import Call, in_tiers

UIDS = ("adjunct_island", "principle_A_case_1", "transitive", "regular_plural_subject_verb_agreement_1")


class TestExplain:
    @pytest.mark.parametrize("uid", UIDS)
    @pytest.mark.parametrize("row, seed", [(0, 0), (17, 0), (17, 3)])
    def test_it_is_the_row_of_the_set(self, uid: str, row: int, seed: int) -> None:
        pair = generate(uid, n=30, seed=seed)[row]
        assert isinstance(pair, MinimalPair)
        explained = explain_row(prepare(uid), row, seed)
        assert explained.record.to_dict() == pair.to_dict()
        assert explained.trees == pair.metadata["trees"]
        assert explained.trees.keys() == {"good", "bad"}
        slots = pair.metadata["slots"]
        assert {choice.path: choice.lexeme for choice in explained.choices if "/" not in choice.path} == {
            name: slot["lexeme"] for name, slot in slots.items() if "lexeme" in slot
        }

    @pytest.mark.parametrize("uid", UIDS)
    def test_every_word_was_possible(self, uid: str) -> None:
        for choice in explain_row(prepare(uid), 5).choices:
            assert 1 <= choice.fitting <= choice.partnered <= choice.admitted
            assert choice.lexeme
            assert choice.facts
            assert choice.words

    def test_the_words_of_the_choices_are_those_of_the_sentence(self) -> None:
        explained = explain_row(prepare("principle_A_case_1"), 17)
        assert isinstance(explained.record, MinimalPair)
        words = [word for choice in explained.choices for word in choice.words.get("good", "").split()]
        assert sorted(words) == sorted(
            w for w in explained.record.good.lower().strip(".").split() if w not in ("that", "he", "she", "they")
        )

    def test_facts_and_demands_have_places(self) -> None:
        subject = next(c for c in explain_row(prepare("transitive"), 3).choices if c.path == "subj")
        assert [fact.text for fact in subject.asked] == ["cat: DP", "subject_of: [verb, iv]"]
        assert all(fact.place and fact.place.line for fact in (*subject.asked, *subject.facts, *subject.rules))
        verb = next(c for c in explain_row(prepare("transitive"), 3).choices if c.path == "verb")
        assert [fact.text.partition(":")[0] for fact in verb.facts[1:]] == ["V.NP"]

    def test_a_design_has_a_tree_for_each_sentence(self) -> None:
        explained = explain_row(prepare("filler_gap_2x2"), 3)
        assert explained.trees.keys() == {"wh_gap", "that_gap", "wh_full", "that_full"}

    def test_an_enumerated_design_has_its_own_rows(self) -> None:
        assert explain_row(prepare("simple_agrmt"), 139).record.to_dict()["pairID"] == "139"
        with pytest.raises(DataError, match=r"140 rows, from 0; there is no row 140"):
            explain_row(prepare("simple_agrmt"), 140)

    def test_the_command(self, call: Call) -> None:
        told = call("explain", "principle_A_case_1", "--row", "17")
        assert told.code == 0
        assert re.search(r"^cell: .*pronoun=", told.out, flags=re.MULTILINE)
        assert re.search(
            r"^    asked     cat: VG; frame: V\.that.* \(.*principle_A_case_1\.yaml:\d+\)$",
            told.out,
            flags=re.MULTILINE,
        )
        assert told.out.count("  (TOP") == 1
        as_json = json.loads(call("explain", "principle_A_case_1", "--row", "17", "--json").out)
        assert as_json.keys() == {"record", "cell", "choices", "trees"}
        assert as_json["choices"][0]["asked"][0]["place"].partition(":")[2].isdigit()


@pytest.mark.parametrize("width", [20, 40, 400])
def test_tree_lines_lose_nothing(width: int) -> None:
    for uid in UIDS:
        for tree in explain_row(prepare(uid), 1).trees.values():
            lines = list(tree_lines(tree, width))
            assert " ".join(" ".join(lines).split()) == tree
            assert width < 400 or len(lines) == 1


REFUSED = [
    # paradigm, slot, word, step, what is told, the file in which it stands
    ("transitive", "verb", "sleep", "own", "frame: V.NP", "transitive.yaml"),
    ("transitive", "iv", "eat", "own", "no_frame: V.NP", "transitive.yaml"),
    ("transitive", "obj", "week", "own", "it is not: not time", "transitive.yaml"),
    ("transitive", "subj", "table", "related", "no word of 'verb' goes with it", "transitive.yaml"),
    ("transitive", "subj", "quickly", "own", "quickly.1 is of category Adv", "transitive.yaml"),
    ("transitive", "obj", "ability", "own", "tagged rare", "nouns.tsv"),
    ("transitive", "subj/D", "teacher", "own", "is of category N", "transitive.yaml"),
    ("principle_A_case_1", "subj", "hammer", "own", "it is not: human", "principle_A_case_1.yaml"),
    ("regular_plural_subject_verb_agreement_1", "subj", "committee", "own", "not group", "agreement_1.yaml"),
    ("regular_plural_subject_verb_agreement_1", "vp", "hurt", "change", "no reading of it may fit", "agreement_1.yaml"),
]


class TestWhy:
    @pytest.mark.parametrize("uid, slot, word, step, text, file", REFUSED, ids=lambda value: str(value))
    def test_what_keeps_a_word_out(self, uid: str, slot: str, word: str, step: str, text: str, file: str) -> None:
        reasons = [reason for verdict in why(prepare(uid), slot, word) for reason in verdict.reasons]
        found = [reason for reason in reasons if reason.step == step and text in reason.text]
        assert found, [reason.text for reason in reasons]
        assert str(found[0].place).rpartition(":")[0].endswith(file)

    @pytest.mark.parametrize(
        "slot, word, demand", [("verb", "clean_up.1", ", is: words=1"), ("iv", "eat", ", no_frame: V.NP")]
    )
    def test_taking_the_reason_away_lets_the_word_in(self, slot: str, word: str, demand: str, tmp_path: Path) -> None:
        text = load_paradigm("transitive").document.path.read_text(encoding="utf-8")
        assert text.count(demand) == 1
        changed = tmp_path / "transitive.yaml"
        changed.write_text(text.replace(demand, ""), encoding="utf-8")
        assert not any(verdict.example for verdict in why(prepare("transitive"), slot, word))
        assert any(verdict.example for verdict in why(prepare(changed, unproven=lambda fault: None), slot, word))

    @pytest.mark.parametrize(
        "uid, slot, word",
        [
            ("transitive", "subj", "teacher"),
            ("transitive", "obj", "teacher.1"),
            ("wh_vs_that_with_gap", "wh", "what"),
            ("transitive", "subj/D", "every"),
            ("transitive", "obj/determiner", "the"),
        ],
    )
    def test_a_word_that_fits_is_shown_in_a_pair(self, uid: str, slot: str, word: str) -> None:
        (verdict,) = why(prepare(uid), slot, word)
        assert verdict.reasons == ()
        forms = [word.removesuffix(".1"), f"{word.removesuffix('.1')}s"]
        assert {w.strip(".?").lower() for w in verdict.example["good"].split()} & set(forms)

    def test_a_word_that_fits_in_some_cells(self) -> None:
        (verdict,) = why(prepare("principle_A_case_1"), "subj/D", "every")
        assert verdict.reasons
        assert all("pronoun=plural" in cell for reason in verdict.reasons for cell in reason.cells)
        assert verdict.example["good"].startswith("Every ")

    def test_what_is_drawn_is_never_kept_out(self) -> None:
        """The question turned round: no word of a generated row has reasons against it in all cells."""
        compiled = prepare("transitive")
        for row in range(2):
            for choice in explain_row(compiled, row).choices:
                verdict = next(v for v in why(compiled, choice.path, choice.lexeme))
                assert verdict.example, (choice.path, choice.lexeme, verdict.reasons)

    def test_a_slot_of_written_words(self) -> None:
        assert why(prepare("npi_present_1"), "adv", "ever")[0].reasons == ()
        (reason,) = why(prepare("npi_present_1"), "adv", "evr")[0].reasons
        assert "did you mean 'ever'?" in reason.text

    @pytest.mark.parametrize(
        "slot, word, text",
        [
            ("subbj", "table", "no slot 'subbj'; did you mean 'subj'?"),
            ("subj/tail", "table", "no slot 'subj/tail'"),
            ("subj", "tablle", "no word 'tablle'; did you mean 'table'?"),
        ],
    )
    def test_misspelt(self, slot: str, word: str, text: str) -> None:
        with pytest.raises(UsageError) as raised:
            why(prepare("transitive"), slot, word)
        assert text in str(raised.value)

    def test_the_command(self, call: Call) -> None:
        told = call("why", "transitive", "verb", "sleep")
        assert told.code == 0
        assert told.out.startswith("sleep.1 (V) does not fit verb\n")
        assert "kept out  frame: V.NP (paradigms/blimp/argument_structure/transitive.yaml:" in told.out
        assert json.loads(call("why", "transitive", "verb", "sleep", "--json").out)[0]["reasons"][0]["step"] == "own"


LIKE = ("principle_A_case_1", "matrix_question_npi_licensor_present", "simple_agrmt", "attractor_agreement")


def begun(uid: str, folder: Path, library: Library) -> Path:
    path = folder / f"my_{uid}.yaml"
    path.write_text(paradigm_text(library, uid, path), encoding="utf-8")
    return path


class TestNew:
    @pytest.mark.parametrize("uid", in_tiers(LIKE, LIKE[1:3]))
    def test_it_runs_and_makes_what_the_other_makes(self, uid: str, tmp_path: Path, library: Library) -> None:
        path = begun(uid, tmp_path, library)
        assert problems(library, path) == []
        mine, original = library.paradigm(path), library.paradigm(uid)
        assert mine.model.model_dump(exclude={"extends", "library", "linguistics_term"}) == original.model.model_dump(
            exclude={"extends", "library", "linguistics_term"}
        )
        assert mine.term == original.term
        assert prepare(path).capacity.value == prepare(uid).capacity.value

    @pytest.mark.slow
    @pytest.mark.parametrize("uid", [*default_library().uids()])
    def test_every_paradigm_can_be_begun_with(self, uid: str, tmp_path: Path, library: Library) -> None:
        path = begun(uid, tmp_path, library)
        own = problems(library, library.paradigm(uid).document.path)
        assert [p.message for p in problems(library, path)] == [p.message for p in own]

    def test_every_key_is_explained(self, tmp_path: Path, library: Library) -> None:
        text = begun("principle_A_case_1", tmp_path, library).read_text(encoding="utf-8")
        for key in ("summary", "vary", "slots", "critical", "examples", "linguistics_term"):
            assert re.search(rf"^# {key}: .+\n(# .+\n)*{key}:", text, flags=re.MULTILINE), key

    def test_the_command_in_the_current_folder(
        self, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert call("new", "my_paradigm", "--like", "principle_A_case_1").out == "my_paradigm.yaml\n"
        assert call("check", "my_paradigm.yaml").code == 0
        again = call("new", "my_paradigm")
        assert again.code == 2
        assert again.err == "my_paradigm.yaml is there already; take another name, or remove it first\n"
        assert [path.name for path in tmp_path.iterdir()] == ["my_paradigm.yaml"]

    @pytest.mark.parametrize("suite", ["../../up", "/etc", ".hidden", ""])
    def test_a_suite_is_a_folder_of_the_data(self, suite: str, call: Call, tmp_path: Path) -> None:
        refused = call("new", "my_paradigm", "--suite", suite, "--data", str(tmp_path / "words"))
        assert refused.code != 0
        assert "is no name for a file or UID" in refused.err
        assert [*tmp_path.iterdir()] == []

    @pytest.mark.slow
    def test_the_command_in_a_data_folder(self, call: Call, tmp_path: Path) -> None:
        path = tmp_path / "words" / "paradigms" / "mine" / "binding" / "my_paradigm.yaml"
        assert call("new", "my_paradigm", "--like", "principle_A_case_1", "--data", str(tmp_path / "words")).code == 0
        assert "linguistics_term" not in path.read_text(encoding="utf-8")
        assert call("check", "my_paradigm", "--data", str(tmp_path / "words")).code == 0

    def test_by_the_name_that_the_paper_has(self, library: Library) -> None:
        alias = "determiner_noun_agreement_with_adj_1"
        text = paradigm_text(library, alias, Path("my.yaml"))
        assert text.startswith("# my: begun like determiner_noun_agreement_with_adjective_1.")

    @pytest.mark.parametrize(
        "line, text",
        [
            ("new adjunct_island", "there is a paradigm 'adjunct_island' in the suite 'blimp'"),
            ("new my-paradigm", "'my-paradigm' is no name for a paradigm"),
            ("new my_paradigm --like adjunct_iland", "did you mean 'adjunct_island'?"),
        ],
    )
    def test_wrong_usage(self, line: str, text: str, call: Call) -> None:
        told = call(*line.split())
        assert told.code == 2
        assert text in told.err


class TestWatch:
    def test_each_save_is_seen(self, tmp_path: Path) -> None:
        one, two = tmp_path / "one", tmp_path / "two"
        one.write_text("1")
        seen = saves(lambda: [one, two], interval=0.001)
        assert next(seen) == {one}
        two.write_text("1")
        assert next(seen) == {two}
        os.utime(one, ns=(1, 1))
        assert next(seen) == {one}
        two.unlink()
        assert next(seen) == {two}

    def test_show_draws_anew_at_each_save(self, tmp_path: Path, library: Library) -> None:
        path = begun("transitive", tmp_path, library)
        command = [sys.executable, "-m", "blimpgen", "show", str(path), "-n", "1", "--watch"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as shown:
            assert shown.stdout is not None

            def drawing() -> list[str]:
                lines = iter(shown.stdout.readline, "") if shown.stdout else iter(())
                found = []
                for line in lines:
                    found.append(line.rstrip("\n"))
                    if line.startswith("-- "):
                        break
                return found

            first = drawing()
            assert first[0].startswith("my_transitive (")
            assert first[-2] == "0 problems"
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("bad:  subj iv obj", "bad:  subj iv obk"), encoding="utf-8")
            broken = drawing()
            assert broken[-2].startswith(f"{path}:")
            assert "'obk'" in broken[-2]
            path.write_text(text.replace("- good: ", "- good: Never ", 1), encoding="utf-8")
            example = drawing()
            assert example[0].startswith("my_transitive (")
            assert "no assignment gives this example" in example[-2]
            shown.send_signal(signal.SIGINT)
            assert shown.wait(timeout=20) == 0
