"""What the game draws on the table: badges of units that may act or have acted, targets, paths just taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import shapely

from tabletop.battle.battle import Battle
from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.render.battle import eligible, playback
from tabletop.render.battle.choices import OFFERED
from tabletop.render.battle.eligible import Group
from tabletop.render.battle.game_model import GameModel
from tabletop.render.battle.offers import offers
from tabletop.render.battle.playback import Stage
from tabletop.render.drawing.camera import Camera
from tabletop.render.drawing.objectives import objective_layer
from tabletop.render.drawing.plates import boxes_of, least_hiding, plate_boxes, same_objects, text_boxes
from tabletop.render.drawing.primitives import Circle, Drawing, Item, Layer, Lines, Pen, Text
from tabletop.render.drawing.troops import condition

#: Badges: colour and sign; the sign alone is enough to tell them apart.
READY, DONE = ("#007a59", "!"), ("#7b7468", "✓")
RADIUS, LETTERS = 8.5, 14.0
#: A badge, and its possible places (4, 2).
Badge = tuple[tuple[str, str], np.ndarray]
#: Minimum pixels in which a state is drawn; it lies over the outline of a unit that may act.
STATE = 17.0
#: Pixels of the ring around the object looked at, and of a path's line.
RING, WAY = 30.0, 3.0
TRACE, AIM, LOOK, LIGHT = "#7a3f9d", "#b44400", "#d9480f", "#fffdf6"
#: Pixels of the outline of a unit that may act: one of several groups, the acting group.
FAINT, STRONG = 1.5, 2.5


class Tokens:
    """Draws badges, group outlines and marks; those of the position are cached until it or the scale changes."""

    def __init__(self) -> None:
        self._kept: tuple[Any, tuple[Layer, ...], list[Badge]] | None = None
        self._badged: tuple[Any, Layer] | None = None
        self._written: tuple[tuple[Layer, ...], float, np.ndarray] | None = None
        self._rings: tuple[Battle, Layer] | None = None

    def drawing(
        self,
        model: GameModel,
        stage: Stage,
        camera: Camera,
        written: Sequence[Layer] = (),
        plates: Sequence[Layer] = (),
    ) -> Drawing:
        """Return the drawing of this frame.

        Badges avoid the texts of ``written`` and the ``plates`` laid over the table, where there is room.
        """
        scale = camera.drawn
        layers = [self._objectives(model.table.battle)]
        layers.append(Layer("pointed out", tuple(_pointed_out(model))))
        layers += [
            *([] if stage.running else self._standing(model, stage.show is None, scale, written, plates)),
            *playback.layers(stage, scale),
        ]
        layers.append(Layer("ends", tuple(_ends(model))))
        west, north = camera.to_table((0, 0))
        east, south = camera.to_table((camera.width, camera.height))
        return Drawing(tuple(layers), (west, south, east, north), scale)

    def _objectives(self, battle: Battle) -> Layer:
        if self._rings is None or self._rings[0] is not battle:
            self._rings = (battle, objective_layer(battle))
        return self._rings[1]

    def _standing(
        self, model: GameModel, idle: bool, scale: float, written: Sequence[Layer], plates: Sequence[Layer]
    ) -> tuple[Layer, ...]:
        held = model.table.drag.unit.id if model.table.drag is not None else None
        key = (model.record.version, scale, held, model.chosen.actor, idle)
        if self._kept is None or self._kept[0] != key:
            traces = model.record.traces if idle else ()
            ways = Layer("ways", tuple(item for trace in traces for item in _way(trace.way, scale)))
            self._kept = (key, (ways, *_layers(model, scale, held)), list(_badges(model, scale, held)))
        names = self._boxes((*written, *plates), len(written), scale)
        among = (key, names.tobytes())
        if self._badged is None or self._badged[0] != among:
            made = _badge_layer(self._kept[2], scale, names)
            before = self._badged and self._badged[1]
            self._badged = (among, before if before == made else made)  # reuse an equal layer with its rendered text
        return (*self._kept[1], self._badged[1])

    def _boxes(self, layers: tuple[Layer, ...], written: int, scale: float) -> np.ndarray:
        """Return the boxes (n, 4) of the texts in the first ``written`` layers and of the plates in the others."""
        kept = self._written
        if kept is None or kept[1] != scale or not same_objects(kept[0], layers):
            boxes = [*text_boxes(layers[:written], scale), *plate_boxes(layers[written:], scale)]
            kept = self._written = (layers, scale, boxes_of(boxes))
        return kept[2]


def _groups(model: GameModel) -> list[Group]:
    now = eligible.acting(model.table.battle)
    return [*model.facts.groups, *([now] if now is not None else [])]


def _layers(model: GameModel, scale: float, held: str | None) -> Iterator[Layer]:
    """Yield the groups with their links and outlines, and the states of units."""
    groups = _groups(model)
    yield Layer("groups", tuple(item for group in groups for item in _group(model, group, scale, held)))
    loose = [u for u in model.table.battle.units if u.id in model.facts.ready] if not groups else []
    yield Layer("ready", tuple(item for unit in loose if unit.id != held for item in _outline(unit, scale, STRONG)))
    units = [unit for unit in model.table.battle.units if unit.id != held]
    yield Layer("states", tuple(item for unit in units for item in condition(unit, STATE / scale)))


def _badge_layer(badges: Sequence[Badge], scale: float, names: np.ndarray) -> Layer:
    """Return the badges, clear of the names where there is room."""
    items, taken = list[Item](), names
    for (fill, sign), spots in badges:
        at, taken = least_hiding(spots, RADIUS / scale, taken)
        items.append(Circle(at, RADIUS, fill=fill, pen=Pen("#ffffff", 1.5), pixels=True))
        items.append(Text(at, sign, LETTERS, "#ffffff", face="bold"))
    return Layer("badges", tuple(items))


def _group(model: GameModel, group: Group, scale: float, held: str | None) -> Iterator[Item]:
    """Yield a group's links to its general and the outlines of its members still to act, thick for the acting group."""
    members = [u for u in group.members if model.table.battle.has(u.id) and u.id != held]
    strong = not model.facts.groups or model.chosen.actor in {u.id for u in group.members}
    head = model.table.battle.unit(group.id) if model.table.battle.has(group.id) else None
    if head is not None:
        lines = tuple((head.at, u.at) for u in members if u.id != head.id)
        if lines and strong:
            yield Lines(lines, Pen(LIGHT, 4.5, opacity=0.8))
        if lines:
            yield Lines(lines, Pen(READY[0], 2.0 if strong else 1.5, opacity=1.0 if strong else 0.7))
    for unit in members:
        yield from _outline(unit, scale, STRONG if strong else FAINT)


