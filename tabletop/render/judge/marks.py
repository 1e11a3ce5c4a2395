"""Temporary drawings over the judge's table: the selection, handles, what is in hand, what has been clicked."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import shapely

from tabletop.battle.unit import Unit
from tabletop.geometry.measure import Point
from tabletop.play.files.draft import Row
from tabletop.render.drawing import measures, scene
from tabletop.render.drawing.furniture import Page
from tabletop.render.drawing.lettering import width
from tabletop.render.drawing.primitives import Anchor, Area, Box, Circle, Drawing, Item, Layer, Lines, Pen, Ring, Text
from tabletop.render.drawing.theme import colour
from tabletop.render.judge import arriving, by_keys
from tabletop.render.judge.controller import JudgeController, Mode
from tabletop.render.judge.game_keys import goals
from tabletop.render.judge.moving import outline_of
from tabletop.render.judge.objectives import chosen_goal
from tabletop.render.judge.photo import CORNERS

HALO, INK, BLUE, GOAL = "#fffdf6", "#14202c", "#0072B2", "#9a4a00"
#: Pixels: half widths of a corner's handle and of that of a possible new corner, letters of a plate.
HANDLE, SMALL, LETTERS = 7.0, 4.5, 15.0
#: Radius in pixels of the disc with an objective's points.
SIGN = 11.0
#: Pixels between a unit and the line around it.
RIM = 2.5
#: Pixels of the arms of the cross at the cursor.
CROSS = 12.0


def drawing(controller: JudgeController, scale: float, box: tuple[Point, Point] | None) -> Drawing:
    """Return the drawing over the table in this frame; ``box`` is a selection box being drawn."""
    wide, high = controller.size
    edge = ((0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high), (0.0, 0.0))
    layers = [
        Layer("edge", (Lines((edge,), Pen(INK, 1.6)),)),
        Layer("outlines", tuple(_outlines(controller))),
        Layer("terms", tuple(_terms(controller, scale))),
        Layer("wrong", tuple(_wrong(controller, scale))),
        Layer("selection", tuple(_selection(controller, scale))),
        *_ghosts(controller, scale),
        Layer("handles", tuple(_handles(controller))),
        Layer("corners", tuple(_corners(controller, scale))),
        Layer("asked", tuple(_asked(controller, scale))),
        Layer("traced", tuple(_traced(controller))),
        Layer("box", tuple(_box(box) if box is not None else ())),
        Layer("hand", tuple(_led(controller, scale))),
    ]
    return Drawing(tuple(layers), (0.0, 0.0, *controller.size), scale)


# --- on the table ----------------------------------------------------------------------------------------------------


def _outlines(controller: JudgeController) -> Iterable[Item]:
    """Yield the edge of every piece of terrain when a photo hides them."""
    if not controller.backdrop.shown or controller.mode in (Mode.ASK, Mode.CARD):
        return
    rings = tuple(ring for row in controller.draft.terrain for ring in (_ring(row),))
    if rings:
        yield from (Lines(rings, Pen(HALO, 4.0, opacity=0.8)), Lines(rings, Pen("#35602c", 2.0)))


def _ring(row: Row) -> Ring:
    points = tuple(outline_of(row))
    return points if "line" in row else (*points, points[0])


def _wrong(controller: JudgeController, scale: float) -> Iterable[Item]:
    """Yield a broken line around every unit or piece named in a fault."""
    faults, pen = " ".join(controller.faults), Pen(colour("answer", "no"), 3.0, dash=(3.0, 2.0))
    named = {trouble.row for trouble in controller.laid.troubles}
    for unit in controller.battle.units if faults else ():
        if unit.id in named or f"{unit.called} overlaps" in faults or f"overlaps {unit.called}" in faults:
            yield from _rim(unit, pen, scale)
    rings = tuple(_ring(row) for row in controller.draft.terrain if row["id"] in named)
    if rings:
        yield from (Lines(rings, Pen(INK, 5.0)), Lines(rings, pen))


def _sign_of(row: Row) -> Point:
    """Return the position of an objective's points: at the top of its circle."""
    return float(row["at"][0]), float(row["at"][1]) + float(row["radius"])


