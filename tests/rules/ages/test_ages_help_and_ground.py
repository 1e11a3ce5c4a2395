"""Generals who help and those who do not, lancers' contacts, the better ground, and how a battle is won or lost."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.battle.progress import Objective
from tabletop.battle.unfolding import Unfolding
from tabletop.geometry.terrain import Terrain
from tabletop.judge import ask
from tabletop.play.engine import play_of, submit
from tabletop.play.files.opened import open_battle
from tabletop.rules.ages.combat.judge import fight_of
from tabletop.rules.ages.combat.pursuit import in_hand
from tabletop.rules.ages.morale.crisis import close_the_move
from tabletop.rules.ages.morale.serving import serve_again
from tabletop.rules.ages.movement.terrain import behind_obstacle, has_the_ground
from tabletop.rules.ages.turn.sequence import advance
from tabletop.rules.ages.turn.victory import settled, standing
from tabletop.rules.common.crisis import TESTED
from tabletop.rules.sauve_qui_peut.levels import outlook
from tests import destiny, realm, reason
from tests.ages import Numbers, allowed, why

# --- generals --------------------------------------------------------------------------------------------------------


def fates_of(unfolding: Unfolding) -> list[tuple[str | None, str]]:
    return [
        (e.unit, str(e.values["result"])) for e in unfolding.events if isinstance(e, Told) and e.what == "under fire"
    ]


def helped(number: int, general: tuple[float, float], **ruling: Any) -> tuple[bool, list[tuple[str | None, str]]]:
    """Return whether a victor who needs 650 stays in hand with these numbers, and what became of generals."""
    victor, him = destiny.unit("v", front_mid=[500, 300]), destiny.unit("g", "blue", "general", at=general)
    scene = destiny.battle(victor, him, destiny.unit("red", "red", at=[500, 700]), **ruling)
    unfolding = Unfolding(scene, Numbers([500.0, float(number)] if ruling.get("control_general", True) else [number]))
    return in_hand(unfolding, "v"), fates_of(unfolding)


BESIDE, FAR = (500.0, 265.0), (500.0, 200.0)


def test_a_general_helps_a_victor_to_stay_in_hand() -> None:
    """AGE-CTL-01, AGE-RAL-07, AGE-RAL-08: he adds a tenth if he touches it and comes through the fire."""
    assert helped(550, BESIDE) == (True, [("g", "unhurt")])
    assert helped(549, BESIDE)[0] is False
    assert helped(649, BESIDE, control_general=False) == (False, [])


def test_a_general_who_was_tested_this_turn_is_not_tested_again_for_control() -> None:
    """AGE-RAL-08: one test a turn, even if he helps in several phases."""
    victor = destiny.unit("v", front_mid=[500, 300])
    him = destiny.unit("g", "blue", "general", at=BESIDE, marks={"tested": 1})
    scene = destiny.battle(victor, him, destiny.unit("red", "red", at=[500, 700]))
    unfolding = Unfolding(scene, Numbers([550.0]))
    assert in_hand(unfolding, "v") and fates_of(unfolding) == []


def test_a_general_far_away_does_not_help_a_victor() -> None:
    """AGE-CTL-01, AGE-RAL-07: present means touching."""
    scene = destiny.battle(
        destiny.unit("v", front_mid=[500, 300]),
        destiny.unit("g", "blue", "general", at=FAR),
        destiny.unit("red", "red", at=[500, 700]),
    )
    assert [in_hand(Unfolding(scene, Numbers([number])), "v") for number in (649.0, 650.0)] == [False, True]


def test_in_realm_of_chance_generals_make_no_difference_to_control() -> None:
    """ROC-CTL-01."""
    assert realm.battle().rulings["control_general"] is False


@pytest.mark.parametrize(("ruled", "fates"), [(False, []), (True, [("g", "killed")])])
def test_a_general_in_a_square_is_under_fire_only_if_he_helps(ruled: bool, fates: list[tuple[str, str]]) -> None:
    """AGE-RAL-08, AGE-SQR-07: nothing modifies the throw of cavalry at a square unless so ruled."""
    horse = destiny.unit("h", "blue", "heavy-cavalry", front_mid=[500, 300])
    square = destiny.unit("s", "red", formation="square", at=[500, 323.5])
    general = destiny.unit("g", "red", "general", at=[500, 370])
    scene = destiny.battle(horse, square, general, phase="combat", square_uses_modifiers=ruled)
    assert ask(scene, "assault", ["h", "s"]).holds
    numbers = [20, 500] if ruled else [500]
    step = destiny.done(scene, "combat", "h", "s", numbers=numbers)
    found = [(e.unit, e.values["result"]) for e in step.events if isinstance(e, Told) and e.what == "under fire"]
    assert found == fates and step.battle.has("g") is not ruled


def test_a_defenders_general_without_a_say_is_not_under_fire() -> None:
    """AGE-RAL-08, ruling ``generals: attacker``: he helps nobody, so nobody tests him."""
    scene = destiny.battle(
        destiny.unit("a", front_mid=[500, 300]),
        destiny.unit("d", "red", front_mid=[500, 330]),
        destiny.unit("g", "red", "general", at=[500, 367]),
        phase="combat",
        generals="attacker",
    )
    step = destiny.done(scene, "combat", "a", "d", numbers=[500])
    assert not [e for e in step.events if isinstance(e, Told) and e.what == "under fire"]


# --- lancers ---------------------------------------------------------------------------------------------------------

MEDIUM, LIGHT = 24, 16


def done(
    scene: Battle, kind: str, name: str | None = None, target: str | None = None, *numbers: int, **more: Any
) -> Battle:
    """Return the battle after an action of the side to move."""
    action = Action(kind, str(scene.clock.side), name, target, more)
    return submit(scene, action, Numbers([*map(float, numbers)])).battle


def until(scene: Battle, side: str, phase: str) -> Battle:
    """Return the battle when this side's phase has come; whoever must fight throws a number that changes nothing."""
    while (scene.clock.side, scene.clock.phase) != (side, phase):
        fights = [("l", "red"), ("red", "l")][scene.clock.side == "red"]
        scene = done(scene, "combat", *fights, 500) if scene.clock.phase == "combat" else done(scene, "done")
    return scene


