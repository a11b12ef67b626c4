"""Languages as data: a folder with ``language.yaml``, how it is written, words that change where they meet others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import blimpgen
from blimpgen.api import count, generate
from blimpgen.base.errors import DataError
from blimpgen.base.records import MinimalPair
from blimpgen.checks import check
from blimpgen.lexicon.language import CONSONANT, VOWEL, Join, LanguageModel
from blimpgen.lexicon.schema import TABLES
from blimpgen.library import Library, load_library, shipped_data
from tests.conftest import Call

PACKAGE = Path(blimpgen.__file__).resolve().parent
PARADIGM = """summary: A contrast.
field: morphology
library: {name}
slots:
{slots}
good: {good}
bad: {bad}
enumerate: yes
unique: off
"""


def language(folder: Path, facts: str, *, words: str = "", function: str = "") -> Library:
    """A data folder with one language, ``xx``, and a paradigm folder beside it."""
    tables = folder / "lexicon" / "xx"
    tables.mkdir(parents=True)
    (tables / "language.yaml").write_text(facts, encoding="utf-8")
    (tables / "words.tsv").write_text("list\tlemma\tplural\n" + words, encoding="utf-8")
    (tables / "function.tsv").write_text("id\tlemma\tkind\n" + function, encoding="utf-8")
    return load_library(folder)


def sentences(library: Library, good: str, bad: str, **slots: str) -> set[str]:
    """The good sentences of a paradigm of the language ``xx``."""
    path = library.folders[-1] / "mine.yaml"
    lines = "\n".join(f"  {name}: {{{value}}}" for name, value in slots.items())
    path.write_text(PARADIGM.format(name="xx", slots=lines, good=good, bad=bad), encoding="utf-8")
    records = generate(path, n=40, library=library)
    return {record.good for record in records if isinstance(record, MinimalPair)}


ELIDED = """name: Italian
code: it
joins:
  - {words: il, before: vowel, becomes: "l'", glued: yes}
  - {words: la, before: vowel, becomes: "l'", glued: yes}
"""
HIDDEN = "N\tamico\t\nN\tzio\t\nN\tsole\t\nV\til\tla\nA\tdorme\t\nA\tparla\t\n"


class TestWriting:
    def test_words_become_one(self, tmp_path: Path) -> None:
        facts = "name: Spanish\ncode: es\njoins:\n  - {words: de el, becomes: del}\n  - {words: a el, becomes: al}\n"
        words = "N\tel libro\tlos libros\nN\tla casa\tlas casas\nV\tviene\tvienen\n"
        library = language(tmp_path, facts, words=words, function="de.1\tde\tadp\n")
        good = sentences(library, "verb de noun .", "verb[Number=other] de noun .", verb="words: V", noun="words: N")
        assert good == {"Viene del libro.", "Viene de la casa."}

    def test_a_word_changes_before_a_sound_and_before_letters(self, tmp_path: Path) -> None:
        facts = """name: Italian
code: it
joins:
  - {words: il, before: vowel, becomes: "l'", glued: yes}
  - {words: il, letters: [z, gn, ps, sb, sc, sp, st], becomes: lo}
"""
        words = "N\tamico\tamici\nN\tzio\tzii\nN\tstudente\tstudenti\nN\tsole\tsoli\nV\tdorme\tdormono\n"
        library = language(tmp_path, facts, words=words, function="il.1\til\tadp\n")
        good = sentences(library, "il noun verb .", "il noun verb[Number=other] .", verb="words: V", noun="words: N")
        assert good == {"L'amico dorme.", "Lo zio dorme.", "Lo studente dorme.", "Il sole dorme."}

    def test_joins_apply_to_what_the_ones_before_have_made(self, tmp_path: Path) -> None:
        facts = """name: Italian
code: it
joins:
  - {words: di il, becomes: del}
  - {words: del, before: vowel, becomes: "dell'", glued: yes}
  - {words: del, letters: [z], becomes: dello}
