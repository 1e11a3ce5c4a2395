"""What any rule set with courses, sectors and single bases may use: tried with ships."""

from __future__ import annotations

import pytest
import shapely

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance
from tabletop.rules.common.bearings import ground_in
from tabletop.rules.common.courses import Course, Leg, entries, near, obstacle
from tabletop.rules.common.distribution import distribution
from tabletop.rules.common.placing import base_of, beside, clear_way
from tabletop.rules.play import Result
from tests.sail import battle, ship


def test_a_course_meets_the_nearest_first() -> None:
    """Bows 3 cm off the centre: a ship athwart at 50 is met after 6 cm, one at 55 after 11; farther ones never."""
    far, close = ship("b", at=(50, 55), facing=90), ship("c", at=(50, 50), facing=90)
    course = Course(base_of(ship("a")), (Leg(14.0),))
    found = obstacle(course, 0, [far, close], 0.0)
    assert found is not None and found[1] is close and found[0] == pytest.approx(6.0)
    assert obstacle(course, 0, [ship("d", at=(60, 50))], 0.0) is None
    assert near(course, far) and not near(course, ship("e", at=(50, 70), facing=90))


def test_a_turn_that_strikes_a_neighbour() -> None:
    """It is free where it ends its run, but not where it has turned."""
    beam = ship("b", at=(52.5, 40))
    course = Course(base_of(ship("a")), (Leg(0.5, 22.5),))
    assert obstacle(course, 0, [beam], 0.0) == (None, beam)
    assert obstacle(Course(course.start, (Leg(0.5),)), 0, [beam], 0.0) is None


def test_a_run_along_a_neighbour() -> None:
    """It goes on beside a ship that it touches, as deep as it may lie in her, and ends where it leads into her."""
    beam, course = ship("b", at=(51.995, 40)), Course(base_of(ship("a")), (Leg(9.0),))
    assert obstacle(course, 0, [beam], 0.01) is None
    assert obstacle(course, 0, [beam], 0.001) == (0.0, beam)
    assert obstacle(course, 0, [ship("b", at=(50, 46))], 0.01) is not None


def test_what_a_run_passes_over_is_entered() -> None:
    """A strip of 2 cm lies wholly astern at the end of the run; one along the side is not entered."""
    course = Course(base_of(ship("a")), (Leg(12.0),))
    assert [(leg, round(run, 5)) for leg, run in entries(course, shapely.box(45, 44, 55, 46))] == [(0, 1.0)]
    assert not list(entries(course, shapely.box(51, 30, 55, 60)))


def test_a_shift_ends_at_what_it_touches() -> None:
    """East of it, a ship 0.37 cm off; the table's edge 0.4 cm off; nothing for 2 cm; a ship that it touches already."""
    off, along = ship("b", at=(52.37, 40)), ship("b", at=(50, 46))
    assert clear_way(battle(ship("a"), off), ship("a"), 90.0, 1.0) == pytest.approx(0.37, abs=1e-3)
    assert clear_way(battle(ship("a")), ship("c", at=(98.6, 40)), 90.0, 1.0) == pytest.approx(0.4, abs=1e-3)
    assert clear_way(battle(ship("a"), along), ship("a"), 90.0, 2.0) == 2.0
    assert clear_way(battle(ship("a"), along), ship("a"), 0.0, 2.0) == 0.0


def test_the_bearing_nearest_to_the_one_wanted_that_is_free() -> None:
    """East is taken, and 90 degrees to either side still touches: it goes west."""
    one, other = ship("a"), ship("b", "red", at=(52, 40))
    assert next(beside(battle(one, other), one, 90.0, 1.0, 22.5)).at[0] < 50.0
    assert next(beside(battle(one, other), one, 270.0, 1.0, 22.5)) == next(beside(battle(one), one, 270.0, 1.0, 22.5))


def test_ground_in_a_sector() -> None:
    """A quarter of the circle to starboard, round the ship's own centre."""
    area = ground_in(ship("a"), (45.0, 135.0), (50.0, 40.0), 10.0)
    assert area.area == pytest.approx(100.0 * shapely.Point(0, 0).buffer(1.0, quad_segs=24).area / 4, rel=1e-3)
    assert area.bounds[0] == pytest.approx(50.0)
    assert ground_in(ship("a"), (315.0, 45.0), (50.0, 40.0), 10.0).bounds[1] == pytest.approx(40.0)


def test_a_distribution_has_the_likeliest_first() -> None:
    """A die of 5 or 6: a third of the courses."""

    def reckon(scene: Battle, action: Action, chance: Chance) -> Result:
        return Result("hit" if chance.die("throw") >= 5 else "miss")

    found = distribution(battle(ship("a")), Action("fire", "blue", "a"), reckon)
    assert [(round(p, 6), result.text) for p, result in found] == [(0.666667, "miss"), (0.333333, "hit")]
