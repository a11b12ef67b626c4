"""Spanish: a lexicon inflected by classes, and a suite of paradigms whose labels rest on agreement and on lists."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blimpgen.api import generate
from blimpgen.base.errors import DataError
from blimpgen.base.records import MinimalPair
from blimpgen.lexicon import Lexicon
from blimpgen.library import Library, default_library, load_library
from blimpgen.nonce import ListedCoiner
from blimpgen.nonce.coin import Coined
from blimpgen.variants.record import Variant
from tests.conftest import Call, tiered

SUITE = tuple(default_library().suites["spanish"].files)
GOLDEN = Path(__file__).resolve().parent / "golden" / "spanish.tsv"

# Written by hand: lemma, then the persons from yo to ellos.
PRESENT = """
tropezar: tropiezo tropiezas tropieza tropezamos tropezáis tropiezan
venir: vengo vienes viene venimos venís vienen
construir: construyo construyes construye construimos construís construyen
elegir: elijo eliges elige elegimos elegís eligen
seguir: sigo sigues sigue seguimos seguís siguen
traducir: traduzco traduces traduce traducimos traducís traducen
dormir: duermo duermes duerme dormimos dormís duermen
prohibir: prohíbo prohíbes prohíbe prohibimos prohibís prohíben
espiar: espío espías espía espiamos espiáis espían
detener: detengo detienes detiene detenemos detenéis detienen
"""
PAST = """
tropezar: tropecé tropezaste tropezó tropezamos tropezasteis tropezaron
venir: vine viniste vino vinimos vinisteis vinieron
construir: construí construiste construyó construimos construisteis construyeron
leer: leí leíste leyó leímos leísteis leyeron
traducir: traduje tradujiste tradujo tradujimos tradujisteis tradujeron
dormir: dormí dormiste durmió dormimos dormisteis durmieron
colgar: colgué colgaste colgó colgamos colgasteis colgaron
buscar: busqué buscaste buscó buscamos buscasteis buscaron
"""
SUBJUNCTIVE = """
tropezar: tropiece tropieces tropiece tropecemos tropecéis tropiecen
venir: venga vengas venga vengamos vengáis vengan
construir: construya construyas construya construyamos construyáis construyan
elegir: elija elijas elija elijamos elijáis elijan
dormir: duerma duermas duerma durmamos durmáis duerman
mentir: mienta mientas mienta mintamos mintáis mientan
colgar: cuelgue cuelgues cuelgue colguemos colguéis cuelguen
convencer: convenza convenzas convenza convenzamos convenzáis convenzan
"""
PARTICIPLES = (
    "romper:roto escribir:escrito devolver:devuelto leer:leído proponer:propuesto abrir:abierto mandar:mandado"
)
PLURALS = """lápiz:lápices imagen:imágenes balcón:balcones autobús:autobuses rey:reyes sofá:sofás
paraguas:paraguas lección:lecciones árbol:árboles jardín:jardines reloj:relojes flor:flores universidad:universidades"""
GENDERS = ("Masc", "Fem")
ADJECTIVES = """alto alta altos altas
francés francesa franceses francesas
trabajador trabajadora trabajadores trabajadoras
joven joven jóvenes jóvenes
feliz feliz felices felices
español española españoles españolas
egoísta egoísta egoístas egoístas
gruñón gruñona gruñones gruñonas"""


AGUA = """summary: A feminine noun that begins with a stressed a has el before it in the singular.
field: morphology
library: spanish
slots:
  noun: {words: NOUN, is: lemma=agua}
  det:  {words: DET, is: lemma=el/un, Gender: same noun, Number: same noun}
  be:   {words: ESTAR, Mood: Ind, Tense: Pres, Person: 3, Number: same noun}
  adj:  {words: ADJ, is: lemma=fresco, Gender: same noun, Number: same noun}
