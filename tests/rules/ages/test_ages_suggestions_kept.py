"""What the computer keeps of units while others move changes no suggestion, no value and no answer."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from tabletop.battle.action import Action
from tabletop.battle.battle import Battle
from tabletop.play import engine
from tabletop.play.computer.choice import answers
from tabletop.play.engine import play_of
from tabletop.play.files.opened import open_battle
from tabletop.rules.ages.computer import suggest

SCENES = ("ford", "causeway", "rail-fence", "saint-amand", "drill-ground")
#: Up to which action battles are compared, in every run and in the sweeps, and every how many of them.
ACTIONS, EVERY = (16, pytest.param(36, marks=pytest.mark.sweep)), 3


def alike(battle: Battle) -> Battle:
    """Return the same battle of other objects: nothing kept is about them."""
    return replace(battle, units=tuple(replace(unit) for unit in battle.units), rulings=dict(battle.rulings))


def weighed(battle: Battle) -> list[tuple[Action, float, str]]:
    play = play_of(battle)
    return [(action, *play.prospect(battle, action)) for action in play.suggest(battle)]


def some_action(battle: Battle, rng: Random) -> Action:
    """Return an answer, or an action of either player, greedy enough that the sides meet."""
    if battle.pending:
        return rng.choice(list(answers(battle)))
    if rng.random() < 0.5:
        return play_of(battle).random_action(battle, rng)
    return max(weighed(battle), key=lambda one: round(one[1], 9))[0]


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize("name", SCENES)
def test_what_is_kept_is_what_would_be_worked_out(name: str, actions: int) -> None:
    """Suggestions, values and answers are those of a battle asked about for the first time."""
    rng, battle = Random(name), engine.begin(open_battle(name), 5).battle
    compared = 0
    for number in range(actions):
        if battle.over:
            break
        if not battle.pending and number % EVERY == 0:
            known = weighed(battle)
            assert known == weighed(alike(battle)), number
            compared += len(known)
        battle = engine.submit(battle, some_action(battle, rng)).battle
    assert compared > 50


@pytest.mark.parametrize("actions", ACTIONS)
@pytest.mark.parametrize("name", SCENES)
def test_a_brief_judge_allows_what_the_full_one_allows(name: str, actions: int) -> None:
    """Whether a move or a change of formation is allowed, with and without the verdict."""
    rng, battle = Random(name), engine.begin(open_battle(name), 7).battle
    answered = []
    for number in range(actions):
        if battle.over:
            break
        if not battle.pending and battle.clock.side is not None and number % EVERY == 0:
            for action in suggest._candidates(battle, battle.clock.side):
                holds = suggest.judged(alike(battle), action) is not None
                assert suggest.allowed(battle, action) == holds, action
                answered.append(holds)
        battle = engine.submit(battle, some_action(battle, rng)).battle
    assert any(answered) and not all(answered)
