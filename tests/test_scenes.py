"""Scenes: which words meet in a sentence, and that nothing else rests on them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from golden import TABLES, drawn_slots, make, small_library

from blimpgen.authoring.lexeme_facts import find
from blimpgen.base.errors import DataError
from blimpgen.generation.prepare import prepare
from blimpgen.lexicon.validation import check_cells
from blimpgen.library import Library
from tests.conftest import in_tiers

NOUNS = [
    "id;lemma;types",
    *(f"{noun}.1;{noun};human" for noun in ("baker", "pilot", "widow", "hermit")),
    *(f"{noun}.1;{noun};food" for noun in ("pie", "roll")),
]
VERBS = ["id;lemma", *(f"{verb}.1;{verb}" for verb in ("bake", "board", "praise", "yodel", "question"))]
FRAMES = [
    "id;frame;subj;obj",
    *(f"{verb}.1;V.NP;human;food" for verb in ("bake", "board", "praise")),
    "yodel.1;V;human",
    "question.1;V.NP;human;human",
]
SCENES = [
    "scene;meaning;nouns;verbs;adjectives",
    "kitchen;cooking;food | lemma=baker;lemma=bake;",
    "air;flying;lemma=pilot;lemma=board/yodel/question;",
    "cave;living alone;lemma=hermit;;",
]
SUBJECT = "{cat: DP.det, Number: Sing, determiner: {lemma: the}, subject_of: %s}"
OBJECT = "{cat: DP.det, Number: Plur, determiner: {lemma: the}, is: food, object_of: verb}"
TRANSITIVE = f"""\
slots:
  verb: {{cat: VP.past, frame: V.NP}}
  subj: {SUBJECT % "verb"}
  obj: {OBJECT}
good: subj verb obj .
bad: subj verb obj and .
enumerate: yes
"""
TWO_VERBS = f"""\
slots:
  verb: {{cat: VP.past, frame: V.NP}}
  second: {{cat: VP.past, frame: V}}
  subj: {SUBJECT % "[verb, second]"}
  obj: {OBJECT}
good: subj verb obj , second .
bad: subj verb obj second , .
enumerate: yes
"""


CONCESSION = """\
summary: The subject of a concessive clause is nominative.
field: syntax
slots:
  verb:   {cat: VG.plain, Tense: Past, frame: V.NP, is: $dealings & (+praiseworthy | +blameworthy)}
  second: {cat: VG.plain, Tense: Past, frame: V.NP, is: $dealings & (+praiseworthy | +blameworthy)}
  person: {cat: DP.det, is: human, Number: Plur, D: {lemma: the}, object_of: verb, subject_of: second}
  subj:   {cat: DP.name, subject_of: verb}
  obj:    {cat: DP.name, object_of: second}
good: subj verb person WORD they second obj .
bad:  subj verb person WORD them second obj .
"""


def library_of(folder: Path, body: str, scenes: Sequence[str] = SCENES) -> Library:
    return small_library(
        folder, {"p": body}, **{**TABLES, "nouns": NOUNS, "verbs": VERBS, "verb_frames": FRAMES, "scenes": scenes}
    )


def combinations(library: Library) -> set[str]:
    """The words of all rows but articles, and *and*."""
    size = int(prepare("p", library, unproven=lambda fault: None).capacity.value)
    goods = (record.row["sentence_good"] for record in make(library, "p", size))
    return {
        " ".join(w for w in good.rstrip(".").replace(",", "").lower().split() if w not in ("the", "and"))
        for good in goods
    }


def said(subjects: str, verb: str) -> set[str]:
    """Every subject with every food."""
    return {f"{subject} {verb} {food}" for subject in subjects.split() for food in ("pies", "rolls")}


def test_words_of_different_scenes_do_not_meet(tmp_path: Path) -> None:
    rows = combinations(library_of(tmp_path, TRANSITIVE))
    assert rows == said("baker widow", "praised") | said("baker widow", "baked")


def test_three_words_of_one_scene_are_asked_for_only_where_there_are_some(tmp_path: Path) -> None:
    scenes = [
        "kitchen;;lemma=baker;lemma=bake;",
        "shop;;lemma=pie/pilot;lemma=bake;",
        "home;;lemma=baker/pie;lemma=praise;",
    ]
    verb = TRANSITIVE.replace("frame: V.NP", "frame: V.NP, is: lemma=bake").replace("is: food", "is: lemma=pie")
    baker = verb.replace("subject_of", "is: lemma=baker/hermit, subject_of")
    everybody = combinations(library_of(tmp_path, verb, [SCENES[0], *scenes]))
    assert everybody == {f"{who} baked pies" for who in ("pilot", "widow", "hermit")}
    assert combinations(library_of(tmp_path, baker, [SCENES[0], *scenes])) == {"hermit baked pies"}
    only = verb.replace("subject_of", "is: lemma=baker, subject_of")
    assert combinations(library_of(tmp_path, only, [SCENES[0], *scenes])) == {"baker baked pies"}


def test_sense_gives_way_where_it_leaves_no_words(tmp_path: Path) -> None:
    rows = combinations(library_of(tmp_path, TRANSITIVE.replace("frame: V.NP", "frame: V.NP, is: lemma=board")))
    assert rows == said("baker pilot widow hermit", "boarded")


def test_sense_can_be_switched_off(tmp_path: Path) -> None:
    everybody = "baker pilot widow hermit"
    rows = combinations(library_of(tmp_path, TRANSITIVE + "sense: off\n"))
    assert rows == said(everybody, "praised") | said(everybody, "baked") | said(everybody, "boarded")


def test_whom_something_is_done_to_may_be_anybody(tmp_path: Path) -> None:
    body = TRANSITIVE.replace("frame: V.NP", "frame: V.NP, is: lemma=question").replace("food", "human")
    questioned = {tuple(row.split()) for row in combinations(library_of(tmp_path, body))}
    assert {subject for subject, *_ in questioned} == {"pilot", "widow"}
    assert {who for *_, who in questioned} == {"bakers", "pilots", "widows", "hermits"}


TRADES = ["id;lemma;types", *(f"{noun}.1;{noun};human" for noun in ("baker", "waiter", "pilot", "widow"))]
WALKS = [
    "scene;meaning;nouns;verbs;adjectives;strangers",
    "kitchen;cooking;lemma=baker/waiter;;;",
    "air;flying;lemma=pilot/widow;;;",
    "home;a day off;human;;;lemma=baker/waiter/pilot",
]
FREE = [line.replace("lemma=baker/waiter/pilot", "") for line in WALKS]


@pytest.mark.parametrize(("scenes", "apart"), [(WALKS, {("baker", "pilot"), ("waiter", "pilot")}), (FREE, set())])
def test_people_of_two_trades_meet_where_a_scene_has_both(
    tmp_path: Path, scenes: list[str], apart: set[tuple[str, str]]
) -> None:
    body = TRANSITIVE.replace("frame: V.NP", "frame: V.NP, is: lemma=question").replace("food", "human")
    tables = {**TABLES, "nouns": TRADES, "verbs": VERBS, "verb_frames": FRAMES, "scenes": scenes}
    rows = combinations(small_library(tmp_path, {"p": body}, **tables))
    people = [row.split(".")[0] for row in TRADES[1:]]
    met = {(a, b) for a in people for b in people if a != b and (a, b) not in apart and (b, a) not in apart}
    assert rows == {f"{a} questioned {b}s" for a, b in met}


def test_who_has_a_trade_does_not_what_anybody_does(tmp_path: Path) -> None:
    body = TRANSITIVE.replace("frame: V.NP", "frame: V.NP, is: lemma=question").replace("food", "human")
    scenes = [line.replace("human;;;", "human;lemma=question;;") for line in WALKS]
    tables = {**TABLES, "nouns": TRADES, "verbs": VERBS, "verb_frames": FRAMES, "scenes": scenes}
    rows = combinations(small_library(tmp_path, {"p": body}, **tables))
    assert {row.split()[0] for row in rows} == {"widow"}


def test_verbs_that_are_said_of_one_thing_share_a_scene(tmp_path: Path) -> None:
    rows = combinations(library_of(tmp_path, TWO_VERBS))
    assert rows == {f"{row} yodeled" for row in said("widow", "praised")}


OCCASION = f"""\
slots:
  verb: {{cat: VP.past, frame: V}}
  subj: {SUBJECT % "verb"}
  meal: {{cat: N, Number: Sing, is: food}}
