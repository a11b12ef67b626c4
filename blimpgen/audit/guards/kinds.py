"""What the search for phrases sees of words: their kinds, and what follows from kinds, found once for each.

Thousands of nouns differ in nothing that a noun phrase depends on. So a word has a *kind*, made of the *signs* of its
readings, and phrases are looked for among kinds. What was found is remembered under the kinds that were looked at;
other words of these kinds have it too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

__all__ = ["Ahead", "Kind", "Pick", "Remembered", "Sign", "SignSpans", "Signs", "kind_of_word", "marks", "picked"]

_LITERAL = frozenset({"'s", "'", "to", "there", "not", "of", "only", "be", "a", "an", "it's"})
"""Words that the search for phrases, or a guard's `needs`, knows as such."""
_KEPT = 1 << 16
"""How many kinds, and how many results, are remembered."""


def marks(names: Iterable[str]) -> int:
    """A number with a bit for each name: of categories, of forms of verbs, of kinds of phrases, of single words.

    Args:
        names: any; the same name has the same bit as long as the program runs.
    """
    return reduce(or_, (1 << _BITS.setdefault(name, len(_BITS)) for name in names), 0)


_BITS: dict[str, int] = {}


class Sign(NamedTuple):
    """A reading as the search for phrases sees it.

    Attributes:
        category, cell: of the reading.
        slots: of a noun the number classes (sg, pl, mass) that it has, of a determiner those that it admits.
        prepositions: of a noun those that its complement may have besides *of*.
        either: of a noun: its singular may have a verb in the plural.
        partitive: of a determiner: *none of the*, whose own number is not that of the noun.
        number: of a pronoun, both numbers but for the third person.
        selects: of an auxiliary the form of its verb.
        is_be, is_do: of an auxiliary.
        objectless: of a verb: nothing follows it.
        causative: of a verb: an object and a bare infinitive follow it.
        at, span, place: where a reading was found: at which word, in which of the forms there, at which place of it.
    """

    category: str
    cell: str
    slots: tuple[str, ...] = ()
    prepositions: tuple[str, ...] = ()
    either: bool = False
    partitive: bool = False
    number: str = ""
    selects: str = ""
    is_be: bool = False
    is_do: bool = False
    objectless: bool = False
    causative: bool = False
    at: int = 0
    span: int = 0
    place: int = 0


