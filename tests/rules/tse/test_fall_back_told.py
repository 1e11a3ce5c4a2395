"""What is told and drawn of a fall-back: the arc, the way, where it ends, and what was done beyond the wanted way."""

from __future__ import annotations

import math

import pytest
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import right_of
from tabletop.geometry.verdict import Shape, Verdict
from tabletop.rules.tse.morale.fall_back import _blocked
from tabletop.rules.tse.morale.fall_back_budget import Spending
from tabletop.rules.tse.morale.fall_back_direction import flight_of
from tabletop.rules.tse.morale.fall_back_obstacles import obstacles_of
from tabletop.rules.tse.morale.fall_back_path import Falling
from tabletop.rules.tse.movement.zone_of_control import zone_width
from tests.field import Field
from tests.playing import FIELD, unit

NORTH = unit("source", side="red", at=(0.0, 6.0), facing=180)


def fallen_back(*things: object, distance: float = 3.0, **keys: object) -> Verdict:
    battle: Battle = FIELD.battle(unit("unit", **keys), NORTH, *things)  # type: ignore[arg-type]
    return FIELD.fall_back(battle, distance)


def named(verdict: Verdict, role: str) -> list[Shape]:
    return [shape for shape in verdict.shapes if shape.role == role]


def rules(verdict: Verdict) -> list[str]:
    return [reason.rule for reason in verdict.because]


def test_an_arc_is_drawn_as_an_area() -> None:
    """TSE-INV-03: 45 degrees to either side of straight back, as far as it goes."""
    found = fallen_back()
    (arc,) = named(found, "arc")
    assert arc.kind == "polygon"
    xs, ys = zip(*(FIELD.back(p) for p in arc.points), strict=True)
    assert (min(xs), max(xs)) == pytest.approx((-3.0 * 0.5**0.5, 3.0 * 0.5**0.5))
    assert (min(ys), max(ys)) == pytest.approx((-3.0, 0.0))
    (path,) = named(found, "path")
    assert [FIELD.back(p) for p in path.points] == [pytest.approx((0.0, 0.0)), pytest.approx((0.0, -3.0))]
    assert len(named(found, "ghost")) == 4
    assert rules(found) == ["TSE-INV-03", "TSE-INV-01"]


def test_a_single_direction_is_drawn_as_a_line() -> None:
    """TSE-INV-05: lost, as ruled, to an attack from behind, a unit has one direction and no arc."""
    field = Field()
    own, source = field.unit("unit", at=(0.0, 0.0)), field.unit("source", side="red", at=(0.0, -8.0))
    found = field.fall_back(field.battle(own, source, attack_from_behind="surrender"), 3.0)
    (arc,) = named(found, "arc")
    assert arc.kind == "line"


def surrounded() -> list[Unit]:
    places = {"s": (0.0, -3.0), "sw": (-2.5, -2.0), "se": (2.5, -2.0)}
    return [unit(name, side="red", at=at, formation="square") for name, at in places.items()]


def test_who_cannot_go_anywhere_has_no_way_drawn() -> None:
    """TSE-INV-08: it surrenders where it stands; what stood in the way is named."""
    found = fallen_back(*surrounded())
    assert not found.holds
    assert rules(found)[0] == "TSE-INV-08"
    assert found.blockers
    assert not named(found, "path") and not named(found, "blocked") and not named(found, "ghost")


def test_who_is_driven_off_the_table_is_drawn_going() -> None:
    """TSE-INV-10: lost over the edge, by as much as is said."""
    field = Field()
    own = field.unit("unit", at=(0.0, -38.0))
    battle = field.battle(own, field.unit("source", side="red", at=(0.0, -30.0), facing=180))
    found = field.fall_back(battle, 3.0)
    over = 3.0 - own.bounds[1]
    assert not found.holds
    assert rules(found) == ["TSE-INV-10"]
    assert found.because[0].measured == pytest.approx(over)
    assert len(named(found, "blocked")) == 1
    assert not named(found, "path")


@pytest.mark.parametrize("side", [-1, 1])
def test_who_turns_aside_says_how_far_and_to_which_side(side: int) -> None:
    """TSE-INV-06, TSE-INV-07: friends and enemies beside the way; the least turn that clears it."""
    foe = unit("f", side="red", at=(side * 1.25, -3.75), facing=0)
    found = fallen_back(foe)
    turn = next(reason for reason in found.because if reason.rule == "TSE-INV-06")
    assert found.holds
    assert turn.measured == found.measured["deviation"]
    assert turn.measured is not None
    assert turn.measured * side > 0.0
    assert ("anticlockwise" in turn.text) == (side < 0)


