"""Ground that this process has painted, for windows of other tests that show the same table the same way.

What the ground looks like depends on the table, the camera and the theme alone. Tests that put something in the place
of the program's own code paint for themselves.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Any

import pygame

from tabletop.battle.battle import Battle
from tabletop.geometry.terrain import Table
from tabletop.render.drawing import scene, theme
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Drawing
from tabletop.render.table import canvas
from tabletop.render.table.picture import Picture

#: How many drawings and how many sheets are kept; a sheet of a usual window has some four megabytes.
DRAWINGS, SHEETS = 32, 16

paint = canvas._painted
_drawings: OrderedDict[Hashable, tuple[Table, Drawing]] = OrderedDict()
_sheets: OrderedDict[Hashable, tuple[Drawing, pygame.Surface]] = OrderedDict()  # the drawing keeps its id


class Scene:
    """The module ``scene`` as the table's canvas sees it, with the ground of known tables as it was drawn before."""

    def __getattr__(self, name: str) -> Any:
        return getattr(scene, name)

    def terrain_layer(self, battle: Battle, wait: bool = True) -> Drawing:
        key = id(battle.table), wait, *theme._current.values()
        if key not in _drawings:
            _drawings[key] = battle.table, scene.terrain_layer(battle, wait=wait)
            if len(_drawings) > DRAWINGS:
                _drawings.popitem(last=False)
        return _drawings[key][1]


def painted(sheet: pygame.Surface, drawing: Drawing, picture: Picture, camera: Camera) -> None:
    """Paint the ground as the canvas does, or copy what was painted from the same drawing for the same camera."""
    if not any(drawing is kept for _, kept in _drawings.values()):
        paint(sheet, drawing, picture, camera)
        return
    key = id(drawing), camera, sheet.get_size(), *theme._current.values()
    if key not in _sheets:
        paint(sheet, drawing, picture, camera)
        _sheets[key] = drawing, sheet.copy()
        if len(_sheets) > SHEETS:
            _sheets.popitem(last=False)
    sheet.blit(_sheets[key][1], (0, 0))
