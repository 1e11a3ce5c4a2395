"""Pictures of the judge's table and the workshop for the guides, made without a display by an umpire who only clicks.

python -m tools.judging_pictures             write docs/pictures/judging-*.png and workshop-*.png
python -m tools.judging_pictures FOLDER      write them there
python -m tools.judging_pictures FOLDER 1920x1080 1
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame
from PIL import Image

from tabletop.geometry.measure import Point
from tabletop.play.files.draft_from_file import open_draft
from tabletop.play.files.load import load_scene
from tabletop.render.drawing.scene import Style
from tabletop.render.drawing.scene import picture as drawn
from tabletop.render.judge.photo import homography
from tabletop.render.judge.screen import JudgingScreen, inlined
from tabletop.render.painting import painter

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
SCENE = ROOT / "scenarios" / "tse" / "disputes" / "level-shadow.yaml"
SIZE, SCALE = (1280, 720), 1.0
#: Corners of the table in the rendered photo that the pictures use.
CORNERS = ((362.0, 214.0), (1296.0, 262.0), (1508.0, 1012.0), (88.0, 934.0))


class Umpire:
    """A user of the judge's table who points, clicks and presses keys."""

    def __init__(self, screen: JudgingScreen) -> None:
        self.screen = screen

    def tell(self, kind: int, **what: Any) -> None:
        """Send one event and run one frame."""
        pygame.event.post(pygame.event.Event(kind, what))
        self.screen.step(0.05)

    def point(self, pixel: tuple[int, int]) -> None:
        """Move the mouse to a pixel."""
        pygame.mouse.set_pos(pixel)
        self.tell(pygame.MOUSEMOTION, pos=pixel, rel=(0, 0), buttons=(0, 0, 0))

    def down(self, pixel: tuple[int, int]) -> None:
        """Press the left button."""
        self.point(pixel)
        self.tell(pygame.MOUSEBUTTONDOWN, pos=pixel, button=1)

    def up(self, pixel: tuple[int, int]) -> None:
        """Release the left button."""
        self.tell(pygame.MOUSEBUTTONUP, pos=pixel, button=1)
        self.screen.step(0.05)

    def click(self, point: Point) -> None:
        """Click a point of the table."""
        self.down(self.screen.at(point))
        self.up(self.screen.at(point))

    def press(self, word: str) -> None:
        """Press a button of the panel."""
        self.screen.step(0.05)
        place = self.screen.form.words[word].center
        self.down(place)
        self.up(place)

    def key(self, key: int) -> None:
        """Press a key."""
        self.tell(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0)

    def wait(self) -> None:
        """Run frames until everything is settled."""
        for _ in range(6):
            self.screen.step(0.1)

    def unit(self, name: str) -> Point:
        """Return the position of a unit."""
        return self.screen.controller.battle.unit(name).at


def asked(umpire: Umpire) -> None:
    """Ask for sight between two units: the picture shows the verdict, its proof and the side view."""
    umpire.press("tab:ask")
    umpire.press("ask:los")
    umpire.click(umpire.unit("low-guns"))
    umpire.click(umpire.unit("middle"))


def placing(umpire: Umpire) -> None:
    """Hold a line in hand, snapped against an enemy."""
    umpire.press("tab:place")
    umpire.press("troop:infantry")
    umpire.screen.controller.placing.facing = 90.0
    x, y = umpire.unit("near")
    umpire.point(umpire.screen.at((x - 0.95, y + 1.9)))


def edited(umpire: Umpire) -> None:
    """Select a wood, so that its handles show."""
    umpire.press("tab:edit")
    wood = next(row["id"] for row in umpire.screen.controller.draft.terrain if row["kind"] == "woods")
    umpire.screen.controller.select([wood])


def picked(umpire: Umpire) -> None:
    """Load a photo of a table and pick its corners."""
    umpire.screen.dropped(photo())
    umpire.wait()
    for number, (x, y) in enumerate(CORNERS):
        back = umpire.screen.controller.backdrop.photo
        assert back is not None
        camera, high = umpire.screen.photo_camera, back.picture.height
        start, end = (camera.to_screen((px, high - py)) for px, py in (back.corners[number], (x, y)))
        umpire.down((round(start[0]), round(start[1])))
        umpire.point((round(end[0]), round(end[1])))
        umpire.up((round(end[0]), round(end[1])))