def _outline(unit: Unit, scale: float, wide: float) -> Iterator[Item]:
    rings = tuple(_ring(part) for part in shapely.get_parts(unit.footprint.buffer(2.0 / scale, join_style="mitre")))
    yield Lines(rings, Pen(LIGHT, wide + 1.5, opacity=0.9))
    yield Lines(rings, Pen(READY[0], wide))


def _badges(model: GameModel, scale: float, held: str | None) -> Iterator[Badge]:
    """Yield the badges of units; while a group is to be chosen, only group heads are marked as able to act."""
    choosing, heads = bool(model.facts.groups), {_head(model, group) for group in _groups(model)}
    for unit in (unit for unit in model.table.battle.units if unit.id != held):
        marked = unit.id in heads if choosing else unit.id in model.facts.ready
        badge = READY if marked else DONE if unit.id in model.facts.acted else None
        if badge is not None:
            yield badge, _corners(unit, scale)


def _corners(unit: Unit, scale: float) -> np.ndarray:
    """Return the possible places of a badge (4, 2): the unit's corners, the north-eastern one first."""
    corners = shapely.get_coordinates(unit.footprint)
    out = np.array((4.0, 5.0) if unit.is_general else (-1.0, -1.0)) / scale
    ways = np.array([(1, 1), (-1, 1), (1, -1), (-1, -1)])
    places = [corners[int((corners @ way).argmax())] + way * out for way in ways]
    return np.array(places)


def _head(model: GameModel, group: Group) -> str | None:
    """Return the unit that represents a group: its general if on the table, else its first member there."""
    present = [u.id for u in group.members if model.table.battle.has(u.id)]
    return group.id if group.id in present else next(iter(present), None)


def _ring(part: shapely.Polygon) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(part.exterior).tolist())


def _way(way: tuple[Point, ...], scale: float) -> list[Item]:
    """Return a path just taken: a line with a ring at its start and a disc at its end."""
    return [
        Lines((way,), Pen("#fffdf6", WAY + 2.5, opacity=0.85)),
        Lines((way,), Pen(TRACE, WAY, dash=(4.0, 2.0))),
        Circle(way[0], 4.5, pen=Pen(TRACE, 2.0), pixels=True),
        Circle(way[-1], 4.5, fill=TRACE, pen=Pen("#fffdf6", 1.0), pixels=True),
    ]


def _ends(model: GameModel) -> list[Item]:
    """Return the ends of the moves to choose from, with their numbers in the list."""
    items: list[Item] = []
    if model.chosen.proposal is not None or model.chosen.picked is None:
        return items
    for number, action in enumerate(offers(model)[:OFFERED], 1):
        path = action.options.get("path")
        if path:
            items.append(Circle(path[-1], 9.0, fill="#3f5a73", pen=Pen("#ffffff", 1.5), pixels=True))
            items.append(Text(path[-1], str(number), LETTERS, "#ffffff", face="bold"))
    return items


def _pointed_out(model: GameModel) -> list[Item]:
    """Return rings around the target of the proposal and the unit of the log line looked at; badges lie over them."""
    items: list[Item] = []
    proposal, battle = model.chosen.proposal, model.table.battle
    if proposal is not None and proposal.action.target and battle.has(proposal.action.target):
        target = battle.unit(proposal.action.target)
        if model.table.unit is not None:
            items.append(Lines(((model.table.unit.at, target.at),), Pen(AIM, 3.0, dash=(4.0, 2.0))))
        items.append(Circle(target.at, RING, pen=Pen(AIM, 3.0), pixels=True))
    line = model.chosen.looked_at
    if line is not None and line.at is not None:
        spot = battle.unit(line.unit).at if line.unit and battle.has(line.unit) else line.at
        items.append(Circle(spot, RING, pen=Pen("#fffdf6", 6.0), pixels=True))
        items.append(Circle(spot, RING, pen=Pen(LOOK, 3.0), pixels=True))
        if spot != line.at:
            items.append(Lines(((line.at, spot),), Pen(LOOK, 2.0, dash=(2.0, 2.0))))
            items.append(Circle(line.at, 6.0, pen=Pen(LOOK, 2.0), pixels=True))
    return items
