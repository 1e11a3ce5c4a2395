"""What a motion comes near to or runs into: units' outlines, impassable ground, the table's edge."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.distinct import distinct
from tabletop.geometry.ground import Ground
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.motion import Motion, Slide, Sweep, Swing, swept_straight


def closest(motion: Motion, outline: BaseGeometry, within: float) -> float:
    """Return the least distance between the moving bases and ``outline`` at any moment; inf if beyond ``within``.

    Exact for straight motions (the distance of the convex hull swept); in a turn no more than ``motion.ARC_ERROR`` too
    long (TSE-MOV-17: any part, all along the way).
    """
    bounds = outline.bounds
    best = math.inf
    for sweep in motion.sweeps if apart(motion.bounds, bounds) <= within + _radius(motion.end[0]) else ():
        pad = _radius(sweep.base)
        if apart(sweep.bounds, bounds) <= within + pad:
            best = min(best, float(np.min(shapely.distance(sweep.pieces, outline))) - pad)
    for base in motion.end if not motion.tracks[0] else ():
        shape, pad = base.outline
        best = min(best, float(shapely.distance(shape, outline)) - pad)
    return max(0.0, best) if best <= within else math.inf


def _radius(base: AnyBase) -> float:
    return base.radius if isinstance(base, Disc) else 0.0


def apart(a: Sequence[float], b: Sequence[float]) -> float:
    """Return how far apart two bounding boxes are."""
    dx = max(0.0, a[0] - b[2], b[0] - a[2])
    dy = max(0.0, a[1] - b[3], b[1] - a[3])
    return math.hypot(dx, dy)


def overhang(motion: Motion, width: float, height: float) -> float:
    """Return how far at worst any part of the moving bases lies outside a table of this size; 0 if never."""
    x0, y0, x1, y1 = motion.bounds
    pad = _radius(motion.end[0])
    return max(0.0, pad - x0, pad - y0, x1 + pad - width, y1 + pad - height)


def trespass(motion: Motion, ground: Ground, t: float) -> tuple[str, ...]:
    """Return the ids of the impassable ground the motion enters deeper than ``t``, none if it is free (TSE-MOV-15).

    A piece of impassable ground under the moving bases is no matter where the midline of the path crosses it in a gap
    (bridge, ford, gate) and nowhere else: there the overhang of a front wider than the gap is ignored. The followers
    of a file tread where its head trod.
    """
    if not ground.barred.within(motion.bounds, _radius(motion.end[0])):
        return ()
    found: set[str] = set()
    for k, axes in enumerate(motion.axes):
        tracks = motion.tracks[:1] if motion.file else motion.tracks
        sweeps = [track[k] for track in tracks]
        if any(ground.barred.within(sweep.bounds, _radius(sweep.base)) for sweep in sweeps):
            found |= _trespass_step(sweeps, axes, ground, t)
    if not motion.axes:
        found |= set(stood_in(motion.end, ground, t))
    return tuple(sorted(found))


def _trespass_step(sweeps: Sequence[Sweep], axes: Sequence[tuple[float, float]], ground: Ground, t: float) -> set[str]:
    inner = np.concatenate([_inner_swept(s, t) for s in sweeps])
    _, part = ground.barred.near(inner)
    if not len(part):
        return set()
    swept = _inside(shapely.union_all(np.concatenate([s.pieces for s in sweeps])), sweeps[0].base, t)
    start, end = shapely.LineString(axes[:2]), shapely.LineString(axes[2:])
    midline = shapely.union_all([start, end, shapely.LineString([axes[1], axes[3]])])
    return _overrun(swept, midline, ground, distinct(part))


def stood_in(bases: Sequence[AnyBase], ground: Ground, t: float) -> tuple[str, ...]:
    """Return the ids of the impassable ground that bases stand in deeper than ``t``, but for its gaps (TSE-MOV-15).

    Ids of pieces that touch are told together.
    """
    if not ground.barred:
        return ()
    outlines = np.array([base.outline[0] for base in bases], object)
    if not ground.barred.tree.query(outlines, "dwithin", distance=_radius(bases[0])).size:
        return ()
    met = _inside(shapely.union_all(outlines), bases[0], t).difference(ground.gaps)
    _, part = ground.barred.near(np.array([met], object))
    return tuple(sorted({name for k in part for name in ground.barred.ids[k]}))


def _overrun(swept: BaseGeometry, midline: BaseGeometry, ground: Ground, parts: np.ndarray) -> set[str]:
    found: set[str] = set()
    for k in parts:
        for piece in shapely.get_parts(shapely.intersection(ground.barred.parts[k], swept)):
            if piece.difference(ground.gaps).is_empty:
                continue
            along = midline.intersection(piece)
            outside = along.difference(ground.gaps)
            if along.is_empty or not (outside.is_empty or (outside.length <= GRAZE and along.length > GRAZE)):
                found |= set(ground.barred.ids[k])
    return found


def _inside(swept: BaseGeometry, base: AnyBase, t: float) -> BaseGeometry:
    """Return the ground swept by all bases together, a little smaller all round; bases side by side leave no seam."""
    if isinstance(base, Disc):
        return shapely.buffer(swept, base.radius - t)
    whole = shapely.buffer(swept, GRAZE, join_style="mitre")
    return shapely.buffer(whole, -t - GRAZE, join_style="mitre")


def _inner_swept(sweep: Sweep, t: float) -> np.ndarray:
    """Return, in pieces, the ground swept by a base a little smaller all round, so that touching is no trespass."""
    if isinstance(sweep, Slide):
        if isinstance(sweep.base, Disc):
            return np.array([shapely.buffer(sweep.swept, sweep.base.radius - t)], object)
        return np.array([swept_straight(_smaller(sweep.base, t), sweep.dx, sweep.dy)], object)
    assert isinstance(sweep.base, Base)
    return Swing(_smaller(sweep.base, t), sweep.about, sweep.degrees, sweep.charge).pieces


def _smaller(base: Base, t: float) -> Base:
    return Base(base.x, base.y, base.facing, base.frontage - 2 * t, base.depth - 2 * t)
