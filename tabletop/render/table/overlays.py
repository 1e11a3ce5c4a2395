"""The areas that overlays show of the selected unit, simplified enough to paint in a frame.

The judge's areas may have thousands of corners, but a screen shows half a pixel at best. Areas are simplified to that
first, and parts under a pixel are left out: these are pictures only, and no verdict depends on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.terrain import Table
from tabletop.geometry.verdict import Role, Shape, Verdict
from tabletop.render.drawing import scene
from tabletop.render.drawing.primitives import Area, Drawing, Layer, Ring
from tabletop.render.drawing.shapes import corners, polygon
from tabletop.render.drawing.theme import look
from tabletop.render.settings.model import Overlay
from tabletop.render.table.model import TableModel
from tabletop.render.table.tools import FREE

#: The question behind each overlay, in the order the areas are drawn.
AREAS: Sequence[tuple[Overlay, str]] = (
    (Overlay.GROUND, "ground"),
    (Overlay.REACH, "reach"),
    (Overlay.ZONE, "zone"),
    (Overlay.ARC, "field"),
)
#: Pixels by which an area's edge may be off on the screen, and square pixels below which a part is left out.
OFF, SPECK = 0.5, 6.0
#: How much unseen ground is darkened, on a map and on painted ground, which is darker already.
UNSEEN, UNSEEN_PAINTED = 0.3, 0.2
#: Questions whose answer comes in many pieces that form one area.
PIECEMEAL = ("reach",)


def shown(model: TableModel) -> list[Verdict]:
    """Return the verdicts whose areas are shown for the selected unit, bottom first."""
    verdicts = [
        model.verdict(question) or model.verdict(question, "first")
        for overlay, question in AREAS
        if overlay in model.overlays
    ]
    if model.drag is not None and model.action == FREE:
        verdicts = [v for v in verdicts if v is not None and v.question != "reach"]
    return [verdict for verdict in verdicts if verdict is not None]


def area(table: Table, verdict: Verdict, scale: float) -> Drawing:
    """Return a verdict's area as drawn at ``scale`` pixels a unit; for ground seen, the unseen ground, dimmed."""
    if verdict.question == "ground":
        return _unseen(table, verdict, scale)
    shapes = tuple(_plain(shape) for shape in verdict.shapes if shape.kind != "polygon" or len(shape.points) > 2)
    if verdict.question in PIECEMEAL:
        shapes = _as_one(shapes, scale)
    return scene.verdict_layer(verdict.with_(shapes=shapes), scale)


def _plain(shape: Shape) -> Shape:
    """Return a shape without its label: labels that are needed are drawn above the units, where they can be read."""
    return replace(shape, label="")


def _unseen(table: Table, verdict: Verdict, scale: float) -> Drawing:
    seen = thinned(verdict.shapes, scale)
    dark = UNSEEN_PAINTED if look() == "painted" else UNSEEN
    items = tuple(
        Area(tuple(_ring(r) for r in (part.exterior, *part.interiors)), fill="#1d2733", opacity=dark)
        for part in _parts(shapely.difference(table.edge, seen), scale)
    )
    return Drawing((Layer("unseen", items),), (0.0, 0.0, table.width, table.height), scale)


def _as_one(shapes: Iterable[Shape], scale: float) -> tuple[Shape, ...]:
    """Return the polygons of each role as one simplified area, and everything else as it is."""
    shapes = tuple(shapes)
    roles = dict.fromkeys(s.role for s in shapes if s.kind == "polygon")
    merged = [s for s in shapes if s.kind != "polygon"]
    for role in roles:
        whole = thinned((s for s in shapes if s.role == role), scale)
        merged += [_shape(role, part) for part in _parts(whole, scale)]
    return tuple(merged)


def _shape(role: Role, part: shapely.Polygon) -> Shape:
    return Shape(role, "polygon", _ring(part.exterior), tuple(_ring(hole) for hole in part.interiors))


def thinned(shapes: Iterable[Shape], scale: float) -> BaseGeometry:
    """Return the polygons among some shapes as one area, with no more corners than a screen at ``scale`` shows."""
    polygons = [polygon(s.points, s.holes) for s in shapes if s.kind == "polygon" and len(s.points) > 2]
    rough = shapely.make_valid(shapely.simplify(polygons, OFF / scale))
    return shapely.union_all(rough, grid_size=0.1 * OFF / scale)


def _parts(whole: BaseGeometry, scale: float) -> list[shapely.Polygon]:
    least = SPECK / scale**2
    return [_filled(p, least) for p in shapely.get_parts(whole) if isinstance(p, shapely.Polygon) and p.area > least]


def _filled(part: shapely.Polygon, least: float) -> shapely.Polygon:
    """Return a part without the holes too small to see."""
    return shapely.Polygon(part.exterior, [r for r in part.interiors if shapely.Polygon(r).area > least])


def _ring(ring: shapely.LinearRing) -> Ring:
    return corners(ring)[:-1]
