"""Made-up words: how they look, what they replace, and that labels stay right."""

from __future__ import annotations

import re

import pytest

from blimpgen.api import generate
from blimpgen.audit import audit
from blimpgen.base.errors import DataError, UsageError
from blimpgen.dataset import read_manifest
from blimpgen.english.likeness import RealWords, sound
from blimpgen.english.syllables import SyllableModel, cut, syllables
from blimpgen.generation.made_up_words import coiner
from blimpgen.generation.prepare import prepare
from blimpgen.generation.real_words import real_words, refusal
from blimpgen.library import Library, default_library
from blimpgen.nonce import CLASSES, Coiner
from blimpgen.nonce.blocked import Blocked, hashes
from blimpgen.nonce.coin import inflected
from blimpgen.nonce.words import write_words
from blimpgen.variants.record import Variant, Wug, file_ref, parse_classes, parse_wug
from tests.conftest import in_tiers

ALL = ("noun", "verb", "adj")
NOUN_NUMBER = "determiner_noun_agreement_1"


@pytest.fixture(scope="module")
def coined():
    """The made-up words of seed 0 by category."""
    found = coiner(default_library(), default_library().lexicon, 0)
    return {category: found.lexemes(category) for category in CLASSES.values()}


def varied(**settings):
    """The library of a variant."""
    return default_library().varied(Variant(**settings))


class TestForms:
    @pytest.mark.parametrize(
        ("word", "parts"),
        [
            ("blanket", ("bl", ("ank",), "et")),
            ("machine", ("m", ("ach",), "ine")),
            ("wug", ("w", (), "ug")),
            ("queen", ("qu", (), "een")),
            ("happy", ("h", ("app",), "y")),
            ("yard", ("y", (), "ard")),
            ("orange", ("", ("or",), "ange")),
        ],
    )
    def test_a_word_is_cut_into_its_parts(self, word, parts):
        found = cut(word)
        assert (found.onset, found.inner, found.rhyme) == parts

    def test_what_has_no_vowel_has_no_parts(self):
        assert cut("hmm") is None

    @pytest.mark.parametrize(
        ("text", "number"), [("dog", 1), ("stone", 1), ("doctor", 2), ("library", 3), ("grocery store", 1)]
    )
    def test_syllables(self, text, number):
        assert syllables(text) == number

    def test_regular_inflection(self):
        assert inflected("N", "wug") == {"Sing": "wug", "Plur": "wugs"}
        assert inflected("V", "blick") == {
            "bare": "blick",
            "pres_sg": "blicks",
            "pres_pl": "blick",
            "past": "blicked",
            "part": "blicked",
            "ing": "blicking",
        }
        assert inflected("V", "zop")["past"] == "zopped"
        assert inflected("A", "glig") == {"form": "glig", "comp": "gligger", "sup": "gligest".replace("gest", "ggest")}

    def test_parts_come_from_the_words_learned(self):
        rhymes = ("ick", "int", "ot", "op", "and", "ant")
        learned = [onset + rhyme for onset in ("bl", "fl") for rhyme in rhymes]
        model = SyllableModel([*(word for word in learned if word != "flant"), "grant", "flab"])
        made = {model.word(1, [a << 28, b << 28]) for a in range(16) for b in range(16)} - {None}
        assert made == {*learned}

    def test_letters_that_stand_beside_each_other_in_few_words_are_not_put_together(self):
        words = ["blick", "blint", "blot", "blop", "blent", "stick", "stint", "stot", "stop", "staft", "flaft", "claft"]
        assert not SyllableModel(words).makes("blaft")
        assert SyllableModel([*words, "bland", "blank"]).makes("blaft")

    @pytest.mark.slow
    @pytest.mark.slow
    def test_no_form_stands_twice_or_is_a_real_word(self, coined):
        lexicon = default_library().lexicon
        real = {word.lower() for word in lexicon.closed_words}
        for category in ("N", "Name", "V", "A", "Adv"):
            for numbers in lexicon.inventory(category).forms.values():
                real |= {w for k in numbers if k >= 0 for w in lexicon.strings.text(int(k)).lower().split()}
        forms = [form for words in coined.values() for word in words for form in {*word.forms.values()}]
        assert len(forms) == len(set(forms)) > 10_000
        assert not real & set(forms)

    @pytest.mark.slow
    @pytest.mark.slow
    def test_no_form_is_in_a_large_english_lexicon(self, coined):
        """Of 66,000 inflected forms. (The blocked words come from lists with 370,000, of which no form is left.)"""
        lemminflect = pytest.importorskip("lemminflect")
        assert lemminflect.getAllLemmas("quagmires")
        forms = {form for found in coined.values() for word in found for form in word.forms.values()}
        assert [form for form in forms if lemminflect.getAllLemmas(form)] == []

    @pytest.mark.slow
    def test_as_many_syllables_as_the_real_word(self, coined):
        lexicon = default_library().lexicon
        for category, words in coined.items():
            lemmas = lexicon.inventory(category).columns["lemma"]
            pairs = [
                (min(syllables(lemma), 3), syllables(word.lemma)) for lemma, word in zip(lemmas, words, strict=True)
            ]
            assert sum(a == b for a, b in pairs) / len(pairs) > 0.97
            assert {b for _, b in pairs} == {1, 2, 3}

    @pytest.mark.slow
    def test_readable(self, coined):
        for words in coined.values():
            for word in words:
                assert re.fullmatch(r"[a-z]{3,12}", word.lemma)
                assert re.search(r"[aeiouy]", word.lemma)
                assert not re.search(r"^u[^aeiou][aeiou]|^hon|^hour|^eu", word.lemma), "a or an?"
                assert not re.search(r"(.)\1\1|[^aeiouy]{5}|s$|ed$|ing$", word.lemma), word.lemma

    @pytest.mark.slow
    def test_no_verb_leaves_open_whether_its_last_letter_is_doubled(self, coined):
        """*gipan*: *gipaned* or *gipanned*?"""
        longer = [word.lemma for word in coined["V"] if syllables(word.lemma) > 1]
        assert len(longer) > 500
        assert not [lemma for lemma in longer if re.search(r"[^aeiou][aeiou][bdgklmnprtv]$", lemma)]

    @pytest.mark.slow
    def test_the_seed_decides_and_other_classes_do_not(self, coined):
        lexicon = default_library().lexicon
        assert Coiner(lexicon, 0).lexemes("N") == coined["N"]
        other = Coiner(lexicon, 1).lexemes("N")
        assert sum(a.lemma == b.lemma for a, b in zip(other, coined["N"], strict=True)) < 100

    def test_blocked(self, tmp_path):
        rows = "".join(f"{a}\t{b}\n" for a, b in hashes(["grawlix"], ["fnord"], ["zzot"]))
        (tmp_path / "blocked.tsv").write_text(f"hash\twhat\n{rows}", encoding="utf-8")
        blocked = Blocked([tmp_path])
        assert blocked.blocks("grawl", ["grawl", "grawlix"])
        assert blocked.blocks("blizzoten", ["blizzoten"])
        assert blocked.blocks("phnord", ["phnord"])
        assert not blocked.blocks("grawl", ["grawl", "grawls"])
        assert Blocked([tmp_path / "none"]).blocks("grawlix", ["grawlix"]) is False

    def test_the_shipped_list_blocks_real_words_that_the_lexicon_lacks(self):
        blocked = Blocked(default_library().lexicon.folders)
        for word in ("bloat", "crone", "hale", "clot", "grout"):
            assert blocked.blocks(word, [word]), word


