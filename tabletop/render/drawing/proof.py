"""The proof over the table: a verdict's shapes, distinguished by role with colour, dash, icon and word."""

from __future__ import annotations

import math
from collections.abc import Iterable

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.battle.battle import Battle
from tabletop.geometry.measure import Point
from tabletop.geometry.verdict import Shape, Verdict
from tabletop.render.drawing.labels import Name, Placer, Spot, inside
from tabletop.render.drawing.primitives import Area, Box, Circle, Item, Layer, Lines, Pen, Ring, Sheet, Stamps, Text
from tabletop.render.drawing.shapes import along, hatching, polygon, polygons, ring, strings
from tabletop.render.drawing.theme import RoleStyle, colour, role_style
from tabletop.render.drawing.troops import solid_of

#: Bottom up: areas first, then lines, then marks.
ORDER = (
    "reach",
    "sight",
    "zone",
    "band",
    "arc",
    "shadow",
    "target",
    "blocker",
    "ghost",
    "tape",
    "path",
    "blocked",
    "witness",
    "mark",
)

#: Areas drawn over the units rather than under them.
ON_TOP = ("target", "blocker", "ghost")
#: Icons placed on a line.
ON_LINES = ("eye", "cross")
#: Areas computed by covering the ground step by step, whose edges may be ragged.
SPREAD = ("reach", "sight")
#: Number of points from which an outline leaves out fringes narrower than twice this many pixels.
INTRICATE, FRINGE = 90, 2.5
#: Width of an icon on the map, in pixels.
ICON = 22.0


def shapes_of(verdict: Verdict) -> list[Shape]:
    """Return a verdict's shapes bottom first, with its witness as a line if no shape shows it."""
    shapes = list(verdict.shapes)
    if verdict.witness and not any(s.role in ("witness", "path", "tape") for s in shapes):
        kind = "line" if len(verdict.witness) > 1 else "point"
        shapes.append(Shape("witness", kind, verdict.witness))  # type: ignore[arg-type]
    return sorted(shapes, key=lambda s: ORDER.index(s.role))


def extent(verdict: Verdict) -> Box | None:
    """Return the box of a verdict's shapes, None when it has none."""
    points = [p for shape in shapes_of(verdict) for p in shape.points]
    if not points:
        return None
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), min(ys), max(xs), max(ys)


def verdict_layers(
    verdict: Verdict, scale: float, battle: Battle | None = None, view: Box | None = None
) -> tuple[Layer, Layer, Layer]:
    """Return three layers: areas; lines and marks; and words placed clear of units and of each other."""
    under, over = Sheet("proof areas", view), Sheet("proof lines", view)
    shapes = [shape for shape in shapes_of(verdict) if shape.points]
    for shape in shapes:
        style = role_style(shape.role)
        (under if shape.kind == "polygon" and shape.role not in ON_TOP else over).extend(
            DRAWN[shape.kind](shape, style, scale)
        )
    over.extend(Stamps(glyph, (spot,), ICON, pixels=True) for glyph, spot in icons(shapes))
    labels = words(shapes, scale, battle, view or extent(verdict))
    return under.layer, over.layer, Layer("proof words", tuple(labels), view)


def icons(shapes: Iterable[Shape]) -> list[tuple[str, Point]]:
    """Return icon and place for every line that proves or fails: a failing line's is where it meets its blocker."""
    marks, known = [], list(shapes)
    for shape in known:
        icon = role_style(shape.role).icon
        if shape.kind == "line" and len(shape.points) > 1 and icon in ON_LINES:
            line = shapely.LineString(shape.points)
            spot = _blocked_at(line, known) if icon == "cross" else line.interpolate(0.5, normalized=True)
            marks.append((icon, (spot.x, spot.y)))
    return marks


def _blocked_at(line: shapely.LineString, shapes: list[Shape]) -> shapely.Point:
    """Return the point of a line nearest to the middle of its blocker; without one, the middle of the line."""
    for shape in shapes:
        if shape.role == "blocker":
            middle = shapely.MultiPoint(shape.points).centroid
            return line.interpolate(line.project(middle))
    return line.interpolate(0.5, normalized=True)


