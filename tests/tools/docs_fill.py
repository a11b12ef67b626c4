"""Fills what the documentation takes from the program: run ``python tests/tools/docs_fill.py`` after a change.

All pages are filled, or those that are named (``docs_fill.py README.md docs/design.md``).

Two things are filled. A *block* stands between ``<!-- fill: NAME -->`` and ``<!-- /fill -->`` and is written by the
function of that name in `BLOCKS`. A *console* stands in a fence marked ``console``: each line that begins with ``$``
is a command, what follows is its output.

Pages with consoles are walked through from top to bottom in one temporary folder. A fence whose first line is
``# path/to/file.yaml``, or that follows ``<!-- file: path/to/file -->``, is written to that file, so a page is a
session that a reader can repeat.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import importlib
import io
import os
import pkgutil
import re
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import blimpgen
from asserted_negatives import contrasts, dropped
from blimpgen.analysis.results import Item
from blimpgen.audit import Severity, audit_sets, errata
from blimpgen.base.errors import UsageError, nearest
from blimpgen.base.sources import read_tsv
from blimpgen.cli import main as main_program
from blimpgen.exports import FORMATS
from blimpgen.generation.prepare import prepare
from blimpgen.generation.real_words import refusal
from blimpgen.lexicon.rows import LexemeTable
from blimpgen.lexicon.schema import FRAMES, HIERARCHY, TABLES, Column, TableSpec
from blimpgen.library import default_library
from blimpgen.nonce import CLASSES
from blimpgen.paradigm.file_model import ParadigmModel
from blimpgen.plan.cache import FOLDER
from blimpgen.plan.changes import CHANGES
from blimpgen.plan.spec import RELATIONS
from docs_grammar import categories, constructions, features, rules_with_examples
from docs_reference import api, code, command_reference, commands, table
from measure_house import STAGES
from quota_exceptions import CAPACITY, FREQUENCIES, LENGTHS, LETTERS, NAMES, SHARES

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT.parent / "shared" / "data" / "blimp_sample"
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
WALKED = (
    "tutorial",
    "authoring",
    "languages",
    "lexicon",
    "designs",
    "variants",
    "exports",
    "judgements",
    "proofs",
    "verify",
)
SESSIONS = (ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in WALKED))

_BLOCK = re.compile(r"(?P<open><!-- fill: (?P<name>[\w-]+) -->\n).*?(?P<close><!-- /fill -->)", re.DOTALL)
_FENCE = re.compile(
    r"(?:^<!-- file: (?P<path>[\w./-]+) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)
_FILE = re.compile(r"# (?P<path>[\w./-]+\.yaml)\n")


def filled(text: str) -> str:
    """The text with every block written anew; a block about reference data that are not here stays as it is.

    Raises:
        UsageError: a block that no function writes.
    """

    def write(match: re.Match[str]) -> str:
        if match["name"] not in BLOCKS:
            raise UsageError(f"no block {match['name']!r}; there are: {', '.join(BLOCKS)}")
        if match["name"] in OF_SAMPLE and not SAMPLE.is_dir():
            return match[0]
        return f"{match['open']}{BLOCKS[match['name']]()}\n{match['close']}"

    return _BLOCK.sub(write, text)


def _hierarchy(name: str) -> list[dict[str, str]]:
    spec = next(spec for spec in HIERARCHY if spec.name == name)
    source = read_tsv(ROOT / "lexicon" / f"{name}.tsv", spec.names, required=spec.key)
    return [dict(zip(source.columns, row, strict=True)) for row in source.rows]


def modules() -> str:
    """Every module or package directly below `blimpgen`, by stage, with the first line of its docstring."""
    rows = []
    for stage, names in STAGES:
        for name in names.split():
            paths = (ROOT / "blimpgen" / name / "__init__.py", ROOT / "blimpgen" / f"{name}.py")
            path = next(p for p in paths if p.exists())
            if name != "__main__":
                shown = "blimpgen" if name == "__init__" else name
                rows.append((stage, code(shown), _first_line(path)))
    return table(("stage", "module", "what it is"), rows)


def _first_line(path: Path) -> str:
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].split()).rstrip(".")


def types() -> str:
    """The hierarchy of types, indented, each with its example."""
    rows = _hierarchy("types")
    depth: dict[str, int] = {}
    for row in rows:
        depth[row["type"]] = depth.get(row["parent"], -1) + 1
    body = table(
        ("type", "a noun of exactly this type"),
        ((f"{'&emsp;' * depth[r['type']]}{code(r['type'])}", r["example"]) for r in rows),
    )
    return f"There are {len(rows)} types.\n\n{body}"


def tags() -> str:
    """The affordances with their question and their carriers."""
    rows = _hierarchy("tags")
    carriers = [r["types"].replace(",", ", ") or "only nouns that say so" for r in rows]
    body = table(
        ("tag", "a noun with it", "the question", "carried by"),
        ((code("+" + r["tag"]), r["meaning"], r["question"], types) for r, types in zip(rows, carriers, strict=True)),
    )
    return f"There are {len(rows)} tags.\n\n{body}"


def words() -> str:
    """Every word below what it is: nouns in the tree of types and by what they afford, the others by their class."""
    lexicon = default_library().lexicon
    nouns = lexicon.table("nouns")
    parent = {row["type"]: row["parent"] for row in _hierarchy("types")}
    given = {row["tag"]: row["types"].split(",") for row in _hierarchy("tags")}
    lines = ["## Nouns by type", ""]
    for name in parent:
        line = [name]
        while parent[line[-1]]:
            line.append(parent[line[-1]])
        tags = [code("+" + tag) for tag, types in given.items() if set(types) & set(line)]
        affords = f". Affords {', '.join(tags)}" if tags else ""
        own = [name in cell.split("+") for cell in nouns["types"]]
        lines += [
            f"### {name}",
            "",
            f"{' > '.join(code(n) for n in reversed(line))}{affords}.",
            "",
            _listed(nouns, own),
        ]
    lines += ["", "## Nouns by what they say of themselves", ""]
    for row in _hierarchy("tags"):
        own = ["+" + row["tag"] in cell.split(",") for cell in nouns["tags"]]
        lines += [f"### +{row['tag']}", "", f"{row['question']}", "", _listed(nouns, own)]
    for name, column in (("verbs", "class"), ("adjectives", "cls"), ("adverbs", "cls")):
        table_of_words = lexicon.table(name)
        lines += ["", f"## {name.capitalize()}", ""]
        for value in sorted(set(table_of_words[column])):
            lines += [f"### {value or 'no class'}", "", _listed(table_of_words, list(table_of_words[column] == value))]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _listed(words_of_class: LexemeTable, mask: Sequence[bool]) -> str:
    """The lemmas of some rows as paragraphs: those that are drawn everywhere, then the rare ones."""
    rows = zip(words_of_class["lemma"], words_of_class["tags"], mask, strict=True)
    chosen = [(str(lemma), "rare" in cell.split(",")) for lemma, cell, here in rows if here]
    drawn, rare = (", ".join(dict.fromkeys(lemma for lemma, r in chosen if r is kind)) for kind in (False, True))
    return "".join(f"{text}\n\n" for text in (drawn, rare and f"Rare: {rare}") if text)


def macros() -> str:
    """The macros."""
    return table(
        ("macro", "stands for", "that is"),
        ((code("$" + r["macro"]), code(r["means"]), r["comment"]) for r in _hierarchy("macros")),
    )


def scenes() -> str:
    """The scenes, each with a few of its people and things, doings and qualities."""
    lexicon = default_library().lexicon
    inventories = [lexicon.inventory(category) for category in ("N", "V", "A")]
    common = [lexicon.scenes.of(words) & words.unasked[:, None] for words in inventories]

    def some(number: int) -> Iterator[str]:
        for words, members in zip(inventories, common, strict=True):
            yield _some(words.columns["lemma"][members[:, number]], _SHOWN)

    meanings = lexicon.table("scenes")["meaning"]
    return table(
        ("scene", "what goes on", "people and things, such as", "doings, such as", "qualities, such as"),
        ((code(name), meanings[k], *some(k)) for k, name in enumerate(lexicon.scenes.names)),
    )


def stages() -> str:
    """The stages of what is done to a thing or a person, each with a few verbs."""
    verbs = default_library().lexicon.inventory("V")
    lemmas, stage = verbs.columns["lemma"], verbs.columns["stage"]
    return table(
        ("stage", "verbs, such as"), ((k, _some(lemmas[verbs.unasked & (stage == k)], 12)) for k in "123456789")
    )


def classes() -> str:
    """The classes of verbs, each with what its members have in common and a few of them."""
    lexicon = default_library().lexicon
    verbs, rows = lexicon.inventory("V"), lexicon.table("verb_classes")
    lemmas, of = verbs.columns["lemma"], verbs.columns["class"]
    titles = {
        name: title for name, title, frame in zip(rows["class"], rows["title"], rows["frame"], strict=True) if not frame
    }
    drawn = ((name, title, _some(lemmas[verbs.unasked & (of == name)], _SHOWN)) for name, title in titles.items())
    return table(
        ("class", "what its verbs say", "such as"), ((code(n), title, some) for n, title, some in drawn if some)
    )


def _some(words: Sequence[str], most: int) -> str:
    """Some of the words, from all over the list."""
    return ", ".join(dict.fromkeys(str(word) for word in words[:: max(1, len(words) // most)][:most]))


_SHOWN = 5
"""How many words of each class the table of scenes shows."""


def frames() -> str:
    """The frames with their patterns and examples, and how many words have them or assert that they do not."""
    lexicon = default_library().lexicon
    verbs, adjectives = lexicon.verbs, lexicon.inventory("A")
    rows = []
    for name, text in FRAMES.items():
        pattern, _, example = text.removesuffix(")").rpartition(" (")
        if not name.startswith("A"):
            having, denying = int((verbs.rows[name] >= 0).sum()), int(verbs.asserted[name].sum())
        else:
            having, denying = (
                int(adjectives.has(column, (name,)).sum()) if name in adjectives.values(column) else 0
                for column in ("frames", "no_frames")
            )
        rows.append((code(name), pattern, example, str(having), str(denying)))
    return table(("frame", "pattern", "example", "have it", "never have it"), rows)


_HEADER = ("column", "values", "empty means", "what it says")
_KINDS = {
    "list": "list",
    "types": "types joined by `+`",
    "restriction": "restriction",
    "verbs": "restriction of verbs",
    "adjectives": "restriction of adjectives",
    "clauses": "restriction of verbs",
    "predicates": "restriction of verbs and adjectives",
    "frames": "list of frames",
    "form": "a form",
    "text": "text",
}


def _column(column: Column, inherited: bool = False) -> tuple[str, ...]:
    values = ", ".join(code(v) for v in column.values) or _KINDS[column.kind]
    empty = code(column.default)
    if inherited:
        empty = f"as its class says, else {empty}" if empty else "as its class says"
    return code(column.name), values, empty, column.doc


def _inherited(spec: TableSpec) -> set[str]:
    """The columns of a table whose empty cells are filled from the class of the verb."""
    return set(TABLES["verb_classes"].names) - {"class", "frame"} if spec.name in ("verbs", "verb_frames") else set()


def _shared() -> list[Column]:
    lexemes = [t.columns for t in TABLES.values() if t.key == ("id",)]
    return [c for c in lexemes[0] if all(c in columns for columns in lexemes)]


def _described(spec: TableSpec, without: Iterable[Column]) -> str:
    skipped = list(without)
    rows = [_column(c, c.name in _inherited(spec)) for c in spec.columns if c not in skipped]
    doc = f"{spec.doc[0].upper()}{spec.doc[1:]}. Key: {', '.join(map(code, spec.key))}."
    return f"### {spec.name}.tsv\n\n{doc}\n\n{table(_HEADER, rows)}"


def tables() -> str:
    """Every table of the lexicon with its columns."""
    shared = _shared()
    head = f"### Columns of every lexeme table\n\n{table(_HEADER, map(_column, shared))}"
    lexemes = [_described(t, shared if t.key == ("id",) else ()) for t in TABLES.values()]
    return "\n\n".join((head, *lexemes, *(_described(t, ()) for t in HIERARCHY)))


def paradigm_keys() -> str:
    """The keys of a paradigm file."""
    described = {name: field.description or "" for name, field in ParadigmModel.model_fields.items()}
    return table(("key", "what it says"), ((code(name), doc) for name, doc in described.items()))


def item_keys() -> str:
    """The keys of a row of a result."""
    return table(
        ("key", "what it is"), ((code(name), field.description or "") for name, field in Item.model_fields.items())
    )


def relations() -> str:
    """The relations between slots and the changes in place, as lists of code."""
    changes = ", ".join(code(f"{feature}={value}") for feature, value in CHANGES)
    return f"Relations: {', '.join(map(code, RELATIONS))}.\n\nChanges: {changes}."


def command_table() -> str:
    """The commands of the program, each with the first line of its help."""
    return table(
        ("command", "what it does"),
        (
            (code(f"blimpgen {name}"), (command.help or "").split("\n")[0].rstrip("."))
            for name, command in commands().items()
        ),
    )


def exports() -> str:
    """The formats of `export`, with the options that each uses."""
    rows = (
        (
            code(f.name),
            f.what,
            "file" if f.single else "folder",
            ", ".join(code(f"--{option.replace('_', '-')}") for option in f.options),
        )
        for f in FORMATS.values()
    )
    return table(("format", "what it is", "output", "options"), rows)


def codes() -> str:
    """The registered codes of checks, filters and guards."""
    registry = importlib.import_module("blimpgen.base.codes")
    for module in pkgutil.walk_packages(blimpgen.__path__, "blimpgen."):
        if module.name.split(".")[1] in ("checks", "filters", "guards"):
            importlib.import_module(module.name)
    rows = [(code(e.code), e.kind, e.message) for e in registry.entries()]
    return table(("code", "kind", "what it reports"), rows)


_CODE_OF = {"DataError": 2, "Problem": 0}
"""Which argument of an error, and of a problem, is its code."""


def reading_codes() -> set[str]:
    """The codes that the reading stages put on their errors, the third argument of `DataError`, and those of notes."""
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted((ROOT / "blimpgen").rglob("*.py"))]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) > 2]
    named = [(call, call.func.id) for call in calls if isinstance(call.func, ast.Name)]
    codes = [call.args[_CODE_OF[name]] for call, name in named if name in _CODE_OF]
    return {str(code.value) for code in codes if isinstance(code, ast.Constant)}


def _fence(path: Path) -> str:
    """A paradigm file as a fence."""
    return f"```yaml\n{path.read_text(encoding='utf-8')}```"


def _paradigm_file(path: str) -> str:
    """A shipped paradigm as a fence."""
    return _fence(ROOT / "paradigms" / path)


def paradigm_file() -> str:
    """The file of the first paradigm that a reader meets."""
    return _paradigm_file("blimp/argument_structure/transitive.yaml")


_RULES = ("DP.det", "VP.have", "VX.oc", "DP.adj")


def rules() -> str:
    """Some rules as they stand in their files, the runs of spaces that align them made short."""
    lines = [
        line
        for path in sorted((ROOT / "grammars" / "english").glob("*.cfg"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    found = {re.split(r"[\[ ]", line)[0]: line for line in lines if " -> " in line}
    shown = (re.sub(r" {2,}(?=->)", " ", re.sub(r" {2,}(?=\{)", "  ", found[name])) for name in _RULES)
    return "\n".join(("```", *shown, "```"))


def filler_gap() -> str:
    """The file of the filler-gap design."""
    return _paradigm_file("designs/filler_gap_dependency/filler_gap_2x2.yaml")


def attractor() -> str:
    """The file of the attractor design."""
    return _paradigm_file("designs/subject_verb_agreement/attractor_agreement.yaml")


def recipes() -> str:
    """Every paradigm of ``docs/recipes`` under its name, with one of its pairs."""
    sections = []
    for path in sorted((ROOT / "docs" / "recipes").glob("*.yaml")):
        [record] = blimpgen.generate(path, n=1)
        shown = "\n".join(f"* {name}: *{text}*" for name, text in record.sentences.items())
        sections.append(f"## {path.stem}\n\n{shown}\n\n{_fence(path)}\n")
    return "\n".join(sections)


def negatives() -> str:
    """The contrasts that rest on an asserted negative, each with its members."""
    rows = []
    for found in contrasts(default_library().lexicon):
        frames = ", ".join(code(name) for name in found.listed.split(", "))
        column = "" if found.denied.startswith("subj") else "no "
        asserted = f"{frames}; {column}{code(found.denied)}" if found.denied else frames
        counts = f"{len(found.members)} of {len(found.members) + len(found.dropped)}"
        rows.append((found.title, asserted, counts, ", ".join(found.members)))
    return table(("members", "listed; asserted", "kept of tried", "lemmas"), rows)


def negatives_dropped() -> str:
    """What was tried and asserts nothing, by the reading that saves it."""
    by: dict[tuple[str, str, str], list[str]] = {}
    for lemma, frame, negative, reason in dropped():
        by.setdefault((frame, negative, reason), []).append(lemma)
    return table(
        ("the reading that saves it", "listed; not asserted", "lemmas"),
        (
            (reason, f"{code(frame)}; {code(negative)}", ", ".join(lemmas))
            for (frame, negative, reason), lemmas in sorted(by.items())
        ),
    )


def errata_of_sample() -> str:
    """What guards object to in the sample of the release, by code and by paradigm."""
    sets = [one.without_remarks() for one in audit_sets(SAMPLE, default_library(), with_shortcuts=False)]
    found = errata(sets)
    severities = [severity for severity in Severity if severity != Severity.REMARK]
    by_code = [
        (code(name), about["meaning"], *(str(about["pairs"].get(severity, "")) for severity in severities))
        for name, about in sorted(found["codes"].items(), key=lambda item: -sum(item[1]["pairs"].values()))
    ]
    by_uid = [(one.uid, str(one.pairs), *_gravest(found["errata"].get(one.uid, {}), severities)) for one in sets]
    counts = [(severity, f"{n:,}", f"{n / found['pairs']:.1%}") for severity, n in found["severities"].items()]
    return "\n\n".join(
        (
            f"Of {found['pairs']:,} pairs, by their gravest finding:",
            table(("severity", "pairs", "share"), counts),
            table(("code", "what it objects to", *severities), by_code),
            table(("paradigm", "pairs", *severities), by_uid),
        )
    )


def _gravest(pairs: dict[str, list[dict[str, str]]], severities: list[Severity]) -> list[str]:
    """How many pairs of a paradigm have each severity as their gravest."""
    counts = Counter(min((item["severity"] for item in items), key=severities.index) for items in pairs.values())
    return [str(counts[severity] or "") for severity in severities]


OF_SAMPLE = ("errata",)
"""The blocks that are about the reference data beside the checkout."""


def nonce_critical() -> str:
    """Where critical words can be made up, by word class, and why not elsewhere."""
    rows, without = [], defaultdict(list)
    for uid in default_library().suites["blimp"].files:
        compiled = prepare(uid)
        whys = {name: refusal(compiled, (category,)) for name, category in CLASSES.items()}
        no_such = [why.partition(", but in ")[2] for why in whys.values() if why and why.startswith("its ")]
        if len(no_such) == len(CLASSES):
            without[no_such[0]].append(uid)
        else:
            cells = ("yes" if why is None else "" if why.startswith("its ") else why for why in whys.values())
            rows.append((uid, *cells))
    others = sorted(without.items(), key=lambda item: (-len(item[1]), item[0]))
    return "\n\n".join(
        (
            table(("paradigm", *CLASSES), rows),
            "The sentences of all other paradigms differ in no noun, verb or adjective. They differ in words of closed "
            "classes, which have no made-up members, or in the order of their words:",
            table(("in", "paradigms"), ((what, ", ".join(uids)) for what, uids in others)),
        )
    )


def exceptions() -> str:
    """What the quotas of the suite do not ask of a paradigm, with the reasons."""
    quotas: tuple[tuple[str, Mapping[object, str]], ...] = (
        ("Fewer than a million pairs", CAPACITY),
        ("A lemma above 5 % of a critical slot", SHARES),
        ("More names than 35 % in a slot that takes common nouns", NAMES),
        ("Sentences more than a tenth shorter or longer than the released ones", LENGTHS),
        ("The sentence with the more, or with the less frequent words is good in more than 60 %", FREQUENCIES),
        ("The shorter, or the longer sentence in letters is good in more than 60 %", LETTERS),
    )
    return "\n\n".join(
        f"{title}:\n\n{table(('paradigm', 'why'), [(_place(k), why) for k, why in found.items()])}"
        for title, found in quotas
    )


def _place(key: object) -> str:
    return " ".join(map(code, key)) if isinstance(key, tuple) else code(str(key))


def paradigms() -> str:
    """Every paradigm of the suite blimp, by phenomenon."""
    from blimpgen.library import default_library

    found: list[str] = []
    for uid, path in default_library().suites["blimp"].files.items():
        heading = f"## {path.parent.name}"
        found += [heading] if heading not in found else []
        found.append(_paradigm(uid))
    return "\n\n".join(found)


def rejected() -> str:
    """The paradigms of the suite blimp_rejected."""
    from blimpgen.library import default_library

    return "\n\n".join(map(_paradigm, default_library().suites["blimp_rejected"].files))


def _paradigm(uid: str) -> str:
    """One paradigm: its contrast, templates, slots, examples, capacity, flags, and what is new in it."""
    compiled = prepare(uid)
    model = compiled.paradigm.model
    cell = compiled.cells[0].plan
    templates = [f"{name}: {code(cell.cell.sentences[name])}" for name in ("good", "bad")]
    factors = [*model.vary, *(name for name in model.balance if name not in model.vary)]
    identical = ", lexically identical" if model.lexically_identical == "yes" else ""
    digits = len(str(int(compiled.capacity.value))) - 1
    lines = [
        *templates,
        f"slots: {', '.join(map(code, cell.specs))}",
        f"equal shares: {', '.join(map(code, factors))}" if factors else "",
        f"pairs: more than 10^{digits}; methods: {', '.join(model.methods)}{identical}",
        *(f"*{e.good}* | *{e.bad}*" for e in model.examples[:2]),
        f"against the release: {model.differs}" if model.differs else "",
        f"label: {model.derivable or 'the grammar does not derive the bad sentence, under the open reading'}",
    ]
    items = "\n".join(f"* {line}" for line in lines if line)
    return f"### {uid}\n\n{model.summary}\n\n{items}"


BLOCKS: dict[str, Callable[[], str]] = {
    "types": types,
    "tags": tags,
    "words": words,
    "macros": macros,
    "scenes": scenes,
    "stages": stages,
    "classes": classes,
    "frames": frames,
    "tables": tables,
    "paradigm-keys": paradigm_keys,
    "negatives": negatives,
    "negatives-dropped": negatives_dropped,
    "rules": rules,
    "grammar-categories": categories,
    "grammar-constructions": constructions,
    "grammar-features": features,
    "grammar-rules": rules_with_examples,
    "paradigm-file": paradigm_file,
    "relations": relations,
    "codes": codes,
    "modules": modules,
    "exports": exports,
    "commands": command_table,
    "command-reference": command_reference,
    "api": api,
    "errata": errata_of_sample,
    "item-keys": item_keys,
    "nonce-critical": nonce_critical,
    "design-filler-gap": filler_gap,
    "design-attractor": attractor,
    "recipes": recipes,
    "paradigms": paradigms,
    "rejected": rejected,
    "exceptions": exceptions,
}


@dataclass(frozen=True)
class Command:
    """One command of a page: the line of the page, what to type, what the page shows."""

    line: int
    text: str
    shown: str


@dataclass(frozen=True)
class Fence:
    """One fence of a page: its kind, its body, the line of the body, the file that it writes or nothing."""

    kind: str
    body: str
    line: int
    path: str

    def commands(self) -> Iterator[Command]:
        """The commands of a console with the output that is shown."""
        parts = re.split(r"^\$ ", self.body, flags=re.MULTILINE)
        line = self.line + parts[0].count("\n")
        for part in parts[1:]:
            text, _, shown = part.partition("\n")
            yield Command(line, text, shown)
            line += part.count("\n")


def fences(text: str) -> Iterator[Fence]:
    """The fences of a page."""
    for match in _FENCE.finditer(text):
        named = _FILE.match(match["body"])
        path = match["path"] or (named["path"] if named else "")
        yield Fence(match["kind"], match["body"], text.count("\n", 0, match.start("body")) + 1, path)


@dataclass(frozen=True)
class Printed:
    """What a command printed, both streams together, and its exit status."""

    text: str
    status: int


_SHELL = ("|", "&", ";", "<", ">")
_ENVIRONMENT = {"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb", FOLDER: "off"}


def run(command: str, folder: Path) -> Printed:
    """Run a command of a page in a folder; `python` and `blimpgen` are those of the running interpreter.

    A call of the program alone, or one whose output another command reads, runs in this process.
    """
    call, _, reader = command.partition(" | ")
    words = _words(call.removesuffix(" 2> /dev/null"))
    if words is None or words[0] != "blimpgen":
        return in_shell(command, folder)
    out, err, status = _called(words[1:], folder, apart=bool(reader) or call.endswith(" 2> /dev/null"))
    if not reader:
        return Printed(out, status)
    told = in_shell(reader, folder, out)
    return Printed(err + told.text, told.status)


def _words(command: str) -> list[str] | None:
    """The words of a command; None for one that needs a shell."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="".join(_SHELL))
    lexer.whitespace_split = True
    words = list(lexer)
    return None if any(word.startswith(_SHELL) or "$" in word for word in words) else words