class TestLikeness:
    @pytest.mark.parametrize(
        ("made", "real"),
        [
            ("skool", "school"),
            ("phin", "fin"),
            ("wrelate", "relate"),
            ("koil", "coil"),
            ("hipe", "hype"),
            ("sleat", "sleet"),
            ("coak", "coke"),
            ("berd", "bird"),
            ("taks", "tax"),
            ("knite", "night"),
            ("rane", "rain"),
        ],
    )
    def test_words_that_sound_the_same(self, made, real):
        assert sound(made) == sound(real)

    @pytest.mark.parametrize(("one", "other"), [("hop", "hope"), ("bit", "beat"), ("mat", "mate"), ("ship", "chip")])
    def test_words_that_do_not(self, one, other):
        assert sound(one) != sound(other)

    @pytest.mark.parametrize(
        ("made", "forms"),
        [
            ("act", ()),
            ("actt", ("act",)),
            ("akt", ()),
            ("inact", ()),
            ("frogact", ()),
            ("spiderert", ()),
            ("stange", ()),
            ("strainge", ()),
            ("stronge", ()),
        ],
    )
    def test_words_that_may_be_taken_for_real_ones(self, made, forms):
        assert RealWords(["act", "frog", "spider", "strange"]).like(made, (made, *forms))

    @pytest.mark.parametrize("made", ["blick", "froglet", "actor", "strazze", "spidose"])
    def test_words_that_may_not(self, made):
        assert not RealWords(["act", "frog", "spider", "strange"]).like(made, (made, f"{made}s"))


