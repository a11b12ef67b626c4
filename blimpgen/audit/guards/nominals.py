"""Noun phrases: determiner, adjectives and noun, with a possessor and an *of* or *about* complement."""

from __future__ import annotations

from dataclasses import dataclass, replace

from blimpgen.audit.guards.tokens import Reading, Readings, Vocabulary

__all__ = ["BOTH", "Nominal", "NominalReader"]

BOTH = frozenset({"Sing", "Plur"})
_NUMBERS = {"sg": "Sing", "mass": "Sing", "pl": "Plur"}
_SLOTS = {"count": ("sg",), "mass": ("mass",), "both": ("sg", "mass"), "ptan": ("pl",)}


@dataclass(frozen=True)
class Nominal:
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
        doubtful: it may as well end earlier, before a verb (*the patient mop*).
    """

    start: int
    end: int
    kind: str
    head: Readings
    noun: str
    numbers: frozenset[str]
    fits: bool = True
    determiner: Readings = ()
    adjectives: tuple[Readings, ...] = ()
    possessor: Nominal | None = None
    complement: Nominal | None = None
    doubtful: bool = False


@dataclass(frozen=True)
class _Core:
    """Adjectives and a noun: where the noun begins and ends, and its readings."""

    adjectives: tuple[Readings, ...]
    start: int
    end: int
    head: Readings


class NominalReader:
    """Finds noun phrases in a sentence.

    Args:
        words: the sentence.
        vocabulary: the readings of its words.
    """

    def __init__(self, words: tuple[str, ...], vocabulary: Vocabulary) -> None:
        self.words, self.vocabulary = words, vocabulary
        self._phrases: dict[int, Nominal | None] = {}

    def at(self, start: int) -> Nominal | None:
        """Find the longest noun phrase that begins at a word; None if there is none."""
        if start not in self._phrases:
            self._phrases[start] = self._longest(start)
        return self._phrases[start]

    def _longest(self, start: int) -> Nominal | None:
        phrase = self._simple(start)
        while phrase is not None and self._word(phrase.end) in ("'s", "'"):
            owned = self._phrase(phrase.end + 1, None)
            phrase = replace(owned, start=start, possessor=phrase) if owned is not None else None
        return None if phrase is None else self._complemented(phrase)

    def noun_end(self, start: int) -> int:
        """Where adjectives and a noun that begin at a word end; the word itself if there are none."""
        cores = self._cores(start)
        return cores[0].end if cores else start

    def _word(self, at: int) -> str:
        return self.words[at] if at < len(self.words) else ""

    def _complemented(self, phrase: Nominal) -> Nominal:
        word = self._word(phrase.end)
        if phrase.kind == "noun" and self._takes(phrase.head, word):
            inner = self.at(phrase.end + 1)
            if inner is not None:
                return replace(phrase, end=inner.end, complement=inner)
        return phrase

    def _takes(self, head: Readings, word: str) -> bool:
        return word == "of" or (bool(word) and any(f"{word}:" in self.vocabulary.value(r, "rel") for r in head))

    def _simple(self, start: int) -> Nominal | None:
        end, names = self.vocabulary.readings(self.words, start, ("Name",))
        determined = self._determined(start)
        if names and (determined is None or determined.end <= end):
            return Nominal(start, end, "name", names, " ".join(self.words[start:end]), frozenset(r.cell for r in names))
        if determined is not None:
            return determined
        end, pronouns = self.vocabulary.readings(self.words, start, ("Pron",))
        if pronouns:
            third = self.vocabulary.every(pronouns, "Person", "3")
            numbers = frozenset(self.vocabulary.value(r, "Number") for r in pronouns) if third else BOTH
            return Nominal(start, end, "pronoun", pronouns, self.words[start], numbers)
        return self._phrase(start, ())

    def _determined(self, start: int) -> Nominal | None:
        modified, _ = self.vocabulary.readings(self.words, start, ("NumMod",))
        for begin in dict.fromkeys((start, modified)):
            for end, readings in self.vocabulary.spans(self.words, begin):
                determiner = tuple(r for r in readings if r.category in ("D", "Poss"))
                phrase = self._phrase(end, determiner) if determiner else None
                if phrase is not None:
                    return replace(phrase, start=start)
        return None

    def _phrase(self, start: int, determiner: Readings | None) -> Nominal | None:
        """Adjectives and a noun, in the first way that fits the determiner.

        Args:
            start: the first word.
            determiner: the readings of what stands before; () for a bare noun, None after a possessor.
        """
        readings = [self._nominal(core, start, determiner) for core in self._cores(start)]
        phrases = [phrase for phrase in readings if phrase is not None]
        fitting = [phrase for phrase in phrases if phrase.fits] or phrases[:1]
        doubtful = any(
            self.vocabulary.readings(self.words, other.end, ("V",))[1]
            for other in fitting[1:]
            if other.end < fitting[0].end
        )
        return replace(fitting[0], doubtful=doubtful) if fitting else None

    def _nominal(self, core: _Core, start: int, determiner: Readings | None) -> Nominal | None:
        head = tuple(r for r in core.head if determiner != () or self._slots(r) != ("sg",))
        if not head:
            return None
        # A bare form that is both numbers may also be what is left of a phrase that is not known.
        numbers = self._numbers(head, determiner or ()) if len(head) == len(core.head) else BOTH
        noun = " ".join(self.words[core.start : core.end])
        return Nominal(
            start, core.end, "noun", head, noun, numbers or BOTH, bool(numbers), determiner or (), core.adjectives
        )

    def _cores(self, start: int) -> list[_Core]:
        """Adjectives and a noun, the longest first; a compound (*civil engineer*) before its parts."""
        end, nouns = self.vocabulary.readings(self.words, start, ("N",))
        cores = [_Core((), start, end, nouns)] if nouns else []
        for end, readings in self.vocabulary.spans(self.words, start):
            adjective = tuple(r for r in readings if r.category == "A" and r.cell == "form")
            for core in self._cores(end) if adjective else ():
                cores.append(replace(core, adjectives=(adjective, *core.adjectives)))
        return sorted(cores, key=lambda core: -core.end)

    def _slots(self, reading: Reading) -> tuple[str, ...]:
        """The number classes (sg, pl, mass) of a noun form; an unstable plural (*media*) has all of them."""
        if reading.cell == "Sing":
            return _SLOTS[self.vocabulary.value(reading, "count")]
        return ("pl",) if self.vocabulary.value(reading, "number_stable") != "no" else tuple(_NUMBERS)

    def _numbers(self, head: Readings, determiner: Readings) -> frozenset[str]:
        """The numbers that determiner and noun have in common."""
        admitted = {slot for slot in _NUMBERS if not determiner or any(self._admits(d, slot) for d in determiner)}
        slots = {slot for r in head for slot in self._slots(r)} & admitted
        if slots and any(r.cell == "Sing" and self.vocabulary.value(r, "agr") == "either" for r in head):
            slots = admitted
        if slots and any(self._partitive(d) for d in determiner):
            slots = set(_NUMBERS)
        return frozenset(_NUMBERS[slot] for slot in slots)

    def _admits(self, determiner: Reading, slot: str) -> bool:
        """Whether a determiner, in the form of its cell, stands before a noun of a number class."""
        opened = self.vocabulary.value(determiner, "open").split(",")
        return determiner.category == "Poss" or determiner.cell == slot or slot in opened

    def _partitive(self, determiner: Reading) -> bool:
        """Whether a determiner is of the kind *none of the*, whose own number is not that of the noun."""
        return "of" in self.vocabulary.value(determiner, "lemma").split()[:-1]
