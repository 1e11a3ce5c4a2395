"""The law of sight: is the straight line from one point to another clear?

By its level and the levels of a line's two ends, every tall obstruction, hill contour and unit in the line of fire has
one of three effects on the line. It has none if both ends overlook it; it is a wall if it hides everything behind it;
or it casts a shadow ``c`` times as long as the distance D from the higher end to its far side: the lower end is hidden
while the gap behind the far side is at most ``c * D``. A wall is the same test with c infinite. Woods and towns that
hold an end spend the line's budget instead (TSE-LOS-05, 06, 07, 10 to 16).

The law is a plain loop over packed obstructions. With numba it is compiled; without, it runs as Python, over lists. All
other sight code uses it: ``clear`` for lines from point to point, ``sight_line`` for the reasons, the search for the
shortest line, and the ground seen.

Obstructions are shrunk by ``measure.GRAZE`` first, so that a line along an edge or through a corner grazes; a stretch
inside must be longer than the tolerance to count. What touches the edge of a hill stands on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tabletop.geometry.fast import kernel, leaf
from tabletop.geometry.measure import GRAZE
from tabletop.geometry.sight.obstruction import (
    AT_EDGE,
    BoolColumn,
    Bools,
    FloatColumn,
    Floats,
    Ground,
    IntColumn,
    InterveningUnit,
    InterveningUnits,
    Ints,
    Obstructions,
    SightObstruction,
    ground_of,
    near_box,
    packed,
    packed_units,
)
from tabletop.geometry.terrain import Table

__all__ = [
    "JOINT",
    "Bools",
    "Effect",
    "Floats",
    "Ground",
    "InterveningUnit",
    "Ints",
    "Line",
    "Rulings",
    "SightLaw",
    "SightObstruction",
    "clear",
    "clear_lines",
    "effect",
    "ground_of",
    "hides",
    "line_between",
    "normalised",
    "shadow_factor",
]

#: Stretches of one obstruction closer together than this are joined: only shrinking has separated them.
JOINT = 10 * GRAZE
#: With more lines than this, the uncompiled loop first drops the obstructions they cannot meet.
FEW = 4
#: The role of a stretch inside an obstruction: too short to count or exempt; of a wood or hill that holds an end;
#: crossed.
EXEMPT, OWN, CROSSED = 0, 1, 2
#: (3 + 16 eps) eps with eps = 2 ** -53: the largest rounding error of a determinant, relative to the sum of the
#: magnitudes of its two products (Shewchuk).
ROUNDING = 3.3306690738754716e-16


class Rulings(NamedTuple):
    """The parts of a ``SightLaw`` that the loop uses: the tolerance, how close an end counts as at an edge, lengths,
    choices."""

    t: float
    at_edge: float
    budget: float
    crest: float
    hills_block: bool
    own_hill_exempt: bool
    crest_edge: bool
    thin_wood_transparent: bool
    deep_shadow: bool


@dataclass(frozen=True)
class SightLaw:
    """How sight works: the rulings that change it, and its lengths in table units (already scaled).

    >>> from tabletop.geometry import SightLaw
    >>> SightLaw(crest_edge=True, crest=1.5).crest_limit
    1.5
    """

    thin_wood_transparent: bool = False
    hills_block: bool = True
    own_hill_exempt: bool = True
    deep_shadow: bool = False
    crest_edge: bool = False
    crest: float = 1.0
    budget: float = 3.0

    def rulings(self, t: float) -> Rulings:
        """Return the law in the form the loop uses, with tolerance ``t`` (0: the exact law)."""
        lengths = float(t), max(float(t), AT_EDGE), float(self.budget), float(self.crest)
        hills = bool(self.hills_block), bool(self.own_hill_exempt), bool(self.crest_edge)
        return Rulings(*lengths, *hills, bool(self.thin_wood_transparent), bool(self.deep_shadow))

    def factor(self, level: int, hill: bool, hi: int, lo: int) -> float:
        """Return ``shadow_factor``: the length of a shadow as a multiple of D, for ends on the levels ``hi`` and
        ``lo``."""
        return shadow_factor(level, hill, hi, lo, self.deep_shadow)

    @property
    def crest_limit(self) -> float:
        """How far (table units) from the edge of its own hill a unit sees down off it; inf without that ruling."""
        return self.crest if self.crest_edge else math.inf


class Line(NamedTuple):
    """A sight line: from (x, y) along the unit vector (ux, uy), its length, and the levels of both ends."""

    x: float
    y: float
    ux: float
    uy: float
    length: float
    start_level: int
    end_level: int


class Lines(NamedTuple):
    """Many lines to test, in columns: from (px, py) to (qx, qy)."""

    px: FloatColumn
    py: FloatColumn
    qx: FloatColumn
    qy: FloatColumn

    @classmethod
    def between(cls, starts: Floats, ends: Floats, compiled: bool) -> Lines:
        """Return the lines from ``starts`` to ``ends`` (n, 2), in arrays for the ``compiled`` loop."""
        columns = (each[:, k] for each in (starts, ends) for k in (0, 1))
        if compiled:
            return cls(*(np.require(column, np.float64, ["C", "W"]) for column in columns))
        return cls(*(column.tolist() for column in columns))


class Effect(NamedTuple):
    """The effect of an obstruction on a line: whether it hides the lower end, how far its far side lies from the
    higher end (-1 if it is not crossed), and what it spends of the budgets for woods and for the way to a crest."""

    hides: bool
    far: float
    woods: float
    crest: float


class Work(NamedTuple):
    """Work space for one line: places where an edge is crossed, in pairs; the role of each stretch (at the index of
    its first place); the obstructions the line may meet; the hills that hold its start and its end."""

    where: FloatColumn
    roles: IntColumn
    near: IntColumn
    at_start: BoolColumn
    at_end: BoolColumn


# --- what stands where ------------------------------------------------------------------------------------------------


@leaf
def holds(o: Obstructions, b: int, x: float, y: float) -> bool:
    """Return whether a point stands on a hill, its edge included; a point too close to the edge to decide counts as
    on it."""
    half_x, half_y = o.half_x[b], o.half_y[b]
    if not (-half_x <= x - o.mid_x[b] <= half_x and -half_y <= y - o.mid_y[b] <= half_y):
        return False
    xs, ys, begins = o.rim_x, o.rim_y, o.rim_begins
    inside = above = False
    for k in range(o.first_rim[b], o.last_rim[b]):
        before, above = above, ys[k] > y
        if begins[k]:
            continue
        if above != before:
            one, other = (xs[k - 1] - x) * (ys[k] - y), (ys[k - 1] - y) * (xs[k] - x)
            turn = one - other
            if abs(turn) <= ROUNDING * (abs(one) + abs(other)):
                return True
            if (turn > 0.0) == above:
                inside = not inside
        elif ys[k] == y and (xs[k] == x or (ys[k - 1] == y and (xs[k - 1] < x) != (xs[k] < x))):
            return True
    return inside


@leaf
def standing(o: Obstructions, x: float, y: float, at: Any) -> int:
    """Write into ``at`` which hills a point (table units) stands on; return its level (TSE-LOS-03, TSE-LOS-19).

    >>> from tabletop.geometry import Table, Terrain
    >>> hill = Terrain.of_kind("hill", "hill", outline=[(2, 2), (8, 2), (8, 8), (2, 8)])
    >>> o, at = packed(ground_of(Table.of("in", 10, 10, [hill])), False), [False]
    >>> standing(o, 5.0, 5.0, at), at, standing(o, 1.0, 1.0, at), at
    (1, [False], 0, [False])
    """
    level = 0
    for k in range(len(o.hills)):
        b = o.hills[k]
        at[b] = holds(o, b, x, y)
        if at[b] and o.level[b] > level:
            level = o.level[b]
    return level


@leaf
def nearby(o: Obstructions, line: Line, found: Any) -> int:
    """Write which obstructions a line may meet, judged by their boxes; return how many."""
    mid_x, mid_y, half_x, half_y = o.mid_x, o.mid_y, o.half_x, o.half_y
    ux, uy, long, high = line.ux, line.uy, abs(line.ux) * line.length / 2.0, abs(line.uy) * line.length / 2.0
    x, y, n = line.x + ux * line.length / 2.0, line.y + uy * line.length / 2.0, 0
    for b in range(len(mid_x)):
        dx, dy = mid_x[b] - x, mid_y[b] - y
        if dx > half_x[b] + long or dx < -half_x[b] - long or dy > half_y[b] + high or dy < -half_y[b] - high:
            continue
        if abs(dy * ux - dx * uy) <= half_x[b] * abs(uy) + half_y[b] * abs(ux):
            found[n] = b
            n += 1
    return n


@leaf
def crossings(o: Obstructions, b: int, line: Line, where: Any) -> int:
    """Write, in order, where an infinite line crosses the edges of an obstruction; return how many places there are.

    A vertex on the line counts with the left side, so a line enters a ring as often as it leaves it.
    """
    ux, uy, xs, ys, begins = line.ux, line.uy, o.x, o.y, o.begins
    off, start, n, left, side = ux * line.y - uy * line.x, ux * line.x + uy * line.y, 0, 0.0, False
    for k in range(o.first[b], o.last[b]):
        right, previous = left, side
        left = ux * ys[k] - uy * xs[k] - off
        side = left >= 0.0
        if side != previous and not begins[k]:
            p, q = ux * xs[k - 1] + uy * ys[k - 1] - start, ux * xs[k] + uy * ys[k] - start
            at, m = p + (q - p) * (right / (right - left)), n
            while m > 0 and where[m - 1] > at:
                where[m] = where[m - 1]
                m -= 1
            where[m] = at
            n += 1
    return n


@leaf
def join(where: Any, first: int, last: int) -> None:
    """Join stretches (pairs of places) that meet in a point; the second of the two is left with length 0.

    Adjacent pieces are one obstruction (TSE-LOS-19). Places are in table units along the line.

    >>> where = [1.0, 2.0, 2.0, 5.0]
    >>> join(where, 0, 4)
    >>> where
    [1.0, 5.0, 5.0, 5.0]
    """
    for k in range(last - 4, first - 1, -2):
        if where[k + 2] - where[k + 1] <= JOINT:
            where[k + 1] = where[k + 3]
            where[k + 2] = where[k + 3]


# --- what it does -----------------------------------------------------------------------------------------------------


@leaf
def role(o: Obstructions, b: int, a: float, e: float, length: float, held: tuple[bool, bool], law: Rulings) -> int:
    """Return the role for the line of a stretch from ``a`` to ``e`` of its infinite line, longer than the tolerance.

    ``held``: whether the obstruction, a hill, holds the start and the end. A hill that does is exempt (TSE-LOS-17); a
    wood or town where the stretch begins or ends there counts as holding the end, houses never do (TSE-LOS-10,
    TSE-LOS-11, TSE-LOS-13, TSE-LOS-14).
    """
    at_start, at_end = a <= law.at_edge, e >= length - law.at_edge
    if o.hill[b]:
        if (at_start and held[0]) or (at_end and held[1]):
            return OWN
        exempt = not law.hills_block or (law.own_hill_exempt and (held[0] or held[1]))
        return EXEMPT if exempt else CROSSED
    through = o.see_through[b]
    if through <= 0.0:
        return CROSSED
    if at_start or at_end:
        return OWN
    thin = law.thin_wood_transparent and min(e, length) - max(a, 0.0) <= through + law.t
    return EXEMPT if thin else CROSSED


@leaf
def shadow_factor(level: int, hill: bool, hi: int, lo: int, deep: bool) -> float:
    """Return a shadow's length as a multiple of D: inf for a wall, -inf where nothing is hidden.

    Heights are levels (TSE-LOS-03); two ends above the obstruction look over it (TSE-LOS-15); from higher up the
    shadows shorten (TSE-LOS-08). Of several obstructions on one level the nearest to the target has the longest shadow,
    since D is the distance to it (TSE-LOS-09). ``deep`` doubles it for each level by which the lower end lies below the
    ground the obstruction stands on (a hill of level k stands on level k - 1).
    """
    if lo > level or (hill and lo >= level):
        return -math.inf
    if hi <= level:
        return math.inf
    below = (level - 1 if hill else level) - lo if deep else 0
    return float(2.0 ** (1.0 - (hi - level)) * 2.0 ** max(below, 0))


@leaf
def hides(level: int, hill: bool, far: float, line: Line, law: Rulings) -> bool:
    """Return whether the lower end is hidden behind what stands on a level and ends ``far`` from the higher end.

    It does not matter which of the two looks (TSE-LOS-02).
    """
    hi, lo = max(line.start_level, line.end_level), min(line.start_level, line.end_level)
    factor = shadow_factor(level, hill, hi, lo, law.deep_shadow)
    return factor > 0.0 and (factor == math.inf or line.length - far <= far * factor + law.t)


@leaf
def effect(
    o: Obstructions,
    b: int,
    met: tuple[Any, Any],
    places: tuple[int, int],
    line: Line,
    held: tuple[bool, bool],
    law: Rulings,
) -> Effect:
    """Return the effect of an obstruction on a line (TSE-LOS-04 to TSE-LOS-17).

    ``met`` holds where the line meets it (table units along the line), at ``places`` in pairs, and room for the role of
    each pair, which is written.

    >>> from tabletop.geometry import Table, Terrain
    >>> town = Terrain.of_kind("town", "town", outline=[(4, 0), (6, 0), (6, 10), (4, 10)])
    >>> o, roles = packed(ground_of(Table.of("in", 10, 10, [town])), False), [0, 0]
    >>> line = Line(1.0, 5.0, 1.0, 0.0, 8.0, 0, 0)
    >>> effect(o, 0, ([3.0, 5.0], roles), (0, 2), line, (False, False), SightLaw().rulings(0.0))
    Effect(hides=True, far=5.0, woods=0.0, crest=0.0)
    """
    where, roles = met
    length, from_end = line.length, line.end_level > line.start_level
    far, mine = -1.0, 0.0
    for k in range(places[0], places[1], 2):
        a, e = min(max(where[k], 0.0), length), min(max(where[k + 1], 0.0), length)
        roles[k] = role(o, b, where[k], where[k + 1], length, held, law) if e - a > law.t else EXEMPT
        if roles[k] == OWN:
            mine += e - a
        elif roles[k] == CROSSED:
            far = max(far, length - a if from_end else e)
    hidden = far >= 0.0 and hides(o.level[b], o.hill[b], far, line, law)
    if o.hill[b]:
        return Effect(hidden, far, 0.0, mine if law.crest_edge and looks_off(o.level[b], line, held) else 0.0)
    through = o.see_through[b]
    return Effect(hidden, far, mine / through * law.budget if through > 0.0 else 0.0, 0.0)


@leaf
def looks_off(level: int, line: Line, held: tuple[bool, bool]) -> bool:
    """Return whether only the higher end stands on the hill, at the hill's own level, so that it looks down off it."""
    p, q = line.start_level, line.end_level
    if q > p:
        return held[1] and not held[0] and q == level
    return held[0] and not held[1] and p == level and p > q


