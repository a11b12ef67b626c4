"""Peers: what is compared and joined, and that no noun stands beside one that covers it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from golden import GRAMMAR, TABLES, make, small_library

from blimpgen.authoring.lexeme_facts import find
from blimpgen.base.errors import DataError
from blimpgen.generation.prepare import prepare
from blimpgen.lexicon.validation import check_cells
from blimpgen.library import Library

NOUNS = [
    "id;lemma;types;covers",
    *("car.1;car;thing;lemma=auto/sedan", "auto.1;auto;thing;lemma=car", "sedan.1;sedan;thing", "bus.1;bus;thing"),
    *("vase.1;vase;thing", "chef.1;chef;human", "cook.1;cook;human;lemma=chef"),
]
PEERS = [
    "peers;meaning;nouns;adjectives",
    "vehicles;;lemma=car/auto/sedan/bus;",
    "goods;;thing;lemma=cheap",
    "people;;human;none",
]
LIKE = {
    "types": ["type;parent", "entity", "human;entity", "thing;entity"],
    "nouns": NOUNS,
    "names": ["id;lemma;types;Gender", "Ann.1;Ann;human;Fem"],
    "adjectives": ["id;lemma;arg", "cheap.1;cheap;thing", "fast.1;fast;thing", "calm.1;calm;human"],
    "verbs": ["id;lemma;past;part", "see.1;see;saw;seen"],
    "verb_frames": ["id;frame;subj;obj", "see.1;V.NP;human;any"],
    "function": [*TABLES["function"], "or.1;or;cconj", "than.1;than;comp;NP"],
}
NOUN = "{cat: DP.det, Number: Sing, determiner: {lemma: the}%s}"
COMPARED = f"""\
slots:
  adj: {{cat: A%s}}
  subj: {NOUN % ", subject_of: adj"}
  other: {NOUN % ", subject_of: adj"}
good: subj adj than other .
bad: subj adj other .
enumerate: yes
"""
JOINED = f"""\
slots:
  verb: {{cat: VP.past, frame: V.NP}}
  subj: {{cat: DP.name, subject_of: verb}}
  obj: {NOUN % ", is: lemma=car/bus/vase, object_of: verb"}
  other: {NOUN % ", is: lemma=sedan/chef, object_of: verb"}
