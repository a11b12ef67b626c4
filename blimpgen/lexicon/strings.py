"""All surface strings of a library, interned, so that columns of words are columns of small integers.

A string is stored as it is joined: with its space before it (`` the``), or glued to what precedes (``.``, ``'s``).
Beside the text the pool keeps what the sampler and the realizer ask of it: whether it begins with a vowel sound,
and a hash of its word sequence that can be combined with those of its neighbours.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blimpgen.english.words import capitalized
from blimpgen.lexicon.language import CONSONANT, SILENT, SOUNDS, VOWEL, Join, LanguageModel

__all__ = ["EMPTY", "StringPool"]

EMPTY = 0
_BASE = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_ONSETS = {"V": VOWEL, "C": CONSONANT}


class StringPool:
    """Interned strings; number 0 is the empty string.

    Args:
        language: how they are written.
    """

    def __init__(self, language: LanguageModel) -> None:
        self.language = language
        self._space = " " if language.spaces == "yes" else ""
        self._index: dict[tuple[str, int], int] = {}
        self._numbers: dict[tuple[str, bool, str], int] = {}
        self._sounds: dict[str, int] = {}
        self._texts: list[str] = []
        self._onsets: list[int] = []
        self._values: list[int] = []
        self._powers: list[int] = []
        self._arrays: dict[str, NDArray[Any]] = {}
        self.add("")

    def add(self, text: str, *, glued: bool = False, onset: str = "") -> int:
        """The number of a string, new or known.

        Args:
            text: one or more words.
            glued: no space before it.
            onset: V or C where the spelling misleads.
        """
        number = self._numbers.get((text, glued, onset))
        if number is None:
            number = self._numbers[text, glued, onset] = self._number(text, glued, onset)
        return number

    def _number(self, text: str, glued: bool, onset: str) -> int:
        stored = text if glued or not text else self._space + text
        sound = _ONSETS[onset] if onset else self._sound(text[:1])
        number = self._index.get((stored, sound))
        if number is None:
            number = self._index[stored, sound] = len(self._texts)
            self._texts.append(stored)
            self._onsets.append(sound)
        return number

    def _sound(self, letter: str) -> int:
        """How a string begins whose spelling does not mislead, by its first letter."""
        sound = self._sounds.get(letter)
        if sound is None:
            sound = self._sounds[letter] = self.language.onset(letter)
        return sound

    def add_all(self, texts: Iterable[str], onsets: Iterable[str]) -> NDArray[np.int32]:
        """The numbers of many strings.

        Args:
            texts: the strings; one that is empty gets -1.
            onsets: for each, V or C where the spelling misleads, else empty.
        """
        numbers, result = self._numbers, []
        for text, onset in zip(texts, onsets, strict=True):
            key = (text, False, onset)
            number = numbers.get(key) if text else -1
            if number is None:
                number = numbers[key] = self._number(*key)
            result.append(number)
        return np.array(result, dtype=np.int32)

    def text(self, number: int) -> str:
        """The stored string."""
        return self._texts[number]

    @property
    def texts(self) -> NDArray[np.object_]:
        """All stored strings by number."""
        return self._array("texts", self._texts, object)

    @property
    def openings(self) -> NDArray[np.object_]:
        """Each stored string as it begins a plain sentence: without the space before it."""
        return self._array("openings", self._texts, object, lambda t: t.removeprefix(" "))

    @property
    def capitals(self) -> NDArray[np.object_]:
        """Each stored string as it begins a sentence: without the space before it, with a capital."""
        return self._array("capitals", self._texts, object, lambda t: capitalized(t.removeprefix(" ")))

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Length of each stored string in characters."""
        return self._array("lengths", self._texts, np.int64, len)

    @property
    def onsets(self) -> NDArray[np.int8]:
        """How each stored string begins: see `language`."""
        return self._array("onsets", self._onsets, np.int8)

    def may_follow(self, numbers: NDArray[np.int32], join: Join) -> NDArray[np.bool_]:
        """Which strings may follow the first word of a join, by their sound, letters and first word.

        Args:
            numbers: the strings, shape (n,).
            join: the join.
        """
        onsets = self.onsets[numbers]
        mask: NDArray[np.bool_] = onsets != SILENT if join.before == "anything" else onsets == SOUNDS[join.before]
        if join.letters:
            mask &= self._array(
                str(join.letters), self._texts, np.bool_, lambda t: t.strip().lower().startswith(tuple(join.letters))
            )[numbers]
        if second := join.words.partition(" ")[2]:
            mask &= self._array(f"begins {second}", self._texts, np.bool_, lambda t: t.split()[:1] == [second])[numbers]
        return mask

    def glued(self, numbers: NDArray[np.int32], *, without: str = "") -> NDArray[np.int32]:
        """The numbers of strings as they follow without a space, or without their first word.

        Args:
            numbers: the strings, shape (n,).
            without: the word that they begin with and lose; they keep their space.
        """
        kinds, places = np.unique(numbers, return_inverse=True)
        texts = (self._texts[k].strip().removeprefix(without).strip() for k in kinds)
        others = [self.add(text, glued=not without) if text else EMPTY for text in texts]
        return np.array(others, dtype=np.int32)[places]

    @property
    def values(self) -> NDArray[np.uint64]:
        """Hash of the word sequence of each string."""
        self._hash()
        return self._array("values", self._values, np.uint64)

    @property
    def powers(self) -> NDArray[np.uint64]:
        """What the hash of a prefix is multiplied with when the string follows it."""
        self._hash()
        return self._array("powers", self._powers, np.uint64)

    def _hash(self) -> None:
        """Hash what was added since, because a library that is only looked at needs no hashes."""
        for text in self._texts[len(self._values) :]:
            value, power = _sequence_hash(text)
            self._values.append(value)
            self._powers.append(power)

    def _array(self, name: str, data: list[Any], dtype: Any, of: Callable[[str], Any] | None = None) -> NDArray[Any]:
        """What is known of the strings as an array, made longer as strings are added."""
        values = self._arrays.get(name)
        if values is None or len(values) < len(data):
            new = data[0 if values is None else len(values) :]
            more = np.array([of(text) for text in new] if of else new, dtype=dtype)
            values = self._arrays[name] = more if values is None else np.concatenate([values, more])
        return values


def _sequence_hash(text: str) -> tuple[int, int]:
    value, power = 0, 1
    for word in text.split():
        digest = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "little")
        value, power = (value * _BASE + digest) & _MASK, (power * _BASE) & _MASK
    return value, power