@leaf
def crest_reach(law: Rulings) -> float:
    """Return how far from the edge of its own hill a unit sees down off it; 0 without that ruling (TSE-LOS-17).

    In table units.

    >>> crest_reach(SightLaw(crest_edge=True, crest=1.0).rulings(0.0)), crest_reach(SightLaw().rulings(0.0))
    (1.0, 0.0)
    """
    return law.crest + law.t if law.crest_edge else 0.0


@leaf
def over(spent: float, limit: float, law: Rulings) -> bool:
    """Return whether more than the limit is spent, in woods or on the way to a crest (TSE-LOS-10 to 13, 17).

    Both are in table units.

    >>> over(3.0, 3.0, SightLaw().rulings(0.0)), over(3.001, 3.0, SightLaw().rulings(0.0))
    (False, True)
    """
    return spent > limit + law.t


# --- units in the way of fire -----------------------------------------------------------------------------------------


@leaf
def passing(s: InterveningUnits, k: int, line: Line) -> float:
    """Return how close a line passes to a unit in the line of fire."""
    length, nearest, inside = line.length, math.inf, False
    for j in range(s.first[k], s.last[k]):
        if s.begins[j]:
            continue
        i = j - 1
        px, py, qx, qy = s.x[i] - line.x, s.y[i] - line.y, s.x[j] - line.x, s.y[j] - line.y
        a, p = px * line.ux + py * line.uy, line.ux * py - line.uy * px
        b, q = qx * line.ux + qy * line.uy, line.ux * qy - line.uy * qx
        if (p >= 0.0) != (q >= 0.0):
            at = a + (b - a) * (p / (p - q))
            inside = inside != (at < 0.0)
            if 0.0 <= at <= length:
                return 0.0
        nearest = min(nearest, math.hypot(a - min(max(a, 0.0), length), p))
        square = (b - a) * (b - a) + (q - p) * (q - p)
        for end in (0.0, length):
            share = min(max(((end - a) * (b - a) - p * (q - p)) / square, 0.0), 1.0)
            nearest = min(nearest, math.hypot(a + share * (b - a) - end, p + share * (q - p)))
    return 0.0 if inside else nearest


