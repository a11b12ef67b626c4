"""Training sentences for a new noun: five sentences a type, as in the few-shot part of the study.

All types of Yu et al. (2020) are here. Of the types about knowledge of the world (``first`` to ``caught``, ``lifted``
to ``all-over``) and of those that mix others, only the frames are published: what fills them is ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["REPORTED", "TRAINING", "training_sentences"]


def _frame(text: str, *fillers: str) -> tuple[str, ...]:
    """Sentences with one filler each in the place of the star; braces are the place of the noun."""
    return tuple(text.replace("*", filler) for filler in fillers)


def _one_of_each(types: Mapping[str, tuple[str, ...]], *names: str) -> tuple[str, ...]:
    """The first sentence of the first type, the second of the second, and so on."""
    return tuple(types[name][k % len(types[name])] for k, name in enumerate(names))


_ADJECTIVES = ("tall", "happy", "sad", "fast", "small")
_PAST = ("saw", "heard", "loved", "saved", "forgot")
_UNIQUE = ("became the * owner", "will be the * student", "turned into the * survivor", "will become the * leader",
           "became the * listener")  # fmt: skip

_SINGULAR = {
    "simple": _frame("The {} *.", "speaks", "eats", "learns", "runs", "thinks"),
    "pred-adj": _frame("The {} is *.", *_ADJECTIVES),
    "reflexive": _frame("The {} * himself.", *_PAST),
    "all-alone": _frame(
        "The {} * all alone.", "sat at the desk", "sang the song", "rode the bus", "walked home", "studied for the test"
    ),
    "unaccompanied": _frame(
        "The {} * unaccompanied.", "came here", "left the school", "arrived home", "went there", "traveled overseas"
    ),
    "separated-entire": _frame(
        "The {} *.",
        "became separated from the entire group",
        "will be separated from the entire class",
        "had become separated from the entire herd",
        "will become separated from the entire flock",
        "became separated from the entire team",
    ),
    "personally": _frame(
        "The {} personally *.",
        "called me on the phone",
        "told me about it",
        "thanked me for coming",
        "showed me his collection",
        "greeted me warmly",
    ),
    **{
        word: tuple(f"The {{}} {phrase.replace('*', word)}." for phrase in _UNIQUE) for word in ("sole", "lone", "only")
    },
    "first": _frame(
        "The {} *.",
        "got first place in the race",
        "took first place in the contest",
        "earned first place in the marathon",
        "got first place in the tournament",
        "took first place in the competition",
    ),
    "top-score": _frame(
        "The {} earned the top score *.", "on the test", "in the game", "on the exam", "in the class", "on the quiz"
    ),
    "wore-the": _frame("The {} wore the *.", "hat", "coat", "crown", "ring", "mask"),
    "birth": _frame(
        "The {} gave birth to the *.", "tiny baby", "healthy child", "quiet infant", "small newborn", "happy baby"
    ),
    "caught": _frame(
        "The {} caught the *.", "red ball", "fast baseball", "wet football", "heavy basketball", "old softball"
    ),
}
_SINGULAR["lexical"] = _one_of_each(_SINGULAR, "sole", "sole", "lone", "lone", "only", "only")
_SINGULAR["world"] = _one_of_each(_SINGULAR, "first", "top-score", "wore-the", "birth", "caught")

_PLURAL = {
    "simple": _frame("The {} *.", "speak", "eat", "learn", "run", "think"),
    "pred-adj": _frame("The {} are *.", *_ADJECTIVES),
    "reflexive": _frame("The {} * themselves.", *_PAST),
    "unison": _frame("The {} * in unison.", "sang", "clapped", "nodded", "answered", "cheered"),
    "together": _frame("The {} * together.", "worked", "lived", "studied", "ate", "left"),
    "simultaneously": _frame("The {} * simultaneously.", "answered", "spoke", "jumped", "shouted", "arrived"),
    "unanimously": _frame("The {} * unanimously.", "agreed", "sang", "shouted", "jumped", "cheered"),
    "side-by-side": _frame("The {} * side by side.", "marched", "stood", "ran", "slept", "studied"),
    "outnumbered": _frame("The {} outnumbered the *.", "cats", "students", "cars", "workers", "dogs"),
    "constituted": _frame(
        "The {} constituted a majority of the *.", "committee", "team", "group", "professors", "listeners"
    ),
    "gathered": _frame("The {} gathered *.", "quietly", "quickly", "slowly", "loudly", "happily"),
    "formed": _frame("The {} formed a *.", "group", "mob", "herd", "class", "team"),
    "exchanged": _frame("The {} exchanged *.", "glances", "looks", "numbers", "books", "pencils"),
    "lifted": _frame("The {} lifted the * from all sides.", "table", "piano", "box", "boat", "car"),
    "throughout": _frame(
        "The {} throughout the *.", "city celebrated", "town cheered", "house slept", "forest sang", "school laughed"
    ),
    "lined-up": _frame("The {} lined up around the *.", "block", "corner", "building", "house", "park"),
    "all-over": _frame(
        "The {} *.",
        "came from all over the world",
        "traveled from all over the country",
        "arrived from all over the city",
        "wrote from all over the state",
        "called from all over the town",
    ),
}
_PLURAL["lexical-coll"] = _one_of_each(_PLURAL, "outnumbered", "constituted", "gathered", "formed", "exchanged")
_PLURAL["lexical-dist"] = _one_of_each(_PLURAL, "unison", "together", "simultaneously", "unanimously", "side-by-side")
_PLURAL["world-coll"] = _one_of_each(_PLURAL, "lifted", "throughout", "lined-up", "all-over", "lifted")

TRAINING: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType({"SG": _SINGULAR, "PL": _PLURAL})
"""Number of the new noun to type to its sentences; ``{}`` is the place of the noun."""

REPORTED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "SG": ("simple", "pred-adj", "reflexive", "all-alone", "unaccompanied", "separated-entire", "personally"),
        "PL": ("simple", "pred-adj", "reflexive", "unison", "together", "simultaneously", "outnumbered", "constituted",
               "gathered"),
    }
)  # fmt: skip
"""Number of the new noun to the types that the paper reports."""


def training_sentences(kind: str, noun: str, number: str) -> list[str]:
    """The sentences of a type: five, of the type ``lexical`` six.

    Args:
        kind: the type, as in `TRAINING`.
        noun: the new noun, in the form of that number.
        number: SG or PL.
    """
    return [sentence.format(noun) for sentence in TRAINING[number][kind]]
