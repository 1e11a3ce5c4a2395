"""Where the front edge of a base crosses linear obstacles (TSE-MOV-08): one law for straight moves and turns.

Contact is not crossing. An obstacle is crossed when it gets from one side of the edge to the other, and it is on a side
only if farther off than the tolerance ``t``; within ``t`` of the edge's ends it is not met at all. What touches the
edge at the end of a motion is left to the next motion, and what touches it at the start is still ahead of it. So
splitting a motion never changes the count, and no last bit decides it.
"""

from __future__ import annotations

import math
from itertools import compress, count

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from tabletop.geometry.base import AnyBase, Base
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.movement.ground import Patches
from tabletop.geometry.movement.motion import ARC_ERROR, Slide, Swing
from tabletop.geometry.movement.sweep import critical_angles, leading_edge, traced, turned_shapes

#: GEOS's type numbers of a line and a polygon.
LINE, POLYGON = 1, 3


def slide_contacts(
    sweep: Slide, patches: Patches, t: float, line_only: bool = False, leading: str = "front"
) -> list[float]:
    """Return where on a straight sweep its front edge first meets each obstacle it goes on to cross.

    Contact within ``t`` of the start counts, contact within ``t`` of the end is left to the next step, and an obstacle
    the edge is already astride of was met before: so splitting a step never changes the count (TSE-MOV-08).
    """
    if sweep.length <= 1e-12 or not patches:
        return []
    unit = np.array([sweep.dx, sweep.dy]) / sweep.length
    window = _window(sweep, unit, t, line_only, leading)
    origin = traced(sweep.base, "front_mid", leading)[0]
    (contacts,) = met_along(np.array([window]), origin[None], unit[None], patches, t)
    return [first / sweep.length * sweep.charge for first in contacts]


def met_along(
    windows: np.ndarray, origins: np.ndarray, units: np.ndarray, patches: Patches, t: float
) -> list[list[float]]:
    """Return how far along straight paths fronts first meet each obstacle they go on to cross, path by path (n).

    ``windows`` (n,) are the strips they sweep, from 2t behind their start to t short of their end; paths begin at
    ``origins`` (n, 2) and go along ``units`` (n, 2).
    """
    contacts: list[list[float]] = [[] for _ in windows]
    of, part = patches.near(windows)
    if not len(of):
        return contacts
    order = np.lexsort((part, of))
    of, part = of[order], part[order]
    met = shapely.intersection(patches.parts[part], windows[of])
    for k, stretches in zip(of.tolist(), _stretches(met, origins[of], units[of]), strict=True):
        for first in beginnings(stretches, t):
            if first > -t:
                contacts[k].append(max(0.0, first))
    return contacts


def _stretches(shapes: np.ndarray, origins: np.ndarray, units: np.ndarray) -> list[list[tuple[float, float]]]:
    """Return, for each of some shapes (n,), where along its path its connected pieces begin and end."""
    spans: list[list[tuple[float, float]]] = [[] for _ in shapes]
    kinds = shapely.get_type_id(shapes)
    whole = ((kinds == LINE) | (kinds == POLYGON)) & ~shapely.is_empty(shapes)
    single = np.flatnonzero(whole)
    pieces, of = [shapes[single]], [single]
    for k in np.flatnonzero(~whole).tolist():
        clustered = clusters(shapes[k])
        pieces.append(np.array(clustered, object))
        of.append(np.full(len(clustered), k))
    owner = np.concatenate(of)
    points, piece = shapely.get_coordinates(np.concatenate(pieces), return_index=True)
    if not len(points):
        return spans
    along = np.einsum("ij,ij->i", points - origins[owner[piece]], units[owner[piece]])
    firsts = np.flatnonzero(np.r_[True, piece[1:] != piece[:-1]])
    low, high = np.minimum.reduceat(along, firsts), np.maximum.reduceat(along, firsts)
    for k, first, last in zip(owner[piece[firsts]].tolist(), low.tolist(), high.tolist(), strict=True):
        spans[k].append((first, last))
    return spans


def windows_of(edges: np.ndarray, units: np.ndarray, lengths: np.ndarray, t: float) -> np.ndarray:
    """Return the strips (n,) that edges (n, 2, 2) sweep along ``units`` (n, 2), for ``met_along``."""
    a, b = edges[:, 0], edges[:, 1]
    trim = (b - a) / np.hypot(*(b - a).T)[:, None] * t
    back, ahead = -2.0 * t * units, (lengths - t)[:, None] * units
    a, b = a + trim, b - trim
    return np.asarray(shapely.polygons(np.stack([a + back, b + back, b + ahead, a + ahead], axis=1)))


