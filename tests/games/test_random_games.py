"""Random legal games, watched: small ones in every run, 2,000 of each rule set and the full battles in the sweep."""

from __future__ import annotations

import pytest

from tests.games.harness import play
from tests.games.positions import GENERATORS, scenarios, small

#: Small games of every run, generated, in batches for the workers.
GAMES, BATCH = 100, 10
#: Generated games of each rule set in the sweep, and in a batch.
LONG, LONG_BATCH = 2_000, 20


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.sweep)])
def test_small_scenarios(seed: int) -> None:
    """Every scenario of up to six units a side ends without a fault, whoever plays it at random."""
    assert small(), "a small scenario comes with the program"
    failed = [game for name in small() if (game := play(name, seed)).faults]
    assert not failed, failed[0].left()


@pytest.mark.parametrize("batch", range(GAMES // BATCH))
@pytest.mark.parametrize("rules", sorted(GENERATORS))
def test_generated(rules: str, batch: int) -> None:
    """Generated positions of up to six units a side end without a fault."""
    count = BATCH // len(GENERATORS)
    numbers = range(batch * count, (batch + 1) * count)
    failed = [game for number in numbers if (game := play(f"{rules}:{number}", number)).faults]
    assert not failed, failed[0].left()


def test_same_seed_same_game() -> None:
    """The same seed plays the same game: the hash of the whole state is the same after every action."""
    for rules in sorted(GENERATORS):
        one, two = (play(f"{rules}:3", 3, hashes=True) for _ in range(2))
        assert one.hashes == two.hashes
        assert len(one.hashes) > 5


@pytest.mark.sweep
@pytest.mark.parametrize("batch", range(LONG // LONG_BATCH))
@pytest.mark.parametrize("rules", sorted(GENERATORS))
def test_generated_at_length(rules: str, batch: int) -> None:
    """Two thousand generated games of each rule set, more than that with the crisis of morale of Sauve qui peut."""
    numbers = range(GAMES + batch * LONG_BATCH, GAMES + (batch + 1) * LONG_BATCH)
    failed = [game for number in numbers if (game := play(f"{rules}:{number}", number)).faults]
    assert not failed, failed[0].left()


@pytest.mark.sweep
@pytest.mark.parametrize("name", scenarios())
def test_full_battles(name: str) -> None:
    """Every scenario, the largest too, ends without a fault."""
    failed = [game for seed in range(10) if (game := play(name, seed)).faults]
    assert not failed, failed[0].left()
