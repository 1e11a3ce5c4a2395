"""Somebody who clicks, drags, types, drops files and resizes without sense, and sees that nothing breaks.

Everything goes through an ``App`` as the program runs it, begun at the start screen; the clicker's own folders only are
written (see own_home), and whatever would have come up as a calm word about a defect is raised instead.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pygame

from tabletop.battle.battle import Battle
from tabletop.play.engine import Step
from tabletop.play.saves import replay, save
from tabletop.play.session import Session
from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.router import App
from tabletop.render.screens import Look, Maker
from tabletop.render.settings.model import Settings
from tabletop.render.start.screen import starting
from tabletop.render.table.window import Window
from tests.games.watch import Watch
from tests.render.own_home import Halting
from tools.places import spots

SIZE = (1280, 720)
#: Sizes a window is given: as before, tiny, odd, and as large as screens are.
SIZES = (
    SIZE,
    SIZE,
    SIZE,
    (1, 1),
    (64, 48),
    (200, 900),
    (333, 217),
    (640, 480),
    (1600, 1000),
    (1920, 1080),
    (3840, 2160),
)
#: Events after which the battles seen are looked over, and after which the files they are kept in are read.
LOOK_EVERY, READ_EVERY = 20, 200
#: Events remembered to be told when something breaks.
REMEMBERED = 60
TYPED = (
    "7",
    "12.5",
    "-3",
    "",
    "a",
    "Q",
    "abc",
    "x" * 300,
    "\u00e4\u00f6 \u2014 \u4e2d",
    "../..",
    "~/new",
    "~nobody/new",
    "1e9",
    "[b]",
    "<b>&lt;",
    "nan",
    "3,5",
)
MODS = (0, 0, 0, 0, pygame.KMOD_SHIFT, pygame.KMOD_CTRL, pygame.KMOD_ALT, pygame.KMOD_CTRL | pygame.KMOD_SHIFT)
KEYS = (
    *(pygame.K_ESCAPE, pygame.K_RETURN, pygame.K_TAB, pygame.K_SPACE, pygame.K_BACKSPACE, pygame.K_DELETE),
    *(pygame.K_UP, pygame.K_DOWN, pygame.K_LEFT, pygame.K_RIGHT, pygame.K_HOME, pygame.K_END, pygame.K_PAGEUP),
    *(pygame.K_PAGEDOWN, pygame.K_PLUS, pygame.K_MINUS, pygame.K_F1, pygame.K_F10, pygame.K_KP_ENTER, pygame.K_INSERT),
    *range(pygame.K_a, pygame.K_z + 1),
    *range(pygame.K_0, pygame.K_9 + 1),
)


class Looking:
    """Looks a battle over from its beginning on, as far as it has gone, also when something was taken back."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._seen: list[Step] = []
        self._watch = Watch()

    def faults(self) -> list[str]:
        """Return what is wrong with what was done since last looked."""
        steps, found = self.session.steps, list[str]()
        if any(a is not b for a, b in zip(self._seen, steps, strict=False)) or len(self._seen) > len(steps):
            self._seen = []
        if not self._seen:
            self._watch = Watch()
            self._watch.begins(self.session.header.opening)
        for step in steps[len(self._seen) :]:
            before: Battle | None = self._seen[-1].battle if self._seen else None
            found += self._watch.opens(step) if before is None else self._watch.faults(before, step)
            self._seen.append(step)
        return found

    def misread(self) -> list[str]:
        """Return what is wrong with the file the game is kept in."""
        session = self.session
        if session.path is None or session.trouble or not session.path.exists():
            return []
        saved = save.read(session.path)
        found = replay.verify(saved)
        wrong = [] if found.sound else [f"{session.path} does not verify: {found}"]
        return wrong if len(saved.lines) == len(session.steps) else [*wrong, f"{session.path} lacks actions"]


