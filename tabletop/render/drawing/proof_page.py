"""A page about a verdict: the proof on its part of the table, the answer in words beside it, the side view below."""

from __future__ import annotations

from tabletop.battle.battle import Battle
from tabletop.battle.lengths import inch
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import SideView, Verdict
from tabletop.render.drawing import names, proof
from tabletop.render.drawing.answer import answer_layer
from tabletop.render.drawing.furniture import BAND, Page, ruler
from tabletop.render.drawing.ground import ground_layers
from tabletop.render.drawing.labels import Placer
from tabletop.render.drawing.primitives import Box, Drawing, Layer, Lines, Pen
from tabletop.render.drawing.shapes import polygons, ring
from tabletop.render.drawing.side_view import side_view_layer
from tabletop.render.drawing.theme import colour
from tabletop.render.drawing.troops import solid_of, unit_layers

#: Pixels: width of the column of words, height of the side view, margins.
COLUMN, SECTION, EDGE = 430.0, 270.0, 22.0
#: Minimum width of a close-up in inches.
LEAST = 13.0


def proof_page(battle: Battle, verdict: Verdict, width: int, height: int, letters: float) -> Drawing:
    """Return the page of one verdict."""
    section = SECTION if _has_heights(verdict.side_view) else 0.0
    column = min(COLUMN, 0.36 * width)
    room = (width - column - 2 * BAND - EDGE, height - section - 2 * BAND)
    part = close_up(battle, verdict, room[0] / room[1])
    scale = min(room[0] / (part[2] - part[0]), room[1] / (part[3] - part[1]))
    wide, high = (part[2] - part[0]) * scale, (part[3] - part[1]) * scale
    page = Page(scale, part[0] - BAND / scale, part[3] + BAND / scale)
    page_high = high + 2 * BAND + section
    layers = [*_map(battle, verdict, part, scale, letters), ruler(battle.table.unit, part, scale)]
    side = side_view_layer(verdict, page, (8.0, high + 2 * BAND - 6, wide + 2 * BAND - 8, page_high - 4), battle)
    if side and section:
        layers.append(side)
    left = wide + 2 * BAND + 2
    layers.append(answer_layer(battle, verdict, page, (left, BAND - 7, left + column - 10, page_high - EDGE), part))
    view = page.box(0, 0, left + column + EDGE - 10, page_high)
    return Drawing(tuple(layers), view, scale, battle.title, _description(verdict), colour("page", "paper"))


def _has_heights(view: SideView | None) -> bool:
    """Return whether a side view shows more than a line over level ground with nothing on it."""
    return view is not None and bool(view.obstructions or view.shadows or len({g[2] for g in view.ground}) > 1)


def _description(verdict: Verdict) -> str:
    return f"{verdict.question} {' '.join(verdict.args)}: {'yes' if verdict.holds else 'no'}"


def _map(battle: Battle, verdict: Verdict, part: Box, scale: float, letters: float) -> list[Layer]:
    """Return the close-up's layers."""
    ground, troops = (
        [Layer(x.name, x.items, _common(x.clip, part)) for x in layers]
        for layers in (ground_layers(battle.table, scale), unit_layers(battle))
    )
    areas, lines, _ = proof.verdict_layers(verdict, scale, battle, part)
    named = names_and_words(battle, verdict, part, scale, letters)
    return [*ground, areas, *troops, _asked(battle, verdict, part), lines, named]


def names_and_words(battle: Battle, verdict: Verdict, part: Box, scale: float, letters: float) -> Layer:
    """Return the names on a part of the table and a proof's labels, placed together so that none overlap."""
    shapes = proof.shapes_of(verdict)
    solid = [*(part for u in battle.units for part in solid_of(u)), *proof.drawn_over(shapes, scale)]
    placer = Placer(scale, part, solid, {u.id: u.at for u in battle.units})
    labels = proof.proof_names(shapes, scale, part, battle, letters)
    troops = names.unit_names(battle, scale, part, letters, first=verdict.args)
    places = names.place_names(battle, scale, part, letters, skip={n.forms[0] for n in labels})
    placer.place([*troops, *places, *labels])
    return Layer("names", tuple(placer.placed), part)


def _asked(battle: Battle, verdict: Verdict, part: Box) -> Layer:
    """Return a double outline around each unit the question is about."""
    seam = 0.02 * battle.scale
    about = [u.footprint.buffer(seam, join_style="mitre") for u in battle.units if u.id in verdict.args]
    rims = tuple(ring(part.exterior.coords) for shape in about for part in polygons(shape))
    pens = (Pen(colour("page", "halo"), 6.0), Pen(colour("page", "ink"), 2.4))
    return Layer("asked", tuple(Lines(rims, pen) for pen in pens) if rims else (), part)


def _common(a: Box | None, b: Box) -> Box:
    if a is None:
        return b
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def close_up(battle: Battle, verdict: Verdict, shape: float) -> Box:
    """Return the part of the table a verdict is about, for a space of this shape (width over height)."""
    west, south, east, north = _around(_points(battle, verdict), battle)
    least = LEAST * inch(battle.table)
    margin = 0.06 * max(east - west, north - south) + least / 13
    wide, high = max(east - west + 2 * margin, least), max(north - south + 2 * margin, least)
    wide, high = max(wide, high * min(shape, 1.15)), max(high, wide / max(shape, 1.15) * 0.8)
    return _within((west + east) / 2, (south + north) / 2, wide, high, battle)


def _points(battle: Battle, verdict: Verdict) -> list[Point]:
    """Return the points that must be seen: of the shapes, the units asked about, and the blockers."""
    known = {unit.id: unit for unit in battle.units}
    points = [p for shape in verdict.shapes for p in shape.points] + list(verdict.witness or ())
    for id_ in (*verdict.args, *verdict.blockers, str(verdict.options.get("from"))):
        if id_ in known:
            west, south, east, north = known[id_].footprint.bounds
            points += [(west, south), (east, north)]
    if verdict.side_view:
        points += [verdict.side_view.start, verdict.side_view.end]
    return points


def _around(points: list[Point], battle: Battle) -> Box:
    """Return the box around points, which are first moved onto the table; without points, the whole table."""
    w, h = battle.table.width, battle.table.height
    xs = [min(max(p[0], 0.0), w) for p in points] or [0.0, w]
    ys = [min(max(p[1], 0.0), h) for p in points] or [0.0, h]
    return min(xs), min(ys), max(xs), max(ys)


def _within(x: float, y: float, wide: float, high: float, battle: Battle) -> Box:
    """Return a box of this size around a point, moved (and cut) to lie on the table."""
    w, h = battle.table.width, battle.table.height
    wide, high = min(wide, w), min(high, h)
    west = min(max(x - wide / 2, 0.0), w - wide)
    south = min(max(y - high / 2, 0.0), h - high)
    return west, south, west + wide, south + high
