"""What happens in play: rally and rout, fire, movement, orders, combat, squares, pursuit, victory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tabletop.battle.action import ANSWER, Action
from tabletop.battle.battle import Battle
from tabletop.battle.progress import Setup
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import distance_between
from tabletop.geometry.terrain import Terrain
from tabletop.play.engine import begin, play_of, submit
from tabletop.play.files.load import load_scene, load_scene_data
from tabletop.rules.ages.morale.edges import bearing_home
from tabletop.rules.ages.morale.status import factor, strength
from tabletop.rules.ages.turn.sequence import advance
from tabletop.rules.realm_of_chance.victory import standing
from tests.realm import Faces, allowed, battle, done, told, unit, why

ROOT = Path(__file__).parents[3]
FAR = unit("far", "red", at=[100, 760])


def rallied(scene: Battle, *faces: int) -> Battle:
    """Return the battle after the rally phase of the side to move."""
    chance = Faces([*map(float, faces)])
    unfolding = Unfolding(scene, chance)
    advance(unfolding)
    assert not chance.script, chance.thrown
    return unfolding.battle


# --- the turn --------------------------------------------------------------------------------------------------------


def test_the_sequence_of_play() -> None:
    """ROC-SEQ-01: rally, artillery (passed over without guns), movement, combat; then the other side, then turn 2."""
    scene = replace(battle(unit("blue", at=[300, 100]), FAR), clock=replace(battle().clock, turn=0))
    now, seen = begin(scene, 1).battle, []
    for _ in range(4):
        seen.append((now.clock.turn, now.clock.side, now.clock.phase))
        now = done(now, "done").battle
    assert seen == [(1, "blue", "movement"), (1, "red", "movement"), (2, "blue", "movement"), (2, "red", "movement")]
    guns = unit("gun", "blue", "heavy-artillery", at=[100, 500])
    assert begin(battle(guns, FAR, turn=0), 1).battle.clock.phase == "artillery"


def test_own_edges() -> None:
    """ROC-MOV-07: as the scenario says, else the edge behind each side."""
    scene = battle(unit("blue"), FAR)
    assert (bearing_home(scene, "blue"), bearing_home(scene, "red")) == (180.0, 0.0)
    silent = replace(scene, setup=Setup(sides=("blue", "red")))
    assert (bearing_home(silent, "blue"), bearing_home(silent, "red")) == (180.0, 0.0)
    west = replace(silent, units=(unit("blue", at=[100, 400]), unit("far", "red", at=[900, 500])))
    assert (bearing_home(west, "blue"), bearing_home(west, "red")) == (270.0, 90.0)


# --- rally and rout --------------------------------------------------------------------------------------------------


def test_rout_stops_on_a_six() -> None:
    """ROC-RAL-01: disrupted then, and not rallied again in the same phase; that is no point for anybody."""
    routing = unit("blue", status="routing", at=[500, 300])
    stopped = rallied(battle(routing, FAR, phase="rally"), 6)
    assert stopped.unit("blue").status == "disrupted" and stopped.unit("blue").at == (500, 300)
    assert stopped.scores == {} and stopped.throws == 1


def test_who_does_not_stop_runs_home() -> None:
    """ROC-RAL-02: 60 mm for French line infantry, its back to the enemy."""
    ran = rallied(battle(unit("blue", status="routing", at=[500, 300]), FAR, phase="rally"), 5).unit("blue")
    assert ran.at == pytest.approx((500, 240)) and ran.facing == 180.0 and ran.status == "routing"


def test_disrupted_units_are_rallied_by_their_value() -> None:
    """ROC-RAL-03: French line needs a 5."""
    scene = battle(unit("blue", status="disrupted"), FAR, phase="rally")
    assert rallied(scene, 4).unit("blue").status == "disrupted"
    assert rallied(scene, 5).unit("blue").status == "ok"


def test_a_general_must_touch() -> None:
    """ROC-RAL-04: within half a millimetre; an enemy's general helps nobody."""
    hurt = unit("blue", status="disrupted", at=[500, 300])
    for gap, side, status in ((0.5, "blue", "ok"), (0.8, "blue", "disrupted"), (0.5, "red", "disrupted")):
        general = unit("g", side, "general", at=[500, 300 - 7.5 - 20 - gap])
        assert rallied(battle(hurt, general, FAR, phase="rally"), 4).unit("blue").status == status


