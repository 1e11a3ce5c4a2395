"""Corrections of the rules: wheels in small steps, pursuit, turned backs, routs before rallies, arms at a square.

Each test states what the row says; all of them failed on the code before.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from random import Random

import pytest

from tabletop.battle import codec
from tabletop.battle.apply import fold
from tabletop.battle.battle import Battle
from tabletop.battle.event import Thrown
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit, distance_between
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.narration import sentences
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.computer.unit_value import loses
from tabletop.rules.ages.movement.costs import wheel_cost
from tabletop.rules.ages.movement.motion import along
from tabletop.rules.ages.turn.sequence import advance
from tests.bases import rectangles
from tests.realm import Faces, battle, done, unit, why

FAR = unit("far", "red", at=[100, 760])


# --- wheels in small steps -------------------------------------------------------------------------------------------


def _wheeled(mover: Unit, turns: list[float], step: float = 25.0) -> list[Point]:
    """Return a path on which a unit wheels by each of these angles and goes a step after each."""
    path, (x, y), facing = [], mover.front_mid, mover.facing
    for turn in turns:
        facing += turn
        x, y = x + step * math.sin(math.radians(facing)), y + step * math.cos(math.radians(facing))
        path.append((x, y))
    return path


def test_twelve_french_wheels_cost_no_less_than_one_turn() -> None:
    """ROC-FRM-02, ROC-FRM-04: a quarter is spared of every manoeuvre, but small wheels one way are one manoeuvre."""
    french = unit("blue", at=[500, 300])
    small = _wheeled(french, [15.0] * 12, 4.0)
    course = along(french, small)
    assert course.end.facing == pytest.approx(180.0)
    assert course.wheels >= wheel_cost(french, 180.0) > 0.0
    assert course.wheels == pytest.approx(1.5), "as dear as the dearest turn on the way: 105 degrees for 1.75 - 0.25"
    verdict = ask(battle(french, FAR), "move", ["blue"], {"path": small})
    assert not verdict.holds and verdict.measured["fraction"] == pytest.approx(1.5 + 48.0 / 50.0)


@pytest.mark.parametrize("quality", ["french-line", "prussian-line"])
@pytest.mark.parametrize("troop", ["infantry", "light-cavalry"])
def test_no_way_to_a_facing_is_cheaper_than_one_wheel(troop: str, quality: str) -> None:
    """ROC-FRM-02, ROC-FRM-04: any wheels, about-faces among them; mirrored they cost the same."""
    mover = unit("a", "blue", troop, quality=quality if troop == "infantry" else quality[:-5], at=[500, 300])
    draw = Random(14)
    for _ in range(60):
        turns = [float(draw.choice((5, 10, 15, 30, 45, 60, 90, 180))) * draw.choice((1, 1, -1)) for _ in range(6)]
        course = along(mover, _wheeled(mover, turns))
        assert course.wheels >= wheel_cost(mover, (sum(turns) + 180.0) % 360.0 - 180.0) - 1e-9, turns
        mirrored = along(mover, _wheeled(mover, [-turn for turn in turns]))
        assert mirrored.wheels == pytest.approx(course.wheels)


def test_wheels_to_and_fro_are_spared_a_quarter_each() -> None:
    """ROC-FRM-04: 45 degrees out and 45 back are two manoeuvres, half a move each for the French."""
    french = unit("blue", at=[500, 300])
    assert along(french, _wheeled(french, [45.0, -45.0])).wheels == pytest.approx(1.0)
    assert along(french, _wheeled(french, [45.0, 45.0])).wheels == pytest.approx(wheel_cost(french, 90.0))


# --- pursuit ---------------------------------------------------------------------------------------------------------


def test_only_cavalry_cuts_down_routers() -> None:
    """ROC-SQR-05, ROC-CTL-01: infantry out of hand pursues too, but takes no base."""
    for troop, quality, left in (("infantry", "french-old-guard", 4), ("heavy-cavalry", "french", 3)):
        victor = unit("blue", "blue", troop, quality=quality, front_mid=[500, 300])
        prey = unit("red", "red", quality="russian-opolchenie", front_mid=[500, 300.2], marks={"debt": 1.0})
        after = done(battle(victor, prey, FAR, phase="combat"), "combat", "blue", "red", dice=[4, 1]).battle
        assert after.unit("blue").marks["pursuing"] == "red"
        assert after.unit("red").strength == left


# --- backs turned ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("die", "status", "bases"), [(5, "routing", 4), (4, "routing", 4), (2, "ok", 5)], ids=["Dd", "Dx", "nothing"]
)
def test_a_turned_back_counts_as_disrupted_for_results(die: int, status: str, bases: int) -> None:
    """ROC-MOV-06: 10 against 5, 2:1; Dd and Dx take a base and rout, as of a unit disrupted before."""
    back = unit("red", "red", at=[500, 355], facing=0, marks={"retreating": True})
    aside = replace(back, facing=180.0, bases=unit("red", "red", at=[500, 355]).bases)
    after = done(battle(unit("blue", at=[500, 300]), aside, phase="combat"), "combat", "blue", "red", dice=[die])
    red = after.battle.unit("red")
    assert (red.status, red.strength) == (status, bases)
    assert after.battle.scores.get("blue", 0.0) == (2.0 if status == "routing" else 0.0), "no point for disruption"


def test_a_turned_back_under_fire_and_in_the_forecast() -> None:
    """ROC-MOV-06, ROC-ART-03: Dd does to it what it does to a disrupted unit; the odds foresee it."""
    gun = unit("gun", "blue", "heavy-artillery", at=[500, 300])
    back = unit("red", "red", front_mid=[500, 370], marks={"retreating": True})
    after = done(battle(gun, back, phase="artillery"), "bombard", "gun", "red", dice=[2]).battle
    assert (after.unit("red").status, after.unit("red").strength) == ("routing", 4)
    effects = {effect: amount for _, effect, amount in loses("Dd", back, False)[1]}
    assert effects == {"status:routing": 1.0, "lost": 1.0}


# --- routs before rallies --------------------------------------------------------------------------------------------


def _rally(scene: Battle, *faces: float) -> tuple[Battle, list[str]]:
    unfolding = Unfolding(scene, Faces([*faces]))
    advance(unfolding)
    return unfolding.battle, [e.purpose for e in unfolding.events if isinstance(e, Thrown)]


@pytest.mark.parametrize(("router", "friend"), [("a", "z"), ("z", "a")])
def test_routs_are_settled_before_rallies(router: str, friend: str) -> None:
    """ROC-SEQ-01, ROC-RAL-02, ROC-RAL-03: whatever they are called, the throw to halt comes first."""
    routing = unit(router, status="routing", at=[500, 300])
    shaken = unit(friend, status="disrupted", at=[700, 300])
    after, thrown = _rally(battle(routing, shaken, FAR, phase="rally"), 1, 6)
    assert thrown == ["halt", "rally"]
    assert after.unit(router).status == "routing" and after.unit(friend).status == "ok"


@pytest.mark.parametrize(("router", "friend"), [("a", "z"), ("z", "a")])
def test_whom_a_rout_runs_through_is_disrupted_before_he_is_rallied(router: str, friend: str) -> None:
    """ROC-RAL-02, ROC-RAL-03: no unit is rallied and then run through in one phase; who halts does not rally."""
    routing, ahead = unit(router, status="routing", at=[500, 300]), unit(friend, at=[500, 245])
    after, thrown = _rally(battle(routing, ahead, FAR, phase="rally"), 1, 6)
    assert thrown == ["halt", "rally"] and after.unit(friend).status == "ok" and after.scores == {"red": 1.0}
    halted, thrown = _rally(battle(routing, FAR, phase="rally"), 6, 6)
    assert thrown == ["halt"] and halted.unit(router).status == "disrupted"


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_who_stands_nearer_his_edge_runs_first(names: tuple[str, str]) -> None:
    """ROC-RAL-02: two routed units one behind the other: the hindmost throws first, whatever their names."""
    behind, before = names
    scene = battle(
        unit(behind, status="routing", at=[500, 200]), unit(before, status="routing", at=[500, 300]), FAR, phase="rally"
    )
    after, _ = _rally(scene, 6, 1)
    assert after.unit(behind).status == "disrupted" and after.unit(before).status == "routing"


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_the_base_of_a_group_is_lost_by_place(names: tuple[str, str]) -> None:
    """ROC-RES-01: two attackers as near the enemy: the one on his side's left loses the base, whatever his name."""
    left, right = names
    scene = battle(
        unit(left, at=[440, 310], quality="austrian-line"),
        unit(right, at=[560, 310], quality="austrian-line"),
        unit("red", "red", quality="british-guard", at=[500, 355]),
        phase="combat",
    )
    after = done(scene, "combat", "a", "red", dice=[1], **{"with": ("b",)}).battle
    assert (after.unit(left).strength, after.unit(right).strength) == (4, 5)


