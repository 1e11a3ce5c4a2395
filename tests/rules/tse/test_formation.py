"""Assuming formations, what forbids it, losses, and guns beside a square (TSE-FRM, TSE-ACT-10..33)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.base import Base, Disc
from tabletop.geometry.depth import deepest, overlap_depth
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.rules.tse.morale.losses import after_losses
from tabletop.rules.tse.movement.formation import assume, forming_faults, front_wanted
from tabletop.rules.tse.movement.motion import ACTIONS, set_out, snakes
from tabletop.rules.tse.movement.square import guns_kept_in_contact
from tests.bases import rectangles
from tests.field import Field

field = Field()
FORMATIONS = ("deployed", "maneuver-column", "march-column", "square")


def rules(battle: Battle, before: Unit, after: Unit, **keys: Any) -> list[str]:
    return [fault.rule for fault in forming_faults(battle, before, after, **keys)]


@given(
    st.sampled_from(FORMATIONS),
    st.sampled_from(FORMATIONS),
    st.integers(3, 10),
    st.integers(0, 359),
    st.integers(0, 2),
)
def test_the_fixed_point_of_each_formation(old: str, new: str, n: int, facing: int, base: int) -> None:
    """TSE-FRM-06: reference base, centre-point, head, reference base; the unit faces as wanted."""
    before = field.unit("unit", bases=n, formation=old, at=(0, 0), facing=30)
    keys = {"head": base} if new == "march-column" else {"ref": base} if new != "maneuver-column" else {}
    after = assume(field.battle(before), before, new, facing=float(facing), **keys)
    assert after.strength == n
    assert after.formation == new
    assert after.facing == facing
    if new == "maneuver-column":
        assert after.at == pytest.approx(before.at, abs=1e-12)
    else:
        fixed = after.bases[0 if new == "march-column" else base]
        assert fixed.centre == pytest.approx(before.bases[base].centre, abs=1e-12)


def test_the_same_formation_again_changes_nothing() -> None:
    before = field.unit("unit", bases=5, at=(0, 0), facing=33)
    after = assume(field.battle(before), before, "maneuver-column")
    assert [b.centre for b in after.bases] == [pytest.approx(b.centre, abs=1e-12) for b in before.bases]


def test_the_reference_base_may_stand_anywhere_in_the_new_line() -> None:
    """TSE-FRM-14: place 3 makes it the right end."""
    before = field.unit("unit", at=(0, 0))
    after = assume(field.battle(before), before, "deployed", ref=0, place=3)
    assert after.bases[3].centre == before.bases[0].centre
    assert after.reference == 3


def test_the_present_front_is_kept_if_it_can_be() -> None:
    """TSE-FRM-20: otherwise half the bases."""
    assert front_wanted(field.unit("unit", bases=7, front=2, at=(0, 0)), None) == 2
    assert front_wanted(field.unit("unit", bases=7, formation="deployed", at=(0, 0)), None) == 4


def test_a_snaking_column_is_strung_behind_its_head() -> None:
    """TSE-FRM-25: the head turns about its centre, the others lie on the track behind it."""
    before = field.unit("unit", bases=6, formation="deployed", at=(0, 0))
    x, y = before.bases[2].centre
    track = [(x, y), (x, y - 1), (x - 3, y - 4)]
    after = assume(field.battle(before), before, "march-column", head=2, facing=0.0, track=track)
    assert after.bases[0].centre == (x, y)
    assert rectangles(after.bases)[0].facing == 0.0
    assert rectangles(after.bases)[-1].facing == pytest.approx(45.0)
    assert after.facing == 0.0


@pytest.mark.parametrize(
    ("formation", "keys", "words"),
    [
        ("line", {}, "no formation 'line'"),
        ("deployed", {"ref": 4}, "none of them"),
        ("march-column", {"head": -1}, "none of them"),
        ("maneuver-column", {"front": 3}, "give front: 2"),
        ("deployed", {"bend": [0, 1]}, "bend needs"),
        ("deployed", {"bend": [1, 0, 0, 0]}, "bend needs"),
    ],
)
def test_what_cannot_be_asked(formation: str, keys: dict[str, Any], words: str) -> None:
    unit = field.unit("unit", at=(0, 0))
    with pytest.raises(BadQuestion, match=words):
        assume(field.battle(unit), unit, formation, **keys)


def test_a_general_assumes_no_formation() -> None:
    general = field.unit("unit", troop="general", bases=None, formation=None, facing=None, at=(0, 0))
    with pytest.raises(BadQuestion, match="general"):
        assume(field.battle(general), general, "deployed")


def test_a_deployed_unit_moves_by_deploying_again() -> None:
    """TSE-FRM-10, TSE-FRM-16: in line, an inch to the front."""
    before = field.unit("unit", formation="deployed", at=(0, 0))
    battle = field.battle(before)
    after = assume(battle, before, "deployed", shift=(0.0, 1.0))
    assert [b.centre for b in after.bases] == [pytest.approx((b.x, b.y + 1.0)) for b in before.bases]
    assert forming_faults(battle, before, after) == ()


@pytest.mark.parametrize("formation", FORMATIONS)
def test_out_of_square_any_formation_may_be_taken(formation: str) -> None:
    """TSE-FRM-31: changing formation is free; there is no move as a square."""
    before = field.unit("unit", bases=8, formation="square", at=(0, 0))
    battle = field.battle(before)
    assert forming_faults(battle, before, assume(battle, before, formation)) == ()
    with pytest.raises(BadQuestion):
        ask(battle, "move", ["unit"], {"as": "square", "path": [(40.0, 45.0)]})


# --- what forbids it -------------------------------------------------------------------------------------------------


def deploy(
    *things: Unit | Terrain,
    bend: list[int] | None = None,
    delayed: bool = False,
    shift: Point = (0.0, 0.0),
    **rulings: Any,
) -> list[str]:
    before = field.unit("unit", at=(0, 0))
    battle = field.battle(before, *things, **rulings)
    after = assume(battle, before, "deployed", shift=shift, bend=bend)
    return rules(battle, before, after, delayed=delayed)


def test_delayed_orders_halve_the_shift() -> None:
    """TSE-ACT-12."""
    assert deploy(shift=(0.0, 0.75)) == []
    assert deploy(shift=(0.0, 0.75), delayed=True) == ["TSE-FRM-13"]
    assert deploy(shift=(0.0, 0.5), delayed=True) == []


def test_a_line_bends_no_more_than_the_ruling() -> None:
    """TSE-FRM-11."""
    assert deploy(bend=[0, 20, 40, 45]) == []
    assert deploy(bend=[0, 20, 40, 46]) == ["TSE-FRM-11"]
    assert deploy(bend=[0, 0, 0, 5], bend_limit=0) == ["TSE-FRM-11"]
    assert deploy(bend_limit=0) == []


def test_a_line_bends_along_a_feature_if_so_ruled() -> None:
    """TSE-FRM-11: one feature within an inch of every base."""
    wall = field.path("wall", "wall", (-3, 1.5), (6, 1.5))
    short = field.path("wall", "wall", (-3, 1.5), (0, 1.5))
    for thing, expected in ((wall, []), (short, ["TSE-FRM-11"])):
        assert deploy(thing, bend=[0, 0, 5, 5], bend_requires_feature=True) == expected
    assert deploy(bend_requires_feature=True) == []


def test_a_cap_on_sliding() -> None:
    """TSE-FRM-14: by default none."""
    before = field.unit("unit", bases=10, front=2, at=(0, 0))
    for cap, expected in ((0, []), (6, ["TSE-FRM-14"]), (12, [])):
        battle = field.battle(before, deploy_slide_cap=cap)
        assert rules(battle, before, assume(battle, before, "deployed", ref=0)) == expected


@pytest.mark.parametrize("formation", FORMATIONS)
def test_no_formation_in_a_zone_a_friend_a_lake_or_off_the_table(formation: str) -> None:
    """TSE-FRM-07, TSE-MOV-15, TSE-MOV-16, TSE-MOV-17, TSE-MOV-21; generals obstruct nobody."""
    before = field.unit("unit", bases=8, at=(0, 0))
    after = assume(field.battle(before), before, formation)
    x, y = field.back(after.bases[-1].centre)
    left, south, right, _ = after.footprint.bounds
    south_mid = field.back(((left + right) / 2, south - 1.0))
    near = field.unit("enemy", side="red", bases=2, front=2, front_mid=south_mid, facing=0)
    on = field.unit("friend", bases=2, front=2, at=(x, y), facing=180)
    general = field.unit("g", side="red", troop="general", bases=None, formation=None, facing=None, at=(x, y))
    lake = field.box("lake", "lake", (x - 0.1, x + 0.1), (y - 0.1, y + 0.1))
    from_afar = before.moved(0.0, 20.0)

    def found(*things: Unit | Terrain, shift: Point = (0.0, 0.0)) -> set[str]:
        return set(rules(field.battle(from_afar, *things), from_afar, after.moved(*shift))) - {"TSE-FRM-13"}

    marching = formation == "march-column"
    zone = {"deployed": "TSE-FRM-15", "square": "TSE-FRM-07", "maneuver-column": "TSE-MOV-17"}
    assert found(general) == set()
    assert found(near) == ({"TSE-FRM-24"} if marching else set())
    assert found(near.moved(0.0, 0.01)) == ({"TSE-FRM-24"} if marching else {zone[formation]})
    assert found(near.moved(0.0, -0.01)) == set()
    assert found(on) == {"TSE-MOV-16"}
    assert found(lake) == {"TSE-MOV-15"}
    assert found(shift=(-40.0, 0.0)) == {"TSE-MOV-21"}


def test_touching_is_no_overlap() -> None:
    """TSE-FRM-07."""
    friend = field.line("friend", (3.0, 0), facing=0)
    before = field.unit("unit", at=(0, 0))
    battle = field.battle(before, friend)
    after = assume(battle, before, "deployed")
    assert distance_between(after, friend) == 0.0
    assert rules(battle, before, after) == []


def test_the_shift_may_not_cross_impassable_ground() -> None:
    """TSE-FRM-13."""
    lake = field.box("cliff", "cliff", (-5, 5), (0.9, 1.0))
    before = field.unit("unit", front_mid=(0, 0.5), bases=2, front=2)
    battle = field.battle(before, lake)
    assert rules(battle, before, assume(battle, before, "deployed", shift=(0.0, 0.9))) == ["TSE-FRM-13", "TSE-MOV-15"]


def test_only_infantry_forms_square() -> None:
    """TSE-ACT-30."""
    horse = field.unit("unit", troop="light-cavalry", at=(0, 0))
    battle = field.battle(horse)
    assert rules(battle, horse, assume(battle, horse, "square")) == ["TSE-ACT-30"]


def test_in_an_enemy_zone_a_unit_may_form_where_its_bases_stand() -> None:
    """TSE-FRM-07, TSE-FRM-15: where its bases stand; one placed anew keeps the inch, nearer or farther than before."""
    before = field.unit("unit", bases=2, front=2, at=(0, 0))
    enemy = field.line("enemy", (-1, 0.875), n=2, side="red")
    battle = field.battle(before, enemy)
    assert rules(battle, before, assume(battle, before, "deployed", ref=0)) == []
    assert rules(battle, before, assume(battle, before, "deployed", ref=0, shift=(0.0, 0.25))) == ["TSE-FRM-15"]
    assert rules(battle, before, assume(battle, before, "deployed", ref=0, shift=(0.0, -0.25))) == ["TSE-FRM-15"]
    assert rules(battle, before, assume(battle, before, "deployed", ref=0, shift=(0.0, -0.5))) == []


# --- depth -----------------------------------------------------------------------------------------------------------


def test_depth_of_overlap() -> None:
    square = Base(0.0, 0.0, 0.0, 1.0, 1.0)
    assert overlap_depth(square, Base(0.5, 0.75, 0.0, 1.0, 1.0)) == 0.25
    assert overlap_depth(square, Base(1.0, 0.0, 0.0, 1.0, 1.0)) == 0.0
    tip = Base(0.0, 0.5 + math.sqrt(0.5) - 0.1, 45.0, 1.0, 1.0)
    assert overlap_depth(square, tip) == pytest.approx(0.1)
    assert overlap_depth(square, Disc(0.0, 0.9, 0.5)) == pytest.approx(0.1)
    assert overlap_depth(square, Disc(0.8, 0.9, 0.5)) == pytest.approx(0.0)
    assert overlap_depth(Disc(0.0, 0.0, 1.0), Disc(1.5, 0.0, 1.0)) == pytest.approx(0.5)


# --- guns beside a square --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [4, 6, 8])
def test_guns_stay_in_contact_with_the_square(n: int) -> None:
    """TSE-ACT-31: by the shortest way, without overlap, facing as before."""
    line = field.unit("unit", bases=n, formation="deployed", at=(0, 0))
    guns = field.unit(
        "guns", troop="light-foot-artillery", bases=1, formation="deployed", at=(n / 2 + 0.5, -0.125), facing=0
    )
    away = field.unit("away", troop="light-foot-artillery", bases=1, formation="deployed", at=(20, 0), facing=0)
    battle = field.battle(line, guns, away)
    square = assume(battle, line, "square", ref=n // 2)
    (moved,) = guns_kept_in_contact(battle, line, square)
    assert moved.id == "guns"
    assert distance_between(moved, square) == pytest.approx(0.0, abs=1e-9)
    assert deepest(moved.bases, square.bases) == pytest.approx(0.0, abs=1e-9)
    assert (moved.facing, moved.formation) == (0.0, "deployed")


# --- losses ----------------------------------------------------------------------------------------------------------


def test_a_column_closes_up_behind_its_front() -> None:
    """TSE-FRM-40: the front's middle stays."""
    unit = field.unit("unit", bases=6, front=3, front_mid=(1, 2), facing=30)
    after = after_losses(field.battle(unit), unit, 2)
    assert after.strength == 4
    assert after.front == 2
    assert after.front_mid == pytest.approx(unit.front_mid)
    assert after.facing == 30


