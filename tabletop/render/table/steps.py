"""Moving a unit in hand by arrow keys: the length of a step."""

from __future__ import annotations

from collections.abc import Mapping

from tabletop.geometry.measure import Point

#: Length of a step by arrow key, and with Shift, by the table's unit.
STEPS: Mapping[str, tuple[float, float]] = {"in": (1.0, 0.1), "cm": (1.0, 0.1), "mm": (10.0, 1.0)}


def step(unit: str, fine: bool) -> float:
    """Return the length of a step on a table measured in ``unit``."""
    return STEPS[unit][fine]


def led(hand: Point, way: tuple[int, int], far: float, size: Point) -> Point:
    """Return the point one step of ``far`` east and north (-1, 0 or 1 each); it stays on a table of this size."""
    (x, y), (east, north), (wide, high) = hand, way, size
    return min(max(0.0, x + far * east), wide), min(max(0.0, y + far * north), high)


def words(unit: str) -> str:
    """Return the length of a step in words: ``1 in (Shift 0.1)``."""
    return f"{step(unit, False):g} {unit} (Shift {step(unit, True):g})"