def test_disrupted_units_move_as_others_do() -> None:
    """ROC-RAL-05."""
    assert allowed(battle(unit("blue", status="disrupted"), FAR), "move", "blue", path=[(500, 357.5)])


def test_a_rout_runs_through_friends_and_ends_clear_of_them() -> None:
    """ROC-RAL-05, ROC-MOV-07: the friend is disrupted, a point to the enemy; one disrupted already gets no worse."""
    routing = unit("blue", status="routing", at=[500, 300])
    friend = unit("friend", at=[500, 245])
    after = rallied(battle(routing, friend, FAR, phase="rally"), 1)
    assert after.unit("friend").status == "disrupted" and after.scores == {"red": 1.0}
    assert distance_between(after.unit("blue"), after.unit("friend")) == pytest.approx(0.0, abs=0.11)
    assert after.unit("blue").at[1] < 231
    assert not play_of(after).faults(after)
    worn = rallied(battle(routing, replace(friend, id="z", status="disrupted"), FAR, phase="rally"), 1, 1)
    assert worn.unit("z").status == "disrupted" and worn.scores == {}


def test_a_rout_disrupts_enemies_in_its_way_unless_ruled_otherwise() -> None:
    """ROC-MOV-07."""
    routing, red = unit("blue", status="routing", at=[500, 300]), unit("red", "red", at=[500, 260])
    for ruling, status in (("any", "disrupted"), ("friends", "ok")):
        scene = battle(routing, red, phase="rally", rout_disrupts=ruling)
        assert rallied(scene, 1).unit("red").status == status


def test_off_the_board_is_lost() -> None:
    """ROC-MOV-07, ROC-VP-01: five bases, ten points."""
    after = rallied(
        battle(unit("blue", status="routing", at=[500, 40]), unit("b", at=[200, 300]), FAR, phase="rally"), 1
    )
    assert not after.has("blue") and after.fallen[0].how == "fled" and after.scores == {"red": 10.0}


def test_a_rout_goes_round_a_lake() -> None:
    """ROC-MOV-07: never into ground nobody can enter."""
    lake = Terrain.of_kind("lake", "lake", outline=[(430, 180), (570, 180), (570, 280), (430, 280)])
    ran = rallied(battle(unit("blue", status="routing", at=[500, 300]), FAR, terrain=[lake], phase="rally"), 1).unit(
        "blue"
    )
    assert not ran.footprint.buffer(-0.1).intersects(lake.shape)


# --- fire ------------------------------------------------------------------------------------------------------------

GUN = unit("gun", "blue", "heavy-artillery", at=[500, 300])


def test_fire_does_what_combat_does() -> None:
    """ROC-ART-03, ROC-RES-04, ROC-RES-05: Dd disrupts, or routs who is disrupted; Dr routs at once."""
    red = unit("red", "red", front_mid=[500, 320 + 50])
    scene = battle(GUN, red, phase="artillery")
    assert done(scene, "bombard", "gun", "red", dice=[1]).battle.unit("red").status == "ok"
    assert done(scene, "bombard", "gun", "red", dice=[2]).battle.unit("red").status == "disrupted"
    again = done(
        battle(GUN, replace(red, status="disrupted"), phase="artillery"), "bombard", "gun", "red", dice=[2]
    ).battle
    assert again.unit("red").status == "routing" and again.unit("red").strength == 4
    routed = done(scene, "bombard", "gun", "red", dice=[4]).battle
    assert routed.unit("red").status == "routing" and routed.scores == {"blue": 2.0}


def test_guns_passed_through_are_taken() -> None:
    """ROC-ART-08, ROC-VP-01: five points; not used this turn, used in the captor's next; nobody stands in them."""
    guns = unit("guns", "red", "heavy-artillery", at=[500, 340])
    after = done(battle(unit("blue", at=[500, 300]), guns, FAR), "move", "blue", path=[(500, 340)]).battle
    taken = after.unit("guns")
    assert taken.side == "blue" and after.scores == {"blue": 5.0} and not play_of(after).faults(after)
    assert taken.marks["captured"] == 1
    target = unit("target", "red", at=[500, 600])
    for turn, may in ((1, False), (2, True)):
        there = battle(replace(taken, formation="unlimbered"), target, phase="artillery", turn=turn)
        assert allowed(there, "bombard", "guns", "target") is may


