"""Cavalry against infantry: threats, squares that form before it, charges, and the hedgehogs of Glaube."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.progress import Arrival
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.explain import headline
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.engine import Step
from tabletop.rules.ages.combat import pursuit
from tabletop.rules.ages.combat.judge import must_fight
from tabletop.rules.ages.movement.threat import threatens
from tests import destiny, glaube, gloire, reason
from tests.ages import Builder, allowed, why


def hussars(**keys: Any) -> Unit:
    """Return Prussian light cavalry that faces south; every wheel costs it half a move."""
    return destiny.unit("h", "red", "light-cavalry", **keys)


# --- threats ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("aside", "gap"), [(0.0, 140.0), (0.9, 60.0), (5.0, 140.0), (60.0, 100.0), (105.0, 80.0)])
def test_cavalry_that_may_charge_straight_on_threatens(aside: float, gap: float) -> None:
    """AGE-MOV-03: a charge without a wheel counts too, however far the infantry's centre lies to one side."""
    horse, foot = hussars(front_mid=[500, 300 + gap]), destiny.unit("i", front_mid=[500 + aside, 300])
    scene = destiny.battle(horse, foot, side="red")
    assert allowed(scene, "charge", "h", path=((500, 300.2),))
    assert threatens(scene, horse, foot)


@pytest.mark.parametrize(("aside", "gap"), [(120.0, 50.0), (120.0, 60.0)])
def test_cavalry_threatens_by_any_wheel_that_costs_no_more(aside: float, gap: float) -> None:
    """AGE-MOV-03: cavalry pays half a move for any wheel, and by a wide one its own flank comes nearer."""
    horse, foot = hussars(front_mid=[500, 300 + gap]), destiny.unit("i", front_mid=[500 + aside, 300])
    scene = destiny.battle(horse, foot, side="red")
    assert not allowed(scene, "charge", "h", path=((500, 300.2),))
    assert threatens(scene, horse, foot)


def test_a_column_that_has_both_charge_figures_threatens_farther() -> None:
    """AGE-MOV-03, AGE-MOV-09: by the ruling ``column_charge: twice``, along a road, 210 mm."""
    road = Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20)
    horse, foot = hussars(front_mid=[500, 505], formation="column"), destiny.unit("i", front_mid=[500, 300])
    for ruling, far in (("once", False), ("twice", True)):
        scene = destiny.battle(horse, foot, terrain=[road], side="red", column_charge=ruling)
        assert allowed(scene, "charge", "h", path=((500, 300.2),)) is far
        assert threatens(scene, horse, foot) is far


def test_cavalry_in_contact_threatens_unless_it_has_charged_too_recently() -> None:
    """AGE-MOV-03, AGE-MOV-08: it needs no way to go, but a threat is a charge that it could make."""
    for marks, danger in (({}, True), ({"charged": 1}, False)):
        horse, foot = hussars(front_mid=[500, 300], marks=marks), destiny.unit("i", front_mid=[500, 300])
        assert threatens(destiny.battle(horse, foot, side="red", turn=3), horse, foot) is danger


# --- squares before cavalry that comes on ----------------------------------------------------------------------------

CLICKED: dict[str, list[tuple[float, float]]] = {
    "in one leg": [(500.0, 459.8)],
    "with a way point far off": [(500.0, 320.0), (500.0, 459.8)],
    "with a way point near the end": [(500.0, 455.0), (500.0, 459.8)],
    "with a way point at the very end": [(500.0, 459.0), (500.0, 459.8)],
    "with many way points": [(500.0, 440.0), (500.0, 445.0), (500.0, 450.0), (500.0, 459.8)],
}


@pytest.mark.parametrize("clicked", CLICKED)
@pytest.mark.parametrize("when", ["threatened", "attacked", "charged"])
def test_way_points_on_a_straight_charge_are_no_matter(when: str, clicked: str) -> None:
    """AGE-MOV-03: infantry that has the time forms square, and the charge ends where it touches the square."""
    horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 300])
    foot = destiny.unit("i", "red", front_mid=[510, 460])
    after = destiny.done(
        destiny.battle(horse, foot, square_when=when), "charge", "h", path=tuple(CLICKED[clicked])
    ).battle
    assert after.unit("i").formation == "square"
    assert after.unit("h").front_mid == pytest.approx((500.0, 444.0))


