"""Somebody who plays in the window by mouse and keys alone: a dummy display, thoughts and measures in this process."""

import os

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pygame
from pygame_gui.elements import UIButton

from tabletop.battle.codec import state_hash
from tabletop.geometry.measure import Point
from tabletop.play import engine
from tabletop.play.files.load import load_scene
from tabletop.play.saves import replay, save
from tabletop.play.session import Session
from tabletop.play.workers.judge_worker import InlineJudgeWorker, JudgeRequest
from tabletop.play.workers.player_worker import InlinePlayerWorker
from tabletop.render.battle.controller import BattleController
from tabletop.render.battle.window import GameWindow
from tests import loaded
from tests.render.known_answers import AREAS
from tools.places import sent

ROOT = Path(__file__).resolve().parents[3]
SIZE = (1280, 720)
#: The battles most is tried in, one of each rule set.
DRILL, STARTER = "realm-of-chance/drill-ground", "tse/starter"


def session(scenario: str, players: tuple[str, str], seed: int, keep: Path | None = None) -> Session:
    """Return a battle begun, the attacker's player first."""
    battle = loaded.scenario(scenario)
    sides = engine.opened(battle, 0).setup.sides
    return Session.start(battle, seed, dict(zip(sides, players, strict=True)), keep)


class Player:
    """A person at the window: every deed is pygame events and frames."""

    def __init__(self, window: GameWindow) -> None:
        self.window = window
        self.controller: BattleController = window.controller

    def tell(self, kind: int, **what: object) -> None:
        pygame.event.post(pygame.event.Event(kind, what))
        self.window.step(0.2)

    def wait(self, frames: int = 1) -> None:
        for _ in range(frames):
            self.window.step(0.2)

    def pixel(self, point: Point) -> tuple[int, int]:
        x, y = self.window.camera.to_screen(point)
        left, top = self.window.panel.table_rect.topleft
        return round(x) + left, round(y) + top

    def move(self, pixel: tuple[int, int]) -> None:
        self.tell(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(0, 0, 0))

    def down(self, pixel: tuple[int, int], button: int = 1) -> None:
        self.tell(pygame.MOUSEBUTTONDOWN, pos=pixel, button=button)

    def up(self, pixel: tuple[int, int], button: int = 1) -> None:
        self.tell(pygame.MOUSEBUTTONUP, pos=pixel, button=button)

    def click(self, pixel: tuple[int, int]) -> None:
        """Come to a pixel, then press and let go between two frames."""
        self.move(pixel)
        pygame.event.post(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pixel, button=1))
        self.up(pixel)

    def key(self, key: int, mod: int = 0) -> None:
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0))
        self.tell(pygame.KEYUP, key=key, mod=mod, unicode="", scancode=0)

    def at(self, name: str) -> Point:
        return self.controller.model.battle.unit(name).at

    def pick(self, name: str) -> None:
        """Click a unit where it stands."""
        self.click(self.pixel(self.at(name)))
        self.wait()

    def drag(self, name: str, to: Point) -> None:
        """Take a unit by its middle and let it go somewhere else."""
        self.move(self.pixel(self.at(name)))
        self.down(self.pixel(self.at(name)))
        self.move(self.pixel(to))
        self.wait()
        self.up(self.pixel(to))
        self.wait()

    @property
    def words(self) -> list[str]:
        """What the buttons that can be pressed would send, from the top of the list down."""
        return [word for word, rect in sorted(sent(self.window), key=lambda spot: (spot[1].top, spot[1].left))]

    @property
    def _buttons(self) -> list[tuple[UIButton, str]]:
        return list(self.window.panel._buttons.items())

    def press(self, word: str) -> None:
        """Click the button that sends ``word``."""
        place = next((rect for name, rect in sent(self.window) if name == word), None)
        assert place is not None, (word, self.words)
        x, y = place.center
        self.click((round(x), round(y)))
        self.wait()


