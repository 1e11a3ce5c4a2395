"""Cover behind walls against plain sampling, on random scenes, with and without houses in the way (TSE-COV-09)."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest

from tabletop.rules.tse.fire.cover import Cover, fire_cover
from tabletop.rules.tse.fire.weaker_cover import any_fire_cover
from tests.firing import SHIFT, battle, block, piece, strip
from tests.oracle.cover import Line, Point, apart, inside, point_to_line, shortest, shown

T, TIE = 0.005, 0.0625
Ring = tuple[Point, ...]


def box(x: float, y: float, wide: float, deep: float, more: float = 0.0) -> Ring:
    """Corners counter-clockwise, ``more`` farther out all round."""
    a, b, c, d = x - more, y - more, x + wide + more, y + deep + more
    return (a, b), (c, b), (c, d), (a, d)


def one(seed: int) -> str:
    """Judge a random scene and hold it against the samples; return what it came to."""
    draw = random.Random(seed)
    walls: list[Line] = []
    for _ in range(draw.choice([1, 1, 2])):
        x, y = draw.uniform(-1.5, 0.6), draw.choice([3.6, 3.8, 4.0])
        walls.append(((x, y), (x + draw.uniform(0.3, 2.5), y + draw.uniform(-0.3, 0.15))))
    houses = [(draw.uniform(-3, 2), draw.uniform(1.0, 2.5), 1.5, 0.6) for _ in range(draw.choice([0, 0, 1, 2]))]
    firer = block("firer", "blue", (-1.0, 1.0), (-1.0, 0.0), troop="light-foot-artillery")
    firer = firer.turned(draw.uniform(-12, 12)).moved(draw.uniform(-1.5, 1.5), draw.uniform(-2, 0))
    held = block("held", "red", (-0.5, 0.5), (4.0, 5.0), facing=180.0, troop="heavy-foot-artillery", bases=1)
    terrain = [piece(f"wall-{k}", "wall", list(wall)) for k, wall in enumerate(walls)]
    terrain += [strip(f"house-{k}", "building", (x, x + w), (y, y + d)) for k, (x, y, w, d) in enumerate(houses)]
    on = battle(firer, held, terrain=tuple(terrain))
    found = fire_cover(on, on.unit("held"), on.unit("firer"))
    assert any_fire_cover(on, on.unit("held"), on.unit("firer"))[0] is (found.rank > 0)
    edges = [tuple((float(x) - SHIFT, float(y) - SHIFT) for x, y in base.front_edge) for base in firer.fronts]
    front: Line = (edges[0][0], edges[-1][1])
    return held_against(found, front, box(-0.5, 4.0, 1.0, 1.0), walls, houses)


def held_against(
    found: Cover, front: Line, base: Ring, walls: list[Line], houses: list[tuple[float, float, float, float]]
) -> str:
    if math.isinf(min(shortest(p, base, [box(*h, 0.01) for h in houses]) for p in (*front, *_middles(front)))):
        return "hidden"
    if found.rank:
        # with a little to spare no sample shows
        larger = [box(*house, 0.01) for house in houses]
        assert shown(front, base, walls, larger, TIE - 0.01, T + 0.002) is None
        return "covered"
    near = [w for w in walls if min(apart(w, (base[k], base[k - 1])) for k in range(4)) <= 0.5 + T]
    if found.shows is None:
        assert len(near) == 0
        return "no wall near"
    # the line it is told by is one that the rule speaks of
    (ax, ay), (bx, by) = found.shows.line
    start, end = (ax - SHIFT, ay - SHIFT), (bx - SHIFT, by - SHIFT)
    assert point_to_line(start, *front) < 1e-6
    assert min(point_to_line(end, base[k], base[k - 1]) for k in range(4)) < 1e-6
    assert inside(base, (start, end)) < 1e-6
    assert all(apart((start, end), wall) > T - 1e-6 for wall in near)
    smaller = [box(*house, -0.01) for house in houses]
    least = min(shortest(p, base, smaller) for p in (*front, *_middles(front)))
    assert shortest(start, base, smaller, 200) <= least + TIE + T + 1e-4
    return "shows"


def _middles(front: Line) -> list[Point]:
    (ax, ay), (bx, by) = front
    return [(ax + k / 40 * (bx - ax), ay + k / 40 * (by - ay)) for k in range(1, 40)]


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.sweep) for part in (1, 2))])
def test_cover_is_what_samples_show(part: int) -> None:
    """TSE-COV-09."""
    outcomes = Counter(one(seed) for seed in range(100 * part, 100 * part + 60))
    assert min(outcomes["covered"], outcomes["shows"]) >= 6, outcomes


@pytest.mark.sweep
def test_cover_is_what_samples_show_many_times() -> None:
    """TSE-COV-09."""
    for seed in range(1000, 4000):
        one(seed)