# --- movement --------------------------------------------------------------------------------------------------------


def test_friends_passed_through() -> None:
    """ROC-MOV-05: both are disrupted, who is so already no further; the enemy bars the way."""
    column, friend = unit("blue", formation="column", front_mid=[500, 300]), unit("friend", at=[500, 320])
    horse = unit("horse", "blue", "light-cavalry", front_mid=[500, 300])
    after = done(battle(horse, friend, FAR), "move", "horse", path=[(500, 380)]).battle
    assert after.unit("horse").status == after.unit("friend").status == "disrupted"
    assert after.scores == {"red": 2.0}
    bad = done(battle(replace(horse, status="disrupted"), friend, FAR), "move", "horse", path=[(500, 380)]).battle
    assert bad.scores == {"red": 1.0}
    assert why(battle(column, friend, FAR), "move", "blue", path=[(500, 330)]) == {"ROC-MOV-05"}, "it would end in him"
    enemy = unit("enemy", "red", at=[500, 320])
    assert "ROC-MOV-05" in why(battle(horse, enemy), "move", "horse", path=[(500, 380)])


def test_changing_formation_leaves_a_unit_fit_to_fight() -> None:
    """ROC-FRM-05: formed this turn, it attacks this turn."""
    scene = battle(
        unit("blue", quality="prussian-line", formation="column", front_mid=[500, 310]),
        unit("red", "red", at=[500, 355]),
    )
    formed = done(scene, "form", "blue", formation="line").battle
    fighting = done(formed, "done").battle
    assert fighting.clock.phase == "combat" and allowed(fighting, "combat", "blue", "red")
    assert strength(fighting.unit("blue")) == 10


# --- squares ---------------------------------------------------------------------------------------------------------

HORSE = unit("horse", "blue", "heavy-cavalry", front_mid=[500, 300])


def _charged(red_marks: dict[str, float], *, quality: str = "prussian-line", formation: str = "line") -> Battle:
    red = unit("red", "red", quality=quality, formation=formation, front_mid=[500, 380], marks=red_marks)
    return done(battle(HORSE, red), "charge", "horse", path=[(500, 379.9)]).battle


def test_infantry_forms_square_if_there_is_time() -> None:
    """ROC-FRM-06: half a move of its next is needed; the cavalry ends touching the square."""
    after = _charged({})
    assert after.unit("red").formation == "square" and after.unit("red").marks["debt"] == 0.5
    assert distance_between(after.unit("horse"), after.unit("red")) < 0.5
    assert not play_of(after).faults(after)
    assert _charged({"debt": 0.5}).unit("red").formation == "square"
    late = _charged({"debt": 0.6})
    assert late.unit("red").formation == "line" and distance_between(late.unit("horse"), late.unit("red")) < 0.5


def test_the_french_in_column_always_have_time() -> None:
    """ROC-FRM-06, ROC-FRM-04: a quarter less a quarter."""
    after = _charged({"debt": 1.0}, quality="french-line", formation="column")
    assert after.unit("red").formation == "square"
    assert _charged({"debt": 1.0}, formation="column").unit("red").formation == "column"


def test_routing_infantry_forms_no_square() -> None:
    """ROC-SQR-05."""
    red = unit("red", "red", front_mid=[500, 380], status="routing")
    after = done(battle(HORSE, red), "move", "horse", path=[(500, 379.9)]).battle
    assert after.unit("red").formation == "line"
    assert why(battle(unit("blue", status="routing"), FAR), "form", "blue", formation="square") >= {"ROC-SQR-05"}


def _at_square(status: str, *dice: int, horse: str = "ok") -> Battle:
    square = unit("red", "red", formation="square", front_mid=[500, 300.2], status=status)
    rider = unit("horse", "blue", "heavy-cavalry", front_mid=[500, 300], status=horse, marks={"charging": True})
    return done(battle(rider, square, phase="combat"), "combat", "horse", "red", dice=dice).battle


