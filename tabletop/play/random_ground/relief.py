"""Brooks and hills of a random landscape, which determine where everything else is placed."""

from __future__ import annotations

import math
from random import Random

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.play.random_ground import outlines
from tabletop.play.random_ground.names import Names
from tabletop.play.random_ground.plan import Piece, Sketch

#: How far (inches) brooks are drawn past the table's edge before they are cut there.
BEYOND = 0.6
#: The least distance (inches) from a brook to the source of one that joins it.
RISES = 8.0
#: Least area of a hill, and of its second level, in square inches.
HILL, CREST = 14.0, 6.5


def brooks(rng: Random, sketch: Sketch, places: list[Point], names: Names) -> None:
    """Add a brook winding between the ``places`` of possible objectives, and perhaps another that joins it."""
    course = _across(rng, sketch, places) if rng.random() < 0.62 else _down(rng, sketch, places)
    line = _brook(rng, sketch, course)
    sketch.pieces.append(Piece("brook", "stream", line, names.brook()))
    if rng.random() < 0.55:
        joins = line.interpolate(rng.uniform(0.3, 0.7), normalized=True)
        edge = rng.choice((-BEYOND, sketch.height + BEYOND))
        far = (joins.x + rng.uniform(-0.22, 0.22) * sketch.width, edge)
        second = _brook(rng, sketch, [far, (joins.x, joins.y)])
        inner = shapely.LineString(shapely.get_coordinates(second)[:-1])
        off = inner.length > 1.0 and inner.distance(line) > 0.3 and min(joins.x, sketch.width - joins.x) > 6.0
        if off and line.distance(shapely.Point(far)) > RISES and _clear(inner, places):
            sketch.pieces.append(Piece("upper-brook", "stream", second, ""))


def _clear(line: shapely.LineString, places: list[Point]) -> bool:
    return all(line.distance(shapely.Point(at)) > 2.2 for at in places)


def _brook(rng: Random, sketch: Sketch, course: list[Point]) -> shapely.LineString:
    bends = outlines.winding(rng, outlines.curve(course, 2), 0.75, 3.2)
    return outlines.line_written(outlines.cut(outlines.curve(bends), sketch.edge))


def _across(rng: Random, sketch: Sketch, places: list[Point]) -> list[Point]:
    """Return a course from west to east that passes now south, now north of the places."""
    side = rng.choice((-1, 1))
    y = sketch.height / 2 + rng.uniform(-0.2, 0.2) * sketch.height
    course = [(-BEYOND, y)]
    for x, at in sorted(places):
        course.append((x, at + side * rng.uniform(2.3, 3.6)))
        side = -side if rng.random() < 0.75 else side
    return [*course, (sketch.width + BEYOND, sketch.height / 2 + rng.uniform(-0.2, 0.2) * sketch.height)]


def _down(rng: Random, sketch: Sketch, places: list[Point]) -> list[Point]:
    """Return a course from one side's ground to the other's, between two of the places."""
    first = rng.randrange(len(places) - 1)
    (west, _), (east, _) = sorted(places)[first : first + 2]
    middle = (west + east) / 2
    tops = [middle + rng.uniform(-0.12, 0.12) * sketch.width for _ in range(2)]
    high = sketch.height + BEYOND
    return [(tops[0], -BEYOND), (middle, sketch.height * 0.42), (middle, sketch.height * 0.58), (tops[1], high)]


def hills(rng: Random, sketch: Sketch, crowned: list[Point], kept: list[Point], names: Names) -> None:
    """Add hills: one at every place of ``crowned``, others where there is room, off places ``kept`` for villages."""
    valley = shapely.union_all([line.buffer(0.9) for line in sketch.shapes("stream")])
    occupied = shapely.union_all([valley, *(shapely.Point(at).buffer(3.0) for at in kept)])
    for at in crowned:
        occupied = shapely.union(occupied, _hill(rng, sketch, at, occupied, names).buffer(1.6))
    wanted = round(sketch.width * sketch.height / 330)
    halves = [rng.choice((0, 1))]
    for _ in range(40):
        if wanted <= 0:
            return
        low = sketch.height * (0.5 * halves[-1]) + 3.0
        at = rng.uniform(4.0, sketch.width - 4.0), rng.uniform(low, low + sketch.height / 2 - 6.0)
        if shapely.Point(at).distance(occupied) > 1.8:
            occupied = shapely.union(occupied, _hill(rng, sketch, at, occupied, names).buffer(1.6))
            wanted -= 1
            halves.append(1 - halves[-1])


def _hill(rng: Random, sketch: Sketch, at: Point, taken: BaseGeometry, names: Names) -> shapely.Polygon:
    """Add a hill with its middle at a place, and its second level if there is room for one; return its outline."""
    length, radius = rng.uniform(5.0, 11.0), rng.uniform(2.1, 3.3)
    back = outlines.spine(rng, at, length, rng.uniform(0.0, math.pi), bend=0.7)
    whole = outlines.rounded(outlines.about(rng, back, radius, 0.22).difference(taken), 0.8)
    foot = outlines.written(outlines.largest(whole.intersection(sketch.edge)))
    if foot.area < HILL:
        return shapely.Polygon()
    name, id_ = names.hill(), sketch.fresh("hill")
    sketch.pieces.append(Piece(id_, "hill", foot, name, level=1))
    inner = outlines.largest(outlines.drawn_in(foot, rng.uniform(1.0, 1.5), sketch.edge))
    crest = outlines.written(inner)
    if crest.area >= CREST and rng.random() < 0.6 and foot.contains(crest):
        sketch.pieces.append(Piece(f"{id_}-crest", "hill", crest, name, level=2))
    return foot