@leaf
def corridor(s: InterveningUnits, k: int, line: Line) -> tuple[float, float]:
    """Return the least and greatest distance along a line of a unit's points within its clearance of the line."""
    ux, uy = line.ux, line.uy
    start, off, rim = ux * line.x + uy * line.y, ux * line.y - uy * line.x, s.clearance[k]
    least, most = math.inf, -math.inf
    for j in range(s.first[k], s.last[k]):
        if s.begins[j]:
            continue
        i = j - 1
        a, p = ux * s.x[i] + uy * s.y[i] - start, ux * s.y[i] - uy * s.x[i] - off
        b, q = ux * s.x[j] + uy * s.y[j] - start, ux * s.y[j] - uy * s.x[j] - off
        if abs(p) <= rim:
            least, most = min(least, a), max(most, a)
        for edge in (-rim, rim):
            if (p < edge) != (q < edge):
                at = a + (b - a) * ((edge - p) / (q - p))
                least, most = min(least, at), max(most, at)
    return least, most


@leaf
def blocked_by_unit(s: InterveningUnits, k: int, line: Line, law: Rulings) -> bool:
    """Return whether a unit blocks a line of fire: it passes too close, and not over it (TSE-FIR-10, TSE-FIR-12)."""
    if not passing(s, k, line) < s.clearance[k] - max(law.t, GRAZE):
        return False
    return hides(s.level[k], False, far_past(s, k, line), line, law)


