"""A tour of every screen of the window in its main states, at several sizes, without a display.

python -m tools.tour FOLDER                  every state at 1280x720, 1920x1080 and 3840x2160 (all twice as large)
python -m tools.tour FOLDER 1280x720         at one size
python -m tools.tour --docs                  the chosen ones to docs/pictures/tour-*.png, small

Every state is looked over too: nothing that can be pressed lies outside the window or over another (``faults``).
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pygame
import pytest
from PIL import Image

from tabletop.play import engine
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.files.load import load_scene
from tabletop.play.saves import autosave
from tabletop.play.session import Session
from tabletop.render.battle.offers import offers
from tabletop.render.battle.window import GameWindow
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.router import App
from tabletop.render.screens import Look, Screen
from tabletop.render.settings.model import Settings
from tabletop.render.start.home import Home
from tabletop.render.start.screen import starting
from tests.render import own_home
from tools.places import spots

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SCENES = ROOT / "scenarios" / "tse"
#: Width, height, and what the screen magnifies.
SIZES = ((1280, 720, 1.0), (1920, 1080, 1.0), (3840, 2160, 2.0))
#: States shown in the documentation, and at what size.
SHOWN = ("settings", "calculator", "judge-verdict", "game-question", "game-over", "replay", "game-help")
DOCS = (1280, 720, 1.0)
SEED, COLOURS = 3, 128
#: What is put to the game app: veterans assault a battalion in line behind a hedge.
FIGHT = (
    *("action:assault", "last:actor:infantry", "put:actor:veteran infantry"),
    *("last:target:infantry", "put:target:average infantry", "put:target_formation:deployed", "put:cover:soft"),
    "put:odds:target-outnumbered",
)


class Guide:
    """Somebody who leads through the screens by mouse and keys."""

    def __init__(self, size: tuple[int, int], density: float) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.clear()
        self.app = App(starting(), Look(Settings(), density))
        self.rests(40)

    @property
    def top(self) -> Screen:
        """The screen that is seen."""
        return self.app.top

    @property
    def game(self) -> GameWindow:
        """The battle that is seen."""
        assert isinstance(self.app.top, GameWindow), self.app.top
        return self.app.top

    def rests(self, frames: int = 8) -> None:
        """Let everything come to rest."""
        for _ in range(frames):
            self.app.step(0.3)

    def tells(self, kind: int, **what: object) -> None:
        """Let one event happen."""
        pygame.event.post(pygame.event.Event(kind, what))
        self.app.step(0.05)

    def moves(self, to: tuple[int, int]) -> None:
        """Move the mouse."""
        pygame.mouse.set_pos(to)
        self.tells(pygame.MOUSEMOTION, pos=to, rel=(0, 0), buttons=(0, 0, 0))

    def clicks(self, at: tuple[int, int]) -> None:
        """Click a pixel."""
        self.moves(at)
        self.tells(pygame.MOUSEBUTTONDOWN, pos=at, button=1)
        self.tells(pygame.MOUSEBUTTONUP, pos=at, button=1)
        self.rests(4)

    def presses(self, *words: str) -> None:
        """Press what sends each word."""
        for word in words:
            self.clicks(next(rect.center for name, rect in spots(self.top) if name == word))

    def strikes(self, key: int, mod: int = 0) -> None:
        """Press a key."""
        self.tells(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)
        self.tells(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)
        self.rests(3)

    def drops(self, path: Path) -> None:
        """Drop a file."""
        self.tells(pygame.DROPFILE, file=str(path))
        self.rests(20)

    def unit(self, name: str) -> tuple[int, int]:
        """Return where a unit shows."""
        window = self.game
        x, y = window.camera.to_screen(window.desk.model.battle.unit(name).at)
        left, top = window.panel.table_rect.topleft
        return round(x) + left, round(y) + top


def _first_start(guide: Guide) -> None:
    """The start screen of somebody who has never played: the first battle is offered."""
    for path in autosave.games_folder().iterdir():
        path.unlink()
    assert isinstance(guide.top, Home)
    guide.top.shown(guide.top.look)
    guide.rests(40)


def _battle(guide: Guide) -> None:
    """A battle gone on with, nothing chosen yet."""
    guide.drops(autosave.games_folder() / "quatre-bras.jsonl")
    guide.game.pace("at once")
    guide.rests(10)


def _chosen(guide: Guide) -> None:
    """A brigade chosen, its usual overlays shown."""
    _battle(guide)
    desk = guide.game.desk
    desk.game.answer(desk.model.battle.pending[0].choices[0])
    guide.rests(3)
    desk.proposals.choose_group("foy")
    guide.rests(3)
    guide.clicks(guide.unit("jamin"))
    guide.rests(6)


def _overlaid(guide: Guide) -> None:
    """Everything shown at once, with the legend."""
    _chosen(guide)
    guide.strikes(pygame.K_0)
    guide.rests(20)
    guide.strikes(pygame.K_k)


def _proposed(guide: Guide) -> None:
    """An assault proposed, with its odds."""
    _chosen(guide)
    desk = guide.game.desk
    guide.clicks(guide.unit("brunswick-light"))
    desk.proposals.propose(next(action for action in offers(desk.state) if action.kind == "assault"))
    guide.rests(6)


def _question(guide: Guide) -> None:
    guide.drops(autosave.games_folder() / "question.jsonl")
    guide.game.pace("at once")
    guide.rests(10)


def _menu(guide: Guide) -> None:
    _battle(guide)
    guide.strikes(pygame.K_F10)


def _of_menu(word: str) -> Callable[[Guide], None]:
    def go(guide: Guide) -> None:
        _menu(guide)
        guide.presses(word)

    return go


def _keyed(key: int) -> Callable[[Guide], None]:
    def go(guide: Guide) -> None:
        _battle(guide)
        guide.strikes(key)

    return go


def _over(guide: Guide) -> None:
    guide.drops(autosave.games_folder() / "skirmish.jsonl")
    guide.rests(10)


def _replay(guide: Guide) -> None:
    _over(guide)
    guide.presses("replay:")
    guide.strikes(pygame.K_HOME)
    for _ in range(6):
        guide.strikes(pygame.K_RIGHT)


def _battles(guide: Guide) -> None:
    guide.presses("new")
    guide.rests(30)


def _setting_up(guide: Guide) -> None:
    guide.drops(SCENES / "quatre-bras.yaml")


def _browse(guide: Guide) -> None:
    guide.presses("load", "file")


def _judge(*words: str) -> Callable[[Guide], None]:
    def go(guide: Guide) -> None:
        guide.presses("judge")
        guide.drops(SCENES / "disputes" / "level-shadow.yaml")
        guide.presses(*words)
        screen = guide.top
        if "ask:los" in words and isinstance(screen, JudgingScreen):
            for name in ("low-guns", "middle"):
                guide.clicks(screen.at(screen.desk.battle.unit(name).at))
        if "card" in words[-1]:
            return
        guide.rests(6)

    return go


def _verdict_card(guide: Guide) -> None:
    _judge("tab:ask", "ask:los")(guide)
    guide.presses("tab:card")


def _pressed(*words: str) -> Callable[[Guide], None]:
    return lambda guide: guide.presses(*words)


STATES: dict[str, Callable[[Guide], None]] = {
    "start": lambda guide: None,
    "first-start": _first_start,
    "battles": _battles,
    "new-battle": _setting_up,
    "load": _pressed("load"),
    "replays": _pressed("replays"),
    "open-a-file": _browse,
    "settings": _pressed("settings"),
    "calculator": _pressed("calculator", *FIGHT, "ask"),
    "game": _battle,
    "game-chosen": _chosen,
    "game-all-overlays": _overlaid,
    "game-odds": _proposed,
    "game-question": _question,
    "game-help": _keyed(pygame.K_F1),
    "game-app": _keyed(pygame.K_g),
    "game-menu": _menu,
    "game-save": _of_menu("save"),
    "game-export": _of_menu("export"),
    "game-over": _over,
    "replay": _replay,
    "judge-table": _judge("tab:table"),
    "judge-place": _judge("tab:place", "troop:infantry"),
    "judge-photo": _judge("tab:photo"),
    "judge-verdict": _judge("tab:ask", "ask:los"),
    "judge-card": _verdict_card,
    "judge-save": _judge("save:"),
}


@contextmanager
def at_home() -> Iterator[None]:
    """Give the program a home in which there is something to go on with."""
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        own_home.at_home(Path(place), patch)
        patch.setattr(Baker, "want", lambda baker, table: store.painted(table, store.COARSE))
        patch.setattr(own_home.Halting, "share", 1.0)
        yield


def _kept() -> None:
    """Keep the games every state starts from, also after a state in which there are none."""
    own_home.usual_games(autosave.games_folder().parent.parent)
    for name, scene, most in (("quatre-bras", "quatre-bras", 1), ("question", "skirmish", 400)):
        battle = load_scene(SCENES / f"{scene}.yaml")
        path = autosave.games_folder() / f"{name}.jsonl"
        players = dict.fromkeys(engine.opened(battle, 0).setup.sides, "human")
        session = Session.start(battle, SEED, players, path)
        mover = RandomMover(SEED)
        while len(session.steps) < most and not (len(session.steps) > 5 and session.battle.pending):
            session.do(mover.choose(session.battle).action)


def shown(name: str, size: tuple[int, int, float]) -> Guide:
    """Lead to a state at a size, the games kept being as they were."""
    _kept()
    random.seed(SEED)
    guide = Guide(size[:2], size[2])
    STATES[name](guide)
    guide.rests(3)
    return guide


def faults(screen: Screen) -> list[str]:
    """Return what lies outside the window, or over another thing that can be pressed; what is scrolled away may."""
    surface = pygame.display.get_surface()
    assert surface is not None
    window, found = surface.get_rect(), []
    seen = [(word, rect.clip(window)) for word, rect in spots(screen) if rect.colliderect(window)]
    places = getattr(screen, "spots", ())
    loose = {spot.word for spot in places if not spot.fixed}
    for word, rect in spots(screen):
        if word not in loose and not window.contains(rect):
            found.append(f"{word} lies outside the window: {rect}")
    for (word, rect), (other, at) in itertools.combinations(seen, 2):
        over = rect.clip(at)
        if over.width > 1 and over.height > 1 and bool(word in loose) == bool(other in loose):
            found.append(f"{word} and {other} lie over each other: {over}")
    return found


def picture(path: Path, colours: int | None = None) -> None:
    """Keep what is seen; with so many colours only."""
    surface = pygame.display.get_surface()
    assert surface is not None
    image = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    if colours is not None:
        image = image.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    image.save(path, optimize=True)


def main(arguments: list[str]) -> int:
    """Lead through everything."""
    docs = "--docs" in arguments
    words = [word for word in arguments if not word.startswith("-")]
    folder = PICTURES if docs or not words else Path(words[0])
    folder.mkdir(parents=True, exist_ok=True)
    sizes = [size for size in SIZES if not words[1:] or f"{size[0]}x{size[1]}" in words[1:]]
    wrong = 0
    with at_home():
        for name in SHOWN if docs else STATES:
            for size in (DOCS,) if docs else sizes:
                guide, told = shown(name, size), f"{size[0]}x{size[1]}"
                for fault in faults(guide.top):
                    wrong += 1
                    print(f"{name} at {told}: {fault}")
                picture(folder / (f"tour-{name}.png" if docs else f"{name}-{told}.png"), COLOURS if docs else None)
                guide.app.close()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
