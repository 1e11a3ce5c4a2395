"""Open a battle by name: a scene, a scenario, or a saved game at some moment."""

from __future__ import annotations

from pathlib import Path

from tabletop.battle.battle import Battle
from tabletop.errors import BadQuestion
from tabletop.play.files import load, named_files


def open_battle(path: str | Path, at: str | None = None) -> Battle:
    """Return the battle of a scene or scenario, or of a saved game as it was left or at a moment ("14", "turn:3").

    Raises Unreadable for a file that is none of these, BadQuestion for a moment that was never reached.
    """
    if named_files.is_game(path):
        return _at(path, at)
    _no_moment(path, at)
    return load.load_scene(path)


def open_table(path: str | Path, at: str | None = None) -> Battle:
    """Return the battle of a file for drawing: as ``open_battle`` does, or a map as a battle without units."""
    if named_files.is_game(path):
        return _at(path, at)
    _no_moment(path, at)
    return load.load_table(path)


def _at(path: str | Path, at: str | None) -> Battle:
    from tabletop.play.saves import replay, save  # loaded late: scenes do not need them

    saved = save.read(path)
    return replay.battle_at(saved, None if at is None else replay.moment(saved, at))


def _no_moment(path: str | Path, at: str | None) -> None:
    if at is not None:
        raise BadQuestion(f"{path} is no saved game: only a saved game has moments to look at; leave out 'at'")