# --- arms against a square -------------------------------------------------------------------------------------------


def test_infantry_and_cavalry_at_a_square_are_two_arms() -> None:
    """ROC-CBT-04, ROC-SQR-01: the cavalry throws its two dice, and the infantry's odds gain the column."""
    square = unit("red", "red", formation="square", front_mid=[500, 300.2])
    horse = unit("horse", "blue", "heavy-cavalry", front_mid=[500, 300])
    foot = unit("foot", at=[500, 380], facing=180)
    gun = unit("gun", "blue", "heavy-artillery", at=[300, 100], marks={"fired": "red"})
    fight = fight_of(battle(horse, foot, square, phase="combat"), ["foot", "horse"], "red")
    assert (fight.arms, fight.odds, fight.column) == (2, "2:1", "3:1")
    assert fight.attack == 10, "the cavalry's strength is not in the odds: it fights by its own table"
    assert fight_of(battle(horse, foot, gun, square, phase="combat"), ["foot", "horse"], "red").arms == 3
    assert fight_of(battle(foot, square, phase="combat"), ["foot"], "red").column == "2:1"


# --- guns just taken -------------------------------------------------------------------------------------------------


def test_guns_just_taken_do_not_move() -> None:
    """ROC-ART-08: usable from the captor's next own turn: neither moved nor limbered before."""
    taken = unit("gun", "blue", "heavy-artillery", formation="limbered", marks={"captured": 1})
    for turn, against in ((1, {"ROC-ART-08"}), (2, set())):
        scene = battle(taken, FAR, turn=turn)
        assert why(scene, "move", "gun", path=[(500, 340)]) == against
        assert why(scene, "form", "gun", formation="unlimbered") == against


