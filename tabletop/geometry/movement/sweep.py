"""What one base's motion meets: its stretches in rough ground or on a road.

Stretches are exact intervals of the length charged meanwhile: for straight motions from the extents of the ground
inside the swept parallelogram, for turns from the angles at which an edge or a corner of the ground is met.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.geometry.base import Base, Disc
from tabletop.geometry.distinct import distinct
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.movement.ground import Patches
from tabletop.geometry.movement.motion import ARC_ERROR, Slide, Sweep, Swing
from tabletop.geometry.movement.stretches import Span, lines_spans, merged, outlines_spans
from tabletop.geometry.shapes import hulls_about

#: How much (table units) a front edge is shortened at both ends, so that it does not meet ground along a base's side:
#: more than rounding, and too little to change a cost at a shallow angle.
TRIM = 1e-9
#: A base moved less far than this (table units) stands still.
STILL = 1e-12

#: The part of a base that is traced through the ground (the ruling ``rough_trace``).
TRACES = ("front_edge", "front_mid", "footprint")
#: Segments per quarter circle when a disc's footprint is traced.
DISC_SEGMENTS = 64


def common(a: Sequence[Span], b: Sequence[Span]) -> tuple[Span, ...]:
    """Return the intervals common to two lists of disjoint intervals in order."""
    return tuple((max(p[0], q[0]), min(p[1], q[1])) for p in a for q in b if min(p[1], q[1]) > max(p[0], q[0]))


def without(a: Sequence[Span], b: Sequence[Span]) -> tuple[Span, ...]:
    """Return the intervals ``a`` less the intervals ``b``."""
    left = list(a)
    for lo, hi in b:
        left = [part for p, q in left for part in ((p, min(q, lo)), (max(p, hi), q)) if part[1] > part[0]]
    return tuple(left)


def spans_in(sweeps: Sequence[Sweep], patches: Patches, trace: str, leading: str = "front") -> list[list[Span]]:
    """Return for each sweep the stretches during which the traced part of its base is inside ``patches``.

    ``trace`` is one of TRACES; the edge is the ``leading`` one, "front" or "rear" (TSE-INV-16). Inside means strictly
    inside: an edge along a border is outside. Intervals are parts of [0, charge] of the sweep.
    """
    spans: list[list[Span]] = [[] for _ in sweeps]
    if not patches or not sweeps:
        return spans
    slides = [i for i, s in enumerate(sweeps) if isinstance(s, Slide)]
    if trace == "front_edge":
        wide = [i for i in slides if isinstance(sweeps[i].base, Base) and _edge_moves(sweeps[i], leading)]
        _edge_spans(sweeps, wide, patches, leading, spans)
        slides = [i for i in slides if i not in set(wide)]
    _slide_spans(sweeps, slides, patches, trace, leading, spans)
    for i, sweep in enumerate(sweeps):
        if isinstance(sweep, Swing):
            spans[i] = _swing_spans(sweep, patches, traced(sweep.base, trace, leading))
    return spans


def leading_edge(base: Base, leading: str) -> np.ndarray:
    """Return the front edge left to right, or the rear edge."""
    corners = base.corners
    return np.asarray(corners[:2] if leading == "front" else corners[2:])


def _edge_moves(sweep: Sweep, leading: str) -> bool:
    """Return whether the edge sweeps an area: it neither slides along itself nor rests."""
    assert isinstance(sweep.base, Base)
    if not isinstance(sweep, Slide) or sweep.length < STILL:
        return False
    f = sweep.base.forward
    return abs(sweep.dx * f[0] + sweep.dy * f[1]) > 1e-9 * sweep.length


def _edge_spans(
    sweeps: Sequence[Sweep], chosen: list[int], patches: Patches, leading: str, found: list[list[Span]]
) -> None:
    """Fill in the stretches of the straight sweeps ``chosen``: extents of the ground inside each parallelogram."""
    if not chosen:
        return
    edges = np.array([leading_edge(sweeps[i].base, leading) for i in chosen])  # type: ignore[arg-type]
    ways = np.array([(s.dx, s.dy) for i in chosen if isinstance(s := sweeps[i], Slide)])
    charges = np.array([sweeps[i].charge for i in chosen])
    for i, spans in zip(chosen, edge_spans(edges, ways, charges, patches), strict=True):
        found[i] += spans


def edge_spans(edges: np.ndarray, ways: np.ndarray, charges: np.ndarray, patches: Patches) -> list[list[Span]]:
    """Return the stretches in ``patches`` of edges (n, 2, 2) moved by ``ways`` (n, 2): parts of [0, charge].

    They are the extents of the ground inside each parallelogram, so no edge may slide along itself, nor rest.
    """
    spans: list[list[Span]] = [[] for _ in edges]
    across = edges[:, 1] - edges[:, 0]
    width = np.hypot(across[:, 0], across[:, 1])
    trim = across / width[:, None] * TRIM
    a, b = edges[:, 0] + trim, edges[:, 1] - trim
    quads = np.asarray(shapely.polygons(np.stack([a, b, b + ways, a + ways], axis=1)))
    edge, part = patches.near(quads)
    if not len(edge):
        return spans
    pieces, owner = shapely.get_parts(shapely.intersection(patches.parts[part], quads[edge]), return_index=True)
    solid = shapely.get_dimensions(pieces) == 2
    pieces, owner = pieces[solid], edge[owner[solid]]
    if not len(pieces):
        return spans
    coordinates, ring = shapely.get_coordinates(pieces, return_index=True)
    own = owner[ring]
    rel, r, v = coordinates - a[own], across[own], ways[own]
    share = (rel[:, 0] * r[:, 1] - rel[:, 1] * r[:, 0]) / (v[:, 0] * r[:, 1] - v[:, 1] * r[:, 0])
    firsts = np.flatnonzero(np.r_[True, ring[1:] != ring[:-1]])
    low, high = np.minimum.reduceat(share, firsts).tolist(), np.maximum.reduceat(share, firsts).tolist()
    for k, lo, hi in zip(owner.tolist(), low, high, strict=True):
        lo, hi = max(0.0, lo), min(1.0, hi)
        if hi - lo > 1e-9:
            charge = float(charges[k])
            spans[k].append((lo * charge, hi * charge))
    return spans


def traced(base: Base | Disc, trace: str, leading: str = "front") -> np.ndarray:
    """Return the part of a base that is traced, as an (n, 2) array: a point, an edge, or a closed ring (TSE-MOV-06).

    >>> from tabletop.geometry import Base
    >>> traced(Base(10.0, 9.5, 0.0, 1.0, 1.0), "front_mid").tolist()
    [[10.0, 10.0]]
    """
    if isinstance(base, Disc) or trace == "centre":
        return np.array([base.centre])
    if trace == "front_edge":
        edge = leading_edge(base, leading)
        trim = (edge[1] - edge[0]) / np.hypot(*(edge[1] - edge[0])) * TRIM
        return np.array([edge[0] + trim, edge[1] - trim])
    if trace == "front_mid":
        return np.asarray(leading_edge(base, leading).mean(axis=0)[None, :])
    return np.concatenate([base.corners, base.corners[:1]])


def _slide_spans(
    sweeps: Sequence[Sweep], chosen: list[int], patches: Patches, trace: str, leading: str, found: list[list[Span]]
) -> None:
    """Fill in the stretches of the straight sweeps ``chosen``: points, footprints, edges that sweep no area."""
    moving = []
    for i in chosen:
        sweep = sweeps[i]
        assert isinstance(sweep, Slide)
        if sweep.length < STILL:
            inside = _meets_inside(traced(sweep.base, trace, leading)[None], patches)[0]
            found[i] = [(0.0, sweep.charge)] if inside and sweep.charge > 0.0 else []
        elif trace == "footprint" and isinstance(sweep.base, Disc):
            grown = Patches.of(shapely.buffer(patches.area, sweep.base.radius, quad_segs=DISC_SEGMENTS), ())
            found[i] = line_spans(np.array(sweep.base.centre), (sweep.dx, sweep.dy), sweep.charge, grown)
        else:
            moving.append((i, sweep, traced(sweep.base, trace, leading)))
    for points in {len(outline) for _, _, outline in moving}:
        alike = [(i, sweep, outline) for i, sweep, outline in moving if len(outline) == points]
        outlines = np.array([outline for _, _, outline in alike])
        ways = np.array([(sweep.dx, sweep.dy) for _, sweep, _ in alike])
        charges = np.array([sweep.charge for _, sweep, _ in alike])
        spans = (
            lines_spans(outlines[:, 0], ways, charges, patches)
            if points == 1
            else outlines_spans(outlines, ways, charges, patches)
        )
        for (i, _, _), own in zip(alike, spans, strict=True):
            found[i] = own


def line_spans(
    start: np.ndarray, way: tuple[float, float], charge: float, patches: Patches, closed: bool = False
) -> list[Span]:
    """Return the stretches of a straight path strictly inside ``patches``; with ``closed``, along their borders too."""
    return lines_spans(start[None], np.array([way]), np.array([charge]), patches, closed)[0]


def _swing_spans(swing: Swing, patches: Patches, shape: np.ndarray, closed: bool = False) -> list[Span]:
    """Return the stretches of a turn during which ``shape`` (a point, an edge, a ring) is inside ``patches``."""
    cuts = critical_angles(swing, shape, patches)
    if cuts is None:
        return []
    mids = (cuts[:-1] + cuts[1:]) / 2
    shapes = turned_shapes(shape, swing, mids)
    inside = _meets_inside(shapes, patches, closed)
    full = math.radians(swing.degrees)
    spans = [
        (lo / full * swing.charge, hi / full * swing.charge)
        for lo, hi, yes in zip(cuts[:-1], cuts[1:], inside, strict=True)
        if yes
    ]
    return list(merged(spans))


def swing_midpoint_spans(swing: Swing, patches: Patches, point: tuple[float, float]) -> list[Span]:
    """Return the stretches of a turn during which a point that turns too is in ``patches``, borders included."""
    return _swing_spans(swing, patches, np.array([point]), closed=True)


def turned_shapes(shape: np.ndarray, swing: Swing, angles: np.ndarray) -> np.ndarray:
    """Return ``shape`` turned clockwise by each of ``angles`` (radians) about the swing's point: (k, n, 2)."""
    centre = np.array(swing.about)
    rel = shape - centre
    turned = (rel[:, 0] + 1j * rel[:, 1])[None, :] * np.exp(-1j * angles)[:, None]
    return np.asarray(np.stack([turned.real, turned.imag], axis=-1) + centre)


