"""Sets made again: from a manifest, in replicates, file by file; and what differs between two sets."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from blimpgen.api import generate
from blimpgen.base.errors import DataError
from blimpgen.base.files import data_hashes
from blimpgen.dataset import Arguments, Entry, Manifest, PairRow, SetRow, open_set, read_manifest, updating
from blimpgen.dataset.difference import compare_sets
from blimpgen.dataset.file_models import Run
from blimpgen.dataset.fingerprints import changed_keys, data_edits, key_prints, line_prints
from blimpgen.english.morphology import plural
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.library import Library
from tests.conftest import Call, in_tiers

UIDS = ("adjunct_island", "transitive")


@pytest.fixture(scope="module")
def noun(library: Library) -> str:
    """The noun of one sense and a regular plural that most of the sentences of the tests have."""
    records = generate("transitive", n=200, library=library)
    drawn = Counter(
        slot["lexeme"]
        for record in records
        for slot in record.to_dict(metadata=True)["metadata"]["slots"].values()
        if slot["features"].get("Number")
    )
    singular = (lexeme.removesuffix(".1") for lexeme, _ in drawn.most_common() if lexeme.endswith(".1"))
    return next(word for word in singular if word.isalpha() and plural(word) == f"{word}s")


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory, library: Library, noun: str) -> Path:
    """A data folder that changes a noun of the shipped lexicon."""
    folder = tmp_path_factory.mktemp("words") / "lexicon"
    folder.mkdir()
    shipped = library.lexicon.folders[0] / "nouns.tsv"
    lines = shipped.read_text(encoding="utf-8").splitlines()
    row = next(line for line in lines if line.startswith(f"{noun}.1\t"))
    changed = row.replace(f"{noun}.1\t{noun}", f"{noun}.1\tdocent", 1)
    (folder / "nouns.tsv").write_text(f"{lines[0]}\n{changed}\n", encoding="utf-8")
    return folder.parent


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.jsonl"))}


def killed(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def stamps(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}


class TestFromManifest:
    def test_the_same_bytes(self, call: Call, tmp_path: Path) -> None:
        one, two = tmp_path / "one", tmp_path / "two"
        call("generate", *UIDS, "filler_gap_2x2", "-n", 4, "--seed", 7, "--metadata", "--canary", "-o", one)
        told = call("generate", "--from-manifest", one / "manifest.json", "-o", two)
        assert told.code == 0, told.out
        assert told.err.endswith("the same bytes as the manifest says\n")
        assert contents(one) == contents(two)
        before, after = (json.loads((folder / "manifest.json").read_text()) for folder in (one, two))
        assert before.pop("run") != after.pop("run")
        assert before == after

    @pytest.mark.slow
    def test_the_data_folder_is_remembered(self, call: Call, tmp_path: Path, words: Path) -> None:
        one, two = tmp_path / "one", tmp_path / "two"
        call("generate", "transitive", "-n", 200, "--data", words, "-o", one)
        assert b"ocent" in contents(one)["transitive.jsonl"]
        assert call("generate", "--from-manifest", one, "-o", two).code == 0
        assert contents(one) == contents(two)

    @pytest.mark.slow
    def test_what_differs_is_said(self, call: Call, tmp_path: Path, words: Path, noun: str) -> None:
        one, two = tmp_path / "one", tmp_path / "two"
        own = shutil.copytree(words, tmp_path / "words")
        call("generate", "transitive", "-n", 200, "--data", own, "-o", one)
        table = own / "lexicon" / "nouns.tsv"
        table.write_text(table.read_text(encoding="utf-8").replace("\tdocent", "\tlector"), encoding="utf-8")
        path = one / "manifest.json"
        path.write_text(path.read_text().replace('"version": "', '"version": "0.0.', 1))
        told = call("generate", "--from-manifest", path, "-o", two)
        assert told.code == 1
        version, data, row, file = told.out.splitlines()
        assert version.startswith("version: 0.0.")
        assert data.startswith("data: hash ")
        assert row == f"    --data lexicon/nouns.tsv: {noun}.1"
        assert file == "transitive.jsonl: other bytes"
        assert (two / "manifest.json").exists()

    @pytest.mark.parametrize(
        "more, text",
        [
            (["--seed", "1"], "leave --seed away"),
            (["-n", "3"], "leave -n away"),
            (["transitive"], "leave the targets away"),
            ([], "-o DIR"),
        ],
    )
    def test_wrong_usage(self, call: Call, tmp_path: Path, more: list[str], text: str) -> None:
        told = call("generate", "--from-manifest", tmp_path, *more)
        assert told.code == 2
        assert text in told.err

    def test_no_manifest(self, call: Call, tmp_path: Path) -> None:
        told = call("generate", "--from-manifest", tmp_path / "none.json", "-o", tmp_path / "out")
        assert told.code == 1
        assert told.err == f"{tmp_path}: no none.json; this is no set of blimpgen, or its run is unfinished\n"


class TestReplicates:
    def test_one_folder_a_seed(self, call: Call, tmp_path: Path) -> None:
        assert call("generate", "transitive", "-n", 5, "--seed", 3, "--replicates", 2, "-o", tmp_path / "r").code == 0
        assert sorted(path.name for path in (tmp_path / "r").iterdir()) == ["seed-3", "seed-4"]
        call("generate", "transitive", "-n", 5, "--seed", 4, "-o", tmp_path / "one")
        assert contents(tmp_path / "r" / "seed-4") == contents(tmp_path / "one")
        assert contents(tmp_path / "r" / "seed-3") != contents(tmp_path / "one")
        assert read_manifest(tmp_path / "r" / "seed-4").seed == 4

    def test_they_need_a_folder(self, call: Call) -> None:
        told = call("generate", "transitive", "--replicates", 2)
        assert told.code == 2
        assert "--replicates needs a folder; type: blimpgen generate transitive --replicates 2 -o DIR" in told.err


class TestCanary:
    def test_each_row_has_it_and_the_manifest_says_so(self, call: Call, tmp_path: Path) -> None:
        call("generate", "transitive", "filler_gap_2x2", "-n", 5, "--canary", "-o", tmp_path / "a")
        call("generate", "transitive", "-n", 5, "-o", tmp_path / "b")
        manifest = read_manifest(tmp_path / "a")
        assert manifest.canary
        assert "Do not train" in manifest.canary
        for name, row in (("transitive", PairRow), ("filler_gap_2x2", SetRow)):
            lines = (tmp_path / "a" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
            assert {row.model_validate_json(line).canary for line in lines} == {manifest.canary}
        plain = [json.loads(line) for line in contents(tmp_path / "b")["transitive.jsonl"].splitlines()]
        with_it = [json.loads(line) for line in contents(tmp_path / "a")["transitive.jsonl"].splitlines()]
        assert [{k: v for k, v in row.items() if k != "canary"} for row in with_it] == plain
        assert read_manifest(tmp_path / "b").canary is None

    def test_another_seed_has_another(self, call: Call) -> None:
        found = [
            json.loads(call("generate", "transitive", "-n", 1, "--seed", seed, "--canary").out)["canary"]
            for seed in (0, 1, 1)
        ]
        assert found[0] != found[1] == found[2]


class TestUpdate:
    @pytest.mark.slow
    def test_no_other_file_is_touched(self, call: Call, tmp_path: Path, words: Path, noun: str) -> None:
        call("generate", *UIDS, "-n", 200, "-o", tmp_path / "a")
        before, old = stamps(tmp_path / "a"), read_manifest(tmp_path / "a")
        assert call("generate", "transitive", "-n", 200, "--data", words, "--update", "-o", tmp_path / "a").code == 0
        after, new = stamps(tmp_path / "a"), read_manifest(tmp_path / "a")
        assert {name for name in before if before[name] != after[name]} == {"transitive.jsonl", "manifest.json"}
        assert before.keys() == after.keys()
        assert new.sets["adjunct_island"].library == old.library != new.library
        assert new.sets["transitive"].library is None
        assert new.sets["transitive"].sha256 != old.sets["transitive"].sha256
        shutil.copytree(tmp_path / "a", tmp_path / "b")
        call("generate", "transitive", "-n", 200, "--update", "-o", tmp_path / "b")
        (edited,) = [one for one in compare_sets(tmp_path / "a", tmp_path / "b") if not one.same]
        assert edited.edits == (f"--data lexicon/nouns.tsv: {noun}.1: lemma docent -> {noun}",)
        whole = tmp_path / "whole"
        call("generate", "transitive", "-n", 200, "--data", words, "-o", whole)
        assert contents(whole)["transitive.jsonl"] == contents(tmp_path / "a")["transitive.jsonl"]

    def test_another_paradigm_is_added(self, call: Call, tmp_path: Path) -> None:
        call("generate", "transitive", "-n", 20, "-o", tmp_path / "a")
        assert call("generate", "adjunct_island", "-n", 20, "--update", "-o", tmp_path / "a").code == 0
        assert call("generate", "--from-manifest", tmp_path / "a", "-o", tmp_path / "b").code == 0
        assert contents(tmp_path / "a").keys() == {"adjunct_island.jsonl", "transitive.jsonl"}
        assert contents(tmp_path / "a") == contents(tmp_path / "b")

    def test_a_file_that_cannot_be_made_changes_nothing(
        self, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        call("generate", *UIDS, "-n", 20, "-o", tmp_path / "a")
        before = stamps(tmp_path / "a")
        make = updating.make_file

        def fail(compiled: CompiledParadigm, arguments: Arguments, path: Path) -> Entry:
            if path.stem == UIDS[1]:
                raise DataError("gave up")
            return make(compiled, arguments, path)

        monkeypatch.setattr(updating, "make_file", fail)
        assert call("generate", *UIDS, "-n", 20, "--update", "-o", tmp_path / "a").code == 1
        assert stamps(tmp_path / "a") == before

    @pytest.mark.parametrize("steps", in_tiers(range(3), ()))
    def test_an_update_that_is_killed_is_finished_by_the_same_call(
        self, call: Call, tmp_path: Path, words: Path, monkeypatch: pytest.MonkeyPatch, steps: int
    ) -> None:
        """Killed after the note of the run, after the manifest was removed, after one of two files."""
        line = ("generate", *UIDS, "-n", 200, "--data", words, "--update", "-o")
        for name in ("a", "b"):
            call("generate", *UIDS, "-n", 200, "-o", tmp_path / name)
        (tmp_path / "a" / ".update.x.partial").mkdir()
        with monkeypatch.context() as patch:
            if steps == 0:
                patch.setattr(Path, "unlink", killed)
            else:
                replace_file, left = Path.replace, [steps]

                def replace_some(path: Path, target: Path) -> Path:
                    if target.suffix == ".jsonl":
                        left[0] -= 1
                        if not left[0]:
                            raise KeyboardInterrupt
                    return replace_file(path, target)

                patch.setattr(Path, "replace", replace_some)
            assert call(*line, tmp_path / "a").code == 130
        if (tmp_path / "a" / "manifest.json").exists():
            open_set(tmp_path / "a")
        else:
            assert "holds an unfinished run" in call("audit", tmp_path / "a").err
        assert call(*line, tmp_path / "a").code == 0
        assert call(*line, tmp_path / "b").code == 0
        assert contents(tmp_path / "a") == contents(tmp_path / "b")
        assert not list((tmp_path / "a").glob(".*"))

    def test_a_set_with_a_file_that_was_changed_is_refused(self, call: Call, tmp_path: Path) -> None:
        call("generate", *UIDS, "-n", 20, "-o", tmp_path / "a")
        (tmp_path / "a" / "adjunct_island.jsonl").write_text("changed")
        told = call("generate", "transitive", "-n", 20, "--update", "-o", tmp_path / "a")
        assert (told.code, told.err.count("\n")) == (1, 1)
        assert "the file of adjunct_island is not as its manifest says" in told.err

    def test_other_arguments_are_refused(self, call: Call, tmp_path: Path) -> None:
        call("generate", "transitive", "-n", 20, "-o", tmp_path / "a")
        before = stamps(tmp_path / "a")
        told = call("generate", "transitive", "-n", 21, "--update", "-o", tmp_path / "a")
        assert told.code == 2
        assert "was made with n=20, not 21" in told.err
        assert stamps(tmp_path / "a") == before

    @pytest.mark.slow
    def test_an_edited_paradigm_moves_no_other(self, call: Call, tmp_path: Path, library: Library) -> None:
        folder = tmp_path / "mine" / "paradigms" / "blimp" / "argument_structure"
        folder.mkdir(parents=True)
        text = library.paradigm("transitive").document.path.read_text(encoding="utf-8")
        assert "is: words=1}" in text
        (folder / "transitive.yaml").write_text(text.replace("is: words=1}", "is: words=1, Tense: Past}"))
        call("generate", *UIDS, "-n", 20, "-o", tmp_path / "a")
        call("generate", *UIDS, "-n", 20, "--data", tmp_path / "mine", "-o", tmp_path / "b")
        before, after = contents(tmp_path / "a"), contents(tmp_path / "b")
        assert {name for name in before if before[name] != after[name]} == {"transitive.jsonl"}
        told = call("diff", tmp_path / "a", tmp_path / "b", "-n", 1)
        assert told.code == 1
        assert "    by: the paradigm file of transitive: slots.verb\n" in told.out
        assert "adjunct_island" not in told.out


class TestEdits:
    """What the manifests say of tables and rules, with a user's table in two states."""

    HEADER = "id\tlemma\ttypes\n"

    def manifest(self, library: Library, folder: Path, table: str) -> Manifest:
        """The data of a set that would be made now with a table of the user's."""
        (folder / "lexicon").mkdir(parents=True, exist_ok=True)
        (folder / "lexicon" / "nouns.tsv").write_text(self.HEADER + table, encoding="utf-8")
        folders = [*library.folders, folder]
        return Manifest(
            version="1",
            seed=0,
            arguments=Arguments(targets=()),
            library="0" * 64,
            sets={},
            data=data_hashes(folders),
            lines=line_prints(folders),
            run=Run(time="", duration=0, command="", data=str(folder)),
        )

    def test_rows_are_named_where_the_second_state_is_there(self, library: Library, tmp_path: Path) -> None:
        old = self.manifest(library, tmp_path, "a.1\taard\ttool\nb.1\tbird\ttool\n")
        new = self.manifest(library, tmp_path, "a.1\taard\ttool\nb.1\tbard\ttool\nc.1\tcard\ttool\n")
        assert data_edits(old, new) == ["--data lexicon/nouns.tsv: b.1; c.1"]
        assert data_edits(new, old) == ["--data lexicon/nouns.tsv: b.1; c.1"]
        assert data_edits(new, new) == []

    def test_both_states_say_what_changed(self, library: Library, tmp_path: Path) -> None:
        old = self.manifest(library, tmp_path / "a", "a.1\taard\ttool\nb.1\tbird\ttool\n")
        new = self.manifest(library, tmp_path / "b", "b.1\tbird\ttool+furniture\nc.1\tcard\ttool\n")
        assert data_edits(old, new) == [
            "--data lexicon/nouns.tsv: b.1: types tool -> tool+furniture; c.1 is new; a.1 is gone"
        ]

    def test_without_the_files_lines_are_numbered(self, library: Library, tmp_path: Path) -> None:
        old = self.manifest(library, tmp_path, "a.1\taard\ttool\nb.1\tbird\ttool\n")
        new = self.manifest(library, tmp_path, "a.1\taard\ttool\nb.1\tbard\ttool\n")
        self.manifest(library, tmp_path, "z.1\tzebra\ttool\n")
        assert data_edits(old, new) == ["--data lexicon/nouns.tsv: line 3"]

    def test_many_rows_are_counted(self, library: Library, tmp_path: Path) -> None:
        old = self.manifest(library, tmp_path / "a", "")
        new = self.manifest(library, tmp_path / "b", "".join(f"w{k}.1\tw{k}\ttool\n" for k in range(9)))
        (text,) = data_edits(old, new)
        assert text.endswith("; w4.1 is new and 4 more")

    def test_rules(self, library: Library, tmp_path: Path) -> None:
        path = tmp_path / "grammars" / "english" / "verb_phrase.cfg"
        path.parent.mkdir(parents=True)
        old = self.manifest(library, tmp_path, "")
        text = (library.folders[0] / "grammars" / "english" / path.name).read_text(encoding="utf-8")
        path.write_text(text.replace("VX.intr  ->", "VX.intrans ->", 1), encoding="utf-8")
        new = self.manifest(library, tmp_path, "")
        assert data_edits(old, new) == ["--data grammars/english/verb_phrase.cfg: VX.intrans is new; VX.intr is gone"]
        path.write_text(text.replace("{44}", "{40}", 1), encoding="utf-8")
        (found,) = data_edits(old, self.manifest(library, tmp_path, ""))
        assert found.startswith("--data grammars/english/verb_phrase.cfg: VX.intr: rule -> V[")

    def test_keys_of_a_paradigm(self, library: Library) -> None:
        paradigm = library.paradigm("transitive")
        slots = {**paradigm.model.slots, "obj": {"cat": "DP"}}
        other = replace(paradigm, model=paradigm.model.model_copy(update={"slots": slots, "critical": "verb"}))
        assert changed_keys(key_prints(paradigm), key_prints(other)) == ["slots.obj", "critical"]
        assert changed_keys(key_prints(paradigm), key_prints(paradigm)) == []