# --- messengers as they are needed -----------------------------------------------------------------------------------


def test_a_messenger_is_called_sent_and_dismissed() -> None:
    """ROC-ORD-01, ROC-ORD-02: put on the table beside his general, sent with an order, back, and taken off again."""
    general = unit("general", "blue", "general", at=[500, 100])
    scene = battle(general, unit("blue", at=[500, 215]), FAR)
    there = done(scene, "call", "general").battle
    officer = there.unit("general-officer")
    assert (officer.troop, officer.side, officer.parent) == ("staff-officer", "blue", "general")
    assert distance_between(officer, general) == pytest.approx(0.0, abs=1e-6)
    (base,) = rectangles(officer.bases)
    assert (base.frontage, base.depth) == (20.0, 40.0)
    assert why(there, "call", "general") == {"ROC-ORD-01"}, "one is free beside him"
    sent = done(there, "order", officer.id, stance="attack", to=("blue",)).battle
    assert why(sent, "dismiss", officer.id) == {"ROC-ORD-02"}, "he still carries it"
    gone = done(sent, "ride", officer.id, dice=[2], path=[(500, 187.2)]).battle
    assert gone.unit("blue").marks["order"] == "attack"
    assert why(gone, "dismiss", officer.id) == {"ROC-ORD-02"}, "he has not come back"
    second = done(gone, "call", "general").battle
    assert {u.id for u in second.units if u.troop == "staff-officer"} == {"general-officer", "general-officer-2"}
    off = done(there, "dismiss", officer.id).battle
    assert not off.has(officer.id) and off.scores == {}
    assert done(off, "call", "general").battle.has("general-officer-2"), "no two have one name"


def test_who_may_call_a_messenger_and_where_he_stands() -> None:
    """ROC-ORD-01: generals alone, in the movement phase, where the officer stands on the table and in no enemy."""
    general = unit("general", "blue", "general", at=[15, 20])
    corner = done(battle(general, FAR), "call", "general").battle.unit("general-officer")
    assert min(corner.footprint.bounds) >= 0.0
    assert why(battle(unit("blue"), FAR), "call", "blue") == {"ROC-ORD-01"}
    assert why(battle(general, FAR, phase="combat"), "call", "general") == {"ROC-SEQ-01"}
    ringed = [
        unit(name, "red", at=at, facing=facing)
        for name, at, facing in (
            ("n", [500, 328], 0), ("s", [500, 272], 0), ("e", [530, 300], 90), ("w", [470, 300], 90),
        )
    ]  # fmt: skip
    assert why(battle(unit("g", "blue", "general", at=[500, 300]), *ringed), "call", "g") == {"ROC-ORD-01"}


