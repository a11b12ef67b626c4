"""Selection by kind, measured: ``python tests/tools/leave_out.py [--nouns 300] [--seed 0]``.

How many lemmas the tables enumerate; and, for nouns drawn by a seed, what stays of their places when they are struck
from every enumeration and only their own row speaks for them. A *place* is one restricted argument of a frame of a
verb. Verbs and adjectives are struck from the macros and adverbs that enumerate them in the same way.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.restrictions import And, Atom, Expression, Not, Or
from blimpgen.lexicon.rows import read_hierarchy_table
from blimpgen.library import default_library

ENUMERATION = re.compile(r"lemma=([^&|()]+)")
ARGUMENT = re.compile(r"[a-z]+\d?:(.+)")
SHARE_BACK, SHARE_NEW = 0.85, 0.10


@dataclass(frozen=True)
class LeftOut:
    """What came of a word that was struck.

    Attributes:
        word: its id.
        before: its places.
        back: those that it still has.
        new: those that it has only now.
    """

    word: str
    before: int
    back: int
    new: int

    @property
    def good(self) -> bool:
        """Whether enough places came back, and few new ones."""
        return self.back >= SHARE_BACK * self.before and self.new <= SHARE_NEW * self.before


def enumerated(text: str) -> int:
    """How many lemmas a cell enumerates."""
    return sum(len(match[1].split("/")) for match in ENUMERATION.finditer(text))


def counts(lexicon: Lexicon) -> dict[str, int]:
    """Table to the lemmas that its cells enumerate, as they are written."""
    result = {}
    for name, columns in (
        ("verb_frames", ("subj", "subj_no", "obj", "obj_no", "comp", "clause")),
        ("verb_classes", ("subj", "subj_no", "obj", "obj_no")),
        ("adjectives", ("arg",)),
        ("adverbs", ("modifies",)),
        ("nouns", ("rel",)),
    ):
        rows = _written(lexicon, name)
        result[name] = sum(enumerated(row.get(column, "")) for row in rows for column in columns)
    macros = read_hierarchy_table("macros", lexicon.folders).column("means")
    return result | {"macros": sum(enumerated(cell) for cell in macros)}


def _written(lexicon: Lexicon, name: str) -> list[dict[str, str]]:
    """The rows of a table as they stand in its file: what a class or an alternation fills in is not counted."""
    lines = (lexicon.folders[0] / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    header, *rows = (line.split("\t") for line in lines)
    return [dict(zip(header, row, strict=False)) for row in rows]


def without(expression: Expression, lemma: str) -> Expression:
    """The restriction with a lemma struck from what it enumerates."""
    match expression:
        case Atom(kind="column", name="lemma", values=values) if lemma in values:
            rest = tuple(value for value in values if value != lemma)
            return Atom("column", "lemma", rest) if rest else Atom("none", "none")
        case Not(part):
            return Not(without(part, lemma))
        case And(parts):
            return And(tuple(without(part, lemma) for part in parts))
        case Or(parts):
            return Or(tuple(without(part, lemma) for part in parts))
    return expression


def places(lexicon: Lexicon) -> list[Expression]:
    """The restriction of each place: subject, object and further argument of each row of a frame."""
    frames, parse = lexicon.verbs.frames, lexicon.hierarchy.parse
    cells = [*frames["subj"], *frames["obj"]]
    arguments = (ARGUMENT.fullmatch(item) for cell in frames["comp"] for item in cell.split(","))
    texts = [*cells, *(match[1] for match in arguments if match)]
    return [parse(text) for text in texts if text != "any"]


def leave_out_nouns(lexicon: Lexicon, count: int, seed: int) -> list[LeftOut]:
    """Strike nouns from all places, one at a time.

    Args:
        lexicon: the words.
        count: how many nouns.
        seed: of the draw, from nouns in everyday use.
    """
    nominals, nouns = lexicon.nominals, lexicon.inventory("N")
    expressions = places(lexicon)
    masks = np.stack([nominals.fits(e).any(axis=0) for e in expressions])
    drawn = random.Random(seed).sample(range(len(nouns)), count)
    return [_left_out(lexicon, k, expressions, masks) for k in sorted(drawn)]


def _left_out(lexicon: Lexicon, k: int, expressions: Sequence[Expression], masks: NDArray[np.bool_]) -> LeftOut:
    nominals, nouns = lexicon.nominals, lexicon.inventory("N")
    lemma = str(nouns.columns["lemma"][k])
    after = masks[:, k].copy()
    for number, expression in enumerate(expressions):
        struck = without(expression, lemma)
        if struck != expression:
            after[number] = nominals.fits(struck)[:, k].any()
    before = masks[:, k]
    return LeftOut(nouns.ids[k], int(before.sum()), int((before & after).sum()), int((after & ~before).sum()))


def main() -> None:
    """Print the figures; the exit status says whether they meet what is asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nouns", type=int, default=300, help="how many nouns to draw")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    lexicon = default_library().lexicon
    for name, number in counts(lexicon).items():
        print(f"{name:12s} {number:6,d} lemmas enumerated")
    results = leave_out_nouns(lexicon, arguments.nouns, arguments.seed)
    before, back, new = (sum(getattr(r, name) for r in results) for name in ("before", "back", "new"))
    print(f"{len(results)} nouns: {back / before:.1%} of {before:,} places come back, {new / before:.1%} new")
    print(f"{sum(r.good for r in results) / len(results):.1%} of the nouns alone meet both bounds; short:")
    for result in sorted(results, key=lambda r: r.back / max(r.before, 1))[:15]:
        print(f"  {result.word:24s} {result.back} of {result.before}, {result.new} new")


if __name__ == "__main__":
    main()
