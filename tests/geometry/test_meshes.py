"""Meshes of free ground: what an eye on a corner sees, ways by a point where outlines touch, no ground at all."""

from __future__ import annotations

import itertools
import math

import pytest
import shapely

from tabletop.geometry.measure import Point
from tabletop.geometry.mesh import NONE, Mesh
from tabletop.geometry.shapes import points_of
from tabletop.geometry.shortest_way import FreeGround
from tabletop.geometry.visibility import seen_area

#: Two blocks that touch at a corner, in the middle of a table.
TOUCHING = (shapely.box(2, 2, 4, 4), shapely.box(4, 4, 6, 6))
APART = (shapely.box(2, 4, 4, 5), shapely.box(6, 5, 8, 6))


def free(*walls: shapely.Polygon, size: float = 8.0) -> shapely.Polygon:
    return shapely.Polygon(shapely.box(0, 0, size, size).exterior, [wall.exterior for wall in walls])


def seen_by_shadows(walls: tuple[shapely.Polygon, ...], eye: Point, size: float) -> float:
    """Return the area not hidden by any wall edge: the table less the shadows (quadrilaterals) the edges cast."""
    far, shadows = 1000.0, []
    for wall in walls:
        for a, b in itertools.pairwise(wall.exterior.coords):
            beyond = [(p[0] + far * (p[0] - eye[0]), p[1] + far * (p[1] - eye[1])) for p in (b, a)]
            shadows.append(shapely.convex_hull(shapely.MultiPoint([a, b, *beyond])))
    dark = shapely.union_all([*walls, *(s for s in shadows if shapely.get_dimensions(s) == 2)])
    return float(shapely.difference(shapely.box(0, 0, size, size), dark).area)


@pytest.mark.parametrize(("walls", "size"), [(TOUCHING, 8.0), (APART, 10.0)], ids=["touching", "apart"])
def test_an_eye_on_a_corner_or_a_border_sees_all_round_it(walls: tuple[shapely.Polygon, ...], size: float) -> None:
    """Corners of walls and of the table, the point where two walls touch, and the middles of their edges."""
    mesh = Mesh.of(free(*walls, size=size))
    rings = [points_of(shapely.get_coordinates(area.exterior)) for area in (*walls, shapely.box(0, 0, size, size))]
    corners = {point for ring in rings for point in ring}
    middles = {((ax + bx) / 2, (ay + by) / 2) for ring in rings for (ax, ay), (bx, by) in itertools.pairwise(ring)}
    for eye in sorted(corners | middles):
        seen = seen_area(mesh, eye)
        assert shapely.is_valid(seen)
        assert shapely.area(seen) == pytest.approx(seen_by_shadows(walls, eye, size), rel=1e-9), eye


def test_no_free_ground_has_no_ways_and_shows_nothing() -> None:
    mesh = Mesh.of(shapely.Polygon())
    assert mesh.triangle_at((0.0, 0.0)) == NONE
    assert shapely.is_empty(seen_area(mesh, (0.0, 0.0)))
    assert FreeGround(mesh).shortest((0.0, 0.0), (1.0, 1.0)) == (math.inf, ())


def test_a_way_may_lead_through_the_point_where_outlines_touch() -> None:
    """Grazing is allowed: a point has no width, and neither has what lies between two corners that touch."""
    ground = FreeGround.of(free(*TOUCHING))
    straight, way = ground.shortest((3.0, 5.0), (5.0, 3.0))
    assert straight == pytest.approx(2.0 * math.sqrt(2.0)) and way[1:-1] == ((4.0, 4.0),)
    bent, way = ground.shortest((2.5, 5.0), (5.5, 3.0))
    assert bent == pytest.approx(2.0 * math.hypot(1.5, 1.0)) and way[1:-1] == ((4.0, 4.0),)


def test_a_way_inside_one_triangle_and_its_neighbours_is_straight() -> None:
    ground = FreeGround.of(shapely.box(0, 0, 8, 8))
    for goal in ((7.0, 7.0), (1.0, 7.0), (7.0, 1.0), (1.5, 1.0), (1.0, 1.0)):
        length, way = ground.shortest((1.0, 1.0), goal)
        assert length == pytest.approx(math.dist((1.0, 1.0), goal)) and way == ((1.0, 1.0), goal)


def test_ways_round_two_walls_are_as_short_back_as_forth() -> None:
    """Round APART from below to above: by the nearest corners, the same way in both directions."""
    ground = FreeGround.of(free(*APART, size=10.0))
    there, way = ground.shortest((3.0, 3.0), (3.0, 6.0))
    assert there == pytest.approx(2.0 * math.sqrt(2.0) + 1.0)
    assert way in (((3, 3), (2, 4), (2, 5), (3, 6)), ((3, 3), (4, 4), (4, 5), (3, 6)))
    assert ground.shortest((3.0, 6.0), (3.0, 3.0))[0] == pytest.approx(there)