good: subj verb PREPOSITION the meal .
bad: verb subj PREPOSITION the meal .
enumerate: yes
"""
TWO_THINGS = """\
slots:
  verb:   {cat: VP.past, frame: V.NP, is: lemma=praise}
  second: {cat: VP.past, frame: V.NP, is: lemma=board}
  subj:   {cat: DP.det, Number: Sing, determiner: {lemma: the}, is: lemma=widow, subject_of: [verb, second]}
  obj:    {cat: DP.det, Number: Plur, determiner: {lemma: the}, is: food, object_of: verb}
  other:  {cat: DP.det, Number: Plur, determiner: {lemma: the}, is: food, object_of: second}
good: subj verb obj , second other .
bad: subj verb obj second other , .
enumerate: yes
"""


@pytest.mark.parametrize(
    "preposition, others", [("during", "hermit yodeled during roll"), ("of", "hermit yodeled of pie")]
)
def test_a_noun_behind_a_preposition_is_of_a_scene_with_the_verb(tmp_path: Path, preposition: str, others: str) -> None:
    """A pie is of the kitchen, yodeling of the air; what is *of* something says no occasion."""
    function = [*TABLES["function"], "during.1;during;adp", "of.1;of;adp"]
    scenes = [SCENES[0], "kitchen;cooking;lemma=pie;lemma=bake;", "air;flying;lemma=pilot;lemma=yodel;"]
    body = OCCASION.replace("PREPOSITION", preposition)
    tables = {**TABLES, "nouns": NOUNS, "verbs": VERBS, "verb_frames": FRAMES, "scenes": scenes, "function": function}
    rows = combinations(small_library(tmp_path, {"p": body}, **tables))
    assert others in rows
    assert ("widow yodeled during pie" in rows, "widow yodeled of pie" in rows) == (False, preposition == "of")


def test_things_that_one_does_something_to_share_a_scene(tmp_path: Path) -> None:
    nouns = [*NOUNS, "tart.1;tart;food", "bun.1;bun;food"]
    scenes = [SCENES[0], "kitchen;cooking;lemma=pie/tart;;", "air;flying;lemma=roll/bun;;"]
    tables = {**TABLES, "nouns": nouns, "verbs": VERBS, "verb_frames": FRAMES, "scenes": scenes}
    rows = combinations(small_library(tmp_path, {"p": TWO_THINGS}, **tables))
    pairs = [("pies", "tarts"), ("tarts", "pies"), ("rolls", "buns"), ("buns", "rolls")]
    assert rows == {f"widow praised {one} boarded {other}" for one, other in pairs}


def test_scenes_without_nouns_say_which_doings_go_together(tmp_path: Path) -> None:
    doings = ["kindness;;;lemma=praise/bake;", "quarrel;;;lemma=yodel/board;"]
    rows = combinations(library_of(tmp_path, TWO_VERBS, [SCENES[0].replace("food | ", ""), *doings]))
    assert rows == {f"{row} yodeled" for row in said("baker pilot widow hermit", "boarded")}


def test_what_is_done_before_or_after_is_of_one_scene_with_what_is_done(library: Library) -> None:
    verbs = library.lexicon.inventory("V")
    of = dict(zip(verbs.columns["id"], library.lexicon.scenes.of_doings(verbs), strict=True))
    assert all(
        (of[slots["verb"]] & of[slots["gerund"]]).any() for _, slots in drawn_slots(library, "adjunct_island", 200)
    )


@pytest.mark.slow
def test_what_is_done_before_something_else_comes_earlier(library: Library) -> None:
    verbs = library.lexicon.inventory("V")
    stages = dict(zip(verbs.columns["id"], verbs.columns["stage"], strict=True))
    told = set()
    for good, slots in drawn_slots(library, "adjunct_island", 400):
        stage, of_gerund = stages[slots["verb"]], stages[slots["gerund"]]
        conjunction = slots["conj"].split(".")[0]
        assert "never" not in (stage, of_gerund)
        if "any" not in (stage, of_gerund):
            assert (stage < of_gerund) == (conjunction == "before"), good
            assert stage != of_gerund or conjunction not in ("before", "after")
            told.add(conjunction)
    assert {"before", "after"} <= told


@pytest.mark.parametrize("word", ["although", "conj"])
def test_what_is_so_in_spite_of_something_is_contrary_to_it(tmp_path: Path, library: Library, word: str) -> None:
    path = tmp_path / "concession.yaml"
    slot = "  conj:   {cat: Subordinator, lemma: although | even though}\n"
    body = CONCESSION.replace("WORD", word).replace("good:", f"{slot if word == 'conj' else ''}good:")
    path.write_text(body, encoding="utf-8")
    verbs = library.lexicon.inventory("V")
    good, bad = (verbs.mask(library.lexicon.hierarchy.parse(tag)) for tag in ("+praiseworthy", "+blameworthy"))
    number = {lexeme: k for k, lexeme in enumerate(verbs.columns["id"])}
    for sentence, slots in drawn_slots(library, str(path), 100):
        first, second = number[slots["verb"]], number[slots["second"]]
        assert (good[first], bad[first]) == (bad[second], good[second]), sentence


def test_verbs_that_stand_in_no_sentence_together_are_free(tmp_path: Path) -> None:
    body = TWO_VERBS.replace("obj , second .", "obj .").replace("obj second ,", "obj and")
    apart = body.replace("bad: subj verb", "bad: subj second")
    assert said("widow", "baked") <= combinations(library_of(tmp_path, apart))


def test_without_scenes_all_words_are_general(tmp_path: Path) -> None:
    library = library_of(tmp_path, TRANSITIVE, SCENES[:1])
    assert len(combinations(library)) == 24
    assert not library.lexicon.scenes.of(library.lexicon.inventory("N")).any()


def test_an_own_table_adds_scenes_and_replaces_those_of_the_same_name(tmp_path: Path) -> None:
    library_of(tmp_path, TRANSITIVE)
    own = tmp_path / "own" / "lexicon"
    own.mkdir(parents=True)
    lines = [SCENES[0], "air;;lemma=widow;lemma=board;", "game;;lemma=pilot;lemma=bake;"]
    (own / "scenes.tsv").write_text("".join(line.replace(";", "\t") + "\n" for line in lines), encoding="utf-8")
    library = Library([tmp_path, own.parent])
    assert library.lexicon.scenes.names == ("kitchen", "air", "cave", "game")
    rows = combinations(library)
    assert said("baker", "praised") | said("baker", "baked") <= rows
    assert not rows & (said("widow", "baked") | said("hermit", "baked"))


def test_a_word_that_an_own_table_replaces_may_be_named(tmp_path: Path) -> None:
    library_of(tmp_path, TRANSITIVE)
    own = tmp_path / "own" / "lexicon"
    own.mkdir(parents=True)
    (own / "nouns.tsv").write_text("id\tlemma\ttypes\nbaker.1\tmiller\thuman\n", encoding="utf-8")
    library = Library([tmp_path, own.parent])
    check_cells(library.lexicon, "scenes")
    assert said("miller", "baked") | said("miller", "praised") <= combinations(library)


def test_a_lexeme_tells_its_scenes(library: Library) -> None:
    [chef] = find(library.lexicon, "chef")
    assert "scenes=" in next(iter(chef.facts(library.lexicon))).text


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("sea;;;lemma=baek;", "scenes.tsv:2: verbs: no word has lemma=baek"),
        ("sea;;sailor;;", "scenes.tsv:2: nouns: unknown type 'sailor'"),
        ("sea;;;;temper=ill", "scenes.tsv:2: adjectives: adjectives have no column 'temper'"),
    ],
)
def test_what_a_scene_names_exists(tmp_path: Path, row: str, message: str) -> None:
    library = library_of(tmp_path, TRANSITIVE, [SCENES[0], row])
    with pytest.raises(DataError) as caught:
        check_cells(library.lexicon, "scenes")
    assert message in str(caught.value)


def test_what_a_scene_is_contrary_to_exists(tmp_path: Path) -> None:
    rows = [f"{SCENES[0]};contrary", "calm;;;lemma=praise;;strom", "storm;;;lemma=board;;calm"]
    library = library_of(tmp_path, TRANSITIVE, rows)
    with pytest.raises(DataError, match=r"scenes\.tsv:2: contrary: unknown scene 'strom'; did you mean 'storm'\?"):
        check_cells(library.lexicon, "scenes")


def test_every_shipped_scene_has_people_or_things_and_doings(library: Library) -> None:
    scenes = library.lexicon.scenes
    nouns, verbs = (scenes.of(library.lexicon.inventory(category)) for category in ("N", "V"))
    of_doings = {"kindness", "quarrel", "sorrow"}
    assert {name for name, has in zip(scenes.names, nouns.any(axis=0), strict=True) if not has} == of_doings
    assert {name for name, has in zip(scenes.names, verbs.any(axis=0), strict=True) if not has} == of_doings
    assert scenes.of_doings(library.lexicon.inventory("V")).any(axis=0).all()
    # So many words are general that a row seldom lacks a partner, and so few that scenes tell something.
    assert 0.15 < np.mean(verbs.any(axis=1)) < 0.7


REPORTS = [
    "id;frame;subj;clause",
    "warn.1;V;human;not lemma=praise",
    *(f"{verb}.1;V;human;" for verb in ("tell", "praise", "yodel")),
]
REPORTED = f"""\
slots:
  verb: {{cat: VP.past, frame: V, is: lemma=warn/tell}}
  inner: {{cat: VP.past, frame: V, is: lemma=praise/yodel}}
  subj: {SUBJECT % "verb"}
  other: {SUBJECT % "inner"}
