"""Assaults: who, sight, the path and what lies on it, support, poses, charges (TSE-ASL, TSE-INV-12, TSE-INV-13)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit, distance_between
from tabletop.errors import BadQuestion
from tabletop.geometry.depth import deepest
from tabletop.geometry.terrain import Table, Terrain
from tabletop.geometry.verdict import Verdict
from tabletop.judge import ask
from tabletop.rules.tse.assault.charge import breakthrough_reasons, countercharge_reasons
from tabletop.rules.tse.assault.contact import contact_pose, stopped_pose
from tabletop.rules.tse.assault.judge import Assault
from tabletop.rules.tse.assault.path import is_frontal, paths_to, thrown_back_pose
from tabletop.rules.tse.assault.support import supports
from tests.bases import rectangles
from tests.field import FAR, Field

field = Field()


def put(
    *things: Unit | Terrain,
    options: dict[str, Any] | None = None,
    rulings: dict[str, Any] | None = None,
    target: Unit | None = None,
    **unit: Any,
) -> Verdict:
    """Infantry 2x2 whose front's middle is at (0, 0), facing north; a line of four 4 in before it, facing south."""
    attacker = field.unit("unit", **{"front_mid": (0, 0), **unit})
    foe = target or field.line("target", (-2, 4), side="red")
    return ask(field.battle(attacker, foe, *things, **(rulings or {})), "assault", ["unit", "target"], options)


def failed(verdict: Verdict) -> list[str]:
    return [reason.rule for reason in verdict.because if not reason.holds]


# --- who -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "rules"),
    [
        ({}, []),
        ({"status": "disordered"}, []),
        ({"status": "demoralized"}, ["TSE-ASL-01"]),
        ({"formation": "march-column"}, ["TSE-ASL-01"]),
        ({"formation": "square"}, ["TSE-ASL-01"]),
        ({"formation": "deployed"}, ["TSE-ASL-50", "TSE-ASL-05"]),
        ({"troop": "light-cavalry"}, []),
        ({"troop": "heavy-cavalry", "formation": "deployed", "linear": True, "front_mid": (0, 3)}, ["TSE-ASL-52"]),
        ({"troop": "horse-artillery", "front": 2}, ["TSE-ACT-94"]),
        ({"troop": "transport"}, ["TSE-ACT-94"]),
    ],
)
def test_who_may_assault(keys: dict[str, Any], rules: list[str]) -> None:
    """TSE-ASL-01, TSE-ASL-52, TSE-ACT-60, TSE-ACT-94."""
    found = failed(put(**keys))
    assert set(rules) - {"TSE-ASL-05"} <= set(found)
    assert bool(found) == bool(rules)


@pytest.mark.parametrize(("gap", "holds"), [(2.0, True), (2.01, False)])
def test_linear_infantry_assaults_deployed_within_two_inches(gap: float, holds: bool) -> None:
    """TSE-ASL-50, TSE-ASL-53: it stays deployed."""
    target = field.line("target", (-2, gap), side="red")
    verdict = put(formation="deployed", linear=True, target=target)
    assert verdict.holds is holds
    assert verdict.measured["reach"] == 2.0
    assert put(linear=True, target=target).measured["reach"] == 6.0


def test_the_front_of_a_line_of_four_is_the_joint_in_its_middle() -> None:
    """TSE-ASL-50."""
    verdict = put(formation="deployed", linear=True, bend=[0, 0, 10, 10])
    unit = field.unit("unit", formation="deployed", bend=[0, 0, 10, 10], front_mid=(0, 0))
    bases = rectangles(unit.bases)
    joint = (bases[1].front_edge[1] + bases[2].front_edge[0]) / 2
    assert verdict.measured["path"][0] == pytest.approx(joint.tolist())


def test_generals_neither_assault_nor_are_assaulted() -> None:
    """TSE-ASL-82."""
    general = field.unit("target", side="red", troop="general", bases=None, formation=None, facing=None, at=(0, 4))
    assert failed(put(target=general)) == ["TSE-ASL-82"]
    with pytest.raises(BadQuestion, match="generals do not assault"):
        ask(field.battle(field.unit("unit", at=(0, 0)), general), "assault", ["target", "unit"])


def test_friends_are_not_assaulted() -> None:
    assert "TSE-ASL-82" in failed(put(target=field.line("target", (-2, 4))))


# --- sight, turn, reach ----------------------------------------------------------------------------------------------


