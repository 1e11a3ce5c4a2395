"""Layouts of the four formations (TSE-FRM-05, -06, -10, -11, -20..26, -30)."""

import math
from collections.abc import Sequence
from itertools import combinations, pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from tabletop.geometry.base import Base
from tabletop.geometry.depth import overlap_depth
from tabletop.geometry.layout import (
    Layout,
    bent_line,
    column,
    file,
    file_along,
    line,
    middle_of_front,
    ranks,
    square,
)
from tabletop.geometry.measure import Point, turn_between

SIZES = st.tuples(st.just(1.0), st.sampled_from([0.75, 1.0, 1.25, 1.5]))
COUNTS = st.integers(1, 10)
FACINGS = st.integers(0, 360 * 64 - 1).map(lambda k: k / 64)
COORDINATES = st.integers(-40 * 1024, 40 * 1024).map(lambda k: k / 1024)
PLACES = st.tuples(COORDINATES, COORDINATES)
Size = tuple[float, float]


def rank_sizes(n: int) -> list[tuple[int, ...]]:
    """Return the ranks of every front so many bases can form."""
    return [sizes for front in range(1, n + 1) if (sizes := ranks(n, front))]


@st.composite
def layouts(draw: st.DrawFn) -> Layout:
    (w, d), n = draw(SIZES), draw(COUNTS)
    kind = draw(st.sampled_from(["line", "bent", "column", "file", "square"]))
    if kind == "bent":
        reference = draw(st.integers(0, n - 1))
        bends = [draw(st.integers(-45 * 64, 45 * 64)) / 64 if i != reference else 0.0 for i in range(n)]
        return bent_line(bends, w, d, reference)
    in_ranks = draw(st.sampled_from(rank_sizes(n)))
    makers = {
        "line": lambda: line(n, w, d),
        "column": lambda: column(in_ranks, w, d, draw(st.sampled_from([0.0, d]))),
        "file": lambda: file(n, w, d),
        "square": lambda: square(n, w, d),
    }
    return makers[kind]()


def test_a_line_is_one_base_deep_side_by_side() -> None:
    """TSE-FRM-10: about the middle, left to right, none before or behind another."""
    four = line(4, 1.0, 0.75)
    assert [(slot.lateral, slot.ahead) for slot in four.slots] == [(-1.5, 0.0), (-0.5, 0.0), (0.5, 0.0), (1.5, 0.0)]
    assert four.front == (0, 1, 2, 3)


def centre(bases: Sequence[Base]) -> Point:
    return math.fsum(b.x for b in bases) / len(bases), math.fsum(b.y for b in bases) / len(bases)


def poses(bases: Sequence[Base]) -> list[tuple[float, float, float]]:
    return [(b.x, b.y, b.facing) for b in bases]


@given(layouts(), PLACES, FACINGS)
def test_the_centre_point_is_where_it_was_asked(layout: Layout, place: Point, facing: float) -> None:
    """TSE-FRM-05: the mean of the base centres."""
    assert centre(layout.about_centre(place, facing)) == pytest.approx(place, abs=1e-12)


@given(layouts(), PLACES, FACINGS, st.data())
def test_a_base_stands_and_faces_as_asked(layout: Layout, place: Point, facing: float, data: st.DataObject) -> None:
    """TSE-FRM-06: the reference base of a line or square, the head of a file."""
    index = data.draw(st.integers(0, len(layout.slots) - 1))
    base = layout.about_base(index, place, facing)[index]
    assert base.centre == place
    assert base.facing == facing


@given(layouts(), PLACES, FACINGS)
def test_the_middle_of_the_front_is_where_it_was_asked(layout: Layout, place: Point, facing: float) -> None:
    bases = layout.by_front(place, facing)
    fronts = [bases[i] for i in layout.front]
    assert middle_of_front(fronts, facing) == pytest.approx(place, abs=1e-12)


@given(layouts(), PLACES, FACINGS)
def test_a_quarter_turn_turns_every_digit(layout: Layout, place: Point, facing: float) -> None:
    (x, y), turned = place, layout.about_centre((place[1], -place[0]), facing + 90)
    expected = [(b.y, -b.x, (b.facing + 90) % 360) for b in layout.about_centre((x, y), facing)]
    assert poses(turned) == expected


@given(SIZES, COUNTS, PLACES, FACINGS, st.data())
def test_a_mirrored_column_or_line_mirrors_every_digit(
    size: Size, n: int, place: Point, facing: float, data: st.DataObject
) -> None:
    in_ranks = data.draw(st.sampled_from(rank_sizes(n)))
    for layout in (line(n, *size), column(in_ranks, *size)):
        mirrored = sorted(poses(layout.about_centre((-place[0], place[1]), -facing % 360)))
        assert mirrored == sorted((-b.x, b.y, -b.facing % 360) for b in layout.about_centre(place, facing))


