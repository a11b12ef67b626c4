"""Runs at once and killed runs, a few of each; ``BLIMPGEN_FAULTS=200`` makes more."""

from __future__ import annotations

import os

import pytest

from faults import COMMANDS, PAIRED, run_faults

COUNT = int(os.environ.get("BLIMPGEN_FAULTS", "3"))


@pytest.mark.slow
@pytest.mark.parametrize("command", PAIRED)
def test_runs_at_once_never_mix(command: str) -> None:
    assert run_faults(pairs=COUNT, kills=0, of=[command]).total() == COUNT


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_killed_runs_leave_nothing_that_is_not_described(command: str) -> None:
    outcomes = run_faults(pairs=0, kills=COUNT, of=[command])
    assert outcomes.total() == COUNT
    assert outcomes[f"{command}: killed when it was finished"] < COUNT
