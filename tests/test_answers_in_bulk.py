"""The gates of the race: fast answers in bulk against slow, independent ones, on tables made here."""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import shapely
from shapely.geometry.base import BaseGeometry

from benchmarks import race_hooks
from tabletop.geometry.base import Base

SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.sweep) for seed in (2, 3)))


@dataclass
class World:
    """A table of opaque outlines and rectangular units, none of them touching."""

    W: float
    H: float
    blk: list[np.ndarray]
    units: list[Base]

    @property
    def walls(self) -> shapely.Geometry:
        return shapely.union_all([shapely.Polygon(ring) for ring in self.blk])


def _blob(rng: np.random.Generator) -> np.ndarray:
    """A star-shaped ring, often hollowed, with vertices of two decimals."""
    k = int(rng.integers(5, 14))
    angle = (np.arange(k) + rng.uniform(-0.3, 0.3, k)) * 2 * math.pi / k
    radius = rng.uniform(0.6, 3.0) * rng.uniform(0.35, 1.0, k)
    centre = rng.uniform(3.5, (32.5, 20.5))
    ring: np.ndarray = np.round(centre + radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1), 2)
    return ring


def world_of(seed: int, outlines: int = 14, units: int = 16) -> World:
    rng = np.random.default_rng(seed)
    rings: list[np.ndarray] = []
    taken: list[shapely.Geometry] = []
    while len(rings) < outlines:
        ring = _blob(rng)
        shape = shapely.Polygon(ring)
        if shape.is_valid and all(shape.distance(other) > 0.05 for other in taken):
            rings.append(ring)
            taken.append(shape)
    placed: list[Base] = []
    while len(placed) < units:
        x, y = rng.uniform(1.5, (34.5, 22.5))
        base = Base(float(x), float(y), float(rng.uniform(0, 360)), float(rng.uniform(0.5, 2.5)), 0.6)
        if all(base.polygon.distance(other) > 0.02 for other in taken):
            placed.append(base)
            taken.append(base.polygon)
    return World(36.0, 24.0, rings, placed)


@pytest.fixture(scope="module", params=SEEDS)
def world(request: pytest.FixtureRequest) -> World:
    return world_of(request.param)


def pairs_of(world: World, each: int) -> tuple[np.ndarray, np.ndarray]:
    some = list(itertools.permutations(world.units, 2))[::each]
    return np.array([a.front_edge for a, _ in some]), np.array([b.corners for _, b in some])


def shortest_clear(world: World, front: np.ndarray, box: np.ndarray) -> float:
    """The shortest clear line, by brute force: through every corner to every corner, and by directions about each."""
    walls = shapely.buffer(world.walls, -1e-9, join_style="mitre")
    a, b = shapely.LineString(front), shapely.Polygon(box)
    wide, broad = a.buffer(1e-9), b.buffer(1e-9)  # so that a line at a corner meets it whatever the rounding
    lines = [shapely.get_coordinates(shapely.shortest_line(a, b))]
    corners = np.concatenate(world.blk)
    ends = np.concatenate([front, box, corners])
    for v in corners:
        way = ends - v
        angles = np.arctan2(way[:, 1], way[:, 0])
        # lines through v and every other point, and close directions between: the least is missed by little
        every = np.concatenate([angles, angles + math.pi, np.linspace(-math.pi, math.pi, 720)])
        lines += _across(v, every, wide, broad)
    xy = np.array(lines)
    length = np.hypot(*(xy[:, 1] - xy[:, 0]).T)
    order = np.argsort(length)
    clear = ~shapely.intersects(walls, shapely.linestrings(xy[order]))
    return float(length[order][clear.argmax()]) if clear.any() else math.inf


def _across(v: np.ndarray, angles: np.ndarray, a: shapely.Geometry, b: shapely.Geometry) -> list[np.ndarray]:
    """The stretches from a to b of the lines through v, where they meet both on either side of v."""
    u = np.stack([np.cos(angles), np.sin(angles)], axis=1) * 60.0
    ahead = np.asarray(shapely.linestrings(np.stack([v + 0 * u, v + u], 1)))
    behind = np.asarray(shapely.linestrings(np.stack([v + 0 * u, v - u], 1)))
    good = shapely.intersects(ahead, b) & shapely.intersects(behind, a)
    at = shapely.Point(v)
    to = shapely.get_coordinates(shapely.shortest_line(shapely.intersection(ahead[good], b), at))[::2]
    fro = shapely.get_coordinates(shapely.shortest_line(shapely.intersection(behind[good], a), at))[::2]
    return list(np.stack([fro, to], axis=1)) if good.any() else []


@pytest.mark.parametrize("each", [47, pytest.param(19, marks=pytest.mark.sweep)])
def test_sights_against_every_line_about_every_corner(world: World, each: int) -> None:
    fronts, boxes = pairs_of(world, each)
    found = race_hooks.w2(race_hooks.w2_prep(world), fronts, boxes)
    expected = np.array([shortest_clear(world, f, b) for f, b in zip(fronts, boxes, strict=True)])
    assert 0 < np.isinf(expected).sum() < len(expected)
    assert (np.isinf(found) <= np.isinf(expected)).all(), "a sight was missed"
    both = np.isfinite(expected)
    assert (found[both] <= expected[both] + 1e-6).all(), "a shorter clear line exists"
    assert (found[both] >= expected[both] - 2e-3).all(), "shorter than any line nearby"


