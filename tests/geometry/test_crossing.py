"""Where an edge crosses obstacles, at the bounds: touching, and half a tolerance or two to either side (TSE-MOV-08)."""

from __future__ import annotations

import math

import pytest
import shapely

from tabletop.geometry.base import Base
from tabletop.geometry.measure import Point, heading
from tabletop.geometry.movement.crossing import slide_contacts, swing_contacts
from tabletop.geometry.movement.ground import Patches
from tabletop.geometry.movement.motion import Slide, Swing

T = 0.005
#: The front edge from (-1, 0) to (1, 0), facing north; the pivot of the turns is (0, 0).
BASE = Base(0.0, -0.5, 0.0, 2.0, 1.0)
FACINGS = (0.0, 90.0, 180.0, 270.0, 17.0)
HANDS = pytest.mark.parametrize("hand", [1, -1], ids=["right", "left"])
TURNED = pytest.mark.parametrize("facing", FACINGS)
#: How far (inches) something is past touching.
HAIRS = (-2 * T, -T / 2, 0.0, T / 2, 2 * T)


def placed(point: Point, hand: int, facing: float) -> Point:
    """Return a point of the scene mirrored and turned."""
    (rx, ry), (fx, fy) = heading(facing + 90.0), heading(facing)
    x, y = hand * point[0], point[1]
    return x * rx + y * fx, x * ry + y * fy


def obstacle(line: list[Point], hand: int, facing: float) -> Patches:
    return Patches.of(shapely.MultiLineString([[placed(p, hand, facing) for p in line]]), ())


def base(hand: int, facing: float, about: float = 0.0) -> Base:
    """Return the base turned by ``about`` degrees in the scene, mirrored and turned."""
    x, y = placed(BASE.centre, 1, about)
    return Base(*placed((x, y), hand, facing), facing + hand * about, BASE.frontage, BASE.depth)


def turned(line: list[Point], degrees: float, hand: int, facing: float, about: float = 0.0) -> list[float]:
    """Return what a turn clockwise (seen in the scene) from ``about`` degrees on crosses, as degrees turned."""
    swing = Swing(base(hand, facing, about), (0.0, 0.0), hand * degrees, abs(degrees))
    return swing_contacts(swing, obstacle(line, hand, facing), T)


def advanced(line: list[Point], length: float, hand: int, facing: float, start: float = 0.0) -> list[float]:
    dx, dy = placed((0.0, length), hand, facing)
    at = base(hand, facing).moved(*placed((0.0, start), hand, facing))
    return slide_contacts(Slide(at, dx, dy, length), obstacle(line, hand, facing), T)


@TURNED
@HANDS
@pytest.mark.parametrize("past", HAIRS)
def test_touching_at_the_end_of_an_advance_is_left_to_the_next(hand: int, facing: float, past: float) -> None:
    wall = [(-3.0, 2.0 - past), (3.0, 2.0 - past)]
    first, second = advanced(wall, 2.0, hand, facing), advanced(wall, 1.0, hand, facing, start=2.0)
    assert (len(first), len(second)) == ((1, 0) if past > T else (0, 1))


@TURNED
@HANDS
@pytest.mark.parametrize("past", [1.2 * T, 1.4 * T])
def test_an_obstacle_just_crossed_is_not_crossed_again(hand: int, facing: float, past: float) -> None:
    wall = [(-3.0, 2.0 - past), (3.0, 2.0 - past)]
    assert [len(advanced(wall, 2.0, hand, facing)), len(advanced(wall, 1.0, hand, facing, start=2.0))] == [1, 0]


@TURNED
@HANDS
@pytest.mark.parametrize("past", HAIRS)
def test_touching_at_the_end_of_a_turn_is_left_to_the_next(hand: int, facing: float, past: float) -> None:
    """The left half of the front comes up to the end of a wall that points at it."""
    end, out = (-0.5 * math.cos(math.radians(40.0)), 0.5 * math.sin(math.radians(40.0))), heading(40.0)
    end = end[0] - past * out[0], end[1] - past * out[1]
    wall = [end, (end[0] + 0.4 * out[0], end[1] + 0.4 * out[1])]
    first, second = turned(wall, 40.0, hand, facing), turned(wall, 20.0, hand, facing, about=40.0)
    assert (len(first), len(second)) == ((1, 0) if past > T else (0, 1))
    if first:
        assert first[0] == pytest.approx(40.0 - math.degrees(past / 0.5), abs=0.05)


