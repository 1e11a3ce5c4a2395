"""Cavalry in houses, in the four Ages: how it goes in, what it does there, how it leaves, what the computer does."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Asked
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask as judge_reach
from tabletop.play.engine import judge, play_of
from tabletop.rules.ages.combat.judge import fight_of, must_fight, targets
from tabletop.rules.ages.combat.pursuit import control
from tabletop.rules.ages.combat.zones import FRONT
from tabletop.rules.ages.computer.suggest import considered
from tabletop.rules.ages.morale.effects import rout
from tabletop.rules.ages.morale.falling_back import fall_back
from tabletop.rules.ages.morale.status import strength
from tabletop.rules.ages.movement.costs import forming_cost
from tabletop.rules.ages.movement.threat import threatens
from tabletop.rules.rule_set import MusterError
from tests import destiny, glaube, gloire, realm, reason
from tests.ages import Builder, Numbers, action, allowed, why

AGES = (destiny.BUILDER, reason.BUILDER, gloire.BUILDER, glaube.BUILDER)
HOUSE = Terrain.of_kind("house", "town", outline=[(460, 310), (540, 310), (540, 390), (460, 390)])
SOUTH, MIDDLE = 310.0, (500.0, 350.0)  # of the house: its near wall, its middle

each_age = pytest.mark.parametrize("age", AGES, ids=lambda age: age.rules.name)


def outside(age: Builder, name: str = "horse", troop: str = "heavy-cavalry", gap: float = 0.4, **keys: Any) -> Unit:
    """Return a blue unit before the south wall of the house."""
    return age.unit(name, "blue", troop, front_mid=[500, SOUTH - gap], **keys)


def inside(age: Builder, name: str = "horse", side: str = "blue", **keys: Any) -> Unit:
    """Return a regiment of four bases in the house: it stands from y = 310 to 390."""
    return age.unit(name, side, "heavy-cavalry", formation="garrison", at=MIDDLE, facing=0, **keys)


def north(age: Builder, gap: float, **keys: Any) -> Unit:
    """Return a red battalion facing the regiment in the house from the north."""
    return age.unit("foot", "red", front_mid=[500, 390 + gap], **keys)


# --- going in ---------------------------------------------------------------------------------------------------------


@each_age
@pytest.mark.parametrize(("gap", "near"), [(0.0, True), (0.5, True), (0.59, True), (0.61, False), (30.0, False)])
def test_a_regiment_goes_into_a_free_house_that_it_touches(age: Builder, gap: float, near: bool) -> None:
    """AGE-SET-03: contact is half a millimetre, and a tenth counts as nothing; all its bases stand in the house."""
    scene = age.battle(outside(age, gap=gap), terrain=[HOUSE])
    assert why(scene, "form", "horse", formation="garrison") == (set() if near else {"AGE-SET-03"})
    if near:
        after = age.done(scene, "form", "horse", formation="garrison").battle.unit("horse")
        assert (after.formation, after.strength) == ("garrison", 4) and after.at == pytest.approx(MIDDLE)


@each_age
def test_going_in_and_out_costs_cavalry_what_line_to_column_does(age: Builder) -> None:
    """AGE-SET-03, AGE-MOV-02: half a move, less the discount of its nation, as in the open."""
    out, within = outside(age), inside(age)
    assert forming_cost(out, "garrison") == forming_cost(out, "column") == forming_cost(within, "column")
    assert forming_cost(out, "garrison") == (0.25 if age is destiny.BUILDER else 0.5)
    assert [forming_cost(within, other) for other in ("square", "garrison", "dismounted")] == [None, None, None]


@each_age
@pytest.mark.parametrize("holder", ["infantry", "heavy-cavalry"])
@pytest.mark.parametrize("comes", ["infantry", "heavy-cavalry"])
def test_a_house_that_a_unit_holds_has_no_room_for_another(age: Builder, holder: str, comes: str) -> None:
    """AGE-SET-03: one battalion or one regiment, of whatever arm the other is."""
    held = age.unit("a", "blue", holder, formation="garrison", at=MIDDLE)
    other = outside(age, "b", comes)
    scene = age.battle(held, other, terrain=[HOUSE])
    reasons = judge(scene, action(scene, "form", "b", formation="garrison")).because
    assert ("AGE-SET-03", "a holds the house") in [(r.rule, r.text) for r in reasons if not r.holds]
    left = age.battle(held.moved(200.0, 0.0), other, terrain=[HOUSE])
    assert allowed(left, "form", "b", formation="garrison")


@each_age
@pytest.mark.parametrize("formation", ["limbered", "unlimbered"])
def test_guns_cannot_enter_a_house(age: Builder, formation: str) -> None:
    """AGE-SET-03: by that rule, not for want of a way to form so; nor is a battery mustered in one."""
    scene = age.battle(outside(age, "guns", "foot-artillery", formation=formation), terrain=[HOUSE])
    (against,) = judge(scene, action(scene, "form", "guns", formation="garrison")).because
    assert (against.rule, against.holds) == ("AGE-SET-03", False)
    assert against.text == "a house shelters infantry or cavalry, not artillery"
    assert not any(a.options.get("formation") == "garrison" for a in play_of(scene).suggest(scene))
    with pytest.raises(MusterError, match="garrison"):
        outside(age, "guns", "foot-artillery", formation="garrison")


def test_dragoons_go_in_mounted_or_on_foot_and_change_neither_there() -> None:
    """AGE-SET-03, GLO-CAV-03: mounted they are cavalry, on foot infantry; to change they must have room outside."""
    age = gloire.BUILDER
    for troop, change in (("dragoon-cavalry", "dismounted"), ("dragoon-infantry", "mounted")):
        scene = age.battle(outside(age, "d", troop), terrain=[HOUSE])
        held = age.done(scene, "form", "d", formation="garrison").battle
        fresh = held.with_unit(replace(held.unit("d"), marks={}))
        assert not allowed(fresh, "form", "d", formation=change) and allowed(fresh, "form", "d", formation="column")


def test_realm_of_chance_shelters_infantry_alone() -> None:
    """ROC-FRM-01: its book says nothing of cavalry in houses; refused as any formation that cavalry does not know."""
    age = realm.BUILDER
    horse, guns = outside(age), outside(age, "guns", "heavy-artillery")
    for unit in (horse, guns):
        scene = age.battle(unit, terrain=[HOUSE])
        (against,) = judge(scene, action(scene, "form", unit.id, formation="garrison")).because
        assert against.rule == "ROC-FRM-01" and "forms no garrison" in against.text
    with pytest.raises(MusterError, match="garrison"):
        inside(age)


# --- in the house -----------------------------------------------------------------------------------------------------


@each_age
@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("move", {"path": [(500, 420)]}),
        ("move", {"facing": 90.0}),
        ("charge", {"path": [(500, 420)]}),
        ("withdraw", {"distance": 10.0}),
        ("retreat", {"distance": 10.0}),
    ],
)
def test_cavalry_does_not_move_or_charge_out_of_a_house(age: Builder, kind: str, options: dict[str, Any]) -> None:
    """AGE-SET-03: it forms line or column first, and goes on with what that leaves of its move."""
    scene = age.battle(inside(age), terrain=[HOUSE])
    assert "AGE-SET-03" in why(scene, kind, "horse", **options)
    for formation in ("line", "column"):
        after = age.done(scene, "form", "horse", formation=formation).battle
        assert allowed(after, "move", "horse", path=[(500, after.unit("horse").front_mid[1] + 40.0)])


@each_age
@pytest.mark.parametrize(("gap", "fights"), [(0.5, True), (0.59, True), (0.61, False), (50.0, False)])
def test_it_attacks_whoever_touches_it_and_nobody_else(age: Builder, gap: float, fights: bool) -> None:
    """AGE-CBT-01, AGE-CBT-03: cavalry in a house too attacks in contact alone, and must; infantry from 50 mm."""
    scene = age.battle(inside(age), north(age, gap), terrain=[HOUSE], phase="combat")
    assert [enemy.id for enemy in targets(scene, scene.unit("horse"))] == (["foot"] if fights else [])
    assert must_fight(scene, "blue") == ({"horse": ("foot",)} if fights else {})
    assert [enemy.id for enemy in targets(scene, scene.unit("foot"))] == ["horse"]


@each_age
@pytest.mark.parametrize("status", ["ok", "disrupted"])
def test_it_has_the_strength_it_always_has_and_the_ground(age: Builder, status: str) -> None:
    """AGE-CBT-06, AGE-CBT-08: its own arm and factors; the house helps whoever is in it, attacked or attacking."""
    horse, foot = inside(age, status=status), north(age, 0.4)
    scene = age.battle(horse, foot, terrain=[HOUSE], phase="combat")
    attacking, attacked = fight_of(scene, ["horse"], "foot"), fight_of(scene, ["foot"], "horse")
    in_line = strength(outside(age, status=status))
    assert attacking.attack == attacked.defence == in_line
    assert [(f.name, f.amount, f.rule) for f in attacking.on_die] == [("attacker ground", 100.0, "ROC-CBT-06")]
    assert [(f.name, f.amount, f.rule) for f in attacked.on_die] == [("defender ground", -100.0, "ROC-CBT-06")]


@each_age
def test_it_has_neither_flank_nor_rear_there(age: Builder) -> None:
    """AGE-CBT-13: struck from behind it is fought as from the front; in line it would be struck in the rear."""
    behind = age.unit("foot", "red", front_mid=[500, 270], facing=0)
    for horse, zone in ((inside(age), FRONT), (age.unit("horse", "blue", "heavy-cavalry", at=MIDDLE), "rear")):
        assert fight_of(age.battle(horse, behind, terrain=[HOUSE], phase="combat"), ["foot"], "horse").zone == zone


@each_age
def test_it_threatens_nobody_from_a_house(age: Builder) -> None:
    """AGE-MOV-03, AGE-MOV-08: it cannot charge from there, so that no infantry forms square before it."""
    foot = north(age, 40.0)
    in_line = age.unit("horse", "blue", "heavy-cavalry", front_mid=[500, 390])
    for horse, danger in ((inside(age), False), (in_line, True)):
        scene = age.battle(horse, foot, terrain=[HOUSE])
        assert threatens(scene, horse, foot) is danger


def test_from_a_house_it_does_not_come_upon_a_hedgehog() -> None:
    """GLA-HDG-02: it must have come within 30 mm by a move of this turn, and in a house it makes none."""
    age = glaube.BUILDER
    hedgehog = age.unit("hedgehog", "red", formation="square", at=[500, 500])
    hedgehog = hedgehog.moved(0.0, 410.0 - hedgehog.bounds[1])
    scene = age.battle(inside(age), hedgehog, terrain=[HOUSE], phase="combat")
    assert targets(scene, scene.unit("horse")) == ()


@each_age
def test_beaten_it_stays_and_routed_it_leaves(age: Builder) -> None:
    """AGE-RES-09, AGE-RAL-04: as infantry does it falls back not at all, and runs from the house in column."""
    stays, runs = (Unfolding(age.battle(inside(age), north(age, 0.4), terrain=[HOUSE])) for _ in range(2))
    assert fall_back(stays, "horse") == () and stays.unit("horse").at == pytest.approx(MIDDLE)
    rout(runs, "horse")
    assert (runs.unit("horse").formation, runs.unit("horse").status) == ("column", "routing")


@each_age
@pytest.mark.parametrize(("number", "pursues"), [(0.0, True), (999.0, False)])
def test_out_of_hand_it_pursues_from_the_house(age: Builder, number: float, pursues: bool) -> None:
    """AGE-CTL-01: in column, as infantry would; in hand it is not asked, and holds the house."""
    prey = north(age, 100.0, status="routing")
    won = Unfolding(age.battle(inside(age), prey, terrain=[HOUSE], phase="combat"), Numbers([number]))
    control(won, [("horse", "foot")])
    assert won.unit("horse").formation == ("column" if pursues else "garrison")
    assert ("pursuing" in won.unit("horse").marks) is pursues
    assert not any(isinstance(event, Asked) for event in won.events)


# --- the computer, the menu -------------------------------------------------------------------------------------------


def garrisons(scene: Battle, name: str) -> bool:
    return any(a.unit == name and a.options.get("formation") == "garrison" for a in play_of(scene).suggest(scene))


@each_age
def test_the_computer_sends_infantry_into_houses_and_no_cavalry(age: Builder) -> None:
    """AGE-SET-03: nor does it draw such an action; from a house a scenario has put it in cavalry comes out in line."""
    horse, foot = outside(age), outside(age, "foot", "infantry")
    assert not garrisons(age.battle(horse, terrain=[HOUSE]), "horse")
    assert garrisons(age.battle(foot, terrain=[HOUSE]), "foot")
    assert "garrison" not in considered(horse) and "garrison" in considered(foot)
    scene = age.battle(horse, north(age, 200.0), terrain=[HOUSE])
    drawn = [play_of(scene).random_action(scene, Random(seed)) for seed in range(120)]
    assert {a.options["formation"] for a in drawn if a.kind == "form"} == {"column"}
    within = age.battle(inside(age), north(age, 200.0), terrain=[HOUSE])
    forms = {a.options["formation"]: a for a in play_of(within).suggest(within) if a.kind == "form"}
    worth = {name: play_of(within).prospect(within, one)[0] for name, one in forms.items()}
    assert set(worth) == {"line", "column"} and worth["line"] > max(0.0, worth["column"])


@each_age
def test_a_player_is_offered_the_house(age: Builder) -> None:
    """AGE-SET-03: among the formations of cavalry, with the cost of it."""
    scene = age.battle(outside(age), terrain=[HOUSE])
    (choice,) = play_of(scene).adjustments(scene, action(scene, "form", "horse"))
    assert choice.values == ("column", "garrison") and choice.names[1].startswith("garrison, 0.")


# --- guns -------------------------------------------------------------------------------------------------------------


def guns(age: Builder, front: float, formation: str = "limbered", **keys: Any) -> Unit:
    """Return a blue battery with the middle of its front south of, or in, the house."""
    return age.unit("guns", "blue", "foot-artillery", front_mid=[500, front], formation=formation, **keys)


@each_age
@pytest.mark.parametrize(("to", "free"), [(SOUTH, True), (SOUTH + 0.05, True), (SOUTH + 0.5, False), (320.0, False)])
def test_a_battery_does_not_end_its_move_in_a_house(age: Builder, to: float, free: bool) -> None:
    """AGE-SET-03: batteries cannot enter; touching a house, or standing beside it, is no matter."""
    scene = age.battle(guns(age, SOUTH - 10), age.unit("foot", "red", at=[100, 700]), terrain=[HOUSE])
    assert why(scene, "move", "guns", path=((500, to),)) == (set() if free else {"AGE-SET-03"})


@each_age
def test_a_battery_drives_along_the_road_through_a_village(age: Builder) -> None:
    """AGE-SET-03: the road through a village is no house; guns that keep to it may halt there, but not unlimber."""
    road = Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20)
    red = age.unit("foot", "red", at=[100, 700])
    scene = age.battle(guns(age, SOUTH - 10), red, terrain=[HOUSE, road])
    within = age.battle(guns(age, 340), red, terrain=[HOUSE, road])
    assert allowed(scene, "move", "guns", path=((500, 315),))
    off = age.battle(guns(age, SOUTH - 10).moved(20.0, 0.0), red, terrain=[HOUSE, road])
    assert why(off, "move", "guns", path=((520, 315),)) == {"AGE-SET-03"}
    assert why(within, "form", "guns", formation="unlimbered") == {"AGE-SET-03"}


@each_age
def test_a_battery_stands_before_a_house_or_beside_one(age: Builder) -> None:
    """AGE-SET-03: short of the house, or along its wall, guns go where they like."""
    red = age.unit("foot", "red", at=[100, 700])
    corner = Terrain.of_kind("house", "town", outline=[(505, 300), (540, 300), (540, 302), (505, 302)])
    before = age.battle(guns(age, 301, facing=90), red, terrain=[corner])
    beside = age.battle(guns(age, 320).moved(50.5, 0.0), red, terrain=[HOUSE])
    assert allowed(before, "move", "guns", path=((504, 301),))
    assert why(before, "move", "guns", path=((510, 301),)) == {"AGE-SET-03"}
    assert allowed(beside, "move", "guns", path=((550.5, 340.0),))


@each_age
def test_a_battery_does_not_unlimber_in_a_house_but_always_leaves_it(age: Builder) -> None:
    """AGE-SET-03: guns that the scenario has put into a house cannot be served there; they may limber and go."""
    red = age.unit("foot", "red", at=[100, 700])
    scene = age.battle(guns(age, 340), red, terrain=[HOUSE])
    assert why(scene, "form", "guns", formation="unlimbered") == {"AGE-SET-03"}
    assert allowed(scene, "move", "guns", path=((500, 345),))
    assert allowed(age.battle(guns(age, 340, "unlimbered"), red, terrain=[HOUSE]), "form", "guns", formation="limbered")
    assert allowed(age.battle(guns(age, SOUTH), red, terrain=[HOUSE]), "form", "guns", formation="unlimbered")


def test_what_a_battery_can_reach_leaves_out_houses() -> None:
    """AGE-SET-03, ROC-MOV-01: every place shown as within reach is one where the guns may stand."""
    age = destiny.BUILDER
    scene = age.battle(guns(age, SOUTH - 5), age.unit("foot", "red", at=[100, 700]), terrain=[HOUSE])
    free = age.battle(guns(age, SOUTH - 5), age.unit("foot", "red", at=[100, 700]))
    areas = [judge_reach(one, "reach", ["guns"]).measured["size"] for one in (scene, free)]
    assert areas[0] < areas[1]
