"""What a made-up word must not be taken for: a real word, one that sounds like it, a misspelt one, or parts of some.

Sound is told from spelling by rules. They are rough, and err on the safe side: *skool*, *phin*, *wrelate* and *koil*
sound like real words, and a few others are lost that do not.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property, lru_cache

__all__ = ["RealWords", "sound"]

_SPELLINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), by)
    for pattern, by in (
        (r"^(?:kn|gn|pn)", "n"),
        (r"^wr|^rh", "r"),
        (r"^wh", "w"),
        (r"^ps", "s"),
        (r"mb$", "m"),
        (r"mb(?=s$|ed$)", "m"),
        (r"ph", "f"),
        (r"sch|sk|sc(?![eiy])", "SK"),
        (r"sc", "s"),
        (r"tch", "ch"),
        (r"qu", "kw"),
        (r"x", "ks"),
        (r"c(?=[eiy])", "s"),
        (r"c(?!h)", "k"),
        (r"dg(?=e)|g(?=e(?:s|d|$))", "j"),
        (r"igh", "Y"),
        (r"gh(?=t)", ""),
        (r"([^aeiouy])\1", r"\1"),
        (r"z", "s"),
        (r"(?:a[iy]|ei|ey)", "A"),
        (r"e[ea]|ie(?=[^aeiouysd])", "E"),
        (r"oa", "O"),
        (r"oo|ou|ue|ew", "U"),
        (r"a[uw]", "Q"),
        (r"oi", "oy"),
        (r"a(?=[^aeiouyAEOUQ]e(?:s|d|$))", "A"),
        (r"e(?=[^aeiouyAEOUQ]e(?:s|d|$))", "E"),
        (r"[iy](?=[^aeiouyAEOUQ]e(?:s|d|$))", "Y"),
        (r"o(?=[^aeiouyAEOUQ]e(?:s|d|$))", "O"),
        (r"u(?=[^aeiouyAEOUQ]e(?:s|d|$))", "U"),
        (r"e$", ""),
        (r"(?<=[^st])e(?=s$)", ""),
        (r"(?<=[^td])e(?=d$)", ""),
        (r"[eiu]r", "R"),
        (r"y", "i"),
    )
)
_PREFIXES = ("a", "be", "co", "de", "en", "ex", "im", "in", "out", "up")
_PART, _WHOLE, _LONG, _HEARD = 3, 5, 6, 7
"""Letters of a real word that may be part of two, of one that shows by itself, of one that can be misspelt, and most
letters of one that another may sound like by chance."""


@lru_cache(maxsize=1 << 16)
def sound(word: str) -> str:
    """How a word of small letters sounds: the same text for words that sound the same."""
    for pattern, by in _SPELLINGS:
        word = pattern.sub(by, word)
    return word


class RealWords:
    """Real words and what is near to them.

    Args:
        words: forms, of small letters.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self.words = frozenset(words)
        self._cut = {text for word in self.words if len(word) >= _WHOLE for text in _with_a_letter_less(word)}

    @cached_property
    def _sounds(self) -> frozenset[str]:
        return frozenset(sound(word) for word in self.words if len(word) <= _HEARD)

    def like(self, lemma: str, forms: Collection[str]) -> bool:
        """Whether a made-up word may be taken for a real one.

        Args:
            lemma: the word.
            forms: all its forms.
        """
        if not self.words.isdisjoint(forms) or self._is_compound(lemma) or self.misspelt(lemma):
            return True
        return any(len(form) <= _HEARD and sound(form) in self._sounds for form in forms)

    def _is_compound(self, word: str) -> bool:
        """Whether a word is two real ones, a real one behind a prefix, or begins or ends with a longer one."""
        for k in range(1, len(word)):
            head, tail = word[:k], word[k:]
            are_words = head in self.words, tail in self.words
            if (are_words[0] and k >= _WHOLE) or (are_words[1] and len(tail) >= _WHOLE):
                return True
            if are_words[1] and len(tail) >= _PART and (head in _PREFIXES or (are_words[0] and k >= _PART)):
                return True
        return False

    def misspelt(self, word: str) -> bool:
        """Whether a longer word is a real one with a letter more, less, or another."""
        if len(word) < _LONG:
            return False
        shorter = {*_with_a_letter_less(word)}
        return word in self._cut or not shorter.isdisjoint(self.words) or not shorter.isdisjoint(self._cut)


def _with_a_letter_less(word: str) -> Iterator[str]:
    for k in range(len(word)):
        yield word[:k] + word[k + 1 :]
