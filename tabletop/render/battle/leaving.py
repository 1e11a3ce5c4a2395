"""The ways out of a battle being played: its menu, and what is offered when it is over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tabletop.play.session import Session
from tabletop.render.battle.game_menu import Played, export_of, game_menu, replay_of
from tabletop.render.screens import Back, Open
from tabletop.render.table.panel import Key
from tabletop.render.table.tools import Tool

#: The key in the bar, and those of the banner when the battle is over.
MENU = Key("menu:", "Menu", "Save as, replay, pictures, settings, start screen (F10, or Esc with nothing in hand)")
ENDED = (
    Key("close:", "Look at the table", "The log tells how it went"),
    Key("replay:", "Replay", "Watch the battle again from its beginning"),
    Key("export:", "Report", "The battle told as a page, and pictures of the table"),
    Key("home:", "Start screen", "Leave the table; the battle is kept"),
)


def kept_in(session: Session) -> Path | None:
    """Return the file a battle is kept in, None when it is in none."""
    return session.path


def unkept(session: Session) -> str:
    """Return a sentence on what would be lost if the battle were left now; empty when all of it is kept."""
    if session.trouble:
        return f"This battle is not kept: {session.trouble}."
    if session.path is None and len(session.steps) > 1:
        return "This battle is not kept in any file; save it from the menu (F10)."
    return ""


def idle(window: Played) -> bool:
    """Return whether Esc has nothing to lay aside, let go or put away."""
    desk = window.desk
    shown = (desk.proposal, desk.picked, desk.refused, desk.looked_at)
    held = (desk.drag, desk.stretch, desk.selected, desk.actor)
    free = all(thing is None for thing in (*shown, *held)) and not desk.between
    return free and desk.tool is Tool.HAND and not window.helping


def menu(window: Played) -> None:
    """Open the menu over the battle."""
    window.going = Open(game_menu(window))


def replay(window: Played) -> None:
    """Go to the replay of the battle so far."""
    window.going = replay_of(window)


def export(window: Played) -> None:
    """Open the sheet that writes the report and pictures."""
    window.going = export_of(window)


def home(window: Played) -> None:
    """Leave for the start screen."""
    window.going = Back(home=True)


#: What the words of these keys do.
WORDS: Mapping[str, Callable[[Played, str], None]] = {
    "menu": lambda window, _: menu(window),
    "replay": lambda window, _: replay(window),
    "export": lambda window, _: export(window),
    "home": lambda window, _: home(window),
}