def test_the_target_must_be_seen() -> None:
    """TSE-ASL-02."""
    verdict = put(field.box("wood", "woods", (-20, 20), (1, 2)))
    assert failed(verdict) == ["TSE-ASL-02"]
    assert verdict.blockers == ("wood",)


def test_a_free_turn_brings_any_target_into_the_arc() -> None:
    """TSE-ASL-03: by the ruling off, the target must lie in the arc as the assaulter stands."""
    for facing, as_it_stands in ((0, True), (45, True), (90, False), (180, False)):
        assert put(facing=facing).holds
        assert put(facing=facing, rulings={"assault_free_turn": False}).holds is as_it_stands


def test_the_turn_may_not_go_into_impassable_ground() -> None:
    """TSE-ASL-03."""
    lake = field.box("lake", "lake", (-1.5, 1.5), (-2.5, -1.0))
    assert failed(put(lake, facing=90, front_mid=(0, 0))) == ["TSE-ASL-03"]
    assert put(field.box("lake", "lake", (-1.5, 1.5), (-2.5, -1.5)), facing=90).holds


@pytest.mark.parametrize(("reach", "holds"), [(6.0, True), (6.004, True), (6.01, False)])
def test_the_reach_is_closed(reach: float, holds: bool) -> None:
    """TSE-ASL-05."""
    foe = field.line("target", (-2, 4), side="red").moved(0.0, reach - 4.0)
    assert put(target=foe).holds is holds


@pytest.mark.parametrize(
    ("kind", "cost"), [("hedge", 4.5), ("wall", 4.5), ("stream", 4.5), ("road", 4.0), ("track", 4.0)]
)
def test_what_the_path_crosses(kind: str, cost: float) -> None:
    """TSE-ASL-06: half an inch an obstacle; roads give nothing."""
    line = ((0, -9), (0, 9)) if kind in ("road", "track") else ((-9, 2), (9, 2))
    assert put(field.path("piece", kind, *line)).measured["cost"] == pytest.approx(cost)


def test_only_the_path_itself_is_charged() -> None:
    """TSE-ASL-06: a marsh beside the path costs nothing."""
    assert put(field.box("marsh", "marsh", (0.25, 9), (1, 3))).measured["cost"] == pytest.approx(4.0)


# --- what is in the way ----------------------------------------------------------------------------------------------


def test_no_impassable_ground_on_the_path_but_over_a_bridge() -> None:
    """TSE-ASL-07."""
    river, bridge = field.path("river", "river", (-20, 2), (20, 2)), field.path("bridge", "bridge", (0, 1), (0, 3))
    assert failed(put(river)) == ["TSE-ASL-07"]
    verdict = put(river, bridge)
    assert verdict.holds
    assert verdict.measured["cost"] == pytest.approx(4.5)


def test_no_other_enemy_before_the_front() -> None:
    """TSE-ASL-07, TSE-ASL-23: met over 1 in short of the target, or on the path itself, it must be fought first."""
    other = field.unit("other", side="red", bases=2, formation="deployed", at=(1.5, 2), facing=180)
    assert failed(put(other)) == ["TSE-ASL-23"]
    assert failed(put(other.moved(-1.0, 0.0))) == ["TSE-ASL-07", "TSE-ASL-23"]
    assert put(other.moved(1.0, 0.0)).holds


def test_a_line_touching_its_neighbour_can_be_assaulted() -> None:
    """TSE-MOV-20: the zones of all enemies are lifted."""
    assert put(field.line("other", (2, 4), side="red")).holds


def test_friends_are_passed_through_but_not_ended_in() -> None:
    """TSE-ASL-07, TSE-ASL-23."""
    friend = field.line("friend", (-2, 1.0), facing=0)
    assert put(friend).holds
    verdict = put(field.line("friend", (-2, 2.75), facing=0))
    assert failed(verdict) == ["TSE-ASL-23"]
    assert "friend" in verdict.blockers


def test_in_contact_already_it_may_assault_where_it_stands() -> None:
    """TSE-ASL-26."""
    verdict = put(target=field.line("target", (-2, 0), side="red"))
    assert verdict.holds
    assert verdict.measured["cost"] == 0.0
    assert verdict.measured["stopped"] == pytest.approx([*field.put((0, 0)), 0.0])


# --- poses -----------------------------------------------------------------------------------------------------------


