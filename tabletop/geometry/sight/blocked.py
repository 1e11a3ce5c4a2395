"""The blocked line that comes closest to being clear, where none is: what it lacks is what the call depends on.

What a line lacks against one obstruction is the least change that would let it pass: a sideways shift that takes it
clear of the obstruction (within its own length), or the length it runs through the obstruction, or, behind one that
casts a shadow, the rest of the shadow. What it lacks in all is the greatest of these. The search starts from lines
between corners, points along the outlines and points where contours cross them, and moves the ends of the best lines in
ever smaller steps. It proves nothing: that no line is clear is known beforehand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import shapely

from tabletop.geometry.distinct import distinct_rows
from tabletop.geometry.fast import kernel, leaf
from tabletop.geometry.measure import GRAZE, Point
from tabletop.geometry.sight import law as the
from tabletop.geometry.sight.law import Effect, InterveningUnit, Line, Lines, Rulings, SightLaw, Work
from tabletop.geometry.sight.obstruction import (
    FloatColumn,
    Floats,
    InterveningUnits,
    Obstructions,
    SightObstruction,
    ground_of,
    near_box,
    packed,
    packed_units,
)
from tabletop.geometry.terrain import Table

Ends = tuple[Point, Point]

#: Spacing of trial ends along an outline (table units), and the most that are tried on either side.
APART, MOST = 0.75, 28
#: How many lines are improved, by what first and last step (table units), in how many rounds at most.
STARTS, FIRST, LAST, ROUNDS = 12, 0.4, 0.003, 36
#: The directions in which an end is moved.
WAYS = np.array([(np.cos(k * np.pi / 4), np.sin(k * np.pi / 4)) for k in range(8)])


class Spans(NamedTuple):
    """Room for the sideways intervals of the strip around a line that edges cover; left is positive."""

    low: FloatColumn
    high: FloatColumn


def beside(obstruction: SightObstruction, line: Line) -> float:
    """Return by how much a line must be shifted sideways, either way, to miss an obstruction along its length.

    For a line whose ends lie outside the obstruction, or on its edge.
    """
    x, y, begins = obstruction.outline
    return _beside(x, y, begins, (0, len(x)), line, Spans([0.0] * len(x), [0.0] * len(x)))


@leaf
def _beside(x: Any, y: Any, begins: Any, vertices: tuple[int, int], line: Line, spans: Spans) -> float:
    """Return the same for rings given by their vertices."""
    low, high, ux, uy, length = spans.low, spans.high, line.ux, line.uy, line.length
    start, off = ux * line.x + uy * line.y, ux * line.y - uy * line.x
    n, along, left = 0, 0.0, 0.0
    for k in range(vertices[0], vertices[1]):
        u, p = along, left
        along, left = ux * x[k] + uy * y[k] - start, ux * y[k] - uy * x[k] - off
        if begins[k] or (u <= 0.0 and along <= 0.0) or (u >= length and along >= length):
            continue
        first, last = p, left
        if u < 0.0 or u > length or along < 0.0 or along > length:
            rate = (left - p) / (along - u)
            first = p + rate * (min(max(u, 0.0), length) - u)
            last = p + rate * (min(max(along, 0.0), length) - u)
        low[n], high[n] = (first, last) if first < last else (last, first)
        n += 1
    right, near, grown = 0.0, 0.0, True
    while grown:
        grown = False
        for k in range(n):
            if low[k] <= near + GRAZE and high[k] >= right - GRAZE and (high[k] > near or low[k] < right):
                near, right, grown = max(near, high[k]), min(right, low[k]), True
    return min(near, -right)


@leaf
def _lack(
    o: Obstructions, s: InterveningUnits, line: Line, law: Rulings, work: Work, spans: Spans, known: tuple[float, int]
) -> tuple[float, int]:
    """Return what a line lacks to be clear, and the obstruction for which it lacks most, -1 if it lacks nothing.

    ``known`` holds a limit and an obstruction. The obstruction is tested first; once the line lacks at least the limit,
    the function stops and returns what it has.
    """
    enough, worst = known
    deficit, woods, crest, near, by = 0.0, 0.0, 0.0, work.near, -1
    many = the.nearby(o, line, near)
    for i in range(many):
        if near[i] == worst:
            near[0], near[i] = near[i], near[0]
    for i in range(many):
        done, more = _lack_at(o, near[i], line, law, work, spans, deficit)
        woods += done.woods
        crest += done.crest
        if more > deficit:
            deficit, by = more, near[i]
            if deficit >= enough:
                return deficit, by
    for k in range(len(s.level)):
        if the.blocked_by_unit(s, k, line, law):
            rest = _shadow(s.level[k], False, the.far_past(s, k, line), line, law)
            deficit = max(deficit, min(s.clearance[k] - the.passing(s, k, line), rest))
    if the.over(woods, law.budget, law):
        deficit = max(deficit, woods - law.budget)
    if the.over(crest, law.crest, law):
        deficit = max(deficit, crest - law.crest)
    return deficit, by


@leaf
def _lack_at(
    o: Obstructions, b: int, line: Line, law: Rulings, work: Work, spans: Spans, found: float
) -> tuple[Effect, float]:
    """Return the effect of an obstruction on a line, and the greater of ``found`` and what the line lacks for it."""
    n = the.crossings(o, b, line, work.where)
    the.join(work.where, 0, n)
    held = (bool(work.at_start[b]), bool(work.at_end[b]))
    done = the.effect(o, b, (work.where, work.roles), (0, n), line, held, law)
    if done.hides:
        rest = _rest(o, b, n, line, done.far, law, work)
        if rest > found:
            sideways = _beside(o.x, o.y, o.begins, (o.first[b], o.last[b]), line, spans)
            return done, max(found, min(rest, sideways))
    return done, found


@leaf
def _rest(o: Obstructions, b: int, n: int, line: Line, far: float, law: Rulings, work: Work) -> float:
    """Return the rest of a shadow, or the longest stretch through a wall."""
    rest = _shadow(o.level[b], o.hill[b], far, line, law)
    if rest < math.inf:
        return rest
    through = 0.0
    for k in range(0, n, 2):
        if work.roles[k] == the.CROSSED:
            through = max(through, min(work.where[k + 1], line.length) - max(work.where[k], 0.0))
    return through


@leaf
def _shadow(level: int, hill: bool, far: float, line: Line, law: Rulings) -> float:
    """Return how far the shadow behind a far side extends beyond the lower end, inf behind a wall."""
    hi, lo = max(line.start_level, line.end_level), min(line.start_level, line.end_level)
    factor = the.shadow_factor(level, hill, hi, lo, law.deep_shadow)
    return math.inf if factor == math.inf else max(far * factor - (line.length - far), 0.0)


@kernel(
    "void(Lines, Obstructions, InterveningUnits, Rulings, Work, Spans, UniTuple(float64[::1], 2))",
    Lines=Lines,
    Obstructions=Obstructions,
    InterveningUnits=InterveningUnits,
    Rulings=Rulings,
    Work=Work,
    Spans=Spans,
)
def lack(
    lines: Lines,
    o: Obstructions,
    s: InterveningUnits,
    law: Rulings,
    work: Work,
    spans: Spans,
    lacks: tuple[Any, Any],
) -> None:
    """Write into the second of ``lacks`` what n lines lack to be clear; a line that lacks at least the limit gets no
    exact value.

    The first of ``lacks`` (g,) holds the limits of g equal runs of lines; the least value found replaces the limit.
    """
    enough, deficits = lacks
    of_each, worst = len(lines.px) // max(len(enough), 1), -1
    for i in range(len(lines.px)):
        line = the.line_between(o, lines.px[i], lines.py[i], lines.qx[i], lines.qy[i], work)
        deficits[i] = 0.0
        if line.length > 0.0:
            deficits[i], by = _lack(o, s, line, law, work, spans, (enough[i // of_each], worst))
            worst = by if by >= 0 else worst
        enough[i // of_each] = min(enough[i // of_each], deficits[i])


def lacking(
    table: Table,
    starts: Floats,
    ends: Floats,
    law: SightLaw,
    intervening: Sequence[InterveningUnit] = (),
    enough: Floats | None = None,
) -> Floats:
    """Return what each of n lines lacks to be clear, in table units: 0 if it is.

    ``enough`` (g,) are limits for runs of n / g lines: a line that lacks at least the limit, or as much as an earlier
    one of its run, gets some value no less than that.
    """
    compiled, ground = lack.ready() is not None, ground_of(table)
    most = np.full(len(starts), np.inf) if enough is None else enough.copy()
    o, s = packed(ground, compiled), packed_units(tuple(intervening), compiled)
    if not compiled:
        both = np.concatenate([starts, ends])
        o = near_box(o, (*both.min(0).tolist(), *both.max(0).tolist()))
    lines, work, n = Lines.between(starts, ends, compiled), the.work_of(o, compiled), max(o.most, 1)
    rulings = law.rulings(table.tape.t)
    if compiled:
        deficits, spans = np.zeros(len(starts)), Spans(np.empty(n), np.empty(n))
        lack(lines, o, s, rulings, work, spans, (np.require(most, np.float64, ["C", "W"]), deficits))
        return deficits
    deficit_list = [0.0] * len(starts)
    lack(lines, o, s, rulings, work, Spans([0.0] * n, [0.0] * n), (most.tolist(), deficit_list))
    return np.array(deficit_list)


def nearest_to_clear(
    table: Table,
    a: shapely.Geometry,
    b: shapely.Geometry,
    law: SightLaw,
    intervening: Sequence[InterveningUnit] = (),
    known: Sequence[Ends] = (),
) -> Ends:
    """Return the line from ``a`` to ``b`` that lacks least, found to about a hundredth of a table unit.

    ``known`` are further lines to try; of lines that lack equally much the shorter is taken (TSE-LOS-01).

    >>> from tabletop.geometry import SightLaw, Terrain
    >>> wood = Terrain.of_kind("wood", "woods", outline=[(0, 5), (20, 5), (0, 11)])
    >>> ends = shapely.box(9.0, 2.0, 11.0, 3.0), shapely.box(9.0, 11.0, 11.0, 12.0)
    >>> nearest_to_clear(Table.of("in", 20, 20, [wood]), *ends, SightLaw())
    ((11.0, 3.0), (11.0, 11.0))
    """
    shapely.prepare([a, b])
    p, q = _places(table, a), _places(table, b)
    first = np.array([s for s, _ in known] or np.zeros((0, 2)), float)
    last = np.array([t for _, t in known] or np.zeros((0, 2)), float)
    starts = np.vstack([np.repeat(p, len(q), 0), first])
    ends = np.vstack([np.tile(q, (len(p), 1)), last])
    short = lacking(table, starts, ends, law, intervening)
    best = _chosen(starts, ends, short)
    starts, ends, short = _bettered(table, a, b, law, intervening, (starts[best], ends[best], short[best]))
    k = min(range(len(short)), key=lambda i: (round(float(short[i]), 4), float(np.hypot(*(ends[i] - starts[i])))))
    (sx, sy), (tx, ty) = starts[k].tolist(), ends[k].tolist()
    return (sx, sy), (tx, ty)


def _places(table: Table, shape: shapely.Geometry) -> Floats:
    """Return corners of a shape, points along its outline, and points where contours cross it."""
    hills = [hill.area for hill in table.hills if shapely.intersects(hill.area, shape)]
    parts = [shape, *(shapely.intersection(hill, shape) for hill in hills), shapely.segmentize(shape, APART)]
    places: Floats = distinct_rows(np.round(np.vstack([shapely.get_coordinates(part) for part in parts]), 9))
    return places[:: max(1, -(-len(places) // MOST))]


def _chosen(starts: Floats, ends: Floats, short: Floats) -> np.ndarray:
    """Return the indices of a few of the best lines, no two of them almost alike."""
    chosen: list[int] = []
    for k in np.lexsort((np.hypot(*(ends - starts).T), np.round(short, 6))).tolist():
        apart = (np.abs(starts[k] - starts[i]).sum() + np.abs(ends[k] - ends[i]).sum() > APART / 2 for i in chosen)
        if all(apart):
            chosen.append(k)
        if len(chosen) == STARTS:
            break
    return np.array(chosen)


def _bettered(
    table: Table,
    a: shapely.Geometry,
    b: shapely.Geometry,
    law: SightLaw,
    intervening: Sequence[InterveningUnit],
    lines: tuple[Floats, Floats, Floats],
) -> tuple[Floats, Floats, Floats]:
    """Return lines with one or both ends moved as long as that reduces what they lack."""
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
        tried = lacking(table, p, q, law, intervening, short).reshape(len(starts), -1)
        k = tried.argmin(1)
        row = np.arange(len(starts))
        better = tried[row, k] < short - 1e-9
        starts = np.where(better[:, None], p.reshape(len(row), -1, 2)[row, k], starts)
        ends = np.where(better[:, None], q.reshape(len(row), -1, 2)[row, k], ends)
        short = np.where(better, tried[row, k], short)
        step = np.where(better, step, step / 3.0)
    return starts, ends, short


def _within(shape: shapely.Geometry, places: Floats) -> Floats:
    """Return places (n, 2), those outside a shape moved to its nearest point."""
    points = np.asarray(shapely.points(places))
    out = np.nonzero(~shapely.intersects(shape, points))[0]
    if len(out):
        places = places.copy()
        places[out] = shapely.get_coordinates(shapely.shortest_line(points[out], shape)).reshape(-1, 2, 2)[:, 1]
    return places
