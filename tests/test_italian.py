"""A small Italian in a folder of its own: joins that hide what agrees, a grammar, made-up words from few."""

from __future__ import annotations

from pathlib import Path

import pytest

from blimpgen.api import generate
from blimpgen.base.errors import DataError
from blimpgen.base.records import MinimalPair
from blimpgen.generation.prepare import prepare
from blimpgen.library import Library, load_library
from blimpgen.variants.record import Variant
from tests.conftest import ITALIAN, Call

LANGUAGE = f"{ITALIAN}classes: {{noun: [NOUN], adj: [QUALITY]}}\n"
LISTED = """list;lemma;features;form
DET;il;Gender=Masc|Number=Sing;il
DET;il;Gender=Fem|Number=Sing;la
ESSERE;essere;Number=Sing;è
QUALITY;bravo;Gender=Masc|Number=Sing;bravo
QUALITY;bravo;Gender=Fem|Number=Sing;brava
"""
INFLECTION = """class;list;features;drop;stem;ending
o;NOUN;Number=Sing;;;
a;NOUN;Number=Sing;;;
e;NOUN;Number=Sing;;;
"""
LEXEMES = """lemma;class;features
gatto;o;Gender=Masc
maestro;o;Gender=Masc
ragazzo;o;Gender=Masc
cavallo;o;Gender=Masc
amico;o;Gender=Masc
falegname;e;Gender=Masc
maestra;a;Gender=Fem
ragazza;a;Gender=Fem
sorella;a;Gender=Fem
farfalla;a;Gender=Fem
amica;a;Gender=Fem
"""
PARADIGM = """summary: An adjective agrees in gender with the subject.
field: morphology
slots:
  noun: {words: NOUN}
  det:  {words: DET, Gender: same noun}
  be:   {words: ESSERE}
  adj:  {words: QUALITY, Gender: same det}
good: det noun be adj .
bad:  det noun be adj[Gender=other] .
"""
RULES = """agree determiner Gender Number
agree subject Gender Number
phrase TOP
phrase DP Gender Number
phrase VP Gender Number
lexical NOUN Gender Number
lexical DET Gender Number
lexical QUALITY Gender Number
lexical ESSERE Number
TOP.s -> subject:DP VP* "."
DP.det -> determiner:DET NOUN*
VP.is[Gender=?g, Number=?n] -> ESSERE[Number=?n]* complement:QUALITY[Gender=?g, Number=?n]
"""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with the language and one paradigm in a suite that is called like it."""
    folder, paradigms = tmp_path / "lexicon/italian", tmp_path / "paradigms/italian/agreement"
    folder.mkdir(parents=True)
    paradigms.mkdir(parents=True)
    (folder / "language.yaml").write_text(LANGUAGE, encoding="utf-8")
    (folder / "function.tsv").write_text("id\tlemma\tkind\ndi.1\tdi\tadp\n", encoding="utf-8")
    for name, text in {"inflected": LISTED, "inflection": INFLECTION, "lexemes": LEXEMES}.items():
        (folder / f"{name}.tsv").write_text(text.replace(";", "\t"), encoding="utf-8")
    (paradigms / "it_gender.yaml").write_text(PARADIGM, encoding="utf-8")
    return tmp_path


@pytest.fixture
def with_grammar(data: Path) -> Path:
    """The folder with rules."""
    rules = data / "grammars/italian/clause.cfg"
    rules.parent.mkdir(parents=True)
    rules.write_text(RULES, encoding="utf-8")
    return data


def goods(library: Library, n: int) -> list[str]:
    """The good sentences of the paradigm."""
    return [row.good for row in generate("it_gender", n=n, library=library) if isinstance(row, MinimalPair)]


def test_a_suite_that_is_called_like_a_language_is_in_it(data: Path) -> None:
    assert "Il gatto è bravo." in goods(load_library(data), 11)


def test_a_grammar_proves_it(with_grammar: Path) -> None:
    library = load_library(with_grammar)
    assert prepare("it_gender", library).proof is not None
    assert {"L'amico è bravo.", "L'amica è brava."} < set(goods(library, 11))


class TestSentencesThatTheRulesDoNotCover:
    def test_the_key_that_leaves_them_unproven_is_named(self, with_grammar: Path) -> None:
        self.reorder(with_grammar)
        with pytest.raises(DataError, match=r"does not derive 'good'.* or say unproven: WHY until they cover it"):
            prepare("it_gender", load_library(with_grammar))

    def test_it_leaves_them_unproven(self, with_grammar: Path, call: Call) -> None:
        self.reorder(with_grammar, "unproven: the rules have no inversion\n")
        assert len(goods(load_library(with_grammar), 5)) == 5
        shown = call("show", "it_gender", "--data", with_grammar)
        assert "proof: none; the rules have no inversion" in shown.out

    def test_english_has_no_such_way_out(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.yaml"
        path.write_text(
            "summary: A noun agrees.\nfield: morphology\nunproven: why not\nslots:\n"
            "  verb: {cat: VG.plain, Tense: Past, frame: V.NP}\n  subj: {cat: DP.name, subject_of: verb}\n"
            "  noun: {cat: N, Number: Sing, is: count=count, object_of: verb}\n"
            "good: subj verb this noun .\nbad:  subj verb this noun[Number=other] .\n",
            encoding="utf-8",
        )
        with pytest.raises(DataError, match=r"mine\.yaml:3: a paradigm of these words is proven.*take 'unproven' out"):
            prepare(path)

    @staticmethod
    def reorder(folder: Path, key: str = "") -> None:
        path = folder / "paradigms/italian/agreement/it_gender.yaml"
        text = PARADIGM.replace("det noun be adj", "be det noun adj").replace("field:", f"{key}field:")
        path.write_text(text, encoding="utf-8")


@pytest.mark.parametrize(("bad", "told"), [("det adj noun be .", False), ("det noun di be adj .", True)])
def test_words_are_counted_without_their_joins(data: Path, call: Call, bad: str, told: bool) -> None:
    """*L'amico è bravo* has a space less than *il bravo amico è*, and as many words."""
    path = data / "paradigms/italian/agreement/it_gender.yaml"
    path.write_text(PARADIGM.replace("det noun be adj[Gender=other] .", bad), encoding="utf-8")
    assert call("generate", "it_gender", "--data", data, "-n", 11, "-o", data / "out").code == 0
    assert ("word-count" in call("audit", data / "out", "--data", data).out) is told


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("good: det noun", "good: dii det noun", r"it_gender\.yaml:8: 'dii' is neither .* word; did you mean 'di'\?"),
        ("adj .\nbad", "adj ;\nbad", r"'.*;' is neither .* word; write a mark of punctuation into marks of language"),
        ("{words: NOUN}", "{words: NOUN, subjct_of: be}", r"'subjct_of' says nothing .*; did you mean 'subject_of'\?"),
    ],
)
def test_what_is_misspelt_is_named(data: Path, old: str, new: str, message: str) -> None:
    path = data / "paradigms/italian/agreement/it_gender.yaml"
    path.write_text(PARADIGM.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=message):
        goods(load_library(data), 5)


