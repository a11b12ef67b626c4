"""Which noun phrase is the subject of which verb group.

A noun phrase right before a verb group is its subject, unless it is the object inside a relative clause that stands
between the verb group and its own subject (*the guests who admire the chef | leave*). A relative clause is opened by
a relative pronoun behind its head and closed by the next verb group that is not its own. Subjects are stated only
where this reading is the one reading.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from blimpgen.audit.guards.chunks import Chunk, VerbGroup, Word, chunks
from blimpgen.audit.guards.nominals import BOTH, Nominal
from blimpgen.audit.guards.tokens import Reading, Readings, Vocabulary
from blimpgen.english.words import SplitSentence

__all__ = ["Clause", "Parse", "parse"]

_SINGULAR, _PLURAL = frozenset({"Sing"}), frozenset({"Plur"})
_CELL_NUMBERS = {"pres_sg": _SINGULAR, "pres_pl": _PLURAL, "bare": _PLURAL, "past": BOTH}


@dataclass(frozen=True)
class Clause:
    """A verb group with its subject.

    Attributes:
        group: the verb group.
        subject: its subject; None where it is not certain, or a wh-word.
        relation: main, relative, embedded or wh (the subject is who or what).
        place: the number of the verb group's chunk.
    """

    group: VerbGroup
    subject: Nominal | None
    relation: str
    place: int


@dataclass(frozen=True)
class Parse:
    """A sentence with its phrases and clauses.

    Attributes:
        sentence: the words.
        chunks: its shallow phrases.
        clauses: the clauses with a finite verb group, in order.
    """

    sentence: SplitSentence
    chunks: tuple[Chunk, ...] = field(repr=False)
    clauses: tuple[Clause, ...] = field(repr=False)

    def nominals(self) -> Iterator[Nominal]:
        """All noun phrases, those inside others included."""
        for chunk in self.chunks:
            if isinstance(chunk, Nominal):
                yield from _inside(chunk)

    @cached_property
    def _groups(self) -> tuple[tuple[int, VerbGroup], ...]:
        return tuple((k, c) for k, c in enumerate(self.chunks) if isinstance(c, VerbGroup))

    def groups(self) -> Iterator[tuple[int, VerbGroup]]:
        """All verb groups with the numbers of their chunks."""
        return iter(self._groups)

    @cached_property
    def _kinds(self) -> tuple[str, ...]:
        return tuple(map(kind_of, self.chunks))

    @property
    def certain(self) -> bool:
        """Whether every word has an analysis at its place, and no verb may be a noun."""
        return not any(
            (isinstance(c, VerbGroup) and c.ambiguous) or (isinstance(c, Word) and c.kind == "unknown")
            for c in self.chunks
        )

    def kind(self, place: int) -> str:
        """The kind of the chunk at a place: nominal, group, a word's kind, or the empty string outside."""
        return self._kinds[place] if 0 <= place < len(self._kinds) else ""

    def auxiliary(self, place: int) -> Readings:
        """The auxiliary of the verb group at a place: its own, or in a question the one before its subject."""
        group = self.chunks[place]
        if not isinstance(group, VerbGroup) or group.auxiliary or self.kind(place - 1) != "nominal":
            return group.auxiliary if isinstance(group, VerbGroup) else ()
        before = self.chunks[place - 2] if place > 1 else None
        lone = isinstance(before, VerbGroup) and not before.verbs and self.kind(place - 3) in ("", "wh")
        return before.auxiliary if lone and isinstance(before, VerbGroup) else ()

    def text(self, start: int, end: int) -> str:
        """Words as written.

        Args:
            start: the first word, from 0.
            end: the first word that is left out.
        """
        return " ".join(self.sentence.words[start:end]).replace(" '", "'")


def parse(sentence: SplitSentence, vocabulary: Vocabulary) -> Parse:
    """The shallow structure of a sentence.

    Args:
        sentence: its words and marks.
        vocabulary: what the words may be.
    """
    phrases = chunks(sentence.words, vocabulary)
    return Parse(sentence, phrases, tuple(_Clauses(phrases, vocabulary).run()))


def kind_of(chunk: Chunk) -> str:
    """What a chunk is: nominal, group, or the kind of a word."""
    return chunk.kind if isinstance(chunk, Word) else "group" if isinstance(chunk, VerbGroup) else "nominal"


def finite_cells(group: VerbGroup) -> tuple[Reading, ...]:
    """The readings in which a verb group is finite: of its auxiliary if it has one, else of its verb."""
    if group.auxiliary:
        return tuple(r for r in group.auxiliary if r.cell.startswith(("pres_", "past_")))
    return tuple(r for r in group.verbs if r.cell in _CELL_NUMBERS)


