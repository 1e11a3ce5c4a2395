"""The staircase settles where an observer is right 85 % of the time, whoever he is."""

from __future__ import annotations

import math
import random
from statistics import median

import pytest

from tabletop.drills.staircase import IN_A_ROW, NARROWER, WIDER, Staircase, of_data


def right_at(margin: float, threshold: float, slope: float, guess: float, lapse: float = 0.02) -> float:
    """Return how often an observer is right: 0.85 at his threshold, ``guess`` at no margin at all."""
    reach = 1.0 - guess - lapse
    offset = -math.log(reach / (0.85 - guess) - 1.0)
    return guess + reach / (1.0 + math.exp(-(slope * math.log(margin / threshold) + offset)))


def test_the_rule_balances_near_85_percent() -> None:
    in_a_row = math.log(WIDER) / (math.log(WIDER) - math.log(NARROWER))
    assert in_a_row ** (1 / IN_A_ROW) == pytest.approx(0.85, abs=0.01)


@pytest.mark.parametrize("guess", [1 / 2, 1 / 3])
@pytest.mark.parametrize("slope", [2.0, 3.0, 5.0])
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.9])
def test_the_score_is_the_margin_judged_right_85_percent_of_the_time(
    guess: float, slope: float, threshold: float
) -> None:
    scores = []
    for seed in range(120):
        rng, stairs = random.Random(seed), Staircase()
        for _ in range(80):
            stairs = stairs.answered(rng.random() < right_at(stairs.margin, threshold, slope, guess), 0.1)
        assert stairs.score is not None
        scores.append(stairs.score)
    right = sum(right_at(score, threshold, slope, guess) for score in scores) / len(scores)
    assert right == pytest.approx(0.85, abs=0.03)
    assert median(scores) == pytest.approx(threshold, rel=0.15)


def test_nobody_gets_beyond_the_ends() -> None:
    good = bad = Staircase()
    for _ in range(200):
        good, bad = good.answered(True, 0.1), bad.answered(False, 0.1)
    assert good.margin == pytest.approx(0.1) and good.score == pytest.approx(0.1)
    assert bad.margin == bad.score == pytest.approx(1.5)


def test_it_is_written_and_read() -> None:
    stairs = Staircase()
    for k in range(40):
        stairs = stairs.answered(k % 4 != 0, 0.1)
    again = of_data(stairs.as_data())
    assert again.answers == 40 and again.right == 30 and again.run == stairs.run
    assert again.asked == pytest.approx(stairs.asked, abs=1e-4)
