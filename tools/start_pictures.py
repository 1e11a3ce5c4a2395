"""Pictures of the start screen and what it leads to, made without a display and without touching anyone's games.

python -m tools.start_pictures            write docs/pictures/first-start.png, start-screen.png and new-battle.png
python -m tools.start_pictures FOLDER     write all of its pages there, at several sizes and scales
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from unittest import mock

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import platformdirs
import pygame

from tabletop.geometry.terrain import Table
from tabletop.play.files.load import load_scene
from tabletop.play.players import player_kind
from tabletop.play.saves import library
from tabletop.play.saves.autosave import games_folder
from tabletop.play.session import Session
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.router import App
from tabletop.render.screens import Look, Maker
from tabletop.render.settings.model import Settings
from tabletop.render.start.background_jobs import InlineJobs
from tabletop.render.start.battles import Battles
from tabletop.render.start.games import Loading, Replays
from tabletop.render.start.home import Home
from tabletop.render.start.lessons import Lessons
from tabletop.render.start.quick import Quick
from tabletop.render.start.setting_up import SettingUp
from tabletop.render.widgets.pages.browse import Browse

ROOT = Path(__file__).resolve().parent.parent
SCENE = ROOT / "scenarios" / "tse" / "quatre-bras.yaml"
#: The windows in which every page is shown if all are wanted: width, height, scale.
WINDOWS = ((1280, 720, 1.0), (1920, 1080, 1.0), (1920, 1080, 1.5), (3840, 2160, 2.0), (1280, 720, 2.0))
#: The turn that the saved battle has reached.
TURN = 3


def pages() -> dict[str, Maker]:
    """Return every page by name."""
    field = library.field(SCENE)
    assert isinstance(field, library.Field)
    return {
        "start-screen": lambda look: Home(look, InlineJobs()),
        "quick-battle": lambda look: _quick(look),
        "battles": lambda look: Battles(look, InlineJobs()),
        "new-battle": lambda look: SettingUp(look, field, InlineJobs()),
        "load": lambda look: Loading(look, InlineJobs()),
        "replays": lambda look: Replays(look, InlineJobs()),
        "lessons": lambda look: Lessons(look),
        "open-a-file": lambda look: Browse(look, SCENE.parent),
    }


def _quick(look: Look) -> Quick:
    page = Quick(look, InlineJobs())
    page.lines["seed"].text = "9"
    page.typed("seed")
    return page


def _painted_at_once(_: Baker, table: Table) -> None:
    store.painted(table, store.COARSE)


def shoot(make: Maker, size: tuple[int, int], scale: float, path: Path) -> None:
    """Write a picture of a page in a window."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(size, pygame.RESIZABLE)
    app = App(make, Look(Settings(scale=scale)))
    for _ in range(60):
        app.step(0.3, [])
    surface = pygame.display.get_surface()
    assert surface is not None
    pygame.image.save(surface, path)
    app.close()
    print(path)


def kept_battle() -> None:
    """Save a battle that has been fought for a few turns."""
    folder = games_folder()
    folder.mkdir(parents=True)
    session = Session.start(load_scene(SCENE), 7, {"french": "human", "allied": "greedy"}, folder / "quatre-bras.jsonl")
    make = player_kind("sensible").make
    assert make is not None
    player = make(2)
    while session.mover is not None and session.battle.clock.turn < TURN:
        session.do(player.choose(session.battle).action)


def main(arguments: list[str]) -> int:
    """Make the pictures in temporary folders of their own."""
    with tempfile.TemporaryDirectory() as home, mock.patch.object(Baker, "want", _painted_at_once):
        for name in ("data", "cache", "config"):
            folder = str(Path(home) / name)
            setattr(platformdirs, f"user_{name}_dir", lambda *_, folder=folder, **__: folder)
        first = pages()["start-screen"]
        if arguments:
            for wide, high, scale in WINDOWS:
                shoot(first, (wide, high), scale, Path(arguments[0]) / f"first-start-{wide}x{high}-{scale:g}.png")
        else:
            shoot(first, (1600, 900), 1.0, ROOT / "docs" / "pictures" / "first-start.png")
        kept_battle()
        if arguments:
            for wide, high, scale in WINDOWS:
                for name, make in pages().items():
                    shoot(make, (wide, high), scale, Path(arguments[0]) / f"{name}-{wide}x{high}-{scale:g}.png")
            return 0
        for name in ("start-screen", "new-battle", "quick-battle"):
            shoot(pages()[name], (1600, 900), 1.0, ROOT / "docs" / "pictures" / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
