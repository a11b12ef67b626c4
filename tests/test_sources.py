"""Reading YAML and TSV: what comes out, and for every wrong file one message with its line."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from blimpgen.base import sources
from blimpgen.base.errors import DataError, Place, UsageError, nearest, respelt
from blimpgen.base.folders import check_name, listed_files
from blimpgen.base.sources import read_text, read_tsv, read_yaml, whole_number

PARADIGM = """\
summary: Only a transitive verb takes an object.
slots:
  verb: {cat: VG, frame: V.NP}
  obj:  {cat: DP, is: not measure & not time}
balance: [verb, obj.Number]
count: 07
answer: no
quoted: ""
"""


@pytest.fixture(params=["libyaml", "pure"])
def _loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both parsers must tell the same story."""
    if request.param == "pure":
        monkeypatch.setattr(sources, "_LOADER", yaml.BaseLoader)


@pytest.mark.usefixtures("_loader")
class TestYaml:
    def test_every_scalar_is_a_string(self) -> None:
        data = read_yaml(Path("p.yaml"), text=PARADIGM).data
        assert data["count"] == "07"
        assert data["answer"] == "no"
        assert data["quoted"] == ""
        assert data["slots"]["obj"] == {"cat": "DP", "is": "not measure & not time"}
        assert data["balance"] == ["verb", "obj.Number"]

    def test_every_value_has_its_line(self) -> None:
        document = read_yaml(Path("p.yaml"), text=PARADIGM)
        assert document.place("slots", "verb", "frame") == Place(Path("p.yaml"), 3)
        assert document.place("balance", 1) == Place(Path("p.yaml"), 5)

    def test_an_unknown_path_has_the_line_of_its_parent(self) -> None:
        document = read_yaml(Path("p.yaml"), text=PARADIGM)
        assert document.place("slots", "obj", "nothing").line == 4
        assert document.place("nothing").line == 1

    @pytest.mark.parametrize(
        "text, line, words",
        [
            ("", 1, "empty"),
            ("# only a comment\n", 1, "empty"),
            ("- a\n- b\n", 1, "mapping"),
            ("just words\n", 1, "mapping"),
            ("a: 1\nb:\n", 2, "'b' is empty"),
            ("slots:\n  obj:\n    is: #tag\n", 3, "'+tag'"),
            ("a: 1\nis: !human\n", 2, "'not X'"),
            ("a: 1\nis: &human x\n", 2, "anchor"),
            ("a: &x 1\nb: *x\n", 1, "anchor"),
            ("a: 1\nb: *x\n", 2, "alias"),
            ("a: 1\nb: 2\na: 3\n", 3, "'a' stands twice (first in line 1)"),
            ("s:\n  x: 1\n  x: 2\n", 3, "'x' stands twice (first in line 2)"),
            ("a: 1\n? [b, c]\n: 2\n", 2, "plain word"),
            ("a: [1, 2\nb: 3\n", 1, "not YAML: a '[' is opened here"),
            ("a: [", 1, "not YAML: "),
            ("a: {b: c\nd: e\n", 1, "not YAML: a '{' is opened here"),
            ('a: 1\nb: "c\nd: e\n', 2, "not YAML: a quotation mark is opened here"),
            ("a: 1\nb: c: d\n", 2, "not YAML: a second ': '"),
            ("a: 1\nb: 'it's'\n", 2, "not YAML: no 'key: value' here"),
            ("a: 1\nb: @c\n", 2, "not YAML: a value cannot begin like this"),
            ("a: 1\n\tb: 2\n", 2, "not YAML: a tab; indent with spaces"),
            ("a: !!python/object/apply:os.system [ls]\n", 1, "tag"),
            ("a: 1\n---\nb: 2\n", 0, "one document"),
        ],
    )
    def test_anything_else_is_refused(self, text: str, line: int, words: str) -> None:
        with pytest.raises(DataError) as error:
            read_yaml(Path("p.yaml"), text=text)
        assert words in error.value.message
        assert error.value.place is not None
        assert error.value.place.path == Path("p.yaml")
        if words != "alias":
            assert error.value.place.line == line
        assert "\n" not in str(error.value)

    def test_empty_values_remove_keys_only_where_allowed(self) -> None:
        assert read_yaml(Path("p.yaml"), text="a:\nb: 1\n", may_be_empty=True).data == {"a": None, "b": "1"}
        with pytest.raises(DataError, match="is empty"):
            read_yaml(Path("p.yaml"), text="a: [x, y]\nb:\n  -\n  - y\n", may_be_empty=True)

    @given(st.text())
    def test_no_text_gives_anything_but_a_mapping_or_a_located_error(self, text: str) -> None:
        found: object = None
        try:
            found = read_yaml(Path("p.yaml"), text=text).data
        except DataError as error:
            found = error.place
        assert isinstance(found, (dict, Place))


