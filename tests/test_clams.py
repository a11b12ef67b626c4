"""CLAMS (Mueller and others 2020) in four languages: counts and content digests published with the data."""

from __future__ import annotations

import hashlib
from functools import cache

import pytest

from blimpgen.api import count_table
from blimpgen.base.records import MinimalPair
from blimpgen.generation.engine import enumerate_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.library import Library, shipped_data
from tests.conftest import in_tiers

SUITE = "clams"
# Pairs and the first 16 digits of the digest: pairs as good, tab, bad; sorted; joined by line feeds.
CASES = {
    "de_long_vp_coord": (500, "f54a8588828bb055"),
    "de_obj_rel_across_anim": (11_200, "4aa476e6a9b08c06"),
    "de_obj_rel_within_anim": (11_200, "807ee552921db79c"),
    "de_prep_anim": (12_600, "d91409dd368bf92b"),
    "de_simple_agrmt": (140, "7f237569374d390e"),
    "de_subj_rel": (11_200, "db41676ec2c6a4bb"),
    "de_vp_coord": (980, "42b9043429776a71"),
    "fr_long_vp_coord": (500, "9272837d15876c9e"),
    "fr_obj_rel_across_anim": (11_200, "d59b1ec7f9be1b40"),
    "fr_obj_rel_within_anim": (11_200, "34a209e4ac311db9"),
    "fr_prep_anim": (14_000, "a21160b22063fbd0"),
    "fr_simple_agrmt": (280, "b4318ce132a9fb29"),
    "fr_subj_rel": (11_200, "0a4eb49ed4706476"),
    "fr_vp_coord": (980, "f8bbed20bcb22514"),
    "he_long_vp_coord": (500, "f78a02a940fe65ac"),
    "he_obj_rel_across_anim": (11_200, "1fa722cff7233c60"),
    "he_obj_rel_within_anim": (11_200, "0f1311182247bc58"),
    "he_prep_anim": (5_600, "6367d1813dbaa93f"),
    "he_simple_agrmt": (140, "face5843534f24d6"),
    "he_subj_rel": (11_200, "a9431ccbe32ecfd8"),
    "he_vp_coord": (980, "c583d7a975b38152"),
    "ru_long_vp_coord": (500, "3a018b96ef6754ff"),
    "ru_obj_rel_across_anim": (11_200, "750a8c94f9e3656f"),
    "ru_obj_rel_within_anim": (11_200, "af904cee450e6758"),
    "ru_prep_anim": (5_880, "eabe6c262eef580b"),
    "ru_simple_agrmt": (280, "14ed4174a8a17bb3"),
    "ru_subj_rel": (10_080, "a33ee1e17c870987"),
    "ru_vp_coord": (980, "9dba75d6b99654a1"),
}
QUICK = ("de_simple_agrmt", "fr_long_vp_coord", "he_vp_coord", "ru_simple_agrmt")
# Sentences of each row of Table 6 in the order of the suite's file.
TABLE = {
    "german": [280, 1960, 1000, 22400, 22400, 22400, 25200],
    "french": [560, 1960, 1000, 22400, 22400, 22400, 28000],
    "hebrew": [280, 1960, 1000, 22400, 22400, 22400, 11200],
    "russian": [560, 1960, 1000, 20160, 22400, 22400, 11760],
}


@cache
def of_profile(profile: str) -> Library:
    return Library([shipped_data()], profile)


@cache
def pairs_of(case: str, profile: str) -> list[tuple[str, str]]:
    """All pairs of a case, the good sentence first."""
    compiled = prepare(case, of_profile(profile))
    records = list(Assembly(compiled).records(enumerate_set(compiled)))
    return [(record.good, record.bad) for record in records if isinstance(record, MinimalPair)]


@pytest.mark.parametrize("case", in_tiers(CASES, QUICK))
def test_the_pairs_are_the_published_ones(case: str) -> None:
    pairs = pairs_of(case, "acl2020")
    digest = hashlib.sha256("\n".join(sorted({f"{good}\t{bad}" for good, bad in pairs})).encode()).hexdigest()
    assert (len(pairs), digest[:16]) == CASES[case]


@pytest.mark.parametrize("language", TABLE)
def test_the_table_of_the_paper(language: str) -> None:
    library = of_profile("acl2020")
    assert list(count_table(SUITE, f"table6_{language}", library=library).values()) == TABLE[language]


def test_the_suite_is_whole() -> None:
    library = of_profile("acl2020")
    assert sorted(library.uids(SUITE)) == sorted(CASES)
    assert sum(pairs for pairs, _ in CASES.values()) == 178_120


@pytest.mark.parametrize(
    ("case", "wrong", "right"),
    [
        pytest.param("de_prep_anim", "vor den Taxifahrer ", "vor den Taxifahrern ", marks=pytest.mark.slow),
        pytest.param("de_prep_anim", "dem Architekt ", "dem Architekten ", marks=pytest.mark.slow),
        pytest.param("de_subj_rel", "den Architekt ", "den Architekten ", marks=pytest.mark.slow),
        ("de_long_vp_coord", "seinem", "in ein Tagebuch"),
        ("fr_long_vp_coord", "vingt trois", "vingt-trois"),
        pytest.param("he_prep_anim", "ליד ה נהג ", "ליד ה צייר ", marks=pytest.mark.slow),
        pytest.param("ru_subj_rel", "хочет", "видит", marks=pytest.mark.slow),
    ],
)
def test_the_corrected_profile_says_it_right(case: str, wrong: str, right: str) -> None:
    published = " ".join(good for good, _ in pairs_of(case, "acl2020"))
    corrected = " ".join(good for good, _ in pairs_of(case, "corrected"))
    assert wrong in published
    assert right not in published
    assert wrong not in corrected
    assert right in corrected
    assert len(pairs_of(case, "acl2020")) == len(pairs_of(case, "corrected"))
