"""Every analysis of a surface form: categories with features, in the closed or the open reading.

*Closed* knows what the tables list. *Open* knows besides it what they do not exclude: every frame that is not
asserted impossible, variant forms, collectives with either number, singular *they*.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property

from blimpgen.english.words import capitalized
from blimpgen.lexicon.read import Lexicon
from blimpgen.lexicon.readings import Reading

__all__ = ["Entries", "Entry"]

Entry = tuple[str, dict[str, str]]
"""A category and its feature values."""

_VERB_FORMS = {
    "bare": ("bare", ""),
    "pres_sg": ("fin", "Sing"),
    "pres_pl": ("fin", "Plur"),
    "past": ("fin", ""),
    "part": ("part", ""),
    "ing": ("ing", ""),
}


class Entries:
    """Looks surface forms up."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self._frames: dict[tuple[int, str], tuple[tuple[str, str], ...]] = {}
        self._kinds: dict[tuple[str, int], Hashable] = {}

    def of(self, text: str, reading: str = "closed", *, first: bool = False) -> list[Entry]:
        """All entries of a surface form.

        Args:
            text: one or more words.
            reading: closed or open.
            first: whether it begins its sentence, where it may have lost its capital.
        """
        entries: dict[tuple[str, tuple[tuple[str, str], ...]], Entry] = {}
        for _, entry in self.analyses(text, reading, first=first):
            entries[entry[0], tuple(sorted(entry[1].items()))] = entry
        return list(entries.values())

    def analyses(self, text: str, reading: str = "closed", *, first: bool = False) -> Iterator[tuple[Reading, Entry]]:
        """Yield the readings of a surface form with their entries; several lexemes may have equal ones.

        Args:
            text: one or more words.
            reading: closed or open.
            first: whether it begins its sentence, where it may have lost its capital.
        """
        by_text = self.lexicon.readings.by_text
        for form in dict.fromkeys((text, capitalized(text))) if first else (text,):
            for analysis in by_text.get(form, ()):
                if analysis.category in self._makers and (reading == "open" or not analysis.variant):
                    for entry in self._makers[analysis.category](analysis, reading):
                        yield analysis, entry

    def kind(self, category: str, row: int) -> Hashable:
        """What the grammar can tell a lexeme from others by: its entries in both readings, form by form.

        Args:
            category: as in paradigm files.
            row: the row of the lexeme in the inventory of its category.
        """
        if (category, row) not in self._kinds:
            self._kinds[category, row] = frozenset(self._kind(category, row))
        return self._kinds[category, row]

    def _kind(self, category: str, row: int) -> Iterator[Hashable]:
        if category in self._makers:
            for cell, numbers in self.lexicon.inventory(category).forms.items():
                for reading in ("closed", "open") if numbers[row] > 0 else ():
                    for name, values in self._makers[category](Reading(category, row, cell), reading):
                        yield cell, reading, name, frozenset(values.items())

    def joined(self, words: Sequence[str]) -> list[str]:
        """The tokens of a sentence with the words of one lexeme in one (music teachers, no more than), the longest."""
        tokens, at = list[str](), 0
        longest = max(self.lexicon.readings.longest.values())
        while at < len(words):
            spans = range(min(longest, len(words) - at), 1, -1)
            length = next((n for n in spans if self.of(" ".join(words[at : at + n]), "open", first=at == 0)), 1)
            tokens.append(" ".join(words[at : at + length]))
            at += length
        return tokens

    @cached_property
    def _makers(self) -> dict[str, Callable[[Reading, str], Iterator[Entry]]]:
        """Category to what makes the entries of its lexemes."""
        return {
            "N": self._noun,
            "Name": self._noun,
            "V": self._verb,
            "A": self._adjective,
            "Adv": self._adverb,
            "D": self._determiner,
            "Num": self._determiner,
            "NumMod": self._numeral_modifier,
            "Aux": self._auxiliary,
            "Refl": self._reflexive,
            "They": self._reflexive,
            **dict.fromkeys(("Wh", "Dwh", "Pron", "Rel", "Subordinator", "NPI"), self._plain),
        }

    def _plain(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        yield analysis.category, {}

    def _numeral_modifier(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        yield "NumMod", {"sup": self.lexicon.inventory("NumMod").columns["sup"][analysis.row]}

    def _reflexive(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        if analysis.category == "They":
            yield "Refl", {"phi": "They"}
            return
        columns, k = self.lexicon.inventory("Refl").columns, analysis.row
        yield "Refl", {"phi": "Plur" if columns["Number"][k] == "Plur" else columns["Gender"][k]}

    def _adjective(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        position = self.lexicon.inventory("A").columns["pos"][analysis.row]
        if analysis.cell == "form":
            yield from (("A", {"pos": pos}) for pos in (("attr", "pred") if position == "both" else (position,)))

    def _adverb(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        columns, k = self.lexicon.inventory("Adv").columns, analysis.row
        if columns["polarity"][k] != "NPI":
            yield from (("Adv", {"slot": slot}) for slot in columns["slot"][k].split(",") if slot)

    def _noun(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        category, k, cell, _ = analysis
        columns = self.lexicon.inventory(category).columns
        numbers = [cell]
        unsure = category == "N" and (columns["agr"][k] == "either" or columns["number_stable"][k] == "no")
        if reading == "open" and unsure:
            numbers = ["Sing", "Plur"]
        counts: tuple[str, ...] = ("mass",) if category == "N" and columns["count"][k] == "mass" else ("count",)
        if category == "N" and columns["count"][k] == "both" and cell == "Sing":
            counts = ("count", "mass")
        for number in numbers:
            for phi in phis(number, columns["Gender"][k], category):
                for count in counts if category == "N" else ("",):
                    yield category, {"Number": number, "phi": phi, **({"count": count} if count else {})}

    def _verb(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        form, number = _VERB_FORMS[analysis.cell]
        for frame, that0 in self.frames(analysis.row, reading):
            yield "V", {"form": form, "frame": frame, "that0": that0, **({"Number": number} if number else {})}

    def frames(self, k: int, reading: str) -> tuple[tuple[str, str], ...]:
        """The frames of a verb in a reading, each with whether its complementizer may drop."""
        if (k, reading) not in self._frames:
            self._frames[k, reading] = tuple(self._possible_frames(k, reading))
        return self._frames[k, reading]

    def _possible_frames(self, k: int, reading: str) -> Iterator[tuple[str, str]]:
        verbs = self.lexicon.verbs
        with_preposition = self.lexicon.inventory("V").columns["prt_kind"][k] == "prep"
        for frame, rows in verbs.rows.items():
            listed = rows[k] >= 0
            possible = not frame.startswith("A") and (frame != "V.P" or with_preposition)
            if listed or (reading == "open" and possible and not verbs.asserted[frame][k]):
                drops = not listed or verbs.frames["that0"][rows[k]] == "yes" or reading == "open"
                yield frame, "yes" if drops else "no"

    def _determiner(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        category, k, cell, _ = analysis
        columns = self.lexicon.inventory(category).columns
        common = {
            "Definite": columns["Definite"][k],
            "strength": columns["strength"][k],
            "neg": columns["neg"][k],
            # what leaves another form behind when its noun is dropped (a: one, no: none) cannot stand alone itself
            "npe": "yes" if columns["npe"][k] == columns["lemma"][k] else "no",
        }
        cells = {cell, *(c for c in columns["open"][k].split(",") if c and reading == "open")}
        for value in sorted(cells):
            number, count = {"sg": ("Sing", "count"), "pl": ("Plur", "count"), "mass": ("Sing", "mass")}[value]
            yield category, {"Number": number, "count": count, **common}

    def _auxiliary(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        columns, k, cell = self.lexicon.inventory("Aux").columns, analysis.row, analysis.cell
        if cell != "bare":
            number, polarity = "Sing" if "_sg" in cell else "Plur", "Neg" if cell.endswith("_neg") else "Pos"
            fixed = {"kind": columns["kind"][k], "selects": columns["selects"][k]}
            yield "Aux", {**fixed, "Number": number, "Polarity": polarity}


def phis(number: str, gender: str, category: str) -> tuple[str, ...]:
    """What a reflexive may agree with: a singular of common gender goes with all that people are called.

    Singular *they* may stand for a name too, but not for a noun that means a man or a woman.
    """
    if number == "Plur":
        return ("Plur",)
    named = ("They",) if category == "Name" and gender != "Neut" else ()
    return ("Masc", "Fem", "They") if gender == "Com" else (gender, *named)
