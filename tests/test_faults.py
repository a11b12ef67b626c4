"""Runs at once and killed runs, a few of each; ``BLIMPGEN_FAULTS=200`` makes more."""

from __future__ import annotations

import os

import pytest

from faults import run_faults

COUNT = int(os.environ.get("BLIMPGEN_FAULTS", "6"))


@pytest.mark.slow
def test_runs_at_once_never_mix() -> None:
    assert run_faults(pairs=COUNT, kills=0).total() == COUNT


@pytest.mark.slow
def test_killed_runs_leave_nothing_that_is_not_described() -> None:
    assert run_faults(pairs=0, kills=COUNT)["killed"] > 0