def test_cavalry_at_a_square_throws_two_dice() -> None:
    """ROC-SQR-01, ROC-SQR-02: nothing modifies them, a charge neither."""
    driven_off = _at_square("ok", 3, 3)
    assert driven_off.unit("horse").status == "disrupted" and driven_off.unit("red").formation == "square"
    assert _at_square("ok", 3, 4).unit("horse").status == "ok"


def test_a_broken_square_routs() -> None:
    """ROC-SQR-04, ROC-SQR-03: a base less; the cavalry is as it was. Disrupted it breaks on an 8."""
    for status, dice in (("ok", (5, 6)), ("disrupted", (4, 4))):
        after = _at_square(status, *dice, 6)
        assert after.unit("red").status == "routing" and after.unit("red").strength == 4
        assert after.unit("red").formation == "column" and after.unit("horse").status == "ok"


def test_cavalry_disrupted_twice_routs() -> None:
    """ROC-SQR-04."""
    after = _at_square("ok", 2, 2, horse="disrupted")
    assert after.unit("horse").status == "routing" and after.unit("horse").strength == 3


# --- orders ----------------------------------------------------------------------------------------------------------


def test_a_staff_officer_takes_an_order_and_brings_it() -> None:
    """ROC-ORD-01, ROC-ORD-02: 150 mm a turn in any direction; a 1 is lost; then he must return before the next."""
    general = unit("general", "blue", "general", at=[500, 100])
    officer = unit("officer", "blue", "staff-officer", parent="general", at=[500, 60])
    scene = battle(general, officer, unit("blue", at=[500, 235]), FAR)
    assert not allowed(scene, "ride", "officer", path=[(500, 215)])
    given = done(scene, "order", "officer", stance="attack", to=("blue",)).battle
    for face, order in ((2, "attack"), (1, None)):
        there = done(given, "ride", "officer", dice=[face], path=[(500, 207.2)])
        assert told(there, "order")["understood"] is (order is not None)
        assert there.battle.unit("blue").marks.get("order") == order
        assert "carries" not in there.battle.unit("officer").marks
        assert why(there.battle, "order", "officer", stance="hold", to=("blue",)) == {"ROC-ORD-02"}
    assert why(given, "order", "officer", stance="hold", to=("blue",)) == {"ROC-ORD-02"}, "one order at a time"
    assert "ROC-ORD-01" in why(scene, "order", "officer", stance="dance", to=("blue",))


def test_a_messenger_ridden_down_is_taken() -> None:
    """ROC-ORD-03: his order goes to the enemy general nearest; he has no strength and stops nobody."""
    rider = unit("rider", "red", "staff-officer", at=[500, 340], marks={"carries": {"stance": "hold", "to": ("far",)}})
    near, other = unit("near", "blue", "general", at=[500, 200]), unit("other", "blue", "general", at=[900, 100])
    step = done(battle(unit("blue"), near, other, rider, FAR), "move", "blue", path=[(500, 350)])
    assert told(step, "messenger taken") == {"order": {"stance": "hold", "to": ("far",)}, "to": "near"}
    assert not step.battle.has("rider") and step.battle.scores == {}


def test_generals_ride_150_mm() -> None:
    """ROC-ORD-04: over any ground."""
    scene = battle(
        unit("g", "blue", "general", at=[500, 300]),
        FAR,
        terrain=[Terrain.of_kind("w", "woods", outline=[(400, 310), (600, 310), (600, 400), (400, 400)])],
    )
    assert allowed(scene, "ride", "g", path=[(500, 450)]) and not allowed(scene, "ride", "g", path=[(500, 450.2)])


# --- combat ----------------------------------------------------------------------------------------------------------

BLUE, RED = unit("blue", at=[500, 300]), unit("red", "red", at=[500, 355])


def test_combat_is_compulsory() -> None:
    """ROC-CBT-01: the phase ends by itself only when nobody is left in range; each fights once."""
    scene = done(battle(BLUE, RED), "done").battle
    assert scene.clock.phase == "combat" and not allowed(scene, "done")
    after = done(scene, "combat", "blue", "red", dice=[3]).battle
    assert after.clock.side == "red" and after.clock.phase == "movement"
    assert done(battle(BLUE, FAR), "done").battle.clock.side == "red"