"""
        words = "N\tamico\tamici\nN\tzio\tzii\nN\tsole\tsoli\nV\tparla\tparlano\n"
        library = language(tmp_path, facts, words=words, function="il.1\til\tadp\ndi.1\tdi\tadp\n")
        good = sentences(
            library, "verb di il noun .", "verb[Number=other] di il noun .", verb="words: V", noun="words: N"
        )
        assert good == {"Parla dell'amico.", "Parla dello zio.", "Parla del sole."}

    def test_a_row_whose_sentences_a_join_makes_equal_is_drawn_again(self, tmp_path: Path) -> None:
        library = language(tmp_path, ELIDED, words=HIDDEN)
        good = sentences(
            library,
            "verb noun adj .",
            "verb[Number=other] noun adj .",
            verb="words: V",
            noun="words: N",
            adj="words: A",
        )
        assert good == {"Il zio dorme.", "Il zio parla.", "Il sole dorme.", "Il sole parla."}

    def test_rows_without_a_contrast_are_not_counted(self, tmp_path: Path) -> None:
        """All rows that are pairs are drawn, and no more are promised."""
        library = language(tmp_path, ELIDED, words=HIDDEN)
        path = library.folders[-1] / "mine.yaml"
        slots = "  noun: {words: N}\n  art:  {words: V}\n  adj:  {words: A}"
        text = PARADIGM.format(name="xx", slots=slots, good="art noun adj .", bad="art[Number=other] noun adj .")
        path.write_text(text.replace("enumerate: yes\nunique: off\n", ""), encoding="utf-8")
        assert count(path, library=library).value == 4
        goods = {record.good for record in generate(path, n=4, library=library) if isinstance(record, MinimalPair)}
        assert goods == {f"Il {noun} {verb}." for noun in ("sole", "zio") for verb in ("dorme", "parla")}
        with pytest.raises(DataError, match="can give 4 rows, not 5"):
            generate(path, n=5, library=library)

    def test_a_set_without_any_contrast_is_told(self, tmp_path: Path) -> None:
        library = language(tmp_path, ELIDED, words=HIDDEN.replace("sole", "asino").replace("zio", "orto"))
        with pytest.raises(DataError, match=r"joins make all sentences equal, such as \"L'.* \w+\.\"; change a"):
            sentences(
                library,
                "verb noun adj .",
                "verb[Number=other] noun adj .",
                verb="words: V",
                noun="words: N",
                adj="words: A",
            )

    def test_a_word_that_a_join_hides_shows_nothing(self, tmp_path: Path) -> None:
        """*L'insegnante è brava* is good; the article of *il cantante* shows its gender."""
        library = language(tmp_path, ELIDED)
        nouns = [("cantante", "cantanti"), ("insegnante", "insegnanti")]
        both = [(noun, gender) for noun in nouns for gender in ("Masc", "Fem")]
        rows = [f"NOUN\t{s}\tGender={g}|Number={n}\t{f}" for (s, p), g in both for n, f in (("Sing", s), ("Plur", p))]
        rows += [f"NOUN\tasino\tGender=Masc|Number={n}\t{f}" for n, f in (("Sing", "asino"), ("Plur", "asini"))]
        for gender, number, article, ending in [
            ("Masc", "Sing", "il", "o"),
            ("Fem", "Sing", "la", "a"),
            ("Masc", "Plur", "i", "i"),
            ("Fem", "Plur", "le", "e"),
        ]:
            rows.append(f"DET\til\tGender={gender}|Number={number}\t{article}")
            rows.append(f"ADJ\tbravo\tGender={gender}|Number={number}\tbrav{ending}")
        table = "\n".join(["list\tlemma\tfeatures\tform", *rows, ""])
        (tmp_path / "lexicon/xx/inflected.tsv").write_text(table, encoding="utf-8")
        good = sentences(
            library,
            "art noun adj .",
            "art noun adj[Gender=other] .",
            noun="words: NOUN, Number: Sing",
            art="words: DET, Gender: same noun, Number: same noun",
            adj="words: ADJ, Gender: same art, Number: same noun",
        )
        assert good == {"Il cantante bravo.", "La cantante brava.", "L'asino bravo."}

    def test_a_question_is_opened_by_a_mark(self, tmp_path: Path) -> None:
        facts = 'name: Spanish\ncode: es\nopening: "¿¡"\n'
        library = language(tmp_path, facts, words="N\tél\tellos\nV\tviene\tvienen\n")
        good = sentences(library, "¿ verb noun ?", "¿ verb[Number=other] noun ?", verb="words: V", noun="words: N")
        assert good == {"¿Viene él?"}

    def test_words_without_spaces(self, tmp_path: Path) -> None:
        facts = "name: Japanese\ncode: ja\nspaces: no\ncapitals: none\nmarks: 。、\n"
        library = language(tmp_path, facts, words="N\t犬\t\nV\t走る\t走った\n", function="が.1\tが\tpart\n")
        good = sentences(library, "noun が verb 。", "noun verb[Number=other] が 。", verb="words: V", noun="words: N")
        assert good == {"犬が走る。"}

    def test_no_capitals(self, tmp_path: Path) -> None:
        facts = "name: Lower\ncode: und\ncapitals: none\n"
        library = language(tmp_path, facts, words="N\ta\tas\nV\tb\tbs\n")
        assert sentences(library, "n v .", "n v[Number=other] .", n="words: N", v="words: V") == {"a b."}

    @pytest.mark.parametrize(
        ("text", "tokens"),
        [
            ("Dança no jardim.", ["Dança", "em", "o", "jardim", "."]),
            ("No jardim dança.", ["Em", "o", "jardim", "dança", "."]),
            ("Compra-o.", ["Compra", "-o", "."]),
            ("Compram.", ["Compram", "."]),
        ],
    )
    def test_joins_are_undone_where_they_were_made(self, text: str, tokens: list[str]) -> None:
        """What begins with another letter has its capital; a longer word is not cut."""
        joins = (Join(words="em o", becomes="no"), Join(words="compra", letters=["-"], becomes="compra", glued="yes"))
        language = LanguageModel(name="Portuguese", code="pt", joins=list(joins))
        assert language.tokens(text) == tokens

    @pytest.mark.parametrize(
        ("facts", "message"),
        [
            ("name: X\n", r"language\.yaml:1: the key 'code' is missing"),
            (
                "name: X\ncode: xx\njoins:\n  - {words: de, becomes: do}\n  - {words: de o, becomes: do}\n",
                r"language\.yaml:5: 'de' is always 'do' by an earlier join, so 'de o' never meets; put this one first",
            ),
            ("name: X\ncode: xx\ncapital: none\n", r"language\.yaml:3: unknown key 'capital'; did you mean 'capitals'"),
            ("name: X\ncode: xx\ncapitals: all\n", r"language\.yaml:3: capitals: unknown value 'all'"),
            ("name: X\ncode: english\n", r"language\.yaml:2: code must be"),
            ("name: X\ncode: xx\njoins:\n  - {words: a, become: b}\n", r"language\.yaml:4: unknown key 'become'"),
            ("name: X\ncode: xx\njoins:\n  - {words: a, letters: z, becomes: b}\n", r"must be a list such as \[a, b\]"),
            (
                "name: X\ncode: xx\njoins:\n  - {words: a b c, becomes: d}\n",
                r"language\.yaml:4: 'a b c' has more than two",
            ),
            (
                'name: X\ncode: xx\njoins:\n  - {words: a, before: vowel, becomes: "l\'"}\n',
                r"language\.yaml:4: \"l'\" would stand apart from the next word; write glued: yes",
            ),
            (
                "name: X\ncode: xx\njoins:\n  - {words: a, becomes: o}\n  - {words: a, before: vowel, becomes: an}\n",
                r"language\.yaml:5: 'a' is 'o' by an earlier join wherever this one would apply; put this one first",
            ),
            (
                "name: X\ncode: xx\njoins:\n  - {words: a, letters: [z], becomes: o}\n"
                "  - {words: a, letters: [zi], becomes: e}\n",
                r"language\.yaml:5: 'a' is 'o' by an earlier join",
            ),
            (
                "name: X\ncode: xx\njoins:\n  - {words: a, before: vowel, letters: [z, gn], becomes: o}\n",
                r"language\.yaml:4: no vowel among the letters z, gn, so nothing is joined",
            ),
            (
                "name: X\ncode: xx\njoins:\n  - {words: a b, before: vowel, becomes: d}\n",
                r"language\.yaml:4: 'a b' meets its own second word, so before and letters ask nothing",
            ),
        ],
    )
    def test_a_wrong_file_is_told(self, tmp_path: Path, facts: str, message: str) -> None:
        library = language(tmp_path, facts)
        with pytest.raises(DataError, match=message):
            library.language("xx")


