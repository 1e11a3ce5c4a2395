"""The states of the window that the tour visits: every screen in its main states, reached by mouse and keys."""

from __future__ import annotations

import random
import secrets
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pygame
import pytest

from tabletop.drills.supply import InlineSupply
from tabletop.geometry.measure import Point
from tabletop.play import engine
from tabletop.play.computer.random_mover import RandomMover
from tabletop.play.files.load import load_scene
from tabletop.play.saves import autosave
from tabletop.play.session import Session
from tabletop.render.battle import lesson_window, recap
from tabletop.render.battle.offers import offers
from tabletop.render.battle.window import GameWindow
from tabletop.render.drawing.landscape import store
from tabletop.render.drawing.landscape.baking import Baker
from tabletop.render.drills import screen as drilling
from tabletop.render.drills.screen import DrillScreen
from tabletop.render.judge import view
from tabletop.render.judge.screen import JudgingScreen
from tabletop.render.router import App
from tabletop.render.screens import Look, Screen
from tabletop.render.settings.model import Settings
from tabletop.render.start.home import Home
from tabletop.render.start.screen import starting
from tabletop.render.widgets.pages.brush import Brush
from tabletop.render.widgets.pages.page import Page
from tests.render import own_home
from tools.places import spots

ROOT = Path(__file__).resolve().parent.parent
SCENES = ROOT / "scenarios" / "tse"
#: Width, height, and the scale of the settings.
Size = tuple[int, int, float]
SIZES: tuple[Size, ...] = ((1280, 720, 1.0), (1920, 1080, 1.0), (3840, 2160, 1.0), (1920, 1080, 2.0))
SEED = 3
#: Most frames to wait for what is made in the background.
MOST_FRAMES = 3000
#: The input for the game app: veterans assault a battalion in line behind a hedge.
FIGHT = (
    *("action:assault", "last:actor:infantry", "put:actor:veteran infantry"),
    *("last:target:infantry", "put:target:average infantry", "put:target_formation:deployed", "put:cover:soft"),
    "put:odds:target-outnumbered",
)


#: The games saved in addition to the usual ones: name, scenario, the most actions done, who plays the attacker.
KEPT = (
    ("quatre-bras", "tse/quatre-bras", 1, "human"),
    ("question", "tse/skirmish", 400, "human"),
    ("telling", "tse/skirmish", 4, "human"),
    ("recap", "realm-of-chance/drill-ground", 1, "greedy"),
    ("sail", "sail/long-sand", 1, "human"),
)


