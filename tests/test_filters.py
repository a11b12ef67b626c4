"""Filters of corpora: the notation of patterns, the shipped filters, and runs over CoNLL-U files."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from blimpgen.base.engines import engine_of
from blimpgen.base.errors import BlimpgenError, DataError, Place, UsageError
from blimpgen.checks.filter_checks import check_filter, is_filter
from blimpgen.corpora.conllu import Block, Sentences, parse_block, read_blocks
from blimpgen.corpora.filters import Filters, filter_files, find_filters
from blimpgen.corpora.patterns import Pattern, PatternMatcher, WordTest, parse_relation, parse_test
from blimpgen.corpora.run import FilterManifest, FilterRequest, filter_corpus
from blimpgen.library import Library, default_library
from tests.conftest import Call, on_full_disk

PUBLISHED_LISTS = {
    "agreement_nouns": "words_re_irr_sv_agr.txt",
    "common_nouns": "words_det_noun.txt",
    "participles": "words_passive.txt",
}
WITH_CODE = 12
HERE = Place("here.yaml", 1)


def block(*sentences: Sequence[str]) -> Block:
    """A block of sentences, each a list of words written ``FORM LEMMA UPOS FEATS HEAD DEPREL``."""
    lines = []
    for sentence in sentences:
        for number, word in enumerate(sentence, start=1):
            form, lemma, upos, feats, head, deprel = word.split()
            lines.append("\t".join((str(number), form, lemma, upos, "_", feats, head, deprel, "_", "_")) + "\n")
        lines.append("\n")
    return Block(Path("here.conllu"), 1, lines)


TWO = parse_block(
    block(
        [
            "Boys boy NOUN Number=Plur 4 nsubj",
            "who who PRON _ 3 nsubj",
            "sing sing VERB _ 1 acl:relcl",
            "smile smile VERB _ 0 root",
        ],
        ["They they PRON _ 2 nsubj", "smile smile VERB _ 0 root"],
    )
)


def pattern(words: dict[str, dict[str, str]], *where: str) -> Pattern:
    tests = {name: tuple(parse_test(k, v, [], HERE) for k, v in each.items()) for name, each in words.items()}
    return Pattern(tests, tuple(parse_relation(text, words, HERE) for text in where))


def fits(sentences: Sentences, *patterns: Pattern) -> list[bool]:
    return list(PatternMatcher(sentences, {}).fits(patterns))


@pytest.mark.parametrize(
    "words, where, expected",
    [
        ({"a": {"deprel": "nsubj"}}, [], [True, True]),
        ({"a": {"deprel": "acl*"}}, [], [True, False]),
        ({"a": {"deprel": "*relcl"}}, [], [True, False]),
        ({"a": {"form": "boys"}}, [], [False, False]),
        ({"a": {"form.lower": "boys/girls"}}, [], [True, False]),
        ({"a": {"Number": "Plur"}}, [], [True, False]),
        ({"a": {"upos": "not NOUN/VERB/PRON"}}, [], [False, False]),
        ({"a": {"upos": "NOUN"}, "b": {"upos": "PRON"}}, ["a right before b"], [True, False]),
        ({"a": {"upos": "NOUN"}, "b": {"upos": "VERB"}}, ["b after a"], [True, False]),
        ({"a": {"lemma": "boy"}, "b": {"lemma": "smile"}}, ["a depends on b"], [True, False]),
        ({"a": {"lemma": "who"}, "b": {"lemma": "smile"}}, ["a depends on b"], [False, False]),
        ({"a": {"lemma": "who"}, "b": {"lemma": "smile"}}, ["a below b"], [True, False]),
        ({"a": {"lemma": "smile"}, "b": {"lemma": "smile"}}, ["a within b"], [True, True]),
        ({"a": {"upos": "PRON"}, "b": {"upos": "NOUN"}}, ["a sister of b"], [False, False]),
        ({"a": {"upos": "VERB"}, "b": {"upos": "NOUN"}, "c": {"upos": "PRON"}},
         ["c depends on a", "a depends on b", "c not before b", "c before a"], [True, False]),
    ],
)  # fmt: skip
def test_a_pattern_fits(words: dict[str, dict[str, str]], where: list[str], expected: list[bool]) -> None:
    assert fits(TWO, pattern(words, *where)) == expected


def test_what_must_be_absent() -> None:
    subject = {"a": {"deprel": "nsubj"}, "b": {"upos": "VERB"}}
    alone = pattern(subject, "a depends on b")
    absent = Pattern({"c": (WordTest(("deprel",), ("acl:relcl",)),)}, (parse_relation("c depends on a", "abc", HERE),))
    assert fits(TWO, Pattern(alone.words, alone.relations, (absent,))) == [True, True]
    root = pattern({"a": {"deprel": "nsubj"}, "b": {"deprel": "root"}}, "a depends on b")
    assert fits(TWO, Pattern(root.words, root.relations, (absent,))) == [False, True]


def slow(sentences: Sentences, kind: str, first: int, second: int) -> bool:
    """The relations one by one, as a second opinion."""
    if sentences.of[first] != sentences.of[second]:
        return False
    above, way = sentences.heads[first], list[int]()
    while above >= 0 and len(way) < len(sentences.of):
        way.append(int(above))
        above = sentences.heads[above]
    heads = sentences.heads
    return {
        "depends on": heads[first] == second,
        "below": second in way,
        "within": second in way or first == second,
        "sister of": heads[first] >= 0 and heads[first] == heads[second] and first != second,
        "right before": first + 1 == second,
        "before": first < second,
        "not before": first >= second,
        "not after": first <= second,
    }[kind]


@st.composite
def trees(draw: st.DrawFn) -> Sentences:
    sentences = []
    for _ in range(draw(st.integers(1, 3))):
        size = draw(st.integers(1, 6))
        words = []
        for k in range(1, size + 1):
            # A tree: every head stands nearer to the root in a drawn order, here the order of the words turned round.
            head = 0 if k == size else draw(st.integers(k + 1, size))
            words.append(f"w{draw(st.integers(0, 2))} w X _ {head} {draw(st.sampled_from('pq'))}")
        sentences.append(words)
    return parse_block(block(*sentences))


RELATIONS = ["depends on", "below", "within", "sister of", "right before", "before", "not before", "not after"]


@given(trees(), st.sampled_from(RELATIONS), st.sampled_from(RELATIONS), st.booleans())
def test_the_matcher_agrees_with_one_word_after_the_other(sentences: Sentences, one: str, two: str, same: bool) -> None:
    words = {"a": {"form": "w0"}, "b": {"deprel": "p"}, "c": {}}
    relations = (f"a {one} b", f"{'a' if same else 'c'} {two} {'b' if same else 'a'}")
    names = words if not same else {"a": words["a"], "b": words["b"]}
    form, deprel = sentences.columns["form"], sentences.columns["deprel"]
    count = range(len(sentences.of))
    expected = [False] * len(sentences)
    for a in count:
        for b in count:
            for c in count if not same else [0]:
                likes = form.values[form.codes[a]] == "w0" and deprel.values[deprel.codes[b]] == "p"
                second = (a, b) if same else (c, a)
                if likes and slow(sentences, one, a, b) and slow(sentences, two, *second):
                    expected[sentences.of[a]] = True
    assert fits(sentences, pattern(names, *relations)) == expected


@pytest.fixture(scope="module")
def everything() -> Filters:
    """The shipped filters with all variants."""
    folders, lexicon = default_library().folders, default_library().lexicon
    whole = find_filters(folders, lexicon, ["all"]).filters
    variants = [f"{name}.{variant}" for name, each in whole.items() for variant in each.model.variants]
    return find_filters(folders, lexicon, [*whole, *variants])


class TestShipped:
    def test_fifteen_filters_with_variants(self, everything: Filters) -> None:
        assert len([name for name in everything.filters if "." not in name]) == 15
        assert "rel-cl.paper" in everything.filters

    def test_examples_come_out(self, everything: Filters) -> None:
        for name, each in everything.filters.items():
            if "." in name:
                continue
            for rejected, sentences, place in each.examples():
                assert list(everything.rejected(sentences)[name]) == [rejected], place

    def test_targets_exist(self, everything: Filters) -> None:
        uids = set(default_library().uids("blimp"))
        targets = [uid for name, each in everything.filters.items() if "." not in name for uid in each.targets]
        assert set(targets) <= uids
        assert len(targets) == len(set(targets)) == 31

    def test_a_filter_has_the_name_of_the_paper_too(self) -> None:
        library = default_library()
        for name in ("AGR-REL-CL", "agr-rel-cl"):
            assert list(find_filters(library.folders, library.lexicon, [name]).filters) == ["rel-cl"]


@pytest.fixture(scope="module")
def published(shared_data: Path) -> Filters:
    """The shipped filters with the published word lists."""
    files = {name: shared_data / "fict" / file for name, file in PUBLISHED_LISTS.items()}
    return find_filters(default_library().folders, default_library().lexicon, ["all"], files)


class TestPublished:
    @staticmethod
    def rejected(filters: Filters, path: Path) -> dict[str, set[str]]:
        result: dict[str, set[str]] = defaultdict(set)
        for each in read_blocks(path):
            sentences = parse_block(each)
            for name, mask in filters.rejected(sentences).items():
                result[name] |= {sentences.ids[k] for k in np.flatnonzero(mask)}
        return result

    @pytest.mark.parametrize("split", ["dev", "test"])
    def test_the_same_sentences_of_the_treebank(self, published: Filters, shared_data: Path, split: str) -> None:
        ours = self.rejected(published, shared_data / "ud" / f"en_ewt-ud-{split}.conllu.gz")
        theirs: dict[str, set[str]] = defaultdict(set)
        with (shared_data / "fict" / f"ewt_{split}.csv").open(encoding="utf-8") as stream:
            for row in csv.DictReader(stream):
                theirs[row["filter"]].add(row["sent_id"])
        with_code = [name for name in published.filters if not name.startswith("npi-")]
        assert len(with_code) == WITH_CODE
        assert {name: ours[name] for name in with_code} == {name: theirs[name] for name in with_code}

    def test_edge_cases(self, published: Filters, shared_data: Path) -> None:
        """Where the published code ends with an error, a sentence is accepted: it cannot be evaluated there."""
        ours = self.rejected(published, shared_data / "fict" / "edge_cases.conllu")
        with (shared_data / "fict" / "edge_cases.csv").open(encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == 128 * WITH_CODE
        wrong = [row for row in rows if (row["sent_id"] in ours[row["filter"]]) != (row["upstream_result"] == "reject")]
        assert not wrong


FILTER = """\
summary: A test.
targets: []
source: nobody
reject:
  - words:
      a: {deprel: nsubj}
      b: {}
    where: [a depends on b]
