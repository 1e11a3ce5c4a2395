"""Dusk, works, generals under artillery fire, orders in person, and what may count against a square."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tabletop.battle.event import Told
from tabletop.battle.progress import Objective
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.engine import play_of
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.sight.judge import sight_limit
from tabletop.rules.ages.turn.goals import needed
from tabletop.rules.ages.turn.sequence import advance
from tabletop.rules.ages.turn.victory import settled
from tests.ages import allowed, why
from tests.destiny import BUILDER, Numbers, action, battle, done, told, unit


def face_to_face(gap: float = 30.0) -> tuple[Unit, Unit]:
    return unit("blue", front_mid=[500, 300]), unit("red", "red", front_mid=[500, 300 + gap])


# --- dusk ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "limit"), [(8, float("inf")), (9, 500.0), (14, 500.0 * 7 / 12), (18, 125.0), (19, 100.0), (20, 100.0)]
)
def test_dusk_shortens_sight(turn: int, limit: float) -> None:
    """AGE-ART-04: night after turn 20; twelve turns are left in turn 9, three in turn 18, which is 125 mm."""
    scene = BUILDER.battle(*face_to_face(), turn=turn, options={"night": 20})
    assert sight_limit(scene) == pytest.approx(limit)
    assert sight_limit(battle(*face_to_face(), turn=turn)) == float("inf"), "no night unless the scenario says so"


@pytest.mark.parametrize(("far", "seen"), [(125.0, True), (126.0, False)])
def test_nobody_fires_at_what_he_does_not_see_at_dusk(far: float, seen: bool) -> None:
    """AGE-ART-04: 125 mm in the third turn from the end; sight and fire alike, with their reason."""
    gun, red = (
        unit("gun", "blue", "foot-artillery", front_mid=[500, 300]),
        unit("red", "red", front_mid=[500, 300 + far]),
    )
    scene = BUILDER.battle(gun, red, turn=18, phase="artillery", options={"night": 20})
    assert ask(scene, "los", ["gun", "red"]).holds is seen
    assert allowed(scene, "bombard", "gun", "red") is seen
    if not seen:
        assert why(scene, "bombard", "gun", "red") == {"AGE-ART-04"}
        by_day = battle(gun, red, turn=18, phase="artillery")
        assert allowed(by_day, "bombard", "gun", "red")


# --- works -----------------------------------------------------------------------------------------------------------


def test_works_count_double() -> None:
    """AGE-CBT-08: 200 less against a defender in a redoubt or behind a rampart, 200 more attacking out of it."""
    redoubt = Terrain.of_kind("redoubt", "redoubt", outline=[(440, 325), (560, 325), (560, 360), (440, 360)])
    rampart = Terrain.of_kind("rampart", "redoubt", line=[(400, 315), (600, 315)])
    hedge = Terrain.of_kind("hedge", "hedge", line=[(400, 315), (600, 315)])
    for piece, counts in ((redoubt, -200.0), (rampart, -200.0), (hedge, -100.0)):
        fight = fight_of(battle(*face_to_face(), terrain=[piece]), ["blue"], "red")
        assert [(f.name, f.amount) for f in fight.on_die] == [("defender ground", counts)]
    sallying = fight_of(battle(*face_to_face(), terrain=[redoubt], side="red"), ["red"], "blue")
    assert [(f.name, f.amount) for f in sallying.on_die] == [("attacker ground", 200.0)]


def test_a_scenario_names_works() -> None:
    """AGE-CBT-08: a wall with the trait counts double, a redoubt that covers less in an assault does not."""
    line = [(400, 315), (600, 315)]
    named = Terrain.of_kind("wall", "wall", line=line, traits=("works",))
    levelled = Terrain.of_kind("old", "redoubt", line=line, cover_assault="hard", movement="linear")
    for piece, counts in ((named, -200.0), (replace(named, traits=()), -100.0), (levelled, -100.0)):
        fight = fight_of(battle(*face_to_face(), terrain=[piece]), ["blue"], "red")
        assert [(f.name, f.amount) for f in fight.on_die] == [("defender ground", counts)], piece
    inside = Terrain.of_kind(
        "yard", "town", outline=[(440, 325), (560, 325), (560, 360), (440, 360)], traits=("works",)
    )
    sallying = fight_of(battle(*face_to_face(), terrain=[inside], side="red"), ["red"], "blue")
    assert [(f.name, f.amount) for f in sallying.on_die] == [("attacker ground", 200.0)]


# --- generals under artillery fire -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "stays", "helps"), [(49, False, False), (149, True, False), (150, True, True)])
def test_a_general_who_rallies_troops_under_fire(number: int, stays: bool, helps: bool) -> None:
    """AGE-RAL-08: fired at in the enemy's turn; the general throws before he helps; 600 alone is below 650."""
    shaken, general = unit("blue", status="disrupted", at=[500, 300]), unit("g", "blue", "general", at=[500, 272.5])
    gun = unit("gun", "red", "foot-artillery", front_mid=[500, 430])
    shot = done(battle(shaken, general, gun, phase="artillery", side="red"), "bombard", "gun", "blue", numbers=[0])
    assert shot.battle.unit("blue").marks["exposed"]
    rally = replace(shot.battle, clock=replace(shot.battle.clock, phase="rally", side="blue", turn=2))
    unfolding = Unfolding(rally, Numbers([float(number), 600.0]))
    advance(unfolding)
    assert unfolding.battle.has("g") is stays
    assert (unfolding.unit("blue").status == "ok") is helps
    assert "exposed" not in unfolding.unit("blue").marks


