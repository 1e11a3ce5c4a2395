"""The oracle itself against the worked cases of the rules: it must be right before it may judge anything (G01-G25)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.oracle import measures, plane
from tests.oracle.plane import Rect
from tests.oracle.sight import Ground, Law, Piece

K = 10000
WIDE = 5


def ring(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[int, int], ...]:
    a, b, c, d = (round(v * K) for v in (x0, y0, x1, y1))
    return ((a, b), (c, b), (c, d), (a, d))


def wood(x0: float, y0: float, x1: float, y1: float, level: int = 0, q: int = 3) -> Piece:
    return Piece("wood", (ring(x0, y0, x1, y1),), level, see_through=Fraction(q))


def hill(x0: float, y0: float, x1: float, y1: float, level: int) -> Piece:
    return Piece("hill", (ring(x0, y0, x1, y1),), level, hill=True)


def under_s(level: int) -> list[Piece]:
    return [hill(-0.5, -0.5, 0.5, 0.5, n) for n in range(1, level + 1)]


def stack(x0: float, x1: float, level: int) -> list[Piece]:
    return [hill(x0, -WIDE, x1, WIDE, n) for n in range(1, level + 1)]


def sees(pieces: list[Piece], *target: float, start: tuple[float, float] = (0, 0), **law: Any) -> bool:
    ground = Ground(pieces, K, Law(**law))
    s, e = ((round(x * K), round(y * K)) for x, y in (start, target))
    there, back = ground.look(s, e), ground.look(e, s)
    assert there.clear == back.clear, "A sees B exactly when B sees A (TSE-LOS-02)"
    return there.clear


@pytest.mark.parametrize(
    ("level", "hidden", "visible"), [(1, 8.0, 8.01), (2, 6.0, 6.01), (3, 5.0, 5.01), (4, 4.5, 4.51)]
)
def test_g21_shadow(level: int, hidden: float, visible: float) -> None:
    """TSE-LOS-06, TSE-LOS-07."""
    pieces = [*under_s(level), wood(3, -WIDE, 4, WIDE)]
    assert not sees(pieces, hidden, 0)
    assert sees(pieces, visible, 0)


def test_g21_level_ground_sees_nothing_beyond() -> None:
    assert not sees([wood(3, -WIDE, 4, WIDE)], 40, 0)


def test_g22_oblique() -> None:
    """Oblique shadow, tie hidden, a corner touched does not block."""
    high = [*under_s(1), wood(3, -2, 4, 5)]
    assert not sees(high, 8, 6)
    assert sees(high, 8.8, 6.6)
    higher = [*under_s(2), wood(3, -2, 4, 5)]
    assert not sees(higher, 6, 4.5)
    assert sees(higher, 6.4, 4.8)
    assert sees([*under_s(1), wood(3, -2, 4, 2.5)], 8, 6)
    assert sees([wood(3, -2, 4, 2.25)], 8, 6)


def test_g22_looking_up() -> None:
    assert not sees([wood(3, -WIDE, 4, WIDE), *stack(9.5, 10.5, 2)], 10, 0)
    assert sees([wood(3, -WIDE, 4, WIDE), *stack(9.5, 10.5, 3)], 10, 0)


def test_g23_several() -> None:
    """TSE-LOS-09."""
    two = [wood(2, -WIDE, 3, WIDE), wood(6, -WIDE, 7, WIDE)]
    for level, hidden, visible in ((1, 14, 14.5), (2, 10.5, 10.51)):
        assert not sees([*under_s(level), *two], hidden, 0)
        assert sees([*under_s(level), *two], visible, 0)
    assert sees([*under_s(1), *stack(9, 11, 1), *two], 10, 0)


def test_g24_budget() -> None:
    """TSE-LOS-10..13."""
    one = [wood(3, -WIDE, 10, WIDE)]
    assert sees(one, 6, 0)
    assert not sees(one, 6.01, 0)
    assert sees(one, 7, 0, start=(4, 0))
    assert not sees(one, 7.5, 0, start=(4, 0))
    assert sees(one, -10, 0, start=(5, 0))
    assert sees(one, 5.4, 4.05)
    assert not sees(one, 5.6, 4.2)
    thin = [wood(3, -WIDE, 4.5, WIDE)]
    assert not sees(thin, 8, 0)
    assert sees(thin, 8, 0, thin_wood_transparent=True)
    pair = [wood(0, -WIDE, 3, WIDE), wood(6, -WIDE, 10, WIDE)]
    assert sees(pair, 7.5, 0, start=(1.5, 0))
    assert not sees(pair, 7.6, 0, start=(1.5, 0))


def test_g25_hills() -> None:
    """TSE-LOS-16, TSE-LOS-17."""
    ridge = [hill(4, -WIDE, 6, WIDE, 1)]
    knoll = [hill(9, -WIDE, 11, WIDE, 1)]
    assert not sees(ridge, 10, 0)
    assert not sees([*under_s(1), *ridge], 10, 0)
    for target, clear in ((10, False), (12, False), (12.5, True)):
        assert sees([*under_s(2), *ridge], target, 0) is clear
    assert not sees([*under_s(3), *ridge], 9, 0)
    assert sees([*under_s(3), *ridge], 9.01, 0)
    assert sees([*under_s(1), *ridge, *knoll], 10, 0)
    assert sees(ridge, 5, 0)


def test_united_first() -> None:
    """A line along the seam of two touching woods is inside them; along their outer edge it grazes."""
    halves = [wood(3, 0, 5, 2), wood(3, -2, 5, 0)]
    assert not sees(halves, 8, 0)
    assert sees(halves, 8, 2, start=(0, 2))


def east(x0: float, y0: float, x1: float, y1: float) -> Rect:
    west, south, east, north = (Fraction(str(v)) for v in (x0, y0, x1, y1))
    return Rect((west + east) / 2, (south + north) / 2, 0, east - west, north - south)


def test_g01_g02_arc() -> None:
    """TSE-FIR-05: a touch counts."""
    battery = [east(-0.5, -1, 0.5, 0)]
    for x, holds in ((1.5, True), (1.51, False), (1.4, True)):
        assert measures.rect_in_arc(battery, [east(x, 0.25, x + 1, 1)]).holds is holds
    line = [east(-2 + n, -0.75, -1 + n, 0) for n in range(4)]
    for top, holds in ((0.25, True), (0.2, True), (0.15, False)):
        assert measures.rect_in_arc(line, [east(2.2, -0.5, 3.2, top)]).holds is holds


def test_g09_zone_distance() -> None:
    """TSE-MOV-17."""
    enemy = [east(2, 3, 3, 3.75)]
    assert not measures.zone_breach([east(0, 2, 1, 3)], enemy).holds
    assert measures.zone_breach([east(0.05, 2, 1.05, 3)], enemy).holds


def test_g10_g11_rough_cost() -> None:
    """TSE-MOV-05..07."""
    wood_ring = [(plane.fixed(x), plane.fixed(y)) for x, y in ((-20, 2), (20, 2), (20, 10), (-20, 10))]
    base = Rect(Fraction(0), Fraction(-3, 8), 0, Fraction(1), Fraction(3, 4))
    assert plane.inches(measures.straight_cost([base], Fraction(4), 2, [wood_ring])) == 6.0
    assert plane.inches(measures.straight_cost([base], Fraction(9, 2), 4, [wood_ring])) == 12.0
    rings = [
        [(plane.fixed(x), plane.fixed(y)) for x, y in box]
        for box in (((-1, 1), (0, 1), (0, 2), (-1, 2)), ((0, 3), (1, 3), (1, 4), (0, 4)))
    ]
    block = [east(-1, -0.75, 0, 0), east(0, -0.75, 1, 0), east(-1, -1.5, 0, -0.75), east(0, -1.5, 1, -0.75)]
    assert plane.inches(measures.straight_cost(block, Fraction(5), 2, rings)) == 6.0


def test_g30_bent_line() -> None:
    """A bent line's arc is the union of its bases' arcs (TSE-FIR-26)."""
    first = east(-1, -0.75, 0, 0)
    fx, fy = (Fraction(v, plane.Q) for v in plane.heading(30 * 64))
    rx, ry = fy, -fx
    half, deep = Fraction(1, 2), Fraction(3, 8)
    second = Rect(rx * half + fx * deep, Fraction(-3, 4) + ry * half + fy * deep, 30 * 64, Fraction(1), Fraction(3, 4))
    for y, holds in ((Fraction(1, 2), True), (Fraction(2, 5), False)):
        assert measures.point_in_arc([first, second], (plane.fixed(5), plane.fixed(y))).holds is holds
