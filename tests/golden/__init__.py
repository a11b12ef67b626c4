"""A small frozen library with its golden output, and a writer of still smaller libraries.

``python -m tests.golden`` writes the golden output anew; do so only for a change of the sampling that is meant.
"""

from __future__ import annotations

import itertools
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import orjson

from blimpgen.base.records import Record
from blimpgen.generation.engine import BLOCK, Tally, draw_set
from blimpgen.generation.metadata import fillers
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly, generate_records
from blimpgen.library import Library

__all__ = [
    "FOLDER",
    "GRAMMAR",
    "INTRANSITIVE",
    "SIZES",
    "TABLES",
    "drawn_slots",
    "expected",
    "frozen_library",
    "make",
    "paradigm",
    "produced",
    "serialised",
    "small_library",
    "stacked_library",
    "words",
]

FOLDER = Path(__file__).resolve().parent
SIZES: Mapping[str, int] = {"changes": 40, "lists": 144, "tables": 40, "triples": 40, "twins": 40}
"""How many rows each golden file has; `lists` has all that there are."""

GRAMMAR = """\
phrase TOP
phrase DP  Number strength
phrase VP  form Tense Polarity
lexical N     Number
lexical Name  Number
lexical D     Number strength
lexical V     form frame
lexical Aux   kind
TOP.s    -> subject:DP VP*
DP.name  -> Name*               {1}
DP.det   -> determiner:D N*     {2}
VP.past[form=fin, Tense=Past, Polarity=Pos]         -> V[form=fin]*                     {1}
VP.have[form=fin, Tense=Pres, Polarity=Pos/Neg]     -> aux:Aux[kind=have] V[form=part]* {1}
"""
"""Rules for the smallest libraries."""

TABLES: Mapping[str, Sequence[str]] = {
    "types": ["type;parent", "entity", "human;entity", "animal;entity", "food;entity"],
    "nouns": [
        "id;lemma;types;count;Gender",
        "cat.1;cat;animal",
        "dog.1;dog;animal",
        "boy.1;boy;human;;Masc",
        "rice.1;rice;food;mass",
        "ant.1;ant;animal",
    ],
    "names": ["id;lemma;types;Gender", "Ann.1;Ann;human;Fem", "Bob.1;Bob;human;Masc"],
    "verbs": [
        "id;lemma;past;part;no_frames;tags",
        "see.1;see;saw;seen",
        "run.1;run;ran;run;V.NP",
        "fall.1;fall;fell;fallen;V.NP",
        "eat.1;eat;ate;eaten;;alone",
    ],
    "verb_frames": [
        "id;frame;subj;obj",
        "see.1;V.NP;human;any",
        "run.1;V;human | animal",
        "fall.1;V;any",
        "eat.1;V.NP;human | animal;food | animal",
        "eat.1;V;any",
    ],
    "determiners": [
        "id;lemma;kind;sg;pl;mass;weight",
        "the.1;the;art;the;the;the;3",
        "a.1;a;art;a;;;2",
        "two.1;two;num;;two;;1",
    ],
    "auxiliaries": [
        "id;lemma;kind;selects;pres_sg;pres_pl;pres_sg_neg;pres_pl_neg",
        "have.1;have;have;part;has;have;hasn't;haven't",
    ],
    "pronouns": [
        "id;lemma;Person;Number;Gender;nom;acc;refl",
        "he.1;he;3;Sing;Masc;he;him;himself",
        "she.1;she;3;Sing;Fem;she;her;herself",
        "they.1;they;3;Plur;Com;they;them;themselves",
    ],
    "function": ["id;lemma;kind;selects", "and.1;and;cconj", "that.1;that;comp", "not.1;not;part"],
}
"""Words for the smallest libraries, as `small_library` takes them."""


INTRANSITIVE = """\
slots:
  verb: {cat: VP, frame: V}
  subj: {cat: DP, subject_of: verb}
good: subj verb .
bad:  subj verb and .
"""
"""A paradigm for the smallest libraries."""