class TestLayers:
    def test_a_language_has_nothing_of_english(self) -> None:
        lexicon = load_library().language("german/clams").lexicon
        assert lexicon.closed_words.keys() == {"und"}
        assert "NP1_nom" in lexicon.word_lists
        assert not lexicon.inventory("N").ids

    def test_a_library_beside_english_has_its_words(self) -> None:
        assert load_library().language("marvin_linzen").lexicon.is_word("the")

    def test_a_layer_that_a_library_lacks_leaves_it_as_it_is(self, tmp_path: Path) -> None:
        paradigms = tmp_path / "paradigms" / "mine"
        paradigms.mkdir(parents=True)
        (paradigms / "suite.yaml").write_text("title: Mine\nprofiles:\n  other: {layer: head}\n  none: {layer: haed}\n")
        (paradigms / "mine.yaml").write_text(
            (shipped_data() / "paradigms/clams/agreement/fr_simple_agrmt.yaml").read_text()
        )
        library = load_library(tmp_path, profile="other")
        assert library.language_of(library.paradigm("mine")) is library.language("french/clams")
        library = load_library(tmp_path, profile="none")
        with pytest.raises(DataError, match=r"no library has a layer 'haed'.*'head'"):
            library.language_of(library.paradigm("mine"))

    def test_slots_that_must_differ_need_enough_words(self, tmp_path: Path) -> None:
        text = (shipped_data() / "paradigms/clams/agreement/de_simple_agrmt.yaml").read_text()
        path = tmp_path / "mine.yaml"
        path.write_text(
            text.replace(
                "slots:", "slots:\n  relative: {words: REL_nom, Number: =n}\n  other: {words: REL_nom, Number: =n}"
            ).replace("subject verb", "subject relative other verb")
        )
        library = load_library()
        [problem] = check(library, [path])
        assert "no words go together in the cell n=Sing" in problem.message
        with pytest.raises(DataError, match="no words go together"):
            generate(path, library=library)


