"""The rooms the start screen leads to, as they are: each opens, draws, and leads back."""

from pathlib import Path

import pygame
import pytest

from tabletop.play.workers.judge_worker import InlineJudgeWorker
from tabletop.render.judge import screen as judging
from tabletop.render.start.home import Home
from tests.render.start.conftest import Visit
from tests.render.start.visitor import kept_game

ESCAPE, CLOSE = (pygame.K_ESCAPE, 0), (pygame.K_w, pygame.KMOD_CTRL)


@pytest.mark.parametrize(
    ("word", "name", "leaving"),
    [("judge", "JudgingScreen", CLOSE), ("calculator", "GameApp", ESCAPE), ("settings", "Setting", ESCAPE)],
)
def test_every_room_opens_draws_and_leads_back(
    visit: Visit, word: str, name: str, leaving: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "JudgeWorker", InlineJudgeWorker)
    visitor = visit()
    visitor.press(word)
    assert visitor.app.notice == "" and type(visitor.top).__name__ == name
    visitor.wait(5)
    for _ in range(4):
        if isinstance(visitor.top, Home):
            break
        visitor.key(*leaving)
        visitor.wait(2)
    assert isinstance(visitor.top, Home) and visitor.app.notice == ""


def test_a_kept_game_is_watched_again_and_left(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl")
    visitor = visit()
    visitor.press("replays")
    visitor.press(f"game:{games_folder / 'a.jsonl'}")
    assert type(visitor.top).__name__ == "Replaying" and visitor.app.notice == ""
    visitor.wait(5)
    visitor.key(pygame.K_ESCAPE)
    visitor.wait(2)
    assert type(visitor.top).__name__ == "Replays" and visitor.app.notice == ""


def test_a_battle_is_watched_while_it_goes_on(visit: Visit, games_folder: Path) -> None:
    kept_game(games_folder / "a.jsonl")
    visitor = visit()
    visitor.press("continue")
    game = visitor.game
    visitor.key(pygame.K_F10)
    visitor.press("replay")
    assert type(visitor.top).__name__ == "Replaying" and visitor.app.notice == ""
    for _ in range(3):
        visitor.key(pygame.K_ESCAPE)
        visitor.wait(2)
        if visitor.stands(game):
            break
    assert visitor.stands(game)