def test_who_could_fight_nobody_else_joins_in() -> None:
    """ROC-CBT-01: a defender is fought once, by all its attackers together."""
    left, right = unit("left", at=[440, 310]), unit("right", at=[560, 310])
    scene = battle(left, right, RED, phase="combat")
    assert why(scene, "combat", "left", "red") == {"ROC-CBT-01"}
    assert allowed(scene, "combat", "left", "red", **{"with": ("right",)})
    two = battle(left, right, unit("red", "red", at=[440, 355]), unit("red2", "red", at=[560, 355]), phase="combat")
    assert allowed(two, "combat", "left", "red")
    after = done(two, "combat", "left", "red", dice=[3]).battle
    assert why(after, "combat", "right", "red") == {"ROC-CBT-01"} and allowed(after, "combat", "right", "red2")


def test_attacker_routed() -> None:
    """ROC-RES-01: 5 against 20, 1:4, a 1: one base of the group is lost, all of it routs at once."""
    red = unit("red", "red", quality="british-guard", at=[500, 355])
    scene = battle(
        unit("left", at=[440, 310], quality="austrian-line"),
        unit("right", at=[560, 310], quality="austrian-line"),
        red,
        phase="combat",
    )
    after = done(scene, "combat", "left", "red", dice=[1], **{"with": ("right",)}).battle
    assert {after.unit(n).status for n in ("left", "right")} == {"routing"}
    assert after.unit("left").strength + after.unit("right").strength == 9
    assert after.unit("left").at[1] < 261 and after.scores == {"red": 2.0}


def test_attacker_disrupted() -> None:
    """ROC-RES-02: in order, disrupted where it stands; disrupted, a base and rout."""
    fresh = done(battle(BLUE, RED, phase="combat"), "combat", "blue", "red", dice=[1]).battle
    assert (fresh.unit("blue").status, fresh.unit("blue").strength, fresh.unit("blue").at) == (
        "disrupted",
        5,
        (500, 300),
    )
    worn = done(
        battle(replace(BLUE, status="disrupted"), RED, phase="combat"), "combat", "blue", "red", dice=[2]
    ).battle
    assert (worn.unit("blue").status, worn.unit("blue").strength) == ("routing", 4)


def test_exchange() -> None:
    """ROC-RES-03, ROC-VP-04: a disrupted attacker loses a base, worth two points, and holds."""
    scene = battle(replace(BLUE, status="disrupted"), replace(RED, status="disrupted"), phase="combat")
    after = done(scene, "combat", "blue", "red", dice=[2]).battle
    assert (after.unit("blue").status, after.unit("blue").strength) == ("disrupted", 4)
    assert (after.unit("red").status, after.unit("red").strength) == ("routing", 4)
    assert after.scores == {"red": 2.0, "blue": 2.0}


def test_defender_disrupted() -> None:
    """ROC-RES-04: the defender, not the attackers; it stays where it is."""
    after = done(battle(BLUE, RED, phase="combat"), "combat", "blue", "red", dice=[6]).battle
    assert after.unit("red").status == "disrupted" and after.unit("red").at == (500, 355)
    assert after.unit("blue").status == "ok"


def test_defender_routed() -> None:
    """ROC-RES-05: 35 against 5 is 7:1, read at 6:1; a 4 routs."""
    guard = unit("blue", quality="french-old-guard", at=[500, 300])
    red = unit("red", "red", quality="russian-opolchenie", at=[500, 355])
    after = done(battle(guard, red, phase="combat"), "combat", "blue", "red", dice=[4]).battle
    assert (after.unit("red").status, after.unit("red").strength) == ("routing", 4)
    assert after.unit("red").at[1] > 400


def test_the_last_base_is_the_unit() -> None:
    scene = battle(
        unit("blue", quality="french-old-guard", at=[500, 300]),
        unit("red", "red", bases=1, at=[500, 355]),
        FAR,
        phase="combat",
    )
    after = done(scene, "combat", "blue", "red", dice=[6]).battle
    assert not after.has("red") and after.fallen[0].how == "destroyed"


# --- control and pursuit ---------------------------------------------------------------------------------------------