good: det noun be adj .
bad:  det noun be adj[Gender=other] .
"""


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_library().language("spanish").lexicon


def form(lexicon: Lexicon, list_name: str, lemma: str, features: str) -> str:
    """The form of a lemma; empty if it has none."""
    inventory = lexicon.inventory(f"words:{list_name}")
    number = inventory.forms[features][inventory.columns["lemma"].tolist().index(lemma)]
    return lexicon.strings.text(number).strip() if number >= 0 else ""


def pairs(uid: str | Path, n: int, library: Library | None = None, seed: int = 0) -> list[tuple[str, str]]:
    """The pairs of a paradigm."""
    records = generate(uid, n=n, seed=seed, library=library or default_library())
    return [(record.good, record.bad) for record in records if isinstance(record, MinimalPair)]


def golden() -> dict[str, tuple[str, str]]:
    """The first pair of every paradigm."""
    rows = (line.split("\t") for line in GOLDEN.read_text(encoding="utf-8").splitlines())
    return {uid: (good, bad) for uid, good, bad in rows}


class TestLexicon:
    def test_it_has_eight_hundred_lexemes(self, lexicon: Lexicon) -> None:
        lemmas = {*lexicon.table("lexemes")["lemma"], *lexicon.table("inflected")["lemma"]}
        assert len(lemmas) >= 800
        for name, least in {"NOUN": 350, "VERB": 200, "ADJ": 130, "NAME": 40}.items():
            assert len(lexicon.inventory(f"words:{name}")) >= least, name

    @pytest.mark.parametrize(
        ("mood", "tense", "table"), [("Ind", "Pres", PRESENT), ("Ind", "Past", PAST), ("Sub", "Pres", SUBJUNCTIVE)]
    )
    def test_verbs_are_inflected(self, lexicon: Lexicon, mood: str, tense: str, table: str) -> None:
        for line in table.strip().splitlines():
            lemma, _, forms = line.partition(": ")
            inflected = [
                form(lexicon, "VERB", lemma, f"Mood={mood}|Number={number}|Person={person}|Tense={tense}")
                for number in ("Sing", "Plur")
                for person in "123"
            ]
            assert " ".join(inflected) == forms

    def test_irregular_participles(self, lexicon: Lexicon) -> None:
        for item in PARTICIPLES.split():
            lemma, _, participle = item.partition(":")
            assert form(lexicon, "PART", lemma, "Gender=Masc|Number=Sing") == participle

    def test_nouns_are_inflected(self, lexicon: Lexicon) -> None:
        for item in PLURALS.split():
            lemma, _, plural = item.partition(":")
            genders = {gender: form(lexicon, "NOUN", lemma, f"Gender={gender}|Number=Plur") for gender in GENDERS}
            assert {*genders.values()} == {"", plural}, lemma
            gender = next(name for name, text in genders.items() if text)
            assert form(lexicon, "NOUN", lemma, f"Gender={gender}|Number=Sing") == lemma

    def test_adjectives_are_inflected(self, lexicon: Lexicon) -> None:
        for line in ADJECTIVES.splitlines():
            cells = [f"Gender={gender}|Number={number}" for number in ("Sing", "Plur") for gender in GENDERS]
            assert [form(lexicon, "ADJ", line.split()[0], cell) for cell in cells] == line.split()


@pytest.fixture(scope="module")
def coined(lexicon: Lexicon) -> dict[str, dict[str, Coined]]:
    """The made-up words of seed 0 by list and real lemma."""
    coiner = ListedCoiner(lexicon, 0)
    lemmas = {name: lexicon.inventory(f"words:{name}").columns["lemma"] for name in ("NOUN", "VERB", "INF", "ADJ")}
    return {name: dict(zip(of, coiner.lexemes(f"words:{name}"), strict=True)) for name, of in lemmas.items()}


class TestMadeUpWords:
    @pytest.mark.slow
    def test_no_form_is_real_or_stands_twice(self, lexicon: Lexicon, coined: dict[str, dict[str, Coined]]) -> None:
        lists = [lexicon.inventory(f"words:{name}") for name in lexicon.word_lists]
        real = {text for words in lists for k in range(len(words)) for text in lexicon.inflected(words, k).values()}
        owners: dict[str, str] = {}
        for words in coined.values():
            for word in words.values():
                for text in word.forms.values():
                    assert text not in real
                    assert owners.setdefault(text, word.lemma) == word.lemma

    def test_a_class_without_a_regular_word_stays_real(self, coined: dict[str, dict[str, Coined]]) -> None:
        """The only other verbs in *-irse* would be as irregular."""
        assert {lemma for words in coined.values() for lemma, word in words.items() if not word.lemma} == {
            "arrepentirse"
        }

    def test_one_lexeme_has_one_word_in_all_lists(self, coined: dict[str, dict[str, Coined]]) -> None:
        assert {lemma: word.lemma for lemma, word in coined["INF"].items()} == {
            lemma: word.lemma for lemma, word in coined["VERB"].items() if lemma in coined["INF"]
        }
        assert coined["INF"]["colgar"].forms["VerbForm=Inf"] == coined["VERB"]["colgar"].lemma

    @pytest.mark.parametrize(
        ("name", "lemma", "end", "features", "inflected"),
        [
            ("NOUN", "león", "león", "Gender=Masc|Number=Plur", "leones"),
            ("NOUN", "lápiz", "piz", "Gender=Masc|Number=Plur", "pices"),
            ("ADJ", "alemán", "mán", "Gender=Fem|Number=Sing", "mana"),
            ("VERB", "buscar", "scar", "Mood=Sub|Number=Sing|Person=3|Tense=Pres", "sque"),
            ("VERB", "construir", "struir", "Mood=Ind|Number=Sing|Person=3|Tense=Pres", "struye"),
            ("VERB", "quejarse", "jarse", "Mood=Ind|Number=Plur|Person=3|Tense=Pres", "jan"),
        ],
    )
    def test_it_inflects_as_its_class_does(
        self, coined: dict[str, dict[str, Coined]], name: str, lemma: str, end: str, features: str, inflected: str
    ) -> None:
        word = coined[name][lemma]
        assert word.lemma.endswith(end)
        assert word.forms[features] == word.lemma.removesuffix(end) + inflected

    def test_one_for_an_irregular_word_is_regular(self, coined: dict[str, dict[str, Coined]]) -> None:
        """*Tropezar* is *tropiezo*, with a change before what a made-up word keeps of it."""
        word = coined["VERB"]["tropezar"]
        assert word.forms["Mood=Ind|Number=Sing|Person=1|Tense=Pres"] == word.lemma.removesuffix("ar") + "o"

    @staticmethod
    def rows(uid: str, **settings: Any) -> list[MinimalPair]:
        library = default_library().varied(Variant(nonce=("noun", "verb", "adj"), **settings))
        return [record for record in generate(uid, n=20, library=library) if isinstance(record, MinimalPair)]

    @pytest.mark.slow
    def test_the_rows_are_those_of_the_real_set(self) -> None:
        rows = self.rows("es_clitic_gender")
        for (good, _), row in zip(pairs("es_clitic_gender", 20), rows, strict=True):
            assert len(row.row["nonce"]) == 2
            assert [word for word in good.split() if word in row.good.split()] == [
                word for word in row.good.split() if word in good.split()
            ]
            assert len(good.split()) == len(row.good.split()) == len(row.bad.split())

    @pytest.mark.parametrize("uid", ["es_mood_of_volition", "es_personal_a", "es_copula_of_state", "es_clitic_order"])
    def test_where_meaning_decides_words_stay_real(self, uid: str) -> None:
        assert [row.good for row in self.rows(uid)] == [good for good, _ in pairs(uid, 20)]

    def test_a_noun_whose_gender_shows_nowhere_else_stays_real(self) -> None:
        for row in self.rows("es_determiner_gender"):
            assert len(row.row["nonce"]) == 2
            assert row.good.split()[1] not in {
                form for word in row.row["nonce"] for form in (word, f"{word}s", f"{word}es")
            }
        assert all(len(row.row["nonce"]) == 3 for row in self.rows("es_determiner_number"))

    @pytest.mark.parametrize(
        ("uid", "settings", "message"),
        [
            (
                "es_verb_number",
                {"nonce_critical": True},
                "nothing proves labels of made-up words in Spanish, a language of",
            ),
            ("de_simple_agrmt", {}, "German does not say which word lists the class noun has"),
        ],
    )
    def test_what_is_refused(self, uid: str, settings: dict[str, Any], message: str) -> None:
        with pytest.raises(DataError, match=message):
            self.rows(uid, **settings)


class TestSuite:
    def test_it_has_twenty_paradigms(self) -> None:
        assert len(SUITE) >= 20

    def test_every_paradigm_has_its_first_row(self) -> None:
        assert set(golden()) == set(SUITE)

    @pytest.mark.parametrize("uid", tiered(SUITE))
    def test_first_rows(self, uid: str) -> None:
        """The first pair of a paradigm, as it was when it was read."""
        assert pairs(uid, 1)[0] == golden()[uid]

    @pytest.mark.parametrize("uid", SUITE[::10])
    def test_no_sentence_is_good_and_bad(self, uid: str) -> None:
        self.check_labels(uid, 100)

    @pytest.mark.slow
    @pytest.mark.parametrize("uid", SUITE)
    def test_a_thousand_rows_are_varied(self, uid: str) -> None:
        self.check_labels(uid, 1000)

    def check_labels(self, uid: str, n: int) -> None:
        rows = pairs(uid, n)
        good = {pair[0] for pair in rows}
        assert len(good) == n
        assert good.isdisjoint({pair[1] for pair in rows})

    def test_nouns_with_a_second_gender_are_not_contrasted(self) -> None:
        """*La médico* and *el cometa* are said, so no bad determiner stands before these nouns."""
        rows = pairs("es_determiner_gender", 2000)
        words = {word for good, _ in rows for word in good.split()[1:2]}
        assert {"vecino", "vecina"} <= words
        assert words.isdisjoint({"médico", "jefe", "estudiante", "ingenieros", "arquitectos"})

    def test_guards_of_all_languages_pass_a_question(self, call: Call, tmp_path: Path) -> None:
        """*¿Dónde* begins with a capital."""
        call("generate", "es_verb_question", "-n", "5", "-o", str(tmp_path / "es"))
        assert call("audit", str(tmp_path / "es")).err == "0 of 5 pairs with findings\n"

    def test_a_feminine_noun_may_have_the_article_el(self, tmp_path: Path) -> None:
        path = tmp_path / "mine.yaml"
        path.write_text(AGUA, encoding="utf-8")
        goods = {good for good, _ in pairs(path, 4, load_library())}
        assert goods == {
            "El agua está fresca.",
            "Las aguas están frescas.",
            "Un agua está fresca.",
            "Unas aguas están frescas.",
        }

    def test_of_the_water(self, tmp_path: Path) -> None:
        """The article is *el* before *agua*, so *de* and it are *del*."""
        path = tmp_path / "of.yaml"
        text = AGUA.replace("det noun be", "odet name de det noun be").replace("is: lemma=el/un", "is: lemma=el")
        slots = "  name: {words: NOUN, is: lemma=jarra}\n  odet: {words: IND, Gender: same name, Number: same name}\n"
        text = text.replace("good:", f"{slots}good:").replace("same noun}\n  adj", "same name}\n  adj")
        text = text.replace(
            "lemma=fresco, Gender: same noun, Number: same noun", "lemma=nuevo, Gender: same name, Number: same name"
        )
        path.write_text(text, encoding="utf-8")
        goods = {good for good, _ in pairs(path, 4, load_library())}
        assert goods == {
            f"{jar} {water} {new}."
            for jar, new in (("Una jarra", "está nueva"), ("Unas jarras", "están nuevas"))
            for water in ("del agua", "de las aguas")
        }

    @pytest.mark.parametrize(
        ("uid", "word", "reason"),
        [
            (
                "es_determiner_gender",
                "médico",
                "no word of 'det' goes with it (same Gender, same Number, Gender shown)",
            ),
            ("es_reflexive_gender", "comer", "is: frames=about"),
        ],
    )
    def test_what_keeps_a_word_out_is_told(self, call: Call, uid: str, word: str, reason: str) -> None:
        out = call("why", uid, "verb" if word == "comer" else "noun", word).out
        assert reason in out
        assert "lexicon/spanish/lexemes.tsv:" in out
