"""The clauses that readers judge: every verb class has its share, and answers are counted right."""

from __future__ import annotations

from pathlib import Path

import pytest

from blimpgen.library import Library
from reading_sheets import TEMPLATES, Clause, draw, main, mixed, read_table, released, score, sizes, strata, write_sheet

FRAMES = tuple(t.frame for t in TEMPLATES if t.frame)


def test_strata_are_the_classes_that_have_a_frame(library: Library) -> None:
    found = strata(library)
    verbs = library.lexicon.inventory("V")
    assert tuple(found) == FRAMES
    for frame, classes in found.items():
        assert set(classes) <= set(verbs.columns["class"][library.lexicon.verbs.lists(frame)])
    everywhere = set().union(*found.values())
    assert "break-45.1" in everywhere
    assert "heal-45.7" not in found["V"]
    assert sizes(400, found).items() >= {"DP is A": 40, "A N": 40}.items()
    assert sum(sizes(400, found).values()) == 400
    assert all(sizes(400, found)[t.title] >= len(found[t.frame]) for t in TEMPLATES if t.frame)


def test_clauses_with_adjectives_have_their_words(library: Library) -> None:
    adjectives = [t for t in TEMPLATES if not t.frame]
    clauses = draw(library, 3, 30, adjectives)
    assert [c.template for c in clauses].count("A N") == len(clauses) - 3 == 3
    for clause in clauses:
        assert clause.word.partition(".")[0].split("_")[0] in clause.sentence
    assert clauses == draw(library, 3, 30, adjectives)
    assert clauses != draw(library, 4, 30, adjectives)


@pytest.mark.slow
def test_four_hundred_clauses_have_every_class(library: Library) -> None:
    clauses = draw(library, 5, 400)
    assert len(clauses) == len({c.sentence for c in clauses}) == 400
    verbs = library.lexicon.inventory("V")
    classes = dict(zip(verbs.ids, verbs.columns["class"], strict=True))
    for template in (t for t in TEMPLATES if t.frame):
        drawn = {classes[c.word] for c in clauses if c.template == template.title}
        assert drawn == set(strata(library)[template.frame])


def test_a_sheet_does_not_say_what_is_released(tmp_path: Path) -> None:
    clauses = [Clause(f"Ann saw {k} cats.", "DP V DP", "see.1") for k in range(6)]
    sheet = tmp_path / "sheet.txt"
    write_sheet(mixed(clauses, ["Bob left."], 1), sheet)
    rows, key = read_table(sheet), read_table(sheet.with_suffix(".key"))
    assert [row[0] for row in rows] == [row[0] for row in key] == [str(k) for k in range(1, 8)]
    assert [row[1] for row in rows] == [row[3] for row in key]
    assert sorted(row[1] for row in key) == ["DP V DP"] * 6 + ["released"]


def test_released_sentences_are_short_statements(shared_data: Path) -> None:
    found = released(shared_data / "blimp_sample", 1, 50)
    assert len(set(found)) == 50
    assert all(text.endswith(".") and len(text.split()) <= 8 for text in found)


KEY = [["1", "DP V", "run.1", "A stone ran."], ["2", "DP V", "run.1", "Bob ran."], ["3", "released", "", "Ice slept."]]


def test_answers_are_counted() -> None:
    lines = score(KEY, [["1", "odd", "stones do not run"], ["2", "ok"], ["3", "odd", ""]])
    assert lines == [
        "ours        1 odd of 2",
        "released    1 odd of 1",
        "  DP V        1 odd of 2",
        "DP V\tA stone ran.\trun.1\tstones do not run",
    ]


@pytest.mark.parametrize(
    "answers", [[["1", "odd", ""], ["2", "ok", ""]], [["1", "odd"], ["2", "ok"], ["3", "strange"]]]
)
def test_every_item_needs_an_answer(answers: list[list[str]]) -> None:
    with pytest.raises(SystemExit, match="no answer odd or ok for 3"):
        score(KEY, answers)


def test_the_command_line_scores_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    key, answers = tmp_path / "s.key", tmp_path / "s.out"
    key.write_text("\n".join("\t".join(row) for row in KEY), encoding="utf-8")
    answers.write_text("1\tok\t\n2\tok\t\n3\todd\tno\n", encoding="utf-8")
    main(["score", str(key), str(answers)])
    assert capsys.readouterr().out.startswith("ours        0 odd of 2\nreleased    1 odd of 1\n")
