"""The format of paradigm files: what is read, and the message for everything that is not of the format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from golden import frozen_library
from hypothesis import given
from hypothesis import strategies as st

from blimpgen.base.errors import DataError, Place
from blimpgen.library import Library
from blimpgen.paradigm import Paradigm, ParadigmModel, Token, parse_template, read_paradigm

HEAD = "summary: A contrast.\nfield: syntax\n"
SLOTS = "slots:\n  verb: {cat: VP, frame: V}\n  subj: {cat: DP, subject_of: verb}\n"
GOOD = "good: subj verb .\n"
BAD = "bad:  verb subj .\n"
WHOLE = HEAD + SLOTS + GOOD + BAD
Read = Callable[..., Paradigm]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Writes a paradigm file, and others beside it, and reads it."""

    def write(text: str, name: str = "phenomenon/p.yaml", **others: str) -> Paradigm:
        for path, content in {name: text, **{f"phenomenon/{k}.yaml": v for k, v in others.items()}}.items():
            (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / path).write_text(content, encoding="utf-8")
        return read_paradigm(tmp_path / name, "suite")

    return write


class TestReading:
    def test_names_come_from_the_place(self, read: Read) -> None:
        found = read(WHOLE, "island_effects/adjunct_island.yaml")
        assert (found.uid, found.suite, found.term) == ("adjunct_island", "suite", "island_effects")
        assert read(WHOLE + "linguistics_term: s-selection\n").term == "s-selection"

    def test_defaults(self, read: Read) -> None:
        model = read(WHOLE).model
        assert model.methods == ["simple"]
        assert (model.lexically_identical, model.enumerate, model.unique, model.text) == ("no", "no", "on", "sentence")
        assert not any((model.vary, model.balance, model.record, model.examples))

    @pytest.mark.parametrize("yes, no", [("yes", "no"), ("true", "False"), ("on", "Off"), ("Y", "n")])
    def test_every_spelling_of_a_switch(self, read: Read, yes: str, no: str) -> None:
        text = WHOLE + f"lexically_identical: {yes}\nenumerate: {no}\nunique: {no}\nsense: {yes}\n"
        model = read(text).model
        assert (model.lexically_identical, model.enumerate, model.unique, model.sense) == ("yes", "no", "off", "on")

    def test_a_pair(self, read: Read) -> None:
        found = read(WHOLE)
        assert found.is_pair
        assert found.sentences == {"good": "subj verb .", "bad": "verb subj ."}
        assert found.pairs == {"": ("good", "bad")}
        assert list(found.model.slots) == ["verb", "subj"]

    def test_a_set(self, read: Read) -> None:
        found = read(
            HEAD + SLOTS + "sentences: {a: subj verb ., b: verb subj ., c: subj .}\npairs: {x: [a, b], y: [b, c]}\n"
        )
        assert not found.is_pair
        assert list(found.sentences) == ["a", "b", "c"]
        assert found.pairs == {"x": ("a", "b"), "y": ("b", "c")}

    def test_everything_is_text(self, read: Read) -> None:
        found = read(WHOLE.replace("frame: V}", "frame: V, Number: no, is: 12}") + "lexically_identical: yes\n")
        assert found.model.slots["verb"] == {"cat": "VP", "frame": "V", "Number": "no", "is": "12"}
        assert found.model.lexically_identical == "yes"

    def test_lines(self, read: Read) -> None:
        found = read(WHOLE + "balance: [subj]\n")
        assert [
            found.place(*keys).line for keys in (("slots", "subj"), ("slots", "subj", "cat"), ("good",), ("balance", 0))
        ] == [5, 5, 6, 8]
        assert found.place("nothing", "of", "this").line == 1

    def test_a_bad_sentence_that_only_levels_have(self, read: Read) -> None:
        text = HEAD + SLOTS + GOOD + "vary: {k: {a: {sentences: {bad: verb .}}, b: {sentences: {bad: verb subj .}}}}\n"
        assert read(text).sentences["bad"] == ""

    def test_all_golden_and_shipped_ones(self, library: Library) -> None:
        for data in (library, frozen_library()):
            for uid in data.uids():
                found = data.paradigm(uid)
                assert found.uid == uid
                assert found.term == found.document.path.parent.name or found.model.linguistics_term

    def test_aliases_and_paths(self) -> None:
        library = frozen_library()
        found = library.paradigm("twins")
        assert library.paradigm("no_object") is found
        assert library.paradigm(found.document.path).suite == "golden"


