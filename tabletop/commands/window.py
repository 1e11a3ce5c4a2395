"""The screens that ``tabletop play`` opens: the start screen, a battle over it, a saved game, the measuring table."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from tabletop.errors import BadQuestion

if TYPE_CHECKING:
    from tabletop.battle.battle import Battle
    from tabletop.play.session import Session

#: Who plays the first battle: a person attacks, the computer defends.
FIRST_PLAYERS = "human,greedy"


def is_game(scene: str) -> bool:
    """Return whether a file is a saved game, by its first bytes or its suffix."""
    from tabletop.play.files import named_files

    return named_files.is_game(scene) or scene.endswith(".jsonl")


def start() -> int:
    """Open the start screen and return the exit status; write pictures of the first battle if there is no display."""
    from tabletop.doctor import can_show

    if not can_show():
        return _postcards(_first())
    from tabletop.render.running import run
    from tabletop.render.start.screen import starting

    return run(starting(), title="")


def begin_first(seed: int | None, save: Path | None) -> int:
    """Begin the first battle over the start screen; write pictures of it if there is no display.

    One begun before in which no person has acted is continued, so that opening it often leaves one file.
    """
    from tabletop.doctor import can_show

    if not can_show():
        return _postcards(_first())
    from tabletop.commands.prompt import session_of
    from tabletop.play.files.named_files import first_battle

    untouched = _untouched() if seed is None and save is None else None
    scene = untouched if untouched is not None else first_battle()
    return _shown(session_of(str(scene), FIRST_PLAYERS, _seed(seed), save, at_screen=True))


def play(scene: str | None, players: str, seed: int | None, save: Path | None) -> int:
    """Play a scenario (the starter unless one is named), or continue a saved game, over the start screen.

    The game is always kept: in ``save``, else in the folder for saved games. BadQuestion if there is no display.
    """
    from tabletop.doctor import can_show

    if not can_show():
        raise BadQuestion("there is no display here to play in; play it at the prompt: tabletop play SCENARIO --text")
    from tabletop.commands.prompt import session_of
    from tabletop.play.files.named_files import first_battle

    return _shown(session_of(scene or str(first_battle()), players, _seed(seed), save, at_screen=True))


def go_on(scene: str, seed: int | None, save: Path | None) -> int:
    """Continue a saved game with the players it was begun with; write pictures of it if there is no display."""
    from tabletop.doctor import can_show

    if seed is not None:
        raise BadQuestion("a saved game goes on with the seed it was begun with; leave out --seed")
    if not can_show():
        from tabletop.play.files.opened import open_battle

        return _postcards(open_battle(scene))
    from tabletop.play.saves import save as saving
    from tabletop.play.session import Session

    return _shown(Session.resume(saving.read(Path(scene)), save or Path(scene)))


def measure(scene: str) -> int:
    """Open the measuring table on a battle, over the start screen; write pictures of it if there is no display."""
    from tabletop.doctor import can_show
    from tabletop.play.files.opened import open_battle

    battle = open_battle(scene)
    if not can_show():
        return _postcards(battle)
    from tabletop.render.running import run
    from tabletop.render.start.screen import starting
    from tabletop.render.table.window import measuring

    return run(starting(), measuring(battle), title=battle.title)


def _shown(session: Session) -> int:
    from tabletop.render.battle.window import playing
    from tabletop.render.running import run
    from tabletop.render.start.screen import starting

    return run(starting(), playing(session), title=session.battle.title)


def _seed(seed: int | None) -> int:
    return secrets.randbelow(1_000_000) if seed is None else seed


def _first() -> Battle:
    from tabletop.play.files.load import load_scene
    from tabletop.play.files.named_files import first_battle

    return load_scene(first_battle())


def _untouched() -> Path | None:
    from tabletop.commands.prompt import seated
    from tabletop.play.saves.library import untouched

    battle = _first()
    return untouched(battle, seated(battle, FIRST_PLAYERS))


def _postcards(battle: Battle) -> int:
    from tabletop.render.painting.postcards import write_postcards

    pictures = write_postcards(battle)
    names = ", ".join(path.name for path in pictures)
    cure = "to play without one: tabletop play --text"
    print(f"There is no display here; pictures of the battle are in {pictures[0].parent}: {names} ({cure})")
    return 0
