"""The law of the sight line, from point to point and for many lines at once.

Every tall obstruction, hill contour and screen is one of three things to a line, by the levels of its two ends
(``hi``, ``lo``) and its own level: nothing (both ends overlook it), a wall (it hides whatever lies behind it), or the
caster of a shadow ``c`` times as long as the way D from the higher end to its far side: the lower end is hidden while
the gap behind the far side is at most ``c * D``. With c infinite the wall is the same test. Woods and towns that hold
an end spend the line's budget instead (TSE-LOS-05, 06, 07, 10 to 16).

Obstructions are shrunk by ``measure.GRAZE`` first, so that a line along an edge or through a corner grazes; a stretch
inside must be longer than the tape's tolerance to count. Containment is closed, made robust by the same amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from tabletop.geometry.kernels import sight
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight_cells import convex_parts
from tabletop.geometry.sight_ground import AT_EDGE, Bar, Bools, Floats, Ground, Ints, ground_of
from tabletop.geometry.sight_one import FEW, clear_one_by_one
from tabletop.geometry.sight_packed import looked
from tabletop.geometry.terrain import Table

__all__ = ["Bar", "Bools", "Effect", "Floats", "Ground", "Ints", "Lines", "Screen", "ScreenEffect", "SightLaw"]
__all__ += ["clear", "clear_lines", "corridor", "crossings", "effect", "ground_of", "hidden", "normalised", "offsets"]
__all__ += ["passing", "screen_effect", "stretches"]

#: Stretches of one obstruction nearer to each other than this meet: shrinking alone parted them.
JOINT = 10 * GRAZE
#: The most line-vertex pairs worked on at a time.
CHUNK = 2_000_000
#: The most lines worked on at a time.
BLOCK = 65536


@dataclass(frozen=True)
class SightLaw:
    """How sight works: the rulings that change it, and its lengths in table units (already scaled)."""

    thin_wood_transparent: bool = False
    hills_block: bool = True
    own_hill_exempt: bool = True
    deep_shadow: bool = False
    crest_edge: bool = False
    crest: float = 1.0
    budget: float = 3.0

    def factor(self, level: int, hill: bool, hi: Any, lo: Any) -> Floats:
        """Return the shadow's length as a multiple of D: inf for a wall, -inf where it hides nothing.

        Heights are levels (TSE-LOS-03); from higher up the shadows shorten (TSE-LOS-08). Of several obstructions on one
        level the nearest to the target casts farthest, since D grows with the way to it (TSE-LOS-09).
        ``deep_shadow`` doubles it for each level by which the lower end lies below the ground the obstruction stands on
        (a hill of level k stands on level k - 1).
        """
        hi, lo = np.asarray(hi, float), np.asarray(lo, float)
        c = 2.0 ** (1.0 - (hi - level))
        if self.deep_shadow:
            c = c * 2.0 ** np.maximum((level - 1 if hill else level) - lo, 0.0)
        c = np.where(hi <= level, np.inf, c)
        return np.where(lo >= level if hill else lo > level, -np.inf, c)

    def factors(self, level: int, hill: bool, hi: Ints, lo: Ints) -> Floats:
        """Return ``factor`` for many lines: there are but a few levels."""
        key = self.deep_shadow, level, hill, int(np.max(hi, initial=0))
        if key not in _FACTORS:
            levels = np.arange(key[-1] + 1)
            _FACTORS[key] = self.factor(level, hill, levels[:, None], levels)
        found: Floats = _FACTORS[key][hi, lo]
        return found


#: Factors by the levels of the higher and the lower end, up to the highest met: of each ruling, level and kind.
_FACTORS: dict[tuple[bool, int, bool, int], Floats] = {}


@dataclass(frozen=True)
class Screen:
    """A unit in the way of fire: the part of it that counts, its ground level, and the clearance a line must keep."""

    area: shapely.Geometry
    level: int
    clearance: float
    id: str

    @cached_property
    def rings(self) -> tuple[Floats, ...]:
        """Its outlines (k, 2), closed, the inside on the left; joints of bases on a straight side are left out."""
        plain = shapely.orient_polygons(shapely.simplify(self.area, GRAZE * 1e-3))
        rings = (ring for part in shapely.get_parts(plain) for ring in (part.exterior, *part.interiors))
        return tuple(shapely.get_coordinates(ring) for ring in rings)

    @cached_property
    def plain_rings(self) -> tuple[list[list[float]], ...]:
        """Its outlines in plain numbers."""
        return tuple(ring.tolist() for ring in self.rings)

    @cached_property
    def bodies(self) -> tuple[Floats, ...]:
        """Convex corner lists (k, 2) that together are its area."""
        return tuple(points for part in shapely.get_parts(self.area) for points in convex_parts(part))


@dataclass(frozen=True, eq=False)
class Lines:
    """Many sight lines: starts and ends (n, 2), unit directions, lengths, levels of both ends, which end is higher."""

    starts: Floats
    ends: Floats
    u: Floats
    length: Floats
    start_levels: Ints
    end_levels: Ints

    @classmethod
    def between(cls, ground: Ground, starts: Floats, ends: Floats) -> Lines:
        way = ends - starts
        length = np.hypot(way[:, 0], way[:, 1])
        u = np.divide(way, length[:, None], out=np.tile([1.0, 0.0], (len(way), 1)), where=length[:, None] > 0)
        return cls(starts, ends, u, length, ground.levels(starts), ground.levels(ends))

    def take(self, which: Any) -> Lines:
        """Return some of the lines."""
        return Lines(
            self.starts[which],
            self.ends[which],
            self.u[which],
            self.length[which],
            self.start_levels[which],
            self.end_levels[which],
        )

    @cached_property
    def hi(self) -> Ints:
        return np.maximum(self.start_levels, self.end_levels)

    @cached_property
    def lo(self) -> Ints:
        return np.minimum(self.start_levels, self.end_levels)

    @cached_property
    def from_end(self) -> Bools:
        """True where the far end is the higher one: D is measured from there."""
        return self.end_levels > self.start_levels

    def near_any(self, boxes: Floats) -> Bools:
        """Return which of (m, 4) boxes some line may meet."""
        found: Bools = np.asarray(self._met(boxes).any(0))
        return found

    def near(self, box: Sequence[float]) -> Bools:
        """Return which lines may meet a box."""
        (sx, sy, wx, wy, ux, uy), (far_x, far_y, along, across) = self._columns
        hx, hy = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
        dx, dy = (box[0] + box[2]) / 2 - sx, (box[1] + box[3]) / 2 - sy
        found: Bools = np.abs(dy * ux - dx * uy) <= hx * across + hy * along
        found &= np.abs(2.0 * dx - wx) <= 2.0 * hx + far_x
        found &= np.abs(2.0 * dy - wy) <= 2.0 * hy + far_y
        return found

    @cached_property
    def _columns(self) -> tuple[Floats, Floats]:
        """Starts, ways and directions, x and y each, and how far ways and directions go along either axis."""
        found = np.ascontiguousarray(np.hstack([self.starts, self.ends - self.starts, self.u]).T)
        return found, np.abs(found[2:])

    def _met(self, boxes: Floats) -> Bools:
        """Return which lines meet which boxes, (n, m): none of a box's own axes nor the line's square parts them."""
        centre, half = (boxes[:, :2] + boxes[:, 2:]) / 2, (boxes[:, 2:] - boxes[:, :2]) / 2
        dx, dy = (centre[:, k] - self.starts[:, k, None] for k in (0, 1))
        ux, uy = self.u[:, :1], self.u[:, 1:]
        wx, wy = self.ends[:, :1] - self.starts[:, :1], self.ends[:, 1:] - self.starts[:, 1:]
        hx, hy = half.T
        found: Bools = np.abs(dy * ux - dx * uy) <= hx * np.abs(uy) + hy * np.abs(ux)
        found &= np.abs(2.0 * dx - wx) <= 2.0 * hx + np.abs(wx)
        found &= np.abs(2.0 * dy - wy) <= 2.0 * hy + np.abs(wy)
        return found


def offsets(points: Floats, origins: Floats, u: Floats) -> tuple[Floats, Floats]:
    """Return how far (v, 2) points lie along and to the left of n directed lines, each (n, v)."""
    along = np.outer(u[:, 0], points[:, 0]) + np.outer(u[:, 1], points[:, 1])
    along -= (u * origins).sum(1)[:, None]
    return along, _left(points, origins, u)


def _left(points: Floats, origins: Floats, u: Floats) -> Floats:
    found = np.outer(u[:, 0], points[:, 1]) - np.outer(u[:, 1], points[:, 0])
    found -= (u[:, 0] * origins[:, 1] - u[:, 1] * origins[:, 0])[:, None]
    return found


def crossings(points: Floats, i: Ints, j: Ints, origins: Floats, u: Floats) -> Floats:
    """Return where n infinite lines cross m edges, as distances along them (n, m), inf where they do not.

    A vertex on the line counts with the left side, so a line enters a ring as often as it leaves it.
    """
    left = _left(points, origins, u)
    side = left >= 0.0
    hit = side[:, i] != side[:, j]
    rows, edges = np.nonzero(hit)
    where = np.full(hit.shape, np.inf)
    p, q = i[edges], j[edges]
    dp, dq = left[rows, p], left[rows, q]
    ux, uy = u[rows].T
    start = (u * origins).sum(1)[rows]
    at_p, at_q = (ux * points[k, 0] + uy * points[k, 1] - start for k in (p, q))
    where[rows, edges] = at_p + (at_q - at_p) * (dp / (dp - dq))
    return where


def stretches(bar: Bar, lines: Lines) -> tuple[Floats, Floats]:
    """Return where the infinite lines enter and leave a bar, (n, k) each, padded with inf."""
    k = np.arange(len(bar.points))
    where = np.sort(crossings(bar.points, k, bar.after, lines.starts, lines.u), axis=1)
    most = int(np.isfinite(where).sum(1).max(initial=0))
    a, e = where[:, 0:most:2], where[:, 1:most:2]
    _join(a, e)
    return a, e


def _join(a: Floats, e: Floats) -> None:
    """Join, in place, stretches that meet in a point: the second of the two is left without length."""
    for k in range(a.shape[1] - 2, -1, -1):
        with np.errstate(invalid="ignore"):
            meet = a[:, k + 1] - e[:, k] <= JOINT
        if meet.any():
            e[meet, k] = e[meet, k + 1]
            a[meet, k + 1] = e[meet, k + 1]


@dataclass(frozen=True, eq=False)
class Effect:
    """What one bar does to n lines: its stretches (a, e), clipped; which hold an end or are crossed; and the law."""

    a: Floats
    e: Floats
    own: Bools
    crossed: Bools
    factor: Floats
    far_side: Floats
    blocks: Bools
    spent: Floats
    crest: Floats


def effect(bar: Bar, lines: Lines, law: SightLaw, t: float) -> Effect:
    """Return what a bar does to lines that may meet it, under tolerance ``t``.

    Woods and towns that hold an end are seen into and out of as far as their see-through goes, from whatever level;
    houses have none (TSE-LOS-11, TSE-LOS-13, TSE-LOS-14).
    """
    a_raw, e_raw = stretches(bar, lines)
    if not a_raw.shape[1]:
        return _no_effect(a_raw)
    length = lines.length[:, None]
    at_edge = max(t, AT_EDGE)
    a, e = np.clip(a_raw, 0.0, length), np.clip(e_raw, 0.0, length)
    counts = (e - a) > t
    at_start, at_end = counts & (a_raw <= at_edge), counts & (e_raw >= length - at_edge)
    spent = crest = np.zeros(len(length))
    if bar.hill:
        own, crossed, crest = _hill_stretches(bar, lines, law, counts, at_start, at_end, a, e)
    else:
        own = (at_start | at_end) if bar.see_through > 0 else np.zeros_like(counts)
        crossed = counts & ~own
        if bar.see_through > 0:
            spent = ((e - a) * own).sum(1) / bar.see_through * law.budget
            if law.thin_wood_transparent:
                crossed &= (e - a) > bar.see_through + t
    factor = law.factors(bar.level, bar.hill, lines.hi, lines.lo)
    reach = np.where(lines.from_end[:, None], length - a, e)
    far_side = np.where(crossed, reach, 0.0).max(1, initial=0.0)
    blocks = crossed.any(1) & hidden(far_side, lines.length, factor, t)
    return Effect(a, e, own, crossed, factor, far_side, blocks, spent, crest)


def _no_effect(none: Floats) -> Effect:
    """Return that none of n lines meets a bar; ``none`` (n, 0) are their stretches."""
    nothing, no = np.zeros(len(none)), np.zeros(none.shape, bool)
    return Effect(none, none, no, no, np.full(len(none), -np.inf), nothing, np.zeros(len(none), bool), nothing, nothing)


def hidden(far_side: Floats, length: Floats, factor: Floats, t: float) -> Bools:
    """Return whether the lower end is hidden behind something whose far side lies at D from the higher one."""
    with np.errstate(invalid="ignore"):
        return (factor > 0) & (np.isposinf(factor) | (length - far_side <= far_side * factor + t))


def _hill_stretches(
    bar: Bar, lines: Lines, law: SightLaw, counts: Bools, at_start: Bools, at_end: Bools, a: Floats, e: Floats
) -> tuple[Bools, Bools, Floats]:
    """Return the stretches exempt as own hill, those crossed, and the way from the higher end to its own crest."""
    starts, ends = bar.holds(lines.starts), bar.holds(lines.ends)
    own = counts & ((at_start & starts[:, None]) | (at_end & ends[:, None]))
    exempt = (starts | ends)[:, None] if law.own_hill_exempt else own
    crossed = counts & ~(counts & exempt) if law.hills_block else np.zeros_like(counts)
    crest = np.zeros(len(starts))
    if law.crest_edge:
        # only the contour of the higher end's own level, and only when looking down off it
        mine = (
            np.where(lines.from_end, ends & ~starts, starts & ~ends) & (lines.hi == bar.level) & (lines.hi > lines.lo)
        )
        crest = np.where(mine, ((e - a) * own).sum(1), 0.0)
    return own, crossed, crest


@dataclass(frozen=True, eq=False)
class ScreenEffect:
    """What a screen does to n lines: how near they pass it, and the overhead test."""

    distance: Floats
    factor: Floats
    far_side: Floats
    blocks: Bools


def screen_effect(screen: Screen, lines: Lines, law: SightLaw, t: float) -> ScreenEffect:
    """Return what a unit in the way does to lines of fire (TSE-FIR-10, TSE-FIR-12)."""
    distance = passing(screen, lines)
    factor = law.factor(screen.level, False, lines.hi, lines.lo)
    far_side = _far_side(screen, lines)
    blocks = (distance < screen.clearance - max(t, GRAZE)) & hidden(far_side, lines.length, factor, t)
    return ScreenEffect(distance, factor, far_side, blocks)


def screened(screens: Sequence[Screen], lines: Lines, law: SightLaw, t: float) -> Bools:
    """Return which lines units in the way close: ``screen_effect(...).blocks``, no more looked at than that takes."""
    found = np.zeros(len(lines.length), bool)
    segments = np.asarray(shapely.linestrings(np.stack([lines.starts, lines.ends], axis=1)), dtype=object)
    for screen in screens:
        left = np.nonzero(~found)[0]
        near = left[shapely.distance(segments[left], screen.area) < screen.clearance - max(t, GRAZE)]
        if len(near):
            found[near] = _hidden_by(screen, lines.take(near), law, t)
    return found


def _hidden_by(screen: Screen, lines: Lines, law: SightLaw, t: float) -> Bools:
    """Return which lines that pass a screen too near it closes, as it does unless they pass over it."""
    factor = law.factor(screen.level, False, lines.hi, lines.lo)
    over = (factor > 0) & np.isfinite(factor)
    far_side = _far_side(screen, lines) if over.any() else np.zeros(len(factor))
    return hidden(far_side, lines.length, factor, t)


def passing(screen: Screen, lines: Lines) -> Floats:
    """Return how near each line passes a screen."""
    segments = shapely.linestrings(np.stack([lines.starts, lines.ends], axis=1))
    return np.asarray(shapely.distance(segments, screen.area))


def _far_side(screen: Screen, lines: Lines) -> Floats:
    """Return how far from its higher end each line is past a screen's corridor."""
    first, last = corridor(screen, lines.starts, lines.u)
    return np.where(lines.from_end, lines.length - first, last)