@TURNED
@HANDS
@pytest.mark.parametrize("past", HAIRS)
def test_touching_from_behind_at_the_end_of_a_turn_is_no_crossing(hand: int, facing: float, past: float) -> None:
    """The right half of the front goes back as far as the end of a wall under the base."""
    end, back = (0.5 * math.cos(math.radians(40.0)), -0.5 * math.sin(math.radians(40.0))), heading(220.0)
    end = end[0] - past * back[0], end[1] - past * back[1]
    wall = [end, (end[0] + 0.3 * back[0], end[1] + 0.3 * back[1])]
    first, second = turned(wall, 40.0, hand, facing), turned(wall, 20.0, hand, facing, about=40.0)
    assert (len(first), len(second)) == ((1, 0) if past > T else (0, 1))


@TURNED
@HANDS
@pytest.mark.parametrize("past", HAIRS)
@pytest.mark.parametrize("left", [True, False], ids=["forward half", "backward half"])
def test_a_turn_that_ends_flush_with_a_wall_does_not_cross_it(
    hand: int, facing: float, past: float, left: bool
) -> None:
    """The half that goes forward crosses it when the turn goes on; what touches the other half lay ahead of it."""
    along, out = heading(300.0 if left else 120.0), heading(210.0 if left else 30.0)
    wall = [(u * along[0] + past * out[0], u * along[1] + past * out[1]) for u in (0.2, 0.8)]
    first, second = turned(wall, 30.0, hand, facing), turned(wall, 30.0, hand, facing, about=30.0)
    if past > T:
        assert (len(first), len(second)) == (1, 0)
    else:
        assert (len(first), len(second)) == (0, 1 if left or past < -T else 0)


@TURNED
@HANDS
def test_a_wall_that_points_at_the_pivot_is_crossed_like_any_other(hand: int, facing: float) -> None:
    """The whole front lies on it for one moment only."""
    wall = [(-0.3, 0.3), (-0.6, 0.6)]
    assert turned(wall, 90.0, hand, facing) == [pytest.approx(45.0)]
    assert turned(wall, 45.0, hand, facing) == []
    assert turned(wall, 46.0, hand, facing) == [pytest.approx(45.0)]
    assert len(turned(wall, 45.0, hand, facing, about=45.0)) == 1


@TURNED
@HANDS
@pytest.mark.parametrize("reach", HAIRS)
def test_a_wall_the_front_stands_against_is_crossed_by_the_half_that_goes_forward(
    hand: int, facing: float, reach: float
) -> None:
    ahead, behind = [(-0.5, -reach), (-0.5, 0.4)], [(0.5, -reach), (0.5, 0.4)]
    astride = reach > T
    assert len(turned(ahead, 50.0, hand, facing)) == (0 if astride else 1)
    assert turned(behind, 50.0, hand, facing) == []


@TURNED
@HANDS
@pytest.mark.parametrize("reach", HAIRS)
def test_a_wall_that_a_corner_only_brushes_is_not_met(hand: int, facing: float, reach: float) -> None:
    """The left corner goes round in a circle of 1 in; a wall across its way reaches into it."""
    edge = 1.0 - reach
    wall = [(-edge * math.sqrt(0.5), edge * math.sqrt(0.5)), (-1.5, 1.5)]
    assert len(turned(wall, 90.0, hand, facing)) == (1 if reach > T else 0)


@TURNED
@HANDS
@pytest.mark.parametrize("reach", HAIRS)
def test_a_wall_that_a_rear_rank_only_brushes_is_not_met(hand: int, facing: float, reach: float) -> None:
    """The front of a base behind the pivot turns about it like a tangent: what just reaches it is not crossed."""
    rear = Base(*placed((0.0, -1.5), hand, facing), facing, 2.0, 1.0)  # its front is 1 in behind the pivot
    inner = heading(180.0 + 30.0)
    wall = [(0.2 * inner[0], 0.2 * inner[1]), ((1.0 + reach) * inner[0], (1.0 + reach) * inner[1])]
    swing = Swing(rear, (0.0, 0.0), hand * 60.0, 60.0)
    assert len(swing_contacts(swing, obstacle(wall, hand, facing), T)) == (1 if reach > T else 0)


def test_bare_ground_crosses_nothing() -> None:
    swing = Swing(BASE, (0.0, 0.0), 30.0, 1.0)
    far = Patches.of(shapely.MultiLineString([[(5.0, 5.0), (6.0, 6.0)], [(-0.9, 2.0), (0.9, 2.0)]]), ())
    assert swing_contacts(swing, far, T) == []
