"""The cheapest way against optima found independently: by minimising the law of cost over a few numbers, on paper."""

from __future__ import annotations

import math

import pytest
from scipy.optimize import minimize

from tests.moving import battle, box, by_path, drawn, general, rules_against, to, unit

WITHIN = 1.02


def snell(k: float, x: float, y: float, low: float, high: float) -> float:
    """Return the least cost of a point from (0, 0) to (x, y) across a strip low <= y <= high of factor k."""

    def cost(at: list[float]) -> float:
        a, b = at
        return math.hypot(a, low) + k * math.hypot(b - a, high - low) + math.hypot(x - b, y - high)

    return float(minimize(cost, [x / 3, 2 * x / 3], method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12}).fun)


@pytest.mark.parametrize(("x", "y"), [(6.0, 6.0), (10.0, 6.0), (-8.0, 5.0)])
def test_a_general_crosses_a_strip_by_snells_law(x: float, y: float) -> None:
    """Rough at x4 (TSE-MOV-05, TSE-LDR-04): a point mover bends where it enters and leaves the strip."""
    verdict = to(battle(general(), terrain=[box(-60, 60, 2, 4)]), x, y)
    best = snell(4.0, x, y, 2.0, 4.0)
    assert verdict.holds
    assert best - 1e-6 <= verdict.measured["cost"] <= WITHIN * best


def gun_cost(ways: list[tuple[float, float]], low: float, high: float) -> float:
    """Return the cost of one battery (1 x 1, factor 2) from (0, 0) through ``ways`` across a strip, by the law's words.

    Its front edge, half an inch to each side of the middle, is in the strip while any length of it is.
    """
    at, heading, total = (0.0, 0.0), None, -0.5  # the front sets out half an inch ahead of the centre
    for point in ways:
        dx, dy = point[0] - at[0], point[1] - at[1]
        length, bearing = math.hypot(dx, dy), math.atan2(dx, dy)
        if heading is not None:
            turn = 0.5 * abs(bearing - heading)
            total += turn * (2 if low - 0.5 < at[1] < high + 0.5 else 1)
        half, climb = 0.5 * abs(math.sin(bearing)), math.cos(bearing)
        enter, leave = sorted(((low - half - at[1]) / climb, (high + half - at[1]) / climb))
        total += length + max(0.0, min(length, leave) - max(0.0, enter))
        at, heading = point, bearing
    return total


@pytest.mark.parametrize(
    ("x", "y", "low", "high"), [(3.0, 4.0, 1.5, 2.5), (3.0, 3.5, 1.25, 2.0), (-2.0, 5.0, 2.0, 3.0)]
)
def test_a_block_crosses_a_strip(x: float, y: float, low: float, high: float) -> None:
    """Rough at x2 (TSE-MOV-05, TSE-MOV-06): a block pays for every bend, so the best way bends less than light does."""
    gun = unit(troop="light-foot-artillery", n=1)
    verdict = to(battle(gun, terrain=[box(-60, 60, low, high)]), x, y)

    def cost(at: list[float]) -> float:
        a, ya, b, yb = at
        if not (0.6 < ya < yb < y):
            return 1e3
        return gun_cost([(a, ya), (b, yb), (x, y)], low, high)

    starts = [[x * s, y * s, x * t, y * t] for s, t in ((0.3, 0.6), (0.2, 0.8), (0.4, 0.7))]
    starts += [[x / 3, low - 0.5, x / 2, high + 0.5], [x / 3, low, x / 2, high]]
    best = min(float(minimize(cost, s, method="Nelder-Mead", options={"maxiter": 4000}).fun) for s in starts)
    assert verdict.measured["cost"] <= WITHIN * min(best, gun_cost([(x, y)], low, high))


def test_round_the_corner_of_a_lake() -> None:
    """A general's disc rounds a corner: two tangents and an arc of its radius (TSE-MOV-15)."""
    scene = battle(general(), terrain=[box(-1, 30, 2, 6, "lake")])
    verdict = to(scene, 6.0, 9.0)
    assert verdict.holds

    best = _round_two_corners((0.0, 0.0), (6.0, 9.0), [(-1.0, 2.0), (-1.0, 6.0)], 0.5)
    assert best - 0.02 <= verdict.measured["cost"] <= WITHIN * best


def _round_two_corners(
    start: tuple[float, float], end: tuple[float, float], corners: list[tuple[float, float]], radius: float
) -> float:
    """Return the length of the tightest string round circles about two corners one above the other, on their left."""
    (x, low), (_, high) = corners
    first = _tangent_angle(start, (x, low), radius)
    last = _tangent_angle((end[0], low + high - end[1]), (x, low), radius)
    arcs = radius * (first[1] + last[1])
    return first[0] + last[0] + arcs + (high - low)


