"""Readings of Age of Sail that were once wrong: shoals passed over, ships that touch, drifting, striking, the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import answer
from tabletop.battle.battle import Battle
from tabletop.battle.dice import ScriptedDice
from tabletop.battle.event import Ended, Thrown
from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.terrain import Terrain
from tabletop.play.engine import play_of, submit
from tabletop.rules.common.placing import touching
from tabletop.rules.sail import damage
from tabletop.rules.sail.condition import drift
from tabletop.rules.sail.phases import CLEARING, GUNNERY, SAILING
from tabletop.rules.sail.sequence import advance, must_strike, shots
from tabletop.rules.sail.ships import all_decks
from tests.sail import act, battle, boxes, done, refused, ship

NO_DECKS: Mapping[str, Any] = {"port": 0, "starboard": 0}
FAR = ship("z", "red", at=(90, 70))


def bank(kind: str, *bounds: float) -> Terrain:
    """Return a shoal or land that fills a box: west, south, east, north."""
    west, south, east, north = bounds
    return Terrain.of_kind("bank", kind, outline=[(west, south), (east, south), (east, north), (west, north)])


# --- shoals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["shoal", "land"])
@pytest.mark.parametrize("far", [5.0, 12.0])
def test_a_ship_does_not_jump_over_a_shoal(kind: str, far: float) -> None:
    """SAIL-MOV-15, SAIL-LND-01: her bow is 1 cm short of a strip; after 12 cm she would lie wholly beyond it."""
    scene = battle(ship("a", at=(50, 40)), terrain=[bank(kind, 45, 44, 55, 46)])
    after = done(scene, "sail", "a", distance=far, dice=[1]).battle.unit("a")
    assert after.marks.get("aground") == "bank" and after.at[1] == pytest.approx(41.0, abs=1e-3)


def cleared(kind: str, east: float, dice: int) -> tuple[float, Any]:
    """Return how far west, towards a bank, a ship got clear of an enemy to the east, and where she is aground."""
    ships = ship("a"), ship("b", "red", at=(52, 40))
    step = done(battle(*ships, phase=CLEARING, terrain=[bank(kind, 40, 30, east, 50)]), "separate", "a", dice=[6, dice])
    after = step.battle.unit("a")
    return round(50.0 - after.at[0], 3), after.marks.get("aground")


def test_getting_clear_may_end_on_a_shoal() -> None:
    """SAIL-MOV-15, SAIL-BRD-02: she keeps off it if she can; where she cannot, the die decides, and land holds her."""
    assert cleared("land", 48.5, 1) == (0.383, None)
    assert cleared("shoal", 48.9, 1) == (1.0, "bank")
    assert cleared("shoal", 48.9, 4) == (1.0, None)
    assert cleared("land", 48.9, 6) == (1.0, "bank")


def test_a_drift_is_the_next_move_after_refloating() -> None:
    """SAIL-MOV-15: she drifts off the shoal; back over its edge she throws again."""
    adrift = ship("a", at=(50, 42.5), masts=(0, 0, 0), came_off="bank")
    scene = battle(adrift, terrain=[bank("shoal", 45, 45, 55, 60)], wind=0.0)
    off = Unfolding(scene)
    drift(off, "a")
    assert off.unit("a").at == pytest.approx((50.0, 41.5)) and "came_off" not in off.unit("a").marks
    back = Unfolding(replace(off.battle, memory={"wind": {"from": 180.0, "speed": 4}}), ScriptedDice([1]))
    drift(back, "a")
    assert back.unit("a").marks.get("aground") == "bank"


# --- ships that touch ------------------------------------------------------------------------------------------------


def test_friends_that_touch_sail_on() -> None:
    """SAIL-MOV-01, SAIL-MOV-07: along each other, not into each other."""
    scene = battle(ship("a"), ship("b", at=(52, 40)), ship("c", at=(53, 46)), FAR)
    assert not refused(scene, "sail", "a", distance=12.0)
    assert refused(scene, "sail", "b", distance=1.0) == {"SAIL-BRD-02"}
    assert done(battle(ship("a"), ship("b", at=(52, 40)), FAR), "done").battle.unit("a").at == pytest.approx((50, 41))


def test_friends_bow_to_bow_may_separate() -> None:
    """SAIL-BRD-02: neither can go ahead."""
    scene = battle(ship("a"), ship("b", at=(50, 46), facing=180.0), FAR, phase=CLEARING)
    assert not refused(scene, "separate", "a")
    assert done(scene, "separate", "a", dice=[6]).battle.unit("a").at == pytest.approx((50, 39))


def hemmed(**marks: Any) -> Battle:
    """Return a battle in which a lies between two enemies."""
    return battle(ship("a", **marks), ship("r", "red", at=(52, 40)), ship("s", "red", at=(48, 40)), phase=CLEARING)


def test_a_six_frees_a_ship_held_on_both_sides() -> None:
    """SAIL-BRD-02: there is no room to get clear by 1 cm; nobody holds her this turn, and she sails out ahead."""
    free = done(hemmed(), "separate", "a", dice=[6]).battle
    assert free.clock.phase == SAILING and free.unit("a").at == (50, 40)
    assert not refused(free, "sail", "a", distance=8.0)
    assert done(free, "sail", "a", distance=8.0).battle.unit("a").at == pytest.approx((50, 48))
    assert "freed" not in done(free, "sail", "a", distance=2.0).battle.unit("a").marks, "alongside she is held again"
    adrift = done(hemmed(masts=(0, 0, 0)), "separate", "a", dice=[6]).battle
    assert done(adrift, "done").battle.unit("a").at == pytest.approx((50, 41))


def test_a_ship_at_anchor_does_not_get_clear() -> None:
    """SAIL-MOV-14, SAIL-MOV-07: she raises her anchor first."""
    scene = battle(ship("a", status="anchored"), ship("b", "red", at=(52, 40)), phase=CLEARING)
    assert refused(scene, "separate", "a") == {"SAIL-MOV-14"}
    assert not refused(done(scene, "done").battle, "weigh", "a")


# --- drifting --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("die", [5, 6])
def test_a_ship_drifts_or_sails(die: int) -> None:
    """SAIL-MOV-09, SAIL-MOV-10, SAIL-SEQ-06: with a mast restored she sails; else she drifts after the others."""
    scene = battle(ship("a", masts=(0, 0, 0)), ship("b", at=(20, 20)), FAR, phase=CLEARING)
    unfolding = Unfolding(scene)
    assert advance(unfolding) and unfolding.unit("a").at == (50, 40)
    repaired = done(unfolding.battle, "repair", "a", dice=[die]).battle
    if die == 6:
        repaired = done(repaired, "sail", "a", distance=4.0).battle
    assert done(repaired, "done").battle.unit("a").at == pytest.approx((50, 44 if die == 6 else 41))
    anchored = done(done(unfolding.battle, "anchor", "a").battle, "done").battle
    assert anchored.unit("a").at == (50, 40)


@pytest.mark.parametrize("gap", [0.05, 0.4, 0.9])
def test_a_drifting_ship_comes_alongside(gap: float) -> None:
    """SAIL-MOV-09, SAIL-BRD-02: she drifts until the hulls touch."""
    scene = battle(ship("a", masts=(0, 0, 0)), ship("b", "red", at=(52 + gap, 40)), FAR, wind=270.0, phase=GUNNERY)
    unfolding = Unfolding(scene)
    drift(unfolding, "a")
    assert touching(unfolding.battle, unfolding.unit("a")) and not refused(unfolding.battle, "board", "a", "b")


def test_a_turn_ends_on_the_table() -> None:
    """SAIL-GEN-01, SAIL-MOV-11: turned, her stern would lie over the edge."""
    scene = battle(ship("a", at=(1.2, 40)), FAR)
    assert refused(scene, "sail", "a", facing=22.5) == {"SAIL-GEN-01"}
    assert not play_of(scene).faults(done(scene, "sail", "a", distance=5.0).battle)


# --- gunnery and fire ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("decks", "marks"), [(1, {"hull": 0}), (3, {"prize": "q", "taken": True})])
def test_gunnery_lasts_while_a_shot_may_be_fired(decks: int, marks: dict[str, Any]) -> None:
    """SAIL-FIR-01, SAIL-FIR-02: one deck at a ship that has masts alone, or a broadside at a prize without a crew."""
    target = ship("b", "red", at=(55, 40), **NO_DECKS, **marks)
    scene = battle(ship("a", port=0, starboard=decks), target, FAR, phase=GUNNERY)
    assert not refused(scene, "fire", "a", "b", aim="masts")
    assert [action.target for action in shots(scene, "blue")] == ["b"] and not advance(Unfolding(scene))


def test_the_computer_fires_at_no_prize_without_a_crew() -> None:
    """SAIL-FIR-01, SAIL-WIN-01: it has no box that counts."""
    prize = ship("b", "red", at=(55, 40), **NO_DECKS, prize="q", taken=True)
    scene = battle(ship("a"), prize, FAR, phase=GUNNERY)
    fire, nothing = (play_of(scene).prospect(scene, act(scene, *words)) for words in (("fire", "a", "b"), ("done",)))
    assert fire[0] < nothing[0]


@pytest.mark.parametrize(("choice", "left"), [("port", (0, 2, (1, 1, 1), 2)), ("starboard", (0, 1, (1, 1, 1), 3))])
def test_from_ahead_the_owner_chooses_between_the_hull_and_a_deck(choice: str, left: tuple[object, ...]) -> None:
    """SAIL-FIR-07, SAIL-FIR-04: with no deck left to port a hit there strikes the hull."""
    target = ship("b", "red", at=(58, 40), facing=270.0, port=0, starboard=2)
    step = done(battle(ship("a"), target, phase=GUNNERY), "fire", "a", "b", dice=[5, 1, 1])
    assert step.battle.pending[0].choices == ("port", "starboard")
    assert boxes(submit(step.battle, answer("red", choice)).battle.unit("b")) == left


@pytest.mark.parametrize(("marks", "left"), [({"port": 0, "hull": 0}, (0, 2)), (NO_DECKS, (0, 0))])
def test_from_ahead_nothing_is_asked_where_both_sides_lead_to_one_box(
    marks: dict[str, Any], left: tuple[int, int]
) -> None:
    """SAIL-FIR-07, SAIL-FIR-04: one deck left and no hull; or the hull alone."""
    target = ship("b", "red", at=(58, 40), facing=270.0, **marks)
    step = done(battle(ship("a"), target, FAR, phase=GUNNERY), "fire", "a", "b", dice=[5, 1, 1])
    assert not step.battle.pending and boxes(step.battle.unit("b"))[:2] == left


@pytest.mark.parametrize("places", [(50, 60), (60, 50)])
def test_a_fire_kindled_in_the_fire_stage_is_fought_in_the_next(places: tuple[int, int]) -> None:
    """SAIL-FIR-09, SAIL-FIR-10, SAIL-SEQ-02: wherever the two ships lie."""
    first, second = places
    ships = ship("a", at=(first, 40), afire=2), ship("b", at=(second, 40)), ship("r", "red", at=(50, 75))
    scene = battle(*ships, phase=GUNNERY, side="red")
    dice = ScriptedDice([1, 6], rest=6)
    unfolding = Unfolding(replace(scene, memory={**scene.memory, "order": ("red", "blue")}), dice)
    advance(unfolding)
    assert [e.purpose for e in unfolding.events if isinstance(e, Thrown)] == ["put out the fire", "catch fire"]
    assert unfolding.unit("b").marks["afire"] == 1


# --- prizes ----------------------------------------------------------------------------------------------------------


def test_a_ship_taken_at_anchor_lies_at_anchor() -> None:
    """SAIL-MOV-14, SAIL-BRD-01: her prize crew spends a move on raising it."""
    scene = battle(ship("a"), ship("b", "red", at=(52, 40), status="anchored", port=1, starboard=0), FAR, phase=GUNNERY)
    taken = Unfolding(done(scene, "board", "a", "b", dice=[6] * 6 + [1]).battle)
    assert taken.unit("b").status == "anchored"
    taken.clock(phase=CLEARING, side="blue")
    step = submit(done(taken.battle, "separate", "a", dice=[6]).battle, answer("blue", "2"))
    assert refused(step.battle, "sail", "b", distance=4.0) == {"SAIL-MOV-14"}
    struck = Unfolding(battle(ship("a"), ship("b", "red", at=(52, 40), status="struck")))
    damage.capture(struck, "b", "a")
    assert struck.unit("b").status == "ok"


def two_prizes(**decks: Any) -> Battle:
    """Return a battle in which a lies between two prizes that she has not manned."""
    prizes = (ship(name, at=at, **NO_DECKS, prize="a", taken=True) for name, at in (("p", (52, 40)), ("q", (48, 40))))
    return battle(ship("a", **decks), *prizes, FAR, phase=CLEARING)


def test_each_prize_gets_a_deck() -> None:
    """SAIL-BRD-03: of two decks one for each; with one deck alone she cannot leave both."""
    step = done(two_prizes(port=1, starboard=1), "separate", "a", dice=[6])
    assert step.battle.pending[0].choices == ("1",)
    step = submit(submit(step.battle, answer("blue", "1")).battle, answer("blue", "1"))
    assert [all_decks(step.battle.unit(name)) for name in "apq"] == [0, 1, 1]
    assert refused(two_prizes(port=1, starboard=0), "separate", "a") == {"SAIL-BRD-03"}


def test_a_captor_taken_mans_no_prize_for_the_enemy() -> None:
    """SAIL-BRD-03: red took a, who had taken p and not manned her; p has no crew still, and a gives her none."""
    prize = ship("p", at=(52, 40), **NO_DECKS, prize="a", taken=True)
    scene = battle(ship("a", "red", taken=True), prize, ship("y", at=(10, 10)), FAR, phase=CLEARING, side="red")
    after = done(scene, "separate", "a", dice=[6]).battle
    assert not after.pending and after.unit("p").marks["prize"] == "a"


# --- striking, and the score -----------------------------------------------------------------------------------------


def test_a_ship_that_may_still_get_away_does_not_strike() -> None:
    """SAIL-STR-01: a shorter course than her longest, or a drift without masts; but not at anchor."""
    corner = ship("b", at=(8, 76), facing=225.0, **NO_DECKS)
    near = battle(ship("r", "red", at=(11.2, 71.1), facing=22.5), corner, wind=270.0)
    assert not must_strike(near, near.unit("b"))
    for status, strikes in (("ok", False), ("anchored", True)):
        adrift = ship("b", at=(55.8, 40), masts=(0, 0, 0), status=status, **NO_DECKS)
        assert must_strike(battle(ship("r", "red"), adrift, wind=270.0), adrift) == strikes


def test_a_box_of_a_ship_that_has_struck_counts_once() -> None:
    """SAIL-WIN-01: of six boxes three count; with a mast gone 1 + 3, with three gone 3 + 2, with all gone six."""
    unfolding = Unfolding(battle(ship("a"), ship("b", "red", at=(55, 40), **NO_DECKS)))
    damage.strike(unfolding, "b")
    scores = [unfolding.battle.scores["blue"]]
    for _ in range(3):
        damage.mast_hits(unfolding, "b", 1, "stern")
        scores.append(unfolding.battle.scores["blue"])
    damage.hull_hits(unfolding, "b", 3, "port")
    assert [*scores, unfolding.battle.scores["blue"]] == [3.0, 4.0, 4.0, 5.0, 6.0]


def ended(blue: float, red: float, *ships: Any) -> list[Ended]:
    """Return how a battle with these scores ends at the end of blue's turn; nothing if it goes on."""
    scores = {"blue": blue, "red": red}
    unfolding = Unfolding(replace(battle(*ships, phase=GUNNERY), scores=scores), ScriptedDice([], rest=3))
    advance(unfolding)
    return [event for event in unfolding.events if isinstance(event, Ended)]


