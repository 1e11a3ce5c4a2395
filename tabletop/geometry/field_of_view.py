"""The ground seen from a point, or from several points of a unit.

From one eye the table is cut into narrow sectors, at every corner of everything that hinders sight. Along a ray, sight
can only change where the ray meets an edge, or at a known multiple of such a distance (the end of a shadow), or where a
woods budget is spent; between two such marks one call of the law (``sight_law.clear``) decides. So there is no second
law here: marks only say where to ask. Sectors whose seen stretches are not bounded by straight lines, as their middle
ray tells, are halved until they are, or are narrower than ``NARROWEST``, where only what both rays see is kept: nothing
is claimed that no ray backs. Boundaries are straight but for the arcs of spent budgets, chords of at most ``WIDEST``.

From a whole unit the answer is the union over eyes along its front and at every corner: an inner approximation. Against
eyes six times as dense it missed 0 to 1.7 % of the area seen (median 0.3 %) on the tables that come with the program.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.measure import Point
from tabletop.geometry.shapes import united
from tabletop.geometry.sight_law import Bar, Floats, Ground, SightLaw, clear, crossings, ground_of
from tabletop.geometry.terrain import Table

#: Radians: sectors are never wider, nor halved further.
WIDEST, NARROWEST = math.radians(2.0), math.radians(0.02)
#: Radians by which a ray stands off a corner, to either side of it.
OFF_CORNER = 1e-7
EYE_STEP = 1.5
#: Smaller gaps between marks are not asked about.
LEAST = 1e-6

#: How far (table units) the middle ray of a sector may part from the straight boundary drawn for it.
STRAIGHT = 0.01

Stretches = list[tuple[float, float]]
Quad = list[tuple[float, float]]


def ground_seen(
    table: Table, eyes: Sequence[Point], law: SightLaw, should_stop: Callable[[], bool] | None = None
) -> BaseGeometry:
    """Return the ground seen from any of ``eyes`` (table points) as a (multi)polygon in table units.

    ``should_stop`` is asked between eyes; once it says yes the ground seen so far is returned. Source: TSE-LOS-01.
    """
    seen: BaseGeometry = shapely.Polygon()
    for eye in eyes:
        if should_stop is not None and should_stop():
            break
        seen = united(np.array([seen, seen_from(table, eye, law)]))
    return seen


def seen_from(table: Table, eye: Point, law: SightLaw) -> BaseGeometry:
    """Return the ground seen from one point as a (multi)polygon."""
    ground = ground_of(table)
    edges = _critical(table, ground, eye)
    fan = _Fan(table, ground, eye, law)
    quads: list[Quad] = []
    sectors = list(pairwise(edges))
    while sectors:
        halves: list[tuple[float, float]] = []
        for (start, end), left, middle, right in zip(sectors, *fan.sides(sectors), strict=True):
            if _straight(left, middle, right, end - start):
                quads += [_quad(eye, (start, a), (end, b)) for a, b in zip(left, right, strict=True)]
            elif end - start > NARROWEST:
                halves += [(start, (start + end) / 2), ((start + end) / 2, end)]
            else:
                quads += [_quad(eye, (start, s), (end, s)) for s in _common(left, right)]
        sectors = halves
    seen: BaseGeometry = united(shapely.polygons(np.array(quads).reshape(-1, 4, 2)))
    return seen.intersection(table.edge)


def _straight(left: Stretches, middle: Stretches, right: Stretches, width: float) -> bool:
    """True when straight boundaries between the outer rays pass where the middle ray's stretches begin and end."""
    if not len(left) == len(middle) == len(right):
        return False
    for sides in zip(left, middle, right, strict=True):
        for a, m, b in zip(*sides, strict=True):
            chord = 2 * a * b * math.cos(width / 2) / (a + b) if a + b > 0 else 0.0
            if abs(chord - m) > STRAIGHT:
                return False
    return True


def eyes_along(front: Sequence[Floats], corners: Floats) -> list[Point]:
    """Return the eyes of a unit: its (n, 2) corners, and points every EYE_STEP along its (2, 2) front edges."""
    found: dict[Point, None] = {}
    for left, right in front:
        steps = max(1, math.ceil(float(np.hypot(*(right - left))) / EYE_STEP))
        for k in range(steps + 1):
            x, y = left + (right - left) * (k / steps)
            found[(float(x), float(y))] = None
    for x, y in corners.tolist():
        found[(x, y)] = None
    return list({(round(x, 6), round(y, 6)): (x, y) for x, y in found}.values())


def _critical(table: Table, ground: Ground, eye: Point) -> list[float]:
    """Return the bearings (radians from east, increasing) at which sectors begin and end, once round."""
    corners = np.concatenate([shapely.get_coordinates(table.edge), *(bar.points for bar in ground.bars)])
    angles = np.arctan2(corners[:, 1] - eye[1], corners[:, 0] - eye[0])
    even = np.linspace(-math.pi, math.pi, math.ceil(2 * math.pi / WIDEST) + 1)
    every = np.unique(np.concatenate([angles, even]))
    inner = every[(every > -math.pi + 4 * OFF_CORNER) & (every < math.pi - 4 * OFF_CORNER)]
    apart = np.concatenate([[True], np.diff(inner) > 4 * OFF_CORNER])
    return [-math.pi, *inner[apart].tolist(), math.pi]


