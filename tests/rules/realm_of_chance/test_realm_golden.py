"""The worked cases of Realm of Chance, each by its number: G01 to G18."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.event import Scored
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Terrain
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.combat.odds import column, fire_result, ratio, result, square_result
from tabletop.rules.ages.fire.judge import band_of, bands, die_bonus
from tabletop.rules.ages.morale.rout import charge_speed
from tabletop.rules.ages.morale.status import strength
from tabletop.rules.ages.movement.legality import allowance, planned_move
from tabletop.rules.ages.turn.sequence import advance
from tabletop.rules.realm_of_chance.profile import PROFILE
from tabletop.rules.realm_of_chance.victory import credit, margin_name, standing
from tests.realm import allowed, battle, done, told, unit

#: Two battalions face to face, 40 mm apart.
BLUE = unit("blue", at=[500, 300])
RED = unit("red", "red", at=[500, 355])


def test_g01_strength_of_a_battalion() -> None:
    """Five figures of French line: 5 * 2 in order, 5 * 1 disrupted (ROC-CBT-03, ROC-EFF-01)."""
    assert strength(BLUE) == 10
    assert strength(replace(BLUE, status="disrupted")) == 5


@pytest.mark.parametrize(("a", "d", "odds"), [(10, 10, "1:1"), (10, 5, "2:1"), (5, 10, "1:2"), (4, 10, "1:2")])
def test_g02_odds(a: int, d: int, odds: str) -> None:
    """The ratio cut to whole numbers: 10 div 4 is 2 (ROC-ODD-01)."""
    assert ratio(a, d) == odds


def test_g04_the_prussian_attack() -> None:
    """Ten against ten, a 1: the attacker is disrupted (ROC-RES-02)."""
    scene = battle(BLUE, RED, phase="combat", side="red")
    step = done(scene, "combat", "red", "blue", dice=[1])
    assert told(step, "combat")["odds"] == "1:1" and told(step, "combat")["result"] == "Ad"
    assert step.battle.unit("red").status == "disrupted" and step.battle.unit("red").strength == 5
    assert step.battle.scores == {"blue": 1.0}


@pytest.mark.parametrize(("die", "found"), [(5, "Dd"), (4, "Dx")])
def test_g05_the_french_answer(die: int, found: str) -> None:
    """Ten against five, 2:1 (ROC-ODD-01)."""
    scene = battle(BLUE, replace(RED, status="disrupted"), phase="combat")
    step = done(scene, "combat", "blue", "red", dice=[die])
    assert told(step, "combat")["column"] == "2:1" and told(step, "combat")["result"] == found


def test_g06_both_disrupted_the_prussians_rout() -> None:
    """After the 4: the French disrupted, the Prussians a base less and routing, strength 4 * 1 (ROC-RES-03)."""
    scene = battle(BLUE, replace(RED, status="disrupted"), phase="combat")
    after = done(scene, "combat", "blue", "red", dice=[4]).battle
    assert after.unit("blue").status == "disrupted" and after.unit("blue").strength == 5
    assert after.unit("red").status == "routing" and after.unit("red").strength == 4
    assert strength(after.unit("red")) == 4
    assert after.scores == {"red": 1.0, "blue": 2.0}


@pytest.mark.parametrize(("charging", "found"), [(None, "Dx"), (True, "Dd")])
def test_g08_two_arms_and_a_charge(charging: bool | None, found: str) -> None:
    """Infantry 10 and cuirassiers 24 against 10: 3:1, two arms make it 4:1; a 2, charging a 3 (ROC-CBT-04, -07)."""
    marks = {"charging": True} if charging else {}
    horse = unit("horse", "blue", "heavy-cavalry", front_mid=[550, 347.5], bases=3, marks=marks)
    scene = battle(unit("blue", at=[450, 310]), horse, RED, phase="combat")
    fight = fight_of(scene, ["blue", "horse"], "red")
    assert (fight.attack, fight.defence, fight.odds, fight.arms, fight.zone) == (34, 10, "3:1", 2, "front")
    step = done(scene, "combat", "blue", "red", dice=[2], **{"with": ("horse",)})
    assert told(step, "combat")["column"] == "4:1" and told(step, "combat")["result"] == found


def test_g09_shifted_before_it_is_cut() -> None:
    """3 against 35 from the rear: 1:7, two up is 1:5, and a 6 disrupts the attacker (ROC-ODD-04)."""
    assert ratio(3, 35) == "1:7"
    assert column(battle(), "1:7", 2) == "1:5"
    assert result(PROFILE, "1:5", 6) == "Ad"
    assert result(PROFILE, "1:3", 6) == ""


def test_g10_seven_to_one_counts_as_six() -> None:
    """35 against 4: 8 to 1, capped at 7, read at 6 to 1: a 1 disrupts the defender (ROC-ODD-01, ROC-ODD-04)."""
    assert ratio(35, 4) == "7:1"
    assert column(battle(), "7:1", 0) == "6:1"
    assert result(PROFILE, "6:1", 1) == "Dd"


def test_g12_heavy_guns_at_181_mm() -> None:
    """A 4 at a column is 5: disrupted; horse guns do not reach (ROC-ART-03, ROC-ART-05, ROC-ART-06)."""
    gun = unit("gun", "blue", "heavy-artillery", at=[500, 300])
    horse = unit("horse", "blue", "horse-artillery", at=[560, 300])
    red = unit("red", "red", formation="column", front_mid=[500, 320 + 181])
    scene = battle(gun, horse, red, phase="artillery")
    step = done(scene, "bombard", "gun", "red", dice=[4])
    assert told(step, "fire")["range"] == pytest.approx(181.0) and told(step, "fire")["result"] == "Dd"
    assert not allowed(scene, "bombard", "horse", "red")
    assert band_of(scene, "horse", 181.0) is None and band_of(scene, "heavy", 181.0) == 3
    assert bands(PROFILE, "horse")[-1] == 180.0


def test_g13_heavy_guns_at_a_square() -> None:
    """A 3 at 100 mm at a square is 5: routed (ROC-ART-06)."""
    gun = unit("gun", "blue", "heavy-artillery", at=[500, 300])
    red = unit("red", "red", formation="square", front_mid=[500, 420])
    step = done(battle(gun, red, phase="artillery"), "bombard", "gun", "red", dice=[3])
    assert told(step, "fire") == {"range": pytest.approx(100.0), "die bonus": 2, "result": "Dr"}
    assert step.battle.unit("red").status == "routing" and step.battle.unit("red").strength == 4
    assert die_bonus(red) == 2 and fire_result(PROFILE, "heavy", 1, 5) == "Dr"


@pytest.mark.parametrize(
    ("formation", "roads", "expected"), [("line", False, 50.0), ("column", False, 60.0), ("column", True, 70.0)]
)
def test_g14_moves(formation: str, roads: bool, expected: float) -> None:
    """French line infantry in line, in column, in column on a road (ROC-MOV-01, ROC-MOV-02, ROC-MOV-04)."""
    road = Terrain.of_kind("road", "road", line=[(500, 0), (500, 800)], width=20)
    mover = unit("blue", formation=formation, front_mid=[500, 300])
    scene = battle(mover, terrain=[road] if roads else [])
    assert (
        allowance(scene, mover, "move", planned_move(scene, mover, "move", {"path": [(500, 310)]}).course) == expected
    )
    far = [(500, 300 + expected)]
    assert allowed(scene, "move", "blue", path=far)
    assert not allowed(scene, "move", "blue", path=[(500, 300 + expected + 0.2)])


def test_g14_a_rout_goes_at_charge_speed() -> None:
    """50 and 10 (ROC-RAL-02)."""
    assert charge_speed(BLUE) == 60.0


@pytest.mark.parametrize(
    ("state", "thrown", "found"),
    [("ok", 6, "repelled"), ("ok", 7, ""), ("ok", 11, "broken"),
     ("disrupted", 4, "repelled"), ("disrupted", 5, ""), ("disrupted", 8, "broken")],
)  # fmt: skip
def test_g16_two_dice_at_a_square(state: str, thrown: int, found: str) -> None:
    """ROC-SQR-02, ROC-SQR-03; and every sum from 2 to 12 has its result."""
    assert square_result(PROFILE, state, thrown) == found
    counts = {"ok": (15, 18, 3), "disrupted": (6, 15, 15)}[state]
    sums = [square_result(PROFILE, state, a + b) for a in range(1, 7) for b in range(1, 7)]
    assert tuple(sums.count(word) for word in ("repelled", "", "broken")) == counts


def _rallied(one: Unit, die: int, general_at: Point) -> Unit:
    """Return the unit after its side's rally phase, a general standing somewhere."""
    from tabletop.battle.dice import ScriptedDice

    general = unit("general", "blue", "general", at=list(general_at))
    enemy = unit("enemy", "red", at=[500, 700])
    scene = battle(one, general, enemy, phase="rally")
    unfolding = Unfolding(scene, ScriptedDice([float(die)]))
    advance(unfolding)
    return unfolding.unit(one.id)


