"""Somebody at the start screen by mouse and keys alone: a dummy display, folders of his own, everything inline."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from pathlib import Path

import pygame

from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.render.battle.window import GameWindow
from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.router import App
from tabletop.render.screens import Look, Maker, Screen
from tabletop.render.settings.model import Settings
from tabletop.render.widgets.pages.page import Page

ROOT = Path(__file__).resolve().parents[3]
SKIRMISH = ROOT / "scenarios" / "tse" / "skirmish.yaml"
DRILL = ROOT / "scenarios" / "realm-of-chance" / "drill-ground.yaml"


#: Frames in a row without a job after which a page asks for none any more: it asks when it is drawn, and for a picture
#: when a file was read.
QUIET = 2


def at_rest(screen: Screen) -> bool:
    """Return whether a page that reads and paints beside the window has nothing left to do."""
    jobs = getattr(screen, "jobs", None)
    return jobs is not None and not jobs.busy


def rest(app: App, frames: int) -> bool:
    """Run frames until the page has nothing left to do, or so many; return whether the program goes on."""
    quiet, going_on = 0, bool(app.stack)
    for _ in range(frames):
        going_on = app.step(0.3) if app.stack else False
        quiet = quiet + 1 if app.stack and at_rest(app.top) else 0
        if quiet >= QUIET:
            break
    return going_on


class Visitor:
    """A person at the window: every deed is pygame events and frames."""

    def __init__(self, first: Maker, size: tuple[int, int] = (1280, 720), scale: float = 1.0) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.clear()
        self.app = App(first, Look(Settings(scale=scale)))
        self.going_on = True
        self.wait()

    @property
    def top(self) -> Screen:
        return self.app.top

    @property
    def page(self) -> Page:
        assert isinstance(self.app.top, Page), self.app.top
        return self.app.top

    @property
    def game(self) -> GameWindow:
        assert isinstance(self.app.top, GameWindow), self.app.top
        return self.app.top

    def stands(self, screen: Screen) -> bool:
        """Return whether this screen is the one seen."""
        return self.app.top is screen

    def wait(self, frames: int = 40) -> None:
        """Let time pass: what is read and painted is there afterwards, and frames that change nothing are left out."""
        self.going_on = rest(self.app, frames)

    def tell(self, kind: int, **what: object) -> None:
        pygame.event.post(pygame.event.Event(kind, what))
        self.going_on = self.app.step(0.05)

    def key(self, key: int, mod: int = 0) -> None:
        self.tell(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)
        if self.app.stack:
            self.tell(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)

    def type(self, text: str) -> None:
        for letter in text:
            self.tell(pygame.TEXTINPUT, text=letter)

    def click(self, at: tuple[int, int]) -> None:
        pygame.mouse.set_pos(at)
        self.tell(pygame.MOUSEMOTION, pos=at, rel=(0, 0), buttons=(0, 0, 0))
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=at, button=1))
        self.tell(pygame.MOUSEBUTTONUP, pos=at, button=1)

    def press(self, word: str) -> None:
        """Bring what sends ``word`` into sight with the wheel, and click it."""
        page = self.page
        for _ in range(60):
            rect, frame = page.words[word], page.frame_of(*page.size)
            spot = next(s for s in page.spots if s.word == word)
            scale = page.look.scale
            if spot.fixed or frame.top * scale <= rect.centery < frame.bottom * scale:
                break
            self.tell(pygame.MOUSEWHEEL, y=-1 if rect.centery > frame.top * scale else 1, x=0)
        self.click(page.words[word].center)
        if self.app.stack:
            self.wait(3)

    def drop(self, path: Path) -> None:
        self.tell(pygame.DROPFILE, file=str(path))
        self.wait()

    def close(self) -> None:
        self.app.close()


def drills_a_dispute(visitor: Visitor) -> JudgingScreen:
    """Ask at the judge's table whether the column may assault the line, and make a drill of the answer."""
    table = visitor.top
    assert isinstance(table, JudgingScreen)

    def press(word: str) -> None:
        visitor.click(table.form.words[word].center)
        visitor.wait(3)

    press(next(word for word in table.form.words if word.lower() == "tab:ask"))
    press("ask:assault")
    for unit in ("west-column", "west-line"):
        x, y = table.camera.to_screen(table.controller.battle.unit(unit).at)
        visitor.click((round(x), round(y)))
        visitor.wait(3)
    assert table.controller.verdict is not None
    press("drill:")
    return table


def kept_game(
    path: Path, scenario: Path = SKIRMISH, players: tuple[str, str] = ("human", "human"), most: int = 3
) -> Session:
    """Keep a game begun at ``path``: its first ``most`` actions, the first ones allowed."""
    from tabletop.play.players import player_kind

    path.parent.mkdir(parents=True, exist_ok=True)
    battle = load_scene(scenario)
    sides = engine.opened(battle, 0).setup.sides
    session = Session.start(battle, 5, dict(zip(sides, players, strict=True)), path)
    make = player_kind("random").make
    assert make is not None
    player = make(1)
    for _ in range(most):
        if session.mover is None:
            break
        session.do(player.choose(session.battle).action)
    return session
