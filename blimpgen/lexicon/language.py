"""A language: what ``language.yaml`` says of how it is written, and of words that change before others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from blimpgen.base.errors import DataError
from blimpgen.base.folders import listed_files
from blimpgen.base.model_errors import first_error
from blimpgen.base.sources import Document, read_yaml
from blimpgen.english.words import capitalized

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
        """Whether joins may make different words the same: *il* and *la* before a vowel, *la* and *el* in *el agua*."""
        forms = [join.becomes for join in self.joins]
        return len(set(forms)) < len(forms) or bool(self.merging)

    @cached_property
    def merging(self) -> dict[str, list[Join]]:
        """The joins of one word that make several words the same, by what those become: *l'* of *il* and of *la*."""
        joins = [join for join in self.joins if " " not in join.words]
        groups = {form: [join for join in joins if join.becomes == form] for form in (join.becomes for join in joins)}
        joined = {word for join in self.joins for word in join.words.split()}
        return {form: group for form, group in groups.items() if len(group) > 1 or form in joined - {group[0].words}}

    def tokens(self, text: str) -> list[str]:
        """Cut a sentence into words and marks as a grammar reads them, joins of two words undone."""
        tokens: list[str] = []
        for piece, following in pairwise([*text.split(), ""]):
            word = piece.strip(self.marks + self.opening)
            before, _, after = piece.partition(word) if word else (piece, "", "")
            tokens += before
            glued = next((j.becomes for j in self.joins if self._is_glued(j, word)), "")
            parts = [*filter(None, (word[: len(glued)], word[len(glued) :])), following]
            for part, next_part in pairwise(parts):
                first, *others = self.parted(part[:1].lower() + part[1:])
                tokens.append(capitalized(first) if part[:1].isupper() else first)
                tokens += (self._by_itself(other, next_part) for other in others)
            tokens += after
        return tokens

    def _is_glued(self, join: Join, word: str) -> bool:
        """Whether a word is what a join makes of one, and the next one that follows without a space."""
        rest = word[len(join.becomes) :]
        begins = join.glued == "yes" and rest and word.lower().startswith(join.becomes)
        return bool(begins) and (" " in join.words or self._meets(join, rest))

    def _by_itself(self, word: str, following: str) -> str:
        """How the second word of *dello* is written without the first one: *lo* before *zio*."""
        written = next(iter(self.undisguised(word, following)), word) if word in self._parted else word
        for join in self.joins:
            if join.words == written and self._meets(join, following):
                written = join.becomes
        return written

    def unjoined(self, text: str) -> tuple[str, str] | None:
        """The first words of a sentence that a join would have changed, and what they would have become.

        Args:
            text: the sentence as it is written.
        """
        for piece, following in pairwise(text.split()):
            word = piece.lstrip(self.opening)
            lower, after = word[:1].lower() + word[1:], following.strip(self.marks)
            for join in self.joins if after else ():
                if join.words == f"{lower} {after}" or (join.words == lower and self._meets(join, after)):
                    return f"{lower} {after}", join.becomes if " " in join.words else self._together(join, after)
        return None

    def _together(self, join: Join, following: str) -> str:
        return f"{join.becomes}{'' if join.glued == 'yes' or self.spaces == 'no' else ' '}{following}"

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
        if what := _idle(join, model) or _shadowed(join, model.joins[:number]):
            raise DataError(what, document.place("joins", number, "words"), "value")
    return model


def _idle(join: Join, model: LanguageModel) -> str:
    """Why a join can do nothing, or not what it says; empty if it can."""
    if len(join.words.split()) > 2:
        return f"{join.words!r} has more than two words; join two of them first"
    if " " in join.words and (join.before != "anything" or join.letters):
        what = f"{join.words!r} meets its own second word, so before and letters ask nothing"
        return f"{what}; write another join for what it becomes"
    if join.letters and join.before != "anything":
        sound = SOUNDS[join.before]
        if all(model.onset(letters) != sound for letters in join.letters):
            return f"no {join.before} among the letters {', '.join(join.letters)}, so nothing is joined; leave one out"
    looks_ahead = join.before != "anything" or join.letters
    if looks_ahead and join.becomes.endswith(("'", "\N{RIGHT SINGLE QUOTATION MARK}")) and join.glued == "no":
        return f"{join.becomes!r} would stand apart from the next word; write glued: yes"
    return ""


def _shadowed(join: Join, earlier: Sequence[Join]) -> str:
    """Which earlier join takes all that a join is for; empty if none does."""
    for other in earlier:
        unconditional = other.before == "anything" and not other.letters and other.becomes != other.words
        if unconditional and other.words == join.words.partition(" ")[0] != join.words:
            what = f"{other.words!r} is always {other.becomes!r} by an earlier join, so {join.words!r} never meets"
            return f"{what}; put this one first"
        sounds = other.before in ("anything", join.before)
        letters = not other.letters or (
            join.letters and all(each.startswith(tuple(other.letters)) for each in join.letters)
        )
        if other.words == join.words != other.becomes and sounds and letters:
            what = f"{other.words!r} is {other.becomes!r} by an earlier join wherever this one would apply"
            return f"{what}; put this one first"
    return ""


def _keys_at(keys: tuple[str | int, ...]) -> Iterable[str]:
    return Join.model_fields if "joins" in keys else LanguageModel.model_fields