def test_a_march_column_loses_its_tail() -> None:
    """TSE-FRM-40."""
    unit = field.unit("unit", bases=5, formation="march-column", at=(0, 0))
    assert after_losses(field.battle(unit), unit, 2).bases == unit.bases[:3]


def test_a_line_loses_the_end_farthest_from_the_attacker() -> None:
    """TSE-FRM-40: the rest stay untouched."""
    unit = field.unit("unit", formation="deployed", at=(0, 0), reference=3)
    battle = field.battle(unit)
    west, east = field.put((-9, 5)), field.put((9, 5))
    assert after_losses(battle, unit, 1, (west[0], west[1])).bases == unit.bases[:3]
    assert after_losses(battle, unit, 1, (east[0], east[1])).bases == unit.bases[1:]
    assert after_losses(battle, unit, 2, (west[0], west[1])).reference == 1


def test_a_square_forms_again_round_its_centre() -> None:
    """TSE-FRM-40."""
    unit = field.unit("unit", bases=8, formation="square", at=(0, 0))
    after = after_losses(field.battle(unit), unit, 3)
    assert after.at == pytest.approx(unit.at)
    assert after.strength == len(after.front_bases) == 5


def test_nothing_is_left_of_a_unit_without_bases() -> None:
    unit = field.unit("unit", at=(0, 0))
    assert after_losses(field.battle(unit), unit, 0) == unit
    with pytest.raises(ValueError, match="cannot go on"):
        after_losses(field.battle(unit), unit, 4)


@pytest.mark.parametrize(
    ("bend", "aside", "bent"), [(1e-13, 0.0, False), (0.0, 1e-13, False), (1.0, 0.0, True), (0.0, 0.1, True)]
)
def test_what_rounding_bends_is_a_straight_column(bend: float, aside: float, bent: bool) -> None:
    """TSE-FRM-25: a column snakes by where its bases stand and face, not by their last bits."""
    unit = field.unit("unit", formation="march-column", at=(0, 0))
    *others, last = rectangles(unit.bases)
    column = replace(unit, bases=(*others, replace(last, x=last.x + aside, facing=last.facing + bend)))
    assert snakes(column) is bent
    turned = set_out(field.battle(column), column, ACTIONS["march"], None, 90.0)
    assert (rectangles(turned.bases)[-1].facing == pytest.approx(90.0)) is not bent