SPANISH = """list	lemma	features	form
NOUN	casa	Gender=Fem|Number=Sing	casa
NOUN	casa	Gender=Fem|Number=Plur	casas
NOUN	libro	Gender=Masc|Number=Sing	libro
NOUN	libro	Gender=Masc|Number=Plur	libros
NOUN	árbol	Gender=Masc|Number=Sing	árbol
NOUN	árbol	Gender=Masc|Number=Plur	árboles
DET	el	Gender=Masc|Number=Sing	el
DET	el	Gender=Masc|Number=Plur	los
DET	el	Gender=Fem|Number=Sing	la
DET	el	Gender=Fem|Number=Plur	las
ADJ	rojo	Gender=Masc|Number=Sing	rojo
ADJ	rojo	Gender=Masc|Number=Plur	rojos
ADJ	rojo	Gender=Fem|Number=Sing	roja
ADJ	rojo	Gender=Fem|Number=Plur	rojas
ADJ	grande	Gender=Masc|Number=Sing	grande
ADJ	grande	Gender=Masc|Number=Plur	grandes
ADJ	grande	Gender=Fem|Number=Sing	grande
ADJ	grande	Gender=Fem|Number=Plur	grandes
VERB	ser	Person=1|Number=Sing	soy
VERB	ser	Person=3|Number=Sing	es
VERB	ser	Person=3|Number=Plur	son
"""


