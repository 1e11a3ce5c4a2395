"""The hand led by the arrows: how far a step takes it."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.geometry.measure import Point

#: How far an arrow leads the hand, and how far with Shift, by the table's unit.
STEPS: Mapping[str, tuple[float, float]] = {"in": (1.0, 0.1), "cm": (1.0, 0.1), "mm": (10.0, 1.0)}


def step(unit: str, fine: bool) -> float:
    """Return how far an arrow leads the hand on a table measured in ``unit``."""
    return STEPS[unit][fine]


def led(hand: Point, way: tuple[int, int], far: float, size: Point) -> Point:
    """Return where the hand comes to, a step ``far`` to the east and north; never off a table of this size."""
    (x, y), (east, north), (wide, high) = hand, way, size
    return min(max(0.0, x + far * east), wide), min(max(0.0, y + far * north), high)


def words(unit: str) -> str:
    """Return how far the arrows lead: ``1 in (Shift 0.1)``."""
    return f"{step(unit, False):g} {unit} (Shift {step(unit, True):g})"