@pytest.mark.parametrize("turns", [1, 2])
def test_lancers_driven_off_and_back_at_once_are_light_however_long_they_stood(turns: int) -> None:
    """DES-CAV-02: contact must have been broken for a full turn, and standing still is contact too."""
    red = destiny.unit("red", "red", front_mid=[500, 300])
    scene = destiny.battle(destiny.unit("l", "blue", "lancer-cavalry", front_mid=[500, 290]), red, square_when="never")
    scene = done(done(scene, "move", "l", path=[(500.0, 300.0)]), "done")
    assert fight_of(scene, ["l"], "red").attack == MEDIUM
    for k in range(turns):
        scene = until(done(scene, "combat", "l", "red", 500 if k else 300), "blue", "combat")
    scene = done(scene, "combat", "l", "red", 0)
    assert scene.unit("l").front_mid[1] < 300.0, "driven off"
    scene = done(until(scene, "blue", "movement"), "move", "l", path=[(500.0, 300.0)])
    assert (
        fight_of(replace(scene, units=tuple(replace(u, status="ok") for u in scene.units)), ["l"], "red").attack
        == LIGHT
    )


def test_lancers_who_come_into_contact_by_a_pursuit_strike_as_medium_cavalry() -> None:
    """DES-CAV-02: the player turn in which the unit itself came into contact, by whatever move."""
    lancers = destiny.unit("l", "blue", "lancer-cavalry", front_mid=[500, 300], marks={"pursuing": "prey"})
    red, prey = (
        destiny.unit("red", "red", front_mid=[500, 360]),
        destiny.unit("prey", "red", at=[500, 460], status="routing"),
    )
    scene = destiny.battle(lancers, red, prey, phase="rally", turn=3, square_when="never")
    unfolding = Unfolding(scene, Numbers([0.0]))
    advance(unfolding)
    assert fight_of(unfolding.battle, ["l"], "red").attack == MEDIUM


# --- ground ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("front", [310.0, 329.9, 330.0])
@pytest.mark.parametrize("behind", [330.0, 330.05, 345.0, 350.0])
def test_a_fence_helps_the_defender_however_near_either_side_stands_to_it(front: float, behind: float) -> None:
    """AGE-CBT-08: within 20 mm behind it, and at it; the fence lies at 330 mm."""
    fence = Terrain.of_kind("fence", "hedge", line=[(300, 330), (700, 330)])
    attacker = reason.unit("g", quality="british-grenadiers", front_mid=[500, front])
    militia = reason.unit("m", "red", quality="american-militia", front_mid=[500, behind])
    scene = reason.battle(attacker, militia, terrain=[fence])
    assert behind_obstacle(scene, militia, attacker)
    assert fight_of(scene, ["g"], "m").bonus == -100


@pytest.mark.parametrize(
    ("front", "behind", "helps"), [(310.0, 350.2, False), (331.0, 345.0, False), (345.0, 345.0, True)]
)
def test_a_fence_too_far_ahead_or_already_passed_helps_nobody(front: float, behind: float, helps: bool) -> None:
    """AGE-CBT-08: farther than 20 mm behind it, or with the enemy's middle on the near side of it or beyond."""
    fence = Terrain.of_kind("fence", "hedge", line=[(300, 330), (700, 330)])
    troop, quality = ("heavy-cavalry", "british") if helps else ("infantry", "british-grenadiers")
    attacker = reason.unit("g", "blue", troop, quality=quality, front_mid=[500, front])
    if front == 331.0:
        attacker = attacker.moved(0.0, 10.0)
    militia = reason.unit("m", "red", quality="american-militia", front_mid=[500, behind])
    assert behind_obstacle(reason.battle(attacker, militia, terrain=[fence]), militia, attacker) is helps