class TestInflectedWords:
    """Lists of words with forms under UD features, which agree and are changed feature by feature."""

    @pytest.fixture
    def library(self, tmp_path: Path) -> Library:
        library = language(tmp_path, "name: Spanish\ncode: es\n")
        (tmp_path / "lexicon/xx/inflected.tsv").write_text(SPANISH, encoding="utf-8")
        return library

    def pairs(self, library: Library, change: str, **slots: str) -> set[tuple[str, str]]:
        agreeing = {
            "noun": "words: NOUN",
            "det": "words: DET, Gender: same noun, Number: same noun",
            "verb": "words: VERB, Person: 3, Number: same noun",
            "adj": "words: ADJ, Gender: same noun, Number: same noun",
        }
        slots = {**agreeing, **slots}
        slot = change.partition("[")[0]
        template = "det noun verb adj ."
        path = library.folders[-1] / "mine.yaml"
        lines = "\n".join(f"  {name}: {{{value}}}" for name, value in slots.items())
        text = PARADIGM.format(name="xx", slots=lines, good=template, bad=template.replace(slot, change))
        path.write_text(text, encoding="utf-8")
        records = generate(path, n=1000, library=library)
        return {(record.good, record.bad) for record in records if isinstance(record, MinimalPair)}

    def test_gender_agrees_and_is_changed(self, library: Library) -> None:
        pairs = self.pairs(library, "adj[Gender=other]")
        assert ("La casa es roja.", "La casa es rojo.") in pairs
        assert ("Los árboles son rojos.", "Los árboles son rojas.") in pairs
        assert len(pairs) == 6  # grande has one form for both genders

    def test_number_is_changed_and_all_adjectives_show_it(self, library: Library) -> None:
        pairs = self.pairs(library, "adj[Number=other]")
        assert ("La casa es grande.", "La casa es grandes.") in pairs
        assert len(pairs) == 12

    def test_a_change_may_name_a_value(self, library: Library) -> None:
        pairs = self.pairs(library, "verb[Person=1]", noun="words: NOUN, Number: Sing")
        assert ("El libro es grande.", "El libro soy grande.") in pairs
        assert len(pairs) == 6

    @pytest.mark.parametrize(
        ("slots", "change", "message"),
        [
            ({"noun": "words: NOUN, Case: Acc"}, "adj[Gender=other]", "the list 'NOUN' has no feature 'Case'"),
            ({"noun": "words: NOUN, Gender: Neut"}, "adj[Gender=other]", "no word of 'NOUN' has Gender=Neut"),
            ({}, "adj[Case=Dat]", "the words of 'adj' have no feature 'Case'; there are: Gender, Number"),
            ({}, "adj[Nubmer=Plur]", "the words of 'adj' have no feature 'Nubmer'; did you mean 'Number'"),
            ({}, "adj[Gender=Neut]", "no word of 'adj' has Gender=Neut; there are: Masc, Fem"),
            ({}, "verb[Person=2]", "no word of 'verb' has Person=2; there are: "),
            ({"adj": "words: ADJ, Person: same noun"}, "adj[Gender=other]", "the list 'ADJ' has no feature 'Person'"),
            (
                {"verb": "words: VERB, Person: same noun"},
                "adj[Gender=other]",
                "the words of 'noun' have no feature 'Person'; there are: Gender, Number",
            ),
            ({"det": "words: DTE"}, "adj[Gender=other]", "there is no list 'DTE'; did you mean 'DET'"),
            ({"det": "words: ARTICLE, Gender: same noun"}, "adj[Gender=other]", "'Gender' says nothing of 'ARTICLE'"),
        ],
    )
    def test_what_the_words_do_not_have_is_told(
        self, library: Library, slots: dict[str, str], change: str, message: str
    ) -> None:
        with pytest.raises(DataError, match=message):
            self.pairs(library, change, **slots)

    @pytest.mark.parametrize(
        ("row", "message"),
        [
            ("NOUN	sol	masculine	sol", "cannot read the features 'masculine'"),
            ("NOUN	sol	Gender=Mask|Number=Sing	sol", "UD has no Gender=Mask; did you mean 'Masc'"),
            ("NOUN	sol	Gender=Masc|Number=Plural	sol", "UD has no Number=Plural; did you mean 'Plur'"),
            ("NOUN	sol	Number=Sing	sol", "the list 'NOUN' has the features Gender, Number, this form Number"),
        ],
    )
    def test_wrong_rows_are_told(self, library: Library, row: str, message: str) -> None:
        path = library.folders[-1] / "lexicon/xx/inflected.tsv"
        path.write_text(f"{SPANISH}{row}\n", encoding="utf-8")
        with pytest.raises(DataError, match=message):
            self.pairs(library, "adj[Gender=other]")

    @pytest.mark.parametrize(
        ("facts", "message"),
        [
            ("classes: {noun: [NOWN]}", "unknown word list 'NOWN'; did you mean 'NOUN'"),
            ("joins: [{words: de ell, becomes: del}]", "no table has 'ell', so nothing is joined; did you mean 'el'"),
            ("joins: [{words: '-', becomes: '-'}]", "no table has '-', so nothing is joined; t?here"),
            (
                "joins: [{words: xel, before: vowel, becomes: xell}, {words: el la, becomes: xel}]",
                "no table has 'xel', so nothing is joined; a later join makes it; put this one behind that",
            ),
        ],
    )
    @pytest.mark.slow
    def test_what_a_language_names_is_there(self, library: Library, facts: str, message: str) -> None:
        folder = library.folders[-1] / "lexicon/xx"
        with (folder / "language.yaml").open("a", encoding="utf-8") as file:
            file.write(f"{facts}\n")
        self.pairs(library, "adj[Gender=other]")
        found = [str(problem) for problem in check(library, [library.folders[-1] / "mine.yaml"])]
        assert any(re.search(message, problem) for problem in found), found


