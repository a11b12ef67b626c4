"""A grammar over word lists: the one of Spanish derives what is good and nothing that is bad, and says why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from blimpgen.api import generate, parse
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.records import MinimalPair
from blimpgen.generation.derivations import derivable_slots
from blimpgen.generation.prepare import prepare
from blimpgen.grammar.parse import Parser
from blimpgen.library import Language, default_library, load_library
from tests.conftest import ITALIAN, Call, tiered

SUITE = tuple(default_library().suites["spanish"].files)

GOOD = """
El perro de la niña es alto.
Ana y Pedro cantan en la plaza.
Los altos llegaron ayer.
La que canta es alta.
Los de la niña son caros.
Esta canta.
El agua fresca está en la mesa del alumno.
La mesa del aula es cara.
Compró libros e informes.
Los niños que la madre que canta cuidaba llegaron.
La niña que cuidaban los padres llegó.
No vino nadie.
Nadie dijo nada.
Ningún niño canta nunca.
Nunca canta la niña.
Ana no compró ningún libro en la librería.
Ana no cree que los niños canten.
Quiere que los niños canten.
Es posible que la niña cante.
Es evidente que la niña canta.
Ana quiere cantar.
Ana sabe que los niños cantan.
Ana dijo que los niños cantan.
Le dio un libro a la niña.
El vecino me lo prestó.
La vecina se lo ha prestado.
Yo me quejé ayer.
Las casas las vendió Ana ayer.
A la niña le gustan los libros.
A los niños les gusta el libro.
¿Qué compró Ana?
¿Qué libro compró Ana y vendió Pedro?
¿A quién saludó el médico antes de abrazar a la niña?
¿De quién habla la vecina?
¿Por qué lloran los niños?
¿Cantan los niños?
La casa está vendida.
La casa fue vendida por los vecinos.
La boda es en el jardín del hotel.
El libro está en la mesa.
Las niñas están cantando en el parque.
Mi madre es médica.
El padre de la niña habla de sí mismo.
Ana busca una secretaria.
Nos prestó un libro.
Te entregaron los libros a la niña.
Os regalamos un libro.
El niño ya canta.
La niña siempre llora con Ana.
El médico también trabaja ayer.
La abogada todavía duerme.
Ana la abrazó.
Ana saluda a la niña y abraza al niño.
La niña canta y el niño llora.
¿Cuándo llega el médico?
¿Dónde canta?
¿Con quién baila la niña?
¿A quién saludó el médico después de comprar un libro?
Ana cree que los niños cantan.
Ana desea que los niños canten.
Ana habla de la casa.
Me dio un libro.
La niña está contenta.
Mi madre es la médica.
El libro fue vendido.
Ana llora para que la niña cante.
Ana llegó sin que la niña cantara.
Ana llegó antes de que la niña cantara.
Ana canta bien.
""".strip().splitlines()
BAD = """
El perro de la niña es alta.
El perros es alto.
Una perro canta.
Los perro negro canta.
Ana y Pedro canta en la plaza.
El aguas está en la mesa.
El agua fresco está en la mesa.
Los niños que la madre cuidaba llegó.
La niña que los padres cuidaban llegaron.
Vino nadie.
Ana dijo nada.
El niño compró ningún libro.
El niño canta nunca.
Ana cree que los niños canten.
Quiere que los niños cantan.
Es posible que la niña canta.
Es evidente que la niña cante.
La niña llegó sin que Ana la saludó.
Ana sabe que los niños canten.
El vecino lo me prestó.
La niña ha lo comprado.
La niña ha comprada un libro.
Yo se quejé ayer.
Yo canta en la plaza.
Las casas lo vendió Ana ayer.
A la niña le gusta los libros.
A los niños le gusta el libro.
¿Qué ha Ana comprado?
¿Qué libro compró Ana y tropezó Pedro?
¿A quién saludó el médico a la niña antes de abrazar?
¿Quién habla la vecina de?
¿Dónde trabaja los niños?
La casa fue vendido por los vecinos.
La boda está en el jardín.
El libro es en la mesa.
Las niñas son cantando en el parque.
Mi madre está médica.
Mi madre es contenta.
El padre de la niña habla de sí misma.
La reina cree que el niño habla de sí misma.
Ana saluda el médico.
Ana compra al libro.
""".strip().splitlines()

# What is in the way of the bad sentences of each paradigm: a feature, or nothing but the order of their words.
CLASHES = """
Gender: attributive_gender predicate_gender reflexive_domain reflexive_gender clitic_gender determiner_gender
Gender: passive_gender perfect_participle
Number: attributive_number predicate_number reflexive_number clitic_number determiner_number passive_number psych_verb
Number: verb_across_object_relative verb_across_phrase verb_across_subject_relative verb_number verb_question
Person: clitic_pronominal verb_person
Mood: mood_after_adjectives mood_after_conjunctions mood_of_belief mood_of_volition
npi: never_without_negation no_object_without_negation nobody_licenses nothing_without_negation
frame: copula_of_state coordinate_structure
is not event: copula_of_events
is event: copula_of_location
is animate/is not human: personal_a
: clitic_order clitic_perfect copula_of_profession copula_of_progressive adjunct_island preposition_stranding
: question_inversion
"""


@pytest.fixture(scope="module")
def spanish() -> Language:
    return default_library().language("spanish")


@pytest.fixture(scope="module")
def parsers(spanish: Language) -> dict[str, Parser]:
    return spanish.parsers


class TestSentences:
    @pytest.mark.parametrize("text", GOOD)
    def test_good_ones_are_derived(self, parsers: dict[str, Parser], text: str) -> None:
        parses = parsers["closed"].parse(text)
        assert parses, parses.diagnosis

    def test_they_have_every_rule(self, spanish: Language) -> None:
        used: set[str] = set()
        for text in GOOD:
            for derived in spanish.parsers["closed"].parse(text):
                agenda = [derived.derivation]
                while agenda:
                    tree = agenda.pop()
                    used.add(tree.rule)
                    agenda += tree.children
        assert {rule.name for rules in spanish.grammar.rules.values() for rule in rules} - used == set()

    @pytest.mark.parametrize("text", BAD)
    def test_bad_ones_are_not_even_in_the_open_reading(self, parsers: dict[str, Parser], text: str) -> None:
        first = parsers["open"].parse(text).first
        assert first is None, str(first)

    def test_what_some_speakers_say_is_open(self, parsers: dict[str, Parser]) -> None:
        """*La médico*; and *el guitarra* plays it."""
        for text in ("La médico llegó.", "El guitarra llegó."):
            assert [name for name in ("closed", "open") if parsers[name].parse(text)] == ["open"]

    def test_a_frame_that_is_not_denied_is_open(self, parsers: dict[str, Parser]) -> None:
        """*Cantar* may have an object, *tropezar*, which denies it, may not."""
        assert [bool(parsers[name].parse("Ana cantó una canción.")) for name in ("closed", "open")] == [False, True]
        assert not parsers["open"].parse("Ana tropezó una canción.")

    def test_joins_are_undone(self, parsers: dict[str, Parser]) -> None:
        parse = parsers["closed"].parse("El agua del aula está en la mesa.").first
        assert parse is not None
        assert parse.tokens == ("El", "agua", "de", "el", "aula", "está", "en", "la", "mesa", ".")
        assert [word.features.get("Gender") for word in parse.words[:2]] == ["Fem", "Fem"]

    def test_the_first_word_behind_a_mark_has_lost_its_capital(self, parsers: dict[str, Parser]) -> None:
        assert parsers["closed"].parse("¿Dónde trabaja Ana?")
        assert parsers["closed"].parse("¿dónde trabaja Ana?")
        assert not parsers["closed"].parse("¿Dónde Trabaja Ana?")

    def test_it_says_what_is_in_the_way(self, parsers: dict[str, Parser]) -> None:
        diagnosis = str(parsers["closed"].parse("Los perros cantan en la plazas.").diagnosis)
        assert diagnosis.startswith("NOUN 'plazas' has Number=Plur, but DP.det wants Number=Sing there")


class TestParadigms:
    @pytest.mark.slow
    def test_every_paradigm_is_proven(self) -> None:
        """None has a slot that the grammar does not know, or says that its bad sentence is derivable."""
        for uid in SUITE:
            compiled = prepare(uid)
            assert compiled.paradigm.model.derivable is None
            assert all(map(derivable_slots, compiled.cells)), uid

    def test_all_have_their_clash(self) -> None:
        assert {f"es_{name}" for name in clashes()} == {*SUITE}

    @pytest.mark.parametrize("uid", tiered(SUITE))
    def test_what_is_in_the_way_is_what_the_paradigm_changes(self, parsers: dict[str, Parser], uid: str) -> None:
        wanted = clashes()[uid.removeprefix("es_")]
        for record in generate(uid, n=10, seed=1):
            assert isinstance(record, MinimalPair)
            found = parsers["open"].parse(record.bad).diagnosis.clashes
            assert (found[0].feature if found else "") in wanted, record.bad

    @pytest.mark.parametrize("uid", ["es_verb_across_phrase", "es_psych_verb", "es_coordinate_structure"])
    def test_rows_are_judged_as_sentences_are(self, spanish: Language, uid: str) -> None:
        """*De el* of a row is *del*, as in the sentence, and *y* before *i* is *e*."""
        compiled = prepare(uid)
        for number, cell in enumerate(compiled.cells):
            columns = compiled.sample(number, 20)
            for name in cell.sentences:
                texts = cell.sentence(name, columns).texts(spanish.lexicon)
                cut = spanish.word_numbers.sentences(cell.sentence(name, columns).ids)
                for reading in ("closed", "open"):
                    [derived] = spanish.verdicts.derived([(reading, cut)])
                    assert np.array_equal(derived, [spanish.parsers[reading].derives(text) for text in texts])


TRAP = """summary: A trap.
field: morphology
library: spanish
slots:
  noun: {{words: NOUN, is: individual, subject_of: verb}}
  det:  {{words: DET, Gender: same noun, Number: same noun}}
  verb: {{words: VERB, is: frames=intr, Mood: Ind, Tense: Past, Person: 3, Number: same noun}}