class Clicker:
    """Clicks without sense. ``done`` counts the events; ``fault`` is what broke, with the events before it."""

    def __init__(self, seed: int, files: Sequence[Path] = (), first: Maker | None = None) -> None:
        pygame.display.init()
        pygame.font.init()
        self.random = random.Random(seed)
        Halting.chance = random.Random(seed)
        random.seed(seed)
        self.files, self.first = files, first or starting()
        self.seed, self.done = seed, 0
        self.told: list[str] = []
        self.places: dict[str, int] = {}
        self.words: set[str] = set()
        self.battles: dict[int, Looking] = {}
        self._at = (10, 10)
        self.app = self._begun()

    def _begun(self) -> App:
        pygame.display.set_mode(SIZE, pygame.RESIZABLE)
        pygame.event.clear()
        pygame.key.set_mods(0)
        return App(self.first, Look(Settings()))

    def go(self, events: int) -> str:
        """Click so many times; return what broke, empty when nothing did."""
        while self.done < events:
            try:
                self._once()
                if self.done % LOOK_EVERY == 0:
                    self._look()
                if self.done % READ_EVERY == 0:
                    self._read()
            except Exception as error:
                return self._broken(error)
        try:
            self._look()
            self._read()
            self.app.close()
        except Exception as error:
            return self._broken(error)
        return ""

    def _broken(self, error: Exception) -> str:
        self.app.stack.clear()
        events = "\n".join(self.told[-REMEMBERED:])
        return f"seed {self.seed}, event {self.done}\n{events}\n{''.join(traceback.format_exception(error))}"

    def _once(self) -> None:
        kinds, weights = zip(*self._kinds.items(), strict=True)
        kind: Callable[[Clicker], None] = self.random.choices(kinds, weights)[0]
        kind(self)

    # --- what is looked at -------------------------------------------------------------------------------------------

    def _sessions(self) -> Iterator[Session]:
        for screen in self.app.stack:
            session = getattr(screen, "_session", None)
            if isinstance(session, Session):
                yield session

    def _look(self) -> None:
        for session in self._sessions():
            if id(session) not in self.battles:
                self.battles[id(session)] = Looking(session)
            faults = self.battles[id(session)].faults()
            assert not faults, faults

    def _read(self) -> None:
        open_now = {id(session) for session in self._sessions()}
        for name, looking in list(self.battles.items()):
            if name in open_now:
                assert not (wrong := looking.misread()), wrong
            else:
                del self.battles[name]

    # --- one event ---------------------------------------------------------------------------------------------------

    def tell(self, kind: int, **what: Any) -> None:
        """Let one event happen, and a frame."""
        self.told.append(f"{type(self.app.top).__name__}: {pygame.event.event_name(kind)} {what}")
        self.done += 1
        name = type(self.app.top).__name__
        self.places[name] = self.places.get(name, 0) + 1
        pygame.event.post(pygame.event.Event(kind, what))
        self.frame(self.random.choice((0.0, 0.016, 0.05, 0.3)))

    def frame(self, seconds: float) -> None:
        """Show a frame; when the program has ended it is started again."""
        if not self.app.step(seconds) or not self.app.stack:
            self.app.close()
            self._read()
            self.told.append("started again")
            self.app = self._begun()

    def _move(self, to: tuple[int, int]) -> None:
        pygame.mouse.set_pos(to)
        self.tell(pygame.MOUSEMOTION, pos=to, rel=(to[0] - self._at[0], to[1] - self._at[1]), buttons=(0, 0, 0))
        self._at = to

    def _button(self, kind: int, button: int = 1) -> None:
        self.tell(kind, pos=self._at, button=button)

    def _anywhere(self) -> tuple[int, int]:
        surface = pygame.display.get_surface()
        wide, high = surface.get_size() if surface is not None else SIZE
        return self.random.randrange(-3, wide + 3), self.random.randrange(-3, high + 3)

    def _somewhere(self) -> tuple[int, int]:
        """Return a pixel, of a unit rather than any."""
        screen = self.app.top
        if isinstance(screen, Window) and screen.controller.model.battle.units and self.random.random() < 0.7:
            unit = self.random.choice(screen.controller.model.battle.units)
            x, y = screen.camera.to_screen(unit.at)
            left, top = getattr(screen.panel, "table_rect", pygame.Rect(0, 0, 0, 0)).topleft
            return round(x) + left, round(y) + top
        if isinstance(screen, JudgingScreen) and screen.controller.battle.units and self.random.random() < 0.5:
            return screen.at(self.random.choice(screen.controller.battle.units).at)
        return self._anywhere()

    # --- kinds of deeds ----------------------------------------------------------------------------------------------

    def click(self) -> None:
        """Click somewhere, mostly with the left button."""
        self._move(self._somewhere())
        self._press(self.random.choice((1, 1, 1, 1, 2, 3)))

    def _press(self, button: int = 1) -> None:
        self._button(pygame.MOUSEBUTTONDOWN, button)
        self._button(pygame.MOUSEBUTTONUP, button)

    def press_a_word(self) -> None:
        """Click something that can be pressed."""
        words = spots(self.app.top)
        if not words:
            return
        heads = sorted({word.partition(":")[0] for word, _ in words})
        head = self.random.choice(heads)
        word, rect = self.random.choice([row for row in words if row[0].partition(":")[0] == head])
        self.words.add(f"{type(self.app.top).__name__} {head}")
        self.told.append(f"presses {word}")
        self._move(rect.center)
        self._press()

    def drag(self) -> None:
        """Press, move some way, mostly let go."""
        self._move(self._somewhere())
        button = self.random.choice((1, 1, 1, 1, 3, 2))
        self._button(pygame.MOUSEBUTTONDOWN, button)
        for _ in range(self.random.randrange(1, 6)):
            self._move(self._anywhere())
            if self.random.random() < 0.2:
                self.random.choice((Clicker.key, Clicker.wheel))(self)
        if self.random.random() < 0.9:
            self._button(pygame.MOUSEBUTTONUP, button)

    def key(self) -> None:
        """Press a key, also with others held."""
        mod = self.random.choice(MODS)
        key = self.random.choice(KEYS)
        pygame.key.set_mods(mod)
        self.tell(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)
        if self.random.random() < 0.9:
            self.tell(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)
        pygame.key.set_mods(0)

    def type_something(self) -> None:
        """Type something."""
        text = self.random.choice(TYPED)
        for letter in text if len(text) < 9 else [text]:
            self.tell(pygame.TEXTINPUT, text=letter)

    def wheel(self) -> None:
        """Turn the wheel."""
        self.tell(pygame.MOUSEWHEEL, x=0, y=self.random.choice((-9, -1, -1, 1, 1, 9)), flipped=False)

    def resize(self) -> None:
        """Give the window another size, and mostly the usual one soon after."""
        size = self.random.choice(SIZES)
        for wide, high in (size, *((SIZE,) if self.random.random() < 0.8 else ())):
            pygame.display.set_mode((wide, high), pygame.RESIZABLE)
            self.tell(pygame.VIDEORESIZE, size=(wide, high), w=wide, h=high)
            if self.random.random() < 0.3:
                self.click()

    def look_away(self) -> None:
        """Turn to another window, put this one away, and come back."""
        kinds = (
            pygame.WINDOWFOCUSLOST, pygame.WINDOWFOCUSGAINED, pygame.WINDOWMINIMIZED, pygame.WINDOWRESTORED,
            pygame.WINDOWLEAVE, pygame.WINDOWENTER, pygame.WINDOWEXPOSED,
        )  # fmt: skip
        self.tell(self.random.choice(kinds))
        self.tell(pygame.ACTIVEEVENT, gain=self.random.choice((0, 1)), state=self.random.choice((1, 2, 4)))

    def drop(self) -> None:
        """Drop a file."""
        if self.files:
            self.tell(pygame.DROPFILE, file=str(self.random.choice(self.files)))

    def wait(self) -> None:
        """Let some time pass."""
        for _ in range(self.random.randrange(1, 6)):
            self.frame(self.random.choice((0.05, 0.3, 1.0, 30.0)))

    def close_it(self) -> None:
        """Close the window."""
        self.tell(pygame.QUIT)

    def burst(self) -> None:
        """Let much happen between two frames."""
        for _ in range(self.random.randrange(2, 8)):
            at = self._somewhere()
            for kind in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
                what = {"rel": (0, 0), "buttons": (0, 0, 0)} if kind == pygame.MOUSEMOTION else {"button": 1}
                pygame.event.post(pygame.event.Event(kind, pos=at, **what))
        self.key()

    _kinds: ClassVar[dict[Callable[[Clicker], None], float]] = {
        press_a_word: 40, click: 14, drag: 10, key: 14, type_something: 3, wheel: 4, resize: 0.7, look_away: 0.7,
        drop: 0.6, wait: 6, close_it: 0.1, burst: 1.0,
    }  # fmt: skip
