"""Somebody who watches a replay by mouse and keys alone, and short battles to watch: both rule sets, over and not."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from pathlib import Path

import pygame

from tabletop.play import match
from tabletop.play.session import Session
from tabletop.render.replay.screen import Replaying
from tabletop.render.screens import Look, Maker
from tabletop.render.settings.model import Settings
from tests import loaded

SKIRMISH, DRILL = "tse/skirmish", "realm-of-chance/drill-ground"


def fought(path: Path | None, scenario: str = SKIRMISH, actions: int = 10_000, seed: int = 7) -> Session:
    """Return a battle between two computers after so many actions, or over, kept at ``path``."""
    battle = loaded.scenario(scenario)
    names = match.named(battle, "greedy,greedy")
    players = match.made(names, seed)
    session = Session.start(battle, seed, names, path)
    while session.mover is not None and len(session.steps) <= actions:
        session.do(players[session.mover].choose(session.battle).action)
    return session


class Watcher:
    """Every deed is pygame events and frames."""

    def __init__(self, maker: Maker, size: tuple[int, int] = (1280, 720), scale: float = 1.0) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(size, pygame.RESIZABLE)
        screen = maker(Look(Settings(), scale))
        assert isinstance(screen, Replaying)
        self.screen = screen
        self.wait(3)

    def wait(self, frames: int = 1, seconds: float = 0.0) -> None:
        for _ in range(frames):
            self.screen.frame([], seconds)

    def tell(self, kind: int, **what: object) -> None:
        self.screen.frame([pygame.event.Event(kind, what)], 0.0)
        self.screen.frame(pygame.event.get(), 0.0)

    def key(self, key: int, mod: int = 0) -> None:
        self.tell(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)

    def move(self, pixel: tuple[float, float]) -> None:
        at = round(pixel[0]), round(pixel[1])
        self.tell(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))

    def down(self, pixel: tuple[float, float], button: int = 1) -> None:
        self.move(pixel)
        self.tell(pygame.MOUSEBUTTONDOWN, pos=(round(pixel[0]), round(pixel[1])), button=button)

    def up(self, pixel: tuple[float, float], button: int = 1) -> None:
        self.tell(pygame.MOUSEBUTTONUP, pos=(round(pixel[0]), round(pixel[1])), button=button)

    def click(self, pixel: tuple[float, float]) -> None:
        self.down(pixel)
        self.up(pixel)

    def press(self, word: str) -> None:
        """Click the key of the screen that sends ``word``."""
        self.click(self.screen.widgets.words[word].center)

    def rail(self, n: int) -> tuple[float, float]:
        """Where on the window moment ``n`` lies on the rail."""
        place, scale = self.screen.places.rail, self.screen.scale
        return place.left + self.screen.rail.x_of(n) * scale, place.top + 38 * scale

    @property
    def at(self) -> int:
        return self.screen.head.at