def test_a_general_is_in_no_danger_behind_the_lines() -> None:
    """AGE-RAL-08: troops neither fired at nor attacked: no test."""
    shaken, general = unit("blue", status="disrupted", at=[500, 300]), unit("g", "blue", "general", at=[500, 272.5])
    unfolding = Unfolding(battle(shaken, general, unit("red", "red", at=[500, 700]), phase="rally"), Numbers([600.0]))
    advance(unfolding)
    assert unfolding.unit("blue").status == "ok"
    assert not [e for e in unfolding.events if isinstance(e, Told) and e.what == "under fire"]


# --- orders without a messenger --------------------------------------------------------------------------------------


def test_a_general_orders_in_person() -> None:
    """AGE-ORD-02: troops he touches, without a throw; nobody farther off."""
    general = unit("g", "blue", "general", at=[500, 265])
    near, far = unit("near", front_mid=[500, 300]), unit("far", front_mid=[700, 300])
    scene = battle(general, near, far, unit("red", "red", at=[500, 700]))
    step = done(scene, "order", "g", stance="attack", to=("near",))
    assert step.battle.unit("near").marks["order"] == "attack"
    assert why(scene, "order", "g", stance="attack", to=("far",)) == {"AGE-ORD-02"}
    assert why(scene, "order", "g", stance="dance", to=("near",)) == {"AGE-ORD-02"}
    assert "order" in {choice.kind for choice in play_of(scene).menu(scene, "g") if choice.open}


def test_french_initiative() -> None:
    """DES-ORD-01: by ruling a French unit ordered to hold may attack or support by itself; others never."""
    french, other = unit("blue", marks={"order": "hold"}), unit("red", "red", at=[500, 700], marks={"order": "hold"})
    strict = battle(french, other)
    assert not allowed(strict, "order", "blue", stance="attack")
    loose = battle(french, other, french_initiative=True)
    step = done(loose, "order", "blue", stance="support")
    assert step.battle.unit("blue").marks["order"] == "support"
    assert why(loose, "order", "blue", stance="withdraw") == {"DES-ORD-01"}
    assert why(step.battle, "order", "blue", stance="attack") == {"DES-ORD-01"}, "it has no order to hold any more"
    prussians = battle(french, other, side="red", french_initiative=True)
    assert not allowed(prussians, "order", "red", stance="attack")


# --- squares ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruled", "found"), [(False, ""), (True, "broken")])
def test_a_charge_counts_against_a_square_by_ruling_alone(ruled: bool, found: str) -> None:
    """AGE-SQR-07: 800 and 100 for the charge are 900, where an organised square breaks."""
    horse = unit("h", "blue", "heavy-cavalry", front_mid=[500, 300], marks={"charging": True})
    square = unit("red", "red", formation="square", at=[500, 300])
    square = square.moved(0.0, 300.2 - square.bounds[1])
    scene = battle(horse, square, phase="combat", square_uses_modifiers=ruled)
    step = done(scene, "combat", "h", "red", numbers=[800])
    assert told(step, "square")["result"] == found
    odds = play_of(scene).odds(scene, action(scene, "combat", "h", "red"))
    assert odds is not None and sum(p for p, _ in odds.results) == pytest.approx(1.0)
    assert [factor.amount for factor in odds.factors] == ([100.0] if ruled else [])
    broken = sum(p for p, result in odds.results if "broken" in result.text or "square" in result.text)
    assert 0.0 < broken < 1.0


# --- ground ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("wanted", "how"), [(None, "ground"), (1, "ground"), (2, "casualties"), (0, "casualties")])
def test_how_many_a_side_needs_on_the_ground(wanted: int | None, how: str) -> None:
    """AGE-WIN-01: the scenario may say so for a side; one unit stands there in order."""
    options = {} if wanted is None else {"ground_units": {"blue": wanted}}
    scene = BUILDER.battle(unit("a"), unit("red", "red", at=[500, 700]), side="red", turn=10, options=options)
    ground = the_house()
    scene = replace(scene, setup=replace(scene.setup, objectives=(ground,)), memory={"army:blue": 5, "army:red": 5})
    ended = Unfolding(scene)
    assert needed(scene, "blue") == wanted and needed(scene, "red") is None
    assert settled(ended) and ended.battle.outcome is not None and ended.battle.outcome.how.split()[0] == how
    assert ("in good order" in play_of(scene).won(scene, "red")) is (wanted == 2)
    assert ("Hold" in play_of(scene).won(scene, "red")) is (wanted != 0)


def the_house() -> Objective:
    return Objective("house", (500.0, 300.0), 30.0, name="the house")