def test_into_a_notch_it_goes_until_its_front_first_touches() -> None:
    """TSE-ASL-23: a column of 3+2 from behind: the front's ends meet the wider rank before its middle could."""
    unit = field.unit("unit", bases=6, front=3, front_mid=(0, 0))
    target = field.unit("target", side="red", bases=5, front=3, at=(0, 5), facing=0)
    (path,) = paths_to(unit, target)
    contact = contact_pose(field.battle(unit, target), unit, target, path)
    assert deepest(contact.bases, target.bases) == pytest.approx(0.0, abs=1e-9)
    notch = field.unit("target", side="red", formation="deployed", bases=3, bend=[20, 0, -20], reference=1,
                       front_mid=(0, 1.5), facing=180)  # fmt: skip
    (path,) = paths_to(unit, notch)
    contact = contact_pose(field.battle(unit, notch), unit, notch, path)
    assert distance_between(contact, notch) == pytest.approx(0.0, abs=1e-9)
    assert deepest(contact.bases, notch.bases) == pytest.approx(0.0, abs=1e-6)
    assert math.dist(contact.front_mid, path.end) > 0.2


@settings(max_examples=60, deadline=None)
@given(st.integers(-7000, 7000), st.integers(-7000, 7000), st.integers(0, 359), st.sampled_from(["deployed", "square"]))
def test_poses_touch_stop_short_and_start(x: int, y: int, facing: int, formation: str) -> None:
    """TSE-ASL-23, TSE-ASL-24, TSE-INV-12, TSE-INV-13: whatever the directions."""
    unit = field.unit("unit", front_mid=(x / 1024, y / 1024), facing=facing)
    target = field.unit("target", side="red", formation=formation, at=(0, 0), facing=20)
    if distance_between(unit, target) < 0.01 or deepest(unit.bases, target.bases) > 0:
        return
    battle = field.battle(unit, target)
    for path in paths_to(unit, target):
        contact, stopped = (pose(battle, unit, target, path) for pose in (contact_pose, stopped_pose))
        assert distance_between(contact, target) == pytest.approx(0.0, abs=1e-9)
        for pose in (contact, stopped, thrown_back_pose(unit, path)):
            assert abs((pose.facing - path.facing + 180) % 360 - 180) < 1e-9
        start = thrown_back_pose(unit, path)
        assert start.front_mid == pytest.approx(unit.front_mid)


@settings(max_examples=60, deadline=None)
@given(st.integers(-6000, 6000), st.integers(-6000, 6000), st.integers(0, 359))
def test_a_straight_targets_front_is_that_of_its_arc(x: int, y: int, facing: int) -> None:
    """TSE-ASL-08: for a straight line, frontal is the same as starting in its closed arc."""
    unit = field.unit("unit", front_mid=(x / 1024, y / 1024), facing=facing)
    target = field.line("target", (-2, 0), side="red")
    px, py = field.back(unit.front_mid)
    ahead, aside = -py, abs(px)
    slack = min(ahead, 2.0 + ahead - aside)
    if abs(slack) < 0.02 or target.footprint.distance(unit.footprint) == 0.0:
        return
    battle = field.battle(unit, target)
    assert {is_frontal(battle, target, path) for path in paths_to(unit, target)} == {slack > 0.0}


@pytest.mark.parametrize(("y", "by_path", "by_start"), [(-0.6, True, False), (0.6, True, True)])
def test_frontal_by_the_start_alone(y: float, by_path: bool, by_start: bool) -> None:
    """TSE-ASL-08: a path to the near wing of a hollow line crosses the far wing's arc, though it starts outside."""
    unit = field.unit("unit", front_mid=(-5, y), facing=90)
    target = field.unit("target", side="red", formation="deployed", bases=3, bend=[45, 0, -45], reference=1,
                        at=(0, 0), facing=0)  # fmt: skip
    for ruling, frontal in (("path", by_path), ("midpoint", by_start)):
        verdict = ask(field.battle(unit, target, frontal_test=ruling), "assault", ["unit", "target"])
        assert verdict.measured["frontal"] is frontal


def test_the_tie_between_two_nearest_points_is_the_assaulters_choice() -> None:
    """TSE-ASL-04: of a hollow line's two wings it takes the one a friend does not bar."""
    target = field.unit("target", side="red", formation="deployed", bases=3, bend=[45, 0, -45], reference=1,
                        at=(0, 4), facing=180)  # fmt: skip
    assert len(paths_to(field.unit("unit", front_mid=(0, 0)), target)) == 2
    for side in (-1, 1):
        marsh = field.box("marsh", "marsh", (0.01, 9) if side < 0 else (-9, -0.01), (0, 9))
        verdict = put(marsh, target=target)
        assert verdict.holds
        assert (field.back(verdict.measured["path"][1])[0] < 0) == (side < 0)
        assert verdict.measured["cost"] == pytest.approx(verdict.measured["distance"])


