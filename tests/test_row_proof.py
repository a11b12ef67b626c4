"""The proof of every row: it agrees with the recogniser row by row, and refuses a paradigm with its words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from blimpgen import generate
from blimpgen.base.errors import DataError
from blimpgen.cli.program import main
from blimpgen.generation import cache, row_proof
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.derivations import Deriver, Row, derivable_slots
from blimpgen.generation.engine import draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.row_proof import RowProof
from blimpgen.library import Library, default_library

SAMPLE = ("transitive", "adjunct_island", "principle_A_case_1", "animate_subject_passive", "wh_vs_that_no_gap")


def judged(compiled: CompiledParadigm, columns: list[np.ndarray], number: int, name: str, *, good: bool) -> list[int]:
    """The rows that the recogniser judges otherwise than the paradigm, asked one by one."""
    cell = compiled.cells[number]
    rows = (Row(cell, [column[k : k + 1] for column in columns]) for k in range(len(columns[0])))
    trees = (Deriver(row, "closed" if good else "open").tree(name) for row in rows)
    return [k for k, tree in enumerate(trees) if (tree is None) == good]


@pytest.mark.parametrize("uid", SAMPLE)
def test_rows_are_judged_as_one_by_one(uid: str, library: Library) -> None:
    compiled = prepare(uid, library)
    proof = RowProof(compiled)
    for part in next(draw_set(compiled, 60, 7)):
        for sentence in proof._sentences[part.cell]:
            expected = judged(compiled, part.columns, part.cell, sentence.name, good=sentence.good)
            assert sentence.wrong(part.columns).tolist() == expected == []


@pytest.mark.slow
@pytest.mark.parametrize("uid", list(default_library().uids("blimp")))
def test_rows_of_all_paradigms_are_judged_as_one_by_one(uid: str) -> None:
    """Sentences are asked in the role that they do not have as well, so that both verdicts come up."""
    compiled = prepare(uid)
    for part in next(draw_set(compiled, 200, 11)):
        cell = compiled.cells[part.cell]
        for name in cell.sentences if derivable_slots(cell) else ():
            for good in (True, False):
                sentence = row_proof._Sentence(cell, name, good=good, proven={})
                expected = judged(compiled, part.columns, part.cell, name, good=good)
                assert sentence.wrong(part.columns).tolist() == expected


def test_what_was_learned_from_some_rows_serves_for_others(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = prepare("transitive", library)
    proof, parses = RowProof(compiled), []
    parse = row_proof._Sentence._parse
    monkeypatch.setattr(row_proof._Sentence, "_parse", lambda self, box: parses.append(1) or parse(self, box))
    for seed in range(3):
        parses.clear()
        proof.check((part.cell, part.columns) for part in next(draw_set(compiled, 300, seed)))
        if seed == 0:
            first = len(parses)
    assert len(parses) < first < 300


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
    own.write_text(PARADIGM.replace("VERBS", "blush/arrive/cringe/hesitate/kneel/read"), encoding="utf-8")
    faults: list[DataError] = []
    compiled = prepare(own, unproven=faults.append)
    with pytest.raises(DataError, match=r"derives it in \d+ of 200 rows \(iv: read\.\d\), such as '.* read ") as caught:
        RowProof(compiled).check((part.cell, part.columns) for part in next(draw_set(compiled, 200, 0)))
    assert caught.value.code == "unasserted"
    assert "(TOP (S (DP (D " in str(caught.value)
    with pytest.raises(DataError):
        generate(own, n=200)


def test_show_tells_and_shows(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text(PARADIGM.replace("VERBS", "blush/arrive/cringe/hesitate/kneel/read"), encoding="utf-8")
    with pytest.raises(SystemExit) as left:
        main(["show", str(own), "-n", "60"])
    output = capsys.readouterr()
    assert left.value.code == 0
    assert "blush" in output.out
    assert "`generate` and `check` refuse it until it is mended" in output.err


class TestStored:
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv(cache.FOLDER, str(tmp_path / "plans"))
        return tmp_path / "plans"

    @pytest.fixture
    def checked(self, own: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
        """How many rows were looked at, one entry a sentence of a cell."""
        own.write_text(PARADIGM.replace("is: lemma=VERBS", "no_frame: V.NP"), encoding="utf-8")
        counts: list[int] = []
        wrong = row_proof._Sentence.wrong

        def noted(self: row_proof._Sentence, columns: list[np.ndarray]) -> np.ndarray:
            counts.extend([50] if len(columns[0]) == 50 else [])  # not the one row on which templates are proven
            return wrong(self, columns)

        monkeypatch.setattr(row_proof._Sentence, "wrong", noted)
        return counts

    @staticmethod
    def run(own: Path, seed: int = 0) -> None:
        from blimpgen.library import load_library

        generate(own, n=50, seed=seed, library=Library([*load_library().folders]))

    def test_the_same_rows_are_proven_once(self, own: Path, checked: list[int]) -> None:
        self.run(own)
        assert checked == [50, 50]
        self.run(own)
        assert checked == [50, 50]
        self.run(own, seed=1)
        assert checked == [50, 50, 50, 50]

    @pytest.mark.parametrize("content", [b"", b"[]", b'{"key": "another", "blocks": []}', b"\xff", b'{"blocks": [1]}'])
    def test_a_file_that_cannot_be_used_counts_as_missing(
        self, own: Path, checked: list[int], folder: Path, content: bytes
    ) -> None:
        self.run(own)
        for path in folder.glob("*.proofs"):
            path.write_bytes(content)
        self.run(own)
        assert checked == [50, 50, 50, 50]

    def test_proofs_of_another_state_are_not_used(self, own: Path, checked: list[int], folder: Path) -> None:
        self.run(own)
        (path,) = folder.glob("*.proofs")
        blocks = json.loads(path.read_bytes())["blocks"]
        own.write_text(own.read_text().replace("carry/", ""), encoding="utf-8")
        self.run(own)
        assert len(checked) == 4
        assert len(blocks) == 1
