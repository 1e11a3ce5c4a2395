"""Pools of dice in closed form: how often each number of successes, or each total, comes up."""

from __future__ import annotations

from functools import cache
from math import comb


@cache
def totals(dice: int, sides: int = 6) -> tuple[float, ...]:
    """Return the probability of each total of ``dice`` dice, from 0 up.

    >>> [round(p, 4) for p in totals(2)[7:9]]
    [0.1667, 0.1389]
    """
    chances = [1.0]
    for _ in range(dice):
        longer = [0.0] * (len(chances) + sides)
        for total, p in enumerate(chances):
            for face in range(1, sides + 1):
                longer[total + face] += p / sides
        chances = longer
    return tuple(chances)


def successes(dice: int, p: float) -> tuple[float, ...]:
    """Return the probability of each number of successes, from 0 up, of ``dice`` dice that succeed with ``p`` each.

    >>> successes(2, 0.5)
    (0.25, 0.5, 0.25)
    """
    return tuple(comb(dice, k) * p**k * (1 - p) ** (dice - k) for k in range(dice + 1))


def higher(mine: int, theirs: int, sides: int = 6) -> tuple[float, float, float]:
    """Return the probabilities that ``mine`` dice total more than, the same as, and less than ``theirs`` dice.

    >>> [round(p, 3) for p in higher(1, 1)]
    [0.417, 0.167, 0.417]
    """
    a, b = totals(mine, sides), totals(theirs, sides)
    more = sum(p * q for k, p in enumerate(a) for n, q in enumerate(b) if k > n)
    same = sum(p * q for p, q in zip(a, b, strict=False))
    return more, same, max(0.0, 1.0 - more - same)
