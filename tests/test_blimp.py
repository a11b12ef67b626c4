"""The suite blimp as a whole: how much it can make, how varied it is, and what can be guessed of it without grammar.

What a quota does not ask of a paradigm stands in `tests/tools/quota_exceptions.py` with its reason, and every exception
must be needed. Released figures (words a sentence, word types) are those of the 1000 published pairs of a paradigm.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from blimpgen.api import count, generate, list_paradigms, load_paradigm
from blimpgen.audit import WordFrequencies, shortcuts
from blimpgen.audit.guards import Vocabulary
from blimpgen.base.records import MinimalPair
from blimpgen.base.sources import read_tsv
from blimpgen.english.words import split_sentence
from blimpgen.generation.engine import draw_set
from blimpgen.generation.prepare import prepare
from blimpgen.lexicon.frequency import Frequencies
from blimpgen.library import default_library
from blimpgen.plan import Node
from quota_exceptions import CAPACITY, FREQUENCIES, LENGTHS, LETTERS, NAMES, SHARES

SUITE = list_paradigms(suite="blimp")
N = 1000
TABLE = read_tsv(Path(__file__).parent / "fixtures" / "released_figures.tsv", ("uid", "words", "types"))
RELEASED = {
    uid: (float(words), int(types))
    for uid, words, types in zip(*(TABLE.column(name) for name in ("uid", "words", "types")), strict=True)
}


@cache
def made(uid: str) -> list[MinimalPair]:
    return [pair for pair in generate(uid, n=N) if isinstance(pair, MinimalPair)]


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary(default_library().lexicon)


@dataclass
class Fillers:
    """What fills one place of a paradigm: lexemes by category, and whether the place is one of its critical slots."""

    lexemes: Counter[str]
    categories: Counter[str]
    critical: bool


@cache
def fillers(uid: str) -> dict[str, Fillers]:
    """Path of a place to what fills it in a thousand rows."""
    compiled = prepare(uid)
    balanced = set(compiled.paradigm.model.balance or ())
    found: dict[str, Fillers] = defaultdict(lambda: Fillers(Counter(), Counter(), False))
    for number, _, columns in next(draw_set(compiled, N, 0, block=N)):
        cell = compiled.cells[number]
        twins = {name for name, spec in cell.plan.specs.items() if spec.like}
        twins |= {cell.plan.specs[name].like for name in twins}
        for node in cell.plan.order:
            place = found[node.path]
            place.critical |= node.path in balanced | twins
            for lexeme, category in drawn(node, columns[cell.plan.index(node)]):
                place.lexemes[lexeme] += 1
                place.categories[category] += 1
    return dict(found)


def drawn(node: Node, column: np.ndarray) -> Iterator[tuple[str, str]]:
    for chosen in column[column >= 0].tolist() if not node.rows else ():
        leaf = node.leaves[int(node.leaf[chosen])]
        yield leaf.inventory.ids[int(node.lexeme[chosen])], leaf.inventory.category


def excepted(exceptions: Mapping[object, str], key: object, holds: bool, shown: object) -> None:
    """The quota holds, or the key is an exception; an exception that is not needed is a mistake too."""
    assert holds != (key in exceptions), (key, shown, exceptions.get(key, "no exception"))


def words(text: str) -> list[str]:
    return text.rstrip(".?").split()


def test_released_uids_in_their_folders() -> None:
    files = default_library().suites["blimp"].files
    assert len(files) == 67
    assert {*files} == {*RELEASED}
    assert len({path.parent for path in files.values()}) == 12
    assert len(default_library().suites["blimp_rejected"].files) == 2


def test_names_of_the_paper_are_aliases() -> None:
    assert load_paradigm("determiner_noun_agreement_with_adj_1").uid == "determiner_noun_agreement_with_adjective_1"


@pytest.mark.slow
@pytest.mark.parametrize("uid", SUITE)
def test_capacity(uid: str) -> None:
    capacity = count(uid).value
    excepted(CAPACITY, uid, capacity >= 1e6, capacity)
    assert capacity >= 2e4


@pytest.mark.slow
@pytest.mark.parametrize("uid", SUITE)
def test_as_many_word_types_as_the_release(uid: str) -> None:
    types = {word.lower() for pair in made(uid) for text in (pair.good, pair.bad) for word in words(text)}
    assert len(types) >= RELEASED[uid][1]


@pytest.mark.slow
@pytest.mark.parametrize("uid", SUITE)
def test_common_words_are_frequent(uid: str) -> None:
    zipf = Frequencies(default_library().lexicon).by_id
    names = {*default_library().lexicon.inventory("Name").ids}
    assert not {x for f in fillers(uid).values() for x in f.lexemes if zipf.get(x, 9) < 2.4 and x not in names}


@pytest.mark.slow
@pytest.mark.parametrize("uid", SUITE)
def test_no_lemma_above_five_percent_of_a_critical_slot(uid: str) -> None:
    for path, place in fillers(uid).items():
        if place.critical and {"N", "V", "A", "Name"} & place.categories.keys() and len(place.lexemes) >= 20:
            ((lexeme, most),) = place.lexemes.most_common(1)
            excepted(SHARES, (uid, path), most <= 0.05 * place.lexemes.total(), (lexeme, most))


@pytest.mark.slow
@pytest.mark.parametrize("uid", SUITE)
def test_names_at_most_a_third(uid: str) -> None:
    for path, place in fillers(uid).items():
        possessor = path.endswith("/possessor")
        if {"N", "Name"} <= place.categories.keys() and not possessor and place.categories.total() >= N / 4:
            share = place.categories["Name"] / place.categories.total()
            excepted(NAMES, (uid, path), share <= 0.35, share)


def names_and_long_verbs(text: str) -> tuple[int, int]:
    """The names of a sentence, and the words that its verbs have behind their first."""
    found, names, more, k = split_sentence(text).words, 0, 0, 0
    while k < len(found):
        step = 1
        for end, readings in vocabulary().spans(found, k):
            categories = {r.category for r in readings}
            if "Name" in categories and found[k][:1].isupper() and not categories - {"Name", "N", "V", "A"}:
                names, step = names + 1, end - k
                break
            if end - k > 1:
                more, step = more + (end - k - 1) * ("V" in categories), end - k
                break
        k += step
    return names, more


def means(texts: list[str]) -> np.ndarray:
    """Words, names, and further words of verbs, a sentence."""
    return np.array([(len(text.split()), *names_and_long_verbs(text)) for text in texts]).mean(axis=0)


@pytest.mark.slow
@pytest.mark.parametrize("uid", SUITE)
def test_sentences_are_as_long_as_the_released(uid: str, shared_data: Path) -> None:
    """At our share of names (a name is one word, a noun with its determiner two) and of verbs of several words.

    Verbs of several words are left out on purpose: with them the sentences of a pair differ in length.
    """
    lines = (shared_data / "blimp_sample" / f"{uid}.jsonl").read_text(encoding="utf-8").splitlines()
    _, released_names, released_more = means([json.loads(line)["sentence_good"] for line in lines])
    ours, names, more = means([pair.good for pair in made(uid)])
    expected = RELEASED[uid][0] + released_names - names + more - released_more
    excepted(LENGTHS, uid, abs(ours / expected - 1) <= 0.1, (round(ours, 2), round(expected, 2)))


@pytest.mark.slow
@pytest.mark.parametrize("uid", SUITE)
def test_no_cheap_rule(uid: str) -> None:
    scores = shortcuts([(pair.good, pair.bad) for pair in made(uid)], WordFrequencies(vocabulary()))
    assert scores["fewer-words"] == 0.5
    assert 0.4 <= scores["more-names"] <= 0.6
    excepted(FREQUENCIES, uid, 0.4 <= scores["more-frequent"] <= 0.6, scores["more-frequent"])
    excepted(LETTERS, uid, 0.4 <= scores["fewer-characters"] <= 0.6, scores["fewer-characters"])


# Of words that stand for a gender or a number, each in its share of the good sentences that have one of them.
BALANCED = {
    ("himself", "herself"): (
        "anaphor_gender_agreement",
        "principle_A_domain_2",
        "principle_A_domain_3",
        "principle_A_c_command",
        "anaphor_number_agreement",
    ),
    ("him", "her"): ("principle_A_domain_1",),
    ("he", "she"): ("principle_A_case_1", "wh_island"),
    ("this/that", "these/those"): tuple(uid for uid in SUITE if uid.startswith("determiner_noun_agreement")),
    ("is/was/has/isn't/wasn't/hasn't", "are/were/have/aren't/weren't/haven't"): tuple(
        uid for uid in SUITE if "_subject_verb_agreement_" in uid or uid.startswith("distractor_agreement")
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("uid, one, other", [(uid, *pair) for pair, uids in BALANCED.items() for uid in uids])
def test_genders_and_numbers_are_in_equal_shares(uid: str, one: str, other: str) -> None:
    """The word that differs, in the good sentences; where the contrast is elsewhere, the last such word."""
    counts = [
        sum(
            any(w in side.split("/") for w in words(pair.good)[-3 if "determiner" in uid else 0 :])
            for pair in made(uid)
        )
        for side in (one, other)
    ]
    assert min(counts) >= 0.45 * sum(counts) > 0, counts
