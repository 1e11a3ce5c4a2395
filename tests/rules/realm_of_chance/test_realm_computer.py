"""The computer fights: at Wachau it comes to combat, and one look ahead beats none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.battle.battle import Battle
from tabletop.battle.event import Told
from tabletop.play.engine import play_of
from tabletop.play.files.load import load_scene
from tabletop.play.match import fight, limited, made, named
from tabletop.rules.ages.computer.forecast import attack, forms_square, threat
from tests.realm import action, battle, unit

SCENARIOS = Path(__file__).parents[3] / "scenarios/realm-of-chance"
#: Battles fought from either side.
SEEDS = 8


def fought(name: str, players: str, seed: int, turns: int | None = None) -> tuple[int, Battle]:
    """Fight a scenario to its end, or for so many turns; return how many combats there were, and the battle."""
    scene, combats = limited(load_scene(SCENARIOS / name), turns), 0
    last = scene
    for step in fight(scene, made(named(scene, players), seed), seed):
        combats += sum(
            isinstance(e, Told) and e.what in ("combat", "square") and e.target is not None for e in step.events
        )
        last = step.battle
    return combats, last


def test_the_computer_fights_wachau() -> None:
    """Greedy against itself stood off before: one combat in six battles. Here in the first half of one."""
    combats, over = fought("wachau.yaml", "greedy,greedy", 1, 6)
    assert over.outcome is not None and combats >= 1


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(1, 7))
def test_every_battle_of_wachau_comes_to_combat(seed: int) -> None:
    combats, over = fought("wachau.yaml", "greedy,greedy", seed)
    assert over.outcome is not None and combats >= 5


@pytest.mark.sweep
def test_one_look_ahead_beats_none() -> None:
    """On the drill ground, either side: greedy wins more than half of the battles, and twice as many as random."""
    won = {"greedy": 0, "random": 0}
    for players in ("greedy,random", "random,greedy"):
        for seed in range(1, 1 + SEEDS):
            _, over = fought("drill-ground.yaml", players, seed)
            assert over.outcome is not None
            if over.outcome.winner is not None:
                won[players.split(",")[over.setup.sides.index(over.outcome.winner)]] += 1
    assert won["greedy"] > SEEDS and won["greedy"] >= 2 * won["random"], won


def test_friends_at_hand_make_an_attack_worth_more() -> None:
    """The forecast adds a second battalion to the first (ROC-CBT-03): 20 against 35 is better than 10 against 35."""
    red = unit("red", "red", quality="british-guard", at=[500, 355])
    one, two = unit("one", at=[440, 310]), unit("two", at=[560, 310])
    alone = attack(battle(one, red), one)[0]
    assert attack(battle(one, two, red), one)[0] > alone


def test_cavalry_reckons_with_the_square() -> None:
    """ROC-FRM-06, ROC-SQR-01: infantry that has the time for a square is a poor target, and need not fear."""
    horse = unit("horse", "blue", "heavy-cavalry", front_mid=[500, 300])
    ready, late = (unit("red", "red", front_mid=[500, 300.2], marks=marks) for marks in ({}, {"debt": 1.0}))
    assert forms_square(ready) and not forms_square(late)
    assert attack(battle(horse, late), horse)[0] > attack(battle(horse, ready), horse)[0]
    assert threat(battle(horse, late), late) > threat(battle(horse, ready), ready) >= 0.0


def test_nobody_is_afraid_of_whom_he_cannot_reach() -> None:
    far = battle(unit("blue", at=[500, 100]), unit("red", "red", at=[500, 700]))
    assert threat(far, far.unit("blue")) == 0.0


def test_coming_nearer_is_worth_more_to_the_attacker() -> None:
    scene = battle(unit("blue", at=[500, 200]), unit("red", "red", at=[500, 600]))
    ahead = action(scene, "move", "blue", None, path=((500.0, 247.5),))
    back = action(scene, "withdraw", "blue", None, distance=25.0)
    prospect = play_of(scene).prospect
    assert prospect(scene, ahead)[0] > 0.0 > prospect(scene, back)[0]
