"""Where the start screen leads: what makes each of the other screens, imported when somebody goes there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pygame

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion, Broken, TabletopError, Unreadable
from tabletop.play import save
from tabletop.play.session import Session
from tabletop.play.typed import is_there
from tabletop.render.screens import Look, Maker, Screen

#: The other rooms: the module of each, and its function that returns what makes the screen.
ROOMS: Mapping[str, tuple[str, str]] = {
    "replay": ("tabletop.render.replay.screen", "replaying"),
    "so far": ("tabletop.render.replay.screen", "replaying_session"),
    "judge": ("tabletop.render.judge.screen", "judging"),
    "calculator": ("tabletop.render.game_app.screen", "calculator"),
    "settings": ("tabletop.render.settings.screen", "setting"),
}


def room(name: str, *what: Any) -> Maker:
    """Return what makes the screen of a room; Broken when it is opened and not there."""
    module, function = ROOMS[name]

    def make(look: Look) -> Screen:
        try:
            maker: Callable[..., Maker] = getattr(import_module(module), function)
        except (ImportError, AttributeError) as lack:
            raise Broken(f"this part of the program is missing ({lack}); install the program again") from lack
        return _worded(lambda: maker(*what)(look))

    return make


def going_on(path: Path) -> Maker:
    """Return what opens a saved game where it was left, with the players it was begun with."""

    def make(look: Look) -> Screen:
        return _worded(lambda: _played(Session.resume(save.read(path), path), look))

    return make


def beginning(battle: Battle, seed: int, players: Mapping[str, str], path: Path | None) -> Maker:
    """Return what begins a battle; Unsaved when it cannot be kept in ``path`` (None: it is not kept)."""

    def make(look: Look) -> Screen:
        if path is not None and is_there(path):
            raise BadQuestion(f"{path} is there already; name another file, or load that game")
        return _worded(lambda: _played(Session.start(battle, seed, players, path), look))

    return make


def _played(session: Session, look: Look) -> Screen:
    from tabletop.render.battle.window import playing

    made = playing(session)(look)
    pygame.display.set_caption(f"tabletop - {session.battle.title}")
    return made


def _worded(make: Callable[[], Screen]) -> Screen:
    """Make a screen; of many faults of a file one is said."""
    try:
        return make()
    except Unreadable as error:
        raise BadQuestion(first_fault(error)) from None


def first_fault(error: TabletopError) -> str:
    """Return an error in one sentence: of the faults of a file the first, and how many more there are."""
    if not isinstance(error, Unreadable):
        return str(error)
    more = len(error.faults) - 1
    return f"{error.faults[0]}" + (f" (and {more} more)" if more else "")
