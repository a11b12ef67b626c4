"""Which noun phrase is the subject of which verb group.

A noun phrase right before a verb group is its subject, unless it is the object inside a relative clause that stands
between the verb group and its own subject (*the guests who admire the chef | leave*). A relative clause is opened by
a relative pronoun behind its head and closed by the next verb group that is not its own. Subjects are stated only
where this reading is the one reading.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from operator import eq
from typing import Any, NamedTuple

from blimpgen.audit.guards.chunks import Chunk, GroupTraits, Traits, VerbGroup, chunk_forms, phrase_form
from blimpgen.audit.guards.kinds import Ahead, marks
from blimpgen.audit.guards.nominals import Nominal, NominalReader
from blimpgen.audit.guards.tokens import Places, Reading, Readings, Spans, Vocabulary, number_of_cell
from blimpgen.english.words import SplitSentence, split_sentence

__all__ = ["Clause", "Parse", "finite_cells"]

_PLURAL = frozenset({"Plur"})
_DISAGREES, _CLAUSELESS, _DOUBLED = (marks([name]) for name in ("disagrees", "clauseless", "doubled"))
_KEPT = 1 << 16
"""How many layouts of sentences are remembered."""


class Clause(NamedTuple):
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


class Parse:
    """A sentence with its phrases and clauses.

    Args:
        sentence: its words and marks.
        places: the words as the vocabulary has them.
        vocabulary: what the words may be.

    Attributes:
        sentence: the words.
        places: the words with the forms that begin at each.
        chunks: its shallow phrases.
        certain: whether every word has an analysis at its place, and no verb may be a noun.
        groups: all verb groups with the numbers of their chunks.
        clauses: those with a finite verb group, in order.
        nominals: all noun phrases, those inside others included.
        folded: what spaces separate, in lower case, without the final mark.
        marks: of its chunks; *disagrees*, *clauseless*, *doubled*.
        disagreeing: the clauses whose verb does not agree with its subject, unless that may open a clause of its own,
            or the verb be bare because something is wished.
    """

    def __init__(self, sentence: SplitSentence, places: Places, vocabulary: Vocabulary) -> None:
        self.sentence, self.places = sentence, places
        forms = chunk_forms([place.kind for place in self.places])
        filled: list[Any] = []
        at = found = 0
        for form in forms:
            filled.append(form.form.filled(self.places, at))
            at += form.length
            found |= form.marks
        self.chunks: tuple[Chunk, ...] = tuple(filled)
        self._layout = _layout(tuple([form.traits for form in forms]))
        self.certain = self._layout.certain
        self.groups: tuple[tuple[int, VerbGroup], ...] = tuple([(k, filled[k]) for k in self._layout.groups])
        self.clauses = tuple([_clause(filled, place, subject) for place, subject in self._layout.subjects])
        phrases = [chunk for chunk in filled if type(chunk) is Nominal]
        if any(phrase.possessor or phrase.complement for phrase in phrases):
            phrases = [inner for phrase in phrases for inner in _inside(phrase)]
        self.nominals: tuple[Nominal, ...] = tuple(phrases)
        clitics = sentence.words is not sentence.tokens
        self.folded = tuple(map(str.lower, sentence.tokens) if clitics else [place.folded for place in places])
        faults = [clause for clause in self.clauses if clause.subject and not _agrees(clause.group, clause.subject)]
        self.disagreeing = tuple(
            [each for each in faults if not self._may_open(each.subject) and not self._may_be_wished(each, vocabulary)]
        )
        if any(map(eq, self.folded, self.folded[1:])):
            found |= _DOUBLED
        self.marks: int = found | (_DISAGREES if self.disagreeing else 0 if self.clauses else _CLAUSELESS)

    @classmethod
    def of(cls, text: str, vocabulary: Vocabulary) -> Parse:
        """A sentence as written, with its phrases and clauses.

        Args:
            text: the sentence.
            vocabulary: what its words may be.
        """
        sentence = split_sentence(text)
        return cls(sentence, vocabulary.places(sentence.words), vocabulary)

    def verbs_differ(self, other: Parse) -> bool:
        """Whether another sentence has other verb groups, or clauses elsewhere."""
        if self._layout is not other._layout:
            return True
        return any(a != b and a[2:] != b[2:] for (_, a), (_, b) in zip(self.groups, other.groups, strict=True))

    def _may_open(self, subject: Nominal | None) -> bool:
        """Whether the determiner of a subject behind a verb may open a clause: *knows that books*, *what books*."""
        if subject is None or subject.start == 0:
            return False
        opens = self.sentence.words[subject.start] in ("that", "what", "which")
        return opens and "Plur" in {r.cell for r in subject.head}

    def _may_be_wished(self, clause: Clause, vocabulary: Vocabulary) -> bool:
        """Whether a clause may say what is to be done, with a bare verb: *insisted that he leave*."""
        before = [group for place, group in self.groups if place < clause.place]
        wishes = bool(before) and any(vocabulary.lists(reading, "V.that.bare") for reading in before[-1].verbs)
        return wishes and any(reading.cell in ("bare", "pres_pl") for reading in clause.group.verbs)

    def phrase_at(self, start: int) -> Nominal | None:
        """The longest noun phrase that begins at a word, whatever stands before; None if there is none."""
        form = phrase_form([place.kind for place in self.places], start)
        return form.filled(self.places, start) if form is not None else None

    def noun_end(self, start: int) -> int:
        """The end of adjectives and a noun that begin at a word; the word itself if there are none."""
        return start + NominalReader(Ahead([place.kind for place in self.places], start)).noun_end(0)

    def spans(self, at: int) -> Spans:
        """The ends and readings of the forms that begin at a word, the longest first; none outside the sentence."""
        spans = self.places[at].spans if 0 <= at < len(self.places) else ()
        return tuple((at + length, readings) for length, readings in spans)

    def readings(self, at: int, *categories: str) -> Readings:
        """The readings of the longest form of some categories that begins at a word; () outside the sentence."""
        return self.places[at].longest[categories][1] if 0 <= at < len(self.places) else ()

    def end(self, at: int, *categories: str) -> int:
        """The end of the longest form of some categories that begins at a word; the word itself if there is none."""
        return at + self.places[at].longest[categories][0] if 0 <= at < len(self.places) else at

    def kind(self, place: int) -> str:
        """The kind of the chunk at a place: nominal, group, a word's kind, or the empty string outside."""
        kinds = self._layout.kinds
        return kinds[place] if 0 <= place < len(kinds) else ""

    def has(self, kind: str) -> bool:
        """Whether a chunk is of a kind."""
        return kind in self._layout.kinds

    def auxiliary(self, place: int) -> Readings:
        """The auxiliary of the verb group at a place: its own, or in a question the one before its subject."""
        group = self.chunks[place]
        asked = self.kind(place - 1) == "nominal" and place not in self._layout.participles
        if not isinstance(group, VerbGroup) or group.auxiliary or not asked:
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


