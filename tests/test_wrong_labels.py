"""Paradigms whose labels are wrong for a few words among right ones: all are refused, and the words are named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from blimpgen.checks.paradigm_checks import problems
from blimpgen.library import Library
from tests.conftest import in_tiers

OBJECT = """\
summary: An intransitive verb takes no object.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=carry/lift/wash/fix/admire/abandon}
  bv:   {like: verb, frame: V, is: lemma=WORDS & objectless=yes/no}
  subj: {cat: DP.det, subject_of: [verb, bv]}
  obj:  {cat: DP.det, object_of: verb}
good: subj verb obj .
bad:  subj bv obj .
methods: [simple]
"""
NO_OBJECT = """\
summary: A transitive verb needs its object.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V, is: lemma=blush/arrive/hesitate/kneel/cringe}
  bv:   {like: verb, frame: V.NP, is: lemma=WORDS}
  subj: {cat: DP, is: human, subject_of: [verb, bv]}
good: subj verb .
bad:  subj bv .
methods: [simple]
"""
CLAUSE = """\
summary: Only some verbs take a clause.
field: syntax
slots:
  verb:  {cat: VG.plain, Tense: Past, frame: V.that, is: lemma=believe/claim/conclude/assume}
  bv:    {like: verb, frame: V, is: lemma=WORDS}
  subj:  {cat: DP.det, is: human, subject_of: [verb, bv]}
  other: {cat: DP.det, is: human, subject_of: iv}
  iv:    {cat: VG.plain, Tense: Past, frame: V, is: lemma=blush/arrive/hesitate/kneel}
good: subj verb that other iv .
bad:  subj bv that other iv .
methods: [simple]
"""
TWO_OBJECTS = """\
summary: Only some verbs take two objects.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP.NP, is: lemma=give/send/show/lend}
  bv:   {like: verb, frame: V.NP, is: lemma=WORDS}
  subj: {cat: DP.det, is: human, subject_of: [verb, bv]}
  goal: {cat: DP.det, is: human}
  obj:  {cat: DP.det, every: {D: not lemma=that}, object_of: verb}
good: subj verb goal obj .
bad:  subj bv goal obj .
methods: [simple]
"""
RAISING = """\
summary: A control verb does not let "there" be its subject.
field: syntax
slots:
  verb:  {cat: VG.plain, Tense: Past, frame: V.to.sr, is: words=1}
  bv:    {like: verb, frame: V.to.sc | V.to.sr, is: lemma=WORDS}
  pivot: {cat: DP.det, is: event | human, every: {D: strength=weak}}
good: there verb to be pivot .
bad:  there bv to be pivot .
methods: [simple]
"""
PARTICIPLE = """\
summary: A passive needs a participle, not a past form.
field: morphology
slots:
  verb: {cat: V, form: part, frame: V.NP, is: words=1 & passive=yes}
  bv:   {cat: V, form: past, frame: V.NP, is: words=1 & lemma=WORDS}
  subj: {cat: DP.det, Number: Sing, object_of: verb}
good: subj was verb .
bad:  subj was bv .
methods: [simple]
"""
EQUAL_FORMS = """\
summary: A demonstrative agrees with its noun.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=see/notice/admire}
  subj: {cat: DP.name, subject_of: verb}
  noun: {cat: N, Number: Sing, is: lemma=WORDS}