@pytest.fixture(scope="module")
def knowing(coined, tmp_path_factory):
    """The library with all made-up words of seed 0 as lexemes, so that guards know them."""
    folder = tmp_path_factory.mktemp("words")
    lexicon = default_library().lexicon
    words = {
        word.lemma: f"{name} {lexeme}"
        for name, category in CLASSES.items()
        for word, lexeme in zip(coined[category], lexicon.inventory(category).ids, strict=True)
    }
    write_words(lexicon, words, folder)
    return Library([*default_library().folders, folder])


@pytest.mark.slow
@pytest.mark.parametrize("uid", ["adjunct_island", *default_library().suites["blimp"].files])
def test_labels_hold_with_made_up_words(uid, knowing):
    """1000 pairs of each class: aligned with the real set, unique, of the same length; and of every eighth pair, no
    guard finds what the real pair has not. (With every pair it was run once, for two seeds.)"""
    real = generate(uid)
    seen = [pair.good for pair in real]
    for classes in (("noun",), ("verb",), ("adj",), ALL):
        made = generate(uid, library=varied(nonce=classes))
        words = _checked(made, real)
        assert {found.partition(" ")[0] for found in words.values()} <= set(classes)
        now = [pair.good for pair in made]
        if now == seen:  # as with a class of which the paradigm has no word that may be made up
            continue
        seen = now
        eighth = {str(k) for k in range(len(classes), len(made), 8)}
        found = _found(made, knowing, eighth)
        assert found <= (_found(real, default_library(), {pair for _, pair in found}) if found else set())


def _found(pairs, library, ids):
    """The codes and pairs of what guards find."""
    return {(f.code, f.pair_id) for f in audit([p for p in pairs if p.id in ids], library)}


def _checked(made, real):
    """The made-up words of a set whose pairs are as they must be."""
    assert len({pair.good for pair in made}) == len(made) == 1000
    assert not {pair.good for pair in made} & {pair.bad for pair in made}
    words = {}
    for new, old in zip(made, real, strict=True):
        found = new.row["nonce"]
        words |= found
        for a, b in ((new.good, old.good), (new.bad, old.bad)):
            _check_aligned(a, b, found)
        assert len(new.good.split()) - len(new.bad.split()) == len(old.good.split()) - len(old.bad.split())
        for kind in ("good", "bad"):
            if new.row["one_prefix_method"]:
                text = f"{new.row['one_prefix_prefix']} {new.row[f'one_prefix_word_{kind}']}"
                assert getattr(new, kind).startswith(text)
            if new.row["two_prefix_method"]:
                text = f"{new.row[f'two_prefix_prefix_{kind}']} {new.row['two_prefix_word']}"
                assert getattr(new, kind).startswith(text)
    return words


def _check_aligned(made, real, words):
    """Where the made-up sentence differs from the real one there is a made-up word, or an article before one."""
    a, b = made.rstrip(".?").split(), real.rstrip(".?").split()
    if len(a) == len(b):
        stems = tuple(lemma.rstrip("ey") for lemma in words)
        for x, y in zip(a, b, strict=True):
            assert x.lower() == y.lower() or x.lower().startswith(stems) or {x.lower(), y.lower()} == {"a", "an"}, made


@pytest.mark.slow
def test_with_real_words_it_is_the_real_set():
    """A made-up word for no class at all changes nothing: the rows are those of the real set."""
    made = generate("transitive", n=50, library=varied(nonce=("adj",)))
    assert [p.good for p in made] == [p.good for p in generate("transitive", n=50)]


@pytest.mark.slow
def test_the_made_up_word_of_a_lexeme_is_the_same_in_all_paradigms():
    library = varied(nonce=("noun",))
    one, two = (
        {v: k for p in generate(uid, n=300, library=library) for k, v in p.row["nonce"].items()}
        for uid in ("transitive", "causative")
    )
    shared = one.keys() & two.keys()
    assert shared
    assert all(one[name] == two[name] for name in shared)