@leaf
def far_past(s: InterveningUnits, k: int, line: Line) -> float:
    """Return the distance from the line's higher end to the far side of a unit passed too closely."""
    first, last = corridor(s, k, line)
    return line.length - first if line.end_level > line.start_level else last


# --- the loop ---------------------------------------------------------------------------------------------------------


@leaf
def clear_line(o: Obstructions, s: InterveningUnits, line: Line, law: Rulings, work: Work) -> bool:
    """Return whether a line is clear; ``work`` already holds the hills of its ends."""
    woods, crest = 0.0, 0.0
    for i in range(nearby(o, line, work.near)):
        b = work.near[i]
        n = crossings(o, b, line, work.where)
        if n > 0:
            join(work.where, 0, n)
            held = (bool(work.at_start[b]), bool(work.at_end[b]))
            done = effect(o, b, (work.where, work.roles), (0, n), line, held, law)
            if done.hides:
                return False
            woods += done.woods
            crest += done.crest
    if over(woods, law.budget, law) or over(crest, law.crest, law):
        return False
    closed = False
    for k in range(len(s.level)):
        closed = closed or blocked_by_unit(s, k, line, law)
    return not closed


@leaf
def line_between(o: Obstructions, px: float, py: float, qx: float, qy: float, work: Work) -> Line:
    """Return the line from (px, py) to (qx, qy), and write into ``work`` which hills hold its ends."""
    dx, dy = qx - px, qy - py
    length = math.hypot(dx, dy)
    levels = standing(o, px, py, work.at_start), standing(o, qx, qy, work.at_end)
    if length <= 0.0:
        return Line(px, py, 1.0, 0.0, 0.0, levels[0], levels[1])
    return Line(px, py, dx / length, dy / length, length, levels[0], levels[1])


