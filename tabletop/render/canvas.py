"""The table in the window: layers painted once and kept until the camera or what they show changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace

import pygame
import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.verdict import Verdict
from tabletop.render import scene
from tabletop.render.camera import Camera
from tabletop.render.desk import FREE, Desk, Mark, Overlay, Tool
from tabletop.render.drawing import Area, Box, Circle, Drawing, Item, Layer, Lines, Pen, Ring, Text
from tabletop.render.painter import paint
from tabletop.render.theme import colour

#: What an overlay shows, and in which order the areas lie.
AREAS: Sequence[tuple[Overlay, tuple[str, ...]]] = (
    (Overlay.GROUND, ("ground",)),
    (Overlay.REACH, ("reach",)),
    (Overlay.ZONE, ("zone",)),
    (Overlay.ARC, ("field",)),
)
#: Square table units below which unseen ground is not drawn.
SPECK = 0.01
#: Milliseconds after the last zoom step at which names are placed anew.
SETTLES = 180
#: Badge of each mark: colour of the answers, sign, word.
BADGES: dict[Mark, tuple[str, str]] = {
    Mark.FIRE: ("#007a59", "F"),
    Mark.ASSAULT: ("#00598c", "A"),
    Mark.BLOCKED: ("#b44400", "×"),
    Mark.SEEN: ("#8a6100", "o"),
    Mark.HIDDEN: ("#6f665a", "–"),
}


class Canvas:
    """Paints a desk through a camera; keeps what did not change."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[Hashable, pygame.Surface]] = {}
        self._drawn: dict[str, tuple[Hashable, Drawing]] = {}
        self._zoom_at = 0
        self._scale = 0.0

    def draw(self, surface: pygame.Surface, desk: Desk, camera: Camera) -> None:
        """Draw the table and everything shown on it."""
        battle, size = desk.battle, surface.get_size()
        ground = self._drawing("terrain", None, lambda: scene.terrain_layer(battle))
        surface.blit(self._layer("terrain", camera, None, size, ground), (0, 0))
        shown = _areas(desk)
        if shown:
            key = (camera.scale, tuple(map(id, shown)))
            areas = self._drawing("areas", key, lambda: _together([_area(desk, v, camera.scale) for v in shown]))
            surface.blit(self._layer("areas", camera, key, size, areas), (0, 0))
        faint = (desk.drag.unit.id,) if desk.drag else ()
        standing = (id(battle), faint)
        units = self._drawing("units", standing, lambda: scene.unit_layer(battle, faint=faint))
        surface.blit(self._layer("units", camera, standing, size, units), (0, 0))
        surface.blit(self._layer("names", camera, *self._names(desk, camera, size)), (0, 0))
        paint(surface, _overlay(desk, camera), camera)

    def _names(self, desk: Desk, camera: Camera, size: tuple[int, int]) -> tuple[Hashable, tuple[int, int], Drawing]:
        """Return the names, placed anew for a new scale only when the zoom has come to rest."""
        now = pygame.time.get_ticks()
        if camera.scale != self._scale:
            self._scale, self._zoom_at = camera.scale, now
        kept = self._drawn.get("names")
        key = (camera.scale, id(desk.battle), desk.selected)
        if kept is not None and kept[0] != key and now - self._zoom_at < SETTLES:
            return kept[0], size, kept[1]
        first = (desk.selected,) if desk.selected else ()
        return key, size, self._drawing("names", key, lambda: scene.name_layer(desk.battle, camera.scale, first=first))

    def _drawing(self, name: str, key: Hashable, make: Callable[[], Drawing]) -> Drawing:
        """Return the drawing kept under ``name``, made anew when its key has changed."""
        kept = self._drawn.get(name)
        if kept is None or kept[0] != key:
            kept = self._drawn[name] = (key, make())
        return kept[1]

    def _layer(
        self, name: str, camera: Camera, key: Hashable, size: tuple[int, int], drawing: Drawing
    ) -> pygame.Surface:
        """Return the drawing painted, kept under ``name`` until camera, key or size change."""
        kept = self._kept.get(name)
        opaque = name == "terrain"
        whole = (camera, key, size)
        if kept is not None and kept[0] == whole:
            return kept[1]
        painted = kept[1] if kept is not None and kept[1].get_size() == size else _blank(size, opaque)
        painted.fill(colour("page", "paper") if opaque else (0, 0, 0, 0))
        paint(painted, drawing, camera)
        self._kept[name] = (whole, painted)
        return painted


def _together(drawings: Sequence[Drawing]) -> Drawing:
    """Return several drawings as one, the first at the bottom."""
    return drawings[-1].over(*drawings[:-1])


def _area(desk: Desk, verdict: Verdict, scale: float) -> Drawing:
    """Return a verdict's area as drawn; of ground seen, the ground that is not, dimmed."""
    if verdict.question != "ground":
        plain = tuple(shape if shape.role == "band" else replace(shape, label="") for shape in verdict.shapes)
        return scene.verdict_layer(verdict.with_(shapes=plain), scale)
    seen = [shapely.Polygon(s.points, s.holes) for s in verdict.shapes if s.kind == "polygon"]
    unseen = shapely.difference(desk.battle.table.edge, shapely.union_all(seen, grid_size=1e-4))
    items = tuple(
        Area(tuple(_ring_of(ring) for ring in (part.exterior, *part.interiors)), fill="#1d2733", opacity=0.3)
        for part in shapely.get_parts(unseen)
        if isinstance(part, shapely.Polygon) and part.area > SPECK
    )
    table = desk.battle.table
    return Drawing((Layer("unseen", items),), (0.0, 0.0, table.width, table.height), scale)


