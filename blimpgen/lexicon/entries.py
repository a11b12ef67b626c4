"""Every analysis of a surface form: categories with features, in the closed or the open reading.

*Closed* knows what the tables list. *Open* knows besides it what they do not exclude: every frame that is not
asserted impossible, variant forms, collectives with either number, singular *they*.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from blimpgen.english.words import ARTICLE, ARTICLE_BEFORE_VOWEL, capitalized
from blimpgen.lexicon.read import Lexicon

__all__ = ["Entries", "Entry"]

Entry = tuple[str, dict[str, str]]
"""A category and its feature values."""

_SIMPLE = {"Wh": "Wh", "Dwh": "Dwh", "Pron": "Pron", "Rel": "Rel", "Subordinator": "Subordinator", "NPI": "NPI"}
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

    def of(self, text: str, reading: str = "closed", *, first: bool = False) -> list[Entry]:
        """All entries of a surface form.

        Args:
            text: one or more words.
            reading: closed or open.
            first: whether it begins its sentence, where it may have lost its capital.
        """
        tables = (self._forms, self._variants) if reading == "open" else (self._forms,)
        found = [
            entry
            for form in (_spellings(text) if first else (text,))
            for table in tables
            for category, k, cell in table.get(form, ())
            for entry in self._entry(category, k, cell, reading)
        ]
        unique: dict[tuple[str, tuple[tuple[str, str], ...]], Entry] = {}
        for entry in found:
            unique[entry[0], tuple(sorted(entry[1].items()))] = entry
        return list(unique.values())

    def joined(self, words: Sequence[str]) -> list[str]:
        """The tokens of a sentence with the words of one lexeme in one (music teachers, no more than), the longest."""
        found, at = list[str](), 0
        while at < len(words):
            spans = range(min(self._longest, len(words) - at), 1, -1)
            length = next((n for n in spans if self.of(" ".join(words[at : at + n]), "open", first=at == 0)), 1)
            found.append(" ".join(words[at : at + length]))
            at += length
        return found

    @cached_property
    def _longest(self) -> int:
        """Words in the longest form."""
        return max(text.count(" ") + 1 for forms in (self._forms, self._variants) for text in forms)

    @cached_property
    def _forms(self) -> dict[str, list[tuple[str, int, str]]]:
        index: dict[str, list[tuple[str, int, str]]] = defaultdict(list)
        strings = self.lexicon.strings
        for category in ("N", "Name", "V", "A", "Adv", "D", "Num", "NumMod", "Aux", "Refl", *_SIMPLE):
            for cell, numbers in self.lexicon.inventory(category).forms.items():
                for k, number in enumerate(numbers.tolist()):
                    if number >= 0:
                        index[strings.text(number).strip()].append((category, k, cell))
        index[ARTICLE_BEFORE_VOWEL] = index[ARTICLE]
        return dict(index)

    @cached_property
    def _variants(self) -> dict[str, list[tuple[str, int, str]]]:
        """Forms that are never generated, but known to the open reading."""
        index: dict[str, list[tuple[str, int, str]]] = defaultdict(list)
        verbs = self.lexicon.inventory("V").columns
        for cell in ("past", "part"):
            for k, (forms, prt) in enumerate(zip(verbs[f"{cell}_alt"], verbs["prt"], strict=True)):
                for form in filter(None, forms.split(",")):
                    index[f"{form} {prt}".strip()].append(("V", k, cell))
        for k, forms in enumerate(self.lexicon.inventory("N").columns["plural_alt"]):
            for form in filter(None, forms.split(",")):
                index[form].append(("N", k, "Plur"))
        table = self.lexicon.table("pronouns")
        for form, opened in zip(table["refl"], table["open"], strict=True):
            if form and opened == "yes":
                index[form].append(("they", 0, ""))
        return dict(index)

    def _entry(self, category: str, k: int, cell: str, reading: str) -> Iterator[Entry]:
        if category in ("N", "Name"):
            yield from self._noun(category, k, cell, reading)
        elif category == "V":
            yield from self._verb(k, cell, reading)
        elif category in ("D", "Num"):
            yield from self._determiner(category, k, cell, reading)
        elif category == "Aux":
            yield from self._auxiliary(k, cell)
        elif category in ("Refl", "they"):
            yield from self._reflexive(category, k)
        elif category in ("A", "Adv"):
            yield from self._modifier(category, k, cell)
        elif category == "NumMod":
            yield category, {"sup": self.lexicon.inventory(category).columns["sup"][k]}
        else:
            yield category, {}

    def _reflexive(self, category: str, k: int) -> Iterator[Entry]:
        if category == "they":
            yield "Refl", {"phi": "They"}
            return
        columns = self.lexicon.inventory("Refl").columns
        yield "Refl", {"phi": "Plur" if columns["Number"][k] == "Plur" else columns["Gender"][k]}

    def _modifier(self, category: str, k: int, cell: str) -> Iterator[Entry]:
        columns = self.lexicon.inventory(category).columns
        if category == "A" and cell == "form":
            places = ("attr", "pred") if columns["pos"][k] == "both" else (columns["pos"][k],)
            yield from (("A", {"pos": pos}) for pos in places)
        elif category == "Adv" and columns["polarity"][k] != "NPI":
            yield from (("Adv", {"slot": slot}) for slot in columns["slot"][k].split(",") if slot)

    def _noun(self, category: str, k: int, cell: str, reading: str) -> Iterator[Entry]:
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

    def _verb(self, k: int, cell: str, reading: str) -> Iterator[Entry]:
        form, number = _VERB_FORMS[cell]
        for frame, that0 in self.frames(k, reading):
            yield "V", {"form": form, "frame": frame, "that0": that0, **({"Number": number} if number else {})}

    def frames(self, k: int, reading: str) -> Iterator[tuple[str, str]]:
        """The frames of a verb in a reading, each with whether its complementizer may drop."""
        verbs = self.lexicon.verbs
        with_preposition = self.lexicon.inventory("V").columns["prt_kind"][k] == "prep"
        for frame, rows in verbs.rows.items():
            listed = rows[k] >= 0
            possible = not frame.startswith("A") and (frame != "V.P" or with_preposition)
            if listed or (reading == "open" and possible and not verbs.asserted[frame][k]):
                drops = not listed or verbs.frames["that0"][rows[k]] == "yes" or reading == "open"
                yield frame, "yes" if drops else "no"

    def _determiner(self, category: str, k: int, cell: str, reading: str) -> Iterator[Entry]:
        columns = self.lexicon.inventory(category).columns
        common = {
            "Definite": columns["Definite"][k],
            "strength": columns["strength"][k],
            "neg": columns["neg"][k],
            # what leaves another form behind when its noun is dropped (a: one, no: none) cannot stand alone itself
            "npe": "yes" if columns["npe"][k] == columns["lemma"][k] else "no",
        }
        cells = {cell, *(c for c in columns["open"][k].split(",") if c and reading == "open")}
        for found in sorted(cells):
            number, count = {"sg": ("Sing", "count"), "pl": ("Plur", "count"), "mass": ("Sing", "mass")}[found]
            yield category, {"Number": number, "count": count, **common}

    def _auxiliary(self, k: int, cell: str) -> Iterator[Entry]:
        columns = self.lexicon.inventory("Aux").columns
        number = "Sing" if "_sg" in cell else "Plur"
        yield (
            "Aux",
            {
                "kind": columns["kind"][k],
                "selects": columns["selects"][k],
                "Number": number,
                "Polarity": "Neg" if cell.endswith("_neg") else "Pos",
            },
        )


def phis(number: str, gender: str, category: str) -> tuple[str, ...]:
    """What a reflexive may agree with: a singular of common gender goes with all that people are called.

    Singular *they* may stand for a name too, but not for a noun that means a man or a woman.
    """
    if number == "Plur":
        return ("Plur",)
    named = ("They",) if category == "Name" and gender != "Neut" else ()
    return ("Masc", "Fem", "They") if gender == "Com" else (gender, *named)


def _spellings(text: str) -> tuple[str, ...]:
    """How the lexicon may write what begins a sentence."""
    return tuple(dict.fromkeys((text, capitalized(text))))