def _meets_inside(shapes: np.ndarray, patches: Patches, closed: bool = False) -> np.ndarray:
    """Return for each of (k, n, 2) shapes whether it meets the inside of ``patches``."""
    area = patches.area
    if shapes.shape[1] == 1:
        x, y = shapes[:, 0, 0], shapes[:, 0, 1]
        if closed:
            return np.asarray(shapely.dwithin(shapely.points(x, y), area, GRAZE))
        return np.asarray(shapely.contains_xy(area, x, y))
    if shapes.shape[1] == 2:
        lines = shapely.linestrings(shapes)
        inside = shapely.intersection(lines, area)
        along = shapely.length(inside) - shapely.length(shapely.intersection(inside, area.boundary))
        return np.asarray(along > GRAZE / 2)
    return np.asarray(shapely.area(shapely.intersection(shapely.polygons(shapes), area)) > GRAZE**2)


def critical_angles(swing: Swing, shape: np.ndarray, patches: Patches) -> np.ndarray | None:
    """Return the angles (radians, from 0 to the full turn) between which nothing changes; None if nothing is near."""
    centre = np.array(swing.about)
    rel = shape - centre
    radius = float(np.hypot(rel[:, 0], rel[:, 1]).max()) + 1e-6
    box = shapely.box(*(centre - radius), *(centre + radius))
    _, near = patches.near(np.array([box]))
    if not len(near):
        return None
    edges = [patches.edges[k] for k in distinct(near)]
    starts, ends = (np.concatenate(side) - centre for side in zip(*edges, strict=True))
    angles = _meeting_angles(rel, np.roll(rel, -1, axis=0)[: max(len(rel) - 1, 0)], starts, ends)
    full = math.radians(swing.degrees)
    turns = np.mod(angles, 2 * math.pi)
    turns = turns if full > 0 else turns - 2 * math.pi
    within = turns[(turns > min(0.0, full)) & (turns < max(0.0, full))]
    cuts = distinct(np.concatenate([[0.0, full], within]))
    return cuts if full > 0 else cuts[::-1]