@pytest.mark.parametrize("degrees", [1.0, 3.0, 10.0])
def test_a_wheel_at_the_end_does_not_keep_infantry_from_forming_square(degrees: float) -> None:
    """AGE-MOV-03: the run before the wheel meets the square, and ends there."""
    horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 400])
    foot = destiny.unit("i", "red", front_mid=[480, 460])
    path = ((500.0, 459.8 - 60.0 * math.sin(math.radians(degrees))),)
    after = destiny.done(destiny.battle(horse, foot), "charge", "h", path=path, facing=degrees).battle
    assert after.unit("i").formation == "square"
    assert after.unit("h").front_mid == pytest.approx((500.0, 444.0)) and after.unit("h").facing == 0.0


def test_a_charge_is_stopped_by_a_square_on_the_way_to_its_last_wheel() -> None:
    """AGE-MOV-03: a square that forms across the first of two legs ends the charge there, not at the planned end."""
    horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 390])
    foot = destiny.unit("i", "red", front_mid=[510, 460])
    scene = destiny.battle(horse, foot)
    path = ((500.0, 445.0), (501.3, 453.3))
    assert allowed(scene, "charge", "h", path=path)
    after = destiny.done(scene, "charge", "h", path=path).battle
    assert after.unit("i").formation == "square"
    assert after.unit("h").front_mid == pytest.approx((500.0, 444.0))


def test_a_wheel_that_would_end_in_the_square_is_left_out() -> None:
    """AGE-MOV-03: the run before the wheel meets no square, so the cavalry ends it as planned."""
    horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 400])
    scene = destiny.battle(horse, destiny.unit("i", "red", front_mid=[440, 460]))
    course: dict[str, Any] = {"path": ((500.0, 430.0),), "facing": math.degrees(math.asin(29.8 / 60.0))}
    assert allowed(scene, "charge", "h", **course)
    after = destiny.done(scene, "charge", "h", **course).battle
    assert after.unit("i").formation == "square"
    assert after.unit("h").front_mid == pytest.approx((500.0, 430.0)) and after.unit("h").facing == 0.0


def test_a_charge_that_wheels_over_the_ground_of_the_square_leaves_no_room_for_it() -> None:
    """AGE-MOV-03: a wheel alone brings the cavalry into contact, so it was there from the start."""
    horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 430])
    scene = destiny.battle(horse, destiny.unit("i", "red", front_mid=[440, 460]))
    after = destiny.done(scene, "move", "h", facing=math.degrees(math.asin(29.8 / 60.0))).battle
    assert after.unit("i").formation == "line" and after.unit("h").facing > 29.0


def test_no_square_forms_where_the_cavalry_stood() -> None:
    """AGE-MOV-03: there is no time if the cavalry starts on the ground that the square needs."""
    horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 450])
    foot = destiny.unit("i", "red", front_mid=[510, 460])
    after = destiny.done(destiny.battle(horse, foot), "charge", "h", path=((500.0, 459.8),)).battle
    assert after.unit("i").formation == "line"
    assert after.unit("h").front_mid == pytest.approx((500.0, 459.8))


@pytest.mark.parametrize("kind", ["withdraw", "retreat"])
def test_cavalry_that_goes_back_into_infantry_is_stopped_by_its_square(kind: str) -> None:
    """AGE-MOV-03, AGE-MOV-06: it ends behind its old place, where it touches the square."""
    horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 300])
    foot = destiny.unit("i", "red", front_mid=[510, 240], facing=0)
    after = destiny.done(destiny.battle(horse, foot), kind, "h", distance=19.8).battle
    assert after.unit("i").formation == "square"
    assert after.unit("h").bounds[1] == pytest.approx(after.unit("i").bounds[3]) == 256.0


# --- manoeuvres that cost nothing ------------------------------------------------------------------------------------

FREE = [
    (destiny.BUILDER, "french-line", "column", "square"),
    (destiny.BUILDER, "french-line", "square", "column"),
    (reason.BUILDER, "prussian-line", "column", "square"),
]


