"""A recorded battle of every scenario goes the same way again, whatever the hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.games.golden import FEWEST, path_of, read, replayed
from tests.games.positions import ROOT, scenarios


@pytest.mark.parametrize("scenario", scenarios())
def test_goes_the_same_way_again(scenario: str) -> None:
    """Every action is allowed again and leads to the same state, by its hash after every one."""
    golden = read(path_of(scenario))
    assert golden.scenario == scenario
    assert len(golden.actions) > FEWEST
    assert replayed(scenario).difference is None


@pytest.mark.parametrize("seed", ["0", "1", "4711"])
def test_whatever_the_hash_seed(seed: str) -> None:
    """Another order of sets and dictionaries changes nothing: the shortest battles, in fresh processes."""
    path = min((path_of(name) for name in scenarios()), key=lambda p: p.stat().st_size)
    words = [sys.executable, "-m", "tests.games.golden", str(path)]
    found = subprocess.run(
        words,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.strip() == read(path).hashes[-1]