def _polygon(shape: Shape, style: RoleStyle, scale: float) -> list[Item]:
    if len(shape.points) < 3:
        return _line(shape, style, scale)
    rings = (ring(shape.points), *(ring(hole) for hole in shape.holes))
    items: list[Item] = (
        [Area(rings, style.fill or style.colour, opacity=style.fill_opacity)] if style.fill_opacity else []
    )
    if style.hatch:
        area = shapely.make_valid(shapely.Polygon(shape.points, shape.holes))
        lines = hatching(area, style.hatch / scale, 45.0 if shape.role == "shadow" else 135.0)
        items.append(Lines(tuple(lines), Pen(style.colour, 1.1, opacity=0.75)))
    outline = _outline(shape, scale)
    if outline:
        items.append(Lines(outline, Pen(colour("page", "halo"), style.width + 2.0, opacity=0.55)))
        items.append(Lines(outline, style.pen))
    return items


def _outline(shape: Shape, scale: float) -> tuple[Ring, ...]:
    """Return the outlines of an area; fringes only a few pixels wide are filled but not outlined."""
    rings = tuple((*ring(r), ring(r[:1])[0]) for r in (shape.points, *shape.holes))
    if sum(map(len, rings)) < INTRICATE and not _is_sliver(shape, scale):
        return rings
    area = shapely.make_valid(polygon(shape.points, shape.holes))
    return tuple(strings(area.buffer(-FRINGE / scale, quad_segs=2).buffer(FRINGE / scale, quad_segs=2)))


def _is_sliver(shape: Shape, scale: float) -> bool:
    """Return whether an area is on average narrower than what is outlined."""
    area = polygon(shape.points)
    return bool(shape.role in SPREAD and 2.0 * area.area * scale < 2.0 * FRINGE * area.length)


def _line(shape: Shape, style: RoleStyle, scale: float) -> list[Item]:
    track = ring(shape.points)
    if len(track) < 2:
        return _point(shape, style, scale)
    if style.band:
        return [Lines((track,), Pen(style.colour, style.band, opacity=0.45, round=False))]
    halo = Lines((track,), Pen(colour("page", "halo"), style.width + 3.5, opacity=0.9))
    return [halo, Lines((track,), style.pen), *ENDS.get(style.icon, _no_ends)(track, style)]


def _no_ends(_track: tuple[Point, ...], _style: RoleStyle) -> list[Item]:
    return []


def _dots(track: tuple[Point, ...], style: RoleStyle) -> list[Item]:
    pen = Pen(colour("page", "halo"), 1.5)
    return [Circle(p, style.width * 1.6, fill=style.colour, pen=pen, pixels=True) for p in (track[0], track[-1])]


def _arrowed(track: tuple[Point, ...], style: RoleStyle) -> list[Item]:
    (ax, ay), (bx, by) = track[-2], track[-1]
    turn = math.degrees(math.atan2(bx - ax, by - ay)) % 360.0
    corners = [Circle(p, 4.0, fill=colour("page", "halo"), pen=Pen(style.colour, 2.0), pixels=True) for p in track[:-1]]
    return [*corners, Stamps("arrow", ((bx, by),), 20.0, pixels=True, turns=(turn,))]


def _taped(track: tuple[Point, ...], style: RoleStyle) -> list[Item]:
    """Return a bar across each end, as a tape is drawn."""
    (ax, ay), (bx, by) = track[0], track[-1]
    turn = math.degrees(math.atan2(bx - ax, by - ay)) % 360.0
    return [Stamps("bar", (track[0], track[-1]), 16.0, pixels=True, turns=(turn, turn))]


ENDS = {"eye": _dots, "cross": _dots, "arrow": _arrowed, "tape": _taped}


def _point(shape: Shape, style: RoleStyle, _scale: float) -> list[Item]:
    glyph = style.icon if style.icon in ("eye", "cross", "ring", "pin") else "pin"
    return [Stamps(glyph, ring(shape.points), ICON, pixels=True)]


DRAWN = {"polygon": _polygon, "line": _line, "point": _point}


def words(shapes: Iterable[Shape], scale: float, battle: Battle | None, view: Box | None) -> list[Text]:
    """Return the labels of shapes, placed."""
    if view is None:
        return []
    shapes = list(shapes)
    names = proof_names(shapes, scale, view, battle)
    if not names:
        return []
    units = battle.units if battle else ()
    placer = Placer(scale, view, [*(part for u in units for part in solid_of(u)), *drawn_over(shapes, scale)])
    return placer.place(names)


