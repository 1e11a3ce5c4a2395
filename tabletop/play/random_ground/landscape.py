"""A random landscape, which is made, balanced, measured, and made anew until it is fair to both sides.

Both armies march towards the middle, so objectives lie about as far from one as from the other; everything else is left
to chance. If one side has more woods or hills, theirs are shrunk at the edges.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.errors import Broken
from tabletop.geometry.measure import Point
from tabletop.geometry.terrain import Table, Terrain
from tabletop.play.random_ground import cover, outlines, relief, roads
from tabletop.play.random_ground.measures import Measures, Travel, apart, halves, measured
from tabletop.play.random_ground.measures import cover as cover_of
from tabletop.play.random_ground.measures import high as high_of
from tabletop.play.random_ground.names import Names
from tabletop.play.random_ground.plan import Objective, Piece, Sketch, Wanted

#: The most landscapes made for one seed.
TRIES = 400
#: The greatest difference between the sides (share) in cover and high ground, and in travel to an objective.
EVEN, NEAR = 0.07, 0.07
#: The most (inches) by which a piece may be shrunk at its edge.
DRAWN_IN = 1.1
#: Woods and second levels smaller than this (square inches) after shrinking are left out.
LEAST = {"woods": 2.0, "hill": 4.0}
#: The least distance between objectives from west to east (share of the width).
SPREAD = 0.16

#: Called with the progress: the tries made so far, and the most there may be.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Landscape:
    """A fair landscape in inches: its pieces, objectives, measures, and the number of the try that made it."""

    wanted: Wanted
    pieces: tuple[Piece, ...]
    objectives: tuple[Objective, ...]
    measures: Measures
    tries: int

    @property
    def table(self) -> Table:
        """The table in inches."""
        return Sketch(self.wanted.width, self.wanted.height, list(self.pieces)).table()


def landscape(wanted: Wanted, progress: Progress | None = None) -> Landscape:
    """Return the landscape of a seed, always the same for the same seed and size; Broken if no try is fair.

    >>> from tabletop.play.random_ground.plan import Wanted
    >>> one = landscape(Wanted(seed=7, width=36.0, height=28.0))
    >>> one.measures.worst <= 0.1, len(one.objectives) >= 2
    (True, True)
    """
    for attempt in range(TRIES):
        if progress is not None:
            progress(attempt, TRIES)
        rng = Random(f"ground {wanted.seed} {wanted.width:g} {wanted.height:g} {attempt}")
        sketch = _made(rng, wanted)
        if sketch is None:
            continue
        table = sketch.table()
        measures = measured(table, [each.at for each in sketch.objectives])
        if measures.fair:
            return Landscape(wanted, tuple(sketch.pieces), tuple(sketch.objectives), measures, attempt + 1)
    raise Broken(f"no fair ground was found for seed {wanted.seed}; try the next seed")


def _made(rng: Random, wanted: Wanted) -> Sketch | None:
    """Return one try with its objectives, None if it fails."""
    sketch, names = Sketch(wanted.width, wanted.height), Names(rng)
    places = _middle_places(rng, sketch)
    built = sorted(rng.sample(places, 2 if rng.random() < 0.75 else 1))
    crowned = [at for at in places if at not in built][:1]
    relief.brooks(rng, sketch, places, names)
    relief.hills(rng, sketch, crowned, built, names)
    if not _drawn_in(sketch, "hill", high_of):
        return None
    outlying = _outlying(rng, sketch, places)
    roads.network(rng, sketch, [*built, *outlying])
    if not roads.crossings(rng, sketch) or not cover.villages(rng, sketch, [*built, *outlying], names):
        return None
    cover.woods(rng, sketch, places, names)
    if not _drawn_in(sketch, "woods", cover_of):
        return None
    cover.wet_ground(rng, sketch)
    cover.hedges(rng, sketch)
    if faults(sketch):
        return None
    sketch.objectives = _objectives(sketch, built)
    return sketch if len(sketch.objectives) >= 2 else None


def _middle_places(rng: Random, sketch: Sketch) -> list[Point]:
    """Return the possible objectives along the middle, from west to east."""
    middle = sketch.height / 2
    shares = [0.2, 0.5, 0.8] if sketch.width < 54.0 else [0.16, 0.4, 0.62, 0.84]
    return [
        (
            round((share + rng.uniform(-0.07, 0.07)) * sketch.width, 1),
            round(middle + rng.uniform(-0.9, 0.9), 1),
        )
        for share in shares
    ]


def _outlying(rng: Random, sketch: Sketch, places: list[Point]) -> list[Point]:
    """Return places for up to two villages behind the middle, off hills and brooks."""
    occupied = shapely.union_all(
        [*(hill.buffer(2.2) for hill in sketch.shapes("hill")), *(line.buffer(2.2) for line in sketch.shapes("stream"))]
        + [shapely.Point(at).buffer(6.5) for at in places]
    )
    villages: list[Point] = []
    low = rng.choice((0, 1))
    for attempt in range(40):
        half = (low + attempt) % 2
        y = rng.uniform(0.14, 0.3) if half == 0 else rng.uniform(0.7, 0.86)
        at = round(rng.uniform(0.12, 0.88) * sketch.width, 1), round(y * sketch.height, 1)
        if shapely.Point(at).distance(occupied) > 0.0:
            villages.append(at)
            occupied = shapely.union(occupied, shapely.Point(at).buffer(9.0))
        if len(villages) == 2:
            break
    return villages


# --- balancing -------------------------------------------------------------------------------------------------------


def _drawn_in(sketch: Sketch, kind: str, ground: Callable[[Table], BaseGeometry]) -> bool:
    """Shrink the woods, or hills, of the side that has more ``ground`` until both have about as much.

    Returns whether that succeeded.
    """
    table = sketch.table()
    south, north = halves(table, ground(table))
    if apart((south, north)) <= EVEN:
        return True
    rich = 0 if south > north else 1
    before, low, high = list(sketch.pieces), 0.0, DRAWN_IN
    for _ in range(9):
        by = (low + high) / 2
        mine = [_of(piece, kind, rich, sketch.height) for piece in before]
        sketch.pieces = [
            _smaller(piece, by, sketch.edge) if own else piece for piece, own in zip(before, mine, strict=True)
        ]
        sketch.pieces = [piece for piece in sketch.pieces if piece.at is not None or not _gone(piece)]
        table = sketch.table()
        pair = halves(table, ground(table))
        if apart(pair) <= EVEN:
            return True
        low, high = (by, high) if pair[rich] > pair[1 - rich] else (low, by)
    return False


def _of(piece: Piece, kind: str, half: int, height: float) -> bool:
    return piece.kind == kind and piece.shape is not None and (piece.shape.centroid.y > height / 2) == bool(half)


def _smaller(piece: Piece, by: float, edge: shapely.Polygon) -> Piece:
    assert piece.shape is not None
    return replace(piece, shape=outlines.written(outlines.largest(outlines.drawn_in(piece.shape, by, edge)), 0.08))


def _gone(piece: Piece) -> bool:
    return piece.shape.is_empty or (piece.kind in LEAST and piece.level != 1 and piece.shape.area < LEAST[piece.kind])


def _lies_on(piece: Terrain, edge: shapely.Polygon) -> bool:
    """Return whether a piece lies wholly on the table; for a piece along a line, the line counts."""
    return bool(edge.covers(piece.line if piece.line is not None else piece.uncut))


def faults(sketch: Sketch) -> list[str]:
    """Return a sentence for each piece that hangs over the table's edge or lies on another."""
    table, edge = sketch.table(), sketch.edge.buffer(1e-6)
    problems = [f"{piece.id} hangs over the edge" for piece in table.terrain if not _lies_on(piece, edge)]
    solid = [piece for piece in table.terrain if piece.kind in ("woods", "town", "marsh")]
    feet = [piece for piece in table.terrain if piece.is_hill and piece.level == 1]
    walls = [piece for piece in table.terrain if piece.kind in ("stream", "hedge", "wall")]
    for group, others in ((solid, solid), (feet, feet), (solid, walls)):
        pairs = [(a, b) for a in group for b in others if a.id < b.id or others is walls]
        problems += [f"{a.id} lies on {b.id}" for a, b in pairs if a.shape.intersects(b.shape)]
    return problems


