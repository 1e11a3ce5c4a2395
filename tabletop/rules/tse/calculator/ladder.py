"""Graded outcomes: a logistic draw is added to a score, and the result is the last step of a ladder the sum passes.

The chance to pass any step rises strictly with the score, so two cases can be compared by their scores (TSE-APP-10).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import pairwise

from tabletop.rules.tse.calculator.model_data import Fact, FactorRow, Ladder


def factors(ladder: Ladder, facts: Mapping[str, Fact]) -> Iterator[FactorRow]:
    """Yield the factors that apply, in the order of the file."""
    return (row for row in ladder.factors if row.holds(facts))


def score(ladder: Ladder, facts: Mapping[str, Fact]) -> float:
    """Return the sum of all factors that apply."""
    return math.fsum(row.add for row in factors(ladder, facts))


def passing(ladder: Ladder, score: float) -> tuple[float, ...]:
    """Return the chance to pass each step after the first: P(score + draw > above)."""
    spread = ladder.spread.value
    return tuple(_above((step.above or 0.0) - score, spread) for step in ladder.steps[1:])


def probabilities(ladder: Ladder, score: float) -> tuple[float, ...]:
    """Return the exact probability of every outcome, in the ladder's order; they sum to 1."""
    tops = (1.0, *passing(ladder, score), 0.0)
    return tuple(top - beyond for top, beyond in pairwise(tops))


def _above(threshold: float, spread: float) -> float:
    """Return the chance that a logistic draw exceeds ``threshold``.

    >>> _above(0.0, 0.6)
    0.5
    """
    return 1.0 / (1.0 + math.exp(threshold / spread))
