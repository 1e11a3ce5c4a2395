"""Arcs of fire: exact membership, distance to the edge, and the part of a shape inside (TSE-FIR-05, TSE-FIR-26)."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.arc import (
    Front,
    arc_in_range,
    base_arc,
    distance_to_arc,
    fronts_of,
    in_base_arc,
    part_in_arc,
    unit_arc,
)
from tabletop.geometry.base import Base
from tabletop.geometry.layout import line
from tabletop.geometry.measure import Tape

T = Tape().t
FACINGS = st.integers(0, 360 * 64 - 1).map(lambda k: k / 64)
COORDINATES = st.integers(-20 * 1024, 20 * 1024).map(lambda k: k / 1024)
PLACES = st.tuples(COORDINATES, COORDINATES)
BASES = st.builds(lambda p, f, d: Base(p[0], p[1], f, 1.0, d), PLACES, FACINGS, st.sampled_from([0.75, 1.0, 1.5]))


@given(BASES, PLACES)
def test_drawn_arc_holds_exactly_the_points_of_the_rule(base: Base, point: tuple[float, float]) -> None:
    """TSE-FIR-05: a point off the edge lies in the polygon when, and only when, f >= 0 and |l| <= w/2 + f."""
    lateral, ahead = base.local(point)
    if min(abs(ahead), abs(abs(lateral) - base.frontage / 2 - ahead)) < 1e-9:
        return
    drawn = shapely.intersects_xy(base_arc(base, 100.0), *point)
    assert bool(drawn) == in_base_arc(base, point) == (distance_to_arc([Front.of(base)], shapely.Point(point)) == 0.0)


@given(BASES, PLACES)
def test_distance_to_the_arc_is_that_of_its_edges(base: Base, point: tuple[float, float]) -> None:
    """TSE section 0: the arc is compared by the distance to its edge, here by projection on its three edges."""
    lateral, ahead = base.local(point)
    lateral = abs(lateral) - base.frontage / 2
    along = max(0.0, (lateral + ahead) / 2)
    to_ray = math.hypot(lateral - along, ahead - along)
    expected = 0.0 if in_base_arc(base, point) else (-ahead if lateral <= 0 else to_ray)
    assert distance_to_arc([Front.of(base)], shapely.Point(point)) == pytest.approx(expected, abs=1e-9)


@given(st.integers(1, 10), FACINGS, PLACES, PLACES)
def test_bases_abreast_have_the_arc_of_their_joined_front(
    n: int, facing: float, at: tuple[float, float], point: tuple[float, float]
) -> None:
    bases = line(n, 1.0, 0.75).about_centre(at, facing)
    (front,) = fronts_of(bases)
    assert front.width == pytest.approx(n)
    apart = min(distance_to_arc([Front.of(base)], shapely.Point(point)) for base in bases)
    assert distance_to_arc([front], shapely.Point(point)) == pytest.approx(apart, abs=1e-9)


@given(BASES, PLACES, FACINGS)
def test_mirrored_and_turned_arcs_are_the_same_arc(base: Base, at: tuple[float, float], facing: float) -> None:
    target = Base(*at, facing, 1.0, 0.75)
    gap = distance_to_arc([Front.of(base)], target.polygon)
    mirrored = distance_to_arc([Front.of(_mirrored(base))], _mirrored(target).polygon)
    turned = distance_to_arc([Front.of(base.turned(90.0, (0.0, 0.0)))], target.turned(90.0, (0.0, 0.0)).polygon)
    assert mirrored == pytest.approx(gap, abs=1e-9)
    assert turned == pytest.approx(gap, abs=1e-9)


def test_part_in_arc_is_the_clipped_target() -> None:
    part = part_in_arc([Front.of(Base(0.0, -0.5, 0.0, 1.0, 1.0))], shapely.box(3.0, 1.5, 7.0, 3.0))
    assert shapely.equals(part, shapely.Polygon([(3.0, 2.5), (3.0, 3.0), (3.5, 3.0)]))


@pytest.mark.parametrize(("top", "inside"), [(1.0, True), (0.997, True), (0.99, False)])
def test_part_within_the_tolerance_is_its_nearest_point(top: float, inside: bool) -> None:
    """TSE section 0: what is outside the arc by no more than the tolerance is measured to its nearest point."""
    part = part_in_arc([Front.of(Base(0.0, -0.5, 0.0, 1.0, 1.0))], shapely.box(1.5, 0.25, 2.5, top), T)
    assert bool(shapely.is_empty(part)) is not inside
    if inside:
        assert shapely.distance(part, shapely.Point(1.5, top)) < 1e-5
        assert shapely.hausdorff_distance(part, shapely.Point(1.5, top)) < 1e-5


def test_part_of_an_edge_along_the_ray_is_the_whole_edge() -> None:
    """Of equally near points none is picked: an edge flush with the arc's ray counts along all its length."""
    along = shapely.Polygon([(1.0, 0.498), (2.0, 1.498), (3.0, 0.5)])
    part = part_in_arc([Front.of(Base(0.0, -0.5, 0.0, 1.0, 1.0))], along, T)
    assert shapely.length(part) / 2 == pytest.approx(math.sqrt(2.0), abs=1e-4)


def test_arc_of_a_bent_line_is_the_union() -> None:
    """TSE-FIR-26: a convex line sees wider than either of its bases; a gap between their arcs stays a gap."""
    left, right = Base(-0.5, 0.0, 330.0, 1.0, 0.75), Base(0.5, 0.0, 30.0, 1.0, 0.75)
    both = unit_arc([left, right], 20.0)
    assert shapely.area(both) > max(base_arc(left, 20.0).area, base_arc(right, 20.0).area)
    assert shapely.equals(both, base_arc(left, 20.0).union(base_arc(right, 20.0)))


def test_arc_in_range_never_passes_the_range() -> None:
    front = Front.of(Base(0.0, 0.0, 45.0, 1.0, 1.0))
    drawn = shapely.get_coordinates(arc_in_range([front], 9.0))
    gaps = shapely.distance(front.edge, shapely.points(drawn))
    assert gaps.max() == pytest.approx(9.0, abs=1e-9)
    assert np.all(front.ahead(drawn) >= -1e-9)


def _mirrored(base: Base) -> Base:
    return Base(-base.x, base.y, (360.0 - base.facing) % 360.0, base.frontage, base.depth)
