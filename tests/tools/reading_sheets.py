"""Random clauses for readers: is what the lexicon puts together sensible English?

``python tests/tools/reading_sheets.py draw --seed S -n 400 -o FILE`` writes clauses of five templates to a table
(number, sentence, template, lexeme). Verbs are drawn by strata: every pair of a template and a verb class has its
share, so that among 400 clauses every class occurs that has one of these frames. The verbs stand in the plain past, the
copula in the present, and the subject of a predicate is definite, because the question is which words go together. The
clauses come from paradigm files, written to a temporary folder and generated like any other; what the library does not
draw by itself (rare words) is drawn only for a class that has nothing else.

``... sheet --seed S -n 400 -o FILE --release DIR`` writes FILE, a number and a sentence a line, with released good
sentences mixed in (15 in a hundred), and beside it the key that says what each one is. ``... score FILE.key ANSWERS``
counts what a reader answered: number, ``odd`` or ``ok``, note. The released sentences calibrate the reader: about 28 %
of them are odd, and who finds fewer than 20 % does not count.
"""

from __future__ import annotations

import argparse
import csv
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from blimpgen import generate
from blimpgen.base.records import MinimalPair
from blimpgen.library import Library, default_library

CALIBRATORS = 0.15
LONGEST = 8
"""Released sentences with more words would give themselves away."""

SLOTS = """\
summary: {title}
field: semantics
methods: [simple]
{vary}
slots:
{slots}
good: {good}
bad:  {bad}
derivable: the words out of order may be a clause of another kind; only the good sentence is read
"""


@dataclass(frozen=True)
class Template:
    """A pattern of clauses.

    Attributes:
        title: the pattern as readers of the table see it.
        frame: the frame that the verbs are stratified in; empty for the templates of adjectives.
        word: the slot whose lexeme the clause is drawn for.
        slots: the slots of the paradigm, as YAML.
        good, bad: the clause, and the same words out of order, because a paradigm has two sentences.
    """

    title: str
    frame: str
    word: str
    slots: Mapping[str, str]
    good: str
    bad: str


CARRIERS = "buy/describe/eat/enter/find/hear/meet/mention/notice/own/remember/see/visit/watch"
VERB = "cat: VG.plain, Tense: Past"
ADJECTIVE = "cat: A, modifies: noun"
TEMPLATES = (
    Template(
        "DP V DP",
        "V.NP",
        "verb",
        {"verb": f"{VERB}, frame: V.NP", "subj": "cat: DP, subject_of: verb", "obj": "cat: DP, object_of: verb"},
        "subj verb obj .",
        "subj obj verb .",
    ),
    Template(
        "DP V",
        "V",
        "verb",
        {"verb": f"{VERB}, frame: V", "subj": "cat: DP, subject_of: verb"},
        "subj verb .",
        "verb subj .",
    ),
    Template(
        "DP V P DP",
        "V.P",
        "verb",
        {"verb": f"{VERB}, frame: V.P", "subj": "cat: DP, subject_of: verb", "obj": "cat: DP, object_of: verb"},
        "subj verb obj .",
        "subj obj verb .",
    ),
    Template(
        "DP is A",
        "",
        "adj",
        {
            "adj": f"{ADJECTIVE}, frame: A, is: pos=both/pred",
            "noun": "cat: N, is: not kin & not bodypart",
            "det": "cat: D, is: Definite=Def & neg=no, agrees_with: noun",
            "cop": "cat: Aux, kind: be, Polarity: Pos, Tense: Pres, agrees_with: noun",
        },
        "det noun cop adj .",
        "det noun adj cop .",
    ),
    Template(
        "A N",
        "",
        "adj",
        {
            "adj": f"{ADJECTIVE}, frame: A, is: pos=both/attr",
            "noun": "cat: N, is: not kin & not bodypart",
            "det": "cat: D, is: neg=no, agrees_with: noun",
            "verb": f"{VERB}, frame: V.NP, is: lemma={CARRIERS}, object: noun",
            "subj": "cat: DP.name | DP.det, subject_of: verb",
        },
        "subj verb det adj noun .",
        "subj verb det noun adj .",
    ),
)


