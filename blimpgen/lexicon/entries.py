"""Every analysis of a surface form: categories with features, in the closed or the open reading.

*Closed* knows what the tables list. *Open* knows besides it what they do not exclude: every frame that is not
asserted impossible, variant forms, collectives with either number, singular *they*.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from blimpgen.english.words import capitalized
from blimpgen.lexicon.features import split_features
from blimpgen.lexicon.forms import DEGREES
from blimpgen.lexicon.inventory import Mask
from blimpgen.lexicon.read import Lexicon
from blimpgen.lexicon.readings import Reading
from blimpgen.lexicon.schema import CATEGORIES, FRAMES

__all__ = ["BY_LIST", "Entries", "Entry"]

Entry = tuple[str, dict[str, str]]
"""A category and its feature values."""

BY_LIST = frozenset(
    {
        *(
            "V.P",
            "V.pred",
            "V.NP.pred",
            "V.ing",
            "V.NP.ing",
            "V.NP.bare",
            "V.that.bare",
            "V.NP.wh",
            "V.NP.to.sc",
            "it.V.that",
            "it.V.NP.that",
        ),
        *("V.NP.P", "V.NP.loc", "V.loc"),
        *(frame for frame in FRAMES if frame.startswith("A")),
    }
)
"""Frames that only verbs have which list them: those of small sets, and such in which other verbs have an adjunct."""

_AFTER_PREPOSITION = ("V.P", "V.ing", "V.wh")
"""What a verb with a preposition may take: that of the preposition."""

_ADJECTIVAL = tuple(frame for frame in FRAMES if frame.startswith("A") and frame != "A.P")
"""What adjectives without a preposition of their own may take."""

_VERB_FORMS = {
    "bare": ("bare", ""),
    "pres_sg": ("fin", "Sing"),
    "pres_pl": ("fin", "Plur"),
    "past": ("fin", ""),
    "part": ("part", ""),
    "ing": ("ing", ""),
}


class Entries:
    """Looks surface forms up.

    Args:
        lexicon: the words.
        asked: what rules ask of words, by category and by the name of the feature: which lexemes are so.
    """

    def __init__(self, lexicon: Lexicon, asked: Mapping[str, Mapping[str, Mask]] = MappingProxyType({})) -> None:
        self.lexicon, self.asked = lexicon, asked
        self._frames: dict[tuple[int, str], tuple[tuple[str, Mapping[str, str]], ...]] = {}
        self._kinds: dict[tuple[str, int], int] = {}
        self._numbers: dict[frozenset[Hashable], int] = {}

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
                    answers = self._answers(analysis)
                    for category, values in self._makers[analysis.category](analysis, reading):
                        yield analysis, (category, {**values, **answers} if answers else values)

    def kind(self, category: str, row: int) -> int:
        """Number the kind of a lexeme: what the grammar can tell it from others by, its entries in both readings.

        Args:
            category: as in paradigm files.
            row: the row of the lexeme in the inventory of its category.
        """
        if (category, row) not in self._kinds:
            entries = frozenset(self._kind(category, row))
            self._kinds[category, row] = self._numbers.setdefault(entries, len(self._numbers))
        return self._kinds[category, row]

    def _kind(self, category: str, row: int) -> Iterator[Hashable]:
        if category in self._makers:
            for cell, numbers in self.lexicon.inventory(category).forms.items():
                for reading in ("closed", "open") if numbers[row] > 0 else ():
                    for name, values in self._makers[category](Reading(category, row, cell), reading):
                        yield cell, reading, name, frozenset(values.items())
            yield frozenset(self._answers(Reading(category, row, "")).items())

    def _answers(self, analysis: Reading) -> dict[str, str]:
        """What a lexeme is of what rules ask."""
        asked = self.asked.get(analysis.category, {})
        return {name: "yes" if mask[analysis.row] else "no" for name, mask in asked.items()}

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
            "Recip": self._reflexive,
            "Poss": self._possessive,
            "Pron": self._pronoun,
            "P": self._preposition,
            "Wh": self._wh,
            "Subordinator": self._subordinator,
            "NPI": self._polarity_item,
            **dict.fromkeys(("Dwh", "Rel"), self._plain),
            **{f"words:{name}": self._listed for name in self.lexicon.inflected_lists if name not in CATEGORIES},
        }

    def _listed(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        """The entries of a form of a list: its features, once with each frame if words of the list have frames."""
        name, features = analysis.category.removeprefix("words:"), split_features(analysis.cell)
        inventory = self.lexicon.inventory(analysis.category)
        frames = inventory.values("frames") - {"", "none"}
        if not frames:
            yield name, features
            return
        listed, denied = (inventory.columns[column][analysis.row].split(",") for column in ("frames", "no_frames"))
        for frame in sorted(frames):
            if frame in listed or (reading == "open" and frame not in denied):
                yield name, {**features, "frame": frame}

    def _plain(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        yield analysis.category, {}

    def _polarity_item(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        lemma = self.lexicon.inventory("NPI").lemmas[analysis.row]
        yield "NPI", {"slot": self._polarity.get(("adv", lemma), "")}

    def _npi(self, kind: str, lemma: str) -> str:
        """Whether a determiner (`det`) or pronoun (`phrase`) waits for a licensor."""
        return "free" if (kind, lemma) in self._polarity else "no"

    @cached_property
    def _polarity(self) -> dict[tuple[str, str], str]:
        """Where each polarity item stands, by its kind and lemma."""
        table = self.lexicon.table("polarity")
        return dict(zip(zip(table["cat"], table["lemma"], strict=True), table["slot"], strict=True))

    def _preposition(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        yield "P", {"of": "yes" if self.lexicon.inventory("P").ids[analysis.row] == "of.1" else "no"}

    def _subordinator(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        yield "Subordinator", {"ving": self.lexicon.inventory("Subordinator").columns["ving"][analysis.row]}

    def _wh(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        asks_for = self.lexicon.inventory("Wh").columns["antecedent"][analysis.row]
        yield "Wh", {"adv": "yes" if asks_for == "none" else "no"}

    def _possessive(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        yield "D", {"Definite": "Def", "strength": "strong", "neg": "no", "npe": "no", "kind": "other", "npi": "no"}

    def _pronoun(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        columns, k = self.lexicon.inventory("Pron").columns, analysis.row
        if analysis.cell == "poss_pron":  # what is mine may be one thing or several, subject or object
            for number, phi in (("Sing", "Neut"), ("Plur", "Plur")):
                yield "Pron", {"Number": number, "phi": phi, "neg": "no", "npi": "no"}
            return
        # *I* and *you* take the verb form of the plural
        number = "Sing" if columns["Person"][k] == "3" and columns["Number"][k] == "Sing" else "Plur"
        for phi in phis(columns["Number"][k], columns["Gender"][k], "Pron"):
            shared = {"neg": columns["neg"][k], "npi": self._npi("phrase", columns["lemma"][k])}
            yield "Pron", {"Number": number, "phi": phi, "case": analysis.cell, **shared}

    def _numeral_modifier(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        yield "NumMod", {"sup": self.lexicon.inventory("NumMod").columns["sup"][analysis.row]}

    def _reflexive(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        if analysis.category == "They":
            yield "Refl", {"phi": "They"}
            return
        columns, k = self.lexicon.inventory(analysis.category).columns, analysis.row
        yield "Refl", {"phi": "Plur" if columns["Number"][k] == "Plur" else columns["Gender"][k]}

    def _adjective(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        columns, k = self.lexicon.inventory("A").columns, analysis.row
        listed, denied = (columns[name][k].split(",") for name in ("frames", "no_frames"))
        degree = next(degree for degree, cell in DEGREES.items() if cell == analysis.cell)
        if columns["prt"][k]:  # takes a noun phrase and nothing else
            yield "A", {"pos": "pred", "frame": "A.P", "Degree": degree}
            return
        if columns["pos"][k] != "pred" or reading == "open":
            yield "A", {"pos": "attr", "frame": "A", "Degree": degree}
        for frame in _ADJECTIVAL if columns["pos"][k] != "attr" else ():
            if frame in listed or (reading == "open" and frame not in denied):
                yield "A", {"pos": "pred", "frame": frame, "Degree": degree}

    def _adverb(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        columns, k = self.lexicon.inventory("Adv").columns, analysis.row
        if columns["polarity"][k] != "NPI":
            yield from (("Adv", {"slot": slot}) for slot in columns["slot"][k].split(",") if slot)

    def _noun(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        category, k, cell, _ = analysis
        columns = self.lexicon.inventory(category).columns
        numbers, group = [cell], "no"
        if category == "N" and reading == "open":
            numbers = ["Sing", "Plur"] if cell == "Plur" and columns["number_stable"][k] == "no" else numbers
            group = "yes" if columns["agr"][k] == "either" else "no"
        counts: tuple[str, ...] = ("mass",) if category == "N" and columns["count"][k] == "mass" else ("count",)
        if category == "N" and columns["count"][k] == "both" and cell == "Sing":
            counts = ("count", "mass")
        for number in numbers:
            for phi in phis(number, columns["Gender"][k], category):
                for count in counts if category == "N" else ("",):
                    counted = {"count": count, "coll": group} if count else {}
                    yield category, {"Number": number, "phi": phi, **counted}

    def _verb(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        form, number = _VERB_FORMS[analysis.cell]
        for frame, values in self.frames(analysis.row, reading):
            yield "V", {"form": form, "frame": frame, **values, **({"Number": number} if number else {})}

    def frames(self, k: int, reading: str) -> tuple[tuple[str, Mapping[str, str]], ...]:
        """The frames of a verb in a reading, each with whether its complementizer may drop and it has a passive.

        Args:
            k: the row of the verb.
            reading: closed (the frames that are listed), or open (also those not asserted to be missing).
        """
        if (k, reading) not in self._frames:
            self._frames[k, reading] = tuple(self._possible_frames(k, reading))
        return self._frames[k, reading]

    def _possible_frames(self, k: int, reading: str) -> Iterator[tuple[str, Mapping[str, str]]]:
        verbs = self.lexicon.verbs
        passives = verbs.frames["passive"]
        with_preposition = self.lexicon.inventory("V").columns["prt_kind"][k] == "prep"
        for frame, rows in verbs.rows.items():
            listed = rows[k] >= 0 or (self._ids[k], frame) in self._uses
            possible = frame in _AFTER_PREPOSITION if with_preposition else frame not in BY_LIST
            if listed or (reading == "open" and possible and not verbs.asserted[frame][k]):
                # seldom after "explain", but known: a clause without "that" is for every verb that lists one
                that0 = "yes" if frame == "V.that" and listed else "no"
                # that nothing is made with a passive does not say that there is none
                active = reading == "closed" and rows[k] >= 0 and passives[rows[k]] == "no"
                yield frame, {"that0": that0, "passive": "no" if active else "yes"}

    def is_doubtful(self, text: str, frame: str) -> bool:
        """Whether the table of uses knows that a form has a frame, and that not all speakers have it.

        Args:
            text: a form of a verb.
            frame: one of the frames.
        """
        verbs = (reading for reading in self.lexicon.readings.by_text.get(text, ()) if reading.category == "V")
        uses = (self.lexicon.verb_uses.get((self._ids[reading.row], frame), ()) for reading in verbs)
        return any(use.doubtful != "no" for each in uses for use in each)

    @cached_property
    def _ids(self) -> tuple[str, ...]:
        return tuple(self.lexicon.verbs.lexemes["id"])

    @cached_property
    def _uses(self) -> frozenset[tuple[str, str]]:
        """Verbs and frames of uses that nothing is made with, and that all speakers have."""
        uses = self.lexicon.verb_uses
        return frozenset(use for use, rows in uses.items() if any(row.doubtful == "no" for row in rows))

    def _determiner(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        category, k, cell, _ = analysis
        columns = self.lexicon.inventory(category).columns
        common = {
            "Definite": columns["Definite"][k],
            "strength": columns["strength"][k],
            "neg": "few" if columns["neg"][k] == "no" and columns["npi_s"][k] == "yes" else columns["neg"][k],
            "npi": self._npi("det", columns["lemma"][k]),
            # what leaves another form behind when its noun is dropped (a: one, no: none) cannot stand alone itself
            "npe": "yes" if columns["npe"][k] == columns["lemma"][k] else "no",
            "kind": "dem" if columns["kind"][k] == "dem" else "other",
        }
        cells = {cell, *filter(None, columns["open"][k].split(","))}
        for value in sorted(cells):
            number, count = {"sg": ("Sing", "count"), "pl": ("Plur", "count"), "mass": ("Sing", "mass")}[value]
            yield category, {"Number": number, "count": count, **common}

    def _auxiliary(self, analysis: Reading, reading: str) -> Iterator[Entry]:
        columns, k, cell = self.lexicon.inventory("Aux").columns, analysis.row, analysis.cell
        if cell != "bare":
            number, polarity = "Sing" if "_sg" in cell else "Plur", "Neg" if cell.endswith("_neg") else "Pos"
            kind = columns["kind"][k]
            for selected in (columns["selects"][k], *(["pred"] if kind == "be" else [])):
                yield "Aux", {"kind": kind, "selects": selected, "Number": number, "Polarity": polarity}


def phis(number: str, gender: str, category: str) -> tuple[str, ...]:
    """What a reflexive may agree with: a singular of common gender goes with all that people are called.

    Singular *they* may stand for a name too, but not for a noun that means a man or a woman.

    Args:
        number: Sing or Plur.
        gender: as in the column ``Gender``.
        category: N or Name.
    """
    if number == "Plur":
        return ("Plur",)
    named = ("They",) if category == "Name" and gender != "Neut" else ()
    return ("Masc", "Fem", "They") if gender == "Com" else (gender, *named)
