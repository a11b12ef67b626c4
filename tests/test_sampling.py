"""Sampling: random numbers that are addresses, weighted choices, enumeration and capacity."""

from __future__ import annotations

import hashlib
import itertools
import warnings
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from golden import GRAMMAR, small_library, words
from hypothesis import given, settings
from hypothesis import strategies as st

from blimpgen.generation.compiled import CompiledCell
from blimpgen.generation.engine import draw_set
from blimpgen.generation.metadata import fillers
from blimpgen.library import Library
from blimpgen.sampling import Sampler, Stream
from blimpgen.sampling.capacity import Capacity, _Weights, estimate, forest_count
from blimpgen.sampling.enumerate import enumerate_all, enumerate_up_to
from blimpgen.sampling.random import below, key_of, mix
from tests.conftest import compiled_of

WORD = 1 << 64
seeds = st.integers(-(2**70), 2**70)
numbers = st.integers(0, 2**63)
Build = Callable[..., Library]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Writes a small library with one paradigm called p."""

    def write(body: str, **more: object) -> Library:
        return small_library(tmp_path, {"p": body}, **more)  # type: ignore[arg-type]

    return write


def cell_of(library: Library) -> CompiledCell:
    return compiled_of(library).cells[0]


def chi_square(found: Mapping[object, int], shares: Mapping[object, float]) -> float:
    """Pearson's statistic; nothing may be found that has no share."""
    n, total = sum(found.values()), sum(shares.values())
    assert set(found) <= set(shares)
    return sum((found.get(k, 0) - n * s / total) ** 2 / (n * s / total) for k, s in shares.items())


def mixed(x: int) -> int:
    """The finaliser of splitmix64, from its published definition."""
    x = (x + 0x9E3779B97F4A7C15) % WORD
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB % WORD
    return x ^ (x >> 31)


