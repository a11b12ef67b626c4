"""Bad input: every file of ``bad_inputs`` gives one line with its place, exit code 1, and leaves nothing behind.

The table ``bad_inputs/expected.tsv`` says what each file gives: the line, the pieces of the message, and whether
`check`, `generate`, both, or a command that reads data sets (`export`, `judgements`) find it. A file's name begins with
the code of its error. The page ``docs/checks.md`` is filled from the same table: ``python tests/test_bad_input.py``
writes it anew.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

import blimpgen.checks
from blimpgen.api import generate
from blimpgen.base.codes import declare, entries
from blimpgen.base.errors import DataError, UsageError
from blimpgen.checks import CODES, NOTES, Problem
from blimpgen.cli import main
from blimpgen.exports.answers import read_answers
from blimpgen.exports.source import read_source
from blimpgen.library import Library
from blimpgen.variants.record import Variant
from tests.conftest import in_tiers

FOLDER = Path(__file__).resolve().parent / "bad_inputs"
PAGE = FOLDER.parent.parent / "docs" / "checks.md"
GOOD = "good.yaml"
BESIDE = {GOOD, "extends-base.yaml", "expected.tsv"}
# Cases for which every paradigm, all words of a class or all attempts are gone through again.
LONGEST = (
    "attempts-refused.yaml",
    "balance-feature-misspelt.yaml",
    "capacity-none.yaml",
    "change-category.yaml",
    "example-apart.yaml",
    "feature-of-adverb",
    "frame-of-class",
    "frame-of-verb",
    "key-of-suite",
    "library-of-suite",
    "negative-idle",
    "negative-listed",
    "restriction-of-frame",
    "role-control",
    "tag-of-noun",
    "type-of-adjective",
    "type-of-frame",
    "type-of-noun",
    "type-of-relation",
    "underivable-good.yaml",
    "value-of-adverb",
    "value-of-class",
    "value-of-class-refl",
    "value-of-determiner",
    "value-of-like",
    "verb-class-unknown",
    "verb-id-unknown",
)
TOLD = {**CODES, **NOTES}
READERS = {"export": ("--to", "csv", "-o"), "judgements": ()}  # commands that read data sets, with what else they need
_BLOCK = re.compile(r"(?<=<!-- bad inputs -->\n).*?(?=<!-- /bad inputs -->)", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """A row of the table: a bad file, or a data folder with one; `good` is its line put right."""

    name: str
    line: int
    run: str
    says: tuple[str, ...]
    bad: str
    good: str

    @property
    def code(self) -> str:
        """The code with which the name begins."""
        return max((code for code in TOLD if f"{self.name}-".startswith((f"{code}-", f"{code}."))), key=len)

    @property
    def is_folder(self) -> bool:
        """Whether it is used through ``--data``."""
        return "." not in self.name

    @property
    def arguments(self) -> tuple[str, ...]:
        """What stands after the command."""
        return (GOOD, "--data", self.name) if self.is_folder else (self.name,)

    @property
    def text(self) -> str:
        """The bad line."""
        if self.bad:
            return self.bad
        path = next(p for p in sorted((FOLDER / self.name).rglob("*")) if p.is_file()) if self.is_folder else None
        lines = (path or FOLDER / self.name).read_text(encoding="utf-8").splitlines()
        return lines[self.line - 1].strip()

    def matches(self, line: str) -> bool:
        """Whether a printed line has the file, the line number and the pieces of the message in order."""
        file = rf"{re.escape(self.name)}[\w/]*(\.\w+)?" if self.is_folder else re.escape(self.name)
        place = f"{file}:{self.line}" if self.line else file
        return re.match(place + ": .*" + ".*".join(map(re.escape, self.says)), line) is not None


def _read() -> list[Case]:
    rows = [row.split("\t") for row in (FOLDER / "expected.tsv").read_text(encoding="utf-8").splitlines()]
    assert rows[0] == ["case", "line", "run", "says", "bad", "good"]
    return [
        Case(name, int(line), run, tuple(says.split(" … ")), bad, good) for name, line, run, says, bad, good in rows[1:]
    ]


CASES = _read()


_TABLES = [case for case in CASES if case.is_folder and not (FOLDER / case.name / "grammars").is_dir()]
_FIRST = {case.code: case for case in reversed(_TABLES) if case.name not in LONGEST}
# The files, and the first folder with a table of each code: the others read whole libraries or grammars for the same.
QUICK = [case for case in CASES if case.name not in LONGEST and (not case.is_folder or case == _FIRST.get(case.code))]

_FIRST_FILE = {case.code: case for case in reversed(QUICK) if not case.is_folder and case.run == "both"}


@dataclass(frozen=True)
class Printed:
    """What a call printed, and its exit code."""

    code: int
    out: list[str]
    err: list[str]


Call = Callable[..., Printed]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    monkeypatch.chdir(FOLDER)

    def run(*arguments: str) -> Printed:
        capsys.readouterr()
        with pytest.raises(SystemExit) as left:
            main(arguments)
        out, err = capsys.readouterr()
        return Printed(left.value.code if isinstance(left.value.code, int) else 0, out.splitlines(), err.splitlines())

    return run


@pytest.mark.parametrize(
    "case",
    in_tiers([case for case in CASES if case.run not in {*READERS, "generate"}], QUICK),
    ids=lambda case: case.name,
)
def test_check_tells(case: Case, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    is_note = case.code in NOTES
    problems: list[Problem] = []
    check = blimpgen.checks.check

    def spy(library: Library, paths: Sequence[str | Path] = ()) -> list[Problem]:
        problems.extend(check(library, paths))
        return problems

    monkeypatch.setattr(blimpgen.checks, "check", spy)
    printed = call("check", *case.arguments)
    assert printed.code == (0 if is_note else 1)
    assert len(printed.out) == 1, "\n".join(printed.out)
    assert case.matches(printed.out[0]), printed.out[0]
    assert printed.err == ["0 problems, 1 note" if is_note else "1 problem"]
    assert [problem.code for problem in problems] == [case.code]


@pytest.mark.parametrize(
    "case",
    in_tiers(
        [case for case in CASES if case.run not in {*READERS, "check", "note"}],
        # What is prepared is what `check` prepares: of what it finds too, one file of each code is enough here.
        [
            case
            for case in QUICK
            if case.run == "generate" or (case.run == "both" and not case.is_folder and case == _FIRST_FILE[case.code])
        ],
    ),
    ids=lambda case: case.name,
)
def test_generate_tells(case: Case, call: Call, tmp_path: Path) -> None:
    printed = call("generate", *case.arguments, "-n", "10", "-o", str(tmp_path / "out"))
    assert printed.code == 1
    assert printed.out == []
    assert len(printed.err) == 1, "\n".join(printed.err)
    assert case.matches(printed.err[0]), printed.err[0]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("case", [case for case in CASES if case.run == "note"], ids=lambda case: case.name)
def test_show_tells_a_note_and_sets_are_made(case: Case, call: Call, tmp_path: Path) -> None:
    printed = call("show", case.name, "-n", "1")
    assert printed.code == 0
    assert [case.matches(line) for line in printed.err] == [True], "\n".join(printed.err)
    assert "refuse" not in printed.err[0]
    assert call("generate", *case.arguments, "-n", "10", "-o", str(tmp_path / "out")).code == 0


@pytest.mark.parametrize("case", [case for case in CASES if case.run in READERS], ids=lambda c: c.name)
def test_commands_that_read_data_sets(case: Case, call: Call, tmp_path: Path) -> None:
    more = READERS[case.run]
    printed = call(case.run, case.name, *more, *([str(tmp_path / "out")] if more else ()))
    assert printed.code == 1
    assert printed.out == []
    assert [case.matches(line) for line in printed.err] == [True], "\n".join(printed.err)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("case", [case for case in CASES if case.run in READERS], ids=lambda c: c.name)
def test_the_code_is_that_of_the_name(case: Case) -> None:
    read = {"export": read_source, "judgements": read_answers}[case.run]
    with pytest.raises(DataError) as error:
        list(read(FOLDER / case.name))
    assert error.value.code == case.code


@pytest.mark.parametrize(
    "name",
    in_tiers(
        ("yaml-runs-code.yaml", "slot-misspelt.yaml", "encoding-utf16.yaml", "head-missing"), ("yaml-runs-code.yaml",)
    ),
)
def test_program_ends_without_traceback(name: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.name == name)
    command = [sys.executable, "-m", "blimpgen", "generate", *case.arguments, "-o", str(tmp_path / "out")]
    done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert [case.matches(line) for line in done.stderr.splitlines()] == [True]
    assert list(tmp_path.iterdir()) == []


def test_the_good_file_is_good(call: Call, tmp_path: Path) -> None:
    assert call("check", GOOD) == Printed(0, [], ["0 problems"])
    assert call("generate", GOOD, "-n", "10", "-o", str(tmp_path / "out")).code == 0
    assert len((tmp_path / "out" / "good.jsonl").read_text(encoding="utf-8").splitlines()) == 10


def test_every_file_is_in_the_table_and_every_code_has_a_file() -> None:
    there = {path.name for path in FOLDER.iterdir()} - BESIDE
    assert there == {case.name for case in CASES if case.code != "missing-file"}
    assert {case.code for case in CASES} == TOLD.keys()


def test_checks_and_guards_share_one_registry() -> None:
    assert {entry.code for entry in entries("check")} == CODES.keys()
    assert {entry.code for entry in entries("note")} == NOTES.keys()
    assert not CODES.keys() & {entry.code for entry in entries("guard")}
    with pytest.raises(UsageError, match="taken by a check"):
        declare("tsv", "guard", "Something else.")


@pytest.mark.slow
def test_the_shipped_data_are_good(library: Library) -> None:
    assert [str(problem) for problem in blimpgen.checks.check(library)] == []


def test_every_paradigm_has_two_examples(library: Library) -> None:
    few = [uid for uid in library.uids("blimp") if len(library.paradigm(uid).model.examples) < 2]
    assert few == []


# A damaged library of its own


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A copy of a small library of which every file can be damaged."""
    for part in ("lexicon", "grammars", "paradigms"):
        shutil.copytree(FOLDER.parent / "golden" / part, tmp_path / part)
    return tmp_path


