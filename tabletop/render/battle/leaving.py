"""How to leave a battle being played: its menu, and the warnings about an unsaved or unfinished battle."""

from __future__ import annotations

from pathlib import Path

from tabletop.play.session import Session
from tabletop.render.battle.game_menu import Played, game_menu
from tabletop.render.screens import Open
from tabletop.render.table.tools import Tool


def kept_in(session: Session) -> Path | None:
    """Return the file a battle is saved in, None if there is none."""
    return session.path


def unkept(session: Session) -> str:
    """Return a sentence on what would be lost by leaving the battle now; empty if all of it is saved."""
    if session.trouble:
        return f"This battle is not kept: {session.trouble}."
    if session.path is None and len(session.steps) > 1:
        return "This battle is not kept in any file; save it from the menu (F10)."
    return ""


def unfinished(session: Session) -> str:
    """Return a sentence on a battle still going on, shown before the program ends; empty before the first action."""
    if session.mover is None or len(session.steps) < 2:
        return ""
    return f"The battle is not over; it is kept in {session.path}." if session.path is not None else ""


def idle(window: Played) -> bool:
    """Return whether Esc has nothing to discard, let go of or close."""
    table, chosen = window.controller.model, window.controller.state.chosen
    shown = (chosen.proposal, chosen.picked, chosen.refused, chosen.looked_at)
    held = (table.drag, table.stretch, table.selected, chosen.actor)
    free = all(thing is None for thing in (*shown, *held)) and not chosen.between
    return free and table.tool is Tool.HAND and not window.helping


def menu(window: Played) -> None:
    """Open the menu over the battle."""
    window.going = Open(game_menu(window))