CELLS = """class;list;features;drop;stem;ending
s;NOUN;Number=Sing;;;
s;NOUN;Number=Plur;;plural;s
both;NOUN;Gender=Masc|Number=Sing;;;
both;NOUN;Gender=Fem|Number=Sing;;;
both;NOUN;Gender=Masc|Number=Plur;;;s
both;NOUN;Gender=Fem|Number=Plur;;;s
o;ADJ;Gender=Masc|Number=Sing;o;;o
o;ADJ;Gender=Fem|Number=Sing;o;;a
o;ADJ;Gender=Masc|Number=Plur;o;;os
o;ADJ;Gender=Fem|Number=Plur;o;;as
ar;VERB;Mood=Ind|Number=Sing;ar;stressed;a
ar;VERB;Mood=Sub|Number=Sing;ar;stressed;e
ir;VERB;Mood=Ind|Number=Sing;ir;stressed;e
ir;VERB;Mood=Sub|Number=Sing;ir;stressed;a
"""
LEXEMES = """lemma;class;features;also;stems;types;subj;obj
niña;s;Gender=Fem;;;human;;
médico;s;Gender=Masc;Gender=Fem;;human;;
estudiante;both;;;;human;;
casa;s;Gender=Fem;;;thing;;
alto;o;;;;;;
sentar;ar;;;stressed:e>ie;;human;human
sentir;ir;;;stressed:e>ie;;human;thing
cantar;ar;;;;;human;none
"""
TYPES = "type;parent\nhuman;\nthing;\n"


