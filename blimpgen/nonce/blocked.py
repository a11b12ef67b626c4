"""What no made-up word may be: real words that the lexicon lacks, and strings that offend.

``blocked.tsv`` holds hashes, so that things can be looked up in it, and it cannot be read. A row ``word`` blocks a
form, a row ``sound`` every form that sounds like it (`blimpgen.english.likeness.sound`), a row ``part`` every form that
contains it. The words are those of large English word lists that the syllable model can make, with those that are an
inflected form of what it can make; the sounds are those of short frequent words. `hashes` makes the rows anew from
such lists.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from blimpgen.base.errors import DataError
from blimpgen.base.sources import read_tsv
from blimpgen.english.likeness import sound

__all__ = ["Blocked", "hashes"]

_HASH = re.compile(r"[0-9a-f]{8}")
_SHORTEST, _LONGEST = 3, 8  # of a part


class Blocked:
    """The blocked words and parts of some folders.

    Args:
        folders: the table folders.
    """

    def __init__(self, folders: Sequence[Path]) -> None:
        self._rows: dict[str, set[int]] = {"word": set(), "sound": set(), "part": set()}
        for folder in folders:
            path = folder / "blocked.tsv"
            if path.exists():
                table = read_tsv(path, ("hash", "what"), required=("hash", "what"))
                for k, (digest, what) in enumerate(zip(table.column("hash"), table.column("what"), strict=True)):
                    if what not in self._rows or not _HASH.fullmatch(digest):
                        problem = "a row is a hash of eight hexadecimal digits, then word, sound or part"
                        raise DataError(problem, table.place(k), "value")
                    self._rows[what].add(int(digest, 16))

    def blocks(self, lemma: str, forms: Iterable[str]) -> bool:
        """Whether a word is blocked: a form of it, how a form sounds, or a part of its lemma.

        Args:
            lemma: its citation form.
            forms: all its forms.
        """
        for form in forms:
            if _digest(form) in self._rows["word"] or _digest(sound(form)) in self._rows["sound"]:
                return True
        return not self._rows["part"].isdisjoint(map(_digest, _parts(lemma)))


def hashes(words: Iterable[str], sounds: Iterable[str], parts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The rows of ``blocked.tsv``, in order.

    Args:
        words: forms to block.
        sounds: words to block with everything that sounds like them.
        parts: strings of three to eight letters to block wherever they stand.
    """
    for what, texts in (("part", parts), ("sound", map(sound, sounds)), ("word", words)):
        yield from ((f"{digest:08x}", what) for digest in sorted(set(map(_digest, texts))))


def _digest(text: str) -> int:
    return zlib.crc32(text.encode())


def _parts(form: str) -> Iterator[str]:
    for size in range(_SHORTEST, _LONGEST + 1):
        yield from (form[k : k + size] for k in range(len(form) - size + 1))
