"""What is shown for planning is drawn over the frames after what the computer does; till then it stays as it was."""

from dataclasses import replace

import pygame
import pytest

from tabletop.battle.battle import Battle
from tabletop.render.drawing.camera import Camera
from tabletop.render.settings.model import Overlay
from tabletop.render.table import ground_areas, plans, sheets
from tabletop.render.table.canvas import Canvas
from tabletop.render.table.model import TableModel
from tabletop.render.table.picture import Picture
from tests import loaded
from tests.render.battle.driver import STARTER

SIZE, FRAMES = (640, 480), 2000


@pytest.fixture
def battle() -> Battle:
    return loaded.scenario(STARTER)


def foreseen(battle: Battle, most: int) -> Picture:
    """Return the table with what the first so many of the French could do next turn, as the Austrians see it."""
    enemies = [u.id for u in battle.units if u.side == "french" and not u.is_general][:most]
    known = {name: plans.ThreatRequest(("threat", name), "reach", (name,)).answered(battle) for name in enemies}
    shown = frozenset({Overlay.THREAT, Overlay.TERRAIN})
    return replace(Picture.of(TableModel(battle, overlays=shown, foreseen=known)), viewer="austrian")


def drawn(on: Canvas, picture: Picture) -> bytes:
    surface = pygame.Surface(SIZE)
    table = picture.model.battle.table
    on.draw(surface, picture, Camera.fitting((table.width, table.height), SIZE))
    return bytes(pygame.image.tobytes(surface, "RGB"))


def test_the_threat_is_drawn_over_several_frames_and_is_the_one_drawn_at_once(
    battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in ("PLANNING", "AREAS", "AREAS_REST"):
        monkeypatch.setattr(ground_areas, word, 0)  # one piece of work a frame, and no rest between
    monkeypatch.setattr(sheets, "SHARE", 0)
    pygame.display.init()
    pygame.display.set_mode(SIZE)
    few, all_of_them = foreseen(battle, 1), foreseen(battle, 99)
    before, after = drawn(Canvas(), few), drawn(Canvas(), all_of_them)
    assert before != after
    patient = Canvas()
    patient.patient = True
    assert any(drawn(patient, few) == before for _ in range(FRAMES))
    assert [drawn(patient, all_of_them) for _ in range(3)] == [before] * 3
    frames = next(frame for frame in range(FRAMES) if drawn(patient, all_of_them) == after)
    assert frames > 10
    patient.patient = False
    assert drawn(patient, few) == before, "at once, where somebody waits for it"
