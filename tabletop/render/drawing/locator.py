"""A small map of the whole table with the part of a close-up framed."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.geometry.base import Base
from tabletop.geometry.terrain import Terrain
from tabletop.render.drawing import sea
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.own_kinds import tones
from tabletop.render.drawing.primitives import Area, Box, Circle, Item, Lines, Pen
from tabletop.render.drawing.shapes import polygons, ring, strings
from tabletop.render.drawing.theme import colour, side_styles, theme
from tabletop.rules.terrain_kinds import own_kind

#: Kinds of terrain shown on so small a map, bottom up.
KINDS = {
    "woods": ("woods", "fill"),
    "marsh": ("marsh", "fill"),
    "lake": ("water", "fill"),
    "river": ("water", "fill"),
    "road": ("road", "fill"),
    "town": ("town", "roof"),
}


class _Small:
    """The table shrunk into a box of the page given in pixels."""

    def __init__(self, battle: Battle, page: Page, box: tuple[float, float, float, float]) -> None:
        table = battle.table
        self.page = page
        self.scale = min((box[2] - box[0]) / table.width, (box[3] - box[1]) / table.height)
        self.left = box[0]
        self.bottom = box[1] + table.height * self.scale

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.page.at(self.left + x * self.scale, self.bottom - y * self.scale)

    def areas(self, shape: BaseGeometry, fill: str | None, pen: Pen | None = None) -> list[Item]:
        return [
            Area(
                tuple(tuple(self.at(*p) for p in ring(r.coords)[:-1]) for r in (part.exterior, *part.interiors)),
                fill,
                pen,
            )
            for part in polygons(shape)
        ]


def locator_items(battle: Battle, part: Box, page: Page, box: tuple[float, float, float, float]) -> list[Item]:
    """Return the small map within a box given in pixels of the page; it may be smaller than the box."""
    small = _Small(battle, page, box)
    edge = battle.table.edge
    items: list[Item] = [*small.areas(edge, colour("ground", "field"))]
    tints = theme()["hill"]["tints"]
    for hill in sorted(battle.table.hills, key=lambda h: h.level):
        items += small.areas(hill.area, tints[min(max(hill.level, 1), len(tints)) - 1])
    for kind, fill in {**sea.SMALL, **{kind: colour(*tone) for kind, tone in KINDS.items()}}.items():
        for piece in battle.table.terrain:
            if piece.kind == kind:
                items += small.areas(piece.shape, fill)
    for piece in battle.table.terrain:
        if (own := own_kind(piece)) is not None:
            items += small.areas(piece.shape, tones(own)[0])
    items += _streams(battle.table.terrain, small, edge)
    items += _troops(battle, small)
    items += small.areas(edge, None, Pen(colour("page", "rule"), 1.2))
    return [
        *items,
        *small.areas(shapely.box(*part), None, Pen("#ffffff", 4.0)),
        *small.areas(shapely.box(*part), None, Pen(colour("page", "ink"), 2.0)),
    ]


def _streams(pieces: tuple[Terrain, ...], small: _Small, edge: shapely.Polygon) -> list[Item]:
    lines = [p.line.intersection(edge) for p in pieces if p.kind == "stream" and p.line is not None]
    tracks = tuple(tuple(small.at(*p) for p in track) for line in lines for track in strings(line))
    return [Lines(tracks, Pen(colour("water", "shore"), 1.2))] if tracks else []


def _troops(battle: Battle, small: _Small) -> list[Item]:
    styles = side_styles(u.side for u in battle.units)
    items: list[Item] = []
    for unit in battle.units:
        for base in unit.bases:
            if isinstance(base, Base):
                items += small.areas(base.polygon, styles[unit.side].fill)
            else:
                items.append(Circle(small.at(base.x, base.y), 2.0, fill=styles[unit.side].fill, pixels=True))
    return items


def locator_size(battle: Battle, room: float, most: float) -> tuple[float, float]:
    """Return the width and height in pixels of a small map in a column ``room`` wide, no higher than ``most``."""
    table = battle.table
    scale = min(room / table.width, most / table.height)
    return table.width * scale, table.height * scale