class TestInflectionClasses:
    """Words that inflect by the endings and stem changes of their class, with the types that relations ask for."""

    @pytest.fixture
    def library(self, tmp_path: Path) -> Library:
        library = language(tmp_path, "name: Spanish\ncode: es\n", function="mi.1\tmi\tpart\nque.1\tque\tcomp\n")
        for name, text in {"inflection": CELLS, "lexemes": LEXEMES, "types": TYPES}.items():
            (tmp_path / f"lexicon/xx/{name}.tsv").write_text(text.replace(";", "\t"), encoding="utf-8")
        return library

    def test_endings_and_stem_changes(self, library: Library) -> None:
        lexicon = library.language("xx").lexicon
        verbs = lexicon.inventory("words:VERB")
        cell = verbs.forms["Mood=Sub|Number=Sing"]
        assert [lexicon.strings.text(k).strip() for k in cell] == ["siente", "sienta", "cante"]

    def test_a_listed_form_overrides_the_class(self, library: Library) -> None:
        rows = "list\tlemma\tfeatures\tform\nVERB\tcantar\tMood=Sub|Number=Sing\tcantase\n"
        (library.folders[-1] / "lexicon/xx/inflected.tsv").write_text(rows, encoding="utf-8")
        lexicon = library.language("xx").lexicon
        cell = lexicon.inventory("words:VERB").forms["Mood=Sub|Number=Sing"]
        assert [lexicon.strings.text(k).strip() for k in cell] == ["siente", "sienta", "cantase"]

    def test_a_relation_asks_for_types(self, library: Library) -> None:
        slots = {"noun": "words: NOUN, Number: Sing, subject_of: verb", "verb": "words: VERB, Mood: Ind"}
        good = sentences(library, "noun verb .", "noun verb[Mood=Sub] .", **slots)
        assert {sentence.split()[0] for sentence in good} == {"Niña", "Médico", "Estudiante"}

    def test_a_form_that_another_word_has_with_the_value_is_not_bad(self, library: Library) -> None:
        """*Sienta* is the subjunctive of *sentir*, so it is no bad subjunctive of *sentar*."""
        good = sentences(library, "que verb .", "que verb[Mood=Ind] .", verb="words: VERB, Mood: Sub")
        assert good == {"Que cante."}

    def test_what_is_agreed_with_shows_the_feature(self, library: Library) -> None:
        """*Mi estudiante alta* is good, and *la médico* is said: only *niña* and *casa* are feminine alone."""
        slots = {"noun": "words: NOUN, Number: Sing", "adj": "words: ADJ, Gender: same noun, Number: same noun"}
        good = sentences(library, "mi noun adj .", "mi noun adj[Gender=other] .", **slots)
        assert good == {"Mi niña alta.", "Mi casa alta."}

    def test_a_changed_noun_too(self, library: Library) -> None:
        slots = {"noun": "words: NOUN, Number: Sing", "adj": "words: ADJ, Gender: same noun, Number: same noun"}
        good = sentences(library, "mi noun adj .", "mi noun[Number=other] adj .", **slots)
        assert {sentence.split()[1] for sentence in good} == {"niña", "médico", "casa", "estudiante"}

    @pytest.mark.parametrize(
        ("name", "row", "message"),
        [
            ("lexemes", "perro;es;Gender=Masc;;;;;", r"lexemes\.tsv:10: no inflection class 'es'"),
            ("lexemes", "perro;o;;;;animal;;", r"lexemes\.tsv:10: types: unknown type 'animal'"),
            ("lexemes", "perro;s;Gender=Masc;Gender=Fme;;;;", r"lexemes\.tsv:10: also: UD has no Gender=Fme; did you"),
            ("lexemes", "beber;ar;;;;;;", r"lexemes\.tsv:10: 'beber' does not end in ar"),
            ("lexemes", "andar;ar;;;stressed:o>ue;;;", r"lexemes\.tsv:10: stems: the stem 'and' has no 'o'"),
            (
                "lexemes",
                "andar;ar;;;stresed:a>e;;;",
                r"lexemes\.tsv:10: stems: no cell of its classes, ar, takes the change 'stresed'; did you mean",
            ),
            ("lexemes", "andar;ar;;;o>ue;;;", r"lexemes\.tsv:10: stems: cannot read 'o>ue'"),
            ("lexemes", "andar;ar;;;;;humam;", r"lexemes\.tsv:10: subj: unknown type 'humam'; did you mean"),
            ("lexemes", "casa;both;;;;;;", r"lexemes\.tsv:10: 'casa' stands twice in the list 'NOUN'"),
            (
                "inflection",
                "ar;VERB;Mood=Imp|Number=Sing;ar;stresed;a",
                r"inflection\.tsv:16: no lexeme has a stem change 'stresed'; did you mean 'stressed'",
            ),
            ("inflection", "o;ADJ;masculine;;;", r"inflection\.tsv:16: cannot read the features 'masculine'"),
        ],
    )
    def test_wrong_rows_are_told(self, library: Library, name: str, row: str, message: str) -> None:
        path = library.folders[-1] / f"lexicon/xx/{name}.tsv"
        path.write_text(path.read_text(encoding="utf-8") + row.replace(";", "\t") + "\n", encoding="utf-8")
        lexicon = library.language("xx").lexicon
        with pytest.raises(DataError, match=message):
            _ = [lexicon.inventory(f"words:{list_name}") for list_name in lexicon.word_lists]