def test_verbs_without_frames(golden: Path) -> None:
    frames = golden / "lexicon" / "verb_frames.tsv"
    frames.write_text(frames.read_text(encoding="utf-8").partition("\n")[0] + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"verbs\.tsv:2: verb_frames\.tsv has no rows; a verb lists one frame at least"):
        generate("twins", n=2, library=Library([golden]))


def test_a_possessor_that_is_no_noun_phrase(golden: Path) -> None:
    rules = golden / "grammars" / "english" / "noun_phrase.cfg"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("possessor:lower:DP[is human]", "possessor:D"), encoding="utf-8")
    with pytest.raises(DataError, match=r"noun_phrase\.cfg:4: 'subj/possessor' is no noun phrase"):
        generate("twins", n=2, library=Library([golden]))


def test_words_with_too_few_syllables_to_coin_others(golden: Path) -> None:
    library = Library([golden]).varied(Variant(nonce=("noun",)))
    with pytest.raises(DataError, match=r"no made-up word found for .*; take another --seed, or a --nonce-list"):
        generate("triples", n=2, library=library)


def test_a_paradigm_file_that_is_a_link_to_itself(golden: Path) -> None:
    path = next((golden / "paradigms").rglob("tables.yaml"))
    path.unlink()
    path.symlink_to(path)
    assert len(list(generate("twins", n=2, library=Library([golden])))) == 2
    with pytest.raises(DataError, match=r"tables\.yaml: "):
        generate("tables", n=2, library=Library([golden]))