def laid(umpire: Umpire) -> None:
    """Lay the straightened photo under the table and trace a base on it."""
    draft = umpire.screen.controller.draft
    umpire.screen.controller.do(draft.without([row["id"] for row in draft.units if row["side"] == "red"]))
    picked(umpire)
    umpire.press("photo:lay")
    umpire.press("trace:")
    near = load_scene(SCENE).unit("near")
    umpire.click(tuple(near.bases[0].corners[0].tolist()))  # type: ignore[union-attr]
    umpire.click(tuple(near.bases[-1].corners[1].tolist()))  # type: ignore[union-attr]
    umpire.point(umpire.screen.at(tuple(near.bases[-1].corners[2].tolist())))  # type: ignore[union-attr]


def signed(umpire: Umpire) -> None:
    """Show the card before it is saved."""
    asked(umpire)
    umpire.screen.about.update(date="1 May 2026", first="Anna", second="Bert")
    umpire.press("tab:card")


def begun(umpire: Umpire) -> None:
    """Show the page of the table itself."""
    umpire.press("tab:table")


def mustered(umpire: Umpire) -> None:
    """Open a battle of the library in the workshop, with the roster of a side."""
    umpire.screen.build()
    umpire.screen.open(ROOT / "scenarios" / "tse" / "starter.yaml")
    umpire.press("tab:roster")


def awaited(umpire: Umpire) -> None:
    """Add a unit that arrives later, by a road, in the workshop."""
    mustered(umpire)
    umpire.press("tab:battle")
    umpire.press("battle:part:arrivals")
    umpire.click(umpire.unit("zichy"))
    umpire.press("battle:arrival:new")
    umpire.press("battle:tool:road")
    umpire.click((4.5, 17.5))


PICTURES: dict[str, Callable[[Umpire], None]] = {
    "judging-table": begun,
    "judging-place": placing,
    "judging-edit": edited,
    "judging-photo": picked,
    "judging-traced": laid,
    "judging-ask": asked,
    "judging-card": signed,
    "workshop-army": mustered,
    "workshop-arrivals": awaited,
}


def photo() -> Path:
    """Return a photo of the scene as a camera at the table's edge would see it."""
    battle = load_scene(SCENE)
    surface = painter.picture(drawn(battle, style=Style(1400, 1000, names=False, furniture=False)))
    straight = Image.frombytes("RGB", surface.get_size(), pygame.image.tobytes(surface, "RGB"))
    wide, high = straight.size
    numbers = homography(CORNERS, [(0, 0), (wide, 0), (wide, high), (0, high)]).reshape(-1)[:8].tolist()
    room = Image.new("RGB", (1600, 1200), (98, 74, 56))
    seen = straight.transform(room.size, Image.Transform.PERSPECTIVE, numbers, Image.Resampling.BICUBIC)
    mask = Image.new("L", straight.size, 255)
    shape = mask.transform(room.size, Image.Transform.PERSPECTIVE, numbers, Image.Resampling.BICUBIC)
    room.paste(seen, mask=shape)
    path = Path(tempfile.mkdtemp()) / "table.jpg"
    room.save(path, quality=92)
    return path


def take(name: str, folder: Path, size: tuple[int, int], scale: float) -> Path:
    """Open the judge's table, do what the picture shows, and save the picture."""
    pygame.display.init()
    pygame.font.init()
    pygame.display.set_mode(size)
    screen = inlined(open_draft(SCENE), scale)
    try:
        umpire = Umpire(screen)
        umpire.wait()
        PICTURES[name](umpire)
        umpire.wait()
        path = folder / f"{name}.png"
        pygame.image.save(screen.surface, path)
        return path
    finally:
        screen.close()


def main(arguments: list[str]) -> int:
    """Take every picture."""
    folder = Path(arguments[0]) if arguments else FOLDER
    wide, high = (int(n) for n in arguments[1].split("x")) if len(arguments) > 1 else SIZE
    scale = float(arguments[2]) if len(arguments) > 2 else SCALE
    folder.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        print(take(name, folder, (wide, high), scale))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