good: subj verb obj WORD other .
bad: subj verb obj WORD WORD other .
enumerate: yes
"""
RULES = GRAMMAR + 'lexical A\nTOP.more -> subject:DP A* "than" complement:DP  {0}\n'
VEHICLES = {frozenset((vehicle, "bus")) for vehicle in ("car", "auto", "sedan")}
"""Those that may stand side by side: not two of which one covers the other, by way of *car* if need be."""


def pairs(folder: Path, body: str, **tables: Sequence[str]) -> set[tuple[str, ...]]:
    """The words of all good sentences but articles, what joins them, and who saw them."""
    library = small_library(folder, {"p": body}, grammar=RULES, **{**TABLES, **LIKE, "peers": PEERS, **tables})
    size = int(prepare("p", library, unproven=lambda fault: None).capacity.value)
    goods = (record.row["sentence_good"] for record in make(library, "p", size))
    silent = ("the", "than", "and", "or", "ann", "saw")
    return {tuple(w for w in good.rstrip(".").lower().split() if w not in silent) for good in goods}


def compared(folder: Path, body: str, **tables: Sequence[str]) -> set[frozenset[str]]:
    """What is compared with what in all good sentences."""
    return {frozenset((first, second)) for first, _, second in pairs(folder, body, **tables)}


def test_things_are_compared_with_their_peers_by_what_these_are_compared_by(tmp_path: Path) -> None:
    assert compared(tmp_path / "fast", COMPARED % ", is: lemma=fast") == VEHICLES
    cheap = compared(tmp_path / "cheap", COMPARED % ", is: lemma=cheap")
    assert cheap == VEHICLES | {frozenset(("vase", vehicle)) for vehicle in ("car", "auto", "sedan", "bus")}


def test_no_noun_is_compared_with_one_that_covers_it_though_nothing_is_said_of_peers(tmp_path: Path) -> None:
    body, scenes = COMPARED % ", is: lemma=fast", ["scene;meaning;nouns", "road;;lemma=bus"]
    rows = compared(tmp_path, body, peers=PEERS[:1], scenes=scenes)
    assert rows == VEHICLES | {frozenset(("vase", vehicle)) for vehicle in ("car", "auto", "sedan", "bus")}


def test_sense_gives_way_where_nothing_is_compared_so(tmp_path: Path) -> None:
    body = COMPARED % ", is: lemma=fast"
    two = body.replace("Number", "is: lemma=vase, Number", 1).replace("det, Number", "det, is: lemma=bus, Number")
    assert compared(tmp_path / "two", two) == {frozenset(("vase", "bus"))}
    assert frozenset(("sedan", "car")) in compared(tmp_path / "off", body + "sense: off\n")


@pytest.mark.parametrize("word", ["and", "or"])
def test_what_a_conjunction_joins_are_peers(tmp_path: Path, word: str) -> None:
    joined = pairs(tmp_path, JOINED.replace("WORD", word))
    assert joined == {("bus", "sedan"), ("vase", "sedan")}


def test_a_name_has_the_peers_of_nouns_of_its_type(tmp_path: Path) -> None:
    other = JOINED.replace("lemma=car/bus/vase", "lemma=car/vase/chef").replace(
        NOUN % ", is: lemma=sedan/chef, object_of: verb", "{cat: DP.name, is: lemma=Bea, object_of: verb}"
    )
    names = [*LIKE["names"], "Bea.1;Bea;human;Fem"]
    assert pairs(tmp_path, other.replace("WORD", "and"), names=names) == {("chef", "bea")}


def test_objects_of_two_verbs_need_be_no_peers(tmp_path: Path) -> None:
    other = JOINED.replace("object_of: verb}\ngood", "object_of: second}\ngood")
    assert other != JOINED
    other = other.replace("  subj:", "  second: {cat: VP.past, frame: V.NP, lemma: same verb}\n  subj:")
    body = other.replace("subj verb obj WORD other", "subj verb obj and subj second other").replace("WORD WORD", "and")
    assert {("car", "sedan"), ("car", "chef")} <= pairs(tmp_path, body)


def test_nouns_with_the_same_types_are_peers_in_one_sentence(tmp_path: Path) -> None:
    tied = JOINED.replace("is: lemma=sedan/chef, object_of: verb", "is: lemma=sedan/bus, types: same obj")
    assert pairs(tmp_path, tied.replace("WORD", "and")) == {
        *(("bus", "sedan"), ("vase", "sedan")),
        *(("car", "bus"), ("vase", "bus")),
    }


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("ships;;lemma=bot;", "peers.tsv:2: nouns: no word has lemma=bot"),
        ("ships;;ship;", "peers.tsv:2: nouns: unknown type 'ship'"),
        ("ships;;thing;temper=ill", "peers.tsv:2: adjectives: adjectives have no column 'temper'"),
    ],
)
def test_what_peers_name_exists(tmp_path: Path, row: str, message: str) -> None:
    library = small_library(tmp_path, {}, grammar=RULES, **{**TABLES, **LIKE, "peers": [PEERS[0], row]})
    with pytest.raises(DataError) as caught:
        check_cells(library.lexicon, "peers")
    assert message in str(caught.value)


def test_what_a_noun_covers_exists(tmp_path: Path) -> None:
    library = small_library(
        tmp_path, {}, grammar=RULES, **{**TABLES, **LIKE, "nouns": [NOUNS[0], "car.1;car;thing;lemma=sedann"]}
    )
    with pytest.raises(DataError, match=r"nouns\.tsv:2: covers: no word has lemma=sedann"):
        check_cells(library.lexicon, "nouns")


def test_a_lexeme_tells_its_peers(library: Library) -> None:
    [sofa] = find(library.lexicon, "sofa")
    assert "peers=furniture,seats" in next(iter(sofa.facts(library.lexicon))).text


def test_the_shipped_nouns(library: Library) -> None:
    nouns, peers = library.lexicon.inventory("N"), library.lexicon.peers
    number = {lemma: k for k, lemma in enumerate(nouns.columns["lemma"])}
    above = {
        lemma: {str(nouns.columns["lemma"][peers.covering[k]]) for k in peers.covered[number[lemma]].nonzero()[0]}
        for lemma in ("sedan", "couch", "poodle", "widow", "path")
    }
    assert {"car", "automobile", "vehicle"} <= above["sedan"]
    assert {"sofa", "furniture"} <= above["couch"]
    assert {"dog", "animal"} <= above["poodle"]
    assert {"woman", "person"} <= above["widow"]
    assert "footpath" in above["path"]
    members = peers.of(nouns)[nouns.unasked]
    # A class of one compares nothing; a noun that is drawn and is of no class is what covers a kind, or has no like.
    assert (members.sum(axis=0) > 1).all()
    assert np.mean(members.any(axis=1)) > 0.94
