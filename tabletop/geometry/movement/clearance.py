"""What a motion comes close to or runs into: units' outlines, impassable ground, the table's edge."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.base import AnyBase, Base, Disc
from tabletop.geometry.movement.choke_points import Standing, barred_to, shapes_less, slide_enters, swing_enters
from tabletop.geometry.movement.ground import Ground, Opened
from tabletop.geometry.movement.motion import Motion, Slide, Sweep, Swing, followers_at, swept_straight


def closest(motion: Motion, outline: BaseGeometry, within: float) -> float:
    """Return the least distance between the moving bases and ``outline`` at any moment; inf if more than ``within``.

    In table units. Exact for straight motions (the distance of the convex hull swept); in a turn at most
    ``motion.ARC_ERROR`` too long (TSE-MOV-17: any part, all along the way).

    >>> from tabletop.geometry import Body, line, rigid_motion, steps_along
    >>> body = Body.of(line(4, 1.0, 0.75).by_front((10.0, 10.0), 0.0), range(4), 0.0)
    >>> closest(rigid_motion(body, steps_along(body, [(10.0, 13.0)])), shapely.box(0.0, 15.0, 20.0, 16.0), 5.0)
    2.0
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
    """Return the distance between two bounding boxes."""
    dx = max(0.0, a[0] - b[2], b[0] - a[2])
    dy = max(0.0, a[1] - b[3], b[1] - a[3])
    return math.hypot(dx, dy)


def overhang(motion: Motion, width: float, height: float) -> float:
    """Return the most by which any part of the moving bases ever lies outside a table of this size; 0 if never
    (TSE-MOV-21).

    In table units.

    >>> from tabletop.geometry import Body, line, rigid_motion, steps_along
    >>> body = Body.of(line(4, 1.0, 0.75).by_front((10.0, 10.0), 0.0), range(4), 0.0)
    >>> overhang(rigid_motion(body, steps_along(body, [(10.0, 13.0)])), 20.0, 12.5)
    0.5
    """
    x0, y0, x1, y1 = motion.bounds
    pad = _radius(motion.end[0])
    return max(0.0, pad - x0, pad - y0, x1 + pad - width, y1 + pad - height)


def trespass(motion: Motion, ground: Ground, t: float) -> tuple[str, ...]:
    """Return the ids of impassable ground that the motion enters deeper than ``t``; empty if it is free (TSE-MOV-15).

    Ground with choke-points or fords bars it as ``choke_points`` says. A file's followers tread where its head trod.
    ``t`` is in table units.

    >>> from tabletop.geometry import Body, Table, Terrain, ground_of, line, rigid_motion, steps_along
    >>> lake = Terrain.of_kind("lake", "lake", outline=[(0, 12), (20, 12), (20, 14), (0, 14)])
    >>> body = Body.of(line(4, 1.0, 0.75).by_front((10.0, 10.0), 0.0), range(4), 0.0)
    >>> motion = rigid_motion(body, steps_along(body, [(10.0, 13.0)]))
    >>> trespass(motion, ground_of(Table.of("in", 20, 20, [lake])), 0.005)
    ('lake',)
    """
    if not ground.barred.within(motion.bounds, _radius(motion.end[0])):
        return ()
    entered: set[int] = set()
    for k in range(len(motion.axes)):
        tracks = motion.tracks[:1] if motion.file else motion.tracks
        sweeps = [track[k] for track in tracks]
        if any(ground.barred.within(sweep.bounds, _radius(sweep.base)) for sweep in sweeps):
            entered |= _entered(motion, k, sweeps, ground, t)
    if not motion.axes:
        entered |= set(barred_to(Standing(motion.end, (motion.way[-1], _middle(motion.end))), ground, t))
    return ids_of(ground, entered)


def ids_of(ground: Ground, parts: Iterable[int]) -> tuple[str, ...]:
    """Return the ids of the terrain pieces that make up impassable features, given by index (TSE-MOV-15).

    >>> from tabletop.geometry import Table, Terrain, ground_of
    >>> lake = Terrain.of_kind("lake", "lake", outline=[(0, 12), (20, 12), (20, 14), (0, 14)])
    >>> ids_of(ground_of(Table.of("in", 20, 20, [lake])), [0])
    ('lake',)
    """
    return tuple(sorted({name for k in parts for name in ground.barred.ids[k]}))


def _entered(motion: Motion, k: int, sweeps: Sequence[Sweep], ground: Ground, t: float) -> set[int]:
    """Return the features that step ``k`` of a motion enters where they bar it."""
    inner = np.concatenate([_inner_swept(s, t) for s in sweeps])
    _, parts = ground.barred.near(inner)
    return {part for part in set(parts.tolist()) if _enters(motion, k, sweeps, ground.opened[part], t)}


def _enters(motion: Motion, k: int, sweeps: Sequence[Sweep], opened: Opened | None, t: float) -> bool:
    if opened is None:
        return True
    held = any(_on_gap(followers_at(motion, k + late), opened, t) for late in (0, 1)) if motion.file else False
    (first, *_), mid = sweeps, motion.axes[k][1]
    if isinstance(first, Slide):
        return slide_enters([sweep.base for sweep in sweeps], mid, (first.dx, first.dy), opened, t, held)
    return swing_enters([sweep for sweep in sweeps if isinstance(sweep, Swing)], mid, opened, t, held)


def _on_gap(bases: Sequence[AnyBase], opened: Opened, t: float) -> bool:
    """Return whether any of the bases overlaps a passage through a feature."""
    return bool(shapely.intersects(shapes_less(bases, t), opened.gaps).any()) if bases else False


def _middle(bases: Sequence[AnyBase]) -> tuple[float, float]:
    """Return the mean of the bases' centres."""
    x, y = np.array([base.centre for base in bases]).mean(axis=0).tolist()
    return x, y


def _inner_swept(sweep: Sweep, t: float) -> np.ndarray:
    """Return, in pieces, the ground swept by a slightly shrunk base, so that touching is no trespass."""
    if isinstance(sweep, Slide):
        if isinstance(sweep.base, Disc):
            return np.array([shapely.buffer(sweep.swept, sweep.base.radius - t)], object)
        return np.array([swept_straight(_smaller(sweep.base, t), sweep.dx, sweep.dy)], object)
    assert isinstance(sweep.base, Base)
    return Swing(_smaller(sweep.base, t), sweep.about, sweep.degrees, sweep.charge).pieces


def _smaller(base: Base, t: float) -> Base:
    return Base(base.x, base.y, base.facing, base.frontage - 2 * t, base.depth - 2 * t)