good: subj verb this noun .
bad:  subj verb these noun .
methods: [simple]
"""
EQUAL = ["fish", "sheep", "deer", "moose", "salmon", "trout", "shrimp", "series"]
TRAPS = {
    "object": (
        OBJECT,
        "blush/arrive/cringe/hesitate/linger",
        ["read", "sing", "eat", "drive", "paint", "climb", "clean", "draw", "edit", "decorate"],
    ),
    "no-object": (NO_OBJECT, "devour/befriend", ["read", "eat", "cook", "drive", "paint", "edit", "bake", "sing"]),
    "clause": (
        CLAUSE,
        "arrive/elope/faint/linger/vanish",
        ["brag", "complain", "agree", "comment", "boast", "concur", "dream"],
    ),
    "two-objects": (TWO_OBJECTS, "abandon/admire/accept/accompany", ["send", "bring", "buy", "mail", "sell", "write"]),
    "raising": (RAISING, "arrange/try/attempt/hope", ["start", "continue", "tend", "appear", "prove", "fail", "need"]),
    "participle": (PARTICIPLE, "write/take/see/break/eat", ["buy", "hit", "read", "find", "hurt", "lose", "make"]),
}
CASES = [(name, word) for name, (_, _, words) in TRAPS.items() for word in words]


def test_there_are_at_least_twenty_five() -> None:
    assert len(CASES) >= 25


@pytest.mark.parametrize("case", in_tiers(CASES, [(name, words[0]) for name, (_, _, words) in TRAPS.items()]))
def test_a_wrong_word_is_named(case: tuple[str, str], library: Library, tmp_path: Path) -> None:
    name, word = case
    text, right, _ = TRAPS[name]
    path = tmp_path / f"{name}.yaml"
    path.write_text(text.replace("WORDS", f"{right}/{word}"), encoding="utf-8")
    (problem,) = problems(library, path)
    assert problem.code == "unasserted"
    assert re.search(rf"\(bv: {word}\.\d(, {word}\.\d)*\)", problem.message), problem.message


@pytest.mark.parametrize("name", TRAPS)
def test_without_it_nothing_is_wrong(name: str, library: Library, tmp_path: Path) -> None:
    text, right, _ = TRAPS[name]
    path = tmp_path / f"{name}.yaml"
    path.write_text(text.replace("WORDS", right), encoding="utf-8")
    assert problems(library, path) == []


@pytest.mark.parametrize(
    "name, frame", [("object", "V.NP"), ("no-object", "V"), ("clause", "V.that"), ("two-objects", "V.NP.NP")]
)
def test_an_assertion_leaves_the_wrong_words_out(name: str, frame: str, library: Library, tmp_path: Path) -> None:
    text, right, wrong = TRAPS[name]
    path = tmp_path / f"{name}.yaml"
    words = "/".join([right, *wrong])
    path.write_text(text.replace("is: lemma=WORDS", f"no_frame: {frame}, is: lemma={words}"), encoding="utf-8")
    assert problems(library, path) == []


def test_a_paradigm_of_wrong_words_alone_is_refused(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "all.yaml"
    path.write_text(OBJECT.replace("WORDS", "read/sing"), encoding="utf-8")
    (problem,) = problems(library, path)
    assert "200 of 200 rows" in problem.message


DATIVE = """\
summary: A verb that takes a goal with "to" does not take it as its first object.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP.P, is: comp=to & lemma=deliver/give}
  subj: {cat: DP.det, is: human, subject_of: verb}
  goal: {cat: DP.det, is: human, goal_of: verb}
  obj:  {cat: DP.det, D: {lemma: the}, object_of: verb}
good: subj verb obj to goal .
bad:  subj verb goal obj .
length: The goal loses its preposition.
methods: [simple]
"""


def test_a_frame_that_the_slot_does_not_exclude_is_named(library: Library, tmp_path: Path) -> None:
    """Every row is wrong, so that no word tells those that are from the others."""
    path = tmp_path / "dative.yaml"
    path.write_text(DATIVE, encoding="utf-8")
    (problem,) = problems(library, path)
    assert problem.code == "derivable"
    assert "in 200 of 200 rows (verb: " in problem.message
    assert "give.1" in problem.message
    assert "deliver.1" in problem.message
    assert (
        "write no_frame: V.NP.NP in the slot 'verb' and let it have other words, since none of these asserts it, or "
        "leave the words out"
    ) in problem.message
    mended = tmp_path / "mended.yaml"
    mended.write_text(DATIVE.replace("V.NP.P,", "V.NP.P, no_frame: V.NP.NP,").replace(" & lemma=deliver/give", ""))
    assert problems(library, mended) == []


@pytest.mark.parametrize("word", in_tiers(EQUAL, EQUAL[:2]))
def test_a_word_with_equal_forms_is_named(word: str, library: Library, tmp_path: Path) -> None:
    """The slot is singular; the string is plural too."""
    path = tmp_path / "equal.yaml"
    path.write_text(EQUAL_FORMS.replace("WORDS", f"dog/cat/horse/{word}"), encoding="utf-8")
    (problem,) = problems(library, path)
    assert problem.code == "derivable"
    assert f"(noun: {word}.1)" in problem.message


def test_a_reading_of_another_class_is_seen(library: Library, tmp_path: Path) -> None:
    """*The secretaries that volunteer* is a noun phrase with a relative clause, whatever slots its words fill."""
    path = tmp_path / "volunteer.yaml"
    text = TWO_OBJECTS.replace("every: {D: not lemma=that}", "D: {is: lemma=that}, is: lemma=volunteer/novel")
    text = text.replace("{cat: DP.det, is: human}", "{cat: DP.det, Number: Plur, is: human}")
    text = f"{text}sense: off\n"  # a few words are to go with all people
    path.write_text(text.replace("WORDS", "abandon/admire/accept/accompany"), encoding="utf-8")
    (problem,) = problems(library, path)
    assert "volunteer.1" in problem.message
    assert "(RC " in problem.message
