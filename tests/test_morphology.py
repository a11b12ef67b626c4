"""Regular inflection: the spelling rules, checked by hand and against an independent implementation."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blimpgen.english import morphology

WORDS = st.text(alphabet="abcdefghijklmnopqrstuvwxyz", min_size=2, max_size=12)


PLURALS = """
cat cats, house houses, bus buses, glass glasses, box boxes, waltz waltzes, quiz quizzes, church churches, dish dishes,
city cities, boy boys, monkey monkeys, soliloquy soliloquies, radio radios, piano pianos, zoo zoos, SUV SUVs
"""
VERBS = """
walk walks walked walking, love loves loved loving, watch watches watched watching, try tries tried trying,
play plays played playing, stop stops stopped stopping, hug hugs hugged hugging, fix fixes fixed fixing,
snow snows snowed snowing, cook cooks cooked cooking, visit visits visited visiting, agree agrees agreed agreeing,
die dies died dying, dye dyes dyed dyeing, tiptoe tiptoes tiptoed tiptoeing, veto vetoes vetoed vetoing,
radio radios radioed radioing, boo boos booed booing, panic panics panicked panicking, fry fries fried frying,
picnic picnics picnicked picnicking, quiz quizzes quizzed quizzing, buzz buzzes buzzed buzzing,
argue argues argued arguing, trek treks trekked trekking, open opens opened opening
"""
GRADES = """
tall taller tallest, large larger largest, happy happier happiest, big bigger biggest, gray grayer grayest,
sweet sweeter sweetest, clever cleverer cleverest, free freer freest
"""


def rows(text: str) -> list[list[str]]:
    """The rows of a table written as text: words, with a comma between rows."""
    return [row.split() for row in text.replace("\n", " ").split(",")]


@pytest.mark.parametrize("singular, plural", rows(PLURALS))
def test_plural(singular: str, plural: str) -> None:
    assert morphology.plural(singular) == plural
    assert morphology.plural(f"old {singular}") == f"old {plural}"


@pytest.mark.parametrize("verb, third, past, ing", rows(VERBS))
def test_verbs(verb: str, third: str, past: str, ing: str) -> None:
    assert morphology.third_singular(verb) == third
    assert morphology.past_form(verb) == past
    assert morphology.ing_form(verb) == ing


@pytest.mark.parametrize("verb, past, ing", rows("prefer preferred preferring, admit admitted admitting"))
def test_longer_verbs_double_where_the_lexicon_says_so(verb: str, past: str, ing: str) -> None:
    assert (morphology.past_form(verb, doubling=True), morphology.ing_form(verb, doubling=True)) == (past, ing)
    assert morphology.past_form(verb) == verb + "ed"


def test_a_word_of_two_letters_keeps_its_e() -> None:
    assert morphology.ing_form("be") == "being"


@pytest.mark.parametrize("adjective, comparative, superlative", rows(GRADES))
def test_grades(adjective: str, comparative: str, superlative: str) -> None:
    assert (morphology.comparative(adjective), morphology.superlative(adjective)) == (comparative, superlative)


@pytest.mark.parametrize(
    "word, plural_noun, clitic",
    [
        ("Carol", False, "'s"),
        ("James", False, "'s"),
        ("bus", False, "'s"),
        ("dancers", True, "'"),
        ("children", True, "'s"),
        ("the Clintons", True, "'"),
    ],
)
def test_possessive(word: str, plural_noun: bool, clitic: str) -> None:
    assert morphology.possessive(word, plural_noun) == clitic


@given(WORDS)
def test_every_form_keeps_the_beginning_of_the_word(word: str) -> None:
    stem = word[:-2]
    for inflect in (
        morphology.plural,
        morphology.third_singular,
        morphology.past_form,
        morphology.ing_form,
        morphology.comparative,
        morphology.superlative,
    ):
        form = inflect(word)
        assert form.startswith(stem)
        assert form != word


@given(WORDS)
def test_the_endings(word: str) -> None:
    assert morphology.plural(word).endswith("s")
    assert morphology.past_form(word).endswith("ed")
    assert morphology.ing_form(word).endswith("ing")
    assert morphology.comparative(word).endswith("er")
    assert morphology.superlative(word).endswith("est")


@pytest.mark.slow
@pytest.mark.parametrize(
    "verb",
    [
        word
        for (word,) in rows(
            "add, amuse, annoy, apply, beg, carry, chat, clap, deny, drag, drop, echo, enjoy, fax, grin, hurry, iron, "
            "jog, "
            "kiss, knock, label, marry, nod, offer, plan, pray, rub, scan, sew, skip, sob, tie, trim, untie, vary, "
            "wait, "
            "wrap, zip"
        )
    ],
)
def test_regular_verbs_as_in_a_dictionary(verb: str) -> None:
    lemminflect = pytest.importorskip("lemminflect")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = lemminflect.getAllInflections(verb, "VERB")
    assert morphology.third_singular(verb) in known["VBZ"]
    assert morphology.past_form(verb) in known["VBD"]
    assert morphology.ing_form(verb) in known["VBG"]