def finite_cells(group: VerbGroup) -> tuple[Reading, ...]:
    """The readings in which a verb group is finite: of its auxiliary if it has one, else of its verb."""
    return tuple(r for r in group.auxiliary or group.verbs if number_of_cell(r))


def _agrees(group: VerbGroup, subject: Nominal) -> bool:
    return not group.numbers.isdisjoint(subject.numbers)


def _inside(phrase: Nominal) -> list[Nominal]:
    parts = [part for part in (phrase.possessor, phrase.complement) if part is not None]
    return [phrase, *(inner for part in parts for inner in _inside(part))] if parts else [phrase]


class _Subject(NamedTuple):
    """The subject of a verb group, by the number of its chunk; None where it is not certain, or a wh-word."""

    place: int | None
    relation: str
    plural: bool = False


def _clause(chunks: list[Any], place: int, subject: _Subject) -> Clause:
    at, relation, plural = subject
    phrase: Nominal | None = chunks[at] if at is not None else None
    if phrase is not None and plural:
        phrase = phrase._replace(numbers=_PLURAL)
    return Clause(chunks[place], phrase, relation, place)


class _Layout(NamedTuple):
    """What follows from the traits of the chunks of a sentence.

    Attributes:
        kinds: of the chunks.
        groups: numbers of the verb groups.
        certain: as in `Parse`.
        subjects: number of each finite verb group, with its subject.
        participles: numbers of the participles that belong to their nouns.
    """

    kinds: tuple[str, ...]
    groups: tuple[int, ...]
    certain: bool
    subjects: tuple[tuple[int, _Subject], ...]
    participles: frozenset[int]


@lru_cache(maxsize=_KEPT)
def _layout(traits: tuple[Traits, ...]) -> _Layout:
    kinds = tuple("group" if isinstance(chunk, GroupTraits) else chunk for chunk in traits)
    groups = tuple(k for k, chunk in enumerate(traits) if isinstance(chunk, GroupTraits))
    certain = "unknown" not in kinds and not any(isinstance(c, GroupTraits) and c.ambiguous for c in traits)
    clauses = _Clauses(traits, kinds)
    return _Layout(kinds, groups, certain, tuple(clauses.run()), frozenset(filter(clauses.main_behind, groups)))


