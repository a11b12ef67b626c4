"""The contrasts that rest on an asserted negative: who the members are, and who was tried and let go.

`docs/lexicon.md` lists what is found here. A candidate that a counter-reading saves (a middle, a cognate object, a
business use, a homograph) is no member: it stands in ``lexicon_exceptions/negatives_dropped.tsv`` with that reading.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from blimpgen.base.sources import read_tsv
from blimpgen.lexicon import Lexicon

DROPPED = Path(__file__).parents[1] / "lexicon_exceptions" / "negatives_dropped.tsv"

VERBS = (
    ("strictly transitive: no clause without the object", "V.NP", "V"),
    ("strictly transitive with a preposition", "V.P", "V"),
    ("strictly intransitive: no object of any kind, no passive", "V", "V.NP"),
    ("only questions, no *that*-clause", "V.wh", "V.that"),
    ("only *that*-clauses, no question", "V.that", "V.wh"),
    ("control of the subject: no *there*", "V.to.sc", "V.to.sr"),
    ("control of the object: no *there*, no expletive *it*", "V.NP.to.oc", "V.NP.to.or"),
    ("a goal after its preposition alone, never as a first object", "V.NP.P", "V.NP.NP"),
    ("a gerund, no infinitive", "V.ing", "V.to.sc"),
    ("an infinitive, no gerund", "V.to.sc", "V.ing"),
)
ADJECTIVES = (
    ("tough adjectives: no *there*, no complete clause", "A.tough", "A.to.sr"),
    ("raising adjectives: no gap", "A.to.sr", "A.tough"),
    ("control adjectives: no *there*", "A.to.sc", "A.to.sr"),
    ("said of a clause, not of a person", "A.it.that", "A.that"),
)
SUBJECTS = (
    ("subject never a thing", "V.NP"),
    ("subject never a thing, with a preposition", "V.P"),
    ("subject never a thing, without an object", "V"),
)


@dataclass(frozen=True)
class Contrast:
    """A contrast.

    Attributes:
        title: what the members are.
        listed: the frame that they list.
        denied: what they assert: a frame that they do not have, or the column ``subj_no``.
        members: their lemmas, in order.
        dropped: the lemmas that were tried and assert it no more.
    """

    title: str
    listed: str
    denied: str
    members: tuple[str, ...]
    dropped: tuple[str, ...] = ()


def dropped() -> list[tuple[str, str, str, str]]:
    """Lemma, frame, what it does not assert any more, and the reading that saves it."""
    columns = ["lemma", "frame", "negative", "reason"]
    return [(row[0], row[1], row[2], row[3]) for row in read_tsv(DROPPED, columns, required=columns).rows]


def contrasts(lexicon: Lexicon) -> Iterator[Contrast]:
    """Every contrast with its members, and how the verbs whose past is not their participle tell the two apart."""
    verbs, gone = lexicon.verbs, dropped()

    def contrast(title: str, listed: str, denied: str, lemmas: Iterable[str]) -> Contrast:
        lost = sorted(lemma for lemma, frame, negative, _ in gone if (frame, negative) == (listed, denied))
        return Contrast(title, listed, denied, tuple(sorted(set(lemmas))), tuple(lost))

    surfaces = np.array(verbs.surfaces, dtype=object)
    for title, listed, denied in VERBS:
        yield contrast(title, listed, denied, surfaces[verbs.lists(listed) & verbs.asserted[denied]])
    things = np.array(_things(lexicon)) & verbs.lists("V.NP") & verbs.asserted["V"]
    yield Contrast("of these, with things as objects: no inchoative", "V.NP", "V", tuple(sorted(set(surfaces[things]))))
    both = surfaces[verbs.lists("V.that") & verbs.lists("V.wh")]
    yield contrast("both *that*-clauses and questions", "V.that, V.wh", "", both)
    yield contrast("past and participle never the same", "V.NP", "", surfaces[_distinct(lexicon)])
    for title, listed in SUBJECTS:
        yield contrast(title, listed, "subj_no", surfaces[_restricts(lexicon, listed)])
    table = lexicon.table("adjectives")
    for title, listed, denied in ADJECTIVES:
        cells = zip(table["lemma"], table["frames"], table["no_frames"], strict=True)
        yield contrast(
            title,
            listed,
            denied,
            (lemma for lemma, yes, no in cells if listed in yes.split(",") and denied in no.split(",")),
        )


def _distinct(lexicon: Lexicon) -> np.ndarray:
    """Transitive verbs whose past, in any accepted variant, is none of the accepted participles."""
    verbs = lexicon.verbs

    def variants(cell: str, k: int) -> set[str]:
        head = verbs.forms[cell][k].split(" ")[0]
        return {head, *verbs.lexemes[f"{cell}_alt"][k].split(",")} - {""}

    differ = [not variants("past", k) & variants("part", k) for k in range(len(verbs.surfaces))]
    return np.array(differ) & verbs.lists("V.NP")


def _things(lexicon: Lexicon) -> list[bool]:
    """Verbs whose object may be a thing."""
    verbs, parse, fits = lexicon.verbs, lexicon.hierarchy.parse, lexicon.nominals.fits
    thing = fits(parse("not animate & not group"))[0]
    objects = verbs.frames["obj"]
    return [row >= 0 and bool((fits(parse(objects[row]))[0] & thing).any()) for row in verbs.rows["V.NP"]]


def _restricts(lexicon: Lexicon, frame: str) -> np.ndarray:
    """Verbs that name clear violations as their subject in a frame."""
    verbs = lexicon.verbs
    return np.array([row >= 0 and verbs.frames["subj_no"][row] != "none" for row in verbs.rows[frame]])