def signs(controller: JudgeController, scale: float) -> tuple[Box, ...]:
    """Return the boxes of the objectives' points, in table units, for names to avoid."""
    rim = (SIGN + 2.0) / scale
    at = [_sign_of(row) for row in goals(controller.draft)] if controller.building else []
    return tuple((x - rim, y - rim, x + rim, y + rim) for x, y in at)


def _terms(controller: JudgeController, scale: float) -> Iterable[Item]:
    """Yield the objectives with their radius, and the paths of arrivals."""
    if not controller.building:
        return
    for row in goals(controller.draft):
        at, radius = (float(row["at"][0]), float(row["at"][1])), float(row["radius"])
        chosen = controller.mode is Mode.BATTLE and controller.terms.part == "goals" and chosen_goal(controller) is row
        yield Circle(at, radius, pen=Pen(HALO, 5.0, opacity=0.8))
        yield Circle(at, radius, pen=Pen(GOAL, 3.0 if chosen else 2.0, dash=(5.0, 3.0)))
        top = _sign_of(row)
        yield Circle(top, SIGN, fill=GOAL, pen=Pen("#ffffff", 1.5), pixels=True)
        yield Text(top, f"{float(row.get('points', 1)):g}", LETTERS, "#ffffff", face="bold")
        if chosen:
            yield from plate(str(row.get("name") or row["id"]), (top[0], top[1] + 12.0 / scale), scale)
    for label, way in arriving.ways(controller) if controller.mode is Mode.BATTLE else ():
        if len(way) > 1:
            yield from (Lines((tuple(way),), Pen(HALO, 6.0)), Lines((tuple(way),), Pen(GOAL, 3.0, dash=(5.0, 3.0))))
        yield Circle(way[0], 10.0, fill=GOAL, pen=Pen("#ffffff", 2.0), pixels=True)
        wide, high = controller.size
        anchor: Anchor = "start" if way[0][0] < wide / 2 else "end"
        side, up = (16.0 if anchor == "start" else -16.0), (-14.0 if way[0][1] < high * 0.95 else 16.0)
        yield Text(way[0], label, LETTERS, INK, face="bold", anchor=anchor, halo=HALO, shift=(side, up))


def _selection(controller: JudgeController, scale: float) -> Iterable[Item]:
    if controller.mode not in (Mode.EDIT, Mode.PLACE, Mode.ARMY, Mode.BATTLE):
        return
    for unit in controller.battle.units:
        if unit.id in controller.selected:
            yield from _rim(unit, Pen("#ffffff", 2.2), scale)
    rings = tuple(_ring(row) for row in controller.draft.terrain if row["id"] in controller.selected)
    if rings:
        yield from (Lines(rings, Pen(INK, 4.5)), Lines(rings, Pen("#ffffff", 2.2, dash=(4.0, 3.0))))


def _rim(unit: Unit, pen: Pen, scale: float) -> list[Item]:
    """Return a line around a unit, just outside it at every scale."""
    parts = [p for p in shapely.get_parts(unit.footprint.buffer(RIM / scale, join_style="mitre")) if not p.is_empty]
    rings = tuple(_closed(part.exterior) for part in parts)
    return [Lines(rings, Pen(INK, 5.0)), Lines(rings, pen)]


def _closed(ring: shapely.LinearRing) -> Ring:
    return tuple((float(x), float(y)) for x, y in shapely.get_coordinates(ring).tolist())


def _handles(controller: JudgeController) -> Iterable[Item]:
    """Yield the handles of the selected piece of terrain, if it is the only selection."""
    row = handled(controller)
    if row is None or controller.held is not None:
        return
    row = controller.ghost_pieces[0] if controller.pulled is not None else row
    points = outline_of(row)
    for x, y in between(row):
        yield Circle((x, y), SMALL, fill=HALO, pen=Pen(BLUE, 1.6), pixels=True)
    for number, point in enumerate(points):
        chosen = controller.corner == (row["id"], number)
        yield Circle(point, HANDLE, fill=BLUE if chosen else "#ffffff", pen=Pen(INK, 2.0), pixels=True)