def test_who_stands_lower_but_in_a_wood_has_the_better_ground_too() -> None:
    """AGE-CBT-08: higher, or in cover: both sides may have an advantage, and then they cancel out."""
    hill = Terrain.of_kind("hill", "hill", outline=[(300, 200), (700, 200), (700, 305), (300, 305)], level=1)
    wood = Terrain.of_kind("wood", "woods", outline=[(300, 320), (700, 320), (700, 400), (300, 400)])
    uphill = destiny.unit("up", front_mid=[500, 300])
    inside = destiny.unit("in", "red", front_mid=[500, 330])
    scene = destiny.battle(uphill, inside, terrain=[hill, wood], phase="combat")
    assert has_the_ground(scene, uphill, inside) and has_the_ground(scene, inside, uphill)
    fight = fight_of(scene, ["up"], "in")
    assert sorted(factor.amount for factor in fight.on_die) == [-100.0, 100.0] and fight.bonus == 0


# --- winning ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("armies", "lost", "name"),
    [
        ((28, 35), (19, 22), "draw"),
        ((90, 75), (21, 25), "marginal"),
        ((44, 11), (5, 4), "major"),
        ((44, 11), (4, 4), "decisive"),
    ],
)
def test_a_difference_on_a_limit_belongs_to_the_lower_class(armies: Any, lost: Any, name: str) -> None:
    """AGE-WIN-02: exactly 5, 10 and 25 in a hundred, as fractions that no float meets."""
    scene = destiny.battle(destiny.unit("a"), destiny.unit("red", "red", at=[500, 700]))
    memory = {f"army:{s}": n for s, n in zip(("blue", "red"), armies, strict=True)}
    memory |= {f"lost:{s}": n for s, n in zip(("blue", "red"), lost, strict=True)}
    assert standing(replace(scene, memory=memory))[2] == name


@pytest.mark.parametrize(("infantry_only", "how"), [(False, "ground"), (True, "casualties")])
def test_a_scenario_may_want_infantry_on_the_ground(infantry_only: bool, how: str) -> None:
    """AGE-WIN-01, as at the rail fence: two battalions, not a battalion and a regiment of horse."""
    horse = reason.unit("h", "blue", "heavy-cavalry", front_mid=[560, 300])
    options = {"ground_units": {"blue": 2}, "ground_infantry": infantry_only}
    foot, red = reason.unit("f", front_mid=[450, 300]), reason.unit("red", "red", at=[500, 700])
    scene = reason.battle(foot, horse, red, side="red", turn=10, options=options)
    hill = Objective("hill", (500.0, 300.0), 60.0, name="the hill")
    scene = replace(scene, setup=replace(scene.setup, objectives=(hill,)), memory={"army:blue": 9, "army:red": 5})
    settled(ended := Unfolding(scene))
    assert ended.battle.outcome is not None and ended.battle.outcome.how.split()[0] == how
    assert ("2 battalions" in play_of(scene).won(scene, "red")) is infantry_only


def test_the_briefing_says_that_an_army_may_break() -> None:
    """SQP-TST-06: the option ``army_breaks`` is a way to win, in every rule set with the module."""
    for name, enemy in (("last-half-hour", "allied"), ("waterloo-evening", "french")):
        scene = open_battle(name)
        assert "more than 50 % of its units rout or leave the table" in play_of(scene).won(scene, enemy)


# --- crisis of morale ------------------------------------------------------------------------------------------------


def test_a_pursuer_who_loses_heart_no_longer_pursues() -> None:
    """AGE-CRI-04, AGE-RES-09: it goes back until it is rallied, and not forward in between."""
    prey = destiny.unit("prey", "red", status="routing", front_mid=[500, 600])
    scene = destiny.battle(destiny.unit("v", marks={"pursuing": "prey"}, front_mid=[500, 300]), prey)
    scene = replace(scene, memory={"army:blue": 57, "lost:blue": 12, "army:red": 40, "lost:red": 0})
    close_the_move(shaken := Unfolding(scene, Numbers([200.0])))
    assert shaken.unit("v").marks == {"retiring": True}


