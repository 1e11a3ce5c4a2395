"""The film in the README, a short battle between two computers, and a picture of its replay; needs no display.

python -m tools.battle_film             write docs/pictures/battle.gif and window-replay.png
python -m tools.battle_film FOLDER      write them there
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from tabletop.play import match
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.render.events.reel import read
from tabletop.render.film.shots import Wish
from tabletop.render.film.writer import write_film
from tabletop.render.replay.screen import Replaying, replaying
from tabletop.render.screens import Look
from tabletop.render.settings.model import Settings

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
SCENARIO = ROOT / "scenarios" / "tse" / "starter.yaml"
#: Size of the picture of the replay in pixels. The battle: its players, the seed of its dice, its turns. The film:
#: width in pixels, length in seconds.
SIZE = (1600, 1000)
PLAYERS, SEED, TURNS, WIDE, SECONDS = "greedy,greedy", 4, 2, 800, 20.0


def fought(path: Path) -> None:
    """Fight the battle and keep it in a file."""
    battle = match.limited(load_scene(SCENARIO), TURNS)
    names = match.named(battle, PLAYERS)
    players = match.made(names, SEED)
    session = Session.start(battle, SEED, names, path)
    while session.mover is not None:
        session.do(players[session.mover].choose(session.battle).action)


def watched(game: Path, picture: Path) -> None:
    """Save a picture of the replay, at the costliest action, with the mouse on the rail."""
    pygame.display.init()
    pygame.font.init()
    surface = pygame.display.set_mode(SIZE)
    screen = replaying(game)(Look(Settings()))
    assert isinstance(screen, Replaying)
    while not screen.reel.whole:
        screen.frame([], 0.0)
    dearest = max(screen.reel.losses(), key=lambda loss: loss[2], default=(screen.reel.last, "", 0, 0))
    screen.go(dearest[0])
    screen.cursor = (0, 0)
    for _ in range(30):
        screen.frame([], 0.0)
        pygame.time.wait(15)
    pygame.image.save(surface, picture)


def main(folder: Path) -> None:
    """Fight the battle, write the film and the picture."""
    film = folder / "battle.gif"
    with tempfile.TemporaryDirectory() as kept:
        game = Path(kept) / "battle.jsonl"
        fought(game)
        count = write_film(film, read(game).wound(), WIDE, Wish(seconds=SECONDS))
        watched(game, folder / "window-replay.png")
    print(f"{film}: {count} pictures, {film.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
