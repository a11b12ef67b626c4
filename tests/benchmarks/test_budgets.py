"""The budgets of the design, asked with ``pytest -m benchmark``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from .measure import MEASUREMENTS, Row, over


@pytest.mark.benchmark
@pytest.mark.parametrize("measurement", MEASUREMENTS, ids=lambda m: m.__name__)
def test_budgets(measurement: Callable[[], Iterator[Row]], capsys: pytest.CaptureFixture[str]) -> None:
    assert over(measurement(), capsys) == []