def corridor(screen: Screen, origins: Floats, u: Floats) -> tuple[Floats, Floats]:
    """Return the least and greatest distance along each line of the screen's points within clearance of it."""
    found_first, found_last = np.full(len(u), np.inf), np.full(len(u), -np.inf)
    for ring in screen.rings:
        along, left = offsets(ring, origins, u)
        at, met = [along], [np.abs(left) <= screen.clearance]
        p, q = left[:, :-1], left[:, 1:]
        for edge in (-screen.clearance, screen.clearance):
            side = left < edge
            met.append(side[:, :-1] != side[:, 1:])
            share = np.divide(edge - p, q - p, out=np.zeros(p.shape), where=met[-1])
            at.append(along[:, :-1] + (along[:, 1:] - along[:, :-1]) * share)
        places, which = np.concatenate(at, axis=1), np.concatenate(met, axis=1)
        found_first = np.minimum(found_first, np.where(which, places, np.inf).min(axis=1))
        found_last = np.maximum(found_last, np.where(which, places, -np.inf).max(axis=1))
    return found_first, found_last


def normalised(starts: Any, ends: Any) -> tuple[Floats, Floats]:
    """Return both ends of each line, the lesser end (by x, then y) first, so that A to B is B to A to the last bit."""
    a, b = np.array(starts, float).reshape(-1, 2), np.array(ends, float).reshape(-1, 2)
    swap = (a[:, 0] > b[:, 0]) | ((a[:, 0] == b[:, 0]) & (a[:, 1] > b[:, 1]))
    return np.where(swap[:, None], b, a), np.where(swap[:, None], a, b)


