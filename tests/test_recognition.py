"""The clause grammar recognises our good sentences and refuses our bad ones, by our chart and by NLTK's."""

from __future__ import annotations

import numpy as np
import pytest

from blimpgen.api import generate, list_paradigms
from blimpgen.english.words import grammar_tokens as tokens
from blimpgen.generation.derivations import Deriver, Row, derivable_slots
from blimpgen.generation.engine import draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.grammar.chart import Terminal
from blimpgen.library import default_library
from tests.conftest import tiered

PARADIGMS = list_paradigms(suite="blimp")


def rows(uid: str, n: int, seed: int) -> list[Row]:
    compiled = prepare(uid)
    return [
        Row(compiled.cells[part.cell], [c[k : k + 1] for c in part.columns])
        for block in draw_set(compiled, n, seed)
        for part in block
        for k in range(len(part.rows))
    ]


@pytest.mark.parametrize("uid", tiered())
def test_good_template_is_derived_and_bad_one_is_not(uid):
    paradigm = default_library().paradigm(uid)
    for row in rows(uid, 30, 7):
        assert derivable_slots(row.cell)
        assert Deriver(row).tree("good") is not None
        if not paradigm.model.derivable:
            assert Deriver(row, "open").tree("bad") is None


@pytest.mark.slow
@pytest.mark.parametrize("uid", PARADIGMS)
def test_nltk_accepts_good_and_refuses_bad(uid):
    from nltk.parse.featurechart import FeatureBottomUpLeftCornerChartParser

    grammar = default_library().grammar
    derivable = default_library().paradigm(uid).model.derivable
    for pair in generate(uid, n=2, seed=11):
        for sentence, reading, wanted in ((pair.good, "closed", True), (pair.bad, "open", False)):
            words = grammar.entries.joined(tokens(sentence))
            parser = FeatureBottomUpLeftCornerChartParser(grammar.to_nltk(words, reading=reading), max_time=None)
            found = next(iter(parser.parse(words)), None) is not None
            assert found == wanted or (derivable and not wanted), sentence


def readings(word: str, first: bool) -> list[Terminal]:
    """What a token may be in the open reading, as a category or as itself."""
    language = default_library().language("")
    categories = language.grammar.categories
    found = [Terminal(word, literal=True)]
    return found + [
        Terminal(c, {n: v for n, v in values.items() if n in categories[c].features})
        for c, values in language.entries.of(word, "open", first=first)
        if c in categories
    ]


def positions(sentence: str) -> list[list[Terminal]]:
    """The readings of a sentence, token by token."""
    joined = default_library().language("").entries.joined(tokens(sentence))
    return [readings(word, first=at == 0) for at, word in enumerate(joined)]


@pytest.mark.slow
@pytest.mark.parametrize("uid", [u for u in PARADIGMS if not default_library().paradigm(u).model.derivable])
def test_no_words_of_a_bad_sentence_have_another_reading(uid):
    """What the templates cannot show: that a word of the bad sentence is also one of another class."""
    chart = default_library().language("").chart
    derived = [pair.bad for pair in generate(uid, n=200, seed=23) if chart.parse(positions(pair.bad))]
    assert not derived


def test_words_are_read_as_they_are_in_every_class():
    chart = default_library().language("").chart
    assert chart.parse(positions("The taxi driver has admired Anna's sister."))
    assert not chart.parse(positions("The taxi driver have admired Anna's sister."))


def test_tokens_split_clitics_and_the_final_mark():
    assert tokens("Ann's sister isn't here.") == ["ann", "'s", "sister", "isn't", "here", "."]


def test_open_reading_knows_variants():
    entries = default_library().language("").entries
    assert not [e for e in entries.of("shrunk") if e[0] == "V" and e[1]["form"] == "fin"]
    assert [e for e in entries.of("shrunk", "open") if e[0] == "V" and e[1]["form"] == "fin"]


def test_columns_are_single_rows():
    row = rows("transitive", 3, 0)[0]
    assert all(isinstance(c, np.ndarray) and len(c) == 1 for c in row.columns)
