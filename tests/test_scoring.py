"""Verdicts, ties, the files of a result and `blimpgen verify`, without torch."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import blimpgen as bg
from blimpgen.analysis.columns import columns
from blimpgen.analysis.measures import Sentences, measured, morcela
from blimpgen.analysis.results import METHODS, read_items, read_signature, read_summary
from blimpgen.analysis.summary import summarize
from blimpgen.base.errors import DataError, UsageError
from blimpgen.english.words import spans_of_words_and_marks
from blimpgen.lexicon.frequency import WordFrequencies, read_word_frequencies
from blimpgen.scoring import Comparison, read_comparisons
from blimpgen.scoring.baseline import Baseline
from blimpgen.scoring.judge import Policy, judge
from blimpgen.scoring.model_families import FAMILIES, Options, scorer_for
from blimpgen.scoring.ngram import ngram_lm
from blimpgen.scoring.pair_table import ranges
from blimpgen.scoring.result_folder import UNFINISHED, signature_of
from blimpgen.scoring.run import verify
from blimpgen.scoring.scores import Identity, Request, TokenScores, Unscored, Verdict, identity_of, word_scores
from blimpgen.scoring.trie import pack, pad
from tests.conftest import Call

WITHOUT_TORCH = """
import json, sys

class Absent:
    def find_spec(self, name, *rest):
        if name.partition(".")[0] in ("torch", "transformers", "kenlm"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
from blimpgen.cli import main
for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as left:
        print(f"exit {left.code}", file=sys.stderr)
"""


def pair(good: str, bad: str, **given: Any) -> Comparison:
    fields = {"uid": "u", "pair_id": "0", "field": "syntax", "term": "t", "words": {}}
    return Comparison(good=good, bad=bad, **{**fields, **given})  # type: ignore[arg-type]


def by_letters(texts: list[str]) -> list[TokenScores]:
    """A scorer that likes the letter x: one token a word."""
    return [TokenScores([-1.0 + word.count("x") for word in text.split()]) for text in texts]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    for uid in ("transitive", "determiner_noun_agreement_1", "filler_gap_2x2"):
        bg.write_jsonl(bg.generate(uid, n=6), folder / f"{uid}.jsonl")
    return folder


def test_any_function_is_a_scorer() -> None:
    items = judge([pair("x y.", "z y.", pair_id="0"), pair("y.", "x x.", pair_id="1")], by_letters)
    assert [(i.correct, i.lp_good, i.lp_bad, i.n_tok_good, i.n_tok_bad) for i in items] == [
        (True, -1, -2, 2, 2),
        (False, -1, 0, 1, 2),
    ]
    assert (items[0].model, items[0].mean_lp_good) == ("by_letters", -0.5)


@pytest.mark.parametrize(("ties", "credit", "same"), [("half", 0.5, None), ("correct", 1.0, 1.0), ("wrong", 0.0, 0.0)])
def test_equal_scores_are_ties_and_equal_sentences_no_pairs(ties: Any, credit: float, same: float | None) -> None:
    first, second = judge([pair("a b.", "c d."), pair("a b.", "a b.", pair_id="1")], by_letters, Policy(ties=ties))
    assert (first.tie, first.correct, first.credit) == (True, False, credit)
    assert (second.tie, second.credit) == (True, same)
    group = summarize([first, second], signature="", model="m", ties=ties).methods["full"].overall
    assert (group.n, group.identical) == ((1, 1) if same is None else (2, 0))
    assert (group.ties, group.accuracy) == (group.n, credit)


def test_sums_do_not_depend_on_the_order_of_tokens() -> None:
    values = [0.1, 0.2, 0.3, 1e16, -1e16]
    assert TokenScores(values).total == TokenScores(values[::-1]).total


def test_scores_that_are_no_numbers_are_no_scores() -> None:
    for value in (math.nan, -math.inf):
        with pytest.raises(DataError, match=f"u, pair 0: the model gives {value}; try --dtype float32"):
            judge([pair("a.", "b.")], lambda t, value=value: [TokenScores([value]) for _ in t], Policy(strict=True))
    with pytest.raises(DataError, match="the scorer gave 1 results for 2 sentences"):
        judge([pair("a.", "b.")], lambda _: [TokenScores([0.0])])


def test_prefix_methods_need_the_characters_of_tokens() -> None:
    comparison = pair("A cat runs.", "A cat run.", words={"one-prefix": ((6, 10), (6, 9))})
    with pytest.raises(DataError, match="prefix methods need the characters of each token: give spans, or --method"):
        judge([comparison], by_letters)
    assert len(judge([comparison], by_letters, Policy(("full",)))) == 1


def test_the_critical_word_has_its_space_and_its_correction() -> None:
    text = "A cat runs."
    scores = TokenScores([-1, -2, -4, -8, -16], [(0, 1), (1, 5), (5, 8), (8, 10), (10, 11)], {5: -0.5, 10: -0.25})
    assert word_scores([scores], [(6, 10)], [text]) == [(-12 - 0.25 + 0.5, 2)]
    assert word_scores([scores], [(6, 10)], [text], correct=False) == [(-12, 2)]


def test_critical_words_of_both_sentences_are_corrected_or_none() -> None:
    """Where a token reaches across the edge of one word, a correction of the other alone would decide the pair."""
    texts = ["A cat runs.", "A cat run."]
    whole = TokenScores([-1, -2, -12, -16], [(0, 1), (1, 5), (5, 10), (10, 11)], {5: -9.0, 10: -0.25})
    across = TokenScores([-1, -2, -11], [(0, 1), (1, 5), (5, 10)], {5: -9.0})
    assert word_scores([whole, across], [(6, 10), (6, 9)], texts) == [(-12, 1), (-11, 1)]
    assert word_scores([whole, whole], [(6, 10), (6, 10)], texts[:1] * 2) == [(-12 - 0.25 + 9, 1)] * 2


def test_a_scorer_is_asked_where_words_end() -> None:
    asked: list[Request] = []

    class Asked:
        identity = Identity("asked", score="other")

        def __call__(self, texts: list[str]) -> list[TokenScores]:
            raise AssertionError("has a method score")

        def score(self, requests: list[Request]) -> list[Verdict]:
            asked.extend(requests)
            return [Unscored("no") if "None" in r.text else TokenScores([-1.0], [(0, len(r.text))]) for r in requests]

    made = [
        pair("A cat runs.", "A cat run.", words={"one-prefix": ((6, 10), (6, 9))}),
        pair("None.", "b.", pair_id="1"),
    ]
    items = judge(made, Asked())
    assert [(r.endings, r.word) for r in asked[:2]] == [((5, 10), (6, 10)), ((5, 9), (6, 9))]
    assert [(i.pair_id, i.method, i.score) for i in items] == [("0", "full", "other"), ("0", "one-prefix", "other")]


def test_measures_are_named_and_need_what_they_need() -> None:
    table = WordFrequencies({"a": -3.0, "b": -5.0}, -9.0, "test")
    (item,) = judge([pair("a b.", "a c c.")], by_letters, Policy(unigrams=table))
    found = {name: (good[0], bad[0]) for name, (good, bad) in measured(columns([item])).items()}
    assert found["lp"] == (-2, -3)
    assert found["mean_lp"] == found["lp_per_word"] == (-1, -1)
    assert found["lp_per_char"] == found["lp_per_byte"] == (-2 / 4, -3 / 6)
    assert found["slln_lp"] == pytest.approx((-2 / 2**0.5, -3 / 3**0.5))
    assert found["log_norm_lp"] == pytest.approx((-2 / math.log(3), -3 / math.log(4)))
    assert found["slor"] == ((-2 + 8) / 2, (-3 + 21) / 3)
    side = Sentences(*(np.array([value]) for value in (-2.0, 2.0, "a b.", -8.0)))  # type: ignore[arg-type]
    assert morcela(side, beta=1, gamma=0) == found["slor"][0]
    assert morcela(side, beta=0, gamma=1) == -0.5
    assert "slor" not in measured(columns(judge([pair("a b.", "a c c.")], by_letters)))


def test_a_trie_has_every_prefix_once() -> None:
    sequences = [(1, 2, 3), (1, 2, 4, 5), (1, 2), (6,), (1, 2, 3)]
    (row,) = pack(sequences, 100)
    assert sorted(zip(row.depths, row.tokens, strict=True)) == [(0, 1), (0, 6), (1, 2), (2, 3), (2, 4), (3, 5)]
    assert [len(r) <= 4 for r in pack(sequences, 4)] == [True] * 3
    assert pack([], 4) == pad([]) == []


@given(
    st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=6).map(tuple), max_size=12),
    st.sampled_from([1, 4, 8, 100]),
)
def test_a_node_sees_what_stands_above_it_in_its_sequence(sequences: list[tuple[int, ...]], width: int) -> None:
    rows = pack(sequences, width)
    assert sorted(number for row in rows for number in row.numbers.tolist()) == [*range(len(sequences))]
    assert all(len(row) <= width or len({sequences[k] for k in row.numbers}) == 1 for row in rows)
    for row in [*rows, *pad(sequences)]:
        prefixes = {sequences[k][:n] for k in row.numbers for n in range(1, len(sequences[k]) + 1)}
        assert len(row) == len(prefixes)
        for number, length, nodes in zip(row.numbers, row.lengths, row.paths, strict=True):
            path = nodes[:length].tolist()
            assert tuple(row.tokens[path].tolist()) == sequences[number]
            assert row.depths[path].tolist() == [*range(length)]
            assert [k for k in range(len(row)) if k <= path[-1] < row.ends[k]] == path


def test_baselines_know_no_grammar(data: Path) -> None:
    comparisons = read_comparisons(data)
    length = judge(comparisons, Baseline("length"), Policy(("full",)))
    assert all(i.lp_good == -len(i.sentence_good.split()) for i in length)
    unigram = Baseline("unigram")
    often, seldom, unknown = unigram(["The dog.", "The zookeeper.", "The xyzzy."])
    assert often.total > seldom.total
    assert (unknown.total, len(unknown.logprobs), len(often.logprobs)) == (0, 0, 1)
    with pytest.raises(UsageError, match="no baseline 'lenght'; did you mean 'length'"):
        Baseline("lenght")


def test_counts_of_words_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "counts.tsv"
    path.write_text("the\t6\nCat\t2\ncat\t2\n")
    table = read_word_frequencies(path)
    assert math.fsum(table.of_sentence("The cat's dog.")) == pytest.approx(
        math.log(0.6) + math.log(0.4) + math.log(0.05)
    )
    path.write_text("the\tmany\n")
    with pytest.raises(DataError, match=r"counts.tsv:1: 'the\\tmany' is not a word, a tab and a count"):
        read_word_frequencies(path)


def test_an_ngram_model_is_trained_on_the_spot(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_text("The cat runs.\nThe cats run.\nA dog runs.\n")
    scorer = scorer_for("auto", Options(str(path)))
    good, bad, unknown = scorer(["The cats run.", "The cats runs.", "The xyzzy runs."])
    assert good.total > bad.total > unknown.total > -100
    assert list(good.spans) == [(0, 3), (4, 8), (9, 12), (12, 13)]
    assert len(scorer_for("ngram", Options(str(path), eos=True))(["The cats run."])[0].logprobs) == 5
    with pytest.raises(DataError, match="no such file; give a text file with one sentence a line"):
        scorer_for("ngram", Options(str(tmp_path / "absent.txt")))


@pytest.mark.slow
@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("bos", [True, False])
def test_a_trained_ngram_model_agrees_with_an_independent_implementation(tmp_path: Path, order: int, bos: bool) -> None:
    """The same model by NLTK, which keeps its counts in nested dictionaries."""
    from nltk.lm import WittenBellInterpolated
    from nltk.lm.preprocessing import padded_everygram_pipeline

    lines = [r.good for uid in ("transitive", "wh_island", "causative") for r in bg.generate(uid, n=40)]  # type: ignore[union-attr]
    path = tmp_path / "text.txt"
    path.write_text("\n".join(lines[::2]))
    split = {text: [word for word, _ in spans_of_words_and_marks(text)] for text in lines}
    grams, vocabulary = padded_everygram_pipeline(order, [*(split[text] for text in lines[::2]), ["<UNK>"]])
    theirs = WittenBellInterpolated(order)
    theirs.fit(grams, vocabulary)
    start = ["<s>"] * (order - 1) if bos else []
    for text, scores in zip(lines, ngram_lm(path, order=order, bos=bos, eos=True)(lines), strict=True):
        words = [*start, *split[text], "</s>"]
        expected = [
            math.log(2) * theirs.logscore(words[k], tuple(words[max(0, k - order + 1) : k]))
            for k in range(len(start), len(words))
        ]
        assert list(scores.logprobs) == pytest.approx(expected, abs=1e-12)


def test_a_model_of_kenlm(tmp_path: Path) -> None:
    pytest.importorskip("kenlm", reason="kenlm is not installed: pip install 'blimpgen[ngram]', built from source")
    path = tmp_path / "small.arpa"
    grams = {
        "<unk>": (-2, 0),
        "<s>": (0, -0.3),
        "</s>": (-1, 0),
        "cats": (-0.7, -0.3),
        "run": (-0.6, -0.3),
        "runs": (-0.8, -0.3),
    }
    rows = "".join(f"{p}\t{w}\t{b}\n" for w, (p, b) in grams.items())
    path.write_text(
        f"\\data\\\nngram 1={len(grams)}\nngram 2=1\n\n\\1-grams:\n{rows}\n\\2-grams:\n-0.1\tcats run\n\n\\end\\\n"
    )
    good, bad = scorer_for("auto", Options(str(path)))(["cats run", "cats runs"])
    assert good.total == pytest.approx(math.log(10) * (-0.3 - 0.7 - 0.1))
    assert bad.total == pytest.approx(math.log(10) * (-0.3 - 0.7 - 0.3 - 0.8))


def test_a_function_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from blimpgen.scoring.scores import TokenScores\nNUMBER = 3\n"
        "def score(texts): return [TokenScores([-1.0]) for _ in texts]\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert identity_of(scorer_for("callable", Options("mine:score"))).model == "score"
    for name in ("mine", "mine:NUMBER", "mine:absent", "absent:score"):
        with pytest.raises(UsageError, match=f"--model {name}: "):
            scorer_for("callable", Options(name))


def test_an_entry_point_is_a_family(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import EntryPoint

    points = [
        EntryPoint("letters", f"{__name__}:make_letters", "blimpgen.scorers"),
        EntryPoint("broken", "absent_module:make", "blimpgen.scorers"),
    ]
    monkeypatch.setattr("blimpgen.scoring.model_families.entry_points", lambda group: points)
    assert scorer_for("letters", Options("any"))(["x"])[0].total == 0
    with pytest.raises(UsageError, match="the family 'broken' is absent_module:make, which cannot be loaded"):
        scorer_for("broken", Options("any"))
    with pytest.raises(UsageError, match="no family 'casual'; did you mean 'causal'"):
        scorer_for("casual", Options("any"))


def make_letters(_model: str) -> Any:
    return by_letters


def test_a_result_has_its_three_files(data: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    comparisons = read_comparisons(data)
    result = verify(comparisons, Baseline("unigram"), data="0" * 64, output=out)
    assert sorted(p.name for p in out.iterdir()) == ["items.jsonl", "signature.txt", "summary.json"]
    assert list(read_items(out)) == result.items
    assert read_summary(out) == result.summary
    assert read_signature(out) == result.summary.signature
    full, one, two = (result.summary.methods[m] for m in METHODS)
    assert {*full.paradigms} == {"transitive", "determiner_noun_agreement_1", "filler_gap_2x2"}
    assert ({*one.paradigms}, {*two.paradigms}) == ({"determiner_noun_agreement_1"}, {"transitive"})
    assert {*full.comparisons} == {"filler_gap_2x2"}
    assert {c.comparison for c in comparisons if c.comparison} == {*full.comparisons["filler_gap_2x2"]}
    accuracies = [group.accuracy for group in full.paradigms.values()]
    assert full.overall.accuracy == pytest.approx(sum(accuracies) / 3)
    assert full.micro == pytest.approx(
        sum(i.credit or 0 for i in result.items if i.method == "full") / len(comparisons)
    )


def test_a_killed_run_goes_on(data: Path, tmp_path: Path) -> None:
    comparisons = read_comparisons(data)
    whole = verify(comparisons, by_spans, data="d", output=tmp_path / "whole")
    out, scored = tmp_path / "out", list[str]()

    def dies(texts: list[str]) -> list[TokenScores]:
        if len(scored) > 10:
            raise KeyboardInterrupt
        scored.extend(texts)
        return by_spans(texts)

    dies.identity = identity_of(by_spans)  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        verify(comparisons, dies, data="d", output=out, chunk=4)
    assert sorted(p.name for p in out.iterdir()) == [UNFINISHED, "signature.txt"]
    with (out / UNFINISHED).open("ab") as stream:
        stream.write(b'{"UID": "cut off')
    again: list[str] = []

    def counts(texts: list[str]) -> list[TokenScores]:
        again.extend(texts)
        return by_spans(texts)

    counts.identity = identity_of(by_spans)  # type: ignore[attr-defined]
    result = verify(comparisons, counts, data="d", output=out, chunk=4)
    assert result.resumed > 0
    assert not {*scored} & {*again}
    assert (result.items, result.summary) == (whole.items, whole.summary)
    assert (out / "items.jsonl").read_bytes() == (tmp_path / "whole" / "items.jsonl").read_bytes()
    assert not (out / UNFINISHED).exists()
    again.clear()
    assert verify(comparisons, counts, data="d", output=out).items == whole.items
    assert not again


def test_pairs_of_all_paradigms_are_scored_in_the_order_of_their_sentences() -> None:
    asked: list[list[str]] = []

    def scorer(texts: list[str]) -> list[TokenScores]:
        asked.append(texts)
        return by_letters(texts)

    made = [
        pair("The b.", "The c.", uid="u"),
        pair("A b.", "A c.", uid="u", pair_id="1"),
        pair("The a.", "The d.", uid="v"),
        pair("A a.", "A d.", uid="v", pair_id="1"),
    ]
    items = verify(made, scorer, data="d", policy=Policy(("full",)), chunk=2).items
    assert asked == [["A a.", "A d.", "A b.", "A c."], ["The a.", "The d.", "The b.", "The c."]]
    assert list(ranges(made, chunk=2)) == [(3, 1), (2, 0)]
    assert [(row.UID, row.pair_id) for row in items] == [(each.uid, each.pair_id) for each in made]
    records = [*bg.generate("transitive", n=3), *bg.generate("adjunct_island", n=3)]
    assert [(i.UID, i.sentence_good) for i in bg.score(records, by_letters, methods=["full"])] == [
        (r.uid, r.good) for r in records
    ]  # type: ignore[union-attr]


def by_spans(texts: list[str]) -> list[TokenScores]:
    """One token a character."""
    return [TokenScores([-ord(c) / 100 for c in text], [(k, k + 1) for k in range(len(text))]) for text in texts]


def test_another_call_is_refused(data: Path, tmp_path: Path) -> None:
    comparisons, out = read_comparisons(data), tmp_path / "out"
    verify(comparisons, Baseline("length"), data="d", output=out)
    said = r"out holds another result \(model: length; family: baseline; score: length\); take another folder"
    with pytest.raises(UsageError, match=said):
        verify(comparisons, by_spans, data="d", output=out)
    verify(comparisons, by_spans, data="d", output=out, overwrite=True)
    assert {i.model for i in read_items(out)} == {"by_spans"}
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").touch()
    with pytest.raises(UsageError, match=r"mine is not empty \(notes.txt\); take another folder"):
        verify(comparisons, by_spans, data="d", output=tmp_path / "mine", overwrite=True)


def test_the_signature_says_what_a_result_depends_on() -> None:
    identity = Identity("m", "causal", revision="r", dtype="bfloat16", bos="<s>", versions={"torch": "2"})
    line = signature_of(identity, Policy(("full",), "wrong"), "abc", 10)
    assert line.startswith(
        "model: m; revision: r; family: causal; dtype: bfloat16; score: log_prob; methods: full; "
        "bos: <s>; eos: -; ties: wrong; word-correction: yes; unigrams: no; limit: 10; data: abc; "
    )
    assert line.endswith("; torch: 2")


def test_the_signature_tells_counts_apart(tmp_path: Path) -> None:
    path, found = tmp_path / "counts.tsv", set()
    for count in (1, 2):
        path.write_text(f"a\t1\nb\t{count}\n", encoding="utf-8")
        found.add(signature_of(Identity("m"), Policy(unigrams=read_word_frequencies(path)), "abc"))
    assert len(found) == 2


def test_flipped_labels_are_flagged(data: Path) -> None:
    def right(texts: list[str]) -> list[TokenScores]:
        return [TokenScores([0.0 if text in good else -1.0], [(0, len(text))]) for text in texts]

    comparisons = [c for c in read_comparisons(data) if not c.comparison]
    good = {c.good for c in comparisons}
    flipped = [pair(c.bad, c.good, uid=c.uid, pair_id=c.pair_id) if c.uid == "transitive" else c for c in comparisons]
    summary = verify(flipped, right, data="d", policy=Policy(("full",))).summary.methods["full"]
    assert summary.paradigms["transitive"].accuracy == 0
    assert "below chance: the labels or the sign may be flipped" in summary.paradigms["transitive"].flags
    assert summary.paradigms["determiner_noun_agreement_1"].flags == ()


def test_verify_prints_a_table(call: Call, data: Path, tmp_path: Path) -> None:
    done = call("verify", data, "--model", "unigram", "--limit", 4, "-o", tmp_path / "out")
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0].strip() == "full: accuracy in percent"
    assert lines[1].split() == [
        "phenomenon",
        "paradigms",
        "pairs",
        "ties",
        "accuracy",
        "95",
        "%",
        "mean_lp",
        "GPT-2",
        "human",
    ]
    terms = [line.split()[0] for line in lines[2:6]]
    assert terms == ["argument_structure", "determiner_noun_agreement", "filler_gap_dependency", "overall"]
    assert "published for the released pairs" in done.out
    assert done.err.startswith(f"{tmp_path / 'out'}: ")
    again = call("verify", data, "--model", "unigram", "--limit", 4, "-o", tmp_path / "out")
    assert again.out == done.out
    assert "of them from before" in again.err
    assert json.loads((tmp_path / "out" / "summary.json").read_text())["model"] == "unigram"


@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (("absent", "--model", "length"), "absent: no such file or directory; name a data set", 2),
        ((".", "--model", "length"), "no *.jsonl file in it", 2),
        (("data", "--model", "lenght", "--family", "baseline"), "no baseline 'lenght'; did you mean 'length'?", 2),
        (("data", "--model", "x", "--family", "casual"), "no family 'casual'; did you mean 'causal'?", 2),
        (("data", "--model", "x.txt"), "x.txt: no such file; give a text file", 1),
        (("data", "--model", "length", "--unigrams", "x.tsv"), "x.tsv: no such file; give one with a word", 1),
    ],
)
def test_a_mistake_is_one_line(
    call: Call, data: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], said: str, code: int
) -> None:
    monkeypatch.chdir(data.parent)
    done = call("verify", *arguments)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert said in done.err


@pytest.mark.slow
def test_without_torch_the_message_says_what_to_install_and_the_rest_works(data: Path, tmp_path: Path) -> None:
    arpa, out = tmp_path / "m.arpa", tmp_path / "out"
    arpa.touch()
    models = {"causal": "gpt2", "masked": "bert", "auto": "gpt2", "ngram": str(arpa)}
    assert {*models} - {"auto"} == {*FAMILIES} - {"baseline", "callable"}
    calls = [["verify", str(data), "--model", model, "--family", family] for family, model in models.items()]
    calls += [["list"], ["verify", str(data), "--model", "length", "-o", str(out)]]
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, json.dumps(calls)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = done.stderr.splitlines()
    for message, code, family in zip(lines[0:8:2], lines[1:8:2], models, strict=True):
        assert code == "exit 2"
        extra = "ngram" if family == "ngram" else "score"
        assert f"which is not installed; type: pip install 'blimpgen[{extra}]'" in message, family
    assert lines[8:] == ["exit 0", f"{out}: {len(list(read_items(out)))} rows", "exit 0"]
    assert "overall" in done.stdout


def test_verify_scores_without_the_pairs_of_a_list(call: Call, data: Path, tmp_path: Path) -> None:
    drop = tmp_path / "drop.tsv"
    drop.write_text("UID\tpairID\ntransitive\t0\ntransitive\t2\nabsent\t0\n", encoding="utf-8")
    done = call("verify", data, "--model", "length", "--limit", 4, "--drop-list", drop, "-o", tmp_path / "out")
    assert done.code == 0
    figures = json.loads((tmp_path / "out" / "without.json").read_text(encoding="utf-8"))["full"]
    every, without = figures["all pairs"], figures["drop.tsv"]
    assert (every["transitive"]["n"], without["transitive"]["n"]) == (4, 2)
    assert every["overall"]["n"] - without["overall"]["n"] == 2
    assert f"full, without drop.tsv: {100 * without['overall']['accuracy']:.1f} (n = " in done.out
    kept = [i for i in read_items(tmp_path / "out") if i.UID == "transitive" and i.method == "full"]
    expected = np.mean([item.credit for item in kept if item.pair_id not in ("0", "2")])
    assert without["transitive"]["accuracy"] == expected
    assert call("verify", data, "--model", "length", "--drop-list", tmp_path / "none.tsv").code == 2
