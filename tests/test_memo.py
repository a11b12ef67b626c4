"""Results kept by their owners: none is ever given for another owner."""

from __future__ import annotations

import numpy as np
import pytest

from blimpgen.base.memo import Memo
from blimpgen.library import Library


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