@given(st.lists(st.integers(-45 * 64, 45 * 64).map(lambda k: k / 64), max_size=9), SIZES, FACINGS, st.data())
def test_a_mirrored_bent_line_is_the_line_bent_the_other_way(
    others: list[float], size: Size, facing: float, data: st.DataObject
) -> None:
    reference = data.draw(st.integers(0, len(others)))
    bends = [*others[:reference], 0.0, *others[reference:]]
    frontage, depth = size
    there = bent_line(bends, frontage, depth, reference).about_base(reference, (3.0, 2.0), facing)
    back = bent_line([-b for b in bends[::-1]], frontage, depth, len(others) - reference)
    mirrored = back.about_base(len(others) - reference, (-3.0, 2.0), -facing)
    assert np.allclose([(-b.x, b.y) for b in mirrored[::-1]], [b.centre for b in there], atol=1e-12)


@given(layouts(), FACINGS)
def test_no_base_lies_in_another(layout: Layout, facing: float) -> None:
    """TSE-UNI-23: bases touch, never overlap (bent lines within 45 degrees included)."""
    bases = layout.about_centre((5.0, 5.0), facing)
    assert all(overlap_depth(a, b) < 1e-9 for a, b in combinations(bases, 2))


@given(st.lists(st.integers(-45 * 64, 45 * 64).map(lambda k: k / 64), min_size=1, max_size=9), SIZES, FACINGS)
def test_neighbours_in_a_bent_line_share_the_corner_the_bend_leaves(
    turns: list[float], size: Size, facing: float
) -> None:
    """TSE-FRM-11: concave at the front corner, convex at the rear corner."""
    bases = bent_line([0.0, *turns], *size).about_centre((0.0, 0.0), facing)
    for left, right in pairwise(bases):
        front_gap = np.hypot(*(left.corners[1] - right.corners[0]))
        rear_gap = np.hypot(*(left.corners[2] - right.corners[3]))
        assert min(front_gap, rear_gap) < 1e-12
        turn = turn_between(left.facing, right.facing)
        assert turn == 0.0 or (front_gap < rear_gap) == (turn < 0.0)


@pytest.mark.parametrize(
    ("n", "front", "sizes"),
    [
        (3, 2, (2, 1)),
        (4, 2, (2, 2)),
        (5, 3, (3, 2)),
        (5, 2, (2, 2, 1)),
        (7, 4, (4, 3)),
        (7, 3, (3, 2, 2)),
        (7, 2, (2, 2, 2, 1)),
        (10, 4, (4, 3, 3)),
        (4, 3, None),
        (7, 5, None),
        (7, 6, None),
        (3, 0, None),
        (3, 4, None),
    ],
)
def test_rank_sizes(n: int, front: int, sizes: tuple[int, ...] | None) -> None:
    """TSE-FRM-20: full ranks first; 3+1 and the like do not exist."""
    assert ranks(n, front) == sizes