def _shadow_lengths(ground: Ground, law: SightLaw) -> list[float]:
    """Return every shadow length, as a multiple of D, that the levels of this ground can give."""
    top = max((bar.level for bar in ground.bars), default=0)
    low = min((bar.level for bar in ground.bars), default=0)
    deepest = top if law.deep_shadow else 0
    return [2.0**k for k in range(1 - max(1, top - min(low, 0)), deepest + 1)] if top else []


class _Fan:
    """Rays from one eye."""

    def __init__(self, table: Table, ground: Ground, eye: Point, law: SightLaw) -> None:
        self.eye = np.array(eye)
        self.table, self.ground, self.law = table, ground, law
        self.bars = ground.bars
        self.shadows = _shadow_lengths(ground, law)

    def sides(self, sectors: Sequence[tuple[float, float]]) -> tuple[list[Stretches], list[Stretches], list[Stretches]]:
        """Return the seen stretches just inside each sector's first bearing, in its middle, and before its last."""
        rays = np.array(sectors)
        first, last = rays[:, 0], rays[:, 1]
        inset = np.minimum(OFF_CORNER, (last - first) / 4)
        found = self.stretches(np.concatenate([first + inset, (first + last) / 2, last - inset]))
        n = len(rays)
        return found[:n], found[n : 2 * n], found[2 * n :]

    def stretches(self, angles: Floats) -> list[Stretches]:
        """Return, for each ray, the stretches (from, to) along it whose ground is seen."""
        u = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        marks = self._marks(u)
        low, high = marks[:, :-1], marks[:, 1:]
        rows, columns = np.nonzero(high - low > LEAST)
        middles = (low[rows, columns] + high[rows, columns]) / 2
        points = self.eye + middles[:, None] * u[rows]
        starts = np.broadcast_to(self.eye, points.shape)
        seen = clear(self.ground, np.ascontiguousarray(starts), points, self.law, (), self.table.tape.t)
        found: list[Stretches] = [[] for _ in angles]
        for row, near, far, ok in zip(
            rows.tolist(), low[rows, columns].tolist(), high[rows, columns].tolist(), seen.tolist(), strict=True
        ):
            if ok:
                _add(found[row], near, far)
        return found

    def _marks(self, u: Floats) -> Floats:
        """Return the sorted distances along each ray at which sight may change, from 0 to the table's edge."""
        edge = self._to_edge(u)
        met = [(bar, where) for bar in self.bars if (where := self._crossings(bar, u, edge)).shape[1]]
        sets = [np.zeros((len(u), 1)), edge, *(where for _, where in met), *self._budgets(met)]
        sets += [where * (1 + c) for _, where in met for c in self.shadows]
        sets += [where * (1 + 1 / c) for _, where in met for c in self.shadows]
        marks = np.concatenate(sets, axis=1)
        return np.sort(np.where(np.isfinite(marks), np.minimum(marks, edge), edge), axis=1)

    def _crossings(self, bar: Bar, u: Floats, edge: Floats) -> Floats:
        """Return where the rays cross a bar ahead of the eye, (n, k), padded with inf."""
        origins = np.broadcast_to(self.eye, u.shape)
        where = crossings(bar.points, np.arange(len(bar.points)), bar.after, origins, u)
        where = np.sort(np.where((where > 0) & (where <= edge), where, np.inf), axis=1)
        return where[:, : int(np.isfinite(where).sum(1).max(initial=0))]

    def _budgets(self, met: Sequence[tuple[Bar, Floats]]) -> list[Floats]:
        """Return where the woods budget runs out: in the eye's own wood, and beyond each entry into another."""
        woods = [(bar, where) for bar, where in met if bar.see_through > 0]
        if not woods:
            return []
        spent = np.zeros((len(woods[0][1]), 1))
        found = []
        for bar, where in woods:
            if bar.holds(self.eye[None, :])[0]:
                spent = spent + where[:, :1] / bar.see_through
                found.append(np.full_like(spent, bar.see_through))
        left = np.clip(1.0 - np.where(np.isfinite(spent), spent, 1.0), 0.0, 1.0)
        return [*found, *(where + left * bar.see_through for bar, where in woods)]

    def _to_edge(self, u: Floats) -> Floats:
        """Return the distance along each ray to the table's edge, (n, 1)."""
        size = np.array([self.table.width, self.table.height])
        with np.errstate(divide="ignore", invalid="ignore"):
            ways = np.where(u > 0, (size - self.eye) / u, np.where(u < 0, -self.eye / u, np.inf))
        found: Floats = np.maximum(ways.min(1), 0.0)[:, None]
        return found


def _add(found: Stretches, near: float, far: float) -> None:
    """Add a seen stretch, joined to the one before it if they touch."""
    if found and near - found[-1][1] <= LEAST:
        found[-1] = (found[-1][0], far)
    else:
        found.append((near, far))


def _common(left: Stretches, right: Stretches) -> Stretches:
    """Return what both rays see."""
    both = [(max(a, c), min(b, d)) for a, b in left for c, d in right]
    return [(near, far) for near, far in both if far - near > LEAST]


def _quad(eye: Point, left: tuple[float, tuple[float, float]], right: tuple[float, tuple[float, float]]) -> Quad:
    """Return the four corners between two stretches, each on the sector's own bounding bearing."""
    (start, (a, b)), (end, (c, d)) = left, right
    cs, sn, ce, se = math.cos(start), math.sin(start), math.cos(end), math.sin(end)
    x, y = eye
    return [(x + a * cs, y + a * sn), (x + b * cs, y + b * sn), (x + d * ce, y + d * se), (x + c * ce, y + c * se)]