def test_a_side_without_a_crew_that_has_done_more_damage_is_not_beaten() -> None:
    """SAIL-WIN-01: while her ships lie there the enemy may still do damage; with none left he cannot, and has lost."""
    struck, enemy = ship("a", status="struck"), ship("b", "red", at=(90, 70))
    assert not ended(20.0, 6.0, struck, enemy)
    assert ended(20.0, 6.0, enemy) == [Ended("blue", "between 14")]
    assert ended(6.0, 20.0, struck, enemy) == [Ended("red", "last-standing")]


@pytest.mark.parametrize("marks", [{"afire": 2}, {"hull": 0, **NO_DECKS}])
def test_a_side_without_guns_waits_for_a_fire_or_a_wreck(marks: dict[str, Any]) -> None:
    """SAIL-WIN-01, SAIL-FIR-10, SAIL-FIR-11: an enemy that may still explode or sink may turn the score."""
    silent = ship("b", "red", at=(90, 70), **NO_DECKS)
    assert not ended(7.0, 6.0, ship("a", **marks), silent)
    assert ended(7.0, 6.0, ship("a"), silent) == [Ended("blue", "between 1")]


@pytest.mark.parametrize(("blue", "lead", "ends"), [(20.0, 15, True), (19.9, 15, False), (20.0, None, False)])
def test_a_squadron_far_enough_behind_breaks_off(blue: float, lead: int | None, ends: bool) -> None:
    """SAIL-WIN-01: with the scenario's decisive lead, at the end of a player turn and not before, the battle is won."""
    scene = replace(battle(ship("a"), ship("b", "red", at=(90, 70)), phase=GUNNERY), scores={"blue": blue, "red": 5.0})
    options = {} if lead is None else {"decisive_lead": lead}
    unfolding = Unfolding(replace(scene, setup=replace(scene.setup, options=options)), ScriptedDice([], rest=3))
    advance(unfolding)
    assert [e for e in unfolding.events if isinstance(e, Ended)] == ([Ended("blue", "between 15")] if ends else [])
