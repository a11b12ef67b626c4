"""The command line: data on standard output, one line on standard error for a user's mistake, exit codes."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import blimpgen
from blimpgen.authoring.display import ANSI, marked, record_lines
from blimpgen.base.records import MinimalPair, SentenceSet
from blimpgen.cli.options import message
from blimpgen.dataset import Manifest, PairRow, SetRow
from blimpgen.library import Library
from tests.conftest import Call

HEAVY = {"torch", "transformers", "nltk", "matplotlib"}
SLOW = {"numpy", "yaml", "rich.progress"}


@pytest.fixture(scope="module")
def user(tmp_path_factory: pytest.TempPathFactory, library: Library) -> Path:
    """A data folder with a good paradigm, and one with a misspelt slot in line 9."""
    folder = tmp_path_factory.mktemp("data")
    animals = folder / "paradigms" / "mine" / "animals"
    animals.mkdir(parents=True)
    text = library.paradigm("transitive").document.path.read_text().partition("examples:")[0]
    text = text.replace("is: words=1", "is: lemma=admire/visit/praise").replace("Bad verbs", "Few verbs; bad verbs")
    (animals / "ant.yaml").write_text(text)
    (animals / "bee.yaml").write_text(text.replace("bad:  subj iv obj", "bad:  subj iv obk"))
    return folder


def program(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "blimpgen", *map(str, arguments)]


class TestSpeed:
    def imported(self, code: str) -> set[str]:
        code += "\nimport sys; print('\\n'.join(sys.modules))"
        done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        return set(done.stdout.split())

    def test_the_package_loads_nothing_heavy(self) -> None:
        assert not self.imported("import blimpgen") & (HEAVY | SLOW | {"pydantic"})

    def test_the_api_loads_nothing_heavy(self) -> None:
        assert not self.imported("import blimpgen\nfor name in blimpgen.__all__: getattr(blimpgen, name)") & HEAVY

    @pytest.mark.parametrize("command", ["list", "--help"])
    def test_quick_commands_do_not_read_the_library(self, command: str) -> None:
        code = f"from blimpgen.cli import main\ntry: main(['{command}'])\nexcept SystemExit: pass"
        assert not self.imported(code) & (HEAVY | SLOW)


class TestPackage:
    def test_all_is_the_promise(self) -> None:
        assert sorted(blimpgen.__all__) == blimpgen.__all__
        assert all(getattr(blimpgen, name) is not None for name in blimpgen.__all__)
        assert {*blimpgen.__all__} <= {*dir(blimpgen)}

    def test_an_unknown_name_is_told(self) -> None:
        with pytest.raises(AttributeError, match=r"there are: .*generate"):
            blimpgen.generat  # noqa: B018

    def test_python_as_in_the_readme(self, tmp_path: Path) -> None:
        assert "transitive" in blimpgen.list_paradigms(suite="blimp")
        pairs = blimpgen.generate(blimpgen.load_paradigm("transitive"), n=3, seed=0)
        assert blimpgen.count("transitive").value > 1000
        blimpgen.write_jsonl(pairs, tmp_path / "a.jsonl")
        assert blimpgen.read_jsonl(tmp_path / "a.jsonl") == pairs == list(blimpgen.stream("transitive", n=3))

    @pytest.mark.slow
    def test_check(self, user: Path) -> None:
        (problem,) = blimpgen.check(blimpgen.load_library(user), ["mine"])
        assert isinstance(problem, blimpgen.Problem)
        assert str(problem).startswith(f"{user / 'paradigms' / 'mine' / 'animals' / 'bee.yaml'}:")
        assert "'obk'" in problem.message


@pytest.mark.parametrize(
    "line, code, text",
    [
        ("generate transitif", 2, "no paradigm or suite 'transitif'; did you mean 'transitive'?"),
        ("generate tests", 2, "no paradigm or suite 'tests'; it is a folder; a suite is named by its name alone: "),
        ("generate no_such.yaml", 1, "no_such.yaml: no such file"),
        ("generate transitive -n 0", 2, "'-n'"),
        ("generate transitive -n 99999999999999999999", 1, "at most 100,000,000 rows"),
        ("generate transitive -n many", 2, "'-n'"),
        ("generate transitive -n 5 --enumerate", 2, "leave -n away"),
        ("generate transitive --format arrow", 2, "arrow"),
        ("generate transitive --data /no/such/folder", 2, "/no/such/folder: no such directory"),
        ("generate transitive -n 5 -o /dev/null", 2, "/dev/null is a file; name a folder"),
        ("generate transitive -n 5 -o /dev/null/a", 1, "Not a directory"),
        ("list --suite blimb", 2, "no suite 'blimb'; did you mean 'blimp'?"),
        ("list --phenomenon bindin", 2, "no phenomenon 'bindin'"),
        ("list --data /no/such/folder", 2, "/no/such/folder: no such directory"),
        ("show transitif", 2, "did you mean 'transitive'?"),
        ("show", 2, "UID|FILE"),
        ("count", 2, "TARGET"),
        ("count transitif", 2, "did you mean 'transitive'?"),
        ("lexicon", 2, "--stats"),
        ("lexicon noun --stats", 2, "--stats"),
        ("lexicon 'nuon: human'", 2, "unknown category 'nuon'; did you mean 'noun'?"),
        ("lexicon --language spanish 'NOUNS: human'", 2, "unknown category 'NOUNS'; did you mean 'NOUN'?"),
        ("lexicon --language spanisch noun", 1, "unknown library 'spanisch'; did you mean 'spanish'?"),
        ("lexicon 'noun: humann'", 1, "unknown type 'humann'; did you mean 'human'?"),
        ("lexicon 'noun: human &'", 1, "an operand is missing at the end"),
        ("lexicon 'verb: V.NPP'", 1, "unknown frame 'V.NPP'"),
        ("lexicon 'verb: alt=loc'", 2, "name one frame beside it, as in 'verb: V.NP & alt=loc'"),
        ("check no_such.yaml", 2, "no_such.yaml: no such file"),
        ("check nosuch", 2, "no paradigm or suite 'nosuch'"),
        ("schema parquet", 2, "parquet"),
        ("parse ''", 2, "no letters in ''"),
        ("parse '?!'", 2, "no letters in '?!'"),
        ("parse 'Anna sleeps.' --reading opne", 2, "opne"),
        ("parse '-foo bar'", 2, "No such option: -f; write -- before a text that begins with a dash"),
        ("parse --al 'Anna sleeps.'", 2, "blimpgen parse: No such option: --al (Possible options: --all"),
        ("parse Anna sleeps", 2, "unexpected extra argument(s) (sleeps); blimpgen parse -h says what there is"),
        ("list --few-shot", 2, "No such option: --few-shot; it belongs to blimpgen nouns, blimpgen teach"),
        ("diff before", 2, "blimpgen diff: Missing argument 'DIR_B'"),
        ("generate --seed", 2, "'--seed' requires an argument"),
        ("generat", 2, "No such command 'generat'. Did you mean 'generate'"),
    ],
)
def test_a_mistake_ends_with_a_message_and_no_data(call: Call, line: str, code: int, text: str) -> None:
    done = call(*shlex.split(line))
    assert done.code == code
    assert done.out == ""
    assert text in done.err
    assert len(done.err.splitlines()) == 1


class TestList:
    def test_all_paradigms_of_the_library(self, call: Call, library: Library) -> None:
        lines = call("list").out.splitlines()
        assert [line.split()[0] for line in lines] == list(library.uids())

    def test_one_suite_and_one_phenomenon(self, call: Call, library: Library, user: Path) -> None:
        assert [line.split() for line in call("list", "--suite", "mine", "--data", user).out.splitlines()] == [
            ["ant", "animals", "mine"],
            ["bee", "animals", "mine"],
        ]
        found = call("list", "--suite", "blimp", "--phenomenon", "argument_structure").out
        assert "transitive " in found
        assert {line.split()[1] for line in found.splitlines()} == {"argument_structure"}

    def test_json(self, call: Call, library: Library) -> None:
        rows = json.loads(call("list", "--phenomenon", "argument_structure", "--json").out)
        row = next(row for row in rows if row["UID"] == "transitive")
        assert row.pop("path").endswith("transitive.yaml")
        assert row == {
            "UID": "transitive",
            "suite": "blimp",
            "linguistics_term": "argument_structure",
            "field": "syntax",
            "summary": library.paradigm("transitive").model.summary,
        }


class TestGenerate:
    def test_one_paradigm_goes_to_standard_output(self, call: Call) -> None:
        done = call("generate", "transitive", "-n", "7")
        assert (done.code, done.err) == (0, "")
        rows = [json.loads(line) for line in done.out.splitlines()]
        assert [row["pairID"] for row in rows] == [str(k) for k in range(7)]
        assert all(PairRow.model_validate(row) for row in rows)

    def test_a_file_is_a_target(self, call: Call, library: Library) -> None:
        path = library.paradigm("transitive").document.path
        assert call("generate", path, "-n", "3").out == call("generate", "transitive", "-n", "3").out

    def test_a_folder(self, call: Call, tmp_path: Path) -> None:
        done = call("generate", "transitive", "-n", "5", "--seed", "-2", "-o", tmp_path / "out", "--jobs", "2")
        assert (done.code, done.out) == (0, "")
        assert done.err.startswith(f"{tmp_path / 'out'}: 5 rows in 1 file, ")
        manifest = Manifest.model_validate_json((tmp_path / "out" / "manifest.json").read_bytes())
        assert manifest.seed == -2
        assert manifest.run.command == f"blimpgen generate transitive -n 5 --seed -2 -o {tmp_path / 'out'} --jobs 2"
        again = call("generate", "transitive", "-n", "5", "-o", tmp_path / "out")
        assert (again.code, again.out) == (2, "")
        assert "holds a finished set (1 files, seed -2, 5 rows a paradigm); add --overwrite" in again.err
        assert call("generate", "transitive", "-n", "5", "-o", tmp_path / "out", "--overwrite").code == 0

    def test_several_files_need_a_folder(self, call: Call, user: Path) -> None:
        done = call("generate", "mine", "-n", "5", "--data", user)
        assert (done.code, done.out) == (2, "")
        assert done.err == f"2 files need a folder; type: blimpgen generate mine -n 5 --data {user} -o DIR\n"

    @pytest.mark.slow
    def test_a_data_error_leaves_nothing(self, call: Call, user: Path, tmp_path: Path) -> None:
        done = call("generate", "mine", "-n", "5", "--data", user, "-o", tmp_path / "out")
        assert done.code == 1
        assert done.err.startswith(f"{user / 'paradigms/mine/animals/bee.yaml'}:")
        assert done.err.count("\n") == 1
        assert not (tmp_path / "out").exists()
        assert call("generate", "bee", "-n", "5", "--data", user).out == ""

    def test_options(self, call: Call) -> None:
        nine = ("generate", "transitive", "-n", "9")
        plain = call(*nine).out
        assert "metadata" in json.loads(call(*nine, "--metadata").out.splitlines()[0])
        assert call(*nine, "--format", "csv").out.startswith("sentence_good,sentence_bad,")
        assert call(*nine, "--pairs").out == plain
        assert call(*nine, "--style", "plain").out != plain
        assert call(*nine, "--seed", "1").out != plain

    @pytest.mark.slow
    def test_a_closed_pipe_ends_quietly(self) -> None:
        with subprocess.Popen(
            program("generate", "transitive", "-n", "5000"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 0

    @pytest.mark.slow
    def test_a_full_disk_is_told(self) -> None:
        if not Path("/dev/full").exists():
            pytest.skip("there is no /dev/full here")
        with open("/dev/full", "wb") as full:
            command = program("generate", "transitive", "-n", "5")
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (1, 1)
        assert "No space left" in done.stderr

    @pytest.mark.slow
    def test_an_interrupt_is_one_line(self, user: Path, tmp_path: Path) -> None:
        command = program("generate", "ant", "-n", "300000", "--data", user, "-o", tmp_path / "out")
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
            while not (tmp_path / "out" / "run.json").exists() and process.poll() is None:
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            assert process.stderr is not None
            assert process.stderr.read() == f"interrupted; the same call finishes {tmp_path / 'out'}\n"
        assert process.returncode == 130
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["run.json"]


class TestShow:
    @pytest.mark.parametrize(
        "good, bad, expected",
        [
            ("She sees it.", "She see it.", ("She [sees] it.", "She [see] it.")),
            ("She helps herself.", "She helps himself.", ("She helps [herself].", "She helps [himself].")),
            ("Who did he see?", "Who did he see her?", ("Who did he see?", "Who did he see [her]?")),
            ("Dogs run.", "Run dogs.", ("Dogs [run].", "[Run] dogs.")),
            ("A b c d.", "A x y d.", ("A [b c] d.", "A [x y] d.")),
        ],
    )
    def test_the_difference_is_marked(self, good: str, bad: str, expected: tuple[str, str]) -> None:
        assert marked(good, bad) == expected
        assert [s.replace(ANSI[0], "[").replace(ANSI[1], "]") for s in marked(good, bad, ANSI)] == [*expected]

    def test_a_pair_and_a_set(self) -> None:
        pair = MinimalPair({"sentence_good": "He runs.", "sentence_bad": "He run.", "UID": "a", "pairID": "3"})
        assert list(record_lines(pair)) == ["   3   He [runs].", "     * He [run]."]
        item = SentenceSet(
            {
                "sentences": {"a": "He runs", "b": "He run"},
                "pairs": [["ab", "a", "b"]],
                "condition": "sing",
                "UID": "u",
                "itemID": "0",
            }
        )
        assert list(record_lines(item)) == ["   0   sing", "       ab: He [runs]  (a)", "     *     He [run]  (b)"]

    def test_a_paradigm(self, call: Call, library: Library) -> None:
        done = call("show", "transitive", "-n", "3", "--seed", "4")
        assert (done.code, done.err) == (0, "")
        summary = library.paradigm("transitive").model.summary
        assert done.out.startswith(f"transitive (blimp, argument_structure, syntax)\n{summary}\n")
        assert "assignments: " in done.out
        assert "bad: subj iv obj ." in done.out
        assert "like: verb" in done.out
        assert done.out.count("\n     * ") == 3

    def test_a_file(self, call: Call, library: Library) -> None:
        path = library.paradigm("transitive").document.path
        assert call("show", path).out == call("show", "transitive").out

    def test_labels_that_do_not_hold(self, call: Call) -> None:
        """The pairs are shown all the same, with what `check` says of the file on standard error."""
        path = Path(__file__).parent / "bad_inputs" / "unasserted-verb.yaml"
        checked, done = call("check", path), call("show", path, "-n", "2")
        assert (checked.code, done.code, done.out.count("\n     * ")) == (1, 0, 2)
        assert done.err.count("\n") == 1
        assert done.err.startswith(f"{path}:5: unasserted violation")
        assert "`generate` and `check` refuse it" in done.err
        assert call("generate", path, "-n", "20").code == 1


@pytest.mark.slow
def test_count(call: Call, user: Path) -> None:
    done = call("count", "transitive", "ant", "--data", user)
    first, second = done.out.splitlines()
    assert first.startswith("transitive  ")
    assert second.startswith("ant ")
    assert first.endswith("% accepted")


class TestLexicon:
    def test_a_query_may_ask_what_the_row_of_its_frame_says(self, call: Call) -> None:
        done = call("lexicon", "verb: V.NP & refl=yes")
        assert "hide.1\t" in done.out
        assert "arrest.1\t" not in done.out

    def test_a_word_is_found_by_its_id(self, call: Call) -> None:
        assert [line.split("\t")[0] for line in call("lexicon", "late_for.1").out.splitlines()] == ["late_for.1"]

    def test_bare_pasts(self, call: Call) -> None:
        found = {line.split("\t")[0] for line in call("lexicon", "verb: bare_past=yes").out.splitlines()}
        assert {"read.1", "put.1", "knit.1"} <= found
        assert not {"write.1", "visit.1"} & found

    def test_restrictions_are_those_of_the_lexicon(self, call: Call, library: Library) -> None:
        done = call("lexicon", "verb: V.NP & not V")
        ids = [line.split("\t")[0] for line in done.out.splitlines()]
        assert ids == library.lexicon.select("verb", "V.NP & not V")
        assert done.err == f"{len(ids):,} lexemes\n"

    def test_number_asks_for_a_form(self, call: Call, library: Library) -> None:
        plural = call("lexicon", "noun: human & Number=Plur", "--json", "--forms").out
        rows = json.loads(plural)
        assert rows
        assert all("Plur" in row["forms"] for row in rows)
        assert {row["id"] for row in rows} <= {*library.lexicon.select("noun", "human")}

    def test_a_word_is_found_by_any_form(self, call: Call) -> None:
        done = call("lexicon", "children", "--forms")
        assert "child.1\tN\tSing=child\tPlur=children" in done.out.splitlines()
        assert call("lexicon", "xyzzy").out == ""

    def test_a_category_alone(self, call: Call, library: Library) -> None:
        assert len(call("lexicon", "pronoun").out.splitlines()) == len(library.lexicon.inventory("Pron"))

    def test_stats(self, call: Call, library: Library) -> None:
        stats = json.loads(call("lexicon", "--stats", "--json").out)
        assert stats["rows"]["nouns"] == len(library.lexicon.inventory("N"))
        assert stats["frame_rows"] == stats["rows"]["verb_frames"]
        assert stats["lexemes"] < sum(stats["rows"].values())
        assert stats["forms"] > stats["rows"]["verbs"] * 3
        printed = dict(line.rsplit(maxsplit=1) for line in call("lexicon", "--stats").out.splitlines())
        assert printed["lexemes"] == f"{stats['lexemes']:,}"
        assert printed["distinct forms"] == f"{stats['forms']:,}"

    def test_a_list_of_another_language(self, call: Call, library: Library) -> None:
        lexicon = library.language("spanish").lexicon
        ids = [line.split("\t")[0] for line in call("lexicon", "--language", "spanish", "NOUN: kin").out.splitlines()]
        assert ids == lexicon.select("words:NOUN", "kin")
        women = json.loads(call("lexicon", "--language", "spanish", "NOUN: kin & Gender=Fem", "--json", "--forms").out)
        assert {"abuela"} < {row["lemma"] for row in women} < {name.partition(":")[2] for name in ids}
        assert all(cell.startswith("Gender=Fem") for row in women for cell in row["forms"])

    def test_a_form_and_the_numbers_of_another_language(self, call: Call) -> None:
        lines = call("lexicon", "--language", "spanish", "tropezó").out.splitlines()
        assert [line.split("\t")[:2] for line in lines] == [["VERB:tropezar", "VERB"]]
        stats = json.loads(call("lexicon", "--language", "spanish", "--stats", "--json").out)
        assert stats["rows"]["lexemes"] <= stats["lexemes"] <= stats["rows"]["lexemes"] + stats["rows"]["inflected"]
        assert stats["forms"] > 9_000


class TestCheck:
    def test_a_good_file(self, call: Call, user: Path) -> None:
        done = call("check", user / "paradigms" / "mine" / "animals" / "ant.yaml")
        assert (done.code, done.out, done.err) == (0, "", "0 problems\n")

    @pytest.mark.slow
    def test_a_bad_one_among_good_ones(self, call: Call, user: Path) -> None:
        done = call("check", user / "paradigms")
        assert (done.code, done.err) == (1, "1 problem\n")
        (line,) = done.out.splitlines()
        assert line.startswith(f"{user / 'paradigms/mine/animals/bee.yaml'}:")
        (problem,) = json.loads(call("check", "mine", "--data", user, "--json").out)
        assert problem["code"] == "slot"
        assert line == f"{problem['path']}:{problem['line']}: {problem['message']}"

    @pytest.mark.slow
    def test_a_data_folder_is_checked_with_its_own_tables(self, call: Call, user: Path) -> None:
        done = call("check", user)
        assert (done.code, done.err) == (1, "1 problem\n")
        assert done.out == call("check", "mine", "--data", user).out

    @pytest.mark.slow
    def test_every_table_is_read_and_told_of_once(self, call: Call, tmp_path: Path) -> None:
        (tmp_path / "lexicon").mkdir()
        (tmp_path / "lexicon" / "names.tsv").write_text("id\tlemma\tGender\nUlla.1\tUlla\tFemm\n")
        (tmp_path / "lexicon" / "adverbs.tsv").write_text("id\tlemmma\n")
        done = call("check", "--data", tmp_path)
        assert done.code == 1
        assert [line for line in done.out.splitlines() if str(tmp_path) in line] == [
            line for line in dict.fromkeys(done.out.splitlines()) if str(tmp_path) in line
        ]
        assert f"{tmp_path / 'lexicon/names.tsv'}:2: Gender='Femm'" in done.out
        assert f"{tmp_path / 'lexicon/adverbs.tsv'}:1: unknown column 'lemmma'; did you mean 'lemma'?" in done.out


class TestSchema:
    @pytest.mark.parametrize(
        "kind, key", [("paradigm", "slots"), ("pair", "sentence_good"), ("set", "sentences"), ("manifest", "library")]
    )
    def test_each_is_a_schema(self, call: Call, kind: str, key: str) -> None:
        schema = json.loads(call("schema", kind).out)
        assert schema["type"] == "object"
        assert key in schema["properties"]

    def test_our_rows_satisfy_it(self, library: Library) -> None:
        for uid in ("transitive", "npi_across_anim"):
            if uid in library.uids():
                for record in blimpgen.generate(uid, n=2, library=library):
                    row = record.to_dict(metadata=True)
                    (SetRow if isinstance(record, SentenceSet) else PairRow).model_validate_json(json.dumps(row))


def test_version_and_help(call: Call) -> None:
    assert call("--version").out == f"blimpgen {blimpgen.__version__}\n"
    text = call("--help").out
    assert all(f" {name} " in text for name in ("list", "show", "generate", "count", "lexicon", "check", "schema"))


def test_messages_go_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    message("one line")
    assert capfd.readouterr() == ("", "one line\n")
