"""Which ideas a player is shown: by value, of several kinds."""

from __future__ import annotations

import pytest

from tabletop.battle.action import Action
from tabletop.play.engine import play_of
from tabletop.play.hints import COMPARABLE, Idea, ideas, mixed
from tabletop.play.workers.player_worker import suggestions
from tests.terminal.typist import STARTER, first, typist


def idea(kind: str, value: float, number: int = 0) -> Idea:
    return Idea(Action(kind, "blue", "a", options={"front": number}), value)


def kinds(found: list[Idea]) -> list[str]:
    return [one.action.kind for one in found]


def test_the_best_comes_first_whatever_was_thought_of_first() -> None:
    found = [idea("deploy", 0.1), idea("maneuver", 2.0), idea("assault", 1.0)]
    assert kinds(mixed(found, 3)) == ["maneuver", "assault", "deploy"]


@pytest.mark.parametrize(("behind", "shown"), [(COMPARABLE, "deploy"), (COMPARABLE + 0.01, "maneuver")])
def test_three_of_a_kind_give_way_to_another_of_comparable_value(behind: float, shown: str) -> None:
    found = [idea("maneuver", 1.0, k) for k in range(5)] + [idea("deploy", 1.0 - behind)]
    assert kinds(mixed(found, 3)) == ["maneuver", shown, "maneuver"]


def test_each_unit_keeps_to_its_share_and_what_is_nobodys_comes_last() -> None:
    battle = first(typist(), "foy").battle
    every = list(play_of(battle).suggest(battle))
    found = ideas(battle, [*every, *every], 3, 18)
    units = [one.action.unit for one in found]
    assert max(units.count(unit) for unit in set(units)) <= 3
    assert kinds(found)[-1] == "finish"
    assert len({repr(one.action) for one in found}) == len(found)
    for unit in set(units) - {None}:
        own = [one for one in found if one.action.unit == unit]
        best = max(play_of(battle).prospect(battle, action)[0] for action in every if action.unit == unit)
        assert own[0].value == pytest.approx(best)
        assert len(set(kinds(own))) > 1 or len(own) < 3 or own[0].value - COMPARABLE > 0.0
    leading = [next(one.value for one in found if one.action.unit == unit) for unit in dict.fromkeys(units) if unit]
    assert leading == sorted(leading, reverse=True)


def test_the_window_ranks_the_same_ideas() -> None:
    battle = first(typist(), "foy").battle
    shown = suggestions(battle, "jamin")
    own = [action for action in play_of(battle).suggest(battle) if action.unit == "jamin"]
    own += play_of(battle).variations(battle, "jamin")
    assert {repr(action) for action in shown} == {repr(action) for action in own}
    assert shown[0] == max(own, key=lambda action: round(play_of(battle).prospect(battle, action)[0], 6))


def test_a_unit_asked_about_is_shown_other_ranks_and_wheels_too() -> None:
    """TSE-FRM-20, TSE-MOV-03: with numbers that do them, best first among the others."""
    game = first(typist(STARTER), "duval")
    said = game.type("hint daumas")
    shown = game.prompt.offered
    assert any(action.options.get("ranks") == (2, 1, 1) for action in shown)
    wheeled = next(k for k, action in enumerate(shown, 1) if "pivots" in action.options)
    assert "ranks 2,1,1" in said and "@right facing" in said
    values = [play_of(game.battle).prospect(game.battle, action)[0] for action in shown]
    assert values[3:] == sorted(values[3:], reverse=True)
    game.type(str(wheeled))
    done = game.session.steps[-1].action
    assert done == shown[wheeled - 1]


@pytest.mark.parametrize(("off", "shown"), [(0.0, 1), (0.04, 1), (0.06, 2)])
def test_ways_that_end_at_the_same_place_are_shown_once(off: float, shown: int) -> None:
    """What bars the way ends a long one and a short one there: the first stands for both."""
    battle = typist(STARTER).battle
    ways = [Action("maneuver", "french", "daumas", options={"path": ((20.0, 9.0 + k * off),)}) for k in range(2)]
    assert [one.action for one in ideas(battle, ways, 9, 9)] == ways[:shown]
    other = Action("maneuver", "french", "daumas", options={"path": ((20.0, 9.0),), "ranks": (2, 1, 1)})
    assert len(ideas(battle, [*ways, other], 9, 9)) == shown + 1


def test_answers_to_a_question_are_not_hidden() -> None:
    battle = typist().battle
    assert battle.pending
    game = typist()
    assert all(choice in game.type("hint") for choice in battle.pending[0].choices)