@pytest.mark.parametrize("alias", ["../x", ".x", '""', '"\\x9b"'])
def test_an_alias_is_a_name(alias: str, golden: Path) -> None:
    suite = next((golden / "paradigms").rglob("suite.yaml"))
    suite.write_text(f"title: Golden\naliases:\n  {alias}: twins\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"suite\.yaml:3: .* is no name for a file or UID"):
        Library([golden]).paradigm("twins")


def test_a_grammar_file_that_is_cut_short(golden: Path) -> None:
    """Wherever it ends, it is whole enough or refused."""
    path = golden / "grammars" / "english" / "verb_phrase.cfg"
    text = path.read_text(encoding="utf-8")
    for end in range(0, len(text), 29):
        path.write_text(text[:end], encoding="utf-8")
        with suppress(DataError):
            generate("twins", n=2, library=Library([golden]))


# The page

SHOWN = {case.code: case for case in CASES if case.good}


def page() -> str:
    """The sections of the page: every code with its meaning, a bad line, what is said of it, and the line put right."""
    return "\n\n".join(_section(code, meaning) for code, meaning in TOLD.items()) + "\n"


def _section(code: str, meaning: str) -> str:
    case = SHOWN[code]
    elsewhere = f" `blimpgen {case.run}` reports it." if case.run in READERS else ""
    message = " … ".join(case.says)
    return "\n\n".join(
        (
            f"### {code}",
            f"{meaning[0].upper()}{meaning[1:]}.{elsewhere}",
            f"```text\nbad   {_line(case.text)}\n      {message}\ngood  {_line(case.good)}\n```",
        )
    )


def _line(text: str) -> str:
    return text.replace("\t", " → ")


def test_every_code_is_shown() -> None:
    assert SHOWN.keys() == TOLD.keys()


@pytest.mark.parametrize(
    "case",
    in_tiers(
        [case for case in SHOWN.values() if not case.bad and not case.is_folder and case.run not in READERS],
        [case for case in SHOWN.values() if case.name in ("slot-misspelt.yaml", "extends-unknown.yaml")],
    ),
    ids=lambda case: case.name,
)
def test_the_good_line_is_good(case: Case, tmp_path: Path, library: Library) -> None:
    lines = (FOLDER / case.name).read_text(encoding="utf-8").splitlines()
    indent = lines[case.line - 1][: -len(case.text)]
    lines[case.line - 1] = indent + case.good
    (tmp_path / GOOD).write_text((FOLDER / GOOD).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / case.name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert [str(problem) for problem in blimpgen.checks.check(library, [tmp_path / case.name])] == []


def test_the_page_is_up_to_date() -> None:
    found = _BLOCK.search(PAGE.read_text(encoding="utf-8"))
    assert found is not None
    assert found[0] == page(), "docs/checks.md is stale: run python tests/test_bad_input.py"


if __name__ == "__main__":
    PAGE.write_text(_BLOCK.sub(lambda _: page(), PAGE.read_text(encoding="utf-8")), encoding="utf-8")
