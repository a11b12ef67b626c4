"""Regular English inflection by rule; irregular forms come from the lexicon row.

The rules follow spelling: -s/-es/-ies, -ed with e-drop, y to i and doubling, -ing with e-drop and ie to y. A
monosyllable that ends consonant-vowel-consonant doubles its last letter; a longer word does so only where the
lexicon says ``dbl`` (stress is not visible in spelling). A verb in -ic takes a k.
"""

from __future__ import annotations

import re

__all__ = [
    "BEHIND_A_POSSESSOR",
    "POSSESSIVE",
    "POSSESSIVE_PLURAL",
    "comparative",
    "ing_form",
    "past_form",
    "plural",
    "possessive",
    "superlative",
    "third_singular",
]

POSSESSIVE, POSSESSIVE_PLURAL = "'s", "'"
BEHIND_A_POSSESSOR = (POSSESSIVE, POSSESSIVE_PLURAL, "whose")
"""What stands between a possessor and what it has."""

_VOWELS = "aeiou"
_SIBILANT = ("s", "x", "ch", "sh")
_CVC = re.compile(r"^[^aeiou]*(?:qu)?[aeiou][bcdfghjklmnpqrstvz]$")


def plural(noun: str) -> str:
    """The regular plural: *cats, boxes, cities*; only the last word of a compound changes."""
    return _with_s(noun)


def third_singular(verb: str) -> str:
    """The regular present third person singular: *walks, watches, tries, goes*."""
    return verb + "es" if verb.endswith("o") and verb[-2:-1] not in _VOWELS else _with_s(verb)


def _with_s(word: str) -> str:
    if word.endswith("z"):
        return _doubled(word, False) + "es"
    if word.endswith(_SIBILANT):
        return word + "es"
    return word[:-1] + "ies" if _y_changes(word) else word + "s"


def _y_changes(word: str) -> bool:
    return word.endswith("y") and (word[-2:-1] not in _VOWELS or word.endswith("quy"))


def past_form(verb: str, doubling: bool = False) -> str:
    """Return the regular past and participle: *walked, loved, tried, stopped*.

    Args:
        verb: the lemma
        doubling: its last consonant is doubled
    """
    if verb.endswith("e"):
        return verb + "d"
    if _y_changes(verb):
        return verb[:-1] + "ied"
    return _with_k(verb, doubling) + "ed"


def ing_form(verb: str, doubling: bool = False) -> str:
    """Return the regular -ing form: *walking, loving, dying, stopping*.

    Args:
        verb: the lemma
        doubling: its last consonant is doubled
    """
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return verb[:-1] + "ing"
    return _with_k(verb, doubling) + "ing"


def comparative(adjective: str) -> str:
    """The comparative in -er: *taller, larger, happier, bigger*."""
    return _graded(adjective, "er")


def superlative(adjective: str) -> str:
    """The superlative in -est: *tallest, largest, happiest, biggest*."""
    return _graded(adjective, "est")


def _graded(adjective: str, suffix: str) -> str:
    if adjective.endswith("e"):
        return adjective[:-1] + suffix
    if _y_changes(adjective):
        return adjective[:-1] + "i" + suffix
    return _doubled(adjective, False) + suffix


def _with_k(verb: str, doubling: bool) -> str:
    return verb + "k" if verb.endswith("ic") else _doubled(verb, doubling)


def _doubled(word: str, doubling: bool) -> str:
    return word + word[-1] if doubling or _CVC.match(word.split(" ")[-1]) else word


def possessive(word: str, plural_noun: bool) -> str:
    """The clitic that makes a phrase with this last word a possessor: ``'`` after a plural in -s, else ``'s``.

    Args:
        word: the last word of the phrase.
        plural_noun: whether that is a plural.
    """
    return POSSESSIVE_PLURAL if plural_noun and word.endswith("s") else POSSESSIVE
