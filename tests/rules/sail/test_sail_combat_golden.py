"""Worked cases of Age of Sail, gunnery, boarding, fire, striking, the sequence: worked out by hand from the rules."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import answer
from tabletop.battle.battle import Battle
from tabletop.battle.dice import Chance, ScriptedDice, every_course
from tabletop.battle.event import Ended, Scored, Thrown
from tabletop.battle.unfolding import Unfolding
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import heading
from tabletop.geometry.terrain import Terrain
from tabletop.play.engine import Step, begin, play_of, submit
from tabletop.play.files.load import load_scene
from tabletop.play.narration import sentences
from tabletop.rules.common.dice_pools import higher
from tabletop.rules.sail import damage, gunnery
from tabletop.rules.sail.phases import CLEARING, GUNNERY
from tabletop.rules.sail.sequence import advance, must_strike
from tests.games.positions import ROOT
from tests.sail import act, ask, battle, boxes, done, refused, ship, told


@pytest.mark.parametrize(
    ("bearing", "side"), [(45, "starboard"), (30, None), (90, "starboard"), (180, None), (270, "port"), (315, "port")]
)
def test_g09_arcs(bearing: float, side: str | None) -> None:
    """SAIL-ARC-01, SAIL-ARC-02: 45 to 135 degrees starboard, 225 to 315 port, the ends included."""
    one = ship("a")
    east, north = heading(bearing)
    assert gunnery.side_towards(one, (50 + 10 * east, 40 + 10 * north)) == side


@pytest.mark.parametrize(("gap", "hull", "sails", "hits"), [(4.0, 3, 4, 2.0), (4.1, 4, 5, 1.5), (8.1, 5, 6, 1.0), (12.1, None, None, 0.0)])  # fmt: skip  # noqa: E501
def test_g10_bands(gap: float, hull: int | None, sails: int | None, hits: float) -> None:
    """SAIL-FIR-03, SAIL-ARC-03: middle of the side to nearest point; the upper end is of the nearer band."""
    scene = battle(ship("a"), ship("b", "red", at=(52 + gap, 40)), phase=GUNNERY)
    verdict = ask(scene, "fire", "a", "b")
    assert verdict.measured["range"] == pytest.approx(gap, abs=1e-3) and verdict.measured["dice"] == 3
    assert (verdict.measured["hull"], verdict.measured["masts"]) == (hull, sails)
    assert verdict.holds == (hull is not None)
    mean = 3 * (7 - hull) / 6 if hull is not None else 0.0
    assert mean == pytest.approx(hits)
    odds = play_of(scene).odds(scene, act(scene, "fire", "a", "b")) if hull else None
    if odds is not None:
        assert sum(p * float(r.effects[0][2]) for p, r in odds.results) == pytest.approx(hits)


def broadside(facing: float, dice: list[int], aim: str = "hull", **marks: Any) -> tuple[Step, Unit]:
    """Fire three decks of ship a, to starboard, at ship b 4 cm to the east, which heads ``facing``."""
    scene = battle(ship("a"), ship("b", "red", at=(56, 40), facing=facing, **marks), phase=GUNNERY)
    step = done(scene, "fire", "a", "b", dice=dice, aim=aim)
    return step, step.battle.unit("b")


def test_hull_hits_from_the_beam() -> None:
    """SAIL-FIR-04, SAIL-REC-02, SAIL-FIR-02: a deck each on the side fired at; the record has the aim and the dice."""
    step, target = broadside(0.0, [3, 5, 1])
    assert boxes(target) == (1, 3, (1, 1, 1), 3)  # b heads north: a lies to port
    assert told(step, "fire")["dice"] == (3, 5, 1) and told(step, "fire")["hits"] == 2
    assert [e.points for e in step.events if isinstance(e, Scored)] == [1.0, 1.0]


def test_hull_boxes_after_decks_then_the_far_side() -> None:
    """SAIL-FIR-04: with no deck left on that side the hull suffers, then the decks of the far side."""
    assert boxes(broadside(0.0, [3, 5, 4], port=1)[1]) == (0, 3, (1, 1, 1), 1)
    assert boxes(broadside(0.0, [3, 5, 4], port=0, hull=1)[1]) == (0, 1, (1, 1, 1), 0)


def test_g16_from_astern() -> None:
    """SAIL-FIR-05: two hull hits from right astern take two decks off each side."""
    assert boxes(broadside(90.0, [4, 4, 1])[1]) == (1, 1, (1, 1, 1), 3)


def test_the_owner_chooses_the_side_from_ahead() -> None:
    """SAIL-FIR-07: one choice for each hit."""
    step, _ = broadside(270.0, [4, 4, 1])
    decision = step.battle.pending[0]
    assert (decision.side, decision.choices) == ("red", ("port", "starboard"))
    step = submit(submit(step.battle, answer("red", "port")).battle, answer("red", "port"))
    assert boxes(step.battle.unit("b")) == (1, 3, (1, 1, 1), 3) and not step.battle.pending


@pytest.mark.parametrize(("facing", "left"), [(90.0, (1, 0, 0)), (270.0, (0, 0, 1))])
def test_masts_fall_in_order_when_raked(facing: float, left: tuple[int, ...]) -> None:
    """SAIL-FIR-06: from astern the mizzen first, from ahead the fore mast."""
    assert boxes(broadside(facing, [5, 4, 3], aim="masts")[1])[2] == left


def test_the_owner_chooses_the_mast_from_the_beam() -> None:
    """SAIL-FIR-06: sails are hit on 4; all standing masts fall without a question."""
    step, _ = broadside(0.0, [4, 3, 3], aim="masts")
    assert step.battle.pending[0].choices == ("fore", "main", "mizzen")
    assert boxes(submit(step.battle, answer("red", "main")).battle.unit("b"))[2] == (1, 0, 1)
    assert boxes(broadside(0.0, [4, 4, 4], aim="masts")[1])[2] == (0, 0, 0)


def test_each_deck_fires_once_a_round() -> None:
    """SAIL-FIR-01: the same side not again; the other side may; before or after sailing, unless ruled otherwise."""
    ships = (ship("a"), ship("b", "red", at=(58, 40)), ship("c", "red", at=(42, 40)))
    assert not refused(battle(*ships), "fire", "a", "b")
    step = done(battle(*ships), "fire", "a", "b")
    assert "SAIL-FIR-01" in refused(step.battle, "fire", "a", "b")
    assert not refused(step.battle, "fire", "a", "c")
    assert refused(battle(*ships, fire_when="after-moving"), "fire", "a", "b") == {"SAIL-SEQ-06"}
    assert "SAIL-FIR-02" in refused(battle(*ships), "fire", "a", "b", aim="rudder")


def test_two_sixes_set_on_fire() -> None:
    """SAIL-FIR-08: whatever the aim; one six does not. Its crew has fought the fire once by then."""
    assert broadside(0.0, [6, 6, 1])[1].marks["afire"] == 2
    assert broadside(0.0, [6, 6, 6], aim="masts")[1].marks["afire"] == 2
    assert "afire" not in broadside(0.0, [6, 5, 1])[1].marks


def test_g12_a_burning_ship_survives_four_times_in_nine() -> None:
    """SAIL-FIR-09: 1/3 + 2/3 times 1/6."""
    scene = battle(ship("a", afire=1), ship("b", "red", at=(80, 40)))

    def burns(chance: Chance) -> bool:
        unfolding = Unfolding(scene, chance)
        damage.fight_fire(unfolding, "a")
        damage.fight_fire(unfolding, "a")
        return unfolding.battle.has("a")

    assert sum(p for p, alive in every_course(burns) if alive) == pytest.approx(4 / 9)


def test_g14_an_explosion() -> None:
    """SAIL-FIR-10: ships at 3, 5, 12 and 12.5 cm catch fire on 3+, 4+, 5+, never."""
    near = {"c": 3.0, "d": 5.0, "e": 12.0, "f": 12.5}
    places = {"c": (54, 40), "d": (44, 40), "e": (50, 55), "f": (50, 24.5)}
    scene = battle(ship("a"), *(ship(name, "red", at=places[name]) for name in near))
    found = {name: damage.catches_on(scene, scene.unit("a"), scene.unit(name)) for name in near}
    assert {name: scene.unit(name).way_to((50, 40)) for name in near} == pytest.approx(near)
    assert found == {"c": 3, "d": 4, "e": 5, "f": None}
    unfolding = Unfolding(scene, ScriptedDice([4, 4, 4]))
    damage.explode(unfolding, "a")
    assert [n for n in near if unfolding.unit(n).marks.get("afire")] == ["c", "d"]
    assert not unfolding.battle.has("a") and unfolding.battle.scores == {"red": 12.0}
    assert list(sentences(scene, unfolding.events)) == [
        "a blew up.",
        "The explosion reached d (4).",
        "d caught fire.",
        "The explosion did not reach e (4).",
        "The explosion reached c (4).",
        "c caught fire.",
    ]


@pytest.mark.parametrize(("wind", "die", "sinks"), [(6, 2, True), (6, 3, False), (5, 1, False)])
def test_wrecks_in_high_seas(wind: int, die: int, sinks: bool) -> None:
    """SAIL-FIR-11, SAIL-SEQ-05: without decks and hull, in a wind of 6 or more, on 1 or 2."""
    unfolding = Unfolding(battle(ship("a", port=0, starboard=0, hull=0), speed=wind), ScriptedDice([die]))
    damage.high_seas(unfolding, "a")
    assert unfolding.battle.has("a") != sinks


# --- boarding --------------------------------------------------------------------------------------------------------


def alongside(phase: str = GUNNERY, **marks: Any) -> Battle:
    """Return a battle in which a lies alongside b, which has four decks left."""
    other = ship("b", "red", at=(52, 40), port=2, starboard=2)
    return battle(ship("a", **marks), other, ship("z", "red", at=(90, 70)), phase=phase)


def test_g13_boarding() -> None:
    """SAIL-BRD-01, SAIL-REC-02: 21 against 22: the second ship wins; a tie decides nothing."""
    step = done(alongside(), "board", "a", "b", dice=[4, 2, 5, 1, 3, 6, 6, 6, 5, 5])
    assert told(step, "boarding") == {"attack": 21, "defence": 22}
    assert step.battle.unit("a").side == "red" and step.battle.scores == {"red": 12.0}
    even = done(alongside(), "board", "a", "b", dice=[4, 2, 5, 1, 3, 6, 6, 5, 5, 5])
    assert [u.side for u in even.battle.units] == ["blue", "red", "red"]


def test_odds_of_boarding_are_those_of_both_pools() -> None:
    """SAIL-BRD-01: in closed form; one die against one wins 15 times in 36."""
    scene = alongside()
    odds = play_of(scene).odds(scene, act(scene, "board", "a", "b"))
    assert odds is not None
    assert [p for p, _ in odds.results] == pytest.approx(list(higher(6, 4)))
    assert higher(1, 1) == pytest.approx((15 / 36, 6 / 36, 15 / 36))


def test_who_may_board() -> None:
    """SAIL-BRD-01, SAIL-BRD-04, SAIL-MOV-10: ships that touch, whose crew has not fired and does not repair."""
    assert not refused(alongside(), "board", "a", "b")
    assert refused(alongside(repairing=True), "board", "a", "b") == {"SAIL-BRD-04"}
    assert refused(alongside(fired=("port",)), "board", "a", "b") == {"SAIL-REC-02"}
    assert "SAIL-BRD-01" in refused(alongside(), "board", "a", "z")


def test_a_six_separates() -> None:
    """SAIL-BRD-02, SAIL-SEQ-03: entangled ships do not sail; one die a turn, and she gets clear by 1 cm."""
    scene = alongside(CLEARING)
    held = done(scene, "separate", "a", dice=[5]).battle
    assert held.unit("a").at == (50, 40) and held.clock.phase == "gunnery"  # it cannot sail either
    clear = done(scene, "separate", "a", dice=[6]).battle
    assert clear.unit("a").at == pytest.approx((49.0, 40.0)) and clear.clock.phase == "sailing"


def test_a_prize_is_manned_when_she_is_left() -> None:
    """SAIL-BRD-03: her decks are void; those given her are marked off the captor."""
    taken = done(alongside(), "board", "a", "b", dice=[6] * 6).battle
    prize = taken.unit("b")
    assert (prize.side, boxes(prize)[:2], prize.marks["prize"]) == ("blue", (0, 0), "a")
    unfolding = Unfolding(taken)
    unfolding.clock(phase=CLEARING, side="blue")
    unfolding.mark("a", boarded=None)
    step = done(unfolding.battle, "separate", "a", dice=[6])
    assert step.battle.pending[0].choices == ("1", "2", "3", "4", "5", "6")
    step = submit(step.battle, answer("blue", "2"))
    assert boxes(step.battle.unit("a"))[:2] == (2, 2) and boxes(step.battle.unit("b"))[:2] == (1, 1)
    assert "prize" not in step.battle.unit("b").marks


# --- striking, the sequence, victory ---------------------------------------------------------------------------------


def test_striking_the_colours() -> None:
    """SAIL-STR-01, SAIL-WIN-01: no deck, an armed enemy within 4 cm and no way out; half of the boxes, rounded up."""
    silent: dict[str, Any] = {"port": 0, "starboard": 0, "masts": (0, 0, 1), "hull": 3}
    near = battle(ship("a"), ship("b", "red", at=(55, 40), **silent), speed=1)
    assert must_strike(near, near.unit("b"))
    assert not must_strike(battle(ship("a"), ship("b", "red", at=(57, 40), **silent)), ship("b", "red", at=(57, 40)))
    swift = battle(ship("a"), ship("b", "red", at=(55, 40), **{**silent, "masts": (1, 1, 1)}), speed=7)
    assert not must_strike(swift, swift.unit("b"))
    unfolding = Unfolding(near)
    damage.strike(unfolding, "b")
    assert unfolding.unit("b").status == "struck" and unfolding.battle.scores == {"blue": 2.0}


def test_colours_hoisted_again() -> None:
    """SAIL-STR-01: after two rounds without an enemy within 12 cm, and the points are taken back."""
    unfolding = Unfolding(battle(ship("a"), ship("b", "red", at=(90, 70), status="struck", struck_for=2)))
    damage.rehoist(unfolding, "b")
    assert unfolding.unit("b").status == "struck"
    damage.rehoist(unfolding, "b")
    assert unfolding.unit("b").status == "ok" and unfolding.battle.scores == {"blue": -2.0}


def test_decks_marked_off_before_play_are_called_a_reconstruction() -> None:
    """SAIL-REC-03: in the odds of a broadside, and of each side of a boarding."""
    scene = battle(ship("a", quality="unpractised"), ship("b", "red", at=(52, 40)), phase=GUNNERY)
    fire, board = (play_of(scene).odds(scene, act(scene, kind, "a", "b")) for kind in ("fire", "board"))
    assert fire is not None and fire.factors[0].basis == "reconstruction"
    assert board is not None and [f.basis for f in board.factors] == ["reconstruction", "source"]


@pytest.mark.parametrize(
    ("done", "decks", "winner"),
    [
        ({"red": 1.0}, 0, None),
        ({"red": 2.0, "blue": 3.0}, 0, "blue"),
        ({"red": 2.0, "blue": 3.0}, 1, None),
        ({"blue": 3.0}, 0, "blue"),
    ],
)
def test_a_side_without_guns_that_is_behind_is_beaten(done: dict[str, float], decks: int, winner: str | None) -> None:
    """SAIL-WIN-01: it can do no more damage; one that is ahead, or has a gun left, sails on."""
    red = ship("b", "red", at=(90, 70), port=decks, starboard=0)
    unfolding = Unfolding(replace(battle(ship("a"), red, phase=GUNNERY), scores=done), ScriptedDice([], rest=3))
    assert advance(unfolding)
    ended = [e.winner for e in unfolding.events if isinstance(e, Ended)]
    assert ended == ([winner] if winner else [])


def test_equal_dice_are_thrown_again() -> None:
    """SAIL-SEQ-01: 3 and 3, then 2 and 5: the second side moves first, in all rounds."""
    scene = load_scene(ROOT / "scenarios/sail/long-sand.yaml")
    options = {**scene.setup.options, "first": "dice"}
    diced = replace(scene, setup=replace(scene.setup, options=options))
    step = begin(diced, 1, ScriptedDice([3, 3, 2, 5]))
    assert step.battle.clock.side == "dutch" and step.battle.memory["order"] == ("dutch", "english")
    assert begin(scene, 1).battle.clock.side == "english"


def test_the_order_of_a_turn() -> None:
    """SAIL-SEQ-02, SAIL-SEQ-04, SAIL-SEQ-06, SAIL-SEQ-07: fires, shoals, then sailing; then the other player's turn."""
    bank = Terrain.of_kind("bank", "shoal", outline=[(18, 58), (22, 58), (22, 62), (18, 62)])
    red = (ship("b", "red", at=(70, 70), afire=1), ship("c", "red", at=(20, 60), aground="bank"))
    scene = battle(ship("a"), *red, phase=GUNNERY, terrain=[bank])
    unfolding = Unfolding(scene, ScriptedDice([5, 6]))
    while unfolding.battle.clock.phase != "sailing":
        assert advance(unfolding)
    assert [e.purpose for e in unfolding.events if isinstance(e, Thrown)] == ["put out the fire", "refloat"]
    assert (unfolding.battle.clock.side, unfolding.battle.clock.turn) == ("red", 1)
    assert not unfolding.unit("b").marks.get("afire"), "five puts it out"
    last = Unfolding(battle(ship("a"), red[0], phase=GUNNERY, side="red"), ScriptedDice([3, 3]))
    advance(last)
    assert (last.battle.clock.side, last.battle.clock.turn) == ("blue", 2)


def test_more_damage_wins() -> None:
    """SAIL-WIN-01: at the end of the last round; and at once when nobody is left who fights."""
    scene = battle(ship("a"), ship("b", "red", at=(90, 70)), phase=GUNNERY, side="red")
    late = replace(scene, clock=replace(scene.clock, turn=9), scores={"blue": 4.0, "red": 6.0})
    unfolding = Unfolding(late)
    advance(unfolding)
    assert unfolding.events[-1] == Ended("red", "points 6 4")
    gone = Unfolding(battle(ship("a"), ship("b", "red", at=(90, 70), status="struck"), phase=GUNNERY))
    advance(gone)
    assert gone.events[-1] == Ended("blue", "last-standing")