good: subj verb and other inner .
bad: subj verb other inner and .
enumerate: yes
"""


@pytest.mark.parametrize(("sense", "apart"), [("on", {("warned", "praised")}), ("off", set())])
def test_a_verb_asks_for_the_verb_of_its_clause(tmp_path: Path, sense: str, apart: set[tuple[str, str]]) -> None:
    verbs = ["id;lemma", *(f"{verb}.1;{verb}" for verb in ("warn", "tell", "praise", "yodel"))]
    tables = {**TABLES, "nouns": NOUNS, "verbs": verbs, "verb_frames": REPORTS, "scenes": SCENES[:2]}
    library = small_library(tmp_path, {"p": f"{REPORTED}sense: {sense}\n"}, **tables)
    rows = [row.split() for row in combinations(library)]
    pairs = {(row[1], row[3]) for row in rows}
    assert pairs == {(verb, inner) for verb in ("warned", "telled") for inner in ("praised", "yodeled")} - apart


RELATIVE = """\
summary: A clause needs its verb.
field: syntax
slots:
  verb:  {cat: VG.plain, Tense: Past, frame: V.that, is: lemma=announce}
  inner: {cat: VG.plain, Tense: Past, frame: V, is: lemma=nod/retire}
  main:  {cat: VG.plain, Tense: Past, frame: V, is: lemma=nod/retire/return}
  subj:  {cat: DP.name, subject_of: verb}
  agent: {cat: DP.det, is: human, subject_of: [inner, main]}