def keyed(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


class TestStream:
    def test_published_vector(self) -> None:
        assert int(mix(np.zeros(1, dtype=np.uint64))[0]) == 0xE220A8397B1DCDAF

    @given(seed=seeds, uid=st.text(max_size=8), path=st.text(max_size=8), row=numbers, attempt=numbers)
    def test_definition(self, seed: int, uid: str, path: str, row: int, attempt: int) -> None:
        stream = Stream(seed, uid)
        drawn = stream.draw(np.array([row], dtype=np.uint64), path, np.array([attempt], dtype=np.uint64))
        key = keyed(f"{seed}\x1f{uid}")
        assert int(drawn[0]) == mixed((mixed(key ^ mixed((row + keyed(path)) % WORD)) + attempt) % WORD) >> 32

    def test_frozen_numbers(self) -> None:
        rows = np.arange(4, dtype=np.uint64)
        assert Stream(0, "transitive").draw(rows, "subj/D", rows).tolist() == [
            3212011817,
            1381454906,
            3939202788,
            139585174,
        ]

    @given(seed=seeds, rows=st.lists(numbers, max_size=20), attempts=st.integers(0, 300))
    def test_each_number_stands_alone(self, seed: int, rows: list[int], attempts: int) -> None:
        stream, column = Stream(seed, "p"), np.array(rows, dtype=np.uint64)
        tries = np.full(len(rows), attempts, dtype=np.uint64)
        whole = stream.draw(column, "subj", tries)
        alone = [int(Stream(seed, "p").draw(column[k : k + 1], "subj", tries[k : k + 1])[0]) for k in range(len(rows))]
        assert whole.tolist() == alone

    def test_all_parts_of_an_address_count(self) -> None:
        rows, zero = np.arange(100, dtype=np.uint64), np.zeros(100, dtype=np.uint64)
        found = [
            Stream(0, "p").draw(rows, "subj", zero),
            Stream(1, "p").draw(rows, "subj", zero),
            Stream(0, "q").draw(rows, "subj", zero),
            Stream(0, "p").draw(rows, "obj", zero),
            Stream(0, "p").draw(rows, "subj/D", zero),
            Stream(0, "p").draw(rows, "subj", zero + np.uint64(1)),
            Stream(0, "p").draw(rows + np.uint64(1), "subj", zero),
        ]
        shared = [np.intersect1d(a, b).size for a, b in itertools.combinations(found[:-1], 2)]
        assert max(shared) == 0
        assert found[0][1:].tolist() == found[-1][:-1].tolist()

    def test_parts_of_a_key_are_told_apart(self) -> None:
        assert len({int(key_of(*parts)) for parts in ((1, "1"), (11, ""), ("", 11), ("11",), (1, 1, ""))}) == 5

    def test_numbers_are_even_and_independent(self) -> None:
        rows, zero = np.arange(65536, dtype=np.uint64), np.zeros(65536, dtype=np.uint64)
        stream = Stream(0, "p")
        streams = [stream.draw(rows, path, zero) >> np.uint64(28) for path in ("a", "b")]
        streams.append(stream.draw(rows, "a", zero + np.uint64(1)) >> np.uint64(28))
        for column in streams:
            assert chi_square(Counter(column.tolist()), dict.fromkeys(range(16), 1)) < 44.3  # p = 1e-4, 15 degrees
        for a, b in itertools.combinations(streams, 2):
            joint = Counter((a * np.uint64(16) + b).tolist())
            assert chi_square(joint, dict.fromkeys(range(256), 1)) < 347  # p = 1e-4, 255 degrees

    @given(st.lists(st.tuples(st.integers(0, 2**32 - 1), st.integers(1, 2**31)), min_size=1))
    def test_below(self, drawn: list[tuple[int, int]]) -> None:
        u, bounds = (np.array(part) for part in zip(*drawn, strict=True))
        result = below(u.astype(np.uint64), bounds.astype(np.int64)).tolist()
        assert result == [x * m >> 32 for x, m in drawn]
        assert all(0 <= r < m for r, (_, m) in zip(result, drawn, strict=True))

    @given(seed=seeds, size=st.integers(0, 200), turn=st.integers(0, 5))
    def test_permutation(self, seed: int, size: int, turn: int) -> None:
        stream = Stream(seed, "p")
        order = stream.permutation("subj", turn, size).tolist()
        assert sorted(order) == list(range(size))
        assert order == Stream(seed, "p").permutation("subj", turn, size).tolist()

    def test_a_permutation_for_each_turn(self) -> None:
        stream = Stream(0, "p")
        several = stream.permutations("subj", np.array([4, 0, 7]), 30).tolist()
        assert several == [stream.permutation("subj", turn, 30).tolist() for turn in (4, 0, 7)]
        assert len({tuple(stream.permutation("subj", turn, 30).tolist()) for turn in range(5)}) == 5

    def test_permutations_are_even(self) -> None:
        stream = Stream(0, "p")
        found = Counter(tuple(stream.permutation("subj", turn, 3).tolist()) for turn in range(6000))
        assert chi_square(found, dict.fromkeys(itertools.permutations(range(3)), 1)) < 25.7  # p = 1e-4, 5 degrees


FILL = f"""  w1: {words("v", 300)}
  w2: {words("w", 300)}
"""
SUBJECT = f"""slots:
  verb: {{cat: VP.past, frame: V}}
  subj: {{cat: DP, subject_of: verb}}
{FILL}good: subj verb w1 w2 .
bad:  subj w1 verb w2 .
"""


def slots(library: Library, n: int = 6000) -> list[dict[str, dict[str, object]]]:
    """The fillers of n rows."""
    compiled = compiled_of(library)
    [cell] = compiled.cells
    assert cell.enumerated is None
    parts = [part for block in draw_set(compiled, n, seed=0) for part in block]
    assert [row for part in parts for row in part.rows.tolist()] == list(range(n))
    return [
        fillers(cell, [column[k : k + 1] for column in part.columns]) for part in parts for k in range(len(part.rows))
    ]


class TestWeights:
    """Chi-square tests at a fixed seed: the bounds are those of p = 1e-4."""

    def test_rules(self, build: Build) -> None:
        rules = GRAMMAR.replace("DP.name  -> Name*               {1}", "DP.name -> Name* {7}").replace(
            "DP.det   -> determiner:D N*     {2}", "DP.det -> determiner:D N* {2}\nDP.bare -> N[Number=Plur]* {1}"
        )
        found = Counter(str(s["subj"]["rules"]) for s in slots(build(SUBJECT, grammar=rules)))
        assert chi_square(found, {"['DP.name']": 7, "['DP.det']": 2, "['DP.bare']": 1}) < 18.4

    def test_a_rule_without_candidates_takes_no_part(self, build: Build) -> None:
        body = SUBJECT.replace("cat: DP,", "cat: DP, is: not human,")
        found = Counter(str(s["subj"]["rules"]) for s in slots(build(body), 500))
        assert found == {"['DP.det']": 500}

    def test_features_in_equal_shares_then_lexemes(self, build: Build) -> None:
        body = SUBJECT.replace("cat: DP,", "cat: DP.det, is: animal | food,").replace(
            "frame: V}", "frame: V, is: lemma=fall}"
        )
        found = Counter((s["subj"]["features"]["Number"], s["subj"]["lexeme"]) for s in slots(build(body)))  # type: ignore[index]
        shares = {("Sing", f"{x}.1"): 1 / 8 for x in ("cat", "dog", "ant", "rice")}
        assert chi_square(found, {**shares, **{("Plur", f"{x}.1"): 1 / 6 for x in ("cat", "dog", "ant")}}) < 27.9

    def test_lexemes_with_weights(self, build: Build) -> None:
        determiners = [
            "id;lemma;kind;sg;pl;mass;weight",
            "the.1;the;art;the;the;the;13",
            "my.1;my;art;my;my;my;5",
            "that.1;that;art;that;that;that;2",
            "each.1;each;art;each;each;each;0",
        ]
        body = SUBJECT.replace("cat: DP,", "cat: DP.det,")
        found = Counter(
            s["subj"]["daughters"]["determiner"]["lexeme"]  # type: ignore[index]
            for s in slots(build(body, determiners=determiners))
        )
        assert chi_square(found, {"the.1": 13, "my.1": 5, "that.1": 2}) < 18.4

    def test_weights_among_those_that_fit(self, build: Build) -> None:
        """The determiner weighs against those that fit the number of its noun."""
        body = SUBJECT.replace("cat: DP,", "cat: DP.det, is: animal,")
        found = Counter(
            (s["subj"]["features"]["Number"], s["subj"]["daughters"]["determiner"]["lexeme"])  # type: ignore[index]
            for s in slots(build(body))
        )
        shares = {("Sing", "the.1"): 3 / 5, ("Sing", "a.1"): 2 / 5, ("Plur", "the.1"): 3 / 4, ("Plur", "two.1"): 1 / 4}
        assert chi_square(found, shares) < 21.1

    def test_lexemes_of_weight_nought_are_drawn_only_when_named(self, build: Build) -> None:
        determiners = [
            "id;lemma;kind;sg;pl;mass;weight",
            "the.1;the;art;the;the;the;1",
            "each.1;each;art;each;each;each;0",
        ]
        body = SUBJECT.replace("cat: DP,", "cat: DP.det, D: {lemma: each},")
        found = Counter(
            s["subj"]["daughters"]["determiner"]["lexeme"]  # type: ignore[index]
            for s in slots(build(body, determiners=determiners), 50)
        )
        assert found == {"each.1": 50}

    def test_shares_with_a_large_common_denominator(self, build: Build) -> None:
        primes = (101, 103, 107, 109, 113, 127, 131, 137)
        phrases = "".join(f"phrase X{p} Number\n" for p in primes)
        rules = "".join(
            f"DP.r{p} -> X{p}* {{1}}\nX{p}.a -> determiner:D N* {{1}}\nX{p}.b -> Name* {{{p - 1}}}\n" for p in primes
        )
        old = [line for line in GRAMMAR.splitlines(keepends=True) if not line.startswith("DP.")]
        found = Counter(
            s["subj"]["rules"][0] for s in slots(build(SUBJECT, grammar=phrases + "".join(old) + rules), 4000)
        )  # type: ignore[index]
        assert chi_square(found, {f"DP.r{p}": 1 for p in primes}) < 29.9


class TestStreams:
    """Inserting or removing a slot moves no other slot's numbers."""

    def columns(self, folder: Path, body: str) -> dict[str, list[str]]:
        rows = slots(small_library(folder, {"p": body}), 300)
        return {name: [str(row[name]) for row in rows] for name in rows[0]}

    @pytest.mark.parametrize("before", ["verb:", "subj:", "w1:", "w2:"])
    def test_a_slot_inserted(self, tmp_path: Path, before: str) -> None:
        old = self.columns(tmp_path / "old", SUBJECT)
        new = self.columns(
            tmp_path / "new",
            SUBJECT.replace(f"  {before}", f"  extra: {words('x', 9)}\n  {before}").replace("w2 .", "w2 extra ."),
        )
        assert len(set(new.pop("extra"))) == 9
        assert new == old

    def test_a_determiner_more(self, tmp_path: Path) -> None:
        """The daughters of a phrase have streams of their own."""
        bare = GRAMMAR.replace("DP.det   ->", "DP.left -> D* {0}\nDP.det -> N* {2}\nDP.with ->").replace(
            "N*     {2}", "N* {0}"
        )
        body = SUBJECT.replace("cat: DP,", "cat: DP, is: animal | human,")
        old, new = (
            slots(small_library(tmp_path / k, {"p": body}, grammar=g), 300) for k, g in (("a", GRAMMAR), ("b", bare))
        )
        assert [row["subj"]["lexeme"] for row in old] == [row["subj"]["lexeme"] for row in new]

    def test_a_later_slot_restricted(self, tmp_path: Path) -> None:
        old = self.columns(tmp_path / "old", SUBJECT)
        new = self.columns(tmp_path / "new", SUBJECT.replace(words("w", 300), words("w", 290)))
        assert {k: v for k, v in old.items() if k != "w2"} == {k: v for k, v in new.items() if k != "w2"}


class TestDraw:
    def draw(self, library: Library, n: int, attempt: int = 0) -> tuple[CompiledCell, list[list[int]], list[bool]]:
        cell = cell_of(library)
        rows = np.arange(n, dtype=np.uint64)
        sampler = Sampler(cell.plan)
        drawn = sampler.draw(Stream(0, "p"), rows, np.full(n, attempt, dtype=np.uint64))
        return cell, [c.tolist() for c in drawn.columns], drawn.ok.tolist()

    def test_a_daughter_that_is_not_there(self, build: Build) -> None:
        cell, columns, _ = self.draw(build(SUBJECT), 500)
        subject, determiner = (columns[cell.plan.index(n)] for n in cell.plan.order[1:3])
        node = cell.plan.slots["subj"]
        for s, d in zip(subject, determiner, strict=True):
            assert (d >= 0) == (node.leaves[int(node.leaf[s])].rules[0].label == "det")

    def test_content_words_stand_once(self, build: Build) -> None:
        body = SUBJECT.replace("good:", "  n: {cat: N, Number: Sing}\ngood:").replace(
            "verb w1 w2 .", "verb w1 w2 n .", 1
        )
        library = build(body)
        _, _, ok = self.draw(library, 2000)
        assert 0.7 < sum(ok) / 2000 < 0.95
        assert all(row["n"]["lexeme"] != row["subj"]["lexeme"] for row in slots(library, 500))

    def test_every_candidate_fits_what_is_drawn(self, build: Build) -> None:
        body = (
            SUBJECT.replace("verb: {cat: VP.past, frame: V}", "verb: {cat: VP.past, frame: V.NP}")
            .replace("good:", "  obj: {cat: DP, object_of: verb}\ngood:")
            .replace("verb w1 w2 .", "verb obj w1 w2 .")
        )
        cell, columns, ok = self.draw(build(body), 1000)
        for c in cell.plan.constraints:
            a, b = (np.array(columns[cell.plan.index(node)])[ok] for node in (c.a, c.b))
            assert c.allowed[c.classes_a[a], c.classes_b[b]].all()


class TestEnumeration:
    BODY = """slots:
  verb: {cat: V, form: past, frame: V, is: lemma=run/fall}
  subj: {cat: N, subject_of: verb, is: lemma=cat/rice}
  tail: {words: [aa, bb]}
good: the subj verb tail .
bad:  the subj tail verb .
"""

    def test_order(self, build: Build) -> None:
        """Slots in file order, the last one fastest, words in table order."""
        cell = cell_of(build(self.BODY))
        columns = enumerate_all(cell.sampler)
        texts = cell.templates["good"].realise(columns, cell.language.lexicon).texts(cell.language.lexicon)
        assert texts == [
            "The cat ran aa.",
            "The cat ran bb.",
            "The cats ran aa.",
            "The cats ran bb.",
            "The cat fell aa.",
            "The cat fell bb.",
            "The rice fell aa.",
            "The rice fell bb.",
            "The cats fell aa.",
            "The cats fell bb.",
        ]

    @pytest.mark.parametrize("limit, whole", [(10, True), (9, False), (None, True)])
    def test_limit(self, build: Build, limit: int | None, whole: bool) -> None:
        assert (enumerate_up_to(cell_of(build(self.BODY)).sampler, limit) is not None) is whole

    def test_same_word_left_out(self, build: Build) -> None:
        body = self.BODY.replace("tail: {words: [aa, bb]}", "tail: {cat: N, Number: Sing, is: lemma=cat/rice}")
        assert len(enumerate_all(cell_of(build(body)).sampler)[0]) == 5

    def test_a_daughter_that_is_nowhere(self, build: Build) -> None:
        body = (
            "slots:\n"
            "  verb: {cat: V, form: past, frame: V.NP}\n"
            "  obj: {cat: DP, object_of: verb}\n"
            "good: verb obj .\n"
            "bad: obj verb .\n"
        )
        library = build(
            body, nouns=["id;lemma;types", "cat.1;cat;animal"], verb_frames=["id;frame;obj", "see.1;V.NP;human"]
        )
        columns = enumerate_all(cell_of(library).sampler)
        assert [c.tolist() for c in columns] == [[0, 0], [0, 1], [-1, -1]]


class TestCapacity:
    def test_large_numbers_are_exact(self, build: Build) -> None:
        body = SUBJECT.replace("cat: DP,", "cat: N,").replace("cat: VP.past,", "cat: V, form: past,")
        assert cell_of(build(body)).capacity == Capacity(*3 * [(8 + 9 + 9) * 300 * 300])

    @pytest.mark.parametrize(
        "body, assignments",
        [
            (TestEnumeration.BODY, 10),
            (
                """slots:
  v1: {cat: V, form: past, frame: V}
  v2: {cat: V, form: past, frame: V.NP}
  n: {cat: N, subject_of: v1, object_of: v2}
good: the n v1 and v2 .
bad: the n v1 v2 .
""",
                None,
            ),
        ],
    )
    def test_a_forest_is_counted_exactly(self, build: Build, body: str, assignments: int | None) -> None:
        frames = [
            "id;frame;subj;obj",
            "see.1;V.NP;human;human",
            "run.1;V;animal",
            "fall.1;V;any",
            "eat.1;V.NP;human | animal;food | animal",
            "eat.1;V;any",
        ]
        cell = cell_of(build(body, verb_frames=frames))
        found = forest_count(cell.plan)
        sampler = Sampler(cell.plan)
        sampler.content = []  # the count is of constraints alone
        assert found == len(enumerate_all(sampler)[0])
        assert assignments in (None, found)

    def test_no_forest(self, build: Build) -> None:
        """A cycle, or a daughter that is there only in some rows, is not counted this way."""
        cycle = """slots:
  v1: {cat: V, form: past, frame: V}
  v2: {cat: V, form: past, frame: V}
  n1: {cat: N, subject_of: [v1, v2]}
  n2: {cat: N, subject_of: [v1, v2]}
good: the n1 v1 the n2 v2 .
bad: the n1 the n2 v1 v2 .
"""
        frames = [
            "id;frame;subj;obj",
            "see.1;V.NP;human;human",
            "run.1;V;animal",
            "fall.1;V;food | animal",
            "eat.1;V;human",
        ]
        assert forest_count(cell_of(build(cycle, verb_frames=frames)).plan) is None
        assert forest_count(cell_of(build(SUBJECT)).plan) is None

    @pytest.mark.parametrize("cat", ["DP", "DP.det", "N"])
    @pytest.mark.parametrize("dealt", ["", "verb", "subj"])
    def test_estimate(self, build: Build, cat: str, dealt: str) -> None:
        body = (
            f"slots:\n  verb: {{cat: VP, frame: V}}\n  subj: {{cat: {cat}, subject_of: verb}}\n"
            f"good: subj verb .\nbad: subj verb and .\nbalance: [{dealt}]\n"
        )
        cell = cell_of(build(body))
        estimated = estimate(cell.sampler, cell.dealt)
        assert estimated.low <= estimated.value <= estimated.high
        assert abs(estimated.value - len(enumerate_all(cell.sampler)[0])) < 2 * (estimated.high - estimated.low)

    @settings(max_examples=50)
    @given(a=st.integers(0, 10**12), b=st.integers(0, 10**12))
    def test_sum_of_exact_counts(self, a: int, b: int) -> None:
        total = Capacity(a, a, a) + Capacity(b, b, b)
        assert total.exact
        assert str(total) == f"{a + b:,}"

    def test_many_slots_of_nouns(self, build: Build) -> None:
        """As many slots as a paradigm may have."""
        names = " ".join(f"w{k}" for k in range(36))
        slots = "".join(f"  w{k}: {words(f'v{k}x', 500)}\n" for k in range(36))
        nouns = "".join(f"  n{k}: {{cat: DP}}\n" for k in range(4))
        phrases = "n0 n1 n2 n3"
        cell = cell_of(build(f"slots:\n{nouns}{slots}good: {phrases} {names} .\nbad: {names} {phrases} .\n"))
        with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
            warnings.simplefilter("error")
            assert cell.exact is None
            capacity = cell.capacity
        assert capacity.low <= capacity.value <= capacity.high
        assert 1e97 < capacity.value < 1e105
        assert str(capacity).startswith("about ")

    @pytest.mark.parametrize(
        "power, shown", [(600, "about 4.1e+180 (4.15e+180-4.15e+180)"), (2000, "more than 1e+308")]
    )
    def test_weights_beyond_floats(self, power: int, shown: str) -> None:
        """Neither the square of a weight nor, in the end, a weight fits into a float."""
        weights = _Weights(100)
        with np.errstate(all="raise", under="ignore"):
            for _ in range(power):
                weights.set(weights.mantissas * 2)
            weights.set(weights.mantissas * np.linspace(0.9999, 1.0001, 100))
            capacity = weights.mean(np.ones(100, dtype=bool))
        assert str(capacity) == shown
        assert str(Capacity.counted(10**400) + capacity) == "more than 1e+308"

    def test_an_estimate_is_shown_with_its_interval(self) -> None:
        total = Capacity(1.3e5, 1.28e5, 1.35e5)
        assert not (total + Capacity(1, 1, 1)).exact
        assert str(total) == "about 1.3e+05 (1.28e+05-1.35e+05)"