def number_of_cell(reading: Reading) -> frozenset[str]:
    """The numbers of the subjects that a form of a verb or auxiliary agrees with; none if it is not finite."""
    if reading.category == "Aux":
        finite = reading.cell.startswith(("pres_", "past_"))
        return (_SINGULAR if "_sg" in reading.cell else _PLURAL) if finite else frozenset()
    return _CELL_NUMBERS.get(reading.cell, frozenset())


def subject_numbers(group: VerbGroup) -> frozenset[str]:
    """The numbers of the subjects that the finite word of a verb group agrees with."""
    return frozenset().union(*map(number_of_cell, finite_cells(group)))


def tenses(group: VerbGroup) -> frozenset[str]:
    """The tenses, Pres and Past, that the finite word may have."""
    return frozenset("Past" if r.cell.startswith("past") else "Pres" for r in finite_cells(group))


def _inside(phrase: Nominal) -> Iterator[Nominal]:
    yield phrase
    for part in (phrase.possessor, phrase.complement):
        if part is not None:
            yield from _inside(part)


class _Clauses:
    """Goes through the chunks with a stack of subjects whose relative clause is not closed yet."""

    def __init__(self, phrases: Sequence[Chunk], vocabulary: Vocabulary) -> None:
        self.chunks, self.vocabulary = phrases, vocabulary
        self.kinds = tuple(map(kind_of, phrases))
        self.open: list[Nominal | None] = []
        self.asking: frozenset[str] = frozenset()

    def run(self) -> Iterator[Clause]:
        for place, chunk in enumerate(self.chunks):
            if isinstance(chunk, Word):
                if chunk.kind == "unknown":
                    return
                if chunk.kind == "rel":
                    self.open.append(self.nominal(place - 1) if self.kind(place - 2) != "group" else None)
            if isinstance(chunk, VerbGroup):
                if chunk.ambiguous:
                    return
                if self.finite(place, chunk):
                    yield Clause(chunk, *self.subject(place), place)

    def kind(self, place: int) -> str:
        return self.kinds[place] if 0 <= place < len(self.kinds) else ""

    def nominal(self, place: int) -> Nominal | None:
        chunk = self.chunks[place] if 0 <= place < len(self.chunks) else None
        return chunk if isinstance(chunk, Nominal) else None

    def group(self, place: int) -> VerbGroup | None:
        chunk = self.chunks[place] if 0 <= place < len(self.chunks) else None
        return chunk if isinstance(chunk, VerbGroup) else None

    def finite(self, place: int, group: VerbGroup) -> bool:
        """Whether a verb group is finite: not what a question's auxiliary selects, nor *leave* in *let her leave*."""
        if self.kind(place - 1) == "to" or not finite_cells(group):
            return False
        if self.inverted(place):
            self.asking = frozenset(self.vocabulary.value(r, "selects") for r in group.auxiliary)
        before = self.group(place - 2) if self.kind(place - 1) == "nominal" else None
        causative = before is not None and any(self.vocabulary.lists(r, "V.NP.bare") for r in before.verbs)
        nonfinite = self.asking | {"bare"} if causative else self.asking
        return bool(group.auxiliary) or not any(r.cell in nonfinite for r in group.verbs)

    def inverted(self, place: int) -> bool:
        """Whether a lone auxiliary stands here before its subject."""
        group = self.group(place)
        before = [self.kind(place - step) for step in (1, 2, 3)]
        fronted = before[0] in ("wh", "") or before == ["nominal", "conj", "wh"]
        return group is not None and not group.verbs and fronted

    def subject(self, place: int) -> tuple[Nominal | None, str]:
        """The subject of the verb group at a place, and the relation of its clause."""
        if self.inverted(place):
            return self.inverted_subject(place + 1), "main"
        before = self.kind(place - 1)
        if before == "rel":
            return self.nominal(place - 2), "relative"
        if before == "nominal":
            return self.behind_nominal(place)
        if before in ("group", "refl", "adv", "adj") and self.open:
            return self.open.pop(), "main"
        return None, "wh" if before == "wh" else "main"

    def inverted_subject(self, place: int) -> Nominal | None:
        phrase = self.nominal(place)
        joined = self.kind(place + 1) == "conj" and self.kind(place + 2) == "nominal"
        return replace(phrase, numbers=_PLURAL) if phrase is not None and joined else phrase

    def behind_nominal(self, place: int) -> tuple[Nominal | None, str]:
        phrase, start = self.nominal(place - 1), place - 2
        while self.kind(start) == "focus":
            start -= 1
        before = self.kind(start)
        if before == "rel":
            return phrase, "relative"
        if before == "group" and self.open:
            return self.open.pop(), "main"
        if before == "conj" and self.kind(start - 1) == "nominal" and "group" not in map(kind_of, self.chunks[:start]):
            return replace(phrase, numbers=_PLURAL) if phrase is not None else None, "main"
        if before in ("comp", "wh", "sub", "group"):
            return phrase, "embedded"
        return (phrase, "main") if before in ("", "conj") else (None, "main")