def _close(*dice: int, answer: str = "") -> Battle:
    """Old Guard in contact with opolchenie in order routs it by Dr; then the control dice."""
    guard = unit("blue", quality="french-old-guard", front_mid=[500, 300])
    red = unit("red", "red", quality="russian-opolchenie", front_mid=[500, 300.2])
    step = done(battle(guard, red, FAR, phase="combat"), "combat", "blue", "red", dice=dice)
    if not answer:
        return step.battle
    return submit(step.battle, Action(ANSWER, "blue", options={"choice": answer}), Faces([])).battle


def test_who_stays_in_hand_may_choose() -> None:
    """ROC-CTL-01: Old Guard needs a 2; then the player is asked."""
    asked = _close(4, 2)
    assert asked.pending[0].choices == ("hold", "pursue") and asked.pending[0].unit == "blue"
    held = _close(4, 2, answer="hold")
    assert held.unit("blue").front_mid == (500, 300) and "pursuing" not in held.unit("blue").marks
    gone = _close(4, 2, answer="pursue")
    assert gone.unit("blue").at[1] > 330 and gone.unit("blue").marks["pursuing"] == "red"


def test_who_does_not_pursues() -> None:
    """ROC-CTL-01: on a 1, at charge speed after the enemy; it obeys nobody until it throws its value."""
    after = _close(4, 1)
    assert not after.pending and after.unit("blue").marks["pursuing"] == "red"
    blue = after.unit("blue")
    assert "ROC-CTL-01" in why(battle(blue, after.unit("red"), FAR), "move", "blue", path=[(500, 500)])
    rallying = battle(blue, after.unit("red"), FAR, phase="rally")
    assert "pursuing" not in rallied(rallying, 2).unit("blue").marks
    assert rallied(rallying, 1).unit("blue").marks["pursuing"] == "red"


def test_no_control_test_at_a_distance() -> None:
    """ROC-CTL-01: only close combat."""
    guard = unit("blue", quality="french-old-guard", at=[500, 300])
    red = unit("red", "red", quality="russian-opolchenie", at=[500, 355])
    after = done(battle(guard, red, FAR, phase="combat"), "combat", "blue", "red", dice=[4])
    assert not after.battle.pending and "pursuing" not in after.battle.unit("blue").marks


def test_pursuers_cut_down_routing_infantry() -> None:
    """ROC-SQR-05: a base for every move in which they are caught, worth two points."""
    horse = unit("blue", "blue", "heavy-cavalry", front_mid=[500, 300])
    red = unit("red", "red", quality="russian-opolchenie", front_mid=[500, 300.2], marks={"debt": 1.0})
    after = done(battle(horse, red, FAR, phase="combat"), "combat", "blue", "red", dice=[4, 1]).battle
    assert after.unit("red").strength == 3 and after.scores == {"blue": 4.0}
    assert not play_of(after).faults(after)
    again = rallied(replace(after, clock=replace(after.clock, phase="rally", side="blue")), 1)
    assert again.unit("red").strength == 2


# --- victory ---------------------------------------------------------------------------------------------------------


def test_disrupted_again_counts_again() -> None:
    """ROC-VP-01, ROC-VP-05."""
    scene = battle(BLUE, RED, phase="combat")
    once = done(scene, "combat", "blue", "red", dice=[6]).battle
    rallied_again = replace(scene, units=(BLUE, replace(RED)), scores=once.scores)
    assert done(rallied_again, "combat", "blue", "red", dice=[6]).battle.scores == {"blue": 2.0}


def test_who_has_more_points_wins() -> None:
    """ROC-VP-02, ROC-VP-03: after the last turn, by the margins of the text."""
    last = battle(unit("blue", at=[300, 100]), FAR, side="red", turn=10)
    for points, winner in ((5.0, None), (6.0, "blue"), (31.0, "blue")):
        over = done(replace(last, scores={"blue": points}), "done").battle
        assert over.outcome is not None and over.outcome.winner == winner
    assert standing(replace(last, scores={"red": 16.0})) == ("red", 16.0, "major")


def test_a_side_without_anybody_standing_has_lost() -> None:
    scene = battle(unit("blue", at=[300, 100]), unit("red", "red", status="routing", at=[500, 700]))
    over = done(scene, "done").battle
    assert over.outcome is not None and over.outcome.winner == "blue"


