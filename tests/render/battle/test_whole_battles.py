"""Battles of both rule sets played by mouse and keys alone are the engine's battles, saved games and all."""

from pathlib import Path

import pytest

from tests.render.battle.driver import play_on, playing, same_as_by_hand, session


def test_a_skirmish_played_to_its_end_by_clicks_is_the_engines_own(tmp_path: Path) -> None:
    played = session("tse/skirmish", ("human", "human"), 3, tmp_path / "game.jsonl")
    with playing(played, measuring=False) as player:
        play_on(player, 400)
        player.wait(2)
        assert player.controller.model.battle.over
        assert "close:" in player.words
    assert len(played.steps) > 10
    assert same_as_by_hand(played, "tse/skirmish", tmp_path)


@pytest.mark.sweep
def test_a_turn_of_the_starter_played_by_clicks_is_the_engines_own(tmp_path: Path) -> None:
    played = session("tse/starter", ("human", "human"), 5, tmp_path / "game.jsonl")
    with playing(played, measuring=False) as player:
        play_on(player, 500, turns=2)
        assert player.controller.model.battle.clock.turn >= 2 or player.controller.model.battle.over
    kinds = {step.action.kind for step in played.steps[1:] if step.action}
    assert {"answer", "choose", "maneuver"} <= kinds
    assert same_as_by_hand(played, "tse/starter", tmp_path)


def test_turns_of_the_drill_ground_played_by_clicks_are_the_engines_own(tmp_path: Path) -> None:
    played = session("realm-of-chance/drill-ground", ("human", "human"), 5, tmp_path / "game.jsonl")
    with playing(played, measuring=False) as player:
        play_on(player, 400, turns=3)
        assert player.controller.model.battle.clock.turn >= 3 or player.controller.model.battle.over
    kinds = {step.action.kind for step in played.steps[1:] if step.action}
    assert {"bombard", "done"} <= kinds
    assert same_as_by_hand(played, "realm-of-chance/drill-ground", tmp_path)


@pytest.mark.parametrize("scenario", ["tse/skirmish", "realm-of-chance/drill-ground"])
def test_against_a_computer_the_saved_game_is_the_engines_own_too(scenario: str, tmp_path: Path) -> None:
    played = session(scenario, ("human", "greedy"), 7, tmp_path / "game.jsonl")
    with playing(played, measuring=False) as player:
        player.controller.game.computers.pace = 3
        play_on(player, 150, turns=3)
    sides = {step.action.side for step in played.steps[1:] if step.action}
    assert sides == set(played.battle.setup.sides)
    assert same_as_by_hand(played, scenario, tmp_path)
