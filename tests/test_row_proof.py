"""The proof of every row: it agrees with the recogniser row by row, and refuses a paradigm with its words."""

from __future__ import annotations

from copy import copy
from pathlib import Path

import numpy as np
import pytest

from blimpgen import generate
from blimpgen.base.errors import DataError
from blimpgen.base.folders import shipped_data
from blimpgen.cli.program import main
from blimpgen.generation import row_proof
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.engine import Part, draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.generation.row_proof import RowProof
from blimpgen.grammar.parse import sentence_tokens
from blimpgen.grammar.spans import Spans
from blimpgen.grammar.word_classes import Sentences
from blimpgen.library import Library, default_library, load_library
from blimpgen.plan import cache
from tests.conftest import in_tiers

SAMPLE = ("transitive", "adjunct_island", "principle_A_case_1", "animate_subject_passive", "wh_vs_that_no_gap")


def judged(compiled: CompiledParadigm, columns: list[np.ndarray], number: int, name: str, *, good: bool) -> list[int]:
    """The rows that the parser judges otherwise than the paradigm, asked one by one."""
    cell = compiled.cells[number]
    parser = cell.language.parsers["closed" if good else "open"]
    texts = cell.sentence(name, columns).texts(cell.language.lexicon)
    return [k for k, text in enumerate(texts) if parser.derives(text) != good]


def wrong(proof: RowProof, part: Part, name: str, *, good: bool) -> list[int]:
    """The rows that the proof judges so."""
    proof._good = {name} if good else set()
    proof._names = [[name]] * len(proof.compiled.cells)
    parts = [(part.cell, part.columns)]
    return sorted(int(row) for each in proof._misjudged(parts).values() for rows in each for row in rows)


@pytest.mark.parametrize("uid", SAMPLE)
def test_rows_are_judged_as_strings_one_by_one(uid: str, library: Library) -> None:
    compiled = prepare(uid, library)
    for part in next(draw_set(compiled, 40, 7)):
        for name in compiled.cells[part.cell].sentences:
            for good in (True, False):  # in the role that it does not have as well, so that both verdicts come up
                expected = judged(compiled, part.columns, part.cell, name, good=good)
                assert wrong(RowProof(compiled), part, name, good=good) == expected


@pytest.mark.slow
@pytest.mark.parametrize("uid", list(default_library().uids("blimp")))
def test_rows_of_all_paradigms_are_judged_as_strings_one_by_one(uid: str) -> None:
    compiled = prepare(uid)
    for part in next(draw_set(compiled, 200, 11)):
        for name in compiled.cells[part.cell].sentences:
            for good in (True, False):
                expected = judged(compiled, part.columns, part.cell, name, good=good)
                assert wrong(RowProof(compiled), part, name, good=good) == expected


def test_words_are_cut_as_the_parser_cuts_them(library: Library) -> None:
    """Possessives, words of several words, marks, and a sentence without a final mark."""
    strings = library.lexicon.strings
    numbers = library.language("").word_numbers
    texts = [("the boys", "'", "taxi driver", "won't sleep", "."), ("Anna", "'s", "sister", "left", "")]
    ids = [
        np.array([strings.add(text, glued=text in ("'", "'s", ".")) for text in column], dtype=np.int32)
        for column in zip(*texts, strict=True)
    ]
    sentences = numbers.sentences(ids)
    cut = [
        [numbers.words[k] for k in words[:length]]
        for words, length in zip(sentences.words.T.tolist(), sentences.lengths.tolist(), strict=True)
    ]
    assert cut == [list(sentence_tokens("the boys' taxi driver won't sleep.")), ["Anna", "'s", "sister", "left", "."]]


@pytest.mark.slow
def test_what_was_learned_from_some_rows_serves_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    library = Library([shipped_data()])  # nothing is known of it yet
    compiled = copy(prepare("transitive", library))
    compiled.proof = None  # nothing is proven while rows are drawn
    proof, worked_out = RowProof(compiled), []
    making = Spans.making
    monkeypatch.setattr(Spans, "making", lambda self, parts: worked_out.append(1) or making(self, parts))
    counts = []
    for seed in range(3):
        worked_out.clear()
        proof.check((part.cell, part.columns) for part in next(draw_set(compiled, 300, seed)))
        counts.append(len(worked_out))
    assert 2 * max(counts[1:]) < counts[0] < 5000


def test_sentences_of_all_lengths_are_judged_together(library: Library) -> None:
    """Each group has its verdicts in its order, whatever its reading and length; an odd end is no shorter sentence."""
    language = library.language("")
    texts = {
        "closed": ["The boys sleep.", "The boys sleeps.", "Anna said that the taxi drivers left.", "The boys sleep. ;"],
        "open": ["The boys sleep.", "The gym teachers sleeps.", "Anna admired themselves.", "Glorp sleeps."],
    }
    cut = [
        (reading, np.array([[language.word_numbers.number(token)] for token in sentence_tokens(text)], dtype=np.int32))
        for reading, each in texts.items()
        for text in each
    ]
    groups = [(reading, Sentences(words, np.array([len(words)]))) for reading, words in cut]
    verdicts = [bool(derived[0]) for derived in language.verdicts.derived(groups)]
    assert verdicts == [language.parsers[reading].derives(text) for reading, each in texts.items() for text in each]
    assert verdicts == [True, False, True, False, True, False, True, False]
    assert language.verdicts.derived([]) == []


