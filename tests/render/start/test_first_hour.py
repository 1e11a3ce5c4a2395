"""What a new player does in his first hour, from the start screen on by real clicks: practice, a recap, a dispute."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tabletop.drills.supply import InlineSupply
from tabletop.play.files.draft_from_file import open_draft
from tabletop.play.saves import library, replay, save
from tabletop.play.session import Session
from tabletop.play.workers.player_worker import InlinePlayerWorker
from tabletop.render.battle import recap, window
from tabletop.render.battle.window import GameWindow
from tabletop.render.drills import screen as drilling
from tabletop.render.drills.screen import DrillScreen
from tabletop.render.judge import screen as judging
from tabletop.render.screens import Look, Maker
from tests.render.battle.driver import Brisk, Player, let_the_computer_act
from tests.render.battle.test_practice import thrown
from tests.render.battle.test_seeing import follow
from tests.render.start.conftest import Visit
from tests.render.start.visitor import Visitor, drills_a_dispute

DRILL_GROUND = "drill-ground.yaml"


@pytest.fixture(autouse=True)
def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let overlays of battles stay empty: nothing here rests on them."""

    def played(session: Session) -> Callable[[Look], GameWindow]:
        def make(look: Look) -> GameWindow:
            workers = Brisk(session.battle, 0), Brisk(session.battle, 0)
            return GameWindow(session, *workers, InlinePlayerWorker(), look.scale)

        return make

    monkeypatch.setattr(window, "playing", played)


def begun(visitor: Visitor, *pressed: str, seats: tuple[str, str]) -> Player:
    """Begin the drill ground from the start screen, and sit down at it."""
    visitor.press("new")
    visitor.wait()
    path = next(path for path in library.installed_battles().paths if path.name == DRILL_GROUND)
    visitor.press(f"battle:{path}")
    from tabletop.render.start.setting_up import SettingUp

    page = visitor.page
    assert isinstance(page, SettingUp)
    for side, seat in zip(page.field.battle.setup.sides, seats, strict=True):
        visitor.press(f"seat:{side}:{seat}")
    visitor.press("seed")
    visitor.type("3")
    for word in (*pressed, "begin"):
        visitor.press(word)
    visitor.game.pace("at once")
    return Player(visitor.game)


def test_a_practice_battle_takes_a_die_back(visit: Visit, games_folder: Path) -> None:
    player = begun(visit(), "practice", seats=("human", "human"))
    before = thrown(player)
    player.press("undo:")
    assert len(player.controller.game.session.steps) <= before
    player.press("redo:")
    assert player.controller.game.session.steps[-1].thrown
    player.press("save:")
    (path,) = games_folder.glob("*.jsonl")
    saved = save.read(path)
    assert saved.header.practice and replay.verify(saved).sound


def test_the_recap_of_the_computers_moves_says_why(visit: Visit) -> None:
    player = begun(visit(), seats=("greedy", "human"))
    let_the_computer_act(player)
    move = recap.moves(player.controller.state)[0]
    assert move.thought is not None and move.thought.other is not None
    assert follow(player, "proof", "why:") == f"why:{move.n}"
    panel_page = player.window.panel_page
    assert panel_page is not None and move.thought.why in panel_page.html
    assert f"{move.thought.value:+.2f}" in panel_page.html and f"{move.thought.other.value:+.2f}" in panel_page.html
    player.press("close-page:")
    player.press("main:")
    assert player.controller.model.selected is not None and recap.shown(player.controller.state), (
        "it stays until the first order"
    )


def test_a_dispute_becomes_a_drill(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drilling, "supplied", InlineSupply)
    monkeypatch.setattr("tabletop.drills.drilling.READY", 1)
    data = next(path for path in library.installed_battles().paths if path.parent.name == "tse").parent

    def laid(scene: Path | None = None) -> Maker:
        return lambda look: judging.inlined(None if scene is None else open_draft(scene), look.scale)

    monkeypatch.setattr(judging, "judging", laid)
    visitor = visit()
    visitor.press("judge")
    visitor.drop(data / "disputes" / "front-or-flank.yaml")
    drills_a_dispute(visitor)
    drill = visitor.top
    assert isinstance(drill, DrillScreen)
    visitor.press("answer:no")
    last = drill.session.last
    assert last is not None and not last.right
