"""What guards ask of the words of a sentence: the readings of the forms at a place, and the rows of their lexemes.

Forms of several words (*looked like*, *a lot of*) are read as a whole. A clitic *'s* or *'* is a word of its own. The
first word of a sentence is read with and without its capital. Numerals are read as determiners.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache, partial
from typing import TypeAlias

from blimpgen.audit.guards.kinds import Kind, Pick, Sign, Signs, kind_of_word
from blimpgen.english.words import split_sentence, uncapitalized
from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.language import VOWEL
from blimpgen.lexicon.readings import PRONOUNS, Reading
from blimpgen.lexicon.verbs import VerbUse

__all__ = ["Place", "Places", "Reading", "Readings", "Vocabulary", "number_of_cell", "text_of"]


Readings: TypeAlias = tuple[Reading, ...]
Spans: TypeAlias = tuple[tuple[int, Readings], ...]

_KEPT = 1 << 16
"""How many forms in their places are remembered; the lexicon has fewer, but for combinations with their neighbours."""


_SLOTS = {"count": ("sg",), "mass": ("mass",), "both": ("sg", "mass"), "ptan": ("pl",)}
_SINGULAR, _PLURAL = frozenset({"Sing"}), frozenset({"Plur"})
_CELL_NUMBERS = {"pres_sg": _SINGULAR, "pres_pl": _PLURAL, "bare": _PLURAL, "past": _SINGULAR | _PLURAL}
_NONE: frozenset[str] = frozenset()
_ALL_SLOTS = ("sg", "mass", "pl")


class _Longest(dict[tuple[str, ...], tuple[int, Readings]]):
    """Categories to the number of words and the readings of the longest form of some of them; (0, ()) if there is none.

    Args:
        spans: the forms that begin at a word.
    """

    def __init__(self, spans: Spans) -> None:
        self._spans = spans

    def __missing__(self, categories: tuple[str, ...]) -> tuple[int, Readings]:
        some = ((n, tuple(r for r in readings if r.category in categories)) for n, readings in self._spans)
        found = self[categories] = next(((n, readings) for n, readings in some if readings), (0, ()))
        return found


class _Chosen(dict[Pick, Readings]):
    """What was picked from the readings of a word to those readings of another word of the same kind.

    Args:
        spans: the forms that begin at the other word.
    """

    def __init__(self, spans: Spans) -> None:
        self._spans = spans

    def __missing__(self, pick: Pick) -> Readings:
        readings = self._spans[pick.span][1]
        found = self[pick] = tuple(readings[k] for k in pick.places)
        return found


class Place:
    """A word at its place in a sentence, with the forms that begin there: the same for all sentences that have them.

    Args:
        word: as written.
        spans: the number of words and the readings of each form, the longest first.
        kind: what the search for phrases sees of it.
        seconds: the words with which, right behind it, a form of several words may begin here.

    Attributes:
        folded: the word in small letters.
        lexemes: category and row of all readings.
        longest: categories to the longest form of some of them.
        chosen: what was picked from the readings of a word of the same kind to those of this one.
    """

    __slots__ = ("chosen", "folded", "kind", "lexemes", "longest", "seconds", "spans", "word")

    def __init__(self, word: str, spans: Spans, kind: Kind, seconds: frozenset[str]) -> None:
        self.word, self.spans, self.kind, self.seconds = word, spans, kind, seconds
        self.folded = word.lower()
        self.lexemes = frozenset([reading[:2] for _, readings in spans for reading in readings])
        self.longest, self.chosen = _Longest(spans), _Chosen(spans)


def number_of_cell(reading: Reading | Sign) -> frozenset[str]:
    """The numbers of the subjects that a form of a verb or auxiliary agrees with; none if it is not finite."""
    if reading.category == "Aux":
        finite = reading.cell.startswith(("pres_", "past_"))
        return (_SINGULAR if "_sg" in reading.cell else _PLURAL) if finite else frozenset()
    return _CELL_NUMBERS.get(reading.cell, frozenset())


def text_of(places: Sequence[Place], start: int, end: int) -> str:
    """Words as they are looked up: clitics apart.

    Args:
        places: the words of a sentence.
        start: the first word, from 0.
        end: the first word that is left out.
    """
    if end - start == 1:
        return places[start].word
    return " ".join([place.word for place in places[start:end]])


Places: TypeAlias = tuple[Place, ...]
"""The words of a sentence, clitics apart."""


class Vocabulary:
    """The readings of the words of sentences.

    Args:
        lexicon: the words.
    """

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._columns: dict[tuple[str, str], list[str]] = {}
        self._uses: dict[tuple[int, str], tuple[VerbUse, ...]] = {}
        self._place = lru_cache(maxsize=_KEPT)(self._make_place)
        self.onsets = lru_cache(maxsize=_KEPT)(self._onsets_of)
        self._alone: dict[str, Place] = {}  # words inside a sentence, where no form of several words begins
        self._opening: dict[str, Place] = {}  # the same of words that begin one

    def _onsets_of(self, place: Place) -> set[str]:
        """The sounds, V or C, with which a word may begin."""
        readings = (r for _, entries in place.spans for r in entries)
        spelt = "V" if self.lexicon.language.onset(place.word) == VOWEL else "C"
        return {self.value(r, "onset") for r in readings} - {""} or {spelt}

    @cached_property
    def verb_lemmas(self) -> list[str]:
        """The lemma of each verb, by row, with its particle: *come back*."""
        return [
            f"{lemma} {prt}".strip()
            for lemma, prt in zip(*(self.column("V", c) for c in ("lemma", "prt")), strict=True)
        ]

    @cached_property
    def standalone(self) -> dict[str, list[tuple[str, ...]]]:
        """The forms of quantifiers that have no noun behind them, by their first words."""
        columns = self.lexicon.inventory("D").columns
        bound = {"-", "", *columns["sg"], *columns["pl"], *columns["mass"]}
        forms: dict[str, list[tuple[str, ...]]] = {}
        for form in dict.fromkeys(tuple(text.split()) for text in columns["npe"] if text not in bound):
            forms.setdefault(form[0], []).append(form)
        return forms

    def value(self, reading: Reading, column: str) -> str:
        """A cell of the lexeme's row; the empty string where its table has no such column.

        Args:
            reading: of a word.
            column: one of the lexicon; that of its own table is taken.
        """
        cells = self.column(reading.category, column)
        return cells[reading.row] if cells else ""

    def column(self, category: str, column: str) -> list[str]:
        """The cells of a column by row; none where the table of a category has no such column.

        Args:
            category: of the words.
            column: one of the lexicon; that of their own table is taken.
        """
        cells = self._columns.get((category, column))
        if cells is None:
            cells = self._columns[category, column] = self._column(category, column)
        return cells

    def _column(self, category: str, column: str) -> list[str]:
        if category in PRONOUNS:
            return list(self.lexicon.table("pronouns").columns.get(column, ()))
        return [str(cell) for cell in self.lexicon.inventory(category).columns.get(column, ())]

    def every(self, readings: Readings, column: str, *values: str) -> bool:
        """Whether all readings, and at least one, have one of the values in a column.

        Args:
            readings: of one place in a sentence.
            column: one of the lexicon.
            values: cells as they stand in the table.
        """
        return bool(readings) and all(self.value(r, column) in values for r in readings)

    def some(self, readings: Readings, column: str, *values: str) -> bool:
        """Whether a reading has one of the values in a column.

        Args:
            readings: of one place in a sentence.
            column: one of the lexicon.
            values: cells as they stand in the table.
        """
        return any(self.value(r, column) in values for r in readings)

    def suits(self, reading: Reading, restriction: str) -> bool:
        """Whether one of the types of a noun or name satisfies a restriction; no for other categories.

        Args:
            reading: of a word; in the plural its types are those of the plural.
            restriction: over types, as paradigms write it (``human & not kin``).
        """
        if reading.category not in ("N", "Name"):
            return False
        nominals = self.lexicon.nominals
        fits = nominals.fits(self.lexicon.hierarchy.parse(restriction))
        plural = int(reading.cell == "Plur")
        return bool(fits[plural, reading.row + (nominals.split if reading.category == "Name" else 0)])

    def lists(self, reading: Reading, frame: str) -> bool:
        """Whether a verb lists a frame.

        Args:
            reading: of a verb.
            frame: one of the frames.
        """
        return bool(self.lexicon.verbs.rows[frame][reading.row] >= 0)

    def asserts_not(self, reading: Reading, frame: str) -> bool:
        """Whether the surface lemma of a verb is asserted not to have a frame.

        Args:
            reading: of a verb.
            frame: one of the frames.
        """
        return bool(self.lexicon.verbs.asserted[frame][reading.row])

    def uses(self, reading: Reading, frame: str) -> tuple[VerbUse, ...]:
        """The uses of a verb in a frame: those that it lists, an object that may be dropped, and those never generated.

        Args:
            reading: of a verb.
            frame: one of the frames.
        """
        key = reading.row, frame
        if key not in self._uses:
            self._uses[key] = tuple(self._find_uses(reading, frame))
        return self._uses[key]

    def _find_uses(self, reading: Reading, frame: str) -> Iterator[VerbUse]:
        if self.lists(reading, frame):
            yield VerbUse("no", self.frame_value(reading, frame, "subj"), self.frame_value(reading, frame, "obj"))
        for full in ("V.NP", "V.P") if frame == "V" else ():
            if self.frame_value(reading, full, "drop") not in ("", "no"):
                yield VerbUse("no", self.frame_value(reading, full, "subj"), "any")
        if frame == "V.NP" and self.lists(reading, "V.P"):
            yield VerbUse("no", self.frame_value(reading, "V.P", "subj"), self.frame_value(reading, "V.P", "obj"))
        verb = self.lexicon.readings.lexeme(reading)
        for name in (frame, "V.P") if frame == "V.NP" else (frame,):
            yield from self.lexicon.verb_uses.get((verb, name), ())

    def frame_value(self, reading: Reading, frame: str, column: str) -> str:
        """A cell of a verb's row for a frame; the empty string where it does not list the frame.

        Args:
            reading: of a verb.
            frame: one of the frames.
            column: of the table of verb frames.
        """
        row = int(self.lexicon.verbs.rows[frame][reading.row])
        return str(self.lexicon.verbs.frames[column][row]) if row >= 0 else ""

    def places(self, words: tuple[str, ...]) -> Places:
        """The words of a sentence with the forms that begin at each.

        Args:
            words: of the sentence, clitics apart.
        """
        places = []
        for k, word in enumerate(words):
            place = (self._alone if k else self._opening).get(word)
            if place is None or (place.seconds and not place.seconds.isdisjoint(words[k + 1 : k + 2])):
                place = self._at(words, k)
            places.append(place)
        return tuple(places)

    def _at(self, words: tuple[str, ...], start: int) -> Place:
        """What begins at a word: it depends on the words of a form, and on whether the sentence begins there."""
        begins, first = start == 0, words[start]
        reach = self._reach(first, words[start + 1 : start + 2])
        if begins:
            reach = max(reach, self._reach(uncapitalized(first), words[start + 1 : start + 2]))
        place = self._place(words[start : start + reach], begins)
        alone = self._opening if begins else self._alone
        if reach == 1 and len(alone) < _KEPT:
            alone[first] = place
        return place

    def _reach(self, first: str, second: tuple[str, ...]) -> int:
        """The number of words that the forms which begin with a word may have before the next one."""
        several = not self._followers.get(first, _NONE).isdisjoint(second)
        return self.lexicon.readings.longest[first] if several else 1

    @cached_property
    def _followers(self) -> dict[str, frozenset[str]]:
        """First word of forms of several words to their second words."""
        followers: dict[str, set[str]] = {}
        for text in self.lexicon.readings.by_text:
            first, *others = text.split(" ", 2)
            if others:
                followers.setdefault(first, set()).add(others[0])
        return {first: frozenset(seconds) for first, seconds in followers.items()}

    def _make_place(self, window: tuple[str, ...], begins: bool) -> Place:
        first = window[0]
        heads = (first, uncapitalized(first)) if begins and not first[:1].islower() else (first,)
        by_text, spans = self.lexicon.readings.by_text, []
        for length in range(len(window), 0, -1):
            texts = (" ".join((head, *window[1:length])) for head in heads)
            readings = tuple(r for text in texts for r in by_text.get(text, ()) if not self._is_read_apart(r))
            if readings:
                spans.append((length, readings))
        signs = tuple((length, self._signs(n, readings)) for n, (length, readings) in enumerate(spans))
        seconds = _NONE.union(*(self._followers.get(head, _NONE) for head in heads))
        return Place(first, tuple(spans), kind_of_word(first, signs, self._prepositions), seconds)

    def _is_read_apart(self, reading: Reading) -> bool:
        """Whether a form is none of its own here: a numeral is a determiner, *grateful to* an adjective before *to*."""
        return reading.category == "Num" or (reading.category == "A" and bool(self.value(reading, "prt")))

    @cached_property
    def _prepositions(self) -> tuple[str, ...]:
        """The words before the complements of nouns, besides *of*, which any noun may have."""
        relations = ",".join(self.column("N", "rel")).split(",")
        words = {part.partition(":")[0] for part in relations if ":" in part} - {"of"}
        return tuple(sorted(words & self.lexicon.readings.by_text.keys()))

    def _signs(self, span: int, readings: Readings) -> Signs:
        return tuple([self._sign(r, Sign(r.category, r.cell, span=span, place=k)) for k, r in enumerate(readings)])

    def _sign(self, reading: Reading, sign: Sign) -> Sign:
        """What the search for phrases sees of a reading, but for its category and cell."""
        category, cell, value = reading.category, reading.cell, partial(self.value, reading)
        match category:
            case "N":
                either = cell == "Sing" and value("agr") == "either"
                prepositions = tuple(word for word in self._prepositions if f"{word}:" in value("rel"))
                return sign._replace(slots=self._slots(reading), prepositions=prepositions, either=either)
            case "D" | "Poss":
                admitted = (cell, *value("open").split(",")) if category == "D" else _ALL_SLOTS
                slots = tuple(slot for slot in _ALL_SLOTS if slot in admitted)
                return sign._replace(slots=slots, partitive="of" in value("lemma").split()[:-1])
            case "Pron":
                return sign._replace(number=value("Number") if value("Person") == "3" else "")
            case "Aux":
                kind = value("kind")
                return sign._replace(selects=value("selects"), is_be=kind == "be", is_do=kind == "do")
            case "V":
                causative = self.lists(reading, "V.NP.bare")
                return sign._replace(objectless=value("frames") == "V", causative=causative)
        return sign

    def _slots(self, noun: Reading) -> tuple[str, ...]:
        """The number classes (sg, pl, mass) of a noun form; an unstable plural (*media*) has all of them."""
        if noun.cell == "Sing":
            return _SLOTS[self.value(noun, "count")]
        return ("pl",) if self.value(noun, "number_stable") != "no" else _ALL_SLOTS

    def spans(self, words: tuple[str, ...], start: int) -> Spans:
        """Find the ends and readings of the forms that begin at a word, the longest first; none behind the last.

        Args:
            words: of the sentence, clitics apart.
            start: the first word of the forms, from 0.
        """
        spans = self._at(words, start).spans if start < len(words) else ()
        return tuple((start + length, readings) for length, readings in spans)

    def readings(self, words: tuple[str, ...], start: int, categories: tuple[str, ...]) -> tuple[int, Readings]:
        """Find the end and readings of the longest form of some categories at a word; (start, ()) if there is none.

        Args:
            words: of the sentence, clitics apart.
            start: the first word of the form, from 0.
            categories: lexical categories, such as N and Name.
        """
        length, readings = self._at(words, start).longest[categories] if start < len(words) else (0, ())
        return start + length, readings

    def knows(self, text: str) -> bool:
        """Whether a form of one or more words is in the lexicon."""
        words = split_sentence(text).words
        return any(end == len(words) for end, _ in self.spans(words, 0))