def test_g17_a_general_helps_to_rally() -> None:
    """Old Guard disrupted, a 1 with the general: 1 + 1 reaches 2. Routing, a 5: 5 + 1 stops (ROC-RAL-03, -04)."""
    guard = unit("guard", quality="french-old-guard", status="disrupted", at=[500, 300])
    with_him, alone = (500, 300 - 7.5 - 20), (500, 100)
    assert _rallied(guard, 1, with_him).status == "ok"
    assert _rallied(guard, 1, alone).status == "disrupted"
    routing = replace(guard, status="routing")
    assert _rallied(routing, 5, with_him).status == "disrupted"
    assert _rallied(routing, 5, alone).status == "routing"


def test_g18_points_and_margins() -> None:
    """Three units disrupted, four bases, one gun to nothing: 3 + 8 + 5 = 16; one less is 15 (ROC-VP-02)."""
    unfolding = Unfolding(battle(BLUE, RED))
    for what, times in (("disrupted", 3), ("base", 4), ("gun", 1)):
        credit(unfolding, RED, what, times)
    assert standing(unfolding.battle) == ("blue", 16.0, "major")
    unfolding.happen(Scored("red", 1.0, "one of ours"))
    assert standing(unfolding.battle) == ("blue", 15.0, "marginal")
    assert [margin_name(m) for m in (0, 5, 6, 15, 16, 30, 31)] == [
        "draw", "draw", "marginal", "marginal", "major", "major", "decisive",
    ]  # fmt: skip