class TestExtending:
    BASE = WHOLE + "methods: [simple, one_prefix]\ncritical: verb\nbalance: [subj]\nrecord: {a: subj, b: verb}\n"

    def test_mapping_by_mapping(self, read: Read) -> None:
        found = read(
            "extends: base\nslots:\n  subj: {Number: Plur}\n  obj: {cat: N}\nrecord: {b: subj}\n", base=self.BASE
        )
        assert found.model.slots == {
            "verb": {"cat": "VP", "frame": "V"},
            "subj": {"cat": "DP", "subject_of": "verb", "Number": "Plur"},
            "obj": {"cat": "N"},
        }
        assert found.model.record == {"a": "subj", "b": "subj"}
        assert found.model.summary == "A contrast."

    def test_lists_and_texts_are_replaced(self, read: Read) -> None:
        text = "extends: base\nmethods: [simple]\ncritical:\nbalance: [verb, subj]\nbad: subj .\n"
        found = read(text, base=self.BASE)
        assert (found.model.methods, found.model.balance, found.model.bad) == (["simple"], ["verb", "subj"], "subj .")

    def test_an_empty_value_takes_a_key_away(self, read: Read) -> None:
        found = read("extends: base\nslots:\n  subj: {subject_of: }\ncritical:\nmethods:\nbalance:\n", base=self.BASE)
        assert found.model.slots["subj"] == {"cat": "DP"}
        assert (found.model.critical, found.model.balance) == (None, [])

    def test_lines_of_both_files(self, read: Read) -> None:
        found = read("extends: base\nslots:\n  subj: {Number: Plur}\n", base=self.BASE)
        places = found.place("slots", "subj", "Number"), found.place("slots", "verb"), found.place("balance", 0)
        assert [(Path(p.path).name, p.line) for p in places] == [("p.yaml", 3), ("base.yaml", 4), ("base.yaml", 10)]

    def test_a_file_of_another_phenomenon(self, read: Read, tmp_path: Path) -> None:
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "base.yaml").write_text(WHOLE)
        assert read("extends: base\n").model.good == "subj verb ."

    @pytest.mark.parametrize(
        "text, others, message",
        [
            ("extends: bsae\n", {"base": WHOLE}, r"p\.yaml:1: extends an unknown paradigm 'bsae'; did you mean 'base'"),
            ("extends: p\n", {}, r"p\.yaml:1: .*'p'"),
            (
                "extends: base\n",
                {"base": "extends: far\n", "far": WHOLE},
                r"p\.yaml:1: 'base' extends another paradigm itself",
            ),
            (
                "extends: base\nmehods: [simple]\n",
                {"base": WHOLE},
                r"p\.yaml:2: unknown key 'mehods'; did you mean 'methods'",
            ),
            ("extends: base\nslots:\n", {"base": WHOLE}, r"the key 'slots' is missing"),
        ],
    )
    def test_refused(self, read: Read, text: str, others: dict[str, str], message: str) -> None:
        with pytest.raises(DataError, match=message):
            read(text, **others)


