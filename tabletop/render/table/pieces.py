"""The pieces on the table as painted: a layer for each unit and each name, so that unchanged ones are reused.

After an action only one or two units and a few names have moved, and only the pixels around them are painted again.
They are painted from every layer that touches them, so that the picture equals one painted whole, pixel by pixel.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass, field

import pygame

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.render.drawing.air import environment_layers
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.primitives import Drawing, Layer, Text
from tabletop.render.drawing.theme import current_palette, side_styles, symbols
from tabletop.render.drawing.traces import Trace, trace_layers
from tabletop.render.drawing.troops import faded, in_order, unit_items
from tabletop.render.painting.extents import pixels_of
from tabletop.render.painting.painter import paint

#: Repainting single places is given up where they cover more than one part in this many of the picture.
MOST = 3


@dataclass
class Pieces:
    """Layers of units and of names, each reused while its unit or name stays the same."""

    _units: dict[tuple[int, Hashable], tuple[Unit, Layer]] = field(default_factory=dict)
    _texts: dict[Text, Layer] = field(default_factory=dict)

    def units(
        self, battle: Battle, faint: Collection[str] = (), unseen: Collection[str] = (), traces: tuple[Trace, ...] = ()
    ) -> Drawing:
        """Return the units without their names, one layer each, the lowest first, over the traces of the fighting.

        Those in ``faint`` are half transparent, those ``unseen`` left out. The drawing holds at every scale.
        """
        styles, before = side_styles(unit.side for unit in battle.units), self._units
        now: dict[tuple[int, Hashable], tuple[Unit, Layer]] = {}
        for unit in in_order(battle.units):
            if unit.id in unseen:
                continue
            style, through = styles[unit.side], unit.id in faint
            key = id(unit), (style, through, current_palette(), symbols())
            if key not in before:
                items = unit_items(unit, style)
                before[key] = unit, Layer("units", tuple(faded(items) if through else items))
            now[key] = before[key]
        self._units = now
        left = trace_layers(traces, styles, battle.clock.turn)
        layers = (*left, *environment_layers(battle), *(layer for _, layer in now.values()))
        return Drawing(layers, (0.0, 0.0, battle.table.width, battle.table.height), 1.0, battle.title)

    def apart(self, written: Iterable[Drawing]) -> tuple[Layer, ...]:
        """Return the layers with each text in a layer of its own; texts that stay the same keep their layers."""
        before, now, layers = self._texts, dict[Text, Layer](), list[Layer]()
        for layer in (layer for drawing in written for layer in drawing.layers):
            if all(isinstance(item, Text) for item in layer.items):
                for item in (item for item in layer.items if isinstance(item, Text)):
                    kept = before.get(item)
                    now[item] = kept if kept is not None and kept.clip == layer.clip else _alone(layer, item)
                    layers.append(now[item])
            else:
                layers.append(layer)
        self._texts = now
        return tuple(layers)


def together(drawing: Drawing) -> Drawing:
    """Return a drawing's units in one layer, as needed for a file."""
    return Drawing((Layer("units", drawing.items),), drawing.view, drawing.scale, drawing.title)


def _alone(layer: Layer, item: Text) -> Layer:
    return Layer(layer.name, (item,), layer.clip)


@dataclass
class PieceSheet:
    """A transparent surface and what was last painted on it."""

    _surface: pygame.Surface | None = None
    _place: tuple[object, ...] = ()
    _boxes: dict[int, tuple[Layer, pygame.Rect]] = field(default_factory=dict)
    _scratch: pygame.Surface | None = None

    def paint(self, sheet: pygame.Surface, layers: Sequence[Layer], camera: Camera) -> list[pygame.Rect] | None:
        """Paint layers on a transparent sheet that nothing else paints on.

        Return the places painted again, None if all was painted.
        """
        place, before = (camera, current_palette()), self._boxes
        same = self._surface is sheet and self._place == place
        self._surface, self._place = sheet, place
        self._boxes = {
            id(layer): before.get(id(layer)) or (layer, pixels_of(layer, camera)) for layer in layers
        } if same else {id(layer): (layer, pixels_of(layer, camera)) for layer in layers}  # fmt: skip
        places = self._changed(before) if same else None
        if places is None:
            sheet.fill((0, 0, 0, 0))
            paint(sheet, _drawing(layers, camera), camera, camera.density)
            return None
        self._again(sheet, places, camera)
        return places

    def _changed(self, before: dict[int, tuple[Layer, pygame.Rect]]) -> list[pygame.Rect] | None:
        """Return the places that have changed, None if they are too large or the order has changed."""
        now, surface = self._boxes, self._surface
        assert surface is not None
        if [key for key in before if key in now] != [key for key in now if key in before]:
            return None
        boxes = [box for key, (_, box) in before.items() if key not in now]
        boxes += [box for key, (_, box) in now.items() if key not in before]
        whole = surface.get_rect()
        places = _merged([part for box in boxes if (part := box.clip(whole)).width and part.height])
        covered = sum(place.width * place.height for place in places)
        return places if MOST * covered <= whole.width * whole.height else None

    def _again(self, sheet: pygame.Surface, places: list[pygame.Rect], camera: Camera) -> None:
        """Paint some places again, from all layers that touch them."""
        if not places:
            return
        if self._scratch is None or self._scratch.get_size() != sheet.get_size():
            self._scratch = sheet.copy()
        self._scratch.fill((0, 0, 0, 0))
        touching = [layer for layer, box in self._boxes.values() if box.collidelist(places) >= 0]
        paint(self._scratch, _drawing(touching, camera), camera, camera.density)
        for place in places:
            sheet.fill((0, 0, 0, 0), place)
            sheet.blit(self._scratch, place.topleft, place, special_flags=pygame.BLEND_RGBA_ADD)


def _drawing(layers: Sequence[Layer], camera: Camera) -> Drawing:
    return Drawing(tuple(layers), (0.0, 0.0, 1.0, 1.0), camera.drawn)


def _merged(places: list[pygame.Rect]) -> list[pygame.Rect]:
    """Return rectangles that cover the same places, none touching another."""
    apart: list[pygame.Rect] = []
    for place in places:
        while (k := place.collidelist(apart)) >= 0:
            place = place.union(apart.pop(k))
        apart.append(place)
    return apart
