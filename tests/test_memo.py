"""Results kept by their owners: none is ever given for another owner, and a library keeps no more than it says."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import numpy as np
import pytest

from blimpgen.base.memo import Memo, Recent
from blimpgen.generation.compiled import CompiledParadigm
from blimpgen.generation.prepare import prepare
from blimpgen.library import VARIANTS, Library
from blimpgen.variants.record import Variant
from tests.golden import frozen_library


class TestMemo:
    def test_a_result_is_made_once_for_its_owners_and_key(self) -> None:
        memo, owner, made = Memo[int](), np.zeros(2), iter(range(10))
        results = [memo.once(lambda: next(made), owner, key=key) for key in ("a", "a", "b")]
        assert results == [0, 0, 1]

    def test_equal_owners_are_not_the_same(self) -> None:
        memo: Memo[str] = Memo()
        first, second = {"level": "a"}, {"level": "a"}
        assert (memo.once(lambda: "first", first), memo.once(lambda: "second", second)) == ("first", "second")

    def test_the_identity_of_a_temporary_is_never_used_again(self) -> None:
        memo: Memo[int] = Memo()
        assert [memo.once(lambda k=k: k, [k]) for k in range(100)] == [*range(100)]  # type: ignore[misc]


class TestRecent:
    def test_what_was_used_longest_ago_goes(self) -> None:
        recent, made = Recent(), []

        def get(key: str) -> None:
            recent.once("letter", key, lambda: made.append(key), most=2)

        for key in "abacab":
            get(key)
        assert made == ["a", "b", "c", "b"]

    def test_a_result_of_another_version_is_replaced(self) -> None:
        recent, made = Recent(), iter("abc")
        got = [recent.once("letter", 0, lambda: next(made), most=2, version=version) for version in (1, 1, 2, 1)]
        assert got == ["a", "a", "b", "c"]

    def test_each_kind_has_its_own_limit(self) -> None:
        recent = Recent()
        for kind in ("x", "y"):
            for key in range(3):
                recent.once(kind, key, lambda: None, most=3)
        recent.once("x", 9, lambda: None, most=1)
        assert recent.once("y", 0, lambda: "made again", most=3) is None


PARADIGM = """\
summary: An intransitive verb takes no object.
field: syntax
slots:
  verb: {{cat: VG.plain, Tense: Past, frame: V.NP, is: lemma=admire}}
  iv:   {{like: verb, frame: V, no_frame: V.NP, is: lemma={lemma}}}
  subj: {{cat: DP.name, subject_of: [verb, iv]}}
  obj:  {{cat: DP.name, object_of: verb}}
good: subj verb obj .
bad:  subj iv obj .
"""


@pytest.mark.slow
class TestLongLivedLibrary:
    def test_only_the_last_version_of_a_paradigm_stays(self, library: Library, tmp_path: Path) -> None:
        path = tmp_path / "mine.yaml"
        versions: list[weakref.ref[CompiledParadigm]] = []
        for lemma in ("blush", "arrive", "hesitate"):
            path.write_text(PARADIGM.format(lemma=lemma), encoding="utf-8")
            versions.append(weakref.ref(prepare(library.reread(path), library)))
        gc.collect()
        assert [version() is not None for version in versions] == [False, False, True]

    def test_variants_are_evicted(self) -> None:
        library = frozen_library()
        made = [weakref.ref(library.varied(Variant(zipf=(0, 5 + k / 100)))) for k in range(VARIANTS + 4)]
        gc.collect()
        assert [variant() is not None for variant in made] == [False] * 4 + [True] * VARIANTS
        assert library.varied(Variant(zipf=(0, 5 + 4 / 100))) is made[4]()


@pytest.mark.parametrize("columns", ["a new mapping each time", "one mapping, changed"])
def test_a_restriction_is_asked_of_the_columns_that_are_given(library: Library, columns: str) -> None:
    """Each time half of the nouns are marked, never the same half."""
    nouns = library.lexicon.inventory("N")
    marked = library.lexicon.hierarchy.parse("half=yes")
    shared: dict[str, np.typing.NDArray[np.object_]] = {}
    for k in range(20):
        half = np.arange(len(nouns)) % 20 < k
        extra = shared if columns == "one mapping, changed" else {}
        extra["half"] = np.where(half, "yes", "no").astype(object)
        if k:
            assert np.array_equal(nouns.mask(marked, extra=extra), half)
