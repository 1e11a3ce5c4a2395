"""Bases turned and carried, ways with a point named twice, files longer than their track; shapes to draw."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from tabletop.geometry.base import Base, Disc
from tabletop.geometry.movement.advance_contact import Outlines
from tabletop.geometry.movement.advance_cost import Files, Ray, Spent, farthest
from tabletop.geometry.movement.ground import ground_of
from tabletop.geometry.movement.motion import ARC_ERROR, Body, Swing, file_motion, steps_along
from tabletop.geometry.movement.motion_cost import CostModel
from tabletop.geometry.shapes import shapes_of
from tabletop.geometry.terrain import Table, Terrain

HEAD = Base(10.0, 10.0, 0.0, 1.0, 1.0)


def test_a_disc_is_carried_round_clockwise() -> None:
    """Quarter turns are exact; it keeps its radius, having no facing."""
    disc = Disc(3.0, 1.0, 0.5)
    assert disc.turned(90.0, (1.0, 1.0)) == Disc(1.0, -1.0, 0.5)
    assert disc.turned(270.0, (1.0, 1.0)) == Disc(1.0, 3.0, 0.5)
    assert disc.turned(0.0, (7.0, 7.0)) == disc


def test_a_disc_turned_about_a_point_sweeps_the_arc_of_its_centre() -> None:
    swept = Swing(Disc(3.0, 1.0, 0.5), (1.0, 1.0), 90.0, math.pi).swept
    assert swept.length == pytest.approx(math.pi, abs=0.01)
    assert shapely.hausdorff_distance(swept, shapely.Point(1.0, 1.0).buffer(2.0, quad_segs=512).exterior) > 1.0
    for x, y in shapely.get_coordinates(swept):
        assert math.dist((x, y), (1.0, 1.0)) == pytest.approx(2.0, abs=ARC_ERROR)


def test_a_waypoint_named_twice_is_one() -> None:
    body = Body.of((HEAD,), (0,), 0.0)
    once = steps_along(body, [(10.0, 14.0), (14.0, 14.0)], 180.0)
    assert steps_along(body, [body.mid, (10.0, 14.0), (10.0, 14.0), (14.0, 14.0), (14.0, 14.0)], 180.0) == once
    assert steps_along(body, [body.mid]) == ()


def test_who_rides_behind_the_end_of_the_track_goes_straight_on_from_it() -> None:
    """TSE-FRM-26: the track is known as far back as it is given; behind its end the file lies straight."""
    bases = tuple(Base(10.0, 10.0 - k, 0.0, 1.0, 1.0) for k in range(4))
    body = Body.of(bases, (0,), 0.0)
    steps = steps_along(body, [(10.0, 12.0), (13.0, 12.0)])
    whole = file_motion(body, steps, lambda point: False)
    short = file_motion(body, steps, lambda point: False, trail=[(10.0, 10.5), (10.0, 10.0)])
    assert short.charge == whole.charge
    for one, other in zip(short.end, whole.end, strict=True):
        assert np.asarray(one.polygon.exterior.coords) == pytest.approx(np.asarray(other.polygon.exterior.coords))


def test_shapes_to_draw_of_every_dimension() -> None:
    """One shape a part: areas with their holes, lines, points; the first is labelled, what is empty is left out."""
    hollow = shapely.Polygon(shapely.box(0, 0, 4, 4).exterior, [shapely.box(1, 1, 2, 2).exterior])
    mixed = shapely.GeometryCollection([hollow, shapely.LineString([(5, 0), (5, 1)]), shapely.Point(6, 0)])
    area, line, point = shapes_of("blocked", mixed, "here")
    assert (area.kind, len(area.points), len(area.holes), area.label) == ("polygon", 4, 1, "here")
    assert (line.kind, line.points, line.label) == ("line", ((5.0, 0.0), (5.0, 1.0)), "")
    assert (point.kind, point.points) == ("point", ((6.0, 0.0),))
    assert shapes_of("blocked", shapely.Polygon()) == ()


def test_outlines_of_lines_are_kept_away_from_as_those_of_areas() -> None:
    """A bare line has its own stretches for edges; each keeps the distance asked of it."""
    wall, pond = shapely.LineString([(0, 0), (3, 0), (3, 2)]), shapely.box(5, 5, 6, 6)
    edges = Outlines.of([(wall, 0.5), (pond, 1.0)])
    assert edges.keep.tolist() == [0.5, 0.5, 1.0, 1.0, 1.0, 1.0]
    assert edges.starts[:2].tolist() == [[0.0, 0.0], [3.0, 0.0]] and edges.ends[:2].tolist() == [[3.0, 0.0], [3.0, 2.0]]
    corners, keep = edges.corners
    assert len(corners) == 7 and sorted(keep.tolist()) == [0.5] * 3 + [1.0] * 4
    assert edges.within(np.array([4.0, 2.0]), 0.5).keep.tolist() == [0.5]  # its box reaches to 3.5
    assert edges.within(np.array([4.0, 2.0]), 0.49).keep.tolist() == []


@pytest.mark.parametrize(("width", "wide"), [(0.25, 1.0), (1.0, 1.0), (1.5, 1.5)])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_road_is_an_inch_wide_at_least(width: float, wide: float, scale: float) -> None:
    """TSE-MOV-14: about its centre line, at the figure scale; a wider one is as wide as it is."""
    road = Terrain.of_kind("road", "road", line=[(0.0, 10.0), (20.0, 10.0)], scale=scale, width=width * scale)
    ground = ground_of(Table.of("in", 20.0, 20.0, [road], scale))
    x0, y0, x1, y1 = ground.road.area.bounds
    assert (x0, x1) == pytest.approx((0.0, 20.0), abs=1e-6)
    assert (y0, y1) == pytest.approx((10.0 - wide * scale / 2, 10.0 + wide * scale / 2), abs=1e-6)


def test_a_piece_of_terrain_has_one_shape() -> None:
    line, outline = [(0.0, 0.0), (1.0, 0.0)], [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    with pytest.raises(ValueError, match="an outline or a line"):
        Terrain.of_kind("wood", "woods")
    with pytest.raises(ValueError, match="an outline or a line"):
        Terrain.of_kind("wood", "woods", outline=outline, line=line)


# --- how far a budget lasts along a ray ------------------------------------------------------------------------------

FILES = Files.of(Body.of((HEAD,), (0,), 0.0), CostModel(rough=2.0, linear=2.0, choke=3.0))
FRESH = Spent(0.0, (0.0,))


@pytest.mark.parametrize(
    ("ray", "budget", "lasts"),
    [
        (Ray(), 4.0, 4.0),
        (Ray(), 12.0, 10.0),  # no farther than the ray goes
        (Ray(linear=((3.0,),)), 2.5, 2.5),
        (Ray(linear=((3.0,),)), 3.0, 3.0),  # an obstacle is reached for nothing ...
        (Ray(linear=((3.0,),)), 4.9, 3.0),  # ... and not crossed for less than it costs
        (Ray(linear=((3.0,),)), 6.0, 4.0),
        (Ray(choke=(3.0,)), 5.9, 3.0),
        (Ray(rough=(((2.0, 5.0),),)), 4.0, 3.0),  # an inch of rough ground goes for two
        (Ray(rough=(((2.0, 5.0),),)), 9.0, 6.0),
    ],
)
def test_how_far_a_budget_lasts(ray: Ray, budget: float, lasts: float) -> None:
    """TSE-MOV-05, TSE-MOV-08, TSE-MOV-09: an inch goes for one, in rough ground for two, past an obstacle for more."""
    assert farthest(ray, FRESH, FILES, budget, 10.0) == pytest.approx(lasts, abs=2e-9)  # it stops short by a rounding


def test_what_is_overspent_goes_nowhere() -> None:
    assert farthest(Ray(), Spent(5.0, (0.0,)), FILES, 5.0, 10.0) == 0.0
    assert farthest(Ray(), Spent(math.nextafter(5.0, 6.0), (0.0,)), FILES, 5.0, 10.0) < 0.0
    assert farthest(Ray(), Spent(4.0, (1.5,)), FILES, 5.0, 10.0) < 0.0  # rough ground behind has cost its own
