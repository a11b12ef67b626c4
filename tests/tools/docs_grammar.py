"""The grammar as a page shows it: categories, features, and every rule with a constituent that it makes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

from blimpgen.base.sources import read_tsv
from blimpgen.grammar.forest import Tree
from blimpgen.grammar.parse import Parser, sentence_tokens
from blimpgen.library import default_library
from docs_reference import code, table

__all__ = ["categories", "constituents", "constructions", "features", "rules_with_examples"]

FILES = Path(__file__).parents[2] / "grammars" / "english"
SENTENCES = Path(__file__).parents[1] / "fixtures" / "grammar_sentences.txt"
"""Sentences that have, between them, every rule that a sentence can have."""
CONSTRUCTIONS = Path(__file__).parents[1] / "fixtures" / "constructions.tsv"
"""Constructions that an author may look for, each with an example."""
_CATEGORY = re.compile(r"^(?P<kind>phrase|lexical) +(?P<name>\w+)(?P<features>[^#]*)(?:# *(?P<gloss>.*))?$")
_RULE = re.compile(r"^(?P<name>[A-Z]\w*\.\w+).*->")
_MOST = 40


def _lines() -> Iterator[tuple[str, str]]:
    """The lines of the rule files, each with the name of its file."""
    for path in sorted(FILES.glob("*.cfg")):
        yield from ((path.name, line) for line in path.read_text(encoding="utf-8").splitlines())


def features() -> str:
    """What the features mean, as the file of the categories says it."""
    head = (FILES / "categories.cfg").read_text(encoding="utf-8").partition("\ndepth")[0]
    lines = (line.removeprefix("# ").removeprefix("#") for line in head.splitlines())
    return "\n".join(("```", *lines, "```"))


def categories() -> str:
    """A table of the categories: what each is and which features it carries."""
    found = [match for _, line in _lines() if (match := _CATEGORY.match(line))]
    rows = [
        (code(each["name"]), each["kind"], each["gloss"] or "", code(" ".join(each["features"].split())))
        for each in found
    ]
    return table(("category", "kind", "what it is", "features, and their defaults"), rows)


def constructions() -> str:
    """Which constructions the closed reading derives, and which not."""
    parser = default_library().language("").parsers["closed"]
    rows = [
        (construction, f"*{example}*", "yes" if parser.parse(example) else "no")
        for construction, example in read_tsv(CONSTRUCTIONS, ("construction", "example")).rows
    ]
    return table(("construction", "example", "derived"), sorted(rows, key=lambda row: row[2], reverse=True))


def constituents() -> dict[str, str]:
    """Rule to a constituent that it makes, of the first sentence that has one.

    One without a gap is taken first, and one of the first tree that the closed reading finds.
    """
    whole: dict[str, str] = {}
    with_gap: dict[str, str] = {}
    parsers = default_library().language("").parsers
    texts = SENTENCES.read_text(encoding="utf-8").splitlines()
    for reading, most in (("closed", 1), ("closed", _MOST), ("open", _MOST)):
        for tokens, tree in _trees(parsers[reading], texts, most):
            for phrase in _phrases(tree):
                made = with_gap if _has_gap(phrase) else whole
                made.setdefault(phrase.rule, _written(tokens, phrase))
    return {**with_gap, **whole}


def _trees(parser: Parser, texts: Iterable[str], most: int) -> Iterator[tuple[tuple[str, ...], Tree]]:
    for tokens in map(sentence_tokens, texts):
        yield from ((tokens, tree) for tree in parser.chart.forest(parser.lattice(tokens)).trees(most))


def _phrases(tree: Tree) -> Iterator[Tree]:
    if tree.pattern is not None:
        yield tree
    for child in tree.children:
        yield from _phrases(child)


def _has_gap(tree: Tree) -> bool:
    return any(phrase.pattern is not None and bool(phrase.pattern.flat.gap) for phrase in _phrases(tree))


def _written(tokens: tuple[str, ...], phrase: Tree) -> str:
    return re.sub(r" (?=['.,?!])", "", " ".join(tokens[slice(*phrase.span)]))


def rules_with_examples() -> str:
    """Every rule in the order of the files, under the comments that stand above it."""
    made = constituents()
    parts: list[str] = []
    for file, lines in groupby(_lines(), key=lambda each: each[0]):
        of_file = [line for _, line in lines]
        if not any(map(_RULE.match, of_file)):
            continue
        parts.append(f"### {file}")
        for is_rule, block in groupby(filter(_is_shown, of_file), key=lambda line: _RULE.match(line) is not None):
            rows = list(block)
            parts.append(_rule_table(rows, made) if is_rule else " ".join(line.lstrip("# ") for line in rows) + ":")
    return "\n\n".join(parts)


def _is_shown(line: str) -> bool:
    return line.startswith("# ") or _RULE.match(line) is not None


def _rule_table(lines: Iterable[str], made: dict[str, str]) -> str:
    rows = []
    for line in lines:
        example = made.get(line.partition(" ")[0].partition("[")[0], "")
        rows.append((code(" ".join(line.replace("{0}", "").split())), f"*{example}*" if example else "only drawn"))
    return table(("rule", "example"), rows)
