"""The line that comes closest to being clear, where none is: what it lacks is what a call turns on.

What a line lacks against one bar is the least that would let it pass: a shift sideways that takes it clear of the bar
(within its own length); or what it runs through the bar; or, where a shadow falls, the rest of the shadow. What it
lacks in all is the most of these.
The search starts from lines between corners, from places along the outlines and where contours cross them, and moves
the ends of the best of them in ever smaller steps. It proves nothing and decides nothing: that no line is clear is
known before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.sight_ground import Bar
from tabletop.geometry.sight_law import (
    Floats,
    Lines,
    Screen,
    SightLaw,
    effect,
    ground_of,
    offsets,
    screen_effect,
)
from tabletop.geometry.terrain import Table

Line = tuple[Point, Point]

#: Ends are set this far apart along an outline (table units), and at most so many of them are tried on either side.
APART, MOST = 0.75, 28
#: How many lines are bettered, by what first step and down to what last (table units), in how many rounds at most.
STARTS, FIRST, LAST, ROUNDS = 12, 0.4, 0.003, 36
#: The ways in which an end is moved.
WAYS = np.array([(np.cos(k * np.pi / 4), np.sin(k * np.pi / 4)) for k in range(8)])


def beside(bar: Bar, lines: Lines) -> Floats:
    """Return by how much each of n lines must be shifted sideways, either way, to miss a bar along its length.

    For lines whose ends lie outside the bar, or on its edge.
    """
    along, left = offsets(bar.points, lines.starts, lines.u)
    length = lines.length[:, None]
    (p, q), (u, v) = ((x, x[:, bar.after]) for x in (left, along))
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = (q - p) / (v - u)
        first, last = (p + rate * (np.clip(end, 0.0, length) - u) for end in (u, v))
    square = v == u
    first, last = np.where(square, p, first), np.where(square, q, last)
    met = (np.maximum(u, v) > 0.0) & (np.minimum(u, v) < length)
    low = np.where(met, np.minimum(first, last), np.inf)
    high = np.where(met, np.maximum(first, last), -np.inf)
    right = near = np.zeros(len(left))
    for _ in range(len(bar.points)):
        joined = (low <= near[:, None] + GRAZE) & (high >= right[:, None] - GRAZE)
        wider = np.where(joined, high, near[:, None]).max(1), np.where(joined, low, right[:, None]).min(1)
        if np.array_equal(wider[0], near) and np.array_equal(wider[1], right):
            break
        near, right = np.maximum(near, wider[0]), np.minimum(right, wider[1])
    return np.minimum(near, -right)


def lacking(table: Table, starts: Floats, ends: Floats, law: SightLaw, screens: Sequence[Screen] = ()) -> Floats:
    """Return what each of n lines lacks to be clear, in table units: 0 where it is."""
    ground, t = ground_of(table), table.tape.t
    lines = Lines.between(ground, starts, ends)
    found, spent, crest = (np.zeros(len(starts)) for _ in range(3))
    for bar in ground.bars:
        some = np.nonzero(lines.near(bar.bounds))[0]
        if not len(some):
            continue
        near = lines.take(some)
        one = effect(bar, near, law, t)
        spent[some] += one.spent
        crest[some] += one.crest
        hit = np.nonzero(one.blocks)[0]
        if len(hit):
            through = ((one.e - one.a) * one.crossed)[hit].max(1, initial=0.0)
            sideways = np.minimum(beside(bar, near.take(hit)), np.where(np.isinf(one.factor[hit]), through, np.inf))
            short = _short(sideways, one.far_side[hit], one.factor[hit], near.length[hit])
            found[some[hit]] = np.maximum(found[some[hit]], short)
    for screen in screens:
        seen = screen_effect(screen, lines, law, t)
        short = _short(screen.clearance - seen.distance, seen.far_side, seen.factor, lines.length)
        found = np.maximum(found, np.where(seen.blocks, short, 0.0))
    for used, limit in ((spent, law.budget), (crest, law.crest)):
        found = np.maximum(found, np.where(used > limit + t, used - limit, 0.0))
    return found


def _short(sideways: Floats, far_side: Floats, factor: Floats, length: Floats) -> Floats:
    """Return the lesser of a shift sideways and the rest of a shadow, where one falls."""
    with np.errstate(invalid="ignore"):
        shadow = np.where(np.isfinite(factor), far_side * factor - (length - far_side), np.inf)
    return np.maximum(np.minimum(sideways, shadow), 0.0)


def nearest_to_clear(
    table: Table,
    a: shapely.Geometry,
    b: shapely.Geometry,
    law: SightLaw,
    screens: Sequence[Screen] = (),
    known: Sequence[Line] = (),
) -> Line:
    """Return the line from ``a`` to ``b`` that lacks least, looked for to about a hundredth of a table unit.

    ``known`` are lines tried too; of lines that lack as much the shorter is taken.
    """
    shapely.prepare([a, b])
    p, q = _places(table, a), _places(table, b)
    first = np.array([s for s, _ in known] or np.zeros((0, 2)), float)
    last = np.array([t for _, t in known] or np.zeros((0, 2)), float)
    starts = np.vstack([np.repeat(p, len(q), 0), first])
    ends = np.vstack([np.tile(q, (len(p), 1)), last])
    short = lacking(table, starts, ends, law, screens)
    best = _chosen(starts, ends, short)
    starts, ends, short = _bettered(table, a, b, law, screens, (starts[best], ends[best], short[best]))
    k = min(range(len(short)), key=lambda i: (round(float(short[i]), 4), float(np.hypot(*(ends[i] - starts[i])))))
    (sx, sy), (tx, ty) = starts[k].tolist(), ends[k].tolist()
    return (sx, sy), (tx, ty)


def _places(table: Table, shape: shapely.Geometry) -> Floats:
    """Return corners of a shape, places along its outline, and where contours cross it."""
    hills = [hill.area for hill in table.hills if shapely.intersects(hill.area, shape)]
    parts = [shape, *(shapely.intersection(hill, shape) for hill in hills), shapely.segmentize(shape, APART)]
    places: Floats = distinct_rows(np.round(np.vstack([shapely.get_coordinates(part) for part in parts]), 9))
    return places[:: max(1, -(-len(places) // MOST))]


def _chosen(starts: Floats, ends: Floats, short: Floats) -> np.ndarray:
    """Return the numbers of a few of the best lines, no two of them hardly apart."""
    found: list[int] = []
    for k in np.lexsort((np.hypot(*(ends - starts).T), np.round(short, 6))).tolist():
        apart = (np.abs(starts[k] - starts[i]).sum() + np.abs(ends[k] - ends[i]).sum() > APART / 2 for i in found)
        if all(apart):
            found.append(k)
        if len(found) == STARTS:
            break
    return np.array(found)


def _bettered(
    table: Table,
    a: shapely.Geometry,
    b: shapely.Geometry,
    law: SightLaw,
    screens: Sequence[Screen],
    lines: tuple[Floats, Floats, Floats],
) -> tuple[Floats, Floats, Floats]:
    """Return lines with their ends moved, one, the other or both, while that leaves less lacking."""
    starts, ends, short = lines
    step, still = np.full(len(starts), FIRST), np.zeros((8, 2))
    pairs = (WAYS, still), (still, WAYS), (WAYS, WAYS), (WAYS, -WAYS)
    moves = np.concatenate([np.stack(pair, axis=1) for pair in pairs])
    for _ in range(ROUNDS):
        if (step < LAST).all():
            break
        moved = step[:, None, None, None] * moves[None]
        p = _within(a, (starts[:, None] + moved[:, :, 0]).reshape(-1, 2))
        q = _within(b, (ends[:, None] + moved[:, :, 1]).reshape(-1, 2))
        tried = lacking(table, p, q, law, screens).reshape(len(starts), -1)
        k = tried.argmin(1)
        row = np.arange(len(starts))
        better = tried[row, k] < short - 1e-9
        starts = np.where(better[:, None], p.reshape(len(row), -1, 2)[row, k], starts)
        ends = np.where(better[:, None], q.reshape(len(row), -1, 2)[row, k], ends)
        short = np.where(better, tried[row, k], short)
        step = np.where(better, step, step / 3.0)
    return starts, ends, short


def _within(shape: shapely.Geometry, places: Floats) -> Floats:
    """Return places (n, 2), those outside a shape moved to the nearest point of it."""
    points = np.asarray(shapely.points(places))
    out = np.nonzero(~shapely.intersects(shape, points))[0]
    if len(out):
        places = places.copy()
        places[out] = shapely.get_coordinates(shapely.shortest_line(points[out], shape)).reshape(-1, 2, 2)[:, 1]
    return places
