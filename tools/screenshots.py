"""Pictures of the window itself, for the README and the guides, made without a display.

python -m tools.screenshots             write docs/pictures/window*.jpg
python -m tools.screenshots FOLDER      write them there
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from PIL import Image

from tabletop.geometry.measure import Point
from tabletop.lessons import library
from tabletop.lessons.progress import Progress
from tabletop.lessons.runner import Runner
from tabletop.play.files.load import load_scene
from tabletop.play.session import Session
from tabletop.play.workers.judge_worker import JudgeWorker
from tabletop.play.workers.player_worker import InlinePlayerWorker
from tabletop.render.battle.controller import BattleController
from tabletop.render.battle.lesson_window import inlined
from tabletop.render.battle.offers import offers
from tabletop.render.battle.window import GameWindow
from tabletop.render.drawing import theme
from tabletop.render.drawing.landscape import store
from tabletop.render.screens import Look
from tabletop.render.settings.model import Settings
from tabletop.render.table.window import Window

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
SCENE = ROOT / "scenarios" / "tse" / "quatre-bras.yaml"
SIZE = (1600, 1000)
#: Most seconds to wait for the judge, and seconds without questions before a picture is taken.
PATIENCE, REST = 600.0, 1.0
#: Frames without questions before a picture is taken: texts are drawn one after the other.
FRAMES = 24
#: JPEG quality of the pictures.
QUALITY = 86


class Player:
    """A user of the window who points, clicks, drags and types, and waits until everything has settled."""

    def __init__(self, window: Window) -> None:
        self.window = window

    def tell(self, kind: int, **what: Any) -> None:
        """Send one event and run one frame."""
        pygame.event.post(pygame.event.Event(kind, what))
        self.window.step(0.02)

    def pixel(self, point: Point) -> tuple[int, int]:
        """Return where a table point is shown now."""
        x, y = self.window.camera.to_screen(point)
        left, top = self.window.panel.table_rect.topleft
        return round(x) + left, round(y) + top

    def point(self, point: Point) -> None:
        """Move the mouse there."""
        self.tell(pygame.MOUSEMOTION, pos=self.pixel(point), rel=(0, 0), buttons=(0, 0, 0))

    def press(self, point: Point) -> None:
        """Press the left button there."""
        self.point(point)
        self.tell(pygame.MOUSEBUTTONDOWN, pos=self.pixel(point), button=1)

    def click(self, point: Point) -> None:
        """Click there."""
        self.press(point)
        self.tell(pygame.MOUSEBUTTONUP, pos=self.pixel(point), button=1)

    def drag(self, start: Point, *way: Point) -> None:
        """Press at the start and move along ``way``, without releasing."""
        self.press(start)
        for point in way:
            self.point(point)

    def key(self, key: int, mod: int = 0) -> None:
        """Press a key."""
        self.tell(pygame.KEYDOWN, key=key, mod=mod, unicode="", scancode=0)

    def zoom(self, point: Point, notches: int) -> None:
        """Turn the wheel over a point."""
        self.point(point)
        for _ in range(abs(notches)):
            self.tell(pygame.MOUSEWHEEL, x=0, y=1 if notches > 0 else -1, flipped=False)

    def wait(self) -> None:
        """Wait until the judge has answered everything and the window has settled."""
        end = time.monotonic() + PATIENCE
        quiet, frames = time.monotonic() + REST, 0
        while time.monotonic() < end and (time.monotonic() < quiet or frames < FRAMES):
            self.window.step(0.02)
            time.sleep(0.005)
            frames += 1
            if self.window.controller.model.pending:  # checked after the frame, which may take long on a busy machine
                quiet, frames = time.monotonic() + REST, 0


def selected(player: Player) -> None:
    """Select a battery with all its overlays, and point at an enemy it may fire at."""
    controller = player.window.controller
    player.click(controller.model.battle.unit("rogers").at)
    player.wait()
    player.point(controller.model.battle.unit("campi").at)


def close(player: Player) -> None:
    """Zoom in on the middle of the field: figures on their bases."""
    controller = player.window.controller
    start = controller.model.battle.unit("campi").at
    player.zoom(start, 9)
    player.key(pygame.K_s)
    player.key(pygame.K_p)
    player.click(controller.model.battle.unit("campi").at)


def dragged(player: Player) -> None:
    """Drag a brigade farther than it may go."""
    controller = player.window.controller
    start = controller.model.battle.unit("kempt").at
    player.zoom(start, 5)
    player.click(start)
    player.wait()
    player.drag(start, (start[0] + 1.0, start[1] - 1.0), (start[0] + 2.5, start[1] - 3.2))


def sighted(player: Player) -> None:
    """Lay a sight line from unit to unit, with its side view."""
    controller = player.window.controller
    player.key(pygame.K_l)
    player.click(controller.model.battle.unit("best").at)
    player.click(controller.model.battle.unit("wathiez").at)


def jamin_acts(player: Player) -> BattleController:
    """Choose Foy's division and its brigade under Jamin; return the controller."""
    controller = player.window.controller
    assert isinstance(controller, BattleController)
    controller.game.answer(controller.model.battle.pending[0].choices[0])
    controller.proposals.choose_group("foy")
    player.click(controller.model.battle.unit("jamin").at)
    return controller


