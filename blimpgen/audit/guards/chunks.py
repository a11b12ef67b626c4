"""Shallow phrases: noun phrases and verb groups, found from left to right by the longest match.

A *verb group* is a verb with its auxiliary, negation and the adverbs between them. What is neither a noun phrase nor
a verb group is a *word* with a kind: rel, comp, wh, conj, sub, to, there, prep, focus, adv, adj, refl, left (a
determiner without noun) or unknown. Nothing is guessed: where a word has no analysis that fits its place it is
unknown, where a verb may be a noun it is marked as ambiguous, and guards stay silent behind both.

Phrases are looked for among the kinds of words (`kinds.py`). What is found there is an *outline*, from which the phrase
of a sentence is filled in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from blimpgen.audit.guards.kinds import Ahead, Kind, Pick, Remembered, Signs, marks, picked
from blimpgen.audit.guards.nominals import Nominal, NominalForm, NominalOutline, NominalReader
from blimpgen.audit.guards.tokens import Place, Readings, number_of_cell, text_of

__all__ = ["Chunk", "ChunkForm", "GroupTraits", "Traits", "VerbGroup", "Word", "chunk_forms", "phrase_form"]

_CLOSED = ("Rel", "Wh", "Dwh", "Comp", "Expl", "Part", "Subordinator", "Conj")
_KINDS = {
    "Refl": "refl",
    "Recip": "refl",
    "Focus": "focus",
    "Wh": "wh",
    "Dwh": "wh",
    "Comp": "comp",
    "Conj": "conj",
    "Subordinator": "sub",
    "P": "prep",
    "D": "left",
    "A": "adj",
    "Adv": "adv",
    "NPI": "adv",
}


class VerbGroup(NamedTuple):
    """A verb with its auxiliary.

    Attributes:
        start, end: its words.
        auxiliary: readings of the auxiliary, () if there is none.
        negated: with n't or not.
        verbs: readings of the main verb, () behind a lone auxiliary.
        verb: the main verb as written.
        ambiguous: the word may be a noun at this place.
        numbers: those of the subjects that its finite word agrees with.
        tenses: Pres and Past, as the finite word may have.
    """

    start: int
    end: int
    auxiliary: Readings
    negated: bool
    verbs: Readings
    verb: str
    ambiguous: bool
    numbers: frozenset[str]
    tenses: frozenset[str]


class Word(NamedTuple):
    """Any other word, with its kind."""

    start: int
    end: int
    kind: str


Chunk: TypeAlias = "Nominal | VerbGroup | Word"


@dataclass(frozen=True, eq=False, slots=True)
class GroupTraits:
    """What clauses depend on in a verb group; groups that are alike in it have the same object.

    Attributes:
        ambiguous: as in `VerbGroup`.
        finite: whether it is finite in a reading.
        auxiliary, verbs: whether it has an auxiliary, a verb.
        selects: the forms that its auxiliary selects.
        cells: the forms of its verb.
        causative: its verb may have an object and a bare infinitive.
    """

    ambiguous: bool
    finite: bool
    auxiliary: bool
    verbs: bool
    selects: frozenset[str]
    cells: frozenset[str]
    causative: bool


_group_traits = lru_cache(maxsize=None)(GroupTraits)

Traits: TypeAlias = "str | GroupTraits"
"""What clauses depend on in a chunk: nominal, the kind of a word, or the traits of a verb group."""


class _Before(NamedTuple):
    """What stands before a chunk.

    Attributes:
        kind: pronoun, nominal, group, the kind of a word, or empty at the beginning of the sentence.
        opens: a wh-word that begins the sentence.
        objectless: a verb that lists no frame in which anything follows it.
        asks: a wh-word that may have a noun.
        lone_be: *be* without a verb, or that and the noun phrase behind it.
        passive: *be* and a participle.
    """

    kind: str
    opens: bool = False
    objectless: bool = False
    asks: bool = False
    lone_be: bool = False
    passive: bool = False


class _GroupOutline(NamedTuple):
    """A verb group among kinds, its words counted from its first; the main verb is given by its words."""

    end: int
    auxiliary: Signs
    negated: bool
    verbs: Signs
    verb: tuple[int, int]
    ambiguous: bool = False


class _WordOutline(NamedTuple):
    """Another word among kinds."""

    end: int
    kind: str


class _GroupForm(NamedTuple):
    """What a verb group of some kinds is made of."""

    outline: _GroupOutline
    auxiliary: Pick | None
    verbs: Pick | None
    numbers: frozenset[str]
    tenses: frozenset[str]

    @classmethod
    def of(cls, outline: _GroupOutline) -> _GroupForm:
        auxiliary, verbs = (picked(signs) if signs else None for signs in (outline.auxiliary, outline.verbs))
        finite = [sign for sign in outline.auxiliary or outline.verbs if number_of_cell(sign)]
        numbers: frozenset[str] = frozenset().union(*map(number_of_cell, finite))
        tenses = frozenset("Past" if sign.cell.startswith("past") else "Pres" for sign in finite)
        return cls(outline, auxiliary, verbs, numbers, tenses)

    def filled(self, places: Sequence[Place], base: int) -> VerbGroup:
        outline, auxiliary, verbs, numbers, tenses = self
        start, end = outline.verb
        return VerbGroup(
            base,
            base + outline.end,
            places[base + auxiliary.at].chosen[auxiliary] if auxiliary is not None else (),
            outline.negated,
            places[base + verbs.at].chosen[verbs] if verbs is not None else (),
            text_of(places, base + start, base + end) if start < end else "",
            outline.ambiguous,
            numbers,
            tenses,
        )


class _WordForm(NamedTuple):
    """What another word of some kinds is."""

    outline: _WordOutline

    def filled(self, places: Sequence[Place], base: int) -> Word:
        return Word(base, base + self.outline.end, self.outline.kind)


class ChunkForm(NamedTuple):
    """A chunk as it follows from kinds.

    Attributes:
        length: its words.
        form: what fills it in.
        traits: what clauses depend on.
        before: what stands before the next chunk.
        marks: categories and forms of its words, what it is, and single words, as `needs` of guards name them.
    """

    length: int
    form: NominalForm | _GroupForm | _WordForm
    traits: Traits
    before: _Before
    marks: int


def chunk_forms(kinds: Sequence[Kind]) -> list[ChunkForm]:
    """The shallow phrases of a sentence, in order and without gaps.

    Args:
        kinds: of its words, clitics apart, without the final mark.
    """
    found, at, before = [], 0, _BEGINNING
    while at < len(kinds):
        chunk = _next_chunk(kinds, at, before)
        found.append(chunk)
        at, before = at + chunk.length, chunk.before
    return found


_BEGINNING = _Before("")


def _find_chunk(ahead: Ahead, before: _Before) -> ChunkForm:
    outline = _Chunker(ahead, before).run()
    names = {*_names(outline), *(name for at in range(outline.end) for name in ahead.names(at))}
    if isinstance(outline, NominalOutline):
        kind = "pronoun" if outline.kind == "pronoun" else "nominal"
        return ChunkForm(
            outline.end, NominalForm.of(outline), "nominal", _Before(kind, lone_be=before.lone_be), marks(names)
        )
    if isinstance(outline, _WordOutline):
        asks = outline.kind == "wh" and bool(ahead.read(outline.end - 1, "Dwh")[1])
        opens = outline.kind == "wh" and not before.kind
        before = _Before(outline.kind, opens, asks=asks)
        return ChunkForm(outline.end, _WordForm(outline), outline.kind, before, marks(names))
    objectless = bool(outline.verbs) and all(sign.objectless for sign in outline.verbs)
    form = _GroupForm.of(outline)
    lone_be = not outline.verbs and all(sign.is_be for sign in outline.auxiliary)
    passive = "passive" in names or (before.lone_be and any(sign.cell == "part" for sign in outline.verbs))
    before = _Before("group", objectless=objectless, lone_be=lone_be, passive=passive)
    return ChunkForm(outline.end, form, _traits(form), before, marks(names))


_next_chunk = Remembered(_find_chunk)


def _names(outline: NominalOutline | _GroupOutline | _WordOutline) -> Iterator[str]:
    """What a chunk is, as `needs` of guards name it.

    The kind of a word; a group that is negated, has *do*, has no verb (lone), or a verb in a form that its auxiliary
    does not select (misfit), or *be* and a participle (passive); a noun phrase that does not fit, or whose determiner
    is of no singular but open to it.
    """
    if isinstance(outline, _WordOutline):
        yield outline.kind
    elif isinstance(outline, NominalOutline):
        if not all(phrase.fits for phrase in outline.inside()):
            yield "unfit"
        determiners = [sign for phrase in outline.inside() for sign in phrase.determiner if sign.category == "D"]
        if any(sign.cell != "sg" and "sg" in sign.slots for sign in determiners):
            yield "open"
    else:
        if outline.negated:
            yield "negated"
        if not outline.verbs:
            yield "lone"
        elif outline.auxiliary and not _selected(outline.auxiliary, outline.verbs):
            yield "misfit"
        if outline.auxiliary and all(sign.is_be for sign in outline.auxiliary):
            yield from ("passive" for sign in outline.verbs if sign.cell == "part")
        if any(sign.is_do for sign in outline.auxiliary):
            yield "do"


def phrase_form(kinds: Sequence[Kind], start: int) -> NominalForm | None:
    """The longest noun phrase that begins at a word, whatever stands before; None if there is none.

    Args:
        kinds: of the words of a sentence.
        start: the first word of the phrase.
    """
    return _next_phrase(kinds, start, None)[0]


def _find_phrase(ahead: Ahead, _: None) -> tuple[NominalForm | None]:
    outline = NominalReader(ahead).at(0)
    return (NominalForm.of(outline) if outline is not None else None,)


_next_phrase = Remembered(_find_phrase)


def _traits(form: _GroupForm) -> GroupTraits:
    outline = form.outline
    return _group_traits(
        outline.ambiguous,
        bool(form.numbers),
        bool(outline.auxiliary),
        bool(outline.verbs),
        frozenset(sign.selects for sign in outline.auxiliary),
        frozenset(sign.cell for sign in outline.verbs),
        any(sign.causative for sign in outline.verbs),
    )


class _Chunker:
    """Finds the chunk that begins at the first of some kinds."""

    def __init__(self, ahead: Ahead, before: _Before) -> None:
        self.ahead, self.before = ahead, before
        self.read = ahead.read
        self.nominals = NominalReader(ahead)

    def run(self) -> NominalOutline | _GroupOutline | _WordOutline:
        chunk = self.closed() or self.phrase() or self.other()
        doubtful = isinstance(chunk, NominalOutline) and chunk.doubtful
        return _WordOutline(chunk.end, "unknown") if doubtful else chunk

    def phrase(self) -> NominalOutline | _GroupOutline | None:
        """A noun phrase or verb group; which of them comes first depends on what stands before."""
        if not self.behind("nominal", "pronoun", "rel", "there", "refl", "to"):
            phrase = self.nominals.at(0)
            if phrase is not None and not self.before.objectless and not self.is_done_too():
                return phrase
        group = self.verb_group()
        return self.doubted(group) if group is not None else self.nominals.at(0)

    def is_done_too(self) -> bool:
        """Whether a noun behind a passive says what its subject does: *was watched writing*."""
        return self.before.passive and any(sign.cell == "ing" for sign in self.read(0, "V")[1])

    def behind(self, *kinds: str) -> bool:
        return self.before.kind in kinds

    def doubted(self, group: _GroupOutline) -> _GroupOutline:
        """A verb group behind a relative pronoun, or *what*, may as well be a noun; *near* may be a preposition."""
        if group.auxiliary:
            return group
        subject = self.behind("rel") and self.subject_end(0) > 0
        inverted = self.before.asks and self.nominals.noun_end(0) > 0
        return group._replace(ambiguous=True) if subject or inverted or self.prepositional(group) else group

    def prepositional(self, group: _GroupOutline) -> bool:
        """Whether a verb may be a preposition, as another follows its noun phrase: *the pilot near Anna is tall*."""
        preposition = self.behind("nominal", "pronoun") and bool(self.read(0, "P")[1])
        phrase = self.nominals.at(group.end) if preposition else None
        return phrase is not None and bool(self.read(phrase.end, "V", "Aux")[1])

    def subject_end(self, at: int) -> int:
        """The end of a noun phrase that may be a subject: no other follows it; the word itself if there is none."""
        phrase = self.nominals.at(at)
        if phrase is None:
            return at
        another = self.nominals.at(phrase.end) is not None and not self.read(phrase.end, "V", "Aux")[1]
        return at if another else phrase.end

    # Words

    def closed(self) -> _WordOutline | None:
        """Words whose kind depends on what stands before them."""
        end, signs = self.read(0, *_CLOSED)
        if not signs or (self.read(0, "D")[1] and not self.clausal()):
            return None
        kinds = {sign.category for sign in signs}
        if "Rel" in kinds and self.behind("nominal", "refl"):
            return _WordOutline(end, "rel")
        if self.behind("") and "Dwh" in kinds:
            end = self.asked_noun(end)
        for category in ("Wh", "Dwh", "Comp", "Conj", "Subordinator"):
            if category in kinds:
                return _WordOutline(end, _KINDS[category])
        text = self.ahead.word(0).lower()
        return _WordOutline(end, text) if text in ("to", "there") else None

    def asked_noun(self, at: int) -> int:
        """The end of a noun that belongs to a wh-word at the beginning of a question."""
        end = self.nominals.noun_end(at)
        return end if self.read(end, "Aux")[1] else at

    def clausal(self) -> bool:
        """Whether a word such as *that* opens a clause here: after a noun, or elsewhere unless its noun follows."""
        if self.behind("nominal", "pronoun"):
            return self.behind("nominal")
        if not self.behind("group", "refl", "adj"):
            return False
        phrase = self.nominals.at(0)
        return self.behind("refl") or phrase is None or not phrase.fits

    def other(self) -> _WordOutline:
        for end, signs in self.ahead.spans(0):
            categories = {sign.category for sign in signs}
            kind = next((kind for category, kind in _KINDS.items() if category in categories), "")
            if kind:
                return _WordOutline(end, kind)
        return _WordOutline(1, "unknown")

    # Verb groups

    def verb_group(self) -> _GroupOutline | None:
        start, _ = self.adverbs(0)
        end, auxiliary = self.read(start, "Aux")
        if not auxiliary:
            return self.plain(start)
        after, with_not = self.adverbs(end)
        negated = with_not or all(sign.cell.endswith("_neg") for sign in auxiliary)
        lone = _GroupOutline(end, auxiliary, negated, (), (0, 0))
        if self.inverted(after, auxiliary):
            return lone
        verb_end, verbs = self.verb(after, auxiliary)
        fits = _selected(auxiliary, verbs)
        if not fits and self.behind("wh") and self.before.opens:
            return lone._replace(ambiguous=True)
        main = self.plain(start) if not fits and not negated else None
        if main is not None or not verbs:
            return main or lone
        return _GroupOutline(verb_end, auxiliary, negated, verbs, (after, verb_end))

    def plain(self, start: int) -> _GroupOutline | None:
        """A verb without auxiliary; what owns something is none, such as *tutor* in *the tutor's leaving*."""
        end, verbs = self.read(start, "V")
        if not verbs or self.ahead.word(end) in ("'s", "'"):
            return None
        return _GroupOutline(end, (), False, verbs, (start, end))

    def inverted(self, at: int, auxiliary: Signs) -> bool:
        """Whether the subject of a question follows, and behind it the verb that the auxiliary selects."""
        if not self.behind("", "wh"):
            return False
        end = self.coordinated_end(at)
        start, _ = self.adverbs(end)
        return at < end and _selected(auxiliary, self.read(start, "V")[1])

    def coordinated_end(self, at: int) -> int:
        """The end of a noun phrase with what is coordinated with it; the word itself if there is none."""
        phrase = self.nominals.at(at)
        if phrase is None:
            return at
        joined, conjunction = self.read(phrase.end, "Conj")
        second = self.nominals.at(joined) if conjunction else None
        return second.end if second is not None else phrase.end

    def verb(self, at: int, auxiliary: Signs) -> tuple[int, Signs]:
        """The verb behind an auxiliary, unless what stands there is an adjective, or the subject of a question."""
        end, verbs = self.read(at, "V")
        fits = _selected(auxiliary, verbs)
        if (
            all(sign.is_be for sign in auxiliary)
            and self.read(at, "A")[0] == end > at
            and (not fits or self.nominals.at(end) is None)
        ):
            return at, ()
        return (at, ()) if verbs and not fits and self.nominals.at(at) is not None else (end, verbs)

    def adverbs(self, at: int) -> tuple[int, bool]:
        """The end of the adverbs that begin at a word, and whether *not* is among them."""
        negated = False
        while self.ahead.word(at) not in ("to", "'s", "'"):
            end, signs = self.read(at, "Adv", "NPI", "Part")
            if not signs:
                break
            negated |= self.ahead.word(at) == "not" and end == at + 1
            at = end
        return at, negated


def _selected(auxiliary: Signs, verbs: Signs) -> bool:
    """Whether a verb has the form that the auxiliary selects."""
    return any(a.selects == verb.cell for a in auxiliary for verb in verbs)