def frozen_library() -> Library:
    """A new library over the frozen tables, rules and paradigms beside this file."""
    return Library([FOLDER])


def serialised(records: Iterable[Record]) -> bytes:
    """Records as lines of JSON."""
    return b"".join(orjson.dumps(record.to_dict()) + b"\n" for record in records)


def make(
    library: Library,
    uid: str,
    n: int,
    seed: int = 0,
    rows: range | None = None,
    block: int = BLOCK,
    tally: Tally | None = None,
) -> list[Record]:
    """Records as the engine makes them; that the grammar derives the templates is asked of shipped paradigms alone."""
    compiled = prepare(uid, library, unproven=lambda fault: None)
    return list(generate_records(compiled, n, seed, rows, block=block, tally=tally))


def drawn_slots(library: Library, uid: str, n: int) -> Iterator[tuple[str, dict[str, str]]]:
    """The good sentence and the lexeme of each slot of some rows, without the trees of `metadata`, which take long."""
    compiled = prepare(uid, library, unproven=lambda fault: None)
    assembly = Assembly(compiled)
    for part in itertools.chain.from_iterable(draw_set(compiled, n, 0)):
        for k, row in enumerate(assembly.cell_rows(*part)):
            slots = fillers(compiled.cells[part.cell], [column[k : k + 1] for column in part.columns])
            yield row["sentence_good"], {name: slot.get("lexeme", "") for name, slot in slots.items()}


def produced(uid: str, library: Library) -> bytes:
    """What the paradigm gives now."""
    return serialised(make(library, uid, SIZES[uid]))


def expected(uid: str) -> Path:
    """The file of what it gave when the golden output was written."""
    return FOLDER / "output" / f"{uid}.jsonl"


def paradigm(body: str) -> str:
    """The YAML of a paradigm: what every file must have, and the given keys."""
    return f"summary: A paradigm of a test.\nfield: syntax\n{body}"


def words(letter: str, count: int) -> str:
    """A slot of made-up words, so that a plan is as large as a test needs."""
    return f"{{words: [{', '.join(f'{letter}{k}x' for k in range(count))}]}}"


def small_library(
    folder: Path, paradigms: Mapping[str, str], *, grammar: str = GRAMMAR, **tables: Sequence[str]
) -> Library:
    """Write a library and read it.

    Args:
        folder: where to write it.
        paradigms: UID to the body of its YAML; all go to the suite ``small``, phenomenon ``test``.
        grammar: the phrase rules.
        tables: table name to its lines, the header first, cells separated by ``;``; instead of those of `TABLES`.
    """
    for part in ("lexicon", "grammars/english"):
        (folder / part).mkdir(parents=True, exist_ok=True)
    for name, lines in {**TABLES, **tables}.items():
        (folder / "lexicon" / f"{name}.tsv").write_text(_tsv(lines), encoding="utf-8")
    shutil.copy(FOLDER / "lexicon" / "language.yaml", folder / "lexicon")
    (folder / "grammars" / "english" / "rules.cfg").write_text(grammar, encoding="utf-8")
    return _with_paradigms(folder, paradigms, [folder])


def stacked_library(folder: Path, body: str) -> Library:
    """The frozen words and rules with one more paradigm, p, which is written to the folder."""
    return _with_paradigms(folder, {"p": body}, [FOLDER, folder])


def _with_paradigms(folder: Path, paradigms: Mapping[str, str], folders: Sequence[Path]) -> Library:
    for uid, body in paradigms.items():
        path = folder / "paradigms" / "small" / "test" / f"{uid}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(paradigm(body), encoding="utf-8")
    return Library(folders)


def _tsv(lines: Sequence[str]) -> str:
    rows = [[cell.strip() for cell in line.split(";")] for line in lines]
    width = len(rows[0])
    return "".join("\t".join([*row, *[""] * (width - len(row))]) + "\n" for row in rows)