# --- support ---------------------------------------------------------------------------------------------------------


def battery(**keys: Any) -> Unit:
    """A battery of two on [-1, 1] x [4, 5] facing south."""
    return field.unit("target", side="red", troop="light-foot-artillery", bases=2, formation="deployed", at=(0, 4.5),
                      **{"facing": 180, **keys})  # fmt: skip


def infantry(**keys: Any) -> Unit:
    """Infantry on [1, 5] x [4, 4.75] facing south, touching the battery's side."""
    usual = {"side": "red", "formation": "deployed", "at": (3, 4.375), "facing": 180}
    return field.unit("infantry", **{**usual, **keys})


@pytest.mark.parametrize(
    ("keys", "supported"),
    [
        ({}, True),
        ({"formation": "maneuver-column", "front": 2, "at": (2, 4.75)}, True),
        ({"at": (3.01, 4.375)}, False),
        ({"at": (3.004, 4.375)}, True),
        ({"at": (3, 5.375)}, False),
        ({"at": (3, 5.36)}, True),
        ({"facing": 0}, False),
        ({"status": "disordered"}, False),
        ({"formation": "march-column", "at": (1.5, 5)}, False),
        ({"formation": "square", "at": (1.875, 4.5), "facing": 90}, True),
        ({"formation": "square", "at": (1.9, 4.5), "facing": 90}, False),
        ({"troop": "light-cavalry", "base": [1, 0.75]}, False),
        ({"side": "blue"}, False),
    ],
)
def test_guns_supported_by_infantry_cannot_be_chosen(keys: dict[str, Any], supported: bool) -> None:
    """TSE-ASL-40, TSE-ASL-41, TSE-ASL-42."""
    verdict = put(infantry(**keys), target=battery())
    assert ("TSE-ASL-40" in failed(verdict)) is supported
    assert put(target=battery()).holds


def test_infantry_is_never_protected() -> None:
    """TSE-ASL-40."""
    assert not supports(field.battle(), infantry(), field.line("target", (-3, 4), side="red"))


# --- charges ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "target", "allowed"),
    [
        ({}, {}, True),
        ({"troop": "infantry"}, {}, False),
        ({}, {"troop": "infantry"}, False),
        ({}, {"status": "disordered"}, False),
        ({}, {"formation": "deployed"}, True),
        ({}, {"formation": "march-column"}, False),
        ({}, {"facing": 0}, False),
    ],
)
def test_who_may_countercharge(unit: dict[str, Any], target: dict[str, Any], allowed: bool) -> None:
    """TSE-ASL-60, TSE-ASL-63."""
    foe = field.unit("target", side="red", **{"troop": "heavy-cavalry", "at": (0, 8), "facing": 180, **target})
    verdict = put(target=foe, **{"troop": "light-cavalry", **unit})
    assert (verdict.measured["countercharge"] is not None) is allowed


@pytest.mark.parametrize("kind", ["hedge", "woods", "marsh", "stream", "town"])
def test_a_countercharge_needs_open_ground(kind: str) -> None:
    """TSE-ASL-62: on the path, or under either unit."""
    unit = field.unit("unit", troop="light-cavalry", front_mid=(0, 0))
    target = field.unit("target", side="red", troop="light-cavalry", front_mid=(0, 8), facing=180)
    (path,) = paths_to(unit, target)
    for y in (-1.0, 4.0, 9.0):
        if kind in ("hedge", "stream"):
            piece = field.path("piece", kind, (-1, y), (1, y))
        else:
            piece = field.box("piece", kind, (-1, 1), (y, y + 0.5))
        reasons = countercharge_reasons(field.battle(unit, target, piece), unit, target, path, True)
        assert [r.rule for r in reasons if not r.holds] == ["TSE-ASL-62"]
    beside = field.box("piece", "marsh", (3, 5), (3, 5))
    assert all(countercharge_reasons(field.battle(unit, target, beside), unit, target, path, True))