# --- objectives ------------------------------------------------------------------------------------------------------


def _objectives(sketch: Sketch, built: list[Point]) -> list[Objective]:
    """Return the objectives, of villages, bridges, hills and crossroads that both sides reach about equally well."""
    travel = Travel(sketch.table())
    objectives: list[Objective] = []
    for name, id_, at, radius in _worth_holding(sketch, built):
        far = all(abs(each.at[0] - at[0]) > SPREAD * sketch.width for each in objectives)
        if far and len(objectives) < 3 and apart(travel.both(at)) <= NEAR:
            objectives.append(Objective(id_, name, at, radius, 1 if objectives else 2))
    return objectives


def _worth_holding(sketch: Sketch, built: list[Point]) -> list[tuple[str, str, Point, float]]:
    """Return (name, id, place, radius) of possible objectives, best first."""
    towns = [piece for piece in sketch.pieces if piece.kind == "town"]
    central = [piece for at in built for piece in towns if piece.shape.buffer(0.3).contains(shapely.Point(at))]
    central.sort(key=lambda piece: abs(piece.shape.centroid.x - sketch.width / 2))
    candidates = [(piece.name, piece.id, _middle(piece.shape), 2.0) for piece in central]
    candidates += [
        ("The bridge", piece.id, piece.at, 1.5) for piece in sketch.pieces if piece.kind == "bridge" and piece.at
    ]
    for hill in [piece for piece in sketch.pieces if piece.kind == "hill" and piece.level == 1]:
        line = shapely.LineString([(0, sketch.height / 2), (sketch.width, sketch.height / 2)])
        across = hill.shape.buffer(-0.8).intersection(line.buffer(0.9))
        if not across.is_empty:
            candidates.append((hill.name, hill.id, _middle(outlines.largest(across)), 2.0))
    candidates += [("The crossroads", f"crossroads-{k + 1}", at, 1.5) for k, at in enumerate(_crossroads(sketch))]
    return candidates


def _middle(shape: shapely.Polygon) -> Point:
    point = shape.representative_point() if not shape.contains(shape.centroid) else shape.centroid
    return round(point.x, outlines.DIGITS), round(point.y, outlines.DIGITS)


def _crossroads(sketch: Sketch) -> list[Point]:
    """Return the places outside villages where roads meet."""
    lines = sketch.shapes("road", "track")
    towns = sketch.ground("town").buffer(1.0)
    crossroads: list[Point] = []
    for k, line in enumerate(lines):
        for other in lines[k + 1 :]:
            near = shapely.shortest_line(line, other)
            at = shapely.get_point(near, 0)
            if near.length < 0.3 and not towns.contains(at) and sketch.edge.buffer(-2.0).contains(at):
                crossroads.append((round(at.x, 1), round(at.y, 1)))
    return crossroads