# --- arrivals --------------------------------------------------------------------------------------------------------


def test_units_come_on_when_they_are_due() -> None:
    """From their turn on, in the movement phase, where nobody stands; that is their move (ROC-MOV-01, ROC-MOV-05)."""
    data = {
        "format": "tabletop-scene/1", "title": "t", "rules": "realm-of-chance",
        "table": {"unit": "mm", "width": 1000, "height": 800},
        "units": [
            {"id": "red", "side": "red", "troop": "infantry", "quality": "prussian-line", "formation": "line",
             "at": [500, 700], "facing": 180},
            {"id": "blue", "side": "blue", "troop": "infantry", "quality": "french-line", "formation": "line",
             "at": [200, 300], "facing": 0},
            {"id": "late", "side": "blue", "troop": "infantry", "quality": "french-line", "formation": "column"},
            {"id": "aide", "side": "blue", "troop": "staff-officer"},
        ],
        "game": {"attacker": "blue", "turns": 4, "arrivals": [{"units": ["late", "aide"], "turn": 2, "at": [500, 0]}]},
    }  # fmt: skip
    one = begin(load_scene_data(data), 1).battle
    assert "ROC-MOV-01" in why(one, "enter", "late")
    two = done(done(one, "done").battle, "done").battle
    assert two.clock.turn == 2 and allowed(two, "enter", "late")
    on = done(two, "enter", "late").battle
    assert on.unit("late").footprint.bounds[1] == pytest.approx(0.0) and not play_of(on).faults(on)
    assert "ROC-MOV-01" in why(on, "move", "late", path=[(500, 90)])
    blocked = replace(two, units=(*two.units, unit("z", at=[500, 40])))
    assert why(blocked, "enter", "late") == {"ROC-MOV-05"}
    assert any(a.kind == "enter" for a in play_of(two).suggest(two))


# --- the whole battle ------------------------------------------------------------------------------------------------


def test_wachau_as_the_scenario_has_it() -> None:
    """The Coalition first, ten turns; nine strengths by the army tables."""
    scene = load_scene(ROOT / "scenarios/realm-of-chance/wachau.yaml")
    assert scene.setup.sides == ("coalition", "french") and scene.setup.turns == 10
    found = {u.id: strength(u) for u in scene.units if not u.is_general}
    assert found == {
        "prussian-1": 10, "prussian-2": 10, "grenadiers": 15, "austrians": 5, "cuirassiers": 32, "hussars": 12,
        "prussian-guns": 1, "russian-guns": 1, "line-1": 10, "line-2": 10, "young-guard": 20, "marie-louises": 10,
        "heavy-horse": 32, "light-horse": 16, "french-guns": 1,
    }  # fmt: skip
    assert factor(scene.unit("cuirassiers")) == 8


def test_the_same_seed_the_same_battle() -> None:
    scene = load_scene(ROOT / "scenarios/realm-of-chance/drill-ground.yaml")

    def course(seed: int) -> list[Action]:
        rng, now = Random(seed), begin(scene, seed).battle
        found: list[Action] = []
        while not now.over and len(found) < 40:
            if now.pending:
                move = Action(ANSWER, now.pending[0].side, options={"choice": now.pending[0].choices[0]})
            else:
                move = play_of(now).random_action(now, rng)
            found.append(move)
            now = submit(now, move).battle
        return found

    assert course(3) == course(3) and course(3) != course(4)


def test_odds_are_those_of_the_dice() -> None:
    """Sums by hand: 1:1 in order, six faces: Ad, Dx, nothing twice, Dx, Dd."""
    scene = battle(BLUE, RED, phase="combat")
    found = play_of(scene).odds(scene, Action("combat", "blue", "blue", "red"))
    assert found is not None
    chances: dict[str, float] = {}
    for p, result in found.results:
        chances[result.text] = chances.get(result.text, 0.0) + p
    assert chances == {
        "the attacker is disrupted": pytest.approx(1 / 6),
        "both are disrupted": pytest.approx(2 / 6),
        "nothing happens": pytest.approx(2 / 6),
        "the defender is disrupted": pytest.approx(1 / 6),
    }
