"""Made-up words that look and sound like English: a model of syllables in English spelling.

A word is cut into its first consonants, its vowels each with the consonants up to the next, and a last rhyme::

    blanket   bl | a nk | et          machine   m | a ch | ine

The parts are counted in a list of words, and a new word puts parts together at random by these counts. So every
beginning, every end and every cluster inside occurs in English words, and frequent ones come more often. What would
be read as an ending (*-s, -ed, -ing, -er, -able*), and what leaves the spelling of the plural or the past open (*-o,
-f, -c*), never ends a word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

__all__ = ["Parts", "SyllableModel", "cut", "open_stress", "syllables"]

_PIECES = re.compile(r"^(?P<onset>(?:qu|y(?=[aeiou])|[^aeiouy])*)(?P<body>(?:[aeiouy].*)?)$")
_NUCLEUS = re.compile(r"(?:[aeiouy]+)(?:qu|[^aeiouy])*")
_SILENT = re.compile(r"(?<=[^aeiouy])e$")
_OPEN_END = re.compile(r"(?:s|ed|ing|er|est|en|ly|th|ful|[aoiufcjvqhxz]|ue|oe|ie|ee|[aeiou]y)$")
"""Ends that read as an inflection or a derivation, or whose inflection is spelt in two ways."""
_DERIVED = re.compile(
    r"^(?:[ai]ble|i[aou]n|i?an[ct]e?|i?en[ct]e?|[iu]al|i?um|is[mt]|i[vzs]e|[iu]ate|uade|eon|eur|oir|eive|ement)$"
)
"""Rhymes of longer words that give away a word class."""
_AWKWARD = re.compile(
    r"[aeiouy]{3}|[^aeiouy]{4}|(.)\1(?:e$|[^aeiouyl])|[aeiou]h[^aeiou]|uu|ii|aa|[iu]y|y[iu]|w[uy]|[^aeiou]y[^aeiou]"
    r"|i[aou]|e[ou]|(?<!q)u[aeio]|a[eo]|oe|^(?:un|re|dis|mis|pre|non)|^(?:ps|x)"
    r"|(..)\2|^(?:u[^aeiouy][aeiouy]|ew|on[ce]|h(?:on|our|eir|erb))"
)
"""Spellings that English avoids, prefixes, and beginnings before which *a* and *an* are both possible."""
_STRESSED = re.compile(r"[aeiouy].*[^aeiou][aeiou][bcdgklmnprtv]$")
"""Words of several syllables that double their last letter only if it is stressed, which spelling does not show."""
_LEAST = {"onset": 5, "inner": 4, "short": 2, "long": 3, "run": 2}
"""Parts that fewer words have are accidents of those words."""
_LONGEST = {1: 6, 2: 8, 3: 10}


@dataclass(frozen=True)
class Parts:
    """A word in its parts.

    Attributes:
        onset: what stands before the first vowel.
        inner: the vowels but the last, each with the consonants after it.
        rhyme: the last vowel and what follows; a silent *e* goes with it.
    """

    onset: str
    inner: tuple[str, ...]
    rhyme: str


def cut(word: str) -> Parts | None:
    """A word of small letters in its parts; None where it has no vowel."""
    match = _PIECES.match(word)
    if not match or not match["body"]:
        return None
    body = match["body"]
    silent = bool(_SILENT.search(body)) and bool(re.search(r"[aeiouy]", body[:-1]))
    pieces = _NUCLEUS.findall(body[:-1] if silent else body)
    return Parts(match["onset"], tuple(pieces[:-1]), pieces[-1] + "e" * silent)


def syllables(text: str) -> int:
    """How many syllables a word has, by its spelling; of several words, the last."""
    parts = cut(re.sub(r"[^a-z]", "", text.lower().split()[-1]))
    return len(parts.inner) + 1 if parts else 1


class SyllableModel:
    """Counts of parts.

    Args:
        words: what to learn from; only words of small letters count.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._counts: dict[str, Counter[str]] = {key: Counter() for key in _LEAST}
        for word in sorted({w for w in words if re.fullmatch(r"[a-z]{3,}", w)}):
            parts = cut(word)
            self._counts["run"].update(_runs(word))
            if parts:
                self._counts["onset"][parts.onset] += 1
                self._counts["inner"].update(parts.inner)
                self._counts["long" if parts.inner else "short"][parts.rhyme] += 1

    @cached_property
    def _tables(self) -> Mapping[str, tuple[list[str], list[int]]]:
        tables = {}
        for key in ("onset", "inner", "short", "long"):
            counts = self._counts[key]
            frequent = sorted(part for part, count in counts.items() if count >= _LEAST[key] and _may_stand(key, part))
            tables[key] = frequent, list(accumulate(counts[part] for part in frequent))
        return tables

    def makes(self, word: str) -> bool:
        """Whether the model can make a word."""
        parts = cut(word)
        if parts is None or not self._acceptable(word, len(parts.inner) + 1):
            return False
        needed = [("onset", parts.onset), *(("inner", piece) for piece in parts.inner)]
        needed.append(("long" if parts.inner else "short", parts.rhyme))
        return all(part in self._tables[key][0] for key, part in needed)

    def word(self, size: int, numbers: Sequence[int]) -> str | None:
        """A word of a number of syllables; None where its parts do not go together, or there are none.

        Args:
            size: 1 or more.
            numbers: random numbers of 32 bits, one a part: at least size + 1.
        """
        keys = ["onset", *["inner"] * (size - 1), "long" if size > 1 else "short"]
        if not all(self._tables[key][0] for key in keys):
            return None
        parts = [self._take(key, number) for key, number in zip(keys, numbers, strict=False)]
        word = "".join(parts)
        if not self._acceptable(word, size):
            return None
        syllables = cut(word)
        return word if syllables and len(syllables.inner) + 1 == size else None

    def _acceptable(self, word: str, size: int) -> bool:
        """Whether a word is readable, and every three letters in a row are found in some words."""
        return self._familiar.issuperset(_runs(word)) and _readable(word, size)

    @cached_property
    def _familiar(self) -> frozenset[str]:
        return frozenset(run for run, count in self._counts["run"].items() if count >= _LEAST["run"])

    def _take(self, key: str, number: int) -> str:
        parts, bounds = self._tables[key]
        return parts[bisect_right(bounds, (number * bounds[-1]) >> 32)]


def open_stress(word: str) -> bool:
    """Whether the past and *-ing* of a verb would have a double letter or not, as its stress is: *giniped*."""
    return bool(_STRESSED.search(word))


def _runs(word: str) -> Iterator[str]:
    """Every three letters in a row, with the two ends of the word as letters."""
    text = f"^{word}$"
    return (text[k : k + 3] for k in range(len(text) - 2))


def _may_stand(key: str, part: str) -> bool:
    if key in ("onset", "inner"):
        return True
    return not _OPEN_END.search(f"l{part}") and not (key == "long" and _DERIVED.match(part))


def _readable(word: str, size: int) -> bool:
    longest = _LONGEST.get(size, 4 * size)
    bare = size == 1 and word[0] in "aeiou"
    return not bare and 3 <= len(word) <= longest and not _AWKWARD.search(word) and not _OPEN_END.search(word)
