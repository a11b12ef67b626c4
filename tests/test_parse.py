"""A parser of strings: what it derives, what its words are, and why it does not derive the rest."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import orjson
import pytest

import blimpgen as bg
from blimpgen.base.errors import UsageError
from blimpgen.grammar.arguments import head_of, verb_arguments
from blimpgen.grammar.forest import Tree as Derivation
from blimpgen.grammar.parse import MOST_TREES, MOST_WORDS, Parser, sentence_tokens
from blimpgen.library import default_library, load_library
from tests.conftest import tiered

PARADIGMS = [u for u in bg.list_paradigms(suite="blimp") if not default_library().paradigm(u).model.derivable]


def parser(reading: str = "closed") -> Parser:
    return default_library().language("").parsers[reading]


@pytest.mark.parametrize(
    "text",
    [
        "The teacher that the boys like sleeps.",
        "the teacher that the boys like sleeps",
        "Taxi drivers had admired the boys' sisters.",
        "Anna’s sister isn't sleeping.",
        "Those guests gave another school two baskets.",
        "A few dresses shrink.",
        "The Murphys were befriended.",
        "Mail carriers sleep .",
        "What did the boys see?",
        "It's herself that Anna admires.",
        "Anna and the guest admire each other.",
        "Daniel persuaded the girls to help one another.",
        "No student has ever slept.",
    ],
)
def test_derived(text: str) -> None:
    assert bg.parse(text)


@pytest.mark.parametrize(
    "text",
    [
        "The teacher that the boys like sleep.",
        "Anna have admired the teacher.",
        "The boys that admires the teacher sleep.",
        "Anna admires himself.",
        "Drivers taxi had admired Anna.",
        "What did the boys see the teacher?",
        "Some student has ever slept.",
        "The boys sleep, Anna sleeps.",
    ],
)
def test_not_derived(text: str) -> None:
    assert not bg.parse(text, reading="open")


def test_no_pronoun_follows_a_particle_that_can_be_separated() -> None:
    assert bg.parse("Anna calmed down the guests.")
    assert bg.parse("Anna looked after them.")
    assert not bg.parse("Anna calmed down them.")


def test_one_of_several_is_one() -> None:
    assert bg.parse("One of the guests was smiling.")
    assert not bg.parse("One of the guests were smiling.")


def test_ordinary_english_is_derived_and_what_is_none_is_not() -> None:
    lines = (Path(__file__).parent / "fixtures" / "english_sentences.tsv").read_text(encoding="utf-8").splitlines()
    verdicts = [line.split("\t") for line in lines[1:]]
    assert len(verdicts) > 250
    for verdict, sentence in verdicts:
        good = verdict == "good"
        assert parser("closed" if good else "open").derives(sentence) == good, sentence


@pytest.mark.parametrize(
    "text, arguments",
    [
        ("Anna admires the boy.", ["admires Anna boy"]),
        ("The boys that Anna persuaded to leave sleep.", ["persuaded Anna boys", "leave boys -", "sleep boys -"]),
        ("Who is Anna hugging while describing Dan?", ["hugging Anna Who", "describing Anna Dan"]),
        ("Anna knows what the boy wants to mend.", ["knows Anna -", "wants boy -", "mend boy what"]),
        ("The boy was seen by the doctor.", ["seen - boy"]),
        ("There seems to be a boy hurting Anna.", ["seems - -", "hurting boy Anna"]),
        ("The teacher's leaving annoyed the boys.", ["leaving teacher -", "annoyed leaving boys"]),
        ("The boy is easy to admire.", ["admire - boy"]),
    ],
)
def test_verbs_have_their_subjects_and_objects(text: str, arguments: list[str]) -> None:
    """In one of the derivations; the heads of the phrases are told."""
    parses = bg.parse(text)

    def word(phrase: Derivation | None) -> str:
        head = head_of(phrase) if phrase is not None else None
        return " ".join(parses.tokens[slice(*head.span)]) if head is not None else "-"

    assert arguments in [
        [" ".join(map(word, each[:3])) for each in verb_arguments(parse.derivation)] for parse in parses
    ]


def test_words_have_their_lexeme_frame_and_features() -> None:
    from nltk.tree import Tree

    parse = bg.parse("The taxi driver sleeps.").first
    assert parse is not None
    assert [(word.text, word.category) for word in parse.words] == [
        ("The", "D"),
        ("taxi driver", "N"),
        ("sleeps", "V"),
        (".", ""),
    ]
    assert parse.words[1].lexemes == ("taxi_driver.1",)
    assert parse.words[2].lexemes == ("sleep.1",)
    assert parse.words[2].features["frame"] == "V"
    assert isinstance(parse.tree, Tree)
    assert parse.tree.leaves() == ["The", "taxi driver", "sleeps", "."]
    assert str(parse) == " ".join(str(parse.tree).split())
    subject = parse.feature_tree[0][0]
    assert subject.label()["Number"] == "Sing"


def test_derivations_are_counted_and_few_are_given_out() -> None:
    text = "The boys said that " * 3 + "Anna sleeps."
    single = bg.parse("Anna sleeps.")
    assert single.count == len(list(single))
    nested = bg.parse(text, reading="open")
    written = [str(parse.feature_tree) for parse in nested]
    assert len(written) == min(MOST_TREES, nested.count)


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("Anna persuaded Daniel to introduce himself.", "Anna persuaded Daniel to introduce herself."),
        ("Daniel persuaded the girls to help themselves.", "Daniel persuaded the girls to help himself."),
        ("Anna wants Daniel to introduce himself.", "Anna wants Daniel to introduce herself."),
        ("Anna stopped Daniel from hurting himself.", "Anna stopped Daniel from hurting herself."),
        ("The woman saw the boy hurt himself.", "The woman saw the boy hurt herself."),
        ("Daniel imagined Anna introducing herself.", "Daniel imagined Anna introducing himself."),
        ("There was a man introducing himself.", "There was a man introducing herself."),
        ("Daniel tried to introduce himself.", "Daniel tried to introduce herself."),
        ("Daniel was persuaded to introduce himself.", "Daniel was persuaded to introduce herself."),
        ("Daniel seems to admire himself.", "Daniel seems to admire herself."),
        ("The man that introduced himself left.", "The man that introduced herself left."),
        (
            "The man that Anna persuaded to introduce himself left.",
            "The man that Anna persuaded to introduce herself left.",
        ),
        ("The man that likes Anna who hurt himself left.", "The man that likes the dogs who hurt herself left."),
        ("Anna's introducing herself annoyed Daniel.", "Anna's introducing himself annoyed Daniel."),
        ("The man introducing himself left.", "The man introducing herself left."),
        ("Daniel left after introducing himself.", "Daniel left after introducing herself."),
        ("Daniel introduced himself and left.", "Daniel introduced herself and left."),
        ("Anna left and introduced herself.", "Anna left and introduced himself."),
        ("Which girl introduced herself?", "Which girl introduced himself?"),
        ("The boys slapped one another.", "The boy slapped one another."),
        ("Anna asked the girls to help each other.", "The girls asked Anna to help each other."),
    ],
)
def test_a_reflexive_has_its_antecedent_in_its_clause(good: str, bad: str) -> None:
    assert bg.parse(good)
    assert not bg.parse(bad, reading="open")


@pytest.mark.parametrize(
    "text",
    [
        "Anna wondered who hurt himself.",
        "Who introduced himself?",
        "Who introduced themselves?",
        "Introducing herself annoyed Daniel.",
    ],
)
def test_a_reflexive_of_nobody_named_is_any(text: str) -> None:
    assert bg.parse(text, reading="open")


@pytest.mark.parametrize("text", ["Larry remembered who had the jewelers observed.", "Anna got the waiter fired."])
def test_one_has_and_gets_things_done(text: str) -> None:
    """So *knew who had the jewelers observed* is no bad order of *knew who the jewelers had observed*."""
    assert bg.parse(text, reading="open")


def test_who_is_to_somebody_is_no_predicate() -> None:
    assert bg.parse("What are the books about?")
    assert bg.parse("Anna walked to the school.")
    assert not bg.parse("Anna is to the school.", reading="open")


def test_promise_leaves_the_infinitive_to_its_subject() -> None:
    assert bg.parse("Daniel promised Anna to introduce himself.")
    assert not bg.parse("Daniel promised Anna to introduce herself.")


def test_a_long_sentence_explodes_in_number_only() -> None:
    text = "Anna sleeps" + " quickly while sleeping" * 16 + "."
    start = time.perf_counter()
    parses = bg.parse(text, reading="open")
    assert parses.count > 10**6
    assert len(list(parses)) == MOST_TREES
    assert time.perf_counter() - start < 20


@pytest.mark.parametrize(
    ("text", "feature", "rule", "words"),
    [
        ("The teacher that the boys like sleep.", "Number", "S.decl", "sleep"),
        ("Anna admires himself.", "refl", "S.decl", "admires himself"),
        ("Anna donated the school a book.", "frame", "VX.dat", "donated"),
        ("Anna devoured.", "frame", "VX.intr", "devoured"),
    ],
)
def test_the_feature_that_clashes_is_named(text: str, feature: str, rule: str, words: str) -> None:
    clashes = bg.parse(text).diagnosis.clashes
    assert (feature, rule, words) in [(clash.feature, clash.rule, clash.words) for clash in clashes]


def test_unknown_words_and_constituents_are_named() -> None:
    diagnosis = bg.parse("The boys admyre the teacher that sleeps.").diagnosis
    assert [(word.word, word.nearest) for word in diagnosis.unknown] == [("admyre", "admire")]
    assert [(c.category, c.words) for c in diagnosis.constituents[:3]] == [
        ("DP", "The boys"),
        ("", "admyre"),
        ("DP", "the teacher that sleeps"),
    ]
    assert not bg.parse("Anna sleeps.").diagnosis.constituents


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no letters in ''"),
        (" ?! 12", "no letters"),
        ("word " * 10_000, f"10,001 words and marks; a sentence has at most {MOST_WORDS}"),
    ],
)
def test_what_is_no_sentence_is_refused(text: str, says: str) -> None:
    with pytest.raises(UsageError, match=r"words|letters") as caught:
        bg.parse(text)
    assert says in str(caught.value)


def test_an_unknown_reading_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no reading 'opne'; did you mean 'open'\?"):
        bg.parse("Anna sleeps.", reading="opne")


def test_a_word_that_no_rule_takes_is_told_from_one_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    from blimpgen.cli import main

    with pytest.raises(SystemExit):
        main(["parse", "The guest left whatsoever."])
    assert "'whatsoever' to the rules: the lexicon has it" in capsys.readouterr().out


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from blimpgen.cli import main

    def call(*arguments: str) -> str:
        with pytest.raises(SystemExit):
            main(["parse", *arguments])
        return capsys.readouterr().out

    derived = call("Anna sleeps.")
    assert derived.startswith("derived in the closed reading: ")
    assert "(TOP (S (DP (Name Anna)) (VP (VX (V sleeps)))) .)" in derived
    refused = orjson.loads(call("Anna sleep.", "--json"))
    assert not refused["derived"]
    assert refused["clashes"][0]["feature"] == "Number"
    every = orjson.loads(call("Anna sleeps.", "--all", "--json", "--reading", "open"))
    assert len(every["parses"]) == every["count"] > 0


def pairs(uids: Sequence[str], n: int) -> list[tuple[str, str]]:
    return [(pair.good, pair.bad) for uid in uids for pair in bg.generate(uid, n=n, seed=41)]


@pytest.mark.parametrize("uid", tiered(PARADIGMS))
def test_generated_pairs_are_judged_as_they_are_labelled(uid: str) -> None:
    for good, bad in pairs([uid], 5):
        assert parser().derives(good), good
        assert not parser("open").derives(bad), bad


@pytest.mark.slow
def test_nltk_gives_the_same_verdicts() -> None:
    """On sentences of all paradigms; ``python -m tests.test_parse 2000`` asks NLTK about more of them."""
    sentences = good_and_bad(2 * len(PARADIGMS))
    ours = [parser("open").derives(text) for text in sentences]
    assert min(ours.count(True), ours.count(False)) > 20
    assert list(map(nltk_derives, sentences)) == ours


@pytest.mark.slow
def test_nltk_is_given_a_grammar_of_words_that_make_no_sentence() -> None:
    grammar = default_library().grammar.to_nltk(["the", "of"])
    assert {str(production.rhs()[0]) for production in grammar.productions()} >= {"the", "of"}
    assert not nltk_derives("The of.")


def good_and_bad(count: int) -> list[str]:
    """Sentences of all paradigms, half of them with two words exchanged, whatever their label."""
    rows = -(-count // (4 * len(PARADIGMS)))
    sentences = [text for pair in pairs(PARADIGMS, rows) for text in pair]
    sentences += [exchanged(text, k) for k, text in enumerate(sentences)]
    return sentences[:: len(sentences) // count][:count]


def test_a_rule_of_ones_own_asks_for_the_polarity_of_a_clause(tmp_path: Path) -> None:
    """A verb phrase has the polarity of its auxiliary, also where its own rule allows two."""
    rules = tmp_path / "grammars" / "english" / "ellipsis.cfg"
    rules.parent.mkdir(parents=True)
    rules.write_text(
        'S.nor -> subject:DP[neg=no] VP[form=fin, Polarity=Neg]* "nor" aux:Aux[Polarity=Pos] complement:DP  {0}\n',
        encoding="utf-8",
    )
    parser = load_library(tmp_path).language("").parsers["closed"]
    assert parser.derives("Anna can't swim nor can Paul.")
    assert not parser.derives("Anna can swim nor can Paul.")
    assert not parser.derives("Anna swam nor can Paul.")


def nltk_derives(text: str) -> bool:
    """What NLTK makes of a sentence with our rules, in the open reading."""
    from nltk.parse.featurechart import FeatureBottomUpLeftCornerChartParser

    def verdict(words: list[str]) -> bool:
        chart_parser = FeatureBottomUpLeftCornerChartParser(
            default_library().grammar.to_nltk(words, reading="open"), max_time=None
        )
        try:
            return next(iter(chart_parser.parse(words)), None) is not None
        except ValueError:  # a word that is none in this segmentation
            return False

    return any(map(verdict, segmentations(text)))


def exchanged(text: str, k: int) -> str:
    words = text.split()
    at = k % (len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def segmentations(text: str) -> list[list[str]]:
    """All ways in which the tokens of a sentence are lexemes."""
    entries = default_library().language("").entries
    tokens = [*sentence_tokens(text)]
    tokens[0] = tokens[0][:1].lower() + tokens[0][1:]

    def is_word(start: int, end: int) -> bool:
        return end == start + 1 or bool(entries.of(" ".join(tokens[start:end]), "open", first=start == 0))

    inner = range(1, len(tokens))
    joints = [
        at
        for at in inner
        if any(is_word(s, e) for s in range(at) for e in range(at + 1, at + 4) if e <= len(tokens) and e > s + 1)
    ]
    found = []
    for joined in itertools.chain.from_iterable(itertools.combinations(joints, n) for n in range(len(joints) + 1)):
        cuts: Sequence[int] = [0, *(at for at in inner if at not in joined), len(tokens)]
        spans = list(itertools.pairwise(cuts))
        if all(is_word(*span) for span in spans):
            found.append([" ".join(tokens[slice(*span)]) for span in spans])
    return found


if __name__ == "__main__":
    asked = good_and_bad(int(sys.argv[1]))
    differing = [text for text in asked if nltk_derives(text) != parser("open").derives(text)]
    print(f"{len(asked):,} sentences, {len(differing)} judged otherwise", *differing, sep="\n")