class Brisk(InlineJudgeWorker):
    """A worker that leaves out all the ground a unit sees: a second's work for every ghost, which no battle needs."""

    left: frozenset[str] = frozenset({"ground"})

    def put(self, *requests: JudgeRequest) -> None:
        super().put(*(request for request in requests if request.question not in self.left))


class Brisker(Brisk):
    """A worker that leaves out the ground a unit may reach too."""

    left = AREAS


@contextmanager
def playing(
    session: Session,
    size: tuple[int, int] = SIZE,
    scale: float = 1.0,
    measuring: bool = True,
    pace: str = "at once",
    areas: bool = True,
) -> Iterator[Player]:
    """Open the window on a battle begun, and close it in the end.

    The ground seen is never shown; without ``measuring`` the judge's workers never answer anything: overlays stay empty
    and nothing can be dragged, but it is quick; without ``areas`` they leave out the ground in reach alone. What is
    done is not acted out, unless at another ``pace``.
    """
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(size, pygame.RESIZABLE)
    pygame.event.clear()
    batch = 1_000 if measuring else 0
    worker = Brisk if areas else Brisker
    workers = (worker(session.battle, batch), worker(session.battle, batch))
    window = GameWindow(session, *workers, InlinePlayerWorker(), scale)
    window.pace(pace)
    window.step(0.2)
    try:
        yield Player(window)
    finally:
        window.close()


def let_the_computer_act(player: Player) -> None:
    """Wait until a person is to give an order; what he is asked before is answered with the first answer."""
    for _ in range(300):
        player.wait()
        facts, battle = player.controller.state.facts, player.controller.model.battle
        if facts.human_turn and battle.pending:
            player.key(pygame.K_1)
        elif facts.human_turn:
            break
    player.wait(4)


def play_on(player: Player, most: int, turns: int = 99) -> None:
    """Play for both sides by the list alone: the first of every choice, each unit doing the first thing offered.

    Stops after ``most`` clicks, when turn ``turns`` opens, or when the battle is over.
    """
    for number in range(most):
        battle = player.controller.model.battle
        if battle.over or battle.clock.turn >= turns:
            return
        word = wanted(player.words, number)
        if word is None:
            player.key(pygame.K_ESCAPE)
        elif word == "confirm:":
            player.key(pygame.K_RETURN)
        else:
            player.press(word)


#: What is pressed first of what can be pressed; of kinds of action fights come first, holding last.
ORDER = ("ready:", "answer:", "confirm:", "offer:", "group:")
#: Every so many clicks a unit is let go of, or what can be ended is ended.
PATIENCE = 7


def wanted(words: list[str], number: int) -> str | None:
    """Return what a player with sense presses at click ``number``, None where Escape is what is left."""
    for head in ORDER:
        found = [word for word in words if word.startswith(head)]
        if found:
            return found[0]
    kinds = [word for word in words if word.startswith("kind:")]
    if kinds and number % PATIENCE == 0:
        return None
    if kinds:
        return kinds[-1 - number // 2 % len(kinds)]
    if "back:" in words:
        return "back:"
    ends = [word for word in words if word.startswith("end:")]
    units = [word for word in words if word.startswith("unit:")]
    found = ends if ends and (not units or number % PATIENCE == 1) else units
    return found[number % len(found)] if found else None


def same_as_by_hand(played: Session, scenario: str, tmp_path: Path) -> bool:
    """Return whether the engine, given the same actions, comes to the same position and the same saved game."""
    again = Session.start(
        load_scene(ROOT / "scenarios" / f"{scenario}.yaml"),
        played.header.seed,
        played.header.players,
        tmp_path / "again.jsonl",
    )
    for step in played.steps[1:]:
        assert step.action is not None
        again.do(step.action, step.thought)
    assert played.path is not None
    assert replay.verify(save.read(played.path)).sound
    alike = (tmp_path / "again.jsonl").read_bytes() == played.path.read_bytes()
    return alike and state_hash(again.battle) == state_hash(played.battle)
