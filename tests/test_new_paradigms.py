"""Paradigms as a new author would write them, of many kinds: all are accepted, and give pairs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from blimpgen.api import generate
from blimpgen.audit.findings import audit
from blimpgen.base.records import SentenceSet
from blimpgen.checks.paradigm_checks import problems
from blimpgen.english.words import grammar_tokens
from blimpgen.generation.prepare import prepare
from blimpgen.library import Library, default_library, load_library
from tests.conftest import in_tiers

PATHS = sorted((Path(__file__).parents[1] / "docs" / "recipes").glob("*.yaml"))
QUICK = [path for path in PATHS if path.stem in ("coordinated_subjects", "comparative_form", "frame_twin")]

GOAL = """\
summary: The goal stands behind its preposition.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP.P}
  subj: {cat: DP.name, subject_of: verb}
  obj:  {cat: DP.det, object_of: verb}
  goal: {cat: DP.det, goal_of: verb}
good: subj verb obj PREPOSITION goal .
bad: subj verb obj goal PREPOSITION .
"""

PASSIVE = """\
summary: The copula stands behind the subject.
field: syntax
slots:
  vp:   {cat: RULE}
  subj: {cat: DP.det, object_of: vp}
  cop:  {cat: Aux, kind: be, Polarity: Pos, Tense: Past, agrees_with: subj}
good: subj cop vp .
bad: vp subj cop .
"""

OBJECT = """\
summary: The verb agrees with its subject.
field: morphology
slots:
  vp:   {cat: VP.plain, Tense: Pres, frame: FRAMES, object: {is: food}}
  subj: {cat: DP.det, subject_of: vp}
good: subj vp .
bad: subj vp[Number=other] .
"""


def named(stem: str) -> Path:
    """The file of one of the paradigms."""
    return next(path for path in PATHS if path.stem == stem)


def test_there_are_at_least_fifteen() -> None:
    assert len(PATHS) >= 15


@pytest.mark.parametrize("path", in_tiers(PATHS, QUICK), ids=lambda path: path.stem)
def test_a_correct_paradigm_is_accepted(path: Path, library: Library) -> None:
    assert [str(problem) for problem in problems(library, path)] == []
    records = generate(path, n=50, seed=1, library=library)
    assert len({next(iter(record.sentences.values())) for record in records}) == 50
    for record in records[:5]:
        for name, tree in record.metadata["trees"].items():
            words = re.sub(r"\(\S+", "", tree).replace(")", "").split()
            assert [word.lower() for word in words] == [word.lower() for word in grammar_tokens(record.sentences[name])]


def test_an_adjective_has_degrees(library: Library) -> None:
    for record in generate(named("comparative_form"), n=20, library=library):
        good, bad = record.sentences.values()
        form = good.partition(" than ")[0].split()[-1]
        plain = bad.partition(" than ")[0].split()[-2:]
        assert form.endswith("er")
        assert plain[0] == "more"
        assert plain[1][:2] == form[:2] != ""
        assert not plain[1].endswith("er")


def test_a_verb_has_two_frames(library: Library) -> None:
    """In all sentences of a set the goal is a person, and the second object what the verb says of it."""
    for record in generate(named("frame_twin"), n=20, library=library):
        assert isinstance(record, SentenceSet)
        double, to = record.sentences["double"], record.sentences["to"]
        assert sorted(double.split()) != sorted(to.split())
        assert {*to.rstrip(".").split()} - {*double.rstrip(".").split()} == {"to"}


@pytest.mark.slow
def test_the_contrast_may_be_the_auxiliary(tmp_path: Path) -> None:
    """A verb in two tenses is one contrast; that it changes the length is known where the library has the paradigm."""
    folder = tmp_path / "paradigms" / "mine" / "tense"
    folder.mkdir(parents=True)
    shutil.copy(named("tense_twin"), folder)
    library = load_library(tmp_path)
    pairs = generate("tense_twin", n=20, library=library)
    codes = {finding.code for finding in audit(pairs, default_library())}
    assert "word-count" in codes
    assert "auxiliary-differs" not in codes
    assert not {finding.code for finding in audit(pairs, library)} & {"auxiliary-differs", "word-count"}


@pytest.mark.parametrize("rule", ["VX.pass", "VX.passp", "VX.passd"])
def test_what_has_no_passive_is_not_drawn_in_one(library: Library, tmp_path: Path, rule: str) -> None:
    """The proof of good sentences, which refuses it, has nothing to refuse."""
    path = tmp_path / "passive.yaml"
    path.write_text(PASSIVE.replace("RULE", rule), encoding="utf-8")
    assert len(generate(path, n=600, library=library)) == 600


@pytest.mark.parametrize("preposition", ["to", "on", "from"])
def test_a_verb_takes_its_goal_after_its_own_preposition(library: Library, tmp_path: Path, preposition: str) -> None:
    path = tmp_path / "goal.yaml"
    path.write_text(GOAL.replace("PREPOSITION", preposition), encoding="utf-8")
    verbs = library.lexicon.verbs
    number = {lexeme: k for k, lexeme in enumerate(library.lexicon.inventory("V").ids)}
    for record in generate(path, n=40, library=library):
        row = verbs.rows["V.NP.P"][number[record.metadata["slots"]["verb"]["lexeme"]]]
        assert verbs.frames["comp"][row].startswith(f"{preposition}:")


LOCATIVE = GOAL.replace("V.NP.P", "V.NP.loc").replace("cat: DP.name, ", "cat: DP.name, is: human, ")


@pytest.mark.parametrize("preposition, places", [("on", 20), ("into", 20)])
def test_a_verb_takes_its_place_after_its_own_preposition(
    library: Library, tmp_path: Path, preposition: str, places: int
) -> None:
    (tmp_path / "locative.yaml").write_text(LOCATIVE.replace("PREPOSITION", preposition), encoding="utf-8")
    compiled = prepare(tmp_path / "locative.yaml", library, unproven=lambda fault: None)
    (cell,) = compiled.cells
    verbs, frames = cell.plan.slots["verb"], library.lexicon.verbs.frames
    columns = compiled.sample(0, places)
    for number in columns[cell.plan.index(verbs)]:
        row = frames.index[verbs.column("id")[number], "V.NP.loc"]
        assert frames["comp"][row].startswith(f"{preposition}:")


def test_a_table_may_stand_beside_a_conjunction(library: Library, tmp_path: Path) -> None:
    """The words of a table are of no category: nothing is asked of what they are to a verb."""
    path = tmp_path / "table.yaml"
    path.write_text(
        "summary: Test.\nfield: syntax\nslots:\n"
        "  verb: {cat: VG.plain, Tense: Past, frame: V}\n"
        "  subj: {cat: DP.name, is: human, subject_of: verb}\n"
        "  word: {table: [{good: the guests, bad: guests the}]}\n"
        "good: subj and word.good verb .\nbad: subj and word.bad verb .\n",
        encoding="utf-8",
    )
    assert [str(problem) for problem in problems(library, path)] == []


@pytest.mark.parametrize(("frames", "expected"), [("V | V.NP", {"V", "V.NP"}), ("V.NP", {"V.NP"})])
def test_what_is_said_of_an_object_holds_where_there_is_one(
    library: Library, tmp_path: Path, frames: str, expected: set[str]
) -> None:
    path = tmp_path / "object.yaml"
    path.write_text(OBJECT.replace("FRAMES", frames), encoding="utf-8")
    drawn = [record.metadata["slots"]["vp"] for record in generate(path, n=60, library=library)]
    assert {each["features"]["frame"] for each in drawn} == expected
