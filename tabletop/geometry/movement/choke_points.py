"""Impassable ground and the choke-points and fords through it: how far a front may overhang the ground beside them.

One law serves moving, ending, forming, being driven back and standing in contact (TSE-MOV-15): a body that overlaps a
choke-point by more than the tolerance may overlap the impassable feature which that choke-point crosses, as long as its
guide point is clear: outside the feature, or on the choke-point. The guide point is the middle of the front while the
body moves ahead, of the rear while it is driven back; while it turns or stands, either the middle of the front or its
centre. Where the bases of a body are spread out (a line, a square) the centre of each must be clear as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.measure import Point
from tabletop.geometry.movement.configuration_space import obstacle, shrunk
from tabletop.geometry.movement.ground import Ground, Opened
from tabletop.geometry.movement.motion import ARC_ERROR, Swing
from tabletop.geometry.shapes import hulls_about


@dataclass(frozen=True)
class Standing:
    """A body in place: its bases, its guide points, one of which must be clear, and centres that must all be clear."""

    bases: tuple[AnyBase, ...]
    guides: tuple[Point, ...]
    centres: tuple[Point, ...] = ()


def shapes_less(bases: Iterable[AnyBase], by: float) -> np.ndarray:
    """Return the outlines of bases (n,), each shrunk by a length on all sides."""
    return np.array([_shape_less(base, by) for base in bases], object)


def _shape_less(base: AnyBase, by: float) -> BaseGeometry:
    if isinstance(base, Disc):
        return shapely.buffer(shapely.Point(base.centre), max(base.radius - by, 1e-9))
    return Base(base.x, base.y, base.facing, base.frontage - 2 * by, base.depth - 2 * by).polygon


def barred_to(standing: Standing, ground: Ground, t: float) -> list[int]:
    """Return the indices of the impassable features that a body in this position may not overlap (TSE-MOV-15).

    ``t`` is the tolerance, in table units.

    >>> from tabletop.geometry import Base, Table, Terrain, ground_of
    >>> lake = Terrain.of_kind("lake", "lake", outline=[(0, 12), (20, 12), (20, 14), (0, 14)])
    >>> ground = ground_of(Table.of("in", 20, 20, [lake]))
    >>> [barred_to(Standing((Base(10.0, y, 0.0, 1.0, 1.0),), ((10.0, y),)), ground, 0.005) for y in (10.0, 12.0)]
    [[], [0]]
    """
    if not ground.barred:
        return []
    smaller = shapes_less(standing.bases, t)
    _, parts = ground.barred.near(smaller)
    return [k for k in sorted(set(parts.tolist())) if not _may_stand(standing, smaller, ground, k, t)]


def _may_stand(standing: Standing, smaller: np.ndarray, ground: Ground, part: int, t: float) -> bool:
    opened = ground.opened[part]
    if opened is None:
        return False
    if not bool(shapely.intersects(smaller, opened.inner(t)).any()):
        return True
    clear = any(is_clear(opened, point, t) for point in standing.guides)
    clear = clear and all(is_clear(opened, point, t) for point in standing.centres)
    return clear and bool(shapely.intersects(smaller, opened.gaps).any())


def may_overhang(shapes: np.ndarray, guides: np.ndarray, opened: Opened, t: float) -> np.ndarray:
    """Return a mask (n,) of the bodies that may stand like this: ``shapes`` (n, m) of their bases, ``guides`` (n, k,
    2).

    For searches: the shapes are not shrunk by the tolerance ``t``, in table units (TSE-MOV-15).

    >>> bridge = shapely.box(9.0, 10.0, 11.0, 12.0)
    >>> river = Opened(shapely.box(0.0, 10.0, 20.0, 12.0) - bridge, bridge)
    >>> shapes = np.array([[shapely.box(9.5, 8.0, 10.5, 9.0)], [shapely.box(2.0, 10.5, 3.0, 11.5)]])
    >>> may_overhang(shapes, np.array([[[10.0, 8.5]], [[2.5, 11.0]]]), river, 0.005)
    array([ True, False])
    """
    met = _any(shapely.intersects(shapes, opened.closed))
    if met.any():
        x, y = np.moveaxis(guides[met], -1, 0)
        clear = _any(~np.asarray(shapely.contains_xy(opened.inner(t / 2), x, y)))
        over = _any(shapely.intersects(shapes[met], opened.surely(t)))
        met[met] = ~(clear & over)
    return np.asarray(~met)


def _any(found: Any) -> np.ndarray:
    """Return which rows (n,) of an (n, k) mask hold a True."""
    return np.asarray(np.any(found, axis=1))


def is_clear(opened: Opened, point: Point, t: float) -> bool:
    """Return whether a point is outside an impassable feature or on a passage through it, within the tolerance."""
    return not bool(shapely.contains_xy(opened.inner(t), *point))


def shifts_barred(bases: Sequence[AnyBase], guide: Point, centres: Sequence[Point], opened: Opened, t: float) -> Any:
    """Return the shifts, as an area, that take bases where an opened feature bars them; ``guide`` must stay clear.

    So must all ``centres``. The area may be entered no deeper than the tolerance ``t``, in table units (TSE-MOV-15).

    >>> bridge = shapely.box(9.0, 10.0, 11.0, 12.0)
    >>> river = Opened(shapely.box(0.0, 10.0, 20.0, 12.0) - bridge, bridge)
    >>> area = shifts_barred([Base(10.0, 8.0, 0.0, 1.0, 1.0)], (10.0, 8.5), [], river, 0.005)
    >>> shapely.intersects_xy(area, [0.0, -5.0], [2.5, 2.5]).tolist()
    [False, True]
    """
    return _shifts_barred(tuple(bases), (guide, *centres), opened.closed, opened.gaps, t)


@lru_cache(maxsize=256)
def _shifts_barred(
    bases: tuple[AnyBase, ...], points: tuple[Point, ...], closed: BaseGeometry, gaps: BaseGeometry, t: float
) -> Any:
    """Return the same, cached by the shapes: a feature bars the same bases on every table that has it."""
    over = shapely.difference(_grown(bases, closed), shrunk(_grown(bases, gaps), 2.0 * t))
    return shapely.union_all([over, *(_less(closed, point) for point in points)])


def _grown(bases: Sequence[AnyBase], shape: BaseGeometry) -> BaseGeometry:
    first = bases[0]
    if isinstance(first, Disc):
        return shapely.buffer(_less(shape, first.centre), first.radius)
    return shapely.union_all([obstacle(bases, shape)])


def _less(shape: BaseGeometry, point: Point) -> BaseGeometry:
    """Return the shifts that take a point into a shape."""
    shifts: BaseGeometry = shapely.transform(shape, lambda corners: corners - np.array(point))
    return shifts


def slide_enters(
    bases: Sequence[AnyBase],
    guide: Point,
    by: Point,
    opened: Opened,
    t: float,
    held: bool = False,
) -> bool:
    """Return whether bases moved by a vector enter an opened feature where it bars them.

    ``held`` says that the rest of the body stays on a choke-point throughout: then the guide point alone counts.
    """
    way = shapely.LineString([(0.0, 0.0), by]) if math.hypot(*by) > 0.0 else shapely.Point(0.0, 0.0)
    closed = _less(opened.closed, guide) if held else shifts_barred(bases, guide, (), opened, t)
    return bool(shapely.intersects(shrunk(closed, t * (1.0 + 1e-6)), way))


def swing_enters(swings: Sequence[Swing], mid: Point, opened: Opened, t: float, held: bool = False) -> bool:
    """Return whether bases turning together enter an opened feature where it bars them; ``mid`` is their front's
    middle."""
    about, turn = np.array(swings[0].about), math.radians(swings[0].degrees)
    smaller = [_corners_less(swing.base, t) for swing in swings]
    centre = np.array([swing.base.centre for swing in swings]).mean(axis=0)
    radius = max(float(np.hypot(*(c - about).T).max()) for c in smaller)
    n = max(1, math.ceil(abs(turn) / math.sqrt(8.0 * ARC_ERROR / max(radius, 1e-9))))
    angles = np.linspace(0.0, turn, n + 1)
    poses = np.stack([_turned(c, about, angles) for c in smaller], axis=1)
    pairs = np.concatenate([poses[:-1], poses[1:]], axis=2)
    inner = opened.inner(t)
    met = _any(shapely.intersects(hulls_about(pairs), inner))
    if not met.any():
        return False
    guides = _turned(np.array([mid, centre]), about, angles)
    clear = _any(~np.asarray(shapely.contains_xy(inner, guides[..., 0], guides[..., 1])))
    over = _any(shapely.intersects(shapely.polygons(poses), opened.gaps)) | held
    good = clear[:-1] & clear[1:] & (over[:-1] | over[1:])
    return bool((met & ~good).any())


def _corners_less(base: AnyBase, by: float) -> np.ndarray:
    if isinstance(base, Disc):
        return np.array([base.centre] * 4)
    return Base(base.x, base.y, base.facing, base.frontage - 2 * by, base.depth - 2 * by).corners


def _turned(points: np.ndarray, about: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Return points (n, 2) turned clockwise by each angle (k,) about a point: (k, n, 2)."""
    rel = points - about
    turned = (rel[:, 0] + 1j * rel[:, 1])[None, :] * np.exp(-1j * angles)[:, None]
    return np.asarray(np.stack([turned.real, turned.imag], axis=-1) + about)