def _tangent_angle(point: tuple[float, float], centre: tuple[float, float], radius: float) -> tuple[float, float]:
    """Return the tangent's length from a point below a circle to its left side, and the arc on to its west point."""
    dx, dy = centre[0] - point[0], centre[1] - point[1]
    distance = math.hypot(dx, dy)
    length = math.sqrt(distance**2 - radius**2)
    heading = math.atan2(dx, dy) - math.asin(radius / distance)
    return length, abs(heading)


def test_a_block_round_a_corner_pays_for_its_turns() -> None:
    """Straight, about a corner, straight: path and turns both pay half a front for every radian (TSE-MOV-03)."""
    scene = battle(unit(troop="light-cavalry"), terrain=[box(-1, 30, 2, 4, "lake")])
    verdict = to(scene, 0.0, 8.0)
    assert verdict.holds, rules_against(verdict)
    string = _round_two_corners((0.0, 0.0), (0.0, 8.0), [(-1.0, 2.0), (-1.0, 4.0)], 1.0)
    (up, first), (down, last) = (_tangent_angle((0.0, y), (-1.0, 2.0), 1.0) for y in (0.0, -2.0))
    best = string - 1.0 + 1.0 * (first + last)  # the front sets out one inch ahead of the centre; turns at w/2 = 1
    assert up > 0 and down > 0
    assert best - 0.02 <= verdict.measured["cost"] <= WITHIN * best


def test_a_road_worth_a_detour() -> None:
    """A marching battery: across country to the road, along it, across country again (TSE-MOV-11, TSE-MOV-14)."""
    road = drawn("road", [(-20, 2), (20, 2)])
    gun = unit(troop="light-foot-artillery", n=1, formation="march-column")
    verdict = to(battle(gun, terrain=[road]), 8.0, 0.0, as_="march")

    def cost(at: list[float]) -> float:
        a, b = at  # where it meets the road's near border, y = 1.5, and leaves it; on the road bends are free
        return math.hypot(a, 1.5) - 0.5 + abs(b - a) / 1.5 + math.hypot(8 - b, 1.5)

    best = min(float(minimize(cost, [1.0, 7.0], method="Nelder-Mead").fun), 7.5)
    assert verdict.holds
    assert verdict.measured["cost"] <= WITHIN * best


def test_the_turn_at_the_end() -> None:
    """In the open: straight there, then the turn, half a front a radian (TSE-MOV-03)."""
    verdict = to(battle(unit()), 1.0, 3.0, facing=90.0)
    bearing = math.atan2(1.0, 3.0)
    best = math.hypot(1.0, 3.0) - 0.75 + (math.pi / 2 - bearing)
    assert verdict.holds
    assert verdict.measured["facing"] == pytest.approx(90.0)
    assert best - 0.05 <= verdict.measured["cost"] <= WITHIN * best


def test_a_column_wider_than_the_bridge_finds_it() -> None:
    """TSE-MOV-15, TSE-MOV-09: the river bars everything but the bridge, whose sides the front overhangs."""
    river = drawn("river", [(-60, 3), (60, 3)])
    bridge = box(1.4, 2.6, 2.4, 3.6, "bridge", "bridge")
    scene = battle(unit(troop="light-cavalry"), terrain=[river, bridge])
    verdict = to(scene, 2.0, 7.0)
    assert verdict.holds, rules_against(verdict)
    assert verdict.measured["choke"] == 1
    by_hand = [by_path(scene, (x, y), (2.0, 7.0)) for x in (1.4, 1.5, 1.7, 2.0) for y in (1.35, 1.55, 1.7, 1.85)]
    assert verdict.measured["cost"] <= WITHIN * min(way.measured["cost"] for way in by_hand if way.holds)


def test_no_way_at_all_says_why() -> None:
    """Shut in by impassable ground: the answer is no, with the ground that shuts it in (TSE-MOV-15)."""
    ring = [box(-4, 4, 3, 4, "cliff", "n"), box(-4, 4, -4, -3, "cliff", "s")]
    ring += [box(-4, -3, -4, 4, "cliff", "w"), box(3, 4, -4, 4, "cliff", "e")]
    verdict = to(battle(unit(), terrain=ring), 0.0, 6.0)
    assert not verdict.holds
    assert "TSE-MOV-15" in rules_against(verdict)
