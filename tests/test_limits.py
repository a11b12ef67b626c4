"""Bounds on what a paradigm, a grammar, a table or a call may ask for: what is above one is one line that names it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from blimpgen.api import generate, parse
from blimpgen.base.errors import DataError, UsageError
from blimpgen.base.files import sha256_of
from blimpgen.dataset.fingerprints import line_prints
from blimpgen.generation.compiled import MOST_ROWS
from blimpgen.grammar import grammar, notation
from blimpgen.lexicon import restrictions
from blimpgen.lexicon.rows import MOST_WEIGHT
from blimpgen.library import Library
from blimpgen.plan.sizes import LISTED_WORDS, SENTENCES
from blimpgen.variants.record import FileRef
from blimpgen.variants.vocabulary import read_vocabulary
from tests.conftest import Call

GOLDEN = Path(__file__).parent / "golden"
RULES, LEVELS, ATOMS = notation._MOST_RULES, grammar._MOST_HEIGHT, restrictions._MOST_ATOMS
TABLES, TWINS = "paradigms/golden/tables/tables.yaml", "paradigms/golden/twins/twins.yaml"
RULES_FILE, CATEGORIES = "grammars/english/noun_phrase.cfg", "grammars/english/categories.cfg"
MACROS = "lexicon/macros.tsv"


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A copy of a small library."""
    for part in ("lexicon", "grammars", "paradigms"):
        shutil.copytree(GOLDEN / part, tmp_path / part)
    return tmp_path


def replaced(old: str, new: str) -> Callable[[str], str]:
    """An edit of a file that must hold the text."""

    def edit(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return edit


def words(n: int) -> str:
    return ", ".join(f"w{k}" for k in range(n))


def rows(n: int) -> str:
    return ", ".join(f"{{first: a{k}, second: b{k}}}" for k in range(n))


def sentences(n: int) -> str:
    pairs = ", ".join(f"p{k}: [s0, s{k}]" for k in range(1, n))
    return "sentences: {" + ", ".join(f"s{k}: subj verb obj ." for k in range(n)) + f"}}\npairs: {{{pairs}}}\n"


def chain(n: int) -> str:
    """Categories that stand over one another."""
    names = [f"X{k}" for k in range(n)]
    below = [*names[1:], "D"]
    return "".join(f"phrase {name}\n{name}.a -> {next_}*\n" for name, next_ in zip(names, below, strict=True))


def macros(n: int) -> str:
    """Macros of which each names the one before twice."""
    return "m0\thuman\n" + "".join(f"m{k}\t$m{k - 1} | $m{k - 1}\n" for k in range(1, n + 1))


LIST = "how:   {words: [clearly, usually]}"
TABLE = "{table: [{first: two, second: three}, {first: three, second: several}, {first: several, second: some}]}"
TEMPLATES = "good: subj verb obj .\nbad:  subj iv obj .\nmethods: [simple, two_prefix]\ncritical: obj\n"
OBJ = "obj:  {cat: DP, object_of: verb}"
WEIGHT = "D N[is not kin]*                                       {5}"


def listed(text: str) -> Callable[[str], str]:
    return replaced(LIST, f"how: {{words: [{text}]}}")


def limited(key: str, text: str) -> Callable[[str], str]:
    return replaced(OBJ, f"obj: {{cat: DP, object_of: verb, {key}: {text}}}")


def weighted(text: str) -> Callable[[str], str]:
    return replaced(WEIGHT, f"D N[is not kin]* {{{text}}}")


def more(text: str) -> Callable[[str], str]:
    return lambda before: before + text


@pytest.mark.parametrize(
    ("file", "edit", "line", "says"),
    [
        (TABLES, listed(words(LISTED_WORDS + 1)), 5, "10,001 words in a slot; at most 10,000 are possible"),
        (
            TABLES,
            replaced(TABLE, f"{{table: [{rows(LISTED_WORDS + 1)}]}}"),
            4,
            "10,001 rows in a table; at most 10,000",
        ),
        (TWINS, replaced(TEMPLATES, sentences(SENTENCES + 1)), 8, "41 sentences; at most 40 are possible"),
        (TWINS, limited("is", "(" * 51 + "human" + ")" * 51), 7, "more than 50 parentheses and negations"),
        (TWINS, limited("is", "(" * 3000 + "human" + ")" * 3000), 7, "more than 50 parentheses and negations"),
        (
            TWINS,
            replaced(OBJ, "obj: " + "[" * 3000 + "]" * 3000),
            7,
            "more than 50 brackets or levels within each other",
        ),
        (TWINS, replaced("good:", "condition: '{n:>9999999999}'\ngood:"), 8, "condition: {n} takes no format"),
        (TWINS, limited("is", f"words={'9' * 5000}"), 7, " has words=999"),
        (RULES_FILE, more("".join(f"DP.x{k} -> N*\n" for k in range(RULES))), 0, "a grammar has at most 1,000 rules"),
        (RULES_FILE, more(chain(LEVELS)), 0, "X0 stands over 31 levels of categories; at most 30"),
        (RULES_FILE, weighted(str(MOST_WEIGHT + 1)), 2, "write a whole number up to 1,000,000"),
        (RULES_FILE, weighted("9" * 5000), 2, "write a whole number up to 1,000,000"),
        (RULES_FILE, weighted("1e20"), 2, "cannot read the daughter at '{1e20}'"),
        (CATEGORIES, replaced("depth 2", "depth 13"), 3, "write a whole number up to 12"),
        (CATEGORIES, replaced("depth 2", "depth ²"), 3, "write a whole number up to 12"),
        (MACROS, more(macros(11)), 0, f"a restriction has at most {ATOMS:,} names when its macros are written out"),
        (MACROS, more(macros(40)), 0, f"a restriction has at most {ATOMS:,} names when its macros are written out"),
    ],
)
def test_what_a_file_may_hold(
    file: str,
    edit: Callable[[str], str],
    line: int,
    says: str,
    golden: Path,
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = golden / file
    path.write_text(edit(path.read_text(encoding="utf-8")), encoding="utf-8")
    monkeypatch.setattr("blimpgen.library.load_library", lambda folder, *, profile=None: Library([golden], profile))
    uid = path.stem if "paradigms" in file else "twins"
    for command in (("check", uid), ("generate", uid, "-n", 2, "-o", golden / "out")):
        done = call(*command)
        (told,) = [text for text in (done.out + done.err).splitlines() if says in text]
        assert done.code == 1
        assert re.match(rf"{re.escape(str(path))}:{line or r'[0-9]+'}: ", told), told
    assert not (golden / "out").exists()


@pytest.mark.parametrize("n", [MOST_ROWS + 1, 10**9, 10**30])
def test_rows_of_a_set(n: int, call: Call, tmp_path: Path) -> None:
    said = f"a set of transitive has at most 100,000,000 rows, not {n:,}; take several seeds"
    with pytest.raises(DataError, match=said):
        generate("transitive", n=n)
    for command in (
        ("generate", "transitive", "-n", n, "-o", tmp_path / "out"),
        ("explain", "transitive", "--row", n - 1),
    ):
        done = call(*command)
        assert (done.code, done.err.count("\n")) == (1, 1)
        assert said in done.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "text", ["The dog\x1b[31m sleeps.", "The dog \u202e sleeps.", "The dog\udce9 sleeps.", "a\x00b"]
)
def test_characters_of_a_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="is no character of a text; give an English sentence"):
        parse(text)