class TestCritical:
    @pytest.mark.slow
    def test_a_noun_in_which_the_sentences_differ(self):
        pair = generate(NOUN_NUMBER, n=1, library=varied(nonce=("noun",), nonce_critical=True))[0]
        last = [s.rstrip(".").split()[-1] for s in (pair.good, pair.bad)]
        lemma = min(last, key=len)
        assert f"{lemma}" in pair.row["nonce"]
        assert set(last) == {lemma, inflected("N", lemma)["Plur"]}

    @pytest.mark.parametrize(
        ("uid", "classes", "why"),
        [
            ("determiner_noun_agreement_irregular_1", ("noun",), "irregular=yes"),
            ("irregular_past_participle_verbs", ("verb",), "a made-up word is regular"),
            ("transitive", ("verb",), "asserts that it has no V.NP"),
            ("npi_present_1", ("noun", "verb"), "differ in no noun and no verb, but in the words ever, often"),
            ("adjunct_island", ("noun",), "but in the order of their words"),
            ("animate_subject_trans", ("noun",), "selection"),
        ],
    )
    def test_where_it_makes_no_sense_the_reason_is_given(self, uid, classes, why):
        with pytest.raises(DataError, match="make no sense") as raised:
            generate(uid, n=4, library=varied(nonce=classes, nonce_critical=True))
        assert why in str(raised.value)

    @pytest.mark.parametrize(
        "uid",
        [
            "determiner_noun_agreement_with_adjective_1",
            "npi_present_1",
            *in_tiers(default_library().suites["blimp"].files, ()),
        ],
    )
    def test_critical_words_are_made_up_or_refused_with_the_reason(self, uid):
        """In each paradigm and for each class, as `refusal` says, from which the page has its table."""
        compiled = prepare(uid)
        for name, category in CLASSES.items():
            library = varied(nonce=(name,), nonce_critical=True)
            why = refusal(compiled, (category,))
            if why:
                with pytest.raises(DataError) as raised:
                    generate(uid, n=len(compiled.cells), library=library)
                assert f"make no sense in {uid}: {why}" in str(raised.value)
            else:
                made = generate(uid, n=40, library=library)
                changed = [{*pair.good.rstrip(".?").split()} ^ {*pair.bad.rstrip(".?").split()} for pair in made]
                known = [[lemma.rstrip("ey") for lemma in pair.row["nonce"]] for pair in made]
                hits = [
                    any(word.startswith(tuple(stems)) for word in words)
                    for words, stems in zip(changed, known, strict=True)
                ]
                assert sum(hits) > 10  # not in every pair: an auxiliary may be the word in which they differ

    def test_gender_is_not_seen_of_a_made_up_noun(self):
        compiled = prepare("anaphor_gender_agreement")
        by_kind = {
            cell.plan.cell.levels["subject"]: found
            for cell, found in zip(compiled.cells, real_words(compiled, ("N",)), strict=True)
        }
        assert "may be acceptable" in by_kind["noun"].needed["subj"]
        assert "subj" not in by_kind["name"].needed

    def test_number_is(self):
        compiled = prepare("distractor_agreement_relative_clause")
        assert not any(found.needed.keys() & {"subj", "obj"} for found in real_words(compiled, ("N",)))

    def test_a_verb_whose_frame_the_contrast_rests_on(self):
        found = real_words(prepare("wh_vs_that_with_gap"), ("V",))
        assert all("gapv" in reasons.needed for reasons in found)

    def test_an_adjective_that_loses_its_noun(self):
        found = real_words(prepare("ellipsis_n_bar_1"), ("A",))
        assert all("noun itself" in reasons.needed["adj"] for reasons in found)


class TestWug:
    def test_one_noun_in_the_slot(self):
        made = generate(NOUN_NUMBER, n=100, library=varied(wug=Wug(slot="noun")))
        assert len({pair.good for pair in made}) == 100
        for pair in made:
            assert {s.rstrip(".").split()[-1] for s in (pair.good, pair.bad)} == {"wug", "wuz"}
            assert [*pair.row["nonce"]] == ["wug"]

    def test_other_forms(self):
        made = generate(NOUN_NUMBER, n=10, library=varied(wug=parse_wug("noun=dax/daxes")))
        assert {s.rstrip(".").split()[-1] for p in made for s in (p.good, p.bad)} == {"dax", "daxes"}

    def test_a_slot_that_there_is_not(self):
        with pytest.raises(UsageError, match="no slot 'nuon' with nouns; did you mean 'noun'"):
            generate(NOUN_NUMBER, n=1, library=varied(wug=Wug(slot="nuon")))

    def test_a_slot_whose_noun_must_be_real(self):
        with pytest.raises(DataError, match="makes no sense in determiner_noun_agreement_irregular_1"):
            generate("determiner_noun_agreement_irregular_1", n=2, library=varied(wug=Wug(slot="noun")))

    def test_a_cell_without_nouns(self):
        with pytest.raises(UsageError, match="no slot 'subj' with nouns in the cell"):
            generate("anaphor_gender_agreement", n=2, library=varied(wug=Wug(slot="subj")))

    def test_a_small_cell_is_enumerated_with_the_made_up_noun(self):
        uid = "irregular_past_participle_adjectives"
        real = prepare(uid)
        library = varied(wug=Wug(slot="noun"))
        made = prepare(uid, library)
        for before, after in zip(real.cells, made.cells, strict=True):
            head = after.plan.index(after.plan.slots["noun"])
            drawn = after.enumerated[head]
            assert 0 < len(drawn) < len(before.enumerated[head])
            assert not (after.plan.order[head].column("count")[drawn] == "mass").any()
            assert len(set(after.key(after.sentences[0], after.enumerated).tolist())) == len(drawn)
        assert len({pair.good for pair in generate(uid, n=1000, library=library)}) == 1000

    @pytest.mark.parametrize("text", ["=a/b", "subj=wug", "subj=Wug/Wugs"])
    def test_no_wug(self, text):
        with pytest.raises(UsageError, match="write SLOT or SLOT=SINGULAR/PLURAL"):
            parse_wug(text)