def _called(arguments: list[str], folder: Path, *, apart: bool) -> tuple[str, str, int]:
    """A call of the program: what it printed, its errors if they are kept apart, its exit status."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = io.StringIO() if apart else out
    before = {name: os.environ.get(name) for name in _ENVIRONMENT}
    os.environ.update(_ENVIRONMENT)
    status = 0
    for word in arguments:
        default_library().forget(Path(word))  # a new process would read it as it is now
    try:
        with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            main_program(arguments)
    except SystemExit as left:
        status = left.code if isinstance(left.code, int) else 0
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
    kept = err.getvalue() if isinstance(err, io.StringIO) else ""
    return out.buffer.getvalue().decode(), kept, status  # type: ignore[attr-defined]


def in_shell(command: str, folder: Path, given: str = "") -> Printed:
    """Run a command of a page as a reader does, in a process of its own; `given` is its standard input."""
    paths = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent), os.environ["PATH"]]
    environment = {**os.environ, "PATH": os.pathsep.join(paths), **_ENVIRONMENT}
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        input=given,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
        check=False,
    )
    return Printed(done.stdout, done.returncode)


def walk(text: str, folder: Path, run: Callable[[str, Path], Printed] = run) -> Iterator[tuple[Command, Printed]]:
    """Go through a page: write its files, run its commands, give each with what it printed."""
    for fence in fences(text):
        if fence.path:
            path = folder / fence.path
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(fence.body, encoding="utf-8")
        elif fence.kind == "console":
            for command in fence.commands():
                yield command, run(command.text, folder)


def replayed(text: str) -> str:
    """The page with the output of its commands as it is now; a shown line ``...`` keeps the rest of an output short."""
    lines = text.split("\n")
    with tempfile.TemporaryDirectory() as folder:
        for command, printed in reversed(list(walk(text, Path(folder), in_shell))):
            shown = command.shown.rstrip("\n").split("\n") if command.shown else []
            now = printed.text.rstrip("\n").split("\n") if printed.text.strip() else []
            if printed.status:
                sys.stderr.write(f"exit {printed.status}: {command.text}\n")
            if "..." in shown:
                now = [*now[: shown.index("...")], "..."]
            lines[command.line : command.line + len(shown)] = now
    return "\n".join(lines)


def main() -> None:
    """Write pages anew."""
    parser = argparse.ArgumentParser(description="Fills what the pages of the documentation take from the program.")
    pages = {str(page.relative_to(ROOT)): page for page in PAGES}
    parser.add_argument("pages", nargs="*", metavar="PAGE", help="such as docs/design.md; all by default")
    named = parser.parse_args().pages
    for name in named:
        if name not in pages:
            parser.error(f"no page {name!r}; {nearest(name, pages)}")
    for page in map(pages.__getitem__, named or pages):
        text = page.read_text(encoding="utf-8")
        now = filled(text)
        if page in SESSIONS:
            now = replayed(now)
        if now != text:
            page.write_text(now, encoding="utf-8")
            sys.stdout.write(f"{page.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