@pytest.mark.parametrize(("age", "quality", "now", "then"), FREE)
@pytest.mark.parametrize("debt", ["carried", "not-allowed"])
def test_a_change_of_formation_that_costs_nothing_needs_no_move(
    age: Builder, quality: str, now: str, then: str, debt: str
) -> None:
    """AGE-MOV-02, DES-FRM-01, REA-FRM-01: a quarter of a move less a quarter is free, after a whole move too."""
    spent = age.unit("a", quality=quality, formation=now, front_mid=[500, 300], marks={"spent": 1.0, "moved": True})
    scene = age.battle(spent, age.unit("red", "red", at=[500, 700]), manoeuvre_debt=debt)
    assert allowed(scene, "form", "a", formation=then)
    assert age.done(scene, "form", "a", formation=then).battle.unit("a").marks["spent"] == 1.0
    dear = age.battle(replace(spent, formation="line"), age.unit("red", "red", at=[500, 700]), manoeuvre_debt=debt)
    assert not allowed(dear, "form", "a", formation="square")


# --- charges ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("age", [destiny.BUILDER, glaube.BUILDER, gloire.BUILDER, reason.BUILDER])
@pytest.mark.parametrize("course", [{"facing": 0.0}, {"facing": 20.0}, {"path": ((500.0, 300.0),)}])
def test_a_charge_goes_straight_on(age: Builder, course: dict[str, Any]) -> None:
    """AGE-MOV-08: a unit in contact, or with nothing of its move left, gains no charge bonus where it stands."""
    horse = age.unit("h", "blue", "heavy-cavalry", front_mid=[500, 300])
    scene = age.battle(horse, age.unit("i", "red", front_mid=[500, 300.3]), square_when="never")
    assert why(scene, "charge", "h", **course) & {"AGE-MOV-08", "DES-MOV-01"}


def test_dragoons_that_have_dismounted_do_not_charge_on_the_spot() -> None:
    """REA-CAV-01, AGE-MOV-08: to dismount takes the whole move, and infantry 30 mm off is in reach from there."""
    dragoons = reason.unit("d", "blue", "dragoon-cavalry", quality="british", front_mid=[500, 300])
    scene = reason.battle(dragoons, reason.unit("m", "red", front_mid=[500, 330]), square_when="never")
    scene = reason.done(scene, "form", "d", formation="dismounted").battle
    assert why(scene, "charge", "d", facing=0.0) == {"AGE-MOV-08"}


def test_ground_within_a_charge() -> None:
    """AGE-MOV-08: none before the interval has passed; else only the way is measured, and the answer says so."""
    enemy = destiny.unit("red", "red", at=[500, 700])
    for turn, some in ((6, False), (7, True)):
        horse = destiny.unit("h", "blue", "light-cavalry", front_mid=[500, 300], marks={"charged": 1})
        scene = destiny.battle(horse, enemy, turn=turn)
        verdict = ask(scene, "reach", ["h"], {"as": "charge"})
        assert (verdict.measured["size"] > 0.0) is some
        sentence = headline(verdict, scene)
        expected = "provided that an enemy is then within its reach." if some else "may again from turn 7 on."
        assert sentence.endswith(expected)
        assert ask(scene, "reach", ["h"]).measured["size"] > 0.0


# --- the hedgehogs of Glaube -----------------------------------------------------------------------------------------


def hedgehog(gap: float) -> Unit:
    """Return veterans in hedgehog whose southern edge lies ``gap`` mm north of y = 300."""
    foot = glaube.unit("q", "red", formation="square", bases=8, quality="imperial-veterans", at=[500, 400], facing=180)
    return foot.moved(0.0, 300.0 + gap - foot.bounds[1])


def to_fight(scene: Battle) -> dict[str, tuple[str, ...]]:
    """Return whom the Swedes must fight in their combat phase."""
    return must_fight(replace(scene, clock=replace(scene.clock, phase="combat")), "blue")


@pytest.mark.parametrize(("gap", "fights"), [(30.0, False), (31.0, True), (45.0, True), (60.0, True)])
def test_cavalry_fights_a_hedgehog_that_forms_while_it_comes_on_from_outside(gap: float, fights: bool) -> None:
    """GLA-HDG-02: the line was more than 30 mm away when the cavalry set out, though the deeper hedgehog was not."""
    horse = glaube.unit("h", "blue", "heavy-cavalry", front_mid=[500, 250])
    line = glaube.unit("q", "red", bases=8, quality="imperial-veterans", front_mid=[500, 250 + gap])
    after = glaube.done(glaube.battle(horse, line), "charge", "h", path=((500, 250 + gap),)).battle
    assert after.unit("q").formation == "square"
    assert to_fight(after) == ({"h": ("q",)} if fights else {})