def clear_lines(
    table: Table,
    starts: Any,
    ends: Any,
    law: SightLaw,
    screens: Sequence[Screen] = (),
    tolerance: float | None = None,
) -> Bools:
    """Return which of n lines are clear: ``starts`` and ``ends`` (n, 2), in table units.

    ``tolerance`` is the tape's unless given; 0 is the exact law that measured distances use. Source: TSE-LOS-01 to 20.

    >>> clear_lines(Table.of("in", 10, 10), [(1, 1)], [(9, 9)], SightLaw()).tolist()
    [True]
    """
    a, b = (np.array(xy, float).reshape(-1, 2) for xy in (starts, ends))
    return clear(ground_of(table), a, b, law, screens, table.tape.t if tolerance is None else tolerance, True)


def clear(
    ground: Ground, a: Floats, b: Floats, law: SightLaw, screens: Sequence[Screen], t: float, either_way: bool = False
) -> Bools:
    """Return which lines from ``a`` to ``b`` (n, 2) are clear on prepared ground; ``either_way``: normalised."""
    run = sight.look.ready()
    if run is not None:
        return _looked(run, ground, a, b, law, screens, t, either_way)
    return _clear(ground, *_turned(a, b, either_way), law, screens, t)


def _looked(
    run: Any, ground: Ground, a: Floats, b: Floats, law: SightLaw, screens: Sequence[Screen], t: float, either_way: bool
) -> Bools:
    """The same by the kernel; screens, and ends on the very edge of a hill, the other way."""
    verdict = looked(run, ground, a, b, law, t, JOINT, either_way)
    found: Bools = np.equal(verdict, sight.CLEAR)
    rest = np.nonzero(np.equal(verdict, sight.DOUBT))[0]
    if len(rest):
        found[rest] = _clear(ground, *_turned(a[rest], b[rest], either_way), law, (), t)
    return _unscreened(found, ground, *_turned(a, b, either_way), law, screens, t)