class TestText:
    def test_a_missing_file_names_its_neighbour(self, tmp_path: Path) -> None:
        (tmp_path / "transitive.yaml").touch()
        with pytest.raises(DataError, match=r"no such file; did you mean 'transitive\.yaml'"):
            read_text(tmp_path / "transitiv.yaml")

    def test_a_missing_folder(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="no such file; there are none"):
            read_text(tmp_path / "none" / "x.yaml")

    def test_a_folder_is_no_file(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="not a regular file"):
            read_text(tmp_path)

    @pytest.mark.parametrize("make", [os.mkfifo, lambda path: os.symlink("/dev/zero", path), os.mkdir])
    def test_a_pipe_or_device_is_refused_by_name(self, make, tmp_path: Path) -> None:
        path = tmp_path / "below" / "x.yaml"  # deeper than tests of `extends` look
        path.parent.mkdir()
        make(path)
        for read in (read_text, lambda path: listed_files(path.parent, "*.yaml")):
            with pytest.raises(DataError, match=r"x\.yaml: not a regular file"):
                read(path)

    def test_hidden_files_and_those_of_editors_are_passed_over(self, tmp_path: Path) -> None:
        for name in ("b.yaml", "a.yaml", ".#a.yaml", "._a.yaml", ".hidden/c.yaml", "d/e.yaml", "a.yaml~"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).touch()
        assert [path.name for path in listed_files(tmp_path, "**/*.yaml")] == ["a.yaml", "b.yaml", "e.yaml"]
        assert listed_files(tmp_path / "none", "*") == []

    def test_a_name_that_is_not_utf8_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "below").mkdir()
        os.close(os.open(os.fsencode(tmp_path) + b"/below/caf\xe9.yaml", os.O_CREAT))
        with pytest.raises(DataError, match=r"caf\\udce9\.yaml: .*is no name for a file"):
            listed_files(tmp_path, "**/*.yaml")

    @pytest.mark.parametrize("name", ["", ".x", "../x", "a/b", "a\\b", "a\0b", "a\nb", "a\x9bb", "\udce9"])
    def test_names_that_no_file_may_have(self, name: str) -> None:
        with pytest.raises(DataError, match="no name for a file or UID"):
            check_name(name)

    def test_names(self) -> None:
        assert [check_name(name) for name in ("adjunct_island", "é", "a.b", "-x")] == [
            "adjunct_island",
            "é",
            "a.b",
            "-x",
        ]

    def test_a_file_has_a_bound(self, tmp_path: Path) -> None:
        (tmp_path / "x.tsv").touch()
        os.truncate(tmp_path / "x.tsv", 1 << 40)
        with pytest.raises(DataError, match="1,099,512 MB; a data file has at most 100"):
            read_text(tmp_path / "x.tsv")

    @pytest.mark.parametrize("text", ["", "-1", "1.0", "²", "٣", "11", "9" * 5000, "1_0"])
    def test_whole_numbers_have_bounds(self, text: str) -> None:
        assert whole_number("10", 10, Place("x"), "depth") == 10
        with pytest.raises(DataError, match="write a whole number up to 10"):
            whole_number(text, 10, Place("x"), "depth")

    def test_wrong_encoding_has_its_line(self, tmp_path: Path) -> None:
        path = tmp_path / "nouns.tsv"
        path.write_bytes("id\tlemma\ncafe.1\tcaf\u00e9\n".encode("latin-1"))
        with pytest.raises(DataError, match="not UTF-8") as error:
            read_text(path)
        assert error.value.place == Place(path, 2)


