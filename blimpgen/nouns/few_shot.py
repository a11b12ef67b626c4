"""Training sentences for a new noun: five sentences a file, as in the few-shot part of the study."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["TRAINING", "training_sentences"]

TRAINING: Mapping[str, Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "SG": {
        "simple": ("The {} {}.", ("speaks", "eats", "learns", "runs", "thinks")),
        "pred-adj": ("The {} is {}.", ("tall", "happy", "sad", "fast", "small")),
        "reflexive": ("The {} {} himself.", ("saw", "heard", "loved", "saved", "forgot")),
        "all-alone": (
            "The {} {} all alone.",
            ("sat at the desk", "sang the song", "rode the bus", "walked home", "studied for the test"),
        ),
        "unaccompanied": (
            "The {} {} unaccompanied.",
            ("came here", "left the school", "arrived home", "went there", "traveled overseas"),
        ),
        "separated-entire": (
            "The {} {}.",
            (
                "became separated from the entire group",
                "will be separated from the entire class",
                "had become separated from the entire herd",
                "will become separated from the entire flock",
                "became separated from the entire team",
            ),
        ),
        "personally": (
            "The {} personally {}.",
            (
                "called me on the phone",
                "told me about it",
                "thanked me for coming",
                "showed me his collection",
                "greeted me warmly",
            ),
        ),
    },
    "PL": {
        "simple": ("The {} {}.", ("speak", "eat", "learn", "run", "think")),
        "pred-adj": ("The {} are {}.", ("tall", "happy", "sad", "fast", "small")),
        "reflexive": ("The {} {} themselves.", ("saw", "heard", "loved", "saved", "forgot")),
        "unison": ("The {} {} in unison.", ("sang", "clapped", "nodded", "answered", "cheered")),
        "together": ("The {} {} together.", ("worked", "lived", "studied", "ate", "left")),
        "simultaneously": ("The {} {} simultaneously.", ("answered", "spoke", "jumped", "shouted", "arrived")),
        "outnumbered": ("The {} outnumbered the {}.", ("cats", "students", "cars", "workers", "dogs")),
        "constituted": (
            "The {} constituted a majority of the {}.",
            ("committee", "team", "group", "professors", "listeners"),
        ),
        "gathered": ("The {} gathered {}.", ("quietly", "quickly", "slowly", "loudly", "happily")),
    },
}
"""Number of the new noun to type to frame and fillers: the types of the paper."""


def training_sentences(kind: str, noun: str, number: str) -> list[str]:
    """The five sentences of a type.

    Args:
        kind: the type, as in `TRAINING`.
        noun: the new noun, in the form of that number.
        number: SG or PL.
    """
    frame, fillers = TRAINING[number][kind]
    return [frame.format(noun, filler) for filler in fillers]
