"""Mandarin: a sketch of a language without spaces, number and agreement; classifiers are a feature of nouns."""

from __future__ import annotations

import pytest

from blimpgen.api import generate
from blimpgen.base.records import MinimalPair
from blimpgen.lexicon import Lexicon
from blimpgen.library import default_library, load_library
from tests.conftest import tiered

FIRST_ROWS = {
    "zh_negation_of_experience": ("小美没读过这封信。", "小美不读过这封信。"),
    "zh_perfective_and_time": ("小华上周种了三棵苹果树。", "小华明天种了三棵苹果树。"),
    "zh_reflexive_person": ("我这几天一直安慰我自己。", "我这几天一直安慰你自己。"),
    "zh_classifier_after_demonstrative": ("那辆汽车很贵。", "那本汽车很贵。"),
    "zh_classifier_after_numeral": ("小东买了四件上衣。", "小东买了四本上衣。"),
    "zh_degree_in_comparison": ("这本杂志比那本杂志更好看。", "这本杂志比那本杂志很好看。"),
    "zh_negation_and_ba": ("小张没把这把椅子弄坏。", "小张把这把椅子没弄坏。"),
}


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_library().language("mandarin").lexicon


def pairs(uid: str, n: int) -> list[tuple[str, str]]:
    """The pairs of a paradigm."""
    return [(record.good, record.bad) for record in generate(uid, n=n) if isinstance(record, MinimalPair)]


def test_it_has_a_hundred_lexemes(lexicon: Lexicon) -> None:
    assert len(lexicon.table("lexemes")) >= 100
    assert set(default_library().suites["mandarin"].files) == set(FIRST_ROWS)


@pytest.mark.parametrize("uid", tiered(FIRST_ROWS))
def test_first_rows(uid: str) -> None:
    """The first pair of a paradigm, as it was when it was read: without spaces."""
    assert pairs(uid, 1) == [FIRST_ROWS[uid]]


def test_a_classifier_that_a_noun_may_have_is_no_wrong_one() -> None:
    """*Tiao* and *zhi* both go with dogs; *tai* is said of cars in the south, though it is never drawn with them."""
    rows = pairs("zh_classifier_after_numeral", 1000)
    dogs = {bad.partition("狗")[0][-1] for _, bad in rows if bad.endswith("狗。")}
    assert dogs
    assert dogs.isdisjoint("条只")
    cars = [(good, bad) for good, bad in rows if good.endswith("卡车。")]
    assert {good.partition("卡车")[0][-1] for good, _ in cars} == {"辆"}
    assert "台" not in {bad.partition("卡车")[0][-1] for _, bad in cars}