def test_who_would_end_in_friends_goes_on() -> None:
    """TSE-INV-09: through them and clear of them; more is spent than was asked."""
    friends = [unit(f"f{x}", at=(2.0 * x, -3.0), formation="deployed", bases=2) for x in range(-3, 4)]
    found = fallen_back(*friends)
    assert found.holds
    assert "TSE-INV-09" in rules(found)
    cost = found.measured["cost"]
    assert isinstance(cost, float)
    assert cost > 3.0


@pytest.mark.parametrize("facing", [0.0, 30.0, 135.0, 290.0])
def test_what_stands_in_the_way_is_told_and_nothing_else(facing: float) -> None:
    """TSE-INV-08: enemies whose zone, lakes that lie, and friends who stand in the wanted direction."""
    own = FIELD.unit("unit", at=(0.0, 0.0), facing=facing)
    (fx, fy), (rx, ry) = own.forward, right_of(own.forward)

    def at(ahead: float, aside: float) -> tuple[float, float]:
        return ahead * fx + aside * rx, ahead * fy + aside * ry

    source = unit("source", side="red", at=at(6.0, 0.0), facing=(facing + 180.0) % 360.0)
    ring = [
        unit(f"e{turn}", side="red", at=at(-3.0 * math.cos(k), 3.0 * math.sin(k)), formation="square")
        for turn in range(-90, 91, 30)
        for k in [math.radians(turn)]
    ]
    off = unit("off", side="red", at=at(2.5, 9.0), formation="square")
    battle = FIELD.battle(own, source, *ring, off, unit("behind", at=at(-14.0, 0.0)))
    found = FIELD.fall_back(battle, 3.0)
    assert not found.holds
    assert "e0" in found.blockers
    assert not {"off", "behind", "source"} & set(found.blockers)
    swept = shapely.union(own.footprint, own.moved(-3.0 * fx, -3.0 * fy).footprint).convex_hull
    near = {u.id for u in ring if shapely.distance(swept, u.footprint) < zone_width(battle) - 0.01}
    far = {u.id for u in ring if shapely.distance(swept, u.footprint) > zone_width(battle) + 0.01}
    assert near <= set(found.blockers)
    assert not far & set(found.blockers)


@pytest.mark.parametrize("facing", [30.0, 160.0, 290.0])
def test_a_friend_where_it_would_end_is_told(facing: float) -> None:
    """TSE-INV-09: those who stand at the end of the wanted way, and not those beside it."""
    own = FIELD.unit("unit", at=(0.0, 0.0), facing=facing)
    (fx, fy), (rx, ry) = own.forward, right_of(own.forward)

    def at(ahead: float, aside: float) -> tuple[float, float]:
        return ahead * fx + aside * rx, ahead * fy + aside * ry

    source = unit("source", side="red", at=at(6.0, 0.0), facing=(facing + 180.0) % 360.0)
    pals = [unit("pal", at=at(-3.0, 0.0), formation="square"), unit("other", at=at(-3.0, 6.0), formation="square")]
    battle = FIELD.battle(own, source, *pals)
    flight = flight_of(battle, battle.unit("unit"), battle.unit("source"))
    obstacles = obstacles_of(battle, battle.unit("unit"), 3.0)
    budget = Spending.of(battle, battle.unit("unit"), 3.0, flight.leading)
    falling = Falling(battle, battle.unit("unit"), flight.arc, obstacles, budget)
    told = {reason.feature for reason in _blocked(falling, flight)}
    assert "pal" in told
    assert "other" not in told


def test_the_result_the_centre_and_the_middle_of_the_front_are_told_by_name() -> None:
    """TSE-INV-01, TSE-INV-08, TSE-INV-10: a 2 x 2 column's front is 0.75 ahead of its centre-point."""
    moved = fallen_back().measured
    assert moved["result"] == "moved"
    assert FIELD.back(tuple(moved["at"])) == pytest.approx((0.0, -3.0))
    assert FIELD.back(tuple(moved["front_mid"])) == pytest.approx((0.0, -3.0 + 0.75))
    taken = fallen_back(*surrounded()).measured
    assert (taken["result"], taken["at"], taken["front_mid"]) == ("surrenders", None, None)
    field = Field()
    x, y = field.back((2.0, 2.0))
    own = field.unit("unit", at=(x, y), facing=0)
    source = field.unit("source", side="red", at=(x, y + 8.0), facing=180)
    off = field.fall_back(field.battle(own, source), 6.0)
    assert (off.holds, off.measured["result"]) == (False, "leaves")
