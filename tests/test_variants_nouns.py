"""The study of single nouns: contexts, versions, scores, analyses, training sentences."""

from __future__ import annotations

import itertools
import json
import tracemalloc

import numpy as np
import pytest

from blimpgen.analysis.components import components, correlate, correlations, regress, standardised, z_by_number
from blimpgen.api import generate
from blimpgen.base.errors import DataError, UsageError
from blimpgen.dataset import read_manifest
from blimpgen.generation.prepare import prepare
from blimpgen.library import default_library
from blimpgen.nouns import Contexts, Study
from blimpgen.nouns.agreement_scores import advantages, noun_score, noun_scores, sentence_score
from blimpgen.nouns.few_shot import TRAINING, training_sentences
from blimpgen.variants.record import file_ref
from tests.conftest import in_tiers

SIMPLE = ("SV_Simple", "RA_Simple")
TASKS = (
    *SIMPLE,
    "SV_SubjRelClause",
    "SV_SentComp",
    "SV_PP",
    "SV_ObjRelClauseThat",
    "SV_ObjRelClauseNoThat",
    "RA_SentComp",
    "RA_ObjRelClauseThat",
    "RA_ObjRelClauseNoThat",
)


def rows(uid, seed=0, **asked):
    """The rows of a study of one task."""
    return list(Contexts(prepare(uid), Study(**asked), seed).rows())


class TestContexts:
    def test_the_suite_has_the_ten_tasks(self):
        assert set(default_library().suites["noun_variation"].files) == set(TASKS)

    @pytest.mark.parametrize("uid", in_tiers(TASKS, TASKS[:1]))
    def test_versions_and_their_names(self, uid):
        row = rows(uid, target="wug/wuz", samples=1)[0]
        numbers = ["_".join(n) for n in itertools.product(("SG", "PL"), repeat=2 if uid in SIMPLE else 3)]
        assert [key for key in row if key.isupper()] == numbers
        for name in numbers:
            assert row[name].startswith("The ")
            assert row[name].endswith(".")
            assert ("wug" in row[name].split()) is name.startswith("SG")
            if uid.startswith("RA"):
                assert ("himself." in row[name]) is name.endswith("SG")
        assert len({row[name] for name in numbers}) == len(numbers)

    def test_sentences_of_one_context(self):
        row = rows("SV_PP", target="teacher", samples=1)[0]
        other, verb = row["distractor"], row["verb"]
        assert row["target"] == "teacher"
        assert row["SG_SG_SG"] == f"The teacher next to the {other} {verb}."
        assert row["PL_SG_SG"] == f"The teachers next to the {other} {verb}."
        assert row["SG_SG_PL"] != row["SG_SG_SG"]

    def test_the_suite_gives_the_same_sentences_as_sets(self):
        """What the engine writes for the words of a context is what the study writes."""
        made = {frozenset(record.sentences.values()) for record in generate("SV_Simple", n=400)}
        study = {frozenset(v for k, v in row.items() if k.isupper()) for row in rows("SV_Simple")}
        assert made <= study

    def test_contexts_are_drawn_without_repetition_and_in_full_if_few(self):
        found = rows("SV_PP", target="wug/wuz", samples=300)
        assert len({(row["distractor"], row["verb"]) for row in found}) == 300
        contexts = Contexts(prepare("SV_Simple"), Study(target="wug/wuz"), 0)
        assert len(rows("SV_Simple", target="wug/wuz")) == contexts.size < 500
        nearly = rows("SV_Simple", target="wug/wuz", samples=contexts.size - 1)
        assert len({row["verb"] for row in nearly}) == contexts.size - 1

    def test_one_noun_alone_has_the_rows_that_it_has_among_all(self):
        among = [row for row in rows("SV_PP", samples=3) if row["target"] == "teacher"]
        assert among == rows("SV_PP", target="teacher", samples=3)
        assert among != rows("SV_PP", target="teacher", samples=3, seed=1)
        assert among[:2] == rows("SV_PP", target="teacher", samples=2)

    def test_the_target_is_no_distractor_of_itself(self):
        assert all(row["target"] != row["distractor"] for row in rows("SV_PP", samples=20))

    def test_gender(self):
        nouns = {singular for singular, _ in Contexts(prepare("RA_Simple"), Study(), 0).nouns}
        assert "teacher" in nouns
        assert not nouns & {"actress", "boy", "woman", "king", "queen"}

    def test_lists_of_the_user(self, tmp_path):
        (tmp_path / "nouns").write_text("dax\twuddaxes\nblicket\nactress\n", encoding="utf-8")
        (tmp_path / "verbs").write_text("glorp\nhave\thas\n", encoding="utf-8")
        found = rows("SV_SentComp", nouns=file_ref(tmp_path / "nouns"), verbs=file_ref(tmp_path / "verbs"))
        assert len(found) == 3 * 2 * 2
        texts = {row["PL_PL_PL"] for row in found}
        assert "The blickets said the wuddaxes glorp." in texts
        assert {row["verb"] for row in found} == {"glorps", "has"}
        assert {row["target"] for row in rows("RA_Simple", nouns=file_ref(tmp_path / "nouns"))} == {"dax", "blicket"}

    def test_past_verbs_of_the_user(self, tmp_path):
        (tmp_path / "past").write_text("glorped\nfled\n", encoding="utf-8")
        found = rows("RA_SentComp", target="wug/wuz", past_verbs=file_ref(tmp_path / "past"))
        assert {row["vp"] for row in found} == {"glorped", "fled"}
        assert any(" the wug fled himself." in row["SG_SG_SG"] for row in found)
        assert "vp" not in rows("SV_PP", target="wug/wuz", samples=1, past_verbs=file_ref(tmp_path / "past"))[0]
        (tmp_path / "past").write_text("glorp\tglorped\n", encoding="utf-8")
        with pytest.raises(DataError, match="past:1: write one past form a line"):
            rows("RA_Simple", past_verbs=file_ref(tmp_path / "past"))

    def test_targets_from_a_file(self, tmp_path):
        (tmp_path / "t").write_text("wug\twuz\nteacher\tteachers\n", encoding="utf-8")
        found = rows("SV_Simple", targets=file_ref(tmp_path / "t"), samples=5)
        assert [row["target"] for row in found] == ["wug"] * 5 + ["teacher"] * 5

    @pytest.mark.parametrize(("text", "message"), [("", "no word in it"), ("a\tb\tc\n", "write one word a line")])
    def test_mistakes_in_lists(self, tmp_path, text, message):
        (tmp_path / "t").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=message):
            rows("SV_Simple", nouns=file_ref(tmp_path / "t"))

    def test_an_unknown_noun_and_a_paradigm_without_targets(self):
        with pytest.raises(UsageError, match="did you mean 'teacher'"):
            rows("SV_Simple", target="techer")
        with pytest.raises(UsageError, match="has no slot 'target'"):
            rows("transitive")

    @pytest.mark.slow
    def test_memory_does_not_grow(self):
        contexts = Contexts(prepare("SV_PP"), Study(samples=500), 0)
        peaks = []
        for wanted in (500, 5_000):
            tracemalloc.start()
            for _ in itertools.islice(contexts.rows(), wanted):
                pass
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert peaks[1] < peaks[0] + 2_000_000