def handled(controller: JudgeController) -> Row | None:
    """Return the piece of terrain whose corners can be moved."""
    if controller.mode is not Mode.EDIT or len(controller.selected) != 1:
        return None
    return next((row for row in controller.draft.terrain if row["id"] == controller.selected[0]), None)


def between(row: Row) -> list[Point]:
    """Return the midpoints of a piece's edges; number k lies before corner k + 1."""
    points = outline_of(row)
    ends = points[1:] if "line" in row else [*points[1:], points[0]]
    return [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(points, ends, strict=False)]


# --- in hand ---------------------------------------------------------------------------------------------------------


def _ghosts(controller: JudgeController, scale: float) -> list[Layer]:
    layers: list[Layer] = []
    ghosts = controller.ghosts
    if ghosts:
        held = replace(controller.battle, units=tuple(ghosts))
        layers += [Layer(layer.name, layer.items) for layer in scene.unit_layer(held).layers]
        layers.append(Layer("ghost rim", tuple(item for unit in ghosts for item in _edge(unit))))
    rings = tuple(_ring(row) for row in controller.ghost_pieces)
    if rings:
        layers.append(Layer("ghost pieces", (Lines(rings, Pen(HALO, 4.5)), Lines(rings, Pen(BLUE, 2.5)))))
    if len(ghosts) == 1:
        layers.append(Layer("pose", tuple(_pose(controller, ghosts[0], scale))))
    return layers


def _edge(unit: Unit) -> list[Item]:
    return [Lines(tuple(_closed(base.polygon.exterior) for base in unit.bases), Pen(BLUE, 2.5))]


def _pose(controller: JudgeController, unit: Unit, scale: float) -> list[Item]:
    """Return a plate over the unit in hand with its position and facing."""
    x, y = unit.at
    words = f"{x:.2f}, {y:.2f}" + ("" if unit.is_general else f"   {unit.facing % 360.0:.1f}°")
    if not controller.loose and _flush(controller, unit):
        words += "   in contact"
    return plate(words, (x, unit.bounds[3]), scale)


def _flush(controller: JudgeController, unit: Unit) -> bool:
    tape = controller.battle.tape
    near = (neighbour for neighbour in controller.battle.units if neighbour.id != unit.id and not neighbour.is_general)
    return not unit.is_general and any(
        tape.touches(float(shapely.distance(unit.footprint, neighbour.footprint))) for neighbour in near
    )


def plate(text: str, at: Point, scale: float) -> list[Item]:
    """Return words on a dark plate above a point."""
    page = Page(scale, at[0], at[1])
    half, high = width(text, LETTERS, "bold") / 2 + 9, 24.0
    back = page.panel(-half, -high - 10, half, -10, INK, Pen("#ffffff", 1.2))
    return [back, Text(page.at(0, -10 - high / 2), text, LETTERS, "#ffffff", face="bold")]


def _corners(controller: JudgeController, scale: float) -> Iterable[Item]:
    """Yield the piece of terrain being clicked so far, with a line to the cursor."""
    corners = controller.placing.corners
    if controller.mode is not Mode.PLACE or not corners:
        return
    way = (*corners, controller.cursor)
    if len(way) > 2:
        yield Area(((*way,),), BLUE, opacity=0.15)
    yield from (Lines((way,), Pen(HALO, 4.5)), Lines((way,), Pen(BLUE, 2.2, dash=(4.0, 2.0))))
    yield from (Circle(corner, HANDLE, fill="#ffffff", pen=Pen(INK, 2.0), pixels=True) for corner in corners)
    length = math.dist(corners[-1], controller.cursor)
    yield from plate(measures.length(length, controller.battle.table.unit), controller.cursor, scale)


# --- asked and traced ------------------------------------------------------------------------------------------------


