"""The table of numbers against a dictionary."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from blimpgen.base.number_table import NumberTable


def test_a_table_finds_each_key_out_once() -> None:
    """Keys that share a slot, keys that come up again, and more keys than the table began with room for."""
    random, table, asked, known = np.random.default_rng(0), NumberTable(), list[int](), dict[int, int]()

    def find(keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        assert keys.tolist() == sorted(set(keys.tolist()))
        numbers = np.arange(len(asked), len(asked) + len(keys), dtype=np.int32)
        known.update(zip(keys.tolist(), numbers.tolist(), strict=True))
        asked.extend(keys.tolist())
        return numbers

    for most in (5, 300, 1 << 40, 5000, (1 << 64) - 1):
        keys = random.integers(0, most, 4000, dtype=np.uint64)
        found = table.of(keys, find).tolist()
        assert found == [known[key] for key in keys.tolist()]
    assert len(asked) == len(set(asked)) > 1 << 12
    assert table.of(keys[:0], find).tolist() == []
