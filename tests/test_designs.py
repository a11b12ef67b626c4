"""The worked designs of docs/designs.md: what they promise, on samples, with nothing of the plans."""

from __future__ import annotations

from collections import Counter

import pytest

from blimpgen.api import generate
from blimpgen.base.records import MinimalPair, SentenceSet, difference
from blimpgen.library import Library

N = 400


@pytest.fixture(scope="module")
def sets(library: Library) -> list[SentenceSet]:
    return [s for s in generate("filler_gap_2x2", n=N, library=library) if isinstance(s, SentenceSet)]


@pytest.fixture(scope="module")
def pairs(library: Library) -> list[MinimalPair]:
    return [p for p in generate("attractor_agreement", n=N, library=library) if isinstance(p, MinimalPair)]


def test_filler_and_gap_are_crossed(sets: list[SentenceSet]) -> None:
    assert len(sets) == N
    for s in sets:
        words = {name: text.split() for name, text in s.sentences.items()}
        assert list(words) == ["wh_gap", "that_gap", "wh_full", "that_full"]
        for kind in ("gap", "full"):
            (place,) = [
                k for k, (a, b) in enumerate(zip(words[f"wh_{kind}"], words[f"that_{kind}"], strict=True)) if a != b
            ]
            assert words[f"wh_{kind}"][place] in ("who", "what")
            assert words[f"that_{kind}"][place] == "that"
        for filler in ("wh", "that"):
            ((start, end), (_, _)), *others = difference(s.sentences[f"{filler}_full"], s.sentences[f"{filler}_gap"])
            assert not others
            assert end > start
            assert len(words[f"{filler}_full"]) - len(words[f"{filler}_gap"]) == end - start


def test_every_sentence_is_good_or_bad_by_the_interaction_alone(sets: list[SentenceSet]) -> None:
    assert {s.pairs for s in sets} == {(("gap", "wh_gap", "that_gap"), ("full", "that_full", "wh_full"))}
    assert len({s.sentences["wh_gap"] for s in sets}) == N
    assert not any("that that" in text for s in sets for text in s.sentences.values())


def test_a_gap_and_its_word_are_of_one_kind(sets: list[SentenceSet]) -> None:
    kinds = Counter("who" if " who " in s.sentences["wh_gap"] else "what" for s in sets)
    assert min(kinds["who"], kinds["what"]) > N // 8


def test_four_configurations_in_equal_shares(pairs: list[MinimalPair]) -> None:
    shares = Counter(p.row["condition"] for p in pairs)
    assert shares == dict.fromkeys(("sing_match", "sing_mismatch", "plur_match", "plur_mismatch"), N // 4)


@pytest.mark.slow
def test_number_of_head_and_attractor(pairs: list[MinimalPair]) -> None:
    for p in pairs:
        slots = {name: p.metadata["slots"][name]["features"]["Number"] for name in ("head", "obj")}
        number, kind = p.row["condition"].split("_")
        assert slots["head"].lower() == number
        assert (slots["head"] == slots["obj"]) == (kind == "match")
        assert f" {p.row['distractor']} " in p.good
        ((a, b), (c, d)), *others = difference(p.good, p.bad)
        assert (b - a, d - c, others) == (1, 1, [])
        assert p.good.split()[:a] == p.row["one_prefix_prefix"].split()