good: subj verb that agent who inner main .
bad:  subj verb agent that who inner main .
"""


def test_a_verb_asks_nothing_of_a_relative_clause(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "relative.yaml"
    path.write_text(RELATIVE, encoding="utf-8")
    drawn = {tuple(record.row["sentence_good"].rstrip(".").split()[-2:]) for record in make(library, str(path), 60)}
    assert drawn == {("nodded", "retired"), ("nodded", "returned"), ("retired", "returned")}


TOLD = """\
summary: A clause needs its verb.
field: syntax
slots:
  verb:  {cat: VG.plain, Tense: Past, frame: V.NP.that, is: lemma=inform}
  inner: {cat: VG.plain, Tense: Past, frame: V, is: lemma=nod/retire}
  subj:  {cat: DP.name, subject_of: verb}
  whom:  {cat: DP.name, object_of: verb}
  agent: {cat: DP.det, is: human, subject_of: inner}
good: subj verb whom that agent inner .
bad:  subj verb whom that inner agent .
"""


def test_a_clause_behind_a_hearer_is_no_relative_clause(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "told.yaml"
    path.write_text(TOLD, encoding="utf-8")
    assert {record.row["sentence_good"].rstrip(".").split()[-1] for record in make(library, str(path), 40)} == {
        "retired"
    }


FEELING = """\
summary: One is afraid that something is so, and proud that it is.
field: syntax
slots:
  adj:   {cat: A, frame: A.that, is: lemma=terrified/grateful, modifies: feels}
  feels: {cat: DP.name}
  inner: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=insult/thank}
  agent: {cat: DP.name, subject_of: inner}
  whom:  {cat: DP.name, object_of: inner}
good: feels was adj that agent inner whom .
bad:  feels was adj agent that inner whom .
"""


DURING = """\
summary: A preposition takes a noun phrase, a subordinator a clause.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=bake/accuse/rehearse}
  subj: {cat: DP.name, subject_of: verb}
  obj:  {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=cake/boy/opera, object_of: verb}
  noun: {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=party/concert/storm}
good: subj verb obj during noun .
bad:  subj verb obj while noun .
"""


def test_what_is_done_to_something_during_an_event_is_of_its_scene(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "during.yaml"
    path.write_text(DURING, encoding="utf-8")
    words = (record.row["sentence_good"].rstrip(".").split() for record in make(library, str(path), 60))
    assert {(each[-6], each[-1]) for each in words} == {
        ("baked", "party"),
        ("rehearsed", "concert"),
        *((verb, "storm") for verb in ("baked", "accused", "rehearsed")),
    }


AT_ONCE = """\
summary: Two verbs joined under one auxiliary have the same form.
field: morphology
slots:
  first:  {cat: V, form: ing, frame: %s}
  second: {cat: V, form: ing, frame: V.NP, is: lemma=scrub/mop/knit}
  bare:   {cat: V, form: bare, frame: V.NP, lemma: same second}
  subj:   {cat: DP.name, subject_of: [first, second]}
  aux:    {cat: Aux, kind: be, Polarity: Pos, Tense: Past, agrees_with: subj, selects: first}
  obj:    {cat: DP.det, D: {lemma: the}, Number: Sing, object_of: %s}