@kernel(
    "void(Lines, Obstructions, InterveningUnits, Rulings, Work, uint8[::1])",
    Lines=Lines,
    Obstructions=Obstructions,
    InterveningUnits=InterveningUnits,
    Rulings=Rulings,
    Work=Work,
)
def look(lines: Lines, o: Obstructions, s: InterveningUnits, law: Rulings, work: Work, verdict: Any) -> None:
    """Write into ``verdict`` (n,) which of n lines are clear: 1, or 0. A line of length 0 is clear."""
    for i in range(len(lines.px)):
        line = line_between(o, lines.px[i], lines.py[i], lines.qx[i], lines.qy[i], work)
        verdict[i] = line.length <= 0.0 or clear_line(o, s, line, law, work)


# --- asked about ------------------------------------------------------------------------------------------------------


def normalised(starts: Any, ends: Any) -> tuple[Floats, Floats]:
    """Return both ends of each line, the lesser end (by x, then y) first, so that A to B equals B to A to the last
    bit."""
    a, b = np.array(starts, float).reshape(-1, 2), np.array(ends, float).reshape(-1, 2)
    swap = (a[:, 0] > b[:, 0]) | ((a[:, 0] == b[:, 0]) & (a[:, 1] > b[:, 1]))
    return np.where(swap[:, None], b, a), np.where(swap[:, None], a, b)