def _meeting_angles(verts: np.ndarray, nexts: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Return the clockwise angles that bring a vertex onto an edge of the ground, or an edge onto a vertex of the
    ground.

    All coordinates are relative to the pivot. A vertex on the circle of radius r meets an edge where the edge cuts that
    circle; the turn is the difference of the two bearings.
    """
    radii = np.hypot(verts[:, 0], verts[:, 1])
    near = _reached(starts, ends, float(radii.max(initial=0.0)))
    starts, ends = starts[near], ends[near]
    many, sides = len(starts), len(nexts)
    cuts, pairs = _circle_cuts(np.repeat(radii, many), np.tile(starts, (len(verts), 1)), np.tile(ends, (len(verts), 1)))
    onto = np.angle(_complex(verts[pairs // max(many, 1)])) - np.angle(cuts)
    corners = np.concatenate([starts, ends])
    radii, firsts = np.hypot(corners[:, 0], corners[:, 1]), np.repeat(verts[:sides], 2 * many, axis=0)
    cuts, pairs = _circle_cuts(np.tile(radii, sides), firsts, np.repeat(nexts, 2 * many, axis=0))
    return np.concatenate([onto, np.angle(cuts) - np.angle(_complex(corners[pairs % max(2 * many, 1)]))])


def _complex(points: np.ndarray) -> np.ndarray:
    return np.asarray(points[:, 0] + 1j * points[:, 1])


def _reached(starts: np.ndarray, ends: np.ndarray, radius: float) -> np.ndarray:
    """Return which segments come within ``radius`` of the origin, allowing for rounding."""
    d = ends - starts
    share = np.clip(-(starts * d).sum(axis=1) / np.maximum((d**2).sum(axis=1), 1e-300), 0.0, 1.0)
    nearest = starts + share[:, None] * d
    return np.asarray(np.hypot(nearest[:, 0], nearest[:, 1]) <= radius + GRAZE)


def _circle_cuts(radii: np.ndarray, starts: np.ndarray, ends: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return, as complex numbers, where n segments each cut a circle about the origin, and the segment of each cut."""
    d = ends - starts
    a = (d**2).sum(axis=1)
    b = (starts * d).sum(axis=1)
    c = (starts**2).sum(axis=1) - radii**2
    disc = b**2 - a * c
    ok = np.flatnonzero((disc >= 0.0) & (a > 0.0))
    root = np.sqrt(disc[ok])
    cuts, segments = [], []
    for sign in (-1.0, 1.0):
        share = (-b[ok] + sign * root) / a[ok]
        on = (share >= -1e-12) & (share <= 1.0 + 1e-12)
        points = starts[ok[on]] + share[on][:, None] * d[ok[on]]
        cuts.append(points[:, 0] + 1j * points[:, 1])
        segments.append(ok[on])
    return np.concatenate(cuts), np.concatenate(segments)


def may_meet(sweeps: Sequence[Sweep], patches: Patches, t: float, leading: str = "front") -> list[bool]:
    """Return which sweeps may bring a leading edge into contact with ``patches``; never wrongly False."""
    if not patches:
        return [False] * len(sweeps)
    meeting = [patches.within(sweep.bounds, 4.0 * t + ARC_ERROR) for sweep in sweeps]
    slides = [k for k, near in enumerate(meeting) if near and isinstance(sweeps[k], Slide)]
    chosen = [k for k in slides if isinstance(sweeps[k].base, Base)]
    if len(chosen) < 2:
        return meeting
    edges = np.array([leading_edge(sweeps[k].base, leading) for k in chosen])  # type: ignore[arg-type]
    ways = np.array([(s.dx, s.dy) for k in chosen if isinstance(s := sweeps[k], Slide)])
    for k, meets in zip(chosen, edges_meet(edges, ways, patches, t).tolist(), strict=True):
        meeting[k] = meets
    return meeting


def edges_meet(edges: np.ndarray, ways: np.ndarray, patches: Patches, t: float) -> np.ndarray:
    """Return which edges (n, 2, 2), moved straight by ``ways`` (n, 2), may come into contact with ``patches``."""
    ways = ways[:, None]
    back = ways / np.maximum(np.hypot(ways[..., 0], ways[..., 1]), 1e-12)[..., None] * (2.0 * t)
    strips = hulls_about(np.concatenate([edges - back, edges + ways], axis=1))
    meeting = np.zeros(len(edges), bool)
    meeting[patches.near(strips)[0]] = True
    return meeting