good: subj aux first and second obj .
bad:  subj aux first and bare obj .
"""


@pytest.mark.parametrize(
    ("frame", "objects", "together"),
    [
        ("V, is: lemma=frown/sleep", "second", {"frowning scrubbing", "frowning mopping", "frowning knitting"}),
        ("V.NP, is: lemma=clean/sell & words=1", "[first, second]", {"cleaning scrubbing", "cleaning mopping"}),
    ],
)
def test_what_one_does_at_one_time_goes_along_with_something_else(
    tmp_path: Path, library: Library, frame: str, objects: str, together: set[str]
) -> None:
    path = tmp_path / "at_once.yaml"
    path.write_text(AT_ONCE % (frame, objects), encoding="utf-8")
    words = (record.row["sentence_good"].split() for record in make(library, str(path), 40))
    assert {f"{each[(k := each.index('and')) - 1]} {each[k + 1]}" for each in words} == together


WHERE = """\
summary: A question inverts its auxiliary.
field: syntax
slots:
  verb: {cat: V, form: bare, frame: V.NP, is: lemma=tidy/repair}
  subj: {cat: DP.name, Number: Sing, subject_of: verb}
  obj:  {cat: DP.det, D: {lemma: the}, Number: Sing, is: lemma=kitchen/car/desk, object_of: verb}
good: %s did subj verb obj ?
bad:  %s subj did verb obj ?
"""


@pytest.mark.parametrize(("wh", "things"), [("where", {"car", "desk"}), ("when", {"car", "desk", "kitchen"})])
def test_nobody_asks_where_a_place_is_tidied(tmp_path: Path, library: Library, wh: str, things: set[str]) -> None:
    path = tmp_path / "where.yaml"
    path.write_text(WHERE % (wh, wh), encoding="utf-8")
    sentences = (record.row["sentence_good"] for record in make(library, str(path), 60))
    assert {sentence.rstrip("?").split()[-1] for sentence in sentences} == things


@pytest.mark.slow
def test_an_adjective_asks_for_the_verb_of_its_clause(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "feeling.yaml"
    path.write_text(FEELING, encoding="utf-8")
    words = {"terrified", "grateful", "insulted", "thanked"}
    together = {frozenset(words & {*record.row["sentence_good"].split()}) for record in make(library, str(path), 60)}
    assert together == {frozenset({"terrified", "insulted"}), frozenset({"grateful", "thanked"})}


ADVERBIAL = """\
summary: A preposition takes a noun phrase, a subordinator a clause.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V, is: lemma=smile/wait}
  subj: {cat: DP.name, subject_of: verb}
  noun: {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=scandal/mystery/wedding/dispute/accident}
  link: %s
good: subj verb link.good noun .
bad:  subj verb link.bad noun .
"""


@pytest.mark.parametrize(
    ("link", "together"),
    [
        ("{table: [{good: despite, bad: although}]}", {"despite scandal", "despite dispute", "despite accident"}),
        ("{table: [{good: during, bad: while}]}", {"during scandal", "during wedding", "during dispute"}),
        # A noun goes with all the prepositions of a table.
        pytest.param(
            "{table: [{good: during, bad: while}, {good: despite, bad: although}]}",
            {"during scandal", "during dispute", "despite scandal", "despite dispute"},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_preposition_asks_for_the_noun_behind_it(
    tmp_path: Path, library: Library, link: str, together: set[str]
) -> None:
    path = tmp_path / "occasion.yaml"
    path.write_text(ADVERBIAL % link, encoding="utf-8")
    sentences = [record.row["sentence_good"].rstrip(".").split() for record in make(library, str(path), 40)]
    assert {f"{words[-3]} {words[-1]}" for words in sentences} == together


PREPOSITION = """\
summary: A verb without an object has none.
field: syntax
slots:
  verb: {cat: VG.plain, Tense: Past, frame: V, is: lemma=smile/wait}
  subj: {cat: DP.name, subject_of: verb}
  prep: {cat: P, lemma: despite | during}
  noun: {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=scandal/mystery/wedding/accident}
good: subj verb prep noun .
bad:  subj prep verb noun .
"""


def test_a_preposition_that_is_drawn_asks_for_its_noun(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "preposition.yaml"
    path.write_text(PREPOSITION, encoding="utf-8")
    sentences = [record.row["sentence_good"].rstrip(".").split() for record in make(library, str(path), 40)]
    assert {f"{words[-3]} {words[-1]}" for words in sentences} == {
        "despite scandal",
        "despite accident",
        "during scandal",
        "during wedding",
    }


TIMES = """\
summary: A relative clause needs its relative word.
field: syntax
slots:
  inner: {cat: %s, Polarity: Pos, frame: V.NP, is: lemma=help}
  whom:  {cat: DP.name, object_of: inner}
  verb:  {cat: VG.be, Polarity: Pos, frame: V, is: lemma=rest}
  head:  {cat: DP.det, Number: Sing, D: {lemma: the}, is: human & words=1, subject_of: [inner, verb]}
good: head who inner whom verb .
bad:  head inner whom verb .
"""


@pytest.mark.parametrize(
    ("inner", "times"),
    [
        ("VG.have", {"has helped is", "had helped was"}),
        ("VG.plain, Tense: Past", {"helped is", "helped was"}),
        pytest.param("VG.plain, Tense: Pres", {"helps is"}, marks=pytest.mark.slow),
    ],
)
def test_the_times_of_what_one_person_does_go_together(
    tmp_path: Path, library: Library, inner: str, times: set[str]
) -> None:
    path = tmp_path / "times.yaml"
    path.write_text(TIMES % inner, encoding="utf-8")
    verbs = {"has", "had", "helped", "helps", "is", "was"}
    sentences = [record.row["sentence_good"].split() for record in make(library, str(path), 60)]
    assert {" ".join(word for word in words if word in verbs) for words in sentences} == times


WHOSE = """\
summary: A verb agrees with its subject.
field: morphology
slots:
  son:   {cat: N, Number: Sing, is: lemma=son, subject_of: inner}
  inner: {cat: VG.be, Polarity: Pos, frame: V, is: lemma=rest}
  head:  {cat: DP.det, Number: Sing, D: {lemma: the}, is: human & words=1, subject_of: verb}
  verb:  {cat: VG.plain, Tense: Past, frame: V, is: lemma=smile}