def test_a_line_separator_is_an_escape_in_json(call: Call) -> None:
    result = call("parse", "Mary thinks that \u2028 boys sleep.", "--json")
    assert "\u2028" not in result.out
    assert json.loads(result.out)["text"] == "Mary thinks that \u2028 boys sleep."


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--zipf", "1:inf", "no range of frequencies: '1:inf'; write LOW:HIGH"),
        ("--zipf", "nan:5", "no range of frequencies: 'nan:5'; write LOW:HIGH"),
        ("--zipf", f"{'9' * 5000}:", "no range of frequencies: '999"),
        ("--match-zipf", "inf", "--match-zipf inf: write a number"),
        ("--match-zipf", "nan", "Invalid value for '--match-zipf'"),
        ("-n", "9" * 5000, "exceeded maximum size"),
        ("--seed", "9" * 5000, "exceeded maximum size"),
    ],
)
def test_numbers_that_no_manifest_could_repeat(option: str, value: str, said: str, call: Call) -> None:
    done = call("generate", "transitive", option, value)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_a_vocabulary_with_a_number_that_is_no_count(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text(f"apple\t3\nteacher\t{'9' * 5_003}\n")
    vocabulary = read_vocabulary(FileRef(path=str(path), sha256=sha256_of(path)), 1)
    assert vocabulary.counts["apple"] == 3
    assert vocabulary.counts["teacher"] == 1


def test_a_table_of_another_library_that_is_not_utf8(tmp_path: Path) -> None:
    table = tmp_path / "lexicon" / "other" / "words.tsv"
    table.parent.mkdir(parents=True)
    table.write_bytes(b"list\tlemma\tplural\nA\t\xbe\t\n")
    with pytest.raises(DataError, match="UTF-8"):
        line_prints([tmp_path])


def test_a_daughter_that_no_word_can_be_is_never_there(golden: Path) -> None:
    table = golden / "lexicon" / "auxiliaries.tsv"
    table.write_text(table.read_text().partition("\n")[0] + "\n")
    records = generate("tables", n=5, library=Library([golden]))
    assert len(records) == 5