class TestDiff:
    def test_the_same(self, call: Call, tmp_path: Path) -> None:
        call("generate", *UIDS, "-n", 20, "-o", tmp_path / "a")
        shutil.copytree(tmp_path / "a", tmp_path / "b")
        assert call("diff", tmp_path / "a", tmp_path / "b") == (0, "", "0 of 2 paradigms differ\n")

    @pytest.mark.slow
    def test_a_changed_word(self, call: Call, tmp_path: Path, words: Path, noun: str) -> None:
        call("generate", "transitive", "-n", 200, "-o", tmp_path / "a")
        call("generate", "transitive", "-n", 200, "--data", words, "-o", tmp_path / "b")
        told = call("diff", tmp_path / "a", tmp_path / "b", "-n", 200)
        assert told.code == 1
        assert f"    by: --data lexicon/nouns.tsv: {noun}.1: lemma {noun} -> docent\n" in told.out
        added = [line for line in told.out.splitlines() if line.startswith("      + ")]
        removed = [line for line in told.out.splitlines() if line.startswith("      - ")]
        assert len(added) == len(removed) > 0
        assert any("ocent" in line for line in added)
        (changed,) = json.loads(call("diff", tmp_path / "a", tmp_path / "b", "--json").out)
        assert changed["in_both"] == 200 - len(changed["rows"])
        assert changed["edits"] == [f"--data lexicon/nouns.tsv: {noun}.1: lemma {noun} -> docent"]

    def test_seed_size_and_missing_files(self, call: Call, tmp_path: Path) -> None:
        call("generate", *UIDS, "-n", 20, "-o", tmp_path / "a")
        call("generate", "transitive", "-n", 10, "--seed", 1, "-o", tmp_path / "b")
        told = call("diff", tmp_path / "a", tmp_path / "b")
        assert "adjunct_island: only in the first set\n" in told.out
        assert "transitive: 20 -> 10 rows, 20 differ" in told.out
        assert "    by: n: 20 -> 10\n    by: seed: 0 -> 1\n" in told.out
        assert told.err == "2 of 2 paradigms differ\n"

    def test_sets_without_manifest(self, call: Call, tmp_path: Path) -> None:
        for name, text in (("a", "She left."), ("b", "She stayed.")):
            (tmp_path / name).mkdir()
            row = {"sentence_good": text, "sentence_bad": "Her left.", "pairID": "0", "field": name}
            (tmp_path / name / "x.jsonl").write_text(json.dumps(row) + "\n")
        told = call("diff", tmp_path / "a", tmp_path / "b")
        assert told.out.splitlines()[0] == "x: 1 rows, 1 differ, 0 are somewhere in both"
        assert "      - She left.\n" in told.out
        assert "by:" not in told.out

    def test_other_keys(self, call: Call, tmp_path: Path) -> None:
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
            row = {"sentence_good": "She left.", "sentence_bad": "Her left.", "pairID": "0", "field": name}
            (tmp_path / name / "x.jsonl").write_text(json.dumps(row) + "\n")
        told = call("diff", tmp_path / "a", tmp_path / "b")
        assert told.out == "x: 1 rows, 0 differ, 1 are somewhere in both\n    keys: field\n"
        assert call("diff", tmp_path / "a", tmp_path / "none").code == 2


def test_the_manifest_lists_tables_and_rules(call: Call, tmp_path: Path, library: Library) -> None:
    call("generate", "transitive", "-n", 5, "-o", tmp_path / "a")
    manifest = read_manifest(tmp_path / "a")
    assert isinstance(manifest, Manifest)
    tables = {path.name for path in library.lexicon.folders[0].glob("*.tsv")}
    assert {f"0/lexicon/{name}" for name in tables} <= manifest.data.keys()
    assert "0/grammars/english/noun_phrase.cfg" in manifest.data