good: head whose son inner verb .
bad:  head whose son inner[Number=other] verb .
"""


def test_what_is_going_on_is_not_told_inside_a_past(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "whose.yaml"
    path.write_text(WHOSE, encoding="utf-8")
    assert {record.row["sentence_good"].split()[-3] for record in make(library, str(path), 20)} == {"was"}


RELATIVE_ORDER = """\
summary: A relative clause needs its relative word.
field: syntax
slots:
  inner: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=review/burn}
  agent: {cat: DP.name, subject_of: inner}
  head:  {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=letter/report, object_of: inner, subject_of: verb}
  verb:  {cat: VG.plain, Tense: Past, frame: V, is: lemma=come/matter}
good: head which agent inner verb .
bad:  head agent which inner verb .
"""


def test_what_happens_to_a_thing_comes_after_what_a_relative_clause_tells_of_it(
    tmp_path: Path, library: Library
) -> None:
    path = tmp_path / "relative.yaml"
    path.write_text(RELATIVE_ORDER, encoding="utf-8")
    words = (record.row["sentence_good"].rstrip(".").split() for record in make(library, str(path), 40))
    assert {(each[-2], each[-1]) for each in words} == {("reviewed", "mattered")}


TWO_PEOPLE = """\
summary: A subordinator takes a clause, a preposition does not.
field: syntax
slots:
  main: {cat: VG.plain, Tense: Past, frame: V, is: lemma=cooperate/quarrel/retaliate/wait/kneel}
  lower: {cat: VG.plain, Tense: Past, frame: V, is: lemma=cooperate/quarrel/retaliate/wait/kneel}
  subj:  {cat: DP.name, subject_of: main}
  other: {cat: DP.name, subject_of: lower}
good: GOOD .
bad:  BAD .
"""
OPPOSED = {frozenset({"cooperated", verb}) for verb in ("quarreled", "retaliated")}
ALIKE = {frozenset({"quarreled", "retaliated"})}
VERBS_OF_TWO = {"cooperated", "quarreled", "retaliated", "waited", "knelt"}
ALL = {frozenset(pair) for pair in itertools.combinations(VERBS_OF_TWO, 2)}


@pytest.mark.parametrize(
    ("good", "bad", "together"),
    [
        ("subj main although other lower", "subj main despite other lower", OPPOSED),
        pytest.param(
            "although other lower subj main", "despite other lower subj main", OPPOSED, marks=pytest.mark.slow
        ),
        ("subj main because other lower", "subj main because of other lower", ALIKE),
        pytest.param("subj main while other lower", "subj main during other lower", ALL, marks=pytest.mark.slow),
    ],
)
def test_what_two_people_do_goes_with_the_subordinator(
    tmp_path: Path, library: Library, good: str, bad: str, together: set[frozenset[str]]
) -> None:
    path = tmp_path / "two.yaml"
    path.write_text(TWO_PEOPLE.replace("GOOD", good).replace("BAD", bad), encoding="utf-8")
    sentences = [record.row["sentence_good"].rstrip(".").split() for record in make(library, str(path), 90)]
    pairs = {frozenset(VERBS_OF_TWO & {*words}) for words in sentences}
    assert {pair for pair in pairs if len(pair) > 1} == together


ONE_THING = """\
summary: Verb phrases that are joined below one auxiliary have one form.
field: syntax
slots:
  verb:   {cat: VG.have, Tense: Past, Polarity: Pos, frame: V.NP, is: lemma=write/decipher/erase}
  second: {cat: V, form: part, frame: V.NP, is: lemma=write/decipher/erase}
  bare:   {cat: V, form: bare, frame: V.NP, lemma: same second}
  subj:   {cat: DP.name, Number: Sing, subject_of: [verb, second]}
  thing:  {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=text message, object_of: [verb, second]}
good: subj verb thing and second it .
bad:  subj verb thing and bare it .
"""


def test_what_is_done_to_one_thing_is_told_in_its_order(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "thing.yaml"
    path.write_text(ONE_THING, encoding="utf-8")
    verbs = {"written", "deciphered", "erased"}
    sentences = [record.row["sentence_good"].split() for record in make(library, str(path), 40)]
    orders = {" ".join(word for word in words if word in verbs) for words in sentences}
    assert orders == {"written deciphered", "written erased", "deciphered erased"}


WRITTEN = """\
summary: A clause has its object behind its verb.
field: syntax
slots:
  verb:   {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=write/decipher/erase}
  second: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=write/decipher/erase}
  subj:   {cat: DP.name, Number: Sing, Gender: Fem, subject_of: [verb, second]}
  thing:  {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=text message, object_of: [verb, second]}
good: subj verb thing WORD she second it .
bad:  subj verb thing WORD she it second .
"""
IN_ORDER = {("wrote", "deciphered"), ("wrote", "erased"), ("deciphered", "erased")}


BACKWARDS = {pair[::-1] for pair in IN_ORDER}


@pytest.mark.parametrize(("word", "orders"), [("before", IN_ORDER), ("after", BACKWARDS), ("as soon as", BACKWARDS)])
def test_a_written_subordinator_tells_the_order(
    tmp_path: Path, library: Library, word: str, orders: set[tuple[str, str]]
) -> None:
    path = tmp_path / "written.yaml"
    path.write_text(WRITTEN.replace("WORD", word), encoding="utf-8")
    sentences = [record.row["sentence_good"].split() for record in make(library, str(path), 40)]
    assert {(words[1], words[-2]) for words in sentences} == orders


ANSWERED = """\
summary: A reflexive has its antecedent in its clause.
field: syntax
slots:
  verb:   {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=thank/congratulate/criticize/tease/praise}
  second: {cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=help/insult}
  subj:   {cat: DP.name, Gender: Masc, subject_of: verb}
  other:  {cat: DP.name, Gender: Fem, object_of: verb, subject_of: second}