@pytest.mark.parametrize(("side", "fights"), [("blue", True), ("red", False)])
def test_cavalry_fights_a_hedgehog_that_it_comes_upon_in_pursuit(side: str, fights: bool) -> None:
    """GLA-HDG-02, AGE-CTL-02: in the rally phase of its own turn; not if it came there in the enemy's turn."""
    horse = glaube.unit("h", "blue", "heavy-cavalry", front_mid=[500, 230], marks={"pursuing": "prey"})
    prey = glaube.unit("prey", "red", status="routing", front_mid=[500, 600], facing=0)
    unfolding = Unfolding(glaube.battle(horse, hedgehog(0.0), prey, phase="rally", side=side))
    pursuit.pursue(unfolding, "h")
    assert unfolding.unit("h").bounds[3] == pytest.approx(300.0)
    assert to_fight(unfolding.battle) == ({"h": ("q",)} if fights else {})


def test_cavalry_that_comes_on_beside_a_hedgehog_fights_it() -> None:
    """GLA-HDG-02, AGE-SET-07: off the table it was outside the hedgehog's 30 mm."""
    late = glaube.unit("late", "blue", "heavy-cavalry", front_mid=[500, 0])
    foot = hedgehog(0.0)
    foot = foot.moved(0.0, 60.0 - foot.bounds[1])
    scene = glaube.battle(glaube.unit("a", at=[100, 300]), foot)
    setup = replace(scene.setup, arrivals=(Arrival(("late",), 1, (500.0, 0.0), 0.0),))
    came = glaube.done(replace(scene, setup=setup, awaited=(late,)), "enter", "late").battle
    assert came.unit("late").bounds[3] == pytest.approx(40.0)
    assert to_fight(came) == {"late": ("q",)}


def control_tested(step: Step) -> bool:
    """Return whether anybody's control was tested."""
    return any(isinstance(event, Told) and event.what == "control" for event in step.events)


@pytest.mark.parametrize(("gap", "tested"), [(30.0, False), (0.3, True)])
def test_control_is_tested_after_contact_alone(gap: float, tested: bool) -> None:
    """AGE-CTL-01, GLA-HDG-02: a hedgehog broken by pistols from a distance was not beaten in close combat."""
    horse = glaube.unit("h", "blue", "heavy-cavalry", front_mid=[500, 300], marks={"neared": ("q",)})
    numbers = [900, 0] if tested else [900]
    step = glaube.done(glaube.battle(horse, hedgehog(gap), phase="combat"), "combat", "h", "q", numbers=numbers)
    assert step.battle.unit("q").status == "routing"
    assert ("pursuing" in step.battle.unit("h").marks) is tested is control_tested(step)


@pytest.mark.parametrize("gap", [30.0, 0.3])
def test_a_hedgehog_does_not_pursue_cavalry_it_has_not_touched(gap: float) -> None:
    """AGE-CTL-01, GLA-HDG-02: as above, for disrupted cavalry that the hedgehog repels and routs."""
    horse = glaube.unit(
        "h", "blue", "heavy-cavalry", front_mid=[500, 300], status="disrupted", marks={"neared": ("q",)}
    )
    numbers = [399, 0] if gap < 1.0 else [399]
    step = glaube.done(glaube.battle(horse, hedgehog(gap), phase="combat"), "combat", "h", "q", numbers=numbers)
    assert step.battle.unit("h").status == "routing"
    assert ("pursuing" in step.battle.unit("q").marks) is (gap < 1.0) is control_tested(step)


@pytest.mark.parametrize(("start", "allows"), [(280.0, False), (270.0, False), (269.0, True), (200.0, True)])
def test_a_charge_at_a_hedgehog_begins_outside_its_reach(start: float, allows: bool) -> None:
    """GLA-HDG-02, AGE-MOV-08: from within 30 mm it could not attack it, and no other enemy is near."""
    horse = glaube.unit("h", "blue", "heavy-cavalry", front_mid=[500, start])
    scene = glaube.battle(horse, hedgehog(0.0))
    assert allowed(scene, "charge", "h", path=((500, 290),)) is allows
    if not allows:
        assert why(scene, "charge", "h", path=((500, 290),)) == {"GLA-HDG-02"}
        scene = glaube.battle(horse, hedgehog(0.0), glaube.unit("i", "red", front_mid=[590, 300]), square_when="never")
        assert allowed(scene, "charge", "h", path=((500, 299.8),)), "it comes into contact with a line too"