class TestTokens:
    @pytest.mark.slow
    def test_words_that_fail_the_tests_of_a_tokenizer_fall_out(self, tmp_path):
        tokenizers = pytest.importorskip("tokenizers")
        words = [
            "the",
            "teacher",
            "teachers",
            "author",
            "artist",
            "artists",
            "##s",
            "smiles",
            "smile",
            "cough",
            "[UNK]",
        ]
        made = tokenizers.Tokenizer(tokenizers.models.WordPiece({w: k for k, w in enumerate(words)}, unk_token="[UNK]"))
        made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
        made.save(str(tmp_path / "tokenizer.json"))
        (tmp_path / "nouns").write_text("teacher\nauthor\nartist\njudge\n", encoding="utf-8")
        (tmp_path / "verbs").write_text("smile\ncough\n", encoding="utf-8")
        from blimpgen.variants.record import Variant
        from blimpgen.variants.tokenizers import tokenizer_ref

        variant = Variant(tokenizer=tokenizer_ref(str(tmp_path)))
        study = Study(nouns=file_ref(tmp_path / "nouns"), verbs=file_ref(tmp_path / "verbs"))
        library = default_library().varied(variant)
        contexts = Contexts(prepare("SV_Simple", library), study, 0)
        for settings, nouns, verbs in (
            ({}, "teacher author artist judge", "smiles coughs"),
            ({"no_unk": True}, "teacher author artist", "smiles coughs"),
            ({"no_unk": True, "match_tokens": True}, "teacher artist", "smiles"),
            ({"single_token": ("verb",)}, "teacher author artist judge", "smiles"),
        ):
            contexts.compiled.language.limits.variant = variant.model_copy(update=settings)
            assert " ".join(word[0] for word in contexts._words("target")) == nouns
            assert " ".join(word[0] for word in contexts._words("verb")) == verbs


