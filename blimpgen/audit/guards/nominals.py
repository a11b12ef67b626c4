"""Noun phrases: determiner, adjectives and noun, with a possessor and an *of* or *about* complement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from blimpgen.audit.guards.kinds import Ahead, Pick, Sign, Signs, picked
from blimpgen.audit.guards.tokens import Place, Readings, text_of

__all__ = ["BOTH", "Nominal", "NominalForm", "NominalOutline", "NominalReader"]

BOTH = frozenset({"Sing", "Plur"})
_NUMBERS = {"sg": "Sing", "mass": "Sing", "pl": "Plur"}


class Nominal(NamedTuple):
    """A noun phrase.

    Attributes:
        start, end: its words.
        kind: noun, name or pronoun.
        head: readings of its head.
        noun: the head as written.
        numbers: the numbers that the phrase may have.
        fits: whether the determiner fits the noun in some reading.
        determiner: readings of the determiner, () if it has none.
        adjectives: readings of each adjective.
        possessor: the phrase before 's.
        complement: the phrase after of or about.
    """

    start: int
    end: int
    kind: str
    head: Readings
    noun: str
    numbers: frozenset[str]
    fits: bool
    determiner: Readings
    adjectives: tuple[Readings, ...]
    possessor: Nominal | None
    complement: Nominal | None


class NominalOutline(NamedTuple):
    """A noun phrase among kinds, its words counted from the first that is looked at.

    Attributes:
        noun: the words of its head.
        doubtful: it may as well end earlier, before a verb (*the patient mop*).
    """

    start: int
    end: int
    kind: str
    head: Signs
    noun: tuple[int, int]
    numbers: frozenset[str]
    fits: bool = True
    determiner: Signs = ()
    adjectives: tuple[Signs, ...] = ()
    possessor: NominalOutline | None = None
    complement: NominalOutline | None = None
    doubtful: bool = False

    def inside(self) -> Iterator[NominalOutline]:
        """The phrase and those inside it."""
        yield self
        for part in (self.possessor, self.complement):
            if part is not None:
                yield from part.inside()


class NominalForm(NamedTuple):
    """What a noun phrase of some kinds is made of, wherever it stands: see `NominalOutline` and `Nominal`."""

    outline: NominalOutline
    head: Pick
    determiner: Pick | None
    adjectives: tuple[Pick, ...]
    possessor: NominalForm | None
    complement: NominalForm | None

    @classmethod
    def of(cls, outline: NominalOutline) -> NominalForm:
        """Make the form of an outline."""
        return cls(
            outline,
            picked(outline.head),
            picked(outline.determiner) if outline.determiner else None,
            tuple(map(picked, outline.adjectives)),
            cls.of(outline.possessor) if outline.possessor is not None else None,
            cls.of(outline.complement) if outline.complement is not None else None,
        )

    def filled(self, places: Sequence[Place], base: int) -> Nominal:
        """The phrase in a sentence.

        Args:
            places: the words of the sentence.
            base: the word from which those of the outline are counted.
        """
        outline, head, determiner, adjectives, possessor, complement = self
        start, end = outline.noun
        return Nominal(
            base + outline.start,
            base + outline.end,
            outline.kind,
            places[base + head.at].chosen[head],
            text_of(places, base + start, base + end),
            outline.numbers,
            outline.fits,
            places[base + determiner.at].chosen[determiner] if determiner is not None else (),
            tuple([places[base + pick.at].chosen[pick] for pick in adjectives]) if adjectives else (),
            possessor.filled(places, base) if possessor is not None else None,
            complement.filled(places, base) if complement is not None else None,
        )


class _Core(NamedTuple):
    """Adjectives and a noun: where the noun begins and ends, and its readings."""

    adjectives: tuple[Signs, ...]
    start: int
    end: int
    head: Signs


class NominalReader:
    """Finds noun phrases among kinds.

    Args:
        ahead: the kinds.
    """

    def __init__(self, ahead: Ahead) -> None:
        self.ahead = ahead

    def at(self, start: int) -> NominalOutline | None:
        """Find the longest noun phrase that begins at a word; None if there is none."""
        phrase = self._simple(start)
        while phrase is not None and self.ahead.word(phrase.end) in ("'s", "'"):
            owned = self._phrase(phrase.end + 1, None)
            phrase = owned._replace(start=start, possessor=phrase) if owned is not None else None
        return None if phrase is None else self._complemented(phrase)

    def noun_end(self, start: int) -> int:
        """Where adjectives and a noun that begin at a word end; the word itself if there are none."""
        cores = self._cores(start)
        return cores[0].end if cores else start

    def _complemented(self, phrase: NominalOutline) -> NominalOutline:
        word = self.ahead.word(phrase.end)
        if phrase.kind == "noun" and _takes(phrase.head, word):
            inner = self.at(phrase.end + 1)
            if inner is not None:
                return phrase._replace(end=inner.end, complement=inner)
        return phrase

    def _simple(self, start: int) -> NominalOutline | None:
        end, names = self.ahead.read(start, "Name")
        determined = self._determined(start)
        if names and (determined is None or determined.end <= end):
            return NominalOutline(start, end, "name", names, (start, end), frozenset(sign.cell for sign in names))
        if determined is not None:
            return determined
        end, pronouns = self.ahead.read(start, "Pron")
        if pronouns:
            third = all(sign.number for sign in pronouns)
            numbers = frozenset(sign.number for sign in pronouns) if third else BOTH
            return NominalOutline(start, end, "pronoun", pronouns, (start, start + 1), numbers)
        return self._phrase(start, ())

    def _determined(self, start: int) -> NominalOutline | None:
        """A noun phrase with a determiner, the longest that fits: *a little* before *tea*, *a* before *little cafe*."""
        modified, _ = self.ahead.read(start, "NumMod")
        first: NominalOutline | None = None
        for begin in dict.fromkeys((start, modified)):
            for end, signs in self.ahead.spans(begin):
                determiner = tuple(sign for sign in signs if sign.category in ("D", "Poss"))
                phrase = self._phrase(end, determiner) if determiner else None
                if phrase is not None and phrase.fits:
                    return phrase._replace(start=start)
                first = first or phrase
        return None if first is None else first._replace(start=start)

    def _phrase(self, start: int, determiner: Signs | None) -> NominalOutline | None:
        """Adjectives and a noun, in the first way that fits the determiner.

        Args:
            start: the first word.
            determiner: the readings of what stands before; () for a bare noun, None after a possessor.
        """
        readings = [_nominal(core, start, determiner) for core in self._cores(start)]
        phrases = [phrase for phrase in readings if phrase is not None]
        fitting = [phrase for phrase in phrases if phrase.fits] or phrases[:1]
        doubtful = any(self.ahead.read(other.end, "V")[1] for other in fitting[1:] if other.end < fitting[0].end)
        return fitting[0]._replace(doubtful=doubtful) if fitting else None

    def _cores(self, start: int) -> list[_Core]:
        """Adjectives and a noun, the longest first; a compound (*civil engineer*) before its parts."""
        end, nouns = self.ahead.read(start, "N")
        cores = [_Core((), start, end, nouns)] if nouns else []
        for end, signs in self.ahead.spans(start):
            adjective = tuple(sign for sign in signs if sign.category == "A" and sign.cell == "form")
            for core in self._cores(end) if adjective else ():
                cores.append(core._replace(adjectives=(adjective, *core.adjectives)))
        return sorted(cores, key=lambda core: -core.end)


def _takes(head: Signs, word: str) -> bool:
    return word == "of" or (bool(word) and any(word in sign.prepositions for sign in head))


def _nominal(core: _Core, start: int, determiner: Signs | None) -> NominalOutline | None:
    head = tuple(sign for sign in core.head if determiner != () or sign.slots != ("sg",))
    if not head:
        return None
    # A bare form that is both numbers may also be what is left of a phrase that is not known.
    numbers = _numbers(head, determiner or ()) if len(head) == len(core.head) else BOTH
    noun = core.start, core.end
    return NominalOutline(
        start, core.end, "noun", head, noun, numbers or BOTH, bool(numbers), determiner or (), core.adjectives
    )


def _numbers(head: Signs, determiner: Signs) -> frozenset[str]:
    """The numbers that determiner and noun have in common."""
    admitted = {slot for slot in _NUMBERS if not determiner or any(_admits(d, slot) for d in determiner)}
    slots = {slot for sign in head for slot in sign.slots} & admitted
    if slots and any(sign.either for sign in head):
        slots = admitted
    if slots and any(sign.partitive for sign in determiner):
        slots = set(_NUMBERS)
    return frozenset(_NUMBERS[slot] for slot in slots)


def _admits(determiner: Sign, slot: str) -> bool:
    """Whether a determiner, in the form of its cell, stands before a noun of a number class."""
    return determiner.category == "Poss" or slot in determiner.slots