BAD_FILES = [
    ("", r"p\.yaml:1: "),
    ("- a\n", r"p\.yaml:1: "),
    (WHOLE.replace("summary: A contrast.\n", ""), r"p\.yaml:1: the key 'summary' is missing"),
    (WHOLE.replace("field: syntax\n", ""), r"p\.yaml:1: the key 'field' is missing"),
    (HEAD + GOOD + BAD, r"p\.yaml:1: the key 'slots' is missing"),
    (HEAD + SLOTS + GOOD, r"p\.yaml:1: the key 'bad' is missing"),
    (HEAD + SLOTS + BAD, r"p\.yaml:1: the key 'good' is missing"),
    (WHOLE + "sumary: x\n", r"p\.yaml:8: unknown key 'sumary'; did you mean 'summary'"),
    (WHOLE + "critcal: verb\n", r"p\.yaml:8: unknown key 'critcal'; did you mean 'critical'"),
    (WHOLE.replace("syntax", "syntaks"), r"p\.yaml:2: field: .*'syntaks'; did you mean 'syntax'\?"),
    (
        WHOLE.replace("field: syntax", "field: syntax/semantics"),
        r"p\.yaml:2: field: .*'syntax/semantics'; did you mean",
    ),
    (WHOLE + "methods: [simpel]\n", r"p\.yaml:8: methods.*'simpel'; did you mean 'simple'"),
    (WHOLE + "methods: simple\n", r"p\.yaml:8: methods.* list.*, not 'simple'"),
    (WHOLE + "lexically_identical: maybe\n", r"p\.yaml:8: lexically_identical: .*'maybe'; there are: yes, no"),
    (WHOLE + "unique: never\n", r"p\.yaml:8: unique: .*'never'; .*on, off"),
    (WHOLE + "text: plains\n", r"p\.yaml:8: text: .*'plains'; did you mean 'plain'"),
    (WHOLE + "enumerate: 1\n", r"p\.yaml:8: enumerate: .*'1'; there are: yes, no"),
    (WHOLE + "balance: subj\n", r"p\.yaml:8: balance.* list.*, not 'subj'"),
    (WHOLE + "record: [subj]\n", r"p\.yaml:8: record.* mapping"),
    (WHOLE + "vary: [a, b]\n", r"p\.yaml:8: vary.* mapping"),
    (WHOLE + "length: {free: it has an object}\n", r"p\.yaml:8: length must be a text"),
    (WHOLE + "examples:\n  - good: A.\n", r"p\.yaml:9: the key 'bad' is missing"),
    (WHOLE + "examples:\n  - good: A.\n    bad: B.\n    ugly: C.\n", r"p\.yaml:11: unknown key 'ugly'"),
    (WHOLE + "examples: {good: A., bad: B.}\n", r"p\.yaml:8: examples.* list"),
    (WHOLE.replace("slots:\n", "slots: none\nx:\n"), r"p\.yaml:"),
    (WHOLE + "good: subj verb .\n", r"p\.yaml:8: the key 'good' stands twice \(first in line 6\)"),
    (WHOLE.replace("frame: V}", "frame: V, frame: V.NP}"), r"p\.yaml:4: the key 'frame' stands twice"),
    (WHOLE.replace("frame: V}", "frame: V, is: #bridge}"), r"p\.yaml:"),
    (WHOLE + "critical: !verb\n", r"p\.yaml:8: '!verb' is a YAML tag; write 'not X'"),
    (WHOLE.replace("frame: V}", "frame: V, is: *human}"), r"p\.yaml:4: '\*human' is a YAML alias"),
    (WHOLE.replace("frame: V}", "frame: V, is: &human x}"), r"p\.yaml:4: '&human' is a YAML anchor"),
    (WHOLE + "critical:\n", r"p\.yaml:8: the value of 'critical' is empty"),
    (WHOLE + "critical: [a\n", r"p\.yaml:\d+: not YAML"),
    (WHOLE + "sentences: {a: subj verb .}\n", r"p\.yaml:8: give either good and bad, or sentences with pairs"),
    (
        HEAD + SLOTS + "sentences: {a: subj verb ., b: verb .}\n",
        r"p\.yaml:6: sentences need their comparisons; write pairs",
    ),
    (
        HEAD + SLOTS + "sentences: {better: subj verb ., worse: verb .}\npairs: {x: [better, wors]}\n",
        r"p\.yaml:7: the pair 'x' names an unknown sentence 'wors'; did you mean 'worse'",
    ),
    (HEAD + SLOTS + "sentences: {a: subj verb ., b: verb .}\npairs: {x: [a]}\n", r"p\.yaml:7: pairs.* two"),
    (HEAD + SLOTS + "sentences: {a: subj verb ., b: verb .}\npairs: {x: [a, b, a]}\n", r"p\.yaml:7: pairs.* two"),
    (HEAD + SLOTS + "sentences: [subj verb ., verb .]\npairs: {x: [a, b]}\n", r"p\.yaml:6: sentences.* mapping"),
]