def attacked(player: Player) -> None:
    """Propose an assault in a battle, to show its possible results."""
    controller = jamin_acts(player)
    player.wait()
    player.click(controller.model.battle.unit("brunswick-light").at)
    controller.proposals.propose(next(action for action in offers(controller.state) if action.kind == "assault"))
    player.point((4.0, 4.0))


def planned(player: Player) -> None:
    """Show, in a battle, the enemy's next turn, command, where a unit would fall back, and the legend."""
    jamin_acts(player)
    for key in (pygame.K_a, pygame.K_z, pygame.K_m, pygame.K_s, pygame.K_x, pygame.K_c, pygame.K_b, pygame.K_k):
        player.key(key)
    player.wait()


def asked(player: Player) -> None:
    """Open the game app beside the battle, its form filled in from the table."""
    controller = jamin_acts(player)
    player.wait()
    player.point(controller.model.battle.unit("brunswick-light").at)
    player.key(pygame.K_g)
    player.window.pressed("appask:assault")


def plotted(player: Player) -> None:
    """Plot a course in a battle at sea, with the points left for turning."""
    start = player.window.controller.model.battle.unit("resolution").at
    player.zoom((start[0] + 8.0, start[1] - 6.0), 7)
    player.click(start)
    player.wait()
    player.drag(start, (start[0] + 3.0, start[1] - 1.0), (start[0] + 8.0, start[1] - 4.0))


def taught(player: Player) -> None:
    """Show a lesson: guns that cannot see their target yet, and the proof of what is in the way."""
    guns = player.window.controller.model.battle.unit("guns").at
    player.click(guns)
    player.wait()
    player.drag(guns, (guns[0] + 0.6, guns[1]), (guns[0] + 1.2, guns[1]))


PICTURES: dict[str, Callable[[Player], None]] = {
    "window": selected,
    "window-painted": close,
    "window-drag": dragged,
    "window-sight": sighted,
    "window-play": attacked,
    "window-plan": planned,
    "window-app": asked,
    "window-sail": plotted,
    "window-lesson": taught,
}
#: Pictures of another battle than the usual one.
SCENES = {"window-sail": ROOT / "scenarios" / "sail" / "long-sand.yaml"}
#: Pictures of a battle being played, and the seed with which the attacker has the initiative.
PLAYED, SEED = ("window-sail", "window-play", "window-plan", "window-app"), 3


def opened(name: str) -> Window:
    """Return the window for a picture."""
    if name == "window-lesson":
        return inlined(Runner(library.find("the-woods-shadow")), Progress(), Look(Settings()))
    battle = load_scene(SCENES.get(name, SCENE))
    if name not in PLAYED:
        return Window(battle, JudgeWorker(battle), JudgeWorker(battle))
    session = Session.start(battle, SEED)
    return GameWindow(session, JudgeWorker(session.battle), JudgeWorker(session.battle), InlinePlayerWorker())


def shown(window: Window) -> Image.Image:
    """Return what a window shows now."""
    return Image.frombytes("RGB", window.surface.get_size(), pygame.image.tobytes(window.surface, "RGB"))


def file_of(name: str) -> str:
    """Return the file name of a picture: JPEG, because paintings are a third as large in it."""
    return f"{name}.jpg"


def take(name: str, folder: Path) -> None:
    """Open the window, play, and save what it shows."""
    theme.apply_theme("plain", "look", "painted")
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(SIZE)
    window = opened(name)
    for density in (store.COARSE, store.FINE):
        store.painted(window.controller.model.battle.table, density)
    try:
        player = Player(window)
        window.step(0.02)
        PICTURES[name](player)
        player.wait()
        shown(window).save(folder / file_of(name), quality=QUALITY, subsampling=0, optimize=True)
    finally:
        window.close()


def main(arguments: list[str]) -> int:
    """Take every picture."""
    parser = argparse.ArgumentParser(description="Take the pictures of the window that the README and the guides show.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    folder: Path = parser.parse_args(arguments).folder
    folder.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        take(name, folder)
        print(folder / file_of(name))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