examples:
  rejected: ["1 a a X _ 2 nsubj\\n2 b b X _ 0 root"]
  accepted: ["1 a a X _ 0 root"]
"""


@pytest.mark.parametrize(
    "old, new, message",
    [
        ("deprel: nsubj", "depre: nsubj", "6: unknown key 'depre' of a word; did you mean 'deprel'?"),
        ("deprel: nsubj", "form: '@nouns'", "6: no word list 'nouns'; there are: agreement_nouns, common_nouns"),
        ("deprel: nsubj", "upos: NUON", "6: upos: unknown tag 'NUON'; did you mean 'NOUN'?"),
        ("deprel: nsubj", "form: a//b", "6: form: an empty value in 'a//b'"),
        ("a depends on b", "a depend on b", "8: 'a depend on b' is no relation; write WORD depends on|below|"),
        ("a depends on b", "a depends on c", "8: 'a depends on c': no word 'c'; there are: a, b"),
        ("a depends on b", "a before a", "8: 'a before a' relates a word to itself"),
        ("    where: [a depends on b]\n", "", "7: nothing says how 'b' stands to the others"),
        ("source: nobody\n", "", "1: the key 'source' is missing"),
        ("summary: A", "sumary: A", "1: unknown key 'sumary'; did you mean 'summary'?"),
        ("    where:", "    were:", "8: unknown key 'were'; did you mean 'where'?"),
    ],
)
def test_a_wrong_filter_is_told_with_its_line(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(FILTER.replace(old, new), encoding="utf-8")
    library = default_library()
    with pytest.raises(DataError) as caught:
        find_filters(library.folders, library.lexicon, [str(path)])
    assert str(caught.value).startswith(f"{path}:{message}")


def test_a_wrong_example_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(FILTER.replace("1 a a X _ 0 root", "1 a a X 0 root"), encoding="utf-8")
    filters = find_filters(default_library().folders, default_library().lexicon, [str(path)])
    with pytest.raises(DataError, match="is no word of an example; write ID FORM LEMMA UPOS FEATS HEAD DEPREL"):
        list(filters.filters["mine"].examples())


def test_unknown_names() -> None:
    library = default_library()
    with pytest.raises(UsageError, match="no filter 'rel-cll'; did you mean 'rel-cl'"):
        find_filters(library.folders, library.lexicon, ["rel-cll"])
    with pytest.raises(UsageError, match="no word list 'nip'; did you mean 'npi'"):
        find_filters(library.folders, library.lexicon, ["all"], {"nip": Path("x")})


WORD = "1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\t_\n"


@pytest.mark.parametrize(
    "text, message",
    [
        (b"1\tGo\tgo\n\n", "1: 3 columns; CoNLL-U has 10, separated by tabs"),
        (WORD.replace("1\t", "2\t", 1).encode(), "1: ID is 2; 1 is expected"),
        (WORD.replace("\t0\t", "\t7\t").encode(), "1: HEAD is '7'; 0 or the number of one of the 1 words is expected"),
        (WORD.replace("\t0\t", f"\t{'9' * 5000}\t").encode(), "1: HEAD is '999"),
        (WORD.replace("\t0\t", "\t_\t").encode(), "1: no HEAD; the text has not been parsed"),
        (WORD.replace("\t0\t", "\t1\t").encode(), "1: a word is its own head"),
        (b"# text = x\n" + WORD.replace("1\t", "x\t", 1).encode(), "2: ID is 'x'; a number, a range such as 1-2"),
        (b"\xff\n", "1: not UTF-8; save the file as UTF-8"),
        (b"x" * (1 << 20), "1: a line of over 1,048,576 characters; is the text divided into lines?"),
        (b"", " no sentence"),
        (b"# text = only a comment\n\n", " no sentence"),
    ],
)
def test_what_is_no_conllu_is_told_with_its_line(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "corpus.conllu"
    path.write_bytes(text)
    with pytest.raises(DataError) as caught:
        run(path, tmp_path / "out")
    assert str(caught.value).startswith(f"{path}:{message}")


def test_broken_gzip_is_told(tmp_path: Path) -> None:
    path = tmp_path / "corpus.conllu.gz"
    path.write_bytes(gzip.compress(WORD.encode() * 1000)[:40])
    with pytest.raises(DataError, match="cannot be read"):
        run(path, tmp_path / "out")


def corpus(path: Path, sentences: int, seed: int = 0) -> Path:
    """A treebank of made-up sentences, some with a relative clause in the subject."""
    chance = random.Random(seed)
    words = {
        True: ["Boys boy NOUN _ 4 nsubj", "who who PRON _ 3 nsubj", "sing sing VERB _ 1 acl:relcl",
               "smile smile VERB _ 0 root"],
        False: ["They they PRON _ 2 nsubj", "smile smile VERB _ 0 root"],
    }  # fmt: skip
    lines = block(*(words[chance.random() < 0.3] for _ in range(sentences))).lines
    path.write_text("".join(lines), encoding="utf-8")
    return path


def run(path: Path, folder: Path, *names: str, jobs: int = 1, **options: object) -> FilterManifest:
    library: Library = default_library()
    filters = find_filters(library.folders, library.lexicon, names or ["rel-cl"])
    request = FilterRequest.model_validate({"corpora": (str(path),), "filters": tuple(filters.filters), **options})
    return filter_corpus(request, filters, folder, engine=engine_of("local", jobs=jobs))


class TestRun:
    def test_accepted_and_rejected(self, tmp_path: Path) -> None:
        manifest = run(corpus(tmp_path / "c.conllu", 500), tmp_path / "out", rejected=True)
        accepted, rejected = ((tmp_path / "out" / f"rel-cl{part}.txt").read_text().split("\n")[:-1]
                              for part in ("", ".rejected"))  # fmt: skip
        assert set(accepted) == {"They smile"}
        assert set(rejected) == {"Boys who sing smile"}
        assert len(accepted) + len(rejected) == manifest.sentences == 500
        assert manifest.files["rel-cl"].words == 2 * len(accepted)
        names = {p.name for p in (tmp_path / "out").iterdir()}
        assert names == {"full.txt", "rel-cl.txt", "rel-cl.rejected.txt", "manifest.json"}

    @pytest.mark.slow
    def test_processes_change_nothing(self, tmp_path: Path) -> None:
        path = corpus(tmp_path / "c.conllu", 9000)
        one, two = run(path, tmp_path / "one"), run(path, tmp_path / "two", jobs=2)
        assert one == two

    def test_a_finished_run_is_left_alone(self, tmp_path: Path) -> None:
        path = corpus(tmp_path / "c.conllu", 50)
        assert run(path, tmp_path / "out") == run(path, tmp_path / "out")
        with pytest.raises(UsageError, match="holds a finished run with other arguments; take another folder"):
            run(path, tmp_path / "out", rejected=True)

    def test_a_folder_of_somebody_else_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "thesis.txt").write_text("x")
        with pytest.raises(UsageError, match=r"is not empty \(thesis.txt\)"):
            run(corpus(tmp_path / "c.conllu", 5), tmp_path / "out")

    def test_sampling_keeps_the_order_and_leaves_long_and_blank_lines_out(self, tmp_path: Path) -> None:
        sentences = [[f"w{k} w X _ 0 root"] for k in range(40)]
        long = ["x x X _ 0 root", *("x x X _ 1 dep" for _ in range(512))]
        path = tmp_path / "c.conllu"
        path.write_text("".join(block(long, *sentences).lines), encoding="utf-8")
        manifest = run(path, tmp_path / "out", lines=30)
        lines = (tmp_path / "out" / "full.txt").read_text().split("\n")[:-1]
        expected = sorted(random.Random(42).sample(range(40), 30))
        assert lines == [f"w{k}" for k in expected]
        assert (manifest.files["full"].sentences, manifest.files["full"].lines) == (41, 30)
        with pytest.raises(DataError, match="full has 40 lines of 1 to 512 words; 41 cannot be sampled"):
            run(path, tmp_path / "more", lines=41)

    def test_a_corpus_with_a_fault_leaves_the_folder_free(self, tmp_path: Path) -> None:
        path = corpus(tmp_path / "c.conllu", 50)
        good = path.read_text(encoding="utf-8")
        path.write_text(f"{good}1\tbroken\n\n", encoding="utf-8")
        with pytest.raises(DataError, match="2 columns; CoNLL-U has 10"):
            run(path, tmp_path / "out")
        path.write_text(good, encoding="utf-8")
        assert run(path, tmp_path / "out").sentences == 50

    def test_words_or_text(self, tmp_path: Path) -> None:
        path = tmp_path / "c.conllu"
        path.write_text(
            "# text = Go!\n1\tGo\tgo\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No\n2\t!\t!\tPUNCT\t_\t_\t1\tpunct\t_\t_\n"
        )
        run(path, tmp_path / "text")
        run(path, tmp_path / "words", tokenized=True)
        assert (tmp_path / "text" / "full.txt").read_text() == "Go!\n"
        assert (tmp_path / "words" / "full.txt").read_text() == "Go !\n"

    @pytest.mark.slow
    def test_the_command(self, tmp_path: Path) -> None:
        path = corpus(tmp_path / "c.conllu", 50)
        command = [sys.executable, "-m", "blimpgen", "filter", str(path), "--filter", "rel-cl", "-o"]
        done = subprocess.run([*command, str(tmp_path / "out"), "--json"], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["sentences"] == 50
        wrong = subprocess.run([*command[:-1]], capture_output=True, text=True)
        assert wrong.returncode == 2
        assert len(wrong.stderr.splitlines()) == 1

    @pytest.mark.slow
    def test_a_full_disk_is_told_in_one_line_and_the_same_call_goes_on(self, tmp_path: Path) -> None:
        path = corpus(tmp_path / "c.conllu", 9000)
        done = on_full_disk(60_000, "filter", path, "--filter", "rel-cl", "-o", tmp_path / "out")
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert re.search(r"/out/\.[\w-]+\.unfinished: File too large$", done.err)
        assert run(path, tmp_path / "out") == run(path, tmp_path / "whole")

    @pytest.mark.slow
    def test_a_killed_run_is_finished_by_the_same_call(self, tmp_path: Path) -> None:
        path = corpus(tmp_path / "c.conllu", 60_000)
        names, options = ["all"], {"lines": 30_000, "rejected": True}
        whole = run(path, tmp_path / "whole", *names, **options)
        command = [sys.executable, "-m", "blimpgen", "filter", str(path), "--filter", "all", "--lines", "30000",
                   "--rejected", "-o", str(tmp_path / "killed")]  # fmt: skip
        chance, kills = random.Random(1), 0
        while True:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.3, 2.0))
            process.send_signal(signal.SIGKILL)
            kills += process.wait() != 0
            if process.returncode == 0 or kills > 30:
                break
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        assert kills
        assert run(path, tmp_path / "killed", *names, **options) == whole

    def test_what_a_run_killed_while_it_tidied_up_left_is_removed(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path, out = corpus(tmp_path / "c.conllu", 50), tmp_path / "out"

        def interrupted(*given: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("blimpgen.corpora.run._tidy", interrupted)
            with pytest.raises(KeyboardInterrupt):
                run(path, out, lines=10, rejected=True)
        assert {"manifest.json", "run.json", ".full.unfinished"} <= {p.name for p in out.iterdir()}
        run(path, out, lines=10, rejected=True)
        names = {p.name for p in out.iterdir()}
        assert names == {"full.txt", "rel-cl.txt", "rel-cl.rejected.txt", "manifest.json"}

    def test_another_run_into_the_folder_of_an_unfinished_one_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = corpus(tmp_path / "c.conllu", 50)
        with monkeypatch.context() as patch:
            patch.setattr("blimpgen.corpora.run._Run.finish", lambda self: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                run(path, tmp_path / "out")
        with pytest.raises(BlimpgenError, match="holds an unfinished run with other arguments"):
            run(path, tmp_path / "out", rejected=True)
        assert run(path, tmp_path / "out").sentences == 50


class TestCheck:
    """Filter files are checked as paradigm files are."""

    def test_the_shipped_ones_hold(self) -> None:
        library = default_library()
        files = [path for folder in library.folders for path in filter_files(folder)]
        assert len(files) == 15
        for path in files:
            assert is_filter(path)
            for example in check_filter(library, path):
                example()

    @pytest.mark.parametrize(
        ("old", "new", "said"),
        [
            ("", "", ""),
            ("deprel: nsubj", "deprel: nsbj", "mine.yaml:10: 'a b' is accepted, but stands under rejected; mend"),
            ("b: {}", "b: {upos: NUON}", "mine.yaml:7: upos: unknown tag 'NUON'; did you mean 'NOUN'?"),
            ("targets: []", "targets: [transitiv]", "mine.yaml:2: "),
            (
                '["1 a a X _ 0 root"]',
                '["1 a a X _ 2 nsubj\\n2 b b X _ 0 root"]',
                "mine.yaml:11: 'a b' is rejected, but",
            ),
        ],
    )
    def test_a_file_of_an_author(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call, old: str, new: str, said: str
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("mine.yaml").write_text(FILTER.replace(old, new), encoding="utf-8")
        done = call("check", "mine.yaml")
        assert done.code == (1 if said else 0), done
        assert done.out.startswith(said)
        assert done.out.count("\n") == bool(said)

    def test_the_schema(self, call: Call) -> None:
        schema = json.loads(call("schema", "filter").out)
        assert {"summary", "targets", "source", "reject", "examples"} == set(schema["required"])
