"""Exactly on a limit, and the least bit to either side of it: closed limits hold there, open ones do not.

Lengths are halves and quarters, so that sums and differences are exact. Sight lines run over ground shrunk by a hair:
there the tolerance is chosen to be just what a line is over its limit by.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from tabletop.geometry.arc import Front, in_base_arc, part_in_arc
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.depth import overlap_depth
from tabletop.geometry.layout import ranks, square
from tabletop.geometry.line_of_sight import InterveningUnit, SightLaw, clear_lines, seen_by, sight_line
from tabletop.geometry.measure import Point, Tape, turn_between
from tabletop.geometry.movement.advance_contact import Outlines
from tabletop.geometry.movement.advance_cost import OPEN, Files, Ray, Spent, farthest
from tabletop.geometry.movement.configuration_space import Keep, Obstacles
from tabletop.geometry.movement.motion_cost import CostModel, Toll
from tabletop.geometry.movement.turning_points import clear
from tabletop.geometry.sight.cells import Cell
from tabletop.geometry.sight.law import normalised
from tabletop.geometry.sight.line import Hindrance
from tabletop.geometry.sight.parallel_lines import ParallelLines, parallel_lines_of, uncrossed
from tabletop.geometry.terrain import Table, Terrain

LESS, MORE = math.nextafter(0.25, 0.0), math.nextafter(0.25, 1.0)
#: Less than any rounding of a length on these tables that is felt, and felt itself.
BIT = 2.0**-46
LAW = SightLaw()
BASE = Base(0.0, -0.5, 0.0, 1.0, 1.0)


def test_the_tape_at_the_edge_of_its_tolerance() -> None:
    """TSE-SCL-02: within the tolerance of a limit is on it; a bit beyond is not."""
    tape = Tape(0.25)
    assert (tape.at_most(1.25, 1.0), tape.at_most(math.nextafter(1.25, 2.0), 1.0)) == (True, False)
    assert (tape.at_least(0.75, 1.0), tape.at_least(math.nextafter(0.75, 0.0), 1.0)) == (True, False)
    assert (tape.under(0.75, 1.0), tape.under(math.nextafter(0.75, 0.0), 1.0)) == (False, True)
    assert (tape.over(1.25, 1.0), tape.over(math.nextafter(1.25, 2.0), 1.0)) == (False, True)
    assert (tape.touches(0.25), tape.touches(MORE)) == (True, False)


def test_straight_about_is_a_turn_clockwise() -> None:
    assert turn_between(0.0, 180.0) == turn_between(180.0, 0.0) == turn_between(270.0, 90.0) == 180.0


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_the_edges_of_an_arc_belong_to_it(side: float) -> None:
    """TSE-FIR-05: the front line and the lines at 45 degrees from its ends are in the arc."""
    assert in_base_arc(BASE, (side * 0.5, 0.0))
    assert in_base_arc(BASE, (side * 0.25, 0.0))
    assert in_base_arc(BASE, (side * 2.5, 2.0))
    assert not in_base_arc(BASE, (side * 0.25, -1e-9))
    assert not in_base_arc(BASE, (side * (2.5 + 1e-9), 2.0))


@pytest.mark.parametrize(("tolerance", "inside"), [(LESS, False), (0.25, True), (MORE, True)])
def test_as_far_behind_the_front_line_as_the_tolerance(tolerance: float, inside: bool) -> None:
    """TSE-FIR-05: what lies no farther outside the arc than the tolerance is touched by it."""
    part = part_in_arc([Front.of(BASE)], shapely.box(-0.25, -1.25, 0.25, -0.25), tolerance)
    assert shapely.is_empty(part) != inside


def test_discs_on_one_another() -> None:
    """TSE-LDR-05: two round bases about one centre overlap by a whole base."""
    assert overlap_depth(Disc(3.0, 4.0, 0.5), Disc(3.0, 4.0, 0.5)) == 1.0
    assert overlap_depth(Disc(3.0, 4.0, 0.5), Disc(4.0, 4.0, 0.5)) == 0.0


def test_exactly_as_near_as_is_to_be_kept() -> None:
    """TSE-MOV-17: nearer than the distance is forbidden, the distance itself is not."""
    keep = Outlines.of([(shapely.box(0.0, 0.0, 2.0, 2.0), 0.5)])
    points = np.array([(-0.5, 1.0), (-math.nextafter(0.5, 0.0), 1.0), (1.0, 2.5), (1.0, math.nextafter(2.5, 0.0))])
    assert clear(points, keep).tolist() == [True, False, True, False]


@pytest.mark.parametrize(("aside", "free"), [(0.75, True), (math.nextafter(0.75, 0.0), False)])
def test_a_way_past_an_enemy_as_near_as_it_may(aside: float, free: bool) -> None:
    """TSE-INV-07: his distance less the tolerance is far enough."""
    law = Obstacles(keeps=(Keep(shapely.box(1.0, 1.0, 2.0, 2.0), 1.0),), give=0.25)
    leg = np.array([(1.0 - aside, 0.0)]), np.array([(1.0 - aside, 4.0)])
    assert law.legs_clear(*leg).tolist() == [free]


@pytest.mark.parametrize(
    ("n", "front", "sizes"),
    [(4, 1, (1, 1, 1, 1)), (4, 4, (4,)), (4, 5, None), (4, 0, None), (4, 3, None), (5, 3, (3, 2)), (6, 4, None)],
)
def test_the_widest_and_the_narrowest_front(n: int, front: int, sizes: tuple[int, ...] | None) -> None:
    """TSE-FRM-20: from one base abreast to all of them; no rank more than one short."""
    assert ranks(n, front) == sizes


FILES = Files((), 0.0, 0.0, CostModel(rough=2.0, linear=1.0, choke=1.0))


@pytest.mark.parametrize(("spent", "left"), [(5.5, 0.5), (6.0, 0.0), (math.nextafter(6.0, 7.0), -1.0)])
@pytest.mark.parametrize("ray", [OPEN, Ray(linear=((0.0,),))], ids=["open", "obstacle"])
def test_a_budget_spent_to_the_last_bit(ray: Ray, spent: float, left: float) -> None:
    """TSE-MOV-01: with nothing left a front stands where it is; that is allowed, and no farther is."""
    expected = min(left, 0.0) if ray is not OPEN else left
    assert farthest(ray, Spent(spent, (0.0,)), FILES, 6.0, 4.0) == expected


def test_an_obstacle_at_the_very_end_of_a_way() -> None:
    """TSE-MOV-08: what is met exactly where the way stops is not crossed; a bit farther it is."""
    along = Toll(6.0, FILES.cost_model, (((1.0, 2.0),),), (), ((4.0,),), (5.0,), ())
    assert [along.price(u).linear for u in (4.0, math.nextafter(4.0, 5.0))] == [0, 1]
    assert [along.price(u).choke for u in (5.0, math.nextafter(5.0, 6.0))] == [0, 1]
    assert along.price().total == 6.0 + 1.0 + 1.0 + 1.0
    assert [along.affordable(budget) for budget in (4.5, 5.0, 5.5, 6.0)] == pytest.approx([3.5, 4.0, 4.0, 4.0])
    assert [along.affordable(budget) for budget in (6.5, 7.0, 8.0, 9.0)] == pytest.approx([4.5, 5.0, 5.0, 6.0])


def test_a_way_that_ends_at_an_obstacle() -> None:
    """TSE-MOV-08: obstacles and choke-points that a way begins and ends at count among its places."""
    along = Toll(6.0, FILES.cost_model, (), (), ((0.0, 6.0),), (), ())
    assert along.breaks() == [0.0, 6.0]
    assert along.price().linear == 2
    assert along.affordable(7.0) == 6.0


def test_a_square_of_one_base_stands_about_its_centre() -> None:
    """TSE-FRM-30."""
    ((lateral, ahead),) = ((slot.lateral, slot.ahead) for slot in square(1, 1.0, 0.75).slots)
    assert (lateral, ahead) == (0.0, 0.0)
    assert [slot.ahead for slot in square(2, 1.0, 0.75).slots] == pytest.approx([0.375, -0.375])


def test_the_sides_of_a_point() -> None:
    """A cell may be a single point: a box of no size about it."""
    normals, levels = Cell(np.array([(3.0, 4.0)]), 0, frozenset()).sides
    assert np.isfinite(normals).all()
    assert sorted(levels.tolist()) == [-4.0, -3.0, 3.0, 4.0]


WALL = shapely.box(-1.0, 2.0, 0.0, 2.5)


@pytest.mark.parametrize(("beside", "crossed"), [(0.25, True), (math.nextafter(0.25, 1.0), False)])
def test_a_line_that_passes_as_near_as_the_tolerance(beside: float, crossed: bool) -> None:
    """TSE-COV-09: a single line within the tolerance of an obstacle crosses it."""
    single = ParallelLines((beside, 0.0), (beside, 4.0))
    assert (uncrossed(single, WALL, 0.25) == ()) == crossed


@pytest.mark.parametrize(("high", "gaps"), [(1.25, 0), (math.nextafter(1.25, 2.0), 1)])
def test_a_gap_as_wide_as_the_tolerance(high: float, gaps: int) -> None:
    """TSE-COV-09: lines that pass beside an obstacle count when they are more than the tolerance."""
    lines = ParallelLines((-1.0, 0.0), (-1.0, 4.0), 0.0, high)
    assert len(uncrossed(lines, WALL, 0.25)) == gaps


def test_lines_together_as_wide_as_the_tolerance_are_one_line() -> None:
    """TSE-COV-09: lines so close together are judged by the one they were shifted from."""
    narrow = ParallelLines((0.125, 0.0), (0.125, 4.0), 0.0, 0.25)
    assert uncrossed(narrow, WALL, 0.25) == ()
    beside = ParallelLines((5.0, 0.0), (5.0, 4.0), 0.0, 0.25)
    assert uncrossed(beside, WALL, 0.25) == (ParallelLines(beside.start, beside.end),)
    wider = ParallelLines((0.125, 0.0), (0.125, 4.0), 0.0, math.nextafter(0.25, 1.0))
    assert len(uncrossed(wider, WALL, 0.25)) == 1


@pytest.mark.parametrize(("ahead", "wide"), [(0.25, True), (math.nextafter(0.25, 1.0), False)])
def test_a_line_from_as_near_the_front_as_the_tolerance(ahead: float, wide: bool) -> None:
    """TSE-COV-09: a line square to the front, from it within the tolerance, stands for all beside it."""
    lines = parallel_lines_of(((0.0, ahead), (0.0, 4.0)), [Front.of(BASE)], shapely.box(-3.0, 4.0, 3.0, 5.0), 0.25)
    assert (lines.high - lines.low == 1.0) == wide


@pytest.mark.parametrize(("longest", "seen"), [(3.0, True), (math.nextafter(3.0, 2.0), False)])
def test_just_within_the_longest_line(longest: float, seen: bool) -> None:
    """TSE-FIR-01: a line exactly as long as the range reaches."""
    a, b = shapely.box(1, 1, 2, 2), shapely.box(5, 1, 6, 2)
    assert (seen_by(Table.of("in", 10, 10), a, b, LAW, longest=longest) is not None) == seen


# --- sight: a tolerance of just what a line is over its limit ---------------------------------------------------------


def table(*pieces: Terrain) -> Table:
    return Table.of("in", 40, 30, pieces)


def piece(kind: str, x0: float, x1: float, level: int = 0, **keys: Any) -> Terrain:
    outline = [(x0, 5.0), (x1, 5.0), (x1, 15.0), (x0, 15.0)]
    return Terrain.of_kind(f"{kind}{x0}", kind, outline=outline, level=level, **keys)


def first(ground: Table, a: Point, b: Point, law: SightLaw, *intervening: InterveningUnit) -> Hindrance:
    """Return what hinders a line most under the exact law."""
    return sight_line(ground, a, b, law, intervening, tolerance=0.0).hindrances[0]


def seen(ground: Table, a: Point, b: Point, law: SightLaw, t: float, *intervening: InterveningUnit) -> bool:
    """Return whether a line is clear: one by one as well as many at once, and both ways."""
    found = {bool(clear_lines(ground, [p], [q], law, intervening, t)[0]) for p, q in ((a, b), (b, a))}
    found |= {sight_line(ground, p, q, law, intervening, tolerance=t).clear for p, q in ((a, b), (b, a))}
    assert len(found) == 1, "one law"
    return found.pop()


def test_the_budget_in_ones_own_wood() -> None:
    """TSE-LOS-10: as far as sight goes through the wood one stands in, and the tolerance."""
    ground = table(piece("woods", 2.0, 8.0))
    a, b = (8.0 - LAW.budget - 0.03125, 10.0), (12.0, 10.0)
    through = first(ground, a, b, LAW)
    over = through.measured - through.limit
    assert over > 0
    assert seen(ground, a, b, LAW, over)
    assert not seen(ground, a, b, LAW, over - BIT)


def test_as_far_from_the_crest_as_the_tolerance() -> None:
    """TSE-LOS-17, by the ruling that one sees down from the edge alone."""
    law = SightLaw(crest_edge=True)
    ground = table(piece("hill", 2.0, 8.0, level=1))
    a, b = (8.0 - law.crest - 0.03125, 10.0), (12.0, 10.0)
    away = first(ground, a, b, law)
    over = away.measured - away.limit
    assert away.kind == "crest"
    assert seen(ground, a, b, law, over)
    assert not seen(ground, a, b, law, over - BIT)


def test_between_hills_of_one_level_no_crest_is_looked_down_from() -> None:
    """TSE-LOS-17: only the higher end is kept to its crest; between equals nobody is."""
    law = SightLaw(crest_edge=True, crest=0.5)
    hills = [hill("a", 2.0, 8.0, 1), hill("b", 14.0, 20.0, 1)]
    for table, clear_of in ((Table.of("in", 24, 10, hills), True), (Table.of("in", 24, 10, hills[:1]), False)):
        for a, b in (((4.0, 5.0), (17.0, 5.0)), ((17.0, 5.0), (4.0, 5.0))):
            assert clear_lines(table, [a], [b], law).tolist() == [clear_of]


def hill(name: str, west: float, east: float, level: int) -> Terrain:
    return Terrain.of_kind(name, "hill", outline=[(west, 2.0), (east, 2.0), (east, 8.0), (west, 8.0)], level=level)


def test_the_end_of_a_shadow() -> None:
    """TSE-LOS-06: within the tolerance of the shadow's end is in it."""
    ground = table(piece("hill", 2.0, 6.0, level=2), piece("building", 12.0, 13.0, level=0))
    a = (4.0, 10.0)
    far = first(ground, a, (14.0, 10.0), LAW)
    b = (13.0 + far.limit + 0.03125, 10.0)
    beyond = next(h for h in sight_line(ground, a, b, LAW, tolerance=0.0).hindrances if h.kind == "tall")
    over = beyond.measured - beyond.limit
    assert over > 0
    assert not seen(ground, a, b, LAW, over)
    assert seen(ground, a, b, LAW, over - BIT)