def test_a_pursuer_thrown_back_no_longer_pursues() -> None:
    """AGE-RES-06: a defender in pursuit that suffers Dw goes back until it is rallied."""
    pursuer = destiny.unit("v", marks={"pursuing": "prey"}, quality="german-allied-line", front_mid=[500, 300])
    guard = destiny.unit("att", "red", quality="prussian-guard", front_mid=[500, 330])
    prey = destiny.unit("prey", "red", status="routing", front_mid=[700, 700])
    step = destiny.done(
        destiny.battle(pursuer, guard, prey, phase="combat", side="red"), "combat", "att", "v", numbers=[500]
    )
    marks = step.battle.unit("v").marks
    assert marks["retiring"] and "pursuing" not in marks


GUN = destiny.unit("g1", "blue", "foot-artillery", front_mid=[300, 300], marks={"abandoned": True})


@pytest.mark.parametrize(("gap", "served"), [(0.0, True), (0.4, True), (0.7, False)])
def test_guns_are_served_again_as_soon_as_a_friend_touches_them(gap: float, served: bool) -> None:
    """SQP-TST-08: at once, within the tolerance of contact (0.5 mm)."""
    friend = destiny.unit("f", front_mid=[240 - gap, 280])
    scene = destiny.battle(GUN, friend, destiny.unit("red", "red", front_mid=[300, 700]))
    scene = destiny.done(scene, "move", "f", path=[(240.0 - gap, 300.0)]).battle
    assert bool(scene.unit("g1").marks.get("abandoned")) is not served
    assert allowed(scene, "form", "g1", formation="limbered") is served


def test_guns_whose_crews_have_run_do_not_serve_each_other() -> None:
    """SQP-TST-08: a friendly unit must touch them, and nobody is with the other battery."""
    other = destiny.unit("g2", "blue", "foot-artillery", front_mid=[320, 300], marks={"abandoned": True})
    scene = destiny.battle(GUN, other, destiny.unit("red", "red", front_mid=[300, 500]))
    serve_again(unfolding := Unfolding(scene), "blue")
    assert [bool(unfolding.unit(name).marks.get("abandoned")) for name in ("g1", "g2")] == [True, True]


@pytest.mark.parametrize(("mark", "rule"), [({"abandoned": True}, "SQP-TST-08"), ({"fired": "red"}, "AGE-ART-01")])
def test_the_question_and_the_action_agree_on_guns_that_cannot_fire(mark: dict[str, Any], rule: str) -> None:
    """AGE-ART-01, AGE-ART-07, SQP-TST-08: ``fire`` says no for the reason for which the shot is refused."""
    gun = destiny.unit("g", "blue", "foot-artillery", front_mid=[500, 300], marks=mark)
    scene = destiny.battle(gun, destiny.unit("red", "red", front_mid=[500, 400]), phase="artillery")
    verdict = ask(scene, "fire", ["g", "red"])
    assert not verdict.holds and [r.rule for r in verdict.because if not r.holds] == [rule]
    assert why(scene, "bombard", "g", "red") == {rule}


def test_the_outlook_names_the_test_that_ends_this_move() -> None:
    """SQP-TST-02: a mark that is reached and not yet tested comes before the next one."""
    scene = destiny.battle(
        destiny.unit("a"), destiny.unit("red", "red", at=[500, 700]), options={"sauve_qui_peut": True}
    )
    scene = replace(scene, memory={"army:blue": 40, "lost:blue": 6})
    assert "when this move ends each unit throws: 15.1 % lose heart" in outlook(scene, "blue")
    after = replace(scene, memory={**scene.memory, TESTED + "blue": 1})
    assert "at 8 each unit throws: 30.1 % lose heart" in outlook(after, "blue")


@pytest.mark.parametrize(
    ("gone", "status", "foes", "winner"),
    [
        (400.0, "ok", 0.0, "blue"),
        (399.8, "ok", 0.0, None),
        (400.0, "disrupted", 0.0, None),
        (400.0, "ok", 400.0, None),
    ],
)
def test_a_side_may_win_by_going_far(gone: float, status: str, foes: float, winner: str | None) -> None:
    """AGE-WIN-01, as at Maida: two units in good order as far as 400 mm from their own edge, unless the enemy too."""
    own = [destiny.unit(f"a{k}", at=[300 + 200 * k, gone], status=status if k else "ok") for k in range(2)]
    red = [destiny.unit(f"r{k}", "red", at=[600 + 200 * k, 800 - foes if foes else 700]) for k in range(2)]
    options = {"beyond": {"blue": 400, "red": 400}, "beyond_units": {"blue": 2, "red": 2}}
    scene = destiny.battle(*own, *red, side="red", turn=10, options=options)
    settled(ended := Unfolding(replace(scene, memory={"army:blue": 10, "army:red": 10})))
    outcome = ended.battle.outcome
    assert outcome is not None and outcome.winner == winner
    assert outcome.how.split()[0] == ("ground" if winner else "casualties")
    assert (
        "have 2 units in good order 400 mm from the south edge when turn 10 ends"
        in play_of(scene).won(scene, "red").lower()
    )
