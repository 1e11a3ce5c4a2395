"""How far a front can advance before it comes too close to something: exact, for many directions at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.movement.bearing_index import Pairs


@dataclass(frozen=True)
class Outlines:
    """The edges of shapes to keep away from: ends (m, 2) and (m, 2), and the distance to keep from each (m,).

    >>> import shapely
    >>> from tabletop.geometry import Outlines
    >>> outlines = Outlines.of([(shapely.box(2.0, 2.0, 4.0, 3.0), 1.0)])
    >>> len(outlines.keep), outlines.corners[0].shape
    (4, (4, 2))
    """

    starts: np.ndarray
    ends: np.ndarray
    keep: np.ndarray

    @classmethod
    def of(cls, shapes: Iterable[tuple[BaseGeometry, float]]) -> Outlines:
        """Return the edges of ``shapes``, each with the distance to keep from it."""
        starts, ends, keep = [np.zeros((0, 2))], [np.zeros((0, 2))], [np.zeros(0)]
        for shape, distance in shapes:
            for line in _lines(shape):
                starts.append(line[:-1])
                ends.append(line[1:])
                keep.append(np.full(len(line) - 1, distance))
        return cls(np.concatenate(starts), np.concatenate(ends), np.concatenate(keep))

    def within(self, point: np.ndarray, radius: float) -> Outlines:
        """Return the edges whose box, grown by the distance to keep, comes within ``radius`` of a point."""
        lo, hi = np.minimum(self.starts, self.ends), np.maximum(self.starts, self.ends)
        gap = np.maximum(0.0, np.maximum(lo - point, point - hi))
        near = np.hypot(gap[:, 0], gap[:, 1]) <= radius + self.keep
        return Outlines(self.starts[near], self.ends[near], self.keep[near])

    @cached_property
    def points(self) -> tuple[np.ndarray, tuple[np.ndarray, np.ndarray]]:
        """The distinct ends of all edges (n, 2), and the indices of the ends at which each edge starts and stops."""
        points, number = np.unique(np.concatenate([self.starts, self.ends]), axis=0, return_inverse=True)
        starts, ends = np.split(number.reshape(-1), 2)
        return points, (starts, ends)

    @cached_property
    def corners(self) -> tuple[np.ndarray, np.ndarray]:
        """Every distinct corner (n, 2) and the distance to keep from it."""
        points = np.concatenate([self.starts, self.ends])
        keep = np.concatenate([self.keep, self.keep])
        rows = distinct_rows(np.column_stack([points, keep]))
        return rows[:, :2], rows[:, 2]


def _lines(shape: BaseGeometry) -> list[np.ndarray]:
    lines = []
    for part in shapely.get_parts(shape):
        if shapely.get_dimensions(part) == 2:
            lines += [shapely.get_coordinates(ring) for ring in shapely.get_rings(part)]
        else:
            lines.append(shapely.get_coordinates(part))
    return lines


def advance_until(
    origin: np.ndarray,
    directions: np.ndarray,
    half: float,
    outlines: Outlines,
    limit: float,
    pairs: Pairs | None = None,
) -> np.ndarray:
    """Return, for each of (n, 2) unit ``directions``, how far a front may go before it is too close to an outline.

    The front's middle starts at ``origin`` ((2,) or (n, 2)); the front is perpendicular to the direction and reaches
    ``half`` to each side. Only what lies ahead counts; the answer is exact and at most ``limit``. A point of an outline
    at distance e outside the front's strip stops the front sqrt(keep^2 - e^2) short of it. Along an edge the minimum is
    at its ends, where it enters the strip, or where the circle around the corner is tangent to it (TSE-MOV-17).
    ``pairs`` (direction, edge) are all pairs that may meet, if known.

    >>> import shapely
    >>> outlines = Outlines.of([(shapely.box(2.0, 6.0, 4.0, 7.0), 1.0)])
    >>> advance_until(np.array([3.0, 0.0]), np.array([(0.0, 1.0), (0.0, -1.0)]), 0.5, outlines, 8.0).tolist()
    [5.0, 8.0]
    """
    n = len(directions)
    lengths = np.full(n, limit)
    if not len(outlines.keep) or not n:
        return lengths
    origin = np.array(np.broadcast_to(origin, (n, 2)), order="C")
    pairs = _alongside(origin, directions, half, outlines) if pairs is None else pairs
    i, e, fa, la, fb, lb = _in_the_way(origin, directions, half, outlines, limit, pairs)
    keep, df, dl = outlines.keep[e], fb - fa, lb - la
    lo, hi = _clip(fa, df, la, dl, half + keep)
    with np.errstate(divide="ignore", invalid="ignore"):
        slope = df / dl
        tangent = np.where(np.isfinite(slope), np.abs(slope) / np.hypot(1.0, slope) * keep, 0.0)
        side = np.where(slope < 0, half + tangent, -half - tangent)
        tries = [lo, hi, (half - la) / dl, (-half - la) / dl, (side - la) / dl]
    best = np.full(fa.shape, np.inf)
    for share in tries:
        at = np.clip(np.where(np.isfinite(share), share, lo), lo, hi)
        beyond = np.maximum(0.0, np.abs(la + at * dl) - half)
        reach = np.sqrt(np.maximum(0.0, keep**2 - beyond**2))
        best = np.minimum(best, fa + at * df - reach)
    met = lo <= hi
    np.minimum.at(lengths, i[met], np.maximum(best[met], 0.0))
    return lengths


def _in_the_way(
    origin: np.ndarray, u: np.ndarray, half: float, outlines: Outlines, limit: float, pairs: Pairs
) -> tuple[np.ndarray, ...]:
    """Return (direction, edge) of the edges not wholly behind, beside or beyond a strip, and where their ends are: how
    far ahead, and how far to the right.
    """
    i, e = pairs
    ux, uy, x, y = (column[i] for column in (*u.T, *origin.T))
    ax, ay, bx, by = (column[e] for column in (*outlines.starts.T, *outlines.ends.T))
    ax, ay, bx, by = ax - x, ay - y, bx - x, by - y
    la, lb, keep = ax * uy - ay * ux, bx * uy - by * ux, outlines.keep[e]
    beside = np.flatnonzero((np.minimum(la, lb) < half + keep) & (np.maximum(la, lb) > -half - keep))
    i, e, la, lb, ux, uy, ax, ay, bx, by, keep = (c[beside] for c in (i, e, la, lb, ux, uy, ax, ay, bx, by, keep))
    fa, fb = ax * ux + ay * uy, bx * ux + by * uy
    met = np.flatnonzero((np.maximum(fa, fb) >= 0.0) & (np.minimum(fa, fb) <= limit + keep))
    return tuple(column[met] for column in (i, e, fa, la, fb, lb))


def _alongside(origin: np.ndarray, u: np.ndarray, half: float, outlines: Outlines) -> Pairs:
    """Return (direction, edge) of the edges not wholly to one side of the strips."""
    points, (a, b) = outlines.points
    dx, dy = (points[:, axis] - origin[:, axis, None] for axis in (0, 1))
    aside = dx * u[:, 1, None] - dy * u[:, 0, None]
    wide = half + outlines.keep.max()
    left, right = aside < wide, aside > -wide
    i, e = np.nonzero((left[:, a] | left[:, b]) & (right[:, a] | right[:, b]))
    return i, e


def _clip(
    fa: np.ndarray, df: np.ndarray, la: np.ndarray, dl: np.ndarray, half_width: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the part (from, to as shares) of every edge that lies ahead and inside the strip; from > to if there is
    none.

    Touching the strip's side counts as outside: exactly the distance to keep is far enough.
    """
    lo, hi = np.zeros_like(fa), np.ones_like(fa)
    inner = half_width - 1e-9
    for value, rate in ((fa, df), (inner - la, -dl), (inner + la, dl)):
        with np.errstate(divide="ignore", invalid="ignore"):
            cut = -value / rate
        lo = np.where(rate > 0, np.maximum(lo, cut), lo)
        hi = np.where(rate < 0, np.minimum(hi, cut), hi)
        hi = np.where((rate == 0) & (value < 0), -1.0, hi)
    return lo, hi


def table_until(
    origin: np.ndarray, directions: np.ndarray, half: float, edge: tuple[float, float, float, float], pad: float = 0.0
) -> np.ndarray:
    """Return how far each front may go before a corner of it (of a disc: its rim, ``pad``) leaves the table."""
    origin = np.broadcast_to(origin, directions.shape)
    right = np.column_stack([directions[:, 1], -directions[:, 0]])
    best = np.full(len(directions), np.inf)
    x0, y0, x1, y1 = edge
    for side in (-half, half):
        corner = origin + side * right
        for axis, (low, high) in enumerate(((x0 + pad, x1 - pad), (y0 + pad, y1 - pad))):
            rate = directions[:, axis]
            with np.errstate(divide="ignore", invalid="ignore"):
                room = np.where(rate > 0, (high - corner[:, axis]) / rate, (low - corner[:, axis]) / rate)
            best = np.minimum(best, np.where(np.abs(rate) > 1e-12, room, np.inf))
    return np.asarray(np.maximum(best, 0.0))