def test_a_thin_wood_as_thick_as_sight_goes() -> None:
    """TSE-LOS-11, by the ruling that a wood no thicker than that is seen through."""
    law = SightLaw(thin_wood_transparent=True)
    wood = piece("woods", 8.0, 8.0 + 3.03125)
    ground = table(wood)
    a, b = (4.0, 10.0), (14.0, 10.0)
    near, far = first(ground, a, b, law).stretch
    over = (far - near) - wood.see_through
    assert over > 0
    assert seen(ground, a, b, law, over)
    assert not seen(ground, a, b, law, over - BIT)


@pytest.mark.parametrize(("t", "clear_of"), [(0.0625, True), (0.0625 - BIT, False)])
def test_as_near_a_friend_as_may_be(t: float, clear_of: bool) -> None:
    """TSE-FIR-10: the clearance less the tolerance is far enough, a bit less is not."""
    unit = InterveningUnit(shapely.box(8.0, 10.4375, 9.0, 12.0), 0, 0.5, "friend")
    assert seen(table(), (4.0, 10.0), (14.0, 10.0), LAW, t, unit) == clear_of
    hindrances = sight_line(table(), (4.0, 10.0), (14.0, 10.0), LAW, (unit,), tolerance=t).hindrances
    assert (hindrances == ()) == clear_of


def test_a_line_without_length_is_clear() -> None:
    """TSE-FIR-10: where firer and target touch, a friend beside them restricts nothing."""
    unit = InterveningUnit(shapely.box(8.0, 10.25, 9.0, 12.0), 0, 0.5, "friend")
    ground = table(piece("woods", 2.0, 20.0))
    assert seen(ground, (8.5, 10.0), (8.5, 10.0), LAW, 0.005, unit)
    assert not seen(ground, (8.5, 10.0), (8.75, 10.0), LAW, 0.005, unit)


@pytest.mark.parametrize("b", [(1.0, 2.0), (2.0, 1.0), (1.0, 1.0)])
def test_a_line_is_the_same_from_either_end(b: Point) -> None:
    """TSE-LOS-01: along an axis too, to the last bit."""
    there, back = normalised([(1.0, 1.0)], [b]), normalised([b], [(1.0, 1.0)])
    assert [ends.tolist() for ends in there] == [ends.tolist() for ends in back] == [[[1.0, 1.0]], [list(b)]]