class Guide:
    """A user who moves through the screens by mouse and keys."""

    def __init__(self, size: tuple[int, int], scale: float) -> None:
        pygame.display.init()
        pygame.font.init()
        pygame.display.set_mode(size, pygame.RESIZABLE)
        pygame.event.clear()
        self.app = App(starting(), Look(Settings(scale=scale)))
        self.rests(40)

    @property
    def top(self) -> Screen:
        """The current screen."""
        return self.app.top

    @property
    def game(self) -> GameWindow:
        """The current battle."""
        assert isinstance(self.app.top, GameWindow), self.app.top
        return self.app.top

    def rests(self, frames: int = 8) -> None:
        """Run frames until everything has settled."""
        for _ in range(frames):
            self.app.step(0.3)

    def tells(self, kind: int, **what: object) -> None:
        """Send one event."""
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
            self.clicks(self.place(word).center)

    def place(self, word: str) -> pygame.Rect:
        """Return where a word is pressed, scrolling it into view if necessary."""
        if isinstance(self.top, JudgingScreen):
            self.top.form.turn_to(word)
            self.rests(1)
        at = self._spot(word)
        if isinstance(self.top, Page) and not self.seen.contains(at):
            self.top.turn_to(word)
            self.rests(2)
            at = self._spot(word)
        return at

    def _spot(self, word: str) -> pygame.Rect:
        return next(rect for name, rect in spots(self.top) if name == word)

    @property
    def seen(self) -> pygame.Rect:
        """The window, without what lies at the foot of a page that scrolls."""
        surface = pygame.display.get_surface()
        assert surface is not None
        place = surface.get_rect()
        if isinstance(self.top, Page):
            frame = self.top.frame_of(*self.top.size)
            place = Brush(surface, self.top.scale).rect((0, frame.top, self.top.size[0], frame.bottom - frame.top))
        return place

    def drags(self, name: str, to: Point, drop: bool = True) -> None:
        """Drag a unit by its middle and drop it somewhere else, or keep holding it there."""
        start, end = self.unit(name), self.pixel(to)
        self.moves(start)
        self.tells(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
        for share in (0.3, 1.0):
            at = tuple(round(a + share * (b - a)) for a, b in zip(start, end, strict=True))
            pygame.mouse.set_pos(at)
            self.tells(pygame.MOUSEMOTION, pos=at, rel=(1, 0), buttons=(1, 0, 0))
            self.rests(6)
        if drop:
            self.tells(pygame.MOUSEBUTTONUP, pos=end, button=1)
            self.rests(6)

    def strikes(self, key: int, mod: int = 0) -> None:
        """Press a key."""
        self.tells(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)
        self.tells(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)
        self.rests(3)

    def drops(self, path: Path) -> None:
        """Drop a file."""
        self.tells(pygame.DROPFILE, file=str(path))
        self.rests(20)

    def pixel(self, point: Point) -> tuple[int, int]:
        """Return where a point of the table is shown."""
        window = self.game
        x, y = window.camera.to_screen(point)
        left, top = window.panel.table_rect.topleft
        return round(x) + left, round(y) + top

    def unit(self, name: str) -> tuple[int, int]:
        """Return where a unit is shown."""
        return self.pixel(self.game.controller.model.battle.unit(name).at)


def _first_start(guide: Guide) -> None:
    """Show the start screen of someone who has never played: it offers the first battle."""
    for path in autosave.games_folder().iterdir():
        path.unlink()
    assert isinstance(guide.top, Home)
    guide.top.shown(guide.top.look)
    guide.rests(40)


def _battle(guide: Guide) -> None:
    """Continue a battle, with nothing chosen yet."""
    guide.drops(autosave.games_folder() / "quatre-bras.jsonl")
    guide.game.pace("at once")
    guide.rests(10)


def _chosen(guide: Guide) -> None:
    """Choose a brigade, with its usual overlays."""
    _battle(guide)
    controller = guide.game.controller
    controller.game.answer(controller.model.battle.pending[0].choices[0])
    guide.rests(3)
    controller.proposals.choose_group("foy")
    guide.rests(3)
    guide.clicks(guide.unit("jamin"))
    guide.rests(6)


def _overlaid(guide: Guide) -> None:
    """Show everything at once, with the legend."""
    _chosen(guide)
    guide.strikes(pygame.K_n)
    guide.rests(20)
    guide.strikes(pygame.K_k)


def _proposed(guide: Guide) -> None:
    """Propose an assault, with its odds."""
    _chosen(guide)
    controller = guide.game.controller
    guide.clicks(guide.unit("brunswick-light"))
    controller.proposals.propose(next(action for action in offers(controller.state) if action.kind == "assault"))
    guide.rests(6)


def _answers(guide: Guide) -> None:
    """Answer whatever is asked with the first answer."""
    while guide.game.controller.model.battle.pending:
        guide.strikes(pygame.K_RETURN if guide.game.controller.state.turned_over else pygame.K_1)


def _held(guide: Guide) -> None:
    """Hold a unit: the cost of its move, and what it could do from there."""
    _chosen(guide)
    x, y = guide.game.controller.model.battle.unit("jamin").at
    guide.drags("jamin", (x + 1.0, y + 2.0), drop=False)


def _refused(guide: Guide) -> None:
    """Propose a move that is much too far."""
    _chosen(guide)
    unit = guide.game.controller.model.battle.unit("jamin")
    guide.drags("jamin", (unit.at[0] + 14 * unit.forward[0], unit.at[1] + 14 * unit.forward[1]))


def _pointed(guide: Guide) -> None:
    """Point at an enemy while a unit is chosen: its card, why it cannot be shot at, the side view."""
    _chosen(guide)
    guide.moves(guide.unit("bijleveld"))
    guide.rests(20)


def _skirmish_pointed(guide: Guide) -> None:
    """Open a small battle, choose a unit, point at the enemy."""
    guide.drops(autosave.games_folder() / "telling.jsonl")
    guide.game.pace("at once")
    guide.rests(6)
    _answers(guide)
    battle, mover = guide.game.controller.model.battle, guide.game.controller.state.facts.mover
    own, enemy = sorted(battle.units, key=lambda unit: unit.side != mover)[:: len(battle.units) - 1]
    guide.clicks(guide.unit(own.id))
    guide.moves(guide.unit(enemy.id))
    guide.rests(6)


def _context_menu(guide: Guide) -> None:
    """Open the context menu by a right click."""
    _chosen(guide)
    at = guide.unit("brunswick-light")
    guide.moves(at)
    for kind in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
        guide.tells(kind, pos=at, button=3)
    guide.rests(4)


def _sight_line(guide: Guide) -> None:
    """Lay a sight line between two units, with its side view."""
    _chosen(guide)
    guide.strikes(pygame.K_l)
    guide.clicks(guide.unit("jamin"))
    guide.clicks(guide.unit("kempt"))
    guide.rests(20)


def _zoomed(guide: Guide) -> None:
    """Zoom in, so that the locator shows."""
    _chosen(guide)
    guide.moves(guide.unit("jamin"))
    for _ in range(6):
        guide.strikes(pygame.K_PLUS)
    guide.rests(20)


def _put_away(guide: Guide) -> None:
    """Hide panel and log."""
    _battle(guide)
    controller = guide.game.controller
    controller.game.answer(controller.model.battle.pending[0].choices[0])
    guide.strikes(pygame.K_p)
    guide.strikes(pygame.K_j)


def _tooltip(guide: Guide) -> None:
    """Show the tooltip of a button."""
    _chosen(guide)
    guide.moves(guide._spot("overlay:threat").center)
    guide.rests(12)


def _rule(guide: Guide) -> None:
    """Open the card of a rule from the list."""
    _chosen(guide)
    guide.presses(next(word for word, _ in spots(guide.top) if word.startswith("rule:")))


def _history(guide: Guide) -> None:
    """Show the history of a unit."""
    _over(guide)
    guide.presses("close:")
    guide.clicks(guide.unit("blue-brigade" if guide.game.controller.model.battle.has("blue-brigade") else "blue"))
    guide.strikes(pygame.K_i)


def _computers(scenario: str) -> Callable[[Guide], None]:
    """Return a step that opens a battle against the computer, which moved first."""

    def go(guide: Guide) -> None:
        guide.drops(autosave.games_folder() / f"{scenario}.jsonl")
        guide.game.pace("at once")
        for _ in range(300):
            guide.rests(1)
            facts, battle = guide.game.controller.state.facts, guide.game.controller.model.battle
            if facts.human_turn and battle.pending:
                guide.strikes(pygame.K_1)
            elif facts.human_turn:
                break
        guide.rests(8)

    return go


def _why(guide: Guide) -> None:
    """Show why the computer did what it did."""
    _computers("recap")(guide)
    controller = guide.game.controller
    guide.game.pressed(f"why:{recap.moves(controller.state)[0].n}")


def _result(guide: Guide) -> None:
    """Show the card that reports the last action."""
    guide.drops(autosave.games_folder() / "telling.jsonl")
    guide.game.pace("slow")
    guide.rests(6)
    _answers(guide)
    controller = guide.game.controller
    mover = RandomMover(SEED)
    for _ in range(12):
        controller.game.do(mover.choose(controller.model.battle).action)
        for _ in range(40):
            guide.app.step(0.1)
            show = controller.game.stage.show
            if show is not None and show.card and show.draws and not controller.game.stage.running:
                return


def _filming(guide: Guide) -> None:
    """Begin a film while the table waits below."""
    _over(guide)
    guide.presses("export:", "film.gif")


def _exported(guide: Guide) -> None:
    """Write a picture: the sheet says where."""
    _over(guide)
    guide.presses("export:", "view.png")


def _lesson(number: int) -> Callable[[Guide], None]:
    def go(guide: Guide) -> None:
        guide.presses("lessons", f"lesson:{number}")
        guide.rests(20)

    return go


def _drill_wrong(guide: Guide) -> None:
    """Answer a drill wrongly: the right answer and the near miss show."""
    guide.presses("drills", "mode:tape", "drill:nearest")
    guide.rests(4)
    top = guide.top
    assert isinstance(top, DrillScreen) and top.position is not None
    right = top.position.answer
    guide.presses(f"answer:{next(choice for choice in top.position.choices if choice != right)}")


def _quick_battle(guide: Guide) -> None:
    """Begin a quick battle as offered."""
    guide.presses("quick", "begin")
    for _ in range(MOST_FRAMES):  # the battle is made in the background
        if not isinstance(guide.top, Page):
            break
        guide.rests(1)
    guide.rests(60)


def _sea(guide: Guide) -> None:
    """Open a battle at sea and choose a ship."""
    guide.drops(autosave.games_folder() / "sail.jsonl")
    guide.game.pace("at once")
    guide.rests(10)
    _answers(guide)
    guide.strikes(pygame.K_TAB)
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
                guide.clicks(screen.at(screen.controller.battle.unit(name).at))
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
    "quick": _pressed("quick"),
    "lessons": _pressed("lessons"),
    "drills": _pressed("drills"),
    "lesson": _lesson(0),
    "drill": _pressed("drills", "mode:tape", "drill:nearest"),
    "drill-wrong": _drill_wrong,
    "quick-battle": _quick_battle,
    "calculator": _pressed("calculator", *FIGHT, "ask"),
    "game": _battle,
    "game-chosen": _chosen,
    "game-all-overlays": _overlaid,
    "game-odds": _proposed,
    "game-held": _held,
    "game-refused": _refused,
    "game-pointed": _pointed,
    "table-pointed": _skirmish_pointed,
    "game-at-hand": _context_menu,
    "game-sight-line": _sight_line,
    "game-zoomed": _zoomed,
    "game-put-away": _put_away,
    "game-tooltip": _tooltip,
    "game-rule": _rule,
    "game-result": _result,
    "game-recap": _computers("recap"),
    "game-why": _why,
    "game-history": _history,
    "game-settings": _of_menu("settings"),
    "game-exported": _exported,
    "game-filming": _filming,
    "sea": _sea,
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
    """Give the program a home with saved games in it."""
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        own_home.at_home(Path(place), patch)
        patch.setattr(Baker, "want", lambda baker, table: store.painted(table, store.COARSE))
        patch.setattr(view, "RESTS", 0)
        patch.setattr(secrets, "randbelow", random.randrange)  # random seeds are the same in every tour
        patch.setattr(own_home.Halting, "share", 1.0)
        patch.setattr(lesson_window, "opened", lesson_window.inlined)
        patch.setattr(drilling, "supplied", InlineSupply)
        patch.setattr(drilling, "own_folder", lambda: Path(place) / "own")
        yield


def _kept() -> None:
    """Save the games that every state starts from, even after a state without any."""
    own_home.usual_games(autosave.games_folder().parent.parent)
    for name, scene, most, first in KEPT:
        battle = load_scene(ROOT / "scenarios" / f"{scene}.yaml")
        path = autosave.games_folder() / f"{name}.jsonl"
        sides = engine.opened(battle, 0).setup.sides
        session = Session.start(battle, SEED, dict(zip(sides, (first, "human"), strict=True)), path)
        mover = RandomMover(SEED)
        while len(session.steps) < most and not (len(session.steps) > 5 and session.battle.pending):
            session.do(mover.choose(session.battle).action)


def shown(name: str, size: Size) -> Guide:
    """Lead to a state at a size, with the saved games restored first."""
    _kept()
    random.seed(SEED)
    guide = Guide(size[:2], size[2])
    STATES[name](guide)
    guide.rests(3)
    return guide
