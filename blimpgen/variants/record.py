"""What a variant, or a study of single nouns, asks for, in one record.

The manifest stores the record, and the same record makes the same set again.

A file that a variant reads is named with its SHA-256, so that a set is never repeated with another file unnoticed.
"""

from __future__ import annotations

import hashlib
import math
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from blimpgen.base.errors import DataError, Place, UsageError, nearest

__all__ = [
    "FileRef",
    "Split",
    "Study",
    "TokenizerRef",
    "Variant",
    "WordClass",
    "Wug",
    "file_ref",
    "parse_classes",
    "parse_range",
    "parse_split",
    "parse_wug",
]


LOWEST, HIGHEST = 0.0, 10.0  # of the Zipf scale


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class FileRef(_Record):
    """A file as it was when the set was made."""

    path: Annotated[str, Field(description="As it was given.")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]

    def read(self) -> bytes:
        """The content of the file.

        Raises:
            DataError: it is not there, or is not the file that the record names.
        """
        content = _content(self.path)
        if hashlib.sha256(content).hexdigest() != self.sha256:
            raise DataError("not the file that the set was made with: its SHA-256 is another", Place(self.path))
        return content


class TokenizerRef(_Record):
    """A tokenizer as it was when the set was made."""

    name: Annotated[str, Field(description="A file, a folder, or a name that transformers knows.")]
    sha256: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class Split(_Record):
    """One of two sets that share no content word."""

    share: Annotated[float, Field(gt=0, lt=1, description="Share of the words that the part train has.")]
    part: Literal["train", "test"]


WordClass = Literal["noun", "verb", "adj"]


class Wug(_Record):
    """One made-up noun in one slot."""

    slot: str
    singular: str = "wug"
    plural: str = "wuz"


class Variant(_Record):
    """How a set departs from the paradigms' own words."""

    vocab: Annotated[FileRef | None, Field(description="Only words of this file.")] = None
    min_count: Annotated[int, Field(ge=1, description="How often a word must stand in the vocabulary file.")] = 1
    zipf: Annotated[tuple[float, float] | None, Field(description="Lowest and highest Zipf frequency.")] = None
    match_zipf: Annotated[float | None, Field(ge=0, description="How far exchanged words may differ.")] = None
    split: Split | None = None
    tokenizer: TokenizerRef | None = None
    match_tokens: Annotated[bool, Field(description="All sentences of a pair have as many tokens.")] = False
    no_unk: Annotated[bool, Field(description="No sentence has the unknown token.")] = False
    single_token: Annotated[tuple[str, ...], Field(description="Slots whose words are single tokens.")] = ()
    nonce: Annotated[tuple[WordClass, ...], Field(description="Word classes of which the words are made up.")] = ()
    nonce_critical: Annotated[bool, Field(description="Also words in which the sentences differ.")] = False
    nonce_list: Annotated[FileRef | None, Field(description="The user's own made-up words.")] = None
    wug: Wug | None = None

    def __bool__(self) -> bool:
        return self != Variant()

    @property
    def restricts(self) -> bool:
        """Whether other rows are drawn, and not only other words written."""
        return bool(self.vocab or self.zipf or self.match_zipf is not None or self.split or self.tokenizer)

    @property
    def limits(self) -> str:
        """The options by which other rows are drawn, as they are typed; for messages."""
        tokens = [name for name, on in (("--match-tokens", self.match_tokens), ("--no-unk", self.no_unk)) if on]
        tokens += [f"--single-token {slot}" for slot in self.single_token]
        stated = [
            f"--vocab {self.vocab.path}" if self.vocab else "",
            f"--min-count {self.min_count}" if self.min_count > 1 else "",
            f"--zipf {self.zipf[0]:g}:{self.zipf[1]:g}" if self.zipf else "",
            f"--match-zipf {self.match_zipf:g}" if self.match_zipf is not None else "",
            f"--split lexemes:{self.split.share:g} (part {self.split.part})" if self.split else "",
            f"--tokenizer {self.tokenizer.name}" if self.tokenizer else "",
        ]
        return " ".join([*filter(None, stated), *tokens])


class Study(_Record):
    """Single nouns, each in sampled contexts, instead of pairs."""

    target: Annotated[str, Field(description="all, a noun, or SINGULAR/PLURAL.")] = "all"
    targets: Annotated[FileRef | None, Field(description="A file of target nouns, instead.")] = None
    samples: Annotated[int, Field(ge=1, description="Contexts a noun, if there are as many.")] = 500
    nouns: Annotated[FileRef | None, Field(description="Nouns instead of the lexicon's.")] = None
    verbs: Annotated[FileRef | None, Field(description="Agreeing verbs instead of the lexicon's.")] = None
    past_verbs: Annotated[
        FileRef | None, Field(description="Past forms before a reflexive, instead of the lexicon's.")
    ] = None


def file_ref(path: Path) -> FileRef:
    """A reference to a file as it is now.

    Raises:
        DataError: it cannot be read.
    """
    return FileRef(path=str(path), sha256=hashlib.sha256(_content(str(path))).hexdigest())


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", Place(path), "missing-file") from None


def parse_range(text: str) -> tuple[float, float]:
    """``3:5`` as two numbers; an open end is ``3:`` or ``:5``.

    Raises:
        UsageError: the text is no range.
    """
    low, colon, high = text.partition(":")
    try:
        bounds = float(low or LOWEST), float(high or HIGHEST)
    except ValueError:
        bounds = (1.0, 0.0)
    if not colon or not bounds[0] <= bounds[1] or not all(map(math.isfinite, bounds)):
        raise UsageError(f"no range of frequencies: {text!r}; write LOW:HIGH, such as 3:5, 3: or :5")
    return bounds


def parse_classes(text: str) -> tuple[WordClass, ...]:
    """Word classes, separated by commas, in one order.

    Raises:
        UsageError: an unknown class.
    """
    names: tuple[WordClass, ...] = get_args(WordClass)
    requested = text.split(",")
    for name in requested:
        if name not in names:
            raise UsageError(f"no made-up words of the class {name!r}; {nearest(name, names)}")
    return tuple(name for name in names if name in requested)


def parse_wug(text: str) -> Wug:
    """``SLOT`` or ``SLOT=SINGULAR/PLURAL``.

    Raises:
        UsageError: the text is neither.
    """
    slot, equals, forms = text.partition("=")
    words = forms.split("/")
    if not slot or (equals and (len(words) != 2 or not all(w.isalpha() and w.islower() for w in words))):
        raise UsageError(f"no made-up noun: {text!r}; write SLOT or SLOT=SINGULAR/PLURAL, such as subj=wug/wugs")
    return Wug(slot=slot, singular=words[0], plural=words[1]) if equals else Wug(slot=slot)


def parse_split(text: str) -> float:
    """The share in ``lexemes:0.5``.

    Raises:
        UsageError: the text is no split.
    """
    what, _, share = text.partition(":")
    try:
        fraction = float(share)
    except ValueError:
        fraction = 0.0
    if what != "lexemes" or not 0 < fraction < 1:
        raise UsageError(f"no split: {text!r}; write lexemes:SHARE with a share between 0 and 1, such as lexemes:0.5")
    return fraction
