"""A battle built from nothing in the workshop by clicks: saved, checked, begun and played."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest

from tabletop import cli
from tabletop.play.files.load import load_scene
from tabletop.play.match import made, named
from tabletop.play.saves import library
from tabletop.play.session import Session
from tabletop.render.destinations import ToSettingUp
from tabletop.render.judge import battle_rows, game_keys
from tabletop.render.screens import Go
from tests.render.judge.driver import in_the_workshop
from tests.render.judge.test_a_dispute import position


def test_from_nothing_to_a_battle_that_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battle_rows, "own_folder", lambda: tmp_path)
    with in_the_workshop() as umpire:
        position(umpire)
        umpire.press("tab:edit")
        umpire.click((20, 16))
        umpire.press("battle:piece")
        umpire.press("tab:battle")
        umpire.write("battle:turns", "4")
        umpire.key(pygame.K_RETURN)
        umpire.choose("battle:attacker", "Red")
        umpire.press("battle:play")
        going = umpire.screen.going
    assert isinstance(going, Go) and isinstance(going.to, ToSettingUp)
    path = going.to.path
    assert path.parent == tmp_path
    assert cli.status(["check", str(path)]) == 0
    setup = load_scene(path).setup
    assert (setup.attacker, setup.turns) == ("red", 4)
    assert [goal.id for goal in setup.objectives] == ["woods-1"]
    field = library.field(path)
    assert isinstance(field, library.Field)
    players = named(field.battle, "random,random")
    session, seats = Session.start(field.battle, 3, players), made(players, 3)
    while session.mover is not None:
        session.do(seats[session.mover].choose(session.battle).action)
    assert session.battle.over


def test_an_objective_is_taken_back_and_undone() -> None:
    with in_the_workshop() as umpire:
        position(umpire)
        umpire.press("tab:edit")
        umpire.click((20, 16))
        for expected in (1, 0, 1):
            umpire.press("battle:piece")
            assert len(game_keys.goals(umpire.controller.draft)) == expected
        umpire.press("undo:")
        assert not game_keys.goals(umpire.controller.draft)


@pytest.mark.parametrize("typed", ["none", "201"])
def test_turns_that_are_none_are_said(typed: str) -> None:
    with in_the_workshop() as umpire:
        position(umpire)
        umpire.press("tab:battle")
        umpire.write("battle:turns", typed)
        umpire.key(pygame.K_RETURN)
        assert "whole number from 1 to 200" in umpire.controller.note
        assert (
            game_keys.game_of(umpire.controller.draft).get("turns", 20) == 20
        )  # what was right before the last letter


def test_a_battle_of_one_side_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battle_rows, "own_folder", lambda: tmp_path)
    with in_the_workshop() as umpire:
        umpire.press("new:")
        umpire.press("troop:infantry")
        umpire.click((20, 10))
        umpire.press("tab:battle")
        umpire.press("battle:play")
        assert "two sides" in umpire.controller.note
        assert umpire.screen.going is None
    assert not list(tmp_path.iterdir())
