"""The released pairs: flags, prefix annotation, and the oddities that a reader of them must survive.

The folder of reference data holds the first 200 pairs of each paradigm, so counts are those of this part.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest

from blimpgen.analysis.reference import fields, published, terms
from blimpgen.base.records import MinimalPair
from blimpgen.dataset import data_files, read_jsonl
from blimpgen.scoring.reading import Comparison, to_comparisons


@pytest.fixture(scope="module")
def pairs(shared_data: Path) -> Mapping[str, list[MinimalPair]]:
    return {
        path.stem: [pair for pair in read_jsonl(path) if isinstance(pair, MinimalPair)]
        for path in data_files(shared_data / "blimp_sample")
    }


@pytest.fixture(scope="module")
def compared(pairs: Mapping[str, list[MinimalPair]]) -> list[Comparison]:
    return [comparison for of_uid in pairs.values() for pair in of_uid for comparison in to_comparisons(pair)]


def test_67_paradigms_of_200_pairs(pairs: Mapping[str, list[MinimalPair]]) -> None:
    assert set(pairs) == set(published())
    assert {len(of_uid) for of_uid in pairs.values()} == {200}
    for uid, of_uid in pairs.items():
        assert {pair.uid for pair in of_uid} == {uid}
        assert len({(pair.good, pair.bad) for pair in of_uid}) == 200


def test_20_paradigms_have_one_prefix_20_two_and_27_neither(compared: list[Comparison]) -> None:
    methods: defaultdict[str, set[tuple[str, ...]]] = defaultdict(set)
    for comparison in compared:
        methods[comparison.uid].add(comparison.methods)
    assert all(len(of_uid) == 1 for of_uid in methods.values())
    assert Counter(next(iter(of_uid)) for of_uid in methods.values()) == {
        ("full", "one-prefix"): 20,
        ("full", "two-prefix"): 20,
        ("full",): 27,
    }


def test_every_prefix_annotation_is_consistent(compared: list[Comparison]) -> None:
    """40 paradigms x 200 pairs. What is not the beginning of its sentence would be an error of the reader."""
    checked = 0
    for c in compared:
        for method in c.methods[1:]:
            (a, b), (start, end) = c.words[method]
            good, bad = c.good[a:b], c.bad[start:end]
            same_prefix, same_word = c.good[:a] == c.bad[:start], good == bad
            assert (same_prefix, same_word) == ((True, False) if method == "one-prefix" else (False, True)) or (
                c.good == c.bad
            ), (c.uid, c.pair_id)
            checked += 1
    assert checked == 8000


def test_critical_words_may_have_spaces(compared: list[Comparison]) -> None:
    spaced = Counter(c.uid for c in compared for method in c.methods[1:] if " " in c.good[slice(*c.words[method][0])])
    assert spaced["expletive_it_object_raising"] / 200 == pytest.approx(0.382, abs=0.1)
    assert spaced["irregular_past_participle_verbs"] / 200 == pytest.approx(0.378, abs=0.1)


def test_pairs_of_identical_sentences(compared: list[Comparison]) -> None:
    """The whole release has seven: pairs 324 and 810 of passive_1, and 105, 287, 372, 816 and 967 of this paradigm."""
    assert [(c.uid, c.pair_id) for c in compared if c.identical] == [("principle_A_case_2", "105")]


def test_terms_and_fields_are_normalised(pairs: Mapping[str, list[MinimalPair]], compared: list[Comparison]) -> None:
    raw = {uid: of_uid[0].row["linguistics_term"] for uid, of_uid in pairs.items()}
    assert {uid for uid, term in raw.items() if term == "s-selection"} == {
        "animate_subject_passive",
        "animate_subject_trans",
    }
    assert {uid for uid, of_uid in pairs.items() if of_uid[0].row["field"] == "syntax/semantics"} == {
        "principle_A_case_2"
    }
    assert {c.uid: c.term for c in compared} == terms()
    assert {c.uid: c.field for c in compared} == fields()


def test_the_flag_of_identical_words_is_metadata_not_a_fact(pairs: Mapping[str, list[MinimalPair]]) -> None:
    flagged = {uid for uid, of_uid in pairs.items() if of_uid[0].row["lexically_identical"]}
    permuted = {uid for uid, of_uid in pairs.items() if all(_bag(p.good) == _bag(p.bad) for p in of_uid)}
    assert len(flagged) == 20
    determiner_noun = {uid for uid, term in terms().items() if term == "determiner_noun_agreement"}
    assert flagged - permuted == {*determiner_noun, "anaphor_number_agreement"}
    assert permuted - flagged == {"ellipsis_n_bar_1", "existential_there_quantifiers_2"}


def _bag(sentence: str) -> list[str]:
    return sorted(sentence.lower().rstrip(".?!").split())


def test_14_paradigms_have_pairs_of_different_length(pairs: Mapping[str, list[MinimalPair]]) -> None:
    uneven = {
        uid: sum(len(p.good.split()) != len(p.bad.split()) for p in of_uid) / 200 for uid, of_uid in pairs.items()
    }
    assert sum(share > 0 for share in uneven.values()) == 14
    for uid, share in {
        "animate_subject_trans": 0.807,
        "drop_argument": 0.536,
        "expletive_it_object_raising": 0.528,
        "intransitive": 0.481,
    }.items():
        assert uneven[uid] == pytest.approx(share, abs=0.1), uid