class TestList:
    ROWS = "".join(
        f"noun\t{onset}{rest}\n"
        for onset in ("bl", "sm", "fr", "gl", "thr", "sn")
        for rest in ("omp", "oft", "ogget", "intch")
    )

    def listed(self, tmp_path, rows=ROWS, header="class\tlemma\n"):
        (tmp_path / "list.tsv").write_text(header + rows, encoding="utf-8")
        return varied(nonce=("noun",), nonce_list=file_ref(tmp_path / "list.tsv"))

    def test_only_listed_words_none_twice_in_a_pair(self, tmp_path):
        made = generate("regular_plural_subject_verb_agreement_1", n=100, library=self.listed(tmp_path))
        known = {line.split("\t")[1] for line in self.ROWS.splitlines()}
        assert {lemma for pair in made for lemma in pair.row["nonce"]} <= known
        assert len({pair.good for pair in made}) == 100

    def test_given_forms_are_used(self, tmp_path):
        library = self.listed(tmp_path, "noun\twug\twuz\nnoun\tdax\t\nnoun\tfep\tfepen\n", "class\tlemma\tplural\n")
        text = " ".join(pair.good for pair in generate("transitive", n=40, library=library))
        assert re.search(r"\bwuz\b|\bfepen\b", text)
        assert "wugs" not in text

    @pytest.mark.parametrize(
        ("rows", "message"),
        [
            ("noun\tdog\n", "list.tsv:2: 'dog' is a real word"),
            ("nuon\twug\n", "list.tsv:2: no class 'nuon'; did you mean 'noun'"),
            ("noun\twug\nnoun\twugs\n", "list.tsv:3: 'wugs' is a form of 'wug' too"),
            ("verb\tblick\n", "the list has no word of the class noun"),
        ],
    )
    def test_mistakes_in_a_list(self, tmp_path, rows, message):
        library = self.listed(tmp_path, rows)
        with pytest.raises(DataError, match=re.escape(message)):
            generate("transitive", n=4, library=library)


class TestProgram:
    @pytest.mark.slow
    def test_mapping_in_the_manifest(self, tmp_path, call):
        code, _, told = call("generate", "transitive", "-n", 40, "-o", tmp_path / "a", "--nonce", "noun", "--metadata")
        assert code == 0, told
        entry = read_manifest(tmp_path / "a").sets["transitive"]
        assert entry.nonce
        lexicon = default_library().lexicon
        assert {v.removeprefix("noun ") for v in entry.nonce.values()} <= set(lexicon.inventory("N").ids)
        first = (tmp_path / "a" / "transitive.jsonl").read_text(encoding="utf-8").partition("\n")[0]
        assert '"nonce":{' in first
        code, *_ = call("generate", "transitive", "-n", 40, "-o", tmp_path / "b", "--nonce", "noun", "--seed", 1)
        assert code == 0
        assert read_manifest(tmp_path / "b").sets["transitive"].nonce != entry.nonce

    @pytest.mark.slow
    def test_why_words_stay_real_is_in_the_manifest(self, tmp_path, call):
        code, *_ = call("generate", "transitive", "-n", 4, "-o", tmp_path, "--nonce", "noun,verb")
        assert code == 0
        assert read_manifest(tmp_path).sets["transitive"].kept["iv"] == "the lexicon asserts that it has no V.NP"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--nonce", "nouns"], "no made-up words of the class 'nouns'; did you mean 'noun'"),
            (["--nonce-critical"], "add --nonce CLASSES"),
        ],
    )
    def test_wrong_options(self, call, arguments, message):
        code, _, told = call("generate", "transitive", *arguments)
        assert code == 2
        assert message in told

    def test_classes(self):
        assert parse_classes("adj,noun") == ("noun", "adj")
