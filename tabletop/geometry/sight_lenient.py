"""The ground as the tape reads it: what hinders sight, cut back by just what the tape's tolerance lets pass.

A stretch no longer than the tolerance t does not count, so a line may cut off a corner by a chord of up to t. The
chords of length t across a corner touch a curve that bows towards the corner: a line has a longer chord exactly where
it passes inside that curve, and the body left inside is convex there. So the tape's law about an obstruction is the
exact law about the same obstruction with its convex corners cut back to those curves, and the search for the shortest
clear line needs no second argument: it is given this ground, for walls and for what casts shadows alike.

A curve is drawn as tangent chords, ``STEP`` apart, whose corners lie outside it: what the search finds there the law
lets pass, and it misses a line only where moving it aside by a thirtieth of t would not. Parts thinner than t are left
out altogether.

About a corner sharper than a right angle that holds only for chords that run between the squares to its two sides; in
flatter directions the curve leaves the body, and the ground here lets more pass than the law. ``lenient_towards`` cuts
such corners by the chord of one direction, and is right for lines near it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import shapely

from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.obstruction import SHRUNK, Bar, Floats, Ground, ground_of
from tabletop.geometry.terrain import Table

#: Turn (radians) between the chords that stand for the curve about a corner.
STEP = math.pi / 12
#: A corner that turns by less (radians) is none: what its cut would take off is far below what is measured.
FLAT = 1e-3
#: Share of t that a chord of one direction has, so that lines turned a little from it pass too.
SHORT = 0.998


def lenient_ground(table: Table, t: float) -> Ground:
    """Return the bars of a table cut back by what a tape with tolerance ``t`` lets pass, kept with it once made."""
    kept: dict[float, Ground] = table.__dict__.setdefault("_sight_lenient", {})
    if t not in kept:
        kept[t] = lenient_towards(table, t, None)
    return kept[t]


def lenient_towards(table: Table, t: float, way: Floats | None) -> Ground:
    """Return the same with sharp corners cut by the chord along ``way`` (2,), a hair shorter than ``t``."""
    return Ground(tuple(_cut_back(bar, t, way) for bar in ground_of(table, SHRUNK).bars))


def _cut_back(bar: Bar, t: float, way: Floats | None) -> Bar:
    thick = _thick(bar.core, t)
    parts = [
        shapely.Polygon(_cut_ring(part.exterior, t, way), [_cut_ring(ring, t, way) for ring in part.interiors])
        for part in shapely.get_parts(shapely.orient_polygons(thick))
    ]
    return replace(bar, core=parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts))


def _thick(area: shapely.Geometry, t: float) -> shapely.Geometry:
    """Return an area without its parts thinner than ``t``: the area itself where there are none."""
    inner = shapely.buffer(area, -t / 2, join_style="mitre", mitre_limit=50.0)
    thick = shapely.buffer(inner, t / 2 + GRAZE, join_style="mitre", mitre_limit=50.0)
    if shapely.covers(thick, area):
        return area
    parts = shapely.get_parts(shapely.intersection(area, thick))
    return shapely.MultiPolygon([part for part in parts if shapely.get_dimensions(part) == 2])


def _cut_ring(ring: shapely.LinearRing, t: float, way: Floats | None) -> Floats:
    """Return a ring, its inside on the left, with every convex corner cut back to the chords of length ``t``."""
    xy = shapely.get_coordinates(ring)[:-1]
    back, on = np.roll(xy, 1, axis=0) - xy, np.roll(xy, -1, axis=0) - xy
    cross = on[:, 0] * back[:, 1] - on[:, 1] * back[:, 0]
    angles = np.arctan2(cross, (back * on).sum(1)).tolist()
    corners = (_Corner(*at, t) for at in zip(xy, back, on, angles, strict=True))
    return np.concatenate([corner.cut(way) if corner.turns else corner.at[None] for corner in corners])


@dataclass(frozen=True, eq=False)
class _Corner:
    """A corner, the sides that lead back and on from it, the angle between them, and the length of chord to cut it by.

    A chord is told by its ``lean``, the angle in (0, pi - angle) it makes with the side that leads back.
    """

    at: Floats
    back: Floats
    on: Floats
    angle: float
    t: float

    @property
    def turns(self) -> bool:
        """Whether there is a convex corner to cut: none where a side goes straight on, whatever its last bits say."""
        return 0.0 < self.angle < math.pi - FLAT

    def cut(self, way: Floats | None) -> Floats:
        """Return the corners (k, 2) that the cut leaves, in walking order."""
        sharp = self.angle < math.pi / 2
        least, most = (math.pi / 2 - self.angle, math.pi / 2) if sharp else (0.0, math.pi - self.angle)
        if sharp and way is not None:
            lean = math.atan2(self.back[0] * way[1] - self.back[1] * way[0], float(self.back @ way)) % math.pi
            if lean < math.pi - self.angle:
                return self.along(lean)
        steps = max(3, math.ceil((most - least) / STEP))
        return self.between(least + (most - least) * np.arange(steps + 1) / steps)

    def along(self, lean: float) -> Floats:
        """Return the ends of one chord."""
        (a,), (b,) = SHORT * np.array(self.reach(np.array([lean])))
        return self.points(np.array([a, 0.0]), np.array([0.0, b]))

    def between(self, lean: Floats) -> Floats:
        """Return the corners between chords that follow each other, and the outer ends of the first and the last."""
        a, b = self.reach(lean)
        whole = b[:-1] * a[1:] - a[:-1] * b[1:]
        x = (a[:-1] * b[:-1] * a[1:] - a[1:] * b[1:] * a[:-1]) / whole
        y = (b[:-1] * a[1:] * b[1:] - b[1:] * a[:-1] * b[:-1]) / whole
        if self.angle < math.pi / 2:
            x, y = np.array([a[0], *x, 0.0]), np.array([0.0, *y, b[-1]])
        return self.points(x, y)

    def reach(self, lean: Floats) -> tuple[Floats, Floats]:
        """Return how far back and on chords meet the sides; shorter chords where more than half a side would go."""
        sine = math.sin(self.angle)
        longest = self.t if self.angle >= math.pi / 2 else self.t / sine
        sides = min(math.hypot(*self.back), math.hypot(*self.on))
        chord = self.t * min(1.0, sides / 2 / longest)
        a, b = chord * np.sin(self.angle + lean) / sine, chord * np.sin(lean) / sine
        return np.maximum(a, 0.0), np.maximum(b, 0.0)

    def points(self, x: Floats, y: Floats) -> Floats:
        found: Floats = self.at + np.outer(x, _unit(self.back)) + np.outer(y, _unit(self.on))
        return found


def _unit(way: Floats) -> Floats:
    found: Floats = way / math.hypot(*way)
    return found
