"""Files from anywhere, dropped on the window or chosen: a battle to begin, a game to go on with, or a word."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabletop.errors import BadQuestion
from tabletop.play import files, shelf
from tabletop.play.shelf import Unfit
from tabletop.play.typed import is_folder
from tabletop.play.words import clip
from tabletop.render.screens import Look, Maker, Screen
from tabletop.render.start import doors, telling
from tabletop.render.start.setting_up import SettingUp


def opening(path: Path, stack: Sequence[Screen] = ()) -> Maker:
    """Return what opens a file: its card for a battle, its table for a game; BadQuestion for anything else.

    A game that one of the screens of ``stack`` shows already is not opened twice: both would write its file.
    """
    suffix = path.suffix.lower()
    if is_folder(path):
        raise BadQuestion(
            f"{telling.place(path)} is a folder; drop a file of it: a scenario (.yaml) or a saved game (.jsonl)"
        )
    if files.is_game(path) or suffix in shelf.GAME_FILES:
        if any(_shows(screen, path) for screen in stack):
            raise BadQuestion(f"{path.name} is open already: it is the battle you came from")
        return doors.going_on(path)
    if suffix in shelf.BATTLE_FILES:
        return setting_up(path)
    raise BadQuestion(
        f"{clip(path.name)} is neither a scenario (.yaml, .yml, .json) nor a saved game (.jsonl); nothing is opened"
    )


def setting_up(path: Path) -> Maker:
    """Return what opens the page on which a battle is begun; BadQuestion, with the first fault, when there is none."""

    def make(look: Look) -> Screen:
        found = shelf.field(path)
        if isinstance(found, Unfit):
            raise BadQuestion(f"{path.name} cannot be opened: {found.why}")
        return SettingUp(look, found)

    return make


def _shows(screen: Screen, path: Path) -> bool:
    kept = getattr(screen, "kept_in", None)
    try:
        return kept is not None and Path(kept).resolve() == path.resolve()
    except OSError:
        return False