def test_words_that_a_set_has_and_the_library_lacks_are_named(data: Path, call: Call) -> None:
    assert call("generate", "it_gender", "--data", data, "-n", 5, "-o", data / "out").code == 0
    told = call("prove", data / "out").err
    assert "5 unknown words" in told
    assert "; a set of a language or words of your own needs --data, and the language a grammar" in told


class TestMadeUpWords:
    def test_few_words_are_enough(self, data: Path) -> None:
        real = {line.partition(";")[0] for line in LEXEMES.splitlines()}
        for seed in range(5):
            library = load_library(data).varied(Variant(nonce=("noun",)))
            rows = generate("it_gender", n=11, seed=seed, library=library)
            made_up = {word for row in rows if isinstance(row, MinimalPair) for word in row.row["nonce"]}
            assert len(made_up) == 11
            assert not made_up & real

    def test_words_without_a_class_are_told(self, data: Path) -> None:
        library = load_library(data).varied(Variant(nonce=("adj",)))
        with pytest.raises(DataError, match=r"no word of QUALITY has a class of inflection\.tsv, so no adj is made up"):
            generate("it_gender", n=5, library=library)


@pytest.mark.slow
def test_tables_and_language_are_no_paradigms(data: Path, call: Call) -> None:
    for arguments in ((data,), ("--data", data, data)):
        done = call("check", *arguments)
        assert (done.code, done.out) == (0, ""), done.out
