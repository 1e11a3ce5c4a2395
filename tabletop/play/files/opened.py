"""Open a battle by name: a scene, a scenario, or a saved game at some moment."""

from __future__ import annotations

from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play.files import load, named_files
from tabletop.play.viewing import OF_THE_PEOPLE, View


def open_battle(path: str | Path, at: str | None = None, view: View = OF_THE_PEOPLE) -> Battle:
    """Return the battle of a scene or scenario, or of a saved game as it was left or at a moment ("14", "turn:3").

    Of a saved game whose rules hide units, those outside the ``view`` are left out until it is over.

    Raises Unreadable for a file that is none of these, BadQuestion for a moment that was never reached.
    """
    if named_files.is_game(path):
        return _at(path, at, view)
    _no_moment(path, at, view)
    return load.load_scene(path)


def open_table(path: str | Path, at: str | None = None, view: View = OF_THE_PEOPLE) -> Battle:
    """Return the battle of a file for drawing: as ``open_battle`` does, or a map as a battle without units."""
    if named_files.is_game(path):
        return _at(path, at, view)
    _no_moment(path, at, view)
    return load.load_table(path)


def _at(path: str | Path, at: str | None, view: View) -> Battle:
    from tabletop.play.saves import known_game, replay  # loaded late: scenes do not need them

    game = known_game.read(path, view)
    return game.battle_at(None if at is None else replay.moment(game.saved, at))


def _no_moment(path: str | Path, at: str | None, view: View) -> None:
    if at is not None:
        raise BadQuestion(f"{path} is no saved game: only a saved game has moments to look at; leave out 'at'")
    if view != OF_THE_PEOPLE:
        raise BadQuestion(f"{path} is no saved game: only a saved game hides units; leave out 'side' and 'all'")
