"""A language: what ``language.yaml`` says of how it is written, and of words that change before others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blimpgen.base.errors import DataError
from blimpgen.base.folders import listed_files
from blimpgen.base.model_errors import first_error
from blimpgen.base.sources import Document, read_yaml

__all__ = ["CONSONANT", "LANGUAGE_FILE", "SILENT", "SOUNDS", "VOWEL", "Join", "LanguageModel", "read_language"]

LANGUAGE_FILE = "language.yaml"
"""The file that makes a folder of tables a language of its own."""
CONSONANT, VOWEL, SILENT = 0, 1, 2
"""How a string begins: with one of the two sounds, or with none because it is empty."""
SOUNDS = MappingProxyType({"vowel": VOWEL, "consonant": CONSONANT})
"""The sounds before which a join may be made, by their names in the file of a language."""

_Text = Annotated[str, Field(min_length=1, max_length=40)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Join(_Strict):
    """What happens where a word meets the next one: *a* is *an* before a vowel, *de el* becomes *del*."""

    words: Annotated[_Text, Field(description="The word; with a second one after a space, both become one.")]
    before: Annotated[
        Literal["anything", "vowel", "consonant"],
        Field(description="How the next word sounds; the column onset tells it of words whose spelling misleads."),
    ] = "anything"
    letters: Annotated[list[_Text], Field(description="Small letters of which the next word begins with any.")] = []
    becomes: _Text
    glued: Annotated[Literal["yes", "no"], Field(description="yes: the next word follows without a space.")] = "no"


class LanguageModel(_Strict):
    """The format of ``language.yaml``."""

    name: Annotated[_Text, Field(description="What the language is called in English.")]
    code: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description="Its BCP 47 tag: de, pt-BR.")]
    capitals: Annotated[Literal["first", "none"], Field(description="first: a sentence begins with one.")] = "first"
    spaces: Annotated[Literal["yes", "no"], Field(description="no: words are written without spaces.")] = "yes"
    marks: Annotated[str, Field(description="Marks that follow a word without a space.")] = ".?!,"
    opening: Annotated[str, Field(description="Marks that the next word follows without a space.")] = ""
    vowels: Annotated[str, Field(description="Small letters with which a word begins with the sound of a vowel.")] = (
        "aeiou"
    )
    joins: list[Join] = []
    classes: Annotated[
        dict[Literal["noun", "verb", "adj"], list[_Text]],
        Field(description="The word lists of each class of made-up words."),
    ] = {}

    @cached_property
    def all_joins(self) -> tuple[Join, ...]:
        """The joins of words and of opening marks."""
        return (*self.joins, *(Join(words=mark, becomes=mark, glued="yes") for mark in self.opening))

    @cached_property
    def joining(self) -> frozenset[str]:
        """The first words of joins."""
        return frozenset(join.words.partition(" ")[0] for join in self.all_joins)

    @cached_property
    def merges(self) -> bool:
        """Whether joins may make different words the same: *il* and *la* before a vowel."""
        forms = [join.becomes for join in self.joins]
        return len(set(forms)) < len(forms)

    def tokens(self, text: str) -> list[str]:
        """Cut a sentence into words and marks as a grammar reads them, joins of two words undone."""
        tokens: list[str] = []
        for piece in text.split():
            word = piece.strip(self.marks + self.opening)
            before, _, after = piece.partition(word) if word else (piece, "", "")
            tokens += before
            glued = next((j.becomes for j in self.joins if j.glued == "yes" and word.lower().startswith(j.becomes)), "")
            for part in filter(None, (word[: len(glued)], word[len(glued) :])):
                first, *others = self.parted(part[:1].lower() + part[1:])
                tokens += (part[:1] + first[1:], *others)
            tokens += after
        return tokens

    def parted(self, word: str) -> tuple[str, ...]:
        """The words that a join of two has made one: *del* is *de el*; any other word alone.

        Of a word that has changed once more (*dell'* before a vowel, from *del* or *della*) the second one is itself:
        `undisguised` says what that may be.
        """
        return self._parted.get(word, (word,))

    @cached_property
    def _parted(self) -> dict[str, tuple[str, ...]]:
        parted = {join.becomes: tuple(join.words.split()) for join in self.joins if " " in join.words}
        for join in self.joins:
            if join.words in parted:
                parted.setdefault(join.becomes, (parted[join.words][0], join.becomes))
        return parted

    @cached_property
    def disguises(self) -> frozenset[str]:
        """The words that another one may become before the next: *el*, which *la* is before *agua*."""
        return frozenset(join.becomes for join in self.joins if " " not in join.words)

    def undisguised(self, word: str, following: str) -> tuple[str, ...]:
        """The other words that a word may be before the next one.

        Args:
            word: as it is written.
            following: the next word.
        """
        found = [word]
        for written in found:
            for join in self.joins:
                if join.becomes == written and self._meets(join, following):
                    found += {self.parted(join.words)[-1]} - {*found}
        return tuple(found[1:])

    def _meets(self, join: Join, following: str) -> bool:
        """Whether a word of a join changes before the next one."""
        sound = SOUNDS.get(join.before, self.onset(following))
        letters = not join.letters or following.lower().startswith(tuple(join.letters))
        return " " not in join.words and self.onset(following) == sound and letters

    def is_mark(self, text: str) -> bool:
        """Whether a text is one mark of punctuation."""
        return len(text) == 1 and text in self.marks + self.opening

    def onset(self, text: str) -> int:
        """How a string begins, judged by its spelling: `VOWEL`, `CONSONANT`, or `SILENT` if it is empty."""
        return SILENT if not text else VOWEL if text[0].lower() in self.vowels else CONSONANT


def language_document(folders: Sequence[Path]) -> Document | None:
    """Read the file of a language from the last of some folders that has one, its content not checked."""
    paths = [path for folder in folders for path in listed_files(folder, LANGUAGE_FILE)]
    return read_yaml(paths[-1]) if paths else None


def read_language(folders: Sequence[Path]) -> LanguageModel:
    """Read the file of a language from the last of some folders that has one.

    Args:
        folders: the table folders.

    Raises:
        DataError: the file is not of the format, or a join can do nothing, with its line.
    """
    document = language_document(folders)
    if document is None:
        return LanguageModel(name="Unnamed", code="und")
    try:
        model = LanguageModel.model_validate(document.data)
    except ValidationError as error:
        raise first_error(error, _keys_at, document.place) from None
    for number, join in enumerate(model.joins):
        place = document.place("joins", number, "words")
        if len(join.words.split()) > 2:
            raise DataError(f"{join.words!r} has more than two words; join two of them first", place, "value")
        if " " in join.words and (join.before != "anything" or join.letters):
            what = f"{join.words!r} meets its own second word, so before and letters ask nothing"
            raise DataError(f"{what}; write another join for what it becomes", place, "value")
    return model


def _keys_at(keys: tuple[str | int, ...]) -> Iterable[str]:
    return Join.model_fields if "joins" in keys else LanguageModel.model_fields