class TestProgram:
    def test_files_and_manifest(self, tmp_path, call):
        code, _, told = call("nouns", "--target", "wug/wuz", "--samples", 4, "-o", tmp_path / "a")
        assert code == 0, told
        manifest = read_manifest(tmp_path / "a")
        assert set(manifest.sets) == set(TASKS)
        assert manifest.arguments.study == Study(target="wug/wuz", samples=4)
        lines = (tmp_path / "a" / "SV_PP.jsonl").read_text(encoding="utf-8").splitlines()
        assert [json.loads(line) for line in lines] == rows("SV_PP", target="wug/wuz", samples=4)

    def test_csv(self, tmp_path, call):
        code, *_ = call("nouns", "SV_Simple", "--target", "teacher", "--samples", 2, "--format", "csv", "-o", tmp_path)
        assert code == 0
        head = (tmp_path / "SV_Simple.csv").read_text(encoding="utf-8").splitlines()[0]
        assert head == "target,verb,SG_SG,SG_PL,PL_SG,PL_PL"

    def test_training_sentences(self, tmp_path, call):
        code, _, told = call("nouns", "--few-shot", "-o", tmp_path / "few")
        assert code == 0, told
        found = {path.name: path.read_text(encoding="utf-8").splitlines() for path in (tmp_path / "few").iterdir()}
        assert len(found) == sum(map(len, TRAINING.values())) == 37
        assert all(len(lines) == 5 + name.endswith("-lexical.txt") for name, lines in found.items())
        assert found["wug-pred-adj.txt"][0] == "The wug is tall."
        assert found["wuz-outnumbered.txt"][4] == "The wuz outnumbered the dogs."
        assert training_sentences("reflexive", "dax", "SG")[0] == "The dax saw himself."
        code, _, told = call("nouns", "--few-shot", "-o", tmp_path / "few")
        assert (code, "is there already" in told) == (2, True)

    @pytest.mark.parametrize("option", ["--samples", "--past-verbs", "--few-shot", "--target"])
    def test_generate_names_the_command_that_has_the_option(self, call, option):
        code, out, told = call("generate", "SV_Simple", option, 3)
        assert (code, out) == (2, "")
        assert f"No such option: {option}" in told
        assert "; it belongs to blimpgen nouns" in told

    def test_training_sentences_need_a_folder_and_both_numbers(self, call, tmp_path):
        for arguments in (("--few-shot",), ("--few-shot", "--target", "dax", "-o", tmp_path / "few")):
            code, out, told = call("nouns", *arguments)
            assert (code, out) == (2, "")
            assert "add -o DIR, and --target SINGULAR/PLURAL" in told
        assert not (tmp_path / "few").exists()


VALUES = {
    "SG_SG_SG": -10.0,
    "SG_SG_PL": -12.0,
    "SG_PL_SG": -11.0,
    "SG_PL_PL": -11.5,
    "PL_SG_PL": -9.0,
    "PL_SG_SG": -8.0,
    "PL_PL_PL": -7.0,
    "PL_PL_SG": -10.5,
}


class TestScores:
    def test_by_hand(self):
        assert advantages(VALUES) == {"SG_SG": 2.0, "SG_PL": 0.5, "PL_SG": -1.0, "PL_PL": 3.5}
        assert sentence_score(VALUES) == pytest.approx((2.0 + 0.5 - 1.0 + 3.5) / 4)
        assert sentence_score(VALUES, "SG") == pytest.approx(1.25)
        simple = {"SG_SG": -3.0, "SG_PL": -4.0, "PL_PL": -5.0, "PL_SG": -5.5}
        assert sentence_score(simple) == pytest.approx(0.75)
        assert noun_score([simple, {k: 2 * v for k, v in simple.items()}]) == pytest.approx(1.125)

    def test_of_every_noun(self):
        table = [
            {"target": "wug", "verb": "runs", **VALUES},
            {"target": "dax", "verb": "runs", **VALUES},
            {"target": "wug", "verb": "eats", **{k: v * 3 for k, v in VALUES.items()}},
        ]
        assert noun_scores(table) == {"wug": pytest.approx(2.5), "dax": pytest.approx(1.25)}

    def test_mistakes(self):
        with pytest.raises(DataError, match="SG_SG has no counterpart SG_PL"):
            sentence_score({"SG_SG": 1.0})
        with pytest.raises(DataError, match="no grammatical version among verb"):
            sentence_score({"verb": 1.0})
        with pytest.raises(DataError, match="no context"):
            noun_score([])


