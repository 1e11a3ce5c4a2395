"""What the windows show as something to export: the measuring table, the judge's, a battle being played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabletop.render.battle.tokens import Tokens
from tabletop.render.export.subject import Subject

if TYPE_CHECKING:
    from tabletop.render.battle.window import GameWindow
    from tabletop.render.judge.screen import JudgingScreen
    from tabletop.render.table.window import Window


def of_window(window: Window) -> Subject:
    """Return what a window shows: a battle with its report where one is played in it."""
    from tabletop.render.battle.window import GameWindow

    return of_game(window) if isinstance(window, GameWindow) else of_table(window)


def of_judge(screen: JudgingScreen) -> Subject:
    """Return the judge's table, with the proof of what was asked."""
    desk, camera = screen.desk, screen.camera
    return Subject(desk.battle, camera, screen.view.drawings(desk, camera))


def of_table(window: Window) -> Subject:
    """Return a table on which is measured: a picture of it, no report."""
    desk, camera = window.desk, window.camera
    return Subject(desk.battle, camera, window.canvas.drawings(desk, camera))


def of_game(window: GameWindow) -> Subject:
    """Return a battle being played: what is shown with its badges and marks, and the battle so far."""
    desk, camera, session = window.desk, window.camera, window.desk.session
    drawings = (
        *window.canvas.drawings(desk, camera),
        Tokens().drawing(desk, camera, window.canvas.named(desk, camera)),
    )
    moment = f"turn {max(1, desk.battle.clock.turn)}"
    return Subject(desk.battle, camera, drawings, moment, session.header, tuple(session.steps))