def _turned(a: Floats, b: Floats, either_way: bool) -> tuple[Floats, Floats]:
    return normalised(a, b) if either_way else (a, b)


def _clear(ground: Ground, a: Floats, b: Floats, law: SightLaw, screens: Sequence[Screen], t: float) -> Bools:
    """The same by many lines at once, bar by bar."""
    found = np.zeros(len(a), bool)
    for k in range(0, len(a), BLOCK):
        some = slice(k, k + BLOCK)
        by = _clear_few if len(a[some]) <= FEW else _clear_block
        found[some] = by(ground, a[some], b[some], law, screens, t)
    return found


def _clear_few(ground: Ground, a: Floats, b: Floats, law: SightLaw, screens: Sequence[Screen], t: float) -> Bools:
    """The same for a few lines, line by line."""
    return clear_one_by_one(ground, a, b, law, t, JOINT, screens)


def _unscreened(
    found: Bools, ground: Ground, a: Floats, b: Floats, law: SightLaw, screens: Sequence[Screen], t: float
) -> Bools:
    """Return which of the lines ``found`` clear no unit closes either; ``found`` is written into."""
    some = np.nonzero(found)[0] if screens else ()
    if len(some):
        lines = Lines.between(ground, a[some], b[some])
        found[some] = ~screened(screens, lines, law, t) | (lines.length <= 0.0)
    return found