class TestAnalysis:
    def test_correlation_by_hand(self):
        found = correlate(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4]))
        assert found.r == pytest.approx(0.8)
        assert found.p == pytest.approx(0.2)  # with n = 4 the two-sided p of r is 1 - |r|
        assert not found.significant()
        assert correlate(np.arange(5.0), -np.arange(5.0)).r == pytest.approx(-1)

    @pytest.mark.parametrize(("n", "r", "p"), [(10, 0.632, 0.05), (30, 0.361, 0.05), (102, 0.254, 0.01)])
    def test_critical_values_of_the_textbook(self, n, r, p):
        x = standardised(np.arange(float(n))[:, None])[:, 0]
        noise = standardised((np.arange(float(n)) ** 2)[:, None])[:, 0]
        noise = noise - x * (x @ noise) / (x @ x)
        noise = noise / noise.std(ddof=1)
        found = correlate(x, r * x + np.sqrt(1 - r * r) * noise)
        assert found.r == pytest.approx(r)
        assert found.p == pytest.approx(p, rel=0.02)

    def test_bonferroni(self):
        found = correlate(np.arange(10.0), np.arange(10.0) + np.array([0, 3, -3, 2, -2, 3, -3, 1, -1, 0.0]))
        assert found.significant(0.05)
        assert not found.significant(0.05, comparisons=10**6)

    def test_matrix_of_correlations(self):
        matrix = np.array([[1.0, 2, -1], [2, 4.1, -2], [3, 5.8, -3.3], [4, 8.2, -3.9]])
        table = correlations(matrix)
        assert np.allclose([[c.r for c in row] for row in table], np.corrcoef(matrix.T))

    def test_components_of_standardised_columns(self):
        """Two correlated columns (r = 0.8) of very different size: shares 0.9 and 0.1, loadings of 45 degrees."""
        matrix = np.array([[1.0, 100], [2, 300], [3, 200], [4, 400]])
        found = components(matrix)
        assert found.explained == pytest.approx([0.9, 0.1])
        assert np.abs(found.loadings) == pytest.approx(np.full((2, 2), np.sqrt(0.5)))
        assert found.scores @ found.loadings == pytest.approx(standardised(matrix))

    def test_components_of_three_columns_that_correlate_by_a_half(self):
        """The matrix of correlations has the eigenvalues 2, 1/2 and 1/2; the first component weighs all alike."""
        own = np.array([[1.0, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
        own = np.vstack([np.hstack([own, -own])[:, k] for k in range(8)])  # columns without mean, at right angles
        found = components((own[:, :3] + own[:, 3:]) * [1, 10, 100] + [5, 6, 7])
        assert found.explained == pytest.approx([2 / 3, 1 / 6, 1 / 6])
        assert found.loadings[0] == pytest.approx(np.full(3, np.sqrt(1 / 3)))
        assert found.scores.var(axis=0, ddof=1) == pytest.approx([2, 0.5, 0.5])

    def test_regression_that_does_not_fit(self):
        """Sums of squares by hand: 2 of x, 14/3 of y, 3 of both; with three points t = 3 sqrt(3) has one degree."""
        found = regress(np.array([1.0, 2.0, 4.0]), np.array([10, 100, 1000]))
        assert (found.slope, found.intercept) == (pytest.approx(1.5), pytest.approx(7 / 3 - 3))
        assert found.r2 == pytest.approx(9 / (2 * 14 / 3))
        assert found.correlation.p == pytest.approx(2 / np.pi * np.arctan(1 / (3 * np.sqrt(3))))

    def test_regression_on_the_logarithm(self):
        found = regress(np.array([1.0, 3.0, 5.0]), np.array([10, 100, 1000]))
        assert (found.slope, found.intercept, found.r2) == (pytest.approx(2), pytest.approx(-1), pytest.approx(1))
        with pytest.raises(DataError, match="no logarithm"):
            regress(np.array([1.0, 2.0]), np.array([0, 1]))

    def test_z_scores_average_the_configurations_of_a_number(self):
        matrix = np.array([[1.0, 10, 5, 1], [2, 20, 6, 3], [3, 30, 7, 2]])
        found = z_by_number(matrix, ["SG", "SG", "PL", "PL"])
        assert found["SG"] == pytest.approx([-1, 0, 1])
        assert found["PL"] == pytest.approx([-1, 0.5, 0.5])

    @pytest.mark.parametrize("matrix", [[[1.0, 2]], [[1.0, np.nan], [2, 3]], [[1.0, 2], [1, 3]]])
    def test_no_matrix(self, matrix):
        with pytest.raises(DataError):
            components(np.array(matrix))
