"""Shared by every interface to a rule set's calculator: chance without a battle, and odds grouped by outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tabletop.battle.dice import FINE, face, graded


class Draws:
    """Chance for a calculator that keeps no battle: the draws of a seed, one after another."""

    def __init__(self, seed: int) -> None:
        self._seed, self._index = seed, 0

    def die(self, purpose: str, sides: int = 6, cuts: Sequence[int] = ()) -> int:
        self._index += 1
        return face(self._seed, self._index - 1, sides)

    def grade(self, purpose: str, probabilities: Sequence[float]) -> tuple[int, float | None]:
        draw = (self.die(purpose, FINE) - 0.5) / FINE
        return graded(draw, probabilities), draw


def by_end(odds: Sequence[tuple[float, str]]) -> list[tuple[float, str, Mapping[str, float]]]:
    """Return odds grouped by outcome, most likely first: share, outcome, and the ways to it with their shares."""
    ends: dict[str, dict[str, float]] = {}
    for probability, text in odds:
        way, end = _way_and_end(text)
        ways = ends.setdefault(end, {})
        ways[way] = ways.get(way, 0.0) + probability
    return sorted(((sum(ways.values()), end, ways) for end, ways in ends.items()), key=lambda row: -row[0])


def _way_and_end(text: str) -> tuple[str, str]:
    """Return the part of an answer before its outcome, and the outcome, which is its last part."""
    end = text.rsplit("; ", 1)[-1].rsplit(": ", 1)[-1]
    return text[: len(text) - len(end)].rstrip(" ;:"), end