@pytest.mark.parametrize(
    ("format_name", "file", "text"),
    [
        ("hf", "README.md", "language:\n- de\n"),
        ("hf", "README.md", "Minimal pairs of German sentences"),
        ("croissant", "croissant.json", "Minimal pairs of German sentences"),
        ("jspsych", "experiment.html", "Is German your native language?"),
        ("mturk", "layout.html", "Is German your native language?"),
        ("pcibex", "data_includes/main.js", "pairs of German sentences"),
    ],
)
def test_exports_name_the_language(call: Call, tmp_path: Path, format_name: str, file: str, text: str) -> None:
    assert call("generate", "de_simple_agrmt", "-o", tmp_path / "set").code == 0
    assert call("export", tmp_path / "set", "--to", format_name, "-o", tmp_path / "out").code == 0
    assert text in (tmp_path / "out" / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("word, onset", [("apple", VOWEL), ("Iliad", VOWEL), ("cat", CONSONANT), ("yacht", CONSONANT)])
def test_onset_by_spelling(word: str, onset: int, library: Library) -> None:
    assert library.lexicon.language.onset(word) == onset


ENGLISH = ("english/", "audit/guards/", "audit/repairs.py", "exports/dependencies.py")
"""Where words of English stand in the program: the room, the guards of English sets and what mends their faults, and
what reads dependencies from the trees of the English grammar."""
NAMES = """above after all alone also any anything are before below beside every few fewer for half has how is it like
little mine more near no none not nothing of off on one only past some there throughout to what where why with within
without"""
"""Words that are names in the program as well: of keys, options, columns, values and an order of bytes."""
PROSE = ("a number", "and", "are")
"""What messages and reports are written with."""
ARTICLES = ("a", "an", "the")


@pytest.fixture(scope="module")
def english() -> re.Pattern[str]:
    """Strings of function words of English, but for those that name something; endings looked for or taken away."""
    names = {name for table in TABLES.values() for column in table.columns for name in (column.name, *column.values)}
    words = (
        {word for word in load_library().lexicon.closed_words if word[-1:].isalpha()} - names - {*NAMES.split(), *PROSE}
    )
    word = "|".join(map(re.escape, sorted({*words, *ARTICLES})))
    ending = r"\.(?:endswith|removesuffix)\([^)\n]*\"(?:'?s|es|e?d|ing|er|est|ly|n't)\""
    return re.compile(rf'"(?:{word})(?: (?:{word}))*"|{ending}')


class TestEnglishStandsApart:
    def test_nothing_else_knows_a_word_or_an_ending_of_english(self, english: re.Pattern[str]) -> None:
        sources = {path.relative_to(PACKAGE).as_posix(): path for path in PACKAGE.rglob("*.py")}
        assert [
            f"{name}: {match[0]}"
            for name, path in sorted(sources.items())
            if not name.startswith(ENGLISH) and name != "lexicon/schema.py"  # the names themselves
            for match in english.finditer(path.read_text(encoding="utf-8"))
        ] == []

    @pytest.mark.parametrize("name", ENGLISH)
    def test_what_is_named_as_english_knows_some(self, english: re.Pattern[str], name: str) -> None:
        paths = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).as_posix().startswith(name)]
        assert any(english.search(path.read_text(encoding="utf-8")) for path in paths)

    def test_a_word_and_an_ending_are_seen(self, english: re.Pattern[str]) -> None:
        source = """if word.endswith("ing") or word in ("the", "whose") or word in "he she they".split():"""
        assert len(english.findall(source)) == 4