good: subj verb other because she second him .
bad:  subj verb other because she second himself .
"""


def test_what_is_done_because_of_somebodys_doing_answers_it(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "answered.yaml"
    path.write_text(ANSWERED, encoding="utf-8")
    sentences = [record.row["sentence_good"].split() for record in make(library, str(path), 60)]
    assert {(words[1], words[-2]) for words in sentences} == {
        ("thanked", "helped"),
        ("praised", "helped"),
        ("criticized", "insulted"),
    }


OWNED = """\
summary: The verb of a relative clause stands behind its subject.
field: syntax
slots:
  verb:  {cat: VG.plain, Tense: Past, frame: V, is: lemma=smile}
  inner: {cat: VG.plain, Tense: Past, frame: V, is: lemma=vanish}
  subj:  {cat: DP.det, Number: Sing, D: {lemma: the}, is: lemma=schoolchild/banker, subject_of: verb}
  kin:   {cat: N, Number: Sing, is: lemma=stepdaughter/grandmother, subject_of: inner}
good: GOOD .
bad:  BAD .
"""


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("subj whose kin inner verb", "subj whose inner kin verb"),
        ("subj 's kin inner while subj verb", "subj 's inner kin while subj verb"),
    ],
)
def test_what_one_has_is_such_as_one_has(tmp_path: Path, library: Library, good: str, bad: str) -> None:
    path = tmp_path / "owned.yaml"
    path.write_text(OWNED.replace("GOOD", good).replace("BAD", bad), encoding="utf-8")
    pairs = {record.row["sentence_good"].replace("'s", " 's") for record in make(library, str(path), 3)}
    owned = {(words[1], words[3]) for words in map(str.split, pairs)}
    assert owned == {("schoolchild", "grandmother"), ("banker", "grandmother"), ("banker", "stepdaughter")}


SEQUEL = """\
summary: A clause follows a subordinator.
field: syntax
slots:
  main:  {cat: VG.plain, Tense: Past, frame: V, is: lemma=mop/sail}
  subj:  {cat: DP.name, Number: Sing, subject_of: main}
  lower: {cat: VG.plain, Tense: Past, frame: V, is: lemma=boil/dock}
  other: {cat: DP.det, D: {lemma: the}, is: lemma=potato/ship, subject_of: lower}
good: subj main after other lower .
bad:  subj main despite other lower .
"""


def test_what_happens_to_a_thing_before_somebody_does_something_is_of_one_walk_of_life(
    tmp_path: Path, library: Library
) -> None:
    path = tmp_path / "sequel.yaml"
    path.write_text(SEQUEL, encoding="utf-8")
    sentences = [record.row["sentence_good"].rstrip(".").split() for record in make(library, str(path), 30)]
    assert {(words[1], words[-1]) for words in sentences} == {("mopped", "boiled"), ("sailed", "docked")}


QUESTION = """\
summary: The subject of an embedded question stands before its verb.
field: syntax
slots:
  ask:   {cat: VG.plain, Tense: Past, frame: V.wh, is: lemma=check/doubt/wonder/understand}
  inner: {cat: VG.plain | VG.do, Tense: Past, frame: V, is: lemma=exist/nod/agree/sleep/improve}
  subj:  {cat: DP.name, subject_of: ask}
  agent: {cat: DP.det, subject_of: inner}
good: subj ask WORD agent inner .
bad:  subj ask WORD inner agent .
"""


def asked(tmp_path: Path, library: Library, word: str, body: str = QUESTION) -> set[tuple[str, str, str]]:
    """What asks, what stands in the question, and whether that is negated."""
    path = tmp_path / "question.yaml"
    path.write_text(body.replace("WORD", word), encoding="utf-8")
    return {
        (slots["ask"].split(".")[0], slots["inner"].split(".")[0], "didn't" in good)
        for good, slots in drawn_slots(library, str(path), 150)
    }


@pytest.mark.parametrize("is_slot", in_tiers([False, True], [True]))
@pytest.mark.parametrize(
    ("word", "asking", "inner", "negated"),
    [
        ("whether", "check doubt wonder", "exist nod agree sleep improve", True),
        ("why", "wonder understand", "nod agree sleep improve", True),
        ("how", "wonder understand", "improve", False),
        ("when", "check wonder", "agree improve", False),
        ("where", "check wonder", "sleep", False),
    ],
)
def test_a_wh_word_goes_with_what_asks_it_and_what_it_asks_about(
    tmp_path: Path, library: Library, word: str, asking: str, inner: str, negated: bool, is_slot: bool
) -> None:
    body = QUESTION
    if is_slot and word != "whether":
        body = body.replace("good:", f"  wh: {{cat: Wh, lemma: {word}}}\ngood:")
        word = "wh"
    found = asked(tmp_path, library, word, body)
    assert {row[0] for row in found} == {*asking.split()}
    assert {row[1] for row in found} == {*inner.split()}
    assert {row[2] for row in found} == {False, negated}


def test_a_wh_word_that_goes_with_no_verb_of_a_slot_is_not_asked_for(tmp_path: Path, library: Library) -> None:
    body = QUESTION.replace("is: lemma=exist/nod/agree/sleep/improve", "is: lemma=exist")
    assert {row[1] for row in asked(tmp_path, library, "how", body)} == {"exist"}
    (tmp_path / "free").mkdir()
    free = asked(tmp_path / "free", library, "how", f"{QUESTION}sense: off\n")
    assert {row[1] for row in free} == {"exist", "nod", "agree", "sleep", "improve"}


def test_a_literal_that_begins_another_clause_is_no_wh_word(tmp_path: Path, library: Library) -> None:
    body = QUESTION.replace("V.wh, is: lemma=check/doubt/wonder/understand", "V, is: lemma=nod")
    assert {row[1] for row in asked(tmp_path, library, "when", body)} == {"exist", "agree", "sleep", "improve"}


@pytest.mark.parametrize(("word", "odd"), [("why", set()), ("when", {"glad", "expensive"})])
def test_a_wh_word_goes_with_the_adjective_that_it_asks_about(
    tmp_path: Path, library: Library, word: str, odd: set[str]
) -> None:
    inner = "  inner: {cat: A, frame: A, Degree: Pos, is: lemma=glad/expensive/asleep/open}\n"
    cop = "  cop: {cat: Aux, kind: be, Tense: Past, Polarity: Pos, agrees_with: agent}\n"
    lines = QUESTION.splitlines(keepends=True)
    body = "".join(inner if "inner: {" in line else line for line in lines).replace("agent inner", "agent cop inner")
    body = body.replace("inner agent .", "cop agent inner .").replace("good:", f"{cop}good:")
    adjectives = {row[1] for row in asked(tmp_path, library, word, body)}
    assert adjectives == {"glad", "expensive", "asleep", "open"} - odd


def test_what_a_wh_word_asks_about_exists(tmp_path: Path) -> None:
    function = ["id;lemma;kind;clause", "how.1;how;wh;akt=acc & not lemma=yodl"]
    tables = {**TABLES, "nouns": NOUNS, "verbs": VERBS, "verb_frames": FRAMES, "function": function}
    library = small_library(tmp_path, {"p": TRANSITIVE}, **tables)
    with pytest.raises(DataError, match=r"function\.tsv:2: clause: .*yodl"):
        check_cells(library.lexicon, "function")


MODAL = """\
summary: A modal goes with a bare verb.
field: morphology
slots:
  verb: {cat: VG.modal, Tense: Pres, Polarity: Pos, frame: V.NP, is: lemma=glimpse/lose/carry/know}
  subj: {cat: DP.name, subject_of: verb}
  obj:  {cat: DP.det, D: {lemma: the}, object_of: verb}