def test_forms_that_are_equal_in_the_cell_are_seen(library: Library, own: Path) -> None:
    """*Fish* is singular and plural; the features of its slot say only one of them."""
    own.write_text(FISH, encoding="utf-8")
    with pytest.raises(
        DataError, match=r"derives 'bad' too, in the open reading, in \d+ of \d+ rows \(noun: fish\.\d\)"
    ) as caught:
        generate(own, n=10, library=library)
    assert caught.value.code == "derivable"


def test_rows_of_a_table_are_no_words_to_suspect(library: Library, own: Path) -> None:
    """A paradigm with a table is told which sentence fails as any other."""
    own.write_text(TABLE, encoding="utf-8")
    with pytest.raises(DataError, match=r"derives 'bad' too, in the open reading, in 200 of 200 rows, such as '"):
        generate(own, n=10, library=library)


TABLE = """\
summary: Two quantifiers are as good as each other.
field: syntax
slots:
  quant: {table: [{first: two, second: three}, {first: three, second: several}]}
  verb:  {cat: VG.have, frame: V.NP, Polarity: Pos}
  subj:  {cat: DP.name, subject_of: verb}
  noun:  {cat: N, is: count=count, object_of: verb, agrees_with: quant.first}
good: subj verb quant.first noun .
bad:  subj verb quant.second noun .
methods: [simple]
"""
FISH = """\
summary: A demonstrative agrees with its noun.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=see/notice/admire}
  subj: {cat: DP.name, subject_of: verb}
  noun: {cat: N, Number: Sing, is: lemma=fish/dog/cat/horse}
good: subj verb this noun .
bad:  subj verb these noun .
methods: [simple]
"""
PARADIGM = """\
summary: An intransitive verb takes no object.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=carry/lift/wash/fix}
  iv:   {like: verb, frame: V, is: lemma=VERBS}
  subj: {cat: DP.det, Number: Sing, subject_of: [verb, iv]}
  obj:  {cat: DP.det, object_of: verb}
good: subj verb obj .
bad:  subj iv obj .
methods: [simple]
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own.yaml"


def test_a_few_wrong_words_among_right_ones_are_named(own: Path) -> None:
    """*Blush* and the others assert that they take no object; *read* does take one."""
    own.write_text(PARADIGM.replace("VERBS", "blush/arrive/cringe/hesitate/linger/read"), encoding="utf-8")
    faults: list[DataError] = []
    compiled = prepare(own, unproven=faults.append)
    with pytest.raises(
        DataError, match=r"derives it, in the open reading, in \d+ of 200 rows \(iv: read\.\d\), such as '.* read "
    ) as caught:
        RowProof(compiled).check((part.cell, part.columns) for part in next(draw_set(compiled, 200, 0)))
    assert caught.value.code == "unasserted"
    assert "(TOP (S (DP (D " in str(caught.value)
    with pytest.raises(DataError):
        generate(own, n=200)


def test_show_tells_and_shows(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text(PARADIGM.replace("VERBS", "blush/arrive/cringe/hesitate/linger/read"), encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["show", str(own), "-n", "60"])
    output = capsys.readouterr()
    assert left.value.code == 0
    assert "blush" in output.out
    assert "`generate` and `check` refuse it until it is mended" in output.err


@pytest.mark.slow
class TestStored:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv(cache.FOLDER, str(tmp_path / "plans"))
        return tmp_path / "plans"

    @pytest.fixture
    def checked(self, own: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """How many rows were looked at, one entry a time."""
        own.write_text(PARADIGM.replace("is: lemma=VERBS", "no_frame: V.NP"), encoding="utf-8")
        counts: list[int] = []
        judge = RowProof._misjudged

        def noted(self: RowProof, parts: list[tuple[int, list[np.ndarray]]]) -> object:
            size = sum(len(columns[0]) for _, columns in parts)
            counts.extend([50] if size == 50 else [])  # not the one row on which templates are proven
            return judge(self, parts)

        monkeypatch.setattr(RowProof, "_misjudged", noted)
        return counts

    @staticmethod
    def run(own: Path, seed: int = 0) -> None:
        generate(own, n=50, seed=seed, library=Library([*load_library().folders]))

    def test_the_same_rows_are_proven_once(self, own: Path, checked: list[int]) -> None:
        self.run(own)
        assert checked == [50]
        self.run(own)
        assert checked == [50]
        self.run(own, seed=1)
        assert checked == [50, 50]

    @pytest.mark.parametrize(
        "content", in_tiers([b"", b"[]", b'{"blocks": []}', b"\xff\n{}", b"key hash\n{}"], [b"key hash\n{}"])
    )
    def test_a_file_that_cannot_be_used_counts_as_missing(
        self, own: Path, checked: list[int], folder: Path, content: bytes
    ) -> None:
        self.run(own)
        for path in folder.glob("*.proofs"):
            path.write_bytes(content)
        self.run(own)
        assert checked == [50, 50]

    @pytest.mark.slow
    def test_proofs_of_another_state_are_not_used(self, own: Path, checked: list[int], folder: Path) -> None:
        self.run(own)
        (path,) = folder.glob("*.proofs")
        own.write_text(own.read_text().replace("carry/", ""), encoding="utf-8")
        self.run(own)
        assert len(checked) == 2
        assert path.exists()

    def test_a_file_is_written_once_a_run(self, own: Path, checked: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
        writes: list[int] = []
        store = row_proof.store_proofs
        monkeypatch.setattr(row_proof, "store_proofs", lambda *each: writes.append(1) or store(*each))
        compiled = prepare(own)
        list(Assembly(compiled).rows(draw_set(compiled, 50, 0, block=10)))
        assert len(writes) == 1