def drawn_over(shapes: Iterable[Shape], scale: float) -> list[shapely.Polygon]:
    """Return the ground covered by lines with their icons, and by marks, which names must avoid."""
    known, reach = list(shapes), ICON / 2 / scale
    covered = [shapely.Point(spot).buffer(reach) for _, spot in icons(known)]
    for shape in known:
        if shape.kind == "point":
            covered += [shapely.Point(p).buffer(reach) for p in shape.points]
        elif shape.kind == "line" and len(shape.points) > 1:
            covered.append(shapely.LineString(shape.points).buffer(3.0 / scale))
            covered.append(shapely.Point(shape.points[-1]).buffer(reach))
    return covered


def called(battle: Battle | None) -> set[str]:
    """Return the names and ids of all units: a label that only repeats one is not drawn."""
    return {word for unit in battle.units for word in (unit.name, unit.id)} if battle else set()


def label_by_name(label: str, battle: Battle | None) -> str:
    """Return a label that is an id, or that ends "of" an id, with the name of the unit or place in its place.

    Labels that begin with a figure are measures, whatever their last word: "7.42 in", "3 of 12".
    """
    head, _, last = label.rpartition(" ")
    if head and (head[0].isdigit() or not head.endswith(" of")):
        return label
    known = {p.id: p.name for p in battle.table.terrain if p.name} if battle else {}
    known |= {u.id: u.name for u in battle.units if u.name} if battle else {}
    return f"{head} {known.get(last, last)}".strip()


def proof_names(
    shapes: Iterable[Shape], scale: float, view: Box, battle: Battle | None = None, size: float = 14.0
) -> list[Name]:
    """Return the labels of shapes as names to place, each wording once."""
    names: dict[str, Name] = {}
    known, skip = list(shapes), called(battle)
    origin = next((s.points[0] for s in known if s.kind == "line"), known[0].points[0] if known else (0.0, 0.0))
    for i, shape in enumerate(known):
        label = label_by_name(shape.label, battle)
        if label and shape.points and label not in skip:
            style = role_style(shape.role)
            weight = 150.0 + ORDER.index(shape.role)
            spots = _spots(shape, scale, size, view, origin)
            names[label] = Name(f"{i:03} {shape.role}", (label,), spots, size, style.lettering, "bold", weight=weight)
    return list(names.values())


def _spots(shape: Shape, scale: float, size: float, view: Box, origin: Point) -> tuple[Spot, ...]:
    """Return the possible spots of a shape's label: beside a line's middle, in an area, around a point."""
    frame = shapely.box(*view)
    if shape.kind == "polygon" and len(shape.points) > 2:
        area = shapely.make_valid(shapely.Polygon(shape.points, shape.holes)).intersection(frame)
        return _rim(area, origin) if shape.role == "band" else inside(area, scale, size)
    line = shapely.LineString(shape.points) if len(shape.points) > 1 else None
    shares = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9) if line else (0.0,)
    spots: list[Spot] = []
    for gap in (6.0, 14.0, 24.0):
        room, row = gap / scale, (gap + size * 0.6) / scale
        for share in shares:
            spot = line.interpolate(share, normalized=True) if line else shapely.Point(shape.points[0])
            spots += [((spot.x, spot.y + row), "middle"), ((spot.x, spot.y - row), "middle")]
            spots += [((spot.x + room, spot.y + row), "start"), ((spot.x - room, spot.y + row), "end")]
            spots += [((spot.x + room, spot.y - row), "start"), ((spot.x - room, spot.y - row), "end")]
    return tuple(spots)


def _rim(area: BaseGeometry, origin: Point) -> tuple[Spot, ...]:
    """Return spots on the far edge of a range band, as seen from where it is measured: the middle of the edge first."""
    spots = [p for part in polygons(area) for p, _ in along(part.exterior, part.exterior.length / 48)]
    far = max((math.dist(p, origin) for p in spots), default=0.0)
    rim = [p for p in spots if math.dist(p, origin) > 0.9 * far]
    middle = shapely.MultiPoint(rim).centroid if rim else shapely.Point(origin)
    rim.sort(key=lambda p: (round(math.dist(p, (middle.x, middle.y)), 6), p))
    return tuple((p, "middle") for p in rim)
