"""The documentation says what the program does: its commands are run, its tables are those of the program.

Where a page is stale, ``python tests/tools/docs_fill.py`` writes it anew.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
import yaml

import blimpgen
from blimpgen.exports import FORMATS
from blimpgen.grammar.roles import ROLES
from blimpgen.library import default_library
from blimpgen.scoring.model_families import FAMILIES
from docs_fill import PAGES, ROOT, SAMPLE, SESSIONS, Command, Printed, fences, filled, reading_codes, walk
from docs_grammar import constituents
from docs_reference import commands, examples
from tests.conftest import in_tiers

CONSTANT = (
    "field",
    "linguistics_term",
    "UID",
    "simple_LM_method",
    "one_prefix_method",
    "two_prefix_method",
    "lexically_identical",
)
ABOUT_SAMPLE = ("errata.md",)
FIRST_READ = (ROOT / "README.md",)
OF_ALL_PARADIGMS = ("paradigms.md", "variants.md")
ROWS = ("    lexicon ", "    words: ", "    words only ")
SLOT = re.compile(r"\{.*\}")
SENTENCE = re.compile(r"\[?[A-Z][^.?!|{]*[.?!]")
TREE = re.compile(r" *\(")
LEAF = re.compile(r"\((\w+) [^()]+\)")
DRAWN = re.compile(r"^(\w+): [a-z][a-z' -]*$")
NUMBER = re.compile(r"\d[\d,.]*(e[+-]?\d+)?(-\d[\d.]*(e[+-]?\d+)?)?")
Walked: TypeAlias = Callable[[Path], tuple[Path, list[tuple[Command, Printed]]]]
LINK = re.compile(r"\]\((?!https?:)(?P<path>[^)#\s]+)")
COLUMN = re.compile(r"`(?P<name>\w+)=(?P<values>[\w./-]+)`")


def skeleton(text: str) -> list[str]:
    """What must not change in an output when words come and go: no sentences, no numbers, no rows of the lexicon."""
    return [_skeleton(line) for line in text.splitlines() if line.strip() and not line.startswith(ROWS)]


def _skeleton(line: str) -> str:
    if line.startswith('{"'):
        row = json.loads(line)
        return json.dumps({key: value if key in CONSTANT else type(value).__name__ for key, value in row.items()})
    if TREE.match(line):
        return LEAF.sub(r"(\1)", line)
    return " ".join(NUMBER.sub("0", SENTENCE.sub("S", SLOT.sub("{}", DRAWN.sub(r"\1: w", line)))).split())


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Walked:
    """Goes through a page once: the folder, and its commands with what they printed."""

    @cache
    def through(page: Path) -> tuple[Path, list[tuple[Command, Printed]]]:
        folder = tmp_path_factory.mktemp(page.stem)
        return folder, list(walk(page.read_text(encoding="utf-8"), folder))

    return through


@pytest.mark.parametrize("page", in_tiers(SESSIONS, FIRST_READ), ids=lambda p: p.name)
def test_commands_print_what_the_page_shows(page: Path, walked: Walked) -> None:
    commands = 0
    for command, printed in walked(page)[1]:
        commands += 1
        shown, now = skeleton(command.shown), skeleton(printed.text)
        if "..." in shown:
            shown, now = shown[: shown.index("...")], now[: shown.index("...")]
        assert now == shown, f"{page.name}, line {command.line}: $ {command.text}\n{printed.text}"
    assert commands


@pytest.mark.slow
def test_what_the_tutorial_makes(walked: Walked) -> None:
    folder, _ = walked(ROOT / "docs" / "tutorial.md")
    pairs = [json.loads(line) for line in (folder / "out" / "my_paradigm.jsonl").open(encoding="utf-8")]
    assert len({pair["sentence_good"] for pair in pairs}) == len(pairs) == 1000
    for pair in pairs:
        good, bad = pair["sentence_good"].split(), pair["sentence_bad"].split()
        assert good[0] != bad[0]
        assert good[1:] == bad[1:]
    first = [pair["sentence_good"].split()[0] for pair in pairs]
    forms = [("Has", "Have"), ("Does", "Do"), ("Was", "Were"), ("Is", "Are")]
    assert [sum(map(first.count, both)) for both in forms] == [250, 250, 250, 250]
    assert sum(first.count(singular) for singular, _ in forms) == 500


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(p, marks=pytest.mark.slow) if p.name in OF_ALL_PARADIGMS else p
        for p in PAGES
        if p.name not in ABOUT_SAMPLE
    ],
    ids=lambda p: p.name,
)
def test_blocks_are_up_to_date(page: Path) -> None:
    _assert_filled(page)


@pytest.mark.slow
@pytest.mark.parametrize("name", ABOUT_SAMPLE)
def test_blocks_about_the_sample_are_up_to_date(name: str) -> None:
    if not SAMPLE.is_dir():
        pytest.skip("the reference data ../shared/data/blimp_sample are not here")
    _assert_filled(ROOT / "docs" / name)


def _assert_filled(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for line, (now, there) in enumerate(itertools.zip_longest(filled(text).splitlines(), text.splitlines()), start=1):
        assert now == there, f"{page.name}, line {line} is stale: run python tests/tools/docs_fill.py"


@pytest.mark.parametrize("page", in_tiers(PAGES, ()), ids=lambda p: p.name)
def test_python_runs(page: Path, tmp_path: Path) -> None:
    for fence in fences(page.read_text(encoding="utf-8")):
        if fence.kind == "python":
            done = subprocess.run(
                [sys.executable, "-c", fence.body],
                cwd=tmp_path,
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            assert done.returncode == 0, f"{page.name}, line {fence.line}: {done.stderr}"


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    without_code = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    for match in LINK.finditer(without_code):
        assert (page.parent / match["path"]).exists(), f"{page.name}: {match['path']}"


def test_every_rule_of_the_grammar_has_an_example() -> None:
    grammar = default_library().grammar.rules
    rules = {rule.name for category, rules in grammar.items() if category != "VG" for rule in rules}
    assert rules - constituents().keys() == {"S.cleft", "VP.base", "VX.who"}


def test_every_role_of_the_grammar_is_explained() -> None:
    page = (ROOT / "docs" / "grammar.md").read_text(encoding="utf-8")
    table = page.partition("What a role brings:")[2].partition("## ")[0]
    cells = re.findall(r"^\| (`.*?`) \|", table, re.MULTILINE)
    assert {name for cell in cells for name in re.findall(r"`(\w+)`", cell)} == {*ROLES}


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    others = {p.name for p in PAGES if p.parent == ROOT / "docs"} - {"index.md"}
    assert {name for name in others if f"({name})" not in index} == set()


def test_every_page_is_on_the_site() -> None:
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    listed = re.findall(r"^ +- [^:]+: (\w+\.md)$", text, flags=re.MULTILINE)
    assert sorted(listed) == sorted(p.name for p in PAGES if p.parent == ROOT / "docs")


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs", reason="the extra docs is not installed")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'(?:src|href)="(https?://[^"]+)"[^>]*(?:rel="stylesheet"|</script>)', page) == []
    assert "fonts.googleapis" not in page


@pytest.mark.parametrize("name", commands())
def test_help_has_an_example_that_can_be_called(name: str) -> None:
    """Every command is known, and every option of an example is one of the command."""
    found = examples(commands()[name])
    assert found, f"blimpgen {name} --help has no example; end its docstring with a paragraph 'Example: blimpgen ...'"
    options = {option for parameter in commands()[name].params for option in parameter.opts}
    for example in found:
        program, command, *words = shlex.split(example.partition(" > ")[0])
        assert (program, command) == ("blimpgen", name)
        assert {word for word in words if re.match(r"--?[a-z]", word)} <= options, example


@pytest.mark.parametrize(
    ("command", "option", "names"), [("export", "--to", FORMATS), ("verify", "--family", FAMILIES)]
)
def test_help_lists_what_there_is(command: str, option: str, names: Iterable[str]) -> None:
    """The help of a command is printed without loading what these tables need."""
    (text,) = (parameter.help for parameter in commands()[command].params if option in parameter.opts)
    assert re.findall(r"[\w-]+", text)[: len([*names])] == [*names]


@pytest.mark.slow
def test_codes_of_errors_in_files_are_explained() -> None:
    text = (ROOT / "docs" / "checks.md").read_text(encoding="utf-8").partition("## Codes of errors")[2]
    explained = re.findall(r"^### ([\w-]+)$", text, flags=re.MULTILINE)
    raised = {*reading_codes(), "data"}
    assert raised - {*explained} == set(), "explain these codes in docs/checks.md"
    assert {*explained} - raised == set(), "no error has these codes"


def test_features_of_the_literature_have_columns_and_values() -> None:
    from blimpgen.lexicon.schema import FRAMES, TABLES

    text = (ROOT / "docs" / "lexicon.md").read_text(encoding="utf-8").partition("## Where the features")[2]
    columns = {
        c.name: {v for t in TABLES.values() for d in t.columns if d.name == c.name for v in d.values}
        for table in TABLES.values()
        for c in table.columns
    }
    computed = {"irregular", "words"}
    for match in COLUMN.finditer(text):
        assert match["name"] in {*columns, *computed}, match[0]
        known = columns.get(match["name"]) or set()
        assert not known or {*known, "none"} >= set(match["values"].split("/")), match[0]
    for frame in re.findall(r"`(?:frame: |no_frame: )?((?:V|A|it)(?:\.[\w]+)+)`", text):
        assert frame in FRAMES, frame


def test_citation_has_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == blimpgen.__version__


def test_readme_has_the_two_commands() -> None:
    lines = [
        line
        for fence in fences((ROOT / "README.md").read_text(encoding="utf-8"))
        if fence.kind == "sh"
        for line in fence.body.splitlines()
    ]
    assert [line.split()[-2:] for line in lines] == [["-o", "out"], ["-n", "auto"]]
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install -c constraints.txt ") for line in lines)