@pytest.mark.parametrize(
    ("keys", "foe", "things", "rules"),
    [
        ({}, {}, (), []),
        ({"troop": "infantry"}, {}, (), ["TSE-ASL-70"]),
        ({"status": "demoralized"}, {}, (), ["TSE-ASL-73"]),
        ({"facing": 180}, {}, (), ["TSE-ASL-71"]),
        ({}, {"at": (0, 5)}, (), ["TSE-ASL-71"]),
    ],
)
def test_who_may_break_through(
    keys: dict[str, Any], foe: dict[str, Any], things: tuple[Unit | Terrain, ...], rules: list[str]
) -> None:
    """TSE-ASL-70, TSE-ASL-71, TSE-ASL-72, TSE-ASL-73: no free turn first."""
    unit = field.unit("unit", **{"troop": "light-cavalry", "front_mid": (0, 0), **keys})
    target = field.unit("target", side="red", **{"at": (0, 2.5), "facing": 0, **foe})
    reasons = breakthrough_reasons(field.battle(unit, target, *things), unit, target, 3.0)
    assert [reason.rule for reason in reasons if not reason.holds] == rules


def test_a_breakthrough_needs_sight() -> None:
    """TSE-ASL-71."""
    unit = field.unit("unit", troop="light-cavalry", front_mid=(0, 0))
    target = field.unit("target", side="red", at=(0, 3), facing=0)
    house = field.box("house", "building", (-9, 9), (0.5, 1))
    reasons = breakthrough_reasons(field.battle(unit, target, house), unit, target, 3.0)
    assert [reason.rule for reason in reasons if not reason.holds] == ["TSE-ASL-71"]


# --- symmetry --------------------------------------------------------------------------------------------------------


def mirrored(battle: Battle) -> Battle:
    units = []
    for unit in battle.units:
        bases = tuple(replace(b, x=FAR - b.x, facing=-b.facing % 360) for b in rectangles(unit.bases))
        n = [*range(unit.strength)][::-1] if unit.formation == "deployed" else [1, 0, 3, 2]
        units.append(replace(unit, bases=tuple(bases[i] for i in n), facing=-unit.facing % 360))
    return Battle.of("tse", Table.of("in", FAR, FAR), units, battle.rulings)


@settings(max_examples=40, deadline=None)
@given(st.integers(-6000, 6000), st.integers(-6000, 3000), st.integers(0, 359))
def test_a_mirror_changes_nothing_but_the_side(x: int, y: int, facing: int) -> None:
    unit = field.unit("unit", front_mid=(x / 1024, y / 1024), facing=facing)
    target = field.line("target", (-2, 4), side="red")
    if distance_between(unit, target) < 0.01:
        return
    battle = field.battle(unit, target)
    here, there = (ask(b, "assault", ["unit", "target"]) for b in (battle, mirrored(battle)))
    assert here.holds == there.holds
    for key in ("cost", "reach", "frontal", "distance"):
        assert here.measured[key] == pytest.approx(there.measured[key], abs=1e-9)
    (ax, ay, af), (bx, by, bf) = here.measured["contact"], there.measured["contact"]
    assert (FAR - bx, by, -bf % 360) == pytest.approx((ax, ay, af % 360), abs=1e-6)


@pytest.mark.parametrize("gap", [-1e-14, 0.0, 1e-15, 1e-12])
def test_an_assault_from_contact_goes_on_as_it_faces(gap: float) -> None:
    """TSE-ASL-04: no direction can be read off a way that only rounding left."""
    unit = field.unit("unit", front_mid=(0, 0), facing=10.0)
    target = field.line("target", (-2, 0), side="red")
    near = unit.moved(0.0, -gap)
    (path,) = paths_to(near, target)
    assert path.length < 1e-9
    assert path.facing == 10.0
    away = paths_to(unit.moved(0.0, -2.0), target)
    assert [way.facing for way in away] == pytest.approx([0.0], abs=1e-6)


def test_what_a_path_costs_is_kept_for_one_unit_in_one_battle() -> None:
    """TSE-ASL-06: other troops pay otherwise for the same path, and so does who finds no wood on it."""
    unit, foe = field.unit("unit", front_mid=(0, 0)), field.line("target", (-2, 4), side="red")
    battle = field.battle(unit, foe, field.box("wood", "woods", (-3, 3), (1, 2)))
    (path, *_), horse = paths_to(unit, foe), replace(unit, troop="light-cavalry")
    bare = replace(battle, table=replace(battle.table, terrain=()))
    for _ in range(2):
        prices = [Assault(one, who, foe, path).price.total for one in (battle, bare) for who in (unit, horse)]
        assert prices == pytest.approx([5.0, 7.0, 4.0, 4.0])