def _ring_of(ring: shapely.LinearRing) -> Ring:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(ring)[:-1].tolist())


def _blank(size: tuple[int, int], opaque: bool) -> pygame.Surface:
    return pygame.Surface(size) if opaque else pygame.Surface(size, pygame.SRCALPHA)


def _areas(desk: Desk) -> list[Verdict]:
    """Return the verdicts whose areas are shown of the selected unit, bottom first."""
    found = [desk.verdict(*key) for overlay, key in AREAS if overlay in desk.overlays]
    if desk.drag is not None and desk.action == FREE:
        found = [v for v in found if v is not None and v.question != "reach"]
    return [verdict for verdict in found if verdict is not None]


def _overlay(desk: Desk, camera: Camera) -> Drawing:
    """Return what changes with every frame: selection, marks, the ghost with its path, the tape."""
    items: list[Item] = []
    if desk.unit is not None:
        items += _outlined(desk.ghost or desk.unit)
        if Overlay.ENEMIES in desk.overlays:
            items += [item for enemy in desk.battle.enemies(desk.unit) for item in _badge(desk, enemy)]
    layers = [Layer("marks", tuple(items))]
    if desk.drag is not None:
        layers += _in_hand(desk, camera.scale)
    if desk.stretch is not None:
        layers += _stretch(desk, camera.scale)
    return Drawing(tuple(layers), _view(camera), camera.scale)


def _view(camera: Camera) -> Box:
    west, north = camera.to_table((0, 0))
    east, south = camera.to_table((camera.width, camera.height))
    return west, south, east, north


def _outlined(unit: Unit) -> list[Item]:
    """Return the selected unit's outline: white on dark, as one shape."""
    parts = [p for p in shapely.get_parts(unit.footprint.buffer(0.06, join_style="mitre")) if not p.is_empty]
    rings = tuple(_closed_ring(part.exterior) for part in parts)
    return [Lines(rings, Pen("#14202c", 5.0)), Lines(rings, Pen("#ffffff", 2.5))]


def _closed_ring(ring: shapely.LinearRing) -> Ring:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(ring).tolist())


def _badge(desk: Desk, enemy: Unit) -> list[Item]:
    mark = desk.mark(enemy.id)
    if mark is None:
        return []
    fill, sign = BADGES[mark]
    at = (enemy.at[0], enemy.at[1])
    return [
        Circle(at, 10.0, fill=fill, pen=Pen("#ffffff", 2.0), pixels=True),
        Text(at, sign, 14.0, "#ffffff", face="bold"),
    ]


def _in_hand(desk: Desk, scale: float) -> list[Layer]:
    """Return the ghost, its path, and whether it may stand there."""
    assert desk.drag is not None
    verdict, ghost = desk.verdict("move"), desk.ghost
    layers: list[Layer] = []
    legal = desk.action == FREE or bool(verdict and verdict.holds)
    if verdict is not None and desk.action != FREE:
        layers += scene.verdict_layer(verdict, scale, desk.battle).layers
    if ghost is not None:
        layers += scene.unit_layer(desk.battle.with_unit(ghost), only=(ghost.id,)).layers
        tint = colour("answer", "yes" if legal else "no")
        edge = [
            Lines((_closed_ring(b.polygon.exterior),), Pen(tint, 3.0, dash=() if legal else (3.0, 2.0)))
            for b in ghost.bases
        ]
        layers.append(Layer("ghost edge", tuple(edge)))
        layers.append(Layer("cost", tuple(_cost(verdict, ghost, tint))))
    return layers


def _cost(verdict: Verdict | None, ghost: Unit, tint: str) -> list[Item]:
    cost = verdict.measured.get("cost") if verdict else None
    if cost is None or verdict is None:
        return []
    allowed = verdict.measured.get("allowed")
    text = f"{cost:.2f}" + (f" of {allowed:.2f}" if allowed is not None else "") + ("" if verdict.holds else "  no")
    return [Text(ghost.at, text, 17.0, tint, face="bold", halo="#fffdf6", shift=(0.0, -34.0))]


def _stretch(desk: Desk, scale: float) -> list[Layer]:
    s = desk.stretch
    assert s is not None
    verdict = desk.verdict("stretch")
    layers = list(scene.verdict_layer(verdict, scale, desk.battle).layers) if verdict is not None else []
    if verdict is None or desk.tool is Tool.TAPE:
        layers.append(Layer("tape", (Lines(((s.start, s.end),), Pen("#2b2620", 2.0, dash=(5.0, 3.0))),)))
    if desk.tool is Tool.TAPE:
        dx, dy = s.end[0] - s.start[0], s.end[1] - s.start[1]
        length = (dx * dx + dy * dy) ** 0.5
        middle = ((s.start[0] + s.end[0]) / 2, (s.start[1] + s.end[1]) / 2)
        label = Text(
            middle,
            f"{length:.2f} {desk.battle.table.unit}",
            17.0,
            "#2b2620",
            face="bold",
            halo="#fffdf6",
            shift=(0.0, -14.0),
        )
        layers.append(Layer("tape label", (label,)))
    return layers