@pytest.mark.parametrize(("over", "behind"), [(-1e-13, True), (1e-13, True), (0.09, True), (0.11, False)])
def test_a_messenger_stands_at_the_very_edge_whatever_the_last_bit(over: float, behind: bool) -> None:
    """ROC-ORD-01: behind his general as long as he goes over the table's edge by no more than the tolerance."""
    (base,) = rectangles(unit("general", "blue", "general").bases)
    y = base.depth / 2 + 40.0 - over
    officer = done(
        battle(unit("general", "blue", "general", at=[500, 100]).moved(0.0, y - 100.0), FAR), "call", "general"
    )
    assert (officer.battle.unit("general-officer").at[0] == pytest.approx(500.0)) is behind


def test_a_messenger_called_is_on_record_and_comes_back_from_it() -> None:
    """ROC-ORD-01: as an event of plain data the same figure is put on the table again."""
    general = unit("general", "blue", "general", at=[500, 100], name="Blücher")
    step = done(battle(general, FAR), "call", "general")
    again = [codec.event_of(json.loads(json.dumps(codec.event_data(event)))) for event in step.events]
    assert again == list(step.events)
    assert fold(battle(general, FAR), again) == step.battle
    assert list(sentences(battle(general, FAR), step.events)) == ["Blücher's officer was put on the table."]


# --- who pursues -----------------------------------------------------------------------------------------------------


def test_a_routing_defender_that_throws_its_attacker_back_pursues_nobody() -> None:
    """ROC-CTL-01, ROC-RAL-02: it runs until it is rallied, whatever becomes of its attacker."""
    horse = unit("h", "red", "light-cavalry", quality="austrian", front_mid=[500, 300], facing=180, status="disrupted")
    guard = unit("g", quality="french-old-guard", front_mid=[500, 284.8], facing=180, status="routing")
    scene = battle(horse, guard, unit("x", at=[100, 100]), FAR, phase="combat", side="red")
    after = done(scene, "combat", "h", "g", dice=[1]).battle
    assert after.unit("h").status == "routing" and not after.pending
    assert after.unit("g").at[1] <= guard.at[1], "it runs on, home to the south"
    assert "pursuing" not in after.unit("g").marks


# --- cavalry that finds a square where a line was --------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["charge", "move"])
@pytest.mark.parametrize("ground", ["lake", "woods", None])
def test_a_ride_goes_on_only_to_a_square_and_only_where_it_might_have_gone(kind: str, ground: str | None) -> None:
    """ROC-MOV-01, ROC-FRM-06: where the square no longer stands in its way it ends where it was to end."""
    horse = unit("horse", "blue", "heavy-cavalry", quality="french", formation="column", front_mid=[440, 300])
    line, behind = unit("a", "red", front_mid=[500, 320]), unit("b", "red", front_mid=[440, 400])
    pieces = [Terrain.of_kind("g", ground, outline=[(380, 350), (465, 350), (465, 395), (380, 395)])] if ground else []
    after = done(battle(horse, line, behind, FAR, terrain=pieces), kind, "horse", path=[(440.0, 319.9)]).battle
    assert after.unit("a").formation == "square" and after.unit("b").formation == "line"
    assert after.unit("horse").front_mid == pytest.approx((440.0, 319.9))


def test_a_ride_at_a_column_goes_on_to_the_square_it_forms() -> None:
    """ROC-FRM-06: the square of a column stands back a little, straight ahead, and is come upon."""
    horse = unit("horse", "blue", "heavy-cavalry", quality="french", front_mid=[500, 300])
    column = unit("a", "red", formation="column", front_mid=[500, 340])
    after = done(battle(horse, column, FAR), "charge", "horse", path=[(500.0, 340.0)]).battle
    assert after.unit("a").formation == "square"
    assert distance_between(after.unit("horse"), after.unit("a")) == pytest.approx(0.0, abs=0.2)


def test_a_french_column_forms_square_whatever_it_owes() -> None:
    """ROC-FRM-06: the change costs the French nothing from column, so there is always time."""
    column = unit("m", formation="column", front_mid=[500, 300], marks={"debt": 1.4})
    horse = unit("h", "red", "heavy-cavalry", front_mid=[500, 360], facing=180)
    after = done(battle(column, horse, side="red"), "charge", "h", path=[(500.0, 300.2)]).battle
    assert after.unit("m").formation == "square"
    prussian = unit("m", quality="prussian-line", formation="column", front_mid=[500, 300], marks={"debt": 0.8})
    after = done(battle(prussian, horse, side="red"), "charge", "h", path=[(500.0, 300.2)]).battle
    assert after.unit("m").formation == "column"