def clear_lines(
    table: Table,
    starts: Any,
    ends: Any,
    law: SightLaw,
    intervening: Sequence[InterveningUnit] = (),
    tolerance: float | None = None,
) -> Bools:
    """Return which of n lines are clear: ``starts`` and ``ends`` (n, 2), in table units.

    ``tolerance`` defaults to the table's; 0 is the exact law that measured distances use. Source: TSE-LOS-01 to 20;
    with units ``intervening`` in the line of fire, TSE-FIR-10 and 12.

    >>> clear_lines(Table.of("in", 10, 10), [(1, 1)], [(9, 9)], SightLaw()).tolist()
    [True]
    """
    a, b = normalised(starts, ends)
    return clear(ground_of(table), a, b, law, intervening, table.tape.t if tolerance is None else tolerance)


def clear(
    ground: Ground, a: Floats, b: Floats, law: SightLaw, intervening: Sequence[InterveningUnit], t: float
) -> Bools:
    """Return which lines from ``a`` to ``b`` (n, 2) are clear on prepared ground, with tolerance ``t``.

    The two directions of a line may differ in the last bit unless the ends are ``normalised``.
    """
    if look.ready() is not None:
        o, s = packed(ground, True), packed_units(tuple(intervening), True)
        verdict = np.empty(len(a), np.uint8)
        look(Lines.between(a, b, True), o, s, law.rulings(t), work_of(o, True), verdict)
        return verdict.view(bool)
    o, s = packed(ground, False), packed_units(tuple(intervening), False)
    verdicts: list[bool] = [False] * len(a)
    if len(a) > FEW:
        ends = np.concatenate([a, b])
        o = near_box(o, (*ends.min(0).tolist(), *ends.max(0).tolist()))
    look(Lines.between(a, b, False), o, s, law.rulings(t), work_of(o, False), verdicts)
    return np.array(verdicts, bool)


def work_of(o: Obstructions, compiled: bool) -> Work:
    """Return work space for one line."""
    most, n = max(o.most, 1), len(o.level)
    if compiled:
        return Work(
            np.empty(most),
            np.empty(most, np.int64),
            np.empty(n, np.int64),
            np.zeros(n, np.bool_),
            np.zeros(n, np.bool_),
        )
    return Work([0.0] * most, [0] * most, [0] * n, [False] * n, [False] * n)
