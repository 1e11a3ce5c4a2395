"""What the game shows on the table itself: who may act, who has acted, who is aimed at, the ways just gone."""

from __future__ import annotations

from typing import Any

import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.render.camera import Camera
from tabletop.render.drawing import Circle, Drawing, Item, Layer, Lines, Pen, Text
from tabletop.render.furniture import Page
from tabletop.render.playing.desk import GameDesk
from tabletop.render.playing.rows import OFFERED

#: Badges: colour and sign. Told by the sign as well as by the colour.
READY, DONE = ("#007a59", "!"), ("#7b7468", "✓")
RADIUS, LETTERS = 7.5, 11.0
#: Pixels of the ring round what is looked at, and of the ways gone.
RING, WAY = 30.0, 3.0
TRACE, AIM, LOOK = "#7a3f9d", "#b44400", "#d9480f"


class Tokens:
    """Draws the badges, kept until the battle or the scale is another, and what is pointed out."""

    def __init__(self) -> None:
        self._kept: tuple[Any, tuple[Layer, ...]] | None = None

    def drawing(self, desk: GameDesk, camera: Camera) -> Drawing:
        """Return the drawing of this frame."""
        scale = camera.drawn
        layers = [*self._badges(desk, scale), Layer("pointed out", tuple(_pointed_out(desk)))]
        west, north = camera.to_table((0, 0))
        east, south = camera.to_table((camera.width, camera.height))
        return Drawing(tuple(layers), (west, south, east, north), scale)

    def _badges(self, desk: GameDesk, scale: float) -> tuple[Layer, ...]:
        key = (desk.version, scale, desk.drag is None)
        if self._kept is None or self._kept[0] != key:
            traces = [item for trace in desk.traces for item in _way(trace.way, scale)]
            items = [item for unit in desk.battle.units for item in _badge(desk, unit, scale)]
            self._kept = (key, (Layer("ways", tuple(traces)), Layer("badges", tuple(items))))
        return self._kept[1]


def _badge(desk: GameDesk, unit: Unit, scale: float) -> list[Item]:
    badge = READY if unit.id in desk.ready else DONE if unit.id in desk.acted else None
    if badge is None or (desk.drag is not None and desk.drag.unit.id == unit.id):
        return []
    corners = shapely.get_coordinates(unit.footprint).tolist()
    at = Page(scale, *max(corners, key=sum)).at(-2.0, 3.0)
    edge: list[Item] = []
    if badge is READY:
        rings = tuple(_ring(part) for part in shapely.get_parts(unit.footprint.buffer(2.5 / scale)))
        edge = [Lines(rings, Pen(READY[0], 2.0))]
    disc = Circle(at, RADIUS, fill=badge[0], pen=Pen("#ffffff", 1.5), pixels=True)
    return [*edge, disc, Text(at, badge[1], LETTERS, "#ffffff", face="bold")]


def _ring(part: shapely.Polygon) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(part.exterior).tolist())


def _way(way: tuple[Point, ...], scale: float) -> list[Item]:
    """Return a way just gone: a line with a ring where it began and a disc where it ended."""
    return [
        Lines((way,), Pen("#fffdf6", WAY + 2.5, opacity=0.85)),
        Lines((way,), Pen(TRACE, WAY, dash=(4.0, 2.0))),
        Circle(way[0], 4.5, pen=Pen(TRACE, 2.0), pixels=True),
        Circle(way[-1], 4.5, fill=TRACE, pen=Pen("#fffdf6", 1.0), pixels=True),
    ]


def _ends(desk: GameDesk) -> list[Item]:
    """Return where the ways to choose from would end, with their numbers in the list."""
    found: list[Item] = []
    for number, action in enumerate(desk.offers[:OFFERED], 1):
        path = action.options.get("path")
        if path:
            found.append(Circle(path[-1], 9.0, fill="#3f5a73", pen=Pen("#ffffff", 1.5), pixels=True))
            found.append(Text(path[-1], str(number), 12.0, "#ffffff", face="bold"))
    return found


def _pointed_out(desk: GameDesk) -> list[Item]:
    """Return rings round the target of what is proposed, and round what a line of the log is about."""
    found: list[Item] = _ends(desk) if desk.proposal is None and desk.picked is not None else []
    proposal, battle = desk.proposal, desk.battle
    if proposal is not None and proposal.action.target and battle.has(proposal.action.target):
        target = battle.unit(proposal.action.target)
        if desk.unit is not None:
            found.append(Lines(((desk.unit.at, target.at),), Pen(AIM, 3.0, dash=(4.0, 2.0))))
        found.append(Circle(target.at, RING, pen=Pen(AIM, 3.0), pixels=True))
    line = desk.looked_at
    if line is not None and line.at is not None:
        here = battle.unit(line.unit).at if line.unit and battle.has(line.unit) else line.at
        found.append(Circle(here, RING, pen=Pen("#fffdf6", 6.0), pixels=True))
        found.append(Circle(here, RING, pen=Pen(LOOK, 3.0), pixels=True))
        if here != line.at:
            found.append(Lines(((line.at, here),), Pen(LOOK, 2.0, dash=(2.0, 2.0))))
            found.append(Circle(line.at, 6.0, pen=Pen(LOOK, 2.0), pixels=True))
    return found