class _Clauses:
    """Goes through the chunks with a stack of subjects whose relative clause is not closed yet."""

    def __init__(self, traits: tuple[Traits, ...], kinds: tuple[str, ...]) -> None:
        self.traits, self.kinds = traits, kinds
        self.open: list[int | None] = []
        self.later: dict[int, _Subject] = {}  # of verb groups behind a participle: *the lamps used by Paul | were*
        self.asking: frozenset[str] = frozenset()

    def run(self) -> Iterator[tuple[int, _Subject]]:
        for place, chunk in enumerate(self.traits):
            if isinstance(chunk, GroupTraits):
                if chunk.ambiguous:
                    return
                if main := self.main_behind(place):
                    self.later[main] = self.subject(place)
                elif self.finite(place, chunk):
                    yield place, self.later.get(place) or self.subject(place)
            elif chunk == "unknown":
                return
            elif chunk == "rel":
                certain = self.kind(place - 2) not in ("group", "prep")
                self.open.append(self.nominal(place - 1) if certain else None)

    def kind(self, place: int) -> str:
        return self.kinds[place] if 0 <= place < len(self.kinds) else ""

    def nominal(self, place: int) -> int | None:
        return place if self.kind(place) == "nominal" else None

    def group(self, place: int) -> GroupTraits | None:
        chunk = self.traits[place] if 0 <= place < len(self.traits) else None
        return chunk if isinstance(chunk, GroupTraits) else None

    def behind_gerund(self, place: int) -> bool:
        """Whether a verb with its object, which begins the sentence, is the subject: *Peeling plums is fun*."""
        first = self.group(0)
        return place == 2 and first is not None and not first.finite and self.kind(1) == "nominal"

    def finite(self, place: int, group: GroupTraits) -> bool:
        """Whether a verb group is finite.

        It is not if it is what a question's auxiliary selects, *leave* in *let her leave*, or *used* in *was used*.
        """
        copula = self.group(place - 1) if not group.auxiliary else None
        if self.kind(place - 1) == "to" or not group.finite or (copula is not None and not copula.verbs):
            return False
        if self.inverted(place):
            self.asking = group.selects
        before = self.group(place - 2) if self.kind(place - 1) == "nominal" else None
        nonfinite = self.asking | {"bare"} if before is not None and before.causative else self.asking
        return group.auxiliary or not group.cells & nonfinite

    def main_behind(self, place: int) -> int:
        """The number of the finite verb group behind a participle that belongs to its noun; 0 if there is none."""
        group, before, end = self.group(place), self.group(place - 2), place + 1
        if group is None or group.auxiliary or "part" not in group.cells or self.kind(place - 1) != "nominal":
            return 0
        while self.kind(end) == "prep" and self.kind(end + 1) == "nominal":
            end += 2
        main = self.group(end) if end > place + 1 else None
        caused = before is not None and before.causative  # *saw the guest hidden by Anna leave*
        return end if main is not None and main.finite and not caused else 0

    def inverted(self, place: int) -> bool:
        """Whether a lone auxiliary stands here before its subject."""
        group = self.group(place)
        before = [self.kind(place - step) for step in (1, 2, 3)]
        fronted = before[0] in ("wh", "") or before == ["nominal", "conj", "wh"]
        return group is not None and not group.verbs and fronted

    def subject(self, place: int) -> _Subject:
        """The subject of the verb group at a place, and the relation of its clause."""
        if self.behind_gerund(place):
            return _Subject(None, "main")
        if self.inverted(place):
            return self.inverted_subject(place + 1)
        before = self.kind(place - 1)
        if before == "rel":
            return _Subject(self.nominal(place - 2), "relative")
        if before == "nominal":
            return self.behind_nominal(place)
        if before in ("group", "refl", "adv", "adj") and self.open:
            return _Subject(self.open.pop(), "main")
        return _Subject(None, "wh" if before == "wh" else "main")

    def inverted_subject(self, place: int) -> _Subject:
        joined = self.kind(place + 1) == "conj" and self.kind(place + 2) == "nominal"
        return _Subject(self.nominal(place), "main", joined)

    def behind_nominal(self, place: int) -> _Subject:
        phrase, start = self.nominal(place - 1), place - 2
        while self.kind(start) == "focus":
            start -= 1
        before = self.kind(start)
        if before == "rel":
            return _Subject(phrase, "relative")
        if before == "group" and self.open:
            return _Subject(self.open.pop(), "main")
        if before == "conj" and self.kind(start - 1) == "nominal" and "group" not in self.kinds[:start]:
            return _Subject(phrase, "main", plural=True)
        if before in ("comp", "wh", "sub", "group"):
            return _Subject(phrase, "embedded")
        return _Subject(phrase if before in ("", "conj") else None, "main")