class TestTsv:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        return tmp_path / "nouns.tsv"

    def test_columns_and_defaults(self, path: Path) -> None:
        path.write_text("lemma\tcount\ncat\t\nrice\tmass\n", encoding="utf-8")
        table = read_tsv(path, ["lemma", "count", "note"], required=["lemma"])
        assert table.column("count", "count") == ["count", "mass"]
        assert table.column("note", "-") == ["-", "-"]
        assert table.place(1) == Place(path, 3)

    def test_a_byte_order_mark_is_no_part_of_the_header(self, path: Path) -> None:
        path.write_text("\ufefflemma\ncat\n", encoding="utf-8")
        assert read_tsv(path, ["lemma"]).columns == ("lemma",)

    def test_a_last_line_without_its_end(self, path: Path) -> None:
        path.write_text("lemma\ncat", encoding="utf-8")
        assert read_tsv(path, ["lemma"]).rows == [["cat"]]

    @pytest.mark.parametrize(
        "text, line, words",
        [
            ("", 1, "the table is empty"),
            ("lema\tcount\n", 1, "unknown column 'lema'; did you mean 'lemma'"),
            ("lemma\tlemma\n", 1, "stands twice"),
            ("count\n", 1, "'lemma' is missing"),
            ("lemma\tcount\ncat\n", 2, "1 cells, but 2 columns"),
            ("lemma\tcount\ncat\t\t\n", 2, "3 cells, but 2 columns"),
            ("lemma\tcount\n\ncat\t\n", 2, "the row is empty"),
            ("lemma\ncat \n", 2, "stray spaces"),
            ("lemma\nhigh  school\n", 2, "stray spaces"),
            ("lemma\ncat\r\n", 2, "stray spaces"),
            ("lemma\tcount\ncat\t\n\tmass\n", 3, "'lemma' is empty"),
        ],
    )
    def test_anything_else_is_refused(self, path: Path, text: str, line: int, words: str) -> None:
        path.write_bytes(text.encode())
        with pytest.raises(DataError) as error:
            read_tsv(path, ["lemma", "count"], required=["lemma"])
        assert words in error.value.message
        assert error.value.place == Place(path, line)
        assert str(error.value).startswith(f"{path}:{line}: ")


class TestNearest:
    def test_a_near_name_is_offered(self) -> None:
        assert nearest("humann", ["human", "animal"]).startswith("did you mean 'human'?")

    def test_case_does_not_hide_it(self) -> None:
        assert nearest("number", ["Number", "Gender"]).startswith("did you mean 'Number'?")

    @pytest.mark.parametrize(
        ("name", "known", "meant"),
        [
            *(("vreb", "verb", "verb"), ("bda", "bad", "bad"), ("subject", "subj", "subj"), ("Sg", "Sing", "Sing")),
            *(("crime", "Carrie", None), ("Nuon", "NumMod", None), ("cat", "eat", "eat")),
        ],
    )
    def test_what_is_far_is_not_offered(self, name: str, known: str, meant: str | None) -> None:
        assert respelt(name, [known, "x"]) == meant

    def test_otherwise_what_exists(self) -> None:
        assert nearest("zzz", ["human", "animal"]) == "there are: human, animal"
        assert nearest("zzz", []) == "there are none"

    def test_a_long_listing_is_cut(self) -> None:
        assert nearest("zzz", [f"name{k}" for k in range(20)]).endswith("name11 and 8 more")


def test_an_error_is_one_line_that_cannot_direct_a_terminal() -> None:
    error = UsageError("no paradigm '\x1b[31mx\n\u202e\ud83d'")
    assert str(error) == "no paradigm '\\x1b[31mx\\n\\u202e\\ud83d'"