@dataclass(frozen=True)
class Clause:
    """A drawn clause, the title of its template, the id of the verb or adjective it was drawn for."""

    sentence: str
    template: str
    word: str


def strata(library: Library) -> dict[str, dict[str, str]]:
    """For each frame of the templates its verb classes, each with the restriction that draws it.

    A verb without a class is in no stratum.
    """
    verbs = library.lexicon.inventory("V")
    classes = verbs.columns["class"]
    rare = np.array(["rare" in cell.split(",") for cell in verbs.columns["tags"]])
    usable = {t.frame: np.array(_usable(library, t.frame)) & (classes != "") for t in TEMPLATES if t.frame}
    common = set(classes[~rare & np.logical_or.reduce(list(usable.values()))])
    found = {}
    for frame, has in usable.items():
        drawn = " & objectless=no" if frame == "V" else ""
        asked = {c: f"class={c}{drawn}" for c in sorted(set(classes[has & ~rare]))}
        only = sorted(set(classes[has & rare]) - common)
        found[frame] = asked | {c: f"class={c}{drawn} & +rare" for c in only}
    return found


def _usable(library: Library, frame: str) -> list[bool]:
    """Which verbs have a frame and can have arguments in it that are drawn by themselves (not *her knee*)."""
    lexicon = library.lexicon
    nouns, parse = lexicon.nominals, lexicon.hierarchy.parse
    whole = nouns.fits(parse("not bodypart & not +rare"))[0]
    dropped = (lexicon.inventory("V").columns["objectless"] == "yes") & (frame == "V")
    table = lexicon.verbs.frames

    def drawn(row: int) -> bool:
        asked = [table[column][row] for column in ("subj", "obj")[: 1 if frame == "V" else 2]]
        return all(bool((nouns.fits(parse(text)) & whole).any()) for text in asked)

    return [row >= 0 and not drop and drawn(row) for row, drop in zip(lexicon.verbs.rows[frame], dropped, strict=True)]