good: {good}
bad:  {bad}
"""


class TestTraps:
    @pytest.mark.parametrize(
        ("good", "bad", "message"),
        [
            (
                "det noun verb .",
                "det noun verb[Tense=Imp] .",
                r"trap\.yaml:9: the clause grammar derives 'bad' too, in the open reading, in 200 of 200 rows",
            ),
            ("det noun verb .", "verb det noun .", r"derives 'bad' too"),
            (
                "noun det verb .",
                "det noun verb[Number=other] .",
                r"trap\.yaml:8: the clause grammar does not derive 'good' .* see grammars/spanish/\*\.cfg",
            ),
        ],
    )
    def test_a_wrong_label_is_refused(self, tmp_path: Path, good: str, bad: str, message: str) -> None:
        path = tmp_path / "trap.yaml"
        path.write_text(TRAP.format(good=good, bad=bad), encoding="utf-8")
        with pytest.raises(DataError, match=message):
            generate(path, n=5)

    def test_a_frame_that_nobody_denies_is_named(self, tmp_path: Path) -> None:
        path = tmp_path / "trap.yaml"
        text = TRAP.format(good="det noun verb .", bad="det noun verb obj .").replace(
            "good:", "  obj:  {words: NOUN, is: food, Number: Plur}\ngood:"
        )
        path.write_text(text, encoding="utf-8")
        said = (
            r"write is: no_frames=trans in its slot, or trans into no_frames of VERB:\w+ in lexemes\.tsv if it surely"
        )
        with pytest.raises(DataError, match=said):
            generate(path, n=5)
        mended = tmp_path / "mended.yaml"
        mended.write_text(text.replace("frames=intr", "frames=intr & no_frames=trans"), encoding="utf-8")
        assert len(generate(mended, n=5)) == 5

    def test_a_list_that_no_rule_names_is_told(self, tmp_path: Path) -> None:
        path = tmp_path / "lexicon" / "spanish" / "inflected.tsv"
        path.parent.mkdir(parents=True)
        path.write_text("list\tlemma\tfeatures\tform\nSTILL\taún\tAdvType=Tim\taún\n", encoding="utf-8")
        trap = tmp_path / "trap.yaml"
        text = TRAP.format(good="det noun verb adv .", bad="det noun verb[Number=other] adv .")
        trap.write_text(text.replace("good:", "  adv:  {words: STILL}\ngood:"), encoding="utf-8")
        with pytest.raises(DataError, match=r"'aún' is of the list STILL: declare lexical STILL and name it in a rule"):
            generate(trap, n=5, library=load_library(tmp_path))

    def test_phrases_are_not_drawn(self, tmp_path: Path) -> None:
        path = tmp_path / "trap.yaml"
        text = TRAP.format(good="noun verb .", bad="noun verb[Number=other] .").replace("words: NOUN", "cat: DP")
        path.write_text("".join(line for line in text.splitlines(True) if " det:" not in line), encoding="utf-8")
        with pytest.raises(DataError, match=r"DP is of a grammar over word lists.* write slots over lists"):
            generate(path, n=5)


INFLECTED = """list\tlemma\tfeatures\tform
NOUN\tlibro\tGender=Masc|Number=Sing\tlibro
NOUN\tlibro\tGender=Masc|Number=Plur\tlibri
NOUN\tamico\tGender=Masc|Number=Sing\tamico
NOUN\tamico\tGender=Masc|Number=Plur\tamici
NOUN\tpenna\tGender=Fem|Number=Sing\tpenna
NOUN\tpenna\tGender=Fem|Number=Plur\tpenne
NOUN\tamica\tGender=Fem|Number=Sing\tamica
NOUN\tamica\tGender=Fem|Number=Plur\tamiche
DET\til\tGender=Masc|Number=Sing\til
DET\til\tGender=Masc|Number=Plur\ti
DET\til\tGender=Fem|Number=Sing\tla
DET\til\tGender=Fem|Number=Plur\tle
VERB\tdormire\tNumber=Sing\tdorme
VERB\tdormire\tNumber=Plur\tdormono
"""
RULES = """agree determiner Gender Number
agree subject Number
phrase TOP
phrase DP  Gender Number
lexical NOUN  Gender Number
lexical DET   Gender Number
lexical VERB  Number
TOP.s -> subject:DP VERB* "."
DP.det -> determiner:DET NOUN*
DP.di -> lower:DP* "di" complement:lower:DP
"""

Italian = Callable[..., Language]


@pytest.fixture
def italian(tmp_path: Path) -> Italian:
    """A small language with a grammar, some text of its files replaced."""

    def read(*replaced: tuple[str, str]) -> Language:
        folder = tmp_path / "lexicon" / "italian"
        folder.mkdir(parents=True)
        function = "id\tlemma\tkind\ndi.1\tdi\tadp\n"
        for name, text in {"language.yaml": ITALIAN, "inflected.tsv": INFLECTED, "function.tsv": function}.items():
            (folder / name).write_text(text + "".join(new for old, new in replaced if old == name), encoding="utf-8")
        rules = RULES
        for old, new in replaced:
            rules = rules.replace(old, new)
        (tmp_path / "grammars" / "italian").mkdir(parents=True)
        (tmp_path / "grammars" / "italian" / "rules.cfg").write_text(rules, encoding="utf-8")
        return load_library(tmp_path).language("italian")

    return read


class TestNotation:
    def test_words_that_stand_apart_are_told(self, italian: Italian) -> None:
        parser = italian().parsers["closed"]
        for text, told in [
            ("Il libro di il amico dorme.", "'di il' is written 'del'"),
            ("La amica dorme.", "'la amica' is written \"l'amica\""),
        ]:
            assert not parser.derives(text)
            assert str(parser.parse(text).diagnosis) == told

    def test_trees_have_the_words_that_are_written(self, italian: Italian) -> None:
        """*Dell'* is *di* and *l'*, of which the second one is *il* or *la*."""
        tree = str(italian().parsers["closed"].parse("L'amica dell'amico dorme.").first)
        assert "(DP (DP (DET L') (NOUN amica)) di (DP (DET l') (NOUN amico)))" in tree

    @pytest.mark.parametrize(
        ("text", "derived"),
        [
            ("L'amico dorme.", True),
            ("L'amica dell'amico dorme.", True),
            ("Il libro dell'amica dorme.", True),
            ("Le penne del libro dormono.", True),
            ("L'amici dormono.", False),
            ("L'libro dorme.", False),
            ("La amica dorme.", False),
            ("Il libro di il amico dorme.", False),
            ("Il libro del amico dorme.", False),
            ("Il penna dorme.", False),
            ("Le penne del libro dorme.", False),
        ],
    )
    def test_joins_of_joins_are_undone(self, italian: Italian, text: str, derived: bool) -> None:
        assert bool(italian().parsers["closed"].parse(text)) == derived

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("VERB", "WERB", r"rules\.cfg:7: no list of inflected words and no table .* 'WERB'; did you mean 'VERB'"),
            ("NOUN  Gender Number", "NOUN  Gendre Number", r"cfg:5: the list 'NOUN' has no feature 'Gendre'; did you"),
            ("DET NOUN*", "DET NOUN[Number=Dual]*", r"cfg:9: no word of 'NOUN' has Number=Dual; there are: Sing, Plur"),
            ("DET NOUN*", "DET NOUN[is +big]*", r"\+big"),
            (
                "subject Number",
                "subject Nubmer",
                r"cfg:2: agree: no category has a feature 'Nubmer'; did you mean 'Number'",
            ),
            ("agree subject", "agree subjct", r"cfg:2: unknown role 'subjct'; did you mean 'subject'"),
            ("VERB* ", "VERB* adjunct:Adv ", r"undefined symbol 'Adv'"),
            (
                "agree subject Number\n",
                "agree subject Number\nphrase VP Number\nVP.v[Number=?k] -> VERB[Number=?n]*\n",
                r"cfg:4: \?k stands once in VP.v, and ties nothing; the others are \?n",
            ),
            (
                "subject:DP VERB*",
                "subject:DP[Number=Sign] VERB*",
                r"cfg:8: no word of 'DP' has Number=Sign; did you mean 'Sing'\? There are: Sing, Plur",
            ),
            ('"di"', '"d"', r"cfg:10: no table has the word 'd' that DP.di writes out; did you mean 'di', or write it"),
            (
                "lexical VERB  Number\n",
                'lexical VERB  Number\nlexical Adv\nTOP.a -> subject:DP adjunct:Adv VERB* "."\n',
                r"'NOUN' is a list, and there are categories of tables, Adv; a grammar stands over lists, or over",
            ),
            ("language.yaml", 'spaces: "no"\n', r"Italian is written without spaces"),
        ],
    )
    def test_what_a_list_does_not_have_is_told(self, italian: Italian, old: str, new: str, message: str) -> None:
        with pytest.raises(DataError, match=message):
            italian((old, new))

    def test_a_list_with_the_name_of_a_table(self, italian: Italian) -> None:
        with pytest.raises(
            DataError, match=r"cfg:8: the list 'V' has the name of a category of the tables; give it an"
        ):
            italian(("inflected.tsv", "V\tamare\tNumber=Sing\tama\n"), ("TOP.s", "lexical V\nTOP.v -> V*\nTOP.s"))

    @pytest.mark.parametrize(
        ("frames", "denied", "message"),
        [
            ("intr", "trnas", r"lexemes\.tsv:2: no_frames: no word lists the frame 'trnas'; did you mean 'trans'"),
            ("intr", "intr", r"lexemes\.tsv:2: no_frames: frames lists 'intr', which is denied here"),
            ("itnr", "", r"lexemes\.tsv:2: no rule asks for the frame 'itnr'; did you mean 'intr'"),
        ],
    )
    def test_a_misspelt_frame_is_told(self, tmp_path: Path, frames: str, denied: str, message: str) -> None:
        path = tmp_path / "lexicon" / "spanish" / "lexemes.tsv"
        path.parent.mkdir(parents=True)
        path.write_text(f"lemma\tclass\tframes\tno_frames\ncantar\tV.ar\t{frames}\t{denied}\n", encoding="utf-8")
        with pytest.raises(DataError, match=message):
            load_library(tmp_path).language("spanish")

    def test_a_feature_with_a_default_need_not_be_of_the_forms(self, italian: Italian) -> None:
        language = italian(("NOUN  Gender Number", "NOUN  Gender Number Person=3"))
        parse = language.parsers["closed"].parse("Il libro dorme.").first
        assert parse is not None
        assert parse.words[1].features == {"Gender": "Masc", "Number": "Sing", "Person": "3"}


class TestCommands:
    def test_parse(self, call: Call) -> None:
        out = call("parse", "--language", "spanish", "Los perros cantan.").out
        assert "(TOP (S (DP (Det (DET Los)) (NOUN perros)) (VP (VC (VERB cantan)))) .)" in out
        assert "perros  NOUN  Gender=Masc Number=Plur  NOUN:perro" in out

    def test_prove(self, call: Call, tmp_path: Path) -> None:
        """Sentences that are read one by one, by the grammar of the paradigm that a set names."""
        call("generate", "es_verb_across_phrase", "es_mood_of_belief", "-n", "20", "-o", str(tmp_path / "es"))
        assert call("prove", str(tmp_path / "es")).err == "40 pairs: 40 proven\n"
        pairs = (
            {"sentence_good": good, "sentence_bad": bad, "UID": "es_verb_number", "pairID": good}
            for good, bad in (
                ("La médico canta.", "La médica cantan."),
                ("Ana compró el libro.", "Ana cantó el libro."),
                ("Ana compró los libros.", "Ana compraba los libros."),
            )
        )
        path = tmp_path / "mine.jsonl"
        path.write_text("".join(json.dumps(pair) + "\n" for pair in pairs), encoding="utf-8")
        proofs = [json.loads(line) for line in call("prove", str(path), "--json").out.splitlines()]
        assert [(proof["outcome"], proof["rests_on"]) for proof in proofs] == [
            ("good not derived", ["médico: Gender=Fem"]),
            ("unknown words", ["cantó: frame=trans"]),
            ("bad derived", []),
        ]

    def test_a_language_without_a_grammar(self) -> None:
        with pytest.raises(UsageError, match=r"German has no grammar.*english, spanish"):
            parse("Der Hund bellt.", language="german")

    def test_a_text_without_letters(self) -> None:
        with pytest.raises(UsageError, match="give a sentence of the language Spanish"):
            parse("¿?", language="spanish")

    def test_explain_shows_trees(self, call: Call) -> None:
        out = call("explain", "es_determiner_gender", "--row", "0").out
        assert "(TOP (S (DP (Det (DET " in " ".join(out.split())

    def test_a_bad_sentence_of_another_order_is_flat(self, call: Call) -> None:
        out = " ".join(call("explain", "es_clitic_perfect", "--row", "0").out.split())
        assert "(CLIT " in out
        assert "(* " in out

    @pytest.mark.parametrize("suite", ["mandarin", "clams"])
    def test_languages_without_a_grammar_are_as_they_were(self, suite: str) -> None:
        uid = next(iter(default_library().suites[suite].files))
        assert not any(map(derivable_slots, prepare(uid).cells))


def clashes() -> dict[str, list[str]]:
    """What is in the way of the bad sentences of each paradigm."""
    lines = (line.partition(": ") for line in CLASHES.strip().splitlines())
    return {name: feature.split("/") for feature, _, names in lines for name in names.split()}
