"""A pair as guards see it, prepared once for all of them, and the scopes that say which pairs a guard is about.

The *change* of a pair is what is left between the words with which both sentences begin and those with which both
end. What a pair tests is seen in its change: two forms of one verb, two reflexives, a wh-word for *that*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar

from blimpgen.audit.guards.clauses import Parse
from blimpgen.audit.guards.kinds import marks
from blimpgen.audit.guards.tokens import Places, Vocabulary
from blimpgen.english.words import SplitSentence, split_sentence

__all__ = ["ALWAYS", "EVERYWHERE", "Case", "Change", "Scope", "needed", "scope"]

Found = TypeVar("Found")


def needed(names: str, prefix: str = "") -> int:
    """The marks of some names, separated by spaces; of none a mark that is always there.

    Args:
        names: of marks.
        prefix: what stands before each name.
    """
    return marks(f"{prefix}{name}" for name in names.split()) or ALWAYS


ALWAYS, _UNCHANGED = marks(["always"]), marks(["unchanged"])
_ONE, _FORM, _ORDER, _VERBS = (needed(name, "change: ") for name in ("one", "form", "order", "verbs"))


class Change(NamedTuple):
    """What differs between two sentences.

    Attributes:
        start: the number of words with which both begin.
        good, bad: the words in between.
        is_one_word: whether one word stands for one other.
    """

    start: int
    good: tuple[str, ...]
    bad: tuple[str, ...]
    is_one_word: bool

    @classmethod
    def between(cls, good: tuple[str, ...], bad: tuple[str, ...]) -> Change:
        """Find what differs.

        Args:
            good, bad: the words of the sentences.
        """
        start, shorter = 0, min(len(good), len(bad))
        while start < shorter and good[start] == bad[start]:
            start += 1
        end, good_end, bad_end = shorter - start, len(good), len(bad)
        while end and good[good_end - 1] == bad[bad_end - 1]:
            end, good_end, bad_end = end - 1, good_end - 1, bad_end - 1
        return cls(start, good[start:good_end], bad[start:bad_end], good_end == bad_end == start + 1)


@dataclass(eq=False)
class Case:
    """A pair as a guard sees it.

    Attributes:
        uid: the paradigm.
        pair_id: number of the pair in its set.
        sentence_good, sentence_bad: the sentences as written.
        keys: all keys of the record.
        vocabulary: the surface forms of the lexicon.
        free_length: the paradigm declares that the sentences may differ in length.
        changes_auxiliary: by the templates of the paradigm the auxiliary is, or comes with, the contrast.
    """

    uid: str
    pair_id: str
    sentence_good: str
    sentence_bad: str
    keys: Mapping[str, Any] = field(repr=False)
    vocabulary: Vocabulary = field(repr=False)
    free_length: bool = False
    changes_auxiliary: bool = False
    _found: dict[Callable[[Case], Any], Any] = field(default_factory=dict, repr=False)

    @cached_property
    def split(self) -> tuple[SplitSentence, SplitSentence]:
        """The words and marks of the good and the bad sentence."""
        return split_sentence(self.sentence_good), split_sentence(self.sentence_bad)

    @cached_property
    def places(self) -> tuple[Places, Places]:
        """The words of the good and the bad sentence with the forms that begin at each."""
        good, bad = self.split
        return self.vocabulary.places(good.words), self.vocabulary.places(bad.words)

    @cached_property
    def good(self) -> Parse:
        """The good sentence with its phrases."""
        return Parse(self.split[0], self.places[0], self.vocabulary)

    @cached_property
    def bad(self) -> Parse:
        """The bad sentence with its phrases."""
        return Parse(self.split[1], self.places[1], self.vocabulary)

    @property
    def both(self) -> tuple[Parse, Parse]:
        """The good and the bad sentence."""
        return self.good, self.bad

    @cached_property
    def change(self) -> Change:
        """What differs between the sentences."""
        return Change.between(self.split[0].words, self.split[1].words)

    @cached_property
    def marks(self) -> int:
        """The marks of both sentences and of their change, as guards and scopes name them."""
        change, good, bad = self.change, self.good, self.bad
        found = ALWAYS | good.marks | bad.marks | (_VERBS if good.verbs_differ(bad) else 0)
        if not change.is_one_word:
            return found | (_ORDER if change.good or change.bad else _ORDER | _UNCHANGED)
        word, other = good.places[change.start], bad.places[change.start]
        found |= _ONE if word.lexemes.isdisjoint(other.lexemes) else _ONE | _FORM
        return found | (_ORDER if word.folded == other.folded else 0)

    def once(self, find: Callable[[Case], Found]) -> Found:
        """What a function finds in the pair, worked out once for all guards that ask for it."""
        found: Found | None = self._found.get(find)
        if found is None:
            found = self._found[find] = find(self)
        return found

    def holds(self, scope: Scope) -> bool:
        """Whether a scope has the pair; each is asked once, and only where the marks that it needs are."""
        known = scope.needs == scope.change == ALWAYS
        return (known or bool(scope.needs & self.marks and scope.change & self.marks)) and self.once(scope.test)

    def value(self, key: str) -> str:
        """A text of the record, or the empty string."""
        text = self.keys.get(key, "")
        return text if isinstance(text, str) else ""


Test: TypeAlias = Callable[[Case], bool]


@dataclass(frozen=True, eq=False)
class Scope:
    """The pairs that a guard is about.

    Attributes:
        title: what the documentation says.
        test: whether a pair is meant.
        needs: one of these marks is in the sentences of every pair that is meant.
        change: the same of the marks of the change.
    """

    title: str
    test: Test = field(repr=False)
    needs: int = field(default=ALWAYS, repr=False)
    change: int = field(default=ALWAYS, repr=False)


def scope(title: str, *, needs: str = "", change: str = "") -> Callable[[Test], Scope]:
    """Make a scope of the decorated test of a pair.

    Args:
        title: which pairs the test is true of.
        needs: names of which the sentences must have one, separated by spaces; pairs without them are not tested.
        change: what the change must be: one (word for one other), form (another form of a word), order (more than one
            word for one other), verbs (other verb groups).
    """
    return lambda test: Scope(title, test, needed(needs), needed(change, "change: "))


EVERYWHERE = Scope("all", lambda case: True)