def beginnings(stretches: list[tuple[float, float]], t: float) -> list[float]:
    """Return where the edge newly meets an obstacle: overlapping stretches, while it is astride of it, count once."""
    begins: list[float] = []
    until = -math.inf
    for first, last in sorted(stretches):
        if first > until + t:
            begins.append(first)
        until = max(until, last)
    return begins


def _window(sweep: Slide, unit: np.ndarray, t: float, line_only: bool, leading: str) -> BaseGeometry:
    """Return the strip a front edge (or only its middle) sweeps, from 2t behind its start to t short of its end."""
    if line_only or not isinstance(sweep.base, Base):
        mid = traced(sweep.base, "front_mid", leading)[0]
        return shapely.LineString(np.array([mid - 2.0 * t * unit, mid + (sweep.length - t) * unit]))
    edge = np.array([leading_edge(sweep.base, leading)])
    window: BaseGeometry = windows_of(edge, unit[None], np.array([sweep.length]), t)[0]
    return window


def clusters(shape: BaseGeometry) -> list[BaseGeometry]:
    """Return the connected pieces of ``shape``."""
    if shapely.get_type_id(shape) in (LINE, POLYGON) and not shapely.is_empty(shape):
        return [shape]
    parts = [p for p in shapely.get_parts(shape) if not p.is_empty]
    parts = [q for p in parts for q in (shapely.get_parts(p) if p.geom_type.startswith(("Multi", "Geom")) else [p])]
    groups: list[list[BaseGeometry]] = []
    for part in parts:
        touching = [g for g in groups if any(part.intersects(q) for q in g)]
        groups = [g for g in groups if g not in touching]
        groups.append([part, *(q for g in touching for q in g)])
    return [shapely.union_all(g) if len(g) > 1 else g[0] for g in groups]


def swing_contacts(swing: Swing, patches: Patches, t: float) -> list[float]:
    """Return where in a turn the front edge first meets each obstacle that it goes on to cross (TSE-MOV-08)."""
    if not isinstance(swing.base, Base):
        return []
    contacts: list[float] = []
    for k in compress(count(), patches.each_within(swing.bounds, 4.0 * t + ARC_ERROR)):
        contacts += _crossed(swing, Patches(patches.parts[k : k + 1], ()), t)
    return contacts


def _crossed(swing: Swing, patches: Patches, t: float) -> list[float]:
    """Return the same for one obstacle.

    Over each stretch of the turn during which the obstacle lies within ``t`` of the edge, it must meet both the line
    ``t`` ahead of the edge and the line ``t`` behind. At the start it counts as having met the line ahead, unless it
    only reaches in from behind.
    """
    edge, strip = _strip(swing.base, t)
    cuts = critical_angles(swing, strip, patches)
    if cuts is None:
        return []
    strips = turned_shapes(strip, swing, (cuts[:-1] + cuts[1:]) / 2)
    obstacle = patches.parts[0]
    near = shapely.intersects(shapely.polygons(strips), obstacle).tolist()
    if not any(near):
        return []
    ahead, behind = (shapely.intersects(shapely.linestrings(strips[:, k : k + 2]), obstacle).tolist() for k in (0, 2))
    contacts, first, sides = [], 0, [ahead[0] or not behind[0], behind[0]]
    crossed = all(sides)
    for k, yes in enumerate(near):
        if not yes:
            crossed, first, sides = False, k + 1, [False, False]
            continue
        sides = [sides[0] or ahead[k], sides[1] or behind[k]]
        if all(sides) and not crossed:
            crossed = True
            contacts.append(_first_touch(swing, edge, patches, float(cuts[first]), float(cuts[k])))
    return [angle / math.radians(swing.degrees) * swing.charge for angle in contacts]


def _strip(base: AnyBase, t: float) -> tuple[np.ndarray, np.ndarray]:
    """Return a front edge shortened by ``t`` at both ends, and the ring ``t`` ahead of it and behind it."""
    assert isinstance(base, Base)
    a, b = leading_edge(base, "front")
    trim, f = t * np.array(base.right), t * np.array(base.forward)
    a, b = a + trim, b - trim
    return np.array([a, b]), np.array([a + f, b + f, b - f, a - f, a + f])


def _first_touch(swing: Swing, edge: np.ndarray, patches: Patches, low: float, high: float) -> float:
    """Return the angle from ``low`` on at which the edge first touches an obstacle; ``high`` if it slips past an
    end."""
    cuts = critical_angles(swing, edge, patches)
    assert cuts is not None
    cuts = cuts[(np.abs(cuts) >= abs(low)) & (np.abs(cuts) <= abs(high))]
    touching = shapely.dwithin(shapely.linestrings(turned_shapes(edge, swing, cuts)), patches.parts[0], GRAZE)
    return float(cuts[touching][0]) if touching.any() else high