def _clear_block(ground: Ground, a: Floats, b: Floats, law: SightLaw, screens: Sequence[Screen], t: float) -> Bools:
    lines = Lines.between(ground, a, b)
    blocked = np.zeros(len(a), bool)
    spent, crest = np.zeros(len(a)), np.zeros(len(a))
    for bar in _met(ground, lines):
        step = max(1, CHUNK // max(1, len(bar.points)))
        which = np.nonzero(lines.near(bar.bounds) & ~blocked)[0]
        for some in (which[k : k + step] for k in range(0, len(which), step)):
            found = effect(bar, lines if len(some) == len(a) else lines.take(some), law, t)
            blocked[some] |= found.blocks
            spent[some] += found.spent
            crest[some] += found.crest
    left = np.nonzero(~blocked)[0] if screens else ()
    if len(left):
        blocked[left] = screened(screens, lines.take(left), law, t)
    return ~blocked & (spent <= law.budget + t) & (crest <= law.crest + t) | (lines.length <= 0.0)


def _met(ground: Ground, lines: Lines) -> list[Bar]:
    """Return the bars that any of the lines may meet."""
    if not ground.bars or not len(lines.length):
        return []
    a, b = lines.starts, lines.ends
    low, high, box = np.minimum(a, b).min(0), np.maximum(a, b).max(0), ground.boxes
    hit = (box[:, 0] <= high[0]) & (box[:, 2] >= low[0]) & (box[:, 1] <= high[1]) & (box[:, 3] >= low[1])
    which = np.nonzero(hit)[0]
    if len(which) * len(a) < CHUNK // 20:
        which = which[lines.near_any(box[which])]
    return [ground.bars[k] for k in which.tolist()]