def sizes(n: int, frames: Mapping[str, Mapping[str, str]]) -> dict[str, int]:
    """How many of n clauses each template gets: a tenth for each one with adjectives, the rest by verb classes."""
    found = {t.title: n // 10 for t in TEMPLATES if not t.frame}
    rest, total = n - sum(found.values()), sum(map(len, frames.values()))
    for template in (t for t in TEMPLATES if t.frame):
        share = round(rest * len(frames[template.frame]) / total)
        found[template.title] = share
        rest, total = rest - share, total - len(frames[template.frame])
    return found


def write_paradigm(template: Template, classes: Sequence[str], folder: Path) -> Path:
    """The paradigm of a template as a file; `classes` are restrictions, one a cell."""
    vary = "balance: [adj]"
    if classes:
        cells = [f"    c{k}: {{verb: {{is: {text}}}}}" for k, text in enumerate(classes)]
        vary = "\n".join(["vary:", "  class:", *cells])
    slots = "\n".join(f"  {name}: {{{text}}}" for name, text in template.slots.items())
    path = folder / f"draw_{TEMPLATES.index(template)}.yaml"
    path.write_text(
        SLOTS.format(title=template.title, vary=vary, slots=slots, good=template.good, bad=template.bad),
        encoding="utf-8",
    )
    return path


def draw(library: Library, seed: int, n: int, templates: Iterable[Template] = TEMPLATES) -> list[Clause]:
    """n clauses in random order; fewer if only some of the templates are asked for."""
    chance, frames, clauses = random.Random(seed), strata(library), []
    share = sizes(n, frames)
    with tempfile.TemporaryDirectory() as folder:
        for template in templates:
            classes = list(frames.get(template.frame, {}).values())
            chance.shuffle(classes)
            path = write_paradigm(template, classes[: share[template.title]], Path(folder))
            for record in generate(path, n=share[template.title], seed=seed, library=library):
                assert isinstance(record, MinimalPair)
                word = record.metadata["slots"][template.word]
                clauses.append(Clause(record.good, template.title, word["lexeme"]))
    chance.shuffle(clauses)
    return clauses


def released(folder: Path, seed: int, n: int) -> list[str]:
    """n released good sentences, of the length of a clause, all statements."""
    found = []
    for path in sorted(folder.glob("*.jsonl")):
        rows = (json.loads(line)["sentence_good"] for line in path.read_text(encoding="utf-8").splitlines())
        found += [text for text in rows if text.endswith(".") and len(text.split()) <= LONGEST]
    return random.Random(seed).sample(found, n)


def mixed(clauses: Sequence[Clause], calibrators: Sequence[str], seed: int) -> list[Clause]:
    """Clauses and calibrators (with the template ``released``) in random order."""
    items = [*clauses, *(Clause(text, "released", "") for text in calibrators)]
    random.Random(seed).shuffle(items)
    return items


def write_table(rows: Iterable[Sequence[object]], path: Path) -> None:
    """Rows of a tab-separated file."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n").writerows(rows)


def read_table(path: Path) -> list[list[str]]:
    """Rows of a tab-separated file, without empty ones."""
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE) if row]


def write_sheet(items: Sequence[Clause], path: Path) -> None:
    """The sheet of a reader, and its key beside it."""
    write_table(((k, item.sentence) for k, item in enumerate(items, 1)), path)
    key = ((k, item.template, item.word, item.sentence) for k, item in enumerate(items, 1))
    write_table(key, path.with_suffix(".key"))


def score(key: Iterable[Sequence[str]], answers: Iterable[Sequence[str]]) -> list[str]:
    """What a reader answered, as lines: counts for ours and for the calibrators, then every odd clause with its note.

    Raises:
        SystemExit: an item without an answer, or an answer that is neither odd nor ok.
    """
    given = {row[0].strip(): (row[1].strip(), row[2] if len(row) > 2 else "") for row in answers}
    items, odd, all_of = [*key], [], Counter[str]()
    missing = [number for number, *_ in items if given.get(number, ("",))[0] not in ("odd", "ok")]
    if missing:
        raise SystemExit(f"no answer odd or ok for {', '.join(missing)}")
    for number, template, word, sentence in items:
        all_of[template] += 1
        if given[number][0] == "odd":
            odd.append((template, sentence, word, given[number][1]))
    by = Counter(template for template, *_ in odd)
    ours = len(items) - all_of["released"]
    lines = [
        f"ours      {len(odd) - by['released']:3} odd of {ours}",
        f"released  {by['released']:3} odd of {all_of['released']}",
    ]
    lines += [f"  {t.title:9} {by[t.title]:3} odd of {all_of[t.title]}" for t in TEMPLATES if all_of[t.title]]
    return lines + ["\t".join(row) for row in sorted(odd) if row[0] != "released"]


def main(arguments: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python tests/tools/reading_sheets.py",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("draw", "sheet"):
        command = commands.add_parser(name)
        command.add_argument("--seed", type=int, required=True)
        command.add_argument("-n", type=int, default=400)
        command.add_argument("-o", type=Path, required=True, metavar="FILE")
        if name == "sheet":
            command.add_argument("--release", type=Path, required=True, metavar="DIR")
    command = commands.add_parser("score")
    command.add_argument("key", type=Path)
    command.add_argument("answers", type=Path)
    given = parser.parse_args(arguments)
    if given.command == "score":
        sys.stdout.write("\n".join(score(read_table(given.key), read_table(given.answers))) + "\n")
        return
    clauses = draw(default_library(), given.seed, given.n)
    if given.command == "draw":
        write_table(((k, c.sentence, c.template, c.word) for k, c in enumerate(clauses, 1)), given.o)
    else:
        more = round(len(clauses) * CALIBRATORS / (1 - CALIBRATORS))
        write_sheet(mixed(clauses, released(given.release, given.seed, more), given.seed), given.o)


if __name__ == "__main__":
    main()