def test_sights_among_squares_of_a_lattice() -> None:
    """Everything on whole numbers: lines run along edges, through two corners of one square, and through touching ones.

    Three answers must be one: of all pairs at once, of each alone searched under the law, and of both the other way.
    """
    from tabletop.geometry.line_of_sight import SightLaw, sight

    cells = [(2, 2), (2, 3), (4, 1), (4, 4), (6, 2), (6, 5), (7, 6), (8, 3), (3, 6), (9, 7)]
    rings = [np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)], float) for x, y in cells]
    rings.append(np.array([(10, 1), (13, 1), (13, 4), (12, 4), (12, 2), (11, 2), (11, 4), (10, 4)], float))
    table = race_hooks.w2_prep(World(14.0, 9.0, rings, []))
    free = [(x, y) for x in range(1, 13) for y in range(1, 8) if not _met_by(rings, (x, y, x + 0.5, y + 0.5))]
    corners = np.array([[(x, y), (x + 0.5, y), (x + 0.5, y + 0.5), (x, y + 0.5)] for x, y in free], float)
    some = list(itertools.permutations(range(len(corners)), 2))[::13]
    a, b = corners[[i for i, _ in some]], corners[[j for _, j in some]]
    found = race_hooks.w2(table, a[:, :2], b)
    again = race_hooks.w2(table, a[:, [1, 0]], b[:, ::-1])
    assert found == pytest.approx(again, abs=1e-9)
    assert 0.2 < np.isinf(found).mean() < 0.8
    for front, box, length in list(zip(a[:, :2], b, found, strict=True))[::5]:
        seen = sight(table, shapely.LineString(front), shapely.Polygon(box), SightLaw())
        assert (seen.distance or math.inf) == pytest.approx(length, abs=1e-4), (front, box)


def _met_by(rings: list[np.ndarray], box: tuple[float, float, float, float]) -> bool:
    """Whether a box meets an outline, a hair about it included."""
    return any(shapely.Polygon(ring).distance(shapely.box(*box)) < 1e-3 for ring in rings)


def claimed(area: BaseGeometry, count: int, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Places in an area: anywhere, and by its rim."""
    x0, y0, x1, y1 = area.bounds
    found: list[tuple[float, float]] = []
    while len(found) < count:
        x, y = rng.uniform((x0, y0), (x1, y1)).tolist()
        if shapely.contains_xy(area, x, y):
            found.append((x, y))
    rim = shapely.buffer(area, -0.002).boundary
    ends = shapely.get_coordinates(shapely.line_interpolate_point(rim, rng.uniform(0, 1, count), normalized=True))
    return [*found, *((float(x), float(y)) for x, y in ends)]


def unbacked(units: slice, count: int, action: str = "maneuver") -> list[tuple[str, tuple[float, float]]]:
    """Places in the reach of units of Quatre Bras, wheels charged, for which the judge allows no way that was found."""
    from benchmarks.own import BATTLE, ROOT
    from tabletop.geometry.movement.reach import explored
    from tabletop.play.files.load import load_scene
    from tabletop.rules.tse.movement.legality import faults
    from tabletop.rules.tse.movement.motion import ACTIONS, along
    from tabletop.rules.tse.movement.reach import setting_of

    battle, rng, found, put = load_scene(ROOT / BATTLE), np.random.default_rng(5), [], 0
    for unit in [u for u in battle.units if not u.is_general][units]:
        law = ACTIONS[action]
        forming: dict[str, Any] = (
            {"head": 0} if law.marching else {}
        )  # whose reach it is; unsaid, the base nearest to the way leads
        area, nodes = explored(setting_of(battle, unit, law, **forming))
        for place in claimed(area, count, rng) if area.area else []:
            ways = [[*node.way, place] for node in nodes]
            ways.sort(key=lambda way: math.dist(way[-2], way[-1]) if len(way) > 1 else 0.0)
            put += 1
            if all(faults(along(battle, unit, law, way, None, **forming)) for way in ways):
                found.append((unit.id, place))
    assert put > 0
    return found


@pytest.mark.parametrize(("each", "count"), [(22, 3), pytest.param(11, 5, marks=pytest.mark.sweep)])
def test_places_claimed_by_a_unit_that_pays_for_turns_are_backed_by_ways_the_judge_allows(
    each: int, count: int
) -> None:
    """TSE-MOV-01, TSE-MOV-03, TSE-MOV-15 to 17."""
    assert unbacked(slice(3, None, each), count) == []


@pytest.mark.sweep
def test_places_claimed_by_every_unit_that_pays_for_turns_are_backed_by_ways_the_judge_allows() -> None:
    """TSE-MOV-01, TSE-MOV-03, TSE-MOV-15 to 17."""
    assert unbacked(slice(None), 60) == []


@pytest.mark.parametrize("count", [12, pytest.param(40, marks=pytest.mark.sweep)])
def test_places_claimed_by_a_march_column_are_backed_by_ways_the_judge_allows(count: int) -> None:
    """TSE-MOV-16, TSE-FRM-26: what rides behind the head stands in no friend either, on whichever leg it is."""
    assert unbacked(slice(28, 29), count, "march") == []


@pytest.mark.sweep
def test_places_claimed_by_every_march_column_are_backed_by_ways_the_judge_allows() -> None:
    """TSE-MOV-08, TSE-MOV-11 to 16, TSE-FRM-26: obstacles that followers and bends meet are paid for."""
    assert unbacked(slice(None), 40, "march") == []