Signs: TypeAlias = tuple[Sign, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Pick:
    """Readings of a word: at which word, in which of the forms there, which of its readings; see `picked`."""

    at: int
    span: int
    places: tuple[int, ...]


_pick = lru_cache(maxsize=None)(Pick)


def picked(signs: Signs) -> Pick:
    """Where signs that were found together stand; always the same object for the same places."""
    return _pick(signs[0].at, signs[0].span, tuple(sign.place for sign in signs))


SignSpans: TypeAlias = tuple[tuple[int, Signs], ...]


class Kind:
    """What begins at a word, as the search for phrases sees it; two are the same only if they are one object.

    Args:
        word: as written, if the search knows it as such, or a preposition of complements; else empty.
        spans: the number of words and the signs of each form, the longest first.
    """

    __slots__ = ("_placed", "_read", "spans", "word")

    def __init__(self, word: str, spans: SignSpans) -> None:
        self.word, self.spans = word, spans
        self._placed: dict[int, SignSpans] = {}
        self._read: dict[tuple[int, tuple[str, ...]], tuple[int, Signs]] = {}

    def placed(self, at: int) -> SignSpans:
        """The ends and signs of the forms where the word is at a place."""
        found = self._placed.get(at)
        if found is None:
            found = tuple((at + n, tuple([sign._replace(at=at) for sign in signs])) for n, signs in self.spans)
            self._placed[at] = found
        return found

    def read(self, at: int, categories: tuple[str, ...]) -> tuple[int, Signs]:
        """The end and signs of the longest form of some categories where the word is at a place; (at, ()) for none.

        Args:
            at: the place.
            categories: lexical categories, such as N and Name.
        """
        found = self._read.get((at, categories))
        if found is None:
            some = ((end, tuple([s for s in signs if s.category in categories])) for end, signs in self.placed(at))
            found = self._read[at, categories] = next((form for form in some if form[1]), (at, ()))
        return found


_END = Kind("", ())
Found = TypeVar("Found")
State = TypeVar("State")


@lru_cache(maxsize=_KEPT)
def _kind(word: str, spans: SignSpans) -> Kind:
    return Kind(word, spans)


def kind_of_word(word: str, spans: SignSpans, prepositions: tuple[str, ...]) -> Kind:
    """The kind of a word at its place.

    Args:
        word: as written.
        spans: the number of words and the signs of each form that begins there, the longest first.
        prepositions: words before the complements of nouns.
    """
    known = word.lower() in _LITERAL or word in prepositions
    return _kind(word if known else "", spans)


class _Question:
    """What is asked of a word ahead: which word it is, or all that its kind says.

    Args:
        at: the word, counted from the first that is looked at.
        by_word: whether no more is asked than which word it is.
    """

    __slots__ = ("answers", "at", "by_word")

    def __init__(self, at: int, by_word: bool) -> None:
        self.at, self.by_word = at, by_word
        self.answers: dict[Kind | str, Any] = {}  # the next question, or what was found

    def answer(self, kinds: Sequence[Kind], start: int) -> Kind | str:
        """The answer in a sentence."""
        kind = _kind_at(kinds, start + self.at)
        return kind.word if self.by_word else kind


def _kind_at(kinds: Sequence[Kind], at: int) -> Kind:
    return kinds[at] if at < len(kinds) else _END


class Ahead:
    """The kinds from a word on, counted from there; it notes what was asked of them.

    Args:
        kinds: of the words of a sentence.
        start: the first of them.
    """

    def __init__(self, kinds: Sequence[Kind], start: int) -> None:
        self._kinds, self._start = kinds, start
        self._known: set[int] = set()
        self.asked: dict[tuple[int, bool], None] = {}

    def word(self, at: int) -> str:
        """The word there, if the search for phrases knows it; else empty."""
        if at not in self._known:
            self.asked[at, True] = None
        return _kind_at(self._kinds, self._start + at).word

    def names(self, at: int) -> Iterator[str]:
        """What a word may be, as `marks` has it: the categories and cells of its readings, and a word that is known."""
        for _, signs in self.spans(at):
            for sign in signs:
                yield from (sign.category, sign.cell)
        yield self.word(at).lower()

    def spans(self, at: int) -> SignSpans:
        """The ends and signs of the forms that begin at a word, the longest first."""
        return self._kind(at).placed(at)

    def read(self, at: int, *categories: str) -> tuple[int, Signs]:
        """The end and signs of the longest form of some categories at a word; (at, ()) if there is none."""
        return self._kind(at).read(at, categories)

    def _kind(self, at: int) -> Kind:
        if at not in self._known:
            self.asked[at, False] = None
            self._known.add(at)
        return _kind_at(self._kinds, self._start + at)


class Remembered(Generic[State, Found]):
    """Finds what follows from a state and the kinds ahead, once for all sentences that answer its questions alike.

    What is asked next follows from the answers so far. So the questions form a tree, with what was found at its ends.

    Args:
        find: what is looked for; it asks something, and sees no more than its arguments.
    """

    def __init__(self, find: Callable[[Ahead, State], Found]) -> None:
        self._find = find
        self._first: dict[State, _Question] = {}
        self._size = 0

    def __call__(self, kinds: Sequence[Kind], start: int, state: State) -> Found:
        """What is found in a sentence.

        Args:
            kinds: of its words.
            start: the first word that is looked at.
            state: what is known before.
        """
        node: Any = self._first.get(state)
        size = len(kinds)
        while type(node) is _Question:
            at = start + node.at
            kind = kinds[at] if at < size else _END
            node = node.answers.get(kind.word if node.by_word else kind)
        found: Found = node if node is not None else self._remember(kinds, start, state)
        return found

    def _remember(self, kinds: Sequence[Kind], start: int, state: State) -> Found:
        ahead = Ahead(kinds, start)
        found = self._find(ahead, state)
        if self._size == _KEPT:
            self._first.clear()
            self._size = 0
        first, *others = ahead.asked
        question = self._first.setdefault(state, _Question(*first))
        for other in others:
            question = question.answers.setdefault(question.answer(kinds, start), _Question(*other))
        question.answers[question.answer(kinds, start)] = found
        self._size += 1
        return found
