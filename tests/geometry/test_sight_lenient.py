"""What the tape's tolerance lets pass: corners cut off by less than t, of walls and of what casts shadows alike."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.line_of_sight import SightLaw, clear_lines, sight
from tabletop.geometry.sight_lenient import lenient_ground, lenient_towards
from tabletop.geometry.terrain import Table, Terrain
from tests.geometry.sight_scenes import open_field, sampled

T = 0.005
LAWS = {
    "none": SightLaw(),
    "thin_wood_transparent": SightLaw(thin_wood_transparent=True),
    "hills_block": SightLaw(hills_block=False),
    "own_hill_exempt": SightLaw(own_hill_exempt=False),
    "deep_shadow": SightLaw(deep_shadow=True),
    "crest_edge": SightLaw(crest_edge=True),
}


def corner(degrees: float) -> tuple[Table, np.ndarray]:
    """A wood with a corner of that angle at (10, 10), one side running east; and the way the other side runs."""
    angle = math.radians(degrees)
    on = np.array([math.cos(angle), math.sin(angle)])
    ring = [np.array([10.0, 10.0]), np.array([11.0, 10.0]), np.array([11.0, 10.0]) + on, np.array([10.0, 10.0]) + on]
    wood = Terrain.of_kind("w", "woods", outline=[(float(x), float(y)) for x, y in ring], level=0)
    return Table.of("in", 20, 20, [wood]), on


def chords(on: np.ndarray, rng: np.random.Generator, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the ends (n, 2) of chords across the corner, up to three times the tolerance along each side."""
    x, y = rng.uniform(1e-4, 3 * T, (2, count))
    at = np.array([10.0, 10.0])
    return at + np.outer(x, [1.0, 0.0]), at + np.outer(y, on)


@pytest.mark.parametrize("degrees", [90.0, 100.0, 135.0, 160.0])
def test_a_line_passes_just_where_it_cuts_off_less_than_the_tolerance(degrees: float) -> None:
    """TSE-LOS-01: what misses the body cut back has a chord of t at most, what hits it one of nearly t at least.

    Nearly: moved outward by a thirtieth of t the line would miss it.
    """
    table, on = corner(degrees)
    body = lenient_ground(table, T).bars[0].core
    p, q = chords(on, np.random.default_rng(int(degrees)), 2_000)
    length = np.hypot(*(q - p).T)
    ends = (q - p) / length[:, None]
    misses = ~shapely.intersects(shapely.linestrings(np.stack([p - 0.3 * ends, q + 0.3 * ends], axis=1)), body)
    assert (length[misses] <= T + 1e-5).all()
    off = T / 30 * np.stack([-ends[:, 1], ends[:, 0]], axis=1)
    outward = np.where(((np.array([10.0, 10.0]) - p) * off).sum(1)[:, None] > 0, off, -off)
    moved = shapely.linestrings(np.stack([p + outward - 0.3 * ends, q + outward + 0.3 * ends], axis=1))
    assert (length[shapely.intersects(moved, body)] >= T).all()
    assert 50 < misses.sum() < 1_950


@pytest.mark.parametrize("degrees", [20.0, 45.0, 75.0])
@pytest.mark.parametrize("lean", [0.2, 0.5, 0.8])
def test_a_sharp_corner_is_cut_along_the_line(degrees: float, lean: float) -> None:
    table = corner(degrees)[0]
    angle = math.pi - lean * (math.pi - math.radians(degrees))
    way = np.array([math.cos(angle), math.sin(angle)])
    body = lenient_towards(table, T, way).bars[0].core
    for share, clear in ((0.9, True), (0.99, True), (1.02, False)):
        reach = share * T * math.sin(angle - math.radians(degrees)) / math.sin(math.radians(degrees))
        at = np.array([10.0 + reach, 10.0])
        line = shapely.LineString([at - 0.3 * way, at + 0.3 * way])
        assert bool(shapely.intersects(line, body)) is not clear
        start, end = (np.array([at + k * way]) for k in (-0.3, 0.3))
        assert bool(clear_lines(table, start, end, SightLaw())[0]) is clear


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("seed", [2342, 5319])
def test_what_only_the_tolerance_opens_is_seen(seed: int, law: SightLaw) -> None:
    """TSE-LOS-01, section 0: a few lines in thousands are clear, each cutting a corner; one corner is a sharp one."""
    scene = open_field(seed)
    sample = sampled(scene, law)
    assert sample.seen
    assert sample.shortest is None or law.thin_wood_transparent
    found = sight(scene.table, scene.a, scene.b, law)
    assert found.line is not None
    assert clear_lines(scene.table, [found.line[0]], [found.line[1]], law).all()
    assert sight(scene.table, scene.b, scene.a, law).distance == found.distance


@pytest.mark.parametrize(("deep", "seen"), [(0.0045, True), (0.0055, False)])
def test_a_corner_cut_off_casts_no_shadow(deep: float, seen: bool) -> None:
    """TSE-LOS-06: from level 1 through two slits, over the corner of a wood that would hide the target."""
    hill = Terrain.of_kind("k", "hill", outline=[(3, 8), (6, 8), (6, 12), (3, 12)], level=1)
    low = 10.0 - deep / 2
    wood = Terrain.of_kind("w", "woods", outline=[(11, low), (12, low + 1), (11, low + 2), (10, low + 1)], level=0)
    slits = [
        Terrain.of_kind(name, "building", outline=[(x, y), (x + 0.3, y), (x + 0.3, z), (x, z)], level=1)
        for name, x, y, z in (("1", 8, 0, 10), ("2", 8, 10.0002, 20), ("3", 14, 0, 10), ("4", 14, 10.0002, 20))
    ]
    table = Table.of("in", 40, 30, [hill, wood, *slits])
    found = sight(table, shapely.box(4, 9.5, 6, 10.5), shapely.box(15, 9.5, 15.5, 10.5), SightLaw())
    assert found.seen is seen
    if found.distance is not None:
        assert found.distance == pytest.approx(9.0, abs=1e-3)


@pytest.mark.parametrize("bow", [0.0, 1e-12, 1e-9, 1e-6])
def test_a_corner_that_does_not_turn_is_none(bow: float) -> None:
    """A side drawn in two pieces, straight but for the last bits, is cut back as the same side in one."""
    house = Terrain.of_kind("h", "building", outline=[(10, 10), (12, 10 - bow), (14, 10), (14, 12), (10, 12)])
    plain = Terrain.of_kind("h", "building", outline=[(10, 10), (14, 10), (14, 12), (10, 12)])
    areas = []
    for piece in (house, plain):
        (bar,) = lenient_ground(Table.of("in", 40, 30, [piece]), 0.005).bars
        assert np.isfinite(shapely.get_coordinates(bar.core)).all()
        assert shapely.is_valid(bar.core)
        areas.append(shapely.area(bar.core))
    assert areas[0] == pytest.approx(areas[1], abs=1e-5)