class TestRefusals:
    @pytest.mark.parametrize("text, message", BAD_FILES)
    def test_message(self, read: Read, text: str, message: str) -> None:
        with pytest.raises(DataError, match=message) as caught:
            read(text)
        assert "\n" not in str(caught.value)

    def test_no_such_file(self, tmp_path: Path) -> None:
        (tmp_path / "adjunct_island.yaml").write_text(WHOLE)
        with pytest.raises(DataError, match=r"adjunct_isand\.yaml: no such file; did you mean 'adjunct_island\.yaml'"):
            read_paradigm(tmp_path / "adjunct_isand.yaml")

    @pytest.mark.parametrize("name", sorted(ParadigmModel.model_fields))
    def test_a_misspelt_key_is_never_passed_over(self, read: Read, name: str) -> None:
        wrong = name[:-1] + ("x" if name[-1] != "x" else "y")
        with pytest.raises(DataError, match=rf"p\.yaml:8: unknown key '{wrong}'; did you mean '{name}'"):
            read(f"{WHOLE}{wrong}: x\n")


def is_literal(text: str) -> bool:
    return text in ("the", "ever", "n't", "'s", ".", ",", "?", "!")


class TestTemplates:
    PLACE = Place("p.yaml", 7)

    def parse(self, text: str) -> tuple[Token, ...]:
        return parse_template(text, ("subj", "vp", "mod"), is_literal, self.PLACE, ("the", "a number of"))

    @pytest.mark.parametrize(
        "text, tokens",
        [
            ("subj", [Token("subj")]),
            ("vp.aux ever vp.rest", [Token("vp", "aux"), Token(text="ever"), Token("vp", "rest")]),
            ("subj vp[Number=other] .", [Token("subj"), Token("vp", "", ("Number", "other")), Token(text=".")]),
            ("the subj , 's !", [Token(text="the"), Token("subj"), Token(text=","), Token(text="'s"), Token(text="!")]),
            ("a number of subj", [Token(text="a"), Token(text="number"), Token(text="of"), Token("subj")]),
            ("  subj   ? ", [Token("subj"), Token(text="?")]),
            ("", []),
        ],
    )
    def test_tokens(self, text: str, tokens: list[Token]) -> None:
        assert self.parse(text) == tuple(tokens)

    @pytest.mark.parametrize(
        "text, message",
        [
            ("sbj", "'sbj' is neither a slot nor a closed-class word; did you mean 'subj'"),
            ("subj.", "'subj.' is neither a slot nor a closed-class word; did you mean 'subj'"),
            ("vp[Number]", r"cannot read 'vp\[Number\]'; a change is written slot\[Feature=value\]"),
            ("vp[Number=]", r"cannot read 'vp\[Number=\]'"),
            ("vp[=other]", r"cannot read 'vp\[=other\]'"),
            (
                "vb[Number=other]",
                "'vb' is neither a slot nor a closed-class word; did you mean 'vp'|there are: subj, vp, mod",
            ),
            ("subj;", "'subj;' is neither"),
            ("number of subj", "'number' is neither"),
            ("cat", "'cat' is neither a slot nor a closed-class word"),
        ],
    )
    def test_refused(self, text: str, message: str) -> None:
        with pytest.raises(DataError, match=message) as caught:
            self.parse(text)
        assert caught.value.place == self.PLACE

    tokens = st.one_of(
        st.builds(
            Token,
            st.sampled_from(("subj", "vp", "mod")),
            st.sampled_from(("", "aux", "rest")),
            st.sampled_from((None, ("Number", "other"), ("form", "past"))),
        ),
        st.builds(Token, text=st.sampled_from((".", "?", "!", ",", "the", "'s"))),
    )

    @given(st.lists(tokens))
    def test_what_is_shown_is_read_again(self, tokens: list[Token]) -> None:
        assert self.parse(" ".join(map(str, tokens))) == tuple(tokens)
