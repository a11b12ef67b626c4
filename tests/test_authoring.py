"""What authors ask: `explain` and `why`, on shipped paradigms."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from blimpgen.api import generate, load_paradigm, parse
from blimpgen.authoring import explain_row, why
from blimpgen.authoring.display import tree_lines
from blimpgen.authoring.file_watch import saves
from blimpgen.authoring.new_paradigm import paradigm_text
from blimpgen.authoring.new_word import add_rows, homographs, lexemes_of, new_word, takers, wanting, with_word
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.records import MinimalPair
from blimpgen.checks.paradigm_checks import problems
from blimpgen.generation.prepare import prepare
from blimpgen.lexicon.restrictions import atoms
from blimpgen.library import Library, default_library, load_library
from tests.conftest import Call, in_tiers

UIDS = ("adjunct_island", "principle_A_case_1", "transitive", "regular_plural_subject_verb_agreement_1")


class TestExplain:
    @pytest.mark.parametrize("uid", UIDS)
    @pytest.mark.parametrize(
        "row, seed", [(17, 3), *(pytest.param(*each, marks=pytest.mark.slow) for each in ((0, 0), (17, 0)))]
    )
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
        words = [word.lower() for choice in explained.choices for word in choice.words.get("good", "").split()]
        assert sorted(words) == sorted(
            w
            for w in explained.record.good.lower().replace("'s ", " ").strip(".").split()
            if w not in ("that", "he", "she", "they")
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
        assert [tree[:4] for tree in explained.trees.values()] == ["(TOP", "(* (", "(* (", "(TOP"]

    def test_an_enumerated_design_has_its_own_rows(self) -> None:
        assert explain_row(prepare("simple_agrmt"), 139).record.to_dict()["pairID"] == "139"
        with pytest.raises(DataError, match=r"140 rows, from 0; there is no row 140"):
            explain_row(prepare("simple_agrmt"), 140)

    def test_the_command(self, call: Call) -> None:
        told = call("explain", "principle_A_case_1", "--row", "17")
        assert told.code == 0
        assert re.search(r"^cell: .*pronoun=", told.out, flags=re.MULTILINE)
        assert re.search(
            r"^    asked     cat: VG.*; frame: V\.that.* \(.*principle_A_case_1\.yaml:\d+\)$",
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
    ("SV_Simple", "verb", "visit", "own", "seldom stands without its object", "verbs.tsv"),
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
    @pytest.mark.parametrize("uid", in_tiers(LIKE, ("simple_agrmt",)))
    def test_it_runs_and_makes_what_the_other_makes(self, uid: str, tmp_path: Path, library: Library) -> None:
        path = begun(uid, tmp_path, library)
        assert problems(library, path) == []
        mine, original = library.paradigm(path), library.paradigm(uid)
        own = {"extends", "library", "linguistics_term", "differs", "examples"}
        assert mine.model.model_dump(exclude=own) == original.model.model_dump(exclude=own)
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
        for key in ("summary", "vary", "slots", "critical", "linguistics_term"):
            assert re.search(rf"^# {key}: .+\n(# .+\n)*{key}:", text, flags=re.MULTILINE), key
        for key in ("differs", "examples"):  # of the original
            assert f"\n{key}:" not in text

    def test_the_command_in_the_current_folder(
        self, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        assert call("new", "my_paradigm", "--like", "simple_agrmt").out == "my_paradigm.yaml\n"
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


ADDED = [
    # class, word, the word that it is like, a sentence with it
    ("determiner", "umpteen", "several", "Umpteen guests left."),
    ("wh-word", "whomever", "who", "The clerk noticed whomever a policeman introduced."),
    ("subordinator", "whilst", "while", "The guests left whilst reading the book."),
    ("preposition", "amidst", "among", "The guests vanished amidst the trees."),
    ("noun", "dinghy", "boat", "The guests steered the dinghy."),
    ("name", "Xavier", "Albert", "Xavier left."),
    ("adjective", "gargantuan", "big", "The gargantuan boat vanished."),
    ("adverb", "everlastingly", "often", "The guest everlastingly complained."),
    ("verb", "unbox", "unwrap", "The guests unboxed the toys."),
]
LISTED = [
    # class, word, the word that it is like, a table and its column that name that word
    ("verb", "warble", "sing", "adverbs", "modifies"),
    ("adjective", "gleeful", "great", "macros", "means"),
]


@pytest.fixture(scope="module")
def widened(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Library:
    """A folder to which each of these words was added, and then one that is like one of them."""
    folder = tmp_path_factory.mktemp("words")
    for word_class, lemma, like, *_ in [*ADDED, *LISTED]:
        word = new_word(library.lexicon, lemma, word_class, like=like)
        assert not list(wanting(word))
        add_rows(folder, word)
    add_rows(folder, new_word(load_library(folder).lexicon, "coracle", like="dinghy"))
    return load_library(folder)


class TestNewWord:
    """A word is added to a folder by one command, in every class."""

    @pytest.mark.parametrize("word_class, lemma, like, sentence", ADDED)
    def test_a_word_of_every_class(
        self, word_class: str, lemma: str, like: str, sentence: str, widened: Library, library: Library
    ) -> None:
        assert not parse(sentence, library=library)
        assert parse(sentence, library=widened)

    @pytest.mark.slow
    def test_the_command(self, call: Call, tmp_path: Path) -> None:
        told = call("new", "word", "dinghy", "--like", "boat", "--data", str(tmp_path))
        table = tmp_path / "lexicon" / "nouns.tsv"
        assert (told.code, told.err.splitlines()[0]) == (0, f"written: {table}")
        assert re.search(r"^object of +\d+  .*sail", told.out, re.MULTILINE)
        sentences = re.findall(r"^ +\d+  (.*)$", told.out, re.MULTILINE)
        assert len(sentences) == 10
        assert all("dingh" in sentence for sentence in sentences)
        assert call("new", "word", "dinghy", "--like", "boat", "--data", str(tmp_path)).code == 2
        assert len(table.read_text(encoding="utf-8").splitlines()) == 2

    def test_the_rows_of_a_table_stay(self, tmp_path: Path, library: Library) -> None:
        table = tmp_path / "lexicon" / "nouns.tsv"
        table.parent.mkdir()
        table.write_text("lemma\tid\ttypes\nwidget\twidget.1\ttool\n", encoding="utf-8")
        add_rows(tmp_path, new_word(library.lexicon, "gizmo", "noun", cells={"types": "device", "tags": "+portable"}))
        assert table.read_text(encoding="utf-8") == (
            "lemma\tid\ttypes\ttags\nwidget\twidget.1\ttool\t\ngizmo\tgizmo.1\tdevice\t+portable\n"
        )

    def test_a_broken_table_is_left_alone(self, tmp_path: Path, library: Library) -> None:
        table = tmp_path / "lexicon" / "verb_frames.tsv"
        table.parent.mkdir()
        table.write_text("id\tframe\nzork.1\n", encoding="utf-8")
        with pytest.raises(DataError, match="1 cells, but 2 columns"):
            add_rows(tmp_path, new_word(library.lexicon, "unbox", "verb", like="unwrap"))
        assert [path.name for path in table.parent.iterdir()] == ["verb_frames.tsv"]

    def test_what_it_may_be_read_as_besides(self, library: Library) -> None:
        word = new_word(library.lexicon, "saw", "noun", cells={"types": "tool"}, sense=True)
        with with_word(library, word) as widened:
            (lexeme,) = lexemes_of(widened.lexicon, word)
            assert "saw is also see.1 (V)" in set(homographs(widened.lexicon, lexeme))

    def test_a_verb_says_what_it_takes(self, library: Library) -> None:
        word = new_word(library.lexicon, "zorkle", "verb", frames=["V.NP; subj: human; obj: boat"])
        with with_word(library, word) as widened:
            (lexeme,) = lexemes_of(widened.lexicon, word)
            lines = list(takers(widened.lexicon, lexeme))
        assert [line.split("  ")[0] for line in lines] == ["V.NP: subject", "V.NP: object"]
        assert "canoe" in lines[1]

    def test_a_word_stands_where_lists_name_the_word_that_it_is_like(self, widened: Library) -> None:
        lexicon = widened.lexicon
        lemmas, parse = list(lexicon.nominals.tables[0]["lemma"]), lexicon.hierarchy.parse
        fits = np.array([lexicon.nominals.fits(parse(text))[0] for text in lexicon.table("adjectives")["arg"]])
        boat, dinghy, coracle = (fits[:, lemmas.index(lemma)] for lemma in ("boat", "dinghy", "coracle"))
        assert np.array_equal(boat, dinghy)
        assert np.array_equal(boat, coracle)
        assert np.count_nonzero(boat) > 30
        assert lexicon.nominals.fits(parse("lemma=boat"))[0].sum() == 1

    @pytest.mark.parametrize("word_class, lemma, like, table, column", LISTED)
    def test_lists_of_other_words_too(
        self, word_class: str, lemma: str, like: str, table: str, column: str, widened: Library
    ) -> None:
        lexicon = widened.lexicon
        if table == "macros":
            assert {"great", "gleeful"} <= {
                v for atom in atoms(lexicon.hierarchy.macros["substantive"]) for v in atom.values
            }
        else:
            named = [cell for cell in lexicon.table(table)[column] if re.search(rf"[=/]{like}\b", cell)]
            assert named
            assert all(re.search(rf"[=/]{lemma}\b", cell) for cell in named)

    @pytest.mark.parametrize(
        "line, text",
        [
            ("guest --class noun", "guest.1 is there already; blimpgen lexicon 'guest' shows it"),
            ("glorp", "say what glorp is: --class noun, name, verb"),
            ("glorp --class nuon", "unknown word class 'nuon'; did you mean 'noun'?"),
            ("glorp --class verb", "glorp needs frame"),
            (
                "glorp --class adverb --set cls=manner",
                "glorp needs slot (positions: before the verb, first, last, before an adjective (very) or "
                "comparative (much): pre_v, initial, final, pre_a, pre_cmp)",
            ),
            ("glorp --like bota", "the lexicon has no such word 'bota' to be like"),
            ("glorp --class noun --set typs=tool", "nouns.tsv has no column 'typs' to fill; did you mean 'types'?"),
            ("glorp --class noun --set types=tol", "glorp.1: types: unknown type 'tol'; did you mean 'tool'?"),
            ("glorp --class verb --frame V.NPP", "unknown frame 'V.NPP'; did you mean 'V.NP.P'?"),
            ("glorp --class verb --frame V.NP;sbj:human", "'sbj:human' is no COLUMN: CELL; did you mean 'subj'?"),
            ("glorp --class noun --frame V --set types=tool", "glorp has no frames"),
            ("9lives --class noun --set types=tool", "'9lives' is no word"),
        ],
    )
    def test_wrong_usage(self, line: str, text: str, call: Call, tmp_path: Path) -> None:
        told = call("new", "word", *line.split(), "--data", str(tmp_path / "mine"))
        assert told.code == 2
        assert text in told.err
        assert [*tmp_path.iterdir()] == []

    @pytest.mark.parametrize(
        "line, text",
        [
            ("new paradigm mine", "unexpected 'mine'; a word is added with blimpgen new word mine"),
            ("new mine --class noun", "--class is for words: blimpgen new word WORD --class ..."),
        ],
    )
    def test_words_and_paradigms_are_told_apart(self, line: str, text: str, call: Call) -> None:
        told = call(*line.split())
        assert (told.code, told.err.strip()) == (2, text)


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

    @pytest.mark.slow
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
            path.write_text(text + "examples:\n  - {good: Never., bad: Ever.}\n", encoding="utf-8")
            example = drawing()
            assert example[0].startswith("my_transitive (")
            assert "no assignment gives this example" in example[-2]
            shown.send_signal(signal.SIGINT)
            assert shown.wait(timeout=20) == 0


NOUNS = """\
id\tlemma\ttypes\tGender\tcount
foo.1\tfoo\trule\tCam\tcunt
bar.1\tbar\trole\tCom\tmas
"""


class TestChecksAtOnce:
    def test_all_errors_of_all_tables(self, tmp_path: Path, call: Call) -> None:
        """Every table has its errors told in one call, each in a line of its own."""
        (tmp_path / "lexicon").mkdir()
        (tmp_path / "lexicon" / "nouns.tsv").write_text(NOUNS, encoding="utf-8")
        adjectives = "id\tlemma\tpos\targ\nxx.1\txx\tbot\thuman\nyy.1\tyy\tatr\thuman\n"
        (tmp_path / "lexicon" / "adjectives.tsv").write_text(adjectives, encoding="utf-8")
        told = call("check", "transitive", "--data", tmp_path)
        assert told.code == 1
        pattern = r"^.*/(\w+)\.tsv:(\d+): (\w+)="
        assert re.findall(pattern, told.out, flags=re.MULTILINE) == [
            ("nouns", "2", "count"),
            ("nouns", "2", "Gender"),
            ("nouns", "3", "count"),
            ("adjectives", "2", "pos"),
            ("adjectives", "3", "pos"),
        ]

    def test_many_errors_are_counted(self, tmp_path: Path, call: Call) -> None:
        rows = "".join(f"foo{k}.1\tfoo{k}\trole{k}\n" for k in range(50))
        (tmp_path / "lexicon").mkdir()
        (tmp_path / "lexicon" / "nouns.tsv").write_text(f"id\tlemma\ttypes\n{rows}", encoding="utf-8")
        told = call("check", "transitive", "--data", tmp_path)
        lines = told.out.splitlines()
        assert [f"nouns.tsv:{k + 2}: types: unknown type 'role{k}'" in line for k, line in enumerate(lines[:20])] == [
            True
        ] * 20
        assert lines[20].endswith("nouns.tsv: 30 more problems in this table; mend these first")
        assert len(lines) == 21

    @pytest.mark.slow
    def test_restrictions_too(self, tmp_path: Path, call: Call) -> None:
        """What cells say of other tables: each wrong cell, and in a list of lemmas each wrong lemma."""
        text = "id\tlemma\targ\nxx.1\txx\tlemma=gueest/zork\nyy.1\tyy\thumann\n"
        (tmp_path / "lexicon").mkdir()
        (tmp_path / "lexicon" / "adjectives.tsv").write_text(text, encoding="utf-8")
        told = call("check", "transitive", "--data", tmp_path)
        assert "no word has any of these 2 values of lemma: gueest (did you mean 'guest'?), zork" in told.out
        assert "adjectives.tsv:3: arg: unknown type 'humann'; did you mean 'human'?" in told.out


def test_shown_examples_are_examples(call: Call, library: Library, tmp_path: Path) -> None:
    path = begun("transitive", tmp_path, library)
    shown = call("show", path, "--examples", "-n", "3").out
    assert shown.startswith("examples:\n- good: ")
    assert shown.count("bad: ") == 3
    with path.open("a", encoding="utf-8") as file:
        file.write(shown)
    assert (done := call("check", path)).code == 0, done.err


def test_what_has_no_examples(call: Call) -> None:
    assert "which are of good and bad" in call("show", "filler_gap_2x2", "--examples").err
    assert call("show", "transitive", "--examples", "--watch").code == 2


def test_show_says_what_check_would(tmp_path: Path, library: Library, call: Call) -> None:
    """Of a file that `generate` refuses the pairs are shown, and what is wrong with it."""
    path = begun("transitive", tmp_path, library)
    assert call("show", begun("passive_1", tmp_path, library), "-n", "1").err == ""
    with path.open("a", encoding="utf-8") as file:
        file.write("examples:\n  - {good: Never., bad: Ever.}\n")
    told = call("show", path, "-n", "1")
    assert told.code == 0
    assert told.out.startswith("my_transitive (")
    assert re.fullmatch(
        rf"{re.escape(str(path))}:\d+: no assignment gives this example: .*; `generate` and `check` refuse it until it "
        r"is mended\n",
        told.err,
    )


def test_why_knows_the_words_that_a_paradigm_lists(tmp_path: Path, library: Library) -> None:
    path = begun("transitive", tmp_path, library)
    text = path.read_text(encoding="utf-8").replace("slots:\n", "slots:\n  adv: {words: [often, seldom]}\n")
    path.write_text(text.replace("good: subj ", "good: subj adv ").replace("bad:  subj ", "bad:  subj adv "))
    compiled = prepare(path, library, unproven=lambda fault: None)
    assert [(v.reasons, v.facts[0].text) for v in why(compiled, "adv", "often")] == [((), "it stands in words")]
    assert [v.reasons[0].text for v in why(compiled, "adv", "never")] == ["words: there are: often, seldom"]


def test_parse_says_that_there_are_more_trees(call: Call) -> None:
    first = call("parse", "They admired the actor near the car.").out.splitlines()
    assert re.fullmatch(r"derived in the closed reading: \d+ derivations; --all shows more", first[0])
    assert [line.split()[:2] for line in first if " Pron " in line] == [["They", "Pron"]]
    assert "--all" not in call("parse", "They admired the actor near the car.", "--all").out