good: subj verb obj .
bad:  subj verb obj the .
"""


def modals(tmp_path: Path, library: Library, body: str) -> set[tuple[str, str]]:
    """Which modal was drawn with which verb."""
    path = tmp_path / "modal.yaml"
    path.write_text(body, encoding="utf-8")
    pairs = set()
    for record in make(library, str(path), 200):
        words = record.row["sentence_good"].split()
        pairs.update(
            (words[k - 1], verb) for k, verb in enumerate(words) if verb in ("glimpse", "lose", "carry", "know")
        )
    return pairs


@pytest.mark.parametrize(
    ("slots", "sentence"),
    [("verb: {cat: VG.modal, Polarity: Pos", "subj verb"), ("verb: {cat: V, form: bare", "subj aux verb")],
)
def test_an_auxiliary_asks_for_its_verb(tmp_path: Path, library: Library, slots: str, sentence: str) -> None:
    aux = "  aux:  {cat: Aux, kind: modal, Polarity: Pos, agrees_with: subj, selects: verb}\ngood:"
    body = MODAL.replace("verb: {cat: VG.modal, Tense: Pres, Polarity: Pos", slots).replace("subj verb", sentence)
    pairs = modals(tmp_path, library, body.replace("good:", aux) if "aux" in sentence else body)
    assert {verb for modal, verb in pairs if modal == "will"} == {"glimpse", "lose", "carry", "know"}
    assert {verb for modal, verb in pairs if modal == "should"} == {"carry"}


REFLECTED = """\
summary: A clause needs its verb.
field: syntax
slots:
  verb: {cat: V, form: past, frame: V.NP, is: VERBS}
  subj: {cat: DP.name, Gender: Fem, subject_of: verb}
  refl: REFL
good: subj verb REST .
bad:  and subj verb REST .
"""


@pytest.mark.parametrize(
    ("refl", "rest"), [("{cat: Refl, agrees_with: subj}", "refl"), ("{table: [{acc: herself}]}", "refl.acc")]
)
@pytest.mark.parametrize(
    ("verbs", "sense", "drawn"),
    [
        ("lemma=hide/blame/greet/visit", "on", "hid blamed"),
        ("lemma=hide/blame/greet/visit", "off", "hid blamed greeted visited"),
        ("lemma=greet/visit", "on", "greeted visited"),
    ],
)
def test_before_a_reflexive_stands_what_one_does_to_oneself(
    tmp_path: Path, library: Library, refl: str, rest: str, verbs: str, sense: str, drawn: str
) -> None:
    path = tmp_path / "reflected.yaml"
    body = REFLECTED.replace("VERBS", verbs).replace("REFL", refl).replace("REST", rest)
    path.write_text(f"{body}sense: {sense}\n", encoding="utf-8")
    assert {record.row["sentence_good"].split()[1] for record in make(library, str(path), 60)} == {*drawn.split()}


ATTRIBUTE = """\
summary: A noun phrase begins with its determiner.
field: syntax
slots:
  verb: {cat: V, form: past, frame: V.NP, is: lemma=use/find}
  subj: {cat: DP.name, Number: Sing, subject_of: verb}
  obj:  {cat: N, Number: Sing, is: lemma=phone, object_of: verb}
  adj:  {cat: A, is: lemma=lost/old, modifies: obj}
good: subj verb the adj obj .
bad:  subj verb adj obj the .
"""


def test_an_adjective_asks_for_the_verb_of_its_noun(tmp_path: Path, library: Library) -> None:
    path = tmp_path / "attribute.yaml"
    path.write_text(ATTRIBUTE, encoding="utf-8")
    pairs = {tuple(record.row["sentence_good"].split()[1:4:2]) for record in make(library, str(path), 60)}
    assert pairs == {("found", "lost"), ("found", "old"), ("used", "old")}