def _asked(controller: JudgeController, scale: float) -> Iterable[Item]:
    """Yield a rim and a number for every clicked unit, a number for every point, and a line to the cursor."""
    if controller.mode is not Mode.ASK:
        return
    spots: list[Point] = []
    for number, clicked in enumerate(controller.asking.clicked, 1):
        known = isinstance(clicked, str) and controller.battle.has(clicked)
        at = controller.battle.unit(str(clicked)).at if known else clicked
        if isinstance(at, str):
            continue
        spots.append(at)
        if isinstance(clicked, str):
            yield from _rim(controller.battle.unit(clicked), Pen("#ffffff", 2.2), scale)
        if controller.asking.answer is None:
            yield Circle(at, 11.0, fill=INK, pen=Pen("#ffffff", 1.5), pixels=True)
            yield Text(at, str(number), LETTERS, "#ffffff", face="bold")
    if spots and not controller.asking.complete:
        way = (spots[-1], *controller.asking.way, controller.cursor)
        yield from (Lines((way,), Pen(HALO, 4.0, opacity=0.8)), Lines((way,), Pen(INK, 1.8, dash=(5.0, 4.0))))
        yield from (Circle(by, SMALL, fill=INK, pen=Pen("#ffffff", 1.5), pixels=True) for by in controller.asking.way)


def _traced(controller: JudgeController) -> Iterable[Item]:
    clicks = controller.backdrop.clicks
    if controller.mode is not Mode.PHOTO or not controller.backdrop.tracing or not clicks:
        return
    way = (*clicks, controller.cursor) if controller.misfit is None else _parallelogram(clicks)
    yield from (Lines((way,), Pen(HALO, 4.5)), Lines((way,), Pen(colour("answer", "no"), 2.2)))
    yield from (Circle(spot, 4.0, fill=colour("answer", "no"), pen=Pen("#ffffff", 1.5), pixels=True) for spot in clicks)


def _parallelogram(clicks: Sequence[Point]) -> Ring:
    """Return three corners with the fourth that completes them; two as they are."""
    if len(clicks) < 3:
        return tuple(clicks)
    a, b, c = clicks
    return a, b, c, (a[0] + c[0] - b[0], a[1] + c[1] - b[1]), a


def _led(controller: JudgeController, scale: float) -> Iterable[Item]:
    """Yield a cross at a cursor moved by keys."""
    if not controller.by_keys or not by_keys.leads(controller):
        return
    page, far = Page(scale, *controller.cursor), CROSS
    arms = ((page.at(-far, 0), page.at(far, 0)), (page.at(0, -far), page.at(0, far)))
    yield from (Lines(arms, Pen(HALO, 5.0)), Lines(arms, Pen(INK, 2.0)))


def _box(box: tuple[Point, Point]) -> Iterable[Item]:
    (x0, y0), (x1, y1) = box
    ring = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    yield Area((ring,), BLUE, Pen(BLUE, 1.6, dash=(4.0, 3.0)), 0.12)


def photo_handles(corners: Sequence[Point]) -> Drawing:
    """Return the four numbered handles on a photo, and the quadrilateral they span (y up)."""
    ring = (*corners, corners[0])
    items: list[Item] = [Lines((ring,), Pen(HALO, 4.5)), Lines((ring,), Pen(BLUE, 2.2))]
    for number, at in enumerate(corners, 1):
        items.append(Circle(at, 13.0, pen=Pen(INK, 5.0), pixels=True))
        items.append(Circle(at, 13.0, pen=Pen("#ffffff", 2.5), pixels=True))
        items.append(Circle(at, 1.5, fill=colour("answer", "no"), pixels=True))
        name = f"{number}  {CORNERS[number - 1]}"
        # Towards the middle of the photo: at its edge there is no room for a name.
        inner = at[0] < sum(x for x, _ in corners) / 4
        anchor: Anchor = "start" if inner else "end"
        side = 19.0 if inner else -19.0
        items.append(Text(at, name, LETTERS, INK, face="bold", anchor=anchor, halo=HALO, shift=(side, -15.0)))
    return Drawing((Layer("photo corners", tuple(items)),), (0.0, 0.0, 1.0, 1.0), 1.0)
