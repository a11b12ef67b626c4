"""A sheet of verb rows and negatives for linguists: ``python tests/tools/rows_to_read.py --seed S [-n 100] -o FILE``.

Draws n rows of ``verb_frames`` and n negatives (a frame that a verb asserts not to have) at random from the whole
lexicon, rare verbs included. A row is shown as it is used: its restrictions, and under each some of the nouns that it
takes. A reader writes number, ``ok`` or ``wrong``, and why.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from blimpgen.lexicon import Lexicon
from blimpgen.lexicon.schema import FRAMES
from blimpgen.library import default_library

NOUNS = 8
"""How many nouns of each argument a reader sees."""

WHOLE = "not +rare"
ARGUMENTS = ("subj", "obj", "comp")


def examples(lexicon: Lexicon, text: str, chance: random.Random) -> str:
    """Some of the nouns that a restriction admits: common ones if there are any."""
    nouns, parse = lexicon.nominals, lexicon.hierarchy.parse
    fitting = nouns.fits(parse(text))[0][: nouns.split]
    common = fitting & nouns.fits(parse(WHOLE))[0][: nouns.split]
    admitted = np.flatnonzero(common if common.any() else fitting)
    lemmas = nouns.tables[0]["lemma"]
    drawn = sorted(chance.sample(list(admitted), min(NOUNS, len(admitted))))
    return f"{len(admitted)} nouns, such as {', '.join(lemmas[k] for k in drawn)}"


def rows(lexicon: Lexicon, n: int, chance: random.Random) -> Iterator[str]:
    """n rows of frames, as a reader sees them."""
    table, surfaces = lexicon.verbs.frames, dict(zip(_ids(lexicon), lexicon.verbs.surfaces, strict=True))
    for k in sorted(chance.sample(range(len(table)), n)):
        verb, frame = table.keys[k]
        lines = [f"{surfaces[verb]} ({verb})  {frame}: {FRAMES[frame]}"]
        for column in ARGUMENTS:
            if (text := table[column][k]) and text != "any":
                shown = examples(lexicon, text, chance) if column != "comp" and _of_nouns(text) else ""
                lines.append(f"    {column}: {text}" + (f"\n        {shown}" if shown else ""))
        yield "\n".join(lines)


def negatives(lexicon: Lexicon, n: int, chance: random.Random) -> Iterator[str]:
    """n asserted negatives, as a reader sees them: a surface lemma and a frame that no sense of it has."""
    asserted = [
        (surface, frame)
        for frame, verbs in lexicon.verbs.asserted.items()
        for surface in sorted({lexicon.verbs.surfaces[k] for k in np.flatnonzero(verbs)})
    ]
    for surface, frame in sorted(chance.sample(asserted, n)):
        yield f"{surface}  never: {frame}: {FRAMES[frame]}" + _not_counted(frame)


def _not_counted(frame: str) -> str:
    """A reminder of the frame with the subject *it* (*it pleased him that she came*), which is another."""
    other = f"it.{frame}"
    return f"\n    not counted, as a frame of its own: {FRAMES[other]}" if other in FRAMES else ""


def _ids(lexicon: Lexicon) -> list[str]:
    return [key[0] for key in lexicon.verbs.lexemes.keys]


def _of_nouns(text: str) -> bool:
    return ":" not in text and text not in ("any", "none")


def main() -> None:
    """Write the sheet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("-o", type=Path, required=True)
    args = parser.parse_args()
    lexicon, chance = default_library().lexicon, random.Random(args.seed)
    items = [*rows(lexicon, args.n, chance), *negatives(lexicon, args.n, chance)]
    args.o.write_text("".join(f"{k}. {item}\n" for k, item in enumerate(items, 1)), encoding="utf-8")


if __name__ == "__main__":
    main()
