"""Villages, woods, hedges and marshes of a random landscape, laid where hills, brooks and roads leave room."""

from __future__ import annotations

import math
from random import Random

import shapely
import shapely.ops

from tabletop.geometry.measure import Point
from tabletop.play.random_ground import outlines
from tabletop.play.random_ground.names import Names
from tabletop.play.random_ground.plan import Piece, Sketch
from tabletop.play.random_ground.roads import along

#: Least area of a wood and of a marsh, in square inches.
WOOD, MARSH = 4.0, 3.0


def villages(rng: Random, sketch: Sketch, places: list[Point], names: Names) -> bool:
    """Add a village along the road at each of ``places``; return False if one would stand in a brook or on a slope."""
    brooks, slopes = sketch.ground("stream"), [hill.exterior for hill in sketch.shapes("hill")]
    roads = sketch.shapes("road", "track")
    for at in places:
        centre = shapely.Point(at)
        road = min(roads, key=lambda line: float(line.distance(centre)))
        shape = outlines.written(outlines.street(rng, at, rng.uniform(1.35, 1.8), along(road, centre)), 0.02)
        if shape.is_empty or shape.distance(brooks) < 0.2 or any(shape.intersects(slope) for slope in slopes):
            return False
        name = names.village()
        sketch.pieces.append(Piece(sketch.fresh("village"), "town", shape, name))
    return True


def woods(rng: Random, sketch: Sketch, objectives: list[Point], names: Names) -> None:
    """Add woods away from roads, brooks and houses; on a hill they cover the top or stay off its slope."""
    clear = [
        *(line.buffer(0.75) for line in sketch.shapes("road")),
        *(line.buffer(0.5) for line in sketch.shapes("track")),
        *(line.buffer(0.35) for line in sketch.shapes("stream")),
        *(town.buffer(0.7) for town in sketch.shapes("town")),
        *(hill.exterior.buffer(0.25) for hill in sketch.shapes("hill")),
        *(shapely.box(*_around(piece.at, 1.2)) for piece in sketch.pieces if piece.at is not None),
        *(shapely.Point(at).buffer(2.2) for at in objectives),
    ]
    occupied = shapely.union_all(clear)
    wanted = round(sketch.width * sketch.height / 170)
    for attempt in range(90):
        if wanted <= 0:
            return
        low = 0.0 if attempt % 2 else sketch.height / 2
        at = rng.uniform(0.0, sketch.width), rng.uniform(low, low + sketch.height / 2)
        shape = outlines.lobes(rng, at, rng.uniform(2.4, 5.0)).difference(occupied)
        wood = outlines.written(outlines.largest(outlines.rounded(shape, 0.45).intersection(sketch.edge)), 0.1)
        if wood.area < WOOD or wood.intersects(occupied.buffer(-0.15)):
            continue
        sketch.pieces.append(Piece(sketch.fresh("wood"), "woods", wood, names.wood() if wood.area > 9.0 else ""))
        occupied = shapely.union(occupied, wood.buffer(1.0))
        wanted -= 1


def _around(at: Point, reach: float) -> tuple[float, float, float, float]:
    return at[0] - reach, at[1] - reach, at[0] + reach, at[1] + reach


def wet_ground(rng: Random, sketch: Sketch) -> None:
    """Add a marsh beside a brook if there is room."""
    brooks = sketch.ground("stream")
    if brooks.is_empty or rng.random() < 0.45:
        return
    occupied = shapely.union_all(
        [shape.buffer(0.6) for shape in sketch.shapes("road", "track", "town", "woods", "hill")] + [brooks.buffer(0.15)]
    )
    for _ in range(12):
        line = rng.choice(sketch.shapes("stream"))
        at = line.interpolate(rng.uniform(0.1, 0.9), normalized=True)
        shape = outlines.largest(at.buffer(rng.uniform(1.6, 2.6)).difference(occupied).intersection(sketch.edge))
        marsh = outlines.written(outlines.largest(outlines.rounded(shape, 0.3)))
        if marsh.area >= MARSH and marsh.distance(brooks) < 0.4 and not marsh.intersects(occupied.buffer(-0.12)):
            sketch.pieces.append(Piece("marsh", "marsh", marsh))
            return


def hedges(rng: Random, sketch: Sketch) -> None:
    """Add hedges and garden walls around villages, away from roads, woods and brooks."""
    occupied = shapely.union_all(
        [shape.buffer(0.35) for shape in sketch.shapes("road", "track", "woods", "stream", "marsh")]
    )
    for town in sketch.shapes("town"):
        ring = shapely.LineString(
            shapely.get_coordinates(town.buffer(rng.uniform(0.7, 1.3), join_style="mitre").exterior)
        )
        for _ in range(3):
            start = rng.random()
            part = shapely.ops.substring(ring, start, min(1.0, start + rng.uniform(0.16, 0.3)), normalized=True)
            line = outlines.line_written([(float(x), float(y)) for x, y in shapely.get_coordinates(part)])
            inside = sketch.edge.buffer(-0.3).contains(line)
            if inside and line.length > 1.4 and not line.intersects(occupied) and math.isfinite(line.length):
                kind = "wall" if rng.random() < 0.25 else "hedge"
                sketch.pieces.append(Piece(sketch.fresh(kind), kind, line))
                occupied = shapely.union(occupied, line.buffer(0.5))
                break