@given(COUNTS, st.integers(1, 10))
def test_ranks_exist_exactly_when_some_depth_gives_that_front(n: int, front: int) -> None:
    possible = front in {-(-n // r) for r in range(1, n + 1)}
    found = ranks(n, front)
    assert (found is not None) == possible
    if found:
        assert sum(found) == n
        assert found[0] == front
        assert max(found) - min(found) <= 1
        assert list(found) == sorted(found, reverse=True)


def test_short_ranks_stand_centred_or_flush_and_never_overhang() -> None:
    """TSE-FRM-23a."""
    lateral = {align: [s.lateral for s in column((3, 2), 1.0, 1.0, align=align).slots[3:]] for align in _ALIGNS}
    assert lateral == {"centred": [-0.5, 0.5], "left": [-1.0, 0.0], "right": [0.0, 1.0]}


_ALIGNS = ("centred", "left", "right")


def test_limbers_leave_a_gap_behind_each_base() -> None:
    """TSE-UNI-23."""
    assert [s.ahead for s in file(3, 1.0, 1.25, gap=1.25).slots] == [0.0, -2.5, -5.0]


@pytest.mark.parametrize("n", range(4, 11))
def test_a_square_fits_its_outer_side_and_faces_out(n: int) -> None:
    """TSE-FRM-30: outer side k * w + d; what does not divide by four goes front, rear, right, left."""
    bases = square(n, 1.0, 0.75).about_base(0, (0.0, 0.0), 0.0)
    counts = [sum(b.facing == side for b in bases) for side in (0.0, 90.0, 180.0, 270.0)]
    extra = {0: (0, 0, 0, 0), 1: (1, 0, 0, 0), 2: (1, 0, 1, 0), 3: (1, 1, 1, 0)}[n % 4]
    assert counts == [n // 4 + e for e in extra]
    x0, y0, x1, y1 = shapely.union_all([b.polygon for b in bases]).bounds
    side = math.ceil(n / 4) + 0.75
    assert max(x1 - x0, y1 - y0) == pytest.approx(side)
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    assert all((b.x - middle[0]) * b.forward[0] + (b.y - middle[1]) * b.forward[1] > 0 for b in bases)


def test_two_stand_back_to_back_and_three_face_three_ways() -> None:
    """TSE-FRM-30."""
    assert poses(square(2, 1.0, 0.75).about_centre((0.0, 0.0), 0.0)) == [(0.0, 0.375, 0.0), (0.0, -0.375, 180.0)]
    assert [b.facing for b in square(3, 1.0, 0.75).about_centre((0.0, 0.0), 0.0)] == [0.0, 120.0, 240.0]


def test_a_column_on_a_straight_track_is_a_straight_file() -> None:
    """TSE-FRM-25: a straight column has equal headings."""
    snake = file_along([(0.0, 0.375), (0.0, -1.0), (0.0, -2.0)], 4, 1.0, 0.75)
    straight = file(4, 1.0, 0.75).about_base(0, (0.0, 0.0), 0.0)
    assert np.allclose(poses(snake), poses(straight), atol=1e-12)


@given(st.lists(PLACES.map(lambda p: (p[0] / 8, p[1] / 8)), min_size=2, max_size=6, unique=True), COUNTS)
def test_a_snaking_column_touches_at_edge_midpoints_on_its_track(track: list[Point], n: int) -> None:
    """TSE-FRM-25: neighbours share an edge midpoint; every joint lies on the track or its straight end."""
    bases = file_along(track, n, 1.0, 0.75)
    (ax, ay), (bx, by) = track[-2:]
    length = math.hypot(bx - ax, by - ay)
    ending = (bx + 100 * (bx - ax) / length, by + 100 * (by - ay) / length)
    way = shapely.LineString([*track[:-1], ending])
    assert bases[0].front_mid == pytest.approx(track[0], abs=1e-9)
    for base in bases:
        assert way.distance(shapely.Point(base.at_local(0.0, -base.depth))) < 1e-6
    for ahead, behind in pairwise(bases):
        assert behind.front_mid == pytest.approx(ahead.at_local(0.0, -ahead.depth), abs=1e-9)


def test_across_a_bend_a_base_lies_within_the_stated_distance_of_its_track() -> None:
    """TSE-FRM-25: depth/2 * tan(turn/2) off the track at most, facing between the two legs."""
    turn = 40.0
    track = [(0.0, 0.0), (0.0, -1.0), (-5 * math.sin(math.radians(turn)), -1 - 5 * math.cos(math.radians(turn)))]
    way = shapely.LineString(track)
    for start in np.linspace(0.0, 0.74, 20):
        bases = file_along([(0.0, float(start)), *track[1:]], 5, 1.0, 0.75)
        assert all(0.0 <= b.facing <= turn + 1e-9 for b in bases)
        off = max(way.distance(shapely.Point(b.centre)) for b in bases[1:])
        assert off <= 0.375 * math.tan(math.radians(turn / 2)) + 1e-9


def test_a_point_is_no_track() -> None:
    with pytest.raises(ValueError, match="two different points"):
        file_along([(1.0, 1.0), (1.0, 1.0)], 3, 1.0, 0.75)


def test_the_reference_base_of_a_bent_line_does_not_bend() -> None:
    with pytest.raises(ValueError, match="its bend is 0"):
        bent_line([0.0, 10.0], 1.0, 0.75, reference=1)


def test_the_middle_of_the_front_lies_on_the_front_of_a_bent_line() -> None:
    """TSE-ASL-50: the middle base's front edge, or the joint between the two middle bases."""
    bases = bent_line([-30.0, 0.0, 30.0], 1.0, 0.75, 1).about_base(1, (0.0, 0.0), 0.0)
    assert middle_of_front(bases, 0.0) == pytest.approx((0.0, 0.375))
    two = [Base(0.0, 0.0, 0.0, 1.0, 1.0), Base(1.0, 0.0, 0.0, 1.0, 1.0)]
    assert middle_of_front(two, 0.0) == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize("hair", [-1e-12, -1e-15, 0.0, 1e-15, 1e-12])
def test_a_joint_at_the_end_of_a_leg_is_there_whatever_rounding_says(hair: float) -> None:
    """TSE-FRM-25: a track that turns back one depth behind the head's front leaves the head on its first leg."""
    track = [(0.0, 0.0), (0.0, -0.75 + hair), (0.5, -0.25), (3.0, -2.0)]
    bases = file_along(track, 3, 1.0, 0.75)
    assert bases[0].centre == pytest.approx((0.0, -0.375), abs=1e-6)
    assert bases[0].facing % 360.0 == pytest.approx(0.0, abs=1e-6)


def test_points_a_last_bit_apart_are_one_of_the_track() -> None:
    track = [(0.0, 0.0), (0.0, -0.75), (1e-15, -0.75), (0.0, -5.0)]
    assert [b.facing for b in file_along(track, 3, 1.0, 0.75)] == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)
