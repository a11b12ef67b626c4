"""Marvin and Linzen's sets, enumerated: counts, order and content digests (figures published with the data).

The expected sentences are made here by plain nested loops over words written out, with nothing of the library.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from blimpgen.api import count, count_table
from blimpgen.base.errors import UsageError
from blimpgen.base.records import Record, SentenceSet
from blimpgen.cli import main
from blimpgen.dataset import Arguments, PairRow, SetRow, read_jsonl, read_manifest, write_set
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.engine import draw_set, enumerate_set
from blimpgen.generation.prepare import prepare
from blimpgen.generation.records import Assembly
from blimpgen.library import Library, load_library, shipped_data
from tests.conftest import in_tiers

SUITE = "marvin_linzen"
PROFILES = ("emnlp2018", "head")
TOTALS = {
    "emnlp2018": (163_124, "289a503442b0bce97c5d639e2c9cc9f461685c1a223d36253e3a6717783d4760"),
    "head": (158_084, "3efdd1f69016a0e4ef03deb60f50486e5fecb986ffac1d3b3058cbac2d8e4437"),
}
# Items and the first 16 digits of the digest, by profile.
CASES = {
    "long_vp_coord": ((400, "dc1ff2518106e42c"), (400, "dc1ff2518106e42c")),
    "npi_across_anim": ((4_800, "fde70ef8e12a37b9"), (4_800, "71fe7b9ebd754c98")),
    "npi_across_inanim": ((5_760, "7d86e72788999686"), (5_760, "11ab28df2f8a5872")),
    "obj_rel_across_anim": ((11_200, "f683843878284917"), (11_200, "c419a306cc92b05f")),
    "obj_rel_across_inanim": ((11_200, "8c666f90e1c66254"), (10_080, "e7cca70fc069408e")),
    "obj_rel_no_comp_across_anim": ((11_200, "dc751af22448d054"), (11_200, "2cb77a26be42639c")),
    "obj_rel_no_comp_across_inanim": ((11_200, "9164bb6c7ab46488"), (10_080, "7fac062f32381e3a")),
    "obj_rel_no_comp_within_anim": ((11_200, "d157db19f1380473"), (11_200, "b574ff0ed4dd39b9")),
    "obj_rel_no_comp_within_inanim": ((11_200, "110bedcbacd07a5c"), (10_080, "15eed8dc7ef23a87")),
    "obj_rel_within_anim": ((11_200, "af9dadd9bf8fe2aa"), (11_200, "9b29f45f5b3bee0d")),
    "obj_rel_within_inanim": ((11_200, "dbccbad0e0185855"), (10_080, "b0ac64efc8264eee")),
    "prep_anim": ((16_800, "27bcadea11987999"), (16_800, "efa0a582381aa899")),
    "prep_inanim": ((5_600, "2cd86601ffa6fd02"), (5_040, "6ab7a22c80a26fcf")),
    "reflexive_sent_comp": ((3_360, "800a5c72e856e5ba"), (3_360, "800a5c72e856e5ba")),
    "reflexives_across": ((22_400, "aa442bdd0b25b5ff"), (22_400, "a5d7327f534504ad")),
    "sent_comp": ((1_680, "737a487043f370d1"), (1_680, "737a487043f370d1")),
    "simple_agrmt": ((140, "b612893691184d44"), (140, "b612893691184d44")),
    "simple_npi_anim": ((120, "63e7cb72e2aa4649"), (120, "63e7cb72e2aa4649")),
    "simple_npi_inanim": ((144, "50be9e4bec179c00"), (144, "50be9e4bec179c00")),
    "simple_reflexives": ((280, "9db3807863e20b83"), (280, "9db3807863e20b83")),
    "subj_rel": ((11_200, "fa1064807e87262f"), (11_200, "486b4490a22658e6")),
    "vp_coord": ((840, "11bcddeeec871aa2"), (840, "11bcddeeec871aa2")),
}
ACROSS = ("npi_across_anim", "npi_across_inanim")
TRIPLES = (*ACROSS, "simple_npi_anim", "simple_npi_inanim")
# The small ones, of each kind of sentence and in each form that a set has.
QUICK = (
    "long_vp_coord",
    "prep_inanim",
    "sent_comp",
    "simple_agrmt",
    "simple_npi_anim",
    "simple_npi_inanim",
    "simple_reflexives",
    "vp_coord",
)
EVERY_CASE = in_tiers(CASES, QUICK)
# Sentences of each row of Table 1 in the order of the paper, by profile.
TABLE = {
    "emnlp2018": [280, 3360, 1680, 800, 44800, 22400, 44800, 44800, 44800, 44800, 560, 6720, 44800, 792, 31680],
    "head": [280, 3360, 1680, 800, 43680, 22400, 42560, 42560, 42560, 42560, 560, 6720, 44800, 792, 31680],
}

WORDS = {
    "MS": [
        "author",
        "pilot",
        "surgeon",
        "farmer",
        "manager",
        "customer",
        "officer",
        "teacher",
        "senator",
        "consultant",
    ],
    "ES": [
        "security guard",
        "chef",
        "architect",
        "skater",
        "dancer",
        "minister",
        "taxi driver",
        "assistant",
        "executive",
        "parent",
    ],
    "IS": ["movie", "book", "game", "song", "picture", "painting", "novel", "poem", "show", "television show"],
    "BS": ["mechanic", "banker"],
    "MV": ["laughs", "swims", "smiles", "is tall", "is old", "is young", "is short"],
    "LMV": [
        "knows many different foreign languages",
        "likes to watch television shows",
        "is twenty three years old",
        "enjoys playing tennis with colleagues",
        "writes in a journal every day",
    ],
    "EV": ["likes", "admires", "hates", "loves"],
    "IV": ["is good", "is bad", "is new", "is popular", "is unpopular", "brings joy to people", "interests people"],
    "BV": ["said", "thought", "knew"],
    "RMV": ["hurt", "injured", "congratulated", "embarrassed", "disguised", "hated", "doubted"],
    "P": ["next to", "behind", "in front of", "near", "to the side of", "across from"],
    "IP": ["from", "by"],
    "ANPHR": ["himself", "herself"],
    "have animate": ["been popular", "been famous", "had children"],
    "will animate": ["be popular", "be famous", "have children"],
    "have inanimate": ["been seen", "been appreciated", "been ignored", "gotten old"],
    "will inanimate": ["be seen", "be appreciated", "be ignored", "get old"],
}
HEAD = {"ES": ["guard", *WORDS["ES"][1:]], "IS": WORDS["IS"][:9]}
HEAD_NPI = ["guards", *(f"{word}s" for word in WORDS["ES"][1:6]), "drivers", *(f"{word}s" for word in WORDS["ES"][7:])]
# Symbols, controllers, target, free slots, each by place; a word in lower case stands as it is.
FLAT = {
    "simple_agrmt": ("the MS MV", [1], 2, []),
    "sent_comp": ("the BS BV the MS MV", [4], 5, [1]),
    "vp_coord": ("the MS MV and MV", [1, 2], 4, []),
    "long_vp_coord": ("the MS LMV and LMV", [1, 2], 4, []),
    "prep_anim": ("the MS P the ES MV", [1], 5, [4]),
    "prep_inanim": ("the IS IP the ES IV", [1], 5, [4]),
    "subj_rel": ("the MS that EV the ES MV", [1, 3], 6, [5]),
    "obj_rel_across_anim": ("the MS that the ES EV MV", [1], 6, [4, 5]),
    "obj_rel_across_inanim": ("the IS that the ES EV IV", [1], 6, [4, 5]),
    "obj_rel_within_anim": ("the MS that the ES EV MV", [4], 5, [1, 6]),
    "obj_rel_within_inanim": ("the IS that the ES EV IV", [4], 5, [1, 6]),
    "obj_rel_no_comp_across_anim": ("the MS the ES EV MV", [1], 5, [3, 4]),
    "obj_rel_no_comp_across_inanim": ("the IS the ES EV IV", [1], 5, [3, 4]),
    "obj_rel_no_comp_within_anim": ("the MS the ES EV MV", [3], 4, [1, 5]),
    "obj_rel_no_comp_within_inanim": ("the IS the ES EV IV", [3], 4, [1, 5]),
    "simple_reflexives": ("the MS RMV ANPHR", [1], 3, []),
    "reflexive_sent_comp": ("the BS BV the MS RMV ANPHR", [4], 6, [1]),
    "reflexives_across": ("the MS that the ES EV RMV ANPHR", [1], 7, [4, 5]),
}


@cache
def of_profile(profile: str) -> Library:
    return Library([shipped_data()], profile)


def plural(symbol: str, word: str) -> str:
    if word.endswith("self"):
        return "themselves"
    first, *rest = word.split()
    if symbol.endswith("V"):
        return " ".join(["are" if first == "is" else first[:-1], *rest])
    return f"{word}s"


def looped(case: str, words: dict[str, list[str]]) -> Iterator[tuple[str, ...]]:
    """Condition and members, in order."""
    template, controllers, target, free = FLAT[case]
    symbols = template.split()
    one = [controllers, *([free] if free else [])]
    for numbers in itertools.product(("sing", "plur"), repeat=len(one)):
        names = [[symbols[k] for k in group] for group in one]
        names[0].append(symbols[target])
        condition = "_".join(name for number, group in zip(numbers, names, strict=True) for name in (number, *group))
        inflected = {k: number for number, group in zip(numbers, one, strict=True) for k in group}
        for chosen in itertools.product(*(words.get(symbol, [symbol]) for symbol in symbols)):
            if "and" in symbols and chosen[2] == chosen[4]:
                continue
            members = []
            for number in (numbers[0], {"sing": "plur", "plur": "sing"}[numbers[0]]):
                inflected[target] = number
                members.append(
                    " ".join(
                        plural(symbols[k], word) if inflected.get(k) == "plur" else word
                        for k, word in enumerate(chosen)
                    )
                )
            yield condition, *members


def looped_triples(case: str, es: list[str]) -> Iterator[tuple[str, ...]]:
    animate = "animate" if case.endswith("_anim") else "inanimate"
    nouns = [f"{noun}s" for noun in (WORDS["MS"] if animate == "animate" else WORDS["IS"][:9])]
    for condition, aux in (("past", "have"), ("future", "will")):
        for no, weak, most in (("no", "the", "most"), ("few", "some", "many")):
            for noun in nouns:
                inner = [f"{e} {v}" for e in es for v in ("like", "admire", "hate", "love")] if case in ACROSS else [""]
                for clause, predicate in itertools.product(inner, WORDS[f"{aux} {animate}"]):
                    end = f"{aux} ever {predicate}"
                    if clause:
                        yield (
                            condition,
                            f"{no} {noun} that the {clause} {end}",
                            f"the {noun} that {no} {clause} {end}",
                            f"{most} {noun} that the {clause} {end}",
                        )
                    else:
                        yield condition, *(f"{word} {noun} {end}" for word in (no, weak, most))


def rows(compiled: CompiledParadigm, style: str | None = None) -> Iterator[dict[str, Any]]:
    """All rows of a case."""
    assembly = Assembly(compiled, style)
    return assembly.rows(enumerate_set(compiled))


def records(compiled: CompiledParadigm) -> Iterator[Record]:
    """All records of a case."""
    assembly = Assembly(compiled)
    return assembly.records(enumerate_set(compiled))


def sentences(row: dict[str, Any]) -> tuple[str, ...]:
    """The sentences of a row."""
    return tuple(row["sentences"].values()) if "sentences" in row else (row["sentence_good"], row["sentence_bad"])


@cache
def lines(case: str, profile: str) -> tuple[tuple[str, ...], ...]:
    """Condition and members of every item, in order."""
    found = []
    for record in records(prepare(case, of_profile(profile))):
        if isinstance(record, SentenceSet):
            found.append(
                (record.row["condition"], *(record.sentences[n] for n in ("grammatical", "intrusive", "ungrammatical")))
            )
        else:
            found.append((record.row["condition"], record.good, record.bad))
    return tuple(found)


def digest(found: list[str]) -> str:
    return hashlib.sha256(("\n".join(sorted(found)) + "\n").encode()).hexdigest()


def test_there_are_22_cases() -> None:
    assert {*load_library().suites[SUITE].files} == {*CASES} == {*FLAT, *TRIPLES}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("case", EVERY_CASE)
def test_digest(case: str, profile: str) -> None:
    found = lines(case, profile)
    size, start = CASES[case][PROFILES.index(profile)]
    assert len(found) == size == int(count(case, library=of_profile(profile)).value)
    assert digest(["\t".join((case, *line)) for line in found])[:16] == start


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_total_digest(profile: str) -> None:
    every = ["\t".join((case, *line)) for case in CASES for line in lines(case, profile)]
    assert (len(every), digest(every)) == TOTALS[profile]


def test_the_default_is_the_published_profile() -> None:
    assert [next(rows(prepare(case))) for case in ("prep_inanim", "npi_across_anim")] == [
        next(rows(prepare(case, of_profile("emnlp2018")))) for case in ("prep_inanim", "npi_across_anim")
    ]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("case", EVERY_CASE)
def test_order_is_that_of_nested_loops(case: str, profile: str) -> None:
    words = WORDS if profile == "emnlp2018" else {**WORDS, **HEAD}
    npi = [f"{e}s" for e in WORDS["ES"]] if profile == "emnlp2018" else HEAD_NPI
    expected = looped_triples(case, npi) if case in TRIPLES else looped(case, words)
    assert list(lines(case, profile)) == list(expected)


@pytest.mark.parametrize("profile", PROFILES)
def test_table_1(profile: str) -> None:
    rows = count_table(SUITE, "table1", library=of_profile(profile))
    assert list(rows.values()) == TABLE[profile]
    assert len(rows) == 15
    assert sum(rows.values()) == sum(
        size * (3 if case in TRIPLES else 2)
        for case, size in ((c, found[PROFILES.index(profile)][0]) for c, found in CASES.items())
    )


def different(a: str, b: str) -> int:
    first, second = a.split(), b.split()
    assert len(first) == len(second)
    return sum(x != y for x, y in zip(first, second, strict=True))


@pytest.mark.parametrize("case", EVERY_CASE)
def test_minimal(case: str) -> None:
    expected = {(2, 2, 1)} if case in ACROSS else {(1, 1, 1)} if case in TRIPLES else {(1,)}
    orders = [(0, 1), (1, 2), (0, 2)] if case in TRIPLES else [(0, 1)]
    assert {tuple(different(m[a], m[b]) for a, b in orders) for _, *m in lines(case, "emnlp2018")} == expected


@pytest.mark.slow
def test_tokens() -> None:
    lengths = [
        len(sentence.split()) for case in CASES for _, *members in lines(case, "emnlp2018") for sentence in members
    ]
    assert (sum(lengths), min(lengths), max(lengths)) == (2_690_408, 3, 14)


@pytest.mark.parametrize("case", in_tiers([case for case in CASES if "reflexive" in case], QUICK))
def test_repeated_sentences_are_kept(case: str) -> None:
    every = [sentence for _, *members in lines(case, "emnlp2018") for sentence in members]
    assert len(every) * 3 == len(set(every)) * 4


@pytest.mark.parametrize("case", EVERY_CASE)
def test_rows_are_those_of_the_records(case: str) -> None:
    compiled = prepare(case)
    assert list(rows(compiled)) == [record.to_dict() for record in records(compiled)]


@pytest.mark.parametrize("case", EVERY_CASE)
def test_records_say_number_and_difference(case: str) -> None:
    model = TypeAdapter(SetRow if case in TRIPLES else PairRow)
    names = {"sing": "Sing", "plur": "Plur"}
    for row in itertools.islice(rows(prepare(case)), 0, None, 97):
        model.validate_json(json.dumps(row))
        if case in TRIPLES:
            assert list(row["numbers"].values()) == ["Plur"] * (3 if case in ACROSS else 1)
            for name, better, worse in row["pairs"]:
                check_difference(row["sentences"][better], row["sentences"][worse], row["difference"][name])
            continue
        check_difference(row["sentence_good"], row["sentence_bad"], row["difference"])
        expected, number = [], ""
        for part in row["condition"].split("_"):
            number = names.get(part, number)
            expected += [] if part in names else [number]
        assert sorted(row["numbers"].values()) == sorted(expected)


def check_difference(better: str, worse: str, spans: list[list[str]]) -> None:
    pairs = [[a, b] for a, b in zip(better.split(), worse.split(), strict=True) if a != b]
    assert spans == pairs


def test_three_pairs_a_triple() -> None:
    record = next(records(prepare("npi_across_anim")))
    assert isinstance(record, SentenceSet)
    rows = record.to_pairs()
    assert [row["comparison"] for row in rows] == ["gi", "iu", "gu"]
    assert [len(row["difference"]) for row in rows] == [2, 2, 1]
    assert {row["itemID"] for row in rows} == {"0"}
    assert {tuple(row["numbers"]) for row in rows} == {("ms", "es", "ev")}


def test_plain_paradigms_have_no_such_keys(library: Library) -> None:
    compiled = prepare("transitive", library)
    [row] = Assembly(compiled).rows(draw_set(compiled, 1, 0))
    assert not {"numbers", "difference"} & {*row}


@pytest.mark.parametrize("case", ["reflexives_across", "npi_across_inanim"])
def test_style(case: str) -> None:
    for plain, styled in zip(rows(prepare(case)), rows(prepare(case), "blimp"), strict=True):
        assert tuple(f"{s[0].upper()}{s[1:]}." for s in sentences(plain)) == sentences(styled)


# A row taken away, or exchanged, and what the formula gives then.
CHANGES = [
    ("MS\tauthor\tauthors\n", "MS\teditor\teditors\n", {"simple_agrmt": 140, "prep_anim": 16_800, "subj_rel": 11_200}),
    (
        "EV\tlikes\tlike\n",
        "",
        {
            "subj_rel": 10 * 3 * 10 * 7 * 4,
            "reflexives_across": 10 * 10 * 3 * 7 * 2 * 4,
            "npi_across_anim": 2 * 2 * 10 * 10 * 3 * 3,
            "prep_anim": 16_800,
        },
    ),
    (
        "MV\tlaughs\tlaugh\n",
        "",
        {
            "simple_agrmt": 10 * 6 * 2,
            "vp_coord": 10 * 6 * 5 * 2,
            "prep_anim": 10 * 6 * 10 * 6 * 4,
            "long_vp_coord": 400,
        },
    ),
    (
        "BS\tbanker\tbankers\n",
        "BS\tbanker\tbankers\nBS\tcashier\tcashiers\n",
        {"sent_comp": 3 * 3 * 10 * 7 * 4, "reflexive_sent_comp": 3 * 3 * 10 * 7 * 2 * 4},
    ),
]


@pytest.mark.parametrize("change", in_tiers(CHANGES, CHANGES[-1:]))
def test_a_changed_terminal_gives_a_changed_count(change: tuple[str, str, dict[str, int]], tmp_path: Path) -> None:
    old, new, sizes = change
    for part in ("lexicon", "grammars", "paradigms"):
        shutil.copytree(shipped_data() / part, tmp_path / part)
    path = tmp_path / "lexicon" / SUITE / "words.tsv"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    changed = Library([tmp_path])
    for case, size in sizes.items():
        made = [sentences(row) for row in rows(prepare(case, changed))]
        assert count(case, library=changed).value == size == len(made)
        assert made != [tuple(members) for _, *members in lines(case, "emnlp2018")] or case in (
            "prep_anim",
            "long_vp_coord",
        )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("ml") / "out"
    write_set(of_profile("head"), Arguments(targets=("npi_across_anim", "prep_inanim", "vp_coord")), path)
    return path


class TestFiles:
    @pytest.mark.slow
    def test_one_file_a_case(self, tmp_path: Path) -> None:
        manifest = write_set(of_profile("head"), Arguments(targets=(SUITE,)), tmp_path / "out")
        assert read_manifest(tmp_path / "out").sets == manifest.sets
        assert {uid: entry.count for uid, entry in manifest.sets.items()} == {
            c: found[1][0] for c, found in CASES.items()
        }
        assert {path.stem for path in (tmp_path / "out").glob("*.jsonl")} == {*CASES}

    def test_read_back(self, folder: Path) -> None:
        for case in ("npi_across_anim", "vp_coord"):
            found = read_jsonl(folder / f"{case}.jsonl")
            assert [r.to_dict() for r in found] == [r.to_dict() for r in records(prepare(case, of_profile("head")))]

    @pytest.mark.slow
    def test_the_manifest_has_the_profile(self, folder: Path, tmp_path: Path) -> None:
        head = read_manifest(folder)
        assert head.arguments.profile == "head"
        seen = {head.library}
        for profile in (None, "emnlp2018"):
            manifest = write_set(
                Library([shipped_data()], profile), Arguments(targets=("simple_agrmt",)), tmp_path / str(profile)
            )
            assert manifest.arguments.profile == profile
            seen.add(manifest.library)
        assert len(seen) == 3

    def test_a_sample(self, tmp_path: Path) -> None:
        made = write_set(of_profile("head"), Arguments(targets=("npi_across_anim",), n=6, pairs=True), tmp_path / "a")
        assert made.sets["npi_across_anim"].count == 18
        rows = [json.loads(line) for line in (tmp_path / "a" / "npi_across_anim.jsonl").open(encoding="utf-8")]
        assert all(len(row["difference"]) == {"gi": 2, "iu": 2, "gu": 1}[row["comparison"]] for row in rows)

    def test_workers_have_the_profile(self, folder: Path, tmp_path: Path) -> None:
        cases = ("prep_inanim", "npi_across_anim")
        made = write_set(of_profile("head"), Arguments(targets=cases), tmp_path / "a", jobs=2)
        assert {c: made.sets[c].sha256 for c in cases} == {c: read_manifest(folder).sets[c].sha256 for c in cases}


@pytest.mark.parametrize(
    "case, message", [("simple_agrmt", "did you mean 'head'"), ("transitive", "'blimp' has no profile")]
)
def test_an_unknown_profile(case: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        prepare(case, load_library(profile="haed"))


@pytest.mark.parametrize("arguments", ["count simple_agrmt", "generate simple_agrmt", "show simple_agrmt"])
def test_an_unknown_profile_is_wrong_usage(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([*arguments.split(), "--profile", "haed"])
    assert left.value.code == 2
    assert "did you mean 'head'" in capsys.readouterr().err


def test_count_prints_the_table(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blimpgen.library.load_library", lambda folder, *, profile: of_profile(profile or PROFILES[0]))
    with pytest.raises(SystemExit):
        main(["count", SUITE])
    printed = capsys.readouterr().out
    assert [int(line.split()[-1].replace(",", "")) for line in printed.partition("/table1")[2].splitlines()[1:]] == [
        *TABLE["emnlp2018"],
        337_072,
    ]
    with pytest.raises(SystemExit):
        main(["count", SUITE, "--profile", "head", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found["tables"][f"{SUITE}/table1"].values()) == TABLE["head"]
    assert {p["UID"]: p["assignments"] for p in found["paradigms"]} == {
        case: sizes[1][0] for case, sizes in CASES.items()
    }


def test_an_unknown_table() -> None:
    with pytest.raises(UsageError, match="did you mean 'table1'"):
        count_table(SUITE, "table2")
    with pytest.raises(UsageError, match="did you mean 'marvin_linzen'"):
        count_table("marvin_linze", "table1")
