"""Shallow phrases: noun phrases and verb groups, found from left to right by the longest match.

A *verb group* is a verb with its auxiliary, negation and the adverbs between them. What is neither a noun phrase nor
a verb group is a *word* with a kind: rel, comp, wh, conj, sub, to, there, prep, focus, adv, adj, refl, left (a
determiner without noun) or unknown. Nothing is guessed: where a word has no analysis that fits its place it is
unknown, where a verb may be a noun it is marked as ambiguous, and guards stay silent behind both.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

from blimpgen.audit.guards.nominals import Nominal, NominalReader
from blimpgen.audit.guards.tokens import Readings, Vocabulary

__all__ = ["Chunk", "VerbGroup", "Word", "chunks"]

_CLOSED = ("Rel", "Wh", "Dwh", "Comp", "Expl", "Part", "Subordinator", "Conj")
_KINDS = {
    "Refl": "refl",
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


@dataclass(frozen=True)
class VerbGroup:
    """A verb with its auxiliary.

    Attributes:
        start, end: its words.
        auxiliary: readings of the auxiliary, () if there is none.
        negated: with n't or not.
        verbs: readings of the main verb, () behind a lone auxiliary.
        verb: the main verb as written.
        ambiguous: the word may be a noun at this place.
    """

    start: int
    end: int
    auxiliary: Readings
    negated: bool
    verbs: Readings
    verb: str
    ambiguous: bool = False


@dataclass(frozen=True)
class Word:
    """Any other word, with its kind."""

    start: int
    end: int
    kind: str


Chunk: TypeAlias = "Nominal | VerbGroup | Word"


def chunks(words: tuple[str, ...], vocabulary: Vocabulary) -> tuple[Chunk, ...]:
    """The shallow phrases of a sentence, in order and without gaps.

    Args:
        words: of the sentence, clitics apart, without its final mark.
        vocabulary: what the words may be.
    """
    return tuple(_Chunker(words, vocabulary).run())


class _Chunker:
    def __init__(self, words: tuple[str, ...], vocabulary: Vocabulary) -> None:
        self.words, self.vocabulary = words, vocabulary
        self.nominals = NominalReader(words, vocabulary)
        self.previous: Chunk | None = None

    def run(self) -> Iterator[Chunk]:
        at = 0
        while at < len(self.words):
            chunk = self.closed(at) or self.phrase(at) or self.other(at)
            if isinstance(chunk, Nominal) and chunk.doubtful:
                chunk = Word(at, chunk.end, "unknown")
            yield chunk
            self.previous, at = chunk, chunk.end

    def phrase(self, at: int) -> Nominal | VerbGroup | None:
        """A noun phrase or verb group; which of them comes first depends on what stands before."""
        if not isinstance(self.previous, Nominal) and not self.behind("rel", "there", "refl", "to"):
            phrase = self.nominals.at(at)
            if phrase is not None and not self.objectless():
                return phrase
        group = self.verb_group(at)
        return self.doubted(group) if group is not None else self.nominals.at(at)

    def behind(self, *kinds: str) -> bool:
        return isinstance(self.previous, Word) and self.previous.kind in kinds

    def read(self, at: int, *categories: str) -> tuple[int, Readings]:
        return self.vocabulary.readings(self.words, at, categories)

    def objectless(self) -> bool:
        """Whether the verb before lists no frame in which anything follows it."""
        group = self.previous
        return isinstance(group, VerbGroup) and self.vocabulary.every(group.verbs, "frames", "V")

    def doubted(self, group: VerbGroup) -> VerbGroup:
        """A verb group behind a relative pronoun, or *what*, may as well be a noun; *near* may be a preposition."""
        if group.auxiliary:
            return group
        subject = self.behind("rel") and self.subject_end(group.start) > group.start
        inverted = (
            self.behind("wh")
            and self.nominals.noun_end(group.start) > group.start
            and bool(self.read(group.start - 1, "Dwh")[1])
        )
        return replace(group, ambiguous=True) if subject or inverted or self.prepositional(group) else group

    def prepositional(self, group: VerbGroup) -> bool:
        """Whether a verb may be a preposition, as another follows its noun phrase: *the pilot near Anna is tall*."""
        phrase = self.nominals.at(group.end) if isinstance(self.previous, Nominal) else None
        return (
            phrase is not None and bool(self.read(group.start, "P")[1]) and bool(self.read(phrase.end, "V", "Aux")[1])
        )

    def subject_end(self, at: int) -> int:
        """The end of a noun phrase that may be a subject: no other follows it; the word itself if there is none."""
        phrase = self.nominals.at(at)
        if phrase is None:
            return at
        another = self.nominals.at(phrase.end) is not None and not self.read(phrase.end, "V", "Aux")[1]
        return at if another else phrase.end

    # Words

    def closed(self, at: int) -> Word | None:
        """Words whose kind depends on what stands before them."""
        end, readings = self.read(at, *_CLOSED)
        if not readings or (self.read(at, "D")[1] and not self.clausal(at)):
            return None
        kinds = {r.category for r in readings}
        behind_noun = isinstance(self.previous, Nominal) and self.previous.kind != "pronoun"
        if "Rel" in kinds and (behind_noun or self.behind("refl")):
            return Word(at, end, "rel")
        if at == 0 and "Dwh" in kinds:
            end = self.asked_noun(end)
        for category in ("Wh", "Dwh", "Comp", "Conj", "Subordinator"):
            if category in kinds:
                return Word(at, end, _KINDS[category])
        text = self.words[at].lower()
        return Word(at, end, text) if text in ("to", "there") else None

    def asked_noun(self, at: int) -> int:
        """The end of a noun that belongs to a wh-word at the beginning of a question."""
        end = self.nominals.noun_end(at)
        return end if self.read(end, "Aux")[1] else at

    def clausal(self, at: int) -> bool:
        """Whether a word such as *that* opens a clause here: after a noun, or elsewhere unless its noun follows."""
        if isinstance(self.previous, Nominal):
            return self.previous.kind != "pronoun"
        if not isinstance(self.previous, VerbGroup) and not self.behind("refl", "adj"):
            return False
        phrase = self.nominals.at(at)
        return self.behind("refl") or phrase is None or not phrase.fits

    def other(self, at: int) -> Word:
        for end, readings in self.vocabulary.spans(self.words, at):
            categories = {r.category for r in readings}
            kind = next((kind for category, kind in _KINDS.items() if category in categories), "")
            if kind:
                return Word(at, end, kind)
        return Word(at, at + 1, "unknown")

    # Verb groups

    def verb_group(self, at: int) -> VerbGroup | None:
        start, _ = self.adverbs(at)
        end, auxiliary = self.read(start, "Aux")
        if not auxiliary:
            return self.plain(at, start)
        after, more = self.adverbs(end)
        negated = "not" in more or all(r.cell.endswith("_neg") for r in auxiliary)
        lone = VerbGroup(at, end, auxiliary, negated, (), "")
        if self.inverted(after, auxiliary):
            return lone
        verb_end, verbs = self.verb(after, auxiliary)
        fits = self.selected(auxiliary, verbs)
        if not fits and isinstance(self.previous, Word) and self.previous.kind == "wh" and self.previous.start == 0:
            return replace(lone, ambiguous=True)
        main = self.plain(at, start) if not fits and not negated else None
        if main is not None or not verbs:
            return main or lone
        return VerbGroup(at, verb_end, auxiliary, negated, verbs, " ".join(self.words[after:verb_end]))

    def plain(self, at: int, start: int) -> VerbGroup | None:
        """A verb without auxiliary; what owns something is none, such as *tutor* in *the tutor's leaving*."""
        end, verbs = self.read(start, "V")
        if not verbs or self.words[end : end + 1] in (("'s",), ("'",)):
            return None
        return VerbGroup(at, end, (), False, verbs, " ".join(self.words[start:end]))

    def inverted(self, at: int, auxiliary: Readings) -> bool:
        """Whether the subject of a question follows, and behind it the verb that the auxiliary selects."""
        if self.previous is not None and not self.behind("wh"):
            return False
        end = self.coordinated_end(at)
        start, _ = self.adverbs(end)
        return at < end and self.selected(auxiliary, self.read(start, "V")[1])

    def coordinated_end(self, at: int) -> int:
        """The end of a noun phrase with what is coordinated with it; the word itself if there is none."""
        phrase = self.nominals.at(at)
        if phrase is None:
            return at
        joined, conjunction = self.read(phrase.end, "Conj")
        second = self.nominals.at(joined) if conjunction else None
        return second.end if second is not None else phrase.end

    def selected(self, auxiliary: Readings, verbs: Readings) -> bool:
        """Whether a verb has the form that the auxiliary selects."""
        return any(self.vocabulary.value(a, "selects") == r.cell for a in auxiliary for r in verbs)

    def verb(self, at: int, auxiliary: Readings) -> tuple[int, Readings]:
        """The verb behind an auxiliary, unless what stands there is an adjective, or the subject of a question."""
        end, verbs = self.read(at, "V")
        fits = self.selected(auxiliary, verbs)
        if (
            self.vocabulary.every(auxiliary, "kind", "be")
            and self.read(at, "A")[0] == end > at
            and (not fits or self.nominals.at(end) is None)
        ):
            return at, ()
        return (at, ()) if verbs and not fits and self.nominals.at(at) is not None else (end, verbs)

    def adverbs(self, at: int) -> tuple[int, tuple[str, ...]]:
        words: list[str] = []
        while at < len(self.words):
            end, readings = self.read(at, "Adv", "NPI", "Part")
            if not readings or self.words[at] in ("to", "'s", "'"):
                break
            words.append(" ".join(self.words[at:end]))
            at = end
        return at, tuple(words)
